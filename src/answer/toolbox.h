/* toolbox.h - a toolbox and its tools.
 *
 * A tool is checked when it is added. Whatever that does not need is made when it is first asked for, under the lock of the
 * box: the model of its arguments by the first call, its texts by the first list. What was refused for want of memory is
 * tried again the next time.
 */
#ifndef ANSWER_TOOLBOX_H
#define ANSWER_TOOLBOX_H

#include <pthread.h>
#include <stdatomic.h>

#include <tenon/toolbox.h>

#include "answer/errors.h"
#include "answer/tool_document.h"
#include "answer/tool_table.h"
#include "base/arena.h"
#include "base/complaints.h"
#include "base/log.h"
#include "base/table.h"

#define TOOL_NAME_MAX  64
#define SCHEMA_LEN_MAX ((size_t)1 << 20)
#define BUDGET_MIN     ((size_t)1024)
#define CURSOR_GROUP   "tenon_cursor_rows"

struct tn_tool {
    tenon_tool_view          view; /* first, so that a view leads to its tool */
    size_t                   name_len;
    const tenon_tool        *declared;
    struct tn_tool_table    *rows, *data; /* of its arguments, and of its result or items; or NULL */
    struct tn_tool_document *document, *data_document; /* the same, declared by JSON Schema */
    struct tn_tool_text     *output;  /* published of .result_schema, when it was asked for */
    tenon_unknown            unknown; /* resolved */
    bool                     strict, destructive;
    bool unfilled; /* its schema's defaults are not filled in: the server that gets the arguments does that */
    bool unrepaired;    /* what its schema refuses is refused, whatever it could be brought into */
    bool tells_nothing; /* null for an optional argument is left out with a message */
    atomic_bool ready;  /* the members below are known (tn_tool_ready) */
    atomic_bool viewed; /* the texts of the view are */
    size_t      budget;

    const struct tn_tool_header *headers; /* arguments that clients repeat in HTTP headers */
    size_t                       header_count;

    bool          guarded;                /* some argument is secret, or a map that may hold secrets */
    bool          looks;                  /* some row has a lookup */
    tenon_shape  *input, *result, *items; /* the last two may be NULL, and the first when there is a schema */
    tenon_schema *schema, *result_schema; /* documents that declare arguments and data, or NULL */
    const struct tn_param *cursor, *limit; /* of the cursor group, or NULL */
};

struct tenon_toolbox {
    tenon_allocator          memory;
    struct tn_arena          arena;
    tenon_toolbox_options    options; /* with every default filled in */
    struct tn_error_table    errors;
    struct tn_log            log;
    unsigned char            keys[2][TENON_KEY_LEN]; /* the first signs, either is believed */
    size_t                   key_count;
    struct tn_tool         **tools;
    size_t                   count, room;
    struct tn_table          names, tables, documents;
    struct tn_tool_table    *first_table; /* of all, to free */
    struct tn_tool_document *first_document;
    struct tn_complaints     complaints;
    pthread_mutex_t          lock; /* of what is made after the tools were added */
};

/* Makes room for so many more tools at once. False when memory is refused. */
bool tn_toolbox_room(tenon_toolbox *box, size_t count);

/* NULL when there is none. */
struct tn_tool *tn_toolbox_lookup(const tenon_toolbox *box, const char *name);

/* Makes what a call of the tool needs, by whatever thread comes first. TENON_E_NOMEM when memory is refused, and
 * TENON_E_DECLARATION when the program changed its rows. */
tenon_status tn_tool_prepare(tenon_toolbox *box, struct tn_tool *tool);

static inline tenon_status tn_tool_ready(tenon_toolbox *box, struct tn_tool *tool)
{
    return atomic_load_explicit(&tool->ready, memory_order_acquire) ? TENON_OK : tn_tool_prepare(box, tool);
}

/* publish.c: the schema of the tool's arguments, and of its answer; written when it is first asked for, by any thread. No text
 * when there is none in that form. TENON_E_NOMEM as above, TENON_E_DECLARATION when it is too long too. */
tenon_status tn_publish_input(tenon_toolbox *box, struct tn_tool *tool, tenon_schema_form form,
                              struct tn_slice *text);
tenon_status tn_publish_output(tenon_toolbox *box, struct tn_tool *tool, struct tn_slice *text);

/* May one of its texts be longer than SCHEMA_LEN_MAX? */
bool tn_publish_is_long(const struct tn_tool *tool);

#endif
