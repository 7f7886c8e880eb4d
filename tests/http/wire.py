"""A client of HTTP/1.1 that sees every byte, and a server to be called: what the tests of tests/http share."""
import json
import pathlib
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402
from rig import BUILD, LEGACY, MODERN, PATIENCE  # noqa: E402


class Server(rig.Server):
    """The judge, on a free port, until it is stopped."""

    def __init__(self, *flags):
        super().__init__([BUILD / "tests" / "http_judge", *flags])


class Answer:
    def __init__(self, status, headers):
        self.status, self.headers, self.body = status, headers, b""

    def json(self):
        return json.loads(self.body)

    def text(self):
        """What a tool said."""
        return self.json()["result"]["structuredContent"]["data"]["text"]

    def get(self, name):
        """A header, of which there is one at most."""
        values = [value for key, value in self.headers if key == name.lower()]
        assert len(values) <= 1, f"{name}: {values}"
        return values[0] if values else None


class Gone(Exception):
    """The server closed the connection."""


class Wire:
    """One connection."""

    def __init__(self, server, receive_buffer=None, address=None):
        """With an address of 127.0.0.0/8 to come from: without tokens, another one is another caller."""
        self.server, self.buffer = server, b""
        self.socket = socket.socket()
        if address:
            self.socket.bind((address, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", server.port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes so that the other side is told at once that nobody is there."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def raw(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())

    def request(self, method="POST", body=None, path=None, host="localhost", **headers):
        """Its bytes. Header names are written with _ for -; None leaves a header out."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{method} {path or self.server.path} HTTP/1.1", f"Host: {host}"]
        if body is not None:
            headers = {"Content_Type": "application/json", **headers}
            lines.append(f"Content-Length: {len(data)}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items() if value is not None]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + data

    def send(self, *args, **named):
        self.raw(self.request(*args, **named))
        return self

    def more(self):
        got = self.socket.recv(65536)
        if not got:
            raise Gone
        self.buffer += got

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def line(self, end=b"\r\n"):
        while end not in self.buffer:
            self.more()
        taken, self.buffer = self.buffer.split(end, 1)
        return taken

    def head(self):
        status = int(self.line().split()[1])
        headers = []
        while line := self.line():
            name, value = line.decode().split(": ", 1)
            headers.append((name.lower(), value))
        return Answer(status, headers)

    def chunk(self):
        """One chunk of a stream; empty at its end."""
        data = self.take(int(self.line(), 16))
        assert self.take(2) == b"\r\n"
        return data

    def answer(self, only_head=False):
        answer = self.head()
        if only_head or answer.status in (204, 304):
            return answer
        if answer.get("transfer-encoding") == "chunked":
            while data := self.chunk():
                answer.body += data
        else:
            answer.body = self.take(int(answer.get("content-length")))
        return answer

    def ask(self, *args, **named):
        return self.send(*args, **named).answer()

    def is_closed(self):
        """Waits for the end of the connection."""
        try:
            while True:
                self.more()
        except (Gone, ConnectionResetError):
            return True
        except socket.timeout:
            return False


class Stream:
    """The events of an answer that is a stream, one by one."""

    def __init__(self, wire):
        self.wire, self.text = wire, b""
        self.answer = wire.head()
        self.comments = 0
        assert self.answer.status == 200, f"{self.answer.status}"
        assert self.answer.get("content-type") == "text/event-stream"

    def event(self):
        """The next one as a dict of its fields; None at the end. Comments are counted and passed over."""
        while True:
            while b"\n\n" not in self.text:
                data = self.wire.chunk()
                if not data:
                    assert not self.text, f"half an event: {self.text}"
                    return None
                self.text += data
            block, self.text = self.text.split(b"\n\n", 1)
            fields = {}
            for line in block.decode().split("\n"):
                name, _, value = line.partition(": ")
                if not line.startswith(":"):
                    assert name not in fields, f"a field twice: {block}"
                    fields[name] = value
            if fields:
                return fields
            self.comments += 1

    def events(self):
        while (event := self.event()) is not None:
            yield event

    def message(self):
        """The message of the next event that has one."""
        while True:
            event = self.event()
            if event is None:
                return None
            if event.get("data"):
                return json.loads(event["data"])


def modern(method, params=None, id=1):
    meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
    params = dict(params or {})
    params["_meta"] = {**meta, **params.get("_meta", {})}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def call(tool, arguments=None, id=1, progress=None):
    params = {"name": tool, "arguments": arguments or {}}
    if progress is not None:
        params["_meta"] = {"progressToken": progress}
    return modern("tools/call", params, id)


def modern_headers(body):
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": body["method"]}
    if "name" in body["params"]:
        headers["Mcp_Name"] = body["params"]["name"]
    return headers


def send_call(wire, tool, arguments=None, id=1, progress=None, **headers):
    body = call(tool, arguments, id, progress)
    return wire.send(body=body, **{**modern_headers(body), **headers})


def ask_tool(server, tool, arguments=None, **headers):
    with Wire(server) as wire:
        return send_call(wire, tool, arguments, **headers).answer()


class Session:
    """A legacy session."""

    def __init__(self, server, version=LEGACY, capabilities=None, **headers):
        self.server, self.version, self.headers = server, version, headers
        with Wire(server) as wire:
            answer = wire.ask(body={"jsonrpc": "2.0", "id": 0, "method": "initialize",
                                    "params": {"protocolVersion": version, "capabilities": capabilities or {},
                                               "clientInfo": {"name": "t", "version": "1"}}}, **headers)
            assert answer.status == 200, answer.body
            self.id = answer.get("mcp-session-id")
            assert self.id
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202

    def send(self, wire, body=None, method="POST", **headers):
        return wire.send(method, body, **{"Mcp_Session_Id": self.id, "MCP_Protocol_Version": self.version,
                                          **self.headers, **headers})

    def call(self, wire, tool, arguments=None, id=1, progress=None, **headers):
        params = {"name": tool, "arguments": arguments or {}}
        if progress is not None:
            params["_meta"] = {"progressToken": progress}
        return self.send(wire, {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}, **headers)

    def post(self, body, **headers):
        with Wire(self.server) as wire:
            return self.send(wire, body, **headers).answer()

    def come_back(self, wire, event, **headers):
        return self.send(wire, method="GET", Last_Event_ID=event, **headers)


def until(true_at_last):
    """Waits for something that will be so."""
    end = time.monotonic() + PATIENCE
    while not true_at_last():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.005)


def counts(server, **headers):
    words = ask_tool(server, "counts", **headers).text().split()
    return dict(zip(words[::2], map(int, words[1::2])))
