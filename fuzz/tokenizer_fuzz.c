/* tokenizer_fuzz.c - a tokenizer.json is understood or refused with a reason; with one that is understood, any text becomes at
 * most as many tokens as there is room for. The text follows the file after a NUL. */
#include <stdlib.h>
#include <string.h>

#include "kit/embed/model/wordpiece.h"

#define ROOM 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char       *at           = (const char *)data;
    const char       *nul          = len > 0 ? memchr(at, '\0', len) : NULL;
    size_t            file         = nul ? (size_t)(nul - at) : len;
    char              mistake[200] = "";
    struct wordpiece *pieces       = wordpiece_read(at, file, mistake, sizeof mistake);
    int64_t           ids[ROOM];
    size_t            count;

    if (!pieces) {
        if (!*mistake)
            abort();
        return 0;
    }
    count = nul ? wordpiece_split(pieces, nul + 1, len - file - 1, ids, ROOM)
                : wordpiece_split(pieces, "a", 1, ids, 2);
    if (count < 2 || count > ROOM)
        abort();
    wordpiece_free(pieces);
    return 0;
}
