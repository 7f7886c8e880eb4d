/* form_test.c - every form of every kind of value: where it is taken, what is bound then, and that strict refuses it. */
#include "rows/bind_form.h"

#include <stdio.h>
#include <string.h>

#include "model/taken.h"
#include "rows/unbind.h"
#include "support/judged.h"

#define TEXT_MAX 1024

enum risk { LOW, HIGH_RISK };
static const char *const risk_names[] = { "LOW", "HIGH_RISK" };

typedef struct {
    int lat;
} point;
typedef struct {
    const char *str, *path, *abs, *uuid, *url, *id;
    tenon_time  date, time;
    int         number;
    double      real;
    bool        flag;
    enum risk   risk;
    tenon_strs  words, texts, paths;
    tenon_ints  ints;
    tenon_nums  nums;
    tenon_enums risks;
    point       object;
    TENON_LIST_OF(point) objects;
    tenon_map         map;
    const tenon_json *json;
    int               page_size;
} every;

TENON_ROWS(point_rows, point, TENON_INT(lat, "L.", .required = true));

#define EVERY_ROWS(STRICT)                                                                                   \
    TENON_STR(str, "S.", .strict = STRICT),                                                                  \
    TENON_PATH(path, "P.", .strict = STRICT),                                                                \
    TENON_ABS_PATH(abs, "A.", .strict = STRICT),                                                             \
    TENON_UUID(uuid, "U.", .strict = STRICT),                                                                \
    TENON_URL(url, "U.", .strict = STRICT),                                                                  \
    TENON_ID(id, "I.", .strict = STRICT),                                                                    \
    TENON_DATE(date, "D.", .strict = STRICT),                                                                \
    TENON_TIMESTAMP(time, "T.", .strict = STRICT),                                                           \
    TENON_INT(number, "N.", .strict = STRICT),                                                               \
    TENON_NUM(real, "R.", .strict = STRICT),                                                                 \
    TENON_BOOL(flag, "F.", .strict = STRICT),                                                                \
    TENON_ENUM(risk, risk_names, "R.", .strict = STRICT),                                                    \
    TENON_STRS(words, "W.", .pattern = "^[a-z]+$", .example = "[\"a\"]", .strict = STRICT),                  \
    TENON_STRS(texts, "T.", .strict = STRICT),                                                               \
    TENON_PATHS(paths, "P.", .strict = STRICT),                                                              \
    TENON_INTS(ints, "I.", .strict = STRICT),                                                                \
    TENON_NUMS(nums, "N.", .strict = STRICT),                                                                \
    TENON_ENUMS(risks, risk_names, "R.", .strict = STRICT),                                                  \
    TENON_OBJECT(object, point_rows, "O.", .strict = STRICT),                                                \
    TENON_OBJECTS(objects, point_rows, "O.", .strict = STRICT),                                              \
    TENON_MAP(map, "M.", .strict = STRICT),                                                                  \
    TENON_JSON(json, "J.", .strict = STRICT),                                                                \
    TENON_INT(page_size, "P.", .strict = STRICT)

TENON_ROWS(every_rows, every, EVERY_ROWS(false));
TENON_ROWS(strict_rows, every, EVERY_ROWS(true));

/* A plain value of each kind, as JSON. */
static const struct { const char *name, *plain; } kinds[] = {
    { "str", "'a b'" }, { "path", "'a/b'" }, { "abs", "'/a'" }, { "uuid", "'0b0d8a3e-2f5c-4c39-9a55-4b8ff2e9a6d1'" },
    { "url", "'https://a.example/'" }, { "id", "'a_b'" }, { "date", "'2025-01-15'" },
    { "time", "'2025-01-15T10:30:00Z'" }, { "number", "5" }, { "real", "2.5" }, { "flag", "true" },
    { "risk", "'HIGH_RISK'" }, { "words", "['ab','cd']" }, { "texts", "['a b','c']" }, { "paths", "['a','b']" },
    { "ints", "[4,8]" }, { "nums", "[0.5,2.5]" }, { "risks", "['LOW','HIGH_RISK']" }, { "object", "{'lat':3}" },
    { "objects", "[{'lat':3},{'lat':4}]" }, { "map", "{'a':'b'}" }, { "json", "{'a':[1]}" },
};
#define KINDS COUNT_OF(kinds)

/* ---- Making forms ------------------------------------------------------------------------------------------ */

/* `text` as a JSON string, with quotes as they are sent. */
static void quote(char *out, const char *before, const char *text, const char *after)
{
    const char *parts[] = { before, text, after };

    *out++ = '"';
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        for (const char *at = parts[i]; *at; at++) {
            if (*at == '"' || *at == '\\')
                *out++ = '\\';
            if (*at == '\n')
                *out++ = '\\';
            *out++ = *at == '\n' ? 'n' : *at;
        }
    }
    strcpy(out, "\"");
}

static void make_layer(char *out, const char *plain)
{
    char once[TEXT_MAX];

    quote(once, "", plain, "");
    if (plain[0] == '"')
        strcpy(out, once);
    else
        quote(out, "", once, "");
}

static void make_fence(char *out, const char *plain)
{
    quote(out, "```json\n", plain, "\n```");
}

static void make_bare_fence(char *out, const char *plain)
{
    quote(out, " ```\n", plain, "``` \n");
}

static void make_one_item(char *out, const char *plain)
{
    sprintf(out, "[%s]", plain);
}

static void make_two_items(char *out, const char *plain)
{
    sprintf(out, "[%s,%s]", plain, plain);
}

static void make_spelling(char *out, const char *plain)
{
    strcpy(out, plain);
    for (char *at = out; *at; at++) {
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
        if (*at == '_')
            *at = '-';
    }
}

static void make_words(char *out, const char *plain)
{
    (void)plain;
    strcpy(out, "\"ab, cd\"");
}

static void make_numbers(char *out, const char *plain)
{
    (void)plain;
    strcpy(out, "{\"a\":1}");
}

/* ---- The table --------------------------------------------------------------------------------------------- */

/* For each kind, in the order above:
 *
 *     F  the form is taken: what is bound is what the plain value gives, it is counted, and there is a message
 *     f  the same, but what is bound differs from that of the plain value
 *     p  it is a plain value, or was taken before there were forms
 *     -  refused */
static const struct { enum tn_wire_form form; void (*make)(char *, const char *); const char *kinds; } table[] = {
    /*                                  spauuidtnrfrwtpinrooomj */
    { FORM_LAYER,    make_layer,      "pp----" "FFFFFF" "FFFFFF" "FFF" "p" },
    { FORM_FENCE,    make_fence,      "p-----" "------" "FFFFFF" "FFF" "F" },
    { FORM_FENCE,    make_bare_fence, "p-----" "------" "FFFFFF" "FFF" "F" },
    { FORM_ONE_ITEM, make_one_item,   "FFFFFF" "FFFFFF" "------" "---" "p" },
    { FORM_ONE_ITEM, make_two_items,  "------" "------" "------" "---" "p" },
    { FORM_SPELLING, make_spelling,   "pppppp" "pppppF" "pppppF" "ppp" "p" },
    { FORM_WORDS,    make_words,      "pp----" "------" "Fpp---" "---" "-" },
    { FORM_NUMBER,   make_numbers,    "------" "------" "------" "--f" "p" },
};

static void set_quotes(char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            *text = '"';
}

/* The bound struct as JSON. */
static const char *bound_json(struct judged *judged)
{
    struct tn_buf    out;
    struct tn_unbind unbind = { .out = &out, .matcher = &judged->matcher, .memory = &judged->shape->memory };

    tn_buf_init(&out, &judged->arena, 256, 1 << 16);
    assert_true(tn_unbind_object(&unbind, judged->shape->object, judged->bound));
    return tn_buf_end(&out);
}

static size_t forms_count(const struct tn_judge *judge, enum tn_wire_form form)
{
    return judge->taken ? judge->taken->counts[form] : 0;
}

static size_t forms_in(const struct tn_judge *judge)
{
    size_t all = 0;

    for (enum tn_wire_form form = 0; form < FORMS; form++)
        all += forms_count(judge, form);
    return all;
}

/* What became of {"kind": value}; `same` when it is bound as `plain` is. */
static char outcome(const tenon_rows *rows, const struct tn_judge *how, const char *kind, const char *value,
                    enum tn_wire_form form, const char *plain)
{
    char          args[2 * TEXT_MAX], got;
    struct judged judged, again, wanted;

    snprintf(args, sizeof args, "{\"%s\":%s}", kind, value);
    judged_open(&judged, rows, args, how);
    if (!judged.bound) {
        assert_int_equal(forms_in(&judged.judge), 0);
        judged_close(&judged);
        return '-';
    }
    got = 'p';
    if (forms_in(&judged.judge) > 0) {
        assert_true(forms_count(&judged.judge, form) > 0);
        assert_int_equal(judged.judge.messages.count, 1);
        snprintf(args, sizeof args, "{\"%s\":%s}", kind, plain);
        judged_open(&wanted, rows, args, how);
        got = strcmp(bound_json(&judged), bound_json(&wanted)) == 0 ? 'F' : 'f';
        judged_close(&wanted);
        judged_open(&again, rows, bound_json(&judged), how); /* what was bound has no form any more */
        assert_non_null(again.bound);
        assert_int_equal(forms_in(&again.judge), 0);
        assert_string_equal(bound_json(&again), bound_json(&judged));
        judged_close(&again);
    }
    judged_close(&judged);
    return got;
}

static void every_form_of_every_kind(void **state)
{
    static const struct tn_judge strict = { .strict = true };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        assert_int_equal(strlen(table[i].kinds), KINDS);
        for (size_t k = 0; k < KINDS; k++) {
            char plain[TEXT_MAX], value[TEXT_MAX], want = table[i].kinds[k], got;
            bool form = want == 'F' || want == 'f';

            snprintf(plain, sizeof plain, "%s", kinds[k].plain);
            set_quotes(plain);
            table[i].make(value, plain);
            got = outcome(every_rows(), NULL, kinds[k].name, value, table[i].form, plain);
            if (got != want)
                fail_msg("%s: %s: wanted %c, got %c", kinds[k].name, value, want, got);
            got = outcome(strict_rows(), NULL, kinds[k].name, value, table[i].form, plain);
            if (form ? got != '-' : got != want && got != '-')
                fail_msg("%s, strict row: %s: got %c", kinds[k].name, value, got);
            got = outcome(every_rows(), &strict, kinds[k].name, value, table[i].form, plain);
            if (form ? got != '-' : got != want && got != '-')
                fail_msg("%s, strict tool: %s: got %c", kinds[k].name, value, got);
        }
    }
}

/* ---- Names and the whole ----------------------------------------------------------------------------------- */

typedef struct {
    int         page_size;
    const char *query;
    bool        dryRun;
    point       near_by;
    const char *key;
} named;
TENON_ROWS(named_rows, named,
    TENON_INT   (page_size, "P.", .range = {1, 9}, .def = 1),
    TENON_STR   (query,     "Q.", .alias = "q"),
    TENON_BOOL  (dryRun,    "D.", .strict = true),
    TENON_OBJECT(near_by,   point_rows, "N."),
    TENON_STR   (key,       "K.", .secret = true));

#define BOUND(page, query) "{'page_size':" page ",'query':'" query "','dryRun':false,'near_by':{'lat':0},'key':''}"
#define AS_TEXT  " + Parsed the arguments from one JSON text."
#define IN_TEXT  " + Parsed the arguments from JSON text inside a JSON text."
#define IN_FENCE " + Parsed the arguments from JSON text in a markdown fence."
#define INSIDE(name) " + Unwrapped the arguments from '" name "'."

/* Names in another spelling: of what is declared, absent, and the only one that it can be. */
static void names(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'pageSize':3}", BOUND("3", "") " + Renamed page_size from 'pageSize'" },
        { "{'page-size':3}", BOUND("3", "") " + Renamed page_size from 'page-size'" },
        { "{'PAGE_SIZE':3,'Query':'a'}",
          BOUND("3", "a") " + Renamed page_size from 'PAGE_SIZE', query from 'Query'" },
        { "{'pageSize':'3'}", BOUND("3", "") " + Converted pageSize from '3' to 3"
                              " + Renamed page_size from 'pageSize'" },
        { "{'nearBy':{'Lat':4}}", "{'page_size':1,'query':'','dryRun':false,'near_by':{'lat':4},'key':''}"
          " + Renamed near_by from 'nearBy', /nearBy/lat from 'Lat'" },
        /* what is wrong is addressed as it was sent, so that it can be replaced there */
        { "{'pageSize':50}", "pageSize must be between 1 and 9, got 50"
                             " + Renamed page_size from 'pageSize'" },
        { "{'pageSize':3,'page_size':4}", "unknown parameter 'pageSize'. Valid parameters: page_size, query, dryRun, "
                                          "near_by, key" },
        { "{'pageSize':3,'page-size':4}", "unknown parameter 'page-size'. Valid parameters: page_size, query, dryRun, "
                                          "near_by, key + Renamed page_size from 'pageSize'" },
        { "{'dry_run':true}", "unknown parameter 'dry_run'; did you mean 'dryRun'? Valid parameters: page_size, "
                              "query, dryRun, near_by, key" },
        { "{'Q':'a'}", "unknown parameter 'Q'; did you mean 'query'? Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'pageSize':3,'pageSize':4}", "unknown parameter 'pageSize'. Valid parameters: page_size, query, dryRun, "
                                         "near_by, key + Renamed page_size from 'pageSize'" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(named_rows(), cases[i].args, cases[i].want);
}

typedef struct {
    const char *page_size, *pageSize;
} twins;
TENON_ROWS(twin_rows, twins, TENON_STR(page_size, "P."), TENON_STR(pageSize, "P."));

typedef struct {
    int need_it, maybe;
} lax;
TENON_ROWS(lax_rows, lax, TENON_INT(need_it, "N.", .required = true), TENON_INT(maybe, "M."));

/* Where unknown names are not refused, a call that is good without them keeps its meaning. */
static void names_where_unknown_ones_are_let_be(void **state)
{
    static const struct tn_judge ignore                      = { .unknown = TENON_UNKNOWN_IGNORE };
    static const struct { const char *args, *want; } cases[] = {
        { "{'needIt':1}", "{'need_it':1,'maybe':0} + Renamed need_it from 'needIt'" },
        { "{'need_it':1,'Maybe':2}", "{'need_it':1,'maybe':0}" },
        { "{'args':{'need_it':1}}", "{'need_it':1,'maybe':0}" INSIDE("args") },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is_how(lax_rows(), cases[i].args, &ignore, cases[i].want);
    judged_is(twin_rows(), "{'page-size':'x'}",
              "unknown parameter 'page-size'. Valid parameters: page_size, pageSize");
    judged_is_how(named_rows(), "{'args':{'page_size':3}}", &ignore, BOUND("1", ""));
}

static void wrappers(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'params':{'page_size':3}}", BOUND("3", "") INSIDE("params") },
        { "{'parameters':{'page_size':3}}", BOUND("3", "") INSIDE("parameters") },
        { "{'arguments':{'q':'a'}}", BOUND("1", "a") INSIDE("arguments") },
        { "{'args':{'query':'a','pageSize':3}}",
          BOUND("3", "a") INSIDE("args") " + Renamed /args/page_size from 'pageSize'" },
        { "{'kwargs':{'page_size':3}}", BOUND("3", "") INSIDE("kwargs") },
        { "{'input':{'page_size':'3'}}",
          BOUND("3", "") INSIDE("input") " + Converted /input/page_size from '3' to 3" },
        { "{'input':{'page_size':50}}", "/input/page_size must be between 1 and 9, got 50" INSIDE("input") },
        { "{'input':{'page_size':3,'page_size':4}}", "/input/page_size is given more than once" INSIDE("input") },
        { "{'input':{'dryRun':'true'}}", "/input/dryRun must be true or false, got 'true'" INSIDE("input") },
        { "{'input':{}}", "unknown parameter 'input'. Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'input':{'x':1}}", "unknown parameter 'input'. Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'input':{'query':'a','x':1}}",
          "unknown parameter 'input'. Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'input':{'query':'a'},'q':'b'}",
          "unknown parameter 'input'. Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'payload':{'query':'a'}}",
          "unknown parameter 'payload'. Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'args':{'args':{'query':'a'}}}",
          "unknown parameter 'args'. Valid parameters: page_size, query, dryRun, near_by, key" },
        { "{'near_by':{'params':{'lat':1}}}",
          "/near_by/lat is required | unknown parameter '/near_by/params'. Valid parameters: lat" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(named_rows(), cases[i].args, cases[i].want);
    judged_codes_are(named_rows(), "{'input':{'page_size':50}}", "/input/page_size:range~9");
}

static void whole_arguments(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "'{\\'page_size\\':3}'", BOUND("3", "") AS_TEXT },
        { "'\\'{\\\\\\'page_size\\\\\\':3}\\''", BOUND("3", "") IN_TEXT },
        { "'```json\\n{\\'page_size\\':3}\\n```'", BOUND("3", "") IN_FENCE },
        { "'{\\'args\\':{\\'pageSize\\':3}}'", BOUND("3", "") AS_TEXT INSIDE("args")
          " + Renamed /args/page_size from 'pageSize'" },
        { "'```python\\n{\\'page_size\\':3}\\n```'",
          "arguments is not valid JSON: it is in a markdown fence (send the JSON without it), at position 0" },
        { "'```json\\n[3]\\n```'", "arguments is not valid JSON: it is in a markdown fence (send the JSON without it), at position 0" },
        { "'{\\'key\\':\\'\\\\ud800\\'}'", "key must be valid UTF-8" AS_TEXT },
        { "'{\\'query\\':\\'\\\\u0000\\'}'", "query must not contain NUL characters" AS_TEXT },
        { "'{\\'query\\':1,\\'query\\':2}'", "query is given more than once | query must be a string, got 1" AS_TEXT },
        { "'hello'", "arguments is not valid JSON: it is plain text at position 0" },
        { "5", "arguments must be an object, got a number" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(named_rows(), cases[i].args, cases[i].want);
}

/* Nothing of all that for a strict tool. */
static void strict_tools(void **state)
{
    static const struct tn_judge strict                      = { .strict = true };
    static const struct { const char *args, *want; } cases[] = {
        { "'{\\'page_size\\':3}'", BOUND("3", "") AS_TEXT }, /* as for every list and object */
        { "'\\'{\\\\\\'page_size\\\\\\':3}\\''", "arguments must be an object, got a string" },
        { "'```json\\n{\\'page_size\\':3}\\n```'",
          "arguments is not valid JSON: it is in a markdown fence (send the JSON without it), at position 0" },
        { "{'pageSize':3}", "unknown parameter 'pageSize'; did you mean 'page_size'? Valid parameters: page_size, "
                            "query, dryRun, near_by, key" },
        { "{'input':{'page_size':3}}",
          "unknown parameter 'input'. Valid parameters: page_size, query, dryRun, near_by, key" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is_how(named_rows(), cases[i].args, &strict, cases[i].want);
}

/* What headers repeat is looked for where it was compared, and nowhere else. */
typedef struct {
    const char *tenant;
    int         page_size;
} mirrored;
TENON_ROWS(mirrored_rows, mirrored, TENON_STR(tenant, "T.", .header = "Tenant"), TENON_INT(page_size, "P."));

static void mirrored_arguments(void **state)
{
    static const struct tn_judge how                         = { .mirrored = true };
    static const struct { const char *args, *want; } cases[] = {
        { "{'tenant':['a']}", "tenant must be a string, got ['a']" },
        { "{'Tenant':'a'}", "unknown parameter 'Tenant'; did you mean 'tenant'? Valid parameters: tenant, page_size" },
        { "{'args':{'tenant':'a'}}", "unknown parameter 'args'. Valid parameters: tenant, page_size" },
        { "'{\\'tenant\\':\\'a\\'}'", "arguments must be an object, got a string" },
        { "{'pageSize':[3]}", "{'tenant':'','page_size':3} + Converted pageSize from [3] to 3"
                              " + Renamed page_size from 'pageSize'" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is_how(mirrored_rows(), cases[i].args, &how, cases[i].want);
}

/* Single values: one message for what was sent and what was bound, whatever lay between. */
static void single_values(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'number':['5']}", "Converted number from ['5'] to 5" },
        { "{'number':'\\'5\\''}", "Converted number from '\\'5\\'' to 5" },
        { "{'number':['x']}", "number must be an integer, got ['x']" },
        { "{'number':[]}", "number must be an integer, got []" },
        { "{'number':[[5]]}", "number must be an integer, got [[5]]" },
        { "{'number':'[5]'}", "number must be an integer, got '[5]'" },
        { "{'str':['']}", "str must be a string, got ['']" },
        { "{'str':[5]}", "str must be a string, got [5]" },
        { "{'str':[null]}", "str must be a string, got [null]" },
        { "{'risk':'High Risk'}", "Converted risk from 'High Risk' to 'HIGH_RISK'" },
        { "{'risk':'highRisk'}", "Converted risk from 'highRisk' to 'HIGH_RISK'" },
        { "{'risk':['high-risk']}", "Converted risk from ['high-risk'] to 'HIGH_RISK'" },
        { "{'risk':'high+risk'}", "risk must be one of: LOW, HIGH_RISK. Got: high+risk" },
        { "{'risk':'-'}", "risk must be one of: LOW, HIGH_RISK. Got: -" },
        { "{'risks':'low, high risk'}", "Converted /risks/1 from 'high risk' to 'HIGH_RISK'" },
        { "{'words':'ab, c d'}", "/words/0 must match" },
        { "{'ints':'```json\\n[1, 2]\\n```'}",
          "Converted ints from '```json\\n[1, 2]\\n```' to [1,2]" },
        { "{'object':'```json\\n{\\'lat\\':\\'x\\'}\\n```'}", "/object/lat must be an integer, got 'x'" },
        { "{'map':'```json\\n{\\'a\\':\\'b\\',\\'a\\':\\'c\\'}\\n```'}", "/map/a is given more than once" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged judged;
        const char   *line;

        judged_open(&judged, every_rows(), cases[i].args, NULL);
        line = judged_line(&judged);
        if (judged.bound)
            line = strstr(line, " + ") ? strstr(line, " + ") + 3 : line;
        if (strncmp(line, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("%s\n  wanted: %s\n     got: %s", cases[i].args, cases[i].want, line);
        judged_close(&judged);
    }
}

/* ---- Bounds ------------------------------------------------------------------------------------------------ */

/* Text in text in text is not unwrapped for ever. */
static void layers_are_bounded(void **state)
{
    char text[TEXT_MAX * 8] = "{\"page_size\":3}", next[TEXT_MAX * 8];

    (void)state;
    for (int layer = 1; layer <= 4; layer++) {
        struct judged judged;

        quote(next, "", text, "");
        strcpy(text, next);
        judged_open(&judged, named_rows(), text, NULL);
        assert_int_equal(judged.bound != NULL, layer <= 1 + FORM_LAYERS_MAX);
        judged_close(&judged);
    }
}

typedef struct {
    TENON_LIST_OF(point) points;
} list_args;
TENON_ROWS(list_rows, list_args, TENON_OBJECTS(points, point_rows, "P."));

/* However many names are unknown, so many are compared and no more; the message stays short, and says how many. */
static void many_names(void **state)
{
    enum { MANY = 300 };
    static char   args[MANY * 40];
    size_t        at = 0;
    struct judged judged;

    (void)state;
    at += (size_t)sprintf(args, "{'points':[");
    for (int i = 0; i < MANY; i++)
        at += (size_t)sprintf(args + at, "%s{'Lat':%d}", i ? "," : "", i);
    strcpy(args + at, "]}");
    judged_open(&judged, list_rows(), args, NULL);
    assert_non_null(judged.bound);
    assert_int_equal(forms_count(&judged.judge, FORM_NAME), MANY);
    assert_int_equal(judged.judge.messages.count, 1);
    assert_true(judged.judge.messages.at[0].len <= MESSAGE_LEN_MAX);
    assert_non_null(strstr(judged.judge.messages.at[0].at, " more"));
    judged_close(&judged);
}

static void names_of_forms(void **state)
{
    (void)state;
    for (enum tn_wire_form form = 0; form < FORMS; form++) {
        assert_non_null(tn_form_name(form));
        for (enum tn_wire_form other = 0; other < form; other++)
            assert_string_not_equal(tn_form_name(form), tn_form_name(other));
    }
}

static void same_names(void **state)
{
    static const struct { const char *a, *b; bool same; } cases[] = {
        { "page_size", "pageSize", true },  { "page_size", "PAGE-SIZE", true }, { "a", "b", false },
        { "page_size", "pagesizes", false }, { "_a", "a", false },               { "1-10", "1_10", true },
        { "1-10", "11-0", false },          { "1-10", "110", false },           { "v1-0", "v10", false },
        { "a_", "a", false },                { "", "", false },                  { "tier-1", "tier1", true },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice a = tn_slice_of(cases[i].a), b = tn_slice_of(cases[i].b);

        if (tn_form_same_name(a, b) != cases[i].same || tn_form_same_name(b, a) != cases[i].same)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_every_kind),
        cmocka_unit_test(names),
        cmocka_unit_test(names_where_unknown_ones_are_let_be),
        cmocka_unit_test(wrappers),
        cmocka_unit_test(whole_arguments),
        cmocka_unit_test(strict_tools),
        cmocka_unit_test(mirrored_arguments),
        cmocka_unit_test(single_values),
        cmocka_unit_test(layers_are_bounded),
        cmocka_unit_test(many_names),
        cmocka_unit_test(names_of_forms),
        cmocka_unit_test(same_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
