/* definition.h - what a server offers by name: a tool, a prompt, a resource template; its text, its hash, and what changed. */
#ifndef CONTRACT_DEFINITION_H
#define CONTRACT_DEFINITION_H

#include "contract/canonical.h"

#define DEFINITION_DEPTH_MAX ((size_t)80) /* less than a lock may have, which it stands in */

enum tn_kind { KIND_TOOL, KIND_PROMPT, KIND_TEMPLATE, KINDS };

/* "tools", "prompts", "templates"; and one of them: "tool", "prompt", "template". */
const char *tn_kind_plural(enum tn_kind kind);
const char *tn_kind_word(enum tn_kind kind);

/* Its member that names it: "name", and of a template "uriTemplate". */
const char *tn_kind_key(enum tn_kind kind);

struct tn_definition {
    struct tn_slice   name;
    struct tn_slice   text;  /* on one line, members in the server's order */
    yyjson_val       *value; /* NULL when `fault` is one of reading */
    char              hash[HASH_LEN + 1];
    enum tn_canonical fault; /* why it has no hash, and cannot be approved */
};

/* Reads the text of a definition. The hash is over the whole of it, but for members of its `_meta` that belong to a message
 * (`reserved` of definition.c) and those named in `unpinned`. All is in the arena. */
struct tn_definition tn_definition_read(struct tn_arena *arena, enum tn_kind kind, struct tn_slice text,
                                        const tenon_strs *unpinned);

#endif
