"""A server at an address that does as a test wants: MCP over HTTP of either era, in this process, on loopback.

    with Web() as web:
        web.tools["echo"] = ...     what a call does: a function of the handler and the message
        web.seen                    every request: method, headers, message

Whatever a test overrides is a function of the handler, which writes the response itself.
"""
import contextlib
import http.server
import json
import socket
import threading
import time

META = "io.modelcontextprotocol/"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.web.connections.add(self.connection)

    def log_message(self, *_):
        pass

    @property
    def web(self):
        return self.server.web

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        message = json.loads(body) if body else None
        self.web.note("POST", self.headers, message)
        if self.web.refuses(self):
            return
        self.web.post(self, message)

    def do_GET(self):
        self.web.note("GET", self.headers, None)
        if self.web.refuses(self):
            return
        self.web.get(self)

    def do_DELETE(self):
        self.web.note("DELETE", self.headers, None)
        self.status(200)

    def status(self, code, headers=(), body=b"", kind="application/json"):
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        if body:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, message, result, headers=()):
        if META + "protocolVersion" in message.get("params", {}).get("_meta", {}):
            result = {"resultType": "complete", **result}
        self.status(200, headers, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())

    def stream(self):
        """Begins a stream of events that ends with the connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, data="", number=None, retry=None, end="\n"):
        text = "".join(f"{name}: {value}{end}" for name, value in (("id", number), ("retry", retry)) if value is not None)
        self.wfile.write((text + f"data: {data}{end}{end}").encode())
        self.wfile.flush()


def text(said):
    return {"content": [{"type": "text", "text": said}]}


class Web:
    """One server; everything may be replaced by a test."""

    def __init__(self, modern=False, token=None, headers=None, port=0):
        self.modern, self.token, self.headers = modern, token, headers or {}
        self.lock = threading.Condition()
        self.seen, self.sessions, self.number, self.connections = [], set(), 0, set()
        self.tools = {"echo": lambda handler, message: handler.answer(message, text(json.dumps(
            message["params"].get("arguments"))))}
        self.get = lambda handler: handler.status(405)
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.http.daemon_threads, self.http.web = True, self
        self.http.handle_error = lambda *_: None  # the other end may go at any time
        self.port = self.http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def note(self, method, headers, message):
        with self.lock:
            self.seen.append((method, {name.lower(): value for name, value in headers.items()}, message))
            self.lock.notify_all()

    def wait(self, wanted, patience=60):
        """Until a request is there that `wanted` finds."""
        until = time.monotonic() + patience
        with self.lock:
            while not any(wanted(*one) for one in self.seen):
                assert self.lock.wait(until - time.monotonic()), self.seen

    def calls(self, name=None):
        with self.lock:
            return [message for _, _, message in self.seen if message and message.get("method") == "tools/call"
                    and (not name or message["params"]["name"] == name)]

    def methods(self):
        with self.lock:
            return [message["method"] for _, _, message in self.seen if message and "method" in message]

    def refuses(self, handler):
        for name, value in self.headers.items():
            if handler.headers.get(name) != value:
                handler.status(401)
                return True
        if self.token and handler.headers.get("Authorization") != f"Bearer {self.token}":
            handler.status(401, [("WWW-Authenticate", "Bearer")])
            return True
        return False

    def post(self, handler, message):
        method = message.get("method")
        if method == "initialize" and not self.modern:
            self.number += 1
            session = f"s{self.number}"
            self.sessions.add(session)
            handler.answer(message, {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                                     "serverInfo": {"name": "web", "version": "1"}}, [("Mcp-Session-Id", session)])
        elif method == "server/discover" and self.modern:
            handler.answer(message, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
        elif not self.modern and handler.headers.get("Mcp-Session-Id") not in self.sessions:
            known = method != "server/discover"
            handler.status(404 if known else 400, body=json.dumps({"jsonrpc": "2.0", "id": None, "error": {
                "code": -32001, "message": "Session not found"}}).encode())
        elif "id" not in message or "method" not in message:
            handler.status(202)
        elif method == "tools/list":
            handler.answer(message, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in self.tools]})
        elif method == "tools/call":
            self.tools[message["params"]["name"]](handler, message)
        elif method == "ping":
            handler.answer(message, {})
        else:
            handler.status(200, body=json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {
                "code": -32601, "message": "Method not found"}}).encode())
