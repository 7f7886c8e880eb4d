#!/usr/bin/env python3
"""Servers and guards that are killed at random moments: every call is answered exactly once, none is sent twice, and no process is
left.

    tests/guard_kills/run.py [--long] [--seed N]    60 kills of servers and 20 of guards; with --long 1,000 and 200

The moments come from the seed, which is printed; how far a call has come by then is the machine's affair.
"""
import collections
import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time
import uuid

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import parties

KILLS_EACH = 4  # of one guard's servers: one more start, and it lets them rest
AT_ONCE = 6
NOT_SENT, MAYBE_DONE = "was not sent", "may have been done"


class Run:
    """A guard with its noting server, whose calls are counted."""

    def __init__(self, folder, chance):
        self.mark, self.chance = uuid.uuid4().hex, chance
        self.journal = folder / self.mark
        self.modern = chance.random() < 0.5
        self.client = parties.Pipe([parties.TENON, "guard", "--log", "error", "--", sys.executable, HERE / "server.py", self.mark, self.journal],
                                modern=self.modern)
        self.keys = {}  # of calls, by their ids
        self.outcomes = collections.Counter()

    def servers(self):
        return [pid for pid in parties.processes_with(self.mark) if pid != self.client.process.pid]

    def start(self):
        key = f"k{len(self.keys)}"
        number = self.client.start("tools/call", {"name": "note", "arguments": {"key": key, "ms": self.chance.choice((0, 0, 1, 5))}})
        self.keys[number] = key
        return number

    def noted(self):
        text = self.journal.read_text() if self.journal.exists() else ""
        return collections.Counter(text.split())

    def judge(self, answers):
        """Each answer fits what the server noted."""
        noted = self.noted()
        assert all(count == 1 for count in noted.values()), ("sent twice", noted.most_common(3))
        for number, line in answers.items():
            key, answer = self.keys[number], json.loads(line)
            text = answer["result"]["content"][0]["text"] if "result" in answer else answer["error"]["message"]
            if text == "noted " + key:
                assert noted[key] == 1, (key, "was answered, and never done")
                self.outcomes["done"] += 1
            elif NOT_SENT in text:
                assert noted[key] == 0, (key, "was done", text)
                self.outcomes["not sent"] += 1
            else:
                assert MAYBE_DONE in text or "again and again" in text, text
                self.outcomes["unknown"] += 1


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_servers(run, kills, over):
    """In a thread of its own: kills the server again and again, a moment after it came to be."""
    while kills > 0 and not over.is_set():
        found = run.servers()
        if found:
            time.sleep(run.chance.random() * 0.03)
            for pid in found:
                kill(pid)
            kills -= 1
        time.sleep(run.chance.random() * 0.01)
    over.set()


def servers_killed(folder, chance):
    run, over, answers = Run(folder, chance), threading.Event(), {}
    killer = threading.Thread(target=kill_servers, args=(run, KILLS_EACH, over), daemon=True)
    with run.client as client:
        killer.start()
        while not over.is_set():
            numbers = [run.start() for _ in range(AT_ONCE)]
            answers.update((number, client.wait(number)) for number in numbers)
        killer.join()
    assert set(run.keys) == set(answers) and set(run.keys) <= client.ids
    run.judge(answers)
    parties.until("no process is left", lambda: not run.servers())
    return run.outcomes


def guard_killed(folder, chance):
    run = Run(folder, chance)
    client = run.client
    delay = chance.random() * 0.15
    threading.Thread(target=lambda: (time.sleep(delay), kill(client.process.pid)), daemon=True).start()
    try:
        while client.process.poll() is None:
            for number in [run.start() for _ in range(AT_ONCE)]:
                client.wait(number)
    except (BrokenPipeError, AssertionError):
        assert client.process.wait(parties.PATIENCE) == -signal.SIGKILL, (client.process.returncode, client.errors)
    client.threads[0].join(parties.PATIENCE)
    while not client.lines.empty():
        line = client.lines.get()
        if line is not None:
            client.take(line, answers=False)  # which says so when it came before
    assert all(count == 1 for count in run.noted().values()), "sent twice"
    parties.until("no process is left", lambda: not run.servers())
    return collections.Counter(guards=1)


def main(words):
    servers, guards = (1000, 200) if "--long" in words else (60, 20)
    seed = int(words[words.index("--seed") + 1]) if "--seed" in words else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    chance, outcomes = random.Random(seed), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tenon-kills-") as name:
        folder = pathlib.Path(name)

        def kill_all_servers():
            for _ in range(0, servers, KILLS_EACH):
                outcomes.update(servers_killed(folder, chance))
            assert outcomes["done"] and outcomes["unknown"], outcomes
            return f"{servers} kills, " + ", ".join(f"{count} {what}" for what, count in outcomes.items())

        def kill_guards():
            for _ in range(guards):
                guard_killed(folder, chance)
            return f"{guards} kills"

        return parties.main([("servers are killed", kill_all_servers), ("guards are killed", kill_guards)], [])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
