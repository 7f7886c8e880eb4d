#!/usr/bin/env python3
"""The rounds of bench/core/run as a table of ratios: times of one machine say nothing on another.

    report.py DIRECTORY    a file for each round, a line for each measurement: its name and nanoseconds"""
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tables import read, table

COUNTS = (10, 100, 1000, 10000)
BIND_MAX, AJV_MIN, GROWTH_MAX = 2.2, 5, 1.5

WHAT = [  # our name, measurement, its parse alone, the same by ajv
    ("yyjson parses it (reused pool)", "typical/parse", "typical/parse", "ajv/valid"),
    ("Tenon parses, validates and binds it", "typical/bind", "typical/parse", "ajv/valid"),
    ("Tenon runs the whole call, to the envelope", "typical/call", "typical/parse", "ajv/valid"),
    ("seven faults: yyjson parses it", "faults/parse", "faults/parse", "ajv/faults"),
    ("seven faults: Tenon finds them", "faults/bind", "faults/parse", "ajv/faults"),
    ("seven faults: Tenon's whole envelope", "faults/call", "faults/parse", "ajv/faults"),
]
GROWTH = [
    (f"{noun}, {state}", f"{key}/{state}")
    for key, noun in (("params", "parameters"), ("strings", "strings in a list"), ("integers", "integers in a list"))
    for state in ("valid", "invalid")
]


def ratios(rounds, above, below):
    return [one[above] / one[below] for one in rounds]


def middle(values):
    return statistics.median(values)


def shown(values):
    return f"{middle(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def per_item(rounds, key, count):
    """The cost of one item, relative to a call of ten; the best of all rounds, for it is the least disturbed."""
    cost = {n: min(one[f"{key}/{n}/bind"] for one in rounds) / n for n in (10, count)}
    return cost[count] / cost[10]


def to_parse(rounds, key, count):
    return middle(ratios(rounds, f"{key}/{count}/bind", f"{key}/{count}/parse"))


def targets(rounds):
    bind = middle(ratios(rounds, "typical/bind", "typical/parse"))
    faster = middle(ratios(rounds, "ajv/valid", "typical/bind"))
    faults = middle(ratios(rounds, "ajv/faults", "faults/call"))
    growth = max(per_item(rounds, key, COUNTS[-1]) for _, key in GROWTH)
    allocations = max(one[name] for one in rounds for name in ("allocations/bind", "allocations/call"))
    yield bind <= BIND_MAX, f"parse, validate and bind: at most {BIND_MAX} times yyjson's parse alone ({bind:.2f})"
    yield faster >= AJV_MIN, f"parse, validate and bind: at least {AJV_MIN} times as fast as ajv ({faster:.1f})"
    yield faults > 1, f"seven faults as an envelope: faster than ajv and JSON.stringify ({faults:.2f} times)"
    yield growth <= GROWTH_MAX, f"cost of an item among 10,000: at most {GROWTH_MAX} times that among 10 ({growth:.2f})"
    yield allocations == 0, f"no allocation in 1,000 calls that are like the one before ({allocations:.0f})"


def report(rounds):
    yield "# What the core costs"
    yield ""
    yield "Written by `scripts/bench core`. A tool of six parameters, called with all of them; the same bytes for everyone."
    yield f"Ratios of {len(rounds)} rounds in turns: the median, with the lowest and the highest beside it."
    yield "ajv does `JSON.parse` and `validate` with `allErrors`, by the schema that Tenon publishes; for the call with seven"
    yield "faults, also `JSON.stringify` of its errors. It begins with a string that is there already, or with the bytes, as"
    yield "the others do. The targets are held against the string."
    yield ""
    yield from table(("", "times yyjson's parse", "times as fast as ajv, from a string", "from the bytes"), [
        (name, shown(ratios(rounds, key, parse)), shown(ratios(rounds, ajv, key)),
         shown(ratios(rounds, ajv + "/bytes", key))) for name, key, parse, ajv in WHAT])
    yield ""
    yield "How the cost of one parameter or item grows, relative to a call of ten; and the whole, relative to yyjson's parse."
    yield ""
    yield from table(("", *(f"{count:,}" for count in COUNTS), "10,000: times yyjson's parse"), [
        (name, *(f"{per_item(rounds, key, count):.2f}" for count in COUNTS), f"{to_parse(rounds, key, COUNTS[-1]):.2f}")
        for name, key in GROWTH])
    yield ""
    for passed, text in targets(rounds):
        yield f"- {'PASS' if passed else 'FAIL'}: {text}"


def main():
    rounds = [read(path) for path in sorted(pathlib.Path(sys.argv[1]).iterdir())]
    print("\n".join(report(rounds)))


if __name__ == "__main__":
    main()
