/* phrase.c - words that mean one thing together.
 *
 * People ask in verbs of two words ("sign out", "turn off"), whose second is a stop word and whose first means something else
 * alone. Pages write "log out" where others write "logout". Both become the one word, in what is indexed and in what is asked.
 */
#include "kit/words/phrase.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kit/words/stem.h"

/* The first word is compared without its ending. */
static const struct {
    const char *first, *second, *third, *meaning;
    size_t      parts;
} phrases[] = {
    { "log", "in", NULL, "login", 1 },           { "log", "on", NULL, "login", 1 },
    { "sign", "in", NULL, "login", 1 },          { "sign", "on", NULL, "login", 1 },
    { "log", "out", NULL, "logout", 1 },         { "log", "off", NULL, "logout", 2 },
    { "sign", "out", NULL, "logout", 1 },        { "sign", "off", NULL, "logout", 2 },
    { "sign", "up", NULL, "register", 1 },       { "set", "up", NULL, "setup", 1 },
    { "start", "up", NULL, "startup", 1 },       { "clean", "up", NULL, "cleanup", 1 },
    { "look", "up", NULL, "lookup", 1 },         { "back", "up", NULL, "backup", 1 },
    { "show", "up", NULL, "appear", 1 },         { "speed", "up", NULL, "faster", 1 },
    { "shut", "down", NULL, "shutdown", 2 },     { "slow", "down", NULL, "slower", 2 },
    { "time", "out", NULL, "timeout", 1 },       { "swap", "out", NULL, "replace", 1 },
    { "find", "out", NULL, "discover", 1 },      { "leav", "out", NULL, "omit", 1 },
    { "turn", "off", NULL, "disable", 2 },       { "switch", "off", NULL, "disable", 2 },
    { "turn", "on", NULL, "enable", 1 },         { "switch", "on", NULL, "enable", 1 },
    { "pass", "on", NULL, "forward", 1 },        { "carri", "on", NULL, "continue", 1 },
    { "go", "on", NULL, "continue", 1 },         { "roll", "back", NULL, "rollback", 2 },
    { "fall", "back", NULL, "fallback", 2 },     { "bring", "back", NULL, "restore", 2 },
    { "brought", "back", NULL, "restore", 2 },   { "throw", "away", NULL, "discard", 2 },
    { "right", "away", NULL, "immediately", 2 }, { "straight", "away", NULL, "immediately", 2 },
    { "at", "once", NULL, "simultaneous", 1 },   { "command", "line", NULL, "cli", 2 },
    { "command", "lines", NULL, "cli", 2 },      { "standard", "input", NULL, "stdin", 2 },
    { "standard", "output", NULL, "stdout", 2 }, { "standard", "error", NULL, "stderr", 2 },
    { "file", "system", NULL, "filesystem", 2 }, { "data", "base", NULL, "database", 2 },
    { "user", "name", NULL, "username", 2 },     { "time", "stamp", NULL, "timestamp", 2 },
    { "read", "only", NULL, "readonly", 1 },     { "third", "party", NULL, "external", 2 },
    { "penetr", "test", NULL, "pentest", 2 },    { "penetr", "testing", NULL, "pentest", 2 },
    { "hold", "on", "to", "keep", 1 },           { "get", "rid", "of", "remove", 2 },
    { "out", "of", "date", "outdated", 1 },
};

/* How long the words are that end a phrase, a bit for each length, by their first letter: no other word is looked for. */
#define LONG(length) (1U << (length))
static const uint16_t lasts[26] = {
    ['a' - 'a'] = LONG(4),                               /* away */
    ['b' - 'a'] = LONG(4),                               /* back, base */
    ['d' - 'a'] = LONG(4),                               /* down, date */
    ['e' - 'a'] = LONG(5),                               /* error */
    ['i' - 'a'] = LONG(2) | LONG(5),                     /* in, input */
    ['l' - 'a'] = LONG(4) | LONG(5),                     /* line, lines */
    ['n' - 'a'] = LONG(4),                               /* name */
    ['o' - 'a'] = LONG(2) | LONG(3) | LONG(4) | LONG(6), /* on, of, out, off, once, only, output */
    ['p' - 'a'] = LONG(5),                               /* party */
    ['s' - 'a'] = LONG(5) | LONG(6),                     /* stamp, system */
    ['t' - 'a'] = LONG(2) | LONG(4) | LONG(7),           /* to, test, testing */
    ['u' - 'a'] = LONG(2),                               /* up */
};

static bool may_end(const char *word, size_t len)
{
    return word[0] >= 'a' && word[0] <= 'z' && lasts[word[0] - 'a'] >> len & 1;
}

static int starts(const char *word, const char *stem)
{
    char   form[PHRASE_WORD_MAX + 1];
    size_t len = strlen(word);

    memcpy(form, word, len + 1);
    form[stem_word(form, len)] = '\0';
    return strcmp(form, stem) == 0;
}

static const char *find(const struct phrase *phrase, const char *word, size_t *parts)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        const char *last   = phrases[i].third ? phrases[i].third : phrases[i].second;
        const char *before = phrases[i].third ? phrase->last[0] : phrase->last[1];

        if (last[0] != word[0] || strcmp(last, word) != 0 || before[0] != phrases[i].first[0] ||
            (phrases[i].third && strcmp(phrase->last[1], phrases[i].second) != 0) ||
            !starts(before, phrases[i].first))
            continue;
        *parts = phrases[i].parts;
        return phrases[i].meaning;
    }
    return NULL;
}

const char *phrase_take(struct phrase *phrase, const char *word, size_t len, size_t *parts)
{
    char        taken[PHRASE_WORD_MAX + 1];
    const char *found;

    if (len > PHRASE_WORD_MAX) {
        phrase_break(phrase);
        return NULL;
    }
    memcpy(taken, word, len);
    taken[len] = '\0';
    found      = phrase->last[1][0] && may_end(taken, len) ? find(phrase, taken, parts) : NULL;
    memcpy(phrase->last[0], phrase->last[1], sizeof phrase->last[0]);
    memcpy(phrase->last[1], taken, sizeof taken);
    return found;
}

void phrase_break(struct phrase *phrase)
{
    phrase->last[0][0] = phrase->last[1][0] = '\0';
}
