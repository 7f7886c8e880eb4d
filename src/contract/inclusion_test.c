/* inclusion_test.c - what is proved, what is witnessed, and that no proof is refuted. */
#include "contract/inclusion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "contract/witness.h"

#define WORK ((size_t)40000000)

enum { IN = 1, OUT = 2, OPEN = 3 }; /* proved; a witness against it; neither */

/* clang-format off */
static const struct { const char *from, *to; int want; } cases[] = {
    { "{}", "{}", IN },
    { "{\"type\":\"integer\"}", "{\"type\":\"number\"}", IN },
    { "{\"type\":\"number\"}", "{\"type\":\"integer\"}", OUT },
    { "{\"type\":\"string\"}", "{\"type\":[\"string\",\"null\"]}", IN },
    { "{\"type\":[\"string\",\"null\"]}", "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", IN },
    { "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "{\"type\":[\"string\",\"null\"]}", IN },
    { "{\"type\":\"integer\",\"minimum\":1,\"maximum\":10}", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":10}", IN },
    { "{\"type\":\"integer\",\"maximum\":100}", "{\"type\":\"integer\",\"maximum\":99}", OUT },
    { "{\"type\":\"number\",\"exclusiveMinimum\":0}", "{\"type\":\"number\",\"minimum\":0}", IN },
    { "{\"type\":\"number\",\"minimum\":0}", "{\"type\":\"number\",\"exclusiveMinimum\":0}", OUT },
    { "{\"type\":\"integer\",\"multipleOf\":10}", "{\"type\":\"integer\",\"multipleOf\":5}", IN },
    { "{\"enum\":[\"a\",\"b\"]}", "{\"enum\":[\"b\",\"a\",\"c\"]}", IN },
    { "{\"enum\":[\"a\",\"b\"]}", "{\"enum\":[\"a\"]}", OUT },
    { "{\"enum\":[\"a\",\"b\"]}", "{\"type\":\"string\",\"maxLength\":1}", IN },
    { "{\"const\":5}", "{\"type\":\"integer\",\"minimum\":5}", IN },
    { "{\"type\":\"boolean\"}", "{\"enum\":[true,false]}", IN },
    { "{\"type\":\"string\",\"minLength\":3}", "{\"type\":\"string\",\"minLength\":2}", IN },
    { "{\"type\":\"string\"}", "{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}", OUT },
    { "{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}", "{\"type\":\"string\",\"pattern\":\"^[a-z]+$\",\"minLength\":0}", IN },
    { "{\"type\":\"string\",\"pattern\":\"^[a-z]{2,5}(-[0-9]{3})?$\"}", "{\"type\":\"string\",\"maxLength\":4}", OUT },
    { "{\"type\":\"string\",\"pattern\":\"^a\"}", "{\"type\":\"string\",\"pattern\":\"^a|b\"}", OPEN },
    { "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}", IN },
    { "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}", "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", OUT },
    { "{\"type\":\"array\"}", "{\"type\":\"array\",\"maxItems\":3}", OUT },
    { "{\"type\":\"array\"}", "{\"type\":\"array\",\"uniqueItems\":true}", OUT },
    { "{\"prefixItems\":[{\"type\":\"string\"}],\"items\":false,\"type\":\"array\"}", "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}", OUT },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"a\":{}}}", "{\"type\":\"object\",\"properties\":{\"a\":{}},\"additionalProperties\":false}", OUT },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"additionalProperties\":false}", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}},\"additionalProperties\":false}", IN },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"type\":\"object\"}", IN },
    { "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}", "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}}", IN },
    { "{\"type\":\"object\",\"patternProperties\":{\"^x-\":{\"type\":\"string\"}},\"additionalProperties\":false}", "{\"type\":\"object\",\"patternProperties\":{\"^x-\":{}},\"additionalProperties\":false}", IN },
    { "{\"type\":\"object\",\"patternProperties\":{\"^x-\":{}},\"additionalProperties\":false}", "{\"type\":\"object\",\"patternProperties\":{\"^x-\":{\"type\":\"string\"}},\"additionalProperties\":false}", OUT },
    { "{\"$defs\":{\"n\":{\"type\":\"integer\"}},\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}}}", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"$defs\":{\"n\":{\"type\":\"integer\"}},\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},\"n\":{\"type\":\"integer\"}}}", "{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},\"n\":{\"type\":\"number\"}}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},\"n\":{\"type\":\"number\"}}}", "{\"type\":\"object\",\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},\"n\":{\"type\":\"integer\"}}}", OUT },
    { "{\"allOf\":[{\"type\":\"integer\"},{\"minimum\":3}]}", "{\"type\":\"integer\",\"minimum\":2}", IN },
    { "{\"type\":\"integer\",\"minimum\":3}", "{\"allOf\":[{\"type\":\"integer\"},{\"minimum\":3}]}", IN },
    { "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}", "{\"type\":[\"string\",\"integer\"]}", IN },
    { "{\"type\":[\"string\",\"integer\"]}", "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}", IN },
    { "{\"type\":\"integer\"}", "{\"not\":{\"type\":\"string\"}}", IN },
    { "{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"a\"},\"x\":{\"type\":\"integer\"}},\"required\":[\"kind\"]}",
      "{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"a\"}},\"required\":[\"kind\"]},{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"b\"}},\"required\":[\"kind\"]}]}", IN },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}}}}}",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\",\"minLength\":2}}}}}", OUT },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}}}}}",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]}}}", OUT },
    { "{\"if\":{\"type\":\"string\"},\"then\":{\"minLength\":3},\"else\":{\"type\":\"integer\"}}", "{\"type\":[\"string\",\"integer\"]}", IN },
    { "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":3}}", "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":4}}", IN },
    { "{\"type\":\"object\",\"minProperties\":1}", "{\"type\":\"object\",\"minProperties\":2}", OUT },
    { "{\"type\":\"object\",\"required\":[\"a\",\"b\"]}", "{\"type\":\"object\",\"minProperties\":2}", IN },
    { "{\"type\":\"object\",\"required\":[\"a\",\"b\"]}", "{\"type\":\"object\",\"dependentRequired\":{\"a\":[\"b\"]}}", IN },
    { "false", "{\"type\":\"string\"}", IN },
    { "{\"type\":\"string\"}", "false", OUT },
};
/* clang-format on */

static void proves_and_finds(void **state)
{
    const tenon_allocator memory = tn_memory_of(NULL);

    size_t failed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tenon_schema     *from = tenon_schema_new(cases[i].from, strlen(cases[i].from));
        tenon_schema     *to   = tenon_schema_new(cases[i].to, strlen(cases[i].to));
        struct tn_arena   arena;
        struct tn_witness witness;
        size_t            work = WORK;
        bool              proved, found;

        tn_arena_init(&arena, &memory, 0);
        assert_null(tenon_schema_error(from));
        assert_null(tenon_schema_error(to));
        proved = tn_inclusion_proved(from, to);
        found  = tn_witness_find(from, to, &arena, &work, &witness);
        if (proved != (cases[i].want == IN) || found != (cases[i].want == OUT))
            printf("%s within %s: proved %d, witness %.*s", cases[i].from, cases[i].to, proved,
                   (int)witness.value.len, witness.value.at ? witness.value.at : ""),
                printf("\n"), failed++;
        tn_arena_free(&arena);
        tenon_schema_free(from);
        tenon_schema_free(to);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(proves_and_finds) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
