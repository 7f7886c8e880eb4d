/* bind_fast.h - values as nearly all calls have them: in their own JSON type, and within their rules.
 *
 * Nothing is changed and nothing is reported, so the place of the value is not needed. Whatever is not that plain is
 * left to take.h, which knows every form and finds every fault.
 */
#ifndef ROWS_BIND_FAST_H
#define ROWS_BIND_FAST_H

#include <string.h>

#include "rows/bind.h"

/* An integer to its field. Its range was checked to fit, signed or not. */
static inline void tn_store_int(const struct tn_node *node, int64_t integer, void *out)
{
    switch (node->size) {
    case 2: memcpy(out, &(int16_t){ (int16_t)integer }, 2); break;
    case 4: memcpy(out, &(int32_t){ (int32_t)integer }, 4); break;
    default: memcpy(out, &integer, 8); break;
    }
}

static inline void tn_store_num(const struct tn_node *node, double number, void *out)
{
    if (node->size == sizeof(float))
        memcpy(out, &(float){ (float)number }, sizeof(float));
    else
        memcpy(out, &number, sizeof number);
}

static inline void tn_store_text(const struct tn_node *node, struct tn_slice text, void *out)
{
    if (node->flavour == 1)
        memcpy(out, &(tenon_str){ text.at, text.len }, sizeof(tenon_str));
    else
        memcpy(out, &text.at, sizeof text.at);
}

static inline void tn_store_choice(const struct tn_node *node, int choice, void *out)
{
    switch (node->size) {
    case 1: memcpy(out, &(uint8_t){ (uint8_t)choice }, 1); break;
    case 2: memcpy(out, &(uint16_t){ (uint16_t)choice }, 2); break;
    default: memcpy(out, &choice, sizeof choice); break;
    }
}

/* Text that is not blank, and within its length whether its characters take one byte or four. */
static inline bool tn_plain_text(const struct tn_node *node, struct tn_slice text, void *out)
{
    const struct tn_text_rules *rules = &node->text;

    if (text.len == 0 || (unsigned char)text.at[0] <= ' ' || text.len > rules->max ||
        (text.len + 3) / 4 < rules->min || rules->format || rules->pattern)
        return false;
    tn_store_text(node, text, out);
    return true;
}

static inline bool tn_plain_choice(const struct tn_node *node, struct tn_slice text, void *out)
{
    const struct tn_choice *choice = node->choice;

    if (text.len == 0 || (unsigned char)text.at[0] <= ' ')
        return false;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->names[i].len == text.len && choice->names[i].at &&
            tn_str_same(choice->names[i].at, text.at, text.len)) {
            tn_store_choice(node, (int)i, out);
            return true;
        }
    return false;
}

/* Binds a scalar to `out` if it is plain. */
static inline bool tn_bind_plain_scalar(const struct tn_judge *judge, const struct tn_node *node,
                                        yyjson_val *value, void *out)
{
    unsigned        tag  = unsafe_yyjson_get_tag(value);
    struct tn_slice text = { unsafe_yyjson_get_str(value),
                             unsafe_yyjson_get_len(value) }; /* if it is a string */

    switch (node->kind) {
    case TENON_KIND_STR:
        /* yyjson marks what it read without escapes, and a NUL can only be escaped */
        if (tag != (YYJSON_TYPE_STR | YYJSON_SUBTYPE_NOESC) || judge->check_utf8)
            return false;
        return tn_plain_text(node, text, out);
    case TENON_KIND_ENUM:
        return (tag & YYJSON_TYPE_MASK) == YYJSON_TYPE_STR && tn_plain_choice(node, text, out);
    case TENON_KIND_INT: {
        int64_t integer = unsafe_yyjson_get_sint(value); /* below 0 when it is too large to be one */

        if (tag != (YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT) || integer < 0)
            return false;
        if (integer < node->integer.min || integer > node->integer.max)
            return false;
        tn_store_int(node, integer, out);
        return true;
    }
    case TENON_KIND_NUM: {
        double number = unsafe_yyjson_get_real(value);

        if (tag != (YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL))
            return false;
        if (!(number >= node->number.min && number <= node->number.max) || number == 0)
            return false; /* -0 is not plain */
        tn_store_num(node, number, out);
        return true;
    }
    case TENON_KIND_BOOL:
        if ((tag & YYJSON_TYPE_MASK) != YYJSON_TYPE_BOOL)
            return false;
        memcpy(out, &(bool){ unsafe_yyjson_get_bool(value) }, sizeof(bool));
        return true;
    default: return false;
    }
}

/* An array whose items are all plain, to a list of pointers or numbers. */
static inline bool tn_bind_plain_list(const struct tn_judge *judge, const struct tn_node *node,
                                      yyjson_val *value, void *out)
{
    const struct tn_node *item  = node->list.item;
    size_t                count = unsafe_yyjson_get_len(value);
    yyjson_val           *one   = unsafe_yyjson_get_first(value);
    char                 *items;

    TENON_LIST_OF(char) bound;

    if (!unsafe_yyjson_is_arr(value) || count < node->list.min || count > node->list.max ||
        node->list.unique || count == 0)
        return false;
    items = tn_arena_take(judge->arena, count * item->size,
                          alignof(max_align_t)); /* fewer than the bytes of the text */
    if (!items)
        return false;
    for (size_t i = 0; i < count; i++, one++) { /* scalars follow each other; what is none is not plain */
        if (!tn_bind_plain_scalar(judge, item, one, items + i * item->size))
            return false;
    }
    bound.count = count;
    bound.at    = items;
    memcpy(out, &bound, sizeof bound);
    return true;
}

/* Binds `value` to `out` if it is plain. */
static inline bool tn_bind_plain(const struct tn_judge *judge, const struct tn_node *node, yyjson_val *value,
                                 void *out)
{
    switch (node->kind) {
    case TENON_KIND_STRS:
    case TENON_KIND_INTS:
    case TENON_KIND_NUMS: return tn_bind_plain_list(judge, node, value, out);
    default: return tn_bind_plain_scalar(judge, node, value, out);
    }
}

#endif
