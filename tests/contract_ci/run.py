#!/usr/bin/env python3
"""The GitHub Action and the hooks of pre-commit, run as their hosts run them: the steps of action.yml one after the other, and the
entries of .pre-commit-hooks.yaml with the files that they ask for. What docs/ci.md shows must name what exists.

    tests/contract_ci/run.py [WORD...]       the tests whose name has a WORD in it
    tests/contract_ci/run.py --pre-commit    also pre-commit itself, installed by its lock file; in scripts/test --full
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import parties  # noqa: E402

ROOT = parties.ROOT
JS = HERE.parent / "js"
YAML = "console.log(JSON.stringify(require('yaml').parse(require('fs').readFileSync(0, 'utf8'))))"
OLD = {"name": "add", "inputSchema": {"type": "object", "properties": {"n": {"type": "number"}}}}
NEW = {"name": "add", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
SERVER = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    said = {"tools/list": {"tools": json.load(open("tools.json"))["tools"]}, "initialize": {
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "adder", "version": "1"}}}
    body = {"result": said[asked["method"]]} if asked["method"] in said else {"error": {"code": -32601, "message": "no"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **body}), flush=True)
"""


def read_yaml(text):
    ran = subprocess.run([JS / "node", "-e", YAML], input=text, cwd=JS, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def environment(**more):
    return {"PATH": f"{parties.BUILD}/bin:{os.environ['PATH']}", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8",
            **{key: str(value) for key, value in more.items()}}


class Project:
    """A repository with a server, its configuration and a lock of what it offered first."""

    def __enter__(self):
        self.held = tempfile.TemporaryDirectory(prefix="tenon-ci-")
        self.folder = pathlib.Path(self.held.name)
        (self.folder / "server.py").write_text(SERVER)
        (self.folder / "guard.yaml").write_text(f'upstreams:\n  adder: {{ command: [{sys.executable}, server.py] }}\n')
        self.offer(OLD)
        shutil.copy(self.folder / "tools.json", self.folder / "released.json")
        self.run("tenon", "pin", "--config", "guard.yaml", "--all", "--by", "ann")
        return self

    def __exit__(self, *_):
        self.held.cleanup()

    def offer(self, tool):
        (self.folder / "tools.json").write_text(json.dumps({"tools": [tool]}))

    def run(self, *words, ends=(0,), **more):
        ran = subprocess.run(words, cwd=self.folder, env=environment(**more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=parties.PATIENCE, check=False)
        assert ran.returncode in ends, (ran.returncode, words, ran.stdout[-1500:], ran.stderr[-1500:])
        return ran


# ---- The action ---------------------------------------------------------------------------------------------------------


class Action:
    """What a runner does with a composite action whose steps are scripts."""

    def __init__(self, project, **inputs):
        self.action = read_yaml((ROOT / "action.yml").read_text())
        self.project, self.said, self.steps = project, "", {}
        assert set(inputs) <= set(self.action["inputs"]), inputs
        self.inputs = {name: inputs.get(name, one.get("default", "")) for name, one in self.action["inputs"].items()}

    def fill(self, text):
        known = {f"inputs.{name}": value for name, value in self.inputs.items()}
        known |= {f"steps.{step}.outputs.{name}": value for step, all_ in self.steps.items() for name, value in all_.items()}
        known["github.action_path"] = str(ROOT)
        return re.sub(r"\$\{\{ *([^} ]+) *\}\}", lambda match: known[match[1]], str(text))

    def run(self):
        """The exit status of the first step that fails, or 0."""
        for step in self.action["runs"]["steps"]:
            assert step["shell"] == "bash" and set(step) <= {"id", "shell", "env", "run", "working-directory"}, step
            output = self.project.folder / ".output"
            output.write_text("")
            more = {name: self.fill(value) for name, value in step.get("env", {}).items()}
            ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.fill(step["run"])],
                                 cwd=self.project.folder / self.fill(step.get("working-directory", ".")), stdin=subprocess.DEVNULL,
                                 env=environment(GITHUB_OUTPUT=output, RUNNER_TEMP=self.project.folder, **more),
                                 capture_output=True, text=True, timeout=parties.PATIENCE, check=False)
            self.said += ran.stdout + ran.stderr
            self.steps[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
            if ran.returncode:
                return ran.returncode
        return 0

    def output(self, name):
        return self.fill(self.action["outputs"][name]["value"])


def results(path):
    sarif = json.loads(pathlib.Path(path).read_text())
    assert sarif["version"] == "2.1.0", sarif
    return [one for run in sarif["runs"] for one in run["results"]]


def test_action_verifies():
    with Project() as project:
        action = Action(project)
        assert action.run() == 0, action.said
        assert action.output("status") == "0" and results(action.output("sarif")) == [], action.said
        project.offer(NEW)
        action = Action(project)
        assert action.run() == 1 and action.output("status") == "1", action.said
        assert results(action.output("sarif")) and "adder/add" in action.said, action.said


def test_action_compares():
    with Project() as project:
        inputs = {"command": "diff", "arguments": f"released.json\n{sys.executable} server.py\n", "sarif": "out.sarif"}
        assert Action(project, **inputs).run() == 0
        project.offer(NEW)
        action = Action(project, **inputs)
        assert action.run() == 1 and "1.5" in action.said, action.said
        found = results(project.folder / "out.sarif")
        assert [one["level"] for one in found] == ["error"], found


def test_action_fuzzes():
    """The server of the project answers calls with errors of the protocol, and ends when a line is not JSON: both are found."""
    with Project() as project:
        inputs = {"command": "fuzz", "arguments": f"--all\n--time\n60s\n--\n{sys.executable}\nserver.py\n", "sarif": "out.sarif"}
        action = Action(project, **inputs)
        assert action.run() == 1 and "JSONDecodeError" in action.said, action.said
        found = {one["ruleId"] for one in results(project.folder / "out.sarif")}
        assert {"refusal-protocol-error", "server-ended"} <= found, found


def test_action_lints():
    with Project() as project:
        inputs = {"command": "lint", "arguments": "tools.json\n", "sarif": "out.sarif"}
        assert Action(project, **inputs).run() == 0
        project.offer({"name": "add", "inputSchema": {"type": "object", "properties": {"n": {"type": "array"}}}})
        action = Action(project, **inputs)
        assert action.run() == 1 and "[vscode]" in action.said, action.said
        found = results(project.folder / "out.sarif")
        assert {"client-value"} == {one["ruleId"] for one in found if one["level"] == "error"}, found


def test_action_refuses():
    with Project() as project:
        for inputs in ({"command": "call"}, {"arguments": "--config\nnowhere.yaml\n"}, {"arguments": "--no-such"}):
            action = Action(project, **inputs)
            assert action.run() == 2 and action.said.strip(), (inputs, action.said)


def test_action_does_not_run_its_inputs():
    """An input is a word, never a part of a script."""
    with Project() as project:
        for inputs in ({"arguments": "$(touch hurt)\n"}, {"arguments": "; touch hurt"}, {"command": "verify; touch hurt"},
                       {"command": "$(touch hurt)"}):
            assert Action(project, **inputs).run() != 0
            assert not (project.folder / "hurt").exists(), inputs


# ---- The hooks ----------------------------------------------------------------------------------------------------------


def hooks():
    return {one["id"]: one for one in read_yaml((ROOT / ".pre-commit-hooks.yaml").read_text())}


def test_hook_verifies():
    hook = hooks()["tenon-verify"]
    assert hook["language"] == "system" and hook["pass_filenames"] is False
    for name in ("guard.yaml", "tenon.lock", "deep/guard.json"):
        assert re.search(hook["files"], name), name
    assert not re.search(hook["files"], "myguard.yaml.orig")
    with Project() as project:
        project.run(*shlex.split(hook["entry"]))
        project.offer(NEW)
        assert "adder/add" in project.run(*shlex.split(hook["entry"]), ends=(1,)).stdout


def test_hook_lints():
    hook = hooks()["tenon-lint"]
    for name in ("tools.json", "deep/tools.json", "notes.tools.json"):
        assert re.search(hook["files"], name), name
    assert not re.search(hook["files"], "mytools.json5") and not re.search(hook["files"], "mytools.json")
    with Project() as project:
        project.run(*shlex.split(hook["entry"]), "tools.json")
        project.offer({"name": "add", "inputSchema": {"type": "object", "properties": {"n": {"type": "integr"}}}})
        assert "integer" in project.run(*shlex.split(hook["entry"]), "tools.json", ends=(1,)).stdout


def test_the_page():
    """What docs/ci.md shows is YAML, and names inputs and hooks that exist."""
    shown = re.findall(r"^```yaml fragment\n(.*?)^```$", (ROOT / "docs/ci.md").read_text(), re.S | re.M)
    workflow, config = (read_yaml(text) for text in shown)
    step = next(one for one in workflow["jobs"]["contract"]["steps"] if "/tenon@" in one["uses"])
    with Project() as project:
        assert Action(project, **step["with"]).run() == 0
    assert {hook["id"] for repo in config["repos"] for hook in repo["hooks"]} <= set(hooks())


# ---- pre-commit itself --------------------------------------------------------------------------------------------------


def pre_commit():
    place, lock = ROOT / "build" / "contract_ci", HERE / "python" / "pre-commit.txt"
    done = place / "installed.txt"
    if not done.exists() or done.read_bytes() != lock.read_bytes():
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
                        "--only-binary=:all:", "-r", lock], check=True)
        shutil.copy(lock, done)
    return place / "bin" / "pre-commit"


def git(folder, *words):
    subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", *words], check=True, capture_output=True)


def test_with_pre_commit():
    program = pre_commit()
    with Project() as project, tempfile.TemporaryDirectory() as hooks_folder:
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks_folder)
        for folder in (hooks_folder, project.folder):
            git(folder, "init", "--quiet")
            git(folder, "add", ".")
            git(folder, "commit", "--quiet", "--message", "first")
        more = {"PRE_COMMIT_HOME": str(project.folder / ".cache"), "HOME": str(project.folder)}
        words = [str(program), "try-repo", hooks_folder, "tenon-verify", "--all-files"]
        assert "Passed" in project.run(*words, **more).stdout
        project.offer(NEW)
        said = project.run(*words, ends=(1,), **more).stdout
        assert "Failed" in said and "adder/add" in said, said
        words[words.index("tenon-verify")] = "tenon-lint"
        assert "Passed" in project.run(*words, **more).stdout


def main(words):
    really = "--pre-commit" in words
    words = [word for word in words if not word.startswith("--")]
    tests = parties.tests_of(sys.modules[__name__])
    if not really:
        print("   left out: pre-commit itself, which must be installed; scripts/test --full runs it")
        tests = [one for one in tests if one[0] != "with pre commit"]
    return parties.main_at_once(tests, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
