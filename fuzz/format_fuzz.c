/* format_fuzz.c - every format on any text, and what follows from one for another. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "json/pointer.h"
#include "text/format.h"
#include "text/uri_reference.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool is(const char *name, struct tn_slice text)
{
    const struct tn_format *format = tn_format_find(name);

    return format && format->accepts(text);
}

/* What is the one is the other too. */
static void check_order(struct tn_slice text)
{
    static const struct { const char *narrow, *wide; } cases[] = {
        { "uri",           "iri"           },
        { "uri",           "uri-reference" },
        { "iri",           "iri-reference" },
        { "uri-reference", "iri-reference" },
        { "email",         "idn-email"     },
#ifdef TENON_IDN2
        { "hostname",      "idn-hostname"  },
#endif
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        must(!is(cases[i].narrow, text) || is(cases[i].wide, text));
    must(!is("uri-reference", text) || is("uri-template", text) || memchr(text.at, '{', text.len));
}

/* What was resolved is the same when it is resolved again. */
static struct tn_slice check_resolved(struct tn_arena *arena, struct tn_slice base, struct tn_slice text)
{
    struct tn_slice once = tn_uri_reference_resolve(arena, base, text), twice;

    if (once.at) {
        twice = tn_uri_reference_resolve(arena, base, once);
        must(twice.at && twice.len == once.len && memcmp(twice.at, once.at, once.len) == 0);
    }
    return once;
}

static void check_reference(struct tn_slice text)
{
    struct tn_slice once, without, fragment;
    struct tn_arena arena;

    tn_arena_init(&arena, NULL, 0);
    once = check_resolved(&arena, SLICE_LIT("http://host/a/b?c"), text);
    must(!once.at || !is("uri-reference", text) || is("uri", once));
    once = check_resolved(&arena, SLICE_LIT("urn:a:b"), text);
    must(!once.at || !is("uri-reference", text) || is("uri", once));
    once = check_resolved(&arena, SLICE_LIT(""), text);
    must(!once.at || !is("uri-reference", text) || is("uri-reference", once));
    tn_uri_reference_split(text, &without, &fragment);
    must(without.len + fragment.len <= text.len);
    tn_uri_reference_decode(&arena, fragment);
    tn_arena_free(&arena);
}

static void check_pointer(struct tn_slice text)
{
    struct tn_slice rest = text, token;
    struct tn_arena arena;
    bool            bad;

    tn_arena_init(&arena, NULL, 0);
    while (tn_pointer_step(&arena, &rest, &token, &bad))
        must(token.len <= text.len);
    must(bad != is("json-pointer", text));
    tn_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const names[] = {
        "email",        "idn-email", "hostname",     "idn-hostname",
        "ipv4",         "ipv6",      "uri",          "iri",
        "uri-template", "uuid",      "date",         "date-time",
        "time",         "duration",  "json-pointer", "relative-json-pointer",
        "regex",
    };
    struct tn_slice text = { (const char *)data, len };

    if (len == 0)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is(names[i], text);
    check_order(text);
    check_reference(text);
    check_pointer(text);
    return 0;
}
