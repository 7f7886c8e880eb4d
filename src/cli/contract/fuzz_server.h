/* fuzz_server.h - the server that `tenon fuzz` tries: a process under a supervisor, or an address. */
#ifndef CLI_CONTRACT_FUZZ_SERVER_H
#define CLI_CONTRACT_FUZZ_SERVER_H

#include <uv.h>

#include "cli/remote.h"
#include "contract/fuzz/session.h"
#include "contract/offer.h"
#include "guard/process/child.h"

#define FUZZ_SAID_MAX ((size_t)300) /* of the last line that it wrote to its standard error */

struct fuzz_server {
    struct tn_fuzz_server way; /* what the run uses */
    struct remote        *remote;
    const char *const    *words; /* a command, or NULL: */
    const char           *url;   /* an address */
    const char *const    *environment;
    const char           *directory;
    uv_loop_t             loop;
    struct tn_child      *child;  /* NULL when none of its processes is left */
    int                   errors; /* its standard error, or -1 */
    int                   process;
    bool                  running, failed, exited;
    char                  how[FUZZ_WHY_MAX]; /* it ended */
    char                  said[FUZZ_SAID_MAX + 1];
    size_t                said_len;
    bool                  line_over; /* `said` is a whole line */
};

/* False when the system has no room for it, which was reported. */
bool fuzz_server_init(struct fuzz_server *server, struct remote *remote, const char *const *words,
                      const char *url);
void fuzz_server_free(struct fuzz_server *server);

/* Asks for the tools, as a client that can be asked nothing: servers list others to others. False when they cannot be had, which was
 * reported. */
bool fuzz_server_list(struct fuzz_server *server, struct tn_offer *offer, const tenon_strs *unpinned);

#endif
