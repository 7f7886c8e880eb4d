/* wait.c - Ctrl-C while a request is open. */
#define _GNU_SOURCE
#include "cli/remote/wait.h"

#include <signal.h>

#include "cli/remote/notes.h"
#include "cli/value.h"
#include "net/client/client.h"

#define POLL_MS  200
#define NOTES_MS 2000 /* for a cancellation to be taken */

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

bool wait_ready(struct remote *remote)
{
    const tenon_client *client = remote->client;

    while (client->stage != STAGE_READY && client->stage != STAGE_LOST && !interrupted)
        tenon_client_poll(remote->client, POLL_MS);
    return client->stage == STAGE_READY;
}

/* The server is informed that nothing is waited for any more, before the connection ends. */
static void wait_for_notes(const struct remote *remote)
{
    int64_t until = tn_client_now_ms() + NOTES_MS;

    while (remote->client->transport->notes > 0 && tn_client_now_ms() < until)
        if (tenon_client_poll(remote->client, POLL_MS) < 0)
            break;
}

yyjson_val *wait_for(struct remote *remote, tenon_request *request)
{
    while (request && tenon_request_state_of(request) == TENON_REQUEST_OPEN && !interrupted)
        if (tenon_client_poll(remote->client, POLL_MS) < 0)
            break;
    if (request && interrupted && tenon_request_state_of(request) == TENON_REQUEST_OPEN) {
        tenon_request_cancel(request);
        wait_for_notes(remote);
    }
    notes_end(remote->console);
    return value_of(tenon_request_result(request));
}

void wait_end_interrupted(void)
{
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}
