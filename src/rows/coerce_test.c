/* coerce_test.c - integers, numbers, booleans, enums and moments: what is taken, what is refused, in which words. */
#include <stdio.h>
#include <string.h>

#include "support/judged.h"

typedef struct {
    int16_t n;
} half_args;
typedef struct {
    uint16_t n;
} uhalf_args;
typedef struct {
    int32_t n;
} word_args;
typedef struct {
    uint32_t n;
} uword_args;
typedef struct {
    int64_t n;
} wide_args;
typedef struct {
    uint64_t n;
} uwide_args;
typedef struct {
    double x;
} real_args;
typedef struct {
    float x;
} single_args;
typedef struct {
    bool b;
} bool_args;
typedef struct {
    tenon_time t;
} time_args;

TENON_ROWS(half_rows, half_args, TENON_INT(n, "N.", .required = true));
TENON_ROWS(uhalf_rows, uhalf_args, TENON_INT(n, "N.", .required = true));
TENON_ROWS(word_rows, word_args, TENON_INT(n, "N.", .required = true));
TENON_ROWS(uword_rows, uword_args, TENON_INT(n, "N.", .required = true));
TENON_ROWS(wide_rows, wide_args, TENON_INT(n, "N.", .required = true));
TENON_ROWS(uwide_rows, uwide_args, TENON_INT(n, "N.", .required = true));

/* Integers are exact to the last bit of 64, and each field's width is its range. */
static void integers_of_every_width(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { half_rows, "{'n':-32768}", "{'n':-32768}" },
        { half_rows, "{'n':32767}", "{'n':32767}" },
        { half_rows, "{'n':32768}", "n must be between -32768 and 32767, got 32768" },
        { half_rows, "{'n':-32769}", "n must be between -32768 and 32767, got -32769" },
        { uhalf_rows, "{'n':65535}", "{'n':65535}" },
        { uhalf_rows, "{'n':65536}", "n must be between 0 and 65535, got 65536" },
        { uhalf_rows, "{'n':-1}", "n must be between 0 and 65535, got -1" },
        { word_rows, "{'n':2147483647}", "{'n':2147483647}" },
        { word_rows, "{'n':-2147483648}", "{'n':-2147483648}" },
        { word_rows, "{'n':2147483648}", "n must be between -2147483648 and 2147483647, got 2147483648" },
        { uword_rows, "{'n':4294967295}", "{'n':4294967295}" },
        { uword_rows, "{'n':4294967296}", "n must be between 0 and 4294967295, got 4294967296" },
        { wide_rows, "{'n':9223372036854775807}", "{'n':9223372036854775807}" },
        { wide_rows, "{'n':-9223372036854775808}", "{'n':-9223372036854775808}" },
        { wide_rows, "{'n':9007199254740993}", "{'n':9007199254740993}" },
        { wide_rows, "{'n':9223372036854775808}",
          "n must be between -9223372036854775808 and 9223372036854775807, "
          "got 9223372036854775808" },
        { wide_rows, "{'n':-9223372036854775809}",
          "n must be between -9223372036854775808 and 9223372036854775807, "
          "got -9223372036854775809" },
        { wide_rows, "{'n':18446744073709551616}",
          "n must be between -9223372036854775808 and 9223372036854775807, "
          "got 18446744073709551616" },
        { uwide_rows, "{'n':0}", "{'n':0}" },
        { uwide_rows, "{'n':9223372036854775807}", "{'n':9223372036854775807}" },
        { uwide_rows, "{'n':-1}", "n must be between 0 and 9223372036854775807, got -1" },
        { uwide_rows, "{'n':18446744073709551615}",
          "n must be between 0 and 9223372036854775807, got 18446744073709551615" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* Coercion is lossless: "80" and 3.0 are taken, "007" and what lies beyond exact range never. */
static void integers_are_coerced_without_loss(void **state)
{
    static const struct {
        const char *args, *want;
    } cases[] = {
        { "{'n':3.0}", "{'n':3}" },
        { "{'n':-0.0}", "{'n':0}" },
        { "{'n':1e3}", "{'n':1000}" },
        { "{'n':'80'}", "{'n':80} + Converted n from '80' to 80" },
        { "{'n':' 80 '}", "{'n':80} + Converted n from ' 80 ' to 80" },
        { "{'n':'-5'}", "{'n':-5} + Converted n from '-5' to -5" },
        { "{'n':'3.0'}", "{'n':3} + Converted n from '3.0' to 3" },
        { "{'n':'9223372036854775807'}",
          "{'n':9223372036854775807} + Converted n from '9223372036854775807' to 9223372036854775807" },
        { "{'n':9007199254740991.0}", "{'n':9007199254740991}" },
        { "{'n':9007199254740993.0}", "n must be an integer, got 9007199254740992" },
        { "{'n':9007199254740992.0}", "n must be an integer, got 9007199254740992" },
        { "{'n':1e17}", "n must be an integer, got 100000000000000000.0" },
        { "{'n':2.5}", "n must be an integer, got 2.5" },
        { "{'n':'2.5'}", "n must be an integer, got '2.5'" },
        { "{'n':'007'}", "n must be an integer, got '007'" },
        { "{'n':'+7'}", "n must be an integer, got '+7'" },
        { "{'n':'0x10'}", "n must be an integer, got '0x10'" },
        { "{'n':'1_000'}", "n must be an integer, got '1_000'" },
        { "{'n':'1,000'}", "n must be an integer, got '1,000'" },
        { "{'n':'12abc'}", "n must be an integer, got '12abc'" },
        { "{'n':'7 7'}", "n must be an integer, got '7 7'" },
        { "{'n':'123e4567-e89b-12d3-a456-426614174000'}",
          "n must be an integer, got '123e4567-e89b-12d3-a456-426614174000'" },
        { "{'n':true}", "n must be an integer, got true" },
        { "{'n':[1,2]}", "n must be an integer, got [1,2]" },
        { "{'n':[true]}", "n must be an integer, got [true]" },
        { "{'n':{}}", "n must be an integer, got {}" },
        { "{'n':'Infinity'}", "n must be an integer, got 'Infinity'" },
        { "{'n':'NaN'}", "n must be an integer, got 'NaN'" },
        { "{'n':1e400}", "n must be an integer, got 1e400" },
        { "{'n':'1e400'}", "n must be an integer, got 1e400" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(wide_rows(), cases[i].args, cases[i].want);
}

TENON_ROWS(range_rows, wide_args, TENON_INT(n, "N.", .range = { 1, 10 }));
TENON_ROWS(positive_rows, wide_args, TENON_INT(n, "N.", .range = { 1, TENON_NO_MAX }));
TENON_ROWS(negative_rows, wide_args, TENON_INT(n, "N.", .range = { TENON_NO_MIN, 0 }));
TENON_ROWS(zero_rows, wide_args, TENON_INT(n, "N.", .range = { 0, 0 }));
TENON_ROWS(strict_rows, wide_args, TENON_INT(n, "N.", .strict = true));
TENON_ROWS(clamp_rows, wide_args, TENON_INT(n, "N.", .range = { 1, 10 }, .clamp = true));
TENON_ROWS(low_rows, wide_args,
           TENON_INT(n, "N.", .range = { 1, 10 }, .def = 5, .clamp = true, .low_default = true));
TENON_ROWS(worded_rows, wide_args,
           TENON_INT(n, "N.", .range = { 1, 10 }, .def = 5, .clamp = true, .low_default = true,
                     .low_text  = "{name}: {value} is below {min}, {used} it is",
                     .high_text = "{value}>{max}={used} {other}"));
TENON_ROWS(hidden_rows, wide_args, TENON_INT(n, "N.", .range = { 1, 10 }, .clamp = true, .secret = true));

/* Out of range is an issue, and with .clamp exactly one message; one-sided limits have their own spelling. */
static void ranges_refuse_or_clamp(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { range_rows, "{'n':0}", "n must be between 1 and 10, got 0" },
        { range_rows, "{'n':11.0}", "n must be between 1 and 10, got 11" },
        { range_rows, "{'n':'11'}", "n must be between 1 and 10, got 11" },
        { range_rows, "{'n':1e300}", "n must be between 1 and 10, got 1e300" },
        { range_rows, "{'n':10}", "{'n':10}" },
        { positive_rows, "{'n':0}", "n must be at least 1, got 0" },
        { positive_rows, "{'n':9223372036854775807}", "{'n':9223372036854775807}" },
        { positive_rows, "{'n':9223372036854775808}",
          "n must be between 1 and 9223372036854775807, got 9223372036854775808" },
        { negative_rows, "{'n':1}", "n must be at most 0, got 1" },
        { negative_rows, "{'n':-99999999999999999999}",
          "n must be between -9223372036854775808 and 0, got -99999999999999999999" },
        { zero_rows, "{'n':0}", "{'n':0}" },
        { zero_rows, "{'n':1}", "n must be between 0 and 0, got 1" },
        { strict_rows, "{'n':'1'}", "n must be an integer, got '1'" },
        { strict_rows, "{'n':1.0}", "{'n':1}" },
        { clamp_rows, "{'n':200}", "{'n':10} + n adjusted from 200 to 10 (maximum allowed)" },
        { clamp_rows, "{'n':-200}", "{'n':1} + n adjusted from -200 to 1 (minimum allowed)" },
        { clamp_rows, "{'n':200.0}", "{'n':10} + n adjusted from 200 to 10 (maximum allowed)" },
        { clamp_rows, "{'n':1e300}", "{'n':10} + n adjusted from 1e300 to 10 (maximum allowed)" },
        { clamp_rows, "{'n':99999999999999999999}",
          "{'n':10} + n adjusted from 99999999999999999999 to 10 (maximum allowed)" },
        { clamp_rows, "{'n':2.5}", "n must be an integer, got 2.5" },
        { clamp_rows, "{'n':'200'}",
          "{'n':10} + n adjusted from 200 to 10 (maximum allowed)"
          " + Converted n from '200' to 200" },
        { clamp_rows, "{'n':5}", "{'n':5}" },
        { low_rows, "{'n':0}", "{'n':5} + n adjusted from 0 to 5 (default)" },
        { low_rows, "{'n':11}", "{'n':10} + n adjusted from 11 to 10 (maximum allowed)" },
        { worded_rows, "{'n':-7}", "{'n':5} + n: -7 is below 1, 5 it is" },
        { worded_rows, "{'n':70}", "{'n':10} + 70>10=10 {other}" },
        { hidden_rows, "{'n':70}", "{'n':10} + n adjusted from its value to 10 (maximum allowed)" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* A literal of any length is echoed, cut, and never as nothing. */
static void long_literals_are_cut(void **state)
{
    char   args[1024], want[512];
    size_t at = 5;

    (void)state;
    memcpy(args, "{'n':", 5);
    memset(args + at, '7', 400);
    memcpy(args + at + 400, "}", 2);
    snprintf(want, sizeof want, "{'n':10} + n adjusted from %.100s... to 10 (maximum allowed)", args + at);
    judged_is(clamp_rows(), args, want);
    snprintf(want, sizeof want, "n must be between 1 and 10, got %.100s...", args + at);
    judged_is(range_rows(), args, want);
}

TENON_ROWS(real_rows, real_args, TENON_NUM(x, "X.", .range = { 0, 1 }));
TENON_ROWS(any_rows, real_args, TENON_NUM(x, "X."));
TENON_ROWS(single_rows, single_args, TENON_NUM(x, "X."));
TENON_ROWS(least_rows, real_args, TENON_NUM(x, "X.", .range = { 0.5, TENON_NO_MAX }));
TENON_ROWS(near_rows, real_args, TENON_NUM(x, "X.", .range = { 0, 1 }, .tolerance = 1e-6));
TENON_ROWS(pulled_rows, real_args, TENON_NUM(x, "X.", .range = { 0, 1 }, .clamp = true, .tolerance = 1e-6));

/* Numbers: shortest spelling, no infinity, no rounding unseen; a tolerance snaps silently. */
static void numbers(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { real_rows, "{'x':0.7}", "{'x':0.7}" },
        { real_rows, "{'x':1}", "{'x':1}" },
        { real_rows, "{'x':2.0}", "x must be between 0 and 1, got 2" },
        { real_rows, "{'x':-0.1}", "x must be between 0 and 1, got -0.1" },
        { real_rows, "{'x':'0.5'}", "{'x':0.5} + Converted x from '0.5' to 0.5" },
        { real_rows, "{'x':'5e-1'}", "{'x':0.5} + Converted x from '5e-1' to 0.5" },
        { real_rows, "{'x':'2'}", "x must be between 0 and 1, got 2" },
        { real_rows, "{'x':'half'}", "x must be a number, got 'half'" },
        { real_rows, "{'x':'0,5'}", "x must be a number, got '0,5'" },
        { real_rows, "{'x':'.5'}", "x must be a number, got '.5'" },
        { real_rows, "{'x':true}", "x must be a number, got true" },
        { any_rows, "{'x':1e308}", "{'x':1e308}" },
        { any_rows, "{'x':1e400}", "x must be a number, got 1e400" },
        { any_rows, "{'x':-1e400}", "x must be a number, got -1e400" },
        { any_rows, "{'x':'1e400'}", "x must be a number, got 1e400" },
        { any_rows, "{'x':'Infinity'}", "x must be a number, got 'Infinity'" },
        { any_rows, "{'x':'NaN'}", "x must be a number, got 'NaN'" },
        { any_rows, "{'x':9007199254740992}", "{'x':9007199254740992}" },
        { any_rows, "{'x':9007199254740993}", "x must be a number, got 9007199254740993" },
        { any_rows, "{'x':'9007199254740993'}", "x must be a number, got 9007199254740993" },
        { any_rows, "{'x':99999999999999999999}", "x must be a number, got 99999999999999999999" },
        { single_rows, "{'x':0.5}", "{'x':0.5}" },
        { single_rows, "{'x':1e300}",
          "x must be between -3.4028234663852886e38 and 3.4028234663852886e38, got 1e300" },
        { least_rows, "{'x':0.25}", "x must be at least 0.5, got 0.25" },
        { near_rows, "{'x':1.0000001}", "{'x':1}" },
        { near_rows, "{'x':1.0000000000000002}", "{'x':1}" },
        { near_rows, "{'x':1.00001}", "x must be between 0 and 1, got 1.00001" },
        { near_rows, "{'x':-0.00001}", "x must be between 0 and 1, got -0.00001" },
        { near_rows, "{'x':-0.0000001}", "{'x':0}" },
        { near_rows, "{'x':-0.0}", "{'x':0}" },
        { near_rows, "{'x':1.00001}", "x must be between 0 and 1, got 1.00001" },
        { pulled_rows, "{'x':1.0000001}", "{'x':1}" },
        { pulled_rows, "{'x':1.5}", "{'x':1} + x adjusted from 1.5 to 1 (maximum allowed)" },
        { pulled_rows, "{'x':-1.5}", "{'x':0} + x adjusted from -1.5 to 0 (minimum allowed)" },
        { pulled_rows, "{'x':'1.5'}",
          "{'x':1} + x adjusted from 1.5 to 1 (maximum allowed)"
          " + Converted x from '1.5' to 1.5" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

TENON_ROWS(bool_rows, bool_args, TENON_BOOL(b, "B."));
TENON_ROWS(dry_rows, bool_args, TENON_BOOL(b, "B.", .strict = true));

/* Booleans by word, never "maybe", never 0 and 1; strict ones only as booleans. */
static void booleans(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { bool_rows, "{'b':true}", "{'b':true}" },
        { bool_rows, "{'b':'true'}", "{'b':true} + Converted b from 'true' to true" },
        { bool_rows, "{'b':' FALSE'}", "{'b':false} + Converted b from ' FALSE' to false" },
        { bool_rows, "{'b':'maybe'}", "b must be true or false, got 'maybe'" },
        { bool_rows, "{'b':'yes'}", "b must be true or false, got 'yes'" },
        { bool_rows, "{'b':1}", "b must be true or false, got 1" },
        { bool_rows, "{'b':0}", "b must be true or false, got 0" },
        { bool_rows, "{'b':[]}", "b must be true or false, got []" },
        { dry_rows, "{'b':false}", "{'b':false}" },
        { dry_rows, "{'b':'false'}", "b must be true or false, got 'false'" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

enum level { LOW, MID = 2, HIGH };
static const char *const level_names[]  = { [LOW] = "low", [MID] = "mid", [HIGH] = "High" };
static const char *const letter_names[] = { "a", "A", "null" };
typedef struct {
    enum level e;
} enum_args;
typedef struct {
    unsigned char e;
} tiny_args;
TENON_ROWS(enum_rows, enum_args, TENON_ENUM(e, level_names, "E."));
TENON_ROWS(tiny_rows, tiny_args, TENON_ENUM(e, level_names, "E."));
TENON_ROWS(exact_rows, enum_args, TENON_ENUM(e, level_names, "E.", .exact = true));
TENON_ROWS(letter_rows, enum_args, TENON_ENUM(e, letter_names, "E."));
TENON_ROWS(private_rows, enum_args, TENON_ENUM(e, level_names, "E.", .secret = true));

/* Enums: case and spaces are folded to the canonical spelling, silently; all else names every value. */
static void enums(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { enum_rows, "{'e':'mid'}", "{'e':'mid'}" },
        { enum_rows, "{'e':'MID'}", "{'e':'mid'}" },
        { enum_rows, "{'e':' hiGH\\n'}", "{'e':'High'}" },
        { enum_rows, "{'e':'z'}", "e must be one of: low, mid, High. Got: z" },
        { enum_rows, "{'e':1}", "e must be one of: low, mid, High. Got: 1" },
        { enum_rows, "{'e':['low','mid']}", "e must be one of: low, mid, High. Got: ['low','mid']" },
        { enum_rows, "{'e':'a\\u0007\\n'}", "e must be one of: low, mid, High. Got: a\\x07\\n" },
        { tiny_rows, "{'e':'HIGH'}", "{'e':'High'}" },
        { exact_rows, "{'e':' mid '}", "{'e':'mid'}" },
        { exact_rows, "{'e':'MID'}", "e must be one of: low, mid, High. Got: MID" },
        { letter_rows, "{'e':'A'}", "{'e':'A'}" },
        { letter_rows, "{'e':'null'}", "{'e':'null'}" },
        { private_rows, "{'e':'z'}", "e must be one of: low, mid, High. Got: a string" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* The nearest value is suggested, so that a program can repair its call. */
static void suggestions(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { enum_rows, "{'e':'mdi'}", "e:enum~'mid'" },    { enum_rows, "{'e':'elephant'}", "e:enum" },
        { exact_rows, "{'e':'HIGH'}", "e:enum~'High'" }, { private_rows, "{'e':'mdi'}", "e:enum" },
        { range_rows, "{'n':0}", "n:range~1" },          { range_rows, "{'n':99}", "n:range~10" },
        { real_rows, "{'x':7}", "x:range~1" },           { real_rows, "{'x':-7}", "x:range~0" },
        { dry_rows, "{'b':'True'}", "b:type~true" },     { dry_rows, "{'b':'maybe'}", "b:type" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_codes_are(cases[i].rows(), cases[i].args, cases[i].want);
}

TENON_ROWS(date_rows, time_args, TENON_DATE(t, "T."));
TENON_ROWS(end_rows, time_args, TENON_DATE(t, "T.", .end_of_day = true));
TENON_ROWS(stamp_rows, time_args, TENON_TIMESTAMP(t, "T."));
TENON_ROWS(born_rows, time_args, TENON_DATE(t, "T.", .calendar = true));

#define DATE_IS(v, why, like) "Invalid date " v ": " why ". Expected ISO format (YYYY-MM-DD) like '" like "'"
#define DATE_AT(v, why, like)                                                                                \
    "Invalid date " v ": " why                                                                               \
    ". Expected ISO format (YYYY-MM-DD) or a timestamp with an offset like '" like "'"
#define STAMP_IS(v, why, like)                                                                               \
    "Invalid timestamp " v ": " why ". Expected RFC 3339 format with an offset like '" like "'"
#define NO_DATE(v) "Invalid date " v ". Expected ISO format (YYYY-MM-DD) like '2025-01-15'"
#define NO_STAMP(v)                                                                                          \
    "Invalid timestamp " v ". Expected RFC 3339 format with an offset like '2025-01-15T10:30:00Z'"
#define SECONDS(v)                                                                                           \
    "Invalid date " v                                                                                        \
    ": as milliseconds since 1970 it is too small and looks like seconds. Expected milliseconds, "           \
    "or ISO format (YYYY-MM-DD) like '2025-01-15'"

/* Dates: a day, a timestamp with an offset, or epoch milliseconds; checked by the calendar, years 1 to 9999. */
static void moments(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args;
        int64_t     ms;
        const char *want;
    } cases[] = {
        { date_rows, "{'t':'2025-01-15'}", 1736899200000, NULL },
        { date_rows, "{'t':' 2025-01-15 '}", 1736899200000, NULL },
        { end_rows, "{'t':'2025-01-15'}", 1736985599999, NULL },
        { end_rows, "{'t':'2025-01-15T00:00:00Z'}", 1736899200000, NULL },
        { date_rows, "{'t':'2025-01-15T10:30:00+02:00'}", 1736929800000, NULL },
        { date_rows, "{'t':1736899200000}", 1736899200000, NULL },
        { date_rows, "{'t':1736899200000.0}", 1736899200000, NULL },
        { date_rows, "{'t':'1736899200000'}", 1736899200000, NULL },
        { date_rows, "{'t':100000000000}", 100000000000, NULL },
        { date_rows, "{'t':253402300799999}", 253402300799999, NULL },
        { date_rows, "{'t':'1970-01-01'}", 0, NULL },
        { date_rows, "{'t':'9999-12-31'}", 253402214400000, NULL },
        { stamp_rows, "{'t':'2025-01-15T10:30:00.250Z'}", 1736937000250, NULL },
        { stamp_rows, "{'t':1736899200000}", 1736899200000, NULL },
        { date_rows, "{'t':'garbage'}", 0, NO_DATE("'garbage'") },
        { date_rows, "{'t':'1969-12-31'}", -86400000, NULL },
        { date_rows, "{'t':'1950-12-10'}", -601516800000, NULL },
        { end_rows, "{'t':'1950-12-10'}", -601430400001, NULL },
        { date_rows, "{'t':'0001-01-01'}", -62135596800000, NULL },
        { date_rows, "{'t':'0000-01-01'}", 0,
          DATE_IS("'0000-01-01'", "the year must be from 0001 to 9999", "2025-01-15") },
        { date_rows, "{'t':'10000-01-01'}", 0,
          DATE_IS("'10000-01-01'", "the year must be from 0001 to 9999", "2025-01-15") },
        { date_rows, "{'t':'2025-02-30'}", 0,
          DATE_IS("'2025-02-30'", "the calendar has no such day", "2025-01-15") },
        { date_rows, "{'t':'925-01-05'}", 0,
          DATE_IS("'925-01-05'", "the year must be from 0001 to 9999", "2025-01-15") },
        { date_rows, "{'t':'2025-112-05'}", 0,
          DATE_IS("'2025-112-05'", "the calendar has no such day", "2025-01-15") },
        { date_rows, "{'t':'3/115/2025'}", 0,
          DATE_IS("'3/115/2025'", "the order must be year, month, day", "2025-01-15") },
        { date_rows, "{'t':'2025-2-3'}", 0,
          DATE_IS("'2025-2-3'", "month and day must have two digits", "2025-02-03") },
        { date_rows, "{'t':'15.01.2025'}", 0,
          DATE_IS("'15.01.2025'", "the order must be year, month, day", "2025-01-15") },
        { date_rows, "{'t':'03.02.2025'}", 0,
          DATE_IS("'03.02.2025'", "the order must be year, month, day", "2025-02-03") },
        { date_rows, "{'t':'03/02/2026'}", 0,
          DATE_IS("'03/02/2026'", "the order must be year, month, day", "2025-01-15") },
        { date_rows, "{'t':'03/22/2026'}", 0,
          DATE_IS("'03/22/2026'", "the order must be year, month, day", "2026-03-22") },
        { date_rows, "{'t':'2026/01/05'}", 0,
          DATE_IS("'2026/01/05'", "'-' must stand between year, month and day", "2026-01-05") },
        { date_rows, "{'t':'20260105'}", 0,
          DATE_IS("'20260105'", "'-' must stand between year, month and day", "2026-01-05") },
        { date_rows, "{'t':20260105}", 0,
          DATE_IS("20260105", "'-' must stand between year, month and day", "2026-01-05") },
        { date_rows, "{'t':'26-01-05'}", 0,
          DATE_IS("'26-01-05'", "the year must have four digits", "2025-01-15") },
        { date_rows, "{'t':'2026-01-05T10:30:00'}", 0,
          DATE_AT("'2026-01-05T10:30:00'", "the offset is missing ('Z' is UTC)", "2026-01-05T10:30:00Z") },
        { born_rows, "{'t':'2026-01-05T10:30:00'}", 0,
          DATE_IS("'2026-01-05T10:30:00'", "the offset is missing ('Z' is UTC)", "2026-01-05") },
        { date_rows, "{'t':253402300800000}", 0, NO_DATE("253402300800000") },
        { date_rows, "{'t':18446744073709551615}", 0, NO_DATE("18446744073709551615") },
        { date_rows, "{'t':-1}", 0, NO_DATE("-1") },
        { date_rows, "{'t':1.5}", 0, NO_DATE("1.5") },
        { date_rows, "{'t':true}", 0, NO_DATE("true") },
        { date_rows, "{'t':[]}", 0, NO_DATE("[]") },
        { date_rows, "{'t':1736899200}", 0, SECONDS("1736899200") },
        { date_rows, "{'t':99999999999}", 0, SECONDS("99999999999") },
        { date_rows, "{'t':0}", 0, SECONDS("0") },
        { date_rows, "{'t':'1736899200'}", 0, SECONDS("'1736899200'") },
        { stamp_rows, "{'t':'2025-01-15'}", 0,
          STAMP_IS("'2025-01-15'", "the time is missing", "2025-01-15T00:00:00Z") },
        { stamp_rows, "{'t':'2025-01-15T11:30:00'}", 0,
          STAMP_IS("'2025-01-15T11:30:00'", "the offset is missing ('Z' is UTC)", "2025-01-15T11:30:00Z") },
        { stamp_rows, "{'t':'2025-01-15T11:30Z'}", 0,
          STAMP_IS("'2025-01-15T11:30Z'", "the seconds are missing", "2025-01-15T11:30:00Z") },
        { stamp_rows, "{'t':'2025-01-15 11:30:00.5+0530'}", 0,
          STAMP_IS("'2025-01-15 11:30:00.5+0530'", "the offset must be 'Z' or like '+02:00'",
                   "2025-01-15T11:30:00.5+05:30") },
        { stamp_rows, "{'t':'2025-01-15 11:30:00 UTC'}", 0,
          STAMP_IS("'2025-01-15 11:30:00 UTC'", "the offset must be 'Z' or like '+02:00'",
                   "2025-01-15T11:30:00Z") },
        { stamp_rows, "{'t':'2025-01-15T25:30:00Z'}", 0,
          STAMP_IS("'2025-01-15T25:30:00Z'", "there is no such time", "2025-01-15T10:30:00Z") },
        { stamp_rows, "{'t':false}", 0, NO_STAMP("false") },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged    judged;
        const time_args *args;

        if (cases[i].want) {
            judged_is(cases[i].rows(), cases[i].args, cases[i].want);
            continue;
        }
        judged_open(&judged, cases[i].rows(), cases[i].args, NULL);
        args = judged.bound;
        if (!args || !args->t.set || args->t.ms != cases[i].ms)
            fail_msg("%s: wanted %lld, got %s", cases[i].args, (long long)cases[i].ms, judged_line(&judged));
        assert_int_equal(judged.judge.messages.count, 0);
        judged_close(&judged);
    }
    judged_codes_are(date_rows(), "{'t':1736899200}", "t:date~1736899200000");
    judged_codes_are(date_rows(), "{'t':1}", "t:date");
    judged_codes_are(date_rows(), "{'t':20260105}", "t:date~'2026-01-05'");
    judged_codes_are(date_rows(), "{'t':'26-01-05'}", "t:date");
}

/* A calendar date is the day as it was written, whatever the offset; what is left aside is said. */
static void calendar_dates(void **state)
{
    static const struct {
        const char *args;
        int64_t     ms;
        const char *message;
    } cases[] = {
        { "{'t':'1980-05-17'}", 327369600000, NULL },
        { "{'t':'1980-05-17T00:00:00Z'}", 327369600000, NULL },
        { "{'t':'1980-05-17T23:30:00-08:00'}", 327369600000,
          "t is a calendar date: the day 1980-05-17 was used as written, without time and offset" },
        { "{'t':'1980-05-17T00:30:00+08:00'}", 327369600000,
          "t is a calendar date: the day 1980-05-17 was used as written, without time and offset" },
        { "{'t':'1950-12-10T23:30:00-08:00'}", -601516800000,
          "t is a calendar date: the day 1950-12-10 was used as written, without time and offset" },
        { "{'t':327369600000}", 327369600000, NULL },
        { "{'t':327455999999}", 327369600000,
          "t is a calendar date: the day 1980-05-17 was used in UTC, without the time" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged    judged;
        const time_args *args;

        judged_open(&judged, born_rows(), cases[i].args, NULL);
        args = judged.bound;
        assert_non_null(args);
        assert_int_equal(args->t.ms, cases[i].ms);
        assert_int_equal(judged.judge.messages.count, cases[i].message != NULL);
        if (cases[i].message)
            assert_string_equal(judged.judge.messages.at[0].at, cases[i].message);
        judged_close(&judged);
    }
}

/* What only changes the form is counted and silent; what changes the type is counted and told. */
static void forms_and_types_are_counted(void **state)
{
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args;
        size_t      reformed, coerced;
    } cases[] = {
        { wide_rows, "{'n':3}", 0, 0 },         { wide_rows, "{'n':3.0}", 1, 0 },
        { wide_rows, "{'n':'3'}", 0, 1 },       { bool_rows, "{'b':'true'}", 0, 1 },
        { enum_rows, "{'e':'LOW'}", 1, 0 },     { enum_rows, "{'e':'low'}", 0, 0 },
        { near_rows, "{'x':1.0000001}", 1, 0 }, { date_rows, "{'t':1736899200000}", 1, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged judged;

        judged_open(&judged, cases[i].rows(), cases[i].args, NULL);
        if (judged.judge.reformed != cases[i].reformed || judged.judge.coerced != cases[i].coerced)
            fail_msg("%s: reformed %zu, coerced %zu", cases[i].args, judged.judge.reformed,
                     judged.judge.coerced);
        judged_close(&judged);
    }
}

/* A strict judge refuses changes of type for every row. */
static void strict_for_all(void **state)
{
    static const struct tn_judge how = { .strict = true };
    static const struct {
        const tenon_rows *(*rows)(void);
        const char *args, *want;
    } cases[] = {
        { wide_rows, "{'n':'3'}", "n must be an integer, got '3'" },
        { wide_rows, "{'n':3.0}", "{'n':3}" },
        { any_rows, "{'x':'3'}", "x must be a number, got '3'" },
        { bool_rows, "{'b':'true'}", "b must be true or false, got 'true'" },
        { enum_rows, "{'e':'LOW'}", "{'e':'low'}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is_how(cases[i].rows(), cases[i].args, &how, cases[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_every_width),
        cmocka_unit_test(integers_are_coerced_without_loss),
        cmocka_unit_test(ranges_refuse_or_clamp),
        cmocka_unit_test(long_literals_are_cut),
        cmocka_unit_test(numbers),
        cmocka_unit_test(booleans),
        cmocka_unit_test(enums),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(moments),
        cmocka_unit_test(calendar_dates),
        cmocka_unit_test(forms_and_types_are_counted),
        cmocka_unit_test(strict_for_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
