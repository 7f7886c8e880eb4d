#!/usr/bin/env python3
"""What the servers of `tenon serve` have in common: how each says that it cannot begin, and what it then ends with.

    tests/servers/run.py [NAME...]    the tests whose name has one of these words in it
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

SERVERS = ["docs", "kyc", "appsec", "pentest"]
USAGE, WORLD = 2, 1


def start(server, *flags, **how):
    return rig.run("serve", server, *flags, **how)


def complains(server, status, words, *flags, **how):
    code, out, err = start(server, *flags, **how)
    assert (code, out) == (status, "") and err.startswith(f"tenon-{server}: ") and words in err, (server, flags, code, out, err)


def test_of_all():
    with rig.Place() as place:
        text = place.path / "text.db"
        text.write_text("this is no database, but it is long enough to look like one" * 100)
        for server in SERVERS:
            complains(server, USAGE, "--db needs a value", "--db")
            complains(server, USAGE, "did you mean --http?", "--db", place.path / server, "--htpp", "x")
            complains(server, USAGE, "--token wants", "--db", place.path / server, "--token", "x")
            complains(server, WORLD, "cannot be made", "--db", "/proc/none/x.db")
            complains(server, WORLD, "", "--db", text)
            complains(server, WORLD, "say where with --db", env={"PATH": "/usr/bin"})


def test_of_some():
    with rig.Place() as place:
        broken = place.path / "broken"
        (broken / ".tenon").mkdir(parents=True)
        (broken / ".tenon" / "config.json").write_text("{")
        for server, status, words, *flags in (
                ("docs", USAGE, "/nowhere", "--project", "/nowhere"),
                ("docs", USAGE, "config.json", "--project", broken),
                ("docs", USAGE, "--debounce needs a number from 100 to 5000", "--debounce", "7"),
                ("docs", USAGE, "--embedding is embedded, ollama or openai", "--embedding", "magic"),
                ("docs", USAGE, "--embedding-url is an address", "--embedding", "ollama", "--embedding-url", "x://"),
                ("docs", WORLD, "does not answer", "--embedding", "ollama", "--embedding-url", "http://127.0.0.1:1"),
                ("appsec", USAGE, "--sample takes no value", "--sample=1"),
                ("appsec", WORLD, "/nowhere is not taken in", "--import", "/nowhere"),
                ("pentest", USAGE, "--allow :::", "--allow", ":::"),
                ("pentest", USAGE, "--ca-file /nowhere", "--ca-file", "/nowhere"),
                ("pentest", USAGE, "--profiles /nowhere", "--profiles", "/nowhere"),
                ("pentest", USAGE, "--timeout needs a number from 1 to 300", "--timeout", "soon"),
                ("pentest", USAGE, "--embedding is embedded, ollama or openai", "--embedding", "magic")):
            complains(server, status, words, "--db", place.path / server, *flags)


def test_who_only_asks_gets_no_files():
    with rig.Place() as place:
        for server in SERVERS:
            for flag, words in ("--help", "--db FILE"), ("--version", f"tenon-{server} "):
                code, out, err = start(server, flag, "--db", place.database)
                assert (code, err) == (0, "") and words in out, (server, flag, code, out, err)
        assert list(place.path.iterdir()) == []


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
