/* flags.h - the flags of a server: taken out of a command line by a table, so that those of tenon_server_main() are left.
 *
 *     static const struct flag flags[] = {
 *         FLAG_TEXT(struct options, "--db", database),
 *         FLAG_NUMBER(struct options, "--workers", workers, 1, 64),
 *         FLAG_BYTES(struct options, "--max-db", database_most),
 *     };
 */
#ifndef KIT_FLAGS_H
#define KIT_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLAGS_LIST_MAX    32 /* values of a list */
#define FLAGS_MISTAKE_MAX 512
#define FLAGS_BYTES_MIN   ((int64_t)64 << 10)
#define FLAGS_BYTES_MAX   ((int64_t)64 << 40)

enum flag_kind { FLAG_IS_TEXT, FLAG_IS_LIST, FLAG_IS_NUMBER, FLAG_IS_BYTES, FLAG_IS_TRUE };

struct flag {
    const char    *name;
    enum flag_kind kind;
    size_t
        offset; /* in the options: const char *, const char *[FLAGS_LIST_MAX], int, int64_t (bytes) or bool */
    size_t count; /* of a list: where its size_t is */
    int    least, most;
};

#define FLAG_TEXT(T, name_, field)                                                                           \
    {                                                                                                        \
        name_, FLAG_IS_TEXT, offsetof(T, field), 0, 0, 0                                                     \
    }
#define FLAG_LIST(T, name_, field, count_)                                                                   \
    {                                                                                                        \
        name_, FLAG_IS_LIST, offsetof(T, field), offsetof(T, count_), 0, 0                                   \
    }
#define FLAG_NUMBER(T, name_, field, low, high)                                                              \
    {                                                                                                        \
        name_, FLAG_IS_NUMBER, offsetof(T, field), 0, low, high                                              \
    }
#define FLAG_BYTES(T, name_, field)                                                                          \
    {                                                                                                        \
        name_, FLAG_IS_BYTES, offsetof(T, field), 0, 0, 0                                                    \
    }
#define FLAG_TRUE(T, name_, field)                                                                           \
    {                                                                                                        \
        name_, FLAG_IS_TRUE, offsetof(T, field), 0, 0, 0                                                     \
    }

/* Fills in `options` and removes what it took from argv, whose first entry stays. False and a sentence for a value that is
 * wrong. Texts stay those of argv. */
bool flags_take(const struct flag *flags, size_t count, void *options, int *argc, char **argv,
                char mistake[FLAGS_MISTAKE_MAX]);

/* Is this flag of tenon_server_main() among them: "--http" or "--http=..."? */
bool flags_have(int argc, char **argv, const char *name);

#endif
