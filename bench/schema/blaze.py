#!/usr/bin/env python3
"""The same documents through Blaze, by the benchmark of its own program: judging alone, once with its report of errors
and once for the flag. It gives the mean of a run, less what it takes its clock to cost, in whole
nanoseconds: of many short runs the lower quartile counts, as the best may be one where the clock was taken to cost too
much.

    blaze.py DIRECTORY    prints a line for each measurement: its name and nanoseconds for one run"""
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = {"x86_64": "x86_64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
PROGRAM = HERE.parent / f"js/node_modules/@sourcemeta/jsonschema/build/github-releases/jsonschema-linux-{MACHINE}"
RESULT = re.compile(r"(PASS|FAIL) ([\d.]+) \+- [\d.]+ us")
RUN_US, LOOPS_MAX, TURNS = 4000, 20000, 12


def measure(schema, document, loops, flags):
    ran = subprocess.run([PROGRAM, "validate", *flags, "--benchmark", "--loop", str(loops), schema, document],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = RESULT.search(ran.stdout)
    if not found:
        sys.exit(f"blaze.py: {document}: {ran.stdout}")
    return found[1] == "PASS", float(found[2]) * 1000


def main():
    cases = pathlib.Path(sys.argv[1])
    for schema in sorted(cases.glob("*.schema.json")):
        name = schema.name.removesuffix(".schema.json")
        if re.search(r"-\d+$", name):
            continue  # those are for how Tenon's cost grows
        for kind in ("valid", "late"):  # of many faults it stops at the first, and has not read the document
            document = cases / f"{name}.{kind}.json"
            for mode, flags in (("judge", []), ("judge-flag", ["--fast"])):
                passed, once = measure(schema, document, 20, flags)
                if passed != (kind == "valid"):
                    sys.exit(f"blaze.py: {document} is judged otherwise")
                loops = max(20, min(LOOPS_MAX, int(RUN_US * 1000 / max(once, 1))))
                means = sorted(measure(schema, document, loops, flags)[1] for _ in range(TURNS))
                print(f"{name}/{kind}/blaze/{mode} {max(means[TURNS // 4], 1):.2f}")


if __name__ == "__main__":
    main()
