"""For tests that are scripts: each test of a module in a folder of its own.

    folders.main(globals(), sys.argv[1:])    the tests named, without "test_", or all
"""
import pathlib
import tempfile


def main(module, names):
    tests = {name[5:]: test for name, test in module.items() if name.startswith("test_")}
    for name in names or tests:
        with tempfile.TemporaryDirectory() as folder:
            tests[name](pathlib.Path(folder))
        print(f"{name}: works", flush=True)
