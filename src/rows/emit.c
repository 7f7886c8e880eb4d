/* emit.c - the model as JSON Schema: arguments in their full form, what an issue expects, and results. */
#include "rows/emit.h"

#include <string.h>

#include "rows/keywords.h"
#include "rows/portable.h"

/* A root has no description of its own: the tool has. */
static void write_root(struct tn_keywords *keywords, const struct tn_object *object)
{
    tn_buf_lit(keywords->out, "{\"type\":\"object\"");
    keywords->any = true;
    tn_keywords_object(keywords, object);
    tn_buf_char(keywords->out, '}');
}

void tn_emit_object(struct tn_buf *out, const struct tn_object *object, const struct tn_emit_how *how)
{
    struct tn_keywords keywords = {
        .out = out, .use = KEYWORDS_ARGUMENTS, .closed = how->closed, .destructive = how->destructive
    };

    if (how->form == TENON_SCHEMA_PORTABLE)
        tn_portable_object(out, object, how);
    else
        write_root(&keywords, object);
}

void tn_emit_result(struct tn_buf *out, const struct tn_object *object)
{
    struct tn_keywords keywords = { .out = out, .use = KEYWORDS_RESULT };

    write_root(&keywords, object);
}

void tn_emit_expected(struct tn_buf *out, const struct tn_node *node)
{
    struct tn_keywords keywords = { .out = out, .use = KEYWORDS_EXPECTED };

    tn_keywords_schema(&keywords, node, NULL, 0);
}

/* ---- How long it can be -------------------------------------------------------------------------------------- */

/* A byte that is escaped three times (a default, as text, in a description) becomes up to nine; and a text stands in a schema
 * at most twice. The names of keywords and the numbers of one parameter are shorter than the first. */
#define BOUND_PARAM ((size_t)2048)
#define BOUND_BYTE  ((size_t)18)
#define BOUND_TEXT  ((size_t)64) /* quotes and commas around one */

static size_t bound_text(const char *text)
{
    return text ? BOUND_TEXT + strlen(text) * BOUND_BYTE : 0;
}

static size_t bound_node(const struct tn_node *node)
{
    size_t bound = BOUND_TEXT + node->example.len * BOUND_BYTE + bound_text(node->text.pattern_text) +
                   bound_text(node->text.ext) + bound_text(node->text.schemes);

    for (size_t i = 0; node->choice && i < node->choice->count; i++)
        bound += BOUND_TEXT + node->choice->names[i].len * BOUND_BYTE;
    return bound;
}

size_t tn_emit_bound(const struct tn_object *object)
{
    size_t bound = BOUND_PARAM;

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];
        const struct tn_node  *node  = param->node;

        bound += BOUND_PARAM + bound_text(param->name) + bound_text(param->doc) + bound_text(param->header) +
                 BOUND_TEXT + param->def.len * BOUND_BYTE + bound_node(node);
        if (node->list.item)
            bound += bound_node(node->list.item);
        if (node->object)
            bound += tn_emit_bound(node->object);
    }
    return bound;
}
