/* glob.h - patterns of paths: "**" any folders or none, "*" and "?" inside a name, "[a-z]" and "[!a-z]" one character. */
#ifndef DOCS_INDEX_GLOB_H
#define DOCS_INDEX_GLOB_H

#include <stdbool.h>

#define GLOB_LEN_MAX 512

/* Does the whole relative path match? "**" is a part of its own, and stands for no folder, too; a
 * pattern that ends in '/' means everything beneath. The time it takes grows with the product of both lengths at most. */
bool glob_match(const char *pattern, const char *path);

#endif
