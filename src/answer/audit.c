/* audit.c - arguments without secrets. When in doubt, hidden. */
#include "answer/audit.h"

#include "document/document.h"
#include "json/write.h"
#include "text/secret.h"

/* Of a tool that a schema document declares: by the names of members, and by what the schema says of them. */
static bool is_hidden_by_schema(const tenon_schema *schema, yyjson_val *key, yyjson_val *value)
{
    const struct tn_object_rules *rules = schema->node->schema->object;
    struct tn_slice               name  = tn_json_slice(key);
    uint32_t                      index;
    const struct tn_node         *node;

    if (tn_secret_is_key(name) || tn_secret_is_in(value, SIZE_MAX))
        return true;
    if (!schema->reading.secrets)
        return false;
    index = rules ? tn_verdict_property(rules, name.at, name.len) : NO_PROPERTY;
    node  = index == NO_PROPERTY ? NULL : rules->properties[index].node;
    return !node || yyjson_is_ctn(value) || node->secret || node->schema->in_place;
}

static bool is_hidden(const struct tn_tool *tool, yyjson_val *key, yyjson_val *value)
{
    const struct tn_object *object = tool->input ? tool->input->object : NULL;
    uint32_t                index;

    if (tool->schema)
        return is_hidden_by_schema(tool->schema, key, value);
    if (!object || tn_secret_is_key(tn_json_slice(key)) || tn_secret_is_in(value, SIZE_MAX))
        return true; /* without an object the tool could not be compiled: nothing is known of it */
    if (!tool->guarded)
        return false;
    if (yyjson_is_ctn(value))
        return true;
    index = tn_object_find(object, yyjson_get_str(key), yyjson_get_len(key));
    return index == PARAM_NONE || object->params[index].node->secret;
}

struct tn_slice tn_audit_arguments(tenon_call *call)
{
    yyjson_obj_iter members;
    yyjson_val     *key;
    struct tn_buf   out;
    bool            first = true;

    tn_buf_init(&out, &call->arena, 256, AUDIT_MAX);
    if (call->sent && !yyjson_is_obj(call->sent) && !yyjson_is_null(call->sent)) {
        tn_buf_lit(&out,
                   AUDIT_HIDDEN); /* a text or list, which was refused: nothing is known of what is in it */
        return tn_buf_slice(&out);
    }
    tn_buf_char(&out, '{');
    yyjson_obj_iter_init(call->sent, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);

        if (!first)
            tn_buf_char(&out, ',');
        first = false;
        tn_json_string(&out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(&out, ':');
        if (is_hidden(call->tool, key, value))
            tn_buf_lit(&out, AUDIT_HIDDEN);
        else
            tn_json_value(&out, value);
    }
    tn_buf_char(&out, '}');
    return tn_buf_slice(&out);
}
