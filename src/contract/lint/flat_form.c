/* flat_form.c - asks every rule of every profile. */
#include "contract/lint/flat_form.h"

#include "contract/canonical.h"
#include "contract/lint/rule.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HASH_SHOWN      ((size_t)8)

static bool counts(const struct tn_profile_rule *rule)
{
    return rule->level >= LEVEL_WARNING;
}

static bool is_at(const struct tn_profile_rule *rule, bool root)
{
    return rule->at == AT_ANYWHERE || (rule->at == AT_ROOT) == root;
}

static void take_rule(struct tn_flat_form *form, const struct tn_profile_rule *rule)
{
    bool is_false = rule->allowed && yyjson_is_false(yyjson_arr_get_first(rule->allowed));

    switch (rule->check) {
    case CHECK_REQUIRED: form->all_required = true; return;
    case CHECK_NULL:
    case CHECK_ONE_TYPE: form->nulls = false; return;
    case CHECK_DEPTH: form->levels = rule->most < form->levels ? rule->most : form->levels; return;
    case CHECK_OUTPUT: form->output = false; return;
    case CHECK_ENUM:
        form->case_folds |= rule->folds_case;
        form->text_enums |= rule->types && !tn_site_lists(rule->types, SLICE_LIT("number"));
        return;
    case CHECK_VALUE:
        form->closed |= rule->needed && is_false && tn_slice_is(rule->keyword, "additionalProperties");
        form->items |= rule->needed && tn_slice_is(rule->keyword, "items");
        return;
    default: return;
    }
}

void tn_flat_form_init(struct tn_flat_form *form, const struct tn_profile *const *profiles, size_t count)
{
    *form = (struct tn_flat_form){
        .profiles = profiles, .count = count, .nulls = true, .output = true, .levels = FORM_LEVELS
    };
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < profiles[i]->count; j++)
            if (counts(&profiles[i]->rules[j]))
                take_rule(form, &profiles[i]->rules[j]);
}

/* ---- Keywords ------------------------------------------------------------------------------------------------------ */

static bool rule_keeps(const struct tn_profile_rule *rule, struct tn_slice keyword, yyjson_val *value)
{
    switch (rule->check) {
    case CHECK_KEYWORDS: return !tn_site_lists(rule->keywords, keyword);
    case CHECK_ONLY: return tn_site_lists(rule->keywords, keyword);
    case CHECK_FORMATS:
        return !tn_slice_is(keyword, "format") || tn_site_lists(rule->formats, tn_json_slice(value));
    case CHECK_VALUE: return !tn_slice_same(rule->keyword, keyword) || !value || tn_rule_allows(rule, value);
    default: return true;
    }
}

bool tn_flat_form_keeps(const struct tn_flat_form *form, const char *keyword, yyjson_val *value, bool root)
{
    for (size_t i = 0; i < form->count; i++)
        for (size_t j = 0; j < form->profiles[i]->count; j++) {
            const struct tn_profile_rule *rule = &form->profiles[i]->rules[j];

            if (counts(rule) && is_at(rule, root) && !rule_keeps(rule, tn_slice_of(keyword), value))
                return false;
        }
    return true;
}

/* ---- Names --------------------------------------------------------------------------------------------------------- */

static bool names(const struct tn_profile_rule *rule, enum tn_profile_check check, bool root)
{
    return counts(rule) && rule->check == check && (check == CHECK_NAME || is_at(rule, root));
}

size_t tn_flat_form_name_max(const struct tn_flat_form *form, enum tn_profile_check check, bool root)
{
    size_t most = SIZE_MAX;

    for (size_t i = 0; i < form->count; i++)
        for (size_t j = 0; j < form->profiles[i]->count; j++)
            if (names(&form->profiles[i]->rules[j], check, root) &&
                form->profiles[i]->rules[j].longest < most)
                most = form->profiles[i]->rules[j].longest;
    return most;
}

/* Do all rules accept it? */
static bool fits(const struct tn_flat_form *form, const tenon_allocator *memory, enum tn_profile_check check,
                 bool root, struct tn_slice name)
{
    struct matcher *matcher = tn_matcher_new(memory);
    bool            good    = name.len <= tn_flat_form_name_max(form, check, root);

    for (size_t i = 0; i < form->count; i++)
        for (size_t j = 0; j < form->profiles[i]->count; j++) {
            const struct tn_profile_rule *rule  = &form->profiles[i]->rules[j];
            size_t                        steps = PATTERN_STEPS_MIN;

            if (names(rule, check, root) && rule->pattern && matcher &&
                tn_pattern_match(rule->pattern, matcher, name, &steps) != PATTERN_YES)
                good = false;
        }
    tn_matcher_free(matcher);
    return good;
}

/* What every pattern that is known allows: letters, digits, _ and -, a letter or _ first. */
static bool is_plain(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && ((c >= '0' && c <= '9') || c == '-'));
}

struct tn_slice tn_flat_form_name(const struct tn_flat_form *form, struct tn_arena *arena,
                                  enum tn_profile_check check, bool root, struct tn_slice name)
{
    size_t most  = tn_flat_form_name_max(form, check, root),
           keeps = most > HASH_SHOWN + 2 ? most - HASH_SHOWN - 2 : 0;
    char          hash[HASH_LEN + 1];
    struct tn_buf out;

    if (fits(form, &arena->memory, check, root, name))
        return name;
    tn_buf_init(&out, arena, name.len + HASH_SHOWN + 3, name.len + HASH_SHOWN + 3);
    if (name.len == 0 || !is_plain(name.at[0], true))
        tn_buf_char(&out, '_');
    for (size_t i = 0; i < name.len && out.len < keeps; i++)
        tn_buf_char(&out, is_plain(name.at[i], false) ? name.at[i] : '_');
    tn_canonical_hash(name, hash);
    tn_buf_char(&out, '_');
    tn_buf_add(&out, hash, HASH_SHOWN);
    return out.failed ? name : tn_buf_slice(&out);
}
