/* repair_test.c - every single fault of a good call of every tool is repaired by what the issues say.
 *
 * A naive client reads the machine-readable issues of the first answer and nothing else; its second call succeeds. What
 * is taken at the first try is a leniency that was declared, and shows in what the call counted and said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rows/row_shape.h"
#include "support/client.h"
#include "support/mutate.h"
#include "support/valid.h"
#include "support/zoo.h"

#define KINDS_MAX    200
#define FAULTS_SHOWN 3 /* of each kind */

struct tally {
    const char *kind;
    size_t      count, taken, repaired, faults;
};

/* What a call counted and said. */
struct record {
    size_t      reformed, coerced;
    yyjson_doc *answer;
};

struct run {
    tenon_call   *call;
    const char   *tool;
    struct record good;
    struct tally  tallies[KINDS_MAX];
    size_t        kinds, total, faults;
};

static struct tally *tally_of(struct run *run, const char *kind)
{
    for (size_t i = 0; i < run->kinds; i++)
        if (strcmp(run->tallies[i].kind, kind) == 0)
            return &run->tallies[i];
    assert_true(run->kinds < KINDS_MAX);
    run->tallies[run->kinds].kind = kind;
    return &run->tallies[run->kinds++];
}

static struct record record_of(const tenon_call *call, const tenon_answer *answer)
{
    struct record record = { tenon_call_reformed(call), tenon_call_coerced(call),
                             yyjson_read(answer->json, answer->len, 0) };

    assert_non_null(record.answer);
    return record;
}

/* Does `now` say something that `before` did not? */
static bool says_more(const struct record *now, const struct record *before)
{
    yyjson_val *texts = yyjson_doc_ptr_get(now->answer, "/messages");
    yyjson_val *known = yyjson_doc_ptr_get(before->answer, "/messages");

    for (size_t i = 0; i < yyjson_arr_size(texts); i++) {
        bool said = false;

        for (size_t j = 0; j < yyjson_arr_size(known); j++)
            said |= yyjson_equals(yyjson_arr_get(texts, i), yyjson_arr_get(known, j));
        if (!said)
            return true;
    }
    return false;
}

static void fault(struct run *run, const struct mutation *mutation, const char *why, const char *second,
                  const char *answer)
{
    run->faults++;
    if (tally_of(run, mutation->kind)->faults++ >= FAULTS_SHOWN)
        return;
    print_message("%s: %s at %s: %s\n  sent   %.600s\n", run->tool, mutation->kind, mutation->where, why,
                  mutation->json);
    if (second)
        print_message("  then   %.600s\n", second);
    print_message("  answer %.1200s\n", answer);
}

/* A call was taken at the first try: does what it counted and said show why? */
static const char *check_taken(const struct run *run, const struct mutation *mutation,
                               const struct record *now)
{
    switch (mutation->leniency) {
    case REFUSED: return "was taken";
    case TAKEN_FORM:
        return now->reformed > run->good.reformed ? NULL : "was taken without being counted as a form";
    case TAKEN_TYPE:
        if (now->coerced <= run->good.coerced)
            return "was taken without being counted as a type";
        return says_more(now, &run->good) ? NULL : "was coerced without a message";
    case TAKEN_MESSAGE: return says_more(now, &run->good) ? NULL : "was taken without a message";
    default: return NULL;
    }
}

static void repair(struct run *run, const struct mutation *mutation, const tenon_answer *first)
{
    char                first_json[16384];
    size_t              len;
    const char         *why;
    const tenon_answer *second;
    char *json = client_repair(mutation->json, mutation->len, first->json, first->len, &len, &why);

    snprintf(first_json, sizeof first_json, "%s", first->json);
    if (!json) {
        fault(run, mutation, why, NULL, first_json);
        return;
    }
    second = tenon_call_run(run->call, run->tool, json, len);
    if (second->is_error)
        fault(run, mutation, "was not repaired", json, first_json);
    tally_of(run, mutation->kind)->repaired += !second->is_error;
    free(json);
}

static void try_mutation(void *user, const struct mutation *mutation)
{
    struct run         *run    = user;
    struct tally       *tally  = tally_of(run, mutation->kind);
    const tenon_answer *answer = tenon_call_run(run->call, run->tool, mutation->json, mutation->len);
    const char         *why;
    struct record       now;

    run->total++;
    tally->count++;
    if (answer->is_error) {
        if (strcmp(answer->code, TENON_CODE_VALIDATION_ERROR) != 0)
            fault(run, mutation, "is no validation error", NULL, answer->json);
        else if (mutation->must && mutation->leniency != REFUSED)
            fault(run, mutation, "was refused, though it is a leniency that was declared", NULL,
                  answer->json);
        repair(run, mutation, answer);
        return;
    }
    tally->taken++;
    now = record_of(run->call, answer);
    why = check_taken(run, mutation, &now);
    if (why)
        fault(run, mutation, why, NULL, answer->json);
    yyjson_doc_free(now.answer);
}

/* `box` is the operator's policy, which the tool's own gives way to, but for leniency with a destructive one. */
static void try_tool(struct run *run, const tenon_tool *tool, const struct tn_object *object,
                     struct mutate_how box)
{
    bool              destructive = (tool->info.hints & TENON_DESTRUCTIVE) != 0;
    bool              overridden  = box.unknown && (box.unknown == TENON_UNKNOWN_REJECT || !destructive);
    struct mutate_how how         = {
                .strict      = tool->info.strict || box.strict,
                .destructive = destructive,
                .unknown     = overridden           ? box.unknown
                               : tool->info.unknown ? tool->info.unknown
                                                    : TENON_UNKNOWN_REJECT,
    };

    run->tool = tool->info.name ? tool->info.name : tool->handler;
    for (enum valid kind = VALID_LEAST; kind < VALID_KINDS; kind++) {
        yyjson_mut_doc     *doc = yyjson_mut_doc_new(NULL);
        const tenon_answer *answer;
        size_t              len;
        char               *json;

        yyjson_mut_doc_set_root(doc, valid_object(doc, object, kind));
        json   = yyjson_mut_write(doc, 0, &len);
        answer = tenon_call_run(run->call, run->tool, json, len);
        if (answer->is_error)
            print_message("%s: a good call is refused: %s\n%s\n", run->tool, json, answer->json);
        assert_false(answer->is_error);
        run->good = record_of(run->call, answer);
        mutate_call(doc, object, &how, try_mutation, run);
        yyjson_doc_free(run->good.answer);
        free(json);
        yyjson_mut_doc_free(doc);
    }
}

static void try_box(struct mutate_how how)
{
    size_t                   count;
    const tenon_tool *const *tools = zoo_tools(&count);
    tenon_toolbox           *box   = zoo_box_with(how.unknown, how.strict);
    struct run               run   = { .call = tenon_call_new(box) };

    for (size_t i = 0; i < count; i++) {
        tenon_shape *shape = tn_shape_compile(&tools[i]->rows, tools[i]->handler, NULL);

        assert_non_null(shape);
        assert_non_null(shape->object);
        try_tool(&run, tools[i], shape->object, how);
        tenon_shape_free(shape);
    }
    for (size_t i = 0; i < run.kinds; i++)
        print_message("%-30s %6zu mutations, %6zu taken, %6zu repaired, %zu faults\n", run.tallies[i].kind,
                      run.tallies[i].count, run.tallies[i].taken, run.tallies[i].repaired,
                      run.tallies[i].faults);
    print_message("%zu tools, %zu mutations, %zu faults\n", count, run.total, run.faults);
    tenon_call_free(run.call);
    tenon_toolbox_free(box);
    assert_true(run.total > 10000);
    assert_int_equal(run.faults, 0);
}

static void naive_client_repairs_every_fault(void **state)
{
    (void)state;
    try_box((struct mutate_how){ .unknown = TENON_UNKNOWN_DEFAULT });
}

static void naive_client_repairs_every_fault_of_a_strict_box(void **state)
{
    (void)state;
    try_box((struct mutate_how){ .unknown = TENON_UNKNOWN_REJECT, .strict = true });
}

static void naive_client_repairs_every_fault_of_a_lenient_box(void **state)
{
    (void)state;
    try_box((struct mutate_how){ .unknown = TENON_UNKNOWN_MESSAGE });
}

/* The issues of an answer without their sentences, in memory from malloc. */
static char *issues_of(const tenon_answer *answer)
{
    yyjson_doc     *doc    = yyjson_read(answer->json, answer->len, 0);
    yyjson_mut_doc *copy   = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *issues = yyjson_val_mut_copy(copy, yyjson_doc_ptr_get(doc, "/error/details/issues")),
                   *issue;
    yyjson_mut_arr_iter iter;
    char               *text;

    yyjson_mut_arr_iter_init(issues, &iter);
    while ((issue = yyjson_mut_arr_iter_next(&iter)))
        assert_true(yyjson_mut_is_str(yyjson_mut_obj_remove_key(issue, "message")));
    text = yyjson_mut_val_write(issues, 0, NULL);
    yyjson_mut_doc_free(copy);
    yyjson_doc_free(doc);
    return text;
}

/* The smallest calls whose issues once could not be followed. */
static void issues_can_be_followed(void **state)
{
    static const struct { const char *tool, *args, *issues; } cases[] = {
        /* names are exact, or what they stand in is to be replaced */
        { "paged", "{\"a\\nb\":1}", "[{\"parameter\":\"a\\nb\",\"code\":\"unknown\"}]" },
        { "paged", "{\"a\\u0000b\":1}", "[{\"parameter\":\"arguments\",\"code\":\"unknown_inside\",\"example\":{}}]" },
        { "paged", "{\"\xFF\":1}", "[{\"parameter\":\"arguments\",\"code\":\"unknown_inside\",\"example\":{}}]" },
        { "in_time", "{\"arg\":1}", "[{\"parameter\":\"arg\",\"code\":\"unknown\"}]" }, /* not "end" */
        { "lists", "{\"any\":[],\"headers\":{\"a\\nb\":[]}}",
          "[{\"parameter\":\"/headers/a\\nb\",\"required\":false,\"code\":\"type\","
          "\"expected\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":30}}]" },
        { "places", "{\"file\":\"a\",\"file_\":\"a\"}", "[{\"parameter\":\"file_\",\"code\":\"unknown\"}]" }, /* nor "files" */
        /* inside text there is nothing to rename */
        { "unknown.message", "{\"text\":\"x\",\"at\":\"{\\\"x\\\":900}\"}",
          "[{\"parameter\":\"at\",\"required\":false,\"code\":\"range\",\"expected\":{\"type\":\"object\","
          "\"properties\":{\"x\":{\"type\":\"integer\"},\"y\":{\"type\":\"integer\"}}},\"example\":{}}]" },
        { "rules_below", "{\"one\":\"{\\\"by_nam\\\":\\\"x\\\",\\\"by_name\\\":\\\"x\\\"}\"}", NULL },
        /* an alias beside the name itself */
        { "integers", "{\"days\":1,\"number_of_days\":1}", "[{\"parameter\":\"number_of_days\",\"code\":\"repeated\"}]" },
        { "integers", "{\"number_of_days\":1,\"days\":1}", "[{\"parameter\":\"number_of_days\",\"code\":\"repeated\"}]" },
        /* a bound is not offered where a check may refuse it */
        { "integers", "{\"days\":1,\"even\":9223372036854775808}", NULL },
        { "own_rules", "{\"width\":101}", NULL },
        /* an item that would repeat another */
        { "number_lists", "{\"ids\":[1],\"ranged\":[1,\"x\"]}", NULL },
        { "enum_lists", "{\"must\":[\"HIGH\",\"HIGHS\"]}", NULL },
        { "number_lists", "{\"ids\":[1],\"vector\":[0.5,null]}", NULL },
        /* an end that is in order with the other */
        { "ordered_pairs", "{\"low\":200,\"high\":50}", NULL },
        { "ordered_pairs", "{\"low\":50,\"high\":-1}", NULL },
        { "ordered_pairs", "{\"high\":0}", NULL },
        { "ordered_pairs", "{\"low\":1,\"high\":1,\"least\":0.9,\"most\":0.1}", NULL },
        { "ordered_pairs", "{\"low\":1,\"high\":1,\"from\":5,\"to\":-200}", NULL },
        { "ordered_pairs", "{\"low\":1,\"high\":1,\"begin\":\"2025-06-01T10:00:00Z\",\"finish\":\"x\"}", NULL },
        { "ordered_pairs", "{\"low\":1,\"high\":1,\"start\":\"x\",\"end\":\"2024-06-01\"}", NULL },
        /* what may not stand beside another is left out */
        { "presence_rules", "{\"name\":\"x\",\"id\":\"y\"}",
          "[{\"parameter\":\"id\",\"required\":false,\"code\":\"exclusive\"}]" },
        { "presence_rules", "{\"name\":\"x\",\"token\":\"y\",\"password\":\"z\"}",
          "[{\"parameter\":\"password\",\"required\":false,\"code\":\"exclusive\"}]" },
        { "presence_rules", "{\"tag\":[\"x\"]}", NULL },
        /* a check over the whole */
        { "own_rules", "{\"width\":100,\"height\":100}",
          "[{\"parameter\":\"arguments\",\"code\":\"check\",\"example\":{\"width\":1}}]" },
        /* no example of a cursor is good */
        { "by_cursor", "{\"cursor\":5}", NULL },
        { "by_cursor", "{\"cursor\":\"text\"}", NULL },
    };
    tenon_toolbox *box  = zoo_box();
    tenon_call    *call = tenon_call_new(box);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tenon_answer *answer = tenon_call_run(call, cases[i].tool, cases[i].args,
                                                    strlen(cases[i].args));
        char               *issues = issues_of(answer);
        const char         *why    = NULL;
        size_t              len;
        char *second = client_repair(cases[i].args, strlen(cases[i].args), answer->json, answer->len, &len,
                                     &why);

        if (cases[i].issues)
            assert_string_equal(issues, cases[i].issues); /* the sentences are tests/texts_test.c's */
        if (!second)
            print_message("%s %s: %s: %s\n", cases[i].tool, cases[i].args, why, issues);
        assert_non_null(second);
        answer = tenon_call_run(call, cases[i].tool, second, len);
        if (answer->is_error)
            print_message("%s %s: %s\n  %s: %s\n", cases[i].tool, cases[i].args, issues, second,
                          answer->json);
        assert_false(answer->is_error);
        free(second);
        free(issues);
    }
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issues_can_be_followed),
        cmocka_unit_test(naive_client_repairs_every_fault),
        cmocka_unit_test(naive_client_repairs_every_fault_of_a_strict_box),
        cmocka_unit_test(naive_client_repairs_every_fault_of_a_lenient_box),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
