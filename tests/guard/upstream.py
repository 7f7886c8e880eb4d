#!/usr/bin/env python3
"""A server behind the guard that does as it is told: by its tools, and by words on its command line.

    --modern        speaks 2026-07-28 only
    --record FILE   writes every line that it gets to FILE
    --junk          writes lines that are no messages between its answers
"""
import json
import os
import sys
import time

MODERN = "--modern" in sys.argv
RECORD = open(sys.argv[sys.argv.index("--record") + 1], "a", encoding="utf-8") if "--record" in sys.argv else None
META = "io.modelcontextprotocol/"

# Numbers, escapes, spaces and members that a reader and writer of JSON would change.
ODD = ('{"content":[{"type":"text","text":"\\u0041 \\ud83d \\udc00 caf\\u00e9"}], "structuredContent":'
       '{"big":12345678901234567890,"money":1.10,"huge":1e400,"n":-0.0} , "x-vendor":{"b":1,"a":[ ]},"isError":false}')

JUDGED = {"type": "object", "additionalProperties": False, "properties": {
    "n": {"type": "integer", "minimum": 1, "maximum": 10}, "tags": {"type": "array", "items": {"type": "string"}},
    "mode": {"enum": ["fast", "slow"]}, "text": {"type": "string"}, "price": {"type": "number"},
    "limit": {"type": "integer", "default": 5}}}
OPEN = {"type": "object", "properties": {"max_sources": {"type": "integer"}, "query": {"type": "string"}}}
TOOLS = [
    {"name": "judged", "description": "takes what its schema says", "inputSchema": JUDGED, "x-vendor": 1},
    {"name": "open", "inputSchema": OPEN},
    {"name": "odd", "inputSchema": {"type": "object"}},
    {"name": "promised", "inputSchema": {"type": "object"},
     "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
    {"name": "unjudged", "inputSchema": {"type": "integr"}},
    {"name": "tasked", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}},
    {"name": "maybe", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}},
    {"name": "slow", "inputSchema": {"type": "object"}},
    {"name": "steps", "inputSchema": {"type": "object"}},
    {"name": "fail", "inputSchema": {"type": "object", "properties": {"code": {"type": "integer"}}}},
    {"name": "crash", "inputSchema": {"type": "object"}},
    {"name": "ask", "inputSchema": {"type": "object"}},
    {"name": "grow", "inputSchema": {"type": "object"}},
    {"name": "say", "inputSchema": {"type": "object"}},
]
asked = {}  # ids of questions to the calls that wait for them
left = []  # calls that are never answered
next_id = 100


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")))


def answer(number, result):
    if MODERN:
        result = {"resultType": "complete", **result, "_meta": {META + "serverInfo": {"name": "up", "version": "1"}}}
    send({"id": number, "result": result})


def text(number, said, **more):
    answer(number, {"content": [{"type": "text", "text": said}], **more})


def call(message):
    global next_id
    number, params = message["id"], message["params"]
    name, arguments = params["name"], params.get("arguments")
    token = params.get("_meta", {}).get("progressToken")
    if name == "odd":
        write('{"jsonrpc":"2.0","id":%d,"result":%s}' % (number, ODD))
    elif name == "promised":
        text(number, "n", structuredContent={"n": (arguments or {}).get("n", 1)})
    elif name == "slow":
        left.append(number)
    elif name == "steps":
        for i in range(3):
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": i, "x": 1.10}})
        text(number, "done")
    elif name == "fail":
        send({"id": number, "error": {"code": arguments["code"], "message": "as you like", "data": {"a": 1}}})
    elif name == "crash":
        os._exit(3)
    elif name == "ask" and MODERN:
        if "inputResponses" in params:
            text(number, "you said " + json.dumps(params["inputResponses"]) + " " + params["requestState"])
        else:
            send({"id": number, "result": {"resultType": "input_required", "requestState": "s1", "inputRequests": {
                "name": {"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {
                    "type": "object", "properties": {"name": {"type": "string"}}}}}}}})
    elif name == "ask":
        next_id += 1
        asked[next_id] = number
        send({"id": next_id, "method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {
            "type": "object", "properties": {"name": {"type": "string"}}}}})
    elif name == "grow":
        TOOLS.append({"name": "new%d" % len(TOOLS), "inputSchema": {"type": "object"}})
        send({"method": "notifications/tools/list_changed"})
        text(number, "grown")
    elif name == "say":
        send({"method": "notifications/message", "params": {"level": "info", "data": "hello"}})
        text(number, "said")
    else:
        text(number, json.dumps({"name": name, "arguments": arguments, "meta": params.get("_meta")}))


def request(message):
    number, method, params = message["id"], message["method"], message.get("params", {})
    if MODERN and META + "protocolVersion" not in params.get("_meta", {}):
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})
    elif method == "server/discover" and MODERN:
        answer(number, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}, "resources": {}},
                        "instructions": "be kind", "ttlMs": 1000, "cacheScope": "public"})
    elif method == "initialize" and not MODERN:
        answer(number, {"protocolVersion": params["protocolVersion"],
                        "capabilities": {"tools": {}, "resources": {"subscribe": True}, "logging": {}, "tasks": {}},
                        "serverInfo": {"name": "up", "version": "1"}, "instructions": "be kind"})
    elif method == "tools/list":
        if "cursor" in params:
            answer(number, {"tools": TOOLS[4:], **TTL})
        else:
            answer(number, {"tools": TOOLS[:4], "nextCursor": "more", **TTL})
            if TTL:  # each time another list, which it does not report
                TOOLS.append({"name": "new%d" % len(TOOLS), "inputSchema": {"type": "object"}})
    elif method == "tools/call":
        call(message)
    elif method == "resources/read":
        send({"id": number, "error": {"code": -32602 if MODERN else -32002, "message": "no such resource"}})
    elif method == "vendor/echo":
        answer(number, {"params": params})
    else:
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})


TTL = {"ttlMs": int(sys.argv[sys.argv.index("--ttl") + 1]), "cacheScope": "public"} if "--ttl" in sys.argv else {}


def main():
    for line in sys.stdin:
        if RECORD:
            RECORD.write(line)
            RECORD.flush()
        message = json.loads(line)
        if "--junk" in sys.argv:
            write("npm warn \x1b[31mjunk\x1b[0m")
        if "method" not in message:
            number = asked.pop(message["id"])
            text(number, "you said " + json.dumps(message.get("result", message.get("error"))))
        elif "id" in message:
            request(message)
        elif message["method"] == "notifications/cancelled":
            time.sleep(0)


main()
