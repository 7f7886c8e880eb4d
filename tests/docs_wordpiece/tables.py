#!/usr/bin/env python3
"""Writes servers/kit/embed/model/wordpiece_table.h: what the reference (the package tokenizers) makes of every code point.

    tests/docs_wordpiece/tables.py > servers/kit/embed/model/wordpiece_table.h    with the package of scripts/model-requirements.txt

Asked of the reference, not taken from a table of Unicode: it has an older one for some of its questions.
"""
import textwrap

from tokenizers import __version__, normalizers, pre_tokenizers

WHOLE = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
CLEAN = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False)
CUT = pre_tokenizers.BertPreTokenizer()
POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ranges(points):
    found = []
    for point in points:
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return found


def look():
    """Every code point's fate: dropped, a mark, a space, Chinese, or mapped."""
    kinds, maps = {"controls": [], "marks": [], "spaces": [], "chinese": []}, {}
    for c in POINTS:
        before, after = chr(c), WHOLE.normalize_str(chr(c))
        if after == "":
            kinds["controls" if CLEAN.normalize_str(before) == "" else "marks"].append(c)
            continue
        if after == " ":
            kinds["spaces"].append(c)
            continue
        if after[0] == after[-1] == " " and len(after) > 2:
            kinds["chinese"].append(c)
            after = after[1:-1]
        if after != before and not 0xAC00 <= c < 0xD7A4:  # Hangul is computed
            maps[c] = after
    return kinds, maps


def runs_of(one):
    """Mappings with one distance, of every code point or of every second."""
    keys, runs, i = sorted(one), [], 0
    while i < len(keys):
        first, best = keys[i], (1, 1)
        for step in (1, 2):
            count = 1
            while one.get(first + step * count, first) - first - step * count == one[first] - first and \
                    first + step * count in one and (step == 1 or first + step * count - 1 not in one):
                count += 1
            best = max(best, (count, step), key=lambda pair: pair[0])
        last = first + best[1] * (best[0] - 1)
        runs.append((first, last, best[1], one[first] - first))
        while i < len(keys) and keys[i] <= last:
            i += 1
    return runs


def table(kind, name, rows):
    print(f"\nstatic const {kind} {name} = {{")
    print(textwrap.fill(", ".join(rows), 106, initial_indent="    ", subsequent_indent="    "))
    print("};")


def main():
    kinds, maps = look()
    punctuation = [c for c in POINTS if len(CUT.pre_tokenize_str("a" + chr(c) + "a")) == 3]
    print(f"/* wordpiece_table.h - what becomes of each code point. Written by tests/docs_wordpiece/tables.py, with tokenizers {__version__}. */")
    print("#ifndef KIT_EMBED_MODEL_WORDPIECE_TABLE_H\n#define KIT_EMBED_MODEL_WORDPIECE_TABLE_H\n\n#include <stdint.h>")
    print("\n/* clang-format off */")
    for name, points in [*kinds.items(), ("punctuation", punctuation)]:
        table("uint32_t", f"{name}[][2]", [f"{{{a:#x},{b:#x}}}" for a, b in ranges(points)])
    one = {c: ord(text) for c, text in maps.items() if len(text) == 1}
    print("\n/* Mapped to the code point + add: every step-th from first to last. */")
    table("struct { uint32_t first, last; int32_t step, add; }", "runs[]",
          [f"{{{a:#x},{b:#x},{step},{add}}}" for a, b, step, add in runs_of(one)])
    print("\n/* A code point, and the several that it is mapped to. */")
    table("uint32_t", "strings[][5]", ["{%s}" % ",".join(hex(x) for x in [c, *map(ord, text)])
                                       for c, text in sorted(maps.items()) if len(text) > 1])
    print("/* clang-format on */\n\n#endif")


main()
