"""A PostgreSQL of the test's own: a cluster in a temporary folder, run by an ordinary user, at a free port of loopback.

    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
    with cluster.Cluster() as postgres, postgres.place() as place:
        rig.Stdio(rig.serve("kyc", place))
"""
import contextlib
import os
import pathlib
import pwd
import random
import shutil
import socket
import subprocess
import tempfile

import rig

ROLE = "tester"
OTHER_LOCALE = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'"  # of a place: another order, other cases


def programs():
    """Where initdb is; of several releases, the newest."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3].split(".")[0]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else pathlib.Path(on_path).parent if on_path else None


def why_not():
    """Why there can be no cluster here; None when there can."""
    if not programs():
        return "there is no PostgreSQL here; scripts/setup installs it"
    if not (rig.BUILD / "lib" / "libtenon-pg.so").exists():
        return "this build has no libtenon-pg; scripts/setup installs libpq"
    return None


def with_vectors():
    """The programs of a PostgreSQL that has pgvector: the system's, else those that scripts/setup gets; None without one."""
    newest = programs()
    if newest and pathlib.Path(f"/usr/share/postgresql/{newest.parts[-2]}/extension/vector.control").exists():
        return newest
    data = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share")
    own = data / "tenon" / "pgvector" / "pgserver" / "pginstall"
    return own / "bin" if (own / "share" / "postgresql" / "extension" / "vector.control").exists() else None


def ordinary_user():
    """PostgreSQL does not run as root; None: this one will do."""
    if os.getuid() != 0:
        return None
    for name in "postgres", "nobody":
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    raise RuntimeError("there is no user but root")


def free_port():
    """One that no connection gets by itself, which could have it while a server is stopped."""
    given = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    while True:
        port = random.randrange(min(10000, given // 2), given)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Cluster:
    settings = ""  # more of them, as the server's flags

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-postgres-"))
        self.user = ordinary_user()
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.host, self.port = "127.0.0.1", free_port()
        self.databases = 0

    def command(self, words):
        """How a program is run that must not be root's: the words, and what subprocess is told."""
        return words, {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}

    def programs(self):
        return programs()

    def program(self, name, *words):
        command, who = self.command([self.programs() / name, *map(str, words)])
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=rig.PATIENCE, cwd=self.folder, check=False, **who)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def start(self):
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses={self.host} -c fsync=off -c full_page_writes=off -c max_connections=60 {self.settings}"
        # Its output goes to a file: a pipe would stay open as long as the server.
        self.program("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-o", settings, "-w", "start")

    def standby(self, is_synchronous=True):
        """Another that follows this one, which waits for it with every COMMIT if it is synchronous."""
        return Standby(self, is_synchronous)

    @contextlib.contextmanager
    def session(self, database, statements):
        """One that has begun with these, and does nothing more until it ends."""
        with subprocess.Popen([programs() / "psql", "-XAtq", "-h", self.host, "-p", str(self.port), "-U", ROLE, "-d", database],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as open_one:
            open_one.stdin.write(f"{statements};\n\\echo ready\n")
            assert open_one.stdout.readline() == "ready\n"
            yield
            open_one.stdin.close()

    def stop(self, how="fast"):
        self.program("pg_ctl", "-D", self.folder / "data", "-m", how, "-w", "stop")

    def make(self):
        """What initdb makes, which is the same each time: kept beside what is built."""
        about = (self.programs() / "initdb").stat()
        kept = rig.BUILD / "tests" / f"postgres-{about.st_size}-{int(about.st_mtime)}"
        if os.access(kept, os.R_OK | os.X_OK):
            subprocess.run(["cp", "-a", kept, self.folder / "data"], check=True)
            return
        self.program("initdb", "-D", self.folder / "data", "-U", ROLE, "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        half = pathlib.Path(tempfile.mkdtemp(dir=rig.BUILD / "tests")) / "data"
        subprocess.run(["cp", "-a", self.folder / "data", half], check=True)
        with contextlib.suppress(OSError):  # another test was sooner
            half.rename(kept)
        shutil.rmtree(half.parent)

    def __enter__(self):
        self.make()
        self.start()
        return self

    def __exit__(self, *_):
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder)

    def ask(self, statement, database="postgres"):
        """Rows of texts."""
        done = subprocess.run([programs() / "psql", "-XAtq", "-F", "\t", "-R", "\x1e", "-h", self.host, "-p", str(self.port), "-U", ROLE,
                               "-d", database, "-c", statement], capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
        assert done.returncode == 0, done.stderr
        return [tuple(line.split("\t")) for line in done.stdout.removesuffix("\n").split("\x1e") if done.stdout]

    def address(self, database):
        return f"postgresql://{ROLE}@{self.host}:{self.port}/{database}"

    def place(self, options=""):
        """A database of its own, as rig.Place is one of SQLite."""
        self.databases += 1
        name = f"world{self.databases}"
        self.ask(f"CREATE DATABASE {name} {options}")
        return Place(self, name)


class Vectors(Cluster):
    """Of a PostgreSQL with pgvector, which every database of it has."""

    def programs(self):
        found = with_vectors()
        if found == programs():
            return found
        copied = self.folder / "programs"  # where the user that runs it may read them
        if not copied.exists():
            shutil.copytree(found.parents[2], copied, symlinks=True)
        return copied / "pgserver" / "pginstall" / "bin"

    def __enter__(self):
        super().__enter__()
        self.ask("CREATE EXTENSION vector", "template1")
        return self


class Standby(Cluster):
    """Of another cluster."""

    def __init__(self, primary, is_synchronous):
        super().__init__()
        self.primary, self.is_synchronous = primary, is_synchronous

    def __enter__(self):
        self.program("pg_basebackup", "-D", self.folder / "data", "-R", "-c", "fast", "-h", self.primary.host, "-p", self.primary.port,
                     "-U", ROLE)
        self.start()
        if self.is_synchronous:
            self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.primary.ask("SELECT pg_reload_conf()")
        self.follow()
        return self

    def follow(self):
        rig.until("the standby follows", lambda: self.primary.ask(
            f"SELECT 1 FROM pg_stat_replication WHERE sync_state = '{'sync' if self.is_synchronous else 'async'}'"))

    def promote(self):
        self.program("pg_ctl", "-D", self.folder / "data", "-w", "promote")
        self.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.ask("SELECT pg_reload_conf()")


class Place(rig.Place):
    def __init__(self, cluster, name):
        super().__init__()
        self.cluster, self.name = cluster, name
        self.database = cluster.address(name)

    def sql(self, statement, *values):
        assert not values
        return [tuple(int(value) if value.lstrip("-").isdigit() else value for value in row)
                for row in self.cluster.ask(f"SET search_path = kyc, appsec, pentest, docs; {statement}", self.name)]

    def dump(self):
        """Whatever is in it, as bytes."""
        return self.cluster.program("pg_dump", "-h", self.cluster.host, "-p", self.cluster.port, "-U", ROLE, self.name).encode()

    def is_sound(self):
        return True
