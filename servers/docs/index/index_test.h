/* index_test.h - a project in a folder of its own, with a database, and a provider that counts and can be down. */
#ifndef DOCS_INDEX_INDEX_TEST_H
#define DOCS_INDEX_INDEX_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "docs/index/indexer.h"
#include "kit/folder_test.h"

#define GOOD                                                                                                 \
    "---\ndoc_type: insight\ntitle: %s\ndate: 2026-01-02\nsummary: About it.\nsignificance: behavioral\n"    \
    "insight_type: pattern\nimpact_area: api\n---\n# Heading\n\nText of %s.\n"

struct counting {
    struct embedder  embedder;
    struct embedder *real;
    atomic_size_t    texts;
    atomic_bool      is_down;
    atomic_bool      is_slow, is_waiting; /* it answers when it is slow no longer */
};

struct here {
    char           *folder;
    struct docs     docs;
    struct counting counting;
    struct project *project;
};

static inline enum embed_status count_texts(struct embedder *embedder, const tenon_call *call,
                                            enum embed_role role, const char *const *texts, size_t count,
                                            float *out, struct embed_failure *failure)
{
    struct counting *counting = (struct counting *)embedder;

    while (atomic_load(&counting->is_slow)) {
        atomic_store(&counting->is_waiting, true);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    if (atomic_load(&counting->is_down)) {
        *failure = (struct embed_failure){ .circuit = "open", .retry_after = 1 };
        return EMBED_UNAVAILABLE;
    }
    atomic_fetch_add(&counting->texts, count);
    return counting->real->embed(counting->real, call, role, texts, count, out, failure);
}

static inline void here_begin(struct here *here, const char *config)
{
    char *mistake = NULL;

    *here = (struct here){ .folder = folder_new() };
    assert_non_null(here->folder);
    pthread_mutex_init(&here->docs.lock, NULL);
    here->docs.options.debounce_ms = 100;
    here->counting.real            = embed_local_new(256);
    assert_non_null(here->counting.real);
    here->counting.embedder       = *here->counting.real;
    here->counting.embedder.embed = count_texts;
    here->docs.embedder           = &here->counting.embedder;
    here->docs.store              = store_open(in_folder(here->folder, "data/docs.db"), &mistake);
    assert_non_null(here->docs.store);
    mkdir(in_folder(here->folder, "p"), 0700);
    mkdir(in_folder(here->folder, "p/docs"), 0700);
    write_text(here->folder, "p/.tenon/config.json", "%s", config);
    if (project_load(&here->docs, in_folder(here->folder, "p/.tenon/config.json"), NULL, "main",
                     &here->project, &mistake) != PROJECT_OK)
        fail_msg("%s", mistake);
}

static inline void here_end(struct here *here)
{
    watch_free(&here->docs);
    project_release(here->project);
    project_forget_all(&here->docs);
    store_close(here->docs.store);
    here->counting.real->free(here->counting.real);
    pthread_mutex_destroy(&here->docs.lock);
    folder_free(here->folder);
}

/* The hash under which a document is stored; "" for none. */
static inline const char *hash_at(struct here *here, const char *path, bool external)
{
    static char hash[65];
    char        model[129];

    hash[0] = '\0';
    (void)store_hash(here->docs.store, &here->project->tenant, path, external, hash, model);
    return hash;
}

static inline int64_t count_documents(struct here *here, bool external)
{
    int64_t count = 0;

    (void)store_count(here->docs.store, &here->project->tenant, NULL, external, &count);
    return count;
}

static inline struct index_counts reconcile(struct here *here, enum index_status want)
{
    struct index_counts counts;

    assert_int_equal(index_reconcile(&here->docs, NULL, here->project, NULL, NULL, &counts), want);
    return counts;
}

#endif
