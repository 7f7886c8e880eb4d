/* verdict_place.c - faults, and where they are.
 *
 * A fault keeps the way to it as it is found; names, paths and suggestions are made from that when they are read, since
 * a program that only asks whether a value is valid does not need them.
 */
#include <string.h>

#include "document/verdict.h"
#include "json/echo.h"
#include "json/pointer.h"
#include "json/write.h"
#include "text/meant.h"
#include "text/secret.h"

#define TRACE_LEN_MAX 4096
#define NEAREST_MAX   1000
#define NEAREST_LOOKS 1000000 /* at members, to see whether what may be meant is there already */

/* ---- Names and paths --------------------------------------------------------------------------------------- */

static void add_instance(struct tn_buf *out, const struct tn_schema_location *at)
{
    if (!at)
        return;
    add_instance(out, at->up);
    if (at->moves == AT_ITEM)
        tn_pointer_add_index(out, at->index);
    else if (at->moves == AT_MEMBER)
        tn_pointer_add(out, at->name);
}

/* What a caller can address, as a sentence shows it: printable, and not too long. */
static struct tn_slice shown(struct tn_arena *arena, struct tn_slice parameter)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, parameter.len + 8, TRACE_LEN_MAX);
    tn_echo_text(&out, parameter.at, parameter.len);
    return tn_buf_slice(&out);
}

static void add_keywords(struct tn_buf *out, const struct tn_schema_location *at)
{
    if (!at)
        return;
    add_keywords(out, at->up);
    if (!at->keyword)
        return;
    tn_pointer_add(out, tn_slice_of(at->keyword));
    if (at->key.at)
        tn_pointer_add(out, at->key);
    else if (at->key_index != SIZE_MAX)
        tn_pointer_add_index(out, at->key_index);
}

void tn_verdict_keyword_path(struct tn_buf *out, const struct tn_schema_location *at, const char *keyword)
{
    add_keywords(out, at);
    if (keyword)
        tn_pointer_add(out, tn_slice_of(keyword));
}

void tn_verdict_instance_path(struct tn_buf *out, const struct tn_schema_location *at)
{
    add_instance(out, at);
}

/* The name of a member of the whole value, a JSON Pointer below that, the root's own name above. */
static struct tn_slice verdict_place_label_of(struct tn_arena *arena, struct tn_slice root,
                                              const struct tn_schema_location *at)
{
    const struct tn_schema_location *last  = NULL;
    size_t                           depth = 0;
    struct tn_buf                    out;

    for (const struct tn_schema_location *up = at; up; up = up->up) {
        if (up->moves == AT_SAME)
            continue;
        last = last ? last : up;
        depth++;
    }
    if (depth == 0)
        return root;
    tn_buf_init(&out, arena, 64, TRACE_LEN_MAX);
    if (depth == 1 && last->moves == AT_MEMBER && !(last->name.len > 0 && last->name.at[0] == '/'))
        tn_buf_add(&out, last->name.at, last->name.len);
    else
        add_instance(&out, at);
    if (out.failed && !arena->failed) { /* too long to be repeated: its end, cut, must do */
        tn_buf_init(&out, arena, 64, TRACE_LEN_MAX);
        tn_echo_text(&out, last->name.at ? last->name.at : "", last->name.len);
    }
    return tn_buf_slice(&out);
}

struct tn_slice tn_verdict_label(struct tn_verdict *verdict, const struct tn_schema_location *at)
{
    return verdict_place_label_of(verdict->judge->arena, verdict->root, at);
}

static void name_way(struct tn_arena *arena, struct tn_issue *issue)
{
    const struct tn_issue_place *place = &issue->place;
    struct tn_buf                out;

    tn_buf_init(&out, arena, 64, TRACE_LEN_MAX);
    add_keywords(&out, place->way);
    if (place->keyword)
        tn_pointer_add(&out, tn_slice_of(place->keyword));
    issue->keyword_path = tn_buf_slice(&out);
    tn_buf_init(&out, arena, 64, TRACE_LEN_MAX);
    add_instance(&out, place->way);
    issue->instance_path = tn_buf_slice(&out);
}

/* ---- What may be meant ------------------------------------------------------------------------------------- */

static const struct tn_property *verdict_place_nearest(struct tn_judge              *judge,
                                                       const struct tn_object_rules *rules,
                                                       yyjson_val *object, struct tn_slice name)
{
    size_t          looks = 1 + NEAREST_LOOKS / (1 + unsafe_yyjson_get_len(object)), best;
    struct tn_meant meant;

    tn_meant_begin(&meant, name, true);
    for (size_t i = 0;
         looks > 0 && i < rules->count && i < NEAREST_MAX && judge->compared++ < NAMES_COMPARED_MAX; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (tn_meant_try(&meant, (struct tn_slice){ property->name, property->len }, i) &&
            (looks--, yyjson_obj_getn(object, property->name, property->len)))
            tn_meant_refuse(&meant);
    }
    return tn_meant_found(&meant, &best) ? &rules->properties[best] : NULL;
}

static void suggest_name(struct tn_judge *judge, struct tn_issue *issue)
{
    struct tn_arena          *arena = judge->arena;
    const struct tn_property *near  = verdict_place_nearest(judge, issue->schema->object, issue->place.object,
                                                            issue->place.at->name);
    struct tn_buf             json;

    if (!near)
        return;
    tn_buf_init(&json, arena, near->len + 8, ISSUE_TEXT_MAX);
    tn_json_string(&json, near->name, near->len);
    if (!json.failed)
        issue->suggestion = tn_buf_slice(&json);
}

/* ---- Faults ------------------------------------------------------------------------------------------------ */

/* Faults share what they have in common: each step is kept once, and knows where. */
const struct tn_schema_location *tn_verdict_keep(struct tn_arena *arena, const struct tn_schema_location *at)
{
    struct tn_schema_location *copy;

    if (!at || at->kept)
        return at ? at->kept : NULL;
    copy = tn_arena_take(arena, sizeof *copy, alignof(struct tn_schema_location));
    if (!copy)
        return NULL;
    *copy                                              = *at;
    copy->up                                           = tn_verdict_keep(arena, at->up);
    ((struct tn_schema_location *)(uintptr_t)at)->kept = copy;
    return copy;
}

/* An echo shows the first characters, and each value takes one at least. */
bool tn_verdict_is_secret(const struct tn_verdict *verdict, const struct tn_schema_location *at,
                          yyjson_val *value)
{
    for (const struct tn_schema_location *up = at; up; up = up->up)
        if (up->moves == AT_MEMBER && tn_secret_is_key(up->name))
            return true;
    return (verdict->guarded && yyjson_is_ctn(value)) || tn_secret_is_in(value, ECHO_MAX);
}

/* The node for an issue, which is secret when the value is: a copy then. */
static const struct tn_node *node_for(const struct tn_verdict *verdict, const struct tn_node *node,
                                      const struct tn_schema_location *at, yyjson_val *received)
{
    struct tn_node *secret;

    if (!node || node->secret || !received ||
        (verdict->secret == 0 && !tn_verdict_is_secret(verdict, at, received)))
        return node;
    secret = tn_arena_new(verdict->judge->arena, struct tn_node);
    if (!secret)
        return node; /* the arena has failed: nothing of it will be said */
    *secret        = *node;
    secret->secret = true;
    return secret;
}

bool tn_verdict_fault(struct tn_verdict *verdict, const struct tn_node *node,
                      const struct tn_schema_location *at, const char *keyword, enum tn_issue_code code,
                      yyjson_val *received, struct tn_issue **out)
{
    struct tn_arena *arena = verdict->judge->arena;
    struct tn_issue *issue;

    if (out)
        *out = NULL;
    if (!verdict->all || verdict->gave_up)
        return false;
    issue = tn_issues_add(&verdict->judge->issues, arena);
    if (!issue)
        return false;
    issue->code      = code;
    issue->keyword   = keyword;
    issue->node      = node_for(verdict, node, at, received);
    issue->addressed = issue->node;
    issue->received  = received;
    issue->place     = (struct tn_issue_place){ .at = tn_verdict_keep(arena, at), .keyword = keyword };
    issue->place.way = issue->place.at;
    for (const struct tn_schema_location *up = at; up; up = up->up)
        if (up->moves != AT_SAME) {
            issue->required = up->required;
            break;
        }
    if (out)
        *out = issue;
    return false;
}

void tn_verdict_places(struct tn_judge *judge, struct tn_slice root, bool trace)
{
    struct tn_arena *arena = judge->arena;

    for (size_t i = 0; i < judge->issues.count && !arena->failed; i++) {
        struct tn_issue *issue = &judge->issues.at[i];

        if (!issue->place.at)
            continue;
        issue->parameter = verdict_place_label_of(arena, root, issue->place.at);
        issue->label     = shown(arena, issue->parameter);
        if (issue->place.object)
            suggest_name(judge, issue);
        if (trace)
            name_way(arena, issue);
        /* output.c makes a tree of what is left. */
        issue->place = (struct tn_issue_place){ .way = issue->place.way, .keyword = issue->place.keyword };
    }
}
