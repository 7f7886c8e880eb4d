/* server.h - tools, resources and prompts, served to clients of the Model Context Protocol.
 *
 *     int main(int argc, char **argv)
 *     {
 *         tenon_server *server = tenon_server_new("notes", "1.0.0", .instructions = "Search before you write.");
 *
 *         tenon_server_add(server, search_notes_tool());
 *         return tenon_server_main(server, argc, argv);
 *     }
 *
 * tenon_server_main() serves standard input and output, or HTTP with --http HOST:PORT, until it is stopped. A
 * program that has a main of its own starts and stops the server on a thread, or polls it, or hands it single messages
 * in memory (tenon_link). It supports revisions of the protocol from 2024-11-05 to 2026-07-28, whichever a message uses.
 *
 * Mistakes are kept: statuses may be ignored and tenon_server_error() asked once; tenon_server_main() does so itself, and
 * writes all of them, a line each.
 */
#ifndef TENON_SERVER_H
#define TENON_SERVER_H

#include <tenon/resource.h>
#include <tenon/setting.h>
#include <tenon/skill.h>
#include <tenon/toolbox.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_server tenon_server;

/* Zero in a field is its default; fields are only ever added. What is not explained here means what it does in
 * toolbox.h.
 *   title, description, website, icons   for people
 *   instructions  what a model should know before it chooses among the tools
 *   page          entries of a list in one page; 0 is TENON_PAGE_ENTRIES
 *   ttl_ms        how long a client may keep a list; 0 asks it to fetch the list each time */
typedef struct tenon_server_options {
    size_t                 size, error_size;
    const char            *title, *description, *website, *instructions;
    const tenon_icon      *icons;
    size_t                 icon_count;
    void                  *user;
    const tenon_allocator *memory;
    const tenon_error     *errors;
    size_t                 error_count;
    tenon_unknown          unknown;
    bool                   strict, no_output;
    size_t                 budget, max_bytes, max_depth, max_nodes;
    void (*log)(void *user, int level, const char *text);
    void          *log_user;
    tenon_schemas *schemas;
    size_t         page;
    int64_t        ttl_ms;
    size_t         icon_size; /* set by the macro */
} tenon_server_options;

#define TENON_PAGE_ENTRIES ((size_t)100)

/* NULL when out of memory; every function below accepts that, and tenon_server_main() reports it. */
#ifdef __cplusplus
#define tenon_server_new(...) TENON_ONLY_C_VALUE_("tenon_server_new()", tenon_server *)
#else
#define tenon_server_new(name, ...) TENON_SERVER_NEW_(name, __VA_ARGS__, )
#define TENON_SERVER_NEW_(name, version, ...) /* options or none: the comma before them is always there */ \
    tenon_server_new_((name), (version),                                                            \
                      &(tenon_server_options){ .size       = sizeof(tenon_server_options),          \
                                               .error_size = sizeof(tenon_error),            \
                                               .icon_size  = sizeof(tenon_icon), __VA_ARGS__ })
#endif
TENON_API tenon_server *tenon_server_new_(const char *name, const char *version,
                                          const tenon_server_options *options);

/* Stops it first if it runs. */
TENON_API void tenon_server_free(tenon_server *server);

/* All mistakes, in words, one a line; NULL without one. What only serving finds out, such as rows that contradict themselves, is
 * among them after the server was started. */
TENON_API const char *tenon_server_error(const tenon_server *server);

/* ---- What it offers: before it starts ------------------------------------------------------------------------ */

TENON_API tenon_status tenon_server_add(tenon_server *server, const tenon_tool *tool);
TENON_API tenon_status tenon_server_add_prompt(tenon_server *server, const tenon_tool *prompt,
                                               tenon_complete_fn complete);

/* A resource with a fixed URI, or a family of them with a template of RFC 6570: {name} stands for a part without
 * '/', {+name} for one that may have it. All text must outlive the server. */
#ifdef __cplusplus
#define tenon_server_resource(...) TENON_ONLY_C_VALUE_("tenon_server_resource()", tenon_status)
#else
#define tenon_server_resource(server, uri, ...) TENON_SERVER_RESOURCE_(server, uri, __VA_ARGS__, )
#define TENON_SERVER_RESOURCE_(server, uri, read, ...)                                               \
    tenon_server_resource_((server), (uri), (read),                                                  \
                           &(tenon_resource_options){ .size      = sizeof(tenon_resource_options),   \
                                                      .icon_size = sizeof(tenon_icon), __VA_ARGS__ })
#endif
TENON_API tenon_status tenon_server_resource_(tenon_server *server, const char *uri, tenon_read_fn read,
                                              const tenon_resource_options *options);
#ifdef __cplusplus
#define tenon_server_template(...) TENON_ONLY_C_VALUE_("tenon_server_template()", tenon_status)
#else
#define tenon_server_template(server, uri, ...) TENON_SERVER_TEMPLATE_(server, uri, __VA_ARGS__, )
#define TENON_SERVER_TEMPLATE_(server, uri, read, ...)                                               \
    tenon_server_template_((server), (uri), (read),                                                  \
                           &(tenon_resource_options){ .size      = sizeof(tenon_resource_options),   \
                                                      .icon_size = sizeof(tenon_icon), __VA_ARGS__ })
#endif
TENON_API tenon_status tenon_server_template_(tenon_server *server, const char *uri, tenon_read_fn read,
                                              const tenon_resource_options *options);

/* A skill: its name is of a-z, 0-9 and single hyphens within. Clients of 2026-07-28 find it by skills/list and skills/get,
 * others as the resource skill://NAME/SKILL.md; its files are read as skill://NAME/PATH. All of it must outlive the server. */
#ifdef __cplusplus
#define tenon_server_skill(...) TENON_ONLY_C_VALUE_("tenon_server_skill()", tenon_status)
#else
#define tenon_server_skill(server, name, ...)                                                        \
    tenon_server_skill_((server), (name),                                                            \
                        &(tenon_skill_options){ .size      = sizeof(tenon_skill_options),            \
                                                .file_size = sizeof(tenon_skill_file), __VA_ARGS__ })
#endif
TENON_API tenon_status tenon_server_skill_(tenon_server *server, const char *name,
                                           const tenon_skill_options *options);

/* ---- What changes: at any time, from any thread -------------------------------------------------------------- */

/* Takes a tool (or a prompt, or a resource by its URI) off its list or puts it back; clients that listen are
 * notified. A hidden tool cannot be called. False when nothing has that name. */
TENON_API bool tenon_server_show_tool(tenon_server *server, const char *name, bool shown);
TENON_API bool tenon_server_show_prompt(tenon_server *server, const char *name, bool shown);
TENON_API bool tenon_server_show_resource(tenon_server *server, const char *uri, bool shown);

/* Notifies subscribers that a resource has new content. */
TENON_API void tenon_server_updated(tenon_server *server, const char *uri);

/* The server of a call, for handlers that change what it offers; NULL for a call of a bare toolbox. */
TENON_API tenon_server *tenon_server_of(const tenon_call *call);

/* ---- Serving ------------------------------------------------------------------------------------------------- */

/* One setting of the operator's, by the name of its flag: tenon_server_set(server, "http", "127.0.0.1:0"). The same
 * names are flags of tenon_server_main(), variables of the environment (TENON_HTTP) and keys of the configuration file.
 * docs/serving.md has the list. */
TENON_API tenon_status tenon_server_set(tenon_server *server, const char *name, const char *value);

/* Reads flags, environment and configuration file, serves until the input ends or a signal comes, and returns what
 * main() should: 0, or 1 after a mistake, 2 for a wrong command line. Frees the server. */
TENON_API int tenon_server_main(tenon_server *server, int argc, char **argv);

/* The same for a program that has settings of its own, and read them (setting.h): the server is served by those. */
TENON_API int tenon_server_run(tenon_server *server, tenon_settings *settings);

/* Serves HTTP on threads of its own; signals and standard streams are left alone. Returns when it is ready. */
TENON_API tenon_status tenon_server_start(tenon_server *server);

/* Serves HTTP on the caller's thread, or the standard streams after tenon_server_set(server, "stdio", ""), and only while it polls: handlers run inside tenon_server_poll(), which waits for
 * something to do for at most `timeout_ms` (0: not at all, -1: as long as it takes) and returns how many messages were
 * answered, or -1 when it was stopped. tenon_server_fd() becomes readable when there is something to do. */
TENON_API tenon_status tenon_server_open(tenon_server *server);
TENON_API int          tenon_server_poll(tenon_server *server, int timeout_ms);
TENON_API int          tenon_server_fd(const tenon_server *server);

/* Where it listens, "http://127.0.0.1:40123/mcp"; "" before. */
TENON_API const char *tenon_server_url(const tenon_server *server);

/* Lets running calls finish, then closes everything. After it the server may be started again. */
TENON_API void tenon_server_stop(tenon_server *server);

/* A database that the server needs: what it tells of itself at the admin's address, in /readyz and /metrics. */
typedef struct tenon_database_state {
    size_t   size;              /* set by the library: fields beyond it are not there */
    bool     is_up;             /* it was reached when it was last asked */
    size_t   busy, idle;        /* connections */
    uint64_t connects, refused; /* made so far, and those that failed */
    uint64_t waited_us;         /* for connections, in sum */
    uint64_t conflicts,
        lost; /* transactions that were run again: others were in the way, the connection was lost */
    uint64_t dead_rows; /* of its tables, which wait for a vacuum */
    uint64_t
        oldest_ms; /* since the oldest transaction of the database began: no dead row since then can go */
} tenon_database_state;

/* Called at any time by a thread that serves: it must not wait. Before the server starts. */
typedef void (*tenon_database_fn)(void *user, tenon_database_state *state);
TENON_API void tenon_server_database(tenon_server *server, tenon_database_fn tell, void *user);

/* ---- In memory ----------------------------------------------------------------------------------------------- */

typedef struct tenon_link tenon_link;

/* Gets each message that goes out: one JSON text without a line end, valid during the call. It may be called later and
 * by other threads, never by two at once. It must not send on the same link. */
typedef void (*tenon_sink_fn)(void *user, const char *json, size_t len);

/* One client, in memory. Handlers run inside tenon_link_send(), on its thread. Free every link before the server. */
TENON_API tenon_link *tenon_link_new(tenon_server *server, tenon_sink_fn sink, void *user);
TENON_API void        tenon_link_send(tenon_link *link, const char *json, size_t len);
TENON_API void        tenon_link_free(tenon_link *link);

#ifdef __cplusplus
}
#endif
#endif
