/* bind_list_test.c - lists and maps: every wire form, counts, repeats, items, and where an issue is addressed. */
#include <stdio.h>
#include <string.h>

#include "support/judged.h"

enum severity { CRITICAL, HIGH, MEDIUM };
static const char *const severity_names[] = { "CRITICAL", "HIGH", "MEDIUM" };

typedef struct {
    tenon_strs l;
} strs_args;
typedef struct {
    tenon_ints l;
} ints_args;
typedef struct {
    tenon_nums l;
} nums_args;
typedef struct {
    tenon_enums l;
} enums_args;
typedef struct {
    tenon_set l;
} set_args;
typedef struct {
    tenon_map m;
} map_args;

/* Lists that end with a NULL, as libraries of C have them. */
typedef struct {
    const char *const *l;
} ended_args;
typedef struct {
    const char **l;
} loose_args;
typedef struct {
    char **l;
} plain_args;

TENON_ROWS(ended_rows, ended_args, TENON_STRS(l, "L."));
TENON_ROWS(ended_def_rows, ended_args, TENON_STRS(l, "L.", .def = "[\"x\",\"y\"]"));
TENON_ROWS(ended_tags_rows, ended_args,
           TENON_STRS(l, "L.", .count = { 1, 3 }, .len = { 2, 4 }, .unique = true));
TENON_ROWS(loose_rows, loose_args, TENON_STRS(l, "L.", .comma = true));
TENON_ROWS(plain_rows, plain_args, TENON_PATHS(l, "L.", .ext = ".md"));

TENON_ROWS(strs_rows, strs_args, TENON_STRS(l, "L."));
TENON_ROWS(comma_rows, strs_args, TENON_STRS(l, "L.", .comma = true));
TENON_ROWS(tags_rows, strs_args,
    TENON_STRS(l, "L.", .required = true, .count = {1, 3}, .len = {2, 4}, .unique = true));
TENON_ROWS(paths_rows, strs_args, TENON_PATHS(l, "L.", .ext = ".md"));
TENON_ROWS(ints_rows, ints_args, TENON_INTS(l, "L.", .range = { 1, 9 }));
TENON_ROWS(unique_rows, ints_args, TENON_INTS(l, "L.", .unique = true));
TENON_ROWS(nums_rows, nums_args, TENON_NUMS(l, "L.", .unique = true));
TENON_ROWS(enums_rows, enums_args, TENON_ENUMS(l, severity_names, "L.", .noun = "severity"));
TENON_ROWS(words_rows, strs_args, TENON_STRS(l, "L.", .len = { 1, 9 }));
TENON_ROWS(once_rows, enums_args, TENON_ENUMS(l, severity_names, "L.", .unique = true));
TENON_ROWS(set_rows, set_args, TENON_ENUMS(l, severity_names, "L."));
TENON_ROWS(set_once_rows, set_args, TENON_ENUMS(l, severity_names, "L.", .unique = true));
TENON_ROWS(strict_rows, ints_args, TENON_INTS(l, "L.", .strict = true));
TENON_ROWS(text_rows, strs_args, TENON_STRS(l, "L.", .json_text = true, .example = "[\"a\"]"));

/* Arrays natively, as JSON text, as a comma list, or as one lone value. */
static void wire_forms(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { strs_rows,   "{'l':['a','b']}", "{'l':['a','b']}" },
        { strs_rows,   "{'l':[]}", "{'l':[]}" },
        { strs_rows,   "{'l':null}", "{'l':[]}" },
        { strs_rows,   "{'l':''}", "{'l':[]}" },
        { strs_rows,   "{}", "{'l':[]}" },
        { strs_rows,   "{'l':'[\\'a\\', \\'b\\']'}", "{'l':['a','b']}" },
        { strs_rows,   "{'l':' [] '}", "{'l':[]}" },
        { strs_rows,   "{'l':'a,b'}", "{'l':['a,b']} + Converted l from 'a,b' to ['a,b']" },
        { strs_rows,   "{'l':'a'}", "{'l':['a']} + Converted l from 'a' to ['a']" },
        { ended_rows,  "{'l':['a','b']}", "{'l':['a','b']}" },
        { ended_rows,  "{'l':[]}", "{'l':[]}" },
        { ended_rows,  "{'l':null}", "{'l':[]}" },
        { ended_rows,  "{}", "{'l':[]}" },
        { ended_rows,  "{'l':'[\\'a\\']'}", "{'l':['a']}" },
        { ended_rows,  "{'l':'a'}", "{'l':['a']} + Converted l from 'a' to ['a']" },
        { ended_rows,  "{'l':5}", "l must be an array of strings, got 5" },
        { ended_def_rows,  "{}", "{'l':['x','y']}" },
        { ended_def_rows,  "{'l':['z']}", "{'l':['z']}" },
        { ended_tags_rows, "{'l':['ab','cd']}", "{'l':['ab','cd']}" },
        { ended_tags_rows, "{'l':['ab','ab','c']}", "/l/2 must be at least 2 characters | l contains duplicate values" },
        { loose_rows,  "{'l':'a, b'}", "{'l':['a','b']}" },
        { plain_rows,  "{'l':['b//a.md','c.md']}", "{'l':['b/a.md','c.md']}" },
        { plain_rows,  "{'l':['a.txt']}", "/l/0 must end in .md" },
        { strs_rows,   "{'l':5}", "l must be an array of strings, got 5" },
        { strs_rows,   "{'l':{}}", "l must be an array of strings, got {}" },
        { strs_rows,   "{'l':['']}", "{'l':['']}" },
        { text_rows,   "{'l':['a']}", "{'l':['a']}" },
        { text_rows,   "{'l':'[\\'a\\']'}", "{'l':['a']}" },
        { comma_rows,  "{'l':'a, b ,c'}", "{'l':['a','b','c']}" },
        { comma_rows,  "{'l':'a'}", "{'l':['a']}" },
        { comma_rows,  "{'l':'a,,b,'}", "{'l':['a','','b']}" },
        { ints_rows,   "{'l':'1,2, 3'}", "{'l':[1,2,3]}" },
        { ints_rows,   "{'l':'7'}", "{'l':[7]}" },
        { ints_rows,   "{'l':7}", "{'l':[7]} + Converted l from 7 to [7]" },
        { ints_rows,   "{'l':'[1,2]'}", "{'l':[1,2]}" },
        { ints_rows,   "{'l':['1',2.0]}", "{'l':[1,2]} + Converted /l/0 from '1' to 1" },
        { ints_rows,   "{'l':true}", "l must be an array of integers, got true" },
        { nums_rows,   "{'l':'0.5,1e2'}", "{'l':[0.5,100]}" },
        { nums_rows,   "{'l':1.5}", "{'l':[1.5]} + Converted l from 1.5 to [1.5]" },
        { enums_rows,  "{'l':'critical, High'}", "{'l':['CRITICAL','HIGH']}" },
        { enums_rows,  "{'l':['MEDIUM','MEDIUM']}", "{'l':['MEDIUM','MEDIUM']}" },
        { enums_rows,  "{'l':'[\\'high\\']'}", "{'l':['HIGH']}" },
        { set_rows,    "{'l':['MEDIUM','CRITICAL','MEDIUM']}", "{'l':['CRITICAL','MEDIUM']}" },
        { paths_rows,  "{'l':['./a.md','b//c.md']}", "{'l':['a.md','b/c.md']}" },
        { strict_rows, "{'l':[1]}", "{'l':[1]}" },
        { strict_rows, "{'l':'[1]'}", "{'l':[1]}" },
        { strict_rows, "{'l':'1,2'}", "l must be an array of integers, got '1,2'" },
        { strict_rows, "{'l':1}", "l must be an array of integers, got 1" },
        { strict_rows, "{'l':['1']}", "/l/0 must be an integer, got '1'" },
        { ints_rows,   "{'l':'none'}", "{'l':[]} + l 'none' was treated as not given" },
        { strs_rows,   "{'l':'undefined'}", "{'l':[]} + l 'undefined' was treated as not given" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* Malformed JSON text is an issue with position and example. */
static void malformed_text(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { strs_rows, "{'l':'[\\'a\\','}", "l is not valid JSON: it is cut off (a bracket or a quote is not closed) at position 5. Example: ['text']" },
        { ints_rows, "{'l':'[1,]'}", "l is not valid JSON: there is a trailing comma at position 2. Example: [1]" },
        { ints_rows, "{'l':'[1] x'}", "l is not valid JSON: text after the end of the value at position 4. Example: [1]" },
        { ints_rows, "{'l':'{}'}", "/l/0 must be an integer, got '{}'" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* The pointer is never NULL, and what it points to ends with one. */
static void ends_with_null(void **state)
{
    static const struct { const char *json; size_t count; } cases[] = {
        { "{}", 0 }, { "{\"l\":[]}", 0 }, { "{\"l\":null}", 0 }, { "{\"l\":[\"a\"]}", 1 }, { "{\"l\":[\"a\",\"b\",\"c\"]}", 3 },
    };
    tenon_shape  *shape  = tenon_shape_new(ended_rows(), NULL);
    tenon_params *params = tenon_params_new(shape);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const ended_args *args  = tenon_params_bind(params, cases[i].json, strlen(cases[i].json));
        size_t            count = 0;

        assert_non_null(args);
        assert_non_null(args->l);
        for (; args->l[count]; count++)
            assert_int_equal(args->l[count][0], "abc"[count]);
        assert_int_equal(count, cases[i].count);
    }
    tenon_params_free(params);
    tenon_shape_free(shape);
}

/* Counts, repeats and items are all judged, each in its own sentence. */
static void constraints(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { tags_rows,     "{'l':[]}", "l must contain at least 1 items, got 0" },
        { tags_rows,     "{}", "l is required" },
        { tags_rows,     "{'l':null}", "l is required" },
        { tags_rows,     "{'l':''}", "l cannot be empty" },
        { tags_rows,     "{'l':['ab','cd','ef','gh']}", "l must not exceed 3 items, got 4" },
        { tags_rows,     "{'l':['ab','ab']}", "l contains duplicate values" },
        { tags_rows,     "{'l':['ab','ab','c']}", "/l/2 must be at least 2 characters | l contains duplicate values" },
        { unique_rows,   "{'l':[1,'x',1]}", "/l/1 must be an integer, got 'x' | l contains duplicate values" },
        { unique_rows,   "{'l':['x','x',1]}", "/l/0 must be an integer, got 'x' | /l/1 must be an integer, got 'x'" },
        { set_once_rows, "{'l':['HIGH','zzzzz','HIGH']}",
          "/l/1 must be one of: CRITICAL, HIGH, MEDIUM. Got: zzzzz | l contains duplicate values" },
        { words_rows,    "{'l':['a','']}", "/l/1 cannot be empty" },
        { once_rows,     "{'l':['']}", "/l/0 cannot be empty. Valid: CRITICAL, HIGH, MEDIUM" },
        { tags_rows,     "{'l':['ab','cd','ab','ef']}", "l must not exceed 3 items, got 4 | l contains duplicate values" },
        { tags_rows,     "{'l':['a','abcde',5]}",
          "/l/0 must be at least 2 characters | /l/1 must not exceed 4 characters | /l/2 must be a string, got 5" },
        { unique_rows,   "{'l':[1,2,1.0]}", "l contains duplicate values" },
        { nums_rows,     "{'l':[0.0,-0.0]}", "l contains duplicate values" },
        { once_rows,     "{'l':'HIGH,high'}", "l contains duplicate values" },
        { set_once_rows, "{'l':['HIGH','HIGH']}", "l contains duplicate values" },
        { ints_rows,     "{'l':[0,5,10]}", "/l/0 must be between 1 and 9, got 0 | /l/2 must be between 1 and 9, got 10" },
        { ints_rows,     "{'l':'0,5'}", "/l/0 must be between 1 and 9, got 0" },
        { ints_rows,     "{'l':'1,x'}", "/l/1 must be an integer, got 'x'" },
        { ints_rows,     "{'l':'1,,2'}", "/l/1 must be an integer, got ''" },
        { ints_rows,     "{'l':99}", "/l/0 must be between 1 and 9, got 99"
                                     " + Converted l from 99 to [99]" },
        { enums_rows,    "{'l':'CRITICAL,SUPER_HIGH'}",
          "Invalid severity 'SUPER_HIGH'. Valid: CRITICAL, HIGH, MEDIUM. Example: 'CRITICAL,HIGH'" },
        { enums_rows,    "{'l':[3]}", "/l/0 must be one of: CRITICAL, HIGH, MEDIUM. Got: 3" },
        { set_rows,      "{'l':['x']}", "/l/0 must be one of: CRITICAL, HIGH, MEDIUM. Got: x" },
        { paths_rows,    "{'l':['../a.md','b.pdf']}",
          "/l/0 contains invalid path traversal sequence | /l/1 must end in .md" },
        { strs_rows,     "{'l':['a\\u0000']}", "/l/0 must not contain NUL characters" },
        { strs_rows,     "{'l':['\xFF']}", "/l/0 must be valid UTF-8" },
        { comma_rows,    "{'l':'a,\xFF'}", "/l/1 must be valid UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
}

/* An issue names what the caller can address: what came out of text is replaced whole, and so no bound or name of
 * one item is suggested for it. */
static void addresses(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { ints_rows,  "{'l':[0]}", "/l/0:range~1" },
        { ints_rows,  "{'l':'[0]'}", "l:range" },
        { ints_rows,  "{'l':'0,1'}", "l:range" },
        { ints_rows,  "{'l':99}", "l:range" },
        { enums_rows, "{'l':['HIHG']}", "/l/0:enum~'HIGH'" },
        { enums_rows, "{'l':'HIHG'}", "l:enum" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_codes_are(cases[i].rows(), cases[i].args, cases[i].want);
}

TENON_ROWS(map_rows, map_args, TENON_MAP(m, "M.", .count = { 0, 2 }, .len = { 1, 5 }));
TENON_ROWS(few_rows, map_args, TENON_MAP(m, "M.", .count = { 1, 2 }, .required = true));
TENON_ROWS(secret_rows, map_args, TENON_MAP(m, "M.", .secret = true, .len = { 1, 5 }));

/* A map: an object of strings, natively or as JSON text; no key twice; secret keys are never repeated. */
static void maps(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want; } cases[] = {
        { map_rows,    "{'m':{'a':'b'}}", "{'m':{'a':'b'}}" },
        { map_rows,    "{'m':'{\\'a\\':\\'b\\'}'}", "{'m':{'a':'b'}}" },
        { map_rows,    "{'m':{}}", "{'m':{}}" },
        { map_rows,    "{}", "{'m':{}}" },
        { map_rows,    "{'m':{'a':5,'b':true}}",
          "{'m':{'a':'5','b':'true'}} + Converted /m/a from 5 to '5', /m/b from true to 'true'" },
        { map_rows,    "{'m':{'a':1e400,'b':-0.5}}",
          "{'m':{'a':'1e400','b':'-0.5'}} + Converted "
          "/m/a from 1e400 to '1e400', /m/b from -0.5 to '-0.5'" },
        { map_rows,    "{'m':{'a':123456}}", "/m/a must not exceed 5 characters" },
        { map_rows,    "{'m':'```json\\n{\\'a\\':1.50}\\n```'}", "{'m':{'a':'1.50'}} + Converted m, "
                       "/m/a from 1.50 to '1.50'" },
        { map_rows,    "{'m':'{\\'a\\':1.50}'}", "{'m':{'a':'1.50'}} + Converted /m/a from 1.50 to '1.50'" },
        { map_rows,    "{'m':{'a':null}}", "/m/a must be a string, got null" },
        { map_rows,    "{'m':{'a':[5]}}", "/m/a must be a string, got [5]" },
        { map_rows,    "{'m':{'token':7340}}", "{'m':{'token':'7340'}} + Converted /m/token" },
        { map_rows,    "{'m':{'a':null}}", "/m/a must be a string, got null" },
        { map_rows,    "{'m':{'a':'123456'}}", "/m/a must not exceed 5 characters" },
        { map_rows,    "{'m':{'a':'x','a':'y'}}", "/m/a is given more than once" },
        { map_rows,    "{'m':{'a':'x','b':'y','c':'z'}}", "m must not exceed 2 items, got 3" },
        { map_rows,    "{'m':{'a/b~c':[]}}", "/m/a~1b~0c must be a string, got []" },
        { map_rows,    "{'m':{'a\\u0000b':'x'}}", "m has a name that is not plain text" },
        { map_rows,    "{'m':{'\xFF':'x'}}", "m has a name that is not plain text" },
        { map_rows,    "{'m':[]}", "m must be an object of strings, got an array" },
        { map_rows,    "{'m':'[\\'a\\']'}", "m must be an object of strings, got an array in JSON text" },
        { map_rows,    "{'m':'5'}", "m must be an object of strings, got a number in JSON text" },
        { map_rows,    "{'m':'a=b'}", "m is not valid JSON: it is plain text at position 0. Example: {'name':'text'}" },
        { map_rows,    "{'m':{'Authorization':[42]}}", "/m/Authorization must be a string, got an array" },
        { map_rows,    "{'m':{'cookie':['sid']}}", "/m/cookie must be a string, got an array" },
        { map_rows,    "{'m':{' Authorization ':[42]}}", "/m/ Authorization  must be a string, got an array" },
        { map_rows,    "{'m':{'client_secret':[42]}}", "/m/client_secret must be a string, got an array" },
        { few_rows,    "{'m':{}}", "m must contain at least 1 items, got 0" },
        { few_rows,    "{}", "m is required" },
        { few_rows,    "{'m':'null'}", "m is required" },
        { secret_rows, "{'m':{'a':[42]}}", "/m/a must be a string, got an array" },
        { secret_rows, "{'m':[42]}", "m must be an object of strings, got an array" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
    judged_codes_are(map_rows(), "{'m':'{\\'a\\':[]}'}", "m:type");
    judged_codes_are(map_rows(), "{'m':{'a':[]}}", "/m/a:type");
}

typedef struct {
    const char *name;
    tenon_ints  ids;
} row;
typedef struct {
    TENON_LIST_OF(row) l;
} rows_args;
TENON_ROWS(row_rows, row, TENON_STR(name, "N.", .required = true), TENON_INTS(ids, "I.", .range = { 1, 9 }));
TENON_ROWS(rows_rows, rows_args, TENON_OBJECTS(l, row_rows, "L.", .count = { 0, 6 }));

/* Lists of objects: JSON text at any depth, a lone object as a list, pointers into each. */
static void objects(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'l':[{'name':'a','ids':[1]},{'name':'b'}]}", "{'l':[{'name':'a','ids':[1]},{'name':'b','ids':[]}]}" },
        { "{'l':'[{\\'name\\':\\'a\\'}]'}", "{'l':[{'name':'a','ids':[]}]}" },
        { "{'l':['{\\'name\\':\\'a\\',\\'ids\\':\\'[1,2]\\'}']}", "{'l':[{'name':'a','ids':[1,2]}]}" },
        { "{'l':{'name':'a'}}", "{'l':[{'name':'a','ids':[]}]}"
                                " + Converted l from {'name':'a'} to [{'name':'a'}]" },
        { "{'l':'{\\'name\\':\\'a\\'}'}", "{'l':[{'name':'a','ids':[]}]}"
                                          " + Converted l from {'name':'a'} to [{'name':'a'}]" },
        { "{'l':[{}]}", "/l/0/name is required" },
        { "{'l':[{'name':''}]}", "/l/0/name cannot be empty" },
        { "{'l':[{'name':'a','ids':[0]}]}", "/l/0/ids/0 must be between 1 and 9, got 0" },
        { "{'l':[{'name':'a','nam':'b'}]}",
          "unknown parameter '/l/0/nam'. Valid parameters: name, ids" },
        { "{'l':[5]}", "/l/0 must be an object, got 5" },
        { "{'l':[[]]}", "/l/0 must be an object, got []" },
        { "{'l':['x']}", "/l/0 is not valid JSON: it is plain text at position 0. Example: {'name':'text'}" },
        { "{'l':5}", "l must be an array of objects, got 5" },
        { "{'l':'x'}", "l is not valid JSON: it is plain text at position 0. Example: [{'name':'text'}]" },
        { "{'l':[{'name':'a','name':'b'}]}", "/l/0/name is given more than once" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is(rows_rows(), cases[i].args, cases[i].want);
}

/* At most three items of a list are told of; all are counted. */
static void few_items_are_told_of(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args; size_t told, total; } cases[] = {
        { ints_rows, "{'l':[0,0,0]}", 3, 3 },
        { ints_rows, "{'l':[0,0,0,0,0,0,0]}", 3, 7 },
        { ints_rows, "{'l':[0,1,0,1,0,1,0,1,0]}", 3, 5 },
        { rows_rows, "{'l':[{},{},{},{},{}]}", 3, 5 },
        { rows_rows, "{'l':[{},{},{},{},{},{},{}]}", 4, 8 },
        { rows_rows, "{'l':[{'name':'a','ids':[0,0,0,0]}]}", 3, 4 },
        { map_rows,  "{'m':{'a':[],'b':[],'c':[],'d':[],'e':[]}}", 4, 6 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judged judged;

        judged_open(&judged, cases[i].rows(), cases[i].args, NULL);
        if (judged.judge.issues.count != cases[i].told || judged.judge.issues.total != cases[i].total)
            fail_msg("%s: told %zu of %zu", cases[i].args, judged.judge.issues.count,
                     judged.judge.issues.total);
        judged_close(&judged);
    }
}

/* Values are bounded in number, however they are written. */
static void values_are_bounded(void **state)
{
    static const struct tn_judge how                         = { .limits = { 1000, 8, 10 } };
    static const struct { const char *args, *want; } cases[] = {
        { "{'l':[1,1,1,1,1,1]}", "{'l':[1,1,1,1,1,1]}" },
        { "{'l':[1,1,1,1,1,1,1,1,1,1,1]}", "arguments have too many values" },
        { "{'l':'[1,1,1,1,1]'}", "{'l':[1,1,1,1,1]}" },
        { "{'l':'[1,1,1,1,1,1,1,1,1,1,1]'}", "l is too long, too deep or has too many values" },
        { "{'l':'[[[[[[[[[[1]]]]]]]]]]'}", "l is too long, too deep or has too many values" },
        { "{'l':'1,1,1,1,1'}", "{'l':[1,1,1,1,1]}" },
        { "{'l':'1,1,1,1,1,1,1,1,1,1,1'}", "l is too long, too deep or has too many values" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        judged_is_how(ints_rows(), cases[i].args, &how, cases[i].want);
}

/* Every change of type is told, or at least counted in the one message that they share. */
static void many_coercions_share_one_message(void **state)
{
    char          args[4000];
    size_t        at = 0;
    struct judged judged;

    (void)state;
    at += (size_t)snprintf(args, sizeof args, "{'l':['1'");
    for (int i = 0; i < 400; i++)
        at += (size_t)snprintf(args + at, sizeof args - at, ",'2'");
    snprintf(args + at, sizeof args - at, "]}");
    judged_open(&judged, ints_rows(), args, NULL);
    assert_int_equal(judged.judge.coerced, 401);
    assert_int_equal(judged.judge.messages.count, 1);
    assert_true(judged.judge.messages.at[0].len <= MESSAGE_LEN_MAX);
    assert_memory_equal(judged.judge.messages.at[0].at, "Converted /l/0 from \"1\" to 1, ", 30);
    assert_non_null(strstr(judged.judge.messages.at[0].at, " more"));
    judged_close(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wire_forms),
        cmocka_unit_test(ends_with_null),
        cmocka_unit_test(malformed_text),
        cmocka_unit_test(constraints),
        cmocka_unit_test(addresses),
        cmocka_unit_test(maps),
        cmocka_unit_test(objects),
        cmocka_unit_test(few_items_are_told_of),
        cmocka_unit_test(values_are_bounded),
        cmocka_unit_test(many_coercions_share_one_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
