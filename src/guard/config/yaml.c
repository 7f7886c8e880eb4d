/* yaml.c - libyaml's events written as JSON, with the place of each.
 *
 * Events and not documents: nothing is built that a file could make large. Numbers are what JSON spells as numbers; true, false
 * and null in YAML's three spellings; all else is text, `on`, `no` and 0777 included. Aliases, tags and further documents are
 * refused: a file that decides what may be called is to be read by people, from top to bottom.
 */
#include "guard/config/yaml.h"

#include "guard/config/tree.h"
#include "guard/phrases.h"
#include "json/write.h"

/* ---- Plain words ------------------------------------------------------------------------------------------------- */

static bool is_one_of(struct tn_slice word, const char *const *words)
{
    for (; *words; words++)
        if (tn_slice_is(word, *words))
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
static bool is_number(struct tn_slice word)
{
    const char *end   = word.at + word.len;
    const char *digit = word.at + (word.len > 0 && word.at[0] == '-'), *next = skip_digits(digit, end);

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

enum tn_yaml_word tn_yaml_word(struct tn_slice word)
{
    if (is_one_of(word, nulls))
        return YAML_WORD_NULL;
    if (is_one_of(word, trues))
        return YAML_WORD_TRUE;
    if (is_one_of(word, falses))
        return YAML_WORD_FALSE;
    return is_number(word) ? YAML_WORD_NUMBER : YAML_WORD_TEXT;
}

#ifdef TENON_YAML
#include <yaml.h>

struct reader {
    yaml_parser_t     parser;
    struct tn_tree   *tree;
    struct tn_marked *to;
    size_t            depth, nodes;
};

static struct tn_json_position position_of(const yaml_mark_t *mark)
{
    return (struct tn_json_position){ mark->line + 1, mark->column + 1 };
}

static bool refuse(struct reader *reader, const yaml_event_t *event, const char *sentence)
{
    tn_mistakes_add(reader->tree->mistakes, position_of(&event->start_mark), false, "%s", sentence);
    return false;
}

static bool refuse_problem(struct reader *reader)
{
    const yaml_parser_t    *parser = &reader->parser;
    struct tn_json_position at     = position_of(&parser->problem_mark);

    if (parser->error == YAML_READER_ERROR)
        at = tn_json_position(reader->tree->source, parser->problem_offset);
    if (parser->error == YAML_MEMORY_ERROR)
        tn_mistakes_add(reader->tree->mistakes, at, false, "%s", SAY_MEMORY);
    else
        tn_mistakes_add(reader->tree->mistakes, at, false, SAY_CONFIG_YAML,
                        parser->problem ? parser->problem : SAY_CONFIG_UNREADABLE);
    return false;
}

static bool check_decoration(struct reader *reader, const yaml_event_t *event, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
    if (anchor)
        return refuse(reader, event, SAY_CONFIG_ALIAS);
    return tag ? refuse(reader, event, SAY_CONFIG_TAG) : true;
}

static bool check_event(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT: return refuse(reader, event, SAY_CONFIG_ALIAS);
    case YAML_SCALAR_EVENT:
        return check_decoration(reader, event, event->data.scalar.anchor, event->data.scalar.tag);
    case YAML_SEQUENCE_START_EVENT:
        return check_decoration(reader, event, event->data.sequence_start.anchor,
                                event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return check_decoration(reader, event, event->data.mapping_start.anchor,
                                event->data.mapping_start.tag);
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

static void write_scalar(struct reader *reader, const yaml_event_t *event)
{
    struct tn_buf  *json = &reader->to->json;
    struct tn_slice text = { (const char *)event->data.scalar.value, event->data.scalar.length };

    switch (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? tn_yaml_word(text) : YAML_WORD_TEXT) {
    case YAML_WORD_NULL: tn_buf_lit(json, "null"); break;
    case YAML_WORD_TRUE: tn_buf_lit(json, "true"); break;
    case YAML_WORD_FALSE: tn_buf_lit(json, "false"); break;
    case YAML_WORD_NUMBER: tn_buf_add(json, text.at, text.len); break;
    case YAML_WORD_TEXT: tn_json_string(json, text.at, text.len); break;
    }
}

static bool read_node(struct reader *reader, const yaml_event_t *event);

/* A key, or a value. */
static bool read_next(struct reader *reader, yaml_event_type_t end, bool is_key, bool *ended)
{
    yaml_event_t event;
    bool         fine = true;

    if (!next_event(reader, &event))
        return false;
    *ended = event.type == end;
    if (!*ended && is_key) {
        fine = event.type == YAML_SCALAR_EVENT || refuse(reader, &event, SAY_CONFIG_KEY);
        if (fine) {
            tn_mark(reader->to, position_of(&event.start_mark));
            tn_json_string(&reader->to->json, (const char *)event.data.scalar.value,
                           event.data.scalar.length);
        }
    } else if (!*ended) {
        fine = read_node(reader, &event);
    }
    yaml_event_delete(&event);
    return fine;
}

static bool read_sequence(struct reader *reader)
{
    struct tn_buf *json  = &reader->to->json;
    bool           ended = false;

    tn_buf_char(json, '[');
    for (size_t i = 0;; i++) {
        size_t before = json->len;

        if (i > 0)
            tn_buf_char(json, ',');
        if (!read_next(reader, YAML_SEQUENCE_END_EVENT, false, &ended))
            return false;
        if (!ended)
            continue;
        json->len = before;
        tn_buf_char(json, ']');
        return true;
    }
}

static bool read_mapping(struct reader *reader)
{
    struct tn_buf *json  = &reader->to->json;
    bool           ended = false;

    tn_buf_char(json, '{');
    for (size_t i = 0;; i++) {
        size_t before = json->len;

        if (i > 0)
            tn_buf_char(json, ',');
        if (!read_next(reader, YAML_MAPPING_END_EVENT, true, &ended))
            return false;
        if (ended) {
            json->len = before;
            tn_buf_char(json, '}');
            return true;
        }
        tn_buf_char(json, ':');
        if (!read_next(reader, YAML_NO_EVENT, false, &ended))
            return false;
    }
}

static bool read_node(struct reader *reader, const yaml_event_t *event)
{
    bool fine = true;

    if (++reader->nodes > CONFIG_NODES_MAX)
        return refuse(reader, event, SAY_CONFIG_LARGE);
    if (reader->depth == CONFIG_DEPTH_MAX) {
        tn_mistakes_add(reader->tree->mistakes, position_of(&event->start_mark), false, SAY_CONFIG_DEEP,
                        CONFIG_DEPTH_MAX);
        return false;
    }
    tn_mark(reader->to, position_of(&event->start_mark));
    reader->depth++;
    switch (event->type) {
    case YAML_SCALAR_EVENT: write_scalar(reader, event); break;
    case YAML_SEQUENCE_START_EVENT: fine = read_sequence(reader); break;
    case YAML_MAPPING_START_EVENT: fine = read_mapping(reader); break;
    default: fine = refuse(reader, event, SAY_CONFIG_UNREADABLE); break;
    }
    reader->depth--;
    return fine;
}

/* The document, and that there is no other. */
static bool read_stream(struct reader *reader)
{
    size_t documents = 0;

    for (;;) {
        yaml_event_t      event;
        yaml_event_type_t type;
        bool              fine = true;

        if (!next_event(reader, &event))
            return false;
        type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && documents++ > 0)
            fine = refuse(reader, &event, SAY_CONFIG_DOCUMENTS);
        else if (type == YAML_SCALAR_EVENT || type == YAML_SEQUENCE_START_EVENT ||
                 type == YAML_MAPPING_START_EVENT)
            fine = read_node(reader, &event);
        yaml_event_delete(&event);
        if (!fine || type == YAML_STREAM_END_EVENT)
            return fine;
    }
}

bool tn_yaml_read(struct tn_tree *tree, struct tn_marked *to)
{
    struct reader reader = { .tree = tree, .to = to };
    bool          fine;

    if (!yaml_parser_initialize(&reader.parser)) {
        tn_mistakes_add(tree->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s", SAY_MEMORY);
        return false;
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)tree->source.at, tree->source.len);
    fine = read_stream(&reader);
    yaml_parser_delete(&reader.parser);
    if (fine && to->json.len == 0) { /* nothing but comments */
        tn_mark(to, (struct tn_json_position){ 1, 1 });
        tn_buf_lit(&to->json, "null");
    }
    return fine;
}

#else

bool tn_yaml_read(struct tn_tree *tree, struct tn_marked *to)
{
    (void)to;
    tn_mistakes_add(tree->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s", SAY_CONFIG_NO_YAML);
    return false;
}

#endif
