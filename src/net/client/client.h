/* client.h - what the parts of a client share.
 *
 * A client is one conversation: its transport, the requests that are open, the questions that the server has open, and
 * where the negotiation stands. All of it belongs to the thread that polls.
 */
#ifndef NET_CLIENT_CLIENT_H
#define NET_CLIENT_CLIENT_H

#include <tenon/client.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "mcp/era.h"
#include "net/client/transport.h"

#define CLIENT_WHY_MAX         500
#define CLIENT_DEPTH_MAX       128
#define CLIENT_LIST_BYTES(max) ((max)*4)           /* of a whole list */
#define CLIENT_NODES(max)      ((max) / 16 + 1000) /* values of a message of so many bytes */

/* A member of a doubly linked ring; alone it points to itself. */
struct tn_ring {
    struct tn_ring *before, *after;
};

enum tn_client_stage {
    STAGE_NEW,
    STAGE_DISCOVER,    /* server/discover is asked */
    STAGE_INITIALIZE,  /* the handshake */
    STAGE_INITIALIZED, /* its last message is on its way */
    STAGE_LEVEL,       /* logging/setLevel is asked */
    STAGE_READY,
    STAGE_LOST /* nothing is sent any more */
};

struct tenon_client {
    tenon_allocator      memory;
    tenon_client_options options; /* with defaults; its texts are in the arena */
    struct tn_arena      arena;
    struct tn_watch      watch;
    struct tn_transport *transport;
    enum tn_client_stage stage;
    enum tn_version      version; /* VERSION_NONE before it is known */
    bool                 polling;
    bool                 halves;     /* of surrogate pairs are let through, as bytes that are not UTF-8 */
    bool                 either;     /* a server that refuses the handshake is asked for 2026-07-28 */
    bool                 hears;      /* what a legacy server sends on its own is listened to in any case */
    size_t               answer_max; /* bytes of an answer that is not a list; 0: as of any message */
    size_t               renewals;   /* sessions that the server forgot, and that were begun anew */
    int                  came;       /* messages, in this poll */
    char                 error[CLIENT_WHY_MAX];

    int64_t         last_id;
    struct tn_ring  open;     /* requests, the oldest first */
    struct tn_ring  finished; /* those whose `done` is still to be called */
    struct tn_ring  kept;     /* those that only the program still knows */
    struct tn_ring  spare;    /* those that are over, to be used again */
    size_t          spare_count;
    size_t          open_count;
    tenon_request  *negotiation; /* the request of the stage, or NULL */
    int64_t         initialized; /* key of the last message of the handshake */
    struct tn_arena about;       /* of what the server says of itself */
    yyjson_val     *server;

    struct tn_ring questions;
    size_t         question_count, question_held; /* open ones; all that the program has not answered */
    int64_t        paused_ms;                     /* since when questions are open */

    struct tn_arena inbox;  /* of the message that is being taken */
    struct tn_arena outbox; /* of the one that is being sent */
    size_t          notes;  /* messages of the server's own since its last answer */
    uint64_t        late;   /* answers to no open request: they are dropped */

    /* For the kit for tests: sees each message before it is taken. */
    void (*tap)(void *user, struct tn_slice json);
    /* For a guard: gets what comes and is no message, and answers no request that waits. */
    void (*junk)(void *user, struct tn_slice bytes);
    /* For a guard: an answer to no open request has come, with this id. */
    void (*belated)(void *user, int64_t id);
    void *tap_user; /* of all three */
};

enum tn_request_kind { REQUEST_PLAIN, REQUEST_LIST, REQUEST_LISTEN };

struct tenon_request {
    struct tn_ring        ring; /* first: of `open`, `finished` or `kept` */
    tenon_client         *client;
    tenon_request_options options;
    enum tn_request_kind  kind;
    tenon_request_state   state;
    bool                  internal;        /* of the negotiation: it does not wait for it */
    bool                  sent;            /* at least once */
    bool                  asked_anew;      /* after its version was refused and named again */
    bool                  passes;          /* a result that asks for input is given as it is */
    bool                  renewed;         /* it was sent again in a new session */
    bool                  untouched;       /* lost, and nothing of it was sent */
    bool                  undone;          /* lost, and nothing of it was done */
    bool                  broken;          /* lost, because its answer is no message */
    uint64_t              mark;            /* where it begins in the stream of its transport */
    int64_t               id;              /* of the last time it was sent */
    int64_t               deadline_ms;     /* TRANSPORT_NEVER: none */
    struct tn_arena       arena;           /* of what it sends, and of lists */
    const char           *method, *spoken; /* the second as Mcp-Method repeats it */
    struct tn_slice       params;          /* one line; an object */
    size_t                meta;            /* where the "{" of its _meta is, or 0 */
    yyjson_val           *given;           /* the same, read; NULL once it is made */
    yyjson_val           *given_meta;      /* its _meta, or NULL */
    const char           *name;            /* Mcp-Name, or NULL */
    const char *what; /* of a list: the member that holds the entries; of listening: the URI, or NULL */
    const struct tn_header *headers; /* Mcp-Param-* */
    size_t                  header_count;

    struct tn_slice extra; /* further members of params: the cursor, or the answers to questions */
    size_t          pages, rounds;
    struct tn_table cursors;    /* of a list, that have come */
    struct tn_buf   items;      /* of the pages so far */
    size_t          unanswered; /* questions of its last result */
    struct tn_buf   answers;

    struct tn_arena answer; /* of the message that came last */
    yyjson_val     *result, *error;
    struct tn_slice text;
    int             status;  /* HTTP's */
    bool            closed;  /* lost because the other end had no answer, not because of a failure */
    bool            garbled; /* something came that is no message */
    char            why[CLIENT_WHY_MAX];
};

struct tenon_question {
    struct tn_ring  ring; /* first: of the client's `questions` */
    tenon_client   *client;
    tenon_request  *request; /* that it belongs to, or NULL */
    struct tn_arena arena;   /* of a legacy one: its message, and the question itself */
    struct tn_slice id;      /* of a legacy one, as JSON */
    int64_t         stream;  /* of a legacy one: the id of the request on whose stream it came, or 0 */
    const char     *key;     /* of a modern one */
    size_t          key_len;
    const char     *method;
    yyjson_val     *params;
    bool            asked, withdrawn;
};

static inline void tn_ring_init(struct tn_ring *ring)
{
    ring->before = ring->after = ring;
}

static inline void tn_ring_remove(struct tn_ring *member)
{
    member->before->after = member->after;
    member->after->before = member->before;
    tn_ring_init(member);
}

static inline void tn_ring_add(struct tn_ring *ring, struct tn_ring *member)
{
    member->before      = ring->before;
    member->after       = ring;
    ring->before->after = member;
    ring->before        = member;
}

static inline bool tn_ring_empty(const struct tn_ring *ring)
{
    return ring->after == ring;
}

/* ---- client.c */
tenon_client *tn_client_new(const tenon_client_options *options);
void          tn_client_frame(tenon_client *client, struct tn_transport_frame *frame);
/* Sets it to work; with NULL it is out of memory and freed. */
tenon_client *tn_client_attach(tenon_client *client, struct tn_transport *transport);
int64_t       tn_client_now_ms(void);
bool          tn_client_is_modern(const tenon_client *client);
/* Is the text a JSON object of at most this many bytes? TENON_E_DECLARATION when it is not. */
tenon_status tn_client_check_object(const tenon_client *client, const char *json, size_t max);
/* Keeps a sentence for tenon_client_error(). */
void tn_client_fail(tenon_client *client, const char *format, ...) TENON_PRINTF(2, 3);
/* Sends a message that is not answered; its key, or 0 when it cannot be sent. */
int64_t tn_client_post(tenon_client *client, struct tn_slice json);
/* Every open request is lost, and so is the client. */
void tn_client_lose(tenon_client *client, const char *why, bool closed);
/* Time passed that was not the server's. */
void tn_client_prolong(tenon_client *client, int64_t elapsed_ms);

/* ---- negotiate.c */
void tn_negotiate_begin(tenon_client *client);
/* Its request has ended. */
void tn_negotiate_go_on(tenon_client *client, tenon_request *request);
/* The message with this key was taken. */
void tn_negotiate_sent(tenon_client *client, int64_t key);
/* Begins the session anew that the server has forgotten; the request is sent once more in it. False when it may not be. */
bool tn_negotiate_again(tenon_client *client, tenon_request *request, int status);
/* Is the version among those of a JSON array? */
bool tn_negotiate_lists(yyjson_val *versions, enum tn_version version);
/* What can be asked, as JSON. */
const char *tn_negotiate_capabilities(const tenon_client *client);

/* ---- request.c */
/* NULL with tenon_client_error(). */
tenon_request *tn_request_new(tenon_client *client, enum tn_request_kind kind, const char *method,
                              struct tn_slice params, const tenon_request_options *options);
/* Params that the caller has read: one line, the object that they were read from (what it says of _meta is not used), and where
 * the "{" of their _meta is, or 0. */
struct tn_request_read {
    struct tn_slice params;
    yyjson_val     *given;
    size_t          meta;
};
tenon_request *tn_request_new_read(tenon_client *client, const char *method,
                                   const struct tn_request_read *read, const tenon_request_options *options);
/* Gives back one that nothing knows any more. */
void tn_request_discard(tenon_request *request, const tenon_allocator *memory);
void tn_request_start(tenon_request *request);
void tn_request_send(tenon_request *request);
/* How long its answer may take, in milliseconds; less than 0: as long as it does. */
int tn_request_timeout(const tenon_request *request);
/* It is over, with this state; `why` may be NULL. */
void tn_request_end(tenon_request *request, tenon_request_state state, const char *format, ...)
    TENON_PRINTF(3, 4);
tenon_request *tn_request_of(tenon_client *client, int64_t id);
/* Tells the server that its answer is not waited for. */
void tn_request_withdraw(tenon_request *request);
/* Forgets it without telling the server. */
void tn_request_forget(tenon_request *request);
void tn_request_write(tenon_request *request, struct tn_buf *out);

/* ---- message.c */
void tn_message_take(void *user, int64_t key, int status, struct tn_slice json);
void tn_message_ended(void *user, int64_t key, enum tn_end end, int status, const char *why);

/* ---- question.c */
/* A request of a legacy server's; the inbox becomes the question's. */
void tn_question_take(tenon_client *client, int64_t stream, struct tn_slice method, yyjson_val *message);
/* The questions of a result that asks for input. */
void tn_question_round(tenon_request *request);
/* The server took a question back, or the end of its request did (then `id` is empty). */
void tn_question_withdraw(tenon_client *client, struct tn_slice id, const tenon_request *request);
void tn_question_free(tenon_question *question);
/* Ends it with an error, as JSON, of the client that was asked; `why` is its message. */
void tn_question_fail(tenon_question *question, const char *error, struct tn_slice why);

/* ---- list.c */
/* A page came: goes on with the next, or ends the request. */
void tn_list_page(tenon_request *request);

#endif
