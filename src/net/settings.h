/* settings.h - what the operator decides: one table of names, values and help for flags, environment, configuration file
 * and tenon_server_set(). A flag overrides the environment, that the file, that tenon_server_set(), that the default.
 * 
 */
#ifndef NET_SETTINGS_H
#define NET_SETTINGS_H

#include <stdio.h>

#include <tenon/server.h>

#include "base/arena.h"
#include "base/log.h"
#include "net/http/http.h"

#define SETTINGS_LIST_MAX   32                 /* values of a setting that may be given several times */
#define SETTINGS_MAX        96                 /* rows of the table */
#define SETTINGS_OWN_MAX    64                 /* rows of a program */
#define SETTINGS_FILE_BYTES ((size_t)64 << 10) /* of a configuration file */

struct tn_setting_list {
    const char *at[SETTINGS_LIST_MAX];
    size_t      count;
};

enum tn_log_form { LOG_TEXT = 0, LOG_JSON };

struct tn_settings {
    struct tn_arena arena; /* of all texts */

    bool        stdio;          /* --stdio; the default when no address is given */
    bool        check;          /* --check: compiles all there is, says so, and ends */
    bool        admin_only;     /* served at the admin's address alone: by a program, not by a setting */
    bool        console;        /* --console: a page for people at the admin's address */
    bool        ready_needs_db; /* --ready-needs-db: not ready while the database is away */
    const char *http;           /* --http HOST:PORT, or NULL */
    const char *path;           /* --path /mcp */
    const char *admin;          /* --admin HOST:PORT, or NULL: /healthz and /metrics */
    const char *public_url;     /* --public-url: how clients reach it through a proxy */
    struct tn_setting_list console_tokens; /* --console-token NAME:HASH */
    struct tn_setting_list allow_hosts;    /* --allow-host, beside loopback and the address itself */
    struct tn_setting_list allow_origins;  /* --allow-origin */
    const char            *key_file;       /* --key-file */

    struct tn_setting_list tokens;      /* --token NAME:HASH, the hash as `tenon token` prints it */
    const char            *tokens_file; /* --tokens-file: lines of NAME:HASH */
    const char            *oauth_issuer, *oauth_audience, *oauth_keys; /* --oauth-... */
    const char            *oauth_scopes, *oauth_algorithms;
    bool                   no_auth; /* --no-auth: listens beyond loopback without authentication, knowingly */

    tenon_unknown unknown;                                  /* --unknown reject|message|ignore */
    bool          portable;                                 /* --schema portable */
    int           deadline_ms, loops, workers, queue, lost; /* --deadline 50s, --loops N, --workers N ... */
    int           spares;     /* --spare-workers: for callers that have nothing running, when all are busy */
    int           grace_ms;   /* --grace: for running calls at shutdown; 30 s */
    int           session_ms; /* --session-time: idle, 1 hour */
    int           keepalive_ms; /* of silent streams: 15 s */
    int           share;        /* --share: percent of what others leave that one caller may hold; 50 */
    size_t        calls;        /* --max-calls: in flight, of the whole server; 1,000 */
    size_t        sessions;     /* --max-sessions: 10,000 */
    size_t        waiting_bytes, tasks, result_bytes, subscription_bytes, listeners; /* --max-... in sum */
    size_t        incoming_bytes, outgoing_bytes, replays_bytes;
    size_t        replay_bytes;    /* --max-replay: kept of a legacy stream that may be resumed; 256 KiB */
    struct tn_setting_list rates;  /* --rate */
    struct tn_http_limits  limits; /* --max-body ..., see http.h */

    int              log_level; /* --log error|warn|info|debug */
    enum tn_log_form log_form;  /* --log-format text|json */
    const char      *audit;     /* --audit FILE, or NULL */
    bool             audit_arguments;

    unsigned char strength[SETTINGS_MAX]; /* of what set each row of the table; 0 for its default */

    /* Of a program that has settings of its own. */
    bool                 given; /* made by tenon_settings_new(), and freed by who did */
    bool                 left;  /* a handler did not end, and may use them until the process does */
    const char          *name, *version, *usage;
    const tenon_setting *own;
    size_t               own_count;
    unsigned char        own_strength[SETTINGS_OWN_MAX];
    char                *values;
    const char          *mistake; /* the first: of its rows, or of tenon_settings_set() */
    tenon_strs           operands;
};

/* Defaults; NULL without memory. */
struct tn_settings *tn_settings_new(const tenon_allocator *memory);
void                tn_settings_free(struct tn_settings *settings);

/* Gives it the rows of a program, which outlive it, and their values' defaults. False without memory; what is wrong with a
 * default is in `mistake`. */
bool tn_settings_add_own(struct tn_settings *settings, const tenon_setting *rows, size_t count, void *values);

/* Was it given, in whatever way? */
bool tn_settings_has(const struct tn_settings *settings, const char *name);

/* Where its value came from: "flag", "environment", "file", "program" or "default". */
const char *tn_settings_from(const struct tn_settings *settings, const tenon_setting *row);

/* One setting by name, as the program says it; "config" reads a file. False, and *mistake a sentence in the arena, when
 * there is no such name (with the nearest one) or the value is not one of its kind (with what is). */
bool tn_settings_set(struct tn_settings *settings, const char *name, const char *value, const char **mistake);

/* The same as a configuration file says it: weaker than flags and environment, whichever comes first. For programs whose file has
 * another form. */
bool tn_settings_put(struct tn_settings *settings, const char *name, const char *value, const char **mistake);

enum tn_settings_ask { SETTINGS_SERVE, SETTINGS_HELP, SETTINGS_VERSION, SETTINGS_MISTAKE };

/* Flags, environment (TENON_NAME) and configuration file (--config FILE: lines of `name = value`, # comments), in the
 * right order of strength. argv[0] is skipped. `environment` is environ, or NULL. */
enum tn_settings_ask tn_settings_read(struct tn_settings *settings, int argc, char **argv, char **environment,
                                      const char **mistake);

/* Whatever holds between settings: an address that is not loopback needs authentication, and so on. NULL if sound. */
const char *tn_settings_mistake(struct tn_settings *settings);

/* The text of --help, made from the table. */
void tn_settings_help(const struct tn_settings *settings, FILE *to, const char *program, const char *name,
                      const char *version);

/* The two parts of an address that tn_settings_set() took: a name or a numeric address without brackets, and the port. */
struct tn_setting_address {
    char host[254], port[6];
};
struct tn_setting_address tn_settings_address(const char *address);

/* 127.0.0.0/8, ::1 and localhost. */
bool tn_settings_is_loopback(struct tn_slice host);

#endif
