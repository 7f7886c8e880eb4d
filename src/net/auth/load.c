/* load.c - loads the module that validates access tokens of OAuth. */
#define _GNU_SOURCE
#include <string.h>

#include "base/buf.h"
#include "net/auth/inside.h"
#include "net/module.h"

#define MISTAKE_MAX 1000

static const char words[] =
    "install it (it is built where cjose and libcurl are found), or leave --oauth-issuer out";

const struct tn_auth_module *tn_auth_load(struct tn_arena *arena, const char **mistake)
{
    struct tn_module             attempt = tn_module_load(AUTH_MODULE_FILE, AUTH_MODULE_ENTRY);
    const struct tn_auth_module *module  = NULL;
    auth_module_fn               function;
    struct tn_buf                text;

    if (attempt.entry) {
        memcpy(&function, &attempt.entry, sizeof function); /* ISO C has no cast from data to functions */
        module = function();
        if (module->version == AUTH_MODULE_VERSION && strcmp(module->tenon, tenon_version()) == 0)
            return module;
    }
    tn_buf_init(&text, arena, 0, MISTAKE_MAX);
    if (module)
        tn_buf_addf(&text, AUTH_MODULE_FILE " is of Tenon %s, and this is %s; install those of one version",
                    module->tenon, tenon_version());
    else if (attempt.handle)
        tn_buf_addf(&text, AUTH_MODULE_FILE " is not Tenon's; %s", words);
    else
        tn_buf_addf(&text, "the settings ask for OAuth, but " AUTH_MODULE_FILE " %s (%s); %s",
                    attempt.there ? "cannot be loaded" : "was not found", attempt.why, words);
    *mistake = tn_buf_end(&text) ? text.at : "out of memory";
    return NULL;
}
