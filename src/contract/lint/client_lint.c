/* client_lint.c - one finding for each rule of a profile that a tool breaks, with its first place. */
#include "contract/lint/inside.h"
#include "contract/lint/recursion.h"
#include "contract/phrases.h"
#include "json/echo.h"

#define WHAT_MAX ((size_t)2000)

/* What one rule has found in one tool. */
struct breach {
    size_t        count;
    struct tn_buf what, place;
};

/* All rules of all profiles, over one tool. */
struct walk {
    const struct tn_lint_tool *tool;
    struct tn_rule_look        look;
    struct breach             *breaches; /* one for each rule, profile after profile */
    struct tn_lint_sums        sums;
};

/* ---- How many ------------------------------------------------------------------------------------------------------- */

static size_t count_texts(yyjson_val *array)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    size_t          len   = 0;
    yyjson_val     *one;

    while (yyjson_is_arr(array) && (one = yyjson_arr_iter_next(&items)))
        len += tn_json_slice(one).len;
    return len;
}

static void count_site(struct tn_lint_sums *sums, const struct tn_site *site)
{
    yyjson_val *values = yyjson_obj_get(site->schema, "enum");

    if (site->way == SITE_PROPERTY) {
        sums->at[COUNT_PROPERTIES]++;
        sums->at[COUNT_CHARACTERS] += site->name.len;
    }
    if (site->way == SITE_DEFINITION)
        sums->at[COUNT_CHARACTERS] += site->name.len;
    if (yyjson_obj_get(site->schema, "anyOf") || yyjson_obj_get(site->schema, "oneOf") ||
        yyjson_is_arr(yyjson_obj_get(site->schema, "type")))
        sums->at[COUNT_UNIONS]++;
    if (yyjson_is_obj(yyjson_obj_get(site->schema, "properties"))) {
        size_t all      = yyjson_obj_size(yyjson_obj_get(site->schema, "properties"));
        size_t required = yyjson_arr_size(yyjson_obj_get(site->schema, "required"));

        sums->at[COUNT_OPTIONAL] += all > required ? all - required : 0;
    }
    sums->at[COUNT_ENUM_VALUES] += yyjson_arr_size(values);
    sums->at[COUNT_CHARACTERS] += count_texts(values) +
                                  tn_json_slice(yyjson_obj_get(site->schema, "const")).len;
}

static const char *count_words(enum tn_profile_count of)
{
    static const char *const words[COUNTS] = { [COUNT_TOOLS]       = "tools",
                                               [COUNT_PROPERTIES]  = "properties",
                                               [COUNT_OPTIONAL]    = "properties that are not required",
                                               [COUNT_UNIONS]      = "unions",
                                               [COUNT_ENUM_VALUES] = "values of enums",
                                               [COUNT_CHARACTERS]  = "characters in names and values" };

    return words[of];
}

/* ---- What is broken ------------------------------------------------------------------------------------------------- */

static struct tn_buf *begin(struct walk *walk, struct breach *breach)
{
    if (breach->count > 0)
        return NULL;
    tn_buf_init(&breach->what, walk->tool->scratch, 0, WHAT_MAX);
    tn_buf_init(&breach->place, walk->tool->scratch, 0, WHAT_MAX);
    return &breach->what;
}

static void look_at_site(void *user, const struct tn_site *site)
{
    struct walk          *walk   = user;
    const struct tn_lint *lint   = walk->tool->lint;
    struct breach        *breach = walk->breaches;

    count_site(&walk->sums, site);
    for (size_t i = 0; i < lint->profile_count; i++)
        for (size_t j = 0; j < lint->profiles[i]->count; j++, breach++) {
            if (!tn_rule_breaks(&walk->look, &lint->profiles[i]->rules[j], site, begin(walk, breach)))
                continue;
            if (breach->count++ == 0) {
                tn_buf_lit(&breach->place, LINT_INPUT);
                tn_site_pointer(&breach->place, site);
            }
        }
}

static void look_at_tool(struct walk *walk, const struct tn_profile_rule *rule, struct breach *breach)
{
    struct tn_slice name   = walk->tool->definition->name;
    bool            output = yyjson_obj_get(walk->tool->definition->value, "outputSchema");
    struct tn_buf  *what;

    if (rule->check == CHECK_NAME && tn_rule_breaks_name(&walk->look, rule, name, begin(walk, breach))) {
        breach->count = 1;
        tn_buf_lit(&breach->place, "/name");
    } else if (rule->check == CHECK_OUTPUT && output) {
        what          = begin(walk, breach);
        breach->count = 1;
        tn_buf_lit(&breach->place, LINT_OUTPUT);
        tn_buf_lit(what, SAY_LINT_OUTPUT);
    } else if (rule->check == CHECK_COUNT && !rule->whole_list && walk->sums.at[rule->of] > rule->most) {
        what          = begin(walk, breach);
        breach->count = 1;
        tn_buf_lit(&breach->place, LINT_INPUT);
        tn_buf_addf(what, SAY_LINT_COUNT, walk->sums.at[rule->of], count_words(rule->of), rule->most);
    }
}

/* ---- Findings ------------------------------------------------------------------------------------------------------- */

/* How one is repaired; of a value by the value that it should have. */
static struct tn_slice repair_of(struct tn_arena *arena, const struct tn_profile_rule *rule)
{
    struct tn_buf out, value;

    if (rule->check != CHECK_VALUE)
        return tn_slice_of(tn_rule_repair(rule->check));
    tn_buf_init(&out, arena, 0, WHAT_MAX);
    tn_buf_init(&value, arena, 0, WHAT_MAX);
    if (rule->allowed) {
        tn_echo_value(&value, yyjson_arr_get_first(rule->allowed));
        tn_buf_addf(&out, SAY_REPAIR_VALUE, (int)rule->keyword.len, rule->keyword.at,
                    tn_buf_end(&value) ? value.at : "");
    } else if (rule->needed)
        tn_buf_addf(&out, SAY_REPAIR_VALUE_MISSING, (int)rule->keyword.len, rule->keyword.at);
    else
        tn_buf_lit(&out, SAY_REPAIR_VALUE_DROP);
    return tn_buf_slice(&out);
}

static void report(struct tn_lint *lint, const struct tn_profile *profile, const struct tn_profile_rule *rule,
                   struct tn_slice tool, struct breach *breach, struct tn_arena *scratch)
{
    tn_buf_addf(&breach->what, SAY_LINT_EFFECT, (int)rule->effect.len, rule->effect.at);
    if (breach->count > 1)
        tn_buf_addf(&breach->what, SAY_LINT_MORE, breach->count - 1, breach->count > 2 ? "s" : "");
    lint->findings.failed |= breach->what.arena->failed;
    tn_findings_add(&lint->findings, &(struct tn_finding){ .rule    = LINT_CHECKS + (size_t)rule->check,
                                                           .level   = rule->level,
                                                           .tool    = tool,
                                                           .place   = tn_buf_slice(&breach->place),
                                                           .message = tn_buf_slice(&breach->what),
                                                           .repair  = repair_of(scratch, rule),
                                                           .client  = profile->name });
}

static void report_all(struct walk *walk)
{
    struct tn_lint *lint   = walk->tool->lint;
    struct breach  *breach = walk->breaches;

    for (size_t i = 0; i < lint->profile_count; i++)
        for (size_t j = 0; j < lint->profiles[i]->count; j++, breach++) {
            const struct tn_profile_rule *rule = &lint->profiles[i]->rules[j];
            unsigned char                *cell = &lint->cells[walk->tool->at * lint->profile_count + i];

            look_at_tool(walk, rule, breach);
            if (breach->count == 0)
                continue;
            if (rule->level > *cell)
                *cell = (unsigned char)rule->level;
            report(lint, lint->profiles[i], rule, walk->tool->definition->name, breach, walk->tool->scratch);
        }
}

void tn_lint_clients(const struct tn_lint_tool *tool, struct tn_lint_sums *sums)
{
    yyjson_val *schema = yyjson_obj_get(tool->definition->value, "inputSchema");
    struct walk walk   = { .tool = tool,
                           .look = { .arena   = tool->scratch,
                                     .scratch = tool->scratch,
                                     .matcher = tool->matcher,
                                     .memory  = &tool->scratch->memory,
                                     .root    = schema } };
    size_t      rules  = 0;

    for (size_t i = 0; i < tool->lint->profile_count; i++)
        rules += tool->lint->profiles[i]->count;
    walk.breaches       = tn_arena_array(tool->scratch, rules + 1, struct breach);
    walk.look.recursive = tn_recursion_found(schema, tool->scratch);
    if (!walk.breaches)
        return;
    tn_sites_visit(schema, look_at_site, &walk);
    report_all(&walk);
    for (size_t i = 0; i < COUNTS; i++)
        sums->at[i] += walk.sums.at[i];
    sums->at[COUNT_TOOLS]++;
}

/* ---- Only whether ---------------------------------------------------------------------------------------------------- */

struct keeping {
    struct tn_rule_look             look;
    const struct tn_profile *const *profiles;
    size_t                          count;
    bool                            broken;
};

static void keep_site(void *user, const struct tn_site *site)
{
    struct keeping *keeping = user;

    for (size_t i = 0; i < keeping->count && !keeping->broken; i++)
        for (size_t j = 0; j < keeping->profiles[i]->count; j++) {
            const struct tn_profile_rule *rule = &keeping->profiles[i]->rules[j];

            keeping->broken |= rule->level >= LEVEL_WARNING &&
                               tn_rule_breaks(&keeping->look, rule, site, NULL);
        }
}

static void keep_tool(struct keeping *keeping, yyjson_val *definition, bool named)
{
    struct tn_slice name = tn_json_slice(yyjson_obj_get(definition, "name"));

    for (size_t i = 0; i < keeping->count; i++)
        for (size_t j = 0; j < keeping->profiles[i]->count; j++) {
            const struct tn_profile_rule *rule = &keeping->profiles[i]->rules[j];

            if (rule->level < LEVEL_WARNING)
                continue;
            keeping->broken |= rule->check == CHECK_OUTPUT && yyjson_obj_get(definition, "outputSchema");
            keeping->broken |= rule->check == CHECK_NAME && named &&
                               tn_rule_breaks_name(&keeping->look, rule, name, NULL);
        }
}

bool tn_lint_keeps(struct tn_arena *arena, const struct tn_profile *const *profiles, size_t count,
                   yyjson_val *definition, bool named)
{
    yyjson_val     *schema  = yyjson_obj_get(definition, "inputSchema");
    struct matcher *matcher = NULL;
    struct keeping  keeping = { .look     = { .arena   = arena,
                                              .scratch = arena,
                                              .matcher = &matcher,
                                              .memory  = &arena->memory,
                                              .root    = schema },
                                .profiles = profiles,
                                .count    = count };

    keeping.look.recursive = tn_recursion_found(schema, arena);
    tn_sites_visit(schema, keep_site, &keeping);
    keep_tool(&keeping, definition, named);
    tn_matcher_free(matcher);
    return !keeping.broken && !arena->failed;
}

/* ---- All tools ------------------------------------------------------------------------------------------------------- */

void tn_lint_list(struct tn_lint *lint, const struct tn_lint_sums *sums)
{
    for (size_t i = 0; i < lint->profile_count; i++)
        for (size_t j = 0; j < lint->profiles[i]->count; j++) {
            const struct tn_profile_rule *rule   = &lint->profiles[i]->rules[j];
            struct breach                 breach = { .count = 1 };

            if (rule->check != CHECK_COUNT || !rule->whole_list || sums->at[rule->of] <= rule->most)
                continue;
            tn_buf_init(&breach.what, lint->arena, 0, WHAT_MAX);
            tn_buf_init(&breach.place, lint->arena, 0, WHAT_MAX);
            tn_buf_addf(&breach.what, SAY_LINT_COUNT, sums->at[rule->of], count_words(rule->of), rule->most);
            report(lint, lint->profiles[i], rule, (struct tn_slice){ "", 0 }, &breach, lint->arena);
        }
}
