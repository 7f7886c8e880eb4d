/* zip.h - files inside of a .zip or .jar, within bounds. */
#ifndef KIT_EMBED_MODEL_ZIP_H
#define KIT_EMBED_MODEL_ZIP_H

#include <stdbool.h>
#include <stddef.h>

#define ZIP_MISTAKE 200

struct zip_entry {
    char          name[256];
    size_t        packed, len; /* bytes inside of the archive, and unpacked, as it claims */
    size_t        at;          /* of its header */
    int           method;
    unsigned long crc;
};

/* The one file whose name ends so, whatever its case; false and the rest of a sentence that begins with "it". */
bool zip_find(const char *archive, size_t archive_len, const char *end, struct zip_entry *entry,
              char mistake[ZIP_MISTAKE]);
/* Its bytes, to be freed; NULL and the rest of a sentence that begins with "it". A file that claims more than `most`, or to be
 * packed more tightly than models and texts are, is not unpacked. */
char *zip_read(const char *archive, size_t archive_len, const struct zip_entry *entry, size_t most,
               char mistake[ZIP_MISTAKE]);

#endif
