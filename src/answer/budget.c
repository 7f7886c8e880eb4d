/* budget.c - cutting what is largest: a list at the end of an item, a text at the end of a character.
 *
 * The data is read back and descended into, always into the largest member, until there is a list of several items or
 * a text. Shortening it is a matter of its length in the document that was read; then the data is written again.
 */
#include "answer/budget.h"

#include <string.h>

#include "answer/envelope.h"
#include "answer/phrases.h"
#include "base/utf8.h"
#include "json/pointer.h"
#include "json/read.h"
#include "json/write.h"

#define TEXT_ROOM  ((size_t)2048)
#define LABEL_ROOM ((size_t)4096)
#define NOTE_ROOM  ((size_t)320) /* for the message about one cut: its label is echoed, and so bounded */

struct cutter {
    tenon_call   *call;
    yyjson_val   *root;
    struct tn_buf scratch; /* to measure in */
    struct tn_buf label;   /* a JSON Pointer */
    size_t        depth;
};

static size_t budget_measure(struct cutter *cutter, yyjson_val *value)
{
    cutter->scratch.len = 0;
    tn_json_value(&cutter->scratch, value);
    return cutter->scratch.len;
}

/* ---- What to cut --------------------------------------------------------------------------------------- */

static void add_step(struct cutter *cutter, struct tn_slice name)
{
    cutter->depth++;
    tn_pointer_add(&cutter->label, name);
}

/* At the top a name is enough. */
static struct tn_slice budget_label_of(const struct cutter *cutter)
{
    size_t skip = cutter->depth == 1 ? 1 : 0;

    if (cutter->label.len <= skip)
        return (struct tn_slice){ "", 0 };
    return (struct tn_slice){ cutter->label.at + skip, cutter->label.len - skip };
}

static yyjson_val *largest_member(struct cutter *cutter, yyjson_val *object)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val     *key, *largest = NULL;
    size_t          most = 0;

    while ((key = yyjson_obj_iter_next(&members))) {
        size_t len = budget_measure(cutter, yyjson_obj_iter_get_val(key));

        if (len > most) {
            most    = len;
            largest = key;
        }
    }
    if (!largest)
        return NULL;
    add_step(cutter, (struct tn_slice){ yyjson_get_str(largest), yyjson_get_len(largest) });
    return yyjson_obj_iter_get_val(largest);
}

/* A list of several items or a text that is not empty; NULL when the way ends at something else. In a list by page
 * or cursor the way begins at its items: what stands beside them is ours. */
static yyjson_val *find_target(struct cutter *cutter)
{
    yyjson_val *value = cutter->root;

    tn_buf_init(&cutter->label, &cutter->call->arena, 0, LABEL_ROOM);
    cutter->depth = 0;
    if (cutter->call->ending.listed > 0) {
        value = yyjson_obj_get(value, "items");
        add_step(cutter, SLICE_LIT("items"));
    }
    while (value) {
        if (yyjson_is_str(value))
            return yyjson_get_len(value) > 0 ? value : NULL;
        if (yyjson_is_arr(value) && yyjson_arr_size(value) > 1)
            return value;
        if (yyjson_is_arr(value)) {
            value = yyjson_arr_get_first(value);
            add_step(cutter, SLICE_LIT("0"));
        } else {
            value = yyjson_is_obj(value) ? largest_member(cutter, value) : NULL;
        }
    }
    return NULL;
}

/* ---- Cutting ------------------------------------------------------------------------------------------- */

/* Takes at least `excess` bytes out of the list, if its first item leaves that much. */
static void cut_list(struct cutter *cutter, yyjson_val *list, size_t excess, struct tn_buf *text)
{
    size_t          count = yyjson_arr_size(list), keep = 0, len = 0, whole = budget_measure(cutter, list);
    size_t          allowed = whole > excess ? whole - excess : 0;
    yyjson_arr_iter items   = yyjson_arr_iter_with(list);
    yyjson_val     *item;

    while ((item = yyjson_arr_iter_next(&items))) {
        len += budget_measure(cutter, item) + 1;
        if (keep > 0 && len + 1 > allowed)
            break;
        keep++;
    }
    if (keep == count)
        keep--;
    unsafe_yyjson_set_len(list, keep);
    tn_phrase_list_cut(text, budget_label_of(cutter), keep, count);
}

/* Bytes that one byte of text takes inside a JSON string. */
static size_t escaped_len(char c)
{
    if (c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t')
        return 2;
    return (unsigned char)c < 0x20 ? 6 : 1;
}

static void cut_text(struct cutter *cutter, yyjson_val *value, size_t excess, struct tn_buf *text)
{
    const char *at  = yyjson_get_str(value);
    size_t      len = yyjson_get_len(value), keep = 0, used = 0, whole = 0, allowed;

    for (size_t i = 0; i < len; i++)
        whole += escaped_len(at[i]);
    allowed = whole > excess ? whole - excess : 0;
    while (keep < len && used + escaped_len(at[keep]) <= allowed)
        used += escaped_len(at[keep++]);
    while (keep > 0 && keep < len && ((unsigned char)at[keep] & 0xC0) == 0x80)
        keep--;
    unsafe_yyjson_set_len(value, keep);
    tn_phrase_text_cut(text, budget_label_of(cutter), tn_utf8_count(at, keep), tn_utf8_count(at, len));
}

/* Makes the answer about `excess` bytes shorter. False when nothing is left to cut. */
static bool cut_once(struct cutter *cutter, size_t excess)
{
    tenon_call   *call = cutter->call;
    yyjson_val   *target;
    struct tn_buf text, data;

    target = find_target(cutter);
    if (!target)
        return false;
    tn_buf_init(&text, &call->arena, 0, TEXT_ROOM);
    if (yyjson_is_arr(target))
        cut_list(cutter, target, excess + NOTE_ROOM, &text);
    else
        cut_text(cutter, target, excess + NOTE_ROOM, &text);
    tn_call_message(call, &text);

    tn_buf_init(&data, &call->arena, call->ending.data.len, DATA_LEN_MAX);
    tn_json_value(&data, cutter->root);
    call->ending.data = (struct tn_slice){ data.at, data.len };
    return !data.failed && !cutter->scratch.failed;
}

/* ---- The whole answer ---------------------------------------------------------------------------------- */

static size_t messages_len(tenon_call *call)
{
    struct tn_buf text;

    if (call->judge.messages.count == 0 && call->dropped_messages == 0)
        return strlen("[]");
    tn_buf_init(&text, &call->arena, 0, DATA_LEN_MAX);
    tn_envelope_messages(&text, call, tn_envelope_messages_max(call));
    return text.len;
}

static bool cut_to_fit(tenon_call *call)
{
    const struct tn_json_limits limits = { DATA_LEN_MAX, JSON_WRITE_DEPTH_MAX, SIZE_MAX };
    struct cutter               cutter = { .call = call };
    size_t                      budget = call->tool->budget, needed;

    cutter.root = tn_json_read(&call->arena, call->ending.data.at, call->ending.data.len, &limits).root;
    if (!cutter.root)
        return false;
    tn_buf_init(&cutter.scratch, &call->arena, call->ending.data.len, DATA_LEN_MAX);
    for (int i = 0; i <= BUDGET_ROUNDS; i++) {
        needed = ENVELOPE_LEN + messages_len(call) + call->ending.data.len;
        if (needed <= budget)
            return true;
        if (i == BUDGET_ROUNDS || !cut_once(&cutter, needed - budget))
            break;
    }
    return false;
}

size_t tn_budget_apply(tenon_call *call)
{
    size_t        budget = call->tool->budget, most = tn_envelope_messages_max(call);
    size_t        around = ENVELOPE_LEN + call->ending.data.len;
    size_t        said = call->judge.messages.count, dropped_messages = call->dropped_messages;
    struct tn_buf text;

    if (call->ending.kind != ENDING_DATA || around + messages_len(call) <= budget)
        return most;
    /* A list was cut to fit when it was made: only messages that came after it can be too much. */
    if (call->ending.listed > 1 && around < budget)
        return budget - around;
    if (cut_to_fit(call))
        return most;
    call->judge.messages.count = said; /* of what was cut, nothing is shown */
    call->dropped_messages     = dropped_messages;
    tn_buf_init(&text, &call->arena, 0, TEXT_ROOM);
    tn_phrase_too_long(&text, budget);
    tn_call_fail(call, TENON_CODE_LIMIT_EXCEEDED, &text);
    return most;
}
