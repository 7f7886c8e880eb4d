/* embed_test.c - the provider that the options ask for, or why there is none. */
#include "kit/embed/embed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct { const char *embedding, *url; int dimensions; const char *want; } cases[] = {
    { NULL,       NULL,        0,    "384"                                                    },
    { "embedded", NULL,        1024, "1024"                                                   },
    { "embedded", NULL,        127,  "Embeddings have from 128 to 4096 dimensions, not 127."  },
    { "embedded", NULL,        5000, "Embeddings have from 128 to 4096 dimensions, not 5000." },
    { "embedded", NULL,        -1,   "Embeddings have from 128 to 4096 dimensions, not -1."   },
    { "ollama",   NULL,        -1,   "Embeddings have from 128 to 4096 dimensions, not -1."   },
    { "openai",   "gopher://", 0,    "--embedding-url is an address like https://api.openai.com/v1." },
    { "model",    NULL,        0,    "--embedding model needs --embedding-model: the name or the folder of a model that tenon docs model import has written." },
    { "magic",    NULL,        0,    "--embedding is embedded, model, ollama or openai."      },
    { "",         NULL,        0,    "--embedding is embedded, model, ollama or openai."      },
};

static void is_what_was_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct embed_options options  = { .provider   = cases[i].embedding,
                                          .url        = cases[i].url,
                                          .dimensions = cases[i].dimensions };
        char                *mistake  = NULL;
        struct embedder     *embedder = embed_new(&options, &mistake);

        if (embedder) {
            assert_null(mistake);
            assert_int_equal(embedder->dimensions, strtol(cases[i].want, NULL, 10));
            embedder->free(embedder);
            continue;
        }
        assert_non_null(mistake);
        assert_string_equal(mistake, cases[i].want);
        free(mistake);
        assert_null(embed_new(&options, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(is_what_was_asked_for) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
