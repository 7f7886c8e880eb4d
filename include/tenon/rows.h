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
 *   - An option that was written counts, whatever its value: .def = 0 is a default, .range = {0, 0} a range.
 *   - Limits are inclusive pairs; an end that is open is written TENON_NO_MIN or TENON_NO_MAX. Lengths and counts
 *     begin at 0.
 *
 * docs/tools.md shows every row with its schema, a call that is accepted and one that is refused. The macros are C,
 * not C++; the types are both.
 */
#ifndef TENON_ROWS_H
#define TENON_ROWS_H

#include <tenon/base.h>

/* Open ends of a range, a length or a count. One number that is exact as integer, size and double. */
#define TENON_NO_MAX INT64_C(0x7ffffffffffffc00)
#define TENON_NO_MIN (-TENON_NO_MAX)

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
 *   strict        take the value only in its own JSON type; a list or an object still as JSON text */
#define TENON_OPTIONS_                                                       \
    const char     *doc, *key, *alias, *example, *note, *default_note;       \
    tenon_check_fn  check;                                                   \
    tenon_with      checks[TENON_CHECKS_MAX];                                \
    tenon_lookup_fn lookup;                                                  \
    bool            required, secret, strict

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
 *   high_text */
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
    bool   clamp;
} tenon_num_options;

typedef struct tenon_bool_options {
    TENON_OPTIONS_;
    bool        def;
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
    bool               exact, unique, json_text;
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
    bool        unique, comma, json_text;
} tenon_strs_options;

typedef struct tenon_ints_options {
    TENON_OPTIONS_;
    size_t      count[2];
    int64_t     range[2];
    const char *def;
    bool        unique, json_text;
} tenon_ints_options;

typedef struct tenon_nums_options {
    TENON_OPTIONS_;
    size_t      count[2];
    double      range[2];
    const char *def;
    bool        unique, json_text;
} tenon_nums_options;

/* An object, a list of objects (count), or any JSON. def is JSON text. */
typedef struct tenon_object_options {
    TENON_OPTIONS_;
    tenon_rows_fn rows; /* set by the macro */
    size_t        count[2];
    const char   *def;
    bool          json_text;
} tenon_object_options;

/*   end_of_day  a date without a time is the last millisecond of its UTC day: use it for upper bounds
 *   calendar    the day alone counts, as for a birthday: a timestamp gives its day as written, whatever its offset, and a
 *               message says so. The value is the first millisecond of that day in UTC */
typedef struct tenon_time_options {
    TENON_OPTIONS_;
    const char *def;
    bool        end_of_day, calendar;
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
    const char *said; /* the options as they were written: C cannot tell .def = 0 from no .def, this can */
    uint32_t    offset, size;
    uint8_t     kind;
    uint8_t     flavour; /* which of the field types that the kind allows */
    union {
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
 *   TENON_STRS     (field, doc, ...)         tenon_strs
 *   TENON_PATHS    (field, doc, ...)         tenon_strs, relative paths
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
#define TENON_STR(f, ...)       TENON_STRING_(f, STR, __VA_ARGS__)
#define TENON_PATH(f, ...)      TENON_STRING_(f, PATH, __VA_ARGS__)
#define TENON_ABS_PATH(f, ...)  TENON_STRING_(f, ABSPATH, __VA_ARGS__)
#define TENON_UUID(f, ...)      TENON_STRING_(f, UUID, __VA_ARGS__)
#define TENON_URL(f, ...)       TENON_STRING_(f, URL, __VA_ARGS__)
#define TENON_ID(f, ...)        TENON_STRING_(f, ID, __VA_ARGS__)
#define TENON_DATE(f, ...)      TENON_TIME_(f, DATE, __VA_ARGS__)
#define TENON_TIMESTAMP(f, ...) TENON_TIME_(f, TIMESTAMP, __VA_ARGS__)
#define TENON_INT(f, ...)                                                                                    \
    TENON_ROW_(f, INT, TENON_UNSIGNED_(f), integer, TENON_IS_INTEGER_(f),                                    \
               "TENON_INT wants an integer type of 16 to 64 bits", .doc = __VA_ARGS__)
#define TENON_NUM(f, ...)                                                                                    \
    TENON_ROW_(f, NUM, 0, number, TENON_IS_(f, double) || TENON_IS_(f, float),                               \
               "TENON_NUM wants a 'double' or a 'float'", .doc = __VA_ARGS__)
#define TENON_BOOL(f, ...)                                                                                   \
    TENON_ROW_(f, BOOL, 0, boolean, TENON_IS_(f, bool), "TENON_BOOL wants a 'bool'", .doc = __VA_ARGS__)
#define TENON_ENUM(f, n, ...)                                                                                \
    TENON_ROW_(f, ENUM, 0, choice, TENON_IS_ENUM_(f), "TENON_ENUM wants an enum", .names = n,                \
               .name_count = sizeof n / sizeof *n, .doc = __VA_ARGS__)
#define TENON_STRS(f, ...)                                                                                   \
    TENON_ROW_(f, STRS, 0, strs, TENON_IS_(f, tenon_strs), "TENON_STRS wants a 'tenon_strs'",                \
               .doc = __VA_ARGS__)
#define TENON_PATHS(f, ...)                                                                                  \
    TENON_ROW_(f, PATHS, 0, strs, TENON_IS_(f, tenon_strs), "TENON_PATHS wants a 'tenon_strs'",              \
               .doc = __VA_ARGS__)
#define TENON_INTS(f, ...)                                                                                   \
    TENON_ROW_(f, INTS, 0, ints, TENON_IS_(f, tenon_ints), "TENON_INTS wants a 'tenon_ints'",                \
               .doc = __VA_ARGS__)
#define TENON_NUMS(f, ...)                                                                                   \
    TENON_ROW_(f, NUMS, 0, nums, TENON_IS_(f, tenon_nums), "TENON_NUMS wants a 'tenon_nums'",                \
               .doc = __VA_ARGS__)
#define TENON_ENUMS(f, n, ...)                                                                               \
    TENON_ROW_(f, ENUMS, TENON_IS_(f, tenon_enums), choices,                                                 \
               TENON_IS_(f, tenon_set) || TENON_IS_(f, tenon_enums),                                         \
               "TENON_ENUMS wants a 'tenon_set' or a 'tenon_enums'", .names = n,                             \
               .name_count = sizeof n / sizeof *n, .doc = __VA_ARGS__)
#define TENON_OBJECT(f, r, ...)                                                                              \
    TENON_ROW_(f, OBJECT, TENON_IS_(f, const r##_of_ *), object,                                             \
               TENON_IS_(f, r##_of_) || TENON_IS_(f, const r##_of_ *),                                       \
               "TENON_OBJECT wants the struct of its rows, or a pointer to a const one", .rows = r,          \
               .doc = __VA_ARGS__)
#define TENON_OBJECTS(f, r, ...)                                                                             \
    TENON_ROW_(f, OBJECTS, 0, object, TENON_IS_(f.at, const r##_of_ *),                                      \
               "TENON_OBJECTS wants a TENON_LIST_OF the struct of its rows", .rows = r, .doc = __VA_ARGS__)
#define TENON_MAP(f, ...)                                                                                    \
    TENON_ROW_(f, MAP, 0, strs, TENON_IS_(f, tenon_map), "TENON_MAP wants a 'tenon_map'", .doc = __VA_ARGS__)
#define TENON_JSON(f, ...)                                                                                   \
    TENON_ROW_(f, JSON, 0, object, TENON_IS_(f, const tenon_json *),                                         \
               "TENON_JSON wants a 'const tenon_json *'", .doc = __VA_ARGS__)

#define TENON_GROUP(f, ...) TENON_GROUP_(f, __VA_ARGS__, )

#define TENON_ORDERED(a, b)   TENON_FIELDS_(ORDERED, #a ", " #b, TENON_OFFSETS_(a, b))
#define TENON_TOGETHER(...)   TENON_FIELDS_(TOGETHER, #__VA_ARGS__, TENON_OFFSETS_(__VA_ARGS__))
#define TENON_EXCLUSIVE(...)  TENON_FIELDS_(EXCLUSIVE, #__VA_ARGS__, TENON_OFFSETS_(__VA_ARGS__))
#define TENON_ANY_OF(...)     TENON_FIELDS_(ANY_OF, #__VA_ARGS__, TENON_OFFSETS_(__VA_ARGS__))
#define TENON_REQUIRES(...)   TENON_FIELDS_(REQUIRES, #__VA_ARGS__, TENON_OFFSETS_(__VA_ARGS__))
#define TENON_CHECK(function) { .field = #function, .said = "", .kind = TENON_KIND_CHECK, .rule.with.check = function }
#define TENON_CHECK_WITH(function, argument_) \
    { .field = #function, .said = "", .kind = TENON_KIND_CHECK, .rule.with = TENON_WITH(function, argument_) }
#define TENON_DERIVE(function) \
    { .field = #function, .said = "", .kind = TENON_KIND_DERIVE, .rule.derive = function }

/* Defines `name`, a function that returns the table. Put it into a header to share it: it is static. */
#define TENON_ROWS(name, T, ...)                                                                             \
    typedef T                       name##_of_;                                                              \
    static inline const tenon_rows *name(void)                                                               \
    {                                                                                                        \
        typedef T              tenon_self_;                                                                  \
        static const tenon_row rows_[] = { __VA_ARGS__ };                                                    \
        static const tenon_rows table_ = { #name, rows_, sizeof rows_ / sizeof *rows_, sizeof *rows_,        \
                                           sizeof(T) };                                                      \
        return &table_;                                                                                      \
    }                                                                                                        \
    typedef T name##_of_

/* ---- Not yours -------------------------------------------------------------------------------------------- */

#define TENON_FIELD_(f)    (((tenon_self_ *)0)->f)
#define TENON_IS_(f, type) _Generic(&TENON_FIELD_(f), type *: 1, default: 0)
#define TENON_IS_INTEGER_(f)                                                                                 \
    _Generic(TENON_FIELD_(f), short: 1, unsigned short: 1, int: 1, unsigned: 1, long: 1, unsigned long: 1,   \
             long long: 1, unsigned long long: 1, default: 0)
#define TENON_UNSIGNED_(f)                                                                                   \
    _Generic(TENON_FIELD_(f), unsigned short: 1, unsigned: 1, unsigned long: 1, unsigned long long: 1, default: 0)
#define TENON_IS_ENUM_(f) /* an enum is one of these to the compiler */                                      \
    _Generic(TENON_FIELD_(f), int: 1, unsigned: 1, signed char: 1, unsigned char: 1, short: 1,               \
             unsigned short: 1, default: 0)

/* The struct inside sizeof is how a static assertion gets into an initialiser. */
#define TENON_ASSERT_(ok, text) \
    (0 * sizeof(struct { _Static_assert(ok, text); char c; }))
#define TENON_ROW_(f, KIND, flavour_, member, ok, want, ...)                                                 \
    { .field   = #f,                                                                                         \
      .said    = #__VA_ARGS__,                                                                               \
      .kind    = TENON_KIND_##KIND,                                                                          \
      .flavour = flavour_,                                                                                   \
      .size    = sizeof TENON_FIELD_(f),                                                                     \
      .offset  = offsetof(tenon_self_, f) + TENON_ASSERT_(ok, "'" #f "': " want),                            \
      .rule.member = { __VA_ARGS__ } }
#define TENON_STRING_(f, KIND, ...)                                                                          \
    TENON_ROW_(f, KIND, TENON_IS_(f, tenon_str), text, TENON_IS_(f, const char *) || TENON_IS_(f, tenon_str), \
               "TENON_" #KIND " wants a 'const char *' or a 'tenon_str'", .doc = __VA_ARGS__)
#define TENON_TIME_(f, KIND, ...)                                                                            \
    TENON_ROW_(f, KIND, 0, time, TENON_IS_(f, tenon_time), "TENON_" #KIND " wants a 'tenon_time'",           \
               .doc = __VA_ARGS__)
#define TENON_GROUP_(f, r, ...)                                                                              \
    { .field  = #f,                                                                                          \
      .said   = #__VA_ARGS__,                                                                                \
      .kind   = TENON_KIND_GROUP,                                                                            \
      .size   = sizeof TENON_FIELD_(f),                                                                      \
      .offset = offsetof(tenon_self_, f) +                                                                   \
                TENON_ASSERT_(TENON_IS_(f, r##_of_), "'" #f "': TENON_GROUP wants the struct of its rows"),  \
      .rule.group = { .rows = r, __VA_ARGS__ } }

#define TENON_FIELDS_(KIND, names, ...)                                                                      \
    { .field = names, .said = "", .kind = TENON_KIND_##KIND, .rule.fields = { __VA_ARGS__ } }
#define TENON_AT_(f)                    offsetof(tenon_self_, f)
#define TENON_OFFSETS_(...)             TENON_PICK_(__VA_ARGS__, 6, 5, 4, 3, 2, 1, 0)(__VA_ARGS__)
#define TENON_PICK_(a, b, c, d, e, f, n, ...) TENON_OFFSETS_##n##_
#define TENON_OFFSETS_2_(a, b)          2, { TENON_AT_(a), TENON_AT_(b) }
#define TENON_OFFSETS_3_(a, b, c)       3, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c) }
#define TENON_OFFSETS_4_(a, b, c, d)    4, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c), TENON_AT_(d) }
#define TENON_OFFSETS_5_(a, b, c, d, e) 5, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c), TENON_AT_(d), TENON_AT_(e) }
#define TENON_OFFSETS_6_(a, b, c, d, e, f) \
    6, { TENON_AT_(a), TENON_AT_(b), TENON_AT_(c), TENON_AT_(d), TENON_AT_(e), TENON_AT_(f) }

#endif
