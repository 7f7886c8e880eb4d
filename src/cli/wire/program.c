/* program.c - starting and ending it. */
#define _GNU_SOURCE
#include "cli/wire/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LEAVE_MS 2000
#define TERM_MS  1000
#define PAUSE_MS 10

extern char **environ;

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* A group of its own, so that what it starts ends with it; and SIGPIPE, which this program ignores, as it was. */
static int spawn(pid_t *child, char *const *words, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          how;
    sigset_t                   restored;
    int                        error = posix_spawn_file_actions_init(&actions);

    if (error)
        return error;
    error = posix_spawnattr_init(&how);
    sigemptyset(&restored);
    sigaddset(&restored, SIGPIPE);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawnattr_setsigdefault(&how, &restored);
    if (!error)
        error = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (!error)
        error = posix_spawnp(child, words[0], &actions, &how, words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int program_start(struct program *program, char *const *words)
{
    int input[2] = { -1, -1 }, output[2] = { -1, -1 }, error = 0;

    *program = (struct program){ .in = -1, .out = -1 };
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
        error = errno;
    if (!error)
        error = spawn(&program->child, words, input[0], output[1]);
    close_end(&input[0]);
    close_end(&output[1]);
    if (error) {
        close_end(&input[1]);
        close_end(&output[0]);
        program->child = 0;
        return error;
    }
    fcntl(input[1], F_SETFL, O_NONBLOCK); /* our end alone */
    program->in  = input[1];
    program->out = output[0];
    return 0;
}

static bool ended_within(struct program *program, int milliseconds)
{
    for (int waited = 0; waited < milliseconds; waited += PAUSE_MS) {
        struct timespec pause = { 0, (long)PAUSE_MS * 1000000 };

        if (waitpid(program->child, NULL, WNOHANG) != 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

void program_stop(struct program *program)
{
    close_end(&program->in);
    close_end(&program->out); /* what it still writes has no reader */
    if (program->child > 0 && !ended_within(program, LEAVE_MS)) {
        kill(-program->child, SIGTERM);
        if (!ended_within(program, TERM_MS)) {
            kill(-program->child, SIGKILL);
            while (waitpid(program->child, NULL, 0) < 0 && errno == EINTR)
                continue;
        }
    }
    if (program->child > 0)
        kill(-program->child, SIGKILL); /* what it started and left */
    program->child = 0;
}
