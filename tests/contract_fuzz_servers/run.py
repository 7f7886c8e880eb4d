#!/usr/bin/env python3
"""tenon fuzz beside ajv, with real servers and Tenon's own, with and without the guard, and with servers that do their worst.

    tests/contract_fuzz_servers/run.py [WORD...]     the tests whose name has a WORD in it
    tests/contract_fuzz_servers/run.py --long        every recorded list and call, and a minute for each real server; in scripts/test --full
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import parties  # noqa: E402
from fuzzing import JS, LISTS, LONG, WRONG, classes, fuzz, run  # noqa: E402


# ---- Plans beside ajv ---------------------------------------------------------------------------------------------------


def planned(place):
    """The calls of a list by tool, but for hostile ones, which are not all JSON."""
    found = collections.defaultdict(list)
    for line in run("fuzz", "--dry-run", "--all", str(place), ends=(0,)).stdout.splitlines():
        if '"kind":"hostile"' not in line:
            one = json.loads(line)
            found[one["tool"]].append(one)
    return found


def test_recorded_lists():
    """Every call of every recorded tool: valid ones are valid for ajv, faults are not, and no tool is without calls."""
    asked, lines, tools = [], [], 0
    places = sorted(LISTS.glob("*.json"))[:: 1 if LONG else 4]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for place, calls in zip(places, pool.map(planned, places)):
            listed = json.loads(place.read_text())
            listed = listed.get("result", listed)["tools"] if isinstance(listed, dict) else listed
            assert set(calls) == {tool["name"] for tool in listed}, place.name
            tools += len(listed)
            for tool in listed:
                own = calls[tool["name"]] if LONG else calls[tool["name"]][:40]
                asked += [(place.name, one) for one in own]
                lines.append(json.dumps(tool["inputSchema"])[:-1] + ',"x-sent":[' + ",".join(one.get("arguments", "{}") for one in own) + "]}")
    said = subprocess.run([JS / "node", HERE / "agree.mjs"], input="\n".join(lines), capture_output=True, text=True,
                          timeout=parties.PATIENCE * 2, check=True).stdout.split()
    assert len(said) == len(asked), (len(said), len(asked))
    for (name, one), word in zip(asked, said):
        assert word == one["schema"], (name, one, word)
    kinds = [one["kind"] for _, one in asked]
    return (f"{tools} tools, {len(asked)} calls: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("valid", "fault", "dirty", "pair")))


# ---- Real servers -------------------------------------------------------------------------------------------------------


def real(name, *words):
    return [str(JS / "node"), str(JS / "node_modules" / "@modelcontextprotocol" / name / "dist" / "index.js"), *words]


def test_real_servers():
    said = []
    with tempfile.TemporaryDirectory(prefix="tenon-fuzz-") as folder:
        servers = {"server-filesystem": ("--trust-hints", real("server-filesystem", folder)),
                   "server-memory": ("--all", real("server-memory")), "server-everything": ("--all", real("server-everything", "stdio"))}

        def one(name):
            which, command = servers[name]
            return json.loads(run("fuzz", which, "--guarded", "--json", "--time", "60s" if LONG else "2s", "--", *command,
                                  MEMORY_FILE_PATH=f"{folder}/memory.jsonl").stdout)

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for name, report in zip(servers, pool.map(one, servers)):
                guarded = [tool for tool in report["tools"] if tool["guarded"]["calls"]]  # as far as the time was enough
                worse = [tool for tool in guarded if tool["guarded"]["mark"] < 100]
                assert guarded and not worse, (name, worse, report["findings"][:3])
                said.append(f"{name} {sum(tool['score']['calls'] for tool in report['tools'])} calls, "
                            f"{sum(tool['guarded']['calls'] for tool in report['tools'])} through the guard")
    return "; ".join(said)


def test_the_guard_repairs_what_a_server_lacks():
    """Before and after: a server that accepts anything, and one that says nothing, are full marks through the guard."""
    for mode, bad in (("accepts", "accepted"), ("first", "vague"), ("wrong-result", "wrong result")):
        report, _ = fuzz(mode, "--guarded")
        tool = report["tools"][0]
        assert tool["score"][bad] > 0 and tool["score"]["mark"] < 100, (mode, tool)
        assert tool["guarded"]["mark"] == 100 and not report["findings"], (mode, tool, report["findings"][:2])


def test_the_guarded_server_has_its_variables():
    """However many there are, and beside some that no guard passes on."""
    many = {f"VARIABLE_{i}": "x" for i in range(60)}
    ran = run("fuzz", "--trust-hints", "--guarded", "--time", "2s", "--", *WRONG, "needs-variable", ends=(0,), **many,
              SEARCH_KEY="k", PYTHONPATH="/nowhere")
    assert " after " in ran.stdout, (ran.stdout, ran.stderr)


def test_own_servers_have_full_marks():
    """Tenon's own, as far as they were built; every tool of those that reach nothing outside."""
    said = []
    with tempfile.TemporaryDirectory(prefix="tenon-fuzz-") as folder:
        (pathlib.Path(folder) / "docs").mkdir()
        pathlib.Path(folder, "docs", "page.md").write_text("# Title\n\nSome words about releases.\n")
        commands = {"docs": ["--db", f"{folder}/docs.db", "--project", folder, "--no-watch"], "kyc": ["--db", f"{folder}/kyc.db"]}
        for name, words in commands.items():
            if run("serve", name, "--help", ends=(0, 2)).returncode == 2:
                said.append(f"{name}: skipped, this tenon was built without it")
                continue
            report = json.loads(run("fuzz", "--all", "--json", "--time", "60s" if LONG else "2s", "--", str(parties.TENON), "serve", name, *words).stdout)
            bad = [tool for tool in report["tools"] if tool["score"]["calls"] and tool["score"]["mark"] < 100]
            assert not bad, (name, bad, report["findings"][:3])
            said.append(f"{name} {sum(tool['score']['calls'] for tool in report['tools'])} calls")
    return ", ".join(said)


# ---- Hostile servers ----------------------------------------------------------------------------------------------------


def test_a_flood_ends():
    report, _ = fuzz("floods", seconds=5, patience=1)
    assert classes(report), report["findings"]


def test_a_huge_list():
    ran = run("fuzz", "--trust-hints", "--json", "--time", "3s", "--", *WRONG, "huge-list")
    assert len(json.loads(ran.stdout)["tools"]) > 1000


def test_an_endless_list():
    assert run("fuzz", "--trust-hints", "--timeout", "2", "--time", "3s", "--", *WRONG, "endless-list", ends=(2,)).stderr.strip()


def test_stuck_servers_are_ended():
    mark = f"stuck-{os.getpid()}"
    ran = run("fuzz", "--trust-hints", "--json", "--timeout", "1", "--time", "6s", "--", *WRONG, "stuck", mark)
    assert classes(json.loads(ran.stdout)) == {"hang"}, ran.stdout[-2000:]
    parties.until("no process is left", lambda: not parties.processes_with(mark))


if __name__ == "__main__":
    sys.exit(parties.main_at_once(parties.tests_of(sys.modules[__name__]), [word for word in sys.argv[1:] if not word.startswith("--")]))
