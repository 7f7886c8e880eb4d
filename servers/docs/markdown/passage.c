/* passage.c - the passages of a document.
 *
 * One pass over its lines. A passage is open until a heading, the end of its piece or too many words close it; where it may
 * be cut is remembered while it grows. A line below a paragraph can make a heading of it: then the heading begins earlier
 * than it is seen, and what is open is closed there.
 */
#include "docs/markdown/passage.h"

#include <stdlib.h>
#include <string.h>

#include "docs/markdown/anchor.h"
#include "docs/markdown/heading.h"
#include "docs/markdown/lines.h"

#define LEVELS      6
#define REST_WORDS  40                       /* fewer are no passage of their own */
#define HARD_WORDS  (2 * PASSAGE_WORDS_MOST) /* then any line of text may begin the next */
#define PATH_LEN    (LEVELS * (HEADING_LEN_MAX + 3) + 1)
#define TABLE_LINES 2 /* of a table that stay with a row: names and rule */

struct cutter {
    struct passages     *passages;
    const char          *at;
    const struct chunks *chunks;
    const char          *title;
    size_t               room, line;
    struct anchors       anchors;
    char                 headings[LEVELS][HEADING_LEN_MAX + 1];
    char                 anchor[ANCHOR_MAX];
    size_t               chunk; /* where we are, and how many passages were made when it began */
    size_t               chunk_from;
    /* What is open. */
    bool   is_open, is_rest; /* is_rest: the section was cut before it */
    size_t begin, words;
    size_t cut, cut_words; /* where it may be cut; 0: nowhere */
    /* Of the lines before. */
    bool   after_blank, was_open;
    size_t rows;
    bool   failed;
};

/* ---- Headings ---- */

static void set_heading(struct cutter *cutter, const struct mdline *line)
{
    size_t begin, end, level = (size_t)line->level - 1;
    char   text[HEADING_LEN_MAX + 1];

    heading_text(cutter->at, line, &begin, &end);
    heading_copy(text, HEADING_LEN_MAX, cutter->at, begin, end);
    cutter->failed |= !anchor_make(&cutter->anchors, text, cutter->anchor);
    text[anchor_text_len(text)] = '\0';
    for (size_t i = level; i < LEVELS; i++)
        cutter->headings[i][0] = '\0';
    if (!(level == 0 && cutter->title && strcmp(text, cutter->title) == 0))
        memcpy(cutter->headings[level], text, strlen(text) + 1);
}

static char *path_of(const struct cutter *cutter)
{
    char   path[PATH_LEN];
    size_t len = 0;

    for (size_t i = 0; i < LEVELS; i++) {
        size_t text = strlen(cutter->headings[i]);

        if (!text)
            continue;
        if (len) {
            memcpy(path + len, HEADING_BETWEEN, strlen(HEADING_BETWEEN));
            len += strlen(HEADING_BETWEEN);
        }
        memcpy(path + len, cutter->headings[i], text);
        len += text;
    }
    path[len] = '\0';
    return strdup(path);
}

/* ---- Passages ---- */

static struct passage *add(struct cutter *cutter)
{
    struct passages *passages = cutter->passages;

    if (passages->count == cutter->room) {
        size_t          room = cutter->room ? cutter->room * 2 : 16;
        struct passage *more = realloc(passages->at, room * sizeof *more);

        if (!more)
            return NULL;
        passages->at = more;
        cutter->room = room;
    }
    passages->at[passages->count] = (struct passage){ .chunk = cutter->chunk };
    return &passages->at[passages->count++];
}

/* From `begin` to `end` without the blank lines around it. */
static void emit(struct cutter *cutter, size_t begin, size_t end)
{
    struct passage *passage;

    for (size_t next = begin; next < end && heading_is_space(cutter->at[next]); next++)
        if (cutter->at[next] == '\n' || cutter->at[next] == '\r')
            begin = next + 1;
    while (end > begin && heading_is_space(cutter->at[end - 1]))
        end--;
    passage = add(cutter);
    if (passage) {
        passage->begin        = begin;
        passage->end          = end;
        passage->heading_path = path_of(cutter);
        passage->anchor       = strdup(cutter->anchor);
    }
    cutter->failed |= !passage || !passage->heading_path || !passage->anchor;
}

/* What is left of a section after it was cut: with what is before it, if it is little. */
static void join_rest(struct cutter *cutter, size_t end)
{
    struct passage *last = &cutter->passages->at[cutter->passages->count - 1];

    while (end > last->end && heading_is_space(cutter->at[end - 1]))
        end--;
    last->end = end;
}

static void close_at(struct cutter *cutter, size_t end)
{
    if (cutter->is_open && cutter->begin < end) {
        if (cutter->is_rest && cutter->words < REST_WORDS)
            join_rest(cutter, end);
        else if (cutter->words)
            emit(cutter, cutter->begin, end);
    }
    cutter->is_open = cutter->is_rest = false;
}

static void open_at(struct cutter *cutter, size_t begin)
{
    cutter->is_open = true;
    cutter->is_rest = false;
    cutter->begin   = begin;
    cutter->words   = 0;
    cutter->cut     = 0;
}

/* Of a piece with nothing but headings, all of it. */
static void end_chunk(struct cutter *cutter)
{
    const struct chunk *chunk = &cutter->chunks->at[cutter->chunk];

    close_at(cutter, chunk->end);
    if (cutter->passages->count == cutter->chunk_from)
        emit(cutter, chunk->begin, chunk->end);
    cutter->chunk++;
    cutter->chunk_from = cutter->passages->count;
}

/* ---- Lines ---- */

static size_t count_words(const char *at, size_t begin, size_t end)
{
    size_t count  = 0;
    bool   inside = false;

    for (; begin < end; begin++) {
        bool space = heading_is_space(at[begin]);

        count += !space && !inside;
        inside = !space;
    }
    return count;
}

static bool is_row(const struct cutter *cutter, const struct mdline *line)
{
    size_t begin = line->begin;

    while (begin < line->end && (cutter->at[begin] == ' ' || cutter->at[begin] == '\t'))
        begin++;
    return begin < line->end && cutter->at[begin] == '|';
}

static bool is_item(const struct cutter *cutter, const struct mdline *line)
{
    const char *at = cutter->at + line->begin, *end = cutter->at + line->end;
    size_t      digits = 0;

    if (line->indent > 1)
        return false;
    while (at < end && *at == ' ')
        at++;
    while (at + digits < end && at[digits] >= '0' && at[digits] <= '9')
        digits++;
    at += digits;
    return at + 1 < end && strchr(digits ? ".)" : "-*+", *at) && *at && (at[1] == ' ' || at[1] == '\t');
}

static bool may_begin(const struct cutter *cutter, const struct mdline *line)
{
    if (cutter->was_open || line->kind == MDLINE_BLANK || line->kind == MDLINE_HEADING)
        return false;
    if (line->kind == MDLINE_TEXT && cutter->words >= HARD_WORDS)
        return true;
    if (cutter->rows)
        return cutter->rows > TABLE_LINES || (cutter->after_blank && line->indent < 4);
    return (cutter->after_blank && line->indent < 4) || (line->kind == MDLINE_TEXT && is_item(cutter, line));
}

static void take_text(struct cutter *cutter, const struct mdline *line)
{
    if (!cutter->is_open)
        open_at(cutter, line->begin);
    if (cutter->words >= REST_WORDS && may_begin(cutter, line)) {
        cutter->cut       = line->begin;
        cutter->cut_words = cutter->words;
    }
    cutter->words += count_words(cutter->at, line->begin, line->end);
    if (cutter->words <= PASSAGE_WORDS_MOST || !cutter->cut || cutter->passages->count >= PASSAGES_MAX)
        return;
    emit(cutter, cutter->begin, cutter->cut);
    cutter->begin   = cutter->cut;
    cutter->words   = cutter->words - cutter->cut_words;
    cutter->cut     = 0;
    cutter->is_rest = true;
}

/* The paragraph that a line below it made a heading was taken for text of what is open, and may have been cut. */
static size_t give_back(struct cutter *cutter, const struct mdline *line)
{
    size_t begin = line->heading_begin, words;

    if (!cutter->is_open || begin == line->begin)
        return begin;
    if (begin < cutter->begin)
        begin = cutter->begin;
    words = count_words(cutter->at, begin, line->begin);
    cutter->words -= words < cutter->words ? words : cutter->words;
    return begin;
}

static void take_heading(struct cutter *cutter, const struct mdline *line)
{
    if (cutter->passages->count < PASSAGES_MAX) {
        size_t begin = give_back(cutter, line);

        close_at(cutter, begin);
        set_heading(cutter, line);
        open_at(cutter, begin);
    } else {
        set_heading(cutter, line);
    }
}

static void take_line(struct cutter *cutter, const struct mdlines *lines, const struct mdline *line)
{
    const struct chunks *chunks = cutter->chunks;

    while (cutter->chunk + 1 < chunks->count && line->begin >= chunks->at[cutter->chunk + 1].begin)
        end_chunk(cutter);
    if (line->kind == MDLINE_HEADING)
        take_heading(cutter, line);
    else if (line->kind != MDLINE_BLANK)
        take_text(cutter, line);
    cutter->rows        = is_row(cutter, line) ? cutter->rows + 1 : 0;
    cutter->after_blank = line->kind == MDLINE_BLANK;
    cutter->was_open    = lines->open != MDLINES_OPEN_NOTHING;
}

/* The lines of passages that follow each other are counted in one pass. */
static void number_lines(struct cutter *cutter, size_t len)
{
    size_t place = 0, line = cutter->line;

    for (size_t i = 0; i < cutter->passages->count; i++) {
        struct passage *passage = &cutter->passages->at[i];

        for (; place < passage->end; place++) {
            if (place == passage->begin)
                passage->first_line = line;
            line += cutter->at[place] == '\n' ||
                    (cutter->at[place] == '\r' && !(place + 1 < len && cutter->at[place + 1] == '\n'));
        }
        if (passage->begin == passage->end)
            passage->first_line = line;
        passage->last_line = line;
    }
}

bool passages_make(struct passages *passages, const char *at, size_t len, size_t line,
                   const struct chunks *chunks, const char *title)
{
    struct cutter cutter = { .passages = passages, .at = at, .chunks = chunks, .title = title, .line = line };
    struct mdlines lines;
    struct mdline  next;

    *passages = (struct passages){ 0 };
    mdlines_init(&lines, at, len);
    while (!cutter.failed && mdlines_next(&lines, &next))
        take_line(&cutter, &lines, &next);
    while (!cutter.failed && cutter.chunk < chunks->count)
        end_chunk(&cutter);
    anchors_free(&cutter.anchors);
    if (cutter.failed) {
        passages_free(passages);
        return false;
    }
    number_lines(&cutter, len);
    return true;
}

void passages_free(struct passages *passages)
{
    for (size_t i = 0; i < passages->count; i++) {
        free(passages->at[i].heading_path);
        free(passages->at[i].anchor);
    }
    free(passages->at);
    *passages = (struct passages){ 0 };
}
