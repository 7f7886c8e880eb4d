/* pattern_fuzz.c - a simple pattern is a pattern, and its answer is the engine's.
 *
 * The first line is the pattern, the rest the text. In a group a pattern means the same, and goes to the engine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/pattern.h"
#include "text/simple_pattern.h"

#define PATTERN_MAX 200 /* longer ones only take time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void compare(struct tn_slice pattern, struct tn_slice text)
{
    struct tn_simple_pattern simple;
    struct pattern          *engine;
    struct matcher          *matcher;
    char                     grouped[PATTERN_MAX + 4];
    enum tn_pattern_result   result;
    size_t                   steps = 1000000;

    if (!tn_simple_pattern_read(&simple, pattern))
        return;
    memcpy(grouped, "(?:", 3);
    memcpy(grouped + 3, pattern.at, pattern.len);
    grouped[3 + pattern.len] = ')';
    must(tn_pattern_well_formed(pattern));
    engine  = tn_pattern_new(NULL, (struct tn_slice){ grouped, pattern.len + 4 }, NULL, 0);
    matcher = tn_matcher_new(NULL);
    must(engine && matcher);
    result = tn_pattern_match(engine, matcher, text, &steps);
    must(result == PATTERN_GAVE_UP || tn_simple_pattern_match(&simple, text) == (result == PATTERN_YES));
    tn_pattern_free(engine);
    tn_matcher_free(matcher);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char     *at  = (const char *)data;
    const char     *end = len > 0 ? memchr(at, '\n', len) : NULL;
    struct tn_slice pattern, text;

    if (!end || end - at > PATTERN_MAX)
        return 0;
    pattern = (struct tn_slice){ at, (size_t)(end - at) };
    text    = (struct tn_slice){ end + 1, len - pattern.len - 1 };
    tn_pattern_well_formed(pattern);
    if (tn_utf8_valid(text.at, text.len))
        compare(pattern, text);
    return 0;
}
