"""Clients that keep what came as bytes: on a pipe and over HTTP, of both eras. What they wait for has no deadline of its own but
PATIENCE, after which a test that hangs has failed.

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
    import parties
"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
TENON = BUILD / "bin" / "tenon"
PATIENCE = float(os.environ.get("PATIENCE", 120))
MODERN, LEGACY = "2026-07-28", "2025-11-25"
KEY = "io.modelcontextprotocol/"
DECODER = json.JSONDecoder()


def until(what, ask):
    """Asks again and again until the answer is a true one."""
    end = time.monotonic() + PATIENCE
    while not (answer := ask()):
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)
    return answer


def peak_of(pid):
    """The most memory that a process has had, in kilobytes; 0 when it is gone."""
    try:
        found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def processes_with(mark):
    """Those whose command line has this word."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in place.read_bytes().split(b"\0"):
                found.append(int(place.parent.name))
        except OSError:
            pass
    return found


def members(text):
    """The members of an object as [(name, text of its value)], in their order and as they are written."""
    found, at = [], text.index("{") + 1
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
        if text[at] == "}":
            return found
        name, at = DECODER.raw_decode(text, at)
        at = text.index(":", at) + 1
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n"))
        _, end = DECODER.raw_decode(text, at)
        found.append((name, text[at:end]))
        at = end


def member(text, name):
    """The text of one member, or None."""
    return dict(members(text)).get(name)


class Client:
    """What both transports share. `answers` has a result for each method that the server may ask, or a function of its params."""

    def __init__(self, modern, revision, abilities, answers):
        self.modern, self.revision = modern, revision
        self.abilities, self.answers = abilities or {}, answers or {}
        self.number, self.notes, self.asked = 0, [], []

    def hello(self):
        if self.modern:
            return self.ask("server/discover")
        said = self.ask("initialize", {"protocolVersion": self.revision, "capabilities": self.abilities,
                                       "clientInfo": {"name": "wire", "version": "1"}})
        self.tell("notifications/initialized")
        return said

    def message(self, method, params, meta):
        self.number += 1
        params = dict(params or {})
        if self.modern:
            meta = {KEY + "protocolVersion": MODERN, KEY + "clientCapabilities": self.abilities,
                    KEY + "clientInfo": {"name": "wire", "version": "1"}, **(meta or {})}
        if meta:
            params["_meta"] = meta
        return {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}

    def answer(self, question):
        """The response to a question of the server."""
        self.asked.append(question)
        said = self.answers.get(question["method"])
        if said is None:
            return {"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32601, "message": "not here"}}
        return {"jsonrpc": "2.0", "id": question["id"],
                "result": said(question.get("params")) if callable(said) else said}

    def answer_round(self, text):
        """The inputResponses of a result that asks for input."""
        said = {}
        for key, asked in json.loads(text)["inputRequests"].items():
            said[key] = self.answer({"id": key, **asked})["result"]
        return said

    def ask(self, method, params=None, meta=None):
        """The whole answer as text; questions in between are answered, rounds of input too."""
        text = self.exchange(self.message(method, params, meta))
        for _ in range(8):
            result = member(text, "result")
            if not self.modern or not result or member(result, "resultType") != '"input_required"':
                break
            again = {**(params or {}), "inputResponses": self.answer_round(result)}
            state = json.loads(result).get("requestState")
            if state is not None:
                again["requestState"] = state
            text = self.exchange(self.message(method, again, meta))
        return text

    def call(self, name, arguments, meta=None):
        return self.ask("tools/call", {"name": name, "arguments": arguments}, meta)


class Pipe(Client):
    """A program as a client starts it."""

    def __init__(self, words, modern=False, revision=LEGACY, abilities=None, answers=None, environment=None, folder=None):
        super().__init__(modern, revision, abilities, answers)
        self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment, cwd=folder)
        self.lines, self.errors, self.kept, self.lock = queue.Queue(), [], {}, threading.Lock()
        self.ids, self.peak = set(), 0  # of all answers that came; kilobytes of memory at the most, known at its end
        self.threads = [threading.Thread(target=one, daemon=True) for one in (self._read, self._log)]
        for thread in self.threads:
            thread.start()
        self.first = self.hello()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.peak = peak_of(self.process.pid)
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        guarded = "guard" in map(str, self.process.args)
        if not guarded:
            self.process.terminate()  # a server that waits for an answer of its client may wait for a minute
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.threads[0].join(PATIENCE)
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            self.take(line, answers=False)
        if kind is None and guarded:
            assert code == 0, (code, self.errors[-20:])

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "surrogateescape").rstrip("\r\n"))
        self.lines.put(None)

    def _log(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def write(self, data):
        with self.lock:
            self.process.stdin.write(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
            self.process.stdin.flush()

    def tell(self, method, params=None):
        self.write({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def start(self, method, params=None, meta=None):
        message = self.message(method, params, meta)
        self.write(message)
        return message["id"]

    def wait(self, number):
        """The answer to a request, as text."""
        while number not in self.kept:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, ("the program ended", self.process.poll(), self.errors[-20:])
            self.take(line)
        return self.kept.pop(number)

    def take(self, line, answers=True):
        message = json.loads(line)
        if "method" not in message:
            assert message.get("id") not in self.ids, ("answered twice", line[:500])
            self.ids.add(message.get("id"))
            self.kept[message.get("id")] = line
        elif "id" in message and answers:
            self.write(self.answer(message))
        else:
            self.notes.append(message)

    def exchange(self, message):
        self.write(message)
        return self.wait(message["id"])


class Server:
    """A program that serves HTTP."""

    def __init__(self, words, environment=None, folder=None):
        self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, env=environment, cwd=folder)
        self.errors, self.url = [], None
        threading.Thread(target=self._log, daemon=True).start()
        end = time.monotonic() + PATIENCE
        while not self.url:
            assert self.process.poll() is None and time.monotonic() < end, self.errors
            time.sleep(0.02)

    def _log(self):
        for line in self.process.stderr:
            text = line.decode("utf-8", "replace")
            self.errors.append(text)
            found = re.search(r"listening on (http:\S+)", text)
            if found:
                self.url = found[1]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.terminate()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        if kind is None:
            assert code == 0, (code, self.errors[-20:])


class Http(Client):
    """A client of an address; each request is a connection of its own."""

    def __init__(self, url, modern=False, revision=LEGACY, abilities=None, answers=None):
        super().__init__(modern, revision, abilities, answers)
        self.url, self.session, self.opened = urllib.parse.urlsplit(url), None, []
        self.first = self.hello()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.session:
            connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=PATIENCE)
            connection.request("DELETE", self.url.path, headers=self.headers({}))
            connection.getresponse().read()
            connection.close()

    def headers(self, message):
        given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.modern:
            params = message.get("params", {})
            given.update({"MCP-Protocol-Version": MODERN, "Mcp-Method": message.get("method", "")})
            name = params.get("name", params.get("uri"))
            if name is not None:
                given["Mcp-Name"] = name
        elif self.session:
            given.update({"Mcp-Session-Id": self.session, "MCP-Protocol-Version": self.revision})
        return given

    def begin(self, message):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=PATIENCE)
        connection.request("POST", self.url.path, json.dumps(message).encode(), self.headers(message))
        self.opened.append(connection)
        return connection

    def post(self, message):
        connection = self.begin(message)
        response = connection.getresponse()
        self.session = response.headers.get("Mcp-Session-Id", self.session)
        return connection, response

    def tell(self, method, params=None):
        connection, response = self.post({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})
        response.read()
        connection.close()

    def events(self, response):
        """The messages of a stream, as text."""
        data = []
        for line in response:
            line = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
            if line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif not line and data:
                text, data = "\n".join(data), []
                if text:
                    yield text

    def exchange(self, message):
        connection, response = self.post(message)
        try:
            if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                text = response.read().decode("utf-8", "surrogateescape")
                assert text, (response.status, message)
                return text
            for text in self.events(response):
                came = json.loads(text)
                if "method" not in came:
                    return text
                if "id" in came:
                    other, taken = self.post(self.answer(came))
                    taken.read()
                    other.close()
                else:
                    self.notes.append(came)
            raise AssertionError(("the stream ended without an answer", message))
        finally:
            connection.close()


def run_one(name, test):
    """Runs a test and prints how it ended; was it well?"""
    begin = time.monotonic()
    try:
        said = test()
        print(f"ok {name} ({time.monotonic() - begin:.1f} s){': ' + said if said else ''}", flush=True)
        return True
    except Exception as fault:  # pylint: disable=broad-except
        place = fault.__traceback__
        while place.tb_next:
            place = place.tb_next
        print(f"FAILED {name}: {type(fault).__name__}: {str(fault)[:4000]} "
              f"({pathlib.Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno})", flush=True)
        return False


def main(tests, words):
    """Runs the tests whose name has one of the words in it; the exit status."""
    chosen = [(name, test) for name, test in tests if not words or any(word in name for word in words)]
    return 0 if all([run_one(name, test) for name, test in chosen]) else 1


def main_at_once(tests, words, most=4):
    """The same for tests that do not disturb each other, several at a time: most of what they do is wait."""
    chosen = [(name, test) for name, test in tests if not words or any(word in name for word in words)]
    with concurrent.futures.ThreadPoolExecutor(most) as threads:
        return 0 if all(list(threads.map(lambda one: run_one(*one), chosen))) else 1


def tests_of(module):
    return [(name[5:].replace("_", " "), test) for name, test in vars(module).items() if name.startswith("test_")]
