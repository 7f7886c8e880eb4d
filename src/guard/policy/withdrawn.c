/* withdrawn.c - calls that were cancelled, counted. */
#define _GNU_SOURCE
#include "guard/policy/withdrawn.h"

#include <string.h>

#include "guard/link.h"
#include "guard/relay.h"

static void remove_at(struct tn_withdrawns *all, size_t i)
{
    tn_account_release(all->at[i].account);
    all->count--;
    memmove(&all->at[i], &all->at[i + 1], (all->count - i) * sizeof *all->at);
}

void tn_withdrawn_add(struct tn_relay *relay)
{
    const tenon_request  *request = relay->request;
    tenon_request_state   state   = tenon_request_state_of(request);
    struct tn_withdrawns *all;

    if (!relay->tool || !request->sent ||
        (state != TENON_REQUEST_OPEN && state != TENON_REQUEST_LATE && state != TENON_REQUEST_CANCELLED))
        return;
    all = &relay->link->withdrawn;
    if (all->count == WITHDRAWN_MAX)
        remove_at(all, 0);
    tn_account_hold(relay->x->account);
    all->at[all->count++] = (struct tn_withdrawn){ .id       = request->id,
                                                   .until_ms = tn_client_now_ms() + WITHDRAWN_MS,
                                                   .account  = relay->x->account };
}

void tn_withdrawn_answered(struct tn_link *link, int64_t id)
{
    for (size_t i = 0; i < link->withdrawn.count; i++)
        if (link->withdrawn.at[i].id == id) {
            remove_at(&link->withdrawn, i);
            return;
        }
}

void tn_withdrawn_forget(struct tn_link *link)
{
    while (link->withdrawn.count > 0)
        remove_at(&link->withdrawn, link->withdrawn.count - 1);
}

size_t tn_withdrawn_count(const struct tn_link *link, const struct tn_account *account, size_t *own)
{
    int64_t now   = tn_client_now_ms();
    size_t  count = 0;

    *own = 0;
    for (size_t i = 0; i < link->withdrawn.count; i++)
        if (link->withdrawn.at[i].until_ms > now) {
            count++;
            *own += link->withdrawn.at[i].account == account;
        }
    return count;
}
