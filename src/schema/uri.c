/* uri.c - RFC 3986, section 3: scheme ":" ["//" authority] path ["?" query] ["#" fragment]. */
#include "schema/uri.h"

#include <string.h>

#include "schema/host.h"

#define SUB_DELIMS "!$&'()*+,;="
#define UNRESERVED "-._~" /* besides letters and digits */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Letters, digits, percent-encoded bytes, and `others`. */
static bool consists_of(struct slice text, const char *others)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '%') {
            if (text.len - i < 3 || !is_hex(text.at[i + 1]) || !is_hex(text.at[i + 2]))
                return false;
            i += 2;
        } else if (!is_letter(c) && !is_digit(c) && !is_one_of(c, others)) {
            return false;
        }
    }
    return true;
}

/* Takes what stands before the first of `marks`, or everything. */
static struct slice take_until(struct slice *rest, const char *marks)
{
    struct slice taken = { rest->at, 0 };

    while (taken.len < rest->len && !is_one_of(taken.at[taken.len], marks))
        taken.len++;
    *rest = (struct slice){ rest->at + taken.len, rest->len - taken.len };
    return taken;
}

static struct slice behind(struct slice text, size_t len)
{
    return (struct slice){ text.at + len, text.len - len };
}

/* "v1.anything": the form kept for addresses to come. */
static bool is_future_address(struct slice text)
{
    struct slice version;

    if (text.len == 0 || (text.at[0] != 'v' && text.at[0] != 'V'))
        return false;
    text    = behind(text, 1);
    version = take_until(&text, ".");
    for (size_t i = 0; i < version.len; i++)
        if (!is_hex(version.at[i]))
            return false;
    return version.len > 0 && text.len > 1 && !memchr(text.at, '%', text.len) &&
           consists_of(text, UNRESERVED SUB_DELIMS ":");
}

/* [userinfo "@"] host [":" port] */
static bool is_authority(struct slice text)
{
    struct slice rest = text, user = take_until(&rest, "@");

    if (rest.len > 0) {
        if (!consists_of(user, UNRESERVED SUB_DELIMS ":"))
            return false;
        text = behind(rest, 1);
    }
    if (text.len > 0 && text.at[0] == '[') {
        struct slice address;

        rest    = behind(text, 1);
        address = take_until(&rest, "]");
        if (rest.len == 0 || (!host_is_ipv6(address) && !is_future_address(address)))
            return false;
        rest = behind(rest, 1);
    } else {
        rest = text;
        if (!consists_of(take_until(&rest, ":"), UNRESERVED SUB_DELIMS))
            return false;
    }
    if (rest.len == 0)
        return true;
    if (rest.at[0] != ':')
        return false;
    for (size_t i = 1; i < rest.len; i++)
        if (!is_digit(rest.at[i]))
            return false;
    return true;
}

struct slice uri_scheme(struct slice text)
{
    size_t len = 0;

    if (text.len == 0 || !is_letter(text.at[0]))
        return (struct slice){ "", 0 };
    while (len < text.len &&
           (is_letter(text.at[len]) || is_digit(text.at[len]) || is_one_of(text.at[len], "+-.")))
        len++;
    if (len == text.len || text.at[len] != ':')
        return (struct slice){ "", 0 };
    return (struct slice){ text.at, len };
}

bool uri_is_absolute(struct slice text)
{
    struct slice scheme = uri_scheme(text), rest;

    if (scheme.len == 0)
        return false;
    rest = behind(text, scheme.len + 1);
    if (rest.len >= 2 && rest.at[0] == '/' && rest.at[1] == '/') {
        rest = behind(rest, 2);
        if (!is_authority(take_until(&rest, "/?#")))
            return false;
    }
    if (!consists_of(take_until(&rest, "?#"), UNRESERVED SUB_DELIMS ":@/"))
        return false;
    if (rest.len > 0 && rest.at[0] == '?') {
        rest = behind(rest, 1);
        if (!consists_of(take_until(&rest, "#"), UNRESERVED SUB_DELIMS ":@/?"))
            return false;
    }
    return rest.len == 0 || consists_of(behind(rest, 1), UNRESERVED SUB_DELIMS ":@/?");
}
