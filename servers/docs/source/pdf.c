/* pdf.c - the text of a PDF, by a child that is bounded. */
#include "docs/source/pdf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPU_SECONDS  20
#define WALL_SECONDS 60
#define MEMORY_MAX   ((rlim_t)1 << 30)
#define POLL_MS      100
#define INPUT        3 /* the descriptor that the child reads */

static char           program[64];
static pthread_once_t looked = PTHREAD_ONCE_INIT;

static void look(void)
{
    static const char *const places[] = { "/usr/bin/pdftotext", "/usr/local/bin/pdftotext",
                                          "/opt/homebrew/bin/pdftotext" };

    for (size_t i = 0; i < sizeof places / sizeof *places && !program[0]; i++)
        if (access(places[i], X_OK) == 0)
            snprintf(program, sizeof program, "%s", places[i]);
}

bool pdf_can_read(void)
{
    pthread_once(&looked, look);
    return program[0] != '\0';
}

/* ---- The child: between fork and exec only what is safe there ---- */

static _Noreturn void run(int input, int output)
{
    static char *const arguments[] = {
        "pdftotext", "-q", "-enc", "UTF-8", "-nopgbrk", "/dev/fd/3", "-", NULL
    };
    static char *const environment[] = { "LC_ALL=C", NULL };
    int                nothing       = open("/dev/null", O_RDWR);

    setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS, CPU_SECONDS });
    setrlimit(RLIMIT_AS, &(struct rlimit){ MEMORY_MAX, MEMORY_MAX });
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 });
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    if (input == STDIN_FILENO || input == STDOUT_FILENO || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(input, INPUT) < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
        _exit(127);
    if (input == INPUT)
        (void)fcntl(INPUT, F_SETFD, 0);
    execve(program, arguments, environment);
    _exit(127);
}

/* ---- The parent ---- */

static long seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec;
}

/* All that it writes; what is wrong, or NULL. */
static const char *collect(int from, const atomic_bool *stop, struct text *out)
{
    long until = seconds_now() + WALL_SECONDS;
    char part[65536];

    for (;;) {
        struct pollfd waiting = { .fd = from, .events = POLLIN };
        ssize_t       len;

        if (stop && atomic_load(stop))
            return "it was cancelled";
        if (seconds_now() > until)
            return "pdftotext takes too long";
        if (poll(&waiting, 1, POLL_MS) <= 0)
            continue;
        len = read(from, part, sizeof part);
        if (len < 0 && errno == EINTR)
            continue;
        if (len <= 0)
            return len < 0 ? "pdftotext cannot be read" : NULL;
        text_add(out, part, (size_t)len);
        if (out->failed || out->len > PDF_TEXT_MAX)
            return "it has too much text";
    }
}

/* A file without a name that has these bytes. */
static int make_input(const char *at, size_t len)
{
    int fd = memfd_create("pdf", MFD_CLOEXEC);

    while (fd >= 0 && len > 0) {
        ssize_t written = write(fd, at, len);

        if (written < 0 && errno != EINTR) {
            close(fd);
            return -1;
        }
        if (written > 0) {
            at += written;
            len -= (size_t)written;
        }
    }
    return fd;
}

static const char *run_child(int input, const atomic_bool *stop, struct text *out)
{
    int         pipes[2], status = 0;
    const char *mistake;
    pid_t       child;

    if (pipe2(pipes, O_CLOEXEC) != 0)
        return "there are no descriptors left";
    child = fork();
    if (child == 0)
        run(input, pipes[1]);
    close(pipes[1]);
    mistake = child < 0 ? "no process can be started" : collect(pipes[0], stop, out);
    close(pipes[0]);
    if (child < 0)
        return mistake;
    if (mistake)
        (void)kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!mistake && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        mistake = "pdftotext does not understand it";
    return mistake;
}

const char *pdf_read(const char *at, size_t len, const atomic_bool *stop, struct text *out)
{
    const char *mistake;
    int         input;

    if (!pdf_can_read())
        return "pdftotext is not installed";
    input = make_input(at, len);
    if (input < 0)
        return "there is no memory for it";
    mistake = run_child(input, stop, out);
    close(input);
    return mistake;
}
