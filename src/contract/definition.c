/* definition.c - reading a definition, and its hash. */
#include "contract/definition.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

const char *tn_kind_plural(enum tn_kind kind)
{
    static const char *const words[KINDS] = { "tools", "prompts", "templates" };

    return words[kind];
}

const char *tn_kind_word(enum tn_kind kind)
{
    static const char *const words[KINDS] = { "tool", "prompt", "template" };

    return words[kind];
}

const char *tn_kind_key(enum tn_kind kind)
{
    return kind == KIND_TEMPLATE ? "uriTemplate" : "name";
}

/* ---- What is not pinned ---------------------------------------------------------------------------------------- */

#define OWN "io.modelcontextprotocol/"

/* Keys that belong to one message: they are made anew wherever a message goes. */
static const char *const reserved[] = { OWN "protocolVersion", OWN "clientInfo",     OWN "clientCapabilities",
                                        OWN "logLevel",        OWN "subscriptionId", OWN "serverInfo",
                                        "progressToken" };

static bool is_pinned(struct tn_slice key, const tenon_strs *unpinned)
{
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        if (tn_slice_is(key, reserved[i]))
            return false;
    for (size_t i = 0; unpinned && i < unpinned->count; i++)
        if (tn_slice_is(key, unpinned->at[i]))
            return false;
    return true;
}

/* ---- The hash -------------------------------------------------------------------------------------------------- */

static enum tn_canonical write_member(struct tn_buf *out, struct tn_arena *arena,
                                      const struct tn_canonical_member *member, size_t from)
{
    if (out->len > from)
        tn_buf_char(out, ',');
    tn_canonical_string(out, member->name);
    tn_buf_char(out, ':');
    return tn_canonical_write(out, arena, member->value);
}

/* `_meta` with what is pinned of it; nothing when nothing is. */
static enum tn_canonical write_meta(struct tn_buf *out, struct tn_arena *arena, yyjson_val *meta,
                                    const tenon_strs *unpinned, size_t from)
{
    size_t                            count = yyjson_obj_size(meta), before = out->len, opened;
    const struct tn_canonical_member *all   = tn_canonical_members(arena, meta);
    enum tn_canonical                 fault = all ? CANONICAL_FINE : CANONICAL_MEMORY;

    if (before > from)
        tn_buf_char(out, ',');
    tn_buf_lit(out, "\"_meta\":{");
    opened = out->len;
    for (size_t i = 0; fault == CANONICAL_FINE && i < count; i++)
        if (is_pinned(all[i].name, unpinned))
            fault = write_member(out, arena, &all[i], opened);
    if (out->len == opened && count > 0)
        out->len = before;
    else
        tn_buf_char(out, '}');
    return fault;
}

static enum tn_canonical write_pinned(struct tn_buf *out, struct tn_arena *arena, yyjson_val *definition,
                                      const tenon_strs *unpinned)
{
    size_t                            count = yyjson_obj_size(definition), from;
    const struct tn_canonical_member *all   = tn_canonical_members(arena, definition);
    enum tn_canonical                 fault = all ? CANONICAL_FINE : CANONICAL_MEMORY;

    tn_buf_char(out, '{');
    from = out->len;
    for (size_t i = 0; fault == CANONICAL_FINE && i < count; i++)
        fault = tn_slice_is(all[i].name, "_meta") && yyjson_is_obj(all[i].value)
                    ? write_meta(out, arena, all[i].value, unpinned, from)
                    : write_member(out, arena, &all[i], from);
    tn_buf_char(out, '}');
    return fault == CANONICAL_FINE && out->failed ? CANONICAL_MEMORY : fault;
}

struct tn_definition tn_definition_read(struct tn_arena *arena, enum tn_kind kind, struct tn_slice text,
                                        const tenon_strs *unpinned)
{
    struct tn_definition definition = { .fault = CANONICAL_FINE };
    struct tn_buf        line, form;

    definition.fault = tn_canonical_read(arena, text, DEFINITION_DEPTH_MAX, &definition.value);
    if (!definition.value)
        return definition;
    definition.name = tn_json_slice(yyjson_obj_get(definition.value, tn_kind_key(kind)));
    tn_buf_init(&line, arena, text.len + 1, CANONICAL_BYTES_MAX);
    tn_canonical_line(&line, definition.value);
    tn_buf_init(&form, arena, text.len + 1, CANONICAL_BYTES_MAX);
    if (definition.fault == CANONICAL_FINE && !yyjson_is_obj(definition.value))
        definition.fault = CANONICAL_SYNTAX;
    if (definition.fault == CANONICAL_FINE)
        definition.fault = write_pinned(&form, arena, definition.value, unpinned);
    if (!tn_buf_end(&line))
        definition.fault = CANONICAL_MEMORY;
    definition.text = tn_buf_slice(&line);
    if (definition.fault == CANONICAL_FINE)
        tn_canonical_hash(tn_buf_slice(&form), definition.hash);
    return definition;
}
