/* challenge.c - WWW-Authenticate: "Bearer scope="a b", resource_metadata="https://...", Basic realm=x".
 *
 * Challenges of several schemes may stand in one line; only what belongs to Bearer or DPoP is looked at.
 */
#include <string.h>

#include "base/ascii.h"
#include "login/inside.h"

struct reader {
    struct slice rest;
    struct slice word; /* a scheme, or the name of a parameter */
    struct buf   text; /* the parameter's value, without its quotes */
    bool         ours; /* the scheme is Bearer or DPoP */
};

static bool is_token(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static void skip(struct reader *reader, const char *what)
{
    while (reader->rest.len > 0 && reader->rest.at[0] && strchr(what, reader->rest.at[0])) {
        reader->rest.at++;
        reader->rest.len--;
    }
}

static char take(struct reader *reader)
{
    char c = reader->rest.at[0];

    reader->rest.at++;
    reader->rest.len--;
    return c;
}

static void take_word(struct reader *reader)
{
    reader->word = (struct slice){ reader->rest.at, 0 };
    while (reader->rest.len > 0 && is_token(reader->rest.at[0])) {
        reader->word.len++;
        take(reader);
    }
}

static void take_value(struct reader *reader)
{
    bool quoted = reader->rest.len > 0 && reader->rest.at[0] == '"';

    reader->text.len = 0;
    if (!quoted) {
        while (reader->rest.len > 0 && !strchr(", \t", reader->rest.at[0]))
            buf_char(&reader->text, take(reader));
        return;
    }
    take(reader);
    while (reader->rest.len > 0) {
        char c = take(reader);

        if (c == '"')
            return;
        if (c == '\\' && reader->rest.len > 0)
            c = take(reader);
        buf_char(&reader->text, c);
    }
}

/* The next word: true with *is_parameter; false at the end. What is neither is passed over. */
static bool next(struct reader *reader, bool *is_parameter)
{
    skip(reader, ", \t");
    while (reader->rest.len > 0) {
        take_word(reader);
        if (reader->word.len == 0) {
            take(reader);
            skip(reader, ", \t");
            continue;
        }
        skip(reader, " \t");
        *is_parameter = reader->rest.len > 0 && reader->rest.at[0] == '=';
        if (*is_parameter) {
            take(reader);
            skip(reader, " \t");
            take_value(reader);
        } else
            reader->ours = slice_fold_equal(reader->word, SLICE_LIT("bearer")) ||
                           slice_fold_equal(reader->word, SLICE_LIT("dpop"));
        return true;
    }
    return false;
}

const char *challenge_text(struct arena *arena, const char *header, const char *name)
{
    struct reader reader       = { .rest = slice_of(header) };
    bool          is_parameter = false;

    buf_init(&reader.text, arena, 128, LOGIN_TEXT_MAX);
    while (next(&reader, &is_parameter)) {
        if (!is_parameter || !reader.ours || !slice_fold_equal(reader.word, slice_of(name)))
            continue;
        for (size_t i = 0; i < reader.text.len; i++)
            if (reader.text.at[i] < ' ' || reader.text.at[i] > '~')
                return NULL;
        return buf_end(&reader.text);
    }
    return NULL;
}

bool challenge_has_scheme(struct arena *arena, const char *header, const char *scheme)
{
    struct reader reader       = { .rest = slice_of(header) };
    bool          is_parameter = false;

    buf_init(&reader.text, arena, 128, LOGIN_TEXT_MAX);
    while (next(&reader, &is_parameter))
        if (!is_parameter && slice_fold_equal(reader.word, slice_of(scheme)))
            return true;
    return false;
}
