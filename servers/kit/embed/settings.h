/* settings.h - the settings of embeddings, for the programs of servers that use them. */
#ifndef KIT_EMBED_SETTINGS_H
#define KIT_EMBED_SETTINGS_H

#include "kit/embed/embed.h"
#include "kit/program.h"

/* Rows of a struct T that has a struct embed_options at `in`: "embedding." and the like. */
#define EMBEDDING_SETTINGS(T, in)                                                                             \
    TENON_SETTING_TEXT(T, in provider, "embedding", "NAME", "embedded, model, ollama or openai (embedded)"), \
        TENON_SETTING_TEXT(T, in url, "embedding-url", "URL",                                       \
                           "where ollama or an OpenAI-compatible service listens"),                           \
        TENON_SETTING_TEXT(T, in model, "embedding-model", "NAME", "its model; of model: its name or folder"), \
        TENON_SETTING_TEXT(T, in key_file, "embedding-key-file", "FILE", "its key, mode 0600"),     \
        TENON_SETTING_INT(T, in dimensions, "embedding-dimensions", "N", 128, 4096,                 \
                          "numbers in a vector (the provider's own)"),                                             \
        TENON_SETTING_TEXT(T, in query_prefix, "embedding-query-prefix", "TEXT",                              \
                           "words in front of each question (as the model is known to expect)"),              \
        TENON_SETTING_TEXT(T, in document_prefix, "embedding-document-prefix", "TEXT",                        \
                           "words in front of each piece of a document"),                                     \
        TENON_SETTING_FLAG(T, in any_runtime, "embedding-runtime-any",                                        \
                           "also versions of ONNX Runtime that report to their maker")

#endif
