/* cases.h - calls to be made: a good call, and one or two edits of its text.
 *
 *     tn_case_try(&maker, &(struct tn_case){ .kind = CASE_FAULT, .what = "wrong type", .where = place->pointer,
 *                                            .edits = { tn_edit_replace(place, SLICE_LIT("[]")) }, .edit_count = 1 });
 *
 * What an edit makes of a call is never guessed: the schema decides, and says which parameters an answer has to name.
 */
#ifndef CONTRACT_FUZZ_CASES_H
#define CONTRACT_FUZZ_CASES_H

#include "base/buf.h"
#include "contract/fuzz/places.h"

#define CASES_MAX      ((size_t)1200) /* of one tool and kind */
#define CASE_EDITS_MAX ((size_t)2)
#define CASE_NAMES_MAX ((size_t)4)
#define CASE_LEN_MAX   ((size_t)1 << 20)

enum tn_case_kind { CASE_VALID, CASE_FAULT, CASE_DIRTY, CASE_HOSTILE, CASE_PAIR, CASE_KINDS };

enum tn_expect {
    EXPECT_TAKEN,   /* the schema accepts it; what the tool makes of it is its own affair */
    EXPECT_REFUSED, /* the schema refuses it, and so must the server, naming what is wrong */
    EXPECT_EITHER, /* the schema refuses it, but it means a valid call: a server may convert it, or refuse it and say why */
    EXPECT_ALIVE /* any answer will do */
};

/* Bytes of the good call that are replaced. */
struct tn_edit {
    size_t          from, to;
    struct tn_slice text;
};

struct tn_case {
    enum tn_case_kind kind;
    enum tn_expect    expect;
    const char       *what;  /* "wrong type", for people; stays valid */
    struct tn_slice   where; /* JSON pointer within the arguments; empty: all of them */
    struct tn_edit    edits[CASE_EDITS_MAX];
    size_t            edit_count;
    bool              bare;                  /* without any arguments */
    struct tn_slice   names[CASE_NAMES_MAX]; /* of parameters that an answer has to name; "": all arguments */
    size_t            name_count;
    uint64_t          hash; /* of its text */
};

struct tn_cases {
    struct tn_arena *arena; /* of all that they refer to */
    struct tn_case  *at;
    size_t           count, room;
    size_t           dropped; /* beyond the bound */
    bool             failed;
};

struct tn_case_maker {
    const tenon_schema     *schema;
    tenon_verdict          *verdict;
    const struct tn_places *places;
    struct tn_cases        *cases;
    struct tn_arena         scratch;  /* of one try */
    int64_t                 until_ms; /* for all tries: a schema may make each very slow */
};

/* `schema` was compiled without a mistake; `places` and `cases` are borrowed. False without memory. */
bool tn_case_maker_init(struct tn_case_maker *maker, const tenon_schema *schema,
                        const struct tn_places *places, struct tn_cases *cases);
void tn_case_maker_free(struct tn_case_maker *maker);

/* Keeps the case if it is what its kind says, and none before it is the same call. A fault and a pair must be refused by the
 * schema, but one that a repair makes valid is EXPECT_EITHER; a dirty form that it accepts is EXPECT_TAKEN. True when it was
 * kept. */
bool tn_case_try(struct tn_case_maker *maker, const struct tn_case *one);

/* The text of its arguments, which need not be JSON; nothing when it is bare. */
void tn_case_write(struct tn_buf *out, struct tn_slice good, const struct tn_case *one);

/* ---- Edits ------------------------------------------------------------------------------------------------------- */

struct tn_edit tn_edit_replace(const struct tn_place *place, struct tn_slice value);
struct tn_edit tn_edit_remove(const struct tn_places *places, const struct tn_place *member);

/* One more member at the end of an object: `"name":value`, which is kept in the arena of the cases. */
struct tn_edit tn_edit_insert(struct tn_case_maker *maker, const struct tn_place *object,
                              struct tn_slice name, struct tn_slice value);

/* ---- Kinds ------------------------------------------------------------------------------------------------------- */

/* Each adds what it finds, in a fixed order. */
void tn_faults_add(struct tn_case_maker *maker);
void tn_dirty_add(struct tn_case_maker *maker);
void tn_hostile_add(struct tn_case_maker *maker);

/* Two of these faults at a time, chosen by the seed. */
void tn_pairs_add(struct tn_case_maker *maker, const struct tn_cases *faults, uint64_t *seed);

/* A text that lives as long as the cases; empty without memory. */
struct tn_slice tn_case_keep(struct tn_case_maker *maker, struct tn_slice text);

#endif
