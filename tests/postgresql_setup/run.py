#!/usr/bin/env python3
"""PostgreSQL as operators set it up: addresses and passwords, certificates, a pooler, schemas that are made and copied, what the
admin's address tells.

    tests/postgresql_setup/run.py [NAME...]    the tests whose name has one of these words in it
"""
import contextlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import rig  # noqa: E402

spec = importlib.util.spec_from_file_location("kyc", TESTS / "kyc" / "run.py")
kyc = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kyc)

MIGRATED = "kyc: version 1\nkyc_runtime: version 1\n"
SECRET = "geheim-47"
postgres = None  # one for all tests


def migrate(place, *servers):
    status, out, err = rig.run("db", "migrate", place.database, *servers)
    assert status == 0, err
    return out


def refused(*words, environment=None):
    """Its one sentence, in which no secret is."""
    status, out, err = rig.run(*words, env={**os.environ, **(environment or {})})
    assert status in (1, 2) and out == "", (status, out, err)
    [line] = err.splitlines()
    assert SECRET not in line, line
    return line


# ---- Addresses --------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def with_password():
    """A cluster whose role needs one."""
    with cluster.Cluster() as own, own.place() as place:
        own.ask(f"ALTER ROLE {cluster.ROLE} PASSWORD '{SECRET}'")
        (own.folder / "data" / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\nlocal all all trust\n")
        own.program("pg_ctl", "-D", own.folder / "data", "reload")
        rig.until("the password is asked for", lambda: "password" in refused("serve", "kyc", "--db", place.database))
        yield own, place


def test_passwords():
    with with_password() as (own, place):
        file = place.path / "address"
        whole = place.database.replace("@", f":{SECRET}@")
        file.write_text(whole + "\n")
        file.chmod(0o644)
        assert "chmod 600" in refused("serve", "kyc", "--db-file", file)
        file.chmod(0o600)
        status, out, err = rig.run("db", "migrate", "--db-file", file, "kyc")
        assert (status, out) == (0, MIGRATED), err
        with rig.Stdio([rig.TENON, "serve", "kyc", "--db-file", file]) as client:
            client.ok("create_client", **kyc.ACME)
            assert SECRET not in pathlib.Path(f"/proc/{client.process.pid}/cmdline").read_text()
            own.stop()
            client.error("UNAVAILABLE", "get_all_clients")
            own.start()
            assert SECRET not in client.said()
        assert "--db-file" in refused("serve", "kyc", "--db", whole)
        assert "--db-file" in refused("serve", "kyc", environment={"TENON_DB": whole})
        assert "password" in refused("serve", "kyc", "--db", whole.replace(SECRET, "wrong"))
        assert "one of them" in refused("serve", "kyc", "--db-file", file, "--db", place.database)
        for text in "", "a\nb\n", "x" * 5000, "postgresql://a\0b":
            file.write_text(text)
            assert "one line" in refused("serve", "kyc", "--db-file", file), text
        file.write_text(whole.replace(SECRET, SECRET + "x"))
        assert "password authentication failed" in refused("serve", "kyc", "--db-file", file)
        secret = place.path / "pgpass"
        secret.write_text(f"*:*:*:*:{SECRET}\n")
        secret.chmod(0o600)
        with rig.Stdio(rig.serve("kyc", place), environment={"PGPASSFILE": str(secret)}) as client:
            assert client.ok("get_all_clients")["totalItems"] == 1


def test_passwords_that_tear_the_address():
    """With a letter in them that means something there: nothing of it is shown as a host, a port or a name."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "address"
        file.touch(mode=0o600)
        for password in f"{SECRET}/x", f"x/{SECRET}", f"1/{SECRET}", f"x@{SECRET}", f"{SECRET}@x", f"1/x?y@{SECRET}":
            file.write_text(f"postgresql://kyc:{password}@127.0.0.1:1/firm?sslmode=disable\n")
            for words in ("serve", "kyc"), ("db", "migrate"):
                assert "cannot be read" in refused(*words, "--db-file", file), password
        file.write_text(f"host=127.0.0.1 password={SECRET}\n")
        assert "neither" in refused("serve", "kyc", "--db-file", file)
        refused("db", "migrate", "--db-file", file, "kyc")
        for password in f"{SECRET}%2F%40%3F", f"{SECRET}#:", f"{SECRET}?x", f"x?{SECRET}=1":
            file.write_text(f"postgresql://kyc:{password}@127.0.0.1:1/firm?sslmode=disable\n")
            assert "cannot be reached" in refused("serve", "kyc", "--db-file", file), password


def test_the_address_in_the_environment():
    with postgres.place() as place:
        migrate(place, "kyc")
        with rig.Stdio([rig.TENON, "serve", "kyc"], environment={"TENON_DB": place.database}) as client:
            client.ok("create_client", **kyc.ACME)
        assert place.sql("SELECT count(*) FROM clients") == [(1,)]


def test_hosts_that_others_name():
    """What the environment or a service file says of the host is looked at as the address is."""
    with tempfile.TemporaryDirectory() as folder:
        services = pathlib.Path(folder) / "services"
        services.write_text("[far]\nhost=127.0.0.2\n[near]\nhost=127.0.0.1\n[said]\nhost=127.0.0.2\nsslmode=disable\n")
        port = cluster.free_port()
        for environment, words in (({"PGHOST": "127.0.0.2"}, "sslmode=verify-full"), ({"PGSERVICE": "far"}, "sslmode=verify-full"),
                                   ({"PGSERVICE": "near"}, "cannot be reached"), ({"PGSERVICE": "said"}, "cannot be reached"),
                                   ({"PGHOST": "127.0.0.2", "PGSSLMODE": "disable"}, "cannot be reached")):
            line = refused("serve", "kyc", "--db", "postgresql:///firm", environment={
                **environment, "PGSERVICEFILE": str(services), "PGPORT": str(port), "PGUSER": "nobody"})
            assert words in line, (environment, line)
        line = refused("serve", "kyc", "--db", "postgresql:///firm?service=far", environment={
            "PGSERVICEFILE": str(services), "PGPORT": str(port), "PGUSER": "nobody"})
        assert "sslmode=verify-full" in line, line


def make_certificates(folder):
    """A signer, and the certificate of localhost."""
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=rig.PATIENCE)
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=signer",
            "-keyout", folder / "ca.key", "-out", folder / "ca.crt")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
            "-keyout", folder / "server.key", "-out", folder / "server.csr")
    openssl("x509", "-req", "-days", "2", "-in", folder / "server.csr", "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key",
            "-CAcreateserial", "-out", folder / "server.crt")


def test_certificates():
    if not shutil.which("openssl"):
        print("    SKIPPED: there is no openssl here")
        return
    with cluster.Cluster() as own, own.place() as place, tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make_certificates(folder)
        for name in "server.key", "server.crt":
            shutil.copy(folder / name, own.folder / "data" / name)
            os.chmod(own.folder / "data" / name, 0o600)
            if own.user:
                os.chown(own.folder / "data" / name, own.user.pw_uid, own.user.pw_gid)
        own.ask("ALTER SYSTEM SET ssl = on")
        own.stop()
        own.start()
        migrate(place, "kyc")
        named = place.database.replace("127.0.0.1", "localhost")
        good = f"sslmode=verify-full&sslrootcert={folder}/ca.crt"
        place.database = f"{named}?{good}"
        with rig.Stdio(rig.serve("kyc", place)) as client:
            client.ok("create_client", **kyc.ACME)
            assert own.ask("SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
                           f" WHERE datname = '{place.name}' AND application_name = 'tenon'") == [("t",)]
        assert "localhost" in refused("serve", "kyc", "--db", f"{named.replace('localhost', '127.0.0.1')}?{good}")
        stranger = folder / "stranger"
        stranger.mkdir()
        make_certificates(stranger)
        assert "SSL error" in refused("serve", "kyc", "--db",
                                      f"{named}?sslmode=verify-full&sslrootcert={stranger}/ca.crt")
    assert "SSL" in refused("serve", "kyc", "--db", f"postgresql://{cluster.ROLE}@localhost:{postgres.port}/postgres?sslmode=require")


# ---- A pooler ---------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def pooled(place):
    """The same database through PgBouncer, which gives each transaction another session."""
    port = cluster.free_port()
    settings = postgres.folder / f"pgbouncer-{port}.ini"
    settings.write_text(f"""[databases]
* = host=127.0.0.1 port={postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = extra_float_digits
""".replace(f"port={postgres.port}", f"port={postgres.port} user={cluster.ROLE}"))
    who = {"user": postgres.user.pw_uid, "group": postgres.user.pw_gid, "extra_groups": []} if postgres.user else {}
    program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
    with subprocess.Popen([program, settings], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          cwd=postgres.folder, **who) as process:
        try:
            direct, place.database = place.database, (f"postgresql://{cluster.ROLE}@127.0.0.1:{port}/{place.name}"
                                                      "?prepare=off&sslmode=disable")
            rig.until("the pooler listens", lambda: "cannot be reached" not in rig.run("serve", "kyc", "--db", place.database)[2])
            yield place
            place.database = direct
        finally:
            process.kill()


def test_a_pooler():
    if not shutil.which("pgbouncer") and not os.path.exists("/usr/sbin/pgbouncer"):
        print("    SKIPPED: there is no pgbouncer here; scripts/setup installs it")
        return
    with postgres.place() as place:
        migrate(place, "kyc")
        with pooled(place), rig.Stdio(rig.serve("kyc", place)) as one, rig.Stdio(rig.serve("kyc", place)) as other:
            kyc.session(one)
            for number in range(20):
                made = one.ok("create_client", name=f"client {number}", clientType="COMPANY", riskLevel="LOW")["id"]
                share = {"clientId": made, **kyc.ANN, "ownershipPercentage": 60}
                answers = []
                threads = [threading.Thread(target=lambda client=client: answers.append(client.ask("add_person_to_client", share)))
                           for client in (one, other)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                assert sorted(answer["status"] for answer in answers) == ["ERROR", "SUCCESS"], answers
    assert "on or off" in refused("serve", "kyc", "--db", f"postgresql://{cluster.ROLE}@127.0.0.1:{postgres.port}/x?prepare=maybe")


# ---- Schemas ----------------------------------------------------------------------------------------------------

def test_servers_check_and_migrate_makes():
    with postgres.place() as place:
        line = refused("serve", "kyc", "--db", place.database)
        assert "no tables of kyc" in line and "tenon db migrate" in line, line
        assert migrate(place, "kyc") == migrate(place, "kyc") == MIGRATED
        with kyc.stdio(place) as client:
            client.ok("create_client", **kyc.ACME)
        postgres.ask("UPDATE tenon.schemas SET version = 0 WHERE name = 'kyc'", place.name)
        assert "needs version 1" in refused("serve", "kyc", "--db", place.database)
    with postgres.place() as place:
        assert {"appsec: version", "docs: version", "kyc: version"} <= {line.rsplit(" ", 1)[0] for line in migrate(place).splitlines()}
        assert "no server nothing" in refused("db", "migrate", place.database, "nothing")
    assert "address of PostgreSQL" in refused("db", "migrate", "kyc")
    assert "neither migrate nor copy" in refused("db", "drop")


def test_releases_side_by_side():
    """A newer one says which older ones may go on."""
    with postgres.place() as place:
        migrate(place, "kyc")
        postgres.ask("UPDATE tenon.schemas SET version = 2, readable_from = 1", place.name)
        with kyc.stdio(place) as client:
            client.ok("create_client", **kyc.ACME)
        postgres.ask("UPDATE tenon.schemas SET version = 3, readable_from = 2", place.name)
        assert "newer release" in refused("serve", "kyc", "--db", place.database)
        assert "newer release" in refused("db", "migrate", place.database, "kyc")


def test_migrate_beside_a_long_transaction():
    """What it needs is held by one that does not end: others, who would wait after it, go on between its tries."""
    with postgres.place() as place:
        migrate(place, "docs")
        postgres.ask("DROP TABLE docs.vectors, docs.parts; UPDATE tenon.schemas SET version = 1 WHERE name = 'docs'", place.name)
        with postgres.session(place.name, "BEGIN; LOCK TABLE docs.pieces IN ROW EXCLUSIVE MODE"):
            migration = subprocess.Popen([rig.TENON, "db", "migrate", place.database, "docs"], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            rig.until("it waits", lambda: postgres.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname ="
                                                       f" '{place.name}'"))
            for _ in range(2):
                postgres.ask("UPDATE docs.pieces SET place = place WHERE place < 0", place.name)
            assert migration.poll() is None
        out, _ = migration.communicate(timeout=rig.PATIENCE)
        assert (migration.returncode, out) == (0, "docs: version 2\ndocs_runtime: version 1\n"), out
        with rig.Stdio(rig.serve("docs", place)) as client:
            assert "activate_project" in str(client.request("tools/list", {}))


def fill(client):
    for number in range(30):
        made = client.ok("create_client", name=f"Client {number} Ä", clientType="COMPANY", riskLevel="HIGH")["id"]
        client.ok("add_person_to_client", clientId=made, **kyc.ANN, ownershipPercentage=number + 0.5)
    client.ok("delete_client", clientId=5, deletePersons=True)


def everything(client):
    return [client.ok("search_clients"), client.ok("get_all_clients"), client.ok("get_beneficial_owners"),
            [client.ok("get_client_details", clientId=number) for number in (1, 2, 30)]]


def test_copy():
    with rig.Place() as file, postgres.place() as place:
        with kyc.stdio(file) as client:
            fill(client)
            before = everything(client)
        status, out, err = rig.run("db", "copy", file.database, place.database)
        assert (status, out) == (0, "kyc: 58 rows\n"), (out, err)
        with kyc.stdio(place) as client:
            assert everything(client) == before
            assert client.ok("create_client", name="next", clientType="COMPANY", riskLevel="LOW")["id"] == 31
        assert "has rows already" in refused("db", "copy", file.database, place.database)
        with kyc.stdio(file) as client:
            assert everything(client) == before, "the file is as it was"
    with rig.Place() as file, postgres.place() as place:
        with kyc.stdio(file) as client:
            client.ok("create_client", **kyc.ACME)
        subprocess.run([sys.executable, "-c", "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]);"
                        " base.execute(\"UPDATE clients SET email = 'a' || char(0) || 'b', phone = CAST(x'ff' AS TEXT)\");"
                        " base.commit()", str(file.database)], check=True)
        line = refused("db", "copy", file.database, place.database)
        assert "clients.email of row 1, clients.phone of row 1" in line and "Nothing was copied" in line, line
        assert place.sql("SELECT count(*) FROM clients") == [(0,)]
        assert "no file" in refused("db", "copy", "/nowhere", place.database)
        assert "file of SQLite" in refused("db", "copy", place.database, place.database)


# ---- For operators ----------------------------------------------------------------------------------------------

def asked(address, path):
    try:
        with urllib.request.urlopen(f"http://{address}{path}") as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def audited(*words):
    """The audit's lines of one call that writes, and one that a schema refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "calls")
        with rig.Server([*words, "--http", "127.0.0.1:0", "--audit", str(path)]) as server:
            client = rig.Http(server)
            client.ok("create_client", **kyc.ACME)
            client.error("VALIDATION_ERROR", "create_client")
        return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_part_of_the_database():
    """In the audit: of PostgreSQL, for calls that came so far; a file of SQLite is not waited for."""
    with postgres.place() as place:
        migrate(place, "kyc")
        wrote, did_not = audited(*rig.serve("kyc", place))
        assert 0 < wrote["waited"] <= wrote["ms"] and "waited" not in did_not, (wrote, did_not)
    with tempfile.TemporaryDirectory() as folder:
        wrote, did_not = audited(rig.TENON, "serve", "kyc", "--db", f"{folder}/kyc.db")
        assert wrote["outcome"] == "OK" and "waited" not in wrote and "waited" not in did_not, (wrote, did_not)


def test_ready_and_metrics():
    with cluster.Cluster() as own, own.place() as place:
        migrate(place, "kyc")
        admins = [f"127.0.0.1:{cluster.free_port()}" for _ in range(2)]
        with rig.Server(rig.serve("kyc", place, "--http", "127.0.0.1:0", "--admin", admins[0], "--workers", "3")) as server, \
                rig.Server(rig.serve("kyc", place, "--http", "127.0.0.1:0", "--admin", admins[1], "--ready-needs-db")):
            client = rig.Http(server)
            assert asked(admins[0], "/readyz") == (200, '{"status":"ready","database":"up"}')
            client.ok("create_client", **kyc.ACME)
            threads = [threading.Thread(target=lambda: client.ask("get_all_clients", {})) for _ in range(30)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            [(number,)] = own.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tenon'")
            assert int(number) <= 2 * (3 + 1) + 2, number
            own.stop()
            rig.until("it is noticed", lambda: asked(admins[0], "/readyz") == (200, '{"status":"ready","database":"down"}'))
            rig.until("it is noticed", lambda: asked(admins[1], "/readyz") == (503, '{"status":"waiting","database":"down"}'))
            assert asked(admins[0], "/healthz")[0] == asked(admins[1], "/healthz")[0] == 200
            client.error("UNAVAILABLE", "get_all_clients")
            assert "\ntenon_db_up 0\n" in asked(admins[0], "/metrics")[1]
            own.start()
            for admin in admins:
                rig.until("it is back", lambda admin=admin: asked(admin, "/readyz") == (200, '{"status":"ready","database":"up"}'))
            rig.until("calls are answered", lambda: client.ask("get_all_clients", {})["status"] == "SUCCESS")
            text = asked(admins[0], "/metrics")[1]
            assert "\ntenon_db_up 1\n" in text and 'tenon_db_connections{state="busy"} 0' in text, text
            assert 'tenon_db_connects_total{outcome="failed"}' in text and "tenon_db_retries_total" in text, text
            assert "\ntenon_db_dead_rows " in text, text
            with own.session(place.name, "BEGIN; LOCK TABLE kyc.clients IN ACCESS SHARE MODE"):
                rig.until("a transaction that stays is seen", lambda: float(re.search(
                    r"^tenon_db_oldest_transaction_seconds (\S+)$", asked(admins[0], "/metrics")[1], re.M)[1]) > 0)


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    with cluster.Cluster() as postgres:
        status = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(status)
