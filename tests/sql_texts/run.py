#!/usr/bin/env python3
"""Every SQL text of the servers, as the compiler has it: prepared by SQLite and by PostgreSQL, on the tables of its server, and held to
a dialect that engines which only speak the protocol have too.

    tests/sql_texts/run.py [NAME...]    the tests whose name has one of these words in it

Texts are literals in the preprocessed sources that begin with a word of SQL. One that is put together while the program runs
stands in MADE, with what it is put together of, or in NOT_HERE, with the reason.
"""
import ast
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shlex
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
import cluster  # noqa: E402
import rig  # noqa: E402

SERVERS = TESTS.parent / "servers"
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_]\w*|\S')
BEGIN = re.compile(r"\s*(/\*sqlite\*/\s*(/\*else )?)?(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|LOCK|LISTEN|SET|BEGIN|PRAGMA)\b.")
EITHER = re.compile(r"/\*sqlite\*/(.*?)/\*else (.*?)\*/", re.S)
VALUE = re.compile(r"\?(\d*)|'(?:[^']|'')*'|\"[^\"]*\"")
QUESTION = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
FOR_REPLICAS = re.compile(r"\bleases\b.*\btaking\b|\btaking\b.*\bleases\b|^\s*SELECT .*leases.*epoch")  # leases by the database's clock, which a file has no need of

# Texts of one engine alone. Imports of appsec are worked out in SQLite's memory.
OF_SQLITE = re.compile(r"appsec/(import|import_bom|import_form|import_sarif|reports|marks)\.c|kit/sqlite\w*\.c|docs/store/words_sqlite\.c")
OF_POSTGRESQL = re.compile(r"kit/(pg/\w+|share\w*|move\w*)\.c|docs/store/\w+_pg\.c|appsec/import_shared\.c")
NOT_HERE = {
    "kit/mirror.c": "made of the names of tables, in the memory of an import",
    "kit/move.c": "made of the names of tables, for a copy", "kit/move_tables.c": "likewise",
    "kit/pg/connect.c": "settings of a connection", "kit/pg/end.c": "likewise", "kit/pg/version.c": "makes what the tables stand in",
    "docs/store/nearest_pg.c": "asks pgvector, where it is; without it vectors are in memory", "docs/store/nearest_migrate_pg.c": "likewise",
    "kit/share_bus.c": "where news come at once; they are looked for every 2 s without it",
}
MADE = {
    "UPDATE %s SET model = ?1, vector = ?2 WHERE id = ?3": [("techniques",), ("library",)],
    "SELECT id, %s FROM %s WHERE model <> ?1 LIMIT 1": [("name", "techniques"), ("title || '\n' || content", "library")],
}

postgres = None


# ---- The texts --------------------------------------------------------------------------------------------------

def commands():
    """How each source of the servers is compiled."""
    for entry in json.loads((rig.BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if SERVERS in path.parents and not path.name.endswith("_test.c") and path.parents[0].name != "conformance":
            words = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
            yield path, words, entry["directory"]


def preprocessed(command):
    path, words, folder = command
    kept = [word for at, word in enumerate(words)
            if word not in ("-o", "-MF", "-MT", "-MD", "-c") and (at == 0 or words[at - 1] not in ("-o", "-MF", "-MT"))]
    done = subprocess.run([*kept, "-E", "-P"], cwd=folder, capture_output=True, text=True, timeout=rig.PATIENCE, check=True)
    return path.relative_to(SERVERS).as_posix(), done.stdout


def literals(source):
    """Those that stand side by side are one."""
    whole = None
    for token in TOKEN.finditer(source):
        if token[0][0] == '"':
            whole = (whole or "") + ast.literal_eval(token[0])
        elif whole is not None:
            yield whole
            whole = None


def read_texts():
    """(file, text), each once."""
    unique = {path: (path, words, folder) for path, words, folder in commands()}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = {(name, text) for name, source in pool.map(preprocessed, unique.values()) for text in literals(source) if BEGIN.match(text)}
    return sorted(found)


TEXTS = []


def texts(is_wanted):
    """With what is put together while the program runs."""
    for name, text in TEXTS:
        made = [text % parts for parts in MADE[text]] if text in MADE else [text]
        for one in made if is_wanted(name) and name not in NOT_HERE else []:
            yield name, one


def for_sqlite(text):
    return EITHER.sub(r"\1", text)


def for_postgresql(text):
    last = 0

    def value(found):
        nonlocal last
        if found[0][0] != "?":
            return found[0]
        last = int(found[1]) if found[1] else last + 1
        return f"${last}"

    return VALUE.sub(value, EITHER.sub(r"\2", text))


# ---- Prepared ---------------------------------------------------------------------------------------------------

def server_of(name):
    return name.split("/")[0]


def prepare_on_sqlite(database, text):
    values = max([0, *(int(found) for found in re.findall(r"\?(\d+)", text))], default=0) or text.count("?")
    database.execute(f"EXPLAIN {text}", [None] * values)


def test_sqlite_takes_them():
    wrong, count = [], 0
    with contextlib.ExitStack() as stack:
        databases = {}
        for server in "kyc", "docs", "appsec", "pentest":
            place = stack.enter_context(rig.Place())
            stack.enter_context(rig.Stdio(rig.serve(server, place)))
            databases[server] = stack.enter_context(contextlib.closing(sqlite3.connect(place.database)))
        for function in "word", "cwe":
            databases["appsec"].create_function(function, 2, lambda *_: None, deterministic=True)
        for name, text in texts(lambda name: not OF_POSTGRESQL.fullmatch(name) and not OF_SQLITE.fullmatch(name)):
            if QUESTION.match(for_sqlite(text)) and server_of(name) in databases and not FOR_REPLICAS.search(text):
                count += 1
                try:
                    prepare_on_sqlite(databases[server_of(name)], for_sqlite(text))
                except sqlite3.Error as error:
                    wrong.append(f"{name}: {error}: {text}")
    assert not wrong, "\n".join(wrong)
    assert count > 150, count


def prepared(database, schema, asked):
    """What PostgreSQL says to each of them."""
    lines = [f"SET search_path = {schema};"]
    for at, text in enumerate(asked):
        used = {int(found) for found in re.findall(r"\$(\d+)", re.sub(r"'(?:[^']|'')*'", "", text))}
        types = ", ".join("unknown" if index in used else "text" for index in range(1, max(used, default=0) + 1))
        lines += [f"\\warn text {at}", f"PREPARE t{at}{f' ({types})' if types else ''} AS {text};"]
    done = subprocess.run([cluster.programs() / "psql", "-XAtq", "-h", postgres.host, "-p", str(postgres.port), "-U", cluster.ROLE, "-d", database],
                          input="\n".join(lines), capture_output=True, text=True, timeout=rig.PATIENCE, check=True)
    said = re.split(r"^text \d+\n", done.stderr, flags=re.M)[1:]
    assert len(said) == len(asked), done.stderr
    return said


def test_postgresql_takes_them():
    wrong, count = [], 0
    with postgres.place() as place:
        subprocess.run([rig.TENON, "db", "migrate", place.database], stdin=subprocess.DEVNULL, capture_output=True, timeout=rig.PATIENCE, check=True)
        for server in "kyc", "docs", "appsec", "pentest", "kit":
            asked = [(name, for_postgresql(text)) for name, text in texts(lambda name: not OF_SQLITE.fullmatch(name))
                     if server_of(name) == server and QUESTION.match(for_postgresql(text))]
            said = prepared(place.name, "kyc_runtime" if server == "kit" else server, [text for _, text in asked])
            wrong += [f"{name}: {what.strip()}: {text}" for (name, text), what in zip(asked, said) if what.strip()]
            count += len(asked)
    assert not wrong, "\n".join(wrong)
    assert count > 200, count


# ---- The dialect ------------------------------------------------------------------------------------------------

REFUSED = {
    "advisory locks": r"pg_(try_)?advisory",
    "news": r"\b(LISTEN|NOTIFY|pg_notify)\b",
    "temporary tables": r"\bTEMP(ORARY)?\b",
    "locks of tables": r"\bLOCK TABLE\b",
    "row locks over several tables": r"\bJOIN\b.* FOR (NO KEY )?UPDATE",
    "columns that are not named": r"SELECT \*|\w\.\*|RETURNING \*",
    "what SQLite alone has": r"(?i)\b(last_insert_rowid|ifnull|total|group_concat)\s*\(|\browid\b|INSERT OR |INDEXED BY|COLLATE NOCASE|\bGLOB\b",
    "a clock that is not compared with itself alone": r"\bnow\(\)|CURRENT_TIMESTAMP",
}
# By file: what is allowed there, for the server works without it, or cannot be written otherwise.
ALLOWED = {
    ("kit/share_bus.c", "news"): "messages are looked for every 2 s without it",
    ("appsec/import_shared.c", "locks of tables"): "an import reads all of the tables, and is rare",
    ("docs/store/lease.c", "a clock that is not compared with itself alone"): "leases are made and compared there, and nowhere else",
}


def test_the_dialect_of_questions():
    wrong, count = [], 0
    for name, text in TEXTS:
        asked = re.sub(r"'(?:[^']|'')*'", "''", for_postgresql(text))
        if OF_SQLITE.fullmatch(name) or name.startswith(("kit/pg/", "kit/mirror", "kit/move")) or not re.match(r"\s*(LOCK|LISTEN)", asked) and \
                not QUESTION.match(asked):
            continue
        count += 1
        wrong += [f"{name}: {what}: {asked}" for what, pattern in REFUSED.items()
                  if re.search(pattern, asked) and (name, what) not in ALLOWED]
    assert not wrong, "\n".join(wrong)
    assert count > 200, count


SCHEMAS = "('kyc', 'docs', 'appsec', 'pentest', 'tenon', 'kyc_runtime', 'docs_runtime', 'appsec_runtime', 'pentest_runtime')"


def test_the_dialect_of_tables():
    """What is there after `tenon db migrate`."""
    with postgres.place() as place:
        subprocess.run([rig.TENON, "db", "migrate", place.database], stdin=subprocess.DEVNULL, capture_output=True, timeout=rig.PATIENCE, check=True)

        def none(what, question):
            found = postgres.ask(question.replace("SCHEMAS", SCHEMAS), place.name)
            assert not found, (what, found)

        assert len(postgres.ask(f"SELECT 1 FROM pg_tables WHERE schemaname IN {SCHEMAS}", place.name)) > 30
        none("extensions", "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'")
        none("triggers", "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        none("functions", "SELECT proname FROM pg_proc WHERE pronamespace::regnamespace::text IN SCHEMAS")
        none("deferrable constraints", "SELECT conname FROM pg_constraint WHERE condeferrable")
        none("GIN of several columns", "SELECT relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relam = (SELECT oid FROM"
             " pg_am WHERE amname = 'gin') AND indnatts > 1")
        none("a type that is too small, or goes by the locale", "SELECT table_name, column_name, data_type, collation_name FROM"
             " information_schema.columns WHERE table_schema IN SCHEMAS AND table_schema <> 'tenon' AND (data_type NOT IN ('bigint', 'double precision', 'text', 'bytea',"
             " 'tsvector') OR data_type = 'text' AND collation_name IS DISTINCT FROM 'C')")
        keys = postgres.ask(
            "SELECT c.relname, string_agg(a.attname, ',' ORDER BY array_position(i.indkey::int[], a.attnum::int)), (SELECT string_agg(o.attname, ',')"
            " FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname IN ('tenant', 'collection')) FROM pg_class c JOIN pg_namespace n ON n.oid ="
            " c.relnamespace JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum ="
            " ANY (i.indkey) WHERE n.nspname = 'docs' GROUP BY c.oid, c.relname", place.name)
        # Engines that put rows on machines by it. To the numbers of these two other tables refer.
        wrong = [key for key in keys if key[2] and key[1].split(",")[0] not in key[2].split(",") and key[0] not in ("collections", "documents")]
        assert not wrong, wrong


def test_nothing_is_put_together_unseen():
    """A text that has places to be filled is listed above."""
    places = re.compile(r"%(\d\$)?(s|d|lld|ld|zu)")
    wrong = [f"{name}: {text}" for name, text in TEXTS
             if name not in NOT_HERE and text not in MADE and not OF_SQLITE.fullmatch(name) and places.search(text.replace("strftime('%s'", ""))]
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    os.environ["TENON_DB_MIGRATE"] = "true"
    TEXTS = read_texts()
    if cluster.why_not():
        print("SKIPPED:", cluster.why_not())
        sys.exit(0)
    with cluster.Cluster() as postgres:
        result = rig.main(rig.tests_of(globals()), sys.argv[1:])
    sys.exit(result)
