/* words_test.c - the words of texts, and their stems. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/text.h"
#include "kit/words/stem.h"
#include "kit/words/words.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static bool join(void *user, const char *word, size_t len)
{
    struct text *text = user;

    assert_true(len > 0 && len <= WORD_LEN_MAX);
    assert_int_equal(strlen(word), len);
    if (text->len)
        text_char(text, ' ');
    text_add(text, word, len);
    return true;
}

static void finds_words(void **state)
{
    static const struct { const char *text, *words; } cases[] = {
        { "",                                    "" },
        { " \t\r\n.,;:!?-+#'\"`()[]{}",          "" },
        { "Hello, World!",                       "hello world" },
        { "The cats are running",                "cat run" },
        { "to be or not to be",                  "to be or not to be" },
        { "NOT",                                 "not" },
        { "NOT cats",                            "cat" },
        { "C++ vs. C# and F#, .NET",             "c++ vs c# f# net .net" },
        { "C",                                   "c" },
        { "x:y \"quoted\" a*b (c)",              "x y quot b c" },
        { "#include <stdio.h>",                  "includ stdio h stdio.h" },
        { "issue #12 is a#b",                    "issu 12 b" },
        { "i++; ++j",                            "i++ j" },
        { "a+++b",                               "a++ b" },
        { "getUserName()",                       "get user name getusernam" },
        { "HTTPServer parseURL URLs",            "http server httpserver pars url parseurl url" },
        { "snake_case_name SNAKE_CASE",          "snake case name snake_case_name snake case snake_case" },
        { "__init__ _private ___",               "init privat" },
        { "sha256 SHA256Hash 3D",                "sha256 sha256 hash sha256hash 3 d 3d" },
        { "`--max-body SIZE`, --http=1 a--b -- --", "max bodi max_body size http 1 b" },
        { "Log out, or sign in again",           "log logout sign login again" },
        { "Signed in. Out of standard\ninput",   "sign login standard input stdin" },
        { "log. In time",                        "log time" },
        { "the log (in use)",                    "log us" },
        { "get rid of it",                       "get rid remov" },
        { "config.json",                         "config json config.json" },
        { "System.Text.Json",                    "system text json system.text.json" },
        { "foo.barBaz",                          "foo bar baz barbaz foo.barbaz" },
        { "Ends. Now...",                        "end now" },
        { "v1.2.3",                              "v1 2 3 v1.2.3" },
        { "don't the user's users' can't",       "user user" },
        { "O'Neil",                              "o neil oneil" },
        { "l\342\200\231\303\251t\303\251",      "lete" },
        { "\303\211L\303\211PHANT na\303\257ve", "eleph naiv" },
        { "stra\303\237e \303\206r\303\270",     "strass aero" },
        { "e\314\201t\303\251",                  "et" },
        { "\316\225\316\273\316\273\316\254\316\264\316\261\317\202", "\316\265\316\273\316\273\316\261\316\264\316\261\317\203" },
        { "\320\201\320\233\320\232\320\260",    "\320\265\320\273\320\272\320\260" },
        { "\346\227\245\346\234\254\350\252\236", "\346\227\245 \346\234\254 \350\252\236" },
        { "\357\274\241\357\274\242\357\274\221", "ab1" },
        { "a\342\200\213bc so\302\255ft",        "abc soft" },
        { "\342\200\234quote\342\200\235\342\200\224dash", "quot dash" },
        { "bad \377\376 bytes \303",             "bad byte" },
        { "\360\237\230\200 smile",              "smile" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct text text = { 0 };

        words_each(cases[i].text, strlen(cases[i].text), join, &text);
        if (strcmp(text_of(&text), cases[i].words) != 0)
            fprintf(stderr, "of: %s\n", cases[i].text);
        assert_string_equal(text_of(&text), cases[i].words);
        text_free(&text);
    }
}

/* Examples of the paper, each after all steps. */
static void stems(void **state)
{
    static const struct { const char *word, *stem; } cases[] = {
        { "caresses",     "caress" }, { "ponies",      "poni"    }, { "ties",       "ti"     }, { "cats",        "cat"    },
        { "feed",         "feed"   }, { "agreed",      "agre"    }, { "plastered",  "plaster" }, { "bled",       "bled"   },
        { "motoring",     "motor"  }, { "sing",        "sing"    }, { "conflated",  "conflat" }, { "troubled",   "troubl" },
        { "sized",        "size"   }, { "hopping",     "hop"     }, { "tanned",     "tan"    }, { "falling",     "fall"   },
        { "hissing",      "hiss"   }, { "fizzed",      "fizz"    }, { "failing",    "fail"   }, { "filing",      "file"   },
        { "happy",        "happi"  }, { "sky",         "sky"     }, { "relational", "relat"  }, { "conditional", "condit" },
        { "rational",     "ration" }, { "valenci",     "valenc"  }, { "digitizer",  "digit"  }, { "operator",    "oper"   },
        { "feudalism",    "feudal" }, { "decisiveness", "decis"  }, { "hopefulness", "hope"  }, { "callousness", "callous" },
        { "formaliti",    "formal" }, { "sensitiviti", "sensit"  }, { "sensibiliti", "sensibl" }, { "triplicate", "triplic" },
        { "formative",    "form"   }, { "formalize",   "formal"  }, { "electrical", "electr" }, { "hopeful",     "hope"   },
        { "goodness",     "good"   }, { "revival",     "reviv"   }, { "allowance",  "allow"  }, { "inference",   "infer"  },
        { "airliner",     "airlin" }, { "adjustable",  "adjust"  }, { "defensible", "defens" }, { "irritant",    "irrit"  },
        { "replacement",  "replac" }, { "adjustment",  "adjust"  }, { "dependent",  "depend" }, { "adoption",    "adopt"  },
        { "communism",    "commun" }, { "activate",    "activ"   }, { "effective",  "effect" }, { "bowdlerize",  "bowdler" },
        { "probate",      "probat" }, { "rate",        "rate"    }, { "cease",      "ceas"   }, { "controll",    "control" },
        { "roll",         "roll"   }, { "generalizations", "gener" }, { "oscillators", "oscil" }, { "connections", "connect" },
        { "is",           "is"     }, { "s",           "s"       }, { "yyy",        "yyi"    }, { "sss",         "sss"    },
        { "ing",          "ing"    }, { "ion",         "ion"     }, { "eed",        "eed"    }, { "ies",         "i"      },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char word[32];

        snprintf(word, sizeof word, "%s", cases[i].word);
        word[stem_word(word, strlen(word))] = '\0';
        assert_string_equal(word, cases[i].stem);
    }
}

static bool count_one(void *user, const char *word, size_t len)
{
    (void)word;
    assert_true(len <= WORD_LEN_MAX);
    return ++*(size_t *)user < 3;
}

struct looking {
    const char *word;
    size_t      found, words;
};

static bool look_for(void *user, const char *word, size_t len)
{
    struct looking *looking = user;

    (void)len;
    looking->found += strcmp(word, looking->word) == 0;
    looking->words++;
    return true;
}

/* Whatever word is looked for, it is found as often, among as many. */
static void finds_those_that_begin_alike(void **state)
{
    static const char text[] =
        "Ying tying ayed ties as abilities; getUserName() to be Log out --max-body \303\251t\303\251 "
        "i ies y a b9 snake_case v1.2.3 agreed running happy hopping skies";
    static const char *const asked[] = { "y",    "ai",  "tie",   "ti",  "abil", "get",      "logout", "log",
                                         "bodi", "et",  "i",     "a",   "b9",   "v1.2.3",   "snake",  "case",
                                         "agre", "run", "happi", "hop", "ski",  "max_body", "none",   "" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        struct looking         all = { .word = asked[i] }, some = all;
        struct word_beginnings beginnings = { 0 };
        size_t                 count;

        word_beginnings_add(&beginnings, asked[i], strlen(asked[i]));
        words_each(text, strlen(text), look_for, &all);
        count = words_each_like(text, strlen(text), &beginnings, look_for, &some);
        assert_int_equal(count, all.words);
        assert_int_equal(some.found, all.found);
        assert_true(some.words < all.words);
    }
}

static void is_bounded(void **state)
{
    size_t count = 0, len = (size_t)1 << 20;
    char  *text = malloc(len);

    (void)state;
    assert_non_null(text);
    memset(text, 'y', len);
    words_each(text, len, count_one, &count);
    assert_int_equal(count, 1);
    for (size_t i = 0; i < len; i++)
        text[i] = i % 2 ? '\303' : '\251';
    count = 0;
    words_each(text, len, count_one, &count);
    assert_true(count <= 1);
    for (size_t i = 0; i < len; i++)
        text[i] = i % 2 ? ' ' : 'z';
    count = 0;
    words_each(text, len, count_one, &count);
    assert_int_equal(count, 3);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_words),
        cmocka_unit_test(stems),
        cmocka_unit_test(finds_those_that_begin_alike),
        cmocka_unit_test(is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
