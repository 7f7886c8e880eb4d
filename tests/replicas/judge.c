/* judge.c - the server whose replicas tests/replicas runs: tools that say what of a session, and of a server, is where. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include <tenon/tenon.h>

static atomic_int gate, running, cancelled;

/* ---- Calls that take their time ------------------------------------------------------------------------------ */

static tenon_outcome hold(tenon_call *call)
{
    int before = atomic_load(&gate);

    atomic_fetch_add(&running, 1);
    while (atomic_load(&gate) == before && !tenon_is_cancelled(call))
        nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    atomic_fetch_sub(&running, 1);
    if (tenon_is_cancelled(call)) {
        atomic_fetch_add(&cancelled, 1);
        return tenon_cancelled(call);
    }
    tenon_text(call, "through");
    return tenon_ok(call);
}
TENON_TOOL0(hold, TENON_INFO("Wait until the gate is opened.", .blocking = true, .deadline_ms = -1));

static tenon_outcome work(tenon_call *call)
{
    return hold(call);
}
TENON_TOOL0(work, TENON_INFO("The same as a task.", .blocking = true, .deadline_ms = -1,
                             .task = TENON_TASK_REQUIRED));

static tenon_outcome open_gate(tenon_call *call)
{
    atomic_fetch_add(&gate, 1);
    tenon_text(call, "open");
    return tenon_ok(call);
}
TENON_TOOL0(open_gate, TENON_INFO("Let everything through that waits."));

static tenon_outcome counts(tenon_call *call)
{
    tenon_text(call, "running %d cancelled %d", atomic_load(&running), atomic_load(&cancelled));
    return tenon_ok(call);
}
TENON_TOOL0(counts, TENON_INFO("How many calls wait, and were cancelled.", .hints = TENON_READ_ONLY));

static tenon_outcome whose(tenon_call *call)
{
    tenon_text(call, "%d", (int)getpid());
    return tenon_ok(call);
}
TENON_TOOL0(whose, TENON_INFO("Which process this is.", .hints = TENON_READ_ONLY));

typedef struct {
    int64_t notes;
} tell_args;

static tenon_outcome tell(tenon_call *call, const tell_args *args)
{
    for (int64_t i = 1; i <= args->notes; i++)
        tenon_progress(call, (double)i, (double)args->notes, "note %d", (int)i);
    tenon_text(call, "told");
    return tenon_ok(call);
}
TENON_TOOL(tell, tell_args,
    TENON_INFO("Tell of many steps on a worker.", .blocking = true),
    TENON_INT(notes, "How many.", .required = true, .range = {1, 100}));

static tenon_outcome hold_not(tenon_call *call)
{
    tenon_text(call, "at once");
    return tenon_ok(call);
}
TENON_TOOL0(hold_not, TENON_INFO("Answer at once, on a worker.", .blocking = true));

static tenon_outcome say(tenon_call *call)
{
    tenon_log(call, TENON_LEVEL_INFO, "something");
    tenon_text(call, "said");
    return tenon_ok(call);
}
TENON_TOOL0(say, TENON_INFO("Write a line into the client's log."));

/* ---- What is remembered -------------------------------------------------------------------------------------- */

typedef struct {
    const char *text;
} text_args;

static tenon_outcome remember(tenon_call *call, const text_args *args)
{
    tenon_text(call, "%s", tenon_remember(call, args->text) ? "remembered" : "there is no session");
    return tenon_ok(call);
}
TENON_TOOL(remember, text_args,
    TENON_INFO("Remember a text in this session."),
    TENON_STR(text, "What to remember.", .required = true));

static tenon_outcome recall(tenon_call *call)
{
    tenon_text(call, "%s", tenon_remembered(call));
    return tenon_ok(call);
}
TENON_TOOL0(recall, TENON_INFO("What was remembered.", .hints = TENON_READ_ONLY));

static tenon_outcome there(tenon_call *call)
{
    tenon_text(call, "here");
    return tenon_ok(call);
}
TENON_TOOL0(there, TENON_INFO("The tool that can be hidden."));

typedef struct {
    bool shown;
} show_args;

static tenon_outcome show(tenon_call *call, const show_args *args)
{
    tenon_server_show_tool(tenon_server_of(call), "there", args->shown);
    tenon_text(call, "changed");
    return tenon_ok(call);
}
TENON_TOOL(show, show_args,
    TENON_INFO("Show or hide the tool there."),
    TENON_BOOL(shown, "Is it shown?", .required = true));

static tenon_outcome read_note(tenon_call *call, const char *uri)
{
    tenon_content_text(call, uri);
    return tenon_ok(call);
}

static tenon_outcome update(tenon_call *call)
{
    tenon_server_updated(tenon_server_of(call), "note://a");
    tenon_text(call, "updated");
    return tenon_ok(call);
}
TENON_TOOL0(update, TENON_INFO("Report that the note has changed."));

/* ---- Questions ----------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
} name_form;

TENON_ROWS(name_rows, name_form, TENON_STR(name, "A name.", .required = true));

static tenon_outcome ask(tenon_call *call)
{
    const name_form *given;

    switch (tenon_elicit(call, "name", name_rows, &given, "Who are you?")) {
    case TENON_REPLY_PENDING: return tenon_ask(call);
    case TENON_REPLY_ACCEPTED: break;
    default: return tenon_fail(call, TENON_CODE_DENIED, "No name was given.");
    }
    tenon_text(call, "hello %s", given->name);
    return tenon_ok(call);
}
TENON_TOOL0(ask, TENON_INFO("Ask for a name."));

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("replicas-judge", "1.0.0");

    tenon_server_add(server, hold_tool());
    tenon_server_add(server, work_tool());
    tenon_server_add(server, open_gate_tool());
    tenon_server_add(server, counts_tool());
    tenon_server_add(server, hold_not_tool());
    tenon_server_add(server, say_tool());
    tenon_server_add(server, whose_tool());
    tenon_server_add(server, tell_tool());
    tenon_server_add(server, remember_tool());
    tenon_server_add(server, recall_tool());
    tenon_server_add(server, there_tool());
    tenon_server_add(server, show_tool());
    tenon_server_add(server, ask_tool());
    tenon_server_add(server, update_tool());
    tenon_server_resource(server, "note://a", read_note, .name = "a", .mime = "text/plain", .watched = true);
    return tenon_server_main(server, argc, argv);
}
