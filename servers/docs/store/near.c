/* near.c - paths that look like one that does not exist: what was probably meant. */
#include <string.h>

#include "docs/store/inside.h"

#define NEAR_MOST     3
#define COMPARED_MOST 255    /* bytes of a path that are compared: the last ones */
#define VISITED_MOST  100000 /* paths that are looked at */

struct near {
    tenon_call *call;
    const char *path;
    const char *found[NEAR_MOST];
    size_t      distance[NEAR_MOST];
    size_t      count, visited;
    bool        failed;
};

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static const char *tail_of(const char *path)
{
    size_t len = strlen(path);

    return len > COMPARED_MOST ? path + len - COMPARED_MOST : path;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many bytes must change, come or go to make one out of the other, whatever their case; `limit` when it is that many
 * or more. */
static size_t distance_of(const char *a, const char *b, size_t limit)
{
    size_t a_len = strlen(a), b_len = strlen(b);
    size_t row[COMPARED_MOST + 1];

    if ((a_len > b_len ? a_len - b_len : b_len - a_len) >= limit)
        return limit;
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0], best = i;

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t changed = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));

            diagonal = row[j];
            row[j]   = least(changed, least(row[j - 1], diagonal) + 1);
            best     = least(best, row[j]);
        }
        if (best >= limit)
            return limit;
    }
    return least(row[b_len], limit);
}

static void keep_near(struct near *near, const char *path, size_t distance)
{
    const char *copy = store_copy(near->call, path, strlen(path));
    size_t      at   = near->count < NEAR_MOST ? near->count++ : NEAR_MOST - 1;

    if (!copy) {
        near->failed = true;
        near->count  = 0;
        return;
    }
    for (; at > 0 && near->distance[at - 1] > distance; at--) {
        near->found[at]    = near->found[at - 1];
        near->distance[at] = near->distance[at - 1];
    }
    near->found[at]    = copy;
    near->distance[at] = distance;
}

/* A path is near by itself, or by its name alone, in another folder. */
static bool visit_path(void *user, const char *path, const char *hash, const char *model)
{
    struct near *near   = user;
    const char  *wanted = tail_of(near->path), *name = tail_of(name_of(near->path));
    size_t       limit = strlen(wanted) / 3 + 2, by_name;
    size_t       distance;

    (void)hash;
    (void)model;
    if (near->count == NEAR_MOST)
        limit = least(limit, near->distance[NEAR_MOST - 1]);
    distance = distance_of(wanted, tail_of(path), limit);
    by_name  = *name ? distance_of(name, tail_of(name_of(path)), least(strlen(name) / 4 + 1, limit)) : limit;
    if (by_name < least(strlen(name) / 4 + 1, limit))
        distance = least(distance, by_name + 1); /* in the right folder is nearer */
    if (distance < limit)
        keep_near(near, path, distance);
    return !near->failed && ++near->visited < VISITED_MOST;
}

enum store_status store_near_paths(struct store *store, tenon_call *call, const struct tenant *tenant,
                                   const char *path, const char *out[3], size_t *count)
{
    struct near       near   = { .call = call, .path = path };
    enum store_status status = store_each_path(store, tenant, false, visit_path, &near);

    *count = 0;
    if (status != STORE_OK)
        return status;
    if (near.failed)
        return STORE_NO_MEMORY;
    for (; *count < near.count; ++*count)
        out[*count] = near.found[*count];
    return STORE_OK;
}
