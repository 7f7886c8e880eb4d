/* witness.c - tries values until two schemas disagree. */
#include "contract/witness.h"

#include <string.h>

#include "contract/values.h"
#include "document/document.h"

#define WITNESS_EACH_MAX ((size_t)2500) /* variations of each way */
#define WITNESS_MIXED    ((size_t)4000)
#define WITNESS_LEN_MAX  ((size_t)64 << 10)
#define STEP_BYTES       ((size_t)256) /* of compiled schemas and of a value, that take as long as a step */

struct search {
    const tenon_schema *accepts, *refuses; /* the second may be NULL: anything is found then */
    tenon_verdict      *yes, *no;
    struct tn_arena     arena; /* of one try */
    struct tn_buf       out;
    size_t              weight; /* steps of making a value */
    size_t              left;   /* steps that may be made */
};

static void begin(struct search *search)
{
    tn_arena_reset(&search->arena);
    tn_buf_init(&search->out, &search->arena, 256, WITNESS_LEN_MAX);
}

static void spend(struct search *search, size_t steps)
{
    search->left -= steps < search->left ? steps : search->left;
}

static bool is_found(struct search *search)
{
    struct tn_buf *out = &search->out;
    bool           accepted, refused;

    spend(search, search->weight + out->len / STEP_BYTES);
    if (out->failed)
        return false;
    accepted = tenon_verdict_flag(search->yes, out->at, out->len);
    spend(search, search->yes->judge.steps);
    if (!accepted || !search->no)
        return accepted;
    refused = !tenon_verdict_judge(search->no, out->at, out->len);
    spend(search, search->no->judge.steps);
    return refused;
}

static const struct tn_node *hint_of(const struct search *search)
{
    return search->refuses ? search->refuses->node : NULL;
}

static bool look_at_edges(struct search *search)
{
    for (size_t way = 0; way < VALUES_WAYS_MAX; way++)
        for (size_t nth = 0; nth < WITNESS_EACH_MAX && search->left > 0; nth++) {
            begin(search);
            if (!tn_values_write(&search->out, search->accepts->node, hint_of(search), way, nth))
                break;
            if (is_found(search))
                return true;
        }
    return false;
}

static bool look_at_mixtures(struct search *search)
{
    uint64_t seed = 1;

    for (size_t i = 0; i < WITNESS_MIXED && search->left > 0; i++) {
        begin(search);
        tn_values_mixed(&search->out, search->accepts->node, hint_of(search), &seed);
        if (is_found(search))
            return true;
    }
    return false;
}

static bool run(struct search *search, struct tn_arena *arena, struct tn_witness *witness)
{
    bool found = false;

    *witness    = (struct tn_witness){ { NULL, 0 }, { NULL, 0 } };
    search->yes = tenon_verdict_new(search->accepts);
    search->no  = search->refuses ? tenon_verdict_new(search->refuses) : NULL;
    tn_arena_init(&search->arena, &search->accepts->shape.memory, 0);
    if (search->yes && (search->no || !search->refuses))
        found = look_at_edges(search) || look_at_mixtures(search);
    if (found) {
        const tenon_issue *issue = search->no ? tenon_verdict_issue(search->no, 0) : NULL;

        witness->value.at  = tn_arena_copy(arena, search->out.at, search->out.len);
        witness->value.len = witness->value.at ? search->out.len : 0;
        if (issue && issue->text)
            witness->why = tn_slice_of(tn_arena_copy(arena, issue->text, strlen(issue->text)));
    }
    tenon_verdict_free(search->yes);
    tenon_verdict_free(search->no);
    tn_arena_free(&search->arena);
    return witness->value.len > 0;
}

static size_t weight_of(const tenon_schema *schema)
{
    return schema ? schema->shape.arena.used / STEP_BYTES : 0;
}

bool tn_witness_find(const tenon_schema *accepts, const tenon_schema *refuses, struct tn_arena *arena,
                     size_t *work, struct tn_witness *witness)
{
    struct search search = { .accepts = accepts,
                             .refuses = refuses,
                             .weight  = 1 + weight_of(accepts) + weight_of(refuses),
                             .left    = *work };
    bool          found  = run(&search, arena, witness);

    *work = search.left;
    return found;
}

struct tn_slice tn_witness_plain(const tenon_schema *schema, struct tn_arena *arena, size_t *work)
{
    struct tn_witness witness;

    tn_witness_find(schema, NULL, arena, work, &witness);
    return witness.value;
}
