/* begin.c - how soon a guard answers that has just been started.
 *
 *     guard begin CORE -- COMMAND...
 *
 * Starts COMMAND on CORE and sends `initialize` and `tools/list` on its standard streams, the second after the answer to the first.
 * Prints the milliseconds from the start of the process to either answer.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/guard/client.h"

static int to_server, from_server;

static void start_piped(char **command)
{
    int down[2], up[2];

    if (pipe(down) || pipe(up) || (server = fork()) < 0)
        fail("no process", NULL);
    if (server == 0) {
        dup2(down[0], 0), dup2(up[1], 1);
        close(down[0]), close(down[1]), close(up[0]), close(up[1]);
        execvp(command[0], command);
        _exit(127);
    }
    close(down[0]), close(up[1]);
    to_server = down[1], from_server = up[0];
}

/* Sends lines and waits for one; what came before the answer to this id is not there. */
static void ask_line(const char *text, const char *expected)
{
    size_t held = 0;

    if (write(to_server, text, strlen(text)) != (ssize_t)strlen(text))
        fail("it takes no more", NULL);
    do {
        ssize_t got = read(from_server, answer + held, sizeof answer - 1 - held);

        if (got <= 0)
            fail("it ended", answer);
        held += (size_t)got;
        answer[held] = '\0';
    } while (answer[held - 1] != '\n');
    if (!strstr(answer, expected))
        fail("not the answer", answer);
}

int drive_begin(int argc, char **argv)
{
    double began, hello;

    if (argc < 4 || strcmp(argv[2], "--"))
        fail("usage: guard begin CORE -- COMMAND...", NULL);
    pin(atoi(argv[1]));
    began = now(CLOCK_MONOTONIC);
    start_piped(argv + 3);
    ask_line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-"
             "11-25\","
             "\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}\n",
             "\"serverInfo\"");
    hello = now(CLOCK_MONOTONIC);
    ask_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n",
             "\"inputSchema\"");
    printf("initialize_ms %.2f\nlist_ms %.2f\n", (hello - began) / 1e6, (now(CLOCK_MONOTONIC) - began) / 1e6);
    close(to_server); /* the guard ends its server, and itself */
    waitpid(server, NULL, 0);
    return 0;
}
