/* files.h - files that other processes write while they are read: read whole or not at all, listed, replaced at once. */
#ifndef DOCS_INDEX_FILES_H
#define DOCS_INDEX_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include <tenon/root.h>

#define FILES_MAX       200000 /* of one folder */
#define FILES_DEPTH_MAX 64
#define FILE_PATH_MAX   1024

enum docs_file_status {
    FILE_OK,
    FILE_NOT_FOUND,
    FILE_DENIED, /* a link out of the folder, or the system refuses */
    FILE_TOO_LARGE,
    FILE_CHANGING, /* it changed while it was read, again and again */
    FILE_FAILED,   /* the system failed: errno */
    FILE_NO_MEMORY
};

struct docs_file {
    char       *at; /* followed by a NUL; to be freed */
    size_t      len;
    struct stat stat;
};

/* Reads a whole file of at most `most` bytes, as it was at one moment. */
enum docs_file_status docs_file_read(const tenon_root *root, const char *path, size_t most,
                                     struct docs_file *file);
void                  docs_file_free(struct docs_file *file);

/* Is it still the file that was read? */
bool docs_file_is_same(const tenon_root *root, const char *path, const struct docs_file *file);

/* Puts other content in the place of `file`, which was read from `path`: a new file in the same folder, on the disk before
 * it takes the name; mode and, where the system lets us, owner stay. FILE_CHANGING when it is no longer the file that was
 * read; FILE_DENIED for a link. `file->stat` is then the new one's. */
enum docs_file_status docs_file_replace(const tenon_root *root, const char *path, struct docs_file *file,
                                        const char *at, size_t len);

/* A path beneath a folder: relative, without "..", ".", empty and hidden parts. Writes at most FILE_PATH_MAX bytes with the
 * NUL; false when it is not one. */
bool path_clean(const char *path, char out[FILE_PATH_MAX]);

/* ---- A folder ---- */

struct paths {
    char **at; /* sorted by bytes */
    size_t count, room;
};

#define PASSED_MAX 8
struct passed {
    char   ending[12]; /* ".docx"; "" is free */
    size_t count;
};

struct listing {
    struct paths  files, folders;     /* the folder itself is "" */
    struct paths  unreadable;         /* folders whose content is not known */
    struct passed passed[PASSED_MAX]; /* documents of kinds that are not read */
    bool          too_many; /* more than FILES_MAX, or too deep: the rest is left out, and not known */
};

/* Files that `wanted` says yes to, and all folders that are not hidden. Links to folders are not followed: what they lead to
 * is found at its own place, and a loop is none. `wanted` may also be asked about a folder, to leave it out. False without
 * memory or when the folder itself cannot be read. */
typedef bool (*file_wanted_fn)(void *user, const char *path, bool is_folder);
bool listing_make(struct listing *listing, const tenon_root *root, file_wanted_fn wanted, void *user);
void listing_free(struct listing *listing);

bool paths_add(struct paths *paths, const char *path);
bool paths_has(const struct paths *paths, const char *path); /* after sorting */
void paths_sort(struct paths *paths);                        /* each once */
void paths_free(struct paths *paths);

/* Does the path lie beneath one of the folders ("" has everything)? */
bool paths_beneath(const struct paths *folders, const char *path);

#endif
