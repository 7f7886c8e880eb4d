/* document.h - a compiled schema document, from the inside. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include <tenon/schema.h>

#include "document/compile.h"
#include "document/output/annotate.h"
#include "document/verdict/verdict.h"

struct tenon_schema {
    tenon_shape           shape; /* its arena, its patterns, its memory */
    struct tn_registry    library;
    struct tn_supply      supply; /* of the library */
    struct tn_compilation reading;
    const struct tn_node *node; /* NULL when there is a mistake */
};

/* As tenon_schema_new_(), to see whether there is a mistake and what is declared. It is not for judging: its patterns are slow. */
tenon_schema *tn_schema_try(const char *json, size_t len, const tenon_schema_options *options);

struct tenon_verdict {
    const tenon_schema   *schema;
    struct tn_arena       arena;
    struct matcher       *matcher;
    struct tn_judge       judge;
    const tenon_issue    *issues; /* made when first asked for */
    yyjson_val           *value;
    bool                  valid, annotated;
    bool                  as_sent;     /* the issues are those of `value`, which nothing changed */
    struct tn_annotations annotations; /* made when first asked for */
    size_t                steps;       /* that the judgement was allowed */
};

/* A verdict by the document, reported to `judge`; a look has so many `steps`. */
struct tn_verdict tn_document_verdict(const tenon_schema *schema, struct tn_judge *judge, size_t steps);

#endif
