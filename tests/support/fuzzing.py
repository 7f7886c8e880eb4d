"""What the tests of `tenon fuzz` share: runs of it against servers that are wrong on purpose (tests/contract_fuzz/wrong.py)."""
import json
import os
import pathlib
import subprocess
import sys

import parties

TESTS = pathlib.Path(__file__).resolve().parents[1]
WRONG = [sys.executable, str(TESTS / "contract_fuzz" / "wrong.py")]
JS = TESTS / "js"
LISTS = TESTS / "contract_servers" / "lists"
LONG = "--long" in sys.argv
ENVIRONMENT = {**os.environ, "PATH": f"{parties.BUILD}/bin:{os.environ['PATH']}"}


def run(*words, ends=(0, 1), folder=None, **more):
    ran = subprocess.run([parties.TENON, *words], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                         timeout=parties.PATIENCE * 2, env={**ENVIRONMENT, **more})
    assert ran.returncode in ends, (ran.returncode, words, ran.stdout[-1500:], ran.stderr[-1500:])
    return ran


def fuzz(mode, *words, ends=(0, 1), seconds=60, patience=5):
    """A run to its end: what is found depends on the calls alone, not on how many a busy machine had time for."""
    ran = run("fuzz", "--trust-hints", "--json", "--timeout", str(patience), "--time", f"{seconds}s", *words, "--", *WRONG, mode, ends=ends)
    return json.loads(ran.stdout), ran


def classes(report, tool="search"):
    return {one["class"] for one in report["findings"] if one.get("tool") == tool}


def repeat(finding):
    """Runs the line as a person would."""
    return subprocess.run(["sh", "-c", finding["repeat"]], capture_output=True, text=True, env=ENVIRONMENT, timeout=parties.PATIENCE,
                          check=False, stdin=subprocess.DEVNULL)

