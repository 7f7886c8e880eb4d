/* wait.c - Ctrl-C while a request is open. */
#define _GNU_SOURCE
#include "cli/remote/wait.h"

#include <signal.h>

#include "cli/remote/notes.h"
#include "cli/value.h"

#define POLL_MS 200

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void wait_take_interrupts(void)
{
    struct sigaction action = { .sa_handler = note_interrupt };

    sigaction(SIGINT, &action, NULL);
}

bool wait_interrupted(void)
{
    return interrupted;
}

void wait_forget_interrupt(void)
{
    interrupted = 0;
}

yyjson_val *wait_for(struct remote *remote, tenon_request *request)
{
    bool cancelled = false;

    while (request && tenon_request_state_of(request) == TENON_REQUEST_OPEN) {
        if (interrupted && !cancelled) {
            tenon_request_cancel(request);
            cancelled = true;
        }
        if (tenon_client_poll(remote->client, cancelled ? 0 : POLL_MS) < 0)
            break;
    }
    notes_end(remote->console);
    return value_of(tenon_request_result(request));
}

void wait_end_interrupted(void)
{
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}
