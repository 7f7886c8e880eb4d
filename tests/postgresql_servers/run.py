#!/usr/bin/env python3
"""Every server on PostgreSQL gives the answers that it gives on SQLite: its own tests are run on a cluster of this test's own, a
database for each. Those that are about a file of SQLite are left out, by name.

    tests/postgresql_servers/run.py [NAME...]    the tests whose name has one of these words in it
"""
import concurrent.futures
import contextlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import rig  # noqa: E402

os.environ["TENON_DB_MIGRATE"] = "true"

postgres = None  # one for all tests

# By server: what its tests do to a file of SQLite, or measure of it.
OF_A_FILE = {
    "docs_server": {"test_database_error", "test_files_are_private"},
    "appsec": {"test_a_writer_that_does_not_end", "test_a_broken_database", "test_killed", "test_full_disk", "test_pages_of_many",
               "test_sample_stays_in_memory", "test_memory_of_imports", "test_mutated_files", "test_a_real_scanner"},
}


def load(server, name="run"):
    """tests/SERVER/NAME.py, with what stands beside it."""
    folder = str(TESTS / server)
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location(f"{server}_{name}", TESTS / server / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    return module


@contextlib.contextmanager
def places_on_postgresql():
    plain = rig.Place
    rig.Place = lambda: postgres.place()
    try:
        yield
    finally:
        rig.Place = plain


def run_tests_of(module, server):
    def attempt(test):
        begin = time.monotonic()
        test()
        print(f"    {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in pool.map(attempt, [test for test in rig.tests_of(vars(module)) if test.__name__ not in OF_A_FILE[server]]):
            pass


def run_on_postgresql(server):
    with places_on_postgresql():
        run_tests_of(load(server), server)


def docs_on_postgresql(name):
    """A part of the tests of the documentation server, whose places have projects and a database of PostgreSQL."""
    module = load("docs_server", name)

    class Place(module.Place):
        def __init__(self):
            super().__init__()
            self.on = postgres.place()
            self.database = self.on.database

        def sql(self, statement, *values):
            return self.on.sql(statement, *values)

        def is_sound(self):
            return True

        def __exit__(self, *how):
            self.on.__exit__(*how)
            super().__exit__(*how)

    module.Place = Place
    return module


def test_docs_tools():
    run_tests_of(docs_on_postgresql("tools"), "docs_server")


def test_docs_tenants():
    run_tests_of(docs_on_postgresql("tenants"), "docs_server")


def test_docs_sources():
    run_tests_of(docs_on_postgresql("sources"), "docs_server")


QUESTIONS = ["how do I sign requests with OAuth", "limits of a body", "error codes of a tool call", "replica", "max_body --max-calls",
             "what does the guard refuse?", "session ids across replicas", "PostgreSQL NUL UTF-8", "structuredContent", "zebra violin"]


def answers_of(module, place, project):
    with module.Stdio(place) as client:
        client.activate(project)
        return [client.ok("semantic_search", query=query, min_relevance_score=0.0, limit=100) for query in QUESTIONS] + \
            [client.ok("rag_query", query=query) for query in QUESTIONS]


def test_docs_relevance():
    """Of real pages, long ones among them: each answer is the same to the last digit, also when every page was written again, and
    after a copy of the file of SQLite."""
    module, plain = docs_on_postgresql("tools"), load("docs_server", "tools")
    pages = {path.name: path.read_text() for path in (TESTS.parent / "docs").glob("*.md")}
    with plain.Place() as one, module.Place() as other, module.Place() as copied:
        first, second = (place.project(files=pages) for place in (one, other))
        wanted = answers_of(plain, one, first)
        assert sum(len(answer["results"]) for answer in wanted[:len(QUESTIONS)]) > 100
        got = answers_of(module, other, second)
        for query, *both in zip(QUESTIONS * 2, wanted, got):
            assert json.dumps(both[0]) == json.dumps(both[1]), (query, both)
        for name, text in pages.items():
            second.doc(name, f"{text}\nOnce more.\n")
        answers_of(module, other, second)
        for name, text in pages.items():
            second.doc(name, text)
        for before, after in zip(wanted[:len(QUESTIONS)], answers_of(module, other, second)):
            scores = [[(item["path"], item["relevance_score"]) for item in answer["results"]] for answer in (before, after)]
            assert sorted(scores[0]) == sorted(scores[1]), scores
        copy_to(copied, one, "docs")
        assert json.dumps(answers_of(module, copied, first)) == json.dumps(wanted)


def test_appsec():
    run_on_postgresql("appsec")


def together(*works):
    """All begin at the same moment; what each returned."""
    gate = threading.Barrier(len(works))

    def run(work):
        gate.wait()
        return work()

    with concurrent.futures.ThreadPoolExecutor(len(works)) as pool:
        return [each.result() for each in [pool.submit(run, work) for work in works]]


def test_a_status_is_decided_once():
    """Two replicas change the status of the same vulnerability if it is what they have seen: one does, the other is told. Counts
    are those of the rows, also when files are taken in meanwhile."""
    appsec = load("appsec")
    with postgres.place() as place, appsec.stdio(place, "--sample") as one, appsec.stdio(place) as other:
        for number in range(40):
            status, wanted = ("Reported", "Confirmed") if number % 2 else ("Confirmed", "Reported")
            one.ok("update_vulnerability_status", vulnId=23, status=status)
            asked = {"vulnId": 23, "status": wanted, "expectedStatus": status}
            works = [lambda client=client: client.ask("update_vulnerability_status", asked) for client in (one, other)]
            if number % 10 == 0:
                works.append(lambda: appsec.take_in(place, *appsec.SARIF))
            first, second, *took = together(*works)
            assert sorted(answer["status"] for answer in (first, second)) == ["ERROR", "SUCCESS"], (first, second)
            assert {answer["error"]["code"] for answer in (first, second) if answer["error"]} == {"CONFLICT"}, (first, second)
            assert took in ([], [(0, "")]), took
        appsec.counts_agree(place)
        assert place.sql("SELECT count(*) FROM findings") == [(39 + 7,)]


def copy_to(place, source, server):
    """`tenon db copy` into a database of PostgreSQL that has the tables."""
    done = subprocess.run([rig.TENON, "db", "copy", source.database, place.database], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=rig.PATIENCE, check=False)
    assert done.returncode == 0 and done.stdout.startswith(f"{server}: "), done


def test_a_copied_appsec():
    appsec = load("appsec")
    cases = json.loads(appsec.GOLDEN.read_text())
    with rig.Place() as plain, postgres.place() as place:
        with appsec.stdio(plain, "--sample") as client:
            client.ok("update_vulnerability_status", vulnId=23, status="Confirmed")
            before = [appsec.without_now(client.ask(case["tool"], case["arguments"])) for case in cases]
        assert appsec.take_in(plain, *appsec.SARIF) == (0, "")
        copy_to(place, plain, "appsec")
        with appsec.stdio(plain) as one, appsec.stdio(place) as other:
            for case in cases:
                answers = [appsec.without_now(client.ask(case["tool"], case["arguments"])) for client in (one, other)]
                assert json.dumps(answers[0]) == json.dumps(answers[1]), case
            other.ok("update_vulnerability_status", vulnId=1, status="NotAProblem", note="a new row has a new number")
        assert before and appsec.take_in(place, *appsec.SARIF) == (0, "")
        appsec.counts_agree(place)


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    with cluster.Cluster() as postgres:
        status = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(status)
