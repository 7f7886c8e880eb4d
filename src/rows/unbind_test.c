/* unbind_test.c - structs of every kind to JSON, and every value that must not leave the program. */
#include "rows/unbind.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"
#include "model/shape.h"
#include "model/unique.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TEXT_MAX        ((size_t)1 << 20)

/* ---- One struct with everything ------------------------------------------------------------------------------ */

enum level { LOW, MID = 2, HIGH };
static const char *const level_names[] = { [LOW] = "low", [MID] = "mid", [HIGH] = "high" };

typedef struct {
    const char *name;
    short       age;
} person;

TENON_ROWS(person_rows, person,
    TENON_STR(name, "The name.", .required = true),
    TENON_INT(age,  "In years.", .range = {0, 150}));

typedef struct {
    int64_t page, size;
} page;

TENON_ROWS(page_rows, page,
    TENON_INT(page, "Which page."),
    TENON_INT(size, "How large.", .key = "pageSize"));

typedef struct {
    const char    *must, *text, *code, *mail, *file, *dir, *uuid, *url, *id;
    tenon_str      counted;
    tenon_time     day, at;
    short          i16;
    int            i32;
    int64_t        i64, ranged;
    unsigned short u16;
    unsigned       u32;
    uint64_t       u64;
    double         ratio;
    float          part;
    bool           flag;
    enum level     level;
    unsigned char  tiny_level;
    tenon_strs     strs, files;
    tenon_ints     ints;
    tenon_nums     nums;
    tenon_enums    enums;
    tenon_set      set;
    person         owner;
    TENON_LIST_OF(person) people;
    tenon_map         map;
    const tenon_json *json;
    page              page;
} every;

TENON_ROWS(every_rows, every,
    TENON_STR      (must,    "Text.", .required = true),
    TENON_STR      (text,    "Text.", .len = {0, 5}, .secret = true),
    TENON_STR      (code,    "Code.", .pattern = "^[a-z]+$", .example = "ab"),
    TENON_STR      (mail,    "Mail.", .format = "email"),
    TENON_STR      (counted, "Text.", .len = {2, 4}),
    TENON_PATH     (file,    "A file.", .ext = ".md"),
    TENON_ABS_PATH (dir,     "A directory."),
    TENON_UUID     (uuid,    "Id."),
    TENON_URL      (url,     "Link.", .schemes = "https"),
    TENON_ID       (id,      "Key."),
    TENON_DATE     (day,     "Day."),
    TENON_TIMESTAMP(at,      "Time."),
    TENON_INT      (i16,     "Number."),
    TENON_INT      (i32,     "Number."),
    TENON_INT      (i64,     "Number."),
    TENON_INT      (ranged,  "Number.", .range = {-1, 9}),
    TENON_INT      (u16,     "Number."),
    TENON_INT      (u32,     "Number."),
    TENON_INT      (u64,     "Number."),
    TENON_NUM      (ratio,   "Part.", .range = {0, 1}, .tolerance = 1e-6),
    TENON_NUM      (part,    "Part.", .range = {TENON_NO_MIN, 10}),
    TENON_BOOL     (flag,    "Flag."),
    TENON_ENUM     (level,   level_names, "Level."),
    TENON_ENUM     (tiny_level, level_names, "Level.", .key = "tinyLevel"),
    TENON_STRS     (strs,    "List.", .count = {0, 40}, .len = {0, 9}, .unique = true),
    TENON_PATHS    (files,   "Files."),
    TENON_INTS     (ints,    "List.", .range = {0, 100}, .unique = true),
    TENON_NUMS     (nums,    "List.", .unique = true),
    TENON_ENUMS    (enums,   level_names, "List.", .unique = true),
    TENON_ENUMS    (set,     level_names, "List.", .count = {0, 2}),
    TENON_OBJECT   (owner,   person_rows, "Who."),
    TENON_OBJECTS  (people,  person_rows, "People.", .count = {0, 2}, .json_text = true, .example = "[{\"name\":\"a\"}]"),
    TENON_MAP      (map,     "Map.", .count = {0, 40}, .len = {0, 9}),
    TENON_JSON     (json,    "Any."),
    TENON_GROUP    (page,    page_rows));

/* What every struct of these tests starts from: valid, and with nothing that may be absent. */
static const every least = { .must = "x", .owner = { "o", 1 } };

#define LEAST_REST                                                                                            \
    "\"i16\":0,\"i32\":0,\"i64\":0,\"ranged\":0,\"u16\":0,\"u32\":0,\"u64\":0,\"ratio\":0,\"part\":0,"        \
    "\"flag\":false,\"level\":\"low\",\"tinyLevel\":\"low\",\"strs\":[],\"files\":[],\"ints\":[],\"nums\":[]," \
    "\"enums\":[],\"set\":[],\"owner\":{\"name\":\"o\",\"age\":1},\"people\":[],\"map\":{},\"page\":0,"       \
    "\"pageSize\":0}"

struct fixture {
    tenon_shape     *shape;
    struct tn_arena  arena;
    struct tn_buf    out;
    struct matcher  *matcher;
    tenon_allocator  memory;
    struct tn_unbind unbind;
};

static void open_fixture(struct fixture *fixture, const tenon_rows *rows, const tenon_allocator *memory)
{
    fixture->shape = tenon_shape_new(rows, NULL);
    assert_non_null(fixture->shape);
    if (tenon_shape_error(fixture->shape))
        fail_msg("%s", tenon_shape_error(fixture->shape));
    fixture->memory  = tn_memory_of(memory);
    fixture->matcher = NULL;
    tn_arena_init(&fixture->arena, memory, 0);
}

static bool unbind_again(struct fixture *fixture, const void *data)
{
    tn_buf_init(&fixture->out, &fixture->arena, 0, TEXT_MAX);
    fixture->unbind = (struct tn_unbind){ .out     = &fixture->out,
                                          .matcher = &fixture->matcher,
                                          .memory  = &fixture->memory };
    return tn_unbind_object(&fixture->unbind, fixture->shape->object, data);
}

static void close_fixture(struct fixture *fixture)
{
    tn_matcher_free(fixture->matcher);
    tn_arena_free(&fixture->arena);
    tenon_shape_free(fixture->shape);
}

/* ---- What is written ----------------------------------------------------------------------------------------- */

static void writes_every_kind(void **state)
{
    static const char *const strs[] = { "a", "\xc3\xa4\"" }, *const files[] = { "a//b/./c.md" };
    static const int64_t    ints[]   = { 100, 0 };
    static const double     nums[]   = { 0.5, -2, 1e300 };
    static const int        enums[]  = { HIGH, LOW };
    static const person     people[] = { { "p", 150 }, { "q", 0 } };
    static const tenon_pair pairs[]  = { { "k", "v" }, { "", "" } };
    struct fixture          fixture;
    every                   all = {
                          .must       = "",
                          .text       = "12345",
                          .code       = "abc",
                          .mail       = "a@example.org",
                          .counted    = { "\xc3\xa4\xc3\xb6xyz", 6 },
                          .file       = "./a/b.md",
                          .dir        = "/a/b",
                          .uuid       = "01234567-89ab-cdef-0123-456789abcdef",
                          .url        = "https://a.example/",
                          .id         = "a.b-c",
                          .day        = { 86400000, true },
                          .at         = { 1, true },
                          .i16        = -32768,
                          .i32        = -2147483647 - 1,
                          .i64        = INT64_MIN,
                          .ranged     = 9,
                          .u16        = 65535,
                          .u32        = 4294967295u,
                          .u64        = INT64_MAX,
                          .ratio      = 1.0000001,
                          .part       = 0.1f,
                          .flag       = true,
                          .level      = HIGH,
                          .tiny_level = MID,
                          .strs       = { 2, strs },
                          .files      = { 1, files },
                          .ints       = { 2, ints },
                          .nums       = { 3, nums },
                          .enums      = { 2, enums },
                          .set        = { 1u << LOW | 1u << HIGH },
                          .owner      = { "me", 30 },
                          .people     = { 2, people },
                          .map        = { 2, pairs },
                          .page       = { 1, 50 },
    };

    (void)state;
    open_fixture(&fixture, every_rows(), NULL);
    all.json = (const tenon_json *)tn_json_read(&fixture.arena, "{\"a\":[1,null]}", 14,
                                                &(struct tn_json_limits){ 100, 10, 100 })
                   .root;
    if (!unbind_again(&fixture, &all))
        fail_msg("%s %s", fixture.unbind.fault.param, fixture.unbind.fault.why);
    assert_string_equal(
        tn_buf_end(&fixture.out),
        "{\"must\":\"\",\"text\":\"12345\",\"code\":\"abc\",\"mail\":\"a@example.org\","
        "\"counted\":\"\xc3\xa4\xc3\xb6xy\",\"file\":\"a/b.md\",\"dir\":\"/a/b\","
        "\"uuid\":\"01234567-89ab-cdef-0123-456789abcdef\",\"url\":\"https://a.example/\",\"id\":\"a.b-c\","
        "\"day\":\"1970-01-02\",\"at\":\"1970-01-01T00:00:00.001Z\",\"i16\":-32768,\"i32\":-2147483648,"
        "\"i64\":-9223372036854775808,\"ranged\":9,\"u16\":65535,\"u32\":4294967295,\"u64\":"
        "9223372036854775807,"
        "\"ratio\":1,\"part\":0.1,\"flag\":true,\"level\":\"high\",\"tinyLevel\":\"mid\","
        "\"strs\":[\"a\",\"\xc3\xa4\\\"\"],\"files\":[\"a/b/c.md\"],\"ints\":[100,0],\"nums\":[0.5,-2,1e300],"
        "\"enums\":[\"high\",\"low\"],\"set\":[\"low\",\"high\"],\"owner\":{\"name\":\"me\",\"age\":30},"
        "\"people\":[{\"name\":\"p\",\"age\":150},{\"name\":\"q\",\"age\":0}],\"map\":{\"k\":\"v\",\"\":\"\"}"
        ","
        "\"json\":{\"a\":[1,null]},\"page\":1,\"pageSize\":50}");
    close_fixture(&fixture);
}

/* The struct that validation binds when nothing was sent has "" where a text is absent. */
static void leaves_out_what_is_absent(void **state)
{
    struct fixture fixture;
    every          all = least;

    (void)state;
    open_fixture(&fixture, every_rows(), NULL);
    assert_true(unbind_again(&fixture, &all));
    assert_string_equal(tn_buf_end(&fixture.out), "{\"must\":\"x\"," LEAST_REST);

    all.text = all.code = all.mail = all.file = all.dir = all.uuid = all.url = all.id = "";
    all.counted                                                                       = (tenon_str){ "", 0 };
    assert_true(unbind_again(&fixture, &all));
    assert_string_equal(tn_buf_end(&fixture.out), "{\"must\":\"x\",\"text\":\"\"," LEAST_REST);
    close_fixture(&fixture);
}

typedef struct {
    const person *one, *other;
} maybe;
TENON_ROWS(maybe_rows, maybe,
    TENON_OBJECT(one,   person_rows, "One.", .required = true),
    TENON_OBJECT(other, person_rows, "Other."));

static void follows_pointers_to_objects(void **state)
{
    struct fixture fixture;
    maybe          all = { &(const person){ "o", 1 }, NULL };

    (void)state;
    open_fixture(&fixture, maybe_rows(), NULL);
    assert_true(unbind_again(&fixture, &all));
    assert_string_equal(tn_buf_end(&fixture.out), "{\"one\":{\"name\":\"o\",\"age\":1}}");
    all.other = all.one;
    all.one   = NULL;
    assert_false(unbind_again(&fixture, &all));
    assert_string_equal(fixture.unbind.fault.why, "is missing");
    close_fixture(&fixture);
}

/* ---- What is not --------------------------------------------------------------------------------------------- */

static const char *const same_strs[]  = { "a", "b", "a" };
static const char *const null_strs[]  = { "a", NULL };
static const char *const long_strs[]  = { "0123456789" };
static const char *const up_files[]   = { "a", "../b" };
static const int64_t     same_ints[]  = { 1, 2, 2 };
static const int64_t     large_ints[] = { 1, 101 };
static const double      same_nums[]  = { 0.0, -0.0 };
static const double      not_nums[]   = { 1, NAN };
static const int         same_enums[] = { LOW, LOW };
static const int         hole_enums[] = { LOW, 1 };
static const person      bad_people[] = { { "a", 1 }, { "b", 151 } };
static const person      no_people[]  = { { NULL, 1 } };
static const person      many_people[3];
static const tenon_pair  same_pairs[] = { { "k", "v" }, { "k", "w" } };
static const tenon_pair  null_pairs[] = { { "k", NULL } };
static const tenon_pair  no_keys[]    = { { NULL, "v" } };
static const tenon_pair  bad_pairs[]  = { { "k", "\xff" } };

/* Each changes a valid struct in one place. */
/* clang-format off */
#define CHANGE(name, code) static void name(every *all) { code; }
CHANGE(no_must,       all->must = NULL)
CHANGE(bad_utf8,      all->must = "a\xff")
CHANGE(surrogate,     all->must = "\xed\xa0\x80")
CHANGE(inner_nul,     all->counted = ((tenon_str){ "a\0b", 3 }))
CHANGE(too_long,      all->text = "123456")
CHANGE(too_short,     all->counted = ((tenon_str){ "\xc3\xa4", 2 }))
CHANGE(no_match,      all->code = "A")
CHANGE(no_mail,       all->mail = "a")
CHANGE(up_path,       all->file = "../a.md")
CHANGE(other_ending,  all->file = "a.txt")
CHANGE(relative_dir,  all->dir = "a")
CHANGE(no_uuid,       all->uuid = "1")
CHANGE(no_url,        all->url = "a b")
CHANGE(other_scheme,  all->url = "http://a.example/")
CHANGE(no_id,         all->id = "-a")
CHANGE(before_year_1, all->day = ((tenon_time){ INT64_C(-62135596800001), true }))
CHANGE(after_9999,    all->at = ((tenon_time){ INT64_C(253402300800000), true }))
CHANGE(too_small,     all->ranged = -2)
CHANGE(too_large,     all->ranged = 10)
CHANGE(beyond_int64,  all->u64 = UINT64_MAX)
CHANGE(not_a_number,  all->ratio = NAN)
CHANGE(infinite,      all->part = INFINITY)
CHANGE(past_one,      all->ratio = 1.00001)
CHANGE(past_ten,      all->part = 10.5f)
CHANGE(a_hole,        memcpy(&all->level, &(int){ 1 }, sizeof all->level))
CHANGE(past_names,    all->tiny_level = 4)
CHANGE(negative,      memcpy(&all->level, &(int){ -1 }, sizeof all->level))
CHANGE(strs_twice,    all->strs = ((tenon_strs){ 3, same_strs }))
CHANGE(strs_nothing,  all->strs = ((tenon_strs){ 3, NULL }))
CHANGE(strs_null,     all->strs = ((tenon_strs){ 2, null_strs }))
CHANGE(strs_long,     all->strs = ((tenon_strs){ 1, long_strs }))
CHANGE(files_up,      all->files = ((tenon_strs){ 2, up_files }))
CHANGE(ints_twice,    all->ints = ((tenon_ints){ 3, same_ints }))
CHANGE(ints_large,    all->ints = ((tenon_ints){ 2, large_ints }))
CHANGE(nums_twice,    all->nums = ((tenon_nums){ 2, same_nums }))
CHANGE(nums_not,      all->nums = ((tenon_nums){ 2, not_nums }))
CHANGE(enums_twice,   all->enums = ((tenon_enums){ 2, same_enums }))
CHANGE(enums_hole,    all->enums = ((tenon_enums){ 2, hole_enums }))
CHANGE(set_hole,      all->set.bits = 2)
CHANGE(set_beyond,    all->set.bits = UINT64_C(1) << 63)
CHANGE(set_many,      all->set.bits = 13)
CHANGE(owner_nobody,  all->owner.name = NULL)
CHANGE(people_bad,    all->people.at = bad_people; all->people.count = 2)
CHANGE(people_nobody, all->people.at = no_people; all->people.count = 1)
CHANGE(people_many,   all->people.at = many_people; all->people.count = 3)
CHANGE(people_null,   all->people.count = 1)
CHANGE(map_twice,     all->map = ((tenon_map){ 2, same_pairs }))
CHANGE(map_null,      all->map = ((tenon_map){ 1, null_pairs }))
CHANGE(map_no_key,    all->map = ((tenon_map){ 1, no_keys }))
CHANGE(map_bad,       all->map = ((tenon_map){ 1, bad_pairs }))
CHANGE(map_nothing,   all->map = ((tenon_map){ 1, NULL }))
CHANGE(map_many,      all->map = ((tenon_map){ 41, same_pairs }))
/* clang-format on */

static void refuses_what_breaks_its_row(void **state)
{
    static const struct { void (*change)(every *all); const char *param, *why; } cases[] = {
        { no_must,       "must",           "is missing" },
        { bad_utf8,      "must",           "is not valid UTF-8" },
        { surrogate,     "must",           "is not valid UTF-8" },
        { inner_nul,     "counted",        "contains a NUL character" },
        { too_long,      "text",           "is too long" },
        { too_short,     "counted",        "is too short" },
        { no_match,      "code",           "does not match its pattern" },
        { no_mail,       "mail",           "is not of its format" },
        { up_path,       "file",           "is not a path that its row allows" },
        { other_ending,  "file",           "is not a path that its row allows" },
        { relative_dir,  "dir",            "is not a path that its row allows" },
        { no_uuid,       "uuid",           "is not of its format" },
        { no_url,        "url",            "is not of its format" },
        { other_scheme,  "url",            "has a scheme that its row does not allow" },
        { no_id,         "id",             "is not of its format" },
        { before_year_1, "day",            "is out of range" },
        { after_9999,    "at",             "is out of range" },
        { too_small,     "ranged",         "is out of range" },
        { too_large,     "ranged",         "is out of range" },
        { beyond_int64,  "u64",            "is out of range" },
        { not_a_number,  "ratio",          "is not a finite number" },
        { infinite,      "part",           "is not a finite number" },
        { past_one,      "ratio",          "is out of range" },
        { past_ten,      "part",           "is out of range" },
        { a_hole,        "level",          "is not one of its enum's values" },
        { past_names,    "tinyLevel",      "is not one of its enum's values" },
        { negative,      "level",          "is not one of its enum's values" },
        { strs_twice,    "/strs/2",        "contains duplicate values" },
        { strs_nothing,  "strs",           "has a count but no items" },
        { strs_null,     "/strs/1",        "is missing" },
        { strs_long,     "/strs/0",        "is too long" },
        { files_up,      "/files/1",       "is not a path that its row allows" },
        { ints_twice,    "/ints/2",        "contains duplicate values" },
        { ints_large,    "/ints/1",        "is out of range" },
        { nums_twice,    "/nums/1",        "contains duplicate values" },
        { nums_not,      "/nums/1",        "is not a finite number" },
        { enums_twice,   "/enums/1",       "contains duplicate values" },
        { enums_hole,    "/enums/1",       "is not one of its enum's values" },
        { set_hole,      "set",            "is not one of its enum's values" },
        { set_beyond,    "set",            "is not one of its enum's values" },
        { set_many,      "set",            "has too many items" },
        { owner_nobody,  "/owner/name",    "is missing" },
        { people_bad,    "/people/1/age",  "is out of range" },
        { people_nobody, "/people/0/name", "is missing" },
        { people_many,   "people",         "has too many items" },
        { people_null,   "people",         "has a count but no items" },
        { map_twice,     "map",            "contains a key twice" },
        { map_null,      "/map/k",         "is missing" },
        { map_no_key,    "/map/0",         "is missing" },
        { map_bad,       "/map/k",         "is not valid UTF-8" },
        { map_nothing,   "map",            "has a count but no items" },
        { map_many,      "map",            "has too many items" },
    };
    struct fixture fixture;

    (void)state;
    open_fixture(&fixture, every_rows(), NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        every all = least;

        cases[i].change(&all);
        if (unbind_again(&fixture, &all))
            fail_msg("%s: %s was not refused", cases[i].param, cases[i].why);
        assert_string_equal(fixture.unbind.fault.param, cases[i].param);
        assert_string_equal(fixture.unbind.fault.why, cases[i].why);
        assert_int_equal(fixture.unbind.depth, 0);
    }
    close_fixture(&fixture);
}

/* ---- Repetition, depth, memory ------------------------------------------------------------------------------- */

static void finds_what_stands_twice(void **state)
{
    static char     text[2000][8];
    struct tn_slice keys[2000];
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t count = 0; count < 2000; count = count < 40 ? count + 1 : count * 3 / 2) {
        for (size_t i = 0; i < count; i++) {
            snprintf(text[i], sizeof text[i], "%zu", i);
            keys[i] = tn_slice_of(text[i]);
        }
        assert_int_equal(tn_unique_find(&arena, keys, count), count);
        for (size_t i = 1; i < count; i = i * 2 + 1) {
            struct tn_slice kept = keys[i];

            keys[i] = keys[i / 2];
            assert_int_equal(tn_unique_find(&arena, keys, count), i);
            keys[i] = kept;
        }
        tn_arena_reset(&arena);
    }
    tn_arena_free(&arena);
}

/* Rows cannot nest that deep; a model could. */
static void ends_at_a_depth(void **state)
{
    struct tn_object object = { .name = "loop", .count = 1, .size = 0 };
    struct tn_node   node   = { .kind = TENON_KIND_OBJECT, .object = &object };
    struct tn_param  param  = { .name = "in", .len = 2, .node = &node };
    struct tn_arena  arena;
    struct tn_buf    out;
    struct tn_unbind unbind = { .out = &out };

    (void)state;
    object.params = &param;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&out, &arena, 0, TEXT_MAX);
    assert_false(tn_unbind_object(&unbind, &object, ""));
    assert_string_equal(unbind.fault.why, "is nested too deep");
    assert_int_equal(strlen(unbind.fault.param), 3 * UNBIND_DEPTH_MAX);
    tn_arena_free(&arena);
}

typedef struct {
    char **names; /* as gethostbyname() has them */
} host;

TENON_ROWS(host_rows, host,
    TENON_STRS(names, "Names.", .count = {0, 2}, .len = {1, 5}, .unique = true));

static void writes_what_ends_with_null(void **state)
{
    static char a[] = "a", b[] = "b", long_name[] = "longer", bad[] = "\xff";
    static const struct { char *names[4]; const char *json; } cases[] = {
        { { a, b },      "{\"names\":[\"a\",\"b\"]}" },
        { { a },         "{\"names\":[\"a\"]}" },
        { { NULL, a },   "{\"names\":[]}" },
        { { a, b, a },   NULL },
        { { a, a },      NULL },
        { { long_name }, NULL },
        { { bad },       NULL },
    };
    struct fixture fixture;

    (void)state;
    open_fixture(&fixture, host_rows(), NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        host one = { (char **)(uintptr_t)cases[i].names };

        assert_int_equal(unbind_again(&fixture, &one), cases[i].json != NULL);
        if (cases[i].json)
            assert_string_equal(tn_buf_end(&fixture.out), cases[i].json);
    }
    assert_true(unbind_again(&fixture, &(host){ NULL })); /* a library that has none */
    assert_string_equal(tn_buf_end(&fixture.out), "{\"names\":[]}");
    close_fixture(&fixture);
}

static void survives_every_refusal(void **state)
{
    static char        text[30][4];
    static const char *strs[30];
    static tenon_pair  pairs[30];
    every              all  = least;
    bool               done = false;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(strs); i++) {
        snprintf(text[i], sizeof text[i], "%zu", i);
        strs[i]  = text[i];
        pairs[i] = (tenon_pair){ text[i], text[i] };
    }
    all.code = "abc";
    all.file = "a//b.md";
    all.strs = (tenon_strs){ COUNT_OF(strs), strs };
    all.map  = (tenon_map){ COUNT_OF(pairs), pairs };
    for (size_t nth = 1; !done; nth++) {
        struct tn_fault refuser = { .refuse_at = nth };
        tenon_allocator memory  = tn_fault_allocator(&refuser);
        struct fixture  fixture;
        bool            good;

        open_fixture(&fixture, every_rows(), &memory);
        good = unbind_again(&fixture, &all);
        done = !refuser.refused;
        assert_int_equal(good, done);
        if (!good) {
            assert_null(fixture.unbind.fault.why);
            assert_null(fixture.unbind.fault.param);
            assert_true(fixture.out.failed);
        }
        close_fixture(&fixture);
        assert_int_equal(refuser.blocks, 0);
    }
}

static void stops_at_its_maximum(void **state)
{
    struct fixture fixture;

    (void)state;
    open_fixture(&fixture, every_rows(), NULL);
    for (size_t max = 0; max < strlen("{\"must\":\"x\"," LEAST_REST); max++) {
        tn_buf_init(&fixture.out, &fixture.arena, 0, max);
        fixture.unbind = (struct tn_unbind){ .out = &fixture.out, .matcher = &fixture.matcher };
        assert_false(tn_unbind_object(&fixture.unbind, fixture.shape->object, &least));
        assert_null(fixture.unbind.fault.why);
        assert_true(fixture.out.failed && fixture.out.len <= max);
    }
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_kind),           cmocka_unit_test(leaves_out_what_is_absent),
        cmocka_unit_test(follows_pointers_to_objects), cmocka_unit_test(refuses_what_breaks_its_row),
        cmocka_unit_test(finds_what_stands_twice),     cmocka_unit_test(ends_at_a_depth),
        cmocka_unit_test(writes_what_ends_with_null),  cmocka_unit_test(survives_every_refusal),
        cmocka_unit_test(stops_at_its_maximum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
