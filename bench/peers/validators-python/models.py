"""The arguments of a tool of bench/schema/cases.mjs as a pydantic model, which is no JSON Schema validator: the only case
that it can be asked, from the text to a model.

    models.py DIRECTORY    prints a line for each measurement: its name and nanoseconds for one run"""
import pathlib
import sys
import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

TURNS, TURN_NS = 15, 3e6


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    query: Annotated[str, Field(min_length=1, max_length=10000)]
    tags: Annotated[list[str], Field(max_length=20)] = []
    limit: Annotated[int, Field(ge=1, le=10)] = 1
    threshold: Annotated[float, Field(ge=0, le=1)] = 0
    mode: Literal["fast", "balanced", "deep"] = "fast"
    verbose: bool = False


def faults(text):
    try:
        Arguments.model_validate_json(text)
    except ValidationError as error:
        return error.error_count()
    return 0


def words(text):
    try:
        Arguments.model_validate_json(text)
    except ValidationError as error:
        return len(str(error))
    return 0


def run(what, text, times):
    start = time.perf_counter_ns()
    for _ in range(times):
        what(text)
    return (time.perf_counter_ns() - start) / times


def main():
    for kind in ("valid", "late", "many"):
        text = pathlib.Path(sys.argv[1], f"tool.{kind}.json").read_bytes()
        if (faults(text) == 0) != (kind == "valid"):
            sys.exit(f"models.py: tool.{kind} is judged otherwise")
        for name, what in (("whole", faults), ("words", words)):
            best = run(what, text, 1000)
            for _ in range(TURNS):
                best = min(best, run(what, text, int(TURN_NS / best) + 1))
            print(f"tool/{kind}/pydantic/{name} {best:.2f}")


if __name__ == "__main__":
    main()
