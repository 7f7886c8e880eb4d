#!/usr/bin/env python3
"""Every example of the documentation is a test.

    tests/docs/run.py [--update] [FILE...]    default: README.md and docs/**/*.md, but for those that tests/pages looks at

Reads the fenced code blocks. By a block's info string:

    ```c run         compiled against libtenon and run; it must exit with 0
    ```c run as X    the same, and later blocks of the page find the program as the command X
    ```cpp run       the same in C++17
    ```sh run        executed with bash -e in the root of the repository
    ```output        directly after a `run` block: must equal what that block printed
    ```output json   the same; JSON in it may be laid out over several lines
    ```c fragment    shown, not compiled; ```sh fragment likewise
    ```sh newcomer   shown; tests/newcomer runs it in a bare root of Debian
    ```nginx         shown; tests/nginx serves with it (and with ```haproxy)
    ```json fragment shown; it must be JSON
    ```python fragment    another SDK's program, beside Tenon's: shown; it must be Python (```js fragment, ```go fragment: shown)
    ```yaml fragment shown; tests/contract_ci runs it
    ```c rows, tool, mistake; json schema, portable, output; calls; answer    see tools.py

A block of any other kind is refused, and so are a page that tests nothing and a link that leads nowhere. A command can use $TENON_BUILD_DIR.
--update writes what the library says into the pages: read the difference before you keep it.
"""
import ast
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import tools  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")
SECONDS = 60
RUNS = {("c", "run"), ("cpp", "run"), ("sh", "run")}
PROGRAMS = tempfile.TemporaryDirectory()  # of `c run as`
SHOWN = {("c", "fragment"), ("cpp", "fragment"), ("sh", "fragment"), ("sh", "newcomer"), ("json", "fragment"), ("yaml", "fragment"), ("python", "fragment"), ("js", "fragment"), ("go", "fragment"), ("nginx",), ("haproxy",)}
OUTPUTS = {("output",), ("output", "json")}
INSIDE = {"internals", "decisions", "reference", "commands"}  # pages without examples: tests/pages and tests/reference hold them
KINDS = RUNS | SHOWN | tools.SUBJECTS | tools.ASKING | OUTPUTS


class Block:
    def __init__(self, path, line, info, text, adjacent):
        self.where = f"{path}:{line}"
        self.line = line  # of the opening fence
        self.kind = tuple(info.split())
        self.program = self.kind[3] if self.kind[:3] in {("c", "run", "as"), ("cpp", "run", "as")} and len(self.kind) == 4 else None
        if self.program:
            self.kind = self.kind[:2]
        self.language = self.kind[0] if self.kind else ""
        self.words = list(self.kind[1:])
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
    environment = dict(os.environ, TENON_BUILD_DIR=str(BUILD), PATH=f"{PROGRAMS.name}:{BUILD}/bin:{os.environ['PATH']}")
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, encoding="utf-8", errors="replace", timeout=SECONDS, env=environment, **options)


def run_c(block, directory):
    source, program = directory / f"example.{block.language}", directory / "example"
    if block.program:
        program = pathlib.Path(PROGRAMS.name) / block.program
    source.write_text(block.text, encoding="utf-8")
    compiler = shlex.split(os.environ.get("CC", "cc")) if block.language == "c" else shlex.split(os.environ.get("CXX", "c++"))
    library = BUILD / "lib"
    built = run([*compiler, "-std=c17" if block.language == "c" else "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include"), str(source),
                 "-o", str(program), "-L", str(library), "-ltenon", f"-Wl,-rpath,{library}"])
    return built if built.returncode else run([str(program)], cwd=directory)


def run_sh(block, _directory):
    return run(["bash", "-e", "-c", block.text], cwd=ROOT)


def laid_out(text, lay):
    """The text, with every JSON object that begins a line passed through `lay`."""
    out, at = [], 0
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: ("object", pairs))
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        if text[at] == "{":
            value, end = decoder.raw_decode(text, at)
            out.append(lay(value))
        else:
            out.append(text[at:end])
        at = end
    return "".join(out)


def says(expected, printed):
    """Whether the output block holds what was printed; else what it should hold."""
    if expected.kind == ("output",):
        return None if expected.text == printed else printed
    same = laid_out(expected.text, tools.show) == laid_out(printed, tools.show)
    return None if same else laid_out(printed, tools.pretty)


def check_run(block, following):
    """Returns what is wrong with a `run` block, and what its output block should hold; None and None when all is well."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            result = {"c": run_c, "cpp": run_c, "sh": run_sh}[block.language](block, pathlib.Path(directory))
        except subprocess.TimeoutExpired:
            return f"still running after {SECONDS} seconds", None
    if result.returncode:
        return f"failed with {result.returncode}\n{result.stdout}{result.stderr}", None
    real = says(following, result.stdout) if following else None
    return ("it prints something else", real) if real is not None else (None, None)


def check_kinds(blocks):
    previous = None
    for block in blocks:
        if block.kind not in KINDS:
            yield block, f"there is no kind of block '{' '.join(block.kind)}'", None
        if block.kind in OUTPUTS and not (
                previous and block.adjacent and (previous.kind in RUNS or previous.kind == ("c", "mistake"))):
            yield block, "an output block stands directly after a `run` or `mistake` block", None
        if block.kind == ("json", "fragment"):
            try:
                json.loads(block.text)
            except ValueError as error:
                yield block, f"this is no JSON: {error}", None
        if block.kind == ("python", "fragment"):
            try:
                ast.parse(block.text)
            except SyntaxError as error:
                yield block, f"this is no Python: {error}", None
        previous = block


def check_blocks(blocks):
    """Yields (block, problem, what it should hold or None)."""
    yield from check_kinds(blocks)
    for block, following in zip(blocks, [*blocks[1:], None]):
        if block.kind in RUNS:
            expected = following if following and following.kind in OUTPUTS and following.adjacent else None
            problem, real = check_run(block, expected)
            if problem:
                yield (block if real is None else expected), problem, real
    with tempfile.TemporaryDirectory() as directory:
        yield from tools.check(blocks, pathlib.Path(directory), ROOT, BUILD / "lib")


def broken_links(path):
    """The links inside the repository that lead nowhere: headings of the page, and files."""
    prose = re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", prose, re.M)}
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        name, _, heading = target.partition("#")
        if "://" in target:
            continue
        if (name and not (path.parent / name).exists()) or (not name and heading not in headings):
            yield target


def tested(blocks):
    return sum(block.kind in RUNS or block.kind in tools.ASKING or block.kind == ("c", "mistake") for block in blocks)


def update(path, changes):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for block, real in sorted(changes, key=lambda change: -change[0].line):
        lines[block.line:block.line + block.text.count("\n")] = real.splitlines(keepends=True)
    path.write_text("".join(lines), encoding="utf-8")


def check_file(path, name, updating):
    """Prints the problems; returns how many blocks were tested, and whether all is well."""
    blocks, changes, good = read_blocks(path, name), [], True
    for block, problem, real in check_blocks(blocks):
        if updating and real is not None:
            changes.append((block, real))
            continue
        good = False
        print(f"{block.where}: {problem}")
        if real is not None:
            print("\n".join(difflib.unified_diff(block.text.splitlines(), real.splitlines(),
                                                 "the documentation", "the library", lineterm="")))
    for target in broken_links(path):
        print(f"{name}: the link to {target} leads nowhere")
        good = False
    if tested(blocks) == 0:
        print(f"{name}: this page tests nothing")
        good = False
    if changes:
        update(path, changes)
        print(f"{name}: {len(changes)} blocks rewritten")
    return tested(blocks), good


def main(arguments):
    updating = arguments[:1] == ["--update"]
    files = [pathlib.Path(name).resolve() for name in arguments[updating:]]
    files = files or [ROOT / "README.md", *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name not in INSIDE)]
    total, good = 0, True
    for path in files:
        count, fine = check_file(path, os.path.relpath(path, ROOT), updating)
        total, good = total + count, good and fine
    print(f"{total} blocks tested in {len(files)} files")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
