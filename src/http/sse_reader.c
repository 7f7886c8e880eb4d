/* sse_reader.c - reading server-sent events. */
#include "http/sse_reader.h"

#include <string.h>

#include "base/ascii.h"

#define RETRY_MAX_MS 600000

void sse_reader_init(struct sse_reader *sse, struct tn_arena *arena, size_t max)
{
    *sse = (struct sse_reader){ .retry_ms = -1 };
    tn_buf_init(&sse->data, arena, 0, max);
    tn_buf_init(&sse->line, arena, 0, max);
    tn_buf_init(&sse->id, arena, 0, SSE_ID_MAX);
}

static void set_retry(struct sse_reader *sse, struct tn_slice value)
{
    int wait = 0;

    for (size_t i = 0; i < value.len; i++) {
        if (!tn_ascii_is_digit(value.at[i]))
            return;
        wait = wait * 10 + (value.at[i] - '0');
        if (wait > RETRY_MAX_MS)
            wait = RETRY_MAX_MS;
    }
    if (value.len > 0)
        sse->retry_ms = wait;
}

static void take_field(struct sse_reader *sse, struct tn_slice name, struct tn_slice value)
{
    if (tn_slice_is(name, "data")) {
        if (sse->has_data)
            tn_buf_char(&sse->data, '\n');
        tn_buf_add(&sse->data, value.at, value.len);
        sse->has_data = true;
    } else if (tn_slice_is(name, "id") && value.len < SSE_ID_MAX) {
        sse->id_changes += !tn_slice_same(value, tn_buf_slice(&sse->id));
        sse->id.len = 0;
        tn_buf_add(&sse->id, value.at, value.len);
    } else if (tn_slice_is(name, "retry"))
        set_retry(sse, value);
}

/* A line without its end; an empty one ends the event. An event without data, such as one that only tells its id, is
 * none. */
static void take_line(struct sse_reader *sse, struct tn_slice line)
{
    const char     *colon = line.len ? memchr(line.at, ':', line.len) : NULL;
    struct tn_slice name = { line.at, colon ? (size_t)(colon - line.at) : line.len }, value = { "", 0 };

    if (line.len == 0) {
        sse->complete = sse->has_data && sse->data.len > 0;
        if (!sse->complete)
            sse->has_data = false;
        return;
    }
    if (colon) {
        value = (struct tn_slice){ colon + 1, line.len - name.len - 1 };
        if (value.len > 0 && value.at[0] == ' ')
            value = (struct tn_slice){ value.at + 1, value.len - 1 };
    }
    take_field(sse, name, value);
}

static size_t line_len(struct tn_slice bytes)
{
    size_t      len  = bytes.len;
    const char *feed = memchr(bytes.at, '\n', len);
    const char *back;

    if (feed)
        len = (size_t)(feed - bytes.at);
    back = memchr(bytes.at, '\r', len);
    return back ? (size_t)(back - bytes.at) : len;
}

bool sse_reader_next(struct sse_reader *sse, struct tn_slice *bytes)
{
    if (sse->complete) {
        sse->complete = sse->has_data = false;
        sse->data.len                 = 0;
    }
    while (bytes->len > 0 && !sse->line.failed && !sse->data.failed) {
        size_t len;

        if (sse->after_cr && bytes->at[0] == '\n')
            *bytes = (struct tn_slice){ bytes->at + 1, bytes->len - 1 };
        sse->after_cr = false;
        if (bytes->len == 0)
            break;
        len = line_len(*bytes);
        tn_buf_add(&sse->line, bytes->at, len);
        if (len == bytes->len || sse->line.failed) {
            *bytes = (struct tn_slice){ bytes->at + len, 0 };
            break;
        }
        sse->after_cr = bytes->at[len] == '\r';
        *bytes        = (struct tn_slice){ bytes->at + len + 1, bytes->len - len - 1 };
        take_line(sse, tn_buf_slice(&sse->line));
        sse->line.len = 0;
        if (sse->complete)
            return !sse->data.failed;
    }
    return false;
}
