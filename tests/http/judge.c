/* judge.c - the server that tests/http is run against: tools that wait for a gate, tell much, or let their stream go. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <tenon/tenon.h>

#include "support/gate.h"
#include "support/schema_tool.h"

typedef struct {
    const char *text;
} echo_args;

static tenon_outcome echo(tenon_call *call, const echo_args *args)
{
    tenon_text(call, "%s", args->text);
    return tenon_ok(call);
}
TENON_TOOL(echo, echo_args,
    TENON_INFO("Say it again.", .hints = TENON_READ_ONLY),
    TENON_STR(text, "What to say.", .required = true, .len = {0, 1000000}));

typedef struct {
    int64_t id;
} item;

TENON_ROWS(item_rows, item, TENON_INT(id, "Its number.", .required = true));

typedef struct {
    tenon_cursor from;
} items_args;

static const char *item_position(tenon_call *call, const void *at)
{
    return tenon_format(call, "%d", (int)((const item *)at)->id);
}

static tenon_outcome items(tenon_call *call, const items_args *args)
{
    static const item all[] = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 } };
    size_t            first = (size_t)atoi(tenon_cursor_position(call)), count = 5 - first;

    if (count > (size_t)args->from.limit)
        count = (size_t)args->from.limit;
    return tenon_ok_items(call, item_rows, all + first, count, 5, first + count < 5, item_position);
}
TENON_TOOL(items, items_args,
    TENON_INFO("List five items.", .hints = TENON_READ_ONLY, .items = item_rows),
    TENON_CURSOR(from));
/* On the loop's own thread: nothing is accepted or read until SIGUSR1 comes. What clients send meanwhile is there at
 * once afterwards. */
static volatile sig_atomic_t woken;

static void wake(int signal)
{
    (void)signal;
    woken = 1;
}

static tenon_outcome stall(tenon_call *call)
{
    atomic_fetch_add(&running, 1);
    fprintf(stderr, "stalled\n");
    while (!woken)
        breathe();
    woken = 0;
    atomic_fetch_sub(&running, 1);
    tenon_text(call, "awake");
    return tenon_ok(call);
}
TENON_TOOL0(stall, TENON_INFO("Stop the loop until SIGUSR1 comes."));

static tenon_outcome stamp(tenon_call *call)
{
    static atomic_int stamped;

    tenon_text(call, "%d", atomic_fetch_add(&stamped, 1) + 1);
    return tenon_ok(call);
}
TENON_TOOL0(stamp, TENON_INFO("The number of this call among those of this tool."));

/* Ends by itself, a while after it was told to begin: what a server that stops must wait for. */
static tenon_outcome rest(tenon_call *call)
{
    atomic_fetch_add(&running, 1);
    tenon_progress(call, 1, 2, "resting");
    for (int i = 0; i < 150 && !tenon_is_cancelled(call); i++)
        breathe();
    atomic_fetch_sub(&running, 1);
    tenon_text(call, "rested");
    return tenon_is_cancelled(call) ? tenon_cancelled(call) : tenon_ok(call);
}
TENON_TOOL0(rest, TENON_INFO("Rest for a while.", .blocking = true));

static tenon_outcome leave_and_hold(tenon_call *call)
{
    tenon_release_stream(call, 10);
    return hold(call);
}
TENON_TOOL0(leave_and_hold, TENON_INFO("Let the stream go, then wait.", .blocking = true, .deadline_ms = -1));

static tenon_outcome tell_and_hold(tenon_call *call)
{
    tenon_progress(call, 1, 2, "first half");
    if (!wait_at_gate(call))
        return tenon_cancelled(call);
    tenon_progress(call, 2, 2, "second half");
    tenon_text(call, "told");
    return tenon_ok(call);
}
TENON_TOOL0(tell_and_hold, TENON_INFO("Tell of the first half, wait, tell of the second.", .blocking = true,
                                      .deadline_ms = -1));

typedef struct {
    int64_t notes;
} tell_args;

static tenon_outcome tell(tenon_call *call, const tell_args *args)
{
    for (int64_t i = 1; i <= args->notes && !tenon_is_cancelled(call); i++)
        tenon_progress(call, (double)i, (double)args->notes,
                       "note %d of many, with some words to make it longer", (int)i);
    if (tenon_is_cancelled(call)) {
        atomic_fetch_add(&cancelled, 1);
        return tenon_cancelled(call);
    }
    tenon_text(call, "told");
    return tenon_ok(call);
}
TENON_TOOL(tell, tell_args,
    TENON_INFO("Tell of many steps on a worker.", .blocking = true, .deadline_ms = -1),
    TENON_INT(notes, "How many.", .required = true, .range = {1, 100000000}));

static tenon_outcome tell_inline(tenon_call *call, const tell_args *args)
{
    return tell(call, args);
}
TENON_TOOL(tell_inline, tell_args,
    TENON_INFO("Tell of many steps at once."),
    TENON_INT(notes, "How many.", .required = true, .range = {1, 100000}));

static tenon_outcome change(tenon_call *call)
{
    tenon_server_show_tool(tenon_server_of(call), "there", false);
    tenon_server_show_tool(tenon_server_of(call), "there", true);
    tenon_text(call, "changed");
    return tenon_ok(call);
}
TENON_TOOL0(change, TENON_INFO("Change the list of tools."));

static tenon_outcome guarded(tenon_call *call)
{
    tenon_text(call, "in");
    return tenon_ok(call);
}
TENON_TOOL0(guarded, TENON_INFO("For those with the scope.", .scopes = "notes:write"));

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("http-judge", "1.0.0");

    tenon_server_add(server, echo_tool());
    tenon_server_add(server, items_tool());
    signal(SIGUSR1, wake);
    tenon_server_add(server, stall_tool());
    tenon_server_add(server, stamp_tool());
    tenon_server_add(server, hold_tool());
    tenon_server_add(server, rest_tool());
    tenon_server_add(server, leave_and_hold_tool());
    tenon_server_add(server, tell_and_hold_tool());
    tenon_server_add(server, open_gate_tool());
    tenon_server_add(server, counts_tool());
    tenon_server_add(server, tell_tool());
    tenon_server_add(server, tell_inline_tool());
    tenon_server_add(server, there_tool());
    tenon_server_add(server, change_tool());
    tenon_server_add(server, guarded_tool());
    tenon_server_add(server, ask_tool());
    tenon_server_add(server, by_schema_tool());
    tenon_server_add(server, numbers_tool());
    tenon_server_add(server, hard_tool());
    return tenon_server_main(server, argc, argv);
}
