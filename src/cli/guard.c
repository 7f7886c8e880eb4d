/* guard.c - `tenon guard`: the boundary in front of any MCP server. */
#define _GNU_SOURCE
#include "guard/guard.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/contract/pin.h"
#include "cli/guard/address.h"
#include "cli/guard/login.h"
#include "cli/guard_call.h"
#include "guard/phrases.h"

/* ---- Addresses --------------------------------------------------------------------------------------------------- */

static bool connect_all(struct guard_call *call)
{
    for (size_t i = 0; i < call->upstream_count; i++) {
        if (call->upstreams[i].url)
            call->upstreams[i].connect = address_connect;
        if (call->upstreams[i].url && !call->upstreams[i].connect) {
            console_error(call->console, "%s", SAY_CONFIG_NO_URL);
            return false;
        }
    }
    return true;
}

/* ---- Guards below guards ----------------------------------------------------------------------------------------- */

/* A client's file may contain the command of the guard that reads it. The variable has the files of all guards above, a line each;
 * servers inherit it. False when this file is one of them. */
static bool enter_file(const struct guard_call *call)
{
    const char     *above = getenv(GUARD_FILES_VARIABLE);
    struct tn_slice rest  = tn_slice_of(above), line;
    char            own[PATH_MAX], all[PATH_MAX * 4];

    if (!call->config || !realpath(call->config->path, own))
        return true;
    while (tn_slice_split(&rest, '\n', &line))
        if (tn_slice_is(line, own)) {
            console_error(call->console, SAY_CONFIG_LOOP, own);
            return false;
        }
    if ((size_t)snprintf(all, sizeof all, "%s%s%s", above ? above : "", above && above[0] ? "\n" : "", own) >=
        sizeof all)
        return false;
    return setenv(GUARD_FILES_VARIABLE, all, 1) == 0;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

int guard_serve(struct guard_call *call)
{
    const tenon_server_options options = { .size = sizeof options };
    struct tn_guard           *guard;
    int                        result;

    if (!enter_file(call) || !connect_all(call))
        return ENDING_UNUSABLE;
    if (call->values.pin && !pin_first_use(call->console, call->upstreams, call->upstream_count,
                                           call->config != NULL, &call->policy))
        return ENDING_UNUSABLE;
    guard = tn_guard_new(call->upstreams, call->upstream_count, &call->policy, &options);
    if (!guard) {
        console_error(call->console, "%s", SAY_MEMORY);
        return ENDING_UNUSABLE;
    }
    guard->inventory = call->values.list;
    result           = tn_guard_run(guard, call->settings);
    address_end();
    return result;
}

static enum ending check(const struct guard_call *call)
{
    if (call->config)
        console_text(call->console->out, tn_slice_of(call->config->path));
    fprintf(call->console->out, "%s%zu %s\n", call->config ? ": " : "", call->upstream_count,
            call->upstream_count == 1 ? "server" : "servers");
    return ENDING_GOOD;
}

static enum ending guard_run(const struct console *console, int count, char **arguments)
{
    struct guard_call call   = { .console = console };
    enum ending       ending = ENDING_UNUSABLE;

    if (count > 0 && strcmp(arguments[0], "login") == 0)
        return guard_login(console, count - 1, arguments + 1);
    if (guard_call_read(&call, count, arguments, &ending))
        ending = call.values.check  ? check(&call)
                 : call.values.list ? guard_list(&call, guard_serve)
                                    : (enum ending)guard_serve(&call);
    guard_call_free(&call);
    return ending;
}

const struct command command_guard = { "guard", "the boundary in front of any MCP server", guard_run };
