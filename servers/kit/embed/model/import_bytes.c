/* import_bytes.c - the two files of a model: from an archive, a folder, or beside each other. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "kit/embed/http.h"
#include "kit/embed/model/graph.h"
#include "kit/embed/model/import_parts.h"
#include "kit/embed/model/zip.h"

static bool ends_so(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcasecmp(text + len - end_len, end) == 0;
}

/* The last part of a path, without its ending; names that folders may not have get '-' for what they may not. */
static void name_after(struct model_bytes *bytes, const char *path)
{
    size_t len = strlen(path), begin, count = 0;

    while (len > 0 && path[len - 1] == '/')
        len--;
    for (begin = len; begin > 0 && path[begin - 1] != '/';)
        begin--;
    if (len - begin > 5 && strncasecmp(path + len - 5, ".onnx", 5) == 0)
        len -= 5;
    for (size_t i = begin; i < len && count < MODEL_NAME_MAX; i++) {
        char letter[2] = { path[i], '\0' };
        bool is_fine   = model_name_is_fine(letter) || (path[i] == '.' && count > 0);

        bytes->name[count++] = is_fine ? path[i] : '-';
    }
    bytes->name[count] = '\0';
}

static bool take_file(const char *archive, size_t len, const char *end, size_t most, char **at,
                      size_t *at_len, struct zip_entry *entry, const char *from, char **mistake)
{
    char why[ZIP_MISTAKE];

    if (zip_find(archive, len, end, entry, why) && (*at = zip_read(archive, len, entry, most, why))) {
        *at_len = entry->len;
        return true;
    }
    return embed_mistake(mistake, "%s cannot be imported: it %s.", from, why);
}

static bool read_archive(struct model_bytes *bytes, const char *from, char **mistake)
{
    struct zip_entry entry;
    char             hash[MODEL_HASH_LEN + 1];
    size_t           len;
    char            *archive = model_file_read(from, "", GRAPH_FILE_MAX, &len, hash, mistake);
    bool             done;

    done = archive &&
           take_file(archive, len, "tokenizer.json", WORDPIECE_FILE_MAX, &bytes->tokenizer,
                     &bytes->tokenizer_len, &entry, from, mistake) &&
           take_file(archive, len, ".onnx", GRAPH_FILE_MAX, &bytes->model, &bytes->model_len, &entry, from,
                     mistake);
    if (done) {
        name_after(bytes, entry.name);
        model_hash(bytes->model, bytes->model_len, bytes->model_hash);
        model_hash(bytes->tokenizer, bytes->tokenizer_len, bytes->tokenizer_hash);
    }
    free(archive);
    return done;
}

static bool read_pair(struct model_bytes *bytes, const char *folder, const char *model, const char *tokenizer,
                      char **mistake)
{
    bytes->tokenizer = model_file_read(folder, tokenizer, WORDPIECE_FILE_MAX, &bytes->tokenizer_len,
                                       bytes->tokenizer_hash, mistake);
    if (bytes->tokenizer)
        bytes->model = model_file_read(folder, model, GRAPH_FILE_MAX, &bytes->model_len, bytes->model_hash,
                                       mistake);
    return bytes->model != NULL;
}

/* As registries of models lay them out. */
static bool read_folder(struct model_bytes *bytes, const char *from, char **mistake)
{
    static const char *const names[] = { "model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx" };

    name_after(bytes, from);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text path = { 0 };
        bool        there;

        text_addf(&path, "%s/%s", from, names[i]);
        there = !path.failed && stat(path.at, &(struct stat){ 0 }) == 0;
        text_free(&path);
        if (there)
            return read_pair(bytes, from, names[i], MODEL_TOKENIZER, mistake);
    }
    return embed_mistake(mistake, "%s has neither model.onnx nor onnx/model.onnx.", from);
}

/* With tokenizer.json beside it, or NAME-tokenizer.json. */
static bool read_onnx(struct model_bytes *bytes, const char *from, char **mistake)
{
    const char *slash  = strrchr(from, '/');
    struct text folder = { 0 }, own = { 0 };
    char       *unused = NULL;
    bool        done;

    name_after(bytes, from);
    text_add(&folder, from, slash ? (size_t)(slash - from) : 0);
    text_put(&folder, slash ? (slash == from ? "/" : "") : ".");
    text_add(&own, slash ? slash + 1 : from, strlen(slash ? slash + 1 : from) - strlen(".onnx"));
    text_put(&own, "-tokenizer.json");
    done = !folder.failed && !own.failed &&
           (read_pair(bytes, folder.at, slash ? slash + 1 : from, own.at, &unused) ||
            (!bytes->tokenizer &&
             read_pair(bytes, folder.at, slash ? slash + 1 : from, MODEL_TOKENIZER, mistake)));
    if (!done && bytes->tokenizer && mistake && !*mistake) {
        *mistake = unused;
        unused   = NULL;
    }
    free(unused);
    text_free(&folder);
    text_free(&own);
    return done;
}

bool model_bytes_read(struct model_bytes *bytes, const char *from, char **mistake)
{
    struct stat file;

    *bytes = (struct model_bytes){ 0 };
    if (stat(from, &file) != 0)
        return embed_mistake(mistake, "There is no file or folder %s.", from);
    if (S_ISDIR(file.st_mode))
        return read_folder(bytes, from, mistake);
    if (ends_so(from, ".jar") || ends_so(from, ".zip"))
        return read_archive(bytes, from, mistake);
    if (ends_so(from, ".onnx"))
        return read_onnx(bytes, from, mistake);
    return embed_mistake(mistake, "%s is not a .jar, .zip or .onnx file, nor a folder.", from);
}

void model_bytes_free(struct model_bytes *bytes)
{
    free(bytes->model);
    free(bytes->tokenizer);
    bytes->model = bytes->tokenizer = NULL;
}
