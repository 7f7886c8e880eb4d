#!/usr/bin/env python3
"""A server that does all that a server must not. Its tools are its sins; words on its command line are those of its beginning.

    evil.py MARK [WORD...]    MARK is for the test to find its processes by
"""
import json
import os
import sys
import time

WORDS = sys.argv[2:]
MIB = 1 << 20
out = sys.stdout.buffer
waiting = []  # ids of calls that are not answered
lists = 0


def raw(data):
    out.write(data)
    out.flush()


def send(message):
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def text(number, said="fine"):
    send({"id": number, "result": {"content": [{"type": "text", "text": said}]}})


def crash():
    os._exit(9)


# ---- Sins of a call ----------------------------------------------------------------------------------------------

def junk(number, _):
    raw(b"npm warn\n\n{\n[\n\"\n\xff\xfe\x00\n" + b"x" * 100000 + b"\n{\"jsonrpc\":\"2.0\"}\n[]\nnull\n42\n{\"id\":{}}\n[1,2,3]\n")
    text(number)


def wrong_ids(number, _):
    for other in (number + 1000, -1, 0, 1.5, str(number), [number], {"a": 1}, True, 2 ** 63, 2 ** 64, 1e300):
        send({"id": other, "result": {"content": [{"type": "text", "text": "wrong"}]}})
        send({"id": other, "error": {"code": -32603, "message": "wrong"}})
    text(number)


def twice(number, _):
    text(number)
    text(number, "again")
    send({"id": number, "error": {"code": 1, "message": "and again"}})


def late(number, _):
    waiting.append(number)


def flush_late(number, _):
    for other in waiting:
        text(other, "late")
    waiting.clear()
    text(number)


def changed(number, _):
    for _ in range(1000):
        send({"method": "notifications/tools/list_changed"})
    text(number)


def long_line(number, arguments):
    text(number, "x" * arguments["bytes"])


def endless_line(number, arguments):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % number)
    for _ in range(arguments["mib"]):
        raw(b"x" * MIB)
    raw(b'"}]}}\n')


def bad_utf8(number, _):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\xff\xc0\x80\xed\xa0\x80"}]}}\n' % number)


def questions(number, arguments):
    for i in range(arguments["count"]):
        send({"id": f"q{i}", "method": "elicitation/create", "params": {"message": "?", "requestedSchema": {
            "type": "object", "properties": {}}}})
    text(number)


def odd_requests(number, _):
    for i, method in enumerate(("roots/list", "sampling/createMessage", "ping", "no/such", "", "tools/call", "initialize")):
        send({"id": f"r{i}", "method": method, "params": {}})
        send({"id": None, "method": method})
        send({"id": {"a": i}, "method": method, "params": []})
        send({"method": method, "params": "text"})
    text(number)


def progress(number, arguments):
    for i in range(arguments["count"]):
        send({"method": "notifications/progress", "params": {"progressToken": arguments.get("token", 1), "progress": i}})
    text(number)


def logs(number, arguments):
    for i in range(arguments["count"]):
        send({"method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}})
    text(number)


def deep(number, arguments):
    depth = arguments["depth"]
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":%s%s}}\n' % (number, b"[" * depth, b"]" * depth))


def odd_result(number, arguments):
    raw(b'{"jsonrpc":"2.0","id":%d,%s}\n' % (number, arguments["json"].encode()))


def same_names(number, _):
    raw(b'{"jsonrpc":"2.0","id":99999,"id":%d,"result":{"content":[],"content":[]},"result":{"content":[]}}\n' % number)


def crash_now(_, __):
    crash()


def crash_in_line(number, _):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[' % number)
    crash()


def crash_after(number, _):
    text(number)
    crash()


def close_output(_, __):
    os.close(1)
    time.sleep(1000)


def deaf(_, __):
    time.sleep(1000)


def errors(number, _):
    for _ in range(2000):
        sys.stderr.write("\x1b[31m" + "e" * 1000 + "\n")
    text(number)


SINS = {name: sin for name, sin in globals().items() if callable(sin) and name not in ("raw", "send", "text", "crash")}


# ---- Sins of the beginning ----------------------------------------------------------------------------------------

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}}, "serverInfo": {"name": "evil", "version": "1"}}
ODD_HELLOS = {
    "no-hello": None, "hello-null": "null", "hello-array": "[]", "hello-empty": "{}",
    "hello-future": json.dumps({**HELLO, "protocolVersion": "2999-01-01"}),
    "hello-types": '{"protocolVersion":"2025-11-25","capabilities":[],"serverInfo":7,"instructions":{}}',
    "hello-long": json.dumps({**HELLO, "instructions": "i" * (4 * MIB)}),
}


def definitions():
    """Tools whose definitions are no good, beside one that is."""
    ref = {"$defs": {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 10} for i in range(20)}, "type": "object",
           "properties": {"x": {"$ref": "#/$defs/d0"}}}
    ref["$defs"]["d20"] = {"type": "string"}
    nested = {"type": "object"}
    for _ in range(40):
        nested = {"type": "object", "properties": {"a": nested}}
    return [{"name": "bomb", "inputSchema": ref}, {"name": "nested", "inputSchema": nested},
            {"name": "loop", "inputSchema": {"type": "object", "$ref": "#"}},
            {"name": "slow", "inputSchema": {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}},
            *({"name": f"header{i}", "inputSchema": {"type": "object", "properties": {"x": {"type": "string", "x-mcp-header": name},
                                                                                      "y": {"type": "string", "x-mcp-header": "X"}}}}
              for i, name in enumerate(("x", "", "a\r\nb: c", 7, None, "h" * 70000))),
            {"name": "headers", "inputSchema": {"type": "object", "properties": {
                f"p{i}": {"type": "string", "x-mcp-header": f"H{i}"} for i in range(1000)}}},
            {"name": "none"}, {"name": 7, "inputSchema": {}}, {"inputSchema": {"type": "object"}}, "text", None, [], 5,
            {"name": "", "inputSchema": {"type": "object"}}, {"name": "n" * 100000, "inputSchema": {"type": "object"}},
            {"name": "described", "description": "d" * (2 * MIB), "inputSchema": {"type": "object"}},
            {"name": "false", "inputSchema": False}, {"name": "array", "inputSchema": []}, {"name": "late", "inputSchema": {}}]


def tools():
    found = [{"name": name, "inputSchema": {"type": "object"}} for name in ("plain", *SINS)]
    if "definitions" in WORDS:
        found += definitions()
    if "deeper" in WORDS:
        nested = {"type": "object"}
        for _ in range(200):
            nested = {"type": "object", "properties": {"a": nested}}
        found.append({"name": "deeper", "inputSchema": nested})
    for word in WORDS:
        if word.isdigit():
            found += [{"name": f"t{i}", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
                      for i in range(int(word))]
    return found


def answer_list(number):
    global lists
    lists += 1
    found = tools()
    if "crash-list" in WORDS:
        crash()
    if "crash-in-list" in WORDS:
        raw(json.dumps({"jsonrpc": "2.0", "id": number, "result": {"tools": found}}).encode()[:500])
        crash()
    if "silent-list" in WORDS:
        return
    if "changing" in WORDS:
        found.append({"name": f"new{lists}", "inputSchema": {"type": "object"}})
    result = {"tools": found}
    if "cursors" in WORDS:
        result = {"tools": found if lists == 1 else [], "nextCursor": f"c{lists}"}
    if "same-cursor" in WORDS:
        result = {"tools": found if lists == 1 else [], "nextCursor": "c"}
    if "odd-list" in WORDS:
        result = {"tools": {"a": 1}, "nextCursor": 7}
    send({"id": number, "result": result})


def answer_hello(number):
    if "crash-hello" in WORDS:
        crash()
    if "crash-in-hello" in WORDS:
        raw(b'{"jsonrpc":"2.0","id":%d,"result":{"protoc' % number)
        crash()
    for word, result in ODD_HELLOS.items():
        if word in WORDS:
            if result:
                raw(b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (number, result.encode()))
            return
    send({"id": number, "result": HELLO})


def take(message):
    number, method = message.get("id"), message.get("method")
    if method == "notifications/cancelled" and "crash-cancel" in WORDS:
        crash()
    if method == "notifications/initialized" and "crash-initialized" in WORDS:
        crash()
    if number is None or method is None:
        return
    if method == "initialize":
        answer_hello(number)
    elif method == "tools/list":
        answer_list(number)
    elif method == "tools/call":
        name = message["params"]["name"]
        SINS.get(name, lambda number, _: text(number))(number, message["params"].get("arguments", {}))
    else:
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})


def main():
    if "crash-start" in WORDS:
        crash()
    if "deaf-start" in WORDS:
        time.sleep(1000)
    if "junk-start" in WORDS:
        raw(b"starting...\n{\n\xff\n" + b"j" * MIB + b"\n")
    for line in sys.stdin.buffer:
        take(json.loads(line))


main()
