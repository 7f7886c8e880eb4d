#!/usr/bin/env python3
"""The server of customers, as clients use it: every tool, every error, writers at once, a process that is killed.

    tests/kyc/run.py [NAME...]    the tests whose name has one of these words in it
"""
import concurrent.futures
import contextlib
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402

ACME = {"name": "Acme", "clientType": "COMPANY", "riskLevel": "HIGH"}
ANN = {"firstName": "Ann", "lastName": "Lee", "dateOfBirth": "1980-01-02", "relationshipType": "DIRECTOR"}


def stdio(place, modern=False):
    return rig.Stdio(rig.serve("kyc", place), modern=modern)


def without_times(row):
    return {key: value for key, value in row.items() if key not in ("createdAt", "updatedAt")}


def session(client):
    """What a person would do first, with every answer."""
    made = client.ok("create_client", **ACME, email="info@acme.example", registrationNumber="R-1")
    assert without_times(made) == {"id": 1, **ACME, "email": "info@acme.example", "registrationNumber": "R-1"}
    person = client.ok("add_person_to_client", clientId=1, **ANN, ownershipPercentage=60)
    assert person["fullName"] == "Ann Lee" and person["clientName"] == "Acme" and person["ownershipPercentage"] == 60
    details = client.ok("get_client_details", clientId=1)
    assert [one["id"] for one in details["persons"]] == [1] and details["name"] == "Acme"
    client.ok("create_client", name="Bee", clientType="trust", riskLevel="low")
    assert [one["name"] for one in client.ok("get_all_clients")["items"]] == ["Acme", "Bee"]
    assert [one["name"] for one in client.ok("get_high_risk_clients")["items"]] == ["Acme"]
    assert [one["name"] for one in client.ok("search_clients", clientType="TRUST")["items"]] == ["Bee"]
    assert [one["name"] for one in client.ok("search_clients", name="CM")["items"]] == ["Acme"]
    assert client.ok("search_clients", name="%")["totalItems"] == 0  # a character, not a pattern
    assert [one["lastName"] for one in client.ok("get_beneficial_owners")["items"]] == ["Lee"]
    assert client.ok("get_beneficial_owners", minOwnershipPercentage=61)["items"] == []
    page = client.ok("get_all_clients", page=2, pageSize=1)
    assert [one["name"] for one in page["items"]] == ["Bee"] and not page["hasMorePages"] and page["totalItems"] == 2


def test_session_stdio():
    for modern in False, True:
        with rig.Place() as place, stdio(place, modern) as client:
            session(client)


def test_session_http():
    with rig.Place() as place, rig.Http(rig.Server(rig.serve("kyc", place))) as client:
        session(client)


def test_errors():
    with rig.Place() as place, stdio(place) as client:
        client.ok("create_client", **ACME, registrationNumber="R-1")
        issues = client.error("VALIDATION_ERROR", "create_client", name="", clientType="CORPORATE", email="x")
        assert issues["details"]["totalErrors"] == 5, issues  # the mail address is too short, and none
        again = client.error("CONFLICT", "create_client", **{**ACME, "name": "ACME"})
        assert again["details"]["clientId"] == 1
        client.error("CONFLICT", "create_client", name="Other", clientType="TRUST", riskLevel="LOW", registrationNumber="R-1")
        client.error("NOT_FOUND", "get_client_details", clientId=7)
        client.error("NOT_FOUND", "add_person_to_client", clientId=7, **ANN)
        late = client.error("VALIDATION_ERROR", "add_person_to_client", clientId=1, **{**ANN, "dateOfBirth": "2999-01-01"})
        assert late["details"]["fieldErrors"] == {"dateOfBirth": ["dateOfBirth must be in the past"]}
        late = client.error("VALIDATION_ERROR", "add_person_to_client", **{**ANN, "dateOfBirth": "2999-01-01", "lastName": ""})
        assert set(late["details"]["fieldErrors"]) == {"clientId", "lastName", "dateOfBirth"}, late  # all in one answer
        client.ok("add_person_to_client", clientId=1, **ANN, ownershipPercentage=70.5)
        full = client.error("CONFLICT", "add_person_to_client", clientId=1, **ANN, ownershipPercentage=30)
        assert full["details"]["available"] == "29.5"
        client.ok("add_person_to_client", clientId=1, **ANN, ownershipPercentage=29.5)
        assert len(client.ok("get_client_details", clientId=1)["persons"]) == 2


def test_a_number_that_is_none():
    """No other number is shown in its place: the default is none that was meant."""
    with rig.Place() as place, stdio(place) as client:
        client.ok("create_client", **ACME)
        [issue] = client.error("VALIDATION_ERROR", "add_person_to_client", clientId=1, **ANN, ownershipPercentage="50%")["details"]["issues"]
        assert issue["parameter"] == "ownershipPercentage" and not {"example", "suggestion"} & set(issue), issue


def given_and_emptied(client, tool, arguments, field):
    """The issue is about clear, and shows no other field that could be emptied instead."""
    details = client.error("VALIDATION_ERROR", tool, **arguments, clear=[field])["details"]
    assert details["fieldErrors"] == {"clear": [f"{field} is given and named in clear; do one of them"]}, details
    [issue] = details["issues"]
    assert issue["parameter"] == "clear" and not {"example", "suggestion"} & set(issue), issue


def test_update_client():
    with rig.Place() as place, stdio(place) as client:
        client.ok("create_client", **ACME, email="info@acme.example", phone="123", registrationNumber="R-1")
        client.ok("create_client", name="Bee", clientType="TRUST", riskLevel="LOW", registrationNumber="R-2")
        whole = {"id": 1, **ACME, "email": "info@acme.example", "phone": "123", "registrationNumber": "R-1"}
        for given, expected in (  # each on top of the one before
                ({"riskLevel": "low"}, {"riskLevel": "LOW"}),
                ({"name": "ACME"}, {"name": "ACME"}),  # its own name is no other's
                ({"clear": ["phone"]}, {"phone": None}),
                ({"clear": "email", "phone": "456"}, {"email": None, "phone": "456"}),
                ({"clientType": "PARTNERSHIP", "registrationNumber": "R-3"},
                 {"clientType": "PARTNERSHIP", "registrationNumber": "R-3"})):
            whole = {key: value for key, value in {**whole, **expected}.items() if value is not None}
            assert without_times(client.ok("update_client", clientId=1, **given)) == whole, (given, whole)
            shown = without_times(client.ok("get_client_details", clientId=1))
            assert {key: value for key, value in shown.items() if key != "persons"} == whole, shown
        answer = client.ask("update_client", {"clientId": 1})
        assert answer["messages"] == ["No field was given, so the client is unchanged."], answer
        for given in {"name": "bee", "clientType": "TRUST"}, {"registrationNumber": "R-2"}:
            assert client.error("CONFLICT", "update_client", clientId=1, **given)["details"]["clientId"] == 2
        client.error("NOT_FOUND", "update_client", clientId=7, name="x")
        for wrong, field in (({"email": None}, "email"), ({"name": ""}, "name"), ({"clear": ["name"]}, "clear"),
                             ({"email": "x"}, "email")):  # nothing is lost by a null
            issues = client.error("VALIDATION_ERROR", "update_client", clientId=1, **wrong)["details"]
            assert list(issues["fieldErrors"]) == [field], issues
        given_and_emptied(client, "update_client", {"clientId": 1, "email": "a@b.example"}, "email")
        assert without_times(client.ok("get_all_clients")["items"][0]) == whole


def test_update_person():
    """Shares that are in the way can be corrected."""
    with rig.Place() as place, stdio(place) as client:
        client.ok("create_client", **ACME)
        client.ok("add_person_to_client", clientId=1, **ANN, ownershipPercentage=70, phone="123")
        client.ok("add_person_to_client", clientId=1, **{**ANN, "firstName": "Bob"}, ownershipPercentage=30)
        full = client.error("CONFLICT", "update_person", personId=2, ownershipPercentage=30.5)
        assert full["details"] == {"alreadyOwned": "70", "available": "30"} and "update_person" in full["message"], full
        given_and_emptied(client, "update_person", {"personId": 1, "address": "1 Main Street"}, "address")
        changed = client.ok("update_person", personId=1, ownershipPercentage=69.5, lastName="Day", clear=["phone"])
        assert changed["fullName"] == "Ann Day" and changed["ownershipPercentage"] == 69.5 and "phone" not in changed
        assert changed["dateOfBirth"] == "1980-01-02" and changed["relationshipType"] == "DIRECTOR"
        assert client.ok("update_person", personId=2, ownershipPercentage=30.5)["ownershipPercentage"] == 30.5
        assert client.ok("update_person", personId=1, ownershipPercentage=0)["ownershipPercentage"] == 0  # a value
        assert client.messages("update_person", personId=1) == ["No field was given, so the person is unchanged."]
        shown = client.ok("get_client_details", clientId=1)["persons"]
        assert [(one["fullName"], one["ownershipPercentage"]) for one in shown] == [("Ann Day", 0), ("Bob Lee", 30.5)]
        client.error("NOT_FOUND", "update_person", personId=7, firstName="x")
        late = client.error("VALIDATION_ERROR", "update_person", personId=1, dateOfBirth="2999-01-01", ownershipPercentage=101)
        assert set(late["details"]["fieldErrors"]) == {"dateOfBirth", "ownershipPercentage"}, late


def test_delete():
    with rig.Place() as place, stdio(place) as client:
        client.ok("create_client", **ACME)
        for name in "Ann", "Bob", "Cid":
            client.ok("add_person_to_client", clientId=1, **{**ANN, "firstName": name}, ownershipPercentage=30)
        assert client.ok("delete_person", personId=3)["fullName"] == "Cid Lee"
        gone = client.error("NOT_FOUND", "delete_person", personId=3)
        assert gone["details"] == {"personId": 3} and "get_client_details" in gone["message"]
        client.ok("add_person_to_client", clientId=1, **ANN, ownershipPercentage=40)  # there is room again
        held = client.error("CONFLICT", "delete_client", clientId=1)
        assert held["details"] == {"clientId": 1, "persons": 3} and "deletePersons" in held["message"], held
        client.error("VALIDATION_ERROR", "delete_client", clientId=1, deletePersons="true")  # strict
        client.error("CONFLICT", "delete_client", clientId=1, deletePersons=False)
        deleted = client.ok("delete_client", clientId=1, deletePersons=True)
        assert deleted["client"]["name"] == "Acme" and deleted["deletedPersons"] == 3, deleted
        client.error("NOT_FOUND", "delete_client", clientId=1, deletePersons=True)
        assert place.sql("SELECT count(*) FROM persons") == [(0,)] and place.is_sound()
        free = client.ok("create_client", **ACME)["id"]  # its name is
        assert client.ok("delete_client", clientId=free)["deletedPersons"] == 0


def test_hints():
    with rig.Place() as place, stdio(place) as client:
        hints = {tool["name"]: tool["annotations"] for tool in client.request("tools/list", {})["result"]["tools"]}
        for name in "update_client", "delete_client", "update_person", "delete_person":
            assert hints[name]["destructiveHint"] is True and hints[name]["openWorldHint"] is False, (name, hints[name])


def test_empty_is_said_once():
    with rig.Place() as place, stdio(place) as client:
        none = client.messages("get_all_clients")
        assert len(none) == 1, none
        none = client.messages("search_clients", name="x")
        assert len(none) == 1 and "Fewer conditions" in none[0], none


def test_days_of_birth():
    """Any year; a day is as it was written, whatever the offset behind it."""
    with rig.Place() as place, stdio(place) as client:
        client.ok("create_client", **ACME)
        for born, stored, messages in [
            ("1950-12-10", "1950-12-10", []),
            ("0001-01-01", "0001-01-01", []),
            ("1950-12-10T23:30:00-08:00", "1950-12-10", [
                "dateOfBirth is a calendar date: the day 1950-12-10 was used as written, without time and offset"]),
        ]:
            old = client.ask("add_person_to_client", {"clientId": 1, **ANN, "dateOfBirth": born})
            assert (old["data"]["dateOfBirth"], old["messages"]) == (stored, messages), old
            changed = client.ask("update_person", {"personId": 1, "dateOfBirth": born})
            assert (changed["data"]["dateOfBirth"], changed["messages"]) == (stored, messages), changed


def test_issues_say_what_was_meant():
    """Each issue has its own sentence and is what a program can follow; nothing that is made up is offered."""
    born = {"clientId": 1, **ANN}
    cases = [
        ("search_clients", {"riskLevel": "med"}, "riskLevel", {"suggestion": "MEDIUM"}),
        ("search_clients", {"riskLevel": "nothing like it"}, "riskLevel", {}),
        ("search_clients", {"limit": 5}, "limit", {"suggestion": "pageSize"}),
        ("get_client_details", {"id": 5}, "clientId", {}),
        ("get_client_details", {"id": 5}, "id", {"suggestion": "clientId"}),
        ("create_client", {"clientType": "COMPANY", "riskLevel": "LOW"}, "name", {}),
        ("add_person_to_client", {**born, "dateOfBirth": "1980-5-7"}, "dateOfBirth", {"suggestion": "1980-05-07"}),
        ("add_person_to_client", {**born, "dateOfBirth": 19800507}, "dateOfBirth", {"suggestion": "1980-05-07"}),
        ("add_person_to_client", {**born, "dateOfBirth": "1980-05-07T10:00:00"}, "dateOfBirth", {"suggestion": "1980-05-07"}),
        ("add_person_to_client", {**born, "email": "x"}, "email", {}),
    ]
    with rig.Place() as place, stdio(place) as client:
        for tool, arguments, parameter, offered in cases:
            details = client.error("VALIDATION_ERROR", tool, **arguments)["details"]
            issue = next(issue for issue in details["issues"] if issue["parameter"] == parameter)
            assert issue["message"] in details["fieldErrors"][parameter], details
            assert {key: issue[key] for key in ("suggestion", "example") if key in issue} == offered, (arguments, issue)
        both = client.error("VALIDATION_ERROR", "add_person_to_client", **{**born, "email": "x"})["details"]
        assert both["fieldErrors"] == {
            "email": ["email must be at least 3 characters", 'email must be an email address, got "x"']}, both
        assert [issue["message"] for issue in both["issues"]] == both["fieldErrors"]["email"]


def test_secret_is_not_repeated():
    with rig.Place() as place, stdio(place) as client:
        problem = client.error("VALIDATION_ERROR", "add_person_to_client", clientId=1, **ANN, identificationNumber="7" * 99)
        assert "777" not in str(problem)


def test_writers_at_once():
    """Four processes, many shares of one percent: exactly a hundred of them fit."""
    def add(client):
        return [client.ask("add_person_to_client", {"clientId": 1, **ANN, "ownershipPercentage": 1})["status"] for _ in range(35)]

    with rig.Place() as place, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(4) as pool:
        clients = [stack.enter_context(stdio(place)) for _ in range(4)]
        clients[0].ok("create_client", **ACME)
        done = [status for each in pool.map(add, clients) for status in each]
        assert done.count("SUCCESS") == 100, done.count("SUCCESS")
        assert len(clients[1].ok("get_client_details", clientId=1)["persons"]) == 100
        assert place.is_sound()


def test_shares_changed_at_once():
    """Four processes raise the shares of four persons: whatever the order, all together are never over a hundred."""
    def lift(turn):
        client, number = turn
        return [client.ask("update_person", {"personId": number, "ownershipPercentage": share})["status"]
                for share in range(10, 60, 5)]

    with rig.Place() as place, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(4) as pool:
        clients = [stack.enter_context(stdio(place)) for _ in range(4)]
        clients[0].ok("create_client", **ACME)
        for _ in clients:
            clients[0].ok("add_person_to_client", clientId=1, **ANN)
        done = [status for each in pool.map(lift, zip(clients, range(1, 5))) for status in each]
        shares = [one["ownershipPercentage"] for one in clients[1].ok("get_client_details", clientId=1)["persons"]]
        assert 80 < sum(shares) <= 100 and "ERROR" in done, (shares, done)


def test_deleted_while_added_to():
    """One process deletes a client with its persons while others add to it: no person is left without a client."""
    def add(client):
        return [client.ask("add_person_to_client", {"clientId": 1, **ANN})["status"] for _ in range(30)]

    with rig.Place() as place, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(4) as pool:
        clients = [stack.enter_context(stdio(place)) for _ in range(4)]
        clients[0].ok("create_client", **ACME)
        adding = [pool.submit(add, client) for client in clients[1:]]
        rig.until("a person was added", lambda: place.sql("SELECT count(*) FROM persons") > [(3,)])
        deleted = clients[0].ok("delete_client", clientId=1, deletePersons=True)["deletedPersons"]
        done = [status for each in adding for status in each.result()]
        assert done.count("SUCCESS") == deleted, (done, deleted)
        assert place.sql("SELECT count(*) FROM persons") == [(0,)] and place.is_sound()


def test_names_taken_at_once():
    """Of four processes that give four clients one name, one succeeds."""
    def name(turn):
        client, number = turn
        return client.ask("update_client", {"clientId": number, "name": "One"})["status"]

    with rig.Place() as place, contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(4) as pool:
        clients = [stack.enter_context(stdio(place)) for _ in range(4)]
        for number in range(4):
            clients[0].ok("create_client", **{**ACME, "name": f"c{number}"})
        done = list(pool.map(name, zip(clients, range(1, 5))))
        assert done.count("SUCCESS") == 1, done


def test_killed():
    with rig.Place() as place:
        for turn in range(10):
            client = stdio(place)
            if turn == 0:
                client.ok("create_client", **ACME)
            for number in range(20):
                client.begin_call("create_client", name=f"c{turn}-{number}", clientType="OTHER", riskLevel="LOW")
            client.kill()
            assert place.is_sound()
        with stdio(place) as client:
            assert client.ok("search_clients", name="Acme")["totalItems"] == 1


def test_foreign_database():
    with rig.Place() as place:
        place.database.parent.mkdir(mode=0o700)
        place.database.write_bytes(b"not a database" * 100)
        ended = subprocess.run(rig.serve("kyc", place), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                               timeout=rig.PATIENCE)
        assert ended.returncode == 1 and "kyc:" in ended.stderr, ended


if __name__ == "__main__":
    sys.exit(rig.main(rig.tests_of(globals()), sys.argv[1:]))
