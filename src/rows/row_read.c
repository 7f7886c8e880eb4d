/* row_read.c - rows are walked with the program's stride, and read up to the smaller size. */
#include "rows/row_read.h"

#include <stdalign.h>

#include "base/sized.h"

#define ANOTHER_VERSION "its rows were compiled with another version of Tenon's headers"
#define FOR_LINT        "its rows were compiled with TENON_LINT, for the compiler only"
#define UNKNOWN_OPTION  "it has an option that this version of the library does not know"

#define COMMON_END (offsetof(tenon_row, rule) + sizeof(((tenon_row *)0)->rule.any))

/* Where the options of a kind end, and what a newer program may have added begins. */
static const uint16_t option_end[] = {
    [TENON_KIND_STR]       = sizeof(tenon_text_options),
    [TENON_KIND_PATH]      = sizeof(tenon_text_options),
    [TENON_KIND_ABSPATH]   = sizeof(tenon_text_options),
    [TENON_KIND_UUID]      = sizeof(tenon_text_options),
    [TENON_KIND_URL]       = sizeof(tenon_text_options),
    [TENON_KIND_ID]        = sizeof(tenon_text_options),
    [TENON_KIND_DATE]      = offsetof(tenon_time_options, spare_),
    [TENON_KIND_TIMESTAMP] = offsetof(tenon_time_options, spare_),
    [TENON_KIND_INT]       = sizeof(tenon_int_options),
    [TENON_KIND_NUM]       = offsetof(tenon_num_options, spare_),
    [TENON_KIND_BOOL]      = sizeof(tenon_bool_options),
    [TENON_KIND_ENUM]      = sizeof(tenon_enum_options),
    [TENON_KIND_STRS]      = offsetof(tenon_strs_options, spare_),
    [TENON_KIND_PATHS]     = offsetof(tenon_strs_options, spare_),
    [TENON_KIND_INTS]      = offsetof(tenon_ints_options, spare_),
    [TENON_KIND_NUMS]      = offsetof(tenon_nums_options, spare_),
    [TENON_KIND_ENUMS]     = offsetof(tenon_enums_options, spare_),
    [TENON_KIND_OBJECT]    = offsetof(tenon_object_options, spare_),
    [TENON_KIND_OBJECTS]   = offsetof(tenon_object_options, spare_),
    [TENON_KIND_MAP]       = offsetof(tenon_strs_options, spare_),
    [TENON_KIND_JSON]      = offsetof(tenon_object_options, spare_),
    [TENON_KIND_GROUP]     = sizeof(tenon_group_options),
    [TENON_KIND_ORDERED]   = sizeof(tenon_fields_rule),
    [TENON_KIND_TOGETHER]  = sizeof(tenon_fields_rule),
    [TENON_KIND_EXCLUSIVE] = sizeof(tenon_fields_rule),
    [TENON_KIND_ANY_OF]    = sizeof(tenon_fields_rule),
    [TENON_KIND_REQUIRES]  = sizeof(tenon_fields_rule),
    [TENON_KIND_CHECK]     = sizeof(tenon_with),
    [TENON_KIND_DERIVE]    = sizeof(void (*)(void *)),
};

bool tn_rows_readable(struct tn_row_compilation *lowering, const tenon_rows *rows)
{
    const char *mistake = NULL;

    if (rows->row_size == 0)
        mistake = FOR_LINT;
    else if (rows->row_size < COMMON_END || rows->row_size % alignof(tenon_row) != 0)
        mistake = ANOTHER_VERSION;
    else if (!tn_sized_zero(rows->reserved_, sizeof rows->reserved_))
        mistake = UNKNOWN_OPTION;
    if (mistake)
        tn_mistake_note(&lowering->mistake, NULL, "%s", mistake);
    return !mistake;
}

const tenon_row *tn_row_peek(const tenon_rows *rows, size_t index)
{
    return (const void *)((const char *)rows->at + index * rows->row_size);
}

static bool is_known(const tenon_row *row, size_t size)
{
    size_t end = offsetof(tenon_row, rule) + option_end[row->kind];

    if (!tn_sized_zero(row->reserved_, sizeof row->reserved_))
        return false;
    if (row->kind < TENON_KIND_GROUP &&
        !(tn_sized_zero(row->rule.any.reserved_, sizeof row->rule.any.reserved_) &&
          tn_sized_zero(row->rule.any.more_, sizeof row->rule.any.more_)))
        return false;
    return end >= size || tn_sized_zero((const char *)row + end, size - end);
}

const tenon_row *tn_row_read(struct tn_row_compilation *lowering, const tenon_rows *rows, size_t index)
{
    const tenon_row *given = tn_row_peek(rows, index);
    tenon_row       *own;

    if (given->kind >= sizeof option_end / sizeof *option_end || option_end[given->kind] == 0) {
        tn_mistake_note(&lowering->mistake, given->field, "it is of a kind that this library does not know");
        return NULL;
    }
    if (!is_known(given, rows->row_size)) {
        tn_mistake_note(&lowering->mistake, given->field, UNKNOWN_OPTION);
        return NULL;
    }
    if (rows->row_size == sizeof *own)
        return given;
    own = tn_arena_new(&lowering->shape->arena, tenon_row);
    if (own)
        (void)tn_sized_read(own, sizeof *own, given, rows->row_size);
    return own;
}
