/* source_fuzz.c - files of every kind as markdown: kinds that keep their lines have as many after it, nothing grows without
 * bound, and what comes out is cut into pieces and passages like any other. The first byte says which kind.
 */
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/chunk.h"
#include "docs/markdown/passage.h"
#include "docs/source/front_lines.h"
#include "docs/source/source.h"

#define KINDS        6  /* from SOURCE_MARKDOWN: a PDF is another program's */
#define GROWTH       16 /* marks for a byte, at most; "<h6>" becomes more than it is */
#define GROWTH_FIXED 64
#define REPEAT_MAX   ((size_t)1 << 14)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static size_t count_lines(const char *at, size_t len)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++)
        count += at[i] == '\n';
    return count;
}

static void check_pieces(const struct text *text)
{
    struct chunks   chunks;
    struct passages passages;

    if (!chunks_make(&chunks, text_of(text), text->len, 1))
        return;
    if (passages_make(&passages, text_of(text), text->len, 1, &chunks, "T")) {
        must(passages.count >= chunks.count);
        passages_free(&passages);
    }
    chunks_free(&chunks);
}

static void check_kind(enum source_kind kind, const char *at, size_t len)
{
    struct text out = { 0 }, again = { 0 };

    source_plain(kind, at, len, &out);
    must(!out.failed && out.len <= len * GROWTH + GROWTH_FIXED);
    if (source_keeps_lines(kind))
        must(count_lines(text_of(&out), out.len) == count_lines(at, len));
    source_plain(kind, at, len, &again);
    must(again.len == out.len && memcmp(text_of(&again), text_of(&out), out.len) == 0);
    check_pieces(&out);
    text_free(&out);
    text_free(&again);
}

static void check_front(const char *at, size_t len)
{
    struct text out = { 0 };

    front_lines(at, len, &out);
    must(!out.failed && out.len <= len * 4 + GROWTH_FIXED);
    text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct text      text = { 0 };
    enum source_kind kind;

    if (len < 1 || len > 4096)
        return 0;
    kind = (enum source_kind)(SOURCE_MARKDOWN + data[0] % KINDS);
    data++, len--;
    check_kind(kind, (const char *)data, len);
    check_front((const char *)data, len);
    while (len > 0 && text.len < REPEAT_MAX) /* long, too */
        text_add(&text, (const char *)data, len);
    check_kind(kind, text_of(&text), text.len);
    text_free(&text);
    return 0;
}
