/* path.c - what a path's text may look like.
 *
 * Every fault that is found sets its bit; the lowest is reported. Components are separated at slashes and
 * backslashes alike, so that a path that some other system would read differently is refused for what it does there.
 */
#include "text/path.h"

#include <string.h>

#include "base/ascii.h"

#define BIT(fault) (1u << (fault))

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static struct tn_slice without(struct tn_slice text, size_t front)
{
    return (struct tn_slice){ text.at + front, text.len - front };
}

/* Takes the next component that is neither empty nor "."; false when there is none. */
static bool next_name(struct tn_slice *rest, struct tn_slice *name)
{
    do {
        size_t len = 0;

        while (rest->len > 0 && is_separator(rest->at[0]))
            *rest = without(*rest, 1);
        if (rest->len == 0)
            return false;
        while (len < rest->len && !is_separator(rest->at[len]))
            len++;
        *name = (struct tn_slice){ rest->at, len };
        *rest = without(*rest, len);
    } while (tn_slice_is(*name, "."));
    return true;
}

/* A percent sign, then any number of encoded percent signs' tails ("25"), then the code of '.', '/' or '\'. */
static bool is_encoded(struct tn_slice text)
{
    text = without(text, 1);
    while (text.len >= 2 && memcmp(text.at, "25", 2) == 0)
        text = without(text, 2);
    if (text.len < 2)
        return false;
    text.len = 2;
    return tn_slice_fold_equal(text, SLICE_LIT("2e")) || tn_slice_fold_equal(text, SLICE_LIT("2f")) ||
           tn_slice_fold_equal(text, SLICE_LIT("5c"));
}

/* Those of ASCII, and U+0080 to U+009F. */
static bool is_control(struct tn_slice text)
{
    unsigned char c = (unsigned char)text.at[0];

    return c < 0x20 || c == 0x7F || (c == 0xC2 && text.len > 1 && (unsigned char)text.at[1] < 0xA0);
}

static unsigned faults_of_bytes(struct tn_slice text)
{
    unsigned faults = text.len > PATH_LEN_MAX ? BIT(PATH_LONG) : 0;

    for (; text.len > 0; text = without(text, 1)) {
        if (text.at[0] == '\\')
            faults |= BIT(PATH_BACKSLASH);
        else if (text.at[0] == '%' && is_encoded(text))
            faults |= BIT(PATH_ENCODED);
        else if (is_control(text))
            faults |= BIT(PATH_CONTROL);
    }
    return faults;
}

static unsigned faults_of_start(struct tn_slice text, bool absolute)
{
    bool rooted = text.len > 0 && text.at[0] == '/';

    if (text.len > 2 && is_separator(text.at[0]) && is_separator(text.at[1]) && !is_separator(text.at[2]))
        return BIT(PATH_UNC);
    if (rooted && !absolute)
        return BIT(PATH_ABSOLUTE);
    if (!rooted && absolute)
        return BIT(PATH_RELATIVE);
    return 0;
}

/* The drive is looked for in the first name, not the first bytes: "./C:x" would be normalised to one. */
static unsigned faults_of_names(struct tn_slice text, struct tn_slice *last)
{
    bool            rooted = text.len > 0 && text.at[0] == '/';
    unsigned        faults = 0;
    struct tn_slice name;

    *last = (struct tn_slice){ "", 0 };
    for (bool first = true; next_name(&text, &name); first = false) {
        if (tn_slice_is(name, ".."))
            faults |= BIT(PATH_TRAVERSAL);
        if (first && !rooted && name.len >= 2 && tn_ascii_is_letter(name.at[0]) && name.at[1] == ':')
            faults |= BIT(PATH_DRIVE);
        if (name.len > PATH_NAME_MAX)
            faults |= BIT(PATH_LONG);
        *last = name;
    }
    return faults;
}

static bool has_extension(struct tn_slice name, const char *wanted)
{
    struct tn_slice rest = tn_slice_of(wanted), ext;

    while (tn_slice_split(&rest, ',', &ext)) {
        ext = tn_slice_trim(ext);
        if (name.len > ext.len && tn_slice_fold_equal(without(name, name.len - ext.len), ext))
            return true;
    }
    return false;
}

static bool is_normal(struct tn_slice text)
{
    struct tn_slice rest = text, name;
    size_t len = text.at[0] == '/'; /* of what is kept, a slash before each name but the first included */

    if (tn_slice_is(text, ".") || tn_slice_is(text, "/"))
        return true;
    for (bool first = true; next_name(&rest, &name); first = false)
        len += name.len + !first;
    return len == text.len;
}

static struct tn_slice normalise(struct tn_arena *arena, struct tn_slice text)
{
    char           *to  = tn_arena_take(arena, text.len + 1, 1);
    size_t          len = 0;
    struct tn_slice name, rest = text;

    if (!to)
        return (struct tn_slice){ "", 0 };
    if (text.at[0] == '/')
        to[len++] = '/';
    for (bool first = true; next_name(&rest, &name); first = false) {
        if (!first)
            to[len++] = '/';
        memcpy(to + len, name.at, name.len);
        len += name.len;
    }
    if (len == 0)
        to[len++] = '.';
    to[len] = '\0';
    return (struct tn_slice){ to, len };
}

enum tn_path_fault tn_path_check(struct tn_arena *arena, struct tn_slice text,
                                 const struct tn_path_wanted *wanted, struct tn_slice *normal)
{
    struct tn_slice last;
    unsigned        faults = faults_of_start(text, wanted->absolute) | faults_of_bytes(text);

    faults |= faults_of_names(text, &last);
    if (text.len == 0 || (wanted->ext && last.len == 0))
        faults |= BIT(PATH_NOTHING);
    else if (wanted->ext && !has_extension(last, wanted->ext))
        faults |= BIT(PATH_EXTENSION);

    *normal = (struct tn_slice){ "", 0 };
    for (enum tn_path_fault fault = PATH_TRAVERSAL; fault <= PATH_EXTENSION; fault++)
        if (faults & BIT(fault))
            return fault;
    *normal = is_normal(text) ? text : normalise(arena, text);
    return PATH_FINE;
}
