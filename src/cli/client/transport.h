/* transport.h - the way to a server: a process behind pipes, or an address.
 *
 * A client carries one message at a time and takes the messages that come back until it has what it waits for. While it
 * takes one it may carry another that is not answered: its reply to a question.
 */
#ifndef CLI_CLIENT_TRANSPORT_H
#define CLI_CLIENT_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* The longest message of a server that is read. */
#define MESSAGE_LEN_MAX      ((size_t)16 << 20)
#define MESSAGE_LEN_MAX_TEXT "16 MiB"
#define WHY_MAX              400

struct header {
    const char *name, *value;
};

struct parcel {
    struct tn_slice      json;    /* one message, without a line end */
    const struct header *headers; /* what HTTP says beside it */
    size_t               header_count;
    /* NULL for a message that is not answered. True when that was the answer. The message lives during the call. */
    bool (*take)(void *user, struct tn_slice message);
    void *user;
};

enum carried {
    CARRIED = 0,
    CARRIED_LATE,   /* the deadline came first */
    CARRIED_CLOSED, /* the other end is gone, or has no answer */
    CARRIED_FAILED
};

struct transport {
    enum carried (*carry)(struct transport *transport, const struct parcel *parcel);
    bool (*restart)(struct transport *transport); /* from the beginning, when the server ended; may be NULL */
    void (*close)(struct transport *transport);
    struct tn_arena *arena;
    int64_t          deadline_ms; /* on the system's monotonic clock; the client sets it */
    const char      *version;     /* that is spoken, once it is known; the client sets it */
    bool             is_http;
    bool             listens;      /* to what a legacy server says on its own; the client sets it */
    int              status;       /* HTTP's, of the last answer; 0 elsewhere */
    char             why[WHY_MAX]; /* of the last failure, for people */
};

/* Runs a command, NULL-terminated; its standard error stays ours. NULL when out of memory; of a command that cannot be
 * run, `why` is set. */
struct transport *pipe_transport_new(struct tn_arena *arena, char *const *command);

struct login;

/* `token` may be NULL, and so may `login`, which is asked for one when the server wants it. NULL when out of memory;
 * `why` is set when there can be none, as in a build without libcurl. */
struct transport *web_transport_new(struct tn_arena *arena, const char *url, const char *token,
                                    struct login *login);

/* Milliseconds until the deadline, as poll() takes them; 0 when it is over. */
int transport_left_ms(const struct transport *transport);

enum carried transport_fail(struct transport *transport, enum carried how, const char *format, ...)
    TENON_PRINTF(3, 4);

#endif
