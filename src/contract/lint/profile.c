/* profile.c - reads profiles. Their schema is the first to look at them, so that what is read has the shape that it says. */
#include "contract/lint/profile.h"

#include <tenon/schema.h>

#include <stdarg.h>

#include "base/memory.h"
#include "contract/canonical.h"
#include "contract/phrases.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define WHY_MAX         ((size_t)2000)

static const char *const check_names[CHECKS] = {
    [CHECK_NAME] = "name",           [CHECK_PROPERTY_NAMES] = "property-names",
    [CHECK_KEYWORDS] = "keywords",   [CHECK_ONLY] = "only",
    [CHECK_VALUE] = "value",         [CHECK_TYPED] = "typed",
    [CHECK_ONE_TYPE] = "one-type",   [CHECK_NULL] = "null",
    [CHECK_MIXED] = "mixed",         [CHECK_VARIANTS] = "variants",
    [CHECK_BESIDE] = "beside",       [CHECK_REFERENCE] = "reference",
    [CHECK_RECURSION] = "recursion", [CHECK_REQUIRED] = "required",
    [CHECK_DEPTH] = "depth",         [CHECK_FORMATS] = "formats",
    [CHECK_ENUM] = "enum",           [CHECK_COUNT] = "count",
    [CHECK_OUTPUT] = "output",
};

static const char *const count_names[COUNTS] = {
    [COUNT_TOOLS] = "tools",   [COUNT_PROPERTIES] = "properties",   [COUNT_OPTIONAL] = "optional",
    [COUNT_UNIONS] = "unions", [COUNT_ENUM_VALUES] = "enum-values", [COUNT_CHARACTERS] = "characters"
};

const char *tn_profile_check_name(enum tn_profile_check check)
{
    return check_names[check];
}

void tn_profiles_init(struct tn_profiles *profiles, const tenon_allocator *memory)
{
    profiles->count = 0;
    profiles->why   = NULL;
    tn_arena_init(&profiles->arena, memory, 0);
}

static void free_patterns(struct tn_profile *profile)
{
    for (size_t i = 0; i < profile->count; i++)
        tn_pattern_free(profile->rules[i].pattern);
}

void tn_profiles_free(struct tn_profiles *profiles)
{
    for (size_t i = 0; i < profiles->count; i++)
        free_patterns(&profiles->at[i]);
    tn_arena_free(&profiles->arena);
    profiles->count = 0;
}

TENON_PRINTF(2, 3)
static bool profile_refuse(struct tn_profiles *profiles, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &profiles->arena, 0, WHY_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    profiles->why = tn_buf_end(&text) ? text.at : SAY_MEMORY;
    return false;
}

/* ---- By its schema ----------------------------------------------------------------------------------------------- */

static void add_issues(struct tn_buf *out, tenon_verdict *verdict)
{
    size_t count = tenon_verdict_issue_count(verdict);

    for (size_t i = 0; i < count && i < PROFILE_MISTAKES_MAX; i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        tn_buf_text(out, i > 0 ? "; " : "");
        tn_buf_text(out, issue && issue->text ? issue->text : SAY_MEMORY);
    }
}

static bool fits_schema(struct tn_profiles *profiles, struct tn_slice name, struct tn_slice text)
{
    tenon_schema  *schema  = tenon_schema_new(tn_profile_schema, strlen(tn_profile_schema),
                                              .memory = &profiles->arena.memory);
    tenon_verdict *verdict = schema && !tenon_schema_error(schema) ? tenon_verdict_new(schema) : NULL;
    bool           fits    = verdict && tenon_verdict_judge(verdict, text.at, text.len);
    struct tn_buf  out;

    tn_buf_init(&out, &profiles->arena, 0, WHY_MAX);
    if (verdict && !fits && !tenon_verdict_failed(verdict)) {
        add_issues(&out, verdict);
        profile_refuse(profiles, SAY_PROFILE_UNFIT, (int)name.len, name.at,
                       tn_buf_end(&out) ? out.at : SAY_MEMORY);
    } else if (!fits)
        profiles->why = SAY_MEMORY;
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    return fits;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static size_t index_of(yyjson_val *value, const char *const *names, size_t count, size_t otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (yyjson_equals_str(value, names[i]))
            return i;
    return otherwise;
}

/* Numbers were read as they are written; the schema has seen that these are small and whole. */
static size_t number_of(yyjson_val *value)
{
    size_t number = 0;

    if (!yyjson_is_raw(value))
        return SIZE_MAX;
    for (const char *at = yyjson_get_raw(value); at && *at >= '0' && *at <= '9' && number < 1000000; at++)
        number = number * 10 + (size_t)(*at - '0');
    return number;
}

static bool read_pattern(struct tn_profiles *profiles, struct tn_slice name, struct tn_profile_rule *rule)
{
    char why[PATTERN_WHY_MAX];

    if (rule->pattern_text.len == 0)
        return true;
    rule->pattern = tn_pattern_try(&profiles->arena.memory, rule->pattern_text, why, sizeof why);
    return rule->pattern || profile_refuse(profiles, SAY_PROFILE_PATTERN, (int)name.len, name.at,
                                           (int)rule->pattern_text.len, rule->pattern_text.at, why);
}

static void read_rule(struct tn_profile_rule *rule, yyjson_val *source)
{
    static const char *const places[] = {
        [AT_ANYWHERE] = "anywhere", [AT_ROOT] = "root", [AT_INSIDE] = "inside"
    };
    static const char *const levels[] = {
        [LEVEL_NONE] = "none", [LEVEL_NOTE] = "note", [LEVEL_WARNING] = "warning", [LEVEL_ERROR] = "error"
    };

    *rule = (struct tn_profile_rule){
        .check  = (enum tn_profile_check)index_of(yyjson_obj_get(source, "check"), check_names, CHECKS, 0),
        .at     = (enum tn_profile_at)index_of(yyjson_obj_get(source, "at"), places, COUNT_OF(places),
                                               AT_ANYWHERE),
        .level  = (enum tn_level)index_of(yyjson_obj_get(source, "level"), levels, COUNT_OF(levels),
                                          LEVEL_WARNING),
        .effect = tn_json_slice(yyjson_obj_get(source, "effect")),
        .pattern_text = tn_json_slice(yyjson_obj_get(source, "pattern")),
        .prefix       = tn_json_slice(yyjson_obj_get(source, "prefix")),
        .keyword      = tn_json_slice(yyjson_obj_get(source, "keyword")),
        .type         = tn_json_slice(yyjson_obj_get(source, "type")),
        .keywords     = yyjson_obj_get(source, "keywords"),
        .formats      = yyjson_obj_get(source, "formats"),
        .allowed      = yyjson_obj_get(source, "allowed"),
        .refused      = yyjson_obj_get(source, "refused"),
        .types        = yyjson_obj_get(source, "types"),
        .needed       = yyjson_is_true(yyjson_obj_get(source, "needed")),
        .folds_case   = yyjson_is_false(yyjson_obj_get(source, "case")),
        .whole_list   = yyjson_equals_str(yyjson_obj_get(source, "per"), "list"),
        .of           = (enum tn_profile_count)index_of(yyjson_obj_get(source, "of"), count_names, COUNTS, 0),
        .longest      = number_of(yyjson_obj_get(source, "longest")),
        .most         = number_of(yyjson_obj_get(source, "most")),
    };
}

static bool read_rules(struct tn_profiles *profiles, struct tn_profile *profile, yyjson_val *rules)
{
    yyjson_arr_iter each = yyjson_arr_iter_with(rules);
    yyjson_val     *source;

    profile->rules = tn_arena_array(&profiles->arena, yyjson_arr_size(rules) + 1, struct tn_profile_rule);
    while (profile->rules && (source = yyjson_arr_iter_next(&each))) {
        struct tn_profile_rule *rule = &profile->rules[profile->count++];

        read_rule(rule, source);
        if (!read_pattern(profiles, profile->name, rule))
            return false;
    }
    return profile->rules || profile_refuse(profiles, "%s", SAY_MEMORY);
}

/* ---- Profiles ---------------------------------------------------------------------------------------------------- */

static bool read_profile(struct tn_profiles *profiles, struct tn_profile *profile, struct tn_slice text)
{
    yyjson_val *root;

    if (tn_canonical_read(&profiles->arena, text, CANONICAL_DEPTH_MAX, &root) != CANONICAL_FINE)
        return profile_refuse(profiles, SAY_PROFILE_UNFIT, (int)profile->name.len, profile->name.at,
                              SAY_CANONICAL_SYNTAX);
    profile->title = tn_json_slice(yyjson_obj_get(root, "title"));
    profile->mode  = yyjson_is_true(yyjson_obj_get(root, "mode"));
    profile->reads = tn_json_slice(yyjson_obj_get(yyjson_obj_get(root, "result"), "reads"));
    return read_rules(profiles, profile, yyjson_obj_get(root, "rules"));
}

/* Where one of that name stands, or where it goes: they are in order. */
static size_t place_of(const struct tn_profiles *profiles, struct tn_slice name)
{
    size_t at = 0;

    while (at < profiles->count && tn_canonical_compare(profiles->at[at].name, name) < 0)
        at++;
    return at;
}

static void enter(struct tn_profiles *profiles, const struct tn_profile *profile)
{
    size_t at = place_of(profiles, profile->name);

    if (at < profiles->count && tn_slice_same(profiles->at[at].name, profile->name)) {
        free_patterns(&profiles->at[at]);
    } else {
        for (size_t i = profiles->count++; i > at; i--)
            profiles->at[i] = profiles->at[i - 1];
    }
    profiles->at[at] = *profile;
}

bool tn_profiles_add(struct tn_profiles *profiles, struct tn_slice name, struct tn_slice text)
{
    struct tn_profile profile = { .name = { tn_arena_copy(&profiles->arena, name.at, name.len), name.len } };
    struct tn_slice   kept    = { tn_arena_copy(&profiles->arena, text.at, text.len), text.len };

    if (!profile.name.at || !kept.at)
        return profile_refuse(profiles, "%s", SAY_MEMORY);
    if (text.len > PROFILE_LEN_MAX)
        return profile_refuse(profiles, SAY_PROFILE_LONG, (int)name.len, name.at, PROFILE_LEN_MAX);
    if (profiles->count == PROFILES_MAX && !tn_profiles_find(profiles, name))
        return profile_refuse(profiles, SAY_PROFILE_MANY, PROFILES_MAX);
    if (!fits_schema(profiles, profile.name, kept))
        return false;
    if (!read_profile(profiles, &profile, kept)) {
        free_patterns(&profile);
        return false;
    }
    enter(profiles, &profile);
    return true;
}

bool tn_profiles_add_known(struct tn_profiles *profiles)
{
    for (const struct tn_profile_text *one = tn_profile_texts; one->name; one++)
        if (!tn_profiles_add(profiles, tn_slice_of(one->name), tn_slice_of(one->text)))
            return false;
    return true;
}

const struct tn_profile *tn_profiles_find(const struct tn_profiles *profiles, struct tn_slice name)
{
    size_t at = place_of(profiles, name);

    return at < profiles->count && tn_slice_same(profiles->at[at].name, name) ? &profiles->at[at] : NULL;
}
