/* chunk_fuzz.c - pieces of any text are in order, count their lines rightly, and leave out nothing but blank lines and
 * headings with nothing below them. The text is made long in two ways.
 */
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/chunk.h"
#include "docs/markdown/lines.h"
#include "docs/markdown/passage.h"
#include "kit/text.h"

#define FIRST_LINE 7
#define REPEAT_MAX ((size_t)1 << 14)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Counts the lines from *place to `to`. */
static void count_lines(const char *at, size_t len, size_t *place, size_t to, size_t *line)
{
    for (; *place < to; ++*place)
        *line += at[*place] == '\n' || (at[*place] == '\r' && !(*place + 1 < len && at[*place + 1] == '\n'));
}

static void check_order(const struct chunks *chunks, const char *at, size_t len)
{
    size_t place = 0, line = FIRST_LINE;

    for (size_t i = 0; i < chunks->count; i++) {
        const struct chunk *chunk = &chunks->at[i];

        must(chunk->begin >= place && chunk->end >= chunk->begin && chunk->end <= len);
        count_lines(at, len, &place, chunk->begin, &line);
        must(chunk->first_line == line);
        if (chunks->count == 1)
            break;
        count_lines(at, len, &place, chunk->end, &line);
        must(!is_space(at[chunk->end - 1]) && chunk->last_line == line);
        must(chunk->begin == 0 || at[chunk->begin - 1] == '\n' || at[chunk->begin - 1] == '\r');
    }
}

static void check_cover(const struct chunks *chunks, const char *at, size_t len)
{
    char          *covered = calloc(1, len + 1);
    struct mdlines lines;
    struct mdline  line;

    must(covered != NULL);
    for (size_t i = 0; i < chunks->count; i++)
        memset(covered + chunks->at[i].begin, 1, chunks->at[i].end - chunks->at[i].begin);
    mdlines_init(&lines, at, len);
    while (mdlines_next(&lines, &line))
        if (line.kind == MDLINE_HEADING && (line.level == 2 || line.level == 3))
            memset(covered + line.heading_begin, 1, line.end - line.heading_begin);
    for (size_t i = 0; i < len; i++)
        must(covered[i] || is_space(at[i]));
    free(covered);
}

/* In order, each within its piece, and none of the pieces without one. */
static void check_passages(const struct chunks *chunks, const char *at, size_t len)
{
    struct passages passages;
    size_t          place = 0, line = FIRST_LINE, chunk = 0;

    if (!passages_make(&passages, at, len, FIRST_LINE, chunks, "T"))
        return;
    must(passages.count >= chunks->count && passages.at[0].chunk == 0);
    for (size_t i = 0; i < passages.count; i++) {
        const struct passage *passage = &passages.at[i];

        must(passage->chunk == chunk || passage->chunk == chunk + 1);
        chunk = passage->chunk;
        must(passage->begin >= place && passage->begin <= passage->end);
        must(passage->begin >= chunks->at[chunk].begin && passage->end <= chunks->at[chunk].end);
        must(passage->first_line >= line && passage->first_line <= passage->last_line);
        place = passage->end;
        line  = passage->last_line;
    }
    must(chunk + 1 == chunks->count);
    passages_free(&passages);
}

static void check_chunks(const char *at, size_t len)
{
    struct chunks chunks;
    char         *title = chunk_title(at, len);

    must(!title || title[0]);
    free(title);
    if (!chunks_make(&chunks, at, len, FIRST_LINE))
        return;
    must(chunks.count >= 1 &&
         chunks.at[chunks.count - 1].last_line < FIRST_LINE + (chunks.lines ? chunks.lines : 1));
    check_order(&chunks, at, len);
    check_cover(&chunks, at, len);
    check_passages(&chunks, at, len);
    chunks_free(&chunks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct text text = { 0 };

    if (len > 4096)
        return 0;
    check_chunks((const char *)data, len);
    text_add(&text, (const char *)data, len);
    for (size_t i = 0; i <= CHUNK_LINES; i++)
        text_char(&text, '\n');
    check_chunks(text.at, text.len);
    text_clear(&text);
    while (len > 0 && text.len < REPEAT_MAX)
        text_add(&text, (const char *)data, len);
    check_chunks(text_of(&text), text.len);
    text_free(&text);
    return 0;
}
