/* control.c - an order in bytes: a head, then directory, words and variables, each with its NUL. */
#define _POSIX_C_SOURCE 200809L
#include "guard/process/control.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define ORDER_MARK 0x544e4731u /* a stranger at the other end is noticed */

struct order_head {
    uint32_t mark, len; /* of what follows it */
    uint32_t word_count, variable_count;
    uint64_t memory;
};

_Static_assert(sizeof(struct order_head) <= ORDER_HEAD_MAX, "an order of any allowed length has room");

static uint32_t add_texts(struct tn_buf *to, const char *const *texts)
{
    uint32_t count = 0;

    for (; texts && texts[count] && count < ORDER_TEXTS_MAX; count++)
        tn_buf_add(to, texts[count], strlen(texts[count]) + 1);
    if (texts && texts[count])
        tn_buf_fail_(to);
    return count;
}

bool tn_order_write(struct tn_buf *to, const struct tn_order *order)
{
    struct order_head head  = { .mark = ORDER_MARK, .memory = order->memory };
    const char       *place = order->directory ? order->directory : "";
    size_t            start = to->len;

    tn_buf_add(to, (const char *)&head, sizeof head);
    tn_buf_add(to, place, strlen(place) + 1);
    head.word_count     = add_texts(to, order->words);
    head.variable_count = add_texts(to, order->environment);
    if (to->failed || head.word_count == 0 || to->len - start - sizeof head > ORDER_BYTES_MAX)
        return false;
    head.len = (uint32_t)(to->len - start - sizeof head);
    memcpy(to->at + start, &head, sizeof head);
    return true;
}

static bool read_all(int control, char *at, size_t len)
{
    while (len > 0) {
        ssize_t got = read(control, at, len);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        len -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* The next text of `rest`, or NULL when there is none. */
static const char *take_text(struct tn_slice *rest)
{
    const char *text = rest->at, *end = rest->len > 0 ? memchr(rest->at, '\0', rest->len) : NULL;

    if (!end)
        return NULL;
    rest->len -= (size_t)(end + 1 - text);
    rest->at = end + 1;
    return text;
}

static const char *const *take_texts(struct tn_slice *rest, uint32_t count, struct tn_arena *arena)
{
    const char **texts = count > ORDER_TEXTS_MAX ? NULL
                                                 : tn_arena_array(arena, (size_t)count + 1, const char *);

    for (uint32_t i = 0; texts && i < count; i++) {
        texts[i] = take_text(rest);
        if (!texts[i])
            return NULL;
    }
    return texts;
}

bool tn_order_read(int control, struct tn_arena *arena, struct tn_order *order)
{
    struct order_head head;
    struct tn_slice   rest;
    char             *texts;

    if (!read_all(control, (char *)&head, sizeof head) || head.mark != ORDER_MARK ||
        head.len > ORDER_BYTES_MAX || head.word_count == 0)
        return false;
    texts = tn_arena_take(arena, head.len, 1);
    if (!texts || !read_all(control, texts, head.len))
        return false;
    rest               = (struct tn_slice){ texts, head.len };
    order->memory      = head.memory;
    order->directory   = take_text(&rest);
    order->words       = take_texts(&rest, head.word_count, arena);
    order->environment = take_texts(&rest, head.variable_count, arena);
    if (!order->directory || !order->words || !order->environment || rest.len > 0)
        return false;
    if (!*order->directory)
        order->directory = NULL;
    return true;
}
