/* mdlink_fuzz.c - links of any text lead to places beneath the folder, each once; cleaned text is clean. */
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/clean.h"
#include "docs/markdown/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_path(const char *path)
{
    must(path[0] && path[0] != '/' && clean_is_utf8(path, strlen(path)));
    for (const char *part = path; part; part = strchr(part, '/')) {
        size_t len;

        part += part > path;
        len = strcspn(part, "/");
        must(len > 0 && !(len == 1 && part[0] == '.') && !(len == 2 && part[0] == '.' && part[1] == '.'));
    }
}

static void check_clean(const char *at, size_t len)
{
    char  *out = malloc(len + 1), *again = malloc(len + 1);
    size_t out_len;

    must(out && again);
    out_len = clean_text(out, at, len, len);
    must(out_len <= len && strlen(out) == out_len && clean_is_utf8(out, out_len));
    must(clean_text(again, out, out_len, out_len) == out_len && memcmp(again, out, out_len) == 0);
    out_len = clean_text(out, at, len, len / 2);
    must(clean_is_utf8(out, out_len) && memcmp(again, out, out_len) == 0);
    free(out);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct links links;

    check_clean((const char *)data, len);
    if (!links_make(&links, "a/b/c.md", (const char *)data, len, NULL, 0))
        return 0;
    must(links.count <= LINKS_MAX);
    for (size_t i = 0; i < links.count; i++) {
        check_path(links.at[i]);
        for (size_t j = 0; j < i; j++)
            must(strcmp(links.at[i], links.at[j]) != 0);
    }
    links_free(&links);
    return 0;
}
