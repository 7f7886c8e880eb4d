#!/usr/bin/env python3
"""Between a client and a server: `tenon tee` records, `tenon replay` plays back, `tenon watch` starts a changed server again.

    tests/wire/run.py [NAME...]    default: every test
"""
import json
import os
import pathlib
import select
import signal
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
SECONDS = 60

LEGACY = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "test", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"}]

# A server with one tool, named by its first argument; `ask` asks the client first; `slow` never answers; `die` ends it.
PLAIN = r"""
import json, sys
NAME = "one"
def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
begun = False
for line in sys.stdin:
    message = json.loads(line)
    method, name = message.get("method"), message.get("params", {}).get("name")
    if method == "initialize":
        send(id=message["id"], result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}},
                                       "serverInfo": {"name": "x", "version": "1"}})
    elif method == "notifications/initialized":
        begun = True
    elif method == "tools/list":
        assert begun
        send(id=message["id"], result={"tools": [{"name": NAME, "inputSchema": {"type": "object"}}]})
    elif method == "subscriptions/listen":
        send(method="notifications/subscriptions/acknowledged", params={"_meta": {"io.modelcontextprotocol/subscriptionId": message["id"]}})
    elif name == "ask":
        send(id=f"question of {NAME}", method="elicitation/create", params={"message": "Well?"})
        answer = json.loads(sys.stdin.readline())
        assert answer["id"] == f"question of {NAME}", answer
        send(id=message["id"], result={"content": [], "answer": answer["result"]})
    elif name == "die":
        break
    elif name != "slow" and "id" in message:
        send(id=message["id"], result={"content": [{"type": "text", "text": NAME}]})
"""


class Client:
    """A program that speaks over its pipes."""

    def __init__(self, *words, cwd):
        self.process = subprocess.Popen([str(word) for word in words], cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.buffer = b""

    def send(self, *messages):
        for message in messages:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def next(self):
        end = time.monotonic() + SECONDS
        while b"\n" not in self.buffer:
            assert time.monotonic() < end and select.select([self.process.stdout], [], [], SECONDS)[0], "nothing came"
            got = os.read(self.process.stdout.fileno(), 65536)
            assert got, f"it ended: {self.process.stderr.read().decode()}"
            self.buffer += got
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def until(self, wanted):
        """The first message that `wanted` takes; those before it."""
        before = []
        while not wanted(message := self.next()):
            before.append(message)
        return message, before

    def close(self):
        self.process.stdin.close()
        errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        return self.process.wait(SECONDS), errors


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def run(*words, cwd, given="", code=0):
    done = subprocess.run([str(word) for word in words], cwd=cwd, input=given, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == code, f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


# ---- Recording and playing -----------------------------------------------------------------------------------------

def test_tee_records_and_replay_compares(place):
    calls = [request(1, "tools/call", name="search_notes", arguments={"text": "milk"}),
             request("two", "tools/call", name="search_notes", arguments={}), request(3, "tools/list")]
    given = "".join(json.dumps(one) + "\n" for one in [*LEGACY, *calls])
    plain = run(SERVER, cwd=place, given=given)
    assert run(TENON, "tee", "rec", "--", SERVER, cwd=place, given=given) == plain  # byte for byte
    lines = [json.loads(line) for line in (place / "rec").read_text().splitlines()]
    assert lines[0] == {"tenon": "recording", "version": 1, "command": [str(SERVER)]}
    assert [line["message"] for line in lines[1:] if line["from"] == "client"] == [*LEGACY, *calls]
    assert [line["message"] for line in lines[1:] if line["from"] == "server"] == [json.loads(line) for line in plain.splitlines()]
    assert (place / "rec").stat().st_mode & 0o777 == 0o600
    assert run(TENON, "replay", "rec", "--", SERVER, cwd=place) == "4 answers, 0 differ\n"
    (place / "rec").write_text((place / "rec").read_text().replace("Keep a note.", "Keep it."))
    said = run(TENON, "replay", "rec", "--", SERVER, cwd=place, code=1)
    assert 'tools/list: result.tools[1].description was "Keep it.", is "Keep a note."\n4 answers, 1 differ\n' in said, said
    assert run(TENON, "replay", "--ignore", "description", "rec", "--", SERVER, cwd=place) == "4 answers, 0 differ\n"


def test_questions_are_matched(place):
    (place / "a.py").write_text(PLAIN)
    (place / "b.py").write_text(PLAIN.replace('"one"', '"two"'))
    client = Client(TENON, "tee", "rec", "--", sys.executable, "a.py", cwd=place)
    client.send(*LEGACY, request(1, "tools/call", name="ask"))
    question, _ = client.until(lambda message: message.get("method"))
    client.send({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}})
    assert client.until(lambda message: message.get("id") == 1)[0]["result"]["answer"] == {"action": "accept"}
    assert client.close()[0] == 0
    assert run(TENON, "replay", "rec", "--", sys.executable, "b.py", cwd=place) == "2 answers, 0 differ\n"  # ids of questions differ


def test_recordings_that_cannot_be_used(place):
    (place / "none").write_text('{"a": 1}\n')
    (place / "empty").write_text("")
    (place / "ends").write_text("".join(json.dumps({"at": 0, "from": side, "message": message}) + "\n" for side, message in (
        ("client", request(1, "tools/call", name="die")), ("server", {"jsonrpc": "2.0", "id": 1, "result": {}}))))
    (place / "slow").write_text((place / "ends").read_text().replace("die", "slow"))
    (place / "a.py").write_text(PLAIN)
    for file, part in ("none", "line 1 is none of a recording"), ("empty", "it has no messages"), ("nowhere", "No such file"), \
            ("ends", "tools/call has no answer: the server has ended"), ("slow", "no answer: none within 1 s"):
        said = run(TENON, "replay", "--timeout", "1", file, "--", sys.executable, "a.py", cwd=place, code=2)
        assert part in said, said
    for words, part in (["replay", "slow"], "a command after --"), (["replay", "--timeout", "x", "slow"], "number of seconds"), \
            (["tee", "--", "true"], "a FILE is needed"), (["tee", "x"], "a command after --"), \
            (["tee", "no/where", "--", "true"], "cannot write no/where"), (["tee", "x", "--", "/no/program"], "cannot run /no/program"), \
            (["watch"], "a command is needed"), (["watch", "http://127.0.0.1:1/"], "not an address"), \
            (["watch", "--", "/no/program"], "cannot run /no/program"):
        assert part in run(TENON, *words, cwd=place, code=2), words


def test_tee_passes_what_is_no_message(place):
    """Stray lines, half lines and long ones; a reader that is slow loses nothing."""
    (place / "noise.py").write_text("import sys\nprint('hello')\nprint('x' * 3000000)\nsys.stdout.write('half')\n")
    got = subprocess.run([TENON, "tee", "rec", "--", sys.executable, "noise.py"], cwd=place, capture_output=True, timeout=SECONDS, check=True,
                         stdin=subprocess.DEVNULL).stdout.decode()
    assert got == "hello\n" + "x" * 3000000 + "\nhalf\n", (len(got), got[:20], got[-20:])
    texts = [json.loads(line).get("text") for line in (place / "rec").read_text().splitlines()]
    assert texts[1:] == ["hello", "x" * 3000000, "half"]


# ---- Watching ------------------------------------------------------------------------------------------------------

def replace(path, text):
    """As an editor does it."""
    path.with_suffix(".new").write_text(text)
    path.with_suffix(".new").rename(path)


def test_watch_restarts_under_a_legacy_client(place):
    path = place / "server.py"
    path.write_text(PLAIN)
    client = Client(TENON, "watch", "--", sys.executable, "server.py", cwd=place)
    client.send(*LEGACY, request(1, "tools/list"), request(2, "tools/call", name="slow"))
    assert client.until(lambda message: message.get("id") == 1)[0]["result"]["tools"][0]["name"] == "one"
    replace(path, PLAIN.replace('"one"', '"two"'))
    ended, _ = client.until(lambda message: message.get("id") == 2)
    assert "server.py has changed" in ended["error"]["message"], ended
    changed, before = client.until(lambda message: message.get("method") == "notifications/tools/list_changed")
    assert "params" not in changed and not before, before  # the second answer to initialize is not the client's
    client.send(request(3, "tools/list"))
    answer, _ = client.until(lambda message: message.get("id") == 3)
    assert answer["result"]["tools"][0]["name"] == "two", answer
    code, errors = client.close()
    assert code == 0 and "server.py has changed: the server is started again" in errors, errors


def test_watch_restarts_under_a_modern_client(place):
    path = place / "server.py"
    path.write_text(PLAIN.replace("assert begun", "pass"))
    client = Client(TENON, "watch", f"{sys.executable} server.py", cwd=place)
    client.send(request("news", "subscriptions/listen", notifications={"toolsListChanged": True}), request(1, "tools/list"))
    client.until(lambda message: message.get("id") == 1)
    replace(path, PLAIN.replace("assert begun", "pass").replace('"one"', '"two"'))
    changed, _ = client.until(lambda message: message.get("method") == "notifications/tools/list_changed")
    assert changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "news", changed
    client.until(lambda message: message.get("method") == "notifications/subscriptions/acknowledged")  # it was asked for again
    client.send(request(2, "tools/list"))
    assert client.until(lambda message: message.get("id") == 2)[0]["result"]["tools"][0]["name"] == "two"
    assert client.close()[0] == 0


def test_watch_bears_a_server_that_ends(place):
    path = place / "server.py"
    path.write_text(PLAIN)
    client = Client(TENON, "watch", "--", sys.executable, "server.py", cwd=place)
    client.send(*LEGACY, request(1, "tools/call", name="die"))
    assert "ended without an answer" in client.until(lambda message: message.get("id") == 1)[0]["error"]["message"]
    client.send(request(2, "tools/list"))
    assert "has ended" in client.until(lambda message: message.get("id") == 2)[0]["error"]["message"]
    replace(path, "this is no program (")  # it ends at once, and initialize has no answer
    time.sleep(2)
    client.send(request(3, "tools/list"))
    assert client.until(lambda message: message.get("id") == 3)[0]["error"]
    replace(path, PLAIN.replace('"one"', '"three"'))
    client.until(lambda message: message.get("method") == "notifications/tools/list_changed")
    client.send(request(4, "tools/list"))
    assert client.until(lambda message: message.get("id") == 4)[0]["result"]["tools"][0]["name"] == "three"
    assert client.close()[0] == 0


def test_watch_leaves_no_process(place):
    (place / "server.py").write_text("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(1000)\n")
    client = Client(TENON, "watch", "--", sys.executable, "server.py", cwd=place)
    appears(place / "pid")
    assert client.close()[0] == 0  # it ignores the end of its input
    is_gone(place)
    (place / "pid").unlink()
    for command in ["watch"], ["tee", "rec"]:  # a client that ends the relay ends the server
        client = Client(TENON, *command, "--", sys.executable, "server.py", cwd=place)
        appears(place / "pid")
        client.process.terminate()
        assert client.close()[0] == 0
        is_gone(place)
        (place / "pid").unlink()


def appears(path):
    end = time.monotonic() + SECONDS
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end, f"{path} does not appear"
        time.sleep(0.05)


def is_gone(place):
    try:
        os.kill(int((place / "pid").read_text()), signal.SIGCONT)
    except ProcessLookupError:
        return
    raise AssertionError("the server is still there")


if __name__ == "__main__":
    folders.main(globals(), sys.argv[1:])
