#!/usr/bin/env python3
"""Runs the sessions of the command line: what is written there must be what is printed.

    tests/cli/run.py [--update] [NAME...]    default: every tests/cli/*.session

A session is a series of commands with what they say:

    $ tenon validate person.json bad.json      run by bash in a fresh copy of tests/cli/files
    bad.json:2:10: name must be ...            a line of standard output
    ! tenon: ...                               a line of standard error
    = 1                                        how it ended; left out when with 0

Lines that begin with # are remarks; blank ones are what was printed. --update writes what was said; read the difference before you keep it.
Beside that, --help, the manual page and the shell completion must know the same options.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve() / "bin"
SECONDS = 60


def environment():
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return dict(kept, PATH=f"{BIN}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="xterm",
                TENON_SOURCE=str(ROOT))


def run(command, directory):
    return subprocess.run(["bash", "-c", command], cwd=directory, env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, check=False)


def shown(data):
    """Bytes as lines; what a terminal would obey is spelled out."""
    text = data.decode("utf-8", "backslashreplace")
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda match: f"\\x{ord(match[0]):02x}", text).splitlines()


def play(lines, directory):
    """The session as it is: its commands, and what they say now."""
    for line in lines:
        if line.startswith("$ "):
            yield line
            result = run(line[2:], directory)
            yield from shown(result.stdout)
            yield from (f"! {text}".rstrip() for text in shown(result.stderr))
            if result.returncode:
                yield f"= {result.returncode}"
        elif line.startswith("#"):
            yield line


def check(path, updating):
    lines = path.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory) / "files"
        shutil.copytree(HERE / "files", place, symlinks=True)
        real = list(play(lines, place))
    if updating:
        path.write_text("\n".join(real) + "\n", encoding="utf-8")
        return True
    for text in difflib.unified_diff(lines, real, path.name, "the program", lineterm=""):
        print(text)
    return lines == real


APPROVALS = {"approve", "all", "diff", "by"}  # of `pin` alone


def documented(manual, command):
    """The options of a command's section in the manual, and of those whose options it takes too."""
    section = re.search(rf"^\.Ss {command}\n(.*?)^\.S[sh] ", manual, re.M | re.S)[1]
    found = set(re.findall(r"^\.It (?:Fl \w , )?Fl -([\w-]+)", section, re.M))
    more = {"call": "tools", "inspect": "tools", "read": "tools", "prompt": "tools", "complete": "tools", "shell": "tools", "pin": "tools", "verify": "pin", "diff": "pin", "lint": "pin"}.get(command)
    return found | (documented(manual, more) - APPROVALS) if more else found


COMMANDS = """
tools call inspect read prompt complete shell
new install watch tee replay
docs db token validate
pin verify diff lint
""".split()


def check_options():
    """Each option of --help stands in the manual page and is proposed, and no other does."""
    manual = (ROOT / "man" / "tenon.1").read_text(encoding="utf-8")
    good = True
    for command in COMMANDS:
        help_text = shown(run(f"tenon {command} --help", HERE).stdout)
        options = {match for line in help_text for match in re.findall(r"^  (?:-\w, )?--([\w-]+)", line)}
        proposed = shown(run(f"tenon propose 'tenon {command} --'", HERE).stdout)
        for name, found in ("man/tenon.1", documented(manual, command)), \
                ("tenon propose", {line.split("\t")[0][2:] for line in proposed}):
            if found != options or not options:
                print(f"{command}: {name} and --help differ in: {', '.join(sorted(found ^ options))}")
                good = False
    return good


def check_guard():
    """What `guard` has beside the options of every server stands in the manual."""
    manual = (ROOT / "man" / "tenon.1").read_text(encoding="utf-8")
    own = run("tenon guard --help", HERE).stdout.decode().partition("What is guarded:\n")[2].partition("Where it serves:\n")[0]
    options = set(re.findall(r"^  --([\w-]+)", own, re.M))
    differ = options ^ documented(manual, "guard")
    if differ or not options:
        print(f"guard: man/tenon.1 and --help differ in: {', '.join(sorted(differ))}")
    return not differ and bool(options)


def check_servers():
    """Each option of a server stands in its part of the manual, and in its page."""
    manual = (ROOT / "man" / "tenon.1").read_text(encoding="utf-8")
    good = True
    for server, section, page in ("docs", "docs", "docs-server"), ("appsec", "serve appsec", "appsec"), ("kyc", "serve kyc", "kyc"), \
            ("pentest", "serve pentest", "pentest"):
        answer = run(f"tenon serve {server} --help", HERE)
        if answer.returncode:  # it is not built
            continue
        own = answer.stdout.decode().partition("Of this server:\n")[2].partition("\n\n")[0]
        options = set(re.findall(r"^  --([\w-]+)", own, re.M))
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        for name, missing in ("man/tenon.1", options - documented(manual, section)), \
                (f"docs/{page}.md", {option for option in options if not re.search(rf"--{option}\b(?!-)", text)}):
            if missing or not options:
                print(f"{server}: {name} does not know: {', '.join(sorted(missing))}")
                good = False
    return good


def main(arguments):
    updating = arguments[:1] == ["--update"]
    names = arguments[updating:] or sorted(path.stem for path in HERE.glob("*.session"))
    good = [check(HERE / f"{name}.session", updating) for name in names]
    print(f"{len(good)} sessions, {good.count(False)} that differ")
    return 0 if check_options() & check_guard() & check_servers() and all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
