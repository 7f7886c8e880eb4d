/* tasks.c - tasks, in one list of the server's.
 *
 * The exchange of the request goes on as the task's: its port is changed for one that keeps the answer. The task holds its
 * exchange until there is an answer; the thread that runs the exchange holds it, too.
 */
#define _POSIX_C_SOURCE 200809L
#include "mcp/offer/tasks.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "mcp/ask/input.h"
#include "mcp/offer/tools.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

#define NOTHING   ((struct tn_slice){ NULL, 0 })
#define ID_ROOM   (TASK_KEY_LEN * 2 + 1)
#define TIME_ROOM 32
#define NO_MEMORY "{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY "\"}"
#define NO_ROOM   "{\"code\":-32603,\"message\":\"" SAY_RESULT_LONG "\"}"

enum task_status { TASK_WORKING, TASK_ASKING, TASK_COMPLETED, TASK_FAILED, TASK_CANCELLED };

static const char *const status_names[] = {
    [TASK_WORKING] = "working", [TASK_ASKING] = "input_required", [TASK_COMPLETED] = "completed",
    [TASK_FAILED] = "failed",   [TASK_CANCELLED] = "cancelled",
};

struct task {
    struct tn_port      port; /* first: of its exchange */
    tenon_server       *server;
    atomic_uint         refs;
    struct task        *next;
    char                id[ID_ROOM];
    pthread_mutex_t     lock; /* of everything below */
    enum task_status    status;
    struct tn_exchange *x;                      /* held, until it has ended */
    int64_t             created_ms, updated_ms; /* wall clock */
    int64_t             until_ms;               /* monotonic: forgotten then */
    struct tn_arena     arena;
    struct tn_slice     caller;
    struct tn_account  *account; /* held: pays for the task until it is forgotten, and for its answer */
    struct tn_slice     answer;  /* JSON of the result, or of the error */
    size_t              kept;    /* bytes of it, HELD_RESULTS */
};

/* ---- Lifetime ------------------------------------------------------------------------------------------------ */

void tn_task_hold(struct task *task)
{
    atomic_fetch_add(&task->refs, 1);
}

void tn_task_release(struct task *task)
{
    tenon_server *server = task->server;

    if (atomic_fetch_sub(&task->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&task->lock);
    tn_arena_rest(&task->arena, 0);
    tn_account_give(task->account, HELD_RESULTS, task->kept);
    tn_account_release(task->account);
    tn_memory_free(&server->memory, task, sizeof *task);
}

/* Takes the exchange away from a task that has ended; to be released without its lock. */
static struct tn_exchange *tasks_let_go(struct task *task)
{
    struct tn_exchange *x = task->x;

    task->x = NULL;
    return x;
}

static int64_t wall_ms(const tenon_server *server)
{
    return server->clock.wall_ms(server->clock.user);
}

static void tasks_touch(struct task *task, enum task_status status)
{
    task->status     = status;
    task->updated_ms = wall_ms(task->server);
}

/* ---- The port of its exchange -------------------------------------------------------------------------------- */

static void port_hold(struct tn_port *port)
{
    tn_task_hold((struct task *)port);
}

static void port_release(struct tn_port *port)
{
    tn_task_release((struct task *)port);
}

/* The value behind "result": or "error": of a response that this library wrote. */
static struct tn_slice part_of(struct tn_slice json, size_t id_len, bool *failed)
{
    static const char begin[] = "{\"jsonrpc\":\"2.0\",\"id\":", result[] = ",\"result\":",
                      error[] = ",\"error\":";
    size_t at                 = sizeof begin - 1 + id_len;

    *failed = json.len > at + sizeof error && memcmp(json.at + at, error, sizeof error - 1) == 0;
    at += *failed ? sizeof error - 1 : sizeof result - 1;
    if (json.len <= at) { /* tn_exchange_fail_bare(), of a long id */
        *failed = true;
        return SLICE_LIT(NO_MEMORY);
    }
    return (struct tn_slice){ json.at + at, json.len - at - 1 };
}

/* Keeps the answer, if its caller has room for it; else what says that there was none. With the lock held. */
static void keep_answer(struct task *task, struct tn_slice part, bool failed)
{
    const char *fault = NULL;
    char       *copy  = NULL;

    if (part.len > TASK_RESULT_MAX || !tn_account_take(task->account, HELD_RESULTS, part.len))
        fault = NO_ROOM;
    else
        task->kept = part.len;
    if (!fault)
        copy = tn_arena_copy(&task->arena, part.at, part.len);
    if (!fault && !copy)
        fault = NO_MEMORY;
    task->answer = fault ? tn_slice_of(fault) : (struct tn_slice){ copy, part.len };
    tasks_touch(task, failed || fault ? TASK_FAILED : TASK_COMPLETED);
}

static void port_send(struct tn_port *port, const struct tn_out *out)
{
    struct task        *task = (struct task *)port;
    struct tn_exchange *x;
    struct tn_slice     part;
    bool                failed;

    if (out->kind != OUT_FINAL)
        return;
    pthread_mutex_lock(&task->lock);
    x = tasks_let_go(task);
    if (x && task->status != TASK_CANCELLED) {
        part = part_of(out->json, x->id.len, &failed);
        keep_answer(task, part, failed);
    }
    pthread_mutex_unlock(&task->lock);
    tn_exchange_release(x); /* the exchange's own holder is still there: this is called from inside it */
}

/* ---- The list ------------------------------------------------------------------------------------------------ */

static bool has_ended(struct task *task)
{
    bool ended;

    pthread_mutex_lock(&task->lock);
    ended = task->status == TASK_COMPLETED || task->status == TASK_FAILED || task->status == TASK_CANCELLED;
    pthread_mutex_unlock(&task->lock);
    return ended;
}

/* The oldest task that has ended: of the caller with the most tasks, among those that have such a task and at least as many
 * as the caller that needs room. The newest stand first. With the server's lock. */
static struct task **find_ended(tenon_server *server, const struct tn_account *account)
{
    size_t        most  = tn_account_holds(account, HELD_TASKS);
    struct task **found = NULL;

    for (struct task **at = &server->tasks; *at; at = &(*at)->next)
        if (tn_account_holds((*at)->account, HELD_TASKS) >= most && has_ended(*at)) {
            most  = tn_account_holds((*at)->account, HELD_TASKS);
            found = at;
        }
    return found;
}

/* Out of the list, whose hold is the caller's now. */
static struct task *take_out(struct task **at)
{
    struct task *task = *at;

    *at        = task->next;
    task->next = NULL;
    tn_account_give(task->account, HELD_TASKS, 1);
    return task;
}

/* Room for one more task of this caller: its share of the sum, else the place of a task that has ended (*old, to be
 * released). */
static bool tasks_make_room(tenon_server *server, struct tn_account *account, struct task **old)
{
    struct task **ended;

    *old = NULL;
    if (tn_account_take(account, HELD_TASKS, 1))
        return true;
    ended = find_ended(server, account);
    if (!ended)
        return false;
    *old = take_out(ended);
    tn_account_force(account, HELD_TASKS, 1);
    return true;
}

/* False when there are too many. */
static bool tasks_enter(tenon_server *server, struct task *task)
{
    struct task *old = NULL;
    bool         room;

    pthread_mutex_lock(&server->lock);
    room = tasks_make_room(server, task->account, &old);
    if (room) {
        task->next    = server->tasks;
        server->tasks = task;
        tn_task_hold(task);
    }
    pthread_mutex_unlock(&server->lock);
    if (old)
        tn_task_release(old);
    return room;
}

/* One that did not begin. */
static void tasks_forget(tenon_server *server, struct task *task)
{
    struct task **at = &server->tasks, *listed = NULL;

    pthread_mutex_lock(&server->lock);
    while (*at && *at != task)
        at = &(*at)->next;
    if (*at)
        listed = take_out(at);
    pthread_mutex_unlock(&server->lock);
    if (listed)
        tn_task_release(listed);
    tn_task_release(task); /* of make() */
}

static struct task *tasks_make(struct tn_exchange *x)
{
    tenon_server *server = x->server;
    struct task  *task   = tn_memory_new(&server->memory, sizeof *task);
    unsigned char key[TASK_KEY_LEN];

    if (!task)
        return NULL;
    memset(task, 0, sizeof *task);
    task->port    = (struct tn_port){ .send = port_send, .hold = port_hold, .release = port_release };
    task->server  = server;
    task->account = x->account;
    tn_account_hold(task->account);
    atomic_store(&task->refs, 1);
    pthread_mutex_init(&task->lock, NULL);
    tn_arena_init(&task->arena, &server->memory, 0);
    randombytes_buf(key, sizeof key);
    sodium_bin2hex(task->id, sizeof task->id, key, sizeof key);
    task->caller     = (struct tn_slice){ tn_arena_copy(&task->arena, x->caller.name.at, x->caller.name.len),
                                          x->caller.name.len };
    task->created_ms = task->updated_ms = wall_ms(server);
    task->until_ms                      = server->clock.now_ms(server->clock.user) + TASK_TTL_MS;
    return task;
}

/* The task of a request's taskId, held; NULL when it was answered with an error. */
static struct task *tasks_find(struct tn_exchange *x)
{
    struct tn_slice id   = tn_rpc_text(tn_rpc_get(x->params, "taskId"));
    struct task    *task = NULL;

    if (!(x->abilities & ABILITY_TASKS)) {
        tn_input_needs(x, ABILITY_TASKS, SAY_TASKS_NEEDED);
        return NULL;
    }
    if (!id.at) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_TASK_ID);
        return NULL;
    }
    pthread_mutex_lock(&x->server->lock);
    task = x->server->tasks;
    while (task &&
           !(tn_slice_is(id, task->id) && task->caller.len == x->caller.name.len &&
             memcmp(task->caller.at, x->caller.name.at ? x->caller.name.at : "", task->caller.len) == 0))
        task = task->next;
    if (task)
        tn_task_hold(task);
    pthread_mutex_unlock(&x->server->lock);
    if (!task)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_TASK, tn_exchange_echo(x, id));
    return task;
}

/* ---- Writing ------------------------------------------------------------------------------------------------- */

static void tasks_write_time(struct tn_buf *out, const char *key, int64_t ms)
{
    time_t    seconds = (time_t)(ms / 1000);
    struct tm parts;
    char      text[TIME_ROOM];

    gmtime_r(&seconds, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    tn_result_key(out, key);
    tn_json_string(out, text, strlen(text));
}

static void write_task(struct tn_buf *out, const struct task *task)
{
    tn_result_key(out, "taskId");
    tn_json_string(out, task->id, strlen(task->id));
    tn_result_key(out, "status");
    tn_json_string(out, status_names[task->status], strlen(status_names[task->status]));
    tasks_write_time(out, "createdAt", task->created_ms);
    tasks_write_time(out, "lastUpdatedAt", task->updated_ms);
    tn_result_key(out, "ttlMs");
    tn_buf_int(out, TASK_TTL_MS);
    tn_result_key(out, "pollIntervalMs");
    tn_buf_int(out, TASK_POLL_MS);
}

/* The questions that have no answer yet. With the lock held; the exchange does not run while it asks. */
static void write_open_questions(struct tn_buf *out, const struct task *task)
{
    struct tn_question *open = NULL, **last = &open;

    for (struct tn_question *at = task->x ? task->x->questions : NULL; at; at = at->next) {
        struct tn_question *copy;

        if (tn_input_find(task->x, at->key))
            continue;
        copy = tn_arena_new(out->arena, struct tn_question);
        if (!copy) {
            out->failed = true;
            return;
        }
        *copy      = *at;
        copy->next = NULL;
        *last      = copy;
        last       = &copy->next;
    }
    tn_result_key(out, "inputRequests");
    tn_input_write_questions(out, open);
}

/* ---- Running ------------------------------------------------------------------------------------------------- */

/* Ends what runs, unless it has ended. */
static void cancel(struct task *task)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_WORKING || task->status == TASK_ASKING)
        tasks_touch(task, TASK_CANCELLED);
    x = tasks_let_go(task);
    pthread_mutex_unlock(&task->lock);
    if (x) {
        tn_exchange_cancel(x);
        tn_exchange_release(x);
    }
}

void tn_task_begin(struct tn_exchange *x)
{
    struct task    *task = tn_exchange_may_wait(x) ? tasks_make(x) : NULL;
    struct tn_port *old  = x->port;
    struct tn_buf   out;
    bool            open;

    if (!task || !tasks_enter(x->server, task)) {
        if (task)
            tn_task_release(task);
        tn_tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, SAY_TASKS_MANY, 0);
        return;
    }
    out = tn_result_begin_as(x, "task");
    write_task(&out, task);
    tn_result_close(x, &out);
    if (out.failed) {
        tasks_forget(x->server, task);
        tn_exchange_fail_bare(x);
        return;
    }
    if (x->session)
        tn_session_forget(x->session, x);
    tn_exchange_hold(x);
    task->x = x;
    tn_task_hold(task);
    pthread_mutex_lock(&x->lock);
    x->task = task; /* with the hold of make() */
    open    = x->state == EXCHANGE_OPEN;
    if (open)
        old->send(old, &(struct tn_out){ .kind = OUT_FINAL, .status = 200, .json = { out.at, out.len } });
    x->port = &task->port;
    pthread_mutex_unlock(&x->lock);
    old->release(old);
    if (open)
        tn_exchange_start(x);
    else
        cancel(task); /* no client knows of it: its request was cancelled meanwhile */
}

/* The run has ended with questions: tasks/get shows them. */
void tn_task_asks(struct tn_exchange *x)
{
    struct task *task = x->task;

    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_WORKING)
        tasks_touch(task, TASK_ASKING);
    pthread_mutex_unlock(&task->lock);
}

/* ---- Methods ------------------------------------------------------------------------------------------------- */

void tn_method_tasks_get(struct tn_exchange *x)
{
    struct task  *task = tasks_find(x);
    struct tn_buf out;

    if (!task)
        return;
    out = tn_result_begin(x);
    pthread_mutex_lock(&task->lock);
    write_task(&out, task);
    if (task->status == TASK_ASKING)
        write_open_questions(&out, task);
    if (task->status == TASK_COMPLETED || task->status == TASK_FAILED) {
        tn_result_key(&out, task->status == TASK_COMPLETED ? "result" : "error");
        tn_buf_add(&out, task->answer.at, task->answer.len);
    }
    pthread_mutex_unlock(&task->lock);
    tn_result_end(x, &out);
    tn_task_release(task);
}

/* Why an answer was not taken; NULL when it was. */
static const char *fault_of(enum tn_answered answered)
{
    switch (answered) {
    case ANSWER_TOO_LONG: return SAY_ANSWER_LONG;
    case ANSWER_UNREADABLE: return SAY_ANSWER_UNREADABLE;
    case ANSWER_TOO_MUCH: return SAY_ANSWERS_MANY;
    case ANSWER_NO_MEMORY: return SAY_NO_MEMORY;
    default: return NULL;
    }
}

/* One answer a question: a second one changes nothing, and is not kept. */
static enum tn_answered take_answer(struct tn_exchange *x, struct tn_exchange *asker,
                                    const struct tn_question *question, yyjson_val *responses)
{
    yyjson_val   *value = yyjson_obj_getn(responses, question->key.at, question->key.len);
    struct tn_buf text;

    if (!yyjson_is_obj(value) || tn_input_find(asker, question->key))
        return ANSWER_UNASKED;
    tn_buf_init(&text, &x->arena, 256, INPUT_REPLY_MAX);
    tn_json_value(&text, value);
    return tn_input_take(x, asker, question->key, &text);
}

/* Takes answers to open questions. *all: every question has one. The first fault of an answer is returned, the others are
 * taken all the same. With the lock held. */
static const char *take_answers(struct tn_exchange *x, struct task *task, bool *all)
{
    yyjson_val *responses = tn_rpc_get(x->params, "inputResponses");
    const char *fault     = NULL;

    *all = true;
    for (struct tn_question *at = task->x->questions; at; at = at->next) {
        const char *one = fault_of(take_answer(x, task->x, at, responses));

        fault = fault ? fault : one;
        *all  = *all && tn_input_find(task->x, at->key);
    }
    return fault;
}

void tn_method_tasks_update(struct tn_exchange *x)
{
    struct task        *task    = tasks_find(x);
    struct tn_exchange *resumed = NULL;
    const char         *fault   = NULL;
    bool                all     = false;

    if (!task)
        return;
    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_ASKING && task->x)
        fault = take_answers(x, task, &all);
    if (all) {
        tasks_touch(task, TASK_WORKING);
        resumed = task->x;
        tn_exchange_hold(resumed);
    }
    pthread_mutex_unlock(&task->lock);
    if (resumed) {
        tn_exchange_start(resumed);
        tn_exchange_release(resumed);
    }
    if (fault)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, "%s", fault);
    else
        tn_method_ping(x);
    tn_task_release(task);
}

void tn_method_tasks_cancel(struct tn_exchange *x)
{
    struct task *task = tasks_find(x);

    if (!task)
        return;
    cancel(task);
    tn_method_ping(x);
    tn_task_release(task);
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static void tasks_drop(struct task *task)
{
    cancel(task);
    tn_task_release(task);
}

void tn_tasks_tick(tenon_server *server, int64_t now_ms)
{
    struct task *old = NULL;

    pthread_mutex_lock(&server->lock);
    for (struct task **at = &server->tasks; *at;) {
        struct task *task = *at;

        if (task->until_ms > now_ms) {
            at = &task->next;
            continue;
        }
        take_out(at);
        task->next = old;
        old        = task;
    }
    pthread_mutex_unlock(&server->lock);
    while (old) {
        struct task *next = old->next;

        tasks_drop(old);
        old = next;
    }
}

void tn_tasks_free(tenon_server *server)
{
    tn_tasks_tick(server, INT64_MAX);
}
