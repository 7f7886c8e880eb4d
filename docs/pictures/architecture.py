#!/usr/bin/env python3
"""Draws docs/pictures/architecture.svg: layers, threads, and who owns what.

    docs/pictures/architecture.py            writes it
    docs/pictures/architecture.py --check    fails when the file is not what would be written

What is drawn stands in LAYERS, THREADS and OWNERS; the rest is where it goes. Text is text, and colours follow the reader's
scheme. tests/pages looks whether every folder and struct that is named here exists.
"""
import html
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs" / "pictures" / "architecture.svg"

# From the top down; a layer includes only what is below it. A row of two stands side by side.
LAYERS = [
    [("src/cli", "the program tenon, one command a file", "program")],
    [("src/login", "a client's side of OAuth", "program")],
    [("src/net", "loops, HTTP, stdio, workers, settings", "io")],
    [("src/mcp", "the protocol, both eras; no input or output", "core")],
    [("src/answer", "toolbox, call, envelope, budget, pages", "core")],
    [("src/rows", "declared in C", "core"), ("src/document", "by JSON Schema", "core")],
    [("src/model", "compiled tree, judge, issues, sentences", "heart")],
    [("src/text", "dates, numbers, addresses, patterns", "base")],
    [("src/json", "yyjson in, bytes out", "base")],
    [("src/base", "memory, buffers, accounts, log, clock", "base")],
]
BESIDE = [("servers/", "docs, kyc, appsec, pentest: on include/tenon, servers/kit, src/fetch"),
          ("src/fetch", "one bounded HTTP client, for the program, modules and servers"),
          ("src/oauth", "libtenon-oauth.so, loaded when the settings ask for it"),
          ("src/http", "libtenon-http.so, loaded when a client is given an address")]

# Threads: a title, lines below it, and its look.
LANES = [("first lane", ["loop, /mcp endpoint", "stdio, signals,", "admin address, tick"]),
         ("more lanes", ["loop, /mcp endpoint", "as many as --loops says,", "a thread each"])]
WORKERS = ("workers", ["handlers that say .blocking", "4 at first use, spares, a queue;", "one more thread watches deadlines"])
SHARED = ("shared by all threads", ["tools, prompts, resources: read only once prepared",
                                    "sessions, tasks, listeners, idle exchanges: under the server's lock",
                                    "accounts of callers: atomic, without a lock"])

# Each owns what stands right of it.
OWNERS = [
    [("tenon_server", "lists, keys, sessions"), ("tenon_toolbox", "compiled tools"), ("tn_tool", "schema, shape"),
     ("tenon_shape", "arena, nodes, patterns")],
    [("tn_service", "a server while it serves"), ("tn_lane", "loop and thread"), ("tn_endpoint", "listener, timer"),
     ("tn_http_conn", "socket, parser, head")],
    [("tn_endpoint_request", "the port of one answer"), ("tn_exchange", "message, id, era, gate"),
     ("tenon_call", "judge, ending, blocks"), ("tn_arena", "all memory of the call")],
]
OWNER_TITLES = ["what is declared", "what serves", "one request"]
HELD = "tn_endpoint_request"  # by what stands right of it; everything else owns

STYLE = """
  svg { font: 14px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
  .paper { fill: #ffffff; stroke: #d1d9e0 } .ink { fill: #1f2328 } .soft { fill: #59636e; font-size: 12.5px }
  .title { font-weight: 600; font-size: 17px } .name { font-weight: 600; font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 13.5px }
  .line { stroke: #59636e; fill: none; stroke-width: 1.5 } .tip { fill: #59636e }
  .box { stroke-width: 1.2 }
  .program { fill: #f6f8fa; stroke: #afb8c1 } .io { fill: #ddf4ff; stroke: #54aeff } .core { fill: #dafbe1; stroke: #4ac26b }
  .heart { fill: #fff1c2; stroke: #d4a72c } .base { fill: #f3eeff; stroke: #a475f9 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; stroke: #30363d } .ink { fill: #e6edf3 } .soft { fill: #9198a1 }
    .line { stroke: #9198a1 } .tip { fill: #9198a1 }
    .program { fill: #161b22; stroke: #484f58 } .io { fill: #0c2d4a; stroke: #388bfd } .core { fill: #0f2e1a; stroke: #2ea043 }
    .heart { fill: #3b2e06; stroke: #bb8009 } .base { fill: #251b3f; stroke: #8957e5 }
  }
"""

WIDTH, HEIGHT, EDGE = 1080, 818, 28
out = []


def text(x, y, words, kind="ink", anchor="start"):
    out.append(f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{html.escape(words)}</text>')


def box(x, y, width, height, look):
    out.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="7" class="box {look}"/>')


def arrow(points, both=False):
    path = "M" + " L".join(f"{x} {y}" for x, y in points)
    start = ' marker-start="url(#tip)"' if both else ""
    out.append(f'<path d="{path}" class="line" marker-end="url(#tip)"{start}/>')


def titled(x, y, width, height, name, lines, look):
    box(x, y, width, height, look)
    text(x + 14, y + 23, name, "ink name")
    for number, line in enumerate(lines):
        text(x + 14, y + 43 + 18 * number, line, "soft")


def layers(x, y, width):
    text(x, y, "Layers", "ink title")
    text(x + width, y, "includes only point down", "soft", "end")
    y += 16
    for row in LAYERS:
        part = (width - 8 * (len(row) - 1)) / len(row)
        for number, (name, what, look) in enumerate(row):
            left = x + number * (part + 8)
            box(left, y, part, 34, look)
            text(left + 12, y + 22, name, "ink name")
            text(left + part - 12, y + 22, what, "soft", "end")
        y += 40
    y += 8
    for name, what in BESIDE:
        text(x, y + 10, name, "ink name")
        text(x + 84, y + 10, what, "soft")
        y += 22


def threads(x, y, width):
    text(x, y, "Threads of a running server", "ink title")
    y += 16
    half = (width - 20) / 2
    for number, (name, lines) in enumerate(LANES):
        titled(x + number * (half + 20), y, half, 98, name, lines, "io")
    middle, top = x + width / 2, y + 176
    titled(x + 70, top, width - 140, 98, *WORKERS, "core")
    down, up = x + half / 2, x + width - half / 2
    arrow([(down, y + 102), (down, top - 4)])
    arrow([(up, top - 4), (up, y + 102)])
    text(down + 12, y + 141, "an exchange to run", "soft")
    text(up - 12, y + 141, "what it sends", "soft", "end")
    titled(x, top + 142, width, 98, *SHARED, "base")
    arrow([(middle, top + 138), (middle, top + 102)], both=True)


def owners(x, y, width):
    text(x, y, "Who owns what", "ink title")
    text(x + width, y, "everything of a call is freed at once, with its arena", "soft", "end")
    y += 16
    gap, label = 62, 118
    part = (width - label - gap * 3) / 4
    for title, row in zip(OWNER_TITLES, OWNERS):
        text(x, y + 31, title, "soft")
        for number, (name, what) in enumerate(row):
            left = x + label + number * (part + gap)
            box(left, y, part, 52, "heart" if name == "tn_arena" else "program")
            text(left + 10, y + 22, name, "ink name")
            text(left + 10, y + 41, what, "soft")
            if number < len(row) - 1:
                arrow([(left + part + 6, y + 30), (left + part + gap - 8, y + 30)])
                text(left + part + gap / 2, y + 22, "held by" if name == HELD else "owns", "soft", "middle")
        y += 66


def draw():
    out.append(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">')
    out.append("<title>Tenon: layers, threads, and who owns what</title>")
    out.append(f"<style>{STYLE}</style>")
    out.append('<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">'
               '<path d="M0 0 L8 4 L0 8 z" class="tip"/></marker></defs>')
    out.append(f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12" class="paper"/>')
    left = 500
    layers(EDGE, 44, left)
    threads(EDGE + left + 44, 44, WIDTH - 2 * EDGE - left - 44)
    owners(EDGE, 592, WIDTH - 2 * EDGE)
    out.append("</svg>\n")
    return "\n".join(out)


def main(arguments):
    drawn = draw()
    if arguments == ["--check"]:
        same = TARGET.exists() and TARGET.read_text(encoding="utf-8") == drawn
        print("" if same else "docs/pictures/architecture.svg is not what docs/pictures/architecture.py draws", end="" if same else "\n")
        return 0 if same else 1
    TARGET.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
