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
TRIES = 9  # some answer otherwise each time
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
        words = [name] + ([str(value)] if value not in ("", [""]) else [])  # what is empty stands in many texts
        if arguments[name] == value and any(re.search(rf"(?<![\w.]){re.escape(word)}(?![\w])", text) for word in words):
            yield name


def converse(child, message, first_id):
    """One naive client: how many faults the first answer names, the calls until it is served (0: never), the first answer."""
    arguments, first = dict(BAD), None
    for calls in range(1, ROUNDS_MAX + 1):
        child.stdin.write(message(first_id + calls, arguments))
        child.stdin.flush()
        text, served = text_of(answer_to(child, first_id + calls))
        named = [] if served else list(named_in(text, arguments))
        first = first or (len(named), text)
        if served:
            return first[0], calls, first[1]
        if not named:
            break
        arguments = {**arguments, **{one: GOOD[one] for one in named}}
    return first[0], 0, first[1]


def try_server(name, command):
    opening, message = lines_of(name in LEGACY)
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        child.stdin.write(opening)
        child.stdin.flush()
        tries = [converse(child, message, 1000000 + 100 * number) for number in range(TRIES)]
    finally:
        child.stdin.close()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    named, calls, texts = zip(*tries)
    return {"name": name, "named": [min(named), max(named)], "calls": [min(calls), max(calls)], "bytes": len(texts[0].encode()), "first": texts[0]}


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
