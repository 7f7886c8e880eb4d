#!/usr/bin/env python3
"""Policy of the guard through the wire: what is there, what is refused and with which words, what becomes of results and errors.

    tests/guard_policy/run.py [NAME...]    the tests whose name has one of these words in it
"""
import contextlib
import http.client
import http.server
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guard"))
from rig import META, PATIENCE, TENON, Guard, echoed, envelope, listening, main  # noqa: E402

OPEN = {"type": "object", "properties": {"max_sources": {"type": "integer", "maximum": 10}, "path": {"type": "string"},
                                         "tags": {"type": "array", "items": {"type": "string"}}}}
PUBLIC = {"properties": {"path": {"pattern": "^/srv/public(/|$)"}}}


def tool(name, schema=None, **more):
    return {"name": name, "inputSchema": schema or OPEN, **more}


@contextlib.contextmanager
def place(spec, upstream=None, policy=None, serve=None, tokens=(), **more):
    """A folder with a configuration of one server, which is described by `spec`; and what it received."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "spec.json").write_text(json.dumps({"tools": [tool("t")], "record": str(folder / "record"), **spec}),
                                          encoding="utf-8")
        config = {"upstreams": {"a": {"command": [sys.executable, str(HERE / "server.py"), str(folder / "spec.json")],
                                      "prefix": "", **(upstream or {})}}, "policy": policy or {}, **more}
        if serve is not None:
            config["serve"] = {"http": "127.0.0.1:0", **serve}
        if tokens:
            lines = [subprocess.run([TENON, "token", "--read", one], input=(one * 16).encode(), check=True,
                                    capture_output=True).stdout.decode() for one in tokens]
            (folder / "tokens").write_text("".join(lines), encoding="utf-8")
            (folder / "tokens").chmod(0o600)
            config["serve"]["tokens-file"] = str(folder / "tokens")
        (folder / "guard.json").write_text(json.dumps(config), encoding="utf-8")
        yield folder


@contextlib.contextmanager
def guarded(spec, upstream=None, policy=None, modern=False, revision="2025-11-25", abilities=None, **more):
    with place(spec, upstream, policy, **more) as folder:
        program = [TENON, "guard", "--config", str(folder / "guard.json")]
        if "serve" in more:
            program.append("--http=127.0.0.1:0")
        with Guard(program=program, modern=modern or "serve" in more, revision=revision, abilities=abilities) as guard:
            guard.on_http = "serve" in more
            guard.folder = folder
            yield guard


def received(guard, method="tools/call"):
    path = guard.folder / "record"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [one for one in map(json.loads, lines) if one.get("method") == method]


def issues(said):
    return [one["message"] for one in said["error"]["details"]["issues"]]


def listed(guard, kind="tools", key="name"):
    return [one[key] for one in guard.request(f"{kind}/list")["result"][kind]]


class Caller:
    """A modern client over HTTP."""

    def __init__(self, url, token=None):
        self.url, self.token = url, token

    def request(self, method, params=None, headers=None, abilities=None):
        params = {**(params or {}), "_meta": {META + "protocolVersion": "2026-07-28",
                                              META + "clientCapabilities": abilities or {}}}
        sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, **(headers or {})}
        if method == "tools/call":
            sent["Mcp-Name"] = params["name"]
        if self.token:
            sent["Authorization"] = "Bearer " + self.token * 16
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url, body, sent), timeout=PATIENCE) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as refused:
            text = refused.read().decode()
        if text.startswith("{"):
            return json.loads(text)
        data = [line[5:] for line in text.splitlines() if line.startswith("data:")]
        return [one for one in map(json.loads, filter(str.strip, data)) if "method" not in one][-1]

    def call(self, name, arguments=None, **more):
        return self.request("tools/call", {"name": name, "arguments": arguments or {}}, **more)

    def names(self):
        return [one["name"] for one in self.request("tools/list")["result"]["tools"]]


def call_in_vain(caller, name):
    """For a thread: the guard ends before the call does."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        caller.call(name)


# ---- Names that a schema does not declare ----------------------------------------------------------------------------------


def test_a_name_that_is_nearly_a_declared_one_is_refused():
    with Guard(upstream=[]) as guard:
        said = envelope(guard.call("open", {"max_source": 3, "colour": "red"}))
        assert said["error"]["code"] == "VALIDATION_ERROR", said
        assert issues(said) == ["unknown parameter 'max_source'; did you mean 'max_sources'? "
                                "Valid parameters: max_sources, query"], said
        assert said["messages"] == ["The tool does not declare 'colour' and may ignore it"], said
        answer = guard.call("open", {"max_sources": 3, "colour": "red"})
        assert echoed(answer)["arguments"] == {"max_sources": 3, "colour": "red"}, answer
        assert answer["result"]["content"][-1]["text"] == "[guard] The tool does not declare 'colour' and may ignore it"


def test_unknown_names_by_policy():
    sent = {"max_source": 3, "colour": 1}
    for how, refused, messages in (("near", 1, 1), ("reject", 2, 0), ("message", 0, 2), ("ignore", 0, 0)):
        with guarded({}, policy={"unknown": how}) as guard:
            answer = guard.call("t", sent)
            if refused:
                said = envelope(answer)
                assert len(said["error"]["details"]["issues"]) == refused and len(said["messages"]) == messages, (how, said)
                assert received(guard) == []
                continue
            assert echoed(answer)["arguments"] == sent, (how, answer)
            assert len(answer["result"].get("_meta", {}).get("io.github.tenon/messages", [])) == messages, (how, answer)


# ---- Null, and repairs -------------------------------------------------------------------------------------------------------


def test_what_a_client_adds_by_itself_is_left_out():
    closed = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
    tools = [tool("t"), tool("closed", closed), tool("free", {**closed, "additionalProperties": True}), tool("none", {
        "type": "object", "properties": {}}), tool("own", {"type": "object", "properties": {"chatInput": {"type": "string"}}})]
    added = {"sessionId": "s", "action": "sendMessage", "chatInput": "hi", "toolCallId": "call_1"}
    with guarded({"tools": tools}) as guard:
        for name, arguments, sent in (("closed", {"n": 1, **added}, {"n": 1}), ("closed", {"n": "1", "toolCallId": "x"}, {"n": 1}),
                                      ("none", {"toolCallId": "x"}, {}), ("free", {"n": 1, **added}, {"n": 1, **added}),
                                      ("own", {"chatInput": "hi"}, {"chatInput": "hi"})):
            answer = guard.call(name, arguments)
            assert received(guard)[-1]["params"]["arguments"] == sent, answer
            said = [one["text"] for one in answer["result"]["content"] if one["text"].startswith("[guard] ")]
            for key in added:
                dropped = key in arguments and key not in sent
                assert bool(said and f"Left out {key}, " in said[0]) == dropped, (name, key, answer)
        said = envelope(guard.call("closed", {"n": 1, "action": "delete"}))  # a model may have meant that
        assert issues(said) and said["error"]["code"] == "VALIDATION_ERROR", said
    with guarded({"tools": tools}, policy={"repair": "off"}) as guard:
        assert envelope(guard.call("closed", {"n": 1, "toolCallId": "x"}))["error"]["code"] == "VALIDATION_ERROR"


def test_null_is_left_out_on_tools_that_change_nothing():
    with guarded({"tools": [tool("reads"), tool("writes")]}, {"tools": {"reads": {"read-only": True}}}) as guard:
        answer = guard.call("reads", {"max_sources": None, "path": "/a"})
        assert echoed(answer)["arguments"] == {"path": "/a"}, answer
        assert answer["result"]["content"][-1]["text"] == "[guard] max_sources null was treated as not given", answer
        said = envelope(guard.call("writes", {"max_sources": None}))
        assert said["error"]["details"]["issues"][0]["parameter"] == "max_sources", said


def test_repairs_by_policy():
    text, form = {"max_sources": "3"}, {"tags": "[\"a\"]"}
    for how, takes in (("on", (True, True)), ("form", (False, True)), ("off", (False, False))):
        with guarded({}, policy={"repair": how}) as guard:
            for sent, taken in zip((text, form), takes):
                answer = guard.call("t", sent)
                assert ("isError" not in answer["result"]) == taken, (how, sent, answer)
            whole = guard.request("tools/call", {"name": "t", "arguments": "{\"max_sources\":3}"})
            assert ("isError" in whole["result"]) == (how == "off"), (how, whole)
            assert "isError" in guard.call("t", {"max_sources": 11})["result"]


# ---- Forms for clients -----------------------------------------------------------------------------------------------------


FANCY = {"type": "object", "required": ["q", "since"], "properties": {
    "q": {"type": "string"}, "since": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    "n": {"type": "integer", "minimum": 1, "maximum": 10}, "level": {"enum": [1, 2, 3]},
    "where": {"$ref": "#/$defs/place"}, "any": {}, "big": {"type": "integer"}},
    "$defs": {"place": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}},
    "additionalProperties": False}


def published(guard, name):
    return next(one for one in guard.request("tools/list")["result"]["tools"] if one["name"] == name)["inputSchema"]


def test_lists_are_published_for_a_client():
    """The list is that of `tenon lint --fix`; the server gets its own form, and its own schema decides."""
    with guarded({"tools": [tool("t", FANCY), tool("plain", {"type": "object", "properties": {"a": {"type": "string"}}})]},
                 policy={"publish": "gemini"}) as guard:
        schema = published(guard, "t")
        assert schema["properties"]["level"] == {"type": "string", "enum": ["1", "2", "3"], "description": "{integer}"}, schema
        assert "$defs" not in schema and schema["properties"]["where"]["type"] == "object", schema
        assert schema["required"] == ["q"] and published(guard, "plain")["properties"] == {"a": {"type": "string"}}, schema
        guard.call("t", {"q": "x", "level": "2", "any": "[1, 2]", "where": {"folder": "f"}})
        assert received(guard)[-1]["params"]["arguments"] == {"q": "x", "level": 2, "any": [1, 2], "where": {"folder": "f"}, "since": None}
        guard.call("t", {"q": "x", "since": None, "level": 3, "any": [1]})  # the server's own form
        assert received(guard)[-1]["params"]["arguments"] == {"q": "x", "since": None, "level": 3, "any": [1]}
        count = len(received(guard))
        said = envelope(guard.call("t", {"q": "x", "level": "2", "n": 50}))
        assert issues(said) == ["n must be between 1 and 10, got 50"], said
        assert len(received(guard)) == count


def test_a_strict_client_sends_all_and_leaves_out_by_null():
    with guarded({"tools": [tool("t", FANCY)]}, policy={"publish": ["openai-strict"]}) as guard:
        schema = published(guard, "t")
        assert sorted(schema["required"]) == sorted(FANCY["properties"]) and schema["additionalProperties"] is False, schema
        guard.call("t", {"q": "x", "since": None, "n": None, "level": None, "where": None, "any": None, "big": 12345678901234567890})
        line = next(text for text in reversed((guard.folder / "record").read_text().splitlines()) if '"tools/call"' in text)
        assert json.loads(line)["params"]["arguments"] == {"q": "x", "since": None, "big": 12345678901234567890}, line
        assert "12345678901234567890" in line


def test_words_leave_out_where_null_may_not():
    hints = {"annotations": {"readOnlyHint": True}}
    with guarded({"tools": [tool("t", FANCY, **hints), tool("d", FANCY)]}, policy={"publish": ["openai-strict", "gemini"]}) as guard:
        assert "null" not in json.dumps(published(guard, "t")["properties"]["n"]["type"])
        sent = {"q": "x", "since": "", "n": "7", "level": "not_given", "where": "", "any": "", "big": ""}
        guard.call("t", sent)
        assert received(guard)[-1]["params"]["arguments"] == {"q": "x", "since": None, "n": 7}
        word = {name: "not_given" for name in sent}
        guard.call("d", {**word, "q": "x"})
        assert received(guard)[-1]["params"]["arguments"] == {"q": "x", "since": None}


def test_an_overlay_holds_for_a_published_form():
    with guarded({"tools": [tool("t", FANCY)]}, policy={"publish": "gemini"},
                 upstream={"tools": {"t": {"arguments": {"properties": {"level": {"maximum": 2}}}, "publish": True}}}) as guard:
        guard.call("t", {"q": "x", "level": "2"})
        assert received(guard)[-1]["params"]["arguments"]["level"] == 2
        count = len(received(guard))
        assert envelope(guard.call("t", {"q": "x", "level": "3"}))["error"]["code"] == "DENIED"
        assert len(received(guard)) == count


def test_a_form_does_not_move_headers():
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "any": {}}}
    with guarded({"tools": [tool("t", schema)]}, policy={"publish": "gemini"}) as guard:
        assert published(guard, "t") == schema


def test_clients_must_be_known():
    with place({}, policy={"publish": ["gemini", "netscape"]}) as folder:
        ran = subprocess.run([TENON, "guard", "--check", "--config", str(folder / "guard.json")], capture_output=True, text=True,
                             check=False, timeout=PATIENCE)
        assert ran.returncode == 2 and "publish must name clients" in ran.stderr, ran


def test_published_forms_carry_calls_of_a_real_server():
    """server-everything, by its own schemas, for each client."""
    program = HERE.parent / "js/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
    for client in ("gemini", "openai-strict", "anthropic-strict,gemini", "kimi"):
        with Guard(f"--publish={client}", command=[str(HERE.parent / "js/node"), str(program), "stdio"]) as guard:
            tools = {one["name"]: one for one in guard.request("tools/list")["result"]["tools"]}
            name = next(one for one in ("get-sum", "add") if one in tools)
            said = guard.call(name, {"a": 2, "b": 3})
            assert "5" in said["result"]["content"][0]["text"], (client, said)
            listed_twice = guard.request("tools/list")["result"]["tools"]
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "tools.json"
                path.write_text(json.dumps({"tools": listed_twice}))
                ran = subprocess.run([TENON, "lint", "--json", "--for", client, str(path)], capture_output=True, text=True, check=False)
                found = [one for one in json.loads(ran.stdout)["findings"] if "client" in one and one["level"] != "note" and "tool" in one]
                assert not found, (client, found)


# ---- Overlays --------------------------------------------------------------------------------------------------------------


def test_an_overlay_narrows():
    with guarded({}, {"tools": {"t": {"arguments": {**PUBLIC, "required": ["path"]}}}}) as guard:
        said = envelope(guard.call("t", {"path": "/etc/passwd"}))
        assert said["error"]["code"] == "DENIED" and said["error"]["details"]["reason"] == "policy", said
        assert said["error"]["details"]["fieldErrors"]["path"] and len(issues(said)) == 1, said
        both = envelope(guard.call("t", {"path": "/etc", "max_sources": 11}))
        assert both["error"]["code"] == "VALIDATION_ERROR" and len(issues(both)) == 2, both
        assert envelope(guard.call("t"))["error"]["code"] == "DENIED"
        twice = b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"t","arguments":' \
                b'{"path":"/srv/public","path":"/etc"}}}\n'
        guard.write(twice)
        assert envelope(guard.wait("x"))["error"]["code"] == "VALIDATION_ERROR"
        assert received(guard) == []
        assert echoed(guard.call("t", {"path": "/srv/public/a"}))["arguments"] == {"path": "/srv/public/a"}
        assert "allOf" not in guard.request("tools/list")["result"]["tools"][0]["inputSchema"]


def test_an_overlay_may_say_nothing():
    with guarded({}, {"tools": {"t": {"arguments": PUBLIC, "say": "nothing"}}}) as guard:
        said = envelope(guard.call("t", {"path": "/etc"}))
        assert said["error"]["code"] == "DENIED" and said["error"]["details"] == {"reason": "policy"}, said
        assert "public" not in json.dumps(said), said
        both = envelope(guard.call("t", {"path": "/etc", "max_sources": 11}))
        assert both["error"]["code"] == "VALIDATION_ERROR" and len(issues(both)) == 1, both
        assert received(guard) == []


def test_an_overlay_can_be_published():
    schema = {**OPEN, "allOf": [{"minProperties": 0}]}
    with guarded({"tools": [tool("t", schema)]}, {"tools": {"t": {"arguments": PUBLIC, "publish": True}}}) as guard:
        shown = guard.request("tools/list")["result"]["tools"][0]["inputSchema"]
        assert shown == {**OPEN, "allOf": [{"minProperties": 0}, PUBLIC]}, shown


def test_nothing_is_repaired_towards_an_overlay():
    overlay = {"properties": {"path": {"enum": ["/srv/public"]}, "max_sources": {"type": "string"}}}
    with guarded({}, {"tools": {"t": {"arguments": overlay}}}) as guard:
        assert envelope(guard.call("t", {"path": "/SRV/PUBLIC"}))["error"]["code"] == "DENIED"
        assert envelope(guard.call("t", {"max_sources": "3"}))["error"]["code"] == "DENIED"
        assert received(guard) == []


def test_an_overlay_holds_where_the_servers_schema_is_not_one():
    with guarded({"tools": [tool("t", {"type": "objct"})]}, {"tools": {"t": {"arguments": PUBLIC}}},
                 {"schema-errors": "pass"}) as guard:
        assert envelope(guard.call("t", {"path": "/etc"}))["error"]["code"] == "DENIED"
        assert "isError" in guard.request("tools/call", {"name": "t", "arguments": "{\"path\":\"/etc\"}"})["result"]
        assert received(guard) == []
        assert "isError" not in guard.call("t", {"path": "/srv/public"})["result"]


def allowed_by_overlay(arguments):
    """What OVERLAY says, in other words."""
    n, path = arguments.get("n", 1), arguments.get("path", "/srv/public")
    number = not isinstance(n, bool) and isinstance(n, (int, float))
    inside = not isinstance(path, str) or path == "/srv/public" or path.startswith("/srv/public/")
    return inside and (not number or 1 <= n <= 5) and "secret" not in arguments


OVERLAY = {**PUBLIC, "not": {"required": ["secret"]}}
OVERLAY["properties"] = {**PUBLIC["properties"], "n": {"minimum": 1, "maximum": 5}}


def test_what_an_overlay_refuses_never_reaches_the_server():
    chance = random.Random(7)
    schema = {"type": "object", "properties": {"path": {"type": "string"}, "n": {"type": "integer"}}}
    values = {"path": ["/srv/public", "/srv/public/a", "/srv/publicity", "/etc", "/srv/public\n/x", "", None, 7, ["/etc"]],
              "n": [1, 5, 6, 0, "3", "9", 5.0, 5.5, 1e30, "1e1", None, [9], [2], True],
              "secret": [None, 1, "x"], "Path": ["/etc"], "other": [1]}
    with guarded({"tools": [tool("t", schema)]}, {"tools": {"t": {"arguments": OVERLAY}}}) as guard:
        sent = 0
        for _ in range(400):
            names = chance.sample(sorted(values), chance.randint(0, 4))
            arguments = {name: chance.choice(values[name]) for name in names}
            form = chance.choice([arguments, json.dumps(arguments), {"arguments": arguments}])
            answer = guard.request("tools/call", {"name": "t", "arguments": form})
            sent += "isError" not in answer["result"]
        reached = received(guard)
        assert len(reached) == sent > 20, (len(reached), sent)
        for one in reached:
            assert allowed_by_overlay(one["params"].get("arguments", {})), one


# ---- What is there ---------------------------------------------------------------------------------------------------------


def test_hidden_tools_are_unknown():
    tools = [tool(name) for name in ("read_a", "read_b", "write_a", "list")]
    with guarded({"tools": tools}, {"tools": {"allow": ["read_*", "write_?"], "deny": ["*_b", "write_*"]}}) as guard:
        assert listed(guard) == ["read_a"]
        for name in ("read_b", "write_a", "list", "never"):
            error = guard.call(name, {"max_sources": "bad"})["error"]
            assert error == {"code": -32602, "message": f"Unknown tool: {name}"}, error
        assert received(guard) == []


def test_prompts_and_resources_are_filtered():
    spec = {"prompts": [{"name": "good"}, {"name": "bad"}], "prompt": {"messages": []},
            "resources": [{"uri": "a://1", "name": "1"}, {"uri": "b://1", "name": "2"}]}
    with guarded(spec, {"prompts": {"deny": ["b*"]}, "resources": {"allow": ["a://*"]}}) as guard:
        assert listed(guard, "prompts") == ["good"] and listed(guard, "resources", "uri") == ["a://1"]
        got = guard.request("prompts/get", {"name": "good"})
        assert "result" in got, got
        assert guard.request("prompts/get", {"name": "bad"})["error"]["code"] == -32602
        assert "result" in guard.request("resources/read", {"uri": "a://1"})
        assert guard.request("resources/read", {"uri": "b://1"})["error"]["code"] == -32002
        assert len(received(guard, "resources/read")) == 1 and len(received(guard, "prompts/get")) == 1


def test_read_only_says_why():
    with guarded({"tools": [tool("reads"), tool("writes")]}, {"tools": {"reads": {"read-only": True}}},
                 {"read-only": True}) as guard:
        assert listed(guard) == ["reads"]
        said = envelope(guard.call("writes"))
        assert said["error"]["code"] == "DENIED" and said["error"]["details"]["reason"] == "read-only", said
        assert "isError" not in guard.call("reads")["result"]


def test_each_caller_has_its_own():
    tools = [tool("read_a"), tool("write_a")]
    policy = {"callers": {"ann": {"allow": ["*"]}, "bob": {"allow": ["read_*"], "rate": "2/h"}}}
    with guarded({"tools": tools}, policy=policy, serve={}, tokens=("ann", "bob", "eve")) as guard:
        url = listening(guard)
        ann, bob, eve = (Caller(url, name) for name in ("ann", "bob", "eve"))
        assert ann.names() == ["read_a", "write_a"] and bob.names() == ["read_a"] and eve.names() == []
        assert "isError" not in ann.call("write_a")["result"]
        hidden, never = bob.call("write_a")["error"], bob.call("never_was")["error"]
        assert hidden["code"] == never["code"] == -32602
        assert hidden["message"].replace("write_a", "never_was") == never["message"], (hidden, never)
        for name in ("read_a", "never_was"):
            said = envelope(eve.call(name))
            assert said["error"]["code"] == "DENIED" and said["error"]["details"]["reason"] == "caller", said
        codes = [bob.call("read_a")["result"].get("isError", False) for _ in range(3)]
        assert codes == [False, False, True], codes
        said = envelope(bob.call("read_a"))
        assert said["error"]["code"] == "LIMIT_EXCEEDED" and said["error"]["details"]["retryAfterMs"] > 1000, said
        assert "was not sent" in said["error"]["message"], said
        assert "isError" not in ann.call("read_a")["result"]


def test_a_tool_has_a_rate():
    with guarded({"tools": [tool("t"), tool("u")]}, {"tools": {"t": {"rate": "2/d"}}}) as guard:
        answers = [guard.call("t") for _ in range(3)]
        assert "isError" not in answers[1]["result"], answers[1]
        assert envelope(answers[2])["error"]["code"] == "LIMIT_EXCEEDED"
        assert "isError" not in guard.call("u")["result"]
        assert len(received(guard)) == 3


def test_the_first_refusal_ends_it():
    """Route, then rate, then arguments: each is refused by what comes first."""
    tools = [tool("t"), tool("hidden"), tool("writes")]
    upstream = {"tools": {"deny": ["hidden"], "t": {"rate": "1/d", "read-only": True, "arguments": PUBLIC}}}
    with guarded({"tools": tools}, upstream, {"read-only": True}) as guard:
        bad = {"max_sources": 11, "path": "/etc"}
        assert guard.call("hidden", bad)["error"]["code"] == -32602
        assert envelope(guard.call("writes", bad))["error"]["code"] == "DENIED"
        said = envelope(guard.call("t", bad))
        assert said["error"]["code"] == "VALIDATION_ERROR" and len(issues(said)) == 2, said
        assert envelope(guard.call("t", bad))["error"]["code"] == "LIMIT_EXCEEDED"
        assert received(guard) == []


# ---- Errors of the server ------------------------------------------------------------------------------------------------


def failing(code, message="as it said", **more):
    return {"error": {"code": code, "message": message, **more}}


def test_an_unknown_tool_is_looked_up_once():
    spec = {"tools": [tool("t"), tool("gone")],
            "answers": {"t": [failing(-32602, "Tool t not found")],
                        "gone": [{"drop": "gone", **failing(-32602, "Unknown tool: gone")}]}}
    with guarded(spec) as guard:
        answer = guard.call("t")
        assert answer["result"]["isError"] and answer["result"]["content"][0]["text"] == "Tool t not found", answer
        assert len(received(guard, "tools/list")) == 2
        error = guard.call("gone")["error"]
        assert error == {"code": -32602, "message": "Unknown tool: gone"}, error
        assert len(received(guard, "tools/list")) == 3 and len(received(guard)) == 2


def test_an_ability_that_is_missing():
    spec = {"modern": True, "answers": {"t": [failing(-32021, data={"requiredCapabilities": {"sampling": {}}})]}}
    with guarded(spec) as guard:
        answer = guard.call("t")
        assert answer["result"]["isError"] and answer["result"]["content"][0]["text"] == "as it said", answer
    with guarded(spec, modern=True) as guard:
        error = guard.call("t")["error"]
        assert error["code"] == -32021 and error["data"] == {"requiredCapabilities": {"sampling": {}}}, error


def test_an_address_that_must_be_visited():
    data = {"elicitations": [{"mode": "url", "elicitationId": "e", "url": "https://x.example/auth", "message": "Log in"}]}
    spec = {"answers": {"t": [failing(-32042, data=data), {}]}}
    with guarded(spec) as guard:
        assert guard.call("t")["error"] == {"code": -32042, "message": "as it said", "data": data}
    with guarded(spec, revision="2025-06-18") as guard:
        answer = guard.call("t")["result"]
        assert answer["isError"] and answer["content"][0]["text"] == "as it said\nLog in: https://x.example/auth", answer
    with guarded(spec, modern=True, abilities={"elicitation": {"url": {}}}) as guard:
        asked = guard.call("t", {"path": "/a"})["result"]
        assert asked["resultType"] == "input_required", asked
        assert asked["inputRequests"] == {"q1": {"method": "elicitation/create", "params": {
            "mode": "url", "message": "[a, x.example] Log in", "url": "https://x.example/auth"}}}, asked
        done = guard.request("tools/call", {"name": "t", "arguments": {"path": "/a"},
                                            "inputResponses": {"q1": {"action": "accept"}}})
        got = echoed(done)
        assert got["arguments"] == {"path": "/a"} and "inputResponses" not in got, got
    with guarded(spec, modern=True) as guard:
        assert "https://x.example/auth" in guard.call("t")["result"]["content"][0]["text"]


def test_another_revision_is_negotiated_anew():
    spec = {"modern": True, "answers": {"t": [failing(-32022, data={"supported": ["2025-11-25"]}), {}]}}
    with guarded(spec) as guard:
        said = envelope(guard.call("t"))
        assert said["error"]["code"] == "UNAVAILABLE" and "was not sent" in said["error"]["message"], said
        assert said["error"]["details"]["retryAfterMs"] > 0, said


def test_other_codes():
    spec = {"answers": {"t": [failing(-32050), failing(-32601), failing(-5)]}}
    with guarded(spec) as guard:
        assert guard.call("t")["error"] == {"code": -32603, "message": "as it said"}
        assert guard.call("t")["error"]["code"] == -32601
        assert guard.call("t")["error"]["code"] == -5


class Modern(http.server.BaseHTTPRequestHandler):
    """A server of 2026-07-28 over HTTP whose tool moves an argument into a header between two lists."""
    protocol_version = "HTTP/1.1"
    lists, calls, always = 0, [], False

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind, status = type(self), 200
        method = message["method"]
        if method == "server/discover":
            body = {"result": {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}}
        elif method == "tools/list":
            kind.lists += 1
            where = {"type": "string"} if kind.lists == 1 else {"type": "string", "x-mcp-header": "Where"}
            body = {"result": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [
                tool("t", {"type": "object", "properties": {"where": where}})]}}
        elif method == "tools/call":
            kind.calls.append(self.headers.get("Mcp-Param-Where"))
            if kind.always or self.headers.get("Mcp-Param-Where") is None:
                status, body = 400, {"error": {"code": -32020, "message": "headers do not fit"}}
            else:
                body = {"result": {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}}
        else:
            status, body = 404, {"error": {"code": -32601, "message": "Method not found"}}
        text = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **body}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def test_headers_that_do_not_fit_are_made_anew_once():
    for always in (False, True):
        kind = type("Once", (Modern,), {"lists": 0, "calls": [], "always": always})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/mcp"
        with Guard(program=[TENON, "guard", url]) as guard:
            answer = guard.call("t", {"where": "x"})
            assert kind.calls == [None, "x"] and kind.lists == 2, (kind.calls, kind.lists)
            assert answer["error"]["code"] == -32603 if always else answer["result"]["content"][0]["text"] == "done", answer
        server.shutdown()


# ---- Results ---------------------------------------------------------------------------------------------------------------

NUMBERED = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}, "required": ["n"]}


def numbered(*results, modern=False, schema=None):
    return {"modern": modern, "tools": [tool("t", outputSchema=schema or NUMBERED)],
            "answers": {"t": [{"result": one} for one in results]}}


def test_results_that_do_not_fit_are_refused():
    block = {"type": "text", "text": "the server's own"}
    with guarded(numbered({"content": [block], "structuredContent": {"n": 7}, "x-vendor": 1})) as guard:
        result = guard.call("t")["result"]
        said = json.loads(result["content"][0]["text"])
        assert said["error"]["code"] == "UPSTREAM_INVALID" and len(issues(said)) == 1, said
        assert said["error"]["message"].startswith(
            "The call was carried out, but its structured result does not fit its schema"), said
        assert result["content"][1:] == [block] and result["isError"] is True and result["x-vendor"] == 1, result
        assert "structuredContent" not in result, result
    many = {"content": [], "structuredContent": {key: 1 for key in "abcdef"}}
    closed = {"type": "object", "additionalProperties": False}
    with guarded(numbered(many, schema=closed)) as guard:
        said = json.loads(guard.call("t")["result"]["content"][0]["text"])
        assert len(issues(said)) == 3 and said["error"]["details"]["totalErrors"] == 6, said


def test_a_structured_result_is_taken_from_text():
    text = {"content": [{"type": "text", "text": " {\"n\": 3.0} "}]}
    bad = {"content": [{"type": "text", "text": "{\"n\": 9}"}]}
    with guarded(numbered(text, bad, {"content": [], "isError": True}, {"content": [], "structuredContent": {"n": 1}})) as guard:
        result = guard.call("t")["result"]
        assert result["structuredContent"] == {"n": 3} and "isError" not in result, result
        assert "structuredContent" in result["content"][-1]["text"], result
        result = guard.call("t")["result"]
        said = json.loads(result["content"][0]["text"])
        assert said["error"]["code"] == "UPSTREAM_INVALID" and result["content"][1] == bad["content"][0], result
        assert guard.call("t")["result"] == {"content": [], "isError": True}
        assert guard.call("t")["result"] == {"content": [], "structuredContent": {"n": 1}}
    with guarded(numbered(text, {"content": [], "structuredContent": {"n": 9}}), policy={"results": "warn"}) as guard:
        result = guard.call("t")["result"]
        assert "structuredContent" not in result and "no structuredContent" in result["content"][-1]["text"], result
        result = guard.call("t")["result"]
        assert result["structuredContent"] == {"n": 9} and "does not fit" in result["content"][-1]["text"], result
    with guarded(numbered({"content": [], "structuredContent": {"n": 9}}), policy={"results": "off"}) as guard:
        assert guard.call("t")["result"] == {"content": [], "structuredContent": {"n": 9}}


def test_results_compare_equal_outside_splices():
    odd = ('{ "content":[{"type":"text","text":"\\u0041 \\ud83d \\udc00"}], "structuredContent":'
           '{"n":3,"big":12345678901234567890,"money":1.10,"huge":1e400} , "x":{"b":1,"a":[ ]}}')
    with guarded(numbered(odd)) as guard:
        line = guard.wait_raw(guard.start("tools/call", {"name": "t"}))
        assert odd in line, line


def test_values_that_are_no_objects_stand_in_one_for_legacy_clients():
    schema = {"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}}
    spec = numbered('{"resultType":"complete","content":[],"structuredContent":[1, 2.0,12345678901234567890]}',
                    modern=True, schema=schema)
    with guarded(spec) as guard:
        shown = guard.request("tools/list")["result"]["tools"][0]["outputSchema"]
        assert shown == {"type": "object", "$defs": schema["$defs"], "required": ["result"],
                         "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}, shown
        line = guard.wait_raw(guard.start("tools/call", {"name": "t"}))
        assert '"structuredContent":{"result":[1, 2.0,12345678901234567890]}' in line, line
    with guarded(spec, modern=True) as guard:
        assert guard.request("tools/list")["result"]["tools"][0]["outputSchema"] == schema
        assert guard.call("t")["result"]["structuredContent"][:2] == [1, 2]


def test_content_that_a_revision_does_not_have_is_text():
    blocks = [{"type": "text", "text": "a"}, {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"},
              {"type": "resource_link", "uri": "x://y", "name": "why"}]
    spec = {"answers": {"t": [{"result": {"content": blocks}}]}, "prompts": [{"name": "p"}],
            "prompt": {"messages": [{"role": "user", "content": blocks[2]}, {"role": "user", "content": blocks[0]}]}}
    for revision, known in (("2024-11-05", 1), ("2025-03-26", 2), ("2025-06-18", 3)):
        with guarded(spec, revision=revision) as guard:
            got = guard.call("t")["result"]["content"]
            assert got[:known] == blocks[:known] and len(got) == 3, (revision, got)
            assert all(one["type"] == "text" for one in got[known:]), (revision, got)
            if known < 3:
                assert got[2]["text"] == "Link to a resource: why: x://y", got
            if known < 2:
                assert "audio/wav" in got[1]["text"] and "3 bytes" in got[1]["text"], got
            prompt = guard.request("prompts/get", {"name": "p"})["result"]["messages"]
            assert prompt[0]["content"]["type"] == ("resource_link" if known == 3 else "text"), prompt
            assert prompt[1]["content"] == blocks[0], prompt


def test_messages_by_policy():
    for how, block, meta in (("block", True, True), ("meta", False, True), ("off", False, False)):
        with guarded({}, policy={"messages": how}) as guard:
            result = guard.call("t", {"max_sources": "3"})["result"]
            assert len(result["content"]) == (2 if block else 1), (how, result)
            assert ("io.github.tenon/messages" in result.get("_meta", {})) == meta, (how, result)


# ---- Time and room -----------------------------------------------------------------------------------------------------------


def test_refusals_have_no_structured_content_where_the_tool_promises_another():
    spec = {"tools": [tool("plain"), tool("promises", outputSchema=NUMBERED)],
            "answers": {"plain": [{"never": True}], "promises": [{"never": True}]}}
    with guarded(spec, {"limits": {"time": "200ms"}}) as guard:
        for name in ("plain", "promises"):
            for sent in ({}, {"max_sources": 11}):
                result = guard.call(name, sent)["result"]
                assert ("structuredContent" in result) == (name == "plain"), (name, sent, result)


def test_a_call_has_its_time():
    spec = {"answers": {"t": [{"never": True}, {"steps": 12, "pause": 0.1}, {"steps": 1000, "pause": 0.1}, {}]}}
    with guarded(spec, {"limits": {"time": "600ms", "time-max": "3s"}}) as guard:
        said = envelope(guard.call("t"))
        assert said["error"]["code"] == "TIMEOUT" and "may have been done" in said["error"]["message"], said
        assert said["error"]["details"] == {"retryAfterMs": 1000}, "it may be done twice"
        assert guard.call("t")["result"]["content"][0]["text"] == "done"
        assert not guard.notes
        assert envelope(guard.call("t"))["error"]["code"] == "TIMEOUT"
        guard.call("t")
        cancelled = [one["params"]["requestId"] for one in received(guard, "notifications/cancelled")]
        calls = [one["id"] for one in received(guard)]
        assert cancelled == [calls[0], calls[2]], (cancelled, calls)


def test_a_server_that_does_not_read_gets_no_more():
    spec = {"tools": [tool("t", {"type": "object", "properties": {"s": {"type": "string"}}}), tool("sleeps")],
            "answers": {"sleeps": [{"sleep": 3600}]}}
    with guarded(spec, {"limits": {"calls": 100, "time": "0"}}) as guard:
        guard.request("tools/list")
        guard.start("tools/call", {"name": "sleeps"})
        numbers = [guard.start("tools/call", {"name": "t", "arguments": {"s": "x" * (1 << 20)}}) for _ in range(8)]
        said = envelope(guard.wait(numbers[-1]))
        assert said["error"]["code"] == "UNAVAILABLE" and "was not sent" in said["error"]["message"], said
        assert "does not read" in said["error"]["message"], said


def test_calls_at_once():
    spec = {"tools": [tool("t"), tool("slow")], "answers": {"slow": [{"never": True}]}}
    with guarded(spec, {"limits": {"calls": 2}}) as guard:
        guard.request("tools/list")
        for _ in range(2):
            guard.start("tools/call", {"name": "slow"})
        said = envelope(guard.call("t"))
        assert said["error"]["code"] == "LIMIT_EXCEEDED" and "was not sent" in said["error"]["message"], said


def test_a_cancelled_call_runs_until_its_answer_comes():
    spec = {"tools": [tool("t"), tool("slow"), tool("free")], "answers": {"slow": [{"after": "free"}]}}
    for ends in ("cancelled", "late"):
        limits = {"calls": 2, "time": "0s" if ends == "cancelled" else "100ms"}
        with guarded(spec, {"limits": limits}) as guard:
            guard.request("tools/list")
            number = guard.start("tools/call", {"name": "slow"})
            if ends == "cancelled":
                while not received(guard):
                    threading.Event().wait(0.02)
                guard.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
            else:
                assert envelope(guard.wait(number))["error"]["code"] == "TIMEOUT"
            while not received(guard, "notifications/cancelled"):
                threading.Event().wait(0.02)
            for _ in range(3):  # one place is left, and is used again and again
                assert "isError" not in guard.call("t")["result"]
            number = guard.start("tools/call", {"name": "slow"})
            said = guard.call("t") if ends == "cancelled" else guard.wait(number) and guard.call("t")
            assert envelope(said)["error"]["code"] == "LIMIT_EXCEEDED", said
            assert len([one for one in received(guard) if one["params"]["name"] == "t"]) == 3


def test_the_answer_of_a_cancelled_call_makes_room():
    spec = {"tools": [tool("t"), tool("slow"), tool("free")], "answers": {"slow": [{"after": "free"}]}}
    with guarded(spec, {"limits": {"calls": 2, "time": "100ms"}}) as guard:
        guard.request("tools/list")
        assert envelope(guard.call("slow"))["error"]["code"] == "TIMEOUT"
        assert "isError" not in guard.call("free")["result"]  # its answer comes after the late one
        for _ in range(2):
            assert envelope(guard.call("slow"))["error"]["code"] == "TIMEOUT"
        assert envelope(guard.call("t"))["error"]["code"] == "LIMIT_EXCEEDED"


def test_one_caller_does_not_take_all_calls():
    spec = {"tools": [tool("t"), tool("slow")], "answers": {"slow": [{"never": True}]}}
    with guarded(spec, {"limits": {"calls": 4, "time": "0"}}, serve={}, tokens=("ann", "bob")) as guard:
        url = listening(guard)
        ann, bob = Caller(url, "ann"), Caller(url, "bob")
        ann.names()
        for _ in range(2):
            threading.Thread(target=call_in_vain, args=(ann, "slow"), daemon=True).start()
        while len(received(guard)) < 2:
            threading.Event().wait(0.02)
        assert envelope(ann.call("t"))["error"]["code"] == "LIMIT_EXCEEDED"
        assert "isError" not in bob.call("t")["result"]


# ---- Headers in front ------------------------------------------------------------------------------------------------------


def test_headers_that_cannot_be_named_hide_a_tool_over_http():
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "Where"},
                                               "b": {"type": "string", "x-mcp-header": "where"}}}
    spec = {"tools": [tool("t"), tool("odd", schema)]}
    with guarded(spec, {"prefix": ""}) as guard:
        assert listed(guard) == ["t", "odd"]
    with guarded(spec, {"prefix": ""}, serve={}) as guard:
        assert Caller(listening(guard)).names() == ["t"]


def test_what_may_have_been_done_is_retryable_only_where_nothing_changes():
    spec = {"tools": [tool("look"), tool("write")], "answers": {"look": [{"crash": True}], "write": [{"crash": True}]}}
    with guarded(spec, {"prefix": "", "tools": {"look": {"read-only": True}}}) as guard:
        for name, details in (("write", {"retryAfterMs": 1000}), ("look", {"retryable": True, "retryAfterMs": 1000})):
            said = envelope(guard.call(name))["error"]
            assert said["code"] == "UNAVAILABLE" and "may have been done" in said["message"], said
            assert said["details"] == details, said


def test_a_call_that_waits_keeps_its_headers():
    schema = {"type": "object", "properties": {"where": {"type": "string", "x-mcp-header": "Where"}}}
    for headers, fits in (({"Mcp-Param-Where": "x"}, True), ({"Mcp-Param-Where": "y"}, False), ({}, False)):
        with guarded({"tools": [tool("t", schema)]}, serve={}) as guard:
            first = Caller(listening(guard)).call("t", {"where": "x"}, headers=headers)
            assert ("result" in first) == fits, (headers, first)
            assert fits or first["error"]["code"] == -32020, first


if __name__ == "__main__":
    sys.exit(main(globals(), at_once=4))
