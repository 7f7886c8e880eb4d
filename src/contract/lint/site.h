/* site.h - every schema inside a schema, as it is written: with the way that leads to it.
 *
 * References are not followed: what they lead to stands in the same document, and is visited where it stands. So a visit takes
 * as long as the document is, whatever refers to what.
 */
#ifndef CONTRACT_LINT_SITE_H
#define CONTRACT_LINT_SITE_H

#include "base/buf.h"
#include "json/read.h"

/* What a schema is to the one that it stands in. */
enum tn_site_way {
    SITE_ROOT,
    SITE_PROPERTY,   /* of `properties` */
    SITE_MEMBER,     /* of members that have no name: additionalProperties, patternProperties */
    SITE_ITEM,       /* of an array */
    SITE_VARIANT,    /* of anyOf, oneOf */
    SITE_PART,       /* allOf, not, if and the like: it need not stand for a value alone */
    SITE_DEFINITION, /* of $defs */
};

struct tn_site {
    const struct tn_site *outer;
    yyjson_val           *schema;  /* an object or a boolean */
    const char           *keyword; /* that it stands under; NULL of the root */
    struct tn_slice       name;    /* under that keyword; `at` is NULL: `index`, or neither */
    size_t                index;   /* SIZE_MAX: there is only one */
    enum tn_site_way      way;
    unsigned              levels; /* of objects with properties, itself included */
};

typedef void (*tn_site_visit)(void *user, const struct tn_site *site);

/* The root first, each before what is inside it. */
void tn_sites_visit(yyjson_val *schema, tn_site_visit visit, void *user);

/* The schemas directly inside one. */
void tn_site_inner(const struct tn_site *site, tn_site_visit visit, void *user);

/* "/properties/a/items": from the root. */
void tn_site_pointer(struct tn_buf *out, const struct tn_site *site);

/* Does its `type` name this one, alone or among others? */
bool tn_site_has_type(yyjson_val *schema, const char *type);

/* Is the name among those of an array of texts? */
bool tn_site_lists(yyjson_val *array, struct tn_slice name);

/* Is it a union with null: by a list of types, or by an alternative? */
bool tn_site_allows_null(yyjson_val *schema);

#endif
