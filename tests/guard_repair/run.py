#!/usr/bin/env python3
"""Self-repair through the guard, over the tools of real servers: a client that knows nothing but the issues of a refusal succeeds
with its second call, for every single fault of a good call and for pairs of them; and what is refused and admitted is what ajv says.

    tests/guard_repair/run.py [--seed N] [--pairs N]    pairs of faults of each tool, 12

The tools are asked for live from servers of npm (scripts/setup); lists that were recorded from other servers are used where they
lie beside the source tree (../shared/data/toollists).
"""
import collections
import copy
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import envelopes
import parties

sys.path.insert(0, str(HERE.parent / "guard_upstreams"))
import servers

PLACES = [place / "shared" / "data" / "toollists" for place in (parties.ROOT.parent, parties.ROOT.parents[1])]
RECORDED = next((place for place in PLACES if place.is_dir()), PLACES[0])
TEXTS = {"uri": "https://example.com/a", "email": "a@example.com", "date": "2026-01-02", "date-time": "2026-01-02T03:04:05Z",
         "uuid": "123e4567-e89b-12d3-a456-426614174000"}


# ---- Values of a schema ------------------------------------------------------------------------------------------

def resolved(schema, root):
    while isinstance(schema, dict) and "$ref" in schema:
        place = root
        for name in schema["$ref"].lstrip("#/").split("/"):
            place = place[name.replace("~1", "/").replace("~0", "~")]
        schema = place
    return schema


def example(schema, root=None, depth=0):
    """A value that the schema takes, of the part of JSON Schema that tools use."""
    root = schema if root is None else root
    schema = resolved(schema, root)
    if not isinstance(schema, dict) or depth > 8:
        return "x"
    for known in ("const", "default", "suggestion"):
        if schema.get(known) is not None:
            return schema[known]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("enum"):
        return schema["enum"][0]
    for union in ("anyOf", "oneOf"):
        for one in schema.get(union, []):
            if resolved(one, root).get("type") != "null":
                return example(one, root, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = next((one for one in kind if one != "null"), "null") if isinstance(kind, list) else kind
    if kind == "object":
        return {name: example(schema.get("properties", {}).get(name, {}), root, depth + 1) for name in schema.get("required", [])}
    if kind == "array":
        return [example(schema.get("items", {}), root, depth + 1) for _ in range(max(schema.get("minItems", 0), 1))]
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + ("exclusiveMinimum" in schema))
        return low if "maximum" not in schema else min(low if "minimum" in schema else max(low, 0), schema["maximum"])
    if kind == "string" and "pattern" in schema:
        return next((text for text in ("text", "AB1", "AB-1", "1", "2026-01-02") if re.search(schema["pattern"], text)), "text")
    if kind == "string":
        text = TEXTS.get(schema.get("format"), "text")
        return text.ljust(schema.get("minLength", 0), "x")[:schema.get("maxLength", len(text) + schema.get("minLength", 0))]
    return {"boolean": True, "null": None}.get(kind, "x")


def good_call(schema):
    """All parameters, not only the required ones, so that there is something to spoil."""
    call = example(schema)
    for name, part in schema.get("properties", {}).items():
        if name not in call:
            call[name] = example(part, schema)
    return call


# ---- Faults ------------------------------------------------------------------------------------------------------

WRONG = {"string": [7, {"a": 1}], "integer": ["seven", [1]], "number": ["seven", {"a": 1}], "boolean": ["perhaps", 7],
         "array": [{"a": 1}], "object": [7]}


def faults_of(schema):
    """Each is a function that spoils a call in one place."""
    found = []
    for name in schema.get("required", []):
        found.append(("missing " + name, lambda call, name=name: call.pop(name, None)))
    for name, part in schema.get("properties", {}).items():
        part = resolved(part, schema)
        if not isinstance(part, dict):
            continue
        kinds = part.get("type")
        for value in WRONG.get(kinds if isinstance(kinds, str) else None, []):
            found.append((f"type of {name}", lambda call, name=name, value=value: call.__setitem__(name, value)))
        if part.get("enum"):
            found.append((f"enum of {name}", lambda call, name=name: call.__setitem__(name, "no such word")))
        if "maximum" in part:
            found.append((f"range of {name}", lambda call, name=name, part=part: call.__setitem__(name, part["maximum"] + 1)))
        if part.get("minItems"):
            found.append((f"items of {name}", lambda call, name=name: call.__setitem__(name, [])))
        if len(name) > 3 and name in schema.get("required", []):
            found.append((f"name of {name}", lambda call, name=name: call.__setitem__(name + "s", call.pop(name, None))))
    return found


# ---- The naive client --------------------------------------------------------------------------------------------

def put(call, place, value):
    """Sets what an issue names: a parameter, or the way to a place below one."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in place[1:].split("/")] if place.startswith("/") else [place]
    for step in steps[:-1]:
        call = call[int(step)] if isinstance(call, list) else call.setdefault(step, {})
    if value is None and not isinstance(call, list):
        call.pop(steps[-1], None)
    elif isinstance(call, list):
        call[int(steps[-1])] = value
    else:
        call[steps[-1]] = value


def repaired(call, issues, schema):
    """The call as the issues of a refusal say, and nothing else; a $ref in them is of the tool's own schema."""
    call = copy.deepcopy(call)
    for issue in issues:
        if issue["code"] == "unknown":
            put(call, issue["parameter"], None)
        elif "suggestion" in issue:
            put(call, issue["parameter"], issue["suggestion"])
        elif "example" in issue:
            put(call, issue["parameter"], issue["example"])
        elif "expected" in issue:  # without it, an issue before said what to send there
            put(call, issue["parameter"], example(issue["expected"], schema))
    return call


# ---- The test ----------------------------------------------------------------------------------------------------

class Try:
    """The tools of one list behind a guard."""

    def __init__(self, client, calls):
        self.client, self.calls = client, calls  # what ajv is asked afterwards
        self.counts = collections.Counter()
        self.wrong = []

    def send(self, tool, call):
        """The issues of a refusal, or None when the server got it."""
        answer = json.loads(self.client.call(tool["name"], call))
        assert "result" in answer, (tool["name"], answer)
        text = json.loads(answer["result"]["content"][0]["text"])
        whole = answer["result"].get("structuredContent", text)
        if not answer["result"].get("isError"):
            self.calls.append((tool, call, text, None))
            return None
        assert whole["error"]["code"] == "VALIDATION_ERROR", whole
        assert whole is text or text == envelopes.for_reading(whole), answer["result"]
        self.calls.append((tool, call, None, whole["error"]["details"]["issues"]))
        return whole["error"]["details"]["issues"]

    def try_fault(self, tool, good, what, spoil):
        call = copy.deepcopy(good)
        for one in spoil:
            one(call)
        issues = self.send(tool, call)
        self.counts["calls"] += 1
        if issues is None:
            return
        self.counts["refused"] += 1
        again = repaired(call, issues, tool["inputSchema"])
        left = self.send(tool, again)
        if left is not None:
            self.wrong.append(f"{tool['name']}: {what}: {json.dumps(call)[:300]} -> {json.dumps(again)[:300]}: "
                              f"{[issue['message'] for issue in left]}")

    def try_tool(self, tool, chance, pairs):
        schema = tool["inputSchema"]
        good = good_call(schema)
        if self.send(tool, good) is not None:
            good = example(schema)
            if self.send(tool, good) is not None:
                self.counts["tools without a good call"] += 1
                return
        self.counts["tools"] += 1
        faults = faults_of(schema)
        for what, spoil in faults:
            self.try_fault(tool, good, what, [spoil])
        both = list(itertools.combinations(faults, 2))
        for (first, one), (second, other) in chance.sample(both, min(pairs, len(both))):
            self.try_fault(tool, good, f"{first} and {second}", [one, other])


class Ajv:
    """One process for all lists: it takes a while to start."""

    def __init__(self):
        self.process = subprocess.Popen([HERE.parent / "js" / "node", HERE / "agree.mjs"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        assert self.process.wait(parties.PATIENCE) == 0

    def ask(self, calls):
        """Of each call, what is said of what was sent and of what the server got."""
        words = [{"schema": tool["inputSchema"], "sent": sent, "got": got} for tool, sent, got, _ in calls]
        with self.lock:
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        assert line, "ajv has ended"
        return json.loads(line)


def differences(ajv, calls):
    """Where the guard and ajv are not of one mind: what fits goes on as it is, what goes on fits, what is refused does not."""
    found = []
    for (tool, sent, got, issues), (of_sent, of_got) in zip(calls, ajv.ask(calls)):
        if got is not None and of_got == "invalid":
            found.append(f"{tool['name']}: sent on, and invalid: {json.dumps(got)[:300]}")
        if got is not None and of_sent == "valid" and got != sent:
            found.append(f"{tool['name']}: changed, and was valid: {json.dumps(sent)[:300]} -> {json.dumps(got)[:300]}")
        near = issues and all(issue["code"] == "unknown" for issue in issues)  # nearly the name of a parameter: refused on purpose
        if got is None and of_sent == "valid" and not near:
            found.append(f"{tool['name']}: refused, and valid: {json.dumps(sent)[:300]}: {issues[0]['message']}")
    return found


def live_lists(folder):
    for server in servers.of_npm(folder)[:4]:
        server.prepare()
        with parties.Pipe(server.words, abilities=server.abilities, answers=server.answers, environment=server.environment) as client:
            tools = json.loads(client.ask("tools/list"))["result"]["tools"]
        yield server.name, [tool for tool in tools if tool.get("execution", {}).get("taskSupport") != "required"]


def recorded_lists():
    for path in sorted(RECORDED.glob("*.json")) if RECORDED.is_dir() else []:
        yield path.stem, json.loads(path.read_text())["tools"]


def try_list(folder, ajv, name, tools, chance, pairs):
    file = folder / f"{name}.json"
    tools = [{key: tool[key] for key in ("name", "inputSchema")} for tool in tools]
    file.write_text(json.dumps(tools))
    calls = []
    with parties.Pipe([parties.TENON, "guard", "--log", "error", "--", sys.executable, HERE / "offering.py", file]) as client:
        attempt = Try(client, calls)
        for tool in tools:
            attempt.try_tool(tool, chance, pairs)
    wrong = attempt.wrong + differences(ajv, calls)
    assert attempt.counts["tools"], f"{name}: no tool has a good call"
    assert not wrong, f"{len(wrong)} of {attempt.counts['calls']}:\n    " + "\n    ".join(wrong[:12])
    return ", ".join(f"{count} {what}" for what, count in attempt.counts.items())


def main(words):
    seed = int(words[words.index("--seed") + 1]) if "--seed" in words else random.SystemRandom().randrange(1 << 32)
    pairs = int(words[words.index("--pairs") + 1]) if "--pairs" in words else 12
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tenon-repair-") as place, Ajv() as ajv:
        folder = pathlib.Path(place)
        lists = [*live_lists(folder), *recorded_lists()]
        if not RECORDED.is_dir():
            print("   left out: recorded lists of other servers, which are not here")
        return parties.main_at_once([(name, lambda name=name, tools=tools: try_list(folder, ajv, name, tools, random.Random(f"{seed} {name}"), pairs))
                                     for name, tools in lists], [])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
