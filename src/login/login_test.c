/* login_test.c - what a login holds in memory over a long run, remembers of issuers, and shows of answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "login/inside.h"
#include "support/fault.h"

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
    if (!login->kept.key) {
        print_message("skipped: this build has no libcrypto to sign with\n");
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
    login->kept = (struct login_kept){ .issuer = "https://i.example",
                                       .access = "token",
                                       .client = { .id = "c" } };
    issuer_note(login, "job", "https://i.example");
}

static void settles(void **state)
{
    struct login *login = login_new(&options);

    (void)state;
    assert_non_null(login);
    take_texts(login);
    for (int i = 0; i < ROUNDS; i++) {
        assert_non_null(tn_arena_take(&login->arena, (size_t)1 << 20, 1));
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
    struct tn_fault fault  = { .refuse_at = 1 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct login    login  = { .options = &options };

    (void)state;
    tn_arena_init(&login.arena, &memory, 0);
    take_texts(&login);
    login_settle(&login);
    assert_true(fault.refused);
    assert_string_equal(login.kept.access, "token");
    tn_arena_free(&login.arena);
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

static void knows_what_reveals(void **state)
{
    static const struct { const char *text; bool want; } cases[] = {
        { "The clock is late",                   false },
        { "Unknown: verifier-0123456789",        true  },
        { "Unknown: ier-01234567",               true  }, /* a part */
        { "Unknown: er-01234567",                false }, /* too short to be of use */
        { "code a/b is unknown",                 true  },
        { "code a%2Fb is unknown",               true  },
        { "secret: short",                       true  },
        { "Basic am9iOnNob3J0",                  true  },
        { "",                                    false },
    };
    const struct sent sent  = { .form   = "grant_type=x&code=a%2Fb&code_verifier=verifier-0123456789",
                                .secret = SLICE_LIT("short"),
                                .header = SLICE_LIT("am9iOnNob3J0") };
    struct login     *login = login_new(&options);

    (void)state;
    assert_non_null(login);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (reason_reveals(login, tn_slice_of(cases[i].text), &sent) != cases[i].want)
            fail_msg("%s", cases[i].text);
    login_free(login);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_do_not_add_up),    cmocka_unit_test(settles),
        cmocka_unit_test(survives_refused_memory), cmocka_unit_test(remembers_a_bounded_number_of_issuers),
        cmocka_unit_test(knows_what_reveals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
