#!/usr/bin/env python3
"""Runs the client scenarios of the official conformance suite with `tenon` as the client.

    tests/client_conformance/run.py                  every scenario, at every revision that it is asked at
    tests/client_conformance/run.py --scenario NAME  one, with all that was said

A check that failed or was warned of fails the test. So does one that the suite had no occasion for, unless skips.txt
names it with the reason; a line there that is not needed any more fails it too, so that the list stays true.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NODE = HERE.parent / "js" / "node"
SUITE = HERE.parent / "js" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", HERE.parents[1] / "build" / "release")) / "bin" / "tenon"
TIMEOUT_MS = "240000"  # the suite starts all scenarios at once, and most wait for their turn (driver.py)
RUNS = {
    "every scenario": ["--suite", "all"],
    "2026-07-28": ["--requirements", "2026-07-28"],
}


def suite(*words, slots=""):
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment.pop("TENON_TOKEN", None)
    environment["TENON_DRIVER_SLOTS"] = slots
    return subprocess.run([NODE, SUITE, "client", "--command", f"{sys.executable} {HERE / 'driver.py'}", "--timeout",
                           TIMEOUT_MS, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


def skips():
    """(scenario, check): reason."""
    rows = {}
    for line in (HERE / "skips.txt").read_text(encoding="utf-8").splitlines()[1:]:
        name, bar, reason = line.partition(" | ")
        if bar:
            scenario, _, check = name.partition(": ")
            rows[scenario, check] = reason
    return rows


def judged(folder):
    """Every check that a run left behind, with its scenario."""
    for entry in sorted(folder.rglob("checks.json")):
        name = re.sub(r"-\d{4}-\d\d-\d\dT[\dZ-]+$", "", str(entry.parent.relative_to(folder)))
        checks = json.loads(entry.read_text(encoding="utf-8"))
        yield from ((name, check) for check in checks)


def run(title, words, skipped, needed):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as slots:
        done = suite(*words, "-o", folder, slots=slots)
        checks = list(judged(pathlib.Path(folder)))
    counts, bad = {}, []
    for scenario, check in checks:
        status = check["status"]
        counts[status] = counts.get(status, 0) + 1
        if status not in ("FAILURE", "WARNING", "SKIPPED"):
            continue
        if status == "SKIPPED" and (scenario, check["id"]) in skipped:
            needed.add((scenario, check["id"]))
        else:
            text = " ".join((check.get("errorMessage") or check["description"]).split())
            bad.append(f"    {status} {scenario}: {check['id']}: {text[:300]}")
    scenarios = {scenario for scenario, _ in checks}
    fine = not bad and len(scenarios) > 20 and counts.get("SUCCESS", 0) > 100
    print(f"{'ok' if fine else 'FAILED'} {title}: {len(scenarios)} scenarios, "
          + ", ".join(f"{count} {status.lower()}" for status, count in sorted(counts.items())))
    if not fine:
        print("\n".join(bad) if bad else done.stdout)
    return fine


def main():
    if "built without libcurl" in subprocess.run([TENON, "tools", "http://127.0.0.1:9/"], capture_output=True, text=True,
                                                 check=False).stderr:
        print("skipped: this tenon reaches no addresses")
        return 0
    if sys.argv[1:2] == ["--scenario"]:
        done = suite("--verbose", *sys.argv[1:])
        print(done.stdout)
        return done.returncode
    skipped, needed = skips(), set()
    fine = all([run(title, words, skipped, needed) for title, words in RUNS.items()])
    for (scenario, check), reason in skipped.items():
        print(f"not tried: {scenario}: {check}: {reason}")
    for scenario, check in skipped.keys() - needed:
        print(f"FAILED: {scenario}: {check} stands in skips.txt, and is tried")
        fine = False
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
