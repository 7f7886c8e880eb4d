/* stdio.c - one client at the two ends of a pipe.
 *
 * Input and output are polled and read and written here, not by libuv's streams, so that no message costs an allocation.
 * What answers while the loop's other callbacks run is appended to `out`, and written before the loop waits again. Other
 * threads append to `mail`, and the first of them posts a message.
 *
 * It goes through three stages: open; draining, when no more is read but what runs may still answer; over.
 */
#define _GNU_SOURCE
#include "net/stdio/stdio.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "mcp/batch.h"
#include "net/runner.h"
#include "net/stdio/lines.h"
#include "net/stdio/out.h"

#define LINE_BYTES_MAX ((size_t)4 << 20)  /* when the settings say nothing */
#define OUT_HIGH       ((size_t)1 << 20)  /* not taken by the client: then nothing more is read from it ... */
#define OUT_LOW        ((size_t)64 << 10) /* ... until so little is left */
#define NOTES_MAX      ((size_t)4 << 20)  /* not taken by the client: notifications are dropped beyond */

enum stage { STAGE_OPEN, STAGE_DRAINING, STAGE_OVER };

struct end {
    int  fd, flags; /* flags as they were */
    bool is_socket, is_polled;
};

struct stdio {
    struct tn_port     port; /* first: src/mcp has its address */
    atomic_size_t      holds;
    struct tn_serving *serving;
    struct tn_loop    *loop;
    tenon_allocator    memory;
    struct tn_session *session;
    struct tn_account *account; /* held */
    void (*over)(void *user);
    void *user;

    struct end          in, out;
    struct tn_lines     lines;
    struct tn_slice     line; /* that is to be taken next, with what it is; else LINE_NONE */
    enum tn_line_next   line_is;
    size_t              calls_max; /* of the client with the workers */
    struct tn_out_bytes waiting;   /* to be written */
    enum stage          stage;
    bool                paused;        /* the client does not read */
    bool                at_call_limit; /* it has all the calls that it may have: `room_message` will come */
    bool                broken;        /* an answer is lost */
    bool                mail_left;     /* some was not taken */
    bool                ended;         /* the input has */
    bool                quiet;         /* no call is in flight any more */
    bool                watching;      /* for `idle_message` */
    size_t              handles;       /* not closed yet */
    size_t              bytes;         /* read so far */
    uv_poll_t           readable, writable;
    uv_idle_t           reading; /* in the place of `readable`, for files */
    uv_prepare_t        flushing;
    uv_timer_t          grace;
    struct tn_loop_message idle_message, room_message;

    pthread_mutex_t        lock;   /* of what follows */
    bool                   gone;   /* nothing is taken any more */
    bool                   mailed; /* the message is on its way */
    bool                   lossy;  /* memory was refused: an answer is lost */
    struct tn_out_bytes    mail;
    atomic_size_t          mail_len; /* of it; read without the lock */
    struct tn_loop_message mail_message;
};

static void drain(struct stdio *stdio);
static void on_grace_over(uv_timer_t *handle);
static void stdio_finish(struct stdio *stdio);

/* ---- Holding --------------------------------------------------------------------------------------------- */

static void stdio_hold(struct tn_port *port)
{
    atomic_fetch_add(&((struct stdio *)port)->holds, 1);
}

static void stdio_release(struct tn_port *port)
{
    struct stdio   *stdio = (struct stdio *)port;
    tenon_allocator memory;

    if (atomic_fetch_sub(&stdio->holds, 1) != 1)
        return;
    memory = stdio->memory;
    tn_lines_free(&stdio->lines);
    tn_out_free(&stdio->waiting);
    tn_out_free(&stdio->mail);
    tn_account_release(stdio->account);
    pthread_mutex_destroy(&stdio->lock);
    tn_memory_free(&memory, stdio, sizeof *stdio);
}

/* ---- Writing --------------------------------------------------------------------------------------------- */

/* The client has closed its end, or an answer is lost: it would wait for ever, and must see that something is wrong. */
static void stdio_give_up(struct stdio *stdio)
{
    tn_out_taken(&stdio->waiting, tn_out_len(&stdio->waiting));
    tn_stdio_stop(stdio, true);
}

static ssize_t write_some(const struct end *end, const char *at, size_t len)
{
    ssize_t done;

    do
        done = end->is_socket ? send(end->fd, at, len, MSG_NOSIGNAL | MSG_DONTWAIT) : write(end->fd, at, len);
    while (done < 0 && errno == EINTR);
    return done;
}

static void on_writable(uv_poll_t *handle, int status, int events);

static bool is_waiting(const struct stdio *stdio)
{
    return stdio->out.is_polled && uv_is_active((const uv_handle_t *)&stdio->writable);
}

/* Writes as much as is taken; waits for the rest. False when the client is gone. */
static bool flush(struct stdio *stdio)
{
    struct tn_out_bytes *waiting = &stdio->waiting;

    while (tn_out_len(waiting) > 0) {
        ssize_t done = write_some(&stdio->out, waiting->at + waiting->begin, tn_out_len(waiting));

        if (done < 0 && errno != EAGAIN)
            return false;
        if (done < 0)
            return !stdio->out.is_polled || uv_poll_start(&stdio->writable, UV_WRITABLE, on_writable) == 0;
        tn_out_taken(waiting, (size_t)done);
    }
    if (is_waiting(stdio)) /* each time costs a call of the system */
        uv_poll_stop(&stdio->writable);
    return true;
}

/* Takes what other threads have sent, unless the client is too slow already: then it stays where its bound is. */
static void take_mail(struct stdio *stdio)
{
    stdio->mail_left = tn_out_len(&stdio->waiting) > OUT_HIGH;
    if (stdio->mail_left)
        return;
    pthread_mutex_lock(&stdio->lock);
    if (!tn_out_move(&stdio->waiting, &stdio->mail) || stdio->lossy)
        stdio->broken = true;
    atomic_store_explicit(&stdio->mail_len, tn_out_len(&stdio->mail), memory_order_relaxed);
    pthread_mutex_unlock(&stdio->lock);
}

/* Everything that there is, as far as the client takes it. False when it is gone, or something for it is lost. */
static bool stdio_write_all(struct stdio *stdio)
{
    for (;;) {
        if (stdio->broken || (tn_out_len(&stdio->waiting) > 0 && !flush(stdio)))
            return false;
        if (!stdio->mail_left || tn_out_len(&stdio->waiting) > OUT_HIGH)
            return true;
        take_mail(stdio);
    }
}

/* Before the loop waits: everything that this turn produced, in one write. */
static void on_turn(uv_prepare_t *handle)
{
    struct stdio *stdio = handle->data;

    if (stdio->broken || (!is_waiting(stdio) && !stdio_write_all(stdio)))
        stdio_give_up(stdio);
    else if (stdio->quiet && tn_out_len(&stdio->waiting) == 0)
        stdio_finish(stdio);
}

/* Is there room for it? Notifications may be lost, answers must not be. */
static bool wanted(const struct tn_out_bytes *bytes, const struct tn_out *out)
{
    return out->kind != OUT_NOTE || tn_out_len(bytes) < NOTES_MAX;
}

static void on_mail(struct tn_loop_message *message)
{
    struct stdio *stdio = (struct stdio *)(void *)((char *)message - offsetof(struct stdio, mail_message));

    pthread_mutex_lock(&stdio->lock);
    stdio->mailed = false;
    pthread_mutex_unlock(&stdio->lock);
    if (stdio->stage != STAGE_OVER)
        take_mail(stdio);
    stdio_release(&stdio->port);
}

/* Posted under the lock: a thread that sees that the client is not gone sees that the loop is not, either. */
static void send_from_elsewhere(struct stdio *stdio, const struct tn_out *out)
{
    pthread_mutex_lock(&stdio->lock);
    if (!stdio->gone && wanted(&stdio->mail, out)) {
        if (!tn_out_line(&stdio->mail, out->json))
            stdio->lossy = true;
        atomic_store_explicit(&stdio->mail_len, tn_out_len(&stdio->mail), memory_order_relaxed);
        if (!stdio->mailed) {
            stdio->mailed = true;
            stdio_hold(&stdio->port);
            tn_loop_post(stdio->loop, &stdio->mail_message);
        }
    }
    pthread_mutex_unlock(&stdio->lock);
}

static void send_out(struct tn_port *port, const struct tn_out *out)
{
    struct stdio *stdio = (struct stdio *)port;

    if (out->json.len == 0) /* of a cancelled call */
        return;
    if (!tn_loop_is_here(stdio->loop))
        send_from_elsewhere(stdio, out);
    else if (stdio->stage != STAGE_OVER && wanted(&stdio->waiting, out) &&
             !tn_out_line(&stdio->waiting, out->json))
        stdio->broken = true; /* ended in on_turn(), not below whatever sends this */
}

/* ---- Reading --------------------------------------------------------------------------------------------- */

static void stdio_receive(struct stdio *stdio, struct tn_slice line)
{
    struct tn_message_in in = {
        .bytes = line, .account = stdio->account, .session = stdio->session, .port = &stdio->port
    };
    struct tn_exchange *exchange = NULL;

    if (tn_received_runs(tn_mcp_receive(stdio->serving->server, &in, &exchange)))
        tn_runner_start(stdio->serving, exchange);
    if (exchange)
        tn_exchange_release(exchange);
}

static void take_line(struct stdio *stdio, enum tn_line_next next, struct tn_slice line)
{
    if (next == LINE_TOO_LONG)
        tn_mcp_refuse_long(stdio->serving->server, &(struct tn_message_in){ .bytes   = line,
                                                                            .session = stdio->session,
                                                                            .port    = &stdio->port });
    else if (next == LINE_READ && !tn_slice_blank(line))
        stdio_receive(stdio, line);
}

static void stop_reading(struct stdio *stdio)
{
    if (stdio->in.is_polled)
        uv_poll_stop(&stdio->readable);
    else
        uv_idle_stop(&stdio->reading);
}

/* Does the client take its answers? Everything that is held for it counts, also what comes from other threads. */
static bool is_taking(struct stdio *stdio)
{
    size_t mailed = atomic_load_explicit(&stdio->mail_len, memory_order_relaxed);

    if (tn_out_len(&stdio->waiting) + mailed <= OUT_HIGH)
        return true;
    take_mail(stdio);
    if (stdio->broken || !flush(stdio)) {
        stdio_give_up(stdio);
        return false;
    }
    stdio->paused = tn_out_len(&stdio->waiting) > OUT_HIGH;
    return !stdio->paused;
}

/* How many calls a line may begin. */
static size_t calls_of(struct tn_slice line)
{
    while (line.len > 0 && (*line.at == ' ' || *line.at == '\t'))
        line = (struct tn_slice){ line.at + 1, line.len - 1 };
    return line.len > 0 && *line.at == '[' ? BATCH_MAX : 1;
}

/* How many calls may be with the workers: one after the other, when their messages are so long that they fill what may wait. */
static size_t most_calls(const struct stdio *stdio)
{
    size_t most = tn_ledger_most(stdio->account->ledger, HELD_WAITING);

    return tn_account_holds(stdio->account, HELD_WAITING) > most / 2 ? 1 : stdio->calls_max;
}

/* May the next line begin what it wants to begin? As a rule nothing is in flight, which is quickly seen. */
static bool has_room(struct stdio *stdio)
{
    if (stdio->line_is != LINE_READ || atomic_load(&stdio->serving->in_flight) == 0)
        return true;
    if (stdio->at_call_limit)
        return !tn_mcp_may_call(stdio->serving->server, tn_slice_trim(stdio->line));
    if (tn_runner_room(stdio->serving, calls_of(stdio->line), most_calls(stdio), stdio->loop,
                       &stdio->room_message))
        return true;
    stdio->at_call_limit = true;
    stdio_hold(&stdio->port); /* for the message, which is opened on this thread, and so not before */
    tn_loop_hold(stdio->loop);
    return !tn_mcp_may_call(stdio->serving->server, tn_slice_trim(stdio->line));
}

/* The next line, which stays so until it is taken. False when there is none. */
static bool find_line(struct stdio *stdio)
{
    if (stdio->line_is == LINE_NONE)
        stdio->line_is = tn_lines_next(&stdio->lines, &stdio->line);
    if (stdio->line_is == LINE_NONE && stdio->ended)
        stdio->line_is = tn_lines_last(&stdio->lines, &stdio->line);
    return stdio->line_is != LINE_NONE;
}

/* The client has closed its end, and its calls do not come to theirs: what is not read yet waits for them no longer than calls
 * that run when the input ends. One that ends meanwhile begins that time anew, in on_room(). */
static void on_hangup(uv_poll_t *handle, int status, int events)
{
    struct stdio *stdio = handle->data;

    (void)status, (void)events;
    uv_poll_stop(handle);
    uv_timer_start(&stdio->grace, on_grace_over, (uint64_t)stdio->serving->settings->grace_ms, 0);
}

/* Nothing is read while there is no room for more calls, so that the end of the input is not seen, either. */
static void watch_for_end(struct stdio *stdio)
{
    if (stdio->ended)
        uv_timer_start(&stdio->grace, on_grace_over, (uint64_t)stdio->serving->settings->grace_ms, 0);
    else if (stdio->in.is_polled)
        uv_poll_start(&stdio->readable, UV_DISCONNECT, on_hangup);
}

/* A call waits for room. Without one, reading goes on in a crowd: what comes may be a cancellation. */
static bool is_held_up(const struct stdio *stdio)
{
    return stdio->at_call_limit && stdio->line_is != LINE_NONE;
}

/* Handles what was read, as long as the client takes the answers, and has room for more calls. */
static void handle_lines(struct stdio *stdio)
{
    while (stdio->stage == STAGE_OPEN && is_taking(stdio) && find_line(stdio) && has_room(stdio)) {
        enum tn_line_next next = stdio->line_is;

        stdio->line_is = LINE_NONE;
        take_line(stdio, next, stdio->line);
    }
    if (stdio->paused || is_held_up(stdio))
        stop_reading(stdio);
    else if (stdio->ended)
        drain(stdio);
    if (is_held_up(stdio) && stdio->stage == STAGE_OPEN)
        watch_for_end(stdio);
}

static void read_some(struct stdio *stdio)
{
    size_t  len;
    char   *at = tn_lines_room(&stdio->lines, &len);
    ssize_t got;

    do
        got = read(stdio->in.fd, at, len);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN)
        return;
    if (got > 0) {
        stdio->bytes += (size_t)got;
        tn_lines_added(&stdio->lines, (size_t)got);
    } else { /* an input that fails has ended, too */
        stdio->ended = true;
        stop_reading(stdio);
    }
    handle_lines(stdio);
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    (void)status, (void)events; /* an error shows when it is read */
    read_some(handle->data);
}

static void on_reading(uv_idle_t *handle)
{
    read_some(handle->data);
}

static bool start_reading(struct stdio *stdio)
{
    if (stdio->in.is_polled)
        return uv_poll_start(&stdio->readable, UV_READABLE, on_readable) == 0;
    return uv_idle_start(&stdio->reading, on_reading) == 0;
}

/* What had to wait before it was handled, and then what was not read yet. */
static void read_on(struct stdio *stdio)
{
    if (stdio->stage != STAGE_OPEN || stdio->paused || is_held_up(stdio))
        return;
    handle_lines(stdio);
    if (stdio->stage == STAGE_OPEN && !stdio->paused && !is_held_up(stdio) && !stdio->ended &&
        !start_reading(stdio))
        stdio_give_up(stdio);
}

static void on_room(struct tn_loop_message *message)
{
    struct stdio *stdio = (struct stdio *)(void *)((char *)message - offsetof(struct stdio, room_message));

    stdio->at_call_limit = false;
    tn_loop_release(stdio->loop);
    if (stdio->stage == STAGE_OPEN) {
        stop_reading(stdio); /* on_hangup() */
        uv_timer_stop(&stdio->grace);
    }
    read_on(stdio);
    stdio_release(&stdio->port);
}

static void on_writable(uv_poll_t *handle, int status, int events)
{
    struct stdio *stdio = handle->data;

    (void)events;
    if (status != 0 || !stdio_write_all(stdio)) {
        stdio_give_up(stdio);
        return;
    }
    if (stdio->paused && tn_out_len(&stdio->waiting) <= OUT_LOW) {
        stdio->paused = false;
        read_on(stdio);
    }
}

/* ---- Ending ---------------------------------------------------------------------------------------------- */

static void on_idle(struct tn_loop_message *message)
{
    struct stdio *stdio = (struct stdio *)(void *)((char *)message - offsetof(struct stdio, idle_message));

    stdio->watching = false;
    stdio->quiet    = true; /* and when all is written, on_turn() finishes */
    stdio_release(&stdio->port);
}

static void on_grace_over(uv_timer_t *handle)
{
    stdio_finish(handle->data);
}

static void drain(struct stdio *stdio)
{
    if (stdio->stage != STAGE_OPEN)
        return;
    stdio->stage = STAGE_DRAINING;
    stop_reading(stdio);
    uv_timer_start(&stdio->grace, on_grace_over, (uint64_t)stdio->serving->settings->grace_ms, 0);
    stdio->watching = true;
    stdio_hold(&stdio->port);
    tn_runner_notify(stdio->serving, stdio->loop, &stdio->idle_message);
}

static void on_closed(uv_handle_t *handle)
{
    struct stdio *stdio = handle->data;

    if (--stdio->handles > 0)
        return;
    fcntl(stdio->in.fd, F_SETFL, stdio->in.flags);
    fcntl(stdio->out.fd, F_SETFL, stdio->out.flags);
    close(stdio->in.fd);
    close(stdio->out.fd);
    if (stdio->over)
        stdio->over(stdio->user);
}

static void close_handles(struct stdio *stdio)
{
    if (stdio->in.is_polled)
        uv_close((uv_handle_t *)&stdio->readable, on_closed);
    else
        uv_close((uv_handle_t *)&stdio->reading, on_closed);
    if (stdio->out.is_polled)
        uv_close((uv_handle_t *)&stdio->writable, on_closed);
    uv_close((uv_handle_t *)&stdio->flushing, on_closed);
    uv_close((uv_handle_t *)&stdio->grace, on_closed);
}

static void stdio_finish(struct stdio *stdio)
{
    if (stdio->stage == STAGE_OVER)
        return;
    stdio->stage = STAGE_OVER;
    if (stdio->watching && tn_runner_forget(stdio->serving, &stdio->idle_message))
        stdio_release(&stdio->port);
    if (stdio->at_call_limit && tn_runner_forget(stdio->serving, &stdio->room_message)) {
        tn_loop_release(stdio->loop);
        stdio_release(&stdio->port);
    }
    tn_runner_watch(stdio->serving, NULL);
    pthread_mutex_lock(&stdio->lock);
    stdio->gone = true;
    pthread_mutex_unlock(&stdio->lock);
    tn_session_end(stdio->session);
    stdio->session = NULL;
    close_handles(stdio);
}

size_t tn_stdio_bytes(const struct stdio *stdio)
{
    return stdio->bytes;
}

void tn_stdio_stop(struct stdio *stdio, bool now)
{
    if (now)
        stdio_finish(stdio);
    else
        drain(stdio);
}

void tn_stdio_free(struct stdio *stdio)
{
    if (stdio)
        stdio_release(&stdio->port);
}

/* ---- Beginning ------------------------------------------------------------------------------------------- */

static struct end end_of(int fd)
{
    struct stat about;

    return (struct end){ .fd        = fd,
                         .flags     = fcntl(fd, F_GETFL),
                         .is_socket = fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode) };
}

static void init_handles(struct stdio *stdio)
{
    uv_loop_t *uv = &stdio->loop->uv;

    /* Files cannot be polled: they are always ready. */
    stdio->in.is_polled  = uv_poll_init(uv, &stdio->readable, stdio->in.fd) == 0;
    stdio->out.is_polled = uv_poll_init(uv, &stdio->writable, stdio->out.fd) == 0;
    if (!stdio->in.is_polled)
        uv_idle_init(uv, &stdio->reading);
    uv_prepare_init(uv, &stdio->flushing);
    uv_timer_init(uv, &stdio->grace);
    stdio->handles       = 3u + stdio->out.is_polled;
    stdio->readable.data = stdio->writable.data = stdio->reading.data = stdio->flushing.data =
        stdio->grace.data                                             = stdio;
    uv_prepare_start(&stdio->flushing, on_turn);
    uv_unref((uv_handle_t *)&stdio->flushing);
}

/* What surely fits into the workers' queue, also when all but one of them are lost; but never less than keeps all of them
 * busy. There are no other callers beside a pipe. */
static size_t calls_max(const struct tn_settings *settings)
{
    size_t queue   = settings->queue > 0 ? (size_t)settings->queue : 0;
    size_t workers = settings->workers > 0 ? (size_t)settings->workers : 1;
    size_t most    = queue + 1;

    if (most < workers)
        most = workers;
    return settings->calls > 0 && settings->calls < most ? settings->calls : most;
}

static struct stdio *stdio_make(struct tn_serving *serving, struct tn_loop *loop)
{
    const tenon_allocator *memory = &serving->server->memory;
    size_t                 most   = serving->settings->limits.body_bytes;
    struct stdio          *stdio  = tn_memory_new(memory, sizeof *stdio);

    if (!stdio)
        return NULL;
    *stdio = (struct stdio){ .port      = { .send = send_out, .hold = stdio_hold, .release = stdio_release },
                             .serving   = serving,
                             .loop      = loop,
                             .memory    = *memory,
                             .calls_max = calls_max(serving->settings),
                             .idle_message.open = on_idle,
                             .room_message.open = on_room,
                             .mail_message.open = on_mail };
    atomic_init(&stdio->holds, 1);
    pthread_mutex_init(&stdio->lock, NULL);
    tn_out_init(&stdio->waiting, memory);
    tn_out_init(&stdio->mail, memory);
    stdio->account = tn_ledger_account(serving->server->ledger, ACCOUNT_PIPE, SLICE_LIT("stdio"));
    if (tn_lines_init(&stdio->lines, memory, most ? most : LINE_BYTES_MAX))
        stdio->session = tn_session_new(serving->server, &stdio->port, stdio->account);
    tn_runner_watch(serving, stdio->session);
    if (stdio->session)
        return stdio;
    stdio_release(&stdio->port);
    return NULL;
}

tenon_status tn_stdio_open(struct stdio **stdio, struct tn_serving *serving, struct tn_loop *loop, int in,
                           int out, void (*over)(void *user), void *user)
{
    struct stdio *made = stdio_make(serving, loop);

    *stdio = made;
    if (!made) {
        close(in);
        close(out);
        return TENON_E_NOMEM;
    }
    made->over = over;
    made->user = user;
    made->in   = end_of(in);
    made->out  = end_of(out);
    init_handles(made);
    if (!start_reading(made))
        drain(made); /* it cannot be read: as if it had ended */
    return TENON_OK;
}
