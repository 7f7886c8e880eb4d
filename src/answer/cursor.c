/* cursor.c - cursors, and answers that are continued by them.
 *
 * A cursor is base64url of: a version byte, the position as the handler wrote it, and the first half of an HMAC-SHA256
 * over version, query and position. The query is a hash over the caller's name, if there is one, the tool's name and
 * the arguments as they were bound, without `cursor` and `limit`: neither their order nor their form on the wire
 * matters. Decoding a cursor reveals its position, but it cannot be changed, nor used in another query or by another
 * caller.
 */
#include "answer/cursor.h"

#include <sodium.h>
#include <string.h>

#include "answer/items.h"
#include "answer/phrases.h"
#include "json/read.h"
#include "json/write.h"
#include "model/form.h"
#include "rows/unbind.h"

#define VERSION     1
#define MAC_LEN     16
#define RAW_MAX     (1 + CURSOR_POSITION_MAX + MAC_LEN)
#define VARIANT     sodium_base64_VARIANT_URLSAFE_NO_PADDING
#define TEXT_ROOM   ((size_t)4096)
#define GUESSES_MAX 4
#define CALLER_MARK '@' /* before a name that is no tool's */

/* ---- The query ----------------------------------------------------------------------------------------- */

static yyjson_val *read_again(tenon_call *call, const char *at, size_t len)
{
    return tn_json_read(&call->arena, at, len, &call->judge.limits).root;
}

/* JSON text is what it says. */
static yyjson_val *unwrap(tenon_call *call, yyjson_val *value)
{
    yyjson_val *inside = NULL;

    if (yyjson_is_str(value))
        inside = read_again(call, yyjson_get_str(value), yyjson_get_len(value));
    return inside ? inside : value;
}

/* The value of a parameter as it was sent: for structs in which what was not sent has no valid form. */
static void write_wire(struct tn_buf *out, tenon_call *call, const struct tn_param *param)
{
    const struct tn_object *object = call->tool->input->object;
    yyjson_val             *sent = call->sent ? call->sent : read_again(call, call->json.at, call->json.len);
    yyjson_val             *args = unwrap(call, sent), *key;
    struct tn_slice         name = { param->name, param->len };
    yyjson_obj_iter         members;

    yyjson_obj_iter_init(args, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        uint32_t found = tn_object_find(object, yyjson_get_str(key), yyjson_get_len(key));

        if (found == PARAM_NONE ? tn_form_same_name(tn_json_slice(key), name)
                                : &object->params[found] == param)
            tn_json_value(out, unwrap(call, yyjson_obj_iter_get_val(key)));
    }
}

/* {"name":value} for one parameter, in its bound form. */
static void write_param(struct tn_buf *out, tenon_call *call, const struct tn_param *param)
{
    struct tn_object only   = { .name = "", .params = param, .count = 1 };
    struct tn_unbind unbind = { .out = out, .matcher = &call->matcher, .memory = &call->box->memory };
    size_t           mark   = out->len;

    if (tn_unbind_object(&unbind, &only, call->args) || out->failed)
        return;
    out->len = mark;
    tn_json_string(out, param->name, param->len);
    write_wire(out, call, param);
}

/* Of the arguments themselves: the address of an object is that of its first member, too. */
static bool is_given(const tenon_call *call, size_t index)
{
    return call->judge.root.presence[index] == PRESENT_GIVEN;
}

/* What was given inside objects: a handler may tell what is absent from what is zero. */
static void write_presence(struct tn_buf *out, const tenon_call *call)
{
    for (const struct tn_region *region = call->judge.regions; region; region = region->next)
        for (size_t i = 0; region != &call->judge.root && i < region->count * region->object->count; i++)
            tn_buf_char(out, region->presence[i] == PRESENT_GIVEN ? '1' : '0');
}

static void hash_query(tenon_call *call)
{
    const struct tn_object *object = call->tool->input->object;
    struct tn_buf           text;

    if (call->query_known)
        return;
    tn_buf_init(&text, &call->arena, 256, DATA_LEN_MAX);
    if (call->caller.len) {
        tn_buf_char(&text, CALLER_MARK);
        tn_json_string(&text, call->caller.at, call->caller.len);
    }
    tn_json_string(&text, call->tool->view.name, call->tool->name_len);
    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        if (param != call->tool->cursor && param != call->tool->limit && is_given(call, i))
            write_param(&text, call, param);
    }
    write_presence(&text, call);
    if (!text.failed)
        crypto_generichash(call->query, sizeof call->query, (const unsigned char *)text.at, text.len, NULL,
                           0);
    call->query_known = !text.failed;
    call->arena.failed |= text.failed;
}

/* ---- The cursor ---------------------------------------------------------------------------------------- */

static void cursor_sign(const tenon_call *call, const unsigned char key[TENON_KEY_LEN],
                        struct tn_slice position, unsigned char mac[MAC_LEN])
{
    const unsigned char          version = VERSION;
    unsigned char                whole[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;

    crypto_auth_hmacsha256_init(&state, key, TENON_KEY_LEN);
    crypto_auth_hmacsha256_update(&state, &version, 1);
    crypto_auth_hmacsha256_update(&state, call->query, sizeof call->query);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)position.at, position.len);
    crypto_auth_hmacsha256_final(&state, whole);
    memcpy(mac, whole, MAC_LEN);
}

/* `position` is at most CURSOR_POSITION_MAX long. Empty when memory is refused. */
static struct tn_slice encode(tenon_call *call, struct tn_slice position)
{
    unsigned char raw[RAW_MAX];
    size_t        len  = 1 + position.len + MAC_LEN;
    size_t        room = sodium_base64_encoded_len(len, VARIANT);
    char         *text = tn_arena_take(&call->arena, room, 1);

    if (!text)
        return (struct tn_slice){ "", 0 };
    raw[0] = VERSION;
    memcpy(raw + 1, position.at, position.len);
    cursor_sign(call, call->box->keys[0], position, raw + 1 + position.len);
    sodium_bin2base64(text, room, raw, len, VARIANT);
    return (struct tn_slice){ text, strlen(text) };
}

static bool is_signed(const tenon_call *call, struct tn_slice position, const unsigned char mac[MAC_LEN])
{
    unsigned char ours[MAC_LEN];
    bool          same = false;

    for (size_t i = 0; i < call->box->key_count && !same; i++) {
        cursor_sign(call, call->box->keys[i], position, ours);
        same = sodium_memcmp(ours, mac, MAC_LEN) == 0;
    }
    return same;
}

static bool cursor_decode(tenon_call *call, struct tn_slice text, struct tn_slice *position)
{
    unsigned char raw[RAW_MAX];
    size_t        len;
    char         *copy;

    if (sodium_base642bin(raw, sizeof raw, text.at, text.len, NULL, &len, NULL, VARIANT) != 0 ||
        len < 1 + MAC_LEN || raw[0] != VERSION)
        return false;
    *position = (struct tn_slice){ (const char *)raw + 1, len - 1 - MAC_LEN };
    if (!is_signed(call, *position, raw + len - MAC_LEN))
        return false;
    copy         = tn_arena_copy(&call->arena, position->at, position->len);
    position->at = copy ? copy : "";
    return true;
}

static void cursor_refuse(tenon_call *call)
{
    const struct tn_param *param = call->tool->cursor;
    struct tn_issue       *issue = tn_issues_add(&call->judge.issues, &call->arena);
    struct tn_buf          text;

    if (!issue)
        return;
    tn_buf_init(&text, &call->arena, 0, TEXT_ROOM);
    tn_buf_add(&text, param->name, param->len);
    tn_buf_lit(&text, PHRASE_BAD_CURSOR);
    issue->code       = ISSUE_OWN;
    issue->own_code   = "cursor";
    issue->text       = (struct tn_slice){ text.at, text.len };
    issue->parameter  = (struct tn_slice){ param->name, param->len };
    issue->label      = issue->parameter;
    issue->required   = param->required;
    issue->node       = param->node;
    issue->addressed  = param->node;
    issue->suggestion = SLICE_LIT("null"); /* the same as leaving it out */
}

/* Whatever is wrong with a cursor, leaving it out is right; an example of one would not be. */
void tn_cursor_advise(tenon_call *call)
{
    for (size_t i = 0; call->tool->cursor && i < call->judge.issues.count; i++)
        if (call->judge.issues.at[i].node == call->tool->cursor->node)
            call->judge.issues.at[i].suggestion = SLICE_LIT("null");
}

void tn_cursor_check(tenon_call *call)
{
    const char *text;

    if (!call->tool->cursor)
        return;
    memcpy(&text, (const char *)call->args + call->tool->cursor->offset, sizeof text);
    if (!text || !*text)
        return;
    hash_query(call);
    if (!cursor_decode(call, tn_slice_of(text), &call->position)) {
        call->position = (struct tn_slice){ "", 0 };
        cursor_refuse(call);
    }
}

const char *tenon_cursor_position(const tenon_call *call)
{
    return call->position.at ? call->position.at : "";
}

/* ---- Answers ------------------------------------------------------------------------------------------- */

struct cursor_listing {
    tenon_call       *call;
    const char       *items;
    size_t            count;
    int64_t           total;
    bool              more; /* after the last item that the handler gave */
    tenon_position_fn position;
};

/* The cursor that continues after the first `shown` items. False when the handler gives no position. */
static bool cursor_after(const struct cursor_listing *listing, size_t shown, struct tn_slice *cursor)
{
    tenon_call     *call = listing->call;
    const char     *item = listing->items + (shown - 1) * call->tool->items->object->size;
    struct tn_slice position;

    if (!listing->position)
        return false;
    position = tn_slice_of(listing->position(call, item));
    if (position.len == 0 || position.len > CURSOR_POSITION_MAX)
        return call->arena.failed;
    hash_query(call);
    *cursor = encode(call, position);
    return true;
}

static void write_tail(struct tn_buf *out, const struct cursor_listing *listing, struct tn_slice cursor)
{
    const tenon_call *call = listing->call;
    int64_t           limit;

    memcpy(&limit, (const char *)call->args + call->tool->limit->offset, sizeof limit);
    tn_buf_lit(out, ",\"limit\":");
    tn_buf_int(out, limit);
    tn_buf_lit(out, ",\"totalItems\":");
    if (listing->total < 0)
        tn_buf_lit(out, "null");
    else
        tn_buf_int(out, listing->total);
    if (cursor.len == 0) {
        tn_buf_lit(out, ",\"hasMore\":false,\"nextCursor\":null}");
        return;
    }
    tn_buf_lit(out, ",\"hasMore\":true,\"nextCursor\":\"");
    tn_buf_add(out, cursor.at, cursor.len);
    tn_buf_lit(out, "\"}");
}

/* Only the first answer of a query knows the number of its items in the whole. */
static void phrase_cut(struct tn_buf *text, const struct cursor_listing *listing, size_t shown,
                       struct tn_slice cursor)
{
    int64_t total = listing->call->position.len == 0 ? listing->total : -1;

    tn_phrase_items_cut(text, shown, listing->count, total, cursor);
}

/* How many items fit together with the cursor that stands behind them and, if some are cut, with the message that
 * repeats it. Cursors of one query are about equally long, so that a guess or two suffice. */
static bool cursor_fit(const struct cursor_listing *listing, const struct tn_items *items, size_t *shown,
                       struct tn_slice *cursor)
{
    *shown = items->written;
    for (int i = 0; i < GUESSES_MAX; i++) {
        struct tn_buf rest;
        size_t        fitting;

        *cursor = (struct tn_slice){ "", 0 };
        if ((*shown < listing->count || listing->more) && !cursor_after(listing, *shown, cursor))
            return false;
        tn_buf_init(&rest, &listing->call->arena, 0, TEXT_ROOM * 2);
        write_tail(&rest, listing, *cursor);
        if (*shown < listing->count)
            phrase_cut(&rest, listing, *shown, *cursor);
        fitting = tn_items_fit(items, rest.len + MESSAGE_QUOTES);
        if (fitting >= *shown)
            break;
        *shown = fitting;
    }
    return true;
}

tenon_outcome tenon_ok_items_(tenon_call *call, tenon_rows_fn rows, const void *from, size_t count,
                              int64_t total, bool more, tenon_position_fn position)
{
    struct cursor_listing listing = { call, from, count, total, more && count > 0, position };
    struct tn_slice       cursor  = { "", 0 };
    size_t                shown   = 0;
    struct tn_items       items;
    struct tn_buf         text;
    tenon_outcome         failure, outcome;

    if (!tn_call_declares(call->tool->declared->info.items, rows))
        return tenon_internal(call, PHRASE_LOG_NOT_ITEMS);
    if (!call->tool->cursor || !call->tool->limit)
        return tenon_internal(call, PHRASE_LOG_NO_CURSOR);
    if (!tn_items_write(&items, call, from, count, &failure))
        return failure;
    if (!cursor_fit(&listing, &items, &shown, &cursor))
        return tenon_internal(call, PHRASE_LOG_NO_POSITION, CURSOR_POSITION_MAX);
    tn_buf_init(&text, &call->arena, 0, TEXT_ROOM);
    if (count == 0)
        tn_buf_text(&text, call->position.len == 0 ? PHRASE_NO_ITEMS : PHRASE_NO_MORE_ITEMS);
    if (shown < count)
        phrase_cut(&text, &listing, shown, cursor);
    tn_items_end(&items, shown);
    write_tail(&items.out, &listing, cursor);
    outcome = tn_call_succeed(call, &items.out, shown);
    tn_call_note(call, &text, count == 0);
    return outcome;
}
