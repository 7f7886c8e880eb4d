#!/usr/bin/env python3
"""Runs the official JSON Schema test suite through `tenon validate`, as users meet it: every group of tests is a schema and
instances in files, the dialect is named with --dialect, and what references lead to is found with --registry.

Beside the tests of each dialect there are, where the suite's folder has them, those of annotations and of output formats.
TENON_SUITE names the folder; without it, ../shared/data/json-schema-test-suite is tried. tests/suite_skips.txt lists what does not pass.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITE = pathlib.Path(os.environ.get("TENON_SUITE", ROOT.parent / "shared/data/json-schema-test-suite"))
TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve() / "bin" / "tenon"
DIALECTS = {"draft2020-12": "2020-12", "draft2019-09": "2019-09", "draft7": "draft-07", "draft6": "draft-06", "draft4": "draft-04"}
RELEASES = {"2020-12": 2020, "2019-09": 2019, "draft-07": 7, "draft-06": 6, "draft-04": 4}
LEAST = {"draft2020-12": 1299, "draft2019-09": 1259, "draft7": 927, "draft6": 839, "draft4": 618}


class Number(str):
    """The text of a number, which Python would change: 1.0, 1e400."""


def written(value):
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)


def validate(directory, schema, instances, *options):
    """What the program prints of each instance, in the JSON of its output format."""
    directory.mkdir(parents=True)
    names = []
    for name, value in [("schema", schema)] + list(enumerate(instances)):
        path = directory / f"{name}.json"
        path.write_text(written(value))
        names.append(str(path))
    result = subprocess.run([TENON, "validate", *options, *names], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    lines = [json.loads(line) for line in result.stdout.decode().splitlines()]
    if len(lines) != len(instances):
        return None, result.stderr.decode().strip()
    return lines, None


def run_group(job):
    directory, name, group, dialect, options = job
    lines, why = validate(directory, group["schema"], [test["data"] for test in group["tests"]], "--output", "flag",
                          "--dialect", dialect, "--registry", f"http://localhost:1234={SUITE / 'remotes'}", *options)
    for i, test in enumerate(group["tests"]):
        title = f"{name}: {group['description']}: {test['description']}"
        yield title, lines is not None and lines[i]["valid"] == test["valid"], why


def jobs(place, folder, dialect):
    for kind, options in ("", []), ("/optional", []), ("/optional/format", ["--format-assertion"]):
        for path in sorted((SUITE / "tests" / f"{folder}{kind}").glob("*.json")):
            groups = json.loads(path.read_text(), parse_float=Number, parse_int=Number)
            for i, group in enumerate(groups):
                yield place / folder / kind.strip("/") / path.stem / str(i), f"{folder}{kind}/{path.name}", group, dialect, options


def check_tests(place, listed):
    good = True
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for folder, dialect in DIALECTS.items():
            counts = {"passed": 0, "listed": 0}
            required = 0
            for results in pool.map(lambda job: list(run_group(job)), list(jobs(place, folder, dialect))):
                for title, passed, why in results:
                    if title in listed:
                        counts["listed"] += 1
                    elif passed:
                        counts["passed"] += 1
                        required += "/optional/" not in title
                    if passed == (title in listed):
                        print(f"{'passes, and is listed' if passed else 'fails'}: {title}{': ' + why if why else ''}")
                        good = False
            print(f"{folder}: {counts['passed']} passed, {required} of them required; {counts['listed']} listed as not passing")
            good &= required >= LEAST[folder]
    return good


def is_compatible(rule, release):
    for part in (rule or "").split(","):
        number = int(part.lstrip("<=") or 0)
        if (part.startswith("<=") and release > number) or (part.startswith("=") and release != number) or \
                (part[:1].isdigit() and release < number):
            return False
    return True


def resources(schema, base="", pointer=""):
    """The URI of each schema with an $id, and where it stands in the document."""
    if isinstance(schema, dict) and isinstance(schema.get("$id"), str):
        base = urllib.parse.urljoin(base, schema["$id"])
        yield base, pointer
    for key, value in schema.items() if isinstance(schema, dict) else []:
        yield from resources(value, base, f"{pointer}/{key}")


def said(unit, known):
    """Where the schema stands that says it: the suite writes that from the document's root."""
    uri, _, pointer = unit["absoluteKeywordLocation"].rpartition("/")[0].partition("#")
    return f"#{known[uri]}{pointer}" if uri in known else f"{uri}#{pointer}"


def check_annotations(place):
    counts, good = {}, True
    for path in sorted((SUITE / "annotations/tests").glob("*.json")):
        for i, case in enumerate(json.loads(path.read_text())["suite"]):
            for dialect, release in RELEASES.items():
                if not is_compatible(case.get("compatibility"), release):
                    continue
                options = ["--dialect", dialect, "--output", "basic", "--annotations"]
                for k, (uri, document) in enumerate(case.get("externalSchemas", {}).items()):
                    file = place / f"{path.stem}-{i}-{dialect}-{k}.json"
                    file.write_text(json.dumps(document))
                    options += ["--registry", f"{uri}={file}"]
                known = dict(resources(case["schema"]))
                lines, why = validate(place / path.stem / str(i) / dialect, case["schema"], [test["instance"] for test in case["tests"]],
                                      *options)
                for test, line in zip(case["tests"], lines or [{}] * len(case["tests"])):
                    for want in test["assertions"]:
                        got = {said(unit, known): unit["annotation"] for unit in line.get("annotations", [])
                               if unit["instanceLocation"] == want["location"] and
                               unit["keywordLocation"].endswith("/" + want["keyword"])}
                        if got != want["expected"] or why:
                            print(f"annotations, {dialect}: {path.name}: {case['description']}: {want}, got {got} {why or ''}")
                            good = False
                        else:
                            counts[dialect] = counts.get(dialect, 0) + 1
    print("annotations:", ", ".join(f"{dialect} {count}" for dialect, count in counts.items()))
    return good and len(counts) == len(RELEASES)


def check_outputs(place):
    """Each output is validated by the schema that the suite has for it, which refers to that of the standard."""
    count, good = 0, True
    for folder in "draft2020-12", "draft2019-09":
        form = SUITE / "output-tests" / folder / "output-schema.json"
        for path in sorted((form.parent / "content").glob("*.json")):
            for i, group in enumerate(json.loads(path.read_text())):
                for k, test in enumerate(group["tests"]):
                    for name, schema in test["output"].items():
                        here = place / folder / path.stem / f"{i}-{k}-{name}"
                        options = ["--annotations"] if name != "flag" else []
                        lines, why = validate(here, group["schema"], [test["data"]], "--output", name, *options)
                        result = validate(here / "form", schema, lines or [{}], "--output", "flag", "--registry", str(form))
                        if why or not result[0] or not result[0][0]["valid"]:
                            print(f"output, {folder}/{path.name}: {test['description']}: {name}: {lines} {why or result[1] or ''}")
                            good = False
                        count += 1
    print(f"output formats: {count} tests")
    return good and count > 0


def main():
    if not (SUITE / "tests").is_dir():
        print(f"skipped: no JSON Schema test suite at {SUITE}; set TENON_SUITE")
        return 0
    listed = {line.partition(" | ")[0] for line in (ROOT / "tests/suite_skips.txt").read_text().splitlines() if " | " in line}
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        good = check_tests(place / "tests", listed)
        for name, check in ("annotations", check_annotations), ("output-tests", check_outputs):
            if (SUITE / name).is_dir():
                (place / name).mkdir()
                good &= check(place / name)
            else:
                print(f"skipped: the suite at {SUITE} has no {name}/")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
