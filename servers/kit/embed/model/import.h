/* import.h - a model from a file or a folder into a folder of its own, checked before anything runs it. */
#ifndef KIT_EMBED_MODEL_IMPORT_H
#define KIT_EMBED_MODEL_IMPORT_H

#include "kit/embed/model/folder.h"

struct model_import {
    const char *from;    /* .jar, .zip, .onnx, or a folder */
    const char *name;    /* of the model; NULL: the file's */
    const char *to;      /* its folder; NULL: NAME in tenon/models of the user's data folder */
    const char *pooling; /* "mean" or "cls"; NULL: as the model's family does */
    bool        trust;   /* also a model that is not known by its hash */
    bool        any_runtime;
};

struct model_imported {
    struct model_folder folder;
    bool                is_known, was_there;
    double              cosine; /* of the test sentence, when it is known */
};

/* False and *mistake (free it): then nothing was written. */
bool model_import(const struct model_import *import, struct model_imported *imported, char **mistake);

#endif
