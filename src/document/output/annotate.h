/* annotate.h - what a schema says about a valid value beside the verdict: titles, defaults, formats, which members and items
 * a keyword applied to, and keywords that the dialect does not know; by place. */
#ifndef DOCUMENT_ANNOTATE_H
#define DOCUMENT_ANNOTATE_H

#include "document/verdict/verdict.h"

/* Of one value; the walk ends with the first of them: annotations, steps on the ways to them, bytes of lists that are made. */
#define ANNOTATIONS_MAX      ((size_t)10000)
#define ANNOTATION_STEPS_MAX ((size_t)100000)
#define ANNOTATION_BYTES_MAX ((size_t)1 << 20)

struct tn_annotation {
    const char               *keyword;
    yyjson_val               *value; /* what the schema says; NULL: */
    struct tn_slice           made;  /* what the keyword applied to, as JSON */
    const struct tn_location *way;   /* of the schema */
};

struct tn_annotations {
    struct tn_annotation *at;
    size_t                count, room;
};

/* Collects what all schemas say that apply to `value`, which must be valid. Schemas that do not hold in an anyOf or a
 * oneOf say nothing, and neither does what is under `not`. A walk of its own, with the steps of one look; it ends early
 * when they are used up. */
void tn_annotate_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       struct tn_annotations *out);

#endif
