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

struct session;
struct task;

enum exchange_state { EXCHANGE_OPEN, EXCHANGE_ANSWERED, EXCHANGE_CANCELLED };

struct method {
    const char *name;
    void (*run)(struct exchange *x);
    unsigned flags;
};
enum {
    METHOD_MODERN = 1, /* exists there */
    METHOD_LEGACY = 2,
    METHOD_ASKS   = 4 /* may be answered with questions */
};

/* An answer of the client to a question, or what is still to be asked (input.c). */
struct reply {
    struct reply *next;
    struct slice  key;
    yyjson_val   *value; /* in the exchange's arena */
    bool          used;  /* the handler looked at it: it is kept for the next round */
};

struct question {
    struct question *next;
    struct slice     key, method, params; /* params: JSON */
    unsigned         needs;               /* of enum tenon_ability */
    uint64_t wire_number; /* on a legacy session: the id is "<boot>-<number>"; 0 once it is answered */
};

struct exchange {
    tenon_server    *server;
    struct exchange *next; /* in the pool, or in its session's list of what runs */
    pthread_mutex_t  lock; /* of `state`, and of sending */
    atomic_uint      refs;

    enum exchange_state state;
    enum version        version;
    unsigned            abilities;
    int                 log_level;
    unsigned            rounds; /* of questions */
    bool                on_http;
    bool                batched;  /* one message of several */
    bool                bad_utf8; /* some text of the message is not UTF-8 */
    bool                deferred; /* runs on a worker */
    bool                listening;
    bool                loaded;        /* answers and state were taken out of the params */
    bool                becoming_task; /* the handler wants to go on as one */

    struct port    *port;    /* held */
    struct session *session; /* held; NULL for modern HTTP */
    struct caller   caller;
    struct account *account; /* held: of its caller */

    struct arena         arena; /* the message, and what is written */
    struct arena         notes; /* one notification at a time */
    struct slice         id;    /* as JSON */
    const struct method *method;
    yyjson_val          *params, *meta;   /* objects, or NULL */
    size_t               bytes_in, nodes; /* of the message; its values */
    size_t               waits;           /* as so many bytes, HELD_WAITING of its account */
    struct slice         progress_token;  /* as JSON; empty when none is wanted */
    double               progressed;
    struct slice         trace;
    int64_t              started_ms, started_us;

    tenon_call   *calls[BOXES]; /* made when first needed */
    tenon_call   *call;         /* the one of this request */
    struct entry *entry;        /* of its tool, prompt, resource or template */

    struct reply    *replies;
    struct question *questions; /* of this run */
    size_t           pending;   /* questions sent on a legacy session and not answered */
    int64_t          asked_ms;
    struct slice     kept; /* tenon_keep() */
    struct task     *task; /* that it became, held */
};

static inline bool exchange_is_new(const struct exchange *x) /* modern */
{
    return x->version == V2026_07_28;
}

/* What content the client's revision has no form for. */
static inline unsigned exchange_lacks(const struct exchange *x)
{
    return (x->version < V2025_03_26 ? LACKS_AUDIO : 0u) | (x->version < V2025_06_18 ? LACKS_LINKS : 0u);
}

/* ---- The answer ---------------------------------------------------------------------------------------------- */

/* Writing a result: begins the response up to the inside of "result", and adds what the era wants everywhere:
 *
 *     struct buf out = result_begin(x);
 *     result_key(&out, "tools");
 *     ...
 *     result_end(x, &out);
 */
struct buf result_begin(struct exchange *x);
/* The same with another resultType than "complete" (modern only). */
struct buf result_begin_as(struct exchange *x, const char *type);
void       result_key(struct buf *out, const char *key); /* with the comma before it, if it needs one */
/* ttlMs and cacheScope, on modern results of the methods that have them. */
void result_cacheable(struct exchange *x, struct buf *out, int64_t ttl_ms, bool is_private);
/* Writes the end, with who the server is. */
void result_close(const struct exchange *x, struct buf *out);
/* The same, and sends; a result that could not be written becomes an internal error. */
void result_end(struct exchange *x, struct buf *out);

/* Answers with an error. `data` is JSON, or empty. The HTTP status follows from the code and the era. */
void exchange_fail(struct exchange *x, int code, struct slice data, const char *format, ...)
    TENON_PRINTF(4, 5);
/* The same with that status. */
void exchange_fail_status(struct exchange *x, int status, int code, struct slice data, const char *message);

/* The same, with what the caller's token lacks (403), or NULL. */
void exchange_fail_scoped(struct exchange *x, int status, int code, struct slice data, const char *message,
                          const char *scopes);
/* Answers that there is no memory, without any. */
void exchange_fail_bare(struct exchange *x);
/* Writes such a message. Without an id it belongs to what could not be read. */
void error_write(struct buf *out, struct slice id, int code, struct slice data, struct slice message);

/* What a caller sent, made fit to stand in a sentence. */
const char *exchange_echo(struct exchange *x, struct slice text);

/* Sends a notification or a request, one JSON text, while the exchange is open. False when it is not. */
bool exchange_send(struct exchange *x, enum out_kind kind, struct slice json);

/* The gate itself: sends the last message; false when there was one already, or nobody wants it. */
bool exchange_answer(struct exchange *x, const struct out *out);
bool exchange_is_open(struct exchange *x);
/* result_end() of a response that begins a session. */
void result_end_with(struct exchange *x, struct buf *out, struct slice session);

/* May it wait: for a worker, for its client, as a task? It keeps its message all that time, which its account pays for. */
bool exchange_may_wait(struct exchange *x);
/* May one that waits keep so many bytes more? They are given back with the exchange, or before. */
bool exchange_may_keep(struct exchange *x, size_t bytes);
void exchange_keep_less(struct exchange *x, size_t bytes);
/* Forgets its message, but for what is sent with every later one. For what stays open for long. False without memory. */
bool exchange_shed(struct exchange *x);

/* From the pool, held once; NULL without memory. */
struct exchange *exchange_take(tenon_server *server);
void             exchange_free_idle(tenon_server *server);
/* Gives back what was in no use since the last time. */
void exchange_tick(tenon_server *server);

/* Runs the method, now; and all that belongs around it. */
void exchange_dispatch(struct exchange *x);

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* The call for `box`, with this exchange as its host; NULL without memory (and answered so). */
tenon_call *exchange_call(struct exchange *x, enum box box);

/* The exchange of a call; NULL for one of a bare toolbox. */
static inline struct exchange *exchange_of(const tenon_call *call)
{
    return call->host;
}

/* After a call of a prompt or resource has ended with questions: asks them, and true; false when it did not ask. */
bool exchange_asked(struct exchange *x);

/* ---- Entries -------------------------------------------------------------------------------------------------- */

/* By name, unless it is hidden; NULL else. */
struct entry *core_find(tenon_server *server, enum list list, struct slice name);

/* Room for one more; NULL without memory. The server must not be prepared. */
struct entry *core_add_entry(tenon_server *server, enum list list, const char *name);

/* A list method: a page of the list's entries under `key`, from the cursor in params. */
void catalog_list(struct exchange *x, enum list list, const char *key);

/* ---- Methods -------------------------------------------------------------------------------------------------- */

void method_discover(struct exchange *x);
void method_initialize(struct exchange *x);
void method_ping(struct exchange *x);
void method_set_level(struct exchange *x);
void method_tools_list(struct exchange *x);
void method_tools_call(struct exchange *x);
void method_resources_list(struct exchange *x);
void method_templates_list(struct exchange *x);
void method_resources_read(struct exchange *x);
void method_resources_subscribe(struct exchange *x);
void method_resources_unsubscribe(struct exchange *x);
void method_prompts_list(struct exchange *x);
void method_prompts_get(struct exchange *x);
void method_complete(struct exchange *x);
void method_skills_list(struct exchange *x);
void method_skills_get(struct exchange *x);
void method_directory_read(struct exchange *x);
void method_listen(struct exchange *x);
void method_tasks_get(struct exchange *x);
void method_tasks_update(struct exchange *x);
void method_tasks_cancel(struct exchange *x);

#endif
