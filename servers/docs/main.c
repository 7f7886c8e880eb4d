/* main.c - the documentation server as a program. */
#include "docs/main.h"

#include <string.h>

#include "docs/settings.h"
#include "docs/store/store.h"
#include "kit/text.h"

/* Handles are good after a restart: their key is kept beside the database, unless the operator says where. */
static void keep_key(const struct docs *docs, tenon_settings *settings)
{
    struct text path = { 0 };

    text_addf(&path, "%s.key", store_path(docs->store));
    if (!path.failed && strcmp(store_path(docs->store), ":memory:") != 0 &&
        !sql_report(store_pool(docs->store)).is_shared)
        tenon_settings_set(settings, "key-file", path.at);
    text_free(&path);
}

static const tenon_setting rows[] = { DOCS_SETTINGS(struct docs_options, ) };

int docs_main(int argc, char **argv)
{
    static struct docs docs; /* a handler that does not end may still use these when the process does */
    static struct docs_options options;
    static tenon_settings     *settings;
    struct mistake             mistake;
    int                        result;

    embed_quiet();
    settings = tenon_settings_new(DOCS_NAME, tenon_version(), rows, &options);
    if (!program_begin(settings, argc, argv, &result))
        return result;
    options.over_http = tenon_settings_has(settings, "http");
    if (!docs_new(&docs, &options, &mistake))
        return program_refuse(DOCS_NAME, &mistake);
    keep_key(&docs, settings);
    docs_begin(&docs);
    result = tenon_server_run(docs.server, settings);
    docs_free(&docs);
    return result;
}
