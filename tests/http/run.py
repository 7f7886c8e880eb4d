#!/usr/bin/env python3
"""MCP over real HTTP: statuses and the order of checks, streams, sessions that are come back to, stopping under load.

    tests/http/run.py [NAME...]    only the tests whose name contains one of these
"""
import base64
import hashlib
import http.server
import json
import os
import resource
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "support")]
import broken
from wire import (BUILD, Gone, LEGACY, MODERN, Server, Session, Stream, Wire, ask_tool, call, counts, modern,
                  modern_headers, send_call, until)

TOKEN = "correct-horse-battery-staple-0123456789"
TOKEN_FLAG = "ann:sha256:" + hashlib.sha256(TOKEN.encode()).hexdigest()
SSE_ONLY = "text/event-stream"
with socket.create_server(("127.0.0.1", 0)) as free:
    ADMIN = f"127.0.0.1:{free.getsockname()[1]}"
tests = []


def test(*flags):
    def add(function):
        tests.append((function, flags))
        return function
    return add


def is_error(answer, status, code=None):
    assert answer.status == status, f"{answer.status}, not {status}: {answer.body}"
    body = answer.json()
    assert body["jsonrpc"] == "2.0" and "error" in body, body
    assert code is None or body["error"]["code"] == code, body
    return True


@test()
def values_of_another_type(server):
    """Every parameter of a schema document gets every type of JSON; each call is answered, and the server goes on."""
    odd = [[], [1], [[1, 2, 3, 4]], {"a": 1}, {"mode": [1]}, None, 10 ** 30, 0.25, True, "", "nothing"]
    names = ["mode", "mixed", "fixed", "text", "day", "count", "ratio", "flag", "list", "inner", "map", "either", "other"]
    with Wire(server) as wire:
        for name in names:
            for value in odd:
                answer = send_call(wire, "by_schema", {name: value}).answer()
                said = answer.json()["result"]["structuredContent"]
                assert answer.status == 200 and said["status"] in ("SUCCESS", "ERROR"), (name, value, answer.body)
                assert name != "mode" or value in (None, "") or said["error"]["code"] == "VALIDATION_ERROR", (value, said)
        assert send_call(wire, "echo", {"text": "still here"}).answer().text() == "still here"


# ---- Messages that are broken -----------------------------------------------------------------------------------

@test()
def answers_to_broken_messages_have_their_id(server):
    session = Session(server)
    modern_call = modern_headers(call("echo", {"text": "x"}))
    with Wire(server) as wire:
        for meta, send in ((broken.LEGACY, lambda body: session.send(wire, body)),
                           (broken.MODERN, lambda body: wire.send(body=body, **modern_call))):
            for message, id, kind in broken.messages(meta):
                answer = send(message).answer()
                assert (answer.status == 200) == (kind == "issue") or (meta is broken.LEGACY), (answer.status, message[:200])
                broken.check(message, id, kind, answer.json())


# ---- Statuses, and what is checked first ------------------------------------------------------------------------

@test()
def plain_calls(server):
    with Wire(server) as wire:
        for i in range(3):  # on one connection
            answer = send_call(wire, "echo", {"text": f"hello {i}"}, id=i).answer()
            assert answer.status == 200 and answer.get("content-type") == "application/json"
            assert answer.json()["id"] == i and answer.text() == f"hello {i}"
            assert answer.get("mcp-session-id") is None


@test()
def statuses(server):
    body = call("echo", {"text": "x"})
    ok = modern_headers(body)
    cases = [
        (dict(method="POST", path="/other"), 404),
        (dict(method="POST", path="/mcp/"), 404),
        (dict(method="PUT"), 405),
        (dict(method="HEAD"), 405),
        (dict(method="OPTIONS"), 405),
        (dict(method="GET"), 400),
        (dict(method="GET", MCP_Protocol_Version=MODERN), 405),
        (dict(method="DELETE", MCP_Protocol_Version=MODERN), 405),
        (dict(method="GET", MCP_Protocol_Version=MODERN, Mcp_Session_Id="x"), 405),
        (dict(method="DELETE"), 400),
        (dict(method="GET", Mcp_Session_Id="unknown"), 404),
        (dict(method="DELETE", Mcp_Session_Id="unknown"), 404),
        (dict(body=body, Content_Type="text/plain", **ok), 415),
        (dict(body=body, Content_Type=None, **ok), 415),
        (dict(body=body, Content_Type="application/jsonp", **ok), 415),
        (dict(body=body, Content_Type="Application/JSON ; charset=utf-8", **ok), 200),
        (dict(body=body, Accept="text/html", **ok), 406),
        (dict(body=body, Accept="application/json;q=0, text/event-stream;q=0.0", **ok), 406),
        (dict(body=body, Accept="*/*", **ok), 200),
        (dict(body=body, Accept="application/*", **ok), 200),
        (dict(body=body, Accept="", **ok), 200),
        (dict(body=body, Accept="application/json, text/event-stream", **ok), 200),
        (dict(body=b"{", **ok), 400),
        (dict(body=b"", **ok), 400),
        (dict(body=body, Mcp_Method="tools/call"), 400),
        (dict(body=body, **{**ok, "Mcp_Name": "other"}), 400),
        (dict(body=body, **{**ok, "Mcp_Method": None}), 400),
        (dict(body=body, **{**ok, "MCP_Protocol_Version": LEGACY}), 400),
        (dict(body=modern("no/such"), MCP_Protocol_Version=MODERN, Mcp_Method="no/such"), 404),
        (dict(body={"jsonrpc": "2.0", "id": 1, "method": "ping"}, Mcp_Session_Id="unknown"), 404),
        (dict(body={"jsonrpc": "2.0", "id": 1, "method": "ping"}), 400),
        (dict(body=body, Mcp_Session_Id="ignored", Last_Event_ID="ignored", **ok), 200),
    ]
    for named, status in cases:
        with Wire(server) as wire:
            answer = wire.send(**named).answer(only_head=named.get("method") == "HEAD")
            assert answer.status == status, f"{named}: {answer.status}, not {status}: {answer.body}"
            assert status != 405 or answer.get("allow"), named
            if answer.body:
                assert answer.get("content-type") == "application/json"
                assert status == 200 or is_error(answer, status)


@test("--token", TOKEN_FLAG, "--max-body", "1KiB")
def precedence(server):
    """Each request breaks one thing less than the one before it."""
    body = call("echo", {"text": "x" * 2000})
    small = call("echo", {"text": "x"})
    good = {"Authorization": f"Bearer {TOKEN}"}
    evil = {"host": "evil.example", "Origin": "http://evil.example"}
    cases = [
        (dict(method="PUT", body=body, path="/x", Content_Type="text/plain", **evil), 403),
        (dict(method="PUT", body=body, path="/x", Content_Type="text/plain", Origin="http://evil.example"), 403),
        (dict(method="PUT", body=body, path="/x", Content_Type="text/plain"), 404),
        (dict(method="PUT", body=body, Content_Type="text/plain"), 401),
        (dict(method="PUT", body=body, Content_Type="text/plain", Authorization="Bearer wrong"), 401),
        (dict(method="PUT", body=body, Content_Type="text/plain", **good), 405),
        (dict(body=body, Content_Type="text/plain", **good), 415),
        (dict(body=body, **good), 413),
        (dict(body=b"{", **good), 400),
        (dict(body=small, **good), 400),
        (dict(body=small, **good, **modern_headers(small)), 200),
    ]
    for named, status in cases:
        with Wire(server) as wire:
            answer = wire.ask(**named)
            assert answer.status == status, f"{str(named)[:200]}: {answer.status}, not {status}"
            assert (status == 401) == (answer.get("www-authenticate") is not None)


@test("--token", TOKEN_FLAG)
def strangers_bodies_are_not_read(server):
    for headers, status in (("Host: evil.example", 403), ("Host: localhost", 401),
                            ("Host: localhost\r\nOrigin: null", 403)):
        with Wire(server) as wire:
            wire.raw(f"POST /mcp HTTP/1.1\r\n{headers}\r\nContent-Type: application/json\r\n"
                     "Content-Length: 4000000\r\nExpect: 100-continue\r\n\r\n")
            assert wire.answer().status == status
            assert wire.is_closed()


@test()
def hosts_and_origins(server):
    port = server.port
    cases = [
        ({}, 200), ({"host": f"127.0.0.1:{port}"}, 200), ({"host": "[::1]:1"}, 200), ({"host": "LOCALHOST"}, 200),
        ({"host": "evil.example"}, 403), ({"host": "localhost.evil.example"}, 403), ({"host": "localhost:x"}, 403),
        ({"Origin": "http://localhost:5173"}, 200), ({"Origin": f"http://127.0.0.1:{port}"}, 200),
        ({"Origin": "null"}, 403), ({"Origin": ""}, 403), ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403), ({"Origin": "localhost"}, 403),
        ({"Origin": "file://"}, 403),
    ]
    for headers, status in cases:
        answer = ask_tool(server, "echo", {"text": "x"}, **headers)
        assert answer.status == status, f"{headers}: {answer.status}"
        if status == 403:
            assert is_error(answer, 403) and "id" not in answer.json()
        allowed = headers["Origin"] if status == 200 and "Origin" in headers else None
        assert answer.get("access-control-allow-origin") == allowed
    with Wire(server) as wire:  # two of them
        wire.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n"
                 "Content-Length: 0\r\n\r\n")
        assert wire.answer().status == 403


@test("--allow-origin", "https://app.example.org", "--allow-host", "tools.example.org", "--token", TOKEN_FLAG)
def browsers(server):
    with Wire(server) as wire:  # a preflight has no token
        answer = wire.ask("OPTIONS", Origin="https://app.example.org", Access_Control_Request_Method="POST",
                          Access_Control_Request_Headers="content-type, mcp-param-region, x-other")
        assert answer.status == 204
        assert answer.get("access-control-allow-origin") == "https://app.example.org"
        assert answer.get("vary") == "Origin"
        allowed = answer.get("access-control-allow-headers").lower().split(", ")
        assert "mcp-param-region" in allowed and "mcp-session-id" in allowed and "authorization" in allowed
        assert "x-other" not in allowed
        assert "POST" in answer.get("access-control-allow-methods")
        answer = wire.ask("OPTIONS", Origin="https://other.example.org", Access_Control_Request_Method="POST")
        assert answer.status == 403 and answer.get("access-control-allow-origin") is None
    # a page may see why it was refused, and the id of its session
    answer = ask_tool(server, "echo", {"text": "x"}, Origin="https://app.example.org")
    assert answer.status == 401 and answer.get("access-control-allow-origin") == "https://app.example.org"
    exposed = answer.get("access-control-expose-headers")
    assert "WWW-Authenticate" in exposed and "Mcp-Session-Id" in exposed
    headers = {"Authorization": f"Bearer {TOKEN}", "host": "tools.example.org", "Origin": "https://app.example.org"}
    with Wire(server) as wire:
        stream = Stream(send_call(wire, "tell", {"notes": 2}, progress=1, **headers))
        assert stream.answer.get("access-control-allow-origin") == "https://app.example.org"
        assert len(list(stream.events())) == 3


@test()
def headers_twice(server):
    body = json.dumps(call("echo", {"text": "x"}))
    for name, value in (("Mcp-Name", "echo"), ("Mcp-Method", "tools/call"), ("MCP-Protocol-Version", MODERN),
                        ("Mcp-Session-Id", "x")):
        with Wire(server) as wire:
            wire.raw(f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                     f"Mcp-Name: echo\r\nMcp-Method: tools/call\r\nMCP-Protocol-Version: {MODERN}\r\nMcp-Session-Id: x\r\n"
                     f"{name}: {value}\r\nContent-Length: {len(body)}\r\n\r\n{body}")
            assert wire.answer().status == 400


# ---- The ways of a body -----------------------------------------------------------------------------------------

@test()
def chunked(server):
    body = json.dumps(call("echo", {"text": "in pieces"})).encode()
    with Wire(server) as wire:
        for size in (1, 7, len(body)):
            wire.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Name: echo\r\n"
                     f"Mcp-Method: tools/call\r\nMCP-Protocol-Version: {MODERN}\r\nTransfer-Encoding: chunked\r\n\r\n")
            for at in range(0, len(body), size):
                piece = body[at:at + size]
                wire.raw(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            wire.raw("0\r\n\r\n")
            assert wire.answer().text() == "in pieces"


@test()
def bodies_between_others(server):
    """The head of one request, others in between, and then its body: who it is for is not forgotten."""
    body = json.dumps(call("echo", {"text": "late"}))
    head = ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Name: echo\r\n"
            f"Mcp-Method: tools/call\r\nMCP-Protocol-Version: {MODERN}\r\nContent-Length: {len(body)}\r\n\r\n")
    with Wire(server) as slow, Wire(server) as gone:
        slow.raw(head)
        gone.raw(head)
        assert ask_tool(server, "echo", {"text": "x"}).text() == "x"
        gone.reset()
        assert ask_tool(server, "echo", {"text": "y"}, Accept="application/json").text() == "y"
        slow.raw(body[:10])
        assert ask_tool(server, "echo", {"text": "z"}).text() == "z"
        slow.raw(body[10:])
        assert slow.answer().text() == "late"


@test()
def pipelined(server):
    with Wire(server) as wire:
        for i in range(50):
            send_call(wire, "tell" if i % 10 == 5 else "echo", {"notes": 2} if i % 10 == 5 else {"text": str(i)}, id=i,
                      progress=i if i % 10 == 5 else None)
        for i in range(50):
            if i % 10 == 5:
                messages = [json.loads(event["data"]) for event in Stream(wire).events()]
                assert len(messages) == 3 and messages[-1]["id"] == i
            else:
                assert wire.answer().json()["id"] == i


@test()
def pipelining_does_not_hold_up_others(server):
    """Everything is sent while the loop stands still: what comes last is not answered last."""
    others, each, body = 30, 100, call("stamp")
    with Wire(server) as staller:
        send_call(staller, "stall")
        until(lambda: "stalled\n" in server.log)
        wires = [Wire(server) for _ in range(others)]
        for wire in wires:
            wire.raw(wire.request(body=body, **modern_headers(body)) * each)
        with Wire(server) as polite:
            polite.send(body=body, **modern_headers(body))
            server.process.send_signal(signal.SIGUSR1)
            stamp = int(polite.answer().text())
    assert stamp <= 3 * others, f"{stamp} of {others * each} came first"
    for wire in wires:
        stamps = [int(wire.answer().text()) for _ in range(each)]
        assert stamps == sorted(stamps)
        wire.close()


# ---- Workers ----------------------------------------------------------------------------------------------------

POLITE = "127.0.0.2"  # another caller than all the others


def fill_workers(server, session, running, waiting):
    """Calls that wait at the gate: so many run, and so many more are all that the queue holds."""
    wires = [session.call(Wire(server), "hold", Accept="application/json") for _ in range(running + waiting)]
    until(lambda: counts(server)["running"] == running)
    with Wire(server) as wire:
        assert refused(session.call(wire, "hold", Accept="application/json").answer())
    return wires


def refused(answer):
    return answer.json()["result"]["structuredContent"]["error"]["code"] == "LIMIT_EXCEEDED"


@test("--workers", "2", "--max-queue", "8")
def blocking_calls_do_not_hold_up_others(server):
    """One caller has all workers and all of the queue; another one is served, again and again."""
    greedy, polite = Session(server), Session(server)
    wires = fill_workers(server, greedy, 2, 8)
    with Wire(server, address=POLITE) as wire:
        for _ in range(3):
            answer = polite.call(wire, "tell", {"notes": 1}, Accept="application/json").answer()
            assert answer.text() == "told"
    assert counts(server)["running"] == 2  # none of the other's calls had to end for it
    ask_tool(server, "open_gate")
    until(lambda: ask_tool(server, "open_gate") and counts(server)["finished"] == 10)
    for wire in wires:
        assert wire.answer().text() == "through"
        wire.close()


@test("--workers", "2", "--max-queue", "8", "--spare-workers", "0")
def a_full_queue_gives_way_to_others(server):
    """Without spare workers the other one waits, in the place of a call of the one that has most."""
    greedy, polite = Session(server), Session(server)
    wires = fill_workers(server, greedy, 2, 8)
    with Wire(server, address=POLITE) as wire:
        polite.call(wire, "tell", {"notes": 1}, Accept="application/json")
        assert refused(wires.pop().answer())  # the newest
        ask_tool(server, "open_gate")
        until(lambda: ask_tool(server, "open_gate") and counts(server)["finished"] == 9)
        assert wire.answer().text() == "told"
    for wire in wires:
        assert wire.answer().text() == "through"
        wire.close()


# ---- Streams ----------------------------------------------------------------------------------------------------

@test()
def streams(server):
    for tool in ("tell", "tell_inline"):
        with Wire(server) as wire:
            stream = Stream(send_call(wire, tool, {"notes": 100}, progress="p"))
            assert stream.answer.get("cache-control") == "no-store"
            assert stream.answer.get("x-accel-buffering") == "no"
            events = list(stream.events())
            assert all(set(event) == {"data"} for event in events)  # no ids in this era
            messages = [json.loads(event["data"]) for event in events]
            assert [m["params"]["progress"] for m in messages[:-1]] == list(range(1, 101))
            assert messages[-1]["id"] == 1 and "result" in messages[-1]
            # the connection goes on
            assert send_call(wire, "echo", {"text": "next"}).answer().text() == "next"
            # and a client that takes no streams gets the answer alone
            answer = send_call(wire, tool, {"notes": 3}, progress="p", Accept="application/json").answer()
            assert answer.text() == "told"
            # one that takes nothing else gets it as a stream
            stream = Stream(send_call(wire, "echo", {"text": "x"}, Accept=SSE_ONLY))
            assert [json.loads(event["data"])["id"] for event in stream.events()] == [1]


@test("--keepalive", "1s")
def listening(server):
    with Wire(server) as wire:
        body = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, id="L1")
        stream = Stream(wire.send(body=body, **modern_headers(body)))
        assert stream.message()["method"] == "notifications/subscriptions/acknowledged"
        ask_tool(server, "change")
        assert stream.message()["method"] == "notifications/tools/list_changed"
        while b": keepalive\n\n" not in wire.buffer:
            wire.more()
        server.begin_stop()
        while (message := stream.message()).get("method"):
            assert message["method"] == "notifications/tools/list_changed"
        assert message["id"] == "L1" and "result" in message
        assert stream.event() is None and stream.comments > 0


@test("--max-streams", "2", "--share", "100")
def no_more_streams(server):
    body = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, id="L")
    wires = [Wire(server) for _ in range(3)]
    streams = [Stream(wire.send(body=body, **modern_headers(body))) for wire in wires[:2]]
    for stream in streams:
        assert stream.message()["method"] == "notifications/subscriptions/acknowledged"
    answer = wires[2].ask(body=body, **modern_headers(body))
    assert answer.status in (406, 503) and is_error(answer, answer.status)
    # a call that tells of itself is answered without
    answer = send_call(wires[2], "tell", {"notes": 2}, progress=1).answer()
    assert answer.get("content-type") == "application/json" and answer.text() == "told"
    session = Session(server)
    with Wire(server) as wire:
        assert session.send(wire, method="GET").answer().status == 503
    wires[0].reset()
    until(lambda: send_call(wires[2], "tell", {"notes": 2}, progress=1).answer().get("content-type") == SSE_ONLY)
    for wire in wires[1:]:
        wire.close()


@test()
def listening_needs_a_stream(server):
    body = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    with Wire(server) as wire:
        assert wire.ask(body=body, Accept="application/json", **modern_headers(body)).status == 406
        assert send_call(wire, "echo", {"text": "x"}).answer().status == 200


# ---- Clients that go --------------------------------------------------------------------------------------------

@test()
def gone_in_the_modern_era(server):
    """Closing the connection cancels the call, streaming or not."""
    for tool in ("hold", "tell_and_hold"):
        before = counts(server)
        wire = send_call(Wire(server), tool, progress=1)
        until(lambda: counts(server)["running"] == 1)
        if tool == "tell_and_hold":
            Stream(wire).message()
        wire.reset()
        until(lambda: counts(server)["cancelled"] == before["cancelled"] + 1)
        assert counts(server)["running"] == 0


@test()
def gone_in_a_legacy_session(server):
    """There it does not; and who knows the priming event comes back for the answer."""
    session = Session(server)
    wire = session.call(Wire(server), "hold", id=9)
    primed = Stream(wire).event()
    assert primed["data"] == "" and int(primed["retry"]) > 0
    until(lambda: counts(server)["running"] == 1)
    wire.reset()
    with Wire(server) as again:
        stream = Stream(session.come_back(again, primed["id"]))  # while it runs
        assert ask_tool(server, "open_gate").status == 200
        event = stream.event()
        assert json.loads(event["data"])["id"] == 9 and event["id"] != primed["id"]
        assert stream.event() is None
        assert list(Stream(session.come_back(again, event["id"])).events()) == []  # nothing is left
        assert len(list(Stream(session.come_back(again, primed["id"])).events())) == 1  # and once more from the start
    assert counts(server)["cancelled"] == 0


@test()
def cancelled_by_a_notification(server):
    session = Session(server)
    with Wire(server) as wire:
        stream = Stream(session.call(wire, "hold", id=4))
        stream.event()
        until(lambda: counts(server)["running"] == 1)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}
        assert session.post(cancel).status == 202
        assert stream.event() is None  # no response, and an end
        until(lambda: counts(server)["cancelled"] == 1)
    old = Session(server, version="2025-03-26")
    with Wire(server) as wire:
        old.call(wire, "hold", id=4)
        until(lambda: counts(server)["running"] == 1)
        assert old.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}).status == 202
        assert wire.answer().status == 202


@test()
def ids_with_a_fraction(server):
    """They come back as they were written, and a call with one is cancelled by its value."""
    with Wire(server) as wire:
        body = json.dumps(call("echo", {"text": "x"})).replace('"id": 1,', '"id": 2.0,').encode()
        assert b'"id":2.0,' in wire.send(body=body, **modern_headers(call("echo"))).answer().body
    for written, named in ((b"4.0", b"4.0"), (b"4.0", b"4"), (b"4", b"4.0")):
        session, before = Session(server), counts(server)["cancelled"]
        with Wire(server) as wire:
            session.send(wire, b'{"jsonrpc":"2.0","id":%b,"method":"tools/call","params":{"name":"hold"}}' % written)
            until(lambda: counts(server)["running"] == 1)
            cancel = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%b}}' % named
            with Wire(server) as other:
                assert session.send(other, cancel).answer().status == 202
            until(lambda: counts(server)["cancelled"] == before + 1)


@test()
def notifications_without_an_envelope(server):
    """The header is enough to know the revision; without a session the id of a call says nothing of whose it is."""
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    meta = "io.modelcontextprotocol/protocolVersion"
    with Wire(server) as wire, Wire(server) as other:
        send_call(wire, "hold", id=1)
        until(lambda: counts(server)["running"] == 1)
        for body, headers, status in (
                (cancel, {"MCP_Protocol_Version": MODERN}, 202),
                (cancel, {"MCP_Protocol_Version": MODERN, "Mcp_Session_Id": "x"}, 202),
                ({**cancel, "params": {"requestId": 1, "_meta": {meta: MODERN}}}, {}, 202),
                ({**cancel, "params": {"requestId": 1, "_meta": {meta: MODERN}}}, {"MCP_Protocol_Version": MODERN}, 202),
                ({**cancel, "params": {"_meta": {meta: "2999-01-01"}}}, {"MCP_Protocol_Version": "2999-01-01"}, 400),
                (cancel, {"MCP_Protocol_Version": "2999-01-01"}, 400),
                (cancel, {}, 400)):
            answer = other.send(body=body, **headers).answer()
            assert answer.status == status and (answer.body == b"") == (status == 202), (body, headers, answer.body)
        answer = other.send(body={"jsonrpc": "2.0", "id": 1, "result": {}}, MCP_Protocol_Version=MODERN).answer()
        assert is_error(answer, 400) and "no responses" in answer.body.decode(), answer.body
        assert counts(server)["cancelled"] == 0
        assert ask_tool(server, "open_gate").status == 200
        assert wire.answer().status == 200


# ---- Sessions ---------------------------------------------------------------------------------------------------

@test()
def sessions(server):
    session, other = Session(server), Session(server)
    assert session.id != other.id and all(0x21 <= ord(c) <= 0x7E for c in session.id)
    assert session.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).json()["result"] == {}
    with Wire(server) as wire:
        answer = session.call(wire, "echo", {"text": "quick"}).answer()
        assert answer.get("content-type") == "application/json" and answer.text() == "quick"
        stream = Stream(session.call(wire, "tell_inline", {"notes": 2}, progress=1))
        ids = [event["id"] for event in stream.events()]
        assert len(set(ids)) == 4  # priming, two, the response
        assert session.send(wire, method="DELETE").answer().status == 200
        for method in "GET", "DELETE":
            assert is_error(session.send(wire, method=method).answer(), 404)
        assert is_error(session.come_back(Wire(server), ids[0]).answer(), 404)
    assert session.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status == 404
    assert other.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status == 200
    assert other.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, MCP_Protocol_Version="1999-01-01").status == 400


def sessions_at(address):
    """How many the server remembers."""
    with urllib.request.urlopen(f"http://{address}/metrics") as answer:
        return int(re.search(r"^tenon_sessions (\d+)$", answer.read().decode(), re.M)[1])


@test("--session-time", "1s", "--admin", ADMIN)
def idle_sessions_are_forgotten(server):
    """Those in use are not: by an open stream, or a call. They do not keep the others."""
    listens, calls = Session(server), Session(server)
    with Wire(server) as wire, Wire(server) as other:
        stream = Stream(listens.send(wire, method="GET"))
        stream.event()
        calls.call(other, "hold", id=1)
        for _ in range(5):
            Session(server)
        until(lambda: sessions_at(ADMIN) == 2)
        ask_tool(server, "change")  # it is told: the session with the stream is one of them
        assert stream.message()["method"] == "notifications/tools/list_changed"
        ask_tool(server, "open_gate")
        Stream(other).message()
        until(lambda: sessions_at(ADMIN) == 1)


@test()
def priming_is_for_those_who_know_it(server):
    for version, primes in (("2025-03-26", False), ("2025-06-18", False), (LEGACY, True)):
        session = Session(server, version=version)
        with Wire(server) as wire:
            events = list(Stream(session.call(wire, "tell", {"notes": 1}, progress=1)).events())
            assert (events[0]["data"] == "") == primes
            assert len(events) == 2 + primes and all("id" in event for event in events)


@test()
def come_back_everywhere(server):
    """From behind each event of a stream the rest follows, for the session that it is of, and nobody else."""
    for version in ("2025-03-26", LEGACY):
        session, other = Session(server, version=version), Session(server)
        with Wire(server) as wire:
            events = list(Stream(session.call(wire, "tell", {"notes": 5}, progress=1)).events())
            for i, event in enumerate(events):
                again = list(Stream(session.come_back(wire, event["id"])).events())
                assert again == events[i + 1:], (i, again)
                assert is_error(other.come_back(wire, event["id"]).answer(), 400)
            for id in ("0-0", "1-99", "x", "-", events[0]["id"] + "0", "9" * 100, " "):
                if id.strip():
                    assert is_error(session.come_back(wire, id).answer(), 400)


@test()
def two_halves(server):
    """The connection is lost between two events; the second half comes on another, live."""
    session = Session(server)
    wire = Wire(server)
    stream = Stream(session.call(wire, "tell_and_hold", id=3, progress=1))
    stream.event()
    first = stream.event()
    assert json.loads(first["data"])["params"]["message"] == "first half"
    until(lambda: counts(server)["running"] == 1)
    wire.reset()
    with Wire(server) as again:
        stream = Stream(session.come_back(again, first["id"]))
        ask_tool(server, "open_gate")
        assert stream.message()["params"]["message"] == "second half"
        assert stream.message()["id"] == 3
        assert stream.event() is None


@test()
def taken_over(server):
    """A client that comes back before its old connection is known to be lost."""
    session = Session(server)
    with Wire(server) as old, Wire(server) as new:
        stream = Stream(session.call(old, "hold", id=3))
        id = stream.event()["id"]
        until(lambda: counts(server)["running"] == 1)
        second = Stream(session.come_back(new, id))
        assert stream.event() is None
        ask_tool(server, "open_gate")
        assert second.message()["id"] == 3


@test()
def released_streams(server):
    session = Session(server)
    with Wire(server) as wire:
        events = list(Stream(session.call(wire, "leave_and_hold", id=5)).events())
        assert events[0]["data"] == "" and events[-1] == {"retry": "10"}
        assert counts(server)["running"] == 1
        stream = Stream(session.come_back(wire, events[0]["id"]))
        ask_tool(server, "open_gate")
        assert stream.message()["id"] == 5 and stream.event() is None
    # who cannot come back keeps the stream, and the answer
    old = Session(server, version="2025-06-18")
    with Wire(server) as wire:
        old.call(wire, "leave_and_hold", id=6)
        until(lambda: counts(server)["running"] == 1)
        ask_tool(server, "open_gate")
        assert wire.answer().json()["id"] == 6
    with Wire(server) as wire:
        send_call(wire, "leave_and_hold", id=7)
        until(lambda: counts(server)["running"] == 1)
        ask_tool(server, "open_gate")
        assert wire.answer().json()["id"] == 7


@test("--max-replay", "2KiB")
def kept_within_bounds(server):
    session = Session(server)
    with Wire(server) as wire:
        events = list(Stream(session.call(wire, "tell", {"notes": 200}, progress=1)).events())
        assert len(events) == 202  # a client that is there gets all of it
        again = list(Stream(session.come_back(wire, events[0]["id"])).events())
        assert 1 < len(again) < 30 and again == events[-len(again):]


@test()
def unsolicited(server):
    session = Session(server)
    wire = Wire(server)
    stream = Stream(session.send(wire, method="GET"))
    primed = stream.event()
    assert primed["data"] == ""
    ask_tool(server, "change")
    changed = stream.event()
    assert json.loads(changed["data"])["method"] == "notifications/tools/list_changed"
    wire.reset()
    with Wire(server) as again:  # what was told in between is there
        until(lambda: ask_tool(server, "change").status == 200)
        resumed = Stream(session.come_back(again, changed["id"]))
        assert resumed.message()["method"] == "notifications/tools/list_changed"
        while (event := resumed.event()) and int(event["id"].rsplit("-", 1)[1]) < 4:
            pass
        ask_tool(server, "change")
        assert resumed.message()["method"] == "notifications/tools/list_changed"
        with Wire(server) as other:  # the end of the session is the end of its streams
            assert session.send(other, method="DELETE").answer().status == 200
        while resumed.event():
            pass


@test()
def accept_of_a_get(server):
    session = Session(server)
    with Wire(server) as wire:
        assert session.send(wire, method="GET", Accept="application/json").answer().status == 406
        stream = Stream(session.send(wire, method="GET", Accept=SSE_ONLY))
        assert stream.event()["data"] == ""


@test()
def asked_on_the_stream(server):
    """A question to the client goes out on the stream of the call; its answer comes with another request."""
    session = Session(server, capabilities={"elicitation": {}})
    with Wire(server) as wire:
        stream = Stream(session.call(wire, "ask", id=8))
        question = stream.message()
        assert question["method"] == "elicitation/create"
        reply = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "Ann"}}}
        assert session.post(reply).status == 202
        answer = stream.message()
        assert answer["id"] == 8 and answer["result"]["structuredContent"]["data"]["text"] == "hello Ann"
        assert stream.event() is None
    assert is_refused(session.post(reply), 404)  # it is answered


def is_refused(answer, status):
    """With a sentence, and without an id: it belongs to no request."""
    assert is_error(answer, status) and "id" not in answer.json(), answer.body
    return True


@test()
def answers_that_are_not_taken(server):
    """What is refused is not acknowledged, and the question stays open for a better answer."""
    session = Session(server, capabilities={"elicitation": {}})
    with Wire(server) as wire:
        stream = Stream(session.call(wire, "ask", id=8))
        id = stream.message()["id"]
        boot, number = id.split("-")
        for other in (1, 0, -1, int(number), "", "1", number, f"{boot}-", f"{boot}-0", f"{boot}-{int(number) + 1}",
                      f"{boot}-0{number}", f"{boot}-{number} ", f"{boot}-{number}x", f"-{number}", f"{boot[::-1]}-{number}",
                      f"{boot}-{2 ** 64 + int(number)}", f"{boot}-{number}-{number}"):
            assert is_refused(session.post({"jsonrpc": "2.0", "id": other, "result": {"action": "cancel"}}), 404), other
        deep = {"action": "accept"}
        for _ in range(40):
            deep = {"content": deep}
        for result, status in ((b'{"action":"accept","content":{"name":"' + b"x" * (1 << 20) + b'"}}', 413),
                               (b'{"action":"accept","content":{"name":"\xff"}}', 400),
                               (json.dumps(deep).encode(), 400),
                               (json.dumps({"content": [0] * 20001}).encode(), 400)):
            body = b'{"jsonrpc":"2.0","id":' + json.dumps(id).encode() + b',"result":' + result + b"}"
            assert is_refused(session.post(body), status), result[:80]
        assert session.post({"jsonrpc": "2.0", "id": id,
                             "result": {"action": "accept", "content": {"name": "Bob"}}}).status == 202
        assert stream.message()["result"]["structuredContent"]["data"]["text"] == "hello Bob"


@test("--token", TOKEN_FLAG, "--token", "bob:sha256:" + hashlib.sha256(b"b" * 40).hexdigest())
def sessions_are_their_callers(server):
    ann, bob = f"Bearer {TOKEN}", "Bearer " + "b" * 40
    session = Session(server, Authorization=ann)
    with Wire(server) as wire:
        events = list(Stream(session.call(wire, "tell", {"notes": 1}, progress=1)).events())
        assert session.send(wire, method="GET", Authorization=bob).answer().status == 404
        assert session.come_back(wire, events[0]["id"], Authorization=bob).answer().status == 404
        assert session.send(wire, method="DELETE", Authorization=bob).answer().status == 404
        assert len(list(Stream(session.come_back(wire, events[0]["id"])).events())) == len(events) - 1
    assert session.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, Authorization=bob).status == 404


@test("--loops", "4")
def several_loops(server):
    """Connections of one session are served by several threads."""
    session = Session(server)
    for i in range(10):
        with Wire(server) as wire:
            stream = Stream(session.call(wire, "tell_and_hold", id=i, progress=1))
            stream.event()
            first = stream.event()
        until(lambda: counts(server)["running"] == 1)
        with Wire(server) as again:
            stream = Stream(session.come_back(again, first["id"]))
            ask_tool(server, "open_gate")
            assert stream.message()["params"]["message"] == "second half"
            assert stream.message()["id"] == i
            assert stream.event() is None


# ---- Authorization servers --------------------------------------------------------------------------------------

def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class KeySets(http.server.ThreadingHTTPServer):
    """An authorization server of one key, which counts how often it is asked for it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked += 1
            body = json.dumps({"keys": [self.server.jwk]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.asked, self.url = 0, f"http://localhost:{self.server_port}"
        self.key = self.openssl("genrsa", "2048")
        modulus = self.openssl("rsa", "-modulus", "-noout", text=self.key).decode().strip().split("=")[1]
        self.jwk = {"kty": "RSA", "kid": "known", "n": base64url(bytes.fromhex(modulus)), "e": "AQAB"}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @staticmethod
    def openssl(*arguments, text=b""):
        return subprocess.run(["openssl", *arguments], input=text, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    def token(self, kid, audience, scope):
        now = int(time.time())
        parts = ({"alg": "RS256", "typ": "at+jwt", "kid": kid},
                 {"iss": self.url, "sub": "ann", "aud": audience, "iat": now, "exp": now + 600, "scope": scope})
        signed = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.key)
            file.flush()
            signature = self.openssl("dgst", "-sha256", "-sign", file.name, text=signed.encode())
        return {"Authorization": f"Bearer {signed}.{base64url(signature)}"}


def oauth(server):
    """Is checked with a server of its own: the flags need the address of the keys."""
    keys = KeySets()
    url = keys.url
    other = Server("--oauth-issuer", url, "--oauth-keys", url + "/keys", "--oauth-scopes", "tools:run")
    try:
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
            with Wire(other) as wire:
                answer = wire.ask("GET", path=path, Origin="https://anywhere.example")
                assert answer.status == 200 and answer.get("access-control-allow-origin") == "*"
                assert answer.json()["authorization_servers"] == [url]
                assert wire.send("HEAD", path=path).answer(only_head=True).status == 200
                assert wire.ask("OPTIONS", path=path).status == 204
                answer = wire.ask("DELETE", path=path)
                assert answer.status == 405 and "GET" in answer.get("allow")
                assert wire.ask("GET", path=path, host="evil.example").status == 403
        answer = ask_tool(other, "echo", {"text": "x"})
        assert answer.status == 401 and "resource_metadata=" in answer.get("www-authenticate")
        # the keys are not here yet: the request waits for them
        here = f"http://127.0.0.1:{other.port}/mcp"
        some, all_ = keys.token("known", here, "tools:run"), keys.token("known", here, "tools:run notes:write")
        asked = keys.asked
        answer = ask_tool(other, "echo", {"text": "x" * 200000}, **some)
        assert answer.status == 200 and answer.text().startswith("xxx"), answer.body
        assert keys.asked >= asked and keys.asked > 0
        # a tool that needs more than the token is good for
        answer = ask_tool(other, "guarded", **some)
        challenge = answer.get("www-authenticate")
        assert answer.status == 403 and 'error="insufficient_scope"' in challenge and "notes:write" in challenge
        assert ask_tool(other, "guarded", **all_).text() == "in"
        assert ask_tool(other, "echo", {"text": "x"}, **keys.token("known", here, "other")).status == 403
        assert ask_tool(other, "echo", {"text": "x"}, **keys.token("known", "http://other/mcp", "tools:run")).status == 401
        # a key that is not known is looked for, and who does not wait leaves nothing behind
        strange = keys.token("strange", here, "tools:run")
        assert ask_tool(other, "echo", {"text": "x"}, **strange).status in (401, 503)
        for _ in range(20):
            send_call(Wire(other), "echo", {"text": "x"}, **strange).reset()
        assert ask_tool(other, "echo", {"text": "x"}).status == 401
        assert ask_tool(other, "echo", {"text": "x"}, **some).text() == "x"
    finally:
        keys.shutdown()
        code = other.stop()
    assert code in (0, -15) and "Sanitizer" not in "".join(other.log)
    del server


if (BUILD / "lib" / "libtenon-oauth.so").exists() and shutil.which("openssl"):
    test()(oauth)


# ---- Load, and the end ------------------------------------------------------------------------------------------

@test("--max-stream-queue", "64KiB")
def a_client_that_reads_nothing(server):
    """Its stream is closed when too much waits for it, and its call cancelled; in a session it may come back."""
    with Wire(server, receive_buffer=4096) as wire:
        send_call(wire, "tell", {"notes": 100000000}, progress=1)
        until(lambda: counts(server)["cancelled"] == 1)
    session = Session(server)
    with Wire(server, receive_buffer=4096) as wire:
        event = Stream(session.call(wire, "tell", {"notes": 20000}, id=6, progress=1)).event()
        while "result" not in event["data"]:
            with Wire(server) as again:
                try:
                    for event in Stream(session.come_back(again, event["id"])).events():
                        pass
                except (Gone, ConnectionError):
                    pass  # too slow again
        assert json.loads(event["data"])["id"] == 6


@test()
def thousands_of_idle_connections(server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(2000, (hard if hard != resource.RLIM_INFINITY else 4096) - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 200), hard))
    wires = [Wire(server) for _ in range(count)]
    for wire in wires[::10]:
        assert send_call(wire, "echo", {"text": "x"}).answer().status == 200
    assert ask_tool(server, "echo", {"text": "y"}).text() == "y"
    for wire in wires:
        wire.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@test()
def stops_under_load(server):
    """What runs is finished, what listens is ended, what is idle is closed, what comes now is refused."""
    session = Session(server)
    with Wire(server) as idle, Wire(server) as running, Wire(server) as streaming, Wire(server) as legacy, \
            Wire(server) as listener, Wire(server) as late:
        assert send_call(idle, "echo", {"text": "x"}).answer().status == 200
        late.raw("POST /mcp HTTP/1.1\r\nHost: local")
        unsolicited_ = Stream(session.send(listener, method="GET"))
        unsolicited_.event()
        send_call(running, "rest", id=1)
        stream = Stream(send_call(streaming, "rest", id=2, progress=1))
        assert stream.message()["params"]["message"] == "resting"
        old = Stream(session.call(legacy, "rest", id=3))
        server.begin_stop()
        assert idle.is_closed()
        assert unsolicited_.event() is None
        answer = running.answer()
        assert answer.json()["id"] == 1 and answer.text() == "rested" and answer.get("connection") == "close"
        assert stream.message()["id"] == 2 and stream.event() is None
        assert old.message()["id"] == 3 and old.event() is None
        for wire in (running, streaming, legacy, listener):
            assert wire.is_closed()
        try:
            late.raw("host\r\nContent-Length: 2\r\n\r\n{}")
            answer = late.answer()
            assert answer.status == 503 and answer.get("retry-after")
        except (Gone, ConnectionError):
            pass  # the server was not waiting for it any more


OTHER = "another-horse-battery-staple-0123456789"


@test("--token", TOKEN_FLAG, "--token", "bob:sha256:" + hashlib.sha256(OTHER.encode()).hexdigest())
def cursors_are_their_callers(server):
    """A cursor goes on for the caller that it was made for, in every era, and for no other."""
    ann, bob = ({"Authorization": f"Bearer {token}"} for token in (TOKEN, OTHER))

    def modern_ask(who, **arguments):
        return ask_tool(server, "items", {"limit": 2, **arguments}, **who).json()["result"]["structuredContent"]

    sessions = {token["Authorization"]: Session(server, **token) for token in (ann, bob)}

    def legacy_ask(who, **arguments):
        with Wire(server) as wire:
            answer = sessions[who["Authorization"]].call(wire, "items", {"limit": 2, **arguments}).answer()
            return answer.json()["result"]["structuredContent"]

    for first in modern_ask, legacy_ask:
        for then in modern_ask, legacy_ask:
            for mine, other in (ann, bob), (bob, ann):
                cursor = first(mine)["data"]["nextCursor"]
                refused = then(other, cursor=cursor)["error"]
                assert refused["details"]["fieldErrors"] == {
                    "cursor": ["cursor does not belong to this query; leave it out to start from the beginning"]}, refused
                assert [item["id"] for item in then(mine, cursor=cursor)["data"]["items"]] == [3, 4]


AUDIT = os.path.join(tempfile.mkdtemp(), "audit")


@test("--audit", AUDIT)
def finishes_what_nobody_waits_for(server):
    """A call whose client has gone is not cut off in the middle of what it does."""
    session = Session(server)
    wire = session.call(Wire(server), "rest", id=9)
    Stream(wire).event()
    until(lambda: counts(server)["running"] == 1)
    wire.reset()
    server.begin_stop()
    assert server.process.wait(20) == 0
    with open(AUDIT, encoding="utf-8") as lines:
        calls = [json.loads(line) for line in lines]
    shutil.rmtree(os.path.dirname(AUDIT))
    assert [one["outcome"] for one in calls if one["tool"] == "rest"] == ["OK"], calls


@test("--grace", "1s")
def stops_in_time(server):
    """A call that does not end is not waited for beyond the grace."""
    with Wire(server) as wire:
        send_call(wire, "hold")
        until(lambda: counts(server)["running"] == 1)
        server.begin_stop()
        assert wire.is_closed()
    server.stop()


def run(function, flags):
    server = None
    try:
        server = Server(*flags)
        function(server)
        code = server.stop()
        assert code in (0, -15) or function is stops_in_time, f"it ended with {code}"
        assert "Sanitizer" not in "".join(server.log)
        return True
    except Exception:  # pylint: disable=broad-except
        print(f"FAILED {function.__name__}")
        traceback.print_exc()
        if server:
            server.process.kill()
            server.stop()
            print("".join(server.log))
        return False


def main():
    chosen = [(function, flags) for function, flags in tests
              if len(sys.argv) == 1 or any(name in function.__name__ for name in sys.argv[1:])]
    failed = 0
    for function, flags in chosen:
        failed += not run(function, flags)
    print(f"{len(chosen) - failed} of {len(chosen)} tests passed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
