/* schema_tool_fuzz.c - arguments of tools that JSON Schema documents declare, through the whole call: every answer is a
 * sound envelope, and the same arguments give the same answer. A repair by the schema alone agrees with the tool, and what
 * a naive client makes of a refusal is a call like any other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/toolbox.h>
#include <yyjson.h>

#include "base/utf8.h"
#include "judging.h"
#include "model/json_equal.h"
#include "support/client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define TAKEN_LEN_MAX ((size_t)1 << 20)

static tenon_writer *taken; /* the arguments of the last call that was taken */

static tenon_outcome take(tenon_call *call, const tenon_json *args)
{
    tenon_writer_free(taken);
    taken = tenon_writer_new(NULL, TAKEN_LEN_MAX);
    tenon_write_json(taken, NULL, args);
    tenon_text(call, "%zu", tenon_json_count(args));
    return tenon_ok(call);
}

/* clang-format off */
static const char *const documents[] = {
    /* Known values of every type. */
    "{\"type\":\"object\",\"properties\":{\"mode\":{\"enum\":[\"fast\",\"slow\",\"x\"]},"
    "\"mixed\":{\"enum\":[\"one\",2,2.5,null,true,[1,{\"x\":[]}],{\"y\":1,\"z\":2},\"Two\",\"three\"]},"
    "\"fixed\":{\"const\":\"this\"},\"whole\":{\"const\":{\"a\":[1,2,3],\"b\":null}},"
    "\"level\":{\"type\":\"integer\",\"enum\":[1,2,3],\"default\":2}},\"additionalProperties\":false}",
    /* Text, numbers, lists. */
    "{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{"
    "\"name\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":20,\"pattern\":\"^(?:[a-z]|-)+$\"},"
    "\"code\":{\"type\":\"string\",\"pattern\":\"(a+)+$\"},\"pair\":{\"pattern\":\"^(\\\\w+) \\\\1(?!x)\"},"
    "\"day\":{\"type\":\"string\",\"format\":\"date\"},\"at\":{\"format\":\"date-time\"},\"mail\":{\"format\":\"email\"},"
    "\"uri\":{\"format\":\"uri\"},\"id\":{\"format\":\"uuid\"},\"host\":{\"format\":\"hostname\"},"
    "\"count\":{\"type\":\"integer\",\"minimum\":3,\"maximum\":9,\"default\":5},"
    "\"ratio\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.01},\"flag\":{\"type\":\"boolean\"},"
    "\"list\":{\"type\":\"array\",\"items\":{\"enum\":[\"a\",\"b\",\"c\"]},\"minItems\":1,\"maxItems\":9,\"uniqueItems\":true},"
    "\"tuple\":{\"prefixItems\":[{\"type\":\"integer\"},{\"type\":\"string\"}],\"items\":false},"
    "\"some\":{\"type\":\"array\",\"contains\":{\"type\":\"integer\"},\"maxContains\":2},"
    "\"authorization\":{\"type\":\"string\",\"minLength\":5},\"secret\":{\"type\":\"string\",\"writeOnly\":true,\"maxLength\":3}}}",
    /* Objects, maps, references. */
    "{\"type\":\"object\",\"properties\":{\"tree\":{\"$ref\":\"#/$defs/tree\"},"
    "\"map\":{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^[a-z_]+$\"},\"additionalProperties\":{\"type\":\"integer\"}},"
    "\"headers\":{\"type\":\"object\",\"patternProperties\":{\"^x-\":{\"type\":\"string\"},\"(a|b)*c\":{\"enum\":[\"on\",\"off\"]}},"
    "\"additionalProperties\":{\"type\":\"string\",\"maxLength\":5},\"maxProperties\":5},"
    "\"closed\":{\"allOf\":[{\"properties\":{\"p\":{\"type\":\"integer\"}}},{\"patternProperties\":{\"^q\":true}}],"
    "\"unevaluatedProperties\":false}},\"dependentRequired\":{\"a\":[\"b\"]},"
    "\"dependentSchemas\":{\"c\":{\"required\":[\"d\"],\"properties\":{\"d\":{\"enum\":[\"e\",\"f\"]}}}},"
    "\"$defs\":{\"tree\":{\"type\":\"object\",\"required\":[\"mode\"],\"properties\":{\"mode\":{\"enum\":[\"leaf\",\"node\"]},"
    "\"left\":{\"$ref\":\"#/$defs/tree\"},\"right\":{\"$ref\":\"#/$defs/tree\"},"
    "\"items\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/tree\"}}}}}}",
    /* Alternatives. */
    "{\"type\":\"object\",\"properties\":{\"shape\":{\"oneOf\":["
    "{\"type\":\"object\",\"required\":[\"kind\"],\"properties\":{\"kind\":{\"const\":\"circle\"},\"r\":{\"type\":\"number\"}}},"
    "{\"type\":\"object\",\"required\":[\"kind\"],\"properties\":{\"kind\":{\"const\":\"box\"},\"w\":{\"type\":\"integer\"}}},"
    "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}]},"
    "\"any\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\",\"pattern\":\"^#\"},{\"type\":\"null\"},{\"enum\":[\"all\",[1]]}]},"
    "\"no\":{\"not\":{\"type\":\"string\"}},\"mode\":{\"type\":\"string\"},\"name\":{\"type\":\"string\"}},"
    "\"if\":{\"properties\":{\"mode\":{\"const\":\"m\"}},\"required\":[\"mode\"]},\"then\":{\"required\":[\"name\"]},"
    "\"else\":{\"properties\":{\"name\":{\"enum\":[\"n\",\"o\"]}}},\"minProperties\":1}",
};
/* clang-format on */

TENON_SCHEMA_TOOL(take, TENON_INFO("Take."), "{\"type\":\"object\"}");

#define TOOL_COUNT (sizeof documents / sizeof *documents)

static const char *const names[TOOL_COUNT] = { "values", "scalars", "objects", "alternatives" };
static tenon_tool        tools[TOOL_COUNT];
static tenon_schema     *schemas[TOOL_COUNT];
static tenon_toolbox    *box;
static tenon_call       *call;

static void let_go(void)
{
    tenon_writer_free(taken);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    for (size_t i = 0; i < TOOL_COUNT; i++)
        tenon_schema_free(schemas[i]);
}

static void make_ready(void)
{
    box = tenon_toolbox_new();
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        tools[i]           = *take_tool();
        tools[i].info.name = names[i];
        tools[i].schema    = documents[i];
        must(tenon_toolbox_add(box, &tools[i]) == TENON_OK);
        schemas[i] = tenon_schema_new(documents[i], strlen(documents[i]), .format_assertion = true);
        must(schemas[i] && !tenon_schema_error(schemas[i]));
    }
    call = tenon_call_new(box);
    must(call != NULL);
    atexit(let_go);
}

/* The text of the answer, yours to free; a sound envelope. */
static char *answer_of(const char *tool, const char *json, size_t json_len, size_t *len, bool *accepted)
{
    const tenon_answer *answer = tenon_call_run(call, tool, json, json_len);
    char               *copy   = malloc(answer->len + 1);
    yyjson_doc         *doc    = yyjson_read(answer->json, answer->len, 0);
    yyjson_val         *root = yyjson_doc_get_root(doc), *status = yyjson_obj_get(root, "status");
    yyjson_val         *messages = yyjson_obj_get(root, "messages");

    must(copy && tn_utf8_valid(answer->json, answer->len) && yyjson_is_obj(root) && yyjson_is_arr(messages));
    *accepted = yyjson_equals_str(status, "SUCCESS");
    must(*accepted == yyjson_is_null(yyjson_obj_get(root, "error"))); /* and no other */
    must(*accepted ||
         yyjson_equals_str(yyjson_obj_get(yyjson_obj_get(root, "error"), "code"), "VALIDATION_ERROR"));
    must(*accepted || yyjson_obj_size(yyjson_doc_ptr_get(doc, "/error/details/fieldErrors")) > 0);
    yyjson_doc_free(doc);
    memcpy(copy, answer->json, answer->len + 1);
    *len = answer->len;
    return copy;
}

/* ---- The same by the schema alone ------------------------------------------------------------------------------ */

/* A tool refuses names that come twice, which a schema does not see, and takes off a wrapper. */
static bool is_comparable(yyjson_val *root)
{
    return yyjson_obj_size(root) != 1 || !yyjson_is_obj(unsafe_yyjson_get_first(root) + 1);
}

static bool has_name_twice(yyjson_val *value)
{
    yyjson_val *key, *one;
    size_t      i, k, count, keys;

    if (yyjson_is_arr(value)) {
        yyjson_arr_foreach(value, i, count, one) if (has_name_twice(one)) return true;
        return false;
    }
    yyjson_obj_foreach(value, i, count, key, one)
    {
        yyjson_val *other, *of;

        yyjson_obj_foreach(value, k, keys, other, of) if (k > i && yyjson_equals(key, other)) return true;
        if (has_name_twice(one))
            return true;
    }
    return false;
}

/* Texts may be JSON themselves, where a name comes twice. */
static bool has_text(const char *json, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++)
        if (json[i] == '\\')
            return true;
    return false;
}

/* Two texts of the same value, whichever way its numbers are written. */
static bool same_value(const char *a, size_t a_len, const char *b, size_t b_len)
{
    yyjson_doc     *first  = yyjson_read(a, a_len, YYJSON_READ_BIGNUM_AS_RAW);
    yyjson_doc     *second = yyjson_read(b, b_len, YYJSON_READ_BIGNUM_AS_RAW);
    struct tn_arena arena;
    bool            same;

    tn_arena_init(&arena, NULL, 0);
    same = first && second && tn_json_equal(&arena, yyjson_doc_get_root(first), yyjson_doc_get_root(second));
    tn_arena_free(&arena);
    yyjson_doc_free(first);
    yyjson_doc_free(second);
    return same;
}

static void compare(size_t tool, const char *json, size_t json_len, bool accepted)
{
    yyjson_doc *doc  = yyjson_read(json, json_len, YYJSON_READ_BIGNUM_AS_RAW);
    yyjson_val *root = yyjson_doc_get_root(doc);
    size_t      len, taken_len;
    char       *text = repair(schemas[tool], json, json_len, false, &len);

    if (yyjson_is_obj(root) && is_comparable(root) && !has_name_twice(root) && !has_text(json, json_len)) {
        const char *args = accepted ? tenon_writer_text(taken, &taken_len) : NULL;

        must((text != NULL) == accepted);
        must(!accepted || (args && same_value(text, len, args, taken_len)));
    }
    free(text);
    yyjson_doc_free(doc);
}

/* ---- Second calls ---------------------------------------------------------------------------------------------- */

/* What was accepted is accepted again, without another change. */
static void send_taken(size_t tool)
{
    size_t      len, again_len, answer_len;
    const char *text  = tenon_writer_text(taken, &len);
    char       *first = text ? malloc(len + 1) : NULL;
    bool        accepted;

    must(first != NULL);
    memcpy(first, text, len + 1);
    free(answer_of(names[tool], first, len, &answer_len, &accepted));
    must(accepted && tenon_call_coerced(call) == 0 && tenon_call_reformed(call) == 0);
    text = tenon_writer_text(taken, &again_len);
    must(text && again_len == len && memcmp(text, first, len) == 0);
    free(first);
}

/* What a client makes of a refusal, which knows nothing but the answer. */
static void send_repaired(size_t tool, const char *json, size_t json_len, const char *answer,
                          size_t answer_len)
{
    const char *why;
    size_t      len;
    char       *second = client_repair(json, json_len, answer, answer_len, &len, &why);
    bool        accepted;

    if (second) {
        free(answer_of(names[tool], second, len, &answer_len, &accepted));
        if (accepted)
            send_taken(tool);
    }
    free(second);
}

/* The same bytes for each tool: what one of them takes, another refuses. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *json = (const char *)data;

    if (!box)
        make_ready();
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        size_t first_len, again_len;
        bool   accepted, again_accepted, slow;
        char  *first = answer_of(names[i], json, len, &first_len, &accepted);
        char  *again = answer_of(names[i], json, len, &again_len, &again_accepted);

        must(first_len == again_len && memcmp(first, again, first_len) == 0);
        slow = strstr(first, "takes too long") != NULL; /* and would again, each time */
        if (!slow)
            compare(i, json, len, accepted);
        if (accepted)
            send_taken(i);
        else if (!slow)
            send_repaired(i, json, len, first, first_len);
        free(first);
        free(again);
    }
    return 0;
}
