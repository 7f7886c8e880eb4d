/* program.h - how the program of a server begins, or does not: one form of complaint and one meaning of its status for all.
 *
 *     if (!program_begin("tenon-x", flags, count, &options, &argc, argv))
 *         return PROGRAM_MISUSED;
 *     if (!x_new(&x, &options, &mistake))
 *         return program_refuse("tenon-x", &mistake);
 *     result = tenon_server_main(x.server, argc, argv);
 */
#ifndef KIT_PROGRAM_H
#define KIT_PROGRAM_H

#include <tenon/base.h>

#include "kit/flags.h"

/* As tenon_server_main() ends, too: something is in the way, or what was said on the command line cannot work. */
enum { PROGRAM_FAILED = 1, PROGRAM_MISUSED = 2 };

/* Why a server cannot be had. */
struct mistake {
    char *text;     /* a sentence, to be freed; NULL without memory */
    bool  is_usage; /* an option cannot work, today or tomorrow */
};

/* Keeps a sentence about an option, and is always false. */
bool mistake_of_usage(struct mistake *mistake, const char *format, ...) TENON_PRINTF(2, 3);

/* flags_take(); what is wrong was said. From now on a file that may not grow any more is a full disk, which calls are told,
 * and not the end of the process. */
bool program_begin(const char *name, const struct flag *flags, size_t count, void *options, int *argc,
                   char **argv);
/* Who only asks for --help or --version gets no files. */
bool program_only_asks(int argc, char **argv);
/* Says why, frees it, and returns what the program ends with. */
int program_refuse(const char *name, struct mistake *mistake);

#endif
