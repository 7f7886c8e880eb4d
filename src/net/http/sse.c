/* sse.c - fields and lines of server-sent events. */
#include "net/http/sse.h"

static void add_id(struct buf *out, struct slice id)
{
    if (id.len == 0)
        return;
    buf_lit(out, "id: ");
    buf_add(out, id.at, id.len);
    buf_char(out, '\n');
}

/* The length of the first line of `text`, and in *ending that of what ends it: LF, CR or both. */
static size_t line_len(struct slice text, size_t *ending)
{
    size_t len = 0;

    while (len < text.len && text.at[len] != '\n' && text.at[len] != '\r')
        len++;
    *ending = len == text.len                                                          ? 0
              : text.at[len] == '\r' && len + 1 < text.len && text.at[len + 1] == '\n' ? 2
                                                                                       : 1;
    return len;
}

void sse_event(struct buf *out, struct slice id, struct slice data)
{
    size_t ending = 0;

    add_id(out, id);
    do {
        size_t len = line_len(data, &ending);

        buf_lit(out, "data: ");
        buf_add(out, data.at, len);
        buf_char(out, '\n');
        data = (struct slice){ len + ending ? data.at + len + ending : data.at, data.len - len - ending };
    } while (ending);
    buf_char(out, '\n');
}

void sse_retry(struct buf *out, struct slice id, int retry_ms)
{
    add_id(out, id);
    buf_lit(out, "retry: ");
    buf_int(out, retry_ms < 0 ? 0 : retry_ms);
    buf_lit(out, "\n");
    if (id.len > 0)
        buf_lit(out, "data: \n");
    buf_char(out, '\n');
}

size_t sse_event_len(struct slice id, struct slice data)
{
    return (id.len ? sizeof "id: \n" - 1 + id.len : 0) + sizeof "data: \n\n" - 1 + data.len;
}
