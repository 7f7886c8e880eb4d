/* compile.h - JSON Schema documents into the model. */
#ifndef DOCUMENT_COMPILE_H
#define DOCUMENT_COMPILE_H

#include "document/registry.h"
#include "model/document_node.h"
#include "model/shape.h"
#include "text/pattern.h"

#define READ_SCHEMAS_MAX ((size_t)200000)
#define READ_DEPTH_MAX   400
#define READ_PLACES_MAX  ((size_t)64 << 20) /* bytes of pointers; schemas beyond them are told by what they stand in */

struct read_options {
    bool         format_assertion;
    enum dialect dialect; /* where $schema does not say */
};

/* One compilation. Everything lives in the shape's arena. */
struct reading {
    tenon_shape        *shape;
    struct library     *library;
    struct mistake      mistake;
    struct read_options options;
    struct named        memo;          /* schemas that were read already, by their value */
    struct named        dynamic_names; /* that some $dynamicRef looks for */
    size_t              place_bytes;   /* of all pointers that are kept */
    unsigned            depth;
    bool                defaults; /* some schema has one */
    bool                secrets;  /* some schema is secret */
};

/* The node of `root`, a document that was added to the library as `resource`. NULL: a mistake, or no memory. */
const struct node *read_schema(struct reading *reading, yyjson_val *root, struct resource *resource);

/* The node of a schema that was read, or NULL: where a $dynamicRef finds what overrides it. */
const struct node *read_memo(const struct reading *reading, const yyjson_val *schema);

/* read_keywords.c: the keywords of one schema, into its node. */
struct reader {
    struct reading  *reading;
    struct resource *resource;
    struct node     *node;
    struct schema   *schema;
    yyjson_val      *source;
    struct slice     pointer; /* where it stands in its document */
};

bool read_keywords(struct reader *reader);

/* A schema inside `reader`'s, under keyword and name or index (name.at NULL, index SIZE_MAX: neither). */
const struct node *read_inner(struct reader *reader, const char *keyword, struct slice name, size_t index,
                              yyjson_val *value);

/* Where a reference leads. */
const struct node *read_reference(struct reader *reader, const char *keyword, struct slice reference,
                                  yyjson_val **target, struct resource **resource);

/* "uri#/pointer", where a schema stands, cut to a length that can be shown. */
struct slice read_location(struct arena *arena, const struct schema *schema);

/* "#/properties/a/minimum: must be a number". */
bool read_mistake(struct reader *reader, const char *keyword, const char *text);

#endif
