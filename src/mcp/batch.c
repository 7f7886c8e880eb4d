/* batch.c - a port that collects the responses of a batch and sends them when all are there. */
#include "mcp/batch.h"

#include <string.h>

#include "base/memory.h"
#include "json/scan.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

#define NOTHING      ((struct tn_slice){ NULL, 0 })
#define BATCH_FAILED "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY "\"}}"

#define BATCH_REFUSED "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"" SAY_BATCH_KEPT "\"}}"

struct batch {
    struct tn_port      port; /* first: it is what exchanges see */
    tenon_server       *server;
    struct tn_port     *outer; /* held */
    struct tn_exchange *whole; /* held: the messages are in its arena, also of calls that go on after it */
    atomic_uint         refs;
    pthread_mutex_t     lock;
    struct tn_arena     arena;
    struct tn_buf       out;
    bool                refused; /* they are more than the caller may have waiting */
    size_t              kept;    /* bytes of answers, HELD_OUTGOING of the caller */
    size_t              missing; /* responses; and 1 until all messages are handed over */
};

static void batch_hold(struct tn_port *port)
{
    atomic_fetch_add(&((struct batch *)port)->refs, 1);
}

static void batch_release(struct tn_port *port)
{
    struct batch *batch  = (struct batch *)port;
    tenon_server *server = batch->server;

    if (atomic_fetch_sub(&batch->refs, 1) != 1)
        return;
    batch->outer->release(batch->outer);
    tn_account_give(batch->whole->account, HELD_OUTGOING, batch->kept);
    tn_exchange_release(batch->whole);
    pthread_mutex_destroy(&batch->lock);
    tn_arena_rest(&batch->arena, 0);
    tn_memory_free(&server->memory, batch, sizeof *batch);
}

static void finish_one(struct batch *batch)
{
    if (--batch->missing > 0)
        return;
    if (batch->out.len > 0 || batch->out.failed) {
        tn_buf_char(&batch->out, ']');
        batch->outer->send(batch->outer,
                           &(struct tn_out){ .kind   = OUT_FINAL,
                                             .status = 200,
                                             .json   = batch->refused      ? SLICE_LIT(BATCH_REFUSED)
                                                       : batch->out.failed ? SLICE_LIT(BATCH_FAILED)
                                                                           : tn_buf_slice(&batch->out) });
    }
}

/* Answers wait for the last of them, on their caller's account. */
static void keep_answer(struct batch *batch, struct tn_slice json)
{
    if (!tn_account_take(batch->whole->account, HELD_OUTGOING, json.len)) {
        batch->out.failed = batch->refused = true;
        return;
    }
    batch->kept += json.len;
    tn_buf_char(&batch->out, batch->out.len > 0 ? ',' : '[');
    tn_buf_add(&batch->out, json.at, json.len);
}

static void batch_send(struct tn_port *port, const struct tn_out *out)
{
    struct batch *batch = (struct batch *)port;

    if (out->kind != OUT_FINAL) {
        batch->outer->send(batch->outer, out);
        return;
    }
    pthread_mutex_lock(&batch->lock);
    if (out->json.len > 0 && !batch->out.failed)
        keep_answer(batch, out->json);
    finish_one(batch);
    pthread_mutex_unlock(&batch->lock);
}

static struct batch *batch_make(struct tn_exchange *whole, struct tn_port *outer)
{
    tenon_server *server = whole->server;
    struct batch *batch  = tn_memory_new(&server->memory, sizeof *batch);

    if (!batch)
        return NULL;
    memset(batch, 0, sizeof *batch);
    batch->port    = (struct tn_port){ .send = batch_send, .hold = batch_hold, .release = batch_release };
    batch->server  = server;
    batch->outer   = outer;
    batch->missing = 1;
    batch->whole   = whole;
    outer->hold(outer);
    tn_exchange_hold(whole);
    atomic_store(&batch->refs, 1);
    pthread_mutex_init(&batch->lock, NULL);
    tn_arena_init(&batch->arena, &server->memory, 0);
    tn_buf_init(&batch->out, &batch->arena, 0, RESULT_LEN_MAX);
    return batch;
}

/* One message of the batch. Whoever passes on the text of a message gets this one alone. */
static void hand_over(struct batch *batch, const struct tn_message_in *in, yyjson_val *message,
                      struct tn_slice text)
{
    struct tn_message_in one = *in;
    struct tn_exchange  *x, *later = NULL;
    enum tn_received     received;

    one.port  = &batch->port;
    one.bytes = text;
    x         = tn_receive_begin(batch->server, &one);
    if (!x) {
        pthread_mutex_lock(&batch->lock);
        batch->out.failed = true;
        pthread_mutex_unlock(&batch->lock);
        return;
    }
    pthread_mutex_lock(&batch->lock);
    batch->missing++;
    pthread_mutex_unlock(&batch->lock);
    x->batched  = true;
    x->bad_utf8 = batch->whole->bad_utf8;
    x->nodes    = batch->whole->nodes; /* of the whole text */
    x->bytes_in = batch->whole->bytes_in;
    received    = tn_receive_value(x, &one, message, &later);
    if (tn_received_runs(received))
        tn_exchange_start(later);
    tn_exchange_release(later);
    tn_exchange_release(x);
    if (received == RECEIVED_TAKEN || received == RECEIVED_RESUMED) {
        pthread_mutex_lock(&batch->lock);
        finish_one(batch);
        pthread_mutex_unlock(&batch->lock);
    }
}

/* Of which revision is the client? Messages with an envelope of their own have no place here. */
static const char *fault_of(const struct tn_exchange *x, const struct tn_message_in *in, yyjson_val *array)
{
    yyjson_arr_iter items;
    yyjson_val     *item;
    enum tn_version version = VERSION_SILENT;

    if (yyjson_arr_size(array) == 0)
        return SAY_BATCH_EMPTY;
    yyjson_arr_iter_init(array, &items);
    while ((item = yyjson_arr_iter_next(&items)))
        if (tn_rpc_get(tn_rpc_get(tn_rpc_get(item, "params"), "_meta"), META_VERSION))
            return SAY_BATCH_ONCE;
    if (in->http && in->http->version.len > 0)
        version = tn_version_of(in->http->version);
    else if (x->session && x->session->initialized)
        version = x->session->version;
    return version == V2025_03_26 ? NULL : SAY_BATCH;
}

/* The text of the next message: they stand in the order of the values. */
static struct tn_slice next_text(struct tn_scan *scan, char mark)
{
    size_t first;

    if (!tn_scan_take(scan, mark))
        return (struct tn_slice){ "", 0 };
    tn_scan_skip_spaces(scan);
    first = scan->next;
    tn_scan_skip_value(scan);
    return (struct tn_slice){ scan->at + first, scan->next - first };
}

enum tn_received tn_batch_receive(struct tn_exchange *x, const struct tn_message_in *in, yyjson_val *array,
                                  struct tn_exchange **exchange)
{
    const char     *fault = fault_of(x, in, array);
    struct batch   *batch;
    yyjson_arr_iter items;
    yyjson_val     *item;
    struct tn_scan  scan = tn_scan_of(in->bytes);
    char            mark = '[';
    bool            answers, pending;

    (void)exchange;
    if (fault || yyjson_arr_size(array) > BATCH_MAX) {
        tn_exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, fault ? fault : SAY_BATCH_LONG, BATCH_MAX);
        return RECEIVED_ANSWERED;
    }
    batch = tn_exchange_may_wait(x) ? batch_make(x, in->port)
                                    : NULL; /* the text is kept until the last answer */
    if (!batch) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, x->waits > 0 ? SAY_NO_MEMORY : SAY_BATCH_WAITS);
        return RECEIVED_ANSWERED;
    }
    yyjson_arr_iter_init(array, &items);
    for (; (item = yyjson_arr_iter_next(&items)); mark = ',')
        hand_over(batch, in, item, next_text(&scan, mark));
    pthread_mutex_lock(&batch->lock);
    answers = batch->out.len > 0 || batch->out.failed;
    pending = batch->missing > 1;
    finish_one(batch);
    pthread_mutex_unlock(&batch->lock);
    batch_release(&batch->port);
    return pending ? RECEIVED_PENDING : answers ? RECEIVED_ANSWERED : RECEIVED_TAKEN;
}
