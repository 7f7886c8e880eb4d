"""What belongs to whom: branches, work trees, callers, processes."""
import json
import os
import subprocess

from projects import Http, Place, Server, Stdio, front
from rig import token_flag, until

ANN, BOB = "ann-has-a-token-of-some-length-0001", "bob-has-a-token-of-some-length-0002"


def test_branches_and_work_trees_do_not_leak():
    """Two branches in one folder, two folders of one project: each sees only its own."""
    secret = front("style", "The secret", level="critical", body="The launch code is swordfish. [more](other.md)\n")
    with Place() as place, Stdio(place, "--no-watch") as client:
        one = place.project("one", files={"secret.md": secret, "other.md": "# Other\n\nSwordfish too.\n"})
        two = place.project("two", files={"public.md": "# Public\n\nNothing to see. [x](other.md) [y](secret.md)\n"})
        client.activate(one, "main")
        (one.path / "docs/secret.md").unlink()
        (one.path / "docs/other.md").unlink()
        one.doc("public.md", "# Public\n\nNothing to see here either. [y](secret.md)\n")
        handles = {"tree": client.activate(two, "main")["project_handle"],
                   "branch": client.activate(one, "release")["project_handle"]}
        for name, handle in handles.items():
            found = client.ok("semantic_search", query="launch code swordfish", min_relevance_score=0, project_handle=handle)
            assert [item["path"] for item in found["results"]] == ["public.md"], (name, found)
            answer = client.ok("rag_query", query="what is the launch code swordfish", min_relevance_score=0,
                               project_handle=handle)
            text = json.dumps(answer)
            assert "secret" not in text.replace("secret.md", "") and "swordfish" not in text.lower(), (name, answer)
            assert [item["path"] for item in answer["sources"]] == ["public.md"] and answer["linked_docs"] == []
            types = client.ok("list_doc_types", project_handle=handle)["doc_types"]
            assert sum(item["doc_count"] for item in types) == 1, (name, types)
            error = client.error("DOCUMENT_NOT_FOUND", "index_document", path="secrets.md", project_handle=handle)
            assert "similar_paths" not in error["details"] or "secret.md" not in error["details"]["similar_paths"], error
        counts = {name: client.ok("delete_documents", project_name="demo", branch_name=branch, path_hash=place_hash,
                                  dry_run=True)["deleted_count"]
                  for name, branch, place_hash in (
                      ("tree", "main", client.activate(two, "main")["path_hash"]),
                      ("branch", "release", client.activate(one, "release")["path_hash"]),
                      ("none", "release", client.activate(two, "main")["path_hash"]))}
        assert counts == {"tree": 1, "branch": 1, "none": 0}, counts


def test_branch_of_a_work_tree():
    """What git made: the work tree's .git is a file, and its HEAD lies in a repository outside of what may be looked at."""
    def git(*words):
        quiet = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *words], check=True, env=quiet,
                       stdin=subprocess.DEVNULL, capture_output=True)

    def branch(place, folder):
        with Http(Server(place, "--no-watch", "--project", folder)) as client:
            return client.ok("list_doc_types")["branch_name"]

    with Place() as place:
        project = place.project("repository", files={"a.md": "# Alpha\n"})
        tree, thief = place.path / "allowed/tree", place.path / "allowed/thief"
        git("init", "-q", "-b", "trunk", str(project.path))
        git("-C", str(project.path), "add", ".")
        git("-C", str(project.path), "commit", "-qm", "first")
        git("-C", str(project.path), "worktree", "add", "-q", "-b", "feature/x", str(tree))
        assert branch(place, project.path) == "trunk" and branch(place, tree) == "feature/x"
        # Another folder that names the same place is not the one that it belongs to.
        (thief / "docs").mkdir(parents=True)
        (thief / ".git").write_text((tree / ".git").read_text())
        assert branch(place, thief) == "main"


def test_words_do_not_tell_of_other_tenants():
    """A score does not depend on what another tenant has."""
    with Place() as place, Stdio(place, "--no-watch") as client:
        one = place.project("one", name="one", files={"a.md": "# Ferrets\n\nFerrets sleep in hammocks.\n",
                                                      "b.md": "# Boats\n\nBoats float.\n"})
        handle = client.activate(one)["project_handle"]

        def scores():
            data = client.ok("semantic_search", query="where do ferrets sleep", min_relevance_score=0, project_handle=handle)
            return [(item["path"], item["relevance_score"]) for item in data["results"]]
        before = scores()
        client.activate(place.project("two", name="two", files={
            f"{i}.md": f"# Ferrets {i}\n\nFerrets, ferrets, ferrets sleep.\n" for i in range(50)}))
        assert scores() == before


def test_handles_survive_a_restart():
    with Place() as place:
        project = place.project(files={"a.md": "# Alpha\n\nAlpha wolf.\n"})
        key = place.path / "key"
        with Stdio(place, "--key-file", key) as client:
            handle = client.activate(project)["project_handle"]
        project.doc("b.md", "# Beta\n\nBeta fish.\n")
        with Stdio(place, "--key-file", key) as client:
            assert client.found("wolf", project_handle=handle)[0] == "a.md"
            assert "b.md" in client.found("fish", project_handle=handle)  # what changed meanwhile was looked at
        with Stdio(place, "--key-file", key, "--root", "/usr/share") as client:  # what the operator allows decides now
            client.error("INVALID_PROJECT", "semantic_search", query="wolf", project_handle=handle)


def test_handles_are_bound_to_their_caller():
    with Place() as place:
        project = place.project(files={"a.md": "# Alpha\n\nAlpha wolf.\n"})
        key = place.path / "key"
        flags = ("--key-file", key, "--root", place.path, token_flag("ann", ANN), token_flag("bob", BOB))
        with Server(place, *flags) as server:
            handle = Http(server, ANN).activate(project)["project_handle"]
            assert Http(server, ANN).found("wolf", project_handle=handle) == ["a.md"]
            error = Http(server, BOB).error("INVALID_PROJECT", "semantic_search", query="wolf", project_handle=handle)
            assert "wolf" not in json.dumps(error)
            assert len(Http(server, ANN).error("PROJECT_NOT_ACTIVATED", "list_doc_types")["details"]["projects"]) == 1
            assert "projects" not in Http(server, BOB).error("PROJECT_NOT_ACTIVATED", "list_doc_types")["details"]
            changed = handle[:-2] + ("A" if handle[-2] != "A" else "B") + handle[-1]
            Http(server, ANN).error("INVALID_PROJECT", "list_doc_types", project_handle=changed)
        with Server(place, *flags) as server:
            assert Http(server, ANN).found("wolf", project_handle=handle) == ["a.md"]
            Http(server, BOB).error("INVALID_PROJECT", "semantic_search", query="wolf", project_handle=handle)


def test_callers_delete_only_their_own():
    """Two callers whose projects have the same name."""
    with Place() as place:
        one = place.project("one", files={"a.md": "# Alpha\n\nAlpha wolf.\n"})
        two = place.project("two", files={"b.md": "# Beta\n\nBeta fish.\n", "c.md": "# Gamma\n\nGamma ray.\n"})
        with Server(place, "--root", place.path, token_flag("ann", ANN), token_flag("bob", BOB)) as server:
            ann, bob = Http(server, ANN), Http(server, BOB)
            hers, his = ann.activate(one), bob.activate(two)
            bob.error("INVALID_PROJECT", "delete_documents", project_name="demo", path_hash=hers["path_hash"], dry_run=True,
                      project_handle=his["project_handle"])
            for dry in True, False:
                data = bob.ok("delete_documents", project_name="demo", dry_run=dry, project_handle=his["project_handle"])
                assert data["deleted_count"] == 2
            assert ann.found("wolf", project_handle=hers["project_handle"]) == ["a.md"]


def test_two_processes():
    """Two clients, each with a server of its own, on one database and one project."""
    with Place() as place:
        project = place.project(files={f"f{i}.md": f"# File {i}\n\nText about number{i}.\n" for i in range(400)})
        with Stdio(place) as one, Stdio(place) as two:
            calls = [(client, client.begin_call("activate_project", config_path=str(project.config), branch_name="main"))
                     for client in (one, two)]
            for client, number in calls:
                whole = client.end(number)["result"]["structuredContent"]
                assert whole["status"] == "SUCCESS", whole
            until("indexed", lambda: place.sql("SELECT count(*) FROM documents") == [(400,)])
            project.doc("new.md", "# Narwhal\n\nA narwhal has one tusk.\n")
            for client in one, two:
                until("seen", lambda client=client: client.found("narwhal tusk")[:1] == ["new.md"])
            for i in range(20):
                (one, two)[i % 2].ok("index_document", path=f"f{i}.md")
            one.ok("delete_documents", project_name="demo")
            assert two.found("number7") == [] or True
        assert place.is_sound()


def test_files_are_private():
    with Place() as place:
        os.umask(0o022)
        with Stdio(place) as client:
            client.activate(place.project(files={"a.md": "# A\n"}))
            for name in os.listdir(place.database.parent):
                assert (place.database.parent / name).stat().st_mode & 0o077 == 0, name
