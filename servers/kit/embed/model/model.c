/* model.c - the provider that runs a model in the process.
 *
 * The folder's description is read at once, so that the name and the dimensions are known; files are read, their hashes checked
 * and the model opened by a thread of its own. Until then questions get "loading", and go by words; documents
 * wait.
 */
#include "kit/embed/model/model.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/embed/http.h"
#include "kit/embed/model/graph.h"
#include "kit/embed/model/known.h"

#define WAIT_STEP_NS 50000000L
#define RETRY_S      2 /* seconds after which a question that came too early may come again */

enum model_state { MODEL_LOADING, MODEL_READY, MODEL_FAILED };

struct model {
    struct embedder       base;
    char                  name[128];
    struct model_folder   folder;
    struct embed_prefixes prefixes;
    bool                  any_runtime;
    struct loaded_model   loaded; /* constant once ready */
    pthread_t             thread;
    bool                  has_thread;
    pthread_mutex_t       lock; /* of what follows */
    pthread_cond_t        changed;
    enum model_state      state;
    char                  why[ENCODER_MISTAKE];
};

/* ---- Loading ---- */

static char *read_checked(struct model *model, const char *name, size_t most, const char *wanted, size_t *len)
{
    char  hash[MODEL_HASH_LEN + 1], *mistake = NULL;
    char *at = model_file_read(model->folder.path, name, most, len, hash, &mistake);

    if (!at)
        snprintf(model->why, sizeof model->why, "%s",
                 mistake ? mistake : "There is no memory for the model.");
    free(mistake);
    if (at && strcmp(hash, wanted) != 0) {
        snprintf(model->why, sizeof model->why,
                 "%.250s/%s is not the file that was imported: import the model again.", model->folder.path,
                 name);
        free(at);
        at = NULL;
    }
    return at;
}

static bool load_files(struct model *model)
{
    const struct model_folder *folder = &model->folder;
    struct model_source        source = { .longest     = folder->longest,
                                          .pooling     = folder->pooling,
                                          .folder      = folder->path,
                                          .any_runtime = model->any_runtime,
                                          .is_known    = known_model_find(folder->model_hash) != NULL };
    char *tokenizer = read_checked(model, MODEL_TOKENIZER, WORDPIECE_FILE_MAX, folder->tokenizer_hash,
                                   &source.tokenizer_len);
    char *graph     = tokenizer
                          ? read_checked(model, MODEL_FILE, GRAPH_FILE_MAX, folder->model_hash, &source.model_len)
                          : NULL;
    bool  done;

    source.model     = graph;
    source.tokenizer = tokenizer;
    done             = graph && loaded_model_open(&model->loaded, &source, model->why);
    if (done && model->loaded.module->dimensions(model->loaded.encoder) != folder->dimensions) {
        snprintf(model->why, sizeof model->why,
                 "The model at %.250s has other dimensions than when it was imported.", folder->path);
        done = false;
    }
    free(tokenizer);
    free(graph);
    return done;
}

static void *load(void *user)
{
    struct model *model = user;
    bool          done  = load_files(model);

    pthread_mutex_lock(&model->lock);
    model->state = done ? MODEL_READY : MODEL_FAILED;
    pthread_cond_broadcast(&model->changed);
    pthread_mutex_unlock(&model->lock);
    return NULL;
}

/* Signals are the server's. */
static void begin_loading(struct model *model)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    model->has_thread = pthread_create(&model->thread, NULL, load, model) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!model->has_thread)
        load(model);
}

/* ---- Embedding ---- */

static enum model_state state_of(struct model *model, bool waits, const tenon_call *call)
{
    enum model_state state;

    pthread_mutex_lock(&model->lock);
    while (waits && model->state == MODEL_LOADING && !(call && tenon_is_cancelled(call))) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_STEP_NS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&model->changed, &model->lock, &until);
    }
    state = model->state;
    pthread_mutex_unlock(&model->lock);
    return state;
}

static enum embed_status fail(struct embed_failure *failure, enum embed_status status, const char *text)
{
    if (failure) {
        *failure = (struct embed_failure){ .circuit     = status == EMBED_OK ? "closed" : "open",
                                           .retry_after = status == EMBED_LOADING ? RETRY_S : 0 };
        snprintf(failure->text, sizeof failure->text, "%.255s", text);
    }
    return status;
}

static enum embed_status embed(struct embedder *embedder, const tenon_call *call, enum embed_role role,
                               const char *const *texts, size_t count, float *out,
                               struct embed_failure *failure)
{
    struct model *model = (struct model *)embedder;
    char          mistake[ENCODER_MISTAKE];

    switch (state_of(model, role == EMBED_DOCUMENT, call)) {
    case MODEL_LOADING: return fail(failure, EMBED_LOADING, "The model is being loaded.");
    case MODEL_FAILED: return fail(failure, EMBED_REFUSED, model->why);
    default: break;
    }
    for (size_t i = 0; i < count; i++) {
        if (call && tenon_is_cancelled(call))
            return fail(failure, EMBED_CANCELLED, "It was cancelled.");
        if (!loaded_model_run(&model->loaded, model->prefixes.at[role], texts[i],
                              out + i * embedder->dimensions, mistake))
            return fail(failure, EMBED_REFUSED, mistake);
    }
    return EMBED_OK;
}

static bool wait_until_ready(struct embedder *embedder, char **mistake)
{
    struct model *model = (struct model *)embedder;

    return state_of(model, true, NULL) == MODEL_READY || embed_mistake(mistake, "%s", model->why);
}

static void free_model(struct embedder *embedder)
{
    struct model *model = (struct model *)embedder;

    if (!model)
        return;
    if (model->has_thread)
        pthread_join(model->thread, NULL);
    loaded_model_close(&model->loaded);
    model_folder_free(&model->folder);
    pthread_cond_destroy(&model->changed);
    pthread_mutex_destroy(&model->lock);
    free(model);
}

/* Everything that decides vectors, but not the runtime's version: they differ by less than what is measured. */
static void name_vectors(struct model *model)
{
    struct text all = { 0 };
    char        hash[MODEL_HASH_LEN + 1];

    text_addf(&all, "%s\n%s\n%d\n%zu\n%d\n%s\n%s", model->folder.model_hash, model->folder.tokenizer_hash,
              (int)model->folder.pooling, model->folder.longest, EMBED_TEXT_VERSION,
              model->prefixes.at[EMBED_QUERY], model->prefixes.at[EMBED_DOCUMENT]);
    model_hash(text_of(&all), all.len, hash);
    snprintf(model->name, sizeof model->name, "onnx/%.36s/%s", model->folder.name, hash);
    text_free(&all);
}

struct embedder *embed_model_new(const struct embed_options *options, char **mistake)
{
    struct model *model = calloc(1, sizeof *model);

    if (!model) {
        embed_mistake(mistake, "There is no memory for embeddings.");
        return NULL;
    }
    pthread_mutex_init(&model->lock, NULL);
    pthread_cond_init(&model->changed, NULL);
    model->any_runtime = options->any_runtime;
    if (!embed_prefixes_are_fine(options, mistake) ||
        !model_folder_read(&model->folder, options->model, mistake)) {
        free_model(&model->base);
        return NULL;
    }
    model->prefixes = embed_prefixes_of(options, embed_family_of(model->folder.name));
    name_vectors(model);
    model->base = (struct embedder){ .model      = model->name,
                                     .dimensions = model->folder.dimensions,
                                     .is_slow    = true,
                                     .embed      = embed,
                                     .wait       = wait_until_ready,
                                     .free       = free_model };
    begin_loading(model);
    return &model->base;
}
