/* path.c - what is wrong with a path. */
#include "text/path.h"
#include "model/words/say.h"

void tn_say_path(struct tn_buf *out, const struct tn_issue *issue)
{
    static const char *const texts[] = {
        [PATH_ABSOLUTE]  = " must be a relative path, got absolute path",
        [PATH_RELATIVE]  = " must be an absolute path",
        [PATH_TRAVERSAL] = " contains invalid path traversal sequence",
        [PATH_BACKSLASH] = " must use '/' between names, got a backslash",
        [PATH_DRIVE]     = " must not begin with a drive letter",
        [PATH_UNC]       = " must not be a network path",
        [PATH_CONTROL]   = " must not contain control characters",
        [PATH_ENCODED]   = " must not contain percent-encoded dots or separators",
        [PATH_LONG]      = " must not exceed 4095 bytes, nor 255 in one name",
        [PATH_EXTENSION] = " must end in ",
        [PATH_NOTHING]   = " must name a file",
    };

    tn_say_label(out, issue, texts[issue->count]);
    if (issue->count == PATH_EXTENSION)
        tn_say_alternatives(out, issue->node->text.ext, "");
}
