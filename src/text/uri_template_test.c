/* uri_template_test.c - what is a URI template, which can be matched, and what they match. */
#include "text/uri_template.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/memory.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void judges(void **state)
{
    static const struct { bool (*asked)(struct tn_slice); const char *text; bool want; } cases[] = {
        { tn_uri_template_well_formed, "",                                     true  },
        { tn_uri_template_well_formed, "a",                                    true  },
        { tn_uri_template_well_formed, "http://example.com/d/{term:1}/{term}", true  },
        { tn_uri_template_well_formed, "{a}",                                  true  },
        { tn_uri_template_well_formed, "{a,b}",                                true  },
        { tn_uri_template_well_formed, "{a.b}",                                true  },
        { tn_uri_template_well_formed, "{a_b}",                                true  },
        { tn_uri_template_well_formed, "{%41}",                                true  },
        { tn_uri_template_well_formed, "{a%41.b}",                             true  },
        { tn_uri_template_well_formed, "{+a}",                                 true  },
        { tn_uri_template_well_formed, "{#a}",                                 true  },
        { tn_uri_template_well_formed, "{.a}",                                 true  },
        { tn_uri_template_well_formed, "{/a}",                                 true  },
        { tn_uri_template_well_formed, "{;a}",                                 true  },
        { tn_uri_template_well_formed, "{?a,b*}",                              true  },
        { tn_uri_template_well_formed, "{&a}",                                 true  },
        { tn_uri_template_well_formed, "{=a}",                                 true  },
        { tn_uri_template_well_formed, "{|a}",                                 true  },
        { tn_uri_template_well_formed, "{!a}",                                 true  },
        { tn_uri_template_well_formed, "{@a}",                                 true  },
        { tn_uri_template_well_formed, "{,a}",                                 true  },
        { tn_uri_template_well_formed, "{a*}",                                 true  },
        { tn_uri_template_well_formed, "{a:1}",                                true  },
        { tn_uri_template_well_formed, "{a:9999}",                             true  },
        { tn_uri_template_well_formed, "{a:3,b*,c}",                           true  },
        { tn_uri_template_well_formed, "a%41b",                                true  },
        { tn_uri_template_well_formed, "a'b",                                  true  },
        { tn_uri_template_well_formed, "a\xc3\xa4" "b",                        true  },
        { tn_uri_template_well_formed, "a\xf0\x9f\x98\x80" "b",                true  },
        { tn_uri_template_well_formed, "a\xee\x80\x80" "b",                    true  },
        { tn_uri_template_well_formed, "{a}{b}",                               true  },
        { tn_uri_template_well_formed, "[]#?&;=,!@$()*+-._~:/",                true  },
        { tn_uri_template_well_formed, "{",                                    false },
        { tn_uri_template_well_formed, "}",                                    false },
        { tn_uri_template_well_formed, "{}",                                   false },
        { tn_uri_template_well_formed, "{a",                                   false },
        { tn_uri_template_well_formed, "a}",                                   false },
        { tn_uri_template_well_formed, "{{a}}",                                false },
        { tn_uri_template_well_formed, "{a{b}}",                               false },
        { tn_uri_template_well_formed, "{+}",                                  false },
        { tn_uri_template_well_formed, "{a,}",                                 false },
        { tn_uri_template_well_formed, "{,}",                                  false },
        { tn_uri_template_well_formed, "{a,,b}",                               false },
        { tn_uri_template_well_formed, "{,+a}",                                false },
        { tn_uri_template_well_formed, "{++a}",                                false },
        { tn_uri_template_well_formed, "{a..b}",                               false },
        { tn_uri_template_well_formed, "{.}",                                  false },
        { tn_uri_template_well_formed, "{a.}",                                 false },
        { tn_uri_template_well_formed, "{a:}",                                 false },
        { tn_uri_template_well_formed, "{a:0}",                                false },
        { tn_uri_template_well_formed, "{a:01}",                               false },
        { tn_uri_template_well_formed, "{a:10000}",                            false },
        { tn_uri_template_well_formed, "{a:1*}",                               false },
        { tn_uri_template_well_formed, "{a*:1}",                               false },
        { tn_uri_template_well_formed, "{a**}",                                false },
        { tn_uri_template_well_formed, "{a=b}",                                false },
        { tn_uri_template_well_formed, "{a b}",                                false },
        { tn_uri_template_well_formed, "{\xc3\xa4}",                           false },
        { tn_uri_template_well_formed, "{%4}",                                 false },
        { tn_uri_template_well_formed, "{%zz}",                                false },
        { tn_uri_template_well_formed, "%",                                    false },
        { tn_uri_template_well_formed, "a%4",                                  false },
        { tn_uri_template_well_formed, "a%zz",                                 false },
        { tn_uri_template_well_formed, "a b",                                  false },
        { tn_uri_template_well_formed, "a\"b",                                 false },
        { tn_uri_template_well_formed, "a<b",                                  false },
        { tn_uri_template_well_formed, "a>b",                                  false },
        { tn_uri_template_well_formed, "a\\b",                                 false },
        { tn_uri_template_well_formed, "a^b",                                  false },
        { tn_uri_template_well_formed, "a`b",                                  false },
        { tn_uri_template_well_formed, "a|b",                                  false },
        { tn_uri_template_well_formed, "a\nb",                                 false },
        { tn_uri_template_well_formed, "a\x7f" "b",                            false },
        { tn_uri_template_well_formed, "\xc2\x80",                             false },
        { tn_uri_template_well_formed, "a\xff",                                false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].asked(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("'%s' is judged wrongly", cases[i].text);
    assert_false(tn_uri_template_well_formed(SLICE_LIT("a\0")));
    assert_false(tn_uri_template_well_formed(SLICE_LIT("{\0a}")));
}

static void tells_mistakes(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "a:{b}", NULL },
        { "notes://{folder}/{+id}", NULL },
        { "a:{b.c_1}", NULL },
        { "a:{b}-{c}?x={d}#e", NULL },
        { "", "scheme" },
        { "/a/{b}", "scheme" },
        { "{b}:x", "scheme" },
        { "a:b", "no variable" },
        { "a:{b", "RFC 6570" },
        { "a:b}", "RFC 6570" },
        { "a:{}", "RFC 6570" },
        { "a: {b}", "RFC 6570" },
        { "a:{b}{c}", "adjacent" },
        { "a:{b}x{+b}", "twice" },
        { "a:{/b}", "only {name}" },
        { "a:{?b}", "only {name}" },
        { "a:{#b}", "only {name}" },
        { "a:{b,c}", "only {name}" },
        { "a:{b:3}", "only {name}" },
        { "a:{b*}", "only {name}" },
        { "a:{%41}", "name of a variable" },
        { "a:{a}.{b}.{c}.{d}.{e}.{f}.{g}.{h}.{i}.{j}.{k}.{l}.{m}.{n}.{o}.{p}", NULL },
        { "a:{a}.{b}.{c}.{d}.{e}.{f}.{g}.{h}.{i}.{j}.{k}.{l}.{m}.{n}.{o}.{p}.{q}", "more than 16" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *why = tn_uri_template_mistake(tn_slice_of(cases[i].text));

        if (!cases[i].want != !why || (why && !strstr(why, cases[i].want)))
            fail_msg("%s: %s", cases[i].text, why ? why : "no mistake");
    }
}

static void matches(void **state)
{
    static const struct {
        const char *text, *uri, *want;
    } cases[] = {
        { "a:{b}", "a:x", "b=x;" },
        { "a:{b}", "a:", "no" },
        { "a:{b}", "A:x", "no" },
        { "a:{b}", "a:x/y", "no" },
        { "a:{b}", "a:x?y", "no" },
        { "a:{b}", "a:x%2Fy%20z", "b=x/y z;" },
        { "a:{+b}", "a:x/y?z#w", "b=x/y?z#w;" },
        { "a:{b}/c", "a:x/c", "b=x;" },
        { "a:{b}/c", "a:x/cc", "no" },
        { "a:{b}/{c}", "a:x/y", "b=x;c=y;" },
        { "a:{b}/{c}", "a:x/y/z", "no" },
        { "a:{b}-{c}", "a:1-2-3", "b=1-2;c=3;" },
        { "a:{b}-{c}", "a:-2-", "no" },
        { "a:{+b}x{c}", "a:1x/x2", "b=1x/;c=2;" },
        { "a:{b}x{+c}", "a:1x/x2", "b=1;c=/x2;" },
        { "a:{+b}/{c}.{d}", "a:p/q/r.s.t", "b=p/q;c=r.s;d=t;" },
        { "a:{b}aa{c}aa", "a:aaaaaa", "b=a;c=a;" },
        { "test://t/{id}/data", "test://t/123/data", "id=123;" },
        { "a:{b}", "a:\xc3\xa9", "b=\xc3\xa9;" },
        { "a:{b}", "a:%C3%A9", "b=\xc3\xa9;" },
        { "a:{b}", "a:%", "bad" },
        { "a:{b}", "a:%4", "bad" },
        { "a:{b}", "a:%zz", "bad" },
        { "a:{b}", "a:%00", "bad" },
        { "a:{b}", "a:%FF", "bad" },
        { "a:{b}", "a:x%2", "bad" },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_variable variables[URI_VARIABLES_MAX];
        char               got[200] = "no";
        size_t             count;

        assert_null(tn_uri_template_mistake(tn_slice_of(cases[i].text)));
        if (tn_uri_template_match(tn_slice_of(cases[i].text), tn_slice_of(cases[i].uri), variables, &count)) {
            snprintf(got, sizeof got, "%s", tn_uri_template_decode(&arena, variables, count) ? "" : "bad");
            for (size_t k = 0; k < count && strcmp(got, "bad") != 0; k++)
                snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s=%s;", (int)variables[k].name.len,
                         variables[k].name.at, variables[k].value.at);
        }
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s, %s: %s", cases[i].text, cases[i].uri, got);
    }
    tn_arena_free(&arena);
}

/* What would take a backtracking matcher far too long. */
static void is_never_slow(void **state)
{
    static const char text[] =
        "a:{+a}x{+b}x{+c}x{+d}x{+e}x{+f}x{+g}x{+h}x{+i}x{+j}x{+k}x{+l}x{+m}x{+n}x{+o}x{+p}y";
    static char        uri[URI_LEN_MAX + 1];
    struct tn_variable variables[URI_VARIABLES_MAX];
    size_t             count;

    (void)state;
    memset(uri, 'x', sizeof uri);
    memcpy(uri, "a:", 2);
    assert_false(
        tn_uri_template_match(SLICE_LIT("a:{+b}"), (struct tn_slice){ uri, sizeof uri }, variables, &count));
    assert_true(tn_uri_template_match(SLICE_LIT("a:{+b}"), (struct tn_slice){ uri, sizeof uri - 1 },
                                      variables, &count));
    assert_false(
        tn_uri_template_match(tn_slice_of(text), (struct tn_slice){ uri, URI_LEN_MAX }, variables, &count));
    uri[URI_LEN_MAX - 1] = 'y';
    assert_true(
        tn_uri_template_match(tn_slice_of(text), (struct tn_slice){ uri, URI_LEN_MAX }, variables, &count));
    assert_int_equal(count, URI_VARIABLES_MAX);
}

static void knows_its_names(void **state)
{
    (void)state;
    assert_true(tn_uri_template_has(SLICE_LIT("a:{b}/{+c}"), SLICE_LIT("b")));
    assert_true(tn_uri_template_has(SLICE_LIT("a:{b}/{+c}"), SLICE_LIT("c")));
    assert_false(tn_uri_template_has(SLICE_LIT("a:{b}/{+c}"), SLICE_LIT("+c")));
    assert_false(tn_uri_template_has(SLICE_LIT("a:{b}/{+c}"), SLICE_LIT("a")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),        cmocka_unit_test(tells_mistakes),  cmocka_unit_test(matches),
        cmocka_unit_test(is_never_slow), cmocka_unit_test(knows_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
