/* rules.c - who may call what: rules of single tools, of callers, and of all. */
#define _GNU_SOURCE
#include "document/document.h"
#include "guard/config/config.h"
#include "guard/config/spot.h"
#include "guard/phrases.h"
#include "guard/policy/clients.h"
#include "json/pointer.h"
#include "json/write.h"

#define SCHEMA_LEN_MAX  ((size_t)1 << 20)
#define CLIENTS_LEN_MAX ((size_t)4096)

struct tn_globs tn_config_globs(const struct tn_spot *spot)
{
    struct tn_spot allow = tn_spot_member(spot, "allow"), deny = tn_spot_member(spot, "deny");

    return (struct tn_globs){ tn_spot_texts(&allow), tn_spot_texts(&deny) };
}

/* ---- Tools ------------------------------------------------------------------------------------------------------- */

/* Where in the overlay the schema's own sentence says that it is wrong: "schema: #/properties/a/type: ...". */
static void report_overlay(const struct tn_spot *arguments, const char *said)
{
    const char     *from = strstr(said, "#"), *to = from ? strstr(from, ": ") : NULL;
    struct tn_slice pointer = { from ? from + 1 : "", from && to ? (size_t)(to - from) - 1 : 0 }, token;
    struct tn_spot  way[CONFIG_DEPTH_MAX];
    size_t          depth = 0, index;
    bool            bad   = false;

    way[0] = *arguments;
    while (depth + 1 < CONFIG_DEPTH_MAX && tn_pointer_step(arguments->tree->arena, &pointer, &token, &bad)) {
        const char *name  = tn_arena_copy(arguments->tree->arena, token.at, token.len);
        yyjson_val *value = tn_pointer_child(way[depth].value, token);

        if (!value || !name)
            break;
        way[depth + 1] = yyjson_is_arr(way[depth].value) && tn_pointer_index(token, &index)
                             ? tn_spot_item(&way[depth], index, value)
                             : tn_spot_member(&way[depth], name);
        depth++;
    }
    tn_spot_wrong(&way[depth], SAY_CONFIG_SCHEMA, to ? to + 2 : said);
}

/* Compiled once, to see whether it is one. */
static const char *overlay_of(const struct tn_spot *arguments)
{
    const tenon_schema_options options = { .size   = sizeof options,
                                           .memory = &arguments->tree->arena->memory };
    tenon_schema              *schema;
    struct tn_buf              text;

    if (!yyjson_is_obj(arguments->value))
        return NULL;
    tn_buf_init(&text, arguments->tree->arena, 0, SCHEMA_LEN_MAX);
    tn_json_value(&text, arguments->value);
    if (!tn_buf_end(&text))
        return NULL;
    schema = tn_schema_try(text.at, text.len, &options);
    if (!schema)
        tn_spot_wrong(arguments, "%s", SAY_MEMORY);
    else if (tenon_schema_error(schema))
        report_overlay(arguments, tenon_schema_error(schema));
    tenon_schema_free(schema);
    return text.at;
}

static struct tn_tool_rule rule_of(const struct tn_spot *tool)
{
    struct tn_spot arguments = tn_spot_member(tool, "arguments"), publish = tn_spot_member(tool, "publish");
    struct tn_spot say = tn_spot_member(tool, "say"), only = tn_spot_member(tool, "read-only");
    struct tn_spot rate      = tn_spot_member(tool, "rate");
    struct tn_tool_rule rule = { .name      = tool->name,
                                 .arguments = overlay_of(&arguments),
                                 .publish   = tn_spot_bool(&publish, false),
                                 .silent    = yyjson_equals_str(say.value, "nothing"),
                                 .read_only = tn_spot_bool(&only, false) };

    tn_spot_rate(&rate, &rule.rate);
    if (!arguments.value && publish.value)
        tn_spot_wrong(&publish, SAY_CONFIG_PUBLISH, "publish");
    if (!arguments.value && say.value)
        tn_spot_wrong(&say, SAY_CONFIG_PUBLISH, "say");
    return rule;
}

void tn_config_rules(const struct tn_spot *tools, struct tn_upstream *upstream)
{
    yyjson_obj_iter      names = yyjson_obj_iter_with(tools->value);
    struct tn_tool_rule *rules;
    yyjson_val          *name;

    if (yyjson_obj_size(tools->value) == 0)
        return;
    rules = tn_arena_array(tools->tree->arena, yyjson_obj_size(tools->value), struct tn_tool_rule);
    while (rules && (name = yyjson_obj_iter_next(&names))) {
        struct tn_spot tool = tn_spot_named(tools, name);

        if (yyjson_is_obj(tool.value) && !yyjson_equals_str(name, "allow") &&
            !yyjson_equals_str(name, "deny"))
            rules[upstream->rule_count++] = rule_of(&tool);
    }
    upstream->rules = rules;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void fill_callers(struct tn_policy *policy, const struct tn_spot *callers)
{
    yyjson_obj_iter        names = yyjson_obj_iter_with(callers->value);
    struct tn_caller_rule *rules;
    yyjson_val            *name;

    if (yyjson_obj_size(callers->value) == 0)
        return;
    rules = tn_arena_array(callers->tree->arena, yyjson_obj_size(callers->value), struct tn_caller_rule);
    while (rules && (name = yyjson_obj_iter_next(&names))) {
        struct tn_spot caller = tn_spot_named(callers, name), rate = tn_spot_member(&caller, "rate");

        rules[policy->caller_count] = (struct tn_caller_rule){ caller.name, tn_config_globs(&caller), { 0 } };
        tn_spot_rate(&rate, &rules[policy->caller_count++].rate);
    }
    policy->callers = rules;
}

/* One name, or a list of them; each must be known. */
static const char *clients_of(const struct tn_spot *publish)
{
    yyjson_arr_iter    items = yyjson_arr_iter_with(publish->value);
    struct tn_clients *clients;
    const char        *why;
    struct tn_buf      names;
    yyjson_val        *one;

    if (!publish->value)
        return NULL;
    tn_buf_init(&names, publish->tree->arena, 0, CLIENTS_LEN_MAX);
    if (yyjson_is_str(publish->value))
        tn_buf_text(&names, yyjson_get_str(publish->value));
    while (yyjson_is_arr(publish->value) && (one = yyjson_arr_iter_next(&items)))
        tn_buf_addf(&names, "%s%s", names.len > 0 ? "," : "", yyjson_get_str(one) ? yyjson_get_str(one) : "");
    clients = tn_buf_end(&names) ? tn_clients_new(&publish->tree->arena->memory, names.at, &why) : NULL;
    if (!clients)
        tn_spot_wrong(publish, "%s", names.failed ? SAY_MEMORY : why);
    tn_clients_free(clients);
    return names.failed ? NULL : names.at;
}

void tn_config_policy(struct tn_config *config, const struct tn_spot *root)
{
    struct tn_spot all = tn_spot_member(root, "policy"), only = tn_spot_member(&all, "read-only");
    struct tn_spot unknown = tn_spot_member(&all, "unknown"), repair = tn_spot_member(&all, "repair");
    struct tn_spot result = tn_spot_member(&all, "results"), changed = tn_spot_member(&all, "changed");
    struct tn_spot message = tn_spot_member(&all, "messages"), errors = tn_spot_member(&all, "schema-errors");
    struct tn_spot most = tn_spot_member(&all, "name-max"), callers = tn_spot_member(&all, "callers");
    struct tn_spot publish   = tn_spot_member(&all, "publish");
    struct tn_policy *policy = &config->policy;

    policy->read_only = tn_spot_bool(&only, false);
    policy->unknown   = (enum tn_guard_unknown)tn_spot_choice(&unknown, tn_policy_unknowns,
                                                              (int)policy->unknown);
    policy->repairs = (enum tn_guard_repairs)tn_spot_choice(&repair, tn_policy_repairs, (int)policy->repairs);
    policy->results = (enum tn_guard_results)tn_spot_choice(&result, tn_policy_results, (int)policy->results);
    policy->changed = (enum tn_guard_changed)tn_spot_choice(&changed, tn_policy_changes,
                                                            (int)policy->changed);
    policy->messages         = (enum tn_guard_messages)tn_spot_choice(&message, tn_policy_messages,
                                                                      (int)policy->messages);
    policy->pass_bad_schemas = yyjson_equals_str(errors.value, "pass");
    policy->name_max         = tn_spot_count(&most, policy->name_max);
    policy->publish          = clients_of(&publish);
    fill_callers(policy, &callers);
}
