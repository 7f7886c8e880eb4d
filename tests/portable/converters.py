#!/usr/bin/env python3
"""Gives what Tenon publishes to the converters that clients use: the portable form of its own servers, and the lists that
`tenon lint --fix` and `tenon guard --publish` make of public servers'. And what a profile calls refused, where the converter is the
evidence: it must be refused, or come out as something else.

    tests/portable/converters.py    needs the package indexes; what it installs by its lock files goes into $TENON_BUILD_DIR

A converter must take each schema, and leave every type, enum, required name and list at its place; those of the strict modes must leave
all of it as it is. tests/portable/run.py tests the same forms without them.
"""
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
TENON = BUILD / "bin" / "tenon"
NPM = BUILD / "converters"
LISTS = ROOT / "tests" / "contract_servers" / "lists"

# what it is called: the profile that speaks of it, and keywords that it may leave out of a good schema; None: any but those of shape()
CONVERTERS = {
    "openai-agents strict": ("openai-strict", set()),
    "langchain-core strict": ("openai-strict", set()),
    "AI SDK openai": ("openai-strict", set()),
    "anthropic transform": ("anthropic-strict", {"$schema", "default"}),  # a default becomes words of the description
    "AI SDK anthropic": ("anthropic-strict", set()),
    "google-genai Schema": ("gemini", None),
    "google-genai MCP": ("gemini", None),
    "langchain-google-genai": ("gemini", None),
    "AI SDK google": ("gemini", None),
}


CLOSED = "a closed object"  # only a note of the profile: the strict mode of others needs it
BREAKS = {"google-genai MCP": "additionalProperties", "langchain-google-genai": "anyOf"}  # it ends with an error, or leaves them out: notes of the profile
FREE = {"langchain-google-genai"}  # with inner objects: all members are required, and one without members is a text (of JSON)


def prop(schema, **more):
    return {"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": False, **more}


REF = prop({"$ref": "#/$defs/x"}, **{"$defs": {"x": {"type": "string"}}})

# What a profile calls refused, and which converters show it. The others pass it on, for the provider to refuse.
REFUSED = [
    (CLOSED, prop({"type": "string"}), {"google-genai MCP"}),
    ("an optional property", {**prop({"type": "string"}), "required": []}, {"openai-agents strict", "langchain-core strict"}),
    ("an open object", {**prop({"type": "string"}), "additionalProperties": True}, {"openai-agents strict", "langchain-core strict", "anthropic transform"}),
    ("an object that does not say", {k: v for k, v in prop({"type": "string"}).items() if k != "additionalProperties"}, {"openai-agents strict", "langchain-core strict", "anthropic transform"}),
    ("oneOf", prop({"oneOf": [{"type": "string"}, {"type": "integer"}]}), {"openai-agents strict", "anthropic transform", "google-genai Schema", "google-genai MCP", "langchain-google-genai"}),
    ("a minimum", prop({"type": "integer", "minimum": 1}), {"anthropic transform"}),
    ("a length", prop({"type": "string", "maxLength": 9}), {"anthropic transform"}),
    ("a reference", REF, {"google-genai Schema", "google-genai MCP", "langchain-google-genai", "AI SDK google"}),
    ("a list of types", prop({"type": ["integer", "null"]}), {"anthropic transform", "google-genai Schema", "google-genai MCP", "langchain-google-genai", "AI SDK google"}),
    ("a union with null", prop({"anyOf": [{"type": "integer"}, {"type": "null"}]}), {"google-genai MCP", "langchain-google-genai", "AI SDK google"}),
    ("a constant", prop({"const": "p"}), {"google-genai Schema", "google-genai MCP", "langchain-google-genai", "AI SDK google"}),
    ("an enum of numbers", prop({"type": "integer", "enum": [1, 2]}), {"google-genai Schema", "langchain-google-genai", "AI SDK google"}),
    ("places of a list", prop({"type": "array", "prefixItems": [{"type": "string"}]}), {"anthropic transform", "google-genai Schema", "google-genai MCP", "langchain-google-genai", "AI SDK google"}),
    ("no type", prop({"description": "Anything."}), {"anthropic transform"}),
]


# ---- Packages -----------------------------------------------------------------------------------------------------------


def installed(place, lock):
    """Is in `place` what this lock file names? It is written down there afterwards."""
    done = place / "installed"
    return done.exists() and done.read_bytes() == lock.read_bytes()


def enter_environment():
    """Runs this script again by the Python that has the packages."""
    folder, lock = BUILD / "python", HERE / "python.txt"
    python = folder / "bin" / "python"
    if not installed(folder, lock):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:", "-r", lock], check=True)
        shutil.copy(lock, folder / "installed")
    lock = HERE / "npm" / "package-lock.json"
    if not installed(NPM, lock):
        shutil.rmtree(NPM, ignore_errors=True)
        shutil.copytree(HERE / "npm", NPM)
        subprocess.run(["npm", "ci", "--prefix", NPM, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], check=True)
        shutil.copy(lock, NPM / "installed")
    os.execv(python, [python, __file__, "--inside"])


# ---- Converters ---------------------------------------------------------------------------------------------------------


class Node:
    """The AI SDK, in a process of its own."""

    def __init__(self):
        self.child = subprocess.Popen([ROOT / "tests" / "js" / "node", HERE / "converters.mjs", NPM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def convert(self, provider, schema):
        self.child.stdin.write(json.dumps({"id": 1, "provider": provider, "schema": schema}) + "\n")
        self.child.stdin.flush()
        said = json.loads(self.child.stdout.readline())
        if "refused" in said:
            raise ValueError(said["refused"])
        return said["converted"]

    def close(self):
        self.child.stdin.close()
        self.child.wait(timeout=60)


def converters(node):
    import logging
    from agents.strict_schema import ensure_strict_json_schema
    from anthropic.lib._parse._transform import transform_schema
    from google.genai import types
    from google.genai._mcp_utils import mcp_to_gemini_tool
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langchain_google_genai._function_utils import convert_to_genai_function_declarations
    from google.protobuf.json_format import MessageToDict
    from mcp.types import Tool

    logging.disable(logging.WARNING)  # of each keyword that one of them drops

    def written(model):
        return model.model_dump(exclude_none=True, by_alias=True, mode="json")

    def langchain(schema):
        return convert_to_openai_tool({"name": "t", "description": "A tool.", "parameters": schema}, strict=True)["function"]["parameters"]

    def langchain_google(schema):
        said = convert_to_genai_function_declarations([{"name": "t", "description": "A tool.", "parameters": schema}])
        return MessageToDict(type(said).pb(said))["functionDeclarations"][0].get("parameters", {})

    return {
        "openai-agents strict": ensure_strict_json_schema,
        "langchain-core strict": langchain,
        "AI SDK openai": lambda schema: node.convert("openai", schema),
        "anthropic transform": transform_schema,
        "AI SDK anthropic": lambda schema: node.convert("anthropic", schema),
        "google-genai Schema": lambda schema: written(types.Schema.model_validate({key: value for key, value in schema.items() if key != "$schema"})),
        "google-genai MCP": lambda schema: written(mcp_to_gemini_tool(Tool(name="t", description="A tool.", inputSchema=schema)).function_declarations[0].parameters),
        "langchain-google-genai": langchain_google,
        "AI SDK google": lambda schema: node.convert("google", schema),
    }


def shape(schema, strict=True, outer=True):
    """What must stay: types, enums, required names and items, at their places, whatever the case of types."""
    if not isinstance(schema, dict):
        return schema
    kept = {key: schema[key] for key in ("enum", "oneOf", "allOf", "$ref", "const", "nullable", "prefixItems") if key in schema}
    if "anyOf" in schema:
        kept["anyOf"] = [shape(one, strict, False) for one in schema["anyOf"]]
    kind = schema.get("type", schema.get("type_"))
    kept["type"] = kind.lower() if isinstance(kind, str) else kind
    kept["required"] = sorted(schema.get("required") or []) if outer or strict else None
    if not strict and not outer and kind and kind.lower() == "object" and not schema.get("properties"):
        kept["type"] = "string"
    if "items" in schema:
        kept["items"] = shape(schema["items"], strict, False)
    kept["properties"] = {name: shape(one, strict, False) for name, one in (schema.get("properties") or {}).items()}
    return kept


def without(schema, names):
    """The schema without these keywords, and, where they are any, without descriptions, to which their words may have gone."""
    if not isinstance(schema, dict):
        return schema
    left = {key: value for key, value in schema.items() if key not in names and (key != "description" or not names)}
    if left.get("required") == [] or names and "enum" in left:
        left.pop("required" if "enum" not in left else "type", None)  # nothing is required; an enum says what type it has
    if "properties" in left:
        left["properties"] = {name: without(one, names) for name, one in left["properties"].items()}
    if "items" in left:
        left["items"] = without(left["items"], names)
    if "anyOf" in left:
        left["anyOf"] = [without(one, names) for one in left["anyOf"]]
    return left


def is_kept(name, schema, converted):
    """Is a good schema what it was, as far as this converter goes?"""
    names = CONVERTERS[name][1]
    if names is None and not schema.get("properties"):
        return not converted.get("properties")  # some send nothing at all of a tool without arguments
    inner = name not in FREE
    return shape(converted, inner) == shape(schema, inner) if names is None else without(converted, names) == without(schema, names)


def keywords(schema):
    """The names of all keywords in it."""
    if not isinstance(schema, dict):
        return set()
    inner = [*(schema.get("properties") or {}).values(), schema.get("items"), *schema.get("anyOf", [])]
    return set(schema).union(*(keywords(one) for one in inner))


# ---- Lists --------------------------------------------------------------------------------------------------------------


def tenon(*words, ends=(0,)):
    ran = subprocess.run([TENON, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=120)
    assert ran.returncode in ends, (words, ran.returncode, ran.stderr[-800:])
    return ran.stdout


def own_servers():
    """The portable form of each server."""
    import run as portable
    for name in portable.SERVERS:
        with portable.Pair(name) as pair:
            yield name, [{"name": tool, **declared} for tool, declared in portable.tools_of(pair.portable).items()]


def published(profile):
    """The lists of public servers as `tenon lint --fix` prints them; and one of them as the guard publishes it."""
    for place in sorted(LISTS.glob("*.json")):
        yield place.stem, json.loads(tenon("lint", "--fix", "--for", profile, place))["tools"]
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "tools.json"
        place.write_text(json.dumps(json.loads((LISTS / "notionhq__notion-mcp-server.json").read_text())["tools"]))
        guarded = [TENON, "guard", "--publish", profile, "--", sys.executable, ROOT / "tests" / "guard_repair" / "offering.py", place]
        tools = json.loads(tenon("tools", "--raw", "--", *guarded))["tools"]
        fixed = json.loads(tenon("lint", "--fix", "--for", profile, place))["tools"]
        assert [one["inputSchema"] for one in tools] == [one["inputSchema"] for one in fixed]
        yield "through the guard", tools


# ---- Tests --------------------------------------------------------------------------------------------------------------


def check(name, convert, lists, problems):
    """Every schema of the lists is taken; returns what is printed of that."""
    tools, dropped, places, broken = 0, set(), 0, 0
    for place, listed in lists:
        places += 1
        for tool in listed:
            tools += 1
            schema = tool["inputSchema"]
            if BREAKS.get(name) in keywords(schema):
                broken += 1
                continue
            try:
                converted = convert(copy.deepcopy(schema))
            except Exception as error:  # pylint: disable=broad-except
                problems.append(f"{name} refuses {place}/{tool['name']}: {str(error)[:300]}")
                continue
            if not is_kept(name, schema, converted):
                problems.append(f"{name} changes {place}/{tool['name']}: {json.dumps(schema)[:600]} to {json.dumps(converted)[:600]}")
            dropped |= keywords(schema) - keywords(converted) - {"type"}
    print(f"{name:<24} {places:>3} lists {tools:>5} tools, left out: {', '.join(sorted(dropped)) or 'nothing'}"
          + (f"; {broken} tools not given, for {BREAKS[name]}" if broken else ""), flush=True)


def check_refused(known, problems):
    """What the profile finds, the converter shows; and what it does not show is said so that nobody relies on it."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "tools.json"
        for what, schema, shown in REFUSED:
            place.write_text(json.dumps([{"name": "t", "description": "Do.", "inputSchema": schema}]))
            seen = set()
            for name, convert in known.items():
                given = {key: value for key, value in schema.items() if key != "additionalProperties" or CONVERTERS[name][0] != "gemini" or what == CLOSED}
                try:
                    converted = convert(copy.deepcopy(given))
                    if not is_kept(name, given, converted):
                        seen.add(name)
                except Exception:  # pylint: disable=broad-except
                    seen.add(name)
            if seen != shown:
                problems.append(f"{what}: shown by {sorted(seen)}, expected {sorted(shown)}")
            for profile in sorted({CONVERTERS[name][0] for name in shown}):
                report = json.loads(tenon("lint", "--output", "json", "--for", profile, place, ends=(0, 1)))
                if not [one for one in report["findings"] if one.get("client") == profile and (one["level"] in ("error", "warning") or what == CLOSED)]:
                    problems.append(f"{what}: nothing is found for {profile}, though {sorted(shown)} refuse or change it")
            print(f"{what:<28} {', '.join(sorted(seen)) or 'none'}", flush=True)


def inside():
    sys.path[:0] = [str(ROOT / "tests" / "support"), str(HERE)]
    problems, node = [], Node()
    known = converters(node)
    own = list(own_servers())
    print("---- schemas that are published")
    for name, convert in known.items():
        check(name, convert, [*(own if CONVERTERS[name][0] != "anthropic-strict" else []), *published(CONVERTERS[name][0])], problems)
    print("---- what is refused or changed, and by which")
    check_refused(known, problems)
    node.close()
    for name in known:
        for problem in [one for one in problems if one.startswith(name)][:5]:
            print("problem:", problem)
    for problem in [one for one in problems if not one.startswith(tuple(known))]:
        print("problem:", problem)
    return f"{len(problems)} problems" if problems else 0


if __name__ == "__main__":
    sys.exit(inside() if sys.argv[1:] == ["--inside"] else enter_environment())
