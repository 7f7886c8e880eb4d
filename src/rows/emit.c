/* emit.c - the model as JSON Schema: arguments in their full form, what an issue expects, and results. */
#include "rows/emit.h"

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
