/* replay.c - runs a fuzz target over files, for builds without libFuzzer.
 *
 *     NAME_fuzz DIRECTORY|FILE...
 *
 * Each file's bytes stand in a block of exactly their size, so that a sanitizer sees one byte too far. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_LIMIT = 4096, INPUT_LIMIT = 64 * 1024 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void die(const char *path, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", path, why);
    exit(2);
}

static void replay_file(const char *path, long long size)
{
    if (size > INPUT_LIMIT)
        die(path, "larger than any input should be");

    size_t   len  = (size_t)size;
    uint8_t *data = malloc(len ? len : 1);
    FILE    *file = fopen(path, "rb");
    if (data == NULL || file == NULL)
        die(path, strerror(errno));
    if (fread(data, 1, len, file) != len)
        die(path, "cannot be read whole");
    fclose(file);
    LLVMFuzzerTestOneInput(data, len);
    free(data);
}

static size_t replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        die(path, strerror(errno));
    if (!S_ISDIR(status.st_mode)) {
        replay_file(path, (long long)status.st_size);
        return 1;
    }

    DIR *directory = opendir(path);
    if (directory == NULL)
        die(path, strerror(errno));
    size_t         count = 0;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        char child[PATH_LIMIT];
        if (entry->d_name[0] == '.')
            continue;
        if (snprintf(child, sizeof child, "%s/%s", path, entry->d_name) >= PATH_LIMIT)
            die(path, "the path is too long");
        count += replay(child);
    }
    closedir(directory);
    return count;
}

int main(int argc, char **argv)
{
    size_t count = 0;

    for (int i = 1; i < argc; i++)
        count += replay(argv[i]);
    printf("%zu inputs replayed\n", count);
    return count > 0 ? 0 : 2;
}
