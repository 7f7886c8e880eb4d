"""Killed at any moment, and a disk that is full: nothing is lost or half done."""
import random
import subprocess
import time

from projects import Place, Stdio, rig
from rig import run, until


def make_files(count):
    return {f"f{i}.md": f"# File {i}\n\n" + "".join(f"Text {i} about number{i} in line {j}.\n" for j in range(20))
            for i in range(count)}


def pieces_are_whole(place):
    """Every document has its pieces, words and vectors, or is not there."""
    assert place.sql("SELECT d.path FROM documents d WHERE NOT EXISTS (SELECT 1 FROM pieces p WHERE p.document = d.id)") == []
    assert place.sql("SELECT count(*) FROM pieces p WHERE NOT EXISTS (SELECT 1 FROM parts x JOIN vectors v ON v.part = x.id WHERE x.piece = p.id)") == [(0,)]
    return place.is_sound()


def test_killed_while_indexing():
    count, rounds = (2000, 40) if rig.LONG else (600, 12)
    chance = random.Random(7)
    with Place() as place:
        project = place.project(files=make_files(count))
        for _ in range(rounds):
            client = Stdio(place, "--no-watch")
            client.begin_call("activate_project", config_path=str(project.config), branch_name="main")
            time.sleep(chance.random() * 0.4)  # at any moment
            client.kill()
            if place.database.exists():
                try:
                    assert pieces_are_whole(place)
                except Exception as error:  # no table yet
                    assert "no such table" in str(error), error
            for i in range(5):
                project.doc(f"f{chance.randrange(count)}.md", f"# Changed\n\nText {chance.random()}.\n")
        with Stdio(place, "--no-watch") as client:
            data = client.activate(project)
            assert data["total_docs"] == count and data["failed"] == 0, data
            assert client.activate(project)["indexed"] == 0
        assert pieces_are_whole(place)


def test_killed_while_promoting():
    with Place() as place:
        front = "---\ndoc_type: insight\ntitle: T\ndate: 2026-01-01\nsummary: S\nsignificance: behavioral\n" \
                "insight_type: business_logic\nimpact_area: x\npromotion_level: {}\n---\nBody\n"
        project = place.project(files={"a.md": front.format("standard")})
        chance = random.Random(3)
        for i in range(10):
            client = Stdio(place, "--no-watch")
            client.activate(project)
            level = ("important", "critical")[i % 2]
            client.begin_call("update_promotion_level", document_path="a.md", promotion_level=level)
            time.sleep(chance.random() * 0.02)
            client.kill()
            text = project.read("a.md").decode()
            assert text in {front.format(name) for name in ("standard", "important", "critical")}, text
        with Stdio(place, "--no-watch") as client:
            client.activate(project)
            now = client.ok("semantic_search", query="body", min_relevance_score=0)["results"][0]["promotion_level"]
            assert f"promotion_level: {now}" in project.read("a.md").decode()


def test_full_disk():
    """A file that may not grow is what a full disk looks like to a database."""
    with Place() as place:
        project = place.project(files=make_files(3))
        command = ["bash", "-c", "ulimit -f 600; exec \"$@\"", "-", *rig.serve("docs", place, "--no-watch")]
        with Stdio(place, command=command) as client:
            client.activate(project)
            for i in range(3, 3000):
                project.doc(f"f{i}.md", f"# File {i}\n\n" + f"Text {i} with words{i}. " * 40 + "\n")
            whole = client.ask("activate_project", {"config_path": str(project.config), "branch_name": "main"})
            if whole["status"] == "ERROR":
                assert whole["error"]["code"] == "DATABASE_ERROR", whole
            else:
                assert whole["data"]["failed"] > 0, whole["data"]
            assert client.found("number1")[0] == "f1.md"  # what was there can still be asked
        assert pieces_are_whole(place)
        with Stdio(place, "--no-watch") as client:
            assert client.activate(project)["total_docs"] == 3000


def test_ten_thousand_files():
    count = 10000 if rig.LONG else 2000
    with Place() as place, Stdio(place) as client:
        project = place.project(files={f"{i % 100}/f{i}.md": f"# File {i}\n\nText about number{i}.\n" for i in range(count)})
        number = client.begin_call("activate_project", progress="p", config_path=str(project.config), branch_name="main")
        assert client.end(number)["result"]["structuredContent"]["data"]["total_docs"] == count
        assert not client.notes.empty()
        assert client.found(f"number{count - 1}")[0].endswith(f"f{count - 1}.md")
        project.doc("late.md", "# Late\n\nAxolotl.\n")
        until("watched", lambda: client.found("axolotl")[:1] == ["late.md"])


def test_databases_that_are_none():
    with Place() as place:
        project = place.project(files={"a.md": "# A\n"})
        foreign = place.path / "foreign.db"
        subprocess.run(["python3", "-c", "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('create table t(x)');"
                        " d.commit()", foreign], check=True)
        text = place.path / "text.db"
        text.write_text("this is no database, but it is long enough to look like one" * 100)
        for path in foreign, text, place.path, "/proc/none/docs.db":
            code, out, err = run("docs", "index", project.path, "--db", path)
            assert code == 2 and out == "" and err.startswith("tenon docs: ") and len(err.splitlines()) == 1, (path, code, err)
        newer = place.path / "newer.db"
        assert run("docs", "index", project.path, "--db", newer)[0] == 0
        subprocess.run(["python3", "-c", "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('pragma user_version=99');"
                        " d.commit()", newer], check=True)
        code, _, err = run("docs", "index", project.path, "--db", newer)
        assert code == 2 and "newer" in err, err
