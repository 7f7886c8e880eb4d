/* score.c - what a piece is worth for a question.
 *
 * Words: each word of the question weighs by how rare it is; a piece gets a part of the weight that grows with how often it
 * has the word, as in BM25, but of what a perfect piece would get: so it means the same for a short question and a long
 * one. A word that no piece has weighs most, and no piece gets it: that is what makes a question off-topic.
 *
 * The relevance is a logistic curve over the logarithms of the two kinds of evidence. Its constants come from
 * bench/docs/fit.py; docs/search.md describes how. None of them is changed by what is searched.
 */
#include "docs/search/score.h"

#include <math.h>
#include <string.h>

#include "docs/markdown/heading.h"
#include "docs/markdown/lines.h"

/* Words. */
#define SATURATION  1.2 /* how often a word must be said to count half */
#define LENGTH_PART 0.7 /* of the saturation that grows with the piece's length */
#define RARE_PRIOR                                                                                           \
    30 /* pieces that a collection is taken to have besides its own, without the words: else a
                          * word would mean nothing in a collection of three */
#define LENGTH_PRIOR 100 /* words of each of those */
#define RARITY_POWER 1.3
#define UNKNOWN_PART                                                                                         \
    2.0 /* of its weight, for a word that no piece has: the question is about something else */

#define NAME_PART    0.25 /* of its weight, for a part of a name that the collection has */
#define NAME_LONGEST 1.0  /* longer than usual does not count against a name: it is not there by chance */
#define ALIKE_PART   0.3  /* of saying a word: saying one that means nearly the same */
#define PASSAGE_PART                                                                                         \
    0.5 /* of a long piece's evidence that is its best passage's; the rest is the whole piece's */

/* From evidence to relevance: bench/docs/fit.py prints these lines. */
#define WORDS_FLOOR    0.05
#define COSINE_FLOOR   0.1
#define BOTH_CONSTANT  3.250
#define BOTH_WORDS     2.351
#define BOTH_COSINE    0.800
#define WORDS_CONSTANT 3.250
#define WORDS_WORDS    3.013

static double weight_of(double pieces, double with)
{
    double rarity = log(1 + (pieces + RARE_PRIOR - with + 0.5) / (with + 0.5));

    return pow(rarity, RARITY_POWER);
}

/* Of a part of a name that the collection has: who asks for the name does not ask for its parts. */
static double part_of_name(const struct query_words *words, const struct postings *postings, size_t i)
{
    return words->name[i] != i && postings->with[words->name[i]] > 0 ? NAME_PART : 1;
}

/* Whether pieces have the word, or one that may stand for it. */
static bool is_known(const struct query_words *words, const struct postings *postings, size_t word)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->meant[i] == word && postings->with[i] > 0)
            return true;
    return false;
}

void score_question(struct score_query *query, const struct query_words *words,
                    const struct postings *postings)
{
    double pieces = (double)postings->pieces, total = 0;

    query->usual_length = ((double)postings->length + (double)LENGTH_PRIOR * RARE_PRIOR) /
                          (pieces + RARE_PRIOR);
    query->count = words->count;
    for (size_t i = 0; i < words->count; i++) {
        if (words->is_phrase[i] && !is_known(words, postings, i)) {
            query->weights[i] = 0; /* its words stand for themselves */
            query->meant[i]   = (uint8_t)i;
            continue;
        }
        query->weights[i] = weight_of(pieces, (double)postings->with[i]) * words->times[i] *
                            part_of_name(words, postings, i) *
                            (is_known(words, postings, i) ? 1 : UNKNOWN_PART);
        query->meant[i]   = words->meant[i];
        query->parts[i]   = words->meant[i] == i ? 1 : ALIKE_PART;
        query->is_name[i] = words->is_name[i];
        total += query->weights[i];
    }
    query->beginnings = (struct word_beginnings){ 0 };
    for (size_t i = 0; i < words->count; i++) {
        query->weights[i] /= total;
        word_beginnings_add(&query->beginnings, words->at[i], strlen(words->at[i]));
    }
}

/* ---- A piece, or a passage of it ---- */

struct said {
    double times[QUERY_WORDS_MAX];
    double half, name_half; /* how often a word must be said to count half */
    double saturated;
};

static void said_begin(struct said *said, const struct score_query *query, double length)
{
    double longer = length / query->usual_length;

    memset(said->times, 0, query->count * sizeof *said->times);
    said->saturated = 0;
    said->half      = SATURATION * (1 - LENGTH_PART + LENGTH_PART * longer);
    said->name_half = SATURATION * (1 - LENGTH_PART + LENGTH_PART * fmin(longer, NAME_LONGEST));
}

/* Once more, or once less. */
static void say(struct said *said, const struct score_query *query, size_t word, double times)
{
    size_t meant = query->meant[word];
    double half = query->is_name[meant] ? said->name_half : said->half, before = said->times[meant];
    double after = before + times * query->parts[word];

    said->times[meant] = after;
    said->saturated += query->weights[meant] * (after / (after + half) - before / (before + half));
}

static double score_piece(const struct score_query *query, const struct postings *postings,
                          const struct posting_row *row)
{
    struct said said;

    said_begin(&said, query, row->length);
    for (const struct posting *at = postings->at + row->first, *end = at + row->count; at < end; at++)
        say(&said, query, at->word, at->times);
    return said.saturated;
}

/* Of the best passage: as many words as PASSAGE_WORDS, wherever it begins. */
static double score_passage(const struct score_query *query, const struct postings *postings,
                            const struct posting_row *row)
{
    const uint32_t *at = postings->places + row->first_place, *end = at + row->place_count, *from = at;
    struct said     said;
    double          best = 0;

    said_begin(&said, query, PASSAGE_WORDS);
    for (; at < end; at++) {
        for (; PLACE_OFFSET(*at) - PLACE_OFFSET(*from) >= PASSAGE_WORDS; from++)
            say(&said, query, PLACE_WORD(*from), -1);
        say(&said, query, PLACE_WORD(*at), 1);
        best = fmax(best, said.saturated);
    }
    return best;
}

struct evidence score_words(const struct score_query *query, const struct postings *postings,
                            const struct posting_row *row)
{
    struct evidence evidence = { 0 };

    if (!row)
        return evidence;
    evidence.saturated = score_piece(query, postings, row);
    if (row->place_count)
        evidence.saturated += PASSAGE_PART * (score_passage(query, postings, row) - evidence.saturated);
    return evidence;
}

/* ---- A section ---- */

#define SECTION_WORDS  100 /* of a usual one */
#define SECTION_LENGTH 0.5 /* of the saturation that grows with its length */
#define HEADING_TIMES  2   /* that a word of a heading counts */
#define CODE_TIMES     0.25 /* that one of a block of code does: what an example prints is not what it is about */
#define HEADING_MATCH  0.2 /* for a heading that says what is asked, and nothing else */

struct counting {
    const struct query_words *words;
    double                    times[QUERY_WORDS_MAX];
    double                    each;
    double                    length;
    size_t                    matched;
};

static bool count_word(void *user, const char *word, size_t len)
{
    struct counting *counting = user;

    for (size_t i = 0; i < counting->words->count; i++)
        if (counting->words->at[i][0] == word[0] && strncmp(counting->words->at[i], word, len) == 0 &&
            counting->words->at[i][len] == '\0') {
            counting->times[i] += counting->each;
            counting->matched++;
            break;
        }
    return true;
}

static void count_part(struct counting *counting, const struct score_query *query, const char *text,
                       size_t len, double each)
{
    counting->each = each;
    counting->length += each * (double)words_each_like(text, len, &query->beginnings, count_word, counting);
}

static void count_text(struct counting *counting, const struct score_query *query,
                       const struct query_words *words, const char *text, size_t len)
{
    *counting = (struct counting){ .words = words };
    count_part(counting, query, text, len, 1);
}

/* The part of the question's weight that has been counted at all. */
static double covered(const struct score_query *query, const struct counting *counting)
{
    double best[QUERY_WORDS_MAX] = { 0 }, sum = 0;

    for (size_t i = 0; i < query->count; i++)
        if (counting->times[i] > 0)
            best[query->meant[i]] = fmax(best[query->meant[i]], query->parts[i]);
    for (size_t i = 0; i < query->count; i++)
        sum += query->weights[i] * best[i];
    return sum;
}

double score_name(const struct score_query *query, const struct query_words *words, const char *name)
{
    struct counting counting;

    count_text(&counting, query, words, name, strlen(name));
    return covered(query, &counting);
}

/* The last heading of a path: how much of the question it is, and how much of it is the question. */
static double match_heading(const struct score_query *query, const struct query_words *words,
                            const char *heading_path)
{
    const char     *last = heading_path;
    struct counting counting;

    for (const char *at = heading_path; (at = strstr(at, HEADING_BETWEEN));)
        last = at += strlen(HEADING_BETWEEN);
    count_text(&counting, query, words, last, strlen(last));
    return counting.length > 0 ? covered(query, &counting) * (double)counting.matched / counting.length : 0;
}

/* What is code and what is not, by turns. */
static void count_markdown(struct counting *counting, const struct score_query *query,
                           const struct query_words *words, const char *text, size_t len)
{
    struct mdlines lines;
    struct mdline  line;
    size_t         begin = 0;
    bool           code  = false;

    *counting = (struct counting){ .words = words };
    mdlines_init(&lines, text, len);
    while (mdlines_next(&lines, &line)) {
        bool is_code = line.kind == MDLINE_CODE || (code && line.kind == MDLINE_BLANK);

        if (is_code == code)
            continue;
        count_part(counting, query, text + begin, line.begin - begin, code ? CODE_TIMES : 1);
        begin = line.begin;
        code  = is_code;
    }
    count_part(counting, query, text + begin, len - begin, code ? CODE_TIMES : 1);
}

double score_section(const struct score_query *query, const struct query_words *words,
                     const char *heading_path, const char *text, size_t len)
{
    struct counting counting;
    struct said     said;
    double          length;

    count_markdown(&counting, query, words, text, len);
    length        = counting.length;
    counting.each = HEADING_TIMES;
    words_each_like(heading_path, strlen(heading_path), &query->beginnings, count_word, &counting);
    said_begin(&said, query, length);
    said.half      = SATURATION * (1 - SECTION_LENGTH + SECTION_LENGTH * length / SECTION_WORDS);
    said.name_half = fmin(said.half, SATURATION);
    for (size_t i = 0; i < words->count; i++)
        if (counting.times[i] > 0)
            say(&said, query, i, counting.times[i]);
    return said.saturated + HEADING_MATCH * match_heading(query, words, heading_path);
}

static double logistic(double at)
{
    return 1 / (1 + exp(-at));
}

double score_relevance(const struct evidence *evidence, enum cosine_kind kind)
{
    double words = log(evidence->saturated + WORDS_FLOOR);

    if (!evidence->has_cosine || kind == COSINE_MODEL)
        return logistic(WORDS_CONSTANT + WORDS_WORDS * words);
    return logistic(BOTH_CONSTANT + BOTH_WORDS * words +
                    BOTH_COSINE * log(fmax(evidence->cosine, 0) + COSINE_FLOOR));
}
