#!/usr/bin/env python3
"""The page of everything: bench/results.md and the plots beside this file, from what the runs of bench/*/run kept.

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
ROOT = BENCH.parent
PAGES = {"core": "a call in memory, beside yyjson and ajv", "schema": "judging by JSON Schema, beside other validators",
         "mcp": "whole servers, beside the floors and other SDKs", "curves": "how the cost grows",
         "docs": "the documentation server's search"}


def module_of(name):
    spec = importlib.util.spec_from_file_location(f"{name}_report", BENCH / name / "report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mcp, schema = module_of("mcp"), module_of("schema")


class Part:
    """The rounds that one run kept, and its peers."""

    def __init__(self, kept, name, rounds_type=mcp.Rounds):
        where = kept / name
        paths = sorted((where / "rounds").iterdir()) if (where / "rounds").is_dir() else []
        self.rounds = rounds_type([mcp.read(path) for path in paths])
        self.known = dict(line.split(" ", 1) for line in (where / "known").read_text().splitlines()) if (where / "known").exists() else {}
        self.faults = json.loads((where / "faults.json").read_text()) if (where / "faults.json").exists() else []

    def __bool__(self):
        return bool(self.rounds.rounds)


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
    yield f"- Compiler: {first_line('cc', '--version')}; {' '.join(platform.libc_ver())}; node {first_line('node', '--version')}."
    load = BENCH.parent / "build/bench/load"
    if load.exists():
        yield (f"- Load of the machine when the run began: {load.read_text().split()[0]} (of {os.cpu_count()}). Above 0.5 others were at work: "
               "the noise beside each figure says how much it mattered.")
    yield f"- Source: {first_line('git', 'rev-parse', '--short', 'HEAD')}."


# ---- Servers ----------------------------------------------------------------------------------------------------------


def server_bars(part, measurement):
    return [(name, text.strip("*"), part.rounds.values(measurement % name)) for name, text in mcp.servers(part.known).items()]


def servers(part):
    yield from ("## MCP servers", "")
    if not part:
        yield "Not measured: `scripts/bench mcp` was not run."
        return
    yield "The same tool of six parameters, the same call, the same checks. More in [results-mcp.md](results-mcp.md)."
    yield ""
    names = ["http/%s/64/rate", "http/%s/64/p50", "http/%s/64/p99", "http/%s/64/cpu", "stdio/%s/1/rate", "stdio/%s/1/p50", "idle/%s", "start/%s/median"]
    yield from mcp.table(("", "HTTP, 64 connections: calls a second", "median, µs", "99 %, µs", "CPU of a call, µs", "stdio: calls a second",
                          "median, µs", "memory, MB", "start, ms"), mcp.by_server(part.rounds, part.known, names))
    for name, state in part.known.items():
        if not state.startswith("measured"):
            yield from ("", f"Not measured: {mcp.PEERS.get(name, name)}: {state}.")
    yield ""
    yield draw("http", svg.bars("Calls a second over HTTP, 64 connections", "server and load on one core, by the clock on the wall; logarithmic",
                                server_bars(part, "http/%s/64/rate")))
    yield ""
    yield draw("stdio", svg.bars("Calls a second over standard streams, one in flight", "server and load on one core, by the clock on the wall; logarithmic",
                                 server_bars(part, "stdio/%s/1/rate")))
    yield ""
    yield draw("cpu", svg.bars("CPU of a call over HTTP, 64 connections, µs", "of the server alone; logarithmic; less is better", server_bars(part, "http/%s/64/cpu")))
    yield ""
    yield draw("latency", svg.bars("Time to an answer over HTTP, one connection: 99th percentile, µs", "logarithmic; less is better", server_bars(part, "http/%s/1/p99")))
    yield ""
    series = [(name, text.strip("*"), [(count, part.rounds.values(f"http/{name}/{count}/rate")) for count in mcp.CONNECTIONS
                                       if part.rounds.has(f"http/{name}/{count}/rate")]) for name, text in mcp.servers(part.known).items()]
    yield draw("connections", svg.lines("Calls a second over HTTP by the number of connections", "both axes logarithmic", "connections",
                                        [one for one in series if one[2]]))
    yield ""
    yield draw("memory", svg.bars("Resident memory after the first answer, MB", "logarithmic; less is better", server_bars(part, "idle/%s")))
    yield ""
    yield draw("start", svg.bars("From the start to the first answer, ms", "median of several starts; logarithmic; less is better", server_bars(part, "start/%s/median")))


def bad_call(part):
    yield from ("## The same bad call to everyone", "")
    if not part.faults:
        yield "Not measured: `scripts/bench mcp` was not run."
        return
    yield "One call with six faults. A naive client mends what the answer names, and calls again."
    yield "What each of them says is in [results-mcp.md](results-mcp.md#the-same-bad-call-to-everyone)."
    yield ""
    yield from mcp.table(("", "faults that the first answer names", "calls until it is served", "bytes of the first answer"), mcp.faults(part.faults, part.known))


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
    yield from mcp.table(("", *schema.KINDS.values()), rows)
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


def curves(part):
    yield from ("## How the cost grows", "")
    if not part:
        yield "Not measured: `scripts/bench curves` was not run."
        return
    yield "In memory, of a valid call. The figures are in [results-curves.md](results-curves.md)."
    for name, across, title in CURVES:
        series = [("tenon", "Tenon, whole call", points_of(part.rounds, name, "call")), ("floor", "Tenon, bound", points_of(part.rounds, name, "bind")),
                  ("ajv", "ajv, validated", points_of(part.rounds, name, "ajv"))]
        yield from ("", draw(name, svg.lines(title, "both axes logarithmic; ajv: JSON.parse and validate", across, [one for one in series if one[2]])))
    series = [("tenon", "tools/call", points_of(part.rounds, "tools", "call")), ("rest", "tools/list", points_of(part.rounds, "tools", "list"))]
    yield from ("", draw("tools", svg.lines("Cost of a message by the tools of the server, ns", "both axes logarithmic; a list has pages, so that its cost stops growing",
                                            "tools", [one for one in series if one[2]])))


def budget():
    yield from ("## Instructions of a call", "")
    yield "Counted by callgrind, by layer; `scripts/test` fails when one grows by more than 5 %."
    yield ""
    rows = [line.split(None, 2) for line in (BENCH / "budget.txt").read_text().splitlines() if line and not line.startswith("#")]
    yield from mcp.table(("", "instructions"), [(f"{name}: {what}", f"{int(count):,}") for name, count, what in rows])


# ---- Where Tenon loses ------------------------------------------------------------------------------------------------


def connections(count):
    return f"{count} connection{'s' * (count > 1)}"


def behind_floors(part):
    for way, text in [(f"http/%s/{count}", f"HTTP, {connections(count)}") for count in mcp.CONNECTIONS] + [
            ("http2/%s/64", "HTTP, 64 connections, the load on another core"), ("stdio/%s/1", "stdio, one call in flight"),
            ("stdio/%s/64", "stdio, 64 in flight")]:
        values = part.rounds.ratios(way % "tenon" + "/rate", way % "floor" + "/rate")
        if values and statistics.median(values) < 0.8:
            yield f"{text}: {mcp.spread(values)} of the floor's calls a second."


def behind_peers(part):
    """Where a peer has the better figure: more calls, less time, less memory."""
    whats = [("stdio/%s/1/rate", "calls a second over stdio", True), ("stdio/%s/64/rate", "calls a second over stdio, 64 in flight", True),
             ("idle/%s", "memory", False), ("loaded/%s", "memory after the load", False), ("start/%s/median", "start", False),
             ("stdio/%s/1/p99", "99th percentile over stdio", False), ("http2/%s/64/rate", "calls a second over HTTP, the load on another core", True)]
    for count in mcp.CONNECTIONS:
        whats += [(f"http/%s/{count}/rate", f"calls a second over HTTP, {connections(count)}", True),
                  (f"http/%s/{count}/p50", f"median over HTTP, {connections(count)}", False), (f"http/%s/{count}/p99", f"99th percentile over HTTP, {connections(count)}", False)]
    for what, text, more in whats:
        for name in part.known:
            values = part.rounds.ratios(what % "tenon", what % name)
            if values and (statistics.median(values) < 1 if more else statistics.median(values) > 1):
                yield f"{mcp.PEERS.get(name, name)} is ahead: {text} (Tenon has {mcp.spread(values)} times its figure)."


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


def losses(servers_part, schema_part):
    yield from ("## Where Tenon is not first, or not within 20 % of its floor", "")
    found = []
    if servers_part:
        found += [*behind_floors(servers_part), *behind_peers(servers_part), *longer_answers(servers_part)]
    if schema_part:
        found += slower_documents(schema_part)
    if not found:
        yield "Nowhere in what was measured."
    for one in found:
        yield f"- {one}"


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
        yield f"- [{what}](results-{name}.md): {passed} of {len(lines)} targets are met" + (f", {len(missing)} were not measured." if missing else ".")
        yield from (f"  - FAIL: {text}" for text in failed)
        yield from (f"  - not measured: {text}" for text in missing)


def report(kept):
    parts = {name: Part(kept, name, schema.Rounds if name == "schema" else mcp.Rounds) for name in ("mcp", "schema", "curves")}
    rounds = max(len(part.rounds.rounds) for part in parts.values())
    yield from ("# Side by side", "")
    yield "Written by `scripts/bench all`, in one session on one machine. [docs/performance.md](../docs/performance.md) explains what is"
    yield "measured, how to repeat it, and where Tenon loses. A figure is the median of all rounds in turns; the lowest and the highest stand"
    yield f"beside it, and as a dark line in the plots ({rounds} rounds here at most)."
    yield ""
    yield from machine()
    for section in (servers(parts["mcp"]), bad_call(parts["mcp"]), validators(parts["schema"]), curves(parts["curves"]), budget(),
                    losses(parts["mcp"], parts["schema"]), wanted()):
        yield ""
        yield from section


def main():
    kept = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bench")
    text = "\n".join(report(kept)) + "\n"
    (BENCH / "results.md").write_text(text)
    print(f"bench/results.md: {len(text.splitlines())} lines, and {len(list(HERE.glob('*.svg')))} plots in bench/plots")


if __name__ == "__main__":
    main()
