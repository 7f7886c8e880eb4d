/* toolbox.h - a set of tools, and calling them in memory.
 *
 *     tenon_toolbox *box = tenon_toolbox_new(.user = &db);
 *     tenon_toolbox_add(box, forecast_tool());
 *
 *     tenon_call         *call   = tenon_call_new(box);
 *     const tenon_answer *answer = tenon_call_run(call, "forecast", json, strlen(json));
 *     fwrite(answer->json, 1, answer->len, stdout);
 *
 * A toolbox does not change once its tools are added, and may then be used by many threads at once, each with calls
 * of its own. A call may run any number of times, one after the other; it reuses its memory. What a tool needs to be called or
 * shown is made when that first happens, and is shared by tools with the same rows.
 */
#ifndef TENON_TOOLBOX_H
#define TENON_TOOLBOX_H

#include <tenon/call.h>
#include <tenon/schema.h>
#include <tenon/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_toolbox tenon_toolbox;

/* A row of the error table: what {names} in `text` stand for is given by tenon_detail(). The text ends with the
 * caller's next action. A member that is added later begins after the last unused bytes. */
typedef struct tenon_error {
    const char *code, *text;
    bool        retryable;
} tenon_error;

/* The rows of an array, as options of a toolbox: tenon_toolbox_new(TENON_ERRORS(own_errors)). */
#define TENON_ERRORS(rows) .errors = (rows), .error_count = sizeof(rows) / sizeof *(rows)

#define TENON_KEY_LEN 32

/* Zero in a field is its default; fields are only ever added.
 *   size, error_size  set by the macro
 *   user         what tenon_user() returns
 *   memory       NULL is malloc; copied
 *   errors       codes beside the library's own; must outlive the toolbox
 *   unknown      overrides every tool's policy for undeclared arguments; a destructive one's only to refuse them
 *   strict       every row of every tool is strict
 *   no_output    publish no outputSchema
 *   budget       most bytes of an answer; 0 is TENON_BUDGET
 *   max_bytes    most bytes of arguments; 0 is TENON_MAX_BYTES
 *   max_depth    deepest nesting of arguments; 0 is TENON_MAX_DEPTH
 *   max_nodes    most values in them; 0 is TENON_MAX_NODES
 *   key          TENON_KEY_LEN bytes that sign cursors; NULL generates a random one, for this toolbox only
 *   log          gets each line for the operator, with its level (1 error, 2 warning, 3 information, 4 debugging);
 *                NULL writes to standard error
 *   log_user     what `log` gets as its `user`
 *   schemas      documents that the schemas of tools may refer to; must outlive the toolbox
 *   old_key      TENON_KEY_LEN bytes that signed cursors before `key` did, and are still accepted; may be NULL
 *   portable     callers are given the portable form of schemas, in which every property must be sent: what that form
 *                offers for leaving a parameter out ([], "", "not_given", its default) is taken as left out */
typedef struct tenon_toolbox_options {
    size_t                 size;
    void                  *user;
    const tenon_allocator *memory;
    const tenon_error     *errors;
    size_t                 error_count, error_size;
    tenon_unknown          unknown;
    bool                   strict, no_output;
    size_t                 budget, max_bytes, max_depth, max_nodes;
    const unsigned char   *key;
    void (*log)(void *user, int level, const char *text);
    void                *log_user;
    tenon_schemas       *schemas;
    const unsigned char *old_key;
    bool                 portable, reserved_[7];
} tenon_toolbox_options;

#define TENON_BUDGET    ((size_t)65536)
#define TENON_MAX_BYTES ((size_t)4 << 20)
#define TENON_MAX_DEPTH ((size_t)64)
#define TENON_MAX_NODES ((size_t)200000)

/* NULL when out of memory. The macro takes the options by name, or none: tenon_toolbox_new(). */
#ifdef __cplusplus
#define tenon_toolbox_new(...) TENON_ONLY_C_VALUE_("tenon_toolbox_new()", tenon_toolbox *)
#else
#define tenon_toolbox_new(...)                                                                                \
    tenon_toolbox_new_(&(tenon_toolbox_options){                                                              \
        .size = sizeof(tenon_toolbox_options), .error_size = sizeof(tenon_error), __VA_ARGS__ })
#endif
TENON_API tenon_toolbox *tenon_toolbox_new_(const tenon_toolbox_options *options);
TENON_API void           tenon_toolbox_free(tenon_toolbox *box);

/* Checks `tool` and adds it. It must outlive the box, and neither it nor its rows may change. A mistake in its rows is
 * TENON_E_DECLARATION; it is also kept, so that the status may be ignored here and tenon_toolbox_error() asked once. `box` may be
 * NULL. */
TENON_API tenon_status tenon_toolbox_add(tenon_toolbox *box, const tenon_tool *tool);

/* All mistakes, with the names of tool and parameter, one a line; NULL without one. For a NULL box: out of memory. */
TENON_API const char *tenon_toolbox_error(const tenon_toolbox *box);

/* A tool as it is published. All text is borrowed from the box, or is the tool's own. A tool that is declared by a JSON
 * Schema publishes that text, byte for byte; its portable form is the same text, or NULL when that needs more than
 * every provider's strict mode accepts. */
typedef struct tenon_tool_view {
    const char *name, *title, *doc; /* title may be NULL */
    unsigned    hints;
    const char *input, *portable_input; /* JSON Schema, in both forms */
    const char *output;                 /* JSON Schema of the whole answer; NULL when not published */
} tenon_tool_view;

/* NULL when there is no such tool, and when memory for its texts is refused: they are written when they are first asked for. */
TENON_API size_t                 tenon_toolbox_count(const tenon_toolbox *box);
TENON_API const tenon_tool_view *tenon_toolbox_tool(const tenon_toolbox *box, size_t index);
TENON_API const tenon_tool_view *tenon_toolbox_find(const tenon_toolbox *box, const char *name);

/* ---- Calling ----------------------------------------------------------------------------------------------- */

/* An answer: the envelope as JSON, followed by a NUL. */
typedef struct tenon_answer {
    const char *json;
    size_t      len;
    bool        is_error; /* exactly when "status" is "ERROR" */
    const char *code;     /* of the error; NULL on success */
} tenon_answer;

/* NULL when out of memory, or for a NULL box. The box must outlive the call. */
TENON_API tenon_call *tenon_call_new(tenon_toolbox *box);
TENON_API void        tenon_call_free(tenon_call *call);

/* Validates `json` (the arguments; nothing or "null" means none), runs the handler if there is no issue, and returns
 * the answer, which lives until the call runs again. NULL when the box has no tool of that name. Out of memory is an
 * answer too, and a fixed one. */
TENON_API const tenon_answer *tenon_call_run(tenon_call *call, const char *tool, const char *json,
                                             size_t len);

/* How often values of the last run were taken in another form (3.0 for 3, an enum's case, JSON text for a list) or
 * of another type ("3" for 3). */
TENON_API size_t tenon_call_reformed(const tenon_call *call);
TENON_API size_t tenon_call_coerced(const tenon_call *call);

#ifdef __cplusplus
}
#endif
#endif
