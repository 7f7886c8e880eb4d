/* inside.h - the console's own parts. */
#ifndef NET_CONSOLE_INSIDE_H
#define NET_CONSOLE_INSIDE_H

#include <tenon/json.h>

#include "json/writer.h"
#include "net/console/access.h"
#include "net/console/console.h"

#define CONSOLE_TEXT_MAX ((size_t)64 << 20) /* of one answer */
#define CONSOLE_STREAMS  32                 /* pages that follow calls at once */

struct tn_console_stream {
    struct tn_http_conn *conn; /* NULL: free */
    uint64_t             sent; /* the last call that it has */
    int64_t              written_ms;
};

struct tn_console {
    struct tn_serving       *serving;
    struct tn_loop          *loop;
    struct tn_feed          *feed;
    struct tn_endpoint      *endpoint;
    struct tn_arena          arena; /* of one answer */
    struct tn_access         access;
    unsigned                 port;
    int64_t                  began_ms;
    struct tn_console_stream streams[CONSOLE_STREAMS];
    size_t                   stream_count;
    uv_timer_t               seconds, events; /* the second runs while a page follows */
    bool                     stopping;
    int                      open; /* what must close before `closed` */
    void (*closed)(void *user);
    void *closed_user;
};

int64_t tn_console_now_ms(const struct tn_console *console); /* of the wall clock */

/* The number of a call, in digits alone. */
bool tn_console_number(struct tn_slice text, uint64_t *number);

/* ---- events.c */

void tn_console_follow(struct tn_console *console, struct tn_http_conn *conn);
void tn_console_unfollow(struct tn_console *console, struct tn_http_conn *conn);
void tn_console_end_streams(struct tn_console *console);

/* ---- status.c */

void tn_console_status(struct tn_console *console, tenon_writer *to, const char *key);

#endif
