/* client_test.c - a client against a server in memory and against programs, good and bad ones. */
#include "net/client/client.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/adder.h"
#include "support/fault.h"

static const char *const revisions[] = { NULL, "2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05" };
#define REVISIONS (sizeof revisions / sizeof *revisions)

/* ---- What comes back ----------------------------------------------------------------------------------------- */

struct seen {
    int             notes, logs, changes, updates, progress, done, pages, questions;
    const char     *answer; /* to questions; NULL keeps them open, "" refuses */
    tenon_question *question;
};

static void count_note(void *user, const char *method, const tenon_json *params)
{
    struct seen *seen = user;

    (void)params;
    seen->notes++;
    seen->logs += strcmp(method, "notifications/message") == 0;
    seen->changes += strcmp(method, "notifications/tools/list_changed") == 0;
    seen->updates += strcmp(method, "notifications/resources/updated") == 0;
}

static void answer_question(void *user, tenon_question *question)
{
    struct seen *seen = user;

    seen->questions++;
    assert_string_equal(tenon_question_method(question), "elicitation/create");
    assert_true(tenon_question_is_open(question));
    if (!seen->answer)
        seen->question = question;
    else if (!*seen->answer)
        tenon_question_refuse(question, NULL);
    else {
        assert_int_equal(tenon_question_answer(question, "[]"), TENON_E_DECLARATION);
        assert_int_equal(tenon_question_answer(question, "{"), TENON_E_DECLARATION);
        assert_int_equal(tenon_question_answer(question, seen->answer), TENON_OK);
    }
}

static void count_done(void *user, tenon_request *request)
{
    ((struct seen *)user)->done++;
    assert_int_not_equal(tenon_request_state_of(request), TENON_REQUEST_OPEN);
}

static void count_progress(void *user, tenon_request *request, const tenon_json *params)
{
    ((struct seen *)user)->progress++;
    assert_int_equal(tenon_request_state_of(request), TENON_REQUEST_OPEN);
    assert_int_equal(tenon_json_int(tenon_json_get(params, "progress")), 1);
}

static bool count_page(void *user, tenon_request *request)
{
    assert_int_equal(tenon_json_count(tenon_json_get(tenon_request_result(request), "tools")), 1);
    return ++((struct seen *)user)->pages < 1;
}

static int64_t sum_of(const tenon_json *result)
{
    const tenon_json *data = tenon_json_get(tenon_json_get(result, "structuredContent"), "data");

    return tenon_json_int(tenon_json_get(data, "sum"));
}

/* ---- In memory ----------------------------------------------------------------------------------------------- */

static void test_every_revision(void **state)
{
    (void)state;
    for (size_t i = 0; i < REVISIONS; i++) {
        tenon_server     *server = adder_server(NULL);
        struct seen       seen   = { .answer = NULL };
        tenon_client     *client = tenon_client_memory(server, .revision = revisions[i], .note = count_note,
                                                       .user = &seen, .log_level = "info");
        tenon_request    *call   = tenon_client_call(client, "add", "{\"a\":1,\n\"b\":2}",
                                                     .progress = count_progress, .done = count_done,
                                                     .user = &seen);
        const tenon_json *result = tenon_client_wait(call), *list;

        assert_string_equal(tenon_request_why(call), "");
        assert_string_equal(tenon_client_revision(client), revisions[i] ? revisions[i] : "2026-07-28");
        assert_non_null(tenon_json_get(tenon_client_server(client), "capabilities"));
        assert_true(sum_of(result) == 3 || i >= 4);
        assert_int_equal(seen.done, 1);
        assert_int_equal(seen.progress, 1);
        assert_int_equal(seen.logs, 1);
        assert_int_equal(tenon_request_text(call).at[0], '{');
        assert_int_equal(tenon_request_text(call).at[tenon_request_text(call).len], '\0');

        list = tenon_json_get(tenon_client_wait(tenon_client_list(client, "tools")), "tools");
        assert_int_equal(tenon_json_count(list), 2);
        assert_non_null(
            tenon_client_wait(tenon_client_list(client, "tools", .page = count_page, .user = &seen)));
        assert_int_equal(seen.pages, 1);
        assert_non_null(tenon_client_wait(tenon_client_read(client, "app://motd")));
        call = tenon_client_read(client, "test://none");
        assert_null(tenon_client_wait(call));
        assert_int_equal(tenon_request_state_of(call), TENON_REQUEST_REFUSED);
        assert_non_null(tenon_json_get(tenon_request_error(call), "code"));
        tenon_request_free(call);
        tenon_client_free(client);
        tenon_server_free(server);
    }
}

static void test_questions(void **state)
{
    static const struct {
        const char         *answer;
        tenon_request_state modern, legacy;
        const char         *part;
    } cases[] = {
        { "{\"action\":\"accept\",\n\"content\":{\"sure\":true}}", TENON_REQUEST_ANSWERED,
          TENON_REQUEST_ANSWERED, "Deleted." },
        { "{\"action\":\"decline\"}", TENON_REQUEST_ANSWERED, TENON_REQUEST_ANSWERED, "did not agree" },
        { "", TENON_REQUEST_LOST, TENON_REQUEST_ANSWERED, "cannot be asked" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t era = 1; era < 4; era++) {
            tenon_server  *server = adder_server(NULL);
            struct seen    seen   = { .answer = cases[i].answer };
            tenon_client  *client = tenon_client_memory(server, .revision = revisions[era],
                                                        .ask = answer_question, .user = &seen);
            tenon_request *call   = tenon_client_call(client, "purge", "{\"table\":\"t\"}");

            tenon_client_run(client);
            assert_int_equal(seen.questions, era < 3 ? 1 : seen.questions);
            if (era < 3 || seen.questions > 0) { /* 2025-06-18 has them too */
                assert_int_equal(tenon_request_state_of(call), era == 1 ? cases[i].modern : cases[i].legacy);
                if (*cases[i].answer)
                    assert_non_null(strstr(tenon_request_text(call).at, cases[i].part));
            }
            tenon_client_free(client);
            tenon_server_free(server);
        }
}

/* A question that is kept, answered later, or taken back by the end of its request. */
static void test_late_answers(void **state)
{
    (void)state;
    for (size_t era = 1; era < 3; era++)
        for (int kept = 0; kept < 3; kept++) {
            tenon_server  *server = adder_server(NULL);
            struct seen    seen   = { .answer = NULL };
            tenon_client  *client = tenon_client_memory(server, .revision = revisions[era],
                                                        .ask = answer_question, .user = &seen,
                                                        .timeout_ms = 50);
            tenon_request *call = tenon_client_call(client, "purge", "{\"table\":\"t\"}", .done = count_done,
                                                    .user = &seen);

            while (!seen.question)
                tenon_client_poll(client, -1);
            assert_int_equal(tenon_client_timeout(client), -1); /* the server's time stands still */
            poll(NULL, 0, 60);
            assert_true(tenon_client_poll(client, 0) >= 0);
            assert_int_equal(tenon_request_state_of(call), TENON_REQUEST_OPEN);
            assert_ptr_equal(tenon_question_request(seen.question), era == 1 ? call : NULL);
            if (kept == 0) {
                assert_int_equal(tenon_question_answer(seen.question, "{\"action\":\"cancel\"}"), TENON_OK);
                assert_non_null(tenon_client_wait(call));
                assert_int_equal(seen.done, 1);
            } else if (kept == 1) {
                tenon_request_free(call);
                assert_int_equal(tenon_question_is_open(seen.question), era != 1);
                assert_int_equal(tenon_question_answer(seen.question, "{\"action\":\"cancel\"}"), TENON_OK);
                tenon_client_poll(client, 0);
                assert_int_equal(seen.done, 0);
            }
            tenon_client_free(client);
            tenon_server_free(server);
        }
}

static void test_listening(void **state)
{
    (void)state;
    for (size_t era = 1; era < 4; era++) {
        tenon_server  *server = adder_server(NULL);
        struct seen    seen   = { .answer = NULL };
        tenon_client  *client = tenon_client_memory(server, .revision = revisions[era], .note = count_note,
                                                    .user = &seen);
        tenon_request *lists  = tenon_client_listen(client, NULL);
        tenon_request *motd   = tenon_client_listen(client, "app://motd");

        assert_true(tenon_client_ready(client));
        while (tenon_client_poll(client, 0) > 0)
            continue;
        assert_int_equal(tenon_request_state_of(motd),
                         era == 1 ? TENON_REQUEST_OPEN : TENON_REQUEST_ANSWERED);
        tenon_server_show_tool(server, "purge", false);
        tenon_server_updated(server, "app://motd");
        while (tenon_client_poll(client, 50) > 0)
            continue;
        assert_int_equal(seen.changes, 1);
        assert_int_equal(seen.updates, 1);
        tenon_request_free(motd);
        tenon_server_updated(server, "app://motd");
        while (tenon_client_poll(client, 50) > 0)
            continue;
        assert_int_equal(seen.updates, 1);
        tenon_request_cancel(lists);
        tenon_client_run(client);
        tenon_client_free(client);
        tenon_server_free(server);
    }
}

static void test_many_at_once(void **state)
{
    tenon_server  *server = adder_server(NULL);
    struct seen    seen   = { .answer = NULL };
    tenon_client  *client = tenon_client_memory(server, .max_requests = 100);
    tenon_request *calls[100];
    char           arguments[64];

    (void)state;
    for (int i = 0; i < 100; i++) {
        snprintf(arguments, sizeof arguments, "{\"a\":%d}", i);
        calls[i] = tenon_client_call(client, "add", arguments, .done = count_done, .user = &seen);
        assert_non_null(calls[i]);
    }
    assert_null(tenon_client_call(client, "add", NULL));
    assert_string_equal(tenon_client_error(client), "too many requests are open");
    tenon_request_cancel(calls[7]);
    tenon_request_free(calls[8]);
    tenon_client_run(client);
    assert_int_equal(seen.done, 99);
    for (int i = 0; i < 100; i++)
        if (i == 7)
            assert_int_equal(tenon_request_state_of(calls[i]), TENON_REQUEST_CANCELLED);
        else if (i != 8)
            assert_int_equal(sum_of(tenon_request_result(calls[i])), i);
    tenon_client_free(client);
    tenon_server_free(server);
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *params, *part;
    } cases[]            = { { "[]", "no JSON object" },
                             { "{", "no JSON object" },
                             { "{\"_meta\":1}", "no JSON object" },
                             { "\xff", "no JSON object" } };
    tenon_server *server = adder_server(NULL);
    tenon_client *client = tenon_client_memory(server);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(tenon_client_request(client, "tools/list", cases[i].params));
        assert_non_null(strstr(tenon_client_error(client), cases[i].part));
    }
    assert_null(tenon_client_list(client, "things"));
    assert_null(tenon_client_call(client, "add", "{\"a\":1},\"name\":\"purge\""));
    assert_non_null(strstr(tenon_client_error(client), "no JSON object"));
    assert_null(tenon_client_prompt(client, "add", "[]"));
    assert_int_equal((tenon_client_ready(client), tenon_client_notify(client, "notifications/x", "{}}")),
                     TENON_E_DECLARATION);
    tenon_client_free(client);
    client = tenon_client_memory(server, .revision = "1999-01-01");
    assert_false(tenon_client_ready(client));
    assert_non_null(strstr(tenon_client_error(client), "there is no revision 1999-01-01"));
    assert_null(tenon_client_wait(tenon_client_call(client, "add", NULL)));
    tenon_client_free(client);
    client = tenon_client_memory(server, .max_bytes = SIZE_MAX, .max_requests = SIZE_MAX,
                                 .max_questions = SIZE_MAX);
    assert_non_null(tenon_client_wait(tenon_client_call(client, "add", "{\"a\":1}")));
    tenon_client_free(client);
    assert_null(tenon_client_wait(tenon_client_call(NULL, "add", NULL)));
    assert_string_equal(tenon_client_error(NULL), "out of memory");
    tenon_question_refuse(NULL, NULL);
    tenon_request_free(NULL);
    tenon_client_free(NULL);
    tenon_server_free(server);
}

/* Bounds and texts as far as they go: no sum of them overflows, and a message stays one line. */
static void test_odd_options(void **state)
{
    tenon_server   *server = adder_server(NULL);
    tenon_client   *client = tenon_client_memory(server, .max_bytes = SIZE_MAX, .max_requests = SIZE_MAX,
                                                 .capabilities = "{\n\"roots\":{}\r\n}",
                                                 .revision     = "2026-07-28");
    tenon_request  *list   = tenon_client_list(client, "tools");
    struct tn_arena arena;
    struct tn_buf   out;

    (void)state;
    assert_int_equal(tenon_json_count(tenon_json_get(tenon_client_wait(list), "tools")), 2);
    tn_arena_init(&arena, &client->memory, 0);
    tn_buf_init(&out, &arena, 0, 100000);
    tn_request_write(list, &out);
    assert_null(strpbrk(tn_buf_end(&out), "\r\n"));
    tn_arena_free(&arena);
    tenon_client_free(client);
    tenon_server_free(server);
}

/* What a program gives is sent byte for byte, and what the revision needs is put between. */
static void test_params_are_exact(void **state)
{
    static const struct {
        const char *params, *part;
        bool        modern;
    } cases[] = {
        { "{\"a\":1.10,\n \"b\":12345678901234567890123}",
          "\"params\":{\"a\":1.10,  \"b\":12345678901234567890123,\"_meta\":{\"io.", true },
        { "{\"_meta\":{\"x\":1},\"a\":[]}", "\"version\":\"1\"},\"x\":1},\"a\":[]}}", true },
        { "{\"_meta\":{}}", "\"version\":\"1\"}}}}", true },
        { NULL, "\"params\":{\"_meta\":{", true },
        { "{ }", "\"params\":{}}", false },
        { "{\"a\":1}", "\"params\":{\"a\":1}}", false },
        { "{\"_meta\":{\"progressToken\":\"p\"}}", "\"params\":{\"_meta\":{\"progressToken\":\"p\"}}}",
          false },
    };
    tenon_server *server = adder_server(NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tenon_client   *client  = tenon_client_memory(server, .name = "me", .version = "1",
                                                      .revision = cases[i].modern ? "2026-07-28" : "2025-11-25");
        tenon_request  *request = (tenon_client_ready(client),
                                  tenon_client_request(client, "ping", cases[i].params));
        struct tn_arena arena;
        struct tn_buf   out;

        assert_non_null(request);
        tn_arena_init(&arena, &client->memory, 0);
        tn_buf_init(&out, &arena, 0, 100000);
        tn_request_write(request, &out);
        assert_non_null(strstr(tn_buf_end(&out), cases[i].part));
        tn_arena_free(&arena);
        tenon_client_free(client);
    }
    tenon_server_free(server);
}

/* ---- Programs ------------------------------------------------------------------------------------------------ */

#define HANDSHAKE                                                                                            \
    "read a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}';"          \
    "read a; echo "                                                                                          \
    "'{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}}';"  \
    "read a; "
#define LEGACY HANDSHAKE "read a; "
#define BATCHING                                                                                             \
    "read a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}';"          \
    "read a; echo "                                                                                          \
    "'{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{}}}';"  \
    "read a; "
#define BATCHES BATCHING "read a; "

/* A shell that plays a server: the request after its handshake has the id 4. */
static tenon_client *play(const char *script, size_t max_bytes, struct seen *seen)
{
    const char *const words[] = { "sh", "-c", script, NULL };

    return tenon_client_command(words, .timeout_ms = 300, .max_bytes = max_bytes, .max_notes = 50,
                                .max_pages = 3, .note = count_note, .user = seen);
}

static void test_bad_programs(void **state)
{
    static const struct {
        const char         *script;
        tenon_request_state state;
        const char         *why;
    } cases[] = {
        { LEGACY "echo '{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"tools\":[]}}'; cat",
          TENON_REQUEST_ANSWERED, "" },
        { LEGACY "echo; echo '  '; printf '{\"id\":4,\"result\":{\"tools\":[]}}\\r\\n'; cat",
          TENON_REQUEST_ANSWERED, "" },
        { LEGACY "echo garbage; echo '[]'; echo '{\"id\":4,\"result\":{\"tools\":[]}}'; cat",
          TENON_REQUEST_ANSWERED, "" },
        { LEGACY "cat >/dev/null", TENON_REQUEST_LATE, "did not answer in time" },
        { LEGACY "echo garbage; cat >/dev/null", TENON_REQUEST_LATE, "something that is no message" },
        { LEGACY "exit", TENON_REQUEST_LOST, "the server sh ended without an answer" },
        { LEGACY "head -c 5000000 /dev/zero; cat", TENON_REQUEST_LOST,
          "a line of the server is longer than 1 MiB" },
        { LEGACY "printf '{\"id\":4,\"result\":{\"tools\":[\"'; head -c 1200000 /dev/zero; cat >/dev/null",
          TENON_REQUEST_LOST, "a line of the server is longer than 1 MiB" },
        { LEGACY
          "printf '{\"result\":{\"tools\":[\"'; head -c 1200000 /dev/zero; printf '\"]},\"id\":4}\\n'; cat "
          ">/dev/null",
          TENON_REQUEST_LOST, "a line of the server is longer than 1 MiB" },
        { LEGACY "printf '{\"method\":\"x\",\"id\":4,\"result\":\"'; head -c 1200000 /dev/zero; echo '\"}'; "
                 "echo '{\"id\":4,\"result\":{\"tools\":[]}}'; cat >/dev/null",
          TENON_REQUEST_ANSWERED, "" },
        { LEGACY
          "echo '{\"id\":9,\"result\":{\"tools\"'; echo '{\"id\":4,\"result\":{\"tools\"'; cat >/dev/null",
          TENON_REQUEST_LOST, "something that is no message" },
        { LEGACY "echo '[{\"id\":4,\"result\":{\"tools\":[]}}]'; cat >/dev/null", TENON_REQUEST_LATE, "" },
        { BATCHES "echo '[{\"method\":\"notifications/x\"},{\"id\":4,\"result\":{\"tools\":[]}},7,[8]]'; cat "
                  ">/dev/null",
          TENON_REQUEST_ANSWERED, "" },
        { LEGACY "seq -f garbage%g 200; cat", TENON_REQUEST_LOST, "no message" },
        { LEGACY "seq -f '{\"method\":\"notifications/x%g\"}' 200; cat >/dev/null", TENON_REQUEST_LOST,
          "sends messages without end" },
        { LEGACY "seq -f '{\"method\":\"ping\",\"id\":%g}' 200; cat >/dev/null", TENON_REQUEST_LOST,
          "sends messages without end" },
        { LEGACY "echo '{\"id\":3,\"result\":{}}'; echo '{\"id\":\"4\",\"result\":{}}'; echo "
                 "'{\"id\":4.0,\"result\":{}}';"
                 "cat >/dev/null",
          TENON_REQUEST_LATE, "in time" },
        { LEGACY "echo '{\"id\":4}'; cat >/dev/null", TENON_REQUEST_LOST, "something that is no message" },
        { LEGACY "echo '{\"id\":4,\"result\":1}'; cat >/dev/null", TENON_REQUEST_LOST,
          "something that is no message" },
        { LEGACY "echo '{\"id\":4,\"result\":{\"tools\":{}}}'; cat >/dev/null", TENON_REQUEST_LOST,
          "list of tools is none" },
        { LEGACY "echo '{\"error\":{\"code\":-32700,\"message\":\"what\"}}'; cat >/dev/null",
          TENON_REQUEST_REFUSED, "what (-32700)" },
        { LEGACY "i=4; while :; do echo '{\"id\":'$i',\"result\":{\"tools\":[],\"nextCursor\":\"'$i'\"}}'; "
                 "i=$((i+1)); read a; done",
          TENON_REQUEST_LOST, "it has more than 3 pages" },
        { LEGACY "i=4; while :; do echo '{\"id\":'$i',\"result\":{\"tools\":[],\"nextCursor\":\"\"}}'; "
                 "i=$((i+1)); read a; done",
          TENON_REQUEST_ANSWERED, "" },
        { "exit", TENON_REQUEST_LOST, "ended without an answer" },
        { "head -c 5000000 /dev/zero; cat", TENON_REQUEST_LOST, "longer than 1 MiB" },
        { "read a; echo '{\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}'; read a;"
          "echo '{\"id\":2,\"result\":{\"resultType\":\"complete\",\"tools\":[1]}}'; cat",
          TENON_REQUEST_ANSWERED, "" },
        { "read a; read a; echo '{\"id\":2,\"error\":{\"code\":-32022,\"message\":\"no handshake\"}}'; read "
          "a;"
          "echo '{\"id\":3,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}'; read a;"
          "echo '{\"id\":4,\"result\":{\"resultType\":\"complete\",\"tools\":[1]}}'; cat",
          TENON_REQUEST_ANSWERED, "" }, /* it was too slow with its first answer */
        { "read a; read a; echo '{\"id\":2,\"error\":{\"code\":-32022,\"message\":\"no handshake\"}}'; read "
          "a;"
          "echo '{\"id\":3,\"error\":{\"code\":-32601,\"message\":\"no\"}}'; read a;"
          "echo '{\"id\":4,\"error\":{\"code\":-32601,\"message\":\"neither\"}}'; cat",
          TENON_REQUEST_LOST, "did not complete initialization: neither (-32601)" },
        { "read a; echo "
          "'{\"id\":1,\"error\":{\"code\":-32022,\"message\":\"v\",\"data\":{\"supported\":[\"3000-01-01\"]}}"
          "}'; cat",
          TENON_REQUEST_LOST, "does not know 2026-07-28: v (-32022)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen    seen   = { .answer = NULL };
        tenon_client  *client = play(cases[i].script, (size_t)1 << 20, &seen);
        tenon_request *list   = tenon_client_list(client, "tools", .done = count_done, .user = &seen);

        tenon_client_run(client);
        if (tenon_request_state_of(list) != cases[i].state || !strstr(tenon_request_why(list), cases[i].why))
            fail_msg("%s: %d %s", cases[i].script, tenon_request_state_of(list), tenon_request_why(list));
        assert_int_equal(seen.done, 1);
        assert_int_equal(client->open_count, 0);
        tenon_client_free(client);
    }
}

/* The answer to the first question and the end of the program come in one step: the request ends once. */
static void test_answer_and_end(void **state)
{
    struct seen    seen   = { .answer = NULL };
    tenon_client  *client = play("echo '{\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}'",
                                 (size_t)1 << 20, &seen);
    tenon_request *list;

    (void)state;
    poll(NULL, 0, 200);
    assert_false(tenon_client_ready(client));
    assert_int_equal(client->open_count, 0);
    list = tenon_client_list(client, "tools");
    assert_int_equal(tenon_request_state_of(list), TENON_REQUEST_LOST);
    assert_non_null(strstr(tenon_request_why(list), "ended without an answer"));
    tenon_client_free(client);
}

#define NOTES(count) "seq -f '{\"method\":\"notifications/x%g\"}' " count "; "

/* Messages count while an answer is waited for: not those before, and not those that are listened to. */
static void test_notes_without_requests(void **state)
{
    static const char script[] = HANDSHAKE NOTES("101") "read a; " NOTES(
        "1") "echo '{\"id\":4,\"result\":{\"tools\":[]}}'; cat >/dev/null";

    (void)state;
    for (int listens = 0; listens < 2; listens++) {
        struct seen    seen   = { .answer = NULL };
        tenon_client  *client = play(script, (size_t)1 << 20, &seen);
        tenon_request *list;

        if (listens)
            assert_non_null(tenon_client_listen(client, NULL));
        for (int i = 0; i < 50 && seen.notes < 101; i++)
            tenon_client_poll(client, 100);
        assert_int_equal(seen.notes, 101);
        list = tenon_client_list(client, "tools");
        assert_non_null(tenon_client_wait(list));
        assert_int_equal(seen.notes, 102);
        tenon_client_free(client);
    }
}

static void keep_question(void *user, tenon_question *question)
{
    (void)question;
    ((struct seen *)user)->questions++;
}

static void refuse_question(void *user, tenon_question *question)
{
    ((struct seen *)user)->questions++;
    tenon_question_refuse(question, NULL);
}

/* Two questions, of which the first is refused: the other is neither asked nor kept. */
static void test_refused_questions(void **state)
{
    static const char *const words[] = {
        "sh", "-c",
        "read a; echo '{\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}'; read a;"
        "echo '{\"id\":2,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{"
        "\"a\":{\"method\":\"roots/list\"},\"b\":{\"method\":\"roots/list\"}}}}'; cat >/dev/null",
        NULL
    };
    struct seen    seen   = { .answer = NULL };
    tenon_client  *client = tenon_client_command(words, .ask = refuse_question, .user = &seen);
    tenon_request *call   = tenon_client_call(client, "x", NULL);

    (void)state;
    assert_null(tenon_client_wait(call));
    assert_int_equal(seen.questions, 1);
    assert_true(tn_ring_empty(&client->questions));
    assert_int_equal(client->question_count, 0);
    tenon_client_free(client);
}

/* Questions that are taken back count until the program has answered them; those it was not asked are freed. */
static void test_questions_taken_back(void **state)
{
    static const char *const flood[] = {
        "sh", "-c",
        LEGACY
        "for i in 1 2 3 4 5 6 7 8 9; do echo '{\"id\":'$i',\"method\":\"elicitation/create\"}';"
        "echo '{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":'$i'}}'; done;"
        "echo '{\"method\":\"notifications/cancelled\"}'; echo '{\"id\":4,\"result\":{}}'; cat >/dev/null",
        NULL
    };
    static const char *const round[] = {
        "sh", "-c",
        "read a; echo '{\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"]}}'; read a;"
        "echo "
        "'{\"id\":2,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{},\"b\":{},\"c\":"
        "{}}}}';"
        "cat >/dev/null",
        NULL
    };
    struct seen    seen   = { .questions = 0 };
    tenon_client  *client = tenon_client_command(flood, .ask = keep_question, .user = &seen,
                                                 .max_questions = 4);
    tenon_request *call   = tenon_client_call(client, "add", NULL);

    (void)state;
    assert_non_null(tenon_client_wait(call));
    assert_int_equal(seen.questions, 4);
    assert_int_equal(client->question_count, 0);
    assert_int_equal(client->question_held, 4);
    tenon_client_free(client);

    client = tenon_client_command(round, .ask = refuse_question, .user = &seen);
    call   = tenon_client_call(client, "add", NULL);
    assert_null(tenon_client_wait(call));
    assert_int_equal(seen.questions, 5);
    assert_true(tn_ring_empty(&client->questions));
    assert_int_equal(client->question_held, 0);
    tenon_client_free(client);
}

static void test_no_program(void **state)
{
    static const char *const words[] = { "./there-is-none", NULL }, *const none[] = { NULL };
    tenon_client *client = tenon_client_command(words);

    (void)state;
    assert_false(tenon_client_ready(client));
    if (getenv("TENON_TEST_WRAPPED"))
        print_message(
            "the reason is left out: valgrind's child shares no memory, which is how it comes back\n");
    else
        assert_string_equal(tenon_client_error(client),
                            "cannot run ./there-is-none: No such file or directory");
    tenon_client_free(client);
    client = tenon_client_command(none);
    assert_false(tenon_client_ready(client));
    tenon_client_free(client);
}

static void test_place_of_program(void **state)
{
    static const char *const words[]       = { "sh", "-c",
                                               "read a; echo "
                                                     "'{\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],"
                                                     "\"instructions\":\"'$WORD $PWD'\"}}'; cat",
                                               NULL };
    static const char *const environment[] = { "WORD=hi", NULL };
    tenon_client *client = tenon_client_command(words, .environment = environment, .directory = "/");

    (void)state;
    assert_true(tenon_client_ready(client));
    assert_string_equal(tenon_json_str(tenon_json_get(tenon_client_server(client), "instructions")).at,
                        "hi /");
    tenon_client_free(client);
    client = tenon_client_command(words, .directory = "/there-is-none");
    assert_false(tenon_client_ready(client));
    tenon_client_free(client);
}

/* A server that does not read is not waited for, and a program's own loop drives the client. */
static void test_own_loop(void **state)
{
    struct seen    seen   = { .answer = NULL };
    tenon_client  *client = play(HANDSHAKE "sleep 0.1; echo '{\"id\":4,\"result\":{}}'; sleep 0.3", 0, &seen);
    static char    params[200000];
    tenon_request *large;

    (void)state;
    memset(params, ' ', sizeof params - 1);
    memcpy(params, "{\"a\":\"", 6);
    memcpy(params + sizeof params - 3, "\"}", 2);
    large = tenon_client_request(client, "large", params, .done = count_done, .user = &seen);
    for (int i = 0; i < 100 && seen.done == 0; i++) {
        struct pollfd wait = { .fd = tenon_client_fd(client), .events = POLLIN };

        poll(&wait, 1, tenon_client_timeout(client));
        tenon_client_poll(client, 0);
    }
    assert_int_equal(tenon_request_state_of(large), TENON_REQUEST_ANSWERED);
    tenon_client_free(client);
}

/* ---- Without memory ------------------------------------------------------------------------------------------ */

static void try_answer(void *user, tenon_question *question)
{
    (void)user;
    if (tenon_question_answer(question, "{\"action\":\"accept\",\"content\":{\"sure\":true}}") != TENON_OK)
        tenon_question_refuse(question, NULL);
}

static void talk(tenon_client *client)
{
    tenon_client_wait(tenon_client_list(client, "tools"));
    tenon_client_wait(tenon_client_call(client, "add", "{\"a\":1}"));
    tenon_client_wait(tenon_client_call(client, "purge", "{\"table\":\"t\"}"));
    tenon_request_free(tenon_client_listen(client, "app://motd"));
    tenon_client_notify(client, "notifications/x", "{}");
    tenon_client_free(client);
}

static void test_refused_memory(void **state)
{
    tenon_server *server = adder_server(NULL);

    (void)state;
    for (size_t era = 1; era < 3; era++) {
        bool refused = true;

        for (size_t n = 1; refused; n++) {
            struct tn_fault fault  = { .refuse_at = n };
            tenon_allocator memory = tn_fault_allocator(&fault);
            struct seen     seen   = { .answer = NULL };

            talk(tenon_client_memory(server, .memory = &memory, .revision = revisions[era],
                                     .note = count_note, .user = &seen, .ask = try_answer, .timeout_ms = 20));
            assert_int_equal(fault.blocks, 0);
            assert_int_equal(fault.bytes, 0);
            refused = fault.refused;
        }
    }
    tenon_server_free(server);
}

static void test_refused_memory_for_programs(void **state)
{
    static const char *const words[] = { "sh", "-c",
                                         LEGACY "echo '{\"id\":4,\"result\":{\"tools\":[]}}'; cat", NULL };
    bool                     refused = true;

    (void)state;
    for (size_t n = 1; refused; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_client   *client = tenon_client_command(words, .memory = &memory, .timeout_ms = 2000);

        tenon_client_wait(tenon_client_list(client, "tools"));
        tenon_client_free(client);
        assert_int_equal(fault.blocks, 0);
        refused = fault.refused;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_revision),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_late_answers),
        cmocka_unit_test(test_listening),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_odd_options),
        cmocka_unit_test(test_params_are_exact),
        cmocka_unit_test(test_bad_programs),
        cmocka_unit_test(test_answer_and_end),
        cmocka_unit_test(test_notes_without_requests),
        cmocka_unit_test(test_refused_questions),
        cmocka_unit_test(test_questions_taken_back),
        cmocka_unit_test(test_no_program),
        cmocka_unit_test(test_own_loop),
        cmocka_unit_test(test_place_of_program),
        cmocka_unit_test(test_refused_memory),
        cmocka_unit_test(test_refused_memory_for_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
