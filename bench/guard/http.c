/* http.c - calls a server over one connection of HTTP, and measures what of it the server's process used.
 *
 *     guard http PORT CALLS CORE FILE [--legacy] -- COMMAND...
 *
 * Starts COMMAND on CORE, which listens on PORT of this machine, and sends the call of FILE again and again, each after the
 * answer to the one before; as a client of 2026-07-28, or with --legacy of 2025-11-25 with a session. Prints lines of a name and
 * a number: nanoseconds of CPU time of the process a call, and of the whole by the clock; its memory after a tenth of the calls
 * and at the end, in KiB.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3000, TRY_US = 10000 };

static pid_t server;
static int   line = -1;
static char  answer[1 << 20], call[1 << 16], session[512];

static void fail(const char *what)
{
    fprintf(stderr, "guard http: %s\n%.500s\n", what, answer);
    if (server > 0)
        kill(server, SIGKILL);
    exit(1);
}

static double now(clockid_t clock)
{
    struct timespec at;

    clock_gettime(clock, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static double server_cpu(void)
{
    clockid_t clock;

    if (clock_getcpuclockid(server, &clock))
        fail("the server's CPU time cannot be read");
    return now(clock);
}

static long memory_kib(void)
{
    char  path[64], text[256];
    long  kib = -1;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/status", (int)server);
    in = fopen(path, "r");
    while (in && fgets(text, sizeof text, in))
        if (!strncmp(text, "VmRSS:", 6))
            kib = strtol(text + 6, NULL, 10);
    if (in)
        fclose(in);
    return kib;
}

static void pin(int core)
{
    cpu_set_t cores;

    CPU_ZERO(&cores);
    CPU_SET((unsigned)core, &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

static void start(char **command)
{
    server = fork();
    if (server < 0)
        fail("no process");
    if (server == 0) {
        int null = open("/dev/null", 2);

        dup2(null, 0), dup2(null, 1), dup2(null, 2);
        execvp(command[0], command);
        _exit(127);
    }
}

static void reach(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port) };
    int                on = 1;

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < TRIES; i++) {
        line = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(line, (struct sockaddr *)&at, sizeof at) == 0) {
            setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            return;
        }
        close(line);
        usleep(TRY_US);
    }
    fail("it does not listen");
}

/* Where the body of the answer so far ends, or 0 when more is to come. */
static size_t whole(size_t len)
{
    char  *head = memmem(answer, len, "\r\n\r\n", 4), *field;
    size_t body;

    if (!head)
        return 0;
    body  = (size_t)(head - answer) + 4;
    field = strcasestr(answer, "content-length:");
    if (field && field < head)
        return len >= body + strtoul(field + 15, NULL, 10) ? len : 0;
    if (!strncmp(answer + 9, "202", 3) || !strncmp(answer + 9, "204", 3))
        return len;
    return len > body + 5 && !memcmp(answer + len - 5, "0\r\n\r\n", 5) ? len : 0;
}

static void ask(const char *text, size_t len)
{
    size_t held = 0;

    if (write(line, text, len) != (ssize_t)len)
        fail("it takes no more");
    do {
        ssize_t got = read(line, answer + held, sizeof answer - 1 - held);

        if (got <= 0)
            fail("it closed the connection");
        held += (size_t)got;
        answer[held] = '\0';
    } while (!whole(held));
    if (strncmp(answer + 9, "20", 2))
        fail("it refused");
}

static size_t write_post(char *out, size_t room, const char *body, bool legacy)
{
    return (size_t)snprintf(
        out, room,
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: "
        "application/json, text/event-stream\r\n%s%sContent-Length: %zu\r\n\r\n%s",
        legacy ? "MCP-Protocol-Version: 2025-11-25\r\n"
               : "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: search\r\n",
        session, strlen(body), body);
}

/* The handshake of 2025-11-25; the session's header is kept. */
static void greet(void)
{
    static const char hello[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                                "\"protocolVersion\":\"2025-11-25\","
                                "\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";
    static const char done[]  = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    char              post[2048], *id, *end;

    ask(post, write_post(post, sizeof post, hello, true));
    id  = strcasestr(answer, "mcp-session-id:");
    end = id ? strstr(id, "\r\n") : NULL;
    if (end)
        snprintf(session, sizeof session, "%.*s\r\n", (int)(end - id), id);
    ask(post, write_post(post, sizeof post, done, true));
}

static void measure(const char *post, size_t len, size_t calls)
{
    double cpu, began;
    long   before;

    for (size_t i = 0; i < calls / 10 + 10; i++)
        ask(post, len);
    if (!strstr(answer, "20 results at high"))
        fail("not the answer to the call");
    before = memory_kib();
    cpu    = server_cpu();
    began  = now(CLOCK_MONOTONIC);
    for (size_t i = 0; i < calls; i++)
        ask(post, len);
    printf("cpu_ns %.0f\nwall_ns %.0f\nrss_warm %ld\nrss_end %ld\n", (server_cpu() - cpu) / (double)calls,
           (now(CLOCK_MONOTONIC) - began) / (double)calls, before, memory_kib());
}

int drive_http(int argc, char **argv)
{
    bool   legacy = argc > 5 && !strcmp(argv[5], "--legacy");
    int    at     = legacy ? 7 : 6;
    FILE  *in     = argc > at ? fopen(argv[4], "r") : NULL;
    char   post[1 << 17];
    size_t len = 0;

    if (!in || !(len = fread(call, 1, sizeof call - 1, in)))
        fail("usage: guard http PORT CALLS CORE FILE [--legacy] -- COMMAND...");
    fclose(in);
    call[call[len - 1] == '\n' ? len - 1 : len] = '\0';
    pin(atoi(argv[3]));
    signal(SIGPIPE, SIG_IGN);
    start(argv + at);
    reach(atoi(argv[1]));
    if (legacy)
        greet();
    len = write_post(post, sizeof post, call, legacy);
    measure(post, len, strtoul(argv[2], NULL, 10));
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    return 0;
}
