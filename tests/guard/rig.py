"""A guard on a pipe with a client, for the tests of the guard: `import rig` in a script beside it, `rig.main(globals())` at its end."""
import concurrent.futures
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time
import traceback

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "support"))
from envelopes import for_reading  # noqa: E402

TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build/dev")).resolve() / "bin/tenon"
UPSTREAM = [sys.executable, str(HERE / "upstream.py")]
PATIENCE = 60  # seconds until a test that hangs has failed; nothing is judged by how long it takes
META = "io.modelcontextprotocol/"


class Guard:
    """A guard on a pipe, with a client that keeps what comes."""

    def __init__(self, *flags, upstream=(), command=None, program=None, modern=False, revision="2025-11-25",
                 abilities=None):
        """`program` is the whole command line of the guard; else it is `flags`, and one upstream."""
        self.modern, self.number = modern, 0
        self.on_http = "--http" in (program or flags)
        self.abilities = abilities or {}
        words = program or [TENON, "guard", *flags, "--", *(command or [*UPSTREAM, *upstream])]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.notes, self.asked = queue.Queue(), [], []
        self.answers = {}
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()
        self.log = threading.Thread(target=self._log, daemon=True)
        self.log.start()
        if not modern:
            self.hello = self.request("initialize", {"protocolVersion": revision, "capabilities": self.abilities,
                                                     "clientInfo": {"name": "c", "version": "0"}})
            self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        if self.on_http:
            self.process.terminate()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.log.join(PATIENCE)  # what it logged is all there
        if kind is None:
            assert code == 0, (code, self.errors)

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode())
        self.lines.put(None)

    def _log(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def logged(self, *parts):
        """The first line of the log that has all of these; it may come after the answer that it is about."""
        end = time.monotonic() + PATIENCE
        while not (found := [line for line in list(self.errors) if all(part in line for part in parts)]):
            assert time.monotonic() < end, (parts, self.errors)
            time.sleep(0.01)
        return found[0]

    def write(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def next(self):
        line = self.lines.get(timeout=PATIENCE)
        assert line is not None, ("the guard ended", self.errors)
        return line

    def start(self, method, params=None, number=None, meta=None):
        self.number += 1
        number = self.number if number is None else number
        params = dict(params or {})
        if self.modern:
            meta = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": self.abilities,
                    META + "clientInfo": {"name": "c", "version": "0"}, **(meta or {})}
        if meta:
            params["_meta"] = meta
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def wait_raw(self, number):
        while number not in self.answers:
            line = self.next()
            message = json.loads(line)
            if "method" not in message:
                self.answers[message.get("id")] = line
            elif "id" in message:
                self.asked.append(message)
                return None
            else:
                self.notes.append(message)
        return self.answers.pop(number)

    def wait(self, number):
        line = self.wait_raw(number)
        return line and json.loads(line)

    def request(self, method, params=None, **more):
        return self.wait(self.start(method, params, **more))

    def call(self, name, arguments=None, **more):
        return self.request("tools/call", {"name": name, "arguments": arguments or {}}, **more)


def envelope(answer):
    """All of a failed call's answer, where its client gets that; beside it the text is for reading."""
    result = answer["result"]
    assert result["isError"] is True, answer
    text = json.loads(result["content"][0]["text"])
    whole = result.get("structuredContent", text)
    assert whole is text or text == for_reading(whole), answer
    return whole


def echoed(answer):
    return json.loads(answer["result"]["content"][0]["text"])


def listening(guard):
    while True:
        for line in list(guard.errors):
            if "listening on " in line:
                return line.split("listening on ")[1].strip()
        guard.process.poll()
        assert guard.process.returncode is None, guard.errors
        threading.Event().wait(0.02)


def run_one(name, test):
    """Was it well?"""
    try:
        test()
        print(f"ok {name}", flush=True)
        return True
    except Exception as fault:  # pylint: disable=broad-except
        print(f"FAILED {name}: {type(fault).__name__}: {fault}\n{traceback.format_exc()}", flush=True)
        return False


def main(tests, at_once=1):
    """Runs the tests among these names; words on the command line choose those that have one of them in their name. Several at once
    where each has a guard of its own and changes nothing that others see: most of what they do is wait."""
    wanted = sys.argv[1:]
    chosen = [name for name in tests if name.startswith("test_") and (not wanted or any(word in name for word in wanted))]
    with concurrent.futures.ThreadPoolExecutor(at_once) as threads:
        return 0 if all(list(threads.map(lambda name: run_one(name, tests[name]), chosen))) else 1
