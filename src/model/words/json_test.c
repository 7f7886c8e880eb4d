/* json_test.c - what is nearly JSON, and what is said of it. */
#include "text/malformed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/words/words.h"

static void says_what_is_wrong(void **state)
{
    static const struct { const char *text; enum tn_malformed kind; size_t at; } cases[] = {
        { "{'a':1}",                   MALFORMED_SINGLE_QUOTES, 1  },
        { "['a']",                     MALFORMED_SINGLE_QUOTES, 1  },
        { "{\xE2\x80\x9C""a\xE2\x80\x9D:1}", MALFORMED_CURLY_QUOTES, 1  },
        { "{\\\"a\\\":1}",             MALFORMED_ESCAPED,       1  },
        { "{\"a\":True}",              MALFORMED_PYTHON,        5  },
        { "[False]",                   MALFORMED_PYTHON,        1  },
        { "{\"a\":None}",              MALFORMED_PYTHON,        5  },
        { "[undefined]",               MALFORMED_PYTHON,        1  },
        { "[NaN]",                     MALFORMED_NO_NUMBER,     1  },
        { "[1,]",                      MALFORMED_COMMA_LEFT,    2  },
        { "{\"a\":1,}",                MALFORMED_COMMA_LEFT,    6  },
        { "```json\n{\"a\":1}\n```",   MALFORMED_FENCE,         0  },
        { "{\"a\":1 // one\n}",        MALFORMED_COMMENT,       7  },
        { "[1, /* two */ 2]",          MALFORMED_COMMENT,       4  },
        { "{a:1}",                     MALFORMED_NAME,          1  },
        { "[low]",                     MALFORMED_BARE,          1  },
        { "{\"a\":low}",               MALFORMED_BARE,          5  },
        { "[\"a\" \"b\"]",             MALFORMED_COMMA_MISSING, 5  },
        { "{\"a\":1 \"b\":2}",         MALFORMED_COMMA_MISSING, 7  },
        { "[1,2",                      MALFORMED_CUT,           4  },
        { "{\"a\":\"b",                MALFORMED_CUT,           7  },
        { "[",                         MALFORMED_CUT,           1  },
        { "[\"a\nb\"]",                MALFORMED_LINE_BREAK,    3  },
        { "low, high",                 MALFORMED_PLAIN,         0  },
        { "[1] x",                     MALFORMED_OTHER,         4  },
        { "[\"a\\x\"]",               MALFORMED_OTHER,         4  },
        { "[01]",                      MALFORMED_OTHER,         1  },
    };
    const struct tn_json_limits limits = { 1000, 10, 100 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tn_arena     arena;
        struct tn_json_text read;

        tn_arena_init(&arena, NULL, 0);
        read = tn_json_read(&arena, cases[i].text, strlen(cases[i].text), &limits);
        if (read.fault != JSON_SYNTAX ||
            tn_malformed_kind(tn_slice_of(cases[i].text), &read) != cases[i].kind || read.at != cases[i].at)
            fail_msg("%s: kind %d at %zu (%s)", cases[i].text,
                     (int)tn_malformed_kind(tn_slice_of(cases[i].text), &read), read.at, read.what);
        assert_non_null(tn_words_unread(tn_slice_of(cases[i].text), &read, false));
        tn_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(says_what_is_wrong) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
