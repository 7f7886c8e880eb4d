/* greet.c - what several upstreams are together: initialize, server/discover, logging/setLevel. */
#define _GNU_SOURCE
#include <string.h>

#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/route/route.h"
#include "guard/seat.h"
#include "guard/timetable.h"
#include "mcp/session.h"

#define GREET_MS                                                                                             \
    1000 /* for upstreams to say what they can do; after that the guard promises what it has itself */

/* ---- What they can do ------------------------------------------------------------------------------------------- */

/* Is it known of all upstreams what they can do? Those that do not run are started. */
static bool is_settled(struct tn_relay *relay)
{
    struct tn_seat *seat    = relay->seat;
    int64_t         until   = seat->began_ms + GREET_MS;
    bool            settled = true;
    int             rest;

    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        struct tn_link *link = seat->links[i];

        if (!relay->routed && (!link || !link->client))
            link = tn_seat_link(seat, &seat->guard->upstreams[i], &rest);
        settled &= !link || !link->client || link->ready ||
                   tn_pins_entry(seat->guard, &seat->guard->upstreams[i]);
    }
    if (settled || tn_client_now_ms() >= until)
        return true;
    tn_timetable_at(seat->guard, until);
    return false;
}

/* Does one of them have this? What is not known may be there. */
static bool has(const struct tn_seat *seat, const char *capability)
{
    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        const struct tn_link *link   = seat->links[i];
        yyjson_val           *server = link ? tn_pins_server(link) : NULL;

        if (!server || yyjson_obj_get(yyjson_obj_get(server, "capabilities"), capability))
            return true;
    }
    return false;
}

/* The extensions that the configuration lets pass, of those upstreams that have them. */
static void write_extensions(struct tn_buf *out, const struct tn_seat *seat)
{
    size_t from = 0;

    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        const struct tn_upstream *upstream = &seat->guard->upstreams[i];
        const struct tn_link     *link     = seat->links[i];

        for (size_t j = 0; link && link->ready && j < upstream->extensions.count; j++) {
            yyjson_val *all = yyjson_obj_get(yyjson_obj_get(link->client->server, "capabilities"),
                                             "extensions");
            yyjson_val *one = yyjson_obj_get(all, upstream->extensions.at[j]);

            if (!one)
                continue;
            if (from == 0) {
                tn_result_key(out, "extensions");
                tn_buf_char(out, '{');
            }
            from = out->len;
            tn_result_key(out, upstream->extensions.at[j]);
            tn_json_value(out, one);
        }
    }
    if (from > 0)
        tn_buf_char(out, '}');
}

static void write_capabilities(struct tn_buf *out, const struct tn_relay *relay)
{
    static const struct {
        const char *name, *value;
        bool        legacy; /* only there */
    } all[] = {
        { "tools", "{\"listChanged\":true}", false },
        { "prompts", "{\"listChanged\":true}", false },
        { "resources", "{\"subscribe\":true,\"listChanged\":true}", false },
        { "completions", "{}", false },
        { "logging", "{}", true },
    };

    tn_result_key(out, "capabilities");
    tn_buf_char(out, '{');
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if ((all[i].legacy && tn_exchange_is_modern(relay->x)) || !has(relay->seat, all[i].name))
            continue;
        tn_result_key(out, all[i].name);
        tn_buf_text(out, all[i].value);
    }
    write_extensions(out, relay->seat);
    tn_buf_char(out, '}');
}

/* ---- Its log ------------------------------------------------------------------------------------------------------ */

/* The level is for the servers that are the client's own; what others share logs to the guard alone. */
enum tn_routed tn_route_level(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    struct tn_seat *seat  = relay->seat;
    int             level = tn_level_of(tn_rpc_text(tn_rpc_get(relay->x->params, "level")));

    (void)upstream;
    if (level >= 0)
        seat->log_level = tn_level_text(level);
    for (size_t i = 0; level >= 0 && i < seat->guard->upstream_count; i++)
        if (seat->links[i] && seat->links[i]->scope == SCOPE_SEAT)
            tn_link_level(seat->links[i], seat->log_level);
    tn_method_set_level(relay->x);
    return ROUTED_HERE;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

enum tn_routed tn_route_initialize(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    struct tn_exchange *x       = relay->x;
    struct tn_slice     session = { NULL, 0 };
    struct tn_buf       out;

    (void)upstream;
    if (!is_settled(relay))
        return ROUTED_WAITS;
    x->version = tn_version_negotiated(x->params);
    if (!tn_session_join(x, &session)) {
        tn_exchange_fail_bare(x);
        return ROUTED_HERE;
    }
    tn_seat_own(relay->seat, x->session);
    out = tn_result_begin(x);
    tn_result_key(&out, "protocolVersion");
    tn_json_string(&out, tn_version_text(x->version), strlen(tn_version_text(x->version)));
    write_capabilities(&out, relay);
    tn_result_key(&out, "serverInfo");
    tn_buf_add(&out, x->server->identity.at, x->server->identity.len);
    tn_result_end_with(x, &out, session);
    return ROUTED_HERE;
}

enum tn_routed tn_route_discover(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    struct tn_buf out;

    (void)upstream;
    if (!is_settled(relay))
        return ROUTED_WAITS;
    out = tn_result_begin(relay->x);
    tn_result_key(&out, "supportedVersions");
    tn_buf_lit(&out, "[\"" MODERN_VERSION "\"]");
    write_capabilities(&out, relay);
    tn_result_cacheable(relay->x, &out, 0, true);
    tn_result_end(relay->x, &out);
    return ROUTED_HERE;
}
