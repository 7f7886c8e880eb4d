/* schema.h - JSON Schema documents: compile, validate, repair.
 *
 *     tenon_schema  *schema  = tenon_schema_new(text, strlen(text), .format_assertion = true);
 *     tenon_verdict *verdict = tenon_verdict_new(schema);
 *
 *     if (!tenon_verdict_judge(verdict, json, len))
 *         for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++)
 *             puts(tenon_verdict_issue(verdict, i)->text);
 *
 * Dialects are 2020-12, 2019-09, draft-07, draft-06 and draft-04; $schema names one, for the document and for each
 * resource in it. References are resolved inside the document, inside documents that were registered, and inside those
 * that a function of yours finds; nothing is ever fetched. A schema does not change once compiled and may be used by many
 * threads; a verdict is one thread's.
 */
#ifndef TENON_SCHEMA_H
#define TENON_SCHEMA_H

#include <tenon/base.h>
#include <tenon/json.h>
#include <tenon/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dialect of documents that do not say theirs. */
typedef enum tenon_dialect {
    TENON_DIALECT_2020_12 = 0,
    TENON_DIALECT_2019_09,
    TENON_DIALECT_DRAFT_07,
    TENON_DIALECT_DRAFT_06,
    TENON_DIALECT_DRAFT_04
} tenon_dialect;

/* ---- Documents that references may lead to ------------------------------------------------------------------ */

typedef struct tenon_schemas tenon_schemas;

/*   size      set by the macro
 *   draft_07  the same as .dialect = TENON_DIALECT_DRAFT_07
 *   memory    NULL is malloc; copied
 *   dialect   of documents that do not say theirs */
typedef struct tenon_schemas_options {
    size_t                 size;
    bool                   draft_07;
    const tenon_allocator *memory;
    tenon_dialect          dialect;
    uint32_t               reserved_;
} tenon_schemas_options;

/* NULL when out of memory. */
#ifdef __cplusplus
#define tenon_schemas_new(...) TENON_ONLY_C_VALUE_("tenon_schemas_new()", tenon_schemas *)
#else
#define tenon_schemas_new(...) \
    tenon_schemas_new_(&(tenon_schemas_options){ .size = sizeof(tenon_schemas_options), __VA_ARGS__ })
#endif
TENON_API tenon_schemas *tenon_schemas_new_(const tenon_schemas_options *options);
TENON_API void           tenon_schemas_free(tenon_schemas *schemas);

/* Registers a document (copied) under an absolute `uri`, and under its own $id. TENON_E_DECLARATION when it is
 * not JSON or an $id or $schema in it is invalid: tenon_schemas_error() says which, for the last document that was refused.
 * Add everything before the first schema is compiled with it; the registry must outlive those schemas. */
TENON_API tenon_status tenon_schemas_add(tenon_schemas *schemas, const char *uri, const char *json,
                                         size_t len);
TENON_API const char  *tenon_schemas_error(const tenon_schemas *schemas);

/* ---- A compiled schema -------------------------------------------------------------------------------------- */

typedef struct tenon_schema tenon_schema;

/* A document that was asked for by its URI.
 *
 *   json, len  its text, which is copied before the next call
 *   uri        that the document has itself, when the URI that was asked for is the $id of a part of it; NULL: that URI
 *   error      why it exists and cannot be used ("Permission denied"); NULL: it can */
typedef struct tenon_loaded {
    const char *json;
    size_t      len;
    const char *uri;
    const char *error;
} tenon_loaded;

/* Called while a schema is compiled, when a reference or a $schema leads to a document that is neither registered nor a
 * built-in metaschema: once for each `uri`, which is absolute and has no fragment. False: there is no such document. */
typedef bool (*tenon_load)(void *user, const char *uri, tenon_loaded *loaded);

/*   size              set by the macro
 *   schemas           registered documents, or NULL
 *   uri               where the document would be found, for its relative references; NULL when nowhere
 *   format_assertion  "format" is checked, and not only a note
 *   draft_07          the same as .dialect = TENON_DIALECT_DRAFT_07
 *   memory            NULL is malloc; copied
 *   dialect           of documents that do not say theirs
 *   load, load_user   finds documents that are not registered, or NULL; only what is asked for is read */
typedef struct tenon_schema_options {
    size_t                 size;
    tenon_schemas         *schemas;
    const char            *uri;
    bool                   format_assertion, draft_07;
    const tenon_allocator *memory;
    tenon_dialect          dialect;
    uint32_t               reserved_;
    tenon_load             load;
    void                  *load_user;
} tenon_schema_options;

/* Compiles the JSON text of a schema (copied). NULL only when out of memory; a mistake in the schema is kept and
 * reported by tenon_schema_error() with its place ("schema: #/properties/age/minimum: must be a number"). Such a schema accepts
 * nothing and reports no issues: ask tenon_schema_error() first. */
#define tenon_schema_new(json, ...) TENON_SCHEMA_NEW_(json, __VA_ARGS__, )
#define TENON_SCHEMA_NEW_(json, len, ...) \
    tenon_schema_new_((json), (len), &(tenon_schema_options){ .size = sizeof(tenon_schema_options), __VA_ARGS__ })
TENON_API tenon_schema *tenon_schema_new_(const char *json, size_t len, const tenon_schema_options *options);
TENON_API void          tenon_schema_free(tenon_schema *schema);
TENON_API const char   *tenon_schema_error(const tenon_schema *schema);

/* ---- Validating --------------------------------------------------------------------------------------------- */

typedef struct tenon_verdict tenon_verdict;

/* NULL when out of memory. The schema must outlive it. */
TENON_API tenon_verdict *tenon_verdict_new(const tenon_schema *schema);
TENON_API void           tenon_verdict_free(tenon_verdict *verdict);

/* Is the JSON text valid? What the functions below return lives until the next call. */
TENON_API bool tenon_verdict_judge(tenon_verdict *verdict, const char *json, size_t len);

/* Only whether it is valid, without finding every issue. */
TENON_API bool tenon_verdict_flag(tenon_verdict *verdict, const char *json, size_t len);

/* The JSON text in the form that the schema requires; *out_len (which may be NULL) is its length, and a NUL follows. Valid
 * text comes back byte for byte, except that absent members get their declared "default" where the whole stays valid. Of a text
 * that is not valid, what the schema refuses is repaired where nothing is lost:
 *
 *     "[1,2]", "{...}"   JSON text, where an array or object is expected
 *     "80", "3.0"        a number in quotes; "true", "false" in any case
 *     " Red"             case and surrounding spaces of an enum's value, or of a const
 *     "a"                for ["a"], where only an array is expected
 *     "1,2", "A,b"       for a list of numbers, or of an enum's values
 *     ["a"]              for "a", where only a single value is expected
 *     null, ""           left out, where a member is optional and refuses it; so are "null", "none" and "undefined", reported
 *     1736899200000      milliseconds since 1970, where the format is date-time (or date, at midnight)
 *     maxItems           a declared name in another spelling, where the name itself is missing
 *     a default          for a missing member that is required
 *
 * A string stays as it is where strings are accepted, whatever it looks like; a number is never rounded; in anyOf and
 * oneOf nothing is changed that an alternative accepts, or that alternatives would repair differently. NULL when that
 * does not make it valid: every part is repaired as far as that goes, and the issues are those that remain. What was repaired
 * needs no further repair. */
TENON_API const char *tenon_verdict_repair(tenon_verdict *verdict, const char *json, size_t len,
                                           size_t *out_len);

/* What a repair reports, whether it succeeded or not: all its changes of type in one sentence, renamed members in another. */
TENON_API size_t      tenon_verdict_message_count(const tenon_verdict *verdict);
TENON_API const char *tenon_verdict_message(const tenon_verdict *verdict, size_t index);

/* Issues that are kept (the first 25, and those of 3 items of one list), and the number of all issues. */
TENON_API size_t             tenon_verdict_issue_count(const tenon_verdict *verdict);
TENON_API size_t             tenon_verdict_issue_total(const tenon_verdict *verdict);
TENON_API const tenon_issue *tenon_verdict_issue(tenon_verdict *verdict, size_t index);

/* The JSON Pointer of the value that an issue is about. */
TENON_API const char *tenon_verdict_place(tenon_verdict *verdict, size_t index);

/* True when a validation ended because memory was refused: the value is neither valid nor invalid. */
TENON_API bool tenon_verdict_failed(const tenon_verdict *verdict);

/* What the schemas that apply to a valid value say about it: title, description, default, format, examples, readOnly,
 * writeOnly, deprecated; of a string contentEncoding, contentMediaType, contentSchema; and since 2019-09 keywords that are not
 * known, the names that properties, patternProperties, additionalProperties and unevaluatedProperties apply to, and the items
 * that prefixItems, items, additionalItems, contains and unevaluatedItems apply to (the last index, a list of them, or true
 * for all). Collected when first asked for, in the steps that the validation had; an alternative that does not hold says
 * nothing. */
typedef struct tenon_annotation {
    const char *keyword;          /* "title" */
    const char *keyword_location; /* JSON Pointer of the way through the schema: "/properties/a/$ref/title" */
    const char *instance_location; /* JSON Pointer of the value: "/a" */
    const char *json;              /* what the keyword says, or what it applies to */
} tenon_annotation;

/* How many there are, 10000 at most; 0 when the value is not valid. NULL when the index is too large, or memory was
 * refused. */
TENON_API size_t                  tenon_verdict_annotation_count(tenon_verdict *verdict);
TENON_API const tenon_annotation *tenon_verdict_annotation(tenon_verdict *verdict, size_t index);

/*   FLAG      {"valid":false}
 *   BASIC     a list of the errors, as tenon_verdict_issue() has them
 *   DETAILED  a tree of the errors by the structure of the schema, with those of every alternative of anyOf and oneOf
 *
 * and the last two with a list or a tree of the annotations, when the value is valid. */
typedef enum tenon_output {
    TENON_OUTPUT_FLAG = 0,
    TENON_OUTPUT_BASIC,
    TENON_OUTPUT_DETAILED,
    TENON_OUTPUT_BASIC_ANNOTATIONS,
    TENON_OUTPUT_DETAILED_ANNOTATIONS
} tenon_output;

/* The last result in a standard output format of JSON Schema (2020-12 core, section 12), with as many units as fit into
 * 1 MiB; NULL when out of memory. */
TENON_API const char *tenon_verdict_output(tenon_verdict *verdict, tenon_output form, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
