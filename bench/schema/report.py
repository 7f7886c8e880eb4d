#!/usr/bin/env python3
"""The rounds of bench/schema/run as tables of ratios: times of one machine say nothing on another.

    report.py DIRECTORY KNOWN LOAD    a file for each round, a line for each measurement: its name and nanoseconds; KNOWN has
                                      a line for each peer: its name, and "measured" with its version, or why it was not;
                                      LOAD has the load of the machine before the first round"""
import math
import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tables import read, table, versions

NAMES = {
    "tool": "arguments of a tool", "manifest": "manifest of a package", "openapi": "description of an HTTP interface",
    "geojson": "map of 1,000 features", "workflow": "workflow of continuous integration",
    "events": "log of 2,000 events", "tree": "tree, 43 levels", "config": "configuration with unevaluatedProperties",
}
KINDS = {"valid": "valid", "late": "one fault, at the end", "many": "several faults"}
GROWN = {"events": "events of a log", "geojson": "features of a map"}
COUNTS = (20, 200, 2000)
COMPILE_MAX_NS, GROWTH_MAX = 1e6, 1.5


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


class Rounds:
    def __init__(self, rounds):
        self.rounds = rounds

    def ratios(self, above, below):
        return [one[above] / one[below] for one in self.rounds if above in one and below in one]

    def shown(self, above, below):
        values = self.ratios(above, below)
        if not values:
            return "not measured"
        return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"

    def means(self, kinds, above, below):
        """The geometric mean over all documents, in each round."""
        return [mean([one[f"{name}/{kind}/{above}"] / one[f"{name}/{kind}/{below}"] for name in NAMES for kind in kinds])
                for one in self.rounds if all(f"{name}/{kind}/{above}" in one for name in NAMES for kind in kinds)]

    def shown_mean(self, kinds, above, below):
        values = self.means(kinds, above, below)
        if not values:
            return "not measured"
        return f"**{statistics.median(values):.2f}** ({min(values):.2f} to {max(values):.2f})"

    def best(self, name):
        return min(one[name] for one in self.rounds)


COLUMNS = [  # what, theirs, ours
    ("ajv, from the text", "ajv/whole", "tenon/whole"),
    ("ajv and its errors as text", "ajv/words", "tenon/words"),
    ("ajv, judging alone", "ajv/judge", "tenon/judge"),
    ("Blaze and its errors, judging alone", "blaze/judge", "tenon/judge"),
    ("Blaze for the flag, as Tenon", "blaze/judge-flag", "tenon/judge-flag"),
    ("jsonschema-rs, from the text", "jsonschema-rs/whole", "tenon/whole"),
    ("jsonschema-rs and its errors as text", "jsonschema-rs/words", "tenon/words"),
    ("jsonschema-rs, judging alone", "jsonschema-rs/judge", "tenon/judge"),
    ("jsonschema-rs for the flag, as Tenon", "jsonschema-rs/judge-flag", "tenon/judge-flag"),
    ("jsonschema-rs for the flag, names as they came", "jsonschema-rs-in-order/judge-flag", "tenon/judge-flag"),
]
PEERS = {"ajv": "ajv", "blaze": "Blaze", "jsonschema-rs": "jsonschema-rs", "jsonschema-rs-in-order": "jsonschema-rs in order",
         "pydantic": "pydantic"}


def documents(rounds, kind):
    without = {"valid": ("ajv/words", "jsonschema-rs/words"), "many": ("blaze",)}.get(kind, ())
    columns = [column for column in COLUMNS if not column[1].startswith(without)]
    rows = [(f"{text}, {rounds.best(f'{name}/{kind}/bytes') / 1000:,.1f} kB",
             *(rounds.shown(f"{name}/{kind}/{theirs}", f"{name}/{kind}/{ours}") for _, theirs, ours in columns))
            for name, text in NAMES.items()]
    rows.append(("geometric mean", *(rounds.shown_mean([kind], theirs, ours) for _, theirs, ours in columns)))
    yield from table(("", *(head for head, _, _ in columns)), rows)


def models(rounds):
    yield from table(("the arguments of a tool", "pydantic, from the text", "and its errors as text"), [
        (KINDS[kind], rounds.shown(f"tool/{kind}/pydantic/whole", f"tool/{kind}/tenon/whole"),
         rounds.shown(f"tool/{kind}/pydantic/words", f"tool/{kind}/tenon/words") if kind != "valid" else "")
        for kind in KINDS])


def byte_cost(rounds, name, kind, what, count):
    """Of one byte, relative to a document of the smallest size."""
    cost = {n: rounds.best(f"{name}-{n}/{kind}/tenon/{what}") / rounds.best(f"{name}-{n}/{kind}/bytes")
            for n in (COUNTS[0], count)}
    return cost[count] / cost[COUNTS[0]]


def growth(rounds):
    yield from table(("", *(f"{n:,}" for n in COUNTS), "2,000, from the text"), [
        (f"{text}, {what}", *(f"{byte_cost(rounds, name, kind, 'judge', n):.2f}" for n in COUNTS),
         f"{byte_cost(rounds, name, kind, 'whole', COUNTS[-1]):.2f}")
        for name, text in GROWN.items() for kind, what in KINDS.items()])


def targets(rounds):
    every, whole = (list(KINDS), "all documents"), (["valid", "late"], "documents with at most one fault")
    for text, theirs, ours, most in (
            ("ajv, from the text", "ajv/whole", "tenon/whole", every),
            ("ajv, judging alone", "ajv/judge", "tenon/judge", every),
            ("Blaze with its errors, judging alone", "blaze/judge", "tenon/judge", whole),
            ("Blaze's fast mode, as Tenon's flag", "blaze/judge-flag", "tenon/judge-flag", whole),
            ("jsonschema-rs, from the text", "jsonschema-rs/whole", "tenon/whole", every),
            ("jsonschema-rs, judging alone", "jsonschema-rs/judge", "tenon/judge", every),
            ("jsonschema-rs for the flag, as Tenon's", "jsonschema-rs/judge-flag", "tenon/judge-flag", every)):
        for kinds, what in ((["valid"], "valid documents"), most):
            values = rounds.means(kinds, theirs, ours)
            if not values:
                yield None, f"{what}: faster than {text}, as a geometric mean (not measured)"
                continue
            value = statistics.median(values)
            yield value > 1, f"{what}: faster than {text}, as a geometric mean ({value:.2f} times)"
    slowest = max(rounds.best(f"{name}/valid/tenon/compile") for name in NAMES)
    yield slowest < COMPILE_MAX_NS, "every schema is compiled in less than a millisecond"
    cost = max(byte_cost(rounds, name, kind, "judge", COUNTS[-1]) for name in GROWN for kind in KINDS)
    yield cost <= GROWTH_MAX, (f"judging a byte of a document 100 times as large: at most {GROWTH_MAX} times as long "
                               f"({cost:.2f})")


def report(rounds, known, load):
    yield "# What judging by JSON Schema costs"
    yield ""
    yield "Written by `scripts/bench schema`. The schemas and documents are those of `bench/schema/cases.mjs`, the same bytes for"
    yield f"everyone. How many times as fast Tenon is: ratios of {len(rounds.rounds)} rounds in turns, the median, with the lowest and the"
    yield "highest beside it."
    yield ""
    yield f"- The machine has {os.cpu_count()} cores, and its load was {load:.1f} before the first round" + (
        ": others were at work, which makes figures noisy." if load > os.cpu_count() / 2 else ".")
    yield "- ajv (2020-12, `allErrors`) from the text: `JSON.parse` of a string that is there already, and `validate`."
    yield "- With errors as text: Tenon's sentences, at most 25; ajv's errors, all of them, with `JSON.stringify`."
    yield "- Blaze by the benchmark of its program, which leaves parsing out: so does Tenon beside it. It gives the mean of a run;"
    yield "  of many short runs the lower quartile counts, of everyone else's turns the best. Its fast mode, for the flag only,"
    yield "  stands beside Tenon's flag. It stops at the first error in both modes, so that it is not compared where documents"
    yield "  have several, which Tenon and ajv find."
    yield "- jsonschema-rs as a program of Rust (`bench/peers/validators-rust`), with its errors counted, as sentences, or not wanted;"
    yield "  parsing is serde_json's, whose objects are sorted by name: a fault at the end of the text may be the first it meets, so that"
    yield "  its flag for documents with faults says as much about names as about speed. It is compared all the same; beside it stands"
    yield "  the same program with objects whose names stand as they came (`preserve_order` of serde_json), as the others have them."
    yield "- Judging alone, Tenon's record of one judgement is made ready once, outside what is timed, as are the validators of the others."
    yield "  `tenon_verdict_flag()` and `tenon_verdict_judge()` make it for each text, which counts where it is from the text; it takes"
    yield "  some tens of nanoseconds, as much as the whole flag of a small document."
    yield "- pydantic has models, not schemas: one is asked, for the arguments of a tool, from the text to the model."
    yield "- Not measured: Blaze with parsing, which its program does not offer."
    yield from versions(known, PEERS)
    for kind, text in KINDS.items():
        yield ""
        yield f"## Documents: {text}"
        yield ""
        yield from documents(rounds, kind)
    yield ""
    yield "## A model in place of a schema"
    yield ""
    yield from models(rounds)
    yield ""
    yield "## How the cost grows"
    yield ""
    yield "The cost of a byte relative to the smallest document: judging alone, and from the text. A text that needs more memory"
    yield "than a verdict keeps from one call to the next (1 MiB) gets it from the system each time, which shows in the last column."
    yield ""
    yield from growth(rounds)
    yield ""
    for passed, text in targets(rounds):
        yield f"- {'----' if passed is None else 'PASS' if passed else 'FAIL'}: {text}"


def main():
    rounds = [read(path) for path in sorted(pathlib.Path(sys.argv[1]).iterdir())]
    known = dict(line.split(" ", 1) for line in pathlib.Path(sys.argv[2]).read_text().splitlines())
    load = float(pathlib.Path(sys.argv[3]).read_text())
    print("\n".join(report(Rounds(rounds), known, load)))


if __name__ == "__main__":
    main()
