/* glob.h - names by pattern: `*` is any run of characters, `?` one. */
#ifndef GUARD_GLOB_H
#define GUARD_GLOB_H

#include "guard/upstream.h"

/* Does the whole name match? The time it takes grows with the product of both lengths at most. */
bool tn_glob_match(struct tn_slice pattern, struct tn_slice name);

/* Could some name match that begins so? */
bool tn_glob_reaches(struct tn_slice pattern, struct tn_slice beginning);

/* Is the name allowed? Without a pattern of `allow` all are; `deny` wins. */
bool tn_globs_allow(const struct tn_globs *globs, struct tn_slice name);

/* Is some name allowed that begins so? */
bool tn_globs_reach(const struct tn_globs *globs, struct tn_slice beginning);

#endif
