#!/usr/bin/env python3
"""What a guard takes while it runs: memory that does not grow, allocations of a call, libraries that it needs, and how much it reads of
a server that writes without end.

    tests/guard_lean/run.py [--long] [NAME...]    the tests whose name has one of these words in it

--long: a million calls and ten thousand sessions, after so many that all that is remembered of ended ones is there, instead of
20,000 and 300. The driver is bench/guard; what is alive is counted by a library that is loaded before the guard.
"""
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "guard"))
from rig import PATIENCE, TENON, UPSTREAM, Guard, main  # noqa: E402

sys.path.insert(0, str(HERE.parent / "support"))
import parties  # noqa: E402

BUILD = TENON.parents[1]
DRIVER, SERVER = BUILD / "bench" / "guard", BUILD / "bench" / "mcp" / "server"
CALLS = ROOT / "bench" / "mcp"
LONG = "--long" in sys.argv
LATE = ("libcurl", "libcrypto")
ENDED_MOST = 65536 + 4096  # sessions: more ended ones are not remembered (src/mcp/ended.h)
UNASKED_BURST, UNASKED_A_MS = 256 << 10, 2 << 10  # src/net/client/unasked.h, src/guard/process/process.c
LISTS_BURST, LISTS_A_MS = 200, 0.05  # of one upstream: each counts for a millisecond at least (guard/lists/lists.h)
PIPES = 64 << 12  # bytes: what a pipe holds, what was read at once, and what a tick of the clock is off
SLACK_KIB = 96  # the heap's own coming and going, and what is remembered of 300 sessions


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def counting(folder):
    """The words before a program that let it be counted, and the file with the counts."""
    library, file = folder / "count.so", folder / "counts"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, ROOT / "bench/guard/count/count.c"], check=True)
    return ["env", f"LD_PRELOAD={library}", f"COUNT_FILE={file}"], file


def drive(calls, call, *options):
    """What bench/guard says of a guard over HTTP in front of bench/mcp/server.c."""
    with tempfile.TemporaryDirectory() as name:
        words, file = counting(pathlib.Path(name))
        port = free_port()
        done = subprocess.run([DRIVER, "http", str(port), str(calls), "-1", CALLS / call, *options, "--counts", file, "--", *words, TENON,
                               "guard", "--log", "error", "--http", f"127.0.0.1:{port}", "--", SERVER, "--log", "error"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {key: float(value) for key, value in (line.split() for line in done.stdout.splitlines())}


def grown(figures, of, what):
    return figures[f"{of}{what}_end"] - figures[f"{of}{what}_warm"]


def stays(figures, of, slack):
    """Nothing more is alive, but for what an exchange that just ended has not given back; and the heap is not larger."""
    assert grown(figures, of, "alive") <= 8, figures
    assert grown(figures, of, "anon") <= slack, figures


def test_calls_and_sessions_leave_nothing():
    calls, sessions, warm = (1_000_000, 10_000, ENDED_MOST) if LONG else (20_000, 300, 100)
    found = drive(calls, "call-legacy.json", "--legacy", "--sessions", str(sessions), str(warm))
    stays(found, "", 0 if LONG else SLACK_KIB)
    stays(found, "sessions_", SLACK_KIB)
    assert found["allocations"] <= 4, found
    print(f"{calls:,} calls: {grown(found, '', 'anon'):.0f} KiB more; {sessions:,} sessions: {grown(found, 'sessions_', 'anon'):.0f} KiB")


def test_modern_calls_leave_nothing():
    found = drive(20_000, "call.json")
    stays(found, "", SLACK_KIB)
    assert found["allocations"] <= 4, found


def test_a_forwarded_call_allocates_next_to_nothing():
    """On pipes: the difference of two guards, one with more calls."""
    totals = []
    for calls in (200, 2200):
        with tempfile.TemporaryDirectory() as name:
            words, file = counting(pathlib.Path(name))
            with Guard(program=[*words, TENON, "guard", "--log", "error", "--", SERVER, "--log", "error"]) as guard:
                arguments = {"query": "x", "limit": 5}
                for _ in range(calls):
                    answer = guard.call("search", arguments)
                assert not answer["result"].get("isError"), answer
                totals.append(int.from_bytes(file.read_bytes()[:8], sys.byteorder))
    assert (totals[1] - totals[0]) / 2000 <= 4, totals


def upstreams(folder):
    """A configuration of a polite server and one that floods, and the file in which that one counts."""
    count, config = folder / "written", folder / "guard.json"
    config.write_text(json.dumps({"upstreams": {
        "good": {"command": [str(SERVER), "--log", "error"]},
        "bad": {"command": [sys.executable, str(HERE / "flood.py"), str(count)]}}}))
    config.chmod(0o600)
    return ["--log", "error", "--config", str(config)], count


def test_a_server_that_writes_without_end_is_not_read_without_end():
    """It gets rid of what the guard's measure lets in over the time that has passed, and no more."""
    for to in (1, 2):
        with tempfile.TemporaryDirectory() as name:
            flags, count = upstreams(pathlib.Path(name))
            with Guard(program=[TENON, "guard", *flags]) as guard:
                began = time.monotonic()
                assert not guard.call("bad_flood", {"to": to})["result"].get("isError")
                for _ in range(300):
                    assert not guard.call("good_search", {"query": "x"})["result"].get("isError")
                parties.until("it floods", lambda: count.exists() and int(count.read_text() or 0) > UNASKED_BURST)
                written, passed_ms = int(count.read_text()), (time.monotonic() - began) * 1000
                assert written <= UNASKED_BURST + PIPES + passed_ms * UNASKED_A_MS, (to, written, passed_ms)


def test_a_list_that_changes_without_end_is_not_asked_for_without_end():
    with tempfile.TemporaryDirectory() as name:
        flags, count = upstreams(pathlib.Path(name))
        with Guard(program=[TENON, "guard", *flags]) as guard:
            assert guard.call("bad_churn")["result"]["content"][0]["text"] == "it begins"
            began = time.monotonic()
            parties.until("it is asked for", lambda: count.exists() and int(count.read_text() or 0) >= LISTS_BURST * 3 // 2)
            assert not guard.call("good_search", {"query": "x"})["result"].get("isError")
            asked, passed_ms = int(count.read_text()), (time.monotonic() - began) * 1000
            assert asked <= LISTS_BURST + passed_ms * LISTS_A_MS + 1, (asked, passed_ms)


def test_what_comes_after_a_burst_is_taken():
    with tempfile.TemporaryDirectory() as name:
        flags, _ = upstreams(pathlib.Path(name))
        with Guard(program=[TENON, "guard", *flags]) as guard:
            waits = guard.start("tools/call", {"name": "bad_burst", "arguments": {}})
            assert not guard.call("good_search", {"query": "x"})["result"].get("isError")
            assert guard.wait(waits)["result"]["content"][0]["text"] == "after all that"


@contextlib.contextmanager
def watched():
    """Calls what it yields with the process of a guard that was started meanwhile: the libraries that it has loaded. What is in
    /proc is hidden from all but root."""
    with tempfile.TemporaryDirectory() as folder:
        watch = {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": folder + "/of"}
        os.environ.update(watch)
        try:
            yield lambda pid: pathlib.Path(f"{folder}/of.{pid}").read_text()
        finally:
            for name in watch:
                del os.environ[name]


def is_linked():
    """Built with the libraries linked, they are there from the start."""
    traced = subprocess.run([TENON], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, text=True, check=False)
    return any(name in traced.stdout for name in LATE)


def test_libraries_for_addresses_are_loaded_for_addresses():
    if is_linked():
        print("built with TENON_LATE=OFF, or without knowing the libraries' names: not tested", flush=True)
        return
    with watched() as loaded, Guard() as guard:
        guard.call("judged", {"n": 3})
        assert not [name for name in LATE if name in loaded(guard.process.pid)], "on a pipe"
    port = free_port()
    server = subprocess.Popen([SERVER, "--log", "error", "--http", f"127.0.0.1:{port}"], stdin=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
        with watched() as loaded, Guard(program=[TENON, "guard", f"http://127.0.0.1:{port}/mcp"]) as guard:
            assert not guard.call("search", {"query": "x"})["result"].get("isError")
            assert "libcurl" in loaded(guard.process.pid), "for an address"
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_a_library_that_cannot_be_loaded_is_named():
    if is_linked():
        print("built with TENON_LATE=OFF, or without knowing the libraries' names: not tested", flush=True)
        return
    names = set(re.findall(rb"libcurl[-\w]*\.so\.\d+", TENON.read_bytes()))
    assert len(names) == 1, names
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / names.pop().decode()).write_text("not a library")
        broken = {**os.environ, "LD_LIBRARY_PATH": folder}
        done = subprocess.run([TENON, "tools", "http://127.0.0.1:9/mcp"], env=broken, capture_output=True, text=True, timeout=PATIENCE,
                              check=False)
        assert done.returncode == 2 and "libcurl" in done.stderr, done
        done = subprocess.run([TENON, "tools", "--", *UPSTREAM], env=broken, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0 and "judged" in done.stdout, done


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--long"]
    sys.exit(main(globals()))
