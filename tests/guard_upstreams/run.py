#!/usr/bin/env python3
"""Servers that others wrote, called directly and through the guard: what they answer is the same, byte for byte, outside of what
a client's revision needs.

    tests/guard_upstreams/run.py [WORD...]     those of npm, which scripts/setup installs: the tests whose name has a WORD in it
    tests/guard_upstreams/run.py --python      those of PyPI too, in environments made by their lock files; in scripts/test --full

Each server gets the same requests five times: directly, and through the guard by clients of both eras, on a pipe and over HTTP.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import parties

sys.path.insert(0, str(HERE))
import servers

# What may differ between what a server answers and what a client gets: the members of a result that only one era has.
OF_ONE_ERA = {"resultType", "ttlMs", "cacheScope"}
SERVER_INFO = parties.KEY + "serverInfo"
WAYS = [("pipe", False), ("pipe", True), ("http", False), ("http", True)]


def plain_meta(text):
    return [one for one in parties.members(text) if one[0] != SERVER_INFO]


def outside_splices(result):
    """The members of a result, as they are written, that must be the same on both sides."""
    found = []
    for name, value in parties.members(result):
        if name == "_meta":
            value = plain_meta(value)
        if name not in OF_ONE_ERA and value != []:
            found.append((name, value))
    return found


def blurred(text, varies):
    return re.sub(varies, "*", text) if varies else text


def compare(what, direct, guarded, same_era, varies):
    """Both are whole answers, as text."""
    want, got = parties.member(direct, "result"), parties.member(guarded, "result")
    if want is None:
        want, got = parties.member(direct, "error"), parties.member(guarded, "error") or parties.member(guarded, "result")
        message = json.loads(want)["message"]
        assert got and json.dumps(message)[1:-1] in got or message in json.dumps(json.loads(got)), (what, want, got)
        return
    assert got is not None, (what, direct[:500], guarded[:500])
    want, got = blurred(want, varies), blurred(got, varies)
    if same_era:
        assert got == want, (what, want[:800], got[:800])
    else:
        assert outside_splices(got) == outside_splices(want), (what, want[:800], got[:800])
        assert ("resultType" in json.loads(got)) != ("resultType" in json.loads(want)), (what, got[:300])


def run_all(client, server):
    """Every request of a server's table: its answer, or None where this client cannot be asked what it needs."""
    said = [client.first, client.ask("tools/list")]
    for request in server.requests:
        said.append(client.ask(request.method, request.params, {"progressToken": 7} if request.progress else None))
        if request.progress:
            steps = [note["params"] for note in client.notes if note["method"] == "notifications/progress"]
            assert steps and all(step["progressToken"] == 7 for step in steps), (server.name, client.notes)
            client.notes.clear()
    return said


def compare_lists(server, direct, guarded):
    """The guard leaves out what needs the tasks of 2025-11-25, and nothing else."""
    want = {tool["name"]: tool for tool in json.loads(direct)["result"]["tools"]}
    got = {tool["name"]: tool for tool in json.loads(guarded)["result"]["tools"]}
    for name in list(want):
        if want[name].get("execution", {}).get("taskSupport") == "required":
            del want[name]
        else:
            want[name].pop("execution", None)
    assert list(got.items()) == list(want.items()), (server.name, list(want), list(got))


def connect(server, way, modern, http):
    how = {"modern": modern, "abilities": server.abilities, "answers": server.answers}
    if way == "http":
        return parties.Http(http.url, **how)
    return parties.Pipe([parties.TENON, "guard", "--log", "error", "--", *server.words], environment=server.environment, **how)


def guarded(server, way, modern):
    server.prepare()
    if way == "pipe":
        with connect(server, way, modern, None) as client:
            return run_all(client, server)
    with parties.Server([parties.TENON, "guard", "--http", "127.0.0.1:0", "--", *server.words],
                     environment=server.environment) as http, connect(server, way, modern, http) as client:
        return run_all(client, server)


def test_server(server):
    eras = {}
    for modern in ([False, True] if server.modern else [False]):
        server.prepare()
        with parties.Pipe(server.words, modern=modern, abilities=server.abilities, answers=server.answers,
                       environment=server.environment) as client:
            eras[modern] = run_all(client, server)
    count = 0
    for way, modern in WAYS:
        behind = server.modern and modern  # what the guard speaks to it: the era of its client, where it has that
        got = guarded(server, way, modern)
        direct = eras[behind]
        compare_lists(server, direct[1], got[1])
        for request, want, came in zip(server.requests, direct[2:], got[2:]):
            compare(f"{server.name} {way} {'modern' if modern else 'legacy'} {request.method} {request.params}", want, came,
                    behind == modern, request.varies)
            count += 1
    return f"{count} answers compared"


def main(words):
    python = "--python" in words
    words = [word for word in words if not word.startswith("--")]
    with tempfile.TemporaryDirectory(prefix="tenon-upstreams-") as folder:
        found = servers.of_npm(pathlib.Path(folder))
        if python:
            found += servers.of_python(pathlib.Path(folder))
        else:
            print("   left out: servers of PyPI, which take minutes to install; scripts/test --full runs them")
        tests = [(server.name, lambda server=server: test_server(server)) for server in found]
        return parties.main(tests, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
