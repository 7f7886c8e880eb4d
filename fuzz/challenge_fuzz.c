/* challenge_fuzz.c - what a server asks a client for, and what a browser brings back: read within their bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "login/inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(const char *text, size_t most)
{
    if (!text)
        return;
    if (strlen(text) > most)
        abort();
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const names[] = { "scope", "error", "resource_metadata", "code", "state", "iss" };
    tenon_allocator          memory  = tn_memory_of(NULL);
    struct tn_arena          arena;
    const char              *text;

    tn_arena_init(&arena, &memory, 0);
    text = tn_arena_copy(&arena, (const char *)data, len);
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
        check(challenge_text(&arena, text, names[i]), strlen(text));
        check(query_text(&arena, text, names[i]), strlen(text));
    }
    (void)challenge_has_scheme(&arena, text ? text : "", "DPoP");
    tn_arena_free(&arena);
    return 0;
}
