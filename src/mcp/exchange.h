/* exchange.h - one request on its way: what it asks, who for, in which era, and the messages that go back.
 *
 * An exchange is taken from a pool, with its memory and its calls, and returns there. It is run by one thread at a time;
 * what other threads may do to it is in receive.h. Everything it sends goes through one gate (`lock`): once it is answered
 * or cancelled nothing follows.
 */
#ifndef MCP_EXCHANGE_H
#define MCP_EXCHANGE_H

#include "answer/call.h"
#include "json/write.h"
#include "mcp/core.h"
#include "mcp/era.h"
#include "mcp/rpc.h"

#define RESULT_LEN_MAX ((size_t)64 << 20)

struct tn_session;
struct tn_wire;
struct task;

enum tn_exchange_state {
    EXCHANGE_OPEN,
    EXCHANGE_ANSWERED,
    EXCHANGE_REPLACED, /* answered in the place of its handler, which may still run */
    EXCHANGE_CANCELLED
};

enum tn_method_flags {
    METHOD_MODERN  = 1, /* exists there */
    METHOD_LEGACY  = 2,
    METHOD_ALL     = METHOD_MODERN | METHOD_LEGACY,
    METHOD_ASKS    = 4, /* may be answered with questions */
    METHOD_LISTENS = 8, /* stays open until it is cancelled */
    METHOD_IS_TOOL =
        16, /* has a caller's rate, the tool's hints, and the tool's answer where it fails; others only read */
    METHOD_SHARES = 32, /* reads or writes what replicas share */
};

/*   check         what must hold before it runs; false when it answered. `http` may be NULL. NULL: nothing
 *   needs_worker  does its handler wait? NULL: never */
struct tn_method {
    const char *name;
    void (*run)(struct tn_exchange *x);
    bool (*check)(struct tn_exchange *x, const struct tn_http_facts *http);
    bool (*needs_worker)(struct tn_exchange *x);
    unsigned flags; /* of enum tn_method_flags */
};

/* An answer of the client to a question, or what is still to be asked (input.c). */
struct tn_reply {
    struct tn_reply *next;
    struct tn_slice  key;
    yyjson_val      *value; /* in the exchange's arena */
    bool             used;  /* the handler looked at it: it is kept for the next round */
};

struct tn_question {
    struct tn_question *next;
    struct tn_slice     key, method, params; /* params: JSON */
    unsigned            needs;               /* of enum tenon_ability */
    uint64_t wire_number; /* on a legacy session: the id is "<boot>-<number>"; 0 once it is answered */
};

struct tn_exchange {
    tenon_server        *server;
    struct tn_exchange  *next; /* in the pool, or in its session's list of what runs ... */
    struct tn_exchange **link; /* ... where this points to it; else NULL */
    pthread_mutex_t      lock; /* of `state`, and of sending */
    atomic_uint          refs;

    enum tn_exchange_state state;
    enum tn_version        version;
    unsigned               abilities;
    int                    log_level;
    unsigned               rounds; /* of questions */
    bool                   on_http;
    bool                   batched;  /* one message of several */
    bool                   bad_utf8; /* some text of the message is not UTF-8 */
    bool                   deferred; /* runs on a worker */
    bool                   listening;
    bool                   loaded;        /* answers and state were taken out of the params */
    bool                   becoming_task; /* the handler wants to go on as one */

    struct tn_port    *port;    /* held */
    struct tn_session *session; /* held; NULL for modern HTTP */
    struct tn_caller   caller;
    struct tn_account *account; /* held: of its caller */

    struct tn_arena         arena; /* the message, and what is written */
    struct tn_arena         notes; /* one notification at a time */
    struct tn_slice         id;    /* as JSON */
    const struct tn_method *method;
    yyjson_val             *params, *meta;   /* objects, or NULL */
    size_t                  bytes_in, nodes; /* of the message; its values */
    size_t                  waits;           /* as so many bytes, HELD_WAITING of its account */
    struct tn_slice         progress_token;  /* as JSON; empty when none is wanted */
    double                  progressed;
    struct tn_slice         trace;
    int64_t                 started_ms, started_us;

    tenon_call      *calls[BOXES]; /* made when first needed */
    tenon_call      *call;         /* the one of this request */
    struct tn_entry *entry;        /* of its tool, prompt, resource or template */

    struct tn_reply    *replies;
    struct tn_question *questions; /* of this run */
    size_t              pending;   /* questions sent on a legacy session and not answered */
    int64_t             asked_ms;
    struct tn_slice     kept;    /* tenon_keep() */
    struct task        *task;    /* that it became, held */
    void               *sourced; /* what the server's source keeps of it */
    struct tn_wire     *wire;    /* its messages, where they are looked at; or NULL */
};

static inline bool tn_exchange_is_modern(const struct tn_exchange *x)
{
    return x->version == V2026_07_28;
}

/* What content the client's revision has no form for. */
static inline unsigned tn_exchange_lacks(const struct tn_exchange *x)
{
    return (x->version < V2025_03_26 ? LACKS_AUDIO : 0u) | (x->version < V2025_06_18 ? LACKS_LINKS : 0u);
}

/* Has its revision a place for answers that are for programs? Before that there is only the text. */
static inline bool tn_exchange_has_structured(const struct tn_exchange *x)
{
    return x->version >= V2025_06_18;
}

/* ---- The answer ---------------------------------------------------------------------------------------------- */

/* Writing a result (result.c): begins the response up to the inside of "result", and adds what the era needs everywhere:
 *
 *     struct buf out = tn_result_begin(x);
 *     tn_result_key(&out, "tools");
 *     ...
 *     tn_result_end(x, &out);
 */
struct tn_buf tn_result_begin(struct tn_exchange *x);
/* The same with another resultType than "complete" (modern only). */
struct tn_buf tn_result_begin_as(struct tn_exchange *x, const char *type);
void tn_result_key(struct tn_buf *out, const char *key); /* with the comma before it, if it needs one */
/* ttlMs and cacheScope, on modern results of the methods that have them. */
void tn_result_cacheable(struct tn_exchange *x, struct tn_buf *out, int64_t ttl_ms, bool is_private);
/* Writes that beginning to `out`, wherever that is. */
void tn_result_open(const struct tn_exchange *x, struct tn_buf *out, const char *type);
/* Writes the end, with who the server is. */
void tn_result_close(const struct tn_exchange *x, struct tn_buf *out);
/* The same, and sends; a result that could not be written becomes an internal error. */
void tn_result_end(struct tn_exchange *x, struct tn_buf *out);

/* Answers with an error. `data` is JSON, or empty. The HTTP status follows from the code and the era. */
void tn_exchange_fail(struct tn_exchange *x, int code, struct tn_slice data, const char *format, ...)
    TENON_PRINTF(4, 5);
/* The same with that status. */
void tn_exchange_fail_status(struct tn_exchange *x, int status, int code, struct tn_slice data,
                             const char *message);

/* The same, with what the caller's token lacks (403), or NULL. */
void tn_exchange_fail_scoped(struct tn_exchange *x, int status, int code, struct tn_slice data,
                             const char *message, const char *scopes);
/* Answers that there is no memory, without any. */
void tn_exchange_fail_bare(struct tn_exchange *x);
/* Writes such a message. Without an id it belongs to what could not be read. */
void tn_result_error(struct tn_buf *out, struct tn_slice id, int code, struct tn_slice data,
                     struct tn_slice message);

/* What a caller sent, made fit to stand in a sentence. */
const char *tn_exchange_echo(struct tn_exchange *x, struct tn_slice text);

/* Sends a notification or a request, one JSON text, while the exchange is open. False when it is not. */
bool tn_exchange_send(struct tn_exchange *x, enum tn_out_kind kind, struct tn_slice json);

/* The gate itself: sends the last message; false when there was one already, or nobody wants it. */
bool tn_exchange_answer(struct tn_exchange *x, const struct tn_out *out);
bool tn_exchange_answer_instead(struct tn_exchange *x, const struct tn_out *out); /* of its handler */
bool tn_exchange_is_open(struct tn_exchange *x);
/* tn_result_end() of a response that begins a session. */
void tn_result_end_with(struct tn_exchange *x, struct tn_buf *out, struct tn_slice session);

/* May it wait: for a worker, for its client, as a task? It keeps its message all that time, which its account pays for. */
bool tn_exchange_may_wait(struct tn_exchange *x);
/* May one that waits keep so many bytes more? They are given back with the exchange, or before. */
bool tn_exchange_may_keep(struct tn_exchange *x, size_t bytes);
void tn_exchange_keep_less(struct tn_exchange *x, size_t bytes);
/* Forgets its message, but for what is sent with every later one. For what stays open for long. False without memory. */
bool tn_exchange_shed(struct tn_exchange *x);

/* From the pool, held once; NULL without memory. */
struct tn_exchange *tn_exchange_take(tenon_server *server);
void                tn_exchange_free_idle(tenon_server *server);
/* Gives back what was in no use since the last time. */
void tn_exchange_tick(tenon_server *server);

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* The call for `box`, with this exchange as its host; NULL without memory (and answered so). */
tenon_call *tn_exchange_call(struct tn_exchange *x, enum tn_box box);

/* The exchange of a call; NULL for one of a bare toolbox. */
static inline struct tn_exchange *tn_exchange_of(const tenon_call *call)
{
    return call->host;
}

/* ---- Entries -------------------------------------------------------------------------------------------------- */

/* A list method: a page of the list's entries under `key`, from the cursor in params. */
void tn_catalog_list(struct tn_exchange *x, enum tn_list list, const char *key);

/* ---- Methods -------------------------------------------------------------------------------------------------- */

void tn_method_discover(struct tn_exchange *x);
void tn_method_initialize(struct tn_exchange *x);
void tn_method_ping(struct tn_exchange *x);
void tn_method_set_level(struct tn_exchange *x);
void tn_method_tools_list(struct tn_exchange *x);
void tn_method_tools_call(struct tn_exchange *x);
void tn_method_resources_list(struct tn_exchange *x);
void tn_method_templates_list(struct tn_exchange *x);
void tn_method_resources_read(struct tn_exchange *x);
void tn_method_resources_subscribe(struct tn_exchange *x);
void tn_method_resources_unsubscribe(struct tn_exchange *x);
void tn_method_prompts_list(struct tn_exchange *x);
void tn_method_prompts_get(struct tn_exchange *x);
void tn_method_complete(struct tn_exchange *x);
void tn_method_skills_list(struct tn_exchange *x);
void tn_method_skills_get(struct tn_exchange *x);
void tn_method_directory_read(struct tn_exchange *x);
void tn_method_listen(struct tn_exchange *x);
void tn_method_tasks_get(struct tn_exchange *x);
void tn_method_tasks_update(struct tn_exchange *x);
void tn_method_tasks_cancel(struct tn_exchange *x);

/* Do their handlers wait? Of a prompt this sets the entry, for its deadline. */
bool tn_prompts_needs_worker(struct tn_exchange *x);
bool tn_resources_needs_worker(struct tn_exchange *x);

#endif
