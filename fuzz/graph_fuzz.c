/* graph_fuzz.c - any bytes are walked to their end or refused with a reason, within their bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kit/embed/model/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    uint8_t    *copy = malloc(len + 1); /* of its own, so that what is read beyond it is seen */
    const char *bad;

    if (!copy)
        return 0;
    memcpy(copy, data, len);
    bad = graph_check(copy, len);
    if (bad && !*bad)
        abort();
    free(copy);
    return 0;
}
