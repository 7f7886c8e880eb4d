#!/usr/bin/env python3
"""One round of measurements: every server in turns, on the same core as its load.

    measure.py [--long] PROGRAMS PEERS    lines of a name and a number on standard output

PROGRAMS is the directory of the programs of bench/mcp, PEERS a file with a line for each peer: its name and command. On
one core a request costs what both sides do, which is the same for everyone; on two it mostly measures how long the other
core takes to wake up. The rate on one core is requests by the CPU time of both sides: what it is on a core that nobody
else uses, also on a machine where somebody does. --long adds a million calls."""
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
CALL, LEGACY_CALL, OPENING, SCRIPT = (HERE / one for one in ("call.json", "call-legacy.json", "opening.jsonl", "call.lua"))
CORE, OTHER = 0, 1
CONNECTIONS = (1, 16, 64, 256)
SECONDS = 2
STARTS = 7  # of which the best counts: what else the machine does is not the server's
SESSIONS_KEPT = 10000  # the server's default: so many that ended are remembered, and no more
LEGACY = ("typescript-v1",)  # knows no revision without sessions; over HTTP it is asked to keep none


def say(name, value):
    print(f"{name} {value:.4f}", flush=True)


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
    """Requests, their seconds."""
    environment = {**os.environ, "BENCH_CALL": str(CALL if session is None else LEGACY_CALL)}
    if session is not None:
        environment["BENCH_SESSION"] = session
    out = subprocess.run(["taskset", "-c", str(core), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "-s", SCRIPT, url],
                         env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    got = dict(re.findall(r"^(requests|duration_us|failed) (\d+)$", out, re.M))
    if int(got["failed"]) or not int(got["requests"]):
        raise RuntimeError(f"requests failed:\n{out}")
    return int(got["requests"]), int(got["duration_us"]) / 1e6


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


def measure_http(name, child, url, connections, core=CORE, session=None):
    load(url, connections, 1, core, session)
    before, spent = cpu_of(child.pid), cpu_of_children()
    count, seconds = load(url, connections, SECONDS, core, session)
    used, spent = cpu_of(child.pid) - before, cpu_of_children() - spent
    say(f"{name}/rate", count / (used + spent if core == CORE else seconds))
    say(f"{name}/cpu", used / count * 1e6)


def http_rounds(programs, answer_len):
    floor, ours = [programs / "floor_http", str(answer_len)], [programs / "server", "--http", "127.0.0.1:0"]
    for connections in CONNECTIONS:
        for name, command in (("floor", floor), ("tenon", ours)):
            with serving(command) as (child, url):
                measure_http(f"http/{name}/{connections}", child, url, connections)
    with serving(ours) as (child, url):
        measure_http("http/tenon-session/64", child, url, 64, session=open_session(url))
    for name, command in (("floor", floor), ("tenon", ours)):
        with serving(command) as (child, url):
            measure_http(f"http2/{name}/64", child, url, 64, OTHER)


def stdio_rounds(programs, answer_len):
    ours, floor = [programs / "server"], [programs / "floor_echo", str(answer_len)]
    say("memory/cpu", numbers([programs / "memory", CALL, "300000", str(CORE)])["cpu_ns"])
    for window in (1, 64):
        for name, command, options in (("floor", floor, ["--any"]), ("tenon", ours, [])):
            got = drive(programs, command, 200000, window, *options)
            say(f"stdio/{name}/{window}/rate", 1e9 / got["both_ns"])
            say(f"stdio/{name}/{window}/cpu", got["cpu_ns"])


def measure_peer(programs, name, command):
    legacy = name in LEGACY
    options = ["--opening", str(OPENING)] if legacy else []
    for window in (1, 64):
        got = drive(programs, command, 10000, window, *options)
        say(f"stdio/{name}/{window}/rate", 1e9 / got["both_ns"])
        say(f"stdio/{name}/{window}/cpu", got["cpu_ns"])
    say(f"start/{name}", got["start_ns"] / 1e6)
    say(f"idle/{name}", got["rss_idle"] / 1024)
    with serving([*command, "--http", "127.0.0.1:0"]) as (child, url):
        check_call(url, legacy)
        measure_http(f"http/{name}/64", child, url, 64, session="" if legacy else None)


def peer_rounds(programs, peers):
    for name, command in peers:
        try:
            measure_peer(programs, name, command)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:  # it is missing in the report, and said here
            print(f"bench/mcp: {name} was not measured: {error}", file=sys.stderr)


def idle_memory(programs):
    """What a server holds when nobody talks to it, and when a thousand clients have called once and stay."""
    starts = [drive(programs, [programs / "server"], 10, 1) for _ in range(STARTS)]
    got = min(starts, key=lambda one: one["start_ns"])
    say("start/tenon", got["start_ns"] / 1e6)
    say("idle/tenon", got["rss_idle"] / 1024)
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


def million(programs):
    got = drive(programs, [programs / "server"], 1000000, 64)
    say("growth/stdio", got["rss_end"] - got["rss_warm"])
    with serving([programs / "server", "--http", "127.0.0.1:0"]) as (child, url):
        load(url, 64, 2)
        warm, count = memory_of(child.pid), 0
        while count < 1000000:
            count += load(url, 64, 5)[0]
        say("growth/http", memory_of(child.pid) - warm)
    with serving([programs / "server", "--http", "127.0.0.1:0"]) as (child, url):
        for _ in range(SESSIONS_KEPT * 6 // 5):
            end_session(url, open_session(url))
        warm = memory_of(child.pid)
        for _ in range(SESSIONS_KEPT * 2 // 5):
            end_session(url, open_session(url))
        say("growth/sessions", memory_of(child.pid) - warm)


def main():
    *long, programs, peers = sys.argv[1:]
    programs = pathlib.Path(programs)
    named = [(line.split()[0], line.split()[1:]) for line in pathlib.Path(peers).read_text().splitlines()]
    answer = subprocess.run([programs / "server"], input=CALL.read_text(), stdout=subprocess.PIPE, text=True, check=True).stdout
    json.loads(answer)
    answer_len = len(answer.strip().encode())
    say("answer/bytes", answer_len)
    stdio_rounds(programs, answer_len)
    http_rounds(programs, answer_len)
    idle_memory(programs)
    peer_rounds(programs, named)
    if long:
        million(programs)


if __name__ == "__main__":
    main()
