/* session.c - a model, opened from memory, and whether it is a sentence encoder: tokens in, one vector for each out. */
#include <stdio.h>
#include <string.h>

#include "kit/embed/onnx/onnx.h"

#define FINE(call) onnx_is_fine(encoder, (call), mistake)

bool onnx_is_fine(const struct encoder *encoder, OrtStatus *status, char *mistake)
{
    if (!status)
        return true;
    snprintf(mistake, ENCODER_MISTAKE, "ONNX Runtime: %.300s", encoder->api->GetErrorMessage(status));
    encoder->api->ReleaseStatus(status);
    return false;
}

/* One thread for a run, so that several questions at once share the processors, and none that waits by spinning. */
static bool set_options(const struct encoder *encoder, OrtSessionOptions *session, char *mistake)
{
    const OrtApi *api = encoder->api;

    return FINE(api->SetIntraOpNumThreads(session, 1)) && FINE(api->SetInterOpNumThreads(session, 1)) &&
           FINE(api->SetSessionExecutionMode(session, ORT_SEQUENTIAL)) &&
           FINE(api->SetSessionGraphOptimizationLevel(session, ORT_ENABLE_ALL)) &&
           FINE(api->EnableCpuMemArena(session)) &&
           FINE(api->AddSessionConfigEntry(session, "session.intra_op.allow_spinning", "0")) &&
           FINE(api->AddSessionConfigEntry(session, "session.inter_op.allow_spinning", "0"));
}

static bool make_session(struct encoder *encoder, const struct encoder_options *options, char *mistake)
{
    const OrtApi      *api = encoder->api;
    OrtSessionOptions *session;
    bool               done;

    if (!FINE(api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "tenon", &encoder->env)) ||
        !FINE(api->DisableTelemetryEvents(encoder->env)) || !FINE(api->CreateSessionOptions(&session)))
        return false;
    done = set_options(encoder, session, mistake) &&
           FINE(api->CreateSessionFromArray(encoder->env, options->model, options->len, session,
                                            &encoder->session));
    api->ReleaseSessionOptions(session);
    return done && FINE(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &encoder->memory));
}

/* ---- What goes in and comes out ---- */

/* Takes the type. */
static bool is_tensor(const struct encoder *encoder, OrtTypeInfo *type, ONNXTensorElementDataType wanted,
                      size_t rank, int64_t *shape)
{
    const OrtTensorTypeAndShapeInfo *info     = NULL;
    ONNXTensorElementDataType        element  = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    size_t                           has_rank = 0;
    char                             mistake[ENCODER_MISTAKE];
    bool                             is = FINE(encoder->api->CastTypeInfoToTensorInfo(type, &info)) && info &&
              FINE(encoder->api->GetTensorElementType(info, &element)) && element == wanted &&
              FINE(encoder->api->GetDimensionsCount(info, &has_rank)) && has_rank == rank &&
              FINE(encoder->api->GetDimensions(info, shape, rank));

    encoder->api->ReleaseTypeInfo(type);
    return is;
}

/* The name as it is known here; NULL. */
static const char *find_input(const struct encoder *encoder, OrtAllocator *allocator, size_t number,
                              char *mistake)
{
    static const char *const known[ONNX_INPUTS_MAX] = { "input_ids", "attention_mask", "token_type_ids" };
    const char              *found                  = NULL;
    char                    *name                   = NULL;

    if (!FINE(encoder->api->SessionGetInputName(encoder->session, number, allocator, &name)))
        return NULL;
    for (size_t i = 0; i < ONNX_INPUTS_MAX; i++)
        if (strcmp(name, known[i]) == 0)
            found = known[i];
    if (!found)
        snprintf(mistake, ENCODER_MISTAKE,
                 "The model needs an input '%.60s', which is not one of an encoder of texts.", name);
    allocator->Free(allocator, name);
    return found;
}

static bool find_inputs(struct encoder *encoder, OrtAllocator *allocator, char *mistake)
{
    size_t count;

    if (!FINE(encoder->api->SessionGetInputCount(encoder->session, &count)))
        return false;
    for (size_t i = 0; i < count && i < ONNX_INPUTS_MAX; i++) {
        const char  *name = find_input(encoder, allocator, i, mistake);
        OrtTypeInfo *type = NULL;
        int64_t      shape[2];

        if (!name || !FINE(encoder->api->SessionGetInputTypeInfo(encoder->session, i, &type)))
            return false;
        if (!is_tensor(encoder, type, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, 2, shape) || shape[0] > 0 ||
            shape[1] > 0) {
            snprintf(mistake, ENCODER_MISTAKE,
                     "The model's %s is not int64 of any number of texts and tokens.", name);
            return false;
        }
        encoder->inputs[encoder->input_count++] = name;
    }
    if (count >= 2 && count <= ONNX_INPUTS_MAX)
        return true;
    snprintf(mistake, ENCODER_MISTAKE, "The model has %zu inputs; an encoder of texts has two or three.",
             count);
    return false;
}

/* The first output is last_hidden_state: texts, tokens, dimensions. */
static bool find_output(struct encoder *encoder, OrtAllocator *allocator, char *mistake)
{
    OrtTypeInfo *type     = NULL;
    int64_t      shape[3] = { 0 };

    if (!FINE(encoder->api->SessionGetOutputName(encoder->session, 0, allocator, &encoder->output)) ||
        !FINE(encoder->api->SessionGetOutputTypeInfo(encoder->session, 0, &type)))
        return false;
    if (!is_tensor(encoder, type, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 3, shape) ||
        shape[2] < EMBED_DIMENSIONS_MIN || shape[2] > EMBED_DIMENSIONS_MAX) {
        snprintf(mistake, ENCODER_MISTAKE,
                 "The model's first output is not a vector of %d to %d floats for each token.",
                 EMBED_DIMENSIONS_MIN, EMBED_DIMENSIONS_MAX);
        return false;
    }
    encoder->dimensions = (size_t)shape[2];
    return true;
}

bool onnx_open_session(struct encoder *encoder, const struct encoder_options *options, char *mistake)
{
    OrtAllocator *allocator = NULL;

    return make_session(encoder, options, mistake) &&
           FINE(encoder->api->GetAllocatorWithDefaultOptions(&allocator)) &&
           find_inputs(encoder, allocator, mistake) && find_output(encoder, allocator, mistake);
}

void onnx_close_session(struct encoder *encoder)
{
    OrtAllocator *allocator = NULL;

    if (!encoder->api)
        return;
    if (encoder->output && !encoder->api->GetAllocatorWithDefaultOptions(&allocator))
        allocator->Free(allocator, encoder->output);
    encoder->api->ReleaseMemoryInfo(encoder->memory);
    encoder->api->ReleaseSession(encoder->session);
    encoder->api->ReleaseEnv(encoder->env);
}
