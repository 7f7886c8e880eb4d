/* clients.h - lists in a form that certain clients accept (`publish: NAME`), while the server's own schemas decide.
 *
 * What is published is the flat form of `tenon lint --fix` (contract/lint/flat.h). Arguments that come in it are turned back
 * before anything looks at them; a caller that sends the server's own form is fine, too.
 */
#ifndef GUARD_POLICY_CLIENTS_H
#define GUARD_POLICY_CLIENTS_H

#include "contract/lint/flat.h"
#include "guard/catalog.h"

struct tn_clients;

/* Of names with commas between. NULL when one of them is not known, or without memory: *why says which, if it is not NULL. */
struct tn_clients *tn_clients_new(const tenon_allocator *memory, const char *names, const char **why);
void               tn_clients_free(struct tn_clients *clients);

/* The definition as these clients accept it, with the plan of the way back; `text` is what is published so far. What cannot be
 * changed stays as it is. False without memory. */
bool tn_clients_publish(const struct tn_clients *clients, struct tn_arena *arena, struct tn_slice *text,
                        struct tn_flat **plan);

/* Arguments of a call in the server's own form: *arguments and *text are others then, in the arena. False when they are as they
 * came. */
bool tn_clients_turn_back(struct tn_arena *arena, const struct tn_offered *tool, yyjson_val **arguments,
                          struct tn_slice *text);

#endif
