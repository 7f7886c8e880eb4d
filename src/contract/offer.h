/* offer.h - everything that a server offers, as it was listed at one time: for pin, verify, lint, diff and fuzz.
 *
 * It is the same whether a server was asked, a list was saved in a file, or a lock has what was approved.
 */
#ifndef CONTRACT_OFFER_H
#define CONTRACT_OFFER_H

#include <tenon/client.h>

#include "contract/lock.h"

struct tn_offer_list {
    struct tn_definition
          *at; /* in the server's order; one without a name, and a second of one name, have a fault */
    size_t count;
};

struct tn_offer {
    struct tn_slice      server, capabilities; /* JSON objects */
    struct tn_slice      era;          /* the revision that the server spoke; "" when that is not known */
    struct tn_slice      instructions; /* `at` is NULL without any */
    struct tn_offer_list kinds[KINDS];
};

/* What a server says of itself, wherever its revision has that: serverInfo, or NULL. `about` may be NULL. */
const tenon_json *tn_offer_server_info(const tenon_json *about);

/* Asks a server, and waits. `unpinned` may be NULL. All is in the arena, and so is *why when it is false. */
bool tn_offer_ask(struct tn_offer *offer, struct tn_arena *arena, tenon_client *client,
                  const tenon_strs *unpinned, const char **why);

/* Reads a saved list: what tools/list answered, its message, or the array alone. */
bool tn_offer_read(struct tn_offer *offer, struct tn_arena *arena, struct tn_slice text,
                   const tenon_strs *unpinned, const char **why);

/* What a lock says. */
bool tn_offer_approved(struct tn_offer *offer, struct tn_arena *arena, const struct tn_lock_entry *entry);

/* The first of that name, or NULL. */
const struct tn_definition *tn_offer_find(const struct tn_offer *offer, enum tn_kind kind,
                                          struct tn_slice name);

#endif
