/* blocks_test.c - content beside the answer, in each kind of call. */
#include "answer/blocks.h"

#include <tenon/progress.h>
#include <tenon/prompt.h>
#include <tenon/resource.h>

#include <stdlib.h>

#include "answer/call.h"
#include "support/answer.h"
#include "support/fault.h"

static void add_all(tenon_call *call)
{
    tenon_add_image(call, "image/png", "abc", 3);
    tenon_add_audio(call, NULL, "", 0);
    tenon_add_resource_text(call, "a://b", "text/plain", "x\"y");
    tenon_add_resource_blob(call, "a://c", NULL, "\xff\xfe", 2);
    tenon_add_link(call, "a://d", NULL, NULL);
    tenon_content_text(call, "T");
    tenon_content_blob(call, "B", 1);
    tenon_say(call, TENON_ROLE_ASSISTANT, "n = %d", 5);
    tenon_suggest(call, "s");
}

static tenon_outcome everything(tenon_call *call)
{
    add_all(call);
    return tenon_ok(call);
}

TENON_TOOL0(everything, TENON_INFO("Add everything."));

static char  *large;
static size_t large_len;

static tenon_outcome too_much(tenon_call *call)
{
    tenon_add_image(call, "image/png", large, large_len);
    return tenon_ok(call);
}

TENON_TOOL0(too_much, TENON_INFO("Add too much."));

static tenon_outcome suggests(tenon_call *call)
{
    for (int i = 0; i < 250; i++)
        tenon_suggest(call, tenon_format(call, "v%d", i));
    return tenon_ok(call);
}

TENON_TOOL0(suggests, TENON_INFO("Suggest."));

static tenon_outcome asks(tenon_call *call)
{
    return tn_call_ask(call);
}

TENON_TOOL0(asks, TENON_INFO("Ask."));

#define IMAGE "{\"type\":\"image\",\"data\":\"YWJj\",\"mimeType\":\"image/png\"}"
#define AUDIO "{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"application/octet-stream\"}"
#define TEXT  "{\"uri\":\"a://b\",\"mimeType\":\"text/plain\",\"text\":\"x\\\"y\"}"
#define BLOB  "{\"uri\":\"a://c\",\"blob\":\"//4=\"}"
#define LINK  "{\"type\":\"resource_link\",\"uri\":\"a://d\",\"name\":\"a://d\"}"
#define SAID  "{\"type\":\"text\",\"text\":\"T\"}"
#define IN(x) "{\"type\":\"resource\",\"resource\":" x "}"
#define BY(x) "{\"role\":\"user\",\"content\":" x "}"

static void depend_on_the_subject(void **state)
{
    static const struct { enum tn_subject_kind kind; size_t logged; const char *want; } cases[] = {
        { SUBJECT_TOOL,       3, IMAGE "," AUDIO "," IN(TEXT) "," IN(BLOB) "," LINK "," SAID },
        { SUBJECT_PROMPT,     2, BY(IMAGE) "," BY(AUDIO) "," BY(IN(TEXT)) "," BY(IN(BLOB)) "," BY(LINK) "," BY(SAID)
                                 ",{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"n = 5\"}}" },
        { SUBJECT_RESOURCE,   5, TEXT "," BLOB ",{\"uri\":\"u://\",\"mimeType\":\"m\",\"text\":\"T\"},"
                                 "{\"uri\":\"u://\",\"mimeType\":\"m\",\"blob\":\"Qg==\"}" },
        { SUBJECT_COMPLETION, 8, "\"s\"" },
    };
    struct log_kept log = { .count = 0 };
    tenon_toolbox  *box = tenon_toolbox_new(.log = keep_log, .log_user = &log);
    tenon_call     *call;

    (void)state;
    assert_int_equal(tenon_toolbox_add(box, everything_tool()), TENON_OK);
    call = tenon_call_new(box);
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            struct tn_slice got;

            log.count     = 0;
            call->subject = (struct tn_subject){ .kind = cases[i].kind, .uri = "u://", .mime = "m" };
            assert_false(tenon_call_run(call, "everything", "", 0)->is_error);
            got = tn_blocks_slice(&call->blocks);
            assert_int_equal(got.len, strlen(cases[i].want));
            assert_memory_equal(got.at, cases[i].want, got.len);
            assert_int_equal(log.count, cases[i].logged);
        }
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void are_bounded(void **state)
{
    tenon_toolbox      *box = tenon_toolbox_new();
    tenon_call         *call;
    const tenon_answer *answer;
    struct tn_slice     got;

    (void)state;
    large_len = BLOCKS_LEN_MAX;
    large     = calloc(1, large_len);
    assert_non_null(large);
    tenon_toolbox_add(box, too_much_tool());
    tenon_toolbox_add(box, suggests_tool());
    assert_null(tenon_toolbox_error(box));
    call   = tenon_call_new(box);
    answer = tenon_call_run(call, "too_much", "", 0);
    assert_string_equal(answer->code, TENON_CODE_LIMIT_EXCEEDED);
    large_len = SIZE_MAX; /* refused before it is looked at */
    answer    = tenon_call_run(call, "too_much", "", 0);
    assert_string_equal(answer->code, TENON_CODE_LIMIT_EXCEEDED);
    large_len = 1000;
    assert_false(tenon_call_run(call, "too_much", "", 0)->is_error);

    call->subject.kind = SUBJECT_COMPLETION;
    assert_false(tenon_call_run(call, "suggests", "", 0)->is_error);
    assert_int_equal(call->blocks.suggested, 250);
    got = tn_blocks_slice(&call->blocks);
    assert_memory_equal(got.at + got.len - 5, "\"v99\"", 5);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    free(large);
}

static void variables(void **state)
{
    const struct tn_variable list[] = { { SLICE_LIT("a"), SLICE_LIT("1") },
                                        { SLICE_LIT("b"), SLICE_LIT("") } };
    tenon_toolbox           *box    = tenon_toolbox_new();
    tenon_call              *call   = tenon_call_new(box);

    (void)state;
    assert_string_equal(tenon_variable(call, "a"), "");
    call->subject = (struct tn_subject){ .variables = list, .variable_count = 2 };
    assert_string_equal(tenon_variable(call, "a"), "1");
    assert_string_equal(tenon_variable(call, "b"), "");
    assert_string_equal(tenon_variable(call, "c"), "");
    assert_string_equal(tenon_variable(call, NULL), "");
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void asking_needs_a_host(void **state)
{
    tenon_toolbox      *box = tenon_toolbox_new();
    tenon_call         *call;
    const tenon_answer *answer;

    (void)state;
    tenon_toolbox_add(box, asks_tool());
    call   = tenon_call_new(box);
    answer = tenon_call_run(call, "asks", "", 0);
    assert_true(answer->is_error);
    assert_string_equal(answer->code, TENON_CODE_UNAVAILABLE);
    assert_non_null(strstr(answer->json, "cannot be asked"));
    call->host = box;
    answer     = tenon_call_run(call, "asks", "", 0);
    assert_false(answer->is_error);
    assert_int_equal(answer->len, 0);
    assert_string_equal(answer->code, CALL_CODE_ASK);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

/* A box, a call and a run in which the nth allocation is refused; false when there were not so many. */
static bool run_refused(size_t nth)
{
    struct tn_fault fault  = { .refuse_at = nth };
    tenon_allocator memory = tn_fault_allocator(&fault);
    tenon_toolbox  *box    = tenon_toolbox_new(.memory = &memory);
    tenon_call     *call   = NULL;

    if (tenon_toolbox_add(box, everything_tool()) == TENON_OK)
        call = tenon_call_new(box);
    if (call) {
        const tenon_answer *answer = tenon_call_run(call, "everything", "", 0);

        assert_true(answer->is_error || tn_blocks_slice(&call->blocks).len > 0);
    }
    tenon_call_free(call);
    tenon_toolbox_free(box);
    assert_int_equal(fault.blocks, 0);
    return fault.refused;
}

static void survive_refused_memory(void **state)
{
    size_t nth = 1;

    (void)state;
    while (run_refused(nth))
        nth++;
    assert_true(nth > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depend_on_the_subject),
        cmocka_unit_test(are_bounded),
        cmocka_unit_test(variables),
        cmocka_unit_test(asking_needs_a_host),
        cmocka_unit_test(survive_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
