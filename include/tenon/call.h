/* call.h - what a handler can do with its call.
 *
 * A handler gets `call` and its bound arguments, and returns what one of the functions below gives it:
 *
 *     tenon_ok(call)                          success, with the text of tenon_text(), if any
 *     tenon_ok_data(call, client_rows, &c)    success, with the struct as data
 *     tenon_ok_page(...), tenon_ok_items(...) success, with a page of structs
 *     tenon_ok_written(call, writer)          success, with an object that was written value by value
 *     tenon_ok_json(call, text, len)          success, with data that is JSON already
 *     tenon_fail(call, TENON_CODE_NOT_FOUND, ...)  an error of the table
 *     tenon_invalid(call)                     the issues that tenon_issue_add() found against live data
 *
 * The outcome that is returned is answered, as it was when it was made, whatever else was made before or after it.
 *
 * Everything reached through `call` or the arguments lives until the answer is sent, and belongs to the library.
 * A refused allocation is recorded and turns the answer into INTERNAL_ERROR: there is nothing to check. A call is used
 * by one thread at a time; only tenon_call_cancel() may come from another.
 */
#ifndef TENON_CALL_H
#define TENON_CALL_H

#include <stdarg.h>

#include <tenon/group.h>
#include <tenon/json.h>
#include <tenon/root.h>
#include <tenon/tool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Around the handler ------------------------------------------------------------------------------------ */

/* The pointer given to the toolbox, for the program's own state. */
TENON_API void *tenon_user(const tenon_call *call);

/* True once the caller has cancelled the call; a long handler checks it regularly and returns tenon_cancelled(). */
TENON_API bool          tenon_is_cancelled(const tenon_call *call);
TENON_API tenon_outcome tenon_cancelled(tenon_call *call);

/* Milliseconds until a blocking handler's deadline, 0 when it is over; -1 without one. */
TENON_API int64_t tenon_time_left(const tenon_call *call);

/* The handler has waited `us` microseconds for what is outside of the program, such as a database: added up, and written in the
 * audit log beside the call's whole time. Called on the handler's own thread. */
TENON_API void tenon_waited(tenon_call *call, int64_t us);

/* Zeroed memory in the call's arena, aligned for anything; NULL when refused. */
TENON_API void *tenon_alloc(tenon_call *call, size_t len);

/* Adds a copy of `*item` to a list in the call's memory, for results whose number is not known beforehand.
 * `list` is the address of a tenon_strs, a tenon_ints and so on, or a TENON_LIST_OF, that is empty at first. False when refused.
 *
 *     while (step(query, &row))
 *         tenon_list_add(call, &result.notes, &(note){ row.number, row.title });
 */
#define tenon_list_add(call, list, item) \
    tenon_list_add_((call), &(list)->count, &(list)->at, sizeof *(list)->at, 1 ? (item) : (list)->at)
TENON_API bool tenon_list_add_(tenon_call *call, size_t *count, void *at, size_t size, const void *item);

/* Text in the call's arena; NULL when refused. */
TENON_API const char *tenon_format(tenon_call *call, const char *format, ...) TENON_PRINTF(2, 3);

/* Untrusted text, made safe for a sentence of yours: on one line, invisible characters escaped, and cut after 100
 * characters. Never NULL: "" when refused. */
TENON_API const char *tenon_echo(tenon_call *call, const char *text);

/* A view of JSON text, in the call's memory: for what a program keeps as text and answers as a value (TENON_JSON). NULL
 * when the text is not JSON, or without memory. */
TENON_API const tenon_json *tenon_json_parse(tenon_call *call, const char *text, size_t len);

/* A writer of JSON (json.h) in the call's memory, for tenon_ok_written(). Never freed alone; NULL when refused. */
TENON_API tenon_writer *tenon_call_writer(tenon_call *call);

/* ---- Presence: was it given? ------------------------------------------------------------------------------- */

typedef enum tenon_presence {
    TENON_ABSENT = 0, /* not sent */
    TENON_NULL,       /* sent as null, or as blank or a word that stands for nothing */
    TENON_GIVEN
} tenon_presence;

/* `field` points into the bound arguments: tenon_presence_of(call, &args->limit). An object has the address of its
 * first field, and it is the field that is meant. */
TENON_API tenon_presence tenon_presence_of(const tenon_call *call, const void *field);

/* Where an effective value came from: the argument, else the configuration, else the row's default. */
typedef enum tenon_source { TENON_FROM_DEFAULT = 0, TENON_FROM_CONFIG, TENON_FROM_ARGUMENT } tenon_source;

/* "argument", "configuration" or "default". */
TENON_API const char *tenon_source_name(tenon_source source);

/* Where the value of `field` comes from when the configuration has one (`configured`) or not:
 *
 *     tenon_source from  = tenon_source_of(call, &args->limit, config->has_limit);
 *     int          limit = from == TENON_FROM_CONFIG ? config->limit : args->limit;
 */
TENON_API tenon_source tenon_source_of(const tenon_call *call, const void *field, bool configured);

/* ---- Saying more ------------------------------------------------------------------------------------------- */

/* Adds a message: context for the model, such as a default that matters or why the result is empty. Each text
 * appears once, in order, and also beside an error. For an empty page the library reports that nothing matches, or that
 * the page is past the end, only when the handler added no message of its own. */
TENON_API void tenon_message(tenon_call *call, const char *format, ...) TENON_PRINTF(2, 3);

/* Adds a message about what was done, and how long the call has taken so far: "Searched 50 applications" becomes "Searched 50
 * applications in 450 ms." The time is measured for tools that are .blocking; for others it is left out. Unlike other
 * messages it gives no reason for an empty page. Add it where it explains something, not in every call. */
TENON_API void tenon_fact(tenon_call *call, const char *format, ...) TENON_PRINTF(2, 3);

/* Milliseconds since the handler began; 0 for a tool that is not .blocking. */
TENON_API int64_t tenon_elapsed_ms(const tenon_call *call);

/* Adds a line of text to the answer's data, {"text": ...}. For tools without a declared result. */
TENON_API void tenon_text(tenon_call *call, const char *format, ...) TENON_PRINTF(2, 3);

/* Adds an issue about `field` (into the bound arguments; of a tool with a JSON Schema, a view of one of its values) or,
 * with NULL, about the call as a whole; then return tenon_invalid(call). `code` is a short word of yours; the text is a
 * whole sentence, sent as it is: name the parameter in it. */
TENON_API void tenon_issue_add(tenon_call *call, const void *field, const char *code, const char *format, ...)
    TENON_PRINTF(4, 5);

/* The same with a value the caller should send instead, as JSON text. */
TENON_API void tenon_issue_suggest(tenon_call *call, const void *field, const char *code, const char *json,
                                   const char *format, ...) TENON_PRINTF(5, 6);

/* ---- Ending ------------------------------------------------------------------------------------------------ */

TENON_API tenon_outcome tenon_ok(tenon_call *call);

/* The tool's declared .result, filled. */
#ifdef __cplusplus
#define tenon_ok_data(call, rows, data) TENON_ONLY_C_VALUE_("tenon_ok_data()", tenon_outcome)
#else
#define tenon_ok_data(call, rows, data) \
    tenon_ok_data_((call), (rows), _Generic((data), rows##_of_ *: (data), const rows##_of_ *: (data)))
#endif
TENON_API tenon_outcome tenon_ok_data_(tenon_call *call, tenon_rows_fn rows, const void *data);

/* JSON text of one object as data, for tools that declare neither .result nor .items: checked to be JSON, and to keep
 * the tool's .result_schema if there is one. */
TENON_API tenon_outcome tenon_ok_json(tenon_call *call, const char *json, size_t len);

/* The object of a writer as data, for the same tools. A mistake of the writer's is answered as INTERNAL_ERROR, and logged. */
TENON_API tenon_outcome tenon_ok_written(tenon_call *call, tenon_writer *writer);

#define TENON_TOTAL_UNKNOWN (-1)

/* A page of the tool's declared .items: `count` structs from `items`, of `total` in all (or TENON_TOTAL_UNKNOWN:
 * there are more pages if this one is full). */
#ifdef __cplusplus
#define tenon_ok_page(...) TENON_ONLY_C_VALUE_("tenon_ok_page()", tenon_outcome)
#else
#define tenon_ok_page(call, page, rows, items, count, total)                                                 \
    tenon_ok_page_((call), (page), (rows), _Generic((items), rows##_of_ *: (items), const rows##_of_ *: (items)), \
                   (count), (total))
#endif
TENON_API tenon_outcome tenon_ok_page_(tenon_call *call, const tenon_page *page, tenon_rows_fn rows,
                                       const void *items, size_t count, int64_t total);

/* The place of an item in its order, as text from which the handler can go on: a key, never a number of items. */
typedef const char *(*tenon_position_fn)(tenon_call *call, const void *item);

/* A page by cursor: `more` is true when there are items after these. The answer's `nextCursor` marks the last item
 * that is shown, also when the budget cut the list. */
#ifdef __cplusplus
#define tenon_ok_items(...) TENON_ONLY_C_VALUE_("tenon_ok_items()", tenon_outcome)
#else
#define tenon_ok_items(call, rows, items, count, total, more, position)                                      \
    tenon_ok_items_((call), (rows), _Generic((items), rows##_of_ *: (items), const rows##_of_ *: (items)),   \
                    (count), (total), (more), (position))
#endif
TENON_API tenon_outcome tenon_ok_items_(tenon_call *call, tenon_rows_fn rows, const void *items, size_t count,
                                        int64_t total, bool more, tenon_position_fn position);

/* The position inside the call's cursor, or "" at the start. */
TENON_API const char *tenon_cursor_position(const tenon_call *call);

/* The library's own codes; a toolbox may add to them (toolbox.h). */
#define TENON_CODE_VALIDATION_ERROR "VALIDATION_ERROR"
#define TENON_CODE_NOT_FOUND        "NOT_FOUND"
#define TENON_CODE_CONFLICT         "CONFLICT"
#define TENON_CODE_DENIED           "DENIED"
#define TENON_CODE_UNAVAILABLE      "UNAVAILABLE"
#define TENON_CODE_TIMEOUT          "TIMEOUT"
#define TENON_CODE_CANCELLED        "CANCELLED"
#define TENON_CODE_LIMIT_EXCEEDED   "LIMIT_EXCEEDED"
#define TENON_CODE_INTERNAL_ERROR   "INTERNAL_ERROR"

/* The issues of tenon_issue_add() and tenon_issue_suggest(), as one VALIDATION_ERROR. */
TENON_API tenon_outcome tenon_invalid(tenon_call *call);

/* Adds to the details of the failure that follows; the table's text may name it as {key}. */
TENON_API void tenon_detail(tenon_call *call, const char *key, const char *format, ...) TENON_PRINTF(3, 4);
TENON_API void tenon_detail_int(tenon_call *call, const char *key, int64_t value);
TENON_API void tenon_detail_strs(tenon_call *call, const char *key, const char *const *at, size_t count);

/* Fails with a code of the table. The text is `format`, or the table's own when `format` is NULL. A code that is
 * not in the table is a bug, and answered and logged as INTERNAL_ERROR. */
TENON_API tenon_outcome tenon_fail(tenon_call *call, const char *code, const char *format, ...)
    TENON_PRINTF(3, 4);

/* Something went wrong inside: the caller sees a safe sentence with a reference, the log the same reference and
 * this text. */
TENON_API tenon_outcome tenon_internal(tenon_call *call, const char *format, ...) TENON_PRINTF(2, 3);

/* Opens a file beneath a root (root.h), or fails with DENIED or NOT_FOUND in words that name the parameter's path and
 * the allowed root: returns true and sets *fd, or false and sets *failure for the handler to return. */
TENON_API bool tenon_open(tenon_call *call, const tenon_root *root, const char *path, unsigned how, int *fd,
                          tenon_outcome *failure);

/* From another thread: makes tenon_is_cancelled() true, until the call runs again. */
TENON_API void tenon_call_cancel(tenon_call *call);

#ifdef __cplusplus
}
#endif
#endif
