/* page.c - answers by page number. */
#include <assert.h>

#include "answer/items.h"
#include "answer/phrases.h"

#define TEXT_ROOM   ((size_t)512)
#define GUESSES_MAX 4

struct page {
    int64_t number, size, offset;
    int64_t total; /* negative: unknown */
    bool    more;
};

static void write_tail(struct tn_buf *out, const struct page *page)
{
    tn_buf_lit(out, ",\"page\":");
    tn_buf_int(out, page->number);
    tn_buf_lit(out, ",\"pageSize\":");
    tn_buf_int(out, page->size);
    tn_buf_lit(out, ",\"totalItems\":");
    if (page->total < 0)
        tn_buf_lit(out, "null");
    else
        tn_buf_int(out, page->total);
    tn_buf_text(out, page->more ? ",\"hasMorePages\":true}" : ",\"hasMorePages\":false}");
}

static int64_t add_saturating(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void phrase_empty(struct tn_buf *text, const struct page *page)
{
    if (page->total == 0 || page->offset == 0)
        tn_buf_lit(text, PHRASE_NO_ITEMS);
    else if (page->total < 0)
        tn_phrase_past_end(text, page->number, 0, 0);
    else if (page->offset >= page->total)
        tn_phrase_past_end(text, page->number, (page->total - 1) / page->size + 1, page->total);
    else
        tn_buf_lit(text, PHRASE_NO_ITEMS);
}

/* Pages of the size that fitted reach every item that did not; the first of them may repeat some. */
static void phrase_cut(struct tn_buf *text, const struct page *page, size_t shown)
{
    int64_t next = add_saturating(page->offset, (int64_t)shown); /* the first that is not shown, from 0 */

    assert(shown > 0); /* tn_items_fit() leaves one */
    tn_phrase_page_cut(text, add_saturating(page->offset, 1), next, page->total,
                       add_saturating(next / (int64_t)shown, 1), (int64_t)shown);
}

/* How many items fit together with what stands behind them and, if some are cut, with the message that says so. */
static size_t page_fit(tenon_call *call, const struct page *page, const struct tn_items *items)
{
    size_t shown = items->written;

    for (int i = 0; i < GUESSES_MAX && shown > 0; i++) {
        struct tn_buf rest;
        size_t        fitting;

        tn_buf_init(&rest, &call->arena, 0, TEXT_ROOM);
        write_tail(&rest, page);
        if (shown < items->count)
            phrase_cut(&rest, page, shown);
        fitting = tn_items_fit(items, rest.len + MESSAGE_QUOTES);
        if (fitting >= shown)
            break;
        shown = fitting;
    }
    return shown;
}

tenon_outcome tenon_ok_page_(tenon_call *call, const tenon_page *asked, tenon_rows_fn rows, const void *from,
                             size_t count, int64_t total)
{
    struct page     page = { asked->page, asked->page_size > 0 ? asked->page_size : 1, asked->offset, total,
                             false };
    struct tn_items items;
    struct tn_buf   text;
    tenon_outcome   failure, outcome;
    size_t          shown;

    if (!tn_call_declares(call->tool->declared->info.items, rows))
        return tenon_internal(call, PHRASE_LOG_NOT_ITEMS);
    if (call->tool->cursor)
        return tenon_internal(call, PHRASE_LOG_NO_CURSOR);
    if (!tn_items_write(&items, call, from, count, &failure))
        return failure;

    page.more = total >= 0 ? add_saturating(page.offset, (int64_t)count) < total
                           : count >= (uint64_t)page.size;
    shown     = page_fit(call, &page, &items);
    tn_buf_init(&text, &call->arena, 0, TEXT_ROOM);
    if (count == 0)
        phrase_empty(&text, &page);
    if (shown < count) {
        page.more = true;
        phrase_cut(&text, &page, shown);
    }
    tn_items_end(&items, shown);
    write_tail(&items.out, &page);
    outcome = tn_call_succeed(call, &items.out, shown);
    tn_call_note(call, &text, count == 0);
    return outcome;
}
