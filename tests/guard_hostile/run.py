#!/usr/bin/env python3
"""The guard in front of a server that does all that a server must not (evil.py): every call is answered exactly once, the guard
lives on and keeps its memory in bounds, and nothing of the server is left when it ends.

    tests/guard_hostile/run.py [WORD...]    the tests whose name has one of these words in it
"""
import json
import pathlib
import sys
import uuid

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import parties

MEMORY_MAX = 400 << 10  # kilobytes; a message has at most 16 MiB, and some copies of one live at once
MIB = 1 << 20
UNAVAILABLE, INVALID = "UNAVAILABLE", "UPSTREAM_INVALID"


class Guard(parties.Pipe):
    """A guard in front of evil.py; when it ends, so has everything below it."""

    def __init__(self, *words, flags=(), **how):
        self.mark = uuid.uuid4().hex
        super().__init__([parties.TENON, "guard", "--log", "error", *flags, "--", sys.executable, HERE / "evil.py", self.mark, *words],
                         **how)

    def __exit__(self, kind, *rest):
        super().__exit__(kind, *rest)
        if kind is None:
            assert self.peak < MEMORY_MAX, f"it had {self.peak} kB"
            parties.until("nothing is left", lambda: not parties.processes_with(self.mark))

    def sin(self, name, **arguments):
        return self.call(name, arguments)


def is_fine(answer):
    return "result" in json.loads(answer) and '"fine"' in answer


def code_of(answer):
    """The guard's own code in an answer, or None."""
    result = json.loads(answer).get("result", {})
    try:
        return json.loads(result["content"][0]["text"])["error"]["code"] if result.get("isError") else None
    except (KeyError, IndexError, ValueError, TypeError):
        return None


def still_works(guard):
    assert is_fine(guard.sin("plain")), "the next call"


def test_lines_that_are_not_messages():
    with Guard("junk-start") as guard:
        assert is_fine(guard.sin("junk"))
        still_works(guard)


def test_answers_with_wrong_ids():
    with Guard() as guard:
        assert is_fine(guard.sin("wrong_ids"))
        still_works(guard)


def test_answers_that_come_twice():
    with Guard() as guard:
        for _ in range(20):
            assert is_fine(guard.sin("twice"))
        still_works(guard)


def test_an_answer_after_the_call_was_cancelled():
    with Guard() as guard:
        numbers = [guard.start("tools/call", {"name": "late", "arguments": {}}) for _ in range(50)]
        for number in numbers:
            guard.tell("notifications/cancelled", {"requestId": number})
        assert is_fine(guard.sin("flush_late"))
        still_works(guard)
    assert not guard.ids & set(numbers), "a cancelled call was answered"


def test_a_list_that_changes_without_end():
    with Guard("changing") as guard:
        for _ in range(3):
            assert is_fine(guard.sin("changed"))
        still_works(guard)


def test_long_lines():
    with Guard() as guard:
        assert len(guard.sin("long_line", bytes=12 * MIB)) > 12 * MIB
        for size in (16 * MIB, 20 * MIB):
            assert code_of(guard.sin("long_line", bytes=size)) in (UNAVAILABLE, INVALID)
        still_works(guard)


def test_a_line_without_end():
    with Guard() as guard:
        assert code_of(guard.sin("endless_line", mib=300)) in (UNAVAILABLE, INVALID)
        assert json.loads(guard.sin("plain"))  # it may be sent to the same server, which is given up
        still_works(guard)


def test_bytes_that_are_not_utf_8():
    with Guard() as guard:
        answer = guard.sin("bad_utf8")
        answer.encode()  # what came is UTF-8
        still_works(guard)


def test_questions_without_end():
    for abilities in ({}, {"elicitation": {}}):
        with Guard(abilities=abilities, answers={"elicitation/create": {"action": "cancel"}}) as guard:
            assert json.loads(guard.sin("questions", count=2000))
            still_works(guard)


def test_requests_that_no_server_may_send():
    with Guard() as guard:
        assert is_fine(guard.sin("odd_requests"))
        still_works(guard)


def test_progress_and_log_lines_without_end():
    with Guard() as guard:
        number = guard.start("tools/call", {"name": "progress", "arguments": {"count": 20000}}, {"progressToken": 1})
        assert json.loads(guard.wait(number))
        assert json.loads(guard.sin("logs", count=5000))
        still_works(guard)


def test_deep_results():
    with Guard() as guard:
        for depth in (100, 1000, 100000, 5000000):
            assert json.loads(json.dumps(code_of(guard.sin("deep", depth=depth)))) in (None, UNAVAILABLE, INVALID), depth
        still_works(guard)


def test_results_of_other_types():
    odd = ['"result":null', '"result":7', '"result":[]', '"result":"text"', '"result":{}', '"result":{"content":null}',
           '"result":{"content":{}}', '"result":{"content":[1,null]}', '"error":null', '"error":7', '"error":{}',
           '"error":{"code":"x","message":7}', '"error":{"code":1e400,"message":"m"}', '"result":{},"error":{}', '"neither":1',
           '"result":{"content":[],"isError":"yes"}', '"result":{"content":[],"_meta":7}',
           '"result":{"content":[],"_meta":{"io.github.tenon/messages":1}}', '"error":{"code":-32602,"message":"%s"}' % ("m" * MIB),
           '"result":{"resultType":"input_required","inputRequests":7}', '"result":{"resultType":7}']
    for modern in (False, True):
        with Guard(modern=modern) as guard:
            for one in odd:
                answer = json.loads(guard.sin("odd_result", json=one))
                assert "result" in answer or "error" in answer, (one, answer)
            still_works(guard)


def test_members_that_come_twice():
    with Guard() as guard:
        number = guard.start("tools/call", {"name": "same_names", "arguments": {}})
        still_works(guard)
        guard.tell("notifications/cancelled", {"requestId": number})
        still_works(guard)


def test_a_crash_at_every_point_of_a_call():
    for sin in ("crash_now", "crash_in_line"):
        with Guard() as guard:
            others = [guard.start("tools/call", {"name": "late", "arguments": {}}) for _ in range(5)]
            assert code_of(guard.sin(sin)) in (UNAVAILABLE, INVALID), sin
            for number in others:
                assert code_of(guard.wait(number)) == UNAVAILABLE
            still_works(guard)
    with Guard() as guard:
        assert is_fine(guard.sin("crash_after"))
        assert json.loads(guard.sin("plain"))
        still_works(guard)
    with Guard() as guard:
        assert code_of(guard.sin("close_output")) == UNAVAILABLE
        still_works(guard)


def test_a_crash_at_every_point_of_the_beginning():
    for word in ("crash-start", "crash-hello", "crash-in-hello", "crash-initialized", "crash-list", "crash-in-list", "crash-cancel"):
        with Guard(word) as guard:
            number = guard.start("tools/call", {"name": "late", "arguments": {}})
            guard.tell("notifications/cancelled", {"requestId": number})
            answer = json.loads(guard.sin("plain"))
            assert "result" in answer or "error" in answer, (word, answer)


def test_odd_beginnings():
    for word in ("hello-null", "hello-array", "hello-empty", "hello-future", "hello-types", "hello-long"):
        with Guard(word) as guard:
            answer = json.loads(guard.sin("plain"))
            assert "result" in answer or "error" in answer, (word, answer)


def test_lists_without_end():
    for word in ("cursors", "same-cursor", "odd-list"):
        with Guard(word) as guard:
            answer = json.loads(guard.sin("plain"))
            assert "result" in answer or "error" in answer, (word, answer)


def test_definitions_that_are_no_good():
    with Guard("definitions") as guard:
        names = [tool["name"] for tool in json.loads(guard.ask("tools/list"))["result"]["tools"]]
        assert "junk" in names, names
        for name in ("bomb", "nested", "loop", "slow", "none", "false", "array", "described", "header0", "headers", "n" * 100000):
            answer = json.loads(guard.call(name, {"x": "a" * 60 + "b", "a": {"a": {}}}))
            assert "result" in answer or "error" in answer, (name, answer)
        assert is_fine(guard.sin("junk"))


def test_more_tools_than_there_may_be():
    with Guard("20000") as guard:
        listed = json.loads(guard.ask("tools/list"))["result"]["tools"]
        assert 5000 < len(listed) <= 10000, len(listed)
        assert is_fine(guard.sin("junk"))


def test_lists_that_cannot_be_read():
    for word in ("100000", "deeper"):
        with Guard(word) as guard:
            for _ in range(2):
                assert "is no message" in json.loads(guard.ask("tools/list"))["error"]["message"], word
                assert json.loads(guard.sin("plain")), word


def test_a_server_that_does_not_read():
    with Guard() as guard:
        numbers = [guard.start("tools/call", {"name": "deaf", "arguments": {}})]
        for _ in range(40):
            numbers.append(guard.start("tools/call", {"name": "plain", "arguments": {"x": "y" * MIB}}))
        for number in numbers:
            guard.tell("notifications/cancelled", {"requestId": number})
        assert json.loads(guard.ask("ping"))["result"] == {}


def test_standard_error_without_end():
    with Guard() as guard:
        assert is_fine(guard.sin("errors"))
        still_works(guard)


if __name__ == "__main__":
    sys.exit(parties.main_at_once(parties.tests_of(sys.modules[__name__]), sys.argv[1:]))
