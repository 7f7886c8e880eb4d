/* pointer.c - the grammar of JSON Pointers. */
#include "schema/pointer.h"

bool pointer_well_formed(struct slice text)
{
    if (text.len > 0 && text.at[0] != '/')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '~' && (i + 1 == text.len || (text.at[i + 1] != '0' && text.at[i + 1] != '1')))
            return false;
    return true;
}

bool pointer_relative_well_formed(struct slice text)
{
    struct slice rest;
    size_t       len = 0;

    while (len < text.len && text.at[len] >= '0' && text.at[len] <= '9')
        len++;
    if (len == 0 || (len > 1 && text.at[0] == '0'))
        return false;
    rest = (struct slice){ text.at + len, text.len - len };
    return slice_is(rest, "#") || pointer_well_formed(rest);
}
