#!/usr/bin/env python3
"""The audit file of a server whose disk fills up, and is made free again.

    tests/audit/run.py [NAME...]    the tests whose name has one of these words in it

The disk is a limit on the size of files (RLIMIT_FSIZE), which is lowered and raised while the server runs: that needs no rights
and cuts lines in the middle, as a full disk does. Where the process may mount, a real one of a few pages is filled, too.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

EXAMPLE = rig.BUILD / "examples" / "server"
ROOM = 2000  # bytes: some lines, and a piece of one


def limit(process, size):
    """Of the files that it writes."""
    hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))


def call(client, count):
    for _ in range(count):
        client.ok("search_notes", text="milk")


def read(path):
    """Whole lines, how many are lost, and pieces of lines."""
    calls, lost, torn = 0, 0, 0
    text = path.read_bytes().decode()
    assert text.endswith("\n"), text[-200:]
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            torn += 1
            assert line.startswith('{"time"') and line.count('"time"') == 1, f"two lines in one: {line}"
            continue
        if "lost" in record:
            assert set(record) == {"time", "lost"} and record["lost"] > 0, record
            lost += record["lost"]
        else:
            assert record["tool"] == "search_notes" and record["outcome"] == "OK", record
            calls += 1
    return calls, lost, torn


def test_lines_lost_are_counted():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "audit")
        with rig.Stdio([EXAMPLE, "--audit", path]) as client:
            call(client, 3)
            limit(client.process, ROOM)
            call(client, 500)
            size = path.stat().st_size
            assert size == ROOM, size  # as full as can be: the last line is cut off
            limit(client.process, None)
            call(client, 4)
            rig.until("the log has the sum", lambda: "written again" in client.said())
            calls, lost, torn = read(path)
            assert calls + lost == 507 and torn == 1 and 400 < lost < 500, (calls, lost, torn)
            found = re.findall(r"audit: .*lines lost since the start: (\d+)", client.said())
            assert found == ["1", str(lost)], client.said()


def test_restart_on_a_full_disk():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "audit")
        with rig.Stdio([EXAMPLE, "--audit", path]) as client:
            limit(client.process, ROOM)
            call(client, 100)
        rig.until("the sum is logged when it stops",
                  lambda: re.search(r"audit: .*lines lost since the start: \d\d", client.said()))
        before = path.read_bytes()
        with rig.Stdio([EXAMPLE, "--audit", path]) as client:
            call(client, 5)
        after = path.read_bytes()
        assert after.startswith(before + b"\n") and read(path)[2] == 1, after[len(before) - 100:]
        with rig.Stdio([EXAMPLE, "--audit", path]) as client:  # a sound file gets no line but its own
            call(client, 1)
        assert path.read_bytes().startswith(after + b"{") and path.read_bytes().count(b"\n") == after.count(b"\n") + 1


def test_rotation_while_it_is_full():
    """The new file says what neither has."""
    with tempfile.TemporaryDirectory() as folder:
        path, old = pathlib.Path(folder, "audit"), pathlib.Path(folder, "audit.1")
        with rig.Stdio([EXAMPLE, "--audit", path]) as client:
            limit(client.process, ROOM)
            call(client, 50)
            limit(client.process, None)
            path.rename(old)
            rig.until("a new file", lambda: call(client, 1) or path.exists())
            call(client, 1)
        assert old.read_bytes().startswith(b'{"time"') and json.loads(path.read_text().splitlines()[-1])["outcome"] == "OK"


def test_metric():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "audit")
        with rig.Server([EXAMPLE, "--audit", path, "--admin", "127.0.0.1:0", "--log", "info"]) as server:
            log = rig.until("the address of the metrics",
                            lambda: re.search(r"health and metrics at port (\d+)", "".join(server.log)))

            def lost():
                with urllib.request.urlopen(f"http://127.0.0.1:{log[1]}/metrics", timeout=rig.PATIENCE) as answer:
                    return int(re.search(r"^tenon_audit_lost_total (\d+)$", answer.read().decode(), re.M)[1])

            client = rig.Http(server)
            assert lost() == 0
            limit(server.process, 0)
            call(client, 7)
            assert lost() == 7 and path.read_bytes() == b""
            limit(server.process, None)
            call(client, 1)
            assert lost() == 7 and read(path) == (1, 7, 0)


def test_call_that_overruns_is_one_call():
    """Its handler ends after the answer that was given in its place, and adds no line."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "audit")
        with rig.Stdio([EXAMPLE, "--audit", path, "--deadline", "100ms"]) as client:
            assert client.ask("remind", {"seconds": 1})["error"]["code"] == "TIMEOUT"
            call(client, 1)
        records = [json.loads(line) for line in path.read_text().splitlines()]
        assert [(record["tool"], record["outcome"]) for record in records] == [
            ("remind", "TIMEOUT"), ("search_notes", "OK")], records
        assert records[0]["overrun"] is True, records


def test_full_disk():
    """A disk of its own, where that may be mounted."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], check=False, capture_output=True)
        if mounted.returncode != 0:
            print("skipped: this process may not mount a disk; the limit of the other tests stands for it")
            return
        try:
            path, other = pathlib.Path(folder, "audit"), pathlib.Path(folder, "other")
            other.write_bytes(b"x" * 8192)
            with rig.Stdio([EXAMPLE, "--audit", path]) as client:
                call(client, 300)
                rig.until("the reason is logged", lambda: "No space left" in client.said())
            with rig.Stdio([EXAMPLE, "--audit", path]) as client:
                call(client, 100)
                other.unlink()
                call(client, 3)
            calls, lost, torn = read(path)
            assert torn <= 2 and lost == 100 and calls > 3, (calls, lost, torn)
        finally:
            subprocess.run(["umount", folder], check=True)


if __name__ == "__main__":
    assert os.access(EXAMPLE, os.X_OK), EXAMPLE
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
