/* whole_test.h - for tests of tools: with any allocation of SQLite refused, an answer is whole or an error. */
#ifndef KIT_WHOLE_TEST_H
#define KIT_WHOLE_TEST_H

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/refuse_test.h"
#include "kit/tools.h"

#define WHOLE_MOST 100000 /* allocations of one call */

struct whole_case {
    const char *tool, *arguments;
};

static inline void whole_be_silent(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

/* A copy without the digits of "in 12 ms", which are never the same. */
static inline char *whole_timeless(const char *json)
{
    char *copy = strdup(json), *to = copy;

    assert_non_null(copy);
    for (const char *from = json; *from; from++) {
        size_t digits = strspn(from, "0123456789");

        if (digits > 0 && strncmp(from + digits, " ms", 3) == 0)
            from += digits;
        *to++ = *from;
    }
    *to = '\0';
    return copy;
}

/* One call with its nth allocation refused, until none is. */
static inline void whole_refuse_each(tenon_call *call, const struct whole_case *one)
{
    size_t len     = strlen(one->arguments);
    char  *whole   = whole_timeless(tenon_call_run(call, one->tool, one->arguments, len)->json);
    bool   refused = true;

    for (long n = 0; refused && n < WHOLE_MOST; n++) {
        const tenon_answer *answer;

        refuse_after(n);
        answer  = tenon_call_run(call, one->tool, one->arguments, len);
        refused = refuse_end();
        if (!answer->is_error || !refused) {
            char *timeless = whole_timeless(answer->json);

            assert_string_equal(timeless, whole);
            free(timeless);
        }
    }
    assert_false(refused);
    free(whole);
}

/* A call of a server's tools, after refuse_prepare(). */
static inline tenon_call *whole_call(tenon_toolbox *box, const struct tool_list *tools)
{
    tenon_call *call;

    for (size_t i = 0; i < tools->count; i++)
        tenon_toolbox_add(box, tools->at[i]());
    assert_null(tenon_toolbox_error(box));
    call = tenon_call_new(box);
    assert_non_null(call);
    return call;
}

/* What must be there first. */
static inline void whole_begin(tenon_call *call, const struct whole_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const tenon_answer *answer = tenon_call_run(call, cases[i].tool, cases[i].arguments,
                                                    strlen(cases[i].arguments));

        if (answer->is_error)
            fail_msg("%s: %s", cases[i].tool, answer->json);
    }
}

/* Cases whose answers stay the same however often they are called. */
static inline void whole_or_errors(tenon_call *call, const struct whole_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        whole_refuse_each(call, &cases[i]);
}

#endif
