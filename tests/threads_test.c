/* threads_test.c - one toolbox, many threads: each with a call of its own, all at once, every kind of answer. What each gets
 * is what it would get alone. The thread sanitizer watches when it is built in.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/answer.h"

#define THREADS 8
#define ROUNDS  400

typedef struct {
    const char *name;
    int64_t     number;
} thing;

TENON_ROWS(thing_rows, thing,
    TENON_STR(name,   "Its name.", .required = true, .pattern = "^[a-z0-9-]+$", .example = "a"),
    TENON_INT(number, "Its number."));

typedef struct {
    const char *name;
    int         how;
    tenon_strs  tags;
    tenon_page  page;
} work_args;

static atomic_size_t looked_up;

static void known_tags(tenon_lookup *lookup, const void *value)
{
    const tenon_strs *tags = value;

    atomic_fetch_add(&looked_up, 1);
    for (size_t i = 0; i < tags->count; i++)
        if (strcmp(tags->at[i], "good") != 0)
            tenon_lookup_unknown(lookup, tags->at[i]);
    tenon_lookup_offer(lookup, "good");
}

static const int two = 2;

static const char *multiple_of(tenon_check *check, const void *value)
{
    const int *factor = tenon_check_argument(check);
    int        number;

    memcpy(&number, value, sizeof number);
    return number % *factor == 0
               ? NULL
               : tenon_check_format(check, "%s of %s must be a multiple of %d", tenon_check_parameter(check),
                                    tenon_check_tool(check), *factor);
}

static tenon_outcome work(tenon_call *call, const work_args *args)
{
    thing         things[3] = { { args->name, 1 }, { args->name, 2 }, { args->name, 3 } };
    tenon_outcome page;

    tenon_message(call, "Worked for %s.", args->name);
    tenon_detail(call, "name", "%s", args->name);
    page = tenon_ok_page(call, &args->page, thing_rows, things, (size_t)3, 3);
    if (args->how == 2)
        return tenon_fail(call, "BUSY", NULL);
    if (args->how == 4)
        return tenon_internal(call, "for %s", args->name);
    tenon_fail(call, TENON_CODE_CONFLICT, "never sent");
    return page;
}

TENON_TOOL(work, work_args,
    TENON_INFO("Work.", .items = thing_rows),
    TENON_STR (name, "A name.", .required = true, .pattern = "^[a-z0-9-]+$", .example = "a"),
    TENON_INT (how,  "How.", .range = {0, 9}, .checks = TENON_CHECKS(TENON_WITH(multiple_of, &two)), .example = "2"),
    TENON_STRS(tags, "Tags.", .comma = true, .lookup = known_tags, .example = "[\"good\"]"),
    TENON_PAGE(page));

static const tenon_error errors[] = { { "BUSY", "{name} is busy.", true } };

static void drop_log(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

struct worker {
    pthread_t      thread;
    tenon_toolbox *box;
    int            number;
    size_t         wrong;
};

static const struct { const char *args, *code, *want; } cases[] = {
    { "{\"name\":\"w-%d\"}",                          NULL,               "\"name\":\"w-%d\",\"number\":3}" },
    { "{\"name\":\"w-%d\",\"how\":2}",                "BUSY",             "\"w-%d is busy.\"" },
    { "{\"name\":\"w-%d\",\"how\":4}",                "INTERNAL_ERROR",   "Worked for w-%d." },
    { "{\"name\":\"w-%d\",\"how\":3,\"zz\":1}",       "VALIDATION_ERROR", "how of work must be a multiple of 2" },
    { "{\"name\":\"w-%d\",\"tags\":\"goood,w-%d\"}",  "VALIDATION_ERROR", "there is no value 'w-%d'." },
    { "{\"name\":\"W-%d\",\"page\":-1,\"pageSize\":500}", "VALIDATION_ERROR", "W-%d" },
};

static void *run_all(void *user)
{
    struct worker *worker = user;
    tenon_call    *call   = tenon_call_new(worker->box);
    char           args[200], want[200];

    for (size_t i = 0; call && i < ROUNDS * COUNT_OF(cases); i++) {
        size_t              c = (i + (size_t)worker->number) % COUNT_OF(cases);
        const tenon_answer *answer;

        snprintf(args, sizeof args, cases[c].args, worker->number,
                 worker->number); /* NOLINT: formats of ours */
        snprintf(want, sizeof want, cases[c].want, worker->number);
        answer = run_tool(call, "work", args);
        worker->wrong += (answer->code ? !cases[c].code || strcmp(answer->code, cases[c].code) != 0
                                       : cases[c].code != NULL) ||
                         !strstr(answer->json, want);
    }
    worker->wrong += call == NULL;
    tenon_call_free(call);
    return NULL;
}

static void answers_as_if_alone(void **state)
{
    tenon_toolbox *box = tenon_toolbox_new(.errors = errors, .error_count = COUNT_OF(errors),
                                           .log = drop_log);
    struct worker  workers[THREADS];

    (void)state;
    tenon_toolbox_add(box, work_tool());
    assert_null(tenon_toolbox_error(box));
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ .box = box, .number = i };
        assert_int_equal(pthread_create(&workers[i].thread, NULL, run_all, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].wrong, 0);
    }
    assert_int_equal(atomic_load(&looked_up), THREADS * ROUNDS); /* of one case in each round */
    tenon_toolbox_free(box);
}

/* ---- The first use ------------------------------------------------------------------------------------------ */

#define TOOLS 12
#define BOXES 20

struct first {
    pthread_t      thread;
    atomic_size_t *here; /* threads that are ready to start */
    tenon_toolbox *box;
    tenon_server  *server;
    size_t         number, wrong, listed;
};

static void count_listed(void *user, const char *json, size_t len)
{
    static const char begin[] = "\"inputSchema\":{\"type\"";
    struct first     *first   = user;

    for (const char *at = json; (at = memmem(at, len - (size_t)(at - json), begin, sizeof begin - 1)); at++)
        first->listed++;
}

/* Calls and looks at every tool, each thread beginning with another one, and lists them all. */
static void *use_all(void *user)
{
    static const char list[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    struct first *first = user;
    tenon_call   *call  = tenon_call_new(first->box);
    tenon_link   *link  = tenon_link_new(first->server, count_listed, first);
    char          name[32];

    atomic_fetch_add(first->here, 1);
    while (atomic_load(first->here) < THREADS)
        sched_yield();
    for (size_t i = 0; i < TOOLS; i++) {
        const tenon_tool_view *view;
        const tenon_answer    *answer;

        snprintf(name, sizeof name, "work-%zu", (i + first->number) % TOOLS);
        if (first->number % 2)
            tenon_link_send(link, list, sizeof list - 1);
        answer = run_tool(call, name, "{\"name\":\"a\"}");
        view   = tenon_toolbox_find(first->box, name);
        first->wrong += answer->is_error || !strstr(answer->json, "\"number\":3}");
        first->wrong += !view || !strstr(view->input, "\"pageSize\"") ||
                        !strstr(view->portable_input, "\"pageSize\"") ||
                        !strstr(view->output, "hasMorePages");
    }
    first->wrong += first->listed != (first->number % 2 ? TOOLS * TOOLS : 0);
    tenon_link_free(link);
    tenon_call_free(call);
    return NULL;
}

/* Half of the tools have one table, the others have copies of it. */
static void add_all(tenon_toolbox *box, tenon_server *server, tenon_tool *tools, tenon_row *rows,
                    char (*names)[32])
{
    size_t len = work_tool()->rows.count * sizeof *rows;

    for (size_t i = 0; i < TOOLS; i++) {
        snprintf(names[i], sizeof names[i], "work-%zu", i);
        tools[i]           = *work_tool();
        tools[i].info.name = names[i];
        if (i % 2)
            tools[i].rows.at = memcpy(rows + i * work_tool()->rows.count, work_tool()->rows.at, len);
        assert_int_equal(tenon_toolbox_add(box, &tools[i]), TENON_OK);
        assert_int_equal(tenon_server_add(server, &tools[i]), TENON_OK);
    }
}

static void are_first_at_once(void **state)
{
    tenon_row    *rows = calloc(TOOLS * work_tool()->rows.count, sizeof *rows);
    tenon_tool    tools[TOOLS];
    char          names[TOOLS][32];
    atomic_size_t here;
    struct first  firsts[THREADS];

    (void)state;
    for (size_t round = 0; round < BOXES; round++) {
        tenon_toolbox *box    = tenon_toolbox_new(.errors = errors, .error_count = COUNT_OF(errors),
                                                  .log = drop_log);
        tenon_server  *server = tenon_server_new("threads", "1", .errors = errors,
                                                 .error_count = COUNT_OF(errors), .log = drop_log);

        add_all(box, server, tools, rows, names);
        tenon_link_free(tenon_link_new(server, count_listed, NULL)); /* from now on it is shared */
        atomic_init(&here, 0);
        for (size_t i = 0; i < THREADS; i++) {
            firsts[i] = (struct first){ .here = &here, .box = box, .server = server, .number = i };
            assert_int_equal(pthread_create(&firsts[i].thread, NULL, use_all, &firsts[i]), 0);
        }
        for (size_t i = 0; i < THREADS; i++) {
            pthread_join(firsts[i].thread, NULL);
            assert_int_equal(firsts[i].wrong, 0);
        }
        tenon_server_free(server);
        tenon_toolbox_free(box);
    }
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(answers_as_if_alone),
                                        cmocka_unit_test(are_first_at_once) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
