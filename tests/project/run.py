#!/usr/bin/env python3
"""`tenon new` makes a project that builds, passes its test and answers; `tenon install` puts servers into clients' files.

    tests/project/run.py [NAME...]    default: every test
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "support"))
import folders  # noqa: E402
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
TENON = BUILD / "bin" / "tenon"
SECONDS = 120


def run(*words, cwd, code=0, **environment):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8", **environment})
    assert done.returncode == code, f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def installed(place):
    """The prefix of an installation, made once."""
    prefix = place / "prefix"
    if not prefix.exists():
        run("cmake", "--install", BUILD, "--prefix", prefix, cwd=place)
    return prefix


def build_project(place, project):
    """As its README says, with all warnings; and no word of the template is left."""
    strict = "-Wall -Wextra -Wpedantic -Werror"
    run("cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_PREFIX_PATH={installed(place)}", f"-DCMAKE_C_FLAGS={strict}",
        f"-DCMAKE_CXX_FLAGS={strict}", f"-DCMAKE_C_COMPILER={os.environ.get('CC', 'cc')}", "-Wno-dev", "--no-warn-unused-cli", cwd=project)
    run("cmake", "--build", "build", cwd=project)
    said = run("ctest", "--test-dir", "build", "--output-on-failure", "--no-tests=error", cwd=project)
    assert "100% tests passed" in said, said
    for path in project.glob("*"):
        assert path.is_dir() or not re.search("@[A-Z]+@", path.read_text(encoding="utf-8")), path


def test_new_project_builds_and_answers(place):
    said = run(TENON, "new", "weather", cwd=place)
    assert "cd weather\n" in said, said
    project = place / "weather"
    build_project(place, project)
    for target in "build/weather", "weather":  # by its path, and by the name in .mcp.json
        said = run(TENON, "call", target, "forecast", "city=Oslo", "days=5", cwd=project)
        assert said == "Oslo, 5 days: sunny, 21 °C.\n", said
    said = run(TENON, "call", "weather", "forecast", "days=20", cwd=project, code=1)
    assert "city is required" in said and "days must be between 1 and 14, got 20 (try 14)" in said, said


def test_new_project_in_cpp_over_http(place):
    said = run(TENON, "new", "--cpp", "--http", "weather", cwd=place)
    address = "http://127.0.0.1:8080/mcp"
    assert f"tenon call {address} forecast city=Oslo days=5\n" in said and f"claude mcp add --transport http weather {address}\n" in said, said
    project = place / "weather"
    assert json.loads((project / ".mcp.json").read_text()) == {"mcpServers": {"weather": {"type": "http", "url": address}}}
    assert {path.suffix for path in [*project.glob("tools*"), *project.glob("main*")]} == {".cpp", ".hpp"}
    build_project(place, project)
    said = run(TENON, "call", "build/weather --stdio", "forecast", "city=Oslo", "days=5", cwd=project)
    assert said == "Oslo, 5 days: sunny, 21 °C.\n", said
    assert "1 tool, 0 prompts" in run("build/weather", "--check", cwd=project)
    with subprocess.Popen([project / "build" / "weather", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as server:
        where = re.search("http://[^ ]*", server.stderr.readline())[0].strip()
        said = run(TENON, "call", where, "forecast", "city=Oslo", "days=20", cwd=project, code=1)
        server.terminate()
    assert "days must be between 1 and 14, got 20 (try 14)" in said, said


def test_new_refuses(place):
    (place / "there").mkdir()
    for name, part in ("there", "File exists"), ("Weather", "cannot be the name"), ("../x", "cannot be the name"), \
            ("x" * 41, "cannot be the name"), ("", "cannot be the name"):
        assert part in run(TENON, "new", name, cwd=place, code=2)
    assert "a NAME is needed" in run(TENON, "new", cwd=place, code=2)
    assert [path.name for path in place.iterdir()] == ["there"]


def test_install_shows_then_writes(place):
    home = {"HOME": str(place), "XDG_CONFIG_HOME": ""}
    said = run(TENON, "install", "claude-code", "files", "--", "npx", "-y", "x", cwd=place, **home)
    assert '"files": { "command": "npx", "args": ["-y", "x"] }' in said and not (place / ".mcp.json").exists(), said
    run(TENON, "install", "--write", "claude-code", "files", "--", "npx", "-y", "x", cwd=place, **home)
    run(TENON, "install", "--write", "--guard", "claude-code", "safe", "--", "npx", "-y", "x", cwd=place, **home)
    run(TENON, "install", "--write", "claude-code", "web", "https://example.com/mcp", cwd=place, **home)
    assert json.loads((place / ".mcp.json").read_text()) == {"mcpServers": {
        "web": {"type": "http", "url": "https://example.com/mcp"},
        "safe": {"command": "tenon", "args": ["guard", "--", "npx", "-y", "x"]},
        "files": {"command": "npx", "args": ["-y", "x"]}}}
    before = json.loads((place / ".mcp.json.before-tenon").read_text())
    assert list(before["mcpServers"]) == ["safe", "files"], before
    assert "has a server 'web' already" in run(TENON, "install", "--write", "claude-code", "web", "--", "x", cwd=place, code=2, **home)


def test_install_keeps_the_rest(place):
    home = {"HOME": str(place), "XDG_CONFIG_HOME": ""}
    path = place / ".config" / "Claude" / "claude_desktop_config.json"
    path.parent.mkdir(parents=True)
    path.write_text('{\n\t"theme" : "dark",   "big": 12345678901234567890123,\n\t"mcpServers" : { "a": {"command":"b"} }\n}')
    path.chmod(0o640)
    run(TENON, "install", "--write", "claude-desktop", "one", "--", "two", cwd=place, **home)
    text = path.read_text()
    assert text.startswith('{\n\t"theme" : "dark",   "big": 12345678901234567890123,') and text.endswith('"a": {"command":"b"} }\n}'), text
    assert list(json.loads(text)["mcpServers"]) == ["one", "a"] and path.stat().st_mode & 0o777 == 0o640
    (place / ".vscode").mkdir()
    for bad in "// mine\n{}", "[]", '{"servers": []}', "{", "":
        (place / ".vscode" / "mcp.json").write_text(bad)
        said = run(TENON, "install", "--write", "vscode", "one", "--", "two", cwd=place, code=2, **home)
        assert "add the server by hand" in said and (place / ".vscode" / "mcp.json").read_text() == bad, said
    run(TENON, "install", "--write", "--user", "cursor", "one", "--", "two", cwd=place, **home)
    assert json.loads((place / ".cursor" / "mcp.json").read_text()) == {"mcpServers": {"one": {"command": "two", "args": []}}}
    for words, part in (["curser", "a", "--", "b"], "did you mean cursor?"), (["cursor", "a"], "a server is needed"), \
            (["cursor", "a", "ftp://x"], "begins with http"), (["cursor"], "a CLIENT and a NAME"), (["cursor", "a", "b", "c"], "goes after --"):
        assert part in run(TENON, "install", *words, cwd=place, code=2, **home)


if __name__ == "__main__":
    folders.main(globals(), sys.argv[1:])
