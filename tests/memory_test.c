/* memory_test.c - every allocation refused in turn: no crash, no leak, and a failure is told as one; and a call that
 * is like the one before it allocates nothing.
 */
#include <string.h>

#include <tenon/tenon.h>

#include "model/words/words.h"
#include "rows/bind.h"
#include "support/fault.h"
#include "support/judged.h"

enum level { LOW, MID, HIGH };
static const char *const level_names[] = { "low", "mid", "high" };

typedef struct {
    double      lat;
    const char *pass;
} point;
typedef struct {
    const char *name;
    tenon_ints  ids;
    point       at;
} person;
typedef struct {
    const char *str, *code, *mail, *path, *abs, *uuid, *url, *id;
    tenon_str   counted;
    tenon_time  day, at;
    int         n, pulled;
    double      x;
    bool        flag;
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

static const char *is_small(tenon_check *check, const void *value)
{
    int n;

    memcpy(&n, value, sizeof n);
    return n < 100 ? NULL : tenon_check_format(check, "n must be small, got %d", n);
}

TENON_ROWS(point_rows, point,
    TENON_NUM(lat,  "L.", .required = true, .range = {-90, 90}),
    TENON_STR(pass, "P.", .secret = true));
TENON_ROWS(person_rows, person,
    TENON_STR   (name, "N.", .required = true, .len = {1, 20}),
    TENON_INTS  (ids,  "I.", .unique = true, .range = {1, 99}),
    TENON_OBJECT(at, point_rows, "A.", .def = "{\"lat\":1}"));
TENON_ROWS(every_rows, every,
    TENON_STR      (str,     "S.", .required = true, .alias = "text"),
    TENON_STR      (code,    "C.", .pattern = "^[a-z]+$", .example = "a"),
    TENON_STR      (mail,    "M.", .format = "email"),
    TENON_PATH     (path,    "P.", .ext = ".md"),
    TENON_ABS_PATH (abs,     "A."),
    TENON_UUID     (uuid,    "U."),
    TENON_URL      (url,     "U.", .schemes = "https"),
    TENON_ID       (id,      "I."),
    TENON_STR      (counted, "C.", .len = {2, 6}),
    TENON_DATE     (day,     "D."),
    TENON_TIMESTAMP(at,      "A."),
    TENON_INT      (n,       "N.", .check = is_small),
    TENON_INT      (pulled,  "P.", .range = {1, 10}, .def = 5, .clamp = true),
    TENON_NUM      (x,       "X.", .range = {0, 1}),
    TENON_BOOL     (flag,    "F."),
    TENON_ENUM     (level,   level_names, "L."),
    TENON_STRS     (strs,    "S."),
    TENON_STRS     (tags,    "T.", .comma = true, .unique = true, .def = "a,b", .default_note = "Using a, b"),
    TENON_PATHS    (files,   "F."),
    TENON_INTS     (ints,    "I.", .unique = true),
    TENON_NUMS     (nums,    "N."),
    TENON_ENUMS    (enums,   level_names, "E.", .noun = "level"),
    TENON_ENUMS    (set,     level_names, "S."),
    TENON_MAP      (map,     "M.", .count = {0, 3}),
    TENON_OBJECT   (owner,   person_rows, "O."),
    TENON_OBJECTS  (people,  person_rows, "P."),
    TENON_JSON     (json,    "J."),
    TENON_PAGE     (page,    .max = 20),
    TENON_TIME_RANGE(time),
    TENON_EXCLUSIVE(path, abs));

typedef struct {
    int n;
} wrong_args;
TENON_ROWS(wrong_rows, wrong_args, TENON_INT(n, "N.", .range = { 1, 5 }, .def = 9));

static const char *const calls[] = {
    /* good */
    "{'str':'a','code':'abc','mail':'a@b.de','path':'./a//"
    "b.md','uuid':'123E4567-e89b-12d3-a456-426614174000',"
    "'url':'https://a/"
    "','id':'x','counted':'abc','day':'2025-01-15','at':1736899200000,'n':'5','pulled':99,'x':'0.5',"
    "'flag':'true','level':'HIGH','strs':'[\\'a\\']','tags':'x,y','files':['./"
    "a'],'ints':'1,2,3,4,5,6,7,8,9,10,11,12,13,14,"
    "15,16,17,18,19,20','nums':1.5,'enums':['low'],'set':'mid,high','map':{'a':'b'},'owner':{'name':'o'},"
    "'people':[{'name':'a','ids':[1]},'{\\'name\\':\\'b\\'}'],'json':'{\\'a\\':[1]}','pageSize':500,'"
    "startDate':'2025-01-01'}",
    /* bad in every way */
    "{'code':'7','mail':'x','path':'../a','abs':'b','uuid':'x','url':'ftp://"
    "x','id':'-','counted':'a','day':'x','at':5,"
    "'n':100,'pulled':'y','x':7,'flag':'maybe','level':'hihg','strs':5,'tags':['a','a'],'files':['/"
    "a'],'ints':'x',"
    "'nums':['y'],'enums':'nope','set':['z'],'map':{'a':1,'authorization':2},'owner':{'nam':1},"
    "'people':[{},{},{},{},{'name':5}],'json':'{','endDate':'2024-01-01','startDate':'2025-01-01','unknwon':"
    "1,'str':''}",
    "'{\\'str\\':\\'a\\'}'", /* as one text */
    "{'str':'a','n':'none'}",
    "{'str':",
    "[]",
    "",
};

static void with_double_quotes(char *out, const char *text)
{
    for (; *text; text++)
        *out++ = (char)(*text == '\'' ? '"' : *text);
    *out = '\0';
}

/* Judges one call and reads all that it says. True when nothing was refused on the way. */
static bool judge_and_read(tenon_params *params, const char *json)
{
    const every *args = tenon_params_bind(params, json, strlen(json));
    size_t       len  = 0;

    for (size_t i = 0; i < tenon_params_issue_count(params); i++) {
        const tenon_issue *issue = tenon_params_issue(params, i);

        if (issue)
            len += strlen(issue->text) + strlen(issue->parameter) + strlen(issue->code);
    }
    for (size_t i = 0; i < tenon_params_message_count(params); i++)
        len += strlen(tenon_params_message(params, i));
    if (tenon_params_failed(params)) {
        assert_int_equal(tenon_params_issue_count(params), 0);
        assert_int_equal(tenon_params_message_count(params), 0);
        return false;
    }
    assert_true(args ? len < 100000 : len > 0);
    return true;
}

/* Compiling: without memory there is no shape, and with it the same one as ever. */
static void compiling(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); bool rest; } cases[] = {
        { every_rows, false }, { every_rows, true }, { wrong_rows, false }, { wrong_rows, true },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t nth = 1;; nth++) {
            struct tn_fault fault  = { .refuse_at = nth, .refuse_rest = cases[i].rest };
            tenon_allocator memory = tn_fault_allocator(&fault);
            tenon_shape    *shape  = tenon_shape_new(cases[i].rows(), &memory);

            if (!fault.refused)
                assert_true(shape && (tenon_shape_error(shape) != NULL) == (cases[i].rows == wrong_rows));
            if (fault.refused && cases[i].rest && shape)
                assert_non_null(tenon_shape_error(shape));
            if (shape && tenon_shape_error(shape))
                assert_true(cases[i].rows == wrong_rows);
            tenon_shape_free(shape);
            assert_int_equal(fault.blocks, 0);
            assert_int_equal(fault.bytes, 0);
            if (!fault.refused)
                break;
        }
    }
}

/* Judging: a refused allocation fails the judgement, and the next one is as good as new. */
static void judging(void **state)
{
    char json[2000];

    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(calls); i++) {
        with_double_quotes(json, calls[i / 2]);
        for (size_t nth = 1;; nth++) {
            struct tn_fault fault  = { 0 };
            tenon_allocator memory = tn_fault_allocator(&fault);
            tenon_shape    *shape  = tenon_shape_new(every_rows(), &memory);
            tenon_params   *params = tenon_params_new(shape);
            bool            refused;

            assert_null(tenon_shape_error(shape));
            fault.requests    = 0;
            fault.refuse_at   = nth;
            fault.refuse_rest = i % 2 == 1;
            if (judge_and_read(params, json))
                assert_false(fault.refused);
            refused         = fault.refused;
            fault.refuse_at = 0;
            assert_true(judge_and_read(params, json));
            tenon_params_free(params);
            tenon_shape_free(shape);
            assert_int_equal(fault.blocks, 0);
            assert_int_equal(fault.bytes, 0);
            if (!refused)
                break;
        }
    }
}

/* Arenas ask for memory in blocks. Whatever stands at the end of one is moved there in turn, so that each piece of
 * work meets a refusal. */
static void judging_at_the_end_of_a_block(void **state)
{
    enum { BLOCK = 20000 };
    tenon_shape *shape = tenon_shape_new(every_rows(), NULL);
    char         json[2000];
    size_t       refusals = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        with_double_quotes(json, calls[i]);
        for (size_t shift = 0; shift < BLOCK; shift += 24) {
            struct tn_fault fault   = { .refuse_at = 2, .refuse_rest = true };
            tenon_allocator memory  = tn_fault_allocator(&fault);
            struct matcher *matcher = tn_matcher_new(NULL);
            struct tn_arena arena;
            struct tn_judge judge = { .arena   = &arena,
                                      .matcher = &matcher,
                                      .memory  = &shape->memory,
                                      .limits  = { 1 << 20, 64, 10000 },
                                      .unknown = TENON_UNKNOWN_REJECT };
            const void     *bound;
            char           *taken;

            tn_arena_init(&arena, &memory, 0);
            taken = tn_arena_take(&arena, BLOCK, 1);
            tn_arena_resize(&arena, taken, BLOCK, shift);
            bound = tn_bind_text(&judge, shape->object, json, strlen(json));
            for (size_t k = 0; k < judge.issues.count; k++) {
                struct tn_buf text;

                tn_buf_init(&text, &arena, 128, 1 << 16);
                tn_words_issue(&text, &judge.issues.at[k]);
            }
            assert_true(arena.failed == fault.refused);
            assert_false(bound && judge.issues.total > 0);
            refusals += fault.refused;
            tn_arena_free(&arena);
            tn_matcher_free(matcher);
            assert_int_equal(fault.blocks, 0);
        }
    }
    assert_true(refusals > 100);
    tenon_shape_free(shape);
}

/* The same for compiling, by tables that are cut after each row. */
static void compiling_part_of_a_table(void **state)
{
    (void)state;
    for (size_t count = 1; count < every_rows()->count; count++) {
        tenon_rows part = *every_rows();

        part.count = count;
        for (size_t nth = 1;; nth++) {
            struct tn_fault fault  = { .refuse_at = nth };
            tenon_allocator memory = tn_fault_allocator(&fault);
            tenon_shape    *shape  = tenon_shape_new(&part, &memory);

            assert_true(shape ? tenon_shape_error(shape) == NULL : fault.refused);
            tenon_shape_free(shape);
            assert_int_equal(fault.blocks, 0);
            if (!fault.refused)
                break;
        }
    }
}

/* Once warm, a call that is like the one before it allocates nothing, good or bad. */
static void steady_state(void **state)
{
    struct tn_fault fault  = { 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    tenon_shape    *shape  = tenon_shape_new(every_rows(), &memory);
    tenon_params   *params = tenon_params_new(shape);
    char            json[2000];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        size_t before;

        with_double_quotes(json, calls[i]);
        for (int warm = 0; warm < 3; warm++)
            judge_and_read(params, json);
        before = fault.requests;
        for (int again = 0; again < 10; again++)
            judge_and_read(params, json);
        if (fault.requests != before)
            fail_msg("%zu allocations for %s", fault.requests - before, json);
    }
    tenon_params_free(params);
    tenon_shape_free(shape);
    assert_int_equal(fault.blocks, 0);
}

/* ---- Whole tools -------------------------------------------------------------------------------------------- */

static tenon_outcome find(tenon_call *call, const every *args)
{
    tenon_message(call, "Looked for %s", args->str);
    tenon_text(call, "%d of %s", args->n, args->str);
    if (args->n == 7)
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no %s", args->str);
    if (args->n == 8)
        return tenon_internal(call, "at %p", (const void *)args);
    return tenon_ok(call);
}

TENON_TOOL(find, every,
    TENON_INFO("Find."),
    TENON_STR (str,  "S.", .required = true),
    TENON_INT (n,    "N.", .range = {0, 10}),
    TENON_STRS(tags, "T.", .comma = true),
    TENON_STR (code, "C.", .pattern = "^[a-z]+$", .example = "a"));

static void drop_log(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

static const char *const runs[] = {
    "{'str':'a','n':'3','tags':'x,y','code':'abc'}",
    "{'n':99,'code':'7','tags':5,'x':1}",
    "{'str':'a','n':7}",
};

/* A tool's call always has an answer, and a refused allocation is one too. */
static void calling(void **state)
{
    char json[200];

    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(runs); i++) {
        with_double_quotes(json, runs[i / 2]);
        for (size_t nth = 1;; nth++) {
            struct tn_fault fault  = { .refuse_at = nth, .refuse_rest = i % 2 == 1 };
            tenon_allocator memory = tn_fault_allocator(&fault);
            tenon_toolbox  *box    = tenon_toolbox_new(.memory = &memory, .log = drop_log);
            tenon_call     *call   = NULL;
            bool            added  = box && tenon_toolbox_add(box, find_tool()) == TENON_OK;

            if (added)
                call = tenon_call_new(box);
            if (call) {
                const tenon_answer *answer = tenon_call_run(call, "find", json, strlen(json));

                assert_non_null(answer);
                assert_int_equal(strlen(answer->json), answer->len);
                assert_true(answer->is_error == (answer->code != NULL));
            }
            if (!fault.refused)
                assert_non_null(call);
            tenon_call_free(call);
            tenon_toolbox_free(box);
            assert_int_equal(fault.blocks, 0);
            assert_int_equal(fault.bytes, 0);
            if (!fault.refused)
                break;
        }
    }
}

static void steady_calls(void **state)
{
    struct tn_fault fault  = { 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    tenon_toolbox  *box    = tenon_toolbox_new(.memory = &memory, .log = drop_log);
    tenon_call     *call;
    char            json[200];

    (void)state;
    assert_int_equal(tenon_toolbox_add(box, find_tool()), TENON_OK);
    call = tenon_call_new(box);
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        size_t before;

        with_double_quotes(json, runs[i]);
        for (int warm = 0; warm < 3; warm++)
            tenon_call_run(call, "find", json, strlen(json));
        before = fault.requests;
        for (int again = 0; again < 10; again++)
            tenon_call_run(call, "find", json, strlen(json));
        if (fault.requests != before)
            fail_msg("%zu allocations for %s", fault.requests - before, json);
    }
    tenon_call_free(call);
    tenon_toolbox_free(box);
    assert_int_equal(fault.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiling),    cmocka_unit_test(compiling_part_of_a_table),
        cmocka_unit_test(judging),      cmocka_unit_test(judging_at_the_end_of_a_block),
        cmocka_unit_test(steady_state), cmocka_unit_test(calling),
        cmocka_unit_test(steady_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
