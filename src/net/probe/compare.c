/* compare.c - what differs between an answer and what a test expects of it. */
#include <string.h>

#include "json/echo.h"
#include "json/pointer.h"
#include "json/write.h"
#include "mcp/rpc.h"
#include "net/probe/probe.h"

#define DEPTH_MAX 128

/* A comparison: where it is, and what was found so far. */
struct comparison {
    tenon_probe  *probe;
    struct tn_buf place; /* a JSON Pointer */
    struct tn_buf lines;
};

static void begin_line(struct comparison *comparison)
{
    if (comparison->lines.len > 0)
        tn_buf_char(&comparison->lines, '\n');
    tn_buf_add(&comparison->lines, comparison->place.at, comparison->place.len);
    tn_buf_text(&comparison->lines, comparison->place.len ? ": " : "");
}

static void differ(struct comparison *comparison, yyjson_val *got, yyjson_val *wanted)
{
    begin_line(comparison);
    tn_buf_lit(&comparison->lines, "expected ");
    tn_echo_value(&comparison->lines, wanted);
    tn_buf_lit(&comparison->lines, ", got ");
    if (got)
        tn_echo_value(&comparison->lines, got);
    else
        tn_buf_lit(&comparison->lines, "nothing");
}

static void compare_compare(struct comparison *comparison, yyjson_val *got, yyjson_val *wanted, int depth);

static void compare_objects(struct comparison *comparison, yyjson_val *got, yyjson_val *wanted, int depth)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(wanted);
    size_t          len     = comparison->place.len;
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&members))) {
        tn_pointer_add(&comparison->place, (struct tn_slice){ yyjson_get_str(key), yyjson_get_len(key) });
        compare_compare(comparison, yyjson_obj_getn(got, yyjson_get_str(key), yyjson_get_len(key)),
                        yyjson_obj_iter_get_val(key), depth + 1);
        comparison->place.len = len;
    }
}

static void compare_arrays(struct comparison *comparison, yyjson_val *got, yyjson_val *wanted, int depth)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(wanted), theirs = yyjson_arr_iter_with(got);
    size_t          len = comparison->place.len;
    yyjson_val     *item, *other;

    if (yyjson_arr_size(got) != yyjson_arr_size(wanted)) {
        begin_line(comparison);
        tn_buf_addf(&comparison->lines, "expected %zu items, got %zu: ", yyjson_arr_size(wanted),
                    yyjson_arr_size(got));
        tn_echo_value(&comparison->lines, got);
        return;
    }
    while ((item = yyjson_arr_iter_next(&items)) && (other = yyjson_arr_iter_next(&theirs))) {
        tn_pointer_add_index(&comparison->place, items.idx - 1);
        compare_compare(comparison, other, item, depth + 1);
        comparison->place.len = len;
    }
}

/* Numbers are the same when their values are, however they are written. */
static bool is_same(yyjson_val *got, yyjson_val *wanted)
{
    const tenon_json *a = (const tenon_json *)got, *b = (const tenon_json *)wanted;

    if (tenon_json_type_of(a) != tenon_json_type_of(b))
        return false;
    if (tenon_json_type_of(a) == TENON_JSON_INT)
        return tenon_json_int(a) == tenon_json_int(b);
    if (tenon_json_type_of(a) == TENON_JSON_NUM)
        return !(tenon_json_num(a) < tenon_json_num(b)) && !(tenon_json_num(a) > tenon_json_num(b));
    return yyjson_equals(got, wanted);
}

static void compare_compare(struct comparison *comparison, yyjson_val *got, yyjson_val *wanted, int depth)
{
    if (depth > DEPTH_MAX)
        return;
    if (yyjson_is_obj(got) && yyjson_is_obj(wanted))
        compare_objects(comparison, got, wanted, depth);
    else if (yyjson_is_arr(got) && yyjson_is_arr(wanted))
        compare_arrays(comparison, got, wanted, depth);
    else if (!got || !is_same(got, wanted))
        differ(comparison, got, wanted);
}

/* Of an answer that is an error where none was expected, what it says. */
static void tell_error(struct comparison *comparison, yyjson_val *got, yyjson_val *wanted)
{
    yyjson_val *error       = tn_rpc_get(got, "error"),
               *issues      = tn_rpc_get(tn_rpc_get(error, "details"), "fieldErrors");
    struct tn_slice text    = tn_rpc_text(tn_rpc_get(error, "message"));
    yyjson_obj_iter members = yyjson_obj_iter_with(issues);
    yyjson_val     *key, *sentence;

    if (comparison->lines.len == 0 || !yyjson_is_obj(error) || tn_rpc_get(wanted, "error"))
        return;
    tn_buf_lit(&comparison->lines, "\nthe answer is an error: ");
    tn_buf_add(&comparison->lines, text.at, text.len);
    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_arr_iter sentences = yyjson_arr_iter_with(yyjson_obj_iter_get_val(key));

        while ((sentence = yyjson_arr_iter_next(&sentences))) {
            text = tn_rpc_text(sentence);
            tn_buf_lit(&comparison->lines, "\n  ");
            tn_buf_add(&comparison->lines, text.at, text.len);
        }
    }
}

const char *tenon_probe_compare(tenon_probe *probe, const tenon_json *got, const char *expected)
{
    struct comparison comparison = { .probe = probe };
    yyjson_val       *wanted;
    const char       *lines;

    if (!probe)
        return tenon_probe_error(probe);
    if (!got)
        return probe->error[0] ? probe->error : "there is no answer";
    wanted = tn_probe_read(probe, "expected", expected);
    if (!wanted)
        return probe->error;
    tn_buf_init(&comparison.place, &probe->arena, 128, PROBE_LEN_MAX);
    tn_buf_init(&comparison.lines, &probe->arena, 0, PROBE_LEN_MAX);
    compare_compare(&comparison, (yyjson_val *)got, wanted, 0);
    tell_error(&comparison, (yyjson_val *)got, wanted);
    lines = tn_buf_end(&comparison.lines);
    if (!lines || comparison.place.failed)
        return "out of memory";
    return comparison.lines.len ? lines : NULL;
}

const char *tenon_probe_expect(tenon_probe *probe, const char *tool, const char *arguments,
                               const char *expected)
{
    return tenon_probe_compare(probe, tenon_probe_call(probe, tool, arguments), expected);
}
