/* fuzz_choice.h - which tools may be called: those that are known to change nothing, or all. */
#ifndef CLI_CONTRACT_FUZZ_CHOICE_H
#define CLI_CONTRACT_FUZZ_CHOICE_H

#include "cli/contract/target.h"
#include "contract/fuzz/run.h"

struct fuzz_choice {
    bool               all, trust_hints;
    const char *const *read_only; /* patterns: the operator's word */
    size_t             read_only_count;
    const char *const *only; /* patterns: no others */
    size_t             only_count;
};

struct fuzz_chosen {
    struct tn_fuzz_tool *tools;
    size_t               count;
    struct tn_slice     *left; /* names of tools that are not known to be read-only */
    size_t               left_count;
};

/* All in the arena of the targets. False without memory. */
bool fuzz_choose(struct fuzz_chosen *chosen, struct targets *targets, const struct target *target,
                 const struct fuzz_choice *choice);

#endif
