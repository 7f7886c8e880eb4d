#!/usr/bin/env python3
"""One of several servers behind a guard, as its command line says.

    --name NAME         who it is; its tools answer with it
    --tools A,B         tools that echo, besides those that it always has
    --prompts A,B       prompts
    --resources U,V     resources; reading one answers with the server's name
    --templates T,U     templates of resources
    --gate FILE         does not answer anything before the file is there
    --record FILE       writes every line that it gets
    --large N           so many tools with long descriptions
    --circle            a list of tools without end
    --quiet             does not say that its lists change, and does not report it
    --modern            speaks 2026-07-28 only
"""
import json
import os
import sys
import time

META = "io.modelcontextprotocol/"


def option(name, otherwise=""):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


def words(name):
    return [word for word in option(name).split(",") if word]


NAME, MODERN, QUIET = option("--name", "one"), "--modern" in sys.argv, "--quiet" in sys.argv
RECORD = open(option("--record"), "a", encoding="utf-8") if "--record" in sys.argv else None
OBJECT = {"type": "object"}
TOOLS = [{"name": name, "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
         for name in ["who", "grow", "touch", "mention", "log", "crash", "hang", "ask", *words("--tools")]]
TOOLS += [{"name": "large%d" % i, "description": "x" * 8000, "inputSchema": OBJECT}
          for i in range(int(option("--large", "0")))]
PROMPTS = [{"name": name} for name in words("--prompts")]
RESOURCES = [{"uri": uri, "name": uri} for uri in words("--resources")]
TEMPLATES = [{"uriTemplate": uri, "name": uri} for uri in words("--templates")]
state = {"listen": None, "asked": {}, "id": 100, "level": None, "capabilities": None, "client": None}


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def answer(number, result):
    if MODERN:
        result = {"resultType": "complete", **result, "_meta": {META + "serverInfo": {"name": NAME, "version": "1"}}}
    send({"id": number, "result": result})


def text(number, said):
    answer(number, {"content": [{"type": "text", "text": said}]})


def note(method, params=None):
    params = dict(params or {})
    if MODERN:
        if state["listen"] is None:
            return
        params["_meta"] = {META + "subscriptionId": state["listen"]}
    send({"method": method, **({"params": params} if params else {})})


def call(number, params):
    name, arguments = params["name"], params.get("arguments") or {}
    if name == "grow":
        TOOLS.append({"name": "new%d" % len(TOOLS), "inputSchema": OBJECT})
        if not QUIET:
            note("notifications/tools/list_changed")
            note("notifications/tools/list_changed")
        text(number, NAME)
    elif name == "touch":
        note("notifications/resources/updated", {"uri": arguments["uri"]})
        text(number, NAME)
    elif name == "mention":
        answer(number, {"content": [{"type": "resource_link", "uri": arguments["uri"], "name": "x"}]})
    elif name == "log":
        send({"method": "notifications/message", "params": {"level": "error", "data": "from " + NAME}})
        text(number, NAME)
    elif name == "crash":
        os._exit(3)
    elif name == "hang":
        pass
    elif name == "ask":
        state["id"] += 1
        state["asked"][state["id"]] = number
        send({"id": state["id"], "method": "elicitation/create", "params": {
            "message": "who?", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}})
    else:
        text(number, json.dumps({"server": NAME, "name": name, "arguments": arguments, "level": state["level"],
                                 "pid": os.getpid(), "capabilities": state["capabilities"],
                                 "client": state["client"]}))


def request(message):
    number, method, params = message["id"], message["method"], message.get("params", {})
    capabilities = {"tools": {} if QUIET else {"listChanged": True}, "logging": {}, "completions": {}}
    if PROMPTS:
        capabilities["prompts"] = {"listChanged": True}
    if RESOURCES or TEMPLATES:
        capabilities["resources"] = {"subscribe": True, "listChanged": True}
    if MODERN and META + "protocolVersion" not in params.get("_meta", {}):
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})
    elif method == "server/discover" and MODERN:
        answer(number, {"supportedVersions": ["2026-07-28"], "capabilities": capabilities, "instructions": NAME})
    elif method == "initialize" and not MODERN:
        state["capabilities"], state["client"] = params["capabilities"], params["clientInfo"]
        answer(number, {"protocolVersion": params["protocolVersion"], "capabilities": capabilities,
                        "serverInfo": {"name": NAME, "version": "1"}, "instructions": NAME})
    elif method == "tools/list" and "--circle" in sys.argv:
        answer(number, {"tools": [] if "cursor" in params else TOOLS, "nextCursor": "again"})
    elif method == "tools/list":
        answer(number, {"tools": TOOLS})
    elif method == "prompts/list" and PROMPTS:
        answer(number, {"prompts": PROMPTS})
    elif method == "resources/list" and (RESOURCES or TEMPLATES):
        answer(number, {"resources": RESOURCES})
    elif method == "resources/templates/list" and (RESOURCES or TEMPLATES):
        answer(number, {"resourceTemplates": TEMPLATES})
    elif method == "tools/call":
        call(number, params)
    elif method == "prompts/get":
        answer(number, {"messages": [{"role": "user", "content": {"type": "text", "text": NAME + " " + params["name"]}}]})
    elif method == "resources/read":
        answer(number, {"contents": [{"uri": params["uri"], "text": NAME}]})
    elif method == "completion/complete":
        answer(number, {"completion": {"values": [NAME, json.dumps(params["ref"])]}})
    elif method == "logging/setLevel":
        state["level"] = params["level"]
        answer(number, {})
    elif method in ("resources/subscribe", "resources/unsubscribe"):
        answer(number, {})
    elif method == "subscriptions/listen":
        state["listen"] = number
        note("notifications/subscriptions/acknowledged", {"notifications": params["notifications"]})
    elif method == "vendor/echo":
        answer(number, {"server": NAME})
    else:
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})


def main():
    while "--gate" in sys.argv and not os.path.exists(option("--gate")):
        time.sleep(0.01)
    for line in sys.stdin:
        if RECORD:
            RECORD.write(line)
            RECORD.flush()
        message = json.loads(line)
        if "method" not in message:
            number = state["asked"].pop(message["id"])
            text(number, NAME + " " + json.dumps(message.get("result", message.get("error"))))
        elif "id" in message:
            request(message)


main()
