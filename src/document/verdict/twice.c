/* twice.c - one look at every object, whatever its schema asks for: which of the two is meant only the caller knows. */
#include <string.h>

#include "document/verdict/verdict.h"
#include "json/origin.h"
#include "json/read.h"
#include "model/like.h"
#include "model/unique.h"

#define LOOKS_MAX 1000 /* at what stands twice: it may all be inside something that is refused */

struct twice_look {
    struct tn_verdict *verdict;
    size_t             left, looks; /* that may be reported, that may be looked at */
};

/* Does a JSON Pointer begin with that name? It writes ~ as ~0 and / as ~1. */
static bool begins_with_name(struct tn_slice pointer, struct tn_slice name)
{
    size_t at = 1;

    for (size_t i = 0; i < name.len; i++, at++) {
        bool escaped = name.at[i] == '~' || name.at[i] == '/';
        char meant   = name.at[i] == '~' ? '0' : name.at[i] == '/' ? '1' : name.at[i];

        if (escaped && (at >= pointer.len || pointer.at[at++] != '~'))
            return false;
        if (at >= pointer.len || pointer.at[at] != meant)
            return false;
    }
    return at == pointer.len || pointer.at[at] == '/';
}

/* Is it of the place with that label, or of what is around it? The name of a parameter is a label without a slash. */
static bool is_around(const struct tn_judge *judge, const struct tn_issue *issue, struct tn_slice label)
{
    struct tn_slice of = issue->label;

    if (tn_slice_same(of, label) || (issue->code == ISSUE_TYPE && tn_slice_same(of, tn_judge_whole(judge))))
        return true;
    if (of.len > 0 && of.at[0] != '/' && label.len > 0 && label.at[0] == '/')
        return begins_with_name(label, of);
    return of.len > 0 && label.len >= of.len && memcmp(label.at, of.at, of.len) == 0 &&
           (label.len == of.len || label.at[of.len] == '/');
}

/* Is there such an issue, or one that refuses a value as a whole, so that nothing in it matters? */
static bool is_known(const struct tn_judge *judge, struct tn_slice label)
{
    static const bool whole[ISSUE_OWN + 1] = {
        [ISSUE_UNKNOWN] = true, [ISSUE_TYPE] = true,  [ISSUE_NEVER] = true,
        [ISSUE_VALUES] = true,  [ISSUE_CONST] = true,
    };

    for (size_t i = 0; i < judge->issues.count; i++) {
        const struct tn_issue *issue = &judge->issues.at[i];

        if (whole[issue->code] ? is_around(judge, issue, label)
                               : issue->code == ISSUE_KEY_TWICE && tn_slice_same(issue->label, label))
            return true;
    }
    return false;
}

static void report(struct twice_look *look, const struct tn_location *at)
{
    struct tn_judge *judge = look->verdict->judge;
    struct tn_slice  label = tn_location_shown(judge, at);
    struct tn_issue *issue;

    look->looks--;
    if (is_known(judge, label))
        return;
    look->left--;
    issue = tn_location_report(judge, at, ISSUE_KEY_TWICE, NULL);
    if (issue)
        issue->label = label;
}

static void look_into(struct twice_look *look, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *up);

/* `node` may be NULL: nothing is declared there. */
static struct tn_location member_at(const struct tn_node *node, yyjson_val *key, const struct tn_location *up)
{
    const struct tn_object_rules *rules = node ? tn_like_end(node)->schema->object : NULL;
    struct tn_location            at    = {
                      .up = up, .key_index = SIZE_MAX, .name = tn_repair_sent(key), .whole = tn_origin_is_text(key + 1)
    };
    uint32_t known;

    if (!rules)
        return at;
    known       = tn_verdict_property(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key));
    at.node     = known == NO_PROPERTY ? rules->additional : rules->properties[known].node;
    at.required = known != NO_PROPERTY && rules->properties[known].required;
    return at;
}

static void look_at_members(struct twice_look *look, const struct tn_node *node, yyjson_val *object,
                            const struct tn_location *up)
{
    size_t      count = unsafe_yyjson_get_len(object);
    yyjson_val *twice = count > 1 ? tn_unique_key(look->verdict->judge->arena, object) : NULL;
    yyjson_val *key   = unsafe_yyjson_get_first(object);

    for (; count > 0 && look->left > 0; count--, key = unsafe_yyjson_get_next(key + 1)) {
        struct tn_location at = member_at(node, key, up);

        if (key == twice && look->looks > 0)
            report(look, &at);
        look_into(look, at.node, key + 1, &at);
    }
}

/* The depth is bounded by the reader. */
static void look_into(struct twice_look *look, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *up)
{
    const struct tn_node *item = node && yyjson_is_arr(value) ? tn_like_item(node) : NULL;
    yyjson_val           *one;

    if (yyjson_is_obj(value))
        look_at_members(look, node, value, up);
    if (!yyjson_is_arr(value))
        return;
    one = unsafe_yyjson_get_first(value);
    for (size_t i = 0; i < unsafe_yyjson_get_len(value) && look->left > 0; i++) {
        struct tn_location at = {
            .up = up, .key_index = SIZE_MAX, .index = i, .node = item, .whole = tn_origin_is_text(one)
        };

        look_into(look, item, one, &at);
        one = unsafe_yyjson_get_next(one);
    }
}

void tn_verdict_twice(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *sent,
                      yyjson_val *repaired)
{
    struct twice_look look = { .verdict = verdict, .left = ISSUES_MAX, .looks = LOOKS_MAX };

    look_into(&look, node, repaired, verdict->base);
    if (sent != repaired)
        look_into(&look, node, verdict->base ? unsafe_yyjson_get_first(sent) + 1 : sent, verdict->base);
}
