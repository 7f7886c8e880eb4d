/* place.c - faults, and where they are.
 *
 * A fault keeps the way to it as it is found; names, paths and suggestions are made from that when they are read, since
 * a program that only asks whether a value is valid does not need them.
 */
#include <string.h>

#include "document/verdict/verdict.h"
#include "json/echo.h"
#include "json/pointer.h"
#include "model/form.h"
#include "model/like.h"
#include "text/meant.h"
#include "text/secret.h"

#define NEAREST_MAX 1000

/* How deep, and at how many properties, a look goes for secrets in an object that should be there. */
#define HOLDS_DEPTH_MAX 8
#define HOLDS_LOOKS_MAX ((size_t)1000)

#define NEAREST_LOOKS 1000000 /* at members, to see whether what may be meant is there already */

/* ---- Names and paths --------------------------------------------------------------------------------------- */

static void add_keywords(struct tn_buf *out, const struct tn_location *at)
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

void tn_verdict_keyword_path(struct tn_buf *out, const struct tn_location *at, const char *keyword)
{
    add_keywords(out, at);
    if (keyword)
        tn_pointer_add(out, tn_slice_of(keyword));
}

void tn_verdict_instance_path(struct tn_buf *out, const struct tn_location *at)
{
    struct tn_slice path = tn_location_pointer(out->arena, at);

    tn_buf_add(out, path.at, path.len);
}

/* What sentences call a place: names are the caller's, so they are shown printable and cut. */
struct tn_slice tn_verdict_label(struct tn_verdict *verdict, const struct tn_location *at)
{
    return tn_location_shown(verdict->judge, at);
}

/* A part of what the caller sent as text has no place of its own: its text has. */
static const struct tn_location *outermost_text(const struct tn_location *at)
{
    const struct tn_location *found = at;

    for (const struct tn_location *up = at; up; up = up->up)
        if (up->whole)
            found = up;
    return found;
}

struct tn_slice tn_verdict_place(struct tn_arena *arena, const struct tn_issue *issue)
{
    return tn_location_pointer(arena, outermost_text(issue->place.way));
}

/* ---- What may be meant ------------------------------------------------------------------------------------- */

const struct tn_property *tn_verdict_nearest(struct tn_judge *judge, const struct tn_object_rules *rules,
                                             yyjson_val *object, struct tn_slice name)
{
    yyjson_val     *value = yyjson_obj_getn(object, name.at, name.len);
    size_t          looks = 1 + NEAREST_LOOKS / (1 + unsafe_yyjson_get_len(object)), best;
    struct tn_meant meant;

    tn_meant_begin(&meant, name, true);
    for (size_t i = 0;
         looks > 0 && i < rules->count && i < NEAREST_MAX && judge->compared++ < NAMES_COMPARED_MAX; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (tn_meant_try(&meant, (struct tn_slice){ property->name, property->len }, i) &&
            ((looks--, yyjson_obj_getn(object, property->name, property->len)) ||
             !(tn_meant_is_close(&meant) || !property->node || tn_like_could_be(property->node, value))))
            tn_meant_refuse(&meant);
    }
    return tn_meant_found(&meant, &best) ? &rules->properties[best] : NULL;
}

static void suggest_name(struct tn_judge *judge, struct tn_issue *issue)
{
    struct tn_slice           name = issue->place.at->name;
    const struct tn_property *near = NULL;

    if (!tn_form_is_wrapper(name)) /* it is what stands around arguments, and means none of them */
        near = tn_verdict_nearest(judge, issue->schema->object, issue->place.object, name);
    if (near)
        tn_issue_suggest(issue, judge->arena, (struct tn_slice){ near->name, near->len });
}

/* ---- Faults ------------------------------------------------------------------------------------------------ */

/* An echo shows the first characters, and each value takes one at least. */
bool tn_verdict_is_secret(const struct tn_location *at, yyjson_val *value)
{
    for (const struct tn_location *up = at; up; up = up->up)
        if (!up->same && up->name.at && tn_secret_is_key(up->name))
            return true;
    return tn_secret_is_in(value, ECHO_MAX);
}

/* Is what should be there an object with secrets, or a map, whose names may be those of credentials? A value that stands in
 * its place may be one. When in doubt, yes. */
static bool holds_secrets(const struct tn_node *node, unsigned depth, size_t *looks)
{
    const struct tn_object_rules *rules;
    unsigned                      kind = tn_like_kind(node);

    if (node->secret || kind == TENON_KIND_MAP)
        return true;
    if (kind == TENON_KIND_OBJECTS)
        node = tn_like_item(node);
    else if (kind != TENON_KIND_OBJECT)
        return false;
    rules = tn_like_end(node)->schema->object;
    for (size_t i = 0; rules && i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (depth == HOLDS_DEPTH_MAX || *looks == 0 ||
            tn_secret_is_key((struct tn_slice){ property->name, property->len }))
            return true;
        --*looks;
        if (property->node && holds_secrets(property->node, depth + 1, looks))
            return true;
    }
    return false;
}

/* Must what was received not be repeated, as far as that is known on the way there? All arguments together may hold secrets,
 * too. */
static bool is_around_secrets(const struct tn_verdict *verdict, const struct tn_location *at,
                              yyjson_val *received)
{
    return verdict->secret > 0 || (verdict->guarded && yyjson_is_ctn(received)) ||
           (!verdict->member && !tn_location_moved(at));
}

bool tn_verdict_fault(struct tn_verdict *verdict, const struct tn_node *node, const struct tn_location *at,
                      const char *keyword, enum tn_issue_code code, yyjson_val *received,
                      struct tn_issue **out)
{
    struct tn_arena          *arena = verdict->judge->arena;
    const struct tn_location *kept;
    struct tn_issue          *issue;

    if (out)
        *out = NULL;
    if (!verdict->all || verdict->gave_up)
        return false;
    issue = tn_issues_add_unfilled(&verdict->judge->issues, arena);
    if (!issue)
        return false;
    kept             = tn_location_keep(arena, at);
    issue->code      = code;
    issue->node      = node;
    issue->addressed = node;
    issue->received  = received;
    issue->keyword   = keyword;
    issue->why       = NULL;
    issue->place     = (struct tn_issue_place){
            .at = kept, .way = kept, .keyword = keyword, .secret = is_around_secrets(verdict, at, received)
    };
    if (out) {
        tn_issue_fill(issue);
        *out = issue;
    }
    return false;
}

/* Which part of what was sent an issue is of. What is asked of a whole that has no node in its place is its own. */
static void address(struct tn_judge *judge, struct tn_issue *issue)
{
    const struct tn_location *reach = tn_location_address(judge, issue->place.at, issue);

    issue->label = tn_location_shown(judge, issue->place.at);
    if (!issue->inside)
        return;
    issue->addressed  = reach ? reach->node : NULL;
    issue->suggestion = (struct tn_slice){ "", 0 }; /* of a part, and the caller replaces the whole */
}

/* The node of an issue is secret when the value is: a copy then. */
static void hide(struct tn_judge *judge, struct tn_issue *issue)
{
    const struct tn_node *node  = issue->node, *secret;
    size_t                looks = HOLDS_LOOKS_MAX;

    if (!node || node->secret || !issue->received ||
        (!issue->place.secret && !tn_verdict_is_secret(issue->place.at, issue->received) &&
         !holds_secrets(node, 0, &looks)))
        return;
    secret = tn_node_secret(judge->arena, node);
    if (!secret)
        return; /* the arena has failed: nothing of it is reported */
    if (issue->addressed == node)
        issue->addressed = secret;
    issue->node       = secret;
    issue->suggestion = (struct tn_slice){ "", 0 }; /* which was made of the value */
}

void tn_verdict_places(struct tn_judge *judge)
{
    for (size_t i = 0; i < judge->issues.count; i++) {
        struct tn_issue *issue = &judge->issues.at[i];

        tn_issue_fill(issue); /* also without memory for the rest: a report may be written of it */
        if (issue->place.key)
            tn_plain_settle(judge, issue);
        if (judge->arena->failed || !issue->place.at)
            continue;
        hide(judge, issue);
        address(judge, issue);
        if (issue->place.object && !issue->inside)
            suggest_name(judge, issue);
        /* output.c makes a tree of what is left. */
        issue->place = (struct tn_issue_place){ .way = issue->place.way, .keyword = issue->place.keyword };
    }
}
