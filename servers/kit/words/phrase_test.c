/* phrase_test.c - every phrase is told by its words in a row, and by nothing else. */
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/words/phrase.h"

/* What the last word of a text means with those before it; a comma breaks. */
static const char *meaning_of(const char *text, size_t *parts)
{
    struct phrase phrase = { 0 };
    const char   *found  = NULL;

    for (size_t len; *text; text += len + (text[len] == ' ')) {
        len   = strcspn(text, " ,");
        found = phrase_take(&phrase, text, len, parts);
        if (text[len] != ',')
            continue;
        phrase_break(&phrase);
        text++;
    }
    return found;
}

static void tells_every_phrase(void **state)
{
    static const struct { const char *text, *meaning; size_t parts; } cases[] = {
        { "log in", "login", 1 },          { "log on", "login", 1 },         { "sign in", "login", 1 },
        { "sign on", "login", 1 },         { "log out", "logout", 1 },       { "log off", "logout", 2 },
        { "sign out", "logout", 1 },       { "sign off", "logout", 2 },      { "sign up", "register", 1 },
        { "set up", "setup", 1 },          { "start up", "startup", 1 },     { "clean up", "cleanup", 1 },
        { "look up", "lookup", 1 },        { "back up", "backup", 1 },       { "show up", "appear", 1 },
        { "speed up", "faster", 1 },       { "shut down", "shutdown", 2 },   { "slow down", "slower", 2 },
        { "time out", "timeout", 1 },      { "swap out", "replace", 1 },     { "find out", "discover", 1 },
        { "leave out", "omit", 1 },        { "turn off", "disable", 2 },     { "switch off", "disable", 2 },
        { "turn on", "enable", 1 },        { "switch on", "enable", 1 },     { "pass on", "forward", 1 },
        { "carry on", "continue", 1 },     { "go on", "continue", 1 },       { "roll back", "rollback", 2 },
        { "fall back", "fallback", 2 },    { "bring back", "restore", 2 },   { "brought back", "restore", 2 },
        { "throw away", "discard", 2 },    { "right away", "immediately", 2 }, { "straight away", "immediately", 2 },
        { "at once", "simultaneous", 1 },  { "command line", "cli", 2 },     { "command lines", "cli", 2 },
        { "standard input", "stdin", 2 },  { "standard output", "stdout", 2 }, { "standard error", "stderr", 2 },
        { "file system", "filesystem", 2 }, { "data base", "database", 2 },  { "user name", "username", 2 },
        { "time stamp", "timestamp", 2 },  { "read only", "readonly", 1 },   { "third party", "external", 2 },
        { "penetration test", "pentest", 2 }, { "penetration testing", "pentest", 2 },
        { "hold on to", "keep", 1 },       { "get rid of", "remove", 2 },    { "out of date", "outdated", 1 },
        { "signed out", "logout", 1 },     { "logging in", "login", 1 },     { "now sign out", "logout", 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t      parts = 0;
        const char *found = meaning_of(cases[i].text, &parts);

        if (!found)
            fail_msg("%s", cases[i].text);
        assert_string_equal(found, cases[i].meaning);
        assert_int_equal(parts, cases[i].parts);
    }
}

static void tells_nothing_else(void **state)
{
    static const char *const cases[] = { "in",
                                         "out",
                                         "log",
                                         "log it",
                                         "log, in",
                                         "in log",
                                         "log the in",
                                         "rid of",
                                         "get rid to",
                                         "get, rid of",
                                         "login in",
                                         "log ins",
                                         "log outwards",
                                         "0 1",
                                         "\303\251t\303\251 in",
                                         "log {",
                                         "log 9",
                                         "loggggggggggggggggggggg in",
                                         "sign aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (meaning_of(cases[i], &(size_t){ 0 }))
            fail_msg("%s", cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(tells_every_phrase),
                                        cmocka_unit_test(tells_nothing_else) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
