#!/usr/bin/env python3
"""PostgreSQL that fails at any moment, behind a proxy that sees to it: every SQLSTATE at every statement, connections that are lost
or say nothing, standbys that are gone or promoted. An answer is true, and nothing is half done.

    tests/postgresql_faults/run.py [NAME...]    the tests whose name has one of these words in it
"""
import contextlib
import os
import pathlib
import socket
import sys
import time

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import pgproxy  # noqa: E402
import rig  # noqa: E402

os.environ["TENON_DB_MIGRATE"] = "true"
postgres = None  # one for all tests

DONE, UNAVAILABLE = "SUCCESS", "UNAVAILABLE"
STATES = {  # what becomes of a call whose statement is refused so
    "40001": DONE, "40P01": DONE, "55P03": DONE, "23505": DONE,
    "53100": UNAVAILABLE, "54000": UNAVAILABLE, "57014": UNAVAILABLE, "40003": UNAVAILABLE,
    "XX000": "INTERNAL_ERROR",
}
STALE = ["0A000", "26000"]  # plans, which only prepared statements have
ENDS = ["57P01", "57P02", "57P03", "25006", "25P03", "08006"]


@contextlib.contextmanager
def proxied(*flags, other=""):
    """A server whose database is behind the proxy."""
    with postgres.place() as place, pgproxy.Proxy(postgres.port) as proxy:
        place.database = place.database.replace(f":{postgres.port}/", f":{proxy.port}/") + other
        with rig.Stdio(rig.serve("kyc", place, *flags)) as client:
            yield client, proxy, place


def create(client, name):
    """The answer, also one that no other test may get."""
    return client.request("tools/call", {"name": "create_client", "arguments": {
        "name": name, "clientType": "COMPANY", "riskLevel": "LOW"}})["result"]["structuredContent"]


def count(place, name):
    [(number,)] = place.sql(f"SELECT count(*) FROM clients WHERE name = '{name}'")
    return number


def at_every_round(client, proxy, place, name, what, check):
    """The same call with a fault at its first round, its second, until there are no more."""
    for number in range(1, 100):
        proxy.arm(number, what)
        whole = create(client, f"{name} {number}")
        if proxy.is_armed():
            assert number > 4, "the proxy saw no rounds"
            return
        check(number, whole, count(place, f"{name} {number}"))


def test_every_state_at_every_statement():
    with proxied() as (client, proxy, place):
        for state, outcome in STATES.items():
            def check(number, whole, rows, state=state, outcome=outcome):
                got = whole["error"]["code"] if whole["error"] else whole["status"]
                if pgproxy.SET_UP in proxy.struck:  # of a connection that a look made, beside the call
                    assert got in (DONE, UNAVAILABLE) and rows == (got == DONE), (state, number, whole, rows)
                    return
                assert got == outcome and rows == (outcome == DONE), (state, number, whole, rows)
                if state == "40003":
                    assert whole["error"]["details"]["outcome"] == "unknown", whole
            at_every_round(client, proxy, place, state, lambda one, state=state: one.refuse(state), check)


def test_plans_that_are_out_of_date():
    """Made anew, in a transaction with all of it."""
    with proxied() as (client, proxy, place):
        for state in STALE:
            for number in range(1, 10):
                create(client, f"warm {state} {number}")
                is_ours = []
                proxy.arm(number, lambda one, state=state, is_ours=is_ours:
                          (is_ours.append(1), one.refuse(state)) if one.round[:1] == b"B" else one.pass_on())
                assert create(client, f"{state} {number}")["status"] == DONE
                assert count(place, f"{state} {number}") == 1
                if proxy.is_armed():
                    break
            assert number > 3, number


def test_connections_that_end_at_every_statement():
    """The call goes on with another; one whose COMMIT was on its way is looked up."""
    def check(number, whole, rows):
        assert whole["status"] == DONE and rows == 1, (number, whole, rows)

    with proxied() as (client, proxy, place):
        for state in ENDS:
            at_every_round(client, proxy, place, state, lambda one, state=state: one.end(state), check)
        at_every_round(client, proxy, place, "cut", lambda one: one.cut(), check)
        at_every_round(client, proxy, place, "lost", lambda one: one.lose_answer(), check)


def test_a_database_that_says_nothing():
    """Whichever statement it is: the call ends at its deadline, and its worker is free for the next."""
    with proxied("--deadline", "700ms", "--workers", "1", "--spare-workers", "0", "--max-lost", "0") as (client, proxy, place):
        create(client, "first")
        for number in 1, 3, 5:
            for attempt in range(100):  # on a busy machine a call ends before it comes so far
                proxy.arm(number, lambda one: one.be_silent())
                whole = create(client, f"silent {number} {attempt}")
                if proxy.struck and (whole["error"] or pgproxy.SET_UP not in proxy.struck):
                    break
            assert whole["error"] and whole["error"]["code"] in ("TIMEOUT", UNAVAILABLE), whole
            rig.until("the worker is free", lambda: client.ask("get_all_clients", {})["status"] == DONE)
            assert count(place, f"silent {number} {attempt}") == 0


def test_a_host_that_says_nothing():
    """As a machine whose power is gone: the others of the address are asked in time, and the one that answered first from then on."""
    with postgres.place() as place, socket.create_server(("127.0.0.1", 0)) as silent:
        whole = place.database.replace(f"127.0.0.1:{postgres.port}", f"127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{postgres.port}")
        place.database = whole + "?target_session_attrs=read-write"
        with rig.Stdio(rig.serve("kyc", place, "--deadline", "20s")) as client:
            assert create(client, "first")["status"] == DONE
            for number in range(5):
                postgres.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{place.name}'")
                assert create(client, f"then {number}")["status"] == DONE
            silent.setblocking(False)
            asked = 0
            with contextlib.suppress(BlockingIOError):
                while True:
                    silent.accept()[0].close()
                    asked += 1
            assert 1 <= asked <= 4, asked  # when it started: the pool's first connections, and what replicas share


def test_a_lock_that_is_not_given_back():
    """Time is up, and nothing of it is left running at the server."""
    def busy(place):
        return postgres.ask(f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{place.name}' AND application_name = 'tenon'"
                            " AND state <> 'idle'") != [("0",)]

    with postgres.place() as place, rig.Stdio(rig.serve("kyc", place, "--deadline", "700ms")) as client:
        create(client, "first")
        with postgres.session(place.name, "BEGIN; LOCK TABLE kyc.clients"):
            for tool, arguments in ("create_client", {"name": "x", "clientType": "TRUST", "riskLevel": "LOW"}), ("get_all_clients", {}):
                whole = client.ask(tool, arguments)
                assert whole["error"] and whole["error"]["code"] in ("TIMEOUT", UNAVAILABLE), whole
            rig.until("nothing is left running", lambda: not busy(place))
        rig.until("it goes on", lambda: client.ask("get_all_clients", {})["status"] == DONE)
        assert count(place, "x") == 0


def alone(own, standby, place):
    """What is committed here alone may be lost: the answer says that it is not known."""
    with rig.Stdio(rig.serve("kyc", place, "--deadline", "2s")) as hasty, \
            rig.Stdio(rig.serve("kyc", place, "--deadline", "5m")) as patient:
        rig.until("both have it", lambda: create(hasty, f"both {time.monotonic()}")["status"] == DONE)
        standby.stop("immediate")
        whole = create(hasty, "alone")
        assert whole["error"]["code"] in (UNAVAILABLE, "TIMEOUT"), whole
        assert whole["error"]["code"] == "TIMEOUT" or whole["error"]["details"]["outcome"] == "unknown", whole
        waiting = f"FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = '{place.name}'"
        others = ",".join(pid for pid, in own.ask(f"SELECT pid {waiting}")) or "0"
        number = patient.begin_call("create_client", name="cancelled", clientType="COMPANY", riskLevel="LOW")
        rig.until("it waits", lambda: own.ask(f"SELECT pg_cancel_backend(pid) {waiting} AND pid NOT IN ({others})"))
        whole = rig.envelope(patient.end(number))
        assert whole["error"]["code"] == UNAVAILABLE and whole["error"]["details"]["outcome"] == "unknown", whole


def promoted(own, standby, place):
    """The answer to COMMIT is lost with the primary: the number of the transaction may be another's at the standby."""
    with pgproxy.Proxy(own.port) as proxy:
        place.database = (place.database.replace(f"127.0.0.1:{own.port}", f"127.0.0.1:{proxy.port},127.0.0.1:{standby.port}")
                          + "?target_session_attrs=read-write")

        def fail_over():
            proxy.close()
            own.stop("immediate")
            standby.promote()

        with rig.Stdio(rig.serve("kyc", place, "--deadline", "5m")) as client:
            assert create(client, "before")["status"] == DONE
            for number in range(1, 100):
                proxy.arm(number, lambda one: one.lose_answer(fail_over) if pgproxy.COMMIT in one.round else one.pass_on())
                whole = create(client, f"then {number}")
                if whole["error"]:
                    break
            assert whole["error"]["code"] == UNAVAILABLE and whole["error"]["details"]["outcome"] == "unknown", whole
            rig.until("it goes on", lambda: create(client, f"after {time.monotonic()}")["status"] == DONE)
            assert standby.ask(f"SELECT count(*) FROM kyc.clients WHERE name = 'then {number}'", place.name) == [("1",)]


def test_a_synchronous_standby():
    with cluster.Cluster() as own, own.standby() as standby, own.place() as place:
        refusal = rig.run("serve", "kyc", "--db", standby.address("postgres"))
        assert refusal[0] == 1 and "is a standby, which cannot write" in refusal[2], refusal
        alone(own, standby, place)
        standby.start()
        standby.follow()
        promoted(own, standby, place)


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    with cluster.Cluster() as postgres:
        status = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(status)
