#!/usr/bin/env python3
"""A small MCP server for the tests of `tenon tools` and `tenon call`, over stdio and HTTP, in either era.

    server.py [--era modern|legacy|both|dies|mute] [--http] [--token TOKEN] [--json | --sse] [--pages N] [--rude NAME]
              [--refuses VERSION,...] [--aside] [--headers NAME,...]

It checks what a client must send, and answers -32600 with the reason when it is wrong. Its tools show their arguments,
headers and capabilities, so that a test can see what came. --http prints the address once it listens; --headers those of each request.
"""
import argparse
import base64
import http.server
import json
import queue
import socketserver
import sys
import time

META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"

ENVELOPE_ERROR = {
    "status": "ERROR",
    "error": {
        "code": "VALIDATION_ERROR", "message": "Validation failed: 2 errors",
        "details": {
            "fieldErrors": {"days": ["days must be between 1 and 14, got 20"], "city": ["city is required"]},
            "totalErrors": 2,
            "issues": [{"parameter": "days", "code": "range", "suggestion": 14},
                       {"parameter": "city", "code": "required", "example": "text"}],
        },
    },
    "messages": ["Beyond 7 days it is a guess."], "data": None,
}
ENVELOPE = {"status": "SUCCESS", "error": None, "messages": ["Limit defaulted to 10.", [1, 2], {"a": 1}, None, 3],
            "data": {"items": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": []}], "total": 2}}
SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"}, "n": {"type": "integer", "default": 3}, "ratio": {"type": "number"},
        "on": {"type": "boolean"}, "list": {"type": "array", "items": {"type": "string"}},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "ref": {"$ref": "#/$defs/count"},
        "kind": {"enum": ["low", "high"]}, "region": {"type": "string", "x-mcp-header": "Region"},
        "at": {"type": "object", "properties": {"zone": {"type": "integer", "x-mcp-header": "Zone"}}},
    },
    "required": ["text"], "$defs": {"count": {"type": "integer"}},
}
FORM = {"type": "object", "properties": {"ok": {"type": "boolean", "title": "Sure"}, "count": {"type": "integer", "minimum": 1}},
        "required": ["ok"]}
TOOLS = [
    {"name": "show", "title": "Show", "description": "Shows what came. And more that is not shown.", "inputSchema": SCHEMA},
    {"name": "good", "inputSchema": {"type": "object"}},
    {"name": "bad", "description": "Fails\nalways", "inputSchema": {"type": "object"}},
    {"name": "plain", "inputSchema": {"type": "object"}},
    {"name": "plain_error", "inputSchema": {"type": "object"}},
    {"name": "structured", "inputSchema": {"type": "object"}},
    {"name": "blocks", "inputSchema": {"type": "object"}},
    {"name": "steers", "description": "\x1b[2Jcleared \u202e", "inputSchema": {"type": "object", "properties": {"\x1b[1mx": {}}}},
    {"name": "slow", "inputSchema": {"type": "object"}},
    {"name": "talks", "inputSchema": {"type": "object"}},
    {"name": "asks", "inputSchema": {"type": "object"}},
    {"name": "huge", "inputSchema": {"type": "object"}},
    {"name": "drops", "inputSchema": {"type": "object"}},
]

BAD_HEADERS = [
    {"name": f"bad{at}", "inputSchema": {"type": "object", "properties": properties}} for at, properties in enumerate([
        {"a": {"type": "string", "x-mcp-header": ""}}, {"a": {"type": "number", "x-mcp-header": "A"}},
        {"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}},
        {"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}])]


WRONG = [
    {"name": "good", "inputSchema": {"type": "object"}}, {"name": "good", "inputSchema": {"type": "object"}},
    {"name": "list", "inputSchema": {"type": "array"}}, {"name": "none"},
    {"name": "bound", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "minimum": "1"}}}},
    {"name": "out", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "$ref": "#/$defs/x"}},
    {"name": "", "inputSchema": {"type": "object"}}]


class Refused(Exception):
    def __init__(self, code, text, data=None, status=400):
        super().__init__(text)
        self.error = {"code": code, "message": text, **({"data": data} if data else {})}
        self.status = status


def text(value):
    return {"content": [{"type": "text", "text": value}]}


def structured(value, failed=False):
    return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value, "isError": failed}


class Server:
    """One client's view of it; `send` puts a message on the way out, `ask` sends a request and returns its result."""

    def __init__(self, options):
        self.options = options
        self.version = None
        self.ready = False

    def era_of(self, message):
        meta = (message.get("params") or {}).get("_meta") or {}
        return ("modern" if META + "protocolVersion" in meta else "legacy"), meta

    def answer(self, message, headers, send, ask):
        era, meta = self.era_of(message)
        allowed = self.options.era
        method, params = message["method"], message.get("params") or {}
        if era == "modern":
            if allowed == "legacy":
                raise Refused(-32601, "Method not found", status=404)
            self.check_version(method)
            if meta[META + "protocolVersion"] != MODERN or META + "clientCapabilities" not in meta:
                raise Refused(-32602, "a bad envelope")
            self.check_headers(method, params, headers)
            result = self.modern(method, params, meta, headers, send)
            return {"resultType": "complete", **result, "_meta": {META + "serverInfo": {"name": "t", "version": "1"}}}
        if allowed == "modern":
            raise Refused(-32600, "an envelope is missing")
        return self.legacy(method, params, headers, send, ask)

    def check_version(self, method):
        """--refuses VERSIONS: the first question is refused, and these are named; then one is answered."""
        if self.options.refuses and (method == "server/discover" or not self.options.refusals):
            self.options.refusals += 1
            if self.options.refusals == 1 or MODERN not in self.options.refuses:
                raise Refused(-32022, "Unsupported protocol version", {"supported": self.options.refuses.split(",")})

    @staticmethod
    def check_headers(method, params, headers):
        if headers is None:
            return
        wanted = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
        if method == "tools/call":
            wanted["Mcp-Name"] = params["name"]
        for name, value in wanted.items():
            if headers.get(name) != value:
                raise Refused(-32020, f"{name} is {headers.get(name)}, not {value}")

    def modern(self, method, params, meta, headers, send):
        if method == "server/discover":
            return {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}
        if method == "tools/list":
            return {**self.listed(params), "ttlMs": 0, "cacheScope": "private"}
        if method == "tools/call":
            if params["name"] == "asks":
                return self.asks_modern(params, meta)
            return self.call(params, headers, meta, send)
        raise Refused(-32601, "Method not found", status=404)

    def legacy(self, method, params, headers, send, ask):
        if method == "initialize":
            self.version = params["protocolVersion"]
            assert params["clientInfo"]["name"] == "tenon", params
            return {"protocolVersion": self.options.version or self.version, "capabilities": {"tools": {}, "logging": {}},
                    "serverInfo": {"name": "t", "version": "1"}}
        if not self.ready:
            raise Refused(-32600, "notifications/initialized did not come")
        if headers is not None and headers.get("MCP-Protocol-Version") != self.version:
            raise Refused(-32600, "MCP-Protocol-Version is missing")
        if method == "logging/setLevel":
            return {}
        if method == "tools/list":
            return self.listed(params)
        if method == "tools/call":
            if params["name"] == "asks":
                if ask("ping", {}) != {}:
                    raise Refused(-32603, "no answer to ping")
                got = ask("elicitation/create", {"message": "Delete all?", "requestedSchema": FORM})
                return text(json.dumps(got))
            return self.call(params, headers, params.get("_meta") or {}, send)
        raise Refused(-32601, "Method not found", status=404)

    def listed(self, params):
        each = self.options.pages
        if self.options.rude == "wrong":
            return {"tools": WRONG}
        if self.options.rude == "headers":
            return {"tools": [*TOOLS[:2], *BAD_HEADERS]}
        if not each:
            return {"tools": TOOLS}
        at = int(params.get("cursor", "0"))
        more = {"nextCursor": str(at + each)} if at + each < len(TOOLS) or self.options.rude == "endless" else {}
        return {"tools": TOOLS[at:at + each], **more}

    @staticmethod
    def asks_modern(params, meta):
        answers = params.get("inputResponses")
        if not answers:
            if "elicitation" not in meta[META + "clientCapabilities"] and not params.get("arguments"):
                raise Refused(-32021, "Missing capability", {"requiredCapabilities": {"elicitation": {}}})
            return {"resultType": "input_required", "requestState": "sealed\u00e9",
                    "inputRequests": {"sure?": {"method": "elicitation/create", "params": {
                        "mode": "form", "message": "Delete all?", "requestedSchema": FORM}}}}
        if params.get("requestState") != "sealed\u00e9":
            raise Refused(-32602, "requestState was changed")
        return text(json.dumps(answers["sure?"]))

    @staticmethod
    def call(params, headers, meta, send):
        name, arguments = params["name"], params["arguments"]
        if name == "show":
            mirrored = {key: value for key, value in (headers or {}).items() if key.lower().startswith("mcp-param-")}
            return text(json.dumps({"arguments": arguments, **({"headers": mirrored} if mirrored else {})}, ensure_ascii=False))
        if name == "good":
            return structured(ENVELOPE)
        if name == "bad":
            return structured(ENVELOPE_ERROR, True)
        if name == "plain":
            return text("two\nlines")
        if name == "plain_error":
            return {**text("It went wrong."), "isError": True}
        if name == "structured":
            return structured({"number": 12345678901234567890123, "deep": {"list": [1, {"a": None}]}})
        if name == "blocks":
            return {"content": [{"type": "text", "text": "See:"},
                                {"type": "image", "mimeType": "image/png", "data": base64.b64encode(b"123456").decode()},
                                {"type": "resource_link", "name": "page", "uri": "https://example.com/"},
                                {"type": "resource", "resource": {"uri": "a://b", "text": "inside"}},
                                {"type": "unheard_of"}]}
        if name == "steers":
            return text("\x1b[2Jcleared \u202e and\ttab\r\nnext\r line")
        if name == "slow":
            time.sleep(30)
            return text("late")
        if name == "talks":
            if "progressToken" in meta:
                for step in 1, 2:
                    send({"jsonrpc": "2.0", "method": "notifications/progress",
                          "params": {"progressToken": meta["progressToken"], "progress": step, "total": 4, "message": "step\x1b"}})
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": {"a": 1}}})
            return text("said")
        if name == "huge":
            return text("x" * (17 << 20))
        if name == "drops":
            sys.exit(3)
        raise Refused(-32602, f"Unknown tool: {name}", status=200)


def reply_to(server, message, headers, send, ask):
    """The response to a request, and its HTTP status."""
    try:
        return {"jsonrpc": "2.0", "id": message["id"], "result": server.answer(message, headers, send, ask)}, 200
    except Refused as refused:
        return {"jsonrpc": "2.0", "id": message["id"], "error": refused.error}, refused.status


def serve_stdio(options):
    server = Server(options)

    def send(message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def ask(method, params):
        send({"jsonrpc": "2.0", "id": f"q-{method}", "method": method, "params": params})
        got = json.loads(sys.stdin.readline())
        assert got["id"] == f"q-{method}", got
        return got.get("result", got.get("error"))

    if options.rude == "chatty":
        print("Listening, and saying so where it must not", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        modern = server.era_of(message)[0] == "modern"
        if modern and options.era == "dies":
            sys.exit("a server that does not know what that is")
        if modern and options.era == "mute":
            continue
        if "id" not in message:
            server.ready = server.ready or message["method"] == "notifications/initialized"
        elif "method" in message:
            send(reply_to(server, message, None, send, ask)[0])
    if options.rude == "stays":
        time.sleep(60)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions, waiting, held, aside = {}, {}, {}, queue.Queue()

    def log_message(self, *_):
        pass

    def finish_with(self, status, kind=None, body=b"", extra=()):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in extra:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refused_before(self):
        options = self.server.options
        if options.token and self.headers.get("Authorization") != f"Bearer {options.token}":
            refusal = b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}' # as some servers say it
            self.finish_with(401, "application/json" if options.era == "modern" else "text/plain", refusal,
                             [("WWW-Authenticate", "Bearer")])
        elif options.rude == "moved":
            self.finish_with(308, extra=[("Location", "http://127.0.0.1:1/elsewhere")])
        elif options.rude == "broken":
            self.finish_with(500, "text/html", b"<html>internal</html>")
        elif options.rude == "lies":
            self.finish_with(200, "application/json", b"{\"jsonrpc\":")
        else:
            return False
        return True

    def do_DELETE(self):
        known = self.sessions.pop(self.headers.get("Mcp-Session-Id"), None)
        print("session ended" if known else "no such session", flush=True)  # before the client can go on
        self.finish_with(200 if known else 404)

    def do_GET(self):
        body = self.held.pop(self.headers.get("Last-Event-ID"), None)
        if body is None and self.server.options.aside and self.headers.get("Mcp-Session-Id") in self.sessions:
            events, questions = [], queue.Queue()
            Handler.aside = questions  # the newest stream's
            self.start_stream(events, None, b": open\n\n")
            while True:
                self.start_stream(events, questions.get())
        if body is None:
            return self.finish_with(405)
        self.finish_with(200, "text/event-stream", b"data: " + body + b"\n\n")

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.options.headers:
            print(" ".join(f"{name}={self.headers[name]}" for name in self.server.options.headers.split(",")), flush=True)
        if self.refused_before():
            return
        accepted = self.headers.get("Accept", "")
        assert "application/json" in accepted and "text/event-stream" in accepted, accepted
        assert self.headers["Content-Type"] == "application/json"
        if "method" not in message:
            self.waiting[message["id"]] = message
            return self.finish_with(202)
        server = Server(self.server.options)
        modern = server.era_of(message)[0] == "modern"
        if not modern and message["method"] != "initialize":
            server = self.sessions.get(self.headers.get("Mcp-Session-Id"))
            if server is None:
                return self.finish_with(400, "text/plain", b"there is no such session")
        if "id" not in message:
            server.ready = True
            if message["method"] == "notifications/cancelled":
                print("cancelled", message["params"]["requestId"], flush=True)
            return self.finish_with(202)
        if (message.get("params") or {}).get("name") == "slow":
            print("slow is", message["id"], flush=True)
        self.respond(server, message)

    def respond(self, server, message):
        options, events = self.server.options, []
        streaming = options.sse and message["method"] == "tools/call"

        def send(note):
            self.start_stream(events, note)

        def ask(method, params):
            name = f"q-{method}"
            question = {"jsonrpc": "2.0", "id": name, "method": method, "params": params}
            if options.aside:
                self.aside.put(question)
            else:
                self.start_stream(events, question)
            while name not in self.waiting:
                time.sleep(0.01)
            got = self.waiting.pop(name)
            return got.get("result", got.get("error"))

        reply, status = reply_to(server, message, self.headers, send if streaming else lambda _: None, ask)
        extra = []
        if message["method"] == "initialize" and status == 200:
            extra = [("Mcp-Session-Id", "session-1")]
            self.sessions["session-1"] = server
        body = json.dumps(reply).encode()
        if not streaming and not events:
            return self.finish_with(status, "application/json", body, extra)
        if options.rude == "resumes":
            self.held["event-7"] = body
            self.start_stream(events, None, b"id: event-7\nretry: 20\ndata:\n\n")
        else:
            self.start_stream(events, reply)
        self.wfile.write(b"0\r\n\r\n")

    def start_stream(self, events, message, data=None):
        """Events in odd pieces, with comments and all kinds of line ends."""
        if not events:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
        events.append(message)
        if data is None:
            end = (b"\n", b"\r\n", b"\r")[len(events) % 3]
            lines = json.dumps(message, indent=1).encode().split(b"\n")
            data = b": still here" + end + b"event: message" + end + b"".join(b"data: " + line + end for line in lines) + end
        for at in range(0, len(data), 65536 if len(data) > 65536 else 37):
            piece = data[at:at + (65536 if len(data) > 65536 else 37)]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()


class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        """A client that went away is no error of ours; all else ends the test."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, SystemExit)):
            super().handle_error(request, address)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", default="both")
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--sse", action="store_true")
    parser.add_argument("--token")
    parser.add_argument("--version")
    parser.add_argument("--pages", type=int)
    parser.add_argument("--rude")
    parser.add_argument("--refuses")
    parser.add_argument("--refusals", type=int, default=0)
    parser.add_argument("--aside", action="store_true")
    parser.add_argument("--headers", default="")
    options = parser.parse_args()
    if not options.http:
        return serve_stdio(options)
    listener = Listener(("127.0.0.1", 0), Handler)
    listener.options = options
    print(f"http://127.0.0.1:{listener.server_port}/mcp", flush=True)
    listener.serve_forever()


if __name__ == "__main__":
    main()
