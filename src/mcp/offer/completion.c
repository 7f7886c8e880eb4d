/* completion.c - completion/complete: values for an argument of a prompt, or a variable of a template, while it is typed.
 *
 * Rows that know their values complete themselves; for the others the author's function is asked.
 */
#include "mcp/offer/failure.h"
#include "mcp/offer/resources.h"
#include "mcp/phrases.h"

#define CHOSEN_MAX 64 /* values that were chosen before, of context.arguments */
#define NOTHING    ((struct tn_slice){ NULL, 0 })

struct completion {
    struct tn_exchange    *x;
    const struct tn_param *param; /* of a prompt; else NULL */
    struct tn_slice        name, typed;
};

/* ---- Values that are known --------------------------------------------------------------------------------- */

struct values {
    struct tn_buf   out;
    struct tn_slice typed;
    size_t          total, kept;
};

/* Whatever the case of letters is. */
static void offer(struct values *values, struct tn_slice value)
{
    if (value.len < values->typed.len ||
        !tn_slice_fold_equal((struct tn_slice){ value.at, values->typed.len }, values->typed))
        return;
    values->total++;
    if (values->kept == SUGGESTIONS_MAX)
        return;
    if (values->kept++ > 0)
        tn_buf_char(&values->out, ',');
    tn_json_string(&values->out, value.at, value.len);
}

static void answer_values(struct tn_exchange *x, struct tn_slice values, size_t total, size_t kept)
{
    struct tn_buf out = tn_result_begin(x);

    tn_result_key(&out, "completion");
    tn_buf_lit(&out, "{\"values\":[");
    tn_buf_add(&out, values.at, values.len);
    tn_buf_lit(&out, "],\"total\":");
    tn_buf_uint(&out, total);
    tn_buf_text(&out, total > kept ? ",\"hasMore\":true}" : ",\"hasMore\":false}");
    tn_result_end(x, &out);
}

static void answer_known(const struct completion *completion)
{
    const struct tn_choice *choice = completion->param->node->choice;
    struct values           values = { .typed = completion->typed };

    tn_buf_init(&values.out, &completion->x->arena, 256, SUGGESTIONS_LEN_MAX);
    if (choice) {
        for (size_t i = 0; i < choice->count; i++)
            if (choice->names[i].at)
                offer(&values, choice->names[i]);
    } else {
        offer(&values, SLICE_LIT("true"));
        offer(&values, SLICE_LIT("false"));
    }
    if (values.out.failed)
        tn_exchange_fail(completion->x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
    else
        answer_values(completion->x, tn_buf_slice(&values.out), values.total, values.kept);
}

/* ---- Values of the author's -------------------------------------------------------------------------------- */

/* What was chosen before, of which the function may make use. */
static size_t read_chosen(struct tn_exchange *x, struct tn_variable chosen[CHOSEN_MAX])
{
    yyjson_val     *given = tn_rpc_get(tn_rpc_get(x->params, "context"), "arguments"), *key;
    yyjson_obj_iter iter;
    size_t          count = 0;

    yyjson_obj_iter_init(given, &iter);
    while (count < CHOSEN_MAX && (key = yyjson_obj_iter_next(&iter))) {
        struct tn_slice value = tn_rpc_text(yyjson_obj_iter_get_val(key));

        if (value.at)
            chosen[count++] = (struct tn_variable){ tn_rpc_text(key), value };
    }
    return count;
}

static void answer_asked(const struct completion *completion)
{
    struct tn_exchange *x = completion->x;
    struct tn_variable  chosen[CHOSEN_MAX];
    struct tn_subject   subject = { .kind      = SUBJECT_COMPLETION,
                                    .name      = completion->name.at,
                                    .typed     = completion->typed.at,
                                    .variables = chosen };
    const tenon_answer *answer;

    subject.variable_count = read_chosen(x, chosen);
    answer                 = tn_resources_run(x, &subject);
    if (!answer)
        return;
    if (answer->is_error)
        tn_failure_answer(x, NOTHING);
    else
        answer_values(x, tn_blocks_slice(&x->call->blocks), x->call->blocks.suggested, x->call->blocks.kept);
}

/* ---- The method -------------------------------------------------------------------------------------------- */

/* False when it answered: there is no such prompt, or it has no such argument. */
static bool find_prompt(struct completion *completion, struct tn_slice name)
{
    struct tn_exchange     *x = completion->x;
    const struct tn_object *object;
    uint32_t                index;

    x->entry = tn_core_find(x->server, LIST_PROMPTS, name);
    if (!x->entry) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_PROMPT, tn_exchange_echo(x, name));
        return false;
    }
    object = x->entry->compiled->input->object;
    index  = tn_object_find(object, completion->name.at, completion->name.len);
    if (index == PARAM_NONE) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_ARGUMENT,
                         tn_exchange_echo(x, completion->name));
        return false;
    }
    completion->param = &object->params[index];
    return true;
}

/* The same for a template. A plain resource has nothing that could be completed. */
static bool find_template(struct completion *completion, struct tn_slice uri)
{
    struct tn_exchange *x = completion->x;

    x->entry = tn_core_find(x->server, LIST_TEMPLATES, uri);
    if (!x->entry) {
        tn_failure_no_resource(x, uri, (struct tn_slice){ NULL, 0 });
        return false;
    }
    if (!tn_uri_template_has(x->entry->name, completion->name)) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_ARGUMENT,
                         tn_exchange_echo(x, completion->name));
        return false;
    }
    return true;
}

static bool completion_find(struct completion *completion)
{
    struct tn_exchange *x    = completion->x;
    yyjson_val         *ref  = tn_rpc_get(x->params, "ref");
    struct tn_slice     type = tn_rpc_text(tn_rpc_get(ref, "type"));
    struct tn_slice name = tn_rpc_text(tn_rpc_get(ref, "name")), uri = tn_rpc_text(tn_rpc_get(ref, "uri"));

    if (tn_slice_is(type, "ref/prompt") && name.at)
        return find_prompt(completion, name);
    if (tn_slice_is(type, "ref/resource") && uri.at)
        return find_template(completion, uri);
    tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_BAD_REF);
    return false;
}

void tn_method_complete(struct tn_exchange *x)
{
    yyjson_val       *argument   = tn_rpc_get(x->params, "argument");
    struct completion completion = { .x     = x,
                                     .name  = tn_rpc_text(tn_rpc_get(argument, "name")),
                                     .typed = tn_rpc_text(tn_rpc_get(argument, "value")) };

    if (!completion.name.at || !completion.typed.at) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_BAD_ARGUMENT);
        return;
    }
    if (!completion_find(&completion))
        return;
    if (completion.param &&
        (completion.param->node->kind == TENON_KIND_ENUM || completion.param->node->kind == TENON_KIND_BOOL))
        answer_known(&completion);
    else if (x->entry->complete)
        answer_asked(&completion);
    else
        answer_values(x, NOTHING, 0, 0);
}
