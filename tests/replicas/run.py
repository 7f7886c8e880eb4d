#!/usr/bin/env python3
"""Processes with one key file as replicas of one server: what one gave out is good at the others, and what stays with the
process that made it is refused elsewhere instead of being taken for something else.

    tests/replicas/run.py [NAME...]    only the tests whose name contains one of these
"""
import contextlib
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]
import rig  # noqa: E402
from wire import Session, Stream, Wire, ask_tool, counts, send_call, until  # noqa: E402

META = {**rig.META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}


@contextlib.contextmanager
def folder_of_keys():
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def replica(folder, *flags, key="key"):
    return rig.Server([rig.BUILD / "tests" / "replicas_judge", "--key-file", folder / key, *flags])


@contextlib.contextmanager
def two(*flags):
    """Two replicas, and the folder of their key."""
    with folder_of_keys() as folder, replica(folder, *flags) as one, replica(folder, *flags) as other:
        yield one, other, folder


def at(session, server):
    """The same session at another replica."""
    moved = Session.__new__(Session)
    moved.__dict__.update(session.__dict__, server=server)
    return moved


def is_refused(answer, status):
    """With a sentence, and no id: it belongs to no request."""
    assert answer.status == status, f"{answer.status}, not {status}: {answer.body}"
    body = answer.json()
    assert set(body) == {"jsonrpc", "error"} and len(body["error"]["message"]) > 20, body
    return True


def text_of(answer):
    assert answer.status == 200, answer.body
    return answer.json()["result"]["structuredContent"]["data"]["text"]


def call(session, tool, **arguments):
    with Wire(session.server) as wire:
        session.call(wire, tool, arguments)
        return wire.answer()


# ---- What is good everywhere ------------------------------------------------------------------------------------

def conformance(key):
    return rig.Server([rig.BUILD / "servers" / "conformance", "--key-file", key])


def begin_session(server):
    status, headers, answer = server.post(rig.request("initialize", protocolVersion="2025-06-18", capabilities={},
                                                      clientInfo={"name": "t", "version": "1"}))
    assert status == 200 and answer["result"]["protocolVersion"] == "2025-06-18"
    return headers["Mcp-Session-Id"]


def call_in(server, session):
    return server.post(rig.request("tools/call", name="test_simple_text"), Mcp_Session_Id=session)


def ask(server, tool, **more):
    return server.post(rig.request("tools/call", name=tool, **more, _meta=META), MCP_Protocol_Version=rig.MODERN,
                       Mcp_Method="tools/call", Mcp_Name=tool)[2]


def check_sessions(one, other, stranger):
    session = begin_session(one)
    for server in one, other:
        status, _, answer = call_in(server, session)
        assert status == 200 and "structuredContent" in answer["result"], answer  # 2025-06-18 knows it: the version travelled
    status, _, _ = call_in(stranger, session)
    assert status == 404, status
    status, _, _ = call_in(other, session[:-1] + ("A" if session[-1] != "A" else "B"))
    assert status == 404, status


def check_request_states(one, other, stranger):
    tool = "test_input_required_result_request_state"
    state = ask(one, tool)["result"]["requestState"]
    again = {"requestState": state, "inputResponses": {"confirm": {"action": "accept", "content": {"ok": True}}}}
    assert ask(stranger, tool, **again)["error"]["code"] == -32602
    assert ask(other, tool, **again)["result"]["resultType"] == "complete"


def test_sessions_and_states():
    with folder_of_keys() as folder:
        shared, foreign = folder / "key", folder / "foreign"
        with conformance(shared) as one, conformance(shared) as other, conformance(foreign) as stranger:
            assert shared.stat().st_mode & 0o777 == 0o600
            check_sessions(one, other, stranger)
            check_request_states(one, other, stranger)


# ---- Streams ----------------------------------------------------------------------------------------------------

def test_events_are_of_their_process():
    """Each process counts its streams from 1: an id of another must not lead to the stream that has its number here."""
    with folder_of_keys() as folder:
        with replica(folder) as one, replica(folder) as other:
            session = Session(one)
            with Wire(one) as wire:
                events = list(Stream(session.call(wire, "tell", {"notes": 3}, progress="of one")).events())
            with Wire(other) as wire:  # what would come instead
                list(Stream(at(session, other).call(wire, "tell", {"notes": 3}, progress="of the other")).events())
            for event in events:
                with Wire(other) as wire:
                    assert is_refused(at(session, other).come_back(wire, event["id"]).answer(), 400)
            with Wire(one) as wire:
                assert list(Stream(session.come_back(wire, events[0]["id"])).events()) == events[1:]
        with replica(folder) as again:  # a restart
            with Wire(again) as wire:
                list(Stream(at(session, again).call(wire, "tell", {"notes": 3}, progress="after")).events())
            for event in events:
                with Wire(again) as wire:
                    assert is_refused(at(session, again).come_back(wire, event["id"]).answer(), 400)


# ---- Sessions that were ended -----------------------------------------------------------------------------------

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def end(session):
    with Wire(session.server) as wire:
        return session.send(wire, method="DELETE").answer().status


def is_over(session):
    return session.post(PING).status == 404 and end(session) == 404


def sessions_at(address):
    with urllib.request.urlopen(f"http://{address}/metrics") as answer:
        return int(re.search(r"^tenon_sessions (\d+)$", answer.read().decode(), re.M)[1])


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_ended_sessions_stay_ended_in_a_process():
    """Also when they are forgotten, for being idle or for want of room; also without a key file."""
    admin = free_address()
    with rig.Server([rig.BUILD / "tests" / "replicas_judge", "--session-time", "1s", "--max-sessions", "3",
                     "--admin", admin]) as server:
        session, other = Session(server), Session(server)
        assert end(session) == 200 and is_over(session)
        for _ in range(4):
            Session(server)
        assert is_over(session)
        until(lambda: sessions_at(admin) == 0)
        assert is_over(session)
        assert other.post(PING).status == 200  # one that was only forgotten goes on


def test_ended_sessions_stay_ended_everywhere():
    """At a replica that knows the session, at one that does not, at one that begins later, and after restarts."""
    with folder_of_keys() as folder:
        with replica(folder) as one, replica(folder) as other:
            session, unknown, goes_on = Session(one), Session(one), Session(one)
            assert at(session, other).post(PING).status == 200
            with Wire(other) as wire:
                stream = Stream(at(session, other).send(wire, method="GET"))
                assert end(session) == 200 and end(unknown) == 200
                while stream.event():  # ends with the session
                    pass
            until(lambda: is_over(at(session, other)))
            until(lambda: is_over(at(unknown, other)))
            assert at(goes_on, other).post(PING).status == 200
        file = folder / "key.ended"
        assert file.stat().st_mode & 0o777 == 0o600
        for _ in range(2):
            with replica(folder) as again:
                assert is_over(at(session, again)) and is_over(at(unknown, again))
                assert at(goes_on, again).post(PING).status == 200


def test_the_file_of_ended_sessions():
    """Torn lines and nonsense are passed over, also by what is appended; what has expired is dropped at the next start."""
    with folder_of_keys() as folder:
        file = folder / "key.ended"
        with replica(folder) as one:
            session = Session(one)
            assert end(session) == 200
        good = file.read_bytes()
        expired = b"00112233445566ff 1700000000\n"
        nonsense = (b"\n\n" + b"x" * 40000 + b"\nffffffffffffffff 99999999999999999999\nzz" + good[2:] + b"\0\xff\n"
                    + good.replace(b" ", b"  ") + good[:20])
        file.write_bytes(expired + nonsense + b"\n" + good + good[:20])
        with replica(folder) as one:
            assert is_over(at(session, one))
            later = Session(one)
            assert end(later) == 200
        lines = file.read_bytes().splitlines()
        assert expired.strip() not in lines and good.strip() in lines and not any(b"x" in line for line in lines), lines
        with replica(folder) as one:
            assert is_over(at(later, one)) and is_over(at(session, one))


def test_the_file_of_ended_sessions_is_ours():
    with folder_of_keys() as folder:
        file = folder / "key.ended"
        for make in (lambda: file.touch(0o644), lambda: file.symlink_to("/dev/null"), file.mkdir):
            make()
            done = subprocess.run([rig.BUILD / "tests" / "replicas_judge", "--key-file", folder / "key", "--http",
                                   "127.0.0.1:0"], capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
            assert done.returncode == 1 and "the file of ended sessions must be" in done.stderr, done
            if file.is_dir() and not file.is_symlink():
                file.rmdir()
            else:
                file.unlink()


# ---- Ready ------------------------------------------------------------------------------------------------------

def status_of(address, path):
    try:
        with urllib.request.urlopen(f"http://{address}{path}") as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_ready():
    """From when it serves; not any more while it stops, which takes as long as the last call."""
    admin = free_address()
    with folder_of_keys() as folder, replica(folder, "--admin", admin, "--grace", "10m") as server:
        assert status_of(admin, "/readyz") == (200, b'{"status":"ready"}')
        wire = send_call(Wire(server), "hold")
        until(lambda: counts(server)["running"] == 1)
        server.begin_stop()
        until(lambda: status_of(admin, "/readyz") == (503, b'{"status":"stopping"}'))
        assert status_of(admin, "/healthz") == (503, b'{"status":"stopping"}')
        wire.close()  # which cancels the call


# ---- Questions --------------------------------------------------------------------------------------------------

def answer(question, name):
    return {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": name}}}


def test_answers_are_for_the_process_that_asked():
    """Both ask in one session; the answers come crossed: neither call goes on before its own one comes."""
    with two() as (one, other, _):
        here = Session(one, capabilities={"elicitation": {}})
        there = at(here, other)
        with Wire(one) as wire, Wire(other) as wire_there:
            stream, stream_there = Stream(here.call(wire, "ask")), Stream(there.call(wire_there, "ask"))
            question, question_there = stream.message(), stream_there.message()
            assert question["id"] != question_there["id"]
            assert is_refused(there.post(answer(question, "Ann")), 404)
            assert is_refused(here.post(answer(question_there, "Bob")), 404)
            assert here.post(answer(question, "Ann")).status == 202
            assert there.post(answer(question_there, "Bob")).status == 202
            for events, name in ((stream, "Ann"), (stream_there, "Bob")):
                assert events.message()["result"]["structuredContent"]["data"]["text"] == f"hello {name}"


def test_answers_after_a_restart():
    with folder_of_keys() as folder:
        with replica(folder) as one:
            session = Session(one, capabilities={"elicitation": {}})
            with Wire(one) as wire:
                question = Stream(session.call(wire, "ask")).message()
        with replica(folder) as again, Wire(again) as wire:
            session = at(session, again)
            stream = Stream(session.call(wire, "ask"))
            assert stream.message()["id"] != question["id"]
            assert is_refused(session.post(answer(question, "Ann")), 404)


# ---- What stays with its process --------------------------------------------------------------------------------

def cancellations():
    with two() as (one, other, _):
        session = Session(one)
        with Wire(one) as wire:
            stream = Stream(session.call(wire, "hold", id=7))
            until(lambda: counts(one)["running"] == 1)
            note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
            assert at(session, other).post(note).status == 202
            assert counts(one) == {"running": 1, "cancelled": 0, "finished": 0}
            assert session.post(note).status == 202
            until(lambda: counts(one) == {"running": 0, "cancelled": 1, "finished": 0})
            assert stream.message() is None


def remembered_texts():
    with two() as (one, other, _):
        session = Session(one)
        assert text_of(call(session, "remember", text="here")) == "remembered"
        assert text_of(call(session, "recall")) == "here"
        assert text_of(call(at(session, other), "recall")) == ""


def hidden_tools():
    with two() as (one, other, _):
        session = Session(one)
        assert text_of(call(session, "show", shown=False)) == "changed"
        assert "error" in call(session, "there").json()
        assert text_of(call(at(session, other), "there")) == "here"


def reports_of_changes():
    with two() as (one, other, _):
        session = Session(one)
        with Wire(one) as wire, Wire(other) as wire_there:
            stream, stream_there = (Stream(session.send(wire, method="GET")),
                                    Stream(at(session, other).send(wire_there, method="GET")))
            stream.event(), stream_there.event()
            call(at(session, other), "show", shown=False)
            assert stream_there.message()["method"] == "notifications/tools/list_changed"
            call(session, "show", shown=False)  # the first that this one hears of is its own
            first = stream.event()
            assert first["id"].endswith("-1") and "list_changed" in first["data"]


def log_levels():
    with two() as (one, other, _):
        session = Session(one)
        level = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "emergency"}}
        assert session.post(level).status == 200
        for server, logged in ((one, 0), (other, 1)):
            with Wire(server) as wire:
                at(session, server).call(wire, "say")
                notes = wire.answer().body.count(b"notifications/message")
                assert notes == logged, notes


def subscriptions():
    with two() as (one, other, _):
        session = Session(one)
        assert session.post({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe",
                             "params": {"uri": "note://a"}}).status == 200
        for server, first in ((one, "notifications/resources/updated"), (other, "notifications/tools/list_changed")):
            with Wire(server) as wire:
                stream = Stream(at(session, server).send(wire, method="GET"))
                stream.event()
                call(at(session, server), "update")
                call(at(session, server), "show", shown=False)
                assert stream.message()["method"] == first


def tasks():
    meta = {**rig.META, "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}

    def ask_task(server, method, header, **params):
        return server.post(rig.request(method, **params, _meta=meta), MCP_Protocol_Version=rig.MODERN, Mcp_Method=method,
                           Mcp_Name=header)[2]

    with two() as (one, other, _):
        task = ask_task(one, "tools/call", "work", name="work")["result"]["taskId"]
        assert ask_task(one, "tasks/get", task, taskId=task)["result"]["status"] == "working"
        assert ask_task(other, "tasks/get", task, taskId=task)["error"]["code"] == -32602
        until(lambda: ask_tool(one, "open_gate") and  # again and again: its handler may not be at the gate yet
              ask_task(one, "tasks/get", task, taskId=task)["result"]["status"] == "completed")


def limits():
    """Each has its own: what one refuses the other takes."""
    with two("--max-calls", "1") as (one, other, _):
        held = send_call(Wire(one), "hold")
        until(lambda: b"LIMIT_EXCEEDED" in ask_tool(one, "hold_not").body)
        there = send_call(Wire(other), "hold")
        until(lambda: b"LIMIT_EXCEEDED" in ask_tool(other, "hold_not").body)
        held.close()
        there.close()


ROWS = {  # of the table in docs/serving.md, by their first words
    "cursors, and the state": [test_sessions_and_states],
    "session ids": [test_sessions_and_states],
    "ended sessions": [test_ended_sessions_stay_ended_everywhere],
    "resuming a stream": [test_events_are_of_their_process],
    "the answer to a question": [test_answers_are_for_the_process_that_asked, test_answers_after_a_restart],
    "`notifications/cancelled`": [cancellations],
    "subscriptions and the log level": [subscriptions, log_levels],
    "what `tenon_remember()`": [remembered_texts],
    "`subscriptions/listen`": [reports_of_changes],
    "hidden tools": [hidden_tools],
    "tasks": [tasks],
    "limits": [limits],
}


def test_the_table_of_the_page():
    page = (TESTS.parent / "docs" / "serving.md").read_text(encoding="utf-8")
    table = page.split("| what | at another replica, or after a restart |\n| --- | --- |\n")[1].split("\n\n")[0]
    rows = [row.split("|")[1].strip() for row in table.splitlines()]
    untested = [row for row in rows if not any(row.startswith(words) for words in ROWS)]
    assert len(rows) == len(ROWS) and not untested, untested


def test_what_stays_with_its_process():
    for test in (test for tests in ROWS.values() for test in tests if not test.__name__.startswith("test_")):
        test()


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
