/* kept_headers.c - copies of Mcp-Param-* headers; a transport bounds how many there are, and how long. */
#include "guard/policy/kept_headers.h"

#include <string.h>

#define PARAM_PREFIX SLICE_LIT("Mcp-Param-")

struct kept_header {
    struct tn_slice name, value;
};

struct kept_headers {
    struct tn_http_facts facts;
    size_t               count;
    struct kept_header   at[];
};

static bool is_param(struct tn_slice name)
{
    return name.len > PARAM_PREFIX.len &&
           tn_slice_fold_equal((struct tn_slice){ name.at, PARAM_PREFIX.len }, PARAM_PREFIX);
}

/* One that came twice is as none, as it is before it waits. */
static bool kept_header(const void *user, struct tn_slice name, struct tn_slice *value)
{
    const struct kept_headers *kept  = user;
    size_t                     found = 0;

    for (size_t i = 0; i < kept->count; i++)
        if (tn_slice_fold_equal(kept->at[i].name, name)) {
            *value = kept->at[i].value;
            found++;
        }
    return found == 1;
}

static struct tn_slice copy_of(struct tn_arena *arena, struct tn_slice text)
{
    return (struct tn_slice){ tn_arena_copy(arena, text.at ? text.at : "", text.len), text.len };
}

const struct tn_http_facts *tn_kept_headers(struct tn_arena *arena, const struct tn_http_facts *http)
{
    struct kept_headers *kept;
    struct tn_slice      name, value;
    size_t               count = 0;

    for (size_t i = 0; http->header_at && http->header_at(http->user, i, &name, &value); i++)
        count += is_param(name);
    kept = tn_arena_take(arena, sizeof *kept + count * sizeof kept->at[0], alignof(struct kept_headers));
    if (!kept)
        return NULL;
    kept->facts = (struct tn_http_facts){ .header = kept_header, .user = kept };
    kept->count = 0;
    for (size_t i = 0; kept->count < count && http->header_at(http->user, i, &name, &value); i++)
        if (is_param(name))
            kept->at[kept->count++] = (struct kept_header){ copy_of(arena, name), copy_of(arena, value) };
    return arena->failed ? NULL : &kept->facts;
}
