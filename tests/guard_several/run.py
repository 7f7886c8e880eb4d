#!/usr/bin/env python3
"""Several servers behind one guard: names, lists, routes, sharing, changes.

    tests/guard_several/run.py [NAME...]    the tests whose name has one of these words in it
"""
import hashlib
import json
import os
import pathlib
import sys
import tempfile
import urllib.request

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guard"))
from rig import META, PATIENCE, ROOT, TENON, Guard, envelope, listening, main  # noqa: E402

JUDGE = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build/dev")).resolve() / "tests/guard_several_judge"
SERVER = [sys.executable, str(HERE / "server.py")]


def up(name, *words, **settings):
    """The words of one upstream."""
    given = [f"{key}={value}" for key, value in settings.items()]
    return ["++", f"name={name}", *given, "--", *SERVER, "--name", name, *words]


def several(*upstreams, flags=(), **more):
    return Guard(program=[str(JUDGE), *flags, *[word for one in upstreams for word in one]], **more)


def names(guard, method="tools/list", member="tools", key="name"):
    return [one[key] for one in guard.request(method)["result"][member]]


def said(answer):
    return json.loads(answer["result"]["content"][0]["text"])


def test_tools_have_prefixes_and_lead_to_their_server():
    with several(up("a", "--tools", "x"), up("b", "--tools", "x,y.z", prefix="bb-")) as guard:
        listed = names(guard)
        assert listed[:2] == ["a_who", "a_grow"] and "a_x" in listed and "bb-x" in listed and "bb-y_z" in listed, listed
        assert listed.index("a_x") < listed.index("bb-who"), listed
        assert said(guard.call("a_x", {"n": 1})) == {**said(guard.call("a_x", {"n": 1})), "server": "a", "name": "x"}
        got = said(guard.call("bb-y_z", {"n": "3"}))
        assert got["server"] == "b" and got["name"] == "y.z" and got["arguments"] == {"n": 3}, got
        for unknown in ("x", "b_x", "a_nothing"):
            assert guard.call(unknown)["error"]["code"] == -32602, unknown


def test_the_guard_speaks_for_all():
    with several(up("a"), up("b", "--resources", "x://1")) as guard:
        hello = guard.hello["result"]
        assert hello["serverInfo"]["name"] == "tenon-guard" and "instructions" not in hello, hello
        assert set(hello["capabilities"]) == {"tools", "resources", "completions", "logging"}, hello
    with several(up("a"), up("b", "--modern"), modern=True) as guard:
        found = guard.request("server/discover")["result"]
        assert found["supportedVersions"] == ["2026-07-28"] and "instructions" not in found, found
        assert found["_meta"][META + "serverInfo"]["name"] == "tenon-guard", found
        listed = guard.request("tools/list")["result"]
        assert listed["resultType"] == "complete" and listed["cacheScope"] == "private", listed
        assert said(guard.call("b_who"))["server"] == "b"


def test_a_name_that_another_server_has_is_hidden_and_said():
    with several(up("a", "--tools", "b_x", prefix=""), up("b", "--tools", "x"), up("c", prefix="")) as guard:
        listed = names(guard)
        assert listed.count("b_x") == 1 and listed.count("who") == 1, listed
        assert said(guard.call("b_x"))["server"] == "b" and said(guard.call("who"))["server"] == "a"
        guard.logged("a: tool b_x is hidden", "prefix of b")
        guard.logged("c: tool who is hidden: a has published its name")


def test_a_server_that_is_not_ready_holds_nobody():
    with tempfile.TemporaryDirectory() as folder:
        gate = pathlib.Path(folder) / "gate"
        with several(up("slow", "--gate", str(gate), ready=300), up("quick")) as guard:
            assert said(guard.call("quick_who"))["server"] == "quick"
            assert not [name for name in names(guard) if name.startswith("slow_")]
            waiting = guard.start("tools/call", {"name": "slow_who", "arguments": {}})
            assert guard.wait(waiting)["error"]["code"] == -32602
            gate.touch()
            while not any(note["method"] == "notifications/tools/list_changed" for note in guard.notes):
                guard.notes.append(json.loads(guard.next()))
            assert "slow_who" in names(guard)
            assert said(guard.call("slow_who"))["server"] == "slow"


def test_a_dead_server_is_absent():
    with several(["++", "name=dead", "--", "/no/such/program"], up("b")) as guard:
        assert names(guard)[0] == "b_who"
        assert said(guard.call("b_who"))["server"] == "b"
    with several(up("a"), up("b")) as guard:
        assert "a_who" in names(guard)
        assert envelope(guard.call("a_crash"))["error"]["code"] == "UNAVAILABLE"
        assert "a_who" in names(guard) and said(guard.call("b_who"))["server"] == "b"
        assert said(guard.call("a_who"))["server"] == "a"


def test_a_call_for_a_server_that_starts_waits_for_it_alone():
    with tempfile.TemporaryDirectory() as folder:
        gate = pathlib.Path(folder) / "gate"
        with several(up("slow", "--gate", str(gate), ready=30000), up("quick"), modern=True) as guard:
            waiting = guard.start("tools/call", {"name": "slow_who", "arguments": {}})
            assert said(guard.call("quick_who"))["server"] == "quick"
            gate.touch()
            assert said(guard.wait(waiting))["server"] == "slow"

def until(guard, what):
    """Reads on until a notification of this method has come, and takes it."""
    while True:
        for note in guard.notes:
            if note["method"] == what:
                guard.notes.remove(note)
                return note
        message = json.loads(guard.next())
        assert "id" not in message, message
        guard.notes.append(message)


def lines(record):
    return [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []


def test_prompts_resources_and_completion_lead_to_their_server():
    with several(up("a", "--prompts", "p", "--resources", "x://1,x://same"),
                 up("b", "--prompts", "p", "--resources", "x://same", "--templates", "y://{id}/z"),
                 up("c", "--templates", "y://{id}/z/{+rest},z://{v}")) as guard:
        assert names(guard, "prompts/list", "prompts") == ["a_p", "b_p"]
        got = guard.request("prompts/get", {"name": "b_p"})["result"]["messages"][0]["content"]["text"]
        assert got == "b p", got
        assert guard.request("prompts/get", {"name": "p"})["error"]["code"] == -32602
        assert names(guard, "resources/list", "resources", "uri") == ["x://1", "x://same"]
        assert names(guard, "resources/templates/list", "resourceTemplates", "uriTemplate") == [
            "y://{id}/z", "y://{id}/z/{+rest}", "z://{v}"]

        def read(uri):
            answer = guard.request("resources/read", {"uri": uri})
            return answer["result"]["contents"][0]["text"] if "result" in answer else answer["error"]["code"]
        assert [read(uri) for uri in ("x://1", "x://same", "y://7/z", "y://7/z/w", "z://9")] == ["a", "a", "b", "c", "c"]
        assert read("q://nobody") == -32002
        guard.call("b_mention", {"uri": "q://nobody"})
        assert read("q://nobody") == "b"
        guard.call("a_mention", {"uri": "q://nobody"})
        assert read("q://nobody") == "a"
        values = guard.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "b_p"},
                                                       "argument": {"name": "x", "value": ""}})["result"]["completion"]
        assert values["values"][0] == "b" and json.loads(values["values"][1])["name"] == "p", values
        values = guard.request("completion/complete", {"ref": {"type": "ref/resource", "uri": "z://{v}"},
                                                       "argument": {"name": "v", "value": ""}})["result"]["completion"]
        assert values["values"][0] == "c", values
        guard.logged("b: resource x://same is hidden: a has it")


def test_unknown_methods_pass_only_where_they_are_listed():
    with several(up("a"), up("b", extension="vendor")) as guard:
        assert guard.request("vendor/echo")["result"]["server"] == "b"
        assert guard.request("other/echo")["error"]["code"] == -32601


def test_changes_are_reported_once_when_something_differs():
    for words in ([], ["--modern"]):
        with several(up("a", *words), up("b")) as guard:
            before = len(names(guard))
            guard.call("a_grow")
            until(guard, "notifications/tools/list_changed")
            assert len(names(guard)) == before + 1
            for _ in range(3):
                guard.call("a_who")
            assert not guard.notes, guard.notes


def test_servers_that_report_nothing_are_looked_at():
    with several(up("a", "--quiet", refresh=100), up("b")) as guard:
        before = len(names(guard))
        guard.call("a_grow")
        until(guard, "notifications/tools/list_changed")
        assert len(names(guard)) == before + 1


def test_resources_are_followed_once_behind_the_guard():
    for words in ([], ["--modern"]):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "lines"
            with several(up("a"), up("b", *words, "--record", str(record), "--resources", "x://1,x://2")) as guard:
                for uri in ("x://1", "x://1", "x://2"):
                    assert guard.request("resources/subscribe", {"uri": uri})["result"] == {}
                guard.call("b_who")
                guard.call("b_touch", {"uri": "x://1"})
                assert until(guard, "notifications/resources/updated")["params"]["uri"] == "x://1"
                guard.call("b_touch", {"uri": "x://2/part"})
                assert until(guard, "notifications/resources/updated")["params"]["uri"] == "x://2/part"
                guard.call("b_crash")
                guard.call("b_who")
                again = {until(guard, "notifications/resources/updated")["params"]["uri"] for _ in range(2)}
                assert again == {"x://1", "x://2"}, again
                assert guard.request("resources/unsubscribe", {"uri": "x://1"})["result"] == {}
                guard.call("b_touch", {"uri": "x://1"})
                guard.call("b_touch", {"uri": "x://2"})
                assert until(guard, "notifications/resources/updated")["params"]["uri"] == "x://2"
            got = lines(record)
            methods = [one.get("method") for one in got]
            if words:
                sets = [one["params"]["notifications"].get("resourceSubscriptions") for one in got
                        if one.get("method") == "subscriptions/listen"]
                assert sets[0] is None and sorted(sets[-2]) == ["x://1", "x://2"] and sets[-1] == ["x://2"], sets
                assert "resources/subscribe" not in methods and "notifications/cancelled" in methods, methods
                restarted = methods.index("server/discover", 1)
                assert methods.index("subscriptions/listen", restarted) < methods.index("tools/call", restarted), methods
            else:
                assert methods.count("resources/subscribe") == 4 and methods.count("resources/unsubscribe") == 1, methods
                restarted = methods.index("initialize", 1)
                assert methods.index("resources/subscribe", restarted) < methods.index("tools/call", restarted), methods


def test_a_modern_client_listens_to_all_servers():
    with several(up("a", "--resources", "x://1"), up("b", "--modern", "--resources", "y://1"), modern=True) as guard:
        guard.start("subscriptions/listen", {"notifications": {
            "toolsListChanged": True, "resourceSubscriptions": ["x://1", "y://1"]}}, number="s")
        honoured = until(guard, "notifications/subscriptions/acknowledged")["params"]["notifications"]
        assert honoured == {"toolsListChanged": True, "resourceSubscriptions": ["x://1", "y://1"]}, honoured
        names(guard)
        for tool, uri in (("a_touch", "x://1"), ("b_touch", "y://1")):
            guard.call(tool, {"uri": uri})
            params = until(guard, "notifications/resources/updated")["params"]
            assert params["uri"] == uri and params["_meta"][META + "subscriptionId"] == "s", params
        for tool in ("a_grow", "b_grow"):
            guard.call(tool)
            until(guard, "notifications/tools/list_changed")


def test_the_level_is_set_again_after_a_restart():
    with several(up("a"), up("b")) as guard:
        names(guard)
        assert guard.request("logging/setLevel", {"level": "error"})["result"] == {}
        assert guard.request("logging/setLevel", {"level": "loud"})["error"]["code"] == -32602
        assert said(guard.call("a_who"))["level"] == "error" and said(guard.call("b_who"))["level"] == "error"
        guard.call("a_crash")
        assert said(guard.call("a_who"))["level"] == "error"
        guard.call("a_log")
        assert any(note["method"] == "notifications/message" for note in guard.notes), guard.notes


def test_questions_of_two_servers_do_not_mix():
    with several(up("a"), up("b"), abilities={"elicitation": {}, "sampling": {}, "roots": {}}) as guard:
        got = said(guard.call("a_who"))
        assert got["capabilities"] == {"elicitation": {}} and got["client"]["name"] == "c", got
        calls = [guard.start("tools/call", {"name": name, "arguments": {}}) for name in ("a_ask", "b_ask")]
        while len(guard.asked) < 2:
            guard.wait(calls[0])
        for at, question in enumerate(guard.asked):
            guard.write({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"a": str(at)}}})
        answers = [guard.wait(number)["result"]["content"][0]["text"] for number in calls]
        assert sorted(answer[0] for answer in answers) == ["a", "b"] and len(set(answers)) == 2, answers


class Http:
    """A client over HTTP: modern, or of a session."""

    def __init__(self, guard, abilities=None, token=None, modern=False):
        self.url, self.abilities, self.token, self.modern, self.session = listening(guard), abilities or {}, token, modern, None
        if not modern:
            self.hello = self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": self.abilities,
                                                     "clientInfo": {"name": "h", "version": "0"}})

    def request(self, method, params=None):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        params = dict(params or {})
        if self.modern:
            params["_meta"] = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": self.abilities}
            headers.update({"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method})
            if "name" in params:
                headers["Mcp-Name"] = params["name"]
        if self.session:
            headers.update({"Mcp-Session-Id": self.session, "MCP-Protocol-Version": "2025-11-25"})
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=PATIENCE) as response:
            self.session = response.headers.get("Mcp-Session-Id", self.session)
            text = response.read().decode()
        messages = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")] or [json.loads(text)]
        return [one for one in messages if "result" in one or "error" in one][-1]

    def who(self, tool):
        return said(self.request("tools/call", {"name": tool, "arguments": {}}))


def test_servers_are_shared_as_the_configuration_says():
    with tempfile.TemporaryDirectory() as folder:
        tokens = pathlib.Path(folder) / "tokens"
        ann, bob = ("one-secret-of-some-length-1234567890", "two-secret-of-some-length-1234567890")
        tokens.write_text("".join(f"{name}:sha256:{hashlib.sha256(secret.encode()).hexdigest()}\n"
                                  for name, secret in (("ann", ann), ("bob", bob))))
        tokens.chmod(0o600)
        flags = ["--http", "127.0.0.1:0", "--tokens-file", str(tokens)]
        shares = [up(share, share=share) for share in ("auto", "all", "caller", "session")]
        with several(*shares, flags=flags, modern=True) as guard:
            can = {"elicitation": {}}
            clients = {"plain1": Http(guard, token=ann), "plain2": Http(guard, token=bob), "plain3": Http(guard, token=ann),
                       "asks1": Http(guard, can, ann), "asks2": Http(guard, can, ann), "modern": Http(guard, can, ann, True),
                       "modern2": Http(guard, can, ann, True), "bob": Http(guard, can, bob, True)}
            pids = {(name, share): client.who(share + "_who")["pid"] for name, client in clients.items()
                    for share in ("auto", "all", "caller", "session")}

            def same(share, *who):
                return len({pids[name, share] for name in who}) == 1
            assert same("all", *clients)
            assert same("auto", "plain1", "plain2", "plain3") and same("auto", "modern", "modern2")
            assert not same("auto", "asks1", "asks2") and not same("auto", "modern", "bob")
            assert not same("auto", "plain1", "asks1") and not same("auto", "asks1", "modern")
            assert same("caller", "plain1", "plain3") and same("caller", "asks1", "asks2", "modern", "modern2")
            assert not same("caller", "plain1", "plain2") and not same("caller", "plain1", "asks1")
            assert len({pids[name, "session"] for name in ("plain1", "plain2", "plain3", "asks1", "asks2", "modern", "bob")}) == 7
            assert same("session", "modern", "modern2")
            assert clients["asks1"].who("all_who")["capabilities"] == {}
            assert clients["asks1"].who("all_who")["client"]["name"] == "tenon-guard"
            assert clients["asks1"].who("auto_who")["capabilities"] == can
            clients["plain1"].request("tools/call", {"name": "all_log", "arguments": {}})
            while not any("all logs:" in line for line in guard.errors):
                clients["plain1"].who("all_who")

def test_long_lists_come_in_pages_of_one_snapshot():
    with several(up("a", "--large", "190"), up("b", "--circle")) as guard:
        first = guard.request("tools/list")["result"]
        cursor = first["nextCursor"]
        second = guard.request("tools/list", {"cursor": cursor})["result"]
        listed = [tool["name"] for tool in first["tools"] + second["tools"]]
        assert "nextCursor" not in second and len(listed) == len(set(listed)) == 206 and listed[-1].startswith("b_"), listed
        for wrong in ("", "x", cursor[:-1] + "x", "0" * 16 + cursor[16:]):
            assert guard.request("tools/list", {"cursor": wrong})["error"]["code"] == -32602, wrong
        guard.call("a_grow")
        until(guard, "notifications/tools/list_changed")
        assert guard.request("tools/list", {"cursor": cursor})["error"]["code"] == -32602


def test_one_server_with_a_prefix_names_its_prompts_too():
    with several(up("a", "--prompts", "p", "--resources", "x://1")) as guard:
        assert guard.hello["result"]["serverInfo"]["name"] == "a" and guard.hello["result"]["instructions"] == "a"
        assert names(guard)[0] == "a_who" and names(guard, "prompts/list", "prompts") == ["a_p"]
        assert guard.request("prompts/get", {"name": "a_p"})["result"]["messages"][0]["content"]["text"] == "a p"
        assert guard.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "a_p"},
                                                     "argument": {"name": "x", "value": ""}})["result"]["completion"]
        assert guard.request("resources/read", {"uri": "x://7"})["result"]["contents"][0]["text"] == "a"
        assert guard.request("vendor/echo")["result"]["server"] == "a"


def test_a_configuration_names_several():
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "guard.json"
        config.write_text(json.dumps({"upstreams": {
            "one": {"command": [*SERVER, "--name", "one"]},
            "two": {"command": [*SERVER, "--name", "two", "--modern"], "prefix": "second-", "share": "all"}}}))
        with Guard(program=[str(TENON), "guard", "--config", str(config)]) as guard:
            assert [name for name in names(guard) if name.endswith("who")] == ["one_who", "second-who"]
            assert said(guard.call("one_who"))["server"] == "one" and said(guard.call("second-who"))["server"] == "two"


if __name__ == "__main__":
    sys.exit(main(globals(), at_once=4))
