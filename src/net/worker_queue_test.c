/* worker_queue_test.c - whose job is next, whose gives way, and that no owner is left over. */
#include "net/worker_queue.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

#define JOBS_MAX 64

/* Jobs are named by a letter, whose owner it is: owners are the letters' addresses. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

struct fixture {
    struct tn_fault     fault;
    tenon_allocator     memory;
    struct tn_job_queue queue;
    struct tn_job       jobs[JOBS_MAX];
    size_t              count;
};

static char letter_of(const struct tn_job *job)
{
    return job ? *(const char *)job->owner : '-';
}

static void start(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->memory = tn_fault_allocator(&fixture->fault);
    assert_true(tn_job_queue_init(&fixture->queue, &fixture->memory, JOBS_MAX));
}

static void add(struct fixture *fixture, char letter)
{
    struct tn_job *job = &fixture->jobs[fixture->count++];

    job->owner = strchr(letters, letter);
    tn_job_queue_add(&fixture->queue, job);
}

/* What is still running ends; then nothing is left. */
static void finish(struct fixture *fixture)
{
    while (tn_job_queue_drop(&fixture->queue))
        ;
    for (size_t i = 0; i < fixture->count; i++)
        if (fixture->jobs[i].of)
            tn_job_queue_ended(&fixture->queue, &fixture->jobs[i]);
    for (size_t i = 0; i < fixture->queue.bucket_count; i++)
        assert_null(fixture->queue.buckets[i]);
    assert_int_equal(fixture->queue.queued + fixture->queue.waiting + fixture->queue.most, 0);
    tn_job_queue_free(&fixture->queue);
    assert_int_equal(fixture->fault.blocks, 0);
}

/* A letter adds a job of that owner. Then what comes out is said: `+` takes by turn, `*` of a starving owner, `!` displaces
 * for an owner that has none queued, `1` for one that has one; `.` ends the oldest job that runs. */
static void says_whose_is_next(void **state)
{
    static const struct { const char *steps, *want; } cases[] = {
        { "+", "-" },
        { "aaa+++", "aaa" },
        { "aaab+++", "aba" },
        { "aaaabbc+++++++", "abcabaa" },
        { "aab+c+++", "abac" },            /* who comes in between waits for one turn of the others */
        { "aa+b++", "aab" },
        { "*", "-" },
        { "aab*", "a" },
        { "aab*+", "ab" },                  /* who was taken has had its turn */
        { "aab**", "ab" },
        { "aab***", "ab-" },
        { "aa+*.*", "a-a" },                /* starves again when what ran has ended */
        { "aab+b+*", "ab-" },
        { "!", "-" },
        { "a!", "-" },                      /* the only one of an owner stays */
        { "aa!", "a" },
        { "aa1", "-" },
        { "aaa1", "a" },
        { "aabbb!++++", "babab" },
        { "aabbb!!", "ba" },
        { "aabbb!!!!", "bab-" },
        { "aaabbb!!", "ab" },               /* of two that have as many, who has had them longer */
        { "aaabb+!", "ab" },
        { "aaa!b!+++", "aaab-" },
    };
    struct fixture fixture;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char   got[32] = "";
        size_t len = 0, ended = 0;

        start(&fixture);
        for (const char *step = cases[i].steps; *step; step++) {
            if (strchr(letters, *step))
                add(&fixture, *step);
            else if (*step == '+' || *step == '*')
                got[len++] = letter_of(tn_job_queue_take(&fixture.queue, *step == '*'));
            else if (*step == '.')
                tn_job_queue_ended(&fixture.queue, &fixture.jobs[ended++]);
            else
                got[len++] = letter_of(tn_job_queue_displace(&fixture.queue, *step == '1'));
        }
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: %s, not %s", cases[i].steps, got, cases[i].want);
        finish(&fixture);
    }
}

static void the_newest_gives_way(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture);
    for (const char *each = "aaabb"; *each; each++)
        add(&fixture, *each);
    assert_ptr_equal(tn_job_queue_displace(&fixture.queue, 0), &fixture.jobs[2]);
    assert_ptr_equal(tn_job_queue_take(&fixture.queue, false), &fixture.jobs[0]);
    assert_ptr_equal(tn_job_queue_take(&fixture.queue, false), &fixture.jobs[3]);
    assert_ptr_equal(tn_job_queue_take(&fixture.queue, false), &fixture.jobs[1]);
    assert_ptr_equal(tn_job_queue_take(&fixture.queue, false), &fixture.jobs[4]);
    finish(&fixture);
}

/* Without memory for an owner its jobs still come out, with those of the others that had none. */
static void owners_without_memory_share(void **state)
{
    struct fixture fixture;
    size_t         out = 0;

    (void)state;
    start(&fixture);
    add(&fixture, 'a');
    fixture.fault.refuse_at   = fixture.fault.requests + 1;
    fixture.fault.refuse_rest = true;
    for (const char *each = "bcabc"; *each; each++)
        add(&fixture, *each);
    assert_int_equal(fixture.queue.waiting, 2);
    for (struct tn_job *job; (job = tn_job_queue_take(&fixture.queue, false)); out++)
        tn_job_queue_ended(&fixture.queue, job);
    assert_int_equal(out, 6);
    finish(&fixture);
}

static void many_owners_come_and_go(void **state)
{
    static char    keys[1000];
    struct fixture fixture;

    (void)state;
    start(&fixture);
    for (size_t i = 0; i < sizeof keys; i++) {
        struct tn_job *job = &fixture.jobs[i % 50];

        if (job->of)
            assert_ptr_equal(tn_job_queue_take(&fixture.queue, i % 2), job);
        if (job->of)
            tn_job_queue_ended(&fixture.queue, job);
        job->owner = &keys[i];
        tn_job_queue_add(&fixture.queue, job);
    }
    fixture.count = 50;
    assert_int_equal(fixture.queue.queued, 50);
    assert_int_equal(fixture.queue.most, 1);
    finish(&fixture);
}

static void needs_memory_to_begin(void **state)
{
    struct fixture fixture = { .count = 0 };

    (void)state;
    fixture.memory = tn_fault_allocator(&fixture.fault);
    for (size_t i = 1; i <= 2; i++) {
        fixture.fault.refuse_at = fixture.fault.requests + i;
        assert_false(tn_job_queue_init(&fixture.queue, &fixture.memory, 10));
        assert_int_equal(fixture.fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_whose_is_next),          cmocka_unit_test(the_newest_gives_way),
        cmocka_unit_test(owners_without_memory_share), cmocka_unit_test(many_owners_come_and_go),
        cmocka_unit_test(needs_memory_to_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
