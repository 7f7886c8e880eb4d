/* curves.c - how the cost of a call grows with its parameters, the items of a list, its bytes, and the tools beside it.
 *
 *     curves --time               a line for each measurement: its name and nanoseconds for one run
 *     curves --schema NAME COUNT  the published schema of "params", "items" or "bytes"
 *     curves --call NAME COUNT    the text of its call
 *
 * Names are paths: "params/50/bind" (parse, check and bind), "params/50/call" (to the envelope), "tools/100/call" and
 * "tools/100/list" (whole messages, in memory). Of several turns the best counts: on a machine with other work,
 * everything above it is the other work.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tenon/tenon.h>

#include "bench/core/grow.h"

#define TURNS     25
#define TURN_NS   2e6
#define NAME_ROOM 32
#define LONG_TEXT 1048576

typedef struct {
    const char *text;
} text_args;

TENON_ROWS(text_rows, text_args, TENON_STR(text, "A long text.", .required = true, .len = { 1, LONG_TEXT }));

static struct grown *grow_bytes(size_t count, bool valid)
{
    struct grown *grown = malloc(sizeof *grown);
    char         *json  = malloc(count + NAME_ROOM);
    size_t        len   = json ? (size_t)snprintf(json, NAME_ROOM, "{\"text\":\"") : 0;

    (void)valid;
    if (!grown || !json)
        return NULL;
    for (; len < count; len++)
        json[len] = len % 7 == 0 ? ' ' : 'x';
    memcpy(json + len, "\"}", 3);
    *grown = (struct grown){ text_rows(), json, len + 2 };
    return grown;
}

static const struct curve {
    const char *name;
    struct grown *(*grow)(size_t count, bool valid);
    size_t counts[8];
} curves[] = {
    { "params", grow_params, { 1, 2, 5, 10, 20, 30, 40, 50 } },
    { "items", grow_strings, { 1, 10, 30, 100, 300, 1000, 3000, 10000 } },
    { "bytes", grow_bytes, { 100, 300, 1000, 3000, 10000, 30000, 100000, 300000 } },
};

static const size_t tool_counts[] = { 1, 3, 10, 30, 100, 300, 1000 };

static volatile size_t sink; /* so that nothing is optimised away */

static void *or_die(void *made, const char *what)
{
    if (made)
        return made;
    fprintf(stderr, "curves: %s\n", what);
    exit(1);
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

struct subject {
    const char   *text;
    size_t        len;
    tenon_params *params;
    tenon_call   *call;
    tenon_link   *link;
};

static double now(void)
{
    struct timespec moment;

    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec * 1e9 + (double)moment.tv_nsec;
}

static void run_bind(struct subject *subject)
{
    sink += tenon_params_bind(subject->params, subject->text, subject->len) != NULL;
}

static void run_call(struct subject *subject)
{
    sink += tenon_call_run(subject->call, "grown", subject->text, subject->len)->len;
}

static void run_message(struct subject *subject)
{
    tenon_link_send(subject->link, subject->text, subject->len);
}

static double time_runs(struct subject *subject, void (*run)(struct subject *), size_t times)
{
    double start = now();

    for (size_t i = 0; i < times; i++)
        run(subject);
    return (now() - start) / (double)times;
}

static void time_one(const char *name, size_t count, const char *what, struct subject *subject,
                     void (*run)(struct subject *))
{
    double best;

    time_runs(subject, run, 2);
    best = time_runs(subject, run, 2);
    for (int turn = 0; turn < TURNS; turn++) {
        double took = time_runs(subject, run, (size_t)(TURN_NS / best) + 1);

        best = took < best ? took : best;
    }
    printf("%s/%zu/%s %.2f\n", name, count, what, best);
}

/* ---- Parameters, items, bytes -------------------------------------------------------------------------------- */

static tenon_outcome do_nothing(tenon_call *call, const void *args)
{
    (void)args;
    return tenon_ok(call);
}

static tenon_tool tool_of(const tenon_rows *rows, const char *name)
{
    return (tenon_tool){ .handler   = "do_nothing",
                         .info_size = sizeof(tenon_info),
                         .rows      = *rows,
                         .run       = do_nothing,
                         .info      = { .name = name, .doc = "Does nothing.", .hints = TENON_READ_ONLY } };
}

static void time_curve(const struct curve *curve, size_t count)
{
    struct grown  *grown   = or_die(curve->grow(count, true), "out of memory");
    tenon_tool     tool    = tool_of(grown->rows, "grown");
    tenon_shape   *shape   = or_die(tenon_shape_new(grown->rows, NULL), "out of memory");
    tenon_toolbox *box     = or_die(tenon_toolbox_new(), "out of memory");
    struct subject subject = { .text = grown->json, .len = grown->len };

    tenon_toolbox_add(box, &tool);
    or_die(tenon_toolbox_error(box) ? NULL : box, tenon_toolbox_error(box));
    subject.params = or_die(tenon_params_new(shape), "out of memory");
    subject.call   = or_die(tenon_call_new(box), "out of memory");
    or_die((void *)tenon_params_bind(subject.params, grown->json, grown->len), "a call was judged wrongly");
    time_one(curve->name, count, "bind", &subject, run_bind);
    time_one(curve->name, count, "call", &subject, run_call);
    printf("%s/%zu/bytes %zu\n", curve->name, count, grown->len);
    tenon_call_free(subject.call);
    tenon_params_free(subject.params);
    tenon_toolbox_free(box);
    tenon_shape_free(shape);
}

/* ---- Tools --------------------------------------------------------------------------------------------------- */

static void take(void *user, const char *json, size_t len)
{
    (void)user;
    if (strstr(json, "\"error\":{\"code\":-") || strstr(json, "\"isError\":true"))
        or_die(NULL, json);
    sink += len;
}

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"                         \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static void time_tools(size_t count)
{
    struct grown *grown     = or_die(grow_params(6, true), "out of memory");
    tenon_server *server    = or_die(tenon_server_new("curves", "1.0.0"), "out of memory");
    tenon_tool   *tools     = or_die(calloc(count, sizeof *tools), "out of memory");
    char(*names)[NAME_ROOM] = or_die(calloc(count, sizeof *names), "out of memory");
    char           text[1024];
    struct subject subject = { .text = text };

    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], NAME_ROOM, "tool_%zu", i);
        tools[i] = tool_of(grown->rows, names[i]);
        tenon_server_add(server, &tools[i]);
    }
    subject.link = or_die(tenon_link_new(server, take, NULL), "no link");
    subject.len  = (size_t)snprintf(text, sizeof text,
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                                     "\"name\":\"tool_%zu\",\"arguments\":%.*s," META "}}",
                                    count / 2, (int)grown->len, grown->json);
    time_one("tools", count, "call", &subject, run_message);
    subject.len = (size_t)snprintf(text, sizeof text,
                                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META
                                   "}}");
    time_one("tools", count, "list", &subject, run_message);
    tenon_link_free(subject.link);
    tenon_server_free(server);
    free(names);
    free(tools);
}

/* ---- Commands ------------------------------------------------------------------------------------------------ */

static struct grown *grown_named(const char *name, size_t count)
{
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (strcmp(curves[i].name, name) == 0 && count > 0)
            return or_die(curves[i].grow(count, true), "out of memory");
    return or_die(NULL, "there is no curve of that name");
}

static void time_all(void)
{
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        for (size_t k = 0; k < sizeof curves->counts / sizeof *curves->counts; k++)
            time_curve(&curves[i], curves[i].counts[k]);
    for (size_t i = 0; i < sizeof tool_counts / sizeof *tool_counts; i++)
        time_tools(tool_counts[i]);
}

int main(int count, char **words)
{
    const char *command = count > 1 ? words[1] : "";

    if (count == 2 && strcmp(command, "--time") == 0) {
        time_all();
    } else if (count == 4 && strcmp(command, "--call") == 0) {
        puts(grown_named(words[2], strtoul(words[3], NULL, 10))->json);
    } else if (count == 4 && strcmp(command, "--schema") == 0) {
        tenon_shape *shape = or_die(
            tenon_shape_new(grown_named(words[2], strtoul(words[3], NULL, 10))->rows, NULL), "out of memory");

        puts(or_die((void *)tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL), "the rows have a mistake"));
        tenon_shape_free(shape);
    } else {
        fputs("usage: curves --time | --schema NAME COUNT | --call NAME COUNT\n", stderr);
        return 2;
    }
    return 0;
}
