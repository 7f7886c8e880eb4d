/* mistakes.c - keeps mistakes, and puts them in order. */
#include "guard/config/mistakes.h"

#include <string.h>

#include "base/buf.h"
#include "guard/phrases.h"

static bool is_same(struct tn_json_position a, struct tn_json_position b)
{
    return a.line == b.line && a.column == b.column;
}

/* Where it goes: the place of a weaker one, or a new one. NULL when it is only counted. */
static struct tn_config_mistake *place_for(struct tn_config_mistakes *mistakes, struct tn_json_position at,
                                           bool weak)
{
    for (size_t i = 0; i < mistakes->count && !weak; i++)
        if (mistakes->at[i].weak && is_same(mistakes->at[i].at, at))
            return &mistakes->at[i];
    mistakes->total++;
    return mistakes->count < MISTAKES_MAX ? &mistakes->at[mistakes->count++] : NULL;
}

void tn_mistakes_addv(struct tn_config_mistakes *mistakes, struct tn_json_position at, bool weak,
                      const char *format, va_list args)
{
    struct tn_config_mistake *mistake = place_for(mistakes, at, weak);
    struct tn_buf             text;

    if (!mistake)
        return;
    tn_buf_init(&text, mistakes->arena, 0, MISTAKE_TEXT_MAX);
    tn_buf_addv(&text, format, args);
    *mistake = (struct tn_config_mistake){ at, tn_buf_end(&text) ? text.at : SAY_MEMORY, weak };
}

void tn_mistakes_add(struct tn_config_mistakes *mistakes, struct tn_json_position at, bool weak,
                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tn_mistakes_addv(mistakes, at, weak, format, args);
    va_end(args);
}

static bool is_before(struct tn_json_position a, struct tn_json_position b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* They are few, and nearly in order; those of one place stay in theirs. */
void tn_mistakes_sort(struct tn_config_mistakes *mistakes)
{
    for (size_t i = 1; i < mistakes->count; i++) {
        struct tn_config_mistake one = mistakes->at[i];
        size_t                   to  = i;

        for (; to > 0 && is_before(one.at, mistakes->at[to - 1].at); to--)
            mistakes->at[to] = mistakes->at[to - 1];
        mistakes->at[to] = one;
    }
}
