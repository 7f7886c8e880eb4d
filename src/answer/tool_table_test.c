/* tool_table_test.c - tools are checked when they are added, compiled and published when they are first used, and share what is
 * the same. */
#include "answer/tool_table.h"

#include <stdlib.h>

#include "answer/toolbox.h"
#include "support/answer.h"
#include "support/fault.h"

typedef struct {
    const char *city;
    int         days;
    tenon_strs  tags;
} trip_args;

TENON_ROWS(trip_rows, trip_args,
    TENON_STR (city, "Where.", .required = true, .pattern = "^[A-Z](?:[a-z]| )+$", .example = "Ulm"),
    TENON_INT (days, "How long.", .range = {1, 14}, .def = 3),
    TENON_STRS(tags, "Tags.", .comma = true, .def = "a,b"));

TENON_ROWS(broken_rows, trip_args, TENON_INT(days, "How long.", .range = { 1, 14 }, .def = 15));

static tenon_outcome travel(tenon_call *call, const trip_args *args)
{
    return tenon_ok_data(call, trip_rows, args);
}

TENON_TOOL(travel, trip_args,
    TENON_INFO("Travel.", .result = trip_rows),
    TENON_STR (city, "Where.", .required = true, .pattern = "^[A-Z](?:[a-z]| )+$", .example = "Ulm"),
    TENON_INT (days, "How long.", .range = {1, 14}, .def = 3),
    TENON_STRS(tags, "Tags.", .comma = true, .def = "a,b"));

#define GOOD   "{\"city\":\"Ulm\"}"
#define BOUND  "{\"city\":\"Ulm\",\"days\":3,\"tags\":[\"a\",\"b\"]}"
#define SCHEMA "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}"

static tenon_tool named(const tenon_tool *tool, const char *name)
{
    tenon_tool copy = *tool;

    copy.info.name = name;
    return copy;
}

/* A call compiles; a list does not, and writes a text once for all that publish the same. */
static void makes_what_is_asked_for(void **state)
{
    tenon_tool      more = named(travel_tool(), "more"), drop = named(travel_tool(), "drop");
    tenon_toolbox  *box  = tenon_toolbox_new();
    tenon_call     *call = tenon_call_new(box);
    struct tn_tool *one, *other;

    (void)state;
    drop.info.hints = TENON_DESTRUCTIVE;
    assert_int_equal(tenon_toolbox_add(box, travel_tool()), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &more), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &drop), TENON_OK);
    one   = tn_toolbox_lookup(box, "travel");
    other = tn_toolbox_lookup(box, "more");
    assert_ptr_equal(one->rows, other->rows);
    assert_ptr_not_equal(one->rows, one->data);
    assert_null(one->rows->shape);
    assert_null(one->rows->texts);

    assert_ptr_equal(tenon_toolbox_find(box, "travel")->input, tenon_toolbox_find(box, "more")->input);
    assert_ptr_equal(tenon_toolbox_find(box, "travel")->output, tenon_toolbox_find(box, "more")->output);
    assert_non_null(strstr(tenon_toolbox_find(box, "travel")->input, "\"maximum\":14"));
    assert_null(strstr(tenon_toolbox_find(box, "travel")->input, "minItems"));
    assert_non_null(strstr(tenon_toolbox_find(box, "drop")->input, "minItems")); /* of its own */
    assert_null(one->rows->shape);
    assert_null(one->input);

    assert_at(run_tool(call, "travel", GOOD), "/data", BOUND);
    assert_non_null(one->rows->shape);
    assert_ptr_equal(one->input, one->rows->shape);
    assert_null(other->input);
    assert_at(run_tool(call, "more", GOOD), "/data", BOUND);
    assert_ptr_equal(other->input, one->input);
    assert_ptr_equal(other->result, one->result);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

/* Rows that lie elsewhere, or are fewer, are another table. */
static void shares_no_more_than_is_the_same(void **state)
{
    tenon_tool            fewer = named(travel_tool(), "fewer"), moved = named(travel_tool(), "moved");
    tenon_row             rows[3];
    tenon_toolbox        *box = tenon_toolbox_new();
    const struct tn_tool *tool;

    (void)state;
    memcpy(rows, travel_tool()->rows.at, sizeof rows);
    fewer.rows.count = 1;
    moved.rows.at    = rows;
    assert_int_equal(tenon_toolbox_add(box, travel_tool()), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &fewer), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &moved), TENON_OK);
    tool = tn_toolbox_lookup(box, "travel");
    assert_ptr_not_equal(tn_toolbox_lookup(box, "fewer")->rows, tool->rows);
    assert_ptr_not_equal(tn_toolbox_lookup(box, "moved")->rows, tool->rows);
    assert_null(strstr(tenon_toolbox_find(box, "fewer")->input, "days"));
    assert_string_equal(tenon_toolbox_find(box, "moved")->input, tenon_toolbox_find(box, "travel")->input);
    tenon_toolbox_free(box);
}

static tenon_outcome take(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(take, TENON_INFO("Take."), SCHEMA);

static void shares_documents(void **state)
{
    static char     text[] = SCHEMA; /* elsewhere, and the same */
    tenon_tool      again = named(take_tool(), "again"), other = named(take_tool(), "other");
    tenon_toolbox  *box  = tenon_toolbox_new();
    tenon_call     *call = tenon_call_new(box);
    struct tn_tool *tool;

    (void)state;
    again.schema             = text;
    again.info.result_schema = text;
    other.schema             = "{\"type\":\"object\"}";
    assert_int_equal(tenon_toolbox_add(box, take_tool()), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &again), TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &other), TENON_OK);
    tool = tn_toolbox_lookup(box, "take");
    assert_ptr_equal(tool->document, tn_toolbox_lookup(box, "again")->document);
    assert_ptr_equal(tool->document, tn_toolbox_lookup(box, "again")->data_document);
    assert_ptr_not_equal(tool->document, tn_toolbox_lookup(box, "other")->document);
    assert_ptr_equal(tenon_toolbox_find(box, "again")->input, text);
    assert_non_null(
        strstr(tenon_toolbox_find(box, "again")->output, "\"data\":{\"type\":[\"object\",\"null\"]"));
    assert_null(tool->document->schema);
    assert_at(run_tool(call, "take", "{\"a\":1}"), "/status", "\"SUCCESS\"");
    assert_at(run_tool(call, "take", "{\"a\":[]}"), "/error/code", "\"VALIDATION_ERROR\"");
    assert_ptr_equal(tool->schema, tool->document->schema);
    assert_null(tn_toolbox_lookup(box, "other")->document->schema);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

/* What may refer to documents of the program is compiled while those are surely there. */
static void keeps_documents_that_refer(void **state)
{
    static const char refers[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"https://a.example/number\"}}}";
    static const char number[] = "{\"type\":\"integer\"}";
    tenon_schemas    *schemas  = tenon_schemas_new(NULL);
    tenon_toolbox    *box      = tenon_toolbox_new(.schemas = schemas);
    tenon_call       *call     = tenon_call_new(box);
    tenon_tool        tool     = *take_tool();

    (void)state;
    tool.schema = refers;
    assert_int_equal(tenon_schemas_add(schemas, "https://a.example/number", number, strlen(number)),
                     TENON_OK);
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    assert_non_null(tn_toolbox_lookup(box, "take")->document->schema);
    assert_at(run_tool(call, "take", "{\"a\":[]}"), "/error/code", "\"VALIDATION_ERROR\"");
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_schemas_free(schemas);
}

/* Nothing waits for the first call: each of these is refused when it is added, under the name of the tool. */
static void refuses_when_added(void **state)
{
    static const char no_object[] = "{\"type\":\"string\"}";
    tenon_tool        rows = named(travel_tool(), "rows"), result = named(travel_tool(), "result"),
               schema = named(take_tool(), "schema"), data = named(take_tool(), "data");
    const struct { const tenon_tool *tool; const char *want; } cases[] = {
        { &rows,   "tool 'rows': parameter 'days': its default 15 does not pass: days must be between 1 and 14, got 15" },
        { &result, "tool 'result', .result: parameter 'days': its default 15 does not pass: days must be between 1 and "
                   "14, got 15" },
        { &schema, "tool 'schema', input schema: #: a tool's schema says \"type\": \"object\"" },
        { &data,   "tool 'data', .result_schema: #: a tool's schema says \"type\": \"object\"" },
    };

    (void)state;
    rows.rows               = *broken_rows();
    result.info.result      = broken_rows;
    schema.schema           = no_object;
    data.info.result_schema = no_object;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_toolbox *box = tenon_toolbox_new();

        assert_int_equal(tenon_toolbox_add(box, travel_tool()), TENON_OK);
        assert_int_equal(tenon_toolbox_add(box, cases[i].tool), TENON_E_DECLARATION);
        assert_string_equal(tenon_toolbox_error(box), cases[i].want);
        assert_int_equal(tenon_toolbox_count(box), 1);
        tenon_toolbox_free(box);
    }
}

static tenon_rows long_table;

static const tenon_rows *long_rows(void)
{
    return &long_table;
}

/* A text that is too long is refused then too, although none is written for others. */
static void refuses_what_is_too_long(void **state)
{
    static const struct { size_t len; char fill; bool result, fine; } cases[] = {
        { 30000,          'x',    false, true  }, /* no text can be too long: none is written */
        { 400000,         'x',    false, true  }, /* one might be, and none is */
        { SCHEMA_LEN_MAX, 'x',    false, false },
        { 400000,         '\x01', false, false }, /* as \u0001 */
        { 400000,         'x',    true,  true  },
        { SCHEMA_LEN_MAX, 'x',    true,  false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_toolbox *box  = tenon_toolbox_new();
        char          *doc  = calloc(1, cases[i].len + 1);
        tenon_tool     tool = *travel_tool();
        tenon_row      rows[3];

        memset(doc, cases[i].fill, cases[i].len);
        memcpy(rows, trip_rows()->at, sizeof rows);
        rows[1].rule.any.doc = doc;
        long_table           = *trip_rows();
        long_table.at        = rows;
        tool.info.result     = cases[i].result ? long_rows : NULL;
        if (!cases[i].result)
            tool.rows.at = rows;
        assert_int_equal(tenon_toolbox_add(box, &tool), cases[i].fine ? TENON_OK : TENON_E_DECLARATION);
        if (cases[i].fine)
            assert_int_equal(tn_toolbox_lookup(box, "travel")->rows->texts != NULL, cases[i].len > 100000);
        if (cases[i].fine)
            assert_non_null(strstr(tenon_toolbox_find(box, "travel")->output, "\"data\""));
        if (!cases[i].fine)
            assert_string_equal(tenon_toolbox_error(box),
                                "tool 'travel': its schema is longer than 1048576 bytes");
        tenon_toolbox_free(box);
        free(doc);
    }
}

/* Each allocation of a first use is refused in turn. It is answered as such, and the next call is as good as new. */
static void survives_refusals_of_the_first_call(void **state)
{
    size_t failures = 0;

    (void)state;
    for (size_t nth = 1, refused = 1; refused; nth++) {
        struct tn_fault     fault  = { 0 };
        struct log_kept     log    = { .count = 0 };
        tenon_allocator     memory = tn_fault_allocator(&fault);
        tenon_toolbox      *box    = tenon_toolbox_new(.memory = &memory, .log = keep_log, .log_user = &log);
        tenon_call         *call   = tenon_call_new(box);
        const tenon_answer *answer;

        assert_int_equal(tenon_toolbox_add(box, travel_tool()), TENON_OK);
        fault.requests  = 0;
        fault.refuse_at = nth;
        answer          = run_tool(call, "travel", GOOD);
        refused         = fault.refused;
        failures += answer->is_error;
        if (answer->is_error) {
            assert_true(refused);
            assert_at(answer, "/error/message",
                      "\"The server ran out of memory. Try again later, or with a smaller call.\"");
            assert_string_equal(log.text, "tool 'travel': out of memory");
        }
        fault.refuse_at = 0;
        assert_at(run_tool(call, "travel", GOOD), "/data", BOUND);
        assert_at(run_tool(call, "travel", "{\"city\":\"ulm\"}"), "/error/code", "\"VALIDATION_ERROR\"");
        tenon_call_free(call);
        tenon_toolbox_free(box);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
    assert_true(failures > 5); /* some refusals only make it slower */
}

static void survives_refusals_of_the_first_call_by_a_document(void **state)
{
    size_t failures = 0;

    (void)state;
    for (size_t nth = 1, refused = 1; refused; nth++) {
        struct tn_fault     fault  = { 0 };
        struct log_kept     log    = { .count = 0 };
        tenon_allocator     memory = tn_fault_allocator(&fault);
        tenon_toolbox      *box    = tenon_toolbox_new(.memory = &memory, .log = keep_log, .log_user = &log);
        tenon_call         *call   = tenon_call_new(box);
        tenon_tool          tool   = *take_tool();
        const tenon_answer *answer;

        tool.info.result_schema = "{\"type\":\"object\",\"properties\":{\"b\":{\"$ref\":\"#\"}}}";
        assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
        fault.requests  = 0;
        fault.refuse_at = nth;
        answer          = run_tool(call, "take", "{\"a\":[]}");
        refused         = fault.refused;
        assert_true(answer->is_error);
        if (strcmp(answer->code, "INTERNAL_ERROR") == 0) {
            failures++;
            assert_true(refused);
            assert_string_equal(log.text, "tool 'take': out of memory");
        }
        fault.refuse_at = nth;
        fault.requests  = 0;
        assert_true(tenon_toolbox_find(box, "take") || fault.refused);
        fault.refuse_at = 0;
        assert_at(run_tool(call, "take", "{\"a\":[]}"), "/error/code", "\"VALIDATION_ERROR\"");
        assert_non_null(strstr(tenon_toolbox_find(box, "take")->output, "urn:tenon:result:take"));
        tenon_call_free(call);
        tenon_toolbox_free(box);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
    assert_true(failures > 3);
}

static void survives_refusals_of_the_first_look(void **state)
{
    size_t failures = 0;

    (void)state;
    for (size_t nth = 1, refused = 1; refused; nth++) {
        struct tn_fault        fault  = { 0 };
        tenon_allocator        memory = tn_fault_allocator(&fault);
        tenon_toolbox         *box    = tenon_toolbox_new(.memory = &memory);
        const tenon_tool_view *view;

        assert_int_equal(tenon_toolbox_add(box, travel_tool()), TENON_OK);
        fault.requests  = 0;
        fault.refuse_at = nth;
        view            = tenon_toolbox_find(box, "travel");
        refused         = fault.refused;
        failures += !view;
        assert_true(view || refused);
        fault.refuse_at = 0;
        assert_non_null(strstr(tenon_toolbox_find(box, "travel")->input, "\"maximum\":14"));
        assert_non_null(strstr(tenon_toolbox_find(box, "travel")->portable_input, "maximum: 14"));
        assert_non_null(strstr(tenon_toolbox_find(box, "travel")->output, "\"maximum\":14"));
        tenon_toolbox_free(box);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
    assert_true(failures > 5);
}

/* Adding, with every allocation refused in turn: the same. */
static void survives_refusals_of_adding(void **state)
{
    (void)state;
    for (size_t nth = 1, refused = 1; refused; nth++) {
        struct tn_fault fault  = { .refuse_at = nth };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_tool      again  = named(take_tool(), "again");
        tenon_toolbox  *box    = tenon_toolbox_new(.memory = &memory);
        tenon_status    status = tenon_toolbox_add(box, travel_tool());

        again.info.result = trip_rows;
        if (status == TENON_OK)
            status = tenon_toolbox_add(box, take_tool());
        if (status == TENON_OK)
            status = tenon_toolbox_add(box, &again);
        refused = fault.refused;
        assert_true(status == TENON_OK || (refused && status == TENON_E_NOMEM));
        if (status != TENON_OK)
            assert_string_equal(tenon_toolbox_error(box), "out of memory");
        tenon_toolbox_free(box);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
}

/* The program must not do that. It is told so, each time, and nothing is bound by what was never checked. */
static void notices_rows_that_were_changed(void **state)
{
    struct log_kept log  = { .count = 0 };
    tenon_toolbox  *box  = tenon_toolbox_new(.log = keep_log, .log_user = &log);
    tenon_call     *call = tenon_call_new(box);
    tenon_tool      tool = *travel_tool();
    tenon_row       rows[3];

    (void)state;
    memcpy(rows, travel_tool()->rows.at, sizeof rows);
    tool.rows.at = rows;
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    rows[1].rule.integer.range[1] = 2;
    assert_at(run_tool(call, "travel", GOOD), "/error/code", "\"INTERNAL_ERROR\"");
    assert_null(tenon_toolbox_find(box, "travel"));
    assert_non_null(strstr(log.text, "its default 3 does not pass"));
    assert_non_null(strstr(log.text, "(it was changed after its tool was added)"));
    rows[1].rule.integer.range[1] = 14;
    assert_at(run_tool(call, "travel", GOOD), "/data", BOUND);
    assert_non_null(tenon_toolbox_find(box, "travel"));
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void notices_a_document_that_was_changed(void **state)
{
    struct log_kept log    = { .count = 0 };
    tenon_toolbox  *box    = tenon_toolbox_new(.log = keep_log, .log_user = &log);
    tenon_call     *call   = tenon_call_new(box);
    tenon_tool      tool   = *take_tool();
    char            text[] = SCHEMA;

    (void)state;
    tool.schema = text;
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    text[0] = '[';
    assert_at(run_tool(call, "take", "{}"), "/error/code", "\"INTERNAL_ERROR\"");
    assert_non_null(strstr(log.text, "the schema of the tool cannot be used"));
    text[0] = '{';
    assert_at(run_tool(call, "take", "{}"), "/status", "\"SUCCESS\"");
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static size_t checked;

static const char *count_checks(tenon_check *check, const void *value)
{
    (void)check, (void)value;
    checked++;
    return NULL;
}

/* Checks of the program's own run on defaults and examples when the tool is added, and on arguments: nothing else. */
static void runs_checks_once(void **state)
{
    tenon_toolbox *box  = tenon_toolbox_new();
    tenon_call    *call = tenon_call_new(box);
    tenon_tool     tool = *travel_tool();
    tenon_row      rows[3];
    size_t         when_added;

    (void)state;
    memcpy(rows, travel_tool()->rows.at, sizeof rows);
    rows[1].rule.any.check = count_checks;
    tool.rows.at           = rows;
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    when_added = checked;
    assert_true(when_added > 0);
    assert_non_null(tenon_toolbox_find(box, "travel"));
    assert_at(run_tool(call, "travel", GOOD), "/data", BOUND);
    assert_int_equal(checked, when_added);
    assert_at(run_tool(call, "travel", "{\"city\":\"Ulm\",\"days\":4}"), "/data/days", "4");
    assert_int_equal(checked, when_added + 1);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_what_is_asked_for),
        cmocka_unit_test(shares_no_more_than_is_the_same),
        cmocka_unit_test(shares_documents),
        cmocka_unit_test(keeps_documents_that_refer),
        cmocka_unit_test(refuses_when_added),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(survives_refusals_of_the_first_call),
        cmocka_unit_test(survives_refusals_of_the_first_call_by_a_document),
        cmocka_unit_test(survives_refusals_of_the_first_look),
        cmocka_unit_test(survives_refusals_of_adding),
        cmocka_unit_test(notices_rows_that_were_changed),
        cmocka_unit_test(notices_a_document_that_was_changed),
        cmocka_unit_test(runs_checks_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
