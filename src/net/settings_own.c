/* settings_own.c - settings of programs: setting.h, on the one table. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "net/serve.h"
#include "net/settings_table.h"
#include "net/stdio/stdio.h"

enum { EXIT_OK = 0, EXIT_MISTAKE = 1, EXIT_COMMAND_LINE = 2 };

extern char **environ;

#define NO_MEMORY "out of memory"

/* Numbers: does the field hold all that the bounds allow? */
static bool fits_its_field(const tenon_setting *row)
{
    switch (row->kind) {
    case TENON_SETTING_INT:
    case TENON_SETTING_TIME: return row->min >= INT_MIN && row->min <= row->max && row->max <= INT_MAX;
    case TENON_SETTING_COUNT:
    case TENON_SETTING_BYTES: return row->min >= 0 && row->min <= row->max;
    default: return true;
    }
}

/* What is wrong with a row, whatever an operator does; NULL if nothing is. */
static const char *mistake_in_row(const tenon_setting *row)
{
    if (!row->name || !row->name[0] || !row->help)
        return "a setting has no name, or no help";
    if (row->kind >= TENON_SETTING_KINDS_)
        return "a setting is of a kind that this library does not know";
    if (row->kind == TENON_SETTING_CHOICE && !row->choices)
        return "a setting has no choices";
    if (!fits_its_field(row))
        return "a setting has bounds in the wrong order, or beyond what its field holds";
    return NULL;
}

/* The rows, each as long as this library knows them; NULL and a mistake, or without memory. */
static tenon_setting *copy_rows(struct tn_settings *settings, const tenon_settings_options *given)
{
    size_t         len  = given->row_size < sizeof(tenon_setting) ? given->row_size : sizeof(tenon_setting);
    tenon_setting *rows = tn_arena_array(&settings->arena, given->count + 1, tenon_setting);

    if (given->count > 0 && (!given->values || !given->rows))
        settings->mistake = "the settings have no rows, or no values to write to";
    else if (given->count > 0 && given->row_size < offsetof(tenon_setting, alias))
        settings->mistake = "the settings' rows are shorter than any were";
    else if (given->count > SETTINGS_OWN_MAX)
        settings->mistake = "there are more settings than a program may have";
    for (size_t i = 0; rows && i < given->count && !settings->mistake; i++) {
        memcpy(&rows[i], (const char *)given->rows + i * given->row_size, len);
        settings->mistake = mistake_in_row(&rows[i]);
    }
    return settings->mistake ? NULL : rows;
}

tenon_settings *tenon_settings_new_(const char *name, const char *version,
                                    const tenon_settings_options *options)
{
    tenon_settings_options given = { 0 };
    struct tn_settings    *settings;
    tenon_setting         *rows;

    memcpy(&given, options, options->size < sizeof given ? options->size : sizeof given);
    settings = tn_settings_new(given.memory);
    if (!settings)
        return NULL;
    settings->given   = true;
    settings->name    = name ? name : "tenon";
    settings->version = version ? version : "";
    settings->usage   = given.usage;
    rows              = copy_rows(settings, &given);
    if ((rows && !tn_settings_add_own(settings, rows, given.count, given.values)) || settings->arena.failed) {
        tn_settings_free(settings);
        return NULL;
    }
    return settings;
}

void tenon_settings_free(tenon_settings *settings)
{
    if (settings && !settings->left)
        tn_settings_free(settings);
}

static int settings_complain(const tenon_settings *settings, const char *text)
{
    fprintf(stderr, "%s: %s\n", settings ? settings->name : "tenon", text);
    return settings ? EXIT_COMMAND_LINE : EXIT_MISTAKE;
}

bool tenon_settings_read(tenon_settings *settings, int argc, char **argv, int *result)
{
    const char *mistake = NO_MEMORY;

    *result = EXIT_MISTAKE;
    if (!tn_stdio_fill_gaps()) {
        if (settings)
            settings_complain(settings, tn_stdio_no_gap_filler);
        return false;
    }
    switch (settings ? tn_settings_read(settings, argc, argv, environ, &mistake) : SETTINGS_MISTAKE) {
    case SETTINGS_HELP:
        tn_settings_help(settings, stdout, argc > 0 ? argv[0] : settings->name, settings->name,
                         settings->version);
        *result = EXIT_OK;
        return false;
    case SETTINGS_VERSION:
        printf("%s %s (tenon %s)\n", settings->name, settings->version, tenon_version());
        *result = EXIT_OK;
        return false;
    case SETTINGS_SERVE: mistake = settings->usage ? NULL : tn_settings_mistake(settings); break;
    case SETTINGS_MISTAKE: break;
    }
    if (mistake)
        *result = settings_complain(settings, mistake);
    return mistake == NULL;
}

tenon_status tenon_settings_set(tenon_settings *settings, const char *name, const char *value)
{
    const char *mistake = NULL;

    if (!settings)
        return TENON_E_NOMEM;
    if (tn_settings_set(settings, name, value, &mistake))
        return TENON_OK;
    if (!settings->mistake)
        settings->mistake = mistake;
    return settings->arena.failed ? TENON_E_NOMEM : TENON_E_DECLARATION;
}

bool tenon_settings_has(const tenon_settings *settings, const char *name)
{
    return settings && tn_settings_has(settings, name);
}

tenon_strs tenon_settings_operands(const tenon_settings *settings)
{
    return settings ? settings->operands : (tenon_strs){ 0, NULL };
}
