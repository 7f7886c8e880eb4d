"""An embedding service that plays well or badly: real HTTP on a free port of this machine."""
import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def numbered(text, dimensions):
    """A unit vector that tells its text: the first two numbers are the sine and cosine of what stands behind the blank."""
    number = int(text.split()[-1]) if text.split()[-1:] and text.split()[-1].isdigit() else len(text)
    return [math.sin(number), math.cos(number)] + [0.0] * (dimensions - 2)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.service.answer(self, json.loads(body))

    def reply(self, status, body, headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Service:
    """As Ollama, or an OpenAI-compatible one, by the path that it is asked at. `plays` is how the next requests are answered, one
    name each; then `usual`. What came is in `requests`. `vector` makes the vector of a text."""

    def __init__(self, dimensions=256, vector=numbered):
        self.dimensions, self.vector = dimensions, vector
        self.usual = "good"
        self.plays = []
        self.requests = []
        self.lock = threading.Lock()
        self.came = threading.Condition(self.lock)
        self.gate = threading.Event()  # what waits is let go by it
        self.inside = self.most_inside = 0
        self.httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.httpd.daemon_threads = True
        self.httpd.service = self
        self.url = f"http://127.0.0.1:{self.httpd.server_port}"
        threading.Thread(target=self.httpd.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.gate.set()
        self.httpd.shutdown()
        self.httpd.server_close()

    def wait_for(self, count):
        with self.came:
            assert self.came.wait_for(lambda: len(self.requests) >= count, timeout=30), "no request came"

    def answer(self, handler, request):
        with self.came:
            self.requests.append((handler.path, dict(handler.headers), request))
            play = self.plays.pop(0) if self.plays else self.usual
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)
            self.came.notify_all()
        try:
            getattr(self, "play_" + play)(handler, request)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True
        finally:
            with self.came:
                self.inside -= 1
                self.came.notify_all()

    def vectors(self, request):
        dimensions = self.dimensions
        if "dimensions" in request and self.obeys:
            dimensions = request["dimensions"]
        return [self.vector(text, dimensions) for text in request["input"]]

    obeys = False  # whether it makes vectors of the dimensions that are asked for

    def send(self, handler, vectors):
        if handler.path.endswith("/api/embed"):
            handler.reply(200, {"model": "m", "embeddings": vectors, "total_duration": 12, "load_duration": 1.5})
        else:
            data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
            handler.reply(200, {"object": "list", "data": data[::-1], "model": "m", "usage": {"total_tokens": 5}})

    # ---- How it plays ----

    def play_good(self, handler, request):
        self.send(handler, self.vectors(request))

    def play_long(self, handler, request):
        self.send(handler, [[x * 1e3 for x in v] for v in self.vectors(request)])

    def play_tiny(self, handler, request):
        self.send(handler, [[x * 1e-8 for x in v] for v in self.vectors(request)])

    def play_fails(self, handler, _):
        handler.reply(500, {"error": "secret-of-the-service"})

    def play_busy(self, handler, _):
        handler.reply(429, {"error": "slow down"}, [("Retry-After", "7")])

    def play_very_busy(self, handler, _):
        handler.reply(503, {"error": "slow down"}, [("Retry-After", "86400")])

    def play_denies(self, handler, _):
        handler.reply(401, {"error": "who are you"})

    def play_knows_no_model(self, handler, _):
        handler.reply(404, {"error": "model not found"})

    def play_leads_away(self, handler, _):
        handler.reply(307, b"", [("Location", self.url + "/elsewhere")])

    def play_slow(self, handler, request):
        self.gate.wait(30)
        self.send(handler, self.vectors(request))

    def play_waits_for_another(self, handler, request):
        with self.came:
            self.came.wait_for(lambda: self.most_inside >= 2, timeout=30)
        self.send(handler, self.vectors(request))

    def play_dimensions(self, handler, request):
        self.send(handler, [v[:-1] for v in self.vectors(request)])

    def play_ragged(self, handler, request):
        vectors = self.vectors(request)
        self.send(handler, vectors[:-1] + [vectors[-1] + [0.5]])

    def play_few(self, handler, request):
        self.send(handler, self.vectors(request)[:-1])

    def play_many(self, handler, request):
        self.send(handler, self.vectors(request) + [self.vector("text 1", self.dimensions)])

    def play_none(self, handler, _):
        self.send(handler, [])

    def play_twice(self, handler, request):
        data = [{"index": 0, "embedding": v} for v in self.vectors(request)]
        handler.reply(200, {"data": data})

    def play_far_index(self, handler, request):
        data = [{"index": 1 << 40, "embedding": v} for v in self.vectors(request)]
        handler.reply(200, {"data": data})

    def play_zeros(self, handler, request):
        self.send(handler, [[0.0] * self.dimensions for _ in request["input"]])

    def play_words(self, handler, request):
        self.send(handler, [["0.5"] * self.dimensions for _ in request["input"]])

    def play_nulls(self, handler, request):
        self.send(handler, [[None] * self.dimensions for _ in request["input"]])

    def play_nan(self, handler, request):
        self.send(handler, [[float("nan")] * self.dimensions for _ in request["input"]])

    def play_infinity(self, handler, request):
        text = json.dumps({"embeddings": self.vectors(request)}).replace("0.0", "1e999")
        handler.reply(200, text.encode())

    def play_garbage(self, handler, _):
        handler.reply(200, b"<html>Welcome to the proxy</html>")

    def play_garbage_behind(self, handler, request):
        handler.reply(200, json.dumps({"embeddings": self.vectors(request)}).encode() + b'},"more":{')

    def play_other_shape(self, handler, _):
        handler.reply(200, [1, 2, 3])

    def play_deep(self, handler, _):
        handler.reply(200, b"[" * 100000 + b"]" * 100000)

    def play_huge(self, handler, _):
        handler.reply(200, b" " * (5 << 20))

    def play_endless(self, handler, _):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
        while not self.gate.is_set():
            handler.wfile.write(piece)

    def play_closes(self, handler, _):
        handler.close_connection = True

    def play_closes_early(self, handler, _):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"embeddings":[[0.1,')
        handler.close_connection = True
