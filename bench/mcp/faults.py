#!/usr/bin/env python3
"""The same bad call to everyone: six parameters, each with a fault. What each server answers over standard streams, how
many faults the answer names, and how many calls a naive client needs.

    faults.py PROGRAMS PEERS    JSON on standard output: a list of the servers

The naive client believes what it reads and nothing else: it sends the call, mends each parameter that the answer names
(by its name as a word, or by the value that was sent), and calls again, until it is served. An answer that names none
leaves it where it was."""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
GOOD = {"query": "invoices from march", "limit": 20, "score": 0.75, "archived": True, "level": "high", "tags": ["finance", "open"]}
BAD = {"query": "", "limit": 500, "score": 1.5, "archived": "maybe", "level": "urgent", "tags": [""]}
ROUNDS_MAX = 12
LEGACY = ("typescript-v1",)


def lines_of(legacy):
    """The opening, and what makes a message of arguments."""
    call = json.loads((HERE / ("call-legacy.json" if legacy else "call.json")).read_text())

    def message(number, arguments):
        params = {**call["params"], "arguments": arguments}
        return json.dumps({**call, "id": number, "params": params}) + "\n"
    return (HERE / "opening.jsonl").read_text() if legacy else "", message


def answer_to(child, number):
    for line in child.stdout:
        said = json.loads(line)
        if said.get("id") == number:
            return said
    raise RuntimeError("it ended")


def text_of(said):
    """What a model gets to read, and whether it is a success."""
    if "error" in said:
        data = said["error"].get("data")
        return said["error"]["message"] + (f" {json.dumps(data)}" if data else ""), False
    result = said["result"]
    text = "\n".join(part.get("text", "") for part in result.get("content", []))
    return text, not result.get("isError", False)


def named_in(text, arguments):
    """The parameters that an answer speaks of, of those that are still wrong."""
    for name, value in BAD.items():
        if arguments[name] != value:
            continue
        shown = json.dumps(value)
        if re.search(rf"\b{name}\b", text) or (value != "" and re.search(rf"(?<![\w.]){re.escape(shown.strip('[]') or shown)}(?![\w.])", text)) or (
                isinstance(value, str) and value and re.search(rf"\b{value}\b", text)):
            yield name


def try_server(name, command):
    legacy = name in LEGACY
    opening, message = lines_of(legacy)
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        child.stdin.write(opening)
        child.stdin.flush()
        arguments, first, named_first, calls = dict(BAD), None, 0, 0
        while calls < ROUNDS_MAX:
            calls += 1
            child.stdin.write(message(1000000 + calls, arguments))
            child.stdin.flush()
            said = answer_to(child, 1000000 + calls)
            text, served = text_of(said)
            named = [] if served else list(named_in(text, arguments))
            if first is None:
                first, named_first = text, len(named)
            if served or not named:
                break
            arguments = {**arguments, **{one: GOOD[one] for one in named}}
        return {"name": name, "named": named_first, "calls": calls if served else None, "bytes": len(first.encode()), "first": first}
    finally:
        child.stdin.close()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def main():
    programs, peers = map(pathlib.Path, sys.argv[1:])
    servers = [("tenon", [programs / "server"])]
    servers += [(line.split()[0], line.split()[1:]) for line in peers.read_text().splitlines()]
    results = []
    for name, command in servers:
        try:
            results.append(try_server(name, command))
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            print(f"bench/mcp: {name} was not asked: {error}", file=sys.stderr)
    json.dump(results, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
