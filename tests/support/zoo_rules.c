/* zoo_rules.c - rules over several parameters, groups, policies, and what tools return. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/zoo.h"

#define JUST_OK(name)                                                        \
    static tenon_outcome name(tenon_call *call, const name##_args *args)     \
    {                                                                        \
        (void)args;                                                          \
        return tenon_ok(call);                                               \
    }

/* ---- Rules --------------------------------------------------------------------------------------------------- */

typedef struct {
    int        low, high;
    int16_t    from;
    int64_t    to;
    double     least, most;
    tenon_time start, end, begin, finish;
} ordered_pairs_args;

JUST_OK(ordered_pairs)

TENON_TOOL(ordered_pairs, ordered_pairs_args,
    TENON_INFO("Take pairs that are in order."),
    TENON_INT      (low,    "Low end.", .range = {0, 100}, .required = true),
    TENON_INT      (high,   "High end.", .range = {0, 100}, .required = true),
    TENON_INT      (from,   "Low end, open."),
    TENON_INT      (to,     "High end, open.", .range = {-10, TENON_NO_MAX}),
    TENON_NUM      (least,  "Least.", .range = {0, 1}),
    TENON_NUM      (most,   "Most.", .range = {0.25, 2}),
    TENON_DATE     (start,  "First day."),
    TENON_DATE     (end,    "Last day.", .end_of_day = true),
    TENON_TIMESTAMP(begin,  "Begin."),
    TENON_DATE     (finish, "Finish."),
    TENON_ORDERED(low, high),
    TENON_ORDERED(from, to),
    TENON_ORDERED(least, most),
    TENON_ORDERED(start, end),
    TENON_ORDERED(begin, finish));

typedef struct {
    const char *user, *password, *token;
    int         width, height, depth;
    const char *name, *id;
    tenon_strs  tags;
    bool        force;
    const char *reason, *ticket;
} presence_rules_args;

JUST_OK(presence_rules)

TENON_TOOL(presence_rules, presence_rules_args,
    TENON_INFO("Take parameters that depend on each other."),
    TENON_STR (user,     "User."),
    TENON_STR (password, "Password.", .secret = true),
    TENON_STR (token,    "Token."),
    TENON_INT (width,    "Width.", .range = {1, 10}),
    TENON_INT (height,   "Height.", .range = {1, 10}),
    TENON_INT (depth,    "Depth.", .range = {1, 10}),
    TENON_STR (name,     "Name."),
    TENON_STR (id,       "Identity."),
    TENON_STRS(tags,     "Tags."),
    TENON_BOOL(force,    "Force."),
    TENON_STR (reason,   "Reason."),
    TENON_STR (ticket,   "Ticket."),
    TENON_TOGETHER (width, height, depth),
    TENON_ANY_OF   (name, id, tags),
    TENON_EXCLUSIVE(name, id, tags),
    TENON_TOGETHER (user, password),
    TENON_EXCLUSIVE(user, token),
    TENON_REQUIRES (force, reason, ticket));

typedef struct {
    int width, height;
} own_rules_args;

static const char *is_small(tenon_check *check, const void *value)
{
    const own_rules_args *args = value;
    long long             area = (long long)args->width * args->height;

    return area <= 100 ? NULL
                       : tenon_check_format(check, "width times height must be at most 100, got %lld", area);
}

JUST_OK(own_rules)

TENON_TOOL(own_rules, own_rules_args,
    TENON_INFO("Take what a function judges as a whole."),
    TENON_INT(width,  "Width.", .range = {1, 100}, .required = true),
    TENON_INT(height, "Height.", .range = {1, 100}, .def = 2),
    TENON_CHECK(is_small));

typedef struct {
    int         low, high;
    const char *by_name, *by_id, *why;
    tenon_time  start, end;
} rule_set;

static const char *is_narrow(tenon_check *check, const void *value)
{
    const rule_set *set = value;

    (void)check;
    return set->high - set->low <= 50 ? NULL : "high may not exceed low by more than 50";
}

TENON_ROWS(rule_set_rows, rule_set,
    TENON_INT (low,     "Low end.", .range = {0, 100}),
    TENON_INT (high,    "High end.", .range = {0, 100}),
    TENON_STR (by_name, "Name."),
    TENON_STR (by_id,   "Identity."),
    TENON_STR (why,     "Reason."),
    TENON_DATE(start,   "First day."),
    TENON_DATE(end,     "Last day.", .end_of_day = true),
    TENON_ORDERED  (low, high),
    TENON_TOGETHER (low, high),
    TENON_EXCLUSIVE(by_name, by_id),
    TENON_ANY_OF   (by_name, by_id),
    TENON_REQUIRES (by_id, why),
    TENON_ORDERED  (start, end),
    TENON_CHECK    (is_narrow));

typedef struct {
    rule_set one;
    TENON_LIST_OF(rule_set) many;
} rules_below_args;

JUST_OK(rules_below)

TENON_TOOL(rules_below, rules_below_args,
    TENON_INFO("Take objects that have rules of their own."),
    TENON_OBJECT (one,  rule_set_rows, "One."),
    TENON_OBJECTS(many, rule_set_rows, "Many.", .count = {0, 3}));

/* ---- Groups -------------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t     id;
    const char *name;
} animal;

TENON_ROWS(animal_rows, animal,
    TENON_INT(id,   "Number.", .range = {1, 1000}),
    TENON_STR(name, "Name.", .required = true));

static const animal animals[] = { { 1, "ape" }, { 2, "bear" }, { 3, "cat" }, { 4, "dog" }, { 5, "eel" } };
#define ANIMALS (sizeof animals / sizeof *animals)

typedef struct {
    const char *name;
    tenon_page  page;
} paged_args;

static tenon_outcome answer_page(tenon_call *call, const tenon_page *page)
{
    size_t from  = page->offset < (int64_t)ANIMALS ? (size_t)page->offset : ANIMALS;
    size_t count = ANIMALS - from < (size_t)page->limit ? ANIMALS - from : (size_t)page->limit;

    return tenon_ok_page(call, page, animal_rows, animals + from, count, ANIMALS);
}

static tenon_outcome paged(tenon_call *call, const paged_args *args)
{
    return answer_page(call, &args->page);
}

TENON_TOOL(paged, paged_args,
    TENON_INFO("Return a page.", .items = animal_rows),
    TENON_STR (name, "Part of the name."),
    TENON_PAGE(page));

typedef struct {
    tenon_page page;
} paged_small_args;

static tenon_outcome paged_small(tenon_call *call, const paged_small_args *args)
{
    return answer_page(call, &args->page);
}

TENON_TOOL(paged_small, paged_small_args,
    TENON_INFO("Return a small page.", .items = animal_rows),
    TENON_PAGE(page, .max = 20));

typedef struct {
    const char  *name;
    tenon_cursor cursor;
} by_cursor_args;

static const char *position_of(tenon_call *call, const void *item)
{
    return tenon_format(call, "%lld", (long long)((const animal *)item)->id);
}

static tenon_outcome by_cursor(tenon_call *call, const by_cursor_args *args)
{
    size_t from  = (size_t)strtoul(tenon_cursor_position(call), NULL, 10);
    size_t count = ANIMALS - from < (size_t)args->cursor.limit ? ANIMALS - from : (size_t)args->cursor.limit;

    return tenon_ok_items(call, animal_rows, animals + from, count, (int64_t)ANIMALS, from + count < ANIMALS,
                          position_of);
}

TENON_TOOL(by_cursor, by_cursor_args,
    TENON_INFO("Return items by cursor.", .items = animal_rows),
    TENON_STR   (name, "Part of the name."),
    TENON_CURSOR(cursor, .max = 3));

typedef struct {
    tenon_time_range range, other;
} in_time_args;

JUST_OK(in_time)

TENON_TOOL(in_time, in_time_args,
    TENON_INFO("Take ranges of time."),
    TENON_TIME_RANGE(range),
    TENON_TIME_RANGE(other, .keys = "createdAfter, createdBefore"));

typedef struct {
    int x, y, area;
} point;

static void derive_area(void *group)
{
    point *at = group;

    at->area = at->x * at->y;
}

static const char *is_off_centre(tenon_check *check, const void *value)
{
    const point *at = value;

    (void)check;
    return at->x == 0 && at->y == 0 ? "the point must not be the centre" : NULL;
}

TENON_ROWS(point_rows, point,
    TENON_INT(x, "From the left.", .range = {-100, 100}, .def = 1),
    TENON_INT(y, "From the top.", .range = {-100, 100}, .clamp = true),
    TENON_CHECK(is_off_centre),
    TENON_DERIVE(derive_area));

typedef struct {
    const char *tenant;
} tenancy;

TENON_ROWS(tenancy_rows, tenancy, TENON_ID(tenant, "The tenant.", .required = true, .example = "acme"));

typedef struct {
    point   from, to;
    tenancy tenancy;
} own_groups_args;

JUST_OK(own_groups)

TENON_TOOL(own_groups, own_groups_args,
    TENON_INFO("Take groups."),
    TENON_GROUP(from, point_rows),
    TENON_GROUP(to, point_rows, .keys = "to_x,to_y", .tuned = "x", .max = 50),
    TENON_GROUP(tenancy, tenancy_rows));

/* ---- Policies ------------------------------------------------------------------------------------------------ */

enum mode { MODE_FAST, MODE_SAFE };
static const char *const mode_names[] = { "fast", "safe" };

typedef struct {
    int         count;
    double      ratio;
    bool        flag;
    enum mode   mode;
    tenon_time  day;
    tenon_strs  tags;
    tenon_ints  ids;
    tenon_set   modes;
    const char *text;
    point       at;
} policy_args;

typedef policy_args strict_tool_args, destructive_tool_args, unknown_message_args, unknown_ignored_args;

/* clang-format off */
#define POLICY_ROWS                                                                          \
    TENON_INT   (count, "A count.", .range = {1, 10}),                                       \
    TENON_NUM   (ratio, "A ratio.", .range = {0, 1}),                                        \
    TENON_BOOL  (flag,  "A flag."),                                                          \
    TENON_ENUM  (mode,  mode_names, "A mode.", .def = MODE_SAFE),                            \
    TENON_DATE  (day,   "A day."),                                                           \
    TENON_STRS  (tags,  "Tags.", .comma = true),                                             \
    TENON_INTS  (ids,   "Numbers."),                                                         \
    TENON_ENUMS (modes, mode_names, "Modes."),                                               \
    TENON_STR   (text,  "A text.", .required = true),                                        \
    TENON_OBJECT(at,    point_rows, "A point.")
/* clang-format on */

JUST_OK(strict_tool)
JUST_OK(destructive_tool)
JUST_OK(unknown_message)
JUST_OK(unknown_ignored)

TENON_TOOL(strict_tool, policy_args, TENON_INFO("Take nothing in another type.", .strict = true),
           POLICY_ROWS);
TENON_TOOL(destructive_tool, policy_args,
    TENON_INFO("Take no blanks.", .hints = TENON_DESTRUCTIVE | TENON_IDEMPOTENT), POLICY_ROWS);
TENON_TOOL(unknown_message, policy_args,
    TENON_INFO("Speak of what is unknown.", .unknown = TENON_UNKNOWN_MESSAGE, .name = "unknown.message"), POLICY_ROWS);
TENON_TOOL(unknown_ignored, policy_args,
    TENON_INFO("Ignore what is unknown.", .unknown = TENON_UNKNOWN_IGNORE, .budget = 32768), POLICY_ROWS);

/* ---- Results ------------------------------------------------------------------------------------------------- */

enum habitat { HABITAT_LAND, HABITAT_WATER, HABITAT_AIR };
static const char *const habitat_names[] = { "Land", "Water", "Air" };

typedef struct {
    const char  *kind;
    enum habitat habitat;
} trait;

TENON_ROWS(trait_rows, trait,
    TENON_ID  (kind,    "Name of the type.", .required = true),
    TENON_ENUM(habitat, habitat_names, "Habitat."));

typedef struct {
    const char  *picture, *folder, *uuid, *page, *type, *title;
    enum habitat habitat;
    tenon_set    habitats;
    tenon_enums  moves;
    tenon_strs   pictures, names;
    tenon_time   born, seen;
    int64_t      count;
    double       weight;
    bool         wild;
    tenon_ints   years;
    tenon_nums   sizes;
    tenon_map    names_by_language;
    trait        main;
    TENON_LIST_OF(trait) traits;
    const tenon_json *raw;
} specimen_data;

TENON_ROWS(specimen_rows, specimen_data,
    TENON_PATH     (picture,  "A picture.", .ext = ".png,.jpg"),
    TENON_ABS_PATH (folder,   "Its folder."),
    TENON_UUID     (uuid,     "Its identity."),
    TENON_URL      (page,     "Its page.", .schemes = "https"),
    TENON_ID       (type,     "Its type.", .required = true),
    TENON_STR      (title,    "Its title.", .len = {0, 100}),
    TENON_ENUM     (habitat,  habitat_names, "Where it lives."),
    TENON_ENUMS    (habitats, habitat_names, "Where it may live."),
    TENON_ENUMS    (moves,    habitat_names, "Where it went."),
    TENON_PATHS    (pictures, "More pictures."),
    TENON_STRS     (names,    "Its names."),
    TENON_DATE     (born,     "Day of birth."),
    TENON_TIMESTAMP(seen,     "Last seen."),
    TENON_INT      (count,    "How many."),
    TENON_NUM      (weight,   "How heavy.", .range = {0, TENON_NO_MAX}),
    TENON_BOOL     (wild,     "Is it wild?"),
    TENON_INTS     (years,    "Years."),
    TENON_NUMS     (sizes,    "Sizes."),
    TENON_MAP      (names_by_language, "Names.", .key = "namesByLanguage"),
    TENON_OBJECT   (main,     trait_rows, "Main trait.", .def = "{\"kind\":\"none\"}"),
    TENON_OBJECTS  (traits,   trait_rows, "Traits."),
    TENON_JSON     (raw,      "Anything."));

static tenon_outcome specimen(tenon_call *call)
{
    static const int         moves[]    = { HABITAT_AIR, HABITAT_LAND, HABITAT_AIR };
    static const char *const pictures[] = { "a b.png", "dir/v1..v2.md" };
    static const char *const names[]    = { "G\xC3\xA4nsegeier", "", "griffon, vulture" };
    static const int64_t     years[]    = { INT64_MIN, 0, INT64_MAX };
    static const double      sizes[]    = { 0.1, 1e300, -2.5e-7 };
    static const tenon_pair  pairs[]    = { { "de", "Geier" }, { "a/b~c", "\xE2\x82\xAC" } };
    static const trait       traits[]   = { { "beak", HABITAT_AIR }, { "egg", HABITAT_LAND } };

    const specimen_data data = {
        .picture           = "pictures/vulture.PNG",
        .folder            = "/srv/zoo",
        .uuid              = "2eb8aa08-aa98-41ea-b4aa-73b441d16380",
        .page              = "https://example.com/vulture?a=1",
        .type              = "gyps.fulvus",
        .title             = "A vulture",
        .habitat           = HABITAT_AIR,
        .habitats          = { 1u << HABITAT_AIR | 1u << HABITAT_LAND },
        .moves             = { 3, moves },
        .pictures          = { 2, pictures },
        .names             = { 3, names },
        .born              = { 1736899200000, true },
        .seen              = { 1736937000123, true },
        .count             = INT64_MAX,
        .weight            = 8.25,
        .wild              = true,
        .years             = { 3, years },
        .sizes             = { 3, sizes },
        .names_by_language = { 2, pairs },
        .main              = { "wing", HABITAT_AIR },
        .traits            = { 2, traits },
    };

    return tenon_ok_data(call, specimen_rows, &data);
}

TENON_TOOL0(specimen, TENON_INFO("Return one of each kind.", .result = specimen_rows));

typedef specimen_data echo_specimen_args;

static tenon_outcome echo_specimen(tenon_call *call, const echo_specimen_args *args)
{
    return tenon_ok_data(call, specimen_rows, args);
}

TENON_TOOL(echo_specimen, echo_specimen_args,
    TENON_INFO("Return what was sent.", .result = specimen_rows),
    TENON_PATH     (picture,  "A picture.", .ext = ".png,.jpg"),
    TENON_ABS_PATH (folder,   "Its folder."),
    TENON_UUID     (uuid,     "Its identity."),
    TENON_URL      (page,     "Its page.", .schemes = "https"),
    TENON_ID       (type,     "Its type.", .required = true),
    TENON_STR      (title,    "Its title.", .len = {0, 100}),
    TENON_ENUM     (habitat,  habitat_names, "Where it lives."),
    TENON_ENUMS    (habitats, habitat_names, "Where it may live."),
    TENON_ENUMS    (moves,    habitat_names, "Where it went."),
    TENON_PATHS    (pictures, "More pictures."),
    TENON_STRS     (names,    "Its names."),
    TENON_DATE     (born,     "Day of birth."),
    TENON_TIMESTAMP(seen,     "Last seen."),
    TENON_INT      (count,    "How many."),
    TENON_NUM      (weight,   "How heavy.", .range = {0, TENON_NO_MAX}),
    TENON_BOOL     (wild,     "Is it wild?"),
    TENON_INTS     (years,    "Years."),
    TENON_NUMS     (sizes,    "Sizes."),
    TENON_MAP      (names_by_language, "Names.", .key = "namesByLanguage"),
    TENON_OBJECT   (main,     trait_rows, "Main trait.", .def = "{\"kind\":\"none\"}"),
    TENON_OBJECTS  (traits,   trait_rows, "Traits."),
    TENON_JSON     (raw,      "Anything."));
