/* registry_test.c - documents that are asked for when a reference or a $schema leads to them (tenon_load). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/schema.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* What can be asked for; and what was, in order. */
struct shelf {
    char asked[500];
};

static const struct { const char *uri, *json, *own, *error; } documents[] = {
    { "urn:text", "{\"type\":\"string\"}", NULL, NULL },
    { "urn:next", "{\"$ref\":\"urn:text\"}", NULL, NULL },
    { "urn:part", "{\"$defs\":{\"p\":{\"$id\":\"urn:part\",\"type\":\"null\"}}}", "urn:whole", NULL },
    { "urn:empty-part", "{}", "urn:whole", NULL },
    { "urn:broken", "{", NULL, NULL },
    { "urn:latin", "\"\xE4\"", NULL, NULL },
    { "urn:locked", NULL, NULL, "Permission denied" },
    { "urn:nothing", NULL, NULL, NULL },
    { "urn:bad", "{\"minimum\":\"1\"}", NULL, NULL },
    { "urn:twice", "{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}", NULL, NULL },
    { "urn:list", "{\"items\":[{\"type\":\"string\"}]}", NULL, NULL },
    { "urn:meta", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{"
                  "\"https://json-schema.org/draft/2020-12/vocab/core\":true}}", NULL, NULL },
    { "urn:plain", "{\"$schema\":\"urn:meta\",\"type\":\"string\"}", NULL, NULL },
    { "urn:self", "{\"$schema\":\"urn:self\"}", NULL, NULL },
    { "urn:round", "{\"$schema\":\"urn:trip\"}", NULL, NULL },
    { "urn:trip", "{\"$schema\":\"urn:round\"}", NULL, NULL },
};

static bool load(void *user, const char *uri, tenon_loaded *loaded)
{
    struct shelf *shelf = user;

    strcat(strcat(shelf->asked, shelf->asked[0] ? " " : ""), uri);
    for (size_t i = 0; i < COUNT_OF(documents); i++)
        if (strcmp(documents[i].uri, uri) == 0) {
            *loaded = (tenon_loaded){ .json  = documents[i].json,
                                      .len   = documents[i].json ? strlen(documents[i].json) : 0,
                                      .uri   = documents[i].own,
                                      .error = documents[i].error };
            return true;
        }
    return false;
}

static void asks_for_what_is_needed(void **state)
{
    static const struct { const char *schema, *instance, *asked, *want; } cases[] = {
        { "{}", "1", "", NULL },
        { "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{}}}", "1", "", NULL },
        { "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}", "{}", "", NULL },
        { "{\"$ref\":\"urn:text\"}", "1", "urn:text", "value must be a string, got 1" },
        { "{\"$ref\":\"urn:next\"}", "1", "urn:next urn:text", "value must be a string, got 1" },
        { "{\"allOf\":[{\"$ref\":\"urn:text\"},{\"$ref\":\"urn:text#\"}]}", "1", "urn:text", "value must be a string, got 1" },
        { "{\"$ref\":\"urn:part\"}", "1", "urn:part", "value must be null, got 1" },
        { "{\"$ref\":\"urn:plain\"}", "1", "urn:plain urn:meta", NULL }, /* its vocabularies have no "type" */
        { "{\"$schema\":\"urn:meta\",\"type\":\"string\"}", "1", "urn:meta", NULL },
        { "{\"$ref\":\"urn:absent\"}", "1", "urn:absent", "schema: #/$ref: nothing is registered under urn:absent" },
        { "{\"$ref\":\"a.json\"}", "1", "", "schema: #/$ref: nothing is registered under a.json" },
        { "{\"$ref\":\"urn:empty-part\"}", "1", "urn:empty-part", "schema: #/$ref: nothing is registered under urn:empty-part" },
        { "{\"$ref\":\"urn:broken\"}", "1", "urn:broken",
          "schema: #/$ref: urn:broken cannot be used: not JSON: unexpected end at byte 1" },
        { "{\"$ref\":\"urn:latin\"}", "1", "urn:latin", "schema: #/$ref: urn:latin cannot be used: not valid UTF-8" },
        { "{\"$ref\":\"urn:locked\"}", "1", "urn:locked", "schema: #/$ref: urn:locked cannot be used: Permission denied" },
        { "{\"$ref\":\"urn:nothing\"}", "1", "urn:nothing", "schema: #/$ref: urn:nothing cannot be used: it has no text" },
        { "{\"$ref\":\"urn:bad\"}", "1", "urn:bad", "schema: urn:bad#/minimum: must be a number" },
        { "{\"$ref\":\"urn:twice\"}", "1", "urn:twice",
          "schema: #/$ref: urn:twice cannot be used: the anchor 'x' stands twice in one resource" },
        { "{\"$ref\":\"urn:self\"}", "1", "urn:self",
          "schema: #/$ref: urn:self cannot be used: $schema names the dialect urn:self, which is not one of 2020-12, 2019-09, "
          "draft-07, draft-06 and draft-04, and not registered" },
        { "{\"$schema\":\"urn:round\"}", "1", "urn:round urn:trip",
          "schema: $schema names the dialect urn:round, which cannot be used: $schema names the dialect urn:trip, which cannot be "
          "used: $schema names the dialect urn:round, which is not one of 2020-12, 2019-09, draft-07, draft-06 and draft-04, and not "
          "registered" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct shelf   shelf   = { "" };
        tenon_schema  *schema  = tenon_schema_new(cases[i].schema, strlen(cases[i].schema), .load = load,
                                                  .load_user = &shelf);
        tenon_verdict *verdict = tenon_verdict_new(schema);
        const char    *got     = tenon_schema_error(schema);

        if (!got && !tenon_verdict_judge(verdict, cases[i].instance, strlen(cases[i].instance)))
            got = tenon_verdict_issue(verdict, 0)->text;
        assert_string_equal(shelf.asked, cases[i].asked);
        if (!cases[i].want != !got || (got && strcmp(got, cases[i].want) != 0))
            fail_msg("%s\n  wanted %s\n  got    %s", cases[i].schema, cases[i].want, got);
        tenon_verdict_free(verdict);
        tenon_schema_free(schema);
    }
}

/* What is registered is not asked for; and a document that does not say its dialect has that of the schema. */
static void comes_after_what_is_registered(void **state)
{
    static const char refers[] = "{\"$ref\":\"urn:text\"}", list[] = "{\"$ref\":\"urn:list\"}";
    struct shelf      shelf   = { "" };
    tenon_schemas    *schemas = tenon_schemas_new();
    tenon_schema     *schema;

    (void)state;
    assert_int_equal(tenon_schemas_add(schemas, "urn:text", "true", 4), TENON_OK);
    schema = tenon_schema_new(refers, strlen(refers), .schemas = schemas, .load = load, .load_user = &shelf);
    assert_null(tenon_schema_error(schema));
    assert_string_equal(shelf.asked, "");
    tenon_schema_free(schema);
    schema = tenon_schema_new(list, strlen(list), .load = load, .load_user = &shelf);
    assert_non_null(strstr(tenon_schema_error(schema), "urn:list#/items"));
    tenon_schema_free(schema);
    for (tenon_dialect dialect = TENON_DIALECT_2019_09; dialect <= TENON_DIALECT_DRAFT_04; dialect++) {
        schema = tenon_schema_new(list, strlen(list), .load = load, .load_user = &shelf, .dialect = dialect);
        assert_null(tenon_schema_error(schema));
        tenon_schema_free(schema);
    }
    tenon_schemas_free(schemas);
}

static void survives_refused_memory(void **state)
{
    static const char text[] =
        "{\"allOf\":[{\"$ref\":\"urn:next\"},{\"$ref\":\"urn:part\"},{\"$ref\":\"urn:plain\"}]}";
    bool done = false;

    (void)state;
    for (size_t fail = 1; !done; fail++) {
        struct shelf    shelf  = { "" };
        struct tn_fault fault  = { .refuse_at = fail };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_schema   *schema = tenon_schema_new(text, strlen(text), .memory = &memory, .load = load,
                                                  .load_user = &shelf);

        done = schema && !tenon_schema_error(schema);
        tenon_schema_free(schema);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_for_what_is_needed),
        cmocka_unit_test(comes_after_what_is_registered),
        cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
