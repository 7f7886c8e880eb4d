/* compile.h - JSON Schema documents into the model. */
#ifndef DOCUMENT_COMPILE_H
#define DOCUMENT_COMPILE_H

#include "document/check.h"
#include "document/registry.h"
#include "model/document_node.h"
#include "model/shape.h"
#include "text/pattern.h"

#define READ_SCHEMAS_MAX ((size_t)200000)
#define READ_DEPTH_MAX   400
#define READ_PLACES_MAX                                                                                      \
    ((size_t)64 << 20) /* bytes of pointers; schemas beyond them are named by what they stand in */

struct tn_read_options {
    bool            format_assertion;
    enum tn_dialect dialect; /* where $schema does not say */
};

/* One compilation. Everything lives in the shape's arena. */
struct tn_compilation {
    tenon_shape           *shape;
    struct tn_registry    *library;
    struct tn_mistake      mistake;
    struct tn_read_options options;
    struct tn_table        memo;          /* schemas that were read already, by their value */
    struct tn_table        dynamic_names; /* that some $dynamicRef looks for */
    size_t                 place_bytes;   /* of all pointers that are kept */
    struct tn_node        *newest;        /* of all that were read */
    unsigned               depth;
    bool                   defaults; /* some schema has one */
    bool                   secrets;  /* some schema is secret */
    bool choices; /* some schema asks for one thing or another: a default may make it valid */
};

/* The node of `root`, a document that was added to the library as `resource`. NULL: a mistake, or no memory. */
const struct tn_node *tn_compile_schema(struct tn_compilation *reading, yyjson_val *root,
                                        struct tn_resource *resource);

/* The node of a schema that was read, or NULL: where a $dynamicRef finds what overrides it. */
const struct tn_node *tn_compile_memo(const struct tn_compilation *reading, const yyjson_val *schema);

/* compile_keywords.c: the keywords of one schema, into its node. */
struct tn_schema_reader {
    struct tn_compilation *reading;
    struct tn_resource    *resource;
    struct tn_node        *node;
    struct tn_schema      *schema;
    yyjson_val            *source;
    struct tn_slice        pointer; /* where it stands in its document */
};

bool tn_compile_keywords(struct tn_schema_reader *reader);

/* Does the dialect of the resource know what the name means, beside those that only describe? */
bool tn_compile_is_keyword(const struct tn_resource *resource, struct tn_slice name);

/* A schema inside `reader`'s, under keyword and name or index (name.at NULL, index SIZE_MAX: neither). */
const struct tn_node *tn_compile_inner(struct tn_schema_reader *reader, const char *keyword,
                                       struct tn_slice name, size_t index, yyjson_val *value);

/* Where a reference leads. */
const struct tn_node *tn_compile_reference(struct tn_schema_reader *reader, const char *keyword,
                                           struct tn_slice reference, yyjson_val **target,
                                           struct tn_resource **resource);

/* "uri#/pointer", where a schema stands, cut to a length that can be shown. */
struct tn_slice tn_compile_location(struct tn_arena *arena, const struct tn_schema *schema);

/* "#/properties/a/minimum: must be a number". */
bool tn_compile_mistake(struct tn_schema_reader *reader, const char *keyword, const char *text);

#endif
