#!/usr/bin/env python3
"""Questions of servers to clients through `tenon guard`, in every pair of eras, on a pipe and over HTTP.

    tests/guard_park/run.py [NAME...]    the tests whose name has one of these words in it
"""
import base64
import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import traceback

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TENON = (pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build/dev")) / "bin/tenon").resolve()
PATIENCE = 60  # seconds until a test that hangs has failed; nothing is measured
META = "io.modelcontextprotocol/"
ALL = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
FORM = {"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {
    "type": "object", "properties": {"name": {"type": "string"}}}}}
PAGE = {"method": "elicitation/create", "params": {"mode": "url", "url": "https://example.com/a?b", "message": "go",
                                                   "elicitationId": "e1"}}
SAMPLE = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 10}}
ROOTS = {"method": "roots/list"}
YES = {"action": "accept", "content": {"name": "a"}}


def until(what, ask):
    end = time.monotonic() + PATIENCE
    while not (found := ask()):
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)
    return found


class Program:
    """A guard before asker.py, or before other words."""

    def __init__(self, *flags, upstream=(), environment=None, configured=None):
        self.folder = tempfile.TemporaryDirectory()
        self.record = pathlib.Path(self.folder.name) / "lines"
        words = [sys.executable, str(HERE / "asker.py"), "--record", str(self.record), *upstream]
        self.server = None
        if configured:  # name: what its file says of it
            file = pathlib.Path(self.folder.name) / "guard.json"
            file.write_text(json.dumps({"upstreams": {name: {"command": words, **more} for name, more in configured.items()}}))
            file.chmod(0o600)
            target = ["--config", str(file)]
        elif "--http" in upstream:
            self.server = subprocess.Popen(words, stdout=subprocess.PIPE)
            target = [f"http://127.0.0.1:{int(self.server.stdout.readline())}/mcp"]
        else:
            target = ["--", *words]
        self.on_http = "--http" in flags
        self.process = subprocess.Popen([TENON, "guard", *flags, *target], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        self.errors, self.lines = [], queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._log, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode())
        self.lines.put(None)

    def _log(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.stop(kind is None)
        finally:
            if self.server:
                self.server.kill()
                self.server.wait()
                self.server.stdout.close()
        self.folder.cleanup()

    def stop(self, check=True):
        if self.process.returncode is not None:
            return
        self.process.stdin.close()
        if self.on_http:
            self.process.terminate()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        assert not check or code == 0, (code, self.errors)

    def url(self):
        return until("a listening guard", lambda: next((line.split("listening on ")[1].strip() for line in list(self.errors)
                                                        if "listening on " in line), None))

    def got(self):
        """What the server got, so far."""
        return [json.loads(line) for line in self.record.read_text().splitlines()] if self.record.exists() else []

    def got_calls(self, name="ask"):
        return [one for one in self.got() if one.get("method") == "tools/call" and one["params"]["name"] == name]


class Client:
    """What clients of both kinds of connection have in common."""

    def __init__(self, modern, abilities):
        self.modern, self.abilities, self.number = modern, abilities, 0
        self.answers, self.asked, self.notes = {}, [], []

    def message(self, method, params, meta=None):
        self.number += 1
        params = dict(params or {})
        if self.modern:
            meta = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": self.abilities,
                    META + "clientInfo": {"name": "c", "version": "0"}, **(meta or {})}
        if meta:
            params["_meta"] = meta
        return {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}

    def hello(self):
        answer = self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": self.abilities,
                                             "clientInfo": {"name": "c", "version": "0"}})
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def take(self, message):
        if "method" not in message:
            self.answers[message.get("id")] = message
        elif "id" in message:
            self.asked.append(message)
        else:
            self.notes.append(message)

    def request(self, method, params=None, meta=None):
        message = self.message(method, params, meta)
        self.write(message)
        return self.wait(message["id"])

    def start(self, steps, tool="ask", meta=None, **more):
        message = self.message("tools/call", {"name": tool, "arguments": {"steps": steps}, **more}, meta)
        self.write(message)
        return message["id"]

    def call(self, steps, tool="ask", **more):
        return self.wait(self.start(steps, tool, **more))

    def again(self, steps, asked, responses=None, tool="ask", meta=None):
        """The same call with the state of an answer that asks, and answers to it."""
        more = {} if responses is None else {"inputResponses": responses}
        return self.call(steps, tool, meta=meta, requestState=asked["requestState"], **more)


class Pipe(Client):
    def __init__(self, program, modern, abilities=None):
        super().__init__(modern, ALL if abilities is None else abilities)
        self.program = program
        self.greeting = None if modern else self.hello()

    def write(self, message):
        self.program.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.program.process.stdin.flush()

    def next(self):
        line = self.program.lines.get(timeout=PATIENCE)
        assert line is not None, ("the guard ended", self.program.errors)
        self.take(json.loads(line))

    def wait(self, number):
        while number not in self.answers:
            self.next()
        return self.answers.pop(number)

    def question(self):
        while not self.asked:
            self.next()
        return self.asked.pop(0)


class Http(Client):
    """Each request has a thread of its own, which reads what comes on its stream."""

    def __init__(self, program, modern, abilities=None, token=None):
        super().__init__(modern, ALL if abilities is None else abilities)
        self.program, self.token, self.session = program, token, None
        self.address = program.url().split("/")[2]
        self.greeting = None if modern else self.hello()

    def write(self, message):
        thread = threading.Thread(target=self._post, args=(message,), daemon=True)
        thread.start()
        if "method" not in message or "id" not in message:
            thread.join(PATIENCE)

    def _post(self, message):
        with contextlib.suppress(OSError, http.client.HTTPException):  # the guard may end before it answers
            self._exchange(message)

    def _exchange(self, message):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if self.modern:
            headers["MCP-Protocol-Version"] = "2026-07-28"
            headers["Mcp-Method"] = message["method"]
            name = message["params"].get("name") or message["params"].get("uri") or message["params"].get("taskId")
            if name:
                headers["Mcp-Name"] = name
        elif self.session:
            headers["Mcp-Session-Id"] = self.session
            headers["MCP-Protocol-Version"] = "2025-11-25"
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        connection.request("POST", "/mcp", json.dumps(message).encode(), headers)
        response = connection.getresponse()
        self.session = response.getheader("Mcp-Session-Id") or self.session
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            for line in response:
                if line.startswith(b"data:") and line[5:].strip():
                    self.take(json.loads(line[5:]))
        else:
            body = response.read()
            if body:
                self.take(json.loads(body))
        connection.close()

    def wait(self, number):
        until("an answer", lambda: number in self.answers)
        return self.answers.pop(number)

    def question(self):
        until("a question", lambda: self.asked)
        return self.asked.pop(0)


@contextlib.contextmanager
def http_guard(names=("ann",), upstream=(), flags=()):
    with tempfile.TemporaryDirectory() as folder:
        tokens = pathlib.Path(folder) / "tokens"
        text = ""
        for name in names:
            text += subprocess.run([TENON, "token", "--read", name], input=secret(name), capture_output=True, text=True,
                                   check=True).stdout
        tokens.write_text(text)
        tokens.chmod(0o600)
        with Program("--http", "127.0.0.1:0", "--tokens-file", str(tokens), *flags, upstream=upstream) as program:
            yield program


def secret(name):
    return base64.urlsafe_b64encode(hashlib.sha256(name.encode()).digest()).decode().rstrip("=")


def both(modern, upstream=(), abilities=None):
    """The same client twice: on a pipe, and over HTTP."""
    with Program(upstream=upstream) as program:
        yield Pipe(program, modern, abilities)
    with http_guard(upstream=upstream) as program:
        yield Http(program, modern, abilities, token=secret("ann"))


def found(answer):
    assert "result" in answer and not answer["result"].get("isError"), answer
    assert answer["result"].get("resultType", "complete") == "complete", answer
    return json.loads(answer["result"]["content"][0]["text"])


def asks(answer):
    result = answer["result"]
    assert result.get("resultType") == "input_required", answer
    return result


def refused_state(answer):
    assert answer["error"]["code"] == -32602 and answer["error"]["data"]["reason"] == "invalid_request_state", answer


def code(answer):
    assert answer["result"]["isError"] is True, answer
    return json.loads(answer["result"]["content"][0]["text"])["error"]["code"]


def answer_by(client, question, result):
    client.write({"jsonrpc": "2.0", "id": question["id"], "result": result})


# ---- The four cells ----------------------------------------------------------------------------------------------


def test_legacy_client_legacy_server():
    for client in both(modern=False):
        number = client.start([[FORM, SAMPLE], [ROOTS]])
        first, second = client.question(), client.question()
        assert [first["method"], second["method"]] == [FORM["method"], SAMPLE["method"]]
        assert first["params"] == FORM["params"], first
        answer_by(client, second, {"role": "assistant", "content": {"type": "text", "text": "m"}, "model": "x"})
        answer_by(client, first, YES)
        answer_by(client, client.question(), {"roots": []})
        assert found(client.wait(number)) == [YES, {"role": "assistant", "content": {"type": "text", "text": "m"},
                                                    "model": "x"}, {"roots": []}]


def test_legacy_client_modern_server():
    for client in both(modern=False, upstream=["--modern"]):
        steps = [[FORM, SAMPLE], [{**PAGE, "params": {key: PAGE["params"][key] for key in ("mode", "url", "message")}}]]
        number = client.start(steps)
        first, second = client.question(), client.question()
        answer_by(client, second, {"model": "x"})
        answer_by(client, first, YES)
        page = client.question()
        assert page["params"]["elicitationId"] and page["params"]["url"] == PAGE["params"]["url"], page
        assert "example.com]" in page["params"]["message"], page
        answer_by(client, page, {"action": "decline"})
        assert found(client.wait(number)) == [YES, {"model": "x"}, {"action": "decline"}]


def test_modern_client_modern_server():
    for client in both(modern=True, upstream=["--modern", "--state", "200000"]):
        steps = [[FORM, SAMPLE], [FORM]]
        first = asks(client.call(steps))
        assert first["inputRequests"]["k0"] == FORM and first["inputRequests"]["k1"] == SAMPLE, first
        assert "round" not in first["requestState"]
        second = asks(client.again(steps, first, {"k0": YES, "k1": {"model": "x"}}))
        assert found(client.again(steps, second, {"k0": {"action": "cancel"}})) == [YES, {"model": "x"},
                                                                                    {"action": "cancel"}]


def test_modern_client_legacy_server():
    for client in both(modern=True):
        steps = [[FORM, SAMPLE], {"progress": 1}, [ROOTS]]
        first = asks(client.call(steps))
        assert first["inputRequests"] == {"q1": FORM, "q2": SAMPLE}, first
        assert first["_meta"][META + "serverInfo"]["name"] == "up", first
        assert "ttlMs" not in first and "cacheScope" not in first
        second = asks(client.again(steps, first, {"q1": YES, "q2": {"model": "x"}, "q9": {}}))
        assert second["inputRequests"] == {"q3": ROOTS} and second["requestState"] != first["requestState"], second
        assert found(client.again(steps, second, {"q3": {"roots": []}})) == [YES, {"model": "x"}, {"roots": []}]
        assert len(client.program.got_calls()) == 1, client.program.got()


# ---- Parked calls ------------------------------------------------------------------------------------------------


def test_prompts_and_resources_are_parked_too_and_nothing_else():
    with Program() as program:
        client = Pipe(program, True)
        for method, params in (("prompts/get", {"name": "p"}), ("resources/read", {"uri": "ask://x"})):
            first = asks(client.request(method, params))
            last = client.request(method, {**params, "requestState": first["requestState"], "inputResponses": {"q1": YES}})
            assert '"name": "a"' in json.dumps(last).replace("\\", ""), last
            assert ("ttlMs" in last["result"]) == (method == "resources/read"), last
        done = client.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {
            "name": "a", "value": ""}})
        assert "-32601" in json.dumps(done), done


def test_missing_answers_are_asked_for_again():
    with Program() as program:
        client, steps = Pipe(program, True), [[FORM, FORM]]
        first = asks(client.call(steps))
        second = asks(client.again(steps, first, {"q2": YES}))
        assert second["inputRequests"] == {"q1": FORM}, second
        third = asks(client.again(steps, second))  # without any
        fourth = asks(client.again(steps, third, {"q1": "not an object"}))
        assert fourth["inputRequests"] == {"q1": FORM}
        assert found(client.again(steps, fourth, {"q1": {"action": "decline"}})) == [{"action": "decline"}, YES]


def test_a_state_is_good_once_and_for_its_own_call():
    with Program() as program:
        client, steps = Pipe(program, True), [[FORM]]
        first = asks(client.call(steps))
        refused_state(client.again([[FORM, FORM]], first, {"q1": YES}))  # other arguments
        refused_state(client.again(steps, first, {"q1": YES}, tool="other"))
        refused_state(client.again(steps, {"requestState": first["requestState"][:-2] + "AA"}, {"q1": YES}))
        refused_state(client.again(steps, {"requestState": ""}, {"q1": YES}))
        refused_state(client.call(steps, requestState=7))
        refused_state(client.request("prompts/get", {"name": "ask", "requestState": first["requestState"]}))
        assert found(client.again(steps, first, {"q1": YES})) == [YES]
        refused_state(client.again(steps, first, {"q1": YES}))  # used, and its call has ended
        second = asks(client.call(steps))
        third = asks(client.again(steps, second))
        refused_state(client.again(steps, second, {"q1": YES}))  # used; its call goes on
        assert found(client.again(steps, third, {"q1": YES})) == [YES]
        assert len(program.got_calls()) == 2, program.got()


def test_a_state_is_of_its_caller():
    for upstream in ([], ["--modern"]):
        with http_guard(("ann", "bob"), upstream=upstream) as program:
            ann, bob = (Http(program, True, token=secret(name)) for name in ("ann", "bob"))
            steps = [[FORM]]
            first = asks(ann.call(steps))
            key = next(iter(first["inputRequests"]))
            before = len(program.got())
            refused_state(bob.again(steps, first, {key: YES}))
            assert not [one for one in program.got()[before:] if one.get("method") == "tools/call"], program.got()
            assert found(ann.again(steps, first, {key: YES})) == [YES]


def test_clients_without_a_name_are_asked_by_servers_of_their_own():
    def starts():
        return [one["params"]["capabilities"] for one in program.got() if one.get("method") == "initialize"]

    with Program("--http", "127.0.0.1:0") as program:
        client = Http(program, True)
        forms = [{**FORM, "params": {**FORM["params"], "message": f"question {number}"}} for number in range(8)]
        parked = [asks(client.call([[form]])) for form in forms]
        for form, first in zip(forms, parked):  # each its own, though all of them wait
            assert [one["params"]["message"] for one in first["inputRequests"].values()] == [form["params"]["message"]], first
        assert starts() == [ALL] * 8, starts()
        refusals = found(client.call([[FORM]]))  # one more has the server that all share, which can ask nothing
        assert refusals[0]["error"]["code"] == -32601 and starts()[8:] == [{}], (refusals, starts())
        for form, first in reversed(list(zip(forms, parked))):
            assert found(client.again([[form]], first, {key: YES for key in first["inputRequests"]})) == [YES]
        one = asks(client.call([[FORM]]))  # a server that rests is used again
        assert found(client.again([[FORM]], one, {key: YES for key in one["inputRequests"]})) == [YES]
        assert found(Http(program, True, {}).call([])) == []
        assert len(starts()) == 9, starts()


def test_a_state_is_of_its_replica():
    """Two guards with one key: a parked call waits at one of them, and the other says that it does not have it."""
    steps = [[FORM]]
    with tempfile.TemporaryDirectory() as folder:
        key = ("--key-file", str(pathlib.Path(folder) / "key"))
        with http_guard(flags=key) as one, http_guard(flags=key) as other:
            here, there = (Http(program, True, token=secret("ann")) for program in (one, other))
            first = asks(here.call(steps))
            name = next(iter(first["inputRequests"]))
            refused_state(there.again(steps, first, {name: YES}))
            assert not other.got_calls() and len(one.got_calls()) == 1
            assert found(here.again(steps, first, {name: YES})) == [YES]


def test_a_state_does_not_outlive_its_guard():
    steps = [[FORM]]
    with Program() as program:
        first = asks(Pipe(program, True).call(steps))
    with Program() as program:
        refused_state(Pipe(program, True).again(steps, first, {"q1": YES}))
        assert not program.got_calls()


def test_the_seventeenth_parked_call_of_a_caller_is_not_parked():
    with Program() as program:
        client = Pipe(program, True)
        parked = []
        for number in range(16):
            steps = [[FORM], {"progress": number}]
            parked.append((steps, asks(client.call(steps))))
        assert found(client.call([[FORM]])) == [{"action": "cancel"}]
        assert found(client.call([[SAMPLE]]))[0]["error"]["code"] == -32603
        for steps, first in parked:
            assert found(client.again(steps, first, {"q1": YES})) == [YES]
        asks(client.call([[FORM]]))


def test_a_result_that_comes_meanwhile_is_kept():
    with Program() as program:
        client = Pipe(program, True)
        first = asks(client.call([{"leave": FORM}, [FORM]]))
        assert set(first["inputRequests"]) == {"q1", "q2"}
        found(client.again([{"leave": FORM}, [FORM]], first, {"q1": YES, "q2": YES}))
        # withdrawn by another call while no request waits for it: the call goes on, and its result is kept
        first = asks(client.call([[FORM], {"big": 300000}]))
        assert found(client.call([], tool="withdraw")) == 1
        last = found(client.again([[FORM], {"big": 300000}], first, {"q1": YES}))
        assert last == ["withdrawn", "x" * 300000]
        steps = [[FORM], {"error": {"code": -32602, "message": "as you like"}}]
        first = asks(client.call(steps))
        assert found(client.call([], tool="withdraw")) == 1
        last = client.again(steps, first)["result"]
        assert last["isError"] and last["content"][0]["text"] == "as you like", last


def test_a_refusal_after_which_the_list_is_asked_for_again():
    steps = [[FORM], {"error": {"code": -32602, "message": "unknown tool: ask"}}]
    with Program() as program:
        client = Pipe(program, True)
        first = asks(client.request("tools/call", {"name": "ask", "arguments": {"steps": json.dumps(steps)}}))  # repaired
        last = client.request("tools/call", {"name": "ask", "arguments": {"steps": json.dumps(steps)}, "inputResponses": {
            "q1": YES}, "requestState": first["requestState"]})
        assert last["result"]["isError"] and last["result"]["content"][0]["text"] == "unknown tool: ask", last
        first = asks(client.call(steps))
        assert found(client.call([], tool="withdraw")) == 1
        last = client.again(steps, first)
        assert last["result"]["isError"] and last["result"]["content"][0]["text"] == "unknown tool: ask", last


def test_a_result_that_is_too_long_to_be_kept_is_reported():
    """All results come while no request waits for them; a caller's share keeps the first ones alone."""
    with Program() as program:
        client, most, parked = Pipe(program, True), 6 << 20, []
        for number in range(4):
            steps = [[FORM], {"progress": number}, {"big": most}]
            parked.append((steps, asks(client.call(steps))))
        assert found(client.call([], tool="withdraw")) == 4
        assert found(client.call([], tool="settle")) == 4
        codes = []
        for steps, first in parked:
            answer = client.again(steps, first)
            if answer["result"].get("isError"):
                codes.append(code(answer))
            else:
                assert found(answer) == ["withdrawn", "x" * most]
                codes.append("whole")
        assert sorted(set(codes)) == ["LIMIT_EXCEEDED", "whole"], codes


def test_huge_answers_pass():
    with Program() as program:
        client = Pipe(program, True)
        first = asks(client.call([[FORM]]))
        huge = {"action": "accept", "content": {"name": "x" * 1000000}}
        assert found(client.again([[FORM]], first, {"q1": huge})) == [huge]


def test_a_question_that_is_taken_back_is_not_asked():
    with Program() as program:
        client = Pipe(program, True)
        assert found(client.call([{"withdraw": FORM}])) == []
        first = asks(client.call([{"withdraw": FORM}, [FORM]]))
        assert list(first["inputRequests"]) == ["q2"], first
        assert found(client.again([{"withdraw": FORM}, [FORM]], first, {"q1": YES, "q2": YES})) == [YES]
    for client in both(modern=False):
        number = client.start([{"withdraw": FORM}, [SAMPLE]])
        questions = [client.question(), client.question()]
        until("a cancel", lambda c=client: [one for one in c.notes if one["method"] == "notifications/cancelled"])
        gone = [one["params"]["requestId"] for one in client.notes]
        assert gone == [questions[0]["id"]], (gone, questions)
        answer_by(client, questions[0], YES)  # late: dropped
        answer_by(client, questions[1], {"model": "x"})
        assert found(client.wait(number)) == [{"model": "x"}]


def test_what_was_not_promised_is_refused():
    with Program() as program:
        client = Pipe(program, True, {"elicitation": {}})
        got = found(client.call([[SAMPLE], [PAGE], [ROOTS]]))
        assert [one["error"]["code"] for one in got] == [-32601] * 3, got
        asks(client.call([[FORM]]))
    with Program() as program:  # nothing at all: one server for all of its kind
        client = Pipe(program, True, {})
        assert found(client.call([[FORM]]))[0]["error"]["code"] == -32601
    with Program() as program:
        client = Pipe(program, False, {"elicitation": {}})
        assert found(client.call([[SAMPLE]]))[0]["error"]["code"] == -32601
    with Program() as program:  # the next request has its own abilities
        client = Pipe(program, True)
        first = asks(client.call([[FORM, SAMPLE]]))
        client.abilities = {"elicitation": {}}
        last = found(client.again([[FORM, SAMPLE]], first, {"q1": YES}))
        assert last[0] == YES and last[1]["error"]["code"] == -32601, last


def test_secrets_are_not_asked_for_in_forms():
    for name in ("password", "github_token", "apiKey"):
        form = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {
            "type": "object", "properties": {name: {"type": "string"}}}}}
        for modern in (False, True):
            with Program() as program:
                got = found(Pipe(program, modern).call([[form]]))
                assert "DENIED" in got[0]["error"]["message"], got
            with Program(upstream=["--modern"]) as program:
                error = json.loads(Pipe(program, modern).call([[form]])["result"]["content"][0]["text"])["error"]
                assert (error["code"], error["details"]) == ("DENIED", {"reason": "question"}), error


def test_pages_show_their_host_and_have_an_id_where_it_is_needed():
    for modern in (False, True):
        with Program() as program:
            client = Pipe(program, modern)
            number = client.start([[PAGE]])
            if modern:
                params = asks(client.wait(number))["inputRequests"]["q1"]["params"]
                assert "elicitationId" not in params, params
            else:
                params = client.question()["params"]
                assert params["elicitationId"] == "e1", params
            assert params["message"].endswith(", example.com] go") and params["url"] == PAGE["params"]["url"], params


def test_the_end_of_the_server_ends_parked_calls():
    with Program() as program:
        client = Pipe(program, True)
        first = asks(client.call([[FORM]]))
        assert code(client.call([{"crash": True}])) == "UNAVAILABLE"
        refused_state(client.again([[FORM]], first, {"q1": YES}))
        second = asks(client.call([[FORM]]))  # it was started again
        assert found(client.again([[FORM]], second, {"q1": YES})) == [YES]
        # attached when it dies
        third = asks(client.call([[FORM], {"crash": True}]))
        answer = client.again([[FORM], {"crash": True}], third, {"q1": YES})
        assert code(answer) == "UNAVAILABLE" and "may have been done" in answer["result"]["content"][0]["text"], answer


def test_parked_calls_are_counted():
    with Program("--admin", "127.0.0.1:0") as program:
        client, steps = Pipe(program, True), [[FORM]]
        found(client.call([]))
        port = until("the admin", lambda: next((line.split("metrics at port ")[1].strip() for line in list(program.errors)
                                                if "metrics at port " in line), None))

        def parked():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as response:
                lines = [line for line in response.read().decode().splitlines() if line.startswith("tenon_guard_parked_calls{")]
            return [int(line.split()[-1]) for line in lines]
        assert parked() == [0]
        first = asks(client.call(steps))
        assert parked() == [1]
        assert found(client.again(steps, first, {"q1": YES})) == [YES]
        assert parked() == [0]


def test_the_end_of_the_guard_ends_parked_calls():
    with Program() as program:
        client = Pipe(program, True)
        asks(client.call([[FORM, SAMPLE]]))
        program.stop()
        got = program.got()
        call = program.got_calls()[0]["id"]
        answers = {one["id"]: one for one in got if "method" not in one}
        assert [one.get("result", one.get("error", {}).get("code")) for one in answers.values()] == [
            {"action": "cancel"}, -32603], answers
        assert got[-1]["method"] == "notifications/cancelled" and got[-1]["params"]["requestId"] == call, got


def test_a_client_that_leaves_while_it_waits_ends_the_call():
    with Program() as program:
        client, steps = Pipe(program, True), [[FORM], {"linger": True}]
        first = asks(client.call(steps))
        number = client.start(steps, requestState=first["requestState"], inputResponses={"q1": YES})
        until("the answer", lambda: [one for one in program.got() if one.get("result") == YES])
        client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
            "requestId": number, "_meta": {META + "protocolVersion": "2026-07-28"}}})
        until("a cancel", lambda: [one for one in program.got() if one.get("method") == "notifications/cancelled"])
        refused_state(client.again(steps, first, {"q1": YES}))


def test_progress_goes_to_the_request_that_waits():
    with Program() as program:
        client, steps = Pipe(program, True), [[FORM], {"progress": 7}, [FORM]]
        first = asks(client.call(steps, meta={"progressToken": "first"}))
        second = asks(client.again(steps, first, {"q1": YES}, meta={"progressToken": "second"}))
        assert [one["params"]["progressToken"] for one in client.notes] == ["second"], client.notes
        found(client.again(steps, second, {"q2": YES}))


def test_two_calls_at_once_ask_with_either():
    with Program() as program:
        client = Pipe(program, True)
        steps = [[[FORM], {"progress": 1}], [[FORM], {"progress": 2}]]
        numbers = [client.start(one) for one in steps]
        open_ = list(zip(steps, numbers))
        done = 0
        while open_:
            one, number = open_.pop(0)
            while number not in client.answers:
                client.next()
                ready = [pair for pair in open_ if pair[1] in client.answers]
                if ready and number not in client.answers:
                    open_.append((one, number))
                    one, number = ready[0]
                    open_.remove(ready[0])
            answer = client.answers.pop(number)
            if answer["result"].get("resultType") == "input_required":
                responses = {key: YES for key in answer["result"]["inputRequests"]}
                open_.append((one, client.start(one, requestState=answer["result"]["requestState"],
                                                inputResponses=responses)))
            else:
                assert found(answer) == [YES], answer
                done += 1
        assert done == 2 and len(program.got_calls()) == 2


def test_a_question_outside_any_call_is_the_owners():
    with Program(upstream=["--early"]) as program:
        client = Pipe(program, False)
        question = client.question()
        assert question["method"] == "roots/list", question
        answer_by(client, question, {"roots": [{"uri": "file:///a"}]})
        until("the answer", lambda: [one for one in program.got() if "roots" in one.get("result", {})])
    with Program(upstream=["--early"]) as program:
        client = Pipe(program, True)
        found(client.call([]))
        got = until("an answer", lambda: [one for one in program.got() if "method" not in one])
        assert got[0]["error"]["code"] == -32601, got


# ---- Time --------------------------------------------------------------------------------------------------------


class Skipped(Exception):
    """Why a test does not run in this build."""


def is_sanitized():
    cache = TENON.parents[1] / "CMakeCache.txt"
    return cache.is_file() and any(line.startswith("TENON_SANITIZE:") and not line.endswith("=")
                                   for line in cache.read_text(encoding="utf-8").splitlines())


@contextlib.contextmanager
def later():
    """The environment of a guard whose clock can be moved: a library before the C library, and a file with seconds."""
    if is_sanitized():
        raise Skipped("a sanitizer must be the first library, and so must the clock")
    with tempfile.TemporaryDirectory() as folder:
        library, offset = pathlib.Path(folder) / "clock.so", pathlib.Path(folder) / "offset"
        subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", library, HERE / "clock.c"], check=True)
        offset.write_text("0")
        yield {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(offset)}, lambda seconds: offset.write_text(str(seconds))


def test_a_parked_call_ends_after_ten_minutes():
    with later() as (environment, move), Program(environment=environment) as program:
        client, steps = Pipe(program, True), [[FORM, SAMPLE], {"linger": True}]
        first = asks(client.call(steps))
        move(590)
        found(client.call([]))
        assert len(program.got_calls()) == 2 and not [one for one in program.got() if "method" not in one]
        move(601)
        found(client.call([]))  # its loop looks at the time
        until("the end", lambda: [one for one in program.got() if one.get("method") == "notifications/cancelled"])
        answers = [one.get("result", one.get("error", {}).get("code")) for one in program.got() if "method" not in one]
        assert answers == [{"action": "cancel"}, -32603], answers
        refused_state(client.again(steps, first, {"q1": YES}))


def test_the_time_of_a_call_stands_still_while_its_client_is_asked():
    with later() as (environment, move), Program(environment=environment, configured={"up": {}}) as program:
        client, steps = Pipe(program, True), [[FORM], {"progress": 1}, [FORM]]
        first = asks(client.call(steps, tool="up_ask"))  # a call has 50 s
        move(100)
        found(client.call([], tool="up_ask"))
        second = asks(client.again(steps, first, {"q1": YES}, tool="up_ask"))
        move(200)
        found(client.call([], tool="up_ask"))
        assert found(client.again(steps, second, {"q2": YES}, tool="up_ask")) == [YES, YES]
        first = asks(client.call([[FORM], {"linger": True}], tool="up_ask"))
        number = client.start([[FORM], {"linger": True}], tool="up_ask", requestState=first["requestState"],
                              inputResponses={"q1": YES})
        until("the answer", lambda: len([one for one in program.got() if one.get("result") == YES]) == 3)
        move(251)
        found(client.call([], tool="up_ask"))
        assert code(client.wait(number)) == "TIMEOUT"


def test_a_server_with_a_parked_call_or_a_question_is_not_idle():
    for modern in (True, False):
        with Program(configured={"up": {"idle": "100ms"}, "clock": {"idle": "300ms"}}) as program:
            def ended(name):
                return sum(f"{name}: is ended, because no call came" in line for line in list(program.errors))
            client, steps = Pipe(program, modern), [[FORM]]
            found(client.call([], tool="clock_ask"))
            if modern:
                first = asks(client.call(steps, tool="up_ask"))
            else:
                number = client.start(steps, tool="up_ask")
                question = client.question()
            before = ended("up")  # before it was asked
            found(client.call([], tool="clock_ask"))
            times = ended("clock")
            until("the end of the other", lambda: ended("clock") > times)
            assert ended("up") == before, program.errors
            if modern:
                assert found(client.again(steps, first, {"q1": YES}, tool="up_ask")) == [YES]
            else:
                answer_by(client, question, YES)
                assert found(client.wait(number)) == [YES]
            until("its own end", lambda: ended("up") > before)


def test_a_question_to_a_legacy_client_ends_after_ten_minutes():
    for upstream in ([], ["--modern"]):
        with later() as (environment, move), Program(upstream=upstream, environment=environment) as program:
            client = Pipe(program, False)
            number = client.start([[FORM]])
            question = client.question()
            move(601)
            found(client.call([]))
            assert found(client.wait(number)) == [{"action": "cancel"}]
            answer_by(client, question, YES)  # late: dropped
            found(client.call([]))


def test_sampling_has_a_rate():
    with later() as (environment, move), Program(environment=environment) as program:
        client = Pipe(program, False)

        def sample():
            number = client.start([[SAMPLE]])
            while number not in client.answers and not client.asked:
                client.next()
            if client.asked:
                answer_by(client, client.asked.pop(), {"model": "x"})
            return found(client.wait(number))[0]

        for _ in range(60):
            assert sample() == {"model": "x"}
        assert "too often" in sample()["error"]["message"]
        move(61)
        assert sample() == {"model": "x"}
        assert len([line for line in program.errors if "asks the model" in line]) == 61, program.errors


# ---- Servers at an address ---------------------------------------------------------------------------------------


def test_all_cells_with_a_server_at_an_address():
    for upstream in (["--http"], ["--http", "--modern"]):
        for modern in (False, True):
            for client in both(modern, upstream=upstream):
                number = client.start([[FORM], [SAMPLE]])
                if not modern:
                    answer_by(client, client.question(), YES)
                    answer_by(client, client.question(), {"model": "x"})
                    assert found(client.wait(number)) == [YES, {"model": "x"}]
                    continue
                answer = client.wait(number)
                for value in (YES, {"model": "x"}):
                    answer = client.again([[FORM], [SAMPLE]], asks(answer), {next(iter(asks(answer)["inputRequests"])): value})
                assert found(answer) == [YES, {"model": "x"}]


def test_a_question_on_the_stream_of_a_call_is_of_that_call():
    with http_guard(upstream=["--http"]) as program:
        client = Http(program, True, token=secret("ann"))
        old = client.start([{"linger": True}])
        until("the first call", lambda: len(program.got_calls()) == 1)
        steps = [[FORM], {"progress": 1}]
        first = asks(client.call(steps))
        new = client.start([{"linger": True}, {"progress": 2}])
        until("the third call", lambda: len(program.got_calls()) == 3)
        assert found(client.again(steps, first, {"q1": YES})) == [YES]
        assert old not in client.answers and new not in client.answers


# ---- What the operator says --------------------------------------------------------------------------------------


def test_a_server_asks_only_what_its_operator_allows():
    for upstream in ([], ["--modern"]):
        for modern in (False, True):
            with Program(upstream=upstream, configured={"up": {}}) as program:
                client = Pipe(program, modern)
                if not upstream:
                    got = found(client.call([[SAMPLE], [ROOTS]], tool="up_ask"))
                    assert [one["error"]["code"] for one in got] == [-32601] * 2, got
                    hello = next(one for one in program.got() if one["method"] == "initialize")
                    assert set(hello["params"]["capabilities"]) == {"elicitation"}, hello
                else:
                    assert set(found(client.call([], tool="up_count"))[0]) == {"elicitation"}
                    assert code(client.call([[SAMPLE]], tool="up_ask")) == "DENIED"


def test_roots_are_the_operators():
    own = {"roots": [{"uri": "file:///srv", "name": "srv"}]}
    for upstream in ([], ["--modern"]):
        for modern in (False, True):
            for questions in (["elicitation"], ["elicitation", "roots"]):
                with Program(upstream=upstream, configured={"up": {**own, "questions": questions}}) as program:
                    client, steps = Pipe(program, modern, {"elicitation": {}}), [[ROOTS, FORM], [ROOTS]]
                    number = client.start(steps, tool="up_ask")
                    if modern:
                        answer = client.wait(number)
                        assert len(asks(answer)["inputRequests"]) == 1, answer
                        key = next(iter(asks(answer)["inputRequests"]))
                        answer = client.again(steps, asks(answer), {key: YES}, tool="up_ask")
                        while answer["result"]["resultType"] == "input_required":  # nothing but a state
                            assert "inputRequests" not in answer["result"], answer
                            answer = client.again(steps, asks(answer), tool="up_ask")
                    else:
                        answer_by(client, client.question(), YES)
                        answer = client.wait(number)
                    assert found(answer) == [own, YES, own], answer
                    assert not client.asked


def test_a_question_names_its_server_among_several():
    both_ = {"one": {}, "two": {}}
    for upstream in ([], ["--modern"]):
        for modern in (False, True):
            with Program(upstream=upstream, configured=both_) as program:
                client = Pipe(program, modern)
                for name in both_:
                    number = client.start([[FORM]], tool=name + "_ask")
                    if modern:
                        answer = asks(client.wait(number))
                        key, question = next(iter(answer["inputRequests"].items()))
                        last = client.again([[FORM]], answer, {key: YES}, tool=name + "_ask")
                    else:
                        question = client.question()
                        answer_by(client, question, YES)
                        last = client.wait(number)
                    assert question["params"] == {**FORM["params"], "message": f"[{name}] who?"}, question
                    assert found(last) == [YES]


def test_a_state_is_of_its_server():
    with Program(upstream=["--modern"], configured={"one": {}, "two": {"prefix": "onetwo_"}}) as program:
        client = Pipe(program, True)
        first = asks(client.call([[FORM]], tool="one_ask"))
        before = len(program.got_calls())
        refused_state(client.again([[FORM]], first, {"k0": YES}, tool="onetwo_ask"))
        assert len(program.got_calls()) == before
        assert found(client.again([[FORM]], first, {"k0": YES}, tool="one_ask")) == [YES]


def test_a_task_leads_to_its_server():
    with Program(upstream=["--modern"], configured={name: {"extensions": [META + "tasks"]} for name in ("one", "two")}) as program:
        client = Pipe(program, True, {"extensions": {META + "tasks": {}}})
        ids = [client.call([], tool=name + "_task")["result"]["taskId"] for name in ("one", "two")]
        assert ids[0] != ids[1]
        for number in ids:
            assert client.request("tasks/get", {"taskId": number})["result"]["taskId"] == number
        assert client.request("tasks/get", {"taskId": "t-1"})["error"]["code"] == -32602


# ---- Modern servers ----------------------------------------------------------------------------------------------


def test_rounds_have_an_end():
    with Program(upstream=["--modern"]) as program:
        client = Pipe(program, False)
        number = client.start([[FORM]] * 9)
        for _ in range(8):
            answer_by(client, client.question(), YES)
        assert code(client.wait(number)) == "UPSTREAM_INVALID"


def test_an_error_of_the_client_is_a_cancel():
    with Program(upstream=["--modern"]) as program:
        client = Pipe(program, False)
        number = client.start([[FORM]])
        client.write({"jsonrpc": "2.0", "id": client.question()["id"], "error": {"code": -1, "message": "no"}})
        assert found(client.wait(number)) == [{"action": "cancel"}]
        number = client.start([[SAMPLE]])
        client.write({"jsonrpc": "2.0", "id": client.question()["id"], "error": {"code": -1, "message": "no"}})
        assert code(client.wait(number)) == "DENIED"
    with Program() as program:
        client = Pipe(program, False)
        number = client.start([[FORM]])
        client.write({"jsonrpc": "2.0", "id": client.question()["id"], "error": {"code": -1, "message": "no", "data": 1.10}})
        assert found(client.wait(number)) == [{"error": {"code": -1, "message": "no", "data": 1.10}}]


def test_a_state_may_be_long():
    for length, fits in ((1000000, True), (1100000, False)):
        with Program(upstream=["--modern", "--state", str(length)]) as program:
            client = Pipe(program, True)
            if fits:
                first = asks(client.call([[FORM]]))
                assert found(client.again([[FORM]], first, {"k0": YES})) == [YES]
            else:
                assert code(client.call([[FORM]])) == "UPSTREAM_INVALID"


def test_a_legacy_client_brings_no_state():
    with Program(upstream=["--modern"]) as program:
        client = Pipe(program, False)
        state = json.dumps({"round": 1, "found": ["of another"]})
        number = client.start([[FORM]], requestState=state, inputResponses={"k0": YES})
        answer_by(client, client.question(), {"action": "decline"})
        assert found(client.wait(number)) == [{"action": "decline"}]


def test_tasks_are_of_their_caller():
    abilities = {"extensions": {META + "tasks": {}}, "elicitation": {}}
    with http_guard(("ann", "bob"), upstream=["--modern"]) as program:
        ann, bob = (Http(program, True, abilities, token=secret(name)) for name in ("ann", "bob"))
        task = ann.call([], tool="task")["result"]
        assert task["resultType"] == "task" and task["taskId"].endswith("t-1") and len(task["taskId"]) > 20, task
        assert task["x"] == 1.10
        got = ann.request("tasks/get", {"taskId": task["taskId"]})["result"]
        assert got["taskId"] == task["taskId"] and got["result"]["content"][0]["text"] == "t-1", got
        assert ann.request("tasks/update", {"taskId": task["taskId"], "inputResponses": {}})["result"]
        for other in (task["taskId"], "t-1", task["taskId"][1:], task["taskId"] + "1"):
            before = len(program.got())
            assert bob.request("tasks/get", {"taskId": other})["error"]["code"] == -32602
            assert not [one for one in program.got()[before:] if one.get("method") == "tasks/get"]
        assert ann.request("tasks/cancel", {"taskId": task["taskId"]})["result"]["resultType"] == "complete"
        sent = [one["params"]["taskId"] for one in program.got() if one.get("method", "").startswith("tasks/")]
        assert sent == ["t-1"] * 3, sent
    with Program() as program:
        assert Pipe(program, True, abilities).request("tasks/get", {"taskId": "x"})["error"]["code"] == -32601


def listen_to(client, tasks):
    """Opens a stream: its id, and what is agreed to."""
    client.write(client.message("subscriptions/listen", {"notifications": {"taskIds": tasks}}))
    stream = client.number
    until("an agreement", lambda: any(one["method"].endswith("/acknowledged") and tag(one) == stream for one in client.notes))
    return stream, next(one["params"]["notifications"] for one in client.notes if tag(one) == stream)


def tag(note):
    return note["params"].get("_meta", {}).get(META + "subscriptionId")


def test_news_of_a_task_reach_who_follows_it():
    abilities = {"extensions": {META + "tasks": {}}, "elicitation": {}}
    form = {"q": {"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {
        "type": "object", "properties": {"name": {"type": "string"}}}}}}
    secret_form = {"q": {"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {
        "type": "object", "properties": {"password": {"type": "string"}}}}}}
    for names in (("ann", "bob"), ()):
        guard = http_guard(names, upstream=["--modern"]) if names else Program("--http", "127.0.0.1:0", upstream=["--modern"])
        with guard as program:
            ann, bob = (Http(program, True, abilities, token=secret(name) if names else None) for name in ("ann", "bob"))
            number = ann.call([], tool="task")["result"]["taskId"]
            stream, agreed = listen_to(ann, [number, "t-1", number + "x"])
            assert agreed == {"taskIds": [number]}, agreed
            until("the server listens", lambda program=program: any(
                one.get("method") == "subscriptions/listen" and one["params"]["notifications"].get("taskIds") == ["t-1"]
                for one in program.got()))
            if names:
                assert listen_to(bob, [number])[1] == {}
            other = Http(program, True, {"elicitation": {}}, token=ann.token)  # without the extension
            assert listen_to(other, [number])[1] == {}
            for more in ({"status": "input_required", "inputRequests": secret_form}, {"status": "input_required", "inputRequests": form},
                         {"status": "completed", "result": {"content": []}}):
                ann.call([], tool="other", news=more)
            until("the last news", lambda ann=ann: any(one["params"].get("status") == "completed" for one in ann.notes))
            news = [one["params"] for one in ann.notes if one["method"] == "notifications/tasks"]
            assert [one["status"] for one in news] == ["input_required", "completed"], "a question that must not be asked does not pass"
            assert news[0]["inputRequests"] == form and news[1]["result"] == {"content": []} and news[1]["x"] == 1.10, news
            assert all(one["taskId"] == number and one["_meta"] == {META + "subscriptionId": stream, "own": 1} for one in news), news
            assert not [one for one in [*bob.notes, *other.notes] if one["method"] == "notifications/tasks"]


def run_one(name, test):
    """Was it well?"""
    try:
        test()
        print(f"ok {name}", flush=True)
    except Skipped as why:
        print(f"SKIPPED {name}: {why}", flush=True)
    except Exception as fault:  # pylint: disable=broad-except
        print(f"FAILED {name}: {type(fault).__name__}: {fault}\n{traceback.format_exc()}", flush=True)
        return False
    return True


def main():
    """Several at once: each has a guard of its own, and most of what they do is wait."""
    wanted = sys.argv[1:]
    chosen = [name for name in globals() if name.startswith("test_") and (not wanted or any(word in name for word in wanted))]
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        return 0 if all(list(threads.map(lambda name: run_one(name, globals()[name]), chosen))) else 1


if __name__ == "__main__":
    sys.exit(main())
