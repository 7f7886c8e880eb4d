/* work.c - what handlers share: waiting, and reading what clients answered. */
#define _POSIX_C_SOURCE 200809L
#include "conformance.h"

#include <time.h>

#define STEP_MS 10 /* between two looks at whether the caller still wants the answer */

bool work_for(const tenon_call *call, int ms)
{
    for (; ms > 0 && !tenon_is_cancelled(call); ms -= STEP_MS) {
        int step = ms < STEP_MS ? ms : STEP_MS;
        nanosleep(&(struct timespec){ .tv_nsec = step * 1000000L }, NULL);
    }
    return !tenon_is_cancelled(call);
}

tenon_outcome not_given(tenon_call *call, tenon_reply reply)
{
    if (reply == TENON_REPLY_PENDING)
        return tenon_ask(call);
    return tenon_fail(call, TENON_CODE_DENIED, "The user %s. Nothing was done.",
                      reply == TENON_REPLY_DECLINED ? "declined" : "went away");
}

tenon_str sampled_text(const tenon_json *result)
{
    const tenon_json *content = tenon_json_get(result, "content");

    if (tenon_json_type_of(content) == TENON_JSON_ARRAY)
        content = tenon_json_at(content, 0);
    return tenon_json_str(tenon_json_get(content, "text"));
}
