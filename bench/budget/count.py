#!/usr/bin/env python3
"""Instructions of one call, by layer, counted by callgrind: the same on every run, whatever else the machine does.

    count.py             counts, and compares with bench/budget.txt
    count.py --update    counts, and writes bench/budget.txt

A count that grew by more than 5 % fails, and so does a tool that is declared by a schema when it costs too many times what the
same one costs that is declared by rows; a count that shrank so much is said, so that the budget can follow it. Counts are
of user space, of the release build that TENON_BUILD_DIR names. They depend on the compiler, the C library, the libraries
and the processor's features, which choose other instructions: bench/budget.txt names those it was counted with, and with
others nothing is compared, which is said.

Over standard streams and HTTP the server runs under callgrind, one call at a time, and is given CALLS calls and twice as
many: the difference has neither its start nor its end."""
import os
import pathlib
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUDGET = ROOT / "bench/budget.txt"
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build/release")).resolve()
CALL = (ROOT / "bench/mcp/call.json").read_text().strip()
GROWTH_MAX = 0.05
SERVED = 200
LAYERS = {  # name: (what it is, its count, the count that it contains)
    "parse": ("yyjson parses the arguments", "parse", None),
    "judge": ("judging them by the published schema", "judge", "parse"),
    "bind": ("checking and binding them to the struct", "bind", "parse"),
    "render": ("the handler and the envelope", "render", "bind"),
    "protocol": ("JSON-RPC and MCP around it, in memory", "protocol", "render"),
    "stdio": ("the transport: standard streams", "stdio", "protocol"),
    "http": ("the transport: HTTP", "http", "protocol"),
    "http-floor": ("for comparison: bare libuv and llhttp, all of the request", "floor", None),
    "judge-bad": ("six faults: judging by the published schema", "judge_bad", "parse_bad"),
    "bind-bad": ("six faults: finding them", "bind_bad", "parse_bad"),
    "render-bad": ("six faults: the envelope that names them", "render_bad", "bind_bad"),
    "rows": ("the whole call in memory, declared by rows", "render", None),
    "doc": ("the same, declared by the schema that the rows publish, which has defaults", "document", None),
    "doc-protocol": ("the same, with JSON-RPC and MCP around it", "document_protocol", None),
    "rows-soft": ("three values to repair: the whole call by rows", "render_soft", None),
    "doc-soft": ("three values to repair: the same by the schema", "document_soft", None),
    "rows-bad": ("six faults: the whole call by rows", "render_bad", None),
    "doc-bad": ("six faults: the same by the schema", "document_bad", None),
}
# How many times as much one may cost as the other.
BARS = {("doc", "rows"): 1.4, ("doc-bad", "rows-bad"): 1.5}


def cache(name):
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found else ""


def first_line(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.split("\n")[0].strip()


def identity():
    """What decides on the counts beside the source."""
    flags = set(re.search(r"^(?:flags|Features)\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    wide = [flag for flag in ("sse4_2", "avx2", "erms", "sve") if flag in flags]
    libraries = [f"{name} {first_line('pkg-config', '--modversion', name)}" for name in ("yyjson", "libuv", "libllhttp")]
    return {
        "compiler": first_line(cache("CMAKE_C_COMPILER"), "--version"),
        "flags": " ".join((cache("CMAKE_C_FLAGS") + " " + cache("CMAKE_C_FLAGS_RELEASE")).split()),
        "libc": " ".join(platform.libc_ver()) + " " + first_line("dpkg-query", "-W", "-f=${Version}", "libc6"),
        "libraries": ", ".join(libraries),
        "processor": " ".join([platform.machine(), *wide]),
        "valgrind": first_line("valgrind", "--version"),
    }


def callgrind(scratch, *options):
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out", *options]


def in_memory(scratch):
    """The counts of bench/budget/budget.c; of each, the last dump is that of its second turn."""
    program = BUILD / "bench/budget"
    calls = int(first_line(program, "--calls"))
    names = sorted({one for _, *both in LAYERS.values() for one in both if one and one not in SERVERS})
    triggers = [f"--{when}=spend_{name}" for name in names for when in ("zero-before", "dump-after")]
    subprocess.run([*callgrind(scratch, *triggers), program], cwd=ROOT, check=True, stderr=subprocess.PIPE)
    counts = {}
    for path in sorted(scratch.glob("out.*"), key=lambda one: int(one.suffix[1:])):
        text = path.read_text()
        if trigger := re.search(r"--dump-after=spend_(\w+)", text):
            counts[trigger[1]] = int(re.search(r"^totals: (\d+)", text, re.M)[1]) / calls
    if missing := set(names) - set(counts):
        raise RuntimeError(f"callgrind did not find spend_{min(missing)}: was the program stripped?")
    return counts


def collected(child):
    _, errors = child.communicate(timeout=60)
    return int(re.search(r"Collected *: *(\d+)", errors)[1])


def over_stdio(scratch, calls):
    child = subprocess.Popen([*callgrind(scratch), BUILD / "bench/mcp/server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    for _ in range(calls):
        child.stdin.write(CALL + "\n")
        child.stdin.flush()
        if "20 results at high" not in child.stdout.readline():
            raise RuntimeError("the server over standard streams does not answer")
    return collected(child)


def request(port):
    return (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
            f"Mcp-Name: search\r\nContent-Length: {len(CALL)}\r\n\r\n{CALL}").encode()


def answered(client):
    """One whole answer."""
    got = b""
    while not (head := re.match(rb"HTTP/1.1 200 .*?Content-Length: (\d+).*?\r\n\r\n", got, re.S)) or (
            len(got) < head.end() + int(head[1])):
        if not (more := client.recv(65536)):
            raise RuntimeError(f"the server over HTTP does not answer: {got[:200]}")
        got += more
    return b"20 results at high" in got


def over_http(scratch, calls, program="server", options=("--http", "127.0.0.1:0")):
    child = subprocess.Popen([*callgrind(scratch), BUILD / "bench/mcp" / program, *options], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = ""
    for line in child.stdout if program == "floor_http" else child.stderr:
        said += line
        if found := re.search(r"listening on http://127.0.0.1:(\d+)", line):
            break
    else:
        raise RuntimeError(said)
    with socket.create_connection(("127.0.0.1", int(found[1]))) as client:
        for _ in range(calls):
            client.sendall(request(found[1]))
            if not answered(client) and program == "server":
                raise RuntimeError("the server over HTTP answers otherwise")
    child.send_signal(signal.SIGTERM)
    return collected(child)


def over_floor(scratch, calls):
    return over_http(scratch, calls, "floor_http", ("448",))


SERVERS = {"stdio": over_stdio, "http": over_http, "floor": over_floor}


def count():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        counts = in_memory(scratch)
        for name, run in SERVERS.items():
            counts[name] = (run(scratch, 2 * SERVED) - run(scratch, SERVED)) / SERVED
    return {name: round(counts[key] - (counts[inside] if inside else 0)) for name, (_, key, inside) in LAYERS.items()}


def read_budget():
    """Who counted, and the counts."""
    known, counts = {}, {}
    for line in BUDGET.read_text().splitlines():
        if named := re.match(r"# (\w+): (.*)", line):
            known[named[1]] = named[2]
        elif line and not line.startswith("#"):
            name, value = line.split()[:2]
            counts[name] = int(value)
    return known, counts


def write_budget(known, counts):
    lines = ["# Instructions of one call of six parameters, by layer: counted and compared by bench/budget/count.py, which says",
             "# how. Each line is what its layer adds. scripts/test fails when one grows by more than 5 % with all of these:"]
    lines += [f"# {name}: {value}" for name, value in known.items()]
    lines += [f"{name:<12} {counts[name]:>7}  {what}" for name, (what, _, _) in LAYERS.items()]
    BUDGET.write_text("\n".join(lines) + "\n")


def compare(counts, wanted):
    """Prints every layer; whether none grew too much."""
    fine = True
    for name, (what, _, _) in LAYERS.items():
        if name not in wanted:
            print(f"{name:<12} {counts[name]:>7}  {what}: NOT IN THE BUDGET; count.py --update writes it")
            fine = False
            continue
        change = counts[name] / wanted[name] - 1
        verdict = "GREW" if change > GROWTH_MAX else "shrank: count.py --update keeps it" if change < -GROWTH_MAX else ""
        fine = fine and change <= GROWTH_MAX
        print(f"{name:<12} {counts[name]:>7}  budget {wanted[name]:>7}  {change:+7.1%}  {what} {verdict}".rstrip())
    for (name, other), most in BARS.items():
        times = counts[name] / counts[other]
        fine = fine and times <= most
        print(f"{name} is {times:.2f} times {other}; {most} at most{'' if times <= most else ': TOO MUCH'}")
    return fine


def main():
    if not shutil.which("valgrind"):
        print("SKIPPED: there is no valgrind here; scripts/setup installs it. No instructions were counted.")
        return 0
    if cache("CMAKE_BUILD_TYPE") != "Release" or cache("TENON_SANITIZE") or cache("TENON_COVERAGE") == "ON":
        print("NOT COMPARED: this is no release build, and the budget is one of the release.")
        return 0
    here = identity()
    if sys.argv[1:] == ["--update"]:
        counts = count()
        write_budget(here, counts)
        print(BUDGET.read_text(), end="")
        return 0
    known, wanted = read_budget()
    if others := [name for name in here if known.get(name) != here[name]]:
        print("NOT COMPARED: bench/budget.txt was counted with others, and other instructions are no regression:")
        for name in others:
            print(f"  {name}: counted with {known.get(name, 'nothing')!r}, here is {here[name]!r}")
        return 0
    if compare(count(), wanted):
        return 0
    print("A call costs more than before. If it must: bench/budget/count.py --update, and say why in the commit.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
