/* metrics_test.c - what is counted, and that the text is Prometheus's, by a strict reader of it. */
#define _GNU_SOURCE
#include "net/metrics.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/form.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TEXT_(part)     #part
#define TEXT(part)      TEXT_(part)
#define VERSION         TEXT(TENON_VERSION_MAJOR) "." TEXT(TENON_VERSION_MINOR) "." TEXT(TENON_VERSION_PATCH)

typedef struct {
    int n;
} args;

static tenon_outcome nothing(tenon_call *call, const args *given)
{
    (void)given;
    return tenon_ok(call);
}

TENON_TOOL(nothing, args,
    TENON_INFO("Do nothing.", .name = "search"),
    TENON_INT(n, "A number."));

static tenon_outcome more(tenon_call *call, const args *given)
{
    (void)given;
    return tenon_ok(call);
}

TENON_TOOL(more, args,
    TENON_INFO("Do more.", .name = "add_note"),
    TENON_INT(n, "A number."));

static const tenon_error own[] = { { "FULL", "It is full. Delete something.", false } };

static tenon_server *server_of(tenon_server *server)
{
    *server                  = (tenon_server){ .name    = "no\"tes\\\n\xFF",
                                               .version = "1.0.0",
                                               .memory  = tn_memory_of(NULL),
                                               .clock   = tn_clock_system(),
                                               .options = { TENON_ERRORS(own) } };
    server->boxes[BOX_TOOLS] = tenon_toolbox_new(TENON_ERRORS(own));
    tenon_toolbox_add(server->boxes[BOX_TOOLS], nothing_tool());
    tenon_toolbox_add(server->boxes[BOX_TOOLS], more_tool());
    assert_null(tenon_toolbox_error(server->boxes[BOX_TOOLS]));
    return server;
}

/* ---- A strict reader of the text form ------------------------------------------------------------------------ */

struct family {
    char name[80], type[16];
};

static const char *read_name(const char *at, bool is_label)
{
    assert_true(isalpha((unsigned char)*at) || *at == '_' || (*at == ':' && !is_label));
    while (isalnum((unsigned char)*at) || *at == '_' || (*at == ':' && !is_label))
        at++;
    return at;
}

static const char *read_labels(const char *at)
{
    if (*at != '{')
        return at;
    do {
        at = read_name(at + 1, true);
        assert_int_equal(*at++, '=');
        assert_int_equal(*at++, '"');
        for (; *at != '"'; at++) {
            assert_true(*at && *at != '\n');
            if (*at == '\\')
                assert_non_null(strchr("\\\"n", *++at));
        }
        at++;
    } while (*at == ',');
    assert_int_equal(*at++, '}');
    return at;
}

/* A sample belongs to the family whose HELP and TYPE came just before it. */
static void read_sample(const char *line, const struct family *family)
{
    const char *end    = read_name(line, false), *rest;
    size_t      len    = strlen(family->name);
    const char *suffix = line + len;
    char       *stop;

    assert_true(len > 0 && strncmp(line, family->name, len) == 0);
    if (strcmp(family->type, "histogram") == 0)
        assert_true(strncmp(suffix, "_bucket{", 8) == 0 || strncmp(suffix, "_sum{", 5) == 0 ||
                    strncmp(suffix, "_count{", 7) == 0);
    else
        assert_ptr_equal(suffix, end);
    if (strcmp(family->type, "counter") == 0)
        assert_string_equal(family->name + len - 6, "_total");
    rest = read_labels(end);
    assert_int_equal(*rest++, ' ');
    assert_true(isdigit((unsigned char)*rest));
    strtod(rest, &stop);
    assert_int_equal(*stop, '\0');
}

static void read_comment(char *line, struct family *family, const char *text)
{
    char again[100];

    if (strncmp(line, "# HELP ", 7) == 0) {
        assert_int_equal(sscanf(line, "# HELP %79s", family->name), 1);
        family->type[0] = '\0';
        snprintf(again, sizeof again, "# HELP %s ", family->name);
        assert_null(strstr(strstr(text, again) + 1, again));
        return;
    }
    assert_int_equal(sscanf(line, "# TYPE %79s %15s", again, family->type), 2);
    assert_string_equal(again, family->name);
    assert_true(strcmp(family->type, "counter") == 0 || strcmp(family->type, "gauge") == 0 ||
                strcmp(family->type, "histogram") == 0);
}

static void read_all(const char *text)
{
    static char   lines[1 << 18];
    struct family family = { 0 };
    char         *line   = lines, *end;
    size_t        len    = strlen(text);

    assert_true(len > 0 && len < sizeof lines && text[len - 1] == '\n');
    memcpy(lines, text, len + 1);
    for (; (end = strchr(line, '\n')); line = end + 1) {
        const char *seen;

        *end = '\0';
        assert_true(*line);
        if (*line == '#') {
            read_comment(line, &family, text);
            continue;
        }
        assert_true(family.type[0]);
        read_sample(line, &family);
        seen = strrchr(line, ' ');
        assert_true(seen > line);
        for (const char *other = lines; other < line; other += strlen(other) + 1) /* no series twice */
            assert_false(strncmp(other, line, (size_t)(seen - line) + 1) == 0);
    }
}

/* ---- Tests --------------------------------------------------------------------------------------------------- */

static const char *text_of(struct tn_arena *arena, const struct metrics *metrics)
{
    struct tn_metrics_gauges gauges = { .http       = { .connections = 3, .bytes_in = 1u << 31 },
                                        .busy       = 2,
                                        .spare      = 1,
                                        .audit_lost = 7,
                                        .healthy    = true };
    struct tn_buf            out;
    const char              *text;

    tn_buf_init(&out, arena, 0, 1 << 20);
    tn_metrics_write(&out, metrics, &gauges);
    text = tn_buf_end(&out);
    assert_non_null(text);
    read_all(text);
    return text;
}

static void has(const char *text, const char *line)
{
    char whole[300];

    snprintf(whole, sizeof whole, "\n%s\n", line);
    if (!strstr(text, whole))
        fail_msg("no line %s in\n%s", line, text);
}

static void counts_calls(void **state)
{
    static const size_t                forms[FORMS] = { [FORM_FENCE] = 1, [FORM_WRAPPER] = 2 };
    static const char *const           codes[]      = { "required", "unknown_inside", "length", "of_my_own" };
    static const struct tn_call_report reports[]    = {
           { .tool = "search", .took_us = 0 },
           { .tool      = "search",
             .took_us   = 100,
             .coerced   = 2,
             .reformed  = 1,
             .clamped   = 3,
             .bytes_in  = 10,
             .bytes_out = 20 },
           { .tool = "search", .took_us = 101, .code = "NOT_FOUND" },
           { .tool = "search", .took_us = 3000000, .code = "FULL" },
           { .tool = "search", .took_us = 60000000, .code = "TIMEOUT", .overrun = true },
           { .tool = "search", .took_us = 7, .code = "UNHEARD_OF" },
           { .tool             = "search",
             .took_us          = 7,
             .code             = "VALIDATION_ERROR",
             .issues           = 6,
             .issue_codes      = codes,
             .issue_code_count = 4,
             .forms            = forms },
           { .tool = "nobody", .took_us = 7 },
    };
    static const char *const lines[] = {
        "tenon_info{name=\"no\\\"tes\\\\\\n?\",version=\"1.0.0\",tenon=\"" VERSION "\"} 1",
        "tenon_calls_total{tool=\"add_note\",outcome=\"OK\"} 0",
        "tenon_calls_total{tool=\"search\",outcome=\"OK\"} 2",
        "tenon_calls_total{tool=\"search\",outcome=\"NOT_FOUND\"} 1",
        "tenon_calls_total{tool=\"search\",outcome=\"FULL\"} 1",
        "tenon_calls_total{tool=\"search\",outcome=\"other\"} 1",
        "tenon_call_duration_seconds_bucket{tool=\"search\",le=\"0.0001\"} 4",
        "tenon_call_duration_seconds_bucket{tool=\"search\",le=\"0.0005\"} 5",
        "tenon_call_duration_seconds_bucket{tool=\"search\",le=\"1\"} 5",
        "tenon_call_duration_seconds_bucket{tool=\"search\",le=\"5\"} 6",
        "tenon_call_duration_seconds_bucket{tool=\"search\",le=\"50\"} 6",
        "tenon_call_duration_seconds_bucket{tool=\"search\",le=\"+Inf\"} 7",
        "tenon_call_duration_seconds_sum{tool=\"search\"} 63.000215",
        "tenon_call_duration_seconds_count{tool=\"search\"} 7",
        "tenon_call_issues_total{tool=\"search\",issue=\"required\"} 1",
        "tenon_call_issues_total{tool=\"search\",issue=\"unknown_inside\"} 1",
        "tenon_call_issues_total{tool=\"search\",issue=\"length\"} 1",
        "tenon_call_issues_total{tool=\"search\",issue=\"other\"} 3",
        "tenon_call_forms_total{tool=\"search\",form=\"fence\"} 1",
        "tenon_call_forms_total{tool=\"search\",form=\"wrapper\"} 2",
        "tenon_call_coerced_total{tool=\"search\"} 2",
        "tenon_call_reformed_total{tool=\"search\"} 1",
        "tenon_call_clamped_total{tool=\"search\"} 3",
        "tenon_call_overruns_total{tool=\"search\"} 1",
        "tenon_call_received_bytes_total{tool=\"search\"} 10",
        "tenon_call_sent_bytes_total{tool=\"search\"} 20",
        "tenon_messages_total{method=\"tools/call\",error=\"\"} 2",
        "tenon_messages_total{method=\"tools/call\",error=\"-32602\"} 1",
        "tenon_messages_total{method=\"completion/complete\",error=\"\"} 1",
        "tenon_messages_total{method=\"unknown\",error=\"-32601\"} 2",
        "tenon_messages_total{method=\"ping\",error=\"other\"} 1",
        "tenon_http_connections 3",
        "tenon_http_received_bytes_total 2147483648",
        "tenon_workers_busy 2",
        "tenon_audit_lost_total 7",
        "tenon_workers_spare 1",
        "tenon_healthy 1",
    };
    tenon_server    server;
    struct metrics *metrics = tn_metrics_new(server_of(&server));
    struct tn_arena arena;
    const char     *text;

    (void)state;
    assert_non_null(metrics);
    tn_arena_init(&arena, NULL, 0);
    text_of(&arena, metrics); /* also of nothing */
    for (size_t i = 0; i < COUNT_OF(reports); i++)
        tn_metrics_call(metrics, &reports[i]);
    tn_metrics_message(metrics, "tools/call", 0);
    tn_metrics_message(metrics, "tools/call", 0);
    tn_metrics_message(metrics, "tools/call", -32602);
    tn_metrics_message(metrics, "completion/complete", 0);
    tn_metrics_message(metrics, "unknown", -32601);
    tn_metrics_message(metrics, "no/such\nmethod", -32601);
    tn_metrics_message(metrics, "ping", 12345);
    text = text_of(&arena, metrics);
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        has(text, lines[i]);
    assert_null(strstr(text, "nobody"));
    assert_null(strstr(text, "such"));
    assert_null(strstr(text, "my_own"));
    tn_arena_free(&arena);
    tn_metrics_free(metrics);
    tn_metrics_free(NULL);
    tenon_toolbox_free(server.boxes[BOX_TOOLS]);
}

#define ROUNDS 20000

static void *count_some(void *user)
{
    for (int i = 0; i < ROUNDS; i++) {
        tn_metrics_call(user, &(struct tn_call_report){ .tool = "add_note", .took_us = i, .bytes_in = 1 });
        tn_metrics_message(user, "tools/call", 0);
    }
    return NULL;
}

static void counts_in_parallel(void **state)
{
    tenon_server    server;
    struct metrics *metrics = tn_metrics_new(server_of(&server));
    pthread_t       threads[4];
    struct tn_arena arena;
    const char     *text;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_some, metrics), 0);
    text_of(&arena, metrics); /* while they count */
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    text = text_of(&arena, metrics);
    has(text, "tenon_calls_total{tool=\"add_note\",outcome=\"OK\"} 80000");
    has(text, "tenon_call_duration_seconds_count{tool=\"add_note\"} 80000");
    has(text, "tenon_call_received_bytes_total{tool=\"add_note\"} 80000");
    has(text, "tenon_messages_total{method=\"tools/call\",error=\"\"} 80000");
    tn_arena_free(&arena);
    tn_metrics_free(metrics);
    tenon_toolbox_free(server.boxes[BOX_TOOLS]);
}

static void survives_refused_memory(void **state)
{
    struct tn_fault fault = { .refuse_at = 1 };
    tenon_server    server;

    (void)state;
    server_of(&server);
    server.memory = tn_fault_allocator(&fault);
    assert_null(tn_metrics_new(&server));
    tn_metrics_free(tn_metrics_new(&server));
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    tenon_toolbox_free(server.boxes[BOX_TOOLS]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_calls),
        cmocka_unit_test(counts_in_parallel),
        cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
