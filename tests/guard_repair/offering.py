#!/usr/bin/env python3
"""A server that offers the tools of a file, and answers every call with the arguments that it got.

    offering.py FILE    the tools, as JSON
"""
import json
import sys

TOOLS = json.load(open(sys.argv[1], encoding="utf-8"))
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "offering", "version": "1"}}


def result_of(message):
    if message["method"] == "initialize":
        return HELLO
    if message["method"] == "tools/list":
        return {"tools": TOOLS}
    return {"content": [{"type": "text", "text": json.dumps(message["params"].get("arguments", {}))}]}


for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked and "method" in asked:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result_of(asked)}) + "\n")
        sys.stdout.flush()
