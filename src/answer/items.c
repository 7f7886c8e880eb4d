/* items.c - items within a budget. Nothing is written that has no chance to be shown. */
#include "answer/items.h"

#include "answer/envelope.h"

#define LIST_OPEN "{\"items\":["

/* What the answer has left once the messages so far are in it. */
static size_t room_of(tenon_call *call)
{
    struct tn_buf messages;

    tn_buf_init(&messages, &call->arena, 0, DATA_LEN_MAX);
    tn_envelope_messages(&messages, call, tn_envelope_messages_max(call));
    return call->tool->budget - ENVELOPE_LEN - messages.len;
}

bool tn_items_write(struct tn_items *items, tenon_call *call, const void *from, size_t count,
                    tenon_outcome *failure)
{
    const struct tn_object *object = call->tool->items->object;
    size_t                  most   = call->tool->budget; /* more than this many items never fit */

    *items      = (struct tn_items){ .count = count, .room = room_of(call) };
    items->ends = tn_arena_take(&call->arena, (count < most ? count : most) * sizeof(size_t),
                                alignof(size_t));
    tn_buf_init(&items->out, &call->arena, 256, DATA_LEN_MAX);
    tn_buf_lit(&items->out, LIST_OPEN);
    if (!items->ends || items->out.failed) {
        items->out.failed = true;
        *failure          = tn_call_succeed(call, &items->out, 0); /* which ends in a failure */
        return false;
    }
    for (size_t i = 0; i < count && i < most; i++) {
        if (i > 0)
            tn_buf_char(&items->out, ',');
        if (!tn_call_unbind(call, &items->out, object, (const char *)from + i * object->size, failure))
            return false;
        items->ends[i] = items->out.len;
        items->written = i + 1;
        if (items->out.len > items->room)
            break;
    }
    return true;
}

size_t tn_items_fit(const struct tn_items *items, size_t more)
{
    size_t fit = items->written;

    while (fit > 1 && items->ends[fit - 1] + 1 + more > items->room)
        fit--;
    return fit;
}

void tn_items_end(struct tn_items *items, size_t shown)
{
    if (shown > 0 && !items->out.failed)
        items->out.len = items->ends[shown - 1];
    tn_buf_char(&items->out, ']');
}
