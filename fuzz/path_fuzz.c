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

static void check_normal(struct tn_slice normal, bool absolute)
{
    struct tn_slice rest = normal, name;

    must(normal.len > 0 && normal.len <= PATH_LEN_MAX);
    must((normal.at[0] == '/') == absolute);
    must(normal.len == 1 || normal.at[normal.len - 1] != '/');
    must(!memchr(normal.at, '\0', normal.len) && !memchr(normal.at, '\\', normal.len));
    if (normal.len == 1)
        return;
    if (absolute)
        rest = (struct tn_slice){ normal.at + 1, normal.len - 1 };
    while (tn_slice_split(&rest, '/', &name)) {
        must(name.len > 0 && name.len <= PATH_NAME_MAX);
        must(!tn_slice_is(name, ".") && !tn_slice_is(name, ".."));
    }
}

static void check(struct tn_slice text, bool absolute, const char *ext)
{
    struct tn_path_wanted wanted = { absolute, ext };
    struct tn_slice       normal, again;
    struct tn_arena       arena;

    tn_arena_init(&arena, NULL, 0);
    if (tn_path_check(&arena, text, &wanted, &normal) == PATH_FINE) {
        check_normal(normal, absolute);
        must(tn_path_check(&arena, normal, &wanted, &again) == PATH_FINE);
        must(again.len == normal.len && memcmp(again.at, normal.at, normal.len) == 0);
        must(tn_path_check(&arena, normal, &(struct tn_path_wanted){ !absolute, ext }, &again) != PATH_FINE);
    } else {
        must(normal.len == 0);
    }
    tn_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct tn_slice text = { (const char *)data, len };

    for (int absolute = 0; absolute < 2; absolute++) {
        check(text, absolute, NULL);
        check(text, absolute, ".md,.txt");
    }
    return 0;
}
