"""The official client for Python against the conformance server.

    client.py stdio COMMAND    starts the server, and speaks over its standard streams
    client.py http URL         speaks to one that listens

A third word is the mode of the client: auto, or legacy. Prints a line for each case: "ok NAME", or "FAILED NAME: why".
"""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult, ListRootsResult, Root

PATIENCE = 90  # a guard keeps calls away for 30 s from a server that may still work on a cancelled one
WRONG = {"count": 11, "ratio": "much", "urgent": "maybe", "color": "black", "name": "a", "day": "tomorrow"}


async def ask(client, tool, arguments=None, **how):
    """The result, and the envelope that its text is."""
    result = await client.call_tool(tool, arguments or {}, **how)
    return result, json.loads(result.content[0].text)


async def text(client, tool, arguments=None, **how):
    _, said = await ask(client, tool, arguments, **how)
    assert said["error"] is None, said
    return said["data"]["text"]


async def good_call(client):
    right = {"count": 2, "ratio": 0.5, "urgent": True, "color": "red", "name": "abc", "day": "2026-07-28"}
    assert await text(client, "test_many_arguments", right) == "abc: 2, 0.5, urgent, red, 2026-07-28"


async def six_faults(client):
    """Six arguments, and all of them wrong: every one is named in the first answer."""
    result, said = await ask(client, "test_many_arguments", WRONG)
    assert result.is_error and said["error"]["code"] == "VALIDATION_ERROR", said
    assert set(said["error"]["details"]["fieldErrors"]) == set(WRONG), said


async def structured_content(client):
    await client.list_tools()  # with the schema of the result, which the client checks
    result, said = await ask(client, "test_division", {"dividend": 7, "divisor": 2})
    assert said["data"] == {"quotient": 3, "remainder": 1}, said
    assert result.structured_content == said, result


async def progress(client):
    seen = []

    async def heard(done, total, message):
        seen.append((done, total, message))

    await text(client, "test_tool_with_progress", progress_callback=heard)
    assert seen == [(0, 100, "0 of 100"), (50, 100, "50 of 100"), (100, 100, "100 of 100")], seen


async def elicitation(client):
    assert await text(client, "test_elicitation", {"message": "Who?"}) == "User response: ada <ada@example.com>"


async def roots(client):
    assert await text(client, "test_input_required_result_list_roots") == "2 roots, the first is file:///a"


async def cancellation(client):
    """A call is cancelled while it runs; its handler sees that."""
    before, begun = await text(client, "test_cancelled_calls"), asyncio.Event()

    async def heard(*_):
        begun.set()

    call = asyncio.create_task(ask(client, "slow_compute", {"seconds": 60}, progress_callback=heard))
    await begun.wait()
    call.cancel()
    try:
        raise AssertionError(f"it ended by itself: {await call}")
    except asyncio.CancelledError:
        pass
    while await text(client, "test_cancelled_calls") == before:
        await asyncio.sleep(0.02)


async def fill_in(_, params):
    assert params.message == "Who?", params
    return ElicitResult(action="accept", content={"username": "ada", "email": "ada@example.com"})


async def list_roots(_):
    return ListRootsResult(roots=[Root(uri="file:///a"), Root(uri="file:///b")])


CASES = {"good call": good_call, "six faults": six_faults, "structured content": structured_content, "progress": progress,
         "elicitation": elicitation, "roots": roots, "cancellation": cancellation, "after it": good_call}


async def attempt(name, case, client):
    try:
        async with asyncio.timeout(PATIENCE):
            await case(client)
        print(f"ok {name}", flush=True)
        return True
    except Exception as why:  # pylint: disable=broad-except
        print(f"FAILED {name}: {type(why).__name__}: {why}", flush=True)
        return False


async def main(kind, where, mode="auto"):
    server = where if kind == "http" else StdioServerParameters(command=where)
    async with Client(server, mode=mode, elicitation_callback=fill_in, list_roots_callback=list_roots) as client:
        print(f"revision {client.protocol_version}", flush=True)
        return all([await attempt(name, case, client) for name, case in CASES.items()])


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(main(*sys.argv[1:])) else 1)
