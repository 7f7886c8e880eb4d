/* local.c - the embedded provider: words and pieces of them, hashed with signs into a vector.
 *
 * Each word that a text has goes to a few coordinates, each with a sign, that only its letters decide; so do its concept, if
 * it has one, and its pieces of four and five letters, which forms of one word and misspellings share. What is common to two
 * texts adds up, all else is noise that cancels out; more dimensions have less of it.
 *
 * Which features, and how strong, was chosen on one half of the questions of a test collection and tested on the other.
 *
 * Everything is added in integers, and only the length is divided away in IEEE doubles: every machine makes the same vector.
 */
#include "kit/embed/embed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/words/knowledge.h"
#include "kit/words/words.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* GCC keeps to it in ISO C */
#endif

#define MODEL "tenon-hash-4" /* another number whenever any vector changes, EMBED_TEXT_VERSION included */

/* Strengths, in 1/1024 of a word. */
#define WORD_STRENGTH   1024
#define COMMON_STRENGTH 307 /* of a word that stands in every text */
#define CONCEPT_PERCENT 70  /* of its word's */
#define PIECES_PERCENT  100 /* of its word's: all pieces together, as a length */

#define LETTERS_MAX 64 /* of a word that is cut into pieces */

enum { SEED_WORD = 0, SEED_PIECE = 0x5bd1, SEED_CONCEPT = 0xc2b2, SEED_NOTHING = 0x27d4 };

struct word {
    uint64_t hash;
    size_t   begin, len; /* in the letters of all */
    uint32_t count;
};

/* The different words of one text. */
struct bag {
    struct word *words;
    size_t       count, room;
    uint32_t    *places; /* number of a word + 1; 0 is free */
    size_t       place_count;
    char        *letters;
    size_t       len, letter_room;
    bool         failed;
};

struct local {
    struct embedder base;
    char            model[64];
    struct lexicon *lexicon;
};

/* ---- The words of a text ---- */

static bool grow_places(struct bag *bag)
{
    size_t    wanted = bag->place_count ? bag->place_count * 2 : 1024;
    uint32_t *places = calloc(wanted, sizeof *places);

    if (!places)
        return false;
    free(bag->places);
    bag->places      = places;
    bag->place_count = wanted;
    for (size_t i = 0; i < bag->count; i++) {
        size_t at = (size_t)bag->words[i].hash & (wanted - 1);

        while (places[at])
            at = (at + 1) & (wanted - 1);
        places[at] = (uint32_t)(i + 1);
    }
    return true;
}

static bool grow_words(struct bag *bag)
{
    size_t       room  = bag->room ? bag->room * 2 : 512;
    struct word *words = room < UINT32_MAX ? realloc(bag->words, room * sizeof *words) : NULL;

    if (!words)
        return false;
    bag->words = words;
    bag->room  = room;
    return true;
}

static bool grow_letters(struct bag *bag, size_t len)
{
    size_t room    = (bag->len + len) * 2 + 4096;
    char  *letters = realloc(bag->letters, room);

    if (!letters)
        return false;
    bag->letters     = letters;
    bag->letter_room = room;
    return true;
}

static bool add_word(struct bag *bag, uint64_t hash, size_t place, const char *at, size_t len)
{
    if (bag->count == bag->room && !grow_words(bag))
        return false;
    if (bag->letter_room - bag->len < len && !grow_letters(bag, len))
        return false;
    memcpy(bag->letters + bag->len, at, len);
    bag->words[bag->count++] = (struct word){ hash, bag->len, len, 1 };
    bag->len += len;
    bag->places[place] = (uint32_t)bag->count;
    return bag->count * 2 < bag->place_count || grow_places(bag);
}

/* Two words with one hash of 64 bits are taken for the same one. */
static bool count_word(void *user, const char *at, size_t len)
{
    struct bag *bag  = user;
    uint64_t    hash = word_hash(SEED_WORD, at, len);
    size_t      mask = bag->place_count - 1;
    size_t      i    = (size_t)hash & mask;

    while (bag->places[i] && bag->words[bag->places[i] - 1].hash != hash)
        i = (i + 1) & mask;
    if (!bag->places[i])
        bag->failed = !add_word(bag, hash, i, at, len);
    else if (bag->words[bag->places[i] - 1].count < UINT32_MAX)
        bag->words[bag->places[i] - 1].count++;
    return !bag->failed;
}

static void bag_clear(struct bag *bag)
{
    memset(bag->places, 0, bag->place_count * sizeof *bag->places);
    bag->count = bag->len = 0;
}

static void bag_free(struct bag *bag)
{
    free(bag->words);
    free(bag->places);
    free(bag->letters);
}

/* ---- Their vector ---- */

struct sums {
    int64_t at[EMBED_DIMENSIONS_MAX];
    size_t  dimensions;
};

/* 32 bits of the hash make a coordinate: 31 say which, one its sign. */
static void add_half(struct sums *sums, uint64_t half, int64_t strength)
{
    size_t at = (size_t)((half & 0x7fffffff) * sums->dimensions >> 31);

    sums->at[at] += half >> 31 & 1 ? strength : -strength;
}

/* To two coordinates. */
static void add_feature(struct sums *sums, uint64_t hash, int64_t strength)
{
    add_half(sums, hash & 0xffffffff, strength);
    add_half(sums, hash >> 32, strength);
}

/* To four: what matters more is smeared less by chance. */
static void add_strong(struct sums *sums, uint64_t hash, int64_t strength)
{
    add_feature(sums, word_mix(hash + 1), strength);
    add_feature(sums, word_mix(hash + 2), strength);
}

/* How often a word stands there, in eighths: up to eight times what it is, then 5.5 for each doubling, as 8 (1 + ln(n / 8)) is.
 * A word that is said again is what the text is about; one that is said a thousand times is no reason to forget the rest. */
static int64_t weight_of(uint32_t count)
{
    int64_t weight = 0;

    for (; count >= 16; count /= 2)
        weight += 44;
    if (count <= 8)
        return weight + (int64_t)count * 8;
    return weight + 64 + (int64_t)(count - 8) * 44 / 8;
}

/* Where each letter of <word> begins; how many there are. Scripts that write without spaces have short words. */
static size_t find_letters(const char *at, size_t len, size_t *begins, bool *dense)
{
    size_t count = 0;

    *dense = false;
    for (size_t i = 0; i < len && count < LETTERS_MAX; i++) {
        if (((unsigned char)at[i] & 0xc0) == 0x80)
            continue;
        *dense |= (unsigned char)at[i] >= 0xe3 && (unsigned char)at[i] < 0xf0;
        begins[count++] = i;
    }
    begins[count] = len;
    return count;
}

/* Mostly of four or five bytes, and the most frequent of all: they are taken as one number. */
static uint64_t piece_hash(const char *at, size_t len)
{
    uint64_t number = SEED_PIECE + len;

    if (len > 7)
        return word_hash(SEED_PIECE, at, len);
    for (size_t i = 0; i < len; i++)
        number = number << 8 | (unsigned char)at[i];
    return word_mix(number);
}

static void add_pieces(struct sums *sums, const char *word, size_t len, int64_t strength)
{
    char   marked[LETTERS_MAX * 4 + 2];
    size_t begins[LETTERS_MAX + 1], letters, least, most, pieces = 0;
    bool   dense;

    if (len > sizeof marked - 2)
        len = sizeof marked - 2;
    marked[0] = '<';
    memcpy(marked + 1, word, len);
    marked[len + 1] = '>';
    letters         = find_letters(marked, len + 2, begins, &dense);
    least           = dense ? 2 : 4;
    most            = dense ? 3 : 5;
    for (size_t n = least; n <= most && n <= letters; n++)
        pieces += letters - n + 1;
    if (!pieces)
        return;
    /* Together as long as the word: divided by the root of their number, in 1/64, times that of 2, for they have two
     * coordinates where a word has four. */
    strength = strength * PIECES_PERCENT * 64 / (100 * (int64_t)sqrt((double)pieces * 2048));
    for (size_t n = least; n <= most && n <= letters; n++)
        for (size_t i = 0; i + n <= letters; i++)
            add_feature(sums, piece_hash(marked + begins[i], begins[i + n] - begins[i]), strength);
}

static void add_all(const struct lexicon *lexicon, const struct bag *bag, struct sums *sums)
{
    for (size_t i = 0; i < bag->count; i++) {
        const struct word  *word  = &bag->words[i];
        struct lexicon_word known = lexicon_find(lexicon, word->hash);
        int64_t strength          = (known.common ? COMMON_STRENGTH : WORD_STRENGTH) * weight_of(word->count);

        add_strong(sums, word->hash, strength);
        add_pieces(sums, bag->letters + word->begin, word->len, strength);
        if (known.concept)
            add_strong(sums, word_mix(SEED_CONCEPT + (uint64_t)known.concept),
                       strength * CONCEPT_PERCENT / 100);
    }
}

/* A text without words has a direction of its own, which is nobody's. */
static void add_nothing(struct sums *sums)
{
    for (size_t i = 0; i < sums->dimensions; i++)
        sums->at[i] = word_mix(SEED_NOTHING + i) & 1 ? 1 : -1;
}

/* To length 1; false when there is nothing. */
static bool finish(const struct sums *sums, float *out)
{
    double square = 0, length;

    for (size_t i = 0; i < sums->dimensions; i++)
        square += (double)sums->at[i] * (double)sums->at[i];
    length = sqrt(square);
    for (size_t i = 0; i < sums->dimensions && length > 0; i++)
        out[i] = (float)((double)sums->at[i] / length);
    return length > 0;
}

static enum embed_status embed(struct embedder *embedder, const tenon_call *call, enum embed_role role,
                               const char *const *texts, size_t count, float *out,
                               struct embed_failure *failure)
{
    const struct local *local  = (const struct local *)embedder;
    enum embed_status   status = EMBED_OK;
    struct bag          bag    = { 0 };
    struct sums         sums   = { .dimensions = embedder->dimensions };

    (void)role; /* words are words, whatever asks for them */
    if (!grow_places(&bag))
        status = EMBED_NO_MEMORY;
    for (size_t i = 0; i < count && status == EMBED_OK; i++) {
        bag_clear(&bag);
        words_each(texts[i], strlen(texts[i]), count_word, &bag);
        if (bag.failed)
            status = EMBED_NO_MEMORY;
        else if (call && tenon_is_cancelled(call))
            status = EMBED_CANCELLED;
        if (status != EMBED_OK)
            break;
        memset(sums.at, 0, sums.dimensions * sizeof *sums.at);
        add_all(local->lexicon, &bag, &sums);
        if (!finish(&sums, out + i * sums.dimensions)) {
            add_nothing(&sums);
            finish(&sums, out + i * sums.dimensions);
        }
    }
    bag_free(&bag);
    if (status != EMBED_OK && failure)
        *failure = (struct embed_failure){ .circuit = "closed",
                                           .text    = "The embedded provider did not finish." };
    return status;
}

static void free_local(struct embedder *embedder)
{
    struct local *local = (struct local *)embedder;

    if (!local)
        return;
    lexicon_free(local->lexicon);
    free(local);
}

struct embedder *embed_local_new(size_t dimensions)
{
    struct local *local;

    if (!dimensions)
        dimensions = EMBED_LOCAL_DIMENSIONS;
    if (dimensions < EMBED_DIMENSIONS_MIN || dimensions > EMBED_DIMENSIONS_MAX)
        return NULL;
    local = calloc(1, sizeof *local);
    if (!local)
        return NULL;
    local->lexicon = lexicon_new();
    if (!local->lexicon) {
        free(local);
        return NULL;
    }
    snprintf(local->model, sizeof local->model, MODEL "/%zu", dimensions);
    local->base = (struct embedder){
        .model = local->model, .dimensions = dimensions, .is_local = true, .embed = embed, .free = free_local
    };
    return &local->base;
}
