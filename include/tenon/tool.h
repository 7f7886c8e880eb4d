/* tool.h - tools: rows, a description, hints and a handler in one block.
 *
 *     static tenon_outcome forecast(tenon_call *call, const forecast_args *args)
 *     {
 *         tenon_text(call, "Sunny in %s for %d days.", args->city, args->days);
 *         return tenon_ok(call);
 *     }
 *
 *     TENON_TOOL(forecast, forecast_args,
 *         TENON_INFO("Say what the weather will be."),
 *         TENON_STR(city, "A city, in English.", .required = true),
 *         TENON_INT(days, "How far ahead.",      .range = {1, 14}, .def = 3));
 */
#ifndef TENON_TOOL_H
#define TENON_TOOL_H

#if defined(__GNUC__)
#pragma GCC system_header /* as in rows.h */
#endif

#include <tenon/base.h>
#include <tenon/rows.h>

typedef struct tenon_call tenon_call; /* one call of a tool, while it runs (call.h) */

/* How a call ended. Only tenon_ok(), tenon_fail() and their kin make one. */
typedef struct tenon_outcome {
    int code;
} tenon_outcome;

/* Hints for clients; TENON_DESTRUCTIVE also makes the library more careful (docs/guides/tools.md). A hint is declared
 * true, declared false (TENON_HINT_NOT), or not given, which clients read as: not read-only, not idempotent, open,
 * destructive. */
enum { TENON_READ_ONLY = 1, TENON_IDEMPOTENT = 2, TENON_OPEN_WORLD = 4, TENON_DESTRUCTIVE = 8 };
#define TENON_HINT_NOT(hints) ((unsigned)(hints) << 8)

/* May a long call become a task, which the client asks for later, if it can? */
typedef enum tenon_task {
    TENON_TASK_NEVER = 0,
    TENON_TASK_ALLOWED,  /* when the client knows tasks */
    TENON_TASK_REQUIRED, /* other clients cannot call it */
    TENON_TASK_LATER     /* required too, but the handler says when: tenon_become_task() */
} tenon_task;

/*   src    https: or data:
 *   mime   its type, or NULL
 *   sizes  "48x48,96x96" or "any", or NULL
 *   theme  "light" or "dark", or NULL */
typedef struct tenon_icon {
    const char *src, *mime, *sizes, *theme;
} tenon_icon;

/* What to do with an argument that no row declares. */
typedef enum tenon_unknown {
    TENON_UNKNOWN_DEFAULT = 0, /* reject, unless the toolbox says otherwise */
    TENON_UNKNOWN_REJECT,
    TENON_UNKNOWN_MESSAGE,
    TENON_UNKNOWN_IGNORE
} tenon_unknown;

/*   doc      what the model reads to choose the tool
 *   name     when it is not the handler's
 *   title    for people
 *   hints    TENON_READ_ONLY | ...
 *   result   the rows of the answer's data, given with tenon_ok_data()
 *   items    the rows of one item, when the answer is a page of them, given with tenon_ok_page() or tenon_ok_items()
 *   unknown  policy for undeclared arguments
 *   strict   every row is strict
 *   budget   most bytes of an answer; 0 is the toolbox's
 *   result_schema  JSON Schema of the answer's data, an object, given with tenon_ok_json(): published, and checked
 *                  before it is sent
 *   blocking     the handler may wait: a server runs it on a worker, not on its loop
 *   deadline_ms  of a blocking handler in a server; 0 is the server's, -1 none
 *   task         may it become a task?
 *   plain        of a success, the text that clients show is that of tenon_text(), not the whole answer as JSON
 *   scopes       what a token must allow, separated by spaces ("notes:read notes:write")
 *   icons, icon_count
 *   meta         JSON text of an object, published as the tool's _meta */
typedef struct tenon_info {
    const char   *doc, *name, *title;
    unsigned      hints;
    tenon_rows_fn result, items;
    tenon_unknown unknown;
    bool          strict;
    size_t        budget;
    const char   *result_schema;
    bool          blocking, plain;
    int           deadline_ms;
    tenon_task    task;
    const char   *scopes;

    const tenon_icon *icons;
    size_t            icon_count;
    const char       *meta;
    size_t            icon_size; /* as the caller was compiled; set by the macro */
} tenon_info;

typedef struct tenon_tool {
    const char *handler;   /* its name in the source */
    size_t      info_size; /* as the caller was compiled */
    tenon_rows  rows;
    tenon_outcome (*run)(tenon_call *call, const void *args);
    const char *schema; /* of its arguments, when it has no rows */
    const void *reserved_[2];
    tenon_info  info; /* last: it may grow */
} tenon_tool;

#define TENON_INFO(...) { .icon_size = sizeof(tenon_icon), .doc = __VA_ARGS__ }

#ifdef __cplusplus
#define TENON_TOOL(fn, ...)        TENON_ONLY_C_("TENON_TOOL(" #fn ", ...)"); TENON_TOOL_DECL(fn)
#define TENON_TOOL0(fn, ...)       TENON_ONLY_C_("TENON_TOOL0(" #fn ", ...)"); TENON_TOOL_DECL(fn)
#define TENON_SCHEMA_TOOL(fn, ...) TENON_ONLY_C_("TENON_SCHEMA_TOOL(" #fn ", ...)"); TENON_TOOL_DECL(fn)
#else
/* Defines fn_tool(), which returns the tool. The handler stands before it, as
 * `tenon_outcome fn(tenon_call *, const T *)`: any other type does not compile. To use the tool from another file,
 * put TENON_TOOL_DECL(fn) into a header. */
#define TENON_TOOL(fn, T, info_, ...)                                                                        \
    TENON_RUN_(fn, (call_, args_), (tenon_call *, const T *))                                                \
    TENON_PRESETS_BEGIN_                                                                                     \
    const tenon_tool *fn##_tool(void)                                                                        \
    {                                                                                                        \
        typedef T               tenon_self_;                                                                 \
        static const tenon_row  rows_[] = { __VA_ARGS__ };                                                   \
        static const tenon_tool tool_   = { .handler   = #fn,                                                \
                                            .info      = info_,                                              \
                                            .info_size = sizeof(tenon_info),                                 \
                                            .run       = fn##_run_,                                          \
                                            .rows      = TENON_TABLE_(#fn, rows_, T) };                      \
        return &tool_;                                                                                       \
    }                                                                                                        \
    TENON_PRESETS_END_                                                                                       \
    TENON_TOOL_DECL(fn)

/* A tool without parameters: its handler is `tenon_outcome fn(tenon_call *)`. */
#define TENON_TOOL0(fn, info_)                                                                               \
    TENON_RUN_(fn, (call_), (tenon_call *))                                                                  \
    TENON_BARE_(fn, NULL, info_)

/* A tool whose arguments are declared by the JSON text of a schema (draft 2020-12, or the one that its $schema names):
 * its handler is `tenon_outcome fn(tenon_call *, const tenon_json *)`. The text is published as it is. Arguments are
 * validated by it, formats included, and repaired as tenon_verdict_repair() does, defaults filled in; the schema
 * decides what undeclared arguments mean. A strict tool refuses numbers and truth values in quotes, and lone values
 * for lists; a destructive one refuses null for an argument that may be left out. The schema says "type": "object". */
#define TENON_SCHEMA_TOOL(fn, info_, schema_)                                                                \
    TENON_RUN_(fn, (call_, args_), (tenon_call *, const tenon_json *))                                       \
    TENON_BARE_(fn, schema_, info_)
#endif

#define TENON_TOOL_DECL(fn) const tenon_tool *fn##_tool(void)

/* Calls the handler if it has the right type, and names that type if not. */
#define TENON_RUN_(fn, args, type)                                                                           \
    static tenon_outcome fn##_run_(tenon_call *call_, const void *args_)                                     \
    {                                                                                                        \
        _Static_assert(_Generic(&fn, tenon_outcome(*) type: 1, default: 0),                                  \
                       "the handler must be: tenon_outcome " #fn #type);                                     \
        (void)args_;                                                                                         \
        return _Generic(&fn, tenon_outcome(*) type: fn, default: (tenon_outcome(*) type)0) args;             \
    }                                                                                                        \
    TENON_TOOL_DECL(fn);

/* A tool without rows. */
#define TENON_BARE_(fn, schema_, ...) /* its info, which has commas */                                        \
    const tenon_tool *fn##_tool(void)                                                                        \
    {                                                                                                        \
        static const tenon_tool tool_ = { .handler   = #fn,                                                  \
                                          .info      = __VA_ARGS__,                                          \
                                          .info_size = sizeof(tenon_info),                                   \
                                          .run       = fn##_run_,                                            \
                                          .schema    = schema_,                                              \
                                          .rows      = { .name = #fn, .row_size = TENON_ROW_SIZE_ } };       \
        return &tool_;                                                                                       \
    }                                                                                                        \
    TENON_TOOL_DECL(fn)

#endif
