#!/usr/bin/env python3
"""Pages about the inside are true: every file, function, type, constant and flag that they name exists, and every link leads
somewhere.

    tests/pages/run.py [FILE...]    default: ARCHITECTURE.md, CONTRIBUTING.md, docs/internals and docs/decisions

What stands between backticks is looked for by its form:

    src/mcp/era.h, servers/kit/    a file or folder of the repository; with * at least one; or a method of the protocol
    tn_era_of(), tenon_ok()        a function or macro of src, include or servers
    --db, -L                       a flag that some program, script or page of the manual knows
    struct tn_call, HELD_TASKS     words that are in the code
    LAYER/NAME.c, tn_NOUN_VERB     how names are made: not looked for

The picture must be what its script draws, and name what exists. The test tries itself first, on a page where all is wrong.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/internals/*.md", "docs/decisions/*.md"]
CODE = ["src/**/*.[ch]", "include/**/*.h", "servers/**/*.[ch]"]
WITH_FLAGS = ["man/*", "scripts/*", "src/net/settings*.c", "tests/*/run.*", "bench/*/*.py", "CMakeLists.txt", "cmake/*"]
PATH = re.compile(r"^[\w.*{},+-]+(?:/[\w.*{},+-]*)+$|^[\w-]+\.(?:c|h|md|py|txt|cmake|json|sh|svg)$")
PLACEHOLDER = re.compile(r"(?<![A-Z])(?:AREA|CELL|LAYER|NAME|NOUN|PRESET|VERB)(?![A-Z])")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
FENCED = re.compile(r"^(`{3,}).*?^\1$", re.S | re.M)


def gather(patterns):
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.is_file()]
    return [path for path in found if path != pathlib.Path(__file__).resolve()]


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


CODE_TEXT = "\n".join(COMMENT.sub(" ", read(path)) for path in gather(CODE))
WORDS = set(re.findall(r"\w+", CODE_TEXT))
CALLED = set(re.findall(r"\b(\w+)\s*\(", CODE_TEXT)) | set(re.findall(r"#\s*define\s+(\w+)\(", CODE_TEXT))
FLAG_TEXT = "\n".join(read(path) for path in gather(WITH_FLAGS)) + CODE_TEXT


def path_exists(name):
    if "*" in name or "{" in name:
        alternatives = re.match(r"^(.*)\{([^}]*)\}(.*)$", name)
        if alternatives:
            return all(path_exists(alternatives[1] + part + alternatives[3]) for part in alternatives[2].split(","))
        return any(ROOT.glob(name))
    return (ROOT / name).exists()


def flag_exists(flag):
    name = flag.lstrip("-")
    quoted = re.search(rf'"(?:--?)?{re.escape(name)}"', FLAG_TEXT)
    return bool(quoted or re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", FLAG_TEXT))


def span_problem(span):
    """What is wrong with a span of code, or None."""
    first = span.split()[0] if span.split() else ""
    if PLACEHOLDER.search(span):
        return None
    if PATH.match(first) and not first.startswith("--"):
        is_method = f'"{first}"' in CODE_TEXT and not first.endswith(".h")  # tools/call is not a file
        return None if is_method or path_exists(first) else f"there is no file {first}"
    for flag in re.findall(r"(?<![\w-])--?[a-z][\w-]*", span):
        if not flag_exists(flag):
            return f"no program knows the flag {flag}"
    for name in re.findall(r"\b(\w+)\(\)", span):
        if name not in CALLED:
            return f"there is no function {name}()"
    for name in re.findall(r"\b(?:tn_|tenon_|TENON_)\w+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b", span):
        if name not in WORDS and name not in FLAG_TEXT:
            return f"the code has no {name}"
    return None


def headings_of(text):
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def link_problem(path, target):
    name, _, heading = target.partition("#")
    if "://" in target:
        return None
    leads_to = path.parent / name if name else path
    if not leads_to.exists():
        return f"the link to {target} leads nowhere"
    if heading and heading not in headings_of(read(leads_to)):
        return f"{name or 'the page'} has no heading #{heading}"
    return None


def problems_of(path, text):
    prose = FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
    for number, line in enumerate(prose.splitlines(), 1):
        found = [span_problem(span) for span in re.findall(r"`([^`]+)`", line)]
        found += [link_problem(path, target) for target in re.findall(r"\]\(([^)\s]+)\)", line)]
        for problem in filter(None, found):
            yield f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name}:{number}: {problem}"


def try_itself():
    """A page where every line is wrong, in a folder of its own: each must be found."""
    wrong = ["`src/mcp/no_such.c`", "`src/none/*.c`", "`tn_no_such()`", "`--no-such-flag`", "`struct tn_no_such`",
             "`NO_SUCH_LIMIT`", "[away](no/such.md)", "[down](#no-such)"]
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "wrong.md"
        page.write_text("\n".join(wrong), encoding="utf-8")
        found = list(problems_of(page, read(page)))
    return [] if len(found) == len(wrong) else [f"tests/pages/run.py finds {len(found)} of {len(wrong)} mistakes: {found}"]


def picture_problems():
    for script in gather(["docs/pictures/*.py"]):
        drawn = subprocess.run([sys.executable, script, "--check"], stdout=subprocess.PIPE, text=True, check=False)
        if drawn.returncode:
            yield drawn.stdout.strip()
        names = re.findall(r">((?:src|servers|include)/[\w/]*|(?:tn|tenon)_\w+)<", read(script.with_suffix(".svg")))
        for name in names:
            if "/" in name and not path_exists(name) or "/" not in name and name not in WORDS:
                yield f"{script.relative_to(ROOT)}: there is no {name}"


def main(arguments):
    pages = [pathlib.Path(name).resolve() for name in arguments] or gather(PAGES)
    problems = try_itself() + list(picture_problems())
    for path in pages:
        problems += problems_of(path, read(path))
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
