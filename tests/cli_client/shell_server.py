#!/usr/bin/env python3
"""A server for the tests of `tenon shell`: values with spaces, and some that a terminal would obey, a question, and a tool that ends the process."""
import json
import os
import sys

TOOLS = [
    {"name": "pick", "description": "Picks " + "one of many " * 20, "inputSchema": {
        "type": "object", "properties": {"level": {"enum": ["low", "very high", "a \"b\" \\", "\u00fc", "\u00f6", "\x1b[31mred", "\u202eder"]},
                                         "\0" + "x" * 1000000: {}}}},
    {"name": "ask", "inputSchema": {"type": "object"}},
    {"name": "end", "inputSchema": {"type": "object"}},
]
PROMPTS = [{"name": "review", "arguments": [{"name": "path"}, {"name": "depth"}]}]
FORM = {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}


def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(params):
    if params["name"] == "end":
        os._exit(3)
    if params["name"] == "ask":
        send(id="q", method="elicitation/create", params={"message": "Delete all?", "requestedSchema": FORM})
        return "answered " + receive()["result"]["action"]
    return "picked " + json.dumps(params["arguments"])


ANSWERS = {
    "initialize": lambda params: {"protocolVersion": "2025-11-25", "serverInfo": {"name": "picker", "version": "1"},
                                  "capabilities": {"tools": {}, "prompts": {}, "completions": {}}},
    "tools/list": lambda params: {"tools": TOOLS},
    "prompts/list": lambda params: {"prompts": PROMPTS},
    "tools/call": lambda params: {"content": [{"type": "text", "text": call(params)}]},
    "completion/complete": lambda params: {"completion": {"values": [
        name for name in ("main.c", "my file.c") if name.startswith(params["argument"]["value"])]}},
    "prompts/get": lambda params: {"messages": [{"role": "user", "content": {
        "type": "text", "text": "prompted " + json.dumps(params["arguments"])}}]},
}

while True:
    message = receive()
    if message.get("method") in ANSWERS:
        send(id=message["id"], result=ANSWERS[message["method"]](message.get("params", {})))
    elif "id" in message:
        send(id=message["id"], error={"code": -32601, "message": "Method not found"})
