/* events.c - calls as they end, to the pages that follow them.
 *
 * A timer that runs only while a page follows looks for new calls. A page that does not read is closed by the limits of its
 * connection, and comes back with the number of the last call that it has.
 */
#define _GNU_SOURCE
#include "net/console/inside.h"
#include "net/http/sse.h"

#define EVERY_MS     150
#define KEEPALIVE_MS 10000
#define EVENT_MAX    ((size_t)64 << 10)
#define BATCH_MAX    100 /* calls in one look */

/* One event; false when the page is gone, or too slow. */
static bool send_call(struct tn_console *console, struct tn_console_stream *stream, uint64_t id)
{
    tenon_writer   *to = tn_writer_in(&console->arena, EVENT_MAX);
    struct tn_buf   out;
    char            number[24];
    const char     *json;
    size_t          len;
    struct tn_slice name = { number,
                             (size_t)snprintf(number, sizeof number, "%llu", (unsigned long long)id) };

    tenon_write_object(to, NULL);
    if (!tn_feed_write_call(console->feed, to, id, false))
        return true;
    tenon_write_end(to);
    json = tenon_writer_text(to, &len);
    tn_buf_init(&out, &console->arena, 1024, EVENT_MAX + 256);
    if (json)
        tn_sse_event(&out, name, (struct tn_slice){ json, len });
    stream->written_ms = (int64_t)uv_now(&console->loop->uv);
    return out.failed || out.len == 0 || tn_http_stream_send(stream->conn, tn_buf_slice(&out));
}

/* What is new since the last look; of a burst the newest are shown. */
static void pump(struct tn_console *console, struct tn_console_stream *stream)
{
    uint64_t oldest, latest = tn_feed_latest(console->feed, &oldest);
    int64_t  now_ms = (int64_t)uv_now(&console->loop->uv);

    if (stream->sent + 1 < oldest)
        stream->sent = oldest - 1;
    for (size_t i = 0; i < BATCH_MAX && stream->sent < latest; i++) {
        if (!send_call(console, stream, ++stream->sent))
            break;
        tn_arena_reset(&console->arena);
    }
    tn_arena_reset(&console->arena);
    if (now_ms - stream->written_ms < KEEPALIVE_MS)
        return;
    stream->written_ms = now_ms;
    tn_http_stream_send(stream->conn, SLICE_LIT(SSE_KEEPALIVE));
}

static void on_time(uv_timer_t *timer)
{
    struct tn_console *console = timer->data;

    for (size_t i = 0; i < CONSOLE_STREAMS; i++)
        if (console->streams[i].conn)
            pump(console, &console->streams[i]);
}

/* The number after which a page that comes back goes on; a new page gets all that is kept. */
static uint64_t asked_from(struct tn_http_conn *conn)
{
    uint64_t number;

    return tn_console_number(tn_http_known(conn)[FIELD_LAST_EVENT_ID].value, &number) ? number : 0;
}

void tn_console_follow(struct tn_console *console, struct tn_http_conn *conn)
{
    struct tn_console_stream *stream = NULL;
    uint64_t                  oldest, from = asked_from(conn);

    for (size_t i = 0; i < CONSOLE_STREAMS && !stream; i++)
        if (!console->streams[i].conn)
            stream = &console->streams[i];
    if (!stream || !tn_http_stream_begin(conn, "X-Content-Type-Options: nosniff\r\n")) {
        tn_http_answer(conn, 503, "Retry-After: 10\r\n", NULL, (struct tn_slice){ "", 0 });
        return;
    }
    if (from > tn_feed_latest(console->feed, &oldest)) /* of an earlier process */
        from = 0;
    *stream = (struct tn_console_stream){ .conn = conn, .sent = from };
    if (console->stream_count++ == 0)
        uv_timer_start(&console->events, on_time, 0, EVERY_MS);
}

void tn_console_unfollow(struct tn_console *console, struct tn_http_conn *conn)
{
    for (size_t i = 0; i < CONSOLE_STREAMS; i++) {
        if (console->streams[i].conn != conn)
            continue;
        console->streams[i].conn = NULL;
        if (--console->stream_count == 0)
            uv_timer_stop(&console->events);
    }
}

void tn_console_end_streams(struct tn_console *console)
{
    for (size_t i = 0; i < CONSOLE_STREAMS; i++)
        if (console->streams[i].conn)
            tn_http_stream_end(console->streams[i].conn);
}
