/* flags.c - the flags of the documentation server: taken out of a command line, so that the server's own are left. */
#include "docs/flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char docs_help[] =
    "Of this server:\n"
    "  --db FILE                 the database; default: tenon/docs.db in the user's data folder\n"
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

enum kind { KIND_TEXT, KIND_LIST, KIND_NUMBER, KIND_TRUE };

/* Where a flag goes in struct docs_options. */
struct flag {
    const char *name;
    enum kind   kind;
    size_t      offset, count; /* of a list, where its count is */
    int         least, most;
};

#define TEXT_FLAG(name_, field)                                                                              \
    {                                                                                                        \
        name_, KIND_TEXT, offsetof(struct docs_options, field), 0, 0, 0                                      \
    }
#define LIST_FLAG(name_, field, count_)                                                                      \
    {                                                                                                        \
        name_, KIND_LIST, offsetof(struct docs_options, field), offsetof(struct docs_options, count_), 0, 0  \
    }
#define NUMBER_FLAG(name_, field, low, high)                                                                 \
    {                                                                                                        \
        name_, KIND_NUMBER, offsetof(struct docs_options, field), 0, low, high                               \
    }
#define TRUE_FLAG(name_, field)                                                                              \
    {                                                                                                        \
        name_, KIND_TRUE, offsetof(struct docs_options, field), 0, 0, 0                                      \
    }

static const struct flag flags[] = {
    TEXT_FLAG("--db", database),
    LIST_FLAG("--project", projects, project_count),
    LIST_FLAG("--root", roots, root_count),
    LIST_FLAG("--allow-path", allowed, allowed_count),
    TEXT_FLAG("--docs-folder", docs_folder),
    TEXT_FLAG("--config-folder", config_folder),
    TEXT_FLAG("--embedding", embedding),
    TEXT_FLAG("--embedding-url", embedding_url),
    TEXT_FLAG("--embedding-model", embedding_model),
    TEXT_FLAG("--embedding-key-file", embedding_key_file),
    NUMBER_FLAG("--embedding-dimensions", embedding_dimensions, 128, 4096),
    NUMBER_FLAG("--debounce", debounce_ms, 100, 5000),
    TRUE_FLAG("--no-watch", no_watch),
    TRUE_FLAG("--ask-model", ask_model),
};

static const struct flag *find(const char *argument, const char **value)
{
    const char *equals = strchr(argument, '=');
    size_t      len    = equals ? (size_t)(equals - argument) : strlen(argument);

    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == len && memcmp(flags[i].name, argument, len) == 0)
            return &flags[i];
    return NULL;
}

static bool take_number(const struct flag *flag, const char *value, int *out)
{
    char *end;
    long  number = strtol(value, &end, 10);

    if (end == value || *end || number < flag->least || number > flag->most)
        return false;
    *out = (int)number;
    return true;
}

static bool take_list(const struct flag *flag, const char *value, struct docs_options *options)
{
    const char **list  = (const char **)(void *)((char *)options + flag->offset);
    size_t      *count = (size_t *)(void *)((char *)options + flag->count);

    if (*count == PATHS_MAX)
        return false;
    list[(*count)++] = value;
    return true;
}

/* False when the value is not one. */
static bool take(const struct flag *flag, const char *value, struct docs_options *options)
{
    char *place = (char *)options + flag->offset;

    switch (flag->kind) {
    case KIND_TRUE: *(bool *)(void *)place = true; return value == NULL;
    case KIND_NUMBER: return value && take_number(flag, value, (int *)(void *)place);
    case KIND_LIST: return value && value[0] && take_list(flag, value, options);
    default: *(const char **)(void *)place = value; return value && value[0];
    }
}

/* True when the flag was taken, with its value, which may be the next word. */
static bool take_at(const struct flag *flag, const char *value, struct docs_options *options, int argc,
                    char **argv, int *at, char mistake[DOCS_MISTAKE_MAX])
{
    if (!value && flag->kind != KIND_TRUE && *at + 1 < argc)
        value = argv[++*at];
    if (take(flag, value, options))
        return true;
    if (flag->kind == KIND_NUMBER)
        snprintf(mistake, DOCS_MISTAKE_MAX, "%s needs a number from %d to %d", flag->name, flag->least,
                 flag->most);
    else if (flag->kind == KIND_TRUE)
        snprintf(mistake, DOCS_MISTAKE_MAX, "%s takes no value", flag->name);
    else if (value && value[0])
        snprintf(mistake, DOCS_MISTAKE_MAX, "%s is given more than %d times", flag->name, PATHS_MAX);
    else
        snprintf(mistake, DOCS_MISTAKE_MAX, "%s needs a value", flag->name);
    return false;
}

bool docs_flags(struct docs_options *options, int *argc, char **argv, char mistake[DOCS_MISTAKE_MAX])
{
    bool ended = false; /* behind "--" there are no flags */
    int  kept  = 1;

    for (int i = 1; i < *argc; i++) {
        const char        *value = NULL;
        const struct flag *flag;

        ended = ended || strcmp(argv[i], "--") == 0;
        flag  = ended ? NULL : find(argv[i], &value);
        if (flag && !take_at(flag, value, options, *argc, argv, &i, mistake))
            return false;
        if (flag)
            continue;
        if (!ended && (strcmp(argv[i], "--http") == 0 || strncmp(argv[i], "--http=", 7) == 0))
            options->over_http = true;
        argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    *argc      = kept;
    return true;
}
