/* words.c - the words of a piece, and searching by words. */
#include <string.h>

#include "docs/store/inside.h"
#include "docs/store/words_engine.h"
#include "kit/text.h"
#include "kit/words/words.h"

/* ---- What goes into the index ---- */

static bool add_word(void *user, const char *word, size_t len)
{
    struct text *text = user;

    text_add(text, word, len);
    text_add(text, " ", 1);
    return !text->failed;
}

bool words_join(struct text *out, const char *text, size_t len)
{
    words_each(text, len, add_word, out);
    return !out->failed;
}

/* ---- The words of a piece: those of headings count as if they were said several times ---- */

#define TITLE_TIMES   2
#define HEADING_EXTRA 2 /* times more, of a heading in the text */

static bool is_fence(const char *line, size_t len)
{
    size_t i = 0;

    while (i < len && i < 3 && line[i] == ' ')
        i++;
    return len - i >= 3 && (memcmp(line + i, "```", 3) == 0 || memcmp(line + i, "~~~", 3) == 0);
}

static bool is_heading(const char *line, size_t len)
{
    size_t level = 0;

    while (level < len && line[level] == '#')
        level++;
    return level >= 1 && level <= 6 && level < len && line[level] == ' ';
}

/* The words of the text, where they stand, and a heading's again behind it. */
static bool join_text(struct text *out, const char *text, size_t len)
{
    const char *end = text + len, *from = text;
    bool        fenced = false;

    for (const char *line = text, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t      line_len;

        next     = newline ? newline + 1 : end;
        line_len = (size_t)(next - line);
        if (is_fence(line, line_len))
            fenced = !fenced;
        if (fenced || !is_heading(line, line_len))
            continue;
        if (!words_join(out, from, (size_t)(next - from)))
            return false;
        for (int i = 0; i < HEADING_EXTRA; i++)
            if (!words_join(out, line, line_len))
                return false;
        from = next;
    }
    return words_join(out, from, (size_t)(end - from));
}

static bool join_times(struct text *out, const char *text, int times)
{
    for (int i = 0; text && i < times; i++)
        if (!words_join(out, text, strlen(text)))
            return false;
    return true;
}

bool words_of_piece(struct text *out, const char *title, const char *header_path, const char *text,
                    size_t len)
{
    return join_times(out, title, TITLE_TIMES) && join_times(out, header_path, TITLE_TIMES) &&
           join_text(out, text ? text : "", text ? len : 0);
}

/* ---- Asking ---- */

const struct words_engine *words_engine_of(const struct sql *sql)
{
    return sql_is_postgresql(sql) ? &words_pg : &words_sqlite;
}

enum store_status store_frequency(struct store *store, const struct tenant *tenant, bool external,
                                  const char *word, int64_t *pieces, int64_t *with)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct collection collection;

    *pieces = *with = 0;
    if (!sql)
        return status;
    status  = collection_find(sql, tenant->id, external, &collection);
    *pieces = collection.pieces;
    if (status == STORE_OK)
        status = words_engine_of(sql)->frequency(sql, collection.id, word, with);
    status = store_done(store, sql, status);
    return status == STORE_NONE ? STORE_OK : status;
}
