#!/usr/bin/env python3
"""Every example of the documentation is a test.

Reads the fenced code blocks of README.md and docs/**/*.md (or of the files given). By a block's info string:

    ```c run         compiled against libtenon and run; it must exit with 0
    ```c fragment    shown, not compiled
    ```sh run        executed with bash -e in the root of the repository
    ```output        directly after a `run` block: must equal what that block printed
    ```c             refused: say `run` or `fragment`

Other languages are left alone. A command can use $TENON_BUILD_DIR.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")
SECONDS = 60


class Block:
    def __init__(self, path, line, info, text, adjacent):
        self.where = f"{path}:{line}"
        words = info.split()
        self.language = words[0] if words else ""
        self.words = words[1:]
        self.text = text
        self.adjacent = adjacent  # nothing but blank lines since the block before


def read_blocks(path, name):
    blocks, opening, body, adjacent = [], None, [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if opening is None:
            match = FENCE.match(line)
            if match:
                opening, body = (number, match), []
            elif line.strip():
                adjacent = False
            continue
        start, match = opening
        fence = match["fence"]
        closing = line.strip()
        if len(closing) >= len(fence) and set(closing) == {fence[0]}:
            blocks.append(Block(name, start, match["info"], "".join(text + "\n" for text in body), adjacent))
            opening, adjacent = None, True
        else:
            indent = len(match["indent"])
            body.append(line[indent:] if line[:indent].isspace() else line)
    if opening is not None:
        raise SystemExit(f"{name}:{opening[0]}: this block is never closed")
    return blocks


def run(command, **options):
    environment = dict(os.environ, TENON_BUILD_DIR=str(BUILD), PATH=f"{BUILD}/bin:{os.environ['PATH']}")
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, encoding="utf-8", errors="replace", timeout=SECONDS, env=environment, **options)


def run_c(block, directory):
    source, program = directory / "example.c", directory / "example"
    source.write_text(block.text, encoding="utf-8")
    compiler = shlex.split(os.environ.get("CC", "cc"))
    library = BUILD / "lib"
    built = run([*compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include"), str(source),
                 "-o", str(program), "-L", str(library), "-ltenon", f"-Wl,-rpath,{library}"])
    return built if built.returncode else run([str(program)], cwd=directory)


def run_sh(block, _directory):
    return run(["bash", "-e", "-c", block.text], cwd=ROOT)


def check_run(block, following):
    """Says what is wrong with a `run` block, or None."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            result = {"c": run_c, "sh": run_sh}[block.language](block, pathlib.Path(directory))
        except subprocess.TimeoutExpired:
            return f"still running after {SECONDS} seconds"
    if result.returncode:
        return f"failed with {result.returncode}\n{result.stdout}{result.stderr}"
    if following is None or result.stdout == following.text:
        return None
    lines = difflib.unified_diff(following.text.splitlines(), result.stdout.splitlines(),
                                 "the documentation", "the program", lineterm="")
    return "prints something else\n" + "\n".join(lines)


def check_file(path, name):
    """Returns how many blocks ran, and the problems."""
    ran, problems, blocks = 0, [], read_blocks(path, name)
    for block, following in zip(blocks, [*blocks[1:], None]):
        expected = following if following and following.language == "output" and following.adjacent else None
        if block.language == "c" and sorted(block.words) not in (["run"], ["fragment"]):
            problems.append(f"{block.where}: a C block says either `run` or `fragment`")
        elif block.language in ("c", "sh") and block.words == ["run"]:
            ran += 1
            problem = check_run(block, expected)
            if problem:
                problems.append(f"{block.where}: {problem}")
    previous = None
    for block in blocks:
        if block.language == "output" and not (previous and block.adjacent and previous.words == ["run"]):
            problems.append(f"{block.where}: an output block stands directly after a `run` block")
        previous = block
    return ran, problems


def main(arguments):
    files = [pathlib.Path(name).resolve() for name in arguments]
    files = files or [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if path.exists()]
    total, failed = 0, False
    for path in files:
        ran, problems = check_file(path, os.path.relpath(path, ROOT))
        total += ran
        for problem in problems:
            print(problem)
            failed = True
    print(f"{total} examples run in {len(files)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
