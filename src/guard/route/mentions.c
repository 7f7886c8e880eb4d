/* mentions.c - a bounded list of URIs, the newest last. */
#include "guard/route/mentions.h"

#include <string.h>

#include "base/memory.h"
#include "mcp/rpc.h"

static struct tn_mention *find(const struct tn_mentions *mentions, struct tn_slice uri)
{
    for (size_t i = 0; mentions->at && i < MENTIONS_MAX; i++)
        if (mentions->at[i].uri && mentions->at[i].len == uri.len &&
            memcmp(mentions->at[i].uri, uri.at, uri.len) == 0)
            return &mentions->at[i];
    return NULL;
}

/* Without memory it is not kept, and is not found later. */
static void take_uri(struct tn_mentions *mentions, struct tn_slice uri, const struct tn_upstream *upstream)
{
    struct tn_mention *one = uri.len > 0 && uri.len <= MENTIONS_URI_MAX ? find(mentions, uri) : NULL;
    char              *copy;

    if (one)
        one->upstream = upstream;
    if (one || uri.len == 0 || uri.len > MENTIONS_URI_MAX)
        return;
    if (!mentions->at) {
        mentions->at = tn_memory_new(mentions->memory, MENTIONS_MAX * sizeof *mentions->at);
        if (!mentions->at)
            return;
        memset(mentions->at, 0, MENTIONS_MAX * sizeof *mentions->at);
    }
    copy = tn_memory_new(mentions->memory, uri.len);
    if (!copy)
        return;
    memcpy(copy, uri.at, uri.len);
    one = &mentions->at[mentions->next++ % MENTIONS_MAX];
    tn_memory_free(mentions->memory, one->uri, one->len);
    *one = (struct tn_mention){ copy, uri.len, upstream };
}

void tn_mentions_take(struct tn_mentions *mentions, yyjson_val *result, const struct tn_upstream *upstream)
{
    static const char *const members[] = { "content", "contents", "messages" };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        yyjson_arr_iter all = yyjson_arr_iter_with(yyjson_obj_get(result, members[i]));
        yyjson_val     *item;

        while ((item = yyjson_arr_iter_next(&all))) {
            yyjson_val *content = yyjson_obj_get(item, "content"); /* of a message of a prompt */

            item = content ? content : item;
            take_uri(mentions, tn_rpc_text(yyjson_obj_get(item, "uri")), upstream);
            take_uri(mentions, tn_rpc_text(yyjson_obj_get(yyjson_obj_get(item, "resource"), "uri")),
                     upstream);
        }
    }
}

const struct tn_upstream *tn_mentions_find(const struct tn_mentions *mentions, struct tn_slice uri)
{
    const struct tn_mention *one = find(mentions, uri);

    return one ? one->upstream : NULL;
}

void tn_mentions_free(struct tn_mentions *mentions)
{
    for (size_t i = 0; mentions->at && i < MENTIONS_MAX; i++)
        tn_memory_free(mentions->memory, mentions->at[i].uri, mentions->at[i].len);
    if (mentions->at)
        tn_memory_free(mentions->memory, mentions->at, MENTIONS_MAX * sizeof *mentions->at);
}
