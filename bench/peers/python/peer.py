"""The tools of bench/mcp/server.c with FastMCP: annotations declare them, and it checks them. They are async, so that no
call waits for a thread. BENCH_SHAPE asks for those of the cost curves: "tools 100" is a hundred copies of the search,
"params 20", "items 1000" and "text 10000" one tool of that size."""
import os
import socket
import sys
from typing import Annotated, Literal

os.environ.setdefault("FASTMCP_LOG_LEVEL", "ERROR")  # it says a line when it starts

import uvloop
from fastmcp import FastMCP
from pydantic import Field

mcp = FastMCP("bench", version="1.0.0")
Tag = Annotated[str, Field(min_length=1, max_length=30)]
Item = Annotated[str, Field(min_length=1, max_length=64)]
Number = Annotated[int, Field(description="A number.", ge=0, le=1000)]


async def search(
    query: Annotated[str, Field(description="What to look for.", min_length=1, max_length=200)],
    limit: Annotated[int, Field(description="Most results.", ge=1, le=100)] = 10,
    score: Annotated[float, Field(description="Least relevance.", ge=0, le=1)] = 0.5,
    archived: Annotated[bool, Field(description="Archived notes, too.")] = False,
    level: Annotated[Literal["low", "medium", "high"], Field(description="How deep.")] = "medium",
    tags: Annotated[list[Tag], Field(description="Only with these tags.", max_length=10)] = [],
) -> str:
    """Search the notes."""
    return f"{query}: {limit} results at {level}, {len(tags)} tags."


async def items(items: Annotated[list[Item], Field(description="Some texts.", max_length=10000)]) -> str:
    return f"{len(items)} items."


async def text(text: Annotated[str, Field(description="A text.", min_length=1, max_length=1048576)]) -> str:
    return f"{len(text)} bytes."


def integers(count):
    """A function of so many parameters, written as one would write it."""
    names = [f"P{number}" for number in range(count)]
    source = f"async def grown({', '.join(f'{name}: Number' for name in names)}) -> str:\n    return f'sum {{{' + '.join(names)}}}.'"
    exec(source, globals())
    return grown


def add_tools():
    what, _, count = os.environ.get("BENCH_SHAPE", "").partition(" ")
    if what in ("", "tools"):
        for name in [f"search_{number}" for number in range(int(count))] if what else ["search"]:
            mcp.tool(search, name=name, annotations={"readOnlyHint": True})
    else:
        mcp.tool({"params": integers, "items": lambda _: items, "text": lambda _: text}[what](int(count)), name="grown", description="Grows.")


def serve_http():
    import uvicorn

    # With its protocol, as uvicorn makes its own: asyncio sets TCP_NODELAY on no other, and then an answer waits for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    app = mcp.http_app(path="/mcp", stateless_http=True, json_response=True)
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[listener])


if __name__ == "__main__":
    add_tools()
    if sys.argv[1:2] == ["--http"]:
        serve_http()
    else:
        uvloop.run(mcp.run_async(transport="stdio", show_banner=False))
