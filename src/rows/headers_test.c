/* headers_test.c - arguments that clients repeat in HTTP headers, found in rows and in documents. */
#include "rows/headers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/memory.h"
#include "rows/row_shape.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef enum { SLOW, FAST } speed;
static const char *const speed_names[] = { "slow", "fast" };

typedef struct {
    const char *region;
    bool        dry;
} place;

typedef struct {
    const char *tenant;
    int64_t     shard;
    bool        dry;
    speed       how;
    place       at;
    TENON_LIST_OF(place) many;
} args;

TENON_ROWS(place_rows, place,
    TENON_STR(region, "Region.", .key = "the.region", .header = "Region"));
TENON_ROWS(plain_rows, place,
    TENON_STR(region, "Region."));

TENON_ROWS(all_rows, args,
    TENON_STR    (tenant, "Tenant.", .header = "X-Tenant"),
    TENON_INT    (shard,  "Shard.", .header = "Shard", .required = true),
    TENON_BOOL   (dry,    "Dry?", .header = "dry", .def = false),
    TENON_ENUM   (how,    speed_names, "How.", .header = "Speed"),
    TENON_OBJECT (at,     place_rows, "Where."),
    TENON_OBJECTS(many,   plain_rows, "More."));
TENON_ROWS(list_rows, args,
    TENON_OBJECTS(many, place_rows, "More."));
TENON_ROWS(text_rows, args,
    TENON_OBJECT(at, place_rows, "Where.", .json_text = true, .example = "{}"));
TENON_ROWS(twice_rows, args,
    TENON_STR   (tenant, "Tenant.", .header = "REGION"),
    TENON_OBJECT(at,     place_rows, "Where."));
TENON_ROWS(bad_rows, args,
    TENON_STR(tenant, "Tenant.", .header = "a b"));
TENON_ROWS(empty_rows, args,
    TENON_STR(tenant, "Tenant.", .header = ""));
TENON_ROWS(secret_rows, args,
    TENON_STR(tenant, "Tenant.", .header = "T", .secret = true));

static void are_found_in_rows(void **state)
{
    static const struct {
        const char         *header, *pointer;
        enum tn_header_kind kind;
    } want[] = {
        { "X-Tenant", "/tenant", HEADER_TEXT },      { "Shard", "/shard", HEADER_INTEGER },
        { "dry", "/dry", HEADER_BOOLEAN },           { "Speed", "/how", HEADER_TEXT },
        { "Region", "/at/the.region", HEADER_TEXT },
    };
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    tenon_shape      *shape   = tn_shape_compile(all_rows(), "all", &memory);
    struct tn_headers headers = { .arena = &arena, .mistake.owner = "t" };

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_null(tenon_shape_error(shape));
    assert_true(tn_headers_of_rows(&headers, shape->object));
    assert_int_equal(headers.count, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        assert_true(tn_slice_is(headers.at[i].header, want[i].header));
        assert_true(tn_slice_is(headers.at[i].pointer, want[i].pointer));
        assert_int_equal(headers.at[i].kind, want[i].kind);
    }
    tenon_shape_free(shape);
    tn_arena_free(&arena);
}

static void rows_that_cannot_be_headers(void **state)
{
    static const struct {
        tenon_rows_fn rows;
        const char   *want;
    } cases[] = {
        { list_rows, "t: parameter 'the.region': a header is only for values that are reached through "
                     "properties of objects" },
        { text_rows, "t: parameter 'the.region': a header is only for values that are reached through "
                     "properties of objects" },
        { twice_rows, "t: parameter 'the.region': the header 'Region' is used twice" },
        { bad_rows, "t: parameter 'tenant': " HEADER_NO_NAME },
        { empty_rows, "t: parameter 'tenant': " HEADER_NO_NAME },
        { secret_rows, "t: parameter 'tenant': " HEADER_SECRET },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_shape      *shape   = tn_shape_compile(cases[i].rows(), "t", &memory);
        struct tn_headers headers = { .arena = &arena, .mistake.owner = "t" };
        const char       *text    = tenon_shape_error(shape);

        if (!text) {
            assert_false(tn_headers_of_rows(&headers, shape->object));
            text = headers.mistake.text;
        }
        assert_string_equal(text, cases[i].want);
        tenon_shape_free(shape);
    }
    tn_arena_free(&arena);
}

static void are_published(void **state)
{
    tenon_shape *shape = tenon_shape_new(all_rows(), NULL);
    const char  *text;

    (void)state;
    text = tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL);
    assert_non_null(strstr(
        text, "\"shard\":{\"type\":\"integer\",\"description\":\"Shard.\",\"x-mcp-header\":\"Shard\"}"));
    assert_non_null(strstr(text, "\"default\":false,\"x-mcp-header\":\"dry\"}"));
    assert_non_null(strstr(text, "\"x-mcp-header\":\"Region\"}"));
    text = tenon_shape_schema(shape, TENON_SCHEMA_PORTABLE, NULL);
    assert_null(strstr(text, "x-mcp-header")); /* not every provider takes a keyword that it does not know */
    tenon_shape_free(shape);
}

static void documents(void **state)
{
    /* What is wanted: headers with their pointers, or the mistake. */
    static const struct {
        const char *schema, *want;
    } cases[] = {
        { "{}", "" },
        { "true", "" },
        { "{'properties':{'a':{'type':'string','x-mcp-header':'A'},'b':{'properties':{'c/"
          "d':{'type':'integer','x-mcp-header':'B'}}}}}",
          "A=/a 0;B=/b/c~1d 1;" },
        { "{'properties':{'a':{'type':'boolean','x-mcp-header':'A'}}}", "A=/a 2;" },
        { "{'properties':{'x-mcp-header':{'type':'string'}}}", "" },
        { "{'properties':{'a':{'default':{'x-mcp-header':1},'const':{'x-mcp-header':1},'enum':[{'x-mcp-"
          "header':1}]}}}",
          "" },
        { "{'properties':{'a':{'type':'number','x-mcp-header':'A'}}}",
          "t: #/properties/a: a header is only for the types string, integer and boolean" },
        { "{'properties':{'a':{'x-mcp-header':'A'}}}",
          "t: #/properties/a: a header is only for the types string, integer and boolean" },
        { "{'type':'object','x-mcp-header':'A'}",
          "t: #: a header is only for the types string, integer and boolean" },
        { "{'properties':{'a':{'type':'string','x-mcp-header':1}}}",
          "t: #/properties/a: x-mcp-header is not the name of an HTTP header" },
        { "{'properties':{'a':{'type':'string','x-mcp-header':''}}}",
          "t: #/properties/a: x-mcp-header is not the name of an HTTP header" },
        { "{'properties':{'a':{'type':'string','x-mcp-header':'A:'}}}",
          "t: #/properties/a: x-mcp-header is not the name of an HTTP header" },
        { "{'properties':{'a':{'items':{'type':'string','x-mcp-header':'A'}}}}",
          "t: #/properties/a/items: a header is only for values that are reached through properties of "
          "objects" },
        { "{'anyOf':[{'properties':{'a':{'type':'string','x-mcp-header':'A'}}}]}",
          "t: #/anyOf/properties/a: a header is only for values that are reached through properties of "
          "objects" },
        { "{'$defs':{'a':{'type':'string','x-mcp-header':'A'}}}",
          "t: #/$defs/a: a header is only for values that are reached through properties of objects" },
        { "{'additionalProperties':{'type':'string','x-mcp-header':'A'}}",
          "t: #/additionalProperties: a header is only for values that are reached through properties of "
          "objects" },
        { "{'properties':{'a':{'type':'string','x-mcp-header':'Same'},'b':{'type':'string','x-mcp-header':'"
          "sAME'}}}",
          "t: #/properties/b: the header 'sAME' is used twice" },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_headers headers = { .arena = &arena, .mistake.owner = "t" };
        char              text[1024], got[1024] = "";
        yyjson_doc       *doc;

        snprintf(text, sizeof text, "%s", cases[i].schema);
        for (char *at = text; *at; at++)
            *at = (char)(*at == '\'' ? '"' : *at);
        doc = yyjson_read(text, strlen(text), 0);
        assert_non_null(doc);
        if (tn_headers_of_document(&headers, yyjson_doc_get_root(doc)))
            for (size_t k = 0; k < headers.count; k++)
                snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s=%s %d;",
                         (int)headers.at[k].header.len, headers.at[k].header.at, headers.at[k].pointer.at,
                         (int)headers.at[k].kind);
        assert_string_equal(headers.mistake.text ? headers.mistake.text : got, cases[i].want);
        yyjson_doc_free(doc);
    }
    tn_arena_free(&arena);
}

static void are_not_too_many(void **state)
{
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    struct tn_headers headers = { .arena = &arena, .mistake.owner = "t" };
    struct tn_buf     text;
    yyjson_doc       *doc;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    tn_buf_init(&text, &arena, 0, 1 << 20);
    tn_buf_lit(&text, "{\"properties\":{\"long");
    for (size_t i = 0; i < 5000; i++)
        tn_buf_char(&text, 'g'); /* its pointer is too long, and those after it are not */
    tn_buf_lit(&text, "\":{}");
    for (size_t i = 0; i <= HEADERS_MAX; i++)
        tn_buf_addf(&text, ",\"p%zu\":{\"type\":\"string\",\"x-mcp-header\":\"H%zu\"}", i, i);
    tn_buf_lit(&text, "}}");
    doc = yyjson_read(text.at, text.len, 0);
    assert_false(tn_headers_of_document(&headers, yyjson_doc_get_root(doc)));
    assert_string_equal(headers.mistake.text, "t: #/properties/p32: a tool has at most 32 headers");
    assert_int_equal(headers.count, HEADERS_MAX);
    yyjson_doc_free(doc);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_found_in_rows), cmocka_unit_test(rows_that_cannot_be_headers),
        cmocka_unit_test(are_published),     cmocka_unit_test(documents),
        cmocka_unit_test(are_not_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
