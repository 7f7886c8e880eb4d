#!/usr/bin/env python3
"""Configurations of `tenon guard`: its files, its flags, and what reaches the servers.

    tests/guard_config/run.py [NAME...]         the tests whose name has one of these words in it
    tests/guard_config/run.py names --update    writes the keys of the schema into docs/guard.md
"""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "guard"))
from rig import PATIENCE, ROOT, TENON, Guard, main  # noqa: E402

SERVER = [sys.executable, str(ROOT / "tests/guard_config/server.py")]


@contextlib.contextmanager
def folder(**files):
    """A folder of these files; a name's __ is a dot, and what is not text is written as JSON."""
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name).resolve()
        for key, text in files.items():
            path = place / key.replace("__", ".")
            path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        yield place


def tenon(*words, cwd=None, env=None):
    done = subprocess.run([TENON, "guard", *map(str, words)], cwd=cwd, env={**os.environ, **(env or {})},
                          capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


def guard(path, *flags, **more):
    return Guard(program=[TENON, "guard", "--config", str(path), *flags], **more)


def look(guarded, arguments=None):
    name = guarded.request("tools/list")["result"]["tools"][0]["name"]
    return json.loads(guarded.call(name, arguments)["result"]["content"][0]["text"])


def test_check_reports_every_mistake_and_changes_nothing():
    text = "upstreams:\n  a: { comand: [x] }\n  b: { url: x, idle: 1s }\nserve: { max-body: 1 }\npolicy: { repair: maybe }\n"
    with folder(guard__yaml=text) as place:
        before = sorted(place.iterdir())
        code, out, said = tenon("--config", "guard.yaml", "--check", cwd=place)
        assert code == 2 and out == "", (code, out)
        assert [line.split(": ")[0] for line in said.splitlines()] == [
            "guard.yaml:2:6", "guard.yaml:2:8", "guard.yaml:3:13", "guard.yaml:3:16", "guard.yaml:4:20",
            "guard.yaml:5:19"], said
        assert sorted(place.iterdir()) == before
        assert tenon("--config", "guard.yaml", cwd=place)[0] == 2
    for name, good in (("guard.yaml", "upstreams:\n  a: { command: [x] }\n"),
                       ("guard.json", {"upstreams": {"a": {"command": ["x"]}}})):
        with folder(**{name.replace(".", "__"): good}) as place:
            assert tenon("--config", name, "--check", cwd=place) == (0, f"{name}: 1 server\n", "")


def test_what_is_written_reaches_the_server():
    with folder(key="s3cret\n") as place:
        (place / "key").chmod(0o600)
        (place / "work").mkdir()
        (place / "guard.json").write_text(json.dumps({"upstreams": {"a": {
            "command": [*SERVER, "a"], "env": {"A": "b", "NUMBER": 7}, "env-from": ["COPIED"], "secrets": {"KEY": "key"},
            "directory": "work", "limits": {"memory": "512MiB"}, "prefix": ""}}}), encoding="utf-8")
        os.environ["COPIED"], os.environ["KEPT_BACK"] = "yes", "no"
        with guard(place / "guard.json") as guarded:
            seen = look(guarded)
            env = seen["env"]
            assert (env["A"], env["NUMBER"], env["COPIED"], env["KEY"]) == ("b", "7", "yes", "s3cret"), env
            assert "KEPT_BACK" not in env, env
            assert seen["cwd"] == str(place / "work") and seen["data"] == 512 << 20, seen
        assert "s3cret" not in "".join(guarded.errors)


def test_a_secret_that_is_open_to_others_stops_the_start():
    with folder(key="s3cret\n") as place:
        (place / "key").chmod(0o644)
        (place / "guard.json").write_text(json.dumps({"upstreams": {"a": {"command": SERVER, "secrets": {"KEY": "key"}}}}))
        code, _, said = tenon("--config", place / "guard.json")
        assert code == 2 and "chmod 600" in said and "s3cret" not in said, said


def test_files_that_others_may_write_are_refused():
    with folder(guard__json={"upstreams": {"a": {"command": ["x"]}}}) as place:
        (place / "guard.json").chmod(0o666)
        code, _, said = tenon("--config", place / "guard.json", "--check")
        assert code == 2 and "must not be writable by group or others" in said, said
        (place / "guard.json").chmod(0o644)
        place.chmod(0o777)
        code, _, said = tenon("--config", place / "guard.json", "--check")
        assert code == 2 and "its folder" in said, said
        place.chmod(0o700)


def test_files_that_decide_are_not_where_the_server_writes():
    with folder() as place:
        (place / "data").mkdir()
        (place / "data/deep").mkdir()
        (place / "link").symlink_to(place / "data")

        def check(where, **upstream):
            (place / where).write_text(json.dumps({"upstreams": {"a": {"command": ["x"], **upstream}}}))
            return tenon("--config", place / where, "--check")

        assert check("guard.json", directory="data")[0] == 0
        assert check("guard.json", command=["x", str(place / "data")])[0] == 0
        for where, upstream in (("guard.json", {"directory": "."}), ("data/deep/guard.json", {"command": ["x", str(place / "link")]}),
                                ("data/guard.json", {"command": ["x", f"--root={place}"]}),
                                ("guard.json", {"command": ["x", "deep/../.."], "directory": "data"})):
            code, _, said = check(where, **upstream)
            assert code == 2 and "the server could change what decides about it" in said, (where, upstream, said)
        (place / "data/tenon.lock").write_text("{}")
        (place / "guard.json").write_text(json.dumps({"lock": "data/tenon.lock", "upstreams": {
            "a": {"command": ["x", str(place / "data")]}}}))
        code, _, said = tenon("--config", place / "guard.json", "--check")
        assert code == 2 and "data/tenon.lock is below" in said, said


def listening(guarded):
    while True:
        for line in list(guarded.errors):
            if "listening on " in line:
                return line.split("listening on ")[1].strip()
        assert guarded.process.poll() is None, guarded.errors
        threading.Event().wait(0.02)


def test_a_flag_overrules_the_environment_and_that_the_file():
    with folder(guard__json={"serve": {"http": "127.0.0.1:0", "path": "/file"}, "upstreams": {"a": {"command": SERVER}}}) as place:
        for env, flags, want in (({}, [], "/file"), ({"TENON_PATH": "/env"}, [], "/env"),
                                 ({"TENON_PATH": "/env"}, ["--path", "/flag"], "/flag")):
            os.environ.update(env)
            try:
                with guard(place / "guard.json", *flags, modern=True) as guarded:
                    guarded.on_http = True
                    assert listening(guarded).endswith(want)
            finally:
                for name in env:
                    del os.environ[name]
        (place / "web.json").write_text(json.dumps({"upstreams": {"a": {
            "url": "https://a.example/mcp", "headers": {"Authorization": "Bearer x"}}}}))
        code, _, said = tenon("--config", place / "web.json", "--http", "127.0.0.1:0", "--check")
        assert code == 2 and "credential: shared" in said, said
        assert tenon("--config", place / "web.json", "--check")[0] == 0
        code, _, said = tenon("--config", place / "guard.json", "--http", "0.0.0.0:0", "--check")
        assert code == 2 and "without authentication" in said, said


def test_flags_are_checked():
    for words, want in ((["--cofig", "x"], "did you mean --config?"), (["--repair", "maybe", "--", "x"], "on, form or off"),
                        (["--config", "x", "--", "y"], "exclude each other"), (["--results"], "needs a value"),
                        (["--log", "error"], "is needed"), (["--token-file", "x", "--", "y"], "for an address"),
                        (["--env-from", "NO_SUCH", "--", "x"], "NO_SUCH is not set in the environment of the guard"),
                        (["--env-from", "HOME", "https://a.example/mcp"], "for a command"),
                        (["npx", "server"], "a command stands after --"), (["ftp://a.example/"], "begins with https://"),
                        (["https://a.example/mcp", "--log", "error"], "after all options"),
                        (["--header-file", "x", "http://127.0.0.1:1/"], "NAME=FILE"), (["--config", "/none/such"], "cannot be opened")):
        code, out, said = tenon(*words)
        assert code == 2 and want in said and out == "", (words, said)
    code, out, _ = tenon("--help")
    assert code == 0 and all(f"--{name}" in out for name in ("config", "check", "import", "lock", "http", "audit")), out
    assert tenon("--version")[1].startswith("tenon guard ")


def test_a_command_gets_the_variables_that_are_named():
    os.environ.update({"NAMED": "1", "OTHER": "2"})
    try:
        with Guard("--env-from", "NAMED", command=[*SERVER, "a"]) as guarded:
            env = look(guarded)["env"]
            assert env["NAMED"] == "1" and "OTHER" not in env, env
    finally:
        del os.environ["NAMED"], os.environ["OTHER"]


def test_a_clients_file_is_a_configuration():
    entry = {"command": SERVER[0], "args": [*SERVER[1:], "a"], "env": {"A": "b"}, "autoApprove": []}
    guards = {"command": str(TENON), "args": ["guard", "--config", "mcp.json"]}
    for member, more in (("mcpServers", {}), ("servers", {"type": "stdio"})):
        with folder(mcp__json={member: {"one": {**entry, **more}, "self": guards}}) as place:
            with guard(place / "mcp.json") as guarded:
                assert look(guarded)["env"]["A"] == "b"
            said = "".join(guarded.errors)
            assert "self is left out: it runs tenon guard itself" in said, said
            assert "one: autoApprove is not understood" in said, said
            code, out, _ = tenon("--import", place / "mcp.json")
            assert code == 0 and "self" in out.split("upstreams:")[0], out
            (place / "guard.yaml").write_text(out, encoding="utf-8")
            assert tenon("--config", place / "guard.yaml", "--check") == (0, f"{place}/guard.yaml: 1 server\n", "")
            with guard(place / "guard.yaml") as guarded:
                assert look(guarded)["words"] == ["a"]


def test_what_is_not_understood_of_a_clients_file_is_named():
    with folder(mcp__json='{"mcpServers": {\n"old": {"type": "sse", "url": "https://a.example/sse"},\n'
                          '"var": {"command": "x", "env": {"K": "${K}"}}}}') as place:
        code, _, said = tenon("--config", "mcp.json", "--check", cwd=place)
        assert code == 2 and "mcp.json:2:17: old: type sse" in said and "mcp.json:3:38: var: ${...}" in said, said
        code, out, _ = tenon("--import", "mcp.json", cwd=place)
        assert code == 0 and "# line 2: old" in out and "\n  old" not in out and "\n  var" not in out, out


def test_a_guard_does_not_start_itself_without_end():
    with folder() as place:
        path = place / "mcp.json"
        path.write_text(json.dumps({"mcpServers": {"self": {"command": "sh", "args": [
            "-c", f"exec '{TENON}' guard --config '{path}'"]}}}))
        done = subprocess.run([TENON, "guard", "--config", path], capture_output=True, text=True, timeout=PATIENCE,
                              input=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                                  "protocolVersion": "2025-11-25", "capabilities": {},
                                  "clientInfo": {"name": "c", "version": "0"}}}) + "\n", check=False)
        assert "runs below a guard with the same file" in done.stderr, done.stderr
        assert done.stderr.count("runs below a guard") < 20, done.stderr


def test_list_shows_what_is_published_and_what_not():
    upstream = [sys.executable, str(ROOT / "tests/guard/upstream.py")]
    with folder(guard__json={"upstreams": {"a": {"command": upstream}, "b": {"command": SERVER, "prefix": "x_"},
                                           "c": {"command": ["/none/such"]}}}) as place:
        code, out, _ = tenon("--config", place / "guard.json", "--list")
        assert code == 1, out  # one was not reached
        assert "a: up 1, revision " in out and "\n  a_judged\n" in out and "\n  - tasked: " in out, out
        assert "b: up 1, revision " in out and "\n  x_look\n" in out and "c: not reached: " in out, out
    with folder(guard__json={"upstreams": {"a": {"command": SERVER, "tools": {"deny": ["l*"]}}, "b": {"command": SERVER},
                                           "c": {"command": SERVER, "tools": {"look": {"read-only": True}}}},
                             "policy": {"read-only": True}}) as place:
        code, out, _ = tenon("--config", place / "guard.json", "--list")
        assert code == 0 and out.count("- look: ") == 2 and "  c_look\n" in out, out
    both = [sys.executable, str(ROOT / "tests/guard_several/server.py"), "--prompts", "greet,leave", "--resources", "mem://a",
            "--templates", "mem://{x}"]
    with folder(guard__json={"upstreams": {"a": {"command": both, "prompts": {"deny": ["leave"]}},
                                           "b": {"command": both}}}) as place:
        code, out, _ = tenon("--config", place / "guard.json", "--list")
        assert code == 0, out
        first, second = out.split("\nb: ")
        assert "\n  prompt a_greet\n  - prompt leave: allow and deny leave it out\n  resource mem://a\n" in first, out
        assert "  template mem://{x}" in first and "  prompt b_leave\n" in second, out
        assert "  - resource mem://a: a server before this one has the same\n" in second, out
    code, out, _ = tenon("--list", "--", *both)
    assert code == 0 and "\n  prompt greet\n  prompt leave\n  resource mem://a\n  template mem://{x}\n" in out, out
    code, out, _ = tenon("--list", "--", "no-such-command-anywhere")  # the only one, which answers no initialize
    assert code == 1 and out.startswith("no-such-command-anywhere: not reached: "), (code, out)
    code, out, _ = tenon("--list", "--json", "--", *SERVER)
    assert code == 0, out
    assert [tool["published"] for tool in json.loads(out)["upstreams"][0]["tools"]] == ["look"], out
    with Guard(command=SERVER) as guarded:  # no other guard has that method
        assert guarded.request("tenon/inventory")["error"]["code"] == -32601


def test_list_marks_commands_that_run_the_newest_version():
    runner = '#!/bin/sh\nexec "%s" "%s"\n' % (sys.executable, SERVER[1])
    cases = [(["npx", "-y", "server-x"], True), (["npx", "-y", "@scope/x"], True), (["npx", "-y", "@scope/x@1.2.0"], False),
             (["npx", "-y", "x@latest"], True), (["npx", "--package", "x@1.0.0", "x"], False), (["uvx", "mcp-x"], True),
             (["uvx", "mcp-x==1.0"], False), (["uvx", "mcp-x@1.0"], False), (["uvx", "--python", "3.12", "mcp-x"], True),
             (["uvx", "--from", "mcp-x==2", "run-x"], False), (["uvx", "--from=mcp-x", "run-x"], True),
             (["npx", "./here"], False)]
    with folder() as place:
        for name in ("npx", "uvx"):
            (place / name).write_text(runner)
            (place / name).chmod(0o755)
        config = {"upstreams": {f"u{i}": {"command": [str(place / words[0]), *words[1:]]}
                                for i, (words, _) in enumerate(cases)}}
        (place / "guard.json").write_text(json.dumps(config))
        (place / "guard.json").chmod(0o600)
        code, out, _ = tenon("--config", place / "guard.json", "--list")
        assert code == 0, out
        seen = ["names no version" in part for part in re.split(r"^u\d+: ", out, flags=re.M)[1:]]
        assert seen == [newest for _, newest in cases], out


def test_a_dry_run_sends_what_came_and_logs_what_would_be_done():
    rules = {"tools": {"look": {"rate": "1/h", "arguments": {"properties": {"path": {"const": "/srv"}}}}}}
    with folder(guard__json={"upstreams": {"a": {"command": SERVER, **rules}}, "policy": {"read-only": True}}) as place:
        with guard(place / "guard.json", "--dry-run") as guarded:
            for arguments in ({"n": 50}, {"n": "5"}, {"n": 5, "path": "/etc"}):
                answer = guarded.call("a_look", arguments)["result"]
                assert json.loads(answer["content"][0]["text"])["arguments"] == arguments, answer
                assert len(answer["content"]) == 1 and not answer.get("isError"), answer
        said = "".join(guarded.errors)
    assert "a call of a_look would be refused: n must be" in said, said
    assert "a call of a_look would be repaired: Converted n" in said, said
    assert 'refused: path must be "/srv"' in said or "refused: path must be /srv" in said, said
    assert said.count("would be refused") >= 6, said  # read-only each time, the rate from the second on
    with folder(guard__json={"upstreams": {"a": {"command": SERVER}}}) as place:
        with guard(place / "guard.json") as guarded:
            assert guarded.call("a_look", {"n": 50})["result"]["isError"]


def rows(schema, node, path=""):
    """Every key that a configuration may have, what it is and its default, as the page writes them."""
    node = resolved(schema, node)
    for name, inner in node.get("properties", {}).items():
        inner = resolved(schema, inner)
        words = f" (`{'`, `'.join(inner['enum'])}`)" if len(inner.get("enum", [])) > 1 else ""
        default = inner.get("default", "")
        yield (path + name, inner.get("description", "") + words,
               f"`{default if isinstance(default, str) else json.dumps(default)}`" if default != "" else "")
        yield from rows(schema, inner, f"{path}{name}.")
    more = node.get("additionalProperties")
    if isinstance(more, dict) and ("$ref" in more or "properties" in more):
        yield from rows(schema, more, f"{path}NAME.")
    if isinstance(node.get("items"), dict):
        yield from rows(schema, node["items"], path)


def resolved(schema, node):
    return {**schema["$defs"].get(node.get("$ref", "").removeprefix("#/$defs/"), {}), **node}


def tables():
    schema = json.loads((ROOT / "share/tenon/guard.schema.json").read_text())
    top = [row for row in rows(schema, {"properties": schema["properties"]}) if "." not in row[0]]
    for heading, listed in (("The file", top), ("Each upstream", rows(schema, schema["$defs"]["upstream"])),
                            ("Policy", rows(schema, schema["properties"]["policy"]))):
        yield heading, "| key | what it is | default |\n| --- | --- | --- |\n" + "".join(
            f"| `{key}` | {said} | {default} |\n".replace("|  |", "| |") for key, said, default in listed)


def page_with_tables(page):
    for heading, table in tables():
        begin = re.search(rf"^#+ {heading}\n", page, re.M).end()
        begin = page.index("| key | what it is | default |\n", begin)
        end = re.compile(r"^(?!\|)", re.M).search(page, begin).start()
        page = page[:begin] + table + page[end:]
    return page


def test_the_page_names_every_key():
    path = ROOT / "docs/guard.md"
    page = path.read_text()
    if "--update" in sys.argv:
        path.write_text(page_with_tables(page))
    else:
        assert page == page_with_tables(page), "tests/guard_config/run.py names --update"


def test_a_proxy_that_checks_addresses_is_named():
    line = "  ! a proxy of the environment connects to the addresses that it names"
    bare = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with subprocess.Popen([sys.executable, ROOT / "tests" / "guard_park" / "asker.py", "--record", os.devnull, "--http"],
                          stdout=subprocess.PIPE) as server:
        try:
            url = f"http://127.0.0.1:{int(server.stdout.readline())}/mcp"
            for more, named in (({}, False), ({"HTTPS_PROXY": "http://127.0.0.1:9"}, True), ({"all_proxy": ""}, False)):
                done = subprocess.run([TENON, "guard", "--list", url], env={**bare, **more}, stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, timeout=PATIENCE, check=False)
                assert done.returncode == 0 and (line in done.stdout) == named, (more, done.stdout, done.stderr)
        finally:
            server.kill()


if __name__ == "__main__":
    sys.exit(main(globals()))
