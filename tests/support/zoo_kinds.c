/* zoo_kinds.c - every kind of row with every option that it takes. */
#include <stdio.h>
#include <string.h>

#include "support/zoo.h"

/* What these tools do is of no interest: they only take arguments. */
#define JUST_OK(name)                                                        \
    static tenon_outcome name(tenon_call *call, const name##_args *args)     \
    {                                                                        \
        (void)args;                                                          \
        return tenon_ok(call);                                               \
    }

/* ---- Text ---------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *title, *code, *memo, *padded, *token, *word, *label, *polite, *nick, *lettered, *loose,
        *arguments;
    tenon_str body;
} texts_args;

static const char *is_polite(tenon_check *check, const void *value)
{
    const char *text = *(const char *const *)value;

    return strstr(text, "please") ? NULL
                                  : tenon_check_format(check, "polite must say please, got '%.20s'", text);
}

JUST_OK(texts)

TENON_TOOL(texts, texts_args,
    TENON_INFO("Take texts."),
    TENON_STR(name,     "Required, with a length.",  .required = true, .len = {2, 20}, .alias = "Name, full_name"),
    TENON_STR(body,     "As a tenon_str.",           .len = {0, 2000}),
    TENON_STR(title,    "At least so long.",         .len = {3, TENON_NO_MAX}, .key = "the-title"),
    TENON_STR(code,     "Like a pattern.",           .pattern = "^[A-Z]{2}-[0-9]{4}$", .example = "AB-1234"),
    TENON_STR(lettered, "A part like a pattern.",    .pattern = "\\p{L}+\\d", .example = "a1", .len = {0, 30}),
    TENON_STR(memo,     "Blank is a value.",         .blank_ok = true),
    TENON_STR(padded,   "Blank is one, required.",   .blank_ok = true, .required = true, .len = {0, 5}),
    TENON_STR(token,    "Never repeated.",           .secret = true, .len = {8, 64}),
    TENON_STR(word,     "Has a default.",            .def = "fish", .default_note = "Using the word fish."),
    TENON_STR(label,    "Speaks when it is used.",   .note = "Labels are compared without case."),
    TENON_STR(polite,   "Has a check.",              .check = is_polite, .example = "yes please"),
    TENON_STR(nick,     "One or two letters.",       .len = {1, 2}),
    TENON_STR(loose,    "Strict text.",              .strict = true),
    TENON_STR(arguments, "A name like the whole.",   .len = {2, 9}));

typedef struct {
    const char *email, *hostname, *ipv4, *ipv6, *uri, *uuid, *date, *date_time, *time;
} formats_args;

JUST_OK(formats)

TENON_TOOL(formats, formats_args,
    TENON_INFO("Take texts of a format."),
    TENON_STR(email,     "Mail.",      .format = "email"),
    TENON_STR(hostname,  "Host.",      .format = "hostname"),
    TENON_STR(ipv4,      "Address.",   .format = "ipv4"),
    TENON_STR(ipv6,      "Address.",   .format = "ipv6"),
    TENON_STR(uri,       "Reference.", .format = "uri"),
    TENON_STR(uuid,      "Identity.",  .format = "uuid"),
    TENON_STR(date,      "Day.",       .format = "date"),
    TENON_STR(date_time, "Moment.",    .format = "date-time"),
    TENON_STR(time,      "Hour.",      .format = "time", .required = true));

typedef struct {
    const char *file, *note, *any, *config, *directory, *short_path, *id, *link, *site, *name, *issue;
    tenon_strs  files, notes;
} places_args;

JUST_OK(places)

TENON_TOOL(places, places_args,
    TENON_INFO("Take paths, uuids, urls and identifiers."),
    TENON_PATH    (file,       "A file.", .required = true),
    TENON_PATH    (note,       "A note.", .ext = ".md,.txt"),
    TENON_PATH    (any,        "With a default.", .def = "a/b"),
    TENON_PATH    (short_path, "So long at most.", .len = {2, 12}, .example = "a/b.md"),
    TENON_ABS_PATH(config,     "A configuration.", .ext = ".json", .key = "config.path"),
    TENON_ABS_PATH(directory,  "A directory.", .example = "/srv/data"),
    TENON_UUID    (id,         "An identity."),
    TENON_URL     (link,       "A link."),
    TENON_URL     (site,       "A site.", .schemes = "https,http"),
    TENON_ID      (name,       "A name."),
    TENON_ID      (issue,      "An issue.", .pattern = "^[A-Z]+-[0-9]+$", .example = "ABC-12", .len = {3, 20}),
    TENON_PATHS   (files,      "Files.", .count = {1, 3}, .unique = true),
    TENON_PATHS   (notes,      "Notes.", .ext = ".md", .comma = true));

/* ---- Numbers ------------------------------------------------------------------------------------------------- */

typedef struct {
    int16_t  small;
    uint16_t port;
    int32_t  plain;
    uint32_t size;
    int64_t  big, days, exact, positive, clamped, paged, zero, even, pin;
    uint64_t huge;
} integers_args;

static const char *is_even(tenon_check *check, const void *value)
{
    int64_t integer = *(const int64_t *)value;

    return integer % 2 == 0 ? NULL
                            : tenon_check_format(check, "even must be even, got %lld", (long long)integer);
}

JUST_OK(integers)

TENON_TOOL(integers, integers_args,
    TENON_INFO("Take integers."),
    TENON_INT(small,    "Sixteen bits."),
    TENON_INT(port,     "Sixteen bits, unsigned.", .range = {1, 65535}),
    TENON_INT(plain,    "Thirty-two bits.", .def = -1),
    TENON_INT(size,     "Thirty-two bits, unsigned."),
    TENON_INT(big,      "Sixty-four bits."),
    TENON_INT(huge,     "Sixty-four bits, unsigned."),
    TENON_INT(days,     "A range.", .range = {-5, 5}, .required = true, .alias = "number_of_days"),
    TENON_INT(exact,    "Strict.", .strict = true, .range = {0, 10}),
    TENON_INT(positive, "Open at the end.", .range = {1, TENON_NO_MAX}),
    TENON_INT(clamped,  "Pulled into its range.", .range = {0, 100}, .clamp = true),
    TENON_INT(paged,    "With texts.", .range = {1, 100}, .def = 50, .clamp = true, .low_default = true,
              .low_text = "Invalid {name} {value}, using {used}", .high_text = "{name} {value} exceeds {max}"),
    TENON_INT(zero,     "Only zero.", .range = {0, 0}, .def = 0),
    TENON_INT(even,     "Even.", .check = is_even, .example = "4"),
    TENON_INT(pin,      "Never repeated.", .secret = true, .range = {1000, 9999}));

typedef struct {
    double any, ratio, score, snapped, percent, above, below, secret;
    float  single;
} numbers_args;

JUST_OK(numbers)

TENON_TOOL(numbers, numbers_args,
    TENON_INFO("Take numbers."),
    TENON_NUM(any,     "Any.", .required = true),
    TENON_NUM(ratio,   "A range.", .range = {0, 1}),
    TENON_NUM(score,   "A range below zero.", .range = {-2.5, -0.5}, .def = -1),
    TENON_NUM(snapped, "Rounded at its bounds.", .range = {0, 1}, .tolerance = 1e-6),
    TENON_NUM(percent, "Pulled into its range.", .range = {0, 100}, .clamp = true),
    TENON_NUM(above,   "Open at the end.", .range = {10, TENON_NO_MAX}),
    TENON_NUM(below,   "Open at the start.", .range = {TENON_NO_MIN, 10}, .strict = true),
    TENON_NUM(secret,  "Never repeated.", .secret = true, .range = {0, 9}),
    TENON_NUM(single,  "A float.", .range = {0, 1}, .def = 0));

/* ---- Booleans and enums -------------------------------------------------------------------------------------- */

enum colour { COLOUR_RED, COLOUR_GREEN = 2, COLOUR_BLUE };
static const char *const colour_names[] = {
    [COLOUR_RED] = "red", [COLOUR_GREEN] = "green", [COLOUR_BLUE] = "blue"
};

enum unit { UNIT_LOW, UNIT_HIGH, UNIT_NONE };
static const char *const unit_names[] = { "mW", "MW", "none" };

typedef struct {
    bool        flag, must, dry, on;
    enum colour colour, first, exact, hidden;
    enum unit   unit;
} choices_args;

JUST_OK(choices)

TENON_TOOL(choices, choices_args,
    TENON_INFO("Take booleans and enums."),
    TENON_BOOL(flag,   "A flag."),
    TENON_BOOL(must,   "A required flag.", .required = true),
    TENON_BOOL(dry,    "A strict flag.", .strict = true, .def = true),
    TENON_BOOL(on,     "A flag with a default.", .def = false, .default_note = "It is off."),
    TENON_ENUM(colour, colour_names, "A colour.", .required = true, .alias = "color"),
    TENON_ENUM(first,  colour_names, "With a default.", .def = COLOUR_RED),
    TENON_ENUM(exact,  colour_names, "In its own case.", .exact = true),
    TENON_ENUM(hidden, colour_names, "Never repeated.", .secret = true),
    TENON_ENUM(unit,   unit_names,   "Names that differ in case only, and one that means nothing."));

/* ---- Moments ------------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_time day, last, since, at, from;
} moments_args;

JUST_OK(moments)

TENON_TOOL(moments, moments_args,
    TENON_INFO("Take moments."),
    TENON_DATE     (day,   "A day.", .required = true),
    TENON_DATE     (last,  "A last day.", .end_of_day = true),
    TENON_DATE     (since, "With a default.", .def = "2024-01-01", .default_note = "Since 2024."),
    TENON_TIMESTAMP(at,    "A moment."),
    TENON_TIMESTAMP(from,  "With a default.", .def = "2024-01-01T00:00:00Z", .secret = true));

/* ---- Lists --------------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_strs any, tags, words, codes, mails, strict, few, secrets;
    tenon_map  headers, env;
} lists_args;

JUST_OK(lists)

TENON_TOOL(lists, lists_args,
    TENON_INFO("Take lists of texts."),
    TENON_STRS(any,     "Any texts.", .required = true),
    TENON_STRS(tags,    "Without duplicates.", .unique = true, .count = {0, 5}, .def = "[\"a\",\"b\"]"),
    TENON_STRS(words,   "Also with commas.", .comma = true, .len = {1, 10}, .count = {1, 4}),
    TENON_STRS(codes,   "Like a pattern.", .pattern = "^[a-z]+[0-9]*$", .unique = true, .example = "[\"abc\",\"de2\"]"),
    TENON_STRS(mails,   "Of a format.", .format = "email", .count = {0, 3}),
    TENON_STRS(strict,  "Strict.", .strict = true),
    TENON_STRS(few,     "At least two.", .count = {2, 3}, .unique = true),
    TENON_STRS(secrets, "Never repeated.", .secret = true, .len = {4, 40}),
    TENON_MAP (headers, "Texts by name.", .len = {1, 30}, .count = {0, 4}),
    TENON_MAP (env,     "Texts like a pattern.", .pattern = "^[a-z]*$", .example = "{\"home\":\"here\"}",
               .count = {1, TENON_NO_MAX}, .def = "{\"a\":\"b\"}"));

typedef struct {
    tenon_ints ids, ranged, defaulted, strict;
    tenon_nums weights, ratios, vector;
} number_lists_args;

static const char *sums_to_one(tenon_check *check, const void *value)
{
    const tenon_nums *nums = value;
    double            sum  = 0;

    (void)check;
    for (size_t i = 0; i < nums->count; i++)
        sum += nums->at[i];
    return sum > 0.999 && sum < 1.001 ? NULL : "vector must sum to 1";
}

JUST_OK(number_lists)

TENON_TOOL(number_lists, number_lists_args,
    TENON_INFO("Take lists of numbers."),
    TENON_INTS(ids,       "Any integers.", .required = true),
    TENON_INTS(ranged,    "A range, no duplicates.", .range = {1, 9}, .count = {1, 4}, .unique = true),
    TENON_INTS(defaulted, "With a default.", .def = "1,2,3", .range = {TENON_NO_MIN, 10}),
    TENON_INTS(strict,    "Strict.", .strict = true, .count = {2, 2}),
    TENON_NUMS(weights,   "Any numbers.", .count = {0, 3}),
    TENON_NUMS(ratios,    "A range, no duplicates.", .range = {0, 1}, .unique = true, .def = "[0.5,1]"),
    TENON_NUMS(vector,    "Has a check.", .check = sums_to_one, .example = "[0.25,0.75]"));

enum severity { CRITICAL, HIGH, MEDIUM, LOW, NOTE };
static const char *const severity_names[] = { "CRITICAL", "HIGH", "MEDIUM", "LOW", "NOTE" };

typedef struct {
    tenon_set   severities, must;
    tenon_enums order, exact, colours, strict;
} enum_lists_args;

JUST_OK(enum_lists)

TENON_TOOL(enum_lists, enum_lists_args,
    TENON_INFO("Take lists of enum values."),
    TENON_ENUMS(severities, severity_names, "Severities.", .noun = "severity", .def = "CRITICAL,HIGH",
                .default_note = "Using default severities: CRITICAL, HIGH."),
    TENON_ENUMS(must,    severity_names, "Required.", .required = true, .count = {1, 2}, .unique = true),
    TENON_ENUMS(order,   severity_names, "In order.", .unique = true, .count = {2, 5}),
    TENON_ENUMS(exact,   severity_names, "In their own case.", .exact = true, .count = {0, 3}),
    TENON_ENUMS(colours, colour_names, "Colours.", .noun = "colour", .secret = true),
    TENON_ENUMS(strict,  severity_names, "Strict.", .strict = true));

/* ---- Objects ------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *street, *town;
    int         number;
} address;

TENON_ROWS(address_rows, address,
    TENON_STR(street, "Street.", .required = true, .len = {1, 40}),
    TENON_INT(number, "Number.", .range = {1, 9999}, .def = 1),
    TENON_STR(town,   "Town.", .alias = "city"));

typedef struct {
    const char *name;
    enum colour colour;
    address     home;
    tenon_strs  tags;
    tenon_time  born;
    TENON_LIST_OF(address) others;
} person;

TENON_ROWS(person_rows, person,
    TENON_STR    (name,   "Name.", .required = true, .len = {1, 30}),
    TENON_ENUM   (colour, colour_names, "Colour.", .required = true),
    TENON_OBJECT (home,   address_rows, "Home."),
    TENON_STRS   (tags,   "Tags.", .unique = true, .count = {0, 3}),
    TENON_DATE   (born,   "Day of birth.", .calendar = true),
    TENON_OBJECTS(others, address_rows, "Other addresses.", .count = {0, 2}));

typedef struct {
    person  owner;
    address place, usual;
    TENON_LIST_OF(person) members;
    TENON_LIST_OF(address) stops;
    const tenon_json *filter;
    const tenon_json *extra;
} trees_args;

JUST_OK(trees)

TENON_TOOL(trees, trees_args,
    TENON_INFO("Take objects."),
    TENON_OBJECT (owner,   person_rows, "The owner.", .required = true),
    TENON_OBJECT (place,   address_rows, "A place."),
    TENON_OBJECT (usual,   address_rows, "With a default.", .def = "{\"street\":\"Main\"}"),
    TENON_OBJECTS(members, person_rows, "Members.", .count = {1, 3}),
    TENON_OBJECTS(stops,   address_rows, "Stops.", .count = {2, 2}, .strict = true),
    TENON_JSON   (filter,  "Any JSON."),
    TENON_JSON   (extra,   "Any JSON, with a default.", .def = "[1,2]", .secret = true));

typedef struct {
    address place;
    TENON_LIST_OF(address) stops;
    tenon_strs        words;
    tenon_ints        ids;
    tenon_nums        ratios;
    tenon_set         severities;
    tenon_map         env;
    const tenon_json *any;
} json_texts_args;

JUST_OK(json_texts)

TENON_TOOL(json_texts, json_texts_args,
    TENON_INFO("Take JSON text."),
    TENON_OBJECT (place, address_rows, "A place.", .json_text = true, .example = "{\"street\":\"Main\"}",
                  .required = true),
    TENON_OBJECTS(stops, address_rows, "Stops.", .json_text = true, .example = "[{\"street\":\"Main\",\"number\":3}]",
                  .count = {0, 2}),
    TENON_STRS   (words, "Words.", .json_text = true, .example = "[\"a\",\"b\"]", .unique = true),
    TENON_INTS   (ids, "Integers.", .json_text = true, .example = "[1,2]", .range = {0, 9}),
    TENON_NUMS   (ratios, "Numbers.", .json_text = true, .example = "[0.5]", .def = "[1.5]"),
    TENON_ENUMS  (severities, severity_names, "Severities.", .json_text = true, .example = "[\"LOW\"]"),
    TENON_MAP    (env, "Texts by name.", .json_text = true, .example = "{\"a\":\"b\"}"),
    TENON_JSON   (any, "Any JSON.", .json_text = true, .example = "{\"a\":1}", .required = true));

/* ---- Everything, required ------------------------------------------------------------------------------------ */

typedef struct {
    const char *text, *path, *abs_path, *uuid, *url, *id;
    tenon_time  date, timestamp;
    int         integer;
    double      number;
    bool        flag;
    enum colour colour;
    tenon_strs  texts, paths;
    tenon_ints  integers;
    tenon_nums  numbers;
    tenon_enums colours;
    address     object;
    TENON_LIST_OF(address) objects;
    tenon_map         map;
    const tenon_json *json;
} all_required_args;

JUST_OK(all_required)

TENON_TOOL(all_required, all_required_args,
    TENON_INFO("Take one of each kind, and no fewer."),
    TENON_STR      (text,      "A text.", .required = true),
    TENON_PATH     (path,      "A path.", .required = true),
    TENON_ABS_PATH (abs_path,  "A path.", .required = true),
    TENON_UUID     (uuid,      "A uuid.", .required = true),
    TENON_URL      (url,       "A url.", .required = true),
    TENON_ID       (id,        "An identifier.", .required = true),
    TENON_DATE     (date,      "A date.", .required = true),
    TENON_TIMESTAMP(timestamp, "A timestamp.", .required = true),
    TENON_INT      (integer,   "An integer.", .required = true),
    TENON_NUM      (number,    "A number.", .required = true),
    TENON_BOOL     (flag,      "A flag.", .required = true),
    TENON_ENUM     (colour,    colour_names, "A colour.", .required = true),
    TENON_STRS     (texts,     "Texts.", .required = true),
    TENON_PATHS    (paths,     "Paths.", .required = true),
    TENON_INTS     (integers,  "Integers.", .required = true),
    TENON_NUMS     (numbers,   "Numbers.", .required = true),
    TENON_ENUMS    (colours,   colour_names, "Colours.", .required = true),
    TENON_OBJECT   (object,    address_rows, "An object.", .required = true),
    TENON_OBJECTS  (objects,   address_rows, "Objects.", .required = true),
    TENON_MAP      (map,       "A map.", .required = true),
    TENON_JSON     (json,      "Any JSON.", .required = true));
