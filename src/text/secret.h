/* secret.h - members whose values are never repeated to anyone, whatever declares them. */
#ifndef TEXT_SECRET_H
#define TEXT_SECRET_H

#include <yyjson.h>

#include "base/str.h"

/* Does a member of this name hold a credential? */
bool tn_secret_is_key(struct tn_slice key);

/* Is there such a member among the first `most` values in `value`, or in what looks like the text of some? When in doubt,
 * yes. */
bool tn_secret_is_in(yyjson_val *value, size_t most);

#endif
