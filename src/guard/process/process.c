/* process.c - one run of a server, from its start until nothing of it is left. A transport has one at a time; a run that is
 * being ended outlives it. */
#define _GNU_SOURCE
#include "guard/process/process.h"

#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/process/child.h"
#include "guard/process/environment.h"
#include "net/client/unasked.h"
#include "net/loop.h"

#define ERROR_LINE_MAX   ((size_t)1000)
#define ERROR_MINUTE_MAX ((size_t)64 << 10) /* bytes of standard error that are logged in a minute */
#define MINUTE_MS        60000
#define UNASKED_BYTES    ((size_t)2 << 10) /* a millisecond, of what answers no request */
#define ERROR_READS      64 /* of what it wrote last */

extern char **environ;

struct run {
    struct tn_guard          *guard;
    const struct tn_upstream *upstream;
    tenon_allocator           memory;
    struct tn_child          *child;  /* NULL when it has ended */
    uv_pipe_t                 errors; /* its standard error, */
    uv_timer_t                rest;   /* which is not read for a while when there is too much of it */
    int                       open;   /* of these two */
    struct tn_unasked         unasked;
    char                      line[ERROR_LINE_MAX + 1];
    size_t                    len;
    size_t                    logged; /* bytes, in this minute */
    uint64_t                  minute;
    char                      chunk[4096];
};

struct process {
    struct tn_guard          *guard;
    const struct tn_upstream *upstream;
    struct run               *run; /* or NULL */
};

/* ---- Standard error ------------------------------------------------------------------------------------------- */

static void run_free(struct run *run)
{
    tenon_allocator memory = run->memory;

    if (run->child || run->open > 0)
        return;
    tn_memory_free(&memory, run, sizeof *run);
}

/* What it says is data: the log makes it harmless, and there is a bound to how much. */
static void log_line(struct run *run)
{
    uint64_t minute = uv_now(&run->guard->loop->uv) / MINUTE_MS;

    if (minute != run->minute) {
        run->minute = minute;
        run->logged = 0;
    }
    run->line[run->len] = '\0';
    if (run->len > 0 && run->logged < ERROR_MINUTE_MAX) {
        run->logged += run->len;
        tn_log_line(&run->guard->server->log, LOG_INFO,
                    run->logged < ERROR_MINUTE_MAX ? GUARD_LOG_ERRORS : GUARD_LOG_ERRORS_MANY,
                    run->upstream->name, run->line);
    }
    run->len = 0;
}

static void take_errors(struct run *run, const char *at, size_t len)
{
    while (len > 0) {
        const char *end  = memchr(at, '\n', len);
        size_t      took = end ? (size_t)(end - at) : len, room = ERROR_LINE_MAX - run->len;

        memcpy(run->line + run->len, at, took < room ? took : room);
        run->len += took < room ? took : room;
        if (end)
            log_line(run);
        took += end != NULL;
        at += took;
        len -= took;
    }
}

static void errors_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    struct run *run = handle->data;

    (void)wanted;
    *room = uv_buf_init(run->chunk, sizeof run->chunk);
}

static void errors_closed(uv_handle_t *handle)
{
    struct run *run = handle->data;

    run->open--;
    run_free(run);
}

static void close_errors(struct run *run)
{
    log_line(run);
    uv_close((uv_handle_t *)&run->errors, errors_closed);
    uv_close((uv_handle_t *)&run->rest, errors_closed);
}

static void on_errors(uv_stream_t *stream, ssize_t got, const uv_buf_t *bytes);

static void on_rested(uv_timer_t *timer)
{
    struct run *run = timer->data;

    uv_read_start((uv_stream_t *)&run->errors, errors_room, on_errors);
}

/* One that writes without end does not have all of the loop's time: the rest waits in its pipe. */
static void measure_errors(struct run *run, size_t len)
{
    int64_t now = (int64_t)uv_now(&run->guard->loop->uv);

    tn_unasked_pass(&run->unasked, now);
    tn_unasked_spend(&run->unasked, len);
    if (!tn_unasked_is_over(&run->unasked, now))
        return;
    uv_read_stop((uv_stream_t *)&run->errors);
    uv_timer_start(&run->rest, on_rested, (uint64_t)(run->unasked.until_ms - now), 0);
}

static void on_errors(uv_stream_t *stream, ssize_t got, const uv_buf_t *bytes)
{
    struct run *run = stream->data;

    if (got > 0) {
        take_errors(run, bytes->base, (size_t)got);
        measure_errors(run, (size_t)got);
    } else if (got < 0)
        close_errors(run);
}

/* No process is left that could write: takes what it still wrote, and closes. */
static void end_errors(struct run *run)
{
    uv_os_fd_t fd;
    ssize_t    got;

    if (run->open == 0 || uv_is_closing((uv_handle_t *)&run->errors))
        return;
    for (int i = 0; i < ERROR_READS && uv_fileno((uv_handle_t *)&run->errors, &fd) == 0 &&
                    (got = read(fd, run->chunk, sizeof run->chunk)) > 0;
         i++)
        take_errors(run, run->chunk, (size_t)got);
    close_errors(run);
}

static void read_errors(struct run *run)
{
    int fd = tn_child_take(run->child, CHILD_ERRORS);

    if (fd < 0 || uv_pipe_init(&run->guard->loop->uv, &run->errors, 0) != 0)
        return;
    uv_timer_init(&run->guard->loop->uv, &run->rest);
    run->errors.data = run->rest.data = run;
    run->open                         = 2;
    run->unasked                      = tn_unasked_of(UNASKED_BYTES);
    uv_unref((uv_handle_t *)&run->rest);
    if (uv_pipe_open(&run->errors, fd) == 0 &&
        uv_read_start((uv_stream_t *)&run->errors, errors_room, on_errors) == 0) {
        uv_unref((uv_handle_t *)&run->errors);
        return;
    }
    close(fd);
    close_errors(run);
}

/* ---- Its life --------------------------------------------------------------------------------------------------- */

static void on_news(void *user, const struct tn_child_news *news)
{
    struct run *run = user;

    if (news->event == CHILD_FAILED || news->event == CHILD_EXITED)
        tn_log_line(&run->guard->server->log, news->event == CHILD_FAILED ? LOG_ERROR : LOG_INFO,
                    GUARD_LOG_LOST, run->upstream->name, news->why);
    if (news->event != CHILD_ENDED)
        return;
    run->child = NULL;
    end_errors(run);
    run_free(run);
}

/* A secret may have changed since the configuration was read. The first mistake is enough: `where` names its place in the file. */
static void environment_mistake(void *user, const char *where, const char *text)
{
    char *why = user;

    if (!why[0])
        snprintf(why, TRANSPORT_WHY_MAX, "%s: %s", where, text);
}

static bool start_child(struct run *run, int *input, int *output, char why[TRANSPORT_WHY_MAX])
{
    const struct tn_upstream *upstream = run->upstream;
    struct tn_child_plan      plan     = {
                 .name = upstream->name, .memory = run->memory, .news = on_news, .user = run
    };
    struct tn_environment_sink sink = { environment_mistake, why };
    struct tn_arena            arena;

    why[0] = '\0';
    tn_arena_init(&arena, &run->memory, 0);
    plan.order = (struct tn_order){ .words       = upstream->words,
                                    .environment = tn_environment_new((const char *const *)environ,
                                                                      &upstream->environment, &sink, &arena),
                                    .directory   = upstream->directory,
                                    .memory      = upstream->memory_max };
    if (plan.order.environment)
        run->child = tn_child_start(&run->guard->loop->uv, &plan, why);
    else if (!why[0])
        memcpy(why, SAY_MEMORY, sizeof SAY_MEMORY);
    tn_arena_rest(&arena, 0); /* it has secrets */
    tn_arena_free(&arena);
    if (!run->child)
        return false;
    *input  = tn_child_take(run->child, CHILD_INPUT);
    *output = tn_child_take(run->child, CHILD_OUTPUT);
    read_errors(run);
    tn_child_awaited(run->child, false);
    return true;
}

static bool process_open(void *user, int *input, int *output, char why[TRANSPORT_WHY_MAX])
{
    struct process *process = user;
    struct run     *run     = tn_memory_new(&process->guard->memory, sizeof *run);

    if (!run) {
        memcpy(why, SAY_MEMORY, sizeof SAY_MEMORY);
        return false;
    }
    memset(run, 0, sizeof *run);
    run->guard    = process->guard;
    run->upstream = process->upstream;
    run->memory   = process->guard->memory;
    if (!start_child(run, input, output, why)) {
        run_free(run);
        return false;
    }
    process->run = run;
    return true;
}

/* Its input was closed before. */
static void process_close(void *user)
{
    struct process *process = user;

    if (process->run && process->run->child) {
        tn_child_awaited(process->run->child, true);
        tn_child_end(process->run->child);
    }
    process->run = NULL;
}

static void process_free(void *user)
{
    struct process *process = user;

    tn_memory_free(&process->guard->memory, process, sizeof *process);
}

struct tn_transport *tn_process_transport_new(struct tn_guard *guard, const struct tn_upstream *upstream,
                                              const struct tn_transport_frame *frame)
{
    struct process        *process = tn_memory_new(&guard->memory, sizeof *process);
    struct tn_pipe_program program = { .open    = process_open,
                                       .close   = process_close,
                                       .free    = process_free,
                                       .user    = process,
                                       .name    = upstream->name,
                                       .quiet   = true, /* the command ignores SIGPIPE */
                                       .unasked = UNASKED_BYTES };

    if (!process)
        return NULL;
    *process = (struct process){ .guard = guard, .upstream = upstream };
    return tn_pipe_transport_over(frame, &program);
}
