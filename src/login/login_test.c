/* login_test.c - what a login holds in memory over a long run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fault.h"
#include "base/memory.h"
#include "login/inside.h"

#define ROUNDS 50

static const struct login_options options = { .server = "https://a.example/mcp" };

static void proofs_do_not_add_up(void **state)
{
    struct login *login = login_new(&options);
    size_t        used, proofs = 0;

    (void)state;
    assert_non_null(login);
    login->kept.access = "token";
    login->kept.key    = key_new(&login->arena);
    if (!login->kept.key) { /* built without libcrypto */
        login_free(login);
        skip();
    }
    used = login->arena.used;
    for (int i = 0; i < ROUNDS; i++) {
        assert_non_null(login_proof(login, "POST"));
        if (i == 1) /* the first round shows the arena how much it needs */
            proofs = login->proofs.used;
    }
    assert_int_equal(login->arena.used, used);
    assert_int_equal(login->proofs.used, proofs);
    login_free(login);
}

static void take_texts(struct login *login)
{
    login->kept = (struct kept){ .issuer = "https://i.example", .access = "token", .client = { .id = "c" } };
    issuer_note(login, "job", "https://i.example");
}

static void settles(void **state)
{
    struct login *login = login_new(&options);

    (void)state;
    assert_non_null(login);
    take_texts(login);
    for (int i = 0; i < ROUNDS; i++) {
        assert_non_null(arena_take(&login->arena, (size_t)1 << 20, 1));
        login_settle(login);
    }
    assert_true(login->arena.used <= ARENA_BLOCK_MIN * 2);
    assert_string_equal(login->kept.issuer, "https://i.example");
    assert_string_equal(login->kept.access, "token");
    assert_string_equal(login->kept.client.id, "c");
    assert_null(login->kept.refresh);
    assert_string_equal(login->kept.known[0].client, "job");
    assert_string_equal(login->kept.known[0].issuer, "https://i.example");
    login_free(login);
}

/* When the copy is refused, all stays as it was. */
static void survives_refused_memory(void **state)
{
    struct fault    fault  = { .refuse_at = 1 };
    tenon_allocator memory = fault_allocator(&fault);
    struct login    login  = { .options = &options };

    (void)state;
    arena_init(&login.arena, &memory, 0);
    take_texts(&login);
    login_settle(&login);
    assert_true(fault.refused);
    assert_string_equal(login.kept.access, "token");
    arena_free(&login.arena);
    assert_int_equal(fault.blocks, 0);
}

static void remembers_a_bounded_number_of_issuers(void **state)
{
    static char  names[KNOWN_ISSUERS_MAX + 1][2];
    struct login login = { .options = &options };

    (void)state;
    for (size_t i = 0; i <= KNOWN_ISSUERS_MAX; i++) {
        names[i][0] = (char)('a' + i);
        issuer_note(&login, names[i], "https://i.example");
    }
    assert_int_equal(login.kept.known_count, KNOWN_ISSUERS_MAX);
    assert_string_equal(login.kept.known[0].client, "b");
    issuer_note(&login, "c", "https://other.example");
    assert_int_equal(login.kept.known_count, KNOWN_ISSUERS_MAX);
    assert_string_equal(login.kept.known[1].issuer, "https://other.example");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_do_not_add_up),
        cmocka_unit_test(settles),
        cmocka_unit_test(survives_refused_memory),
        cmocka_unit_test(remembers_a_bounded_number_of_issuers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
