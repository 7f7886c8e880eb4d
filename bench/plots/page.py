#!/usr/bin/env python3
"""The page of everything: bench/results.md, the plots beside this file and the table in README, from what the runs of bench/*/run kept.

    page.py [KEPT]    KEPT is build/bench

What was not run is said on the page. Every figure is a median, with the lowest and the highest of all rounds beside it."""
import importlib.util
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

import svg

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent
sys.path.insert(0, str(BENCH))
from tables import NOT, Rounds, brief, figure, known_of, read, servers, spread, table
ROOT = BENCH.parent
PAGES = {"core": "a call in memory, beside yyjson and ajv", "schema": "judging by JSON Schema, beside other validators",
         "mcp": "whole servers, beside the floors and other SDKs", "curves": "how the cost grows",
         "docs": "the documentation server's search", "guard": "the guard, beside a bare relay and other proxies",
         "many": "several cores and many clients", "replicas": "replicas on one database"}


def module_of(name):
    spec = importlib.util.spec_from_file_location(f"{name}_report", BENCH / name / "report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mcp, schema, curves_report = module_of("mcp"), module_of("schema"), module_of("curves")


class Part:
    """The rounds that one run kept, and its peers."""

    def __init__(self, kept, name, rounds_type=Rounds):
        where = kept / name
        paths = sorted((where / "rounds").iterdir()) if (where / "rounds").is_dir() else []
        self.rounds = rounds_type([read(path) for path in paths])
        self.known = known_of(where / "known")
        self.refused = curves_report.refused_of(where / "refused")
        self.faults = json.loads((where / "faults.json").read_text()) if (where / "faults.json").exists() else []

    def __bool__(self):
        return any(self.rounds.rounds)


def draw(name, picture):
    (HERE / f"{name}.svg").write_text(picture)
    return f"![{re.search(r'aria-label=.(.*?).>', picture)[1]}](plots/{name}.svg)"


# ---- The machine ------------------------------------------------------------------------------------------------------


def first_line(*command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT).stdout.split("\n")[0].strip()
    except OSError:
        return ""


def machine():
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    yield f"- Processor: {model[1] if model else platform.machine()}, {os.cpu_count()} cores; {platform.system()} {platform.release().split('-')[0]}."
    node = next(iter(sorted(ROOT.glob("tests/js/node_modules/node-linux-*/bin/node"))), "node")
    yield f"- Compiler: {first_line('cc', '--version')}; {' '.join(platform.libc_ver())}; node {first_line(node, '--version')}."
    load = BENCH.parent / "build/bench/load"
    if load.exists():
        yield (f"- Load of the machine when the run began: {load.read_text().split()[0]} (of {os.cpu_count()}). Above a half for each core others were at work: "
               "the noise beside each figure says how much it mattered.")
    source = BENCH.parent / "build/bench/source"
    if source.exists():
        yield f"- Source: {source.read_text().strip()}."


# ---- The first screen -------------------------------------------------------------------------------------------------


HEADLINE = [  # head, measurement, whether more is better
    ("HTTP, 64 connections: calls a second", "http/%s/64/rate", True), ("99th percentile, µs", "http/%s/64/p99", False),
    ("server's CPU of a call, µs", "http/%s/64/cpu", False), ("stdio, one in flight: calls a second", "stdio/%s/1/rate", True),
    ("server's CPU of a call, µs", "stdio/%s/1/cpu", False), ("memory, MB", "idle/%s", False), ("start, ms", "start/%s/median", False),
]


def headline_cell(rounds, name, measurement, more):
    """The figure, and below it how many times as good Tenon's is."""
    ours, theirs = measurement % "tenon", measurement % name
    if not rounds.has(theirs):
        return NOT
    ratios = [] if name == "tenon" else rounds.ratios(ours, theirs) if more else rounds.ratios(theirs, ours)
    times = brief(ratios, "×") if ratios else ""
    if ratios and statistics.median(ratios) < 1:
        times = f"**{times}**"
    return brief(rounds.values(theirs)) + (f"<br>{times}" if times else "")


def headline(part):
    yield from ("## In one screen", "")
    if not part:
        yield "The servers were not measured: `scripts/bench mcp` was not run."
        return
    yield "Every server offers the same tool of six parameters, checks them, and gets the same call. The second line of a cell is **how many"
    yield "times as good Tenon's figure is**; below 1, in bold, the other is ahead. ± is the farthest of all rounds. The floor is no server: it is"
    yield "what libuv (and llhttp) cost anyone who answers with so many bytes and looks at nothing."
    yield ""
    asked = {one["name"]: one for one in part.faults}
    rows = []
    for name, text in servers(part.known).items():
        one = asked.get(name)
        named = f"{mcp.between(one['named'])} of 6<br>{mcp.between(one['calls']) if one['calls'][0] else 'never'}" if one else "" if name == "floor" else NOT
        rows.append((text, *(headline_cell(part.rounds, name, measurement, more) for _, measurement, more in HEADLINE), named))
    yield from table(("", *(head for head, _, _ in HEADLINE), "six faults: named at once<br>calls until mended"), rows)


def not_measured(known, names):
    for name, state in known.items():
        if not state.startswith("measured"):
            yield f"- Not measured: {names.get(name, name)}: {state}."


def largest(part):
    """The multiples at the far end of each curve, as one row for each server."""
    patterns = [(pattern, curves_report.counts_of(part.rounds, f"stdio/{pattern}/")) for pattern in curves_report.SERVER_CURVES]
    patterns = [(pattern, counts[-1]) for pattern, counts in patterns if counts]
    heads = {"tools/%d/call": "a call, %s tools", "tools/%d/list": "the list of %s tools", "params/%d/call": "%s parameters",
             "items/%d/call": "%s items", "text/%d/call": "%s bytes of text"}
    yield from table(("", *(heads[pattern] % f"{count:,}" for pattern, count in patterns)), [
        (text, *(curves_report.times_tenon(part.rounds, pattern % count, name, "cpu", part.refused) for pattern, count in patterns))
        for name, text in servers(part.known).items() if name not in ("tenon", "floor")])


# ---- Servers ----------------------------------------------------------------------------------------------------------


def server_bars(part, measurement):
    return [(name, text.strip("*"), part.rounds.values(measurement % name)) for name, text in servers(part.known).items()]


def server_tables(part):
    for title in ("Calls a second over HTTP", "Time to an answer over HTTP, µs", "Standard streams", "CPU of a call, µs", "Start and memory"):
        _, text, head, names = next(one for one in mcp.SECTIONS if one[0] == title)
        yield from ("", f"### {title}", "", text, "")
        yield from table(("", *head), mcp.by_server(part.rounds, part.known, names))
    yield from ("", "### Growth over a million calls", "", *mcp.GROWTH_TEXT, "")
    yield from table(("", "stdio", "HTTP, 64 connections"), mcp.growth(part.rounds, part.known))


SERVER_PLOTS = [  # file, title, subtitle, measurement
    ("http", "Calls a second over HTTP, 64 connections", "server and load on one core, by the clock on the wall; logarithmic", "http/%s/64/rate"),
    ("stdio", "Calls a second over standard streams, one in flight", "server and load on one core, by the clock on the wall; logarithmic", "stdio/%s/1/rate"),
    ("cpu", "CPU of a call over HTTP, 64 connections, µs", "of the server alone; logarithmic; less is better", "http/%s/64/cpu"),
    ("latency", "Time to an answer over HTTP, one connection: 99th percentile, µs", "logarithmic; less is better", "http/%s/1/p99"),
    ("memory", "Resident memory after the first answer, MB", "logarithmic; less is better", "idle/%s"),
    ("start", "From the start to the first answer, ms", "median of several starts; logarithmic; less is better", "start/%s/median"),
]


def server_sections(part):
    yield from ("## MCP servers", "")
    if not part:
        yield "Not measured: `scripts/bench mcp` was not run."
        return
    yield "The same tool of six parameters, the same call, the same checks; more in [results-mcp.md](results-mcp.md), and how each peer is set"
    yield "up in [peers](peers/README.md). A figure is the median of all rounds, with the lowest and the highest beside it."
    yield from server_tables(part)
    for name, title, subtitle, measurement in SERVER_PLOTS:
        yield from ("", draw(name, svg.bars(title, subtitle, server_bars(part, measurement))))
    series = [(name, text.strip("*"), [(count, part.rounds.values(f"http/{name}/{count}/rate")) for count in mcp.CONNECTIONS
                                       if part.rounds.has(f"http/{name}/{count}/rate")]) for name, text in servers(part.known).items()]
    if any(one[2] for one in series):
        yield from ("", draw("connections", svg.lines("Calls a second over HTTP by the number of connections", "both axes logarithmic", "connections",
                                                      [one for one in series if one[2]])))


def bad_call(part):
    yield from ("## The same bad call to everyone", "")
    if not part.faults:
        yield "Not measured: `scripts/bench mcp` was not run."
        return
    yield "One call with six faults. A naive client mends what the answer names, and calls again."
    yield "What each of them says is in [results-mcp.md](results-mcp.md#the-same-bad-call-to-everyone)."
    yield ""
    yield from table(("", "faults that the first answer names", "calls until it is served", "bytes of the first answer"), mcp.faults(part.faults, part.known))


# ---- Validators -------------------------------------------------------------------------------------------------------


def validators(part):
    yield from ("## Validators", "")
    if not part:
        yield "Not measured: `scripts/bench schema` was not run."
        return
    yield "How many times as fast Tenon is, as a geometric mean over eight schemas with their documents; below 1 the other is faster."
    yield "More in [results-schema.md](results-schema.md)."
    yield ""
    rows, drawn = [], []
    for text, theirs, ours in schema.COLUMNS:
        cells = [part.rounds.shown_mean([kind], theirs, ours).replace("**", "") for kind in schema.KINDS]
        cells = ["" if (kind, theirs.partition("/")[0]) == ("many", "blaze") or (kind, theirs.partition("/")[2]) == ("valid", "words") else cell
                 for kind, cell in zip(schema.KINDS, cells)]
        rows.append((text, *cells))
        if not theirs.endswith("/words") and (values := part.rounds.means(["valid"], theirs, ours)):
            drawn.append((theirs.split("/")[0], text, values))
    rows.append(("pydantic, from the text (arguments of a tool only)",
                 *(part.rounds.shown(f"tool/{kind}/pydantic/whole", f"tool/{kind}/tenon/whole") for kind in schema.KINDS)))
    yield from table(("", *schema.KINDS.values()), rows)
    for name, state in part.known.items():
        if not state.startswith("measured"):
            yield from ("", f"Not measured: {schema.PEERS.get(name, name)}: {state}.")
    if drawn:
        yield ""
        yield draw("validators", svg.bars("Valid documents: how many times as fast Tenon is", "geometric mean; logarithmic; at 1 they are equal", drawn))


# ---- Curves and instructions ------------------------------------------------------------------------------------------


CURVES = [("params", "parameters", "Cost of a call by its parameters, ns"), ("items", "items of a list", "Cost of a call by the items of a list, ns"),
          ("bytes", "bytes of a text", "Cost of a call by its bytes, ns")]


def points_of(rounds, name, what):
    counts = sorted({int(key.split("/")[1]) for one in rounds.rounds for key in one if re.fullmatch(rf"{name}/\d+/{what}", key)})
    return [(count, rounds.values(f"{name}/{count}/{what}")) for count in counts]


SERVER_CURVES = [  # file, pattern, title
    ("servers-tools", "tools/%d/call", "CPU of a call by the tools of the server, µs"), ("servers-list", "tools/%d/list", "CPU of the whole list by the tools of the server, µs"),
    ("servers-params", "params/%d/call", "CPU of a call by its parameters, µs"), ("servers-items", "items/%d/call", "CPU of a call by the items of a list, µs"),
    ("servers-text", "text/%d/call", "CPU of a call by the bytes of a text, µs"),
]


def server_curves(part):
    yield from ("## How the cost grows: servers", "")
    if not curves_report.counts_of(part.rounds, "stdio/tools/%d/"):
        yield "Not measured: `scripts/bench curves` was not run."
        return
    yield "Over standard streams, one call in flight, all servers in turns at each size; all figures, and the times to an answer, are in"
    yield "[results-curves.md](results-curves.md#servers-how-the-cost-of-a-call-grows). Their CPU of a call as a multiple of Tenon's, at the"
    yield "largest sizes:"
    yield ""
    yield from largest(part)
    yield from ("", *curves_report.refusals(part.refused, part.known)) if part.refused else ()
    for file, pattern, title in SERVER_CURVES:
        counts = curves_report.counts_of(part.rounds, f"stdio/{pattern}/")
        series = [(name, text.strip("*"), [(count, values) for count in counts if (values := part.rounds.values(f"stdio/{pattern % count}/{name}/cpu"))])
                  for name, text in servers(part.known).items()]
        series = [one for one in series if one[2]]
        if series:
            yield from ("", draw(file, svg.lines(title, "of the server alone, over standard streams; both axes logarithmic", curves_report.SERVER_CURVES[pattern][0], series)))


def curves(part):
    yield from ("## How the cost grows: in memory", "")
    if not part:
        yield "Not measured: `scripts/bench curves` was not run."
        return
    yield "Of a valid call. The figures are in [results-curves.md](results-curves.md)."
    for name, across, title in CURVES:
        series = [("tenon", "Tenon, whole call", points_of(part.rounds, name, "call")), ("floor", "Tenon, bound", points_of(part.rounds, name, "bind")),
                  ("ajv", "ajv, validated", points_of(part.rounds, name, "ajv"))]
        series = [one for one in series if one[2]]
        if series:
            yield from ("", draw(name, svg.lines(title, "both axes logarithmic; ajv: JSON.parse and validate", across, series)))
    series = [("tenon", "tools/call", points_of(part.rounds, "tools", "call")), ("rest", "tools/list", points_of(part.rounds, "tools", "list"))]
    series = [one for one in series if one[2]]
    if series:
        yield from ("", draw("tools", svg.lines("Cost of a message by the tools of the server, ns", "both axes logarithmic; a list has pages, so that its cost stops growing",
                                                "tools", series)))


def budget():
    yield from ("## Instructions of a call", "")
    yield "Counted by callgrind, by layer; `scripts/test` fails when one grows by more than 5 %."
    yield ""
    rows = [line.split(None, 2) for line in (BENCH / "budget.txt").read_text().splitlines() if line and not line.startswith("#")]
    yield from table(("", "instructions"), [(f"{name}: {what}", f"{int(count):,}") for name, count, what in rows])


# ---- Where Tenon loses ------------------------------------------------------------------------------------------------


def connections(count):
    return f"{count} connection{'s' * (count > 1)}"


def behind_floors(part):
    for way, text in [(f"http/%s/{count}", f"HTTP, {connections(count)}") for count in mcp.CONNECTIONS] + [
            ("http2/%s/64", "HTTP, 64 connections, the load on another core"), ("stdio/%s/1", "stdio, one call in flight"),
            ("stdio/%s/64", "stdio, 64 in flight")]:
        values = part.rounds.ratios(way % "tenon" + "/rate", way % "floor" + "/rate")
        if values and statistics.median(values) < 0.8:
            yield f"{text}: {spread(values)} of the floor's calls a second."


def comparisons():
    """What is compared with peers: the measurement, its words, and whether more is better."""
    yield from [("stdio/%s/1/rate", "calls a second over stdio", True), ("stdio/%s/64/rate", "calls a second over stdio, 64 in flight", True),
                ("stdio/%s/1/p50", "median over stdio", False), ("stdio/%s/1/p99", "99th percentile over stdio", False),
                ("stdio/%s/1/cpu", "CPU of a call over stdio", False), ("stdio/%s/64/cpu", "CPU of a call over stdio, 64 in flight", False),
                ("idle/%s", "memory", False), ("loaded/%s", "memory after the load", False), ("start/%s/median", "start", False),
                ("http2/%s/64/rate", "calls a second over HTTP, the load on another core", True)]
    for count in mcp.CONNECTIONS:
        yield f"http/%s/{count}/rate", f"calls a second over HTTP, {connections(count)}", True
        yield f"http/%s/{count}/p50", f"median over HTTP, {connections(count)}", False
        yield f"http/%s/{count}/p99", f"99th percentile over HTTP, {connections(count)}", False
        yield f"http/%s/{count}/cpu", f"CPU of a call over HTTP, {connections(count)}", False


def curve_comparisons(part):
    for pattern, (unit, _) in curves_report.SERVER_CURVES.items():
        for count in curves_report.counts_of(part.rounds, f"stdio/{pattern}/"):
            kind = "tools/list" if pattern.endswith("list") else "call"
            for figure, text in (("cpu", f"CPU of a {kind}"), ("p50", f"median of a {kind}"), *((("start", "start"), ("rss", "memory")) if pattern == "tools/%d/call" else ())):
                yield f"stdio/{pattern % count}/%s/{figure}", f"{text} over stdio, {unit}: {count:,}", False


def behind_peers(part, compared):
    """Where a peer has the better figure: more calls, less time, less memory."""
    for what, text, more in compared:
        for name in part.known:
            values = part.rounds.ratios(what % "tenon", what % name)
            if values and (statistics.median(values) < 1 if more else statistics.median(values) > 1):
                yield f"{mcp.PEERS.get(name, name)} is ahead: {text} (Tenon has {spread(values)} times its figure)."


def compared_count(part, compared):
    return sum(bool(part.rounds.ratios(what % "tenon", what % name)) for what, _, _ in compared for name in part.known)


def longer_answers(part):
    """A bad call's answer that says as much in fewer bytes."""
    asked = {one["name"]: one for one in part.faults}
    for name, one in asked.items():
        if name != "tenon" and "tenon" in asked and one["named"][0] >= asked["tenon"]["named"][0] and one["bytes"] < asked["tenon"]["bytes"]:
            yield (f"{mcp.PEERS.get(name, name)} names {one['named'][0]} of 6 faults in {one['bytes']:,} bytes of text; Tenon takes "
                   f"{asked['tenon']['bytes']:,}.")


def slower_documents(part):
    for text, theirs, ours in schema.COLUMNS:
        for kind, words in schema.KINDS.items():
            slow = [schema.NAMES[name] for name in schema.NAMES
                    if (values := part.rounds.ratios(f"{name}/{kind}/{theirs}", f"{name}/{kind}/{ours}")) and statistics.median(values) < 1]
            if slow:
                yield f"{text}: faster than Tenon on documents with {words if kind != 'valid' else 'no fault'}: {'; '.join(slow)}."


def losses(parts):
    yield from ("## Where Tenon is not first, or not within 20 % of its floor", "")
    found = []
    if parts["mcp"]:
        found += [*behind_floors(parts["mcp"]), *behind_peers(parts["mcp"], comparisons()), *longer_answers(parts["mcp"])]
    if parts["curves"]:
        found += behind_peers(parts["curves"], curve_comparisons(parts["curves"]))
    if parts["schema"]:
        found += slower_documents(parts["schema"])
    if not found:
        yield "Nowhere in what was measured."
    for one in found:
        yield f"- {one}"


def summary(parts):
    """What the first screen says beside its table."""
    mcp_part, curves_part, schema_part = parts["mcp"], parts["curves"], parts["schema"]
    yield ""
    yield from not_measured(mcp_part.known, mcp.PEERS)
    yield from not_measured(schema_part.known, schema.PEERS)
    if mcp_part and not mcp_part.rounds.has("http/tenon/64/rate"):
        yield "- Not measured: everything over HTTP; there was no wrk to make the load."
    behind, all_of = [], 0
    for part, compared in ((mcp_part, list(comparisons())), (curves_part, list(curve_comparisons(curves_part)))):
        behind += behind_peers(part, compared)
        all_of += compared_count(part, compared)
    if all_of:
        yield (f"- Of {all_of} comparisons with other SDKs, Tenon is behind in {len(behind)}. "
               "[Each of them, and everything else in which Tenon loses](#where-tenon-is-not-first-or-not-within-20--of-its-floor).")
    values = {text: schema_part.rounds.means(["valid"], theirs, ours) for text, theirs, ours in schema.COLUMNS if theirs.endswith("/whole")}
    values = {text: spread(some) for text, some in values.items() if some}
    if values:
        yield "- Valid documents, times as fast as others: " + "; ".join(f"{text}: {some}" for text, some in values.items()) + ". [Validators](#validators)."
    if mcp_part.rounds.has("growth/stdio/tenon"):
        ways = [f"{mcp_part.rounds.median(f'growth/{way}/tenon'):+,.0f} KiB in {mcp_part.rounds.median(f'growth/{way}/tenon/calls'):,.0f} calls over {text}"
                for way, text in (("stdio", "stdio"), ("http", "HTTP")) if mcp_part.rounds.has(f"growth/{way}/tenon")]
        yield f"- Tenon's memory grows by {' and '.join(ways)}. [Everyone's growth](#growth-over-a-million-calls)."


def page_of(name):
    path = BENCH / f"results-{name}.md"
    return path.read_text() if path.exists() else ""


def beside():
    """A line of each page whose figures are not of these rounds: the guard, search, replicas, many clients."""
    proxies = re.findall(r"^\| ([^|]+?) \| ([\d,.]+) \(.*\) \|$", page_of("guard").partition("## Other proxies")[2], re.M)
    if proxies:
        yield ("- The guard, HTTP to a command: times as much CPU of a call as its own: " + ", ".join(f"{name}: {times}" for name, times in proxies)
               + ". [The guard](results-guard.md).")
    searches = re.findall(r"^\| (\w+) \(.*nDCG@10.*\n.*\n\| Tenon[^|]*\| ([\d.]+) .*\n\| SQLite[^|]*\| ([\d.]+) ", page_of("docs"), re.M)
    if searches:
        yield ("- The documentation server's search, nDCG@10 beside SQLite's bm25(): " +
               ", ".join(f"{name} {own} ({other})" for name, own, other in searches) + ". [Search](results-docs.md).")
    if found := re.search(r"At more replicas than one a call costs (at most \d+%) more", page_of("replicas")):
        yield f"- On one database, a call of several replicas costs {found[1]} more than a single one's. [Replicas](results-replicas.md)."
    ratios = dict(re.findall(r"^\| (\**\w+\**) \|(?:[^|]*\|){2} ([\d.]+)", page_of("many").partition("## Two loops")[2].partition("\n## ")[0], re.M))
    if len(ratios) == 2:
        yield (f"- Two loops make {ratios['**Tenon**']} times the calls of one, the floor's {ratios['floor']} times; the load shares the cores. "
               "[Many clients](results-many.md).")


def wanted():
    yield from ("## What was wanted", "")
    for name, what in PAGES.items():
        path = BENCH / f"results-{name}.md"
        if not path.exists():
            yield f"- [{name}]: {what}: not measured."
            continue
        lines = re.findall(r"^- (PASS|FAIL|----): (.*)$", path.read_text(), re.M)
        passed, failed = sum(state == "PASS" for state, _ in lines), [text for state, text in lines if state == "FAIL"]
        missing = [text for state, text in lines if state == "----"]
        if not lines:
            yield f"- [{what}](results-{name}.md): measured; nothing was promised."
            continue
        yield f"- [{what}](results-{name}.md): {passed} of {len(lines)} targets are met" + (f", {len(missing)} were not measured." if missing else ".")
        yield from (f"  - FAIL: {text}" for text in failed)
        yield from (f"  - not measured: {text}" for text in missing)


def report(kept):
    parts = {name: Part(kept, name, schema.Rounds if name == "schema" else Rounds) for name in ("mcp", "schema", "curves")}
    rounds = {name: len(part.rounds.rounds) for name, part in parts.items()}
    yield from ("# Side by side", "")
    yield "Written by `scripts/bench all`, in one session on one machine. [docs/performance.md](../docs/performance.md) explains what is"
    yield "measured, how to repeat it, and where Tenon loses. Everyone takes turns, and a figure is the median of all rounds: "
    yield f"{rounds['mcp']} of the servers, {rounds['curves']} of the curves, {rounds['schema']} of the validators."
    yield ""
    yield from headline(parts["mcp"])
    yield from summary(parts)
    yield from beside()
    yield ""
    yield from machine()
    for section in (bad_call(parts["mcp"]), losses(parts), server_sections(parts["mcp"]), validators(parts["schema"]), server_curves(parts["curves"]),
                    curves(parts["curves"]), budget(), wanted()):
        yield ""
        yield from section


def front_page(part, text):
    """README with the rows of its table as they are now; of a server that was not measured whole, as it was."""
    asked = {one["name"]: one for one in part.faults}
    for name, shown in servers(part.known).items():
        one, rate, memory = asked.get(name), part.rounds.median(f"http/{name}/64/rate"), part.rounds.median(f"idle/{name}")
        if one and one["calls"][0] and rate and memory:
            row = f"| {shown} | {mcp.between(one['named'])} of 6 | {mcp.between(one['calls'])} | {figure(rate)} | {figure(memory)} MB |"
            text = re.sub(rf"^\| {re.escape(shown)} \| \d.*$", row, text, flags=re.M)
    return text


def main():
    kept = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bench")
    text = "\n".join(report(kept)) + "\n"
    (BENCH / "results.md").write_text(text)
    front = ROOT / "README.md"
    front.write_text(front_page(Part(kept, "mcp"), front.read_text()))
    print(f"bench/results.md: {len(text.splitlines())} lines, and {len(list(HERE.glob('*.svg')))} plots in bench/plots")


if __name__ == "__main__":
    main()
