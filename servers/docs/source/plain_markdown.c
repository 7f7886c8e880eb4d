/* plain_markdown.c - markdown without HTML and without what only MDX runs. Every line stays where it is.
 *
 * Blocks and spans of code are copied as they are. A comment that does not end is text; that one was looked for in vain is
 * remembered, so that a million of them cost no more than one.
 */
#include <string.h>

#include "docs/source/source.h"
#include "docs/source/tag.h"

#define SPAN_LEN_MAX ((size_t)4096) /* bytes of a span of code */

struct copying {
    const char  *at, *end;
    struct text *out;
    bool         is_mdx;
    bool         no_comment, no_expression, no_script, no_style; /* none of them ends any more */
    char         fence;                                          /* of the block that is open; 0: none */
    size_t       fence_len;
    bool         after_blank, in_indented;
};

/* ---- Leaving out ---- */

/* Only the line endings of what lies before `until`. */
static void skip_to(struct copying *copying, const char *until)
{
    for (; copying->at < until; copying->at++)
        if (*copying->at == '\n' || *copying->at == '\r')
            text_char(copying->out, *copying->at);
}

static const char *line_end(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    return at;
}

static bool is_blank_line(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end || *at == '\n' || *at == '\r';
}

/* ---- Code ---- */

static size_t run_of(const char *at, const char *end)
{
    size_t len = 0;

    while (at + len < end && at[len] == *at)
        len++;
    return len;
}

/* A line that opens or closes a fence, or lies in one: it stays as it is. */
static bool is_fenced(struct copying *copying, const char *line, const char *end)
{
    const char *at = line;
    size_t      len;

    while (at < end && (*at == ' ' || *at == '\t' || *at == '>'))
        at++;
    len = at < end && (*at == '`' || *at == '~') ? run_of(at, end) : 0;
    if (!copying->fence) {
        if (len < 3 || (*at == '`' && memchr(at + len, '`', (size_t)(end - at) - len)))
            return false;
        copying->fence     = *at;
        copying->fence_len = len;
        return true;
    }
    if (len >= copying->fence_len && *at == copying->fence && is_blank_line(at + len, end))
        copying->fence = 0;
    return true;
}

/* Code by four spaces, behind an empty line. */
static bool is_indented(struct copying *copying, const char *line, const char *end)
{
    bool deep = end - line >= 4 && (*line == '\t' || memcmp(line, "    ", 4) == 0);

    copying->in_indented = deep && (copying->after_blank || copying->in_indented);
    return copying->in_indented;
}

/* Behind a span of code; `at` when there is no span. */
static const char *skip_span(const char *at, const char *end)
{
    size_t      len  = run_of(at, end);
    const char *stop = (size_t)(end - at) > SPAN_LEN_MAX ? at + SPAN_LEN_MAX : end;

    for (const char *next = at + len; next < stop; next++) {
        if (*next == '\n' && is_blank_line(next + 1, end))
            return at;
        if (*next == '`') {
            size_t run = run_of(next, end);

            if (run == len)
                return next + run;
            next += run - 1;
        }
    }
    return at;
}

/* ---- HTML ---- */

/* Scripts and styles go with what is in them. */
static bool skip_content(struct copying *copying, const struct tag *tag)
{
    bool        is_script = strcmp(tag->name, "script") == 0, is_style = strcmp(tag->name, "style") == 0;
    bool       *none  = is_script ? &copying->no_script : &copying->no_style;
    const char *close = NULL;

    if (tag->is_closing || tag->is_single || (!is_script && !is_style) || *none)
        return false;
    close = tag_find_closing(tag->name, tag->end, copying->end);
    *none = !close;
    if (close)
        skip_to(copying, close);
    return close != NULL;
}

static bool skip_html(struct copying *copying)
{
    const char *behind = copying->no_comment && copying->end - copying->at > 3 && copying->at[1] == '!'
                             ? NULL
                             : tag_skip_comment(copying->at, copying->end);
    struct tag  tag;
    bool        at_start = copying->out->len == 0 || copying->out->at[copying->out->len - 1] == '\n';

    if (behind) {
        skip_to(copying, behind);
        return true;
    }
    copying->no_comment |= copying->end - copying->at > 3 && memcmp(copying->at, "<!--", 4) == 0;
    if (!tag_read(&tag, copying->at, copying->end))
        return false;
    if (skip_content(copying, &tag))
        return true;
    skip_to(copying, tag.end);
    if (at_start && !tag.is_closing && tag.name[0] == 'h' && tag.name[1] >= '1' && tag.name[1] <= '6' &&
        !tag.name[2])
        text_addf(copying->out, "%.*s ", tag.name[1] - '0', "######");
    return true;
}

/* ---- MDX ---- */

/* "{/" "* ... *" "/}", a comment. */
static bool skip_expression(struct copying *copying)
{
    const char *close;

    if (!copying->is_mdx || copying->no_expression || copying->end - copying->at < 6 ||
        memcmp(copying->at, "{/*", 3) != 0)
        return false;
    close                  = memmem(copying->at, (size_t)(copying->end - copying->at), "*/}", 3);
    copying->no_expression = !close;
    if (close)
        skip_to(copying, close + 3);
    return close != NULL;
}

/* "import" and "export" to the next empty line. */
static bool skip_module(struct copying *copying)
{
    const char *at = copying->at;

    if (!copying->is_mdx || !copying->after_blank || copying->end - at < 7 ||
        (memcmp(at, "import ", 7) != 0 && memcmp(at, "export ", 7) != 0))
        return false;
    while (at < copying->end && !is_blank_line(at, copying->end)) {
        at = line_end(at, copying->end);
        at += at < copying->end;
    }
    skip_to(copying, at);
    return true;
}

/* ---- Lines ---- */

static void copy_to(struct copying *copying, const char *until)
{
    text_add(copying->out, copying->at, (size_t)(until - copying->at));
    copying->at = until;
}

/* What is left out may go beyond the line: then the rest of the line where it ends is read as its own. */
static void copy_line(struct copying *copying)
{
    while (copying->at < copying->end && *copying->at != '\n' && *copying->at != '\r') {
        if (*copying->at == '`') {
            const char *behind = skip_span(copying->at, copying->end);

            copy_to(copying, behind > copying->at ? behind : copying->at + run_of(copying->at, copying->end));
        } else if (*copying->at == '\\' && copying->at + 1 < copying->end) {
            copy_to(copying, copying->at + 2);
        } else if (!(*copying->at == '<' && skip_html(copying)) &&
                   !(*copying->at == '{' && skip_expression(copying))) {
            const char *next = copying->at + 1;

            while (next < copying->end && !strchr("\n\r`\\<{", *next))
                next++;
            copy_to(copying, next);
        }
    }
}

void plain_markdown(const char *at, size_t len, bool is_mdx, struct text *out)
{
    struct copying copying = { .at = at, .end = at + len, .out = out, .is_mdx = is_mdx, .after_blank = true };

    while (copying.at < copying.end && !out->failed) {
        const char *end   = line_end(copying.at, copying.end);
        bool        blank = is_blank_line(copying.at, end);

        if (is_fenced(&copying, copying.at, end) || (!blank && is_indented(&copying, copying.at, end)))
            copy_to(&copying, end);
        else if (!skip_module(&copying))
            copy_line(&copying);
        copying.after_blank = blank;
        if (copying.at < copying.end && (*copying.at == '\n' || *copying.at == '\r'))
            copy_to(&copying, copying.at + 1);
    }
}
