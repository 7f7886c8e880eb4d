/* judge.c - the server whose replicas tests/replicas runs: tools that say what of a session, and of a server, is where. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include <tenon/tenon.h>

#include "support/gate.h"

/* ---- Calls that take their time ------------------------------------------------------------------------------ */

static tenon_outcome work(tenon_call *call)
{
    return hold(call);
}
TENON_TOOL0(work, TENON_INFO("The same as a task.", .blocking = true, .deadline_ms = -1,
                             .task = TENON_TASK_REQUIRED));

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
