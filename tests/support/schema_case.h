/* schema_case.h - a schema and an instance of a test's table, written with ' for ", so that they can be read. */
#ifndef SUPPORT_SCHEMA_CASE_H
#define SUPPORT_SCHEMA_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/schema.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static inline void requote(char *text, char from, char to)
{
    for (; *text; text++)
        *text = *text == from ? to : *text;
}

/* A copy with double quotes; yours to free. */
static inline char *quoted(const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, text, size);
    requote(copy, '\'', '"');
    return copy;
}

struct schema_case {
    char          *text, *instance;
    tenon_schema  *schema;
    tenon_verdict *verdict;
};

/* The schema may have a mistake: tenon_schema_error() says so. */
static inline struct schema_case schema_case_open(const char *schema, const char *instance, bool formats)
{
    struct schema_case one = { .text = quoted(schema), .instance = quoted(instance) };

    one.schema  = tenon_schema_new(one.text, strlen(one.text), .format_assertion = formats);
    one.verdict = tenon_verdict_new(one.schema);
    return one;
}

/* The same of a schema that has none; its instance is judged. */
static inline struct schema_case schema_case_judged(const char *schema, const char *instance)
{
    struct schema_case one = schema_case_open(schema, instance, false);

    if (tenon_schema_error(one.schema))
        fail_msg("%s: %s", one.text, tenon_schema_error(one.schema));
    tenon_verdict_judge(one.verdict, one.instance, strlen(one.instance));
    return one;
}

static inline void schema_case_close(struct schema_case *one)
{
    tenon_verdict_free(one->verdict);
    tenon_schema_free(one->schema);
    free(one->text);
    free(one->instance);
}

#endif
