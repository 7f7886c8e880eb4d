/* settings_table.h - the rows that settings are read by. */
#ifndef NET_SETTINGS_TABLE_H
#define NET_SETTINGS_TABLE_H

#include "base/str.h"
#include "net/settings.h"

/* The kinds of setting.h, and those that only the library has. */
enum tn_setting_kind {
    SETTING_FLAG    = TENON_SETTING_FLAG,
    SETTING_TEXT    = TENON_SETTING_TEXT,
    SETTING_TEXTS   = TENON_SETTING_TEXTS,
    SETTING_INT     = TENON_SETTING_INT,
    SETTING_COUNT   = TENON_SETTING_COUNT,
    SETTING_BYTES   = TENON_SETTING_BYTES,
    SETTING_TIME    = TENON_SETTING_TIME,
    SETTING_CHOICE  = TENON_SETTING_CHOICE,
    SETTING_ADDRESS = TENON_SETTING_ADDRESS,
    SETTING_URL     = TENON_SETTING_URL,
    SETTING_PATH    = TENON_SETTING_PATH,
    SETTING_HOSTS   = TENON_SETTING_KINDS_, /* struct setting_list of HOST or HOST:PORT */
    SETTING_ORIGINS,                        /* struct setting_list of SCHEME://HOST[:PORT] */
    SETTING_TOKENS, /* struct setting_list of NAME:HASH; never repeated in a mistake */
    SETTING_RATES,  /* struct setting_list of CALLER=RATE */
    SETTING_YES_NO, /* bool, by two names */
    SETTING_FILE,   /* nothing: a configuration file to read */
    SETTING_KINDS
};

/* All settings of the library. */
extern const tenon_setting tn_settings_table[];
extern const size_t        tn_settings_table_count;

/* Of the program first, then of the library; NULL when there is none of that name. '_' is '-'. */
const tenon_setting *tn_settings_find(const struct tn_settings *settings, struct tn_slice name);

/* The name that was probably meant, or NULL. */
const char *tn_settings_near(const struct tn_settings *settings, struct tn_slice name);

/* The rows that count, one after another: those of the program, then those of the library that none of these replaces. Begins
 * with *next zero; NULL at the end. */
const tenon_setting *tn_settings_next(const struct tn_settings *settings, size_t *next);

/* Is it one of the program's? */
static inline bool tn_settings_is_own(const struct tn_settings *settings, const tenon_setting *row)
{
    return (uintptr_t)row - (uintptr_t)settings->own < settings->own_count * sizeof *row;
}

/* A line of --help. */
void tn_settings_help_row(FILE *to, const tenon_setting *row);

#endif
