/* repairing.c - faults made, answers followed. */
#include "support/repairing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rows/row_shape.h"
#include "support/client.h"
#include "support/mutate.h"
#include "support/valid.h"

struct run {
    bool checks_names; /* some map has a check of its own, which is a second fault where names are odd */
    tenon_call      *call;
    const char      *tool;
    struct repairing counts;
};

static bool is_refused(const tenon_answer *answer)
{
    return answer->code && strcmp(answer->code, TENON_CODE_VALIDATION_ERROR) == 0;
}

static void fault(struct run *run, const struct mutation *mutation, const char *why, const char *answer)
{
    if (run->counts.faults++ < 10)
        print_message("%s: %s at %s %s\n  %.300s\n  %.600s\n", run->tool, mutation->kind, mutation->where,
                      why, mutation->json, answer);
}

static void try_mutation(void *user, const struct mutation *mutation)
{
    struct run         *run    = user;
    bool                twice  = run->checks_names && strncmp(mutation->kind, "map: ", 5) == 0;
    const tenon_answer *answer = tenon_call_run(run->call, run->tool, mutation->json, mutation->len);
    const char         *why    = "cannot be followed";
    size_t              len;
    char               *second;

    run->counts.total++;
    if (answer->code && strcmp(answer->code, TENON_CODE_INTERNAL_ERROR) == 0)
        fault(run, mutation, "went wrong inside", answer->json);
    if (!is_refused(answer)) {
        if (mutation->leniency == REFUSED &&
            strcmp(mutation->kind, "pattern") != 0) /* a pattern may take it */
            fault(run, mutation, "was taken", answer->json);
        return;
    }
    run->counts.refused++;
    if (mutation->must && mutation->leniency != REFUSED)
        fault(run, mutation, "was refused, though it is a leniency that was declared", answer->json);
    second = client_repair(mutation->json, mutation->len, answer->json, answer->len, &len, &why);
    if (!second) {
        fault(run, mutation, why, answer->json);
        return;
    }
    answer = tenon_call_run(run->call, run->tool, second, len);
    if (is_refused(answer) && !twice)
        fault(run, mutation, "was not repaired", answer->json);
    free(second);
}

static bool checks_names(const struct tn_object *object)
{
    for (size_t i = 0; i < object->count; i++)
        if (object->params[i].node->kind == TENON_KIND_MAP && object->params[i].node->check)
            return true;
    return false;
}

static void try_tool(struct run *run, const tenon_tool *tool)
{
    tenon_shape      *shape = tn_shape_compile(&tool->rows, tool->handler, NULL);
    struct mutate_how how   = { .strict      = tool->info.strict,
                                .destructive = (tool->info.hints & TENON_DESTRUCTIVE) != 0,
                                .unknown     = TENON_UNKNOWN_REJECT };

    assert_non_null(shape);
    run->checks_names = checks_names(shape->object);
    run->tool         = tool->info.name ? tool->info.name : tool->handler;
    for (enum valid kind = VALID_LEAST; kind < VALID_KINDS; kind++) {
        yyjson_mut_doc     *doc = yyjson_mut_doc_new(NULL);
        const tenon_answer *answer;
        size_t              len;
        char               *json;

        yyjson_mut_doc_set_root(doc, valid_object(doc, shape->object, kind));
        json   = yyjson_mut_write(doc, 0, &len);
        answer = tenon_call_run(run->call, run->tool, json, len);
        if (is_refused(
                answer)) /* made-up values that live data does not know, or that a rule puts in order */
            run->counts.unknown++;
        else
            mutate_call(doc, shape->object, &how, try_mutation, run);
        free(json);
        yyjson_mut_doc_free(doc);
    }
    tenon_shape_free(shape);
}

struct repairing repair_tools(tenon_toolbox *box, const struct tool_list *tools, const char *except)
{
    struct run run = { 0 };

    for (size_t i = 0; i < tools->count; i++)
        tenon_toolbox_add(box, tools->at[i]());
    assert_null(tenon_toolbox_error(box));
    run.call = tenon_call_new(box);
    assert_non_null(run.call);
    for (size_t i = 0; i < tools->count; i++)
        if (!except || strcmp(tools->at[i]()->handler, except) != 0)
            try_tool(&run, tools->at[i]());
    print_message("%zu calls, %zu refused, %zu faults\n", run.counts.total, run.counts.refused,
                  run.counts.faults);
    tenon_call_free(run.call);
    return run.counts;
}
