"""A server with FastMCP, whichever version: results of every form, progress, a question, and a resource."""
import dataclasses
import typing

from fastmcp import Context, FastMCP

server = FastMCP("fast", instructions="Be brief.")


@dataclasses.dataclass
class Weather:
    city: str
    degrees: float
    wind: list[float]


@server.tool
def add(a: int, b: float = 1.0) -> float:
    """Adds two numbers."""
    return a + b


@server.tool
def weather(city: typing.Literal["Bern", "Rome"]) -> Weather:
    return Weather(city, 1.5, [1e21, -0.1])


@server.tool
def echo(text: str) -> str:
    return text


@server.tool
def fails() -> str:
    raise ValueError("it failed")


@server.tool
async def steps(ctx: Context, count: int = 3) -> str:
    for i in range(count):
        await ctx.report_progress(i, count)
    return "done"


@server.resource("fast://note")
def note() -> str:
    return "a note"


@server.prompt
def greet(name: str) -> str:
    return f"Greet {name}."


if __name__ == "__main__":
    server.run(show_banner=False)
