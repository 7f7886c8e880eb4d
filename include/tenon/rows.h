/* rows.h - rows: one line of C for each parameter or result field.
 *
 *     typedef struct { const char *city; int days; } forecast_args;
 *
 *     TENON_ROWS(forecast_rows, forecast_args,
 *         TENON_STR(city, "A city, in English.", .required = true, .len = {1, 80}),
 *         TENON_INT(days, "How far ahead.",      .range = {1, 14}, .def = 3));
 *
 * A row names a field of the struct, says what it means, and gives its rules. It is checked twice: the compiler
 * refuses a field of the wrong type, a misspelt option or a missing description; and the library refuses rows that
 * contradict themselves (a default outside its range, two equal names) when they are compiled into a shape.
 *
 * Three facts cover every row:
 *   - A parameter that was not sent takes its .def; without one it is zero (0, false, "", no items, not set).
 *   - An option that was written counts: .def = 0 is a default, .range = {0, 0} a range. "No default" is written
 *     TENON_NO_DEFAULT_INT, _NUM, _BOOL or _ENUM, and NULL where the default is a text.
 *   - Limits are inclusive pairs; an end that is open is written TENON_NO_MIN or TENON_NO_MAX. Lengths and counts
 *     begin at 0.
 *
 * docs/guides/rows.md shows every row with its schema, a call that is accepted and one that is refused. The macros are
 * C; in C++ rows are written with cpp/rows.hpp.
 */
#ifndef TENON_ROWS_H
#define TENON_ROWS_H

#if defined(__GNUC__)
/* Compilers report a mistake where it is written, without a trace through these macros. */
#pragma GCC system_header
#endif

#include <string.h>

#include <tenon/base.h>

/* Open ends of a range, a length or a count. One number that is exact as integer, size and double. */
#define TENON_NO_MAX INT64_C(0x7ffffffffffffc00)
#define TENON_NO_MIN (-TENON_NO_MAX)

/* What .def holds when there is no default. */
#define TENON_NO_DEFAULT_INT  INT64_MIN
#define TENON_NO_DEFAULT_NUM  (-1.7976931348623157e308) /* the lowest double; not NaN, which is a mistake */
#define TENON_NO_DEFAULT_BOOL (-1)
#define TENON_NO_DEFAULT_ENUM INT32_MIN

typedef struct tenon_rows   tenon_rows;
typedef struct tenon_check  tenon_check;
typedef struct tenon_lookup tenon_lookup;

/* A table of rows, by the function that TENON_ROWS makes for it. */
typedef const tenon_rows *(*tenon_rows_fn)(void);

/* A rule of your own, for one value or a whole struct: NULL if it holds, else the sentence that says what is
 * expected (static, or from tenon_check_format). `value` points to the bound field, or to the struct. It must be pure: it
 * also runs when the rows are compiled, on the row's own default and example. */
typedef const char *(*tenon_check_fn)(tenon_check *check, const void *value);

/* Looks up what only the running program knows, with the functions of lookup.h. `value` points to the bound field. */
typedef void (*tenon_lookup_fn)(tenon_lookup *lookup, const void *value);

/* A rule of your own together with its argument, so that one function serves many rows:
 *
 *     static const int five = 5;
 *     TENON_INT(seats, "How many seats.", .checks = TENON_CHECKS(TENON_WITH(multiple_of, &five), TENON_WITH(even, NULL)))
 *
 * Every check that does not hold is an issue of its own. */
typedef struct tenon_with {
    tenon_check_fn check;
    const void    *argument; /* of the check's own; lives as long as the rows */
} tenon_with;

#define TENON_CHECKS_MAX 4 /* of one row, beside its .check */
#define TENON_CHECKS(...) { __VA_ARGS__ }
#define TENON_WITH(function, argument_) { _Generic((function), tenon_check_fn: (function)), (argument_) }

#ifdef __cplusplus
extern "C" {
#endif
/* What a check may ask and say. All texts live as long as the answer.
 *
 * Text; NULL when out of memory, which the answer then reports. */
TENON_API const char *tenon_check_format(tenon_check *check, const char *format, ...) TENON_PRINTF(2, 3);

/* The argument of its TENON_WITH() or TENON_CHECK_WITH(); else NULL. */
TENON_API const void *tenon_check_argument(const tenon_check *check);

/* The tool's name; "" where rows are validated without a tool. */
TENON_API const char *tenon_check_tool(const tenon_check *check);

/* The parameter as the caller knows it: its name, or a JSON Pointer below the top level; "arguments" when the check is over
 * all of them. */
TENON_API const char *tenon_check_parameter(tenon_check *check);

/* Its JSON type ("integer"), whether it is required, and its default as JSON text or NULL. Over a struct: "object", true,
 * NULL. */
TENON_API const char *tenon_check_type(const tenon_check *check);
TENON_API bool        tenon_check_is_required(const tenon_check *check);
TENON_API const char *tenon_check_default(tenon_check *check);

/* Of a check over a struct: the parameter that is wrong, by the address of its field. */
TENON_API void tenon_check_at(tenon_check *check, const void *field);

/* A value that the caller should send instead, as JSON text; invalid JSON is left out. */
TENON_API void tenon_check_suggest(tenon_check *check, const char *json);

/* The check itself failed, and nothing is known about the value: the call is answered as INTERNAL_ERROR, with this text in
 * the log only. Return what it returns. */
TENON_API const char *tenon_check_fail(tenon_check *check, const char *format, ...) TENON_PRINTF(2, 3);
#ifdef __cplusplus
}
#endif

/* ---- Options --------------------------------------------------------------------------------------------- */

/* Every row has these.
 *   doc           what the model reads; a row without it does not compile
 *   key           the JSON name, when it is not the field's
 *   alias         other names that are accepted too, separated by commas
 *   example       a good value: plain text where strings are sent, else JSON; checked like any value
 *   note          a message for the caller whenever the parameter is used
 *   default_note  a message whenever the default is taken
 *   check         a rule of your own
 *   checks        rules of your own that have arguments, or several: TENON_CHECKS(TENON_WITH(function, argument), ...)
 *   lookup        reports values that do not exist (lookup.h)
 *   required      refuse the call when it is missing
 *   secret        never repeat the value in an issue, message or log
 *   strict        take the value only in its own JSON type; a list or an object still as JSON text
 *
 * Programs and libraries of different versions work together: options are only ever added at the end of a struct, where
 * zero means that one is not written, and never in its last unused bytes, which therefore have a name and stay zero. */
#define TENON_OPTIONS_                                                       \
    const char     *doc, *key, *alias, *example, *note, *default_note;       \
    tenon_check_fn  check;                                                   \
    tenon_with      checks[TENON_CHECKS_MAX];                                \
    tenon_lookup_fn lookup;                                                  \
    bool            required, secret, strict, reserved_[5];                  \
    const void     *more_[2]

/*   len       code points
 *   pattern   ECMA-262, not anchored; needs an .example
 *   pattern_text  what the pattern asks for, in words that follow "must be": issues say it instead of the pattern
 *   format    "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "date", "date-time", "time"
 *   ext       paths: allowed endings, separated by commas (".md,.txt")
 *   schemes   urls: allowed schemes, separated by commas ("https,http")
 *   blank_ok  blank text is a value, not an absence
 *   header    clients repeat the value in the HTTP header Mcp-Param-NAME, so that a proxy before the server can
 *             route by it; texts, integers, truth values and enums have it, outside of lists */
typedef struct tenon_text_options {
    TENON_OPTIONS_;
    size_t      len[2];
    const char *pattern, *pattern_text, *format, *ext, *schemes;
    const char *def;
    bool        blank_ok;
    const char *header;
} tenon_text_options;

/*   clamp        move a value into its range and report it, instead of refusing it
 *   low_default  with clamp: a value below the range takes the default
 *   low_text     with clamp: the message's words; {name} {value} {used} {min} {max} stand for what they say
 *   high_text    the same for a value above the range */
typedef struct tenon_int_options {
    TENON_OPTIONS_;
    int64_t     range[2];
    int64_t     def;
    bool        clamp, low_default;
    const char *low_text, *high_text;
    const char *header;
} tenon_int_options;

/*   tolerance  a value that misses its range by no more than this takes the bound, silently */
typedef struct tenon_num_options {
    TENON_OPTIONS_;
    double range[2];
    double def, tolerance;
    bool   clamp, spare_[7];
} tenon_num_options;

typedef struct tenon_bool_options {
    TENON_OPTIONS_;
    signed char def; /* true, false or TENON_NO_DEFAULT_BOOL */
    const char *header;
} tenon_bool_options;

/*   exact  letters must match in case
 *   noun   a list's word for one of its values: "Invalid severity 'X'. Valid: ..."
 *   count, unique, def (JSON text or a comma list) and json_text are for lists */
typedef struct tenon_enum_options {
    TENON_OPTIONS_;
    const char *const *names; /* names[value]; set by the macro */
    size_t             name_count;
    int                def;
    bool               exact;
    const char        *header;
} tenon_enum_options;

typedef struct tenon_enums_options {
    TENON_OPTIONS_;
    const char *const *names;
    size_t             name_count;
    const char        *noun;
    size_t             count[2];
    const char        *def;
    bool               exact, unique, json_text, spare_[5];
} tenon_enums_options;

/* Lists and maps.
 *   count      how many items
 *   unique     no value twice
 *   comma      accept "a,b,c" for ["a","b","c"]; number lists always do
 *   json_text  publish it as a string of JSON, for clients that cannot send arrays; needs an .example
 *   def        JSON text
 *   len, pattern, pattern_text, format, ext: each item's, or each value's of a map */
typedef struct tenon_strs_options {
    TENON_OPTIONS_;
    size_t      count[2], len[2];
    const char *pattern, *pattern_text, *format, *ext;
    const char *def;
    bool        unique, comma, json_text, spare_[5];
} tenon_strs_options;

typedef struct tenon_ints_options {
    TENON_OPTIONS_;
    size_t      count[2];
    int64_t     range[2];
    const char *def;
    bool        unique, json_text, spare_[6];
} tenon_ints_options;

typedef struct tenon_nums_options {
    TENON_OPTIONS_;
    size_t      count[2];
    double      range[2];
    const char *def;
    bool        unique, json_text, spare_[6];
} tenon_nums_options;

/* An object, a list of objects (count), or any JSON. def is JSON text. */
typedef struct tenon_object_options {
    TENON_OPTIONS_;
    tenon_rows_fn rows; /* set by the macro */
    size_t        count[2];
    const char   *def;
    bool          json_text, spare_[7];
} tenon_object_options;

/*   end_of_day  a date without a time is the last millisecond of its UTC day: use it for upper bounds
 *   calendar    the day alone counts, as for a birthday: a timestamp gives its day as written, whatever its offset, and a
 *               message says so. The value is the first millisecond of that day in UTC */
typedef struct tenon_time_options {
    TENON_OPTIONS_;
    const char *def;
    bool        end_of_day, calendar, spare_[6];
} tenon_time_options;

/*   keys   other JSON names for the group's rows, in their order, separated by commas
 *   tuned  the JSON name, as the group itself has it, of one integer row that has a lower maximum here
 *   max    that maximum; the row's default never exceeds it */
typedef struct tenon_group_options {
    tenon_rows_fn rows;
    const char   *keys, *tuned;
    int64_t       max;
} tenon_group_options;

#define TENON_RULE_FIELDS_MAX 6
typedef struct tenon_fields_rule {
    uint32_t count, offset[TENON_RULE_FIELDS_MAX];
} tenon_fields_rule;

/* ---- A row as the library sees it ------------------------------------------------------------------------- */

/* clang-format off */
typedef enum tenon_kind {
    TENON_KIND_STR = 1, TENON_KIND_PATH, TENON_KIND_ABSPATH, TENON_KIND_UUID, TENON_KIND_URL, TENON_KIND_ID,
    TENON_KIND_DATE, TENON_KIND_TIMESTAMP,
    TENON_KIND_INT, TENON_KIND_NUM, TENON_KIND_BOOL, TENON_KIND_ENUM,
    TENON_KIND_STRS, TENON_KIND_PATHS, TENON_KIND_INTS, TENON_KIND_NUMS, TENON_KIND_ENUMS,
    TENON_KIND_OBJECT, TENON_KIND_OBJECTS, TENON_KIND_MAP, TENON_KIND_JSON,
    TENON_KIND_GROUP,
    TENON_KIND_ORDERED, TENON_KIND_TOGETHER, TENON_KIND_EXCLUSIVE, TENON_KIND_ANY_OF, TENON_KIND_REQUIRES,
    TENON_KIND_CHECK, TENON_KIND_DERIVE
} tenon_kind;
/* clang-format on */

typedef struct tenon_row {
    const char *field;
    uint32_t    offset, size;
    uint8_t     kind;
    uint8_t     flavour; /* which of the field types that the kind allows */
    uint8_t     reserved_[6];
    union { /* last: it may grow */
        struct {
            TENON_OPTIONS_;
        } any;
        tenon_text_options   text;
        tenon_int_options    integer;
        tenon_num_options    number;
        tenon_bool_options   boolean;
        tenon_enum_options   choice;
        tenon_enums_options  choices;
        tenon_strs_options   strs;
        tenon_ints_options   ints;
        tenon_nums_options   nums;
        tenon_object_options object;
        tenon_time_options   time;
        tenon_group_options  group;
        tenon_fields_rule    fields;
        tenon_with           with;
        void (*derive)(void *group);
    } rule;
} tenon_row;

struct tenon_rows {
    const char      *name; /* in the source, for texts about mistakes */
    const tenon_row *at;
    size_t           count;
    size_t           row_size; /* as the caller was compiled */
    size_t           struct_size;
    const void      *reserved_[2];
};

/* ---- The rows ---------------------------------------------------------------------------------------------
 *
 *   TENON_STR      (field, doc, ...)         const char *, tenon_str
 *   TENON_PATH     (field, doc, ...)         const char *, a relative path, normalised
 *   TENON_ABS_PATH (field, doc, ...)         const char *, an absolute path, normalised
 *   TENON_UUID     (field, doc, ...)         const char *, in lower case
 *   TENON_URL      (field, doc, ...)         const char *
 *   TENON_ID       (field, doc, ...)         const char *, letters, digits and _ . - after a letter, digit or _
 *   TENON_DATE     (field, doc, ...)         tenon_time, from a date, a timestamp or epoch milliseconds
 *   TENON_TIMESTAMP(field, doc, ...)         tenon_time, from an RFC 3339 timestamp or epoch milliseconds
 *   TENON_INT      (field, doc, ...)         any integer type of 16 to 64 bits
 *   TENON_NUM      (field, doc, ...)         double, float
 *   TENON_BOOL     (field, doc, ...)         bool
 *   TENON_ENUM     (field, names, doc, ...)  an enum; names[value]
 *   TENON_STRS     (field, doc, ...)         tenon_strs, or const char ** with a NULL at its end
 *   TENON_PATHS    (field, doc, ...)         the same, relative paths
 *   TENON_INTS     (field, doc, ...)         tenon_ints
 *   TENON_NUMS     (field, doc, ...)         tenon_nums
 *   TENON_ENUMS    (field, names, doc, ...)  tenon_set (values below 64), tenon_enums (in order)
 *   TENON_OBJECT   (field, rows, doc, ...)   the struct of those rows, or a pointer to const: NULL when absent
 *   TENON_OBJECTS  (field, rows, doc, ...)   TENON_LIST_OF that struct
 *   TENON_MAP      (field, doc, ...)         tenon_map
 *   TENON_JSON     (field, doc, ...)         const tenon_json *, NULL when absent
 *
 *   TENON_GROUP    (field, rows, ...)        the struct of those rows; its parameters stand beside the others
 *
 *   TENON_ORDERED  (a, b)                    a <= b, when both are given: numbers or times
 *   TENON_TOGETHER (a, b, ...)               all of them or none
 *   TENON_EXCLUSIVE(a, b, ...)               at most one of them
 *   TENON_ANY_OF   (a, b, ...)               at least one of them
 *   TENON_REQUIRES (a, b, ...)               a only together with all the others; false and 0 are given too
 *   TENON_CHECK    (function)                a rule of your own over the whole struct (tenon_check_fn)
 *   TENON_CHECK_WITH(function, argument)     the same, with an argument of its own
 *   TENON_DERIVE   (function)                void (void *): fills fields that no row names, once all is valid
 */
#ifdef __cplusplus
#define TENON_ROWS(name, T, ...) TENON_ONLY_C_("TENON_ROWS(" #name ", ...)"); const tenon_rows *name(void)
#else
#define TENON_STR(f, ...)       TENON_TEXT_ROW_(f, STR, __VA_ARGS__)
#define TENON_PATH(f, ...)      TENON_TEXT_ROW_(f, PATH, __VA_ARGS__)
#define TENON_ABS_PATH(f, ...)  TENON_TEXT_ROW_(f, ABSPATH, __VA_ARGS__)
#define TENON_UUID(f, ...)      TENON_TEXT_ROW_(f, UUID, __VA_ARGS__)
#define TENON_URL(f, ...)       TENON_TEXT_ROW_(f, URL, __VA_ARGS__)
#define TENON_ID(f, ...)        TENON_TEXT_ROW_(f, ID, __VA_ARGS__)
#define TENON_DATE(f, ...)      TENON_TIME_ROW_(f, DATE, __VA_ARGS__)
#define TENON_TIMESTAMP(f, ...) TENON_TIME_ROW_(f, TIMESTAMP, __VA_ARGS__)
#define TENON_INT(f, ...)                                                                                    \
    TENON_ROW_(TENON_NUMBER_, f, f, INT, TENON_INT_TYPES_, "an integer type of 16 to 64 bits",                 \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               integer = { TENON_PRESET_(TENON_ANY_VALUE_, .def = TENON_NO_DEFAULT_INT) .doc = __VA_ARGS__ })
#define TENON_NUM(f, ...)                                                                                    \
    TENON_ROW_(TENON_NUMBER_, f, f, NUM, TENON_NUM_TYPES_, "a 'double' or a 'float'",                          \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               number = { TENON_PRESET_(TENON_ANY_VALUE_, .def = TENON_NO_DEFAULT_NUM) .doc = __VA_ARGS__ })
#define TENON_BOOL(f, ...)                                                                                   \
    TENON_ROW_(TENON_NUMBER_, f, f, BOOL, TENON_TYPE_(bool), "a 'bool'", TENON_DOC_(f, __VA_ARGS__, ),         \
               boolean = { TENON_PRESET_(.def = TENON_NO_DEFAULT_BOOL) .doc = __VA_ARGS__ })
#define TENON_ENUM(f, names_, ...)                                                                           \
    TENON_ROW_(TENON_NUMBER_, f, f, ENUM, TENON_ENUM_TYPES_, "an enum", TENON_DOC_(f, __VA_ARGS__, ),          \
               choice = { TENON_NAMES_(names_), TENON_PRESET_(.def = TENON_NO_DEFAULT_ENUM)                  \
                          .doc = __VA_ARGS__ })
#define TENON_STRS(f, ...)  TENON_STRS_ROW_(f, STRS, __VA_ARGS__)
#define TENON_PATHS(f, ...) TENON_STRS_ROW_(f, PATHS, __VA_ARGS__)
#define TENON_INTS(f, ...)                                                                                   \
    TENON_ROW_(TENON_NUMBER_, f, f, INTS, TENON_TYPE_(tenon_ints), "a 'tenon_ints'",                           \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               ints = { TENON_PRESET_(TENON_ANY_COUNT_, TENON_ANY_VALUE_) .doc = __VA_ARGS__ })
#define TENON_NUMS(f, ...)                                                                                   \
    TENON_ROW_(TENON_NUMBER_, f, f, NUMS, TENON_TYPE_(tenon_nums), "a 'tenon_nums'",                           \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               nums = { TENON_PRESET_(TENON_ANY_COUNT_, TENON_ANY_VALUE_) .doc = __VA_ARGS__ })
#define TENON_ENUMS(f, names_, ...)                                                                          \
    TENON_ROW_(TENON_NUMBER_, f, f, ENUMS, TENON_SET_TYPES_, "a 'tenon_set' or a 'tenon_enums'",               \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               choices = { TENON_NAMES_(names_), TENON_PRESET_(TENON_ANY_COUNT_) .doc = __VA_ARGS__ })
#define TENON_OBJECT(f, r, ...)                                                                              \
    TENON_ROW_(TENON_NUMBER_, f, f, OBJECT, TENON_OBJECT_TYPES_(r##_of_),                                      \
               "the struct of its rows, or a pointer to a const one", TENON_DOC_(f, __VA_ARGS__, ),          \
               object = { .rows = r, TENON_PRESET_(TENON_ANY_COUNT_) .doc = __VA_ARGS__ })
#define TENON_OBJECTS(f, r, ...)                                                                             \
    TENON_ROW_(TENON_NUMBER_, f, f.at, OBJECTS, TENON_LIST_TYPES_(r##_of_),                                    \
               "a TENON_LIST_OF the struct of its rows", TENON_DOC_(f, __VA_ARGS__, ),                       \
               object = { .rows = r, TENON_PRESET_(TENON_ANY_COUNT_) .doc = __VA_ARGS__ })
#define TENON_MAP(f, ...)                                                                                    \
    TENON_ROW_(TENON_NUMBER_, f, f, MAP, TENON_TYPE_(tenon_map), "a 'tenon_map'", TENON_DOC_(f, __VA_ARGS__, ), \
               strs = { TENON_PRESET_(TENON_ANY_COUNT_, TENON_ANY_LEN_) .doc = __VA_ARGS__ })
#define TENON_JSON(f, ...)                                                                                   \
    TENON_ROW_(TENON_NUMBER_, f, f, JSON, TENON_TYPE_(const tenon_json *), "a 'const tenon_json *'",           \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               object = { TENON_PRESET_(TENON_ANY_COUNT_) .doc = __VA_ARGS__ })

#define TENON_GROUP(f, ...) TENON_GROUP_(f, __VA_ARGS__, )

#define TENON_ORDERED(a, b)   TENON_FIELDS_(ORDERED, #a ", " #b, a, b)
#define TENON_TOGETHER(...)   TENON_FIELDS_(TOGETHER, #__VA_ARGS__, __VA_ARGS__)
#define TENON_EXCLUSIVE(...)  TENON_FIELDS_(EXCLUSIVE, #__VA_ARGS__, __VA_ARGS__)
#define TENON_ANY_OF(...)     TENON_FIELDS_(ANY_OF, #__VA_ARGS__, __VA_ARGS__)
#define TENON_REQUIRES(...)   TENON_FIELDS_(REQUIRES, #__VA_ARGS__, __VA_ARGS__)
#define TENON_CHECK(function) { .field = #function, .kind = TENON_KIND_CHECK, .rule.with.check = function }
#define TENON_CHECK_WITH(function, argument_) \
    { .field = #function, .kind = TENON_KIND_CHECK, .rule.with = TENON_WITH(function, argument_) }
#define TENON_DERIVE(function) { .field = #function, .kind = TENON_KIND_DERIVE, .rule.derive = function }

/* Defines `name`, a function that returns the table. Put it into a header to share it: it is static. */
#define TENON_ROWS(name, T, ...)                                                                             \
    typedef T name##_of_;                                                                                    \
    TENON_PRESETS_BEGIN_                                                                                     \
    static inline const tenon_rows *name(void)                                                               \
    {                                                                                                        \
        typedef T               tenon_self_;                                                                 \
        static const tenon_row  rows_[] = { __VA_ARGS__ };                                                   \
        static const tenon_rows table_  = TENON_TABLE_(#name, rows_, T);                                     \
        return &table_;                                                                                      \
    }                                                                                                        \
    TENON_PRESETS_END_                                                                                       \
    typedef T name##_of_
#endif

/* ---- Rows that are made while a program runs ---------------------------------------------------------------- */

/* Makes `row` a row of `kind` in which no option is written; the names, the place and the options are set after it:
 *
 *     tenon_row_init(&row, TENON_KIND_INT);
 *     row.field = "days", row.offset = offsetof(forecast_args, days), row.size = sizeof(int);
 *     row.rule.integer.doc = "How far ahead.", row.rule.integer.def = 3;
 */
static inline void tenon_row_init(tenon_row *row, tenon_kind kind)
{
    memset(row, 0, sizeof *row); /* all of it: bytes that no option has stay zero */
    row->kind = (uint8_t)kind;
    switch (kind) {
    case TENON_KIND_STR:
    case TENON_KIND_PATH:
    case TENON_KIND_ABSPATH:
    case TENON_KIND_UUID:
    case TENON_KIND_URL:
    case TENON_KIND_ID: row->rule.text.len[1] = SIZE_MAX; break;
    case TENON_KIND_INT:
        row->rule.integer.range[0] = TENON_NO_MIN;
        row->rule.integer.range[1] = TENON_NO_MAX;
        row->rule.integer.def      = TENON_NO_DEFAULT_INT;
        break;
    case TENON_KIND_NUM:
        row->rule.number.range[0] = (double)TENON_NO_MIN;
        row->rule.number.range[1] = (double)TENON_NO_MAX;
        row->rule.number.def      = TENON_NO_DEFAULT_NUM;
        break;
    case TENON_KIND_BOOL: row->rule.boolean.def = TENON_NO_DEFAULT_BOOL; break;
    case TENON_KIND_ENUM: row->rule.choice.def = TENON_NO_DEFAULT_ENUM; break;
    case TENON_KIND_STRS:
    case TENON_KIND_PATHS:
    case TENON_KIND_MAP: row->rule.strs.count[1] = row->rule.strs.len[1] = SIZE_MAX; break;
    case TENON_KIND_INTS:
        row->rule.ints.count[1] = SIZE_MAX;
        row->rule.ints.range[0] = TENON_NO_MIN;
        row->rule.ints.range[1] = TENON_NO_MAX;
        break;
    case TENON_KIND_NUMS:
        row->rule.nums.count[1] = SIZE_MAX;
        row->rule.nums.range[0] = (double)TENON_NO_MIN;
        row->rule.nums.range[1] = (double)TENON_NO_MAX;
        break;
    case TENON_KIND_ENUMS: row->rule.choices.count[1] = SIZE_MAX; break;
    case TENON_KIND_OBJECT:
    case TENON_KIND_OBJECTS:
    case TENON_KIND_JSON: row->rule.object.count[1] = SIZE_MAX; break;
    case TENON_KIND_GROUP: row->rule.group.max = TENON_NO_MAX; break;
    default: break; /* dates and rules have nothing that differs from zero */
    }
}

/* ---- Not yours -------------------------------------------------------------------------------------------- */

/* How an option that was not written differs from one that was written as 0: the row's macro writes these before the
 * author's options, and of two initialisers of one member the later wins (C17, 6.7.9, paragraph 19). Compilers warn of
 * that, which is switched off for the table. With TENON_LINT nothing is preset, so that an option which the author
 * wrote twice is an error; such tables are for the compiler only, and the library refuses them. */
#define TENON_ANY_VALUE_ .range = { TENON_NO_MIN, TENON_NO_MAX }
#define TENON_ANY_LEN_   .len = { 0, SIZE_MAX }
#define TENON_ANY_COUNT_ .count = { 0, SIZE_MAX }
#define TENON_NAMES_(n)  .names = n, .name_count = sizeof(n) / sizeof(const char *)
#if defined(TENON_LINT) || defined(__clang_analyzer__)
#define TENON_PRESET_(...)
#define TENON_PRESETS_BEGIN_ TENON_PRAGMA_(GCC diagnostic push) TENON_PRAGMA_(GCC diagnostic error "-Woverride-init")
#define TENON_ROW_SIZE_      0
#else
#define TENON_PRESET_(...)   __VA_ARGS__,
#define TENON_PRESETS_BEGIN_ TENON_PRAGMA_(GCC diagnostic push) TENON_PRAGMA_(GCC diagnostic ignored "-Woverride-init")
#define TENON_ROW_SIZE_      sizeof(tenon_row)
#endif
#define TENON_PRESETS_END_ TENON_PRAGMA_(GCC diagnostic pop)
#if defined(__GNUC__)
#define TENON_PRAGMA_(text)  _Pragma(#text)
#define TENON_OFFSET_(T, f)  __builtin_offsetof(T, f)
#else
#define TENON_PRAGMA_(text)
#define TENON_OFFSET_(T, f)  offsetof(T, f)
#endif

#define TENON_TABLE_(name_, rows_, T)                                                                        \
    { .name = name_, .at = rows_, .count = sizeof rows_ / sizeof *rows_, .row_size = TENON_ROW_SIZE_,        \
      .struct_size = sizeof(T) }

/* The types of field that a row takes, each with 2 * its size + its flavour; 1 stands for any other type. */
#define TENON_TYPE_(type) type *: (int)(2 * sizeof(type))
#define TENON_INT_TYPES_                                                                                     \
    TENON_TYPE_(short), TENON_TYPE_(int), TENON_TYPE_(long), TENON_TYPE_(long long),                         \
    TENON_TYPE_(unsigned short) + 1, TENON_TYPE_(unsigned) + 1, TENON_TYPE_(unsigned long) + 1,              \
    TENON_TYPE_(unsigned long long) + 1
#define TENON_NUM_TYPES_ TENON_TYPE_(double), TENON_TYPE_(float)
#define TENON_ENUM_TYPES_ /* an enum is one of these to the compiler */                                      \
    TENON_TYPE_(int), TENON_TYPE_(unsigned), TENON_TYPE_(signed char), TENON_TYPE_(unsigned char),           \
    TENON_TYPE_(short), TENON_TYPE_(unsigned short)
#define TENON_TEXT_TYPES_      TENON_TYPE_(const char *), TENON_TYPE_(tenon_str) + 1
#define TENON_TEXTS_TYPES_ /* what is pointed to ends with a NULL */                                         \
    TENON_TYPE_(tenon_strs), TENON_TYPE_(const char *const *) + 1, TENON_TYPE_(const char **) + 1,           \
    TENON_TYPE_(char **) + 1
#define TENON_SET_TYPES_       TENON_TYPE_(tenon_set), TENON_TYPE_(tenon_enums) + 1
#define TENON_OBJECT_TYPES_(T) TENON_TYPE_(T), TENON_TYPE_(const T *) + 1
#define TENON_LIST_TYPES_(T)   const T **: (int)(2 * sizeof(TENON_LIST_OF(T)))

/* The struct inside sizeof is how a static assertion gets into an initialiser. An enumerator that is declared there is
 * known to the end of the function, so that the field is named only twice, and a misspelt one is reported only twice.
 * Its name needs a number of its own, which a clang that knows C2y warns of: there the field is named again. */
#if defined(__clang__)
#if __has_warning("-Wc2y-extensions")
#define TENON_NO_COUNTER_
#endif
#elif !defined(__GNUC__)
#define TENON_NO_COUNTER_
#endif
#ifdef TENON_NO_COUNTER_
#define TENON_NUMBER_           0
#define TENON_CODE_IS_(n, ...)  char code
#define TENON_CODE_(n, ...)     (__VA_ARGS__)
#else
#define TENON_NUMBER_           __COUNTER__
#define TENON_CODE_IS_(n, ...)  enum { tenon_type_##n##_ = __VA_ARGS__ } code
#define TENON_CODE_(n, ...)     tenon_type_##n##_
#endif
#define TENON_ASSERT_(ok, text) (0 * sizeof(struct { _Static_assert(ok, text); char c; }))
#define TENON_ROW_(n, f, part, KIND, types, needs, doc_, ...)                                                \
    { .field  = #f,                                                                                          \
      .kind   = TENON_KIND_##KIND,                                                                           \
      .offset = 0 * sizeof(struct {                                                                          \
                    TENON_CODE_IS_(n, _Generic(&((tenon_self_ *)0)->part, types, default: 1));               \
                    _Static_assert(TENON_CODE_(n, _Generic(&((tenon_self_ *)0)->part, types, default: 1)) != 1, \
                                   #f ": TENON_" #KIND " needs " needs);                                     \
                }) +                                                                                         \
                TENON_OFFSET_(tenon_self_, f) + doc_,                                                        \
      .size    = TENON_CODE_(n, _Generic(&((tenon_self_ *)0)->part, types, default: 1)) >> 1,                \
      .flavour = TENON_CODE_(n, _Generic(&((tenon_self_ *)0)->part, types, default: 1)) & 1,                 \
      .rule.__VA_ARGS__ }
#define TENON_DOC_(f, doc, ...) \
    TENON_ASSERT_(!(sizeof(#doc) < 2), #f ": a row needs a description after the name of its field")
#define TENON_TEXT_ROW_(f, KIND, ...)                                                                        \
    TENON_ROW_(TENON_NUMBER_, f, f, KIND, TENON_TEXT_TYPES_, "a 'const char *' or a 'tenon_str'",              \
               TENON_DOC_(f, __VA_ARGS__, ), text = { TENON_PRESET_(TENON_ANY_LEN_) .doc = __VA_ARGS__ })
#define TENON_TIME_ROW_(f, KIND, ...)                                                                        \
    TENON_ROW_(TENON_NUMBER_, f, f, KIND, TENON_TYPE_(tenon_time), "a 'tenon_time'",                           \
               TENON_DOC_(f, __VA_ARGS__, ), time = { .doc = __VA_ARGS__ })
#define TENON_STRS_ROW_(f, KIND, ...)                                                                        \
    TENON_ROW_(TENON_NUMBER_, f, f, KIND, TENON_TEXTS_TYPES_, "a 'tenon_strs' or a 'const char **'",           \
               TENON_DOC_(f, __VA_ARGS__, ),                                                                 \
               strs = { TENON_PRESET_(TENON_ANY_COUNT_, TENON_ANY_LEN_) .doc = __VA_ARGS__ })
#define TENON_GROUP_(f, r, ...)                                                                              \
    TENON_ROW_(TENON_NUMBER_, f, f, GROUP, TENON_TYPE_(r##_of_), "the struct of its rows", 0,                  \
               group = { .rows = r, TENON_PRESET_(.max = TENON_NO_MAX) __VA_ARGS__ })

#define TENON_FIELDS_(KIND, names, ...)                                                                      \
    { .field       = names,                                                                                  \
      .kind        = TENON_KIND_##KIND,                                                                      \
      .rule.fields = { TENON_PICK_(__VA_ARGS__, MANY, MANY, MANY, MANY, 6, 5, 4, 3, 2, 1, 0)(KIND, __VA_ARGS__) } }
#define TENON_PICK_(a, b, c, d, e, f, g, h, i, j, n, ...) TENON_FIELDS_##n##_

#define TENON_AT_(f) TENON_OFFSET_(tenon_self_, f)
#define TENON_FIELDS_1_(KIND, ...) \
    TENON_ASSERT_(0, "TENON_" #KIND "(" #__VA_ARGS__ ") is a rule over two fields or more")
#define TENON_FIELDS_MANY_(KIND, ...) \
    TENON_ASSERT_(0, "TENON_" #KIND "(" #__VA_ARGS__ ") is a rule over six fields at most")
#define TENON_FIELDS_2_(KIND, a, b)          2, { TENON_AT_(a), TENON_AT_(b) }
#define TENON_FIELDS_3_(KIND, a, b, c)       3, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c) }
#define TENON_FIELDS_4_(KIND, a, b, c, d)    4, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c), TENON_AT_(d) }
#define TENON_FIELDS_5_(KIND, a, b, c, d, e) 5, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c), TENON_AT_(d), TENON_AT_(e) }
#define TENON_FIELDS_6_(KIND, a, b, c, d, e, f) \
    6, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c), TENON_AT_(d), TENON_AT_(e), TENON_AT_(f) }

#endif
