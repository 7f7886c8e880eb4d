/* site.c - walks a schema by the keywords that have schemas in them, of all dialects. */
#include "contract/lint/site.h"

#include "json/pointer.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum holds { HOLDS_ONE, HOLDS_ARRAY, HOLDS_MAP };

static const struct {
    const char      *keyword;
    enum holds       holds;
    enum tn_site_way way;
} inner[] = {
    { "properties", HOLDS_MAP, SITE_PROPERTY },
    { "patternProperties", HOLDS_MAP, SITE_MEMBER },
    { "additionalProperties", HOLDS_ONE, SITE_MEMBER },
    { "unevaluatedProperties", HOLDS_ONE, SITE_PART },
    { "propertyNames", HOLDS_ONE, SITE_PART },
    { "dependentSchemas", HOLDS_MAP, SITE_PART },
    { "dependencies", HOLDS_MAP, SITE_PART },
    { "items", HOLDS_ONE, SITE_ITEM },
    { "items", HOLDS_ARRAY, SITE_ITEM },
    { "prefixItems", HOLDS_ARRAY, SITE_ITEM },
    { "additionalItems", HOLDS_ONE, SITE_PART },
    { "unevaluatedItems", HOLDS_ONE, SITE_PART },
    { "contains", HOLDS_ONE, SITE_PART },
    { "allOf", HOLDS_ARRAY, SITE_PART },
    { "anyOf", HOLDS_ARRAY, SITE_VARIANT },
    { "oneOf", HOLDS_ARRAY, SITE_VARIANT },
    { "not", HOLDS_ONE, SITE_PART },
    { "if", HOLDS_ONE, SITE_PART },
    { "then", HOLDS_ONE, SITE_PART },
    { "else", HOLDS_ONE, SITE_PART },
    { "$defs", HOLDS_MAP, SITE_DEFINITION },
    { "definitions", HOLDS_MAP, SITE_DEFINITION },
};

static bool is_schema(yyjson_val *value)
{
    return yyjson_is_obj(value) || yyjson_is_bool(value);
}

static void visit_one(const struct tn_site *outer, struct tn_site site, tn_site_visit visit, void *user)
{
    if (!is_schema(site.schema))
        return;
    site.outer  = outer;
    site.levels = (site.way == SITE_DEFINITION ? 0 : outer->levels) +
                  (yyjson_is_obj(yyjson_obj_get(site.schema, "properties")) ? 1 : 0);
    visit(user, &site);
}

static void visit_keyword(const struct tn_site *outer, size_t row, yyjson_val *value, tn_site_visit visit,
                          void *user)
{
    struct tn_site  site    = { .keyword = inner[row].keyword, .way = inner[row].way, .index = SIZE_MAX };
    yyjson_arr_iter items   = yyjson_arr_iter_with(value);
    yyjson_obj_iter members = yyjson_obj_iter_with(value);
    yyjson_val     *one;

    switch (inner[row].holds) {
    case HOLDS_ONE:
        site.schema = value;
        visit_one(outer, site, visit, user);
        return;
    case HOLDS_ARRAY:
        for (site.index = 0; (site.schema = yyjson_arr_iter_next(&items)); site.index++)
            visit_one(outer, site, visit, user);
        return;
    case HOLDS_MAP:
        while ((one = yyjson_obj_iter_next(&members))) {
            site.name   = tn_json_slice(one);
            site.schema = yyjson_obj_iter_get_val(one);
            visit_one(outer, site, visit, user);
        }
        return;
    }
}

void tn_site_inner(const struct tn_site *site, tn_site_visit visit, void *user)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(site->schema);
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&members))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name);

        for (size_t i = 0; i < COUNT_OF(inner); i++)
            if ((inner[i].holds == HOLDS_ARRAY) == yyjson_is_arr(value) &&
                yyjson_equals_str(name, inner[i].keyword))
                visit_keyword(site, i, value, visit, user);
    }
}

struct walk {
    tn_site_visit visit;
    void         *user;
};

static void walk_one(void *user, const struct tn_site *site)
{
    const struct walk *walk = user;

    walk->visit(walk->user, site);
    tn_site_inner(site, walk_one, user);
}

void tn_sites_visit(yyjson_val *schema, tn_site_visit visit, void *user)
{
    struct walk    walk = { visit, user };
    struct tn_site root = { .schema = schema, .index = SIZE_MAX, .way = SITE_ROOT };

    root.levels = yyjson_is_obj(yyjson_obj_get(schema, "properties")) ? 1 : 0;
    if (is_schema(schema))
        walk_one(&walk, &root);
}

void tn_site_pointer(struct tn_buf *out, const struct tn_site *site)
{
    if (!site->outer)
        return;
    tn_site_pointer(out, site->outer);
    tn_pointer_add(out, tn_slice_of(site->keyword));
    if (site->name.at)
        tn_pointer_add(out, site->name);
    else if (site->index != SIZE_MAX)
        tn_pointer_add_index(out, site->index);
}

/* ---- What a schema says ------------------------------------------------------------------------------------------ */

bool tn_site_lists(yyjson_val *array, struct tn_slice name)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *one;

    while (yyjson_is_arr(array) && (one = yyjson_arr_iter_next(&items)))
        if (yyjson_is_str(one) && tn_slice_same(tn_json_slice(one), name))
            return true;
    return false;
}

bool tn_site_has_type(yyjson_val *schema, const char *type)
{
    yyjson_val *value = yyjson_obj_get(schema, "type");

    return yyjson_equals_str(value, type) || tn_site_lists(value, tn_slice_of(type));
}

static bool has_null_variant(yyjson_val *variants)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(variants);
    yyjson_val     *one;

    while (yyjson_is_arr(variants) && (one = yyjson_arr_iter_next(&items)))
        if (yyjson_equals_str(yyjson_obj_get(one, "type"), "null") ||
            yyjson_is_null(yyjson_obj_get(one, "const")))
            return true;
    return false;
}

bool tn_site_allows_null(yyjson_val *schema)
{
    return (yyjson_is_arr(yyjson_obj_get(schema, "type")) && tn_site_has_type(schema, "null")) ||
           has_null_variant(yyjson_obj_get(schema, "anyOf")) ||
           has_null_variant(yyjson_obj_get(schema, "oneOf"));
}
