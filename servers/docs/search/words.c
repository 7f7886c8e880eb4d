/* words.c - the words of a question, and the pieces that have them. */
#include "docs/search/words.h"

#include <string.h>

#include "kit/words/knowledge.h"
#include "kit/words/words.h"

/* ---- The words of a question ---- */

struct taking {
    struct query_words *words;
    uint64_t            parts;   /* of the name to come */
    size_t              last[2]; /* the words before, which may become a phrase; QUERY_WORDS_MAX: none */
};

/* The number of the word in the list; QUERY_WORDS_MAX when there is no room. */
static size_t number_of(struct query_words *words, const char *word, size_t len)
{
    size_t i = 0;

    while (i < words->count && !(strncmp(words->at[i], word, len) == 0 && words->at[i][len] == '\0'))
        i++;
    if (i < words->count || words->count == QUERY_WORDS_MAX || len > WORD_LEN_MAX)
        return i < words->count ? i : QUERY_WORDS_MAX;
    memcpy(words->at[i], word, len);
    words->at[i][len] = '\0';
    words->times[i]   = 0;
    words->name[i] = words->meant[i] = (uint8_t)i;
    words->is_name[i] = words->is_phrase[i] = false;
    words->count++;
    return i;
}

/* The words before it are only parts of it, as long as the collection has it. */
static void take_phrase(struct taking *taking, size_t phrase, size_t parts)
{
    struct query_words *words = taking->words;

    words->is_phrase[phrase] = !words->times[phrase];
    words->times[phrase]++;
    for (size_t i = 2 - parts; i < 2; i++)
        if (taking->last[i] != QUERY_WORDS_MAX && taking->last[i] != phrase &&
            words->times[taking->last[i]] == 1)
            words->name[taking->last[i]] = (uint8_t)phrase;
}

static bool take_word(void *user, const char *word, size_t len, enum word_kind kind)
{
    struct taking      *taking = user;
    struct query_words *words  = taking->words;
    size_t              i      = number_of(words, word, len);

    if (i == QUERY_WORDS_MAX)
        return true;
    if (kind == WORD_FOR_ONE || kind == WORD_FOR_TWO) {
        take_phrase(taking, i, kind == WORD_FOR_TWO ? 2 : 1);
        return true;
    }
    taking->last[0] = taking->last[1];
    taking->last[1] = i;
    if (kind == WORD_PART && !words->times[i])
        taking->parts |= UINT64_C(1) << i;
    else if (kind != WORD_PART)
        words->name[i] = (uint8_t)i; /* it also stands alone */
    words->times[i]++;
    if (kind != WORD_NAME)
        return true;
    words->is_name[i] = true;
    for (size_t part = 0; part < words->count; part++)
        if (taking->parts >> part & 1 && part != i)
            words->name[part] = (uint8_t)i;
    taking->parts = 0;
    return true;
}

void query_words_of(struct query_words *words, const char *query, size_t len)
{
    words->count = 0;
    words_each_kind(query, len, take_word,
                    &(struct taking){ .words = words, .last = { QUERY_WORDS_MAX, QUERY_WORDS_MAX } });
}

/* ---- Words that mean nearly the same ---- */

struct widening {
    struct query_words *words;
    size_t              asked; /* those of the question itself */
    uint64_t            known; /* of them, those that have been widened: a word has one concept */
};

static size_t find_asked(const struct widening *widening, const char *word)
{
    size_t i = 0;

    while (i < widening->asked && strcmp(widening->words->at[i], word) != 0)
        i++;
    return i;
}

static bool widen(void *user, const char *const *alike, size_t count)
{
    struct widening *widening = user;

    for (size_t k = 0; k < count; k++) {
        size_t i = find_asked(widening, alike[k]);

        if (i == widening->asked || widening->known >> i & 1)
            continue;
        widening->known |= UINT64_C(1) << i;
        for (size_t other = 0; other < count; other++) {
            size_t before = widening->words->count;
            size_t added  = number_of(widening->words, alike[other], strlen(alike[other]));

            if (added == before && added < QUERY_WORDS_MAX)
                widening->words->meant[added] = (uint8_t)i;
        }
    }
    return true;
}

void query_words_widen(struct query_words *words)
{
    concepts_each(widen, &(struct widening){ .words = words, .asked = words->count });
}

/* ---- Asking ---- */

enum store_status postings_find(struct store *store, const tenon_call *call, const struct tenant *tenant,
                                bool external, const struct query_words *words, struct postings *postings)
{
    const char *each[QUERY_WORDS_MAX];

    for (size_t i = 0; i < words->count; i++)
        each[i] = words->at[i];
    return store_postings(store, call, tenant, external, each, words->count, postings);
}
