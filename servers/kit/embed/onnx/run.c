/* run.c - one text through the model. One a run: models of 8-bit integers scale over the whole batch, so that the same text has
 * another vector in other company; and one is fastest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit/embed/onnx/onnx.h"

#define TOKENS_MAX 512
#define FINE(call) onnx_is_fine(encoder, (call), mistake)

static bool fail(char *mistake, const char *text)
{
    snprintf(mistake, ENCODER_MISTAKE, "%s", text);
    return false;
}

static bool pool(const struct encoder *encoder, const float *hidden, size_t len, float *out)
{
    size_t dimensions = encoder->dimensions, tokens = encoder->pooling == POOL_CLS ? 1 : len;
    double square = 0;

    memset(out, 0, dimensions * sizeof *out);
    for (size_t t = 0; t < tokens; t++)
        for (size_t i = 0; i < dimensions; i++)
            out[i] += hidden[t * dimensions + i];
    for (size_t i = 0; i < dimensions; i++)
        square += (double)out[i] * (double)out[i];
    if (!(square > 0) || !isfinite(square))
        return false;
    for (size_t i = 0; i < dimensions; i++)
        out[i] = (float)((double)out[i] / sqrt(square));
    return true;
}

static bool take(const struct encoder *encoder, OrtValue *value, size_t len, float *out, char *mistake)
{
    OrtTensorTypeAndShapeInfo *info     = NULL;
    void                      *hidden   = NULL;
    int64_t                    shape[3] = { 0 };
    size_t                     rank     = 0;
    bool                       done     = FINE(encoder->api->GetTensorTypeAndShape(value, &info)) &&
                FINE(encoder->api->GetDimensionsCount(info, &rank)) && rank == 3 &&
                FINE(encoder->api->GetDimensions(info, shape, 3)) &&
                FINE(encoder->api->GetTensorMutableData(value, &hidden));

    if (info)
        encoder->api->ReleaseTensorTypeAndShapeInfo(info);
    if (!done || shape[0] != 1 || shape[1] != (int64_t)len || shape[2] != (int64_t)encoder->dimensions)
        return fail(mistake, "The model's output has another shape than the model states.");
    return pool(encoder, hidden, len, out) || fail(mistake, "The model's output is not a vector of numbers.");
}

bool onnx_run(const struct encoder *encoder, const int64_t *ids, size_t len, float *out, char *mistake)
{
    static const int64_t zeros[TOKENS_MAX];
    const OrtApi        *api                     = encoder->api;
    OrtValue            *values[ONNX_INPUTS_MAX] = { 0 }, *hidden = NULL;
    int64_t              ones[TOKENS_MAX];
    const int64_t        shape[2] = { 1, (int64_t)len };
    const char          *output   = encoder->output;
    bool                 done     = len > 0 && len <= TOKENS_MAX;

    for (size_t i = 0; i < len && done; i++)
        ones[i] = 1;
    for (size_t i = 0; i < encoder->input_count && done; i++) {
        const int64_t *data = encoder->inputs[i][0] == 'i'   ? ids
                              : encoder->inputs[i][0] == 'a' ? ones
                                                             : zeros;

        done = FINE(api->CreateTensorWithDataAsOrtValue(encoder->memory, (void *)(uintptr_t)data,
                                                        len * sizeof *data, shape, 2,
                                                        ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, &values[i]));
    }
    done = done &&
           FINE(api->Run(encoder->session, NULL, encoder->inputs, (const OrtValue *const *)values,
                         encoder->input_count, &output, 1, &hidden)) &&
           take(encoder, hidden, len, out, mistake);
    for (size_t i = 0; i < encoder->input_count; i++)
        if (values[i])
            api->ReleaseValue(values[i]);
    if (hidden)
        api->ReleaseValue(hidden);
    return done;
}
