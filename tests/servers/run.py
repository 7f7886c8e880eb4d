#!/usr/bin/env python3
"""What the servers of `tenon serve` have in common: how each says that it cannot begin, and what it then ends with.

    tests/servers/run.py [NAME...]    the tests whose name has one of these words in it
"""
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

SERVERS = ["docs", "kyc", "appsec", "pentest"]
USAGE, WORLD = 2, 1


def start(server, *flags, **how):
    return rig.run("serve", server, *flags, **how)


def complains(server, status, words, *flags, **how):
    code, out, err = start(server, *flags, **how)
    assert (code, out) == (status, "") and err.startswith(f"tenon-{server}: ") and words in err, (server, flags, code, out, err)


def test_of_all():
    with rig.Place() as place:
        text = place.path / "text.db"
        text.write_text("this is no database, but it is long enough to look like one" * 100)
        for server in SERVERS:
            complains(server, USAGE, "--db needs a value", "--db")
            for size in "x", "0", "-5", "10", "5x", "99999999999999999999", "65537GiB":
                complains(server, USAGE, "--max-db needs a size", "--db", place.path / server, "--max-db", size)
            complains(server, USAGE, "did you mean --http?", "--db", place.path / server, "--htpp", "x")
            complains(server, USAGE, "--token needs", "--db", place.path / server, "--token", "x")
            complains(server, WORLD, "cannot be made", "--db", "/proc/none/x.db")
            complains(server, WORLD, "", "--db", text)
            complains(server, WORLD, "give its file with --db", env={"PATH": "/usr/bin"})


def test_of_some():
    with rig.Place() as place:
        broken = place.path / "broken"
        (broken / ".tenon").mkdir(parents=True)
        (broken / ".tenon" / "config.json").write_text("{")
        for server, status, words, *flags in (
                ("docs", USAGE, "/nowhere", "--project", "/nowhere"),
                ("docs", USAGE, "config.json", "--project", broken),
                ("docs", USAGE, "--debounce needs a number from 100 to 5000", "--debounce", "7"),
                ("docs", USAGE, "--embedding is embedded, model, ollama or openai", "--embedding", "magic"),
                ("docs", USAGE, "--embedding-url is an address", "--embedding", "ollama", "--embedding-url", "x://"),
                ("docs", WORLD, "does not answer", "--embedding", "ollama", "--embedding-url", "http://127.0.0.1:1"),
                ("appsec", USAGE, "--sample needs true or false", "--sample=maybe"),
                ("appsec", USAGE, "did you mean --sample?", "--smaple"),
                ("appsec", WORLD, "/nowhere is not imported", "--import", "/nowhere"),
                ("pentest", USAGE, "--allow :::", "--allow", ":::"),
                ("pentest", USAGE, "--ca-file /nowhere", "--ca-file", "/nowhere"),
                ("pentest", USAGE, "--profiles /nowhere", "--profiles", "/nowhere"),
                ("pentest", USAGE, "--timeout needs a number from 1 to 300", "--timeout", "soon"),
                ("pentest", USAGE, "--embedding is embedded, model, ollama or openai", "--embedding", "magic")):
            complains(server, status, words, "--db", place.path / server, *flags)


# Fills a database: a call for each turn, and a question that must still be answered, and as before.
LIMIT = 512 << 10
GROWING = {
    "kyc": (lambda turn: ("create_client", {"name": f"{turn} " + "x" * 190, "clientType": "OTHER", "riskLevel": "LOW"}),
            ("get_client_details", {"clientId": 1})),
    "pentest": (lambda turn: ("create_target", {"host": f"h{turn}.example.com", "notes": "x" * 9000}),
                ("search_targets", {"query": "h0.example.com"})),
}


def fill(client, grow):
    """The first refusal, and how many calls went well before it."""
    for turn in range(10000):
        tool, arguments = grow(turn)
        whole = client.ask(tool, arguments)
        if whole["status"] == "ERROR":
            return whole["error"], turn
    raise AssertionError("it is never full")


def test_limit_of_the_database():
    """A database that may not grow says so, changes nothing, answers on, and goes on with more room."""
    for server, (grow, (tool, arguments)) in GROWING.items():
        with rig.Place() as place:
            with rig.Stdio(rig.serve(server, place, "--max-db", "512KiB")) as client:
                client.ok(*grow(0)[:1], **grow(0)[1])
                before = client.ask(tool, arguments)
                error, turns = fill(client, lambda turn: grow(turn + 1))
                assert error["code"] == "LIMIT_EXCEEDED" and "--max-db" in error["message"] and turns > 10, (server, error, turns)
                assert client.ask(tool, arguments) == before
            assert place.database.stat().st_size <= LIMIT and place.is_sound()
            with rig.Stdio(rig.serve(server, place, "--max-db=1MiB")) as client:
                client.ok(*grow(turns + 1)[:1], **grow(turns + 1)[1])  # nothing of it was left behind


def test_limit_leaves_room_by_deleting():
    with rig.Place() as place, rig.Stdio(rig.serve("kyc", place, "--max-db", "256k")) as client:
        error, turns = fill(client, GROWING["kyc"][0])
        assert error["code"] == "LIMIT_EXCEEDED"
        for number in range(1, turns + 1):
            client.ok("delete_client", clientId=number)
        assert fill(client, GROWING["kyc"][0])[1] > turns / 2
        assert place.is_sound()


def test_limit_of_imports():
    with rig.Place() as place:
        complains("appsec", WORLD, "full", "--sample", "--db", place.database, "--max-db", "64KiB")
        with rig.Stdio(rig.serve("appsec", place, "--max-db", "64KiB")) as client:
            assert client.ok("search_applications")["totalItems"] == 0
        assert place.is_sound()


def test_limit_of_documents():
    """Files that do not fit are named with the reason; those that fit are found."""
    with rig.Place() as place:
        project = place.path / "project"
        (project / "docs").mkdir(parents=True)
        (project / ".tenon").mkdir()
        (project / ".tenon" / "config.json").write_text('{"project_name": "demo", "plain_documents": true}')
        (project / "docs" / "a.md").write_text("# Ferry\n\nThe ferry leaves at noon.\n")
        with rig.Stdio(rig.serve("docs", place, "--max-db", "1MiB")) as client:
            config = str(project / ".tenon" / "config.json")
            assert client.ok("activate_project", config_path=config, branch_name="main")["indexed"] == 1
            words = [f"word{number} " * 5 for number in range(200000)]
            (project / "docs" / "b.md").write_text("# Words\n\n" + "\n\n".join(words))
            error = client.error("LIMIT_EXCEEDED", "index_document", path="b.md")
            assert "--max-db" in error["message"], error
            whole = client.ask("activate_project", {"config_path": config, "branch_name": "main"})
            assert whole["data"]["total_docs"] == 1 and "--max-db" in str(whole["messages"]), whole
            assert client.ok("semantic_search", query="ferry noon")["results"][0]["path"] == "a.md"
        assert place.database.stat().st_size <= 1 << 20 and place.is_sound()


def test_who_only_asks_gets_no_files():
    with rig.Place() as place:
        for server in SERVERS:
            for flag, words in ("--help", "--db FILE"), ("--version", f"tenon-{server} "):
                code, out, err = start(server, flag, "--db", place.database)
                assert (code, err) == (0, "") and words in out, (server, flag, code, out, err)
        assert list(place.path.iterdir()) == []


def test_refused_calls_are_logged():
    """Of a server with several callers: the tool and the number of errors, never a value, and not without an end."""
    wrong = {"name": "", "secret-word": "hunter2", "clientType": "hunter3"}
    with rig.Place() as place, rig.Server(rig.serve("kyc", place, "--log", "info")) as server:
        client = rig.Http(server)
        total = client.error("VALIDATION_ERROR", "create_client", **wrong)["details"]["totalErrors"]
        client.error("NOT_FOUND", "get_client_details", clientId=10**9)
        for _ in range(200):
            client.error("VALIDATION_ERROR", "create_client", name="")
        server.stop()
        said = "".join(server.log)
        assert f"create_client: VALIDATION_ERROR, {total} errors\n" in said, said
        assert "hunter" not in said and "NOT_FOUND" not in said, said
        seconds = {line[:19] for line in server.log}
        assert said.count("VALIDATION_ERROR") <= 20 * (len(seconds) + 1), said
    with rig.Place() as place, rig.Stdio(rig.serve("kyc", place), modern=True) as client:
        client.error("VALIDATION_ERROR", "create_client", **wrong)
    assert "VALIDATION_ERROR" not in client.said(), client.said()  # its one caller knows


def containers(schema, name):
    """Every list and object of a published schema, by name, at any depth; also those that are a string of JSON."""
    for key, one in schema.get("properties", {}).items():
        where = f"{name}.{key}"
        if one["type"] in ("array", "object") or "JSON text" in one["description"]:
            yield where, one
        yield from containers(one, where)
        yield from containers(one.get("items", {}), where + "[]")


def example_of(description):
    """The JSON that a description shows as an example."""
    found = re.search(r"(?:Example: |e\.g\. )(?=[\[{])", description)
    assert found, description
    return json.JSONDecoder().raw_decode(description[found.end():])[0]


def test_lists_and_objects_show_an_example():
    kinds = {"array": list, "object": dict}
    for server in SERVERS:
        for form in "full", "portable":
            count = 0
            with rig.Place() as place, rig.Stdio(rig.serve(server, place, "--schema", form), modern=True) as client:
                for tool in client.request("tools/list", {})["result"]["tools"]:
                    for where, one in containers(tool["inputSchema"], f"{server} {form} {tool['name']}"):
                        example = example_of(one["description"])
                        assert isinstance(example, kinds.get(one["type"], (list, dict))), (where, one)
                        assert example not in (["...", "..."], {"...": "..."}), (where, "it is only a form", one)
                        count += 1
                        words = one.get("items", {}).get("enum")
                        assert not words or set(example) <= set(words), (where, one)
            assert count > 0 or server == "kyc", (server, form)


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
