#!/usr/bin/env python3
"""Two processes with one key file are one server: sessions and request states of one are good at the other. With another key
they are not."""
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
SERVER = BUILD / "servers" / "conformance"
PATIENCE = 60
META = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}}


class Process:
    """A server on a free port."""

    def __init__(self, key):
        self.process = subprocess.Popen([SERVER, "--http", "127.0.0.1:0", "--key-file", key], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line)
            if found:
                self.port = int(found[1])
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise AssertionError("it did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def post(self, message, **headers):
        """Status, headers, and the message that came back, if any."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/mcp", json.dumps(message), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items()}})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, json.loads(text) if text.startswith("{") else None


def request(method, number=1, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def begin_session(server):
    status, headers, answer = server.post(request("initialize", protocolVersion="2025-06-18", capabilities={},
                                                  clientInfo={"name": "t", "version": "1"}))
    assert status == 200 and answer["result"]["protocolVersion"] == "2025-06-18"
    return headers["Mcp-Session-Id"]


def call_in(server, session):
    return server.post(request("tools/call", name="test_simple_text"), Mcp_Session_Id=session)


def ask(server, tool, **more):
    return server.post(request("tools/call", name=tool, **more, **META), MCP_Protocol_Version="2026-07-28",
                       Mcp_Method="tools/call", Mcp_Name=tool)[2]


def sessions(one, two, stranger):
    session = begin_session(one)
    for server in one, two:
        status, _, answer = call_in(server, session)
        assert status == 200 and "structuredContent" in answer["result"], answer  # 2025-06-18 knows it: the version travelled
    status, _, _ = call_in(stranger, session)
    assert status == 404, status
    status, _, _ = call_in(two, session[:-1] + ("A" if session[-1] != "A" else "B"))
    assert status == 404, status


def request_states(one, two, stranger):
    tool = "test_input_required_result_request_state"
    state = ask(one, tool)["result"]["requestState"]
    again = {"requestState": state, "inputResponses": {"confirm": {"action": "accept", "content": {"ok": True}}}}
    assert ask(stranger, tool, **again)["error"]["code"] == -32602
    assert ask(two, tool, **again)["result"]["resultType"] == "complete"


def key_file(path):
    assert path.stat().st_mode & 0o777 == 0o600


def main():
    with tempfile.TemporaryDirectory() as folder:
        shared, other = pathlib.Path(folder) / "key", pathlib.Path(folder) / "other"
        with Process(shared) as one, Process(shared) as two, Process(other) as stranger:
            key_file(shared)
            sessions(one, two, stranger)
            request_states(one, two, stranger)
    print("sessions and states are good at both processes, and nowhere else")


if __name__ == "__main__":
    sys.exit(main())
