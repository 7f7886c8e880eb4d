#!/usr/bin/env python3
"""A program that was compiled with the headers of an earlier or a later version works with this library.

    tests/abi/run.py

program.c is compiled with the headers as they are, with a copy in which structs are longer, and with one in which they are shorter.
What it prints is the same, unless it uses something that is only in the later headers: then the library says so.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
GROWN = {
    "rows.h": ["tenon_bool_options", "tenon_strs_options", "tenon_group_options"],
    "tool.h": ["tenon_info", "tenon_icon"],
    "toolbox.h": ["tenon_error", "tenon_toolbox_options"],
    "server.h": ["tenon_server_options"],
    "resource.h": ["tenon_resource_options"],
    "skill.h": ["tenon_skill_options", "tenon_skill_file"],
    "schema.h": ["tenon_schema_options"],
}
# What an earlier version did not have yet: the ends of structs, and what the macros write there.
SHRUNK = {
    "rows.h": [r"    bool        blank_ok;\n    const char \*header;\n(?=\} tenon_text_options)",
               r"    bool        unique, comma, json_text, spare_\[5\];\n(?=\} tenon_strs_options)",
               r"    const char \*header;\n(?=\} tenon_bool_options)"],
    "tool.h": [r"    const char +\*meta;\n    size_t +icon_size;.*\n", r"\.icon_size = sizeof\(tenon_icon\), "],
    "toolbox.h": [r"    bool +retryable;\n", r"    bool +portable, reserved_\[7\];\n"],
    "server.h": [r"    size_t +icon_size;.*\n", r"\.icon_size += sizeof\(tenon_icon\), ",
                 r"\.file_size = sizeof\(tenon_skill_file\), "],
    "resource.h": [r"    int64_t +ttl_ms;\n    size_t +icon_size;.*\n"],
    "skill.h": [r"    size_t +file_size;.*\n"],
    "schema.h": [r"    tenon_load +load;\n    void +\*load_user;\n(?=\} tenon_schema_options)"],
}
UNKNOWN = "it has an option that this version of the library does not know"
# In the order of program.c: what is refused, and in which words.
NEW = [
    ("toolbox", "tool 'forecast': parameter 'celsius': " + UNKNOWN),
    ("toolbox", "tool 'forecast': parameter 'names': " + UNKNOWN),
    ("toolbox", "tool 'forecast': parameter 'page': " + UNKNOWN),
    ("toolbox", "tool 'forecast': " + UNKNOWN),
    ("toolbox", "tool 'forecast': " + UNKNOWN),
    ("toolbox", "error 'TOO_FAR': it has a member that this version of the library does not know"),
    ("toolbox", "toolbox: " + UNKNOWN),
    ("server", "the server: " + UNKNOWN),
    ("server", "app://motd: " + UNKNOWN),
    ("server", "weather: " + UNKNOWN),
    ("server", "weather: " + UNKNOWN),
    ("schema", "schema: " + UNKNOWN),
]


def edit(folder, name, pattern, put):
    path = folder / "tenon" / name
    text, count = re.subn(pattern, put, path.read_text())
    assert count > 0, f"{name} has no {pattern}"
    path.write_text(text)


def headers(folder):
    """The headers as they are, longer, and shorter."""
    places = {version: folder / version for version in ("same", "later", "earlier")}
    for place in places.values():
        shutil.copytree(ROOT / "include", place)
    for name, structs in GROWN.items():
        for struct in structs:
            edit(places["later"], name, rf"\}} {struct};", f"    const char *added;\n}} {struct};")
    for name, patterns in SHRUNK.items():
        for pattern in patterns:
            edit(places["earlier"], name, pattern, "")
    return places


def lines_of(include, *flags, words=()):
    library = BUILD / "lib"
    program = include.parent / "program"
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror", *flags, "-I", include, HERE / "program.c",
                    "-o", program, f"-L{library}", "-ltenon", f"-Wl,-rpath,{library}"], check=True)
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def main():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        places = headers(pathlib.Path(folder))
        want = lines_of(places["same"])
        assert len(want) == 6 and want[0].startswith("{") and "1.png" in want[4] and want[5] == "schema compiled", want
        sizes = {name: lines_of(place, words=["sizes"])[0].split() for name, place in places.items()}
        for earlier, same, later in zip(sizes["earlier"], sizes["same"], sizes["later"]):
            assert int(earlier) < int(same) < int(later), sizes
        for name, got in (("earlier", lines_of(places["earlier"])), ("later", lines_of(places["later"], "-DNEW=0"))):
            if got != want:
                print(f"FAIL with {name} headers:", *got, "and with these:", *want, sep="\n    ")
                failed = True
        for number, (where, words) in enumerate(NEW, 1):
            line = f"{where} refused: {words}"
            got = lines_of(places["later"], f"-DNEW={number}")
            if line not in got:
                print(f"FAIL with -DNEW={number}: wanted", line, "and got", *got, sep="\n    ")
                failed = True
    print(f"a program of an earlier version, one of a later, and {len(NEW)} that use what is new")
    return 1 if failed else 0


sys.exit(main())
