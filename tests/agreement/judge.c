/* judge.c - generates arguments for every tool that is judged and prints what the library makes of them, a JSON line each.
 *
 * A line is a tool (its schemas, and what its rows allow beyond them) or a call of the tool before it (the arguments as
 * text, the answer, what the call counted). agree.mjs reads them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agreement/judged.h"
#include "base/utf8.h"
#include "rows/row_shape.h"
#include "support/mutate.h"
#include "support/random.h"
#include "support/valid.h"

#define RANDOM_CALLS 600 /* of each tool */

struct run {
    tenon_call            *call, *portable; /* the second of a box whose callers have the portable form */
    const char            *tool;
    const tenon_tool_view *view;
};

/* ---- Tools --------------------------------------------------------------------------------------------------- */

static void flag(yyjson_mut_doc *doc, yyjson_mut_val *to, const char *name, bool on)
{
    if (on)
        yyjson_mut_obj_add_bool(doc, to, name, true);
}

static yyjson_mut_val *describe_object(yyjson_mut_doc *doc, const struct tn_object *object);

/* What the published schema of a value does not say. */
static yyjson_mut_val *describe(yyjson_mut_doc *doc, const struct tn_node *node)
{
    /* clang-format off */
    static const char *const kinds[] = {
        [TENON_KIND_STR] = "str", [TENON_KIND_PATH] = "path", [TENON_KIND_ABSPATH] = "path", [TENON_KIND_UUID] = "uuid",
        [TENON_KIND_URL] = "url", [TENON_KIND_ID] = "id", [TENON_KIND_DATE] = "date", [TENON_KIND_TIMESTAMP] = "timestamp",
        [TENON_KIND_INT] = "int", [TENON_KIND_NUM] = "num", [TENON_KIND_BOOL] = "bool", [TENON_KIND_ENUM] = "enum",
        [TENON_KIND_STRS] = "list", [TENON_KIND_PATHS] = "list", [TENON_KIND_INTS] = "list", [TENON_KIND_NUMS] = "list",
        [TENON_KIND_ENUMS] = "list", [TENON_KIND_OBJECTS] = "list", [TENON_KIND_OBJECT] = "object",
        [TENON_KIND_MAP] = "map", [TENON_KIND_JSON] = "json",
    };
    /* clang-format on */
    yyjson_mut_val *out = yyjson_mut_obj(doc);

    yyjson_mut_obj_add_str(doc, out, "kind", kinds[node->kind]);
    flag(doc, out, "strict", node->strict);
    flag(doc, out, "secret", node->secret);
    flag(doc, out, "jsonText", node->json_text || node->kind == TENON_KIND_JSON);
    flag(doc, out, "comma", node->list.comma);
    flag(doc, out, "blankOk", node->text.blank_ok);
    flag(doc, out, "schemes", node->text.schemes != NULL);
    flag(doc, out, "clamp", node->integer.clamp || node->number.clamp);
    if (node->integer.low_default)
        yyjson_mut_obj_add_sint(doc, out, "lowDefault", node->integer.def);
    if (node->number.tolerance > 0)
        yyjson_mut_obj_add_real(doc, out, "tolerance", node->number.tolerance);
    if (node->choice) {
        yyjson_mut_val *names = yyjson_mut_obj_add_arr(doc, out, "names");

        for (size_t i = 0; i < node->choice->count; i++)
            if (node->choice->names[i].at)
                yyjson_mut_arr_add_strncpy(doc, names, node->choice->names[i].at, node->choice->names[i].len);
        flag(doc, out, "exact", node->choice->exact);
    }
    if (node->object)
        yyjson_mut_obj_add_val(doc, out, "members", describe_object(doc, node->object));
    if (node->list.item)
        yyjson_mut_obj_add_val(doc, out, "item", describe(doc, node->list.item));
    return out;
}

static yyjson_mut_val *describe_object(yyjson_mut_doc *doc, const struct tn_object *object)
{
    yyjson_mut_val *out = yyjson_mut_obj(doc);

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];
        yyjson_mut_val        *value = describe(doc, param->node), *aliases = yyjson_mut_arr(doc);
        struct tn_slice        rest = tn_slice_of(param->row->rule.any.alias), alias;

        flag(doc, value, "required", param->required);
        while (tn_slice_split(&rest, ',', &alias))
            yyjson_mut_arr_add_strncpy(doc, aliases, tn_slice_trim(alias).at, tn_slice_trim(alias).len);
        yyjson_mut_obj_add_val(doc, value, "aliases", aliases);
        yyjson_mut_obj_add_val(doc, out, param->name, value);
    }
    return out;
}

/* The codes of the rules that a schema cannot say, of the object and what is in it. */
static void list_rules(yyjson_mut_doc *doc, yyjson_mut_val *to, const struct tn_object *object)
{
    static const char *const codes[] = {
        [TENON_KIND_ORDERED] = "order",       [TENON_KIND_TOGETHER] = "together",
        [TENON_KIND_EXCLUSIVE] = "exclusive", [TENON_KIND_ANY_OF] = "any_of",
        [TENON_KIND_REQUIRES] = "requires",
    };

    for (size_t i = 0; i < object->rule_count; i++)
        yyjson_mut_arr_add_str(doc, to, codes[object->rules[i].kind]);
    for (size_t i = 0; i < object->hook_count; i++)
        if (object->hooks[i].check)
            yyjson_mut_arr_add_str(doc, to, "check");
    for (size_t i = 0; i < object->count; i++) {
        if (object->params[i].node->check)
            yyjson_mut_arr_add_str(doc, to, "check");
        if (object->params[i].node->object)
            list_rules(doc, to, object->params[i].node->object);
    }
}

static void print_tool(const tenon_tool *tool, const tenon_tool_view *view, const struct tn_object *object)
{
    yyjson_mut_doc *doc  = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    char           *json;

    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "tool", view->name);
    yyjson_mut_obj_add_val(doc, root, "input", yyjson_mut_raw(doc, view->input));
    yyjson_mut_obj_add_val(doc, root, "portable", yyjson_mut_raw(doc, view->portable_input));
    yyjson_mut_obj_add_val(doc, root, "output", yyjson_mut_raw(doc, view->output));
    flag(doc, root, "strict", tool->info.strict);
    flag(doc, root, "destructive", (tool->info.hints & TENON_DESTRUCTIVE) != 0);
    flag(doc, root, "lenient",
         tool->info.unknown == TENON_UNKNOWN_MESSAGE || tool->info.unknown == TENON_UNKNOWN_IGNORE);
    yyjson_mut_obj_add_val(doc, root, "members", describe_object(doc, object));
    list_rules(doc, yyjson_mut_obj_add_arr(doc, root, "rules"), object);
    json = yyjson_mut_write(doc, 0, NULL);
    puts(json);
    free(json);
    yyjson_mut_doc_free(doc);
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

static void print_call(struct run *run, const char *json, size_t len)
{
    const tenon_answer *answer;
    yyjson_mut_doc     *doc;
    yyjson_mut_val     *root;
    char               *line;

    if (!tn_utf8_valid(json, len))
        return; /* no text that another validator could be given */
    answer = tenon_call_run(run->call, run->tool, json, len);
    doc    = yyjson_mut_doc_new(NULL);
    root   = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_strn(doc, root, "args", json, len);
    yyjson_mut_obj_add_uint(doc, root, "reformed", tenon_call_reformed(run->call));
    yyjson_mut_obj_add_uint(doc, root, "coerced", tenon_call_coerced(run->call));
    yyjson_mut_obj_add_val(doc, root, "answer", yyjson_mut_rawn(doc, answer->json, answer->len));
    answer = tenon_call_run(run->portable, run->tool, json, len);
    yyjson_mut_obj_add_val(doc, root, "portableAnswer", yyjson_mut_rawn(doc, answer->json, answer->len));
    line = yyjson_mut_write(doc, 0, NULL);
    puts(line);
    free(line);
    yyjson_mut_doc_free(doc);
}

static yyjson_mut_val *in_portable_form(yyjson_mut_doc *doc, yyjson_val *schema, yyjson_mut_val *value);

/* What leaves a property out, by its own words; a default stands at the end of them. */
static yyjson_mut_val *left_out(yyjson_mut_doc *doc, yyjson_val *schema)
{
    const char     *description = yyjson_get_str(yyjson_obj_get(schema, "description")), *end;
    const char     *send        = strstr(description, "{optional: send ");
    const char     *def         = strstr(description, "default: ");
    size_t          skipped     = strlen("{optional: send ");
    yyjson_doc     *read;
    yyjson_mut_val *value;

    if (send && (end = strstr(send, " to leave it out")))
        return yyjson_mut_rawncpy(doc, send + skipped, (size_t)(end - send) - skipped);
    if (!def)
        return NULL;
    def += strlen("default: ");
    read  = yyjson_read(def, strlen(def) - 1, 0);
    value = read ? yyjson_val_mut_copy(doc, yyjson_doc_get_root(read)) : NULL;
    yyjson_doc_free(read);
    return value ? in_portable_form(doc, schema, value) : NULL;
}

/* Arguments as a client of the portable form sends them: every property, by its schema. */
static yyjson_mut_val *in_portable_form(yyjson_mut_doc *doc, yyjson_val *schema, yyjson_mut_val *value)
{
    yyjson_val         *type = yyjson_obj_get(schema, "type"), *key;
    yyjson_mut_val     *made, *item;
    yyjson_obj_iter     properties;
    yyjson_mut_arr_iter items;
    char               *text;

    if (yyjson_equals_str(type, "string") && !yyjson_mut_is_str(value)) {
        text = yyjson_mut_val_write(value, 0, NULL);
        made = yyjson_mut_strcpy(doc, text);
        free(text);
        return made;
    }
    if (yyjson_equals_str(type, "array") && yyjson_mut_is_arr(value)) {
        made = yyjson_mut_arr(doc);
        yyjson_mut_arr_iter_init(value, &items);
        while ((item = yyjson_mut_arr_iter_next(&items)))
            yyjson_mut_arr_append(made, in_portable_form(doc, yyjson_obj_get(schema, "items"), item));
        return made;
    }
    if (!yyjson_equals_str(type, "object") || !yyjson_mut_is_obj(value))
        return yyjson_mut_val_mut_copy(doc, value);
    made = yyjson_mut_obj(doc);
    yyjson_obj_iter_init(yyjson_obj_get(schema, "properties"), &properties);
    while ((key = yyjson_obj_iter_next(&properties))) {
        yyjson_val     *property = yyjson_obj_iter_get_val(key);
        yyjson_mut_val *given    = yyjson_mut_obj_getn(value, yyjson_get_str(key), yyjson_get_len(key));

        given = given ? in_portable_form(doc, property, given) : left_out(doc, property);
        if (given) /* else there is no way to leave it out, and the schema refuses what follows */
            yyjson_mut_obj_add(made, yyjson_val_mut_copy(doc, key), given);
    }
    return made;
}

static void print_portable(struct run *run, yyjson_mut_doc *doc)
{
    yyjson_doc         *schema = yyjson_read(run->view->portable_input, strlen(run->view->portable_input), 0);
    yyjson_mut_val     *root   = yyjson_mut_obj(doc);
    size_t              len;
    char               *args   = yyjson_mut_write(doc, 0, &len), *line;
    const tenon_answer *answer = tenon_call_run(run->call, run->tool, args, len);

    yyjson_mut_obj_add_val(doc, root, "wide", yyjson_mut_rawncpy(doc, answer->json, answer->len));
    free(args);
    yyjson_mut_doc_set_root(doc,
                            in_portable_form(doc, yyjson_doc_get_root(schema), yyjson_mut_doc_get_root(doc)));
    args   = yyjson_mut_write(doc, 0, &len);
    answer = tenon_call_run(run->portable, run->tool, args, len);
    yyjson_mut_obj_add_val(doc, root, "answer", yyjson_mut_rawncpy(doc, answer->json, answer->len));
    yyjson_mut_obj_add_strncpy(doc, root, "portableArgs", args, len);
    free(args);
    line = yyjson_mut_val_write(root, 0, NULL);
    puts(line);
    free(line);
    yyjson_doc_free(schema);
}

static void print_mutation(void *user, const struct mutation *mutation)
{
    print_call(user, mutation->json, mutation->len);
}

/* Some members of a good call, each good or drawn from a hat. */
static void print_random(struct run *run, struct random *random, const struct tn_object *object)
{
    static const char *const hat[] = {
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "7",
        "2.0",
        "0.5",
        "1e3",
        "9007199254740993",
        "9223372036854775808",
        "1e400",
        "\"\"",
        "\" \"",
        "\"none\"",
        "\"7\"",
        "\" 7 \"",
        "\"7.0\"",
        "\"1e2\"",
        "\"0.5\"",
        "\"true\"",
        "\"FALSE\"",
        "\"red\"",
        "\"RED\"",
        "\"high, Low\"",
        "\"CRITICAL\"",
        "\"1,2,3\"",
        "\"a,b\"",
        "\"text\"",
        "\"\xC3\xA4\"",
        "\"a/../b\"",
        "\"./a//b.md\"",
        "\"/srv/x.json\"",
        "\"2025-01-15\"",
        "\"2025-01-15T10:30:00+01:00\"",
        "\"1969-12-31\"",
        "1736899200000",
        "1736899200",
        "\"https://example.com/x\"",
        "\"ftp://example.com\"",
        "\"2EB8AA08-aa98-41ea-b4aa-73b441d16380\"",
        "\"ada@example.com\"",
        "[]",
        "[1]",
        "[\"a\",\"b\"]",
        "[1,1]",
        "[\"a\",\"a\"]",
        "[null]",
        "[{}]",
        "[\"low\",\"LOW\"]",
        "\"[1,2]\"",
        "\"[\\\"a\\\"]\"",
        "{}",
        "{\"a\":\"b\"}",
        "{\"street\":\"Main\"}",
        "\"{\\\"street\\\":\\\"Main\\\"}\"",
        "{\"a\":1}",
        "\"{}\"",
        "\"{\"",
        "\"a\\u0000b\"",
    };
    yyjson_mut_doc     *doc  = yyjson_mut_doc_new(NULL);
    yyjson_mut_val     *args = valid_object(doc, object, (enum valid)random_below(random, VALID_KINDS)), *key;
    yyjson_mut_val     *root = yyjson_mut_obj(doc);
    yyjson_mut_obj_iter iter;
    size_t              len;
    char               *json;

    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_iter_init(args, &iter);
    while ((key = yyjson_mut_obj_iter_next(&iter))) {
        yyjson_mut_val *value = yyjson_mut_obj_iter_get_val(key);

        if (random_below(random, 8) == 0)
            continue;
        if (random_below(random, 5) == 0)
            value = yyjson_mut_raw(doc, hat[random_below(random, sizeof hat / sizeof *hat)]);
        yyjson_mut_obj_add(root, yyjson_mut_val_mut_copy(doc, key), yyjson_mut_val_mut_copy(doc, value));
    }
    if (random_below(random, 20) == 0)
        yyjson_mut_obj_add_int(doc, root, "zz", 1);
    json = yyjson_mut_write(doc, 0, &len);
    print_call(run, json, len);
    free(json);
    yyjson_mut_doc_free(doc);
}

static void print_calls(struct run *run, const struct tn_object *object)
{
    const struct mutate_how how    = { .unknown = TENON_UNKNOWN_REJECT };
    struct random           random = { 42 };

    for (enum valid kind = VALID_LEAST; kind < VALID_KINDS; kind++) {
        yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
        size_t          len;
        char           *json;

        yyjson_mut_doc_set_root(doc, valid_object(doc, object, kind));
        json = yyjson_mut_write(doc, 0, &len);
        print_call(run, json, len);
        free(json);
        if (kind != VALID_LAST)
            mutate_call(doc, object, &how, print_mutation, run);
        print_portable(run, doc);
        yyjson_mut_doc_free(doc);
    }
    for (int i = 0; i < RANDOM_CALLS; i++)
        print_random(run, &random, object);
}

int main(void)
{
    size_t                   count;
    const tenon_tool *const *tools = judged_tools(&count);
    tenon_toolbox           *box = judged_box(false), *portable = judged_box(true);
    struct run               run = { .call = tenon_call_new(box), .portable = tenon_call_new(portable) };

    for (size_t i = 0; i < count; i++) {
        const tenon_tool_view *view  = tenon_toolbox_tool(box, i);
        tenon_shape           *shape = tn_shape_compile(&tools[i]->rows, tools[i]->handler, NULL);

        run.tool = view->name;
        run.view = view;
        print_tool(tools[i], view, shape->object);
        print_calls(&run, shape->object);
        tenon_shape_free(shape);
    }
    tenon_call_free(run.call);
    tenon_call_free(run.portable);
    tenon_toolbox_free(box);
    tenon_toolbox_free(portable);
    return 0;
}
