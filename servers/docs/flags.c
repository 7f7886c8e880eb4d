/* flags.c - the flags of the documentation server: taken out of a command line, so that the server's own are left. */
#include "docs/flags.h"

const char docs_help[] =
    "Of this server:\n"
    "  --db FILE                 the database; default: tenon/docs.db in the user's data folder\n"
    "  --max-db SIZE             most bytes of the database, such as 512MiB (no limit)\n"
    "  --project DIR             a project to serve; may be repeated\n"
    "  --root DIR                projects must lie beneath it; may be repeated, needed over HTTP for "
    "activate_project\n"
    "  --allow-path DIR          a folder outside of a project that its configuration may name; may be "
    "repeated\n"
    "  --docs-folder NAME        the folder of documents in a project (docs)\n"
    "  --config-folder NAME      the folder of config.json in a project (.tenon)\n"
    "  --embedding NAME          embedded, ollama or openai (embedded)\n"
    "  --embedding-url URL       where ollama or an OpenAI-compatible service listens\n"
    "  --embedding-model NAME    its model\n"
    "  --embedding-key-file FILE its key, mode 0600\n"
    "  --embedding-dimensions N  numbers in a vector, 128 to 4096 (the provider's own)\n"
    "  --debounce MS             how long a file must be quiet before it is indexed, 100 to 5000 (500)\n"
    "  --no-watch                do not watch files\n"
    "  --ask-model               let rag_query ask the client's model to write the answer\n";

const struct flag docs_flags[DOCS_FLAGS] = {
    FLAG_TEXT(struct docs_options, "--db", database),
    FLAG_BYTES(struct docs_options, "--max-db", database_most),
    FLAG_LIST(struct docs_options, "--project", projects, project_count),
    FLAG_LIST(struct docs_options, "--root", roots, root_count),
    FLAG_LIST(struct docs_options, "--allow-path", allowed, allowed_count),
    FLAG_TEXT(struct docs_options, "--docs-folder", docs_folder),
    FLAG_TEXT(struct docs_options, "--config-folder", config_folder),
    FLAG_TEXT(struct docs_options, "--embedding", embedding),
    FLAG_TEXT(struct docs_options, "--embedding-url", embedding_url),
    FLAG_TEXT(struct docs_options, "--embedding-model", embedding_model),
    FLAG_TEXT(struct docs_options, "--embedding-key-file", embedding_key_file),
    FLAG_NUMBER(struct docs_options, "--embedding-dimensions", embedding_dimensions, 128, 4096),
    FLAG_NUMBER(struct docs_options, "--debounce", debounce_ms, 100, 5000),
    FLAG_TRUE(struct docs_options, "--no-watch", no_watch),
    FLAG_TRUE(struct docs_options, "--ask-model", ask_model),
};

_Static_assert(PATHS_MAX == FLAGS_LIST_MAX, "the lists of struct docs_options are the kit's");
