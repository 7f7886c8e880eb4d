#!/usr/bin/env python3
"""Does what a Dockerfile says in roots of Debian, without Docker, and prints the root of its last stage and how to start it there.

    tests/newcomer/dockerfile.py FOLDER BASE PLACE

FOLDER has the Dockerfile and what it copies, BASE is a root that stands for debian:13-slim, PLACE gets a root for each stage. It knows
the instructions that share/tenon/new/Dockerfile uses, and refuses others.
"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

MOUNTED = ('mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; exec chroot "$1" env -i HOME=/root DEBIAN_FRONTEND=noninteractive '
           'http_proxy="${http_proxy-}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "$2"')


def inside(root, command):
    subprocess.run(["unshare", "--mount", "bash", "-euc", MOUNTED, "bash", root, command], check=True, stdout=sys.stderr)


def copy(folder, root, words):
    *sources, target = words
    place = root / target.lstrip("/")
    found = [pathlib.Path(path) for source in sources for path in glob.glob(str(folder / source.lstrip("/")))]
    assert found, f"COPY finds nothing: {words}"
    for path in found:
        if path.is_dir():
            shutil.copytree(path, place, symlinks=True, dirs_exist_ok=True)
        else:
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)


def main():
    folder, base, place = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    text = re.sub(r"^#.*\n", "", (folder / "Dockerfile").read_text(encoding="utf-8"), flags=re.M).replace("\\\n", " ")
    stages, root, user, entry = {}, None, "root", None
    for line in filter(None, text.splitlines()):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            image, *name = rest.split(" AS ")
            assert image == "debian:13-slim", image
            root, user = place / f"stage-{len(stages)}", "root"
            stages[name[0] if name else "last"] = root
            subprocess.run(["cp", "-a", base, root], check=True)
            shutil.copy("/etc/resolv.conf", root / "etc")
        elif word == "COPY":
            source = re.match(r"--from=(\S+) ", rest)
            copy(stages[source[1]] if source else folder, root, rest[source.end() if source else 0:].split())
        elif word == "RUN":
            inside(root, rest)
        elif word == "USER":
            user = rest
        elif word == "ENTRYPOINT":
            entry = json.loads(rest)
        else:
            assert word == "EXPOSE", f"{word} is no instruction that is known here"
    print(root, user, *entry)


os.umask(0o022)
main()
