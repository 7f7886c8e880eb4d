#!/usr/bin/env python3
"""A server with one tool, which shows what it was started with."""
import json
import os
import resource
import sys

TOOLS = [{"name": "look", "description": "what it runs with", "inputSchema": {"type": "object", "properties": {
    "n": {"type": "integer", "maximum": 10}}}}]

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        answer["result"] = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                            "serverInfo": {"name": sys.argv[1] if len(sys.argv) > 1 else "up", "version": "1"}}
    elif message["method"] == "tools/list":
        answer["result"] = {"tools": TOOLS}
    elif message["method"] == "tools/call":
        seen = {"env": dict(os.environ), "cwd": os.getcwd(), "data": resource.getrlimit(resource.RLIMIT_DATA)[0],
                "words": sys.argv[1:], "arguments": message["params"].get("arguments")}
        answer["result"] = {"content": [{"type": "text", "text": json.dumps(seen)}]}
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
