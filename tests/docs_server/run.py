#!/usr/bin/env python3
"""The documentation server, as clients and people use it.

    tests/docs_server/run.py [--long] [NAME...]    the tests whose name has one of these words in it

--long: more files, more often. Every test is a function of tools.py, sources.py, tenants.py, hostile.py, crash.py or command.py.
"""
import concurrent.futures
import importlib.util
import sys
import time
import traceback

sys.dont_write_bytecode = True
import projects  # noqa: E402
import command  # noqa: E402
import crash  # noqa: E402
import hostile  # noqa: E402
import sources  # noqa: E402
import tenants  # noqa: E402
import tools  # noqa: E402
from projects import rig  # noqa: E402


def attempt(test):
    begin = time.monotonic()
    try:
        test()
        return None, time.monotonic() - begin
    except Exception:  # pylint: disable=broad-except
        return traceback.format_exc(), time.monotonic() - begin


def over_http():
    """The tests of the tools once more, with clients over HTTP."""
    spec = importlib.util.find_spec("tools")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.Stdio = projects.OverHttp
    for test in rig.tests_of(vars(module)):
        if not getattr(test, "only_stdio", False):
            test.__name__ += "_over_http"
            yield test


def main(words):
    rig.LONG = "--long" in words
    words = [word for word in words if word != "--long"]
    tests = [test for module in (tools, sources, tenants, hostile, crash, command) for test in rig.tests_of(vars(module))]
    tests = [test for test in [*tests, *over_http()] if not words or any(word in test.__name__ for word in words)]
    if not tests:
        sys.exit("no test has such a name")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for test, (problem, seconds) in zip(tests, pool.map(attempt, tests)):
            if problem:
                failed += 1
                print(f"{test.__name__} FAILED\n{problem}", flush=True)
            elif len(tests) < 10 or seconds > 5:
                print(f"{test.__name__} ({seconds:.1f} s)", flush=True)
    print(f"{len(tests)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
