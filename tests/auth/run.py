#!/usr/bin/env python3
"""Who may call, over real HTTP: static tokens, and an authorization server whose keys and tokens openssl makes.

    tests/auth/run.py [NAME...]    only the tests whose name contains one of these
"""
import base64
import concurrent.futures
import hashlib
import hmac
import http.client
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402
from rig import BUILD, MODERN, PATIENCE  # noqa: E402

TOKEN = {name: f"{name}-{'0123456789abcdef' * 3}" for name in ("ann", "bob")}
SPACING = 10  # seconds between two fetches of keys, as src/oauth/module.h has it
tests, processes = [], []


def test(function):
    tests.append(function)
    return function


def same(got, want):
    assert got == want, f"\n  got  {got}\n  want {want}"


# ---- Keys and tokens --------------------------------------------------------------------------------------------

def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


class Key:
    """A private key that openssl made; `jwk` is its public half."""

    def __init__(self, folder, kid, kind):
        self.kid, self.kind, self.path = kid, kind, folder / f"{kid}.pem"
        how = {"RS256": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "ES256": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
               "EdDSA": ["ED25519"]}[kind]
        openssl("genpkey", "-algorithm", *how, "-out", self.path)
        der = openssl("pkey", "-in", self.path, "-pubout", "-outform", "DER")
        if kind == "RS256":
            modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode().strip().split("=")[1]
            self.jwk = {"kty": "RSA", "n": b64(bytes.fromhex(modulus)), "e": "AQAB"}
        elif kind == "ES256":
            self.jwk = {"kty": "EC", "crv": "P-256", "x": b64(der[-64:-32]), "y": b64(der[-32:])}
        else:
            self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": b64(der[-32:])}
        self.jwk |= {"kid": kid, "use": "sig"}

    def public_pem(self):
        return openssl("pkey", "-in", self.path, "-pubout")

    def sign(self, data):
        if self.kind == "EdDSA":  # only from a file
            with tempfile.NamedTemporaryFile() as file:
                file.write(data)
                file.flush()
                return openssl("pkeyutl", "-sign", "-rawin", "-inkey", self.path, "-in", file.name)
        signature = openssl("dgst", "-sha256", "-sign", self.path, given=data)
        return raw_of_der(signature) if self.kind == "ES256" else signature


def raw_of_der(der):
    """SEQUENCE { INTEGER r, INTEGER s } as 64 bytes."""
    numbers, at = [], 2
    for _ in range(2):
        length = der[at + 1]
        numbers.append(der[at + 2:at + 2 + length].lstrip(b"\0").rjust(32, b"\0"))
        at += 2 + length
    return b"".join(numbers)


def jwt(claims, key=None, header=None, sign=None):
    header = {"alg": key.kind, "kid": key.kid, "typ": "at+jwt"} if header is None else header
    data = ".".join(b64(json.dumps(part).encode()) for part in (header, claims)).encode()
    return data.decode() + "." + b64((sign or key.sign)(data))


# ---- The authorization server -----------------------------------------------------------------------------------

class Issuer:
    """Real metadata and keys on loopback, below a path, as many issuers have it."""

    def __init__(self):
        self.keys, self.asked, self.status = [], [], 200
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.asked.append(self.path)
                documents = {"/.well-known/oauth-authorization-server/tenant":
                             {"issuer": issuer.url, "jwks_uri": issuer.keys_url, "response_types_supported": ["code"]},
                             "/keys": {"keys": [key.jwk for key in issuer.keys]}}
                body = json.dumps(documents.get(self.path, {})).encode()
                self.send_response(issuer.status if self.path in documents else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/tenant"
        self.keys_url = f"http://127.0.0.1:{self.server.server_port}/keys"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def fetches(self):
        return self.asked.count("/keys")

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


# ---- The server that is called ----------------------------------------------------------------------------------

class Server(rig.Server):
    def __init__(self, *flags):
        super().__init__([BUILD / "tests" / "auth_judge", "--log", "debug", *flags])
        processes.append(self.process)
        self.url = f"http://127.0.0.1:{self.port}/mcp"

    def stop(self):
        same(super().stop(), 0)

    def ask(self, method, path, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path)
        for name, value in headers:
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def call(self, *authorizations, tool="look", path="/mcp"):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}}}
        headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
                   ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool)]
        return self.ask("POST", path, json.dumps(body).encode(),
                        headers + [("Authorization", value) for value in authorizations])


def challenge(answer):
    values = answer.msg.get_all("WWW-Authenticate") or []
    assert len(values) <= 1, values
    return values[0] if values else None


def entry(name):
    return f"{name}:sha256:{hashlib.sha256(TOKEN[name].encode()).hexdigest()}"


def silent_about(server, *secrets):
    """Stops it; then nothing of any secret was logged."""
    server.stop()
    log = "".join(server.log)
    for secret in secrets:
        for at in range(0, len(secret) - 16, 8):
            assert secret[at:at + 16] not in log, f"a part of a token is in the log: {log}"


# ---- Static tokens ----------------------------------------------------------------------------------------------

@test
def static_tokens(place):
    file = place / "tokens"
    file.write_text(f"# who may call\n{entry('bob')}\n")
    file.chmod(0o600)
    server = Server("--token", entry("ann"), "--tokens-file", str(file))
    known = "the token is not known here"
    shape = "the Authorization header is not Bearer and a token"
    for authorizations, status, said in [
        ([f"Bearer {TOKEN['ann']}"], 200, None),
        ([f"bearer {TOKEN['bob']}"], 200, None),
        ([], 401, 'Bearer realm="mcp"'),
        (["Basic YW5uOmFubg=="], 401, 'Bearer realm="mcp"'),
        (["Bearer wrong"], 401, f'Bearer error="invalid_token", error_description="{known}"'),
        ([f"Bearer {TOKEN['ann']} x"], 400, f'Bearer error="invalid_request", error_description="{shape}"'),
        ([f"Bearer {TOKEN['ann']}"] * 2, 400,
         'Bearer error="invalid_request", error_description="there is more than one Authorization header"'),
    ]:
        answer = server.call(*authorizations)
        same((answer.status, challenge(answer)), (status, said))
    same(server.call(path=f"/mcp?access_token={TOKEN['ann']}").status, 401)
    same(server.call(f"Bearer {TOKEN['ann']}", tool="change").status, 200)  # scopes are OAuth's
    assert server.ask("GET", "/.well-known/oauth-protected-resource").status in (401, 404)
    silent_about(server, *TOKEN.values())


@test
def sessions_belong_to_their_caller(_):
    server = Server("--token", entry("ann"), "--token", entry("bob"))
    headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
    ann, bob = [("Authorization", f"Bearer {TOKEN[name]}") for name in ("ann", "bob")]
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    answer = server.ask("POST", "/mcp", json.dumps(hello).encode(), headers + [ann])
    same(answer.status, 200)
    headers += [("Mcp-Session-Id", answer.headers["Mcp-Session-Id"]), ("MCP-Protocol-Version", "2025-11-25")]
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    same(server.ask("POST", "/mcp", ping, headers + [bob]).status, 404)
    same(server.ask("POST", "/mcp", ping, headers).status, 401)
    same(server.ask("POST", "/mcp", ping, headers + [ann]).status, 200)
    server.stop()


# ---- OAuth ------------------------------------------------------------------------------------------------------

class World:
    """An issuer with three keys, and a server that believes it."""

    def __init__(self, place, *flags):
        self.issuer = Issuer()
        self.rsa, self.ec, self.ed = (Key(place, kind.lower(), kind) for kind in ("RS256", "ES256", "EdDSA"))
        self.issuer.keys = [self.rsa, self.ec, self.ed]
        self.server = Server("--oauth-issuer", self.issuer.url, "--oauth-scopes", "notes:read", *flags)
        self.made = []

    def claims(self, **changes):
        now = int(time.time())
        claims = {"iss": self.issuer.url, "aud": self.server.url, "sub": "ann", "iat": now, "exp": now + 3600,
                  "scope": "notes:read"} | changes
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, key=None, header=None, sign=None, **changes):
        self.made.append(jwt(self.claims(**changes), key or self.rsa, header, sign))
        return f"Bearer {self.made[-1]}"

    def refused(self, token, why):
        answer = self.server.call(token)
        same((answer.status, challenge(answer)),
             (401, f'Bearer error="invalid_token", error_description="{why}", {self.where()}'))

    def where(self, scope="notes:read"):
        base = self.server.url.removesuffix("/mcp")
        return f'scope="{scope}", resource_metadata="{base}/.well-known/oauth-protected-resource/mcp"'

    def end(self):
        self.issuer.stop()
        silent_about(self.server, *self.made)


@test
def oauth_claims_and_signatures(place):
    world = World(place)
    for key in world.issuer.keys:
        for _ in range(2):  # and again from what was kept
            answer = world.server.call(world.token(key))
            same(answer.status, 200)
    same(world.issuer.asked, ["/.well-known/oauth-authorization-server/tenant", "/keys"])
    same(challenge(world.server.call()), f"Bearer {world.where()}")
    world.refused("Bearer garbage", "the token is neither known here nor a signed JWT")
    now = int(time.time())
    for changes, why in [
        (dict(exp=now - 1), "the token has expired"),
        (dict(exp=None), "the token has no expiry"),
        (dict(nbf=now + 1000), "the token is not valid yet"),
        (dict(aud="https://other.example/mcp"), "the token is not for this server"),
        (dict(aud=None), "the token is not for this server"),
        (dict(iss="https://other.example"), "the token is from another issuer"),
        (dict(sub=None), "the token names no subject"),
    ]:
        world.refused(world.token(**changes), why)
    same(world.server.call(world.token(aud=["x", world.server.url + "/"], scope=None, scp=["notes:read"])).status, 200)
    algorithm = "the token is signed with an algorithm that is not accepted here"
    pem = world.rsa.public_pem()
    world.refused(world.token(header={"alg": "none"}, sign=lambda _: b"x"), algorithm)
    world.refused(world.token(header={"alg": "HS256", "kid": "rs256"},
                              sign=lambda data: hmac.new(pem, data, hashlib.sha256).digest()), algorithm)
    stranger = Key(place, "stranger", "RS256")
    wrong = "the token's signature is wrong"
    world.refused(world.token(stranger, header={"alg": "RS256", "kid": "rs256"}), wrong)
    whole = world.token(world.ec)
    body = b64(json.dumps(world.claims(sub="root")).encode())
    world.refused(".".join([whole.split(".")[0], body, whole.split(".")[2]]), wrong)
    unsigned = world.token().rsplit(".", 1)[0] + "."
    world.refused(unsigned, "the token is neither known here nor a signed JWT")
    world.end()


@test
def oauth_scopes(place):
    world = World(place)
    why = 'Bearer error="insufficient_scope", error_description="the token does not have every scope that is needed"'
    for scope, tool, status, scopes in [
        ("notes:read", "look", 200, None),
        ("notes:write notes:admin", "look", 403, "notes:read"),
        (None, "look", 403, "notes:read"),
        ("notes:readable", "look", 403, "notes:read"),
        ("notes:read", "change", 403, "notes:read notes:write notes:admin"),
        ("notes:read notes:write", "change", 403, "notes:read notes:write notes:admin"),
        ("notes:admin notes:write notes:read", "change", 200, None),
    ]:
        answer = world.server.call(world.token(scope=scope), tool=tool)
        same((answer.status, challenge(answer)), (status, f"{why}, {world.where(scopes)}" if scopes else None))
    world.end()


@test
def oauth_metadata(place):
    world = World(place)
    path = "/.well-known/oauth-protected-resource"
    for place_ in (path, path + "/mcp"):
        answer = world.server.ask("GET", place_)
        same((answer.status, answer.headers["Content-Type"], answer.headers["Access-Control-Allow-Origin"]),
             (200, "application/json", "*"))
        same(json.loads(answer.body), {"resource": world.server.url, "authorization_servers": [world.issuer.url],
                                       "scopes_supported": ["notes:read"], "bearer_methods_supported": ["header"]})
    assert all(world.server.ask("GET", path + rest).status in (401, 404) for rest in ("/", "/other", "x"))
    same(world.server.ask("HEAD", path).body, b"")
    same(world.server.ask("POST", path, b"{}").status, 405)
    world.end()


@test
def oauth_keys_change(place):
    """Keys that nobody knows make the server ask, but rarely; a new key is found, and an old one forgotten."""
    begun = time.monotonic()
    world = World(place)
    fresh = Key(place, "fresh", "RS256")
    statuses = [world.server.call(world.token(header={"alg": "RS256", "kid": f"kid-{i}"})).status for i in range(40)]
    assert set(statuses) <= {401, 503}, statuses
    old = world.token()
    same(world.server.call(old).status, 200)
    world.issuer.keys = [fresh, world.ec]
    token = world.token(fresh)
    while (answer := world.server.call(token)).status != 200:
        assert answer.status in (401, 503) and time.monotonic() - begun < PATIENCE, answer.status
        time.sleep(0.05)
    world.refused(old, "the token is signed with a key that is not known")
    same(world.server.call(world.token(world.ec)).status, 200)
    most = 2 + (time.monotonic() - begun) / SPACING
    assert world.issuer.fetches() <= most, f"asked {world.issuer.fetches()} times"
    world.end()


@test
def oauth_issuer_is_away(place):
    """It starts, says 503 and why in its log, and works once the issuer does."""
    begun = time.monotonic()
    issuer, key = Issuer(), Key(place, "one", "ES256")
    issuer.keys, issuer.status = [key], 500
    server = Server("--oauth-issuer", issuer.url, "--oauth-audience", "api://notes")
    claims = {"iss": issuer.url, "aud": "api://notes", "client_id": "robot", "exp": int(time.time()) + 3600}
    token = f"Bearer {jwt(claims, key)}"
    answer = server.call(token)
    same((answer.status, answer.headers["Retry-After"]), (503, "10"))
    issuer.status = 200
    while (answer := server.call(token)).status != 200:
        assert answer.status == 503 and time.monotonic() - begun < PATIENCE, answer.status
        time.sleep(0.05)
    issuer.stop()
    same(server.call(token).status, 200)
    silent_about(server, token)
    assert any("/.well-known/oauth-authorization-server/tenant: status 500" in line for line in server.log), server.log


@test
def oauth_and_static_tokens(place):
    key = Key(place, "one", "ES256")
    file = place / "keys.json"
    file.write_text(json.dumps({"keys": [key.jwk]}))
    server = Server("--oauth-issuer", "https://issuer.invalid", "--oauth-keys", str(file), "--token", entry("ann"),
                    "--public-url", "https://tools.example/notes/mcp")
    claims = {"iss": "https://issuer.invalid", "aud": "https://tools.example/notes/mcp", "sub": "x",
              "exp": int(time.time()) + 3600}
    same(server.call(f"Bearer {TOKEN['ann']}").status, 200)
    same(server.call(f"Bearer {jwt(claims, key)}").status, 200)
    same(challenge(server.call()), 'Bearer resource_metadata="https://tools.example/.well-known/'
                                   'oauth-protected-resource/notes/mcp"')
    same(server.ask("GET", "/.well-known/oauth-protected-resource/notes/mcp").status, 200)
    server.stop()


@test
def oauth_settings_that_cannot_work(_):
    for flags, said in [
        (["--oauth-issuer", "http://as.example"], "https"),
        (["--oauth-issuer", "https://as.example", "--oauth-algorithms", "HS256"], "HS256 is not accepted; choose among"),
        (["--oauth-issuer", "https://as.example", "--oauth-keys", "/nowhere.json"], "No such file or directory"),
    ]:
        result = subprocess.run([BUILD / "tests" / "auth_judge", "--http", "127.0.0.1:0", *flags], capture_output=True,
                                text=True, timeout=PATIENCE, check=False)
        assert result.returncode != 0 and said in result.stderr, (result.returncode, result.stderr)


def run(function):
    """What went wrong, or None."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            function(pathlib.Path(directory))
        except Exception:
            return f"{function.__name__}:\n{traceback.format_exc()}"
    return None


def main(names):
    chosen = [function for function in tests if not names or any(part in function.__name__ for part in names)]
    if not (BUILD / "lib" / "libtenon-oauth.so").exists():
        print("of OAuth nothing is tested: its module was not built")
        chosen = [function for function in chosen if not function.__name__.startswith("oauth")]
    with concurrent.futures.ThreadPoolExecutor(len(tests)) as pool:  # most of the time they wait
        failures = [failure for failure in pool.map(run, chosen) if failure]
    for process in processes:  # of tests that failed
        if process.poll() is None:
            process.kill()
    print(*failures, f"{len(chosen)} tests, {len(failures)} failed", sep="\n")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
