/* bind_form.c - forms of single values, of texts, and of the arguments as a whole. */
#include "rows/bind_form.h"

#include <string.h>

#include "json/write.h"
#include "model/words_form.h"
#include "rows/coerce.h"
#include "text/format.h"

/* ---- Counting ---------------------------------------------------------------------------------------------- */

static struct tn_forms *forms_of(struct tn_judge *judge)
{
    if (!judge->forms)
        judge->forms = tn_arena_new(judge->arena, struct tn_forms);
    return judge->forms;
}

void tn_forms_add(struct tn_judge *judge, enum tn_wire_form form)
{
    struct tn_forms *forms = forms_of(judge);

    if (forms)
        forms->counts[form]++;
}

static bool is_strict(const struct tn_judge *judge, const struct tn_location *at)
{
    return at->node->strict || judge->strict || at->plain;
}

/* May so many bytes be read again? */
static bool may_read(struct tn_judge *judge, size_t len)
{
    struct tn_forms *forms = forms_of(judge);

    if (!forms || len > FORM_BYTES_MAX - forms->bytes)
        return false;
    forms->bytes += len;
    return true;
}

static struct tn_json_limits limits_left(const struct tn_judge *judge)
{
    struct tn_json_limits limits = judge->limits;

    limits.nodes = limits.nodes > judge->nodes ? limits.nodes - judge->nodes : 0;
    return limits;
}

static void took(struct tn_judge *judge, const struct tn_json_text *read)
{
    judge->nodes += read->nodes;
    judge->check_utf8 |= read->bad_utf8;
}

/* Adds one value to the message that all changes share. */
static void bind_form_report(struct tn_judge *judge, const struct tn_location *at, yyjson_val *from,
                             yyjson_val *to)
{
    struct tn_buf text;

    tn_buf_init(&text, judge->arena, 64, MESSAGE_LEN_MAX);
    if (judge->unsaid == 0 && !at->node->secret)
        tn_json_value(&text, to);
    tn_coercions_add(judge, judge->unsaid > 0 ? SLICE_LIT("") : tn_location_path(judge->arena, at),
                     at->node->secret, from,
                     !text.failed        ? tn_buf_slice(&text)
                     : yyjson_is_obj(to) ? SLICE_LIT("{...}")
                                         : SLICE_LIT("[...]"));
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
    struct tn_json_limits limits = limits_left(judge);
    struct tn_form_text   found;

    if (is_strict(judge, at) || !may_read(judge, yyjson_get_len(text)))
        return NULL;
    found = tn_form_read(judge->arena, tn_json_slice(text), at->node->kind != TENON_KIND_JSON,
                         at->node->kind == TENON_KIND_MAP, &limits);
    if (!found.root || !is_container_of(at->node->kind, found.root))
        return NULL;
    took(judge, &found.read);
    at->whole = true;
    tn_forms_add(judge, found.form);
    bind_form_report(judge, at, text, found.root);
    return found.root;
}

yyjson_val *tn_bind_form_whole(struct tn_judge *judge, struct tn_slice text, struct tn_json_text *plain,
                               struct tn_slice *inner)
{
    struct tn_json_limits limits = limits_left(judge);
    struct tn_form_text   found  = { 0 };
    const char           *words  = tn_words_form_whole(FORM_TEXT);

    *plain = tn_json_read(judge->arena, text.at, text.len, &limits);
    *inner = text;
    if (yyjson_is_obj(plain->root) || yyjson_is_null(plain->root)) {
        took(judge, plain);
        tn_forms_add(judge, FORM_TEXT);
        tn_messages_add(&judge->messages, judge->arena, words, strlen(words));
        return plain->root;
    }
    if (!judge->strict && (plain->fault == JSON_SYNTAX || yyjson_is_str(plain->root)) &&
        may_read(judge, text.len))
        found = tn_form_read(judge->arena, text, true, false, &limits);
    if (!yyjson_is_obj(found.root))
        return NULL;
    took(judge, &found.read);
    *inner = found.text;
    words  = tn_words_form_whole(found.form);
    tn_forms_add(judge, found.form);
    tn_messages_add(&judge->messages, judge->arena, words, strlen(words));
    return found.root;
}

/* ---- Single values ----------------------------------------------------------------------------------------- */

/* Is the text a choice as it stands? Then its quotes are part of it. */
static bool is_choice(const struct tn_node *node, yyjson_val *value)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));

    for (size_t i = 0; node->kind == TENON_KIND_ENUM && i < node->choice->count; i++)
        if (node->choice->names[i].at && tn_slice_fold_equal(node->choice->names[i], text))
            return true;
    return false;
}

yyjson_val *tn_bind_form_value(struct tn_judge *judge, struct tn_location *at, yyjson_val *value)
{
    yyjson_val *inner = NULL;

    if (is_strict(judge, at))
        return value;
    if (yyjson_is_arr(value)) {
        inner    = tn_form_one_item(judge->arena, at->node, value);
        at->form = FORM_ONE_ITEM;
    } else if (!is_choice(at->node, value)) {
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
    tn_forms_add(judge, at->form);
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
    tn_forms_add(judge, FORM_NUMBER);
    bind_form_report(judge, at, sent, text);
}

bool tn_bind_form_choice(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int *out)
{
    const struct tn_choice *choice = at->node->choice;
    yyjson_val              name   = { 0 };

    *out = is_strict(judge, at) ? -1 : tn_form_choice(choice, tn_slice_trim(tn_json_slice(value)));
    if (*out < 0)
        return false;
    tn_forms_add(judge, FORM_SPELLING);
    yyjson_set_strn(&name, choice->names[*out].at, choice->names[*out].len);
    bind_form_report(judge, at, at->sent ? at->sent : value, &name);
    return true;
}

/* ---- Words ------------------------------------------------------------------------------------------------- */

static bool word_fits(struct tn_judge *judge, const struct tn_text_rules *rules, struct tn_slice word)
{
    if (rules->format && !rules->format->accepts(word))
        return false;
    if (!rules->pattern)
        return true;
    if (!*judge->matcher)
        *judge->matcher = tn_matcher_new(judge->memory);
    if (!*judge->matcher) {
        judge->arena->failed = true;
        return false;
    }
    return tn_pattern_match_within(rules->pattern, *judge->matcher, word, &judge->patterns) == PATTERN_YES;
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

    tn_forms_add(judge, FORM_WORDS);
    tn_buf_init(&list, judge->arena, 64, MESSAGE_LEN_MAX);
    for (size_t i = 0; i < count && !list.failed; i++) {
        tn_buf_char(&list, i == 0 ? '[' : ',');
        tn_json_value(&list, &parts[i]);
    }
    tn_buf_char(&list, ']');
    tn_coercions_add(judge, tn_location_path(judge->arena, at), at->node->secret, value,
                     list.failed ? SLICE_LIT("[...]") : tn_buf_slice(&list));
}
