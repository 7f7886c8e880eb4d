/* uri.c - RFC 3986, section 3: scheme ":" ["//" authority] path ["?" query] ["#" fragment].
 *
 * An IRI is the same with more characters, in everything but the scheme and addresses in brackets.
 */
#include "text/uri.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/host.h"

#define SUB_DELIMS "!$&'()*+,;="
#define UNRESERVED "-._~" /* besides letters and digits */

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Which characters there are besides ASCII. */
enum beyond { BEYOND_NONE, BEYOND_IRI, BEYOND_QUERY };

bool tn_iri_has(uint32_t code)
{
    if (code < 0x10000)
        return (code >= 0xA0 && code <= 0xD7FF) || (code >= 0xF900 && code <= 0xFDCF) ||
               (code >= 0xFDF0 && code <= 0xFFEF);
    return code <= 0xEFFFD && (code & 0xFFFF) <= 0xFFFD && (code < 0xE0000 || code >= 0xE1000);
}

bool tn_iri_query_has(uint32_t code)
{
    return (code >= 0xE000 && code <= 0xF8FF) ||
           (code >= 0xF0000 && code <= 0x10FFFF && (code & 0xFFFF) <= 0xFFFD);
}

/* How long the character at the front is, if it is one of those; else 0. */
static size_t beyond_len(struct tn_slice text, enum beyond beyond)
{
    uint32_t code;
    size_t   len = beyond == BEYOND_NONE ? 0 : tn_utf8_read(text.at, text.len, &code);

    return len > 1 && (tn_iri_has(code) || (beyond == BEYOND_QUERY && tn_iri_query_has(code))) ? len : 0;
}

/* Letters, digits, percent-encoded bytes, `others` of ASCII, and what is beyond. */
static bool consists_of(struct tn_slice text, const char *others, enum beyond beyond)
{
    for (size_t i = 0, len; i < text.len; i += len) {
        char c = text.at[i];

        if (c == '%')
            len = text.len - i >= 3 && tn_ascii_is_hex(text.at[i + 1]) && tn_ascii_is_hex(text.at[i + 2]) ? 3
                                                                                                          : 0;
        else if (tn_ascii_is_letter(c) || tn_ascii_is_digit(c) || is_one_of(c, others))
            len = 1;
        else
            len = beyond_len((struct tn_slice){ text.at + i, text.len - i }, beyond);
        if (len == 0)
            return false;
    }
    return true;
}

/* Takes what stands before the first of `marks`, or everything. */
static struct tn_slice take_until(struct tn_slice *rest, const char *marks)
{
    struct tn_slice taken = { rest->at, 0 };

    while (taken.len < rest->len && !is_one_of(taken.at[taken.len], marks))
        taken.len++;
    *rest = (struct tn_slice){ rest->at + taken.len, rest->len - taken.len };
    return taken;
}

static struct tn_slice uri_behind(struct tn_slice text, size_t len)
{
    return (struct tn_slice){ text.at + len, text.len - len };
}

/* "v1.anything": the form kept for addresses to come. */
static bool is_future_address(struct tn_slice text)
{
    struct tn_slice version;

    if (text.len == 0 || (text.at[0] != 'v' && text.at[0] != 'V'))
        return false;
    text    = uri_behind(text, 1);
    version = take_until(&text, ".");
    for (size_t i = 0; i < version.len; i++)
        if (!tn_ascii_is_hex(version.at[i]))
            return false;
    return version.len > 0 && text.len > 1 && !memchr(text.at, '%', text.len) &&
           consists_of(text, UNRESERVED SUB_DELIMS ":", BEYOND_NONE);
}

/* [userinfo "@"] host [":" port] */
static bool is_authority(struct tn_slice text, enum beyond beyond)
{
    struct tn_slice rest = text, user = take_until(&rest, "@");

    if (rest.len > 0) {
        if (!consists_of(user, UNRESERVED SUB_DELIMS ":", beyond))
            return false;
        text = uri_behind(rest, 1);
    }
    if (text.len > 0 && text.at[0] == '[') {
        struct tn_slice address;

        rest    = uri_behind(text, 1);
        address = take_until(&rest, "]");
        if (rest.len == 0 || (!tn_host_is_ipv6(address) && !is_future_address(address)))
            return false;
        rest = uri_behind(rest, 1);
    } else {
        rest = text;
        if (!consists_of(take_until(&rest, ":"), UNRESERVED SUB_DELIMS, beyond))
            return false;
    }
    if (rest.len == 0)
        return true;
    if (rest.at[0] != ':')
        return false;
    for (size_t i = 1; i < rest.len; i++)
        if (!tn_ascii_is_digit(rest.at[i]))
            return false;
    return true;
}

struct tn_slice tn_uri_scheme(struct tn_slice text)
{
    size_t len = 0;

    if (text.len == 0 || !tn_ascii_is_letter(text.at[0]))
        return (struct tn_slice){ "", 0 };
    while (len < text.len && (tn_ascii_is_letter(text.at[len]) || tn_ascii_is_digit(text.at[len]) ||
                              is_one_of(text.at[len], "+-.")))
        len++;
    if (len == text.len || text.at[len] != ':')
        return (struct tn_slice){ "", 0 };
    return (struct tn_slice){ text.at, len };
}

/* What follows the scheme. */
static bool is_rest(struct tn_slice rest, enum beyond beyond)
{
    if (rest.len >= 2 && rest.at[0] == '/' && rest.at[1] == '/') {
        rest = uri_behind(rest, 2);
        if (!is_authority(take_until(&rest, "/?#"), beyond))
            return false;
    }
    if (!consists_of(take_until(&rest, "?#"), UNRESERVED SUB_DELIMS ":@/", beyond))
        return false;
    if (rest.len > 0 && rest.at[0] == '?') {
        enum beyond in_query = beyond == BEYOND_NONE ? BEYOND_NONE : BEYOND_QUERY;

        rest = uri_behind(rest, 1);
        if (!consists_of(take_until(&rest, "#"), UNRESERVED SUB_DELIMS ":@/?", in_query))
            return false;
    }
    return rest.len == 0 || consists_of(uri_behind(rest, 1), UNRESERVED SUB_DELIMS ":@/?", beyond);
}

static bool is_absolute(struct tn_slice text, enum beyond beyond)
{
    struct tn_slice scheme = tn_uri_scheme(text);

    return scheme.len > 0 && is_rest(uri_behind(text, scheme.len + 1), beyond);
}

/* A colon in the first segment would end a scheme. */
static bool is_relative(struct tn_slice text, enum beyond beyond)
{
    struct tn_slice rest = text, first = take_until(&rest, "/?#");

    return (first.len == 0 || !memchr(first.at, ':', first.len)) && is_rest(text, beyond);
}

bool tn_uri_is_absolute(struct tn_slice text)
{
    return is_absolute(text, BEYOND_NONE);
}

bool tn_iri_is_absolute(struct tn_slice text)
{
    return is_absolute(text, BEYOND_IRI);
}

bool tn_uri_is_reference(struct tn_slice text)
{
    return is_absolute(text, BEYOND_NONE) || is_relative(text, BEYOND_NONE);
}

bool tn_iri_is_reference(struct tn_slice text)
{
    return is_absolute(text, BEYOND_IRI) || is_relative(text, BEYOND_IRI);
}
