/* fuzz_choice.c - the operator's word, then what was approved, then the server's own hint if it is to be trusted. */
#include "cli/contract/fuzz_choice.h"

#include "guard/policy/glob.h"
#include "json/write.h"

#define SCHEMA_MAX ((size_t)4 << 20)

static bool is_named(const char *const *patterns, size_t count, struct tn_slice name)
{
    for (size_t i = 0; i < count; i++)
        if (tn_glob_match(tn_slice_of(patterns[i]), name))
            return true;
    return false;
}

static bool hints_read_only(yyjson_val *definition)
{
    return yyjson_is_true(yyjson_obj_get(yyjson_obj_get(definition, "annotations"), "readOnlyHint"));
}

/* A configuration says it by tool. */
static bool is_configured(const struct target *target, struct tn_slice name)
{
    for (size_t i = 0; target->upstream && i < target->upstream->rule_count; i++)
        if (tn_slice_is(name, target->upstream->rules[i].name))
            return target->upstream->rules[i].read_only;
    return false;
}

/* An approved hint counts only of a definition that is still the approved one. */
static bool is_approved(const struct targets *targets, const struct target *target,
                        const struct tn_definition *tool)
{
    const struct tn_lock_entry *entry  = target_entry(target, &targets->lock);
    const struct tn_pinned     *pinned = entry ? tn_lock_pinned(entry, KIND_TOOL, tool->name) : NULL;

    return pinned && !tool->fault && memcmp(pinned->definition.hash, tool->hash, HASH_LEN) == 0 &&
           hints_read_only(pinned->definition.value);
}

static struct tn_slice text_of(struct tn_arena *arena, yyjson_val *value)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 256, SCHEMA_MAX);
    if (value)
        tn_json_value(&out, value);
    return tn_buf_slice(&out);
}

static struct tn_fuzz_tool tool_of(struct tn_arena *arena, const struct tn_definition *definition)
{
    yyjson_val         *input = yyjson_obj_get(definition->value, "inputSchema");
    struct tn_fuzz_tool tool  = { .name       = definition->name,
                                  .definition = definition->value,
                                  .input      = text_of(arena, input),
                                  .output     = text_of(arena,
                                                        yyjson_obj_get(definition->value, "outputSchema")) };

    if (!input)
        tool.input = SLICE_LIT("{\"type\":\"object\"}");
    if (yyjson_equals_str(yyjson_obj_get(yyjson_obj_get(definition->value, "execution"), "taskSupport"),
                          "required"))
        tool.left = "it needs tasks, which this client does not use";
    return tool;
}

static void choose_one(struct fuzz_chosen *chosen, struct targets *targets, const struct target *target,
                       const struct fuzz_choice *choice, const struct tn_definition *definition)
{
    struct tn_fuzz_tool tool;
    bool                read_only;

    if (!definition->value || definition->name.len == 0 ||
        (target->item.at && !tn_slice_same(target->item, definition->name)) ||
        (choice->only_count > 0 && !is_named(choice->only, choice->only_count, definition->name)))
        return;
    read_only = is_named(choice->read_only, choice->read_only_count, definition->name) ||
                is_configured(target, definition->name) || is_approved(targets, target, definition) ||
                (choice->trust_hints && hints_read_only(definition->value));
    if (!read_only && !choice->all) {
        chosen->left[chosen->left_count++] = definition->name;
        return;
    }
    tool                           = tool_of(&targets->remote.arena, definition);
    tool.read_only                 = read_only;
    chosen->tools[chosen->count++] = tool;
}

bool fuzz_choose(struct fuzz_chosen *chosen, struct targets *targets, const struct target *target,
                 const struct fuzz_choice *choice)
{
    const struct tn_offer_list *tools = &target->offer.kinds[KIND_TOOL];
    struct tn_arena            *arena = &targets->remote.arena;

    *chosen = (struct fuzz_chosen){ .tools = tn_arena_array(arena, tools->count + 1, struct tn_fuzz_tool),
                                    .left  = tn_arena_array(arena, tools->count + 1, struct tn_slice) };
    if (!chosen->tools || !chosen->left)
        return false;
    for (size_t i = 0; i < tools->count; i++)
        choose_one(chosen, targets, target, choice, &tools->at[i]);
    return !arena->failed;
}
