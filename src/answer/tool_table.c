/* tool_table.c - tables of rows by where they lie in the program. */
#include "answer/tool_table.h"

#include <string.h>

#include "answer/phrases.h"
#include "answer/toolbox.h"
#include "base/memory.h"
#include "rows/emit.h"
#include "rows/row_shape.h"

/* Tools may be copies of each other, with a table of the same rows in each. */
static bool is_same(const tenon_rows *one, const tenon_rows *other)
{
    return one->at == other->at && one->count == other->count && one->row_size == other->row_size &&
           one->struct_size == other->struct_size && strcmp(one->name, other->name) == 0;
}

struct tn_tool_table *tn_tool_table_find(const tenon_toolbox *box, const tenon_rows *rows)
{
    struct tn_tool_table *table = rows->name ? tn_table_find(&box->tables, rows->at, TABLE_NO_NAME) : NULL;

    return table && is_same(&table->rows, rows) ? table : NULL;
}

static bool has_cursor(const struct tn_object *object)
{
    for (size_t i = 0; i < object->count; i++)
        if (object->params[i].group && strcmp(object->params[i].group, CURSOR_GROUP) == 0)
            return true;
    return false;
}

struct tn_tool_table *tn_tool_table_add(tenon_toolbox *box, const tenon_rows *rows, const tenon_shape *tried)
{
    struct tn_tool_table *table = tn_arena_new(&box->arena, struct tn_tool_table);

    if (!table || !tn_table_add(&box->tables, &box->arena, rows->at, TABLE_NO_NAME, table))
        return NULL;
    table->rows      = *rows;
    table->room      = tn_shape_room(tried);
    table->bound     = tn_emit_bound(tried->object);
    table->cursor    = has_cursor(tried->object);
    table->next      = box->first_table;
    box->first_table = table;
    return table;
}

static tenon_status compile(tenon_toolbox *box, const struct tn_tool_table *table, bool tried,
                            tenon_shape **shape)
{
    *shape = tn_shape_again(&table->rows, table->room, tried, &box->memory);
    if (!*shape)
        return TENON_E_NOMEM;
    if (!(*shape)->error)
        return TENON_OK;
    tn_log_line(&box->log, LOG_ERROR, PHRASE_LOG_CHANGED, (*shape)->error);
    tenon_shape_free(*shape);
    *shape = NULL;
    return TENON_E_DECLARATION;
}

tenon_status tn_tool_table_compile(tenon_toolbox *box, struct tn_tool_table *table)
{
    return table->shape ? TENON_OK : compile(box, table, false, &table->shape);
}

tenon_status tn_tool_table_borrow(tenon_toolbox *box, const struct tn_tool_table *table, tenon_shape **shape)
{
    *shape = table->shape;
    return *shape ? TENON_OK : compile(box, table, true, shape);
}

void tn_tool_table_return(const struct tn_tool_table *table, tenon_shape *shape)
{
    if (shape != table->shape)
        tenon_shape_free(shape);
}

void tn_tool_tables_free(tenon_toolbox *box)
{
    for (struct tn_tool_table *table = box->first_table; table; table = table->next) {
        tenon_shape_free(table->shape);
        tn_tool_texts_free(box, table->texts);
    }
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

struct tn_tool_text *tn_tool_text_keep(const tenon_toolbox *box, struct tn_tool_text **list, unsigned key,
                                       struct tn_slice text)
{
    struct tn_tool_text *kept = tn_memory_new(&box->memory, sizeof *kept + text.len + 1);

    if (!kept)
        return NULL;
    *kept = (struct tn_tool_text){ .next = *list, .key = key, .len = text.len };
    memcpy(kept->at, text.at, text.len);
    kept->at[text.len] = '\0';
    *list              = kept;
    return kept;
}

void tn_tool_texts_free(const tenon_toolbox *box, struct tn_tool_text *list)
{
    while (list) {
        struct tn_tool_text *next = list->next;

        tn_memory_free(&box->memory, list, sizeof *list + list->len + 1);
        list = next;
    }
}
