#!/usr/bin/env python3
"""A real nginx in front of the example server, with the very blocks of docs/serving.md; and nginx and haproxy before replicas.

Addresses, the certificate's place and nothing else are replaced. Through it go a call, a stream whose events must arrive one by
one, a stranger without a token and a foreign Host; beside it /healthz, and every metric that the page lists. Skipped, loudly,
where there is no nginx.
"""
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", ROOT / "build" / "release")).resolve()
PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
NAME = "tools.example.com"
TOKEN = "0123456789abcdef" * 4
SECONDS = 20
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}}

problems = []


def check(what, good, seen=""):
    print(f"{'ok' if good else 'WRONG'}: {what}")
    if not good:
        problems.append(what)
        print(seen)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(port, process):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise SystemExit(f"{process.args[0]} does not listen at {port}")


def replaced(text, old, new):
    if old not in text:
        raise SystemExit(f"docs/serving.md: the nginx block has no {old!r} any more")
    return text.replace(old, new)


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.S | re.M)


def configuration(directory, listen, server):
    return nginx_of(directory, listen, replaced(blocks("nginx")[0], "127.0.0.1:8080", f"127.0.0.1:{server}"))


def nginx_of(directory, listen, text):
    text = replaced(text, "listen 443 ssl", f"listen 127.0.0.1:{listen} ssl")
    text = replaced(text, "/etc/ssl/", f"{directory}/")
    temporary = "".join(f"    {kind}_temp_path {directory}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return (f"daemon off;\nmaster_process off;\npid {directory}/pid;\nerror_log stderr;\n"
            f"events {{}}\nhttp {{\n    access_log off;\n{temporary}{text}}}\n")


def certificate(directory):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
                    "-keyout", f"{directory}/{NAME}.key", "-out", f"{directory}/{NAME}.pem"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Proxied(http.client.HTTPSConnection):
    """A connection to nginx that asks for NAME, and trusts only the certificate that was made here."""

    def __init__(self, port, directory):
        super().__init__("127.0.0.1", port, timeout=SECONDS,
                         context=ssl.create_default_context(cafile=f"{directory}/{NAME}.pem"))

    def connect(self):
        plain = socket.create_connection((self.host, self.port), self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=NAME)


def call(connection, tool, arguments, token=TOKEN, host=NAME, **meta):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments, "_meta": {**META, **meta}}}
    headers = {"Host": host, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request("POST", "/mcp", json.dumps(body), headers)
    return connection.getresponse()


def check_calls(connection):
    for _ in range(3):  # on one connection
        answer = call(connection, "search_notes", {"text": "milk"})
        text = answer.read().decode()
        check("a call goes through", answer.status == 200 and '"found":1' in text, f"{answer.status} {text}")
    answer = call(connection, "search_notes", {"text": "milk"}, token=None)
    answer.read()
    check("a stranger is asked for a token",
          answer.status == 401 and (answer.getheader("WWW-Authenticate") or "").startswith("Bearer"), answer.status)
    answer = call(connection, "search_notes", {"text": "milk"}, host="evil.example")
    text = answer.read().decode()
    check("a foreign Host is refused by the server", answer.status == 403 and "Host" in text, f"{answer.status} {text}")


def events_of(answer):
    for line in answer:
        if line.startswith(b"data: {"):
            yield json.loads(line[6:])


def check_stream(connection):
    answer = call(connection, "remind", {"seconds": 1}, progressToken="p")
    kind = answer.getheader("Content-Type") or ""
    check("a call with progress is a stream", answer.status == 200 and kind.startswith("text/event-stream"), kind)
    methods = [message.get("method", "answer") for message in events_of(answer)]
    check("the stream has its events, and the answer last", methods == ["notifications/progress", "answer"], methods)
    answer = call(connection, "search_notes", {"text": "milk"})
    answer.read()
    check("the connection can be used after a stream", answer.status == 200, answer.status)


def check_events_are_not_collected(connection):
    """The call takes twice as long as this waits for anything: its first event must come before its end."""
    answer = call(connection, "remind", {"seconds": 2 * SECONDS}, progressToken="p")
    try:
        first = next(events_of(answer), {})
    except TimeoutError:
        first = {}
    check("events arrive when they are sent", first.get("method") == "notifications/progress", first)


def check_admin(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    check("it is healthy", (answer.status, answer.read()) == (200, b'{"status":"ok"}'))
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    listed = set(re.findall(r"`(tenon_\w+)`", PAGE)) - {"tenon_caller"}
    listed = {name for name in listed if re.search(rf"^\|.*`{name}`", PAGE, re.M)}
    shown = set(re.findall(r"^# TYPE (\w+) ", text, re.M))
    listed = {name for name in listed if not name.startswith("tenon_db_")}  # of a database; tests/postgresql_setup has them
    check("the page lists every metric, and no other", listed == shown, listed ^ shown)
    calls = re.search(r'^tenon_calls_total\{tool="search_notes",outcome="OK"\} (\d+)$', text, re.M)
    check("calls are counted", calls and int(calls[1]) == 4, text)
    requests = re.search(r"^tenon_http_requests_total (\d+)$", text, re.M)
    check("requests are counted", requests and int(requests[1]) >= 6, requests and requests[0])


# ---- Replicas ---------------------------------------------------------------------------------------------------

REPLICA_TOKENS = {f"c{i}": f"c{i:02}" * 12 for i in range(32)}  # so many are not all at one replica by chance


class Replicas:
    """Two of them, with one key file, behind a proxy."""

    def __init__(self, directory):
        self.ports, self.admins = free_ports(4)[:2], free_ports(2)
        tokens = [f"--token={name}:sha256:{hashlib.sha256(token.encode()).hexdigest()}"
                  for name, token in REPLICA_TOKENS.items()]
        self.running = []
        for port, admin in zip(self.ports, self.admins):
            self.running.append(subprocess.Popen(
                [BUILD / "tests" / "replicas_judge", "--http", f"127.0.0.1:{port}", "--key-file", f"{directory}/key",
                 "--public-url", f"https://{NAME}/mcp", "--admin", f"127.0.0.1:{admin}", *tokens]))
            wait_for(port, self.running[-1])

    def placed(self, text):
        for i, port in enumerate(self.ports, 1):
            text = replaced(text, f"10.0.0.{i}:8080", f"127.0.0.1:{port}")
        return text


def post(connection, body, **headers):
    connection.request("POST", "/mcp", json.dumps(body), {
        "Host": NAME, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
        **{name.replace("_", "-"): value for name, value in headers.items()}})
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status != 200:
        raise SystemExit(f"{answer.status} {text}")
    return answer, json.loads(text)


def whose(connection, token, session=None):
    """Which process answers: in a session, or to a client of 2026-07-28."""
    params = {"name": "whose", "arguments": {}, **({} if session else {"_meta": META})}
    headers = {"Mcp_Session_Id": session} if session else {
        "MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "whose"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    _, answer = post(connection, body, Authorization=f"Bearer {REPLICA_TOKENS[token]}", **headers)
    return answer["result"]["structuredContent"]["data"]["text"]


def begin_session(connection, token):
    answer, _ = post(connection, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        Authorization=f"Bearer {REPLICA_TOKENS[token]}")
    return answer.getheader("Mcp-Session-Id")


def check_places(places, what):
    check(what, all(len(seen) == 1 for seen in places) and len(set().union(*places)) == 2, places)


def check_by_session(connection, what):
    places = []
    for token in REPLICA_TOKENS:
        session = begin_session(connection, token)
        seen = {whose(connection, token, session) for _ in range(3)}
        places.append(seen)
    check_places(places, f"{what}: a session is always at one replica, and sessions are spread")
    seen = {whose(connection, "c0") for _ in range(8)}
    check(f"{what}: requests without a session are spread", len(seen) == 2, seen)


def check_by_token(connection, what):
    places = []
    for token in REPLICA_TOKENS:
        seen = {whose(connection, token) for _ in range(3)}
        places.append(seen)
    check_places(places, f"{what}: a caller is always at one replica, and callers are spread")


def through(command, port, directory, checks, what):
    """Runs a proxy and asks through it."""
    process = subprocess.Popen(command)
    try:
        wait_for(port, process)
        connection = Proxied(port, directory)
        checks(connection, what)
        connection.close()
    finally:
        stop(process)


def check_replicas(nginx, haproxy, directory):
    replicas = Replicas(directory)
    whole, by_session, by_token = blocks("nginx")
    upstream = re.search(r"^upstream .*?^}\n", whole, re.S | re.M)[0]
    try:
        for text, checks, what in ((by_session, check_by_session, "nginx"), (by_token, check_by_token, "nginx by token")):
            port = free_ports(1)[0]
            config = pathlib.Path(directory, "replicas.conf")
            config.write_text(nginx_of(directory, port, whole.replace(upstream, replicas.placed(text))), encoding="utf-8")
            through([nginx, "-p", directory, "-c", config], port, directory, checks, what)
        if not haproxy:
            print("SKIPPED: there is no haproxy here; scripts/setup installs it")
            return
        port = free_ports(1)[0]
        pem = pathlib.Path(directory, "both")
        pem.write_bytes(b"".join(pathlib.Path(directory, f"{NAME}.{kind}").read_bytes() for kind in ("pem", "key")))
        text = replicas.placed(blocks("haproxy")[0])
        text = replaced(replaced(text, "bind :443", f"bind 127.0.0.1:{port}"), f"/etc/ssl/{NAME}.pem", str(pem))
        for name, admin in zip(("one", "two"), replicas.admins):
            text = re.sub(rf"(server {name} .*) port 9464", rf"\1 port {admin}", text)
        config = pathlib.Path(directory, "haproxy.cfg")
        config.write_text(text, encoding="utf-8")
        through([haproxy, "-f", config], port, directory, check_by_session, "haproxy")
    finally:
        check("the replicas end well", [stop(process) for process in replicas.running] == [0, 0])


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    return process.wait(SECONDS)


def main():
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if not nginx:
        print("SKIPPED: there is no nginx here; scripts/setup installs it")
        return 0
    running = []
    with tempfile.TemporaryDirectory() as directory:
        front, back, admin = free_ports(3)
        certificate(directory)
        tokens = pathlib.Path(directory, "tokens")
        tokens.touch(0o600)
        tokens.write_text(f"ann:sha256:{hashlib.sha256(TOKEN.encode()).hexdigest()}\n", encoding="ascii")
        pathlib.Path(directory, "nginx.conf").write_text(configuration(directory, front, back), encoding="utf-8")
        try:
            running.append(subprocess.Popen([BUILD / "examples" / "server", "--http", f"127.0.0.1:{back}", "--public-url",
                                             f"https://{NAME}/mcp", "--tokens-file", tokens, "--admin",
                                             f"127.0.0.1:{admin}", "--loops", "2"]))
            wait_for(back, running[0])
            running.append(subprocess.Popen([nginx, "-p", directory, "-c", f"{directory}/nginx.conf"]))
            wait_for(front, running[1])
            connection = Proxied(front, directory)
            check_stream(connection)  # the first call of all: nothing is warm yet
            check_calls(connection)
            check_events_are_not_collected(connection)
            connection.close()  # which cancels the call
            check_admin(admin)
        finally:
            ended = [stop(process) for process in reversed(running)]
        check("the server ends well", ended[-1] == 0, ended)
        check_replicas(nginx, shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin"), directory)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
