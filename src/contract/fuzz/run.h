/* run.h - a whole run: every tool that may be called, kind by kind, within its time.
 *
 *     struct tn_fuzz fuzz = { .options = ..., .server = &server, .tools = ..., .tool_count = ..., .repeat = ... };
 *
 *     tn_fuzz_run(&fuzz, &memory);
 *     tn_fuzz_findings(&findings, &arena, &fuzz);
 *     tn_fuzz_free(&fuzz);
 *
 * The order of calls depends on the seed and the tools alone; how many of them are made, on time. Single faults come before
 * pairs, and no tool has the time of another.
 */
#ifndef CONTRACT_FUZZ_RUN_H
#define CONTRACT_FUZZ_RUN_H

#include "contract/fuzz/plan.h"
#include "contract/fuzz/repeat.h"
#include "contract/fuzz/score.h"
#include "contract/fuzz/session.h"

#define FUZZ_CALLS_MAX ((size_t)200000) /* of one run */
#define FUZZ_SERVER    SIZE_MAX         /* stands for the server in the place of a tool */

struct tn_fuzz_options {
    uint64_t seed;
    int64_t  time_ms;
    int      timeout_ms; /* of a call */
};

struct tn_fuzz_tool {
    struct tn_slice name;
    yyjson_val     *definition;
    struct tn_slice input, output; /* texts of its schemas; the second may be empty */
    bool            read_only;     /* calls that it accepts change nothing */
    struct tn_score score;
    tenon_schema   *promise; /* of its results; or NULL */
    struct tn_judge judge;
    size_t          crashes, hangs;
    bool slow; /* a call was still at work when its time was up: only calls that it must refuse are made */
    const char *left; /* why not all was tried, in words; or NULL */
    char        why[300];
};

struct tn_found {
    size_t               tool; /* or FUZZ_SERVER */
    enum tn_fuzz_verdict verdict;
    const char          *what;
    struct tn_slice      where, why, witness, repeat;
    bool                 again; /* the same call showed it twice; crashes and leaks only */
    size_t               count;
};

struct tn_fuzz {
    struct tn_fuzz_options       options;
    const struct tn_fuzz_server *server;
    struct tn_fuzz_tool         *tools;
    size_t                       tool_count;
    struct tn_repeat             repeat;

    struct tn_score   protocol; /* of messages that break it */
    struct tn_session session;
    struct tn_arena   arena; /* of what was found */
    struct tn_found  *found;
    size_t            found_count, found_dropped;
    size_t            calls;
    int64_t           end_ms;
    bool              stopped; /* the server cannot be started any more: */
    char              why[FUZZ_WHY_MAX];
    size_t            spared; /* calls that were left out: they take long, and show nothing new */
    size_t            left;   /* calls that were planned, and for which there was no time */
    bool              failed; /* no memory */
    struct tn_buf     last;   /* arguments of the call before, and ... */
    struct tn_arena   last_arena;
    size_t            last_tool; /* ... its tool; FUZZ_SERVER: there was none */
};

/* False when the server could not be started at all: `why`. */
bool tn_fuzz_run(struct tn_fuzz *fuzz, const tenon_allocator *memory);
void tn_fuzz_free(struct tn_fuzz *fuzz);

/* ---- between the files of a run */

/* Is there time for another call of a part of the run that ends then? */
bool tn_fuzz_goes_on(struct tn_fuzz *fuzz, int64_t until_ms);

/* Makes one call of a tool and gives its verdict; `why` is for people. */
enum tn_fuzz_verdict tn_fuzz_try(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                                 struct tn_slice arguments, struct tn_buf *why);

/* Sends a message as it is; a server that is stuck is stopped. */
enum tn_wire_end tn_fuzz_send(struct tn_fuzz *fuzz, struct tn_slice message, const char *id,
                              struct tn_arena *arena);

/* leak.c: many calls of one tool, and the memory of the server beside them. */
void tn_fuzz_leak(struct tn_fuzz *fuzz, size_t tool, struct tn_plan *plan, int64_t until_ms);

/* protocol_run.c */
void tn_fuzz_protocol(struct tn_fuzz *fuzz, int64_t until_ms);

/* Writes the line that repeats a call, so many `times` where one does not show what was found, else 0. */
struct tn_slice tn_fuzz_repeat(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                               struct tn_slice arguments, size_t times);

#endif
