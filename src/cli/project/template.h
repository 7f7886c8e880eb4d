/* template.h - the files of a new project, which cmake/template.cmake makes of share/tenon/new*. */
#ifndef CLI_PROJECT_TEMPLATE_H
#define CLI_PROJECT_TEMPLATE_H

#include <stddef.h>

enum template_kind { TEMPLATE_COMMON, TEMPLATE_C, TEMPLATE_CPP };

struct template_file {
    const char        *path, *text;
    enum template_kind kind;
};

extern const struct template_file template_files[];
extern const size_t               template_count;

#endif
