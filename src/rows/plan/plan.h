/* plan.h - what an object does with a good call: each member is checked and stored as it is met, in one pass.
 *
 * Nearly all values come in their own JSON type and within their rules; they are plain. For those a node says far more
 * than is asked: the plan has the few facts that decide, one op a parameter, side by side. It never changes a value and
 * never reports: whatever is not plain is put off, and the binder, which knows every form and every fault, looks at
 * it in the declared order. So the plan may say "not plain" of anything, but stores only what the binder would.
 */
#ifndef ROWS_PLAN_H
#define ROWS_PLAN_H

#include "model/judge.h"
#include "model/property.h"
#include "rows/plan/store.h"

enum tn_op_code {
    OP_PUT_OFF, /* no value is plain */
    OP_TEXT,
    OP_INT,
    OP_NUM,
    OP_BOOL,
    OP_CHOICE,
    OP_LIST
};

struct tn_op {
    const char *name;
    uint64_t    word; /* of the name, for a quick look */
    uint32_t    len, index, offset;
    uint8_t     code;
    uint8_t     size; /* of the field, which says its type; of a list, of one item */
    bool        required;
    union {
        struct {
            int64_t min, max;
        } integer;
        struct {
            double min, max; /* finite */
        } number;
        struct {
            size_t min, max; /* bytes of a text, items of a list */
        } count;
    };
    union {
        const struct tn_choice *choice;
        const struct tn_op     *item;
    };
};

struct tn_plan {
    const struct tn_op *ops; /* one for each parameter, and one that has no name */
    size_t              required;
    bool                notes; /* some parameter has a note for when it is given */
};

/* The plan of an object whose parameters are complete, or NULL when memory is refused. */
const struct tn_plan *tn_plan_compile(struct tn_arena *arena, const struct tn_object *object);

/* The op of a single value: what there is to say of it beside its name and its place. */
struct tn_op tn_plan_op(const struct tn_node *node);

/* What became of the members of an object. */
struct tn_members {
    yyjson_val  *value;    /* the object that has them */
    yyjson_val **given;    /* by parameter, the first value that was sent; else it is not set */
    uint8_t     *presence; /* PRESENT_NOT, PRESENT_GIVEN when it is bound, PRESENT_BAD when it was put off */
    size_t       unknown;  /* names */
    size_t       missing;  /* parameters that are required */
    size_t       repeated; /* members whose parameter came before */
    size_t       put_off;
};

/* Binds what is plain to `base`, and says what is not; with `put_off` it only sorts. `presence` is all PRESENT_NOT. */
void tn_plan_bind(struct tn_arena *arena, const struct tn_object *object, char *base, bool put_off,
                  struct tn_members *members);

/* ---- One value --------------------------------------------------------------------------------------------- */

/* yyjson marks what it read without escapes, and a NUL can only be escaped. */
#define PLAIN_TEXT (YYJSON_TYPE_STR | YYJSON_SUBTYPE_NOESC)
#define PLAIN_UINT (YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT)
#define PLAIN_SINT (YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT)
#define PLAIN_REAL (YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL)
#define EXACT_UINT (UINT64_C(1) << 53) /* a double holds all integers up to it */

/* Text that is not blank, and within its length whether its characters take one byte or four. */
static inline bool tn_plan_text(const struct tn_op *op, yyjson_val *value, void *out)
{
    struct tn_slice text = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

    if (unsafe_yyjson_get_tag(value) != PLAIN_TEXT || text.len < op->count.min || text.len > op->count.max ||
        (unsigned char)text.at[0] <= ' ')
        return false;
    tn_store_text(op->size, text, out);
    return true;
}

static inline bool tn_plan_int(const struct tn_op *op, yyjson_val *value, void *out)
{
    unsigned tag     = unsafe_yyjson_get_tag(value);
    int64_t  integer = unsafe_yyjson_get_sint(value); /* below 0 when a positive one is too large to be one */

    if ((tag != PLAIN_UINT || integer < 0) && tag != PLAIN_SINT)
        return false;
    if (integer < op->integer.min || integer > op->integer.max)
        return false;
    tn_store_int(op->size, integer, out);
    return true;
}

static inline bool tn_plan_num(const struct tn_op *op, yyjson_val *value, void *out)
{
    unsigned tag    = unsafe_yyjson_get_tag(value);
    double   number = unsafe_yyjson_get_real(value);

    if (tag != PLAIN_REAL) {
        if (tag != PLAIN_UINT || unsafe_yyjson_get_uint(value) > EXACT_UINT)
            return false;
        number = (double)unsafe_yyjson_get_uint(value);
    } else if (number == 0) {
        return false; /* it may be -0 */
    }
    if (!(number >= op->number.min && number <= op->number.max))
        return false;
    tn_store_num(op->size, number, out);
    return true;
}

static inline bool tn_plan_choice(const struct tn_op *op, yyjson_val *value, void *out)
{
    const struct tn_choice *choice = op->choice;
    struct tn_slice         text   = { unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value) };

    if (unsafe_yyjson_get_tag(value) != PLAIN_TEXT || text.len == 0 || (unsigned char)text.at[0] <= ' ')
        return false;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->names[i].len == text.len && choice->names[i].at &&
            tn_str_same(choice->names[i].at, text.at, text.len)) {
            tn_store_choice(op->size, (int)i, out);
            return true;
        }
    return false;
}

/* Stores a single value if it is plain. */
static inline bool tn_plan_scalar(const struct tn_op *op, yyjson_val *value, void *out)
{
    switch (op->code) {
    case OP_TEXT: return tn_plan_text(op, value, out);
    case OP_INT: return tn_plan_int(op, value, out);
    case OP_NUM: return tn_plan_num(op, value, out);
    case OP_BOOL:
        if (unsafe_yyjson_get_type(value) != YYJSON_TYPE_BOOL)
            return false;
        memcpy(out, &(bool){ unsafe_yyjson_get_bool(value) }, sizeof(bool));
        return true;
    case OP_CHOICE: return tn_plan_choice(op, value, out);
    default: return false;
    }
}

/* The same of a list, too, whose items go to the arena. */
bool tn_plan_take(struct tn_arena *arena, const struct tn_op *op, yyjson_val *value, void *out);

#endif
