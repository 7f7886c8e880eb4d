#!/usr/bin/env python3
"""The rounds of bench/mcp/run as tables of ratios: times of one machine say nothing on another.

    report.py DIRECTORY PEERS    a file for each round, a line for each measurement: its name and a number; PEERS has a
                                 line for each peer: its name, and "measured" or why it was not"""
import pathlib
import statistics
import sys

PEERS = {"typescript-v2": "TypeScript SDK v2", "typescript-v1": "TypeScript SDK v1", "rust": "Rust SDK (rmcp)",
         "go": "Go SDK", "python": "Python, FastMCP"}
CONNECTIONS = (1, 16, 64, 256)
FLAT_KIB = 128


def read(path):
    return {name: float(value) for name, value in (line.split() for line in path.read_text().splitlines())}


class Rounds:
    def __init__(self, rounds):
        self.rounds = rounds

    def has(self, name):
        return any(name in one for one in self.rounds)

    def ratios(self, above, below, scale=1.0):
        return [one[above] / one[below] * scale for one in self.rounds if above in one and below in one]

    def ratio(self, above, below, scale=1.0):
        return statistics.median(self.ratios(above, below, scale))

    def shown(self, above, below, scale=1.0):
        values = self.ratios(above, below, scale)
        if not values:
            return "not measured"
        digits = 0 if statistics.median(values) >= 100 else 1 if statistics.median(values) >= 10 else 2
        return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"

    def values(self, name):
        return [one[name] for one in self.rounds if name in one]

    def median(self, name):
        return statistics.median(self.values(name))


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def floors(rounds):
    for count in CONNECTIONS:
        yield (f"HTTP, {count} connection{'s' * (count > 1)}", rounds.shown(f"http/tenon/{count}/rate", f"http/floor/{count}/rate"),
               rounds.shown(f"http/tenon/{count}/cpu", f"http/floor/{count}/cpu"))
    yield ("HTTP, 64 connections, in a session before 2026-07-28",
           rounds.shown("http/tenon-session/64/rate", "http/floor/64/rate"),
           rounds.shown("http/tenon-session/64/cpu", "http/floor/64/cpu"))
    yield ("HTTP, 64 connections, the load on another core", rounds.shown("http2/tenon/64/rate", "http2/floor/64/rate"),
           rounds.shown("http2/tenon/64/cpu", "http2/floor/64/cpu"))
    yield ("stdio, one call in flight", rounds.shown("stdio/tenon/1/rate", "stdio/floor/1/rate"),
           rounds.shown("stdio/tenon/1/cpu", "stdio/floor/1/cpu"))


def peers(rounds, known):
    for name, state in known.items():
        if state != "measured":
            yield (PEERS.get(name, name), *["not measured"] * 6)
            continue
        ways = [f"stdio/%s/{window}" for window in (1, 64)] + ["http/%s/64"]
        yield (PEERS.get(name, name),
               *(rounds.shown(way % "tenon" + "/rate", way % name + "/rate") for way in ways),
               *(rounds.shown(way % name + "/cpu", way % "tenon" + "/cpu") for way in ways))


def targets(rounds, known):
    """Whether it is met (None: not measured), and what was wanted."""
    value = rounds.ratio("http/tenon/64/rate", "http/floor/64/rate")
    yield value >= 0.8, f"HTTP at 64 connections: at least 80 % of the requests of a bare server ({value:.0%})"
    value = rounds.ratio("stdio/tenon/1/rate", "stdio/floor/1/rate")
    yield value >= 0.7, f"stdio, one call in flight: at least 70 % of an echo ({value:.0%})"
    value = rounds.ratio("stdio/tenon/64/cpu", "memory/cpu")
    yield value <= 1.5, f"stdio, pipelined: at most 1.5 times the cost in memory ({value:.2f})"
    for name, text, most in (("typescript-v2", "at least 8 times the calls a second of the TypeScript SDK v2", None),
                             ("rust", "at most half the CPU time of a call of the Rust SDK", 0.5),
                             ("go", "at most half the CPU time of a call of the Go SDK", 0.5)):
        if known.get(name) != "measured":
            yield None, f"{text}: {known.get(name, 'not measured')}"
            continue
        for way, words in (("stdio/%s/1", "stdio, one in flight"), ("stdio/%s/64", "stdio, pipelined"), ("http/%s/64", "HTTP")):
            if not rounds.ratios(way % "tenon" + "/rate", way % name + "/rate"):
                yield None, f"{words}: {text}: not measured"
            elif most:
                value = rounds.ratio(way % "tenon" + "/cpu", way % name + "/cpu")
                yield value <= most, f"{words}: {text} ({value:.3f})"
            else:
                value = rounds.ratio(way % "tenon" + "/rate", way % name + "/rate")
                yield value >= 8, f"{words}: {text} ({value:.1f})"
    for name, text, most, unit in (("start/tenon", "from the start to the first answer", 5, "ms"),
                                   ("idle/tenon", "resident memory, idle on stdio", 6, "MB"),
                                   ("idle-http/tenon", "resident memory, idle on HTTP", 6, "MB"),
                                   ("held/tenon", "resident memory with 1,000 idle connections", 20, "MB")):
        value = rounds.median(name)
        yield value < most, f"{text}: under {most} {unit} ({value:.1f})"
    for name, text in (("growth/stdio", "a million calls over stdio"), ("growth/http", "a million calls over HTTP"),
                       ("growth/sessions", "4,000 more sessions when it remembers all it ever does")):
        value = rounds.median(name) if rounds.has(name) else None
        yield (None if value is None else value <= FLAT_KIB), (
            f"{text}: memory is flat ({'not measured' if value is None else f'{value:+.0f} KiB'})")


def report(rounds, known):
    size = int(rounds.median("answer/bytes"))
    yield "# What a call costs over MCP"
    yield ""
    yield "Written by `scripts/bench mcp`. Everyone serves the tool of `bench/mcp/search.h`: six parameters, checked, with the same"
    yield f"call. Ratios of {len(rounds.rounds)} rounds in turns, the median, with the lowest and the highest beside it. Server and load share"
    yield "one core, so that a ping-pong does not measure how long another core takes to wake up, and requests are counted by the"
    yield "second of CPU time of both, so that other work on the machine does not count. CPU is the server's alone."
    yield ""
    yield f"- The floors answer with {size} bytes, as Tenon does, and do nothing else: `floor_http.c` on libuv and llhttp without any"
    yield "  limit, `floor_echo.c` on libuv."
    yield "- The peers are in `bench/peers`, written as their documentation does it, in release builds, over HTTP without sessions"
    yield "  and with JSON answers. Their answer is the tool's line of text alone; Tenon's has its envelope, as text and structured."
    yield ""
    yield "## Beside the floors"
    yield ""
    yield from table(("", "requests a second, of the floor's", "CPU of a call, times the floor's"), floors(rounds))
    yield ""
    yield (f"In memory (`tenon_link`) a call takes 1; pipelined over stdio, 64 in flight, "
           f"{rounds.shown('stdio/tenon/64/cpu', 'memory/cpu')} of the server's CPU.")
    yield ""
    yield "## Beside other SDKs"
    yield ""
    yield "How many times as many calls a second Tenon answers, and how many times Tenon's CPU time theirs is."
    yield ""
    yield from table(("", "calls: stdio", "stdio, 64 in flight", "HTTP, 64 connections", "CPU: stdio", "stdio, 64 in flight",
                      "HTTP, 64 connections"), peers(rounds, known))
    for name, state in known.items():
        if state != "measured":
            yield ""
            yield f"Not measured: {PEERS.get(name, name)}: {state}."
    yield ""
    for met, text in targets(rounds, known):
        yield f"- {'----' if met is None else 'PASS' if met else 'FAIL'}: {text}"


def main():
    rounds = [read(path) for path in sorted(pathlib.Path(sys.argv[1]).iterdir())]
    known = dict(line.split(" ", 1) for line in pathlib.Path(sys.argv[2]).read_text().splitlines())
    print("\n".join(report(Rounds(rounds), known)))


if __name__ == "__main__":
    main()
