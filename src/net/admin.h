/* admin.h - a second address for operators: /healthz, /readyz, /metrics and, of a guard, /upstreams; with --console also the
 * console, which has a lock of its own (console/access.h).
 *
 * It stays open while a server stops, and reports that, until tn_admin_stop(). Access is decided by the address: what is
 * shown are counts, names of tools and the server's name. A Host that is a name must be a known one, as on the other
 * address; a number is accepted wherever more than loopback can reach it, because no web page can make one its own.
 */
#ifndef NET_ADMIN_H
#define NET_ADMIN_H

#include "net/endpoint/endpoint.h"

struct admin;

struct tn_feed;

/* Listens at settings->admin, which is set; with a console for a `feed`, which may be NULL. On failure *error is a sentence, as of
 * tn_http_listen(). */
tenon_status tn_admin_new(struct admin **admin, struct tn_serving *serving, struct tn_loop *loop,
                          struct tn_feed *feed, const char **error);

/* Logs how the console is opened, if there is one. */
void tn_admin_invite(struct admin *admin);

unsigned tn_admin_port(const struct admin *admin);

/* `closed` is called when the last connection is gone; tn_admin_free() then. */
void tn_admin_stop(struct admin *admin, void (*closed)(void *user), void *user);
void tn_admin_abort(struct admin *admin);
void tn_admin_free(struct admin *admin);

/* What /healthz says: calls are served, and workers are left to run them. */
bool tn_admin_is_healthy(struct tn_serving *serving);

#endif
