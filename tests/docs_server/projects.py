"""Projects of the documentation server, and clients that know its tools."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import rig  # noqa: E402


class Place(rig.Place):
    """A temporary folder with projects, and a database."""

    def project(self, folder="project", name=None, files=None, **config):
        """Makes one with a configuration; **config is added to it."""
        project = Project(self.path / folder)
        config = {"project_name": name or "demo", "plain_documents": True, **config}
        project.write(".tenon/config.json", json.dumps(config))
        (project.path / "docs").mkdir(exist_ok=True)
        for path, text in (files or {}).items():
            project.doc(path, text)
        return project


class Project:
    def __init__(self, path):
        self.path = path
        self.config = path / ".tenon" / "config.json"

    def write(self, path, data):
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())
        return target

    def doc(self, path, data):
        return self.write(f"docs/{path}", data)

    def read(self, path):
        return (self.path / "docs" / path).read_bytes()


def front(doc_type="insight", title="Title", level=None, body="Text.\n", **more):
    """A document of a built-in type, with everything that its schema wants."""
    own = {
        "insight": {"insight_type": "business_logic", "impact_area": "billing"},
        "style": {"style_type": "naming", "scope": "project", "rationale": "readers"},
        "codebase": {"knowledge_type": "architecture", "scope": "module"},
        "tool": {"tool_name": "make", "version": "4.4", "knowledge_type": "gotcha"},
        "problem": {"problem_type": "bug", "symptoms": "[crash]", "root_cause": "a race", "solution": "a lock"},
    }[doc_type]
    fields = {"doc_type": doc_type, "title": title, "date": "2026-01-31", "summary": f"About {title}.",
              "significance": "behavioral", **own, **more}
    if level:
        fields["promotion_level"] = level
    lines = [f"{key}: {value}" for key, value in fields.items()]
    return "\n".join(["---", *lines, "---", "", body])


# ---- Clients ----------------------------------------------------------------------------------------------------

class Docs:
    """What every client of this server can do."""

    def activate(self, project, branch="main"):
        return self.ok("activate_project", config_path=str(project.config), branch_name=branch)

    def found(self, query, score=0.0, **arguments):
        """The paths that a search finds, the best first."""
        data = self.ok("semantic_search", query=query, min_relevance_score=score, limit=100, **arguments)
        return [item["path"] for item in data["results"]]


class Stdio(Docs, rig.Stdio):
    def __init__(self, place, *flags, command=None, **how):
        super().__init__(command or rig.serve("docs", place, *flags), **how)


class Server(rig.Server):
    def __init__(self, place, *flags):
        super().__init__(rig.serve("docs", place, *flags))


class Http(Docs, rig.Http):
    pass


class Session(Docs, rig.Session):
    pass


class OverHttp(Http):
    """In the place of Stdio: a server of its own, and the handle of the last activation in every call after it."""

    def __init__(self, place, *flags):
        super().__init__(Server(place, "--root", place.path, *flags))
        self.handle = None

    def ask(self, tool, arguments):
        if self.handle and tool != "activate_project":
            arguments = {"project_handle": self.handle, **arguments}
        whole = super().ask(tool, arguments)
        if tool == "activate_project" and whole["data"]:
            self.handle = whole["data"]["project_handle"]
        return whole


def only_stdio(test):
    """Not for OverHttp."""
    test.only_stdio = True
    return test
