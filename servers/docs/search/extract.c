/* extract.c - answers without a language model.
 *
 * The best sections of the best pages answer. Of a short one all is shown; of a longer one what lies around the sentence, table
 * or block of code that has most of the question's words, the rarer among all sections the more. An answer has nothing that
 * is not in a source, and each part names its place.
 */
#include "docs/search/extract.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "docs/search/extract_units.h"
#include "docs/search/words.h"
#include "kit/text.h"
#include "kit/words/knowledge.h"
#include "kit/words/words.h"

#define SECTIONS_MOST 8   /* of an answer */
#define FIRST_WORDS   250 /* shown of the best one: mostly all of it; and */
#define NEXT_WORDS    180 /* of the others */
#define WORD_BYTES    6   /* of an English one, with what stands between */
#define CODE_WORDS_MOST 60 /* that a block of code takes of that room: it is not read word for word */
#define UNITS_MOST   4000 /* that are looked at */
#define UNITS_FIRST  256
#define HEADING_PART 0.3  /* of a word's weight when only the heading has it */
#define EARLY_PART   0.1
#define BLOCK_PART   0.8 /* a table or code, against a sentence */
#define BLOCK_WORDS                                                                                          \
    80 /* a block of as many words is worth half: what has all words says nothing in particular */
#define OPENING_PART  0.8 /* a sentence that only leads to something else */
#define LEAST_OF_BEST 0.3 /* of the best section: less is not shown */
#define WORDS_LEAST   2   /* a sentence of fewer words, stop words apart, says nothing */
#define NUMBER_TIMES  1.3 /* a unit with a number, when one is asked for */
#define GROUP_LEN_MAX (UNIT_LEN_MAX + (size_t)4096)
#define WHOLE_SHOWN   1500 /* characters of a passage that is the answer */

struct scored_unit {
    struct unit unit;
    const char *text;                 /* the source's */
    size_t      source, section;      /* its hit, and the part of that one's piece */
    size_t      cut, cut_line;        /* where it ends when it is shown */
    uint64_t    words, heading_words; /* which of the question's */
    size_t      word_count, shown;    /* shown: of the text as it is */
    double      part;                 /* of its passage's worth, to the best one's */
    bool        has_number;
    size_t      taken; /* which of the sections of the answer it is shown in, from 1; 0: none */
};

struct extraction {
    tenon_call         *call;
    const struct hit   *hits;
    struct query_words  words;
    double              weights[QUERY_WORDS_MAX];
    struct scored_unit *units;
    size_t              count, room;
    size_t              source; /* being read */
    size_t              part;   /* of its piece: where the last unit was */
    bool                asks_number;
    bool                failed;
};

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* ---- Reading ---- */

struct seen {
    const struct query_words *query;
    uint64_t                  words;
    struct scored_unit       *unit; /* NULL: a heading */
};

static bool see_word(void *user, const char *word, size_t len)
{
    struct seen *seen = user;

    for (size_t i = 0; i < seen->query->count; i++)
        if (strncmp(seen->query->at[i], word, len) == 0 && seen->query->at[i][len] == '\0')
            seen->words |= UINT64_C(1) << i;
    if (seen->unit)
        seen->unit->word_count++;
    return true;
}

static uint64_t words_of(struct extraction *extraction, const char *at, size_t len, struct scored_unit *unit)
{
    struct seen seen = { &extraction->words, 0, unit };

    words_each(at, len, see_word, &seen);
    return seen.words;
}

static bool grow(struct extraction *extraction)
{
    size_t              room  = extraction->room ? extraction->room * 2 : UNITS_FIRST;
    struct scored_unit *units = tenon_alloc(extraction->call, room * sizeof *units);

    if (!units)
        return false;
    if (extraction->count)
        memcpy(units, extraction->units, extraction->count * sizeof *units);
    extraction->units = units;
    extraction->room  = room;
    return true;
}

/* A table is worth what its best row is, with the names of the columns. */
static void read_rows(struct extraction *extraction, struct scored_unit *table)
{
    const char *at = table->text + table->unit.begin, *end = table->text + table->unit.end;
    uint64_t    names = 0, best = 0, row;
    size_t      rows = 0;

    for (; at < end; rows++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t      len  = (size_t)((next ? next : end) - at);

        row = words_of(extraction, at, len, NULL);
        if (rows == 0)
            names = row;
        else if (count_bits(row) > count_bits(best))
            best = row;
        at += len + 1;
    }
    table->words = names | best;
    if (rows > TABLE_TOP)
        table->word_count /= rows - TABLE_TOP;
}

/* How much the passage that a unit lies in is worth; units come in order. */
static double part_worth(struct extraction *extraction, const struct unit *unit)
{
    const struct hit *hit = &extraction->hits[extraction->source];

    while (extraction->part + 1 < hit->piece.part_count &&
           unit->begin >= hit->piece.parts[extraction->part + 1].begin)
        extraction->part++;
    return extraction->part < hit->piece.part_count && hit->scores ? hit->scores[extraction->part] : 1;
}

static bool has_digit(const char *at, size_t len)
{
    for (; len > 0; at++, len--)
        if (*at >= '0' && *at <= '9')
            return true;
    return false;
}

/* Of a block of code the first lines are shown, and those up to the last one with a word of the question. */
static void cut_code(struct extraction *extraction, struct scored_unit *code)
{
    const char *text = code->text;
    size_t      line = 0, end = code->unit.end;

    for (size_t at = code->unit.begin, next; at < end; at = next, line++) {
        const char *newline = memchr(text + at, '\n', end - at);

        next = newline ? (size_t)(newline - text) + 1 : end;
        if (line < CODE_LINES_MOST || words_of(extraction, text + at, next - at, NULL)) {
            code->cut      = newline ? next - 1 : end;
            code->cut_line = code->unit.first_line + line;
        }
    }
}

static bool take_unit(void *user, const struct unit *unit)
{
    struct extraction  *extraction = user;
    const struct piece *piece      = &extraction->hits[extraction->source].piece;
    struct scored_unit *taken;

    if (extraction->count == UNITS_MOST)
        return false;
    if (unit->kind == UNIT_SENTENCE && is_made_of_links(piece->text + unit->begin, unit->end - unit->begin))
        return true;
    if (extraction->count == extraction->room && !grow(extraction)) {
        extraction->failed = true;
        return false;
    }
    taken          = &extraction->units[extraction->count];
    *taken         = (struct scored_unit){ .unit = *unit, .text = piece->text, .source = extraction->source };
    taken->words   = words_of(extraction, piece->text + unit->begin, unit->end - unit->begin, taken);
    taken->part    = part_worth(extraction, unit);
    taken->section = extraction->part;
    taken->cut     = unit->end;
    taken->cut_line = unit->last_line;
    if (unit->kind == UNIT_CODE)
        cut_code(extraction, taken);
    taken->shown = (taken->cut - unit->begin) / WORD_BYTES;
    if (unit->kind == UNIT_CODE && taken->shown > CODE_WORDS_MOST)
        taken->shown = CODE_WORDS_MOST;
    taken->has_number = has_digit(piece->text + unit->begin, unit->end - unit->begin);
    if (unit->kind == UNIT_TABLE)
        read_rows(extraction, taken);
    taken->heading_words = words_of(extraction, piece->text + unit->heading, unit->heading_len, NULL);
    if (piece->header_path)
        taken->heading_words |= words_of(extraction, piece->header_path, strlen(piece->header_path), NULL);
    extraction->count++;
    return true;
}

/* Sources in their order, as much of them as may be read. */
static void read_sources(struct extraction *extraction, size_t count)
{
    size_t left = (size_t)CONTEXT_TOKENS * TOKEN_CHARS;

    for (size_t i = 0; i < count && left && !extraction->failed; i++) {
        const struct piece *piece = &extraction->hits[i].piece;
        size_t              len   = piece->len < left ? piece->len : left;

        if (tenon_is_cancelled(extraction->call))
            return;
        extraction->source = i;
        extraction->part   = 0;
        if (piece->text)
            units_each(piece->text, len, take_unit, extraction);
        left -= len;
    }
}

/* ---- Weighing ---- */

/* A word is worth the more the fewer units have it; together 1. */
static void weigh_words(struct extraction *extraction)
{
    double total = 0, units = (double)extraction->count;

    for (size_t w = 0; w < extraction->words.count; w++) {
        double with = 0;

        for (size_t i = 0; i < extraction->count; i++)
            with += (double)(extraction->units[i].words >> w & 1);
        extraction->weights[w] = log(1 + (units - with + 0.5) / (with + 0.5));
        total += extraction->weights[w];
    }
    for (size_t w = 0; w < extraction->words.count; w++)
        extraction->weights[w] /= total;
}

static double weight_of(const struct extraction *extraction, uint64_t words)
{
    double weight = 0;

    for (size_t w = 0; w < extraction->words.count; w++)
        if (words >> w & 1)
            weight += extraction->weights[w];
    return weight;
}

/* How much of the question it has. */
static double worth(const struct extraction *extraction, const struct scored_unit *unit)
{
    double own     = weight_of(extraction, unit->words);
    double heading = weight_of(extraction, unit->heading_words & ~unit->words);
    double score   = own + HEADING_PART * heading;

    if (!unit->words || unit->word_count < WORDS_LEAST)
        return 0;
    if (unit->unit.kind != UNIT_SENTENCE)
        score *= BLOCK_PART / (1 + (double)unit->word_count / BLOCK_WORDS);
    else if (unit->text[unit->unit.end - 1] == ':')
        score *= OPENING_PART;
    if (extraction->asks_number && unit->has_number)
        score *= NUMBER_TIMES;
    score *= 1 + EARLY_PART / (1 + (double)unit->unit.place);
    return score;
}

/* ---- Choosing: the best sections, of each what lies around its best unit ---- */

/* The units of one section. */
struct section {
    size_t first, end; /* of the units */
    double worth;
};

static bool is_same_section(const struct scored_unit *a, const struct scored_unit *b)
{
    return a->source == b->source && a->section == b->section;
}

/* By how good its page is, and how good it is in its page. */
static double section_worth(const struct extraction *extraction, const struct scored_unit *unit)
{
    double best = extraction->hits[0].rank, page = extraction->hits[unit->source].rank;

    return unit->part * (best > 0 ? page / best : 1);
}

/* The best that has not been taken; false: none is worth it. */
static bool next_section(const struct extraction *extraction, double least, struct section *best)
{
    *best = (struct section){ 0 };
    for (size_t i = 0, end; i < extraction->count; i = end) {
        bool   taken = false;
        double worth = section_worth(extraction, &extraction->units[i]);

        for (end = i;
             end < extraction->count && is_same_section(&extraction->units[i], &extraction->units[end]);
             end++)
            taken = taken || extraction->units[end].taken;
        if (!taken && worth > best->worth)
            *best = (struct section){ i, end, worth };
    }
    return best->worth > least;
}

/* What follows completes a unit, then what leads to it, as long as there is room. */
static void take_around(struct extraction *extraction, const struct section *section, size_t middle,
                        size_t room, size_t number)
{
    struct scored_unit *units = extraction->units;
    size_t              first = middle, last = middle, words = units[middle].shown;
    bool                after = true, before = true;

    units[middle].taken = number;
    while (after || before) {
        after = after && last + 1 < section->end && words + units[last + 1].shown <= room;
        if (after) {
            units[++last].taken = number;
            words += units[last].shown;
        }
        before = before && first > section->first && words + units[first - 1].shown <= room;
        if (before) {
            units[--first].taken = number;
            words += units[first].shown;
        }
    }
}

/* The unit of a section that has most of the question; *most is 0 when none has any of it. */
static size_t best_unit(const struct extraction *extraction, const struct section *section, double *most)
{
    size_t best = section->first;

    *most = 0;
    for (size_t i = section->first; i < section->end; i++) {
        double has = worth(extraction, &extraction->units[i]);

        if (has > *most) {
            *most = has;
            best  = i;
        }
    }
    return best;
}

/* False: nothing answers. */
static bool choose(struct extraction *extraction)
{
    struct section section;
    double         first = 0, most;
    size_t         chosen, best;

    for (chosen = 0; chosen < SECTIONS_MOST; chosen++) {
        if (!next_section(extraction, LEAST_OF_BEST * first, &section))
            break;
        best = best_unit(extraction, &section, &most);
        if (!chosen && most <= 0)
            return false;
        first = chosen ? first : section.worth;
        take_around(extraction, &section, best, chosen ? NEXT_WORDS : FIRST_WORDS, chosen + 1);
    }
    return chosen > 0;
}

/* ---- Writing ---- */

/* On one line, without what marks lines as quoted. */
static void write_sentence(struct text *out, const char *at)
{
    for (bool blank = false; *at; at++) {
        if (*at == '\n') {
            while (at[1] == ' ' || at[1] == '\t' || at[1] == '>')
                at++;
            blank = true;
        } else if (*at == ' ' || *at == '\t') {
            blank = true;
        } else {
            if (blank)
                text_char(out, ' ');
            blank = false;
            text_char(out, *at);
        }
    }
}

/* Is it a row that has a word of the question? */
static bool has_word(void *user, const char *at, size_t len)
{
    return words_of(user, at, len, NULL) != 0;
}

static size_t fence_len(const char *at)
{
    size_t len = 0;

    while (*at == ' ')
        at++;
    while (at[len] == at[0] && (at[0] == '`' || at[0] == '~'))
        len++;
    return len >= 3 ? len : 0;
}

static void write_path(struct text *out, const char *at)
{
    for (; *at; at++)
        text_char(out, *at == '\n' || *at == '\t' ? ' ' : *at);
}

static bool write_place(struct text *out, tenon_call *call, const struct hit *hit, long long first,
                        long long last)
{
    const char *path = extract_clean(call, hit->document.path, strlen(hit->document.path), 4096);

    text_char(out, '[');
    write_path(out, path ? path : "");
    text_addf(out, ":%lld", first);
    if (last > first)
        text_addf(out, "-%lld", last);
    text_char(out, ']');
    return path && !out->failed;
}

/* Where the line begins, when nothing but the mark of an item stands before. */
static size_t with_mark(const char *text, size_t begin)
{
    size_t from = begin;

    while (from > 0 && strchr(" \t-*+.)0123456789", text[from - 1]) && text[from - 1])
        from--;
    return from == 0 || text[from - 1] == '\n' ? from : begin;
}

/* A sentence on one line, of a table the rows that matter. */
static bool write_alone(struct extraction *extraction, const struct scored_unit *unit, struct text *out)
{
    char *text = (char *)extract_clean(extraction->call, unit->text + unit->unit.begin,
                                       unit->unit.end - unit->unit.begin, UNIT_LEN_MAX);

    if (!text)
        return false;
    if (unit->unit.kind == UNIT_TABLE) {
        table_shorten(text, has_word, extraction);
        text_put(out, text);
        text_put(out, "\n\n");
    } else {
        write_sentence(out, text);
        text_char(out, ' ');
    }
    return !out->failed;
}

static bool write_stretch(struct extraction *extraction, const char *text, size_t len, struct text *out)
{
    const char *clean = extract_clean(extraction->call, text, len, GROUP_LEN_MAX);

    text_put(out, clean ? clean : "");
    return clean && !out->failed;
}

/* What was cut off a block of code has its end: what follows is not code. */
static void close_code(struct text *out, const char *code, const char *end)
{
    size_t      fence = fence_len(code);
    const char *last  = end;

    while (last > code && last[-1] != '\n')
        last--;
    if (!fence || (last > code && fence_len(last) >= fence))
        return;
    text_char(out, '\n');
    for (size_t i = 0; i < fence; i++)
        text_char(out, code[strspn(code, " ")]);
}

/* As they stand, but for what is left out of long code. */
static bool write_together(struct extraction *extraction, const struct scored_unit *first,
                           const struct scored_unit *last, struct text *out)
{
    const char *text  = first->text;
    size_t      begin = with_mark(text, first->unit.begin);

    for (const struct scored_unit *unit = first; unit <= last; unit++) {
        if (unit < last && unit->cut == unit->unit.end)
            continue;
        if (!write_stretch(extraction, text + begin, unit->cut - begin, out))
            return false;
        if (unit->unit.kind == UNIT_CODE)
            close_code(out, text + unit->unit.begin, text + unit->cut);
        begin = unit->unit.end;
    }
    text_put(out, last->unit.kind == UNIT_SENTENCE ? " " : "\n\n");
    return !out->failed;
}

/* Units that stand side by side are cited once. */
static bool write_group(struct extraction *extraction, size_t first, size_t end, struct text *out)
{
    const struct scored_unit *from = &extraction->units[first], *to = &extraction->units[end - 1];
    const struct hit         *hit = &extraction->hits[from->source];
    bool                      done;

    if (out->len)
        text_put(out, "\n\n");
    done = end - first == 1 && from->unit.kind != UNIT_CODE ? write_alone(extraction, from, out)
                                                            : write_together(extraction, from, to, out);
    return done && write_place(out, extraction->call, hit,
                               (long long)hit->piece.first_line + (long long)from->unit.first_line,
                               (long long)hit->piece.first_line + (long long)to->cut_line);
}

/* The best first. */
static bool write_groups(struct extraction *extraction, struct text *out)
{
    for (size_t number = 1; number <= SECTIONS_MOST; number++) {
        size_t first = 0, end;

        while (first < extraction->count && extraction->units[first].taken != number)
            first++;
        for (end = first; end < extraction->count && extraction->units[end].taken == number;)
            end++;
        if (end > first && !write_group(extraction, first, end, out))
            return false;
    }
    return true;
}

/* ---- The passage itself ---- */

static bool write_passage(tenon_call *call, const struct hit *hit, struct text *out)
{
    const struct part *part = hit->part < hit->piece.part_count ? &hit->piece.parts[hit->part] : NULL;
    size_t             len  = part ? part->end - part->begin : hit->piece.len;
    const char *text = extract_clean(call, hit->piece.text + (part ? part->begin : 0), len, WHOLE_SHOWN);

    if (!text || !*text)
        return false;
    text_put(out, text);
    text_put(out, strlen(text) + 4 < len ? " ...\n\n" : "\n\n");
    return write_place(out, call, hit, (long long)(part ? part->first_line : hit->piece.first_line),
                       (long long)(part ? part->last_line : hit->piece.last_line));
}

/* ---- All of it ---- */

/* "How long", "how many", "which port": the answer has a number. */
static bool asks_number(const char *query)
{
    static const char *const forms[] = { "how long", "how many", "how much", "how often", "how large",
                                         "how big",  "how old",  "how far",  "how soon",  "default",
                                         "limit",    "most ",    "at most",  "maximum",   "which port",
                                         "timeout",  "size of",  "how fast" };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcasestr(query, forms[i]))
            return true;
    return false;
}

static const char *copy_out(tenon_call *call, struct text *out, bool written)
{
    char *answer = written && !out->failed ? tenon_alloc(call, out->len + 1) : NULL;

    if (answer && out->len)
        memcpy(answer, out->at, out->len);
    text_free(out);
    return answer ? answer : "";
}

const char *extract_answer(tenon_call *call, const char *query, const struct hit *hits, size_t count,
                           bool *is_passage)
{
    struct extraction *extraction = tenon_alloc(call, sizeof *extraction);
    struct text        out        = { 0 };
    bool               written    = true;

    *is_passage = false;
    if (!extraction || !count)
        return "";
    extraction->call        = call;
    extraction->hits        = hits;
    extraction->asks_number = asks_number(query);
    query_words_of(&extraction->words, query, strlen(query));
    read_sources(extraction, count);
    if (extraction->failed)
        return "";
    weigh_words(extraction);
    if (!extraction->count || !choose(extraction)) {
        *is_passage = true;
        return copy_out(call, &out, write_passage(call, &hits[0], &out));
    }
    written = write_groups(extraction, &out);
    return copy_out(call, &out, written);
}
