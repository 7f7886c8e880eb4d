/* judge.c - a guard of one server without protocol: relays its pipes, and writes news of it on standard error.
 *
 *     guard_judge [--env NAME=VALUE | --env-from NAME | --secret NAME=FILE | --directory DIR | --memory BYTES]... -- WORD...
 *
 * The end of its input ends the server. It holds files open that a careless library did not mark to be closed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "guard/process/child.h"
#include "guard/process/environment.h"

#define WISHES_MAX 32
#define HIGH_FD    400

extern char **environ;

static struct {
    struct tn_child             *child;
    uv_pipe_t                    from_us, output, errors;
    int                          input;
    tenon_pair                   env[WISHES_MAX], secrets[WISHES_MAX];
    const char                  *from[WISHES_MAX];
    struct tn_order              order;
    struct tn_environment_wishes wishes;
} judge;

static void report(const char *event, const char *why)
{
    fprintf(stderr, "news: %s%s%s\n", event, *why ? ": " : "", why);
    fflush(stderr);
}

static void on_news(void *user, const struct tn_child_news *news)
{
    static const char *const names[] = { "running", "failed", "exited", "ended" };
    char                     number[32];

    (void)user;
    snprintf(number, sizeof number, "%d", news->process);
    report(names[news->event], news->event == CHILD_RUNNING ? number : news->why);
    if (news->event != CHILD_ENDED)
        return;
    judge.child = NULL;
    uv_close((uv_handle_t *)&judge.from_us, NULL);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    static char bytes[65536];

    (void)handle, (void)wanted;
    *room = uv_buf_init(bytes, sizeof bytes);
}

static void put(int fd, const char *at, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, at, len);

        if (done <= 0)
            return;
        at += done;
        len -= (size_t)done;
    }
}

/* From the server. */
static void on_bytes(uv_stream_t *stream, ssize_t got, const uv_buf_t *room)
{
    bool is_output = stream == (uv_stream_t *)&judge.output;

    if (got > 0)
        put(is_output ? STDOUT_FILENO : STDERR_FILENO, room->base, (size_t)got);
    if (got >= 0)
        return;
    report(is_output ? "output closed" : "errors closed", "");
    uv_close((uv_handle_t *)stream, NULL);
}

/* To the server. */
static void on_input(uv_stream_t *stream, ssize_t got, const uv_buf_t *room)
{
    if (got > 0)
        put(judge.input, room->base, (size_t)got);
    if (got >= 0)
        return;
    uv_read_stop(stream);
    close(judge.input);
    judge.input = -1;
    if (judge.child)
        tn_child_end(judge.child);
}

static void on_mistake(void *user, const char *where, const char *text)
{
    (void)user;
    fprintf(stderr, "mistake: %s: %s\n", where, text);
}

static tenon_pair pair_of(char *text)
{
    char *end = strchr(text, '=');

    if (!end)
        exit(2);
    *end = '\0';
    return (tenon_pair){ text, end + 1 };
}

static void read_flags(char **word)
{
    struct tn_environment_wishes *wishes = &judge.wishes;

    *wishes = (struct tn_environment_wishes){ { 0, judge.env }, { 0, judge.from }, { 0, judge.secrets } };
    for (; *word && strcmp(*word, "--") != 0; word += 2) {
        if (!word[1] || wishes->env.count + wishes->env_from.count + wishes->secrets.count == WISHES_MAX)
            exit(2);
        if (strcmp(*word, "--env") == 0)
            judge.env[wishes->env.count++] = pair_of(word[1]);
        else if (strcmp(*word, "--env-from") == 0)
            judge.from[wishes->env_from.count++] = word[1];
        else if (strcmp(*word, "--secret") == 0)
            judge.secrets[wishes->secrets.count++] = pair_of(word[1]);
        else if (strcmp(*word, "--directory") == 0)
            judge.order.directory = word[1];
        else if (strcmp(*word, "--memory") == 0)
            judge.order.memory = strtoull(word[1], NULL, 10);
        else
            exit(2);
    }
    if (!*word || !word[1])
        exit(2);
    judge.order.words = (const char *const *)word + 1;
}

static void open_pipe(uv_loop_t *loop, uv_pipe_t *pipe, int fd, uv_read_cb read)
{
    uv_pipe_init(loop, pipe, 0);
    uv_pipe_open(pipe, fd);
    uv_read_start((uv_stream_t *)pipe, on_room, read);
}

int main(int count, char **words)
{
    static const struct tn_environment_sink sink = { on_mistake, NULL };
    struct tn_child_plan plan = { .name = "judge", .program = getenv("TENON_PROGRAM"), .news = on_news };
    uv_loop_t           *loop = uv_default_loop();
    struct tn_arena      arena;
    char                 why[CHILD_WHY_MAX];
    int                  careless = open("/dev/zero", O_RDONLY);

    (void)count;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    if (careless < 0 || dup2(careless, HIGH_FD) < 0)
        return 2;
    tn_arena_init(&arena, NULL, 0);
    read_flags(words + 1);
    judge.order.environment = tn_environment_new((const char *const *)environ, &judge.wishes, &sink, &arena);
    if (!judge.order.environment)
        return 3;
    plan.order  = judge.order;
    judge.child = tn_child_start(loop, &plan, why);
    if (!judge.child) {
        report("nothing", why);
        return 4;
    }
    judge.input = tn_child_take(judge.child, CHILD_INPUT);
    open_pipe(loop, &judge.from_us, STDIN_FILENO, on_input);
    open_pipe(loop, &judge.output, tn_child_take(judge.child, CHILD_OUTPUT), on_bytes);
    open_pipe(loop, &judge.errors, tn_child_take(judge.child, CHILD_ERRORS), on_bytes);
    uv_run(loop, UV_RUN_DEFAULT);
    tn_arena_free(&arena);
    return uv_loop_close(loop) == 0 ? 0 : 5;
}
