/* wire.c - the requests to a service, and the responses that are accepted.
 *
 * Answers are read by the library's own reader, inside of an object of ours with one member: it bounds them, and a view
 * follows whatever they are. Unknown members are ignored.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

#include "kit/embed/http.h"

typedef struct {
    const tenon_json *answer;
} answer_args;

TENON_ROWS(answer_rows, answer_args,
    TENON_JSON(answer, "What the service sent.", .required = true, .strict = true));

struct embed_reader {
    tenon_shape  *shape;
    tenon_params *params;
    struct text   wrapped;
};

/* ---- Requests ---- */

/* The beginning of a text, cut between two letters, after its prefix. Services refuse what is empty. */
static void write_text(tenon_writer *w, struct text *whole, const char *prefix, const char *text)
{
    size_t len = strlen(text);

    if (len > EMBED_TEXT_MAX) {
        len = EMBED_TEXT_MAX;
        while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
            len--;
    }
    text_clear(whole);
    text_put(whole, prefix);
    if (!text[strspn(text, " \t\r\n")])
        text_put(whole, "(empty)");
    else
        text_add(whole, text, len);
    tenon_write_bytes(w, NULL, text_of(whole), whole->len);
}

void embed_write_request(struct text *out, const struct embed_service *service, enum embed_role role,
                         const char *const *texts, size_t count)
{
    tenon_writer *w     = tenon_writer_new(NULL, TEXT_MAX);
    struct text   whole = { 0 };
    const char   *text;
    size_t        len;

    tenon_write_object(w, NULL);
    tenon_write_bytes(w, "model", service->name, strlen(service->name));
    tenon_write_array(w, "input");
    for (size_t i = 0; i < count; i++)
        write_text(w, &whole, service->prefixes.at[role], texts[i]);
    tenon_write_end(w);
    if (service->dialect == DIALECT_OPENAI)
        tenon_write_str(w, "encoding_format", "float");
    if (service->ask_dimensions)
        tenon_write_int(w, "dimensions", (int64_t)service->dimensions);
    tenon_write_end(w);
    text = tenon_writer_text(w, &len);
    text_add(out, text, len);
    out->failed |= !text || whole.failed;
    text_free(&whole);
    tenon_writer_free(w);
}

/* ---- Answers ---- */

struct embed_reader *embed_reader_new(void)
{
    struct embed_reader *reader = calloc(1, sizeof *reader);

    if (!reader)
        return NULL;
    reader->shape  = tenon_shape_new(answer_rows(), NULL);
    reader->params = reader->shape ? tenon_params_new(reader->shape) : NULL;
    if (reader->params)
        return reader;
    embed_reader_free(reader);
    return NULL;
}

void embed_reader_free(struct embed_reader *reader)
{
    if (!reader)
        return;
    tenon_params_free(reader->params);
    tenon_shape_free(reader->shape);
    text_free(&reader->wrapped);
    free(reader);
}

static enum embed_answer parse(struct embed_reader *reader, const struct text *body,
                               const tenon_json **answer)
{
    const answer_args *args;

    text_clear(&reader->wrapped);
    text_put(&reader->wrapped, "{\"answer\":");
    text_add(&reader->wrapped, text_of(body), body->len);
    text_char(&reader->wrapped, '}');
    if (reader->wrapped.failed)
        return ANSWER_NO_MEMORY;
    args = tenon_params_bind(reader->params, reader->wrapped.at, reader->wrapped.len);
    if (tenon_params_failed(reader->params))
        return ANSWER_NO_MEMORY;
    if (!args || tenon_json_type_of(args->answer) != TENON_JSON_OBJECT)
        return ANSWER_GARBAGE;
    *answer = args->answer;
    return ANSWER_FINE;
}

/* To length 1. Double sums, so that neither tiny nor huge floats are lost on the way. */
static enum embed_answer read_vector(const tenon_json *list, size_t dimensions, float *out)
{
    const tenon_json *item;
    double            square = 0, length;
    size_t            n      = 0;

    for (size_t place = 0; (item = tenon_json_next(list, &place, NULL)); n++) {
        tenon_json_type type  = tenon_json_type_of(item);
        double          value = tenon_json_num(item);

        if ((type != TENON_JSON_INT && type != TENON_JSON_NUM) || !(fabs(value) <= 1e18))
            return ANSWER_NUMBERS;
        out[n] = (float)value;
        square += (double)out[n] * (double)out[n];
    }
    length = sqrt(square);
    if (!(length > 1e-12))
        return ANSWER_NUMBERS;
    for (size_t i = 0; i < dimensions; i++)
        out[i] = (float)((double)out[i] / length);
    return ANSWER_FINE;
}

static enum embed_answer take_vector(const tenon_json *list, size_t *dimensions, float *out)
{
    size_t count = tenon_json_count(list);

    if (tenon_json_type_of(list) != TENON_JSON_ARRAY)
        return ANSWER_GARBAGE;
    if (!*dimensions) {
        *dimensions = count;
        return count ? ANSWER_FINE : ANSWER_NUMBERS;
    }
    if (count != *dimensions)
        return ANSWER_DIMENSIONS;
    assert(out);
    return read_vector(list, count, out);
}

/* Where an item belongs: OpenAI's say it, and need not be in order. */
static bool place_of(enum embed_dialect dialect, const tenon_json *item, size_t count, size_t order,
                     size_t *at)
{
    const tenon_json *index = dialect == DIALECT_OPENAI ? tenon_json_get(item, "index") : NULL;
    int64_t           number;

    *at = order;
    if (!index)
        return true;
    number = tenon_json_int(index);
    if (tenon_json_type_of(index) != TENON_JSON_INT || number < 0 || (uint64_t)number >= count)
        return false;
    *at = (size_t)number;
    return true;
}

enum embed_answer embed_read_answer(struct embed_reader *reader, enum embed_dialect dialect,
                                    const struct text *body, size_t count, size_t *dimensions, float *out)
{
    const tenon_json *answer, *list, *item;
    enum embed_answer status             = parse(reader, body, &answer);
    bool              there[EMBED_BATCH] = { 0 };
    size_t            at, order = 0;

    if (status != ANSWER_FINE)
        return status;
    list = tenon_json_get(answer, dialect == DIALECT_OPENAI ? "data" : "embeddings");
    if (tenon_json_type_of(list) != TENON_JSON_ARRAY)
        return ANSWER_GARBAGE;
    if (count > EMBED_BATCH || tenon_json_count(list) != count)
        return ANSWER_COUNT;
    for (size_t place = 0; (item = tenon_json_next(list, &place, NULL)); order++) {
        if (!place_of(dialect, item, count, order, &at))
            return ANSWER_GARBAGE;
        if (there[at])
            return ANSWER_COUNT;
        there[at] = true;
        if (dialect == DIALECT_OPENAI)
            item = tenon_json_get(item, "embedding");
        status = take_vector(item, dimensions, out ? out + at * *dimensions : NULL);
        if (status != ANSWER_FINE)
            return status;
    }
    return ANSWER_FINE;
}
