/* sse.c - fields and lines of server-sent events. */
#include "net/http/sse.h"

static void add_id(struct tn_buf *out, struct tn_slice id)
{
    if (id.len == 0)
        return;
    tn_buf_lit(out, "id: ");
    tn_buf_add(out, id.at, id.len);
    tn_buf_char(out, '\n');
}

/* The length of the first line of `text`, and in *ending that of what ends it: LF, CR or both. */
static size_t line_len(struct tn_slice text, size_t *ending)
{
    size_t len = 0;

    while (len < text.len && text.at[len] != '\n' && text.at[len] != '\r')
        len++;
    *ending = len == text.len                                                          ? 0
              : text.at[len] == '\r' && len + 1 < text.len && text.at[len + 1] == '\n' ? 2
                                                                                       : 1;
    return len;
}

void tn_sse_event(struct tn_buf *out, struct tn_slice id, struct tn_slice data)
{
    size_t ending = 0;

    add_id(out, id);
    do {
        size_t len = line_len(data, &ending);

        tn_buf_lit(out, "data: ");
        tn_buf_add(out, data.at, len);
        tn_buf_char(out, '\n');
        data = (struct tn_slice){ len + ending ? data.at + len + ending : data.at, data.len - len - ending };
    } while (ending);
    tn_buf_char(out, '\n');
}

void tn_sse_retry(struct tn_buf *out, struct tn_slice id, int retry_ms)
{
    add_id(out, id);
    tn_buf_lit(out, "retry: ");
    tn_buf_int(out, retry_ms < 0 ? 0 : retry_ms);
    tn_buf_lit(out, "\n");
    if (id.len > 0)
        tn_buf_lit(out, "data: \n");
    tn_buf_char(out, '\n');
}

size_t tn_sse_event_len(struct tn_slice id, struct tn_slice data)
{
    return (id.len ? sizeof "id: \n" - 1 + id.len : 0) + sizeof "data: \n\n" - 1 + data.len;
}
