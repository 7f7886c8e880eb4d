/* shape.h - rows compiled: the schema they publish, and the validation of JSON by them.
 *
 * A shape is compiled once, never changes, and may be used by many threads at once. Params are what one thread
 * uses to validate one JSON object after another: validation as a pure function, without any tool or server.
 *
 *     tenon_shape  *shape  = tenon_shape_new(forecast_rows(), NULL);
 *     tenon_params *params = tenon_params_new(shape);
 *
 *     const forecast_args *args = tenon_params_bind(params, json, strlen(json));
 *     if (!args)
 *         for (size_t i = 0; i < tenon_params_issue_count(params); i++)
 *             puts(tenon_params_issue(params, i)->text);
 */
#ifndef TENON_SHAPE_H
#define TENON_SHAPE_H

#include <tenon/base.h>
#include <tenon/rows.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_shape  tenon_shape;
typedef struct tenon_params tenon_params;

/* Compiles `rows`, which must outlive the shape. NULL only when out of memory; a mistake in the rows is kept and
 * reported by tenon_shape_error(), and such a shape accepts nothing. `memory` may be NULL. */
TENON_API tenon_shape *tenon_shape_new(const tenon_rows *rows, const tenon_allocator *memory);
TENON_API void         tenon_shape_free(tenon_shape *shape);

/* The mistakes in the rows, with the names of table and parameter, one a line and the first of each row; NULL without one. */
TENON_API const char *tenon_shape_error(const tenon_shape *shape);

typedef enum tenon_schema_form {
    TENON_SCHEMA_FULL = 0, /* JSON Schema 2020-12 */
    TENON_SCHEMA_PORTABLE, /* what every provider's strict mode accepts; the rest stands in the descriptions */
} tenon_schema_form;

/* The published schema: the same bytes every time. Borrowed from the shape; NULL for a shape with a mistake. */
TENON_API const char *tenon_shape_schema(const tenon_shape *shape, tenon_schema_form form, size_t *len);

/* One problem of a validated object. */
typedef struct tenon_issue {
    const char *parameter; /* its name, or a JSON Pointer below the top level */
    const char *code;      /* "required", "type", "range", ...: docs/guides/results.md lists them */
    const char *text;      /* the whole sentence */
} tenon_issue;

/* NULL when out of memory. The shape must outlive it. */
TENON_API tenon_params *tenon_params_new(const tenon_shape *shape);
TENON_API void          tenon_params_free(tenon_params *params);

/* The form of the schema that the sender was given; TENON_SCHEMA_FULL by default. In the portable form every property must
 * be sent, and what it offers for leaving one out ([], "", "not_given", its default) is taken as left out. */
TENON_API void tenon_params_form(tenon_params *params, tenon_schema_form form);

/* Validates the JSON object in `json` (not kept, never changed) and returns the bound struct, or NULL when there are
 * issues. The struct and everything that the functions below return live until the next tenon_params_bind(). */
TENON_API const void *tenon_params_bind(tenon_params *params, const char *json, size_t len);

TENON_API bool               tenon_params_valid(const tenon_params *params);
TENON_API size_t             tenon_params_issue_count(const tenon_params *params);
TENON_API const tenon_issue *tenon_params_issue(tenon_params *params, size_t index);
TENON_API size_t             tenon_params_message_count(const tenon_params *params);
TENON_API const char        *tenon_params_message(const tenon_params *params, size_t index);

/* True when a validation ended because memory was refused, with neither struct nor issues, or because a check could not tell
 * (tenon_check_fail). */
TENON_API bool tenon_params_failed(const tenon_params *params);

#ifdef __cplusplus
}
#endif
#endif
