/* pipe.c - a server that is a process of ours: one message a line, on its standard input and output.
 *
 * Both pipes are watched at once, so that a server that writes before it reads cannot block us, nor we it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "net/client/skim.h"
#include "net/client/transport.h"
#include "net/client/unasked.h"

#define READ_LEN       ((size_t)64 << 10)
#define READS_A_STEP   16                             /* of a server that writes without end */
#define OUT_MAX(max)   ((max)*4 + ((size_t)64 << 20)) /* that waits for a server which does not read */
#define ARENA_MAX(x)   ((x)*4)
#define DROP_MOST(max) ((max)*4) /* of a line that is dropped, before the server counts as lost */
/* How long an ended server may take: after its input was closed, and after SIGTERM. */
#define LEAVE_MS  2000
#define TERM_MS   1000
#define PAUSE_MS  10
#define DRAIN_MAX 100 /* reads between two pauses */

extern char **environ;

struct pipe_transport {
    struct tn_transport    base;
    tenon_allocator        memory;
    struct tn_watch       *watch;
    struct tn_arena        arena, in_arena, out_arena; /* of the words, and of each buffer alone */
    struct tn_pipe_program program;                    /* that others run; without `open` it is ours */
    char                 **words;
    char                 **environment; /* or NULL */
    const char            *directory;   /* or NULL */
    pid_t                  child;       /* 0 when there is none */
    bool                   is_apart;    /* it has a process group of its own */
    int                    in, out;     /* the child's, or -1 */
    struct tn_buf          incoming;    /* what was read and not taken yet */
    size_t                 seen;        /* bytes of it without a line end */
    size_t                 max;
    bool                   drops;    /* the line that is being read is too long, and not kept ... */
    size_t                 dropped;  /* ... of which so many bytes came, ... */
    bool                   reported; /* ... and the request that it answers knows */
    struct tn_skim         skim;
    struct tn_buf          outgoing; /* what was not written yet, from `written` on */
    size_t                 written;
    bool                   awaits_room; /* in the pipe, for the rest of it */
    struct tn_unasked      unasked;
};

static struct pipe_transport *pipe_of(struct tn_transport *transport)
{
    return (struct pipe_transport *)transport;
}

/* ---- The process -------------------------------------------------------------------------------------------- */

static void close_end(struct pipe_transport *pipes, int *fd)
{
    if (*fd >= 0) {
        tn_watch_set(pipes->watch, *fd, 0);
        close(*fd);
    }
    *fd = -1;
}

/* The child gets SIGPIPE back, which this program may ignore. */
static int spawn_child(struct pipe_transport *pipes, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          how;
    sigset_t                   restored;
    int                        error = posix_spawn_file_actions_init(&actions);

    if (error)
        return error;
    error = posix_spawnattr_init(&how);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&restored);
    sigaddset(&restored, SIGPIPE);
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawnattr_setsigdefault(&how, &restored);
    if (!error)
        error = posix_spawnattr_setflags(&how, (short)(POSIX_SPAWN_SETSIGDEF |
                                                       (pipes->is_apart ? POSIX_SPAWN_SETPGROUP : 0)));
    if (!error && pipes->directory)
        error = posix_spawn_file_actions_addchdir_np(&actions, pipes->directory);
    if (!error)
        error = posix_spawnp(&pipes->child, pipes->words[0], &actions, &how, pipes->words,
                             pipes->environment ? pipes->environment : environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        pipes->child = 0;
    return error;
}

/* Our ends of its pipes are open: what there was of another process is forgotten. */
static bool begin_reading(struct pipe_transport *pipes)
{
    pipes->incoming.len = pipes->outgoing.len = 0;
    pipes->seen = pipes->written = 0;
    pipes->base.queued = pipes->base.written = 0;
    pipes->drops                             = false;
    pipes->unasked                           = tn_unasked_of(pipes->program.unasked);
    pipes->base.sole                         = pipes->out;
    return tn_watch_set(pipes->watch, pipes->out, WATCH_READ);
}

static bool open_program(struct pipe_transport *pipes)
{
    if (!pipes->program.open(pipes->program.user, &pipes->in, &pipes->out, pipes->base.why))
        return false;
    if (begin_reading(pipes))
        return true;
    snprintf(pipes->base.why, sizeof pipes->base.why, "cannot watch %.200s: %s", pipes->words[0],
             strerror(errno));
    return false;
}

static bool start(struct pipe_transport *pipes)
{
    int input[2] = { -1, -1 }, output[2] = { -1, -1 }, error = 0;

    if (pipes->program.open)
        return open_program(pipes);
    if (!tn_os_pipe(input) || !tn_os_pipe(output))
        error = errno;
    else {
        fcntl(input[1], F_SETFL, O_NONBLOCK); /* only our ends: the child's are files of their own */
        fcntl(output[0], F_SETFL, O_NONBLOCK);
        error = spawn_child(pipes, input[0], output[1]);
    }
    if (input[0] >= 0)
        close(input[0]);
    if (output[1] >= 0)
        close(output[1]);
    pipes->in  = input[1];
    pipes->out = output[0];
    if (!error && !begin_reading(pipes))
        error = errno;
    if (!error)
        return true;
    close_end(pipes, &pipes->in);
    close_end(pipes, &pipes->out);
    snprintf(pipes->base.why, sizeof pipes->base.why, "cannot run %.200s: %s", pipes->words[0],
             strerror(error));
    return false;
}

static int64_t now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

static void rest(int milliseconds)
{
    struct timespec time = { 0, (long)milliseconds * 1000000 };

    nanosleep(&time, NULL);
}

/* Waits for its end, and reads what it still sends so that it is not held up. */
static bool ended_within(struct pipe_transport *pipes, int milliseconds)
{
    char rubbish[4096];

    for (int waited = 0; waited < milliseconds; waited += PAUSE_MS) {
        if (waitpid(pipes->child, NULL, WNOHANG) != 0)
            return true;
        for (int i = 0; i < DRAIN_MAX && read(pipes->out, rubbish, sizeof rubbish) > 0; i++)
            continue;
        rest(PAUSE_MS);
    }
    return false;
}

static void stop(struct pipe_transport *pipes)
{
    close_end(pipes, &pipes->in);
    pipes->awaits_room = false;
    pipes->base.sole   = 0;
    if (pipes->program.close)
        pipes->program.close(pipes->program.user);
    if (pipes->child > 0 && !ended_within(pipes, LEAVE_MS)) {
        kill(pipes->is_apart ? -pipes->child : pipes->child, SIGTERM);
        if (!ended_within(pipes, TERM_MS)) {
            kill(pipes->is_apart ? -pipes->child : pipes->child, SIGKILL);
            while (waitpid(pipes->child, NULL, 0) < 0 && errno == EINTR)
                continue;
        }
    }
    pipes->child = 0;
    close_end(pipes, &pipes->out);
}

static bool pipe_restart(struct tn_transport *transport)
{
    stop(pipe_of(transport));
    return start(pipe_of(transport));
}

static void pipe_free(struct tn_transport *transport)
{
    struct pipe_transport *pipes  = pipe_of(transport);
    tenon_allocator        memory = pipes->memory;

    stop(pipes);
    if (pipes->program.free)
        pipes->program.free(pipes->program.user);
    tn_arena_free(&pipes->arena);
    tn_arena_free(&pipes->in_arena);
    tn_arena_free(&pipes->out_arena);
    tn_memory_free(&memory, pipes, sizeof *pipes);
}

/* ---- Bytes -------------------------------------------------------------------------------------------------- */

/* write() to a pipe that may be closed, without the signal that comes then. */
static ssize_t write_piped(int fd, const void *at, size_t len)
{
    static const struct timespec now = { 0, 0 };
    sigset_t                     broken, before, pending;
    ssize_t                      put;
    int                          error;

    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    put   = write(fd, at, len);
    error = errno;
    if (put < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&broken, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return put;
}

/* Writes what goes without waiting. A pipe that is closed shows when it is read. */
static void write_some(struct pipe_transport *pipes)
{
    struct tn_buf *outgoing = &pipes->outgoing;
    ssize_t        put      = 0;

    while (pipes->in >= 0 && pipes->written < outgoing->len && put >= 0) {
        put = (pipes->program.quiet ? write : write_piped)(pipes->in, outgoing->at + pipes->written,
                                                           outgoing->len - pipes->written);
        if (put > 0) {
            pipes->written += (size_t)put;
            pipes->base.written += (size_t)put;
        }
    }
    if (put < 0 && errno != EAGAIN && errno != EINTR)
        pipes->written = outgoing->len;
    if (pipes->written == outgoing->len)
        outgoing->len = pipes->written = 0;
    if (pipes->in >= 0 && pipes->awaits_room != (outgoing->len > 0)) {
        pipes->awaits_room = outgoing->len > 0;
        tn_watch_set(pipes->watch, pipes->in, pipes->awaits_room ? WATCH_WRITE : 0);
        pipes->base.sole = pipes->awaits_room || pipes->unasked.until_ms > 0 ? 0 : pipes->out;
    }
}

static bool pipe_send(struct tn_transport *transport, const struct tn_parcel *parcel)
{
    struct pipe_transport *pipes    = pipe_of(transport);
    struct tn_buf         *outgoing = &pipes->outgoing;
    char                  *room;

    if (pipes->in < 0)
        return false;
    if (pipes->written > 0) {
        outgoing->len -= pipes->written;
        memmove(outgoing->at, outgoing->at + pipes->written, outgoing->len);
        pipes->written = 0;
    }
    room = tn_buf_room(outgoing, parcel->json.len + 1);
    if (!room) {
        outgoing->failed = false; /* of this message alone */
        return false;
    }
    memcpy(room, parcel->json.at, parcel->json.len);
    room[parcel->json.len] = '\n';
    outgoing->len += parcel->json.len + 1;
    pipes->base.queued += parcel->json.len + 1;
    write_some(pipes);
    return true;
}

/* Hands over whole lines. */
static void take_lines(struct pipe_transport *pipes)
{
    const struct tn_transport_sink *sink     = &pipes->base.sink;
    struct tn_buf                  *incoming = &pipes->incoming;
    uint64_t                        answers  = pipes->base.answers;
    size_t                          from     = 0;
    const char                     *end;

    while (pipes->seen < incoming->len &&
           (end = memchr(incoming->at + pipes->seen, '\n', incoming->len - pipes->seen))) {
        size_t          to   = (size_t)(end - incoming->at);
        struct tn_slice line = tn_slice_trim((struct tn_slice){ incoming->at + from, to - from });

        if (line.len > 0)
            sink->message(sink->user, 0, 0, line);
        if (pipes->base.answers == answers)
            tn_unasked_spend(&pipes->unasked, to + 1 - from);
        answers = pipes->base.answers;
        from = pipes->seen = to + 1;
    }
    if (from > 0) {
        incoming->len -= from;
        memmove(incoming->at, incoming->at + from, incoming->len);
    }
    pipes->seen = incoming->len;
}

/* The end: nothing is read any more, and the process goes with the transport or its restart. */
static void pipe_ended(struct pipe_transport *pipes, enum tn_end end, const char *why)
{
    const struct tn_transport_sink *sink = &pipes->base.sink;

    close_end(pipes, &pipes->in);
    tn_watch_set(pipes->watch, pipes->out, 0);
    pipes->base.sole = 0;
    sink->ended(sink->user, 0, end, 0, why);
}

static void say_too_long(const struct pipe_transport *pipes, char why[TRANSPORT_WHY_MAX])
{
    if (pipes->max % ((size_t)1 << 20) == 0)
        snprintf(why, TRANSPORT_WHY_MAX, "a line of the server is longer than %zu MiB", pipes->max >> 20);
    else
        snprintf(why, TRANSPORT_WHY_MAX, "a line of the server is longer than %zu bytes", pipes->max);
}

/* More of a line that is too long: it is looked at only for the request that it answers, which ends as soon as that is
 * known. False when a line has no end. */
static bool drop(struct pipe_transport *pipes, const char *at, size_t len)
{
    const struct tn_transport_sink *sink = &pipes->base.sink;
    char                            why[TRANSPORT_WHY_MAX];
    int64_t                         answered;

    tn_skim_bytes(&pipes->skim, at, len);
    pipes->dropped += len;
    tn_unasked_spend(&pipes->unasked, len);
    answered = pipes->reported ? 0 : tn_skim_answered(&pipes->skim);
    say_too_long(pipes, why);
    if (answered) {
        pipes->reported = true;
        sink->ended(sink->user, answered, END_FAILED, 0, why);
    }
    if (pipes->dropped <= DROP_MOST(pipes->max))
        return true;
    pipe_ended(pipes, END_FAILED, why);
    return false;
}

static bool begin_dropping(struct pipe_transport *pipes)
{
    size_t len = pipes->incoming.len;

    pipes->drops        = true;
    pipes->reported     = false;
    pipes->dropped      = 0;
    pipes->skim         = (struct tn_skim){ 0 };
    pipes->incoming.len = pipes->seen = 0;
    return drop(pipes, pipes->incoming.at, len);
}

/* Bytes have come after those that are kept. False when there will be no more. */
static bool take_bytes(struct pipe_transport *pipes, size_t got)
{
    struct tn_buf *incoming = &pipes->incoming;
    char          *end      = pipes->drops ? memchr(incoming->at, '\n', got) : NULL;

    if (pipes->drops && !drop(pipes, incoming->at, end ? (size_t)(end - incoming->at) : got))
        return false;
    if (pipes->drops && !end)
        return true;
    if (pipes->drops) {
        pipes->drops = false;
        got -= (size_t)(end - incoming->at);
        memmove(incoming->at, end, got);
    }
    incoming->len += got;
    take_lines(pipes);
    return incoming->len <= pipes->max || begin_dropping(pipes);
}

/* False when there is no more for now, or at all. */
static bool read_some(struct pipe_transport *pipes)
{
    size_t  most = tn_unasked_room(&pipes->unasked, READ_LEN);
    char   *room = tn_buf_room(&pipes->incoming, READ_LEN);
    ssize_t got;
    char    why[300];

    if (!room) {
        pipe_ended(pipes, END_FAILED, "out of memory");
        return false;
    }
    got = read(pipes->out, room, most);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got > 0)
        return take_bytes(pipes, (size_t)got) && (size_t)got == most; /* less: there is no more for now */
    snprintf(why, sizeof why, "the server %.200s ended without an answer", pipes->words[0]);
    pipe_ended(pipes, END_CLOSED, why);
    return false;
}

/* Watches what it writes, or does not. The only descriptor that is watched can be read without asking. */
static void pipe_watch(struct pipe_transport *pipes)
{
    bool rests = pipes->unasked.until_ms > 0;

    if (pipes->out >= 0)
        tn_watch_set(pipes->watch, pipes->out, rests ? 0 : WATCH_READ);
    pipes->base.sole = rests || pipes->awaits_room ? 0 : pipes->out;
}

/* Reads what there is; the rest of a server that writes without end waits for the next step, or longer. */
static void read_many(struct pipe_transport *pipes)
{
    bool more = true, bounded = pipes->unasked.a_ms > 0;

    if (bounded)
        tn_unasked_pass(&pipes->unasked, now_ms());
    for (int reads = 0; more && reads < READS_A_STEP && (!bounded || pipes->unasked.left > 0); reads++)
        more = read_some(pipes);
    if (bounded && pipes->in >= 0 && tn_unasked_is_over(&pipes->unasked, pipes->unasked.at_ms))
        pipe_watch(pipes);
}

/* It has rested long enough. */
static void read_again(struct pipe_transport *pipes)
{
    pipes->unasked.until_ms = 0;
    pipe_watch(pipes);
    read_many(pipes);
}

static int64_t pipe_due(const struct tn_transport *transport)
{
    int64_t until = ((const struct pipe_transport *)transport)->unasked.until_ms;

    return until > 0 ? until : TRANSPORT_NEVER;
}

static void pipe_step(struct tn_transport *transport, const struct tn_ready *ready, size_t count)
{
    struct pipe_transport *pipes = pipe_of(transport);

    for (size_t i = 0; i < count; i++) {
        if (ready[i].fd == pipes->in)
            write_some(pipes);
        else if (ready[i].fd == pipes->out && pipes->unasked.until_ms == 0)
            read_many(pipes);
    }
    if (pipes->unasked.until_ms > 0 && now_ms() >= pipes->unasked.until_ms)
        read_again(pipes);
}

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

/* A copy of texts with a final NULL; NULL when out of memory. */
static char **copy_texts(struct pipe_transport *pipes, const char *const *texts)
{
    size_t count = 0;
    char **copy;

    while (texts[count])
        count++;
    copy = tn_arena_array(&pipes->arena, count + 1, char *);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = tn_arena_copy(&pipes->arena, texts[i], strlen(texts[i]));
    return pipes->arena.failed ? NULL : copy;
}

static bool copy_program(struct pipe_transport *pipes, const char *const *words,
                         const char *const *environment, const char *directory)
{
    static const char *const none[] = { "", NULL };

    pipes->words       = copy_texts(pipes, words && words[0] ? words : none);
    pipes->environment = environment ? copy_texts(pipes, environment) : NULL;
    pipes->directory   = directory ? tn_arena_copy(&pipes->arena, directory, strlen(directory)) : NULL;
    pipes->base.peer   = pipes->words ? pipes->words[0] : NULL;
    return !pipes->arena.failed;
}

static struct pipe_transport *pipe_new(const struct tn_transport_frame *frame)
{
    struct pipe_transport *pipes = tn_memory_new(&frame->memory, sizeof *pipes);

    if (!pipes)
        return NULL;
    *pipes = (struct pipe_transport){
        .base     = { .send    = pipe_send,
                      .step    = pipe_step,
                      .due     = pipe_due,
                      .restart = pipe_restart,
                      .free    = pipe_free },
        .memory   = frame->memory,
        .watch    = frame->watch,
        .max      = frame->max_bytes,
        .is_apart = frame->is_apart,
        .in       = -1,
        .out      = -1,
    };
    tn_arena_init(&pipes->arena, &pipes->memory, 0);
    tn_arena_init(&pipes->in_arena, &pipes->memory, ARENA_MAX(pipes->max + READ_LEN));
    tn_arena_init(&pipes->out_arena, &pipes->memory, ARENA_MAX(OUT_MAX(pipes->max)));
    tn_buf_init(&pipes->incoming, &pipes->in_arena, 0, pipes->max + READ_LEN + 1);
    tn_buf_init(&pipes->outgoing, &pipes->out_arena, 0, OUT_MAX(pipes->max));
    return pipes;
}

struct tn_transport *tn_pipe_transport_new(const struct tn_transport_frame *frame, const char *const *words,
                                           const char *const *environment, const char *directory)
{
    struct pipe_transport *pipes = pipe_new(frame);

    if (!pipes)
        return NULL;
    if (copy_program(pipes, words, environment, directory)) {
        start(pipes);
        return &pipes->base;
    }
    pipe_free(&pipes->base);
    return NULL;
}

struct tn_transport *tn_pipe_transport_over(const struct tn_transport_frame *frame,
                                            const struct tn_pipe_program    *program)
{
    struct pipe_transport *pipes   = pipe_new(frame);
    const char *const      words[] = { program->name, NULL };

    if (!pipes)
        return NULL;
    pipes->program = *program;
    if (copy_program(pipes, words, NULL, NULL)) {
        start(pipes);
        return &pipes->base;
    }
    pipe_free(&pipes->base);
    return NULL;
}
