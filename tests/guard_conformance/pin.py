#!/usr/bin/env python3
"""A server that speaks one revision only: the command after it, with the other era refused and the handshake led to it.

    pin.py REVISION COMMAND...
"""
import json
import os
import subprocess
import sys
import threading

REVISION, WORDS = sys.argv[1], sys.argv[2:]
KEY = "io.modelcontextprotocol/protocolVersion"
MODERN = "2026-07-28"
lock = threading.Lock()


def write(data):
    with lock:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def refuse(message):
    write(json.dumps({"jsonrpc": "2.0", "id": message["id"],
                      "error": {"code": -32601, "message": "Method not found"}}).encode() + b"\n")


def belongs(message):
    """Does the server that is played know this message? A response always."""
    if "method" not in message:
        return True
    modern = KEY in message.get("params", {}).get("_meta", {})
    if REVISION == MODERN:
        return modern or "id" not in message
    return not modern and message["method"] != "server/discover"


def main():
    server = subprocess.Popen(WORDS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def back():
        for line in server.stdout:
            write(line)
        os._exit(0)

    threading.Thread(target=back, daemon=True).start()
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if not belongs(message):
            if "id" in message:
                refuse(message)
            continue
        if message.get("method") == "initialize":
            message["params"]["protocolVersion"] = REVISION
            line = json.dumps(message).encode() + b"\n"
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()
    server.wait()


main()
