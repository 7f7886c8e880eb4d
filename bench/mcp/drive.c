/* drive.c - calls a server over its standard streams and measures it.
 *
 *     drive CALL CALLS WINDOW CORE PEER_CORE [--opening FILE] -- COMMAND...
 *
 * CALL is a file with the text of a call, which is sent CALLS times with at most WINDOW of them unanswered; a tenth as
 * many warm up before. The opening's lines, if any, are sent first, and as many answers are awaited as have an id. The
 * server runs on CORE, this program on PEER_CORE; -1 leaves it to the system. On one core a ping-pong costs what both
 * sides do; on two it mostly measures how long the other core takes to wake up.
 *
 * Prints lines of a name and a number: nanoseconds of a call as seen here, as used by the server and as used by both, from
 * its start to its first answer, and its memory after the warm-up and at the end, in KiB. With a WINDOW of 1 also the
 * median and the 99th percentile of the time to an answer.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_MAX = 65536, WINDOW_MAX = 256, SAMPLE = 1000, DEADLINE_S = 900, TIMED_MAX = 1 << 20 };

static char   call[TEXT_MAX], opening[TEXT_MAX], batch[WINDOW_MAX * 2048], input[1 << 20];
static size_t call_len, opening_len, held, id_at;
static int    to_server, from_server;
static pid_t  server;
static bool   strict = true;   /* answers are those of the tool */
static float  took[TIMED_MAX]; /* nanoseconds of the calls of run_timed() */

static void fail(const char *what)
{
    fprintf(stderr, "drive: %s\n", what);
    if (server > 0)
        kill(server, SIGKILL);
    exit(1);
}

/* A server that does not answer ends the measurement, not the bench. */
static void overdue(int number)
{
    (void)number;
    kill(server, SIGKILL);
    _exit(1);
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

static void pin(int core)
{
    cpu_set_t cores;

    if (core < 0)
        return;
    CPU_ZERO(&cores);
    CPU_SET((unsigned)core, &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

static size_t read_file(const char *path, char *text)
{
    FILE  *file = fopen(path, "rb");
    size_t len  = file ? fread(text, 1, TEXT_MAX - 1, file) : 0;

    if (!file || !len)
        fail("a file of calls cannot be read");
    fclose(file);
    if (text[len - 1] != '\n')
        text[len++] = '\n';
    return len;
}

/* The figure of a line "NAME:   1234 kB" of a file in /proc. */
static long proc_kib(const char *file, const char *name)
{
    char  path[64], line[256];
    long  kib = -1;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)server, file);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
            kib = strtol(line + strlen(name) + 1, NULL, 10);
    if (in)
        fclose(in);
    return kib;
}

static void start(char **command, int core)
{
    int down[2], up[2];

    if (pipe(down) || pipe(up))
        fail("no pipes");
    server = fork();
    if (server < 0)
        fail("no process");
    if (!server) {
        pin(core);
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[0]), close(down[1]), close(up[0]), close(up[1]);
        execvp(command[0], command);
        _exit(127);
    }
    close(down[0]), close(up[1]);
    to_server = down[1], from_server = up[0];
}

static void put(const char *text, size_t len)
{
    while (len) {
        ssize_t sent = write(to_server, text, len);

        if (sent < 0 && errno != EINTR)
            fail("the server reads no more");
        if (sent > 0)
            text += sent, len -= (size_t)sent;
    }
}

static void check(const char *line, size_t len)
{
    if (!strict)
        return;
    if (!memmem(line, len, "20 results at high, 2 tags.", 27) || memmem(line, len, "\"isError\":true", 14)) {
        fprintf(stderr, "drive: unexpected answer: %.*s\n", (int)len, line);
        fail("not a success");
    }
}

/* Waits for bytes and returns how many whole lines they ended; one in SAMPLE of all is looked at. */
static size_t take(bool look)
{
    static size_t seen;
    size_t        lines = 0, from = 0;
    ssize_t       got = read(from_server, input + held, sizeof input - held);

    if (got <= 0)
        fail("the server ended");
    held += (size_t)got;
    for (char *end; (end = memchr(input + from, '\n', held - from)); lines++) {
        if (look && seen++ % SAMPLE == 0)
            check(input + from, (size_t)(end - input) - from);
        from = (size_t)(end - input) + 1;
    }
    memmove(input, input + from, held - from);
    held -= from;
    return lines;
}

/* Every call has an id of its own, of seven digits: some servers do not answer when two in flight share one. */
static void send_batch(size_t count)
{
    static size_t ready, next;

    for (; ready < count; ready++)
        memcpy(batch + ready * call_len, call, call_len);
    for (size_t i = 0; i < count; i++) {
        char  *id     = batch + i * call_len + id_at + 7;
        size_t number = 1000000 + next++ % 9000000;

        for (int digit = 0; digit < 7; digit++, number /= 10)
            *--id = (char)('0' + number % 10);
    }
    put(batch, count * call_len);
}

static void find_id(void)
{
    char *found = memmem(call, call_len, "\"id\":1000000,", 13);

    if (!found)
        fail("the call needs the id 1000000, to be counted up");
    id_at = (size_t)(found - call) + 5;
}

static void run(size_t calls, size_t window)
{
    size_t sent = window < calls ? window : calls, answered = 0;

    send_batch(sent);
    while (answered < calls) {
        size_t lines = take(true), more = calls - sent < lines ? calls - sent : lines;

        answered += lines;
        sent += more;
        if (more)
            send_batch(more);
    }
}

/* One call in flight, each with its time. */
static void run_timed(size_t calls)
{
    for (size_t i = 0; i < calls; i++) {
        double sent = now(CLOCK_MONOTONIC);

        send_batch(1);
        while (!take(true))
            ;
        took[i % TIMED_MAX] = (float)(now(CLOCK_MONOTONIC) - sent);
    }
}

static int by_length(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;

    return (a > b) - (a < b);
}

static void print_times(size_t calls)
{
    size_t count = calls < TIMED_MAX ? calls : TIMED_MAX;

    qsort(took, count, sizeof *took, by_length);
    printf("p50_ns %.0f\np99_ns %.0f\n", (double)took[count / 2], (double)took[count * 99 / 100]);
}

/* Sends the opening and waits for its answers. */
static void open_up(void)
{
    char *line = opening;

    for (char *end; line < opening + opening_len && (end = memchr(line, '\n', TEXT_MAX)); line = end + 1) {
        put(line, (size_t)(end + 1 - line));
        if (memmem(line, (size_t)(end - line), "\"id\"", 4))
            while (!take(false))
                ;
    }
}

static void stop(void)
{
    int status;

    close(to_server);
    for (int i = 0; i < 2000; i++) { /* two seconds for a clean end */
        if (waitpid(server, &status, WNOHANG) == server)
            return;
        usleep(1000);
    }
    kill(server, SIGKILL);
    waitpid(server, &status, 0);
}

static void print_memory(const char *when)
{
    printf("rss_%s %ld\npss_%s %ld\nown_%s %ld\n", when, proc_kib("status", "VmRSS"), when,
           proc_kib("smaps_rollup", "Pss"), when, proc_kib("status", "RssAnon"));
}

int main(int argc, char **argv)
{
    int    at = 6;
    double began, wall, cpu, own;
    size_t calls, window;

    if (argc < 8)
        return fputs("usage: drive CALL CALLS WINDOW CORE PEER_CORE [--opening FILE] [--any] -- COMMAND...\n",
                     stderr),
               2;
    call_len = read_file(argv[1], call);
    find_id();
    calls  = strtoul(argv[2], NULL, 10);
    window = strtoul(argv[3], NULL, 10);
    for (; at < argc && strcmp(argv[at], "--"); at++) {
        if (!strcmp(argv[at], "--any"))
            strict = false;
        else if (!strcmp(argv[at], "--opening") && at + 1 < argc)
            opening_len = read_file(argv[++at], opening);
    }
    if (at + 1 >= argc || !window || window > WINDOW_MAX || call_len > 2048)
        fail("a window up to 256, calls up to 2048 bytes, and a command after --, please");
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, overdue);
    alarm(DEADLINE_S);
    pin(atoi(argv[5]));

    began = now(CLOCK_MONOTONIC);
    start(argv + at + 1, atoi(argv[4]));
    open_up();
    run(1, 1);
    printf("start_ns %.0f\n", now(CLOCK_MONOTONIC) - began);
    print_memory("idle");
    run(calls / 10 + 1, window);
    print_memory("warm");

    wall = now(CLOCK_MONOTONIC), cpu = server_cpu(), own = now(CLOCK_PROCESS_CPUTIME_ID);
    if (window == 1)
        run_timed(calls);
    else
        run(calls, window);
    wall = now(CLOCK_MONOTONIC) - wall, cpu = server_cpu() - cpu, own = now(CLOCK_PROCESS_CPUTIME_ID) - own;
    printf("wall_ns %.1f\ncpu_ns %.1f\nboth_ns %.1f\n", wall / (double)calls, cpu / (double)calls,
           (cpu + own) / (double)calls);
    if (window == 1 && calls)
        print_times(calls);
    print_memory("end");
    printf("rss_peak %ld\n", proc_kib("status", "VmHWM"));
    stop();
    return 0;
}
