/* setting.h - what an operator decides about a program: its own settings, beside those of the library.
 *
 *     struct options {
 *         const char *folder;
 *         size_t      most;
 *     };
 *
 *     static const tenon_setting rows[] = {
 *         TENON_SETTING_TEXT(struct options, folder, "folder", "DIR", "where notes are kept", .standard = "notes"),
 *         TENON_SETTING_BYTES(struct options, most, "max-notes", "SIZE", 1024, 1 << 30, "of all notes in sum",
 *                             .standard = "1MiB"),
 *     };
 *
 *     int main(int argc, char **argv)
 *     {
 *         struct options  options;
 *         tenon_settings *settings = tenon_settings_new("notes", "1.0.0", rows, &options);
 *         tenon_server   *server   = tenon_server_new("notes", "1.0.0");
 *         int             result;
 *
 *         if (tenon_settings_read(settings, argc, argv, &result)) {
 *             ... open options.folder, add tools ...
 *             result = tenon_server_run(server, settings);
 *         }
 *         tenon_settings_free(settings);
 *         return result;
 *     }
 *
 * Each row is a flag (--max-notes 2MiB), a variable of the environment (TENON_MAX_NOTES), a line of the configuration file
 * (max-notes = 2MiB) and a line of --help. A flag wins over the environment, which wins over the file, which wins over
 * tenon_settings_set(), which wins over `standard`. A row with the name of one of the library's takes its place.
 */
#ifndef TENON_SETTING_H
#define TENON_SETTING_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a value is, and the type of its field. */
typedef enum tenon_setting_kind {
    TENON_SETTING_FLAG = 0, /* bool */
    TENON_SETTING_TEXT,     /* const char *; NULL without a value */
    TENON_SETTING_TEXTS,    /* tenon_strs, given several times: at most TENON_SETTING_TEXTS_MAX */
    TENON_SETTING_INT,      /* int */
    TENON_SETTING_COUNT,    /* size_t */
    TENON_SETTING_BYTES,    /* size_t, written like 65536, 64KiB or 4MiB */
    TENON_SETTING_TIME,     /* int, milliseconds, written like 500ms, 50s, 2m or 1h */
    TENON_SETTING_CHOICE,   /* int, one of `choices` */
    TENON_SETTING_ADDRESS,  /* const char *, HOST:PORT */
    TENON_SETTING_URL,      /* const char *, of http or https */
    TENON_SETTING_PATH,     /* const char *, of a URL: /mcp */
    TENON_SETTING_KINDS_
} tenon_setting_kind;

#define TENON_SETTING_TEXTS_MAX 32

typedef struct tenon_choice {
    const char *name;
    int         value;
} tenon_choice;

/* Made by the macros below; all text must outlive the settings.
 *   min, max   of numbers: things, bytes or milliseconds
 *   standard   the default, as an operator writes it; NULL for none: the field is then false, NULL, 0 or empty
 *   value      what --help calls the value: FILE, N, SIZE
 *   help       what it is, in at most a line
 *   group      a heading of --help that begins with this row
 *   choices    ends with a name of NULL
 *   alias      one letter: -q */
typedef struct tenon_setting {
    const char         *name;
    size_t              kind, offset;
    int64_t             min, max;
    const char         *standard, *value, *help, *group;
    const tenon_choice *choices;
    char                alias, spare_[7];
} tenon_setting;

/* The name is without its dashes; then what --help calls the value, bounds of numbers, the help, and options: .standard,
 * .group, .alias. A field of another type does not compile. */
#define TENON_SETTING_FLAG(T, field, name, ...) \
    TENON_SETTING_(TENON_SETTING_FLAG, T, field, bool, name, NULL, 0, 0, NULL, __VA_ARGS__, )
#define TENON_SETTING_TEXT(T, field, name, value, ...) \
    TENON_SETTING_(TENON_SETTING_TEXT, T, field, const char *, name, value, 0, 0, NULL, __VA_ARGS__, )
#define TENON_SETTING_TEXTS(T, field, name, value, ...) \
    TENON_SETTING_(TENON_SETTING_TEXTS, T, field, tenon_strs, name, value, 0, 0, NULL, __VA_ARGS__, )
#define TENON_SETTING_INT(T, field, name, value, min, max, ...) \
    TENON_SETTING_(TENON_SETTING_INT, T, field, int, name, value, min, max, NULL, __VA_ARGS__, )
#define TENON_SETTING_COUNT(T, field, name, value, min, max, ...) \
    TENON_SETTING_(TENON_SETTING_COUNT, T, field, size_t, name, value, min, max, NULL, __VA_ARGS__, )
#define TENON_SETTING_BYTES(T, field, name, value, min, max, ...) \
    TENON_SETTING_(TENON_SETTING_BYTES, T, field, size_t, name, value, min, max, NULL, __VA_ARGS__, )
#define TENON_SETTING_TIME(T, field, name, value, min, max, ...) \
    TENON_SETTING_(TENON_SETTING_TIME, T, field, int, name, value, min, max, NULL, __VA_ARGS__, )
#define TENON_SETTING_CHOICE(T, field, name, choices, ...) \
    TENON_SETTING_(TENON_SETTING_CHOICE, T, field, int, name, "NAME", 0, 0, choices, __VA_ARGS__, )
#define TENON_SETTING_ADDRESS(T, field, name, value, ...) \
    TENON_SETTING_(TENON_SETTING_ADDRESS, T, field, const char *, name, value, 0, 0, NULL, __VA_ARGS__, )
#define TENON_SETTING_URL(T, field, name, value, ...) \
    TENON_SETTING_(TENON_SETTING_URL, T, field, const char *, name, value, 0, 0, NULL, __VA_ARGS__, )
#define TENON_SETTING_PATH(T, field, name, value, ...) \
    TENON_SETTING_(TENON_SETTING_PATH, T, field, const char *, name, value, 0, 0, NULL, __VA_ARGS__, )

#ifdef __cplusplus
#define TENON_SETTING_(kind_, ...) TENON_ONLY_C_VALUE_(#kind_ "(...)", tenon_setting)
#else
#define TENON_SETTING_(kind_, T, field_, type, name_, value_, min_, max_, choices_, help_, ...)              \
    {                                                                                                        \
        .name = (name_), .kind = kind_, .value = (value_), .min = (min_), .max = (max_),                     \
        .choices = (choices_), .help = (help_),                                                              \
        .offset = offsetof(T, field_) + 0 * sizeof(char[_Generic(&((T *)NULL)->field_, type * : 1)]),        \
        __VA_ARGS__                                                                                          \
    }
#endif

/* ---- Reading them -------------------------------------------------------------------------------------------- */

typedef struct tn_settings tenon_settings;

/* Zero in a field is its default; fields are only ever added.
 *   usage    of a command that serves nothing: the first lines of its --help. Only flags are read then, the library's
 *            settings are left out, and what is no flag is an operand
 *   memory   where it takes memory from */
typedef struct tenon_settings_options {
    size_t                 size, row_size;
    const tenon_setting   *rows;
    size_t                 count;
    void                  *values; /* a struct of the type that the rows name */
    const char            *usage;
    const tenon_allocator *memory;
} tenon_settings_options;

/* Sets all fields of the rows to their defaults. `rows` is an array, not a pointer. NULL when out of memory, which
 * every function below accepts. */
#ifdef __cplusplus
#define tenon_settings_new(...) TENON_ONLY_C_VALUE_("tenon_settings_new()", tenon_settings *)
#else
#define tenon_settings_new(name, version, rows, ...) TENON_SETTINGS_NEW_(name, version, rows, __VA_ARGS__, )
#define TENON_SETTINGS_NEW_(name, version, rows_, values_, ...)                                              \
    tenon_settings_new_((name), (version),                                                                   \
                        &(tenon_settings_options){ .size     = sizeof(tenon_settings_options),               \
                                                   .row_size = sizeof(tenon_setting),                        \
                                                   .rows     = (rows_),                                      \
                                                   .count    = sizeof(rows_) / sizeof *(rows_),              \
                                                   .values   = (values_), __VA_ARGS__ })
#endif
TENON_API tenon_settings *tenon_settings_new_(const char *name, const char *version,
                                              const tenon_settings_options *options);

/* After the server that was run with them; texts of the fields are freed too. */
TENON_API void tenon_settings_free(tenon_settings *settings);

/* Reads flags, environment and configuration file. False when there is nothing more to do: --help and --version are
 * printed, and mistakes to standard error; *result is then what main() should return. */
TENON_API bool tenon_settings_read(tenon_settings *settings, int argc, char **argv, int *result);

/* One setting, of the program or the library, by the name of its flag: weaker than what an operator gives. A mistake is kept,
 * and reported by tenon_settings_read() or tenon_server_run(). */
TENON_API tenon_status tenon_settings_set(tenon_settings *settings, const char *name, const char *value);

/* Was this setting given, in whatever way? */
TENON_API bool tenon_settings_has(const tenon_settings *settings, const char *name);

/* The operands of a command, in their order. */
TENON_API tenon_strs tenon_settings_operands(const tenon_settings *settings);

#ifdef __cplusplus
}
#endif
#endif
