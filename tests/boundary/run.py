#!/usr/bin/env python3
"""The boundary, item by item, where a client meets it: over standard streams and HTTP, in both eras.

The items are those of docs/boundary.md, and each one has a test here: an item without one fails. What no client can see
(programs that must not compile, refused allocations) is shown by the tests named beside the item, which must exist.

    tests/boundary/run.py [NAME...]    the tests whose name has one of these words in it
"""
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

JUDGE = rig.BUILD / "tests" / "boundary_judge"
PAGE = rig.ROOT / "docs" / "boundary.md"
ITEMS = {}  # number -> the test of it
BESIDE = {}  # number -> other tests that show it


def item(number, *beside):
    """Marks the test of an item, and names what else shows it."""
    def keep(test):
        assert number not in ITEMS, number
        ITEMS[number], BESIDE[number] = test, beside
        return test
    return keep


# ---- Clients ----------------------------------------------------------------------------------------------------

class Cell:
    """One way to reach the server; `params` go through untouched, so that also what no client library sends can be sent."""

    def __init__(self, name, ask):
        self.name, self.request = name, ask
        self.tools = {}
        cursor = None
        while cursor != "":
            page = self.request("tools/list", {"cursor": cursor} if cursor else {})["result"]
            self.tools |= {tool["name"]: tool for tool in page["tools"]}
            cursor = page.get("nextCursor", "")

    def call(self, tool, arguments):
        """The whole envelope."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        whole = result["structuredContent"]
        assert result.get("isError", False) == (whole["status"] == "ERROR"), result
        assert json.loads(result["content"][0]["text"]) == rig.for_reading(whole), result
        assert list(whole) == ["status", "error", "messages", "data"], whole
        assert (whole["data"] is None) != (whole["error"] is None), whole
        assert len(set(whole["messages"])) == len(whole["messages"]), whole["messages"]
        return whole

    def ok(self, tool, **arguments):
        whole = self.call(tool, arguments)
        assert whole["status"] == "SUCCESS", f"{tool} {arguments}: {whole['error']}"
        return whole["data"]

    def said(self, tool, **arguments):
        """The messages of a call that must succeed."""
        whole = self.call(tool, arguments)
        assert whole["status"] == "SUCCESS", f"{tool} {arguments}: {whole['error']}"
        return whole["messages"]

    def error(self, code, tool, **arguments):
        whole = self.call(tool, arguments)
        assert whole["error"] and whole["error"]["code"] == code, f"{tool} {arguments}: {whole}"
        return whole["error"]

    def issues(self, tool, arguments):
        """The issues of a call that must be refused, as the contract has them."""
        whole = self.call(tool, arguments)
        assert whole["error"] and whole["error"]["code"] == "VALIDATION_ERROR", f"{tool} {arguments}: {whole}"
        details = whole["error"]["details"]
        count = details["totalErrors"]
        assert whole["error"]["message"] == f"Validation failed: {count} error{'' if count == 1 else 's'}", whole
        for issue in details["issues"]:
            assert set(issue) <= {"parameter", "required", "code", "message", "received", "expected", "example",
                                  "suggestion"}, issue
            assert "example" not in issue or "suggestion" not in issue, issue
            assert issue["message"] in sum(details["fieldErrors"].values(), []), issue
        return details["issues"]

    def texts(self, tool, **arguments):
        """The sentences of a call that must be refused, in order."""
        return [issue["message"] for issue in self.issues(tool, arguments)]

    def take(self, **arguments):
        """What was bound of these; the rest of `take` has its defaults."""
        data = self.ok("take", **{"name": "ab", **arguments})
        return data

    def takes(self, name, *pairs):
        """Each value of a parameter is bound as the other of its pair."""
        for sent, bound in pairs:
            got = self.take(**{name: sent}).get(name)
            assert got == bound and type(got) is type(bound), f"{name} {sent!r}: {got!r}, not {bound!r}"

    def refuses(self, name, *pairs):
        """Each value of a parameter is refused with exactly this sentence, or these."""
        for sent, texts in pairs:
            got = self.texts("take", **{"name": "ab", name: sent})
            assert got == ([texts] if isinstance(texts, str) else texts), f"{name} {sent!r}: {got}"


def over_stdio(modern, place):
    client = rig.Stdio([JUDGE, place.path], modern=modern)
    return client, Cell(f"stdio {'modern' if modern else 'legacy'}", client.request)


def over_http(server, modern):
    session = None if modern else rig.Session(server)

    def ask(method, params):
        if not modern:
            return server.post(rig.request(method, **params), MCP_Protocol_Version=rig.LEGACY, Mcp_Session_Id=session.id)[2]
        name = {"Mcp_Name": params["name"]} if "name" in params else {}
        _, _, answer = server.post(rig.request(method, **params, _meta=rig.META), MCP_Protocol_Version=rig.MODERN,
                                   Mcp_Method=method, **name)
        return answer
    return Cell(f"HTTP {'modern' if modern else 'legacy'}", ask)


# ---- 1. One declaration -----------------------------------------------------------------------------------------

@item(1, "tests/agreement", "tests/texts_test.c")
def one_declaration(cell):
    """Schema, validator, struct, texts and result come from one declaration."""
    days = cell.tools["take"]["inputSchema"]["properties"]["days"]
    assert days == {"type": "integer", "description": days["description"], "minimum": 1, "maximum": 10, "default": 3}, days
    assert cell.take()["days"] == days["default"]
    for bound in days["minimum"], days["maximum"]:
        cell.takes("days", (bound, bound))
    for outside in days["minimum"] - 1, days["maximum"] + 1:
        cell.refuses("days", (outside, f"days must be between 1 and 10, got {outside}"))
    assert cell.tools["take"]["outputSchema"]["properties"]["data"]["properties"]["days"]["type"] == "integer"


@item(2, "tests/must_fail", "src/rows/row_check_test.c")
def right_declarations(cell):
    """A server that runs has no default that its own rules refuse."""
    for tool in cell.tools.values():
        for name, schema in tool["inputSchema"].get("properties", {}).items():
            if "default" in schema and "enum" in schema:
                assert schema["default"] in schema["enum"], (tool["name"], name)
            if "default" in schema and "minimum" in schema:
                assert schema["minimum"] <= schema["default"] <= schema.get("maximum", schema["default"]), (tool["name"], name)


@item(3, "tests/agreement")
def groups(cell):
    """One group, many tools: the same rows, flat among the others, each with its own limit."""
    pages = {name: tool["inputSchema"]["properties"] for name, tool in cell.tools.items()
             if "pageSize" in tool["inputSchema"].get("properties", {})}
    assert len(pages) >= 3
    for rows in pages.values():
        assert rows["page"] == pages["pages"]["page"]
    assert pages["paged_small"]["pageSize"]["maximum"] == 20 and pages["pages"]["pageSize"]["maximum"] == 100
    assert cell.texts("own_groups", x=0, y=0) == ["tenant is required"]  # first the rows, then the group's own rule
    assert cell.texts("own_groups", x=0, y=0, tenant="a") == ["the point must not be the centre"]


@item(4, "tests/property_test.c", "src/rows/params_test.c")
def pure(cell):
    """The same arguments get the same answer, whatever was asked before."""
    sent = {"name": "x", "days": 99, "tags": ["a", "a"], "since": "soon", "bogus": 1}
    first = cell.call("take", sent)
    cell.take(days=5)
    assert cell.call("take", sent) == first and sent["tags"] == ["a", "a"]


# ---- 2. Kinds ---------------------------------------------------------------------------------------------------

@item(5, "src/rows/bind_test.c", "src/rows/rule_test.c")
def kinds(cell):
    """Every kind is bound as what it is, and judged by all of its constraints."""
    uuid = "2EB8AA08-aa98-41ea-b4aa-73b441d16380"
    for name, sent, bound in [
            ("name", "e\u0301" * 10, "e\u0301" * 10), ("memo", "  ", "  "), ("uuid", uuid, uuid.lower()),
            ("site", "https://example.com/a?b=1", "https://example.com/a?b=1"), ("key", "a.b-c_1", "a.b-c_1"),
            ("file", "a//./b.md", "a/b.md"), ("config", "/etc//tenon", "/etc/tenon"), ("mail", "a@example.com", "a@example.com"),
            ("count", 9223372036854775807, 9223372036854775807), ("count", -9223372036854775808, -9223372036854775808),
            ("ratio", 0.1, 0.1), ("deep", True, True), ("level", "PRODUCTION", "PRODUCTION"), ("tags", ["ab", "cd"], ["ab", "cd"]),
            ("files", ["a/b.txt"], ["a/b.txt"]), ("ids", [1, 2], [1, 2]), ("sizes", [0.5, 1e300], [0.5, 1e300]),
            ("levels", ["LOW", "LOW"], ["LOW", "LOW"]), ("home", {"street": "Main"}, {"street": "Main", "number": 1}),
            ("stops", [{"street": "A", "number": 2}], [{"street": "A", "number": 2}]), ("headers", {"a": "b"}, {"a": "b"}),
            ("headers", {"page": 2, "debug": True, "x": "y"}, {"page": "2", "debug": "true", "x": "y"}),
            ("extra", {"a": [1, None]}, {"a": [1, None]}), ("since", "2025-01-15", "2025-01-15"),
            ("at", "2025-01-15T10:30:00.123Z", "2025-01-15T10:30:00.123Z")]:
        cell.takes(name, (sent, bound))
    assert any("headers" in text for text in cell.said("take", name="ab", headers={"page": 2}))
    cell.refuses("name", ("e\u0301" * 11, "name must not exceed 20 characters"))
    cell.refuses("tags", (["ab", "cd", "ef", "gh"], "tags must not exceed 3 items, got 4"),
                 (["ab", "ab"], "tags contains duplicate values"))
    cell.refuses("count", (9223372036854775808, cell.texts("take", name="ab", count=9223372036854775808)[0]))
    for name, bad in [("uuid", "x"), ("site", "http://example.com"), ("key", "a b"), ("mail", "a"), ("ids", [100]),
                      ("home", {}), ("stops", [{"street": ""}]), ("headers", {"a": []}), ("at", "2025-01-15")]:
        assert len(cell.issues("take", {"name": "ab", name: bad})) == 1, name
    assert cell.texts("check", seats=7, tables=3) == [
        "check: seats (required) must be a multiple of 2, got 7", "check: seats (required) must be a multiple of 5, got 7",
        "check: tables must be a multiple of 2, got 3"]
    got, = cell.issues("check", {"seats": 100, "tables": 2})
    assert got["parameter"] == "tables" and got["suggestion"] == 20, got


@item(6, "src/rows/rule_test.c")
def rules(cell):
    """Rules over several parameters."""
    assert cell.ok("rules", by_name="a", start="2025-01-01", end="2025-01-01", user="u", password="p", force=True, reason="r") == {}
    assert cell.texts("rules", user="a", by_name="b", by_id="c", force=True, start="2025-02-01", end="2025-01-01") == [
        "Invalid date range: start must be before end. Example: start='2025-01-01', end='2025-12-31'",
        "password is required together with user", "by_id cannot be used together with by_name",
        "reason is required when there is force"]
    assert cell.texts("rules") == ["at least one of these is required: by_name, by_id"]


@item(7, "src/answer/handler_test.c")
def presence(cell):
    """Absent, null and given; and where a value came from."""
    for sent, said in [({}, "limit absent, 50 from the default"), ({"limit": None}, "limit null, 50 from the default"),
                       ({"limit": 50}, "limit given, 50 from the argument")]:
        assert cell.ok("presence", **sent)["text"] == said, sent


# ---- 3. From wire to struct -------------------------------------------------------------------------------------

@item(8, "tests/repair_test.c", "tests/property_test.c")
def every_problem(cell):
    """Every problem is in the first answer: each parameter is examined, and each cause is an issue."""
    got = cell.issues("take", {"code": "a", "days": "99", "tags": ["a", "bb", "bb"], "since": "soon", "level": "z", "bogus": 1})
    assert [(issue["parameter"], issue["code"]) for issue in got] == [
        ("name", "required"), ("code", "length"), ("code", "pattern"), ("days", "range"), ("level", "enum"),
        ("tags", "length"), ("tags", "duplicates"), ("since", "date"), ("bogus", "unknown")], got
    assert "days must be between 1 and 10, got 99" in [issue["message"] for issue in got]  # repaired, then judged
    assert cell.texts("take", name=None) == ["name is required"]  # and not too short as well


@item(9, "src/rows/bind_test.c")
def required_and_blank(cell):
    """What counts as given."""
    for sent in {}, {"name": None}:
        assert cell.texts("take", **sent) == ["name is required"]
    assert cell.texts("take", name="   ") == ["name cannot be empty"]
    for blank in None, "", "  ":
        assert "code" not in cell.take(code=blank)
    cell.takes("memo", ("", ""), (" ", " "))
    for word in "null", "none", "undefined", "None":
        assert cell.take(days=word)["days"] == 3
        assert any("days" in text for text in cell.said("take", name="ab", days=word)), word
    cell.takes("name", ("none", "none"))
    for sent in {"branch": None}, {"branch": ""}, {"levels": None}, {"levels": []}, {"levels": "[]"}, {"params": {"levels": []}}:
        assert len(cell.issues("erase", sent)) == 1, sent
    for whole in [], "", 5:
        assert "example" not in cell.issues("erase", whole)[0], whole  # {} would erase everything
    assert cell.ok("erase")["text"] == "erased everything"


@item(10, "tests/forms", "tests/flat_test.c", "tests/agreement")
def wire_forms(cell):
    """Flat and typed when published; arrays and objects, their JSON text, and what models make of them when taken."""
    for tool in cell.tools.values():
        schema = tool["inputSchema"]
        assert schema["type"] == "object" and not {"anyOf", "oneOf", "$ref"} & set(schema), tool["name"]
        for name, one in schema.get("properties", {}).items():
            assert isinstance(one["type"], str), (tool["name"], name)
            assert one["type"] != "array" or "type" in one["items"], (tool["name"], name)
            if one["type"] in ("array", "object"):
                assert "xample" in one["description"] or "e.g." in one["description"], (tool["name"], name, one["description"])
    cell.takes("tags", ('["ab","cd"]', ["ab", "cd"]), ("ab", ["ab"]), ('"[\\"ab\\"]"', ["ab"]),
               ('```json\n["ab"]\n```', ["ab"]))
    cell.takes("words", ("a, b", ["a", "b"]))
    cell.takes("ids", ("1,2", [1, 2]), (7, [7]), ("[1,2]", [1, 2]))
    cell.takes("levels", ("low,MEDIUM", ["LOW", "MEDIUM"]))
    cell.takes("home", ('{"street":"Main"}', {"street": "Main", "number": 1}))
    cell.takes("stops", ('[{"street":"A"}]', [{"street": "A", "number": 1}]),
               (['{"street":"A"}'], [{"street": "A", "number": 1}]))
    cell.takes("level", ("high-risk", "HIGH_RISK"), ("High Risk", "HIGH_RISK"), (["LOW"], "LOW"))
    cell.takes("days", ([5], 5))
    cell.takes("name", ('["ab"]', '["ab"]'), ("123", "123"), ('"ab"', '"ab"'))  # a string is never parsed
    for whole in '{"name":"ab","days":5}', '"{\\"name\\":\\"ab\\",\\"days\\":5}"', '```json\n{"name":"ab","days":5}\n```':
        answer = cell.call("take", whole)
        assert answer["status"] == "SUCCESS" and answer["data"]["days"] == 5 and answer["messages"], (whole, answer)
    assert cell.call("presence", None)["data"]["text"] == "limit absent, 50 from the default"
    for wrapper in "params", "input", "arguments", "args":
        answer = cell.call("take", {wrapper: {"name": "ab", "days": 5}})
        assert answer["status"] == "SUCCESS" and answer["data"]["days"] == 5 and answer["messages"], (wrapper, answer)
    answer = cell.call("pages", {"page_size": 3})
    assert answer["data"]["pageSize"] == 3 and answer["messages"], answer
    for bad in '[1', '{"name"', "[1]", "text", 5, [1], True:
        got = cell.issues("take", bad)
        assert len(got) == 1 and got[0]["example"]["name"], (bad, got)
    got, = cell.issues("take", {"name": "ab", "tags": '["a'})
    assert "is not valid JSON" in got["message"] and "position" in got["message"] and "xample" in got["message"], got
    assert "an array" in cell.texts("take", name="ab", headers=["a"])[0]


@item(11, "src/rows/coerce_test.c", "tests/forms")
def lossless(cell):
    """Coercion keeps the value, follows the declaration and is reported."""
    cell.takes("days", ("5", 5), (3.0, 3), ("3.0", 3))
    cell.takes("deep", ("true", True), ("FALSE", False))
    cell.takes("ratio", ("0.5", 0.5))
    cell.takes("level", (" low ", "LOW"))
    assert cell.said("take", name="ab", days="5", ratio="0.5") == [
        'Converted days from "5" to 5, ratio from "0.5" to 0.5'], cell.said("take", name="ab", days="5", ratio="0.5")
    for silent in {"days": 3.0}, {"level": "low"}, {"tags": '["ab"]'}:
        assert cell.said("take", name="ab", **silent) == [], silent
    for name, bad in [("deep", "maybe"), ("days", "007"), ("days", 2.5), ("count", "9223372036854775808"), ("count", 1e300),
                      ("count", "2eb8aa08"), ("days", True), ("deep", 1)]:
        assert len(cell.issues("take", {"name": "ab", name: bad})) == 1, (name, bad)
    for bad in 5, True:
        assert cell.texts("take", name=bad) == [f"name must be a string, got {json.dumps(bad)}"]
    assert len(cell.issues("erase", {"dry_run": "true"})) == 1
    for name, bad in [("count", "5"), ("flag", "true"), ("ids", 5), ("modes", "fast")]:
        assert len(cell.issues("strict_tool", {"text": "a", name: bad})) == 1, name


@item(12, "src/rows/coerce_test.c", "tests/property_test.c")
def out_of_range(cell):
    """An issue; with a clamp a message; by rounding nothing."""
    cell.refuses("days", (100, "days must be between 1 and 10, got 100"), (0, "days must be between 1 and 10, got 0"))
    for sent, bound in (101, 100), (-1, 0):
        cell.takes("percent", (sent, bound))
        assert len(cell.said("take", name="ab", percent=sent)) == 1
    cell.takes("score", (1.0000000000000002, 1), (-1e-7, 0))
    assert len(cell.issues("take", {"name": "ab", "ratio": 1.0000000000000002})) == 1
    assert cell.texts("integers", days=0, positive=0) == ["positive must be at least 1, got 0"]
    for bad in "NaN", "Infinity", "1e999":
        assert len(cell.issues("take", {"name": "ab", "ratio": bad})) == 1, bad


@item(13, "src/rows/bind_test.c")
def defaults(cell):
    """Applied, of zero too, and reported where the row says so."""
    data = cell.take()
    assert data["days"] == 3 and data["zero"] == 0
    note = "Using default levels: LOW, MEDIUM (excludes HIGH_RISK). Give levels to see others."
    assert cell.said("presence") == [note]
    assert cell.said("presence", levels="LOW") == []
    assert cell.said("presence", levels="LOW", since="2025-01-01") == ["Times are compared with the LAST ACTIVITY."]


@item(14, "src/model/object_test.c")
def unknown_names(cell):
    """Refused with the nearest name; by policy reported or ignored; aliases are taken."""
    for sent in {"args": {}}, {"args": {"nope": 1}}:  # a wrapper is none of the names
        assert "did you mean" not in cell.texts("take", name="ab", **sent)[0], sent
    got, = cell.issues("take", {"name": "ab", "dayz": 1})
    assert "unknown parameter 'dayz'; did you mean 'days'?" in got["message"], got
    assert cell.ok("take", full_name="ab")["name"] == "ab"
    assert any("bogus" in text for text in cell.said("unknown.message", text="a", bogus=1))
    assert not any("bogus" in text for text in cell.said("unknown_ignored", text="a", bogus=1))


@item(15, "src/text/date_test.c")
def dates(cell):
    """Calendar dates from year 1 to 9999, and what is wrong with others."""
    cell.takes("born", ("1950-12-10", "1950-12-10"), ("0001-01-01", "0001-01-01"), ("9999-12-31", "9999-12-31"),
               ("2024-02-29", "2024-02-29"), ("1980-05-17T23:30:00-08:00", "1980-05-17"))
    cell.takes("since", (1736899200000, "2025-01-15"))
    assert any("born" in text for text in cell.said("take", name="ab", born="1980-05-17T23:30:00-08:00"))
    cell.refuses("born", ("garbage", "Invalid date 'garbage'. Expected ISO format (YYYY-MM-DD) like '2025-01-15'"))
    for bad in "2025-02-30", "0000-01-01", "10000-01-01", 1736899200, "20260115", "15.01.2025":
        assert len(cell.issues("take", {"name": "ab", "born": bad})) == 1, bad
    assert "seconds" in cell.texts("take", name="ab", born=1736899200)[0]
    assert "offset" in cell.texts("take", name="ab", at="2025-01-15T10:30:00")[0]
    got, = cell.issues("take", {"name": "ab", "born": "20260115"})
    assert got["suggestion"] == "2026-01-15", got
    assert cell.take(since="2025-01-15", until="2025-01-15")  # the whole day


@item(16, "tests/texts_test.c")
def enums(cell):
    """Canonical values, and the sentences of the other rules."""
    cell.takes("level", ("low", "LOW"))
    assert cell.texts("take", name="ab", level="zzz") == ["level must be one of: LOW, MEDIUM, HIGH_RISK, PRODUCTION. Got: zzz"]
    assert cell.texts("choices", must=True, colour="red", exact="RED") == ["exact must be one of: red, green, blue. Got: RED"]
    got = cell.texts("take", name="ab", levels=["SUPER_HIGH"])
    assert got[0].startswith("Invalid level 'SUPER_HIGH'. Valid: LOW, MEDIUM, HIGH_RISK, PRODUCTION."), got
    cell.refuses("code", ("AB", "code must be at least 3 characters"), ("ABCDEF", "code must not exceed 5 characters"))
    assert cell.texts("lists", any=[], few=["a"]) == ["few must contain at least 2 items, got 1"]
    cell.refuses("file", ("../a.md", "file contains invalid path traversal sequence"),
                 ("/a.md", "file must be a relative path, got absolute path"))
    cell.refuses("config", ("a", "config must be an absolute path"))


@item(17, "tests/hostile_test.c", "tests/stdio/run.py", "tests/http/run.py")
def hostile(cell):
    """Text that C cannot hold, secrets, keys sent twice, depth."""
    assert len(cell.issues("take", {"name": "a\0b"})) == 1
    cell_text = "x" * 5000
    got, = cell.issues("take", {"name": cell_text})
    assert len(json.dumps(got)) < 1000, got
    for sent in {"token": "hunter2"}, {"token": ["hunter2"]}, {"headers": {"authorization": ["hunter2"]}}, \
                {"headers": {"Cookie": {"a": "hunter2"}}}:
        whole = cell.call("take", {"name": "ab", **sent})
        assert whole["error"]["code"] == "VALIDATION_ERROR" and "hunter2" not in json.dumps(whole), whole
    assert len(cell.issues("take", '{"name":"ab","name":"cd"}')) == 1
    deep = "[" * 200 + "]" * 200
    assert len(cell.issues("take", {"name": "ab", "tags": deep})) == 1
    assert cell.request("tools/call", {"name": "take", "arguments": {"name": "ab", "extra": json.loads(deep)}})["error"]


# ---- 4. Two channels --------------------------------------------------------------------------------------------

@item(18, "src/answer/call_test.c")
def two_channels(cell):
    """Errors stop the call; messages are context, once each, in order, and survive an error."""
    whole = cell.call("answer", {"way": "messages"})
    assert whole["error"]["code"] == "CONFLICT" and whole["messages"] == ["one", "two"], whole
    whole = cell.call("take", {"name": "ab", "percent": 500, "days": 99})
    assert len(whole["messages"]) == 1 and "percent" in whole["messages"][0] and whole["data"] is None, whole
    assert cell.said("take", name="ab") == []


@item(19, "tests/texts_test.c")
def never_mixed(cell):
    """What misleads is an error, what can be corrected safely is a message."""
    assert cell.call("take", {"name": "ab", "percent": 500})["error"] is None
    assert cell.call("take", {"name": "ab", "days": 500})["messages"] == []


# ---- 5. One answer ----------------------------------------------------------------------------------------------

@item(20, "src/answer/call_test.c", "tests/must_fail")
def one_envelope(cell):
    """One envelope, the one that the handler returned; blocks after it."""
    whole = cell.call("answer", {"way": "first_of_two"})
    assert whole["status"] == "SUCCESS" and whole["data"] == {"text": "made first"}, whole
    assert cell.error("INTERNAL_ERROR", "answer", way="no_outcome")
    result = cell.request("tools/call", {"name": "attach", "arguments": {}})["result"]
    assert [block["type"] for block in result["content"]] == ["text", "image", "resource_link"], result
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@item(21, "src/answer/report_test.c", "tests/repair_test.c")
def validation(cell):
    """Issues that a program can follow: addressed, bounded, each fact once."""
    whole = cell.call("take", {"name": "ab", "stops": [{"street": "A", "number": 0}], "tags": ["a", "b", "c"]})
    details = whole["error"]["details"]
    places = {issue["parameter"] for issue in details["issues"]}
    assert "/stops/0/number" in places and set(details["fieldErrors"]) == {"stops", "tags"}, details
    issue, = [one for one in details["issues"] if one["parameter"] == "/stops/0/number"]
    assert issue["message"] == "/stops/0/number must be between 1 and 9999, got 0" and "received" not in issue, issue
    assert issue["suggestion"] == 1 and issue["expected"]["minimum"] == 1, issue
    details = cell.call("take", {"name": "ab", "ids": [999] * 10})["error"]["details"]
    assert details["totalErrors"] == 10 and len(details["issues"]) == 3, details
    details = cell.call("take", {"name": "ab", **{f"bogus{i}": 1 for i in range(100)}})["error"]["details"]
    assert details["totalErrors"] == 100 and len(details["issues"]) <= 25 and len(json.dumps(details)) < 9000, details
    for sent, meant in ("prod", "PRODUCTION"), ("med", "MEDIUM"):
        issue, = cell.issues("take", {"name": "ab", "level": sent})
        assert issue["suggestion"] == meant, issue
    issue, = cell.issues("take", {"name": "ab", "level": "zzz"})
    assert "suggestion" not in issue and "example" not in issue and issue["expected"]["enum"], issue
    issue, = cell.issues("take", {"name": "ab", "key": "a b"})
    assert issue.get("example") != "text", issue
    text = cell.request("tools/call", {"name": "take", "arguments": {"name": "ab", "level": "prod", "ids": [999]}})["result"]["content"][0]["text"]
    assert json.loads(text)["error"]["details"]["issues"][0] == {"parameter": "level", "suggestion": "PRODUCTION"}, text


@item(22, "src/rows/unbind_test.c", "tests/roundtrip_test.c")
def declared_results(cell):
    """Typed, published for success and error, and checked before it is sent."""
    whole = cell.tools["take"]["outputSchema"]
    assert whole["type"] == "object" and whole["properties"]["status"]["enum"] == ["SUCCESS", "ERROR"], whole
    assert whole["properties"]["data"]["type"] == ["object", "null"], whole
    assert "reference" in cell.error("INTERNAL_ERROR", "untrue")["details"]


@item(23, "src/answer/errors_test.c")
def closed_errors(cell):
    """A closed table of codes; what is unknown is safe; bad arguments are never an error of the protocol."""
    assert cell.error("NOT_FOUND", "answer", way="not_found")["message"] == "Client not found"
    own = cell.error("BALANCE_LEFT", "answer", way="own")
    assert own["message"] == "The account still holds 120 EUR. Transfer them, then close it.", own
    for way in "unknown_code", "inside":
        inside = cell.error("INTERNAL_ERROR", "answer", way=way)
        assert re.fullmatch(r"[0-9A-Z]{8}", inside["details"]["reference"]), inside
        assert "secret" not in json.dumps(inside), inside
    for bad in 5, [1], "x", None, {"bogus": 1}:
        assert "result" in cell.request("tools/call", {"name": "take", "arguments": bad}), bad
    assert cell.request("tools/call", {"name": "no_such_tool", "arguments": {}})["error"]["code"] == -32602


@item(24, "src/rows/group_test.c", "src/answer/page_test.c")
def pagination(cell):
    """No integer fails; what was changed is said; an empty page says why; a cursor is bound to its query."""
    for sent, page, size, said in [
            ({"page": -5}, 1, 50, ["Invalid page number -5, using page 1"]),
            ({"pageSize": 0}, 1, 50, ["Invalid pageSize 0, using default 50"]),
            ({"pageSize": 200}, 1, 100, ["Requested pageSize 200 exceeds maximum 100, capped to 100"])]:
        whole = cell.call("pages", sent)
        assert (whole["data"]["page"], whole["data"]["pageSize"]) == (page, size), whole
        assert whole["messages"][:1] == said, whole["messages"]
    data = cell.ok("pages", page=3, pageSize=50)
    assert len(data["items"]) == 20 and data["totalItems"] == 120 and not data["hasMorePages"]
    assert cell.ok("pages", page=1, pageSize=10)["hasMorePages"]
    for sent in {"page": 9223372036854775807, "pageSize": 100}, {"none": True}:
        whole = cell.call("pages", sent)
        assert whole["data"]["items"] == [] and len(whole["messages"]) == 1, whole
    cursor = cell.ok("cursors", limit=5)["nextCursor"]
    assert [line["number"] for line in cell.ok("cursors", limit=5, cursor=cursor)["items"]] == [6, 7, 8, 9, 10]
    assert len(cell.issues("cursors", {"cursor": cursor, "text": "other"})) == 1
    assert len(cell.issues("cursors", {"cursor": cursor[:-2]})) == 1


@item(25, "src/answer/budget_test.c")
def budget(cell):
    """Lists are cut at items and text at characters, and a message says how to go on."""
    whole = cell.call("write_text", {"count": 1000})
    assert len(json.dumps(whole)) < 4200 and "characters are shown" in whole["messages"][0], whole["messages"]
    numbers, cursor, calls = [], None, 0
    while calls < 50 and (calls == 0 or cursor):
        whole = cell.call("cursors", {"limit": 100, **({"cursor": cursor} if cursor else {})})
        assert len(json.dumps(whole)) < 17000
        numbers += [line["number"] for line in whole["data"]["items"]]
        cursor, calls = whole["data"].get("nextCursor"), calls + 1
        assert not cursor or cursor in "".join(whole["messages"]) or len(whole["data"]["items"]) == 100, whole["messages"]
    assert numbers == list(range(1, 121)) and calls > 2, (calls, numbers)


# ---- 6. Paths ---------------------------------------------------------------------------------------------------

@item(26, "src/text/path_test.c", "fuzz/path_fuzz.c")
def path_texts(cell):
    """Each rule has its own sentence, and good names are taken."""
    bad = ["/a.md", "../a.md", "a/../b.md", "a\\b.md", "C:/a.md", "a%2e%2e/b.md", "a\x01.md", "a" * 5000 + ".md", "a.txt"]
    texts = [cell.texts("take", name="ab", file=one) for one in bad]
    assert all(len(one) == 1 for one in texts) and len({one[0] for one in texts}) >= 7, texts
    cell.takes("file", ("v1..v2.md", "v1..v2.md"), ("...md", "...md"), ("a b.md", "a b.md"), ("\u00e4.md", "\u00e4.md"), ("a//./b.md", "a/b.md"))


@item(27, "src/base/root_test.c")
def containment(cell):
    """What is opened is beneath the root, links included."""
    assert cell.ok("open_file", file="note.md")["text"] == "Buy milk."
    assert cell.ok("open_file", file="inside.md")["text"] == "Buy milk."
    for outside in "outside.md", "parent/hosts":
        denied = cell.error("DENIED", "open_file", file=outside)
        assert "beneath" in denied["message"], denied
    assert cell.error("NOT_FOUND", "open_file", file="gone.md")


# ---- 7. How it is proven ----------------------------------------------------------------------------------------

def faults_of(schema, good):
    """Single faults, made from what is published: each good value replaced, each required one left out, one name too many."""
    for name, one in schema["properties"].items():
        if name in schema.get("required", []):
            yield {key: value for key, value in good.items() if key != name}
        for bad in [{"minimum": one.get("minimum", 0) - 1, "maximum": one.get("maximum", 0) + 1}[bound]
                    for bound in ("minimum", "maximum") if bound in one]:
            yield {**good, name: bad}
        yield {**good, name: {"no": "such"}}
        yield {**good, name: [[], []]}
        if "enum" in one:
            yield {**good, name: "qqqq"}
    yield {**good, "no_such_name": 1}


def own_value(expected, nth=0):
    """What a client that has nothing to say sends: the least that is expected, and of a list no item twice."""
    kind = expected.get("type")
    if "enum" in expected:
        return expected["enum"][nth]
    if kind == "string":
        return "xyz"[nth] * max(1, expected.get("minLength", 0))
    if kind in ("integer", "number"):
        return expected.get("minimum", 0) + nth
    if kind == "array":
        return [own_value(expected["items"], i) for i in range(expected.get("minItems", 0))]
    return {"boolean": True, "object": {}}[kind]


def follow(sent, issues):
    """The next call of a client that knows nothing but the issues; of a parameter it follows the first, unless it may not be
    there at all."""
    sent, first = json.loads(json.dumps(sent)), {}
    for issue in sorted(issues, key=lambda issue: issue["code"] != "exclusive"):
        first.setdefault(issue["parameter"], issue)
    for issue in first.values():
        names = [part.replace("~1", "/").replace("~0", "~") for part in issue["parameter"].lstrip("/").split("/")] \
            if issue["parameter"].startswith("/") else [issue["parameter"]]
        if issue["code"] == "unknown" and "suggestion" not in issue:
            sent.pop(names[0], None)
            continue
        if "suggestion" in issue:
            value = issue["suggestion"]
        elif "example" in issue:
            value = issue["example"]
        elif "expected" in issue:
            value = own_value(issue["expected"])
        else:
            sent.pop(names[0], None)
            continue
        inner = sent
        for name in names[:-1]:
            inner = inner[int(name)] if isinstance(inner, list) else inner[name]
        inner[int(names[-1]) if isinstance(inner, list) else names[-1]] = value
    return sent


GOOD = {"take": {"name": "ab"}, "rules": {"by_name": "a"}, "presence": {}, "pages": {}, "erase": {}, "answer": {"way": "messages"},
        "write_text": {"count": 1}, "cursors": {}, "integers": {"days": 1}, "choices": {"must": True, "colour": "red"},
        "enum_lists": {"must": ["LOW"]}, "lists": {"any": ["a"]}, "number_lists": {"ids": [1]}, "strict_tool": {"text": "a"}}


@item(28, "tests/repair_test.c")
def self_repair(cell):
    """A client that follows the issues, and knows nothing else, succeeds with its second call."""
    made = refused = 0
    for tool, good in GOOD.items():
        for sent in faults_of(cell.tools[tool]["inputSchema"], good):
            made += 1
            whole = cell.call(tool, sent)
            if not whole["error"] or whole["error"]["code"] != "VALIDATION_ERROR":
                continue
            refused += 1
            again = follow(sent, whole["error"]["details"]["issues"])
            second = again is not None and cell.call(tool, again)
            assert second and (not second["error"] or second["error"]["code"] != "VALIDATION_ERROR"), (
                tool, sent, whole["error"]["details"], again, second)
    assert made > 200 and refused > 150, (made, refused)


@item(29, "tests/agreement")
def agreement(cell):
    """What the published schema shows as an example, a default or an enum value is taken."""
    for name, one in cell.tools["take"]["inputSchema"]["properties"].items():
        for value in one.get("enum", []) + ([one["default"]] if "default" in one else []):
            cell.takes(name, (value, value))
        found = re.search(r"(?:e\.g\.|xample:) ?([\[{].*[\]}])", one["description"])
        assert not found or cell.ok("take", **{"name": "ab", name: json.loads(found[1])}), name


@item(30, "tests/property_test.c")
def properties(cell):
    """Repaired once is repaired: what came back, sent again, comes back and needs no message."""
    first = cell.call("take", {"name": "ab", "percent": 500, "days": "5", "file": "a//b.md", "level": "low", "tags": '["ab"]',
                               "born": "1980-05-17T23:30:00-08:00", "headers": {"a": 1}})
    again = cell.call("take", {name: value for name, value in first["data"].items() if name != "extra"})
    assert first["messages"] and again["messages"] == [] and again["data"] == first["data"], (first, again)


@item(31, "tests/roundtrip_test.c", "tests/servers")
def round_trip(cell):
    """What a tool returns, another takes."""
    data = cell.ok("specimen")
    assert cell.ok("echo_specimen", **data) == data


@item(32, "fuzz/args_fuzz.c", "fuzz/path_fuzz.c", "fuzz/rpc_fuzz.c", "tests/memory_test.c", "tests/must_fail")
def still_there(cell):
    """After all of it, the server answers as before."""
    for bad in '{"name":' * 50, "\ud83d\ude00" * 100, {"name": {"a": {"b": {"c": 1}}}}, {"": ""}, {"name": "x" * 100000}:
        assert cell.call("take", bad)["error"]["code"] == "VALIDATION_ERROR", bad
    assert cell.ok("take", name="ab")


# ---- Running ----------------------------------------------------------------------------------------------------

def test_each_item_has_a_test():
    numbers = {int(found[1]) for found in re.finditer(r"^(\d+)\. ", PAGE.read_text(), re.M)}
    assert numbers == set(ITEMS), f"items without a test, or tests without an item: {numbers ^ set(ITEMS)}"
    gone = sorted({path for paths in BESIDE.values() for path in paths if not (rig.ROOT / path).exists()})
    assert not gone, gone


def run_all(words):
    with rig.Place() as place:
        (place.path / "note.md").write_text("Buy milk.")
        (place.path / "inside.md").symlink_to("note.md")
        (place.path / "outside.md").symlink_to("/etc/hostname")
        (place.path / "parent").symlink_to("/etc")
        with rig.Server([JUDGE, place.path]) as server:
            old, old_cell = over_stdio(False, place)
            new, new_cell = over_stdio(True, place)
            with old, new:
                cells = [old_cell, new_cell, over_http(server, False), over_http(server, True)]
                tests = [test_each_item_has_a_test]
                for number, check in sorted(ITEMS.items()):
                    def test(check=check):
                        for cell in cells:
                            try:
                                check(cell)
                            except Exception as error:
                                raise AssertionError(f"over {cell.name}") from error
                    test.__name__ = f"test_{number}_{check.__name__}"
                    tests.append(test)
                return rig.main(tests, words)


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1:]))
