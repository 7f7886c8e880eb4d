#!/usr/bin/env python3
"""Pages of search_vulnerabilities over many findings: the last page, the middle and the first, as ratios in one run.

    bench/appsec/paging.py [--findings N] [--rounds N] [--tenon PROGRAM]

Findings are made by SQL in a database that the server made; then the server is asked over standard streams, as a client does.
"""
import argparse
import json
import pathlib
import sqlite3
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

MAKE = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
INSERT INTO findings (app, type, place, mark, title, severity, status, environments, session, first_seen, last_seen)
SELECT 1 + i % 50, 1 + i * 7 % 30, 'src/file' || i % 900 || '.c:' || i, 'm' || i, 'Finding ' || i, i * 2654435761 % 4294967296 % 5,
 CASE WHEN i % 1000 = 0 THEN 5 ELSE i % 4 END, 1 + i % 7, 0, 1750000000000 + i * 1000, 1750000000000 + (i * 2654435761 % 1000000007)
FROM n
"""


class Server:
    def __init__(self, program, database):
        self.process = subprocess.Popen([program, "serve", "appsec", "--db", database], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)
        self.last = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})

    def request(self, method, params):
        self.last += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n")
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last:
                return answer["result"]

    def page(self, tool="search_vulnerabilities", **arguments):
        data = self.request("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]
        assert data["status"] == "SUCCESS", data
        return data["data"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def make(program, database, findings):
    Server(program, database).close()
    with sqlite3.connect(database) as sql:
        sql.executemany("INSERT INTO types (name) VALUES (?)", [(f"type-{n}",) for n in range(30)])
        sql.executemany("INSERT INTO applications (app, name) VALUES (?, ?)", [(f"app-{n}", f"App {n}") for n in range(50)])
        sql.execute(MAKE, (findings,))
    sql.close()


def measure(rounds, *asks):
    """Median milliseconds of each, asked in turns so that all meet the same machine."""
    times = [[] for _ in asks]
    for _ in range(rounds):
        for ask, kept in zip(asks, times):
            begin = time.perf_counter()
            ask()
            kept.append(1000 * (time.perf_counter() - begin))
    return [statistics.median(kept) for kept in times]


def report(server, rounds, name, **arguments):
    total = server.page(**arguments)["totalItems"]
    last = (total + 49) // 50
    places = [1, last // 4 or 1, last // 2 or 1, last]
    times = measure(rounds, *[lambda page=page: server.page(page=page, **arguments) for page in places])
    print(f"{name:34} {total:9} findings  " + "  ".join(
        f"{word} {ms:7.2f} ms ({ms / times[0]:5.2f})" for word, ms in zip(("first", "quarter", "middle", "last"), times)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--findings", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tenon", default=ROOT / "build" / "release" / "bin" / "tenon")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tenon-bench-") as folder:
        database = f"{folder}/appsec.db"
        begin = time.perf_counter()
        make(options.tenon, database, options.findings)
        print(f"{options.findings} findings made in {time.perf_counter() - begin:.1f} s", flush=True)
        server = Server(options.tenon, database)
        report(server, options.rounds, "default statuses")
        report(server, options.rounds, "CRITICAL", severities="CRITICAL")
        report(server, options.rounds, "one application", tool="search_app_vulnerabilities", appId="app-7")
        report(server, options.rounds, "one type", vulnTypes="type-3")
        report(server, options.rounds, "a rare status", statuses="Fixed")
        report(server, options.rounds, "a range of time", lastSeenAfter="2025-06-20")
        server.close()


if __name__ == "__main__":
    main()
