/* types_builtin.h - the five kinds of documents that every project has. */
#ifndef DOCS_INDEX_TYPES_BUILTIN_H
#define DOCS_INDEX_TYPES_BUILTIN_H

#define TYPES_BUILTIN 5

struct builtin_type {
    const char *name, *description, *folder, *schema;
};

extern const struct builtin_type types_builtin[TYPES_BUILTIN];

/* What documents of every kind have: for custom kinds. */
extern const char types_common[];

#endif
