"""Kinds of files, front matter, passages, and reading what was found."""
import shutil
import time

from projects import Place, Stdio, front, only_stdio

KINDS = {
    "page.html": "<html><head><title>Shipping</title><style>.secretstyle{}</style></head><body><nav>Wombat menu</nav>"
                 "<h1>Shipping</h1><!-- secretcomment --><p>Parcels go out with &quot;make ship&quot;.</p>"
                 "<h2>Taking it back</h2><p>A parcel is called back with make undo.</p></body></html>",
    "cache.rst": "Caching\n=======\n\nThe cache keeps :ref:`prices` for ten minutes.\n\nEviction\n--------\n\n"
                 ".. secretdirective here\n\nThe oldest entry is evicted.\n",
    "alerts.adoc": "= Alerts\n:secretattribute: x\n\n== Paging\n\nThe pager rings after five minutes.\n",
    "login.mdx": "import Secretmodule from 'x';\n\n# Login\n\n<Tabs secretattr={a > b}>\n\nA badge opens the door. {/* secretnote */}\n\n</Tabs>\n",
    "notes.txt": "Plumbing\n\nThe valve is in the cellar.\n",
    "guide.markdown": "# Guide\n\nThe ladder leads to the attic.\n",
}


def test_kinds_of_files():
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files={**KINDS, "a.docx": "x", "b.docx": "x"})
        data = client.activate(project)
        assert data["total_docs"] == 6 and data["failed"] == 0, data
        for query, path, heading, line in [
                ("how is a parcel called back", "page.html", "Taking it back", None), ("which entry is evicted", "cache.rst", "Eviction", 6),
                ("when does the pager ring", "alerts.adoc", "Paging", 4), ("what opens the door", "login.mdx", "", 3),
                ("where is the valve", "notes.txt", "", 1), ("where does the ladder lead", "guide.markdown", "", 1)]:
            best = client.ok("semantic_search", query=query, min_relevance_score=0)["results"][0]
            assert best["path"] == path and best["heading_path"] == heading, (query, best)
            assert line is None or best["first_line"] == line, (query, best)
        for hidden in ("secretstyle", "secretcomment", "secretattribute", "secretmodule", "secretattr", "secretnote",
                       "secretdirective", "wombat"):
            found = client.ok("semantic_search", query=hidden, min_relevance_score=0.3)["results"]
            assert not found, (hidden, found)


def test_front_matter_is_searched():
    with Place() as place, Stdio(place, "--no-watch") as client:
        problem = front("problem", "Checkout stalls", problem_type="bug", root_cause="The proxy closes idle connections.",
                        symptoms=["carts freeze after exactly thirty seconds"], solution="Raise proxy_read_timeout to 120 s.",
                        tags=["Billing", "http"], body="More below.\n")
        others = {f"other{i}.md": f"# Other {i}\n\nCarts and seconds, thirty of them; after that they freeze, exactly {i} times.\n" * 3
                  for i in range(8)}
        project = place.project(files={"problems/stall.md": problem, **others, "guides/tea.md": "# Tea\n\nCarts of tea.\n"})
        client.activate(project)
        quoted = client.ok("semantic_search", query="carts freeze after exactly thirty seconds", limit=3)["results"]
        assert quoted[0]["path"] == "problems/stall.md", quoted
        assert "thirty seconds" in quoted[0]["passage"]
        lines = project.read("problems/stall.md").decode().split("\n")
        assert any("thirty seconds" in line for line in lines[quoted[0]["first_line"] - 1:quoted[0]["last_line"]])
        answer = client.ok("rag_query", query="What is the solution when checkout stalls?", min_relevance_score=0)
        assert "proxy_read_timeout" in answer["answer"] and "[problems/stall.md:" in answer["answer"], answer
        tagged = client.ok("semantic_search", query="carts", tags=["billing"], min_relevance_score=0)["results"]
        assert [item["path"] for item in tagged] == ["problems/stall.md"], tagged
        assert not client.ok("semantic_search", query="carts", tags=["billing", "none"], min_relevance_score=0)["results"]
        below = client.ok("semantic_search", query="carts", paths=["guides/**"], min_relevance_score=0)["results"]
        assert [item["path"] for item in below] == ["guides/tea.md"], below


def test_release_notes_come_later():
    with Place() as place, Stdio(place, "--no-watch") as client:
        text = "Retries of payments back off with jitter.\n"
        client.activate(place.project(files={"CHANGELOG.md": "# Retries\n\n" + text, "payments.md": "# Payments\n\n" + text}))
        answer = client.ask("semantic_search", {"query": "retries of payments back off", "min_relevance_score": 0})
        assert [item["path"] for item in answer["data"]["results"]] == ["payments.md", "CHANGELOG.md"], answer
        assert any("Release notes" in message for message in answer["messages"]), answer
        asked = client.ok("semantic_search", query="which release changed retries of payments", min_relevance_score=0)["results"]
        assert asked[0]["path"] == "CHANGELOG.md", asked


def test_read_document():
    with Place() as place, Stdio(place, "--no-watch") as client:
        text = "# Tool\n\nIntro.\n\n## Setup\n\nInstall it.\n\n### Debian\n\nUse apt.\n\n## Use\n\nRun it.\n"
        project = place.project(files={"guides/tool.md": text, "long.md": "# Long\n\n" + "line\n" * 2000, "page.html": KINDS["page.html"]})
        client.activate(project)
        whole = client.ok("read_document", path="guides/tool.md")
        assert whole["text"] == text.rstrip("\n") and (whole["first_line"], whole["total_lines"]) == (1, 15), whole
        section = client.ok("read_document", path="guides/tool.md", heading="setup")
        assert section["text"].startswith("## Setup") and section["text"].endswith("Use apt."), section
        assert (section["first_line"], section["last_line"], section["heading_path"]) == (5, 11, "Setup")
        assert client.ok("read_document", path="docs/guides/tool.md", heading="Setup > Debian")["first_line"] == 9
        assert client.ok("read_document", path="guides/tool.md", lines="13-15")["text"] == "## Use\n\nRun it."
        assert "called back" in client.ok("read_document", path="page.html", heading="taking-it-back")["text"]
        first = client.ok("read_document", path="long.md")
        assert first["is_cut"] and first["last_line"] == 400
        assert client.ok("read_document", path="long.md", lines="401-410")["first_line"] == 401
        error = client.error("NOT_FOUND", "read_document", path="guides/tool.md", heading="Nothing")
        assert "Setup > Debian" in error["details"]["headings"], error
        client.error("NOT_FOUND", "read_document", path="guides/tool.md", lines="99-100")
        missing = client.error("DOCUMENT_NOT_FOUND", "read_document", path="guides/tol.md")
        assert missing["details"]["similar_paths"] == ["guides/tool.md"], missing
        (project.path / "docs" / "secret.key").write_text("x")
        client.error("DOCUMENT_NOT_FOUND", "read_document", path="secret.key")


@only_stdio
def test_documents_are_resources():
    with Place() as place, Stdio(place, "--no-watch", "--project", place.project(files={"a b.md": "# A\n\nText of it.\n"}).path) as client:
        templates = client.request("resources/templates/list", {})["result"]["resourceTemplates"]
        assert [item["uriTemplate"] for item in templates] == ["docs:///{+path}"], templates
        read = client.request("resources/read", {"uri": "docs:///a%20b.md"})["result"]["contents"][0]
        assert read["text"] == "# A\n\nText of it.\n" and read["mimeType"] == "text/markdown", read
        assert "error" in client.request("resources/read", {"uri": "docs:///../x.md"})


def test_hostile_html():
    """Whatever never ends is text, and costs no more than its length."""
    with Place() as place, Stdio(place, "--no-watch") as client:
        size = 200_000
        files = {"open.html": "<" * size, "comments.html": "<!--" * size, "nav.html": "<nav>" * size, "quote.html": '<a b="' * size,
                 "amp.html": "&#99999999999;&bogus;" * (size // 10), "deep.html": "<div>" * size + "marmot",
                 "braces.mdx": "{/*" * size, "ticks.md": "`" * size + "\n" + "` `` " * size, "pre.html": "<pre>" * size,
                 "over.rst": "=\n" * size, "scripts.md": "<script>" * size}
        begin = time.monotonic()
        data = client.activate(place.project(files=files))
        assert data["failed"] == 0 and time.monotonic() - begin < 120, data
        assert client.ok("semantic_search", query="marmot", min_relevance_score=0)["results"][0]["path"] == "deep.html"


def test_pdf():
    """A PDF is read where pdftotext is; what is not one is refused, and nothing else is lost."""
    with Place() as place, Stdio(place, "--no-watch") as client:
        project = place.project(files={"a.md": "# A\n\nText.\n", "bad.pdf": "%PDF-1.4 not one"})
        data = client.activate(project)
        if shutil.which("pdftotext"):
            assert data["total_docs"] == 1 and data["failed"] == 1, data
        else:
            print("test_pdf: pdftotext is not installed: PDF files are counted as not read")
            assert data["total_docs"] == 1 and data["failed"] == 0, data
