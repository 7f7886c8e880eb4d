#!/usr/bin/env python3
"""Runs commands below a guard, good ones and bad ones, and looks for processes that are left.

    tests/supervisor/run.py [NAME...]    the tests whose name has one of these words in it

Every process of a test has a variable of its own in its environment, which the guard passes on because it looks like a locale's.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build/dev"))
JUDGE, TENON = BUILD / "tests/supervisor_judge", BUILD / "bin/tenon"
PATIENCE = 60  # seconds until something that hangs has failed
MARK = "LC_TENON_MARK"
LEAVE, TERM = 2.0, 1.0  # as src/guard/process/supervise.h has them
SLACK = 0.1  # clocks differ

IGNORES_TERM = "trap '' TERM; echo ready; while :; do sleep 1; done"

PYTHON_DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(os.getpid(), flush=True)
        for fd in (0, 1, 2):
            os.close(fd)
        time.sleep(1000)
    os._exit(0)
os.wait()
sys.stdin.read()
"""

SLEEPERS = """
import os, signal, sys, time
for i in range(200):
    if os.fork() == 0:
        if i % 2:
            os.setsid()
        if i % 3 == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if i % 4 == 0 and os.fork() == 0:
            os.setsid()
        time.sleep(1000)
print("ready", flush=True)
sys.stdin.read()
"""

WITNESS = """
import signal, sys, time
def on_term(number, frame):
    print("term %.3f" % time.monotonic(), file=log, flush=True)
signal.signal(signal.SIGTERM, on_term)
log = open(sys.argv[1], "w")
print("ready", flush=True)
sys.stdin.read()
print("input %.3f" % time.monotonic(), file=log, flush=True)
while True:
    time.sleep(0.05)
    print("alive %.3f" % time.monotonic(), file=log, flush=True)
"""

STUBBORN = """
import os, signal, sys, time
def again(number, frame):
    if os.fork() == 0:
        os.setsid()
    else:
        os._exit(0)
signal.signal(signal.SIGTERM, again)
if os.fork() == 0:
    os.setsid()
    print("ready", flush=True)
    while True:
        time.sleep(1000)
sys.stdin.read()
"""


class Guard:
    """A guard that runs a command; its news in the order in which they came."""

    begun = []

    def __init__(self, *words, flags=(), env=None, **how):
        self.mark = f"{os.getpid()}-{time.monotonic_ns()}"
        env = {**os.environ, "TENON_PROGRAM": str(TENON), MARK: self.mark, **(env or {})}
        self.process = subprocess.Popen([JUDGE, *flags, "--", *words], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0, **how)
        self.begun.append(self)
        self.output, self.errors, self.changed = b"", b"", threading.Condition()
        self.readers = [threading.Thread(target=self.read, args=(name,)) for name in ("output", "errors")]
        for reader in self.readers:
            reader.start()

    def read(self, name):
        stream = self.process.stdout if name == "output" else self.process.stderr
        while data := stream.read(65536):
            with self.changed:
                setattr(self, name, getattr(self, name) + data)
                self.changed.notify_all()

    def until(self, holds):
        with self.changed:
            assert self.changed.wait_for(holds, PATIENCE), (self.output, self.errors)

    def news(self):
        return [line[6:] for line in self.errors.decode(errors="replace").splitlines() if line.startswith("news: ")]

    def until_news(self, beginning):
        self.until(lambda: any(line.startswith(beginning) for line in self.news()))
        return next(line for line in self.news() if line.startswith(beginning))

    def until_output(self, pattern):
        self.until(lambda: re.search(pattern, self.output))
        return re.search(pattern, self.output)

    def pid(self):
        return int(self.until_news("running: ").split()[1])

    def end(self):
        """Ends the command in order and returns the news; no process may be left."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        left = marked(self.mark)
        assert not left, f"left: {left}"
        assert code == 0, (code, self.errors)
        news = self.news()
        assert news[-1] == "ended" or "output closed" in news[-2:] or "errors closed" in news[-2:], news
        return news


def marked(mark):
    """The processes with this variable in their environment: number and command line."""
    found, wanted = [], f"{MARK}={mark}".encode()
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append((int(entry.name), (entry / "cmdline").read_bytes()))
        except OSError:
            continue
    return found


def until_none(mark):
    deadline = time.monotonic() + PATIENCE
    while left := marked(mark):
        assert time.monotonic() < deadline, f"left: {left}"
        time.sleep(0.05)


def until(holds, what):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def until_count(mark, least):
    deadline = time.monotonic() + PATIENCE
    while len(marked(mark)) < least:
        assert time.monotonic() < deadline, marked(mark)
        time.sleep(0.05)


def parent_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def is_alive(pid):
    return pathlib.Path(f"/proc/{pid}").exists()


def python(code, *arguments):
    return [sys.executable, "-c", code, *map(str, arguments)]


# ---- What is left ------------------------------------------------------------------------------------------------


def test_relays_and_ends():
    guard = Guard("cat")
    guard.pid()
    guard.process.stdin.write(b"hello\n")
    guard.until_output(b"hello\n")
    started = time.monotonic()
    news = guard.end()
    assert "exited: exited with status 0" in news, news
    assert time.monotonic() - started < LEAVE, "a command that leaves by itself is not waited for"


def test_shell_background():
    guard = Guard("sh", "-c", "sleep 1000 & sleep 1000 & echo ready; cat")
    guard.until_output(b"ready")
    until_count(guard.mark, 6)  # judge, supervisor, sh, cat, two sleeps
    guard.end()


def test_command_leaves_its_server():
    guard = Guard("sh", "-c", "sleep 1000 & exit 7")
    guard.until_news("exited: exited with status 7")
    guard.until_news("ended")
    assert [pid for pid, _ in marked(guard.mark)] == [] or guard.process.poll() is None
    until_none(guard.mark)
    assert guard.process.wait(PATIENCE) == 0


def test_ignores_term():
    guard = Guard("sh", "-c", IGNORES_TERM)
    guard.until_output(b"ready")
    started = time.monotonic()
    news = guard.end()
    took = time.monotonic() - started
    assert "exited: was ended by signal 9 (Killed)" in news, news
    assert took > LEAVE + TERM - SLACK, took


def test_order_of_the_end():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        guard = Guard(*python(WITNESS, log))
        guard.until_output(b"ready")
        guard.end()
        times = {}
        for line in log.read_text().splitlines():
            if len(line.split()) == 2:
                times.setdefault(line.split()[0], []).append(float(line.split()[1]))
        assert len(times["term"]) == 1, "asked once"
        waited = times["term"][0] - times["input"][0]
        lived = times["alive"][-1] - times["term"][0]
        assert LEAVE - SLACK < waited, waited
        assert TERM - 3 * SLACK < lived, lived


def test_session_of_its_own():
    guard = Guard("sh", "-c", f"setsid sh -c \"{IGNORES_TERM}\" & cat")
    guard.until_output(b"ready")
    guard.end()


def test_daemon():
    guard = Guard(*python(PYTHON_DAEMON))
    daemon = int(guard.until_output(rb"(\d+)\n")[1])
    supervisor = parent_of(guard.pid())
    deadline = time.monotonic() + PATIENCE
    while parent_of(daemon) != supervisor:
        assert time.monotonic() < deadline, "it was left to another"
        time.sleep(0.01)
    guard.end()
    assert not is_alive(daemon)


def test_dead_daemons_are_waited_for():
    guard = Guard("sh", "-c", "for i in 1 2 3 4 5; do (sleep 0.05 &) ; done; echo ready; cat")
    guard.until_output(b"ready")
    supervisor = parent_of(guard.pid())
    deadline = time.monotonic() + PATIENCE
    while len(marked(guard.mark)) > 4:  # judge, supervisor, sh, cat
        assert time.monotonic() < deadline, marked(guard.mark)
        time.sleep(0.05)
    time.sleep(0.5)
    zombies = [entry for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit() and is_zombie_of(entry, supervisor)]
    assert not zombies, zombies
    guard.end()


def is_zombie_of(entry, parent):
    try:
        state, owner = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:2]
    except OSError:
        return False
    return state == "Z" and int(owner) == parent


def test_many():
    guard = Guard(*python(SLEEPERS))
    guard.until_output(b"ready")
    until_count(guard.mark, 203 + 50)
    guard.end()


def test_multiplies_when_asked():
    guard = Guard(*python(STUBBORN))
    guard.until_output(b"ready")
    guard.end()


def test_stopped():
    guard = Guard("sh", "-c", "sleep 1000 & kill -STOP $!; echo ready; cat")
    guard.until_output(b"ready")
    started = time.monotonic()
    guard.end()
    assert time.monotonic() - started < LEAVE, "SIGTERM reaches a process that is stopped"


def test_kills_its_own_group():
    guard = Guard("sh", "-c", "setsid sleep 1000 & sleep 0.2; kill -KILL 0")
    guard.until_news("exited: was ended by signal 9 (Killed)")
    guard.until_news("ended")
    until_none(guard.mark)
    assert guard.process.wait(PATIENCE) == 0


def test_node():
    if not shutil.which("node"):
        return "there is no node"
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "node_modules/.bin"
        package.mkdir(parents=True)
        server = package / "server"
        server.write_text("""#!/usr/bin/env node
const { spawn } = require("child_process");
spawn("sleep", ["1000"], { stdio: "ignore" });
spawn("sleep", ["1000"], { stdio: "ignore", detached: true }).unref();
process.on("SIGTERM", () => {});
process.stdin.on("data", data => process.stdout.write(data));
setInterval(() => {}, 1000);
console.log("ready");
""")
        server.chmod(0o755)
        (pathlib.Path(folder) / "package.json").write_text("{}")
        words = ["npx", "--no-install", "server"] if shutil.which("npx") else ["node", str(server)]
        guard = Guard(*words, flags=["--directory", folder, "--memory", str(512 << 20)])
        guard.until_output(b"ready")
        guard.process.stdin.write(b"through\n")
        guard.until_output(b"through")
        guard.end()
    return None


# ---- A guard that is killed, signals, supervisors that are killed ---------------------------------------------------


def test_guard_killed():
    for command in (["cat"], ["sh", "-c", "sleep 1000 & setsid sleep 1000 & echo ready; cat"], ["sh", "-c", IGNORES_TERM],
                    python(PYTHON_DAEMON), python(SLEEPERS)):
        guard = Guard(*command)
        guard.pid()
        if command != ["cat"]:
            guard.until_output(b"\n")
        guard.process.kill()
        guard.process.wait(PATIENCE)
        until_none(guard.mark)


def test_guard_killed_at_any_moment():
    for i in range(30):
        guard = Guard("sh", "-c", "setsid sleep 1000 & cat")
        time.sleep(i * 0.002)
        guard.process.kill()
        guard.process.wait(PATIENCE)
        until_none(guard.mark)


def test_interrupt_of_the_terminal():
    guard = Guard("sh", "-c", "sleep 1000 & echo ready; cat", start_new_session=True)
    pid = guard.pid()
    guard.until_output(b"ready")
    os.killpg(guard.process.pid, signal.SIGINT)  # the guard of this test ignores it
    guard.process.stdin.write(b"still there\n")
    guard.until_output(b"still there")
    assert is_alive(pid)
    guard.end()


def test_supervisor_is_signalled():
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT:
        guard = Guard("sh", "-c", f"setsid sleep 1000 & {IGNORES_TERM}")
        guard.until_output(b"ready")
        os.kill(parent_of(guard.pid()), number)
        guard.until_news("ended")
        until_none(guard.mark)
        assert "exited: was ended by signal 9 (Killed)" in guard.news(), guard.news()
        assert guard.process.wait(PATIENCE) == 0


def test_supervisor_survives_other_signals():
    guard = Guard("cat")
    supervisor = parent_of(guard.pid())
    for number in signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE, signal.SIGALRM, signal.SIGTSTP, signal.SIGTTIN:
        os.kill(supervisor, number)
    guard.process.stdin.write(b"still there\n")
    guard.until_output(b"still there")
    guard.end()


def test_supervisor_is_killed():
    guard = Guard("sh", "-c", "trap '' TERM; sleep 1000 & echo ready; cat; sleep 1000")
    guard.until_output(b"ready")
    os.kill(parent_of(guard.pid()), signal.SIGKILL)
    guard.until_news("ended: its supervisor was killed")
    until_none(guard.mark)
    assert guard.process.wait(PATIENCE) == 0


def group_of(pid):
    """The folder of a process's cgroup of version 2, or None."""
    way = next((line[3:] for line in pathlib.Path(f"/proc/{pid}/cgroup").read_text().splitlines() if line.startswith("0::")), None)
    places = [line.split()[1] for line in pathlib.Path("/proc/self/mounts").read_text().splitlines() if line.split()[2] == "cgroup2"]
    return pathlib.Path(places[0] + way) if way and places else None


def kill_both(guard):
    """A guard and its supervisor, neither of which sees the other's end."""
    supervisor = parent_of(guard.pid())
    for pid in guard.process.pid, supervisor:
        os.kill(pid, signal.SIGSTOP)
    for pid in guard.process.pid, supervisor:
        os.kill(pid, signal.SIGKILL)
    guard.process.wait(PATIENCE)


def test_both_killed():
    """What is left then is ended and removed by the next one, and nothing else is."""
    guards = [Guard("sh", "-c", "setsid sleep 1000 & echo ready; cat") for _ in range(3)]
    for guard in guards:
        guard.until_output(b"ready")
    groups = [group_of(guard.pid()) for guard in guards]
    if not groups[0] or not groups[0].name.startswith("tenon-guard-"):
        for guard in guards:
            guard.end()
        return "there is no delegated cgroup"
    (groups[0] / "inner").mkdir()  # as a server makes that has groups of its own
    for guard in guards[:2]:
        kill_both(guard)
    for guard in guards[:2]:  # a session of its own is not ended with the guard
        until(lambda guard=guard: [line for _, line in marked(guard.mark)] == [b"sleep\x001000\x00"], marked(guard.mark))
    assert groups[0].exists() and groups[1].exists()
    guards[2].process.stdin.write(b"still there\n")
    guards[2].until_output(b"still there")
    deadline = time.monotonic() + PATIENCE
    while groups[0].exists() or groups[1].exists():  # one start is enough, but for processes that take long to be gone
        after = Guard("true")
        after.until_news("ended")
        after.end()
        assert time.monotonic() < deadline, groups
    for guard in guards[:2]:
        until_none(guard.mark)
    assert groups[2].exists(), "its supervisor lives"
    guards[2].process.stdin.write(b"and now\n")
    guards[2].until_output(b"and now")
    guards[2].end()
    assert not groups[2].exists()
    return None


# ---- Starts that fail ----------------------------------------------------------------------------------------------


def test_starts_that_fail():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        files = {"plain": ("#!/bin/sh\n", 0o644), "text": ("echo a shell ran this\n", 0o755),
                 "stale": ("#!/no/such/python\n", 0o755)}
        for name, (text, mode) in files.items():
            (path / name).write_text(text)
            (path / name).chmod(mode)
        cases = [
            (["no-such-program"], [], "no-such-program: not found in PATH"),
            ([""], [], ": not found in PATH"),
            (["/no/such/program"], [], "/no/such/program: not found"),
            ([path / "plain"], [], f"{path}/plain: cannot be run (Permission denied)"),
            ([path], [], f"{path}: cannot be run (Permission denied)"),
            ([path / "text"], [], f"{path}/text: cannot be run (Exec format error)"),
            ([path / "stale"], [], f"{path}/stale: the interpreter that its first line names was not found"),
            (["stale"], ["--env", f"PATH={path}:/bin"], "stale: the interpreter that its first line names was not found"),
            (["plain"], ["--env", f"PATH={path}:/bin"], "plain: cannot be run (Permission denied)"),
            (["text"], ["--env", "PATH=:.", "--directory", folder], "text: not found in PATH"),
            (["cat"], ["--directory", path / "none"], f"the directory {path}/none cannot be entered (No such file or directory)"),
            (["cat"], ["--directory", path / "text"], f"the directory {path}/text cannot be entered (Not a directory)"),
        ]
        for words, flags, expected in cases:
            guard = Guard(*words, flags=flags)
            guard.until_news("ended")
            guard.process.stdin.close()
            assert guard.process.wait(PATIENCE) == 0
            news = [line for line in guard.news() if "closed" not in line]
            assert news == [f"failed: {expected}", "ended"], (words[0], news)
            assert guard.output == b"", guard.output
            until_none(guard.mark)


def test_path_of_the_child():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "thing"
        program.write_text("#!/bin/sh\necho found\n")
        program.chmod(0o755)
        for path in f"{folder}", f"/no/such:{folder}", f"{folder}/thing:{folder}:/bin":
            guard = Guard("thing", flags=["--env", f"PATH={path}"])
            guard.until_output(b"found")
            guard.until_news("ended")
            guard.end()


# ---- What it gets ---------------------------------------------------------------------------------------------------


def test_closes_its_output():
    guard = Guard("sh", "-c", "exec >&- 2>&-; cat >/dev/null")
    pid = guard.pid()
    guard.until_news("output closed")
    guard.until_news("errors closed")
    assert is_alive(pid)
    guard.end()


def test_does_not_read():
    guard = Guard("sh", "-c", "exec <&-; echo ready; sleep 1000")
    guard.until_output(b"ready")
    guard.process.stdin.write(b"to nobody\n")
    guard.end()


def test_environment():
    with tempfile.TemporaryDirectory() as folder:
        secret = pathlib.Path(folder) / "key"
        secret.write_text("s3cret\n")
        secret.chmod(0o600)
        env = {"LD_PRELOAD": "", "NODE_OPTIONS": "--no-warnings", "AWS_SECRET_ACCESS_KEY": "leak", "PYTHONPATH": "/leak",
               "TENON_TOKEN": "leak", "https_proxy": "http://127.0.0.1:9", "NODE_EXTRA_CA_CERTS": "/ca.pem", "LC_ALL": "C.UTF-8",
               "COPIED": "over", "TZ": "UTC", "HOME": folder}
        guard = Guard("env", "-0", env=env, flags=["--env", "LD_BIND_NOW=1", "--env", "TZ=Asia/Tokyo", "--env-from", "COPIED",
                                                   "--secret", f"API_KEY={secret}"])
        guard.until_news("ended")
        guard.end()
        got = dict(entry.split("=", 1) for entry in guard.output.decode().split("\0") if entry)
        known = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TZ", "TMPDIR", "https_proxy", "NODE_EXTRA_CA_CERTS",
                 "COPIED", "API_KEY", "LD_BIND_NOW"}
        proxies = {name for name in got if name.lower() in ("http_proxy", "https_proxy", "no_proxy", "all_proxy")}
        certificates = {"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"}
        extra = {name for name in got if not name.startswith("LC_")} - known - proxies - certificates
        assert not extra, extra
        for name, value in (("LD_BIND_NOW", "1"), ("TZ", "Asia/Tokyo"), ("COPIED", "over"), ("API_KEY", "s3cret"),
                            ("https_proxy", "http://127.0.0.1:9"), ("LC_ALL", "C.UTF-8"), ("HOME", folder)):
            assert got.get(name) == value, (name, got.get(name))


def test_supervisor_does_not_see_it():
    guard = Guard("sh", "-c", "echo ready; cat", flags=["--env", "LD_BIND_NOW=1", "--env", "API=x"])
    guard.until_output(b"ready")
    environ = pathlib.Path(f"/proc/{parent_of(guard.pid())}/environ").read_bytes().split(b"\0")
    assert not [entry for entry in environ if entry.startswith((b"LD_BIND_NOW", b"API"))], environ
    guard.end()


def test_mistakes():
    with tempfile.TemporaryDirectory() as folder:
        secret = pathlib.Path(folder) / "key"
        secret.write_text("s3cret\n")
        secret.chmod(0o644)
        guard = Guard("cat", flags=["--env-from", "NO_SUCH", "--secret", f"A={secret}", "--env-from", "LD_PRELOAD"])
        assert guard.process.wait(PATIENCE) == 3
        for reader in guard.readers:
            reader.join(PATIENCE)
        assert guard.errors.decode().splitlines() == [
            "mistake: /env-from/0: NO_SUCH is not set in the environment of the guard",
            "mistake: /env-from/1: LD_PRELOAD changes what a program runs; write its value in env if it is meant",
            f"mistake: /secrets/A: it must be closed to group and others; chmod 600 it: {secret}"], guard.errors


def test_handles():
    code = """
import os, stat
for fd in sorted(int(name) for name in os.listdir("/proc/self/fd")):
    try:
        print(fd, "pipe" if stat.S_ISFIFO(os.fstat(fd).st_mode) else os.readlink(f"/proc/self/fd/{fd}"))
    except OSError:
        pass
"""
    with open("/dev/zero") as careless:
        guard = Guard(*python(code), pass_fds=[careless.fileno()])
        guard.until_news("ended")
        guard.end()
    assert guard.output.decode().splitlines() == ["0 pipe", "1 pipe", "2 pipe"], guard.output


def test_supervisor_holds_little():
    guard = Guard("cat")
    folder = pathlib.Path(f"/proc/{parent_of(guard.pid())}")
    guard.process.stdin.write(b"x\n")
    guard.until_output(b"x")
    held = sorted(os.readlink(entry) for entry in (folder / "fd").iterdir())
    groups = [name for name in held if name.startswith("/sys/fs/cgroup/")]  # its own and the one that it made, where it may
    assert not groups or (len(groups) == 2 and groups[1].startswith(groups[0] + "/tenon-guard-")), groups
    held = [name for name in held if name not in groups]
    assert [name.split(":")[0] for name in held] == ["/dev/null"] * 3 + ["anon_inode", "socket"], held
    assert os.readlink(folder / "cwd") == "/"
    guard.end()


def test_status():
    code = """
import os, resource
text = open("/proc/self/status").read()
for name in "NoNewPrivs", "SigBlk", "SigIgn":
    print(name, [line.split()[1] for line in text.splitlines() if line.startswith(name + ":")][0])
print("core", resource.getrlimit(resource.RLIMIT_CORE), "leads", os.getsid(0) == os.getpid(), "in", os.getcwd())
"""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "status.py"
        script.write_text(code)
        # Python ignores SIGPIPE and SIGXFSZ itself: the shell shows what came before.
        guard = Guard("sh", "-c", "grep SigIgn /proc/self/status; exec " + sys.executable + " status.py", flags=["--directory", folder])
        guard.until_news("ended")
        guard.end()
        output = guard.output.decode()
    assert output.startswith("SigIgn:\t0000000000000000\n"), output
    assert "NoNewPrivs 1\nSigBlk 0000000000000000\n" in output, output
    assert f"core (0, 0) leads True in {os.path.realpath(folder)}\n" in output, output


def test_memory():
    code = """
try:
    held = bytearray(256 << 20)
    print("all of it")
except MemoryError:
    print("refused")
"""
    for flags, expected in (["--memory", str(128 << 20)], b"refused\n"), ([], b"all of it\n"):
        guard = Guard(*python(code), flags=flags)
        guard.until_news("ended")
        guard.end()
        assert guard.output == expected, (flags, guard.output)


def test_alone():
    done = subprocess.run([TENON, "supervise"], capture_output=True, text=True, timeout=PATIENCE, check=False, close_fds=True)
    assert done.returncode == 2 and "does nothing by itself" in done.stderr, done
    shown = subprocess.run([TENON, "--help"], capture_output=True, text=True, timeout=PATIENCE, check=False).stdout
    assert "supervise" not in shown, shown


def main(names):
    tests = [(name[5:], test) for name, test in globals().items() if name.startswith("test_") and callable(test)]
    chosen = [(name, test) for name, test in tests if not names or any(word in name for word in names)]
    try:
        for name, test in chosen:
            started = time.monotonic()
            print(f"{name}: ", end="", flush=True)
            skipped = test()
            print(f"{'skipped: ' + skipped if skipped else 'ok'} ({time.monotonic() - started:.1f} s)", flush=True)
    finally:
        for guard in Guard.begun:  # what a failed test left; numbers of processes are not used twice so soon
            for pid, _ in marked(guard.mark):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            guard.process.wait(PATIENCE)
    return 0 if chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
