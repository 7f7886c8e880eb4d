/* front_fuzz.c - front matter is read as JSON or refused; a key is set to any text and nothing else changes. The first line is
 * the value, the rest the file.
 */
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/clean.h"
#include "docs/markdown/front.h"
#include "json/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_json(const struct text *json)
{
    static const struct tn_json_limits limits = { .bytes = SIZE_MAX,
                                                  .depth = FRONT_DEPTH_MAX + 1,
                                                  .nodes = SIZE_MAX };
    struct tn_arena                    arena;
    struct tn_json_text                read;

    tn_arena_init(&arena, NULL, 0);
    read = tn_json_read(&arena, json->at, json->len, &limits);
    must(read.root && !read.bad_utf8 && yyjson_is_obj(read.root));
    tn_arena_free(&arena);
}

/* Setting the same again changes nothing; only the YAML may change at all. */
static void check_set(const struct front *front, const char *file, size_t len, const char *value)
{
    struct text set = { 0 }, again = { 0 };

    if (front_set(&set, file, len, "k", value)) {
        size_t after = len - front->end;

        must(front->present && set.len >= front->begin + after);
        must(memcmp(set.at, file, front->begin) == 0);
        must(memcmp(set.at + set.len - after, file + front->end, after) == 0);
        must(front_set(&again, set.at, set.len, "k", value));
        must(again.len == set.len && memcmp(again.at, set.at, set.len) == 0);
    }
    text_free(&set);
    text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char  *at   = (const char *)data;
    const char  *line = len > 0 ? memchr(at, '\n', len) : NULL;
    char         value[256];
    size_t       value_len = line ? (size_t)(line - at) : 0;
    struct front front;
    char        *mistake;

    if (!line || value_len >= sizeof value)
        return 0;
    memcpy(value, at, value_len);
    value[value_len] = '\0';
    len -= value_len + 1;
    if (front_read(&front, line + 1, len, &mistake)) {
        must(front.begin <= front.end && front.end <= front.body && front.body <= len &&
             front.body_line >= 1);
        must(front.present || front.json.len == 2);
        check_json(&front.json);
        check_set(&front, line + 1, len, value);
        front_free(&front);
    } else {
        must(mistake && strncmp(mistake, "line ", 5) == 0);
        free(mistake);
    }
    return 0;
}
