/* bind_form.c - forms of single values, of texts, and of the arguments as a whole. */
#include "rows/bind_form.h"

#include <string.h>

#include "json/write.h"
#include "model/words_form.h"
#include "rows/coerce.h"
#include "text/format.h"

/* ---- Counting ---------------------------------------------------------------------------------------------- */

static struct forms *forms_of(struct judge *judge)
{
    if (!judge->forms)
        judge->forms = arena_new(judge->arena, struct forms);
    return judge->forms;
}

size_t forms_count(const struct judge *judge, enum wire_form form)
{
    return judge->forms ? judge->forms->counts[form] : 0;
}

void forms_add(struct judge *judge, enum wire_form form)
{
    struct forms *forms = forms_of(judge);

    if (forms)
        forms->counts[form]++;
}

static bool is_strict(const struct judge *judge, const struct place *at)
{
    return at->node->strict || judge->strict || at->plain;
}

/* May so many bytes be read again? */
static bool may_read(struct judge *judge, size_t len)
{
    struct forms *forms = forms_of(judge);

    if (!forms || len > FORM_BYTES_MAX - forms->bytes)
        return false;
    forms->bytes += len;
    return true;
}

static struct json_limits limits_left(const struct judge *judge)
{
    struct json_limits limits = judge->limits;

    limits.nodes = limits.nodes > judge->nodes ? limits.nodes - judge->nodes : 0;
    return limits;
}

static void took(struct judge *judge, const struct json_text *read)
{
    judge->nodes += read->nodes;
    judge->check_utf8 |= read->bad_utf8;
}

/* Adds one value to the message that all changes share. */
static void report(struct judge *judge, const struct place *at, yyjson_val *from, yyjson_val *to)
{
    struct buf text;

    buf_init(&text, judge->arena, 64, MESSAGE_LEN_MAX);
    if (judge->unsaid == 0 && !at->node->secret)
        json_value(&text, to);
    coercions_add(judge, judge->unsaid > 0 ? SLICE_LIT("") : place_path(judge->arena, at), at->node->secret,
                  from,
                  !text.failed        ? buf_slice(&text)
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

yyjson_val *bind_form_text(struct judge *judge, struct place *at, yyjson_val *text)
{
    struct json_limits limits = limits_left(judge);
    struct form_text   found;

    if (is_strict(judge, at) || !may_read(judge, yyjson_get_len(text)))
        return NULL;
    found = form_read(judge->arena, json_slice(text), at->node->kind != TENON_KIND_JSON,
                      at->node->kind == TENON_KIND_MAP, &limits);
    if (!found.root || !is_container_of(at->node->kind, found.root))
        return NULL;
    took(judge, &found.read);
    at->whole = true;
    forms_add(judge, found.form);
    report(judge, at, text, found.root);
    return found.root;
}

yyjson_val *bind_form_whole(struct judge *judge, struct slice text, struct json_text *plain,
                            struct slice *inner)
{
    struct json_limits limits = limits_left(judge);
    struct form_text   found  = { 0 };
    const char        *words  = words_form_whole(FORM_TEXT);

    *plain = json_read(judge->arena, text.at, text.len, &limits);
    *inner = text;
    if (yyjson_is_obj(plain->root) || yyjson_is_null(plain->root)) {
        took(judge, plain);
        forms_add(judge, FORM_TEXT);
        messages_add(&judge->messages, judge->arena, words, strlen(words));
        return plain->root;
    }
    if (!judge->strict && (plain->fault == JSON_SYNTAX || yyjson_is_str(plain->root)) &&
        may_read(judge, text.len))
        found = form_read(judge->arena, text, true, false, &limits);
    if (!yyjson_is_obj(found.root))
        return NULL;
    took(judge, &found.read);
    *inner = found.text;
    words  = words_form_whole(found.form);
    forms_add(judge, found.form);
    messages_add(&judge->messages, judge->arena, words, strlen(words));
    return found.root;
}

/* ---- Single values ----------------------------------------------------------------------------------------- */

/* Is the text a choice as it stands? Then its quotes are part of it. */
static bool is_choice(const struct node *node, yyjson_val *value)
{
    struct slice text = slice_trim(json_slice(value));

    for (size_t i = 0; node->kind == TENON_KIND_ENUM && i < node->choice->count; i++)
        if (node->choice->names[i].at && slice_fold_equal(node->choice->names[i], text))
            return true;
    return false;
}

yyjson_val *bind_form_value(struct judge *judge, struct place *at, yyjson_val *value)
{
    yyjson_val *inner = NULL;

    if (is_strict(judge, at))
        return value;
    if (yyjson_is_arr(value)) {
        inner    = form_one_item(judge->arena, at->node, value);
        at->form = FORM_ONE_ITEM;
    } else if (!is_choice(at->node, value)) {
        inner    = form_unquoted(judge->arena, at->node, value);
        at->form = FORM_LAYER;
    }
    if (!inner)
        return value;
    at->sent = value;
    return inner;
}

void bind_form_done(struct judge *judge, const struct place *at, yyjson_val *value, size_t coerced)
{
    forms_add(judge, at->form);
    if (judge->coerced == coerced) /* else its change of type says what was sent */
        report(judge, at, at->sent, value);
}

yyjson_val *bind_form_pair(struct judge *judge, const struct place *at, yyjson_val *value)
{
    yyjson_val *text = is_strict(judge, at) ? NULL : form_as_text(judge->arena, value);

    return text ? text : value;
}

void bind_form_pair_done(struct judge *judge, const struct place *at, yyjson_val *sent, yyjson_val *text)
{
    forms_add(judge, FORM_NUMBER);
    report(judge, at, sent, text);
}

bool bind_form_choice(struct judge *judge, const struct place *at, yyjson_val *value, int *out)
{
    const struct choice *choice = at->node->choice;
    yyjson_val           name   = { 0 };

    *out = is_strict(judge, at) ? -1 : form_choice(choice, slice_trim(json_slice(value)));
    if (*out < 0)
        return false;
    forms_add(judge, FORM_SPELLING);
    yyjson_set_strn(&name, choice->names[*out].at, choice->names[*out].len);
    report(judge, at, at->sent ? at->sent : value, &name);
    return true;
}

/* ---- Words ------------------------------------------------------------------------------------------------- */

static bool word_fits(struct judge *judge, const struct text_rules *rules, struct slice word)
{
    if (rules->format && !rules->format->accepts(word))
        return false;
    if (!rules->pattern)
        return true;
    if (!*judge->matcher)
        *judge->matcher = matcher_new(judge->memory);
    if (!*judge->matcher) {
        judge->arena->failed = true;
        return false;
    }
    return pattern_match_within(rules->pattern, *judge->matcher, word, &judge->patterns) == PATTERN_YES;
}

bool bind_form_words(struct judge *judge, const struct place *at, yyjson_val *value)
{
    const struct text_rules *rules = &at->node->list.item->text;
    struct slice             rest  = json_slice(value), part;

    if (at->node->kind != TENON_KIND_STRS || is_strict(judge, at) || judge->check_utf8)
        return false;
    if ((!rules->pattern && !rules->format) || !rest.at || !memchr(rest.at, ',', rest.len) ||
        memchr(rest.at, '\0', rest.len) || word_fits(judge, rules, rest))
        return false;
    while (slice_split(&rest, ',', &part))
        if (!word_fits(judge, rules, slice_trim(part)))
            return false;
    return true;
}

void bind_form_words_done(struct judge *judge, const struct place *at, yyjson_val *value, yyjson_val *parts,
                          size_t count)
{
    struct buf list;

    forms_add(judge, FORM_WORDS);
    buf_init(&list, judge->arena, 64, MESSAGE_LEN_MAX);
    for (size_t i = 0; i < count && !list.failed; i++) {
        buf_char(&list, i == 0 ? '[' : ',');
        json_value(&list, &parts[i]);
    }
    buf_char(&list, ']');
    coercions_add(judge, place_path(judge->arena, at), at->node->secret, value,
                  list.failed ? SLICE_LIT("[...]") : buf_slice(&list));
}
