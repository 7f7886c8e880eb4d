/* recording.c - writing and reading it. */
#include "cli/wire/recording.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "cli/value.h"
#include "json/read.h"
#include "json/write.h"

#define SLACK        ((size_t)200)
#define MESSAGES_MAX ((size_t)1000000)

static const struct tn_json_limits limits = { RELAY_LINE_MAX, 500, 4000000 };

struct tn_slice recording_head(struct tn_arena *arena, char *const *words)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, SLACK, RELAY_LINE_MAX);
    tn_buf_lit(&out, "{\"tenon\":\"recording\",\"version\":1,\"command\":[");
    for (size_t i = 0; words[i]; i++) {
        if (i > 0)
            tn_buf_char(&out, ',');
        tn_json_string(&out, words[i], strlen(words[i]));
    }
    tn_buf_lit(&out, "]}\n");
    return out.failed ? (struct tn_slice){ "", 0 } : tn_buf_slice(&out);
}

struct tn_slice recording_line(struct tn_arena *arena, enum relay_side from, int64_t at_ms,
                               struct tn_slice line)
{
    struct tn_json_text read = tn_json_read(arena, line.at, line.len, &limits);
    bool                json = read.fault == JSON_FINE && !read.bad_utf8;
    struct tn_buf       out;

    tn_buf_init(&out, arena, line.len + SLACK, RELAY_LINE_MAX * 6 + SLACK);
    tn_buf_addf(&out, "{\"at\":%" PRId64 ",\"from\":\"%s\",\"%s\":", at_ms,
                from == FROM_CLIENT ? "client" : "server", json ? "message" : "text");
    if (json)
        tn_buf_add(&out, line.at, line.len);
    else
        tn_json_string(&out, line.at, line.len);
    tn_buf_lit(&out, "}\n");
    return out.failed ? (struct tn_slice){ "", 0 } : tn_buf_slice(&out);
}

/* One line; false when it is not one of a recording. */
static bool take_line(struct recording *recording, yyjson_val *line, size_t number)
{
    struct tn_slice from    = value_text(line, "from");
    yyjson_val     *message = yyjson_obj_get(line, "message");

    if (tn_slice_is(value_text(line, "tenon"), "recording")) {
        recording->count = 0;
        return true;
    }
    if (!tn_slice_is(from, "client") && !tn_slice_is(from, "server"))
        return false;
    if (yyjson_is_obj(message)) /* a stray line has no part in a conversation */
        recording->at[recording->count++] = (struct recorded){ tn_slice_is(from, "client") ? FROM_CLIENT
                                                                                           : FROM_SERVER,
                                                               message, number };
    return true;
}

bool recording_read(struct tn_arena *arena, struct tn_slice text, struct recording *recording, char why[200])
{
    struct tn_slice line, rest = text;
    size_t          count = 0, number = 0;

    while (tn_slice_split(&rest, '\n', &line))
        count++;
    *recording = (struct recording){ 0 };
    if (count > MESSAGES_MAX) {
        snprintf(why, 200, "it has more than %zu messages", MESSAGES_MAX);
        return false;
    }
    recording->at = tn_arena_array(arena, count + 1, struct recorded);
    while (recording->at && tn_slice_split(&text, '\n', &line)) {
        number++;
        if (tn_slice_trim(line).len == 0)
            continue;
        if (!take_line(recording, tn_json_read(arena, line.at, line.len, &limits).root, number)) {
            snprintf(why, 200, "line %zu is none of a recording of tenon tee", number);
            return false;
        }
    }
    snprintf(why, 200, "%s", recording->at ? "it has no messages" : "out of memory");
    return recording->at && recording->count > 0;
}
