/* http_rig.h - an HTTP server and its clients in one thread: real sockets, no waiting for another thread.
 *
 * The handler of the rig answers by path: /echo at once, /later and /stream when the test says so, /refused by its head,
 * /large with RIG_LARGE bytes, /fields with some of its headers. Nothing is assumed about time, but that what must happen
 * does within RIG_PATIENCE_MS.
 */
#ifndef SUPPORT_HTTP_RIG_H
#define SUPPORT_HTTP_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/http/http.h"
#include "support/fault.h"

#define RIG_PATIENCE_MS 20000
#define RIG_LARGE       ((size_t)16 << 20)
#define RIG_WAITING     4096

struct rig {
    struct tn_fault        fault;
    struct tn_loop         loop;
    struct tn_http_server *server;
    bool                   closed;
    size_t                 heads, admitted, requests, answered, gone;
    struct tn_http_conn *waiting[RIG_WAITING]; /* of /later and /stream, oldest first; NULL when it is gone */
    size_t               waiting_count;
    bool                 streamed; /* what the last tn_http_stream_begin() said */
};

void rig_start(struct rig *rig, const struct tn_http_limits *limits);
void rig_pump(struct rig *rig);
void rig_stop(struct rig *rig); /* gracefully, and checks that no memory is left */
/* False when the patience is used up; `since` begins with 0. */
bool rig_patience(struct rig *rig, uint64_t *since);

#define RIG_UNTIL(rig, condition)                                                     \
    do {                                                                              \
        uint64_t since_ = 0;                                                          \
        while (!(condition))                                                          \
            if (!rig_patience((rig), &since_))                                        \
                fail_msg("it never came to this: %s", #condition);                    \
    } while (0)

struct peer {
    struct rig *rig;
    int         fd;
    char       *in;
    size_t      len, room;
    bool        eof; /* or broken */
};

void peer_open(struct peer *client, struct rig *rig);
void peer_send(struct peer *client, const char *bytes,
               size_t len); /* what the server does not want any more is lost */
void peer_say(struct peer *client, const char *text);
void peer_read(struct peer *client);
void peer_close(struct peer *client);

/* The statuses of the responses that came so far, and how the connection stands: "200 404 open", "400 closed". A response
 * that is not complete is "200...". */
const char *peer_summary(struct peer *client);
/* Reads until the summary is `want`. */
void peer_expect(struct peer *client, const char *want);
bool peer_has(struct peer *client, const char *text);

#endif
