/* types.h - kinds of documents: five that are built in, and a project's own.
 *
 * Front matter is validated by JSON Schemas (2020-12, or draft-07 where they say so; formats are checked), the built-in
 * ones as text in types_builtin.c, custom ones from files of the project. References lead nowhere outside of the
 * schema.
 */
#ifndef DOCS_INDEX_TYPES_H
#define DOCS_INDEX_TYPES_H

#include <tenon/tenon.h>

#define TYPES_MAX  64
#define TYPE_PLAIN "plain" /* files without front matter, where the configuration allows them */

struct doc_type {
    const char   *name, *description, *folder;
    const char   *schema_file; /* of a custom one, relative to the project; NULL: built in */
    tenon_schema *schema;      /* NULL for TYPE_PLAIN */
    tenon_schema *common; /* what all documents have, beside a custom schema; NULL: the schema says all */
};

struct types {
    struct doc_type at[TYPES_MAX];
    size_t          count;
    tenon_schema   *common;
};

/* The built-in ones, with TYPE_PLAIN as the last when it is allowed. False without memory. */
bool types_init(struct types *types, bool plain_allowed);
/* One more; all texts are copied. With `with_common` its documents have the common fields of the built-in types, too. False and *mistake (free it) for a name that is taken or malformed, or a schema with a
 * mistake. */
bool types_add(struct types *types, const char *name, const char *description, const char *folder,
               const char *schema_file, const char *schema_json, size_t len, bool with_common,
               char **mistake);
const struct doc_type *types_find(const struct types *types, const char *name);
void                   types_free(struct types *types);

/* One violation of a schema by front matter. */
struct violation {
    char path[256], kind[32], text[640];
};
#define VIOLATIONS_MAX     50
#define VIOLATION_TEXT_MAX 1024

/* "title must be a string, got 5 (InvalidType)" */
void violation_text(const struct violation *violation, char out[VIOLATION_TEXT_MAX]);

/* Judges front matter (JSON): how many violations were written to `out`, which has room for VIOLATIONS_MAX; 0 when there is
 * none. Kinds are MissingRequired, InvalidType, InvalidEnum, PatternMismatch (formats and dates too), UnknownField, OutOfRange,
 * InvalidLength, InvalidCount, Duplicates, Invalid for all else; the last may have no kind and say how many were not written.
 * `path` is a name, or a JSON Pointer below the top level. */
size_t types_judge(const struct doc_type *type, const char *json, size_t len, struct violation *out);

#endif
