/* flat_test.c - flat forms and the way back: cases, and the tools of public servers. */
#define _GNU_SOURCE
#include "contract/lint/flat.h"

#include <tenon/schema.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contract/canonical.h"
#include "contract/lint/lint.h"
#include "contract/offer.h"
#include "contract/values.h"
#include "document/document.h"
#include "support/fault.h"

#define LISTS  "tests/contract_servers/lists"
#define VALUES ((size_t)12) /* of each tool and form */

static tenon_allocator    memory;
static struct tn_profiles profiles;

struct chosen {
    const struct tn_profile *at[PROFILES_MAX];
    struct tn_flat_form      form;
};

/* A name, or all of them. */
static void choose(struct chosen *chosen, const char *client)
{
    size_t count = 0;

    for (size_t i = 0; i < profiles.count; i++)
        if (strcmp(client, "all") == 0 || tn_slice_is(profiles.at[i].name, client))
            chosen->at[count++] = &profiles.at[i];
    assert_true(count > 0);
    tn_flat_form_init(&chosen->form, chosen->at, count);
}

#define OBJECT(properties, required) "{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" required "]}"

/* clang-format off */
static const struct { const char *client, *schema, *flat, *sent, *back; } cases[] = {
    { "claude-code", OBJECT("\"a\":{\"type\":\"string\",\"minLength\":2}", "\"a\""), "\"a\":{\"type\":\"string\",\"minLength\":2}", "{\"a\":\"xx\"}", NULL },
    { "claude-code", OBJECT("\"a\":{}", "\"a\""), "\"a\":{\"type\":\"string\"", "{\"a\":\"[1,2]\"}", "{\"a\":[1,2]}" },
    { "claude-code", OBJECT("\"a\":{}", ""), "\"a\":{\"type\":\"string\"", "{\"a\":\"plain\"}", NULL },
    { "claude-code", OBJECT("\"a\":{}", ""), "\"a\":{\"type\":\"string\"", "{\"a\":[1]}", NULL },
    { "claude-code", OBJECT("\"a\":{}", ""), "\"a\":{\"type\":\"string\"", "{\"a\":\"007\"}", NULL },
    { "claude-code", OBJECT("\"f[id]\":{\"type\":\"string\"}", "\"f[id]\""), "\"f_id__", "{\"other\":1}", NULL },
    { "cursor", OBJECT("\"a\":{\"type\":[\"integer\",\"null\"]}", "\"a\""), "\"a\":{\"type\":\"integer\"}", "{}", "{\"a\":null}" },
    { "cursor", OBJECT("\"a\":{\"type\":[\"integer\",\"null\"]}", ""), "\"a\":{\"type\":\"integer\"}", "{\"a\":3}", NULL },
    { "cursor", OBJECT("\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "\"a\""), "\"required\":[]", "{\"a\":\"x\"}", NULL },
    { "openai-strict", OBJECT("\"a\":{\"type\":\"integer\",\"minimum\":1}", ""), "\"a\":{\"type\":[\"integer\",\"null\"],\"minimum\":1", "{\"a\":null}", "{}" },
    { "openai-strict", OBJECT("\"a\":{\"type\":\"integer\"}", "\"a\""), "\"a\":{\"type\":\"integer\"}", "{\"a\":12345678901234567890}", NULL },
    { "openai-strict", OBJECT("\"a\":{\"enum\":[\"x\",\"y\"]}", ""), "\"enum\":[\"x\",\"y\",null]", "{\"a\":\"x\"}", NULL },
    { "openai-strict", OBJECT("\"a\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}", "\"a\""), "\"a\":{\"type\":\"string\"", "{\"a\":\"{\\\"k\\\": 1}\"}", "{\"a\":{\"k\":1}}" },
    { "openai-strict", OBJECT("\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}}}", "\"a\""), "\"b\":{\"type\":[\"string\",\"null\"]", "{\"a\":{\"b\":null}}", "{\"a\":{}}" },
    { "gemini", OBJECT("\"a\":{\"enum\":[1,2]}", "\"a\""), "\"enum\":[\"1\",\"2\"]", "{\"a\":\"2\"}", "{\"a\":2}" },
    { "all", OBJECT("\"a\":{\"type\":\"string\",\"enum\":[2,2]}", "\"a\""), "\"enum\":[\"2\"]", "{\"a\":\"2\"}", "{\"a\":2}" },
    { "openai-strict", OBJECT("\"a\":{\"anyOf\":[{\"enum\":[\"x\",\"y\"]},{\"enum\":[\"y\",\"z\"]}]}", "\"a\""), "\"enum\":[\"x\",\"y\",\"z\"]", "{\"a\":\"z\"}", NULL },
    { "gemini", OBJECT("\"a\":{\"const\":\"x\"}", "\"a\""), "\"enum\":[\"x\"]", "{\"a\":\"x\"}", NULL },
    { "gemini", OBJECT("\"a\":{\"type\":\"array\"}", ""), "\"items\":{\"type\":\"string\"", "{\"a\":[\"{\\\"b\\\":1}\",\"x\",3]}", "{\"a\":[{\"b\":1},\"x\",3]}" },
    { "gemini", OBJECT("\"a\":{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"x\"}}},{\"type\":\"object\",\"properties\":{\"k\":{\"const\":\"y\"}}}]}", ""),
      "\"k\":{\"type\":\"string\",\"enum\":[\"x\",\"y\"]}", "{\"a\":{\"k\":\"y\"}}", NULL },
    { "copilot", OBJECT("\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}", ""), "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "{\"a\":[\"x\"]}", NULL },
    { "all", OBJECT("\"a\":{\"type\":\"integer\"}", ""), "\"a\":{\"type\":\"string\"", "{\"a\":\"5\"}", "{\"a\":5}" },
    { "all", OBJECT("\"a\":{\"type\":\"integer\"}", ""), "{integer, optional: send", "{\"a\":\"not_given\"}", "{}" },
    { "all", OBJECT("\"a\":{\"type\":\"boolean\"}", ""), "\"enum\":[\"true\",\"false\",\"not_given\"]", "{\"a\":\"true\"}", "{\"a\":true}" },
    { "all", OBJECT("\"a\":{\"type\":\"string\"}", "\"a\""), "\"a\":{\"type\":\"string\"}", "{\"a\":\"true\"}", NULL },
    { "all", OBJECT("\"a\":{\"enum\":[\"x\",\"not_given\"]}", ""), "\"enum\":[\"x\",\"not_given\"]", "{\"a\":\"not_given\"}", NULL },
    { "anthropic-strict", "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}}}", "\"a\":{\"type\":\"string\"", "{\"a\":\"{\\\"a\\\":{}}\"}", "{\"a\":{\"a\":{}}}" },
};
/* clang-format on */

static void forms_lead_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct chosen   chosen;
        struct tn_arena arena;
        struct tn_buf   flat, back;
        struct tn_flat *plan;
        yyjson_val     *schema, *sent;
        bool            changed;

        tn_arena_init(&arena, &memory, 0);
        choose(&chosen, cases[i].client);
        tn_buf_init(&flat, &arena, 0, FLAT_LEN_MAX);
        tn_buf_init(&back, &arena, 0, FLAT_LEN_MAX);
        assert_int_equal(tn_canonical_read(&arena, tn_slice_of(cases[i].schema), CANONICAL_DEPTH_MAX,
                                           &schema),
                         CANONICAL_FINE);
        assert_int_equal(tn_canonical_read(&arena, tn_slice_of(cases[i].sent), CANONICAL_DEPTH_MAX, &sent),
                         CANONICAL_FINE);
        plan = tn_flat_write(&flat, &arena, &chosen.form, schema, true);
        assert_non_null(plan);
        if (!strstr(tn_buf_end(&flat), cases[i].flat))
            fail_msg("%s %s\nbecame %s", cases[i].client, cases[i].schema, flat.at);
        changed = tn_flat_back(&back, &arena, plan, sent);
        if (changed != (cases[i].back != NULL) || (changed && strcmp(tn_buf_end(&back), cases[i].back) != 0))
            fail_msg("%s %s\nfor %s leads back to %s", cases[i].client, cases[i].sent, flat.at,
                     changed ? tn_buf_end(&back) : "itself");
        tn_arena_free(&arena);
    }
}

/* ---- Public servers ------------------------------------------------------------------------------------------------ */

struct tally {
    size_t tools, flat, values, accepted;
};

/* A value for what a description asks of a text, as a model would give it; NULL: any text will do. */
static const char *asked_for(const char *description)
{
    static const struct { const char *words, *value; } kinds[] = {
        { "object", "{}" }, { "array", "[]" }, { "integer", "1" }, { "number", "1" }, { "boolean", "true" }, { "null", "null" },
    };
    const char *braces = description ? strrchr(description, '\n') : NULL;
    const char *from   = strstr(braces ? braces : description ? description : "", "{");

    for (size_t i = 0; from && i < sizeof kinds / sizeof *kinds; i++) {
        size_t      len = strlen(kinds[i].words);
        const char *at  = strstr(from, kinds[i].words);

        if (at && (at == from + 1 || at[-1] == ' ') && (at[len] == ',' || at[len] == '}' || at[len] == ' '))
            return kinds[i].value;
    }
    return NULL;
}

/* Samples say "text" wherever the form has a text: those that their description asks to be JSON are made so. */
static void obey(yyjson_mut_doc *doc, yyjson_mut_val *value, yyjson_val *schema)
{
    yyjson_mut_obj_iter members;
    yyjson_mut_arr_iter items;
    yyjson_mut_val     *one;
    const char         *json = asked_for(yyjson_get_str(yyjson_obj_get(schema, "description")));

    if (yyjson_mut_is_str(value) && json && !yyjson_obj_get(schema, "enum") &&
        !yyjson_mut_equals_str(value, "") && !yyjson_mut_equals_str(value, FLAT_WORD))
        yyjson_mut_set_str(value, json);
    yyjson_mut_obj_iter_init(value, &members);
    while ((one = yyjson_mut_obj_iter_next(&members)))
        obey(doc, yyjson_mut_obj_iter_get_val(one),
             yyjson_obj_get(yyjson_obj_get(schema, "properties"), yyjson_mut_get_str(one)));
    yyjson_mut_arr_iter_init(value, &items);
    while ((one = yyjson_mut_arr_iter_next(&items)))
        obey(doc, one, yyjson_obj_get(schema, "items"));
}

static void write_obedient(struct tn_buf *out, const struct tn_buf *value, yyjson_val *schema)
{
    yyjson_doc     *read = yyjson_read(value->at, value->len, 0);
    yyjson_mut_doc *doc  = yyjson_doc_mut_copy(read, NULL);
    size_t          len;
    char           *text;

    obey(doc, yyjson_mut_doc_get_root(doc), schema);
    text = yyjson_mut_write(doc, 0, &len);
    tn_buf_add(out, text, len);
    free(text);
    yyjson_mut_doc_free(doc);
    yyjson_doc_free(read);
}

/* Values of the flat form: each leads back to something that the server's schema can look at. */
static void try_values(struct tally *tally, struct tn_arena *arena, const struct tn_flat_tool *tool,
                       yyjson_val *own)
{
    struct tn_buf  own_text;
    yyjson_val    *published, *schema;
    tenon_schema  *flat_schema, *own_schema;
    tenon_verdict *flat_verdict, *own_verdict;
    struct tn_buf  flat_text;

    assert_int_equal(tn_canonical_read(arena, tool->text, CANONICAL_DEPTH_MAX, &published), CANONICAL_FINE);
    schema = yyjson_obj_get(published, "inputSchema");
    tn_buf_init(&flat_text, arena, 0, FLAT_LEN_MAX);
    tn_buf_init(&own_text, arena, 0, FLAT_LEN_MAX);
    tn_canonical_line(&flat_text, schema);
    tn_canonical_line(&own_text, yyjson_obj_get(own, "inputSchema"));
    flat_schema = tenon_schema_new(flat_text.at, flat_text.len);
    own_schema  = tenon_schema_new(own_text.at, own_text.len);
    if (tenon_schema_error(flat_schema))
        fail_msg("%s: %.*s", tenon_schema_error(flat_schema), (int)flat_text.len, flat_text.at);
    flat_verdict = tenon_verdict_new(flat_schema);
    own_verdict  = tenon_verdict_new(own_schema);
    for (size_t nth = 0; nth < VALUES; nth++) {
        struct tn_buf value, sample, back;
        yyjson_val   *sent;

        tn_buf_init(&sample, arena, 0, FLAT_LEN_MAX);
        tn_buf_init(&value, arena, 0, FLAT_LEN_MAX);
        tn_buf_init(&back, arena, 0, FLAT_LEN_MAX);
        if (!tn_values_write(&sample, flat_schema->node, NULL, 0, nth))
            break;
        write_obedient(&value, &sample, schema);
        if (!tenon_verdict_flag(flat_verdict, value.at, value.len))
            continue;
        assert_int_equal(tn_canonical_read(arena, tn_buf_slice(&value), CANONICAL_DEPTH_MAX, &sent),
                         CANONICAL_FINE);
        if (!tn_flat_back(&back, arena, tool->plan, sent))
            back = value;
        assert_false(back.failed);
        assert_int_equal(tn_canonical_read(arena, tn_buf_slice(&back), CANONICAL_DEPTH_MAX, &sent),
                         CANONICAL_FINE);
        tally->values++;
        tally->accepted += tenon_verdict_repair(own_verdict, back.at, back.len, NULL) != NULL;
    }
    tenon_verdict_free(flat_verdict);
    tenon_verdict_free(own_verdict);
    tenon_schema_free(flat_schema);
    tenon_schema_free(own_schema);
}

static void try_list(struct tally *tally, const char *path, const struct chosen *chosen)
{
    struct tn_arena arena;
    struct tn_offer offer = { 0 };
    const char     *why   = "";
    yyjson_doc     *doc   = yyjson_read_file(path, 0, NULL, NULL);
    size_t          len;
    char           *text = yyjson_write(doc, 0, &len);

    tn_arena_init(&arena, &memory, 0);
    assert_true(tn_offer_read(&offer, &arena, (struct tn_slice){ text, len }, NULL, &why));
    for (size_t i = 0; i < offer.kinds[KIND_TOOL].count; i++) {
        const struct tn_definition *one = &offer.kinds[KIND_TOOL].at[i];
        struct tn_flat_tool         tool;
        yyjson_val                 *published;

        assert_true(tn_flat_tool(&tool, &arena, &chosen->form, one->value, (struct tn_slice){ NULL, 0 }));
        assert_int_equal(tn_canonical_read(&arena, tool.text, CANONICAL_DEPTH_MAX, &published),
                         CANONICAL_FINE);
        if (!tn_lint_keeps(&arena, chosen->form.profiles, chosen->form.count, published, false))
            fail_msg("%s: %.*s is not clean: %.*s", path, (int)one->name.len, one->name.at,
                     (int)tool.text.len, tool.text.at);
        tally->tools++;
        tally->flat += tool.plan != NULL;
        if (tool.plan)
            try_values(tally, &arena, &tool, one->value);
    }
    tn_arena_free(&arena);
    free(text);
    yyjson_doc_free(doc);
}

static void public_servers_lead_back(void **state)
{
    /* How many of a hundred values the server must accept. The others break what the form says in words only: a pattern or a bound
       where text stands for a number, an address, a whole schema in a description; and members of several alternatives at once. */
    static const struct { const char *name; size_t accepted; } clients[] = {
        { "all", 90 }, { "gemini", 98 }, { "openai-strict", 97 }, { "claude-desktop", 99 },
    };
    struct dirent **entries;
    int             found = scandir(LISTS, &entries, NULL, alphasort);

    (void)state;
    assert_true(found > 20);
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        struct chosen chosen;
        struct tally  tally = { 0 };

        choose(&chosen, clients[i].name);
        for (int j = 0; j < found; j++) {
            char path[512];

            snprintf(path, sizeof path, "%s/%s", LISTS, entries[j]->d_name);
            if (strstr(path, ".json"))
                try_list(&tally, path, &chosen);
        }
        printf("%s: %zu tools, %zu flat, %zu values of them, %zu that their server accepts\n",
               clients[i].name, tally.tools, tally.flat, tally.values, tally.accepted);
        assert_true(tally.flat > 0 && tally.accepted * 100 >= tally.values * clients[i].accepted);
    }
    for (int j = 0; j < found; j++)
        free(entries[j]);
    free(entries);
}

/* ---- Memory that is refused ------------------------------------------------------------------------------------------ */

#define FAULT_LIST                                                                                                            \
    "[{\"name\":\"a b\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"x\":{\"anyOf\":[{\"type\":\"integer\"},"        \
    "{\"type\":\"null\"}],\"default\":\"q\"},\"y\":{\"$ref\":\"#/$defs/z\"},\"p\":{\"type\":\"string\",\"pattern\":\"^(a+)+$\"}},"  \
    "\"$defs\":{\"z\":{\"enum\":[1,2]}},\"required\":[\"x\"]}}]"

static const char *text_of(const char *name)
{
    const struct tn_profile_text *one = tn_profile_texts;

    while (one->name && strcmp(one->name, name) != 0)
        one++;
    return one->text;
}

/* All of it; false when memory was refused. Nothing may be left over. */
static bool look_with(const tenon_allocator *with)
{
    struct tn_arena          arena;
    struct tn_profiles       read;
    struct tn_lint           lint;
    struct tn_offer          offer = { 0 };
    struct tn_flat_form      form;
    struct tn_flat_tool      tool;
    const char              *why;
    bool                     good;
    const struct tn_profile *one;

    tn_arena_init(&arena, with, 0);
    tn_profiles_init(&read, with);
    good = tn_profiles_add(&read, SLICE_LIT("openai-strict"), tn_slice_of(text_of("openai-strict")));
    if (good) {
        one = &read.at[0];
        tn_flat_form_init(&form, &one, 1);
        tn_lint_init(&lint, &arena, &one, 1);
        good = tn_offer_read(&offer, &arena, SLICE_LIT(FAULT_LIST), NULL, &why) &&
               tn_lint_offer(&lint, &offer) &&
               tn_flat_tool(&tool, &arena, &form, offer.kinds[KIND_TOOL].at[0].value,
                            (struct tn_slice){ NULL, 0 }) &&
               tool.plan;
    }
    tn_profiles_free(&read);
    tn_arena_free(&arena);
    return good;
}

static void refused_memory_is_survived(void **state)
{
    size_t nth = 0;
    bool   good;

    (void)state;
    do {
        struct tn_fault fault = { .refuse_at = nth + 1, .refuse_rest = nth % 2 == 1 };
        tenon_allocator with  = tn_fault_allocator(&fault);

        nth++;
        good = look_with(&with);
        assert_int_equal(fault.blocks, 0);
        assert_true(good || fault.refused);
        good = !fault.refused;
    } while (!good);
    assert_true(nth > 20);
}

static int set_up(void **state)
{
    (void)state;
    memory = tn_memory_of(NULL);
    tn_profiles_init(&profiles, &memory);
    return tn_profiles_add_known(&profiles) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tn_profiles_free(&profiles);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_lead_back),
        cmocka_unit_test(public_servers_lead_back),
        cmocka_unit_test(refused_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
