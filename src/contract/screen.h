/* screen.h - what in a definition a person who approves it would not see, or not read: characters that are not shown or turn
 * text around, comments, escape sequences, text without end, names that look like others. Persuasion in plain words is not
 * looked for.
 */
#ifndef CONTRACT_SCREEN_H
#define CONTRACT_SCREEN_H

#include "contract/offer.h"

#define SCREEN_DESCRIPTION_MAX ((size_t)8 << 10)
#define SCREEN_PROPERTY_MAX    ((size_t)2 << 10) /* of any text further inside */
#define SCREEN_DEFINITION_MAX  ((size_t)64 << 10)
#define SCREEN_FINDINGS_MAX    ((size_t)16) /* of one definition */

struct tn_remark {
    const char *place; /* JSON pointer within the definition; "" is the whole */
    const char *what;
};

struct tn_screening {
    struct tn_remark at[SCREEN_FINDINGS_MAX];
    size_t           count;
};

/* What it says without its subject: "has an HTML comment, ...", to go on where a place was named. */
struct tn_slice tn_remark_predicate(const struct tn_remark *remark);

/* All is in the arena. */
void tn_screen_definition(struct tn_screening *findings, struct tn_arena *arena,
                          const struct tn_definition *definition);

/* A text alone: instructions. */
void tn_screen_text(struct tn_screening *findings, struct tn_arena *arena, struct tn_slice text);

/* A name as it looks at a glance: two that look the same become one. In the arena; `at` is NULL without memory. */
struct tn_slice tn_screen_glance(struct tn_arena *arena, struct tn_slice name);

/* Remarks that its name looks like another's. */
void tn_screen_twin(struct tn_screening *findings, struct tn_arena *arena);

/* Does another tool of the list have a name that looks the same? */
void tn_screen_twins(struct tn_screening *findings, struct tn_arena *arena, const struct tn_definition *tool,
                     const struct tn_offer_list *list);

#endif
