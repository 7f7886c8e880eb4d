/* lines.c - markdown line by line. */
#include "docs/markdown/lines.h"

#include <string.h>
#include <strings.h>

#define TAB        4
#define INDENT_MAX 3 /* more is code */

void mdlines_init(struct mdlines *lines, const char *at, size_t len)
{
    *lines = (struct mdlines){ .at = at, .len = len };
}

/* ---- A place in a line -------------------------------------------------------------------------------------- */

struct spot {
    const char *at, *end;
    size_t      column;
};

static void skip_blanks(struct spot *spot)
{
    for (; spot->at < spot->end && (*spot->at == ' ' || *spot->at == '\t'); spot->at++)
        spot->column += *spot->at == '\t' ? TAB - spot->column % TAB : 1;
}

static size_t run_of(const struct spot *spot, char c)
{
    size_t len = 0;

    while (spot->at + len < spot->end && spot->at[len] == c)
        len++;
    return len;
}

static bool is_blank_from(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end;
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- What a line may begin ---------------------------------------------------------------------------------- */

static int heading_level(const struct spot *spot)
{
    size_t len = run_of(spot, '#');

    if (len == 0 || len > 6)
        return 0;
    return spot->at + len == spot->end || spot->at[len] == ' ' || spot->at[len] == '\t' ? (int)len : 0;
}

/* 1 or 2 for a line that would make the paragraph above it a heading. */
static int underline_level(const struct spot *spot)
{
    char   c   = spot->at < spot->end ? *spot->at : '\0';
    size_t len = c == '=' || c == '-' ? run_of(spot, c) : 0;

    return len > 0 && is_blank_from(spot->at + len, spot->end) ? c == '=' ? 1 : 2 : 0;
}

static bool is_rule(const struct spot *spot)
{
    char   c     = spot->at < spot->end ? *spot->at : '\0';
    size_t count = 0;

    if (c != '-' && c != '*' && c != '_')
        return false;
    for (const char *at = spot->at; at < spot->end; at++) {
        if (*at != c && *at != ' ' && *at != '\t')
            return false;
        count += *at == c;
    }
    return count >= 3;
}

static size_t fence_len(const struct spot *spot)
{
    char   c   = spot->at < spot->end ? *spot->at : '\0';
    size_t len = c == '`' || c == '~' ? run_of(spot, c) : 0;

    if (len < 3 || (c == '`' && memchr(spot->at + len, '`', (size_t)(spot->end - spot->at) - len)))
        return 0;
    return len;
}

/* The marker of a list item at the spot, which moves to its content; false and the spot unchanged for none. */
static bool take_item(struct spot *spot, bool in_paragraph)
{
    struct spot next   = *spot, content;
    size_t      digits = 0;

    while (next.at + digits < next.end && is_digit(next.at[digits]))
        digits++;
    if (digits > 9 || (in_paragraph && digits > 0 && !(digits == 1 && *next.at == '1')))
        return false;
    next.at += digits;
    if (next.at == next.end || !strchr(digits ? ".)" : "-+*", *next.at) || *next.at == '\0')
        return false;
    next.at++;
    next.column += digits + 1;
    if (next.at < next.end && *next.at != ' ' && *next.at != '\t')
        return false;
    content = next;
    skip_blanks(&content);
    if (content.at == content.end && in_paragraph)
        return false;
    if (content.at == content.end ||
        content.column > next.column + TAB) { /* nothing, or code behind one blank */
        content.column = next.column + 1;
        content.at     = next.at + (next.at < next.end);
    }
    *spot = content;
    return true;
}

/* ---- Blocks of HTML ----------------------------------------------------------------------------------------- */

static bool begins_with(const struct spot *spot, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(spot->end - spot->at) >= len && strncasecmp(spot->at, text, len) == 0;
}

static bool contains(const char *at, const char *end, const char *text)
{
    size_t len = strlen(text);

    for (; (size_t)(end - at) >= len; at++)
        if (strncasecmp(at, text, len) == 0)
            return true;
    return false;
}

/* Where the name of a tag ends: at a blank, '>' or "/>". */
static bool ends_name(const struct spot *spot, size_t len)
{
    const char *at = spot->at + len;

    return at >= spot->end || *at == ' ' || *at == '\t' || *at == '>' ||
           (at + 1 < spot->end && at[0] == '/' && at[1] == '>');
}

static bool is_block_tag(const struct spot *spot)
{
    static const char *const names[] = {
        "address",  "article",  "aside",    "base",       "basefont", "blockquote", "body",   "caption",
        "center",   "col",      "colgroup", "dd",         "details",  "dialog",     "dir",    "div",
        "dl",       "dt",       "fieldset", "figcaption", "figure",   "footer",     "form",   "frame",
        "frameset", "h1",       "h2",       "h3",         "h4",       "h5",         "h6",     "head",
        "header",   "hr",       "html",     "iframe",     "legend",   "li",         "link",   "main",
        "menu",     "menuitem", "nav",      "noframes",   "ol",       "optgroup",   "option", "p",
        "param",    "section",  "source",   "summary",    "table",    "tbody",      "td",     "tfoot",
        "th",       "thead",    "title",    "tr",         "track",    "ul"
    };
    struct spot name = *spot;

    name.at++;
    name.at += name.at < name.end && *name.at == '/';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins_with(&name, names[i]) && ends_name(&name, strlen(names[i])))
            return true;
    return false;
}

/* One tag and nothing else. */
static bool is_lone_tag(const struct spot *spot)
{
    const char *at = spot->at + 1, *end = spot->end;

    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    at += at < end && *at == '/';
    if (at + 1 >= end || !is_letter(*at) || *--end != '>' || memchr(at, '<', (size_t)(end - at)) ||
        memchr(at, '>', (size_t)(end - at)))
        return false;
    while (at < end && (is_letter(*at) || is_digit(*at) || *at == '-'))
        at++;
    return at == end || *at == ' ' || *at == '\t' || *at == '/';
}

/* Does HTML begin here? *until is what ends it, NULL for a blank line. */
static bool html_begins(const struct spot *spot, bool in_paragraph, const char **until)
{
    static const struct { const char *begin, *end; bool is_name; } kinds[] = {
        { "<script", "</script>", true }, { "<pre", "</pre>", true }, { "<style", "</style>", true },
        { "<textarea", "</textarea>", true }, { "<!--", "-->", false }, { "<?", "?>", false },
        { "<![CDATA[", "]]>", false },
    };

    *until = NULL;
    if (spot->at == spot->end || *spot->at != '<')
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins_with(spot, kinds[i].begin) &&
            (!kinds[i].is_name || ends_name(spot, strlen(kinds[i].begin)))) {
            *until = kinds[i].end;
            return true;
        }
    if (spot->end - spot->at > 2 && spot->at[1] == '!' && is_letter(spot->at[2])) {
        *until = ">";
        return true;
    }
    return is_block_tag(spot) || (!in_paragraph && is_lone_tag(spot));
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static void take_line(struct mdlines *lines, struct mdline *line)
{
    size_t end = lines->place;

    while (end < lines->len && lines->at[end] != '\n' && lines->at[end] != '\r')
        end++;
    *line      = (struct mdline){ .begin = lines->place, .end = end, .number = lines->number++ };
    line->next = end < lines->len ? end + 1 : end;
    if (end + 1 < lines->len && lines->at[end] == '\r' && lines->at[end + 1] == '\n')
        line->next++;
    lines->place = line->next;
}

/* Takes the quote markers off; false when there is none. */
static bool take_quotes(struct spot *spot)
{
    bool any = false;

    for (;;) {
        struct spot next = *spot;

        skip_blanks(&next);
        if (next.column - spot->column > INDENT_MAX || next.at == next.end || *next.at != '>')
            return any;
        next.at++;
        next.column++;
        if (next.at < next.end && *next.at == ' ') {
            next.at++;
            next.column++;
        }
        *spot = next;
        any   = true;
    }
}

/* Goes on with the block that is open; false when it ended before this line. */
static bool continue_open(struct mdlines *lines, struct mdline *line, struct spot spot)
{
    struct spot content;
    size_t      len;

    if (lines->quoted && !take_quotes(&spot)) {
        lines->open = MDLINES_OPEN_NOTHING;
        return false;
    }
    content = spot;
    skip_blanks(&content);
    if (!lines->quoted && content.at < content.end && content.column < lines->within) {
        lines->open = MDLINES_OPEN_NOTHING;
        return false;
    }
    line->kind = MDLINE_CODE;
    if (lines->open == MDLINES_OPEN_FENCE) {
        len = run_of(&content, lines->fence);
        if (len >= lines->fence_len && is_blank_from(content.at + len, content.end) &&
            content.column - (lines->quoted ? spot.column : lines->within) <= INDENT_MAX)
            lines->open = MDLINES_OPEN_NOTHING;
        return true;
    }
    if (lines->html_end ? contains(content.at, content.end, lines->html_end) : content.at == content.end)
        lines->open = MDLINES_OPEN_NOTHING;
    if (!lines->html_end && content.at == content.end)
        line->kind = MDLINE_BLANK;
    return true;
}

static bool open_block(struct mdlines *lines, struct mdline *line, const struct spot *spot, size_t within,
                       bool quoted)
{
    size_t      len = fence_len(spot);
    const char *until;

    if (len > 0) {
        lines->open      = MDLINES_OPEN_FENCE;
        lines->fence     = *spot->at;
        lines->fence_len = len;
    } else if (html_begins(spot, lines->paragraph != MDLINES_NO_PARAGRAPH, &until)) {
        lines->html_end = until;
        lines->open     = until && contains(spot->at + 2, spot->end, until) ? MDLINES_OPEN_NOTHING
                                                                            : MDLINES_OPEN_HTML;
    } else
        return false;
    lines->within    = within;
    lines->quoted    = quoted;
    lines->paragraph = MDLINES_NO_PARAGRAPH;
    line->kind       = MDLINE_CODE;
    return true;
}

static void set_heading(struct mdlines *lines, struct mdline *line, int level, size_t text_begin,
                        size_t text_end)
{
    bool is_under = text_end <= line->begin;

    line->kind           = MDLINE_HEADING;
    line->level          = level;
    line->text_begin     = text_begin;
    line->text_end       = text_end;
    line->heading_begin  = is_under ? lines->paragraph_begin : line->begin;
    line->heading_number = is_under ? lines->paragraph_number : line->number;
    lines->paragraph     = MDLINES_NO_PARAGRAPH;
}

bool mdlines_is_definition(const char *at, const char *end)
{
    struct spot spot = { at, end, 0 };
    const char *close;

    skip_blanks(&spot);
    if (spot.at == end || *spot.at != '[')
        return false;
    close = memchr(spot.at, ']', (size_t)(end - spot.at));
    if (!close || close - spot.at < 2 || end - close < 2 || close[1] != ':')
        return false;
    spot.at = close + 2;
    skip_blanks(&spot);
    if (spot.at == end)
        return false;
    while (spot.at < end && *spot.at != ' ' && *spot.at != '\t')
        spot.at++;
    skip_blanks(&spot);
    return spot.at == end || *spot.at == '"' || *spot.at == '\'' || *spot.at == '(';
}

/* A line with nothing but text in it, perhaps the next of a paragraph; the definition of a link begins none. */
static void take_text(struct mdlines *lines, const struct mdline *line, bool inside)
{
    if (inside)
        lines->paragraph = MDLINES_PARAGRAPH_INSIDE;
    else if (lines->paragraph == MDLINES_NO_PARAGRAPH &&
             !mdlines_is_definition(lines->at + line->begin, lines->at + line->end)) {
        lines->paragraph        = MDLINES_PARAGRAPH;
        lines->paragraph_begin  = line->begin;
        lines->paragraph_number = line->number;
    }
}

/* Takes markers of lists and quotes off the line, deeper and deeper; how many there were. */
static size_t take_containers(struct mdlines *lines, struct spot *spot, size_t *base, size_t *depth,
                              bool *quoted)
{
    size_t count = 0;

    while (spot->column - *base <= INDENT_MAX && count < MDLINES_DEPTH) {
        struct spot next = *spot;

        if (is_rule(spot))
            break;
        if (next.at < next.end && *next.at == '>' && take_quotes(&next))
            *quoted = true;
        else if (!take_item(&next, count == 0 && lines->paragraph == MDLINES_PARAGRAPH))
            break;
        else if (!*quoted && *depth < MDLINES_DEPTH)
            lines->items[(*depth)++] = next.column;
        *base = next.column;
        *spot = next;
        skip_blanks(spot);
        count++;
    }
    return count;
}

static void read_line(struct mdlines *lines, struct mdline *line, struct spot spot)
{
    size_t depth  = lines->depth, base, markers;
    bool   quoted = false, inside;
    int    level;

    while (depth > 0 && spot.column < lines->items[depth - 1])
        depth--;
    base       = depth > 0 ? lines->items[depth - 1] : 0;
    line->kind = MDLINE_TEXT;
    if (depth == 0 && spot.column <= INDENT_MAX && lines->paragraph == MDLINES_PARAGRAPH &&
        (level = underline_level(&spot)) > 0) {
        set_heading(lines, line, level, lines->paragraph_begin, line->begin);
        return;
    }
    /* The markers of this line may overwrite items that are closed only if the line is no lazy continuation, and a line
     * with markers is none. */
    markers = take_containers(lines, &spot, &base, &depth, &quoted);
    inside  = depth > 0 || quoted;
    if (markers > 0)
        lines->paragraph = MDLINES_NO_PARAGRAPH;
    if (spot.column - base > INDENT_MAX && spot.at < spot.end) { /* code, or the next line of a paragraph */
        line->is_code = lines->paragraph == MDLINES_NO_PARAGRAPH;
        if (line->is_code)
            lines->depth = depth;
        return;
    }
    level = heading_level(&spot);
    if (level > 0 && !inside)
        set_heading(lines, line, level, (size_t)(spot.at - lines->at) + (size_t)level, line->end);
    else if (!open_block(lines, line, &spot, depth > 0 ? lines->items[depth - 1] : 0, quoted)) {
        if (level > 0 || is_rule(&spot) || spot.at == spot.end)
            lines->paragraph = MDLINES_NO_PARAGRAPH;
        else if (lines->paragraph == MDLINES_PARAGRAPH_INSIDE && markers == 0)
            return; /* lazy: the list or quote goes on */
        else
            take_text(lines, line, inside);
    }
    lines->depth = depth;
}

bool mdlines_next(struct mdlines *lines, struct mdline *line)
{
    struct spot spot;

    if (lines->place >= lines->len)
        return false;
    take_line(lines, line);
    spot = (struct spot){ lines->at + line->begin, lines->at + line->end, 0 };
    if (lines->open != MDLINES_OPEN_NOTHING && continue_open(lines, line, spot)) {
        skip_blanks(&spot);
        line->indent = spot.column;
        return true;
    }
    skip_blanks(&spot);
    line->indent = spot.column;
    if (spot.at == spot.end) {
        line->kind       = MDLINE_BLANK;
        lines->paragraph = MDLINES_NO_PARAGRAPH;
        return true;
    }
    read_line(lines, line, spot);
    return true;
}
