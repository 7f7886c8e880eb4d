/* gate.h - for the servers of tests: tools that wait at a gate, one that comes and goes, and one that asks for a name. */
#ifndef SUPPORT_GATE_H
#define SUPPORT_GATE_H

#include <stdatomic.h>
#include <time.h>

#include <tenon/tenon.h>

static atomic_int gate, running, cancelled, finished;

static void breathe(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

/* Until the gate was opened once more, or the call was cancelled. */
static bool wait_at_gate(const tenon_call *call)
{
    int before = atomic_load(&gate);

    atomic_fetch_add(&running, 1);
    while (atomic_load(&gate) == before && !tenon_is_cancelled(call))
        breathe();
    atomic_fetch_sub(&running, 1);
    if (tenon_is_cancelled(call)) {
        atomic_fetch_add(&cancelled, 1);
        return false;
    }
    atomic_fetch_add(&finished, 1);
    return true;
}

static tenon_outcome hold(tenon_call *call)
{
    if (!wait_at_gate(call))
        return tenon_cancelled(call);
    tenon_text(call, "through");
    return tenon_ok(call);
}
TENON_TOOL0(hold, TENON_INFO("Wait until the gate is opened.", .blocking = true, .deadline_ms = -1));

static tenon_outcome open_gate(tenon_call *call)
{
    atomic_fetch_add(&gate, 1);
    tenon_text(call, "open");
    return tenon_ok(call);
}
TENON_TOOL0(open_gate, TENON_INFO("Let everything through that waits."));

static tenon_outcome counts(tenon_call *call)
{
    tenon_text(call, "running %d cancelled %d finished %d", atomic_load(&running), atomic_load(&cancelled),
               atomic_load(&finished));
    return tenon_ok(call);
}
TENON_TOOL0(counts,
            TENON_INFO("How many calls wait, were cancelled, went through.", .hints = TENON_READ_ONLY));

static tenon_outcome there(tenon_call *call)
{
    tenon_text(call, "here");
    return tenon_ok(call);
}
TENON_TOOL0(there, TENON_INFO("The tool that comes and goes."));

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

#endif
