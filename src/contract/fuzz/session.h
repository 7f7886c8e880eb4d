/* session.h - the server that is tried: started, called, watched, and started again when it ended or hangs. */
#ifndef CONTRACT_FUZZ_SESSION_H
#define CONTRACT_FUZZ_SESSION_H

#include "contract/fuzz/verdict.h"
#include "contract/fuzz/wire.h"

#define FUZZ_WHY_MAX   ((size_t)600)
#define FUZZ_START_MS  30000 /* until a server is ready */
#define FUZZ_STARTS    ((size_t)200) /* of it, in one run */

/* The way to it, which is the caller's: its process, or an address. */
struct tn_fuzz_server {
    /* A client of a new process, which need not be ready; NULL and a sentence when there is none. */
    tenon_client *(*open)(void *user, char why[FUZZ_WHY_MAX]);
    void (*close)(void *user, tenon_client *client);
    void (*step)(void *user);         /* between waits */
    const char *(*ended)(void *user); /* how it ended, in words; "" when that is not known */
    int64_t (*memory)(void *user);    /* bytes that its processes hold; -1 when that is not known */
    void *user;
};

struct tn_session {
    const struct tn_fuzz_server *server;
    int                          timeout_ms; /* of a call */
    tenon_client                *client;     /* NULL before it is begun, and when it could not be */
    tenon_request               *request;    /* of the last call, whose answer is being looked at; or NULL */
    size_t                       starts, progress;
    struct tn_arena              scratch; /* of a call's params */
    char                         why[FUZZ_WHY_MAX];
};

/* What is called. */
struct tn_called {
    struct tn_slice   name;
    const tenon_json *definition;
    struct tn_slice   arguments; /* `at` is NULL: without any */
};

void tn_session_init(struct tn_session *session, const struct tn_fuzz_server *server, int timeout_ms,
                     const tenon_allocator *memory);
void tn_session_free(struct tn_session *session);

/* Makes sure that there is a server that can be called. False when it cannot be started (any more): `why`. */
bool tn_session_ready(struct tn_session *session);

/* Ends the server; the next tn_session_ready() starts another. */
void tn_session_stop(struct tn_session *session);

/* Has the server ended, as far as is known now? Then `why` says how. */
bool tn_session_is_over(struct tn_session *session);

/* Calls a tool and waits. What the answer refers to lives until the next call. */
void tn_session_call(struct tn_session *session, const struct tn_called *called, struct tn_answer *answer);

/* Does it still answer? */
bool tn_session_answers(struct tn_session *session);

/* The message of a call, as it is sent with this id. */
void tn_session_message(struct tn_session *session, const struct tn_called *called, const char *id,
                        struct tn_buf *out);

#endif
