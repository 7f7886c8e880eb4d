#!/usr/bin/env python3
"""One round of measurements: every server in turns, on the same core as its load.

    measure.py [--long] PROGRAMS PEERS    lines of a name and a number on standard output, what it is at on standard error

PROGRAMS is the directory of the programs of bench/mcp, PEERS a file with a line for each peer: its name and command. On
one core a request costs what both sides do, which is the same for everyone; on two it mostly measures how long the other
core takes to wake up, so that this is measured separately ("http2"). Two rates are kept: "rate", requests by the seconds
of the clock on the wall, and "rate_cpu", requests by the seconds of CPU time of both sides, which is what the rate is on
a core that nobody else uses. --long adds a million calls; of those of a peer, as many as there are in LONG_S seconds.
Without wrk nothing is measured over HTTP. What fails is said, and the rest goes on."""
import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
CALL, LEGACY_CALL, OPENING, SCRIPT = (HERE / one for one in ("call.json", "call-legacy.json", "opening.jsonl", "call.lua"))
CORE, OTHER = 0, 1
CONNECTIONS = (1, 16, 64, 256)
SECONDS = int(os.environ.get("TENON_BENCH_SECONDS", 2))
STARTS = 9  # the median and the best of them are kept
PEER_STARTS = 5
MILLION = 1000000
LONG_S = int(os.environ.get("TENON_BENCH_LONG_SECONDS", 30))  # of a peer's million calls; Tenon makes all of them
OWN_LONG_S = 800  # nobody waits for longer
STDIO_CALLS, PEER_CALLS_S = 200000, "1.5"  # calls of Tenon and the floor; seconds of a peer's
WARM_S, WARM_HTTP_S = 0.3, 1  # of load before a peer's figures
WARM_LONG_S, WARM_LONG_HTTP_S = 3, 8  # of those that compile while they run, until they get no faster
COMPILING = ("typescript-v2", "typescript-v1")
SESSIONS_KEPT = 10000  # the server's default: so many that ended are remembered, and no more
PATIENCE_S = 16
WRK = shutil.which("wrk")
LEGACY = ("typescript-v1",)  # knows no revision without sessions; over HTTP it is asked to keep none


def say(name, value):
    print(f"{name} {value:.4f}", flush=True)


def tell(what):
    """One line of progress, written over the one before."""
    print(f"\r\033[K{os.environ.get('BENCH_ROUND', '')}{what}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def attempt(what, measure, *arguments):
    """What cannot be measured is missing in the report, and said here."""
    tell(what)
    try:
        measure(*arguments)
    except (RuntimeError, OSError, KeyError, ValueError, subprocess.SubprocessError) as error:
        print(f"\nbench/mcp: {what} was not measured: {error}", file=sys.stderr)


def numbers(command):
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


def drive(programs, command, calls, window, *options):
    call = LEGACY_CALL if "--opening" in options else CALL
    return numbers([programs / "drive", call, str(calls), str(window), str(CORE), str(CORE), *options, "--", *command])


def cpu_of(pid):
    """Seconds of all threads: the clock that clock_getcpuclockid() names."""
    return time.clock_gettime((~pid << 3) | 2)


def cpu_of_children():
    """Seconds of those that have ended: the load."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def memory_of(pid, name="VmRSS"):
    return int(re.search(rf"^{name}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1])


@contextlib.contextmanager
def serving(command):
    """The server's process and its address, when it listens."""
    child = subprocess.Popen(["taskset", "-c", str(CORE), *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
    try:
        lines = []
        for line in child.stdout:
            lines.append(line)
            if found := re.search(r"listening on (http:\S+)", line):
                break
        else:
            raise RuntimeError("".join(lines))
        yield child, found[1]
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def load(url, connections, seconds=SECONDS, core=CORE, session=None):
    """Requests, seconds, and the microseconds of the median and the 99th percentile."""
    environment = {**os.environ, "BENCH_CALL": str(CALL if session is None else LEGACY_CALL)}
    if session is not None:
        environment["BENCH_SESSION"] = session
    out = subprocess.run(["taskset", "-c", str(core), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s",
                          "-s", SCRIPT, url], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    got = {name: int(value) for name, value in re.findall(r"^(requests|duration_us|failed|p50_us|p99_us) (\d+)$", out, re.M)}
    if not got["failed"] and not got["requests"] and seconds < PATIENCE_S:  # some take longer than that for the first answer
        return load(url, connections, min(4 * seconds, PATIENCE_S), core, session)
    if got["failed"] or not got["requests"]:
        raise RuntimeError(f"requests failed:\n{out}")
    return got["requests"], got["duration_us"] / 1e6, got["p50_us"], got["p99_us"]


def post(url, message, headers):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    with urllib.request.urlopen(urllib.request.Request(url, message.encode(), headers)) as answer:
        return answer.read().decode(), answer.headers


def check_call(url, legacy):
    if legacy:
        body, _ = post(url, LEGACY_CALL.read_text().strip(), {"MCP-Protocol-Version": "2025-11-25"})
    else:
        body, _ = post(url, CALL.read_text().strip(), {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call",
                                                       "Mcp-Name": "search"})
    if "20 results at high, 2 tags." not in body:
        raise RuntimeError(f"not the tool's answer: {body}")


def open_session(url):
    opening, ready = OPENING.read_text().splitlines()
    _, headers = post(url, opening, {})
    session = headers["Mcp-Session-Id"]
    post(url, ready, {"MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": session})
    return session


def end_session(url, session):
    headers = {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
    urllib.request.urlopen(urllib.request.Request(url, method="DELETE", headers=headers)).close()


def measure_http(name, child, url, connections, core=CORE, session=None, warm=False):
    if not warm:
        load(url, connections, 1, core, session)
    before, spent = cpu_of(child.pid), cpu_of_children()
    count, seconds, median, most = load(url, connections, SECONDS, core, session)
    used, spent = cpu_of(child.pid) - before, cpu_of_children() - spent
    say(f"{name}/rate", count / seconds)
    say(f"{name}/rate_cpu", count / (used + spent))
    say(f"{name}/cpu", used / count * 1e6)
    say(f"{name}/p50", median)
    say(f"{name}/p99", most)


def measure_stdio(programs, name, command, window, calls, *options):
    got = drive(programs, command, calls, window, *options)
    say(f"stdio/{name}/{window}/rate", 1e9 / got["wall_ns"])
    say(f"stdio/{name}/{window}/rate_cpu", 1e9 / got["both_ns"])
    say(f"stdio/{name}/{window}/cpu", got["cpu_ns"] / 1000)
    if window == 1:
        say(f"stdio/{name}/1/p50", got["p50_ns"] / 1000)
        say(f"stdio/{name}/1/p99", got["p99_ns"] / 1000)
    return got


def measure_starts(programs, name, command, times, *options):
    """From the start of the process to its first answer over standard streams, and what it holds then."""
    starts = [drive(programs, command, 1, 1, *options) for _ in range(times)]
    say(f"start/{name}/median", statistics.median(one["start_ns"] for one in starts) / 1e6)
    say(f"start/{name}/best", min(one["start_ns"] for one in starts) / 1e6)
    say(f"idle/{name}", statistics.median(one["rss_idle"] for one in starts) / 1024)


def http_rounds(programs, answer_len):
    floor, ours = [programs / "floor_http", str(answer_len)], [programs / "server", "--http", "127.0.0.1:0"]
    for connections in CONNECTIONS:
        for name, command in (("floor", floor), ("tenon", ours)):
            with serving(command) as (child, url):
                measure_http(f"http/{name}/{connections}", child, url, connections)
                if connections == CONNECTIONS[-1]:
                    say(f"loaded/{name}", memory_of(child.pid) / 1024)
    with serving(ours) as (child, url):
        measure_http("http/tenon-session/64", child, url, 64, session=open_session(url))
    for name, command in (("floor", floor), ("tenon", ours)):
        with serving(command) as (child, url):
            measure_http(f"http2/{name}/64", child, url, 64, OTHER)


def stdio_rounds(programs, answer_len):
    ours, floor = [programs / "server"], [programs / "floor_echo", str(answer_len)]
    say("memory/cpu", numbers([programs / "memory", CALL, "300000", str(CORE)])["cpu_ns"] / 1000)
    for window in (1, 64):
        for name, command, options in (("floor", floor, ["--any"]), ("tenon", ours, [])):
            measure_stdio(programs, name, command, window, STDIO_CALLS, *options)
    measure_starts(programs, "tenon", ours, STARTS)
    measure_starts(programs, "floor", floor, STARTS, "--any")


def options_of(name):
    return ["--opening", str(OPENING)] if name in LEGACY else []


def measure_peer_stdio(programs, name, command):
    options = options_of(name)
    measure_starts(programs, name, command, PEER_STARTS, *options)
    warm = str(WARM_LONG_S if name in COMPILING else WARM_S)
    for window in (1, 64):
        measure_stdio(programs, name, command, window, MILLION, *options, "--warm", warm, "--seconds", PEER_CALLS_S)


def measure_peer_http(name, command):
    legacy = name in LEGACY
    with serving([*command, "--http", "127.0.0.1:0"]) as (child, url):
        check_call(url, legacy)
        load(url, 16, WARM_LONG_HTTP_S if name in COMPILING else WARM_HTTP_S, session="" if legacy else None)
        for connections in CONNECTIONS:
            measure_http(f"http/{name}/{connections}", child, url, connections, session="" if legacy else None, warm=True)
        say(f"loaded/{name}", memory_of(child.pid) / 1024)
        measure_http(f"http2/{name}/64", child, url, 64, OTHER, session="" if legacy else None, warm=True)


def idle_memory(programs):
    """What a server holds when nobody talks to it over HTTP, and when a thousand clients have called once and stay."""
    with serving([programs / "server", "--http", "127.0.0.1:0"]) as (child, url):
        say("idle-http/tenon", memory_of(child.pid) / 1024)
        address = re.match(r"http://([\d.]+):(\d+)", url)
        body = CALL.read_text().strip()
        request = (f"POST /mcp HTTP/1.1\r\nHost: {address[1]}:{address[2]}\r\nContent-Type: application/json\r\n"
                   "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                   f"Mcp-Method: tools/call\r\nMcp-Name: search\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()
        held = [socket.create_connection((address[1], int(address[2]))) for _ in range(1000)]
        for one in held:
            one.sendall(request)
        for one in held:
            if b"20 results at high" not in one.recv(65536):
                raise RuntimeError("an idle connection was not answered")
        say("held/tenon", memory_of(child.pid) / 1024)
        for one in held:
            one.close()


def grow_stdio(programs, name, command, most_s, *options):
    """KiB that it holds more after a million calls, or after as many as there is time for."""
    got = drive(programs, command, MILLION, 64, *options, "--warm", str(WARM_LONG_S), "--seconds", str(most_s))
    say(f"growth/stdio/{name}", got["rss_end"] - got["rss_warm"])
    say(f"growth/stdio/{name}/calls", got["calls"])


def grow_http(name, command, most_s, session=None):
    with serving([*command, "--http", "127.0.0.1:0"]) as (child, url):
        load(url, 64, WARM_LONG_S, session=session)
        warm, count, began = memory_of(child.pid), 0, time.monotonic()
        while count < MILLION and time.monotonic() - began < most_s:
            count += load(url, 64, 5, session=session)[0]
        say(f"growth/http/{name}", memory_of(child.pid) - warm)
        say(f"growth/http/{name}/calls", count)


def grow_sessions(command):
    with serving([*command, "--http", "127.0.0.1:0"]) as (child, url):
        for _ in range(SESSIONS_KEPT * 6 // 5):
            end_session(url, open_session(url))
        warm = memory_of(child.pid)
        for _ in range(SESSIONS_KEPT * 2 // 5):
            end_session(url, open_session(url))
        say("growth/sessions", memory_of(child.pid) - warm)


def million(programs, peers):
    ours = [programs / "server"]
    attempt("Tenon, a million calls over stdio", grow_stdio, programs, "tenon", ours, OWN_LONG_S)
    attempt("Tenon, 16,000 sessions", grow_sessions, ours)
    for name, command in peers:
        attempt(f"{name}, a million calls over stdio", grow_stdio, programs, name, command, LONG_S, *options_of(name))
    if WRK:
        attempt("Tenon, a million calls over HTTP", grow_http, "tenon", ours, OWN_LONG_S)
        for name, command in peers:
            attempt(f"{name}, a million calls over HTTP", grow_http, name, command, LONG_S, "" if name in LEGACY else None)


def main():
    *long, programs, peers = sys.argv[1:]
    programs = pathlib.Path(programs)
    named = [(line.split()[0], line.split()[1:]) for line in pathlib.Path(peers).read_text().splitlines()]
    answer = subprocess.run([programs / "server"], input=CALL.read_text(), stdout=subprocess.PIPE, text=True, check=True).stdout
    json.loads(answer)
    answer_len = len(answer.strip().encode())
    say("answer/bytes", answer_len)
    attempt("Tenon and the floor over stdio", stdio_rounds, programs, answer_len)
    attempt("Tenon with 1,000 idle connections", idle_memory, programs)
    for name, command in named:
        attempt(f"{name} over stdio", measure_peer_stdio, programs, name, command)
    if WRK:
        attempt("Tenon and the floor over HTTP", http_rounds, programs, answer_len)
        for name, command in named:
            attempt(f"{name} over HTTP", measure_peer_http, name, command)
    if long:
        million(programs, named)


if __name__ == "__main__":
    main()
