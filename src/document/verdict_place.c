/* verdict_place.c - faults, and where they are.
 *
 * A fault keeps the way to it as it is found; names, paths and what may have been meant are made of that when somebody
 * wants to read them, which not everybody does who wants to know whether a value is valid.
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

static void add_instance(struct buf *out, const struct at *at)
{
    if (!at)
        return;
    add_instance(out, at->up);
    if (at->moves == AT_ITEM)
        pointer_add_index(out, at->index);
    else if (at->moves == AT_MEMBER)
        pointer_add(out, at->name);
}

/* What a caller can address, as a sentence shows it: printable, and not too long. */
static struct slice shown(struct arena *arena, struct slice parameter)
{
    struct buf out;

    buf_init(&out, arena, parameter.len + 8, TRACE_LEN_MAX);
    echo_text(&out, parameter.at, parameter.len);
    return buf_slice(&out);
}

static void add_keywords(struct buf *out, const struct at *at)
{
    if (!at || !at->keyword)
        return;
    add_keywords(out, at->up);
    pointer_add(out, slice_of(at->keyword));
    if (at->key.at)
        pointer_add(out, at->key);
    else if (at->key_index != SIZE_MAX)
        pointer_add_index(out, at->key_index);
}

void verdict_keyword_path(struct buf *out, const struct at *at, const char *keyword)
{
    add_keywords(out, at);
    pointer_add(out, slice_of(keyword));
}

void verdict_instance_path(struct buf *out, const struct at *at)
{
    add_instance(out, at);
}

/* The name of a member of the whole value, a JSON Pointer below that, the root's own name above. */
static struct slice label_of(struct arena *arena, struct slice root, const struct at *at)
{
    const struct at *last  = NULL;
    size_t           depth = 0;
    struct buf       out;

    for (const struct at *up = at; up; up = up->up) {
        if (up->moves == AT_SAME)
            continue;
        last = last ? last : up;
        depth++;
    }
    if (depth == 0)
        return root;
    buf_init(&out, arena, 64, TRACE_LEN_MAX);
    if (depth == 1 && last->moves == AT_MEMBER && !(last->name.len > 0 && last->name.at[0] == '/'))
        buf_add(&out, last->name.at, last->name.len);
    else
        add_instance(&out, at);
    if (out.failed && !arena->failed) { /* too long to be repeated: its end, cut, must do */
        buf_init(&out, arena, 64, TRACE_LEN_MAX);
        echo_text(&out, last->name.at ? last->name.at : "", last->name.len);
    }
    return buf_slice(&out);
}

struct slice verdict_label(struct verdict *verdict, const struct at *at)
{
    return label_of(verdict->judge->arena, verdict->root, at);
}

static void name_way(struct arena *arena, struct issue *issue)
{
    const struct issue_place *place = &issue->place;
    struct buf                out;

    buf_init(&out, arena, 64, TRACE_LEN_MAX);
    add_keywords(&out, place->way);
    if (place->keyword)
        pointer_add(&out, slice_of(place->keyword));
    issue->keyword_path = buf_slice(&out);
    buf_init(&out, arena, 64, TRACE_LEN_MAX);
    add_instance(&out, place->way);
    issue->instance_path = buf_slice(&out);
}

/* ---- What may be meant ------------------------------------------------------------------------------------- */

static const struct property *nearest(struct judge *judge, const struct object_rules *rules,
                                      yyjson_val *object, struct slice name)
{
    size_t       looks = 1 + NEAREST_LOOKS / (1 + unsafe_yyjson_get_len(object)), best;
    struct meant meant;

    meant_begin(&meant, name, true);
    for (size_t i = 0;
         looks > 0 && i < rules->count && i < NEAREST_MAX && judge->compared++ < NAMES_COMPARED_MAX; i++) {
        const struct property *property = &rules->properties[i];

        if (meant_try(&meant, (struct slice){ property->name, property->len }, i) &&
            (looks--, yyjson_obj_getn(object, property->name, property->len)))
            meant_refuse(&meant);
    }
    return meant_found(&meant, &best) ? &rules->properties[best] : NULL;
}

static void suggest_name(struct judge *judge, struct issue *issue)
{
    struct arena          *arena = judge->arena;
    const struct property *near  = nearest(judge, issue->schema->object, issue->place.object,
                                           issue->place.at->name);
    struct buf             json;

    if (!near)
        return;
    buf_init(&json, arena, near->len + 8, ISSUE_TEXT_MAX);
    json_string(&json, near->name, near->len);
    if (!json.failed)
        issue->suggestion = buf_slice(&json);
}

/* ---- Faults ------------------------------------------------------------------------------------------------ */

/* The way as it outlives the judgement. Faults share what they have in common: each step is kept once, and knows where. */
static const struct at *keep(struct arena *arena, const struct at *at)
{
    struct at *copy;

    if (!at || at->kept)
        return at ? at->kept : NULL;
    copy = arena_take(arena, sizeof *copy, alignof(struct at));
    if (!copy)
        return NULL;
    *copy                              = *at;
    copy->up                           = keep(arena, at->up);
    ((struct at *)(uintptr_t)at)->kept = copy;
    return copy;
}

/* An echo shows the first characters, and each value takes one at least. */
bool verdict_is_secret(const struct verdict *verdict, const struct at *at, yyjson_val *value)
{
    for (const struct at *up = at; up; up = up->up)
        if (up->moves == AT_MEMBER && secret_is_key(up->name))
            return true;
    return (verdict->guarded && yyjson_is_ctn(value)) || secret_is_in(value, ECHO_MAX);
}

/* The node for an issue, which is secret when the value is: a copy then. */
static const struct node *node_for(const struct verdict *verdict, const struct node *node,
                                   const struct at *at, yyjson_val *received)
{
    struct node *secret;

    if (!node || node->secret || !received ||
        (verdict->secret == 0 && !verdict_is_secret(verdict, at, received)))
        return node;
    secret = arena_new(verdict->judge->arena, struct node);
    if (!secret)
        return node; /* the arena has failed: nothing of it will be said */
    *secret        = *node;
    secret->secret = true;
    return secret;
}

bool verdict_fault(struct verdict *verdict, const struct node *node, const struct at *at, const char *keyword,
                   enum issue_code code, yyjson_val *received, struct issue **out)
{
    struct arena *arena = verdict->judge->arena;
    struct issue *issue;

    if (out)
        *out = NULL;
    if (!verdict->all || verdict->gave_up)
        return false;
    issue = issues_add(&verdict->judge->issues, arena);
    if (!issue)
        return false;
    issue->code      = code;
    issue->keyword   = keyword;
    issue->node      = node_for(verdict, node, at, received);
    issue->addressed = issue->node;
    issue->received  = received;
    issue->place     = (struct issue_place){ .at = keep(arena, at), .keyword = keyword };
    issue->place.way = issue->place.at;
    for (const struct at *up = at; up; up = up->up)
        if (up->moves != AT_SAME) {
            issue->required = up->required;
            break;
        }
    if (out)
        *out = issue;
    return false;
}

void verdict_places(struct judge *judge, struct slice root, bool trace)
{
    struct arena *arena = judge->arena;

    for (size_t i = 0; i < judge->issues.count && !arena->failed; i++) {
        struct issue *issue = &judge->issues.at[i];

        if (!issue->place.at)
            continue;
        issue->parameter = label_of(arena, root, issue->place.at);
        issue->label     = shown(arena, issue->parameter);
        if (issue->place.object)
            suggest_name(judge, issue);
        if (trace)
            name_way(arena, issue);
        issue->place = (struct issue_place){ 0 };
    }
}
