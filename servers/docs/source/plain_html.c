/* plain_html.c - a page of HTML as markdown: headings, paragraphs, items, rows and code.
 *
 * One pass. What a page repeats around its text (navigation, footers) and what is not text (scripts, styles, drawings) is left
 * out, if it is closed. Spaces collapse, but for code.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "docs/source/source.h"
#include "docs/source/tag.h"

#define ENTITY_MAX 12

enum html_kind { HTML_INLINE, HTML_BLOCK, HTML_LINE, HTML_ITEM, HTML_ROW, HTML_CELL, HTML_CODE, HTML_GONE };

static const struct html_tag {
    const char    *name;
    enum html_kind kind;
} tags[] = {
    { "p", HTML_BLOCK },       { "div", HTML_BLOCK },        { "section", HTML_BLOCK },
    { "article", HTML_BLOCK }, { "main", HTML_BLOCK },       { "header", HTML_BLOCK },
    { "table", HTML_BLOCK },   { "ul", HTML_BLOCK },         { "ol", HTML_BLOCK },
    { "dl", HTML_BLOCK },      { "blockquote", HTML_BLOCK }, { "figure", HTML_BLOCK },
    { "details", HTML_BLOCK }, { "summary", HTML_BLOCK },    { "body", HTML_BLOCK },
    { "title", HTML_BLOCK },   { "dt", HTML_BLOCK },         { "dd", HTML_LINE },
    { "br", HTML_LINE },       { "hr", HTML_BLOCK },         { "li", HTML_ITEM },
    { "tr", HTML_ROW },        { "td", HTML_CELL },          { "th", HTML_CELL },
    { "pre", HTML_CODE },      { "script", HTML_GONE },      { "style", HTML_GONE },
    { "nav", HTML_GONE },      { "footer", HTML_GONE },      { "svg", HTML_GONE },
    { "template", HTML_GONE }, { "noscript", HTML_GONE },    { "iframe", HTML_GONE },
    { "select", HTML_GONE },   { "button", HTML_GONE },
};
#define TAGS (sizeof tags / sizeof *tags)

struct page {
    const char  *at, *end;
    struct text *out;
    bool         in_code, no_comment, has_space;
    bool         never_closed[TAGS]; /* of this kind no closing tag follows any more */
};

/* ---- Writing ---- */

static bool ends_with(const struct text *out, const char *end)
{
    size_t len = strlen(end);

    return out->len >= len && memcmp(out->at + out->len - len, end, len) == 0;
}

static void new_line(struct page *page)
{
    page->has_space = false;
    if (page->out->len && !ends_with(page->out, "\n"))
        text_char(page->out, '\n');
}

static void new_block(struct page *page)
{
    new_line(page);
    if (page->out->len && !ends_with(page->out, "\n\n"))
        text_char(page->out, '\n');
}

static void write_bytes(struct page *page, const char *at, size_t len)
{
    if (page->has_space && page->out->len && !ends_with(page->out, "\n") && !ends_with(page->out, " "))
        text_char(page->out, ' ');
    page->has_space = false;
    text_add(page->out, at, len);
}

/* ---- Entities ---- */

static size_t write_point(char out[4], unsigned long point)
{
    if (point < 0x20 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        point = ' ';
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xc0 | point >> 6);
        out[1] = (char)(0x80 | (point & 0x3f));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (char)(0xe0 | point >> 12);
        out[1] = (char)(0x80 | (point >> 6 & 0x3f));
        out[2] = (char)(0x80 | (point & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | point >> 18);
    out[1] = (char)(0x80 | (point >> 12 & 0x3f));
    out[2] = (char)(0x80 | (point >> 6 & 0x3f));
    out[3] = (char)(0x80 | (point & 0x3f));
    return 4;
}

/* The point that a name stands for; 0: it is not known. */
static unsigned long find_entity(const char *name, size_t len)
{
    static const struct { const char *name; unsigned long point; } names[] = {
        { "amp", '&' },       { "lt", '<' },        { "gt", '>' },        { "quot", '"' },      { "apos", '\'' },
        { "nbsp", ' ' },      { "mdash", 0x2014 },  { "ndash", 0x2013 },  { "hellip", 0x2026 }, { "lsquo", 0x2018 },
        { "rsquo", 0x2019 },  { "ldquo", 0x201c },  { "rdquo", 0x201d },  { "copy", 0xa9 },     { "reg", 0xae },
        { "times", 0xd7 },    { "middot", 0xb7 },   { "rarr", 0x2192 },   { "larr", 0x2190 },   { "uuml", 0xfc },
        { "auml", 0xe4 },     { "ouml", 0xf6 },     { "eacute", 0xe9 },   { "para", 0xb6 },     { "bull", 0x2022 },
    };

    if (len > 1 && name[0] == '#')
        return name[1] == 'x' || name[1] == 'X' ? strtoul(name + 2, NULL, 16) : strtoul(name + 1, NULL, 10);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == len && memcmp(names[i].name, name, len) == 0)
            return names[i].point;
    return 0;
}

static void take_entity(struct page *page)
{
    char          name[ENTITY_MAX + 1] = "", bytes[4];
    size_t        len                  = 0;
    unsigned long point;

    while (len < ENTITY_MAX && page->at + 1 + len < page->end &&
           (isalnum((unsigned char)page->at[1 + len]) || page->at[1 + len] == '#'))
        len++;
    memcpy(name, page->at + 1, len);
    point = page->at + 1 + len < page->end && page->at[1 + len] == ';' ? find_entity(name, len) : 0;
    if (!point) {
        write_bytes(page, "&", 1);
        page->at++;
        return;
    }
    write_bytes(page, bytes, write_point(bytes, point));
    page->at += len + 2;
}

/* ---- Tags ---- */

static size_t find_tag(const char *name)
{
    size_t i = 0;

    while (i < TAGS && strcmp(tags[i].name, name) != 0)
        i++;
    return i;
}

/* With all that is in it. */
static void skip_element(struct page *page, const struct tag *tag, size_t number)
{
    const char *close = NULL;

    if (!tag->is_closing && !tag->is_single && !page->never_closed[number]) {
        close                      = tag_find_closing(tag->name, tag->end, page->end);
        page->never_closed[number] = !close;
    }
    page->at        = close ? close : tag->end;
    page->has_space = true;
}

static void take_code(struct page *page, bool is_closing)
{
    if (is_closing == page->in_code) {
        new_line(page);
        text_put(page->out, "```\n");
        page->in_code = !is_closing;
    }
}

static void take_known(struct page *page, const struct tag *tag, enum html_kind kind)
{
    switch (kind) {
    case HTML_BLOCK: new_block(page); break;
    case HTML_LINE: new_line(page); break;
    case HTML_ITEM:
        new_line(page);
        if (!tag->is_closing)
            text_put(page->out, "- ");
        break;
    case HTML_ROW:
        new_line(page);
        if (!tag->is_closing)
            text_put(page->out, "|");
        break;
    case HTML_CELL:
        page->has_space = true;
        if (tag->is_closing)
            write_bytes(page, "|", 1);
        break;
    case HTML_CODE: take_code(page, tag->is_closing); break;
    default: break;
    }
}

static void take_tag(struct page *page, const struct tag *tag)
{
    size_t number = find_tag(tag->name);

    if (number < TAGS && tags[number].kind == HTML_GONE) {
        skip_element(page, tag, number);
        return;
    }
    page->at = tag->end;
    if (page->in_code && strcmp(tag->name, "pre") != 0)
        return;
    if (tag->name[0] == 'h' && tag->name[1] >= '1' && tag->name[1] <= '6' && !tag->name[2]) {
        new_block(page);
        if (!tag->is_closing)
            text_addf(page->out, "%.*s ", tag->name[1] - '0', "######");
    } else if (number < TAGS) {
        take_known(page, tag, tags[number].kind);
    }
}

static bool take_markup(struct page *page)
{
    struct tag  tag;
    const char *behind = NULL;

    if (!(page->no_comment && page->end - page->at > 3 && page->at[1] == '!'))
        behind = tag_skip_comment(page->at, page->end);
    if (behind) {
        page->at = behind;
        return true;
    }
    page->no_comment |= page->end - page->at > 3 && memcmp(page->at, "<!--", 4) == 0;
    if (!tag_read(&tag, page->at, page->end))
        return false;
    take_tag(page, &tag);
    return true;
}

static void take_text(struct page *page)
{
    const char *next = page->at;

    if (page->in_code) {
        next++;
        while (next < page->end && *next != '<' && *next != '&')
            next++;
        text_add(page->out, page->at, (size_t)(next - page->at));
    } else if (isspace((unsigned char)*page->at)) {
        while (next < page->end && isspace((unsigned char)*next))
            next++;
        page->has_space = true;
    } else {
        next++;
        while (next < page->end && *next != '<' && *next != '&' && !isspace((unsigned char)*next))
            next++;
        write_bytes(page, page->at, (size_t)(next - page->at));
    }
    page->at = next;
}

void plain_html(const char *at, size_t len, struct text *out)
{
    struct page page = { .at = at, .end = at + len, .out = out };

    while (page.at < page.end && !out->failed) {
        if (*page.at == '&')
            take_entity(&page);
        else if (*page.at != '<' || !take_markup(&page))
            take_text(&page);
    }
    take_code(&page, true);
    new_line(&page);
}
