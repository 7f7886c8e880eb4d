#!/usr/bin/env python3
"""A server behind the guard that asks its client as its calls want: by requests, or with --modern by results.

    ask {"steps": [[QUESTION, ...], {"progress": 1}, {"crash": true}, {"big": BYTES}, {"linger": true}, ...]}

A QUESTION is {"method": ..., "params": {...}}. Those of one list are asked at once, and all answers are waited for. The
result of the call is the text of all answers, in order.

    --record FILE   writes every line that it gets to FILE
    --early         asks for roots after the handshake
    --state BYTES   length of the state that a modern one gives
    --http          serves at a free port of 127.0.0.1, which it prints
"""
import http.server
import json
import os
import sys
import threading

MODERN = "--modern" in sys.argv
RECORD = open(sys.argv[sys.argv.index("--record") + 1], "a", encoding="utf-8") if "--record" in sys.argv else None
STATE = int(sys.argv[sys.argv.index("--state") + 1]) if "--state" in sys.argv else 0
META = "io.modelcontextprotocol/"
FORM = {"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {
    "type": "object", "properties": {"name": {"type": "string"}}}}}
TOOLS = [{"name": name, "inputSchema": {"type": "object", "properties": {"steps": {"type": "array"},
                                                                          "n": {"type": "integer"}}}}
         for name in ("ask", "other", "withdraw", "task", "count", "settle")]

lock = threading.Lock()
answers, arrived = {}, threading.Condition(lock)  # by id of question
waiting = {}  # id of question: True, until it is answered or withdrawn
cancelled = set()
last = 0


here = threading.local()  # .stream: of the request over HTTP that this thread works on


def send(message):
    line = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"))
    stream = getattr(here, "stream", None)
    with lock:
        if stream:
            stream.write(b"data: " + line.encode() + b"\n\n")
        else:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


def put(question):
    """Asks; the id."""
    global last
    with lock:
        last += 1
        number = "up-%d" % last if last % 2 else last
        waiting[number] = True
    send({"id": number, **question})
    return number


def answer_of(number):
    with lock:
        while number not in answers and waiting.get(number):
            arrived.wait()
        waiting.pop(number, None)
        return answers.pop(number, "withdrawn")


def answer(number, result):
    if MODERN:
        result = {"resultType": "complete", **result, "_meta": {META + "serverInfo": {"name": "up", "version": "1"}}}
    send({"id": number, "result": result})


def text(number, value):
    answer(number, {"content": [{"type": "text", "text": json.dumps(value)}]})


def run_steps(message, steps):
    """What a legacy server got to know of its client."""
    token = message["params"].get("_meta", {}).get("progressToken")
    found = []
    for step in steps:
        if isinstance(step, list):
            numbers = [put(question) for question in step]
            found += [answer_of(number) for number in numbers]
        elif "progress" in step:
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": step["progress"]}})
        elif "crash" in step:
            os._exit(3)
        elif "big" in step:
            found.append("x" * step["big"])
        elif "leave" in step:  # asks, and does not wait
            put(step["leave"])
        elif "withdraw" in step:
            number = put(step["withdraw"])
            with lock:
                waiting.pop(number)
            send({"method": "notifications/cancelled", "params": {"requestId": number}})
        elif "error" in step:
            send({"id": message["id"], "error": step["error"]})
            return None
        elif "linger" in step:
            with lock:
                while message["id"] not in cancelled:
                    arrived.wait()
            return None
    return found


def call_legacy(message, steps):
    found = run_steps(message, steps)
    if found is not None:
        if message["method"] == "tools/call":
            text(message["id"], found)
        elif message["method"] == "prompts/get":
            answer(message["id"], {"messages": [{"role": "user", "content": {"type": "text", "text": json.dumps(found)}}]})
        elif message["method"] == "resources/read":
            answer(message["id"], {"contents": [{"uri": "ask://x", "text": json.dumps(found)}]})
        else:
            answer(message["id"], {"completion": {"values": [json.dumps(found)[:90]]}})


def call_modern(message, steps):
    """One list of questions a round; the state is the round and all answers so far."""
    params = message["params"]
    state = json.loads(params["requestState"]) if "requestState" in params else {"round": 0, "found": []}
    got = params.get("inputResponses", {})
    if state["round"] > 0:
        asked = steps[state["round"] - 1]
        state["found"] += [got.get("k%d" % i, "missing") for i in range(len(asked))]
    if state["round"] < len(steps) and isinstance(steps[state["round"]], list):
        asks = {"k%d" % i: question for i, question in enumerate(steps[state["round"]])}
        state["round"] += 1
        state["pad"] = "x" * STATE
        send({"id": message["id"], "result": {"resultType": "input_required", "inputRequests": asks,
                                              "requestState": json.dumps(state)}})
    else:
        text(message["id"], state["found"])


tasks = {}
running = []
listens = []  # streams, with the tasks that they follow


def listen(message):
    wanted = message["params"]["notifications"]
    has = META + "tasks" in message["params"]["_meta"][META + "clientCapabilities"].get("extensions", {})
    wanted = {"taskIds": [one for one in wanted.get("taskIds", []) if one in tasks]} if has else {}
    listens.append((message["id"], wanted.get("taskIds", [])))
    send({"method": "notifications/subscriptions/acknowledged", "params": {
        "notifications": wanted, "_meta": {META + "subscriptionId": message["id"]}}})


def news(more):
    """Of every task that is followed."""
    for stream, followed in listens:
        for one in followed:
            send({"method": "notifications/tasks", "params": {"taskId": one, "createdAt": "2026-11-15T10:00:00Z", "x": 1.10, **more,
                                                              "_meta": {META + "subscriptionId": stream, "own": 1}}})


def task(message):
    params = message["params"]
    if message["method"] == "tools/call":
        tasks["t-1"] = "working"
        send({"id": message["id"], "result": {"resultType": "task", "taskId": "t-1", "status": "working", "ttlMs": 60000,
                                              "createdAt": "2026-11-15T10:00:00Z", "x": 1.10}})
    elif params["taskId"] not in tasks:
        send({"id": message["id"], "error": {"code": -32602, "message": "no such task"}})
    elif message["method"] == "tasks/get":
        answer(message["id"], {"taskId": params["taskId"], "status": "completed", "result": {
            "content": [{"type": "text", "text": "t-1"}]}})
    else:
        answer(message["id"], {})


def request(message):
    number, method, params = message["id"], message["method"], message.get("params", {})
    name = params.get("name")
    if MODERN and META + "protocolVersion" not in params.get("_meta", {}):
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})
    elif method == "server/discover" and MODERN:
        answer(number, {"supportedVersions": ["2026-07-28"], "capabilities": {
            "tools": {}, "prompts": {}, "resources": {}, "extensions": {META + "tasks": {}}}, "ttlMs": 1000,
            "cacheScope": "public"})
    elif method == "initialize" and not MODERN:
        answer(number, {"protocolVersion": params["protocolVersion"], "serverInfo": {"name": "up", "version": "1"},
                        "capabilities": {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}})
    elif method == "tools/list":
        answer(number, {"tools": TOOLS})
    elif method in ("tasks/get", "tasks/update", "tasks/cancel") or name == "task":
        task(message)
    elif method == "subscriptions/listen":
        listen(message)
    elif name == "other" and "news" in params:
        news(params["news"])
        text(number, len(listens))
    elif name == "count":
        text(number, [params.get("_meta", {}).get(META + "clientCapabilities")])
    elif name == "settle":  # answers after every call that runs
        for one in running:
            one.join()
        text(number, len(running))
    elif name == "withdraw":
        with lock:
            open_ = list(waiting)
        for one in open_:
            send({"method": "notifications/cancelled", "params": {"requestId": one}})
        with lock:
            waiting.clear()
            arrived.notify_all()
        text(number, len(open_))
    elif method in ("tools/call", "prompts/get", "resources/read", "completion/complete"):
        steps = params.get("arguments", {}).get("steps", [[FORM]])
        if isinstance(steps, str):
            steps = json.loads(steps)
        if MODERN:
            call_modern(message, steps)
        elif getattr(here, "stream", None):
            call_legacy(message, steps)
        else:
            running.append(threading.Thread(target=call_legacy, args=(message, steps), daemon=True))
            running[-1].start()
    else:
        send({"id": number, "error": {"code": -32601, "message": "Method not found"}})


def take(line):
    if RECORD:
        with lock:
            RECORD.write(line.strip() + "\n")
            RECORD.flush()
    message = json.loads(line)
    if "method" not in message:
        with lock:
            if waiting.pop(message["id"], None):
                answers[message["id"]] = message.get("result", {"error": message.get("error")})
                arrived.notify_all()
    elif "id" in message:
        request(message)
    elif message["method"] == "notifications/initialized" and "--early" in sys.argv:
        put({"method": "roots/list"})
    elif message["method"] == "notifications/cancelled":
        with lock:
            cancelled.add(message["params"]["requestId"])
            arrived.notify_all()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        line = self.rfile.read(int(self.headers["Content-Length"])).decode()
        message = json.loads(line)
        answered = "id" in message and "method" in message
        self.send_response(200 if answered else 202)
        if answered:
            self.send_header("Content-Type", "text/event-stream")
        if message.get("method") == "initialize":
            self.send_header("Mcp-Session-Id", "s1")
        self.end_headers()
        here.stream = self.wfile if answered else None
        take(line)

    def do_GET(self):
        self.send_error(405)

    do_DELETE = do_GET

    def log_message(self, *_):
        pass


def main():
    if "--http" not in sys.argv:
        for line in sys.stdin:
            take(line)
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()


main()
