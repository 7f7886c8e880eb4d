/* type.c - which type a value should have. */
#include "model/like.h"
#include "model/words/say.h"

static const char *wanted_type(unsigned kind)
{
    static const char *const wanted[] = {
        [TENON_KIND_INT]       = "an integer",
        [TENON_KIND_NUM]       = "a number",
        [TENON_KIND_BOOL]      = "true or false",
        [TENON_KIND_DATE]      = "a date",
        [TENON_KIND_TIMESTAMP] = "a timestamp",
        [TENON_KIND_STRS]      = "an array of strings",
        [TENON_KIND_PATHS]     = "an array of relative paths",
        [TENON_KIND_INTS]      = "an array of integers",
        [TENON_KIND_NUMS]      = "an array of numbers",
        [TENON_KIND_ENUMS]     = "an array of strings",
        [TENON_KIND_OBJECT]    = "an object",
        [TENON_KIND_OBJECTS]   = "an array of objects",
        [TENON_KIND_MAP]       = "an object of strings",
        [TENON_KIND_JSON]      = "JSON",
    };

    return tn_kind_is_text(kind) || kind == TENON_KIND_ENUM ? "a string" : wanted[kind];
}

/* "a string, an integer or null", from TYPE_ bits. */
static void add_types(struct tn_buf *out, unsigned types)
{
    static const struct {
        unsigned    type;
        const char *name;
    } names[]  = { { TYPE_STRING, "a string" },    { TYPE_NUMBER, "a number" },
                   { TYPE_INTEGER, "an integer" }, { TYPE_BOOLEAN, "true or false" },
                   { TYPE_ARRAY, "an array" },     { TYPE_OBJECT, "an object" },
                   { TYPE_NULL, "null" } };
    bool first = true;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((types & names[i].type) != names[i].type)
            continue;
        types &= ~names[i].type;
        if (!first)
            tn_buf_text(out, types == 0 ? " or " : ", ");
        first = false;
        tn_buf_text(out, names[i].name);
    }
}

void tn_say_type(struct tn_buf *out, const struct tn_issue *issue)
{
    unsigned kind = issue->node ? tn_like_kind(issue->node) : TENON_KIND_OBJECT;

    if (issue->node && issue->node->schema && tn_like_is_time(kind))
        kind = TENON_KIND_STR; /* a format is one of a text */
    tn_say_label(out, issue, " must be ");
    if (kind == NODE_SCHEMA && issue->node->schema)
        add_types(out, issue->node->schema->types);
    else
        tn_buf_text(out, wanted_type(kind));
    tn_say_got(out, issue);
    if (issue->in_text)
        tn_buf_lit(out, " in JSON text");
}
