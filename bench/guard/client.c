/* client.c - starting what is measured, and asking it. */
#define _GNU_SOURCE
#include "bench/guard/client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIES = 3000, TRY_US = 10000, TREE_MAX = 256 };

pid_t server;
char  answer[1 << 20];

_Noreturn void fail(const char *what, const char *got)
{
    fprintf(stderr, "guard: %s\n%.500s\n", what, got ? got : "");
    if (server > 0)
        kill(server, SIGKILL);
    exit(1);
}

double now(clockid_t clock)
{
    struct timespec at;

    clock_gettime(clock, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static double cpu_of(pid_t pid)
{
    clockid_t clock;

    return clock_getcpuclockid(pid, &clock) ? 0 : now(clock);
}

double server_cpu(void)
{
    return cpu_of(server);
}

/* Adds the children of one process to the list. */
static size_t add_children(pid_t pid, pid_t *all, size_t count)
{
    char  path[64];
    int   child;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    in = fopen(path, "r");
    while (in && count < TREE_MAX && fscanf(in, "%d", &child) == 1)
        all[count++] = child;
    if (in)
        fclose(in);
    return count;
}

double tree_cpu(void)
{
    pid_t  all[TREE_MAX] = { server };
    double cpu           = now(CLOCK_PROCESS_CPUTIME_ID);

    for (size_t i = 0, count = 1; i < count; i++) {
        cpu += cpu_of(all[i]);
        count = add_children(all[i], all, count);
    }
    return cpu;
}

long memory_kib(const char *name)
{
    char   path[64], text[256];
    size_t len = strlen(name);
    long   kib = -1;
    FILE  *in;

    snprintf(path, sizeof path, "/proc/%d/status", (int)server);
    in = fopen(path, "r");
    while (in && fgets(text, sizeof text, in))
        if (!strncmp(text, name, len) && text[len] == ':')
            kib = strtol(text + len + 1, NULL, 10);
    if (in)
        fclose(in);
    return kib;
}

void pin(int core)
{
    cpu_set_t cores;

    if (core < 0)
        return;
    CPU_ZERO(&cores);
    CPU_SET((unsigned)core, &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

void start(char **command)
{
    server = fork();
    if (server < 0)
        fail("no process", NULL);
    if (server == 0) {
        int null = open("/dev/null", O_RDWR);

        dup2(null, 0), dup2(null, 1), dup2(null, 2);
        execvp(command[0], command);
        _exit(127);
    }
    signal(SIGPIPE, SIG_IGN);
}

void stop(void)
{
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
}

int reach(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port) };
    int                on = 1, line;

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < TRIES; i++) {
        line = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(line, (struct sockaddr *)&at, sizeof at) == 0) {
            setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            return line;
        }
        close(line);
        usleep(TRY_US);
    }
    fail("it does not listen", NULL);
}

size_t read_call(const char *path, char *call, size_t room)
{
    FILE  *in  = fopen(path, "r");
    size_t len = in ? fread(call, 1, room - 1, in) : 0;

    if (!len)
        fail("a call cannot be read", path);
    fclose(in);
    len -= call[len - 1] == '\n';
    call[len] = '\0';
    return len;
}

size_t write_post(char *out, size_t room, const char *body, const char *tool, const char *session)
{
    char named[256] = "MCP-Protocol-Version: 2025-11-25\r\n";

    if (tool)
        snprintf(named, sizeof named,
                 "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\n", tool);
    return (
        size_t)snprintf(out, room,
                        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: "
                        "application/json, text/event-stream\r\n%s%sContent-Length: %zu\r\n\r\n%s",
                        named, session, strlen(body), body);
}

size_t whole(char *text, size_t len)
{
    char  *head = memmem(text, len, "\r\n\r\n", 4), *field;
    size_t body;

    if (!head)
        return 0;
    body  = (size_t)(head - text) + 4;
    field = strcasestr(text, "content-length:");
    if (field && field < head)
        return len >= body + strtoul(field + 15, NULL, 10) ? len : 0;
    if (!strncmp(text + 9, "202", 3) || !strncmp(text + 9, "204", 3))
        return len;
    return len > body + 5 && !memcmp(text + len - 5, "0\r\n\r\n", 5) ? len : 0;
}

void ask(int line, const char *text, size_t len)
{
    size_t held = 0;

    if (write(line, text, len) != (ssize_t)len)
        fail("it takes no more", NULL);
    do {
        ssize_t got = read(line, answer + held, sizeof answer - 1 - held);

        if (got <= 0)
            fail("it closed the connection", NULL);
        held += (size_t)got;
        answer[held] = '\0';
    } while (!whole(answer, held));
    if (strncmp(answer + 9, "20", 2))
        fail("it refused", answer);
}

void greet(int line, char *session, size_t room)
{
    static const char hello[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                                "\"protocolVersion\":\"2025-11-25\","
                                "\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";
    static const char done[]  = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    char              post[2048], *id, *end;

    ask(line, post, write_post(post, sizeof post, hello, NULL, ""));
    id  = strcasestr(answer, "mcp-session-id:");
    end = id ? strstr(id, "\r\n") : NULL;
    if (end)
        snprintf(session, room, "%.*s\r\n", (int)(end - id), id);
    ask(line, post, write_post(post, sizeof post, done, NULL, session));
}
