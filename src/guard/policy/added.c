/* added.c - keys that clients add to the arguments of a call. */
#include "guard/policy/added.h"

#include "document/document.h"
#include "guard/phrases.h"
#include "json/member.h"
#include "json/read.h"
#include "net/client/client.h"

#define SAID_MAX ((size_t)4096)

/* n8n passes the item that it works on to the tool, beside what the model wrote: the id of the call (n8n-io/n8n#21500, #21716,
 * notion-mcp-server#146), and in workflows that a chat begins the message of that chat with its session and action
 * (hald/things-mcp#30, hevy-mcp#160). The last two are words that a model may use as well: alone they are not taken for n8n's. */
static const struct {
    const char *name;
    bool        sure;
} added[] = {
    { "toolCallId", true },
    { "chatInput", true },
    { "sessionId", false },
    { "action", false },
};

static bool is_added(yyjson_val *name, bool sure)
{
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        if ((added[i].sure || !sure) && yyjson_equals_str(name, added[i].name))
            return true;
    return false;
}

/* The names that a schema has, when it alone says so and says nothing of others but that they are refused; or NULL. */
static yyjson_val *names_of(const struct tn_offered *tool)
{
    static const char *const others[] = { "$ref",
                                          "$dynamicRef",
                                          "allOf",
                                          "anyOf",
                                          "oneOf",
                                          "if",
                                          "dependentSchemas",
                                          "patternProperties",
                                          "dependencies" };
    yyjson_val              *schema   = tool->tool.schema ? tool->tool.schema->node->schema->source : NULL;
    yyjson_val              *more     = yyjson_obj_get(schema, "additionalProperties");

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (yyjson_obj_get(schema, others[i]))
            return NULL;
    return more && !yyjson_is_false(more) ? NULL : yyjson_obj_get(schema, "properties");
}

static bool is_dropped(yyjson_val *name, yyjson_val *declared)
{
    return is_added(name, false) && !yyjson_obj_getn(declared, yyjson_get_str(name), yyjson_get_len(name));
}

/* The first name from here on of those that only a client can mean, or NULL. */
static yyjson_val *next_sure(yyjson_obj_iter *names)
{
    yyjson_val *name;

    do
        name = yyjson_obj_iter_next(names);
    while (name && !is_added(name, true));
    return name;
}

bool tn_added_are_in(const struct tn_offered *tool, yyjson_val *arguments)
{
    yyjson_obj_iter names    = yyjson_obj_iter_with(arguments);
    yyjson_val     *name     = next_sure(&names);
    yyjson_val     *declared = name ? names_of(tool) : NULL; /* which takes longer, and is rarely needed */

    while (name && yyjson_is_obj(declared)) {
        if (is_dropped(name, declared))
            return true;
        name = next_sure(&names);
    }
    return false;
}

static void say(struct tn_buf *out, yyjson_val *name)
{
    char sentence[sizeof GUARD_ADDED + 32];
    int  len = snprintf(sentence, sizeof sentence, GUARD_ADDED, yyjson_get_str(name));

    tn_buf_char(out, out->len > 0 ? ',' : '[');
    tn_json_string(out, sentence, (size_t)len);
}

size_t tn_added_drop(struct tn_arena *arena, const struct tn_offered *tool, yyjson_val **arguments,
                     struct tn_slice *text, struct tn_slice *said)
{
    const struct tn_json_limits limits   = { text->len, CLIENT_DEPTH_MAX, CLIENT_NODES(text->len) };
    yyjson_val                 *declared = names_of(tool), *root, *name;
    struct tn_members           all      = tn_members_of(*text);
    yyjson_obj_iter             names    = yyjson_obj_iter_with(*arguments);
    struct tn_buf               out, told;
    struct tn_member            one;
    size_t                      count = 0;

    tn_buf_init(&out, arena, text->len, text->len + 1);
    tn_buf_init(&told, arena, 256, SAID_MAX);
    tn_buf_char(&out, '{');
    while (tn_members_next(&all, &one) && (name = yyjson_obj_iter_next(&names))) {
        if (!is_dropped(name, declared)) {
            tn_member_add(&out, 1, &one);
            continue;
        }
        say(&told, name);
        count++;
    }
    tn_buf_char(&out, '}');
    tn_buf_char(&told, ']');
    root = out.failed || told.failed ? NULL : tn_json_read(arena, out.at, out.len, &limits).root;
    if (!root)
        return 0;
    *arguments = root;
    *text      = tn_buf_slice(&out);
    *said      = tn_buf_slice(&told);
    return count;
}
