#!/usr/bin/env python3
"""A server that notes every call before it answers it, after a moment.

    server.py MARK JOURNAL    MARK is for the test to find it by
"""
import json
import os
import sys
import time

JOURNAL = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "noting", "version": "1"}}
TOOLS = [{"name": "note", "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}, "ms": {"type": "number"}}}}]


def result_of(message):
    if message["method"] == "initialize":
        return HELLO
    if message["method"] == "tools/list":
        return {"tools": TOOLS}
    if message["method"] != "tools/call":
        return None
    arguments = message["params"]["arguments"]
    os.write(JOURNAL, arguments["key"].encode() + b"\n")
    time.sleep(arguments["ms"] / 1000)
    return {"content": [{"type": "text", "text": "noted " + arguments["key"]}]}


for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked and "method" in asked:
        found = result_of(asked)
        said = {"result": found} if found is not None else {"error": {"code": -32601, "message": "Method not found"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}) + "\n")
        sys.stdout.flush()
