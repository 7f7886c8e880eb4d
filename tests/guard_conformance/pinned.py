#!/usr/bin/env python3
"""The suites of 2026-07-28 and 2025-11-25 through the guard, in front of servers that speak one revision each.

What cannot pass is written down here, with its reason; everything else must.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
SECONDS = 600  # until a run that hangs has failed

# What cannot pass in front of a server of before 2026-07-28, by the beginning of "SCENARIO: CHECK". The suites before that revision
# pass whole, but for what its oldest revision does not have.
LEGACY = {
    "input-required-result-": "they expect the server's own keys, several questions in one result, and its own state",
    "tasks-": "the extension is of 2026-07-28: a server before it does not offer it",
    "server-stateless: sep-2575-server-rejects-undeclared-capability": "such a server cannot say -32021",
    "server-stateless: sep-2575-missing-capability-http-400": "the same",
}
CANNOT = {revision: LEGACY for revision in REVISIONS[:-1]}
CANNOT["2024-11-05"] = {**LEGACY, "tools-call-audio": "there is no audio in that revision"}


def run(revision):
    behind = "\n".join([sys.executable, str(HERE / "pin.py"), revision])
    done = subprocess.run([HERE.parent / "conformance" / "run.sh"], capture_output=True, text=True, timeout=SECONDS, check=False,
                          env={**os.environ, "TENON_TEST_GUARDED": "1", "TENON_TEST_BEHIND": behind})
    return done.stdout + done.stderr


def main():
    good = True
    for revision in sys.argv[1:] or REVISIONS:
        suite, passed, unforeseen, failed = None, {}, [], {}
        for line in run(revision).splitlines():
            head = re.match(r"(?:ok|FAILED) (\S+): \d+ scenarios, (\d+) checks passed", line)
            wrong = re.match(r"    FAILURE ((\S+): .*)", line)
            if head:
                suite, passed[head[1]] = head[1], int(head[2])
            elif wrong:
                failed.setdefault(suite, set()).add(wrong[2])
                if not any(wrong[1].startswith(one) for one in CANNOT.get(revision, {})):
                    unforeseen.append(line)
        for suite, count in passed.items():
            print(f"{suite} in front of {revision}: {count} checks passed, {len(failed.get(suite, ()))} scenarios failed")
        print("\n".join(unforeseen), flush=True)
        good = good and not unforeseen and len(passed) >= 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
