/* zip.c - files inside of a .zip or .jar: its directory at the end, then one file, unpacked by zlib into a buffer of the size that
 * it claims and no more. */
#include "kit/embed/model/zip.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef TENON_ZLIB
#include <zlib.h>
#endif

#define END_LEN       22
#define COMMENT_MAX   65535
#define DIRECTORY_LEN 46
#define HEADER_LEN    30
#define ENTRIES_MAX   10000
#define RATIO_MAX     100 /* unpacked to packed: models have about 1.4, their tokenizers 5 */
#define SMALL_LEN     65536

static bool fail(char mistake[ZIP_MISTAKE], const char *text)
{
    snprintf(mistake, ZIP_MISTAKE, "%s", text);
    return false;
}

static uint32_t number(const char *at, size_t len)
{
    uint32_t value = 0;

    while (len-- > 0)
        value = value << 8 | (unsigned char)at[len];
    return value;
}

static bool is_mark(const char *at, char third, char fourth)
{
    return at[0] == 'P' && at[1] == 'K' && at[2] == third && at[3] == fourth;
}

/* Where the directory is stated to be; NULL. */
static const char *find_end(const char *archive, size_t len)
{
    size_t most = len < END_LEN + COMMENT_MAX ? len : END_LEN + COMMENT_MAX;

    for (size_t back = END_LEN; back <= most; back++)
        if (is_mark(archive + len - back, 5, 6))
            return archive + len - back;
    return NULL;
}

static bool ends_so(const char *name, size_t len, const char *end)
{
    size_t end_len = strlen(end);

    return len >= end_len && strncasecmp(name + len - end_len, end, end_len) == 0;
}

static void take_entry(struct zip_entry *entry, const char *at, size_t name_len)
{
    size_t shown = name_len < sizeof entry->name ? name_len : sizeof entry->name - 1;

    *entry = (struct zip_entry){ .method = (int)number(at + 10, 2),
                                 .crc    = number(at + 16, 4),
                                 .packed = number(at + 20, 4),
                                 .len    = number(at + 24, 4),
                                 .at     = number(at + 42, 4) };
    memcpy(entry->name, at + DIRECTORY_LEN, shown);
}

bool zip_find(const char *archive, size_t archive_len, const char *end, struct zip_entry *entry,
              char mistake[ZIP_MISTAKE])
{
    const char *last = archive_len >= END_LEN ? find_end(archive, archive_len) : NULL;
    size_t      count, begin, found = 0;

    if (!last)
        return fail(mistake, "is not a zip archive");
    count = number(last + 10, 2);
    begin = number(last + 16, 4);
    if (count > ENTRIES_MAX || begin > (size_t)(last - archive))
        return fail(mistake, "has a directory that cannot be read");
    for (const char *at = archive + begin; count-- > 0;) {
        size_t name_len, more;

        if ((size_t)(last - at) < DIRECTORY_LEN || !is_mark(at, 1, 2))
            return fail(mistake, "has a directory that cannot be read");
        name_len = number(at + 28, 2);
        more     = name_len + number(at + 30, 2) + number(at + 32, 2);
        if ((size_t)(last - at) - DIRECTORY_LEN < more)
            return fail(mistake, "has a directory that cannot be read");
        if (ends_so(at + DIRECTORY_LEN, name_len, end) && ++found == 1)
            take_entry(entry, at, name_len);
        at += DIRECTORY_LEN + more;
    }
    if (found == 1)
        return true;
    snprintf(mistake, ZIP_MISTAKE, found ? "has more than one file *%s" : "has no file *%s", end);
    return false;
}

/* The packed bytes; NULL when they do not lie in the archive. */
static const char *find_packed(const char *archive, size_t len, const struct zip_entry *entry)
{
    size_t before;

    if (entry->at > len || len - entry->at < HEADER_LEN || !is_mark(archive + entry->at, 3, 4))
        return NULL;
    before = HEADER_LEN + number(archive + entry->at + 26, 2) + number(archive + entry->at + 28, 2);
    if (len - entry->at < before || len - entry->at - before < entry->packed)
        return NULL;
    return archive + entry->at + before;
}

#ifdef TENON_ZLIB
static bool unpack(const char *packed, const struct zip_entry *entry, char *out)
{
    z_stream stream = { .next_in   = (Bytef *)(uintptr_t)packed,
                        .avail_in  = (uInt)entry->packed,
                        .next_out  = (Bytef *)out,
                        .avail_out = (uInt)entry->len };
    bool     done;

    if (entry->method == 0 && entry->packed == entry->len)
        memcpy(out, packed, entry->len);
    else if (entry->method != 8 || inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    else {
        done = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
        inflateEnd(&stream);
        if (!done)
            return false;
    }
    return crc32(0, (const Bytef *)out, (uInt)entry->len) == entry->crc;
}
#endif

char *zip_read(const char *archive, size_t archive_len, const struct zip_entry *entry, size_t most,
               char mistake[ZIP_MISTAKE])
{
    const char *packed = find_packed(archive, archive_len, entry);
    char       *out    = NULL;

    if (!packed || !entry->len)
        fail(mistake, "is broken: a file does not lie in it");
    else if (entry->len > most)
        snprintf(mistake, ZIP_MISTAKE, "has a file that claims %zu MB, and %zu MB is the most",
                 entry->len >> 20, most >> 20);
    else if (entry->len > SMALL_LEN && entry->len / RATIO_MAX > entry->packed)
        fail(mistake, "has a file that claims to be over 100 times as large unpacked, which no model is");
    else if (!(out = malloc(entry->len)))
        fail(mistake, "has a file for which there is no memory");
#ifdef TENON_ZLIB
    if (out && !unpack(packed, entry, out)) {
        fail(mistake, "is broken: a file cannot be unpacked, or is not what its checksum states");
        free(out);
        out = NULL;
    }
#else
    if (out) {
        fail(mistake, "cannot be unpacked: Tenon was built without zlib");
        free(out);
        out = NULL;
    }
#endif
    return out;
}
