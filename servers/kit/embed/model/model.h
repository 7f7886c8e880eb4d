/* model.h - a model in the process: the provider, loaded in the background. */
#ifndef KIT_EMBED_MODEL_MODEL_H
#define KIT_EMBED_MODEL_MODEL_H

#include "kit/embed/embed.h"
#include "kit/embed/model/encoder.h"
#include "kit/embed/model/folder.h"
#include "kit/embed/model/wordpiece.h"

/* NULL and *mistake (free it) when the folder has no model that was imported. Everything else, such as a library that is not
 * there, is found out in the background: embedder->wait() tells, and embedding says so until then. */
struct embedder *embed_model_new(const struct embed_options *options, char **mistake);

/* A model that is open. */
struct loaded_model {
    const struct encoder_module *module;
    struct encoder              *encoder;
    struct wordpiece            *pieces;
    size_t                       longest;
};

/* From bytes that were checked. False and a sentence in `mistake` (ENCODER_MISTAKE bytes). */
struct model_source {
    const void        *model, *tokenizer;
    size_t             model_len, tokenizer_len, longest;
    enum embed_pooling pooling;
    const char *folder; /* where ONNX Runtime is looked for first; NULL: nowhere before the data folder */
    bool        is_known, any_runtime;
};
bool loaded_model_open(struct loaded_model *loaded, const struct model_source *source, char *mistake);
void loaded_model_close(struct loaded_model *loaded);
bool loaded_model_run(const struct loaded_model *loaded, const char *prefix, const char *text, float *out,
                      char *mistake);

#endif
