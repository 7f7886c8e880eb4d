/* rule.c - a function for each check. */
#include "contract/lint/rule.h"

#include "base/table.h"
#include "contract/phrases.h"
#include "json/echo.h"

/* One question. */
struct asked {
    const struct tn_rule_look    *look;
    const struct tn_profile_rule *rule;
    const struct tn_site         *site;
    struct tn_buf                *what; /* or NULL */
};

TENON_PRINTF(2, 3)
static bool breaks(const struct asked *asked, const char *format, ...)
{
    va_list args;

    if (!asked->what)
        return true;
    va_start(args, format);
    tn_buf_addv(asked->what, format, args);
    va_end(args);
    return true;
}

/* A name or word of the server in a sentence. */
static const char *echo(const struct asked *asked, struct tn_slice text)
{
    struct tn_buf out;

    if (!asked->what)
        return "";
    tn_buf_init(&out, asked->look->arena, 0, FINDINGS_TEXT_MAX);
    tn_echo_text(&out, text.at ? text.at : "", text.len);
    return tn_buf_end(&out) ? out.at : "";
}

static yyjson_val *member(const struct asked *asked, const char *name)
{
    return yyjson_obj_get(asked->site->schema, name);
}

static bool holds(yyjson_val *array, yyjson_val *value)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&items)))
        if (yyjson_equals(one, value))
            return true;
    return false;
}

/* ---- Names --------------------------------------------------------------------------------------------------------- */

static size_t characters(struct tn_slice text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.at[i] & 0xC0) != 0x80;
    return count;
}

static bool breaks_name(const struct asked *asked, struct tn_slice name)
{
    const struct tn_profile_rule *rule  = asked->rule;
    size_t                        steps = PATTERN_STEPS_MIN;

    if (!*asked->look->matcher)
        *asked->look->matcher = tn_matcher_new(asked->look->memory);
    if (rule->longest != SIZE_MAX && characters(name) > rule->longest)
        return breaks(asked, SAY_LINT_NAME_LONG, echo(asked, name), characters(name), rule->longest);
    return rule->pattern && *asked->look->matcher &&
           tn_pattern_match(rule->pattern, *asked->look->matcher, name, &steps) == PATTERN_NO &&
           breaks(asked, SAY_LINT_NAME_PATTERN, echo(asked, name), (int)rule->pattern_text.len,
                  rule->pattern_text.at);
}

static bool check_property_names(const struct asked *asked)
{
    yyjson_obj_iter names = yyjson_obj_iter_with(member(asked, "properties"));
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&names)))
        if (breaks_name(asked, tn_json_slice(name)))
            return true;
    return false;
}

/* ---- Keywords ------------------------------------------------------------------------------------------------------ */

/* A schema for each place of a list, as it was written before there was prefixItems. */
static bool is_places(yyjson_val *name)
{
    return yyjson_equals_str(name, "items") && yyjson_is_arr(yyjson_obj_iter_get_val(name));
}

/* The first keyword that the rule lists, or does not. */
static bool find_keyword(const struct asked *asked, bool listed)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(asked->site->schema);
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&members)))
        if (tn_site_lists(asked->rule->keywords,
                          is_places(name) ? SLICE_LIT("prefixItems") : tn_json_slice(name)) == listed)
            return is_places(name) ? breaks(asked, SAY_LINT_PLACES)
                                   : breaks(asked, SAY_LINT_KEYWORD, echo(asked, tn_json_slice(name)));
    return false;
}

static bool check_keywords(const struct asked *asked)
{
    return find_keyword(asked, true);
}

static bool check_only(const struct asked *asked)
{
    return find_keyword(asked, false);
}

static bool check_value(const struct asked *asked)
{
    const struct tn_profile_rule *rule = asked->rule;
    yyjson_val   *value = yyjson_obj_getn(asked->site->schema, rule->keyword.at, rule->keyword.len);
    struct tn_buf text;

    if (!yyjson_is_obj(asked->site->schema) ||
        (rule->type.len > 0 && !tn_site_has_type(asked->site->schema, rule->type.at)))
        return false;
    if (!value)
        return rule->needed &&
               breaks(asked, SAY_LINT_VALUE_MISSING, (int)rule->keyword.len, rule->keyword.at);
    if (tn_rule_allows(rule, value))
        return false;
    if (!asked->what)
        return true;
    tn_buf_init(&text, asked->look->arena, 0, FINDINGS_TEXT_MAX);
    tn_echo_value(&text, value);
    return breaks(asked, SAY_LINT_VALUE, (int)rule->keyword.len, rule->keyword.at,
                  tn_buf_end(&text) ? text.at : "");
}

static bool check_beside(const struct asked *asked)
{
    return member(asked, "type") && check_keywords(asked);
}

static bool check_formats(const struct asked *asked)
{
    struct tn_slice format = tn_json_slice(member(asked, "format"));

    return format.at && !tn_site_lists(asked->rule->formats, format) &&
           breaks(asked, SAY_LINT_FORMAT, echo(asked, format));
}

/* ---- Types --------------------------------------------------------------------------------------------------------- */

static bool is_typed(yyjson_val *schema)
{
    static const char *const says[] = { "type", "$ref", "$dynamicRef", "anyOf", "oneOf", "allOf" };

    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (yyjson_obj_get(schema, says[i]))
            return true;
    return false;
}

static bool check_typed(const struct asked *asked)
{
    const struct tn_site *site = asked->site;

    if (site->way == SITE_VARIANT || site->way == SITE_PART ||
        (site->way == SITE_MEMBER && yyjson_is_bool(site->schema)))
        return false;
    return !is_typed(site->schema) && breaks(asked, "%s", SAY_LINT_UNTYPED);
}

static bool check_one_type(const struct asked *asked)
{
    return yyjson_is_arr(member(asked, "type")) && breaks(asked, "%s", SAY_LINT_TYPES);
}

static bool check_null(const struct asked *asked)
{
    return tn_site_allows_null(asked->site->schema) && breaks(asked, "%s", SAY_LINT_NULL);
}

static bool check_variants(const struct asked *asked)
{
    return asked->site->way == SITE_VARIANT && !yyjson_obj_get(asked->site->schema, "type") &&
           !yyjson_obj_get(asked->site->schema, "$ref") && breaks(asked, "%s", SAY_LINT_VARIANT);
}

static unsigned type_bit(struct tn_slice type)
{
    static const char *const names[] = { "string", "number", "integer", "boolean", "array", "object" };

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (tn_slice_is(type, names[i]))
            return i == 2 ? 1u << 1 : 1u << i; /* integers are numbers */
    return 0;
}

static unsigned type_bits(yyjson_val *schema)
{
    yyjson_val     *type  = yyjson_obj_get(schema, "type");
    yyjson_arr_iter items = yyjson_arr_iter_with(type);
    unsigned        bits  = type_bit(tn_json_slice(type));
    yyjson_val     *one;

    while (yyjson_is_arr(type) && (one = yyjson_arr_iter_next(&items)))
        bits |= type_bit(tn_json_slice(one));
    return bits;
}

static bool check_mixed(const struct asked *asked)
{
    static const char *const unions[] = { "anyOf", "oneOf" };
    unsigned                 bits     = type_bits(asked->site->schema);

    for (size_t i = 0; i < sizeof unions / sizeof *unions; i++) {
        yyjson_val     *variants = member(asked, unions[i]);
        yyjson_arr_iter items    = yyjson_arr_iter_with(variants);
        yyjson_val     *one;

        while (yyjson_is_arr(variants) && (one = yyjson_arr_iter_next(&items)))
            bits |= type_bits(one);
    }
    return (bits & (bits - 1)) != 0 && breaks(asked, "%s", SAY_LINT_MIXED);
}

/* ---- Structure ----------------------------------------------------------------------------------------------------- */

static bool check_reference(const struct asked *asked)
{
    struct tn_slice reference = tn_json_slice(member(asked, "$ref")), prefix = asked->rule->prefix;

    return reference.at && (reference.len < prefix.len || memcmp(reference.at, prefix.at, prefix.len) != 0) &&
           breaks(asked, SAY_LINT_REFERENCE, echo(asked, reference), (int)prefix.len, prefix.at);
}

static bool check_recursion(const struct asked *asked)
{
    return asked->site->way == SITE_ROOT && asked->look->recursive && breaks(asked, "%s", SAY_LINT_RECURSION);
}

/* The names of an array, to be asked often. */
static bool collect(struct tn_table *names, struct tn_arena *arena, yyjson_val *array)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val     *one;

    while (yyjson_is_arr(array) && (one = yyjson_arr_iter_next(&items)))
        if (yyjson_is_str(one) && !tn_table_add(names, arena, NULL, tn_json_slice(one), one))
            return false;
    return true;
}

static bool check_required(const struct asked *asked)
{
    yyjson_obj_iter names    = yyjson_obj_iter_with(member(asked, "properties"));
    struct tn_table required = { 0 };
    yyjson_val     *name;

    if (!collect(&required, asked->look->scratch, member(asked, "required")))
        return false;
    while ((name = yyjson_obj_iter_next(&names)))
        if (!tn_table_find(&required, NULL, tn_json_slice(name)))
            return breaks(asked, SAY_LINT_OPTIONAL, echo(asked, tn_json_slice(name)));
    return false;
}

static bool check_depth(const struct asked *asked)
{
    const struct tn_site *site = asked->site;

    return site->levels > asked->rule->most && (!site->outer || site->outer->levels < site->levels) &&
           breaks(asked, SAY_LINT_DEPTH, site->levels, asked->rule->most);
}

static const char *type_of(yyjson_val *value)
{
    if (yyjson_is_str(value))
        return "string";
    if (yyjson_is_bool(value))
        return "boolean";
    if (yyjson_is_null(value))
        return "null";
    return yyjson_is_num(value) || yyjson_is_raw(value) ? "number" : "object";
}

static bool differs_by_case(const struct asked *asked, struct tn_table *seen, struct tn_slice value)
{
    char *folded = tn_arena_copy(asked->look->scratch, value.at, value.len);
    void *other;

    for (size_t i = 0; folded && i < value.len; i++)
        folded[i] = (char)(folded[i] >= 'A' && folded[i] <= 'Z' ? folded[i] | 0x20 : folded[i]);
    if (!folded)
        return false;
    other = tn_table_add(seen, asked->look->scratch, NULL, (struct tn_slice){ folded, value.len }, folded);
    return other && other != (void *)folded;
}

static bool check_enum(const struct asked *asked)
{
    yyjson_val     *values = member(asked, "enum");
    yyjson_arr_iter items  = yyjson_arr_iter_with(values);
    struct tn_table seen   = { 0 };
    yyjson_val     *one;

    while (yyjson_is_arr(values) && (one = yyjson_arr_iter_next(&items))) {
        if (asked->rule->types && !tn_site_lists(asked->rule->types, tn_slice_of(type_of(one))))
            return breaks(asked, SAY_LINT_ENUM_TYPE, type_of(one));
        if (asked->rule->folds_case && yyjson_is_str(one) &&
            differs_by_case(asked, &seen, tn_json_slice(one)))
            return breaks(asked, SAY_LINT_ENUM_CASE, echo(asked, tn_json_slice(one)));
    }
    return false;
}

/* ---- All of them --------------------------------------------------------------------------------------------------- */

static const struct {
    bool (*check)(const struct asked *asked); /* NULL: not of a schema */
    const char *repair;
} checks[CHECKS] = {
    [CHECK_NAME]           = { NULL, SAY_REPAIR_NAME },
    [CHECK_PROPERTY_NAMES] = { check_property_names, SAY_REPAIR_PROPERTY_NAMES },
    [CHECK_KEYWORDS]       = { check_keywords, SAY_REPAIR_KEYWORDS },
    [CHECK_ONLY]           = { check_only, SAY_REPAIR_KEYWORDS },
    [CHECK_VALUE]          = { check_value, NULL },
    [CHECK_TYPED]          = { check_typed, SAY_REPAIR_TYPED },
    [CHECK_ONE_TYPE]       = { check_one_type, SAY_REPAIR_ONE_TYPE },
    [CHECK_NULL]           = { check_null, SAY_REPAIR_NULL },
    [CHECK_MIXED]          = { check_mixed, SAY_REPAIR_MIXED },
    [CHECK_VARIANTS]       = { check_variants, SAY_REPAIR_VARIANTS },
    [CHECK_BESIDE]         = { check_beside, SAY_REPAIR_BESIDE },
    [CHECK_REFERENCE]      = { check_reference, SAY_REPAIR_REFERENCE },
    [CHECK_RECURSION]      = { check_recursion, SAY_REPAIR_RECURSION },
    [CHECK_REQUIRED]       = { check_required, SAY_REPAIR_REQUIRED },
    [CHECK_DEPTH]          = { check_depth, SAY_REPAIR_DEPTH },
    [CHECK_FORMATS]        = { check_formats, SAY_REPAIR_FORMATS },
    [CHECK_ENUM]           = { check_enum, SAY_REPAIR_ENUM },
    [CHECK_COUNT]          = { NULL, SAY_REPAIR_COUNT },
    [CHECK_OUTPUT]         = { NULL, SAY_REPAIR_OUTPUT },
};

bool tn_rule_allows(const struct tn_profile_rule *rule, yyjson_val *value)
{
    return (!rule->allowed || holds(rule->allowed, value)) &&
           (!rule->refused || !holds(rule->refused, value));
}

const char *tn_rule_repair(enum tn_profile_check check)
{
    return checks[check].repair;
}

bool tn_rule_breaks(const struct tn_rule_look *look, const struct tn_profile_rule *rule,
                    const struct tn_site *site, struct tn_buf *what)
{
    struct asked asked = { look, rule, site, what };

    if (!checks[rule->check].check || (rule->at == AT_ROOT && site->way != SITE_ROOT) ||
        (rule->at == AT_INSIDE && site->way == SITE_ROOT))
        return false;
    return checks[rule->check].check(&asked);
}

bool tn_rule_breaks_name(const struct tn_rule_look *look, const struct tn_profile_rule *rule,
                         struct tn_slice name, struct tn_buf *what)
{
    struct asked asked = { look, rule, NULL, what };

    return breaks_name(&asked, name);
}
