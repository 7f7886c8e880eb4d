#!/usr/bin/env python3
"""Tokens of texts, compared with the reference (the package tokenizers): every code point, and texts made at random.

    tests/docs_wordpiece/run.py

The package is that of scripts/model-requirements.txt, which scripts/setup --model installs; where it is not there, only
kinds of tokenizer.json that are refused are tested.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
JUDGE = os.path.join(os.environ.get("TENON_BUILD_DIR", "build/dev"), "tests", "docs_wordpiece_judge")
DATA = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "tenon"
sys.path.insert(0, str(DATA / "python"))


def made():
    """A tokenizer.json with a small vocabulary: single letters of many scripts, and pieces."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(c) for c in [*range(0x21, 0x7f), *range(0xa1, 0x600), *range(0x1100, 0x1200), *range(0x4e00, 0x4e80)]]
    words += letters + ["##" + letter for letter in letters] + ["the", "quick", "##ing", "un", "##able", "ing"]
    return {"version": "1.0", "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
            "padding": {"strategy": {"Fixed": 20}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                        "pad_type_id": 0, "pad_token": "[PAD]"},
            "added_tokens": [{"id": words.index(name), "content": name, "special": True, "single_word": False, "lstrip": False,
                              "rstrip": False, "normalized": False} for name in words[:5]],
            "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                           "lowercase": True},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "TemplateProcessing",
                               "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                                          {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
                               "pair": [], "special_tokens": {name: {"id": name, "ids": [words.index(name)], "tokens": [name]}
                                                              for name in ("[CLS]", "[SEP]")}},
            "decoder": None,
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                      "vocab": {word: i for i, word in enumerate(words)}}}


def judge(path, texts, most=512):
    feed = b"".join(len(text).to_bytes(4, "little") + text for text in texts)
    done = subprocess.run([JUDGE, str(path), str(most)], input=feed, stdout=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode()


def refused(folder):
    """Other kinds, and broken ones: each is refused with words that name what was found."""
    def changed(**parts):
        whole = made()
        for key, value in parts.items():
            whole[key] = value if not isinstance(value, dict) or key not in whole or not isinstance(whole[key], dict) \
                else {**whole[key], **value}
        return json.dumps(whole)
    cases = [("", "not JSON"), ("{", "not JSON"), ("[1]", "model is missing"), ("{}", "model is missing"),
             (changed(model={"type": "BPE"}), "model is BPE, and only WordPiece"),
             (changed(model={"type": "Uni\ngram"}), "model is Uni?gram"),
             (changed(normalizer={"type": "NFC"}), "normalizer is NFC"),
             (changed(normalizer={"lowercase": False}), "only uncased"),
             (changed(normalizer={"clean_text": False}), "does not clean"),
             (changed(pre_tokenizer={"type": "Metaspace"}), "pre-tokenizer is Metaspace"),
             (changed(model={"vocab": {}}), "vocabulary"), (changed(model={"vocab": {"a": -1}}), "vocabulary"),
             (changed(model={"vocab": {"a": 1e99}}), "vocabulary"), (changed(model={"unk_token": "nothing"}), "unknown words"),
             (changed(model={"max_input_chars_per_word": 99999}), "256 letters"),
             (changed(model={"continuing_subword_prefix": "#" * 20}), "prefix"),
             (changed(post_processor={"type": "RobertaProcessing", "cls": 1}), "post-processor"),
             (changed(post_processor={"single": []}), "post-processor")]
    for text, want in cases:
        path = folder / "tokenizer.json"
        path.write_text(text)
        code, out = judge(path, [])
        assert code == 1 and want in out, (text[:80], want, out)
    print(f"{len(cases)} kinds of tokenizer.json are refused, by name")


def compare(path, Tokenizer, every):
    reference = Tokenizer.from_file(str(path))
    reference.no_truncation()
    reference.no_padding()
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    dice = random.Random(7)
    some = [c for c in points if not 0xE000 <= ord(c) < 0xF900 and ord(c) < 0x20000]
    texts = [" ".join("a" + c + "b" for c in points[at:at + 64]) for at in range(0, len(points) if every else 0, 64)] + [
        "".join(dice.choice(dice.choice((some, points[:0x250], points[:0x80], points[0x300:0x370]))) for _ in range(dice.randrange(1, 60)))
        for _ in range(2000)] + ["", " ", "x" * 300, "unable quicking", "naïve Ångström  ÉCOLE", "한국어 中文 日本語"]
    texts = [text for text in texts if not any(special in text for special in ("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"))]
    code, out = judge(path, [text.encode() for text in texts])
    assert code == 0
    lines, wrong = out.splitlines(), 0
    for text, line, want in zip(texts, lines, reference.encode_batch(texts), strict=True):
        if [int(word) for word in line.split()] != want.ids[:511] + ([want.ids[-1]] if len(want.ids) > 511 else []):
            wrong += 1
            print("differs:", ascii(text)[:100], line[:100], want.ids[:20])
            if wrong > 5:
                break
    assert not wrong
    print(f"{path.parent.name}: {len(texts)} texts as the reference splits them")


def special_names(path):
    """Names of special tokens in a document are plain text: no id of them comes out but at both ends."""
    vocabulary = json.loads(path.read_text())["model"]["vocab"]
    marks = {vocabulary[name] for name in ("[CLS]", "[SEP]", "[MASK]", "[PAD]")}
    _, out = judge(path, [b"a [SEP] b [CLS] [MASK] [PAD]", b"\xff\xfe[SEP]\x80"])
    for line in out.splitlines():
        ids = [int(word) for word in line.split()]
        assert ids[0] in marks and ids[-1] in marks and not marks & set(ids[1:-1]), line
    _, out = judge(path, [b"the " * 1000], 10)
    assert len(out.split()) == 10 and int(out.split()[-1]) == vocabulary["[SEP]"], out


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        refused(folder)
        path = folder / "tokenizer.json"
        path.write_text(json.dumps(made()))
        special_names(path)
        try:
            from tokenizers import Tokenizer
        except ImportError:
            print("SKIPPED: the comparison with the reference: there is no package tokenizers (scripts/setup --model)")
            return
        compare(path, Tokenizer, True)
        real = DATA / "models/all-minilm-l6-v2-q/tokenizer.json"
        if real.exists():
            compare(real, Tokenizer, False)
        else:
            print("SKIPPED: the comparison with a model's own vocabulary: no model was imported (scripts/setup --model)")


main()
