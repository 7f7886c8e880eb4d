/* place.c - places in files. */
#include "cli/validate/place.h"

#include <string.h>

#include "base/buf.h"
#include "json/locate.h"
#include "json/read.h"

#define PLACE_LEN_MAX 5000
#define FAULT_LEN_MAX 200

const char *source_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path[0] ? path : "''";
}

const char *place_of_byte(struct tn_arena *arena, const struct validate_source *source, size_t byte)
{
    struct tn_json_position position = tn_json_position(source->text, byte);
    struct tn_buf           out;

    tn_buf_init(&out, arena, strlen(source->name) + 32, PLACE_LEN_MAX);
    tn_buf_text(&out, source->name);
    tn_buf_addf(&out, ":%zu:%zu", position.line, position.column);
    return tn_buf_end(&out);
}

const char *place_of_pointer(struct tn_arena *arena, const struct validate_source *source,
                             struct tn_slice pointer)
{
    size_t byte;

    tn_json_locate(source->text, pointer, &byte);
    return place_of_byte(arena, source, byte);
}

bool place_of_fault(struct tn_arena *arena, const struct validate_source *source, const char **place,
                    const char **what)
{
    static const struct tn_json_limits limits = { SIZE_MAX, 1024, SIZE_MAX };
    struct tn_json_text                read = tn_json_read(arena, source->text.at, source->text.len, &limits);
    struct tn_buf                      out;

    if (read.fault != JSON_SYNTAX && !read.bad_utf8)
        return false;
    tn_buf_init(&out, arena, FAULT_LEN_MAX, FAULT_LEN_MAX);
    tn_buf_text(&out, read.fault == JSON_SYNTAX ? "not valid JSON: " : "not valid UTF-8");
    tn_buf_text(&out, read.fault == JSON_SYNTAX ? read.what : "");
    *what  = tn_buf_end(&out);
    *place = place_of_byte(arena, source, read.at);
    return *what && *place;
}
