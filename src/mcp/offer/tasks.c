/* tasks.c - tasks, in one list of the server's.
 *
 * The exchange of the request goes on as the task's: its port is changed for one that keeps the answer. The task holds its
 * exchange until there is an answer; the thread that runs the exchange holds it, too.
 */
#define _POSIX_C_SOURCE 200809L
#include "mcp/offer/tasks_inside.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "mcp/ask/input.h"
#include "mcp/offer/tools.h"
#include "mcp/phrases.h"
#include "mcp/session.h"
#include "mcp/share/share.h"

#define NOTHING   ((struct tn_slice){ NULL, 0 })
#define TIME_ROOM 32
#define NO_MEMORY "{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY "\"}"
#define NO_ROOM   "{\"code\":-32603,\"message\":\"" SAY_RESULT_LONG "\"}"

static const char *const status_names[] = {
    [TASK_WORKING] = "working", [TASK_ASKING] = "input_required", [TASK_COMPLETED] = "completed",
    [TASK_FAILED] = "failed",   [TASK_CANCELLED] = "cancelled",
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

struct tn_exchange *tn_task_let_go(struct task *task)
{
    struct tn_exchange *x = task->x;

    task->x = NULL;
    return x;
}

static int64_t wall_ms(const tenon_server *server)
{
    return server->clock.wall_ms(server->clock.user);
}

void tn_task_touch(struct task *task, enum task_status status)
{
    task->status     = status;
    task->updated_ms = wall_ms(task->server);
    task->rounds += status == TASK_ASKING;
    if (task->server->share)
        tn_share_task_save(task);
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

static size_t result_max(const struct task *task)
{
    return task->server->share ? TASK_SHARED_RESULT_MAX : TASK_RESULT_MAX;
}

/* Keeps the answer, if its caller has room for it; else what says that there was none. With the lock held. */
static void keep_answer(struct task *task, struct tn_slice part, bool failed)
{
    const char *fault = NULL;
    char       *copy  = NULL;

    if (part.len > result_max(task) || !tn_account_take(task->account, HELD_RESULTS, part.len))
        fault = NO_ROOM;
    else
        task->kept = part.len;
    if (!fault)
        copy = tn_arena_copy(&task->arena, part.at, part.len);
    if (!fault && !copy)
        fault = NO_MEMORY;
    task->answer = fault ? tn_slice_of(fault) : (struct tn_slice){ copy, part.len };
    tn_task_touch(task, failed || fault ? TASK_FAILED : TASK_COMPLETED);
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
    x = tn_task_let_go(task);
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
    ended = tn_task_has_ended(task->status);
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

void tn_task_forget(tenon_server *server, struct task *task)
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
}

struct task *tn_task_known(tenon_server *server, struct tn_slice id)
{
    struct task *task;

    pthread_mutex_lock(&server->lock);
    task = server->tasks;
    while (task && !tn_slice_is(id, task->id))
        task = task->next;
    if (task)
        tn_task_hold(task);
    pthread_mutex_unlock(&server->lock);
    return task;
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

bool tn_task_named(struct tn_exchange *x, struct tn_slice *id)
{
    *id = tn_rpc_text(tn_rpc_get(x->params, "taskId"));
    if (!(x->abilities & ABILITY_TASKS))
        tn_input_needs(x, ABILITY_TASKS, SAY_TASKS_NEEDED);
    else if (!id->at)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_TASK_ID);
    else
        return true;
    return false;
}

void tn_task_fail_unknown(struct tn_exchange *x, struct tn_slice id)
{
    tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_TASK, tn_exchange_echo(x, id));
}

/* The task of a request's taskId, held; NULL when it was answered with an error. */
static struct task *tasks_find(struct tn_exchange *x)
{
    struct tn_slice id;
    struct task    *task = NULL;

    if (!tn_task_named(x, &id))
        return NULL;
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
        tn_task_fail_unknown(x, id);
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

void tn_task_write(struct tn_buf *out, const struct task_facts *facts)
{
    tn_result_key(out, "taskId");
    tn_json_string(out, facts->id, strlen(facts->id));
    tn_result_key(out, "status");
    tn_json_string(out, status_names[facts->status], strlen(status_names[facts->status]));
    tasks_write_time(out, "createdAt", facts->created_ms);
    tasks_write_time(out, "lastUpdatedAt", facts->updated_ms);
    tn_result_key(out, "ttlMs");
    tn_buf_int(out, TASK_TTL_MS);
    tn_result_key(out, "pollIntervalMs");
    tn_buf_int(out, facts->poll_ms);
}

static void write_task(struct tn_buf *out, const struct task *task)
{
    tn_task_write(out, &(struct task_facts){ .id         = task->id,
                                             .status     = task->status,
                                             .created_ms = task->created_ms,
                                             .updated_ms = task->updated_ms,
                                             .poll_ms    = task->server->share ? TASK_SHARED_POLL_MS
                                                                               : TASK_POLL_MS });
}

void tn_task_write_questions(struct tn_buf *out, const struct task *task)
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
    tn_input_write_questions(out, open);
}

/* ---- Running ------------------------------------------------------------------------------------------------- */

void tn_task_cancel(struct task *task)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_WORKING || task->status == TASK_ASKING)
        tn_task_touch(task, TASK_CANCELLED);
    x = tn_task_let_go(task);
    pthread_mutex_unlock(&task->lock);
    if (x) {
        tn_exchange_cancel(x);
        tn_exchange_release(x);
    }
}

/* A task that is listed, and has its row; NULL when the request was answered with what is in the way. */
static struct task *tasks_new(struct tn_exchange *x)
{
    struct task       *task   = tn_exchange_may_wait(x) ? tasks_make(x) : NULL;
    bool               listed = task && tasks_enter(x->server, task);
    tenon_share_result kept   = listed ? TENON_SHARE_DONE : TENON_SHARE_FULL;

    if (listed && x->server->share)
        kept = tn_share_task_begin(task);
    if (kept == TENON_SHARE_DONE)
        return task;
    if (listed)
        tn_task_forget(x->server, task);
    if (task)
        tn_task_release(task);
    if (kept == TENON_SHARE_DOWN)
        tn_tools_answer_instead(x, TENON_CODE_UNAVAILABLE, SAY_SHARE_DOWN, 0);
    else
        tn_tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, SAY_TASKS_MANY, 0);
    return NULL;
}

void tn_task_begin(struct tn_exchange *x)
{
    struct task    *task = tasks_new(x);
    struct tn_port *old  = x->port;
    struct tn_buf   out;
    bool            open;

    if (!task)
        return;
    out = tn_result_begin_as(x, "task");
    write_task(&out, task);
    tn_result_close(x, &out);
    if (out.failed) {
        tn_task_forget(x->server, task);
        tn_task_release(task);
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
        tn_task_cancel(task); /* no client knows of it: its request was cancelled meanwhile */
}

/* The run has ended with questions: tasks/get shows them. */
void tn_task_asks(struct tn_exchange *x)
{
    struct task *task = x->task;

    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_WORKING)
        tn_task_touch(task, TASK_ASKING);
    pthread_mutex_unlock(&task->lock);
}

/* ---- Methods ------------------------------------------------------------------------------------------------- */

void tn_method_tasks_get(struct tn_exchange *x)
{
    struct task  *task;
    struct tn_buf out;

    if (x->server->share) {
        tn_share_tasks_get(x);
        return;
    }
    task = tasks_find(x);
    if (!task)
        return;
    out = tn_result_begin(x);
    pthread_mutex_lock(&task->lock);
    write_task(&out, task);
    if (task->status == TASK_ASKING) {
        tn_result_key(&out, "inputRequests");
        tn_task_write_questions(&out, task);
    }
    if (task->status == TASK_COMPLETED || task->status == TASK_FAILED) {
        tn_result_key(&out, task->status == TASK_COMPLETED ? "result" : "error");
        tn_buf_add(&out, task->answer.at, task->answer.len);
    }
    pthread_mutex_unlock(&task->lock);
    tn_result_end(x, &out);
    tn_task_release(task);
}

const char *tn_task_fault(enum tn_answered answered)
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
    return tn_input_take(&x->arena, asker, question->key, &text);
}

/* Takes answers to open questions. *all: every question has one. The first fault of an answer is returned, the others are
 * taken all the same. With the lock held. */
static const char *take_answers(struct tn_exchange *x, struct task *task, bool *all)
{
    yyjson_val *responses = tn_rpc_get(x->params, "inputResponses");
    const char *fault     = NULL;

    *all = true;
    for (struct tn_question *at = task->x->questions; at; at = at->next) {
        const char *one = tn_task_fault(take_answer(x, task->x, at, responses));

        fault = fault ? fault : one;
        *all  = *all && tn_input_find(task->x, at->key);
    }
    return fault;
}

void tn_method_tasks_update(struct tn_exchange *x)
{
    struct task        *task;
    struct tn_exchange *resumed = NULL;
    const char         *fault   = NULL;
    bool                all     = false;

    if (x->server->share) {
        tn_share_tasks_update(x);
        return;
    }
    task = tasks_find(x);
    if (!task)
        return;
    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_ASKING && task->x)
        fault = take_answers(x, task, &all);
    if (all) {
        tn_task_touch(task, TASK_WORKING);
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
    struct task *task;

    if (x->server->share) {
        tn_share_tasks_cancel(x);
        return;
    }
    task = tasks_find(x);
    if (!task)
        return;
    tn_task_cancel(task);
    tn_method_ping(x);
    tn_task_release(task);
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static void tasks_drop(struct task *task)
{
    tn_task_cancel(task);
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
