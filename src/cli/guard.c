/* guard.c - `tenon guard`: the boundary in front of any MCP server. */
#include "guard/guard.h"

#include <stdio.h>
#include <string.h>

#include <tenon/setting.h>

#include "cli/command.h"
#include "net/client/transport.h"
#ifdef TENON_CURL
#include "http/http.h"
#endif

#define OPTIONS_MAX 64 /* words */

struct guard_settings {
    int results;
};

static const tenon_choice result_choices[] = { { "warn", RESULTS_WARN },
                                               { "off", RESULTS_OFF },
                                               { NULL, 0 } };

static const tenon_setting rows[] = {
    TENON_SETTING_CHOICE(struct guard_settings, results, "results", result_choices,
                         "structured results that the outputSchema refuses: warn or off", .standard = "warn"),
};

static enum ending print_help(FILE *to)
{
    fputs("Usage: tenon guard [OPTION]... -- COMMAND [ARGUMENT]...\n"
          "       tenon guard [OPTION]... URL\n\n"
          "Puts Tenon's boundary in front of an MCP server: calls that its schemas refuse never reach it, and\n"
          "every problem is in one answer; calls that only need another form are repaired, and the answer reports it.\n\n"
          "Options are those of a server: --http HOST:PORT, --tokens-file FILE, ...\n",
          to);
    return ENDING_GOOD;
}

#ifdef TENON_CURL
static struct tn_transport *connect_url(const struct tn_upstream        *upstream,
                                        const struct tn_transport_frame *frame)
{
    return http_transport_new(frame, upstream->url, upstream->token, NULL);
}
#define CONNECT connect_url
#else
#define CONNECT NULL
#endif

static bool is_address(const char *word)
{
    return strncmp(word, "http://", 7) == 0 || strncmp(word, "https://", 8) == 0;
}

/* What is guarded stands at the end: a command after --, or an address. False when there is neither. */
static bool take_upstream(int count, char **arguments, struct tn_upstream *upstream, int *options)
{
    int at = 0;

    while (at < count && strcmp(arguments[at], "--") != 0)
        at++;
    *options = at;
    if (at + 1 < count) {
        *upstream = (struct tn_upstream){ .name  = arguments[at + 1],
                                          .words = (const char *const *)(arguments + at + 1) };
        return true;
    }
    if (at < count || !is_address(arguments[count - 1]))
        return false;
    *options  = count - 1;
    *upstream = (struct tn_upstream){ .name    = arguments[count - 1],
                                      .url     = arguments[count - 1],
                                      .connect = CONNECT };
    return upstream->connect != NULL;
}

static enum ending guard_run(const struct console *console, int count, char **arguments)
{
    const tenon_server_options options = { .size = sizeof options };
    int                        own_count, result = (int)ENDING_UNUSABLE;
    struct tn_upstream         upstream;
    struct guard_settings      values;
    struct tn_guard           *guard;
    tenon_settings            *settings;
    char                      *own[OPTIONS_MAX] = { (char *)"tenon guard" };

    if (count == 0 || strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0)
        return print_help(console->out);
    if (!take_upstream(count, arguments, &upstream, &own_count) || own_count + 1 >= OPTIONS_MAX) {
        console_error(console, "tenon guard needs a command after --, or an address; see tenon guard --help");
        return ENDING_UNUSABLE;
    }
    memcpy(own + 1, arguments, (size_t)own_count * sizeof *own);
    settings = tenon_settings_new("tenon guard", tenon_version(), rows, &values);
    guard    = settings ? tn_guard_new(&upstream, &options) : NULL;
    if (guard && tenon_settings_read(settings, own_count + 1, own, &result)) {
        guard->results = (enum tn_guard_results)values.results;
        result         = tn_guard_run(guard, settings);
    }
    tenon_settings_free(settings);
    return (enum ending)result;
}

const struct command command_guard = { "guard", "the boundary in front of any MCP server", guard_run };
