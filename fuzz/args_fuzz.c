/* args_fuzz.c - arguments of a table with every kind: good ones can be read, bad ones can be told, twice the same. */
#include <stdlib.h>
#include <string.h>

#include <tenon/group.h>
#include <tenon/json.h>
#include <tenon/shape.h>

#include "base/utf8.h"
#include "model/issue.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum level { LOW, MID = 2, HIGH };
static const char *const level_names[] = { [LOW] = "low", [MID] = "mid", [HIGH] = "High" };

typedef struct {
    double      lat;
    int16_t     zoom;
    const char *pass;
} point;

typedef struct {
    const char *name;
    tenon_ints  ids;
    point       at;
} person;

typedef struct {
    const char *str, *must, *code, *mail, *path, *abs, *uuid, *url, *id, *secret;
    tenon_str   counted;
    tenon_time  day, until, at;
    int16_t     half;
    uint32_t    word;
    int64_t     wide, pulled, a, b;
    uint64_t    large;
    double      num;
    float       single;
    bool        flag, dry;
    enum level  level;
    tenon_strs  strs, tags, files;
    tenon_ints  ints;
    tenon_nums  nums;
    tenon_enums enums;
    tenon_set   set;
    tenon_map   map;
    person      owner;
    TENON_LIST_OF(person) people;
    const tenon_json *json;
    tenon_page        page;
    tenon_time_range  time;
} every;

TENON_ROWS(point_rows, point,
    TENON_NUM(lat,  "L.", .required = true, .range = {-90, 90}, .tolerance = 1e-6),
    TENON_INT(zoom, "Z.", .def = 3, .note = "Zoom is used"),
    TENON_STR(pass, "P.", .secret = true));

TENON_ROWS(person_rows, person,
    TENON_STR   (name, "N.", .required = true, .len = {1, 20}),
    TENON_INTS  (ids,  "I.", .unique = true, .range = {1, 9}),
    TENON_OBJECT(at, point_rows, "A."));

TENON_ROWS(every_rows, every,
    TENON_STR      (str,     "S.", .alias = "text"),
    TENON_STR      (must,    "M.", .required = true, .len = {1, 40}),
    TENON_STR      (code,    "C.", .pattern = "^[a-z]+(-[0-9]{2})*$", .example = "a", .blank_ok = true),
    TENON_STR      (mail,    "M.", .format = "email"),
    TENON_PATH     (path,    "P.", .ext = ".md,.txt"),
    TENON_ABS_PATH (abs,     "A."),
    TENON_UUID     (uuid,    "U."),
    TENON_URL      (url,     "U.", .schemes = "https,http"),
    TENON_ID       (id,      "I."),
    TENON_STR      (secret,  "S.", .secret = true, .len = {3, 9}),
    TENON_STR      (counted, "C.", .len = {2, 6}),
    TENON_DATE     (day,     "D."),
    TENON_DATE     (until,   "U.", .end_of_day = true),
    TENON_TIMESTAMP(at,      "A."),
    TENON_INT      (half,    "H."),
    TENON_INT      (word,    "W.", .strict = true),
    TENON_INT      (wide,    "W."),
    TENON_INT      (pulled,  "P.", .range = {1, 10}, .def = 5, .clamp = true, .low_default = true),
    TENON_INT      (a,       "A."),
    TENON_INT      (b,       "B."),
    TENON_INT      (large,   "L."),
    TENON_NUM      (num,     "N.", .range = {0, 1}, .clamp = true),
    TENON_NUM      (single,  "S."),
    TENON_BOOL     (flag,    "F."),
    TENON_BOOL     (dry,     "D.", .strict = true, .def = true),
    TENON_ENUM     (level,   level_names, "L."),
    TENON_STRS     (strs,    "S.", .count = {0, 5}),
    TENON_STRS     (tags,    "T.", .comma = true, .unique = true, .len = {1, 5}, .def = "a,b", .default_note = "Using a, b"),
    TENON_PATHS    (files,   "F."),
    TENON_INTS     (ints,    "I.", .range = {-5, 5}),
    TENON_NUMS     (nums,    "N.", .unique = true),
    TENON_ENUMS    (enums,   level_names, "E.", .noun = "level"),
    TENON_ENUMS    (set,     level_names, "S.", .unique = true),
    TENON_MAP      (map,     "M.", .count = {0, 4}, .len = {0, 9}),
    TENON_OBJECT   (owner,   person_rows, "O."),
    TENON_OBJECTS  (people,  person_rows, "P.", .count = {0, 6}),
    TENON_JSON     (json,    "J."),
    TENON_PAGE     (page,    .max = 20),
    TENON_TIME_RANGE(time),
    TENON_ORDERED  (a, b),
    TENON_TOGETHER (str, mail),
    TENON_EXCLUSIVE(path, abs, uuid),
    TENON_REQUIRES (url, id));

static volatile size_t touched;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void touch_text(const char *text)
{
    size_t len = strlen(text);

    require(tn_utf8_valid(text, len));
    touched += len;
}

static void touch_json(const tenon_json *json)
{
    const tenon_json *one;
    tenon_str         key;

    touched += tenon_json_str(json).len + (size_t)tenon_json_type_of(json) + (size_t)tenon_json_bool(json);
    for (size_t place = 0; (one = tenon_json_next(json, &place, &key));)
        touch_json(one);
}

static void touch_person(const person *one)
{
    touch_text(one->name);
    touch_text(one->at.pass);
    require(one->at.lat >= -90 && one->at.lat <= 90);
    for (size_t i = 0; i < one->ids.count; i++)
        require(one->ids.at[i] >= 1 && one->ids.at[i] <= 9);
    touched += (size_t)one->at.zoom;
}

static void touch_texts(const every *args)
{
    const char *const texts[] = { args->str, args->must, args->code, args->mail, args->path,
                                  args->abs, args->uuid, args->url,  args->id,   args->secret };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        touch_text(texts[i]);
    touch_text(args->counted.at);
    require(strlen(args->counted.at) == args->counted.len);
    for (size_t i = 0; i < args->strs.count; i++)
        touch_text(args->strs.at[i]);
    for (size_t i = 0; i < args->tags.count; i++)
        touch_text(args->tags.at[i]);
    for (size_t i = 0; i < args->files.count; i++)
        touch_text(args->files.at[i]);
    for (size_t i = 0; i < args->map.count; i++) {
        touch_text(args->map.at[i].key);
        touch_text(args->map.at[i].value);
    }
}

static void touch_all(const every *args)
{
    touch_texts(args);
    require(args->must[0] != '\0' && args->strs.count <= 5 && args->map.count <= 4 &&
            args->people.count <= 6);
    require(args->pulled >= 1 && args->pulled <= 10 && args->num >= 0 && args->num <= 1);
    require(args->single - args->single == 0); /* finite */
    require(args->level == LOW || args->level == MID || args->level == HIGH);
    require((args->set.bits & ~UINT64_C(13)) == 0);
    require(args->large <= INT64_MAX);
    require(args->page.page >= 1 && args->page.page_size >= 1 && args->page.page_size <= 20 &&
            args->page.offset >= 0);
    require(!args->time.start.set || !args->time.end.set || args->time.start.ms <= args->time.end.ms);
    for (size_t i = 0; i < args->ints.count; i++)
        require(args->ints.at[i] >= -5 && args->ints.at[i] <= 5);
    for (size_t i = 0; i < args->nums.count; i++)
        require(args->nums.at[i] - args->nums.at[i] == 0);
    for (size_t i = 0; i < args->enums.count; i++)
        require(level_names[args->enums.at[i]] != NULL);
    touch_person(&(person){ .name = args->owner.name, .ids = args->owner.ids, .at = args->owner.at });
    for (size_t i = 0; i < args->people.count; i++)
        touch_person(&args->people.at[i]);
    touch_json(args->json);
    touched += (size_t)args->day.ms + (size_t)args->until.ms + (size_t)args->at.ms + (size_t)args->half +
               args->word + (size_t)args->wide + (size_t)args->flag + (size_t)args->dry;
}

/* A hash of everything that a judgement says. */
static uint64_t listen(tenon_params *params)
{
    uint64_t hash = 14695981039346656037u;

    require((tenon_params_issue_count(params) > 0) == !tenon_params_valid(params));
    for (size_t i = 0; i < tenon_params_issue_count(params); i++) {
        const tenon_issue *issue = tenon_params_issue(params, i);

        require(issue && issue->code[0] != '\0');
        require(strlen(issue->text) <= ISSUE_TEXT_MAX && issue->text[0] != '\0');
        touch_text(issue->text);
        touch_text(issue->parameter);
        for (const char *at = issue->text; *at; at++)
            hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    }
    for (size_t i = 0; i < tenon_params_message_count(params); i++) {
        const char *text = tenon_params_message(params, i);

        require(text && strlen(text) <= MESSAGE_LEN_MAX);
        touch_text(text);
        for (const char *at = text; *at; at++)
            hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    }
    return hash;
}

static tenon_shape  *shape; /* compiled once, for all inputs */
static tenon_params *params;

static void let_go(void)
{
    tenon_params_free(params);
    tenon_shape_free(shape);
}

static void make_ready(void)
{
    shape = tenon_shape_new(every_rows(), NULL);
    require(shape && !tenon_shape_error(shape));
    params = tenon_params_new(shape);
    require(params != NULL);
    atexit(let_go);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const every *args;
    uint64_t     first;

    if (!shape)
        make_ready();
    args = tenon_params_bind(params, (const char *)data, len);
    require(!tenon_params_failed(params));
    if (args)
        touch_all(args);
    first = listen(params);
    args  = tenon_params_bind(params, (const char *)data, len);
    require(listen(params) == first);
    return 0;
}
