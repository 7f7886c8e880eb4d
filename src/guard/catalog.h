/* catalog.h - the tools of a server as they were listed at one time: their texts, and the schemas that calls must keep. */
#ifndef GUARD_CATALOG_H
#define GUARD_CATALOG_H

#include "answer/toolbox.h"
#include "guard/guard.h"

struct tn_offered {
    struct tn_slice name;       /* as the server calls it */
    struct tn_slice text;       /* the definition as it is published */
    struct tn_tool  tool;       /* what judges its arguments; without a schema they are not judged */
    tenon_schema   *output;     /* what its structured results must keep, or NULL */
    yyjson_val     *definition; /* where headers repeat arguments of it; else NULL */
    bool            promises;   /* it publishes an outputSchema */
    bool            hidden;     /* it is not published, and cannot be called */
};

struct tn_catalog {
    tenon_allocator    memory;
    size_t             refs;
    struct tn_arena    arena;
    struct tn_offered *at;
    size_t             count;
    struct tn_table    names;
    struct tn_slice    text; /* of the whole list, between its brackets */
};

/* Of the result of tools/list, read and as its text. NULL without memory. */
struct tn_catalog *tn_catalog_new(struct tn_guard *guard, yyjson_val *result, struct tn_slice text);
void               tn_catalog_hold(struct tn_catalog *catalog);
void               tn_catalog_release(struct tn_catalog *catalog);

/* A tool that may be called, or NULL. */
const struct tn_offered *tn_catalog_find(const struct tn_catalog *catalog, struct tn_slice name);

#endif
