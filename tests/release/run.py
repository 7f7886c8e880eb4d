#!/usr/bin/env python3
"""scripts/release makes the same bytes twice: an image that holds what its digests say and runs, a bundle for clients that starts the
program of this processor; and every installed file has its place in one package of Debian.

The programs in the image and the bundle are small static ones here: building the real ones takes minutes, and tests/release/whole.py
looks at a whole release.
"""
import fnmatch
import hashlib
import io
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
PLACE = "https://github.com/someone/tenon/releases/download/v1"
HELLO = '#include <stdio.h>\nint main(int argc, char **argv) { puts("hello"); while (--argc) puts(*++argv); }\n'


def release(*words, timeout=250):
    return subprocess.run([sys.executable, ROOT / "scripts/release", *words], check=True, stdout=subprocess.PIPE, text=True, timeout=timeout).stdout


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


def look_into_bundle(path, folder, version):
    """Its manifest, which must name what the server offers; and what its program says."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
        for info in archive.infolist():
            (folder / info.filename).chmod(info.external_attr >> 16 & 0o777)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"] == version and (folder / manifest["server"]["entry_point"]).stat().st_mode & 0o111, manifest
    command = [word.replace("${__dirname}", str(folder)).replace("${user_config.project}", "a folder")
               for word in (manifest["server"]["mcp_config"]["command"], *manifest["server"]["mcp_config"]["args"])]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said.split("\n") == ["hello", "serve", "docs", "--project", "a folder", ""], said
    with tempfile.TemporaryDirectory() as data:
        offered = subprocess.run([BUILD / "bin/tenon", "inspect", "--json", f"{BUILD}/bin/tenon serve docs"], stdout=subprocess.PIPE, text=True,
                                 check=True, env={**os.environ, "XDG_DATA_HOME": data}).stdout
    assert [{"name": tool["name"], "description": tool["description"]} for tool in json.loads(offered)["tools"]] == manifest["tools"], \
        "deploy/mcpb/manifest.json has other tools than tenon serve docs"


def look_into_server(folder, version):
    """server.json names the bundle by its place and its hash."""
    server = json.loads((folder / "server.json").read_text(encoding="utf-8"))
    [package] = server["packages"]
    name = f"tenon-docs-{version}.mcpb"
    assert server["name"] == "io.github.someone/tenon-docs" and package["identifier"] == f"{PLACE}/{name}", server
    assert package["fileSha256"] == hashlib.sha256((folder / name).read_bytes()).hexdigest() and len(server["description"]) <= 100
    assert "@" not in json.dumps(server)


def test_every_file_has_its_package():
    """As dh_missing --fail-missing and dpkg would say, minutes later."""
    lists = [*(ROOT / "deploy/debian").glob("*.install"), ROOT / "deploy/debian/not-installed"]
    patterns = {path.name: [line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if line] for path in lists}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": folder})
        library = next(pathlib.Path(folder).rglob("libtenon.a")).parent
        files = [str(path.relative_to(folder)).replace(str(library.relative_to(folder)), "usr/lib/PROCESSOR")
                 for path in pathlib.Path(folder).rglob("*") if path.is_symlink() or path.is_file()]
    used = set()
    for file in files:
        fits = [(name, pattern) for name, rows in patterns.items() for pattern in rows
                if any(fnmatch.fnmatch(part, pattern) for part in (file, *map(str, pathlib.PurePath(file).parents)))]
        assert len(fits) == 1 or (not fits and "libtenon-onnx" in file), f"{file} is in {fits or 'no package'}: deploy/debian/*.install"
        used.update(fits)
    optional = {"libtenon-pg.so", "libtenon-oauth.so", "libtenon-http.so"}  # where their libraries are not
    idle = [pattern for name, rows in patterns.items() for pattern in rows
            if (name, pattern) not in used and pattern.rpartition("/")[2] not in optional]
    assert not idle, f"installed by none: {idle}"


def main():
    if subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, check=False).returncode:
        print("skipped: this is no clone, and a release is made of a commit")
        return 0
    test_every_file_has_its_package()
    version = next(line.split()[2] for line in (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").splitlines()
                   if line.startswith("project(tenon"))
    with tempfile.TemporaryDirectory() as temporary:
        folders = [pathlib.Path(temporary) / name for name in ("first", "second")]
        source = pathlib.Path(temporary) / "hello.c"
        source.write_text(HELLO, encoding="utf-8")
        for folder in folders:
            folder.mkdir()
            subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-static", source, "-o", folder / f"tenon-{version}-linux-x86_64"],
                           check=True)
            shutil.copyfile(folder / f"tenon-{version}-linux-x86_64", folder / f"tenon-{version}-linux-aarch64")
            said = release(folder, "--only", "source", "image", "bundle", "registry")
            assert "skipped: registry: --at says" in said and not (folder / "server.json").exists(), said
            release(folder, "--only", "registry", "--at", PLACE)
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
        bundle = pathlib.Path(temporary) / "bundle"
        look_into_bundle(first / f"tenon-docs-{version}.mcpb", bundle, version)
        look_into_server(first, version)
        (folders[1] / "SHA256SUMS").unlink()
        (folders[1] / f"tenon-{version}.tar.gz").write_bytes(b"changed")
        changed = subprocess.run([sys.executable, ROOT / "scripts/release", "--compare", *folders], stdout=subprocess.PIPE, text=True,
                                 check=False)
        assert changed.returncode == 1 and "differs: tenon-" in changed.stdout, changed.stdout
    print("release: sources, an image and a bundle, twice the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
