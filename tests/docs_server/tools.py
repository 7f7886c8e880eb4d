"""Each tool, and each error code that it can answer with."""
import json
import os

from projects import Http, Place, Server, Session, Stdio, front, only_stdio
from rig import run, until
from embedding_service import Service

TOOLS = {"rag_query", "semantic_search", "read_document", "index_document", "list_doc_types", "search_external_docs",
         "rag_query_external", "delete_documents", "update_promotion_level", "activate_project"}

MANY = 3000  # files that take so long that a call can be cancelled meanwhile

FILES = {
    "tokens.md": "# Bearer tokens\n\nA bearer token is checked by comparing its SHA-256 hash with the stored one. "
                 "Tokens never appear in logs.\n",
    "backup.md": "# Backups\n\nA backup of the database is made every night at two o'clock. See also "
                 "[tokens](tokens.md).\n",
    "deploy/rollback.md": "# Rolling back a deployment\n\nTo roll back, select the previous release and press Undo. "
                          "Migrations are reversed first.\n",
    "rules.md": front("style", "Naming rules", body="Functions are named by verbs, types by nouns.\n"),
}


@only_stdio
def test_ten_tools():
    with Place() as place, Stdio(place) as client:
        tools = client.request("tools/list", {})["result"]["tools"]
        assert {tool["name"] for tool in tools} == TOOLS
        hints = {tool["name"]: tool["annotations"] for tool in tools}
        assert hints["delete_documents"]["destructiveHint"] is True
        assert hints["semantic_search"]["readOnlyHint"] is True and hints["rag_query"]["readOnlyHint"] is True
        for tool in tools:
            assert tool["inputSchema"]["type"] == "object" and tool["outputSchema"], tool["name"]


def test_activate_project():
    with Place() as place, Stdio(place) as client:
        project = place.project(files=FILES)
        data = client.activate(project)
        assert data["status"] == "activated" and data["project_name"] == "demo" and data["branch_name"] == "main"
        assert len(data["path_hash"]) == 16 and data["project_handle"]
        assert (data["total_docs"], data["indexed"], data["removed"], data["failed"]) == (4, 4, 0, 0)
        counts = {item["name"]: item["doc_count"] for item in data["doc_types"]}
        assert counts["style"] == 1 and counts["plain"] == 3 and counts["problem"] == 0
        again = client.activate(project)
        assert again["indexed"] == 0 and again["total_docs"] == 4


def test_semantic_search():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        data = client.ok("semantic_search", query="how is a bearer token checked")
        best = data["results"][0]
        assert best["path"] == "tokens.md" and best["title"] == "Bearer tokens"
        assert 0.5 <= best["relevance_score"] <= 1 and best["promotion_level"] == "standard"
        assert (data["project_name"], data["branch_name"]) == ("demo", "main")
        assert data["total_matches"] >= 1
        scores = [item["relevance_score"] for item in data["results"]]
        assert scores == sorted(scores, reverse=True)
        only = client.ok("semantic_search", query="functions named by verbs", doc_types=["style"])
        assert [item["path"] for item in only["results"]] == ["rules.md"]
        none = client.ok("semantic_search", query="functions", promotion_levels=["critical"], min_relevance_score=0.1)
        assert none["results"] == [] and none["total_matches"] == 0
        for rounded in 1.0000000000000002, -1e-12:  # computed scores miss their bounds by rounding
            assert client.ask("semantic_search", {"query": "functions", "min_relevance_score": rounded})["error"] is None
        wrong = client.error("VALIDATION_ERROR", "semantic_search", query="functions", min_relevance_score=1.01)
        assert wrong["details"]["fieldErrors"] == {
            "min_relevance_score": ["min_relevance_score must be between 0 and 1, got 1.01"]}


def test_search_limit_and_total():
    with Place() as place, Stdio(place) as client:
        files = {f"release-{i}.md": f"# Release {i}\n\nThe release train leaves on Tuesday.\n" for i in range(12)}
        client.activate(place.project(files=files))
        data = client.ok("semantic_search", query="release train leaves Tuesday", limit=5, min_relevance_score=0.3)
        assert len(data["results"]) == 5 and data["total_matches"] == 12
        tied = [item["path"] for item in data["results"] if item["relevance_score"] == data["results"][0]["relevance_score"]]
        assert tied == sorted(tied)


def test_words_are_no_syntax():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files={"cpp.md": "# C++ NEAR miss\n\nC++ and NOT operators: a:b \"quoted\" (x*)\n"}))
        for query in ("C++", "NOT", "a:b", "\"", "'; DROP TABLE documents; --", "x*", "NEAR(a b)", "(", "{col}: y", "^",
                      "\u0000a".replace("\u0000", " "), "é", "日本語", "-", "AND OR"):
            client.ok("semantic_search", query=query, min_relevance_score=0)
            client.ok("rag_query", query=query, min_relevance_score=0)


def test_below_the_default_threshold():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        whole = client.ask("semantic_search", {"query": "recipes for apple pie with cinnamon"})
        results = whole["data"]["results"]
        assert all(item["below_threshold"] for item in results) and len(results) <= 3
        assert whole["data"]["total_matches"] == 0 and whole["messages"]
        whole = client.ask("semantic_search", {"query": "recipes for apple pie", "min_relevance_score": 0.5})
        assert whole["data"]["results"] == [] and "0.50" in whole["messages"][0], whole


def test_rag_query():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        data = client.ok("rag_query", query="When is a backup of the database made?")
        assert "two o'clock" in data["answer"] and "[backup.md:" in data["answer"], data
        assert data["sources"][0]["path"] == "backup.md" and data["mode"] == "extractive"
        assert [item["path"] for item in data["linked_docs"]] == ["tokens.md"]
        assert data["linked_docs"][0]["linked_from"] == "backup.md"
        whole = client.ask("rag_query", {"query": "recipes for apple pie", "min_relevance_score": 0.9})
        assert whole["status"] == "SUCCESS" and whole["data"]["sources"] == [] and "0.90" in whole["messages"][0], whole


@only_stdio
def test_the_clients_model_may_be_asked():
    asked = []

    def answer(params):
        asked.append(params)
        return "At two. [backup.md:3]"
    with Place() as place, Stdio(place, "--ask-model", samples=answer) as client:
        client.activate(place.project(files=FILES))
        data = client.ok("rag_query", query="When is a backup of the database made?")
        assert (data["answer"], data["mode"]) == ("At two. [backup.md:3]", "client-model")
        text = asked[0]["messages"][0]["content"]["text"]
        assert "When is a backup" in text and "[backup.md:1-3]" in text and "two o'clock" in text
        assert "instructions" in asked[0]["systemPrompt"]
        client.ok("rag_query", query="apple pie", min_relevance_score=0.9)
        assert len(asked) == 1  # nothing to answer from, nobody to ask
    with Place() as place, Stdio(place, samples=answer) as client:  # off by default
        client.activate(place.project(files=FILES))
        assert client.ok("rag_query", query="When is a backup of the database made?")["mode"] == "extractive"
    with Place() as place, Stdio(place, "--ask-model") as client:  # a client that cannot be asked
        client.activate(place.project(files=FILES))
        assert client.ok("rag_query", query="When is a backup of the database made?")["mode"] == "extractive"


def test_critical_documents_come_along():
    with Place() as place, Stdio(place) as client:
        files = {**FILES, "law.md": front("style", "The law", level="critical", body="Never push on Friday.\n")}
        client.activate(place.project(files=files))
        data = client.ok("rag_query", query="When is a backup of the database made?", max_sources=1)
        assert [(item["path"], item["critical"]) for item in data["sources"]] == [("backup.md", False), ("law.md", True)]
        assert data["sources"][1]["summary"] == "About The law."
        data = client.ok("rag_query", query="When is a backup of the database made?", max_sources=1, include_critical=False)
        assert [item["path"] for item in data["sources"]] == ["backup.md"]
        data = client.ok("rag_query", query="backup of the database", min_promotion_level="critical", include_critical=False,
                         min_relevance_score=0)
        assert {item["path"] for item in data["sources"]} <= {"law.md"}


def test_important_first():
    with Place() as place, Stdio(place) as client:
        text = "Cache entries expire after an hour.\n"
        client.activate(place.project(files={"a.md": front("insight", "Cache", body=text),
                                             "b.md": front("insight", "Cache", level="important", body=text)}))
        data = client.ok("semantic_search", query="when do cache entries expire", min_relevance_score=0.1)
        assert [item["path"] for item in data["results"]] == ["b.md", "a.md"]
        assert data["results"][0]["relevance_score"] == data["results"][1]["relevance_score"]  # the raw one is told


def test_superseded_last():
    with Place() as place, Stdio(place) as client:
        text = "Cache entries expire after an hour.\n"
        client.activate(place.project(files={"a.md": front("insight", "Cache", body=text),
                                             "b.md": front("insight", "Cache", body=text, supersedes="a.md")}))
        assert client.found("when do cache entries expire") == ["b.md", "a.md"]


def test_links_end():
    with Place() as place, Stdio(place) as client:
        files = {f"{i}.md": f"# Page {i}\n\nOnly page {i} knows about topic{i}. [next]({(i + 1) % 5}.md)\n" for i in range(5)}
        client.activate(place.project(files=files))
        data = client.ok("rag_query", query="topic0", max_sources=1, min_relevance_score=0)
        assert [item["path"] for item in data["linked_docs"]] == ["1.md", "2.md"]  # depth 2
        client.activate(place.project(files=files, link_resolution={"max_depth": 10}))
        data = client.ok("rag_query", query="topic0", max_sources=1, min_relevance_score=0)
        assert [item["path"] for item in data["linked_docs"]] == ["1.md", "2.md", "3.md", "4.md"]
        client.activate(place.project(files=files, link_resolution={"max_depth": 0}))
        assert client.ok("rag_query", query="topic0", min_relevance_score=0)["linked_docs"] == []


def test_index_document():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files=FILES)
        client.activate(project)
        project.doc("new/one.md", "# Zeppelin\n\nThe zeppelin is moored at mast seven.\n")
        data = client.ok("index_document", path="new/one.md")
        assert data["status"] == "indexed" and data["path"] == "new/one.md" and data["embedding_dimensions"] == 384
        assert client.found("zeppelin mast")[0] == "new/one.md"
        assert "not changed" in client.messages("index_document", path="new/one.md")[0]
        project.doc("new/one.md", "# Balloon\n\nThe balloon is moored at mast eight.\n")
        client.ok("index_document", path="new/one.md")
        assert client.ok("semantic_search", query="balloon mast eight")["results"][0]["title"] == "Balloon"
        assert client.ok("index_document", path="./new//one.md")["path"] == "new/one.md"


def test_list_doc_types():
    schema = json.dumps({"type": "object", "required": ["doc_type", "title", "status"], "properties": {
        "doc_type": {"const": "decision"}, "title": {"type": "string"}, "status": {"enum": ["open", "done"]}}})
    with Place() as place, Stdio(place) as client:
        project = place.project(custom_doc_types=[{"name": "decision", "description": "What was decided.",
                                                   "schema_file": "schemas/decision.json", "common_fields": False}])
        project.write("schemas/decision.json", schema)
        project.doc("d1.md", "---\ndoc_type: decision\ntitle: Use C\nstatus: done\n---\nWe use C.\n")
        client.activate(project)
        types = {item["name"]: item for item in client.ok("list_doc_types")["doc_types"]}
        assert list(types)[:5] == ["problem", "insight", "codebase", "tool", "style"]
        assert types["decision"]["custom"] and types["decision"]["doc_count"] == 1
        assert types["decision"]["schema"] == "schemas/decision.json" and types["tool"]["schema"] == "built-in"
        project.doc("d2.md", "---\ndoc_type: decision\ntitle: Use D\nstatus: maybe\n---\nPerhaps.\n")
        error = client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="d2.md")
        assert "status" in json.dumps(error["details"]) and "open" in json.dumps(error["details"]), error


def test_custom_types_have_the_common_fields():
    """Dates and required fields are checked as built-in kinds have them, all at once, in sentences."""
    schema = json.dumps({"type": "object", "required": ["status"], "properties": {
        "status": {"enum": ["open", "done"]}, "options": {"type": "array", "minItems": 1}}})
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(custom_doc_types=[{"name": "decision", "schema_file": "decision.json"}])
        project.write("decision.json", schema)
        project.doc("bad.md", "---\ndoc_type: decision\ntitle: Use C\ndate: 2025-13-45\nstatus: maybe\noptions: []\n---\nText.\n")
        project.doc("good.md", "---\ndoc_type: decision\ntitle: Use C\ndate: 2025-12-31\nsummary: We use C.\n"
                               "significance: convention\nstatus: done\nown: 1\n---\nText.\n")
        data = client.activate(project)
        assert (data["total_docs"], data["failed"]) == (1, 1), data
        error = client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="bad.md")
        assert sorted(error["details"]["errors"]) == [
            'date must be a date (YYYY-MM-DD), got "2025-13-45" (PatternMismatch)',
            "options must contain at least 1 items, got 0 (InvalidCount)",
            "significance is required (MissingRequired)",
            "status must be one of: open, done. Got: maybe (InvalidEnum)",
            "summary is required (MissingRequired)"] and error["details"]["total_errors"] == 5, error
        project.write(".tenon/config.json", project.config.read_text().replace('"decision.json"', '"decision.json", "common_fields": false'))
        client.activate(project)  # other rules: what was left out is looked at again
        error = client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="bad.md")
        assert error["details"]["total_errors"] == 2, error


def test_paths_with_the_docs_folder():
    """As a person writes them, from the project's root."""
    with Place() as place, Stdio(place, "--no-watch", "--docs-folder", "csharp-compounding-docs") as client:
        project = place.project()
        path = "csharp-compounding-docs/insights/retry.md"
        project.write(path, front(title="Retry"))
        project.write("csharp-compounding-docs/csharp-compounding-docs/own.md", "# Own\n")
        client.activate(project)
        for tool, name, more in ("index_document", "path", {}), \
                ("update_promotion_level", "document_path", {"promotion_level": "important"}):
            whole = client.ask(tool, {name: path, **more})
            assert whole["status"] == "SUCCESS" and whole["data"][name] == "insights/retry.md", whole
            assert sum(f"{path} was read as insights/retry.md" in text for text in whole["messages"]) == 1, whole
            assert not any("was read as" in text for text in client.messages(tool, **{name: "insights/retry.md"}, **more))
            error = client.error("DOCUMENT_NOT_FOUND", tool, **{name: "csharp-compounding-docs/insights/no.md"}, **more)
            assert error["details"]["path"] == "csharp-compounding-docs/insights/no.md", error
        own = client.ask("index_document", {"path": "csharp-compounding-docs/own.md"})  # there is a folder of that name
        assert own["data"]["path"] == "csharp-compounding-docs/own.md" and "was read as" not in str(own["messages"]), own


def test_example_has_the_config_folder():
    with Place() as place, Stdio(place, "--config-folder", ".csharp-compounding-docs") as client:
        issue = client.error("VALIDATION_ERROR", "activate_project", branch_name="main")["details"]["issues"][0]
        assert issue["example"] == "/srv/project/.csharp-compounding-docs/config.json", issue
    with Place() as place, Stdio(place) as client:
        issue = client.error("VALIDATION_ERROR", "activate_project", branch_name="main")["details"]["issues"][0]
        assert issue["example"] == "/srv/project/.tenon/config.json", issue


def test_promotion_is_explained():
    """A document above a better one says why, once; without one, nothing is said."""
    files = {"a.md": front(title="Postgres", level="important", body="Postgres keeps the invoices. The office has plants.\n"),
             "b.md": front(title="Postgres postgres", body="Postgres, postgres: the postgres database postgres.\n")}
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files=files)
        client.activate(project)
        for tool, key, more in ("semantic_search", "results", {}), ("rag_query", "sources", {"include_critical": False}):
            whole = client.ask(tool, {"query": "postgres", "min_relevance_score": 0.01, **more})
            first, second = whole["data"][key]
            told = [text for text in whole["messages"] if "Promoted" in text]
            assert first["path"] == "a.md" and first["relevance_score"] < second["relevance_score"], whole["data"][key]
            assert len(told) == 1 and "a.md (important) stands above b.md" in told[0], whole["messages"]
        client.ok("update_promotion_level", document_path="a.md", promotion_level="standard")
        assert not any("Promoted" in text for text in client.messages("semantic_search", query="postgres", min_relevance_score=0.01))


def test_external_documents_are_counted_alike():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files=FILES, external_docs={"path": "vendor"})
        for name in "a", "b":
            project.write(f"vendor/{name}.md", f"# {name}\n\nText of the vendor.\n")
        data = client.activate(project)
        assert (data["total_docs"], data["external_docs"], data["indexed"]) == (6, 2, 6), data
        data = client.activate(project)
        assert (data["total_docs"], data["external_docs"], data["indexed"]) == (6, 2, 0), data
        gone = client.ok("delete_documents", project_name="demo")
        assert (gone["deleted_count"], gone["deleted_external_documents"]) == (6, 2), gone
        assert [(one["documents"], one["external_documents"]) for one in gone["branches"]] == [(6, 2)]


def test_delete_says_which_branches():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files=FILES)
        client.activate(project)
        client.activate(project, branch="dev")
        for dry in True, False:
            whole = client.ask("delete_documents", {"project_name": "demo", "branch_name": "nothing", "dry_run": dry})
            assert whole["data"]["deleted_count"] == 0 and whole["data"]["branches"] == [], whole
            assert whole["messages"] == ["Nothing of the branch nothing is indexed. Indexed branches: dev, main."], whole
        whole = client.ask("delete_documents", {"project_name": "demo", "branch_name": "a\nb" + "x" * 120})
        assert whole["messages"] == [f"Nothing of the branch a\\nb{'x' * 97}... is indexed. Indexed branches: dev, main."], whole
        for dry, words in (True, "would be deleted"), (False, "were deleted"):
            whole = client.ask("delete_documents", {"project_name": "demo", "dry_run": dry})
            assert [(one["branch_name"], one["documents"]) for one in whole["data"]["branches"]] == [("main", 4), ("dev", 4)], whole
            assert whole["data"]["deleted_count"] == 8 and sum(one["chunks"] for one in whole["data"]["branches"]) == \
                whole["data"]["deleted_chunks"]
            assert f"all 2 branches {words}" in whole["messages"][0] and "come back" in whole["messages"][-1], whole
        whole = client.ask("delete_documents", {"project_name": "demo", "branch_name": "dev"})
        assert whole["messages"] == ["Nothing of the branch dev is indexed. Indexed branches: none."], whole


def test_external_documents():
    with Place() as place, Stdio(place) as client:
        project = place.project(files=FILES, external_docs={"path": "vendor", "exclude_patterns": ["**/old/**"]})
        project.write("vendor/api.md", "# Vendor API\n\nThe vendor's API is limited to ninety requests a minute.\n")
        project.write("vendor/old/api.md", "# Old vendor API\n\nThe old API had a limit of ten requests.\n")
        client.activate(project)
        data = client.ok("search_external_docs", query="how many requests a minute does the vendor API allow")
        assert [item["path"] for item in data["results"]] == ["api.md"] and data["results"][0]["external"]
        assert data["external_docs_path"] == "vendor"
        data = client.ok("rag_query_external", query="how many requests a minute does the vendor API allow")
        assert "ninety" in data["answer"] and data["sources"][0]["external"] and data["linked_docs"] == []
        assert "api.md" not in client.found("vendor API requests")  # never mixed
        error = client.error("EXTERNAL_DOCS_NOT_PROMOTABLE", "update_promotion_level", document_path="api.md",
                             promotion_level="critical")
        assert error["details"]["path"] == "api.md"


def test_delete_documents():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files={**FILES, "long.md": long_document(1400)})
        client.activate(project)
        client.activate(project, branch="feature")
        for arguments in ({"branch_name": "feature"}, {}):
            dry = client.ask("delete_documents", {"project_name": "demo", "dry_run": True, **arguments})
            wet = client.ask("delete_documents", {"project_name": "demo", **arguments})
            assert dry["data"]["status"] == "preview" and wet["data"]["status"] == "deleted"
            counts = [(each["data"]["deleted_count"], each["data"]["deleted_chunks"]) for each in (dry, wet)]
            assert counts[0] == counts[1] and counts[0][0] == 5 and counts[0][1] > 5, counts
            assert "come back" in wet["messages"][-1]
        assert client.ok("delete_documents", project_name="demo")["deleted_count"] == 0
        assert client.activate(project)["indexed"] == 5  # files are the truth
        for value in "yes", 1, "true":
            client.error("VALIDATION_ERROR", "delete_documents", project_name="demo", dry_run=value)


def long_document(lines):
    text = ["# Long", "", "Before the first section.", ""]
    number = 0
    while len(text) < lines:
        if len(text) % 100 == 4:
            number += 1
            text += [f"## Section {number}", ""]
        text.append(f"Line {len(text)} of section {number} tells about subject{number}.")
    return "\n".join(text[:lines]) + "\n"


def test_promotion_keeps_every_byte():
    with Place() as place, Stdio(place) as client:
        fields = front("insight", "T")[4:].split("---")[0]
        cases = {
            "plain.md": f"---\n{fields}promotion_level: standard\n---\nBody\n",
            "absent.md": f"---\n{fields}---\nBody\n",
            "quoted.md": f"---\n{fields}promotion_level:   'standard'   # why\n---\nBody\n",
            "first.md": f"---\npromotion_level: standard\n{fields}---\n\nBody without an end",
            "crlf.md": f"---\n{fields}promotion_level: standard\n---\nBody\n".replace("\n", "\r\n"),
            "bom.md": f"\ufeff---\n{fields}promotion_level: standard\n---\nBody\n",
            "body.md": f"---\n{fields}promotion_level: standard\n---\npromotion_level: standard\n---\n",
        }
        project = place.project(files=cases)
        os.chmod(project.path / "docs/plain.md", 0o640)
        client.activate(project)
        for name, text in cases.items():
            data = client.ok("update_promotion_level", document_path=name, promotion_level="important")
            assert (data["previous_level"], data["new_level"]) == ("standard", "important"), (name, data)
            now = project.read(name).decode()
            lines = [line for line in now.splitlines(keepends=True) if "important" in line]
            assert len(lines) == 1, (name, now)
            if "promotion_level" in text.split("---")[1]:
                end = "\r\n" if name == "crlf.md" else "\n"
                old = [line for line in text.splitlines(keepends=True) if line.startswith("promotion_level:")][0]
                assert now.startswith(text[:text.index(old)]) and now.endswith(text[text.index(old) + len(old):]), (name, now)
                assert lines[0].startswith("promotion_level:") and lines[0].endswith(end)
            else:
                assert now.replace(lines[0], "") == text, (name, now)
        assert (project.path / "docs/plain.md").stat().st_mode & 0o777 == 0o640
        levels = {item["path"]: item["promotion_level"] for item in
                  client.ok("semantic_search", query="body", min_relevance_score=0, promotion_levels=["important"])["results"]}
        assert set(levels) == set(cases)
        before = (project.path / "docs/plain.md").stat()
        whole = client.ask("update_promotion_level", {"document_path": "plain.md", "promotion_level": "IMPORTANT"})
        assert whole["status"] == "SUCCESS" and "already" in whole["messages"][-1], whole
        after = (project.path / "docs/plain.md").stat()
        assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
        assert not [name for name in os.listdir(project.path / "docs") if name not in cases]  # nothing is left behind


def test_promotion_without_front_matter():
    with Place() as place, Stdio(place) as client:
        project = place.project(files=FILES)
        client.activate(project)
        before = project.read("tokens.md")
        whole = client.ask("update_promotion_level", {"document_path": "tokens.md", "promotion_level": "critical"})
        if whole["status"] == "ERROR":
            assert whole["error"]["code"] != "INTERNAL_ERROR" and project.read("tokens.md") == before, whole
        else:
            assert project.read("tokens.md").endswith(before)


# ---- Pieces -----------------------------------------------------------------------------------------------------

def test_boundaries():
    with Place() as place, Stdio(place, "--no-watch") as client:
        section = "# One\n\n## Long\n\n" + "\n".join("word\n" for _ in range(600))
        project = place.project(files={
            "500.md": long_document(500), "501.md": long_document(501),
            "1000.md": "\n".join(section.split("\n")[:2 + 1000]) + "\n",
            "1001.md": "\n".join(section.split("\n")[:2 + 1001]) + "\n",
            "cr.md": long_document(501).replace("\n", "\r"),
        })
        client.activate(project)
        pieces = dict(place.sql("SELECT d.path, count(*) FROM documents d JOIN pieces p ON p.document = d.id GROUP BY d.path"))
        assert pieces["500.md"] == 1 and pieces["501.md"] == 6, pieces
        assert pieces["cr.md"] == pieces["501.md"]
        assert pieces["1001.md"] == pieces["1000.md"] + 1, pieces
        data = client.ok("semantic_search", query="subject3", min_relevance_score=0)
        best = {item["path"]: item for item in data["results"]}["501.md"]
        lines = project.read("501.md").decode().split("\n")
        assert best["heading_path"] == "Section 3", best
        assert lines[best["first_line"] - 1] == "## Section 3" and "section 3" in lines[best["last_line"] - 1]
        paths = [item["path"] for item in data["results"]]
        assert len(paths) == len(set(paths))  # never a document and its piece
        project.doc("501.md", long_document(400))
        client.ok("index_document", path="501.md")
        assert place.sql("SELECT count(*) FROM documents d JOIN pieces p ON p.document = d.id WHERE d.path = '501.md'") == [(1,)]


def test_code_is_not_cut():
    with Place() as place, Stdio(place, "--no-watch") as client:
        fence = "```sh\n## not a heading\n" + "echo\n" * 300 + "```\n"
        client.activate(place.project(files={"code.md": f"# Code\n\n## Real\n\n{fence}\n### Other\n\n{fence}\n"}))
        paths = [row[0] for row in place.sql("SELECT header_path FROM pieces ORDER BY place")]
        assert paths == ["", "## Real", "## Real > ### Other"] or paths == ["## Real", "## Real > ### Other"], paths


# ---- Precedence -------------------------------------------------------------------------------------------------

def test_precedence():
    files = {f"release-{i}.md": f"# Release {i}\n\nThe release train leaves on Tuesday.\n" for i in range(20)}
    query = "release train leaves Tuesday"
    with Place() as place, Stdio(place, "--no-watch") as client:
        client.activate(place.project(files=files))
        assert len(client.ok("semantic_search", query=query)["results"]) == 10
        assert len(client.ok("rag_query", query=query)["sources"]) == 3
        client.activate(place.project(files=files, semantic_search={"default_limit": 4}, retrieval={"max_results": 2}))
        assert len(client.ok("semantic_search", query=query)["results"]) == 4
        assert len(client.ok("rag_query", query=query)["sources"]) == 2
        assert len(client.ok("semantic_search", query=query, limit=10)["results"]) == 10  # as the default, but given
        assert len(client.ok("rag_query", query=query, max_sources=3)["sources"]) == 3
        client.activate(place.project(files=files, semantic_search={"min_relevance_score": 1}))
        whole = client.ask("semantic_search", {"query": query})
        assert "1.00" in whole["messages"][0], whole
        assert client.ok("semantic_search", query=query, min_relevance_score=0.5)["total_matches"] == 20


# ---- Errors -----------------------------------------------------------------------------------------------------

def test_validation_errors():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        bad = [("rag_query", {"query": ""}), ("rag_query", {"query": "x" * 10001}), ("rag_query", {"query": "x", "max_sources": 11}),
               ("rag_query", {"query": "x", "max_sources": 0}), ("rag_query", {"query": "x", "include_critical": "yes"}),
               ("rag_query", {"query": "x", "doc_types": ["style"] * 21}), ("semantic_search", {"query": "x", "limit": 101}),
               ("semantic_search", {"query": "x", "min_relevance_score": 1.01}),
               ("semantic_search", {"query": "x", "promotion_levels": ["high"]}),
               ("index_document", {"path": "../x.md"}), ("index_document", {"path": "/etc/x.md"}),
               ("index_document", {"path": "x.bin"}), ("index_document", {}),
               ("delete_documents", {"project_name": "demo", "path_hash": "XYZ"}),
               ("update_promotion_level", {"document_path": "a.md", "promotion_level": "high"}),
               ("activate_project", {"config_path": "relative/config.json", "branch_name": "main"}),
               ("activate_project", {"config_path": "/x/.tenon/config.json", "branch_name": ""}),
               ("list_doc_types", {"verbose": True})]
        for tool, arguments in bad:
            error = client.error("VALIDATION_ERROR", tool, **arguments)
            assert error["details"]["totalErrors"] >= 1, (tool, arguments)
        error = client.error("VALIDATION_ERROR", "semantic_search", query="", limit=0, min_relevance_score=2)
        assert error["details"]["totalErrors"] == 3


def test_project_not_activated():
    with Place() as place, Stdio(place) as client:
        for tool, arguments in (("rag_query", {"query": "x"}), ("semantic_search", {"query": "x"}), ("list_doc_types", {}),
                                ("index_document", {"path": "x.md"}), ("search_external_docs", {"query": "x"}),
                                ("rag_query_external", {"query": "x"}), ("delete_documents", {"project_name": "demo"}),
                                ("update_promotion_level", {"document_path": "x.md", "promotion_level": "critical"})):
            error = client.error("PROJECT_NOT_ACTIVATED", tool, **arguments)
            assert error["details"]["requiredTool"] == "activate_project"


def test_two_projects_of_the_operator():
    with Place() as place:
        one = place.project("one", name="one", files={"a.md": "# Alpha\n\nAlpha.\n"})
        two = place.project("two", name="two", files={"b.md": "# Beta\n\nBeta.\n"})
        with Stdio(place, "--project", one.path, "--project", two.path) as client:
            error = client.error("PROJECT_NOT_ACTIVATED", "semantic_search", query="alpha")
            projects = error["details"]["projects"]
            assert len(projects) == 2
            handle = [line.split(": ")[1] for line in projects if line.startswith("one ")][0]
            until("it is indexed", lambda: client.found("alpha", project_handle=handle) == ["a.md"])
        with Stdio(place, "--project", one.path) as client:
            assert client.found("alpha") == ["a.md"]


def test_invalid_doc_type():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        for tool in "semantic_search", "rag_query":
            error = client.error("INVALID_DOC_TYPE", tool, query="x", doc_types=["style", "novel"])
            assert error["details"]["doc_type"] == "novel" and "style" in error["details"]["valid_doc_types"]
            assert error["message"] == "There is no document type novel in this project. Use one of valid_doc_types.", error
            # all of them are named, with what was probably meant
            error = client.error("INVALID_DOC_TYPE", tool, query="x", doc_types=["problems", "style", "tols"])
            assert error["details"]["doc_type"] == "problems or tols", error
            texts = error["details"]["fieldErrors"]["doc_types"]
            assert texts == [
                "doc_types: there is no document type 'problems'. Did you mean 'problem'? list_doc_types has all of them.",
                "doc_types: there is no document type 'tols'. Did you mean 'tool'? list_doc_types has all of them."], texts
            assert error["details"]["issues"][0]["suggestion"] == ["problem", "style", "tool"], error
            # beside what else is wrong, in the same answer
            error = client.error("VALIDATION_ERROR", tool, query="", doc_types=["problems"], nonsense=1)
            assert error["details"]["totalErrors"] == 3, error
            assert set(error["details"]["fieldErrors"]) == {"query", "doc_types", "nonsense"}, error
        # of which project is unknown: that is said first
        client.error("INVALID_PROJECT", "semantic_search", query="x", doc_types=["novel"], project_handle="made-up")


def test_invalid_project():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        assert client.error("INVALID_PROJECT", "delete_documents", project_name="other")["details"]["active_project"] == "demo"
        client.error("INVALID_PROJECT", "semantic_search", query="x", project_handle="made-up")
        project = place.project("second", retrieval={"max_results": 99}, semantic_search={"default_limit": -1}, wrong=1)
        error = client.error("INVALID_PROJECT", "activate_project", config_path=str(project.config), branch_name="main")
        for word in "max_results", "default_limit", "wrong":
            assert word in json.dumps(error["details"]["mistakes"]), error
        assert len(error["details"]["mistakes"]) == 3
        assert client.ok("list_doc_types")["project_name"] == "demo"  # the one before is still there


def test_document_not_found():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        error = client.error("DOCUMENT_NOT_FOUND", "index_document", path="deploy/rolback.md")
        assert error["details"]["path"] == "deploy/rolback.md" and error["details"]["similar_paths"][0] == "deploy/rollback.md"
        client.error("DOCUMENT_NOT_FOUND", "update_promotion_level", document_path="token.md", promotion_level="critical")


def test_nothing_indexed_yet():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(external_docs={"path": "vendor"})
        (project.path / "vendor").mkdir()
        client.activate(project)
        for tool, words in ("semantic_search", "no documents"), ("rag_query", "no documents"), \
                ("search_external_docs", "no external documents"), ("rag_query_external", "no external documents"):
            messages = client.messages(tool, query="anything")
            assert len(messages) == 1 and words in messages[0] and "activate_project" in messages[0], messages
        project.doc("a.md", "---\ndoc_type: tool\ntitle: x\n---\n")
        whole = client.ask("activate_project", {"config_path": str(project.config), "branch_name": "main"})
        assert whole["data"]["failed"] == 1
        assert "breaks the schema of 'tool' in " in whole["messages"][0] and "date is required (MissingRequired)" in whole["messages"][0] \
            and " more" in whole["messages"][0], whole


def test_external_not_configured():
    with Place() as place, Stdio(place) as client:
        client.activate(place.project(files=FILES))
        for tool in "search_external_docs", "rag_query_external":
            error = client.error("EXTERNAL_DOCS_NOT_CONFIGURED", tool, query="x")
            json.loads(error["details"]["add_to_configuration"])


def test_schema_validation_failed():
    with Place() as place, Stdio(place) as client:
        project = place.project(files={"bad.md": "---\ndoc_type: style\ntitle: 5\ndate: yesterday\n---\nx\n",
                                       "broken.md": "---\ntitle: [\n---\nx\n", "unknown.md": "---\ndoc_type: novel\n---\nx\n"})
        whole = client.ask("activate_project", {"config_path": str(project.config), "branch_name": "main"})
        assert whole["data"]["failed"] == 3 and len(whole["messages"]) == 3, whole
        error = client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="bad.md")
        text = json.dumps(error["details"])
        for word in "date", "summary", "significance", "style_type", "scope", "rationale":
            assert word in text, (word, text)
        client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="broken.md")
        client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="unknown.md")
        assert place.sql("SELECT count(*) FROM documents") == [(0,)]


def test_front_matter_is_needed_unless_allowed():
    with Place() as place, Stdio(place) as client:
        project = place.project(files=FILES, plain_documents=False)
        data = client.activate(project)
        assert (data["total_docs"], data["failed"]) == (1, 3)
        client.error("SCHEMA_VALIDATION_FAILED", "index_document", path="tokens.md")


def test_file_system_error():
    with Place() as place, Stdio(place) as client:
        project = place.project(files=FILES)
        client.error("FILE_SYSTEM_ERROR", "activate_project", config_path="/nowhere/.tenon/config.json", branch_name="main")
        client.activate(project)
        project.doc("latin.md", b"# Caf\xe9\n\ntext\n")
        error = client.error("FILE_SYSTEM_ERROR", "index_document", path="latin.md")
        assert "UTF-8" in error["message"], error
        (project.path / "docs/out.md").symlink_to("/etc/hostname")
        error = client.error("FILE_SYSTEM_ERROR", "index_document", path="out.md")


def test_database_error():
    with Place() as place, Stdio(place, "--no-watch") as client:
        client.activate(place.project(files=FILES))
        for name in os.listdir(place.database.parent):  # what a disk that fails looks like
            with open(place.database.parent / name, "r+b") as file:
                file.write(b"\xff" * 65536)
        client.error("DATABASE_ERROR", "delete_documents", project_name="demo")


def letters(text, dimensions):
    return [float(len(text) % 7 + 1)] + [float(text.count(chr(97 + j % 26))) for j in range(dimensions - 1)]


def test_embedding_service_error():
    with Service(vector=letters) as service, Place() as place:
        flags = ("--no-watch", "--embedding", "openai", "--embedding-url", service.url + "/v1", "--embedding-model", "m")
        with Stdio(place, *flags) as client:
            project = place.project(files=FILES)
            assert client.activate(project)["indexed"] == 4
            assert client.ok("index_document", path="tokens.md")["embedding_dimensions"] == 256
            service.usual = "fails"
            project.doc("new.md", "# New\n\nA capybara.\n")
            error = client.error("EMBEDDING_SERVICE_ERROR", "index_document", path="new.md")
            assert error["details"]["circuit_state"] in ("closed", "open", "half-open"), error
            assert error["details"]["retry_after_seconds"] >= 0 and error["retryable"] is True if "retryable" in error else True
            whole = client.ask("semantic_search", {"query": "bearer token", "min_relevance_score": 0})
            assert whole["data"]["results"][0]["path"] == "tokens.md", whole  # by words alone, and told
            assert any("words only" in message for message in whole["messages"]), whole
            service.usual = "good"
        with Stdio(place, *flags) as client:
            assert client.activate(project)["indexed"] == 1
        code, out, err = run("serve", "docs", "--db", place.database, *flags, "--embedding-dimensions", "512")
        assert code == 1 and out == "" and "256" in err and "512" in err, (code, err)


@only_stdio
def test_cancelled():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files={f"f{i}.md": f"# File {i}\n\nText {i}.\n" for i in range(MANY)})
        number = client.begin_call("activate_project", progress="p", config_path=str(project.config), branch_name="main")
        note = client.notes.get(timeout=60)
        assert note["method"] == "notifications/progress" and note["params"]["total"] == MANY, note
        client.cancel(number)
        client.error("PROJECT_NOT_ACTIVATED", "semantic_search", query="text")  # a failed activation changes nothing
        some = place.sql("SELECT count(*) FROM documents")[0][0]
        assert some < MANY, some
        data = client.activate(project)
        assert data["total_docs"] == MANY and place.is_sound()


@only_stdio
def test_progress_of_3000_files():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files={f"f{i}.md": f"# File {i}\n\nText about number{i}.\n" for i in range(3000)})
        number = client.begin_call("activate_project", progress="p", config_path=str(project.config), branch_name="main")
        answer = client.end(number)["result"]["structuredContent"]["data"]
        assert answer["total_docs"] == 3000 and answer["indexed"] == 3000
        values = []
        while not client.notes.empty():
            note = client.notes.get()["params"]
            assert note["progressToken"] == "p" and note["total"] == 3000 and note["message"]
            values.append(note["progress"])
        assert len(values) > 1 and values == sorted(set(values)) and values[-1] <= 3000
        assert client.found("number2999")[0] == "f2999.md"


@only_stdio
def test_modern_clients_send_handles():
    with Place() as place, Stdio(place, modern=True) as client:
        handle = client.activate(place.project(files=FILES))["project_handle"]
        assert client.found("bearer token", project_handle=handle)[0] == "tokens.md"


@only_stdio
def test_over_http():
    with Place() as place:
        project = place.project(files=FILES)
        with Server(place, "--root", place.path) as server:
            client = Http(server)
            client.error("PROJECT_NOT_ACTIVATED", "semantic_search", query="x")
            handle = client.activate(project)["project_handle"]
            client.error("PROJECT_NOT_ACTIVATED", "semantic_search", query="x")  # no session, nothing remembered
            assert client.found("bearer token", project_handle=handle)[0] == "tokens.md"
            data = client.ok("rag_query", query="When is a backup made?", project_handle=handle)
            assert data["sources"][0]["path"] == "backup.md"
            project.doc("fresh.md", "# Fresh\n\nA quokka lives here.\n")
            until("watched", lambda: "fresh.md" in client.found("quokka", project_handle=handle))


@only_stdio
def test_sessions_over_http():
    with Place() as place:
        one, two = place.project("one", name="one", files=FILES), place.project("two", name="two", files=FILES)
        with Server(place, "--root", place.path) as server:
            ann, bob = Session(server), Session(server)
            ann.activate(one)
            bob.error("PROJECT_NOT_ACTIVATED", "list_doc_types")  # each has its own
            bob.activate(two)
            assert ann.ok("list_doc_types")["project_name"] == "one" and bob.ok("list_doc_types")["project_name"] == "two"
            ann.error("FILE_SYSTEM_ERROR", "activate_project", config_path="/nowhere/.tenon/config.json", branch_name="main")
            assert ann.found("bearer token")[0] == "tokens.md"  # the one before is still there


@only_stdio
def test_the_operators_project_is_indexed_at_once():
    with Place() as place:
        project = place.project(files={f"f{i}.md": f"# File {i}\n\nText about number{i}.\n" for i in range(3000)})
        with Stdio(place, "--project", project.path):
            pass  # ends in the middle of it, in order
        assert place.is_sound()
        with Stdio(place, "--project", project.path) as client:
            whole = client.ask("semantic_search", {"query": "number2999", "min_relevance_score": 0})
            assert whole["status"] == "SUCCESS", whole
            if not whole["data"]["results"]:
                assert "still being indexed" in whole["messages"][-1], whole
            until("indexed", lambda: client.found("number2999")[:1] == ["f2999.md"])
            project.doc("late.md", "# Late\n\nAxolotl.\n")
            until("watched", lambda: client.found("axolotl")[:1] == ["late.md"])
            assert "still" not in json.dumps(client.messages("semantic_search", query="axolotl"))


def test_changed_rules():
    """A configuration that judges otherwise judges files again that have not changed."""
    with Place() as place:
        project = place.project(files={"a.md": "# Apples\n\nText about apples.\n"})
        with Stdio(place) as client:
            assert client.activate(project)["total_docs"] == 1
            project.write(".tenon/config.json", '{"project_name": "demo"}')
            def judged():  # the watcher may be at work on it when it is asked
                again = client.activate(project)
                return (again["total_docs"], again["failed"]) == (0, 1)

            until("judged again", judged)
            assert client.found("apples") == []
