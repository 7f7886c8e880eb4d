/* environment.c - picks the variables of a child: a list of names, then env, env-from and secrets. */
#include "guard/process/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/buf.h"
#include "contract/trusted.h"
#include "guard/phrases.h"
#include "json/pointer.h"

#define TEXT_MAX 1000 /* of a mistake */

/* A name that ends with '*' is the beginning of names. */
static const char *const passed_on[] = {
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_*",
    "TERM",
    "TZ",
    "TMPDIR",
    /* How to reach the network: without them a server fails in ways that its user cannot see. */
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    GUARD_FILES_VARIABLE,
};

/* Variables that make a program run other code. They may be meant, but then their value is written down. */
static const char *const loaders[] = {
    "LD_*",          "DYLD_*",     "GCONV_PATH",    "NODE_OPTIONS",      "NODE_PATH",
    "PYTHONPATH",    "PYTHONHOME", "PYTHONSTARTUP", "RUBYOPT",           "RUBYLIB",
    "PERL5OPT",      "PERL5LIB",   "PERLLIB",       "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS", "BASH_ENV",   "ENV",           "BASH_FUNC_*",       "GLIBC_TUNABLES",
};

struct variable {
    const char *text; /* NAME=VALUE */
    size_t      name_len;
    bool        written; /* by the operator, so that a second time is a mistake */
};

struct picker {
    const char *const                *own;
    const struct tn_environment_sink *sink;
    struct tn_arena                  *arena;
    struct variable                  *at;
    size_t                            count;
    bool                              failed;
    const char                       *member, *key; /* of the configuration: where a mistake is */
};

static bool is_listed(const char *name, size_t len, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t most = strlen(list[i]);
        bool   open = list[i][most - 1] == '*';

        if (open ? len >= most - 1 && memcmp(name, list[i], most - 1) == 0
                 : len == most && memcmp(name, list[i], most) == 0)
            return true;
    }
    return false;
}

/* ---- Mistakes ------------------------------------------------------------------------------------------ */

static void add_mistake(struct picker *picker, const char *text)
{
    struct tn_buf where;

    tn_buf_init(&where, picker->arena, 0, TEXT_MAX);
    tn_pointer_add(&where, tn_slice_of(picker->member));
    if (picker->key)
        tn_pointer_add(&where, tn_slice_of(picker->key));
    picker->failed = true;
    picker->sink->mistake(picker->sink->user, tn_buf_end(&where) ? where.at : "", text);
}

TENON_PRINTF(2, 3)
static bool refuse(struct picker *picker, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, picker->arena, 0, TEXT_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    add_mistake(picker, tn_buf_end(&text) ? text.at : SAY_MEMORY);
    return false;
}

/* ---- Variables ----------------------------------------------------------------------------------------- */

static struct variable *find(const struct picker *picker, const char *name, size_t len)
{
    for (size_t i = 0; i < picker->count; i++)
        if (picker->at[i].name_len == len && memcmp(picker->at[i].text, name, len) == 0)
            return &picker->at[i];
    return NULL;
}

/* A place for a variable that the configuration names, instead of the guard's own where there is one; NULL
 * at a mistake. */
static struct variable *place_for(struct picker *picker, const char *name)
{
    size_t           len = strlen(name);
    struct variable *variable;

    if (len == 0 || strchr(name, '=')) {
        refuse(picker, SAY_VARIABLE_NAME);
        return NULL;
    }
    variable = find(picker, name, len);
    if (variable && variable->written) {
        refuse(picker, SAY_VARIABLE_TWICE, name);
        return NULL;
    }
    if (variable)
        return variable;
    if (picker->count == ENVIRONMENT_MAX) {
        refuse(picker, SAY_VARIABLES_MANY, ENVIRONMENT_MAX);
        return NULL;
    }
    return &picker->at[picker->count];
}

static void put(struct picker *picker, const char *name, struct tn_slice value)
{
    struct variable *variable = place_for(picker, name);
    size_t           name_len = strlen(name);
    char            *text;

    if (!variable)
        return;
    if (value.len > VARIABLE_LEN_MAX || name_len + 1 > VARIABLE_LEN_MAX - value.len) {
        refuse(picker, SAY_VARIABLE_LONG, name, VARIABLE_LEN_MAX);
        return;
    }
    text = tn_arena_take(picker->arena, name_len + 1 + value.len + 1, 1);
    if (!text) {
        refuse(picker, SAY_MEMORY);
        return;
    }
    memcpy(text, name, name_len);
    text[name_len] = '=';
    memcpy(text + name_len + 1, value.at, value.len);
    text[name_len + 1 + value.len] = '\0';
    if (variable == &picker->at[picker->count])
        picker->count++;
    *variable = (struct variable){ text, name_len, true };
}

/* The guard's own that every child gets. Of a name that is there twice the first counts, as for getenv(). */
static void put_passed_on(struct picker *picker)
{
    for (const char *const *own = picker->own; *own && picker->count < ENVIRONMENT_MAX; own++) {
        size_t len = strcspn(*own, "=");

        if ((*own)[len] != '=' || !is_listed(*own, len, passed_on, sizeof passed_on / sizeof *passed_on) ||
            strlen(*own) > VARIABLE_LEN_MAX || find(picker, *own, len))
            continue;
        picker->at[picker->count++] = (struct variable){ *own, len, false };
    }
}

static const char *own_value(const struct picker *picker, const char *name)
{
    size_t len = strlen(name);

    for (const char *const *own = picker->own; *own; own++)
        if (strncmp(*own, name, len) == 0 && (*own)[len] == '=')
            return *own + len + 1;
    return NULL;
}

static bool is_loader(const char *name, size_t len)
{
    return is_listed(name, len, loaders, sizeof loaders / sizeof *loaders);
}

/* "AWS_*": all that begin so and are not written yet, but for those that must be written down. */
static void put_all_from_own(struct picker *picker, const char *pattern)
{
    bool any = strcmp(pattern, "*") == 0;

    for (const char *const *own = picker->own; *own; own++) {
        size_t len = strcspn(*own, "=");

        if (len == 0 || (*own)[len] != '=' || is_loader(*own, len) || !is_listed(*own, len, &pattern, 1))
            continue;
        any = true;
        if (find(picker, *own, len))
            continue;
        if (picker->count == ENVIRONMENT_MAX) {
            refuse(picker, SAY_VARIABLES_MANY, ENVIRONMENT_MAX);
            return;
        }
        picker->at[picker->count++] = (struct variable){ *own, len, true };
    }
    if (!any)
        refuse(picker, SAY_VARIABLE_NONE, pattern);
}

static void put_from_own(struct picker *picker, const char *name)
{
    const char *value = own_value(picker, name);

    if (!*name || strchr(name, '='))
        refuse(picker, SAY_VARIABLE_NAME);
    else if (is_loader(name, strlen(name)))
        refuse(picker, SAY_VARIABLE_LOADER, name);
    else if (name[strlen(name) - 1] == '*')
        put_all_from_own(picker, name);
    else if (!value)
        refuse(picker, SAY_VARIABLE_NONE, name);
    else
        put(picker, name, tn_slice_of(value));
}

static void put_secret(struct picker *picker, const char *name, const char *path)
{
    const char     *mistake;
    struct tn_slice text;

    if (tn_trusted_read(path, TRUSTED_PRIVATE, SECRET_LEN_MAX, picker->arena, &text, &mistake) != TENON_OK) {
        add_mistake(picker, mistake);
        return;
    }
    if (text.len > 0 && text.at[text.len - 1] == '\n')
        text.len--;
    if (text.len > 0 && text.at[text.len - 1] == '\r')
        text.len--;
    if (text.len == 0)
        refuse(picker, SAY_SECRET_EMPTY, path);
    else if (memchr(text.at, '\0', text.len))
        refuse(picker, SAY_SECRET_NUL, path);
    else
        put(picker, name, text);
}

/* ---- All of them --------------------------------------------------------------------------------------- */

static void put_wishes(struct picker *picker, const struct tn_environment_wishes *wishes)
{
    char index[24];

    picker->member = "env";
    for (size_t i = 0; i < wishes->env.count; i++) {
        picker->key = wishes->env.at[i].key;
        put(picker, picker->key, tn_slice_of(wishes->env.at[i].value));
    }
    picker->member = "env-from";
    for (size_t i = 0; i < wishes->env_from.count; i++) {
        snprintf(index, sizeof index, "%zu", i);
        picker->key = index;
        put_from_own(picker, wishes->env_from.at[i]);
    }
    picker->member = "secrets";
    for (size_t i = 0; i < wishes->secrets.count; i++) {
        picker->key = wishes->secrets.at[i].key;
        put_secret(picker, picker->key, wishes->secrets.at[i].value);
    }
}

const char *const *tn_environment_new(const char *const *own, const struct tn_environment_wishes *wishes,
                                      const struct tn_environment_sink *sink, struct tn_arena *arena)
{
    struct picker picker = { .own = own, .sink = sink, .arena = arena, .member = "env" };
    const char  **texts;

    picker.at = tn_arena_array(arena, ENVIRONMENT_MAX, struct variable);
    if (picker.at) {
        put_passed_on(&picker);
        if (wishes)
            put_wishes(&picker, wishes);
    }
    texts = tn_arena_array(arena, picker.count + 1, const char *);
    if (!picker.at || !texts) {
        picker.key = NULL;
        refuse(&picker, SAY_MEMORY);
    }
    if (picker.failed)
        return NULL;
    for (size_t i = 0; i < picker.count; i++)
        texts[i] = picker.at[i].text;
    return texts;
}

/* Servers run as the guard's own user, who may look into any process of theirs that can be dumped. */
bool tn_environment_hide(void)
{
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}
