/* plain_marks.c - reStructuredText and AsciiDoc as markdown, line by line: every line stays where it is. */
#include <ctype.h>
#include <string.h>

#include "docs/source/source.h"

#define MARKS_MAX 8 /* kinds of underlines that are distinguished */

struct line {
    const char *at;
    size_t      len;    /* without its ending */
    size_t      ending; /* bytes of that */
    size_t      indent;
};

static struct line line_at(const char *at, const char *end)
{
    struct line line = { .at = at };

    while (at + line.len < end && at[line.len] != '\n' && at[line.len] != '\r')
        line.len++;
    at += line.len;
    line.ending = at == end ? 0 : *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1;
    while (line.indent < line.len && (line.at[line.indent] == ' ' || line.at[line.indent] == '\t'))
        line.indent++;
    return line;
}

static const char *next_of(const struct line *line)
{
    return line->at + line->len + line->ending;
}

static bool is_blank(const struct line *line)
{
    return line->indent == line->len;
}

static bool begins(const struct line *line, const char *text)
{
    size_t len = strlen(text);

    return line->len - line->indent >= len && memcmp(line->at + line->indent, text, len) == 0;
}

static void put_line(struct text *out, const struct line *line, const char *before, size_t from, size_t to)
{
    text_put(out, before);
    if (to > from)
        text_add(out, line->at + from, to - from);
    text_add(out, line->at + line->len, line->ending);
}

static void put_blank(struct text *out, const struct line *line)
{
    put_line(out, line, "", 0, 0);
}

/* ---- reStructuredText ---- */

/* One mark again and again, as below or above a heading; 0: it is not one. */
static char underline_of(const struct line *line)
{
    size_t len = line->len;

    while (len > 0 && isspace((unsigned char)line->at[len - 1]))
        len--;
    if (len < 3 || line->indent || !ispunct((unsigned char)line->at[0]))
        return 0;
    for (size_t i = 1; i < len; i++)
        if (line->at[i] != line->at[0])
            return 0;
    return line->at[0];
}

struct rst {
    char   marks[MARKS_MAX + 1]; /* the first is of level 1 */
    bool   in_comment, in_code;  /* until a line that is not indented */
    size_t code_indent;
};

static int level_of(struct rst *rst, char mark)
{
    const char *known = strchr(rst->marks, mark);
    size_t      count = strlen(rst->marks);

    if (known)
        return (int)(known - rst->marks) + 1;
    if (count == MARKS_MAX)
        return MARKS_MAX;
    rst->marks[count] = mark;
    return (int)count + 1;
}

/* Without roles before names in backticks: ":ref:`name`". */
static void put_rst_text(struct text *out, const struct line *line, size_t from)
{
    size_t begin = from;

    for (size_t i = from; i < line->len; i++) {
        size_t end = i + 1;

        if (line->at[i] != ':')
            continue;
        while (end < line->len && (isalpha((unsigned char)line->at[end]) || line->at[end] == '-'))
            end++;
        if (end == i + 1 || end + 1 >= line->len || line->at[end] != ':' || line->at[end + 1] != '`')
            continue;
        text_add(out, line->at + begin, i - begin);
        begin = end + 1;
        i     = end;
    }
    put_line(out, line, "", begin, line->len);
}

/* ".. name:: text", ".. _label:", ".. comment": true when it was one. */
static bool take_directive(struct rst *rst, struct text *out, const struct line *line)
{
    const char *colons;
    size_t      from;

    if (!begins(line, "..") || (line->len > line->indent + 2 && line->at[line->indent + 2] != ' '))
        return false;
    colons = memmem(line->at, line->len, "::", 2);
    if (!colons || begins(line, ".. _")) {
        rst->in_comment = !begins(line, ".. _");
        put_blank(out, line);
        return true;
    }
    from         = (size_t)(colons - line->at) + 2;
    rst->in_code = memmem(line->at, from, "code", 4) || memmem(line->at, from, "literal", 7) ||
                   begins(line, ".. image") || begins(line, ".. toctree");
    if (rst->in_code)
        put_blank(out, line);
    else
        put_line(out, line, "", from, line->len);
    return true;
}

static void take_rst_line(struct rst *rst, struct text *out, const struct line *line, const struct line *next)
{
    size_t len = line->len;

    if ((rst->in_comment || rst->in_code) && !is_blank(line) && line->indent == 0)
        rst->in_comment = rst->in_code = false;
    if (rst->in_comment || begins(line, ".. contents")) {
        put_blank(out, line);
        return;
    }
    if (rst->in_code && !is_blank(line) && begins(line, ":")) { /* an option of the directive */
        put_blank(out, line);
        return;
    }
    if (rst->in_code) {
        put_line(out, line, is_blank(line) ? "" : "    ", 0, line->len);
        return;
    }
    if (take_directive(rst, out, line))
        return;
    if (next && !is_blank(line) && underline_of(next) && !underline_of(line) && next->len + 1 >= len) {
        int level = level_of(rst, underline_of(next));

        text_addf(out, "%.*s ", level > 6 ? 6 : level, "######");
        put_rst_text(out, line, line->indent);
        return;
    }
    if (underline_of(line)) { /* below a heading, above it, or between parts */
        put_blank(out, line);
        return;
    }
    if (len >= 2 && memcmp(line->at + len - 2, "::", 2) == 0) {
        rst->in_code = true;
        put_line(out, line, "", 0, len - 1);
        return;
    }
    put_rst_text(out, line, 0);
}

void plain_rst(const char *at, size_t len, struct text *out)
{
    const char *end = at + len;
    struct rst  rst = { 0 };

    while (at < end && !out->failed) {
        struct line line = line_at(at, end), next;
        bool        more = next_of(&line) < end;

        if (more)
            next = line_at(next_of(&line), end);
        take_rst_line(&rst, out, &line, more ? &next : NULL);
        at = next_of(&line);
    }
}

/* ---- AsciiDoc ---- */

struct asciidoc {
    char block[8]; /* the line that ends what is open; "" for none */
    bool is_comment;
};

static bool is_only(const struct line *line, char mark, size_t least)
{
    if (line->indent || line->len < least)
        return false;
    for (size_t i = 0; i < line->len; i++)
        if (line->at[i] != mark && !isspace((unsigned char)line->at[i]))
            return false;
    return line->at[0] == mark;
}

/* Opens or closes a block of code or a comment; true when it did. */
static bool take_block(struct asciidoc *doc, struct text *out, const struct line *line)
{
    bool is_code = is_only(line, '-', 4) || is_only(line, '.', 4) || is_only(line, '`', 3);
    bool is_note = is_only(line, '/', 4);

    if (doc->block[0]) {
        if (!(is_code || is_note) || line->at[0] != doc->block[0])
            return false;
        put_line(out, line, doc->is_comment ? "" : "```", 0, 0);
        doc->block[0] = '\0';
        return true;
    }
    if (!is_code && !is_note)
        return false;
    doc->block[0]   = line->at[0];
    doc->is_comment = is_note;
    put_line(out, line, is_note ? "" : "```", 0, 0);
    return true;
}

/* Lines that are not text: attributes, comments, includes, frames of tables. */
static bool is_setting(const struct line *line)
{
    const char *second = line->len > 1 ? memchr(line->at + 1, ':', line->len - 1) : NULL;

    if (is_blank(line))
        return false;
    return (line->at[0] == '[' && line->at[line->len - 1] == ']') || begins(line, "//") ||
           begins(line, "include::") || begins(line, "image::") || begins(line, "|===") ||
           begins(line, "toc::") || is_only(line, '=', 4) || is_only(line, '*', 4) ||
           (line->at[0] == ':' && second && !memchr(line->at, ' ', (size_t)(second - line->at)));
}

static void take_asciidoc_line(struct text *out, const struct line *line)
{
    size_t marks = 0;

    if (is_setting(line)) {
        put_blank(out, line);
        return;
    }
    while (marks < line->len && marks < 6 && line->at[marks] == '=')
        marks++;
    if (marks && marks < line->len && line->at[marks] == ' ') {
        text_addf(out, "%.*s", (int)marks, "######");
        put_line(out, line, "", marks, line->len);
        return;
    }
    marks = 0;
    while (marks < line->len && marks < 6 && (line->at[marks] == '*' || line->at[marks] == '.'))
        marks++;
    if (marks && marks < line->len && line->at[marks] == ' ') {
        text_addf(out, "%*s-", (int)(marks - 1) * 2, "");
        put_line(out, line, "", marks, line->len);
        return;
    }
    put_line(out, line, "", marks == 1 && line->at[0] == '.' ? 1 : 0, line->len);
}

void plain_asciidoc(const char *at, size_t len, struct text *out)
{
    const char     *end = at + len;
    struct asciidoc doc = { 0 };

    while (at < end && !out->failed) {
        struct line line = line_at(at, end);

        if (!take_block(&doc, out, &line)) {
            if (!doc.block[0])
                take_asciidoc_line(out, &line);
            else if (doc.is_comment)
                put_blank(out, &line);
            else
                put_line(out, &line, "", 0, line.len);
        }
        at = next_of(&line);
    }
}
