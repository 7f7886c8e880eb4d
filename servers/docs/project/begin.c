/* begin.c - the operator's projects are brought up to date when the server starts, while it answers already. */
#include <signal.h>
#include <stdlib.h>

#include "docs/index/indexer.h"
#include "docs/index/parts.h"
#include "docs/tools/tools.h"

/* Held ones, so that an activation may replace them meanwhile. */
static size_t hold_all(struct docs *docs, struct project *out[PATHS_MAX])
{
    size_t count = 0;

    pthread_mutex_lock(&docs->lock);
    for (struct project *project = docs->projects; project && count < PATHS_MAX; project = project->next) {
        project_hold(project);
        out[count++] = project;
    }
    pthread_mutex_unlock(&docs->lock);
    return count;
}

static bool go_on(void *user, size_t done, size_t total, const char *path, enum index_status status,
                  const struct index_problem *problem)
{
    struct docs *docs = user;

    (void)path, (void)status, (void)problem; /* tenon docs index and activate_project tell */
    atomic_store(&docs->first_done, done);
    atomic_store(&docs->first_total, total);
    return !atomic_load(&docs->stopping);
}

static void *look(void *user)
{
    struct docs        *docs = user;
    struct project     *projects[PATHS_MAX];
    struct index_counts counts;
    size_t              count   = hold_all(docs, projects);
    char               *mistake = NULL;

    for (size_t i = 0; i < count; i++) {
        counts = (struct index_counts){ 0 };
        if (!atomic_load(&docs->stopping))
            index_reconcile(docs, NULL, projects[i], go_on, docs, &counts);
        if (counts.passed[0])
            docs_log("%s: not read: %s", projects[i]->config.name, counts.passed);
        if (!atomic_load(&docs->stopping) && !docs->options.no_watch)
            watch_begin(docs, projects[i]);
        project_release(projects[i]);
    }
    atomic_store(&docs->is_first_look, false);
    if (docs->embedder->wait && !docs->embedder->wait(docs->embedder, &mistake))
        docs_log("%s Searches go by words.", mistake ? mistake : "");
    free(mistake);
    return NULL;
}

void docs_begin(struct docs *docs)
{
    sigset_t all, before;

    if (!docs->projects)
        return;
    atomic_store(&docs->is_first_look, true);
    sigfillset(&all); /* signals are the server's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    docs->is_looking = pthread_create(&docs->first_look, NULL, look, docs) ==
                       0; /* else the first call looks */
    if (!docs->is_looking)
        atomic_store(&docs->is_first_look, false);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void docs_end(struct docs *docs)
{
    atomic_store(&docs->stopping, true);
    if (docs->is_looking)
        pthread_join(docs->first_look, NULL);
    docs->is_looking = false;
}

void say_words_only(tenon_call *call, const struct hits *hits)
{
    const struct embedder *embedder = docs_of(call)->embedder;

    if (hits->is_loading)
        tenon_message(call, "The model is still being loaded: this was found by words only.");
    else if (embedder->wait) /* it is in this process */
        tenon_message(call, "The model cannot be used: this was found by words only. %s",
                      hits->failure ? hits->failure->text : "");
    else
        tenon_message(call, "The embedding service does not answer: this was found by words only.");
}

void say_if_incomplete(tenon_call *call)
{
    struct docs *docs  = docs_of(call);
    size_t       total = atomic_load(&docs->first_total), done = atomic_load(&docs->first_done);

    if (!atomic_load(&docs->is_first_look))
        return;
    if (total <= done) /* they are being counted, or those of another project are next */
        tenon_message(call, "The documents are still being indexed: this answer may be incomplete.");
    else
        tenon_message(
            call, "The documents are still being indexed (%zu of %zu files): this answer may be incomplete.",
            done, total);
}

void say_if_promoted(tenon_call *call, const struct hits *hits)
{
    for (size_t i = 0; i + 1 < hits->count; i++) {
        const struct hit *first = &hits->at[i];

        for (size_t n = i + 1; first->document.level > LEVEL_STANDARD && n < hits->count; n++) {
            if (shown_score(hits->at[n].relevance) <= shown_score(first->relevance) ||
                hits->at[n].document.superseded)
                continue;
            tenon_message(
                call,
                "Promoted documents come first: %s (%s) stands above %s, although that has the higher "
                "relevance_score.",
                first->document.path, level_names[first->document.level], hits->at[n].document.path);
            return;
        }
    }
}

void say_if_notes(tenon_call *call, const struct hits *hits)
{
    for (size_t i = 0; i < hits->count; i++)
        if (hits->at[i].is_notes) {
            tenon_message(call, "Release notes are listed as if they had half of their relevance_score: %s.",
                          hits->at[i].document.path);
            return;
        }
}

const char *why_of(tenon_call *call, const struct hit *hit)
{
    const struct evidence *evidence = &hit->evidence;
    const char *meaning = evidence->has_cosine ? tenon_format(call, ", meaning %.2f", evidence->cosine) : "";

    return tenon_format(call, "words %.2f%s%s%s%s", evidence->saturated, meaning ? meaning : "",
                        hit->document.level == LEVEL_CRITICAL    ? ", critical"
                        : hit->document.level == LEVEL_IMPORTANT ? ", promoted"
                                                                 : "",
                        hit->document.superseded ? ", superseded" : "",
                        hit->is_notes ? ", release notes" : "");
}

bool say_if_empty(tenon_call *call, const struct project *project, bool external)
{
    const char  *folder = external ? project->config.external_path : project->config.docs_folder;
    struct docs *docs   = docs_of(call);
    int64_t      count  = 0;

    if (atomic_load(&docs->first_total) > 0 ||
        store_count(docs->store, &project->tenant, NULL, external, &count) != STORE_OK || count > 0)
        return false;
    tenon_message(
        call,
        "Nothing is indexed yet: project %s has no %s on branch %s. Put Markdown files into %s, then "
        "index them with activate_project (or tenon docs index), which says why when it leaves one out.",
        project->tenant.project, external ? "external documents" : "documents", project->tenant.branch,
        strcmp(folder, ".") == 0 ? "its folder" : folder);
    return true;
}
