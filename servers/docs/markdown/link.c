/* link.c - the links of a markdown document. */
#include "docs/markdown/link.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/clean.h"
#include "docs/markdown/inline.h"
#include "docs/markdown/lines.h"

#define PATH_LEN_MAX    1000
#define SLOTS           2048 /* a power of two, more than LINKS_MAX */

struct maker {
    struct links *links;
    const char   *path;
    size_t        folder_len;   /* of the path, with its last '/' */
    uint16_t      slots[SLOTS]; /* indexes into the links, plus one */
    bool          failed, full;
};

/* ---- Paths -------------------------------------------------------------------------------------------------- */

/* Adds the segments of `at` to `out`, of *len bytes with a '/' behind each; false when they lead out of the folder or are too
 * long. */
static bool join(char *out, size_t *len, const char *at, size_t at_len)
{
    for (const char *end = at + at_len; at < end;) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        size_t      part  = (size_t)((slash ? slash : end) - at);

        if (part == 2 && at[0] == '.' && at[1] == '.') {
            if (*len == 0)
                return false;
            for (--*len; *len > 0 && out[*len - 1] != '/';)
                --*len;
        } else if (part > 0 && !(part == 1 && at[0] == '.')) {
            if (part + 1 > PATH_LEN_MAX - *len)
                return false;
            memcpy(out + *len, at, part);
            *len += part;
            out[(*len)++] = '/';
        }
        at += part + (slash != NULL);
    }
    return true;
}

static bool has_scheme(const char *at, size_t len)
{
    size_t place = 0;

    while (place < len &&
           (((at[place] | 0x20) >= 'a' && (at[place] | 0x20) <= 'z') ||
            (place > 0 && ((at[place] >= '0' && at[place] <= '9') || strchr("+.-", at[place])))))
        place++;
    return place > 0 && place < len && at[place] == ':';
}

static bool is_clean(const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)at[i] < 0x20 || at[i] == 0x7f)
            return false;
    return clean_is_utf8(at, len);
}

/* The place of a path among the links, or the empty slot where it belongs. */
static uint16_t *slot_of(struct maker *maker, const char *at, size_t len)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)at[i]) * 16777619u;
    for (hash ^= hash >> 15;; hash++) {
        uint16_t *slot = &maker->slots[hash & (SLOTS - 1)];

        if (*slot == 0 || strcmp(maker->links->at[*slot - 1], at) == 0)
            return slot;
    }
}

static void add(struct maker *maker, const char *at, size_t len)
{
    struct links *links = maker->links;
    uint16_t     *slot;

    if (strcmp(at, maker->path) == 0)
        return;
    slot = slot_of(maker, at, len);
    if (*slot)
        return;
    if (links->count == LINKS_MAX) {
        maker->full = true;
        return;
    }
    if (!links->at)
        links->at = calloc(LINKS_MAX, sizeof *links->at);
    if (links->at)
        links->at[links->count] = strdup(at);
    if (!links->at || !links->at[links->count]) {
        maker->failed = true;
        return;
    }
    *slot = (uint16_t)++links->count;
}

/* A path that counts from the document's folder, or from the docs folder. */
static void add_path(struct maker *maker, const char *at, size_t len, bool from_document)
{
    char   whole[PATH_LEN_MAX + 2];
    size_t whole_len = 0;

    if (len == 0 || len > PATH_LEN_MAX || at[0] == '/' || at[0] == '\\' || has_scheme(at, len) ||
        !is_clean(at, len))
        return;
    if (from_document && !join(whole, &whole_len, maker->path, maker->folder_len))
        return;
    if (!join(whole, &whole_len, at, len) || whole_len == 0)
        return;
    whole[whole_len - 1] = '\0';
    add(maker, whole, whole_len - 1);
}

static int hex_of(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* The address of a link: without fragment and query, percent signs read. */
static void add_address(struct maker *maker, const char *url)
{
    size_t len = strcspn(url, "?#"), out_len = 0;
    char   out[PATH_LEN_MAX];

    if (len == 0 || has_scheme(url, len))
        return;
    for (size_t i = 0; i < len; out_len++) {
        int high = url[i] == '%' && i + 2 < len ? hex_of(url[i + 1]) : -1;
        int low  = high >= 0 ? hex_of(url[i + 2]) : -1;

        if (out_len == sizeof out)
            return;
        out[out_len] = low >= 0 ? (char)(high << 4 | low) : url[i];
        i += low >= 0 ? 3 : 1;
    }
    add_path(maker, out, out_len, true);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------- */

static void take_link(void *user, const char *url)
{
    struct maker *maker = user;

    if (!maker->failed && !maker->full)
        add_address(maker, url);
}

/* Definitions may stand anywhere and be meant everywhere; they do not interrupt a paragraph. */
static bool is_definition(const struct mdlines *lines, const struct mdline *line)
{
    return line->kind == MDLINE_TEXT && !line->is_code && lines->paragraph != MDLINES_PARAGRAPH &&
           mdlines_is_definition(lines->at + line->begin, lines->at + line->end);
}

/* "[label]:" alone: the address is on the next line. */
static bool is_label(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return end - at > 3 && *at == '[' && memchr(at, ']', (size_t)(end - at)) == end - 2 && end[-1] == ':';
}

static void find_definitions(struct mddefinitions *definitions, const char *at, size_t len)
{
    struct mdlines lines;
    struct mdline  line;
    const char    *label = NULL;  /* on the line before */
    bool           after = false; /* the line before ends a definition */

    mdlines_init(&lines, at, len);
    while (mdlines_next(&lines, &line)) {
        const char *begin = at + line.begin, *end = at + line.end;
        bool        text = line.kind == MDLINE_TEXT && !line.is_code;
        bool first = after || lines.paragraph != MDLINES_PARAGRAPH || lines.paragraph_begin == line.begin;

        after = text && (label || (first && mdlines_is_definition(begin, end)));
        if (after)
            mddefinitions_add(definitions, label ? label : begin, end);
        label = text && !after && first && is_label(begin, end) ? begin : NULL;
    }
}

/* Does a line begin an item of a list, perhaps in a quote? Brackets do not pair across it. */
static bool begins_item(const char *at, const char *end)
{
    const char *digits;

    while (at < end && (*at == ' ' || *at == '\t' || *at == '>'))
        at++;
    for (digits = at; at < end && *at >= '0' && *at <= '9';)
        at++;
    if (at == end || (at == digits ? *at != '-' && *at != '+' && *at != '*' : *at != '.' && *at != ')'))
        return false;
    return at + 1 == end || at[1] == ' ' || at[1] == '\t';
}

/* Text that follows itself line by line is a block; a heading is one by itself. */
static void read_blocks(struct maker *maker, struct mddefinitions *definitions, const char *at, size_t len)
{
    struct mdlines lines;
    struct mdline  line;
    size_t         begin = 0, end = 0;

    mdlines_init(&lines, at, len);
    while (!maker->failed && !maker->full && mdlines_next(&lines, &line)) {
        bool is_text = line.kind == MDLINE_TEXT && !line.is_code && !is_definition(&lines, &line);

        if (end > begin && (!is_text || begins_item(at + line.begin, at + line.end))) {
            mdinline_scan(at + begin, end - begin, definitions, take_link, maker);
            end = begin;
        }
        if (is_text) {
            begin = end > begin ? begin : line.begin;
            end   = line.end;
        } else if (line.kind == MDLINE_HEADING && line.heading_begin == line.begin)
            mdinline_scan(at + line.text_begin, line.text_end - line.text_begin, definitions, take_link,
                          maker);
    }
    if (end > begin)
        mdinline_scan(at + begin, end - begin, definitions, take_link, maker);
}

static bool read_markdown(struct maker *maker, const char *at, size_t len)
{
    struct mddefinitions *definitions;

    if (len == 0 || !memchr(at, '[', len))
        return true;
    definitions = calloc(1, sizeof *definitions);
    if (!definitions)
        return false;
    find_definitions(definitions, at, len);
    read_blocks(maker, definitions, at, len);
    free(definitions);
    return !maker->failed;
}

bool links_make(struct links *links, const char *path, const char *at, size_t len, const char *const *related,
                size_t related_count)
{
    const char  *slash = strrchr(path, '/');
    struct maker maker = { .links      = links,
                           .path       = path,
                           .folder_len = slash ? (size_t)(slash - path) + 1 : 0 };
    bool         fine;

    *links = (struct links){ 0 };
    for (size_t i = 0; i < related_count && !maker.failed && !maker.full; i++) {
        const char *one = related[i];

        add_path(&maker, one, strlen(one), true);
        if (strncmp(one, "./", 2) != 0 && strncmp(one, "../", 3) != 0)
            add_path(&maker, one, strlen(one), false);
    }
    fine = !maker.failed && read_markdown(&maker, at, len);
    if (!fine)
        links_free(links);
    return fine;
}

void links_free(struct links *links)
{
    for (size_t i = 0; i < links->count; i++)
        free(links->at[i]);
    free(links->at);
    *links = (struct links){ 0 };
}
