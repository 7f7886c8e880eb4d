#!/usr/bin/env python3
"""scripts/release makes the same bytes twice, and an image that holds what its digests say and runs.

The program of the image is a small static one here: building the real one takes minutes, and scripts/release does it.
"""
import hashlib
import io
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def release(*words):
    return subprocess.run([sys.executable, ROOT / "scripts/release", *words], check=True, stdout=subprocess.PIPE, text=True, timeout=250).stdout


def look_into(path, folder):
    """The image's root, unpacked, once each digest was compared."""
    with tarfile.open(path) as archive:
        blobs = {member.name.rpartition("/")[2]: archive.extractfile(member).read() for member in archive if "blobs/sha256/" in member.name}
        index = json.load(archive.extractfile("index.json"))
    for digest, blob in blobs.items():
        assert hashlib.sha256(blob).hexdigest() == digest, digest
    manifest = json.loads(blobs[index["manifests"][0]["digest"].removeprefix("sha256:")])
    config = json.loads(blobs[manifest["config"]["digest"].removeprefix("sha256:")])
    [layer] = manifest["layers"]
    with tarfile.open(fileobj=io.BytesIO(blobs[layer["digest"].removeprefix("sha256:")]), mode="r:gz") as archive:
        assert all(member.uid == 0 and member.mtime > 0 for member in archive), "owners and times are fixed"
        archive.extractall(folder)
    assert config["config"]["Entrypoint"] == ["/usr/bin/tenon"] and config["config"]["User"] != "0", config
    return folder / "usr/bin/tenon"


def main():
    if subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, check=False).returncode:
        print("skipped: this is no clone, and a release is made of a commit")
        return 0
    version = next(line.split()[2] for line in (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").splitlines()
                   if line.startswith("project(tenon"))
    with tempfile.TemporaryDirectory() as temporary:
        folders = [pathlib.Path(temporary) / name for name in ("first", "second")]
        source = pathlib.Path(temporary) / "hello.c"
        source.write_text('#include <stdio.h>\nint main(void) { puts("hello"); }\n', encoding="utf-8")
        for folder in folders:
            folder.mkdir()
            subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-static", source, "-o", folder / f"tenon-{version}-linux-x86_64"],
                           check=True)
            release(folder, "--only", "source", "image")
        print(release("--compare", *folders), end="")
        first = folders[0]
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=first, check=True)
        with tarfile.open(first / f"tenon-{version}.tar.gz") as archive:
            names = archive.getnames()
        assert f"tenon-{version}/CMakeLists.txt" in names and not any("/build/" in name for name in names)
        unpacked = pathlib.Path(temporary) / "root"
        unpacked.mkdir()
        program = look_into(first / f"tenon-{version}-oci-x86_64.tar", unpacked)
        said = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
        assert said == "hello\n", said
        if os.geteuid() == 0:
            inside = subprocess.run(["chroot", unpacked, "/usr/bin/tenon"], stdout=subprocess.PIPE, text=True, check=True).stdout
            assert inside == said, inside
        (folders[1] / "SHA256SUMS").unlink()
        (folders[1] / f"tenon-{version}.tar.gz").write_bytes(b"changed")
        changed = subprocess.run([sys.executable, ROOT / "scripts/release", "--compare", *folders], stdout=subprocess.PIPE, text=True,
                                 check=False)
        assert changed.returncode == 1 and "differs: tenon-" in changed.stdout, changed.stdout
    print("release: sources and an image, twice the same")
    return 0


sys.exit(main())
