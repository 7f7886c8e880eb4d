/* command_index.c - `tenon docs index`: what it does is seen while it is done. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "docs/command_parts.h"
#include "docs/command_show.h"
#include "kit/embed/embed.h"

#define BAR_WIDTH        30
#define ESTIMATE_AFTER_S 2 /* before, it would be a guess */

struct shown {
    bool   terminal, briefly, is_slow;
    time_t begun;
    size_t last; /* tenths that were told elsewhere */
};

/* How long the rest takes, if it goes on like this. */
static void draw_estimate(const struct shown *shown, size_t done, size_t total)
{
    time_t so_far = time(NULL) - shown->begun;
    long   left   = done ? (long)((double)so_far / (double)done * (double)(total - done)) : 0;

    if (!shown->is_slow || so_far < ESTIMATE_AFTER_S || done == total)
        return;
    if (left >= 90)
        fprintf(stderr, "about %ld min left ", (left + 30) / 60);
    else
        fprintf(stderr, "about %ld s left ", left);
}

static void draw_bar(const struct shown *shown, size_t done, size_t total)
{
    size_t full = total ? done * BAR_WIDTH / total : BAR_WIDTH;

    fputs("\r[", stderr);
    for (size_t i = 0; i < BAR_WIDTH; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %zu of %zu files ", done, total);
    draw_estimate(shown, done, total);
    fputs("\x1b[K", stderr);
}

static void clear_bar(const struct shown *shown)
{
    if (shown->terminal)
        fputs("\r\x1b[K", stderr);
}

static bool tell(void *user, size_t done, size_t total, const char *path, enum index_status status,
                 const struct index_problem *problem)
{
    struct shown *shown = user;

    (void)status;
    if (problem && !shown->briefly) {
        clear_bar(shown);
        fputs("tenon docs: ", stderr);
        docs_show_text(stderr, path, strlen(path));
        fputs(" was not indexed: ", stderr);
        docs_show_problem(stderr, problem);
    }
    if (shown->terminal) {
        if (shown->is_slow || done == total || done % 16 == 0)
            draw_bar(shown, done, total);
    } else if (total >= 1000 && done * 10 / total > shown->last) {
        shown->last = done * 10 / total;
        fprintf(stderr, "%zu of %zu files\n", done, total);
    }
    return true;
}

static const char *index_failure(enum index_status status)
{
    switch (status) {
    case INDEX_EMBEDDING: return "the embedding service does not answer";
    case INDEX_OVER_LIMIT: return "the database has reached the size that --max-db allows";
    case INDEX_DATABASE: return "the database could not be written";
    case INDEX_NO_MEMORY: return "out of memory";
    default: return "the documents cannot be read";
    }
}

enum command_ending command_bring_up_to_date(struct command_row *command, bool briefly,
                                             struct index_counts *counts)
{
    struct shown      shown = { .terminal = isatty(STDERR_FILENO),
                                .briefly  = briefly,
                                .is_slow  = command->docs.embedder->is_slow,
                                .begun    = time(NULL) };
    enum index_status status;

    *counts = (struct index_counts){ 0 };
    status  = index_reconcile(&command->docs, NULL, command->docs.projects, tell, &shown, counts);
    clear_bar(&shown);
    if (status != INDEX_OK) {
        fprintf(stderr, "tenon docs: %s\n", index_failure(status));
        return ENDING_UNUSABLE;
    }
    if (counts->elsewhere)
        fputs("tenon docs: another process is indexing this folder; what it has done so far is there\n",
              stderr);
    if (briefly && counts->failed > 0)
        fprintf(stderr, "tenon docs: %zu file%s could not be indexed; tenon docs index says why\n",
                counts->failed, counts->failed == 1 ? "" : "s");
    return counts->failed > 0 ? ENDING_BAD : ENDING_GOOD;
}

enum command_ending command_index(struct command_row *command)
{
    const struct tenant *tenant = &command->docs.projects->tenant;
    struct index_counts  counts;
    enum command_ending  ending = command_bring_up_to_date(command, false, &counts);
    int64_t              total  = 0;

    if (ending == ENDING_UNUSABLE)
        return ending;
    store_count(command->docs.store, tenant, NULL, false, &total);
    printf("%s, branch %s: %lld document%s (%zu indexed, %zu unchanged, %zu removed, %zu not indexed)\n",
           tenant->project, tenant->branch, (long long)total, total == 1 ? "" : "s", counts.indexed,
           counts.unchanged, counts.removed, counts.failed);
    if (counts.passed[0])
        printf("not read: %s\n", counts.passed);
    if (total == 0 && ending == ENDING_GOOD) {
        fprintf(stderr,
                "tenon docs: there is no document in this folder (tenon docs --help says which files are)\n");
        return ENDING_BAD;
    }
    return ending;
}
