#!/usr/bin/env python3
"""The reference is complete and true: pages and manual pages are what scripts/reference makes of the headers, every exported name
stands on them, the manual pages are without a warning of mandoc's, and README's table has the measured figures.

    tests/reference/run.py
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPORTS = ROOT / "tests" / "exports" / "libtenon.txt"


def words(paths):
    return {word for path in paths for word in re.findall(r"\btenon_\w+", path.read_text(encoding="utf-8"))}


def missing(exported, known):
    """A name that ends with _ is called by a macro without it, or by rows; that macro is what people look for."""
    return sorted(name for name in exported if name not in known and not (name.endswith("_") and name.rstrip("_") in known))


def check_names():
    exported = EXPORTS.read_text(encoding="utf-8").split()
    good = len(exported) > 100
    for folder, pattern in ("docs/reference", "*.md"), ("man/man3", "*.3"):
        pages = sorted((ROOT / folder).glob(pattern))
        lost = missing(exported, words(pages))
        if lost:
            print(f"{folder} does not name: {', '.join(lost)}")
        good = good and bool(pages) and not lost
    assert missing(["tenon_no_such_function"], {"tenon_ok"}), "this test finds nothing"
    return good


def glued(text):
    """Lines of prose in which a list of options ran together: a name, spaces, what it means, a name, spaces."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    return [line for line in prose.splitlines() if len(re.findall(r"\S {2,}\S", line)) > 1]


def check_lists():
    bad = [f"{path.name}: {line[:80]}" for path in sorted((ROOT / "docs" / "reference").glob("*.md")) for line in glued(path.read_text(encoding="utf-8"))]
    print("".join(f"a list ran together in {line}\n" for line in bad), end="")
    assert glued("name   for programs; title   for people"), "this test finds nothing"
    return not bad


def check_figures():
    """README's table beside others has the figures of the last measurement, row by row."""
    rows = re.findall(r"^\| (?:\*\*)?([^|*]+?)(?:\*\*)? \| (\d of 6) \| (\d) \| ([\d,]+) \| ([\d.]+) MB \|$",
                      (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    results = (ROOT / "bench" / "results.md").read_text(encoding="utf-8").splitlines()
    good = len(rows) >= 5
    for name, faults, calls, speed, memory in rows:
        line = next((line for line in results if line.startswith(f"| {name} |") or line.startswith(f"| **{name}** |")), "")
        cells = [cell.strip() for cell in line.split("|")]
        found = len(cells) > 9 and cells[2].startswith(f"{speed} ") and cells[7].startswith(f"{memory} ") and cells[9] == f"{faults}<br>{calls}"
        if not found:
            print(f"README.md: the figures of {name} are not those of bench/results.md")
        good = good and found
    return good


def check_manual():
    if not shutil.which("mandoc"):
        print("manual pages: not checked, there is no mandoc (scripts/setup installs it)")
        return True
    pages = [*sorted((ROOT / "man" / "man3").glob("*.3")), *sorted((ROOT / "man" / "man1").glob("*.1")), ROOT / "man" / "tenon.1"]
    said = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True, check=False).stdout
    print(said, end="")
    return not said


def main():
    current = subprocess.run([ROOT / "scripts" / "reference", "--check"], check=False).returncode == 0
    good = check_names() & check_lists() & check_figures() & check_manual() & current
    print("the reference is complete" if good else "the reference is not as it should be")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
