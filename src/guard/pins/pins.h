/* pins.h - what was approved is what is published: the lock (contract/lock.h), as the guard keeps to it.
 *
 * Of an upstream that has an entry in the lock, every list of every connection is compared with it. What is as it was approved
 * is published in the approved words; what is new waits; what changed is hidden and refused, or goes on as the operator decides
 * (policy.changed). The lock is read again when it changes. Of an upstream without an entry nothing is pinned.
 */
#ifndef GUARD_PINS_PINS_H
#define GUARD_PINS_PINS_H

#include <tenon/json.h>

#include "guard/catalog.h"
#include "guard/relay.h"

struct tn_lock_entry;
struct tn_pins;

/* Reads the lock that the policy names, before anything is served. False when it cannot be used, which was logged. */
bool tn_pins_begin(struct tn_guard *guard);
void tn_pins_free(struct tn_guard *guard);

/* Names each upstream of which nothing is pinned. */
void tn_pins_log_missing(const struct tn_guard *guard);

/* Looks at the file once a second from now on; and no longer. On the guard's loop, any number of times. */
void tn_pins_watch(struct tn_guard *guard);
void tn_pins_stop(struct tn_guard *guard);

/* What was approved of an upstream; NULL: nothing is pinned. Until the lock is read again. */
const struct tn_lock_entry *tn_pins_entry(const struct tn_guard *guard, const struct tn_upstream *upstream);

/* What the server is (capabilities, serverInfo, instructions): as it was approved, or what it says. */
yyjson_val *tn_pins_server(const struct tn_link *link);

/* The newest revision that a client gets, before the server has answered: that of the lock. */
enum tn_version tn_pins_version(const struct tn_link *link);

/* The approved tools, for clients that ask before the server has started. NULL without an entry, or without memory. */
struct tn_catalog *tn_pins_catalog(struct tn_guard *guard, const struct tn_upstream *upstream);

/* Can this method be answered from the lock? */
bool tn_pins_answers(const struct tn_link *link, struct tn_slice method);

/* Must the guard itself answer or lead this request, although there is only one upstream? Lists that are pinned are. */
bool tn_pins_routes(const struct tn_relay *relay);

/* Were the tools of this very connection compared? True without an entry. */
bool tn_pins_compared(const struct tn_link *link);

/* ---- For the console (approve.c) ------------------------------------------------------------------------------------ */

/* Writes the array "changes": definitions of tools that are new, or are not as they were approved. */
void tn_pins_write_changes(struct tn_guard *guard, struct tn_arena *arena, tenon_writer *to);

/* Writes the definition of `id` ("files/send") into the lock, if its hash is still this one. NULL, or why not: a static sentence.
 * Waits for the file. */
const char *tn_pins_approve(struct tn_guard *guard, struct tn_slice id, struct tn_slice hash);

/* From now on the approved definition of `id` is published, and calls must satisfy both, until it changes again or the guard ends.
 * NULL, or why not. */
const char *tn_pins_keep(struct tn_guard *guard, struct tn_slice id, struct tn_slice hash);

/* Reads the lock at once, if it has changed. */
void tn_pins_look(struct tn_guard *guard);

/* ---- Of definitions (decide.c) ------------------------------------------------------------------------------------- */

/* Decides over a tool as it was listed: sets its members of pins, and replaces what is published by what was approved. */
void tn_pins_decide(struct tn_catalog *catalog, struct tn_offered *tool, yyjson_val **definition,
                    struct tn_slice *text);

/* The same of a prompt or a template. False when it is not published. */
bool tn_pins_publishes(struct tn_guard *guard, const struct tn_upstream *upstream, enum tn_list list,
                       yyjson_val **definition, struct tn_slice *text);

/* A call of a name that is not published. True when it waits for approval, or changed: that was answered. */
bool tn_pins_refuse(struct tn_relay *relay, struct tn_slice name);

/* Does the live schema of a tool whose approved one is published admit the arguments, as they are sent? If not, that was
 * answered. Adds the message of a changed tool that is published all the same. */
bool tn_pins_admit(struct tn_relay *relay, yyjson_val *arguments, struct tn_slice repaired);

#endif
