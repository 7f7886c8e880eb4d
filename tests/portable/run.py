#!/usr/bin/env python3
"""The portable form of every tool of every server, as a client of a strict mode meets it: `tenon serve NAME --schema portable`.

    tests/portable/run.py [NAME...]    the tests whose name has one of these words in it

In a strict mode every property is sent, so what leaves a parameter out is read from its description, as a model does. Both servers
of a pair get the same calls, one in each form, and must give the same answers.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

SERVERS = {"docs": [], "kyc": [], "appsec": ["--sample"], "pentest": ["--allow", "127.0.0.1"]}
KEYWORDS = {"type", "description", "properties", "required", "items", "enum", "format", "additionalProperties"}
WORD = "not_given"
WAY_OUT = re.compile(r"\{optional: send (\"\"|\[\]|\"not_given\"|\[\"not_given\"\]) to leave it out")
DEFAULT = re.compile(r"[{,;] ?default: (.*)\}$", re.S)


def tools_of(client):
    return {tool["name"]: tool for tool in client.request("tools/list", {})["result"]["tools"]}


class Pair:
    """The same server twice, each with a database of its own."""

    def __init__(self, name):
        self.name, self.places, self.clients = name, [], []

    def __enter__(self):
        for form in ("full", "portable"):
            place = rig.Place()
            self.places.append(place)
            project = place.path / "project"
            project.mkdir()
            (project / "a.md").write_text("# A\n\nSome text.\n")
            (project / ".tenon").mkdir()
            (project / ".tenon" / "config.json").write_text('{"project_name": "demo", "plain_documents": true}')
            flags = ["--project", project] if self.name == "docs" else []
            self.clients.append(rig.Stdio(rig.serve(self.name, place, "--schema", form, *flags, *SERVERS[self.name])))
        self.full, self.portable = self.clients
        return self

    def __exit__(self, *what):
        for client in self.clients:
            client.__exit__(*what)
        for place in self.places:
            place.__exit__(*what)


def each_schema(portable, full):
    """Pairs of schemas at the same place in both forms, while both go on."""
    yield portable, full
    if portable["type"] == "array" and "items" in full:
        yield from each_schema(portable["items"], full["items"])
    for name, inner in portable.get("properties", {}).items():
        yield from each_schema(inner, full["properties"][name])


def test_lists_and_enums_keep_their_types():
    lists = enums = 0
    for name in SERVERS:
        with Pair(name) as pair:
            full = tools_of(pair.full)
            for tool, declared in tools_of(pair.portable).items():
                destructive = declared.get("annotations", {}).get("destructiveHint")
                for portable, wide in each_schema(declared["inputSchema"], full[tool]["inputSchema"]):
                    where = (name, tool, portable, wide)
                    assert set(portable) <= KEYWORDS, where
                    if portable["type"] == "object":
                        assert portable["required"] == list(portable["properties"]), where
                        assert portable["additionalProperties"] is False, where
                    if wide["type"] == "array" and not destructive:
                        assert portable["type"] == "array" and "items" in portable, where
                        lists += 1
                    if "enum" in wide:
                        assert [value for value in portable["enum"] if value != WORD] == wide["enum"], where
                        enums += 1
    assert lists > 15 and enums > 15, (lists, enums)


def test_every_profile_accepts_every_tool():
    """What `tenon lint` knows of clients, strict modes too: neither an error nor a warning."""
    for name in SERVERS:
        with Pair(name) as pair:
            path = pair.places[1].path / "portable.json"
            path.write_text(json.dumps({"tools": list(tools_of(pair.portable).values())}))
            ran = subprocess.run([rig.TENON, "lint", "--strict", "--for", "all", str(path)], capture_output=True, text=True, check=False)
            assert ran.returncode == 0, (name, ran.stdout[-2000:], ran.stderr)


def left_out(schema):
    """What leaves a property out, by its own words; raises KeyError when nothing does."""
    way = WAY_OUT.search(schema["description"])
    if way:
        return json.loads(way[1])
    default = DEFAULT.search(schema["description"])
    if not default:
        raise KeyError(schema)
    return json.loads(default[1])


def some_value(schema):
    """A value of the type, good or not: both servers get it."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array":
        return [some_value(schema["items"])]
    if schema["type"] == "object":
        return {name: some_value(inner) for name, inner in schema["properties"].items()
                if name in schema.get("required", [])}
    return {"string": "text", "integer": 1, "number": 1, "boolean": True}[schema["type"]]


def fill(portable, required):
    """All properties: what is required as it is, the rest left out."""
    filled = {}
    for name, schema in portable["properties"].items():
        if name not in required:
            filled[name] = left_out(schema)
        elif schema["type"] == "object":
            filled[name] = fill(schema, required[name])
        elif schema["type"] == "array" and schema["items"]["type"] == "object":
            filled[name] = [fill(schema["items"], item) for item in required[name]]
        elif schema["type"] == "string" and not isinstance(required[name], str):
            filled[name] = json.dumps(required[name])
        else:
            filled[name] = required[name]
    return filled


def outcome(whole):
    """What must be the same: not ids and times, which each server makes for itself."""
    error = whole["error"] or {}
    return whole["status"], error.get("code"), error.get("details", {}).get("fieldErrors"), sorted(whole["data"] or {})


def test_every_tool_is_called_with_its_optionals_left_out():
    called = 0
    for name in SERVERS:
        with Pair(name) as pair:
            full = tools_of(pair.full)
            for tool, declared in tools_of(pair.portable).items():
                required = some_value(full[tool]["inputSchema"])
                sent = fill(declared["inputSchema"], required)
                assert set(sent) == set(declared["inputSchema"]["required"]), (tool, sent)
                wide, narrow = pair.full.ask(tool, required), pair.portable.ask(tool, sent)
                assert outcome(wide) == outcome(narrow), (tool, sent, wide, narrow)
                assert not [text for text in narrow["messages"] if "Converted " in text], (tool, narrow)
                called += 1
    assert called > 40, called


def test_a_destructive_tool_takes_the_word_and_nothing_blank():
    with Pair("docs") as pair:
        client = pair.portable
        for place in pair.places:
            rig.until("indexed", lambda: place.sql("SELECT count(*) FROM documents") == [(1,)])
        declared = tools_of(client)["delete_documents"]["inputSchema"]
        sent = {**fill(declared, {"project_name": "demo"}), "dry_run": True}
        assert sent["branch_name"] == sent["path_hash"] == WORD, sent
        told = client.ok("delete_documents", **sent)
        assert (told["status"], told["deleted_count"]) == ("preview", 1), told
        for blank in ("", " ", None):
            error = client.error("VALIDATION_ERROR", "delete_documents", **{**sent, "branch_name": blank})
            assert "branch_name" in error["details"]["fieldErrors"], error
        missing = {key: value for key, value in sent.items() if key != "branch_name"}
        assert client.ok("delete_documents", **missing)["status"] == "preview"
        # A caller of the full form has no such word: it is the name of a branch.
        told = pair.full.ok("delete_documents", project_name="demo", branch_name=WORD, dry_run=True)
        assert told["deleted_branch"] == WORD and told["deleted_count"] == 0, told
        done = client.ok("delete_documents", **{**sent, "dry_run": False})
        assert (done["status"], done["deleted_count"]) == ("deleted", 1), done


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
