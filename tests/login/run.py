#!/usr/bin/env python3
"""Logs in with `tenon call` to servers that ask for it: good ones, and ones that try to get more than a login.

    tests/login/run.py [NAME...]    default: every test

The person is BROWSER, this file again: it opens the page and follows where it leads.
"""
import json
import os
import pathlib
import pty
import select
import stat
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from authority import Place

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TENON = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve() / "bin" / "tenon"
BROWSER = f"{sys.executable} {HERE / 'run.py'} --browse"
SECONDS = 60
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("TENON_TOKEN", "BROWSER") and not name.lower().endswith("_proxy")}
ENVIRONMENT["LC_ALL"] = "C.UTF-8"


def browse(address, forged):
    """Opens the page. A stranger on this machine may be quicker, and does not know the state."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    redirect = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))["redirect_uri"]
    for query in ("?code=forged&state=forged", "?code=forged", "", "?state=%00") if forged else ():
        try:
            opener.open(redirect + query, timeout=SECONDS)
        except urllib.error.HTTPError as error:
            assert error.code in (400, 404), error
    opener.open(address, timeout=SECONDS).read()


class Person:
    """A person with a home: what is kept between calls."""

    def __init__(self, forged=False):
        self.browser = BROWSER + (" --forged" if forged else "")

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.folder.name)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def environment(self):
        return {**ENVIRONMENT, "XDG_STATE_HOME": str(self.home), "BROWSER": self.browser}

    def start(self, place, *words):
        return subprocess.Popen([TENON, "call", place.url, "note", *words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(), text=True)

    def call(self, place, *words):
        process = self.start(place, *words)
        out, err = process.communicate(timeout=SECONDS)
        for hidden in "access-secret", "refresh-secret", "s3c", "the-code":
            assert hidden not in out + err, (out, err)
        return process.returncode, out, err

    def kept(self):
        return list(self.home.glob("tenon/logins/*.json"))

    def file(self, name, text):
        path = self.home / name
        path.write_text(text, encoding="utf-8")
        return str(path)


def ends(got, code, part):
    assert got[0] == code and part in got[2], f"{got!r}\n  wanted {code} and {part!r}"


def written(got):
    assert got[:2] == (0, "written\n"), got


# ---- Logins ----------------------------------------------------------------------------------------------------

def test_logs_in_once():
    with Place() as place, Person() as person:
        ends(person.call(place), 2, "the server needs a token (HTTP 401): --login, --token-file FILE, or TENON_TOKEN")
        assert not place.times("/.well-known/oauth-protected-resource/mcp"), "no person is there to log in"
        written(person.call(place, "--login"))
        assert place.registered["token_endpoint_auth_method"] == "none" and \
            place.registered["application_type"] == "native", place.registered
        assert place.asked[0]["scope"] == "notes offline_access", place.asked
        file, = person.kept()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        written(person.call(place))
        assert place.times("/authorize") == place.times("/token") == 1, place.seen


def test_refreshes():
    with Place() as place, Person() as person:
        written(person.call(place, "--login"))
        place.access = "another"  # the server forgot it
        written(person.call(place))
        place.lasts = 1  # it has ended before the next call
        place.access = "another"
        written(person.call(place))
        written(person.call(place))
        assert place.times("/authorize") == 1 and place.times("/token") == 4, place.seen
        assert place.forms[1][0]["refresh_token"] == "refresh-secret-1", place.forms
        place.access = place.refresh = "gone"
        ends(person.call(place), 2, "the server needs a token (HTTP 401), and the kept login was not renewed: the authorization "
             "server gives no token (HTTP 400): invalid_grant (--login makes a new one)")
        written(person.call(place, "--login"))
        assert place.times("/authorize") == 2 and place.times("/register") == 1, place.seen


def test_a_long_run():
    """A token that is good for one request only is renewed for each, and what came with it does not add up."""
    with Place(forgets=True, pages=40, padding=200 << 10) as place, Person() as person:
        written(person.call(place, "--login"))
        assert place.times("/authorize") == 1 and place.times("/token") > 40, place.seen


def test_why_a_login_is_not_renewed():
    for faults, part in [
        ({"token": (401, {"error": "invalid_client"})}, "gives no token (HTTP 401): invalid_client"),
        ({"metadata": {"token_endpoint": "http://127.0.0.1:1/token"}}, "a token cannot be fetched from http://127.0.0.1:1/token"),
        ({"metadata": {"token_endpoint": None}}, "the authorization server has no token_endpoint"),
    ]:
        with Place() as place, Person() as person:
            written(person.call(place, "--login"))
            place.access, place.faults = "another", faults
            ends(person.call(place), 2, part)
            place.faults = {}
            written(person.call(place))
            assert place.times("/authorize") == 1, place.seen


def test_an_end_in_the_farthest_past():
    """Kept by anything that can write a number: the token has ended, and is renewed."""
    for end in -(1 << 63), -1, 1:
        with Place() as place, Person() as person:
            written(person.call(place, "--login"))
            file, = person.kept()
            file.write_text(json.dumps({**json.loads(file.read_text()), "ends": end}))
            written(person.call(place))
            assert place.times("/token") == 2, place.seen


def test_strangers_are_refused():
    with Place() as place, Person(forged=True) as person:
        written(person.call(place, "--login"))
        assert [form["code"] for form, _ in place.forms] == ["the-code"], place.forms


def test_one_login_for_two():
    with Place() as place, Person() as person:
        for process in [person.start(place, "--login") for _ in range(2)]:
            out, err = process.communicate(timeout=SECONDS)
            assert (process.returncode, out) == (0, "written\n"), err
        assert place.times("/authorize") == 1, place.seen


def test_another_login_in_between():
    """Another program gets a token, which ends that of this login before it was used once: the new one is taken."""
    with Place() as place, Person() as person:
        def log_in():
            file, = person.kept()
            place.access = "access-secret-of-another"
            fresh = file.with_suffix(".other")
            fresh.touch(mode=0o600)
            fresh.write_text(json.dumps({**json.loads(file.read_text()), "access": place.access}))
            fresh.rename(file)

        place.faults["other"] = log_in
        written(person.call(place, "--login"))
        assert place.times("/authorize") == place.times("/token") == 1, place.seen


def test_known_clients():
    for words, method, wanted in [
        (["--client-id", "a b"], None, (None, "a b")),
        (["--client-id", "a b", "--client-secret-file", "SECRET"], None, ("Basic YSUyMGI6czNjJTNBcg==", None)),
        (["--client-id", "a b", "--client-secret-file", "SECRET"], "client_secret_post", (None, "a b")),
    ]:
        faults = {"token_endpoint_auth_methods_supported": [method]} if method else {}
        with Place(metadata=faults) as place, Person() as person:
            secret = person.file("hidden", "s3c:r\n")
            written(person.call(place, "--login", *[secret if word == "SECRET" else word for word in words]))
            form, header = place.forms[0]
            assert (header, form.get("client_id")) == wanted and not place.times("/register"), (form, header)
            assert (form.get("client_secret") == "s3c:r") == (method == "client_secret_post"), form


def test_services():
    with Place() as place, Person() as person:
        secret = person.file("hidden", "s")
        written(person.call(place, "--service", "--client-id", "job", "--client-secret-file", secret))
        assert place.forms[0][0]["grant_type"] == "client_credentials" and not place.times("/authorize"), place.forms
        ends(person.call(place, "--service"), 2, "--client-id is needed")
        ends(person.call(place, "--service", "--client-id", "x"), 2, "--service needs --client-secret-file or")
        ends(person.call(place, "--client-id", "x", "--client-key-file", "none"), 2, "none: No such file")
        ends(person.call(place, "--provider", "https://example.com"), 2, "belong together")
    with Place() as place, Person() as person:
        key = person.file("key", "no key")
        ends(person.call(place, "--service", "--client-id", "job", "--client-key-file", key), 2, "the key cannot be used")


def test_secret_goes_to_one_issuer():
    for option, words in [("--client-secret-file", ["--service", "--client-id", "job"]), ("--assertion-file", [])]:
        with Place() as place, Place() as other, Person() as person:
            words = [*words, option, person.file("hidden", "s3cret")]
            ends(person.call(place, *words, "--issuer", other.root), 2,
                 f"names the authorization server '{place.root}', not {other.root} of --issuer: nothing was sent to it")
            assert not place.times("/.well-known/oauth-authorization-server") and not place.forms, place.seen
            written(person.call(place, *words))
            place.access, place.faults = None, {"authority": other.root, "trusts": other}
            ends(person.call(place, *words), 2, f"now names the authorization server '{other.root}'; this client's secret "
                 f"was used with {place.root}: nothing was sent; if the new one is right, give it with --issuer")
            assert not other.seen, other.seen
            written(person.call(place, *words, "--issuer", other.root))
            other.access = "another"
            written(person.call(place, *words))
            place.faults = {}
            ends(person.call(place, *words), 2, f"was used with {other.root}")
            if option == "--client-secret-file":
                written(person.call(place, "--service", "--client-id", "other job", *words[-2:]))
                ends(person.call(place, *words, "--issuer", other.root), 0, "")
                place.access = None
                ends(person.call(place, *words), 2, f"was used with {other.root}")


def test_echoed_secrets_are_not_shown():
    posted = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    as_service = ["--service", "--client-id", "job", "--client-secret-file", "SECRET"]
    for echoed, words, metadata in [
        ("code", ["--login"], {}),
        ("code_verifier", ["--login"], {}),
        ("client_secret", as_service, posted),
        ("header", as_service, {}),
        ("pair", as_service, {}),
        ("assertion", ["--assertion-file", "SECRET"], {}),
    ]:
        with Place(echoes=echoed, metadata=metadata) as place, Person() as person:
            secret = person.file("hidden", "s3cret/" + 300 * "x")
            got = person.call(place, *[secret if word == "SECRET" else word for word in words])
            ends(got, 2, "gives no token (HTTP 400): invalid_grant\n")
            assert "Bad" not in got[2] and "xxx" not in got[2], (echoed, got)
            place.faults["echoes"] = "the clock is late"
            ends(person.call(place, *[secret if word == "SECRET" else word for word in words]), 2,
                 "gives no token (HTTP 400): invalid_grant: Bad: the clock is late")


def test_terminal():
    """On a terminal nothing has to be asked for."""
    with Place() as place, Person() as person:
        leader, follower = pty.openpty()
        shown = b""
        with subprocess.Popen([TENON, "call", place.url, "note"], stdin=follower, stdout=follower, stderr=follower,
                              env=person.environment()) as process:
            os.close(follower)
            while select.select([leader], [], [], SECONDS)[0]:
                try:
                    shown += os.read(leader, 65536)
                except OSError:
                    break
            assert process.wait(SECONDS) == 0, shown
        assert f"Open this page to log in: {place.root}/authorize?".encode() in shown and b"written" in shown, shown


def test_files_of_others():
    with Place() as place, Person() as person:
        written(person.call(place, "--login"))
        file, = person.kept()
        file.chmod(0o644)
        ends(person.call(place), 2, "the server needs a token")
        file.chmod(0o600)
        written(person.call(place))
        file.rename(person.home / "elsewhere")
        file.symlink_to(person.home / "elsewhere")
        ends(person.call(place), 2, "the server needs a token")


# ---- Hostile servers -------------------------------------------------------------------------------------------

HOSTILE = [
    # what it does, what is said, and whether anybody may be sent to its page
    ({"resource": "https://evil.example.com/mcp"}, "the server's metadata is for 'https://evil.example.com/mcp', not for", 0),
    ({"resource": "http://127.0.0.1:1/mcp"}, "the server's metadata is for", 0),
    ({"resource_document": "loops"}, "the server's metadata at http://127.0.0.1:", 0),
    ({"resource_document": "huge"}, "it has more than 262144 bytes", 0),
    ({"resource_document": "endless"}, "it has more than 262144 bytes", 0),
    ({"resource_document": "deep"}, "is not a JSON object", 0),
    ({"resource_document": "no_json"}, "is not a JSON object", 0),
    ({"authority": "http://evil.example.com"}, "it must begin with https://", 0),
    ({"authority": "file:///etc/passwd"}, "issuer 'file:///etc/passwd' is not used", 0),
    ({"authority": 7}, "names no authorization server", 0),
    ({"challenge": 'Bearer resource_metadata="http://evil.example.com/x"'}, "it must begin with https://", 0),
    ({"challenge": 'Bearer resource_metadata="file:///etc/passwd"'}, "cannot be fetched from file:///etc/passwd", 0),
    ({"authority_document": "loops"}, "the authorization server's metadata at http://127.0.0.1:", 0),
    ({"authority_document": "endless"}, "it has more than 262144 bytes", 0),
    ({"metadata": {"issuer": "https://evil.example.com"}}, "is for 'https://evil.example.com', not for http://127.0.0.1", 0),
    ({"metadata": {"code_challenge_methods_supported": None}}, "supports PKCE (S256): it is not opened", 0),
    ({"metadata": {"code_challenge_methods_supported": ["plain"]}}, "supports PKCE (S256): it is not opened", 0),
    ({"metadata": {"token_endpoint": "http://evil.example.com/token"}}, "'http://evil.example.com/token' is not used", 0),
    ({"metadata": {"authorization_endpoint": "javascript:alert(1)"}}, "authorization_endpoint 'javascript:", 0),
    ({"metadata": {"token_endpoint": None}}, "the authorization server has no token_endpoint", 0),
    ({"metadata": {"registration_endpoint": None}}, "give the id that it knows with --client-id", 0),
    ({"registered": (403, {"error": "no\x1b[2J"})}, "does not register this program (HTTP 403)", 0),
    ({"registered": (201, {"client_id": 7})}, "this program (HTTP 201): its answer has no client_id that can be used", 0),
    ({"challenge": f'Bearer scope="{5000 * "a"}"'}, "the scopes that the server names have more than 4096 bytes", 0),
    ({"registered": (201, {"client_id": "x", "token_endpoint_auth_method": "magic"})}, "none of the authentication methods", 0),
    ({"answer": {"iss": "https://evil.example.com"}}, "from the issuer 'https://evil.example.com', not from", 1),
    ({"answer": {"iss": None}}, "does not name its issuer", 1),
    ({"answer": {"code": None, "error": "access_denied", "error_description": "No."}}, "refused: access_denied: No.", 1),
    ({"answer": {"code": None}}, "the login response has no code", 1),
    ({"token": (400, {"error": "invalid_grant"})}, "gives no token (HTTP 400): invalid_grant", 1),
    ({"token": (200, {"access_token": "a b", "token_type": "Bearer"})}, "not one word of ASCII", 1),
    ({"token": (200, {"access_token": "a\r\nX: y", "token_type": "Bearer"})}, "not one word of ASCII", 1),
    ({"token": (200, {"access_token": "a", "token_type": "mac"})}, "of an unknown type", 1),
    ({"token": (302, {})}, "gives no token (HTTP 302)", 1),
    ({"never": True}, "does not accept the token of this login (HTTP 401)", 1),
]


def test_hostile_servers():
    for faults, part, pages in HOSTILE:
        with Place(**faults) as place, Person() as person:
            got = person.call(place, "--login")
            ends(got, 2, part)
            assert "\x1b" not in got[2], got
            assert place.times("/authorize") == pages, (faults, place.seen)
            assert pages or not place.times("/token"), (faults, place.seen)


def test_link_local_addresses():
    """Where a cloud keeps its credentials: not even for a server on this machine."""
    for issuer in "https://169.254.169.254", "https://[fe80::1]", "https://[::ffff:169.254.169.254]":
        with Place(authority=issuer) as place, Person() as person:
            ends(person.call(place, "--login"), 2, "or at a link-local one")


def test_timeout():
    """A server that sends a byte now and then, until it hangs up, does not hold the login longer than --timeout."""
    for fault in "resource_document", "authority_document":
        with Place(**{fault: "drips"}) as place, Person() as person:
            ends(person.call(place, "--login", "--timeout", "1"), 2, "Timeout was reached")


def main(names):
    if names[:1] == ["--browse"]:
        return browse(names[-1], "--forged" in names)
    tests = {name[5:]: function for name, function in globals().items() if name.startswith("test_")}
    if "built without libcurl" in subprocess.run([TENON, "tools", "http://127.0.0.1:9/"], capture_output=True, text=True,
                                                 check=False).stderr:
        print("skipped: this tenon reaches no addresses")
        return 0
    failed = 0
    for name in names or tests:
        try:
            tests[name]()
        except AssertionError as fault:
            failed += 1
            print(f"{name}: {fault}")
    print(f"{len(names or tests)} tests, {failed} that fail")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
