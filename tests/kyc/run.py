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
        assert issues["details"]["totalErrors"] == 4, issues
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
