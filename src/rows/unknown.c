/* unknown.c - names that no row declares: refused with the nearest declared one, reported, or ignored. */
#include "rows/unknown.h"

#include <string.h>

#include "json/echo.h"
#include "json/write.h"
#include "model/like.h"
#include "model/words/words.h"
#include "text/meant.h"

#define NEAREST_MAX 1000 /* declared names that one unknown name is compared with */

/* The declared name that was probably meant. None when that one was sent, too: then there is nothing to rename. */
static const struct tn_param *unknown_nearest(struct tn_judge *judge, const struct tn_object *object,
                                              const uint8_t *presence, struct tn_slice name,
                                              yyjson_val *value)
{
    struct tn_meant meant;
    size_t          best;

    tn_meant_begin(&meant, name, true);
    for (size_t i = 0; i < object->count && i < NEAREST_MAX && judge->compared++ < NAMES_COMPARED_MAX; i++) {
        const struct tn_param *param = &object->params[i];

        if (tn_meant_try(&meant, (struct tn_slice){ param->name, param->len }, i) &&
            (presence[i] != PRESENT_NOT ||
             !(tn_meant_is_close(&meant) || tn_like_could_be(param->node, value))))
            tn_meant_refuse(&meant);
    }
    return tn_meant_found(&meant, &best) ? &object->params[best] : NULL;
}

/* A name that the caller made up: short and escaped. */
static struct tn_slice echoed_name(struct tn_judge *judge, const struct tn_location *at)
{
    struct tn_buf name;

    tn_buf_init(&name, judge->arena, 64, ISSUE_TEXT_MAX);
    tn_echo_text(&name, at->name.at, at->name.len);
    return tn_buf_slice(&name);
}

static void report_unknown(struct tn_judge *judge, const struct tn_object *object, const uint8_t *presence,
                           const struct tn_location *at, yyjson_val *value, bool first)
{
    struct tn_issue       *issue = tn_location_report(judge, at, ISSUE_UNKNOWN, NULL);
    const struct tn_param *near;

    if (!issue)
        return;
    issue->object = first ? object : NULL;
    if (!at->up)
        issue->label = echoed_name(judge, at);
    if (!at->up && issue->inside)
        issue->example = object->example; /* of the arguments */
    near = issue->inside || tn_form_is_wrapper(at->name)
               ? NULL
               : unknown_nearest(judge, object, presence, at->name, value);
    if (near)
        tn_issue_suggest(issue, judge->arena, (struct tn_slice){ near->name, near->len });
}

static bool names_param(struct tn_slice json, const struct tn_param *param)
{
    return json.len == param->len + 2 && memcmp(json.at + 1, param->name, param->len) == 0;
}

static void unknown_names(struct tn_judge *judge, const struct tn_object *object,
                          const struct tn_form_names *names, const uint8_t *presence)
{
    const struct tn_location *up    = names->up;
    bool                      first = true;
    size_t                    taken = 0; /* under another spelling, so far */
    yyjson_obj_iter           iter;
    yyjson_val               *key;
    struct tn_buf             text;

    if (judge->unknown == TENON_UNKNOWN_IGNORE)
        return;
    yyjson_obj_iter_init(names->value, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        struct tn_location at = { .up = up, .name = { yyjson_get_str(key), yyjson_get_len(key) } };

        if (tn_object_find(object, at.name.at, at.name.len) != PARAM_NONE)
            continue;
        if (taken < names->count && names->keys[taken] == key) {
            taken++;
            continue;
        }
        if (judge->unknown == TENON_UNKNOWN_REJECT) {
            report_unknown(judge, object, presence, &at, yyjson_obj_iter_get_val(key), first);
            first = false;
            continue;
        }
        tn_buf_init(&text, judge->arena, 64, MESSAGE_LEN_MAX);
        if (up)
            tn_words_ignored(&text, tn_location_path(judge->arena, &at));
        else
            tn_words_ignored(&text, echoed_name(judge, &at));
        if (!text.failed)
            tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
    }
}

/* At least one of several is wanted, and there is a misspelt one: that is the one to ask for. */
static void ask_for_misspelt(struct tn_judge *judge, const struct tn_object *object,
                             const struct tn_location *up, size_t from)
{
    for (size_t i = from; i < judge->issues.count; i++) {
        struct tn_issue *issue = &judge->issues.at[i], *unknown = NULL;

        if (issue->code != ISSUE_ANY_OF || issue->object != object || issue->inside)
            continue;
        for (size_t j = 0; j < issue->rule->count && !unknown; j++) {
            const struct tn_param *param = &object->params[issue->rule->param[j]];
            struct tn_location at = { .up = up, .node = param->node, .name = { param->name, param->len } };

            for (size_t k = i + 1; k < judge->issues.count && !unknown; k++)
                if (judge->issues.at[k].code == ISSUE_UNKNOWN &&
                    names_param(judge->issues.at[k].suggestion, param))
                    unknown = &judge->issues.at[k];
            if (unknown)
                tn_location_move(judge, &at, issue);
        }
    }
}

void tn_unknown_judge(struct tn_judge *judge, const struct tn_object *object,
                      const struct tn_form_names *names, const uint8_t *presence, size_t from)
{
    unknown_names(judge, object, names, presence);
    ask_for_misspelt(judge, object, names->up, from);
}
