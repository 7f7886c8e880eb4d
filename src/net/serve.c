/* serve.c - the public ways to serve: as a whole program, on threads, or polled. */
#define _GNU_SOURCE
#include "net/serve.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer/toolbox.h"
#include "base/memory.h"
#include "net/admin.h"

#define LEAVE_MS      100 /* for workers to go home, when no call is waited for any more */
#define HTTP_ANYWHERE "127.0.0.1:0"

enum { EXIT_OK = 0, EXIT_MISTAKE = 1, EXIT_COMMAND_LINE = 2 };

struct tn_service *tn_service_of(const tenon_server *server)
{
    const struct tn_server_owner *owner = server ? server->owner : NULL;

    return owner ? owner->service : NULL;
}

/* ---- Settings -------------------------------------------------------------------------------------------- */

/* At the end of the server. */
static void end_serving(tenon_server *server)
{
    struct tn_server_owner *owner = server->owner;

    tenon_server_stop(server);
    if (owner->service) /* a handler does not end; it must, before what it uses is freed */
        tn_service_free_left(owner->service);
    if (owner->settings && !owner->settings->given) /* else they are the program's */
        tn_settings_free(owner->settings);
    tn_memory_free(&server->memory, owner, sizeof *owner);
    server->owner = NULL;
}

/* Makes the server one that serves by these settings; false when out of memory. */
static bool own(tenon_server *server, struct tn_settings *settings)
{
    struct tn_server_owner *owner = settings ? tn_memory_new(&server->memory, sizeof *owner) : NULL;

    if (!owner)
        return false;
    *owner            = (struct tn_server_owner){ .settings = settings };
    server->owner     = owner;
    server->host.free = end_serving;
    return true;
}

struct tn_settings *tn_serve_settings(tenon_server *server)
{
    const struct tn_server_owner *owner = server->owner;
    struct tn_settings           *made;

    if (owner)
        return owner->settings;
    made = tn_settings_new(&server->memory);
    if (own(server, made))
        return made;
    tn_settings_free(made);
    return NULL;
}

tenon_status tenon_server_set(tenon_server *server, const char *name, const char *value)
{
    struct tn_settings *settings = server ? tn_serve_settings(server) : NULL;
    const char         *mistake  = NULL;

    if (!server)
        return TENON_E_NOMEM;
    if (!settings)
        return tn_core_mistake(server, "out of memory"), TENON_E_NOMEM;
    if (tn_service_of(server))
        return tn_core_mistake(server, "%s cannot be set while the server runs", name);
    if (!tn_settings_set(settings, name, value, &mistake))
        return tn_core_mistake(server, "%s", mistake);
    return TENON_OK;
}

/* ---- As a program ---------------------------------------------------------------------------------------- */

/* Each line of the text with the server's name in front. */
static int serve_complain(const tenon_server *server, const char *text, int result)
{
    const char *name = server && server->name ? server->name : "tenon";

    for (size_t len; *text; text += len + (text[len] == '\n')) {
        len = strcspn(text, "\n");
        fprintf(stderr, "%s: %.*s\n", name, (int)len, text);
    }
    return result;
}

/* Serves until it is asked to stop. True when a handler does not end: nothing may be freed then. */
static bool serve_serve(struct tn_service *service)
{
    const struct tn_source *source  = service->serving.server->source;
    bool                    started = tn_service_start(service) == TENON_OK;

    if (started && service->url[0])
        tn_log_line(&service->serving.server->log, LOG_INFO, "listening on %s", service->url);
    if (started && service->admin)
        tn_log_line(&service->serving.server->log, LOG_INFO, "health and metrics at port %u",
                    tn_admin_port(service->admin));
    if (started && service->admin)
        tn_admin_invite(service->admin);
    if (started && source && source->started)
        source->started(source->user);
    if (started)
        tn_service_run(service);
    else
        tn_service_stop(service, true);
    if (source) {
        source->stopped(source->user);
        tn_service_run(service);
    }
    return tn_service_free(service, LEAVE_MS);
}

/* For --check: the models and texts that calls and lists would ask for first. False without memory. */
static bool compile_box(tenon_toolbox *box)
{
    for (size_t i = 0; i < box->count; i++)
        if (!tenon_toolbox_tool(box, i) || tn_tool_ready(box, box->tools[i]) != TENON_OK)
            return false;
    return true;
}

static void write_count(FILE *to, const char *before, size_t count, const char *noun)
{
    fprintf(to, "%s%zu %s%s", before, count, noun, count == 1 ? "" : "s");
}

/* Compiles everything and writes what there is; or returns what is wrong, one mistake a line. */
static const char *serve_check(tenon_server *server, const struct tn_settings *settings, FILE *to)
{
    tn_serve_decide(server, settings);
    if (tn_mcp_prepare(server) != TENON_OK)
        return tenon_server_error(server);
    if (!compile_box(server->boxes[BOX_TOOLS]) || !compile_box(server->boxes[BOX_PROMPTS]))
        return "out of memory";
    fprintf(to, "%s %s: ", server->name, server->version);
    write_count(to, "", server->lists[LIST_TOOLS].count, "tool");
    write_count(to, ", ", server->lists[LIST_PROMPTS].count, "prompt");
    write_count(to, ", ", server->lists[LIST_RESOURCES].count, "resource");
    write_count(to, ", ", server->lists[LIST_TEMPLATES].count, "template");
    fputs("; nothing is wrong\n", to);
    return NULL;
}

static int serve_as_program(tenon_server *server, bool *left)
{
    struct tn_pipe_guard guard;
    struct tn_service   *service  = NULL;
    struct tn_settings  *settings = tn_serve_settings(server);
    const char          *mistake  = settings->mistake;

    if (!mistake)
        mistake = tn_settings_mistake(settings);
    if (mistake)
        return serve_complain(server, mistake, EXIT_COMMAND_LINE);
    if (settings->check) {
        mistake = serve_check(server, settings, stdout);
        return mistake ? serve_complain(server, mistake, EXIT_MISTAKE) : EXIT_OK;
    }
    guard = tn_pipe_guard_begin();
    if (tn_service_new(&service, server, SERVE_MAIN) == TENON_OK)
        *left = serve_serve(service);
    tn_pipe_guard_end(guard);
    mistake = tenon_server_error(server);
    return mistake ? serve_complain(server, mistake, EXIT_MISTAKE) : EXIT_OK;
}

/* What both ways to serve as a program need, whatever the settings are. When something is wrong already, the rest that is
 * wrong is found now, so that all of it is seen at once. */
static const char *mistake_before(tenon_server *server, const struct tn_settings *settings)
{
    if (!server || !settings)
        return "out of memory";
    if (tenon_server_error(server))
        tn_mcp_prepare(server);
    return tenon_server_error(server);
}

static int end_program(tenon_server *server, int result, bool left)
{
    if (!left) /* else the process ends now, and that thread with it */
        tenon_server_free(server);
    return result;
}

int tenon_server_main(tenon_server *server, int argc, char **argv)
{
    struct tn_settings *settings = server ? tn_serve_settings(server) : NULL;
    const char         *mistake  = mistake_before(server, settings);
    bool                left     = false;
    int                 result   = EXIT_MISTAKE;

    if (!tn_stdio_fill_gaps())
        return end_program(server, serve_complain(server, tn_stdio_no_gap_filler, EXIT_MISTAKE), false);
    if (mistake)
        return end_program(server, serve_complain(server, mistake, EXIT_MISTAKE), false);
    settings->name    = server->name;
    settings->version = server->version;
    if (tenon_settings_read(settings, argc, argv, &result))
        result = serve_as_program(server, &left);
    return end_program(server, result, left);
}

int tenon_server_run(tenon_server *server, tenon_settings *settings)
{
    const char *mistake = mistake_before(server, settings);
    bool        left    = false;
    int         result;

    if (!mistake && server->owner)
        mistake = "tenon_server_run() takes its settings from tenon_settings_set(), not tenon_server_set()";
    if (!mistake && !own(server, settings))
        mistake = "out of memory";
    if (mistake)
        return end_program(server, serve_complain(server, mistake, EXIT_MISTAKE), false);
    result         = serve_as_program(server, &left);
    settings->left = left;
    return end_program(server, result, left);
}

/* ---- Inside a program ------------------------------------------------------------------------------------ */

tenon_status tn_serve_begin(tenon_server *server, enum tn_serve_mode mode)
{
    struct tn_settings *settings = server ? tn_serve_settings(server) : NULL;
    struct tn_service  *service  = NULL;
    const char         *mistake  = NULL;
    tenon_status        status;

    if (!server)
        return TENON_E_NOMEM;
    if (tn_service_of(server))
        return tn_core_mistake(server, "The server runs already");
    if (!settings)
        return tn_core_mistake(server, "out of memory"), TENON_E_NOMEM;
    if (settings->stdio && mode == SERVE_THREADS)
        return tn_core_mistake(server,
                               "stdio is served by tenon_server_main(), or polled after tenon_server_open()");
    if (!settings->http && !settings->stdio && !tn_settings_set(settings, "http", HTTP_ANYWHERE, &mistake))
        return tn_core_mistake(server, "%s", mistake);
    mistake = tn_settings_mistake(settings);
    if (mistake)
        return tn_core_mistake(server, "%s", mistake);
    status = tn_service_new(&service, server, mode);
    if (status != TENON_OK)
        return status;
    status = tn_service_start(service);
    if (status != TENON_OK) {
        tn_service_stop(service, true);
        tn_service_free(service, LEAVE_MS);
    }
    return status;
}

tenon_status tenon_server_start(tenon_server *server)
{
    return tn_serve_begin(server, SERVE_THREADS);
}

static bool is_on_lane(const struct tn_service *service)
{
    for (size_t i = 0; i < service->lane_count; i++)
        if (service->lanes[i].threaded && pthread_equal(service->lanes[i].thread, pthread_self()))
            return true;
    return false;
}

void tenon_server_stop(tenon_server *server)
{
    struct tn_service   *service = tn_service_of(server);
    struct tn_pipe_guard guard;

    if (!service || service->left)
        return;
    if (service->polling || is_on_lane(service)) { /* a handler: nothing can be waited for below it */
        tn_service_stop(service, false);
        return;
    }
    guard = tn_pipe_guard_begin();
    tn_service_stop(service, false);
    tn_service_free(service, service->serving.settings->grace_ms);
    tn_pipe_guard_end(guard);
}

const char *tenon_server_url(const tenon_server *server)
{
    const struct tn_service *service = tn_service_of(server);

    return service ? service->url : "";
}
