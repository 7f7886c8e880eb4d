/* recursion.c - every schema is entered once; one that is entered while it is open stands inside itself. */
#include "contract/lint/recursion.h"

#include "base/table.h"
#include "json/pointer.h"

struct search {
    yyjson_val      *root;
    struct tn_arena *arena;
    struct tn_table  seen; /* by address */
    size_t           references;
    unsigned         depth;
    bool             found;
};

struct state {
    bool open;
};

yyjson_val *tn_reference_target(yyjson_val *root, struct tn_arena *arena, struct tn_slice reference)
{
    struct tn_slice rest, token;
    yyjson_val     *at  = root;
    bool            bad = false;

    if (reference.len == 0 || reference.at[0] != '#')
        return NULL;
    rest = (struct tn_slice){ reference.at + 1, reference.len - 1 };
    if (rest.len > 0 && rest.at[0] != '/')
        return NULL;
    while (at && tn_pointer_step(arena, &rest, &token, &bad))
        at = tn_pointer_child(at, token);
    return bad || !(yyjson_is_obj(at) || yyjson_is_bool(at)) ? NULL : at;
}

static void look_inside(void *user, const struct tn_site *site);

static void enter(struct search *search, yyjson_val *schema)
{
    struct tn_site  site  = { .schema = schema, .index = SIZE_MAX, .way = SITE_ROOT };
    struct state   *state = tn_table_find(&search->seen, schema, TABLE_NO_NAME);
    struct tn_slice reference;
    yyjson_val     *target;

    if (search->found || state) {
        search->found |= state && state->open;
        return;
    }
    state = tn_arena_new(search->arena, struct state);
    if (!state || !tn_table_add(&search->seen, search->arena, schema, TABLE_NO_NAME, state))
        return;
    if (++search->depth == RECURSION_DEPTH_MAX)
        search->found = true;
    state->open = true;
    reference   = tn_json_slice(yyjson_obj_get(schema, "$ref"));
    if (reference.at && ++search->references > RECURSION_REFERENCES_MAX)
        search->found = true;
    target = search->found ? NULL : tn_reference_target(search->root, search->arena, reference);
    if (target && !search->found)
        enter(search, target);
    if (!search->found)
        tn_site_inner(&site, look_inside, search);
    state->open = false;
    search->depth--;
}

/* Definitions are entered where they are referred to. */
static void look_inside(void *user, const struct tn_site *site)
{
    if (site->way != SITE_DEFINITION)
        enter(user, site->schema);
}

bool tn_recursion_found(yyjson_val *root, struct tn_arena *arena)
{
    struct search search = { .root = root, .arena = arena };

    enter(&search, root);
    return search.found;
}
