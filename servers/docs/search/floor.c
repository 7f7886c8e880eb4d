/* floor.c - from which cosine on a model says anything about a collection. */
#include "docs/search/floor.h"

#include <math.h>
#include <stdlib.h>

#include "docs/store/nearest.h"
#include "kit/embed/embed.h"

#define FLOOR_DEVIATIONS 2.5 /* above the mean of what the probes find */
#define SEPARABLE_LEAST  0.2 /* of the cosines must lie above the floor */
#define FLOOR_ROWS_MOST  100000 /* that a probe is compared with: spread evenly over more */
#define GROWTH_PART      4 /* a quarter */

struct floor_entry {
    struct floor_entry *next;
    int64_t             tenant;
    bool                external;
    size_t              rows; /* when it was computed */
    struct floor        floor;
};

/* Of a server; made when it is first needed. */
struct floors {
    pthread_mutex_t     lock;
    float              *probes; /* their vectors; NULL: not embedded yet */
    struct floor_entry *entries;
};

struct floor floor_from(const float *best, size_t count)
{
    double sum = 0, squares = 0, mean, deviation, cosine;

    for (size_t i = 0; i < count; i++) {
        sum += (double)best[i];
        squares += (double)best[i] * (double)best[i];
    }
    mean      = sum / (double)count;
    deviation = sqrt(fmax(squares / (double)count - mean * mean, 0));
    cosine    = mean + FLOOR_DEVIATIONS * deviation;
    return (
        struct floor){ .is_known = true, .is_separable = 1 - cosine >= SEPARABLE_LEAST, .cosine = cosine };
}

static struct floors *floors_of(struct docs *docs)
{
    struct floors *floors;

    pthread_mutex_lock(&docs->lock);
    if (!docs->floors && (docs->floors = calloc(1, sizeof *docs->floors)))
        pthread_mutex_init(&docs->floors->lock, NULL);
    floors = docs->floors;
    pthread_mutex_unlock(&docs->lock);
    return floors;
}

void floors_free(struct docs *docs)
{
    struct floors *floors = docs->floors;

    docs->floors = NULL;
    if (!floors)
        return;
    while (floors->entries) {
        struct floor_entry *entry = floors->entries;

        floors->entries = entry->next;
        free(entry);
    }
    free(floors->probes);
    pthread_mutex_destroy(&floors->lock);
    free(floors);
}

/* ---- Under the lock ---- */

static struct floor_entry *find_entry(struct floors *floors, int64_t tenant, bool external)
{
    struct floor_entry *entry = floors->entries;

    while (entry && (entry->tenant != tenant || entry->external != external))
        entry = entry->next;
    if (!entry && (entry = calloc(1, sizeof *entry))) {
        *entry          = (struct floor_entry){ floors->entries, tenant, external, 0, { .is_known = false } };
        floors->entries = entry;
    }
    return entry;
}

static bool embed_probes(struct floors *floors, struct embedder *embedder, const tenon_call *call)
{
    struct embed_failure failure;
    float               *probes;

    if (floors->probes)
        return true;
    probes = malloc(PROBE_COUNT * embedder->dimensions * sizeof *probes);
    if (probes && embedder->embed(embedder, call, EMBED_QUERY, floor_probes, PROBE_COUNT, probes, &failure) ==
                      EMBED_OK) {
        floors->probes = probes;
        return true;
    }
    free(probes);
    return false;
}

static struct floor measure(const struct floors *floors, const struct matrix *matrix)
{
    size_t most   = matrix->count < FLOOR_ROWS_MOST ? matrix->count : FLOOR_ROWS_MOST;
    float *sample = malloc(most * sizeof *sample), best[PROBE_COUNT];

    if (!sample)
        return (struct floor){ .is_known = false };
    for (size_t i = 0; i < PROBE_COUNT; i++) {
        size_t count = matrix_sample(matrix, floors->probes + i * matrix->dimensions, most, sample);

        best[i] = -1;
        for (size_t k = 0; k < count; k++)
            best[i] = sample[k] > best[i] ? sample[k] : best[i];
    }
    free(sample);
    return floor_from(best, PROBE_COUNT);
}

/* Of a collection that the database searches: among what it finds for each probe is the best of it. */
static struct floor measure_outside(const struct floors *floors, const struct docs *docs,
                                    const struct tenant *tenant, bool external)
{
    const struct embedder  *embedder = docs->embedder;
    struct nearest_question question = { .model      = embedder->model,
                                         .dimensions = embedder->dimensions,
                                         .vectors    = floors->probes,
                                         .count      = PROBE_COUNT,
                                         .most       = 1 };
    struct nearest_found    found;
    struct floor            floor = { .is_known = false };

    if (store_nearest(docs->store, tenant, external, &question, &found) == STORE_OK)
        floor = measure(floors, &found.matrix);
    nearest_free(&found);
    return floor;
}

static bool is_current(const struct floor_entry *entry, size_t rows)
{
    size_t change = rows > entry->rows ? rows - entry->rows : entry->rows - rows;

    return entry->floor.is_known && change <= entry->rows / GROWTH_PART;
}

struct floor floor_of(struct docs *docs, const tenon_call *call, const struct tenant *tenant, bool external,
                      const struct matrix *matrix, size_t rows)
{
    struct floors      *floors = floors_of(docs);
    struct floor        floor  = { .is_known = false };
    struct floor_entry *entry;

    if (!floors)
        return floor;
    pthread_mutex_lock(&floors->lock);
    entry = find_entry(floors, tenant->id, external);
    if (entry && !is_current(entry, rows) && embed_probes(floors, docs->embedder, call)) {
        entry->floor = matrix ? measure(floors, matrix) : measure_outside(floors, docs, tenant, external);
        entry->rows  = rows;
    }
    if (entry)
        floor = entry->floor;
    pthread_mutex_unlock(&floors->lock);
    return floor;
}
