/* settings.h - the settings of the documentation server, for its program and for `tenon docs`. */
#ifndef DOCS_SETTINGS_H
#define DOCS_SETTINGS_H

#include "docs/docs.h"
#include "kit/database.h"
#include "kit/embed/settings.h"

/* Rows of a struct T that has a struct docs_options, or what is in one, at `in`: nothing, or "options." and the like. */
#define DOCS_SETTINGS(T, in)                                                                                  \
    DATABASE_SETTINGS(T, in database., "docs.db"),                                                            \
        TENON_SETTING_TEXTS(T, in projects, "project", "DIR", "a project to serve; may be repeated"),         \
        TENON_SETTING_TEXTS(T, in roots, "root", "DIR",                                                       \
                            "projects must lie beneath it; may be repeated, needed over HTTP\n"               \
                            "for activate_project"),                                                          \
        TENON_SETTING_TEXTS(T, in allowed, "allow-path", "DIR",                                               \
                            "a folder outside of a project that its configuration may name;\n"                \
                            "may be repeated"),                                                               \
        TENON_SETTING_TEXT(T, in docs_folder, "docs-folder", "NAME",                                          \
                           "the folder of documents in a project (docs)"),                                    \
        TENON_SETTING_TEXT(T, in config_folder, "config-folder", "NAME",                                      \
                           "the folder of config.json in a project (.tenon)"),                                \
        EMBEDDING_SETTINGS(T, in embedding.),                                                                            \
        TENON_SETTING_TEXT(T, in vectors, "vectors", "FORM",                                                  \
                           "how they are kept in memory: float16, or int8, which is half of it (float16)"),   \
        TENON_SETTING_BYTES(T, in vector_memory, "vector-memory", "SIZE", 1, (size_t)1 << 46,                 \
                            "most of them in memory; a collection that has more is searched there all the\n" \
                            "same, unless PostgreSQL has pgvector (1GiB)"),                                   \
        TENON_SETTING_INT(T, in debounce_ms, "debounce", "MS", 100, 5000,                                     \
                          "how long a file must be quiet before it is indexed (500)"),                        \
        TENON_SETTING_FLAG(T, in no_watch, "no-watch", "do not watch files"),                                 \
        TENON_SETTING_FLAG(T, in ask_model, "ask-model",                                                      \
                           "let rag_query ask the client's model to write the answer")

#endif
