/* answer.h - for tests of answers: a box that keeps its log, and looking into the JSON of an answer. */
#ifndef SUPPORT_ANSWER_H
#define SUPPORT_ANSWER_H

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <yyjson.h>

#include <tenon/tenon.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct log_kept {
    char   text[4096]; /* the last line */
    size_t count;
};

static inline void keep_log(void *user, int level, const char *text)
{
    struct log_kept *kept = user;

    (void)level;
    kept->count++;
    snprintf(kept->text, sizeof kept->text, "%s", text);
}

/* The answer's JSON, read; free it with yyjson_doc_free(). The envelope itself is checked. */
static inline yyjson_doc *read_answer(const tenon_answer *answer)
{
    static const char *const keys[] = { "status", "error", "messages", "data" };
    yyjson_doc              *doc;
    yyjson_obj_iter          members;

    assert_non_null(answer);
    assert_int_equal(strlen(answer->json), answer->len);
    doc = yyjson_read(answer->json, answer->len, 0);
    if (!doc)
        fail_msg("not JSON: %s", answer->json);
    assert_int_equal(yyjson_obj_size(yyjson_doc_get_root(doc)), COUNT_OF(keys));
    members = yyjson_obj_iter_with(yyjson_doc_get_root(doc));
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        assert_string_equal(yyjson_get_str(yyjson_obj_iter_next(&members)), keys[i]);
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/status")),
                        answer->is_error ? "ERROR" : "SUCCESS");
    assert_int_equal(yyjson_is_null(yyjson_doc_ptr_get(doc, "/data")), answer->is_error);
    assert_int_equal(!yyjson_is_null(yyjson_doc_ptr_get(doc, "/error")), answer->is_error);
    if (answer->is_error) {
        assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/error/code")), answer->code);
        assert_true(yyjson_is_obj(yyjson_doc_ptr_get(doc, "/error/details")));
    } else {
        assert_null(answer->code);
        assert_true(yyjson_is_obj(yyjson_doc_ptr_get(doc, "/data")));
    }
    return doc;
}

/* Asserts that the value at `pointer` is `want`, which is compact JSON; NULL wants no value. */
static inline void assert_at(const tenon_answer *answer, const char *pointer, const char *want)
{
    yyjson_doc *doc   = read_answer(answer);
    yyjson_val *value = yyjson_doc_ptr_get(doc, pointer);
    char       *text  = value ? yyjson_val_write(value, 0, NULL) : NULL;

    if (want && !text)
        fail_msg("nothing at %s of %s", pointer, answer->json);
    if (want)
        assert_string_equal(text, want);
    else
        assert_null(text);
    free(text);
    yyjson_doc_free(doc);
}

static inline const tenon_answer *run_tool(tenon_call *call, const char *tool, const char *json)
{
    return tenon_call_run(call, tool, json, strlen(json));
}

#endif
