/* taken.c - counting forms, and reporting them. */
#include "model/taken.h"

#include <string.h>

#include "json/write.h"
#include "model/coercions.h"
#include "model/words/words.h"

struct tn_taken *tn_taken_of(struct tn_judge *judge)
{
    if (!judge->taken)
        judge->taken = tn_arena_new(judge->arena, struct tn_taken);
    return judge->taken;
}

void tn_taken_add(struct tn_judge *judge, enum tn_wire_form form)
{
    struct tn_taken *taken = tn_taken_of(judge);

    if (taken)
        taken->counts[form]++;
}

/* ---- Limits ------------------------------------------------------------------------------------------------ */

struct tn_json_limits tn_taken_limits(const struct tn_judge *judge)
{
    struct tn_json_limits limits = judge->limits;

    limits.nodes = limits.nodes > judge->nodes ? limits.nodes - judge->nodes : 0;
    return limits;
}

void tn_taken_nodes(struct tn_judge *judge, const struct tn_json_text *read)
{
    judge->nodes += read->nodes;
    judge->check_utf8 |= read->bad_utf8;
}

bool tn_taken_may_compare(struct tn_judge *judge, size_t declared)
{
    struct tn_taken *taken = tn_taken_of(judge);

    if (!taken || declared > FORM_NAMES_MAX - taken->compared)
        return false;
    taken->compared += declared;
    return true;
}

/* May so many bytes be read again? */
static bool may_read(struct tn_judge *judge, size_t len)
{
    struct tn_taken *taken = tn_taken_of(judge);

    if (!taken || len > FORM_BYTES_MAX - taken->bytes)
        return false;
    taken->bytes += len;
    return true;
}

/* ---- Texts ------------------------------------------------------------------------------------------------- */

struct tn_form_text tn_taken_read(struct tn_judge *judge, struct tn_slice text, bool layers, bool digits)
{
    struct tn_json_limits limits = tn_taken_limits(judge);

    if (!may_read(judge, text.len))
        return (struct tn_form_text){ .root = NULL };
    return tn_form_read(judge->arena, text, layers, digits, &limits);
}

struct tn_issue *tn_taken_unread(struct tn_judge *judge, const struct tn_location *place,
                                 yyjson_val *received, struct tn_slice text, const struct tn_json_text *read)
{
    struct tn_issue *issue;

    if (read->fault == JSON_FINE || read->fault == JSON_NO_MEMORY)
        return NULL;
    issue = tn_location_report(judge, place, read->fault == JSON_SYNTAX ? ISSUE_JSON : ISSUE_LIMIT, received);
    if (issue) {
        issue->why   = tn_words_unread(text, read, !place);
        issue->count = read->at;
    }
    return issue;
}

yyjson_val *tn_taken_whole(struct tn_judge *judge, struct tn_slice text, struct tn_json_text *plain)
{
    struct tn_json_limits limits = tn_taken_limits(judge);
    struct tn_form_text   found  = { .form = FORM_TEXT };
    const char           *words;

    *plain     = tn_json_read(judge->arena, text.at, text.len, &limits);
    found.read = *plain;
    found.root = plain->root;
    if (!judge->strict && (plain->fault == JSON_SYNTAX || yyjson_is_str(plain->root)))
        found = tn_taken_read(judge, text, true, false);
    if (!yyjson_is_obj(found.root) && !yyjson_is_null(plain->root))
        return NULL;
    tn_taken_nodes(judge, &found.read);
    words = tn_words_form(found.form);
    tn_taken_add(judge, found.form);
    tn_messages_add(&judge->messages, judge->arena, words, strlen(words));
    return found.root;
}

/* ---- Reports ----------------------------------------------------------------------------------------------- */

void tn_taken_value(struct tn_judge *judge, struct tn_slice label, bool secret, yyjson_val *from,
                    yyjson_val *to)
{
    struct tn_buf text;

    tn_buf_init(&text, judge->arena, 64, MESSAGE_LEN_MAX);
    if (judge->unsaid == 0 && !secret)
        tn_json_value(&text, to);
    tn_coercions_add(judge, label, secret, from,
                     !text.failed        ? tn_buf_slice(&text)
                     : yyjson_is_obj(to) ? SLICE_LIT("{...}")
                                         : SLICE_LIT("[...]"));
}

void tn_taken_name(struct tn_judge *judge, struct tn_slice label, struct tn_slice sent)
{
    struct tn_taken *taken;
    size_t           before;

    tn_taken_add(judge, FORM_NAME);
    taken = judge->taken;
    if (!taken)
        return;
    if (taken->unsaid > 0) {
        taken->unsaid++;
        return;
    }
    if (!taken->names.arena)
        tn_buf_init(&taken->names, judge->arena, 128, COERCIONS_LEN_MAX);
    before = taken->names.len;
    tn_words_renamed(&taken->names, before == 0, label, sent);
    if (taken->names.failed && !judge->arena->failed) {
        taken->names.failed = false;
        taken->names.len    = before;
        taken->unsaid++;
    }
}

void tn_taken_placeholder(struct tn_judge *judge, struct tn_slice label, yyjson_val *value)
{
    struct tn_buf text;

    tn_buf_init(&text, judge->arena, 128, MESSAGE_LEN_MAX);
    tn_words_placeholder(&text, label, value);
    if (!text.failed)
        tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
}

void tn_taken_wrapper(struct tn_judge *judge, struct tn_slice name)
{
    struct tn_buf text;

    tn_taken_add(judge, FORM_WRAPPER);
    tn_buf_init(&text, judge->arena, 96, MESSAGE_LEN_MAX);
    tn_words_unwrapped(&text, name);
    if (!text.failed)
        tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
}

void tn_taken_report(struct tn_judge *judge)
{
    struct tn_taken *taken = judge->taken;

    if (!taken || !taken->names.arena)
        return;
    taken->names.max = MESSAGE_LEN_MAX;
    tn_words_renamed_end(&taken->names, taken->names.len == 0, taken->unsaid);
    if (!taken->names.failed)
        tn_messages_add(&judge->messages, judge->arena, taken->names.at, taken->names.len);
}
