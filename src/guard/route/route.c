/* route.c - requests led to their upstream.
 *
 * A request that no table leads anywhere is refused: to try it at one server after the other would show it to servers that it is
 * not meant for, and let any of them answer in the place of another.
 */
#define _GNU_SOURCE
#include "guard/route/route.h"

#include <string.h>

#include "contract/canonical.h"
#include "guard/follow.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/policy/policy.h"
#include "guard/seat.h"
#include "mcp/offer/failure.h"
#include "text/uri_template.h"

#define NOTHING ((struct tn_slice){ NULL, 0 })

/* May this caller use it? What it may not is as what never was. */
static bool is_shown(const struct tn_guard *guard, const struct tn_exchange *x,
                     const struct tn_upstream *upstream, enum tn_policy_kind kind, struct tn_slice own,
                     struct tn_slice published)
{
    const struct tn_policy_item item = {
        .upstream = upstream, .kind = kind, .name = own, .published = published
    };

    return tn_policy_shows(&guard->policy, &x->caller, &item);
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

enum tn_routed tn_route_tool(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    struct tn_slice       name  = tn_rpc_text(tn_rpc_get(relay->x->params, "name"));
    const struct tn_name *found = name.at ? tn_names_find(&relay->seat->guard->tools, name) : NULL;
    bool                  hides = found &&
                 !is_shown(relay->seat->guard, relay->x, found->upstream, POLICY_TOOL, found->own, name);

    if (found && !hides) {
        *upstream = found->upstream;
        return ROUTED_TO;
    }
    if (name.at && !tn_lists_settled(relay->seat, LIST_TOOLS, !relay->routed))
        return ROUTED_WAITS;
    if (name.at && !hides && tn_names_find(&relay->seat->guard->tools, name))
        return tn_route_tool(relay, upstream);
    tn_exchange_fail(relay->x, RPC_INVALID_PARAMS, NOTHING, name.at ? GUARD_NO_TOOL : GUARD_NO_NAME,
                     tn_exchange_echo(relay->x, name));
    return ROUTED_HERE;
}

/* A name that is published as it is; NULL without memory. */
static const struct tn_name *own_name(struct tn_relay *relay, struct tn_slice name)
{
    struct tn_name *own = name.len > 0 ? tn_arena_new(&relay->x->arena, struct tn_name) : NULL;

    if (own)
        *own = (struct tn_name){ .published = name,
                                 .own       = name,
                                 .upstream  = &relay->seat->guard->upstreams[0] };
    return own;
}

/* A prompt of an upstream that is pinned must be in the list of the client's own connection, which was compared with the lock. */
static bool is_withheld(const struct tn_seat *seat, const struct tn_name *prompt)
{
    const struct tn_link *link = seat->links[prompt->upstream->at];

    return tn_pins_entry(seat->guard, prompt->upstream) &&
           !(link && tn_listing_find(link->lists[LIST_PROMPTS].at, prompt->published));
}

/* The upstream of a prompt; NULL when it is not known, or not yet. */
static const struct tn_name *find_prompt(struct tn_relay *relay, struct tn_slice name, bool *waits)
{
    struct tn_seat        *seat  = relay->seat;
    const struct tn_names *names = &seat->guard->prompts;
    bool                   own   = tn_names_are_own(names); /* of one upstream: they are in no table */
    const struct tn_name  *found = own ? own_name(relay, name) : tn_names_find(names, name);

    *waits = found ? is_withheld(seat, found) : !own;
    *waits = *waits && !tn_lists_settled(seat, LIST_PROMPTS, !relay->routed);
    if (!found && !own)
        found = tn_names_find(names, name);
    if (!found || is_withheld(seat, found))
        return NULL;
    return is_shown(seat->guard, relay->x, found->upstream, POLICY_PROMPT, found->own, name) ? found : NULL;
}

enum tn_routed tn_route_prompt(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    struct tn_slice       name = tn_rpc_text(tn_rpc_get(relay->x->params, "name"));
    bool                  waits;
    const struct tn_name *found = find_prompt(relay, name, &waits);

    if (found) {
        *upstream = found->upstream;
        tn_relay_rename(relay, found->own);
        return ROUTED_TO;
    }
    if (waits)
        return ROUTED_WAITS;
    tn_exchange_fail(relay->x, RPC_INVALID_PARAMS, NOTHING, GUARD_NO_PROMPT,
                     tn_exchange_echo(relay->x, name));
    return ROUTED_HERE;
}

/* ---- URIs ------------------------------------------------------------------------------------------------------- */

static size_t literal_len(struct tn_slice text)
{
    size_t count  = 0;
    bool   inside = false;

    for (size_t i = 0; i < text.len; i++) {
        inside = text.at[i] == '{' || (inside && text.at[i] != '}');
        count += !inside && text.at[i] != '}';
    }
    return count;
}

static bool fits(const struct tn_listed *one, struct tn_slice uri)
{
    struct tn_variable variables[URI_VARIABLES_MAX];
    size_t             count;

    return !one->hidden && uri.len <= URI_LEN_MAX && !tn_uri_template_mistake(one->own) &&
           tn_uri_template_match(one->own, uri, variables, &count);
}

/* The upstream whose template fits; of two, the one with the longer literal part. */
static const struct tn_upstream *find_template(const struct tn_seat *seat, struct tn_slice uri)
{
    const struct tn_upstream *found = NULL;
    size_t                    best  = 0;

    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        const struct tn_listing *listing = seat->links[i] ? seat->links[i]->lists[LIST_TEMPLATES].at : NULL;

        for (size_t j = 0; listing && j < listing->count; j++) {
            size_t len = literal_len(listing->at[j].own);

            if ((!found || len > best) && fits(&listing->at[j], uri)) {
                found = &seat->guard->upstreams[i];
                best  = len;
            }
        }
    }
    return found;
}

/* The only upstream with resources, if it is the only one. */
static const struct tn_upstream *find_only(const struct tn_seat *seat)
{
    const struct tn_upstream *found = NULL;

    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        const struct tn_link *link  = seat->links[i];
        bool                  known = link && link->ready;

        if (known && !yyjson_obj_get(yyjson_obj_get(link->client->server, "capabilities"), "resources"))
            continue;
        if (found || !known) /* one that does not run may have some */
            return NULL;
        found = &seat->guard->upstreams[i];
    }
    return found;
}

static const struct tn_upstream *find_listed(const struct tn_seat *seat, enum tn_list list,
                                             struct tn_slice uri)
{
    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        if (seat->links[i] && tn_listing_find(seat->links[i]->lists[list].at, uri))
            return &seat->guard->upstreams[i];
    return NULL;
}

/* Both lists of all upstreams decide: an upstream that comes later must not answer for one that comes first. */
static bool uris_settled(struct tn_relay *relay)
{
    bool resources = tn_lists_settled(relay->seat, LIST_RESOURCES, !relay->routed);

    return tn_lists_settled(relay->seat, LIST_TEMPLATES, false) && resources;
}

const struct tn_upstream *tn_route_find_uri(const struct tn_seat *seat, const struct tn_exchange *x,
                                            struct tn_slice uri)
{
    const struct tn_upstream *found = find_listed(seat, LIST_RESOURCES, uri);

    if (seat->guard->upstream_count == 1)
        found = &seat->guard->upstreams[0];
    if (!found)
        found = tn_mentions_find(&seat->mentions, uri);
    if (!found)
        found = find_template(seat, uri);
    if (!found)
        found = find_only(seat);
    return found && is_shown(seat->guard, x, found, POLICY_RESOURCE, uri, uri) ? found : NULL;
}

enum tn_routed tn_route_uri(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    struct tn_slice           uri = tn_rpc_text(tn_rpc_get(relay->x->params, "uri"));
    const struct tn_upstream *found;

    if (uri.len > 0 && !uris_settled(relay))
        return ROUTED_WAITS;
    found = uri.len > 0 ? tn_route_find_uri(relay->seat, relay->x, uri) : NULL;
    if (found) {
        *upstream = found;
        return ROUTED_TO;
    }
    tn_failure_no_resource(relay->x, uri, NOTHING);
    return ROUTED_HERE;
}

/* ---- References for completion ----------------------------------------------------------------------------------- */

/* The reference with the upstream's own name of the prompt. */
static void rename_reference(struct tn_relay *relay, struct tn_slice own)
{
    yyjson_val     *ref = tn_rpc_get(relay->x->params, "ref"), *key;
    yyjson_obj_iter all = yyjson_obj_iter_with(ref);
    struct tn_buf   out;

    tn_buf_init(&out, &relay->x->arena, own.len + 64, RESULT_LEN_MAX);
    tn_buf_char(&out, '{');
    while ((key = yyjson_obj_iter_next(&all))) {
        if (out.len > 1)
            tn_buf_char(&out, ',');
        tn_json_value(&out, key);
        tn_buf_char(&out, ':');
        if (yyjson_equals_str(key, "name"))
            tn_json_string(&out, own.at, own.len);
        else
            tn_json_value(&out, yyjson_obj_iter_get_val(key));
    }
    tn_buf_char(&out, '}');
    relay->renamed = "ref";
    relay->rename  = tn_buf_slice(&out);
}

static enum tn_routed refuse_reference(struct tn_relay *relay)
{
    tn_exchange_fail(relay->x, RPC_INVALID_PARAMS, NOTHING, "%s", GUARD_NO_REFERENCE);
    return ROUTED_HERE;
}

/* A member that comes twice is one thing to the guard, and may be another to the server. */
enum tn_routed tn_route_reference(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    yyjson_val     *ref  = tn_rpc_get(relay->x->params, "ref");
    struct tn_slice name = tn_rpc_text(tn_rpc_get(ref, "name")), uri = tn_rpc_text(tn_rpc_get(ref, "uri"));
    const struct tn_name *prompt = NULL;
    bool                  waits  = false;

    *upstream = NULL;
    if (!ref || tn_canonical_check(&relay->seat->guard->memory, ref) != CANONICAL_FINE)
        return refuse_reference(relay);
    if (yyjson_equals_str(tn_rpc_get(ref, "type"), "ref/prompt")) {
        prompt = find_prompt(relay, name, &waits);
        if (prompt) {
            *upstream = prompt->upstream;
            rename_reference(relay, prompt->own);
        }
    } else if (relay->seat->guard->upstream_count == 1)
        *upstream = relay->seat->guard->upstreams;
    else if (uri.len > 0) {
        waits     = !uris_settled(relay);
        *upstream = waits ? NULL : find_listed(relay->seat, LIST_TEMPLATES, uri);
        if (!waits && !*upstream)
            *upstream = tn_route_find_uri(relay->seat, relay->x, uri);
    }
    if (*upstream && (prompt || is_shown(relay->seat->guard, relay->x, *upstream, POLICY_RESOURCE, uri, uri)))
        return ROUTED_TO;
    return waits ? ROUTED_WAITS : refuse_reference(relay);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static enum tn_routed answer_list(struct tn_relay *relay, enum tn_list list)
{
    if (!tn_lists_settled(relay->seat, list, !relay->routed))
        return ROUTED_WAITS;
    tn_lists_answer(relay, list);
    return ROUTED_HERE;
}

enum tn_routed tn_route_tools(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    (void)upstream;
    return answer_list(relay, LIST_TOOLS);
}

enum tn_routed tn_route_prompts(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    (void)upstream;
    return answer_list(relay, LIST_PROMPTS);
}

enum tn_routed tn_route_resources(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    (void)upstream;
    return answer_list(relay, LIST_RESOURCES);
}

enum tn_routed tn_route_templates(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    (void)upstream;
    return answer_list(relay, LIST_TEMPLATES);
}

/* Streams of changes are the guard's own. What one follows must be known to be led anywhere. */
enum tn_routed tn_route_listen(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    yyjson_val *filter = tn_rpc_get(relay->x->params, "notifications");

    (void)upstream;
    if (yyjson_arr_size(tn_rpc_get(filter, "resourceSubscriptions")) > 0 && !uris_settled(relay))
        return ROUTED_WAITS;
    return ROUTED_HERE;
}

/* What is not followed is not followed afterwards, either. */
enum tn_routed tn_route_unfollow(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    (void)upstream;
    tn_follow_drop(relay->seat, NULL, tn_rpc_text(tn_rpc_get(relay->x->params, "uri")));
    tn_method_ping(relay->x);
    return ROUTED_HERE;
}

/* ---- What the guard does not know ---------------------------------------------------------------------------------- */

/* Is the method an extension's? An entry is a method, or the part before its first slash. */
static bool is_listed(const struct tn_upstream *upstream, struct tn_slice method)
{
    const char *slash = method.len ? memchr(method.at, '/', method.len) : NULL;
    size_t      first = slash ? (size_t)(slash - method.at) : method.len;

    for (size_t i = 0; i < upstream->extensions.count; i++)
        if (tn_slice_is(method, upstream->extensions.at[i]) ||
            tn_slice_is((struct tn_slice){ method.at, first }, upstream->extensions.at[i]))
            return true;
    return false;
}

enum tn_routed tn_route_other(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    const struct tn_guard *guard = relay->seat->guard;

    for (size_t i = 0; i < guard->upstream_count; i++)
        if (is_listed(&guard->upstreams[i], relay->method)) {
            *upstream = &guard->upstreams[i];
            return ROUTED_TO;
        }
    tn_exchange_fail(relay->x, RPC_NO_METHOD, NOTHING, GUARD_NO_METHOD,
                     tn_exchange_echo(relay->x, relay->method));
    return ROUTED_HERE;
}
