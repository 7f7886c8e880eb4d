/* place.c - the XDG base directories, as far as they concern one file. */
#include "kit/place.h"

#include <stdlib.h>
#include <string.h>

#include "kit/text.h"

char *place_choose(const char *said, const char *name, char **mistake)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    struct text path = { 0 };

    if (said)
        text_put(&path, said);
    else if (data && data[0] == '/')
        text_addf(&path, "%s/tenon/%s", data, name);
    else if (home && home[0] == '/')
        text_addf(&path, "%s/.local/share/tenon/%s", home, name);
    if (!path.failed && path.len > 0)
        return path.at;
    if (!path.failed)
        *mistake = strdup("there is no home folder for the database; give its file with --db");
    text_free(&path);
    return NULL;
}
