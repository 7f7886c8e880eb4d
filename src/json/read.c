/* read.c - yyjson on an arena, within limits.
 *
 * yyjson copies the text, so that its strings can point into the copy, and keeps the values in one array that it sizes
 * by a guess (a sixth of the text's length) and grows by half whenever that was too low. Arenas do not reuse what a
 * growth leaves unused, so the first growth here makes room for all the values that the text and the limits allow; a
 * text that needs still more has broken a limit, and is refused before the memory is spent. What is left over goes back
 * to the arena at the end.
 */
#include "json/read.h"

#include "base/str.h"
#include "json/surrogate.h"

#define VALUE        sizeof(yyjson_val)
#define HEADER       ((sizeof(yyjson_doc) + VALUE - 1) / VALUE) /* values that the document's head takes */
#define SPARE        ((size_t)4)                                /* values that yyjson keeps free at the end */
#define TRIM_MIN_LEN ((size_t)1024)                             /* shorter texts leave too little over */

/* What yyjson's callbacks see. It is gone when json_read returns, and nobody frees a document in an arena. */
struct json_reading {
    struct tn_arena *arena;
    void            *block; /* the newest, and its length */
    size_t           len;
    size_t           values_max; /* of a text that keeps the limits */
    bool             beyond;     /* more were wanted */
};

static void *read_take(void *user, size_t len)
{
    struct json_reading *reading = user;

    reading->block = tn_arena_take(reading->arena, len, alignof(max_align_t));
    reading->len   = len;
    return reading->block;
}

/* Only the values grow, by half each time: a reader that holds fewer than `enough` never asks for more than `roomy`. */
static void *read_grow(void *user, void *block, size_t old_len, size_t new_len)
{
    struct json_reading *reading = user;
    size_t               enough  = (HEADER + reading->values_max + SPARE) * VALUE;
    size_t               roomy   = enough + enough / 2;

    if (block == reading->block && new_len <= reading->len)
        return block;
    if (old_len >= enough) {
        reading->beyond = true;
        return NULL;
    }
    if (roomy < new_len)
        roomy = new_len;
    block = tn_arena_resize(reading->arena, block, old_len, roomy);
    if (block) {
        reading->block = block;
        reading->len   = roomy;
    }
    return block;
}

static void read_let_go(void *user, void *block)
{
    (void)user, (void)block;
}

/* v values of which o are containers that are still open take at least 2v - o - 1 bytes: one for each bracket, one
 * or more for each other value, and one before each value that is not the first inside its container. */
static size_t most_values(size_t len, const struct tn_json_limits *limits)
{
    size_t depth = limits->depth < len ? limits->depth : len;
    size_t fit   = len / 2 + depth / 2 + 2;

    return limits->nodes < fit ? limits->nodes : fit;
}

/* Is a container nested in `most` others? Values stand in the order of the text, so one pass sees them all. */
static bool too_deep(struct tn_arena *arena, yyjson_val *root, size_t count, size_t most)
{
    yyjson_val **ends  = tn_arena_take(arena, (most + 1) * sizeof(yyjson_val *), alignof(yyjson_val *));
    size_t       depth = 0;
    bool         deep  = false;

    if (!ends)
        return false; /* the arena has failed, which the caller sees */
    for (yyjson_val *value = root; value < root + count && !deep; value++) {
        if (!unsafe_yyjson_is_ctn(value))
            continue;
        while (depth > 0 && ends[depth - 1] <= value)
            depth--;
        ends[depth++] = unsafe_yyjson_get_next(value);
        deep          = depth > most;
    }
    tn_arena_resize(arena, ends, (most + 1) * sizeof(yyjson_val *), 0);
    return deep;
}

static const char *syntax_text(yyjson_read_code code)
{
    if (code == YYJSON_READ_ERROR_EMPTY_CONTENT || code == YYJSON_READ_ERROR_UNEXPECTED_END)
        return "unexpected end";
    if (code == YYJSON_READ_ERROR_UNEXPECTED_CONTENT)
        return "text after the end of the value";
    if (code == YYJSON_READ_ERROR_JSON_STRUCTURE)
        return "trailing comma";
    if (code == YYJSON_READ_ERROR_INVALID_NUMBER)
        return "invalid number";
    if (code == YYJSON_READ_ERROR_INVALID_STRING)
        return "invalid string";
    if (code == YYJSON_READ_ERROR_LITERAL)
        return "invalid literal";
    return "unexpected character";
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20;
}

static struct tn_json_text control_in_string(size_t at)
{
    return (struct tn_json_text){ .fault = JSON_SYNTAX, .what = "control character in a string", .at = at };
}

/* Why yyjson did not read `text`. */
static struct tn_json_text read_explain(const struct json_reading   *reading,
                                        const struct tn_json_limits *limits, const yyjson_read_err *err,
                                        const char *text, size_t len)
{
    if (reading->beyond)
        return (struct tn_json_text){ .fault = reading->values_max == limits->nodes ? JSON_TOO_MANY
                                                                                    : JSON_TOO_DEEP };
    if (err->code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        return (struct tn_json_text){ .fault = JSON_NO_MEMORY };
    if (err->code == YYJSON_READ_ERROR_INVALID_STRING && err->pos < len && is_control(text[err->pos]))
        return control_in_string(err->pos);
    return (struct tn_json_text){ .fault = JSON_SYNTAX, .what = syntax_text(err->code), .at = err->pos };
}

/* Where a control character stands inside a string of well-formed JSON; `len` when nowhere. yyjson finds them only
 * while it also refuses what is not UTF-8. */
static size_t find_control_in_string(const char *at, size_t len)
{
    bool inside = false;

    for (size_t i = 0; i < len; i++) {
        if (at[i] == '"')
            inside = !inside;
        else if (inside && at[i] == '\\')
            i++;
        else if (inside && is_control(at[i]))
            return i;
    }
    return len;
}

/* Did the reader stop at a byte of a string that may be part of broken UTF-8? */
static bool stopped_at_text(const yyjson_read_err *err, const char *at, size_t len)
{
    return err->pos < len && (unsigned char)at[err->pos] >= 0x80;
}

/* Text that is not Unicode, for a second try that lets it through. yyjson has no way to let half a surrogate pair through, so
 * these are spelt as the three bytes that they would be, which are not UTF-8. `at` NULL when nothing of the kind stands
 * there, or without memory. */
static struct tn_slice second_try(struct tn_arena *arena, const char *at, size_t len,
                                  const yyjson_read_err *err, size_t *bad_at)
{
    size_t lone = tn_surrogate_find(at, len);
    char  *spelt;

    *bad_at = lone;
    if (err->code != YYJSON_READ_ERROR_INVALID_STRING || (lone == len && !stopped_at_text(err, at, len)))
        return (struct tn_slice){ NULL, 0 };
    if (err->pos < lone)
        *bad_at = err->pos;
    if (lone == len)
        return (struct tn_slice){ at, len };
    spelt = tn_arena_take(arena, len, 1);
    return (struct tn_slice){ spelt, spelt ? tn_surrogate_spell(at, len, spelt) : 0 };
}

static struct tn_json_text read_text(struct tn_arena *arena, const char *at, size_t len,
                                     const struct tn_json_limits *limits, yyjson_read_flag flags)
{
    struct json_reading reading = { .arena = arena };
    const yyjson_alc    memory  = { read_take, read_grow, read_let_go, &reading };
    struct tn_json_text text    = { .fault = JSON_FINE };
    yyjson_read_err     err;
    yyjson_doc         *doc;

    if (len > limits->bytes)
        return (struct tn_json_text){ .fault = JSON_TOO_LONG };
    if (len == 0)
        return (struct tn_json_text){ .fault = JSON_SYNTAX, .what = "unexpected end" };

    reading.values_max = most_values(len, limits);
    doc                = yyjson_read_opts((char *)at, len, flags, &memory, &err);
    if (!doc && err.code == YYJSON_READ_ERROR_INVALID_STRING) {
        struct tn_slice again = second_try(arena, at, len, &err, &text.at);

        if (arena->failed)
            return (struct tn_json_text){ .fault = JSON_NO_MEMORY };
        text.bad_utf8 = again.at != NULL;
        if (text.bad_utf8)
            doc = yyjson_read_opts((char *)again.at, again.len, flags | YYJSON_READ_ALLOW_INVALID_UNICODE,
                                   &memory, &err);
        if (text.bad_utf8 && !doc)
            err.pos = tn_surrogate_place(at, len, err.pos);
    }
    if (!doc)
        return read_explain(&reading, limits, &err, at, len);
    if (text.bad_utf8) {
        size_t control = find_control_in_string(at, len);

        if (control < len)
            return control_in_string(control);
    }

    text.root  = doc->root;
    text.nodes = yyjson_doc_get_val_count(doc);
    if (len >= TRIM_MIN_LEN && reading.block == doc)
        tn_arena_resize(arena, doc, reading.len, (HEADER + text.nodes) * VALUE);
    if (text.nodes > limits->nodes)
        return (struct tn_json_text){ .fault = JSON_TOO_MANY };
    if (text.nodes > limits->depth && too_deep(arena, text.root, text.nodes, limits->depth))
        return (struct tn_json_text){ .fault = JSON_TOO_DEEP };
    if (arena->failed)
        return (struct tn_json_text){ .fault = JSON_NO_MEMORY };
    return text;
}

struct tn_json_text tn_json_read(struct tn_arena *arena, const char *at, size_t len,
                                 const struct tn_json_limits *limits)
{
    return read_text(arena, at, len, limits, YYJSON_READ_BIGNUM_AS_RAW);
}

struct tn_json_text tn_json_read_literal(struct tn_arena *arena, const char *at, size_t len,
                                         const struct tn_json_limits *limits)
{
    return read_text(arena, at, len, limits, YYJSON_READ_NUMBER_AS_RAW);
}

/* A text that begins with a sign or a digit can only be a number; one that ends in a digit has nothing behind it. */
yyjson_val *tn_json_read_number(struct tn_arena *arena, const char *at, size_t len)
{
    const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = 1, .nodes = 1 };

    if (len == 0 || at[len - 1] < '0' || at[len - 1] > '9')
        return NULL;
    if (at[0] != '-' && (at[0] < '0' || at[0] > '9'))
        return NULL;
    return tn_json_read(arena, at, len, &limits).root;
}
