#!/usr/bin/env python3
"""Tenon in C++: g++ and clang++ in C++17, 20 and 23, without a warning.

    every.cpp      every kind of row publishes what tests/presence/every.c does, and answers the same
    features.cpp   results, pages, checks, lookups, schemas, prompts, resources, questions, exceptions
    mistakes.txt   programs that must not compile, and what the compiler's first error must say

The macros of C must end in one readable sentence there. Whatever was published is compared with what C published.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
STANDARDS = ["-std=c++17", "-std=c++20", "-std=c++2b"]
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wold-style-cast", "-Werror", "-I", str(ROOT / "include")]
LINES = {"g++": 40, "clang++": 60}  # that a mistake may take; both show each template on the way


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=280)
    return done.returncode, done.stdout


def build(compiler, standard, source, program):
    library = BUILD / "lib"
    return run([compiler, standard, *FLAGS, str(source), "-o", str(program), f"-L{library}", "-ltenon", f"-Wl,-rpath,{library}"])


def published(text):
    """As tests/presence/every.txt has it, without the part of an array that a row of C can name."""
    schema, answer = text.splitlines()[-2:]
    return [f"{name}: {json.dumps(value)}" for name, value in json.loads(schema)["properties"].items()] + [json.dumps(json.loads(answer))]


def try_program(folder, compiler, standard, name):
    program = pathlib.Path(folder) / f"{compiler}{standard}-{name}"
    status, words = build(compiler, standard, HERE / f"{name}.cpp", program)
    if status or words:
        return f"does not compile without a word:\n{words[:4000]}"
    status, words = run([str(program)])
    if name == "features":
        differs = [line for line in words.splitlines() if not line.startswith("tenon: error: tool ")]
        return f"ended with {status}:\n{words}" if status or differs else None
    expected = [line for line in (ROOT / "tests/presence/every.txt").read_text().splitlines() if not line.startswith("at: ")]
    return None if status == 0 and published(words) == expected else f"differs from C:\n{words}"


def mistakes():
    """(what the compiler must say, program), of mistakes.txt."""
    parts = re.split(r"^==== (.*)\n", (HERE / "mistakes.txt").read_text(), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def try_mistake(folder, compiler, number, words, text):
    source = pathlib.Path(folder) / f"{compiler}-{number}.cpp"
    source.write_text("#include <tenon/tenon.hpp>\n" + text)
    flags = FLAGS if words == "nothing" else FLAGS[-2:]
    status, said = run([compiler, "-std=c++17", *flags, "-fsyntax-only", str(source)])
    errors = [line for line in said.splitlines() if "error:" in line]
    if words == "nothing":
        return said or None
    if status == 0 or not errors or not re.search(words, errors[0]):
        return f"mistake {number}: the first error does not say '{words}':\n{said[:3000]}"
    if "is C" in words and len(errors) > 1:
        return f"mistake {number}: more than one error:\n{said[:3000]}"
    lines = len([line for line in said.splitlines() if not re.match(r"(In file included| +)from ", line.lstrip())])
    return f"mistake {number}: in {lines} lines:\n{said[:3000]}" if lines > LINES[compiler] else None


def main():
    if not COMPILERS:
        print("skipped: there is neither g++ nor clang++")
        return 0
    for name in {"g++", "clang++"} - set(COMPILERS):
        print(f"skipped: there is no {name}")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {f"{compiler} {standard} {name}": pool.submit(try_program, folder, compiler, standard, name)
                for compiler in COMPILERS for standard in STANDARDS for name in ("every", "features")
                if (standard, name) != ("-std=c++20", "features")}  # seconds each, and the oldest and the newest say enough
        jobs |= {f"{compiler} mistake {number}": pool.submit(try_mistake, folder, compiler, number, words, text)
                 for compiler in COMPILERS for number, (words, text) in enumerate(mistakes(), 1)}
        failed = {name: job.result() for name, job in jobs.items() if job.result()}
    for name, reason in failed.items():
        print(f"FAIL {name}: {reason}")
    print(f"{len(jobs)} compilations by {' and '.join(COMPILERS)}")
    return 1 if failed else 0


sys.exit(main())
