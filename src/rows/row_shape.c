/* row_shape.c - compiling rows, and what is published of them. */
#include "rows/row_shape.h"

#include <sodium.h>

#include "rows/emit.h"
#include "rows/row_table.h"

#define SHAPE_SCHEMA_MAX ((size_t)64 << 20)
#define EXPECTED_ROOM    ((size_t)56) /* of what one value expects, most of the time */
#define WRITING_ROOM     ((size_t)128) /* of the last of them while it is written */

static void publish(tenon_shape *shape, tenon_schema_form form)
{
    struct tn_emit_how how = { .form = form, .closed = true };
    struct tn_buf      out;

    tn_buf_init(&out, &shape->arena, 512, SHAPE_SCHEMA_MAX);
    tn_emit_object(&out, shape->object, &how);
    if (tn_buf_end(&out))
        shape->schema[form] = tn_buf_slice(&out);
    else
        shape->arena.failed = true;
}

static tenon_shape *new_shape(const tenon_allocator *memory, bool tried)
{
    tenon_allocator from  = tn_memory_of(memory);
    tenon_shape    *shape = sodium_init() < 0 ? NULL
                                              : tn_memory_new(&from, sizeof *shape); /* unique.c needs it */

    if (!shape)
        return NULL;
    *shape = (tenon_shape){ .memory = from, .tried = tried };
    tn_arena_init(&shape->arena, &from, 0);
    return shape;
}

/* Compiles into a new shape, which is freed when memory is refused. */
static tenon_shape *fill_shape(tenon_shape *shape, const tenon_rows *rows, const char *owner, bool known)
{
    struct tn_row_compilation lowering = { .shape = shape, .known = known };

    tn_arena_init(&lowering.scratch, &shape->memory, 0);
    lowering.mistake = (struct tn_mistake){ .arena = &shape->arena, .owner = owner, .all = true };
    shape->object    = tn_row_table_compile(&lowering, rows);
    shape->error     = lowering.mistake.text;
    tn_arena_free(&lowering.scratch);
    tn_matcher_free(lowering.matcher);
    if (shape->arena.failed && !shape->error) {
        tenon_shape_free(shape);
        return NULL;
    }
    return shape;
}

tenon_shape *tn_shape_compile(const tenon_rows *rows, const char *owner, const tenon_allocator *memory)
{
    tenon_shape *shape = new_shape(memory, false);

    return shape ? fill_shape(shape, rows, owner, false) : NULL;
}

tenon_shape *tn_shape_try(const tenon_rows *rows, const char *owner, const tenon_allocator *memory)
{
    tenon_shape *shape = new_shape(memory, true);

    return shape ? fill_shape(shape, rows, owner, false) : NULL;
}

/* Of what is not written in a shape that is tried: about what it takes, without writing it. */
static size_t expected_room(const struct tn_object *object, bool inside)
{
    size_t room = 0;

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param  *param  = &object->params[i];
        const struct tn_node   *item   = param->node->list.item;
        const struct tn_choice *choice = item ? item->choice : param->node->choice;
        size_t                  len    = EXPECTED_ROOM;

        for (size_t k = 0; choice && k < choice->count; k++)
            len += choice->names[k].len + 3;
        room += (inside ? param->len : 0) + (item ? 3 * len : len);
        if (param->node->object)
            room += expected_room(param->node->object, true) + param->node->object->count * EXPECTED_ROOM;
    }
    return room;
}

size_t tn_shape_room(const tenon_shape *shape)
{
    size_t room = shape->arena.used - (size_t)(shape->arena.end - shape->arena.next);

    return shape->tried ? room + expected_room(shape->object, false) + WRITING_ROOM : room;
}

tenon_shape *tn_shape_again(const tenon_rows *rows, size_t room, bool tried, const tenon_allocator *memory)
{
    tenon_shape *shape = new_shape(memory, tried);

    if (!shape)
        return NULL;
    tn_arena_begin(&shape->arena, room);
    return fill_shape(shape, rows, rows->name, true);
}

tenon_shape *tenon_shape_new(const tenon_rows *rows, const tenon_allocator *memory)
{
    tenon_shape *shape = tn_shape_compile(rows, rows->name, memory);

    if (!shape || shape->error)
        return shape;
    publish(shape, TENON_SCHEMA_FULL);
    publish(shape, TENON_SCHEMA_PORTABLE);
    if (!shape->arena.failed)
        return shape;
    tenon_shape_free(shape);
    return NULL;
}

void tenon_shape_free(tenon_shape *shape)
{
    tenon_allocator memory;

    if (!shape)
        return;
    memory = shape->memory;
    tn_shape_clear(shape);
    tn_memory_free(&memory, shape, sizeof *shape);
}

const char *tenon_shape_error(const tenon_shape *shape)
{
    return shape->error;
}

const char *tenon_shape_schema(const tenon_shape *shape, tenon_schema_form form, size_t *len)
{
    if (len)
        *len = shape->schema[form].len;
    return shape->schema[form].at;
}
