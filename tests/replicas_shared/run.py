#!/usr/bin/env python3
"""Replicas that share a database besides their key file: a session begun at one goes on at another, a task begun at one is
read, answered and cancelled at another, news of changes reach subscribers everywhere, and what ends with a process that is
killed is what docs/replicas.md says.

    tests/replicas_shared/run.py [NAME...]    only the tests whose name contains one of these
"""
import base64
import concurrent.futures
import contextlib
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]
import cluster  # noqa: E402
import rig  # noqa: E402
from wire import Session, Stream, Wire, ask_tool, counts, until  # noqa: E402

JUDGE = rig.BUILD / "tests" / "replicas_judge"
CLIENT = {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
META = {**rig.META, "io.modelcontextprotocol/clientCapabilities": CLIENT}
LEASE = "6s"  # several times what a turn of a loaded machine takes


# ---- Replicas ---------------------------------------------------------------------------------------------------

class Replica(rig.Server):
    is_killed = False

    def kill(self):
        self.is_killed = True
        self.process.kill()
        self.process.wait()

    def __exit__(self, kind, *_):
        code = self.stop()
        assert kind or self.is_killed or code == 0, f"it ended with {code}: {self.log}"


class World:
    """A database with its tables, a folder with the key, and replicas of it."""

    def __init__(self, place):
        self.place, self.stack = place, contextlib.ExitStack()

    def __enter__(self):
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        return self

    def __exit__(self, *what):
        return self.stack.__exit__(*what)

    def replica(self, *flags, key="key", database=None):
        return self.stack.enter_context(Replica(self.command(*flags, key=key, database=database)))

    def command(self, *flags, key="key", database=None):
        return [JUDGE, "--db", database or self.place.database, "--db-migrate", "--replica-time", LEASE, "--grace", "100ms",
                "--key-file", self.folder / key, *flags]

    def ask(self, statement):
        return postgres.ask(f"SET search_path = judge_runtime; {statement}", self.place.name)

    def count(self, kind):
        return int(self.ask(f"SELECT count(*) FROM states WHERE kind = '{kind}'")[0][0])


@contextlib.contextmanager
def world(options=""):
    with postgres.place() as place, World(place) as made:
        if options:
            place.database += options
        yield made


def at(session, server):
    """The same session at another replica."""
    moved = Session.__new__(Session)
    moved.__dict__.update(session.__dict__, server=server)
    return moved


def result_of(answer):
    """It came as JSON, or as the last event of a stream."""
    return json.loads(answer.body.rsplit(b"data: ", 1)[-1])["result"]


def call(session, tool, **arguments):
    with Wire(session.server) as wire:
        session.call(wire, tool, arguments)
        answer = wire.answer()
    assert answer.status == 200, answer.body
    whole = result_of(answer)["structuredContent"]
    return whole["data"]["text"] if whole["data"] else whole["error"]["code"]


def listen(session):
    """A stream of what the session is told, which has begun."""
    wire = Wire(session.server)
    stream = Stream(session.send(wire, method="GET"))
    stream.event()
    return stream


# ---- Tasks ------------------------------------------------------------------------------------------------------

def modern(server, method, header, token=None, **params):
    named = {"Authorization": f"Bearer {token}"} if token else {}
    status, _, answer = server.post(rig.request(method, **params, _meta=META), MCP_Protocol_Version=rig.MODERN,
                                    Mcp_Method=method, Mcp_Name=header, **named)
    assert status in (200, 400), (status, answer)
    return answer


def begin(server, tool, token=None, **arguments):
    return modern(server, "tools/call", tool, token, name=tool, arguments=arguments)


def begun(server, tool, token=None, **arguments):
    answer = begin(server, tool, token, **arguments)
    assert answer["result"]["resultType"] == "task", answer
    return answer["result"]["taskId"]


def get(server, task, token=None):
    return modern(server, "tasks/get", task, token, taskId=task)


def status(server, task):
    """None while it cannot be told: the database was away, or a replica that was stopped looks for its connections again."""
    return get(server, task).get("result", {}).get("status")


def said(server, task):
    return get(server, task)["result"]["result"]["structuredContent"]["data"]["text"]


def cancel(server, task, token=None):
    return modern(server, "tasks/cancel", task, token, taskId=task)


def answer(server, task, key, **content):
    return modern(server, "tasks/update", task, taskId=task,
                  inputResponses={key: {"action": "accept", "content": content}})


def test_a_task_is_read_everywhere():
    """Its status while it runs, and its result to the last byte."""
    with world() as w:
        one, other = w.replica(), w.replica()
        task = begun(one, "work")
        for server in one, other:
            shown = get(server, task)["result"]
            assert shown["status"] == "working" and shown["pollIntervalMs"] == 2000, shown
        until(lambda: counts(one)["running"] == 1)
        ask_tool(one, "open_gate")
        until(lambda: status(other, task) == "completed")
        assert get(other, task) == get(one, task)
        assert said(other, task) == "through"
        full = begun(other, "fill", bytes=400000)
        until(lambda: status(one, full) == "completed")
        assert len(said(one, full)) == 400000


def test_a_task_is_cancelled_everywhere():
    with world() as w:
        one, other = w.replica(), w.replica()
        task = begun(one, "work")
        until(lambda: counts(one)["running"] == 1)
        assert "error" not in cancel(other, task)
        assert status(other, task) == "cancelled"  # at once, whoever runs it
        until(lambda: counts(one) == {"running": 0, "cancelled": 1, "finished": 0})
        assert status(one, task) == "cancelled"
        assert "error" not in cancel(one, task)  # once more changes nothing
        assert status(one, task) == "cancelled"


def test_a_question_of_a_task_is_answered_everywhere():
    with world() as w:
        one, other, third = w.replica(), w.replica(), w.replica()
        task = begun(one, "quiz")
        until(lambda: status(other, task) == "input_required")
        asked = get(other, task)["result"]["inputRequests"]
        assert list(asked) == ["name"] and asked["name"]["params"]["message"] == "Who are you?", asked
        assert get(third, task) == get(one, task)
        assert "error" not in answer(other, task, "something", name="Eve")  # no question of it
        assert status(one, task) == "input_required"
        assert "error" not in answer(other, task, "name", name="Ann")
        assert "error" not in answer(third, task, "name", name="Bob")  # is too late
        until(lambda: status(third, task) == "completed")
        assert said(third, task) == "hello Ann"


def test_tasks_are_their_callers():
    """On any replica, and for a caller who knows the id."""
    with world() as w:
        flags = [rig.token_flag("ann", "a" * 43), rig.token_flag("bob", "b" * 43)]
        one, other = w.replica(*flags), w.replica(*flags)
        task = begun(one, "work", "a" * 43)
        for server in one, other:
            for ask in get, cancel:
                refused = ask(server, task, "b" * 43)["error"]
                assert refused == {"code": -32602, "message": f"There is no task {task}."}, refused
        assert get(other, task, "a" * 43)["result"]["status"] == "working"
        for odd in "../x", "0" * 31, "0" * 33, "G" * 32, "%00", "' OR 1=1", "0" * 4000:
            assert get(one, odd, "a" * 43)["error"]["code"] == -32602


def a_killed_replica_fails_its_tasks():
    """What it ran is failed with a sentence, none runs again; what it had ended stays; others' go on."""
    with world() as w:
        one, other, third = w.replica(), w.replica(), w.replica()
        ended, runs, asks, others = begun(one, "fill", bytes=10), begun(one, "work"), begun(one, "quiz"), begun(other, "work")
        until(lambda: status(other, ended) == "completed" and status(other, asks) == "input_required")
        one.kill()
        shown = status(other, runs)
        assert shown == "working" or w.ask("SELECT count(*) FROM processes") == [("2",)]  # as far as is known
        until(lambda: status(other, runs) == "failed" and status(third, asks) == "failed")
        assert "process that ran this task is gone" in get(other, runs)["result"]["error"]["message"]
        assert status(third, ended) == "completed" and status(third, others) == "working"
        assert w.ask("SELECT count(*) FROM processes") == [("2",)]
        assert counts(other) == {"running": 1, "cancelled": 0, "finished": 0}
        assert counts(third) == {"running": 0, "cancelled": 0, "finished": 0}


def tasks_go_on_after_an_outage():
    """Longer than the lease: then every replica looks as if it were gone, and none is."""
    with world() as w:
        replicas = [w.replica() for _ in range(3)]
        tasks = [begun(server, "work") for server in replicas]
        for _ in range(3):
            w.ask("UPDATE processes SET renewed = renewed - 60000")
            until(lambda: w.ask("SELECT count(*) FROM processes WHERE renewed > extract(epoch FROM now()) * 1000 - 6000") == [("3",)])
        assert [status(replicas[0], task) for task in tasks] == ["working"] * 3


def test_a_replica_that_ends_gives_up_its_tasks_at_once():
    with world() as w:
        one, other = w.replica("--grace", "1ms"), w.replica()
        runs, ended = begun(one, "work"), begun(one, "fill", bytes=10)
        one.stop()
        assert status(other, runs) in ("failed", "cancelled") and status(other, ended) == "completed"
        assert w.ask("SELECT count(*) FROM processes") == [("1",)]


def a_replica_that_was_stopped_writes_nothing_of_what_was_given_up():
    """SIGSTOP is what a machine without memory or a paused one looks like."""
    with world() as w:
        one, other = w.replica(), w.replica()
        task = begun(one, "work")
        until(lambda: counts(one)["running"] == 1)
        one.process.send_signal(signal.SIGSTOP)
        until(lambda: status(other, task) == "failed")
        one.process.send_signal(signal.SIGCONT)
        ask_tool(one, "open_gate")
        until(lambda: counts(one)["running"] == 0)
        until(lambda: w.ask("SELECT count(*) FROM processes") == [("2",)])  # it is one of them again
        later = begun(one, "fill", bytes=10)
        until(lambda: status(other, later) == "completed")
        assert status(one, task) == status(other, task) == "failed"


def test_what_waits_for_a_lease():
    """Side by side: most of the time they wait until a replica counts as gone."""
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(test) for test in (a_killed_replica_fails_its_tasks, tasks_go_on_after_an_outage,
                                                    a_replica_that_was_stopped_writes_nothing_of_what_was_given_up)]:
            done.result()


def test_bounds_hold_over_all_replicas():
    """Of all callers and of one: three replicas do not take three times as much."""
    with world() as w:
        flags = ["--max-tasks", "8", rig.token_flag("ann", "a" * 43), rig.token_flag("bob", "b" * 43),
                 "--max-results", "64KiB", "--workers", "16"]
        replicas = [w.replica(*flags) for _ in range(3)]
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda number: begin(replicas[number % 3], "work", "a" * 43), range(12)))
        mine = [one["result"]["taskId"] for one in answers if one["result"].get("resultType") == "task"]
        told = [one["result"] for one in answers if one["result"].get("resultType") != "task"]
        assert len(mine) == 4 and all("LIMIT_EXCEEDED" in str(one) for one in told), (len(mine), told)
        others = [begin(replicas[number % 3], "work", "b" * 43)["result"].get("taskId") for number in range(4)]
        assert sum(one is not None for one in others) == 2, others  # a half of what is free
        cancel(replicas[1], mine[0], "a" * 43)
        again = begin(replicas[2], "work", "a" * 43)["result"]
        assert again["resultType"] == "task", again  # in the place of that one
        assert w.count("task") <= 8
        assert get(replicas[0], mine[0], "a" * 43)["error"]["code"] == -32602
        for task in mine[1:]:
            cancel(replicas[0], task, "a" * 43)
        long = [begun(replicas[number % 3], "fill", "a" * 43, bytes=30000) for number in range(3)]
        until(lambda: all(get(replicas[0], one, "a" * 43).get("result", {}).get("status") != "working" for one in long))
        assert int(w.ask("SELECT sum(bytes) FROM states WHERE kind = 'task'")[0][0]) <= 65536


def test_a_bound_of_many():
    """It is looked at now and then, and the one with most gives way: the others keep what they have."""
    with world() as w:
        one, other = w.replica("--max-sessions", "5000"), w.replica("--max-sessions", "5000")
        w.ask("INSERT INTO states SELECT 'session', lpad(to_hex(number), 32, '0'), 'greedy', '', 1, 0, 1, number, 9999999999999, 10, 'x'"
              " FROM generate_series(1, 5500) number")
        sessions = [Session(server) for _ in range(70) for server in (one, other)]
        for number, session in enumerate(sessions):
            assert call(session, "remember", text=f"text {number}") == "remembered"
        assert w.count("session") <= 5000 + 2 * 64
        assert w.ask("SELECT count(*) FROM states WHERE kind = 'session' AND holder <> 'greedy'") == [("140",)]
        for number in 0, 139:
            assert call(at(sessions[number], one if number % 2 else other), "recall") == f"text {number}"


def test_results_that_are_too_long():
    with world() as w:
        one, other = w.replica(), w.replica()
        task = begun(one, "fill", bytes=1100000)
        until(lambda: status(other, task) == "failed")
        assert get(other, task)["result"]["error"]["code"] == -32603


# ---- Sessions ---------------------------------------------------------------------------------------------------

def test_a_session_goes_on_at_another_replica():
    """With what it remembered, its log level and its subscriptions; also where it was before."""
    with world() as w:
        one, other = w.replica(), w.replica()
        session = Session(one)
        assert call(session, "remember", text="first") == "remembered"
        there = at(session, other)
        assert call(there, "recall") == "first"
        assert call(session, "remember", text="sécond") == "remembered"
        assert call(there, "recall") == "sécond"  # though it had the session before
        level = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "emergency"}}
        third = w.replica()
        assert there.post(level).status == 200
        for server in other, third:
            with Wire(server) as wire:
                at(session, server).call(wire, "say")
                assert wire.answer().body.count(b"notifications/message") == 0, server
        until(lambda: say_notes(session) == 0)  # which had it before, and is told


def say_notes(session):
    with Wire(session.server) as wire:
        session.call(wire, "say")
        return wire.answer().body.count(b"notifications/message")


def subscribe(session, method="resources/subscribe"):
    done = session.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"uri": "note://a"}})
    assert done.status == 200 and result_of(done) == {}, done.body


def test_subscriptions_go_on_at_another_replica():
    with world() as w:
        one, other = w.replica(), w.replica()
        session = Session(one)
        subscribe(session)
        stream = listen(at(session, other))
        call(Session(one), "update")
        note = stream.message()
        assert note["method"] == "notifications/resources/updated" and note["params"] == {"uri": "note://a"}, note
        subscribe(at(session, other), "resources/unsubscribe")
        call(Session(one), "update")
        call(Session(one), "show", shown=False)
        assert stream.message()["method"] == "notifications/tools/list_changed"  # the other change was none of its


def test_sessions_are_their_callers():
    """What one remembered is not what another reads, and one's id is no good for another."""
    with world() as w:
        flags = [rig.token_flag("ann", "a" * 43), rig.token_flag("bob", "b" * 43)]
        one, other = w.replica(*flags), w.replica(*flags)
        ann, bob = (Session(one, Authorization=f"Bearer {letter * 43}") for letter in "ab")
        call(ann, "remember", text="of ann")
        call(at(bob, other), "remember", text="of bob")
        assert call(at(ann, other), "recall") == "of ann" and call(bob, "recall") == "of bob"
        thief = at(ann, other)
        thief.headers = bob.headers
        assert thief.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status == 404


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def end(session):
    with Wire(session.server) as wire:
        return session.send(wire, method="DELETE").answer().status


def test_a_session_ends_everywhere():
    """At a replica that has it, at one that has not, at one that begins later, after restarts; the stream of it ends."""
    with world() as w:
        one = w.replica()
        for machine in "second", "third":  # each has its own folder beside the key file
            (w.folder / machine).mkdir()
            shutil.copy(w.folder / "key", w.folder / machine)
        other = w.replica(key="second/key")
        session, goes_on = Session(one), Session(one)
        there = at(session, other)
        stream = listen(there)
        assert end(session) == 200 and end(session) == 404
        while stream.event():  # ends with the session
            pass
        assert there.post(PING).status == 404 and at(goes_on, other).post(PING).status == 200
        one.kill()
        other.kill()
        later = w.replica(key="third/key")
        assert at(session, later).post(PING).status == 404 and at(goes_on, later).post(PING).status == 200


def test_a_killed_replica_and_its_sessions():
    with world() as w:
        one, other = w.replica(), w.replica()
        session = Session(one)
        call(session, "remember", text="kept")
        subscribe(session)
        one.kill()
        there = at(session, other)
        assert call(there, "recall") == "kept"
        stream = listen(there)
        call(Session(other), "update")
        assert stream.message()["method"] == "notifications/resources/updated"


# ---- News -------------------------------------------------------------------------------------------------------

def listen_modern(server):
    """subscriptions/listen for tools and one note, which has begun."""
    wire = Wire(server)
    body = rig.request("subscriptions/listen", notifications={"toolsListChanged": True, "resourceSubscriptions": ["note://a"]},
                       _meta=META)
    stream = Stream(wire.send(body=body, MCP_Protocol_Version=rig.MODERN, Mcp_Method="subscriptions/listen"))
    assert stream.message()["method"] == "notifications/subscriptions/acknowledged"
    return stream


def is_told(w, one, other):
    """Both a subscriber of 2026-07-28 and a session at the other replica."""
    streams = [listen_modern(other), listen(at(Session(one), other))]
    ask_tool(one, "show", {"shown": False})
    for stream in streams:
        assert stream.message()["method"] == "notifications/tools/list_changed"
    ask_tool(one, "update")
    note = streams[0].message()
    assert note["method"] == "notifications/resources/updated" and note["params"]["uri"] == "note://a", note
    ask_tool(one, "show", {"shown": True})
    for stream in streams:
        assert stream.message()["method"] == "notifications/tools/list_changed"


def test_news_reach_other_replicas():
    with world() as w:
        is_told(w, w.replica(), w.replica())


def test_news_without_notifications():
    """Through a pooler nothing can be listened to: the table is looked at."""
    with world("?prepare=off") as w:
        is_told(w, w.replica(), w.replica())


def test_news_after_connections_were_ended():
    with world() as w:
        one, other = w.replica(), w.replica()
        stream = listen_modern(other)
        w.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon'")
        ask_tool(one, "show", {"shown": False})
        assert stream.message()["method"] == "notifications/tools/list_changed"


def test_a_reader_that_missed_messages_reports_that_all_changed():
    """As after a failover to a standby that did not have the last ones."""
    with world() as w:
        one, other = w.replica(), w.replica()
        streams = [listen_modern(other), listen(at(Session(one), other))]
        for shown in False, True:
            ask_tool(one, "show", {"shown": shown})
            for stream in streams:
                assert stream.message()["method"] == "notifications/tools/list_changed"
        w.ask("DELETE FROM messages")
        w.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon'")
        for stream in streams:
            assert stream.message()["method"] == "notifications/tools/list_changed"


def test_news_after_a_failover():
    """The standby may not have had the last messages, and its next ones have their numbers: everything is reported as changed."""
    with cluster.Cluster() as primary, primary.standby(False) as standby, primary.place() as place, World(place) as w:
        w.place.database = (w.place.database.replace(f":{primary.port}", f":{primary.port},127.0.0.1:{standby.port}")
                            + "?target_session_attrs=read-write")
        one, other = w.replica(), w.replica()
        stream = listen_modern(other)
        ask_tool(one, "show", {"shown": False})
        assert stream.message()["method"] == "notifications/tools/list_changed"
        rig.until("the standby has it", lambda: standby.ask("SELECT count(*) FROM judge_runtime.messages", w.place.name) != [("0",)])
        primary.stop("immediate")
        standby.promote()
        assert stream.message()["method"] == "notifications/tools/list_changed"


# ---- At rest ----------------------------------------------------------------------------------------------------

def test_nothing_can_be_read_in_the_database():
    """Neither what clients said nor who they are: in a dump, and in what a base64 of it would show."""
    with world() as w:
        one = w.replica(rig.token_flag("ann.miller", "a" * 43))
        session = Session(one, Authorization=f"Bearer {'a' * 43}")
        call(session, "remember", text="the-secret-project")
        subscribe(session)
        task = begun(one, "fill", "a" * 43, bytes=100)
        asks = begun(one, "quiz", "a" * 43)
        until(lambda: get(one, asks, "a" * 43)["result"]["status"] == "input_required")
        until(lambda: get(one, task, "a" * 43)["result"]["status"] == "completed")
        modern(one, "tasks/update", asks, "a" * 43, taskId=asks,
               inputResponses={"name": {"action": "accept", "content": {"name": "a-secret-name"}}})
        ask_tool(one, "update", Authorization=f"Bearer {'a' * 43}")
        until(lambda: get(one, asks, "a" * 43)["result"]["status"] == "completed")
        assert w.count("session") == 1 and w.count("task") == 2
        until(lambda: int(w.ask("SELECT count(*) FROM messages")[0][0]) > 0)
        dump = subprocess.run([cluster.programs() / "pg_dump", "-h", postgres.host, "-p", str(postgres.port), "-U",
                               cluster.ROLE, w.place.name], capture_output=True, check=True).stdout
        assert b"judge_runtime.states" in dump
        seen = dump + b"".join(base64.urlsafe_b64decode(word + b"=" * (-len(word) % 4))
                               for word in re.findall(rb"[\w-]{40,}", dump) if len(word) % 4 != 1)
        for secret in b"the-secret-project", b"a-secret-name", b"ann.miller", b"note://", b"0123456789abcdef0123456789abcdef", b"hello":
            assert secret not in seen, secret


def test_another_key_is_refused():
    with world() as w:
        w.replica()
        (w.folder / "foreign").unlink(missing_ok=True)
        done = refused(w, "--http", "127.0.0.1:0", key="foreign")
        assert "another --key-file" in done, done


# ---- Bad input --------------------------------------------------------------------------------------------------

def refused(w, *flags, key="key", database=None, migrates=True):
    """What a replica says that does not start: one line, without a password."""
    command = [word for word in w.command(*flags, key=key, database=database) if migrates or word != "--db-migrate"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
    assert done.returncode in (1, 2) and done.stderr.count("\n") == 1, done
    assert "hunter2" not in done.stderr, done
    return done.stderr


def test_state_that_cannot_be_used():
    http = ("--http", "127.0.0.1:0")
    with world() as w:
        assert "needs an address of PostgreSQL, or none" in refused(w, *http, "--state", "/tmp/file.db")
        assert "password" in refused(w, *http, "--state", "postgresql://ann:hunter2@localhost/db")
        assert "cannot be reached" in refused(w, *http, "--state", f"postgresql://ann@127.0.0.1:{cluster.free_port()}/db")
        assert "does not exist" in refused(w, *http, "--state", w.place.database + "_not_there")
        server = w.replica("--state", "none")  # makes the tables of the server alone
        assert postgres.ask("SELECT count(*) FROM tenon.schemas WHERE name = 'judge_runtime'", w.place.name) == [("0",)]
        server.stop()
        assert "tenon db migrate" in refused(w, *http, migrates=False)
        w.replica().stop()
        postgres.ask("UPDATE tenon.schemas SET version = 99 WHERE name = 'judge_runtime'", w.place.name)
        assert "newer release" in refused(w, *http)
        postgres.ask("UPDATE tenon.schemas SET version = 1 WHERE name = 'judge_runtime'", w.place.name)
        postgres.ask("CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA judge, judge_runtime, tenon TO guest;"
                     "GRANT SELECT ON tenon.schemas TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA judge_runtime TO guest",
                     w.place.name)
        guest = w.place.database.replace(cluster.ROLE, "guest")
        assert "judge_runtime, which replicas share, cannot be used: permission denied" in refused(
            w, *http, database=guest, migrates=False)


def test_without_a_key_file_nothing_is_shared():
    with world() as w:
        command = [word for word in w.command() if word != "--key-file" and word != w.folder / "key"]
        with rig.Server(command) as server:
            task = begun(server, "fill", bytes=10)
            until(lambda: status(server, task) == "completed")
            assert postgres.ask("SELECT count(*) FROM tenon.schemas WHERE name = 'judge_runtime'", w.place.name) == [("0",)]


def test_the_database_goes_and_comes():
    """Nothing is acknowledged that is not kept; what runs meanwhile is saved when it is back."""
    with world() as w:
        one, other = w.replica("--deadline", "20s"), w.replica()
        session, runs = Session(one), begun(one, "work")
        call(session, "remember", text="before")
        until(lambda: counts(one)["running"] == 1)
        postgres.stop("immediate")
        ask_tool(one, "open_gate")
        until(lambda: counts(one)["finished"] == 1)
        assert "UNAVAILABLE" in json.dumps(begin(one, "work")), "a task was begun nowhere"
        assert get(other, runs)["error"]["code"] == -32603
        assert call(session, "remember", text="after") != "remembered"
        assert end(session) == 503
        postgres.start()
        # Its result waited in its process.
        until(lambda: get(other, runs).get("result", {}).get("status") == "completed")
        assert call(at(session, other), "recall") == "before"
        assert end(session) == 200


def test_a_restart_is_not_noticed():
    """Connections that lay idle meanwhile are replaced: once one call is well, all of them are."""
    with world() as w:
        one = w.replica()
        task = begun(one, "work")

        def ask(_=0):
            return get(one, task).get("result", {}).get("status") == "working"

        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            until(lambda: all(pool.map(ask, range(60))) and
                  int(w.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tenon' AND wait_event = 'ClientRead'")[0][0]) >= 4)
            for how in "fast", "immediate":
                postgres.stop(how)
                postgres.start()
                until(ask)
                assert all(pool.map(ask, range(60))), how


def test_a_standby_and_a_full_database():
    """A database that takes no writes: reading goes on, nothing is half done."""
    with world() as w:
        one = w.replica()
        task = begun(one, "work")
        postgres.ask(f"ALTER DATABASE {w.place.name} SET default_transaction_read_only = on")
        w.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon'")
        until(lambda: get(one, task).get("result", {}).get("status") == "working")
        w.ask("BEGIN READ WRITE; ALTER TABLE states ADD CONSTRAINT full_now CHECK (kind <> 'task' OR state <> 0) NOT VALID; COMMIT")
        before = w.count("task")
        assert "UNAVAILABLE" in json.dumps(begin(one, "work"))
        assert w.count("task") == before and counts(one)["running"] == 1


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    with cluster.Cluster() as postgres:
        result = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(result)
