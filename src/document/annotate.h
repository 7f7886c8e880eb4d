/* annotate.h - what a schema says about a valid value beside the verdict: titles, defaults, formats, by place. */
#ifndef DOCUMENT_ANNOTATE_H
#define DOCUMENT_ANNOTATE_H

#include "document/verdict.h"

#define ANNOTATIONS_MAX ((size_t)1000) /* of one value; the walk ends with them */

struct tn_annotation {
    const struct tn_schema *schema; /* that says it */
    const char             *keyword;
    yyjson_val             *value;
    struct tn_slice         keyword_path, instance_path; /* JSON Pointers */
};

struct tn_annotations {
    struct tn_annotation *at;
    size_t                count;
};

/* Collects what all schemas say that apply to `value`, which must be valid. Schemas that do not hold in an anyOf or a
 * oneOf say nothing, and neither does what is under `not`. A walk of its own, with the steps of one look; it ends early
 * when they are used up. */
void tn_annotate_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       struct tn_annotations *out);

#endif
