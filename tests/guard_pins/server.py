#!/usr/bin/env python3
"""A server that offers what a file says, byte for byte, each time it is asked.

    server.py FILE [--gate GATE] [--record LOG]

FILE is what tools/list answers; "prompts", "resourceTemplates" and "instructions" beside "tools" are offered, too. With a
gate, nothing is answered before that file is there. Calls are echoed; a call of `again` reports that the list has changed.
"""
import json
import os
import sys
import time

FILE = sys.argv[1]
GATE = sys.argv[sys.argv.index("--gate") + 1] if "--gate" in sys.argv else None
RECORD = sys.argv[sys.argv.index("--record") + 1] if "--record" in sys.argv else None
# a server may change each time that it is asked: FILE.1, FILE.2, ... are taken first, and each once
TAKEN = []


def offered():
    for number in range(1, 100):
        path = f"{FILE}.{number}"
        if path not in TAKEN and os.path.exists(path):
            TAKEN.append(path)
            with open(path, encoding="utf-8") as file:
                return file.read()
    with open(FILE, encoding="utf-8") as file:
        return file.read()


def member(text, name):
    """The array as its own bytes: a reader would lose names that come twice."""
    start = text.find(f'"{name}":[')
    if start < 0:
        return "[]"
    at = start + len(name) + 3
    depth, inside = 0, False
    for end in range(at, len(text)):
        c = text[end]
        if inside:
            if c == "\\" or text[end - 1] == "\\" and text[end - 2] != "\\":
                continue
            inside = c != '"'
        elif c == '"':
            inside = True
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
            if depth == 0:
                return text[at:end + 1]
    return "[]"


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(message, result):
    write('{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(message["id"]), result))


def main():
    for line in sys.stdin:
        message = json.loads(line)
        while GATE and not os.path.exists(GATE):
            time.sleep(0.01)
        if RECORD:
            with open(RECORD, "a", encoding="utf-8") as file:
                file.write(line)
        method = message["method"]
        if "id" not in message:
            continue
        if method == "initialize":
            known = json.loads(offered()) if os.path.exists(FILE) else {}
            capabilities = {"tools": {}}
            if "prompts" in known:
                capabilities["prompts"] = {}
            if "resourceTemplates" in known:
                capabilities["resources"] = {}
            answer(message, json.dumps({"protocolVersion": message["params"]["protocolVersion"],
                                        "capabilities": capabilities, "serverInfo": {"name": "mail", "version": "1"},
                                        **({"instructions": known["instructions"]} if "instructions" in known else {})}))
        elif method == "tools/list":
            answer(message, '{"tools":%s}' % member(offered(), "tools"))
        elif method == "prompts/list":
            answer(message, '{"prompts":%s}' % member(offered(), "prompts"))
        elif method == "resources/templates/list":
            answer(message, '{"resourceTemplates":%s}' % member(offered(), "resourceTemplates"))
        elif method == "prompts/get":
            answer(message, json.dumps({"messages": [], "description": message["params"]["name"]}))
        elif method == "tools/call":
            if message["params"]["name"] == "again":
                write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
            answer(message, json.dumps({"content": [{"type": "text", "text": json.dumps(message["params"])}]}))
        else:
            write('{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}'
                  % json.dumps(message["id"]))


main()
