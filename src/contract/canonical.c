/* canonical.c - one writer of values, in three forms. */
#include "contract/canonical.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/utf8.h"
#include "contract/number_form.h"
#include "contract/phrases.h"

#define NODES_MAX  ((size_t)4 << 20)
#define STEP       2  /* spaces of an indentation */
#define ARRAY_LINE 90 /* the longest array that stays on its line */

/* ---- Reading --------------------------------------------------------------------------------------------------- */

const char *tn_canonical_why(enum tn_canonical fault)
{
    static const char *const why[] = { [CANONICAL_FINE]   = "",
                                       [CANONICAL_SYNTAX] = SAY_CANONICAL_SYNTAX,
                                       [CANONICAL_TWICE]  = SAY_CANONICAL_TWICE,
                                       [CANONICAL_TEXT]   = SAY_CANONICAL_TEXT,
                                       [CANONICAL_NUMBER] = SAY_CANONICAL_NUMBER,
                                       [CANONICAL_MEMORY] = SAY_MEMORY };

    return why[fault];
}

/* UTF-8 sorts as its code points do. */
int tn_canonical_compare(struct tn_slice a, struct tn_slice b)
{
    size_t less = a.len < b.len ? a.len : b.len;
    int    way  = less > 0 ? memcmp(a.at, b.at, less) : 0;

    return way != 0 ? way : (a.len > b.len) - (a.len < b.len);
}

static int compare_members(const void *left, const void *right)
{
    return tn_canonical_compare(((const struct tn_canonical_member *)left)->name,
                                ((const struct tn_canonical_member *)right)->name);
}

struct tn_canonical_member *tn_canonical_members(struct tn_arena *arena, yyjson_val *object)
{
    size_t                      count = yyjson_obj_size(object), i = 0;
    struct tn_canonical_member *all  = tn_arena_array(arena, count ? count : 1, struct tn_canonical_member);
    yyjson_obj_iter             each = yyjson_obj_iter_with(object);
    yyjson_val                 *name;

    while (all && i < count && (name = yyjson_obj_iter_next(&each)))
        all[i++] = (struct tn_canonical_member){ tn_json_slice(name), yyjson_obj_iter_get_val(name) };
    if (all)
        qsort(all, count, sizeof *all, compare_members);
    return all;
}

static enum tn_canonical check_object(struct tn_arena *arena, yyjson_val *object)
{
    size_t                            count = yyjson_obj_size(object);
    const struct tn_canonical_member *all   = tn_canonical_members(arena, object);

    if (!all)
        return CANONICAL_MEMORY;
    for (size_t i = 1; i < count; i++)
        if (tn_slice_same(all[i - 1].name, all[i].name))
            return CANONICAL_TWICE;
    return CANONICAL_FINE;
}

/* Values of a document stand one after another, each container before its own. */
enum tn_canonical tn_canonical_check(const tenon_allocator *memory, yyjson_val *root)
{
    enum tn_canonical fault = CANONICAL_FINE;
    struct tn_arena   own;

    tn_arena_init(&own, memory, 0);
    for (yyjson_val *at = root, *end = unsafe_yyjson_get_next(root); at < end && fault == CANONICAL_FINE;
         at++)
        if (yyjson_is_obj(at)) {
            tn_arena_reset(&own);
            fault = check_object(&own, at);
        }
    tn_arena_free(&own);
    return fault;
}

enum tn_canonical tn_canonical_read(struct tn_arena *arena, struct tn_slice text, size_t depth,
                                    yyjson_val **value)
{
    const struct tn_json_limits limits = { CANONICAL_BYTES_MAX, depth, NODES_MAX };
    struct tn_json_text         read;

    *value = NULL;
    if (!tn_utf8_valid(text.at, text.len))
        return CANONICAL_TEXT;
    read = tn_json_read_literal(arena, text.at, text.len, &limits);
    if (read.fault == JSON_NO_MEMORY)
        return CANONICAL_MEMORY;
    if (!read.root)
        return CANONICAL_SYNTAX;
    *value = read.root;
    return tn_canonical_check(&arena->memory, read.root);
}

/* ---- Strings --------------------------------------------------------------------------------------------------- */

static const char *short_escape(unsigned char c)
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return NULL;
    }
}

/* Half a surrogate pair, as tn_json_read() spells it. */
static bool is_half(const unsigned char *at, size_t len)
{
    return len >= 3 && at[0] == 0xED && at[1] >= 0xA0;
}

void tn_canonical_string(struct tn_buf *out, struct tn_slice text)
{
    const unsigned char *at   = (const unsigned char *)text.at;
    size_t               from = 0;

    tn_buf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        const char *escape = short_escape(at[i]);
        bool        half   = is_half(at + i, text.len - i);

        if (at[i] >= 0x20 && !escape && !half)
            continue;
        tn_buf_add(out, text.at + from, i - from);
        if (escape)
            tn_buf_text(out, escape);
        else if (half)
            tn_buf_addf(out, "\\u%04x", 0xD000u | (unsigned)(at[i + 1] & 0x3F) << 6 | (at[i + 2] & 0x3Fu));
        else
            tn_buf_addf(out, "\\u%04x", at[i]);
        i += half ? 2 : 0;
        from = i + 1;
    }
    tn_buf_add(out, text.at + from, text.len - from);
    tn_buf_char(out, '"');
}

/* ---- Values ---------------------------------------------------------------------------------------------------- */

struct form {
    struct tn_buf    *out;
    struct tn_arena  *arena; /* of members that are sorted */
    bool              sorted, numbers, laid_out;
    enum tn_canonical fault;
};

static void write_value(struct form *form, yyjson_val *value, size_t depth);

static void write_break(struct form *form, size_t depth)
{
    if (!form->laid_out)
        return;
    tn_buf_char(form->out, '\n');
    for (size_t i = 0; i < depth * STEP; i++)
        tn_buf_char(form->out, ' ');
}

static void write_member(struct form *form, struct tn_slice name, yyjson_val *value, size_t depth, bool first)
{
    if (!first)
        tn_buf_char(form->out, ',');
    write_break(form, depth);
    tn_canonical_string(form->out, name);
    tn_buf_text(form->out, form->laid_out ? ": " : ":");
    write_value(form, value, depth);
}

static void write_sorted(struct form *form, yyjson_val *object, size_t depth)
{
    size_t                            count = yyjson_obj_size(object);
    const struct tn_canonical_member *all   = tn_canonical_members(form->arena, object);

    if (!all)
        form->fault = CANONICAL_MEMORY;
    for (size_t i = 0; all && i < count; i++)
        write_member(form, all[i].name, all[i].value, depth + 1, i == 0);
}

static void write_object(struct form *form, yyjson_val *object, size_t depth)
{
    yyjson_obj_iter each  = yyjson_obj_iter_with(object);
    bool            first = true;
    yyjson_val     *name;

    tn_buf_char(form->out, '{');
    if (form->sorted)
        write_sorted(form, object, depth);
    else
        for (; (name = yyjson_obj_iter_next(&each)); first = false)
            write_member(form, tn_json_slice(name), yyjson_obj_iter_get_val(name), depth + 1, first);
    if (yyjson_obj_size(object) > 0)
        write_break(form, depth);
    tn_buf_char(form->out, '}');
}

/* Does the array fit into a line? Only of values that have no parts. */
static bool is_short(yyjson_val *array)
{
    yyjson_arr_iter each = yyjson_arr_iter_with(array);
    yyjson_val     *item;
    size_t          len = 2;

    while ((item = yyjson_arr_iter_next(&each))) {
        len += (yyjson_is_str(item) || yyjson_is_raw(item) ? unsafe_yyjson_get_len(item) : 3) + 4;
        if (yyjson_is_ctn(item) || len > ARRAY_LINE)
            return false;
    }
    return true;
}

static void write_array(struct form *form, yyjson_val *array, size_t depth)
{
    yyjson_arr_iter each  = yyjson_arr_iter_with(array);
    bool            lines = form->laid_out && !is_short(array), first = true;
    yyjson_val     *item;

    tn_buf_char(form->out, '[');
    for (; (item = yyjson_arr_iter_next(&each)); first = false) {
        if (!first)
            tn_buf_text(form->out, form->laid_out && !lines ? ", " : ",");
        if (lines)
            write_break(form, depth + 1);
        write_value(form, item, depth + 1);
    }
    if (lines)
        write_break(form, depth);
    tn_buf_char(form->out, ']');
}

static void write_number(struct form *form, struct tn_slice text)
{
    if (!form->numbers)
        tn_buf_add(form->out, text.at, text.len);
    else if (!tn_number_form(form->out, text))
        form->fault = CANONICAL_NUMBER;
}

/* The depth is that of a text that was read, which is bounded. */
static void write_value(struct form *form, yyjson_val *value, size_t depth)
{
    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_OBJ: write_object(form, value, depth); break;
    case YYJSON_TYPE_ARR: write_array(form, value, depth); break;
    case YYJSON_TYPE_STR: tn_canonical_string(form->out, tn_json_slice(value)); break;
    case YYJSON_TYPE_RAW:
        write_number(form, (struct tn_slice){ unsafe_yyjson_get_raw(value), unsafe_yyjson_get_len(value) });
        break;
    case YYJSON_TYPE_BOOL: tn_buf_text(form->out, unsafe_yyjson_get_bool(value) ? "true" : "false"); break;
    default: tn_buf_lit(form->out, "null"); break;
    }
}

enum tn_canonical tn_canonical_write(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value)
{
    struct form form = { .out = out, .arena = arena, .sorted = true, .numbers = true };

    write_value(&form, value, 0);
    return form.fault == CANONICAL_FINE && out->failed ? CANONICAL_MEMORY : form.fault;
}

void tn_canonical_line(struct tn_buf *out, yyjson_val *value)
{
    struct form form = { .out = out };

    write_value(&form, value, 0);
}

void tn_canonical_lay_out(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value, size_t depth,
                          bool sorted)
{
    struct form form = { .out = out, .arena = arena, .sorted = sorted, .laid_out = true };

    write_value(&form, value, depth);
    out->failed |= form.fault != CANONICAL_FINE;
}

void tn_canonical_hash(struct tn_slice bytes, char hash[HASH_LEN + 1])
{
    unsigned char sum[crypto_hash_sha256_BYTES];

    _Static_assert(crypto_hash_sha256_BYTES * 2 == HASH_LEN, "two digits a byte");
    crypto_hash_sha256(sum, (const unsigned char *)bytes.at, bytes.len);
    sodium_bin2hex(hash, HASH_LEN + 1, sum, sizeof sum);
}
