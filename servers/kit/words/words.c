/* words.c - the words of a text, the same for what is indexed and what is asked.
 *
 * A run of letters, digits, underscores, inner dots and apostrophes is collected, folded as it comes. Then it is taken
 * apart: at dots, at underscores (a flag's hyphens are such) and where capitals begin; parts are words, stemmed when they are plain letters, and so is
 * the whole when it had several. "C++", "F#" and ".NET" keep what makes them what they are.
 */
#include <stdlib.h>
#include <string.h>

#include "kit/words/fold.h"
#include "kit/words/stem.h"
#include "kit/words/words.h"

#define RUN_MAX  256 /* bytes of a run; the rest of a longer one, hardly a word, is left out */
#define STOP_MAX 7   /* bytes of the longest stop word */

/* Of a byte of a run. Folded letters have no case: whole words in capitals must not fall apart at their accents. */
enum letter_case { CASE_NONE, CASE_LOWER, CASE_UPPER };

struct run {
    bool (*visit)(void *user, const char *word, size_t len, enum word_kind kind);
    void         *user;
    bool          keeps_stops;
    bool          ended; /* the visitor has enough */
    size_t        visited;
    char          at[RUN_MAX + FOLD_ROOM];
    unsigned char is_case[RUN_MAX + FOLD_ROOM];
    size_t        len;
};

/* Sorted. Words that say how, not what; "not" and question words are among them. */
static const char *const stop_words[] = {
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

static int compare_words(const void *key, const void *entry)
{
    return strcmp(key, *(const char *const *)entry);
}

static bool is_stop(const char *word, size_t len)
{
    return len <= STOP_MAX && bsearch(word, stop_words, sizeof stop_words / sizeof *stop_words,
                                      sizeof *stop_words, compare_words);
}

static bool is_letters(const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (word[i] < 'a' || word[i] > 'z')
            return false;
    return true;
}

/* ---- Taking a run apart ---- */

static void emit(struct run *run, const char *at, size_t len, enum word_kind kind)
{
    char word[WORD_LEN_MAX + 1];

    if (!len || run->ended)
        return;
    if (len > WORD_LEN_MAX)
        for (len = WORD_LEN_MAX; len && ((unsigned char)at[len] & 0xC0) == 0x80; len--)
            ; /* not in the middle of a character */
    memcpy(word, at, len);
    word[len] = '\0';
    if (is_letters(word, len)) {
        if (!run->keeps_stops && is_stop(word, len))
            return;
        len       = stem_word(word, len);
        word[len] = '\0';
    }
    run->visited++;
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

static void take_run(struct run *run)
{
    size_t begin = 0, from, names = 0;
    bool   has_dots;

    if (!run->len)
        return;
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
    run->len = 0;
}

/* ---- Collecting ---- */

static bool is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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
    run->len += len;
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
    if (kind == FOLD_BREAK || kind == FOLD_ALONE)
        take_run(run);
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

        if (c >= 'A' && c <= 'Z') {
            c = (char)(c + 32);
            collect(run, &c, 1, CASE_UPPER);
            i++;
        } else if (is_plain(c)) {
            collect(run, &c, 1, c == '_' ? CASE_NONE : CASE_LOWER);
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

void words_each_kind(const char *text, size_t                                                            len,
                     bool (*visit)(void *user, const char *word, size_t len, enum word_kind kind), void *user)
{
    struct run run;

    run = (struct run){ .visit = visit, .user = user };
    each_word(&run, text, len);
    if (run.visited || run.ended)
        return;
    run.keeps_stops = true;
    each_word(&run, text, len);
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
