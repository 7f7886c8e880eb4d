/* bad.c - a server that is no good neighbour to the others of its guard.
 *
 *     guard bad slow|junk|logs|results|errors CORE
 *
 * It greets as a server of 2025-11-25 and offers the tool `search`. A call of it is never answered. From the first one on it
 * writes without end, on a core of its own: lines that are not JSON, log messages, results that no call waits for, or lines on its standard
 * error; `slow` writes nothing. What comes after that it does not read.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/guard/client.h"

#define LIST                                                                                                 \
    "{\"tools\":[{\"name\":\"" TOOL                                                                           \
    "\",\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":true}}]}"
#define HELLO                                                                                                \
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"logging\":{}},"                    \
    "\"serverInfo\":{\"name\":\"bad\",\"version\":\"1\"}}"

static const struct {
    const char *name, *line; /* that it repeats; NULL: none */
    int         to;
} ways[] = {
    { "slow", NULL, 0 },
    { "junk", "npm warn deprecated: this line is no JSON, and there are very many of it\n", STDOUT_FILENO },
    { "logs",
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
      "message\",\"params\":{\"level\":\"info\",\"data\":\"again\"}}\n",
      STDOUT_FILENO },
    { "results",
      "{\"jsonrpc\":\"2.0\",\"id\":987654321,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
      "\"unasked\"}]}}\n",
      STDOUT_FILENO },
    { "errors", "a warning that nobody reads, and there are very many of it\n", STDERR_FILENO },
};

static void write_without_end(const char *line, int to)
{
    static char many[1 << 16];
    size_t      len = strlen(line), full = sizeof many / len * len;

    for (size_t at = 0; at < full; at += len)
        memcpy(many + at, line, len);
    while (write(to, many, full) > 0)
        continue;
    exit(0);
}

static void answer_line(const char *line)
{
    const char *id     = strstr(line, "\"id\":");
    const char *result = strstr(line, "\"initialize\"")   ? HELLO
                         : strstr(line, "\"tools/list\"") ? LIST
                                                          : NULL;
    int         number = id ? atoi(id + 5) : 0;

    if (id && result)
        printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}\n", number, result);
    else if (id)
        printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}\n",
               number);
    fflush(stdout);
}

int serve_badly(int argc, char **argv)
{
    static char line[1 << 16];
    const char *repeated = NULL;
    int         to       = STDOUT_FILENO;

    for (size_t i = 0; argc > 2 && i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(argv[1], ways[i].name)) {
            repeated = ways[i].line;
            to       = ways[i].to;
        }
    pin(argc > 2 ? atoi(argv[2]) : -1);
    while (fgets(line, sizeof line, stdin))
        if (!strstr(line, "\"tools/call\""))
            answer_line(line);
        else if (repeated)
            write_without_end(repeated, to);
    return 0;
}
