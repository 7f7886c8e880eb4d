/* child.c - starts a supervisor, sends its order, and reads its reports. */
#define _GNU_SOURCE
#include "guard/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/process/environment.h"
#include "guard/process/group.h"
#include "guard/process/supervise.h"

#define SELF         "/proc/self/exe" /* this program, also when its file was replaced */
#define ORDER_ARENA  (ORDER_BYTES_MAX * 4)
#define STDIO_COUNT  (CONTROL_HANDLE + 1)

extern char **environ;

struct tn_child {
    struct tn_child_plan plan; /* without its order */
    tenon_allocator      memory;
    struct tn_arena      orders; /* of the order's bytes, until they are sent: they have secrets in them */
    struct tn_arena      names;  /* of the two names that messages need */
    const char          *program, *directory;
    int                  pipes[CHILD_PIPES]; /* the guard's ends; -1 when taken or closed */
    uv_process_t         process;            /* the supervisor */
    uv_pipe_t            control;
    uv_write_t           ordering, ending;
    struct tn_report     inbox;
    size_t               inbox_len;
    int      running; /* the number of the command's process, while it is not known to have ended */
    unsigned open;    /* handles that are not closed */
    bool     has_process;
    bool     had_news; /* a report of any kind */
    bool     is_done;  /* nothing is left */
    bool     was_asked;
};

/* ---- Words --------------------------------------------------------------------------------------------- */

static void say_failure(char why[CHILD_WHY_MAX], const struct tn_child *child, const struct tn_report *report)
{
    static const char *const texts[START_STEPS] = {
        [START_PROTECT] = SAY_NO_PROTECTION,
        [START_FORK]    = SAY_NO_PROCESS,
        [START_LIMIT]   = SAY_NO_MEMORY_LIMIT,
    };
    const char *error = strerror(report->error), *program = child->program;

    if (report->step == START_DIRECTORY)
        snprintf(why, CHILD_WHY_MAX, SAY_NO_DIRECTORY, child->directory, error);
    else if (report->step == START_INTERPRETER)
        snprintf(why, CHILD_WHY_MAX, SAY_NO_INTERPRETER, program);
    else if (report->step == START_PROGRAM && report->error == ENOENT)
        snprintf(why, CHILD_WHY_MAX, strchr(program, '/') ? SAY_NO_PROGRAM : SAY_NOT_IN_PATH, program);
    else if (report->step >= 0 && report->step < START_STEPS && texts[report->step])
        snprintf(why, CHILD_WHY_MAX, texts[report->step], error);
    else
        snprintf(why, CHILD_WHY_MAX, SAY_PROGRAM, program, error);
}

static void say_exit(char why[CHILD_WHY_MAX], const struct tn_report *report)
{
    if (report->signal)
        snprintf(why, CHILD_WHY_MAX, SAY_KILLED, report->signal, strsignal(report->signal));
    else
        snprintf(why, CHILD_WHY_MAX, SAY_EXITED, report->code);
}

/* ---- News ---------------------------------------------------------------------------------------------- */

static void tell(struct tn_child *child, struct tn_child_news news)
{
    news.child = child;
    if (child->plan.news)
        child->plan.news(child->plan.user, &news);
}

static void take_report(struct tn_child *child, const struct tn_report *report)
{
    char why[CHILD_WHY_MAX] = "";

    child->had_news = true;
    switch (report->kind) {
    case REPORT_RUNNING:
        child->running = report->process;
        tell(child, (struct tn_child_news){ .event = CHILD_RUNNING, .why = "", .process = report->process });
        break;
    case REPORT_FAILED:
        say_failure(why, child, report);
        tell(child, (struct tn_child_news){ .event = CHILD_FAILED, .why = why });
        break;
    case REPORT_EXITED:
        child->running = 0;
        say_exit(why, report);
        tell(child, (struct tn_child_news){
                        .event = CHILD_EXITED, .why = why, .code = report->code, .signal = report->signal });
        break;
    case REPORT_DONE: child->is_done = true; break;
    }
}

/* ---- The end ------------------------------------------------------------------------------------------- */

static void close_pipe(struct tn_child *child, enum tn_child_pipe pipe)
{
    if (child->pipes[pipe] >= 0)
        close(child->pipes[pipe]);
    child->pipes[pipe] = -1;
}

static void child_free(struct tn_child *child)
{
    tenon_allocator memory = child->memory;

    for (int i = 0; i < CHILD_PIPES; i++)
        close_pipe(child, (enum tn_child_pipe)i);
    tn_arena_rest(&child->orders, 0);
    tn_arena_free(&child->orders);
    tn_arena_free(&child->names);
    tn_memory_free(&memory, child, sizeof *child);
}

/* A supervisor that was killed reports no end. */
static void tell_end(struct tn_child *child)
{
    bool is_lost = child->had_news && !child->is_done;

    if (!child->had_news)
        tell(child, (struct tn_child_news){ .event = CHILD_FAILED, .why = SAY_SUPERVISOR_SILENT });
    tell(child,
         (struct tn_child_news){ .event = CHILD_ENDED, .why = is_lost ? SAY_LOST : "", .is_lost = is_lost });
}

static void on_closed(uv_handle_t *handle)
{
    struct tn_child *child = handle->data;

    if (--child->open > 0)
        return;
    tell_end(child);
    child_free(child);
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, on_closed);
}

/* The supervisor ended. What it reported is still in the socket, whose end is read after it. */
static void on_end(uv_process_t *process, int64_t status, int signal)
{
    (void)status, (void)signal;
    close_handle((uv_handle_t *)process);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    struct tn_child *child = handle->data;

    (void)wanted;
    *room = uv_buf_init((char *)&child->inbox + child->inbox_len,
                        (unsigned)(sizeof child->inbox - child->inbox_len));
}

static void on_report(uv_stream_t *stream, ssize_t got, const uv_buf_t *room)
{
    struct tn_child *child = stream->data;

    (void)room;
    if (got < 0) {
        if (child->running > 0 && !child->is_done) { /* before its number can be another's */
            kill(-child->running, SIGKILL);
            tn_group_end(child->process.pid);
        }
        close_handle((uv_handle_t *)stream);
        return;
    }
    child->inbox_len += (size_t)got;
    if (child->inbox_len < sizeof child->inbox)
        return;
    child->inbox_len = 0;
    take_report(child, &child->inbox);
}

/* ---- The beginning ------------------------------------------------------------------------------------- */

/* Both ends of what a supervisor gets, by the number that it gets it as. */
struct ends {
    int ours[STDIO_COUNT], theirs[STDIO_COUNT];
};

static void close_ends(int ends[STDIO_COUNT])
{
    for (int i = 0; i < STDIO_COUNT; i++) {
        if (ends[i] >= 0)
            close(ends[i]);
        ends[i] = -1;
    }
}

/* Pipes for the command: sockets cannot be opened as /dev/stdin and /dev/stderr, which scripts do. */
static int open_ends(struct ends *ends)
{
    int pair[2];

    for (int i = 0; i < STDIO_COUNT; i++)
        ends->ours[i] = ends->theirs[i] = -1;
    for (int i = 0; i < CONTROL_HANDLE; i++) {
        int ours = i == STDIN_FILENO ? 1 : 0; /* of the pipe: we write its input */

        if (pipe2(pair, O_CLOEXEC) != 0)
            return errno;
        ends->ours[i]   = pair[ours];
        ends->theirs[i] = pair[!ours];
        fcntl(pair[ours], F_SETFL, O_NONBLOCK); /* the other end stays as programs expect it */
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return errno;
    ends->ours[CONTROL_HANDLE]   = pair[0];
    ends->theirs[CONTROL_HANDLE] = pair[1];
    return 0;
}

static void no_mistake(void *user, const char *where, const char *text)
{
    (void)user, (void)where, (void)text;
}

/* The supervisor's own: what every child gets, and what the loader of its libraries may need. The command's
 * travels in the order, so that no variable of it changes the supervisor. */
static char **own_environment(struct tn_arena *arena)
{
    static const struct tn_environment_sink sink      = { no_mistake, NULL };
    const char                             *libraries = getenv("LD_LIBRARY_PATH");
    const tenon_pair                        pair      = { "LD_LIBRARY_PATH", libraries };
    const struct tn_environment_wishes      wishes    = { .env = { libraries ? 1 : 0, &pair } };

    return (char **)tn_environment_new((const char *const *)environ, &wishes, &sink, arena);
}

static void on_ordered(uv_write_t *ordering, int status)
{
    struct tn_child *child = ordering->data;

    (void)status; /* a supervisor that did not take it has ended, which is seen */
    tn_arena_rest(&child->orders, 0);
}

/* 0, or an error of libuv. */
static int spawn(uv_loop_t *loop, struct tn_child *child, const struct ends *ends)
{
    uv_stdio_container_t handles[STDIO_COUNT];
    char                *name    = child->plan.name ? (char *)child->plan.name : NULL;
    char                *words[] = { "tenon", SUPERVISE_COMMAND, name, NULL };
    uv_process_options_t options = {
        .exit_cb     = on_end,
        .file        = child->plan.program ? child->plan.program : SELF,
        .args        = words,
        .env         = own_environment(&child->orders),
        .flags       = UV_PROCESS_DETACHED, /* a session of its own from its first moment */
        .stdio_count = STDIO_COUNT,
        .stdio       = handles,
    };

    for (int i = 0; i < STDIO_COUNT; i++)
        handles[i] = (uv_stdio_container_t){ .flags = UV_INHERIT_FD, .data.fd = ends->theirs[i] };
    if (!options.env)
        return UV_ENOMEM;
    child->open++; /* also when it fails: the handle is the loop's then */
    child->has_process = true;
    return uv_spawn(loop, &child->process, &options);
}

/* Sends the order, from which on the supervisor is on its own. */
static int begin(uv_loop_t *loop, struct tn_child *child, struct ends *ends, struct tn_slice order)
{
    uv_buf_t bytes = uv_buf_init((char *)order.at, (unsigned)order.len);
    int      error = uv_pipe_init(loop, &child->control, 0);

    if (error)
        return error;
    child->open         = 1;
    child->process.data = child->control.data = child->ordering.data = child;
    error = uv_pipe_open(&child->control, ends->ours[CONTROL_HANDLE]);
    if (error)
        return error;
    ends->ours[CONTROL_HANDLE] = -1;
    error                      = spawn(loop, child, ends);
    if (error)
        return error;
    error = uv_write(&child->ordering, (uv_stream_t *)&child->control, &bytes, 1, on_ordered);
    return error ? error : uv_read_start((uv_stream_t *)&child->control, on_room, on_report);
}

static void keep_pipes(struct tn_child *child, struct ends *ends)
{
    for (int i = 0; i < CHILD_PIPES; i++) {
        child->pipes[i] = ends->ours[i];
        ends->ours[i]   = -1;
    }
}

static struct tn_child *child_new(const struct tn_child_plan *plan)
{
    tenon_allocator  memory = tn_memory_of(&plan->memory);
    struct tn_child *child  = tn_memory_new(&memory, sizeof *child);
    const char      *place  = plan->order.directory ? plan->order.directory : "";

    if (!child)
        return NULL;
    *child = (struct tn_child){ .plan = *plan, .memory = memory, .pipes = { -1, -1, -1 } };
    tn_arena_init(&child->names, &memory, 0);
    tn_arena_init(&child->orders, &memory, ORDER_ARENA);
    child->program   = tn_arena_copy(&child->names, plan->order.words[0], strlen(plan->order.words[0]));
    child->directory = tn_arena_copy(&child->names, place, strlen(place));
    if (!child->names.failed)
        return child;
    child_free(child);
    return NULL;
}

struct tn_child *tn_child_start(uv_loop_t *loop, const struct tn_child_plan *plan, char why[CHILD_WHY_MAX])
{
    struct tn_child *child = child_new(plan);
    struct tn_buf    order;
    struct ends      ends;
    int              error;

    if (!child) {
        snprintf(why, CHILD_WHY_MAX, SAY_MEMORY);
        return NULL;
    }
    tn_buf_init(&order, &child->orders, 0, ORDER_BYTES_MAX + ORDER_HEAD_MAX);
    if (!tn_order_write(&order, &plan->order)) {
        snprintf(why, CHILD_WHY_MAX, SAY_ORDER_LONG);
        child_free(child);
        return NULL;
    }
    error = -open_ends(&ends);
    if (!error)
        error = begin(loop, child, &ends, tn_buf_slice(&order));
    if (!error)
        keep_pipes(child, &ends);
    close_ends(ends.theirs);
    close_ends(ends.ours);
    if (!error)
        return child;
    snprintf(why, CHILD_WHY_MAX, SAY_NO_SUPERVISOR, uv_strerror(error));
    tn_child_forget(child);
    return NULL;
}

int tn_child_take(struct tn_child *child, enum tn_child_pipe pipe)
{
    int fd = child->pipes[pipe];

    child->pipes[pipe] = -1;
    return fd;
}

static void on_asked(uv_write_t *ending, int status)
{
    (void)ending, (void)status; /* a supervisor that cannot be asked has ended, or sees the socket close */
}

void tn_child_awaited(struct tn_child *child, bool awaited)
{
    void (*set)(uv_handle_t * handle) = awaited ? uv_ref : uv_unref;

    set((uv_handle_t *)&child->control);
    set((uv_handle_t *)&child->process);
}

void tn_child_end(struct tn_child *child)
{
    static char byte[] = { CONTROL_END };
    uv_buf_t    bytes  = uv_buf_init(byte, 1);

    close_pipe(child, CHILD_INPUT);
    if (child->was_asked || uv_is_closing((uv_handle_t *)&child->control))
        return;
    child->was_asked = true;
    uv_write(&child->ending, (uv_stream_t *)&child->control, &bytes, 1, on_asked);
}

void tn_child_forget(struct tn_child *child)
{
    child->plan.news = NULL;
    if (child->open == 0) {
        child_free(child);
        return;
    }
    close_handle((uv_handle_t *)&child->control);
    if (child->has_process)
        close_handle((uv_handle_t *)&child->process);
}
