/* every.c - every kind of row, with options of zero, with none, and in the spellings that C allows: prints what the
 * library understood of it. */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

#include "shared.h"
#include "shared.h" /* a header of rows may be included by many */

#ifndef TEN_THOUSAND /* C23 can write it with a quote */
#define TEN_THOUSAND 10000
#endif
#define LIMITS          .range = {1, 10}, .def = 5
#define STRICT(text)    text, .strict = true, .secret = false
#define COUNT(f, ...)   TENON_INT(f, "A count. " __VA_ARGS__)

enum colour { RED, GREEN, BLUE };
static const char *const colours[] = { "red", "green", "blue" };

typedef struct {
    const char    *text, *bare, *path, *absolute, *uuid, *url, *id;
    tenon_str      counted;
    tenon_time     date, stamp;
    short          small;
    unsigned short small_positive;
    int            number, separated, placed;
    unsigned       positive;
    long           wide;
    int64_t        half, whole;
    uint64_t       whole_positive;
    double         real, real_bare;
    float          single;
    double         at[2];
    bool           no, maybe;
    enum colour    colour, red;
    tenon_strs     texts, paths;
    tenon_ints     ints;
    tenon_nums     nums;
    tenon_set      set;
    tenon_enums    enums;
    person         owner;
    const person  *other;
    TENON_LIST_OF(person) people;
    tenon_map         map;
    const tenon_json *any;
    tenon_page        page;
    tenon_cursor      cursor;
    tenon_time_range  span;
} every_args;

static const char *fine(tenon_check *check, const void *value)
{
    (void)check, (void)value;
    return NULL;
}

static void derive(void *group)
{
    (void)group;
}

static tenon_outcome every(tenon_call *call, const every_args *args)
{
    tenon_text(
        call,
        "number %d, separated %d, placed %d, half %lld, real %g, no %d, colour %d, red %d, page %lld of %lld",
        args->number, args->separated, args->placed, (long long)args->half, args->real, args->no,
        args->colour, args->red, (long long)args->page.page, (long long)args->page.page_size);
    return tenon_ok(call);
}

/* clang-format off */
TENON_TOOL(every, every_args,
    TENON_INFO("Every row.", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_DESTRUCTIVE), .title = "Every"),
    TENON_STR(text, "A text.", .key = "Text", .alias = "s1,s2", .example = "abc", .note = "n", .default_note = "d", .check = fine,
        .checks = TENON_CHECKS(TENON_WITH(fine, NULL)), .required = false, .secret = false, .strict = true, .len = {0, 0x10},
        .pattern = "^[a-z]*$", .def = "", .blank_ok = true, .header = "Text"),
    TENON_STR(bare, "A text.", .def = NULL),
    TENON_STR(counted, "A text of five at most.", .len[1] = 5),
    TENON_PATH(path, "A path.", .ext = ".md,.txt"),
    TENON_ABS_PATH(absolute, "A path."),
    TENON_UUID(uuid, "A UUID."),
    TENON_URL(url, "A URL.", .schemes = "https"),
    TENON_ID(id, "An id."),
    TENON_DATE(date, "A date.", .end_of_day = true),
    TENON_TIMESTAMP(stamp, "A moment.", .def = "2024-01-01T00:00:00Z"),
    TENON_INT(small, "A number.", .range = {-5, 5}, .def = 0),
    TENON_INT(small_positive, "Zero.", .range = {0, 0}),
    TENON_INT(number, "A number.", LIMITS, .clamp = true, .low_default = true, .low_text = "low", .high_text = "high"),
    TENON_INT(separated, "A number.", .range = {1, TEN_THOUSAND}, .def = 500),
    TENON_INT(placed, "A number.", .range = {1, 5}, 3),
    TENON_INT(positive, STRICT("A number."), .def = 7,),
    COUNT(wide, "Wide.", .def = -1),
    TENON_INT(half, "A number.", .range = {TENON_NO_MIN, 5}, .def = 3),
    TENON_INT(whole, "A number.", .range[0] = 0),
    TENON_INT(whole_positive, "A number."),
    TENON_NUM(real, "A number.", .range = {0, 1}, .def = 0.0, .tolerance = 1e-9, .clamp = false),
    TENON_NUM(real_bare, "A number."),
    TENON_NUM(single, "A number.", .range = {-1.5, TENON_NO_MAX}, .def = 0),
    TENON_NUM(at[1], "A part of a field.", .key = "at", .def = 1),
    TENON_BOOL(no, "A flag.", .def = false, .header = "No"),
    TENON_BOOL(maybe, "A flag."),
    TENON_ENUM(colour, colours, "A colour.", .def = BLUE, .exact = true),
    TENON_ENUM(red, colours, "A colour.", .def = RED),
    TENON_STRS(texts, "Texts.", .count = {0, 5}, .len = {1, 10}, .def = "[]", .unique = true, .comma = true),
    TENON_PATHS(paths, "Paths.", .count[1] = 3),
    TENON_INTS(ints, "Zeros.", .count = {0, 3}, .range = {0, 0}, .unique = false),
    TENON_NUMS(nums, "Numbers.", .range = {0, 0.5}),
    TENON_ENUMS(set, colours, "Colours.", .noun = "colour"),
    TENON_ENUMS(enums, colours, "Colours.", .count = {0, 2}, .def = "[]"),
    TENON_OBJECT(owner, person_rows, "A person."),
    TENON_OBJECT(other, person_rows, "A person."),
    TENON_OBJECTS(people, person_rows, "People.", .count = {0, 9}),
    TENON_MAP(map, "A map.", .len = {0, 99}),
    TENON_JSON(any, "Anything.", .def = "null"),
    TENON_PAGE(page, .max = 20),
    TENON_GROUP(cursor, tenon_cursor_rows, .keys = "next,most"),
    TENON_TIME_RANGE(span),
    TENON_ORDERED(number, placed),
    TENON_TOGETHER(path, absolute, uuid),
    TENON_EXCLUSIVE(url, id),
    TENON_ANY_OF(text, counted, real, single, no, maybe),
    TENON_REQUIRES(texts, paths),
    TENON_CHECK(fine),
    TENON_CHECK_WITH(fine, NULL),
    TENON_DERIVE(derive));
/* clang-format on */

static tenon_outcome none(tenon_call *call)
{
    return tenon_ok(call);
}
TENON_TOOL0(none, TENON_INFO("No rows.", .title = "None"));

static tenon_outcome document(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}
TENON_SCHEMA_TOOL(document, TENON_INFO("A document.", .title = "Document"), "{\"type\":\"object\"}");

int main(void)
{
    static const char   args[] = "{\"Text\":\"abc\"}";
    tenon_toolbox      *box    = tenon_toolbox_new();
    tenon_call         *call   = tenon_call_new(box);
    const tenon_answer *answer;

    tenon_toolbox_add(box, every_tool());
    tenon_toolbox_add(box, none_tool());
    tenon_toolbox_add(box, document_tool());
    if (tenon_toolbox_error(box)) {
        puts(tenon_toolbox_error(box));
        return 1;
    }
    puts(tenon_toolbox_find(box, "every")->input);
    answer = tenon_call_run(call, "every", args, strlen(args));
    puts(answer->json);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    return 0;
}
