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
import re
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import rig  # noqa: E402
from embedding_service import Service  # noqa: E402

os.environ["TENON_DB_MIGRATE"] = "true"

postgres = None  # one for all tests

# Of http_request, which have nothing to do with a database.
OF_REQUESTS = {"test_both_layers", "test_allow_list", "test_host_header", "test_host_header_forms", "test_host_header_and_redirects",
               "test_redirects", "test_environment_is_not_used", "test_names_that_move", "test_tls", "test_servers_that_fail"}

# By server: what its tests do to a file of SQLite, or measure of it.
OF_A_FILE = {
    "docs_server": {"test_database_error", "test_files_are_private", "test_progress_of_3000_files",
                    "test_the_operators_project_is_indexed_at_once"},
    "pentest": {"test_a_writer_that_does_not_end", "test_broken_database", "test_full_disk", "test_versions_stay", "test_help",
                "test_foreign_database"} | OF_REQUESTS,
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
        def __init__(self, options=""):
            super().__init__()
            self.on = postgres.place(options)
            self.database = self.on.database

        def sql(self, statement, *values):
            return self.on.sql(statement, *values)

        def is_sound(self):
            return True

        def __exit__(self, *how):
            self.on.__exit__(*how)
            super().__exit__(*how)

    module.Place = Place
    module.MANY = 1000  # there they take longer
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
    with plain.Place() as one, module.Place(cluster.OTHER_LOCALE) as other, module.Place() as copied:
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


def test_a_search_asks_a_few_times():
    """However much it finds: the same few statements of sets for ten documents and for hundreds."""
    module = docs_on_postgresql("tools")
    with module.Place() as place:
        postgres.ask("CREATE EXTENSION pg_stat_statements", place.on.name)
        for count in 10, 400:
            files = {f"{number}.md": f"# Release {number}\n\nThe release train {number} leaves on Tuesday.\n\n## More\n\nOf trains.\n"
                     for number in range(count)}
            project = place.project(f"of {count}", name=f"of{count}", files=files)
            with module.Stdio(place, "--no-watch") as client:
                client.activate(project)
                client.ok("semantic_search", query="release train leaves Tuesday")
                postgres.ask("SELECT pg_stat_statements_reset()", place.on.name)
                assert len(client.ok("semantic_search", query="a release train leaves on Tuesday")["results"]) == 10
                asked = postgres.ask("SELECT sum(calls) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE"
                                     f" datname = '{place.on.name}' AND query LIKE 'SELECT%FROM%' AND query NOT LIKE '%pg_stat%'",
                                     place.on.name)
                assert 4 <= int(asked[0][0]) <= 8, asked


NOTES = {"a.md": "# Violins\n\nThe violin of a zebra is tuned at noon.\n", "b.md": "# Gnus\n\nA gnu has no violin; see [violins](a.md).\n"}
QUERIES = ["zebra violin", "gnu", "noon"]


def test_a_replica_without_files():
    """It searches and answers as those that have them, and says what it cannot do; nothing of the index is taken away."""
    module = docs_on_postgresql("tools")
    with module.Place() as place:
        project = place.project(files=NOTES)
        away = pathlib.Path(f"{project.path}-away")
        reading = [("semantic_search", {"query": query}) for query in QUERIES] + [("rag_query", {"query": query}) for query in QUERIES]
        with module.Stdio(place) as client:
            client.activate(project)
            wanted = [client.ok(tool, **asked) for tool, asked in reading]
            index = client.ok("list_doc_types")
        project.path.rename(away)
        for flags in (), ("--project", project.path):
            with module.Stdio(place, "--no-watch", *flags) as client:
                if not flags:
                    whole = client.ask("activate_project", {"config_path": str(project.config), "branch_name": "main"})
                    assert whole["data"]["total_docs"] == 2 and "another machine" in str(whole["messages"]), whole
                assert [client.ok(tool, **asked) for tool, asked in reading] == wanted and client.ok("list_doc_types") == index
                for tool, asked in (("index_document", {"path": "a.md"}), ("read_document", {"path": "a.md"}),
                                    ("update_promotion_level", {"document_path": "a.md", "promotion_level": "critical"})):
                    assert "on another machine" in client.error("FILE_SYSTEM_ERROR", tool, **asked)["message"]
                client.error("FILE_SYSTEM_ERROR", "activate_project", config_path=f"{project.path}x/.tenon/config.json", branch_name="main")
                client.error("FILE_SYSTEM_ERROR", "activate_project", config_path=str(project.config), branch_name="another")
        with module.Stdio(place) as client:  # one that is to watch files needs them
            client.error("FILE_SYSTEM_ERROR", "activate_project", config_path=str(project.config), branch_name="main")
        with module.Http(module.Server(place, "--no-watch", "--root", place.path / "other")) as client:  # nor does a path open what is another's
            client.error("FILE_SYSTEM_ERROR", "activate_project", config_path=str(project.config), branch_name="main")
        away.rename(project.path)
        with module.Stdio(place) as client:
            assert client.activate(project)["indexed"] == 0


def test_one_that_stood_still_writes_nothing():
    """Its lease has gone to another meanwhile, which has indexed what is there by then."""
    module = docs_on_postgresql("tools")
    with module.Place() as place, Service() as service:
        flags = ("--no-watch", "--embedding", "openai", "--embedding-url", service.url + "/v1", "--embedding-model", "m")
        project = place.project(files=NOTES)
        with module.Stdio(place, *flags) as slow, module.Stdio(place, *flags) as other:
            service.plays = ["slow"]
            number = slow.begin_call("activate_project", config_path=str(project.config), branch_name="main")
            rig.until("it has the lease and waits for vectors", lambda: place.sql("SELECT count(*) FROM leases WHERE expires > 0") == [(1,)]
                      and service.inside == 1)
            slow.process.send_signal(signal.SIGSTOP)
            postgres.ask("UPDATE docs.leases SET expires = 0", place.on.name)
            project.doc("a.md", NOTES["a.md"].replace("noon", "midnight"))
            assert other.activate(project)["indexed"] == 2
            there = place.sql("SELECT id, path, hash, change FROM documents ORDER BY id")
            slow.process.send_signal(signal.SIGCONT)
            service.gate.set()
            slow.end(number)
            assert place.sql("SELECT id, path, hash, change FROM documents ORDER BY id") == there
            assert place.sql("SELECT taking, count(*) FROM leases GROUP BY taking") == [(2, 1)]
            texts = str(place.sql("SELECT text FROM pieces"))
            assert "midnight" in texts and "noon" not in texts, texts


def test_a_copy_by_change_numbers():
    """Four replicas write and remove the same documents, a fifth keeps vectors in memory and brings them forward: what it finds is what
    one finds that has just begun."""
    module = docs_on_postgresql("tools")
    with module.Place() as place, contextlib.ExitStack() as stack:
        project = place.project(files={f"{number}.md": f"# Text {number}\n\nWord{number} of a zebra.\n" for number in range(8)})
        clients = [stack.enter_context(module.Stdio(place, "--no-watch")) for _ in range(5)]
        for client in clients:
            client.activate(project)
        reader = clients.pop()
        for turn in range(20):
            for number in range(8):
                project.doc(f"{number}.md", f"# Text {number}\n\nWord{number} of a zebra in turn {turn}, {'gnu ' * ((turn * number) % 5)}.\n")
            together(*[lambda client=client, number=number: [client.ask("index_document", {"path": f"{(number * 2 + at) % 8}.md"}) and
                                                             reader_asks(reader, at) for at in range(3)]
                       for number, client in enumerate(clients)])
            for client in clients[:1]:
                client.activate(project)  # what two wrote at once, and one left as it was
            with module.Stdio(place, "--no-watch") as fresh:
                fresh.activate(project)
                for query in "zebra gnu", "word3", f"turn {turn}":
                    asked = {"query": query, "min_relevance_score": 0.0, "limit": 20}
                    assert reader.ok("semantic_search", **asked) == fresh.ok("semantic_search", **asked), (turn, query)


def reader_asks(reader, at):
    with READS:
        return reader.ok("semantic_search", query=QUERIES[at])


READS = threading.Lock()


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
    with rig.Place() as plain, postgres.place(cluster.OTHER_LOCALE) as place:
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


def test_pages():
    """What the servers' pages show is the same on PostgreSQL: each file of their blocks is a database instead."""
    pages, tested = load("docs"), 0
    for name in "kyc", "appsec", "pentest":
        path, databases = TESTS.parent / "docs" / f"{name}.md", {}
        with contextlib.ExitStack() as stack:
            blocks = pages.read_blocks(path, name)
            for block in blocks:
                def address(found, block=block):
                    own = block.where if "mktemp" in block.text else name  # a folder of the block's, or of the page's
                    if (own, found[1]) not in databases:
                        databases[own, found[1]] = stack.enter_context(postgres.place())
                    return f"--db {databases[own, found[1]].database}"

                if block.kind == ("sh", "run"):
                    block.text = re.sub(r"--db (\$\(mktemp -d\)\S+?|[^\s:]+?)(?=[\s\"])", address, block.text)
            problems = list(pages.check_blocks(blocks))
            assert not problems, [(block.where, problem, real) for block, problem, real in problems]
            tested += len(databases)
    assert tested > 5, tested


def test_pentest():
    with places_on_postgresql():
        for name in "asking", "records":
            run_tests_of(load("pentest", name), "pentest")


# Words in the forms in which two engines might differ.
ODD_WORDS = ["login", "LOG adm", "grüße", "GRÜ", "gru", "login grüße", "127.0.0.1", "naïve—café", "日本", "日本語、です", "İstanbul", "ÉC", "don't",
             "x" * 500, "a\\b'c\"d", "running tests", "token signature the of", "€", "Ⅳ ﬁ", "and", "the of", "e\u0301tude", "zero one two three four"]
TEXTS = ["Set the algorithm of the token to none, drop the signature.", "Grüße aus Österreich: naïve—café, ÉCOLE", "日本語、ですテスト 123",
         "Tests were running; a runner runs a test.", "it's \\ a 'quote' \"here\"", "x" * 5000, "İSTANBUL ıstanbul Ⅳ ﬁn", "études e\u0301tude",
         " ".join(f"word{number}" for number in range(3000))]


def questions(target, mission):
    yield "get_target_summary", {"target_id": target}
    yield "get_target_context", {"target_id": target, "include_history": True}
    yield "get_mission_context", {"mission_id": mission}
    yield "get_library_stats", {}
    yield "search_targets", {"query": "ÉC"}
    yield "search_targets", {"query": "shop", "status": ["active"], "protocol": ["https"]}
    yield "search_techniques", {"success_only": True, "min_success_rate": 0.3}
    yield "search_techniques", {"page": 2, "pageSize": 2}
    yield "search_requests", {"methods": ["POST"], "outcomes": ["2xx"]}
    yield "search_requests", {"outcomes": ["4xx", "failed"], "mission_id": mission}
    for word in ODD_WORDS:
        yield "search_requests", {"query": word}
        yield "search_library", {"query": word, "similarity_threshold": 0}
        yield "search_library", {"query": word, "similarity_threshold": 0.2, "page": 2, "pageSize": 2}
        yield "find_similar_techniques", {"technique": word[:300], "similarity_threshold": 0}
        yield "get_technique_stats", {"technique": word[:300]}


def test_a_copied_pentest():
    """Each answer about what was copied is the same to the last byte, and what comes after has new numbers."""
    pentest, records = load("pentest", "bench"), load("pentest", "records")
    with rig.Place() as plain, postgres.place(cluster.OTHER_LOCALE) as place, records.Web() as web:
        with pentest.stdio(plain, *pentest.LOCAL) as client:
            records.session(client, web)
            mission = pentest.mission_of(client)
            target = client.ok("search_targets", query="staging")["items"][0]["target_id"]
            for number, text in enumerate(TEXTS):
                client.ok("add_to_library", category=("auth", "payload", "recon")[number % 3], title=f"Text {number}", content=text)
                client.ok("record_action", mission_id=mission, action_type="recon", technique=text[:300], success=number % 3 == 0)
                client.ok("http_request", url=f"{web.url}/echo", method="POST", data=text, mission_id=mission)
            client.ok("create_target", host="school.example", title="ÉCOLE", notes="Écrit")
        copy_to(place, plain, "pentest")
        found = 0
        with pentest.stdio(plain, *pentest.LOCAL) as one, pentest.stdio(place, *pentest.LOCAL) as other:
            for tool, arguments in questions(target, mission):
                answers = [client.ask(tool, arguments) for client in (one, other)]
                assert answers[0]["status"] == "SUCCESS", answers[0]
                assert json.dumps(answers[0]) == json.dumps(answers[1]), (tool, arguments, answers)
                found += answers[0]["data"].get("totalItems", 0) if isinstance(answers[0]["data"], dict) else 0
            assert found > 100, found
            for client in one, other:
                assert client.ok("http_request", url=web.url, mission_id=mission)["request_id"] == 3 + len(TEXTS) + 1
                assert client.ok("add_to_library", category="auth", title="new", content="A new row has a new number.")["status"] == "added"


def test_pentest_at_two_replicas():
    """Of two that say the same one adds it; each request belongs to one action; no version is lost; numbers that have gaps do no
    harm to the log's limit."""
    pentest, records = load("pentest", "bench"), load("pentest", "records")
    flags = *pentest.LOCAL, "--keep-requests", "7"
    with postgres.place() as place, records.Web() as web, pentest.stdio(place, *flags) as one, pentest.stdio(place, *flags) as other:
        both = one, other
        mission = pentest.mission_of(one)
        target = one.ok("search_targets")["items"][0]["target_id"]
        for number in range(25):
            word = "abcdefghijklmnopqrstuvwxy"[number] * 9
            added = together(*[lambda client=client: client.ok("add_to_library", category="auth", title=word, content=word * 2) for client in both])
            assert sorted(answer["status"] for answer in added) == ["added", "duplicate"], added
            assert len({answer["entry"]["id"] for answer in added}) == 1, added
            postgres.ask("SELECT setval('pentest.requests_id_seq', nextval('pentest.requests_id_seq') + 1000000)", place.name)
            together(*[lambda client=client: client.ok("http_request", url=web.url, mission_id=mission) for client in both])
            acted = together(*[lambda client=client: client.ok("record_action", mission_id=mission, action_type="recon", technique=word,
                                                               link_recent_requests=2) for client in both])
            assert sum(answer["requests"] for answer in acted) == 2, acted
            versions = together(*[lambda client=client, name=name: client.ok("update_target_context", target_id=target, append_mode=True,
                                                                             agent_context=f"{name}{number}") for client, name in zip(both, "ab")])
            assert sorted(answer["version"] for answer in versions) == [2 * number + 1, 2 * number + 2], versions
        one.ok("http_request", url=web.url)  # of two at once neither may have seen the other
        log = one.ok("search_requests")
        assert log["totalItems"] == 7 and place.sql("SELECT count(DISTINCT id) FROM requests_terms") == [(7,)], log
        lines = one.ok("get_target_context", target_id=target)["context"]["agent_context"].split("\n")
        assert sorted(lines) == sorted(f"{name}{number}" for name in "ab" for number in range(25))
        assert one.ok("get_technique_stats", technique="a" * 9)["stats"]["usage_count"] == 2


if __name__ == "__main__":
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    postgres = cluster.Cluster()
    postgres.settings = "-c shared_preload_libraries=pg_stat_statements"
    with postgres:
        status = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(status)
