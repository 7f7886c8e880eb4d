#!/usr/bin/env python3
"""Servers on PostgreSQL, a cluster of the test's own: the same answers as on SQLite, two replicas that decide about the same,
a database that goes away, addresses that cannot work.

    tests/postgresql/run.py [NAME...]    the tests whose name has one of these words in it
"""
import concurrent.futures
import contextlib
import importlib.util
import os
import pathlib
import re
import select
import shutil
import socket
import subprocess
import sys
import threading
import urllib.request

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import rig  # noqa: E402

spec = importlib.util.spec_from_file_location("kyc", TESTS / "kyc" / "run.py")
kyc = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kyc)

os.environ["TENON_DB_MIGRATE"] = "true"
OF_A_FILE = {"test_foreign_database"}  # of tests/kyc

postgres = None  # one for all tests


@contextlib.contextmanager
def two(place):
    """Two replicas on one database."""
    with kyc.stdio(place) as one, kyc.stdio(place) as other:
        yield one, other


def together(*works):
    """All begin at the same moment; what each returned."""
    gate = threading.Barrier(len(works))

    def run(work):
        gate.wait()
        return work()

    with concurrent.futures.ThreadPoolExecutor(len(works)) as pool:
        return [each.result() for each in [pool.submit(run, work) for work in works]]


def test_the_same_answers_as_on_sqlite():
    """Every test of the server of customers, on a database of its own each."""
    plain = rig.Place
    rig.Place = lambda: postgres.place()
    try:
        for test in rig.tests_of(vars(kyc)):
            if test.__name__ not in OF_A_FILE:
                print("   ", test.__name__, flush=True)
                test()
    finally:
        rig.Place = plain


def test_the_same_results_of_every_function():
    """judge.c uses all of sql.h; its lines are the same on both engines, and through a pooler's way of asking."""
    judge = rig.BUILD / "tests" / "postgresql_judge"
    lines = []
    for place, more in (rig.Place(), ""), (postgres.place(), ""), (postgres.place(), "?prepare=off"):
        with place:
            done = subprocess.run([judge, f"{place.database}{more}"], capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
            assert done.returncode == 0, done.stderr
            lines.append(done.stdout.splitlines())
    assert len(lines[0]) > 50
    assert lines[0] == lines[1] == lines[2], [one for one in zip(*lines) if len(set(one)) > 1]


def test_numbers_with_gaps():
    """Nothing counts by ids."""
    with postgres.place() as place, kyc.stdio(place) as client:
        for number in range(5):
            client.ok("create_client", name=f"client {number}", clientType="COMPANY", riskLevel="LOW")
            postgres.ask("SELECT setval(pg_get_serial_sequence('kyc.clients', 'id'), nextval(pg_get_serial_sequence('kyc.clients',"
                         " 'id')) + 1000000)", place.name)
        whole = client.ok("get_all_clients")
        assert whole["totalItems"] == 5 and [one["name"] for one in whole["items"]] == [f"client {number}" for number in range(5)]
        assert max(one["id"] for one in whole["items"]) > 4000000


# What the two engines do not have in common, or do differently, stands in no statement.
FOREIGN = ["ifnull", "total(", "instr(", "COLLATE NOCASE", "INDEXED BY", "json_each", "INSERT OR", "last_insert_rowid", "rowid",
           "SELECT *", "pg_advisory", "CREATE TRIGGER", "CREATE FUNCTION", "CREATE EXTENSION", "TEMP TABLE", "DEFERRABLE", "now()"]


def test_one_dialect():
    """Statements of servers that know PostgreSQL are of the small dialect that both engines have."""
    for server in "kyc",:
        for path in sorted((TESTS.parent / "servers" / server).glob("*.c")):
            for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for part in re.findall(r'"((?:\\.|[^"\\])*)"', text):
                    found = [word for word in FOREIGN if word.lower() in part.lower() and re.search(r"[A-Z]{4}", part)]
                    assert not found, f"{path}:{line}: {found} in {part}"


def test_locale_makes_no_difference():
    """Case is folded and names are in order by their bytes, whatever the database's locale."""
    names = ["École", "ecole", "Zebra", "apple", "ÉCOLE TWO", "Äpfel"]
    shown = []
    for place in rig.Place(), postgres.place(), postgres.place(cluster.OTHER_LOCALE):
        with place, kyc.stdio(place) as client:
            for name in names:
                client.ok("create_client", name=name, clientType="COMPANY", riskLevel="LOW")
            shown.append([[one["name"] for one in client.ok("search_clients", **asked)["items"]]
                          for asked in ({}, {"name": "ÉC"}, {"name": "éc"}, {"name": "E"}, {"name": "ECOLE"})])
    assert shown[0] == shown[1] == shown[2], shown


def test_shares_are_never_over_a_hundred():
    """Two replicas enter 60 percent of the same client at once: one of them is told what is left."""
    with postgres.place() as place, two(place) as clients:
        for number in range(1, 41):
            clients[0].ok("create_client", name=f"client {number}", clientType="COMPANY", riskLevel="LOW")
            share = {"clientId": number, **kyc.ANN, "ownershipPercentage": 60}
            answers = together(*[lambda one=one: one.ask("add_person_to_client", share) for one in clients])
            assert sorted(answer["status"] for answer in answers) == ["ERROR", "SUCCESS"], answers
            assert [answer["error"]["code"] for answer in answers if answer["error"]] == ["CONFLICT"], answers
        assert place.sql("SELECT count(*) FROM (SELECT client_id FROM persons GROUP BY client_id"
                         " HAVING sum(ownership_percentage) > 100) x") == [(0,)]


def test_of_two_who_enter_the_same_one_is_told_of_the_other():
    with postgres.place() as place, two(place) as clients:
        for number in range(40):
            same = {"name": f"Client {number}", "clientType": "TRUST", "riskLevel": "LOW"}
            answers = together(*[lambda one=one: one.ask("create_client", same) for one in clients])
            made = [answer["data"]["id"] for answer in answers if answer["data"]]
            told = [answer["error"] for answer in answers if answer["error"]]
            assert len(made) == 1 and [each["code"] for each in told] == ["CONFLICT"], answers
            assert told[0]["details"]["clientId"] == made[0], answers


def both(clients, *asked):
    """Two calls at the same moment at two replicas: their envelopes."""
    return together(*[lambda one=one, tool=tool, arguments=arguments: one.ask(tool, arguments)
                      for one, (tool, arguments) in zip(clients, asked)])


def verdicts(answers):
    return tuple(answer["error"]["code"] if answer["error"] else "done" for answer in answers)


def test_every_tool_that_decides():
    """Whichever comes first, the other decides about what the first has left."""
    seen = {}
    with postgres.place() as place, two(place) as clients:
        one = clients[0]
        for number in range(30):
            first, second = (one.ok("create_client", name=f"{name} {number}", clientType="COMPANY", riskLevel="LOW")["id"]
                             for name in ("a", "b"))
            people = [one.ok("add_person_to_client", clientId=first, **kyc.ANN, ownershipPercentage=10)["id"] for _ in range(2)]
            races = {
                "shares": [("update_person", {"personId": person, "ownershipPercentage": 60}) for person in people],
                "names": [("update_client", {"clientId": client, "name": f"same {number}"}) for client in (first, second)],
                "person": [("delete_person", {"personId": people[0]}), ("update_person", {"personId": people[0], "lastName": "Ray"})],
                "client": [("delete_client", {"clientId": second}),
                           ("add_person_to_client", {"clientId": second, **kyc.ANN, "ownershipPercentage": 60})],
                "again": [("delete_client", {"clientId": first, "deletePersons": True})] * 2,
            }
            for name, asked in races.items():
                seen.setdefault(name, set()).add(verdicts(both(clients, *asked)))
        assert place.sql("SELECT count(*) FROM (SELECT client_id FROM persons GROUP BY client_id"
                         " HAVING sum(ownership_percentage) > 100) x") == [(0,)]
    turns = {("done", "CONFLICT"), ("CONFLICT", "done")}
    assert seen["shares"] <= turns and seen["names"] <= turns, seen
    assert seen["person"] <= {("done", "done"), ("done", "NOT_FOUND")}, seen
    assert seen["client"] <= {("done", "NOT_FOUND"), ("CONFLICT", "done")}, seen
    assert seen["again"] <= {("done", "NOT_FOUND"), ("NOT_FOUND", "done")}, seen


def test_three_replicas_behind_a_proxy():
    """A whole session of calls, each at the replica whose turn it is, answered as by one."""
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.path.exists(nginx):
        print("    SKIPPED: there is no nginx here")
        return
    with postgres.place() as place, contextlib.ExitStack() as stack:
        servers = [stack.enter_context(rig.Server(rig.serve("kyc", place, "--key-file", place.path / "key"))) for _ in range(3)]
        port = cluster.free_port()
        backs = "".join(f"server 127.0.0.1:{server.port};" for server in servers)
        folders = "".join(f"{name}_temp_path {place.path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (place.path / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {place.path}/pid; error_log stderr crit; events {{}} http {{ {folders}"
            f" log_format back '$upstream_addr'; access_log {place.path}/calls back;"
            f" upstream all {{ {backs} }} server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://all;"
            " proxy_set_header Host 127.0.0.1; proxy_http_version 1.1; } } }\n")
        proxy = subprocess.Popen([nginx, "-p", place.path, "-c", place.path / "nginx.conf"], stdin=subprocess.DEVNULL)
        try:
            rig.until("the proxy listens", lambda: not socket.socket().connect_ex(("127.0.0.1", port)))
            direct, servers[0].port = servers[0].port, port
            with rig.Http(servers[0]) as client:
                kyc.session(client)
            servers[0].port = direct
            backs = set((place.path / "calls").read_text().split())
            assert backs == {f"127.0.0.1:{server.port}" for server in servers}, backs
        finally:
            proxy.kill()
            proxy.wait()


def test_other_defaults_of_the_role():
    """What a transaction may see is said by it."""
    with postgres.place() as place:
        for setting in "default_transaction_isolation = 'serializable'", "default_transaction_read_only = on":
            postgres.ask(f"ALTER ROLE {cluster.ROLE} IN DATABASE {place.name} SET {setting}")
            with two(place) as clients:
                made = clients[0].ok("create_client", name=setting, clientType="COMPANY", riskLevel="LOW")["id"]
                share = {"clientId": made, **kyc.ANN, "ownershipPercentage": 60}
                answers = together(*[lambda one=one: one.ask("add_person_to_client", share) for one in clients])
                assert sorted(answer["status"] for answer in answers) == ["ERROR", "SUCCESS"], answers


def test_replicas_that_start_at_once():
    with postgres.place() as place, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(8) as pool:
        clients = [stack.enter_context(one) for one in pool.map(lambda _: kyc.stdio(place), range(8))]
        for number, client in enumerate(clients):
            client.ok("create_client", name=f"client {number}", clientType="COMPANY", riskLevel="LOW")
        assert clients[0].ok("get_all_clients")["totalItems"] == 8


def test_connections_that_are_ended():
    """Calls go on, and none of them notices."""
    with postgres.place() as place, kyc.stdio(place) as client:
        for number in range(10):
            ended = postgres.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{place.name}'")
            assert number == 0 or ended, "there was a connection"
            client.ok("create_client", name=f"client {number}", clientType="COMPANY", riskLevel="LOW")
        assert client.ok("get_all_clients")["totalItems"] == 10


def test_database_goes_away_and_comes_back():
    with postgres.place() as place, kyc.stdio(place) as client:
        client.ok("create_client", **kyc.ACME)
        postgres.stop()
        gone = client.error("UNAVAILABLE", "create_client", name="Bee", clientType="COMPANY", riskLevel="LOW")
        assert "try again" in gone["message"].lower(), gone
        postgres.start()
        rig.until("the database is back", lambda: client.ask("get_all_clients", {})["status"] == "SUCCESS")
        assert [one["name"] for one in client.ok("get_all_clients")["items"]] == ["Acme"]


def test_what_was_acknowledged_is_there():
    """Replicas that are killed, connections that are ended, the database restarted without notice: nothing that was answered is
    lost, and nothing is there twice."""
    with postgres.place() as place:
        acknowledged, stop = [], threading.Event()

        def write(writer):
            number = 0
            client = kyc.stdio(place)
            while not stop.is_set():
                name = f"{writer}-{number}"
                number += 1
                try:
                    whole = client.ask("create_client", {"name": name, "clientType": "COMPANY", "riskLevel": "LOW"})
                except Exception:  # pylint: disable=broad-except
                    client.kill()
                    client = kyc.stdio(place)
                    continue
                if whole["status"] == "SUCCESS":
                    acknowledged.append(name)
                else:
                    stop.wait(0.02)
            client.__exit__(None, None, None)

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
        for thread in threads:
            thread.start()
        try:
            for turn in range(6):
                seen = len(acknowledged)
                rig.until("writes go on", lambda seen=seen: len(acknowledged) > seen + 20)
                if turn % 2:
                    postgres.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{place.name}'")
                else:
                    postgres.stop("immediate")
                    postgres.start()
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        there = [name for name, in postgres.ask("SELECT name FROM kyc.clients", place.name)]
        assert len(there) == len(set(there)), "something is there twice"
        assert set(acknowledged) <= set(there), sorted(set(acknowledged) - set(there))
        print(f"    {len(acknowledged)} acknowledged, {len(there)} there")


class Cutter:
    """A proxy in front of the database, which cuts the connection of the next COMMIT: before it is passed on, or after the
    database has answered it."""

    def __init__(self, port):
        self.port, self.when, self.cuts = port, None, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.port))
                threading.Thread(target=self.pass_on, args=(client, server), daemon=True).start()

    def pass_on(self, client, server):
        with contextlib.suppress(OSError), client, server:
            is_answer_lost = False
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(65536)
                    if not data or (ready is server and is_answer_lost):
                        return
                    if ready is client and b"COMMIT" in data and self.when:
                        self.cuts += 1
                        if self.when == "before":
                            self.when = None
                            return
                        self.when, is_answer_lost = None, True
                    (server if ready is client else client).sendall(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def test_a_commit_whose_answer_is_lost():
    """It is looked up: what was committed is a success, what was not is done again; either way it is there once."""
    with postgres.place() as place, Cutter(postgres.port) as cutter:
        place.database = place.database.replace(f"127.0.0.1:{postgres.port}", cutter.address)
        with kyc.stdio(place) as client:
            for number, when in enumerate(["after", "before"] * 5):
                cutter.when = when
                client.ok("create_client", name=f"client {number}", clientType="COMPANY", riskLevel="LOW")
                assert cutter.cuts == number + 1
                assert place.sql(f"SELECT count(*) FROM clients WHERE name = 'client {number}'") == [(1,)]


def refused(*flags, environment=None):
    done = subprocess.run([rig.TENON, "serve", "kyc", *flags], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=rig.PATIENCE, check=False, env={**os.environ, **(environment or {})})
    assert done.returncode in (1, 2) and done.stdout == "", done
    [line] = done.stderr.splitlines()
    assert line.startswith("tenon-kyc: ") and line.endswith("."), line
    assert "geheim" not in line, line
    return line


def test_connections_that_lay_idle():
    """Each is looked at before it is used: after a restart no call fails, though what only reads is not tried again. But while it was
    down, a connection that was tried then makes calls wait for the next try: such a round does not count."""
    admin = f"127.0.0.1:{cluster.free_port()}"
    with postgres.place() as place, concurrent.futures.ThreadPoolExecutor(12) as pool, \
            rig.Server(rig.serve("kyc", place, "--workers", "6", "--admin", admin)) as server:
        def ask(_=0):
            return rig.Http(server).ask("search_clients", {})["status"]

        def failed():
            with urllib.request.urlopen(f"http://{admin}/metrics") as answer:
                return re.search('tenon_db_connects_total{outcome="failed"} (.*)', answer.read().decode())[1]

        def is_replaced(how):
            rig.until("there are several connections", lambda: set(pool.map(ask, range(60))) == {"SUCCESS"} and int(postgres.ask(
                f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{place.name}' AND query LIKE '%clients%'")[0][0]) >= 4)
            before = failed()
            postgres.stop(how)
            postgres.start()
            answers = set(pool.map(ask, range(60)))
            assert answers == {"SUCCESS"} or failed() != before, answers
            return failed() == before

        for how in "fast", "immediate":
            rig.until("nothing was tried while it was down", lambda how=how: is_replaced(how))


def test_addresses_that_cannot_work():
    with postgres.place() as place:
        port = cluster.free_port()
        for address, words in (
                (f"postgresql://{cluster.ROLE}@127.0.0.1:{port}/x", "cannot be reached"),
                (f"postgresql://{cluster.ROLE}@127.0.0.1:{postgres.port}/none", '"none" does not exist'),
                (f"postgresql://nobody@127.0.0.1:{postgres.port}/{place.name}", '"nobody" does not exist'),
                (f"postgresql://a:geheim@127.0.0.1:{postgres.port}/{place.name}", "password"),
                (f"postgresql://a@127.0.0.1:{postgres.port}/{place.name}?password=geheim", "password"),
                ("postgresql://a@db.example/x", "sslmode=verify-full"),
                ("postgresql://a@127.0.0.1,db.example/x", "sslmode=verify-full"),
                ("POSTGRESQL://a:geheim@127.0.0.1/x", "neither"),
                ("postgresql+psycopg://a:geheim@127.0.0.1/x", "neither"),
                ("host=127.0.0.1 password=geheim", "neither"),
                ("connect_timeout=3 host=127.0.0.1 password=geheim", "neither"),
                ("postgresql://a@127.0.0.1/x?geheim", "cannot be read"),
                ("postgresql://[geheim/x", "cannot be read")):
            line = refused("--db", address)
            assert words in line, (address, line)


def test_schemas_that_are_not_ours():
    with postgres.place() as place:
        with kyc.stdio(place) as client:
            client.ok("create_client", **kyc.ACME)
        postgres.ask("UPDATE tenon.schemas SET version = 99", place.name)
        assert "newer release" in refused("--db", place.database)
    with postgres.place() as place:  # whose role may do nothing
        postgres.ask(f"CREATE ROLE reader LOGIN; REVOKE CREATE ON DATABASE {place.name} FROM PUBLIC", place.name)
        line = refused("--db", place.database.replace(cluster.ROLE, "reader"))
        assert "permission denied" in line, line
    with postgres.place("TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'") as place:
        assert "UTF8" in refused("--db", place.database)


def test_a_role_that_may_only_use_what_is_there():
    """An owner makes the tables; the server gets the rights that it needs."""
    with postgres.place() as place:
        with kyc.stdio(place) as client:
            client.ok("create_client", **kyc.ACME)
        postgres.ask("CREATE ROLE worker LOGIN; GRANT USAGE ON SCHEMA kyc, tenon TO worker; GRANT SELECT ON tenon.schemas TO worker;"
                     "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kyc TO worker", place.name)
        place.database = place.database.replace(cluster.ROLE, "worker")
        with kyc.stdio(place) as client:
            client.ok("create_client", name="Bee", clientType="COMPANY", riskLevel="LOW")
            assert client.ok("get_all_clients")["totalItems"] == 2


def test_texts_that_cannot_be_kept():
    with postgres.place() as place, kyc.stdio(place) as client:
        whole = client.ask("create_client", {"name": "a\0b", "clientType": "COMPANY", "riskLevel": "LOW"})
        assert whole["status"] == "ERROR" and whole["error"]["code"] == "VALIDATION_ERROR", whole
        assert client.ok("get_all_clients")["totalItems"] == 0


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    with cluster.Cluster() as postgres:
        status = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(status)
