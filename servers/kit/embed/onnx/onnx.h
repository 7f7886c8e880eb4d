/* onnx.h - what the files of libtenon-onnx share. */
#ifndef KIT_EMBED_ONNX_ONNX_H
#define KIT_EMBED_ONNX_ONNX_H

#include <onnxruntime_c_api.h>

#include "kit/embed/model/encoder.h"

#define ONNX_INPUTS_MAX 3

struct encoder {
    const OrtApi      *api;
    const char        *runtime; /* the library's */
    OrtEnv            *env;
    OrtSession        *session;
    OrtMemoryInfo     *memory;
    const char        *inputs[ONNX_INPUTS_MAX];
    size_t             input_count;
    char              *output;
    enum embed_pooling pooling;
    size_t             dimensions;
};

/* ---- runtime: finding ONNX Runtime ---- */

/* Its functions and version; false and a sentence. */
bool onnx_open_runtime(struct encoder *encoder, const struct encoder_options *options, char *mistake);

/* ---- session: the model ---- */

bool onnx_open_session(struct encoder *encoder, const struct encoder_options *options, char *mistake);
void onnx_close_session(struct encoder *encoder);

/* ---- run ---- */

bool onnx_run(const struct encoder *encoder, const int64_t *ids, size_t len, float *out, char *mistake);

/* False, with the status's own sentence in `mistake`, when there is one; it is taken. */
bool onnx_is_fine(const struct encoder *encoder, OrtStatus *status, char *mistake);

#endif
