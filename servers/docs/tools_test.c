/* tools_test.c - the nine tools as a naive client meets them: every single fault of a good call is repaired at its second try.
 *
 * The handlers run without a project: what they answer then shows that the arguments were good.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "docs/tools.h"
#include "schema/shape.h"
#include "support/client.h"
#include "support/mutate.h"
#include "support/valid.h"

struct run {
    tenon_call *call;
    const char *tool;
    size_t      total, refused, faults;
};

static bool is_refused(const tenon_answer *answer)
{
    return answer->code && strcmp(answer->code, TENON_VALIDATION_ERROR) == 0;
}

static void fault(struct run *run, const struct mutation *mutation, const char *why, const char *answer)
{
    if (run->faults++ < 10)
        print_message("%s: %s at %s %s\n  %.300s\n  %.600s\n", run->tool, mutation->kind, mutation->where,
                      why, mutation->json, answer);
}

static void try_mutation(void *user, const struct mutation *mutation)
{
    struct run         *run    = user;
    const tenon_answer *answer = tenon_call_run(run->call, run->tool, mutation->json, mutation->len);
    const char         *why    = "cannot be followed";
    size_t              len;
    char               *second;

    run->total++;
    if (answer->code && strcmp(answer->code, TENON_INTERNAL_ERROR) == 0)
        fault(run, mutation, "went wrong inside", answer->json);
    if (!is_refused(answer)) {
        if (mutation->leniency == REFUSED)
            fault(run, mutation, "was taken", answer->json);
        return;
    }
    run->refused++;
    if (mutation->must && mutation->leniency != REFUSED)
        fault(run, mutation, "was refused, though it is a leniency that was declared", answer->json);
    second = client_repair(mutation->json, mutation->len, answer->json, answer->len, &len, &why);
    if (!second) {
        fault(run, mutation, why, answer->json);
        return;
    }
    answer = tenon_call_run(run->call, run->tool, second, len);
    if (is_refused(answer))
        fault(run, mutation, "was not repaired", answer->json);
    free(second);
}

static void try_tool(struct run *run, const tenon_tool *tool)
{
    tenon_shape      *shape = shape_compile(&tool->rows, tool->handler, NULL);
    struct mutate_how how   = { .strict      = tool->info.strict,
                                .destructive = (tool->info.hints & TENON_DESTRUCTIVE) != 0,
                                .unknown     = TENON_UNKNOWN_REJECT };

    assert_non_null(shape);
    run->tool = tool->handler;
    for (enum valid kind = VALID_LEAST; kind < VALID_KINDS; kind++) {
        yyjson_mut_doc     *doc = yyjson_mut_doc_new(NULL);
        const tenon_answer *answer;
        size_t              len;
        char               *json;

        yyjson_mut_doc_set_root(doc, valid_object(doc, shape->object, kind));
        json   = yyjson_mut_write(doc, 0, &len);
        answer = tenon_call_run(run->call, run->tool, json, len);
        if (is_refused(answer))
            print_message("%s: a good call is refused: %s\n%s\n", run->tool, json, answer->json);
        assert_false(is_refused(answer));
        mutate_call(doc, shape->object, &how, try_mutation, run);
        free(json);
        yyjson_mut_doc_free(doc);
    }
    tenon_shape_free(shape);
}

static void naive_client_repairs_every_fault(void **state)
{
    const tenon_tool *const tools[] = {
        rag_query_tool(),        semantic_search_tool(),        index_document_tool(),
        list_doc_types_tool(),   search_external_docs_tool(),   rag_query_external_tool(),
        delete_documents_tool(), update_promotion_level_tool(), activate_project_tool(),
    };
    static struct docs docs;
    tenon_toolbox     *box = tenon_toolbox_new(.user = &docs, TENON_ERRORS(docs_errors));
    struct run         run = { 0 };

    (void)state;
    pthread_mutex_init(&docs.lock, NULL);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        tenon_toolbox_add(box, tools[i]);
    assert_null(tenon_toolbox_error(box));
    run.call = tenon_call_new(box);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        try_tool(&run, tools[i]);
    print_message("%zu mutations, %zu refused, %zu faults\n", run.total, run.refused, run.faults);
    tenon_call_free(run.call);
    tenon_toolbox_free(box);
    pthread_mutex_destroy(&docs.lock);
    assert_true(run.refused > 1000);
    assert_int_equal(run.faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(naive_client_repairs_every_fault) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
