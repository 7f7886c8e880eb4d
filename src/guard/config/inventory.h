/* inventory.h - what a guard publishes and what it hides, for `tenon guard --list`.
 *
 * A guard that is run to be looked at answers one method more than others, when its upstreams have listed what they have. */
#ifndef GUARD_CONFIG_INVENTORY_H
#define GUARD_CONFIG_INVENTORY_H

#include "guard/guard.h"

#define INVENTORY_METHOD "tenon/inventory"

/* Answers the exchange with {"upstreams":[...]}. */
void tn_inventory_answer(const struct tn_guard *guard, struct tn_exchange *x);

#endif
