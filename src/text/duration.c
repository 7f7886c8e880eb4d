/* duration.c - the grammar of durations. */
#include "text/duration.h"

#include <string.h>

static bool duration_take_char(struct tn_slice *rest, char wanted)
{
    if (rest->len == 0 || rest->at[0] != wanted)
        return false;
    *rest = (struct tn_slice){ rest->at + 1, rest->len - 1 };
    return true;
}

/* Digits and one of `units`, whose place is returned; NULL, and nothing taken, when there are none. */
static const char *take_count(struct tn_slice *rest, const char *units)
{
    size_t      len = 0;
    const char *unit;

    while (len < rest->len && rest->at[len] >= '0' && rest->at[len] <= '9')
        len++;
    if (len == 0 || len == rest->len || rest->at[len] == '\0')
        return NULL;
    unit = strchr(units, rest->at[len]);
    if (unit)
        *rest = (struct tn_slice){ rest->at + len + 1, rest->len - len - 1 };
    return unit;
}

/* A run of `units`, from any of them on. */
static bool take_counts(struct tn_slice *rest, const char *units)
{
    const char *unit = take_count(rest, units);

    if (!unit)
        return false;
    while (unit && unit[1] != '\0') {
        const char next[] = { unit[1], '\0' };

        unit = take_count(rest, next) ? unit + 1 : NULL;
    }
    return true;
}

bool tn_duration_well_formed(struct tn_slice text)
{
    struct tn_slice rest = text;
    bool            date;

    if (!duration_take_char(&rest, 'P'))
        return false;
    if (take_count(&rest, "W"))
        return rest.len == 0;
    date = take_counts(&rest, "YMD");
    if (!duration_take_char(&rest, 'T'))
        return date && rest.len == 0;
    return take_counts(&rest, "HMS") && rest.len == 0;
}
