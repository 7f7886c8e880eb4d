#!/usr/bin/env python3
"""An MCP server that is wrong on purpose: wrong.py MODE. Its one tool has a schema; what it makes of calls depends on the mode."""
import json
import os
import sys
import time

MODE = sys.argv[1]
INPUT = {"type": "object", "required": ["query"], "additionalProperties": False, "properties": {
    "query": {"type": "string", "minLength": 1}, "limit": {"type": "integer", "minimum": 1, "maximum": 50},
    "mode": {"enum": ["fast", "full"]}}}
OUTPUT = {"type": "object", "properties": {"hits": {"type": "integer"}}, "required": ["hits"]}
TOOL = {"name": "search", "description": "Searches.", "inputSchema": INPUT, "annotations": {"readOnlyHint": True}}
WRITE = {"name": "write", "description": "Writes.", "inputSchema": {"type": "object"}}
SHOWN = [TOOL, WRITE]
if MODE in ("wrong-result", "right-result", "no-structure"):
    TOOL["outputSchema"] = OUTPUT
KEPT = []


def mistakes(given):
    """What the schema has against it, as sentences that name the parameter."""
    if not isinstance(given, dict):
        return ["arguments must be an object"]
    found = [f"unknown parameter '{name}'" for name in given if name not in INPUT["properties"]]
    query, limit, mode = given.get("query"), given.get("limit", 1), given.get("mode", "fast")
    if not isinstance(query, str) or not query:
        found.append("query is required and must be a string that is not empty")
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or limit != limit // 1 or not 1 <= limit <= 50:
        found.append("limit must be an integer between 1 and 50")
    if mode not in ("fast", "full"):
        found.append("mode must be one of: fast, full")
    return found


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def call(given):
    bad = mistakes(given)
    if MODE == "accepts":
        return text("3 hits")
    if MODE == "accepts-limit" and bad and all(one.startswith("limit") for one in bad):
        return text("3 hits")
    if MODE == "vague" and bad:
        return text("Invalid arguments", isError=True)
    if MODE == "first" and bad:
        return text(bad[0], isError=True)
    if MODE == "hangs" and any(one.startswith("limit") for one in bad):
        return None
    if MODE == "stuck" and any(one.startswith("limit") for one in bad):
        time.sleep(1000)
    if MODE == "crashes" and any(one.startswith("limit") for one in bad):
        print("Segmentation fault, so to speak", file=sys.stderr, flush=True)
        os._exit(3)
    if MODE == "signal" and any(one.startswith("limit") for one in bad):
        os.kill(os.getpid(), 11)
    if MODE == "leaks":
        KEPT.append(bytearray(40000))
    if MODE == "leaks-refused" and bad:
        KEPT.append(json.dumps(given) * 4 + " " * len(KEPT))
    if MODE == "not-a-result":
        return "text"
    if bad:
        return text("; ".join(bad), isError=True)
    if MODE == "wrong-result":
        return text("3", structuredContent={"hits": "three"})
    if MODE == "right-result":
        return text("3", structuredContent={"hits": 3})
    return text("3 hits")


def answer(message):
    method, params = message.get("method"), message.get("params")
    if method == "initialize":
        return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "wrong", "version": "1"}}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        if MODE == "huge-list":
            return {"result": {"tools": [dict(TOOL, name=f"search_{i}") for i in range(3000)]}}
        if MODE == "endless-list":
            return {"result": {"tools": [dict(TOOL, name=f"s{time.time_ns()}")], "nextCursor": str(time.time_ns())}}
        return {"result": {"tools": SHOWN}}
    if method == "tools/call" and isinstance(params, dict) and params.get("name") == "search":
        given = params.get("arguments", {})
        if MODE == "protocol-error" and mistakes(given):
            return {"error": {"code": -32602, "message": "; ".join(mistakes(given))}}
        made = call(given)
        return None if made is None else {"result": made}
    if method == "tools/call" and isinstance(params, dict) and params.get("name") == "write":
        pathlib_written = os.environ.get("WRITTEN")
        if pathlib_written:
            open(pathlib_written, "a", encoding="utf-8").write("called\n")
        return {"result": text("written")}
    if method == "tools/call":
        return {"error": {"code": -32602, "message": "there is no such tool"}}
    return {"error": {"code": -32601, "message": "there is no such method"}}


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def serve():
    sys.setrecursionlimit(20000)
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            if MODE == "dies-of-junk":
                os._exit(4)
            say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "this is not JSON"}})
            continue
        if not isinstance(message, dict):
            say({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "this is not a message"}})
            continue
        if "id" not in message or "method" not in message or (MODE == "deaf-to-texts" and isinstance(message["id"], str)):
            continue
        made = answer(message)
        if made is not None:
            say({"jsonrpc": "2.0", "id": message["id"], **made})
        if MODE == "crashes-later" and message["method"] == "tools/call" and mistakes(message["params"].get("arguments", {})):
            time.sleep(0.02)
            os._exit(5)
        if MODE == "floods" and message["method"] == "tools/call":
            while True:
                sys.stdout.write("x" * 100000 + "\n")
        if MODE == "chatters":
            sys.stderr.write("e" * 200000 + "\n")
            sys.stderr.flush()


if MODE == "exits" or (MODE == "needs-variable" and os.environ.get("SEARCH_KEY") != "k"):
    sys.exit(7)
if MODE == "silent":
    time.sleep(1000)
serve()
