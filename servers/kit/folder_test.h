/* folder_test.h - a folder for tests: files written, read and removed. */
#ifndef KIT_FOLDER_TEST_H
#define KIT_FOLDER_TEST_H

#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline char *folder_new(void)
{
    char  name[] = "/tmp/tenon-test-XXXXXX";
    char *path   = mkdtemp(name);

    return path ? realpath(path, NULL) : NULL;
}

static inline int folder_remove_one(const char *path, const struct stat *stat, int kind, struct FTW *at)
{
    (void)stat;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline void folder_remove(const char *path)
{
    nftw(path, folder_remove_one, 32, FTW_DEPTH | FTW_PHYS);
}

static inline void folder_free(char *path)
{
    folder_remove(path);
    free(path);
}

/* In turn overwritten. */
static inline const char *in_folder(const char *folder, const char *path)
{
    static char out[8][PATH_MAX];
    static int  next;

    next = (next + 1) % 8;
    snprintf(out[next], sizeof out[next], "%s/%s", folder, path);
    return out[next];
}

/* With all folders on the way. */
static inline void write_bytes(const char *folder, const char *path, const char *at, size_t len)
{
    char  full[PATH_MAX];
    FILE *file;

    snprintf(full, sizeof full, "%s/%s", folder, path);
    for (char *p = full + strlen(folder) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(full, 0700);
    }
    file = fopen(full, "wb");
    if (!file || fwrite(at, 1, len, file) != len || fclose(file) != 0)
        abort();
}

static inline void write_text(const char *folder, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline void write_text(const char *folder, const char *path, const char *format, ...)
{
    va_list list;
    char   *text = NULL;
    int     len;

    va_start(list, format);
    len = vasprintf(&text, format, list);
    va_end(list);
    if (len < 0)
        abort();
    write_bytes(folder, path, text, (size_t)len);
    free(text);
}

#endif
