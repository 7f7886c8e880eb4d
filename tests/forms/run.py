#!/usr/bin/env python3
"""Every form in which arguments are accepted, through the wire: standard input and HTTP, in both eras.

    tests/forms/run.py [NAME...]    the tests whose name has one of these words in it
"""
import json
import pathlib
import re
import sys
import tempfile
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

JUDGE = str(rig.BUILD / "tests/forms_judge")
TEXT = "Parsed the arguments from one JSON text."
LAYER = "Parsed the arguments from JSON text inside a JSON text."
FENCE = "Parsed the arguments from JSON text in a markdown fence."


def text(value):
    return json.dumps(value)


def fence(value):
    return f"```json\n{json.dumps(value)}\n```"


# form, what is sent, what is bound of it, what is said
FORMS = [
    ("arguments_text", text({"page_size": 3}), {"page_size": 3}, TEXT),
    ("text_in_text", text(text({"page_size": 3})), {"page_size": 3}, LAYER),
    ("fence", fence({"page_size": 3}), {"page_size": 3}, FENCE),
    ("text_in_text", {"ids": text(text([1, 2]))}, {"ids": [1, 2]}, "to [1,2]"),
    ("text_in_text", {"page_size": '"3"'}, {"page_size": 3}, 'page_size from "\\"3\\"" to 3'),
    ("fence", {"ids": fence([1, 2])}, {"ids": [1, 2]}, "to [1,2]"),
    ("fence", {"headers": fence({"a": "b"})}, {"headers": {"a": "b"}}, "headers"),
    ("wrapper", {"params": {"page_size": 3}}, {"page_size": 3}, "Unwrapped the arguments from 'params'."),
    ("wrapper", {"kwargs": {"text": "a"}}, {"text": "a"}, "from 'kwargs'"),
    ("name", {"pageSize": 3}, {"page_size": 3}, "Renamed page_size from 'pageSize'"),
    ("name", {"page-size": 3}, {"page_size": 3}, "page_size from 'page-size'"),
    ("enum_spelling", {"risk": "high-risk"}, {"risk": "HIGH_RISK"}, 'risk from "high-risk" to "HIGH_RISK"'),
    ("enum_spelling", {"risk": "High Risk"}, {"risk": "HIGH_RISK"}, 'risk from "High Risk" to "HIGH_RISK"'),
    ("list_of_one", {"page_size": [3]}, {"page_size": 3}, "page_size from [3] to 3"),
    ("list_of_one", {"text": ["a"]}, {"text": "a"}, 'text from ["a"] to "a"'),
    ("comma_words", {"tags": "auth, api"}, {"tags": ["auth", "api"]}, 'tags from "auth, api" to ["auth","api"]'),
    ("map_value", {"headers": {"page": 2, "debug": True}}, {"headers": {"page": "2", "debug": "true"}},
     '/headers/page from 2 to "2", /headers/debug from true to "true"'),
]

# what is sent, and the code of the only issue
WRONG = [
    ("{'page_size': 3}", "json"), ("hello", "json"), ("", "json"), ("[1]", "type"), ([1], "type"), (5, "type"), (True, "type"),
    (text(text(text(text(text({}))))), "type"), (fence([1]), "json"),
]


class Legacy(rig.Session):
    """Over HTTP, with a server of its own."""

    def __init__(self, server):
        super().__init__(server)
        self.server = server

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.server.__exit__(*what)


def clients():
    yield "stdio, legacy", rig.Stdio([JUDGE])
    yield "stdio, modern", rig.Stdio([JUDGE], modern=True)
    yield "HTTP, legacy", Legacy(rig.Server([JUDGE]))
    yield "HTTP, modern", rig.Http(rig.Server([JUDGE]))


def issues(answer):
    assert answer["error"] and answer["error"]["code"] == "VALIDATION_ERROR", answer
    return answer["error"]["details"]["issues"]


def test_every_form():
    for name, client in clients():
        with client:
            plain = client.ok("find")
            for form, sent, bound, said in FORMS:
                answer = client.ask("find", sent)
                assert answer["status"] == "SUCCESS", (name, form, sent, answer)
                assert answer["data"] == {**plain, **bound}, (name, form, sent, answer)
                assert len(answer["messages"]) == 1 and said in answer["messages"][0], (name, form, sent, answer)


def test_strict_refuses_every_form():
    with rig.Stdio([JUDGE], modern=True) as client:
        for form, sent, bound, _ in FORMS:
            answer = client.ask("find_strict", sent)
            if form == "arguments_text":  # as JSON text is taken for every list and object
                assert answer["status"] == "SUCCESS", answer
                continue
            assert issues(answer), (form, sent, answer)
            assert client.ask("find_strict", bound)["status"] == "SUCCESS", bound


def test_wrong_arguments_are_never_protocol_errors():
    for name, client in clients():
        with client:
            for sent, code in WRONG:
                for tool, example in (("find", None), ("document", "city")):
                    found = issues(client.ask(tool, sent))
                    assert len(found) == 1 and found[0]["parameter"] == "arguments", (name, tool, sent, found)
                    assert found[0]["code"] == code, (name, tool, sent, found)
                    assert isinstance(found[0]["example"], dict), (name, tool, sent, found)
                    assert not example or example in found[0]["example"], (name, tool, sent, found)
            assert client.ok("find", **{})["page_size"] == 10
            assert client.ask("find", None)["status"] == "SUCCESS", name
            assert "city is required" in text(client.ask("document", None)), name


def test_documents_take_the_whole_as_text():
    for name, client in clients():
        with client:
            for sent, said in ((text({"city": "Oslo"}), TEXT), (text(text({"city": "Oslo"})), LAYER), (fence({"city": "Oslo"}), FENCE)):
                answer = client.ask("document", sent)
                assert answer["data"] == {"text": "Oslo"} and answer["messages"] == [said], (name, sent, answer)
            found = issues(client.ask("document", '{"city":"a","city":"b"}'))
            assert found[0]["code"] == "repeated", found


def test_nothing_widens_a_destructive_call():
    with rig.Stdio([JUDGE], modern=True) as client:
        assert client.ok("drop", id=["a"]) == {"text": "a"}
        assert client.ask("drop", {"args": {"ID": "a"}})["data"] == {"text": "a"}
        for sent in ({"args": {}}, {"args": {"id": None}}, {"args": {"id": ""}}, {"id": []}, {"id": [""]}, {"id": [None]},
                     {"dryRun": True}, {"args": {"dryRun": True}}, {"id": "a", "dry_run": "true"}, '{"id": null}'):
            assert issues(client.ask("drop", sent)), sent


def test_a_word_for_all_tools_does_not_widen_a_destructive_call():
    lost = [{"ID": "a", "dryRun": True}, {"ids": "a"}, {"id": "a", "dryRun": True}, {"params": {"id": "a", "zzz": 1}}]
    for policy in "ignore", "message":
        with rig.Stdio([JUDGE, "--unknown", policy]) as client:
            for arguments in lost:
                issues = client.error("VALIDATION_ERROR", "drop", **arguments)["details"]["issues"]
                assert [issue["code"] for issue in issues] == ["unknown"], (policy, arguments, issues)
            assert client.ok("drop", params={"id": "a"}) == {"text": "a"}
            assert client.ok("find", zzz=1)["page_size"] == 10


def test_secrets_are_not_repeated():
    with rig.Stdio([JUDGE], modern=True) as client:
        for sent in ({"token": ["7340"]}, {"params": {"token": "7340"}}, {"Token": "7340"}, {"headers": {"authorization": 7340}},
                     {"headers": fence({"cookie": "7340"})}, text({"token": "7340"}), text({"token": ["7340", "7340"]}),
                     {"params": {"token": 7340}}, fence({"token": 7340})):
            answer = client.ask("find", sent)
            answer.pop("data")
            assert "7340" not in text(answer), (sent, answer)


def test_mirrored_arguments_have_one_form():
    """What a proxy reads in a header is what is bound: nowhere else is it looked for."""
    with rig.Server([JUDGE]) as server:
        def ask(arguments, **headers):
            _, _, answer = server.post(rig.request("tools/call", name="routed", arguments=arguments, _meta=rig.META),
                                       MCP_Protocol_Version=rig.MODERN, Mcp_Method="tools/call", Mcp_Name="routed", **headers)
            return answer

        assert rig.envelope(ask({"region": "north", "count": "2"}, Mcp_Param_Region="north"))["data"] == {"text": "north 2"}
        assert rig.envelope(ask({"Count": [2]}))["data"] == {"text": "nowhere 2"}
        assert ask({"region": "north"})["error"]["code"] == -32020
        for sent in (text({"region": "south"}), {"args": {"region": "south"}}, {"Region": "south"}):
            for headers in ({}, {"Mcp_Param_Region": "north"}):
                answer = ask(sent, **headers)
                assert answer.get("error", {}).get("code") == -32020 or issues(rig.envelope(answer)), (sent, answer)
        assert issues(rig.envelope(ask({"region": ["south"]}, Mcp_Param_Region="north")))
    with rig.Stdio([JUDGE], modern=True) as client:  # without headers there is nothing to agree with
        assert client.ask("routed", text({"region": "south"}))["data"] == {"text": "south 0"}


def test_forms_are_counted_and_audited():
    with tempfile.TemporaryDirectory() as place:
        trail = pathlib.Path(place) / "audit"
        with rig.Server([JUDGE, "--admin", "127.0.0.1:0", "--audit", str(trail), "--audit-arguments"]) as server:
            client = rig.Http(server)
            admin = rig.until("the address of the metrics",
                              lambda: re.search(r"health and metrics at port (\d+)", "".join(server.log)))
            for form, sent, _, _ in FORMS:
                client.ask("find", sent)
            with urllib.request.urlopen(f"http://127.0.0.1:{admin[1]}/metrics", timeout=rig.PATIENCE) as page:
                counted = dict(re.findall(r'tenon_call_forms_total\{tool="find",form="(\w+)"\} (\d+)', page.read().decode()))
        for form in {form for form, *_ in FORMS}:
            assert int(counted[form]) >= sum(form == one for one, *_ in FORMS), (form, counted)
        lines = [json.loads(line) for line in trail.read_text().splitlines()]
        assert lines[0]["arguments"] == {"page_size": 3}, lines[0]  # what was bound, however it came


def test_hostile_texts():
    """Text in text in text, and text that is long: an answer each, and the server lives."""
    nested = {"page_size": 3}
    with rig.Stdio([JUDGE], modern=True) as client:
        for _ in range(8):
            nested = text(nested)
            client.ask("find", nested)
        for sent in ("[" * 100000, '"' * 100000, "```" * 30000, fence("x" * 500000), {"ids": "```" * 30000}, {"ids": '"' * 100000},
                     text({"text": "\ud800"}), text({"text": "a\0b"}), {f"pageSize{' ' * i}": 1 for i in range(1000)},
                     {"tags": "a," * 50000}, {"params": {f"page{'_' * i}Size": 1 for i in range(1000)}}):
            assert client.ask("find", sent)["status"] in ("ERROR", "SUCCESS")
        assert client.ok("find", page_size=4)["page_size"] == 4


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
