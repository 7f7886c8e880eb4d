/* change.h - what changed between an approved definition and the one that a server lists now. */
#ifndef CONTRACT_CHANGE_H
#define CONTRACT_CHANGE_H

#include "contract/definition.h"

#define CHANGE_TEXT_MAX ((size_t)600)

/* "description, 1 parameter added": kinds of changes, and names only of what was approved. Nothing that the server says now is
 * in it, so that it can be shown to a model. */
void tn_change_describe(struct tn_buf *out, struct tn_arena *arena, yyjson_val *approved, yyjson_val *live);

/* Both laid out in canonical order, line by line: ' ' stands in both, '-' in the approved one, '+' in the live one, and '@' for
 * lines that are left out. Either may be NULL. Texts are broken after their line ends. The lines are the server's own bytes:
 * escape them before they are shown. False without memory. */
typedef void (*tn_change_line_fn)(void *user, char mark, struct tn_slice line);
bool tn_change_diff(struct tn_arena *arena, yyjson_val *approved, yyjson_val *live, tn_change_line_fn line,
                    void *user);

#endif
