/* drive.c - calls a server over its standard streams and measures it.
 *
 *     drive CALL CALLS WINDOW CORE PEER_CORE [OPTION...] -- COMMAND...
 *
 *     --seconds S       ends after that time, even if it sent fewer CALLS
 *     --warm S          warms up for that time, and not with a tenth as many calls
 *     --opening FILE    lines that are sent first; as many answers are awaited as have an id
 *     --expect TEXT     what an answer has to hold, one in a thousand of which is looked at
 *     --any             any answer will do
 *
 * CALL is a file with the text of a call, which is sent CALLS times with at most WINDOW of them unanswered. A list that comes
 * in pages is asked for to its end, and counts as one call. The server runs on CORE, this program on PEER_CORE; -1 leaves it
 * to the system. On one core a ping-pong costs what both sides do; on two it mostly measures how long the other core takes to
 * wake up.
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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TEXT_MAX   = 1 << 22,
    BATCH_CALL = 2048, /* the longest call of those of which several may be in flight */
    WINDOW_MAX = 256,
    SAMPLE     = 1000,
    DEADLINE_S = 900,
    TIMED_MAX  = 1 << 20,
    SAID_MAX   = 400, /* of an answer that is shown */
    CURSOR_MAX = 512,
    TAIL       = 1024, /* the end of a page, in which most say how to get the next */
};

static char        call[TEXT_MAX], opening[TEXT_MAX], batch[WINDOW_MAX * BATCH_CALL], input[1 << 24];
static size_t      call_len, opening_len, held, id_at;
static int         to_server, from_server;
static pid_t       server;
static const char *expected = "20 results at high, 2 tags."; /* NULL: anything */
static float       took[TIMED_MAX];                          /* nanoseconds of the calls of run_timed() */

/* Where the next page of the last answer begins, if there is one; looked for when a list is asked for. */
static struct {
    bool   wanted, in_tail, paged;
    char   text[CURSOR_MAX];
    size_t len;
} cursor;

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
    if (!expected)
        return;
    if (!memmem(line, len, expected, strlen(expected)) || memmem(line, len, "\"isError\":true", 14)) {
        fprintf(stderr, "drive: unexpected answer: %.*s\n", (int)(len < SAID_MAX ? len : SAID_MAX), line);
        fail("not a success");
    }
}

/* Keeps the cursor of a page, if it has one. */
static void find_cursor(const char *line, size_t len)
{
    static const char key[] = "\"nextCursor\":\"";
    const size_t      tail  = len < TAIL ? len : TAIL;
    const char       *found = memmem(line + len - tail, tail, key, sizeof key - 1), *end;

    cursor.len     = 0;
    cursor.in_tail = cursor.in_tail || found;
    if (!found && !cursor.in_tail)
        found = memmem(line, len, key, sizeof key - 1);
    if (!found)
        return;
    cursor.paged = true;
    found += sizeof key - 1;
    end = memchr(found, '"', (size_t)(line + len - found));
    if (!end || end - found >= CURSOR_MAX)
        fail("a cursor is too long");
    cursor.len = (size_t)(end - found);
    memcpy(cursor.text, found, cursor.len);
}

/* Waits for bytes and returns how many whole lines they ended; one in SAMPLE of all is looked at. */
static size_t take(bool look)
{
    static size_t seen;
    size_t        ended = 0, from = 0, at = held;
    ssize_t       got = read(from_server, input + held, sizeof input - held);

    if (got <= 0)
        fail(held == sizeof input ? "an answer is too long" : "the server ended");
    held += (size_t)got;
    for (char *end; (end = memchr(input + at, '\n', held - at)); ended++) {
        if (look && seen++ % SAMPLE == 0)
            check(input + from, (size_t)(end - input) - from);
        if (cursor.wanted)
            find_cursor(input + from, (size_t)(end - input) - from);
        at = from = (size_t)(end - input) + 1;
    }
    memmove(input, input + from, held - from);
    held -= from;
    return ended;
}

/* Every call has an id of its own, of seven digits: some servers do not answer when two in flight share one. */
static void count_up(char *text)
{
    static size_t next;
    size_t        number = 1000000 + next++ % 9000000;

    for (char *id = text + id_at + 7; number; number /= 10)
        *--id = (char)('0' + number % 10);
}

static void send_one(void)
{
    count_up(call);
    put(call, call_len);
}

static void send_batch(size_t count)
{
    static size_t ready;

    for (; ready < count; ready++)
        memcpy(batch + ready * call_len, call, call_len);
    for (size_t i = 0; i < count; i++)
        count_up(batch + i * call_len);
    put(batch, count * call_len);
}

/* Asks for the pages after the first. */
static void take_pages(void)
{
    static const char key[] = "\"params\":{";
    static char       next[BATCH_CALL + CURSOR_MAX];
    char             *params = memmem(call, call_len, key, sizeof key - 1);
    int               before = params ? (int)(params - call) + (int)sizeof key - 1 : 0;

    while (cursor.len) {
        int len = snprintf(next, sizeof next, "%.*s\"cursor\":\"%.*s\",%.*s", before, call, (int)cursor.len,
                           cursor.text, (int)call_len - before, call + before);

        if (!before || len >= (int)sizeof next)
            fail("the call is not one that can be asked for more pages");
        count_up(next);
        put(next, (size_t)len);
        while (!take(false))
            ;
    }
}

static void find_id(size_t window)
{
    char *found = memmem(call, call_len, "\"id\":1000000,", 13);

    if (!found)
        fail("the call needs the id 1000000, to be counted up");
    if (window > 1 && call_len > BATCH_CALL)
        fail("calls of which several are in flight have up to 2048 bytes, please");
    id_at         = (size_t)(found - call) + 5;
    cursor.wanted = memmem(call, call_len, "\"tools/list\"", 12);
}

struct limits {
    size_t calls, window;
    double seconds; /* 0: until there are enough calls */
};

/* Returns how many calls were answered. */
static size_t run(const struct limits *limits)
{
    double end  = now(CLOCK_MONOTONIC) + limits->seconds * 1e9;
    size_t sent = limits->window < limits->calls ? limits->window : limits->calls, answered = 0;

    send_batch(sent);
    while (answered < sent) {
        size_t ended = take(true), more = limits->calls - sent < ended ? limits->calls - sent : ended;

        answered += ended;
        if (limits->seconds > 0 && now(CLOCK_MONOTONIC) >= end)
            more = 0;
        sent += more;
        if (more)
            send_batch(more);
    }
    return answered;
}

/* The same with one call in flight, each with its time. */
static size_t run_timed(const struct limits *limits)
{
    double began = now(CLOCK_MONOTONIC), sent = began;
    size_t count = 0;

    while (count < limits->calls && (limits->seconds <= 0 || sent - began < limits->seconds * 1e9)) {
        send_one();
        while (!take(true))
            ;
        if (cursor.len)
            take_pages();
        took[count++ % TIMED_MAX] = (float)(now(CLOCK_MONOTONIC) - sent);
        sent                      = now(CLOCK_MONOTONIC);
    }
    return count;
}

static size_t run_either(const struct limits *limits)
{
    return limits->window == 1 ? run_timed(limits) : run(limits);
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

static void usage(void)
{
    fputs("usage: drive CALL CALLS WINDOW CORE PEER_CORE [--seconds S] [--warm S] [--opening FILE] [--expect "
          "TEXT] [--any] "
          "-- COMMAND...\n"
          "       the window is 1 to 256\n",
          stderr);
    exit(2);
}

/* Reads all that stands before the command, and returns where that begins. */
static int read_options(int argc, char **argv, struct limits *limits, struct limits *warm)
{
    int at = 6;

    if (argc < 8)
        usage();
    *limits = (struct limits){ strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10), 0 };
    *warm   = (struct limits){ limits->calls / 10 + 1, limits->window, 0 };
    for (; at + 1 < argc && strcmp(argv[at], "--"); at++) {
        if (!strcmp(argv[at], "--any"))
            expected = NULL;
        else if (!strcmp(argv[at], "--opening"))
            opening_len = read_file(argv[++at], opening);
        else if (!strcmp(argv[at], "--expect"))
            expected = argv[++at];
        else if (!strcmp(argv[at], "--seconds"))
            limits->seconds = strtod(argv[++at], NULL);
        else if (!strcmp(argv[at], "--warm"))
            *warm = (struct limits){ SIZE_MAX, limits->window, strtod(argv[++at], NULL) };
        else
            usage();
    }
    if (at + 1 >= argc || !limits->window || limits->window > WINDOW_MAX || !limits->calls)
        usage();
    return at + 1;
}

static void measure(const struct limits *limits)
{
    double wall = now(CLOCK_MONOTONIC), cpu = server_cpu(), own = now(CLOCK_PROCESS_CPUTIME_ID);
    size_t calls = run_either(limits);

    wall = now(CLOCK_MONOTONIC) - wall, cpu = server_cpu() - cpu, own = now(CLOCK_PROCESS_CPUTIME_ID) - own;
    printf("calls %zu\nwall_ns %.1f\ncpu_ns %.1f\nboth_ns %.1f\n", calls, wall / (double)calls,
           cpu / (double)calls, (cpu + own) / (double)calls);
    if (limits->window == 1)
        print_times(calls);
}

int main(int argc, char **argv)
{
    struct limits limits, warm;
    int           command = read_options(argc, argv, &limits, &warm);
    double        began;

    call_len = read_file(argv[1], call);
    find_id(limits.window);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, overdue);
    alarm(DEADLINE_S);
    pin(atoi(argv[5]));

    began = now(CLOCK_MONOTONIC);
    start(argv + command, atoi(argv[4]));
    open_up();
    run_timed(&(struct limits){ 1, 1, 0 });
    printf("start_ns %.0f\n", now(CLOCK_MONOTONIC) - began);
    print_memory("idle");
    cursor.wanted = cursor.wanted && cursor.paged;
    run_either(&warm);
    print_memory("warm");
    measure(&limits);
    print_memory("end");
    printf("rss_peak %ld\n", proc_kib("status", "VmHWM"));
    stop();
    return 0;
}
