/* options.c - reading options by a table. */
#define _GNU_SOURCE
#include "cli/options.h"

#include <stdarg.h>
#include <string.h>

#include "net/settings_table.h"
#include "text/meant.h"

#define NAMES_MAX 32 /* options of a command, for suggestions */

static int options_wrong(struct options *options, const char *format, ...) TENON_PRINTF(2, 3);

static int options_wrong(struct options *options, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(options->why, sizeof options->why, format, args);
    va_end(args);
    return OPTION_WRONG;
}

const char *options_nearest(const char *given, size_t len, const char *const *names, size_t count)
{
    struct tn_meant meant;
    size_t          best;

    tn_meant_begin(&meant, (struct tn_slice){ given, len }, false);
    for (size_t i = 0; i < count; i++)
        tn_meant_try(&meant, tn_slice_of(names[i]), i);
    return tn_meant_found(&meant, &best) ? names[best] : NULL;
}

static int options_unknown(struct options *options, const char *name, size_t len)
{
    const char *names[NAMES_MAX], *near;
    size_t      count = 0;

    for (; count < (size_t)options->table_count && count < NAMES_MAX; count++)
        names[count] = options->table[count].name;
    near = options_nearest(name, len, names, count);
    return options_wrong(options, "there is no option --%.*s%s%s%s", (int)(len < 100 ? len : 100), name,
                         near ? " (did you mean --" : "", near ? near : "", near ? "?)" : "");
}

static int long_option(struct options *options, const char *name)
{
    size_t len = strcspn(name, "=");

    for (int i = 0; i < options->table_count; i++) {
        const struct option *row = &options->table[i];

        if (!tn_slice_is((struct tn_slice){ name, len }, row->name))
            continue;
        if (!row->value)
            return name[len] ? options_wrong(options, "--%s takes no value", row->name) : i;
        if (name[len])
            options->value = name + len + 1;
        else if (options->next < options->count)
            options->value = options->arguments[options->next++];
        else
            return options_wrong(options, "--%s needs a value: --%s %s", row->name, row->name, row->value);
        return i;
    }
    return options_unknown(options, name, len);
}

static int short_option(struct options *options, const char *given)
{
    for (int i = 0; i < options->table_count; i++)
        if (given[1] == options->table[i].alias && !given[2])
            return i;
    return options_wrong(options, "there is no option %.100s", given);
}

int options_next(struct options *options)
{
    const char *given;

    options->value = NULL;
    if (options->next >= options->count)
        return OPTION_END;
    given = options->arguments[options->next++];
    if (!options->ended && strcmp(given, "--") == 0) {
        options->ended = true;
        return options_next(options);
    }
    if (options->ended || given[0] != '-' || !given[1]) {
        options->value = given;
        return OPTION_OPERAND;
    }
    return given[1] == '-' ? long_option(options, given + 2) : short_option(options, given);
}

void options_help(FILE *to, const struct option *table, int count)
{
    for (int i = 0; i < count; i++)
        tn_settings_help_row(to, &(tenon_setting){ .name  = table[i].name,
                                                   .alias = table[i].alias,
                                                   .value = table[i].value,
                                                   .help  = table[i].help });
}
