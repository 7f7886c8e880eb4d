#!/usr/bin/env python3
"""What the console costs the calls of a server, in instructions counted by callgrind: while no page is open, while one is
followed, and when a page reads its numbers. Of each, half as much and the whole are counted: the difference has no start and no end.

The server is that of bench/mcp, over HTTP; counts depend on the machine, so that all bars are ratios or far away."""
import http.client
import importlib.util
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("count", ROOT / "bench/budget/count.py")
budget = importlib.util.module_from_spec(spec)
spec.loader.exec_module(budget)

CALLS = 500
BURST = 50
READS = 10
IDLE_SECONDS = 2
PAGE_EVERY_SECONDS = 2  # how often the overview, which reads the most, is read anew: see share/tenon/console/console.js
OVERVIEW = ("status", "series", "issues", "tools")

# The most that is borne.
CLOSED = 1.05  # times a call without a console: one record, of which the bench's small call shows most
FOLLOWED = 1.75  # times that, with a page that is sent every call: of more than 100 in 150 ms it is sent no more
READ = 4_000_000  # instructions, in which calls wait: a thousandth of the time between two, far from every p99
IDLE = 50_000  # instructions a second, when nobody calls and no page is open


class Server:
    """The measured server under callgrind, and the addresses that it logs."""

    def __init__(self, scratch, *options):
        command = [*budget.callgrind(scratch), budget.BUILD / "bench/mcp/server", "--http", "127.0.0.1:0",
                   "--admin", "127.0.0.1:0", *options]
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.said, wanted = "", ["listening on http://"] + (["#token="] if options else [])
        while not all(words in self.said for words in wanted):
            if not (line := self.child.stderr.readline()):
                raise RuntimeError(f"the server does not start: {self.said}")
            self.said += line
        self.port = re.search(r"listening on http://127\.0\.0\.1:(\d+)", self.said)[1]

    def call(self, times, after=lambda made: None):
        with socket.create_connection(("127.0.0.1", int(self.port))) as client:
            for made in range(1, times + 1):
                client.sendall(budget.request(self.port))
                if not budget.answered(client):
                    raise RuntimeError("the server answers otherwise")
                after(made)

    def enter(self):
        """A page's connection, and what it sends."""
        port, token = re.search(r"http://127\.0\.0\.1:(\d+)/console#token=(\S+)", self.said).groups()
        page = http.client.HTTPConnection("127.0.0.1", int(port))
        page.request("POST", "/console/session", json.dumps({"token": token}), {"Content-Type": "application/json"})
        answer = page.getresponse()
        answer.read()
        return page, {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}

    def collected(self):
        self.child.send_signal(signal.SIGTERM)
        return budget.collected(self.child)


def without(scratch, calls):
    server = Server(scratch)
    server.call(calls)
    return server.collected()


def closed(scratch, calls):
    server = Server(scratch, "--console")
    server.call(calls)
    return server.collected()


def followed(scratch, calls):
    """Waits for the page every few calls, so that it is sent each of them, however slow it is."""
    server = Server(scratch, "--console")
    page, cookie = server.enter()
    page.request("GET", "/console/events", headers=cookie)
    stream = page.getresponse()

    def until_sent(made):
        while made % BURST == 0:
            line = stream.readline()
            if not line:
                raise RuntimeError("the page is sent no more calls")
            if line.startswith(b"data:") and json.loads(line[5:])["id"] == made:
                break

    server.call(calls, until_sent)
    page.close()
    return server.collected()


def read(scratch, times):
    server = Server(scratch, "--console")
    page, cookie = server.enter()
    for _ in range(times):
        for name in OVERVIEW:
            page.request("GET", f"/console/{name}", headers=cookie)
            answer = page.getresponse()
            if answer.status != 200 or not json.loads(answer.read()):
                raise RuntimeError(f"/console/{name}: {answer.status}")
    page.close()
    return server.collected()


def idle(scratch, seconds):
    server = Server(scratch, "--console")
    time.sleep(seconds)
    return server.collected()


def each(scratch, run, count):
    return (run(scratch, 2 * count) - run(scratch, count)) / count


def main():
    if not shutil.which("valgrind"):
        print("SKIPPED: there is no valgrind here; scripts/setup installs it. No instructions were counted.")
        return 0
    if budget.cache("CMAKE_BUILD_TYPE") != "Release" or budget.cache("TENON_SANITIZE"):
        print("NOT COMPARED: this is no release build, and the bars are those of the release.")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        plain, shut, open_ = (each(scratch, run, CALLS) for run in (without, closed, followed))
        numbers, nothing = each(scratch, read, READS), each(scratch, idle, IDLE_SECONDS)
    failed = 0
    for what, value, most, unit in (
        ("a call, --console and no page open", shut / plain, CLOSED, f"times the {plain:.0f} instructions without"),
        ("a call that an open page is sent", open_ / plain, FOLLOWED, "times the same"),
        ("an open page reads its numbers", numbers, READ, f"instructions, each {PAGE_EVERY_SECONDS} seconds"),
        ("nobody calls, no page is open", nothing, IDLE, "instructions a second"),
    ):
        fine = value <= most
        failed += not fine
        print(f"{what:<36} {value:>9.4g} {unit}; {most:g} at most{'' if fine else ': TOO MUCH'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
