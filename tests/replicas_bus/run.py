#!/usr/bin/env python3
"""Messages between replicas, in their table: written by several at once and committed in any order, read while connections are ended,
and dropped when they are old, so that the table stays small.

    tests/replicas_bus/run.py [NAME...]    only the tests whose name contains one of these
"""
import contextlib
import pathlib
import random
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import rig  # noqa: E402

JUDGE = rig.BUILD / "tests" / "replicas_bus_judge"
NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
WRITERS, EACH = 8, 250
postgres = None


class Reader:
    """A process that reads; `lines` has what it was told, in the order of its coming."""

    def __init__(self, address, name):
        self.lines = []
        self.process = subprocess.Popen([JUDGE, address, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.strip())

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        code = self.process.wait(rig.PATIENCE)
        self.thread.join()
        assert kind or code == 0, code


def write(place, writer):
    """Transactions that stay open for a while: a number is given long before its row can be seen."""
    order = random.Random(writer)
    lines = ["SET search_path = judge_runtime;"]
    for number in range(EACH):
        lines.append(f"BEGIN; INSERT INTO messages (at, process, text) VALUES ({NOW}, 'writer', '{writer}-{number}');"
                     f" SELECT pg_sleep({order.choice((0, 0, 0.001, 0.01, 0.05))}); NOTIFY judge_runtime; COMMIT;")
    subprocess.run([cluster.programs() / "psql", "-XAtq", "-h", postgres.host, "-p", str(postgres.port), "-U", cluster.ROLE, "-d", place.name],
                   input="\n".join(lines), stdout=subprocess.DEVNULL, text=True, timeout=rig.PATIENCE, check=True)


def test_none_is_lost_and_none_comes_twice():
    """Of eight writers, by two readers; one listens, the other cannot, and the connections of both are ended now and then."""
    with postgres.place() as place, contextlib.ExitStack() as stack:
        readers = [stack.enter_context(Reader(place.database + more, name)) for name, more in (("one", ""), ("two", "?prepare=off"))]
        threads = [threading.Thread(target=write, args=(place, writer)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            postgres.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon'"
                         f" AND datname = '{place.name}' AND random() < 0.5")
            threads[0].join(0.3)
        for thread in threads:
            thread.join()
        wanted = {f"{writer}-{number}" for writer in range(WRITERS) for number in range(EACH)}
        for reader in readers:
            rig.until("all have come", lambda reader=reader: wanted <= set(reader.lines))
            told = [line for line in reader.lines if line not in ("down", "missed")]
            assert len(told) == len(wanted), [line for line in told if told.count(line) > 1]
            assert "missed" not in reader.lines


def test_old_messages_are_dropped():
    """A hundred thousand of them, while others come: the table does not grow."""
    with postgres.place() as place, Reader(place.database, "one") as reader:
        def ask(statement):
            return postgres.ask(f"SET search_path = judge_runtime; {statement}", place.name)[0][0]

        for turn in range(5):
            postgres.ask(f"INSERT INTO judge_runtime.messages (at, process, text) SELECT {NOW} - 61000, 'writer', repeat('x', 200)"
                         " FROM generate_series(1, 20000)", place.name)
            rig.until("the old ones are dropped", lambda: ask("SELECT count(*) FROM messages") == "0")
            rig.until("their room is free", lambda: int(ask("SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'messages'")) < 2000)
        assert int(ask("SELECT pg_total_relation_size('messages')")) < 20 << 20, turn
        postgres.ask(f"INSERT INTO judge_runtime.messages (at, process, text) VALUES ({NOW}, 'writer', 'the last')", place.name)
        rig.until("it reads on", lambda: "the last" in reader.lines)


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    postgres = cluster.Cluster()
    postgres.settings = "-c autovacuum_naptime=1s"
    with postgres:
        result = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(result)
