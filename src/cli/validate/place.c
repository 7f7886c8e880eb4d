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

const char *place_of_byte(struct arena *arena, const struct source *source, size_t byte)
{
    struct json_position position = json_position(source->text, byte);
    struct buf           out;

    buf_init(&out, arena, strlen(source->name) + 32, PLACE_LEN_MAX);
    buf_text(&out, source->name);
    buf_addf(&out, ":%zu:%zu", position.line, position.column);
    return buf_end(&out);
}

const char *place_of_pointer(struct arena *arena, const struct source *source, struct slice pointer)
{
    size_t byte;

    json_locate(source->text, pointer, &byte);
    return place_of_byte(arena, source, byte);
}

bool place_of_fault(struct arena *arena, const struct source *source, const char **place, const char **what)
{
    static const struct json_limits limits = { SIZE_MAX, 1024, SIZE_MAX };
    struct json_text                read   = json_read(arena, source->text.at, source->text.len, &limits);
    struct buf                      out;

    if (read.fault != JSON_SYNTAX && !read.bad_utf8)
        return false;
    buf_init(&out, arena, FAULT_LEN_MAX, FAULT_LEN_MAX);
    buf_text(&out, read.fault == JSON_SYNTAX ? "not valid JSON: " : "not valid UTF-8");
    buf_text(&out, read.fault == JSON_SYNTAX ? read.what : "");
    *what  = buf_end(&out);
    *place = place_of_byte(arena, source, read.at);
    return *what && *place;
}
