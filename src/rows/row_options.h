/* row_options.h - which options a row's author wrote: what was not written has the value that its macro set before. */
#ifndef ROWS_ROW_OPTIONS_H
#define ROWS_ROW_OPTIONS_H

#include <tenon/rows.h>

static inline bool tn_pair_is_written(const size_t pair[2])
{
    return pair[0] != 0 || pair[1] != SIZE_MAX;
}

/* Of the row of a group. */
static inline bool tn_row_has_max(const tenon_row *row)
{
    return row->rule.group.max != TENON_NO_MAX;
}

static inline bool tn_row_has_range(const tenon_row *row)
{
    switch (row->kind) {
    case TENON_KIND_INT:
        return row->rule.integer.range[0] != TENON_NO_MIN || row->rule.integer.range[1] != TENON_NO_MAX;
    case TENON_KIND_NUM:
        return row->rule.number.range[0] != (double)TENON_NO_MIN ||
               row->rule.number.range[1] != (double)TENON_NO_MAX;
    default: return false;
    }
}

/* The default of a row whose default is a text; NULL when it has none. */
static inline const char *tn_row_default_text(const tenon_row *row)
{
    switch (row->kind) {
    case TENON_KIND_DATE:
    case TENON_KIND_TIMESTAMP: return row->rule.time.def;
    case TENON_KIND_STRS:
    case TENON_KIND_PATHS:
    case TENON_KIND_MAP: return row->rule.strs.def;
    case TENON_KIND_INTS: return row->rule.ints.def;
    case TENON_KIND_NUMS: return row->rule.nums.def;
    case TENON_KIND_ENUMS: return row->rule.choices.def;
    case TENON_KIND_OBJECT:
    case TENON_KIND_OBJECTS:
    case TENON_KIND_JSON: return row->rule.object.def;
    default: return row->rule.text.def;
    }
}

static inline bool tn_row_has_default(const tenon_row *row)
{
    switch (row->kind) {
    case TENON_KIND_INT: return row->rule.integer.def != TENON_NO_DEFAULT_INT;
    case TENON_KIND_NUM: return row->rule.number.def != TENON_NO_DEFAULT_NUM;
    case TENON_KIND_BOOL: return row->rule.boolean.def != TENON_NO_DEFAULT_BOOL;
    case TENON_KIND_ENUM: return row->rule.choice.def != TENON_NO_DEFAULT_ENUM;
    default: return tn_row_default_text(row) != NULL;
    }
}

#endif
