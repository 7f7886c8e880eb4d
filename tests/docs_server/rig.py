"""The documentation server as its clients meet it: over standard streams and over HTTP, on folders made for the test."""
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
TENON = BUILD / "bin" / "tenon"
PATIENCE = float(os.environ.get("PATIENCE", 120))  # seconds until a test that hangs has failed; nothing is measured
MODERN = "2026-07-28"
LEGACY = "2025-11-25"


LONG = False  # more files, more often


def long():
    return LONG


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


# ---- Projects ---------------------------------------------------------------------------------------------------

class Place:
    """A temporary folder with projects, and a database."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="tenon-docs-"))
        self.database = self.path / "index" / "docs.db"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for folder, _, _ in os.walk(self.path):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.path)

    def project(self, folder="project", name=None, files=None, **config):
        """Makes one with a configuration; **config is added to it."""
        project = Project(self.path / folder)
        config = {"project_name": name or "demo", "plain_documents": True, **config}
        project.write(".tenon/config.json", json.dumps(config))
        (project.path / "docs").mkdir(exist_ok=True)
        for path, text in (files or {}).items():
            project.doc(path, text)
        return project

    def sql(self, statement, *values):
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=60)) as database:
            return database.execute(statement, values).fetchall()

    def is_sound(self):
        assert self.sql("PRAGMA integrity_check") == [("ok",)]
        assert self.sql("PRAGMA foreign_key_check") == []
        return True


class Project:
    def __init__(self, path):
        self.path = path
        self.config = path / ".tenon" / "config.json"

    def write(self, path, data):
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())
        return target

    def doc(self, path, data):
        return self.write(f"docs/{path}", data)

    def read(self, path):
        return (self.path / "docs" / path).read_bytes()


def front(doc_type="insight", title="Title", level=None, body="Text.\n", **more):
    """A document of a built-in type, with everything that its schema wants."""
    own = {
        "insight": {"insight_type": "business_logic", "impact_area": "billing"},
        "style": {"style_type": "naming", "scope": "project", "rationale": "readers"},
        "codebase": {"knowledge_type": "architecture", "scope": "module"},
        "tool": {"tool_name": "make", "version": "4.4", "knowledge_type": "gotcha"},
        "problem": {"problem_type": "bug", "symptoms": "[crash]", "root_cause": "a race", "solution": "a lock"},
    }[doc_type]
    fields = {"doc_type": doc_type, "title": title, "date": "2026-01-31", "summary": f"About {title}.",
              "significance": "behavioral", **own, **more}
    if level:
        fields["promotion_level"] = level
    lines = [f"{key}: {value}" for key, value in fields.items()]
    return "\n".join(["---", *lines, "---", "", body])


# ---- Clients ----------------------------------------------------------------------------------------------------

def envelope(answer):
    assert "result" in answer, answer
    result = answer["result"]
    whole = result["structuredContent"]
    assert result.get("isError", False) == (whole["status"] == "ERROR"), result
    assert json.loads(result["content"][0]["text"]) == whole
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

    def activate(self, project, branch="main"):
        return self.ok("activate_project", config_path=str(project.config), branch_name=branch)

    def found(self, query, score=0.0, **arguments):
        """The paths that a search finds, the best first."""
        data = self.ok("semantic_search", query=query, min_relevance_score=score, limit=100, **arguments)
        return [item["path"] for item in data["results"]]


class Stdio(Calls):
    """A server as a client starts it. Without `modern` it speaks as clients did before 2026-07-28."""

    def __init__(self, place, *flags, modern=False, environment=None, command=None, samples=None):
        self.samples = samples  # answers sampling/createMessage with a text
        self.modern, self.last, self.notes, self.waiting = modern, 0, queue.Queue(), {}
        self.errors = []
        self.process = subprocess.Popen(
            command or [TENON, "serve", "docs", "--db", place.database, *flags], bufsize=0, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()
        if not modern:
            self.request("initialize", {"protocolVersion": LEGACY, "capabilities": {"sampling": {}} if samples else {},
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
            params = {**params, "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN,
                                          "io.modelcontextprotocol/clientCapabilities": {},
                                          **params.get("_meta", {})}}
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


class HttpServer:
    """A server on a free port."""

    def __init__(self, place, *flags, environment=None):
        self.process = subprocess.Popen(
            [TENON, "serve", "docs", "--db", place.database, *(() if "--config" in flags else ("--http", "127.0.0.1:0")), *flags], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)(/\S*)", line)
            if found:
                self.port, self.path = int(found[1]), found[2]
                threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
                return
        raise AssertionError(f"it did not start: {self.log}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        assert kind or code == 0, f"it ended with {code}: {self.log}"


class Http(Calls):
    """A client without a session: 2026-07-28."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token

    def ask(self, tool, arguments):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments,
            "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN,
                      "io.modelcontextprotocol/clientCapabilities": {}}}}
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request("POST", self.server.path, json.dumps(body), headers)
        answer = connection.getresponse()
        data = answer.read().decode()
        connection.close()
        assert answer.status == 200, f"{answer.status} {data}"
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            messages = [json.loads(line[6:]) for line in data.splitlines() if line.startswith("data: {")]
            return envelope([message for message in messages if "id" in message][-1])
        return envelope(json.loads(data))


class Session(Calls):
    """A client of the revisions before 2026-07-28 over HTTP: the server remembers its project."""

    def __init__(self, server):
        self.server, self.id = server, None
        self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, body):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": LEGACY, **({"Mcp-Session-Id": self.id} if self.id else {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request("POST", self.server.path, json.dumps(body), headers)
        answer = connection.getresponse()
        data = answer.read().decode()
        connection.close()
        assert answer.status in (200, 202), f"{answer.status} {data}"
        self.id = answer.getheader("Mcp-Session-Id") or self.id
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            return [json.loads(line[6:]) for line in data.splitlines() if line.startswith("data: {")][-1]
        return json.loads(data) if data else None

    def ask(self, tool, arguments):
        return envelope(self.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                   "params": {"name": tool, "arguments": arguments}}))


class OverHttp(Http):
    """In the place of Stdio: a server of its own, and the handle of the last activation in every call after it."""

    def __init__(self, place, *flags):
        super().__init__(HttpServer(place, "--root", place.path, *flags))
        self.handle = None

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.server.__exit__(*what)

    def ask(self, tool, arguments):
        if self.handle and tool != "activate_project":
            arguments = {"project_handle": self.handle, **arguments}
        whole = super().ask(tool, arguments)
        if tool == "activate_project" and whole["data"]:
            self.handle = whole["data"]["project_handle"]
        return whole


def only_stdio(test):
    """Not for OverHttp."""
    test.only_stdio = True
    return test


def token_flag(name, token):
    return f"--token={name}:sha256:{hashlib.sha256(token.encode()).hexdigest()}"


def run(*words, **how):
    """`tenon` to its end: its status, output and errors."""
    done = subprocess.run([TENON, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          check=False, **how)
    return done.returncode, done.stdout, done.stderr
