/* out_test.c - bytes go out in the order in which they came, whatever is taken at a time. */
#include "net/stdio/out.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

/* The number of the next line that leaves, checked; taken in pieces of `step`. */
static void take_lines(struct tn_out_bytes *out, size_t step, char *rest, unsigned *next)
{
    while (tn_out_len(out) > 0) {
        size_t len  = strlen(rest);
        size_t part = tn_out_len(out) < step ? tn_out_len(out) : step;
        char  *end;

        memcpy(rest + len, out->at + out->begin, part);
        rest[len + part] = '\0';
        tn_out_taken(out, part);
        while ((end = strchr(rest, '\n')) != NULL) {
            char want[32];

            *end = '\0';
            snprintf(want, sizeof want, "line %u", (*next)++);
            assert_string_equal(rest, want);
            memmove(rest, end + 1, strlen(end + 1) + 1);
        }
        if (step % 2) /* some stay until later */
            break;
    }
}

static void order_is_kept(void **state)
{
    (void)state;
    for (size_t step = 1; step < 40; step++) {
        struct tn_out_bytes out, mail;
        char                line[32], rest[256] = "";
        unsigned            next = 0;

        tn_out_init(&out, NULL);
        tn_out_init(&mail, NULL);
        for (unsigned i = 0; i < 3000; i++) {
            int len = snprintf(line, sizeof line, "line %u", i);

            assert_true(tn_out_line(i % 7 < 3 ? &mail : &out, (struct tn_slice){ line, (size_t)len }));
            if (i % 7 == 2)
                assert_true(tn_out_move(&out, &mail));
            take_lines(&out, step, rest, &next);
        }
        assert_true(tn_out_move(&out, &mail));
        while (tn_out_len(&out) > 0)
            take_lines(&out, step, rest, &next);
        assert_int_equal(next, 3000);
        tn_out_free(&out);
        tn_out_free(&mail);
    }
}

static void steady_output_takes_no_memory(void **state)
{
    struct tn_fault     fault  = { 0 };
    tenon_allocator     memory = tn_fault_allocator(&fault);
    struct tn_out_bytes out;

    (void)state;
    tn_out_init(&out, &memory);
    for (int i = 0; i < 10000; i++) {
        assert_true(tn_out_line(&out, SLICE_LIT("{\"jsonrpc\":\"2.0\"}")));
        if (i > 0)
            tn_out_taken(&out, 18); /* one is always left */
    }
    assert_int_equal(fault.requests, 1);
    fault.refuse_at   = 2;
    fault.refuse_rest = true;
    while (tn_out_line(&out, SLICE_LIT("more"))) {}
    assert_true(tn_out_len(&out) % 5 == 3); /* 18 and fives: nothing of the last one */
    tn_out_free(&out);
    assert_int_equal(fault.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_kept),
        cmocka_unit_test(steady_output_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
