/* module.c - what libtenon-onnx shows: its one function. */
#include <stdlib.h>

#include "kit/embed/onnx/onnx.h"

static void close_encoder(struct encoder *encoder)
{
    if (!encoder)
        return;
    onnx_close_session(encoder);
    free(encoder);
}

static struct encoder *open_encoder(const struct encoder_options *options, char *mistake)
{
    struct encoder *encoder = calloc(1, sizeof *encoder);

    *mistake = '\0';
    if (!encoder)
        return NULL;
    encoder->pooling = options->pooling;
    if (onnx_open_runtime(encoder, options, mistake) && onnx_open_session(encoder, options, mistake))
        return encoder;
    close_encoder(encoder);
    return NULL;
}

static size_t dimensions_of(const struct encoder *encoder)
{
    return encoder->dimensions;
}

static const char *runtime_of(const struct encoder *encoder)
{
    return encoder->runtime;
}

__attribute__((visibility("default"))) const struct encoder_module *tenon_onnx_module(int version);

const struct encoder_module *tenon_onnx_module(int version)
{
    static const struct encoder_module module = { .open       = open_encoder,
                                                  .close      = close_encoder,
                                                  .dimensions = dimensions_of,
                                                  .runtime    = runtime_of,
                                                  .run        = onnx_run };

    return version == ENCODER_VERSION ? &module : NULL;
}
