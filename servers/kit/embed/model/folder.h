/* folder.h - a folder with a model that was imported: model.onnx, tokenizer.json, and model.json, which describes them. */
#ifndef KIT_EMBED_MODEL_FOLDER_H
#define KIT_EMBED_MODEL_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "kit/embed/family.h"

#define MODEL_NAME_MAX 64
#define MODEL_HASH_LEN 64
#define MODEL_FILE      "model.onnx"
#define MODEL_TOKENIZER "tokenizer.json"
#define MODEL_ABOUT     "model.json"

struct model_folder {
    char              *path;
    char               name[MODEL_NAME_MAX + 1];
    char               model_hash[MODEL_HASH_LEN + 1], tokenizer_hash[MODEL_HASH_LEN + 1]; /* SHA-256, hex */
    enum embed_pooling pooling;
    size_t             longest, dimensions;
};

/* Where a model is: the operator's text when it is a path, else NAME in tenon/models of the user's data folder. To be freed;
 * NULL and *mistake (free it). */
char *model_folder_place(const char *given, char **mistake);
/* Tenon's data folder; NULL without a home. To be freed. */
char *model_data_folder(void);

/* What model.json states; false and *mistake (free it). */
bool model_folder_read(struct model_folder *folder, const char *given, char **mistake);
void model_folder_free(struct model_folder *folder);
/* The text of a model.json; to be freed, NULL without memory. */
char *model_folder_describe(const struct model_folder *folder);

/* A whole file of at most `most` bytes with its hash; to be freed. NULL and *mistake (free it). */
char *model_file_read(const char *folder, const char *name, size_t most, size_t *len,
                      char hash[MODEL_HASH_LEN + 1], char **mistake);
void  model_hash(const void *at, size_t len, char out[MODEL_HASH_LEN + 1]);

/* Is it a name that a folder may have: letters, digits, '-', '_', '.', not at its beginning a dot? */
bool model_name_is_fine(const char *name);

#endif
