/* relay.c - what the guard is compared with, a program that only carries bytes; and programs that call and measure.
 *
 *     guard relay -- COMMAND...    starts a command, and carries lines to it and back, as they are
 *     guard http ...               one connection: http.c
 *     guard load ...               many connections: load.c
 *     guard begin ...              the first answers: begin.c
 *     guard bad ...                a server that disturbs others: bad.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/guard/client.h"

static char bytes[1 << 16];

/* Carries what is there; false at its end. */
static int carry(int from, int to)
{
    ssize_t got = read(from, bytes, sizeof bytes);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    for (ssize_t done = 0, now; done < got; done += now) {
        now = write(to, bytes + done, (size_t)(got - done));
        if (now < 0)
            return 0;
    }
    return got > 0;
}

static int relay(char **command)
{
    struct pollfd ends[2] = { { .fd = 0, .events = POLLIN }, { .events = POLLIN } };
    int           down[2], up[2];
    pid_t         child;

    if (pipe(down) || pipe(up) || (child = fork()) < 0)
        return 1;
    if (child == 0) {
        dup2(down[0], 0), dup2(up[1], 1);
        close(down[0]), close(down[1]), close(up[0]), close(up[1]);
        execvp(command[0], command);
        _exit(127);
    }
    close(down[0]), close(up[1]);
    ends[1].fd = up[0];
    for (int to = down[1]; poll(ends, 2, -1) > 0;) {
        if (ends[0].revents && !carry(0, to)) {
            close(to);
            ends[0].fd = -1;
        }
        if (ends[1].revents && !carry(up[0], 1))
            break;
    }
    waitpid(child, NULL, 0);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*drive)(int argc, char **argv);
    } drivers[] = {
        { "http", drive_http }, { "load", drive_load }, { "begin", drive_begin }, { "bad", serve_badly }
    };

    if (argc > 3 && !strcmp(argv[1], "relay") && !strcmp(argv[2], "--"))
        return relay(argv + 3);
    for (size_t i = 0; argc > 2 && i < sizeof drivers / sizeof *drivers; i++)
        if (!strcmp(argv[1], drivers[i].name))
            return drivers[i].drive(argc - 1, argv + 1);
    fputs("usage: guard relay|http|load|begin|bad ...\n", stderr);
    return 2;
}
