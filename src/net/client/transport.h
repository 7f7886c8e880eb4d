/* transport.h - the way to a server: in memory, a process at the other end of two pipes, or an address.
 *
 * A transport takes messages at any time, and hands over what comes while it is stepped. Nothing of it blocks but its
 * end. Where each request has an answer of its own way, as in HTTP, `key` tells which; elsewhere it is 0.
 */
#ifndef NET_CLIENT_TRANSPORT_H
#define NET_CLIENT_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <tenon/base.h>

#include "base/os.h"
#include "base/str.h"

#define TRANSPORT_WHY_MAX 400
#define TRANSPORT_NEVER   INT64_MAX

struct tn_header {
    const char *name, *value;
};

struct tn_parcel {
    int64_t                 key;      /* the id of the request, or of a message that is not answered */
    bool                    answered; /* false of notifications, and of answers to the server's questions */
    struct tn_slice         json;     /* one message, without a line end; borrowed */
    const struct tn_header *headers;  /* what HTTP carries beside it; borrowed */
    size_t                  header_count;
};

enum tn_end {
    END_DONE,    /* a message that is not answered was taken */
    END_CLOSED,  /* the other end is gone, or has no answer */
    END_UNSENT,  /* nothing of it reached the other end */
    END_REFUSED, /* it did, and was refused before anything was done */
    END_FAILED
};

/* Where things go that come; called inside `step` only. */
struct tn_transport_sink {
    /* `status` is HTTP's, or 0. The message is borrowed. */
    void (*message)(void *user, int64_t key, int status, struct tn_slice json);
    /* No message with this key will come any more; with the key 0 none at all. `why` is for people. */
    void (*ended)(void *user, int64_t key, enum tn_end end, int status, const char *why);
    /* This many milliseconds were not the server's: a person logged in. */
    void (*paused)(void *user, int64_t elapsed_ms);
    void *user;
};

struct tn_transport {
    /* False when out of memory, or when there is no other end. */
    bool (*send)(struct tn_transport *transport, const struct tn_parcel *parcel);
    /* Nothing of this key is waited for any more; NULL where keys mean nothing. */
    void (*forget)(struct tn_transport *transport, int64_t key);
    void (*step)(struct tn_transport *transport, const struct tn_ready *ready, size_t count);
    /* When to step though nothing is ready, on the system's monotonic clock; NULL: never. */
    int64_t (*due)(const struct tn_transport *transport);
    /* From the beginning, when the server or its session ended; NULL where that makes no sense. */
    bool (*restart)(struct tn_transport *transport);
    void (*free)(struct tn_transport *transport);

    struct tn_transport_sink sink;       /* the client sets it */
    const char              *version;    /* that is spoken, once it is known; the client sets it */
    bool                     listens;    /* to what a legacy server sends on its own; the client sets it */
    int                      sole;       /* the only descriptor that is watched now, to be read; or 0 */
    bool                     is_http;    /* requests overtake each other, and closing one cancels it */
    bool                     in_session; /* a legacy server gave its session a name */
    uint64_t                 queued, written; /* where messages are one stream: bytes of it, so far */
    uint64_t                 answers;         /* messages that answered a request; the client counts them */
    size_t      notes; /* messages that are not answered, and were not taken yet, where that is seen */
    const char *peer;  /* its program, or its address, for messages; or NULL */
    char        why[TRANSPORT_WHY_MAX]; /* it never came to be; else "" */
};

/* What every transport is made of. */
struct tn_transport_frame {
    tenon_allocator  memory;
    struct tn_watch *watch;     /* lives longer */
    size_t           max_bytes; /* of a message */
    long             note_ms;   /* for a message that is not answered to be taken, where that is seen */
    bool             is_apart;  /* a program is not reached by the signals of our terminal, such as Ctrl-C */
};

/* All of them: NULL when out of memory; `why` is set when the server cannot be reached at all. */
struct tenon_server;

struct tn_transport *tn_memory_transport_new(const struct tn_transport_frame *frame,
                                             struct tenon_server             *server);
/* Code that runs a process itself can have the same lines over its pipes: opens them, non-blocking and the transport's to close, or
 * says why not; and ends the process, after its input was closed. */
struct tn_pipe_program {
    bool (*open)(void *user, int *input, int *output, char why[TRANSPORT_WHY_MAX]);
    void (*close)(void *user);
    void (*free)(void *user);
    void       *user;
    const char *name;
    bool        quiet;   /* SIGPIPE is ignored or blocked for as long as the transport lives */
    size_t      unasked; /* bytes a millisecond of what answers nothing (unasked.h); 0: without a bound */
};
struct tn_transport *tn_pipe_transport_over(const struct tn_transport_frame *frame,
                                            const struct tn_pipe_program    *program);
/* `environment` and `directory` are NULL for those of this program. */
struct tn_transport *tn_pipe_transport_new(const struct tn_transport_frame *frame, const char *const *words,
                                           const char *const *environment, const char *directory);

#endif
