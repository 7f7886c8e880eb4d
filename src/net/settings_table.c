/* settings_table.c - every setting, one row each: the only list of them. */
#define _GNU_SOURCE
#include "net/settings_table.h"

#include <stddef.h>

#include "text/meant.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define HELP_COLUMN 30

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define KIB    ((int64_t)1 << 10)
#define MIB    ((int64_t)1 << 20)
#define GIB    ((int64_t)1 << 30)

/* The field's place; does not compile when the field is not of this type. */
#define FIELD(type, field)                                                                                   \
    (offsetof(struct tn_settings, field) +                                                                      \
     0 * sizeof(char[_Generic(&((struct tn_settings *)NULL)->field, type * : 1)]))

#define TEXT(field)  FIELD(const char *, field)
#define LIST(field)  FIELD(struct tn_setting_list, field)
#define COUNT(field) FIELD(size_t, field)

_Static_assert(sizeof(tenon_unknown) == sizeof(int), "a choice is stored as an int");
_Static_assert(sizeof(enum tn_log_form) == sizeof(int), "a choice is stored as an int");

static const tenon_choice unknowns[] = {
    { "reject", TENON_UNKNOWN_REJECT },
    { "message", TENON_UNKNOWN_MESSAGE },
    { "ignore", TENON_UNKNOWN_IGNORE },
    { 0 },
};
static const tenon_choice schemas[] = { { "full", false }, { "portable", true }, { 0 } };
static const tenon_choice levels[]  = {
     { "error", LOG_ERROR }, { "warn", LOG_WARN }, { "info", LOG_INFO }, { "debug", LOG_DEBUG }, { 0 },
};
static const tenon_choice forms[] = { { "text", LOG_TEXT }, { "json", LOG_JSON }, { 0 } };

/* clang-format off */
const tenon_setting tn_settings_table[] = {
    { "stdio", SETTING_FLAG, FIELD(bool, stdio), .group = "Where it serves",
      .help = "standard input and output; the default without --http" },
    { "http", SETTING_ADDRESS, TEXT(http), .value = "HOST:PORT",
      .help = "HTTP at this address; port 0 takes a free one" },
    { "path", SETTING_PATH, TEXT(path), .standard = "/mcp", .value = "PATH",
      .help = "of the endpoint" },
    { "public-url", SETTING_URL, TEXT(public_url), .value = "URL",
      .help = "how clients reach the endpoint through a proxy" },
    { "allow-host", SETTING_HOSTS, LIST(allow_hosts), .value = "HOST",
      .help = "a Host to accept beside the address's own; repeatable" },
    { "allow-origin", SETTING_ORIGINS, LIST(allow_origins), .value = "ORIGIN",
      .help = "a web page's origin that may call; repeatable" },
    { "admin", SETTING_ADDRESS, TEXT(admin), .value = "HOST:PORT",
      .help = "/healthz, /readyz and /metrics at this address" },
    { "ready-needs-db", SETTING_FLAG, FIELD(bool, ready_needs_db),
      .help = "/readyz is 503 while the database is away" },
    { "console", SETTING_FLAG, FIELD(bool, console),
      .help = "a page for people at /console of --admin" },
    { "console-token", SETTING_TOKENS, LIST(console_tokens), .value = "NAME:HASH",
      .help = "may use it, as `tenon token` prints it; repeatable" },
    { "check", SETTING_FLAG, FIELD(bool, check),
      .help = "compiles everything, says what is wrong, and ends" },
    { "key-file", SETTING_TEXT, TEXT(key_file), .value = "FILE",
      .help = "the key that replicas share; created if missing" },
    { "config", SETTING_FILE, 0, .value = "FILE",
      .help = "lines of NAME = VALUE, of these names" },

    { "token", SETTING_TOKENS, LIST(tokens), .value = "NAME:HASH", .group = "Who may call",
      .help = "a caller, as `tenon token` prints it; repeatable" },
    { "tokens-file", SETTING_TEXT, TEXT(tokens_file), .value = "FILE",
      .help = "lines of NAME:HASH" },
    { "oauth-issuer", SETTING_URL, TEXT(oauth_issuer), .value = "URL",
      .help = "the authorization server whose tokens are accepted" },
    { "oauth-audience", SETTING_TEXT, TEXT(oauth_audience), .value = "URL",
      .help = "what tokens must be issued for (--public-url)" },
    { "oauth-keys", SETTING_TEXT, TEXT(oauth_keys), .value = "URL|FILE",
      .help = "its key set, instead of discovery" },
    { "oauth-scopes", SETTING_TEXT, TEXT(oauth_scopes), .value = "SCOPES",
      .help = "that every caller needs, separated by spaces" },
    { "oauth-algorithms", SETTING_TEXT, TEXT(oauth_algorithms), .value = "NAMES",
      .help = "of signatures that are accepted" },
    { "no-auth", SETTING_FLAG, FIELD(bool, no_auth),
      .help = "accept calls without authentication" },

    { "unknown", SETTING_CHOICE, FIELD(tenon_unknown, unknown), .value = "POLICY", .choices = unknowns,
      .group = "Calls", .help = "undeclared arguments; no laxer for destructive tools" },
    { "schema", SETTING_YES_NO, FIELD(bool, portable), .standard = "full", .value = "FORM", .choices = schemas,
      .help = "form of the published schemas" },
    { "deadline", SETTING_TIME, FIELD(int, deadline_ms), 0, DAY, "50s", "TIME",
      .help = "of a call whose tool sets none; 0 for none" },
    { "loops", SETTING_INT, FIELD(int, loops), 1, 64, "1", "N",
      .help = "threads that serve connections" },
    { "workers", SETTING_INT, FIELD(int, workers), 1, 1024, "4", "N",
      .help = "threads for handlers that wait" },
    { "spare-workers", SETTING_INT, FIELD(int, spares), 0, 1024, "16", "N",
      .help = "more, for callers with no call running" },
    { "max-queue", SETTING_INT, FIELD(int, queue), 0, 1000000, "256", "N",
      .help = "calls that wait for a worker" },
    { "max-lost", SETTING_INT, FIELD(int, lost), 0, 1024, "16", "N",
      .help = "workers that may overrun and are replaced" },
    { "max-calls", SETTING_COUNT, COUNT(calls), 1, 1000000, "1000", "N",
      .help = "calls that run or wait at once" },
    { "max-waiting", SETTING_BYTES, COUNT(waiting_bytes), 64 * KIB, 64 * GIB, "64MiB", "SIZE",
      .help = "messages of calls that wait, in sum" },
    { "max-tasks", SETTING_COUNT, COUNT(tasks), 1, 1000000, "1000", "N",
      .help = "tasks that run, or have ended and are kept" },
    { "max-results", SETTING_BYTES, COUNT(result_bytes), 64 * KIB, 64 * GIB, "64MiB", "SIZE",
      .help = "results of tasks that have ended, in sum" },
    { "grace", SETTING_TIME, FIELD(int, grace_ms), 0, HOUR, "30s", "TIME",
      .help = "for running calls, when it stops" },

    { "share", SETTING_INT, FIELD(int, share), 1, 100, "50", "PERCENT", .group = "Between callers",
      .help = "of what others leave free, for one caller" },
    { "rate", SETTING_RATES, LIST(rates), .value = "CALLER=N/s",
      .help = "messages of a caller, * for every other; repeatable" },

    { "max-sessions", SETTING_COUNT, COUNT(sessions), 1, 10000000, "10000", "N", .group = "Sessions and streams",
      .help = "of clients before 2026-07-28" },
    { "session-time", SETTING_TIME, FIELD(int, session_ms), SECOND, 7 * DAY, "1h", "TIME",
      .help = "until an idle session is forgotten" },
    { "max-subscriptions", SETTING_BYTES, COUNT(subscription_bytes), 64 * KIB, 64 * GIB, "16MiB", "SIZE",
      .help = "what sessions subscribed to, in sum" },
    { "max-listeners", SETTING_COUNT, COUNT(listeners), 1, 10000000, "1024", "N",
      .help = "open subscriptions/listen" },
    { "max-replay", SETTING_BYTES, COUNT(replay_bytes), 0, 64 * MIB, "256KiB", "SIZE",
      .help = "kept of each stream that may be resumed" },
    { "max-replays", SETTING_BYTES, COUNT(replays_bytes), 64 * KIB, 64 * GIB, "64MiB", "SIZE",
      .help = "kept of all of them, in sum" },
    { "max-streams", SETTING_COUNT, COUNT(limits.streams), 1, 10000000, "1024", "N",
      .help = "open event streams, of each loop" },
    { "max-stream-queue", SETTING_BYTES, COUNT(limits.queue_bytes), 4 * KIB, GIB, "1MiB", "SIZE",
      .help = "queued bytes of one stream" },
    { "keepalive", SETTING_TIME, FIELD(int, keepalive_ms), SECOND, HOUR, "15s", "TIME",
      .help = "between keep-alives on an idle stream" },

    { "max-header-bytes", SETTING_BYTES, COUNT(limits.head_bytes), KIB, MIB, "16KiB", "SIZE", .group = "HTTP",
      .help = "request line and headers" },
    { "max-headers", SETTING_COUNT, COUNT(limits.headers), 8, 1000, "100", "N",
      .help = "headers of a request" },
    { "max-body", SETTING_BYTES, COUNT(limits.body_bytes), KIB, GIB, "4MiB", "SIZE",
      .help = "of a message" },
    { "max-incoming", SETTING_BYTES, COUNT(incoming_bytes), 64 * KIB, 64 * GIB, "64MiB", "SIZE",
      .help = "of requests that are being read, in sum" },
    { "max-outgoing", SETTING_BYTES, COUNT(outgoing_bytes), 64 * KIB, 64 * GIB, "256MiB", "SIZE",
      .help = "queued bytes of answers, in sum" },
    { "max-connections", SETTING_COUNT, COUNT(limits.connections), 1, 10000000, "10000", "N",
      .help = "of each loop" },
    { "max-pipeline", SETTING_BYTES, COUNT(limits.pipeline_bytes), KIB, GIB, "64KiB", "SIZE",
      .help = "read ahead while a request is answered" },
    { "header-timeout", SETTING_TIME, FIELD(int, limits.head_ms), 100, HOUR, "10s", "TIME",
      .help = "for a request's head to arrive" },
    { "body-timeout", SETTING_TIME, FIELD(int, limits.body_ms), 100, HOUR, "30s", "TIME",
      .help = "for its body" },
    { "idle-timeout", SETTING_TIME, FIELD(int, limits.idle_ms), 100, DAY, "75s", "TIME",
      .help = "between two requests" },
    { "write-timeout", SETTING_TIME, FIELD(int, limits.write_ms), 100, HOUR, "30s", "TIME",
      .help = "for a client that reads none of its answer" },

    { "log", SETTING_CHOICE, FIELD(int, log_level), .standard = "info", .value = "LEVEL", .choices = levels,
      .group = "Logging", .help = "how much, to standard error" },
    { "log-format", SETTING_CHOICE, FIELD(enum tn_log_form, log_form), .standard = "text", .value = "FORM",
      .choices = forms, .help = "of its lines" },
    { "audit", SETTING_TEXT, TEXT(audit), .value = "FILE",
      .help = "a line of JSON for each call, added to this file" },
    { "audit-arguments", SETTING_FLAG, FIELD(bool, audit_arguments),
      .help = "with its arguments, but for secrets" },
};
/* clang-format on */

const size_t tn_settings_table_count = COUNT_OF(tn_settings_table);

_Static_assert(COUNT_OF(tn_settings_table) <= SETTINGS_MAX, "settings.h has room for every row");

static bool same_name(struct tn_slice given, const char *name)
{
    if (given.len != strlen(name))
        return false;
    for (size_t i = 0; i < given.len; i++)
        if (given.at[i] != name[i] && !(given.at[i] == '_' && name[i] == '-'))
            return false;
    return true;
}

static bool is_own(const struct tn_settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->own_count; i++)
        if (strcmp(settings->own[i].name, name) == 0)
            return true;
    return false;
}

const tenon_setting *tn_settings_next(const struct tn_settings *settings, size_t *next)
{
    if (*next < settings->own_count)
        return &settings->own[(*next)++];
    while (!settings->usage && *next < settings->own_count + tn_settings_table_count) {
        const tenon_setting *row = &tn_settings_table[(*next)++ - settings->own_count];

        if (!is_own(settings, row->name))
            return row;
    }
    return NULL;
}

const tenon_setting *tn_settings_find(const struct tn_settings *settings, struct tn_slice name)
{
    const tenon_setting *row;

    for (size_t next = 0; (row = tn_settings_next(settings, &next));)
        if (same_name(name, row->name))
            return row;
    return NULL;
}

const char *tn_settings_near(const struct tn_settings *settings, struct tn_slice name)
{
    const char          *names[SETTINGS_MAX + SETTINGS_OWN_MAX];
    const tenon_setting *row;
    struct tn_meant      meant;
    size_t               count = 0, best;

    tn_meant_begin(&meant, name, false);
    for (size_t next = 0; (row = tn_settings_next(settings, &next)); count++) {
        names[count] = row->name;
        tn_meant_try(&meant, tn_slice_of(row->name), count);
    }
    return tn_meant_found(&meant, &best) ? names[best] : NULL;
}

/* ---- Help ---------------------------------------------------------------------------------------------------- */

static int settings_table_write_value(FILE *to, const tenon_setting *row)
{
    int len = 0;

    if (!row->choices)
        return row->value ? fprintf(to, " %s", row->value) : 0;
    for (const tenon_choice *choice = row->choices; choice->name; choice++)
        len += fprintf(to, "%c%s", choice == row->choices ? ' ' : '|', choice->name);
    return len;
}

void tn_settings_help_row(FILE *to, const tenon_setting *row)
{
    int len;

    if (row->group)
        fprintf(to, "\n%s:\n", row->group);
    len = row->alias ? fprintf(to, "  -%c, --%s", row->alias, row->name) : fprintf(to, "  --%s", row->name);
    len += settings_table_write_value(to, row);
    if (len > HELP_COLUMN - 2) {
        fputc('\n', to);
        len = 0;
    }
    fprintf(to, "%*s", HELP_COLUMN - len, "");
    for (const char *at = row->help; *at; at++)
        *at == '\n' ? (void)fprintf(to, "\n%*s", HELP_COLUMN, "") : (void)fputc(*at, to);
    if (row->standard)
        fprintf(to, " (%s)", row->standard);
    fputc('\n', to);
}

void tn_settings_help(const struct tn_settings *settings, FILE *to, const char *program, const char *name,
                      const char *version)
{
    const char          *slash = strrchr(program, '/');
    const tenon_setting *row;

    if (settings->usage) {
        fputs(settings->usage, to);
        tn_settings_help_row(to, &(tenon_setting){ .name = "help", .alias = 'h', .help = "print this" });
    } else {
        fprintf(to, "%s %s: a server of the Model Context Protocol.\n\n", name, version);
        fprintf(to, "usage: %s [--stdio | --http HOST:PORT] [--SETTING VALUE]...\n",
                slash ? slash + 1 : program);
    }
    for (size_t next = 0; (row = tn_settings_next(settings, &next));)
        tn_settings_help_row(to, row);
    if (settings->usage)
        return;
    fputs("\n  --help, --version\n\n"
          "Every setting but --token is also a variable of the environment (TENON_MAX_BODY=8MiB), and every "
          "one but\n"
          "--config a line of the configuration file (max-body = 8MiB). A flag overrides the environment, "
          "and that\n"
          "the file. TIME is written like 500ms, 50s, 2m or 1h; SIZE like 65536, 64KiB or 4MiB. A "
          "repeatable\n"
          "setting also takes a list separated by commas.\n",
          to);
}
