/* format.c - the formats that are checked. */
#include "schema/format.h"

#include <string.h>

#include "schema/date.h"
#include "schema/host.h"
#include "schema/uri.h"

#define EMAIL_MAX_LEN 254
#define LOCAL_MAX_LEN 64
#define UUID_LEN      36

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_uuid(struct slice text)
{
    if (text.len != UUID_LEN)
        return false;
    for (size_t i = 0; i < UUID_LEN; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? text.at[i] != '-' : !is_hex(text.at[i]))
            return false;
    }
    return true;
}

/* Atoms with single dots between them. */
static bool is_dot_atom(struct slice text)
{
    char before = '.';

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '.' ? before == '.' : !is_alnum(c) && (c == '\0' || !strchr("!#$%&'*+/=?^_`{|}~-", c)))
            return false;
        before = c;
    }
    return before != '.';
}

/* How long the quoted string at the front is; 0 when there is none. */
static size_t quoted_len(struct slice text)
{
    if (text.len == 0 || text.at[0] != '"')
        return 0;
    for (size_t i = 1; i < text.len; i++) {
        if (text.at[i] == '"')
            return i + 1;
        if (text.at[i] == '\\')
            i++;
        if (i < text.len && (text.at[i] < ' ' || text.at[i] > '~'))
            return 0;
    }
    return 0;
}

/* A name, or an address in brackets. */
static bool is_mail_domain(struct slice text)
{
    struct slice inside;

    if (text.len < 2 || text.at[0] != '[')
        return host_is_name(text);
    if (text.at[text.len - 1] != ']')
        return false;
    inside = (struct slice){ text.at + 1, text.len - 2 };
    if (inside.len > 5 && slice_fold_equal((struct slice){ inside.at, 5 }, SLICE_LIT("IPv6:")))
        return host_is_ipv6((struct slice){ inside.at + 5, inside.len - 5 });
    return host_is_ipv4(inside);
}

/* What RFC 5321 calls a mailbox: no comments, no display name, ASCII only. */
static bool is_email(struct slice text)
{
    size_t      local = quoted_len(text);
    const char *at    = local ? text.at + local : text.len ? memchr(text.at, '@', text.len) : NULL;

    if (text.len > EMAIL_MAX_LEN || !at || at == text.at + text.len || *at != '@')
        return false;
    if (!local) {
        local = (size_t)(at - text.at);
        if (!is_dot_atom((struct slice){ text.at, local }))
            return false;
    }
    return local <= LOCAL_MAX_LEN && is_mail_domain((struct slice){ at + 1, text.len - local - 1 });
}

static const struct format formats[] = {
    { "email", "an email address", "ada@example.com", is_email },
    { "hostname", "a host name", "www.example.com", host_is_name },
    { "ipv4", "an IPv4 address", "192.0.2.1", host_is_ipv4 },
    { "ipv6", "an IPv6 address", "2001:db8::1", host_is_ipv6 },
    { "uri", "an absolute URI", "https://example.com/a", uri_is_absolute },
    { "uuid", "a UUID", "2eb8aa08-aa98-41ea-b4aa-73b441d16380", is_uuid },
    { "date", "a date (YYYY-MM-DD)", "2025-01-15", date_well_formed },
    { "date-time", "a date and time with its offset", "2025-01-15T10:30:00Z", timestamp_well_formed },
    { "time", "a time with its offset", "10:30:00Z", time_well_formed },
};

const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

struct slice format_scheme(struct slice uri)
{
    return uri_scheme(uri);
}

bool format_is_identifier(struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c    = text.at[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';

        if (!word && (i == 0 || (c != '.' && c != '-')))
            return false;
    }
    return text.len > 0;
}

bool format_has_scheme(struct slice uri, const char *schemes)
{
    struct slice rest = slice_of(schemes), part, scheme = format_scheme(uri);

    while (slice_split(&rest, ',', &part))
        if (slice_fold_equal(slice_trim(part), scheme))
            return true;
    return false;
}
