/* hostile.c - values that break what reads them: too deep, too long, half a character, a name twice.
 *
 * A server may make of them what it likes, as long as it goes on.
 */
#include "contract/fuzz/cases.h"

#define LONG_LEN     ((size_t)100000)
#define DEEP_LEVELS  ((size_t)2000)
#define DIGITS       ((size_t)400)
#define PLACES_TRIED ((size_t)8) /* of one kind */

#define CALL_INSIDE \
    "\\n{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"tools/list\\\"}\\n"

struct value {
    const char     *what;
    struct tn_slice json;
};

static struct tn_slice repeated(struct tn_case_maker *maker, const char *before, char c, size_t count,
                                const char *middle, char d, const char *after)
{
    struct tn_buf out;

    tn_buf_init(&out, maker->cases->arena, count * 2 + 64, CASE_LEN_MAX);
    tn_buf_text(&out, before);
    for (size_t i = 0; i < count; i++)
        tn_buf_char(&out, c);
    tn_buf_text(&out, middle);
    for (size_t i = 0; d && i < count; i++)
        tn_buf_char(&out, d);
    tn_buf_text(&out, after);
    maker->cases->failed |= out.failed;
    return tn_buf_slice(&out);
}

static void try_edit(struct tn_case_maker *maker, const char *what, const struct tn_place *place,
                     struct tn_edit edit)
{
    tn_case_try(maker, &(struct tn_case){ .kind       = CASE_HOSTILE,
                                          .what       = what,
                                          .where      = place->pointer,
                                          .edits      = { edit },
                                          .edit_count = 1 });
}

static void try_all(struct tn_case_maker *maker, const struct tn_place *place, const struct value *values,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        try_edit(maker, values[i].what, place, tn_edit_replace(place, values[i].json));
}

/* ---- By type ------------------------------------------------------------------------------------------------------- */

static void text_values(struct tn_case_maker *maker, const struct tn_place *place, struct tn_slice long_text)
{
    const struct value values[] = {
        { "a NUL in a text", SLICE_LIT("\"a\\u0000b\"") },
        { "half a surrogate pair", SLICE_LIT("\"a\\ud800b\"") },
        { "bytes that are not UTF-8", SLICE_LIT("\"a\xFF\xFE"
                                                "b\"") },
        { "a path out of its folder", SLICE_LIT("\"../../../../../../../../etc/passwd\"") },
        { "a path out of its folder", SLICE_LIT("\"file:///etc/passwd\"") },
        { "a path out of its folder", SLICE_LIT("\"..%2f..%2f..%2fetc%2fpasswd\"") },
        { "a call inside of a text", SLICE_LIT("\"" CALL_INSIDE "\"") },
        { "a text of formats", SLICE_LIT("\"%s%n%x{0}${7*7}{{7*7}}\"") },
        { "a shell's characters", SLICE_LIT("\"'; \\\"`$(:)`| &\\\\\"") },
        { "an escape sequence", SLICE_LIT("\"\\u001b[2J\\u009b\"") },
        { "a text that is very long", long_text },
    };

    try_all(maker, place, values, sizeof values / sizeof *values);
}

static void number_values(struct tn_case_maker *maker, const struct tn_place *place, struct tn_slice digits)
{
    const struct value values[] = {
        { "a number beyond 64 bits", SLICE_LIT("18446744073709551616") },
        { "a number beyond 64 bits", SLICE_LIT("-9223372036854775809") },
        { "a number beyond 53 bits", SLICE_LIT("9007199254740993") },
        { "a number beyond a double", SLICE_LIT("1e400") },
        { "a number of very many digits", digits },
        { "negative zero", SLICE_LIT("-0") },
        { "a number that is not JSON", SLICE_LIT("NaN") },
    };

    try_all(maker, place, values, sizeof values / sizeof *values);
}

struct bombs {
    struct tn_slice deep_array, deep_object;
};

static void structures(struct tn_case_maker *maker, const struct tn_place *place, const struct bombs *bombs)
{
    const struct value values[] = {
        { "arrays that are very deep", bombs->deep_array },
        { "objects that are very deep", bombs->deep_object },
        { "a reference to itself", SLICE_LIT("{\"$ref\":\"#\"}") },
        { "references that multiply",
          SLICE_LIT("{\"$defs\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/a\"}]}},"
                    "\"$ref\":\"#/$defs/a\"}") },
        { "names of a prototype", SLICE_LIT("{\"__proto__\":{\"x\":1},\"constructor\":{\"prototype\":{}}}") },
    };

    try_all(maker, place, values, sizeof values / sizeof *values);
}

/* The member once more, with another value. */
static void named_twice(struct tn_case_maker *maker, const struct tn_place *place)
{
    const struct tn_places *places = maker->places;
    struct tn_slice         member = { places->text.at + place->key, place->from - place->key };
    struct tn_buf           out;

    tn_buf_init(&out, maker->cases->arena, member.len + 8, CASE_LEN_MAX);
    tn_buf_add(&out, member.at, member.len);
    tn_buf_lit(&out, "null,");
    maker->cases->failed |= out.failed;
    try_edit(maker, "a name twice", place, (struct tn_edit){ place->key, place->key, tn_buf_slice(&out) });
}

/* ---- All ----------------------------------------------------------------------------------------------------------- */

static void whole_arguments(struct tn_case_maker *maker, const struct bombs *bombs)
{
    const struct tn_place *root     = &maker->places->at[0];
    const struct value     values[] = {
            { "an array instead of arguments", SLICE_LIT("[]") },
            { "a text instead of arguments", SLICE_LIT("\"{}\"") },
            { "a number instead of arguments", SLICE_LIT("5") },
            { "null instead of arguments", SLICE_LIT("null") },
    };

    try_all(maker, root, values, sizeof values / sizeof *values);
    try_edit(maker, "arrays that are very deep", root,
             tn_edit_insert(maker, root, SLICE_LIT("deep"), bombs->deep_array));
    try_edit(maker, "names of a prototype", root,
             tn_edit_insert(maker, root, SLICE_LIT("__proto__"), SLICE_LIT("{\"x\":1}")));
    try_edit(maker, "a name of a NUL", root,
             (struct tn_edit){ root->from + 1, root->from + 1,
                               yyjson_obj_size(root->value) > 0 ? SLICE_LIT("\"\\u0000\":1,")
                                                                : SLICE_LIT("\"\\u0000\":1") });
}

void tn_hostile_add(struct tn_case_maker *maker)
{
    const struct tn_places *places    = maker->places;
    struct tn_slice         long_text = repeated(maker, "\"", 'x', LONG_LEN, "", '\0', "\"");
    struct tn_slice         digits    = repeated(maker, "1", '0', DIGITS, "", '\0', "");
    const struct bombs      bombs     = { repeated(maker, "", '[', DEEP_LEVELS, "", ']', ""),
                                          SLICE_LIT("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"
                                                             "{\"a\":{\"a\":{\"a\":{}}}}}}}}}}}}") };
    size_t                  texts = 0, numbers = 0, others = 0;

    whole_arguments(maker, &bombs);
    for (size_t i = 1; i < places->count; i++) {
        const struct tn_place *place = &places->at[i];

        if (yyjson_is_str(place->value) && texts++ < PLACES_TRIED)
            text_values(maker, place, long_text);
        if (yyjson_is_num(place->value) && numbers++ < PLACES_TRIED)
            number_values(maker, place, digits);
        if (others++ < PLACES_TRIED)
            structures(maker, place, &bombs);
        if (place->name.at && i < PLACES_TRIED)
            named_twice(maker, place);
    }
}
