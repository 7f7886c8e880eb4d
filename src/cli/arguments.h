/* arguments.h - the arguments of a call, from --arg name=value and name:=json. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/str.h"

#define ARGUMENTS_WHY_MAX 300

/* One object of JSON, with values typed by the tool's input schema (which may be NULL); NULL with `why` when a word is
 * none. */
const char *arguments_build(struct tn_arena *arena, yyjson_val *schema, const char *const *words,
                            size_t count, char why[ARGUMENTS_WHY_MAX]);

/* NULL when `text` is one JSON object, else what it is. */
const char *arguments_check(struct tn_arena *arena, struct tn_slice text);

#endif
