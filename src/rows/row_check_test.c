/* row_check_test.c - every mistake that one row can make, with its words; and that a start-up check tries every default. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/judged.h"

enum letter { A, B };
static const char *const letter_names[]   = { "a", "b" };
static const char *const no_names[]       = { NULL, NULL };
static const char *const same_names[]     = { "a", "b", "a" };
static const char *const blank_names[]    = { "a", " b" };
static const char *const nameless_names[] = { "a", "" };
static const char *const many_names[65]   = { "a", "b" };
static const char *const tiny_names[257]  = { "a", "b" };

typedef struct {
    double lat;
} point;
TENON_ROWS(point_rows, point, TENON_NUM(lat, "L.", .required = true, .range = { -90, 90 }));

typedef struct {
    short          s16;
    unsigned short u16;
    int            i32;
    unsigned       u32;
    int64_t        i64;
    uint64_t       u64;
    double         num;
    float          single;
    bool           flag;
    enum letter    e;
    unsigned char  tiny;
    const char    *text;
    tenon_time     t;
    tenon_strs     strs;
    tenon_ints     ints;
    tenon_nums     nums;
    tenon_set      set;
    tenon_enums    enums;
    tenon_map      map;
    point          at;
    const point   *pointed;
    TENON_LIST_OF(point) points;
    const tenon_json *json;
} all;

static const char *never(tenon_check *check, const void *value)
{
    (void)check, (void)value;
    return "nothing is good enough";
}

/* A table for each row, named by its line. */
#define ROW_(name, ...) TENON_ROWS(name, all, __VA_ARGS__)

/* clang-format off */
ROW_(range_s16, TENON_INT(s16, "D.", .range = {0, 32768}));
ROW_(range_s16_low, TENON_INT(s16, "D.", .range = {-32769, 0}));
ROW_(range_u16, TENON_INT(u16, "D.", .range = {0, 65536}));
ROW_(range_u16_low, TENON_INT(u16, "D.", .range = {-1, 5}));
ROW_(range_i32, TENON_INT(i32, "D.", .range = {0, INT64_C(2147483648)}));
ROW_(range_u32, TENON_INT(u32, "D.", .range = {0, INT64_C(4294967296)}));
ROW_(range_u64, TENON_INT(u64, "D.", .range = {-1, 5}));
ROW_(range_single, TENON_NUM(single, "D.", .range = {0, 1e39}));
ROW_(range_fits, TENON_INT(u32, "D.", .range = {0, INT64_C(4294967295)}), TENON_INT(i64, "D.", .range = {INT64_MIN, INT64_MAX}),
     TENON_INT(s16, "D.", .range = {TENON_NO_MIN, TENON_NO_MAX}), TENON_NUM(num, "D.", .range = {-1e308, 1e308}),
     TENON_INTS(ints, "D.", .range = {INT64_MIN, INT64_MIN + 1}, .count = {2, 3}, .unique = true),
     TENON_NUM(single, "D.", .range = {TENON_NO_MIN, 1}));
ROW_(reversed_int, TENON_INT(i32, "D.", .range = {5, 1}));
ROW_(reversed_num, TENON_NUM(num, "D.", .range = {1, 0.5}));
ROW_(reversed_len, TENON_STR(text, "D.", .len = {5, 1}));
ROW_(reversed_count, TENON_STRS(strs, "D.", .count = {5, 1}));
ROW_(endless_num, TENON_NUM(num, "D.", .range = {0, (double)INFINITY}));
ROW_(clamp_alone, TENON_INT(i32, "D.", .clamp = true));
ROW_(clamp_num_alone, TENON_NUM(num, "D.", .clamp = true));
ROW_(low_default_alone, TENON_INT(i32, "D.", .range = {1, 5}, .clamp = true, .low_default = true));
ROW_(low_default_no_clamp, TENON_INT(i32, "D.", .range = {1, 5}, .def = 2, .low_default = true));
ROW_(low_text_alone, TENON_INT(i32, "D.", .range = {1, 5}, .low_text = "x"));
ROW_(tolerance_alone, TENON_NUM(num, "D.", .tolerance = 0.1));
ROW_(tolerance_negative, TENON_NUM(num, "D.", .range = {0, 1}, .tolerance = -0.1));
ROW_(required_default, TENON_INT(i32, "D.", .required = true, .def = 0));
ROW_(note_alone, TENON_INT(i32, "D.", .default_note = "x"));
ROW_(no_doc, TENON_INT(i32, ""));
ROW_(blank_doc, TENON_INT(i32, "  "));
ROW_(null_doc, TENON_INT(i32, NULL));
ROW_(json_text_alone, TENON_STRS(strs, "D.", .json_text = true));
ROW_(blank_path, TENON_PATH(text, "D.", .blank_ok = true));
ROW_(ext_of_text, TENON_STR(text, "D.", .ext = ".md"));
ROW_(ext_of_strs, TENON_STRS(strs, "D.", .ext = ".md"));
ROW_(schemes_of_text, TENON_STR(text, "D.", .schemes = "https"));
ROW_(count_of_object, TENON_OBJECT(at, point_rows, "D.", .count = {1, 2}));
ROW_(default_of_pointed, TENON_OBJECT(pointed, point_rows, "D.", .def = "{\"x\":1}"));
ROW_(unique_map, TENON_MAP(map, "D.", .unique = true));
ROW_(comma_map, TENON_MAP(map, "D.", .comma = true));
ROW_(bad_format, TENON_STR(text, "D.", .format = "phone"));
ROW_(misspelt_format, TENON_STR(text, "D.", .format = "emial"));
ROW_(bad_pattern, TENON_STR(text, "D.", .pattern = "a(", .example = "a"));
ROW_(bad_item_pattern, TENON_STRS(strs, "D.", .pattern = "[", .example = "[]"));
ROW_(empty_enum, TENON_ENUM(e, no_names, "D."));
ROW_(empty_enums, TENON_ENUMS(set, no_names, "D."));
ROW_(same_enum, TENON_ENUM(e, same_names, "D."));
ROW_(blank_enum, TENON_ENUM(e, blank_names, "D."));
ROW_(nameless_enum, TENON_ENUM(e, nameless_names, "D."));
ROW_(large_set, TENON_ENUMS(set, many_names, "D."));
ROW_(large_list, TENON_ENUMS(enums, many_names, "D."));
ROW_(large_tiny, TENON_ENUM(tiny, tiny_names, "D."));
ROW_(def_range, TENON_INT(i32, "D.", .range = {1, 5}, .def = 6));
ROW_(def_zero, TENON_INT(i32, "D.", .range = {1, 5}, .def = 0));
ROW_(def_clamped, TENON_INT(i32, "D.", .range = {1, 5}, .def = 50, .clamp = true));
ROW_(def_width, TENON_INT(s16, "D.", .def = 40000));
ROW_(def_num, TENON_NUM(num, "D.", .range = {0, 1}, .def = 1.5));
ROW_(def_nan, TENON_NUM(num, "D.", .def = (double)NAN));
ROW_(def_enum, TENON_ENUM(e, letter_names, "D.", .def = 7));
ROW_(def_hole, TENON_ENUM(e, same_names, "D.", .def = -1));
ROW_(def_null, TENON_STR(text, "D.", .def = NULL));
ROW_(def_null_list, TENON_STRS(strs, "D.", .def = NULL));
ROW_(def_of_no_truth, TENON_BOOL(flag, "D.", .def = 2));
ROW_(def_long, TENON_STR(text, "D.", .len = {1, 3}, .def = "long"));
ROW_(def_empty, TENON_STR(text, "D.", .len = {1, 3}, .def = ""));
ROW_(def_pattern, TENON_STR(text, "D.", .pattern = "^x", .def = "y", .example = "x"));
ROW_(def_date, TENON_DATE(t, "D.", .def = "tomorrow"));
ROW_(def_no_json, TENON_STRS(strs, "D.", .def = "[\"a\""));
ROW_(def_word, TENON_STRS(strs, "D.", .def = "a"));
ROW_(def_lone, TENON_STRS(strs, "D.", .def = "\"a\""));
ROW_(def_other_type, TENON_INTS(ints, "D.", .def = "[\"1\"]"));
ROW_(def_item, TENON_INTS(ints, "D.", .range = {1, 5}, .def = "1,9"));
ROW_(def_enums, TENON_ENUMS(enums, letter_names, "D.", .def = "a,z"));
ROW_(def_object, TENON_OBJECT(at, point_rows, "D.", .def = "{}"));
ROW_(def_objects, TENON_OBJECTS(points, point_rows, "D.", .def = "[{\"lat\":91}]"));
ROW_(def_map, TENON_MAP(map, "D.", .def = "{\"a\":1}"));
ROW_(def_utf8, TENON_STRS(strs, "D.", .def = "[\"\xFF\"]"));
ROW_(def_check, TENON_INT(i32, "D.", .check = never, .def = 1));
ROW_(example_range, TENON_INT(i32, "D.", .range = {1, 5}, .example = "6"));
ROW_(example_type, TENON_INT(i32, "D.", .example = "\"3\""));
ROW_(example_json, TENON_OBJECT(at, point_rows, "D.", .example = "{lat:1}"));
ROW_(example_needed, TENON_STR(text, "D.", .pattern = "^x"));
ROW_(example_check, TENON_INT(i32, "D.", .check = never));
ROW_(many_first, TENON_INT(i32, "D.", .range = {5, 1}, .clamp = true), TENON_INT(i64, ""));
ROW_(good_lists, TENON_INTS(ints, "D.", .def = "1, 2"), TENON_ENUMS(enums, letter_names, "D.", .def = "b,a"),
     TENON_STRS(strs, "D.", .def = "a, b", .comma = true), TENON_NUMS(nums, "D.", .def = "[]"), TENON_JSON(json, "D.", .def = "[1]"));
/* clang-format on */

#define IS(param, text) "parameter '" param "': " text

static void mistakes_in_a_row(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *want; } cases[] = {
        { range_s16, IS("s16", "its .range is wider than its field") },
        { range_s16_low, IS("s16", "its .range is wider than its field") },
        { range_u16, IS("u16", "its .range is wider than its field") },
        { range_u16_low, IS("u16", "its .range is wider than its field") },
        { range_i32, IS("i32", "its .range is wider than its field") },
        { range_u32, IS("u32", "its .range is wider than its field") },
        { range_u64, IS("u64", "its .range is wider than its field") },
        { range_single, IS("single", "its .range is wider than its field") },
        { range_fits, NULL },
        { reversed_int, IS("i32", ".range ends before it begins") },
        { reversed_num, IS("num", ".range ends before it begins") },
        { reversed_len, IS("text", ".len ends before it begins") },
        { reversed_count, IS("strs", ".count ends before it begins") },
        { endless_num, IS("num", ".range is not finite: write TENON_NO_MIN or TENON_NO_MAX") },
        { clamp_alone, IS("i32", ".clamp needs a .range to move values into") },
        { clamp_num_alone, IS("num", ".clamp needs a .range to move values into") },
        { low_default_alone, IS("i32", ".low_default needs .clamp and a default") },
        { low_default_no_clamp, IS("i32", ".low_default needs .clamp and a default") },
        { low_text_alone, IS("i32", ".low_text and .high_text need .clamp") },
        { tolerance_alone, IS("num", ".tolerance needs a .range, and is not negative") },
        { tolerance_negative, IS("num", ".tolerance needs a .range, and is not negative") },
        { required_default, IS("i32", "it is required and has a default: one of the two never counts") },
        { note_alone, IS("i32", "it has a .default_note and no default") },
        { no_doc, IS("i32", "it has no description") },
        { blank_doc, IS("i32", "it has no description") },
        { null_doc, IS("i32", "it has no description") },
        { json_text_alone, IS("strs", ".json_text needs an .example, for its description") },
        { blank_path, IS("text", ".blank_ok is for TENON_STR") },
        { ext_of_text, IS("text", ".ext is for paths") },
        { ext_of_strs, IS("strs", ".ext is for paths") },
        { schemes_of_text, IS("text", ".schemes is for urls") },
        { count_of_object, IS("at", ".count is for lists") },
        { default_of_pointed, IS("pointed", ".def is for a struct, not for a pointer to one") },
        { unique_map, IS("map", ".unique and .comma are for lists") },
        { comma_map, IS("map", ".unique and .comma are for lists") },
        { bad_format, IS("text", "there is no format 'phone'") },
        { misspelt_format, IS("text", "there is no format 'emial'; did you mean 'email'?") },
        { bad_pattern, IS("text", "its .pattern cannot be used: missing closing parenthesis") },
        { bad_item_pattern, IS("strs", "its .pattern cannot be used: missing terminating ] for character class") },
        { empty_enum, IS("e", "its enum is empty") },
        { empty_enums, IS("set", "its enum is empty") },
        { same_enum, IS("e", "its enum has 'a' twice") },
        { blank_enum, IS("e", "its enum has a name that is blank or has spaces around it") },
        { nameless_enum, IS("e", "its enum has a name that is blank or has spaces around it") },
        { large_set, IS("set", "a tenon_set holds 64 values, and its enum has more: use tenon_enums") },
        { large_list, NULL },
        { large_tiny, IS("tiny", "its enum has more values than its field holds") },
        { def_range, IS("i32", "its default 6 does not pass: i32 must be between 1 and 5, got 6") },
        { def_zero, IS("i32", "its default 0 does not pass: i32 must be between 1 and 5, got 0") },
        { def_clamped, IS("i32", "its default 50 does not pass: i32 must be between 1 and 5, got 50") },
        { def_width, IS("s16", "its default 40000 does not pass: s16 must be between -32768 and 32767, got 40000") },
        { def_num, IS("num", "its default 1.5 does not pass: num must be between 0 and 1, got 1.5") },
        { def_nan, IS("num", "its default null does not pass: num must be a number, got null") },
        { def_enum, IS("e", "its default is not a value of its enum") },
        { def_hole, IS("e", "its enum has 'a' twice") },
        { def_null, NULL }, /* as if it were not written */
        { def_null_list, NULL },
        { def_of_no_truth, IS("flag", "its default is neither true nor false") },
        { def_long, IS("text", "its default \"long\" does not pass: text must not exceed 3 characters") },
        { def_empty, IS("text", "its default \"\" does not pass: text cannot be empty") },
        { def_pattern, IS("text", "its default \"y\" does not pass: text must match the pattern ^x, got \"y\"") },
        { def_date, IS("t", "its default \"tomorrow\" does not pass: Invalid date 'tomorrow'. Expected ISO format "
                            "(YYYY-MM-DD) like '2025-01-15'") },
        { def_no_json, IS("strs", "its default [\"a\" does not pass: strs is not valid JSON: unexpected end at position 4") },
        { def_word, IS("strs", "its default a does not pass: strs is not valid JSON: unexpected character at position 0") },
        { def_lone, IS("strs", "its default \"a\" does not pass: strs must be an array of strings, got \"a\"") },
        { def_other_type, IS("ints", "its default [\"1\"] does not pass: /ints/0 must be an integer, got \"1\"") },
        { def_item, IS("ints", "its default [1,9] does not pass: /ints/1 must be between 1 and 5, got 9") },
        { def_enums, IS("enums", "its default [\"a\",\"z\"] does not pass: /enums/1 must be one of: a, b. Got: z") },
        { def_object, IS("at", "its default {} does not pass: /at/lat is required") },
        { def_objects, IS("points", "its default [{\"lat\":91}] does not pass: /points/0/lat must be between -90 and 90, got 91") },
        { def_map, IS("map", "its default {\"a\":1} does not pass: /map/a must be a string, got 1") },
        { def_utf8, IS("strs", "its default [\"\xFF\"] does not pass: /strs/0 must be valid UTF-8") },
        { def_check, IS("i32", "its default 1 does not pass: nothing is good enough") },
        { example_range, IS("i32", "its example 6 does not pass: i32 must be between 1 and 5, got 6") },
        { example_type, IS("i32", "its example \"3\" does not pass: i32 must be an integer, got \"3\"") },
        { example_json, IS("at", "its example {lat:1} does not pass: at is not valid JSON: unexpected character at "
                                 "position 1") },
        { example_needed, IS("text", "it needs an .example, since the one made up, \"text\" does not pass: text must match "
                                     "the pattern ^x, got \"text\"") },
        { example_check, IS("i32", "it needs an .example, since the one made up, 1 does not pass: nothing is good enough") },
        { many_first, IS("i32", ".range ends before it begins") "\n"
                      "many_first: " IS("i64", "it has no description") },
        { good_lists, NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char want[1000];

        snprintf(want, sizeof want, "%s: %s", cases[i].rows()->name, cases[i].want ? cases[i].want : "");
        judged_mistake_is(cases[i].rows(), cases[i].want ? want : NULL);
    }
}

typedef struct {
    int         a, b;
    const char *s;
} rule_args;
TENON_ROWS(never_rows, rule_args, TENON_INT(a, "A.", .required = true), TENON_INT(b, "B.", .required = true),
    TENON_EXCLUSIVE(a, b));
TENON_ROWS(apart_rows, rule_args, TENON_INT(a, "A.", .required = true, .range = {5, 9}),
    TENON_INT(b, "B.", .required = true, .range = {1, 3}), TENON_ORDERED(a, b));
TENON_ROWS(blank_rows, rule_args, TENON_STR(s, "S.", .required = true, .len = { 0, 0 }));
TENON_ROWS(either_rows, rule_args, TENON_INT(a, "A."), TENON_INT(b, "B."), TENON_EXCLUSIVE(a, b),
           TENON_ANY_OF(a, b));

/* Rows that no call can satisfy are a mistake of the table as a whole. */
static void rows_that_exclude_each_other(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *want; } cases[] = {
        { never_rows, "never_rows: the call made of its examples, {\"a\":1,\"b\":1}, does not pass: b cannot be used "
                      "together with a" },
        { apart_rows, "apart_rows: the call made of its examples, {\"a\":5,\"b\":1}, does not pass: Invalid range: a must "
                      "not be greater than b" },
        { blank_rows, "blank_rows: the call made of its examples, {\"s\":\"\"}, does not pass: s cannot be empty" },
        { either_rows, NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_mistake_is(cases[i].rows(), cases[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_a_row),
        cmocka_unit_test(rows_that_exclude_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
