/* writer.c - JSON, value by value. Before each value its comma or its key is written, or the mistake kept: what is in the
 * buffer is the beginning of a valid text at all times. */
#include "json/writer.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "json/read.h"
#include "json/write.h"

#define BITS 64

_Static_assert(TENON_WRITER_DEPTH == JSON_WRITE_DEPTH_MAX, "a value that was read is as deep as one written");

/* ---- Making and ending ----------------------------------------------------------------------------------------- */

tenon_writer *tn_writer_in(struct tn_arena *arena, size_t max)
{
    tenon_writer *writer = tn_arena_new(arena, struct tenon_writer);

    if (writer)
        tn_buf_init(&writer->out, arena, 0, max);
    return writer;
}

tenon_writer *tenon_writer_new(const tenon_allocator *memory, size_t max)
{
    tenon_allocator from   = tn_memory_of(memory);
    tenon_writer   *writer = tn_memory_new(&from, sizeof *writer);

    if (!writer)
        return NULL;
    *writer = (tenon_writer){ 0 };
    tn_arena_init(&writer->own, &from, 0);
    tn_buf_init(&writer->out, &writer->own, 0, max);
    return writer;
}

void tenon_writer_free(tenon_writer *writer)
{
    tenon_allocator from;

    if (!writer || writer->out.arena != &writer->own)
        return;
    from = writer->own.memory;
    tn_arena_free(&writer->own);
    tn_memory_free(&from, writer, sizeof *writer);
}

const char *tenon_writer_error(const tenon_writer *writer)
{
    if (!writer)
        return WRITER_NO_MEMORY;
    if (writer->mistake)
        return writer->mistake;
    if (writer->out.failed)
        return writer->out.arena->failed ? WRITER_NO_MEMORY : WRITER_TOO_LONG;
    if (writer->depth > 0)
        return "an object or an array was not ended";
    return writer->filled ? NULL : "nothing was written";
}

const char *tenon_writer_text(tenon_writer *writer, size_t *len)
{
    const char *text = tenon_writer_error(writer) ? NULL : tn_buf_end(&writer->out);

    if (len)
        *len = text ? writer->out.len : 0;
    return text;
}

size_t tenon_writer_len(const tenon_writer *writer)
{
    return writer ? writer->out.len : 0;
}

/* ---- Where it stands ------------------------------------------------------------------------------------------- */

static void writer_fail(tenon_writer *writer, const char *mistake)
{
    if (!writer->mistake)
        writer->mistake = mistake;
}

static bool is_stuck(const tenon_writer *writer)
{
    return !writer || writer->mistake || writer->out.failed;
}

static bool in_object(const tenon_writer *writer)
{
    unsigned inner = writer->depth - 1;

    return writer->depth > 0 && (writer->objects[inner / BITS] >> inner % BITS & 1u) != 0;
}

static void write_key(tenon_writer *writer, const char *at, size_t len)
{
    if (!in_object(writer)) {
        writer_fail(writer, "a key stands in an object only");
    } else if (writer->keyed) {
        writer_fail(writer, "a key follows a key");
    } else if (!tn_utf8_valid(at, len)) {
        writer_fail(writer, "a key is not valid UTF-8");
    } else {
        if (writer->filled)
            tn_buf_char(&writer->out, ',');
        tn_json_string(&writer->out, at, len);
        tn_buf_char(&writer->out, ':');
        writer->keyed = true;
    }
}

/* May a value be written now? Then what stands before it is. */
static bool begin_value(tenon_writer *writer, const char *key)
{
    if (is_stuck(writer))
        return false;
    if (key)
        write_key(writer, key, strlen(key));
    else if (in_object(writer) && !writer->keyed)
        writer_fail(writer, "a value in an object needs a key");
    else if (writer->depth == 0 && writer->filled)
        writer_fail(writer, "a second value follows the first");
    else if (writer->filled && !writer->keyed)
        tn_buf_char(&writer->out, ',');
    writer->keyed  = false;
    writer->filled = true;
    return !is_stuck(writer);
}

static void begin_inner(tenon_writer *writer, const char *key, bool object)
{
    uint64_t bit;

    if (!begin_value(writer, key))
        return;
    if (writer->depth == TENON_WRITER_DEPTH) {
        writer_fail(writer, "objects and arrays are nested too deep");
        return;
    }
    bit = (uint64_t)1 << writer->depth % BITS;
    if (object)
        writer->objects[writer->depth / BITS] |= bit;
    else
        writer->objects[writer->depth / BITS] &= ~bit;
    writer->depth++;
    writer->filled = false;
    tn_buf_char(&writer->out, object ? '{' : '[');
}

void tenon_write_object(tenon_writer *writer, const char *key)
{
    begin_inner(writer, key, true);
}

void tenon_write_array(tenon_writer *writer, const char *key)
{
    begin_inner(writer, key, false);
}

void tenon_write_end(tenon_writer *writer)
{
    if (is_stuck(writer))
        return;
    if (writer->depth == 0) {
        writer_fail(writer, "there is no object or array to end");
    } else if (writer->keyed) {
        writer_fail(writer, "a key has no value");
    } else {
        tn_buf_char(&writer->out, in_object(writer) ? '}' : ']');
        writer->depth--;
        writer->filled = true;
    }
}

void tenon_write_key(tenon_writer *writer, const char *at, size_t len)
{
    if (!is_stuck(writer))
        write_key(writer, len ? at : "", len);
}

/* ---- Values ---------------------------------------------------------------------------------------------------- */

void tenon_write_bytes(tenon_writer *writer, const char *key, const char *at, size_t len)
{
    if (begin_value(writer, key))
        tn_json_string(&writer->out, len ? at : "", len);
}

void tenon_write_text(tenon_writer *writer, const char *key, const char *at, size_t len)
{
    if (!is_stuck(writer) && len > 0 && !tn_utf8_valid(at, len))
        writer_fail(writer, "a text is not valid UTF-8");
    tenon_write_bytes(writer, key, at, len);
}

void tenon_write_str(tenon_writer *writer, const char *key, const char *text)
{
    if (text)
        tenon_write_text(writer, key, text, strlen(text));
    else
        tenon_write_null(writer, key);
}

void tenon_write_int(tenon_writer *writer, const char *key, int64_t value)
{
    if (begin_value(writer, key))
        tn_buf_int(&writer->out, value);
}

void tenon_write_num(tenon_writer *writer, const char *key, double value)
{
    if (!is_stuck(writer) && !isfinite(value))
        writer_fail(writer, "JSON has no NaN and no infinities");
    if (begin_value(writer, key))
        tn_json_number(&writer->out, value);
}

void tenon_write_bool(tenon_writer *writer, const char *key, bool value)
{
    if (begin_value(writer, key))
        tn_buf_text(&writer->out, value ? "true" : "false");
}

void tenon_write_null(tenon_writer *writer, const char *key)
{
    if (begin_value(writer, key))
        tn_buf_lit(&writer->out, "null");
}

/* Is it JSON that fits here? The memory to read it is given back at once: in a call's it would stay. */
static const char *check_raw(const tenon_writer *writer, const char *json, size_t len)
{
    const struct tn_json_limits limits = { writer->out.max, TENON_WRITER_DEPTH - writer->depth, SIZE_MAX };
    struct tn_arena             scratch;
    struct tn_json_text         read;

    tn_arena_init(&scratch, &writer->out.arena->memory, 0);
    read = tn_json_read(&scratch, json ? json : "", json ? len : 0, &limits);
    tn_arena_free(&scratch);
    switch (read.fault) {
    case JSON_FINE: return read.bad_utf8 ? "a raw value is not valid UTF-8" : NULL;
    case JSON_TOO_LONG: return WRITER_TOO_LONG;
    case JSON_TOO_DEEP: return "a raw value is nested too deep";
    case JSON_NO_MEMORY: return WRITER_NO_MEMORY;
    default: return "a raw value is not JSON";
    }
}

void tenon_write_raw(tenon_writer *writer, const char *key, const char *json, size_t len)
{
    const char *mistake = is_stuck(writer) ? NULL : check_raw(writer, json, len);

    if (mistake)
        writer_fail(writer, mistake);
    if (begin_value(writer, key))
        tn_json_line(&writer->out, json, len);
}

/* Is it nested deeper than `most`? */
static bool is_deeper(const tenon_json *value, unsigned most)
{
    const tenon_json_type type = tenon_json_type_of(value);
    const tenon_json     *item;

    if (type != TENON_JSON_ARRAY && type != TENON_JSON_OBJECT)
        return false;
    if (most == 0)
        return true;
    for (size_t place = 0; (item = tenon_json_next(value, &place, NULL));)
        if (is_deeper(item, most - 1))
            return true;
    return false;
}

void tenon_write_json(tenon_writer *writer, const char *key, const tenon_json *value)
{
    if (!is_stuck(writer) && is_deeper(value, TENON_WRITER_DEPTH - writer->depth))
        writer_fail(writer, "a value is nested too deep");
    if (begin_value(writer, key))
        tn_json_value(&writer->out, (yyjson_val *)value);
}
