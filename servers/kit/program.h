/* program.h - how the program of a server starts or refuses to: one form of error message and one meaning of the exit
 * status for all.
 *
 *     settings = tenon_settings_new("tenon-x", tenon_version(), rows, &options);
 *     if (!program_begin(settings, argc, argv, &result))
 *         return result;
 *     if (!x_new(&x, &options, &mistake))
 *         return program_refuse("tenon-x", &mistake);
 *     result = tenon_server_run(x.server, settings);
 */
#ifndef KIT_PROGRAM_H
#define KIT_PROGRAM_H

#include <tenon/setting.h>

/* As tenon_server_main() ends, too: something is in the way, or what was said on the command line cannot work. */
enum { PROGRAM_FAILED = 1, PROGRAM_MISUSED = 2 };

/* Why a server cannot be had. */
struct mistake {
    char *text;     /* a sentence, to be freed; NULL without memory */
    bool  is_usage; /* an option cannot work, today or tomorrow */
};

/* Keeps a sentence about an option, and is always false. */
bool mistake_of_usage(struct mistake *mistake, const char *format, ...) TENON_PRINTF(2, 3);

/* The heading of a server's own settings in --help, and the one that all of them have beside --db. */
#define PROGRAM_GROUP "Of this server"
#define PROGRAM_MAX_DB(T, field)                                                                              \
    TENON_SETTING_BYTES(T, field, "max-db", "SIZE", (int64_t)64 << 10, (int64_t)64 << 40,                     \
                        "most bytes of the database (no limit)")

/* tenon_settings_read(). From now on a file that may not grow any more is a full disk, which calls report,
 * and not the end of the process. */
bool program_begin(tenon_settings *settings, int argc, char **argv, int *result);
/* Says why, frees it, and returns what the program ends with. */
int program_refuse(const char *name, struct mistake *mistake);

#endif
