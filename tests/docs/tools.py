"""Blocks of the documentation that speak of rows and tools: compiled into one program, asked, and compared.

A *subject* is a block of C. Each becomes a file of its own, so that every block can be read and copied alone:

    ```c rows        structs and TENON_ROWS; the last table is the subject
    ```c tool        a handler and its TENON_TOOL; the last tool is the subject. A function `make_box` in it makes the
                     toolbox, when there is more to say than the tool
    ```c mistake     rows that the library refuses; an `output` block after it holds the text

What follows speaks of the subject before it:

    ```json schema   what it publishes: the whole schema, or some members of its properties
    ```json portable the same in the portable form
    ```json output   the schema of a tool's whole answer: the whole, or members of its `data`
    ```calls         calls, each followed by what becomes of it:

        {"days": "5"}
          bound    {"days": 5}
          message  Converted days from "5" to 5
        {"days": 20}
          range    days must be between 1 and 14, got 20

    ```answer        a call on the first line, then its whole answer

An outcome is the bound struct (`bound`, or `ok` where it is not shown), a tool's `data`, an issue by its code, or an
error by its code; then the messages. `...` stands for any text. Rows are judged twice, by tenon_params_bind()
and by a tool that returns what it was given, and both must say the same.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import textwrap

WIDTH = 116
SUBJECTS = {("c", "rows"), ("c", "tool"), ("c", "mistake")}
ASKING = {("json", "schema"), ("json", "portable"), ("json", "output"), ("calls",), ("answer",)}

HEAD = """\
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <tenon/tenon.h>
#include "docs.h"
#undef TENON_TOOL_DECL
#define TENON_TOOL_DECL(fn) static const tenon_tool *fn##_tool(void)
#line {line} "{path}"
{text}
#line 1 "subject"
"""
ROWS = """
static tenon_outcome echo_run(tenon_call *call, const void *args)
{{
    return tenon_ok_data_(call, {name}, args);
}}
void subject_{number}(struct subject *subject)
{{
    static tenon_tool echo;
    echo = (tenon_tool){{ .handler = "echo", .info = {{ .doc = "Return the arguments.", .result = {name} }},
                         .info_size = sizeof(tenon_info), .rows = *{name}(), .run = echo_run }};
    *subject = (struct subject){{ .rows = {name}(), .tool = &echo, .box = tenon_toolbox_new(.user = NULL) }};
}}
"""
TOOL = """
void subject_{number}(struct subject *subject)
{{
    *subject = (struct subject){{ .tool = {name}_tool(), .box = {box} }};
}}
"""
HEADER = """
struct subject { const tenon_rows *rows; const tenon_tool *tool; tenon_toolbox *box; };
"""
MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>
#include "docs.h"

%(declarations)s
static void (*const subjects[])(struct subject *) = { %(list)s };

static void judge(const struct subject *subject, const char *json)
{
    tenon_shape  *shape  = tenon_shape_new(subject->rows, NULL);
    tenon_params *params = tenon_params_new(shape);

    tenon_params_bind(params, json, strlen(json));
    for (size_t i = 0; i < tenon_params_issue_count(params); i++)
        printf("issue\\t%%s\\t%%s\\n", tenon_params_issue(params, i)->code, tenon_params_issue(params, i)->text);
    for (size_t i = 0; i < tenon_params_message_count(params); i++)
        printf("message\\t%%s\\n", tenon_params_message(params, i));
    tenon_params_free(params);
    tenon_shape_free(shape);
}

static void ask(const char *line)
{
    struct subject         subject;
    const tenon_tool_view *view;
    char                  *rest;

    subjects[strtoul(line, &rest, 10)](&subject);
    rest++;
    tenon_toolbox_add(subject.box, subject.tool);
    view = tenon_toolbox_count(subject.box) > 0 ? tenon_toolbox_tool(subject.box, 0) : NULL;
    if (strcmp(rest, "mistake") == 0) {
        tenon_shape *shape = subject.rows ? tenon_shape_new(subject.rows, NULL) : NULL;
        const char  *error = shape ? tenon_shape_error(shape) : tenon_toolbox_error(subject.box);

        printf("%%s\\n", error ? error : "no mistake");
        tenon_shape_free(shape);
    } else if (tenon_toolbox_error(subject.box) || !view) {
        printf("mistake\\t%%s\\n", tenon_toolbox_error(subject.box));
    } else if (strcmp(rest, "schema") == 0) {
        puts(view->input);
    } else if (strcmp(rest, "portable") == 0) {
        puts(view->portable_input);
    } else if (strcmp(rest, "output") == 0) {
        puts(view->output);
    } else {
        tenon_call *call = tenon_call_new(subject.box);

        rest += strlen("call ");
        if (subject.rows)
            judge(&subject, rest);
        printf("answer\\t%%s\\n", tenon_call_run(call, view->name, rest, strlen(rest))->json);
        tenon_call_free(call);
    }
    tenon_toolbox_free(subject.box);
    puts(".");
    fflush(stdout);
}

int main(void)
{
    static char line[1 << 16];

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\\n")] = 0;
        ask(line);
    }
    return 0;
}
"""


class Wrong(Exception):
    pass


# ---- The program -----------------------------------------------------------------------------------------------------

def source_of(number, block):
    kind = block.words[0]
    if kind == "tool":
        names = re.findall(r"^TENON_TOOL0?\((\w+)", block.text, re.M)
        glue, box = TOOL, "make_box()" if "make_box(void)" in block.text else "tenon_toolbox_new(.user = NULL)"
    else:
        names = re.findall(r"^TENON_ROWS\((\w+)", block.text, re.M)
        glue, box = ROWS, ""
    if not names:
        raise Wrong(f"{block.where}: there is no TENON_{'TOOL' if kind == 'tool' else 'ROWS'} at the start of a line")
    path, line = block.where.rsplit(":", 1)
    return HEAD.format(line=int(line) + 1, path=path, text=block.text) + glue.format(number=number, name=names[-1], box=box)


def compile_program(blocks, directory, root, library):
    """Compiles the subjects; returns the program."""
    flags = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-I", str(root / "include"), "-I", str(directory)]
    compiler = shlex.split(os.environ.get("CC", "cc"))
    (directory / "docs.h").write_text(HEADER)
    (directory / "main.c").write_text(MAIN % {
        "declarations": "\n".join(f"void subject_{number}(struct subject *);" for number in range(len(blocks))),
        "list": ", ".join(f"subject_{number}" for number in range(len(blocks)))})
    for number, block in enumerate(blocks):
        (directory / f"subject_{number}.c").write_text(source_of(number, block), encoding="utf-8")

    def compile_one(name):
        return subprocess.run([*compiler, *flags, "-c", f"{name}.c", "-o", f"{name}.o"], cwd=directory, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    names = ["main", *(f"subject_{number}" for number in range(len(blocks)))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compile_one, names))
    said = "".join(result.stdout for result in results if result.returncode)
    if said:
        raise Wrong("does not compile\n" + said)
    program = directory / "docs"
    linked = subprocess.run([*compiler, *(f"{name}.o" for name in names), "-o", str(program), "-L", str(library),
                             "-ltenon", f"-Wl,-rpath,{library}"], cwd=directory, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if linked.returncode:
        raise Wrong("does not link\n" + "\n".join(linked.stdout.splitlines()[:20]))
    return program


class Program:
    def __init__(self, blocks, directory, root, library):
        program = compile_program(blocks, directory, root, library)
        self.errors = directory / "stderr"
        self.process = subprocess.Popen([str(program)], cwd=directory, text=True, encoding="utf-8",
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors.open("w"))

    def ask(self, number, question):
        self.process.stdin.write(f"{number} {question}\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Wrong(f"the program ended at: {question}\n{self.errors.read_text()}")
            if line != ".\n":
                lines.append(line.rstrip("\n"))
                continue
            if lines and lines[0].startswith("mistake\t"):
                raise Wrong("it has a mistake: " + lines[0][8:])
            return lines

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


# ---- JSON, read and shown --------------------------------------------------------------------------------------------

def parse(text):
    """JSON in which the order of members counts."""
    return json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs))


def text_matches(want, got):
    """Whether the texts are the same, where ... stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, want.split("..."))), got, re.S) is not None


def matches(want, got):
    if isinstance(want, str) and isinstance(got, str):
        return text_matches(want, got)
    if isinstance(want, tuple) and isinstance(got, tuple):
        return len(want[1]) == len(got[1]) and all(
            a[0] == b[0] and matches(a[1], b[1]) for a, b in zip(want[1], got[1]))
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(matches, want, got))
    return type(want) is type(got) and want == got


def show(value):
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {show(one)}" for name, one in value[1]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(show, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def pretty(value, indent=0, before=0):
    """On one line if it fits, else a member a line."""
    line = show(value)
    if indent + before + len(line) <= WIDTH or not isinstance(value, (tuple, list)):
        return line
    space = " " * (indent + 2)
    if isinstance(value, list):
        inside = [space + pretty(one, indent + 2) for one in value]
        return "[\n" + ",\n".join(inside) + "\n" + " " * indent + "]"
    inside = []
    for name, one in value[1]:
        name = json.dumps(name, ensure_ascii=False) + ": "
        inside.append(space + name + pretty(one, indent + 2, len(name)))
    return "{\n" + ",\n".join(inside) + "\n" + " " * indent + "}"


def members(value):
    return dict(value[1])


# ---- Calls -----------------------------------------------------------------------------------------------------------

def outcomes_of(answer, word):
    """The lines of an answer: [(word, text or JSON)]."""
    top, lines = members(answer), []
    if top["status"] == "SUCCESS":
        lines.append((word, top["data"]))
    else:
        error = members(top["error"])
        details = members(error["details"])
        if error["code"] == "VALIDATION_ERROR":
            lines += [(members(issue)["code"], members(issue)["message"]) for issue in details["issues"]]
            lines += [("note", details["note"])] if "note" in details else []
        else:
            lines.append((error["code"], error["message"]))
    return lines + [("message", text) for text in top["messages"]]


def ask_call(program, number, subject, arguments):
    replies = [line.split("\t") for line in program.ask(number, f"call {arguments}")]
    answer = parse(replies[-1][1])
    if subject.words == ["tool"]:
        return outcomes_of(answer, "data")
    lines = outcomes_of(answer, "bound")
    pure = [tuple(reply[-2:]) for reply in replies[:-1]]
    if lines[0][0] == "INTERNAL_ERROR":  # what was left out may have no form that its row allows
        return [("ok", ""), *[line for line in pure]]
    if [line for line in lines if line[0] not in ("bound", "note")] != pure:
        raise Wrong(f"the tool says {lines}, tenon_params_bind() says {pure}")
    return lines


def show_calls(calls):
    out, column = [], max(len(word) for _, lines in calls for word, _ in lines)
    for arguments, lines in calls:
        out.append(arguments)
        for word, text in lines:
            text = text if isinstance(text, str) else show(text)
            line = f"  {word:<{column}}  {text}".rstrip()
            out += [line] if len(line) <= WIDTH else textwrap.wrap(
                line, WIDTH, subsequent_indent=" " * (column + 6), break_long_words=False, break_on_hyphens=False)
    return "\n".join(out) + "\n"


def read_calls(block):
    """[(arguments, [(word, text)])]; a line that is indented further goes on with the one before."""
    calls = []
    for line in block.text.splitlines():
        if not line.strip():
            continue
        if not line.startswith(" "):
            calls.append((line.strip(), []))
        elif not calls:
            raise Wrong("it begins with an outcome")
        elif line.startswith("   "):
            if not calls[-1][1]:
                raise Wrong(f"there is nothing to go on with: {line.strip()}")
            word, text = calls[-1][1][-1]
            calls[-1][1][-1] = (word, f"{text} {line.strip()}")
        else:
            word, _, text = line.strip().partition(" ")
            calls[-1][1].append((word, text.strip()))
    return calls


def same_line(want, got):
    if want[0] == "ok":
        return got[0] in ("ok", "bound", "data")
    if want[0] != got[0]:
        return False
    if isinstance(got[1], str):
        return text_matches(" ".join(want[1].split()), " ".join(got[1].split()))
    return matches(parse(want[1]), got[1])


def check_calls(program, number, subject, block):
    calls, real = read_calls(block), []
    for arguments, lines in calls:
        got = ask_call(program, number, subject, arguments)
        same = bool(lines) and len(lines) == len(got) and all(map(same_line, lines, got))
        real.append((arguments, lines if same else got))
    return show_calls(real) if any(a is not b for (_, a), (_, b) in zip(calls, real)) else None


# ---- Blocks ----------------------------------------------------------------------------------------------------------

def check_answer(program, number, block):
    arguments, _, want = block.text.partition("\n")
    got = parse(program.ask(number, f"call {arguments}")[-1].split("\t")[1])
    if want.strip() and matches(parse(want), got):
        return None
    return arguments + "\n" + pretty(got) + "\n"


def check_schema(program, number, block):
    got = parse(program.ask(number, block.words[0])[0])
    text = block.text.strip()
    if text.startswith("{") or not text:
        return None if text and matches(parse(text), got) else pretty(got) + "\n"
    if block.words == ["output"]:
        got = members(members(got)["properties"])["data"]
    available = members(members(got)["properties"])
    try:
        want = parse("{" + text + "}")[1]
    except json.JSONDecodeError:  # only names, to be filled in
        want = [(name, None) for name in re.findall(r'"([^"]+)"', text)]
    missing = [name for name, _ in want if name not in available]
    if missing:
        raise Wrong(f"there is no property {missing[0]}")
    if all(matches(one, available[name]) for name, one in want):
        return None
    lines = [f'"{name}": ' + pretty(available[name], 0, len(name) + 4) for name, _ in want]
    return ",\n".join(lines) + "\n"


def check_one(program, number, subject, block):
    """What the block should hold, or None when it is right."""
    if block.kind == ("calls",):
        return check_calls(program, number, subject, block)
    if block.kind == ("answer",):
        return check_answer(program, number, block)
    return check_schema(program, number, block)


def check(blocks, directory, root, library):
    """Asks all blocks; yields (block, problem, what it should hold or None)."""
    subjects = [block for block in blocks if block.kind in SUBJECTS]
    try:
        program = Program(subjects, directory, root, library) if subjects else None
    except Wrong as wrong:
        yield subjects[0], str(wrong), None
        return
    number, asked = -1, True
    for block, following in zip(blocks, [*blocks[1:], None]):
        try:
            if block.kind in SUBJECTS:
                if not asked:
                    raise Wrong("nothing asks about the rows or the tool before this one")
                number, asked = number + 1, False
            if block.kind == ("c", "mistake"):
                if following is None or following.language != "output" or not following.adjacent:
                    raise Wrong("an output block with the mistake stands directly after it")
                real, asked = program.ask(number, "mistake")[0] + "\n", True
                if real == "no mistake\n":
                    raise Wrong("the library finds no mistake in it")
                if " ".join(real.split()) != " ".join(following.text.split()):
                    yield following, "the library says something else", "\n".join(textwrap.wrap(real, WIDTH)) + "\n"
            elif block.kind in ASKING:
                if number < 0:
                    raise Wrong("there is no rows or tool block before it")
                asked = True
                real = check_one(program, number, subjects[number], block)
                if real is not None:
                    yield block, "the library says something else", real
        except (Wrong, json.JSONDecodeError, IndexError, KeyError) as wrong:
            yield block, f"{wrong}", None
    if program:
        program.close()
