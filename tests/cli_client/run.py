#!/usr/bin/env python3
"""Calls a small MCP server with `tenon tools` and `tenon call`: both eras, both transports, good and bad behaviour.

    tests/cli_client/run.py [NAME...]    default: every test

The server (server.py) checks what a client must send, and shows what came.
"""
import contextlib
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve() / "bin" / "tenon"
SERVER = f"{sys.executable} {HERE}/server.py"
SECONDS = 60
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("NO_COLOR", "TENON_TOKEN") and not name.lower().endswith("_proxy")}
ENVIRONMENT["LC_ALL"] = "C.UTF-8"


def tenon(*words, given="", **environment):
    done = subprocess.run([TENON, *words], input=given.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=SECONDS, check=False, env={**ENVIRONMENT, **environment})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@contextlib.contextmanager
def listening(*flags, command=(sys.executable, HERE / "server.py")):
    """The address of a server, and a function that returns what it printed when it has ended."""
    with tempfile.TemporaryFile("w+") as log, \
            subprocess.Popen([*command, "--http", *flags], stdout=subprocess.PIPE, stderr=log, text=True) as server:
        try:
            address = server.stdout.readline().strip()
            yield address, lambda: (server.terminate(), server.stdout.read())[1]
        finally:
            server.terminate()
            server.wait()
            log.seek(0)
            faults = log.read()
    assert not faults, faults


def same(got, wanted):
    assert got == wanted, f"\n  got    {got!r}\n  wanted {wanted!r}"


def ends(got, code, part):
    """The ending, and a part of what was said on standard error."""
    assert got[0] == code and part in got[2], f"{got!r}\n  wanted {code} and {part!r}"


def has_addresses():
    """Without libcurl there are only pipes."""
    return "built without libcurl" not in tenon("tools", "http://127.0.0.1:9/")[2]


def targets():
    """Every way to reach a server: words for the target, by name."""
    for era in "modern", "legacy", "both":
        yield f"pipe {era}", contextlib.nullcontext((f"{SERVER} --era {era}", None))
        for flag in ("", "--sse") if has_addresses() else ():
            yield f"http {era} {flag}", listening("--era", era, *filter(None, [flag]))


# ---- Tools ----------------------------------------------------------------------------------------------------

LISTED = """\
show - Show
  Shows what came.
    text    string, required
    n       integer, default 3
    ratio   number
    on      boolean
    list    string[]
    maybe   integer or null
    ref     integer
    kind    low|high
    region  string
    at      object

good

bad
  Fails

plain
"""


def test_lists_tools_everywhere():
    for name, target in targets():
        with target as (where, _):
            code, out, err = tenon("tools", where)
            assert code == 0 and not err and out.startswith(LISTED), (name, code, out, err)
            assert "\x1b" not in out and "  \\x1B[2Jcleared \\u{202E}\n    \\x1B[1mx  any\n" in out, out


def test_lists_pages():
    code, out, _ = tenon("tools", "--raw", f"{SERVER} --pages 5")
    whole = tenon("tools", "--raw", SERVER)[1]
    assert code == 0 and [tool["name"] for tool in json.loads(out)["tools"]][:2] == ["show", "good"]
    same(out, whole.replace("}, {\"name\": \"structured\"", "},{\"name\": \"structured\"")
         .replace("}, {\"name\": \"asks\"", "},{\"name\": \"asks\""))
    ends(tenon("tools", f"{SERVER} --pages 5 --rude endless"), 2, "more than 1000 pages")


NOTES = TENON.parent.parent / "examples" / "server"
CONFORMANCE = TENON.parent.parent / "servers" / "conformance"


def test_shows_one_tool():
    code, out, err = tenon("tools", SERVER, "show")
    assert code == 0 and not err and out.startswith("show - Show\n  Shows what came."), (out, err)
    assert "  text (required, string)\n" in out and "  n (integer, default 3)\n" in out, out
    same(tenon("tools", "show", "--", *SERVER.split())[1], out)
    same(json.loads(tenon("tools", "--raw", SERVER, "show")[1])["name"], "show")
    ends(tenon("tools", SERVER, "sho"), 2, "no tool 'sho' (did you mean show?)")
    ends(tenon("tools", SERVER, "show", "good"), 2, "a TARGET and a TOOL only")
    ends(tenon("tools", "npx", "-y", "thing"), 2, "goes after --, as in -- npx")


def test_inspects():
    for era, revision in ("modern", "2026-07-28"), ("legacy", "2025-11-25"):
        page = tenon("inspect", "--era", era, NOTES)
        assert page[0] == 0 and not page[2] and page[1].startswith(f"notes 1.0.0 - Notes\nspeaks {revision}\n"), page
        for part in "tools (3)\n", "resource templates (1)\n  note:///{number}", "prompts (1)\n  summarize":
            assert part in page[1], page
        whole = json.loads(tenon("inspect", "--json", "--era", era, NOTES)[1])
        same((whole["serverInfo"]["name"], whole["revision"], len(whole["tools"])), ("notes", revision, 3))
    ends(tenon("inspect", NOTES, "more"), 2, "one TARGET only")


def test_reads_and_fills_in():
    same(tenon("read", NOTES, "note:///1"), (0, "Two litres, and bread.\n", ""))
    same(tenon("read", "note:///1", "--", NOTES), (0, "Two litres, and bread.\n", ""))
    ends(tenon("read", NOTES, "note:///77"), 2, "note:///77: ")
    ends(tenon("read", NOTES), 2, "a TARGET and a URI are needed")
    code, out, _ = tenon("prompt", NOTES, "summarize", "topic=milk")
    assert code == 0 and out.startswith("user:\nSearch the notes for \"milk\""), out
    ends(tenon("prompt", NOTES, "summarise"), 2, "summarise: ")
    ends(tenon("prompt", NOTES, "summarize", "topic"), 2, "an argument must be NAME=VALUE")
    same(tenon("complete", CONFORMANCE, "test_prompt_with_arguments", "arg1=te")[:2], (0, "test\ntesting\n"))
    ends(tenon("complete", NOTES, "note:///{number}", "number"), 2, "must be NAME=TYPED")


def test_shell_reads_lines():
    lines = "# a remark\n\nsearch_notes text=milk\nhelp write_note\nread note:///1\nraw\nsearch_notes text=milk\nquit\nremind\n"
    code, out, err = tenon("shell", NOTES, given=lines)
    assert (code, err) == (0, "") and '"title": "Buy milk"' in out and "  title (required, string, 1 to" in out, (code, out, err)
    assert "Two litres, and bread.\n" in out and out.rstrip().endswith("}") and "are over" not in out, out
    for line, part in ("search_nots text=a", "did you mean search_notes?"), ("search_notes text", "must be NAME=VALUE"), \
            ("search_notes 'a", "a quote is not closed"), ("read note:///7", "note:///7: "), ("call", "call needs a tool"):
        code, out, err = tenon("shell", NOTES, given=line + "\nread note:///1\n")
        assert code == 1 and part in err and out == "Two litres, and bread.\n", (line, code, out, err)
    ends(tenon("shell"), 2, "a TARGET is needed")


class Terminal:
    """A command on a terminal of its own: what it shows is waited for, then keys are typed."""

    def __init__(self, home, *words, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execve(TENON, [str(TENON), *map(str, words)],
                      {**ENVIRONMENT, "HOME": str(home), "XDG_STATE_HOME": "", "TERM": "xterm", **environment})
        self.shown = b""

    def until(self, part, keys=b""):
        end = time.monotonic() + SECONDS
        while part not in self.shown and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                try:
                    self.shown += os.read(self.terminal, 4096)
                except OSError:
                    break
        assert part in self.shown, (part, self.shown)
        before, self.shown = self.shown.split(part, 1)
        os.write(self.terminal, keys)
        return before

    def ends(self, keys):
        """Typed again until it has: libedit shows its prompt before it takes keys one by one, and a Ctrl-D in between is another key."""
        self.until(b"> ", keys)
        end = time.monotonic() + SECONDS
        while not (done := os.waitpid(self.child, os.WNOHANG))[0]:
            assert time.monotonic() < end, self.shown
            if not select.select([self.terminal], [], [], 1)[0]:
                os.write(self.terminal, b"\x15" + keys)
                continue
            with contextlib.suppress(OSError):  # it has closed the terminal
                self.shown += os.read(self.terminal, 4096)
        assert done[1] == 0, done
        os.close(self.terminal)


EDITED = b"libedit" in pathlib.Path(TENON).read_bytes() if TENON.exists() else False


def test_shell_on_a_terminal():
    with tempfile.TemporaryDirectory() as home:
        shell = Terminal(home, "shell", NOTES)
        history = pathlib.Path(home) / ".local/state/tenon/history"
        shell.until(b"notes 1.0.0, 3 tools, 2026-07-28")
        shell.until(b"> ", b"sea\tte\tmilk\r" if EDITED else b"search_notes text=milk\r")
        shell.until(b'"title": "Buy milk"')
        shell.until(b"> ", b"remind seconds=30\r")
        shell.until(b"s to go", b"\x03")
        assert not EDITED or b"seconds=30" in history.read_bytes()  # a window that is closed loses nothing
        shell.until(b"cancelled")
        shell.until(b"> ", b"remind seconds=0\r")  # the server was not ended by the Ctrl-C, nor waits for the call that was cancelled
        shell.until(b"0 seconds are over")
        shell.until(b"> ", b"halp\r")
        shell.until(b"there is no tool 'halp' (did you mean help?)")
        shell.ends(b"\x04")
        assert not EDITED or history.stat().st_mode & 0o777 == 0o600


def test_shell_asks_again():
    """Ctrl-D closes one form, not those after it."""
    with tempfile.TemporaryDirectory() as home:
        shell = Terminal(home, "shell", "--", sys.executable, HERE / "shell_server.py")
        for _ in range(2):
            shell.until(b"> ", b"ask\r")
            shell.until(b"sure (boolean, required): ", b"\x04")
            shell.until(b"\nanswered cancel")
        shell.until(b"> ", b"ask\r")
        shell.until(b"sure (boolean, required): ", b"y\r")
        shell.until(b"Send this? [y/n] ", b"y\r")
        shell.until(b"answered accept")
        shell.ends(b"exit\r")


def test_shell_starts_its_server_again():
    with tempfile.TemporaryDirectory() as home:
        shell = Terminal(home, "shell", "--", sys.executable, HERE / "shell_server.py")
        shell.until(b"picker 1, 3 tools")
        shell.until(b"...\r\n")  # of a long description, which fits into its line
        shell.until(b"> ", b"end\r")
        shell.until(b"the next line starts it again")
        shell.until(b"> ", b"pick level=low\r")
        shell.until(b'picked {"level": "low"}')
        shell.until(b"> ", b"restart\r")
        shell.until(b"started again, 3 tools")
        shell.ends(b"quit\r")
    code, out, err = tenon("shell", "--", sys.executable, str(HERE / "shell_server.py"), given="end\npick level=low\n")
    assert (code, out) == (1, "") and "ended without an answer" in err, (code, out, err)  # a script ends with its server


def test_shell_completes():
    if not EDITED:
        return
    with tempfile.TemporaryDirectory() as home:
        shell = Terminal(home, "shell", "--", sys.executable, HERE / "shell_server.py")
        for typed, came in (("pi\tlev\tv\t", 'picked {"level": "very high"}'), ("pick level=a\t", r'picked {"level": "a \"b\" \\"}'),
                            ("pick level='very\t", 'picked {"level": "very high"}'), ("pick level=\u00fc\t", r'picked {"level": "\u00fc"}'),
                            ("prompt re\tpa\tmy\t", 'prompted {"path": "my file.c"}'),
                            ("prompt review path=m\ta\tde\tm\ty\t", 'prompted {"path": "main.c", "depth": "my file.c"}')):
            shell.until(b"> ", typed.encode() + b"\r")
            shell.until(came.encode())
        for locale in "C", "":  # as in a container
            other = Terminal(home, "shell", "--", sys.executable, HERE / "shell_server.py", LC_ALL=locale, LANG="")
            other.until(b"> ", "pick level=\u00fc\r".encode())
            other.until(rb'picked {"level": "\u00fc"}')
            other.ends(b"\x04")
        shell.until(b"> ", b"pick level=\t")
        shell.until(b"low")
        shell.until(b"very high")  # the names before values are not repeated
        assert b"level=very" not in shell.shown, shell.shown
        shown = shell.until(b"> ", b"low\r")
        assert "\u00f6".encode() in shown and b"red" not in shown and b"der" not in shown, shown  # those that a terminal would obey
        shell.until(b'picked {"level": "low"}')
        shell.ends(b"\x04")


def test_knows_servers_of_clients():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / ".cursor").mkdir()
        (place / "home" / ".config" / "Claude").mkdir(parents=True)
        here = {"mcpServers": {"notes": {"command": str(NOTES)}, "true": {"command": "/nowhere/true"},
                               "safe": {"command": str(TENON), "args": ["guard", "--", str(NOTES)]}}}
        (place / ".mcp.json").write_text(json.dumps(here))
        (place / ".cursor" / "mcp.json").write_text('{"mcpServers": {"notes": {"command": "/bin/false"}}}')
        (place / "home" / ".config" / "Claude" / "claude_desktop_config.json").write_text(
            '{"mcpServers": {"asks": {"command": "sh", "args": ["-c", "exec $WHAT"], "env": {"WHAT": "%s"}}}}' % NOTES)

        def run(*words):
            done = subprocess.run([TENON, *words], cwd=place, capture_output=True, text=True, timeout=SECONDS, check=False,
                                  env={**ENVIRONMENT, "HOME": str(place / "home"), "XDG_CONFIG_HOME": ""})
            return done.returncode, done.stdout, done.stderr

        code, out, _ = run("servers")
        same(code, 0)
        same([line.split()[0] for line in out.splitlines()],
             [".mcp.json", "notes", "true", "safe", ".cursor/mcp.json", "notes",
              str(place / "home/.config/Claude/claude_desktop_config.json"), "asks"])
        assert f"guarded: {NOTES}\n" in out, out
        for name in "notes", "asks", "safe":  # the first file wins; the environment of the file is there
            assert run("tools", name)[1].startswith("search_notes\n"), (name, run("tools", name))
        ends(run("tools", "nots"), 2, "cannot run nots")
        assert "/nowhere" not in run("tools", "true")[2]  # a program on the PATH is not hidden
        (place / ".mcp.json").write_text('{"mcpServers": {"notes": {"command": 7}}}')
        assert ".mcp.json:1:" in run("servers")[2]


def test_sends_headers():
    if not has_addresses():
        return
    with listening("--headers", "X-One,X-Two") as (where, said):
        with tempfile.NamedTemporaryFile("w") as secret:
            secret.write("quiet\n")
            secret.flush()
            code, _, err = tenon("tools", "--header", "X-One: a b", "--header-file", f"X-Two:{secret.name}", where)
            same((code, err), (0, ""))
        assert "X-One=a b X-Two=quiet" in said()
    for words, part in (
            (["--header", "nothing"], "--header must be NAME:VALUE"),
            (["--header", "Mcp-Method: x"], "is made by the client"),
            (["--header", "authorization: x"], "see --token-file"),
            (["--header-file", "X:/nowhere"], "/nowhere: "),
            (["--header", "X: a\nY: b"], "must be one line")):
        ends(tenon("tools", *words, "http://127.0.0.1:9/"), 2, part)
    ends(tenon("tools", "--header", "X: a", SERVER), 2, "--header is for addresses")


# ---- Calls ----------------------------------------------------------------------------------------------------

ANSWERS = {
    "good": (0, 'note: Limit defaulted to 10.\n{\n  "items": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": []}],\n'
                '  "total": 2\n}\n'),
    "bad": (1, "VALIDATION_ERROR: Validation failed: 2 errors\n  days must be between 1 and 14, got 20 (try 14)\n"
               "  city is required (for example \"text\")\nnote: Beyond 7 days it is a guess.\n"),
    "plain": (0, "two\nlines\n"),
    "plain_error": (1, "error:\nIt went wrong.\n"),
    "structured": (0, '{\n  "number": 12345678901234567890123,\n  "deep": {"list": [1, {"a": null}]}\n}\n'),
    "blocks": (0, "See:\n[image image/png, 6 bytes]\n[page: https://example.com/]\n[a://b]\ninside\n"
                  "[unheard_of of unknown type, 0 bytes]\n"),
}


def test_answers_everywhere():
    for name, target in targets():
        with target as (where, _):
            for tool, (code, out) in ANSWERS.items():
                got = tenon("call", where, tool)
                assert got == (code, out, ""), (name, tool, got)


def test_raw_is_exact():
    code, out, _ = tenon("call", "--raw", "--era", "legacy", SERVER, "structured")
    same(code, 0)
    same(out, '{"content": [{"type": "text", "text": "{\\"number\\": 12345678901234567890123, \\"deep\\": {\\"list\\": '
              '[1, {\\"a\\": null}]}}"}], "structuredContent": {"number": 12345678901234567890123, "deep": {"list": '
              '[1, {"a": null}]}}, "isError": false}\n')
    same(tenon("call", "--raw", SERVER, "bad")[0], 1)


def shown(*words, **options):
    code, out, err = tenon("call", SERVER, "show", *words, **options)
    assert code == 0, err
    return json.loads(out)["arguments"]


def test_arguments_are_typed():
    same(shown("--arg", "text=3", "--arg", "n=4", "--arg", "ratio=2.5", "--arg", "on=true", "--arg", 'list=["a"]'),
         {"text": "3", "n": 4, "ratio": 2.5, "on": True, "list": ["a"]})
    same(shown("--arg", "maybe=null", "--arg", "ref=6", "--arg", "kind=low", "--arg", "other=7"),
         {"maybe": None, "ref": 6, "kind": "low", "other": "7"})
    same(shown("--arg", "n=many", "--arg", "text=a=b", "--arg=on=", "--arg", 'x:={"a":[1]}'),
         {"n": "many", "text": "a=b", "on": "", "x": {"a": [1]}})
    same(shown("--json", '{"n": 1e2,\n "text": "a\\nb"}'), {"n": 100, "text": "a\nb"})
    same(shown("--json", "-", given='{"text": "é"}'), {"text": "é"})
    same(shown(), {})


def test_headers_repeat_arguments():
    with listening("--era", "modern") as (where, _):
        for region, header in ("eu-1", "eu-1"), ("München", "=?base64?TcO8bmNoZW4=?="), (" a", "=?base64?IGE=?="), \
                ("a\nb", "=?base64?YQpi?="), ("=?base64?", "=?base64?PT9iYXNlNjQ/?="):
            code, out, err = tenon("call", where, "show", "--arg", f"region={region}", "--arg", 'at={"zone":3}')
            assert code == 0, err
            same(json.loads(out)["headers"], {"Mcp-Param-Region": header, "Mcp-Param-Zone": "3"})


def test_unsound_headers():
    """Over HTTP of 2026-07-28 such tools are neither shown nor called; elsewhere the keyword says nothing."""
    with listening("--era", "both", "--rude", "headers") as (where, _):
        code, out, err = tenon("tools", where)
        assert code == 0 and "show - Show" in out and "bad" not in out, (code, out, err)
        for at, part in enumerate(["#/properties/a: x-mcp-header is not the name of an HTTP header",
                                   "#/properties/a: a header is only for the types string, integer and boolean",
                                   "#/properties/b: the header 'a' is used twice",
                                   "#/properties/a/items: a header is only for values that are reached through"]):
            assert f"warning: the tool 'bad{at}' is left out: inputSchema: {part}" in err, err
            ends(tenon("call", where, f"bad{at}", "--arg", "a=1"), 2, f"the tool 'bad{at}' cannot be called: inputSchema: ")
        ends(tenon("call", "--era", "legacy", where, "bad0"), 2, "Unknown tool: bad0")
    ends(tenon("call", f"{SERVER} --rude headers", "bad0"), 2, "Unknown tool: bad0")


def test_refused_versions():
    """A server that refuses a version names those that it knows."""
    for target in (f"{SERVER} --era %s --refuses %s",) + (("http",) if has_addresses() else ()):
        for era, refuses, code, part in [("modern", "2026-07-28", 0, ""), ("both", "2025-11-25,2025-06-18", 0, ""),
                                         ("modern", "2027-01-01", 2, "Unsupported protocol version (-32022)")]:
            with (listening("--era", era, "--refuses", refuses) if target == "http"
                  else contextlib.nullcontext((target % (era, refuses), None))) as (where, _):
                ends(tenon("call", where, "plain"), code, part)


def test_wrong_calls():
    for words, part in [
        (["tools"], "a TARGET is needed"),
        (["tools", "a", "b", "c"], "a TARGET and a TOOL only"),
        (["tools", "--"], "a command must follow --"),
        (["tools", "a 'b"], "a quote is not closed"),
        (["tools", " "], "it is empty"),
        (["tools", "./there-is-none"], "cannot run ./there-is-none: No such file or directory"),
        (["tools", "--era", "new", "x"], "--era must be modern or legacy"),
        (["tools", "--timeout", "0", "x"], "--timeout must be a number of seconds"),
        (["tools", "--tiemout", "1", "x"], "did you mean --timeout?"),
        (["tools", "--token-file", "x", "x"], "--token-file is for addresses"),
        (["tools", "--token-file", "there-is-none", "http://127.0.0.1:9/"], "there-is-none: No such file"),
        (["call", "x"], "a TARGET and a TOOL are needed"),
        (["call", "a", "b", "--", "c"], "after TOOL come arguments, NAME=VALUE"),
        (["call", SERVER, "show", "--arg", "n"], "an argument must be NAME=VALUE or NAME:=JSON, got 'n'"),
        (["call", SERVER, "show", "--arg", "=3"], "an argument must be NAME=VALUE"),
        (["call", SERVER, "show", "--arg", "n:=x"], "n:= needs JSON, got 'x'"),
        (["call", SERVER, "show", "--arg", "n=1", "--arg", "n:=2"], "n is given twice"),
        (["call", SERVER, "show", "--json", "[1]"], "the object of --json is not a JSON object"),
        (["call", SERVER, "show", "--json", "{"], "the object of --json is not JSON"),
        (["call", SERVER, "show", "--json", "{}", "--arg", "a=b"], "so no others go with it"),
        (["call", SERVER, "shwo"], "the server has no tool 'shwo' (did you mean show?)"),
        (["serve", "nothing"], "there is no server nothing"),
        (["tools", "npx", "-y", "foo"], "there is no option -y; a command with options of its own goes after --, as in -- npx ..."),
        (["hlp"], "there is no command hlp (did you mean help?)"),
        (["frobnicate"], "there is no command frobnicate; see tenon --help"),
    ]:
        ends(tenon(*words), 2, part)
    same(tenon("call", "plain", "--", sys.executable, str(HERE / "server.py"), "--era", "legacy")[:2], (0, "two\nlines\n"))


def test_checks():
    same(tenon("check", NOTES), (0, "notes 1.0.0, 2026-07-28: 3 tools, 0 resources, 1 template, 1 prompt; nothing is wrong\n", ""))
    code, out, err = tenon("check", f"{SERVER} --rude wrong")
    same((code, err), (1, ""))
    same(out.splitlines(), [
        "tool 'good': it is listed twice",
        "tool 'list', inputSchema: its type is not \"object\"",
        "tool 'none', inputSchema: it is missing",
        "tool 'bound', inputSchema: #/properties/n/minimum: must be a number",
        "tool 'out', outputSchema: #/$ref: #/$defs/x leads nowhere",
        "tool '': it has no name",
        "t 1, 2026-07-28: 7 tools, 0 resources, 0 templates, 0 prompts; 6 mistakes"])
    ends(tenon("check", "true"), 2, "ended without an answer")


def test_ctrl_c_cancels():
    """In a session before 2026-07-28 the call goes on until it is cancelled by a message."""
    for era in ("legacy", "modern") if has_addresses() else ():
        with subprocess.Popen([sys.executable, HERE / "server.py", "--http", "--era", era], stdout=subprocess.PIPE, text=True) as server:
            where = server.stdout.readline().strip()
            with subprocess.Popen([TENON, "call", where, "slow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env=ENVIRONMENT) as call:
                number = server.stdout.readline().removeprefix("slow is ")
                assert number, "the call did not come"
                call.send_signal(signal.SIGINT)
                out, err = call.communicate(timeout=SECONDS)
                same((call.returncode, out, err), (-signal.SIGINT, "", "tenon: slow was cancelled\n"))
            server.terminate()
            same(server.stdout.read(), f"cancelled {number}session ended\n" if era == "legacy" else "")


def test_progress_and_log_lines():
    lines = "[ 25%] step\\x1B\n[ 50%] step\\x1B\n[info] {\"a\":1}\n"
    for era in "modern", "legacy":
        same(tenon("call", "-v", f"{SERVER} --era {era}", "talks"), (0, "said\n", lines))
        same(tenon("call", f"{SERVER} --era {era}", "talks"), (0, "said\n", ""))
        with listening("--sse", "--era", era) as (where, _):
            same(tenon("call", "-v", where, "talks"), (0, "said\n", lines))


# ---- Servers that behave badly -------------------------------------------------------------------------------

def test_eras():
    ends(tenon("tools", "--era", "modern", f"{SERVER} --era legacy"), 2, "does not know 2026-07-28: Method not found")
    ends(tenon("tools", "--era", "legacy", f"{SERVER} --era modern"), 2, "did not complete initialization: an envelope is missing")
    ends(tenon("tools", f"{SERVER} --era legacy --version 1999-01-01"), 2, "speaks '1999-01-01'")
    same(tenon("call", f"{SERVER} --era dies", "plain")[:2], (0, "two\nlines\n"))
    same(tenon("call", "--timeout", "1", f"{SERVER} --era mute", "plain")[:2], (0, "two\nlines\n"))


def test_bad_pipes():
    ends(tenon("call", SERVER, "huge"), 2, "a line of the server is longer than 16 MiB")
    ends(tenon("call", SERVER, "drops"), 2, "ended without an answer")
    ends(tenon("call", "--timeout", "1", SERVER, "slow"), 2, f"the server {sys.executable} did not answer in time (1 s)")
    ends(tenon("tools", "true"), 2, "the server true ended without an answer")
    ends(tenon("tools", "cat /dev/zero"), 2, "longer than 16 MiB")
    code, out, err = tenon("call", f"{SERVER} --rude chatty", "plain")
    assert (code, out) == (0, "two\nlines\n") and err.count("\n") == 1 and "a line that is not a message" in err, (code, out, err)
    assert "print to standard error instead): Listening, and saying so where it must not\n" in err, err
    same(tenon("call", f"{SERVER} --rude stays", "plain"), (0, "two\nlines\n", ""))
    ends(tenon("call", SERVER, "asks"), 2, "asks: it asks for input; call it on a terminal to answer")
    ends(tenon("call", SERVER, "asks", "--arg", "anyway=1"), 2, "the tool asks for input: Delete all? (call it on a terminal")


def test_bad_addresses():
    ends(tenon("tools", "http://127.0.0.1:9/"), 2, "cannot reach http://127.0.0.1:9/")
    for rude, part in ("moved", "sends elsewhere (HTTP 308): http://127.0.0.1:1/elsewhere"), \
            ("broken", "the server answered HTTP 500\n"), ("lies", "sent something that is no message"):
        with listening("--rude", rude) as (where, _):
            ends(tenon("tools", where), 2, part)
    for flags in (), ("--sse",):
        with listening(*flags) as (where, _):
            ends(tenon("call", where, "huge"), 2, "the server's answer is longer than 16 MiB")
            ends(tenon("call", "--timeout", "1", f"{where}?key=secret", "slow"), 2, f"the server {where} did not answer in time (1 s)")


def test_tokens():
    with listening("--token", "t0k/en", "--era", "modern") as (where, _): # which says it in a message, too
        ends(tenon("tools", where), 2, "the server needs a token (HTTP 401)")
    with listening("--token", "t0k/en") as (where, _), tempfile.NamedTemporaryFile("w") as file:
        ends(tenon("tools", where), 2, "the server needs a token (HTTP 401)")
        ends(tenon("tools", where, TENON_TOKEN="other"), 2, "does not accept the token")
        ends(tenon("tools", where, TENON_TOKEN="t0\nk"), 2, "the token must be one word of ASCII")
        same(tenon("tools", where, TENON_TOKEN="t0k/en")[0], 0)
        ends(tenon("tools", "--token-file", file.name, where), 2, "the token file is empty")
        file.write("t0k/en\n")
        file.flush()
        same(tenon("tools", "--token-file", file.name, where, TENON_TOKEN="other")[0], 0)


def test_sessions():
    with listening("--era", "legacy") as (where, printed):
        same(tenon("call", where, "plain")[1], "two\nlines\n")
        same(printed(), "session ended\n")
    with listening("--era", "legacy", "--sse", "--rude", "resumes") as (where, _):
        same(tenon("call", where, "plain")[1], "two\nlines\n")


# ---- On a terminal -------------------------------------------------------------------------------------------

def on_terminal(words, typed):
    """Runs it on a terminal of its own and types a line after each prompt; the ending and all that was shown."""
    leader, follower = pty.openpty()
    shown_so_far, asked = "", 0
    with subprocess.Popen([TENON, *words], stdin=follower, stdout=follower, stderr=follower, close_fds=True,
                          env={**ENVIRONMENT, "TERM": "xterm"}) as process:
        os.close(follower)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if not select.select([leader], [], [], 1)[0]:
                continue
            try:
                data = os.read(leader, 65536)
            except OSError:  # the terminal's other end is closed
                break
            shown_so_far += data.decode()
            if shown_so_far.endswith(("): ", "[y/n] ")) and asked < len(typed):
                os.write(leader, typed[asked].encode() + (b"" if typed[asked] == "\x04" else b"\n"))
                asked += 1
        os.close(leader)
        code = process.wait(SECONDS)
    return code, shown_so_far.replace("\r\n", "\n")


def test_questions():
    for name, target in targets():
        with target as (where, _):
            for typed, answer in [
                (["y", "0", "y", "2", "y"], '{"action": "accept", "content": {"ok": true, "count": 2}}'),
                (["no", "", "y"], '{"action": "accept", "content": {"ok": false}}'),
                (["y", "", "n"], '{"action": "decline"}'),
                (["\x04"], '{"action": "cancel"}'),
            ]:
                code, out = on_terminal(["call", where, "asks"], typed)
                assert code == 0 and answer in out, (name, typed, code, out)
                assert "The server asks: Delete all?" in out and "Sure (boolean, required): " in out, out
                assert typed[1:2] != ["0"] or "count must be at least 1" in out, out


def test_questions_aside():
    """A legacy server may put its questions on the stream that belongs to no call."""
    with listening("--era", "legacy", "--aside") as (where, _):
        for _ in range(2):
            code, out = on_terminal(["call", where, "asks"], ["y", "2", "y"])
            assert code == 0 and '{"action": "accept", "content": {"ok": true, "count": 2}}' in out, (code, out)


def test_terminals_are_not_steered():
    code, out = on_terminal(["call", SERVER, "steers"], [])
    same((code, out), (0, "\\x1B[2Jcleared \\u{202E} and\ttab\nnext\\r line\n"))
    code, out = on_terminal(["call", "--raw", "--era", "legacy", SERVER, "steers"], [])
    same(json.loads(out)["content"][0]["text"], "\x1b[2Jcleared \u202e and\ttab\r\nnext\r line")
    assert "\u202e" not in out and "\x1b" not in out, out
    code, out = on_terminal(["call", SERVER, "bad"], [])
    assert code == 1 and out.startswith("\x1b[1;31mVALIDATION_ERROR\x1b[0m: "), out


# ---- Servers of others, and our own --------------------------------------------------------------------------

def check_official(era, where):
    same(tenon("tools", "--era", era, where)[:2],
         (0, "add\n  Adds two numbers.\n    a  integer, required\n    b  number, default 1\n\nask\n  Asks for a name.\n"))
    same(tenon("call", "--era", era, where, "add", "--arg", "a=2"), (0, "3\n", ""))
    code, out, _ = tenon("call", "--era", era, where, "add", "--arg", "a=x")
    assert code == 1 and "expected number, received string" in out, (code, out)


def check_official_question(era, where, answer):
    code, out = on_terminal(["call", "--era", era, where, "ask"], ["Ann", "y"])
    assert code == 0 and "The server asks: Who is there?" in out and answer in out, (code, out)


def test_official_servers():
    """Needs the packages of tests/js; says so when they are not installed."""
    packages = ROOT / "tests" / "js" / "node_modules"
    if not (packages / "@modelcontextprotocol" / "server").is_dir():
        print("official_servers: not tested, tests/js has no packages (npm ci)")
        return
    node = ROOT / "tests" / "js" / "node"
    node = str(node) if node.is_file() else "node"
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        (place / "node_modules").symlink_to(packages)
        for name in "sdk_legacy.mjs", "sdk_modern.mjs":
            shutil.copy(HERE / name, place)
        check_official("legacy", f"{node} {place}/sdk_legacy.mjs")
        check_official_question("legacy", f"{node} {place}/sdk_legacy.mjs", '{"action":"accept","content":{"name":"Ann"}}')
        for era in "modern", "legacy":
            check_official(era, f"{node} {place}/sdk_modern.mjs")
            check_official_question(era, f"{node} {place}/sdk_modern.mjs", "Hello, Ann.")
        with listening(command=(node, place / "sdk_modern.mjs")) as (where, _):
            check_official("modern", where)
            check_official("legacy", where)
            check_official_question("modern", where, "Hello, Ann.")


def test_own_server():
    server = TENON.parents[1] / "servers" / "conformance"
    for era in "modern", "legacy":
        where = ["call", "--era", era, str(server)]
        same(tenon(*where, "test_error_handling")[:2],
             (1, "UNAVAILABLE: This tool intentionally returns an error for testing.\n  retryable: true\n"))
        same(tenon(*where, "-v", "test_tool_with_progress"),
             (0, "Done, in three steps.\n", "[  0%] 0 of 100\n[ 50%] 50 of 100\n[100%] 100 of 100\n"))
        code, out = on_terminal([*where, "test_elicitation_sep1034_defaults"], ["", "31", "", "", "", "y"])
        assert code == 0 and "default 30): " in out and "completed: John Doe, 31, 95.5" in out, (code, out)


def main(names):
    tests = {name[5:]: function for name, function in globals().items() if name.startswith("test_")}
    failed = 0
    if not has_addresses():
        print("built without libcurl: addresses are not tested")
        for name in "headers_repeat_arguments", "progress_and_log_lines", "bad_addresses", "tokens", "sessions", \
                "unsound_headers", "questions_aside", \
                "official_servers":
            del tests[name]
    for name in names or tests:
        try:
            tests[name]()
        except AssertionError as fault:
            failed += 1
            print(f"{name}: {fault}")
    print(f"{len(names or tests)} tests, {failed} that fail")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
