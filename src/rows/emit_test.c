/* emit_test.c - every kind and option in every form, byte for byte; ' stands for " in what is wanted. */
#include "rows/emit.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"
#include "json/write.h"
#include "model/shape.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SCHEMA_MAX      ((size_t)1 << 20)

static const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = 100, .nodes = SIZE_MAX };

/* ---- Rows with everything ------------------------------------------------------------------------------------ */

enum level { LOW, MID = 2, HIGH };
enum letter { SMALL_A, LARGE_A };
static const char *const level_names[]  = { [LOW] = "low", [MID] = "mid", [HIGH] = "high" };
static const char *const letter_names[] = { "a", "A" };

typedef struct {
    double lat;
    bool   exact;
} point;

typedef struct {
    const char *city;
    point       at;
} place;

typedef struct {
    const char *name;
    int         age;
    tenon_map   tags;
} person;

TENON_ROWS(point_rows, point,
    TENON_NUM (lat,   "Degrees.", .required = true, .range = {-90, 90}),
    TENON_BOOL(exact, "Measured."));

TENON_ROWS(place_rows, place,
    TENON_STR   (city, "A city.", .required = true),
    TENON_OBJECT(at, point_rows, "Where it is.", .example = "{\"lat\":1}"));

TENON_ROWS(person_rows, person,
    TENON_STR(name, "The name.", .required = true),
    TENON_INT(age,  "In years.", .range = {0, 150}),
    TENON_MAP(tags, "Marks."));

typedef struct {
    const char *str, *must, *code, *mail, *moment, *blank, *hello, *file, *near, *dir, *uuid, *url, *id,
        *id_two;
    tenon_str   counted;
    tenon_time  day, due, at, from;
    int64_t     whole, days, must_days;
    short       small;
    unsigned    up;
    double      ratio, half, any;
    bool        flag, on, must_flag, dry_run;
    enum level  level, must_level, def_level;
    enum letter letter;
    tenon_strs  strs, must_strs, some_strs, texts, def_strs, files;
    tenon_ints  ints;
    tenon_nums  nums;
    tenon_enums enums;
    tenon_set   set;
    place       place, must_place;
    tenon_map   map, must_map;
    TENON_LIST_OF(person) people;
    TENON_LIST_OF(point) points;
    const tenon_json *json, *def_json;
} every;

TENON_ROWS(every_rows, every,
    TENON_STR      (str,        "Text."),
    TENON_STR      (must,       "Text", .required = true),
    TENON_STR      (code,       "Code.", .required = true, .len = {2, 8}, .pattern = "^\\w+\"?$", .example = "ab"),
    TENON_STR      (mail,       "Mail.", .required = true, .format = "email", .secret = true),
    TENON_STR      (moment,     "Moment.", .required = true, .format = "date-time", .len = {0, 30}),
    TENON_STR      (blank,      "Text.", .required = true, .blank_ok = true),
    TENON_STR      (hello,      "Text.", .def = "a \"b\""),
    TENON_STR      (counted,    "Text.", .len = {3, TENON_NO_MAX}),
    TENON_PATH     (file,       "A file.", .required = true, .ext = ".md, .txt"),
    TENON_PATH     (near,       "Relative to the root, .md.", .ext = ".md"),
    TENON_ABS_PATH (dir,        "A directory"),
    TENON_UUID     (uuid,       "Id.", .required = true),
    TENON_URL      (url,        "Link.", .required = true, .schemes = "https,http"),
    TENON_ID       (id,         "Key.", .required = true, .len = {1, 20}),
    TENON_ID       (id_two,     "Key.", .pattern = "^a|\\.b", .example = "a"),
    TENON_DATE     (day,        "Day."),
    TENON_DATE     (due,        "Day.", .required = true),
    TENON_TIMESTAMP(at,         "Time.", .required = true),
    TENON_TIMESTAMP(from,       "Time."),
    TENON_INT      (whole,      "Number."),
    TENON_INT      (days,       "Number.", .range = {1, 14}, .def = 3, .clamp = true),
    TENON_INT      (must_days,  "Number.", .required = true, .range = {0, TENON_NO_MAX}),
    TENON_INT      (small,      "Number.", .required = true),
    TENON_INT      (up,         "Number.", .required = true),
    TENON_NUM      (ratio,      "Part.", .range = {0, 1}, .def = 0.5),
    TENON_NUM      (half,       "Part.", .required = true, .range = {TENON_NO_MIN, 0.1}),
    TENON_NUM      (any,        "Part."),
    TENON_BOOL     (flag,       "Flag."),
    TENON_BOOL     (on,         "Flag.", .def = false),
    TENON_BOOL     (must_flag,  "Flag.", .required = true),
    TENON_BOOL     (dry_run,    "Flag.", .strict = true),
    TENON_ENUM     (level,      level_names, "Level."),
    TENON_ENUM     (must_level, level_names, "Level.", .required = true),
    TENON_ENUM     (def_level,  level_names, "Level.", .def = MID),
    TENON_ENUM     (letter,     letter_names, "Letter.", .required = true, .exact = true),
    TENON_STRS     (strs,       "List."),
    TENON_STRS     (must_strs,  "List.", .required = true, .count = {1, 5}, .len = {1, 20}, .unique = true),
    TENON_STRS     (some_strs,  "List.", .count = {1, 5}),
    TENON_STRS     (texts,      "List.", .json_text = true, .example = "[\"a\",\"b\"]"),
    TENON_STRS     (def_strs,   "List, [\"a\"].", .json_text = true, .example = "[\"a\"]", .def = "[\"a\"]"),
    TENON_PATHS    (files,      "Files.", .required = true, .ext = ".c"),
    TENON_INTS     (ints,       "List.", .required = true, .range = {1, 9}),
    TENON_NUMS     (nums,       "List.", .def = "[0.5]"),
    TENON_ENUMS    (enums,      level_names, "List.", .required = true, .count = {0, 2}),
    TENON_ENUMS    (set,        level_names, "List.", .def = "low,mid"),
    TENON_OBJECT   (place,      place_rows, "Place."),
    TENON_OBJECT   (must_place, place_rows, "Place.", .required = true),
    TENON_OBJECTS  (people,     person_rows, "People.", .required = true, .count = {1, 3}),
    TENON_OBJECTS  (points,     point_rows, "Points.", .json_text = true, .example = "[{\"lat\":1}]"),
    TENON_MAP      (map,        "Map."),
    TENON_MAP      (must_map,   "Map.", .required = true, .count = {1, 4}, .len = {0, 9}),
    TENON_JSON     (json,       "Any.", .required = true),
    TENON_JSON     (def_json,   "Any.", .def = "{\"a\":[1]}"));

/* ---- Helpers ------------------------------------------------------------------------------------------------- */

struct fixture {
    tenon_shape    *shape;
    struct tn_arena arena;
};

static void open_fixture(struct fixture *fixture, const tenon_rows *rows)
{
    fixture->shape = tenon_shape_new(rows, NULL);
    assert_non_null(fixture->shape);
    if (tenon_shape_error(fixture->shape))
        fail_msg("%s", tenon_shape_error(fixture->shape));
    tn_arena_init(&fixture->arena, NULL, 0);
}

static void close_fixture(struct fixture *fixture)
{
    tn_arena_free(&fixture->arena);
    tenon_shape_free(fixture->shape);
}

/* `text` with " for every '. */
static const char *quoted(struct tn_arena *arena, const char *text)
{
    char *copy = tn_arena_copy(arena, text, strlen(text));

    for (char *at = copy; *at; at++)
        if (*at == '\'')
            *at = '"';
    return copy;
}

static const char *schema_text(struct fixture *fixture, const struct tn_emit_how *how)
{
    struct tn_buf out;

    tn_buf_init(&out, &fixture->arena, 0, SCHEMA_MAX);
    tn_emit_object(&out, fixture->shape->object, how);
    assert_false(out.failed);
    return tn_buf_end(&out);
}

static yyjson_val *read_schema(struct tn_arena *arena, const char *text)
{
    struct tn_json_text read = tn_json_read(arena, text, strlen(text), &limits);

    assert_int_equal(read.fault, JSON_FINE);
    return read.root;
}

/* Compares one property of a schema. */
static void check_property(struct fixture *fixture, yyjson_val *schema, const char *name, const char *want)
{
    yyjson_val   *property = yyjson_obj_get(yyjson_obj_get(schema, "properties"), name);
    struct tn_buf out;

    if (!property)
        fail_msg("no property %s", name);
    tn_buf_init(&out, &fixture->arena, 0, SCHEMA_MAX);
    tn_json_value(&out, property);
    if (strcmp(tn_buf_end(&out), quoted(&fixture->arena, want)) != 0)
        fail_msg("%s:\n got %s\nwant %s", name, out.at, quoted(&fixture->arena, want));
}

static bool is_listed(yyjson_val *array, const char *name)
{
    yyjson_arr_iter iter = yyjson_arr_iter_with(array);

    for (yyjson_val *item; (item = yyjson_arr_iter_next(&iter));)
        if (yyjson_equals_str(item, name))
            return true;
    return false;
}

/* ---- The full form ------------------------------------------------------------------------------------------- */

#define POINT_PROPERTIES                                                                                      \
    "'properties':{'lat':{'type':'number','description':'Degrees.','minimum':-90,'maximum':90},"              \
    "'exact':{'type':'boolean','description':'Measured.'}},'required':['lat']"
#define PLACE_PROPERTIES                                                                                      \
    "'properties':{'city':{'type':'string','description':'A city.','minLength':1},"                           \
    "'at':{'type':'object','description':'Where it is. Example: {\\'lat\\':1}'," POINT_PROPERTIES ",'additionalProperties':false}}," \
    "'required':['city'],'additionalProperties':false"
#define PERSON_PROPERTIES                                                                                     \
    "'properties':{'name':{'type':'string','description':'The name.','minLength':1},"                         \
    "'age':{'type':'integer','description':'In years.','minimum':0,'maximum':150},"                           \
    "'tags':{'type':'object','description':'Marks. Example: {\\'...\\': \\'...\\'}',"                        \
    "'additionalProperties':{'type':'string'}}},"                                                              \
    "'required':['name'],'additionalProperties':false"

static void writes_every_kind_in_full(void **state)
{
    static const struct { const char *name, *want; } cases[] = {
        { "str",        "{'type':'string','description':'Text.'}" },
        { "must",       "{'type':'string','description':'Text','minLength':1}" },
        { "code",       "{'type':'string','description':'Code.','pattern':'^\\\\w+\\'?$','minLength':2,'maxLength':8}" },
        { "mail",       "{'type':'string','description':'Mail.','format':'email'}" },
        { "moment",     "{'type':'string','description':'Moment.','format':'date-time','maxLength':30}" },
        { "blank",      "{'type':'string','description':'Text.'}" },
        { "hello",      "{'type':'string','description':'Text.','default':'a \\'b\\''}" },
        { "counted",    "{'type':'string','description':'Text.','minLength':3}" },
        { "file",       "{'type':'string','description':'A file. Relative path. Ends in .md or .txt.','minLength':1}" },
        { "near",       "{'type':'string','description':'Relative to the root, .md.'}" },
        { "dir",        "{'type':'string','description':'A directory. Absolute path.'}" },
        { "uuid",       "{'type':'string','description':'Id.','format':'uuid'}" },
        { "url",        "{'type':'string','description':'Link. Scheme: https or http.','format':'uri'}" },
        { "id",         "{'type':'string','description':'Key.','pattern':'^[A-Za-z0-9_][A-Za-z0-9_.-]*$',"
                        "'minLength':1,'maxLength':20}" },
        { "id_two",     "{'type':'string','description':'Key.',"
                        "'pattern':'^(?=[A-Za-z0-9_][A-Za-z0-9_.-]*$)(?=[\\\\s\\\\S]*(?:^a|\\\\.b))'}" },
        { "day",        "{'type':'string','description':'Day.','format':'date'}" },
        { "due",        "{'type':'string','description':'Day.','format':'date'}" },
        { "at",         "{'type':'string','description':'Time.','format':'date-time'}" },
        { "whole",      "{'type':'integer','description':'Number.'}" },
        { "days",       "{'type':'integer','description':'Number.','minimum':1,'maximum':14,'default':3}" },
        { "must_days",  "{'type':'integer','description':'Number.','minimum':0}" },
        { "small",      "{'type':'integer','description':'Number.','minimum':-32768,'maximum':32767}" },
        { "up",         "{'type':'integer','description':'Number.','minimum':0,'maximum':4294967295}" },
        { "ratio",      "{'type':'number','description':'Part.','minimum':0,'maximum':1,'default':0.5}" },
        { "half",       "{'type':'number','description':'Part.','maximum':0.1}" },
        { "any",        "{'type':'number','description':'Part.'}" },
        { "flag",       "{'type':'boolean','description':'Flag.'}" },
        { "on",         "{'type':'boolean','description':'Flag.','default':false}" },
        { "level",      "{'type':'string','description':'Level.','enum':['low','mid','high']}" },
        { "def_level",  "{'type':'string','description':'Level.','enum':['low','mid','high'],'default':'mid'}" },
        { "letter",     "{'type':'string','description':'Letter.','enum':['a','A']}" },
        { "strs",       "{'type':'array','description':'List. Example: [\\'...\\', \\'...\\']','items':{'type':'string'}}" },
        { "must_strs",  "{'type':'array','description':'List. Example: [\\'...\\', \\'...\\']','items':{'type':'string','minLength':1,'maxLength':20},"
                        "'minItems':1,'maxItems':5,'uniqueItems':true}" },
        { "texts",      "{'type':'string','description':'List. JSON text, e.g. [\\'a\\',\\'b\\']'}" },
        { "def_strs",   "{'type':'string','description':'List, [\\'a\\']. JSON text.','default':'[\\'a\\']'}" },
        { "files",      "{'type':'array','description':'Files. Relative paths. Each ends in .c. Example: [\\'notes/today.c\\']','items':{'type':'string'}}" },
        { "ints",       "{'type':'array','description':'List. Example: [1]','items':{'type':'integer','minimum':1,'maximum':9}}" },
        { "nums",       "{'type':'array','description':'List. Example: [0.5]','items':{'type':'number'},'default':[0.5]}" },
        { "enums",      "{'type':'array','description':'List. Example: [\\'low\\']','items':{'type':'string','enum':['low','mid','high']},"
                        "'maxItems':2}" },
        { "set",        "{'type':'array','description':'List. Example: [\\'low\\',\\'mid\\']','items':{'type':'string','enum':['low','mid','high']},"
                        "'default':['low','mid']}" },
        { "place",      "{'type':'object','description':'Place. Example: {\\'city\\':\\'text\\'}'," PLACE_PROPERTIES "}" },
        { "people",     "{'type':'array','description':'People. Example: [{\\'name\\':\\'text\\'}]','items':{'type':'object'," PERSON_PROPERTIES "},"
                        "'minItems':1,'maxItems':3}" },
        { "points",     "{'type':'string','description':'Points. JSON text, e.g. [{\\'lat\\':1}]'}" },
        { "map",        "{'type':'object','description':'Map. Example: {\\'...\\': \\'...\\'}','additionalProperties':{'type':'string'}}" },
        { "must_map",   "{'type':'object','description':'Map. Example: {\\'...\\': \\'...\\'}','additionalProperties':{'type':'string','maxLength':9},"
                        "'minProperties':1,'maxProperties':4}" },
        { "json",       "{'type':'string','description':'Any. JSON text, e.g. {}'}" },
        { "def_json",   "{'type':'string','description':'Any. JSON text, e.g. {\\'a\\':[1]}','default':'{\\'a\\':[1]}'}" },
    };
    struct fixture fixture;
    yyjson_val    *schema;

    (void)state;
    open_fixture(&fixture, every_rows());
    schema = read_schema(&fixture.arena, schema_text(&fixture, &(struct tn_emit_how){ .closed = true }));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_property(&fixture, schema, cases[i].name, cases[i].want);
    for (size_t i = 0; i < fixture.shape->object->count; i++)
        assert_int_equal(is_listed(yyjson_obj_get(schema, "required"), fixture.shape->object->params[i].name),
                         fixture.shape->object->params[i].required);
    close_fixture(&fixture);
}

/* On a destructive tool a blank optional is refused, so that it is declared; a lenient tool is open at every depth. */
static void says_what_the_tool_refuses(void **state)
{
    struct fixture fixture;
    yyjson_val    *schema;

    (void)state;
    open_fixture(&fixture, every_rows());
    schema = read_schema(&fixture.arena, schema_text(&fixture, &(struct tn_emit_how){ .destructive = true }));
    check_property(&fixture, schema, "str", "{'type':'string','description':'Text.','minLength':1}");
    check_property(&fixture, schema, "blank", "{'type':'string','description':'Text.'}");
    check_property(&fixture, yyjson_obj_get(yyjson_obj_get(schema, "properties"), "place"), "at",
                   "{'type':'object','description':'Where it is. Example: {\\'lat\\':1}'," POINT_PROPERTIES
                   "}");
    assert_null(yyjson_obj_get(schema, "additionalProperties"));
    close_fixture(&fixture);
}

static void writes_whole_schemas(void **state)
{
    static const struct { struct tn_emit_how how; tenon_rows_fn rows; const char *want; } cases[] = {
        { { TENON_SCHEMA_FULL, true, false }, point_rows,
          "{'type':'object'," POINT_PROPERTIES ",'additionalProperties':false}" },
        { { TENON_SCHEMA_FULL, false, false }, point_rows,
          "{'type':'object'," POINT_PROPERTIES "}" },
        { { TENON_SCHEMA_PORTABLE, false, false }, point_rows,
          "{'type':'object','properties':{"
          "'lat':{'type':'number','description':'Degrees.\\n\\n{minimum: -90, maximum: 90}'},"
          "'exact':{'type':'string','description':'Measured.\\n\\n{optional: send \\'not_given\\' to leave it out; type: boolean}','enum':['true','false','not_given']}},"
          "'required':['lat','exact'],'additionalProperties':false}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fixture fixture;

        open_fixture(&fixture, cases[i].rows());
        assert_string_equal(schema_text(&fixture, &cases[i].how), quoted(&fixture.arena, cases[i].want));
        close_fixture(&fixture);
    }
}

static void writes_an_object_without_parameters(void **state)
{
    static const struct tn_object nothing = { .name = "nothing" };
    struct tn_arena               arena;
    struct tn_buf                 out;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&out, &arena, 0, SCHEMA_MAX);
    tn_emit_object(&out, &nothing, &(struct tn_emit_how){ .closed = true });
    assert_string_equal(tn_buf_end(&out),
                        "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");
    tn_buf_init(&out, &arena, 0, SCHEMA_MAX);
    tn_emit_object(&out, &nothing, &(struct tn_emit_how){ .form = TENON_SCHEMA_PORTABLE });
    assert_string_equal(
        tn_buf_end(&out),
        "{\"type\":\"object\",\"properties\":{},\"required\":[],\"additionalProperties\":false}");
    tn_arena_free(&arena);
}

/* ---- The portable form --------------------------------------------------------------------------------------- */

#define BLANK   "{optional: send \\'\\' to leave it out"
#define EMPTY   "{optional: send [] to leave it out"
#define SPOKEN   "{optional: send \\'not_given\\' to leave it out"
#define LISTED  "{optional: send [\\'not_given\\'] to leave it out"
#define TRUTH   "'enum':['true','false','not_given']"
#define STRING_(text) "{'type':'string','description':'" text "'}"

static void writes_every_kind_portably(void **state)
{
    static const struct { const char *name, *want; } cases[] = {
        { "str",        STRING_("Text.\\n\\n" BLANK "}") },
        { "must",       STRING_("Text\\n\\n{minLength: 1}") },
        { "code",       STRING_("Code.\\n\\n{pattern: \\'^\\\\\\\\w+\\\\\\'?$\\', minLength: 2, maxLength: 8}") },
        { "mail",       STRING_("Mail.\\n\\n{format: \\'email\\'}") },
        { "moment",     "{'type':'string','description':'Moment.\\n\\n{maxLength: 30}','format':'date-time'}" },
        { "blank",      STRING_("Text.") },
        { "hello",      STRING_("Text.\\n\\n{optional, default: \\'a \\\\\\'b\\\\\\'\\'}") },
        { "counted",    STRING_("Text.\\n\\n" BLANK "; minLength: 3}") },
        { "file",       STRING_("A file. Relative path. Ends in .md or .txt.\\n\\n{minLength: 1}") },
        { "near",       STRING_("Relative to the root, .md.\\n\\n" BLANK "}") },
        { "uuid",       STRING_("Id.\\n\\n{format: \\'uuid\\'}") },
        { "day",        STRING_("Day.\\n\\n" BLANK "; format: \\'date\\'}") },
        { "due",        STRING_("Day.\\n\\n{format: \\'date\\'}") },
        { "at",         "{'type':'string','description':'Time.','format':'date-time'}" },
        { "from",       STRING_("Time.\\n\\n" BLANK "; format: \\'date-time\\'}") },
        { "whole",      STRING_("Number.\\n\\n" BLANK "; type: integer}") },
        { "days",       "{'type':'integer','description':'Number.\\n\\n{optional, minimum: 1, maximum: 14, default: 3}'}" },
        { "must_days",  "{'type':'integer','description':'Number.\\n\\n{minimum: 0}'}" },
        { "flag",       "{'type':'string','description':'Flag.\\n\\n" SPOKEN "; type: boolean}'," TRUTH "}" },
        { "on",         "{'type':'boolean','description':'Flag.\\n\\n{optional, default: false}'}" },
        { "must_flag",  "{'type':'boolean','description':'Flag.'}" },
        { "dry_run",    "{'type':'string','description':'Flag.\\n\\n" SPOKEN "; type: boolean}'," TRUTH "}" },
        { "level",      "{'type':'string','description':'Level.\\n\\n" SPOKEN "}','enum':['low','mid','high','not_given']}" },
        { "must_level", "{'type':'string','description':'Level.','enum':['low','mid','high']}" },
        { "def_level",  "{'type':'string','description':'Level.\\n\\n{optional, default: \\'mid\\'}',"
                        "'enum':['low','mid','high']}" },
        { "letter",     STRING_("Letter.\\n\\n{enum: [\\'a\\',\\'A\\']}") },
        { "strs",       "{'type':'array','description':'List. Example: [\\'...\\', \\'...\\']\\n\\n{optional: send [] to leave it out}',"
                        "'items':{'type':'string'}}" },
        { "must_strs",  "{'type':'array','description':'List. Example: [\\'...\\', \\'...\\']\\n\\n{items: {\\'minLength\\':1,\\'maxLength\\':20}, "
                        "minItems: 1, maxItems: 5, uniqueItems: true}','items':{'type':'string'}}" },
        { "some_strs",  "{'type':'array','description':'List. Example: [\\'...\\', \\'...\\']\\n\\n" EMPTY "; minItems: 1, maxItems: 5}',"
                        "'items':{'type':'string'}}" },
        { "texts",      STRING_("List. JSON text, e.g. [\\'a\\',\\'b\\']\\n\\n" BLANK "; type: array, "
                                "items: {\\'type\\':\\'string\\'}}") },
        { "def_strs",   STRING_("List, [\\'a\\']. JSON text.\\n\\n{optional, type: array, "
                                "items: {\\'type\\':\\'string\\'}, default: [\\'a\\']}") },
        { "ints",       "{'type':'array','description':'List. Example: [1]\\n\\n{items: {\\'minimum\\':1,\\'maximum\\':9}}',"
                        "'items':{'type':'integer'}}" },
        { "nums",       "{'type':'array','description':'List. Example: [0.5]\\n\\n{optional, default: [0.5]}','items':{'type':'number'}}" },
        { "enums",      "{'type':'array','description':'List. Example: [\\'low\\']\\n\\n{maxItems: 2}',"
                        "'items':{'type':'string','enum':['low','mid','high']}}" },
        { "must_place", "{'type':'object','description':'Place. Example: {\\'city\\':\\'text\\'}','properties':{"
                        "'city':{'type':'string','description':'A city.\\n\\n{minLength: 1}'},"
                        "'at':{'type':'string','description':'Where it is. JSON text, e.g. {\\'lat\\':1}\\n\\n"
                        BLANK "; type: object, properties: "
                        "{\\'lat\\':{\\'type\\':\\'number\\',\\'description\\':\\'Degrees.\\',\\'minimum\\':-90,"
                        "\\'maximum\\':90},\\'exact\\':{\\'type\\':\\'boolean\\',\\'description\\':\\'Measured.\\'}}, "
                        "required: [\\'lat\\'], additionalProperties: false}'}},"
                        "'required':['city','at'],'additionalProperties':false}" },
        { "people",     "{'type':'array','description':'People. Example: [{\\'name\\':\\'text\\'}]\\n\\n{minItems: 1, maxItems: 3}','items':{'type':'object',"
                        "'properties':{'name':{'type':'string','description':'The name.\\n\\n{minLength: 1}'},"
                        "'age':{'type':'string','description':'In years.\\n\\n" BLANK "; type: integer, minimum: 0, "
                        "maximum: 150}'},'tags':{'type':'string','description':'Marks. JSON text, e.g. {\\'name\\':\\'text\\'}\\n\\n" BLANK "; "
                        "type: object, additionalProperties: {\\'type\\':\\'string\\'}}'}},"
                        "'required':['name','age','tags'],'additionalProperties':false}}" },
        { "must_map",   STRING_("Map. JSON text, e.g. {\\'name\\':\\'text\\'}\\n\\n{type: object, additionalProperties: {\\'type\\':\\'string\\',"
                                "\\'maxLength\\':9}, minProperties: 1, maxProperties: 4}") },
        { "json",       STRING_("Any. JSON text, e.g. {}") },
        { "def_json",   STRING_("Any. JSON text, e.g. {\\'a\\':[1]}\\n\\n{optional, default: {\\'a\\':[1]}}") },
    };
    const struct tn_emit_how how = { .form = TENON_SCHEMA_PORTABLE, .closed = true };
    struct fixture           fixture;
    yyjson_val              *schema;

    (void)state;
    open_fixture(&fixture, every_rows());
    schema = read_schema(&fixture.arena, schema_text(&fixture, &how));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_property(&fixture, schema, cases[i].name, cases[i].want);
    for (size_t i = 0; i < fixture.shape->object->count; i++) {
        const char *name = fixture.shape->object->params[i].name;

        assert_true(is_listed(yyjson_obj_get(schema, "required"), name));
    }
    close_fixture(&fixture);
}

/* A destructive tool refuses what is blank, so a word is the way to leave something out. */
static void has_a_word_where_blanks_are_refused(void **state)
{
    static const struct { const char *name, *want; } cases[] = {
        { "str",       STRING_("Text.\\n\\n" SPOKEN "; minLength: 1}") },
        { "hello",     STRING_("Text.\\n\\n{optional, minLength: 1, default: \\'a \\\\\\'b\\\\\\'\\'}") },
        { "whole",     STRING_("Number.\\n\\n" SPOKEN "; type: integer}") },
        { "must_flag", "{'type':'boolean','description':'Flag.'}" },
        { "flag",      "{'type':'string','description':'Flag.\\n\\n" SPOKEN "; type: boolean}'," TRUTH "}" },
        { "level",     "{'type':'string','description':'Level.\\n\\n" SPOKEN "}','enum':['low','mid','high','not_given']}" },
        { "from",      STRING_("Time.\\n\\n" SPOKEN "; format: \\'date-time\\'}") },
        { "strs",      "{'type':'array','description':'List. Example: [\\'...\\', \\'...\\']\\n\\n" LISTED "}','items':{'type':'string'}}" },
        { "map",       STRING_("Map. JSON text, e.g. {\\'name\\':\\'text\\'}\\n\\n" SPOKEN "; type: object, "
                               "additionalProperties: {\\'type\\':\\'string\\'}}") },
    };
    const struct tn_emit_how how = { .form = TENON_SCHEMA_PORTABLE, .destructive = true };
    struct fixture           fixture;
    yyjson_val              *schema;

    (void)state;
    open_fixture(&fixture, every_rows());
    schema = read_schema(&fixture.arena, schema_text(&fixture, &how));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_property(&fixture, schema, cases[i].name, cases[i].want);
        assert_true(is_listed(yyjson_obj_get(schema, "required"), cases[i].name));
    }
    close_fixture(&fixture);
}

static void check_portable(yyjson_val *schema, unsigned level)
{
    static const char *const allowed[]  = { "type",  "description", "properties", "required",
                                            "items", "enum",        "format",     "additionalProperties" };
    yyjson_obj_iter          iter       = yyjson_obj_iter_with(schema);
    yyjson_val              *properties = yyjson_obj_get(schema, "properties");

    assert_true(yyjson_is_str(yyjson_obj_get(schema, "type")));
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));) {
        bool found = false;

        for (size_t i = 0; i < COUNT_OF(allowed); i++)
            found = found || yyjson_equals_str(key, allowed[i]);
        if (!found)
            fail_msg("keyword %s", yyjson_get_str(key));
    }
    if (yyjson_obj_get(schema, "format"))
        assert_string_equal(yyjson_get_str(yyjson_obj_get(schema, "format")), "date-time");
    if (yyjson_equals_str(yyjson_obj_get(schema, "type"), "array"))
        check_portable(yyjson_obj_get(schema, "items"), level);
    if (!yyjson_equals_str(yyjson_obj_get(schema, "type"), "object")) {
        assert_null(properties);
        return;
    }
    assert_true(level < 2);
    assert_true(yyjson_is_false(yyjson_obj_get(schema, "additionalProperties")));
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(schema, "required")), yyjson_obj_size(properties));
    iter = yyjson_obj_iter_with(properties);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));)
        check_portable(yyjson_obj_iter_get_val(key), level + 1);
}

static void uses_only_portable_keywords(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct tn_emit_how how = { TENON_SCHEMA_PORTABLE, i & 1, i & 2 };
        struct fixture     fixture;

        open_fixture(&fixture, every_rows());
        check_portable(read_schema(&fixture.arena, schema_text(&fixture, &how)), 0);
        close_fixture(&fixture);
    }
}

/* Adds what a client sends for one property when it follows the description to the letter. */
static void add_followed(struct tn_buf *args, const struct tn_param *param, yyjson_val *property)
{
    const char *description = yyjson_get_str(yyjson_obj_get(property, "description"));
    bool        is_string   = yyjson_equals_str(yyjson_obj_get(property, "type"), "string");
    bool        is_text     = param->node->example.at[0] == '"';

    if (args->at[args->len - 1] != '{')
        tn_buf_char(args, ',');
    tn_json_string(args, param->name, param->len);
    tn_buf_char(args, ':');
    if (strstr(description, "send \"\""))
        tn_buf_lit(args, "\"\"");
    else if (strstr(description, "send []"))
        tn_buf_lit(args, "[]");
    else if (strstr(description, "send \"not_given\""))
        tn_buf_lit(args, "\"not_given\"");
    else if (is_string && !is_text)
        tn_json_string(args, param->node->example.at, param->node->example.len);
    else
        tn_buf_add(args, param->node->example.at, param->node->example.len);
}

/* The validator takes every way out that the descriptions offer, and binds what would be bound without it. */
static void is_accepted_when_followed(void **state)
{
    const struct tn_emit_how how = { .form = TENON_SCHEMA_PORTABLE, .closed = true };
    struct fixture           fixture;
    tenon_params            *params;
    yyjson_val              *properties;
    const every             *bound;
    struct tn_buf            args;

    (void)state;
    open_fixture(&fixture, every_rows());
    properties = yyjson_obj_get(read_schema(&fixture.arena, schema_text(&fixture, &how)), "properties");
    tn_buf_init(&args, &fixture.arena, 0, SCHEMA_MAX);
    tn_buf_char(&args, '{');
    for (size_t i = 0; i < fixture.shape->object->count; i++) {
        const struct tn_param *param = &fixture.shape->object->params[i];

        add_followed(&args, param, yyjson_obj_get(properties, param->name));
    }
    tn_buf_char(&args, '}');
    params = tenon_params_new(fixture.shape);
    tenon_params_form(params, TENON_SCHEMA_PORTABLE);
    bound = tenon_params_bind(params, tn_buf_end(&args), args.len);
    if (!bound)
        fail_msg("%s\n%s", args.at, tenon_params_issue(params, 0)->text);
    assert_int_equal(tenon_params_message_count(params), 0);
    assert_string_equal(bound->str, "");
    assert_int_equal(bound->whole, 0);
    assert_false(bound->day.set || bound->flag);
    assert_int_equal(bound->strs.count + bound->some_strs.count + bound->points.count + bound->map.count, 0);
    tenon_params_free(params);
    close_fixture(&fixture);
}

/* ---- What is expected, and results --------------------------------------------------------------------------- */

static void says_what_is_expected(void **state)
{
    static const struct { const char *name, *want; } cases[] = {
        { "code",       "{'type':'string','pattern':'^\\\\w+\\'?$','minLength':2,'maxLength':8}" },
        { "hello",      "{'type':'string'}" },
        { "uuid",       "{'type':'string','format':'uuid'}" },
        { "at",         "{'type':'string','format':'date-time'}" },
        { "days",       "{'type':'integer','minimum':1,'maximum':14}" },
        { "ratio",      "{'type':'number','minimum':0,'maximum':1}" },
        { "flag",       "{'type':'boolean'}" },
        { "level",      "{'type':'string','enum':['low','mid','high']}" },
        { "must_strs",  "{'type':'array','items':{'type':'string','minLength':1,'maxLength':20},'minItems':1,"
                        "'maxItems':5,'uniqueItems':true}" },
        { "texts",      "{'type':'array','items':{'type':'string'}}" },
        { "must_place", "{'type':'object','properties':{'city':{'type':'string'},'at':{'type':'object'}},"
                        "'required':['city']}" },
        { "people",     "{'type':'array','items':{'type':'object','properties':{'name':{'type':'string'},"
                        "'age':{'type':'integer'},'tags':{'type':'object'}},'required':['name']},"
                        "'minItems':1,'maxItems':3}" },
        { "must_map",   "{'type':'object','additionalProperties':{'type':'string','maxLength':9},'minProperties':1,"
                        "'maxProperties':4}" },
        { "json",       "{'type':'string','contentMediaType':'application/json'}" },
    };
    struct fixture fixture;

    (void)state;
    open_fixture(&fixture, every_rows());
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct tn_object *object = fixture.shape->object;
        uint32_t                index  = tn_object_find(object, cases[i].name, strlen(cases[i].name));
        struct tn_buf           out;

        assert_int_not_equal(index, PARAM_NONE);
        tn_buf_init(&out, &fixture.arena, 0, SCHEMA_MAX);
        tn_emit_expected(&out, object->params[index].node);
        assert_string_equal(tn_buf_end(&out), quoted(&fixture.arena, cases[i].want));
    }
    close_fixture(&fixture);
}

static void describes_results(void **state)
{
    static const struct { const char *name, *want; bool listed; } cases[] = {
        { "str",      "{'type':'string','description':'Text.'}", false },
        { "must",     "{'type':'string','description':'Text'}", true },
        { "hello",    "{'type':'string','description':'Text.'}", false },
        { "file",     "{'type':'string','description':'A file.'}", true },
        { "day",      "{'type':'string','description':'Day.','format':'date'}", false },
        { "days",     "{'type':'integer','description':'Number.','minimum':1,'maximum':14}", true },
        { "small",    "{'type':'integer','description':'Number.'}", true },
        { "up",       "{'type':'integer','description':'Number.'}", true },
        { "flag",     "{'type':'boolean','description':'Flag.'}", true },
        { "level",    "{'type':'string','description':'Level.','enum':['low','mid','high']}", true },
        { "texts",    "{'type':'array','description':'List.','items':{'type':'string'}}", true },
        { "place",    "{'type':'object','description':'Place.','properties':{"
                      "'city':{'type':'string','description':'A city.'},"
                      "'at':{'type':'object','description':'Where it is.','properties':{"
                      "'lat':{'type':'number','description':'Degrees.','minimum':-90,'maximum':90},"
                      "'exact':{'type':'boolean','description':'Measured.'}},'required':['lat','exact']}},"
                      "'required':['city','at']}", true },
        { "map",      "{'type':'object','description':'Map.','additionalProperties':{'type':'string'}}", true },
        { "json",     "{'description':'Any.'}", true },
        { "def_json", "{'description':'Any.'}", false },
    };
    struct fixture fixture;
    struct tn_buf  out;
    yyjson_val    *schema;

    (void)state;
    open_fixture(&fixture, every_rows());
    tn_buf_init(&out, &fixture.arena, 0, SCHEMA_MAX);
    tn_emit_result(&out, fixture.shape->object);
    schema = read_schema(&fixture.arena, tn_buf_end(&out));
    assert_null(yyjson_obj_get(schema, "additionalProperties"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_property(&fixture, schema, cases[i].name, cases[i].want);
        assert_int_equal(is_listed(yyjson_obj_get(schema, "required"), cases[i].name), cases[i].listed);
    }
    close_fixture(&fixture);
}

/* ---- Memory -------------------------------------------------------------------------------------------------- */

static void survives_every_refusal(void **state)
{
    struct fixture fixture;

    (void)state;
    open_fixture(&fixture, every_rows());
    for (unsigned form = 0; form < 2; form++) {
        struct tn_emit_how how  = { .form = (tenon_schema_form)form, .closed = true };
        const char        *want = schema_text(&fixture, &how);
        bool               done = false;

        for (size_t nth = 1; !done; nth++) {
            struct tn_fault refuser = { .refuse_at = nth };
            tenon_allocator memory  = tn_fault_allocator(&refuser);
            struct tn_arena arena;
            struct tn_buf   out;

            tn_arena_init(&arena, &memory, 0);
            tn_buf_init(&out, &arena, 0, SCHEMA_MAX);
            tn_emit_object(&out, fixture.shape->object, &how);
            done = !refuser.refused;
            assert_int_equal(out.failed, refuser.refused);
            if (done)
                assert_string_equal(tn_buf_end(&out), want);
            tn_arena_free(&arena);
            assert_int_equal(refuser.blocks, 0);
        }
    }
    close_fixture(&fixture);
}

static void stops_at_its_maximum(void **state)
{
    struct fixture fixture;
    struct tn_buf  out;

    (void)state;
    open_fixture(&fixture, every_rows());
    for (size_t max = 0; max < 3000; max += 7) {
        tn_buf_init(&out, &fixture.arena, 0, max);
        tn_emit_object(&out, fixture.shape->object, &(struct tn_emit_how){ .form = TENON_SCHEMA_PORTABLE });
        assert_true(out.failed);
        assert_true(out.len <= max);
    }
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_kind_in_full),   cmocka_unit_test(says_what_the_tool_refuses),
        cmocka_unit_test(writes_whole_schemas),        cmocka_unit_test(writes_an_object_without_parameters),
        cmocka_unit_test(writes_every_kind_portably),  cmocka_unit_test(has_a_word_where_blanks_are_refused),
        cmocka_unit_test(uses_only_portable_keywords), cmocka_unit_test(is_accepted_when_followed),
        cmocka_unit_test(says_what_is_expected),       cmocka_unit_test(describes_results),
        cmocka_unit_test(survives_every_refusal),      cmocka_unit_test(stops_at_its_maximum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
