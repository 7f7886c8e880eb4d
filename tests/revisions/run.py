#!/usr/bin/env python3
"""What each revision of the protocol has a form for, and what is sent where it has none: over standard streams.

    tests/revisions/run.py [WORD...]    only the tests whose name has one of the words in it
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig

SERVER = rig.BUILD / "servers" / "conformance"
FIRST, SECOND, THIRD, LAST = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"
# The types of content by revision, as its schema lists them; anything else breaks the whole answer.
CONTENT = {
    FIRST: {"text", "image", "resource"},
    SECOND: {"text", "image", "audio", "resource"},
    THIRD: {"text", "image", "audio", "resource", "resource_link"},
    LAST: {"text", "image", "audio", "resource", "resource_link"},
}


def client(revision):
    return rig.Stdio([SERVER], revision=revision)


def content_of(peer, tool):
    return peer.request("tools/call", {"name": tool, "arguments": {}})["result"]["content"]


def test_content_is_what_the_revision_knows():
    for revision, known in CONTENT.items():
        with client(revision) as peer:
            for tool in ("test_image_content", "test_audio_content", "test_embedded_resource", "test_multiple_content_types"):
                content = content_of(peer, tool)
                assert {block["type"] for block in content} <= known, (revision, tool, content)
                assert len(content) == (4 if tool == "test_multiple_content_types" else 2), (revision, tool, content)


def test_text_says_what_was_left_out():
    with client(FIRST) as peer:
        sound = content_of(peer, "test_audio_content")[1]["text"]
        assert sound == "Audio (audio/wav, 44 bytes) is left out: this client's revision of the protocol has no audio."
    for revision in (FIRST, SECOND):
        with client(revision) as peer:
            link = content_of(peer, "test_multiple_content_types")[3]["text"]
            assert link == "Link to a resource: static-text: test://static-text (text/plain)", link


def test_members_are_what_the_revision_knows():
    """Tools have titles and schemas of their results, and answers have structured content, from 2025-06-18 on."""
    for revision in CONTENT:
        with client(revision) as peer:
            tool = next(each for each in peer.request("tools/list", {})["result"]["tools"] if each["name"] == "test_division")
            answer = peer.request("tools/call", {"name": "test_division", "arguments": {"dividend": 7, "divisor": 2}})["result"]
            newer = revision >= THIRD
            assert ("outputSchema" in tool) == newer and ("structuredContent" in answer) == newer, (revision, tool, answer)
            assert "resultType" not in answer and "_meta" not in answer, answer
            prompts = peer.request("prompts/list", {})["result"]["prompts"]
            resources = peer.request("resources/list", {})["result"]["resources"]
            assert newer or not any("title" in each for each in [tool, *prompts, *resources])


def test_a_question_that_cannot_be_asked_is_an_answer_of_the_tool():
    """Its code as an error of the protocol came with 2026-07-28; a model of an older client reads why instead."""
    for revision in CONTENT:
        with client(revision) as peer:
            for tool, needed in (("test_tool_with_task", "elicitation"), ("test_elicitation", "elicitation"),
                                 ("test_input_required_result_list_roots", "roots")):
                answer = peer.request("tools/call", {"name": tool, "arguments": {"message": "Who?"} if tool == "test_elicitation" else {}})
                assert answer["result"]["isError"], (revision, tool, answer)
                assert "UNAVAILABLE" in answer["result"]["content"][0]["text"] and needed in answer["result"]["content"][0]["text"]
            error = peer.request("prompts/get", {"name": "test_input_required_result_prompt"})["error"]
            assert error["code"] == -32603 and "elicitation" in error["message"], (revision, error)
    with rig.Stdio([SERVER], modern=True) as peer:
        assert peer.request("tools/call", {"name": "test_tool_with_task", "arguments": {}})["error"]["code"] == -32021


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
