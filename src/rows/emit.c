/* emit.c - the model as JSON Schema: arguments in their full form, what an issue expects, and results. */
#include "rows/emit.h"

#include "rows/keywords.h"
#include "rows/portable.h"

/* A root has no description of its own: the tool has. */
static void write_root(struct keywords *keywords, const struct object *object)
{
    buf_lit(keywords->out, "{\"type\":\"object\"");
    keywords->any = true;
    keywords_object(keywords, object);
    buf_char(keywords->out, '}');
}

void emit_object(struct buf *out, const struct object *object, const struct emit_how *how)
{
    struct keywords keywords = {
        .out = out, .use = KEYWORDS_ARGUMENTS, .closed = how->closed, .destructive = how->destructive
    };

    if (how->form == TENON_SCHEMA_PORTABLE)
        portable_object(out, object, how);
    else
        write_root(&keywords, object);
}

void emit_result(struct buf *out, const struct object *object)
{
    struct keywords keywords = { .out = out, .use = KEYWORDS_RESULT };

    write_root(&keywords, object);
}

void emit_expected(struct buf *out, const struct node *node)
{
    struct keywords keywords = { .out = out, .use = KEYWORDS_EXPECTED };

    keywords_schema(&keywords, node, NULL, 0);
}
