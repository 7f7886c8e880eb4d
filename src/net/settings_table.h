/* settings_table.h - the rows that settings are read by. */
#ifndef NET_SETTINGS_TABLE_H
#define NET_SETTINGS_TABLE_H

#include "base/str.h"
#include "net/settings.h"

/* What is stored, and in what type of field. */
enum tn_setting_kind {
    SETTING_FLAG,    /* bool */
    SETTING_TEXT,    /* const char * */
    SETTING_ADDRESS, /* const char *, HOST:PORT */
    SETTING_PATH,    /* const char *, of a URL */
    SETTING_URL,     /* const char * */
    SETTING_HOSTS,   /* struct setting_list of HOST or HOST:PORT */
    SETTING_ORIGINS, /* struct setting_list of SCHEME://HOST[:PORT] */
    SETTING_TOKENS,  /* struct setting_list of NAME:HASH; never repeated in a mistake */
    SETTING_RATES,   /* struct setting_list of CALLER=RATE */
    SETTING_INT,     /* int */
    SETTING_COUNT,   /* size_t */
    SETTING_BYTES,   /* size_t */
    SETTING_TIME,    /* int, milliseconds */
    SETTING_CHOICE,  /* int, or an enum of its size */
    SETTING_YES_NO,  /* bool, by two names */
    SETTING_FILE,    /* nothing: a configuration file to read */
    SETTING_KINDS
};

struct tn_setting_choice {
    const char *name;
    int         value;
};

struct tn_setting {
    const char                     *name;
    enum tn_setting_kind            kind;
    size_t                          offset;   /* in struct settings */
    int64_t                         min, max; /* of numbers: things, bytes or milliseconds */
    const char                     *standard; /* the default as an operator writes it; NULL for none */
    const char                     *value;    /* what --help calls it; NULL for a flag */
    const char                     *help;
    const char                     *group;   /* begins with this row */
    const struct tn_setting_choice *choices; /* ends with a name of NULL */
};

extern const struct tn_setting tn_settings_table[];
extern const size_t            tn_settings_table_count;

/* NULL when there is none. '_' is '-'. */
const struct tn_setting *tn_settings_find(struct tn_slice name);

/* The name that was probably meant, or NULL. */
const char *tn_settings_near(struct tn_slice name);

#endif
