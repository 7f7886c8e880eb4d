#!/usr/bin/env python3
"""`tenon validate --registry` opens what is asked for, and nothing else: counted by the kernel (inotify) in a folder of 2,000 files."""
import ctypes
import ctypes.util
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve() / "bin" / "tenon"
FILES = 2000
BASE = "https://example.com/schemas"
IN_OPEN, IN_ISDIR, IN_NONBLOCK = 0x20, 0x40000000, 0o4000
libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)


class Opens:
    """The names of files that are opened in a folder."""

    def __init__(self, folder):
        self.fd = libc.inotify_init1(IN_NONBLOCK)
        if self.fd < 0 or libc.inotify_add_watch(self.fd, os.fsencode(folder), IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def names(self):
        found = []
        while True:
            try:
                data = os.read(self.fd, 1 << 20)
            except BlockingIOError:
                return found
            while data:
                _, mask, _, length = struct.unpack_from("iIII", data)
                if not mask & IN_ISDIR:
                    found.append(data[16:16 + length].rstrip(b"\0").decode())
                data = data[16 + length:]


def fill(folder):
    """Documents that refer to each other in a row of three, others that are broken, and one that only its $id tells."""
    for i in range(FILES):
        (folder / f"{i}.json").write_text(f'{{"$id":"urn:number:{i}","broken":' if i % 2 else f'{{"$comment":"{i}"}}')
    (folder / "a.json").write_text('{"properties":{"b":{"$ref":"b.json"}}}')
    (folder / "b.json").write_text(f'{{"$schema":"{BASE}/meta.json","$ref":"{BASE}/c"}}')
    (folder / "c.json").write_text('{"$id":"' + BASE + '/c","type":"string"}')
    (folder / "meta.json").write_text('{"$schema":"https://json-schema.org/draft/2020-12/schema"}')
    (folder / "zzz.json").write_text('{"$defs":{"x":{"$id":"urn:hidden","type":"null"}}}')


def run(folder, schema, instance, *options):
    return subprocess.run([TENON, "validate", *options, "-", instance], input=schema.encode(), capture_output=True, timeout=60,
                          check=False, cwd=folder.parent)


def main():
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory) / "schemas"
        folder.mkdir()
        fill(folder)
        (folder.parent / "it.json").write_text('{"b":1}')
        opens = Opens(folder)
        with_base = "--registry", f"{BASE}={folder}"
        cases = [
            ("nothing is asked for", '{"type":"object"}', with_base, [], 0, b""),
            ("by path, and by a name that is alike", f'{{"$ref":"{BASE}/a.json"}}', with_base,
             ["a.json", "b.json", "c.json", "meta.json"], 1, b""),
            ("one that is broken", f'{{"$ref":"{BASE}/7.json"}}', with_base, ["7.json"], 2,
             f"<stdin>:1:9: #/$ref: {BASE}/7.json cannot be used: {folder}/7.json:1:32: not valid JSON: unexpected end\n".encode()),
            ("one that is not there", f'{{"$ref":"{BASE}/nowhere.json"}}', ("--registry", f"{BASE}={folder / 'a.json'}"), ["a.json"], 2,
             f"<stdin>:1:9: #/$ref: nothing is registered under {BASE}/nowhere.json\n".encode()),
        ]
        for name, schema, options, wanted, ending, stderr in cases:
            opens.names()
            result = run(folder, schema, "it.json", *options)
            opened = opens.names()
            if sorted(set(opened)) != wanted or result.returncode != ending or result.stderr != stderr:
                problems.append(f"{name}: opened {opened[:10]} of {len(opened)}, ended with {result.returncode}: {result.stderr.decode()}")
        # By an $id that no path tells, all are looked through, each once.
        opens.names()
        result = run(folder, '{"$ref":"urn:hidden"}', "it.json", *with_base)
        opened = opens.names()
        if result.returncode != 1 or result.stderr or len(opened) > FILES + 10 or len(set(opened)) < FILES:
            problems.append(f"by $id: opened {len(opened)}, ended with {result.returncode}: {result.stderr.decode()}")
        start = time.monotonic()
        run(folder, f'{{"$ref":"{BASE}/a.json"}}', "it.json", *with_base)
        print(f"{FILES} files: 4 are opened by path in {(time.monotonic() - start) * 1000:.0f} ms, all by $id")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
