/* console.h - a page for people, at the admin's address: tools to try, calls as they come, what callers get wrong.
 *
 *   console.c  paths, who may have them, answers
 *   access.c   tokens, cookies, keys
 *   events.c   calls as they end, as an event stream
 *   status.c   health, settings and limits
 *   feed.h     what is kept of calls
 *   page.h     the page itself, compiled in
 *
 * Its tools are called through an endpoint inside (endpoint.h), as the caller "console": with the validation, the limits, the
 * audit and the policy that every caller has. All of it happens on the first loop.
 */
#ifndef NET_CONSOLE_CONSOLE_H
#define NET_CONSOLE_CONSOLE_H

#include "net/console/feed.h"
#include "net/endpoint/endpoint.h"

#define CONSOLE_CALLER "console"

struct tn_console;

/* For settings->console, which is set. On failure *error is a sentence. `feed` outlives it. */
tenon_status tn_console_new(struct tn_console **console, struct tn_serving *serving, struct tn_loop *loop,
                            struct tn_feed *feed, const char **error);

/* What looks for faults of a definition, where a program has such a thing: the library has none. It writes JSON, or returns false.
 * Set once, before anything is served. */
typedef bool tn_console_lint(struct tn_buf *out, struct tn_arena *arena, struct tn_slice definition);
void         tn_console_lints(tn_console_lint *lint);

/* The port that was taken. */
void tn_console_listens(struct tn_console *console, unsigned port);

/* Logs an address that opens the page, once. */
void tn_console_invite(struct tn_console *console);

/* ---- The steps of a request whose path is of the console; its Host was checked ---- */

bool tn_console_has(struct tn_slice path);
int  tn_console_head(struct tn_console *console, struct tn_http_conn *conn);
void tn_console_request(struct tn_console *console, struct tn_http_conn *conn);
void tn_console_done(struct tn_console *console, struct tn_http_conn *conn);

/* Ends streams, then its own time; `closed` is called then. Freed after the address has closed. */
void tn_console_stop(struct tn_console *console, void (*closed)(void *user), void *user);
void tn_console_free(struct tn_console *console);

#endif
