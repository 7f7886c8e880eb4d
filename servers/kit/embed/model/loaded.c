/* loaded.c - a model that is open: texts to tokens to a vector. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/embed/model/model.h"

#define TOKENS_MAX    512
#define TEXT_LEN_MAX  20000 /* bytes of a text that are split: more never fit into the tokens */
#define STACK_LEN     4096

bool loaded_model_open(struct loaded_model *loaded, const struct model_source *source, char *mistake)
{
    char       *data       = model_data_folder(), why[200];
    const char *folders[3] = { 0 };
    size_t      count      = 0;

    if (source->folder)
        folders[count++] = source->folder;
    if (data)
        folders[count++] = data;
    *loaded = (struct loaded_model){ .longest = source->longest < TOKENS_MAX ? source->longest : TOKENS_MAX };
    loaded->pieces = wordpiece_read(source->tokenizer, source->tokenizer_len, why, sizeof why);
    if (!loaded->pieces)
        snprintf(mistake, ENCODER_MISTAKE, "The model's " MODEL_TOKENIZER " is not understood: %s.", why);
    else if ((loaded->module = encoder_load(mistake)))
        loaded->encoder = loaded->module->open(
            &(struct encoder_options){ .folders     = folders,
                                       .model       = source->model,
                                       .len         = source->model_len,
                                       .pooling     = source->pooling,
                                       .is_known    = source->is_known,
                                       .any_runtime = source->any_runtime },
            mistake);
    free(data);
    if (loaded->encoder)
        return true;
    loaded_model_close(loaded);
    return false;
}

void loaded_model_close(struct loaded_model *loaded)
{
    if (loaded->encoder)
        loaded->module->close(loaded->encoder);
    wordpiece_free(loaded->pieces);
    *loaded = (struct loaded_model){ 0 };
}

bool loaded_model_run(const struct loaded_model *loaded, const char *prefix, const char *text, float *out,
                      char *mistake)
{
    size_t  head = strlen(prefix), len = strnlen(text, TEXT_LEN_MAX), count;
    int64_t ids[TOKENS_MAX];
    char    near[STACK_LEN], *whole = head + len <= sizeof near ? near : malloc(head + len);

    if (!whole) {
        snprintf(mistake, ENCODER_MISTAKE, "There is no memory for a text.");
        return false;
    }
    memcpy(whole, prefix, head);
    memcpy(whole + head, text, len);
    count = wordpiece_split(loaded->pieces, whole, head + len, ids, loaded->longest);
    if (whole != near)
        free(whole);
    return loaded->module->run(loaded->encoder, ids, count, out, mistake);
}
