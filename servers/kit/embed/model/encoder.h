/* encoder.h - what libtenon-onnx offers: a sentence encoder, run by ONNX Runtime.
 *
 * The module is loaded when a model is asked for, and loads ONNX Runtime itself, so that programs without a model never see
 * either.
 */
#ifndef KIT_EMBED_MODEL_ENCODER_H
#define KIT_EMBED_MODEL_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kit/embed/family.h"

#define ENCODER_MODULE  "libtenon-onnx.so"
#define ENCODER_ENTRY   "tenon_onnx_module"
#define ENCODER_VERSION 1 /* of this interface */
#define ENCODER_MISTAKE 400

struct encoder;

struct encoder_options {
    const char *const
               *folders; /* where ONNX Runtime is looked for before the system's places; ended by NULL */
    const void *model;   /* the bytes; needed only until it is open */
    size_t      len;
    enum embed_pooling pooling;
    bool               is_known;    /* the model, by its hash: older versions of the runtime run only such */
    bool               any_runtime; /* also versions that report to their maker */
};

struct encoder_module {
    /* NULL and a sentence in `mistake` (ENCODER_MISTAKE bytes). */
    struct encoder *(*open)(const struct encoder_options *options, char *mistake);
    void (*close)(struct encoder *encoder);
    size_t (*dimensions)(const struct encoder *encoder);
    const char *(*runtime)(const struct encoder *encoder); /* its version */
    /* One text's tokens to a vector of length 1. Any thread. */
    bool (*run)(const struct encoder *encoder, const int64_t *ids, size_t len, float *out, char *mistake);
};

typedef const struct encoder_module *(*encoder_entry_fn)(int version);

/* The module; NULL and a sentence. */
const struct encoder_module *encoder_load(char *mistake);

#endif
