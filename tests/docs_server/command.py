"""`tenon docs`, and scripts/run."""
import json
import os
import re
import signal
import socket
import subprocess

from projects import Place
from rig import BUILD, PATIENCE, ROOT, run, until

FILES = {
    "tokens.md": "# Bearer tokens\n\nA bearer token is checked by comparing its SHA-256 hash with the stored one.\n",
    "backup.md": "# Backups\n\nA backup of the database is made every night at two o'clock.\n",
}


def test_any_folder():
    """No configuration, no docs folder."""
    with Place() as place:
        folder = place.path / "notes"
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        flags = ("--db", place.database)
        code, out, err = run("docs", "index", folder, *flags)
        assert (code, err) == (0, ""), err
        assert out == "notes, branch main: 2 documents (2 indexed, 0 unchanged, 0 removed, 0 not indexed)\n", out
        code, out, err = run("docs", "search", folder, *flags, "bearer", "token")
        assert (code, err) == (0, "") and re.match(r"^[01]\.\d\d  tokens\.md:1-3  Bearer tokens\n", out), out
        (folder / "tokens.md").unlink()
        code, out, err = run("docs", "ask", folder, *flags, "When is a backup made?")
        assert (code, err) == (0, "") and "two o'clock" in out and "backup.md:1-3  Backups\n" in out, out
        code, out, err = run("docs", "status", folder, *flags)
        assert code == 0 and "documents:  1, in 1 piece\n" in out and str(place.database) in out, out
        (folder / "bad.md").write_bytes(b"\xff")
        code, out, err = run("docs", "index", folder, *flags)
        assert code == 1 and "bad.md was not indexed: " in err and "1 not indexed" in out, (out, err)
        assert "not in the index" in run("docs", "status", folder, *flags)[1]
        code, out, err = run("docs", "ask", folder, *flags, "When is a backup made?")
        assert code == 0 and err == "tenon docs: 1 file could not be indexed; tenon docs index says why\n", err


def on_terminal(*words, env=None):
    """What a terminal of 60 columns gets."""
    import fcntl, pty, struct, termios
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    child = subprocess.Popen([str(BUILD / "bin/tenon"), *map(str, words)], stdin=subprocess.DEVNULL, stdout=inner, stderr=subprocess.PIPE,
                             env={**os.environ, "TERM": "xterm", **(env or {})})
    os.close(inner)
    shown = b""
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(outer)
    child.stderr.close()
    return child.wait(PATIENCE), shown.decode().replace("\r\n", "\n")


def test_passages():
    """Headings, lines, text; on a terminal links and bold words, and nothing that a document says is obeyed."""
    with Place() as place:
        folder = place.path / "my notes"
        folder.mkdir()
        (folder / "ops.md").write_text("# Operations\n\n## Backups\n\nA backup \x1b]0;owned\x07 is made every night, and \u202ekept for a month.\n"
                                       "It is copied to a second place, which only two persons can open, and it is read again once a week.\n")
        (folder / "a\x1b]0;owned\x07\u202e.md").write_text("# Quark\u202e\n\nA quark has a charge.\n")
        (folder / "hull.md").write_text("# Hulls\n\nA hull is painted in spring.\n")
        (folder / "long.md").write_text("# Long\n\n" + "".join(f"Line {i}.\n\n" for i in range(20)) + "The zebra is here.\n")
        flags = ("--db", place.database, "--limit", "1")
        code, out, err = run("docs", "search", folder, *flags, "backup", "at", "night")
        assert (code, err) == (0, ""), err
        lines = out.splitlines()
        assert re.fullmatch(r"[01]\.\d\d  ops\.md:\d+-6  Operations", lines[0]) and lines[1].strip().endswith("Backups"), out
        assert any(line.startswith("        A backup ") for line in lines) and "\x1b[1m" not in out and "\x1b]8" not in out, out
        code, out, _ = run("docs", "search", folder, *flags, "zebra")
        assert "        The zebra is here." in out.splitlines() and "Line 1." not in out, out  # the lines that were asked for
        code, out = on_terminal("docs", "search", folder, *flags, "backups", "at", "night")
        link = re.search(r"\x1b\]8;;(file://[^\x1b]*)\x1b\\(ops\.md:\d+-6)\x1b\]8;;\x1b\\", out)
        assert code == 0 and link and link[1].endswith("/my%20notes/ops.md"), repr(out)
        assert "\x1b[1mbackup\x1b[0m" in out and "\x1b[1mnight\x1b[0m" in out, repr(out)
        assert "\x07" not in out and "\u202e" not in out, repr(out)
        bare = re.sub(r"\x1b\]8;;[^\x1b]*\x1b\\|\x1b\[[01]m", "", out)
        assert "\x1b" not in bare and all(len(line) <= 60 for line in bare.splitlines() if line.startswith("        ")), bare
        code, out = on_terminal("docs", "search", folder, *flags, "quark", "charge")
        assert code == 0 and "a\\x1b]0;owned\\x07\\u{202e}.md:" in out and "\x07" not in out and "\u202e" not in out, repr(out)
        code, out = on_terminal("docs", "ask", folder, *flags, "When is a backup made?")
        assert code == 0 and "\x1b[1mbackup\x1b[0m" in out and "\x1b]8;;file://" in out, repr(out)
        for env in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
            assert "\x1b" not in on_terminal("docs", "ask", folder, *flags, "When is a backup made?", env=env)[1], env


def test_eval():
    with Place() as place:
        project = place.project(files=FILES | {"boats.md": "# Boats\n\nA hull is painted in spring.\n"})
        asked = place.path / "asked.jsonl"
        asked.write_text('# of the team\n\n'
                         '{"question": "When is a backup made?", "path": "docs/backup.md", "answer": ["AT TWO\\n o\'clock", "never"]}\n'
                         '{"question": "How is a bearer token checked?", "path": ["none.md", "tokens.md"]}\n'
                         '{"question": "When is a hull painted?", "path": "backup.md", "answer": "in autumn"}\n'
                         '{"question": "How is a bearer token checked?", "path": "tokens.md", "answer": "by telephone"}\n'
                         '{"question": "Which mushrooms are edible?", "path": []}\n')
        flags = (project.path, "--db", place.database)
        code, out, err = run("docs", "eval", asked, *flags)
        assert (code, err) == (0, ""), (code, err)
        shown = out.splitlines()
        assert shown[0] == "line 5: When is a hull painted?" and "first is boats.md" in shown[1] and "not cite" in shown[2], out
        assert shown[3] == "line 6: How is a bearer token checked?" and shown[4].endswith("does not have the text") and shown[5] == "", out
        assert shown[6].startswith("hit@1   0.750 +/- 0.250  of 4: "), out
        assert shown[9].startswith("answer  0.500 +/- 0.289  of 4: ") and shown[10].startswith("quiet   1.000 +/- 0.000  of 1: "), out
        code, out, err = run("docs", "eval", asked, *flags, "--json", "--least", "hit@1=0.7", "--least", "answer=0.6")
        found = json.loads(out)
        assert code == 1 and found["questions"] == 5 and found["failed"] == 2 and found["measures"]["answer"]["is_less_than_asked"], out
        assert not found["measures"]["hit@1"]["is_less_than_asked"] and [each["line"] for each in found["failures"]] == [5, 6], out
        for line in ("no", "[]", '{"question": "x"}', '{"question": "", "path": "a"}', '{"question": "x", "path": [1]}',
                     '{"question": "x", "path": "a", "answer": []}', '{"question": "x", "path": "a", "page": 1}', "x" * 1100000, "# none"):
            asked.write_text(line + "\n")
            code, out, err = run("docs", "eval", asked, *flags, "--no-index")
            assert code == 2 and out == "" and err.startswith("tenon docs: ") and len(err) < 400, (line[:50], code, out, err)
        for words in (("--least", "hit@2=1"), ("--least", "mrr=2"), ("--limit", "3")):
            assert run("docs", "eval", asked, *flags, *words)[0] == 2, words


def own_questions():
    """Questions about this project's pages, as tenon docs eval reads them."""
    for line in (ROOT / "bench/docs/ask.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            question, pages, answers = line.split("\t")
            yield json.dumps({"question": question, "path": pages.replace("docs/", "book/").split(), "answer": answers.split("|")})
    for line in (ROOT / "bench/docs/off.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            yield json.dumps({"question": line.split("\t")[0], "path": []})


def test_own_pages():
    """What bench/results-docs.md has for them, less about a standard error and a half: writing on a page moves two or three questions."""
    with Place() as place:
        folder, asked = place.path / "pages", place.path / "asked.jsonl"
        for page in [ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")] \
                + [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/guides").glob("*.md")]:
            copy = folder / str(page.relative_to(ROOT)).replace("docs/", "book/")  # of a folder docs nothing beside it is read
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(page.read_bytes())
        asked.write_text("\n".join(own_questions()) + "\n")
        least = {"hit@1": 0.6, "hit@3": 0.65, "mrr": 0.65, "answer": 0.45, "quiet": 0.95}
        code, out, err = run("docs", "eval", asked, folder, "--db", place.database,
                             *(word for name, value in least.items() for word in ("--least", f"{name}={value}")))
        assert code == 0, (code, out[-600:], err)


def test_every_violation_is_shown():
    with Place() as place:
        project = place.project(files={"a.md": "---\ndoc_type: insight\ntitle: x\nsignificance: nope\n---\n# A\n", "b.md": "---\na: [\n---\n"})
        code, out, err = run("docs", "index", project.path, "--db", place.database)
        assert code == 1 and "2 not indexed" in out
        shown = err.splitlines()
        assert shown[0] == "tenon docs: a.md was not indexed: The front matter of 'a.md' breaks the schema of 'insight' in 5 places.", err
        assert [line.split()[0] for line in shown[1:6]] == ["date", "summary", "significance", "insight_type", "impact_area"], err
        assert shown[6] == "tenon docs: b.md was not indexed: The front matter of 'b.md' cannot be read.", err
        assert shown[7].startswith("  line 3: this is not YAML") and shown[7].endswith(" (InvalidYaml)") and len(shown) == 8, err


def test_empty_projects_say_so():
    with Place() as place:
        project = place.project()
        for words in ("search",), ("ask",), ("search", "--no-index"), ("ask", "--no-index"):
            code, out, err = run("docs", words[0], project.path, *words[1:], "--db", place.database, "anything")
            assert (code, err) == (0, "") and out.startswith("note: Nothing is indexed yet: project demo has no documents") \
                and "tenon docs index" in out and out.count("note:") == 1, (words, out, err)
        project.doc("a.md", "# Boats\n\nBoats float.\n")
        code, out, err = run("docs", "search", project.path, "--db", place.database, "--min-score", "1", "zebra")
        assert (code, err) == (0, "") and "Nothing reached the relevance" in out, out


def test_no_index_searches_what_there_is():
    with Place() as place:
        project = place.project(files=FILES)
        run("docs", "index", project.path, "--db", place.database)
        project.doc("new.md", "# Zebras\n\nThe zebra is new.\n")
        for command in "search", "ask":
            code, out, err = run("docs", command, project.path, "--db", place.database, "--no-index", "zebra")
            assert (code, err) == (0, "") and "new.md" not in out, out
        code, out, err = run("docs", "search", project.path, "--db", place.database, "zebra")
        assert code == 0 and "new.md" in out, out


def test_relative_folders():
    with Place() as place:
        project = place.project(files=FILES)
        code, out, err = run("docs", "index", ".", "--db", place.database, cwd=project.path)
        assert code == 0 and out.startswith("demo, branch main: 2 documents"), (out, err)


def test_json():
    with Place() as place:
        project = place.project(files=FILES)
        code, out, _ = run("docs", "search", project.path, "--db", place.database, "--json", "--limit=1", "backup", "night")
        whole = json.loads(out)
        assert code == 0 and whole["status"] == "SUCCESS" and len(whole["data"]["results"]) == 1
        code, out, _ = run("docs", "search", project.path, "--db", place.database, "--json", "--limit", "many", "x")
        assert code == 1 and json.loads(out)["error"]["code"] == "VALIDATION_ERROR", out


def test_same_words_as_the_tools():
    with Place() as place:
        project = place.project(files=FILES)
        code, out, err = run("docs", "ask", project.path, "--db", place.database, "--limit", "99", "--min-score", "7", "x")
        assert code == 1 and err == "" and out == (
            "VALIDATION_ERROR: Validation failed: 2 errors\n"
            "  max_sources must be between 1 and 10, got 99\n"
            "  min_relevance_score must be between 0 and 1, got 7\n"), out


def test_wrong_calls():
    with Place() as place:
        for words in ([], ["frob"], ["index"], ["index", "a", "b"], ["search", "."], ["index", ".", "--json"], ["search", ".", "x", "--frob"],
                      ["index", "/nowhere"], ["index", ".", "--db"], ["index", ".", "--project", "x"], ["backup"],
                      ["index", ".", "--debounce", "7"], ["index", ".", "--embedding", "magic"]):
            code, out, err = run("docs", *words, "--db", place.database) if "--db" not in words else run("docs", *words)
            assert code == 2 and out == "" and err.startswith("tenon docs: "), (words, code, out, err)
        assert run("docs", "--help")[0] == 0 and "--min-score" in run("docs", "--help")[1]
        code, out, err = run("serve", "docs", "--help", "--db", "/proc/none/x.db")
        assert code == 0 and "--allow-path" in out, err


def test_backup():
    with Place() as place:
        project = place.project(files=FILES)
        run("docs", "index", project.path, "--db", place.database)
        copy = place.path / "copy.db"
        code, out, err = run("docs", "backup", copy, "--db", place.database)
        assert (code, err) == (0, "") and copy.stat().st_mode & 0o077 == 0, err
        code, out, err = run("docs", "search", project.path, "--db", copy, "--no-index", "bearer token")
        assert code == 0 and "tokens.md" in out
        code, out, err = run("docs", "backup", copy, "--db", place.database)
        assert code == 2 and err.startswith("tenon docs: "), err  # never over a file that is there


def test_the_users_data_folder():
    with Place() as place:
        project = place.project(files=FILES)
        environment = {**os.environ, "XDG_DATA_HOME": str(place.path / "data")}
        assert run("docs", "index", project.path, env=environment)[0] == 0
        assert (place.path / "data/tenon/docs.db").exists()
        assert (place.path / "data/tenon").stat().st_mode & 0o077 == 0


def test_scripts_run():
    """Serves Tenon's own pages; everything that it says can be done can be."""
    with Place() as place:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {**os.environ, "XDG_DATA_HOME": str(place.path / "data"), "TENON_RUN_BUILD": str(BUILD)}
        process = subprocess.Popen([ROOT / "scripts/run", "--port", str(port)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd="/")
        try:
            said = ""
            while f"http://127.0.0.1:{port}/mcp" not in said or "Ctrl-C" not in said:
                line = process.stdout.readline()
                assert line, said
                said += line
            command = re.search(r"^    (\S*/tenon call .*)$", said, re.M)[1]
            until("it answers", lambda: run("tools", f"http://127.0.0.1:{port}/mcp")[0] == 0)
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False)
            assert done.returncode == 0 and "serving.md" in done.stdout, done
            again = subprocess.run([ROOT / "scripts/run", "--port", str(port)], capture_output=True, text=True, timeout=PATIENCE,
                                   check=False, env=environment)
            assert again.returncode == 2 and again.stdout == "" and "--port" in again.stderr, again
            for snippet in re.findall(r"^(\{\n.*?^\})$", said, re.M | re.S):
                json.loads(snippet)
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(PATIENCE)
        assert code == 0, (code, process.stdout.read())
