#!/usr/bin/env python3
"""The official clients for Go, Rust, Python and Java against the conformance server, over standard streams and over HTTP.

    tests/clients/run.py [LANGUAGE...]            go, rust, python, java; all of them when none is named
    tests/clients/run.py --guarded [LANGUAGE...]  the same through `tenon guard`

Each is built from its registry by a lock file, into build/clients. A language that this machine does not have is named on
the screen and left out; it is a failure when none is left.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig

HERE = pathlib.Path(__file__).resolve().parent
OUT = rig.ROOT / "build" / "clients"
SERVER = rig.BUILD / "servers" / "conformance"
GUARDED = "--guarded" in sys.argv
CASES = ["good call", "six faults", "structured content", "progress", "elicitation", "roots", "cancellation", "after it"]
BUILD_SECONDS = 1800  # until a build that hangs has failed
MODERN, LAST = rig.MODERN, rig.LEGACY


def do(*words, folder, **environment):
    done = subprocess.run([str(word) for word in words], cwd=folder, env={**os.environ, **environment}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=BUILD_SECONDS,
                          check=False)
    assert done.returncode == 0, f"{' '.join(str(word) for word in words)}:\n{done.stdout[-4000:]}"
    return done.stdout


def build_go():
    program = OUT / "go" / "client"
    do("go", "build", "-mod=readonly", "-o", program, ".", folder=HERE / "go")
    return [program]


def build_rust():
    do("cargo", "build", "--locked", "--quiet", folder=HERE / "rust", CARGO_TARGET_DIR=str(OUT / "rust"))
    return [OUT / "rust" / "debug" / "clients"]


def build_python():
    place = OUT / "python"
    if not (place / "bin" / "python").exists():
        do("python3", "-m", "venv", place, folder=HERE)
    do(place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
       "--only-binary=:all:", "-r", HERE / "python" / "requirements.txt", folder=HERE)
    return [place / "bin" / "python", HERE / "python" / "client.py"]


def check_jars(place):
    """All that Maven brought is what it was when its hashes were written down, and nothing else came."""
    want = dict(reversed(line.split()) for line in (HERE / "java" / "checksums.txt").read_text().splitlines())
    got = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in place.glob("*.jar")}
    assert got == want, f"not what checksums.txt says: {sorted(set(got.items()) ^ set(want.items()))}"


def build_java():
    place = OUT / "java"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    do("mvn", "--batch-mode", "--quiet", "--strict-checksums", "--file", HERE / "java" / "pom.xml",
       "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies", f"-DoutputDirectory={place}", folder=place)
    check_jars(place)
    do("javac", "-Werror", "-d", place, "-cp", f"{place}/*", HERE / "java" / "Client.java", folder=place)
    return ["java", "-cp", f"{place}:{place}/*", "Client"]


# What each needs on the machine (a command, and the least version that its first words with this argument name), how it is
# built, and the third words of its program with the revision each leads to.
LANGUAGES = {
    "go": ([("go", "version", 1, 21)], build_go, {"": MODERN, LAST: LAST, "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26"}),
    "rust": ([("cargo", "--version", 1, 88), ("cc", "--version", 0, 0)], build_rust, {"auto": MODERN, "legacy": LAST}),
    "python": ([("python3", "--version", 3, 11)], build_python, {"auto": MODERN, "legacy": LAST}),
    "java": ([("javac", "--version", 17, 0), ("mvn", "--version", 3, 0)], build_java, {"": LAST}),
}


def lacks(needs):
    """What of it this machine does not have, in words."""
    found = []
    for command, argument, major, minor in needs:
        if not shutil.which(command):
            found.append(f"no {command}")
            continue
        said = subprocess.run([command, argument], capture_output=True, text=True, check=False).stdout
        version = re.search(r"(\d+)\.(\d+)", said)
        if not version or (int(version[1]), int(version[2])) < (major, minor):
            found.append(f"{command} {version[0] if version else 'without a version'}, not {major}.{minor} or newer")
    return found


def attempt(name, command, way, where, word, revision):
    """One run of a client; true when every case of it passed."""
    done = subprocess.run([*command, way, where, *([word] if word else [])], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=rig.PATIENCE * 3, check=False)
    said = done.stdout.splitlines()
    spoken = next((line.split()[1] for line in said if line.startswith("revision ")), "none")
    passed = [line[3:] for line in said if line.startswith("ok ")]
    good = done.returncode == 0 and passed == CASES and revision == spoken
    print(f"{'ok' if good else 'FAILED'} {name} {way} {spoken}: {len(passed)} of {len(CASES)}", flush=True)
    if not good:
        print("\n".join(f"    {line}" for line in [*said, *done.stderr.splitlines()[-20:]]), flush=True)
    return good


def guarded_program(folder):
    """A program that is the guard in front of the server, for clients that know one word only."""
    program = folder / "server"
    program.write_text(f"#!/bin/sh\nexec '{rig.TENON}' guard -- '{SERVER}'\n")
    program.chmod(0o755)
    return program


def http_words():
    return [rig.TENON, "guard", "--http", "127.0.0.1:0", "--", SERVER] if GUARDED else [SERVER]


def run(name, build, words):
    begin = time.monotonic()
    command = build()
    print(f"{name}: built in {time.monotonic() - begin:.0f} s", flush=True)
    good = True
    with rig.Server(http_words()) as server, tempfile.TemporaryDirectory() as folder:
        program = guarded_program(pathlib.Path(folder)) if GUARDED else SERVER
        for word, revision in words.items():
            good &= attempt(name, command, "stdio", program, word, revision)
            good &= attempt(name, command, "http", f"http://127.0.0.1:{server.port}{server.path}", word, revision)
    return good


def main(words):
    wanted = [word for word in words if not word.startswith("--")]
    ran, failed = 0, []
    for name, (needs, build, words) in LANGUAGES.items():
        if wanted and name not in wanted:
            continue
        missing = lacks(needs)
        if missing:
            print(f"{name}: left out, this machine has {', '.join(missing)}", flush=True)
            continue
        ran += 1
        try:
            good = run(name, build, words)
        except (AssertionError, subprocess.TimeoutExpired) as why:
            print(f"FAILED {name}: {why}", flush=True)
            good = False
        if not good:
            failed.append(name)
    if ran == 0:
        return "no client could be run"
    return f"failed: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
