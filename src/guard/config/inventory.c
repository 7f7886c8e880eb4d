/* inventory.c - every upstream with what it offers: what is published, and why the rest is not. */
#define _GNU_SOURCE
#include "guard/config/inventory.h"

#include <stdlib.h>

#include "guard/catalog.h"
#include "guard/config/newest.h"
#include "guard/link.h"
#include "guard/lists/listing.h"
#include "guard/phrases.h"
#include "guard/policy/policy.h"
#include "json/write.h"

static void add_text(struct tn_buf *out, const char *key, struct tn_slice text)
{
    tn_buf_addf(out, "\"%s\":", key);
    tn_json_string(out, text.at, text.len);
}

/* One entry of a list: its own name, and the one that clients see, or why they do not. */
static void write_entry(struct tn_buf *out, bool first, struct tn_slice own, struct tn_slice published,
                        const char *why)
{
    tn_buf_text(out, first ? "{" : ",{");
    add_text(out, "name", own);
    tn_buf_char(out, ',');
    if (why)
        add_text(out, "hidden", tn_slice_of(why));
    else
        add_text(out, "published", published);
    tn_buf_char(out, '}');
}

static void write_tools(struct tn_buf *out, const struct tn_link *link)
{
    const struct tn_catalog *catalog = link->catalog;

    tn_buf_lit(out, ",\"tools\":[");
    for (size_t i = 0; i < catalog->count; i++) {
        const struct tn_offered *tool = &catalog->at[i];
        const char              *why  = NULL;

        if (tool->hidden || tool->unlisted)
            why = tool->why_hidden;
        else if (!tn_names_has(&link->guard->tools, link->upstream, tool->published))
            why = GUARD_WHY_TAKEN;
        write_entry(out, i == 0, tool->name, tool->published, why);
    }
    tn_buf_char(out, ']');
}

static const char *why_hidden(const struct tn_link *link, enum tn_list list, const struct tn_listed *one)
{
    const struct tn_policy_item item = { .upstream  = link->upstream,
                                         .kind      = list == LIST_PROMPTS ? POLICY_PROMPT : POLICY_RESOURCE,
                                         .name      = one->own,
                                         .published = one->published };

    if (one->hidden)
        return one->why_hidden;
    if (!tn_policy_shows(&link->guard->policy, NULL, &item))
        return GUARD_WHY_POLICY;
    return one->shadowed ? GUARD_WHY_SHADOWED : NULL;
}

/* Prompts, resources and templates of resources. */
static void write_others(struct tn_buf *out, const struct tn_link *link, enum tn_list list, const char *key)
{
    const struct tn_listing *listing = link->lists[list].at;

    tn_buf_addf(out, ",\"%s\":[", key);
    for (size_t i = 0; listing && i < listing->count; i++)
        write_entry(out, i == 0, listing->at[i].own, listing->at[i].published,
                    why_hidden(link, list, &listing->at[i]));
    tn_buf_char(out, ']');
}

static const struct tn_link *link_of(const struct tn_guard *guard, const struct tn_upstream *upstream)
{
    for (const struct tn_link *link = guard->links; link; link = link->next)
        if (link->upstream == upstream)
            return link;
    return NULL;
}

/* Is it an address, with a proxy on the way to what it names? Then whether an address is private is the proxy's to find out. */
static bool is_proxied(const struct tn_upstream *upstream)
{
    static const char *const names[] = { "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY" };

    for (size_t i = 0; upstream->url && i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);

        if (value && *value)
            return true;
    }
    return false;
}

static void write_upstream(struct tn_buf *out, const struct tn_guard *guard,
                           const struct tn_upstream *upstream)
{
    const struct tn_link *link  = link_of(guard, upstream);
    bool                  ready = link && link->ready;
    yyjson_val           *info  = ready ? yyjson_obj_get(link->client->server, "serverInfo") : NULL;

    tn_buf_char(out, '{');
    add_text(out, "name", tn_slice_of(upstream->name));
    tn_buf_addf(out, ",\"ready\":%s,\"unversioned\":%s,\"proxied\":%s", ready ? "true" : "false",
                tn_runs_newest(upstream->words) ? "true" : "false", is_proxied(upstream) ? "true" : "false");
    if (ready) {
        tn_buf_char(out, ',');
        add_text(out, "revision", tn_slice_of(tenon_client_revision(link->client)));
    } else if (link && link->upkeep.why[0]) {
        tn_buf_char(out, ',');
        add_text(out, "why", tn_slice_of(link->upkeep.why));
    } else if (link && link->client) {
        tn_buf_char(out, ',');
        add_text(out, "why", SLICE_LIT(GUARD_WHY_STARTING));
    }
    if (info) {
        tn_buf_lit(out, ",\"server\":");
        tn_json_value(out, info);
    }
    if (link && link->catalog)
        write_tools(out, link);
    if (ready) {
        write_others(out, link, LIST_PROMPTS, "prompts");
        write_others(out, link, LIST_RESOURCES, "resources");
        write_others(out, link, LIST_TEMPLATES, "templates");
    }
    tn_buf_char(out, '}');
}

void tn_inventory_answer(const struct tn_guard *guard, struct tn_exchange *x)
{
    struct tn_buf out = tn_result_begin(x);

    tn_result_key(&out, "upstreams");
    tn_buf_char(&out, '[');
    for (size_t i = 0; i < guard->upstream_count; i++) {
        if (i > 0)
            tn_buf_char(&out, ',');
        write_upstream(&out, guard, &guard->upstreams[i]);
    }
    tn_buf_char(&out, ']');
    tn_result_end(x, &out);
}
