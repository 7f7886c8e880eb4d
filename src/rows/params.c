/* params.c - validating JSON by a shape, without any tool. */
#include "model/shape.h"

#include "model/issue_view.h"
#include "rows/bind.h"

#define PARAMS_BYTES_MAX ((size_t)4 << 20)
#define PARAMS_DEPTH_MAX ((size_t)64)
#define PARAMS_NODES_MAX ((size_t)200000)

struct tenon_params {
    const tenon_shape *shape;
    struct tn_arena    arena;
    struct matcher    *matcher;
    struct tn_judge    judge;
    const tenon_issue *issues; /* made when first asked for */
    const void        *bound;
};

tenon_params *tenon_params_new(const tenon_shape *shape)
{
    tenon_params *params = tn_memory_new(&shape->memory, sizeof *params);

    if (!params)
        return NULL;
    *params       = (tenon_params){ .shape = shape };
    params->judge = (struct tn_judge){
        .arena   = &params->arena,
        .matcher = &params->matcher,
        .memory  = &shape->memory,
        .limits  = { PARAMS_BYTES_MAX, PARAMS_DEPTH_MAX, PARAMS_NODES_MAX },
        .unknown = TENON_UNKNOWN_REJECT,
    };
    tn_arena_init(&params->arena, &shape->memory, 0);
    return params;
}

void tenon_params_free(tenon_params *params)
{
    if (!params)
        return;
    tn_matcher_free(params->matcher);
    tn_arena_free(&params->arena);
    tn_memory_free(&params->shape->memory, params, sizeof *params);
}

void tenon_params_form(tenon_params *params, tenon_schema_form form)
{
    params->judge.portable = form == TENON_SCHEMA_PORTABLE;
}

const void *tenon_params_bind(tenon_params *params, const char *json, size_t len)
{
    tn_arena_reset(&params->arena);
    params->issues = NULL;
    params->bound  = NULL;
    tn_judge_clear(&params->judge);
    if (params->shape->object)
        params->bound = tn_bind_text(&params->judge, params->shape->object, json, len);
    if (!params->bound)
        tn_messages_drop_defaults(&params->judge.messages);
    return params->bound;
}

bool tenon_params_valid(const tenon_params *params)
{
    return params->bound != NULL;
}

bool tenon_params_failed(const tenon_params *params)
{
    return params->arena.failed || params->judge.broken;
}

size_t tenon_params_issue_count(const tenon_params *params)
{
    return params->arena.failed ? 0 : params->judge.issues.count;
}

const tenon_issue *tenon_params_issue(tenon_params *params, size_t index)
{
    if (index >= tenon_params_issue_count(params))
        return NULL;
    if (!params->issues)
        params->issues = tn_issue_views(&params->arena, &params->judge.issues);
    return params->issues ? &params->issues[index] : NULL;
}

size_t tenon_params_message_count(const tenon_params *params)
{
    return params->arena.failed ? 0 : params->judge.messages.count;
}

const char *tenon_params_message(const tenon_params *params, size_t index)
{
    return index < tenon_params_message_count(params) ? params->judge.messages.at[index].at : NULL;
}
