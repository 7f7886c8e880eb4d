"""Reports of scanners, as real ones write them (reports/make says how), and bills of materials: what is kept of them, what becomes of
findings from one report to the next, and databases of earlier releases."""
import contextlib
import json
import sqlite3

import rig
from common import FILES, REPORTS, SARIF, STATUSES, counts_agree, stdio, take_in

TOOLS = {"semgrep": "Semgrep OSS", "bandit": "Bandit", "eslint": "ESLint", "gosec": "gosec"}
LATER = "2027-01-01T00:00:00Z"


def named(name, *reports):
    return [f"{name}={REPORTS / report}" for report in reports]


def findings(client, **filters):
    return client.ok("search_vulnerabilities", statuses=STATUSES, pageSize=100, **filters)["items"]


def details(client, item):
    return client.ok("get_vulnerability", vulnId=item["vulnId"])["vulnerability"]


def sarif(*results, tool="Scan", at=None, rules=(), **run):
    return {"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": tool, "rules": list(rules)}}, "results": list(results),
        **({"invocations": [{"executionSuccessful": True, "endTimeUtc": at}]} if at else {}), **run}]}


def result(rule, file, line, snippet=None, message="m", **more):
    region = {"startLine": line, **({"snippet": {"text": snippet}} if snippet else {})}
    return {"ruleId": rule, "message": {"text": message},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": file}, "region": region}}], **more}


def write(place, name, value):
    file = place.path / name
    file.write_text(json.dumps(value))
    return file


def take(place, *values, app="app"):
    """Takes the reports in together, as those of one application."""
    files = [f"{app}={write(place, f'report{number}.sarif', value)}" for number, value in enumerate(values)]
    ended = take_in(place, *files)
    assert ended == (0, ""), ended
    counts_agree(place)


# ---- Several reports of one application -----------------------------------------------------------------------------

def test_scanners_of_one_program():
    with rig.Place() as place:
        assert take_in(place, *named("notes", *(f"{tool}.sarif" for tool in TOOLS))) == (0, "")
        with stdio(place) as client:
            assert [app["appId"] for app in client.ok("search_applications")["items"]] == ["notes"]
            tools = [details(client, item)["tool"] for item in findings(client)]
            assert {tool: tools.count(tool) for tool in TOOLS.values()} == {"Semgrep OSS": 4, "Bandit": 7, "ESLint": 6, "gosec": 4}, tools


def test_names_of_files_and_applications():
    with rig.Place() as place:
        odd = write(place, "a=b.sarif", sarif(result("r", "f.c", 1)))
        assert take_in(place, odd) == (0, "")  # a file that is there, as before
        for given, said in ((f"={odd}", "The name before ="), (f"{'x' * 201}={odd}", "The name before ="),
                            (f"name={place.path / 'none'}", "No such file"),
                            (f"shop={write(place, 'own.json', {'types': ['t']})}", "It names its applications itself")):
            code, text = take_in(place, given)
            assert code == 1 and said in text, (given, text)
        code, text = take_in(place, f"a\tb={odd}")
        assert code == 2 and "control characters" in text, text
        with stdio(place, "--import", f"Shop é={odd}") as client:
            assert [app["appId"] for app in client.ok("search_applications")["items"]] == ["Shop é", "a=b"]


def test_a_name_wins_over_the_report():
    with rig.Place() as place:
        assert take_in(place, *(f"one={file}" for file in SARIF)) == (0, "")
        with stdio(place) as client:
            assert [app["appId"] for app in client.ok("search_applications")["items"]] == ["one"]
            assert {details(client, item)["tool"] for item in findings(client)} == {"CodeQL (language:javascript)", "Semgrep OSS", "Trivy"}


# ---- What is kept ---------------------------------------------------------------------------------------------------

def test_what_real_reports_say():
    wanted = {
        "query-from-request": ("notes.py:12:12", ["CWE-89"], "database.execute", "https://example.com/rules/query-from-request", "query-from-request"),
        "B608": ("notes.py:12:29", ["CWE-89"], "SELECT text", "b608_hardcoded_sql_expressions", "hardcoded_sql_expressions"),
        "no-eval": ("notes.js:16:12", [], None, "https://eslint.org/docs/", None),
        "G401": ("notes.go:13:21", ["CWE-328"], "md5.Sum", None, "Use of Weak Hash")}
    with rig.Place() as place, stdio(place, *sum((["--import", one] for one in named("notes", *(f"{tool}.sarif" for tool in TOOLS))), [])) as client:
        for rule, (location, cwes, snippet, address, name) in wanted.items():
            [item] = findings(client, vulnTypes=[rule])
            more = details(client, item)
            assert more["location"].endswith(location) and more["cwes"] == cwes, more
            assert snippet in more["snippet"] if snippet else "snippet" not in more, more
            assert more["rule"].get("name") == name, more
            assert address in more["rule"]["helpUri"] if address else "helpUri" not in more["rule"], more
            for cwe in cwes:
                assert item in findings(client, vulnTags=cwe.lower())
        assert {item["vulnType"] for item in findings(client, vulnTags="CWE-95")} == {"evaluates-text", "evaluates-text-in-page"}


def test_code_flow():
    steps = [{"location": {"physicalLocation": {"artifactLocation": {"uri": "f.c"}, "region": {"startLine": n + 1, "startColumn": 2}},
                           "message": {"text": f"step {n}"}}} for n in range(60)]
    flows = lambda some: {"codeFlows": [{"threadFlows": [{"locations": some}, {"locations": []}]}, {"threadFlows": []}]}  # noqa: E731
    with rig.Place() as place:
        take(place, sarif(result("short", "f.c", 3, **flows(steps[:3])), result("long", "f.c", 3, **flows(steps)), result("none", "f.c", 3)))
        with stdio(place) as client:
            short, long, none = (findings(client, vulnTypes=[rule])[0] for rule in ("short", "long", "none"))
            assert details(client, short)["codeFlow"] == [{"location": f"f.c:{n + 1}:2", "message": f"step {n}"} for n in range(3)]
            answer = client.ask("get_vulnerability", {"vulnId": long["vulnId"]})
            assert len(answer["data"]["vulnerability"]["codeFlow"]) == 40
            assert answer["messages"] == ["Only the first 40 steps of the code flow are kept."]
            assert details(client, none)["codeFlow"] == []


def test_weaknesses_however_they_are_written():
    rules = [{"id": "tags", "properties": {"tags": ["external/cwe/cwe-022", "CWE-89: SQL", "security"]}},
             {"id": "bag", "properties": {"cwe": ["CWE-79", "CWE-80"]}}, {"id": "text", "properties": {"cwe": "CWE-787"}},
             {"id": "relation", "relationships": [{"target": {"id": "327", "toolComponent": {"name": "CWE"}}},
                                                  {"target": {"id": "A02", "toolComponent": {"name": "OWASP"}}}]}, {"id": "taxa"}]
    with rig.Place() as place:
        take(place, sarif(*(result(rule["id"], "f.c", 1, **({"taxa": [{"id": "CWE-5"}, {"id": "7", "toolComponent": {"name": "cwe"}}]}
                                                            if rule["id"] == "taxa" else {})) for rule in rules), rules=rules))
        with stdio(place) as client:
            got = {item["vulnType"]: details(client, item)["cwes"] for item in findings(client)}
            assert got == {"tags": ["CWE-22", "CWE-89"], "bag": ["CWE-79", "CWE-80"], "text": ["CWE-787"], "relation": ["CWE-327"],
                           "taxa": ["CWE-5", "CWE-7"]}, got


def test_hostile_reports_are_bounded():
    """What is kept of a result has a size, whatever the report says; addresses are those that a person can open."""
    long = "é" * 100_000
    rules = [{"id": "r" * 5000, "name": "n" * 5000, "helpUri": "javascript:alert(1)", "fullDescription": {"text": "d" * 5000},
              "properties": {"tags": [f"tag{n}" for n in range(5000)] + ["t" * 300]}}]
    hostile = result("r" * 5000, "f" * 5000, 1, "s" * 50_000, message="m" * 50_000, fingerprints={long[:9]: long}, codeFlows=[
        {"threadFlows": [{"locations": [{"location": {"message": {"text": "x" * 5000}, "physicalLocation": {"artifactLocation": {
            "uri": "y" * 5000}}}} for _ in range(100)]}]}], taxa=[{"id": f"CWE-{n}"} for n in range(3000)],
                     suppressions=[{"status": "rejected"}] * 3000, properties={"tags": ["u" * 201, "kept"], "cwe": {"a": [1]}})
    with rig.Place() as place:
        take(place, sarif(hostile, hostile, result("r", "f", 1, long, message=long), tool="T" * 5000, rules=rules), app="x" * 200)
        kept = place.sql("SELECT max(length(tag)), count(*) FROM finding_tags")
        assert kept == [(7, 100)], kept  # 50 of the result, 50 of its rule
        assert place.sql("SELECT max(length(name)) FROM types UNION ALL SELECT max(length(name)) FROM sources UNION ALL SELECT max(length(name)) "
                         "FROM rules UNION ALL SELECT max(length(description)) FROM rules UNION ALL SELECT max(length(snippet)) FROM evidence "
                         "UNION ALL SELECT max(length(title)) FROM findings UNION ALL SELECT max(length(place)) <= 1010 FROM findings UNION ALL "
                         "SELECT max(length(flow)) < 60000 FROM evidence UNION ALL SELECT max(help) = '' FROM rules") == [
                             (200,), (200,), (200,), (1000,), (2000,), (2000,), (1,), (1,), (1,)]
        with stdio(place) as client:
            for item in findings(client):
                answer = client.ask("get_vulnerability", {"vulnId": item["vulnId"]})
                assert answer["status"] == "SUCCESS" and len(json.dumps(answer, ensure_ascii=False)) < 70_000
                assert item in findings(client, vulnTypes=[item["vulnType"]])


def test_long_names_of_many_runs():
    """What takes the square of a text's length is given a short one: else these runs would take minutes."""
    run = sarif(tool="Scan")["runs"][0]
    text = "a" * 30_000 + "b" * 30_000
    runs = [{**run, "automationDetails": {"id": f"/{text}"}, "versionControlProvenance": [{"repositoryUri": f"https://h/{text}"}]}] * 60
    spdx = {"spdxVersion": "SPDX-2.3", "SPDXID": "x", "name": "n", "creationInfo": {"creators": [f"Tool: -{text}"]}}
    with rig.Place() as place:
        take(place, {"version": "2.1.0", "runs": runs}, spdx)
        assert place.sql("SELECT max(length(name)) FROM sources") == [(200,)]


# ---- From one report to the next --------------------------------------------------------------------------------------

def test_a_program_that_changes():
    """The same scanners after a change that moves every line, mends one thing and breaks another."""
    with rig.Place() as place:
        assert take_in(place, *named("notes", "bandit.sarif", "semgrep.sarif", "gosec.sarif")) == (0, "")
        with stdio(place) as client:
            before = {item["vulnId"]: item for item in findings(client)}
            [lost] = [item for item in before.values() if item["vulnType"] == "B608"]
            [yaml] = [item for item in before.values() if item["vulnType"] == "B506"]
            client.ok("update_vulnerability_status", vulnId=yaml["vulnId"], status="NotAProblem", note="The data is ours.")
        assert take_in(place, *named("notes", "bandit-later.sarif")) == (0, "")
        counts_agree(place)
        with stdio(place) as client:
            after = {item["vulnId"]: item for item in findings(client)}
            assert set(before) < set(after)
            [new] = [after[number] for number in set(after) - set(before)]
            assert (new["vulnType"], new["location"], new["status"]) == ("B307", "notes.py:40:12", "Reported")
            moved = {item["location"] for item in after.values() if item["vulnType"] == "B307"}
            assert moved == {"notes.py:32:12", "notes.py:36:12", "notes.py:40:12"}  # equal code twice, each known again
            assert after[yaml["vulnId"]]["status"] == "NotAProblem" and after[yaml["vulnId"]]["location"] == "notes.py:24:12"
            assert after[lost["vulnId"]]["status"] == "AutoRemediated"
            [change] = details(client, lost)["statusChanges"]
            assert (change["from"], change["to"]) == ("Reported", "AutoRemediated") and "Not in the report of Bandit of " in change["note"], change
            # What other tools said is left alone.
            assert {number for number, item in after.items() if item["status"] == "AutoRemediated"} == {lost["vulnId"]}
            assert lost["vulnId"] not in {item["vulnId"] for item in client.ok("search_vulnerabilities", pageSize=100)["items"]}


def test_gone_and_back_again():
    one, two = result("r", "f.c", 1, "one()"), result("r", "f.c", 9, "two()")
    days = [f"2026-06-{day:02}T00:00:00Z" for day in range(1, 20)]

    def state(client, number):
        more = client.ok("get_vulnerability", vulnId=number)["vulnerability"]
        return more["status"], [(change["from"], change["to"]) for change in more["statusChanges"]]

    with rig.Place() as place:
        take(place, sarif(one, two, at=days[0]))
        with stdio(place) as client:
            client.ok("update_vulnerability_status", vulnId=2, status="Confirmed")
        take(place, sarif(one, at=days[2]))
        with stdio(place) as client:
            assert state(client, 2) == ("AutoRemediated", [("Confirmed", "AutoRemediated"), ("Reported", "Confirmed")])
        take(place, sarif(one, two, at=days[1]))  # an old report opens nothing, and closes nothing
        take(place, sarif(at=days[1]))
        take(place, sarif(one, at=days[2]))  # the same again changes nothing
        with stdio(place) as client:
            assert state(client, 1) == ("Reported", []) and state(client, 2)[0] == "AutoRemediated"
        take(place, sarif(one, two, at=days[3]))
        with stdio(place) as client:
            assert state(client, 2) == ("Confirmed", [("AutoRemediated", "Confirmed"), ("Confirmed", "AutoRemediated"), ("Reported", "Confirmed")])
            assert "again" in details(client, {"vulnId": 2})["statusChanges"][0]["note"]
            client.ok("update_vulnerability_status", vulnId=2, status="Fixed")
        take(place, sarif(one, at=days[4]))
        with stdio(place) as client:
            assert state(client, 2)[0] == "Fixed"  # a person said so, and it is gone
        take(place, sarif(one, two, at=days[5]))
        with stdio(place) as client:
            assert state(client, 2)[0] == "Reported"
        take(place, sarif(at=days[6]))  # a scan that finds nothing
        with stdio(place) as client:
            assert state(client, 1)[0] == state(client, 2)[0] == "AutoRemediated"


def test_what_closes_nothing():
    """Another tool, another application, another category, a run that failed or did not look."""
    found = sarif(result("r", "f.c", 1), at="2026-06-01T00:00:00Z", automationDetails={"id": "c/1"})
    for app, other in (("app", sarif(tool="Other", at=LATER)), ("app2", sarif(at=LATER)), ("app", sarif(at=LATER)),
                       ("app", sarif(at=LATER, automationDetails={"id": "d/2"})),
                       ("app", {**(run := sarif(automationDetails={"id": "c/2"})), "runs": [{**run["runs"][0], "results": None}]}),
                       ("app", sarif(automationDetails={"id": "c/2"}, invocations=[{"executionSuccessful": False, "endTimeUtc": LATER}]))):
        with rig.Place() as place:
            take(place, found)
            take(place, other, app=app)
            assert place.sql("SELECT status FROM findings") == [(0,)], other
            take(place, sarif(at=LATER, automationDetails={"id": "c/9"}))
            assert place.sql("SELECT status FROM findings") == [(6,)]


def test_reports_of_one_start_add_up():
    with rig.Place() as place:
        parts = [sarif(result("r", f"{n}.c", 1), at="2026-06-01T00:00:00Z") for n in range(3)]
        take(place, *parts)
        assert place.sql("SELECT status FROM findings") == [(0,), (0,), (0,)]
        take(place, *[sarif(result("r", f"{n}.c", 1), at="2026-06-02T00:00:00Z") for n in range(2)])
        assert place.sql("SELECT status FROM findings ORDER BY id") == [(0,), (0,), (6,)]


def test_suppressed_in_the_source():
    for statuses, wanted in (([None, "accepted"], 3), (["accepted", None], 0), ([None, "accepted", None], 0)):
        with rig.Place() as place:
            for day, status in enumerate(statuses):
                take(place, sarif(result("r", "f.c", 1, **({"suppressions": [{"status": status}]} if status else {})), at=f"2026-06-0{day + 1}T00:00:00Z"))
            assert place.sql("SELECT status FROM findings") == [(wanted,)], statuses
    with rig.Place() as place:  # a person's word is kept
        take(place, sarif(result("r", "f.c", 1), at="2026-06-01T00:00:00Z"))
        with stdio(place) as client:
            client.ok("update_vulnerability_status", vulnId=1, status="NotAProblem", note="n")
        take(place, sarif(result("r", "f.c", 1), at="2026-06-02T00:00:00Z"))
        assert place.sql("SELECT status FROM findings") == [(3,)]


def test_known_again():
    """By a fingerprint, else by the code, else by the place."""
    for before, after, same in (
            (result("r", "f.c", 1, "a()"), result("r", "f.c", 7, "  a( )"), True),
            (result("r", "f.c", 1, "a()"), result("r", "f.c", 1, "b()"), False),
            (result("r", "f.c", 1), result("r", "f.c", 1, message="other words"), True),
            (result("r", "f.c", 1), result("r", "f.c", 2), False),
            (result("r", "f.c", 1), result("r", "f.c", 1, "a()"), True),  # the report has more than the one before
            (result("r", "f.c", 1, "a()", fingerprints={"x/v1": "1"}), result("r", "f.c", 5, "b()", fingerprints={"x/v1": "1"}), True),
            (result("r", "f.c", 1, "a()", fingerprints={"x/v1": "1"}), result("r", "f.c", 1, "a()", fingerprints={"x/v1": "2"}), False),
            (result("r", "f.c", 1, "a()", fingerprints={"x/v1": "requires login"}), result("r", "f.c", 1, "b()", fingerprints={"x/v1": "requires login"}), False),
            (result("r", "f.c", 1, partialFingerprints={"h/v1": "1"}), result("r", "f.c", 5, partialFingerprints={"h/v1": "1"}), True),
            (result("r", "f.c", 1, "a()"), result("q", "f.c", 1, "a()"), False), (result("r", "f.c", 1, "a()"), result("r", "g.c", 1, "a()"), False),
            (result("r", "f.c", 12, "11: x\n12: a()\n13: y"), result("r", "f.c", 22, "21: z\n22: a()\n23: y"), True)):
        with rig.Place() as place:
            take(place, sarif(before, at="2026-06-01T00:00:00Z"))
            take(place, sarif(after, at="2026-06-02T00:00:00Z"))
            assert len(place.sql("SELECT id FROM findings")) == (1 if same else 2), (before, after)
    with rig.Place() as place:  # one place, two messages; the same twice
        take(place, sarif(result("r", "image", 1, message="package a"), result("r", "image", 1, message="package b"), result("r", "image", 1, message="package a")))
        assert len(place.sql("SELECT id FROM findings")) == 2


# ---- Databases of earlier releases ----------------------------------------------------------------------------------

def test_database_of_release_0_1():
    with rig.Place() as place:
        place.database.parent.mkdir(exist_ok=True)
        with contextlib.closing(sqlite3.connect(place.database)) as old:
            old.executescript((FILES / "release-0.1.sql").read_text())
        with stdio(place) as client:
            before = findings(client)
            assert len(before) == 8 and details(client, {"vulnId": 1})["tool"] == "CodeQL"
            assert [one["name"] for one in client.ok("list_application_libraries", appId="storefront")["items"]] == ["lodash"]
        assert place.sql("PRAGMA user_version") == [(5,)]
        counts_agree(place)
        later = []
        for file in SARIF[:2]:
            value = json.loads(file.read_text(encoding="utf-8-sig"))
            run = value["runs"][0]
            run["invocations"][0]["endTimeUtc"] = LATER
            for one in run["results"]:
                if "partialFingerprints" in one:
                    one["locations"][0]["physicalLocation"]["region"]["startLine"] += 3
            run["results"] = [one for one in run["results"] if one.get("ruleIndex") != 1]
            later.append(write(place, file.name, value))
        assert take_in(place, *later) == (0, "")
        counts_agree(place)
        with stdio(place) as client:
            after = {item["vulnId"]: item["status"] for item in findings(client)}
            # Every finding is known again, decisions are kept, and what the new report lacks is closed.
            assert after == {**{item["vulnId"]: item["status"] for item in before}, 5: "AutoRemediated"}, after


# ---- Bills of materials -----------------------------------------------------------------------------------------------

def libraries(client, app):
    return client.ok("list_application_libraries", appId=app)["items"]


def test_real_bills_of_materials():
    npm = {("@tootallnate/once", "2.0.0", "MIT"), ("lodash", "4.17.20", "MIT"), ("minimist", "1.2.5", "MIT")}
    python = {("Jinja2", "2.11.2", None), ("MarkupSafe", "1.1.1", None), ("PyYAML", "5.3", None)}
    for file, app, wanted in (("npm.cdx.json", "notes", npm), ("npm.spdx.json", "notes", npm), ("cyclonedx-npm.cdx.json", "notes", npm),
                              ("cyclonedx-py.cdx.json", "cyclonedx-py", python)):
        with rig.Place() as place, stdio(place, "--import", REPORTS / file) as client:
            assert [one["appId"] for one in client.ok("search_applications")["items"]] == [app], file
            got = libraries(client, app)
            assert {(one["name"], one["version"], one.get("license")) for one in got} == wanted, got
            assert all(one["purl"].startswith("pkg:") and not one["usageKnown"] for one in got), got
    with rig.Place() as place:
        assert take_in(place, *named("shop", "npm.cdx.json", "npm.spdx.json", "cyclonedx-npm.cdx.json", "cyclonedx-py.cdx.json")) == (0, "")
        with stdio(place) as client:
            assert [one["appId"] for one in client.ok("search_applications")["items"]] == ["shop"]
            assert len(libraries(client, "shop")) == 6


def test_vulnerabilities_of_a_bill():
    with rig.Place() as place, stdio(place, "--import", FILES / "vulnerable.cdx.json") as client:
        got = {(one["name"], one["version"]): (one["cves"], one.get("license")) for one in libraries(client, "ledger")}
        assert got == {("org.apache.logging.log4j:log4j-core", "2.14.1"): (["CVE-2021-44228"], "Apache-2.0, Some other"),
                       ("shaded", "1.0"): ([], None), ("@angular/core", "12.0.0"): (["GHSA-aaaa-bbbb-1234"], "MIT OR Apache-2.0"),
                       ("lodash", "4.17.20"): (["CVE-2021-23337"], None), ("no-version", "unknown"): ([], None)}, got
        for cve in "CVE-2021-44228", "cve-2021-23337", "ghsa-AAAA-BBBB-1234":
            [one] = client.ok("list_applications_by_cve", cveId=cve)["applications"]
            assert (one["appId"], one["usageKnown"]) == ("ledger", False), one
        assert len(client.ok("list_application_libraries", appId="ledger", onlyVulnerable=True)["items"]) == 3
        assert client.messages("list_application_libraries", appId="ledger", onlyUsed=True)[0] == \
            "Of 5 more it is not known whether they are used; onlyUsed leaves them out."


def bill(*parts, tool="t", about="app", at="2026-06-01T00:00:00Z", **more):
    return {"bomFormat": "CycloneDX", "specVersion": "1.4", "metadata": {"timestamp": at, "tools": [{"name": tool}], "component": {"type": "application", "name": about}},
            "components": [{"type": "library", "bom-ref": name, "name": name, "version": "1"} for name in parts], **more}


def test_libraries_that_are_gone():
    with rig.Place() as place:
        names = lambda: [row[0] for row in place.sql("SELECT name FROM libraries ORDER BY name")]  # noqa: E731
        flaw = {"vulnerabilities": [{"id": "CVE-2021-0001", "affects": [{"ref": "a"}, {"ref": "b"}]}]}
        take(place, bill("a", "b", **flaw))
        take(place, bill("b", "c", tool="other", at="2026-06-02T00:00:00Z"))
        assert names() == ["a", "b", "c"]
        take(place, bill("c", at="2026-05-01T00:00:00Z"))  # an old one removes nothing
        assert names() == ["a", "b", "c"]
        take(place, bill("c", at="2026-06-03T00:00:00Z"))
        assert names() == ["b", "c"] and place.sql("SELECT count(*) FROM library_cves") == [(1,)]  # the other tool still has b
        take(place, bill("b", tool="other", at="2026-06-04T00:00:00Z", vulnerabilities=[]))  # and it has no flaw any more
        assert names() == ["b", "c"] and place.sql("SELECT count(*) FROM library_cves") == [(0,)]
        take(place, bill(about="part", at=LATER))  # another part of the application
        take(place, bill(at=LATER), app="another")
        assert names() == ["b", "c"]
        assert take_in(place, write(place, "own.json", {"applications": [{"appId": "app", "name": "App"}], "libraries": [
            {"appId": "app", "name": "c", "version": "1", "classCount": 4, "classesUsed": 2}]})) == (0, "")
        take(place, bill(at=LATER))
        assert names() == ["b", "c"] and place.sql("SELECT used, usage_known FROM libraries WHERE name = 'c'") == [(2, 1)]


def test_bills_that_are_refused():
    for value, said in (({"bomFormat": "CycloneDX", "specVersion": "1.1"}, "specVersion must be one of: 1.4, 1.5, 1.6"),
                        ({"bomFormat": "Other", "specVersion": "1.4"}, "bomFormat must"),
                        (bill() | {"components": [{"type": "library"}]}, "/components/0/name"),
                        (bill() | {"components": [{"type": "library", "name": "a", "components": [{"name": ""}]}]}, "/components/0/components/0/"),
                        (bill(vulnerabilities=[{"affects": [{}]}]), "/vulnerabilities/0/affects/0/ref"),
                        ({"spdxVersion": "SPDX-3.0", "SPDXID": "x", "name": "n"}, "spdxVersion must be one of: SPDX-2.2, SPDX-2.3"),
                        ({"spdxVersion": "SPDX-2.3", "SPDXID": "x", "name": "n", "packages": [{"name": "a"}]}, "/packages/0/SPDXID")):
        with rig.Place() as place:
            code, text = take_in(place, write(place, "bad.json", value))
            assert code == 1 and said in text, (value, text)
            assert place.sql("SELECT count(*) FROM libraries") == [(0,)]


def test_hostile_bills_are_bounded():
    nested = {"type": "library", "name": "n0", "version": "1"}
    for depth in range(1, 60):
        nested = {"type": "library", "name": f"n{depth}", "version": "1", "components": [nested]}
    many = [{"id": f"CVE-2021-{n:04}", "affects": [{"ref": f"a{m}"} for m in range(200)]} for n in range(200)]
    hostile = bill(*(f"a{n}" for n in range(200)), vulnerabilities=many)
    hostile["components"] += [nested, {"type": "library", "name": "x" * 5000, "version": "v" * 5000, "purl": "p" * 5000,
                                       "licenses": [{"license": {"id": "l" * 5000}}] * 500}, {"type": "library", "name": "  "}]
    with rig.Place() as place:
        take(place, hostile)
        assert place.sql("SELECT max(length(name)), max(length(version)), max(length(license)), max(length(purl)) FROM libraries") == [(200, 200, 200, 0)]
        assert place.sql("SELECT count(*) FROM libraries WHERE name GLOB 'n[0-9]*'") == [(32,)]
        assert place.sql("SELECT count(*) FROM library_cves") == [(40000,)]
        with stdio(place) as client:
            answer = client.ask("list_application_libraries", {"appId": "app"})
            assert answer["status"] == "SUCCESS" and len(json.dumps(answer)) < 70_000


def same_ref(parts, flaws, names=None):
    """Components with one bom-ref, and vulnerabilities that affect it."""
    return bill() | {"components": [{"type": "library", "bom-ref": "x\ny", "name": f"n{n % (names or parts)}", "version": "1"} for n in range(parts)],
                     "vulnerabilities": [{"id": f"CVE-2021-{n:04}", "affects": [{"ref": "x\ny"}]} for n in range(flaws)]}


def test_one_reference_of_many_components():
    """Refused before each vulnerability meets each component; a component that is only repeated is one."""
    for value, libraries_wanted, pairs in ((same_ref(16, 3), 16, 48), (same_ref(2000, 2000, names=1), 1, 2000)):
        with rig.Place() as place:
            take(place, value)
            assert place.sql("SELECT count(*) FROM libraries") == [(libraries_wanted,)]
            assert place.sql("SELECT count(*) FROM library_cves") == [(pairs,)]
    for value, said in ((same_ref(17, 3), 'components: the bom-ref "x\\ny" names 17 different components. It must name one; up to 16 are imported.'),
                        (same_ref(5000, 5000), "names 5000 different components"),
                        (bill(*(f"a{n}" for n in range(201)), vulnerabilities=[
                            {"references": [{"id": f"CVE-2021-{n:04}{m:02}"} for m in range(50)], "affects": [{"ref": f"a{m}"} for m in range(201)]}
                            for n in range(100)]),
                         "vulnerabilities: more than 1000000 libraries with an advisory.")):
        with rig.Place() as place:
            file = write(place, "shop.cdx.json", value)
            code, text = take_in(place, file)
            assert code == 1 and f"{file} is not imported" in text and said in text, text
            assert len(text) < 1000 and place.sql("SELECT count(*) FROM libraries") == [(0,)], text
