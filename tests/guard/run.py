#!/usr/bin/env python3
"""Drives `tenon guard` in front of servers that do as a test wants, on a pipe, as clients do.

    tests/guard/run.py [NAME...]    the tests whose name has one of these words in it
"""
import http.client
import json
import pathlib
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
from rig import META, PATIENCE, TENON, UPSTREAM, Guard, echoed, envelope, listening, main  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import parties  # noqa: E402


def test_a_refused_call_never_reaches_the_server():
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "lines"
        with Guard(upstream=["--record", str(record)]) as guard:
            answer = guard.call("judged", {"n": "50", "tags": "[\"a\"]", "mode": "FAST", "bogus": 1})
            said = envelope(answer)
            assert said["error"]["code"] == "VALIDATION_ERROR"
            sentences = [issue["message"] for issue in said["error"]["details"]["issues"]]
            assert sentences == ["n must be between 1 and 10, got 50",
                                 "unknown parameter 'bogus'. Valid parameters: n, tags, mode, text, price, limit"], said
            assert answer["result"]["structuredContent"] == said
            guard.call("judged", {"n": 3})
        methods = [json.loads(line)["method"] for line in record.read_text().splitlines()]
        assert methods.count("tools/call") == 1, methods


def test_the_text_of_a_refusal_is_for_reading():
    """Beside the answer for programs it has each sentence once, and the value to send; alone it has all of it."""
    with Guard() as guard:
        result = guard.call("judged", {"n": 50, "mode": "fas", "bogus": 1})["result"]
        error = json.loads(result["content"][0]["text"])["error"]
        assert error["details"]["fieldErrors"] == {
            "n": ["n must be between 1 and 10, got 50"],
            "mode": ["mode must be one of: fast, slow. Got: fas"],
            "bogus": ["unknown parameter 'bogus'. Valid parameters: n, tags, mode, text, price, limit"]}, error
        assert error["details"]["issues"] == [{"parameter": "n", "suggestion": 10}, {"parameter": "mode", "suggestion": "fast"}], error
        whole = result["structuredContent"]["error"]["details"]["issues"]
        assert [one["parameter"] for one in whole] == ["n", "mode", "bogus"] and all(one["message"] for one in whole), whole
    with Guard(revision="2025-03-26") as guard:
        result = guard.call("judged", {"n": 50, "mode": "fas", "bogus": 1})["result"]
        assert "structuredContent" not in result and envelope({"result": result})["error"]["details"]["issues"] == whole, result
    with Guard() as guard:
        result = guard.call("promised", [1])["result"]  # which publishes what its structuredContent is
        assert "structuredContent" not in result and envelope({"result": result})["error"]["details"]["issues"][0]["message"], result


def test_a_repaired_call_is_sent_and_told():
    with Guard() as guard:
        answer = guard.call("judged", {"n": "5", "mode": "FAST", "tags": "[\"a\"]"})
        assert echoed(answer)["arguments"] == {"n": 5, "mode": "fast", "tags": ["a"]}, answer
        block = answer["result"]["content"][-1]["text"]
        assert block.startswith("[guard] ") and "from \"5\" to 5" in block, block
        assert answer["result"]["_meta"]["io.github.tenon/messages"], answer
        plain = guard.call("judged", {"n": 5})
        assert len(plain["result"]["content"]) == 1 and "_meta" not in plain["result"], plain


def test_what_is_not_repaired_goes_on_byte_for_byte():
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "lines"
        with Guard(upstream=["--record", str(record)]) as guard:
            odd = b'{ "price":1.10 , "text":"\\u0041\\/",  "n":3}'
            guard.write(b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"arguments":' + odd +
                        b', "name":"judged"}}\n')
            guard.wait("x")
            guard.write(b'{"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":"judged","arguments":'
                        b'{"price":12345678901234567.125,"n":"3"}}}\n')
            guard.wait("y")
        sent = record.read_text()
        assert odd.decode() in sent, sent
        assert "12345678901234567.125" in sent, sent


def test_results_go_back_byte_for_byte():
    with Guard() as guard:
        line = guard.wait_raw(guard.start("tools/call", {"name": "odd"}))
        assert ('{"content":[{"type":"text","text":"\\u0041 \\ud83d \\udc00 caf\\u00e9"}], "structuredContent":'
                '{"big":12345678901234567890,"money":1.10,"huge":1e400,"n":-0.0} , "x-vendor":{"b":1,"a":[ ]},'
                '"isError":false}') in line, line


def test_line_breaks_around_an_inner_call_smuggle_nothing():
    inner = b'{"jsonrpc":"2.0","id":666,"method":"tools/call","params":{"name":"odd"}}'
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "lines"
        with Guard("--http", "127.0.0.1:0", upstream=["--record", str(record)], modern=True) as guard:
            url = listening(guard)
            for place in (b'"arguments":{"x":\r\n%s\r\n}', b'"arguments":{},"inputResponses":{"a":\n%s\n}',
                          b'"arguments":{},"_meta":{"x":\n%s\n,@}'):
                status, text = post(url, place, inner)
                assert status == 200, (status, text)
        for line in record.read_text().splitlines():
            message = json.loads(line)
            assert message.get("id") != 666, line
        assert len([1 for line in record.read_text().splitlines() if '"open"' in line]) == 3


def post(url, place, inner):
    envelope_ = (b'"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
                 b'"io.modelcontextprotocol/clientCapabilities":{}')
    params = place % inner
    if b"@" in params:
        params = params.replace(b"@", envelope_)
    else:
        params += b',"_meta":{' + envelope_ + b'}'
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open",' + params + b'}}'
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "open"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=PATIENCE) as response:
        return response.status, response.read()


def test_the_list_is_the_servers():
    with Guard() as guard:
        tools = {tool["name"]: tool for tool in guard.request("tools/list")["result"]["tools"]}
        assert tools["judged"]["x-vendor"] == 1
        assert "tasked" not in tools and "execution" not in tools["maybe"]
        assert "unjudged" in tools
        hello = guard.hello["result"]
        assert hello["serverInfo"] == {"name": "up", "version": "1"} and hello["instructions"] == "be kind", hello
        assert hello["capabilities"]["tools"]["listChanged"] is True and "tasks" not in hello["capabilities"], hello
        assert echoed(guard.call("unjudged", {"whatever": 1}))["arguments"] == {"whatever": 1}
        assert guard.call("tasked")["error"]["code"] == -32602
        assert guard.call("nothing")["error"]["code"] == -32602


def test_the_client_speaks_its_own_revision():
    for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
        with Guard(revision=revision) as guard:
            assert guard.hello["result"]["protocolVersion"] == revision
            refused = guard.call("judged", {"n": 50})
            assert ("structuredContent" in refused["result"]) == (revision >= "2025-06-18"), refused


def test_eras_meet():
    for upstream in ([], ["--modern"]):
        for modern in (False, True):
            with Guard(upstream=upstream, modern=modern) as guard:
                if modern:
                    found = guard.request("server/discover")["result"]
                    assert found["supportedVersions"] == ["2026-07-28"] and found["instructions"] == "be kind"
                listed = guard.request("tools/list")["result"]
                assert ("resultType" in listed) == modern and ("ttlMs" in listed) == modern, listed
                answer = guard.call("judged", {"n": 5})["result"]
                assert ("resultType" in answer) == modern, (upstream, modern, answer)
                assert (META + "serverInfo" in answer.get("_meta", {})) == modern, (upstream, modern, answer)
                if modern:
                    assert listed["_meta"][META + "serverInfo"]["name"] == "up", listed["_meta"]
                missing = guard.request("resources/read", {"uri": "a://b"})["error"]["code"]
                assert missing == (-32602 if modern else -32002), (upstream, modern, missing)


def test_a_list_holds_as_long_as_its_server_says():
    count = lambda guard: len(guard.request("tools/list")["result"]["tools"])
    with Guard(upstream=["--modern", "--ttl", "3600000"], modern=True) as guard:
        listed = guard.request("tools/list")["result"]
        assert 0 < listed["ttlMs"] <= 3600000 and listed["cacheScope"] == "private", listed  # a client on a pipe has it alone
        assert count(guard) == count(guard) == len(listed["tools"])
    with Guard(upstream=["--modern", "--ttl", "0"], modern=True) as guard:
        before, end = count(guard), time.monotonic() + PATIENCE
        while count(guard) == before:  # it is served as it is, and asked for afterwards
            assert time.monotonic() < end, "it is never asked for again"
            time.sleep(0.02)


def test_progress_has_the_clients_token():
    for token in (7, "seven"):
        with Guard() as guard:
            guard.call("steps", meta={"progressToken": token})
            params = [note["params"] for note in guard.notes if note["method"] == "notifications/progress"]
            assert [one["progress"] for one in params] == [0, 1, 2], guard.notes
            assert all(one["progressToken"] == token and one["x"] == 1.10 for one in params), params


def test_meta_passes_but_for_what_is_the_guards():
    with Guard() as guard:
        got = echoed(guard.call("judged", {}, meta={"traceparent": "00-1-1-00", "com.example/x": 1, "progressToken": 9}))
        assert got["meta"]["traceparent"] == "00-1-1-00" and got["meta"]["com.example/x"] == 1, got
        assert got["meta"]["progressToken"] != 9, got


def test_a_cancelled_call_is_cancelled_behind():
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "lines"
        with Guard(upstream=["--record", str(record)]) as guard:
            guard.request("tools/list")
            number = guard.start("tools/call", {"name": "slow"})
            guard.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
            guard.call("judged")
        messages = [json.loads(line) for line in record.read_text().splitlines()]
        slow = next(one["id"] for one in messages if one.get("params", {}).get("name") == "slow")
        cancels = [one for one in messages if one["method"] == "notifications/cancelled"]
        assert [one["params"]["requestId"] for one in cancels] == [slow], messages


def test_a_question_reaches_the_client():
    for upstream in ([], ["--modern"]):
        with Guard(upstream=upstream, abilities={"elicitation": {}}) as guard:
            number = guard.start("tools/call", {"name": "ask"})
            assert guard.wait(number) is None
            question = guard.asked.pop()
            assert question["method"] == "elicitation/create" and question["params"]["message"] == "who?", question
            guard.write({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "a"}}})
            answer = guard.wait(number)
            assert '"name": "a"' in answer["result"]["content"][0]["text"], answer


def test_a_modern_client_answers_a_modern_server():
    with Guard(upstream=["--modern"], modern=True, abilities={"elicitation": {}}) as guard:
        asked = guard.call("ask")["result"]
        assert asked["resultType"] == "input_required", asked
        done = guard.request("tools/call", {"name": "ask", "arguments": {}, "requestState": asked["requestState"],
                                            "inputResponses": {"name": {"action": "accept", "content": {"name": "a"}}}})
        assert '"name": "a"' in done["result"]["content"][0]["text"], done


def test_errors_become_what_a_model_can_use():
    with Guard() as guard:
        for code in (-32602, -32603):
            answer = guard.call("fail", {"code": code})
            assert answer["result"]["isError"] and answer["result"]["content"][0]["text"] == "as you like", answer
        assert guard.call("fail", {"code": -32001})["error"]["code"] == -32603
        odd = guard.call("fail", {"code": -1})["error"]
        assert odd == {"code": -1, "message": "as you like", "data": {"a": 1}}, odd
        assert guard.request("no/such/method")["error"]["code"] == -32601


def test_a_crash_answers_its_calls_once_and_the_next_one_starts_the_server():
    with Guard() as guard:
        lost = guard.start("tools/call", {"name": "slow"})
        crashed = guard.start("tools/call", {"name": "crash"})
        for number in (lost, crashed):
            said = envelope(guard.wait(number))
            assert said["error"]["code"] == "UNAVAILABLE" and "may have been done" in said["error"]["message"], said
        assert echoed(guard.call("judged", {"n": 1}))["arguments"] == {"n": 1}


def test_a_server_that_ends_again_and_again_is_left_alone_for_a_while():
    with Guard() as guard:
        codes = [envelope(guard.call("crash"))["error"] for _ in range(7)]
        assert all(one["code"] == "UNAVAILABLE" for one in codes)
        assert "again and again" in codes[-1]["message"] and codes[-1]["details"]["retryAfterMs"] > 0, codes[-1]


def test_a_command_that_does_not_run_is_named():
    with Guard(command=["/no/such/server"]) as guard:
        assert "/no/such/server" in guard.hello["error"]["message"], guard.hello


def children_of(pid):
    """The servers below a guard: the children of its supervisors."""
    def below(one):
        return [int(word) for word in pathlib.Path(f"/proc/{one}/task/{one}/children").read_text().split()]
    return [child for supervisor in below(pid) for child in below(supervisor)]


def test_one_caller_has_a_bounded_number_of_servers():
    with parties.Server([TENON, "guard", "--http", "127.0.0.1:0", "--", *UPSTREAM]) as guard:
        clients = [parties.Http(guard.url, abilities={"elicitation": {}}) for _ in range(12)]
        parties.until("8 servers", lambda: len(children_of(guard.process.pid)) <= 8)
        for client in clients:  # the oldest made room, and is started again
            assert '"n": 3' in json.loads(client.call("judged", {"n": 3}))["result"]["content"][0]["text"]
        parties.until("8 servers", lambda: len(children_of(guard.process.pid)) <= 8)
        for client in clients[:8]:  # these are at work, so that there is no room
            client.begin(client.message("tools/call", {"name": "slow"}, None))
        parties.until("refused", lambda: "as many conversations" in parties.Http(guard.url, abilities={"elicitation": {}}).first)


def final_of(connection):
    """The last message of the answer that comes on this connection, or of its stream."""
    with connection.getresponse() as response:
        text = response.read().decode()
    return json.loads(text.rstrip().split("data: ")[-1])


def test_the_end_of_the_guard_answers_what_runs():
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "lines"
        with parties.Server([TENON, "guard", "--http", "127.0.0.1:0", "--grace", "200ms", "--", *UPSTREAM, "--record",
                          record]) as guard:
            clients = [parties.Http(guard.url), parties.Http(guard.url, modern=True)]
            calls = [client.begin(client.message("tools/call", {"name": "slow", "arguments": {}}, None))
                     for client in clients]
            parties.until("both calls", lambda: record.read_text().count('"tools/call"') == 2)
            guard.process.terminate()
            for call in calls:
                error = envelope(final_of(call))["error"]
                assert error["code"] == "UNAVAILABLE" and "may have been done: the guard ends." in error["message"], error
            assert guard.process.wait(PATIENCE) == 0, guard.errors
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with parties.Server([TENON, "guard", "--http", "127.0.0.1:0", "--grace", "200ms", "--", *silent]) as guard:
        address = urllib.parse.urlsplit(guard.url)
        call = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
        call.request("POST", address.path, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "any", "arguments": {}, "_meta": {META + "protocolVersion": "2026-07-28",
                                                      META + "clientCapabilities": {}}}}), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "any"})
        parties.until("its server", lambda: children_of(guard.process.pid))
        guard.process.terminate()
        error = envelope(final_of(call))["error"]
        assert error["code"] == "UNAVAILABLE" and "was not sent: the guard ends." in error["message"], error
        assert guard.process.wait(PATIENCE) == 0, guard.errors


def test_a_list_that_changes_is_told_once_it_differs():
    with Guard() as guard:
        before = len(guard.request("tools/list")["result"]["tools"])
        guard.call("grow")
        while not any(note["method"] == "notifications/tools/list_changed" for note in guard.notes):
            guard.notes.append(json.loads(guard.next()))
        assert len(guard.request("tools/list")["result"]["tools"]) == before + 1


def test_junk_of_the_server_is_dropped():
    with Guard(upstream=["--junk"]) as guard:
        assert echoed(guard.call("judged", {"n": 2}))["arguments"] == {"n": 2}


def test_log_lines_and_unknown_methods_pass():
    with Guard() as guard:
        guard.call("say")
        assert any(note["method"] == "notifications/message" for note in guard.notes), guard.notes
        assert guard.request("vendor/echo", {"a": 1})["result"]["params"]["a"] == 1


def test_a_result_that_breaks_its_promise_is_told():
    with Guard() as guard:
        answer = guard.call("promised", {"n": "text"})
        assert answer["result"]["structuredContent"] == {"n": "text"}
        assert "does not fit" in answer["result"]["content"][-1]["text"], answer
        assert len(guard.call("promised", {"n": 1})["result"]["content"]) == 1


if __name__ == "__main__":
    sys.exit(main(globals(), at_once=4))
