/* refute_test.c - real schemas, changed by chance: no proof may be refuted by a value.
 *
 * TENON_TRIES says how many values are tried in all (20,000). The lists of tools are those of public servers,
 * in tests/contract_servers, with the schemas below.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contract/inclusion.h"
#include "contract/values.h"
#include "document/document.h"

#define LISTS       "tests/contract_servers/lists"
#define SCHEMAS_MAX 1000
#define VALUES_EACH 200 /* of each proof */

static char  *schemas[SCHEMAS_MAX];
static size_t count;

static const char *const own[] = {
    "{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"string\",\"minLength\":1},\"n\":{\"type\":"
    "\"integer\","
    "\"minimum\":1,\"maximum\":50},\"mode\":{\"enum\":[\"a\",\"b\",\"c\"]}},\"required\":[\"q\"]}",
    "{\"type\":\"object\",\"properties\":{\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
    "\"maxLength\":5},"
    "\"maxItems\":4},\"deep\":{\"type\":\"object\",\"properties\":{\"x\":{\"anyOf\":[{\"type\":\"number\"},{"
    "\"type\":"
    "\"null\"}]}},\"additionalProperties\":false}},\"additionalProperties\":{\"type\":\"boolean\"}}",
    "{\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"},\"k\":{\"type\":"
    "\"array\","
    "\"items\":{\"$ref\":\"#/$defs/n\"}}}}},\"$ref\":\"#/$defs/n\",\"type\":\"object\"}",
    "{\"type\":\"object\",\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"a\"},\"x\":{\"type\":\"integer\"}"
    "},"
    "\"required\":[\"kind\"]},{\"properties\":{\"kind\":{\"const\":\"b\"}},\"required\":[\"kind\",\"y\"]}]}",
};

/* ---- Schemas ---------------------------------------------------------------------------------------------------- */

static void add_list(const char *path)
{
    yyjson_doc     *doc  = yyjson_read_file(path, 0, NULL, NULL);
    yyjson_val     *root = yyjson_doc_get_root(doc), *tools, *tool;
    yyjson_arr_iter all;

    root  = yyjson_obj_get(root, "result") ? yyjson_obj_get(root, "result") : root;
    tools = yyjson_is_arr(root) ? root : yyjson_obj_get(root, "tools");
    all   = yyjson_arr_iter_with(tools);
    while ((tool = yyjson_arr_iter_next(&all)) && count < SCHEMAS_MAX) {
        char *text = yyjson_val_write(yyjson_obj_get(tool, "inputSchema"), 0, NULL);

        if (text)
            schemas[count++] = text;
    }
    yyjson_doc_free(doc);
}

static void find_schemas(void)
{
    struct dirent **entries;
    int             found = scandir(LISTS, &entries, NULL, alphasort);
    char            path[512];

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        schemas[count++] = strdup(own[i]);
    assert_true(found > 0);
    for (int i = 0; i < found; i++) {
        if (strstr(entries[i]->d_name, ".json")) {
            snprintf(path, sizeof path, "%s/%s", LISTS, entries[i]->d_name);
            add_list(path);
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(count >= 200);
}

/* ---- Changes ------------------------------------------------------------------------------------------------------ */

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* Some object of the schema, by chance. */
static yyjson_mut_val *pick(yyjson_mut_val *value, uint64_t *seed)
{
    for (unsigned steps = 0; steps < 12; steps++) {
        yyjson_mut_obj_iter members;
        yyjson_mut_arr_iter items;
        yyjson_mut_val     *found = NULL, *one;
        size_t              seen  = 0;

        yyjson_mut_obj_iter_init(value, &members);
        yyjson_mut_arr_iter_init(value, &items);
        while (yyjson_mut_is_obj(value) && (one = yyjson_mut_obj_iter_next(&members)))
            if (yyjson_mut_is_ctn(yyjson_mut_obj_iter_get_val(one)) && draw(seed) % ++seen == 0)
                found = yyjson_mut_obj_iter_get_val(one);
        while (yyjson_mut_is_arr(value) && (one = yyjson_mut_arr_iter_next(&items)))
            if (yyjson_mut_is_ctn(one) && draw(seed) % ++seen == 0)
                found = one;
        if (!found || draw(seed) % 4 == 0)
            break;
        value = found;
    }
    return value;
}

/* Changes one thing: a bound, a type, a list, a keyword more or less. What comes out need not be a schema. */
static void change(yyjson_mut_doc *doc, yyjson_mut_val *at, uint64_t *seed)
{
    static const char *const types[] = {
        "string", "integer", "number", "boolean", "null", "array", "object"
    };
    static const char *const limits[] = { "minimum",       "maximum",       "minLength",
                                          "maxLength",     "minItems",      "maxItems",
                                          "minProperties", "maxProperties", "multipleOf" };
    size_t                   members = yyjson_mut_obj_size(at), which = members ? draw(seed) % members : 0;
    yyjson_mut_obj_iter      all;

    if (yyjson_mut_is_arr(at)) {
        if (draw(seed) % 2 && yyjson_mut_arr_size(at) > 1)
            yyjson_mut_arr_remove(at, draw(seed) % yyjson_mut_arr_size(at));
        else
            yyjson_mut_arr_add_str(doc, at, draw(seed) % 2 ? "a" : "new");
        return;
    }
    switch (draw(seed) % 5) {
    case 0:
        yyjson_mut_obj_put(at, yyjson_mut_str(doc, "type"), yyjson_mut_str(doc, types[draw(seed) % 7]));
        break;
    case 1:
        yyjson_mut_obj_put(at, yyjson_mut_str(doc, limits[draw(seed) % 9]),
                           yyjson_mut_int(doc, (int64_t)(draw(seed) % 8)));
        break;
    case 2:
        yyjson_mut_obj_put(at, yyjson_mut_str(doc, "additionalProperties"),
                           yyjson_mut_bool(doc, draw(seed) % 2));
        break;
    default:
        yyjson_mut_obj_iter_init(at, &all);
        for (size_t i = 0; i <= which && yyjson_mut_obj_iter_next(&all); i++)
            ;
        if (members > 0)
            yyjson_mut_obj_iter_remove(&all);
        break;
    }
}

static char *changed(const char *text, uint64_t *seed)
{
    yyjson_doc     *doc  = yyjson_read(text, strlen(text), 0);
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(doc, NULL);
    size_t          most = 1 + draw(seed) % 2;
    char           *out;

    for (size_t i = 0; i < most; i++)
        change(copy, pick(yyjson_mut_doc_get_root(copy), seed), seed);
    out = yyjson_mut_write(copy, 0, NULL);
    yyjson_mut_doc_free(copy);
    yyjson_doc_free(doc);
    return out;
}

/* ---- Refuting ------------------------------------------------------------------------------------------------------- */

static size_t refute(const tenon_schema *from, const tenon_schema *to, const char *old, const char *now,
                     uint64_t *seed)
{
    const tenon_allocator memory = tn_memory_of(NULL);
    tenon_verdict        *yes = tenon_verdict_new(from), *no = tenon_verdict_new(to);
    struct tn_arena       arena;

    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < VALUES_EACH; i++) {
        struct tn_buf out;

        tn_arena_reset(&arena);
        tn_buf_init(&out, &arena, 256, (size_t)1 << 20);
        tn_values_mixed(&out, from->node, to->node, seed);
        if (!out.failed && tenon_verdict_flag(yes, out.at, out.len) &&
            !tenon_verdict_flag(no, out.at, out.len))
            fail_msg("%s\nwas proved to be within\n%s\nbut for\n%.*s", old, now, (int)out.len, out.at);
    }
    tn_arena_free(&arena);
    tenon_verdict_free(yes);
    tenon_verdict_free(no);
    return VALUES_EACH;
}

static void no_proof_is_refuted(void **state)
{
    const char *wanted = getenv("TENON_TRIES");
    size_t      most = wanted ? strtoull(wanted, NULL, 10) : 20000, tries = 0, proofs = 0, rounds = 0;
    uint64_t    seed = 1, values = 1;

    (void)state;
    find_schemas();
    for (; tries < most && rounds < most; rounds++) {
        const char   *old  = schemas[draw(&seed) % count];
        char         *now  = changed(old, &seed);
        tenon_schema *from = tenon_schema_new(old, strlen(old));
        tenon_schema *to   = now ? tenon_schema_new(now, strlen(now)) : NULL;

        if (to && !tenon_schema_error(from) && !tenon_schema_error(to) && tn_inclusion_proved(from, to)) {
            proofs++;
            tries += refute(from, to, old, now, &values);
        }
        tenon_schema_free(from);
        tenon_schema_free(to);
        free(now);
    }
    printf("%zu schemas, %zu changes, %zu proofs, %zu values tried against them\n", count, rounds, proofs,
           tries);
    assert_true(proofs > 0);
    for (size_t i = 0; i < count; i++)
        free(schemas[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_proof_is_refuted) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
