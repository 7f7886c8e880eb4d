#!/usr/bin/env python3
"""One caller who wants all of a server, and another who only wants an answer.

Each test is an attack: the abuser takes as much as it is given of one thing, and then the bound is looked at (resident memory,
what /metrics says is held), and a polite caller's calls, tasks, streams and questions must succeed beside it. Nothing is timed.

    tests/abuse/run.py [NAME...]            a short form, in every run of the tests
    tests/abuse/run.py --long [NAME...]     with as many requests as the attacks had that the bounds were made for
"""
import contextlib
import json
import os
import pathlib
import re
import socket
import sys
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "http")]
import rig  # noqa: E402
from rig import BUILD, LEGACY, META, MODERN, until  # noqa: E402
from wire import Stream, Wire  # noqa: E402

LONG = "--long" in sys.argv
CONFORMANCE = BUILD / "servers" / "conformance"
TOKENS = {"mallory": "token-of-mallory-0123456789abcdef", "ann": "token-of-ann-0123456789abcdefghij"}
MIB = 1 << 20
ABILITIES = {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
FULL_META = {**META, "io.modelcontextprotocol/clientCapabilities": ABILITIES}


class Server(rig.Server):
    """With two callers, and a look at what they hold."""

    def __init__(self, *flags, command=(CONFORMANCE,), auth=True):
        probe = socket.socket()
        probe.bind(("127.0.0.1", 0))
        self.admin = probe.getsockname()[1]
        probe.close()
        tokens = [rig.token_flag(name, token) for name, token in TOKENS.items()] if auth else []
        super().__init__([*command, *tokens, "--admin", f"127.0.0.1:{self.admin}", *flags])

    def resident(self):
        """Bytes of memory that the process has."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) * 1024

    def metrics(self):
        with socket.create_connection(("127.0.0.1", self.admin), timeout=rig.PATIENCE) as asked:
            asked.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            text = b""
            while more := asked.recv(65536):
                text += more
        return dict(re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", text.decode(), re.M))

    def held(self, what, family="tenon_held"):
        return int(self.metrics()[f'{family}{{what="{what}"}}'])


def credentials(name):
    return {"Authorization": f"Bearer {TOKENS[name]}"} if name else {}


def modern(method, params=None, number=1, meta=FULL_META):
    """A message and its headers, of 2026-07-28."""
    params = {**(params or {}), "_meta": meta}
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method, "Accept": "application/json, text/event-stream"}
    name = params.get("name") or params.get("uri") or params.get("taskId")
    return body, {**headers, "Mcp_Name": name} if name else headers


def send(wire, name, method, params=None, number=1, meta=FULL_META):
    body, headers = modern(method, params, number, meta)
    return wire.send(body=body, **headers, **credentials(name))


def ask(server, name, method, params=None, meta=FULL_META):
    """The JSON of an answer that is no stream, on a connection of its own."""
    with Wire(server) as wire:
        return send(wire, name, method, params, meta=meta).answer().json()


def call(server, name, tool, /, **arguments):
    return ask(server, name, "tools/call", {"name": tool, "arguments": arguments})


def is_served(server, name="ann"):
    """Does this caller get an answer?"""
    quick = call(server, name, "greet", name="Ann")
    assert quick["result"]["structuredContent"]["status"] == "SUCCESS", quick
    return True


def code_of(answer):
    error = answer.get("result", {}).get("structuredContent", {}).get("error")
    return error and error["code"]


def many(count, work, threads=8):
    """Does work(0) to work(count - 1), some at a time; the first failure is raised."""
    numbers, failures = iter(range(count)), []
    lock = threading.Lock()

    def run():
        while not failures:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            try:
                work(number)
            except BaseException as problem:  # pylint: disable=broad-except
                failures.append(problem)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if failures:
        raise failures[0]


class Session:
    """A client of before 2026-07-28, with a token."""

    def __init__(self, server, name):
        self.server, self.name, self.id, self.number = server, name, None, 0
        with Wire(server) as wire:
            answer = wire.ask(body={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": LEGACY, "capabilities": {"elicitation": {}},
                "clientInfo": {"name": "t", "version": "1"}}}, Accept="application/json, text/event-stream", **credentials(name))
        assert answer.status == 200, answer.status
        self.id = answer.get("mcp-session-id")

    def send(self, wire, method, params, number=None):
        self.number += 1
        body = {"jsonrpc": "2.0", "id": number or self.number, "method": method, "params": params}
        return wire.send(body=body, Mcp_Session_Id=self.id, MCP_Protocol_Version=LEGACY,
                         Accept="application/json, text/event-stream", **credentials(self.name))

    def ask(self, method, params):
        with Wire(self.server) as wire:
            answer = self.send(wire, method, params).answer()
        return answer.status, answer.json() if answer.body else None

    def respond(self, number, result):
        with Wire(self.server) as wire:
            return wire.ask(body={"jsonrpc": "2.0", "id": number, "result": result}, Mcp_Session_Id=self.id,
                            MCP_Protocol_Version=LEGACY, Accept="application/json, text/event-stream",
                            **credentials(self.name)).status


# ---- Memory -----------------------------------------------------------------------------------------------------

def refused_calls(server, name, tool, count):
    """Calls of 3.9 MB that are refused, because no tool has such an argument."""
    def one(_):
        with Wire(server) as wire:
            answer = send(wire, name, "tools/call", {"name": tool, "arguments": {"x" * 20: "y" * 3_900_000}}).answer()
            assert answer.status in (200, 503), answer.status
            assert answer.status == 503 or code_of(answer.json()) == "VALIDATION_ERROR"
    many(count, one)


def test_memory_of_refused_calls():
    """The memory of a call goes back when it has ended, whatever it brought."""
    count = 300 if LONG else 60
    with rig.Place() as place:
        servers = [((CONFORMANCE,), "greet")]
        servers += [(tuple(rig.serve("kyc", place)), "search_clients")] if LONG else []
        for command, tool in servers:
            with Server(command=command) as server:
                refused_calls(server, "ann", tool, 1)
                ask(server, "ann", "tools/list")
                before = server.resident()
                refused_calls(server, "mallory", tool, count)
                until(f"{tool}: resident memory is at most twice what it was",
                      lambda: server.resident() <= 2 * before)
                assert int(server.metrics()["tenon_callers"]) <= 3


def occurrences(process, marker):
    """How often the bytes stand in the memory of a process that may be written to."""
    count = 0
    with open(f"/proc/{process.pid}/maps", encoding="ascii") as maps, open(f"/proc/{process.pid}/mem", "rb", 0) as memory:
        for line in maps:
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if not found or "[vvar]" in line:
                continue
            begin, end = int(found[1], 16), int(found[2], 16)
            with contextlib.suppress(OSError):
                memory.seek(begin)
                count += memory.read(end - begin).count(marker)
    return count


def test_arguments_do_not_stay():
    """What a call brought stands nowhere in the memory of the process once it is answered."""
    marker = "secret-" + os.urandom(8).hex()
    with Server() as server:
        try:
            assert occurrences(server.process, b"tenon") > 0  # the look itself works
        except PermissionError:
            print("test_arguments_do_not_stay: SKIPPED, this system does not let a process read its child's memory")
            return
        assert code_of(call(server, "ann", "greet", name=7, filler="f" * 500_000, other=marker)) == "VALIDATION_ERROR"
        assert code_of(call(server, "ann", "greet", nam=marker)) == "VALIDATION_ERROR"
        assert "SUCCESS" in json.dumps(call(server, "ann", "greet", name=marker))
        slow = {"name": "slow_compute", "arguments": {"seconds": 0, "label": marker}}
        assert "SUCCESS" in json.dumps(ask(server, "ann", "tools/call", slow, META))  # on a worker
        session = Session(server, "ann")
        assert session.ask("tools/call", {"name": "greet", "arguments": {"name": marker}})[0] == 200
        with Wire(server) as wire:  # a batch, which only this revision has
            session.id = wire.ask(body={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                **credentials("ann")).get("mcp-session-id")
            batch = [{"jsonrpc": "2.0", "id": number, "method": "tools/call",
                      "params": {"name": "greet", "arguments": {"name": marker}}} for number in range(3)]
            answer = wire.ask(body=batch, Mcp_Session_Id=session.id, MCP_Protocol_Version="2025-03-26", **credentials("ann"))
            assert answer.body.count(marker.encode()) >= 3, answer.body
            assert wire.ask(body=batch, Authorization=f"Bearer {marker}").status == 401
        with Wire(server) as wire:
            wire.send(body={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": "slow_compute", "arguments": {"seconds": 0.01, "label": marker}, "_meta": {**META, "progressToken": 1}}},
                MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="slow_compute",
                Accept="application/json, text/event-stream", **credentials("ann"))
            assert marker.encode() in wire.answer().body  # a stream
        until("the marker is overwritten", lambda: occurrences(server.process, marker.encode()) == 0)
    with rig.Stdio([CONFORMANCE], modern=True) as client:
        for tool, arguments in ("greet", {"name": marker}), ("slow_compute", {"seconds": 0, "label": marker}), ("greet", {}):
            client.request("tools/call", {"name": tool, "arguments": {**arguments}})
        until("the marker is overwritten", lambda: occurrences(client.process, marker.encode()) == 0)


def test_bodies_under_way():
    """Bodies that never become whole take no more than their sum, and leave room for others."""
    count = 400 if LONG else 60
    with Server("--max-incoming", "32MiB") as server:
        before, wires = server.resident(), []
        with contextlib.ExitStack() as open_wires:
            for _ in range(count):
                wire = open_wires.enter_context(Wire(server))
                _, headers = modern("tools/call", {"name": "greet"})
                lines = [f"{key.replace('_', '-')}: {value}" for key, value in {**headers, **credentials("mallory")}.items()]
                with contextlib.suppress(OSError):
                    wire.raw("\r\n".join([f"POST {server.path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
                                          "Content-Length: 4000000", *lines]).encode() + b"\r\n\r\n" + b" " * 3_900_000)
                wires.append(wire)
                assert server.held("incoming_bytes") <= 32 * MIB
            assert server.held("incoming_bytes", "tenon_held_refused_total") > 0
            assert server.held("incoming_bytes", "tenon_held_heaviest") <= 17 * MIB
            assert server.resident() <= before + 64 * MIB
            answer = call(server, "ann", "greet", name="a" * 1_000_000)
            assert "result" in answer and is_served(server)
        until("what was read is given back", lambda: server.held("incoming_bytes") == 0)


def test_answers_not_taken():
    """Answers that their client does not read are bounded, and the slowest client's connection ends first."""
    with Server("--max-outgoing", "8MiB", command=(BUILD / "tests" / "http_judge",)) as server:
        with contextlib.ExitStack() as open_wires:
            for _ in range(100 if LONG else 30):
                wire = open_wires.enter_context(Wire(server, receive_buffer=4096))
                with contextlib.suppress(OSError):
                    send(wire, "mallory", "tools/call", {"name": "tell", "arguments": {"notes": 1_000_000}},
                         meta={**META, "progressToken": 1})
                assert server.held("outgoing_bytes") <= 8 * MIB
            until("one was too much", lambda: server.held("outgoing_bytes", "tenon_held_refused_total") > 0)
            assert server.held("outgoing_bytes") <= 8 * MIB
            text = call(server, "ann", "echo", text="y" * 50_000)["result"]["structuredContent"]["data"]["text"]
            assert text == "y" * 50_000
        until("nothing waits any more", lambda: server.held("outgoing_bytes") == 0)


# ---- Tables -----------------------------------------------------------------------------------------------------

def test_connections_of_one_address():
    """Whoever opens every connection that there is opens half of them. Without tokens, callers are told apart by address."""
    with Server("--max-connections", "40", auth=False) as server, contextlib.ExitStack() as open_wires:
        for _ in range(60):
            wire = socket.socket()
            open_wires.callback(wire.close)
            wire.bind(("127.0.0.2", 0))
            wire.connect(("127.0.0.1", server.port))
        until("they were looked at", lambda: int(server.metrics()["tenon_http_refused_total"]) == 40)
        assert server.held("connections", "tenon_held_heaviest") == 20
        for _ in range(10):
            assert is_served(server, None)


def test_sessions():
    """Who begins sessions without end loses its own, and nobody else's."""
    with Server("--max-sessions", "40") as server:
        kept = [Session(server, "ann") for _ in range(5)]
        for session in kept:
            status, answer = session.ask("resources/subscribe", {"uri": "test://watched-resource"})
            assert status == 200 and "result" in answer, answer
        subscribed = server.held("subscription_bytes")
        for _ in range(200 if LONG else 80):
            last = Session(server, "mallory")
        assert server.held("sessions") <= 40 and server.held("sessions", "tenon_held_heaviest") < 20
        assert server.held("subscription_bytes") == subscribed > 0  # the sessions of ann are those that they were
        for session in (*kept, last, Session(server, "ann")):
            assert session.ask("tools/call", {"name": "greet", "arguments": {"name": "x"}})[0] == 200


def test_ended_sessions():
    """Who ends more sessions than can be remembered does not bring back another's; and clients that are refused begin anew."""
    if not LONG:
        print("test_ended_sessions: SKIPPED in the short form, for it ends 65,800 sessions")
        return
    with Server() as server:
        ended, kept = Session(server, "ann"), Session(server, "ann")
        with Wire(server) as wire:
            headers = {"Mcp_Session_Id": ended.id, "MCP_Protocol_Version": LEGACY, **credentials("ann")}
            assert wire.ask("DELETE", **headers).status == 200

        def flood(_):
            with Wire(server) as wire:
                for _ in range(200):
                    answer = wire.ask(body={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                        "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                        **credentials("mallory"))
                    assert wire.ask("DELETE", Mcp_Session_Id=answer.get("mcp-session-id"), MCP_Protocol_Version=LEGACY,
                                    **credentials("mallory")).status == 200
        many(329, flood)
        assert ended.ask("ping", {})[0] == 404
        assert kept.ask("ping", {})[0] == 200  # which this process knows
        assert Session(server, "ann").ask("ping", {})[0] == 200


def test_subscriptions():
    """Only what a server offers can be subscribed to, and a session keeps 64 KiB of it."""
    with Server() as server:
        session = Session(server, "mallory")
        for uri in "x" * 8000, "test://nothing-of-this-name", "http://127.0.0.1/":
            status, answer = session.ask("resources/subscribe", {"uri": uri})
            assert answer["error"]["code"] == -32002, answer
        assert server.held("subscription_bytes") == 0
        template = ask(server, "ann", "resources/templates/list")["result"]["resourceTemplates"][0]["uriTemplate"]
        for number in range(100):
            uri = re.sub(r"\{\+?\w+\}", f"{number:04}" * 500, template)
            _, answer = session.ask("resources/subscribe", {"uri": uri})
            if "error" in answer:
                break
        assert "too many subscriptions" in answer["error"]["message"], answer
        assert 32 << 10 < server.held("subscription_bytes") <= 64 << 10
        _, answer = Session(server, "ann").ask("resources/subscribe", {"uri": "test://watched-resource"})
        assert "result" in answer, answer


def test_listeners():
    """Listeners keep what they listen to, not their message; and the last place is not the abuser's."""
    listen = {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["x" * 1000] * 3000}}
    with Server("--max-listeners", "40", "--max-streams", "100") as server, contextlib.ExitStack() as open_wires:
        refused = 0
        for _ in range(60 if LONG else 30):
            wire = open_wires.enter_context(Wire(server))
            send(wire, "mallory", "subscriptions/listen", listen)
            head = wire.head()
            refused += head.get("content-type") != "text/event-stream"
        assert refused >= 10 and server.held("listeners") == 20
        assert server.held("waiting_bytes") < 2 * MIB
        wire = open_wires.enter_context(Wire(server))
        stream = Stream(send(wire, "ann", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))
        assert stream.message()["method"] == "notifications/subscriptions/acknowledged"
    with Server("--max-streams", "20", auth=True) as server, contextlib.ExitStack() as open_wires:
        for _ in range(30):
            send(open_wires.enter_context(Wire(server)), "mallory", "subscriptions/listen",
                 {"notifications": {"toolsListChanged": True}}).head()
        assert server.held("streams") == 10
        wire = open_wires.enter_context(Wire(server))
        Stream(send(wire, "ann", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))


def test_long_words_of_listeners():
    """Neither an id nor a progress token is kept that no account pays for."""
    with Server("--max-waiting", "8MiB") as server, contextlib.ExitStack() as open_wires:
        for number in range(40):
            wire = open_wires.enter_context(Wire(server))
            send(wire, "mallory", "subscriptions/listen", {"notifications": {"toolsListChanged": True}},
                 "i" * 500_000 if number % 2 else number, {**FULL_META, "progressToken": "p" * 2_000_000})
            wire.head()
        assert server.held("waiting_bytes", "tenon_held_heaviest") <= 5 * MIB
        until("tokens are not kept", lambda: server.resident() <= 48 * MIB)
        wire = open_wires.enter_context(Wire(server))
        Stream(send(wire, "ann", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))


def test_bytes_read_ahead():
    """What is sent behind a request that goes on is paid for before its caller is known, and by nobody else later."""
    with Server("--max-incoming", "8MiB") as server, contextlib.ExitStack() as open_wires:
        for _ in range(300 if LONG else 150):
            wire = open_wires.enter_context(Wire(server))
            with contextlib.suppress(OSError):
                send(wire, "mallory", "subscriptions/listen", {"notifications": {"toolsListChanged": True}})
                wire.raw(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Filler: " + b"f" * 60_000)
        assert server.held("incoming_bytes") <= 5 * MIB
        assert "result" in call(server, "ann", "greet", name="a" * 900_000)


# ---- Batches ----------------------------------------------------------------------------------------------------

BATCHES = "2025-03-26"


def batch_session(server, name):
    with Wire(server) as wire:
        return wire.ask(body={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": BATCHES, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
            **credentials(name)).get("mcp-session-id")


def send_batch(wire, name, session, messages):
    batch = [{"jsonrpc": "2.0", "id": number, "method": method, "params": params}
             for number, (method, params) in enumerate(messages)]
    return wire.send(body=batch, Mcp_Session_Id=session, MCP_Protocol_Version=BATCHES, Accept="application/json",
                     **credentials(name))


def test_answers_of_batches():
    """Answers that wait for the last of their batch are on their caller's account; a batch pays for its text once."""
    slow = [("tools/call", {"name": "slow_compute", "arguments": {"seconds": 600}})]
    with Server("--max-outgoing", "16MiB", "--grace", "0s") as server, contextlib.ExitStack() as open_wires:
        session = batch_session(server, "mallory")
        for _ in range(40):
            send_batch(open_wires.enter_context(Wire(server)), "mallory", session, [("tools/list", {})] * 60 + slow)
        until("they wait", lambda: server.held("outgoing_bytes", "tenon_held_refused_total") > 0)
        assert server.held("outgoing_bytes") <= 16 * MIB
        with Wire(server) as wire:
            quick = {"name": "slow_compute", "arguments": {"seconds": 0, "label": "l" * 100_000}}
            answer = send_batch(wire, "ann", batch_session(server, "ann"), [("tools/call", quick)] * 30).answer()
        assert isinstance(answer.json(), list) and len(answer.json()) == 30, answer.body[:300]
        assert b"LIMIT_EXCEEDED" not in answer.body


def test_rates_of_batches():
    with Server("--rate", "mallory=20/h") as server:
        session = batch_session(server, "mallory")
        with Wire(server) as wire:
            answers = send_batch(wire, "mallory", session, [("tools/list", {})] * 50).answer().json()
        assert sum("result" in answer for answer in answers) == 18, answers  # beside initialize and the batch itself
        assert all("Call again in" in answer["error"]["message"] for answer in answers if "error" in answer)


# ---- Tasks and questions ----------------------------------------------------------------------------------------

def begin_task(server, name, tool, /, **arguments):
    answer = call(server, name, tool, **arguments)
    return answer["result"].get("taskId") if "result" in answer else None


def task(server, name, number):
    return ask(server, name, "tasks/get", {"taskId": number})["result"]


def test_finished_tasks():
    """Tasks that have ended and are not fetched make room: those of whoever has most."""
    with Server("--max-tasks", "40") as server:
        own = begin_task(server, "ann", "slow_compute", seconds=0, label="ann's")
        until("it has ended", lambda: task(server, "ann", own)["status"] == "completed")
        for number in range(300 if LONG else 100):
            last = begin_task(server, "mallory", "slow_compute", seconds=0)
            assert last, number
            until("it has ended", lambda: task(server, "mallory", last)["status"] == "completed")
        assert server.held("tasks") <= 40 and server.held("tasks", "tenon_held_heaviest") <= 20
        assert "ann's" in json.dumps(task(server, "ann", own))
        mine = begin_task(server, "ann", "slow_compute", seconds=0)
        until("it has ended", lambda: task(server, "ann", mine)["status"] == "completed")


def test_open_tasks():
    """Tasks that wait for their client for ever take a share of the places."""
    with Server("--max-tasks", "40") as server:
        refused = 0
        for _ in range(60):
            answer = call(server, "mallory", "confirm_delete", filename="x")
            refused += code_of(answer) == "LIMIT_EXCEEDED"
        assert refused >= 30, refused
        own = begin_task(server, "ann", "confirm_delete", filename="y")
        until("it asks", lambda: task(server, "ann", own)["status"] == "input_required")
        answer = ask(server, "ann", "tasks/update", {"taskId": own, "inputResponses": {
            "confirm": {"action": "accept", "content": {"confirm": True}}}})
        assert "result" in answer, answer
        until("it has ended", lambda: task(server, "ann", own)["status"] == "completed")
        assert "deleted" in json.dumps(task(server, "ann", own))


def test_answers_of_a_task():
    """A question takes one answer: others are not kept, and one that cannot be taken is not acknowledged."""
    with Server() as server:
        number = begin_task(server, "mallory", "multi_input")
        until("it asks", lambda: task(server, "mallory", number)["status"] == "input_required")
        before = server.held("waiting_bytes")

        def reply(key, text):
            return ask(server, "mallory", "tasks/update", {"taskId": number, "inputResponses": {
                key: {"action": "accept", "content": {"name": text}}}})
        answer = reply("first", "n" * 2_000_000)
        assert "still open" in answer["error"]["message"], answer
        assert "result" in reply("first", "Honest")
        for _ in range(100 if LONG else 20):
            assert "result" in reply("first", "n" * 900_000)  # the question was answered: nothing is kept
        assert server.held("waiting_bytes") <= before + 4096
        assert "result" in reply("second", "Ann")
        until("it has ended", lambda: task(server, "mallory", number)["status"] == "completed")
        assert "Honest, then Ann." in json.dumps(task(server, "mallory", number))


def open_question(server, name, size, open_wires):
    """Leaves a question of a tool unanswered; None when it was refused, else its id."""
    session = Session(server, name)
    wire = open_wires.enter_context(Wire(server))
    session.send(wire, "tools/call", {"name": "test_elicitation", "arguments": {"message": "?"}, "_meta": {"filler": "f" * size}})
    head = wire.head()
    if head.get("content-type") != "text/event-stream":
        return None
    stream = Stream.__new__(Stream)
    stream.wire, stream.text, stream.answer, stream.comments = wire, b"", head, 0
    while (message := stream.message()) is not None:
        if message.get("method") == "elicitation/create":
            return session, stream, message["id"]
        assert "result" in message, message
    return None


def test_open_questions():
    """Messages of calls whose questions nobody answers are held to a share of their sum."""
    with Server("--max-waiting", "32MiB", "--max-streams", "200") as server, contextlib.ExitStack() as open_wires:
        opened = [open_question(server, "mallory", 3_000_000, open_wires) for _ in range(24 if LONG else 12)]
        assert 1 <= sum(one is not None for one in opened) < len(opened)
        assert server.held("waiting_bytes") <= 32 * MIB
        assert server.held("waiting_bytes", "tenon_held_heaviest") <= 17 * MIB
        session, stream, question = open_question(server, "ann", 10, open_wires)
        assert session.respond(question, {"action": "accept", "content": {"username": "a", "email": "a@b.c"}}) == 202
        assert "result" in stream.message()


# ---- Workers and rates ------------------------------------------------------------------------------------------

def test_workers():
    """Calls that sleep on every worker and fill the queue leave a worker and a place to others."""
    with Server("--max-calls", "400", "--max-queue", "100") as server, contextlib.ExitStack() as open_wires:
        for number in range(300 if LONG else 150):
            send(open_wires.enter_context(Wire(server)), "mallory", "tools/call",
                 {"name": "slow_compute", "arguments": {"seconds": 600}}, number, META)
        until("all workers are busy", lambda: int(server.metrics()["tenon_workers_busy"]) >= 4)
        for _ in range(10):
            answer = ask(server, "ann", "tools/call", {"name": "slow_compute", "arguments": {"seconds": 0}}, META)
            assert answer["result"]["structuredContent"]["status"] == "SUCCESS", answer


def test_workers_of_many_sessions():
    """Without tokens the address is the caller: many sessions are still one."""
    with Server("--max-calls", "400", "--max-queue", "32", "--grace", "0s", auth=False) as server, \
            contextlib.ExitStack() as open_wires:
        for _ in range(80):
            wire = open_wires.enter_context(Wire(server, address="127.0.0.2"))
            session = wire.ask(body={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}).get("mcp-session-id")
            wire.send(body={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": "slow_compute", "arguments": {"seconds": 600}}}, Mcp_Session_Id=session, MCP_Protocol_Version=LEGACY)
        until("all workers are busy", lambda: int(server.metrics()["tenon_workers_busy"]) >= 4)
        for _ in range(10):
            answer = ask(server, None, "tools/call", {"name": "slow_compute", "arguments": {"seconds": 0}}, META)
            assert answer["result"]["structuredContent"]["status"] == "SUCCESS", answer


def test_lengths_that_no_message_has():
    """An announced length pays no debt and makes none."""
    with Server("--rate", "mallory=bytes=1KiB/s") as server:
        def post(length, body=b""):
            _, headers = modern("tools/call", {"name": "greet"})
            lines = [f"{key.replace('_', '-')}: {value}" for key, value in {**headers, **credentials("mallory")}.items()]
            with Wire(server) as wire:
                wire.raw("\r\n".join([f"POST {server.path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
                                      f"Content-Length: {length}", *lines]).encode() + b"\r\n\r\n" + body)
                return wire.head().status
        big = b" " * 100_000
        for length in 9223372036854775809, 9000000000000000000:
            assert post(length) in (400, 413)
        assert post(len(big), big) == 400  # taken, and no message
        assert post(len(big), big) == 429
        for length in 9223372036854775809, 9000000000000000000, 18446744073709551615:
            assert post(length) in (400, 413, 429)
        assert post(len(big), big) == 429


def test_rates():
    """A rate is kept before a message is read, by caller; on a pipe it is an answer that a model can act on."""
    with Server("--rate", "mallory=5/h", "--rate", "ann=calls=2") as server:
        statuses = []
        for _ in range(20):
            with Wire(server) as wire:
                answer = send(wire, "mallory", "tools/call", {"name": "greet", "arguments": {"name": "m"}}).answer()
            statuses.append(answer.status)
        assert statuses == [200] * 5 + [429] * 15, statuses
        assert int(answer.get("retry-after")) > 0
        assert answer.json()["error"]["data"]["retryAfterMs"] > 0 and "Try again" in answer.json()["error"]["message"]
        with Wire(server) as wire:  # refused before the body was sent
            _, headers = modern("tools/call", {"name": "greet"})
            lines = [f"{key.replace('_', '-')}: {value}" for key, value in {**headers, **credentials("mallory")}.items()]
            wire.raw("\r\n".join([f"POST {server.path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
                                  "Content-Length: 4000000", *lines]) + "\r\n\r\n")
            assert wire.head().status == 429
        assert int(server.metrics()["tenon_rate_limited_total"]) == 16
        for _ in range(20):
            assert is_served(server)
    with rig.Stdio([CONFORMANCE, "--rate", "*=3/d"], modern=True) as client:
        answers = [client.request("tools/call", {"name": "greet", "arguments": {"name": "x"}}) for _ in range(5)]
        assert [code_of(answer) for answer in answers] == [None] * 3 + ["LIMIT_EXCEEDED"] * 2
        error = answers[-1]["result"]["structuredContent"]["error"]
        assert error["details"]["retryable"] and error["details"]["retryAfterMs"] > 1000, error
        assert "tools" in client.request("tools/list", {})["result"]


def test_settings_of_bounds():
    """Every bound can be set, and a wrong one is refused with what it may be."""
    for flags, text in ((("--rate", "ann=fast"), "CALLER=N/s"), (("--share", "0"), "from 1 to 100"),
                        (("--max-tasks", "none"), "a number"), (("--max-incoming", "1"), "from 64KiB")):
        done = rig.subprocess.run([CONFORMANCE, *flags], capture_output=True, text=True, check=False, stdin=rig.subprocess.DEVNULL)
        assert done.returncode == 2 and text in done.stderr, done.stderr


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), [word for word in sys.argv[1:] if word != "--long"]))
