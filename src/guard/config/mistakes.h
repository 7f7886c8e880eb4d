/* mistakes.h - all that is wrong with a file, each at its line and column, in the order of the file.
 *
 * A mistake that the schema finds may be worded better by the code that knows what the value is for: it says so at the same
 * place, and takes the place of the schema's sentence.
 */
#ifndef GUARD_CONFIG_MISTAKES_H
#define GUARD_CONFIG_MISTAKES_H

#include <stdarg.h>

#include "base/arena.h"
#include "json/locate.h"

#define MISTAKES_MAX     100 /* that are shown; all are counted */
#define MISTAKE_TEXT_MAX ((size_t)2000)

struct tn_config_mistake {
    struct tn_json_position at;
    const char             *text;
    bool                    weak; /* another sentence about the same place is better */
};

struct tn_config_mistakes {
    struct tn_arena         *arena;
    struct tn_config_mistake at[MISTAKES_MAX];
    size_t                   count, total;
};

void tn_mistakes_add(struct tn_config_mistakes *mistakes, struct tn_json_position at, bool weak,
                     const char *format, ...) TENON_PRINTF(4, 5);
void tn_mistakes_addv(struct tn_config_mistakes *mistakes, struct tn_json_position at, bool weak,
                      const char *format, va_list args) TENON_PRINTF(4, 0);

/* Puts them in the order of the file. */
void tn_mistakes_sort(struct tn_config_mistakes *mistakes);

#endif
