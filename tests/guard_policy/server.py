#!/usr/bin/env python3
"""A server that does what a file says: its tools, prompts and resources, and how it answers each call.

    server.py SPEC.json     {"tools": [...], "answers": {TOOL: [ANSWER, ...]}, "modern": false, "record": FILE, ...}

An answer is {"result": ...}, {"error": ...}, {"never": true}, {"steps": N, "pause": SECONDS}, {"crash": true},
{"after": TOOL} (it answers when that tool is called), {"drop": TOOL} (the tool leaves the list first), or {} for one that repeats the call; the last one of a list repeats. Text is
written as it is, so that bytes can be compared.
"""
import json
import os
import pathlib
import sys
import threading
import time

SPEC = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
MODERN = SPEC.get("modern", False)
RECORD = open(SPEC["record"], "a", encoding="utf-8") if "record" in SPEC else None  # pylint: disable=consider-using-with
META = "io.modelcontextprotocol/"
lock = threading.Lock()
left_open = {}  # by the tool whose call they are answered after


def write(text):
    with lock:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")))


def answer(number, result):
    if isinstance(result, str):
        write('{"jsonrpc":"2.0","id":%d,"result":%s}' % (number, result))
        return
    send({"id": number, "result": {**({"resultType": "complete"} if MODERN else {}), **result}})


def steps(number, token, count, pause):
    for i in range(count):
        time.sleep(pause)
        send({"method": "notifications/progress", "params": {"progressToken": token, "progress": i}})
    answer(number, {"content": [{"type": "text", "text": "done"}]})


def call(number, params):
    name = params["name"]
    left = SPEC.get("answers", {}).get(name, [{}])
    what = left.pop(0) if len(left) > 1 else left[0]
    for late in left_open.pop(name, []):
        answer(late, {"content": [{"type": "text", "text": "late"}]})
    if "drop" in what:
        SPEC["tools"] = [tool for tool in SPEC["tools"] if tool["name"] != what["drop"]]
    if "after" in what:
        left_open.setdefault(what["after"], []).append(number)
    elif what.get("crash"):
        os._exit(3)
    elif what.get("sleep"):
        time.sleep(what["sleep"])
    elif "steps" in what:
        token = params.get("_meta", {}).get("progressToken")
        threading.Thread(target=steps, args=(number, token, what["steps"], what["pause"]), daemon=True).start()
    elif "error" in what:
        send({"id": number, "error": what["error"]})
    elif "result" in what:
        answer(number, what["result"])
    elif not what.get("never"):
        answer(number, {"content": [{"type": "text", "text": json.dumps(params)}]})


def request(message):
    number, method, params = message["id"], message["method"], message.get("params", {})
    capabilities = {kind: {} for kind in ("tools", "prompts", "resources") if kind in SPEC}
    if MODERN and META + "protocolVersion" not in params.get("_meta", {}):
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})
    elif method == "server/discover" and MODERN:
        answer(number, {"supportedVersions": ["2026-07-28"], "capabilities": capabilities})
    elif method == "initialize" and not MODERN:
        answer(number, {"protocolVersion": params["protocolVersion"], "capabilities": capabilities,
                        "serverInfo": {"name": "up", "version": "1"}})
    elif method in ("tools/list", "prompts/list", "resources/list"):
        kind = method.split("/")[0]
        answer(number, {kind: SPEC.get(kind, [])})
    elif method == "resources/templates/list":
        answer(number, {"resourceTemplates": []})
    elif method == "tools/call":
        call(number, params)
    elif method == "prompts/get":
        answer(number, SPEC["prompt"])
    elif method == "resources/read":
        answer(number, {"contents": [{"uri": params["uri"], "text": "read"}]})
    else:
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})


for line in sys.stdin:
    if RECORD:
        RECORD.write(line)
        RECORD.flush()
    received = json.loads(line)
    if "method" in received and "id" in received:
        request(received)
