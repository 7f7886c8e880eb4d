/* folder.c - a folder with a model that was imported. */
#include "kit/embed/model/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>
#include <yyjson.h>

#include "kit/embed/http.h"
#include "kit/place.h"

#define ABOUT_LEN_MAX 65536
#define LONGEST_MAX   512

static const char *const pooling_names[] = { [POOL_MEAN] = "mean", [POOL_CLS] = "cls" };

/* ---- Places ---- */

char *model_data_folder(void)
{
    char *mistake = NULL, *path = place_choose(NULL, "", &mistake);

    free(mistake);
    if (path)
        path[strlen(path) - 1] = '\0'; /* the slash before the empty name */
    return path;
}

bool model_name_is_fine(const char *name)
{
    return *name && *name != '.' && strlen(name) <= MODEL_NAME_MAX &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")];
}

char *model_folder_place(const char *given, char **mistake)
{
    char  below[MODEL_NAME_MAX + 16];
    char *unused = NULL, *path;

    if (strchr(given, '/'))
        return strdup(given);
    if (!model_name_is_fine(given)) {
        embed_mistake(mistake, "'%.80s' is not the name of a model, nor a path with a '/'.", given);
        return NULL;
    }
    snprintf(below, sizeof below, "models/%s", given);
    path = place_choose(NULL, below, &unused);
    free(unused);
    if (!path)
        embed_mistake(mistake, "There is no home folder for models; give the path of the model's folder.");
    return path;
}

/* ---- Files ---- */

void model_hash(const void *at, size_t len, char out[MODEL_HASH_LEN + 1])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, at, len);
    sodium_bin2hex(out, MODEL_HASH_LEN + 1, hash, sizeof hash);
}

/* As many bytes as there are; false when the file changes meanwhile. */
static bool read_all(int fd, char *at, size_t len)
{
    size_t done = 0;

    while (done < len) {
        ssize_t got = read(fd, at + done, len - done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

char *model_file_read(const char *folder, const char *name, size_t most, size_t *len,
                      char hash[MODEL_HASH_LEN + 1], char **mistake)
{
    struct text path = { 0 };
    struct stat file;
    char       *at = NULL;
    int         fd = -1;

    text_addf(&path, "%s%s%s", folder, *name ? "/" : "", name);
    if (!path.failed)
        fd = open(path.at, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &file) != 0)
        embed_mistake(mistake, "%s cannot be opened: %s.", text_of(&path), strerror(errno));
    else if (!S_ISREG(file.st_mode) || file.st_size <= 0)
        embed_mistake(mistake, "%s is not a file with anything in it.", path.at);
    else if ((unsigned long long)file.st_size > most)
        embed_mistake(mistake, "%s is larger than %zu MB.", path.at, most >> 20);
    else if (!(at = malloc((size_t)file.st_size)))
        embed_mistake(mistake, "There is no memory for %s.", path.at);
    else if (!read_all(fd, at, (size_t)file.st_size)) {
        embed_mistake(mistake, "%s cannot be read.", path.at);
        free(at);
        at = NULL;
    }
    if (fd >= 0)
        close(fd);
    text_free(&path);
    if (!at)
        return NULL;
    *len = (size_t)file.st_size;
    model_hash(at, *len, hash);
    return at;
}

/* ---- model.json ---- */

static bool take_text(yyjson_val *root, const char *key, char *out, size_t room)
{
    yyjson_val *value = yyjson_obj_get(root, key);

    if (!yyjson_is_str(value) || !yyjson_get_len(value) || yyjson_get_len(value) >= room)
        return false;
    memcpy(out, yyjson_get_str(value), yyjson_get_len(value) + 1);
    return true;
}

static bool take_number(yyjson_val *root, const char *key, size_t least, size_t most, size_t *out)
{
    yyjson_val *value = yyjson_obj_get(root, key);

    *out = yyjson_is_uint(value) && yyjson_get_uint(value) <= most ? (size_t)yyjson_get_uint(value) : 0;
    return *out >= least && *out > 0;
}

static bool take_all(struct model_folder *folder, yyjson_val *root)
{
    yyjson_val *pooling = yyjson_obj_get(root, "pooling");

    folder->pooling = yyjson_equals_str(pooling, pooling_names[POOL_CLS]) ? POOL_CLS : POOL_MEAN;
    return take_text(root, "name", folder->name, sizeof folder->name) && model_name_is_fine(folder->name) &&
           take_text(root, "model_sha256", folder->model_hash, sizeof folder->model_hash) &&
           take_text(root, "tokenizer_sha256", folder->tokenizer_hash, sizeof folder->tokenizer_hash) &&
           take_number(root, "longest", 8, LONGEST_MAX, &folder->longest) &&
           take_number(root, "dimensions", EMBED_DIMENSIONS_MIN, EMBED_DIMENSIONS_MAX, &folder->dimensions) &&
           (yyjson_equals_str(pooling, pooling_names[POOL_CLS]) ||
            yyjson_equals_str(pooling, pooling_names[POOL_MEAN]));
}

bool model_folder_read(struct model_folder *folder, const char *given, char **mistake)
{
    char        hash[MODEL_HASH_LEN + 1], *at, *unused = NULL;
    size_t      len;
    yyjson_doc *doc;
    bool        fine;

    *folder = (struct model_folder){ .path = model_folder_place(given, mistake) };
    if (!folder->path)
        return false;
    at = model_file_read(folder->path, MODEL_ABOUT, ABOUT_LEN_MAX, &len, hash, &unused);
    free(unused);
    if (!at)
        return embed_mistake(
            mistake, "There is no imported model at %s. Import one with: tenon docs model import FILE",
            folder->path);
    doc  = yyjson_read(at, len, 0);
    fine = take_all(folder, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    free(at);
    return fine || embed_mistake(mistake, "%s/" MODEL_ABOUT " is not one that tenon docs model import wrote.",
                                 folder->path);
}

void model_folder_free(struct model_folder *folder)
{
    free(folder->path);
    folder->path = NULL;
}

char *model_folder_describe(const struct model_folder *folder)
{
    struct text out = { 0 };

    text_addf(&out,
              "{\n  \"name\": \"%s\",\n  \"pooling\": \"%s\",\n  \"longest\": %zu,\n  \"dimensions\": %zu,\n"
              "  \"model_sha256\": \"%s\",\n  \"tokenizer_sha256\": \"%s\"\n}\n",
              folder->name, pooling_names[folder->pooling], folder->longest, folder->dimensions,
              folder->model_hash, folder->tokenizer_hash);
    if (!out.failed)
        return out.at;
    text_free(&out);
    return NULL;
}
