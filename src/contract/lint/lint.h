/* lint.h - what is wrong with a list of tools: by itself, and for the clients that get it.
 *
 *     tn_lint_init(&lint, &arena, profiles, count);
 *     tn_lint_offer(&lint, &offer);
 *     tn_lint_command(&lint, words);
 *     tn_findings_write(&out, &lint.findings, FINDINGS_JSON, false);
 *
 * Everything comes from the definitions: nothing is called. Time is bounded by their length.
 */
#ifndef CONTRACT_LINT_LINT_H
#define CONTRACT_LINT_LINT_H

#include "contract/lint/profile.h"
#include "contract/offer.h"

struct tn_lint {
    struct tn_findings              findings;
    struct tn_arena                *arena;
    const struct tn_profile *const *profiles;
    size_t                          profile_count;
    struct tn_slice                *tools; /* in their order */
    size_t                          tool_count;
    unsigned char                  *cells;         /* enum tn_level, by tool and profile */
    size_t                          bytes;         /* of all definitions */
    size_t                          pattern_steps; /* that are left for trying patterns */
};

/* The profiles are borrowed. */
void tn_lint_init(struct tn_lint *lint, struct tn_arena *arena, const struct tn_profile *const *profiles,
                  size_t profile_count);

/* False without memory. */
bool tn_lint_offer(struct tn_lint *lint, const struct tn_offer *offer);

/* The command that starts the server: does it name a version? */
void tn_lint_command(struct tn_lint *lint, const char *const *words);

/* Does a definition keep every rule of these profiles, notes left out? That of its name only with `named`. */
bool tn_lint_keeps(struct tn_arena *arena, const struct tn_profile *const *profiles, size_t count,
                   yyjson_val *definition, bool named);

/* The table of tools and clients, for people. */
void tn_lint_table(struct tn_buf *out, const struct tn_lint *lint, bool coloured);

#endif
