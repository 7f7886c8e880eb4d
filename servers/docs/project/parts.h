/* parts.h - what loads a project, among its own files. */
#ifndef DOCS_PROJECT_PARTS_H
#define DOCS_PROJECT_PARTS_H

#include "docs/project/project.h"
#include "kit/text.h"

#define CONFIG_FILE "config.json"

/* A copy that lives as long as the project; NULL without memory. */
char *project_text(struct project *project, const char *at, size_t len);

/* ---- project_config.c ---- */

/* One type of the configuration. */
struct custom_type {
    const char *name, *description, *folder, *schema_file;
    bool        with_common;
};
struct custom_types {
    struct custom_type at[CUSTOM_TYPES_MAX];
    size_t             count;
};

/* What a configuration of `len` bytes says, in the project's memory; problems are added to `mistakes`, a line each. False
 * without memory. */
bool config_read(struct project *project, const char *json, size_t len, struct custom_types *types,
                 struct text *mistakes);
/* Without one. */
bool config_default(struct project *project);

/* ---- project_place.c: where things are, and whether they may be looked at ---- */

/* Opens a project's folder, if the operator lets callers name it. *path is its resolved path (free it). NULL: no. */
tenon_root *place_open(const struct docs *docs, const char *path, char **resolved);

/* Would it be let to, if it were there? By the letters of the path, which is made normal. */
bool place_allows(const struct docs *docs, const char *path, char normal[4096]);

/* Opens a folder that the configuration names: relative to the project, or absolute; beneath the project or an allowed one.
 * *where (in the project's memory) is its path. NULL: no, and *denied tells whether it lies elsewhere or is not there. */
tenon_root *place_folder(struct project *project, const tenon_root *root, const char *path, char **where,
                         bool *denied);

/* A file that it names, by the same rules; -1: no. */
int place_file(const struct project *project, const tenon_root *root, const char *path, bool *denied);

/* A path without "." and "..", by its letters alone; false when that leads above "/", or it is too long. */
bool place_normal(const char *above, const char *path, char out[4096]);

/* The branch that git has checked out there, or "main". */
void place_branch(const struct project *project, const tenon_root *root, char out[BRANCH_LEN_MAX + 1]);

/* Is it a branch's name: 1 to BRANCH_LEN_MAX bytes, no control characters? */
bool branch_is_fine(const char *name);

#endif
