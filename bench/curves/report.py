#!/usr/bin/env python3
"""The rounds of bench/curves/run as tables of nanoseconds and of ratios.

    report.py DIRECTORY    a file for each round, a line for each measurement: its name and nanoseconds"""
import pathlib
import statistics
import sys

CURVES = {"params": "parameters", "items": "items of a list", "bytes": "bytes of a text"}
GROWTH_MAX, TOOLS_MAX = 1.5, 1.2


def read(path):
    return {name: float(value) for name, value in (line.split() for line in path.read_text().splitlines())}


def counts_of(rounds, name):
    return sorted({int(key.split("/")[1]) for one in rounds for key in one if key.startswith(name + "/")})


def shown(values):
    if not values:
        return "not measured"
    return f"{statistics.median(values):,.0f} ({min(values):,.0f} to {max(values):,.0f})"


def values(rounds, name):
    return [one[name] for one in rounds if name in one]


def ratio(rounds, above, below):
    some = [one[above] / one[below] for one in rounds if above in one and below in one]
    return f"{statistics.median(some):.2f} ({min(some):.2f} to {max(some):.2f})" if some else "not measured"


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| ---: |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def least(rounds, name):
    return min(values(rounds, name))


def targets(rounds):
    for name, text in (("params", "a parameter"), ("items", "an item"), ("bytes", "a byte")):
        counts = counts_of(rounds, name)
        small = next(count for count in counts if count >= (100 if name == "bytes" else 10))
        growth = least(rounds, f"{name}/{counts[-1]}/call") / counts[-1] / (least(rounds, f"{name}/{small}/call") / small)
        yield growth <= GROWTH_MAX, (f"{text} among {counts[-1]:,} costs at most {GROWTH_MAX} times one among {small}, in a whole call ({growth:.2f})")
    counts = counts_of(rounds, "tools")
    growth = least(rounds, f"tools/{counts[-1]}/call") / least(rounds, f"tools/{counts[0]}/call")
    yield growth <= TOOLS_MAX, f"a call to one of {counts[-1]:,} tools costs at most {TOOLS_MAX} times one to the only tool ({growth:.2f})"


def report(rounds):
    yield "# How the cost grows"
    yield ""
    yield f"Written by `scripts/bench curves`. Nanoseconds of a valid call in memory: the median of {len(rounds)} rounds, with the lowest and the"
    yield "highest beside it. *Bound*: parsed, checked and bound to the struct. *Whole*: to the envelope, with a handler that does"
    yield "nothing. ajv: `JSON.parse` of a string and `validate`, by the schema that Tenon publishes. Plots are in [results.md](results.md)."
    for name, text in CURVES.items():
        yield from ("", f"## By the {text}", "")
        yield from table((text, "Tenon, bound", "Tenon, whole", "ajv", "ajv, times Tenon bound"), [
            (f"{count:,}", shown(values(rounds, f"{name}/{count}/bind")), shown(values(rounds, f"{name}/{count}/call")),
             shown(values(rounds, f"{name}/{count}/ajv")), ratio(rounds, f"{name}/{count}/ajv", f"{name}/{count}/bind"))
            for count in counts_of(rounds, name)])
    yield from ("", "## By the tools of the server", "", "Whole messages of MCP in memory. A list has pages, so that its cost stops growing.", "")
    yield from table(("tools", "tools/call", "tools/list"), [
        (f"{count:,}", shown(values(rounds, f"tools/{count}/call")), shown(values(rounds, f"tools/{count}/list")))
        for count in counts_of(rounds, "tools")])
    yield ""
    for passed, text in targets(rounds):
        yield f"- {'PASS' if passed else 'FAIL'}: {text}"


def main():
    print("\n".join(report([read(path) for path in sorted(pathlib.Path(sys.argv[1]).iterdir())])))


if __name__ == "__main__":
    main()
