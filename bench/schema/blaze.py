#!/usr/bin/env python3
"""The same documents through Blaze, by the benchmark of its own program: judging alone, once with its report of errors
and once for the flag.

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
RUN_US, LOOPS_MAX, TURNS = 40000, 20000, 3


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
        for kind in ("valid", "late", "many"):
            document = cases / f"{name}.{kind}.json"
            for mode, flags in (("judge", []), ("judge-flag", ["--fast"])):
                passed, once = measure(schema, document, 20, flags)
                if passed != (kind == "valid"):
                    sys.exit(f"blaze.py: {document} is judged otherwise")
                loops = max(20, min(LOOPS_MAX, int(RUN_US * 1000 / max(once, 1))))
                best = min(measure(schema, document, loops, flags)[1] for _ in range(TURNS))
                print(f"{name}/{kind}/blaze/{mode} {best:.2f}")


if __name__ == "__main__":
    main()
