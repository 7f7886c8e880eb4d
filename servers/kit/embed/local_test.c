/* local_test.c - vectors that are the same everywhere, of length 1, and nearer for texts that say the same. */
#include "kit/embed/embed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct embedder *new_embedder(size_t dimensions)
{
    struct embedder *embedder = embed_local_new(dimensions);

    assert_non_null(embedder);
    return embedder;
}

static void embed_one(struct embedder *embedder, const char *text, float *out)
{
    struct embed_failure failure;

    assert_int_equal(embedder->embed(embedder, NULL, EMBED_DOCUMENT, &text, 1, out, &failure), EMBED_OK);
}

static double cosine(struct embedder *embedder, const char *a, const char *b)
{
    float  x[EMBED_DIMENSIONS_MAX], y[EMBED_DIMENSIONS_MAX];
    double sum = 0;

    embed_one(embedder, a, x);
    embed_one(embedder, b, y);
    for (size_t i = 0; i < embedder->dimensions; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* ---- Shape ---- */

static void has_bounds(void **state)
{
    static const struct {
        size_t dimensions, want;
    } cases[] = {
        { 0, EMBED_LOCAL_DIMENSIONS },
        { 127, 0 },
        { 128, 128 },
        { 129, 129 },
        { 384, 384 },
        { 4096, 4096 },
        { 4097, 0 },
        { SIZE_MAX, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct embedder *embedder = embed_local_new(cases[i].dimensions);

        assert_int_equal(embedder ? embedder->dimensions : 0, cases[i].want);
        if (!embedder)
            continue;
        assert_true(embedder->is_local);
        assert_true(strlen(embedder->model) > 0);
        embedder->free(embedder);
    }
}

static void has_length_one(void **state)
{
    static const char *const texts[] = {
        "",
        " \t\n",
        "the and of",
        "x",
        "A text about databases.",
        "\xff\xfe not UTF-8 \xc3",
        "\xe6\x96\x87\xe6\xa1\xa3\xe7\xb4\xa2\xe5\xbc\x95",
        "C++ a:b NOT \"quoted\" ---",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaa",
    };
    struct embedder     *embedder = new_embedder(0);
    struct embed_failure failure;
    float                out[COUNT_OF(texts) * EMBED_LOCAL_DIMENSIONS], one[EMBED_LOCAL_DIMENSIONS];

    (void)state;
    assert_int_equal(embedder->embed(embedder, NULL, EMBED_QUERY, texts, COUNT_OF(texts), out, &failure),
                     EMBED_OK);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const float *vector = out + i * embedder->dimensions;
        double       square = 0;

        for (size_t k = 0; k < embedder->dimensions; k++)
            square += (double)vector[k] * (double)vector[k];
        assert_true(fabs(square - 1) < 1e-5);
        embed_one(embedder, texts[i], one); /* a batch is its texts, one by one */
        assert_memory_equal(one, vector, sizeof one);
    }
    embedder->free(embedder);
}

static void takes_many_words(void **state)
{
    size_t           room = (size_t)1 << 20, len = 0;
    char            *text     = malloc(room);
    struct embedder *embedder = new_embedder(0);
    float            once[EMBED_LOCAL_DIMENSIONS], again[EMBED_LOCAL_DIMENSIONS];

    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; len + 32 < room; i++)
        len += (size_t)snprintf(text + len, room - len, "word%x ", i * 2654435761u);
    embed_one(embedder, text, once);
    embed_one(embedder, text, again);
    assert_memory_equal(once, again, sizeof once);
    free(text);
    embedder->free(embedder);
}

/* ---- The same on every machine, and until its name says otherwise ---- */

static uint64_t fingerprint(const float *vector, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &vector[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Vectors are stored under the name of the model. Who changes them, or the words that they are made of, gives it the next
 * number, so that they are made again. */
static void keeps_to_its_name(void **state)
{
    static const struct { const char *text; uint64_t want; } cases[] = {
        { "", UINT64_C(0x2cb758fecba3fb25) },
        { "Backups of the database run every night.", UINT64_C(0xefeda29f6d9471da) },
        { "gr\xc3\xb6\xc3\x9f" "er \xe6\x96\x87\xe6\xa1\xa3 parseURL C++", UINT64_C(0x78e99b9ab62491a7) },
    };
    struct embedder *embedder = new_embedder(0);
    float            vector[EMBED_LOCAL_DIMENSIONS];

    (void)state;
    assert_string_equal(embedder->model, "tenon-hash-4/384");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t got;

        embed_one(embedder, cases[i].text, vector);
        got = fingerprint(vector, COUNT_OF(vector));
        if (got != cases[i].want)
            fail_msg("\"%s\": %llx", cases[i].text, (unsigned long long)got);
    }
    embedder->free(embedder);
}

/* ---- Meaning ---- */

static void is_nearer_to_what_says_the_same(void **state)
{
    static const struct {
        const char *text, *near, *far;
    } cases[] = {
        { "database migration", "how databases are migrated", "colours of the logo" },
        { "configuring the proxy", "proxy configuration", "release party in summer" },
        { "authentication", "authenticaton", "pagination" }, /* misspelt */
        { "delete", "remove", "print" },
        { "retry after a timeout", "retries and timeouts of the gateway", "fonts and margins of a letter" },
        { "database database database index", "database", "index" },
    };

    (void)state;
    for (size_t dimensions = 384; dimensions <= 1536; dimensions *= 2) {
        struct embedder *embedder = new_embedder(dimensions);

        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            double near = cosine(embedder, cases[i].text, cases[i].near);
            double far  = cosine(embedder, cases[i].text, cases[i].far);

            if (near < far + 0.1)
                fail_msg("%s: %s %.3f, %s %.3f", cases[i].text, cases[i].near, near, cases[i].far, far);
        }
        embedder->free(embedder);
    }
}

static void says_little_about_strangers(void **state)
{
    static const char *const texts[] = {
        "kernel scheduler preempts threads",
        "banana bread with walnuts",
        "quarterly revenue forecast",
        "glacier retreat in Patagonia",
        "violin concerto in D minor",
        "soldering surface mount chips",
        "",
    };
    struct embedder *embedder = new_embedder(0);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t k = 0; k < i; k++)
            assert_true(fabs(cosine(embedder, texts[i], texts[k])) < 0.25);
    embedder->free(embedder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_bounds),
        cmocka_unit_test(has_length_one),
        cmocka_unit_test(takes_many_words),
        cmocka_unit_test(keeps_to_its_name),
        cmocka_unit_test(is_nearer_to_what_says_the_same),
        cmocka_unit_test(says_little_about_strangers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
