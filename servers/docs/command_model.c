/* command_model.c - `tenon docs model import`: a model for --embedding model, checked before anything runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/main.h"
#include "kit/embed/embed.h"
#include "kit/embed/model/import.h"
#include "kit/program.h"

static const char help[] =
    "Usage: tenon docs model import FILE|FOLDER\n\n"
    "Takes a sentence encoder for --embedding model: a .jar or .zip with a .onnx file and its\n"
    "tokenizer.json, a .onnx file with tokenizer.json beside it, or a folder with both. The file is\n"
    "checked, opened in a process with limits, and tested with a sentence; nothing is downloaded.\n\n";

struct model_command {
    struct model_import import;
};

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct model_command, import.name, "name", "NAME", "the model's name (the file's)"),
    TENON_SETTING_TEXT(struct model_command, import.to, "to", "DIR",
                       "its folder (tenon/models/NAME in the user's data folder)"),
    TENON_SETTING_TEXT(struct model_command, import.pooling, "pooling", "HOW",
                       "mean or cls (as its family does)"),
    TENON_SETTING_FLAG(struct model_command, import.trust, "trust",
                       "also a model that is not known here: it is a program"),
    TENON_SETTING_FLAG(struct model_command, import.any_runtime, "embedding-runtime-any",
                       "also versions of ONNX Runtime that report to their maker"),
};

static int wrong(const char *text)
{
    fprintf(stderr, "tenon docs model: %s; see tenon docs model --help\n", text);
    return 2;
}

static int import_model(const struct model_import *import)
{
    struct model_imported imported;
    char                 *mistake = NULL;

    if (!model_import(import, &imported, &mistake)) {
        fprintf(stderr, "tenon docs model: %s\n", mistake ? mistake : "out of memory");
        free(mistake);
        return 1;
    }
    printf("%s: %zu numbers a vector, SHA-256 %.16s..., %s\n", imported.folder.name,
           imported.folder.dimensions, imported.folder.model_hash,
           imported.is_known ? "known; its test sentence is as it should be" : "trusted by you");
    printf("%s %s\n", imported.was_there ? "It was there already:" : "It is in", imported.folder.path);
    printf("Use it with: --embedding model --embedding-model %s\n",
           import->to ? imported.folder.path : imported.folder.name);
    model_folder_free(&imported.folder);
    return 0;
}

int docs_model_command(int argc, char **argv)
{
    struct model_command command  = { .import = { .from = NULL } };
    tenon_settings      *settings = tenon_settings_new("tenon docs model", tenon_version(), rows, &command,
                                                       .usage = help);
    bool                 asks = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
    int                  result;

    embed_quiet();
    if (argc == 0) {
        result = wrong("import is needed");
    } else if (tenon_settings_read(settings, asks ? 2 : argc,
                                   asks ? (char *[]){ argv[0], argv[0], NULL } : argv, &result)) {
        tenon_strs words = tenon_settings_operands(settings);

        if (strcmp(argv[0], "import") != 0)
            result = wrong("the only command is import");
        else if (words.count != 1)
            result = wrong("one FILE or FOLDER is needed");
        else {
            command.import.from = words.at[0];
            result              = import_model(&command.import);
        }
    }
    tenon_settings_free(settings);
    return result;
}
