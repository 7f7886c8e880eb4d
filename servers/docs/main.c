/* main.c - the documentation server as a program. */
#include "docs/main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/flags.h"
#include "docs/store.h"
#include "kit/text.h"

enum { EXIT_MISTAKE = 1, EXIT_COMMAND_LINE = 2 };

static bool only_asks(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--version") == 0)
            return true;
    return false;
}

/* Handles are good after a restart: their key is kept beside the database, unless the operator says where. */
static void keep_key(struct docs *docs)
{
    struct text path = { 0 };

    text_addf(&path, "%s.key", store_path(docs->store));
    if (!path.failed && strcmp(store_path(docs->store), ":memory:") != 0)
        tenon_server_set(docs->server, "key-file", path.at);
    text_free(&path);
}

int docs_main(int argc, char **argv)
{
    static struct docs  docs; /* a handler that does not end may still use it when the process does */
    struct docs_options options = { 0 };
    char                wrong[FLAGS_MISTAKE_MAX], *mistake;
    int                 result;

    if (!docs_flags(&options, &argc, argv, wrong)) {
        fprintf(stderr, "docs: %s\n", wrong);
        return EXIT_COMMAND_LINE;
    }
    if (only_asks(argc, argv))
        return tenon_server_main(docs_face(&docs), argc, argv);
    if (!docs_new(&docs, &options, &mistake)) {
        fprintf(stderr, "docs: %s\n", mistake ? mistake : "out of memory");
        free(mistake);
        return EXIT_MISTAKE;
    }
    keep_key(&docs);
    docs_begin(&docs);
    result = tenon_server_main(docs.server, argc, argv);
    docs_free(&docs);
    return result;
}
