#!/usr/bin/env python3
"""Embeddings over real HTTP: good services and bad ones, tries that are counted, the circuit, keys, and giving up.

    tests/docs_embedding/run.py [NAME...]    only the tests whose name contains one of these
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from embedding_service import Service  # noqa: E402

JUDGE = os.path.join(os.environ.get("TENON_BUILD_DIR", "build/dev"), "tests", "docs_embedding_judge")
KEY = "key-that-nobody-may-see-0123456789"
tests = []


def test(function):
    tests.append(function)
    return function


class Judge:
    def __init__(self, provider, url, model=None, key=None, dimensions=None, whole_ms=None, query=None, document=None):
        words = [JUDGE, provider, url, model, key, dimensions, whole_ms, query, document]
        environment = dict(os.environ, http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
        self.process = subprocess.Popen([str(word) if word else "-" for word in words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.start = self.read()

    def read(self):
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        return json.loads(line)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line):
        self.send(line)
        return self.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        out, err = self.process.communicate()
        assert self.process.returncode == 0 and not out and not err, (self.process.returncode, out, err)


def good(answer, count, first=0):
    assert answer["status"] == "ok", answer
    assert len(answer["vectors"]) == count
    for i, (square, x, y) in enumerate(answer["vectors"], first):
        assert abs(square - 1) < 1e-4 and abs(x - math.sin(i)) < 1e-4 and abs(y - math.cos(i)) < 1e-4, (i, x, y)
    return answer


# ---- Good services ----------------------------------------------------------------------------------------------

@test
def ollama():
    with Service() as service, Judge("ollama", service.url, "some-model") as judge:
        assert judge.start == {"model": "ollama/some-model/256/3", "dimensions": 256, "waits": []}
        good(judge.ask("embed 3"), 3)
        path, headers, request = service.requests[-1]
        assert path == "/api/embed" and headers["Content-Type"] == "application/json"
        assert request == {"model": "some-model", "input": ["text 0", "text 1", "text 2"]}
        assert "Authorization" not in headers


@test
def openai():
    with Service() as service, Judge("openai", service.url + "/v1") as judge:
        assert judge.start["model"] == "openai/text-embedding-3-small/256/3"
        good(judge.ask("embed 5"), 5)  # they come in another order
        path, _, request = service.requests[-1]
        assert path == "/v1/embeddings" and request["encoding_format"] == "float" and "dimensions" not in request


@test
def addresses():
    cases = [("ollama", "", "/api/embed"), ("ollama", "/", "/api/embed"), ("ollama", "/api", "/api/embed"),
             ("ollama", "/api/embed", "/api/embed"), ("ollama", "/a/b/", "/a/b/api/embed"),
             ("openai", "", "/v1/embeddings"), ("openai", "/v1/", "/v1/embeddings"),
             ("openai", "/x/v1/embeddings", "/x/v1/embeddings")]
    with Service() as service:
        for provider, end, want in cases:
            with Judge(provider, service.url + end) as judge:
                assert "model" in judge.start, (end, judge.start)
            assert service.requests[-1][0] == want, service.requests[-1][0]
        with Judge("ollama", service.url.removeprefix("http://")) as judge:
            assert "model" in judge.start  # on this machine, http is meant
        for url in ["ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://u:p@127.0.0.1/", "http://127.0.0.1/?k=1",
                    "http://127.0.0.1/#x", "x" * 3000, "http://a b/"]:
            with Judge("ollama", url) as judge:
                assert "--embedding-url" in judge.start["mistake"], (url, judge.start)


@test
def batches():
    with Service() as service, Judge("ollama", service.url) as judge:
        good(judge.ask("embed 100"), 100)
        assert [len(r["input"]) for _, _, r in service.requests] == [1, 32, 32, 32, 4]
        assert judge.ask("embed 0")["status"] == "ok" and len(service.requests) == 5
    with Service(4096) as service, Judge("openai", service.url) as judge:
        good(judge.ask("embed 50"), 50)
        assert max(len(r["input"]) for _, _, r in service.requests) < 32  # so that answers stay within bounds


@test
def texts():
    with Service() as service, Judge("ollama", service.url, "some-model") as judge:
        for text, want in [("", "(empty)"), ("   ", "(empty)"), ('a "quoted" \\ text', 'a "quoted" \\ text'),
                           ("größer", "größer")]:
            assert judge.ask("say " + text)["status"] == "ok"
            assert service.requests[-1][2]["input"] == [want]


@test
def prefixes():
    """Questions and documents get the words that the model was trained with; the operator's come first."""
    bge = "Represent this sentence for searching relevant passages: "
    cases = [("nomic-embed-text", {}, "search_query: ", "search_document: "), (None, {}, "search_query: ", "search_document: "),
             ("bge-small-en-v1.5:latest", {}, bge, ""), ("BAAI/bge-m3", {}, "", ""), ("all-minilm", {}, "", ""),
             ("intfloat/e5-base-v2", {}, "query: ", "passage: "), ("e5-large-instruct", {}, "", ""),
             ("mine", dict(query="ask: ", document="text: "), "ask: ", "text: "),
             ("nomic-embed-text", dict(query="ask: "), "ask: ", "search_document: ")]
    names = set()
    with Service() as service:
        for model, given, query, document in cases:
            with Judge("ollama", service.url, model, **given) as judge:
                assert judge.ask("ask why?")["status"] == "ok"
                assert service.requests[-1][2]["input"] == [query + "why?"], (model, service.requests[-1][2])
                assert judge.ask("say so.")["status"] == "ok"
                assert service.requests[-1][2]["input"] == [document + "so."], (model, service.requests[-1][2])
                name = judge.start["model"]
                assert ("/3/" in name) == bool(query or document), name  # vectors with and without never mix
                names.add((model or "nomic-embed-text", name))
        assert len(names) == len(cases) - 1, names
        with Judge("ollama", service.url, "mine", query="x" * 201) as judge:
            assert "at most 200 bytes" in judge.start["mistake"], judge.start


@test
def lengths():
    with Service() as service, Judge("ollama", service.url) as judge:
        for play in ["long", "tiny"]:
            service.plays = [play]
            good(judge.ask("embed 4"), 4)


@test
def two_at_a_time():
    with Service() as service, Judge("ollama", service.url) as judge:
        service.usual = "waits_for_another"
        assert judge.ask("many 12") == {"fine": 12}
        assert service.most_inside == 2, service.most_inside


# ---- Dimensions -------------------------------------------------------------------------------------------------

@test
def dimensions():
    with Service(256) as service:
        with Judge("ollama", service.url, dimensions=256) as judge:
            good(judge.ask("embed 2"), 2)
        with Judge("ollama", service.url, "m", dimensions=512) as judge:
            assert judge.start["mistake"] == "The model m has 256 dimensions, but --embedding-dimensions says 512."
        with Judge("openai", service.url, "m", dimensions=512) as judge:  # it does not know the parameter
            assert judge.start["mistake"] == "The model m has 256 dimensions, but --embedding-dimensions says 512."
        service.obeys = True
        with Judge("openai", service.url, dimensions=512) as judge:
            assert judge.start["dimensions"] == 512
            good(judge.ask("embed 2"), 2)
            assert service.requests[-1][2]["dimensions"] == 512
        for wrong in [127, 4097]:
            with Judge("ollama", service.url, dimensions=wrong) as judge:
                assert judge.start["mistake"] == f"Embeddings have from 128 to 4096 dimensions, not {wrong}."
    for count in [64, 5000]:
        with Service(count) as service, Judge("ollama", service.url, "m") as judge:
            assert judge.start["mistake"] == f"The model m has {count} dimensions; from 128 to 4096 can be used."


@test
def bad_beginnings():
    cases = [("fails", 4, "HTTP status 500"), ("closes", 4, "does not answer"), ("garbage", 1, "without embeddings"),
             ("none", 1, "another number"), ("denies", 1, "401, check its key"),
             ("knows_no_model", 1, "404, no such address or model"), ("leads_away", 1, "307, which leads elsewhere")]
    for play, tries, text in cases:
        with Service() as service:
            service.usual = play
            with Judge("ollama", service.url) as judge:
                assert text in judge.start["mistake"] and service.url in judge.start["mistake"], judge.start
                assert judge.start["waits"] == [1000, 2000, 4000][:tries - 1], judge.start
            assert len(service.requests) == tries, (play, len(service.requests))
            assert all(path == "/api/embed" for path, _, _ in service.requests)
    with Judge("ollama", service.url) as judge:  # nobody is there any more
        assert "does not answer" in judge.start["mistake"]


# ---- Bad answers ------------------------------------------------------------------------------------------------

@test
def answers_that_are_none():
    """Refused at once, not tried again, and the next one is fine."""
    other, number, size, garbage = "other dimensions", "length zero", "larger than", "without embeddings"
    cases = [("ollama", "dimensions", other), ("openai", "dimensions", other), ("ollama", "ragged", other),
             ("ollama", "few", "another number of vectors"), ("openai", "many", "another number of vectors"),
             ("openai", "twice", "another number of vectors"), ("openai", "far_index", garbage),
             ("ollama", "zeros", number), ("ollama", "words", number), ("openai", "nulls", number),
             ("ollama", "infinity", number), ("ollama", "nan", garbage), ("ollama", "garbage", garbage),
             ("ollama", "garbage_behind", garbage), ("openai", "other_shape", garbage), ("ollama", "deep", garbage),
             ("ollama", "huge", size), ("ollama", "endless", size), ("ollama", "denies", "status 401"),
             ("ollama", "leads_away", "status 307")]
    for provider, play, text in cases:
        with Service() as service, Judge(provider, service.url) as judge:
            service.plays = [play]
            answer = judge.ask("embed 3")
            assert answer["status"] == "refused" and text in answer["why"], (play, answer)
            assert answer["waits"] == [] and answer["circuit"] == "closed" and answer["after"] == 0, (play, answer)
            assert len(service.requests) == 2, play
            good(judge.ask("embed 3"), 3)


@test
def retries():
    cases = [(["fails"], [1000]), (["fails", "closes_early"], [1000, 2000]), (["closes_early", "fails", "busy"], [1000, 2000, 7000]),
             (["busy"], [7000]), (["very_busy"], [30000])]
    for plays, waits in cases:
        with Service() as service, Judge("ollama", service.url) as judge:
            service.plays = list(plays)
            answer = good(judge.ask("embed 2"), 2)
            assert answer["waits"] == waits, (plays, answer)
            assert len(service.requests) == 2 + len(plays)


@test
def slow():
    with Service() as service, Judge("ollama", service.url, whole_ms=300) as judge:
        service.usual = "slow"
        answer = judge.ask("embed 1")
        assert answer["status"] == "unavailable" and "Timeout" in answer["why"], answer
        assert answer["waits"] == [1000, 2000, 4000] and len(service.requests) == 5, answer
        assert answer["circuit"] == "open" and answer["after"] == 30, answer  # four of five


# ---- The circuit ------------------------------------------------------------------------------------------------

@test
def circuit():
    with Service() as service, Judge("ollama", service.url) as judge:
        service.usual = "fails"
        judge.ask("later 31000")  # the good beginning is forgotten
        answer = judge.ask("embed 1")
        assert answer["status"] == "unavailable" and answer["circuit"] == "closed", answer
        assert "500" in answer["why"] and "secret" not in answer["why"] and answer["after"] == 8, answer
        answer = judge.ask("embed 1")  # the fifth failure opens it, in the middle of the tries
        assert answer["status"] == "unavailable" and answer["circuit"] == "open", answer
        assert answer["waits"] == [1000] and answer["after"] == 29, answer
        count = len(service.requests)
        assert count == 1 + 5
        answer = judge.ask("embed 1")  # nobody is asked
        assert answer["circuit"] == "open" and answer["waits"] == [] and len(service.requests) == count, answer
        judge.ask("later 28999")
        assert judge.ask("embed 1")["after"] == 1 and len(service.requests) == count
        judge.ask("later 1")
        answer = judge.ask("embed 1")  # one probe, which fails
        assert answer["circuit"] == "open" and len(service.requests) == count + 1, answer
        judge.ask("later 30000")
        service.usual = "good"
        answer = good(judge.ask("embed 2"), 2)
        assert answer["circuit"] == "closed" and answer["after"] == 0 and len(service.requests) == count + 2
        good(judge.ask("embed 40"), 40)


@test
def flapping():
    """Every second try fails: each text is embedded in the end, until half of the tries are too many."""
    with Service() as service, Judge("ollama", service.url) as judge:
        service.plays = ["fails", "good"] * 20
        seen = []
        for _ in range(6):
            answer = judge.ask("embed 1")
            seen.append((answer["status"], answer["circuit"]))
        assert seen[:2] == [("ok", "closed")] * 2, seen
        assert ("unavailable", "open") in seen, seen
        judge.ask("later 30000")
        service.plays = []
        good(judge.ask("embed 1"), 1)


@test
def a_refusal_closes():
    """A probe that is refused has found the service: others may pass."""
    with Service() as service, Judge("ollama", service.url) as judge:
        service.usual = "garbage"
        for _ in range(6):
            answer = judge.ask("embed 1")
        assert answer["circuit"] == "open", answer
        judge.ask("later 30000")
        service.usual = "denies"
        answer = judge.ask("embed 1")
        assert answer["status"] == "refused" and answer["circuit"] == "closed", answer
        for _ in range(10):
            assert judge.ask("embed 1")["circuit"] == "closed"


# ---- Giving up --------------------------------------------------------------------------------------------------

@test
def cancelled():
    with Service() as service, Judge("ollama", service.url) as judge:
        service.plays = ["slow"]
        judge.send("cancel 2")
        service.wait_for(2)
        assert judge.ask("now")["status"] == "cancelled"
        service.gate.set()
        answer = good(judge.ask("embed 2"), 2)
        assert answer["circuit"] == "closed" and len(service.requests) == 3


# ---- Keys -------------------------------------------------------------------------------------------------------

@test
def keys():
    with tempfile.TemporaryDirectory() as folder, Service() as service:
        path = os.path.join(folder, "key")

        def write(text, mode=0o600):
            with open(path, "w") as file:
                file.write(text)
            os.chmod(path, mode)

        write(KEY + "\n")
        with Judge("openai", service.url, key=path) as judge:
            good(judge.ask("embed 1"), 1)
            service.plays = ["denies"]
            assert KEY not in json.dumps(judge.ask("embed 1"))
        assert all(headers["Authorization"] == "Bearer " + KEY for _, headers, _ in service.requests)
        came = len(service.requests)
        cases = [(KEY, 0o640, "chmod 600"), (KEY, 0o604, "chmod 600"), ("", 0o600, "has no key"),
                 (" \n", 0o600, "has no key"), ("two words", 0o600, "has no key"), ("a\r\nX-Evil: 1", 0o600, "has no key"),
                 ("größer", 0o600, "has no key"), ("x" * 5000, 0o600, "is not a file with a key")]
        for text, mode, want in cases:
            write(text, mode)
            with Judge("openai", service.url, key=path) as judge:
                assert want in judge.start["mistake"] and KEY not in judge.start["mistake"], judge.start
        for other, want in [(path + "x", "cannot be opened"), (folder, "is not a file with a key")]:
            with Judge("openai", service.url, key=other) as judge:
                assert want in judge.start["mistake"], judge.start
        assert len(service.requests) == came


def main():
    chosen = [t for t in tests if not sys.argv[1:] or any(name in t.__name__ for name in sys.argv[1:])]
    failed = 0
    for function in chosen:
        try:
            function()
            print("ok", function.__name__, flush=True)
        except Exception:
            failed += 1
            print("FAILED", function.__name__)
            traceback.print_exc()
    print(f"{len(chosen) - failed} of {len(chosen)} passed")
    return failed > 0


sys.exit(main())
