"""The servers of this test: how each is started, and what it is asked. Registries have them, by lock files."""
import dataclasses
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import typing
from http.server import HTTPServer, SimpleHTTPRequestHandler

import parties

HERE = pathlib.Path(__file__).resolve().parent
MODULES = HERE.parent / "js" / "node_modules" / "@modelcontextprotocol"
NODE = HERE.parent / "js" / "node"
OUT = parties.ROOT / "build" / "upstreams"
TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]+|[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{4} [0-9:]+ [^\\\"]*"
ALL = {"elicitation": {}, "sampling": {}, "roots": {"listChanged": True}}
MODEL = {"role": "assistant", "content": {"type": "text", "text": "a poem"}, "model": "m", "stopReason": "endTurn"}
FORM = {"action": "accept", "content": {"name": "Ada", "check": True, "firstLine": "It was", "email": "ada@example.com",
                                        "homepage": "https://example.com", "birthdate": "1999-12-31", "integer": 42,
                                        "number": 3.14, "untitledSingleSelectEnum": "Monica"}}


@dataclasses.dataclass
class Request:
    method: str
    params: dict
    varies: typing.Optional[str] = None  # what of its answer differs from run to run
    progress: bool = False


def call(tool, /, *, varies=None, progress=False, **arguments):
    return Request("tools/call", {"name": tool, "arguments": arguments}, varies, progress)


@dataclasses.dataclass
class Server:
    name: str
    words: list
    requests: list
    modern: bool = False
    abilities: dict = dataclasses.field(default_factory=dict)
    answers: dict = dataclasses.field(default_factory=dict)
    prepare: typing.Callable = lambda: None
    environment: dict = dataclasses.field(default_factory=lambda: {
        key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TMPDIR") if key in os.environ})


def everything():
    words = [NODE, MODULES / "server-everything" / "dist" / "index.js", "stdio"]
    requests = [
        call("echo", message="a \"b\" \\ \u00e9 \U0001f600 \n"), call("get-sum", a=0.1, b=0.2), call("get-sum", a=1e21, b=-7),
        call("get-annotated-message", messageType="error", includeImage=True), call("get-annotated-message", messageType="debug"),
        call("get-resource-links", count=10), call("get-resource-reference", resourceType="Text", resourceId=3, varies=r"[0-9:]+ [AP]M"),
        call("get-resource-reference", resourceType="Blob", resourceId=2, varies=r"(?<=blob\":\")[A-Za-z0-9+/=]+"),
        call("get-structured-content", location="Chicago"), call("get-tiny-image"), call("get-env"),
        call("gzip-file-as-resource", name="a.gz", data="data:text/plain;base64,SGVsbG8=", outputType="resource"),
        call("trigger-long-running-operation", duration=0.2, steps=3, progress=True),
        call("toggle-simulated-logging", varies=r"session [^\"]*"), call("toggle-simulated-logging", varies=r"session [^\"]*"),
        Request("resources/list", {}), Request("resources/templates/list", {}), Request("prompts/list", {}),
        Request("resources/read", {"uri": "demo://resource/dynamic/text/1"}, r"created at [^\"]*"),
        Request("resources/read", {"uri": "demo://nowhere"}),
        Request("prompts/get", {"name": "simple-prompt"}),
        Request("prompts/get", {"name": "args-prompt", "arguments": {"city": "Bern", "state": "BE"}}),
        Request("completion/complete", {"ref": {"type": "ref/prompt", "name": "completable-prompt"},
                                        "argument": {"name": "department", "value": "S"}}),
    ]
    return words, requests


def of_everything(_):
    words, requests = everything()
    return Server("server-everything", words, requests)


def of_everything_asking(_):
    words, _ = everything()
    asking = [call("trigger-elicitation-request"), call("trigger-sampling-request", prompt="a poem", maxTokens=20),
              call("get-roots-list")]
    return Server("server-everything with questions", words, asking, abilities=ALL,
                  answers={"elicitation/create": FORM, "sampling/createMessage": MODEL,
                           "roots/list": {"roots": [{"uri": "file:///srv", "name": "srv"}]}})


def of_filesystem(folder):
    place = folder / "files"
    inside = lambda name: str(place / name)

    def prepare():
        shutil.rmtree(place, ignore_errors=True)
        (place / "sub").mkdir(parents=True)
        (place / "a.txt").write_text("".join(f"line {i}\n" for i in range(40)) + "caf\u00e9 \U0001f600\n", encoding="utf-8")
        (place / "b.png").write_bytes(bytes(range(256)))
        (place / "sub" / "c.json").write_text('{"n": 12345678901234567890}')

    requests = [
        call("read_file", path=inside("a.txt")), call("read_text_file", path=inside("a.txt"), head=3),
        call("read_text_file", path=inside("a.txt"), tail=2), call("read_media_file", path=inside("b.png")),
        call("read_multiple_files", paths=[inside("a.txt"), inside("none"), inside("sub/c.json")]),
        call("write_file", path=inside("new.txt"), content="one\ntwo\n"),
        call("edit_file", path=inside("new.txt"), edits=[{"oldText": "one", "newText": "1"}], dryRun=False),
        call("create_directory", path=inside("made")), call("list_directory", path=str(place)),
        call("list_directory_with_sizes", path=str(place), sortBy="size"),
        call("directory_tree", path=str(place), excludePatterns=["made"]),
        call("move_file", source=inside("new.txt"), destination=inside("made/new.txt")),
        call("search_files", path=str(place), pattern="**/*.txt"), call("get_file_info", path=inside("a.txt"), varies=TIME),
        call("list_allowed_directories"), call("read_file", path="/etc/passwd"), call("read_file", path=inside("none")),
    ]
    return Server("server-filesystem", [NODE, MODULES / "server-filesystem" / "dist" / "index.js", place], requests,
                  prepare=prepare)


def of_memory(folder):
    store = folder / "memory.jsonl"
    relation = {"from": "Ada", "to": "Bob", "relationType": "knows"}
    requests = [
        call("create_entities", entities=[{"name": name, "entityType": "person", "observations": ["likes \u00fc"]}
                                          for name in ("Ada", "Bob")]),
        call("create_relations", relations=[relation]),
        call("add_observations", observations=[{"entityName": "Ada", "contents": ["counts"]}]),
        call("add_observations", observations=[{"entityName": "None", "contents": ["x"]}]),
        call("search_nodes", query="counts"), call("open_nodes", names=["Bob"]), call("read_graph"),
        call("delete_observations", deletions=[{"entityName": "Ada", "observations": ["counts"]}]),
        call("delete_relations", relations=[relation]), call("delete_entities", entityNames=["Bob"]), call("read_graph"),
    ]
    return Server("server-memory", ["env", f"MEMORY_FILE_PATH={store}", NODE, MODULES / "server-memory" / "dist" / "index.js"],
                  requests, prepare=lambda: store.unlink(missing_ok=True))


def of_second(_):
    requests = [call("add", a=2), call("add", a=2, b=0.5), call("weather", city="Rome"), *[call("cut", at=at) for at in range(5)],
                call("fails"), call("throws"), call("pictures"), call("ask"), Request("resources/list", {}),
                Request("resources/read", {"uri": "second://note"}), Request("prompts/list", {}),
                Request("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}})]
    return Server("SDK of the second generation", [NODE, HERE / "modern.mjs"], requests, modern=True, abilities={"elicitation": {}},
                  answers={"elicitation/create": {"action": "accept", "content": {"name": "Ada"}}})


def of_npm(folder):
    return [make(folder) for make in (of_everything, of_everything_asking, of_filesystem, of_memory, of_second)]


# ---- PyPI ------------------------------------------------------------------------------------------------------------

INSTALL_SECONDS = 1800  # until an installation that hangs has failed


def environment_of(name):
    """The Python of an environment with what python/NAME.txt says, made if it is not there."""
    place, lock = OUT / name, HERE / "python" / f"{name}.txt"
    done = place / "installed.txt"
    if not done.exists() or done.read_bytes() != lock.read_bytes():
        shutil.rmtree(place, ignore_errors=True)
        for words in ([sys.executable, "-m", "venv", place],
                      [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                       "--require-hashes", "--only-binary=:all:", "-r", lock]):
            ran = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 timeout=INSTALL_SECONDS, check=False)
            assert ran.returncode == 0, f"{lock.name} could not be installed:\n{ran.stdout[-2000:]}"
        shutil.copy(lock, done)
    return place / "bin" / "python"


def of_time(_):
    requests = [call("get_current_time", timezone="Europe/Zurich", varies=TIME + r"|[A-Z][a-z]+day"),
                call("get_current_time", timezone="No/Where"),
                call("convert_time", source_timezone="Etc/UTC", time="12:30", target_timezone="Asia/Kathmandu", varies=TIME + r"|[A-Z][a-z]+day")]
    return Server("mcp-server-time", [environment_of("servers"), "-m", "mcp_server_time", "--local-timezone", "Etc/UTC"], requests)


def of_git(folder):
    place = folder / "repository"
    fixed = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}

    def git(*words):
        subprocess.run(["git", "-C", place, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, **fixed})

    def prepare():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        git("init", "--quiet", "--initial-branch=main")
        git("config", "user.name", "a")
        git("config", "user.email", "a@b")
        (place / "a.txt").write_text("one\n")
        git("add", ".")
        git("commit", "--quiet", "--message", "first \u00e9")
        (place / "a.txt").write_text("one\ntwo\n")

    def tool(name, **more):
        return call(name, repo_path=str(place), varies=r"[0-9a-f]{7,40}|" + TIME + r"|[0-9]{4}-[0-9-]+ [0-9:+ ]+", **more)

    requests = [tool("git_status"), tool("git_diff_unstaged"), tool("git_add", files=["a.txt"]), tool("git_diff_staged", context_lines=1),
                tool("git_reset"), tool("git_add", files=["a.txt"]), tool("git_commit", message="second"), tool("git_log", max_count=2),
                tool("git_create_branch", branch_name="other"), tool("git_checkout", branch_name="other"),
                tool("git_branch", branch_type="local"), tool("git_show", revision="HEAD"), tool("git_diff", target="HEAD~1"),
                tool("git_show", revision="nowhere"), call("git_status", repo_path="/nowhere")]
    return Server("mcp-server-git", [environment_of("servers"), "-m", "mcp_server_git"], requests, prepare=prepare)


def of_fetch(folder):
    page = folder / "page"
    page.mkdir()
    (page / "index.html").write_text("<html><body><h1>Title</h1><p>Some text, which is long enough to be an article. " * 5 + "</p></body></html>")
    http = HTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(page)))
    threading.Thread(target=http.serve_forever, daemon=True).start()
    here = f"http://127.0.0.1:{http.server_port}"
    requests = [call("fetch", url=here + "/index.html"), call("fetch", url=here + "/index.html", raw=True, max_length=20),
                call("fetch", url=here + "/none"), Request("prompts/list", {})]
    return Server("mcp-server-fetch", [environment_of("servers"), "-m", "mcp_server_fetch", "--ignore-robots-txt"], requests)


def of_fastmcp(name, modern):
    requests = [call("add", a=2), call("add", a=2, b=0.1), call("weather", city="Rome"), call("echo", text="\u00e9 \U0001f600 \n"),
                call("fails"), call("steps", progress=True), Request("resources/list", {}),
                Request("resources/read", {"uri": "fast://note"}), Request("prompts/list", {}),
                Request("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}})]
    return Server(name, [environment_of(name), HERE / "python" / "fast.py"], requests, modern=modern)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def of_python(folder):
    return [of_time(folder), of_git(folder), of_fetch(folder), of_fastmcp("fastmcp3", False), of_fastmcp("fastmcp4", True)]
