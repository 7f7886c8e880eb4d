#!/usr/bin/env python3
"""Two processes with one key file are one server: sessions and request states of one are good at the other. With another key
they are not."""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

META = {**rig.META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}


def serve(key):
    return rig.Server([rig.BUILD / "servers" / "conformance", "--key-file", key])


def begin_session(server):
    status, headers, answer = server.post(rig.request("initialize", protocolVersion="2025-06-18", capabilities={},
                                                      clientInfo={"name": "t", "version": "1"}))
    assert status == 200 and answer["result"]["protocolVersion"] == "2025-06-18"
    return headers["Mcp-Session-Id"]


def call_in(server, session):
    return server.post(rig.request("tools/call", name="test_simple_text"), Mcp_Session_Id=session)


def ask(server, tool, **more):
    return server.post(rig.request("tools/call", name=tool, **more, _meta=META), MCP_Protocol_Version=rig.MODERN,
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
        with serve(shared) as one, serve(shared) as two, serve(other) as stranger:
            key_file(shared)
            sessions(one, two, stranger)
            request_states(one, two, stranger)
    print("sessions and states are good at both processes, and nowhere else")


if __name__ == "__main__":
    sys.exit(main())
