#!/usr/bin/env python3
"""What the official suite runs as a client: `tenon` commands against the server whose address is the last argument.

The suite names the scenario in MCP_CONFORMANCE_SCENARIO and what a client must know beforehand in
MCP_CONFORMANCE_CONTEXT. Everything that is judged is done by `tenon`; this only types what a person would type. The
person's browser is this file too, under another name: `driver.py --browse ADDRESS` follows redirects to their end.
"""
import fcntl
import json
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve() / "bin" / "tenon"
SECONDS = 60
SLOTS = 3  # scenarios that run at a time: the suite starts all at once, in one process


def take_slot():
    """Waits for one of the slots; held until this process ends."""
    folder = os.environ.get("TENON_DRIVER_SLOTS")
    while folder:
        for number in range(SLOTS):
            slot = open(pathlib.Path(folder) / f"slot{number}", "w", encoding="utf-8")
            try:
                fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return slot
            except BlockingIOError:
                slot.close()
        time.sleep(0.1)
    return None


def tenon(*words, **environment):
    """Runs it to its end: the exit code and standard output. What it says goes to the suite's log."""
    done = subprocess.run([TENON, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=SECONDS,
                          check=False, env={**os.environ, **environment})
    sys.stdout.write(done.stdout.decode())
    sys.stdout.flush()
    return done.returncode, done.stdout.decode()


def tenon_on_terminal(*words, answers=("",)):
    """The same on a terminal: fields of forms get the answers in turn, the last one again and again."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(TENON, [str(TENON), *words])
    shown, seen, answers = b"", 0, list(answers)
    while select.select([terminal], [], [], SECONDS)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
        if shown.endswith(b"[y/n] ") and len(shown) > seen:
            os.write(terminal, b"y\n")
            seen = len(shown)
        elif shown.endswith(b"): ") and len(shown) > seen:
            os.write(terminal, answers[0].encode() + b"\n")
            answers = answers[1:] or answers
            seen = len(shown)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.stdout.write(shown.decode(errors="replace"))
    return code


def listed(url):
    code, out = tenon("tools", "--raw", url)
    return code, json.loads(out)["tools"] if code == 0 else []


# ---- Scenarios without a login: each gives an exit code --------------------------------------------------------------

def list_tools(url, _):
    return tenon("tools", url)[0]


def call_add(url, _):
    return tenon("call", url, "add_numbers", "--arg", "a=5", "--arg", "b=3")[0]


def call_all(url, _):
    code, tools = listed(url)
    return max([code] + [tenon("call", url, tool["name"])[0] for tool in tools])


def answer_all(url, _):
    """Every tool, with a person who takes what is proposed, and says yes where nothing is."""
    code, tools = listed(url)
    return max([code] + [tenon_on_terminal("call", url, tool["name"], answers=("",)) for tool in tools])


def confirm_all(url, _):
    code, tools = listed(url)
    return max([code] + [tenon_on_terminal("call", url, tool["name"], answers=("y",)) for tool in tools])


def list_on_terminal(url, _):
    return tenon_on_terminal("tools", url)


def call_as_told(url, context):
    return max(tenon("call", url, call["name"], "--json", json.dumps(call["arguments"]))[0]
               for call in context["toolCalls"])


def call_valid(url, _):
    """Tools with bad headers are neither shown nor called, and the good one is."""
    code, shown = tenon("tools", url)
    assert code == 0 and "valid_tool" in shown and "invalid_" not in shown, shown
    for tool in listed(url)[1]:
        argument = next(iter(tool["inputSchema"]["properties"]))
        code = tenon("call", url, tool["name"], "--json", json.dumps({argument: "x"}))[0]
        assert code == (2 if tool["name"].startswith("invalid_") else 0), tool["name"]
    return 0


def echo_schema(url, _):
    code, tools = listed(url)
    schema = next(tool["inputSchema"] for tool in tools if "$schema" in tool["inputSchema"])
    echo = next(tool["name"] for tool in tools if "schema" in tool["inputSchema"].get("properties", {}))
    return max(code, tenon("call", url, echo, "--json", json.dumps({"schema": schema}))[0])


# ---- Scenarios with a login: each gives the options that a person would type -----------------------------------------

def log_in(url, context):
    """Calls the tool as a person with a browser."""
    return tenon("call", url, "test-tool", "--login", *given(context))[0]


def file_of(text):
    """A file of the scenario's folder, which is removed at its end."""
    handle, path = tempfile.mkstemp(dir=os.environ["XDG_STATE_HOME"])
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def given(context):
    words = []
    for name, option in ("client_id", "--client-id"), ("idp_client_id", "--provider-client"), \
            ("idp_token_endpoint", "--provider"):
        if name in context:
            words += [option, context[name]]
    for name, option in ("client_secret", "--client-secret-file"), ("private_key_pem", "--client-key-file"), \
            ("idp_id_token", "--provider-token-file"), ("valid_jwt", "--assertion-file"):
        if name in context:
            words += [option, file_of(context[name])]
    return words


def log_in_as_service(url, context):
    return tenon("call", url, "test-tool", "--service", *given(context))[0]


def log_in_without_person(url, context):
    return tenon("call", url, "test-tool", *given(context))[0]


def log_in_with_document(url, _):
    return tenon("call", url, "test-tool", "--login", "--client-id",
                 "https://conformance-test.local/client-metadata.json")[0]


SCENARIOS = {
    "auth/basic-cimd": log_in_with_document,
    "auth/client-credentials-jwt": log_in_as_service,
    "auth/client-credentials-basic": log_in_as_service,
    "auth/enterprise-managed-authorization": log_in_without_person,
    "auth/wif-jwt-bearer": log_in_without_person,
    "initialize": list_tools,
    "tools_call": call_add,
    "elicitation-sep1034-client-defaults": answer_all,
    "sse-retry": call_all,
    "request-metadata": list_on_terminal,
    "sep-2322-client-request-state": confirm_all,
    "http-standard-headers": call_all,
    "http-custom-headers": call_as_told,
    "http-invalid-tool-headers": call_valid,
    "json-schema-ref-no-deref": list_tools,
    "json-schema-2020-12-preservation": echo_schema,
}


# ---- The browser -----------------------------------------------------------------------------------------------------

def browse(address):
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=SECONDS).read()


def main():
    if sys.argv[1] == "--browse":
        browse(sys.argv[2])
        return 0
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    action = SCENARIOS.get(scenario, log_in if scenario.startswith("auth/") else None)
    if not action:
        print(f"no command of tenon speaks of {scenario}", file=sys.stderr)
        return 0
    slot = take_slot()
    with tempfile.TemporaryDirectory() as state:
        os.environ.update(XDG_STATE_HOME=state, BROWSER=f"{sys.executable} {pathlib.Path(__file__).resolve()} --browse")
        code = action(sys.argv[-1], context)
    if slot:
        slot.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
