#!/usr/bin/env python3
"""What a guard does for servers at an address, and for its operator: streams, sessions, credentials, breaker, restarts, audit.

    tests/guard_outward/run.py [NAME...]    the tests whose name has one of these words in it
"""
import contextlib
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "guard"), str(HERE), str(HERE.parent / "login")]
sys.dont_write_bytecode = True
from rig import PATIENCE, TENON, UPSTREAM, Guard, echoed, envelope, main  # noqa: E402
from authority import Place  # noqa: E402
from web import Web, text  # noqa: E402

WEB = Web


@contextlib.contextmanager
def guarded(upstream, *flags, serve=None, policy=None, files=None, **more):
    """A guard of one server, by a configuration; `files` are written beside it, with mode 0600."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for name, content in (files or {}).items():
            (place / name).write_text(content, encoding="utf-8")
            (place / name).chmod(0o600)
        config = {"serve": serve or {}, "upstreams": {"up": {"prefix": "", "limits": {"time": "0s"}, **upstream}},
                  "policy": {"schema-errors": "pass", "results": "warn", **(policy or {})}}
        path = place / "guard.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        path.chmod(0o600)
        with Guard(program=[TENON, "guard", "--config", str(path), *flags], **more) as guard:
            guard.folder = place
            yield guard


def said(answer):
    return envelope(answer)["error"]


def until(what):
    """Waits for something that comes by itself."""
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
    return found


def post_call(url, name, arguments):
    """A call of a modern client over HTTP; its answer."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": name, "arguments": arguments, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                                        "io.modelcontextprotocol/clientCapabilities": {}}}}
    request = urllib.request.Request(url, json.dumps(body).encode(), {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name})
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        text = response.read().decode()
    return json.loads(text.split("data: ")[-1] if text.startswith(("event:", "data:", "id:")) else text)


# ---- Streams and sessions -------------------------------------------------------------------------------------------

def test_an_address_is_guarded():
    for modern in (False, True):
        with WEB(modern=modern) as web, guarded({"url": web.url}) as guard:
            assert echoed(guard.call("echo", {"a": 1})) == {"a": 1}


def test_what_a_server_sends_on_its_own_arrives():
    pushed = threading.Event()

    def listen(handler):
        handler.stream()
        pushed.wait(PATIENCE)
        web.tools["new"] = web.tools["echo"]
        handler.event(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}))
        time.sleep(0.1)

    with WEB() as web:
        web.get = listen
        with guarded({"url": web.url}) as guard:
            assert len(guard.request("tools/list")["result"]["tools"]) == 1
            pushed.set()
            while not any(note["method"] == "notifications/tools/list_changed" for note in guard.notes):
                guard.notes.append(json.loads(guard.next()))
            assert [tool["name"] for tool in guard.request("tools/list")["result"]["tools"]] == ["echo", "new"]


def test_a_stream_to_listen_to_is_asked_for_again_and_again():
    """More often than any stream may be resumed that brings nothing."""
    def listen(handler):
        handler.stream()
        handler.event(json.dumps({"jsonrpc": "2.0", "method": "notifications/x"}), retry=0)

    with WEB() as web:
        web.get = listen
        with guarded({"url": web.url}) as guard:
            guard.call("echo")
            until(lambda: sum(1 for one in web.seen if one[0] == "GET") > 130)


def test_a_question_on_the_stream_of_the_session_reaches_the_client():
    asked = threading.Event()

    def listen(handler):
        handler.stream()
        asked.wait(PATIENCE)
        handler.event(json.dumps({"jsonrpc": "2.0", "id": 77, "method": "roots/list"}))
        time.sleep(0.2)

    with WEB() as web:
        web.get = listen
        with guarded({"url": web.url, "questions": ["roots"]}, abilities={"roots": {}}) as guard:
            guard.call("echo")
            asked.set()
            question = json.loads(guard.next())
            assert question["method"] == "roots/list", question
            guard.write({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}})
            web.wait(lambda _, __, message: message and message.get("id") == 77 and "result" in message)


def test_a_stream_that_ends_early_is_resumed():
    def begin(handler, message):
        handler.stream()
        handler.event("", number="e1", retry=10)
        web.open = message["id"]

    def listen(handler):
        if "Last-Event-ID" not in handler.headers:
            handler.status(405)
            return
        web.resumed.append(handler.headers["Last-Event-ID"])
        handler.stream()
        if len(web.resumed) < 3:
            handler.event("", number=f"e{len(web.resumed) + 1}")
        else:
            handler.event(json.dumps({"jsonrpc": "2.0", "id": web.open, "result": text("late")}), end="\r")

    with WEB() as web:
        web.resumed, web.get = [], listen
        web.tools["slow"] = begin
        with guarded({"url": web.url}) as guard:
            assert guard.call("slow")["result"]["content"][0]["text"] == "late"
        assert web.resumed == ["e1", "e2", "e3"], web.resumed
        assert len(web.calls("slow")) == 1


def test_a_stream_without_an_event_id_may_have_been_done():
    def begin(handler, _):
        handler.stream()
        handler.event(json.dumps({"jsonrpc": "2.0", "method": "notifications/x"}))

    with WEB() as web:
        web.tools["cut"] = begin
        with guarded({"url": web.url}) as guard:
            error = said(guard.call("cut"))
            assert error["code"] == "UNAVAILABLE" and "may have been done" in error["message"], error
        assert len(web.calls("cut")) == 1


def test_a_session_that_is_forgotten_is_begun_anew_once():
    with WEB() as web, guarded({"url": web.url}) as guard:
        guard.call("echo")
        web.sessions.clear()
        web.tools["new"] = web.tools["echo"]
        assert echoed(guard.call("echo", {"a": 2})) == {"a": 2}
        assert web.methods().count("initialize") == 2
        assert len(web.calls()) == 3, "sent, refused, sent again"
        while not any(note["method"] == "notifications/tools/list_changed" for note in guard.notes):
            guard.notes.append(json.loads(guard.next()))
        assert len(guard.request("tools/list")["result"]["tools"]) == 2


def test_a_session_that_is_never_accepted_is_not_begun_for_ever():
    with WEB() as web:
        web.tools["gone"] = lambda handler, _: handler.status(404)
        with guarded({"url": web.url}) as guard:
            error = said(guard.call("gone"))
            assert error["code"] == "UNAVAILABLE" and "404" in error["message"], error
            assert "not sent" in error["message"], error
        assert web.methods().count("initialize") == 2 and len(web.calls("gone")) == 2, web.methods()


def test_redirects_are_not_followed():
    with WEB() as other, WEB() as web:
        web.tools["moved"] = lambda handler, _: handler.status(307, [("Location", other.url)])
        with guarded({"url": web.url}) as guard:
            assert "HTTP 307" in said(guard.call("moved"))["message"]
        assert not other.seen


def test_http_is_for_this_machine():
    with Guard(program=[TENON, "guard", "http://192.0.2.1:9/mcp"], modern=True) as guard:
        error = guard.request("server/discover")["error"]
        assert "https is needed" in error["message"], error


def test_an_answer_that_is_too_long_is_dropped():
    with WEB() as web:
        web.tools["long"] = lambda handler, message: handler.answer(message, text("x" * 100000))
        with guarded({"url": web.url, "limits": {"answer": "64KiB"}}) as guard:
            error = said(guard.call("long"))
            assert error["code"] == "UNAVAILABLE" and "may have been done" in error["message"], error
            assert "longer than" in error["message"], error
            assert echoed(guard.call("echo", {"b": 1})) == {"b": 1}


# ---- Credentials ------------------------------------------------------------------------------------------------------

def test_a_token_file_is_read_again():
    with WEB(token="one") as web:
        with guarded({"url": web.url, "token-file": "token", "credential": "shared"}, files={"token": "one\n"}) as guard:
            guard.call("echo")
            web.token = "two"
            (guard.folder / "token").write_text("two")
            assert echoed(guard.call("echo", {"a": 1})) == {"a": 1}
            web.token = "three"
            error = said(guard.call("echo"))
            assert error["code"] == "UNAVAILABLE" and "not sent" in error["message"] and "401" in error["message"], error
            (guard.folder / "token").write_text("three")
            assert echoed(guard.call("echo", {"a": 2})) == {"a": 2}
            log = "".join(guard.errors)
            assert not re.search(r"\b(one|two|three)\b", log.split("listening")[0]), log


def test_header_files_are_sent_and_read_again():
    with WEB(headers={"X-Api-Key": "k 1"}) as web:
        with guarded({"url": web.url, "header-file": {"X-Api-Key": "key"}, "credential": "shared"},
                     files={"key": "k 1"}) as guard:
            guard.call("echo")
            web.headers = {"X-Api-Key": "k2"}
            (guard.folder / "key").write_text("k2\n")
            assert echoed(guard.call("echo", {"a": 1})) == {"a": 1}


def test_a_token_command_is_run_when_it_is_needed():
    with WEB(token="t1") as web, tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "now").write_text("t1")
        script = f"echo run >> {place}/runs; cat {place}/now"
        with guarded({"url": web.url, "token-command": ["sh", "-c", script], "credential": "shared"}) as guard:
            guard.call("echo")
            guard.call("echo")
            assert (place / "runs").read_text().count("run") == 1
            (place / "now").write_text("t2")
            web.token = "t2"
            error = said(guard.call("echo"))
            assert error["code"] == "UNAVAILABLE" and "401" in error["message"], error  # the token is a moment old
    with WEB(token="t1") as web:
        with guarded({"url": web.url, "token-command": ["sh", "-c", "exit 3"], "credential": "shared"},
                     modern=True) as guard:
            error = guard.request("server/discover")["error"]
            assert "token-command" in error["message"], error


def test_a_clients_own_credentials_go_nowhere():
    with WEB() as web:
        with guarded({"url": web.url}, "--http", "127.0.0.1:0", modern=True) as guard:
            url = until(lambda: next((line.split("listening on ")[1].strip() for line in list(guard.errors)
                                      if "listening on " in line), None))
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": "echo", "arguments": {}, "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}}}}
            ask = urllib.request.Request(url, json.dumps(body).encode(), {
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo",
                "Authorization": "Bearer the-callers", "Cookie": "a=the-callers", "X-Api-Key": "the-callers"})
            with urllib.request.urlopen(ask, timeout=PATIENCE) as response:
                assert json.loads(response.read())["result"]["content"], "it was answered"
        assert web.calls() and "the-callers" not in repr(web.seen), web.seen


def test_without_a_login_the_operator_learns_what_to_do():
    with WEB(token="nobody has it") as web, tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        with guarded({"url": web.url}, modern=True) as guard:
            error = guard.request("server/discover")["error"]
            assert "log in: tenon guard login up" in error["message"], error


def test_a_person_logs_in_and_the_guard_renews_it():
    """A token that lives for a moment: the guard refreshes it, with the same login."""
    with Place(lasts=1) as place, tempfile.TemporaryDirectory() as state:
        os.environ.update(XDG_STATE_HOME=state, BROWSER=f"{sys.executable} {HERE.parent / 'login' / 'run.py'} --browse")
        try:
            done = subprocess.run([TENON, "guard", "login", place.url], capture_output=True, text=True, timeout=PATIENCE,
                                  stdin=subprocess.DEVNULL, check=False)
            assert done.returncode == 0 and "Logged in" in done.stdout, (done.stdout, done.stderr)
            (kept,) = pathlib.Path(state).glob("tenon/logins/*.json")
            assert stat.S_IMODE(kept.stat().st_mode) == 0o600
            logins = place.times("/authorize")
            with guarded({"url": place.url}, modern=True) as guard:
                answer = guard.call("note")
                assert not answer.get("error") and not answer["result"].get("isError"), answer
                assert "secret" not in "".join(guard.errors)
            assert place.times("/authorize") == logins and place.times("/token") >= 2, place.seen
        finally:
            os.environ.pop("BROWSER")


# ---- Breaker, restarts, repeats -----------------------------------------------------------------------------------------

def test_an_address_that_fails_is_left_alone_and_tried_without_a_call():
    with WEB() as web:
        web.tools["fail"] = lambda handler, _: handler.status(503)
        with guarded({"url": web.url, "breaker": {"failures": 3, "within": "60s", "pause": "300ms..1s"}}) as guard:
            guard.call("echo")
            for _ in range(3):
                assert "503" in said(guard.call("fail"))["message"]
            before = len(web.calls())
            error = said(guard.call("echo"))
            assert error["code"] == "UNAVAILABLE" and error["details"]["retryAfterMs"] > 0, error
            assert len(web.calls()) == before
            time.sleep(error["details"]["retryAfterMs"] / 1000 + 0.05)
            assert echoed(guard.call("echo", {"a": 1})) == {"a": 1}
            assert web.methods()[-2:] == ["ping", "tools/call"], web.methods()[-4:]
        assert any("left alone" in line for line in guard.errors) and any("works again" in line for line in guard.errors)


def test_an_address_that_cannot_be_reached_was_not_sent_to():
    web = WEB()
    with guarded({"url": web.url, "breaker": {"failures": 2, "within": "60s", "pause": "100ms..1s"}}) as guard:
        guard.call("echo")
        port = web.port
        web.stop()
        error = said(guard.call("echo"))
        assert error["code"] == "UNAVAILABLE" and "was not sent" in error["message"], error
        web = WEB(port=port)
        end = time.monotonic() + PATIENCE
        while "error" in (answer := guard.call("echo", {"n": 1})) or answer["result"].get("isError"):
            assert time.monotonic() < end, answer
            time.sleep(0.05)
        web.stop()


def test_a_call_that_may_have_been_done_is_repeated_only_where_that_is_allowed():
    for retry in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "lines"
            with guarded({"command": [*UPSTREAM, "--record", str(record)], "retry": retry}) as guard:
                error = said(guard.call("crash"))
                assert error["code"] == "UNAVAILABLE" and "may have been done" in error["message"], error
            sent = [line for line in record.read_text().splitlines() if '"crash"' in line]
            assert len(sent) == (2 if retry else 1), sent


def test_a_command_that_ended_is_started_again_by_itself():
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "lines"
        with guarded({"command": [*UPSTREAM, "--record", str(record)], "restart": {"pause": "20ms..1s"}}) as guard:
            guard.call("crash")
            until(lambda: record.read_text().count('"initialize"') == 2)
            guard.call("judged", {"n": 1})
            assert record.read_text().count('"initialize"') == 2


def test_restarts_are_bounded_as_the_operator_says():
    with guarded({"command": UPSTREAM, "restart": {"most": 2, "within": "60s", "pause": "10s..20s"}}) as guard:
        said(guard.call("crash"))
        said(guard.call("crash"))
        error = said(guard.call("judged", {"n": 1}))
        assert error["details"]["retryAfterMs"] > 1000, error


def test_what_no_client_uses_is_ended_and_started_again():
    with guarded({"command": UPSTREAM, "idle": "200ms"}) as guard:
        guard.call("judged", {"n": 1})
        until(lambda: any("no call came" in line for line in guard.errors))
        assert echoed(guard.call("judged", {"n": 2}))["arguments"] == {"n": 2}


def test_a_server_that_is_to_start_now_waits_for_no_client():
    with tempfile.TemporaryDirectory() as folder:
        record = {name: pathlib.Path(folder) / name for name in ("all", "auto", "session", "lazy")}
        upstreams = {name: {"command": [*UPSTREAM, "--record", str(path)], "share": "auto" if name == "lazy" else name,
                            "start": "lazy" if name == "lazy" else "now"} for name, path in record.items()}
        config = pathlib.Path(folder) / "guard.json"
        config.write_text(json.dumps({"upstreams": upstreams}), encoding="utf-8")
        config.chmod(0o600)
        with Guard(program=[TENON, "guard", "--config", str(config), "--http", "127.0.0.1:0"], modern=True) as guard:
            for name in ("all", "auto"):
                until(lambda name=name: record[name].exists() and "tools/list" in record[name].read_text())
            assert not record["lazy"].exists() and not record["session"].exists(), guard.errors
            url = until(lambda: next((line.split("listening on ")[1].strip() for line in list(guard.errors)
                                      if "listening on " in line), None))
            assert echoed(post_call(url, "auto_judged", {"n": 1}))["arguments"] == {"n": 1}
        assert record["auto"].read_text().count('"initialize"') == 1, "the client has the one that runs"
        with Guard(program=[TENON, "guard", "--config", str(config)]) as guard:  # its one client has them all
            until(lambda: record["session"].exists() and "tools/list" in record["session"].read_text())


# ---- What a server writes -----------------------------------------------------------------------------------------------

CHATTY = '''
import json, sys
def put(text):
    sys.stdout.write(text + "\\n"); sys.stdout.flush()
for line in sys.stdin:
    m = json.loads(line)
    i = m.get("id")
    if m.get("method") == "initialize":
        put(json.dumps({"jsonrpc": "2.0", "id": i, "result": {"protocolVersion": m["params"]["protocolVersion"],
            "capabilities": {"tools": {}}, "serverInfo": {"name": "c", "version": "1"}}}))
    elif m.get("method") == "tools/list":
        put(json.dumps({"jsonrpc": "2.0", "id": i, "result": {"tools": [
            {"name": n, "inputSchema": {"type": "object"}} for n in ("half", "long", "batch", "well")]}}))
    elif m.get("method") == "tools/call":
        name = m["params"]["name"]
        good = {"jsonrpc": "2.0", "id": i, "result": {"content": [{"type": "text", "text": "fine"}]}}
        if name == "half":
            put('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % i)
        elif name == "long":
            put(json.dumps({"jsonrpc": "2.0", "id": i, "result": {"content": [{"type": "text", "text": "x" * 200000}]}}))
        elif name == "batch":
            put(json.dumps([{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info",
                "data": "first"}}, good]))
        else:
            for n in range(20):
                put("noise \\x1b[31m %d" % n)
            put(json.dumps(good))
'''


def test_what_is_not_a_message_is_counted_and_its_first_lines_are_logged():
    with guarded({"command": [sys.executable, "-c", CHATTY]}) as guard:
        assert guard.call("well")["result"]["content"][0]["text"] == "fine"
        lines = until(lambda: [line for line in guard.errors if "not a message" in line])
        guard.call("well")
        lines = [line for line in guard.errors if "not a message" in line]
        assert 1 <= len(lines) <= 10 and not any("\x1b" in line for line in lines), lines


def test_an_answer_that_is_broken_ends_its_call_at_once():
    with guarded({"command": [sys.executable, "-c", CHATTY]}) as guard:
        error = said(guard.call("half"))
        assert error["code"] == "UPSTREAM_INVALID", error
        assert guard.call("well")["result"]["content"][0]["text"] == "fine"


def test_a_line_that_is_too_long_ends_its_call_only():
    with guarded({"command": [sys.executable, "-c", CHATTY], "limits": {"answer": "64KiB"}}) as guard:
        error = said(guard.call("long"))
        assert error["code"] == "UNAVAILABLE" and "may have been done" in error["message"], error
        assert guard.call("well")["result"]["content"][0]["text"] == "fine"
        assert not any("exited" in line for line in guard.errors), guard.errors


def test_batches_of_2025_03_26_are_read():
    with guarded({"command": [sys.executable, "-c", CHATTY]}, revision="2025-03-26") as guard:
        assert guard.call("batch")["result"]["content"][0]["text"] == "fine"


# ---- The operator ---------------------------------------------------------------------------------------------------------

def admin_of(guard):
    port = until(lambda: next((line.split("metrics at port ")[1].strip() for line in list(guard.errors)
                               if "metrics at port " in line), None))
    return f"http://127.0.0.1:{port}"


def fetch(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.headers["Content-Type"], response.read().decode()


def test_the_audit_says_what_the_guard_knows():
    with tempfile.TemporaryDirectory() as folder:
        audit = pathlib.Path(folder) / "audit"
        with guarded({"command": UPSTREAM, "prefix": "u_"}, "--audit", str(audit)) as guard:
            guard.call("u_judged", {"n": "5", "text": "secret"})
            guard.call("u_judged", {"n": 50})
            guard.call("u_crash")
        lines = [json.loads(line) for line in audit.read_text().splitlines()]
        good, bad, lost = lines
        assert (good["tool"], good["upstream"], good["upstreamTool"], good["outcome"]) == (
            "u_judged", "up", "judged", "OK"), good
        assert good["repaired"] == 1 and good["attempt"] == 1 and good["upstreamMs"] > 0, good
        assert re.fullmatch("[0-9a-f]{64}", good["argumentsSha256"]) and "secret" not in audit.read_text()
        assert bad["outcome"] == "VALIDATION_ERROR" and bad["issues"] == 1 and "attempt" not in bad, bad
        assert lost["outcome"] == "UNAVAILABLE" and lost["attempt"] == 1, lost
        assert stat.S_IMODE(audit.stat().st_mode) == 0o600


def test_metrics_and_the_page_of_upstreams():
    with guarded({"command": [*UPSTREAM, "--junk"]}, "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0",
                 modern=True) as guard:
        url, admin = until(lambda: next((line.split("listening on ")[1].strip() for line in list(guard.errors)
                                         if "listening on " in line), None)), admin_of(guard)
        for arguments in ({"n": 1}, {"n": 50}):
            post_call(url, "judged", arguments)
        _, metrics = fetch(admin + "/metrics")
        assert 'tenon_guard_calls_total{upstream="up",tool="judged",outcome="OK"} 1' in metrics, metrics
        assert 'tenon_guard_calls_total{upstream="up",tool="judged",outcome="VALIDATION_ERROR"} 1' in metrics, metrics
        assert 'tenon_guard_overhead_seconds_count{upstream="up"} 2' in metrics, metrics
        assert 'tenon_guard_upstream_seconds_count{upstream="up"} 1' in metrics, metrics
        assert re.search(r'tenon_guard_junk_lines_total\{upstream="up"\} [1-9]', metrics), metrics
        assert 'tenon_guard_breaker_open{upstream="up"} 0' in metrics, metrics
        kind, page = fetch(admin + "/upstreams")
        up = json.loads(page)["upstreams"][0]
        assert kind == "application/json" and up["name"] == "up" and up["breaker"] == "closed", page
        assert up["conversations"][0] == {"state": "ready", "era": "2025-11-25"}, page
        assert "judged" in up["published"] and {"name": "tasked", "reason": "it needs the tasks of 2025-11-25"} in \
            up["hidden"], page


if __name__ == "__main__":
    sys.exit(main(globals()))
