/* path_fuzz.c - no path that is let through climbs, hides a separator, or changes when it is checked again. */
#include <stdlib.h>
#include <string.h>

#include "text/path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_normal(struct slice normal, bool absolute)
{
    struct slice rest = normal, name;

    must(normal.len > 0 && normal.len <= PATH_LEN_MAX);
    must((normal.at[0] == '/') == absolute);
    must(normal.len == 1 || normal.at[normal.len - 1] != '/');
    must(!memchr(normal.at, '\0', normal.len) && !memchr(normal.at, '\\', normal.len));
    if (normal.len == 1)
        return;
    if (absolute)
        rest = (struct slice){ normal.at + 1, normal.len - 1 };
    while (slice_split(&rest, '/', &name)) {
        must(name.len > 0 && name.len <= PATH_NAME_MAX);
        must(!slice_is(name, ".") && !slice_is(name, ".."));
    }
}

static void check(struct slice text, bool absolute, const char *ext)
{
    struct path_wanted wanted = { absolute, ext };
    struct slice       normal, again;
    struct arena       arena;

    arena_init(&arena, NULL, 0);
    if (path_check(&arena, text, &wanted, &normal) == PATH_FINE) {
        check_normal(normal, absolute);
        must(path_check(&arena, normal, &wanted, &again) == PATH_FINE);
        must(again.len == normal.len && memcmp(again.at, normal.at, normal.len) == 0);
        must(path_check(&arena, normal, &(struct path_wanted){ !absolute, ext }, &again) != PATH_FINE);
    } else {
        must(normal.len == 0);
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct slice text = { (const char *)data, len };

    for (int absolute = 0; absolute < 2; absolute++) {
        check(text, absolute, NULL);
        check(text, absolute, ".md,.txt");
    }
    return 0;
}
