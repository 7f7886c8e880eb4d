#!/usr/bin/env python3
"""tenon fuzz against servers that are wrong on purpose: each verdict is found and no other, and the lines that repeat it do.

    tests/contract_fuzz/run.py [WORD...]     the tests whose name has a WORD in it
"""
import json
import pathlib
import re
import shlex
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import parties  # noqa: E402
from fuzzing import LISTS, WRONG, classes, fuzz, repeat, run  # noqa: E402


# ---- Verdicts -----------------------------------------------------------------------------------------------------------

# mode: what is found of the tool, and what the lines that repeat it end with and print
VERDICTS = {
    "good": (set(), None, None),
    "right-result": (set(), None, None),
    "chatters": (set(), None, None),
    "accepts": ({"accepted"}, 0, "3 hits"),
    "accepts-limit": ({"accepted"}, 0, "3 hits"),
    "vague": ({"vague"}, 1, "Invalid arguments"),
    "first": ({"vague"}, 1, "error:"),
    "protocol-error": ({"protocol error"}, (1, 2), "-32602"),
    "wrong-result": ({"wrong result"}, 0, "three"),
    "no-structure": ({"wrong result"}, 0, "3 hits"),
    "not-a-result": ({"wrong result"}, (1, 2), ""),
    "hangs": ({"hang"}, 2, "not answer in time"),
    "crashes": ({"crash"}, 2, "ended without an answer"),
    "signal": ({"crash"}, 2, "ended without an answer"),
    "crashes-later": ({"crash"}, None, None),
    "dies-of-junk": ({"crash"}, 2, "ended without an answer"),
}
FAILS = {"accepted", "wrong result", "hang", "crash", "leak"}


def check_verdict(mode):
    expected, code, printed = VERDICTS[mode]
    report, ran = fuzz(mode, seconds=4 if mode == "chatters" else 60, patience=1 if "hang" in expected else 5)
    found = classes(report)
    assert found == expected, (mode, found, ran.stdout[-3000:], ran.stderr[-500:])
    assert ran.returncode == (1 if expected & FAILS else 0), (mode, ran.returncode)
    marks = {one["tool"]: one["score"] for one in report["tools"]}
    assert (marks["search"]["mark"] == 100) == (not expected), (mode, marks)
    for finding in [one for one in report["findings"] if one.get("tool") == "search"][:4]:
        if code is None:
            break
        again = repeat(finding)
        assert again.returncode in (code if isinstance(code, tuple) else (code,)) and printed in again.stdout + again.stderr, (mode, finding, again)
    if mode == "crashes":
        assert any("so to speak" in one["why"] for one in report["findings"]), report["findings"]
    if mode == "signal":
        assert any("SIGSEGV" in one["why"] or "signal 11" in one["why"] for one in report["findings"]), report["findings"]
    return ", ".join(sorted(found)) or "nothing"


def test_protocol_faults_are_found():
    report, _ = fuzz("deaf-to-texts")
    found = [one for one in report["findings"] if "tool" not in one]
    assert found and all(one["class"] == "hang" for one in found), found
    assert "an id that is a text" in found[0]["message"], found[0]
    again = repeat(found[0])
    assert again.returncode == 2 and "no answer, though" in again.stderr, again
    report, _ = fuzz("dies-of-junk")
    found = [one for one in report["findings"] if "tool" not in one]
    assert {one["class"] for one in found} == {"crash"}, found
    again = repeat(found[0])
    assert again.returncode == 2 and "ended without an answer" in again.stderr, again


def growth(why):
    """Does the finding show that the memory grows, pass by pass, by what it says of a call?"""
    steps = [(int(size), int(count or 0)) for size, count in re.findall(r"(\d+) MiB (?:before|after (\d+) calls)", why)]
    each = int(re.search(r": (\d+) bytes a call$", why)[1])
    assert len(steps) == 4 and all(one < other for one, other in zip(steps, steps[1:])), why
    return abs((steps[-1][0] - steps[0][0]) * 2 ** 20 - each * steps[-1][1]) <= 2 ** 21


def check_leak(mode):
    report, _ = fuzz(mode)
    found = [one for one in report["findings"] if one["class"] == "leak"]
    assert len(found) == 1 and growth(found[0]["why"]), report["findings"]
    assert classes(report) == {"leak"}, report["findings"]
    again = repeat(found[0])  # its line shows the growth, too
    before, after, times = map(int, re.search(r"(\d+) KiB before, (\d+) KiB after (\d+) calls", again.stderr).groups())
    assert again.returncode in (0, 1) and times >= 1000 and after > before + 4096, again.stderr


# ---- Which tools --------------------------------------------------------------------------------------------------------


def test_only_read_only_tools_are_called():
    with tempfile.TemporaryDirectory(prefix="tenon-fuzz-") as folder:
        written = pathlib.Path(folder) / "written"
        command = ["--", *WRONG, "good"]
        ran = run("fuzz", "--time", "2s", *command, ends=(2,), WRITTEN=str(written))
        assert "search, write" in ran.stderr and "no tool may be called" in ran.stderr, ran.stderr
        ran = run("fuzz", "--time", "2s", "--trust-hints", *command, ends=(0,), WRITTEN=str(written))
        assert "left out" in ran.stderr and "write" in ran.stderr and not written.exists(), ran.stderr
        ran = run("fuzz", "--time", "2s", "--read-only", "se*", *command, ends=(0,), WRITTEN=str(written))
        assert not written.exists() and "search" in ran.stdout, ran.stdout
        run("pin", "--all", "--by", "ann", *command, folder=folder, ends=(0,))
        ran = run("fuzz", "--time", "2s", *command, folder=folder, ends=(0,), WRITTEN=str(written))
        assert not written.exists() and "\nsearch" in "\n" + ran.stdout, ran.stdout
        ran = run("fuzz", "--time", "3s", "--all", "--tool", "write", *command, WRITTEN=str(written))
        assert written.exists() and "search" not in ran.stdout, ran.stdout


def test_mistakes_of_the_call():
    for words, says in ([["--seed", "x"], "--seed"], [["--time", "0s"], "--time"], [["--time", "9h"], "--time"],
                        [["--no-such"], "no-such"], [["--output", "xml"], "output"]):
        assert says in run("fuzz", *words, "--", "true", ends=(2,)).stderr, words
    assert "saved list" in run("fuzz", str(next(LISTS.glob("*.json"))), ends=(2,)).stderr
    assert "no/such/program" in run("fuzz", "--all", "--", "/no/such/program", ends=(2,)).stderr
    assert run("fuzz", "--all", "--", *WRONG, "exits", ends=(2,)).stderr.strip()


# ---- The same for the same seed -----------------------------------------------------------------------------------------


def calls_of(*words):
    return run("fuzz", "--dry-run", "--all", *words, ends=(0,)).stdout


def test_plans_depend_on_the_seed_alone():
    name = str(LISTS / "modelcontextprotocol__server-filesystem.json")
    assert calls_of(name) == calls_of(name) == calls_of("--seed", "1", name) != calls_of("--seed", "2", name)
    one, other = fuzz("accepts-limit")[0], fuzz("accepts-limit")[0]
    assert one["findings"] == other["findings"]


# ---- Forms --------------------------------------------------------------------------------------------------------------


def test_forms():
    words = ["fuzz", "--trust-hints", "--time", "3s"]
    command = ["--", *WRONG, "accepts-limit"]
    text = run(*words, *command, ends=(1,)).stdout
    assert text.startswith("tool ") and "accepted  search: limit (" in text and "repeat: tenon call" in text, text
    sarif = json.loads(run(*words, "--output", "sarif", *command, ends=(1,)).stdout)
    results = sarif["runs"][0]["results"]
    assert {one["ruleId"] for one in results} == {"invalid-accepted"}, results
    assert all("repeat" in one["properties"] for one in results)
    suite = xml.etree.ElementTree.fromstring(run(*words, "--output", "junit", *command, ends=(1,)).stdout)
    assert int(suite.get("failures")) == len(results), suite.attrib
    assert run(*words, "--", *WRONG, "vague", ends=(0,)).returncode == 0
    assert run(*words, "--strict", "--", *WRONG, "vague", ends=(1,)).returncode == 1
    line = next(line for line in text.splitlines() if "repeat: " in line).split("repeat: ")[1]
    assert shlex.split(line)[:2] == ["tenon", "call"], line


def main(words):
    tests = [(f"verdict {mode}", lambda mode=mode: check_verdict(mode)) for mode in ("hangs", *VERDICTS)]
    tests += [(f"leak {mode}", lambda mode=mode: check_leak(mode)) for mode in ("leaks", "leaks-refused")]
    return parties.main_at_once(dict(tests + parties.tests_of(sys.modules[__name__])).items(), words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
