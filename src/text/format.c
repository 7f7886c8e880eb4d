/* format.c - the formats that are checked. */
#include "text/format.h"

#include <string.h>

#include "base/ascii.h"
#include "json/pointer.h"
#include "text/date.h"
#include "text/duration.h"
#include "text/email.h"
#include "text/host.h"
#include "text/idn.h"
#include "text/pattern.h"
#include "text/uri.h"
#include "text/uri_template.h"

#define UUID_LEN 36

static bool is_uuid(struct slice text)
{
    if (text.len != UUID_LEN)
        return false;
    for (size_t i = 0; i < UUID_LEN; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? text.at[i] != '-' : !ascii_is_hex(text.at[i]))
            return false;
    }
    return true;
}

/* clang-format off */
static const struct format formats[] = {
    { "email",                 "an email address",                "ada@example.com",         email_is_address             },
    { "idn-email",             "an email address",                "ada@example.com",         email_is_international       },
    { "hostname",              "a host name",                     "www.example.com",         idn_is_ascii_name            },
#ifdef TENON_IDN2
    { "idn-hostname",          "a host name",                     "www.example.com",         idn_is_name                  },
#endif
    { "ipv4",                  "an IPv4 address",                 "192.0.2.1",               host_is_ipv4                 },
    { "ipv6",                  "an IPv6 address",                 "2001:db8::1",             host_is_ipv6                 },
    { "uri",                   "an absolute URI",                 "https://example.com/a",   uri_is_absolute              },
    { "uri-reference",         "a URI or a relative reference",   "/a?b=c",                  uri_is_reference             },
    { "iri",                   "an absolute IRI",                 "https://example.com/a",   iri_is_absolute              },
    { "iri-reference",         "an IRI or a relative reference",  "/a?b=c",                  iri_is_reference             },
    { "uri-template",          "a URI template",                  "/users/{id}",             template_well_formed         },
    { "uuid",                  "a UUID",                          "2eb8aa08-aa98-41ea-b4aa-73b441d16380", is_uuid         },
    { "date",                  "a date (YYYY-MM-DD)",             "2025-01-15",              date_well_formed             },
    { "date-time",             "a date and time with its offset", "2025-01-15T10:30:00Z",    timestamp_well_formed        },
    { "time",                  "a time with its offset",          "10:30:00Z",               time_well_formed             },
    { "duration",              "a duration (ISO 8601)",           "P1DT2H",                  duration_well_formed         },
    { "json-pointer",          "a JSON Pointer",                  "/items/0",                pointer_well_formed          },
    { "relative-json-pointer", "a relative JSON Pointer",         "1/items/0",               pointer_relative_well_formed },
    { "regex",                 "a regular expression",            "^[a-z]+$",                pattern_well_formed          },
};
/* clang-format on */

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
