/* bind_form.c - forms of single values, of texts, and of the arguments as a whole. */
#include "rows/bind_form.h"

#include <string.h>

#include "json/write.h"
#include "model/taken.h"
#include "rows/coerce.h"
#include "text/format.h"

static bool is_strict(const struct tn_judge *judge, const struct tn_location *at)
{
    return at->node->strict || judge->strict || at->plain;
}

/* Adds one value to the message that all changes share. */
static void bind_form_report(struct tn_judge *judge, const struct tn_location *at, yyjson_val *from,
                             yyjson_val *to)
{
    tn_taken_value(judge, judge->unsaid > 0 ? SLICE_LIT("") : tn_location_path(judge->arena, at),
                   at->node->secret, from, to);
}

/* ---- Text -------------------------------------------------------------------------------------------------- */

static bool is_container_of(unsigned kind, yyjson_val *value)
{
    if (kind == TENON_KIND_JSON)
        return true;
    if (kind == TENON_KIND_OBJECT || kind == TENON_KIND_MAP)
        return yyjson_is_obj(value);
    return yyjson_is_arr(value);
}

yyjson_val *tn_bind_form_text(struct tn_judge *judge, struct tn_location *at, yyjson_val *text)
{
    struct tn_form_text found;

    if (is_strict(judge, at))
        return NULL;
    found = tn_taken_read(judge, tn_json_slice(text), at->node->kind != TENON_KIND_JSON,
                          at->node->kind == TENON_KIND_MAP);
    if (!found.root || !is_container_of(at->node->kind, found.root))
        return NULL;
    tn_taken_nodes(judge, &found.read);
    at->whole = true;
    tn_taken_add(judge, found.form);
    bind_form_report(judge, at, text, found.root);
    return found.root;
}

/* ---- Single values ----------------------------------------------------------------------------------------- */

yyjson_val *tn_bind_form_value(struct tn_judge *judge, struct tn_location *at, yyjson_val *value)
{
    const struct tn_choice *choice = at->node->choice;
    yyjson_val             *inner  = NULL;

    if (is_strict(judge, at))
        return value;
    if (yyjson_is_arr(value)) {
        inner    = tn_form_one_item(judge->arena, at->node, value);
        at->form = FORM_ONE_ITEM;
    } else if (!choice || !tn_choice_has(choice, tn_slice_trim(tn_json_slice(
                                                     value)))) { /* else its quotes are part of it */
        inner    = tn_form_unquoted(judge->arena, at->node, value);
        at->form = FORM_LAYER;
    }
    if (!inner)
        return value;
    at->sent = value;
    return inner;
}

void tn_bind_form_done(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                       size_t coerced)
{
    tn_taken_add(judge, at->form);
    if (judge->coerced == coerced) /* else its change of type says what was sent */
        bind_form_report(judge, at, at->sent, value);
}

yyjson_val *tn_bind_form_pair(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value)
{
    yyjson_val *text = is_strict(judge, at) ? NULL : tn_form_as_text(judge->arena, value);

    return text ? text : value;
}

void tn_bind_form_pair_done(struct tn_judge *judge, const struct tn_location *at, yyjson_val *sent,
                            yyjson_val *text)
{
    tn_taken_add(judge, FORM_NUMBER);
    bind_form_report(judge, at, sent, text);
}

void tn_bind_form_choice(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int choice)
{
    const struct tn_slice *meant = &at->node->choice->names[choice];
    yyjson_val             name  = { 0 };

    tn_taken_add(judge, FORM_SPELLING);
    yyjson_set_strn(&name, meant->at, meant->len);
    bind_form_report(judge, at, at->sent ? at->sent : value, &name);
}

/* ---- Words ------------------------------------------------------------------------------------------------- */

static bool word_fits(struct tn_judge *judge, const struct tn_text_rules *rules, struct tn_slice word)
{
    if (rules->format && !rules->format->accepts(word))
        return false;
    if (!rules->pattern)
        return true;
    return tn_judge_matcher(judge) &&
           tn_pattern_match_within(rules->pattern, *judge->matcher, word, &judge->patterns) == PATTERN_YES;
}

bool tn_bind_form_words(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value)
{
    const struct tn_text_rules *rules = &at->node->list.item->text;
    struct tn_slice             rest  = tn_json_slice(value), part;

    if (at->node->kind != TENON_KIND_STRS || is_strict(judge, at) || judge->check_utf8)
        return false;
    if ((!rules->pattern && !rules->format) || !rest.at || !memchr(rest.at, ',', rest.len) ||
        memchr(rest.at, '\0', rest.len) || word_fits(judge, rules, rest))
        return false;
    while (tn_slice_split(&rest, ',', &part))
        if (!word_fits(judge, rules, tn_slice_trim(part)))
            return false;
    return true;
}

void tn_bind_form_words_done(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                             yyjson_val *parts, size_t count)
{
    struct tn_buf list;

    tn_taken_add(judge, FORM_WORDS);
    tn_buf_init(&list, judge->arena, 64, MESSAGE_LEN_MAX);
    for (size_t i = 0; i < count && !list.failed; i++) {
        tn_buf_char(&list, i == 0 ? '[' : ',');
        tn_json_value(&list, &parts[i]);
    }
    tn_buf_char(&list, ']');
    tn_coercions_add(judge, tn_location_path(judge->arena, at), at->node->secret, value,
                     list.failed ? SLICE_LIT("[...]") : tn_buf_slice(&list));
}
