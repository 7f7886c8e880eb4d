/* import.c - a model into a folder of its own: walked, hashed, tried in a child, compared, and only then written. */
#include "kit/embed/model/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/embed/http.h"
#include "kit/embed/model/graph.h"
#include "kit/embed/model/import_parts.h"
#include "kit/embed/model/known.h"

/* ---- Checking ---- */

static bool check_bytes(const struct model_bytes *bytes, const char *from, char **mistake)
{
    char              why[200];
    const char       *bad    = graph_check(bytes->model, bytes->model_len);
    struct wordpiece *pieces = bad ? NULL
                                   : wordpiece_read(bytes->tokenizer, bytes->tokenizer_len, why, sizeof why);

    if (bad)
        return embed_mistake(mistake, "The model of %s is not run: it %s.", from, bad);
    if (!pieces)
        return embed_mistake(mistake, "The tokenizer.json of %s is not understood: %s.", from, why);
    wordpiece_free(pieces);
    return true;
}

static bool describe(struct model_folder *folder, const struct model_import *import,
                     const struct model_bytes *bytes, const struct known_model *known, char **mistake)
{
    const char                *name   = import->name ? import->name : known ? known->name : bytes->name;
    const struct embed_family *family = embed_family_of(known ? known->name : name);

    if (!model_name_is_fine(name))
        return embed_mistake(
            mistake, "'%.80s' is not a name for a model: letters, digits, '-', '_' and '.', at most %d.",
            name, MODEL_NAME_MAX);
    if (import->pooling && strcmp(import->pooling, "mean") != 0 && strcmp(import->pooling, "cls") != 0)
        return embed_mistake(mistake, "--pooling is mean or cls.");
    snprintf(folder->name, sizeof folder->name, "%s", name);
    memcpy(folder->model_hash, bytes->model_hash, sizeof folder->model_hash);
    memcpy(folder->tokenizer_hash, bytes->tokenizer_hash, sizeof folder->tokenizer_hash);
    folder->longest = family->longest;
    folder->pooling = !import->pooling                      ? family->pooling
                      : strcmp(import->pooling, "cls") == 0 ? POOL_CLS
                                                            : POOL_MEAN;
    folder->path    = model_folder_place(import->to ? import->to : name, mistake);
    return folder->path != NULL;
}

/* ---- Writing ---- */

static bool write_file(const char *folder, const char *name, const char *at, size_t len)
{
    struct text path = { 0 };
    int         fd   = -1;
    bool        done;

    text_addf(&path, "%s/%s", folder, name);
    if (!path.failed)
        fd = open(path.at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    done = fd >= 0;
    for (size_t sent = 0; done && sent < len;) {
        ssize_t n = write(fd, at + sent, len - sent);

        done = n > 0 || (n < 0 && errno == EINTR);
        sent += n > 0 ? (size_t)n : 0;
    }
    done = done && fsync(fd) == 0;
    if (fd >= 0)
        done = close(fd) == 0 && done;
    text_free(&path);
    return done;
}

static void remove_files(const char *folder)
{
    static const char *const names[] = { MODEL_FILE, MODEL_TOKENIZER, MODEL_ABOUT };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text path = { 0 };

        text_addf(&path, "%s/%s", folder, names[i]);
        if (!path.failed)
            unlink(path.at);
        text_free(&path);
    }
    rmdir(folder);
}

static bool make_parents(const char *path)
{
    char *copy = strdup(path);
    bool  done = copy != NULL;

    for (char *slash = copy ? strchr(copy + 1, '/') : NULL; slash && done; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        done   = mkdir(copy, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return done;
}

/* Into a folder beside its place, which then takes the place: all of it or nothing. */
static bool write_folder(const struct model_folder *folder, const struct model_bytes *bytes, char **mistake)
{
    char       *about  = model_folder_describe(folder);
    struct text beside = { 0 };
    bool        done;

    text_addf(&beside, "%s.new-XXXXXX", folder->path);
    done = about && !beside.failed && make_parents(folder->path) && mkdtemp(beside.at) &&
           chmod(beside.at, 0755) == 0 && write_file(beside.at, MODEL_FILE, bytes->model, bytes->model_len) &&
           write_file(beside.at, MODEL_TOKENIZER, bytes->tokenizer, bytes->tokenizer_len) &&
           write_file(beside.at, MODEL_ABOUT, about, strlen(about)) && rename(beside.at, folder->path) == 0;
    if (!done) {
        embed_mistake(mistake, "The model cannot be written to %s: %s.", folder->path, strerror(errno));
        if (!beside.failed)
            remove_files(beside.at);
    }
    text_free(&beside);
    free(about);
    return done;
}

/* ---- All of it ---- */

/* Is the very same model there already? False when it is not; *mistake when another one is. */
static bool is_there(const struct model_folder *folder, char **mistake)
{
    struct model_folder there;
    char               *unused = NULL;
    bool                same;

    if (access(folder->path, F_OK) != 0)
        return false;
    same = model_folder_read(&there, folder->path, &unused) &&
           strcmp(there.model_hash, folder->model_hash) == 0 &&
           strcmp(there.tokenizer_hash, folder->tokenizer_hash) == 0 && there.pooling == folder->pooling;
    free(unused);
    model_folder_free(&there);
    if (!same)
        embed_mistake(mistake, "%s is there already. Remove it, or give this model another --name.",
                      folder->path);
    return same;
}

static bool try_model(const struct model_import *import, const struct model_bytes *bytes,
                      const struct known_model *known, struct model_imported *imported, char **mistake)
{
    static float        vector[EMBED_DIMENSIONS_MAX];
    struct model_source source = { .model         = bytes->model,
                                   .model_len     = bytes->model_len,
                                   .tokenizer     = bytes->tokenizer,
                                   .tokenizer_len = bytes->tokenizer_len,
                                   .longest       = imported->folder.longest,
                                   .pooling       = imported->folder.pooling,
                                   .is_known      = known != NULL,
                                   .any_runtime   = import->any_runtime };

    if (!model_try(&source, vector, &imported->folder.dimensions, mistake))
        return false;
    if (!known || imported->folder.pooling != embed_family_of(known->name)->pooling)
        return true;
    imported->cosine = imported->folder.dimensions == KNOWN_DIMENSIONS ? known_model_compare(known, vector)
                                                                       : 0;
    return imported->cosine >= KNOWN_COSINE ||
           embed_mistake(mistake,
                         "The model was not imported: of its test sentence it makes another vector than it "
                         "should (cosine %.3f).",
                         imported->cosine);
}

static bool import_bytes(const struct model_import *import, const struct model_bytes *bytes,
                         struct model_imported *imported, char **mistake)
{
    const struct known_model *known = known_model_find(bytes->model_hash);

    imported->is_known = known != NULL;
    if (!check_bytes(bytes, import->from, mistake))
        return false;
    if (!known && !import->trust)
        return embed_mistake(mistake,
                             "The model of %s (SHA-256 %s) is not one that is known here. A model is a "
                             "program: if you trust where it "
                             "comes from, import it with --trust.",
                             import->from, bytes->model_hash);
    if (!describe(&imported->folder, import, bytes, known, mistake))
        return false;
    imported->was_there = is_there(&imported->folder, mistake);
    if (mistake && *mistake)
        return false;
    return try_model(import, bytes, known, imported, mistake) &&
           (imported->was_there || write_folder(&imported->folder, bytes, mistake));
}

bool model_import(const struct model_import *import, struct model_imported *imported, char **mistake)
{
    struct model_bytes bytes;
    bool               done;

    *imported = (struct model_imported){ .cosine = 0 };
    if (mistake)
        *mistake = NULL;
    done = model_bytes_read(&bytes, import->from, mistake) && import_bytes(import, &bytes, imported, mistake);
    model_bytes_free(&bytes);
    if (!done)
        model_folder_free(&imported->folder);
    return done;
}
