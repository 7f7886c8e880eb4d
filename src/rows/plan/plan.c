/* plan.c - the plan of an object: made once, and run over the members of each call. */
#include "rows/plan/plan.h"

#include <float.h>

/* ---- Making it --------------------------------------------------------------------------------------------- */

/* So many bytes have `count` characters for sure; and a text of no bytes is blank, which is not plain. */
static size_t bytes_of(size_t count)
{
    size_t most = (SIZE_MAX - 4) / 4;

    return count <= 1 ? 1 : count > most ? SIZE_MAX : count * 4 - 3;
}

static struct tn_op op_of_text(const struct tn_node *node, struct tn_op op)
{
    if (node->text.pattern || node->text.format)
        return op;
    op.code      = OP_TEXT;
    op.count.min = bytes_of(node->text.min);
    op.count.max = node->text.max;
    return op;
}

struct tn_op tn_plan_op(const struct tn_node *node)
{
    struct tn_op op = { .size = (uint8_t)node->size }; /* what is larger is no scalar */

    if (node->check)
        return op; /* it is asked where a fault has its place */
    switch (node->kind) {
    case TENON_KIND_STR: return op_of_text(node, op);
    case TENON_KIND_INT:
        op.code        = OP_INT;
        op.integer.min = node->integer.min;
        op.integer.max = node->integer.max;
        break;
    case TENON_KIND_NUM:
        op.code       = OP_NUM;
        op.number.min = node->number.min < -DBL_MAX ? -DBL_MAX : node->number.min;
        op.number.max = node->number.max > DBL_MAX ? DBL_MAX : node->number.max;
        break;
    case TENON_KIND_BOOL: op.code = OP_BOOL; break;
    case TENON_KIND_ENUM:
        op.code   = OP_CHOICE;
        op.choice = node->choice;
        break;
    default: break;
    }
    return op;
}

/* A list whose items may be plain; of which not two are compared. */
static bool plan_list(struct tn_arena *arena, const struct tn_node *node, struct tn_op *op)
{
    struct tn_op *item;

    if (node->kind != TENON_KIND_STRS && node->kind != TENON_KIND_INTS && node->kind != TENON_KIND_NUMS)
        return true;
    if (node->list.unique || node->check || tn_node_ends_with_null(node))
        return true;
    item = tn_arena_new(arena, struct tn_op);
    if (!item)
        return false;
    *item = tn_plan_op(node->list.item);
    if (item->code == OP_PUT_OFF)
        return true;
    op->code      = OP_LIST;
    op->size      = item->size;
    op->item      = item;
    op->count.min = node->list.min > 0 ? node->list.min : 1; /* an empty one may stand for nothing */
    op->count.max = node->list.max;
    return true;
}

const struct tn_plan *tn_plan_compile(struct tn_arena *arena, const struct tn_object *object)
{
    struct tn_plan *plan = tn_arena_new(arena, struct tn_plan);
    struct tn_op   *ops  = tn_arena_array(arena, object->count + 1, struct tn_op);

    if (!plan || !ops)
        return NULL;
    plan->ops              = ops;
    ops[object->count].len = UINT32_MAX; /* no name: the last one has a next, too */
    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        ops[i] = tn_plan_op(param->node);
        if (!plan_list(arena, param->node, &ops[i]))
            return NULL;
        ops[i].name     = param->name;
        ops[i].len      = param->len;
        ops[i].word     = tn_property_word(param->name, param->len);
        ops[i].index    = (uint32_t)i;
        ops[i].offset   = param->offset;
        ops[i].required = param->required;
        plan->required += param->required;
        plan->notes |= param->note != NULL;
    }
    return plan;
}

/* ---- Running it -------------------------------------------------------------------------------------------- */

/* Not inline: it would take the registers that the pass below needs. */
__attribute__((noinline)) static bool take_list(struct tn_arena *arena, const struct tn_op *op,
                                                yyjson_val *value, void *out)
{
    size_t      count = unsafe_yyjson_get_len(value);
    yyjson_val *one   = unsafe_yyjson_get_first(value);
    char       *items;

    TENON_LIST_OF(char) bound;

    if (!unsafe_yyjson_is_arr(value) || count < op->count.min || count > op->count.max)
        return false;
    items = tn_arena_take(arena, count * op->size,
                          alignof(max_align_t)); /* fewer than the bytes of the text */
    if (!items)
        return false;
    bound.count = count;
    bound.at    = items;
    for (; count > 0;
         count--, one++, items += op->size) /* scalars follow each other; no other item is plain */
        if (!tn_plan_scalar(op->item, one, items))
            return false;
    memcpy(out, &bound, sizeof bound);
    return true;
}

static inline bool plan_take(struct tn_arena *arena, const struct tn_op *op, yyjson_val *value, void *out)
{
    return op->code == OP_LIST ? take_list(arena, op, value, out) : tn_plan_scalar(op, value, out);
}

bool tn_plan_take(struct tn_arena *arena, const struct tn_op *op, yyjson_val *value, void *out)
{
    return plan_take(arena, op, value, out);
}

/* The op of that name; members mostly come in the declared order, so it is likely to be `next`. */
static inline const struct tn_op *find_op(const struct tn_object *object, const struct tn_op *next,
                                          yyjson_val *key)
{
    const char *name = unsafe_yyjson_get_str(key);
    size_t      len  = unsafe_yyjson_get_len(key);
    uint32_t    index;

    if (next->len == len && next->word == tn_property_word(name, len) &&
        (len <= WORD || tn_str_same(next->name, name, len - WORD)))
        return next;
    index = tn_object_find(object, name, len);
    return index == PARAM_NONE ? NULL : &object->plan->ops[index];
}

void tn_plan_bind(struct tn_arena *arena, const struct tn_object *object, char *base, bool put_off,
                  struct tn_members *members)
{
    const struct tn_op *next    = object->plan->ops, *op;
    yyjson_val         *key     = unsafe_yyjson_get_first(members->value), *sent;
    yyjson_val         *end     = unsafe_yyjson_get_next(members->value);
    size_t              missing = object->plan->required;

    for (; key != end; key = unsafe_yyjson_get_next(sent)) {
        sent = key + 1;
        op   = find_op(object, next, key);
        if (!op) {
            members->unknown++;
            continue;
        }
        next = op + 1;
        if (members->presence[op->index] != PRESENT_NOT) {
            members->repeated++;
            continue;
        }
        members->given[op->index] = sent;
        missing -= op->required;
        if (!put_off && plan_take(arena, op, sent, base + op->offset)) {
            members->presence[op->index] = PRESENT_GIVEN;
        } else {
            members->presence[op->index] = PRESENT_BAD;
            members->put_off++;
        }
    }
    members->missing = missing;
}
