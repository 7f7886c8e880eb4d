/* tasks.c - tools that may become tasks: the client gets a handle at once and asks for the answer later. */
#include "conformance.h"

#include <stdatomic.h>

/* ---- Work ---------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
} greet_args;

static tenon_outcome greet(tenon_call *call, const greet_args *args)
{
    tenon_text(call, "Hello, %s!", args->name);
    return tenon_ok(call);
}
TENON_TOOL(greet, greet_args,
    TENON_INFO("Greet somebody, at once.", .hints = TENON_READ_ONLY, .plain = true),
    TENON_STR(name, "Whom to greet.", .required = true));

typedef struct {
    double      seconds;
    const char *label;
} slow_compute_args;

static atomic_int cancelled_calls;

static tenon_outcome slow_compute(tenon_call *call, const slow_compute_args *args)
{
    tenon_progress(call, 0, args->seconds, "begun");
    if (!work_for(call, (int)(args->seconds * 1000))) {
        atomic_fetch_add(&cancelled_calls, 1);
        return tenon_cancelled(call);
    }
    tenon_text(call, "Computed %s for %g seconds.", *args->label ? args->label : "something", args->seconds);
    return tenon_ok(call);
}
TENON_TOOL(slow_compute, slow_compute_args,
    TENON_INFO("Compute for a while.", .blocking = true, .deadline_ms = -1, .task = TENON_TASK_ALLOWED),
    TENON_NUM(seconds, "For how long.", .required = true, .range = {0, 600}),
    TENON_STR(label,   "What to call it."));

static tenon_outcome test_cancelled_calls(tenon_call *call)
{
    tenon_text(call, "%d", atomic_load(&cancelled_calls));
    return tenon_ok(call);
}
TENON_TOOL0(test_cancelled_calls,
            TENON_INFO("Say how many calls of slow_compute were cancelled.", .hints = TENON_READ_ONLY));

static tenon_outcome failing_job(tenon_call *call)
{
    if (!work_for(call, 1000))
        return tenon_cancelled(call);
    return tenon_fail(call, TENON_CODE_UNAVAILABLE, "The job failed, as it always does.");
}
TENON_TOOL0(failing_job, TENON_INFO("Fail after a second.", .blocking = true, .task = TENON_TASK_REQUIRED));

/* What goes wrong inside is no answer of the tool's: its task has failed. */
static tenon_outcome protocol_error_job(tenon_call *call)
{
    return tenon_internal(call, "protocol_error_job goes wrong, as it always does");
}
TENON_TOOL0(protocol_error_job, TENON_INFO("Go wrong inside.", .blocking = true, .task = TENON_TASK_ALLOWED));

/* ---- Questions of a task ------------------------------------------------------------------------------------- */

typedef struct {
    const char *filename;
} delete_args;

typedef struct {
    bool confirm;
} delete_form;

TENON_ROWS(delete_form_rows, delete_form,
    TENON_BOOL(confirm, "Really delete it?", .required = true));

static tenon_outcome confirm_delete(tenon_call *call, const delete_args *args)
{
    const delete_form *given = NULL;
    tenon_reply reply = tenon_elicit(call, "confirm", delete_form_rows, &given, "Delete %s?", args->filename);

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    tenon_text(call, "%s was %s.", args->filename, given->confirm ? "deleted" : "kept");
    return tenon_ok(call);
}
TENON_TOOL(confirm_delete, delete_args,
    TENON_INFO("Pretend to delete a file, if the user agrees.", .blocking = true, .task = TENON_TASK_ALLOWED),
    TENON_STR(filename, "Which file.", .required = true));

static tenon_outcome multi_input(tenon_call *call)
{
    const name_form *first = NULL, *second = NULL;
    tenon_reply      one = tenon_elicit(call, "first", name_form_rows, &first, "Who comes first?");
    tenon_reply      two = tenon_elicit(call, "second", name_form_rows, &second, "Who comes second?");

    if (one == TENON_REPLY_PENDING || two == TENON_REPLY_PENDING)
        return tenon_ask(call);
    if (one != TENON_REPLY_ACCEPTED || two != TENON_REPLY_ACCEPTED)
        return not_given(call, one != TENON_REPLY_ACCEPTED ? one : two);
    tenon_text(call, "%s, then %s.", first->name, second->name);
    return tenon_ok(call);
}
TENON_TOOL0(multi_input,
            TENON_INFO("Ask two questions at once.", .blocking = true, .task = TENON_TASK_ALLOWED));

/* Asks as an ordinary call does; only the work that follows is a task. */
static tenon_outcome test_tool_with_task(tenon_call *call)
{
    const name_form *user  = NULL;
    tenon_reply      reply = tenon_elicit(call, "user_name", name_form_rows, &user, "What is your name?");

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    if (!tenon_in_task(call))
        return tenon_become_task(call);
    if (!work_for(call, 100))
        return tenon_cancelled(call);
    tenon_text(call, "Worked for %s.", user->name);
    return tenon_ok(call);
}
TENON_TOOL0(test_tool_with_task,
            TENON_INFO("Ask for a name, then work.", .blocking = true, .task = TENON_TASK_LATER));

void add_task_tools(tenon_server *server)
{
    tenon_server_add(server, greet_tool());
    tenon_server_add(server, slow_compute_tool());
    tenon_server_add(server, test_cancelled_calls_tool());
    tenon_server_add(server, failing_job_tool());
    tenon_server_add(server, protocol_error_job_tool());
    tenon_server_add(server, confirm_delete_tool());
    tenon_server_add(server, multi_input_tool());
    tenon_server_add(server, test_tool_with_task_tool());
}
