/* uri_template_fuzz.c - a template that has no mistake matches only URIs that its literals and values spell again. The first
 * line is the template, the rest the URI.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/uri_template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* Takes `part` off the front of `rest`. */
static void spell(struct tn_slice *rest, struct tn_slice part)
{
    must(part.len <= rest->len && memcmp(rest->at, part.at, part.len) == 0);
    *rest = (struct tn_slice){ rest->at + part.len, rest->len - part.len };
}

static void check_spelling(struct tn_slice text, struct tn_slice uri, const struct tn_variable *variables,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char     *brace = memchr(text.at, '{', text.len);
        struct tn_slice value = variables[i].value;
        bool            open  = brace && brace[1] == '+';

        must(brace && value.len > 0);
        spell(&uri, (struct tn_slice){ text.at, (size_t)(brace - text.at) });
        spell(&uri, value);
        must(open || (!memchr(value.at, '/', value.len) && !memchr(value.at, '?', value.len)));
        must(tn_uri_template_has(text, variables[i].name));
        brace += 1 + open;
        must(memcmp(brace, variables[i].name.at, variables[i].name.len) == 0);
        brace += variables[i].name.len + 1;
        text = (struct tn_slice){ brace, text.len - (size_t)(brace - text.at) };
    }
    spell(&uri, text);
    must(uri.len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char        *line = len > 0 ? memchr(data, '\n', len) : NULL;
    struct tn_slice    text = { (const char *)data, line ? (size_t)(line - (const char *)data) : 0 };
    struct tn_slice    uri  = line ? (struct tn_slice){ line + 1, len - text.len - 1 } : text;
    struct tn_variable variables[URI_VARIABLES_MAX];
    struct tn_arena    arena;
    size_t             count;

    if (!line || tn_uri_template_mistake(text))
        return 0;
    tn_arena_init(&arena, NULL, 0);
    if (tn_uri_template_match(text, uri, variables, &count)) {
        check_spelling(text, uri, variables, count);
        if (tn_uri_template_decode(&arena, variables, count))
            for (size_t i = 0; i < count; i++)
                must(strlen(variables[i].value.at) == variables[i].value.len &&
                     tn_utf8_valid(variables[i].value.at, variables[i].value.len));
    }
    tn_arena_free(&arena);
    return 0;
}
