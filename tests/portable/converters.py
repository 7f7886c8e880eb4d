#!/usr/bin/env python3
"""Gives the portable form of every tool of every server to the converters that clients use, and prints what is left of it.

    tests/portable/converters.py    needs a package index; the packages go into $TENON_BUILD_DIR/python

    openai-agents   agents.strict_schema.ensure_strict_json_schema: the strict mode of OpenAI
    google-genai    google.genai.types.Schema, which refuses a keyword that it does not know

A converter must take each schema, and leave every list a list and every enum an enum. tests/portable/run.py tests the same forms
without them.
"""
import copy
import os
import pathlib
import subprocess
import sys
import venv

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
PACKAGES = ["openai-agents==0.24.0", "google-genai==3.1.0"]


def enter_environment():
    """Runs this script again by the Python that has the packages."""
    folder = BUILD / "python"
    python = folder / "bin" / "python"
    marker = folder / ("-".join(PACKAGES).replace("=", "") + ".installed")
    if not marker.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
        marker.touch()
    os.execv(python, [python, __file__, "--inside"])


def inside():
    sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests" / "portable")]
    import run as portable  # noqa: E402
    from agents.strict_schema import ensure_strict_json_schema
    from google.genai import types

    def google(schema):
        return types.Schema.model_validate(schema).model_dump(exclude_none=True, by_alias=True, mode="json")

    converters = {"openai-agents strict": lambda schema: ensure_strict_json_schema(copy.deepcopy(schema)),
                  "google-genai Schema": google}
    failed = 0
    print(f"{'converter':<22} {'server':<8} {'tools':>5} {'lists':>5} {'enums':>5}")
    for name in portable.SERVERS:
        with portable.Pair(name) as pair:
            tools = portable.tools_of(pair.portable)
            for converter, convert in converters.items():
                lists = enums = 0
                for tool, declared in tools.items():
                    schema = declared["inputSchema"]
                    try:
                        converted = convert(schema)
                    except Exception as error:  # pylint: disable=broad-except
                        print(f"{converter} refuses {name}/{tool}: {str(error)[:300]}")
                        failed += 1
                        continue
                    kept = {kind: count(converted, kind) for kind in ("array", "enum")}
                    if kept != {kind: count(schema, kind) for kind in ("array", "enum")}:
                        print(f"{converter} loses types of {name}/{tool}: {converted}")
                        failed += 1
                    if converter.startswith("openai") and converted != schema:
                        print(f"{converter} changes {name}/{tool}")
                        failed += 1
                    lists, enums = lists + kept["array"], enums + kept["enum"]
                print(f"{converter:<22} {name:<8} {len(tools):>5} {lists:>5} {enums:>5}")
    return f"{failed} schemas are not taken as they are" if failed else 0


def count(schema, kind):
    """Lists or enums in a schema, whatever the case of its types."""
    if not isinstance(schema, dict):
        return 0
    here = "enum" in schema if kind == "enum" else str(schema.get("type", "")).lower() == "array"
    inner = [*schema.get("properties", {}).values(), schema.get("items")]
    return here + sum(count(one, kind) for one in inner)


if __name__ == "__main__":
    sys.exit(inside() if sys.argv[1:] == ["--inside"] else enter_environment())
