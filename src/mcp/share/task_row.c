/* task_row.c - tasks in rows: any replica shows, answers and cancels them; the one that runs a task writes what becomes of it.
 *
 * A write is taken only if the row is as it was read, so that a replica that counted as gone, and whose tasks were given up,
 * cannot bring one back. In its process a task lasts only until the row has its answer.
 */
#include <stdio.h>
#include <string.h>

#include "json/read.h"
#include "json/write.h"
#include "mcp/offer/tasks_inside.h"
#include "mcp/phrases.h"
#include "mcp/share/share.h"

#define NOTHING    ((struct tn_slice){ NULL, 0 })
#define HEAD_MAX   ((size_t)1000 << 10)
#define HEAD_ROOM  24
#define TOO_LONG   "{\"code\":-32603,\"message\":\"" SAY_RESULT_LONG "\"}"
#define IS_LOST    "{\"code\":-32603,\"message\":\"" SAY_TASK_LOST "\"}"

static const struct tn_json_limits head_limits = { .bytes = HEAD_MAX, .depth = 40, .nodes = 65536 };

/* What a row's text says. */
struct head {
    int64_t         created_ms, updated_ms;
    unsigned        rounds;
    yyjson_val     *questions, *answers; /* objects, or NULL */
    struct tn_slice answer;              /* JSON of the result, or of the error */
};

/* ---- The row's text ------------------------------------------------------------------------------------------ */

/* The length of the first part, that part, and the answer as it is: nothing of it is read again. */
static struct tn_slice join(struct tn_arena *arena, const struct tn_buf *head, struct tn_slice answer)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, head->len + answer.len + HEAD_ROOM, SEAL_LONG_MAX);
    tn_buf_uint(&out, head->len);
    tn_buf_char(&out, '\n');
    tn_buf_add(&out, head->at, head->len);
    tn_buf_add(&out, answer.at, answer.len);
    return head->failed ? NOTHING : tn_buf_slice(&out);
}

static void begin_head(struct tn_buf *out, struct tn_arena *arena, const struct head *head)
{
    tn_buf_init(out, arena, 256, HEAD_MAX);
    tn_buf_lit(out, "{\"created\":");
    tn_buf_int(out, head->created_ms);
    tn_buf_lit(out, ",\"updated\":");
    tn_buf_int(out, head->updated_ms);
    tn_buf_lit(out, ",\"rounds\":");
    tn_buf_uint(out, head->rounds);
}

/* With the task's lock. */
static struct tn_slice write_own(struct tn_arena *arena, const struct task *task)
{
    struct tn_buf out;

    begin_head(&out, arena,
               &(struct head){ task->created_ms, task->updated_ms, task->rounds, NULL, NULL, NOTHING });
    if (task->status == TASK_ASKING) {
        tn_buf_lit(&out, ",\"questions\":");
        tn_task_write_questions(&out, task);
    }
    tn_buf_char(&out, '}');
    return join(arena, &out, task->answer);
}

/* False for what is no row of ours. */
static bool read_head(struct tn_arena *arena, struct tn_slice text, struct head *head)
{
    const char         *end = text.len > 0 ? memchr(text.at, '\n', text.len) : NULL;
    size_t              at = end ? (size_t)(end - text.at) + 1 : 0, len = 0;
    struct tn_json_text json;

    for (size_t i = 0; i + 1 < at && len < SEAL_LONG_MAX; i++)
        len = len * 10 + (size_t)(text.at[i] - '0');
    if (!end || len > text.len - at)
        return false;
    json  = tn_json_read(arena, text.at + at, len, &head_limits);
    *head = (struct head){ .created_ms = yyjson_get_sint(tn_rpc_get(json.root, "created")),
                           .updated_ms = yyjson_get_sint(tn_rpc_get(json.root, "updated")),
                           .rounds     = (unsigned)yyjson_get_uint(tn_rpc_get(json.root, "rounds")),
                           .questions  = tn_rpc_get(json.root, "questions"),
                           .answers    = tn_rpc_get(json.root, "answers"),
                           .answer     = { text.at + at + len, text.len - at - len } };
    return json.root != NULL;
}

static void name_row(struct tn_share_row *row, const char *id, struct tn_slice caller)
{
    *row = (struct tn_share_row){ .kind = "task", .bound = caller, .ttl_ms = TASK_TTL_MS };
    snprintf(row->key, sizeof row->key, "%s", id);
}

/* ---- What runs here ------------------------------------------------------------------------------------------ */

static tenon_share_result put_own(struct task *task, struct tn_arena *arena, struct tn_share_row *row)
{
    struct tn_shared *share = task->server->share;

    pthread_mutex_lock(&task->lock);
    row->state = (int)task->status;
    row->done  = tn_task_has_ended(task->status);
    row->text  = write_own(arena, task);
    pthread_mutex_unlock(&task->lock);
    if (row->text.len == 0)
        return arena->failed ? TENON_SHARE_DOWN : TENON_SHARE_FULL;
    return tn_share_put(share, arena, row, task->account, &share->tasks);
}

tenon_share_result tn_share_task_begin(struct task *task)
{
    struct tn_arena     arena;
    struct tn_share_row row;
    tenon_share_result  result;

    tn_arena_init(&arena, &task->server->memory, 0);
    name_row(&row, task->id, task->caller);
    result = put_own(task, &arena, &row);
    tn_arena_rest(&arena, 0);
    return result == TENON_SHARE_OTHER ? TENON_SHARE_DOWN : result;
}

void tn_share_task_save(struct task *task)
{
    struct tn_shared *share = task->server->share;

    pthread_mutex_lock(&share->lock);
    if (!task->is_unsaved) {
        tn_task_hold(task);
        task->is_unsaved    = true;
        task->unsaved       = NULL;
        *share->unsaved_end = task;
        share->unsaved_end  = &task->unsaved;
        pthread_cond_signal(&share->more);
    }
    pthread_mutex_unlock(&share->lock);
}

/* The answer is longer than there is room for: a sentence takes its place. */
static void shorten(struct task *task)
{
    pthread_mutex_lock(&task->lock);
    tn_account_give(task->account, HELD_RESULTS, task->kept);
    task->kept   = 0;
    task->answer = SLICE_LIT(TOO_LONG);
    task->status = TASK_FAILED;
    pthread_mutex_unlock(&task->lock);
}

/* It ended elsewhere, or its row is gone: nothing comes of what runs here. */
static void give_up(struct task *task)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&task->lock);
    if (!tn_task_has_ended(task->status))
        task->status = TASK_CANCELLED;
    x = tn_task_let_go(task);
    pthread_mutex_unlock(&task->lock);
    if (x) {
        tn_exchange_cancel(x);
        tn_exchange_release(x);
    }
    tn_task_forget(task->server, task);
}

/* Has the row these questions already? Its answers must not be overwritten. */
static bool has_asked(struct tn_arena *arena, const struct tn_share_row *row, struct task *task)
{
    struct head head;
    bool        asked = read_head(arena, row->text, &head);

    pthread_mutex_lock(&task->lock);
    asked = asked && task->status == TASK_ASKING && head.rounds == task->rounds;
    pthread_mutex_unlock(&task->lock);
    return asked;
}

static tenon_share_result save_once(struct tn_shared *share, struct task *task, struct tn_arena *arena)
{
    struct tn_share_row row;
    tenon_share_result  result;

    name_row(&row, task->id, task->caller);
    result = tn_share_get(share, arena, &row);
    if (result == TENON_SHARE_OTHER || (result == TENON_SHARE_DONE && row.done)) {
        give_up(task);
        return TENON_SHARE_DONE;
    }
    if (result != TENON_SHARE_DONE || has_asked(arena, &row, task))
        return result;
    result = put_own(task, arena, &row);
    if (result == TENON_SHARE_DONE && row.done)
        tn_task_forget(task->server, task);
    return result;
}

bool tn_share_save_task(struct tn_shared *share, struct task *task)
{
    for (int i = 0; i < SHARE_TURNS; i++) {
        struct tn_arena    arena;
        tenon_share_result result;

        tn_arena_init(&arena, &share->server->memory, 0);
        result = save_once(share, task, &arena);
        tn_arena_rest(&arena, 0);
        if (result == TENON_SHARE_FULL)
            shorten(task);
        else if (result != TENON_SHARE_OTHER)
            return result == TENON_SHARE_DONE;
    }
    return false;
}

/* Takes the answers that others have written; true when every question has one, and it may go on. With the lock held. */
static bool take_answers(struct tn_arena *arena, struct task *task, const struct head *head)
{
    bool all = true;

    for (const struct tn_question *at = task->x->questions; at; at = at->next) {
        yyjson_val   *value = yyjson_obj_getn(head->answers, at->key.at, at->key.len);
        struct tn_buf text;

        if (value && !tn_input_find(task->x, at->key)) {
            tn_buf_init(&text, arena, 256, INPUT_REPLY_MAX);
            tn_json_value(&text, value);
            tn_input_take(arena, task->x, at->key, &text);
        }
        all = all && tn_input_find(task->x, at->key);
    }
    return all;
}

static void go_on(struct tn_arena *arena, struct task *task, const struct head *head)
{
    struct tn_exchange *resumed = NULL;

    pthread_mutex_lock(&task->lock);
    if (task->status == TASK_ASKING && task->x && head->rounds == task->rounds && head->answers &&
        take_answers(arena, task, head)) {
        tn_task_touch(task, TASK_WORKING);
        resumed = task->x;
        tn_exchange_hold(resumed);
    }
    pthread_mutex_unlock(&task->lock);
    if (resumed) {
        tn_exchange_start(resumed);
        tn_exchange_release(resumed);
    }
}

static void look_at(struct tn_shared *share, struct task *task)
{
    struct tn_arena     arena;
    struct tn_share_row row;
    struct head         head;
    tenon_share_result  result;

    tn_arena_init(&arena, &share->server->memory, 0);
    name_row(&row, task->id, task->caller);
    result = tn_share_get(share, &arena, &row);
    if (result == TENON_SHARE_OTHER || (result == TENON_SHARE_DONE && row.done))
        give_up(task);
    else if (result == TENON_SHARE_DONE && read_head(&arena, row.text, &head))
        go_on(&arena, task, &head);
    tn_arena_rest(&arena, 0);
}

void tn_share_task_changed(struct tn_shared *share, struct tn_slice id)
{
    struct task *task = tn_task_known(share->server, id);

    if (!task)
        return;
    look_at(share, task);
    tn_task_release(task);
}

/* One after the other; those that begin meanwhile stand before them. */
void tn_share_tasks_changed(struct tn_shared *share)
{
    tenon_server *server = share->server;
    struct task **all;
    size_t        count = 0, room = 0;

    pthread_mutex_lock(&server->lock);
    for (struct task *at = server->tasks; at; at = at->next)
        room++;
    all = room > 0 ? tn_memory_new(&server->memory, room * sizeof(struct task *)) : NULL;
    for (struct task *at = all ? server->tasks : NULL; at; at = at->next) {
        tn_task_hold(at);
        all[count++] = at;
    }
    pthread_mutex_unlock(&server->lock);
    for (size_t i = 0; i < count; i++) {
        look_at(share, all[i]);
        tn_task_release(all[i]);
    }
    if (all)
        tn_memory_free(&server->memory, all, room * sizeof(struct task *));
}

/* ---- Methods ------------------------------------------------------------------------------------------------- */

static bool is_id(struct tn_slice id)
{
    for (size_t i = 0; i < id.len; i++)
        if (!((id.at[i] >= '0' && id.at[i] <= '9') || (id.at[i] >= 'a' && id.at[i] <= 'f')))
            return false;
    return id.len == TASK_ID_ROOM - 1;
}

/* The row of a request's taskId; false when the request was answered with an error. */
static bool find_row(struct tn_exchange *x, struct tn_share_row *row, struct head *head)
{
    tenon_share_result result = TENON_SHARE_OTHER;
    struct tn_slice    id;
    char               key[TASK_ID_ROOM];

    if (!tn_task_named(x, &id))
        return false;
    if (is_id(id)) {
        memcpy(key, id.at, id.len);
        key[id.len] = '\0';
        name_row(row, key, x->caller.name);
        result = tn_share_get(x->server->share, &x->arena, row);
    }
    if (result == TENON_SHARE_DONE && read_head(&x->arena, row->text, head))
        return true;
    if (result == TENON_SHARE_DOWN || x->arena.failed)
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_SHARE_DOWN);
    else
        tn_task_fail_unknown(x, id);
    return false;
}

static bool is_open(const struct head *head, yyjson_val *key)
{
    return !yyjson_obj_getn(head->answers, yyjson_get_str(key), yyjson_get_len(key));
}

static void write_open(struct tn_buf *out, const struct head *head)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(head->questions);
    yyjson_val     *key;
    size_t          count = 0;

    tn_result_key(out, "inputRequests");
    tn_buf_char(out, '{');
    while ((key = yyjson_obj_iter_next(&members))) {
        if (!is_open(head, key))
            continue;
        if (count++ > 0)
            tn_buf_char(out, ',');
        tn_json_value(out, key);
        tn_buf_char(out, ':');
        tn_json_value(out, yyjson_obj_iter_get_val(key));
    }
    tn_buf_char(out, '}');
}

void tn_share_tasks_get(struct tn_exchange *x)
{
    struct tn_share_row row;
    struct head         head;
    struct tn_buf       out;

    if (!find_row(x, &row, &head))
        return;
    out = tn_result_begin(x);
    tn_task_write(&out, &(struct task_facts){ row.key, (enum task_status)row.state, head.created_ms,
                                              head.updated_ms, TASK_SHARED_POLL_MS });
    if (row.state == TASK_ASKING)
        write_open(&out, &head);
    if (row.state == TASK_COMPLETED || row.state == TASK_FAILED) {
        tn_result_key(&out, row.state == TASK_COMPLETED ? "result" : "error");
        if (head.answer.len > 0)
            tn_buf_add(&out, head.answer.at, head.answer.len);
        else
            tn_buf_lit(&out, IS_LOST); /* given up by others, which cannot write into what is sealed */
    }
    tn_result_end(x, &out);
}

/* The answer of this request to a question, as JSON; empty, with *fault if there is one that cannot be taken. */
static struct tn_slice read_answer(struct tn_exchange *x, yyjson_val *responses, yyjson_val *key,
                                   const char **fault)
{
    yyjson_val         *value = yyjson_obj_getn(responses, yyjson_get_str(key), yyjson_get_len(key));
    struct tn_buf       text;
    struct tn_json_text read;

    if (!yyjson_is_obj(value))
        return NOTHING;
    tn_buf_init(&text, &x->arena, 256, INPUT_REPLY_MAX / 2);
    tn_json_value(&text, value);
    if (text.failed) {
        *fault = tn_task_fault(x->arena.failed ? ANSWER_NO_MEMORY : ANSWER_TOO_LONG);
        return NOTHING;
    }
    read = tn_json_read(&x->arena, text.at, text.len, &head_limits);
    if (read.root && !read.bad_utf8)
        return tn_buf_slice(&text);
    *fault = tn_task_fault(ANSWER_UNREADABLE);
    return NOTHING;
}

/* The row's text with the answers that were there and those of this request; *all: no question is open any more, *some: this
 * request answered one. */
static struct tn_slice write_answered(struct tn_exchange *x, const struct head *head, const char **fault,
                                      bool *all, bool *some)
{
    yyjson_val     *responses = tn_rpc_get(x->params, "inputResponses"), *key;
    yyjson_obj_iter members   = yyjson_obj_iter_with(head->questions);
    struct tn_buf   out;
    size_t          count = 0;

    begin_head(&out, &x->arena, head);
    tn_buf_lit(&out, ",\"questions\":");
    tn_json_value(&out, head->questions);
    tn_buf_lit(&out, ",\"answers\":{");
    *all  = true;
    *some = false;
    while ((key = yyjson_obj_iter_next(&members))) {
        bool            open = is_open(head, key);
        struct tn_slice text = open ? read_answer(x, responses, key, fault) : NOTHING;

        *all  = *all && (!open || text.len > 0);
        *some = *some || text.len > 0;
        if (open && text.len == 0)
            continue;
        if (count++ > 0)
            tn_buf_char(&out, ',');
        tn_json_value(&out, key);
        tn_buf_char(&out, ':');
        if (open)
            tn_buf_add(&out, text.at, text.len);
        else
            tn_json_value(&out, yyjson_obj_getn(head->answers, yyjson_get_str(key), yyjson_get_len(key)));
    }
    tn_buf_lit(&out, "}}");
    return join(&x->arena, &out, NOTHING);
}

/* Writes the row as it is now; OTHER: it must be read again. */
static tenon_share_result put_changed(struct tn_exchange *x, struct tn_share_row *row)
{
    struct tn_shared  *share = x->server->share;
    tenon_share_result result;

    row->keeps_owner = true;
    result           = row->text.len > 0 ? tn_share_put(share, &x->arena, row, x->account, &share->tasks)
                                         : TENON_SHARE_FULL;
    if (result != TENON_SHARE_DONE)
        return result;
    tn_share_note(share, NEWS_TASK, tn_slice_of(row->key));
    tn_share_task_changed(share, tn_slice_of(row->key)); /* it may be of this process */
    return result;
}

static void answer_put(struct tn_exchange *x, tenon_share_result result, const char *fault)
{
    if (!fault && result == TENON_SHARE_FULL)
        fault = tn_task_fault(ANSWER_TOO_MUCH);
    if (fault)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, "%s", fault);
    else if (result == TENON_SHARE_DONE)
        tn_method_ping(x);
    else
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_SHARE_DOWN);
}

void tn_share_tasks_update(struct tn_exchange *x)
{
    tenon_share_result result = TENON_SHARE_OTHER;
    const char        *fault  = NULL;

    for (int i = 0; i < SHARE_TURNS && result == TENON_SHARE_OTHER; i++) {
        struct tn_share_row row;
        struct head         head;
        bool                all = false, some = false;

        if (!find_row(x, &row, &head))
            return;
        fault  = NULL;
        result = TENON_SHARE_DONE;
        if (row.state != TASK_ASKING)
            break;
        row.text = write_answered(x, &head, &fault, &all, &some);
        if (!some)
            break;
        row.state = all ? TASK_WORKING : TASK_ASKING;
        result    = put_changed(x, &row);
    }
    answer_put(x, result, fault);
}

void tn_share_tasks_cancel(struct tn_exchange *x)
{
    tenon_share_result result = TENON_SHARE_OTHER;

    for (int i = 0; i < SHARE_TURNS && result == TENON_SHARE_OTHER; i++) {
        struct tn_share_row row;
        struct head         head;

        if (!find_row(x, &row, &head))
            return;
        result = TENON_SHARE_DONE;
        if (row.done)
            break;
        row.state = TASK_CANCELLED;
        row.done  = true;
        result    = put_changed(x, &row);
    }
    answer_put(x, result, NULL);
}
