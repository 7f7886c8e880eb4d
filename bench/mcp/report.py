#!/usr/bin/env python3
"""The rounds of bench/mcp/run as tables: the median of all rounds, with the lowest and the highest beside it.

    report.py DIRECTORY    what bench/mcp/run kept: rounds/*, a line for each measurement with its name and a number; known,
                           a line for each peer with its name, and "measured" and its version or why it was not; and
                           faults.json, what the servers answered to the bad call"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tables import NOT, OURS, PEERS, Rounds, by_server, known_of, read, servers, spread, table, versions

CONNECTIONS = (1, 16, 64, 256)
FLAT_KIB = 128
MILLION = 1000000


def floors(rounds):
    def row(text, way, ours="tenon"):
        return (text, *(rounds.shown_ratio(f"{way % ours}/{what}", f"{way % 'floor'}/{what}") for what in ("rate", "rate_cpu", "cpu")))
    for count in CONNECTIONS:
        yield row(f"HTTP, {count} connection{'s' * (count > 1)}", f"http/%s/{count}")
    yield row("HTTP, 64 connections, in a session before 2026-07-28", "http/%s/64", "tenon-session")
    yield row("HTTP, 64 connections, the load on another core", "http2/%s/64")
    yield row("stdio, one call in flight", "stdio/%s/1")


def ratios(rounds, known):
    ways = ("stdio/%s/1", "stdio/%s/64", "http/%s/64")
    for name, state in known.items():
        yield (PEERS.get(name, name),
               *(rounds.shown_ratio(way % "tenon" + "/rate", way % name + "/rate") for way in ways),
               *(rounds.shown_ratio(way % name + "/cpu", way % "tenon" + "/cpu") for way in ways))


GROWTH_TEXT = (
    "Resident memory after a million calls, or, of slower peers, after as many as the time for them holds, less that after the warm-up. A",
    "heap that is collected grows to its working size first: in few calls that is no leak.")


def growth(rounds, known):
    def cell(way, name):
        if not rounds.has(f"growth/{way}/{name}"):
            return NOT
        return f"{rounds.median(f'growth/{way}/{name}'):+,.0f} KiB in {rounds.median(f'growth/{way}/{name}/calls'):,.0f} calls"
    for name, text in servers(known).items():
        if name != "floor":
            yield text, cell("stdio", name), cell("http", name)


def judged(text, *values, met, shown):
    """A target: whether it is met (None: not measured), and its text with the figures."""
    if None in values:
        return None, f"{text} ({NOT})"
    return met(*values), f"{text} ({shown.format(*values)})"


def floor_targets(rounds):
    """Calls by the clock on the wall are what is wanted; those by CPU time stand beside them."""
    for way, text, least in (("http/%s/64", "HTTP at 64 connections: at least 80 % of the requests of a bare server", 0.8),
                             ("stdio/%s/1", "stdio, one call in flight: at least 70 % of an echo", 0.7)):
        values = [rounds.ratio(f"{way % 'tenon'}/{what}", f"{way % 'floor'}/{what}") for what in ("rate", "rate_cpu")]
        yield judged(text, *values, met=lambda value, _: value >= least, shown="{:.0%} by the clock, {:.0%} by CPU time")
    yield judged("stdio, pipelined: at most 1.5 times the CPU time of a call in memory", rounds.ratio("stdio/tenon/64/cpu", "memory/cpu"),
                 met=lambda value: value <= 1.5, shown="{:.2f}")


def peer_targets(rounds, known):
    for name, text, most in (("typescript-v2", "at least 8 times the calls a second of the TypeScript SDK v2", None),
                             ("rust", "at most half the CPU time of a call of the Rust SDK", 0.5),
                             ("go", "at most half the CPU time of a call of the Go SDK", 0.5)):
        for way, words in (("stdio/%s/1", "stdio, one in flight"), ("stdio/%s/64", "stdio, pipelined"), ("http/%s/64", "HTTP, 64 connections")):
            def ratio(what):
                return rounds.ratio(f"{way % 'tenon'}/{what}", f"{way % name}/{what}")
            if most:
                yield judged(f"{words}: {text}", ratio("cpu"), met=lambda value: value <= most, shown="{:.3f}")
            else:
                yield judged(f"{words}: {text}", ratio("rate"), ratio("rate_cpu"), met=lambda value, _: value >= 8,
                             shown="{:.1f} by the clock, {:.1f} by CPU time")


def own_targets(rounds):
    yield judged("from the start to the first answer: under 5 ms", rounds.median("start/tenon/median"), min(rounds.values("start/tenon/best"), default=None),
                 met=lambda value, _: value < 5, shown="median {:.2f} ms, best {:.2f} ms")
    for name, text, most in (("idle/tenon", "resident memory, idle on stdio", 6), ("idle-http/tenon", "resident memory, idle on HTTP", 6),
                             ("held/tenon", "resident memory with 1,000 idle connections", 20)):
        yield judged(f"{text}: under {most} MB", rounds.median(name), met=lambda value: value < most, shown="{:.1f}")
    for way, text in (("stdio", "a million calls over stdio"), ("http", "a million calls over HTTP")):
        name = f"growth/{way}/tenon"
        yield judged(f"{text}: memory is flat", rounds.median(name), rounds.median(name + "/calls"),
                     met=lambda value, calls: value <= FLAT_KIB if calls >= MILLION else None, shown="{:+.0f} KiB in {:,.0f} calls")
    yield judged("4,000 more sessions when it remembers all it ever does: memory is flat", rounds.median("growth/sessions"),
                 met=lambda value: value <= FLAT_KIB, shown="{:+.0f} KiB")


def targets(rounds, known):
    """Whether it is met (None: not measured), and what was wanted."""
    yield from floor_targets(rounds)
    yield from peer_targets(rounds, known)
    yield from own_targets(rounds)


def between(pair):
    return f"{pair[0]}" if pair[0] == pair[1] else f"{pair[0]} to {pair[1]}"


def faults(answers, known):
    asked = {one["name"]: one for one in answers}
    for name, text in {"tenon": OURS["tenon"], **{name: PEERS.get(name, name) for name in known}}.items():
        one = asked.get(name)
        if not one:
            yield text, NOT, NOT, NOT
            continue
        calls = between(one["calls"]) if one["calls"][0] else "is never served"
        yield text, f"{between(one['named'])} of 6", calls, f"{one['bytes']:,}"


def fault_answers(answers):
    for one in answers:
        yield f"<details><summary>{OURS.get(one['name'], PEERS.get(one['name'], one['name'])).strip('*')}</summary>"
        yield ""
        yield "```text"
        yield one["first"].replace("```", "'''")
        yield "```"
        yield ""
        yield "</details>"
        yield ""


def introduction(rounds, known):
    size = int(rounds.median("answer/bytes") or 0)
    yield "# What a call costs over MCP"
    yield ""
    yield "Written by `scripts/bench mcp`. Everyone serves the tool of `bench/mcp/search.h`: six parameters, checked, with the same"
    yield f"call. The median of {len(rounds.rounds)} round{'s' * (len(rounds.rounds) > 1)} in turns, with the lowest and the highest beside it; [docs/performance.md](../docs/performance.md)"
    yield "explains what is measured, and how to repeat it."
    yield ""
    yield "- **Calls a second** are by the clock on the wall, as a client sees them, unless it says *by CPU time*: those are calls by"
    yield "  the second of CPU time of the server and the load together, what the rate is on a core that nobody else uses."
    yield "- Server and load share one core, so that a ping-pong does not measure how long another core takes to wake up. Where the"
    yield "  load has another core, it is said. **CPU of a call** is the server's alone."
    yield f"- The floors answer with {size} bytes, as Tenon does, and do nothing else: `floor_http.c` on libuv and llhttp without any"
    yield "  limit, `floor_echo.c` on libuv."
    yield "- The peers are in `bench/peers`, written as their documentation does it, in release builds, over HTTP without sessions"
    yield "  and with JSON answers. Their answer is the tool's line of text alone; Tenon's has its envelope, as text and structured."
    yield from versions(known, PEERS)


SECTIONS = [  # title, explanation, head, names of measurements
    ("Calls a second over HTTP", "By the number of connections, each with one call in flight.",
     [f"{count}" for count in CONNECTIONS] + ["64, the load on another core"],
     [f"http/%s/{count}/rate" for count in CONNECTIONS] + ["http2/%s/64/rate"]),
    ("Calls a second over HTTP, by CPU time", "", [f"{count}" for count in CONNECTIONS], [f"http/%s/{count}/rate_cpu" for count in CONNECTIONS]),
    ("Time to an answer over HTTP, µs", "The median and the 99th percentile, by the number of connections.",
     [f"{count}: {what}" for count in [*CONNECTIONS, "64, the load on another core"] for what in ("median", "99 %")],
     [f"{way}/{what}" for way in [f"http/%s/{count}" for count in CONNECTIONS] + ["http2/%s/64"] for what in ("p50", "p99")]),
    ("Standard streams", "One call in flight (1), and up to 64.",
     ["calls a second: 1", "64", "by CPU time: 1", "64", "µs to an answer: median", "99 %"],
     ["stdio/%s/1/rate", "stdio/%s/64/rate", "stdio/%s/1/rate_cpu", "stdio/%s/64/rate_cpu", "stdio/%s/1/p50", "stdio/%s/1/p99"]),
    ("CPU of a call, µs", "Of the server alone.", ["stdio: 1 in flight", "64"] + [f"HTTP: {count}" for count in CONNECTIONS],
     ["stdio/%s/1/cpu", "stdio/%s/64/cpu"] + [f"http/%s/{count}/cpu" for count in CONNECTIONS]),
    ("Start and memory", "From the start of the process to its first answer over standard streams, of several starts in each round; "
     "resident memory after that answer, and after the load of 256 connections.",
     ["start: median, ms", "start: best, ms", "memory: first answer, MB", "256 connections, MB"],
     ["start/%s/median", "start/%s/best", "idle/%s", "loaded/%s"]),
]


def report(rounds, known, answers):
    yield from introduction(rounds, known)
    for title, text, head, names in SECTIONS:
        yield from ("", f"## {title}", "")
        if text:
            yield from (text, "")
        yield from table(("", *head), by_server(rounds, known, names))
    yield from ("", "## Growth", "", *GROWTH_TEXT, "")
    yield from table(("", "stdio", "HTTP, 64 connections"), growth(rounds, known))
    yield from ("", "## Beside the floors", "", "Tenon's calls a second as a part of the floor's, and the CPU of its call as a multiple.", "")
    yield from table(("", "calls a second", "by CPU time", "CPU of a call"), floors(rounds))
    yield ""
    yield (f"In memory (`tenon_link`) a call takes {rounds.shown('memory/cpu')} µs of CPU; pipelined over stdio, 64 in flight, "
           f"{rounds.shown_ratio('stdio/tenon/64/cpu', 'memory/cpu')} times that of the server's.")
    yield from ("", "## Beside other SDKs", "", "How many times as many calls a second Tenon answers, and how many times Tenon's CPU time theirs is.", "")
    yield from table(("", "calls: stdio", "stdio, 64 in flight", "HTTP, 64 connections", "CPU: stdio", "stdio, 64 in flight",
                      "HTTP, 64 connections"), ratios(rounds, known))
    yield from ("", "## The same bad call to everyone", "")
    yield "Six parameters, each with a fault: `bench/mcp/faults.py`. A naive client mends what the answer names, and calls again."
    yield "The limits of the Rust peer are checked by hand, all in one go, as the SDK does not check them; its types are checked before, one by one."
    yield "Bytes are those of the text; Tenon sends the same once more as structured content."
    yield ""
    yield from table(("", "faults that the first answer names", "calls until it is served", "bytes of the first answer"), faults(answers, known))
    yield ""
    yield from fault_answers(answers)
    yield from ("## What was wanted", "")
    for met, text in targets(rounds, known):
        yield f"- {'----' if met is None else 'PASS' if met else 'FAIL'}: {text}"


def main():
    kept = pathlib.Path(sys.argv[1])
    rounds = [read(path) for path in sorted((kept / "rounds").iterdir())]
    faults_path = kept / "faults.json"
    answers = json.loads(faults_path.read_text()) if faults_path.exists() else []
    print("\n".join(report(Rounds(rounds), known_of(kept / "known"), answers)))


if __name__ == "__main__":
    main()
