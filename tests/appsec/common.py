"""What the tests of application security share: the server, files to take in, and what must hold after them."""
import contextlib
import itertools
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import rig  # noqa: E402

FILES = HERE / "files"
REPORTS = HERE / "reports"
SARIF = [FILES / "codeql.sarif", FILES / "semgrep.sarif", FILES / "trivy.sarif"]
STATUSES = ["Reported", "Suspicious", "Confirmed", "NotAProblem", "Remediated", "Fixed", "AutoRemediated"]


def command(place, *flags):
    return rig.serve("appsec", place, *flags)


def stdio(place, *flags, modern=True):
    return rig.Stdio(command(place, *flags), modern=modern)


def http(place, *flags):
    return rig.Http(rig.Server(command(place, *flags)))


@contextlib.contextmanager
def sample():
    with rig.Place() as place, stdio(place, "--sample") as client:
        yield client


def take_in(place, *files):
    """Starts the server with these files and no client; returns how it ended and what it said."""
    flags = itertools.chain.from_iterable(("--import", file) for file in files)
    ended = subprocess.run(command(place, *flags), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           timeout=rig.PATIENCE, check=False)
    return ended.returncode, ended.stderr


def counts_agree(place):
    """What the triggers counted is what there is."""
    key = "severity, app, status, type, environments"
    assert place.sql(f"SELECT {key}, number FROM tallies WHERE number <> 0 ORDER BY {key}") == \
        place.sql(f"SELECT {key}, count(*) FROM findings GROUP BY {key} ORDER BY {key}")
    place.is_sound()
