/* words the compiler must say: tags: TENON_STRS needs a .*tenon_strs.* or a .*const char \*\* */
#include <tenon/tenon.h>

typedef struct {
    const char *tags;
} find_args;

TENON_ROWS(find_rows, find_args, TENON_STRS(tags, "Tags."));
