#!/usr/bin/env python3
"""Models in the process: what is refused at import, and what a real one does where scripts/setup --model has brought it.

    tests/docs_model/run.py [NAME...]    only the tests whose name contains one of these
"""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

BUILD = pathlib.Path(os.environ.get("TENON_BUILD_DIR", "build/dev")).resolve()
TENON = str(BUILD / "bin/tenon")
DATA = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "tenon"
MODEL = DATA / "models/all-minilm-l6-v2-q"
JAR = DATA / "models/all-minilm-l6-v2-q.jar"
tests, real_tests = [], []


def test(function):
    tests.append(function)
    return function


def real(function):
    """A test with ONNX Runtime and a model."""
    real_tests.append(function)
    return function


# ---- Files of protobuf, by hand ----------------------------------------------------------------------------------

def varint(number):
    out = b""
    while True:
        number, low = number >> 7, number & 127
        out += bytes([low | (128 if number else 0)])
        if not number:
            return out


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def count(number, value):
    return varint(number << 3) + varint(value)


NODE = field(1, field(1, b"x") + field(2, b"y") + field(4, b"MatMul"))
TENSOR = count(1, 4) + count(2, 1) + field(8, b"w") + field(9, bytes(16))


def model(*parts):
    return count(1, 8) + field(7, b"".join(parts))


TOKENIZER = {"normalizer": {"type": "BertNormalizer", "lowercase": True}, "pre_tokenizer": {"type": "BertPreTokenizer"},
             "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 1], "cls": ["[CLS]", 0]},
             "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                       "vocab": {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2, "a": 3}}}


class Place:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon-model-"))
        self.home = self.folder / "home"
        self.home.mkdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        return str(path)

    def environment(self, **more):
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
        return dict(kept, HOME=str(self.home), **more)

    def run(self, *words, **more):
        return subprocess.run([TENON, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
                              env=self.environment(**more))

    def refused(self, want, *words):
        done = self.run("docs", "model", "import", *words)
        assert done.returncode == 1 and want in done.stderr and done.stderr.count("\n") == 1, (want, done)
        assert not list(self.home.rglob("*")), "something was written"


@test
def not_models():
    """Each is refused with one sentence that says why, before any library sees it, and nothing is written."""
    cases = [("not an ONNX model", b"this is not a model"), ("not an ONNX model", model(NODE)[:-3] + b"\x80"),
             ("not an ONNX model", b"\x3a\xff\xff\xff\xff\x7f"), ("another file", model(NODE, field(5, count(14, 1) + TENSOR))),
             ("another file", model(NODE, field(5, field(13, field(1, b"location") + field(2, b"/etc/passwd")) + TENSOR))),
             ("larger than any model", model(NODE, field(5, count(1, 1 << 40) + count(1, 1 << 40) + count(2, 1)))),
             ("not as long as its shape", model(NODE, field(5, count(1, 1 << 20) + TENSOR))),
             ("encoders of texts do not need", model(field(1, field(4, b"Loop")))),
             ("graph of its own", model(field(1, field(4, b"MatMul") + field(5, field(6, NODE))))),
             ("unknown maker", model(field(1, field(4, b"MatMul") + field(7, b"evil")))),
             ("functions or training", model(NODE) + field(25, b""))]
    with Place() as place:
        place.write("tokenizer.json", TOKENIZER)
        for want, data in cases:
            place.refused(want, place.write("model.onnx", data))
        path = place.write("model.onnx", model(NODE, field(5, TENSOR)))
        place.refused("A model is a program", path)
        place.write("model.onnx", b"")
        place.refused("is not a file with anything in it", path)


@test
def not_tokenizers():
    with Place() as place:
        path = place.write("m.onnx", model(NODE))
        place.refused("tokenizer.json cannot be opened", path)
        for want, data in [("its model is BPE", dict(TOKENIZER, model={"type": "BPE"})), ("not JSON", b"{"),
                           ("its normalizer is Lowercase", dict(TOKENIZER, normalizer={"type": "Lowercase"}))]:
            place.write("tokenizer.json", data)
            place.refused(want, path, "--trust")


def pack(path, files, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return str(path)


@test
def archives():
    """Bombs, claims and broken archives: nothing is unpacked beyond its bounds."""
    tokenizer = json.dumps(TOKENIZER)
    with Place() as place:
        at = place.folder / "a.jar"
        place.refused("not a zip archive", place.write("a.jar", b"PK nothing"))
        place.refused("no file *.onnx", pack(at, [("tokenizer.json", tokenizer)]))
        place.refused("no file *tokenizer.json", pack(at, [("m.onnx", model(NODE))]))
        place.refused("more than one file *.onnx", pack(at, [("a.onnx", b"1"), ("b.onnx", b"2"), ("tokenizer.json", tokenizer)]))
        place.refused("100 times as large", pack(at, [("tokenizer.json", tokenizer), ("m.onnx", bytes(200 << 20))]))
        place.refused("16 MB is the most", pack(at, [("tokenizer.json", b" " * (17 << 20)), ("m.onnx", b"1")]))
        fine = pathlib.Path(pack(at, [("tokenizer.json", tokenizer), ("m.onnx", model(NODE))])).read_bytes()
        for cut in (1, 10, 30, 60, 100):
            place.refused("zip archive" if cut <= 22 else "it ", place.write("cut.jar", fine[:-cut]))
        at_model = fine.index(b"m.onnx") + 6
        place.refused("checksum", place.write("bad.jar", fine[:at_model] + bytes([fine[at_model] ^ 0x40]) + fine[at_model + 1:]))
        directory = fine.index(b"PK\x01\x02")
        for offset, width in [(20, 4), (24, 4), (28, 2), (42, 4)]:  # sizes, lengths and places that lie
            lie = fine[:directory + offset] + b"\xff" * width + fine[directory + offset + width:]
            place.refused("it ", place.write("lie.jar", lie))


@test
def usage():
    with Place() as place:
        for words in [(), ("import",), ("import", "a", "b"), ("export", "a")]:
            done = place.run("docs", "model", *words)
            assert done.returncode == 2 and "--help" in done.stderr, done
        done = place.run("docs", "model", "--help")
        assert done.returncode == 0 and "import FILE" in done.stdout, done
        place.refused("There is no file", "nowhere.jar")
        place.refused("not a .jar", place.write("x.txt", b"x"))
        (place.folder / "p").mkdir()
        for name, want in [("nothing", "no imported model"), (str(place.folder), "no imported model"), ("../x", "no imported model")]:
            done = place.run("docs", "index", str(place.folder / "p"), "--embedding", "model", "--embedding-model", name)
            assert done.returncode != 0 and want in done.stderr, (name, done)


# ---- With a real one ---------------------------------------------------------------------------------------------

PAGES = {"feline.md": "# Cats\n\nFelines purr when they are content.\n", "engine.md": "# Engines\n\nThe motor runs on diesel fuel.\n",
         "bread.md": "# Baking\n\nKnead the dough, let it rise, then put the loaf into the oven.\n"}


def project(place):
    for name, text in PAGES.items():
        place.write("p/docs/" + name, text.encode())
    return str(place.folder / "p")


def flags(place):
    return ("--db", str(place.folder / "docs.db"), "--embedding", "model", "--embedding-model", str(MODEL))


@real
def imports():
    with Place() as place:
        for name in ("libonnxruntime.so",):
            (place.home / ".local/share/tenon").mkdir(parents=True, exist_ok=True)
            shutil.copy(DATA / name, place.home / ".local/share/tenon" / name)
        copy = place.folder / "model.onnx"
        shutil.copy(MODEL / "model.onnx", copy)
        shutil.copy(MODEL / "tokenizer.json", place.folder / "tokenizer.json")
        done = place.run("docs", "model", "import", str(copy))
        assert done.returncode == 0 and "known" in done.stdout, done
        made = place.home / ".local/share/tenon/models/all-minilm-l6-v2-q"
        about = json.loads((made / "model.json").read_text())
        assert about["dimensions"] == 384 and about["pooling"] == "mean" and about["longest"] == 256, about
        assert "It was there already" in place.run("docs", "model", "import", str(copy)).stdout
        done = place.run("docs", "model", "import", str(copy), "--pooling", "cls")
        assert done.returncode == 1 and "another --name" in done.stderr, done
        done = place.run("docs", "model", "import", str(copy), "--name", "../up")
        assert done.returncode == 1 and "not a name" in done.stderr, done
        data = bytearray(copy.read_bytes())
        data[len(data) // 2] ^= 1  # another model: one weight differs
        copy.write_bytes(data)
        assert "not one that is known" in place.run("docs", "model", "import", str(copy)).stderr
        done = place.run("docs", "model", "import", str(copy), "--trust", "--name", "mine")
        assert done.returncode == 0 and "trusted by you" in done.stdout, done
        (made / "model.onnx").write_bytes(data)  # changed after it was imported
        done = place.run("docs", "index", project(place), "--embedding", "model", "--embedding-model", made.name)
        assert done.returncode != 0 and "is not the file that was imported" in done.stderr, done
        os.chmod(place.home / ".local/share/tenon/libonnxruntime.so", 0o666)
        done = place.run("docs", "model", "import", str(copy), "--trust", "--name", "other")
        assert done.returncode == 1 and "others can write it" in done.stderr, done


@real
def finds_by_meaning():
    """Questions that share no word with the page; and nothing but the database is written below an empty home."""
    with Place() as place:
        (place.home / ".local/share/tenon").mkdir(parents=True)
        (place.home / ".local/share/tenon/libonnxruntime.so").symlink_to(DATA / "libonnxruntime.so")
        before = sorted(place.home.rglob("*"))
        path = project(place)
        for question, want in [("why does my kitty make that noise", "feline.md"), ("what powers the truck", "engine.md"),
                               ("how is a sandwich loaf made", "bread.md")]:
            done = place.run("docs", "search", path, *question.split(), "--json", "--min-score", "0", *flags(place))
            assert done.returncode == 0, done
            answer = json.loads(done.stdout)
            found = answer["data"]["results"] if "results" in answer["data"] else next(
                value for value in answer["data"].values() if isinstance(value, list))
            assert found and want in json.dumps(found[0]), (question, done.stdout[:600])
        assert sorted(place.home.rglob("*")) == before, "files appeared in the home folder"


@real
def goes_on_where_it_was():
    """Stopped in the middle, every page is stored with its words, and the next time only the rest is embedded."""
    with Place() as place:
        (place.home / ".local/share/tenon").mkdir(parents=True)
        (place.home / ".local/share/tenon/libonnxruntime.so").symlink_to(DATA / "libonnxruntime.so")
        for number in range(150):
            body = " ".join(f"Topic {number} has paragraph {i} about the number {number * 7 + i} and its neighbours." for i in range(12))
            place.write(f"p/docs/page{number:03}.md", f"# Page {number}\n\n{body}\n".encode())
        path, database = str(place.folder / "p"), place.folder / "docs.db"
        process = subprocess.Popen([TENON, "docs", "index", path, *flags(place)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=place.environment())
        def documents(where):
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
                return db.execute("SELECT count(*) FROM documents WHERE " + where).fetchone()[0]
        deadline, embedded = time.monotonic() + 120, 0
        while not embedded and process.poll() is None and time.monotonic() < deadline:
            try:
                embedded = documents("model != ''")
            except sqlite3.OperationalError:
                pass  # not made yet
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        before = documents("model != ''")
        assert embedded and documents("1") == 150, (embedded, documents("1"))
        done = place.run("docs", "index", path, *flags(place))
        assert f"150 documents ({150 - before} indexed, {before} unchanged" in done.stdout, (before, done)
        assert documents("model = ''") == 0


@real
def keeps_to_itself():
    """While it serves: no socket of another kind than its own pipes, no thread of the runtime, no file open below the home."""
    with Place() as place:
        (place.home / ".local/share/tenon").mkdir(parents=True)
        (place.home / ".local/share/tenon/libonnxruntime.so").symlink_to(DATA / "libonnxruntime.so")
        path = project(place)
        assert place.run("docs", "index", path, *flags(place)).returncode == 0
        counts = {}
        for kind, more in (("words", ()), ("model", flags(place)[2:])):
            process = subprocess.Popen([TENON, "serve", "docs", "--no-watch", "--project", path, *flags(place)[:2], *more],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env=place.environment())
            def call(number, method, params):
                process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
                process.stdin.flush()
                while True:
                    answer = json.loads(process.stdout.readline())
                    if answer.get("id") == number:
                        return answer
            try:
                call(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
                process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
                deadline = time.monotonic() + 60
                for number in range(2, 600):
                    answer = call(number, "tools/call", {"name": "semantic_search", "arguments": {"query": "kitty noise"}})
                    if "words only" not in json.dumps(answer) and "still being indexed" not in json.dumps(answer):
                        break
                    assert time.monotonic() < deadline, answer
                    time.sleep(0.1)
                here = pathlib.Path(f"/proc/{process.pid}")
                links = [os.readlink(link) for link in (here / "fd").iterdir()]
                maps = (here / "maps").read_text()
                threads = len(list((here / "task").iterdir()))
                while threads > counts.get("words", (threads, 0))[0] and time.monotonic() < deadline:
                    time.sleep(0.1)  # those that load and index end; a runtime's own would not
                    threads = len(list((here / "task").iterdir()))
                counts[kind] = (threads, sum(link.startswith("socket:") for link in links))
                assert ("libonnxruntime" in maps) == (kind == "model"), kind
                assert not [link for link in links if link.startswith(str(place.home))], links
            finally:
                process.stdin.close()
                process.wait(30)
        assert counts["model"][1] == counts["words"][1], counts  # sockets
        assert counts["model"][0] <= counts["words"][0], counts  # threads
        left = sorted(str(file.relative_to(place.home)) for file in place.home.rglob("*"))
        assert left == [".local", ".local/share", ".local/share/tenon", ".local/share/tenon/libonnxruntime.so"], left


def main(words):
    chosen = list(tests)
    missing = [str(path) for path in (BUILD / "lib/libtenon-onnx.so", DATA / "libonnxruntime.so", MODEL / "model.onnx")
               if not path.exists()]
    if missing:
        print(f"SKIPPED: {len(real_tests)} tests with a real model: not there: {', '.join(missing)} (scripts/setup --model)")
    else:
        chosen += real_tests
    for function in chosen:
        if not words or any(word in function.__name__ for word in words):
            function()
            print("ok", function.__name__)


main(sys.argv[1:])
