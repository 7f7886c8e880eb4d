"""The servers of `tenon serve` as their clients meet them: over standard streams and over HTTP, on a database made for the test.

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
    import rig
"""
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import traceback

from envelopes import for_reading

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
TENON = BUILD / "bin" / "tenon"
PATIENCE = float(os.environ.get("PATIENCE", 120))  # seconds until a test that hangs has failed; nothing is measured
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}

LONG = False  # more files, more often


class Failed(Exception):
    """The tool answered an error."""


def until(what, ask, patience=PATIENCE):
    """Asks again and again until the answer is a true one."""
    end = time.monotonic() + patience
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


def run(*words, **how):
    """`tenon` to its end: its status, output and errors."""
    done = subprocess.run([TENON, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          check=False, **how)
    return done.returncode, done.stdout, done.stderr


def serve(name, place, *flags):
    """The command of a server."""
    return [TENON, "serve", name, "--db", place.database, *flags]


def token_flag(name, token):
    return f"--token={name}:sha256:{hashlib.sha256(token.encode()).hexdigest()}"


class Place:
    """A temporary folder with a database."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="tenon-test-"))
        self.database = self.path / "db" / "tenon.db"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for folder, _, _ in os.walk(self.path):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.path)

    def sql(self, statement, *values):
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=60)) as database:
            return database.execute(statement, values).fetchall()

    def is_sound(self):
        assert self.sql("PRAGMA integrity_check") == [("ok",)]
        assert self.sql("PRAGMA foreign_key_check") == []
        return True


# ---- Clients ----------------------------------------------------------------------------------------------------

def envelope(answer):
    assert "result" in answer, answer
    result = answer["result"]
    whole = result["structuredContent"]
    assert result.get("isError", False) == (whole["status"] == "ERROR"), result
    assert json.loads(result["content"][0]["text"]) == for_reading(whole)
    assert not whole["error"] or whole["error"]["code"] != "INTERNAL_ERROR", whole  # in no test at all
    return whole


class Calls:
    """What both clients can do; `ask(tool, arguments)` gives the whole envelope."""

    def ok(self, tool, **arguments):
        """The data of an answer that is no error."""
        whole = self.ask(tool, arguments)
        if whole["status"] != "SUCCESS":
            raise Failed(f"{tool} {arguments}: {whole['error']}")
        return whole["data"]

    def messages(self, tool, **arguments):
        return self.ask(tool, arguments)["messages"]

    def error(self, code, tool, **arguments):
        """The error of an answer that must have this code."""
        whole = self.ask(tool, arguments)
        assert whole["status"] == "ERROR" and whole["data"] is None, f"{tool} {arguments}: no error: {whole}"
        assert whole["error"]["code"] == code, f"{tool} {arguments}: {whole['error']}"
        assert "INTERNAL" not in whole["error"]["message"] and whole["error"]["message"], whole
        return whole["error"]


class Stdio(Calls):
    """A server as a client starts it. Without `modern` it speaks as clients did before 2026-07-28."""

    def __init__(self, command, modern=False, environment=None, samples=None, revision=LEGACY):
        self.samples = samples  # answers sampling/createMessage with a text
        self.modern, self.last, self.notes, self.waiting = modern, 0, queue.Queue(), {}
        self.errors = []
        self.process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()
        if not modern:
            self.request("initialize", {"protocolVersion": revision, "capabilities": {"sampling": {}} if samples else {},
                                        "clientInfo": {"name": "t", "version": "1"}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                code = self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise AssertionError("it does not end with its input") from None
            assert kind or code == 0, f"it ended with {code}: {self.said()}"

    def _hear(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def said(self):
        return "".join(self.errors)

    def _listen(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": {
                    "role": "assistant", "model": "m", "content": {"type": "text", "text": self.samples(message["params"])}}})
            elif "id" in message:
                self.waiting.setdefault(message["id"], queue.Queue()).put(message)
            else:
                self.notes.put(message)
        for waiting in list(self.waiting.values()):
            waiting.put(None)

    def send(self, message):
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[self.process.stdin.write(data):]

    def begin(self, method, params):
        self.last += 1
        if self.modern:
            params = {**params, "_meta": {**META, **params.get("_meta", {})}}
        self.waiting[self.last] = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def end(self, number):
        answer = self.waiting[number].get(timeout=PATIENCE)
        assert answer is not None, f"the server is gone: {self.said()}"
        del self.waiting[number]
        return answer

    def request(self, method, params):
        return self.end(self.begin(method, params))

    def begin_call(self, tool, progress=None, **arguments):
        meta = {"_meta": {"progressToken": progress}} if progress else {}
        return self.begin("tools/call", {"name": tool, "arguments": arguments, **meta})

    def ask(self, tool, arguments):
        return envelope(self.request("tools/call", {"name": tool, "arguments": arguments}))

    def cancel(self, number):
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})

    def kill(self):
        self.process.kill()
        self.process.wait()


class Server:
    """On a free port, unless a configuration says where."""

    def __init__(self, command, environment=None):
        where = () if {"--config", "--http"} & set(command) else ("--http", "127.0.0.1:0")
        self.process = subprocess.Popen([*command, *where], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)(/[\w/]*)", line)
            if found:
                self.port, self.path = int(found[1]), found[2]
                self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
                self.reader.start()
                return
        raise AssertionError(f"it did not start: {self.log}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        code = self.stop()
        assert kind or code == 0, f"it ended with {code}: {self.log}"

    def begin_stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """What it ended with; then `log` has all that it said."""
        self.begin_stop()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("it does not stop") from None
        self.reader.join()
        return code

    def post(self, body, **headers):
        """What comes back for a message: the status, the headers and the last message of it, if any."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", self.path, json.dumps(body), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items() if value}})
        answer = connection.getresponse()
        data = answer.read().decode()
        connection.close()
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            data = [line[6:] for line in data.splitlines() if line.startswith("data: {")][-1]
        return answer.status, answer.headers, json.loads(data) if data.startswith("{") else None


def request(method, number=1, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


class Http(Calls):
    """A client without a session: 2026-07-28. Who enters it ends its server."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.server.__exit__(*what)

    def ask(self, tool, arguments):
        status, _, answer = self.server.post(
            request("tools/call", name=tool, arguments=arguments, _meta=META), MCP_Protocol_Version=MODERN,
            Mcp_Method="tools/call", Mcp_Name=tool, Authorization=self.token and f"Bearer {self.token}")
        assert status == 200, f"{status} {answer}"
        return envelope(answer)


class Session(Calls):
    """A client of the revisions before 2026-07-28 over HTTP: the server remembers it."""

    def __init__(self, server):
        self.server, self.id = server, None
        self.post(request("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "t", "version": "1"}))
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, body):
        status, headers, answer = self.server.post(body, MCP_Protocol_Version=LEGACY, Mcp_Session_Id=self.id)
        assert status in (200, 202), f"{status} {answer}"
        self.id = headers.get("Mcp-Session-Id") or self.id
        return answer

    def ask(self, tool, arguments):
        return envelope(self.post(request("tools/call", name=tool, arguments=arguments)))


# ---- Running ----------------------------------------------------------------------------------------------------

def tests_of(module):
    return [test for name, test in module.items() if name.startswith("test_")]


def main(tests, words):
    """Runs those whose name has one of the words in it; what the process is to end with."""
    tests = [test for test in tests if not words or any(word in test.__name__ for word in words)]
    failed = 0
    for test in tests:
        begin = time.monotonic()
        try:
            test()
            print(f"{test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"{test.__name__} FAILED\n{traceback.format_exc()}", flush=True)
    if not tests:
        return "no test has such a name"
    return f"{failed} of {len(tests)} tests failed" if failed else 0
