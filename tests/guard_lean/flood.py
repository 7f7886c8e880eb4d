#!/usr/bin/env python3
"""A server that writes what was not asked for. Its tools: `burst` sends many messages and then its answer; `flood` answers, and then
one of its threads writes to a descriptor without end and notes in FILE how much it got rid of; `churn` answers, and from then on
every list of tools is announced to have changed, and counted in FILE.

    flood.py FILE
"""
import json
import os
import sys
import threading

LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"again"}}\n'
LONG = LOG.replace(b"again", b"again and " * 300)
BURST = 2 << 20  # bytes
FILE = sys.argv[1]


def send(number, result):
    os.write(1, json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode() + b"\n")


def text(number, said):
    send(number, {"content": [{"type": "text", "text": said}]})


def flood(to):
    block, total, file = LOG * 100, 0, os.open(FILE, os.O_WRONLY | os.O_CREAT, 0o600)
    while True:
        total += os.write(to, block)
        os.pwrite(file, b"%020d" % total, 0)  # never a shorter text than before


def announce():
    os.write(1, b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n')


lists, counts = None, -1
for line in sys.stdin:
    message = json.loads(line)
    number, method = message.get("id"), message.get("method")
    if method == "initialize":
        send(number, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}},
                      "serverInfo": {"name": "flood", "version": "1"}})
    elif method == "tools/list":
        send(number, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("burst", "flood", "churn")]})
        if lists is not None:
            lists += 1
            os.pwrite(counts, b"%020d" % lists, 0)
            announce()
    elif method == "tools/call" and message["params"]["name"] == "churn":
        lists, counts = 0, os.open(FILE, os.O_WRONLY | os.O_CREAT, 0o600)
        text(number, "it begins")
        announce()
    elif method == "tools/call" and message["params"]["name"] == "burst":
        for _ in range(BURST // len(LONG)):
            os.write(1, LONG)
        text(number, "after all that")
    elif method == "tools/call":
        text(number, "it begins")
        threading.Thread(target=flood, args=(message["params"]["arguments"]["to"],), daemon=True).start()
    elif number is not None:
        os.write(1, json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no"}}).encode() + b"\n")
