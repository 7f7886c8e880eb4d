/* main.c - the documentation server as a program. */
#include "docs/main.h"

#include <string.h>

#include "docs/flags.h"
#include "docs/store/store.h"
#include "kit/text.h"

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
    struct mistake      mistake;
    int                 result;

    if (!program_begin(DOCS_NAME, docs_flags, DOCS_FLAGS, &options, &argc, argv))
        return PROGRAM_MISUSED;
    if (program_only_asks(argc, argv))
        return tenon_server_main(docs_face(&docs), argc, argv);
    options.over_http = flags_have(argc, argv, "--http");
    if (!docs_new(&docs, &options, &mistake))
        return program_refuse(DOCS_NAME, &mistake);
    keep_key(&docs);
    docs_begin(&docs);
    result = tenon_server_main(docs.server, argc, argv);
    docs_free(&docs);
    return result;
}
