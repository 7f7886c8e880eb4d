#!/usr/bin/env python3
"""Drives a server over standard input and output, as clients do and as they should not.

    tests/stdio/run.py [NAME...]    the tests whose name has one of these words in it
"""
import fcntl
import json
import os
import pathlib
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import broken  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGE = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build/dev")) / "tests/stdio_judge"
PATIENCE = 60  # seconds until a test that hangs has failed; nothing is judged by how long it takes

HELLO = {"jsonrpc": "2.0", "id": "hello", "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number, tool, token=None, **arguments):
    params = {"name": tool, "arguments": arguments}
    if token:
        params["_meta"] = {"progressToken": token}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def line(message):
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def lines(*messages):
    return b"".join(line(message) for message in (HELLO, READY) + messages)


def whole(data, *flags, **how):
    """One run from the first byte of input to its end: what came out, by id, and what went to standard error."""
    done = subprocess.run([JUDGE, *flags], input=data, capture_output=True, timeout=PATIENCE, check=False, **how)
    return done.returncode, *read(done.stdout), done.stderr.decode()


def read(output):
    assert not output or output.endswith(b"\n"), output[-100:]
    messages = [json.loads(one) for one in output.splitlines()]
    return {one["id"]: one for one in messages if "id" in one}, messages


def text_of(answer):
    return answer["result"]["structuredContent"]["data"]["text"]


def code_of(answer):
    return answer["result"]["structuredContent"]["error"]["code"]


class Client:
    """A server that goes on running."""

    def __init__(self, *flags, **how):
        how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        self.process = subprocess.Popen([JUDGE, *flags], bufsize=0, **how)
        if self.process.stdout:
            self.output = self.process.stdout

    def send(self, *messages):
        data = b"".join(line(message) for message in messages)
        while data:
            data = data[self.process.stdin.write(data):]

    def next(self):
        data = b""
        while not data.endswith(b"\n"):
            more = self.output.read(1)
            assert more, data
            data += more
        return json.loads(data)

    def heard(self, word, times=1):
        """Waits until the server has said that on standard error."""
        said = b""
        while said.count(word) < times:
            more = os.read(self.process.stderr.fileno(), 4096)
            assert more, said
            said += more

    def end(self):
        if self.process.stdin:
            self.process.stdin.close()
        result = self.process.wait(PATIENCE)
        if self.process.stderr:
            self.process.stderr.close()
        if self.process.stdout:
            self.process.stdout.close()
        return result


def peak_of(client):
    """The most memory that the server has had so far, in KiB."""
    status = pathlib.Path(f"/proc/{client.process.pid}/status").read_text(encoding="utf-8")
    return int(next(one.split()[1] for one in status.splitlines() if one.startswith("VmHWM")))


def test_nothing():
    assert whole(b"")[0:3] == (0, {}, [])
    assert whole(b"\n\r\n  \n")[0:3] == (0, {}, [])


def test_stray_output_goes_elsewhere():
    code, answers, messages, errors = whole(lines(call(1, "print", text="this"), call(2, "echo", text="that")))
    assert code == 0 and len(messages) == 3
    assert text_of(answers[2]) == "that"
    for word in "printed before it serves", "printed this", "written", "from a child", "to descriptor 1":
        assert word in errors, (word, errors)


def test_stray_input_is_empty():
    client = Client()
    client.send(HELLO, READY, call(1, "swallow"))
    client.next()
    assert text_of(client.next()) == "0 bytes, 0"
    client.send(call(2, "echo", text="still there"))
    assert text_of(client.next()) == "still there"
    assert client.end() == 0


def test_calls_run_at_once():
    client = Client()
    client.send(HELLO, READY, call(1, "wait", ms=60000), call(2, "wait", ms=60000), call(3, "echo", text="quick"))
    assert client.next()["id"] == "hello"
    assert client.next()["id"] == 3
    client.heard(b"waiting", 2)
    for number in 2, 1:
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        client.heard(b"cancelled")
    client.send(call(4, "echo", text="done"))
    assert client.next()["id"] == 4  # a cancelled call has no answer
    assert client.end() == 0


def test_the_end_waits_for_what_runs():
    code, answers, messages, _ = whole(lines(*(call(i, "wait", ms=200) for i in range(6))))
    assert code == 0 and len(messages) == 7
    assert all(text_of(answers[i]) == "waited 200" for i in range(6))


def test_the_end_does_not_wait_for_ever():
    begun = time.monotonic()
    code, answers, messages, errors = whole(lines(call(1, "wait", ms=60000)), "--grace", "100ms")
    assert code == 0 and len(messages) == 1 and "hello" in answers
    assert "cancelled" in errors or time.monotonic() - begun < PATIENCE


def test_a_call_that_overruns_is_answered_and_not_waited_for():
    code, answers, _, _ = whole(lines(call(1, "hang", ms=60000), call(2, "echo", text="x")))
    assert code == 0
    assert code_of(answers[1]) == "TIMEOUT" and text_of(answers[2]) == "x"


def test_lost_workers_refuse():
    flags = ["--workers", "1", "--max-lost", "0"]
    client = Client(*flags)
    client.send(HELLO, READY, call(1, "hang", ms=60000))
    client.next()
    assert code_of(client.next()) == "TIMEOUT"
    client.send(call(2, "wait", ms=0), call(3, "echo", text="x"))
    assert code_of(client.next()) == "UNAVAILABLE"
    assert text_of(client.next()) == "x"
    assert client.end() == 0


def test_a_burst_is_read_as_it_is_worked_off():
    """Far more calls than fit into the queue, and then the end of input: each is answered, in turn, and none refused."""
    count = 2000
    for flags in ([], ["--workers", "1"], ["--workers", "1", "--max-queue", "0"], ["--workers", "2", "--max-queue", "1"],
                  ["--max-calls", "1"]):
        code, answers, messages, _ = whole(lines(*(call(i, "wait", ms=0) for i in range(count))), *flags)
        assert code == 0 and len(messages) == count + 1, (flags, len(messages))
        assert all(text_of(answers[i]) == "waited 0" for i in range(count))
        if flags[:2] == ["--workers", "1"]:
            assert [one["id"] for one in messages[1:]] == list(range(count)), flags


def test_the_end_of_input_in_a_burst():
    """More calls than fit, none of which ends by itself: the end of input ends the server, after its grace."""
    for count in 3, 40:
        client = Client("--workers", "1", "--max-queue", "4", "--grace", "100ms", stderr=subprocess.DEVNULL)
        client.send(*(call(i, "wait", ms=60000) for i in range(count)))
        assert client.end() == 0, count


def test_what_is_no_call_passes_a_crowd():
    """A cancellation, a ping and the end of a call are read although there is no room for another call."""
    client = Client("--workers", "1", "--max-queue", "2")
    client.send(HELLO, READY, *(call(i, "wait", ms=60000) for i in range(3)))  # one runs, two wait: no more fit
    assert "result" in client.next()
    client.send({"jsonrpc": "2.0", "id": "p", "method": "ping"})
    got = client.next()
    assert got["id"] == "p", got
    for number in range(3):
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    client.send(call(9, "wait", ms=0))
    got = client.next()
    assert got["id"] == 9 and text_of(got) == "waited 0", got
    assert client.end() == 0


def test_long_messages_in_a_burst():
    """Messages that together are longer than may wait are read one after the other, and none is refused."""
    count, filler = 30, "f" * 500000
    code, answers, messages, _ = whole(lines(*({**call(i, "wait", ms=0), "filler": filler} for i in range(count))),
                                       "--max-waiting", "4MiB", "--workers", "2")
    assert code == 0 and len(messages) == count + 1
    assert all(text_of(answers[i]) == "waited 0" for i in range(count))


def test_a_batch_in_a_burst():
    """A line of many calls waits until there is room for all that it may have."""
    hello = {**HELLO, "params": {**HELLO["params"], "protocolVersion": "2025-03-26"}}
    batches = [[call(100 * i + j, "wait", ms=0) for j in range(100)] for i in range(20)]
    code, _, messages, _ = whole(b"".join(map(line, (hello, READY, *batches))))
    assert code == 0 and len(messages) == 21
    for i, batch in enumerate(sorted(messages[1:], key=lambda one: min(each["id"] for each in one))):
        assert sorted(one["id"] for one in batch) == list(range(100 * i, 100 * i + 100))
        assert all(json.loads(one["result"]["content"][0]["text"])["data"]["text"] == "waited 0" for one in batch)


def test_a_burst_is_bounded_for_a_client_that_does_not_read():
    count, size = 2000, 100000
    client = Client("--workers", "2", "--max-queue", "4", stderr=subprocess.DEVNULL)
    os.set_blocking(client.process.stdin.fileno(), False)
    data, stuck = lines(*(call(i, "repeat_slowly", count=size) for i in range(count))), 0
    while data and stuck < 20:  # until nothing more is taken, for a while
        try:
            data, stuck = data[os.write(client.process.stdin.fileno(), data):], 0
        except BlockingIOError:
            stuck += 1
            time.sleep(0.05)
    assert data, "all was read although nothing was taken"
    assert peak_of(client) < 65536, f"{peak_of(client)} KiB"  # of 200 MB in all
    os.set_blocking(client.process.stdin.fileno(), True)
    rest = threading.Thread(target=client.process.stdin.write, args=(data,))
    rest.start()
    parts, got = [], 0
    while got < count + 1:
        parts.append(os.read(client.output.fileno(), 1 << 20))
        assert parts[-1]
        got += parts[-1].count(b"\n")
    rest.join()
    answers, _ = read(b"".join(parts))
    assert all(text_of(answers[i]) == "x" * size for i in range(count))
    assert client.end() == 0


def test_questions_in_a_burst():
    """More calls wait for the client than fit into the queue. They hold no place in it, so the answers are read."""
    count = 600
    client = Client("--workers", "2", "--max-queue", "8", stderr=subprocess.DEVNULL)
    hello = {**HELLO, "params": {**HELLO["params"], "capabilities": {"elicitation": {}}}}
    client.output = os.fdopen(os.dup(client.output.fileno()), "rb")
    writer = threading.Thread(target=client.send, args=(hello, READY, *(
        call(i, "ask" if i % 2 else "wait", **({} if i % 2 else {"ms": 0})) for i in range(count))))
    writer.start()
    questions, answers = [], {}
    while len(questions) < count // 2 or len(answers) < count // 2 + 1:
        message = json.loads(client.output.readline())
        if message.get("method") == "elicitation/create":
            questions.append(message["id"])
        else:
            answers[message["id"]] = message
    writer.join()
    writer = threading.Thread(target=client.send, args=[{"jsonrpc": "2.0", "id": number, "result": {
        "action": "accept", "content": {"text": "Ann"}}} for number in questions])
    writer.start()
    while len(answers) < count + 1:
        message = json.loads(client.output.readline())
        answers[message["id"]] = message
    writer.join()
    for i in range(count):
        assert text_of(answers[i]) == ("hello Ann" if i % 2 else "waited 0"), answers[i]
    client.output.close()
    assert client.end() == 0


def test_a_full_pipe_is_stopped_and_cancelled():
    """What was read can be cancelled while the client has all the calls but one that it may have; stopping ends the rest."""
    client = Client("--workers", "1", "--max-queue", "2")  # three calls are all that it may have
    client.send(HELLO, READY, call(1, "wait", ms=60000), call(2, "wait", ms=60000))
    client.heard(b"waiting")
    client.send(*({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": i}} for i in (2, 1)))
    client.heard(b"cancelled")
    client.send(*(call(i, "wait", ms=60000) for i in range(3, 9)))
    client.heard(b"waiting")
    client.process.send_signal(signal.SIGTERM)
    client.process.send_signal(signal.SIGINT)
    assert client.end() == 0


def test_ends_of_lines():
    data = lines(call(1, "echo", text="a")).replace(b"\n", b"\r\n") + b"\r\n\n" + line(call(2, "echo", text="b"))[:-1]
    code, answers, messages, _ = whole(data)
    assert code == 0 and len(messages) == 3
    assert text_of(answers[1]) == "a" and text_of(answers[2]) == "b"


def test_a_line_that_is_too_long():
    for tail in b"\n", b"":
        data = lines() + line(call(1, "echo", text="x" * 5000)) + line(call(2, "echo", text="y")) + b"z" * 99999 + tail
        code, answers, messages, _ = whole(data, "--max-body", "4096")
        assert code == 0 and len(messages) == 4, messages
        assert [one["error"]["code"] for one in messages if "error" in one] == [-32600] * 2
        assert text_of(answers[2]) == "y" and "error" in answers[1]
    long = "x" * 3000000
    code, answers, _, _ = whole(lines(call(1, "echo", text=long), call(2, "echo", text="y")))
    assert code == 0 and 1 in answers and text_of(answers[2]) == "y"


def test_ids_of_lines_that_are_too_long():
    """The id is found when it stands in the beginning that is kept, and is whole there."""
    head, filler = 4096, b'"x":"' + b"x" * 100000 + b'"'
    for message, id in (
            (b'{"jsonrpc":"2.0","id":7,"method":"ping",' + filler + b"}", 7),
            (b'{"jsonrpc":"2.0","id":"seven",' + filler, "seven"),
            (b"{" + filler + b',"id":7}', None),
            (b'{"jsonrpc":"2.0","id":7,"result":{},' + filler + b"}", None),
            (b'{"jsonrpc":"2.0","id":"' + b"7" * 100000 + b'"}', None),
            (b'{"id":'.rjust(head - 2) + b"77," + filler + b"}", None),   # cut behind the first digit, or the second
            (b'{"id":'.rjust(head - 3) + b"77," + filler + b"}", 77),
            (filler, None)):
        for size in "4096", "65536":
            code, _, messages, _ = whole(lines() + message + b"\n" + line(call(2, "echo", text="y")), "--max-body", size)
            assert code == 0 and len(messages) == 3 and text_of(messages[2]) == "y", messages
            assert messages[1]["error"]["code"] == -32600 and messages[1].get("id") == id, (message[:60], messages[1])


def test_answers_to_broken_messages_have_their_id():
    for meta, begin in ((broken.LEGACY, lines()), (broken.MODERN, b"")):
        cases = broken.messages(meta)
        code, _, messages, _ = whole(begin + b"".join(message + b"\n" for message, _, _ in cases))
        messages = messages[1:] if begin else messages
        assert code == 0 and len(messages) == len(cases)
        for (message, id, kind), answer in zip(cases, messages):
            broken.check(message, id, kind, answer)


def test_what_is_not_a_message():
    data = lines() + b"nonsense\n{}\n\x00\xff\n[1]\n" + line(call(1, "echo", text="still"))
    code, answers, messages, _ = whole(data)
    assert code == 0 and text_of(answers[1]) == "still"
    assert all("error" in one for one in messages if one.get("id") not in ("hello", 1)), messages


def test_thousands_at_once():
    count = 20000
    code, answers, messages, _ = whole(lines(*(call(i, "echo", text=f"number {i}") for i in range(count))))
    assert code == 0 and len(messages) == count + 1
    assert all(text_of(answers[i]) == f"number {i}" for i in range(count))


def test_thousands_that_wait():
    count = 3000
    code, answers, messages, _ = whole(lines(*(call(i, "wait", ms=0) for i in range(count))), "--max-queue", "10000",
                                       "--max-calls", "10000")
    assert code == 0 and len(messages) == count + 1
    assert all(text_of(answers[i]) == "waited 0" for i in range(count))


def test_a_loop_of_the_program():
    """tenon_server_open() and poll() over the standard streams: a pipe, a burst, a file, a terminal's end, nothing at all."""
    code, answers, messages, errors = whole(lines(call(1, "print", text="this"), call(2, "echo", text="that")), "--loop")
    assert (code, len(messages), text_of(answers[2])) == (0, 3, "that") and "printed this" in errors and "it slept" in errors, errors
    code, answers, messages, errors = whole(lines(*(call(i, "echo", text=str(i)) for i in range(3000))), "--loop")
    assert (code, len(messages)) == (0, 3001) and all(text_of(answers[i]) == str(i) for i in range(3000)) and "it slept" in errors
    with tempfile.TemporaryFile() as file:
        file.write(lines(call(1, "repeat", count=300000)))
        file.seek(0)
        done = subprocess.run([JUDGE, "--loop"], stdin=file, capture_output=True, timeout=PATIENCE, check=False)
        assert text_of(read(done.stdout)[0][1]) == "x" * 300000 and done.returncode == 0
    assert whole(b"", "--loop")[0:3] == (0, {}, [])
    client = Client("--loop", stderr=subprocess.DEVNULL)
    client.send(HELLO, READY)
    client.next()
    for i in range(3):  # each wakes it from its sleep
        client.send(call(i, "echo", text="again"))
        assert client.next()["id"] == i
    assert client.end() == 0


def test_a_slow_reader_is_waited_for():
    slow_reader()


def test_a_slow_reader_of_a_loop_is_waited_for():
    slow_reader("--loop")


def slow_reader(*flags):
    """Much more comes out than goes in: reading pauses, memory stays small, and nothing is lost."""
    count, size = 400, 200000
    client = Client(*flags, stderr=subprocess.DEVNULL)
    os.set_blocking(client.process.stdin.fileno(), False)
    data, stuck = lines(*(call(i, "repeat", count=size) for i in range(count))) + b"\n" * 1000000, 0
    while data and stuck < 20:  # until nothing more is taken, for a while
        try:
            data, stuck = data[os.write(client.process.stdin.fileno(), data):], 0
        except BlockingIOError:
            stuck += 1
            time.sleep(0.05)
    assert data, "all was read although nothing was taken"
    assert peak_of(client) < 65536, f"{peak_of(client)} KiB"
    parts, got = [], 0
    while got < count + 1:
        parts.append(os.read(client.output.fileno(), 1 << 20))
        assert parts[-1]
        got += parts[-1].count(b"\n")
    answers, _ = read(b"".join(parts))
    assert all(text_of(answers[i]) == "x" * size for i in range(count))
    os.set_blocking(client.process.stdin.fileno(), True)
    client.process.stdin.close()
    assert client.end() == 0


def test_a_flood_of_notes_does_not_fill_memory():
    client = Client(stderr=subprocess.DEVNULL)
    client.send(HELLO, READY, call(1, "report", token="t", count=60000))
    time.sleep(1)
    peak = peak_of(client)
    client.process.stdin.close()
    answers, _ = read(client.output.read())
    assert 1 in answers
    assert peak < 65536, f"{peak} KiB"
    assert client.end() == 0


def test_a_reader_that_goes_away():
    client = Client(stderr=subprocess.DEVNULL)
    client.send(HELLO, READY)
    client.next()
    client.process.stdout.close()
    client.process.stdout = None
    client.send(call(1, "wait", ms=60000), call(2, "repeat", count=100000))
    assert client.process.wait(PATIENCE) == 0
    client.process.stdin.close()


def test_signals():
    client = Client()
    client.send(HELLO, READY, call(1, "wait", ms=300))
    client.next()
    client.heard(b"waiting")
    client.process.send_signal(signal.SIGTERM)
    assert text_of(client.next()) == "waited 300"
    assert client.process.wait(PATIENCE) == 0
    client.end()
    client = Client()
    client.send(HELLO, READY, call(1, "hang", ms=60000), call(2, "wait", ms=60000))
    client.next()
    client.heard(b"waiting")
    client.process.send_signal(signal.SIGINT)
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(PATIENCE) == 0
    client.end()


def test_files():
    with tempfile.TemporaryDirectory() as place:
        name_in, name_out = pathlib.Path(place, "in"), pathlib.Path(place, "out")
        name_in.write_bytes(lines(*(call(i, "wait", ms=1) for i in range(20)), call(99, "repeat", count=500000)))
        with open(name_in, "rb") as source, open(name_out, "wb") as target:
            done = subprocess.run([JUDGE], stdin=source, stdout=target, stderr=subprocess.DEVNULL, timeout=PATIENCE,
                                  check=False)
        answers, messages = read(name_out.read_bytes())
        assert done.returncode == 0 and len(messages) == 22 and len(text_of(answers[99])) == 500000


def test_nowhere():
    with open(os.devnull, "r+b") as nothing:
        done = subprocess.run([JUDGE], stdin=nothing, stdout=nothing, stderr=subprocess.DEVNULL, timeout=PATIENCE,
                              check=False)
    assert done.returncode == 0
    done = subprocess.run(["sh", "-c", 'exec "$0" <&- >&- 2>&-', JUDGE], timeout=PATIENCE, check=False)
    assert done.returncode == 0


def test_without_dev_null():
    """In a bare root; it says so, and does not end without a word."""
    apart = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        return print("without_dev_null: this system has no namespaces for it")
    bare = [*apart, "sh", "-c", 'mount -t tmpfs none /dev && exec "$0"', JUDGE.resolve()]
    done = subprocess.run(bare, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (1, "judge: /dev/null cannot be opened, and a server does not start without it\n"), done


def test_a_socket():
    ours, theirs = socket.socketpair()
    client = Client(stdin=theirs, stdout=theirs)
    theirs.close()
    ours.sendall(lines(call(1, "repeat", count=1000000), call(2, "wait", ms=10)))
    ours.shutdown(socket.SHUT_WR)
    data = b""
    while more := ours.recv(1 << 16):
        data += more
    answers, messages = read(data)
    assert len(messages) == 3 and len(text_of(answers[1])) == 1000000 and text_of(answers[2]) == "waited 10"
    assert client.process.wait(PATIENCE) == 0
    client.process.stderr.close()
    ours.close()


def test_a_terminal():
    leader, follower = pty.openpty()
    client = Client(stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    os.close(follower)
    os.write(leader, line({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
    assert client.next()["id"] == 1
    os.write(leader, b"\x04")
    assert client.process.wait(PATIENCE) == 0
    client.process.stdout.close()
    os.close(leader)


def test_flags_of_the_client_stay():
    """The pipe is the client's, too: what it has not made non-blocking must not become so."""
    source, sink = os.pipe()
    client = Client(stdin=source)
    os.write(sink, lines())
    client.next()
    assert not fcntl.fcntl(source, fcntl.F_GETFL) & os.O_NONBLOCK
    os.close(sink)
    assert client.process.wait(PATIENCE) == 0
    os.close(source)
    client.process.stdout.close()
    client.process.stderr.close()


def test_nothing_is_left_running():
    client = Client(start_new_session=True)
    client.send(HELLO, READY, call(1, "hang", ms=60000), call(2, "wait", ms=10))
    for _ in range(3):
        client.next()
    assert client.end() == 0
    try:
        os.killpg(client.process.pid, 0)
    except ProcessLookupError:
        return
    raise AssertionError("something of its group still runs")


def test_no_value_of_another_type_ends_the_server():
    """Every parameter of a schema document gets every type of JSON; each call is answered, and the server goes on."""
    odd = [[], [1], ["fast"], [[1, 2, 3, 4]], [None] * 6, {}, {"a": 1}, {"mode": [1]}, {"mode": {"a": 1, "b": 2}}, None, 0,
           -1, 10 ** 30, 0.25, 1e300, True, False, "", " ", "nothing", "x" * 5000, "\u0000", "\U0001f600"]
    names = ["mode", "mixed", "fixed", "text", "day", "count", "ratio", "flag", "list", "inner", "map", "either", "other"]
    calls = [call(number, "by_schema", **{names[number // len(odd)]: odd[number % len(odd)]})
             for number in range(len(names) * len(odd))]
    code, answers, _, errors = whole(lines(*calls, call("last", "echo", text="still here")))
    assert code == 0 and text_of(answers["last"]) == "still here", (code, errors)
    for one in calls:
        said = answers[one["id"]]["result"]["structuredContent"]
        assert said["status"] in ("SUCCESS", "ERROR"), said
    refused = [one for one in calls if one["params"]["arguments"].get("mode") in ([1], {"a": 1})]
    assert len(refused) == 2 and all(code_of(answers[one["id"]]) == "VALIDATION_ERROR" for one in refused)


def test_secrets_of_a_schema_stay_where_they_are():
    """Not in the answer, not in the audit log with arguments; what is none stands in both."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "audit")
        sent = [{"pin": "xyzzy"}, {"headers": {"Authorization": "xyzzy"}}, {"headers": "{'cookie': 'xyzzy'"},
                {"headers": {"a": {"token": "xyzzy"}}}, {"text": "Shown!"}]
        code, answers, messages, errors = whole(lines(*(call(i, "by_schema", **one) for i, one in enumerate(sent))),
                                                "--audit", log, "--audit-arguments")
        written = pathlib.Path(log).read_text(encoding="utf-8")
    assert code == 0 and all(code_of(answers[i]) == "VALIDATION_ERROR" for i in range(len(sent))), answers
    for place in (json.dumps(messages), written, errors):
        assert "xyzzy" not in place, place
    assert "Shown!" in json.dumps(answers[4]) and "Shown!" in written and written.count("\n") == len(sent), written


def test_many_repairs_are_counted():
    answer = whole(lines(call(1, "by_schema", count="5", list=["a", "b"]), call(2, "numbers", n=[str(i) for i in range(300)])))[1]
    assert answer[1]["result"]["structuredContent"]["messages"] == ['Converted count from "5" to 5'], answer
    message = answer[2]["result"]["structuredContent"]["messages"][0]
    assert message.count(" from ") + int(message.split(" and ")[1].split()[0]) == 300, message


def test_a_hard_pattern_is_refused():
    """48 KB that once took seconds; the refusal says what it is, and the server goes on."""
    hard = "a" * 36 + "!"
    answers = whole(lines(call(1, "hard", x=[hard] * 1200), call(2, "hard", x=["aaa"] * 1200), call(3, "echo", text="on")))[1]
    said = answers[1]["result"]["structuredContent"]["error"]["details"]["fieldErrors"]
    assert "which takes too long to match" in said["x"][0], said
    assert answers[2]["result"]["structuredContent"]["status"] == "SUCCESS" and text_of(answers[3]) == "on"


def test_command_line():
    for flags, code, word in ((["--version"], 0, "judge 1.0.0"), (["--help"], 0, "--stdio"), (["--nope"], 2, "--nope"),
                              (["--http", "nowhere"], 2, "http"), (["--audit", "/nowhere/audit"], 1, "/nowhere")):
        done = subprocess.run([JUDGE, *flags], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
        assert done.returncode == code, (flags, done)
        assert word.encode() in done.stdout + done.stderr, (flags, done)


def main():
    tests = [(name[5:], value) for name, value in globals().items() if name.startswith("test_")]
    chosen = [one for one in tests if not sys.argv[1:] or any(word in one[0] for word in sys.argv[1:])]
    failed = 0
    for name, test in chosen:
        signal.alarm(PATIENCE)
        try:
            test()
        except Exception as problem:  # every one is a failure of this test alone
            failed += 1
            print(f"{name}: {type(problem).__name__}: {str(problem)[:2000]} (line {problem.__traceback__.tb_next.tb_lineno})")
    print(f"{len(chosen)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
