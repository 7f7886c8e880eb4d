/* bearer_fuzz.c - Authorization headers from strangers: one token opens, and every challenge is one sound header line. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "net/auth/auth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Of "test". */
#define ENTRY "ann:sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

static void check_challenge(const char *line)
{
    size_t len = strlen(line), quotes = 0;

    assert(strncmp(line, "WWW-Authenticate: Bearer ", 25) == 0 && strcmp(line + len - 2, "\r\n") == 0);
    for (size_t i = 0; i < len - 2; i++) {
        assert(line[i] >= 0x20 && line[i] < 0x7F);
        if (line[i] == '\\' && quotes % 2 == 1)
            i++;
        else
            quotes += line[i] == '"';
    }
    assert(quotes > 0 && quotes % 2 == 0);
}

static struct auth *known(struct tn_settings *settings)
{
    const char  *mistake;
    struct auth *auth;

    settings->http   = "127.0.0.1:1";
    settings->path   = "/mcp";
    settings->tokens = (struct tn_setting_list){ { ENTRY }, 1 };
    auth             = tn_auth_new(settings, NULL, NULL, &mistake);
    assert(auth);
    return auth;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct tn_settings settings;
    static struct auth       *auth;
    struct tn_slice           header = { (const char *)data, len };
    tenon_allocator           memory = tn_memory_of(NULL);
    struct tn_arena           arena;
    struct tn_caller          caller;
    struct tn_auth_refusal    refusal;
    char                     *needs;

    if (!auth) {
        tn_arena_init(&settings.arena, &memory, 0);
        auth = known(&settings);
    }
    tn_arena_init(&arena, &memory, 0);
    if (tn_auth_check(auth, &arena, header, 1, &caller, &refusal) == AUTH_OK)
        assert(tn_slice_is(caller.name, "ann") && len >= 11 && memcmp(data + len - 4, "test", 4) == 0);
    else
        check_challenge(refusal.challenge);
    needs = tn_arena_copy(&arena, header.at, len);
    tn_auth_needs_scopes(auth, &arena, needs, &refusal);
    check_challenge(refusal.challenge);
    tn_arena_free(&arena);
    return 0;
}
