/* link.c - the links of a markdown document. */
#include "docs/markdown/link.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "docs/markdown/clean.h"
#include "docs/markdown/lines.h"
#include "docs/markdown/pool.h"
#include "kit/text.h"

#define PATH_LEN_MAX    1000
#define DEFINITIONS_MAX ((size_t)16 << 10) /* bytes of them, given to cmark with every piece */
#define PIECE_GOOD      (LINKS_PIECE * 3 / 4)
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

/* ---- Pieces ------------------------------------------------------------------------------------------------- */

struct piece {
    struct maker *maker;
    const char   *at;
    size_t        len;
    const char   *definitions;
    size_t        definitions_len;
};

static void read_piece(void *user, cmark_mem *memory)
{
    const struct piece *piece  = user;
    cmark_parser       *parser = cmark_parser_new_with_mem(CMARK_OPT_VALIDATE_UTF8, memory);
    cmark_iter         *iter;
    cmark_event_type    event;

    cmark_parser_feed(parser, piece->at, piece->len);
    if (piece->definitions_len > 0) {
        cmark_parser_feed(parser, "\n\n", 2);
        cmark_parser_feed(parser, piece->definitions, piece->definitions_len);
    }
    iter = cmark_iter_new(cmark_parser_finish(parser));
    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE && !piece->maker->failed &&
           !piece->maker->full) {
        cmark_node *node = cmark_iter_get_node(iter);
        const char *url;

        if (event != CMARK_EVENT_ENTER || cmark_node_get_type(node) != CMARK_NODE_LINK)
            continue;
        url = cmark_node_get_url(node);
        if (url)
            add_address(piece->maker, url);
    }
}

/* The pool has room for the worst that a piece can be: false is want of memory. */
static bool run_piece(struct maker *maker, const char *at, size_t len, const struct text *definitions)
{
    struct piece piece = { maker, at, len, text_of(definitions), definitions->len };

    if (!memchr(at, '[', len))
        return true;
    return mdpool_run(read_piece, &piece) && !maker->failed;
}

/* Definitions may stand anywhere and be meant everywhere. */
static void find_definitions(struct text *out, const char *at, size_t len)
{
    struct mdlines lines;
    struct mdline  line;

    mdlines_init(&lines, at, len);
    while (!out->failed && mdlines_next(&lines, &line)) {
        size_t line_len = line.end - line.begin;

        if (line.kind != MDLINE_TEXT || line.indent > 3 || line_len + 1 > DEFINITIONS_MAX - out->len ||
            !mdlines_is_definition(at + line.begin, at + line.end))
            continue;
        text_add(out, at + line.begin, line_len);
        text_char(out, '\n');
    }
}

static bool is_time_over(const struct timespec *begin)
{
    struct timespec now;

    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0 || now.tv_sec - begin->tv_sec > LINKS_SECONDS;
}

/* Collects lines that are no code, and reads them when there are enough. */
static bool read_long(struct maker *maker, const char *at, size_t len, struct text *piece,
                      struct text *definitions)
{
    struct timespec begin = { 0 };
    struct mdlines  lines;
    struct mdline   line;
    bool            after_blank = false, after_code = false;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin) != 0)
        return true;
    find_definitions(definitions, at, len);
    mdlines_init(&lines, at, len);
    while (mdlines_next(&lines, &line) && !maker->full) {
        bool is_good = after_blank && line.kind != MDLINE_BLANK && line.indent == 0;

        for (size_t place = line.begin, most; place < line.next; place += most) {
            most = line.next - place < LINKS_PIECE ? line.next - place : LINKS_PIECE;
            if (line.kind == MDLINE_CODE)
                break;
            if ((is_good && piece->len >= PIECE_GOOD) || piece->len + most > LINKS_PIECE) {
                if (is_time_over(&begin))
                    return true;
                if (!run_piece(maker, text_of(piece), piece->len, definitions))
                    return false;
                text_clear(piece);
            }
            text_add(piece, at + place, most);
        }
        if (line.kind == MDLINE_CODE && !after_code)
            text_char(piece, '\n');
        after_blank = line.kind == MDLINE_BLANK;
        after_code  = line.kind == MDLINE_CODE;
    }
    return !piece->failed && !definitions->failed &&
           run_piece(maker, text_of(piece), piece->len, definitions);
}

static bool read_markdown(struct maker *maker, const char *at, size_t len)
{
    struct text piece = { 0 }, definitions = { 0 };
    bool        fine;

    if (len == 0 || !memchr(at, '[', len))
        return true;
    if (len <= LINKS_PIECE)
        return run_piece(maker, at, len, &definitions);
    fine = read_long(maker, at, len, &piece, &definitions);
    text_free(&piece);
    text_free(&definitions);
    return fine;
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
