/* writer_fuzz.c - whatever is called in whatever order, a writer gives one valid value or names its mistake. Each step is a
 * byte that says what is called, one that says with what key, and for texts one with a length and the text. */
#include <tenon/json.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "json/read.h"

#define OUT_MAX  ((size_t)4096)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct input {
    const uint8_t *at;
    size_t         len;
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

static uint8_t take(struct input *input)
{
    if (input->len == 0)
        return 0;
    input->len--;
    return *input->at++;
}

/* A copy of its own length, so that a byte too many is seen. */
static char *take_text(struct input *input, size_t *len)
{
    size_t most = take(input);
    char  *text;

    *len = most < input->len ? most : input->len;
    text = malloc(*len + 1);
    must(text != NULL);
    memcpy(text, input->at, *len);
    text[*len] = '\0';
    input->at += *len;
    input->len -= *len;
    return text;
}

static void write_text(tenon_writer *w, struct input *input, unsigned how, const char *key)
{
    size_t len;
    char  *text = take_text(input, &len);

    switch (how) {
    case 0: tenon_write_str(w, key, text); break;
    case 1: tenon_write_text(w, key, text, len); break;
    case 2: tenon_write_bytes(w, key, text, len); break;
    case 3: tenon_write_raw(w, key, text, len); break;
    default: tenon_write_key(w, text, len); break;
    }
    free(text);
}

static void step(tenon_writer *w, struct input *input)
{
    static const char *const keys[]    = { NULL, NULL, "a", "b\n\"", "", "\xff" };
    static const double      numbers[] = { 0, -0.0, 1.5, 1e300, NAN, INFINITY, 1e17, 5e-324 };
    unsigned                 what      = take(input) % 14;
    uint8_t                  with      = take(input);
    const char              *key       = keys[with % 6];

    switch (what) {
    case 0: tenon_write_object(w, key); break;
    case 1: tenon_write_array(w, key); break;
    case 2:
    case 3: tenon_write_end(w); break;
    case 4: tenon_write_int(w, key, (int64_t)with * -7777777777); break;
    case 5: tenon_write_num(w, key, numbers[with / 6 % 8]); break;
    case 6: tenon_write_bool(w, key, with > 127); break;
    case 7: tenon_write_null(w, key); break;
    case 8: tenon_write_json(w, key, NULL); break;
    default: write_text(w, input, what - 9, key); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct tn_json_limits limits = { OUT_MAX, TENON_WRITER_DEPTH, SIZE_MAX };
    struct input                input  = { data, len };
    tenon_writer               *w      = tenon_writer_new(NULL, OUT_MAX);
    struct tn_arena             arena;
    const char                 *text;
    size_t                      text_len;

    must(w != NULL);
    while (input.len > 0)
        step(w, &input);
    text = tenon_writer_text(w, &text_len);
    must((text == NULL) == (tenon_writer_error(w) != NULL));
    must(tenon_writer_len(w) <= OUT_MAX);
    if (text) {
        struct tn_json_text read;

        tn_arena_init(&arena, NULL, 0);
        read = tn_json_read(&arena, text, text_len, &limits);
        must(read.fault == JSON_FINE && !read.bad_utf8);
        must(tn_utf8_valid(text, text_len) && !memchr(text, '\n', text_len) && text[text_len] == '\0');
        tn_arena_free(&arena);
    }
    tenon_writer_free(w);
    return 0;
}
