/* schema.c - how long it takes to compile schemas and to judge documents by them.
 *
 *     schema --time DIRECTORY                        a line for each measurement: its name and nanoseconds for one run
 *     schema --loop DIRECTORY NAME KIND WHAT TIMES   nothing but one of them, for tools that count instructions
 *
 * What bench/schema/cases.mjs wrote is measured: NAME.schema.json by NAME.valid.json and its kin. Of several turns the
 * best counts: on a machine with other work, everything above it is the other work.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tenon/schema.h>

#include "document/document.h"
#include "json/read.h"

#define TURNS   15
#define TURN_NS 3e6
#define ROOM    512

struct subject {
    char             *schema_text, *text;
    size_t            schema_len, len;
    tenon_schema     *schema;
    tenon_verdict    *verdict;
    struct tn_arena   arena;   /* of the parse alone */
    yyjson_val       *value;   /* parsed once, for the judgement alone, */
    struct tn_arena   scratch; /* which has this */
    struct matcher   *matcher;
    struct tn_judge   judge;
    struct tn_verdict run;
    bool              valid;
};

static volatile size_t sink; /* so that nothing is optimised away */

static void die(const char *what, const char *which)
{
    fprintf(stderr, "schema: %s: %s\n", which, what);
    exit(1);
}

static char *read_file(const char *directory, const char *name, const char *kind, size_t *len)
{
    char  path[ROOM];
    FILE *file;
    char *text;
    long  size = 0;

    snprintf(path, sizeof path, "%s/%s.%s.json", directory, name, kind);
    file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        die("cannot be read", path);
    rewind(file);
    text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
        die("cannot be read", path);
    fclose(file);
    *len = (size_t)size;
    return text;
}

/* ---- What is measured ---------------------------------------------------------------------------------------- */

static void run_parse(struct subject *subject)
{
    static const struct tn_json_limits limits = { (size_t)64 << 20, 256, 4000000 };

    tn_arena_reset(&subject->arena);
    subject->value = tn_json_read(&subject->arena, subject->text, subject->len, &limits).root;
}

static void run_flag(struct subject *subject)
{
    sink += tenon_verdict_flag(subject->verdict, subject->text, subject->len);
}

static void run_whole(struct subject *subject)
{
    sink += tenon_verdict_judge(subject->verdict, subject->text, subject->len);
}

/* All issues, as sentences. */
static void run_words(struct subject *subject)
{
    sink += tenon_verdict_judge(subject->verdict, subject->text, subject->len);
    for (size_t i = 0; i < tenon_verdict_issue_count(subject->verdict); i++)
        sink += strlen(tenon_verdict_issue(subject->verdict, i)->text);
}

/* What tenon_verdict_flag and tenon_verdict_judge do with a value once it is parsed. Both are made ready once, as the
 * validators of the others are. */
static void run_judge(struct subject *subject)
{
    tn_arena_reset(&subject->scratch);
    tn_judge_clear(&subject->judge);
    subject->run.rolls = NULL; /* they were in the arena */
    sink += tn_verdict_full(&subject->run, subject->schema->node, subject->value);
}

/* This one finds nothing that would have to be forgotten. */
static void run_judge_flag(struct subject *subject)
{
    tn_arena_reset(&subject->scratch);
    subject->run.all = false;
    sink += tn_verdict_of(&subject->run, subject->schema->node, subject->value);
}

static void run_compile(struct subject *subject)
{
    tenon_schema *schema = tenon_schema_new(subject->schema_text, subject->schema_len, .uri = NULL);

    sink += tenon_schema_error(schema) == NULL;
    tenon_schema_free(schema);
}

static const struct what {
    const char *name;
    void (*run)(struct subject *subject);
} whats[] = {
    { "parse", run_parse },           { "flag", run_flag },   { "whole", run_whole },
    { "words", run_words },           { "judge", run_judge }, { "compile", run_compile },
    { "judge-flag", run_judge_flag },
};

#define WHATS (sizeof whats / sizeof *whats)

static void subject_init(struct subject *subject, const char *directory, const char *name, const char *kind)
{
    *subject             = (struct subject){ .valid = strcmp(kind, "valid") == 0 };
    subject->schema_text = read_file(directory, name, "schema", &subject->schema_len);
    subject->text        = read_file(directory, name, kind, &subject->len);
    subject->schema      = tenon_schema_new(subject->schema_text, subject->schema_len, .uri = NULL);
    if (!subject->schema || tenon_schema_error(subject->schema))
        die(subject->schema ? tenon_schema_error(subject->schema) : "out of memory", name);
    subject->verdict = tenon_verdict_new(subject->schema);
    tn_arena_init(&subject->arena, NULL, 0);
    tn_arena_init(&subject->scratch, NULL, 0);
    if (!subject->verdict)
        die("out of memory", name);
    if (tenon_verdict_judge(subject->verdict, subject->text, subject->len) != subject->valid)
        die(subject->valid ? tenon_verdict_issue(subject->verdict, 0)->text : "judged to be valid", name);
    run_parse(subject);
    subject->judge = (struct tn_judge){ .arena   = &subject->scratch,
                                        .matcher = &subject->matcher,
                                        .memory  = &subject->schema->shape.memory };
    subject->run   = tn_document_verdict(subject->schema, &subject->judge, VERDICT_STEPS_MAX);
}

static void subject_clear(struct subject *subject)
{
    tn_matcher_free(subject->matcher);
    tn_arena_free(&subject->arena);
    tn_arena_free(&subject->scratch);
    tenon_verdict_free(subject->verdict);
    tenon_schema_free(subject->schema);
    free(subject->schema_text);
    free(subject->text);
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec moment;

    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec * 1e9 + (double)moment.tv_nsec;
}

static double time_runs(struct subject *subject, const struct what *what, size_t times)
{
    double start = now();

    for (size_t i = 0; i < times; i++)
        what->run(subject);
    return (now() - start) / (double)times;
}

static void time_subject(const char *directory, const char *name, const char *kind)
{
    double         best[WHATS];
    struct subject subject;

    subject_init(&subject, directory, name, kind);
    for (size_t i = 0; i < WHATS; i++) {
        time_runs(&subject, &whats[i], 2);
        best[i] = time_runs(&subject, &whats[i], 2);
    }
    for (size_t turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < WHATS; i++) {
            size_t times = (size_t)(TURN_NS / best[i]) + 1;
            double took  = time_runs(&subject, &whats[i], times);

            best[i] = took < best[i] ? took : best[i];
        }
    for (size_t i = 0; i < WHATS; i++)
        printf("%s/%s/tenon/%s %.2f\n", name, kind, whats[i].name, best[i]);
    printf("%s/%s/bytes %zu\n", name, kind, subject.len);
    subject_clear(&subject);
}

/* ---- Commands ------------------------------------------------------------------------------------------------ */

static void time_all(const char *directory)
{
    static const char ending[] = ".schema.json";
    DIR              *dir      = opendir(directory);
    struct dirent    *entry;

    if (!dir)
        die("cannot be opened", directory);
    while ((entry = readdir(dir))) {
        size_t len = strlen(entry->d_name), tail = sizeof ending - 1;
        char   name[ROOM];

        if (len <= tail || strcmp(entry->d_name + len - tail, ending) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(len - tail), entry->d_name);
        time_subject(directory, name, "valid");
        time_subject(directory, name, "late");
        time_subject(directory, name, "many");
    }
    closedir(dir);
}

static void loop(char **words)
{
    struct subject subject;

    subject_init(&subject, words[2], words[3], words[4]);
    for (size_t i = 0; i < WHATS; i++)
        if (strcmp(whats[i].name, words[5]) == 0)
            time_runs(&subject, &whats[i], strtoul(words[6], NULL, 10));
    subject_clear(&subject);
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--time") == 0) {
        time_all(words[2]);
    } else if (count == 7 && strcmp(words[1], "--loop") == 0) {
        loop(words);
    } else {
        fputs("usage: schema --time DIRECTORY | --loop DIRECTORY NAME KIND WHAT TIMES\n", stderr);
        return 2;
    }
    return 0;
}
