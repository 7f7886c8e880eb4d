#!/usr/bin/env python3
"""The rounds of bench/curves/run as tables: the median of all rounds, with the lowest and the highest beside it.

    report.py DIRECTORY    what bench/curves/run kept: rounds/*, a line for each measurement with its name and a number;
                           known, a line for each peer; and refused, what servers said that did not serve a size"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tables import NOT, Rounds, known_of, read, servers, table

CURVES = {"params": "parameters", "items": "items of a list", "bytes": "bytes of a text"}
SERVER_CURVES = {  # of the servers: their path, what grows, what is measured
    "tools/%d/call": ("tools of the server", "a call to one of them"),
    "tools/%d/list": ("tools of the server", "the whole list of them, page by page where it has pages"),
    "params/%d/call": ("parameters", "a call with all of them, integers with a range"),
    "items/%d/call": ("items of a list", "a call with so many texts of at most 64 characters"),
    "text/%d/call": ("bytes of a text", "a call with a text of that size"),
}
GROWTH_MAX, TOOLS_MAX = 1.5, 1.2
SAID_MAX = 200


def counts_of(rounds, pattern):
    """The sizes at which something of a path with %d was measured."""
    expression = re.compile(re.escape(pattern).replace("%d", r"(\d+)"))
    return sorted({int(found[1]) for one in rounds.rounds for key in one if (found := expression.match(key))})


def refused_of(path):
    """What servers said that did not serve a size, by the path of the measurement."""
    return dict(line.split(" ", 1) for line in path.read_text().splitlines()) if path.exists() else {}


def cell(rounds, path, name, figure, refused):
    if f"{path}/{name}" in refused:
        return "refused"
    return rounds.shown(f"stdio/{path}/{name}/{figure}")


def times_tenon(rounds, path, name, figure, refused):
    if f"{path}/{name}" in refused:
        return "refused"
    return rounds.shown_ratio(f"stdio/{path}/{name}/{figure}", f"stdio/{path}/tenon/{figure}")


def server_table(rounds, known, refused, pattern, cell_of, figure, names=None):
    counts = counts_of(rounds, f"stdio/{pattern}/")
    unit = SERVER_CURVES[pattern][0]
    return table((unit, *(f"{count:,}" for count in counts)), [
        (text, *(cell_of(rounds, pattern % count, name, figure, refused) for count in counts))
        for name, text in servers(known).items() if (names is None or name in names) and not (name == "floor" and pattern.endswith("list"))])


def refusals(refused, known):
    """Once for each server and what it said."""
    names = servers(known)
    for path, said in refused.items():
        what, count, kind, name = path.split("/")
        yield f"- Refused: {names.get(name, name).strip('*')}, {what} {int(count):,}, {kind}: `{said[:SAID_MAX].replace('`', chr(39))}`"


def server_curves(rounds, known, refused):
    yield from ("", "# Servers: how the cost of a call grows", "")
    yield "The same for every server, over standard streams with one call in flight, server and load on one core; all servers in turns at"
    yield "each size. Every parameter is checked, in every server; what each offers is in `bench/peers`. *CPU* is the server's alone, *median*"
    yield "the time to the answer, both in microseconds. Servers that compile while they run are warm before they are measured."
    for name, state in known.items():
        if not state.startswith("measured"):
            yield from ("", f"Not measured: {servers(known)[name]}: {state}.")
    yield from ("", *refusals(refused, known)) if refused else ()
    for pattern, (unit, what) in SERVER_CURVES.items():
        yield from ("", f"## By the {unit}: {what}", "", "CPU, µs:", "")
        yield from server_table(rounds, known, refused, pattern, cell, "cpu")
        yield from ("", "Their CPU as a multiple of Tenon's:", "")
        yield from server_table(rounds, known, refused, pattern, times_tenon, "cpu", names=known)
        yield from ("", "Median, µs:", "")
        yield from server_table(rounds, known, refused, pattern, cell, "p50")
    yield from ("", "## By the tools of the server: start and memory", "", "From the start to the first answer, ms:", "")
    yield from server_table(rounds, known, refused, "tools/%d/call", cell, "start")
    yield from ("", "Resident memory after it, MB:", "")
    yield from server_table(rounds, known, refused, "tools/%d/call", cell, "rss")


def memory_curves(rounds):
    yield "# How the cost grows"
    yield ""
    yield f"Written by `scripts/bench curves`. The median of {len(rounds.rounds)} round{'s' * (len(rounds.rounds) > 1)}, with the lowest and the highest beside it. Plots are in"
    yield "[results.md](results.md). First a valid call in memory, in nanoseconds, then [whole servers](#servers-how-the-cost-of-a-call-grows)."
    yield "*Bound*: parsed, checked and bound to the struct. *Whole*: to the envelope, with a handler that does nothing. ajv:"
    yield "`JSON.parse` of a string and `validate`, by the schema that Tenon publishes."
    for name, text in CURVES.items():
        yield from ("", f"## In memory, by the {text}", "")
        yield from table((text, "Tenon, bound", "Tenon, whole", "ajv", "ajv, times Tenon bound"), [
            (f"{count:,}", *(rounds.shown(f"{name}/{count}/{what}") for what in ("bind", "call", "ajv")),
             rounds.shown_ratio(f"{name}/{count}/ajv", f"{name}/{count}/bind"))
            for count in counts_of(rounds, f"{name}/%d/bind")])
    yield from ("", "## In memory, by the tools of the server", "", "Whole messages of MCP. A list has pages, so that the cost of one stops growing.", "")
    yield from table(("tools", "tools/call", "tools/list"), [
        (f"{count:,}", rounds.shown(f"tools/{count}/call"), rounds.shown(f"tools/{count}/list"))
        for count in counts_of(rounds, "tools/%d/call")])


def least(rounds, name):
    return min(rounds.values(name))


def targets(rounds):
    for name, text in (("params", "a parameter"), ("items", "an item"), ("bytes", "a byte")):
        counts = counts_of(rounds, f"{name}/%d/call")
        if not counts:
            yield None, f"{text} among many costs at most {GROWTH_MAX} times one among few ({NOT})"
            continue
        small = next(count for count in counts if count >= (100 if name == "bytes" else 10))
        growth = least(rounds, f"{name}/{counts[-1]}/call") / counts[-1] / (least(rounds, f"{name}/{small}/call") / small)
        yield growth <= GROWTH_MAX, (f"{text} among {counts[-1]:,} costs at most {GROWTH_MAX} times one among {small}, in a whole call ({growth:.2f})")
    counts = counts_of(rounds, "tools/%d/call")
    if counts:
        growth = least(rounds, f"tools/{counts[-1]}/call") / least(rounds, f"tools/{counts[0]}/call")
        yield growth <= TOOLS_MAX, f"a call to one of {counts[-1]:,} tools costs at most {TOOLS_MAX} times one to the only tool ({growth:.2f})"


def report(rounds, known, refused):
    yield from memory_curves(rounds)
    yield from server_curves(rounds, known, refused)
    yield from ("", "# What was wanted", "")
    for met, text in targets(rounds):
        yield f"- {'----' if met is None else 'PASS' if met else 'FAIL'}: {text}"


def main():
    kept = pathlib.Path(sys.argv[1])
    rounds = Rounds([read(path) for path in sorted((kept / "rounds").iterdir())])
    print("\n".join(report(rounds, known_of(kept / "known"), refused_of(kept / "refused"))))


if __name__ == "__main__":
    main()
