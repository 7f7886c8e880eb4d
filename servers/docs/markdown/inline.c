/* inline.c - brackets that close, as CommonMark pairs them. */
#include "docs/markdown/inline.h"

#include <string.h>

#define OPEN_MAX   256 /* brackets; the outermost are forgotten */
#define LABEL_MAX  999
#define PROBES_MAX 16
#define TICKS_MAX  32 /* of a code span */
#define PARENS_MAX 32

struct bracket {
    size_t text; /* what it opens begins here */
    bool   image, inactive;
};

struct inline_scan {
    const char           *at;
    size_t                len;
    struct mddefinitions *definitions;
    mdinline_link_fn      link;
    void                 *user;
    struct bracket        open[OPEN_MAX];
    size_t                open_count;
    uint32_t              unclosed; /* bit n - 1: no run of n ticks follows any more */
    bool                  no_more_tags;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_mark(char c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

static bool is_name_begin(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '/';
}

static char inline_peek(const struct inline_scan *scan, size_t i)
{
    return i < scan->len ? scan->at[i] : '\0';
}

/* ---- Labels -------------------------------------------------------------------------------------------------- */

/* The next character of a label as labels are compared: letters without case, white space as one space. -1 at the end. */
static int label_next(const char **at, const char *end)
{
    char c;

    if (*at < end && is_space(**at)) {
        while (*at < end && is_space(**at))
            ++*at;
        return *at < end ? ' ' : -1;
    }
    if (*at == end)
        return -1;
    c = *(*at)++;
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static const char *label_begin(const char *at, size_t len)
{
    const char *end = at + len;

    while (at < end && is_space(*at))
        at++;
    return at;
}

static uint32_t label_hash(const char *at, size_t len)
{
    const char *next = label_begin(at, len);
    uint32_t    hash = 2166136261u;

    for (int c; (c = label_next(&next, at + len)) >= 0;)
        hash = (hash ^ (uint32_t)c) * 16777619u;
    return hash ^ hash >> 15;
}

static bool label_same(const char *a, size_t a_len, const char *b, size_t b_len)
{
    const char *x = label_begin(a, a_len), *y = label_begin(b, b_len);
    int         c;

    do {
        c = label_next(&x, a + a_len);
        if (c != label_next(&y, b + b_len))
            return false;
    } while (c >= 0);
    return true;
}

/* The slot of a label, or the free one where it belongs; NULL when there are too many others around. */
static const uint16_t *label_slot(const struct mddefinitions *definitions, const char *at, size_t len)
{
    uint32_t hash = label_hash(at, len);

    for (uint32_t i = 0; i < PROBES_MAX; i++) {
        const uint16_t *slot = &definitions->slots[(hash + i) & (MDINLINE_SLOTS - 1)];

        if (*slot == 0 ||
            label_same(definitions->at[*slot - 1].label, definitions->at[*slot - 1].label_len, at, len))
            return slot;
    }
    return NULL;
}

void mddefinitions_add(struct mddefinitions *definitions, const char *at, const char *end)
{
    const char *label = memchr(at, '[', (size_t)(end - at)), *close, *url;
    uint16_t   *slot;

    close = label ? memchr(label, ']', (size_t)(end - label)) : NULL;
    if (!close || end - close < 2 || definitions->count == MDINLINE_DEFINITIONS_MAX ||
        close - label > LABEL_MAX)
        return;
    label++;
    for (url = close + 2; url < end && is_space(*url);)
        url++;
    slot = (uint16_t *)label_slot(definitions, label, (size_t)(close - label));
    if (!slot || *slot != 0)
        return;
    definitions->at[definitions->count].label     = label;
    definitions->at[definitions->count].label_len = (size_t)(close - label);
    definitions->at[definitions->count].url       = url;
    definitions->at[definitions->count].url_len   = (size_t)(end - url);
    *slot                                         = (uint16_t)++definitions->count;
}

/* ---- What is passed over ------------------------------------------------------------------------------------- */

static size_t ticks_at(const struct inline_scan *scan, size_t i)
{
    size_t count = 0;

    while (inline_peek(scan, i + count) == '`')
        count++;
    return count;
}

/* Where a code span ends that begins at `i`, or its ticks when it is not one. */
static size_t skip_code(struct inline_scan *scan, size_t i)
{
    size_t count = ticks_at(scan, i), next = i + count;

    if (count > TICKS_MAX || scan->unclosed >> (count - 1) & 1)
        return next;
    while (next < scan->len) {
        const char *tick = memchr(scan->at + next, '`', scan->len - next);
        size_t      found;

        if (!tick)
            break;
        found = ticks_at(scan, (size_t)(tick - scan->at));
        next  = (size_t)(tick - scan->at) + found;
        if (found == count)
            return next;
    }
    scan->unclosed |= 1u << (count - 1);
    return i + count;
}

/* Where a tag, a comment or an address in angle brackets ends, or the next character when it is not one. */
static size_t skip_tag(struct inline_scan *scan, size_t i)
{
    char        c     = inline_peek(scan, i + 1);
    char        quote = '\0';
    const char *end;

    if (c == '!' || c == '?') {
        bool comment = inline_peek(scan, i + 2) == '-' && inline_peek(scan, i + 3) == '-';

        end = scan->no_more_tags ? NULL : memchr(scan->at + i, '>', scan->len - i);
        while (end && comment && (end[-1] != '-' || end[-2] != '-'))
            end = memchr(end + 1, '>', scan->len - (size_t)(end + 1 - scan->at));
        if (!end)
            scan->no_more_tags = true;
        return end ? (size_t)(end - scan->at) + 1 : i + 1;
    }
    if (!is_name_begin(c))
        return i + 1;
    for (size_t k = i + 2; k < scan->len && k - i < MDINLINE_URL_MAX; k++) {
        c = scan->at[k];
        if (quote) {
            quote = c == quote ? '\0' : quote;
            continue;
        }
        if (c == '>')
            return k + 1;
        if (c == '<' || c == '[')
            break;
        if ((c == '"' || c == '\'') && scan->at[k - 1] == '=')
            quote = c;
    }
    return i + 1;
}

/* ---- Addresses ----------------------------------------------------------------------------------------------- */

static size_t skip_spaces(const struct inline_scan *scan, size_t i)
{
    while (i < scan->len && is_space(scan->at[i]))
        i++;
    return i;
}

/* The end of an address that begins at *begin, which moves over '<'; SIZE_MAX when it is not one. */
static size_t address_end(const char *at, size_t len, size_t *begin)
{
    bool   angle = *begin < len && at[*begin] == '<';
    size_t depth = 0, i = *begin += angle;

    for (; i < len && i - *begin <= MDINLINE_URL_MAX; i++) {
        char c = at[i];

        if (c == '\\' && i + 1 < len && is_mark(at[i + 1])) {
            i++;
            continue;
        }
        if (angle && c == '>')
            return i;
        if (angle ? c == '<' || c == '\n' || c == '\r' || c == '\0' : (unsigned char)c <= ' ' || c == 0x7f)
            break;
        if (!angle && c == '(' && ++depth > PARENS_MAX)
            return SIZE_MAX;
        if (!angle && c == ')' && depth-- == 0)
            break;
    }
    return angle || i - *begin > MDINLINE_URL_MAX ? SIZE_MAX : i;
}

/* Over the title of a link, which may be missing; SIZE_MAX when it does not end. */
static size_t skip_title(const struct inline_scan *scan, size_t i)
{
    char   open  = inline_peek(scan, i);
    char   close = open == '(' ? ')' : open;
    size_t most  = i + MDINLINE_URL_MAX;

    if (open != '"' && open != '\'' && open != '(')
        return i;
    for (i++; i < scan->len && i < most; i++) {
        if (scan->at[i] == '\\')
            i++;
        else if (scan->at[i] == close)
            return i + 1;
        else if (scan->at[i] == '(' && open == '(')
            break;
    }
    return SIZE_MAX;
}

/* Gives an address to the caller as it is meant. */
static void give_link(const struct inline_scan *scan, const char *at, size_t len)
{
    char   url[MDINLINE_URL_MAX + 2];
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        if (at[i] == '\\' && i + 1 < len && is_mark(at[i + 1]))
            i++;
        else if (len - i >= 5 && memcmp(at + i, "&amp;", 5) == 0) {
            url[count++] = '&';
            i += 4;
            continue;
        }
        url[count++] = at[i];
    }
    url[count] = '\0';
    scan->link(scan->user, url);
}

/* "(address title)" at `i`: where it ends, or 0 when it is not one. */
static size_t take_target(struct inline_scan *scan, size_t i, bool image)
{
    size_t begin, end, next;

    if (inline_peek(scan, i) != '(')
        return 0;
    begin = skip_spaces(scan, i + 1);
    next  = begin;
    end   = address_end(scan->at, scan->len, &begin);
    if (end == SIZE_MAX)
        return 0;
    next = end + (begin > next);
    i    = skip_spaces(scan, next);
    if (i > next && (i = skip_title(scan, i)) == SIZE_MAX)
        return 0;
    i = skip_spaces(scan, i);
    if (inline_peek(scan, i) != ')')
        return 0;
    if (!image)
        give_link(scan, scan->at + begin, end - begin);
    return i + 1;
}

/* ---- References ---------------------------------------------------------------------------------------------- */

/* Finds the address in what follows a label. */
static void read_definition(struct mddefinition *definition)
{
    size_t begin = 0, end = address_end(definition->url, definition->url_len, &begin);

    definition->is_read = true;
    definition->is_fine = end != SIZE_MAX;
    definition->url += begin;
    definition->url_len = definition->is_fine ? end - begin : 0;
}

static bool give_label(struct inline_scan *scan, const char *at, size_t len, bool image)
{
    const uint16_t      *slot = len <= LABEL_MAX ? label_slot(scan->definitions, at, len) : NULL;
    struct mddefinition *definition;

    if (!slot || *slot == 0)
        return false;
    definition = &scan->definitions->at[*slot - 1];
    if (!definition->is_read)
        read_definition(definition);
    if (definition->is_fine && !definition->is_given && !image) {
        give_link(scan, definition->url, definition->url_len);
        definition->is_given = true;
    }
    return definition->is_fine;
}

/* The end of "[label]" at `i`, its closing bracket; 0 when it is not one. */
static size_t label_end(const struct inline_scan *scan, size_t i)
{
    if (inline_peek(scan, i) != '[')
        return 0;
    for (size_t k = i + 1; k < scan->len && k - i <= LABEL_MAX + 1; k++) {
        if (scan->at[k] == '\\')
            k++;
        else if (scan->at[k] == ']')
            return k;
        else if (scan->at[k] == '[')
            break;
    }
    return 0;
}

/* After the bracket at `i`, which closes `text`: "[label]", "[]" or nothing. Where it ends, or 0 when it is not one. */
static size_t take_reference(struct inline_scan *scan, size_t text, size_t i, bool image)
{
    size_t end = label_end(scan, i + 1), len = i - text;

    if (end > i + 2)
        return give_label(scan, scan->at + i + 2, end - i - 2, image) ? end + 1 : 0;
    if (len == 0 || len > LABEL_MAX || memchr(scan->at + text, '[', len) ||
        !give_label(scan, scan->at + text, len, image))
        return 0;
    return end ? end + 1 : i + 1;
}

/* ---- Brackets ------------------------------------------------------------------------------------------------ */

static void open_bracket(struct inline_scan *scan, size_t text, bool image)
{
    if (scan->open_count == OPEN_MAX) {
        memmove(scan->open, scan->open + OPEN_MAX / 2, sizeof scan->open / 2);
        scan->open_count = OPEN_MAX / 2;
    }
    scan->open[scan->open_count++] = (struct bracket){ .text = text, .image = image };
}

/* A link has no links in it: brackets around one that was found open nothing but images. */
static size_t close_bracket(struct inline_scan *scan, size_t i)
{
    struct bracket bracket;
    size_t         end;

    if (scan->open_count == 0)
        return i + 1;
    bracket = scan->open[--scan->open_count];
    if (bracket.inactive)
        return i + 1;
    end = take_target(scan, i + 1, bracket.image);
    if (end == 0)
        end = take_reference(scan, bracket.text, i, bracket.image);
    if (end == 0)
        return i + 1;
    for (size_t k = scan->open_count; !bracket.image && k-- > 0 && !scan->open[k].inactive;)
        scan->open[k].inactive = !scan->open[k].image;
    return end;
}

void mdinline_scan(const char *at, size_t len, struct mddefinitions *definitions, mdinline_link_fn link,
                   void *user)
{
    struct inline_scan scan;

    scan = (struct inline_scan){
        .at = at, .len = len, .definitions = definitions, .link = link, .user = user
    };
    for (size_t i = 0; i < len;) {
        switch (at[i]) {
        case '\\': i += 2; break;
        case '`': i = skip_code(&scan, i); break;
        case '<': i = skip_tag(&scan, i); break;
        case '[': open_bracket(&scan, ++i, false); break;
        case ']': i = close_bracket(&scan, i); break;
        case '!':
            i++;
            if (inline_peek(&scan, i) == '[')
                open_bracket(&scan, ++i, true);
            break;
        default: i++;
        }
    }
}
