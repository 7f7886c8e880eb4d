"""What the reports share: rounds of measurements, figures with their noise, tables, and the names of the servers."""
import statistics

PEERS = {"typescript-v2": "TypeScript SDK v2", "typescript-v1": "TypeScript SDK v1", "rust": "Rust SDK (rmcp)",
         "go": "Go SDK", "python": "Python, FastMCP"}
OURS = {"tenon": "**Tenon**", "floor": "floor"}
NOT = "not measured"


def read(path):
    """A round: lines of a name and a number. The last may be cut off, where a measurement was ended."""
    return {line[0]: float(line[1]) for line in map(str.split, path.read_text().splitlines()) if len(line) == 2}


def known_of(path):
    """The peers by name, each with "measured" and its version, or why it was not."""
    return dict(line.split(" ", 1) for line in path.read_text().splitlines()) if path.exists() else {}


def figure(value):
    """Three digits that mean something."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values):
    if not values:
        return NOT
    middle = statistics.median(values)
    if len(values) == 1:
        return figure(middle)
    return f"{figure(middle)} ({figure(min(values))} to {figure(max(values))})"


def brief(values, unit=""):
    """The same in fewer letters: the median, and how far from it the farthest round is."""
    if not values:
        return NOT
    middle = statistics.median(values)
    if len(values) == 1 or not middle:
        return figure(middle) + unit
    return f"{figure(middle)}{unit} ±{max(abs(value / middle - 1) for value in values):.0%}".replace("%", " %")


class Rounds:
    def __init__(self, rounds):
        self.rounds = rounds

    def values(self, name):
        return [one[name] for one in self.rounds if name in one]

    def has(self, name):
        return bool(self.values(name))

    def median(self, name):
        """None when it was not measured."""
        return statistics.median(self.values(name)) if self.has(name) else None

    def shown(self, name):
        return spread(self.values(name))

    def ratios(self, above, below):
        return [one[above] / one[below] for one in self.rounds if above in one and one.get(below)]

    def ratio(self, above, below):
        values = self.ratios(above, below)
        return statistics.median(values) if values else None

    def shown_ratio(self, above, below):
        return spread(self.ratios(above, below))


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def versions(known, names):
    """Which versions were measured, and what was not."""
    measured = [f"{names.get(name, name)} {state.partition(' ')[2]}" for name, state in known.items() if state.startswith("measured")]
    yield f"- Versions: {', '.join(measured) or 'no peer was measured'}."
    for name, state in known.items():
        if not state.startswith("measured"):
            yield f"- Not measured: {names.get(name, name)}: {state}."


def servers(known):
    """The floor, Tenon, and every peer, whether it was measured or not."""
    return {**OURS, **{name: PEERS.get(name, name) for name in known}}


def by_server(rounds, known, names):
    """A row for each server of the measurements `names`, which have a %s for it."""
    return [(text, *(rounds.shown(one % name) for one in names)) for name, text in servers(known).items()]
