/* page.h - the files of share/tenon/console, which the build puts into the library. */
#ifndef NET_CONSOLE_PAGE_H
#define NET_CONSOLE_PAGE_H

#include <stddef.h>

struct tn_page_file {
    const char          *path, *type;
    const unsigned char *at;
    size_t               len;
    const char          *tag; /* an ETag, with its quotes */
};

extern const struct tn_page_file tn_page_files[];
extern const size_t              tn_page_file_count;

#endif
