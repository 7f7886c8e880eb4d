/* import_parts.h - what the files of importing share: the bytes of a model, and its trial. */
#ifndef KIT_EMBED_MODEL_IMPORT_PARTS_H
#define KIT_EMBED_MODEL_IMPORT_PARTS_H

#include "kit/embed/model/import.h"
#include "kit/embed/model/model.h"

/* The two files of a model, wherever they come from. */
struct model_bytes {
    char  *model, *tokenizer;
    size_t model_len, tokenizer_len;
    char   model_hash[MODEL_HASH_LEN + 1], tokenizer_hash[MODEL_HASH_LEN + 1];
    char   name[MODEL_NAME_MAX + 1]; /* of the model's file, without its ending */
};

bool model_bytes_read(struct model_bytes *bytes, const char *from, char **mistake);
void model_bytes_free(struct model_bytes *bytes);

/* Opens the model in a child with limits of processor time and memory, and has it embed the test sentence: `vector` has room for
 * EMBED_DIMENSIONS_MAX floats. False and *mistake. */
bool model_try(const struct model_source *source, float *vector, size_t *dimensions, char **mistake);

#endif
