/* property_test.c - what holds for every call: clamping and normalising twice is doing it once, a change is told and
 * only a change, offsets do not overflow, the same input gives the same bytes, reports are ordered and bounded.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rows/row_shape.h"
#include "support/mutate.h"
#include "support/random.h"
#include "support/valid.h"
#include "support/zoo.h"

#define ROUNDS    20000
#define TOLERANCE 1e-6

/* ---- A tool that returns what it took ------------------------------------------------------------------------ */

enum size { SIZE_SMALL, SIZE_LARGE };
static const char *const size_names[] = { "Small", "Large" };

typedef struct {
    int64_t     clamped, low, plain;
    double      ratio, snapped, share;
    bool        flag;
    enum size   size;
    const char *path, *abs_path, *uuid, *text;
    tenon_ints  ints;
    tenon_strs  strs;
    tenon_page  page;
} probe_args;

/* clang-format off */
#define PROBE_ROWS                                                                                       \
    TENON_INT     (clamped,  "Clamped.", .range = {-3, 12}, .clamp = true),                              \
    TENON_INT     (low,      "Low default.", .range = {5, 9}, .def = 7, .clamp = true,                   \
                   .low_default = true),                                                                 \
    TENON_INT     (plain,    "Plain."),                                                                  \
    TENON_NUM     (ratio,    "Clamped.", .range = {0, 1}, .clamp = true),                                \
    TENON_NUM     (snapped,  "Snapped.", .range = {0, 1}, .tolerance = TOLERANCE),                       \
    TENON_NUM     (share,    "Both.", .range = {-1, 1}, .tolerance = TOLERANCE, .clamp = true),          \
    TENON_BOOL    (flag,     "Flag."),                                                                   \
    TENON_ENUM    (size,     size_names, "Size."),                                                       \
    TENON_PATH    (path,     "Path."),                                                                   \
    TENON_ABS_PATH(abs_path, "Path."),                                                                   \
    TENON_UUID    (uuid,     "Identity."),                                                               \
    TENON_STR     (text,     "Text."),                                                                   \
    TENON_INTS    (ints,     "Integers."),                                                               \
    TENON_STRS    (strs,     "Texts.", .comma = true)
/* clang-format on */

TENON_ROWS(probe_rows, probe_args, PROBE_ROWS);

static tenon_outcome probe(tenon_call *call, const probe_args *args)
{
    return tenon_ok_data(call, probe_rows, args);
}

TENON_TOOL(probe, probe_args, TENON_INFO("Return what came.", .result = probe_rows), PROBE_ROWS);

struct lab {
    tenon_toolbox *box;
    tenon_call    *call;
    struct random  random;
};

static int set_up(void **state)
{
    struct lab *lab = malloc(sizeof *lab);

    lab->box = zoo_box();
    assert_int_equal(tenon_toolbox_add(lab->box, probe_tool()), TENON_OK);
    lab->call   = tenon_call_new(lab->box);
    lab->random = (struct random){ 20250115 };
    *state      = lab;
    return 0;
}

static int tear_down(void **state)
{
    struct lab *lab = *state;

    tenon_call_free(lab->call);
    tenon_toolbox_free(lab->box);
    free(lab);
    return 0;
}

static yyjson_doc *run(struct lab *lab, const char *tool, const char *args, bool *is_error)
{
    const tenon_answer *answer = tenon_call_run(lab->call, tool, args, strlen(args));
    yyjson_doc         *doc    = yyjson_read(answer->json, answer->len, 0);

    assert_non_null(doc);
    *is_error = answer->is_error;
    return doc;
}

static size_t message_count(yyjson_doc *doc)
{
    return yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages"));
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

static const char *pick(struct random *random, const char *const *from, size_t count)
{
    return from[random_below(random, count)];
}

#define PICK(random, from) pick((random), (from), sizeof(from) / sizeof *(from))

static void add_number(struct random *random, char *out, size_t room)
{
    static const char *const edges[] = { "0",
                                         "-0.0",
                                         "1",
                                         "-1",
                                         "-3",
                                         "-4",
                                         "12",
                                         "13",
                                         "5",
                                         "4",
                                         "9",
                                         "10",
                                         "7",
                                         "1.0000001",
                                         "-0.0000001",
                                         "1.000002",
                                         "0.5",
                                         "2.0",
                                         "1e3",
                                         "1e300",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9007199254740993" };

    if (random_below(random, 3) > 0)
        snprintf(out, room, "%s", PICK(random, edges));
    else
        snprintf(out, room, "%d", (int)random_below(random, 41) - 20);
}

static void add_value(struct random *random, const char *name, char *out, size_t room)
{
    static const char *const flags[] = { "true", "false", "\"true\"", "\" False \"" };
    static const char *const sizes[] = { "\"Small\"", "\"small\"", "\"LARGE\"", "\" Large\"" };
    static const char *const paths[] = { "\"a/b\"", "\"./a\"", "\"a//b/\"", "\".\"", "\"a/./b\"", "\"..a\"" };
    static const char *const roots[] = { "\"/\"", "\"/a\"", "\"/a//b\"", "\"/./a/\"", "\"///\"" };
    static const char *const uuids[] = { "\"2eb8aa08-aa98-41ea-b4aa-73b441d16380\"",
                                         "\"2EB8AA08-aa98-41ea-b4aa-73b441d16380\"" };
    static const char *const texts[] = { "\"\"", "\" x \"", "\"7\"", "\"true\"", "\"[1]\"" };
    static const char *const ints[]  = { "[1,2]", "[]",    "\"1,2\"",   "\"[1, 2]\"",
                                         "7",     "\"7\"", "[\"1\",2]", "[2.0]" };
    static const char *const strs[]  = { "[\"a\"]", "\"a,b\"", "\"[\\\"a\\\"]\"", "\"a\"", "[]" };
    char                     number[40];

    if (strcmp(name, "flag") == 0)
        snprintf(out, room, "%s", PICK(random, flags));
    else if (strcmp(name, "size") == 0)
        snprintf(out, room, "%s", PICK(random, sizes));
    else if (strcmp(name, "path") == 0)
        snprintf(out, room, "%s", PICK(random, paths));
    else if (strcmp(name, "abs_path") == 0)
        snprintf(out, room, "%s", PICK(random, roots));
    else if (strcmp(name, "uuid") == 0)
        snprintf(out, room, "%s", PICK(random, uuids));
    else if (strcmp(name, "text") == 0)
        snprintf(out, room, "%s", PICK(random, texts));
    else if (strcmp(name, "ints") == 0)
        snprintf(out, room, "%s", PICK(random, ints));
    else if (strcmp(name, "strs") == 0)
        snprintf(out, room, "%s", PICK(random, strs));
    else {
        add_number(random, number, sizeof number);
        snprintf(out, room, random_below(random, 4) == 0 ? "\"%s\"" : "%s", number);
    }
}

static void random_args(struct random *random, char *out, size_t room)
{
    static const char *const names[] = { "clamped", "low",  "plain",    "ratio", "snapped", "share", "flag",
                                         "size",    "path", "abs_path", "uuid",  "text",    "ints",  "strs" };
    size_t                   len     = (size_t)snprintf(out, room, "{");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char value[128];

        if (random_below(random, 4) > 0)
            continue;
        add_value(random, names[i], value, sizeof value);
        len += (size_t)snprintf(out + len, room - len, "%s\"%s\":%s", len > 1 ? "," : "", names[i], value);
    }
    snprintf(out + len, room - len, "}");
}

/* Was the value of one parameter changed, or taken of another type? */
static bool is_changed(const char *name, yyjson_val *sent, yyjson_val *got)
{
    const char *text  = yyjson_get_str(sent);
    bool        snaps = strcmp(name, "snapped") == 0 || strcmp(name, "share") == 0;

    if (yyjson_is_num(sent) && yyjson_is_num(got))
        return fabs(yyjson_get_num(sent) - yyjson_get_num(got)) > (snaps ? TOLERANCE * 1.5 : 0);
    if (yyjson_is_arr(got) && yyjson_is_num(sent))
        return true; /* a lone value */
    if (yyjson_is_arr(got) && yyjson_is_str(sent))
        return false; /* JSON text or a comma list: forms */
    if (yyjson_is_arr(got)) {
        for (size_t i = 0; i < yyjson_arr_size(got); i++)
            if (yyjson_get_type(yyjson_arr_get(sent, i)) != yyjson_get_type(yyjson_arr_get(got, i)))
                return true;
        return false;
    }
    if (text && text[strspn(text, " ")] == '\0')
        return false; /* nothing was sent */
    return yyjson_get_type(sent) != yyjson_get_type(got);
}

static bool any_changed(yyjson_doc *sent, yyjson_val *data)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;

    yyjson_obj_iter_init(yyjson_doc_get_root(sent), &iter);
    while ((key = yyjson_obj_iter_next(&iter)))
        if (is_changed(yyjson_get_str(key), yyjson_obj_iter_get_val(key),
                       yyjson_obj_get(data, yyjson_get_str(key))))
            return true;
    return false;
}

/* ---- Properties of values ------------------------------------------------------------------------------------ */

static void change_is_told_and_only_change(void **state)
{
    struct lab *lab = *state;
    char        args[2048];
    size_t      told = 0, silent = 0;

    for (int i = 0; i < ROUNDS; i++) {
        bool        is_error;
        yyjson_doc *doc, *sent;

        random_args(&lab->random, args, sizeof args);
        doc  = run(lab, "probe", args, &is_error);
        sent = yyjson_read(args, strlen(args), 0);
        if (!is_error) {
            bool changed = any_changed(sent, yyjson_doc_ptr_get(doc, "/data"));

            if (changed != (message_count(doc) > 0))
                print_message("%s: %s, but %zu messages\n%s\n", args, changed ? "changed" : "unchanged",
                              message_count(doc), yyjson_val_write(yyjson_doc_get_root(doc), 0, NULL));
            assert_true(changed == (message_count(doc) > 0));
            told += changed;
            silent += !changed;
        }
        yyjson_doc_free(doc);
        yyjson_doc_free(sent);
    }
    assert_true(told > ROUNDS / 20 && silent > ROUNDS / 20);
}

/* What comes out goes in again as it is: clamped, snapped, normalised, in canonical spelling. */
static void everything_is_idempotent(void **state)
{
    struct lab *lab = *state;
    char        args[2048];
    size_t      good = 0;

    for (int i = 0; i < ROUNDS; i++) {
        bool        is_error;
        yyjson_doc *first, *second;
        char       *data;

        random_args(&lab->random, args, sizeof args);
        first = run(lab, "probe", args, &is_error);
        if (is_error) {
            yyjson_doc_free(first);
            continue;
        }
        good++;
        data   = yyjson_val_write(yyjson_doc_ptr_get(first, "/data"), 0, NULL);
        second = run(lab, "probe", data, &is_error);
        if (is_error || message_count(second) > 0 ||
            tenon_call_reformed(lab->call) + tenon_call_coerced(lab->call) > 0)
            print_message("%s\n%s\n", args, data);
        assert_false(is_error);
        assert_int_equal(message_count(second), 0);
        assert_int_equal(tenon_call_reformed(lab->call) + tenon_call_coerced(lab->call), 0);
        assert_true(yyjson_equals(yyjson_doc_ptr_get(first, "/data"), yyjson_doc_ptr_get(second, "/data")));
        free(data);
        yyjson_doc_free(first);
        yyjson_doc_free(second);
    }
    assert_true(good > ROUNDS / 10);
}

static void paths_are_normalised_once(void **state)
{
    static const char alphabet[] = "a./b .";
    struct lab       *lab        = *state;
    size_t            good       = 0;

    for (int i = 0; i < ROUNDS; i++) {
        char        path[16] = "", args[64], again[64];
        bool        is_error, absolute = random_below(&lab->random, 2) == 0;
        size_t      len = (size_t)random_below(&lab->random, sizeof path - 1);
        yyjson_doc *doc;

        for (size_t j = 0; j < len; j++)
            path[j] = alphabet[random_below(&lab->random, sizeof alphabet - 1)];
        snprintf(args, sizeof args, "{\"%s\":\"%s\"}", absolute ? "abs_path" : "path", path);
        doc = run(lab, "probe", args, &is_error);
        if (!is_error && yyjson_doc_ptr_get(doc, absolute ? "/data/abs_path" : "/data/path")) {
            const char *normal = yyjson_get_str(
                yyjson_doc_ptr_get(doc, absolute ? "/data/abs_path" : "/data/path"));

            good++;
            assert_null(strstr(normal, "//"));
            assert_null(strstr(normal, "/./"));
            assert_true((normal[0] == '/') == absolute);
            snprintf(again, sizeof again, "{\"%s\":\"%s\"}", absolute ? "abs_path" : "path", normal);
            yyjson_doc_free(doc);
            doc = run(lab, "probe", again, &is_error);
            assert_false(is_error);
            assert_int_equal(tenon_call_reformed(lab->call), 0);
        }
        yyjson_doc_free(doc);
    }
    assert_true(good > ROUNDS / 10);
}

/* ---- Pages --------------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_page page;
} page_args;

TENON_ROWS(page_args_rows, page_args, TENON_PAGE(page, .max = 70));

static int64_t any_int64(struct random *random)
{
    static const int64_t edges[] = { 0,
                                     1,
                                     -1,
                                     2,
                                     50,
                                     69,
                                     70,
                                     71,
                                     100,
                                     101,
                                     INT64_MAX,
                                     INT64_MAX - 1,
                                     INT64_MIN,
                                     INT64_MIN + 1,
                                     INT64_MAX / 70,
                                     INT64_MAX / 70 + 1,
                                     INT64_MAX / 70 + 2 };

    if (random_below(random, 2) == 0)
        return edges[random_below(random, sizeof edges / sizeof *edges)];
    return (int64_t)(random_next(random) >> random_below(random, 64)) * (random_below(random, 2) ? 1 : -1);
}

static void offsets_do_not_overflow(void **state)
{
    struct lab   *lab    = *state;
    tenon_shape  *shape  = tenon_shape_new(page_args_rows(), NULL);
    tenon_params *params = tenon_params_new(shape);

    assert_null(tenon_shape_error(shape));
    for (int i = 0; i < ROUNDS * 5; i++) {
        int64_t          page = any_int64(&lab->random), size = any_int64(&lab->random), want;
        char             json[128];
        const page_args *args;
        size_t len = (size_t)snprintf(json, sizeof json, "{\"page\":%lld,\"pageSize\":%lld}", (long long)page,
                                      (long long)size);

        args = tenon_params_bind(params, json, len);
        assert_non_null(args); /* no integer is refused */
        assert_true(args->page.page == (page < 1 ? 1 : page));
        assert_true(args->page.page_size == (size < 1 ? 50 : size > 70 ? 70 : size));
        assert_true(args->page.limit == args->page.page_size);
        want = args->page.page - 1 > INT64_MAX / args->page.page_size
                   ? INT64_MAX
                   : (args->page.page - 1) * args->page.page_size;
        assert_true(args->page.offset == want);
        assert_int_equal(tenon_params_message_count(params), (page < 1) + (size < 1 || size > 70));
    }
    tenon_params_free(params);
    tenon_shape_free(shape);
}

/* ---- Reports ------------------------------------------------------------------------------------------------- */

static char *issues_text(struct lab *lab, const char *tool, const char *args)
{
    bool        is_error;
    yyjson_doc *doc  = run(lab, tool, args, &is_error);
    char       *text = yyjson_val_write(yyjson_doc_ptr_get(doc, "/error/details/issues"), 0, NULL);

    yyjson_doc_free(doc);
    return text;
}

/* Members in another order, with a fault in each. */
static void issues_keep_their_order(void **state)
{
    struct lab *lab = *state;

    for (size_t i = 0; i < tenon_toolbox_count(lab->box); i++) {
        const tenon_tool_view *view   = tenon_toolbox_tool(lab->box, i);
        yyjson_doc            *schema = yyjson_read(view->input, strlen(view->input), 0);
        yyjson_val            *names  = yyjson_obj_get(yyjson_doc_get_root(schema), "properties");
        size_t                 size   = yyjson_obj_size(names);
        const char            *order[64];
        char                   args[4096], *first = NULL;
        yyjson_obj_iter        iter;

        yyjson_obj_iter_init(names, &iter);
        for (size_t j = 0; j < size; j++)
            order[j] = yyjson_get_str(yyjson_obj_iter_next(&iter));
        for (int round = 0; round < 20; round++) {
            size_t len = (size_t)snprintf(args, sizeof args, "{");
            char  *text;

            for (size_t j = size; j > 1; j--) { /* shuffle */
                size_t      k    = (size_t)random_below(&lab->random, j);
                const char *name = order[j - 1];

                order[j - 1] = order[k];
                order[k]     = name;
            }
            for (size_t j = 0; j < size; j++)
                len += (size_t)snprintf(args + len, sizeof args - len, "\"%s\":{\"zz\":1},", order[j]);
            snprintf(args + len, sizeof args - len, "\"zzzz\":1}");
            text = issues_text(lab, view->name, args);
            if (!first)
                first = text;
            else if (text) {
                assert_string_equal(first, text);
                free(text);
            }
        }
        free(first);
        yyjson_doc_free(schema);
    }
}

struct twice {
    struct lab *lab;
    tenon_call *other;
    const char *tool;
    size_t      count;
};

static void run_twice(void *user, const struct mutation *mutation)
{
    struct twice       *twice  = user;
    const tenon_answer *first  = tenon_call_run(twice->lab->call, twice->tool, mutation->json, mutation->len);
    char               *copy   = malloc(mutation->len + 1);
    const tenon_answer *second = (memcpy(copy, mutation->json, mutation->len + 1),
                                  tenon_call_run(twice->other, twice->tool, copy, mutation->len));

    assert_int_equal(first->len, second->len);
    assert_memory_equal(first->json, second->json, first->len);
    assert_memory_equal(copy, mutation->json, mutation->len); /* nor is the input changed */
    free(copy);
    twice->count++;
}

static void same_input_gives_same_bytes(void **state)
{
    struct lab              *lab = *state;
    tenon_toolbox           *box = zoo_box(); /* another one, compiled anew */
    size_t                   count;
    const tenon_tool *const *tools = zoo_tools(&count);
    struct twice             twice = { .lab = lab, .other = tenon_call_new(box) };

    for (size_t i = 0; i < count; i++) {
        const struct mutate_how how   = { .unknown = TENON_UNKNOWN_REJECT };
        tenon_shape            *shape = tn_shape_compile(&tools[i]->rows, tools[i]->handler, NULL);
        yyjson_mut_doc         *doc   = yyjson_mut_doc_new(NULL);

        twice.tool = tenon_toolbox_tool(lab->box, i)->name;
        assert_string_equal(tenon_toolbox_tool(lab->box, i)->input, tenon_toolbox_tool(box, i)->input);
        assert_string_equal(tenon_toolbox_tool(lab->box, i)->portable_input,
                            tenon_toolbox_tool(box, i)->portable_input);
        assert_string_equal(tenon_toolbox_tool(lab->box, i)->output, tenon_toolbox_tool(box, i)->output);
        yyjson_mut_doc_set_root(doc, valid_object(doc, shape->object, VALID_MOST));
        mutate_call(doc, shape->object, &how, run_twice, &twice);
        yyjson_mut_doc_free(doc);
        tenon_shape_free(shape);
    }
    assert_true(twice.count > 10000);
    tenon_call_free(twice.other);
    tenon_toolbox_free(box);
}

/* Runs a bad call and checks the bounds of its report. */
static void check_bounds(struct lab *lab, const char *tool, const char *args, size_t len, size_t total)
{
    const tenon_answer *answer = tenon_call_run(lab->call, tool, args, len);
    yyjson_doc         *doc    = yyjson_read(answer->json, answer->len, 0);
    yyjson_val         *details, *issues;
    char               *text;

    assert_true(answer->is_error);
    assert_string_equal(answer->code, TENON_CODE_VALIDATION_ERROR);
    details = yyjson_doc_ptr_get(doc, "/error/details");
    issues  = yyjson_obj_get(details, "issues");
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(details, "totalErrors")), total);
    assert_true(yyjson_arr_size(issues) >= 1 && yyjson_arr_size(issues) <= 25);
    assert_true(yyjson_is_str(yyjson_obj_get(details, "note")) == (yyjson_arr_size(issues) < total));
    text = yyjson_val_write(details, 0, NULL);
    assert_true(strlen(text) <= 8192 + 256);
    free(text);
    yyjson_doc_free(doc);
}

static void reports_are_bounded(void **state)
{
    struct lab *lab  = *state;
    size_t      room = 1 << 20, len;
    char       *args = malloc(room);

    for (size_t count = 1; count < 3000; count = count * 3 + 1) {
        yyjson_doc *doc;
        bool        is_error;

        len = (size_t)snprintf(args, room, "{\"type\":\"x\""); /* unknown names */
        for (size_t i = 0; i < count; i++)
            len += (size_t)snprintf(args + len, room - len, ",\"name%zu%0200d\":1", i, 0);
        args[len++] = '}';
        args[len]   = '\0';
        check_bounds(lab, "echo_specimen", args, len, count);

        len = (size_t)snprintf(args, room, "{\"type\":\"x\",\"years\":["); /* bad items */
        for (size_t i = 0; i < count; i++)
            len += (size_t)snprintf(args + len, room - len, "%s\"z%zu\"", i ? "," : "", i);
        len += (size_t)snprintf(args + len, room - len, "],\"moves\":[");
        for (size_t i = 0; i < count; i++)
            len += (size_t)snprintf(args + len, room - len, "%s\"z%zu\"", i ? "," : "", i);
        snprintf(args + len, room - len, "]}");
        check_bounds(lab, "echo_specimen", args, strlen(args), 2 * count);
        doc = run(lab, "echo_specimen", args, &is_error);
        assert_true(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/error/details/issues")) <= 6); /* 3 a list */
        yyjson_doc_free(doc);

        len = (size_t)snprintf(args, room,
                               "{\"type\":\"x\",\"traits\":["); /* bad objects, two faults in each */
        for (size_t i = 0; i < count; i++)
            len += (size_t)snprintf(args + len, room - len, "%s{\"habitat\":%zu}", i ? "," : "", i);
        snprintf(args + len, room - len, "]}");
        check_bounds(lab, "echo_specimen", args, strlen(args), 2 * count);
    }
    free(args);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(change_is_told_and_only_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(everything_is_idempotent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_are_normalised_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(offsets_do_not_overflow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(issues_keep_their_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_input_gives_same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reports_are_bounded, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
