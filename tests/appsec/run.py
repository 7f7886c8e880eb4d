#!/usr/bin/env python3
"""The server of application security, as clients use it: every tool, every error, imports, writers at once, killed processes.

    tests/appsec/run.py [--long] [--update] [NAME...]    the tests whose name has one of these words in it

--long: pages over 1,000,000 findings instead of 20,000. --update writes the golden answers; read the difference before you keep it.
"""
import concurrent.futures
import contextlib
import json
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE.parents[1] / "bench" / "appsec"))
sys.path.insert(0, str(HERE))
import paging  # noqa: E402
import reported  # noqa: E402
import rig  # noqa: E402
from common import FILES, REPORTS, SARIF, STATUSES, command, counts_agree, http, sample, stdio, take_in  # noqa: E402

GOLDEN = HERE / "golden.json"
UPDATE = False


# ---- Answers ------------------------------------------------------------------------------------------------------

def without_now(value):
    """A change of status is made now, and how long a search takes is not to be tested."""
    if isinstance(value, str):
        return re.sub(r"(?<=^Searched )(\d+ applications?) in \d+ ms", r"\1 in N ms", value)
    if isinstance(value, dict):
        return {key: "NOW" if key == "at" else without_now(one) for key, one in value.items()}
    return [without_now(one) for one in value] if isinstance(value, list) else value


def golden(client):
    return [{"tool": case["tool"], "arguments": case["arguments"],
             "answer": without_now(client.ask(case["tool"], case["arguments"]))} for case in json.loads(GOLDEN.read_text())]


def compare(got):
    for case, wanted in zip(got, json.loads(GOLDEN.read_text()), strict=True):
        assert case == wanted, f"{case['tool']} {case['arguments']}:\n{json.dumps(case['answer'])}\nnot\n{json.dumps(wanted['answer'])}"


def test_golden_stdio():
    for modern in True, False:
        with rig.Place() as place, stdio(place, "--sample", modern=modern) as client:
            got = golden(client)
        if UPDATE:
            GOLDEN.write_text("[\n" + ",\n".join(json.dumps(case, indent=1) for case in got) + "\n]\n")
        compare(got)


def test_golden_http():
    with rig.Place() as place, http(place, "--sample") as client:
        compare(golden(client))


def test_every_tool_has_golden_answers():
    with sample() as client:
        tools = {tool["name"] for tool in client.request("tools/list", {})["result"]["tools"]}
    cases = json.loads(GOLDEN.read_text())
    assert len(tools) == 11 and tools == {case["tool"] for case in cases}
    for tool in tools:
        assert any(case["answer"]["status"] == "SUCCESS" for case in cases if case["tool"] == tool), tool


def test_descriptions_are_short():
    with sample() as client:
        for tool in client.request("tools/list", {})["result"]["tools"]:
            verb = tool["name"].split("_")[0]
            words = len(tool["description"].split())
            assert words <= {"search": 150, "list": 40, "get": 40, "update": 60}[verb], (tool["name"], words)
            assert len(tool["name"]) <= 64


def test_answers_spell_what_filters_take():
    with sample() as client:
        everything = client.ok("search_vulnerabilities", statuses=STATUSES, pageSize=100)["items"]
        assert len(everything) == 39
        for item in everything:
            again = client.ok("search_vulnerabilities", severities=[item["severity"]], statuses=[item["status"]],
                              vulnTypes=[item["vulnType"]], environments=item["environments"], pageSize=100,
                              lastSeenAfter=item["lastSeen"], lastSeenBefore=item["lastSeen"])["items"]
            assert item in again, item
            assert item in client.ok("search_app_vulnerabilities", appId=item["appId"], statuses=item["status"].upper(),
                                     vulnTypes=item["vulnType"].upper(), pageSize=100)["items"]
            details = client.ok("get_vulnerability", vulnId=item["vulnId"], appId=item["appId"])["vulnerability"]
            assert item.items() <= details.items()
            if details["tags"]:
                assert item in client.ok("search_vulnerabilities", vulnTags=details["tags"], statuses=STATUSES,
                                         pageSize=100)["items"]
            if details["sessionMetadata"]:
                assert item in client.ok("search_app_vulnerabilities", appId=item["appId"], statuses=STATUSES,
                                         sessionMetadataFilters=details["sessionMetadata"], pageSize=100)["items"]
        for name in client.ok("list_vulnerability_types")["types"]:
            client.ok("search_vulnerabilities", vulnTypes=[name])
            client.ok("search_attacks", rules=[name])
        for attack in client.ok("search_attacks", includeSuppressed=True)["items"]:
            assert attack in client.ok("search_attacks", rules=attack["type"], statusFilter=attack["status"], keyword=attack["sourceIP"],
                                       includeSuppressed=True, startDate=attack["startTime"], endDate=attack["endTime"])["items"]
        for app in client.ok("search_applications")["items"]:
            assert [app] == client.ok("search_applications", name=app["name"], tag=app["tags"][0],
                                      metadataFilters=json.dumps(app["metadata"]))["items"]
            for library in client.ok("list_application_libraries", appId=app["appId"])["items"]:
                for cve in library.get("cves", []):
                    assert app["appId"] in [one["appId"] for one in client.ok("list_applications_by_cve", cveId=f" {cve.lower()} ")["applications"]]
        for server in client.ok("search_servers", includeApplications=True)["items"]:
            assert server in client.ok("search_servers", includeApplications=True, environments=server["environment"],
                                       applicationIds=server["applications"], logLevels=server["logLevel"],
                                       agentVersions=server["agentVersion"])["items"]


def matches(item, filters):
    return (item["severity"] in filters.get("severities", [item["severity"]]) and item["status"] in filters["statuses"]
            and item["vulnType"] in filters.get("vulnTypes", [item["vulnType"]])
            and set(item["environments"]) & set(filters.get("environments", item["environments"]))
            and filters.get("lastSeenAfter", "") <= item["lastSeen"][:10] <= filters.get("lastSeenBefore", "9"))


def test_every_filter_is_used():
    """Random filters against a filter of our own, page after page: each finding once, in order."""
    with sample() as client:
        everything = client.ok("search_vulnerabilities", statuses=STATUSES, pageSize=100)["items"]
        for seed in range(150):
            draw = random.Random(seed)
            some = lambda values: draw.sample(values, draw.randint(1, len(values)))  # noqa: E731
            filters = {"statuses": some(STATUSES)}
            for name, values in (("severities", ["CRITICAL", "HIGH", "MEDIUM", "LOW", "NOTE"]),
                                 ("environments", ["DEVELOPMENT", "QA", "PRODUCTION"]),
                                 ("vulnTypes", sorted({item["vulnType"] for item in everything}))):
                if draw.random() < 0.5:
                    filters[name] = some(values)
            if draw.random() < 0.4:
                filters["lastSeenAfter"] = f"2026-06-{draw.randint(1, 10):02}"
            if draw.random() < 0.4:
                filters["lastSeenBefore"] = f"2026-06-{draw.randint(10, 20):02}"
            wanted = [item for item in everything if matches(item, filters)]
            size, got, page = draw.randint(1, 15), [], 1
            while True:
                answer = client.ok("search_vulnerabilities", page=page, pageSize=size, **filters)
                got += answer["items"]
                assert answer["totalItems"] == len(wanted), (seed, filters)
                if not answer["hasMorePages"]:
                    break
                page += 1
            assert got == wanted, (seed, filters)


# ---- Errors -------------------------------------------------------------------------------------------------------

def texts(client, tool, **arguments):
    details = client.error("VALIDATION_ERROR", tool, **arguments)["details"]
    return [text for field in details["fieldErrors"].values() for text in field]


def test_names_that_are_not_there():
    with sample() as client:
        got = texts(client, "search_app_vulnerabilities", appId="shopp", vulnTypes="sql-injektion,nonsense-and-more")
        assert got == ["appId: there is no application 'shopp'. Did you mean 'shop'? search_applications finds ids.",
                       "vulnTypes: there is no type 'sql-injektion'. Did you mean 'sql-injection'? list_vulnerability_types has all of them.",
                       "vulnTypes: there is no type 'nonsense-and-more'. Valid: buffer-overflow, command-injection, cookie-flags-missing, "
                       "crypto-weak-hash, csrf, hardcoded-password, insecure-deserialization, log-injection, open-redirect, path-traversal, "
                       "reflected-xss, session-timeout, sql-injection, ssrf, stored-xss, use-after-free, xxe. "
                       "list_vulnerability_types has all of them."], got
        # of several that are as likely none is offered, and none that is only as long
        kind, = texts(client, "search_vulnerabilities", vulnTypes="xss")
        assert "Did you mean" not in kind and "reflected-xss" in kind, kind
        # how far a search went is said where it found nothing, once, beside the sentence that nothing matches
        said = client.messages("search_vulnerabilities", vulnTypes=["csrf"], severities="NOTE", statuses="Fixed", environments="QA")
        assert len(said) == 2 and re.fullmatch(r"Searched 4 applications in \d+ ms\.", said[0]) and said[1] == "No items match.", said
        # with everything else that is wrong, in the first answer
        got = texts(client, "search_vulnerabilities", vulnTypes=["nosuch", "sql-injektion"], severities="URGENT", lastSeenAfter="soon",
                    pageSize="many", nonsense=True)
        assert len(got) == 6 and len([text for text in got if text.startswith("vulnTypes: there is no type")]) == 2, got
        assert "rules" in texts(client, "search_attacks", rules="xxs")[0]
        assert len(texts(client, "search_servers", applicationIds="a,shop,b")) == 2
        client.error("VALIDATION_ERROR", "list_application_libraries", appId="none")
        assert client.ok("get_vulnerability", vulnId=10**12) == {"found": False}
        assert client.ok("get_vulnerability", vulnId=1, appId="none") == {"found": False}
        assert client.ok("get_vulnerability", vulnId=1, appId="bank-api") == {"found": False}
        assert client.ok("get_route_coverage", appId="none")["found"] is False
        assert client.ok("list_applications_by_cve", cveId="CVE-1999-0001")["found"] is False


EMPTY = [  # what is said of an answer without items, beside what is always said
    ("search_vulnerabilities", {"vulnTags": "nosuch,owasp"}, [
        "No vulnerability has the tag 'nosuch'. There are: owasp-top-10, sprint-12.",
        "No vulnerability has the tag 'owasp'. Did you mean 'owasp-top-10'? There are: owasp-top-10, sprint-12.",
        "Without vulnTags 28 would match.", "Searched 4 applications."]),
    ("search_vulnerabilities", {"vulnTags": "owasp-top-10", "severities": "NOTE"}, [
        "Without severities 6 would match, without vulnTags 2.", "Searched 4 applications."]),
    ("search_vulnerabilities", {"lastSeenAfter": "2030-01-01", "vulnTypes": "xxe"}, ["Without the dates 2 would match.", "Searched 4 applications."]),
    ("search_vulnerabilities", {"appId": "shop", "environments": "PRODUCTION", "severities": "NOTE"}, ["Without severities 3 would match."]),
    ("search_vulnerabilities", {"appId": "intranet", "vulnTypes": "use-after-free"}, ["Without vulnTypes 8 would match."]),
    ("search_app_vulnerabilities", {"appId": "shop", "sessionMetadataFilters": {"branch": "man", "teem": "x"}}, [
        "No session of this application has the metadata branch 'man'. Did you mean 'main'? There are: main, release-4.2.",
        "No session of this application has the metadata 'teem'. There are: branch, buildNumber, developer.",
        "Without the condition on sessions 8 would match."]),
    ("search_app_vulnerabilities", {"appId": "image-resizer", "useLatestSession": True}, [
        "No session of this application is recorded.", "Without the condition on sessions 3 would match."]),
    ("search_applications", {"metadataFilters": {"teem": "Checkout", "team": "Chekout,Ledger"}}, [
        "No application has the metadata 'teem'. Did you mean 'team'? There are: businessUnit, team.",
        "No application has the metadata team 'Chekout'. Did you mean 'Checkout'? There are: Checkout, Ledger, Media, Workplace.",
        "Without metadataFilters 4 would match."]),
    ("search_applications", {"tag": "paymnt", "name": "bank"}, [
        "No application has the tag 'paymnt'. Did you mean 'payment'? There are: internal, library, payment, pci, public.",
        "Without tag 1 would match."]),
    ("search_attacks", {"keyword": "zzz", "statusFilter": "BLOCKED"}, ["Without keyword 2 would match."]),
    ("search_servers", {"keyword": "zzz"}, ["Without keyword 5 would match."]),
    ("search_servers", {"tags": "xx", "agentVersions": "1"}, [
        "No server has the tag 'xx'. There are: eu, lab, pci.", "No server has the agentVersion '1'. There are: 5.9.9, 6.1.2, 6.4.0."]),
    ("list_application_libraries", {"appId": "shop", "keyword": "zzz"}, ["Without keyword 4 would match."]),
]
NOTHING = [  # and when there is nothing at all
    ("search_vulnerabilities", {}, "No vulnerability is known: no report with one was imported."),
    ("search_app_vulnerabilities", {"appId": "a"}, "No vulnerability of this application is known: no report of it has one."),
    ("search_attacks", {"keyword": "zzz"}, "Perhaps no agent reports attacks."),
    ("search_servers", {"keyword": "zzz"}, "No server is known: perhaps none was imported."),
    ("list_application_libraries", {"appId": "a"}, "No library of this application is known: perhaps none was imported.")]
ALWAYS = ("Using default statuses", "Time filters apply", "No items match.")


def test_why_nothing_matches():
    def said(client, tool, arguments):
        answer = client.ask(tool, arguments)
        assert answer["status"] == "SUCCESS" and answer["data"]["items"] == [], answer
        return [re.sub(r" in \d+ ms", "", text) for text in answer["messages"] if not text.startswith(ALWAYS)]

    with sample() as client:
        for tool, arguments, wanted in EMPTY:
            got = said(client, tool, arguments)
            assert got == wanted, (tool, arguments, got)
        assert client.messages("list_applications_by_cve", cveId="CVE-1999-0001") == [
            "No library here is known to have this CVE. Searched 9 libraries of 4 applications."]
        answer = client.ask("search_vulnerabilities", {"vulnTags": ["owasp-top-10", "x" * 200], "statuses": STATUSES})
        assert answer["data"]["items"] and answer["messages"][0].startswith("No vulnerability has the tag 'xxx"), answer
        odd = client.ask("search_vulnerabilities", {"vulnTags": ["a\nb\u202e" + "x" * 150], "statuses": STATUSES})["messages"][0]
        assert odd.startswith(f"No vulnerability has the tag 'a\\nb\\u{{202E}}{'x' * 96}...'. There are: "), odd
        assert len(client.ask("search_vulnerabilities", {"vulnTags": [f"{n}{'x' * 190}" for n in range(50)]})["messages"]) < 12
    with rig.Place() as place:
        (place.path / "a.json").write_text(json.dumps({"applications": [{"appId": "a", "name": "A"}]}))
        with stdio(place, "--import", place.path / "a.json") as client:
            for tool, arguments, wanted in NOTHING:
                assert wanted in said(client, tool, arguments), tool
        with stdio(place) as client:
            assert "Searched 1 application." in said(client, "search_vulnerabilities", {})


def test_an_application_among_all():
    with sample() as client:
        for filters in {}, {"severities": "CRITICAL,HIGH"}, {"vulnTags": "owasp-top-10"}:
            assert client.ok("search_vulnerabilities", appId="shop", **filters) == client.ok("search_app_vulnerabilities", appId="shop", **filters)
        app, kind = texts(client, "search_vulnerabilities", appId="shopp", vulnTypes="none-such")
        assert app == "appId: there is no application 'shopp'. Did you mean 'shop'? search_applications finds ids."
        assert kind.startswith("vulnTypes: there is no type 'none-such'. Valid: buffer-overflow, "), kind
        [tool] = [tool for tool in client.request("tools/list", {})["result"]["tools"] if tool["name"] == "search_vulnerabilities"]
        assert "search_app_vulnerabilities" in tool["inputSchema"]["properties"]["appId"]["description"]


def test_a_note_that_is_missing():
    with sample() as client:
        details = client.error("VALIDATION_ERROR", "update_vulnerability_status", vulnId=1, status="NotAProblem")["details"]
        assert details["fieldErrors"] == {"note": ["note is required with status NotAProblem: say why it is not a problem"]}, details
        assert [issue["parameter"] for issue in details["issues"]] == ["note"]
        assert client.ok("get_vulnerability", vulnId=1)["vulnerability"]["statusChanges"] == []
        assert client.ok("update_vulnerability_status", vulnId=1, status="NotAProblem", note="n")["status"] == "NotAProblem"


def test_contradictions():
    with sample() as client:
        for tool, arguments in (
                ("search_vulnerabilities", {"lastSeenAfter": "2026-07-01", "lastSeenBefore": "2026-06-01"}),
                ("search_vulnerabilities", {"statuses": []}), ("search_vulnerabilities", {"severities": "SUPER_HIGH"}),
                ("search_vulnerabilities", {"lastSeenAfter": "garbage"}), ("search_vulnerabilities", {"lastSeenAfter": -1}),
                ("search_vulnerabilities", {"vulnTyps": "xxe"}), ("search_attacks", {"sort": "startTime"}),
                ("search_attacks", {"startDate": "2026-07-01", "endDate": "2026-06-01"}),
                ("search_app_vulnerabilities", {"appId": "shop", "useLatestSession": True, "sessionMetadataFilters": {"a": "b"}}),
                ("search_app_vulnerabilities", {"appId": "shop", "sessionMetadataFilters": "{\"a\":"}),
                ("search_app_vulnerabilities", {"appId": "shop", "sessionMetadataFilters": {"branch": ""}}),
                ("search_app_vulnerabilities", {}), ("get_vulnerability", {"vulnId": 0}),
                ("get_route_coverage", {"appId": "shop", "sessionMetadataName": "branch"}),
                ("get_route_coverage", {"appId": "shop", "sessionMetadataValue": "main"}),
                ("get_route_coverage", {"appId": "shop", "sessionMetadataName": "a", "sessionMetadataValue": "b", "useLatestSession": True}),
                ("list_applications_by_cve", {"cveId": "log4shell"}),
                ("update_vulnerability_status", {"vulnId": 1, "status": "NotAProblem"}),
                ("update_vulnerability_status", {"vulnId": 1, "status": "Closed"})):
            client.error("VALIDATION_ERROR", tool, **arguments)


def test_other_errors():
    with sample() as client:
        assert client.error("NOT_FOUND", "update_vulnerability_status", vulnId=10**9, status="Fixed")["details"] == {"vulnId": 10**9}
        error = client.error("CONFLICT", "update_vulnerability_status", vulnId=1, status="Fixed", expectedStatus="Confirmed")
        assert error["details"]["status"] == "Reported"
        assert "already" in client.messages("update_vulnerability_status", vulnId=1, status="Reported")[0]


def test_a_writer_that_does_not_end():
    with rig.Place() as place, stdio(place, "--sample") as client:
        assert client.ok("get_vulnerability", vulnId=1)["found"]
        with contextlib.closing(sqlite3.connect(place.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert client.ok("get_vulnerability", vulnId=1)["found"]  # readers go on
            client.error("UNAVAILABLE", "update_vulnerability_status", vulnId=1, status="Fixed")
            other.execute("ROLLBACK")
        assert client.ok("update_vulnerability_status", vulnId=1, status="Fixed")["status"] == "Fixed"


def test_a_broken_database():
    """What went wrong inside is for the log; the client gets a reference."""
    with rig.Place() as place, stdio(place, "--sample") as client:
        client.ok("search_servers")
        with contextlib.closing(sqlite3.connect(place.database, isolation_level=None)) as other:
            other.execute("DROP TABLE server_apps")
            other.execute("DROP TABLE servers")
        answer = client.request("tools/call", {"name": "search_servers", "arguments": {}})["result"]["structuredContent"]
        assert answer["error"]["code"] == "INTERNAL_ERROR" and "servers" not in answer["error"]["message"], answer
        reference = answer["error"]["details"]["reference"]
        rig.until("the log has the reference", lambda: reference in client.said() and "no such table" in client.said())
        assert client.ok("search_applications")["totalItems"] == 4


def test_names_of_any_kind():
    with rig.Place() as place:
        file = place.path / "odd.json"
        names = ['a"b\\c,d', "é-Ünïcode", "percent%sd%n", "'; DROP TABLE types; --"]
        file.write_text(json.dumps({"applications": [{"appId": name, "name": name, "tags": [name]} for name in names], "vulnerabilities": [
            {"appId": name, "vulnType": name, "title": name, "location": name, "severity": "HIGH", "tags": [name],
             "firstSeen": "2026-01-01T00:00:00Z", "lastSeen": "2026-01-02t00:00:00+01:00"} for name in names]}))
        with stdio(place, "--import", file) as client:
            for name in names:
                found = client.ok("search_app_vulnerabilities", appId=name, vulnTypes=[name], vulnTags=[name])["items"]
                assert [(one["vulnType"], one["lastSeen"]) for one in found] == [(name, "2026-01-01T23:00:00Z")], found
                issues = client.error("VALIDATION_ERROR", "search_app_vulnerabilities", appId=name + "x", vulnTypes=[name + "x"])["details"]["issues"]
                assert [issue["suggestion"] for issue in issues] == [name, [name]], issues


# ---- Changes ------------------------------------------------------------------------------------------------------

def test_writers_at_once():
    """Each of several processes changes a status only from the one that it saw: no change is lost, none is made twice."""
    with rig.Place() as place:
        with stdio(place, "--sample"):
            pass
        made = []

        def write(seed):
            draw = random.Random(seed)
            with stdio(place) as client:
                for _ in range(25):
                    seen = client.ok("get_vulnerability", vulnId=1)["vulnerability"]["status"]
                    to = draw.choice([one for one in STATUSES if one != seen])
                    answer = client.ask("update_vulnerability_status", {"vulnId": 1, "status": to, "expectedStatus": seen, "note": "n"})
                    if answer["status"] == "SUCCESS":
                        made.append((seen, to))
                    else:
                        assert answer["error"]["code"] == "CONFLICT", answer

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        kept = place.sql("SELECT from_status, to_status FROM changes ORDER BY id")
        assert len(kept) == len(made) > 20
        assert sorted((STATUSES[a], STATUSES[b]) for a, b in kept) == sorted(made)
        assert all(before[1] == after[0] for before, after in zip(kept, kept[1:])) and kept[0][0] == 0
        assert place.sql("SELECT status FROM findings WHERE id = 1") == [(kept[-1][1],)]
        counts_agree(place)


def test_clients_of_one_server():
    """Many at once over HTTP: readers see whole answers while writers change statuses."""
    with rig.Place() as place, http(place, "--sample") as client:
        wanted = client.ok("search_vulnerabilities", statuses=STATUSES, severities="CRITICAL")["totalItems"]

        def work(seed):
            draw, made = random.Random(seed), 0
            for _ in range(20):
                if draw.random() < 0.3:
                    answer = client.ok("update_vulnerability_status", vulnId=draw.randint(1, 39), status=draw.choice(STATUSES), note="n")
                    made += answer["statusChanges"][:1] != []
                found = client.ok("search_vulnerabilities", statuses=STATUSES, severities="CRITICAL")
                assert len(found["items"]) == found["totalItems"] == wanted
                client.ok("search_applications")
            return made

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(work, range(8))) > 0
        counts_agree(place)


# ---- Imports ------------------------------------------------------------------------------------------------------

def test_sarif():
    with rig.Place() as place:
        assert take_in(place, *SARIF) == (0, "")
        with stdio(place) as client:
            found = {(item["appId"], item["location"]): item for item in
                     client.ok("search_vulnerabilities", statuses=STATUSES)["items"]}
            assert set(found) == {("storefront", "src/orders.js:42:18"), ("storefront", "src/log.js:7"), ("storefront", "src/log.js:3:7"),
                                  ("reports", "app/views.py:12:5"), ("reports", "app/main.py:80"), ("reports", "app.old.run"),
                                  ("trivy", "library/debian:1:1")}
            rows = [(item["severity"], item["status"], item["vulnType"]) for _, item in sorted(found.items())]
            assert rows == [("MEDIUM", "Fixed", "python.flask.security.audit.debug-enabled.debug-enabled"),
                            ("HIGH", "Reported", "python.flask.security.audit.debug-enabled.debug-enabled"),
                            ("MEDIUM", "Reported", "python.lang.security.audit.eval-detected.eval-detected"),
                            ("LOW", "Reported", "js/unused-local-variable"), ("HIGH", "NotAProblem", "js/clear-text-logging"),
                            ("HIGH", "Reported", "js/sql-injection"), ("CRITICAL", "Reported", "CVE-2023-4863")], rows
            item = found["storefront", "src/orders.js:42:18"]
            assert item["lastSeen"] == "2026-06-11T10:15:30Z"
            more = client.ok("get_vulnerability", vulnId=item["vulnId"])["vulnerability"]
            assert more["tags"] == ["CWE-89", "external/cwe/cwe-089", "security"] and more["sessionMetadata"]["tool"] == "CodeQL"
            assert client.ok("search_vulnerabilities", vulnTags="CWE-95")["totalItems"] == 1
        counts_agree(place)


def test_imported_again():
    """Nothing is there twice; a decision stays; what was fixed and is found later is open again."""
    with rig.Place() as place:
        assert take_in(place, *SARIF)[0] == 0
        before = place.sql("SELECT id, app, type, mark, status FROM findings")
        with stdio(place) as client:
            client.ok("update_vulnerability_status", vulnId=1, status="NotAProblem", note="checked")
            client.ok("update_vulnerability_status", vulnId=3, status="Fixed")
        assert take_in(place, *SARIF)[0] == 0
        assert len(place.sql("SELECT id FROM findings")) == len(before)
        assert place.sql("SELECT status FROM findings WHERE id IN (1, 3) ORDER BY id") == [(3,), (5,)]
        later = place.path / "later.sarif"
        later.write_text(SARIF[0].read_text().replace("2026-06-11", "2026-06-25").replace('"startLine": 42', '"startLine": 45'))
        assert take_in(place, later)[0] == 0
        assert place.sql("SELECT status, place FROM findings WHERE id IN (1, 3) ORDER BY id") == [(3, "src/orders.js:45:18"), (0, "src/log.js:3:7")]
        assert len(place.sql("SELECT id FROM findings")) == len(before)
        counts_agree(place)


def test_a_real_scanner():
    """The SARIF of clang's analyser, as it writes it."""
    if not shutil.which("clang"):
        print("test_a_real_scanner: there is no clang")
        return
    with rig.Place() as place:
        (place.path / "leak.c").write_text("int f(int n)\n{\n    int *p = 0;\n    int a;\n    return n ? *p : a;\n}\n")
        report = place.path / "demo.sarif"
        subprocess.run(["clang", "--analyze", "-Xclang", "-analyzer-output=sarif", "-o", report, place.path / "leak.c"],
                       check=True, capture_output=True)
        assert take_in(place, report) == (0, "")
        with stdio(place) as client:
            found = client.ok("search_app_vulnerabilities", appId="demo")["items"]
            assert {"core.NullDereference"} <= {item["vulnType"] for item in found}, found
            assert all(item["location"].count(":") >= 2 and "leak.c:5:" in item["location"] for item in found), found
            more = client.ok("get_vulnerability", vulnId=found[0]["vulnId"])["vulnerability"]
            assert more["tool"] == "clang" and more["rule"]["helpUri"].startswith("https://clang"), more
            assert len(more["codeFlow"]) > 1 and all("leak.c:" in step["location"] and step["message"] for step in more["codeFlow"]), more


def test_bad_files_are_refused_whole():
    wanted = {
        "bad.json": ["/applications/0/colour", "/applications/1/appId", "/applications/1/name", "/vulnerabilities/0/severity",
                     "/vulnerabilities/0/firstSeen", "attack"],
        "dangling.json": ["'nobody'", "'nowhere'", "/vulnerabilities/0/lastSeen", "/vulnerabilities/1/session", "/routes/0/exercised"],
        "bad.sarif": ["version", "driver/rules/0/id", "driver/name", "results/0/level", "results/1/ruleId", "results/1/message",
                      "region/startLine"]}
    with rig.Place() as place:
        (place.path / "cut.json").write_text(SARIF[0].read_text()[:700])
        (place.path / "latin.json").write_bytes(b'{"types": ["caf\xe9"]}')
        (place.path / "nul.json").write_bytes(b'{"types": ["a\0b"]}')
        (place.path / "list.json").write_text("[]")
        (place.path / "empty.json").write_text("")
        (place.path / "deep.json").write_text('{"types":' + "[" * 100000)
        bad = [FILES / name for name in wanted] + sorted(place.path.glob("*.json")) + [place.path, place.path / "none", "/dev/zero"]
        code, said = take_in(place, SARIF[0], *bad)
        assert code == 1, (code, said)
        for file in bad:
            assert f"{file} is not imported:\n  " in said, f"{file}: {said}"
        for name, problems in wanted.items():
            part = said.split(f"{FILES / name} is not imported:")[1].split("\nappsec:")[0]
            for problem in problems:
                assert problem in part, f"{name}: {problem}: {part}"
        for table in "applications", "types", "findings", "servers", "routes", "tallies", "sessions":
            assert place.sql(f"SELECT count(*) FROM {table}") == [(0,)], table
        place.is_sound()


def mutated(draw, value):
    """The value with one place in it changed: another type, left out, twice, or nested."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        key = draw.choice(list(value))
        if draw.random() < 0.1:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: mutated(draw, value[key])}
    if isinstance(value, list) and value and draw.random() < 0.9:
        place = draw.randrange(len(value))
        return value[:place] + [mutated(draw, value[place])] * draw.randint(0, 2) + value[place + 1:]
    return draw.choice([None, True, -1, 0, 2**63, 1.5, "", "x", "\u0000", "\ud7ff\U0010ffff", "9" * 3000, [], {}, [value], {"a": value}])


def test_mutated_files():
    """Whatever a file says, it is taken in or refused; the database stays sound and its counts right."""
    sources = [json.loads(file.read_text(encoding="utf-8-sig")) for file in
               (*SARIF, FILES / "vulnerable.cdx.json", *(REPORTS / name for name in ("gosec.sarif", "bandit.sarif", "npm.spdx.json", "npm.cdx.json")))]
    sources.append(json.loads(re.search(r"```json fragment\n(.*?)```", (HERE.parents[1] / "docs" / "appsec.md").read_text(), re.S)[1]))
    with rig.Place() as place:
        codes = set()
        for seed in range(1500 if rig.LONG else 160):
            draw, value = random.Random(seed), random.Random(seed).choice(sources)
            for _ in range(draw.randint(1, 3)):
                value = mutated(draw, value)
            file = place.path / "mutated.json"
            file.write_text(json.dumps(value))
            code, said = take_in(place, file)
            assert (code, bool(said)) in ((0, False), (1, True)), f"seed {seed}: ended with {code}: {said}"
            codes.add(code)
        assert codes == {0, 1}
        counts_agree(place)
        with stdio(place) as client:
            client.ok("search_vulnerabilities", statuses=STATUSES, pageSize=100)
            for app in client.ok("search_applications", pageSize=100)["items"]:
                client.ok("search_app_vulnerabilities", appId=app["appId"])
                client.ok("get_route_coverage", appId=app["appId"])
            client.ok("search_servers")
            client.ok("search_attacks")


def many(place, count):
    file = place.path / "many.json"
    file.write_text(json.dumps({"applications": [{"appId": "a", "name": "A"}], "vulnerabilities": [
        {"appId": "a", "vulnType": f"t{n % 9}", "title": "T", "location": f"f:{n}", "severity": "LOW", "tags": ["x"],
         "firstSeen": "2026-01-01T00:00:00Z", "lastSeen": "2026-01-02T00:00:00Z"} for n in range(count)]}))
    return file


def heavy_results(count):
    return {"results": [{
        "ruleId": f"r{n % 50}", "message": {"text": f"Problem {n}: " + "a value flows from a source to a sink. " * 4},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": f"src/file{n}.c"}, "region": {"startLine": n % 500 + 1}}}],
        "codeFlows": [{"threadFlows": [{"locations": [{"location": {"message": {"text": f"Step {step} of the flow"}}}
                                                      for step in range(9)]}]}],
        "partialFingerprints": {"primaryLocationLineHash": f"{n:016x}:1"}, "properties": {"tags": ["security"]}} for n in range(count)]}


def heavy_rules(count):
    return {"tool": {"driver": {"name": "S", "rules": [
        {"id": f"r{n}", "shortDescription": {"text": f"Rule {n}"}, "help": {"text": "How to mend it, at length. " * 8},
         "properties": {"tags": ["security", "cwe"], "security-severity": "7.5"}} for n in range(count)]}},
            "results": [{"ruleIndex": 1, "message": {"text": "m"}}]}


def heavy_artifacts(count):
    return {"artifacts": [{"location": {"uri": f"src/folder{n % 99}/file{n}.c"}, "hashes": {"sha-256": "0" * 64}} for n in range(count)],
            "results": [{"ruleId": "r", "message": {"text": "m"}, "locations": [
                {"physicalLocation": {"artifactLocation": {"index": 2}}}]}]}


def heavy_bag(count):
    """All that is long belongs to one result and to the run, and is not read."""
    return {"properties": {"appId": "one", **{f"key{n}": "value of no interest" for n in range(count)}},
            "results": [{"ruleId": "r", "message": {"text": "m"}, "fixes": [{"description": {"text": "long " * 20}}] * (count // 4)}]}


def heavy_form(count):
    return {"applications": [{"appId": "a", "name": "A"}], "vulnerabilities": [
        {"appId": "a", "vulnType": f"t{n % 9}", "title": "What is wrong here, in some words. " * 3, "location": f"f:{n}",
         "severity": "LOW", "tags": ["x"], "firstSeen": "2026-01-01T00:00:00Z", "lastSeen": "2026-01-02T00:00:00Z"}
        for n in range(count)]}


def heavy_bill(count):
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "components": [
        {"type": "library", "bom-ref": f"ref-{n}", "name": f"library-{n}", "version": f"1.{n}", "purl": f"pkg:npm/library-{n}@1.{n}",
         "hashes": [{"alg": "SHA-512", "content": "0" * 128}], "licenses": [{"license": {"id": "MIT"}}]} for n in range(count)]}


def heavy_flaw(count):
    """One advisory that affects everything, and one that says much that is not read."""
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "components": [{"type": "library", "bom-ref": "a", "name": "a", "version": "1"}],
            "vulnerabilities": [{"id": "CVE-2021-0001", "affects": [{"ref": f"some-reference-of-no-component-{n}"} for n in range(count)]},
                                {"id": "CVE-2021-0002", "advisories": [{"title": "t" * 90}] * (count // 2), "affects": [{"ref": "a"}]}]}


def heavy_packages(count):
    return {"spdxVersion": "SPDX-2.3", "SPDXID": "SPDXRef-DOCUMENT", "name": "n", "packages": [
        {"name": f"library-{n}", "SPDXID": f"SPDXRef-{n}", "versionInfo": "1", "licenseDeclared": "MIT",
         "checksums": [{"algorithm": "SHA512", "checksumValue": "0" * 128}],
         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:npm/library-{n}@1"}]}
        for n in range(count)], "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "CONTAINS",
                                                   "relatedSpdxElement": f"SPDXRef-{n}"} for n in range(count)]}


def heavy_flow(count):
    """All that is long is one flow."""
    return {"results": [{"ruleId": "r", "message": {"text": "m"}, "codeFlows": [{"threadFlows": [{"locations": [
        {"location": {"message": {"text": f"Step {n} of the flow, in some words that say what happens."}}} for n in range(count)]}]}]}]}


def heavy_id(count):
    """As many rules as results, and all of one id."""
    return {"tool": {"driver": {"name": "S", "rules": [{"id": "r", "name": f"name{n}"} for n in range(count)]}}, "results": [
        {"ruleId": "r", "message": {"text": "What is wrong here, in some words."}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": f"f{n}"}, "region": {"startLine": 1}}}]} for n in range(count)]}


HEAVY = [  # how many make some 8 to 16 MB, and how many findings they are
    (heavy_results, 15000, 15000), (heavy_rules, 43000, 1), (heavy_artifacts, 104000, 1), (heavy_bag, 230000, 1), (heavy_form, 58000, 58000),
    (heavy_flow, 75000, 1), (heavy_id, 40000, 40000)]
HEAVY_BILLS = [(heavy_bill, 22000, 22000), (heavy_flaw, 70000, 1), (heavy_packages, 17000, 17000)]  # and libraries
PEAK = 4  # times its size is what a file takes in memory, at most


def peak_of(place, file):
    """The most memory that a server had since it started, in bytes."""
    with stdio(place, "--import", file) as client:
        client.ok("list_vulnerability_types")
        status = pathlib.Path(f"/proc/{client.process.pid}/status").read_text()
    return int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.M)[1]) << 10


def test_memory_of_imports():
    """Of a file its text is kept, and for a while what judging it takes: SQLite does not get it whole."""
    if b"__asan_init" in rig.TENON.read_bytes() or b"__tsan_init" in rig.TENON.read_bytes():
        print("skipped: a sanitizer keeps what was freed")
        return
    with rig.Place() as place:
        before = peak_of(place, many(place, 10))
    for make, count, findings in HEAVY + HEAVY_BILLS:
        with rig.Place() as place:
            whole = make is heavy_form or (make, count, findings) in HEAVY_BILLS
            text = json.dumps(make(count) if whole else {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "S"}}, **make(count)}]})
            assert 6e6 < len(text) < 20e6, (make.__name__, len(text))
            file = place.path / "heavy.json"
            file.write_text(text)
            times = (peak_of(place, file) - before) / len(text)
            assert times < PEAK, f"{make.__name__}: {times:.1f} times its size"
            table = "libraries" if (make, count, findings) in HEAVY_BILLS else "findings"
            assert place.sql(f"SELECT count(*) FROM {table}") == [(findings,)], make.__name__


def test_killed():
    """A process that is killed while it takes in a file leaves all of it or nothing."""
    with rig.Place() as place:
        file, whole = many(place, 20000), 0
        for turn in range(25 if rig.LONG else 12):
            process = subprocess.Popen(command(place, "--import", file), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(0.04 * turn)  # any moment will do
            process.kill()
            process.wait()
            process.stdin.close()
            if not place.database.exists():
                continue
            with contextlib.closing(sqlite3.connect(place.database)) as next_one:  # who opens it next recovers it
                if next_one.execute("SELECT count(*) FROM sqlite_master WHERE name = 'attacks'").fetchall() == [(0,)]:
                    continue
            count = place.sql("SELECT count(*) FROM findings")[0][0]
            assert count in (0, 20000), count
            whole += count > 0
            counts_agree(place)
        assert take_in(place, file)[0] == 0
        assert place.sql("SELECT count(*) FROM findings") == [(20000,)]
        counts_agree(place)


def test_full_disk():
    with rig.Place() as place:
        assert take_in(place, SARIF[0])[0] == 0
        ended = subprocess.run(["bash", "-c", 'ulimit -f 600; "$@"', "-", *command(place, "--import", many(place, 20000))],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
        assert ended.returncode == 1 and "disk" in ended.stderr, ended
        assert place.sql("SELECT count(*) FROM findings") == [(3,)]
        counts_agree(place)


def test_two_imports_at_once():
    with rig.Place() as place:
        files = [many(place, 3000), *SARIF]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            assert [code for code, _ in pool.map(lambda file: take_in(place, file), files)] == [0] * 4
        assert place.sql("SELECT count(*) FROM findings") == [(3007,)]
        counts_agree(place)


def test_sample_stays_in_memory():
    with rig.Place() as place:
        home = {"XDG_DATA_HOME": str(place.path / "data")}
        with rig.Stdio([rig.TENON, "serve", "appsec", "--sample"], modern=True, environment=home) as client:
            assert client.ok("search_applications")["totalItems"] == 4
        assert not (place.path / "data").exists()
        with rig.Stdio([rig.TENON, "serve", "appsec"], modern=True, environment=home) as client:
            assert client.ok("search_applications")["totalItems"] == 0
        made = place.path / "data" / "tenon" / "appsec.db"
        assert made.stat().st_mode & 0o777 == 0o600


# ---- Pages --------------------------------------------------------------------------------------------------------

def test_pages_of_many():
    """All pages together are all findings, each once and in order; the work of the last page is that of the first."""
    count = 1_000_000 if rig.LONG else 20_000
    with rig.Place() as place:
        place.database.parent.mkdir()
        paging.make(rig.TENON, str(place.database), count)
        counts_agree(place)
        with stdio(place) as client:
            total = client.ok("search_vulnerabilities")["totalItems"]
            assert total == place.sql("SELECT count(*) FROM findings WHERE status <= 2")[0][0]
            last = (total + 99) // 100
            pages = {1, 2, last - 1, last} | {random.Random(n).randint(1, last) for n in range(20)}
            wanted = [row[0] for row in place.sql("SELECT id FROM findings WHERE status <= 2 ORDER BY severity, last_seen DESC, id")]
            for page in sorted(pages):
                answer = client.ok("search_vulnerabilities", page=page, pageSize=100)
                assert [item["vulnId"] for item in answer["items"]] == wanted[100 * (page - 1):100 * page], page
                assert answer["hasMorePages"] == (page < last)
            beyond = client.ask("search_vulnerabilities", {"page": 2**62, "pageSize": 100})
            assert beyond["data"]["items"] == [] and len([text for text in beyond["messages"] if "past the end" in text]) == 1, beyond


# ---- Running ------------------------------------------------------------------------------------------------------

def main(words):
    global UPDATE  # pylint: disable=global-statement
    rig.LONG, UPDATE = "--long" in words, "--update" in words
    words = [word for word in words if not word.startswith("--")]
    return rig.main(rig.tests_of(globals()) + rig.tests_of(vars(reported)), words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
