/* email.c - local part, "@", domain. */
#include "text/email.h"

#include <string.h>

#include "base/utf8.h"
#include "text/host.h"

#define EMAIL_MAX_LEN 254
#define LOCAL_MAX_LEN 64

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

/* Atoms with single dots between them. Bytes beyond ASCII are part of an atom; whether there may be any is judged
 * elsewhere, here and below. */
static bool is_dot_atom(struct tn_slice text)
{
    char before = '.';

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '.' ? before == '.'
                     : is_ascii(c) && !is_alnum(c) && (c == '\0' || !strchr("!#$%&'*+/=?^_`{|}~-", c)))
            return false;
        before = c;
    }
    return before != '.';
}

/* How long the quoted string at the front is; 0 when there is none. */
static size_t quoted_len(struct tn_slice text)
{
    if (text.len == 0 || text.at[0] != '"')
        return 0;
    for (size_t i = 1; i < text.len; i++) {
        if (text.at[i] == '"')
            return i + 1;
        if (text.at[i] == '\\')
            i++;
        if (i < text.len && is_ascii(text.at[i]) && (text.at[i] < ' ' || text.at[i] > '~'))
            return 0;
    }
    return 0;
}

/* A name, or an address in brackets. */
static bool is_domain(struct tn_slice text)
{
    struct tn_slice inside;

    if (text.len < 2 || text.at[0] != '[')
        return tn_host_is_wide_name(text);
    if (text.at[text.len - 1] != ']')
        return false;
    inside = (struct tn_slice){ text.at + 1, text.len - 2 };
    if (inside.len > 5 && tn_slice_fold_equal((struct tn_slice){ inside.at, 5 }, SLICE_LIT("IPv6:")))
        return tn_host_is_ipv6((struct tn_slice){ inside.at + 5, inside.len - 5 });
    return tn_host_is_ipv4(inside);
}

bool tn_email_is_international(struct tn_slice text)
{
    size_t      local = quoted_len(text);
    const char *at    = local ? text.at + local : text.len ? memchr(text.at, '@', text.len) : NULL;

    if (text.len > EMAIL_MAX_LEN || !tn_utf8_valid(text.at, text.len) || !at || at == text.at + text.len ||
        *at != '@')
        return false;
    if (!local) {
        local = (size_t)(at - text.at);
        if (!is_dot_atom((struct tn_slice){ text.at, local }))
            return false;
    }
    return local <= LOCAL_MAX_LEN && is_domain((struct tn_slice){ at + 1, text.len - local - 1 });
}

bool tn_email_is_address(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_ascii(text.at[i]))
            return false;
    return tn_email_is_international(text);
}
