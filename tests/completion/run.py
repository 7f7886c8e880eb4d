#!/usr/bin/env python3
"""Completion in bash, zsh and fish: options, targets, and the names that only the server of the line knows.

    tests/completion/run.py [NAME...]    default: every test
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "support"))
import folders  # noqa: E402
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
TENON = BUILD / "bin" / "tenon"
SERVER = BUILD / "examples" / "server"
SCRIPTS = ROOT / "completions"
SECONDS = 60

HOSTILE = r"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "tools/list":
        names = ["$(touch owned)", "; touch owned", "`touch owned`", "a b", "new\nline", "\u202edrow", "x" * 500, "fine", "--json=1", "'q'"]
        result = {"tools": [{"name": name, "description": "evil\x1b[2J\ttext", "inputSchema": {"type": "object"}} for name in names]}
    elif message["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
    else:
        result = None
    if "id" in message:
        answer = {"result": result} if result else {"error": {"code": -32601, "message": "no"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""


def environment(place):
    return {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm", "HOME": str(place), "XDG_CONFIG_HOME": "", "ZDOTDIR": str(place),
            "PATH": f"{TENON.parent}:{os.environ['PATH']}"}


def run(*words, cwd, **options):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False,
                          stdin=subprocess.DEVNULL, env=environment(cwd), **options)
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def proposed(line, cwd):
    """Candidates by their texts, without what they are."""
    return [text.split("\t")[0] for text in run(TENON, "propose", line, cwd=cwd).splitlines()]


# A line up to the cursor, and what must be among the candidates, and what must not.
LINES = [
    ("tenon ", ["call", "watch", "help"], ["supervise", "propose"]),
    ("tenon help sh", ["shell"], ["serve"]),
    ("tenon call --", ["--json", "--era", "--verbose"], ["--user"]),
    ("tenon call --era ", ["modern", "legacy"], []),
    ("tenon call --era=", ["--era=modern", "--era=legacy"], []),
    ("tenon call --token-file ", [":files"], ["notes"]),
    ("tenon lint --output s", ["sarif"], ["json"]),
    ("tenon validate --dialect 2", ["2020-12", "2019-09"], ["draft-07"]),
    ("tenon serve d", ["docs"], ["kyc"]),
    ("tenon serve docs --root ", [":folders"], []),
    ("tenon docs s", ["search", "status"], ["ask"]),
    ("tenon install c", ["claude-code", "cursor"], ["vscode"]),
    ("tenon guard --unknown ", ["near", "reject"], []),
    ("tenon tools ", ["notes", ":files"], []),
    ("tenon call -- np", [":files"], ["notes"]),
    ("tenon call {server} ", ["search_notes", "remind"], [":files"]),
    ("tenon call '{server}' re", ["remind"], ["search_notes"]),
    ("tenon call notes ", ["search_notes", "remind"], []),
    ("tenon call --era legacy {server} ", ["search_notes"], []),
    ("tenon call --verbose {server} search_notes ", ["text="], []),
    ("tenon call {server} search_notes text=x ", ["limit="], ["text="]),
    ("tenon prompt {server} ", ["summarize"], []),
    ("tenon prompt {server} summarize ", ["topic="], []),
    ("tenon call 'unclosed ", [], []),
    ("tenon call /nowhere/at/all ", [], []),
    ("tenon nonsense ", [], []),
    ("", [], []),
]


def test_proposes(place):
    (place / ".mcp.json").write_text(json.dumps({"mcpServers": {"notes": {"command": str(SERVER)}}}))
    for line, wanted, unwanted in LINES:
        got = proposed(line.format(server=SERVER), place)
        assert set(wanted) <= set(got) and not set(unwanted) & set(got), f"{line!r}: {got}"


def test_names_of_a_hostile_server_are_left_out(place):
    (place / "evil.py").write_text(HOSTILE)
    line = f"tenon call '{sys.executable} evil.py' "
    lines = run(TENON, "propose", line, cwd=place).splitlines()
    assert [text.split("\t")[0] for text in lines] == ["fine"], lines
    assert "\x1b" not in "".join(lines) and lines[0].count("\t") == 1, lines
    assert complete_bash(line, place) == ["fine"] and not (place / "owned").exists()


# ---- The shells -------------------------------------------------------------------------------------------------------

def complete_bash(line, place):
    script = f'. {SCRIPTS}/tenon.bash; COMP_LINE=$1 COMP_POINT=${{#1}} COMP_WORDBREAKS=$\' \\t\\n"\\\'><=;|&(:\'; ' \
             '_tenon tenon; printf "%s\\n" "${COMPREPLY[@]}"'
    return run("bash", "--norc", "-c", script, "bash", line, cwd=place).splitlines()


def test_bash(place):
    (place / "some file").touch()
    for line, wanted in (f"tenon call {SERVER} re", ["remind"]), (f"tenon call {SERVER} remind se", ["seconds="]), \
            ("tenon call --era=le", ["legacy"]), ("tenon call --token-file so", ["some file"]), ("tenon inst", ["install"]):
        assert complete_bash(line, place) == wanted, (line, complete_bash(line, place))


def test_fish(place):
    if not shutil.which("fish"):
        print("fish: not tested, there is no fish (scripts/setup installs it)")
        return
    for line, wanted in (f"tenon call {SERVER} re", "remind\tWait, then say how many notes there are."), ("tenon inst", "install\t"), \
            (f"tenon call {SERVER} remind se", "seconds=\t"):
        got = run("fish", "--no-config", "-c", f"source {SCRIPTS}/tenon.fish; complete --do-complete '{line}'", cwd=place)
        assert got.startswith(wanted) and got.count("\n") == 1, (line, got)


def test_zsh(place):
    """A terminal: its completion works nowhere else."""
    if not shutil.which("zsh"):
        print("zsh: not tested, there is no zsh (scripts/setup installs it)")
        return
    (place / ".zshrc").write_text(f"PS1='ready>'; fpath=({SCRIPTS} $fpath); autoload -U compinit; compinit -u -D\n")
    (place / "srv").symlink_to(SERVER)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(place)
        os.execvpe("zsh", ["zsh", "-i"], environment(place))
    shown = b""

    def until(part, keys):
        nonlocal shown
        end = time.monotonic() + SECONDS
        while part not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                shown = re.sub(rb"\x1b\[[\d;?]*[a-zA-Z]|\x1b[=>]", b"", shown + os.read(terminal, 4096))
        assert part in shown, shown
        shown = b""
        os.write(terminal, keys)

    until(b"ready>", b"tenon cal\t")
    until(b"call ", b"./srv re\t")
    until(b"remind ", b"se\t")
    until(b"seconds=", b"0\r")
    until(b"seconds are over", b"exit\r")
    os.waitpid(child, 0)
    os.close(terminal)


if __name__ == "__main__":
    folders.main(globals(), sys.argv[1:])
