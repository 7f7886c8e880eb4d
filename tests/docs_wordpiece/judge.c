/* judge.c - tokens of texts: judge TOKENIZER.JSON MOST, then on standard input texts, each after its length in four bytes (low
 * byte first). Prints the ids of each on a line. */
#include <stdio.h>
#include <stdlib.h>

#include "kit/embed/model/wordpiece.h"

#define TEXT_MAX_LEN ((size_t)1 << 20)
#define TOKENS_MAX   512

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *at   = malloc(WORDPIECE_FILE_MAX);

    if (!file || !at)
        exit(2);
    *len = fread(at, 1, WORDPIECE_FILE_MAX, file);
    fclose(file);
    return at;
}

static void split(const struct wordpiece *pieces, const char *text, size_t len, size_t most)
{
    int64_t ids[TOKENS_MAX];
    size_t  count = wordpiece_split(pieces, text, len, ids, most);

    for (size_t i = 0; i < count; i++)
        printf("%s%lld", i ? " " : "", (long long)ids[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static char       text[TEXT_MAX_LEN];
    unsigned char     head[4];
    size_t            len, most = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    char             *file = argc > 2 ? read_file(argv[1], &len) : NULL, mistake[200];
    struct wordpiece *pieces;

    if (!file || most < 2 || most > TOKENS_MAX)
        return 2;
    pieces = wordpiece_read(file, len, mistake, sizeof mistake);
    free(file);
    if (!pieces) {
        puts(mistake);
        return 1;
    }
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        len = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
        if (len > sizeof text || fread(text, 1, len, stdin) != len)
            return 2;
        split(pieces, text, len, most);
    }
    wordpiece_free(pieces);
    return 0;
}
