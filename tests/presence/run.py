#!/usr/bin/env python3
"""Which options a row has does not depend on the compiler, the language or the spelling.

    tests/presence/run.py [--update]

Compiles every.c with each gcc and clang that is installed, in each language that one of them knows, without a warning, and runs
it: what it prints is in every.txt.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
NAMES = ["gcc", "clang", *(f"gcc-{n}" for n in range(9, 20)), *(f"clang-{n}" for n in range(12, 26))]
C23 = "-DTEN_THOUSAND=10'000"
LANGUAGES = [["-std=c17"], ["-std=gnu17"], ["-std=c2x", C23], ["-std=gnu2x", C23], ["-std=c17", "-DTENON_NO_COUNTER_"]]
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Woverride-init", "-Werror", "-I", ROOT / "include"]
LINT = "-DTENON_LINT"


def compilers():
    """Each program once, whatever its names."""
    found = {}
    for name in NAMES:
        path = shutil.which(name)
        if path:
            found.setdefault(os.path.realpath(path), name)
    return list(found.values())


def output_of(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def readable(text):
    """A line for each parameter, then the answer."""
    schema, answer = text.splitlines()
    lines = [f"{name}: {json.dumps(value)}" for name, value in json.loads(schema)["properties"].items()]
    return "\n".join(lines + [json.dumps(json.loads(answer))]) + "\n"


def build(compiler, folder, *flags):
    """The program, or None: it must compile without a word."""
    program = pathlib.Path(folder) / "every"
    library = BUILD / "lib"
    status, words = output_of([compiler, *flags, *FLAGS, HERE / "every.c", "-o", program, f"-L{library}", "-ltenon",
                               f"-Wl,-rpath,{library}"])
    if status or words:
        print(f"FAIL {compiler} {' '.join(flags)} must compile it without a warning:\n{words}")
        return None
    return program


def main():
    want, failed, count = HERE / "every.txt", False, 0
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers():
            for language in LANGUAGES:
                program = build(compiler, folder, *language)
                count += 1
                if not program:
                    failed = True
                    continue
                status, text = output_of([program])
                got = readable(text) if status == 0 else text
                if sys.argv[1:] == ["--update"] and status == 0:
                    want.write_text(got)
                if got != want.read_text():
                    print(f"FAIL {compiler} {' '.join(language)}: differs from every.txt:\n{got}")
                    failed = True
            program = build(compiler, folder, "-std=c17", LINT)
            status, text = output_of([program]) if program else (0, "")
            if status == 0 or "TENON_LINT" not in text:
                print(f"FAIL {compiler} {LINT}: the library must refuse what is compiled for the compiler's eyes only:\n{text}")
                failed = True
    print(f"{count} programs of {', '.join(compilers())}")
    return 1 if failed or count == 0 else 0


sys.exit(main())
