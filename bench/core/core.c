/* core.c - how long it takes to judge a call: the whole of a typical one, and how the cost grows.
 *
 *     core --time             a line for each measurement: its name and nanoseconds for one run
 *     core --schema           the published schema of the typical tool
 *     core --call NAME        the text of a call, "valid" or "faults"
 *     core --answer NAME      what Tenon answers to it
 *     core --loop NAME TIMES  nothing but one of the measurements, for tools that count instructions
 *
 * Names are paths: "typical/bind", "params/valid/1000/bind". What is compared with each other is measured in turns,
 * and of several turns the best counts: on a machine with other work, everything above it is the other work.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tenon/tenon.h>
#include <yyjson.h>

#include "bench/core/grow.h"

#define TURNS          100
#define TURN_NS        1e6 /* short, so that some turns are left in peace */
#define ALLOCATION_RUN 1000

/* ---- The typical tool ---------------------------------------------------------------------------------------- */

typedef enum { STANDARD, IMPORTANT, CRITICAL } promotion;
static const char *const promotions[] = { "standard", "important", "critical" };

typedef struct {
    const char *query;
    tenon_strs  doc_types;
    int         max_sources;
    double      min_relevance_score;
    promotion   min_promotion_level;
    bool        include_critical;
} rag_query_args;

static tenon_outcome rag_query(tenon_call *call, const rag_query_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(rag_query, rag_query_args,
           TENON_INFO("Answer a question from the documents.", .hints = TENON_READ_ONLY),
           TENON_STR(query, "The question.", .required = true, .len = { 1, 10000 }),
           TENON_STRS(doc_types, "Only documents of these types.", .count = { 0, 20 }),
           TENON_INT(max_sources, "How many documents to use.", .range = { 1, 10 }, .def = 3),
           TENON_NUM(min_relevance_score, "How well they must fit.", .range = { 0, 1 }, .def = 0.7),
           TENON_ENUM(min_promotion_level, promotions, "The lowest level of documents.", .def = STANDARD),
           TENON_BOOL(include_critical, "Always use critical documents.", .def = true));

static const char valid_call[] =
    "{\"query\":\"How do I add a tool?\",\"doc_types\":[\"guide\",\"spec\",\"note\"],"
    "\"max_sources\":5,\"min_relevance_score\":0.55,\"min_promotion_level\":\"important\","
    "\"include_critical\":true}";

/* Every parameter is wrong, and one is unknown. */
static const char faulty_call[] =
    "{\"query\":\"\",\"doc_types\":7,\"max_sources\":50,\"min_relevance_score\":1.5,"
    "\"min_promotion_level\":\"urgent\",\"include_critical\":\"maybe\",\"verbose\":true}";

#define FAULTS 7

static const char *call_named(const char *name)
{
    if (strcmp(name, "valid") == 0)
        return valid_call;
    if (strcmp(name, "faults") == 0)
        return faulty_call;
    fprintf(stderr, "core: there is no call '%s'\n", name);
    exit(2);
}

/* ---- What is measured ---------------------------------------------------------------------------------------- */

/* One text, and the one that reads it. */
struct subject {
    const char   *json;
    size_t        len;
    yyjson_alc    pool;
    tenon_params *params;
    tenon_call   *call;
};

static volatile size_t sink; /* so that nothing is optimised away */

static void run_parse(struct subject *subject)
{
    yyjson_doc *doc = yyjson_read_opts((char *)subject->json, subject->len, 0, &subject->pool, NULL);

    sink += yyjson_doc_get_val_count(doc);
    yyjson_doc_free(doc);
}

static void run_bind(struct subject *subject)
{
    sink += tenon_params_bind(subject->params, subject->json, subject->len) != NULL;
}

static void run_call(struct subject *subject)
{
    sink += tenon_call_run(subject->call, "rag_query", subject->json, subject->len)->len;
}

struct measurement {
    char name[64];
    void (*run)(struct subject *subject);
    struct subject *subject;
    double          best; /* nanoseconds for one run */
};

struct bench {
    struct measurement at[128];
    size_t             count;
};

static void add(struct bench *bench, const char *name, void (*run)(struct subject *), struct subject *subject)
{
    struct measurement *measurement = &bench->at[bench->count++];

    if (bench->count > sizeof bench->at / sizeof *bench->at)
        abort();
    *measurement = (struct measurement){ .run = run, .subject = subject };
    snprintf(measurement->name, sizeof measurement->name, "%s", name);
}

static void *or_die(void *made, const char *what)
{
    if (made)
        return made;
    fprintf(stderr, "core: %s\n", what);
    exit(1);
}

/* A reader of `json` by `rows`; checks that there are as many issues as it is meant to have. */
static struct subject *subject_new(const tenon_rows *rows, const char *json, size_t len, bool valid)
{
    struct subject *subject = or_die(calloc(1, sizeof *subject), "out of memory");
    tenon_shape    *shape   = or_die(tenon_shape_new(rows, NULL), "out of memory");
    size_t          room    = yyjson_read_max_memory_usage(len, 0) + 1024;

    *subject = (struct subject){ .json = json, .len = len };
    or_die(tenon_shape_error(shape) ? NULL : shape, tenon_shape_error(shape));
    subject->params = or_die(tenon_params_new(shape), "out of memory");
    yyjson_alc_pool_init(&subject->pool, or_die(malloc(room), "out of memory"), room);
    if ((tenon_params_bind(subject->params, json, len) != NULL) != valid)
        or_die(NULL, "a call was judged wrongly");
    return subject;
}

static void add_typical(struct bench *bench)
{
    tenon_toolbox  *box   = or_die(tenon_toolbox_new(), "out of memory");
    struct subject *valid = subject_new(&rag_query_tool()->rows, valid_call, sizeof valid_call - 1, true);
    struct subject *wrong = subject_new(&rag_query_tool()->rows, faulty_call, sizeof faulty_call - 1, false);

    tenon_toolbox_add(box, rag_query_tool());
    or_die(tenon_toolbox_error(box) ? NULL : box, tenon_toolbox_error(box));
    if (tenon_params_issue_count(wrong->params) != FAULTS)
        or_die(NULL, "the faulty call has another number of faults");
    valid->call = or_die(tenon_call_new(box), "out of memory");
    wrong->call = or_die(tenon_call_new(box), "out of memory");
    add(bench, "typical/parse", run_parse, valid);
    add(bench, "typical/bind", run_bind, valid);
    add(bench, "typical/call", run_call, valid);
    add(bench, "faults/parse", run_parse, wrong);
    add(bench, "faults/bind", run_bind, wrong);
    add(bench, "faults/call", run_call, wrong);
}

static void add_growth(struct bench *bench, const char *what, struct grown *(*grow)(size_t, bool))
{
    static const size_t counts[] = { 10, 100, 1000, 10000 };
    char                name[64];

    for (unsigned valid = 0; valid < 2; valid++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct grown   *grown   = or_die(grow(counts[i], valid), "out of memory");
            struct subject *subject = subject_new(grown->rows, grown->json, grown->len, valid);

            snprintf(name, sizeof name, "%s/%s/%zu/parse", what, valid ? "valid" : "invalid", counts[i]);
            add(bench, name, run_parse, subject);
            snprintf(name, sizeof name, "%s/%s/%zu/bind", what, valid ? "valid" : "invalid", counts[i]);
            add(bench, name, run_bind, subject);
        }
}

static void add_all(struct bench *bench)
{
    add_typical(bench);
    add_growth(bench, "params", grow_params);
    add_growth(bench, "strings", grow_strings);
    add_growth(bench, "integers", grow_integers);
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec moment;

    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec * 1e9 + (double)moment.tv_nsec;
}

static double time_runs(const struct measurement *measurement, size_t times)
{
    double start = now();

    for (size_t i = 0; i < times; i++)
        measurement->run(measurement->subject);
    return now() - start;
}

static void time_turn(struct measurement *measurement)
{
    size_t times = measurement->best > 0 ? (size_t)(TURN_NS / measurement->best) + 1 : 1;
    double took  = time_runs(measurement, times);

    while (took < TURN_NS / 2) { /* the first turn does not know yet how often */
        times *= 2;
        took = time_runs(measurement, times);
    }
    if (measurement->best == 0 || took / (double)times < measurement->best)
        measurement->best = took / (double)times;
}

/* Neighbours share a text and are compared, so their turns alternate. */
static void time_all(struct bench *bench)
{
    const char *typical = "typical/", *faults = "faults/";

    for (size_t i = 0, next; i < bench->count; i = next) {
        size_t turns = TURNS;

        for (next = i; next < bench->count && bench->at[next].subject == bench->at[i].subject;)
            next++;
        if (strncmp(bench->at[i].name, typical, strlen(typical)) != 0 &&
            strncmp(bench->at[i].name, faults, strlen(faults)) != 0)
            turns = TURNS / 5;
        for (size_t turn = 0; turn < turns; turn++)
            for (size_t k = i; k < next; k++)
                time_turn(&bench->at[k]);
    }
    for (size_t i = 0; i < bench->count; i++)
        printf("%s %.2f\n", bench->at[i].name, bench->at[i].best);
}

/* ---- Allocations --------------------------------------------------------------------------------------------- */

static void *resize_counted(void *user, void *block, size_t old_len, size_t new_len)
{
    size_t *count = user;

    (void)old_len;
    ++*count;
    if (new_len > 0)
        return realloc(block, new_len);
    free(block);
    return NULL;
}

/* Allocations in ALLOCATION_RUN calls that are like the ones before. */
static void count_allocations(void)
{
    size_t          count   = 0, before;
    tenon_allocator memory  = { resize_counted, &count };
    tenon_toolbox  *box     = or_die(tenon_toolbox_new(.memory = &memory), "out of memory");
    tenon_shape    *shape   = or_die(tenon_shape_new(&rag_query_tool()->rows, &memory), "out of memory");
    struct subject  subject = { .json = valid_call, .len = sizeof valid_call - 1 };

    tenon_toolbox_add(box, rag_query_tool());
    subject.params = or_die(tenon_params_new(shape), "out of memory");
    subject.call   = or_die(tenon_call_new(box), "out of memory");
    run_bind(&subject);
    run_call(&subject);
    before = count;
    for (int i = 0; i < ALLOCATION_RUN; i++)
        run_bind(&subject);
    printf("allocations/bind %zu\n", count - before);
    before = count;
    for (int i = 0; i < ALLOCATION_RUN; i++)
        run_call(&subject);
    printf("allocations/call %zu\n", count - before);
    tenon_call_free(subject.call);
    tenon_params_free(subject.params);
    tenon_shape_free(shape);
    tenon_toolbox_free(box);
}

/* ---- Commands ------------------------------------------------------------------------------------------------ */

static void print_schema(void)
{
    tenon_shape *shape = or_die(tenon_shape_new(&rag_query_tool()->rows, NULL), "out of memory");

    puts(or_die((void *)tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL), "the rows have a mistake"));
    tenon_shape_free(shape);
}

static void print_answer(const char *name)
{
    tenon_toolbox *box  = or_die(tenon_toolbox_new(), "out of memory");
    const char    *json = call_named(name);
    tenon_call    *call;

    tenon_toolbox_add(box, rag_query_tool());
    call = or_die(tenon_call_new(box), "out of memory");
    puts(tenon_call_run(call, "rag_query", json, strlen(json))->json);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void loop(struct bench *bench, const char *name, size_t times)
{
    for (size_t i = 0; i < bench->count; i++)
        if (strcmp(bench->at[i].name, name) == 0) {
            time_runs(&bench->at[i], times);
            return;
        }
    or_die(NULL, "there is no measurement of that name");
}

int main(int count, char **words)
{
    static struct bench bench;
    const char         *command = count > 1 ? words[1] : "";

    if (strcmp(command, "--schema") == 0) {
        print_schema();
    } else if (strcmp(command, "--call") == 0 && count == 3) {
        puts(call_named(words[2]));
    } else if (strcmp(command, "--answer") == 0 && count == 3) {
        print_answer(words[2]);
    } else if (strcmp(command, "--time") == 0) {
        add_all(&bench);
        time_all(&bench);
        count_allocations();
    } else if (strcmp(command, "--loop") == 0 && count == 4) {
        if (strncmp(words[2], "typical/", 8) == 0 || strncmp(words[2], "faults/", 7) == 0)
            add_typical(&bench);
        else
            add_all(&bench);
        loop(&bench, words[2], strtoul(words[3], NULL, 10));
    } else {
        fputs("usage: core --time | --schema | --call NAME | --answer NAME | --loop NAME TIMES\n", stderr);
        return 2;
    }
    return 0;
}
