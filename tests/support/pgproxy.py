"""A proxy in front of PostgreSQL that reads the protocol as far as its rounds: a simple query, or everything up to a Sync.

    with pgproxy.Proxy(port) as proxy:
        proxy.arm(3, lambda one: one.refuse("40001"))    # the third round from now on

What it does with a round instead of passing it on is a method of the connection: refuse(), end(), cut(), lose_answer(), be_silent().
Rounds of what looks now and then whether the database is up are passed on: no call has part in them.
"""
import contextlib
import select
import socket
import struct
import threading

PROTOCOL = 196608
COMMIT = b"COMMIT\0"
SET_UP = b"pg_is_in_recovery"  # in the first round of a connection
READY_IDLE, READY_FAILED = b"Z\0\0\0\x05I", b"Z\0\0\0\x05E"


class Cut(Exception):
    """This connection is over."""


def error(state, severity):
    body = b"".join(kind + text.encode() + b"\0" for kind, text in
                    ((b"S", severity), (b"V", severity), (b"C", state), (b"M", "made up for a test"))) + b"\0"
    return b"E" + struct.pack("!I", len(body) + 4) + body


class Connection:
    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.buffer, self.round, self.is_started = b"", b"", False
        self.is_in_transaction = False
        self.is_silent, self.loses = False, None

    # ---- What is done with a round ----

    def refuse(self, state):
        """The server refuses it; what it has of the transaction is rolled back, by who asked or here."""
        if COMMIT in self.round:
            self.is_in_transaction = False
            self.server.sendall(b"Q" + struct.pack("!I", 13) + b"ROLLBACK\0")
            answer = b""
            while not answer.endswith(READY_IDLE):
                answer += self.server.recv(4096)
        self.client.sendall(error(state, "ERROR") + (READY_FAILED if self.is_in_transaction else READY_IDLE))

    def end(self, state):
        """The server ends the connection and says why."""
        self.client.sendall(error(state, "FATAL"))
        raise Cut

    def cut(self):
        raise Cut

    def lose_answer(self, before=lambda: None):
        """It is passed on, and done; then the connection is cut."""
        self.loses = before
        self.server.sendall(self.round)

    def be_silent(self):
        """Nothing is passed on any more, in either direction."""
        self.is_silent = True

    # ---- The protocol ----

    def messages(self):
        """Takes whole messages out of the buffer."""
        while True:
            head = 1 if self.is_started else 0
            if len(self.buffer) < head + 4:
                return
            size = head + struct.unpack("!I", self.buffer[head:head + 4])[0]
            if len(self.buffer) < size:
                return
            message, self.buffer = self.buffer[:size], self.buffer[size:]
            yield message

    def from_client(self, data):
        self.buffer += data
        for message in self.messages():
            if not self.is_started:
                self.is_started = struct.unpack("!I", message[4:8])[0] == PROTOCOL
                self.server.sendall(message)
                continue
            self.round += message
            if message[:1] not in b"QSp":
                continue
            if self.is_silent:
                self.round = b""
                continue
            if message[:1] == b"p" or not self.is_of_a_call() or not self.proxy.fault(self.round):
                self.pass_on()
            else:
                self.proxy.what(self)
            self.round = b""

    def is_of_a_call(self):
        """All that calls do is in a transaction; a look is not."""
        return self.is_in_transaction or b"BEGIN" in self.round or SET_UP in self.round

    def pass_on(self):
        if b"BEGIN" in self.round:
            self.is_in_transaction = True
        elif COMMIT in self.round or b"ROLLBACK" in self.round:
            self.is_in_transaction = False
        self.server.sendall(self.round)

    def from_server(self, data):
        if self.loses:
            self.loses()
            raise Cut
        if not self.is_silent:
            self.client.sendall(data)

    def run(self):
        with contextlib.suppress(OSError, Cut), self.client, self.server:
            while True:
                for ready in select.select([self.client, self.server], [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    (self.from_client if ready is self.client else self.from_server)(data)


class Proxy:
    def __init__(self, port):
        self.server_port, self.left, self.what, self.lock = port, -1, None, threading.Lock()
        self.struck = b""  # the round that met what it was armed with
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def arm(self, number, what):
        with self.lock:
            self.left, self.what, self.struck = number, what, b""

    def is_armed(self):
        return self.left > 0

    def fault(self, one):
        """Is this the round?"""
        with self.lock:
            self.left -= self.left >= 0
            if self.left == 0 and not self.struck:
                self.struck = one
                return True
            return False

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self.server_port))
                except OSError:
                    client.close()
                    continue
                threading.Thread(target=Connection(self, client, server).run, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts
        self.listener.close()
