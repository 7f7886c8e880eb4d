/* coerce_text.c - text, and the kinds of text that have a form: paths, uuids, urls, identifiers. */
#include <string.h>

#include "base/utf8.h"
#include "model/like.h"
#include "rows/coerce.h"
#include "text/format.h"
#include "text/path.h"

/* What was refused already is not refused again for taking too long. */
static bool pattern_fits(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                         struct tn_slice text, bool refused)
{
    if (!tn_judge_matcher(judge))
        return false;
    switch (tn_pattern_match_within(at->node->text.pattern, *judge->matcher, text, &judge->patterns)) {
    case PATTERN_YES: return true;
    case PATTERN_NO: return tn_location_refuse(judge, at, ISSUE_PATTERN, value, NULL);
    case PATTERN_GAVE_UP:
        return !refused &&
               tn_location_refuse(judge, at, ISSUE_PATTERN, value, ", which takes too long to match");
    case PATTERN_NO_MEMORY: break;
    }
    judge->arena->failed = true;
    return false;
}

static bool path_fits(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                      struct tn_slice *text)
{
    struct tn_path_wanted wanted = { at->node->kind == TENON_KIND_ABSPATH, at->node->text.ext };
    struct tn_slice       normal;
    enum tn_path_fault    fault = tn_path_check(judge->arena, *text, &wanted, &normal);
    struct tn_issue      *issue;

    if (fault != PATH_FINE) {
        issue = tn_location_report(judge, at, ISSUE_PATH, value);
        if (issue)
            issue->count = fault;
        return false;
    }
    judge->reformed += normal.len != text->len;
    *text = normal;
    return true;
}

static bool uuid_lowered(struct tn_judge *judge, struct tn_slice *text)
{
    char *lower;

    for (size_t i = 0; i < text->len; i++) {
        if (text->at[i] < 'A' || text->at[i] > 'F')
            continue;
        lower = tn_arena_copy(judge->arena, text->at, text->len);
        if (!lower)
            return false;
        for (; i < text->len; i++)
            if (lower[i] >= 'A' && lower[i] <= 'F')
                lower[i] = (char)(lower[i] - 'A' + 'a');
        text->at = lower;
        judge->reformed++;
    }
    return true;
}

/* What the kind itself asks for. */
static bool form_fits(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                      struct tn_slice *text)
{
    const struct tn_node *node = at->node;

    if (node->text.format && !node->text.format->accepts(*text) && tn_like_is_time(tn_like_kind(node)))
        return tn_coerce_refuse_date(judge, at, value, *text);
    if (node->text.format && !node->text.format->accepts(*text))
        return tn_location_refuse(judge, at, ISSUE_FORMAT, value, NULL);
    switch (node->kind) {
    case TENON_KIND_PATH:
    case TENON_KIND_ABSPATH: return path_fits(judge, at, value, text);
    case TENON_KIND_UUID: return uuid_lowered(judge, text);
    case TENON_KIND_ID:
        return tn_format_is_identifier(*text) || tn_location_refuse(judge, at, ISSUE_FORMAT, value, NULL);
    case TENON_KIND_URL:
        return !node->text.schemes || tn_format_has_scheme(*text, node->text.schemes) ||
               tn_location_refuse(judge, at, ISSUE_FORMAT, value, NULL);
    default: return true;
    }
}

bool tn_coerce_text(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                    struct tn_slice *out)
{
    const struct tn_node *node = at->node;
    struct tn_slice       text;
    unsigned              wrong;
    bool                  fine;

    if (!yyjson_is_str(value) && tn_like_is_time(tn_like_kind(node)))
        return tn_coerce_refuse_date(judge, at, value, SLICE_LIT(""));
    if (!yyjson_is_str(value))
        return tn_location_refuse(judge, at, ISSUE_TYPE, value, NULL);
    text = (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) };
    if (memchr(text.at, '\0', text.len))
        return tn_location_refuse(judge, at, ISSUE_TEXT, value, " must not contain NUL characters");
    if (judge->check_utf8 && !tn_utf8_valid(text.at, text.len))
        return tn_location_refuse(judge, at, ISSUE_TEXT, value, " must be valid UTF-8");
    wrong = tn_judge_length(&node->text, text.at, text.len);
    fine  = !wrong || tn_location_refuse(judge, at, wrong, value, NULL);
    if (!fine && text.len == 0)
        return false; /* that it is empty is the one thing to say of it */
    if (node->kind != TENON_KIND_STR || node->text.format)
        fine &= form_fits(judge, at, value, &text);
    if (node->text.pattern)
        fine &= pattern_fits(judge, at, value, text, !fine);
    *out = text;
    return fine;
}
