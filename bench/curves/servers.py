#!/usr/bin/env python3
"""How the cost of a call grows, server by server: one round over standard streams, one call in flight, all servers in turns
at each size.

    servers.py PROGRAMS PEERS REFUSED    lines of a name and a number on standard output

PROGRAMS is the directory of the programs of bench/mcp, PEERS a file with the name and the command of each peer. Every server
takes its shape from BENCH_SHAPE: "tools 100" is a hundred copies of the search, "params 20", "items 1000" and "text 10000"
one tool of that size. A server that does not serve a size gets a line in REFUSED, with what it said. Names are paths:
"stdio/params/20/call/go/cpu", microseconds of the server's CPU, ".../p50" to the answer, ".../start" milliseconds to the
first one, ".../rss" megabytes after it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MCP = pathlib.Path(__file__).resolve().parent.parent / "mcp"
CALL = json.loads((MCP / "call.json").read_text())
OPENING = MCP / "opening.jsonl"
LEGACY = ("typescript-v1",)  # knows no revision without sessions
SECONDS = float(os.environ.get("TENON_BENCH_CURVE_SECONDS", 0.5))  # of each
WARM_S, WARM_LONG_S = SECONDS / 2, SECONDS * 4  # before; the second for those that compile while they run
COMPILING = ("typescript-v2", "typescript-v1")
PATIENCE_S = 120
CALLS_MAX = 1000000
CORE = "0"

SHAPES = [("tools", (1, 10, 100, 1000)), ("params", (1, 6, 20, 50)), ("items", (1, 100, 1000, 10000)), ("text", (100, 10000, 300000))]


def call_of(what, count):
    """The tool's name, the arguments, and what the answer has to hold."""
    if what == "tools":
        return f"search_{count // 2}", CALL["params"]["arguments"], "20 results at high, 2 tags."
    if what == "params":
        values = {f"P{number}": number * 7 % 1001 for number in range(count)}
        return "grown", values, f"sum {sum(values.values())}."
    if what == "items":
        return "grown", {"items": [f"item-{number}" for number in range(count)]}, f"{count} items."
    return "grown", {"text": ("a word " * (count // 7 + 1))[:count]}, f"{count} bytes."


def requests(what, count):
    """What is measured at a size: its name, the message, and what the answer has to hold."""
    name, arguments, expected = call_of(what, count)
    meta = {"_meta": CALL["params"]["_meta"]}
    yield "call", {**CALL, "params": {"name": name, "arguments": arguments, **meta}}, expected
    if what == "tools":
        yield "list", {"jsonrpc": "2.0", "id": CALL["id"], "method": "tools/list", "params": meta}, '"search_0"'


def text_of(message, legacy):
    if legacy:
        message = {**message, "params": {key: value for key, value in message["params"].items() if key != "_meta"}}
    return json.dumps(message, separators=(",", ":")) + "\n"


def answer_len(command, shape, message):
    out = subprocess.run(command, input=text_of(message, False), stdout=subprocess.PIPE, text=True, env={**os.environ, "BENCH_SHAPE": shape}, timeout=PATIENCE_S)
    return len(out.stdout.strip().encode())


def drive(programs, name, command, shape, message, expected):
    legacy = name in LEGACY
    options = ["--seconds", str(SECONDS), "--warm", str(WARM_LONG_S if name in COMPILING else WARM_S)]
    options += ["--opening", OPENING] if legacy else []
    options += ["--any"] if name == "floor" else ["--expect", expected]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(text_of(message, legacy))
        file.flush()
        done = subprocess.run([programs / "drive", file.name, str(CALLS_MAX), "1", CORE, CORE, *options, "--", *command],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "BENCH_SHAPE": shape}, timeout=PATIENCE_S)
    if done.returncode:
        raise RuntimeError(" ".join(done.stderr.split()) or "no answer")
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def measure(programs, servers, what, count, refused):
    shape = f"{what} {count}"
    for kind, message, expected in requests(what, count):
        floor = [programs / "floor_echo", str(answer_len([programs / "server"], shape, message))]
        for name, command in [*servers, ("floor", floor)]:
            if (name, kind) == ("floor", "list"):
                continue  # in pages for some
            try:
                got = drive(programs, name, command, shape, message, expected)
            except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
                refused.write(f"{what}/{count}/{kind}/{name} {error}\n")
                continue
            at = f"stdio/{what}/{count}/{kind}/{name}"
            for figure, value in (("cpu", got["cpu_ns"] / 1e3), ("p50", got["p50_ns"] / 1e3), ("start", got["start_ns"] / 1e6), ("rss", got["rss_idle"] / 1024)):
                print(f"{at}/{figure} {value:.4f}", flush=True)


def main():
    programs, peers, refused = map(pathlib.Path, sys.argv[1:])
    servers = [("tenon", [programs / "server"])] + [(line.split()[0], line.split()[1:]) for line in peers.read_text().splitlines()]
    with refused.open("a") as file:
        for what, counts in SHAPES:
            for count in counts:
                print(f"\r\033[K{os.environ.get('BENCH_ROUND', '')}servers, {what}: {count:,}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
                measure(programs, servers, what, count, file)


if __name__ == "__main__":
    main()
