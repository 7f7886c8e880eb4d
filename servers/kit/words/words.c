/* words.c - the words of a text, the same for what is indexed and what is asked.
 *
 * A run of letters, digits, underscores, inner dots and apostrophes is collected, folded as it comes. Then it is taken
 * apart: at dots, at underscores (a flag's hyphens are such) and where capitals begin; parts are words, stemmed when they are plain letters, and so is
 * the whole when it had several. "C++", "F#" and ".NET" keep what makes them what they are.
 */
#include <stdint.h>
#include <string.h>

#include "kit/words/fold.h"
#include "kit/words/phrase.h"
#include "kit/words/stem.h"
#include "kit/words/words.h"

#define RUN_MAX  256 /* bytes of a run; the rest of a longer one, hardly a word, is left out */
#define STOP_MAX 7   /* bytes of the longest stop word */

/* Of a byte of a run. Folded letters have no case: whole words in capitals must not fall apart at their accents. */
enum letter_case { CASE_NONE, CASE_LOWER, CASE_UPPER };

struct run {
    bool (*visit)(void *user, const char *word, size_t len, enum word_kind kind);
    void  *user;
    bool   keeps_stops;
    bool   ended;    /* the visitor has enough */
    bool   is_mixed; /* it may be of several words: it has signs, or capitals after its first letter */
    size_t visited;
    const struct word_beginnings *beginnings; /* NULL: every word is visited */
    struct phrase                 phrase;     /* the words before */
    char                          at[RUN_MAX + FOLD_ROOM];
    unsigned char                 is_case[RUN_MAX + FOLD_ROOM];
    size_t                        len;
};

/* Sorted. Words that say how, not what; "not" and question words are among them. */
static const char stop_words[][STOP_MAX + 1] = {
    "a",     "about", "after",  "all",     "also",    "am",     "an",     "and",    "any",    "are",
    "arent", "as",    "at",     "be",      "because", "been",   "before", "being",  "both",   "but",
    "by",    "can",   "cannot", "cant",    "could",   "did",    "do",     "does",   "doesnt", "doing",
    "dont",  "each",  "for",    "from",    "had",     "has",    "have",   "having", "he",     "her",
    "here",  "hers",  "him",    "his",     "how",     "i",      "if",     "in",     "into",   "is",
    "isnt",  "it",    "its",    "itself",  "just",    "may",    "me",     "might",  "more",   "most",
    "must",  "my",    "no",     "nor",     "not",     "of",     "on",     "only",   "or",     "other",
    "our",   "ours",  "out",    "over",    "own",     "shall",  "she",    "should", "so",     "some",
    "such",  "than",  "that",   "the",     "their",   "theirs", "them",   "then",   "there",  "these",
    "they",  "this",  "those",  "through", "to",      "too",    "under",  "until",  "up",     "us",
    "very",  "was",   "we",     "were",    "what",    "when",   "where",  "which",  "while",  "who",
    "whom",  "whose", "why",    "will",    "with",    "wont",   "would",  "you",    "your",   "yours",
};

/* Of at most STOP_MAX bytes and a NUL: numbers have the order of the words. */
static uint64_t number_of(const char *word, size_t len)
{
    uint64_t number = 0;

    for (size_t i = 0; i < STOP_MAX + 1; i++)
        number = number << 8 | (i < len ? (unsigned char)word[i] : 0);
    return number;
}

static bool is_stop(const char *word, size_t len)
{
    size_t   low = 0, high = sizeof stop_words / sizeof *stop_words;
    uint64_t wanted;

    if (len > STOP_MAX)
        return false;
    wanted = number_of(word, len);
    while (low < high) {
        size_t   middle = (low + high) / 2;
        uint64_t found  = number_of(stop_words[middle], STOP_MAX + 1);

        if (found == wanted)
            return true;
        if (found < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_letters(const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (word[i] < 'a' || word[i] > 'z')
            return false;
    return true;
}

/* ---- Taking a run apart ---- */

/* Stemming leaves the first letter as it is, and makes of the second at most an i where a y was. */
static unsigned second_of(char c)
{
    return (unsigned char)(c == 'y' ? 'i' : c) % 64;
}

void word_beginnings_add(struct word_beginnings *beginnings, const char *word, size_t len)
{
    if (len)
        beginnings->seconds[(unsigned char)word[0]] |= len > 1 ? UINT64_C(1) << second_of(word[1])
                                                               : UINT64_MAX;
}

/* Whether the word, not stemmed yet, may become one of those. */
static bool may_be(const struct word_beginnings *beginnings, const char *word, size_t len)
{
    uint64_t seconds = beginnings->seconds[(unsigned char)word[0]];

    return seconds && (len == 1 || seconds >> second_of(word[1]) & 1);
}

static void emit(struct run *run, const char *at, size_t len, enum word_kind kind)
{
    char word[WORD_LEN_MAX + 1];
    bool letters;

    if (!len || run->ended)
        return;
    if (len > WORD_LEN_MAX)
        for (len = WORD_LEN_MAX; len && ((unsigned char)at[len] & 0xC0) == 0x80; len--)
            ; /* not in the middle of a character */
    letters = is_letters(at, len);
    if (letters && !run->keeps_stops && is_stop(at, len))
        return;
    run->visited++;
    if (run->beginnings && !may_be(run->beginnings, at, len))
        return;
    memcpy(word, at, len);
    word[len] = '\0';
    if (letters) {
        len       = stem_word(word, len);
        word[len] = '\0';
    }
    run->ended = !run->visit(run->user, word, len, kind);
}

/* A name in code goes on with a new word here: "parseURL", "HTTPServer" before its S, but not "URLs". */
static bool begins_part(const struct run *run, size_t begin, size_t i, size_t end)
{
    const unsigned char *is_case = run->is_case;

    if (i == begin || is_case[i] != CASE_UPPER || is_case[i - 1] == CASE_NONE)
        return false;
    if (is_case[i - 1] == CASE_LOWER)
        return true;
    if (i + 1 >= end || is_case[i + 1] != CASE_LOWER || run->at[i + 1] < 'a')
        return false;
    return !(run->at[i + 1] == 's' && i + 2 == end);
}

/* A word in small letters; what it means with those before it follows. */
static void note_phrase(struct run *run, size_t begin, size_t end)
{
    size_t      parts;
    const char *meaning = phrase_take(&run->phrase, run->at + begin, end - begin, &parts);

    if (meaning)
        emit(run, meaning, strlen(meaning), parts > 1 ? WORD_FOR_TWO : WORD_FOR_ONE);
}

/* A run without dots: its parts, and itself when it has several. */
static void take_name(struct run *run, size_t begin, size_t end, bool is_part)
{
    size_t from = begin, parts = 0;

    for (size_t i = begin; i <= end; i++) {
        bool is_cut = i < end && run->at[i] == '_';

        if (i < end && !is_cut && !(i > from && begins_part(run, begin, i, end)))
            continue;
        if (i > from) {
            parts++;
            if (i < end || parts > 1)
                emit(run, run->at + from, i - from, WORD_PART);
        }
        from = is_cut ? i + 1 : i;
    }
    if (parts)
        emit(run, run->at + begin, end - begin, is_part ? WORD_PART : parts > 1 ? WORD_NAME : WORD_ALONE);
    if (parts == 1 && !is_part)
        note_phrase(run, begin, end);
    else
        phrase_break(&run->phrase);
}

/* "don't" is one word, the owner's 's is none. */
static void drop_apostrophes(struct run *run)
{
    size_t len = 0;

    if (run->len > 2 && run->at[run->len - 2] == '\'' && run->at[run->len - 1] == 's')
        run->len -= 2;
    for (size_t i = 0; i < run->len; i++) {
        if (run->at[i] == '\'')
            continue;
        run->is_case[len] = run->is_case[i];
        run->at[len++]    = run->at[i];
    }
    run->len = len;
}

/* A run that is one word, as most are. */
static void take_word(struct run *run)
{
    emit(run, run->at, run->len, WORD_ALONE);
    note_phrase(run, 0, run->len);
    run->len = 0;
}

static void take_run(struct run *run)
{
    size_t begin = 0, from, names = 0;
    bool   has_dots;

    if (!run->len)
        return;
    if (!run->is_mixed) {
        take_word(run);
        return;
    }
    drop_apostrophes(run);
    while (begin < run->len && run->at[begin] == '_')
        begin++;
    while (run->len > begin && run->at[run->len - 1] == '_')
        run->len--;
    from     = begin;
    has_dots = memchr(run->at + begin, '.', run->len - begin);
    for (size_t i = begin; i <= run->len && !run->ended; i++) {
        if (i < run->len && run->at[i] != '.')
            continue;
        names++;
        take_name(run, from, i, has_dots);
        from = i + 1;
    }
    if (names > 1)
        emit(run, run->at + begin, run->len - begin, WORD_NAME);
    run->len      = 0;
    run->is_mixed = false;
}

/* ---- Collecting ---- */

static bool is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_plain(char c)
{
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* What may stand in a word, as far as one byte tells. */
static bool goes_on(const char *text, size_t len, size_t i)
{
    return i < len && (is_plain(text[i]) || (unsigned char)text[i] >= 0xC3);
}

static void collect(struct run *run, const char *at, size_t len, enum letter_case is_case)
{
    if (run->len + len > RUN_MAX)
        return;
    memcpy(run->at + run->len, at, len);
    memset(run->is_case + run->len, (int)is_case, len);
    if (len && ((run->len && is_case == CASE_UPPER) || *at == '_' || *at == '.' || *at == '\''))
        run->is_mixed = true;
    run->len += len;
}

/* Small letters and digits, as many as stand there; how many bytes were used. */
static size_t collect_small(struct run *run, const char *text, size_t len, size_t i)
{
    size_t end = i + 1, kept;

    while (end < len && is_small(text[end]))
        end++;
    kept = end - i < RUN_MAX - run->len ? end - i : RUN_MAX - run->len;
    memcpy(run->at + run->len, text + i, kept);
    memset(run->is_case + run->len, CASE_LOWER, kept);
    run->len += kept;
    return end - i;
}

/* One ASCII character that is no letter, digit or underscore; how many bytes were used. */
static size_t collect_sign(struct run *run, const char *text, size_t len, size_t i)
{
    bool after_letter = i > 0 && run->len &&
                        (is_ascii_letter(text[i - 1]) || (unsigned char)text[i - 1] >= 0x80);

    if (text[i] == '.' && goes_on(text, len, i + 1) &&
        (run->len || (is_ascii_letter(text[i + 1]) && (i == 0 || strchr(" \t\r\n(\"'`[*/,", text[i - 1]))))) {
        collect(run, ".", 1, CASE_NONE);
        return 1;
    }
    if (text[i] == '\'' && after_letter && goes_on(text, len, i + 1)) {
        collect(run, "'", 1, CASE_NONE);
        return 1;
    }
    if (text[i] == '#' && after_letter && !goes_on(text, len, i + 1))
        collect(run, "#", 1, CASE_NONE);
    if (text[i] == '+' && after_letter && i + 1 < len && text[i + 1] == '+' && !goes_on(text, len, i + 2)) {
        collect(run, "++", 2, CASE_NONE);
        take_run(run);
        return 2;
    }
    take_run(run);
    if (!strchr(" \t\r\n-", text[i]))
        phrase_break(&run->phrase);
    return 1;
}

/* "--max-body" is a name, the same as max_body. */
static bool is_flag(const char *text, size_t len, size_t i)
{
    return len - i > 3 && text[i] == '-' && text[i + 1] == '-' && is_ascii_letter(text[i + 2]) &&
           (i == 0 || strchr(" \t\r\n([{\"'`|,=", text[i - 1]));
}

static size_t collect_flag(struct run *run, const char *text, size_t len, size_t i)
{
    size_t at = i + 2;

    take_run(run);
    phrase_break(&run->phrase);
    for (; at < len && (is_plain(text[at]) || (text[at] == '-' && goes_on(text, len, at + 1))); at++) {
        char c = text[at] == '-' ? '_' : text[at];

        collect(run, &(char){ c >= 'A' && c <= 'Z' ? (char)(c + 32) : c }, 1,
                c == '_' ? CASE_NONE : CASE_LOWER);
    }
    return at - i;
}

static size_t collect_folded(struct run *run, const char *text, size_t len, size_t i)
{
    enum fold_kind kind;
    char           folded[FOLD_ROOM];
    size_t         folded_len;
    size_t         size;

    if (len - i >= 3 && memcmp(text + i, "\xE2\x80\x99", 3) == 0) { /* the apostrophe of those who print */
        if (run->len && goes_on(text, len, i + 3))
            collect(run, "'", 1, CASE_NONE);
        else
            take_run(run);
        return 3;
    }
    size = fold_character(text + i, len - i, &kind, folded, &folded_len);
    if (kind == FOLD_BREAK || kind == FOLD_ALONE) {
        take_run(run);
        phrase_break(&run->phrase);
    }
    if (kind == FOLD_LETTER || kind == FOLD_ALONE)
        collect(run, folded, folded_len, CASE_NONE);
    if (kind == FOLD_ALONE)
        take_run(run);
    return size;
}

static void each_word(struct run *run, const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && !run->ended) {
        char c = text[i];

        if (is_small(c)) {
            i += collect_small(run, text, len, i);
        } else if (c >= 'A' && c <= 'Z') {
            c = (char)(c + 32);
            collect(run, &c, 1, CASE_UPPER);
            i++;
        } else if (c == '_') {
            collect(run, &c, 1, CASE_NONE);
            i++;
        } else if ((unsigned char)c >= 0x80) {
            i += collect_folded(run, text, len, i);
        } else if (is_flag(text, len, i)) {
            i += collect_flag(run, text, len, i);
        } else {
            i += collect_sign(run, text, len, i);
        }
    }
    if (!run->ended)
        take_run(run);
}

/* Once more with stop words where there is nothing else. */
static void all_words(struct run *run, const char *text, size_t len)
{
    each_word(run, text, len);
    if (run->visited || run->ended)
        return;
    run->keeps_stops = true;
    phrase_break(&run->phrase);
    each_word(run, text, len);
}

void words_each_kind(const char *text, size_t                                                            len,
                     bool (*visit)(void *user, const char *word, size_t len, enum word_kind kind), void *user)
{
    struct run run;

    run = (struct run){ .visit = visit, .user = user };
    all_words(&run, text, len);
}

struct plain_visit {
    bool (*visit)(void *user, const char *word, size_t len);
    void *user;
};

static bool visit_plainly(void *user, const char *word, size_t len, enum word_kind kind)
{
    const struct plain_visit *plain = user;

    (void)kind;
    return plain->visit(plain->user, word, len);
}

void words_each(const char *text, size_t len, bool (*visit)(void *user, const char *word, size_t len),
                void *user)
{
    words_each_kind(text, len, visit_plainly, &(struct plain_visit){ visit, user });
}

size_t words_each_like(const char *text, size_t len, const struct word_beginnings *beginnings,
                       bool (*visit)(void *user, const char *word, size_t len), void *user)
{
    struct plain_visit plain = { visit, user };
    struct run         run;

    run = (struct run){ .visit = visit_plainly, .user = &plain, .beginnings = beginnings };
    all_words(&run, text, len);
    return run.visited;
}
