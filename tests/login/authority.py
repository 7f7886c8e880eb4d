"""A server of the Model Context Protocol that needs a token, and its authorization server, in one program on one port.

`Place(**faults)` starts it; what a fault changes stands where it is asked for. Everything that came is in `seen`.
"""
import base64
import hashlib
import http.server
import json
import threading
import urllib.parse

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
HUGE = 300 << 10


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def finish(self, *_):
        try:
            super().finish()
        except ConnectionError:
            pass

    def reply(self, status, value=None, **headers):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    # ---- Metadata -----------------------------------------------------------------------------------------------

    def fault_reply(self, fault):
        """What a hostile document is like; false when it is not to be one."""
        if fault == "loops":
            self.reply(302, {}, Location=self.path)
        elif fault == "huge":
            self.reply(200, b"{" + b" " * HUGE + b"}")
        elif fault == "endless":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.close_connection = True
            for _ in range(1000):
                self.wfile.write(b" " * 65536)
        elif fault == "drips":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.close_connection = True
            for _ in range(30):
                if not self.server.place.ended.wait(0.2):
                    self.wfile.write(b" ")
        elif fault == "deep":
            self.reply(200, b'{"a":' * 5000 + b"1" + b"}" * 5000)
        elif fault == "no_json":
            self.reply(200, b"<html>")
        else:
            return False
        return True

    def do_GET(self):
        place, url = self.server.place, urllib.parse.urlsplit(self.path)
        place.note(url.path)
        if url.path == "/.well-known/oauth-protected-resource/mcp":
            if not self.fault_reply(place.faults.get("resource_document")):
                self.reply(200, {"resource": place.faults.get("resource", f"{place.root}/mcp"),
                                 "authorization_servers": [place.faults.get("authority", place.root)],
                                 "scopes_supported": ["notes"], "padding": place.padding})
        elif url.path == "/.well-known/oauth-authorization-server":
            if not self.fault_reply(place.faults.get("authority_document")):
                self.reply(200, {
                    "issuer": place.root, "authorization_endpoint": f"{place.root}/authorize",
                    "token_endpoint": f"{place.root}/token", "registration_endpoint": f"{place.root}/register",
                    "code_challenge_methods_supported": ["S256"], "scopes_supported": ["notes", "offline_access"],
                    "authorization_response_iss_parameter_supported": True, "padding": place.padding,
                    **place.faults.get("metadata", {})})
        elif url.path == "/authorize":
            self.authorize(dict(urllib.parse.parse_qsl(url.query, strict_parsing=True)))
        else:
            self.reply(404, {})

    def authorize(self, asked):
        place = self.server.place
        assert asked["response_type"] == "code" and asked["code_challenge_method"] == "S256", asked
        assert asked["resource"] == f"{place.root}/mcp" and len(asked["state"]) >= 43, asked
        place.asked.append(asked)
        answer = {"state": asked["state"], "iss": place.root, "code": place.faults.get("code", "the-code")}
        answer.update(place.faults.get("answer", {}))
        query = urllib.parse.urlencode({name: text for name, text in answer.items() if text is not None})
        self.reply(302, {}, Location=f"{asked['redirect_uri']}?{query}")

    # ---- Tokens -------------------------------------------------------------------------------------------------

    def do_POST(self):
        place = self.server.place
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        place.note(self.path)
        if self.path == "/register":
            place.registered = json.loads(body)
            self.reply(*place.faults.get("registered", (201, {"client_id": "client-1"})))
        elif self.path == "/token":
            self.token(dict(urllib.parse.parse_qsl(body, strict_parsing=True)))
        else:
            self.message(json.loads(body))

    def token(self, form):
        place = self.server.place
        place.forms.append((form, self.headers.get("Authorization")))
        if "token" in place.faults:
            return self.reply(*place.faults["token"])
        if "echoes" in place.faults:
            header = self.headers.get("Authorization") or ""
            key, quote = place.faults["echoes"], base64.b64decode(header.removeprefix("Basic ")).decode()
            sent = {**form, "header": header.removeprefix("Basic "), "pair": urllib.parse.unquote(quote)}
            return self.reply(400, {"error": "invalid_grant", "error_description": f"Bad: {sent.get(key, key)}"})
        if form["grant_type"] == "authorization_code":
            hashed = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(hashed).decode().rstrip("=")
            assert challenge == place.asked[-1]["code_challenge"] and form["resource"] == f"{place.root}/mcp", form
        if form["grant_type"] == "refresh_token" and form["refresh_token"] != place.refresh:
            return self.reply(400, {"error": "invalid_grant"})
        place.count += 1
        place.access = f"access-secret-{place.count}"
        place.refresh = f"refresh-secret-{place.count}"
        self.reply(200, {"access_token": place.access, "token_type": "Bearer", "refresh_token": place.refresh,
                         "expires_in": place.lasts})

    # ---- The server ---------------------------------------------------------------------------------------------

    def message(self, message):
        place = self.server.place
        given = self.headers.get("Authorization", "")
        if given and (other := place.faults.pop("other", None)):
            other()
        access = place.faults.get("trusts", place).access
        if not access or given != f"Bearer {access}" or place.faults.get("never"):
            return self.reply(401, {}, WWW_Authenticate=place.faults.get("challenge", 'Basic realm="x", Bearer scope="notes"'))
        if place.faults.get("forgets"):
            place.access = "another"
        pages, page = place.faults.get("pages", 1), int(message.get("params", {}).get("cursor", 1))
        results = {
            "server/discover": {"supportedVersions": [MODERN], "capabilities": {"tools": {}}},
            "tools/list": {"tools": [], "nextCursor": str(page + 1)} if page < pages else {
                "tools": [{"name": "note", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "written"}]}}
        self.reply(200, {"jsonrpc": "2.0", "id": message["id"],
                         "result": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **results[message["method"]]}})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        import sys
        if not isinstance(sys.exc_info()[1], ConnectionError):
            self.place.failures.append(repr(sys.exc_info()[1]))


class Place:
    def __init__(self, lasts=3600, **faults):
        self.faults, self.lasts = faults, lasts
        self.access = self.refresh = self.registered = None
        self.padding = " " * faults.get("padding", 0)
        self.count, self.seen, self.asked, self.forms, self.failures = 0, [], [], [], []
        self.lock, self.ended = threading.Lock(), threading.Event()

    def note(self, path):
        with self.lock:
            self.seen.append(path)

    def times(self, path):
        return self.seen.count(path)

    def __enter__(self):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.place = self
        self.root = f"http://127.0.0.1:{self.server.server_port}"
        self.url = f"{self.root}/mcp"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()
        assert not self.failures, self.failures
