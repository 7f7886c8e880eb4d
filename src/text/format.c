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

static bool is_uuid(struct tn_slice text)
{
    if (text.len != UUID_LEN)
        return false;
    for (size_t i = 0; i < UUID_LEN; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? text.at[i] != '-' : !tn_ascii_is_hex(text.at[i]))
            return false;
    }
    return true;
}

/* clang-format off */
static const struct tn_format formats[] = {
    { "email",                 "an email address",                "ada@example.com",         tn_email_is_address             },
    { "idn-email",             "an email address",                "ada@example.com",         tn_email_is_international       },
    { "hostname",              "a host name",                     "www.example.com",         tn_idn_is_ascii_name            },
#ifdef TENON_IDN2
    { "idn-hostname",          "a host name",                     "www.example.com",         tn_idn_is_name                  },
#endif
    { "ipv4",                  "an IPv4 address",                 "192.0.2.1",               tn_host_is_ipv4                 },
    { "ipv6",                  "an IPv6 address",                 "2001:db8::1",             tn_host_is_ipv6                 },
    { "uri",                   "an absolute URI",                 "https://example.com/a",   tn_uri_is_absolute              },
    { "uri-reference",         "a URI or a relative reference",   "/a?b=c",                  tn_uri_is_reference             },
    { "iri",                   "an absolute IRI",                 "https://example.com/a",   tn_iri_is_absolute              },
    { "iri-reference",         "an IRI or a relative reference",  "/a?b=c",                  tn_iri_is_reference             },
    { "uri-template",          "a URI template",                  "/users/{id}",             tn_uri_template_well_formed         },
    { "uuid",                  "a UUID",                          "2eb8aa08-aa98-41ea-b4aa-73b441d16380", is_uuid         },
    { "date",                  "a date (YYYY-MM-DD)",             "2025-01-15",              tn_date_well_formed             },
    { "date-time",             "a date and time with its offset", "2025-01-15T10:30:00Z",    tn_timestamp_well_formed        },
    { "time",                  "a time with its offset",          "10:30:00Z",               tn_time_well_formed             },
    { "duration",              "a duration (ISO 8601)",           "P1DT2H",                  tn_duration_well_formed         },
    { "json-pointer",          "a JSON Pointer",                  "/items/0",                tn_pointer_well_formed          },
    { "relative-json-pointer", "a relative JSON Pointer",         "1/items/0",               tn_pointer_relative_well_formed },
    { "regex",                 "a regular expression",            "^[a-z]+$",                tn_pattern_well_formed          },
};
/* clang-format on */

const struct tn_format *tn_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const struct tn_format *tn_format_near(const char *name)
{
    enum { MOST = 2 };
    const struct tn_format *near = NULL;
    unsigned                best = MOST + 1;

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        unsigned distance = tn_str_distance(tn_slice_of(name), tn_slice_of(formats[i].name), MOST);

        if (distance < best)
            best = distance, near = &formats[i];
    }
    return near;
}

struct tn_slice tn_format_scheme(struct tn_slice uri)
{
    return tn_uri_scheme(uri);
}

bool tn_format_is_identifier(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c    = text.at[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';

        if (!word && (i == 0 || (c != '.' && c != '-')))
            return false;
    }
    return text.len > 0;
}

bool tn_format_has_scheme(struct tn_slice uri, const char *schemes)
{
    struct tn_slice rest = tn_slice_of(schemes), part, scheme = tn_format_scheme(uri);

    while (tn_slice_split(&rest, ',', &part))
        if (tn_slice_fold_equal(tn_slice_trim(part), scheme))
            return true;
    return false;
}
