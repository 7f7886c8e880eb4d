/* closer.c - a second look at the best pieces of a search. */
#include "docs/search/closer.h"

#include <math.h>

#define TEXT_MAX  ((size_t)512 << 10) /* bytes of a piece that is read for this, and */
#define TEXTS_MAX ((size_t)4 << 20)   /* of all */

#define NEXT_SECTIONS 2
#define NEXT_PART     0.1 /* of what the sections after the best one have */
#define WHOLE_PART    0.3 /* of the evidence that is the whole piece's */
#define NAME_PART     0.3 /* added for a title or path that has all of the question's words */

/* The best of a piece, greatest first. */
struct top {
    double at[1 + NEXT_SECTIONS];
};

static void top_offer(struct top *top, double score)
{
    for (size_t i = 0; i < sizeof top->at / sizeof *top->at; i++)
        if (score > top->at[i]) {
            double less = top->at[i];

            top->at[i] = score;
            score      = less;
        }
}

static double sections_of(const struct score_query *query, const struct query_words *words,
                          const struct piece *piece)
{
    struct top top = { { 0 } };
    double     sum = 0;

    for (size_t i = 0; i < piece->part_count; i++) {
        const struct part *part = &piece->parts[i];

        top_offer(&top, score_section(query, words, part->heading_path, piece->text + part->begin,
                                      part->end - part->begin));
    }
    for (size_t i = 1; i <= NEXT_SECTIONS; i++)
        sum += top.at[i];
    return top.at[0] + NEXT_PART * sum;
}

void closer_look(tenon_call *call, const struct score_query *query, const struct query_words *words,
                 const struct piece *pieces, size_t count, double *sections)
{
    size_t left = TEXTS_MAX;

    for (size_t i = 0; i < count; i++)
        sections[i] = NOT_LOOKED_AT;
    for (size_t i = 0; i < count && !tenon_is_cancelled(call); i++) {
        if (!pieces[i].id || pieces[i].len > TEXT_MAX || pieces[i].len > left)
            continue;
        left -= pieces[i].len;
        sections[i] = sections_of(query, words, &pieces[i]);
    }
}

double closer_evidence(const struct score_query *query, const struct query_words *words,
                       const struct document *document, double sections, double whole)
{
    double name = fmax(score_name(query, words, document->title), score_name(query, words, document->path));

    if (sections < 0)
        sections = whole;
    return (1 - WHOLE_PART) * sections + WHOLE_PART * whole + NAME_PART * name;
}
