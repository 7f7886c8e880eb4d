/* front_yaml.c - libyaml's events written as JSON.
 *
 * Events and not documents: nothing is built that an attacker could make large, and every event has its place. Numbers
 * are what JSON spells as numbers; true, false and null in YAML's three spellings; all else is text, dates, `no` and
 * 0777 included, since guessing more than that loses what was written.
 */
#include "docs/markdown/front_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/json.h>
#include <yaml.h>

#include "docs/markdown/front.h"

/* A key among the names. */
struct key {
    size_t begin, len;
};

struct reader {
    yaml_parser_t        parser;
    const char          *at;
    size_t               len;
    tenon_writer        *w;
    struct yaml_place   *place; /* may be NULL */
    struct yaml_mistake *mistake;
    struct text          names; /* the keys of all open maps, one after another */
    struct key          *keys;
    size_t               key_count, key_room;
    size_t               depth;
    size_t               last; /* characters before the end of the last value */
};

/* ---- Places ------------------------------------------------------------------------------------------------- */

/* libyaml counts characters. */
static size_t byte_of(const struct reader *reader, size_t characters)
{
    size_t byte = 0;

    while (byte < reader->len && characters > 0) {
        byte++;
        while (byte < reader->len && ((unsigned char)reader->at[byte] & 0xc0) == 0x80)
            byte++;
        characters--;
    }
    return byte;
}

/* And its lines end at other characters too. */
static size_t line_of(const struct reader *reader, size_t byte)
{
    size_t line = 1;

    for (size_t i = 0; i < byte && i < reader->len; i++)
        line += reader->at[i] == '\n' ||
                (reader->at[i] == '\r' && !(i + 1 < reader->len && reader->at[i + 1] == '\n'));
    return line;
}

static bool refuse_byte(struct reader *reader, size_t byte, const char *text)
{
    reader->mistake->line = line_of(reader, byte);
    snprintf(reader->mistake->text, sizeof reader->mistake->text, "%s", text);
    return false;
}

static bool refuse(struct reader *reader, const yaml_event_t *event, const char *text)
{
    return refuse_byte(reader, byte_of(reader, event->start_mark.index), text);
}

static bool no_memory(struct reader *reader)
{
    *reader->mistake = (struct yaml_mistake){ 0 };
    return false;
}

static bool refuse_problem(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    char                 text[128];

    if (parser->error == YAML_MEMORY_ERROR)
        return no_memory(reader);
    snprintf(text, sizeof text, "this is not YAML: %s", parser->problem ? parser->problem : "unreadable");
    if (parser->error == YAML_READER_ERROR)
        return refuse_byte(reader, parser->problem_offset, text);
    return refuse_byte(reader, byte_of(reader, parser->problem_mark.index), text);
}

/* ---- Scalars ------------------------------------------------------------------------------------------------ */

static bool is_one_of(const char *at, size_t len, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == len && memcmp(at, *words, len) == 0)
            return true;
    return false;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* As JSON spells it. */
static bool is_number(const char *at, size_t len)
{
    const char *end   = at + len;
    const char *digit = at + (len > 0 && *at == '-'), *next = skip_digits(digit, end);

    if (next == digit || (*digit == '0' && next > digit + 1))
        return false;
    if (next < end && *next == '.') {
        digit = next + 1;
        next  = skip_digits(digit, end);
        if (next == digit)
            return false;
    }
    if (next < end && (*next == 'e' || *next == 'E')) {
        digit = next + 1;
        digit += digit < end && (*digit == '+' || *digit == '-');
        next = skip_digits(digit, end);
        if (next == digit)
            return false;
    }
    return next == end;
}

static const char *const trues[]  = { "true", "True", "TRUE", NULL };
static const char *const falses[] = { "false", "False", "FALSE", NULL };
static const char *const nulls[]  = { "", "~", "null", "Null", "NULL", NULL };

bool yaml_plain_is_text(const char *at, size_t len)
{
    return !is_one_of(at, len, trues) && !is_one_of(at, len, falses) && !is_one_of(at, len, nulls) &&
           !is_number(at, len);
}

static void write_scalar(tenon_writer *w, const yaml_event_t *event)
{
    const char *at  = (const char *)event->data.scalar.value;
    size_t      len = event->data.scalar.length;

    if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || yaml_plain_is_text(at, len))
        tenon_write_bytes(w, NULL, at, len);
    else if (is_one_of(at, len, nulls))
        tenon_write_null(w, NULL);
    else if (is_one_of(at, len, trues) || is_one_of(at, len, falses))
        tenon_write_bool(w, NULL, is_one_of(at, len, trues));
    else
        tenon_write_raw(w, NULL, at, len);
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

static bool check_decoration(struct reader *reader, const yaml_event_t *event, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
    if (anchor)
        return refuse(reader, event, "anchors (&name) are not allowed");
    if (tag)
        return refuse(reader, event, "tags (!name) are not allowed");
    return true;
}

static bool check_event(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT: return refuse(reader, event, "aliases (*name) are not allowed");
    case YAML_SCALAR_EVENT:
        if (memchr(event->data.scalar.value, '\0', event->data.scalar.length))
            return refuse(reader, event, "text must not contain NUL");
        return check_decoration(reader, event, event->data.scalar.anchor, event->data.scalar.tag);
    case YAML_SEQUENCE_START_EVENT:
        return check_decoration(reader, event, event->data.sequence_start.anchor,
                                event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return check_decoration(reader, event, event->data.mapping_start.anchor,
                                event->data.mapping_start.tag);
    case YAML_DOCUMENT_START_EVENT:
        if (event->data.document_start.version_directive ||
            event->data.document_start.tag_directives.start != event->data.document_start.tag_directives.end)
            return refuse(reader, event, "directives (%NAME) are not allowed");
        return true;
    default: return true;
    }
}

/* The next event, to be deleted; false after a mistake, and then there is nothing to delete. */
static bool next_event(struct reader *reader, yaml_event_t *event)
{
    if (!yaml_parser_parse(&reader->parser, event))
        return refuse_problem(reader);
    if (check_event(reader, event))
        return true;
    yaml_event_delete(event);
    return false;
}

static bool take_event(struct reader *reader, yaml_event_type_t *type)
{
    yaml_event_t event;

    if (!next_event(reader, &event))
        return false;
    *type = event.type;
    yaml_event_delete(&event);
    return true;
}

/* Remembers the key of a map whose first one is `first`. */
static bool add_key(struct reader *reader, size_t first, const yaml_event_t *event)
{
    struct key key = { reader->names.len, event->data.scalar.length };

    text_add(&reader->names, (const char *)event->data.scalar.value, key.len);
    if (reader->names.failed)
        return no_memory(reader);
    for (size_t i = first; i < reader->key_count; i++)
        if (reader->keys[i].len == key.len &&
            memcmp(reader->names.at + reader->keys[i].begin, reader->names.at + key.begin, key.len) == 0)
            return refuse(reader, event, "this key is there twice");
    if (reader->key_count - first == YAML_KEYS_MAX)
        return refuse(reader, event, "there are too many keys in one map");
    if (reader->key_count == reader->key_room) {
        size_t      room = reader->key_room ? reader->key_room * 2 : 64;
        struct key *more = realloc(reader->keys, room * sizeof *more);

        if (!more)
            return no_memory(reader);
        reader->keys     = more;
        reader->key_room = room;
    }
    reader->keys[reader->key_count++] = key;
    return true;
}

static bool read_node(struct reader *reader, const yaml_event_t *event);

static bool read_sequence(struct reader *reader)
{
    yaml_event_t event;
    bool         fine;

    for (;;) {
        if (!next_event(reader, &event))
            return false;
        if (event.type == YAML_SEQUENCE_END_EVENT)
            break;
        fine = read_node(reader, &event);
        yaml_event_delete(&event);
        if (!fine)
            return false;
    }
    /* A block's end stands where the next thing begins; its last item's does not. */
    if (event.end_mark.index > event.start_mark.index)
        reader->last = event.end_mark.index;
    yaml_event_delete(&event);
    return true;
}

static bool is_wanted(const struct reader *reader, const yaml_event_t *key)
{
    return reader->place && reader->depth == 1 && !reader->place->found &&
           strlen(reader->place->key) == key->data.scalar.length &&
           memcmp(reader->place->key, key->data.scalar.value, key->data.scalar.length) == 0;
}

static bool read_value(struct reader *reader, const yaml_event_t *key)
{
    struct yaml_place *place = is_wanted(reader, key) ? reader->place : NULL;
    yaml_event_t       event;
    bool               fine;

    if (!next_event(reader, &event))
        return false;
    if (place) {
        place->found      = true;
        place->key_end    = byte_of(reader, key->end_mark.index);
        place->begin      = byte_of(reader, event.start_mark.index);
        place->json_begin = tenon_writer_len(reader->w);
    }
    fine = read_node(reader, &event);
    if (fine && place) {
        place->end      = byte_of(reader, reader->last);
        place->json_end = tenon_writer_len(reader->w);
    }
    yaml_event_delete(&event);
    return fine;
}

static bool read_pair(struct reader *reader, const yaml_event_t *key, size_t first)
{
    if (key->type != YAML_SCALAR_EVENT)
        return refuse(reader, key, "a key must be text");
    if (!add_key(reader, first, key))
        return false;
    tenon_write_key(reader->w, (const char *)key->data.scalar.value, key->data.scalar.length);
    return read_value(reader, key);
}

static bool read_mapping(struct reader *reader)
{
    size_t       first = reader->key_count, names = reader->names.len;
    yaml_event_t event;
    bool         fine;

    for (;;) {
        if (!next_event(reader, &event))
            return false;
        if (event.type == YAML_MAPPING_END_EVENT)
            break;
        fine = read_pair(reader, &event, first);
        yaml_event_delete(&event);
        if (!fine)
            return false;
    }
    if (event.end_mark.index > event.start_mark.index && reader->depth > 1)
        reader->last = event.end_mark.index;
    yaml_event_delete(&event);
    reader->key_count = first;
    reader->names.len = names;
    return true;
}

static bool read_node(struct reader *reader, const yaml_event_t *event)
{
    bool fine;

    if (event->type == YAML_SCALAR_EVENT) {
        write_scalar(reader->w, event);
        reader->last = event->end_mark.index;
        return true;
    }
    if (reader->depth == FRONT_DEPTH_MAX)
        return refuse(reader, event, "this is nested too deep");
    reader->depth++;
    if (event->type == YAML_MAPPING_START_EVENT) {
        tenon_write_object(reader->w, NULL);
        fine = read_mapping(reader);
    } else {
        tenon_write_array(reader->w, NULL);
        fine = read_sequence(reader);
    }
    tenon_write_end(reader->w);
    reader->depth--;
    return fine;
}

static bool read_root(struct reader *reader)
{
    yaml_event_t event;
    bool         fine;

    if (!next_event(reader, &event))
        return false;
    if (event.type == YAML_MAPPING_START_EVENT) {
        reader->last = event.end_mark.index;
        if (reader->place) {
            reader->place->has_root = true;
            reader->place->flow     = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
            reader->place->root     = byte_of(reader, event.start_mark.index);
        }
        fine = read_node(reader, &event);
        if (reader->place)
            reader->place->last = byte_of(reader, reader->last);
    } else
        fine = refuse(reader, &event, "front matter must be keys with values (key: value)");
    yaml_event_delete(&event);
    return fine;
}

static bool read_stream(struct reader *reader)
{
    yaml_event_type_t type;

    if (!take_event(reader, &type)) /* the stream's beginning */
        return false;
    if (!take_event(reader, &type))
        return false;
    if (type == YAML_STREAM_END_EVENT) {
        tenon_write_object(reader->w, NULL);
        tenon_write_end(reader->w);
        return true;
    }
    if (!read_root(reader) || !take_event(reader, &type)) /* the document's end */
        return false;
    if (!take_event(reader, &type))
        return false;
    if (type != YAML_STREAM_END_EVENT)
        return refuse_byte(reader, byte_of(reader, reader->parser.mark.index),
                           "there is a second YAML document");
    return true;
}

bool yaml_read(const char *at, size_t len, struct text *json, struct yaml_place *place,
               struct yaml_mistake *mistake)
{
    struct reader reader = { .at = at, .len = len, .place = place, .mistake = mistake };
    bool          fine;
    const char   *text;
    size_t        text_len;

    *mistake = (struct yaml_mistake){ 0 };
    if (!yaml_parser_initialize(&reader.parser))
        return no_memory(&reader);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)at, len);
    reader.w = tenon_writer_new(NULL, TEXT_MAX);
    fine     = read_stream(&reader);
    yaml_parser_delete(&reader.parser);
    free(reader.keys);
    text_free(&reader.names);
    text = tenon_writer_text(reader.w, &text_len);
    text_add(json, text, text_len);
    json->failed |= !text;
    tenon_writer_free(reader.w);
    if (fine && json->failed)
        return no_memory(&reader);
    return fine;
}
