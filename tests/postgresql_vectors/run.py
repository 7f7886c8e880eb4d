#!/usr/bin/env python3
"""A collection with more vectors than a replica may keep in memory, on PostgreSQL with pgvector: its index proposes, what it proposes is
compared exactly, and the answers are those of a replica that has all of them in memory.

    tests/postgresql_vectors/run.py [NAME...]    the tests whose name has one of these words in it

PIECES=100000 in the environment: so many documents, of the same pages again and again with other words between.
"""
import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "docs_server")]
import cluster  # noqa: E402
import rig  # noqa: E402
import projects  # noqa: E402

PIECES = int(os.environ.get("PIECES", 800))
LINES = 8  # of a document
SMALL = ("--vector-memory", "256KiB")  # less than these have
QUESTIONS = ["how do I sign requests with OAuth", "limits of a body", "error codes of a tool call", "replica behind a proxy",
             "what does the guard refuse", "session ids across replicas", "texts with NUL in PostgreSQL", "structured content of a result",
             "a task that was cancelled", "which file has the key", "how to write a test", "search by vectors in memory",
             "statements that take too long", "an answer to a question", "metrics of a server", "profiles of clients"]
postgres = None


class Place(projects.Place):
    def __init__(self):
        super().__init__()
        self.on = postgres.place()
        self.database = self.on.database

    def __exit__(self, *how):
        self.on.__exit__(*how)
        super().__exit__(*how)

    def ask(self, statement):
        return postgres.ask(f"SET search_path = docs, public; {statement}", self.on.name)


def texts():
    """Documents of a few lines each, of the project's own pages; more than there are, with words in another order."""
    lines = [line for path in sorted((TESTS.parent / "docs").rglob("*.md")) for line in path.read_text(encoding="utf-8").splitlines()
             if len(line) > 40 and not line.startswith(("|", " ", "```", "<"))]
    order = random.Random(1)
    for number in range(PIECES):
        at = number * LINES % (len(lines) - LINES)
        chosen = lines[at:at + LINES]
        if number * LINES >= len(lines):
            chosen = order.sample(lines, LINES)
        yield f"# Text {number}\n\n" + "\n".join(chosen) + "\n"


def migrate(place, *flags):
    status, out, err = rig.run("db", "migrate", place.database, "docs", *flags)
    assert status == 0, err
    return out.splitlines()


def searched(client, **more):
    return [client.ok("semantic_search", query=query, min_relevance_score=0.0, limit=10, **more)["results"] for query in QUESTIONS]


def together(one, other):
    """Of ten documents, how many both found; the same document is worth the same at both."""
    both = [({item["path"]: item["relevance_score"] for item in first}, {item["path"]: item["relevance_score"] for item in second})
            for first, second in zip(one, other)]
    for first, second in both:
        assert all(abs(second[path] - first[path]) < 1e-3 for path in first.keys() & second.keys()), (first, second)
    return sum(len(first.keys() & second.keys()) for first, second in both) / sum(len(first) for first, _ in both)


def uses(place):
    postgres.ask("SELECT pg_stat_force_next_flush()", place.on.name)
    return int(place.ask("SELECT coalesce(sum(idx_scan), 0) FROM pg_stat_user_indexes WHERE indexrelname LIKE 'nearest\\_%\\_%'"
                         " AND indexrelname <> 'nearest_of_pkey'")[0][0])


def test_a_collection_that_is_too_large():
    with Place() as place:
        assert migrate(place) == ["docs: version 2", "docs_runtime: version 1"]
        project = place.project(files={f"{number % 50}/{number}.md": text for number, text in enumerate(texts())})
        with projects.Stdio(place, "--no-watch") as whole:
            status, _, err = rig.run("docs", "index", str(project.path), "--db", place.database)
            assert status == 0, err
            whole.activate(project)
            wanted, wanted_there = searched(whole), searched(whole, paths=["7/**"])
            with projects.Stdio(place, "--no-watch", *SMALL) as early:  # before there is an index: in memory all the same
                early.activate(project)
                assert searched(early) == wanted
                assert place.ask("SELECT count(*) FROM nearest") == [("0",)]
            postgres.ask(f"ALTER DATABASE {place.on.name} SET enable_sort = off")  # however small the table is
            assert migrate(place, *SMALL)[-1] == "docs: pgvector searches 1 collection"
            assert migrate(place, *SMALL)[-1] == "docs: pgvector searches 1 collection"  # once more changes nothing
            assert place.ask("SELECT (SELECT count(*) FROM nearest) = (SELECT count(*) FROM vectors)") == [("t",)]
            with projects.Stdio(place, "--no-watch", *SMALL) as outside:
                outside.activate(project)
                before = uses(place)
                found = together(wanted, searched(outside))
                print(f"    {found:.3f} of ten found, of {place.ask('SELECT count(*) FROM vectors')[0][0]} vectors", flush=True)
                assert found >= 0.97, found
                rig.until("the index was used", lambda: uses(place) > before)
                assert searched(outside, paths=["7/**"]) == wanted_there  # compared one by one
                changes(place, project, whole, outside)


def changes(place, project, whole, outside):
    """What is written, renewed and removed by one is so for the other at once."""
    text = "# Zebras\n\nThe violin of a zebra is tuned at noon, in the shade of a baobab.\n"
    project.doc("zebra.md", text)
    outside.ok("index_document", path="zebra.md")
    for client in whole, outside:
        assert client.ok("semantic_search", query="zebra violin", limit=1)["results"][0]["path"] == "zebra.md"
    project.doc("zebra.md", text.replace("zebra", "gnu").replace("Zebras", "Gnus"))
    outside.ok("index_document", path="zebra.md")
    best = [client.ok("semantic_search", query="gnu violin", limit=1)["results"][0] for client in (whole, outside)]
    assert best[0] == best[1] and best[0]["path"] == "zebra.md", best
    assert place.ask("SELECT (SELECT count(*) FROM nearest) = (SELECT count(*) FROM vectors)") == [("t",)]


def test_where_there_is_no_pgvector():
    with Place() as place:
        place.ask("DROP EXTENSION vector")
        assert migrate(place, *SMALL) == ["docs: version 2", "docs_runtime: version 1"]
        project = place.project(files={"a.md": "# A\n\nThe violin of a zebra.\n"})
        with projects.Stdio(place, *SMALL) as client:
            client.activate(project)
            assert client.found("zebra violin") == ["a.md"]


if __name__ == "__main__":
    why = cluster.why_not() or (None if cluster.with_vectors() else "there is no pgvector here; scripts/setup gets it")
    if why:
        print("SKIPPED:", why)
        sys.exit(0)
    with cluster.Vectors() as postgres:
        result = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(result)
