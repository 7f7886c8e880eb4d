/* feed_test.c - what is kept of calls: bounded, in order, without values. */
#define _GNU_SOURCE
#include "net/console/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <yyjson.h>

#include "base/memory.h"
#include "net/console/feed_inside.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define NOW             ((int64_t)1795012800000)
#define TEXT_MAX        ((size_t)16 << 20)

static int open_feed(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);

    *state = tn_feed_new(&memory, NOW);
    return *state ? 0 : -1;
}

static int close_feed(void **state)
{
    tn_feed_free(*state);
    return 0;
}

static struct tn_call_report report_of(const char *tool, const char *code, int64_t took_us)
{
    return (struct tn_call_report){ .tool = tool, .code = code, .took_us = took_us, .started_ms = NOW };
}

/* What one of the functions writes, read again; freed by the caller. */
static yyjson_doc *shown(struct tn_feed *feed, void (*write)(struct tn_feed *, tenon_writer *))
{
    tenon_writer *to = tenon_writer_new(NULL, TEXT_MAX);
    yyjson_doc   *doc;
    const char   *text;
    size_t        len;

    tenon_write_object(to, NULL);
    write(feed, to);
    tenon_write_end(to);
    text = tenon_writer_text(to, &len);
    assert_non_null(text);
    doc = yyjson_read(text, len, 0);
    tenon_writer_free(to);
    assert_non_null(doc);
    return doc;
}

static int64_t number(yyjson_doc *doc, const char *pointer)
{
    yyjson_val *value = yyjson_doc_ptr_get(doc, pointer);

    assert_true(yyjson_is_num(value));
    return (int64_t)yyjson_get_num(value);
}

static void test_tools_are_counted(void **state)
{
    static const char *const codes[] = { NULL, "VALIDATION_ERROR", "DENIED", "INTERNAL_ERROR", NULL };
    yyjson_doc              *doc;

    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        struct tn_call_report report = report_of("search", codes[i], 1000);

        tn_feed_call(*state, &report);
    }
    doc = shown(*state, tn_feed_write_tools);
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/tools/0/name")), "search");
    assert_int_equal(number(doc, "/tools/0/calls"), 5);
    assert_int_equal(number(doc, "/tools/0/refused"), 2);
    assert_int_equal(number(doc, "/tools/0/failed"), 1);
    yyjson_doc_free(doc);
}

static void test_percentiles_are_near(void **state)
{
    static const int64_t values[] = { 0, 1, 3, 4, 7, 8, 100, 999, 1000, 123456, 50000000, INT64_MAX };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        struct tn_feed_histogram histogram = { .total = 0 };
        double                   most      = (double)(values[i] > UINT32_MAX ? UINT32_MAX : values[i]);

        tn_feed_took(&histogram, values[i]);
        assert_true(tn_feed_percentile(&histogram, 95) >= most);
        assert_true(tn_feed_percentile(&histogram, 95) <= most * 1.25 + 1);
    }
}

static void test_seconds_are_900(void **state)
{
    struct tn_call_report report = report_of("a", NULL, 2000);
    struct tn_feed_gauges gauges = { .in_flight = 3, .busy = 2, .queued = 1 };
    yyjson_doc           *doc;

    tn_feed_call(*state, &report);
    tn_feed_tick(*state, &gauges, NOW + 1000);
    tn_feed_tick(*state, &gauges, NOW + 1500); /* the same second */
    tn_feed_tick(*state, &gauges, NOW + 4000); /* late: three have passed */
    doc = shown(*state, tn_feed_write_series);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/calls")), FEED_SECONDS);
    assert_int_equal(number(doc, "/calls/896"), 1);
    assert_int_equal(number(doc, "/calls/899"), 0);
    assert_int_equal(number(doc, "/inFlight/899"), 3);
    assert_int_equal(number(doc, "/workersBusy/899"), 2);
    assert_int_equal(number(doc, "/workersQueued/899"), 1);
    assert_int_equal(number(doc, "/end"), NOW + 4000);
    yyjson_doc_free(doc);
    tn_feed_tick(*state, &gauges, NOW + 100000000); /* as after a night's sleep */
    tn_feed_tick(*state, &gauges, NOW);             /* and a clock that was set back */
}

static void send_wrong(struct tn_feed *feed, const char *tool, const char *parameter, const char *code,
                       bool unknown)
{
    struct tn_call_issue  issue  = { .parameter = tn_slice_of(parameter), .code = code, .unknown = unknown };
    struct tn_call_report report = report_of(tool, "VALIDATION_ERROR", 100);

    report.issues = report.found_count = 1;
    report.found                       = &issue;
    tn_feed_call(feed, &report);
}

static void test_wrong_arguments_are_counted(void **state)
{
    yyjson_doc *doc;

    send_wrong(*state, "search", "/items/0/name", "type", false);
    send_wrong(*state, "search", "/items/17/name", "type", false);
    send_wrong(*state, "search", "/items/17/name", "required", false);
    doc = shown(*state, tn_feed_write_wrong);
    assert_int_equal(number(doc, "/refused"), 3);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/rows")), 2);
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/rows/0/parameter")), "/items/*/name");
    assert_int_equal(number(doc, "/rows/0/count"), 2);
    yyjson_doc_free(doc);
}

static void test_ten_thousand_names_do_not_grow_it(void **state)
{
    yyjson_doc *doc;
    yyjson_val *rows, *row;
    size_t      at, max, often = 0;
    char        name[64];

    for (int i = 0; i < 3; i++) {
        send_wrong(*state, "t", "limit", "unknown", true);
        send_wrong(*state, "t", "declared", "type", false);
    }
    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "name_%d", i);
        send_wrong(*state, "t", name, "unknown", true);
    }
    doc  = shown(*state, tn_feed_write_wrong);
    rows = yyjson_doc_ptr_get(doc, "/rows");
    assert_int_equal(yyjson_arr_size(rows), FEED_UNKNOWN + 1);
    yyjson_arr_foreach(rows, at, max, row)
    {
        const char *parameter = yyjson_get_str(yyjson_obj_get(row, "parameter"));

        if (strcmp(parameter, "limit") == 0 || strcmp(parameter, "declared") == 0) {
            assert_int_equal(yyjson_get_int(yyjson_obj_get(row, "count")), 3);
            often++;
        }
    }
    assert_int_equal(often, 2);
    yyjson_doc_free(doc);
}

static void test_names_are_cut_between_characters(void **state)
{
    char long_name[200];

    (void)state;
    for (size_t i = 0; i + 1 < sizeof long_name; i += 2)
        memcpy(long_name + i, "\xC3\xA9", 2);
    char cut[FEED_NAME + 1];

    tn_feed_copy(cut, sizeof cut, (struct tn_slice){ long_name, 198 });
    assert_int_equal(strlen(cut), FEED_NAME);
    tn_feed_copy(cut, sizeof cut, (struct tn_slice){ long_name + 1, 190 });
    assert_int_equal(strlen(cut), FEED_NAME - 1);
}

static void test_the_last_calls_are_kept(void **state)
{
    tenon_writer *to = tenon_writer_new(NULL, TEXT_MAX);
    uint64_t      oldest;
    const char   *text;

    for (int i = 0; i < FEED_CALLS + 10; i++) {
        struct tn_call_report report = report_of("a", NULL, i);

        report.arguments = SLICE_LIT("{\"x\":1}");
        tn_feed_call(*state, &report);
    }
    assert_int_equal(tn_feed_latest(*state, &oldest), FEED_CALLS + 10);
    assert_int_equal(oldest, 11);
    tenon_write_object(to, NULL);
    assert_false(tn_feed_write_call(*state, to, 10, true));
    assert_false(tn_feed_write_call(*state, to, 0, true));
    assert_false(tn_feed_write_call(*state, to, UINT64_MAX, true));
    assert_true(tn_feed_write_call(*state, to, 11, true));
    tenon_write_end(to);
    text = tenon_writer_text(to, NULL);
    assert_non_null(strstr(text, "\"id\":11,"));
    assert_non_null(strstr(text, "\"arguments\":{\"x\":1}"));
    tenon_writer_free(to);
    to = tenon_writer_new(NULL, TEXT_MAX);
    tenon_write_object(to, NULL);
    assert_true(tn_feed_write_call(*state, to, 11, false)); /* as each page gets it that follows calls */
    tenon_write_end(to);
    assert_null(strstr(tenon_writer_text(to, NULL), "arguments"));
    tenon_writer_free(to);
}

static void test_tools_beyond_the_bound_are_not_named(void **state)
{
    yyjson_doc *doc;
    char        name[32];

    for (int i = 0; i < FEED_TOOLS + 5; i++) {
        struct tn_call_report report;

        snprintf(name, sizeof name, "tool_%d", i);
        report = report_of(name, NULL, 1);
        tn_feed_call(*state, &report);
    }
    doc = shown(*state, tn_feed_write_tools);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/tools")), FEED_TOOLS);
    yyjson_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tools_are_counted, open_feed, close_feed),
        cmocka_unit_test(test_percentiles_are_near),
        cmocka_unit_test_setup_teardown(test_seconds_are_900, open_feed, close_feed),
        cmocka_unit_test_setup_teardown(test_wrong_arguments_are_counted, open_feed, close_feed),
        cmocka_unit_test_setup_teardown(test_ten_thousand_names_do_not_grow_it, open_feed, close_feed),
        cmocka_unit_test(test_names_are_cut_between_characters),
        cmocka_unit_test_setup_teardown(test_the_last_calls_are_kept, open_feed, close_feed),
        cmocka_unit_test_setup_teardown(test_tools_beyond_the_bound_are_not_named, open_feed, close_feed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
