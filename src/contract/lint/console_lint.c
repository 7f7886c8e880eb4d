/* console_lint.c - one definition, as the console shows what is wrong with it. */
#include "contract/lint/console_lint.h"

#include "contract/lint/lint.h"

#define PATTERN_STEPS ((size_t)2000000) /* a tenth of a second at most: it is the loop that serves calls, too */

/* Those that need no strict mode, as `tenon lint` without --for. */
static size_t choose(const struct tn_profiles *profiles, const struct tn_profile *chosen[PROFILES_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < profiles->count; i++)
        if (!profiles->at[i].mode)
            chosen[count++] = &profiles->at[i];
    return count;
}

bool tn_lint_for_console(struct tn_buf *out, struct tn_arena *arena, struct tn_slice definition)
{
    const struct tn_profile *chosen[PROFILES_MAX];
    struct tn_profiles       profiles;
    struct tn_offer          offer;
    struct tn_lint           lint;
    struct tn_buf            list;
    const char              *why;
    bool                     done = false;

    tn_buf_init(&list, arena, definition.len + 2, definition.len + 64);
    tn_buf_char(&list, '[');
    tn_buf_add(&list, definition.at, definition.len);
    tn_buf_char(&list, ']');
    tn_profiles_init(&profiles, &arena->memory);
    if (tn_profiles_add_known(&profiles) && tn_offer_read(&offer, arena, tn_buf_slice(&list), NULL, &why)) {
        tn_lint_init(&lint, arena, chosen, choose(&profiles, chosen));
        lint.pattern_steps = PATTERN_STEPS;
        done               = tn_lint_offer(&lint, &offer);
        if (done)
            tn_findings_json(out, &lint.findings);
    }
    tn_profiles_free(&profiles);
    return done;
}
