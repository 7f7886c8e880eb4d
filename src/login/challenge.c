/* challenge.c - WWW-Authenticate: "Bearer scope="a b", resource_metadata="https://...", Basic realm=x".
 *
 * Challenges of several schemes may stand in one line; only what belongs to Bearer or DPoP is looked at.
 */
#include <string.h>

#include "base/ascii.h"
#include "login/inside.h"

struct challenge_reader {
    struct tn_slice rest;
    struct tn_slice word; /* a scheme, or the name of a parameter */
    struct tn_buf   text; /* the parameter's value, without its quotes */
    bool            ours; /* the scheme is Bearer or DPoP */
};

static bool is_token(char c)
{
    return tn_ascii_is_letter(c) || tn_ascii_is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static void challenge_skip(struct challenge_reader *reader, const char *what)
{
    while (reader->rest.len > 0 && reader->rest.at[0] && strchr(what, reader->rest.at[0])) {
        reader->rest.at++;
        reader->rest.len--;
    }
}

static char challenge_take(struct challenge_reader *reader)
{
    char c = reader->rest.at[0];

    reader->rest.at++;
    reader->rest.len--;
    return c;
}

static void take_word(struct challenge_reader *reader)
{
    reader->word = (struct tn_slice){ reader->rest.at, 0 };
    while (reader->rest.len > 0 && is_token(reader->rest.at[0])) {
        reader->word.len++;
        challenge_take(reader);
    }
}

static void take_value(struct challenge_reader *reader)
{
    bool quoted = reader->rest.len > 0 && reader->rest.at[0] == '"';

    reader->text.len = 0;
    if (!quoted) {
        while (reader->rest.len > 0 && !strchr(", \t", reader->rest.at[0]))
            tn_buf_char(&reader->text, challenge_take(reader));
        return;
    }
    challenge_take(reader);
    while (reader->rest.len > 0) {
        char c = challenge_take(reader);

        if (c == '"')
            return;
        if (c == '\\' && reader->rest.len > 0)
            c = challenge_take(reader);
        tn_buf_char(&reader->text, c);
    }
}

/* The next word: true with *is_parameter; false at the end. What is neither is passed over. */
static bool next(struct challenge_reader *reader, bool *is_parameter)
{
    challenge_skip(reader, ", \t");
    while (reader->rest.len > 0) {
        take_word(reader);
        if (reader->word.len == 0) {
            challenge_take(reader);
            challenge_skip(reader, ", \t");
            continue;
        }
        challenge_skip(reader, " \t");
        *is_parameter = reader->rest.len > 0 && reader->rest.at[0] == '=';
        if (*is_parameter) {
            challenge_take(reader);
            challenge_skip(reader, " \t");
            take_value(reader);
        } else
            reader->ours = tn_slice_fold_equal(reader->word, SLICE_LIT("bearer")) ||
                           tn_slice_fold_equal(reader->word, SLICE_LIT("dpop"));
        return true;
    }
    return false;
}

const char *challenge_text(struct tn_arena *arena, const char *header, const char *name)
{
    struct challenge_reader reader       = { .rest = tn_slice_of(header) };
    bool                    is_parameter = false;

    tn_buf_init(&reader.text, arena, 128, LOGIN_TEXT_MAX);
    while (next(&reader, &is_parameter)) {
        if (!is_parameter || !reader.ours || !tn_slice_fold_equal(reader.word, tn_slice_of(name)))
            continue;
        for (size_t i = 0; i < reader.text.len; i++)
            if (reader.text.at[i] < ' ' || reader.text.at[i] > '~')
                return NULL;
        return tn_buf_end(&reader.text);
    }
    return NULL;
}

bool challenge_has_scheme(struct tn_arena *arena, const char *header, const char *scheme)
{
    struct challenge_reader reader       = { .rest = tn_slice_of(header) };
    bool                    is_parameter = false;

    tn_buf_init(&reader.text, arena, 128, LOGIN_TEXT_MAX);
    while (next(&reader, &is_parameter))
        if (!is_parameter && tn_slice_fold_equal(reader.word, tn_slice_of(scheme)))
            return true;
    return false;
}
