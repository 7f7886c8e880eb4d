/* schema_tool_fuzz.c - arguments of tools that JSON Schema documents declare, through the whole call: every answer is a
 * sound envelope, and the same arguments give the same answer. */
#include <stdlib.h>
#include <string.h>

#include <tenon/toolbox.h>
#include <yyjson.h>

#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static tenon_outcome take(tenon_call *call, const tenon_json *args)
{
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
static tenon_toolbox    *box;
static tenon_call       *call;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void let_go(void)
{
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void make_ready(void)
{
    box = tenon_toolbox_new();
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        tools[i]           = *take_tool();
        tools[i].info.name = names[i];
        tools[i].schema    = documents[i];
        require(tenon_toolbox_add(box, &tools[i]) == TENON_OK);
    }
    call = tenon_call_new(box);
    require(call != NULL);
    atexit(let_go);
}

/* The text of the answer, yours to free; a sound envelope. */
static char *answer_of(const char *tool, const char *json, size_t json_len, size_t *len)
{
    const tenon_answer *answer = tenon_call_run(call, tool, json, json_len);
    char               *copy   = malloc(answer->len + 1);
    yyjson_doc         *doc    = yyjson_read(answer->json, answer->len, 0);
    yyjson_val         *root = yyjson_doc_get_root(doc), *status = yyjson_obj_get(root, "status");
    yyjson_val         *messages = yyjson_obj_get(root, "messages");

    require(copy && tn_utf8_valid(answer->json, answer->len) && yyjson_is_obj(root) &&
            yyjson_is_arr(messages));
    require(yyjson_equals_str(status, "SUCCESS") ==
            yyjson_is_null(yyjson_obj_get(root, "error"))); /* and no other */
    require(yyjson_equals_str(status, "SUCCESS") ||
            yyjson_equals_str(yyjson_obj_get(yyjson_obj_get(root, "error"), "code"), "VALIDATION_ERROR"));
    yyjson_doc_free(doc);
    memcpy(copy, answer->json, answer->len);
    *len = answer->len;
    return copy;
}

/* The same bytes for each tool: what one of them takes, another refuses. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (!box)
        make_ready();
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        size_t first_len, again_len;
        char  *first = answer_of(names[i], (const char *)data, len, &first_len);
        char  *again = answer_of(names[i], (const char *)data, len, &again_len);

        require(first_len == again_len && memcmp(first, again, first_len) == 0);
        free(first);
        free(again);
    }
    return 0;
}
