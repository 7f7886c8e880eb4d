"""Plots as SVG texts: bars and lines on logarithmic scales, each figure with its noise, in light and in dark, as the reader has
it. Nothing but the standard library, and the same input gives the same bytes."""
import math
from xml.sax.saxutils import escape

WIDTH = 760
INK, QUIET, GRID, PAPER = "ink", "quiet", "grid", "paper"
COLOURS = {"tenon": "tenon", "floor": "floor", "ajv": "first", "blaze": "second", "rust": "first", "go": "second", "typescript-v2": "third",
           "typescript-v1": "fourth", "rest": "rest"}
LIGHT = {INK: "#1f2328", QUIET: "#59636e", GRID: "#d8dee4", PAPER: "#ffffff", "tenon": "#0969da", "floor": "#8c959f", "first": "#bc4c00",
         "second": "#1a7f37", "third": "#bf3989", "fourth": "#9a6700", "rest": "#8250df"}
DARK = {INK: "#f0f6fc", QUIET: "#9198a1", GRID: "#30363d", PAPER: "#0d1117", "tenon": "#4493f8", "floor": "#7d8590", "first": "#db6d28",
        "second": "#3fb950", "third": "#db61a2", "fourth": "#d29922", "rest": "#ab7df8"}
FONT = "font-family='system-ui, sans-serif'"


def short(value):
    """12345 as 12k: labels have little room."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def rules(colours):
    return " ".join(f".{name} {{ color: {value} }}" for name, value in colours.items())


STYLE = f"<style>{rules(LIGHT)} @media (prefers-color-scheme: dark) {{ {rules(DARK)} }}</style>"


def text(x, y, words, anchor="start", size=12, colour=INK, weight="normal"):
    return (f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' font-size='{size}' class='{colour}' fill='currentColor' font-weight='{weight}' "
            f"{FONT}>{escape(words)}</text>")


def line(x1, y1, x2, y2, colour, width=1.0):
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' class='{colour}' stroke='currentColor' stroke-width='{width}'/>"


def page(height, title, subtitle, parts):
    head = (f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' viewBox='0 0 {WIDTH} {height}' role='img' "
            f"aria-label='{escape(title, {chr(39): '&#39;'})}'>")
    return "\n".join([head, STYLE, f"<rect width='{WIDTH}' height='{height}' class='{PAPER}' fill='currentColor'/>", text(16, 24, title, size=15, weight="600"),
                      text(16, 42, subtitle, colour=QUIET), *parts, "</svg>"]) + "\n"


class Scale:
    """A logarithmic scale over whole decades that hold all values, or one that ends with them."""

    def __init__(self, values, start, end, tight=False):
        values = [value for value in values if value > 0] or [1]
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if not tight or self.low == self.high:
            self.low = math.floor(self.low + 1e-9)
            self.high = max(math.ceil(self.high - 1e-9), self.low + 1)
        self.start, self.end = start, end

    def __call__(self, value):
        part = (math.log10(max(value, 10**self.low)) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def marks(self):
        return [10.0**power for power in range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)]


def bars(title, subtitle, rows):
    """Rows of (key for the colour, name, values of all rounds, or None when it was not measured)."""
    left, right, top, step = 30 + 6.6 * max(len(name) for _, name, _ in rows), WIDTH - 90, 62, 30
    values = [value for _, _, some in rows for value in some or ()]
    bottom = top + step * len(rows)
    scale = Scale(values, left, right)
    parts = []
    for mark in scale.marks():
        parts += [line(scale(mark), top - 4, scale(mark), bottom, GRID), text(scale(mark), bottom + 16, short(mark), "middle", 11, QUIET)]
    for index, (key, name, some) in enumerate(rows):
        y = top + index * step
        parts.append(text(left - 8, y + 16, name, "end", weight="600" if key == "tenon" else "normal"))
        if not some:
            parts.append(text(left + 6, y + 16, "not measured", colour=QUIET))
            continue
        middle = sorted(some)[len(some) // 2]
        colour = COLOURS.get(key, COLOURS["rest"])
        parts.append(f"<rect x='{left:.1f}' y='{y + 4}' width='{max(scale(middle) - left, 1):.1f}' height='16' rx='2' class='{colour}' fill='currentColor'/>")
        low, high = scale(min(some)), scale(max(some))
        if high - low > 1:
            parts.append(line(low, y + 12, high, y + 12, INK, 1.5))
        parts.append(text(max(high, scale(middle)) + 6, y + 16, short(middle)))
    return page(bottom + 28, title, subtitle, parts)


def lines(title, subtitle, across, series):
    """Series of (key for the colour, name, [(x, values of all rounds)])."""
    left, right, top, bottom = 64, WIDTH - 170, 62, 330
    xs = sorted({x for _, _, points in series for x, _ in points})
    x_scale = Scale(xs, left, right, tight=True)
    y_scale = Scale([value for _, _, points in series for _, some in points for value in some], bottom, top)
    parts, free = [], 0
    for mark in y_scale.marks():
        parts += [line(left, y_scale(mark), right, y_scale(mark), GRID), text(left - 6, y_scale(mark) + 4, short(mark), "end", 11, QUIET)]
    for mark in xs if len(xs) < 6 else x_scale.marks():
        parts += [line(x_scale(mark), top, x_scale(mark), bottom, GRID), text(x_scale(mark), bottom + 16, short(mark), "middle", 11, QUIET)]
    parts.append(text((left + right) / 2, bottom + 34, across, "middle", 12, QUIET))
    for key, name, at in sorted(((key, name, [(x_scale(x), y_scale(sorted(some)[len(some) // 2]), some) for x, some in points])
                                 for key, name, points in series), key=lambda one: one[2][-1][1]):
        colour = COLOURS.get(key, COLOURS["rest"])
        parts.append("<polyline fill='none' class='%s' stroke='currentColor' stroke-width='2' points='%s'/>" % (colour, " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in at)))
        for x, y, some in at:
            parts += [line(x, y_scale(min(some)), x, y_scale(max(some)), colour, 1.5), f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' class='{colour}' fill='currentColor'/>"]
        free = max(free, at[-1][1] + 4)  # names stand below each other
        parts.append(text(at[-1][0] + 10, free, name, colour=colour, weight="600" if key == "tenon" else "normal"))
        free += 15
    return page(bottom + 48, title, subtitle, parts)
