/* pipe.c - a server that is a process of ours: one message a line, on its standard input and output.
 *
 * Both pipes are watched at once, so that a server that writes before it reads cannot block us, nor we it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/client/transport.h"

#define READ_LEN ((size_t)64 << 10)
/* How long an ended server may take: after its input was closed, and after it was told to end. */
#define LEAVE_MS 2000
#define TOLD_MS  1000
#define PAUSE_MS 10
#define READS_MAX 100 /* between two pauses, of a server that writes without end */

extern char **environ;

struct pipe_transport {
    struct transport base;
    char *const     *command;
    pid_t            child;    /* 0 when there is none */
    int              in, out;  /* the child's, or -1 */
    struct tn_buf    incoming; /* what was read and not taken yet */
    size_t           seen;     /* bytes of it without a line end */
};

static struct pipe_transport *pipe_of(struct transport *transport)
{
    return (struct pipe_transport *)transport;
}

/* ---- The process -------------------------------------------------------------------------------------------- */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The child gets SIGPIPE back, which this program ignores. */
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
        error = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
    if (!error)
        error = posix_spawnp(&pipes->child, pipes->command[0], &actions, &how, pipes->command, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        pipes->child = 0;
    return error;
}

static bool start(struct pipe_transport *pipes)
{
    int input[2] = { -1, -1 }, output[2] = { -1, -1 }, error = 0;

    pipes->incoming.len = 0;
    pipes->seen         = 0;
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
        error = errno;
    else {
        fcntl(input[1], F_SETFL, O_NONBLOCK); /* only our ends: the child's are files of their own */
        fcntl(output[0], F_SETFL, O_NONBLOCK);
        error = spawn_child(pipes, input[0], output[1]);
    }
    close_end(&input[0]);
    close_end(&output[1]);
    pipes->in  = input[1];
    pipes->out = output[0];
    if (!error)
        return true;
    close_end(&pipes->in);
    close_end(&pipes->out);
    transport_fail(&pipes->base, CARRIED_FAILED, "cannot run %.200s: %s", pipes->command[0], strerror(error));
    return false;
}

static void pipe_rest(int milliseconds)
{
    struct timespec time = { 0, (long)milliseconds * 1000000 };

    nanosleep(&time, NULL);
}

/* Waits for its end, and reads what it still says so that it is not held up. */
static bool ended_within(struct pipe_transport *pipes, int milliseconds)
{
    char rubbish[4096];

    for (int waited = 0; waited < milliseconds; waited += PAUSE_MS) {
        if (waitpid(pipes->child, NULL, WNOHANG) != 0)
            return true;
        for (int i = 0; i < READS_MAX && read(pipes->out, rubbish, sizeof rubbish) > 0; i++)
            continue;
        pipe_rest(PAUSE_MS);
    }
    return false;
}

static void stop(struct pipe_transport *pipes)
{
    close_end(&pipes->in);
    if (pipes->child > 0 && !ended_within(pipes, LEAVE_MS)) {
        kill(pipes->child, SIGTERM);
        if (!ended_within(pipes, TOLD_MS)) {
            kill(pipes->child, SIGKILL);
            waitpid(pipes->child, NULL, 0);
        }
    }
    pipes->child = 0;
    close_end(&pipes->out);
}

static bool restart(struct transport *transport)
{
    stop(pipe_of(transport));
    return start(pipe_of(transport));
}

static void close_pipes(struct transport *transport)
{
    stop(pipe_of(transport));
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static enum carried pipe_ended(struct pipe_transport *pipes)
{
    return transport_fail(&pipes->base, CARRIED_CLOSED, "the server %.200s ended without an answer",
                          pipes->command[0]);
}

/* CARRIED when the rest of the line may follow; *left is what is not written yet. */
static enum carried write_some(struct pipe_transport *pipes, struct tn_slice *left)
{
    ssize_t put = write(pipes->in, left->at, left->len);

    if (put >= 0) {
        left->at += put;
        left->len -= (size_t)put;
        return CARRIED;
    }
    if (errno == EAGAIN || errno == EINTR)
        return CARRIED;
    return pipe_ended(pipes);
}

static enum carried read_some(struct pipe_transport *pipes)
{
    char   *room = tn_buf_room(&pipes->incoming, READ_LEN);
    ssize_t got;

    if (!room)
        return transport_fail(&pipes->base, CARRIED_FAILED,
                              "a line of the server is longer than " MESSAGE_LEN_MAX_TEXT);
    got = read(pipes->out, room, READ_LEN);
    if (got == 0)
        return pipe_ended(pipes);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? CARRIED : pipe_ended(pipes);
    pipes->incoming.len += (size_t)got;
    return CARRIED;
}

/* Takes whole lines; true when one was the answer. */
static bool take_lines(struct pipe_transport *pipes, const struct parcel *parcel)
{
    struct tn_buf *incoming = &pipes->incoming;
    bool           answered = false;
    char          *end;

    while (!answered && incoming->len > pipes->seen &&
           (end = memchr(incoming->at + pipes->seen, '\n', incoming->len - pipes->seen))) {
        size_t          len  = (size_t)(end - incoming->at);
        struct tn_slice line = tn_slice_trim((struct tn_slice){ incoming->at, len });

        answered = line.len > 0 && parcel->take(parcel->user, line);
        incoming->len -= len + 1; /* the buffer may have moved and grown, its front is the same */
        memmove(incoming->at, incoming->at + len + 1, incoming->len);
        pipes->seen = 0;
    }
    if (!answered)
        pipes->seen = incoming->len;
    return answered;
}

/* Waits for either pipe, and moves bytes. */
static enum carried move_some(struct pipe_transport *pipes, struct tn_slice *left)
{
    struct pollfd ends[] = { { .fd = pipes->out, .events = POLLIN },
                             { .fd = left->len ? pipes->in : -1, .events = POLLOUT } };
    int           ready  = poll(ends, 2, transport_left_ms(&pipes->base));
    enum carried  how    = CARRIED;

    if (ready == 0)
        return transport_fail(&pipes->base, CARRIED_LATE, "the server did not answer in time");
    if (ready < 0)
        return errno == EINTR ? CARRIED : pipe_ended(pipes);
    if (ends[0].revents)
        how = read_some(pipes);
    if (how == CARRIED && ends[1].revents)
        how = write_some(pipes, left);
    return how;
}

static enum carried pipe_carry(struct transport *transport, const struct parcel *parcel)
{
    struct pipe_transport *pipes = pipe_of(transport);
    struct tn_buf          line;
    struct tn_slice        left;
    enum carried           how = CARRIED;

    if (pipes->child == 0)
        return CARRIED_CLOSED;
    tn_buf_init(&line, transport->arena, parcel->json.len + 2, parcel->json.len + 2);
    tn_buf_add(&line, parcel->json.at, parcel->json.len);
    tn_buf_char(&line, '\n');
    left = tn_buf_slice(&line);
    if (line.failed)
        return transport_fail(transport, CARRIED_FAILED, "out of memory");
    while (how == CARRIED) {
        if (parcel->take ? take_lines(pipes, parcel) : left.len == 0)
            return CARRIED;
        how = move_some(pipes, &left);
    }
    return how == CARRIED_CLOSED && parcel->take && take_lines(pipes, parcel) ? CARRIED : how;
}

struct transport *pipe_transport_new(struct tn_arena *arena, char *const *command)
{
    struct pipe_transport *pipes = tn_arena_new(arena, struct pipe_transport);

    if (!pipes)
        return NULL;
    pipes->base = (struct transport){
        .carry = pipe_carry, .restart = restart, .close = close_pipes, .arena = arena
    };
    pipes->command = command;
    pipes->in = pipes->out = -1;
    tn_buf_init(&pipes->incoming, arena, 0, MESSAGE_LEN_MAX);
    start(pipes);
    return &pipes->base;
}
