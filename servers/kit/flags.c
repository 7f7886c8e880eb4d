/* flags.c - one pass over a command line. */
#include "kit/flags.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_named(const char *argument, const char *name, const char **value)
{
    size_t len = strlen(name);

    if (strncmp(argument, name, len) != 0 || (argument[len] != '\0' && argument[len] != '='))
        return false;
    *value = argument[len] == '=' ? argument + len + 1 : NULL;
    return true;
}

static bool take_number(const struct flag *flag, const char *value, int *out)
{
    char *end;
    long  number = strtol(value, &end, 10);

    if (end == value || *end || number < flag->least || number > flag->most)
        return false;
    *out = (int)number;
    return true;
}

/* Written like the sizes of tenon_server_main(): 65536, 64KiB, 4MiB, 1g. */
static bool take_bytes(const char *value, int64_t *out)
{
    static const struct {
        const char *name;
        int64_t     times;
    } units[] = { { "", 1 },        { "b", 1 },         { "k", 1 << 10 }, { "KiB", 1 << 10 },
                  { "m", 1 << 20 }, { "MiB", 1 << 20 }, { "g", 1 << 30 }, { "GiB", 1 << 30 } };
    char     *end;
    long long number;

    if (!isdigit((unsigned char)value[0]))
        return false;
    errno  = 0;
    number = strtoll(value, &end, 10);
    for (size_t i = 0; errno == 0 && i < sizeof units / sizeof *units; i++)
        if (strcasecmp(end, units[i].name) == 0)
            return !__builtin_mul_overflow(number, units[i].times, out) && *out >= FLAGS_BYTES_MIN &&
                   *out <= FLAGS_BYTES_MAX;
    return false;
}

static bool take_item(const char **list, size_t *count, const char *value)
{
    if (*count == FLAGS_LIST_MAX)
        return false;
    list[(*count)++] = value;
    return true;
}

/* False when the value is not one. */
static bool take(const struct flag *flag, const char *value, char *options)
{
    void *place = options + flag->offset;

    if (flag->kind == FLAG_IS_TRUE) {
        *(bool *)place = true;
        return value == NULL;
    }
    if (!value || !value[0])
        return false;
    if (flag->kind == FLAG_IS_NUMBER)
        return take_number(flag, value, place);
    if (flag->kind == FLAG_IS_BYTES)
        return take_bytes(value, place);
    if (flag->kind == FLAG_IS_LIST)
        return take_item(place, (size_t *)(void *)(options + flag->count), value);
    *(const char **)place = value;
    return true;
}

static void complain(const struct flag *flag, const char *value, char mistake[FLAGS_MISTAKE_MAX])
{
    switch (flag->kind) {
    case FLAG_IS_TRUE: snprintf(mistake, FLAGS_MISTAKE_MAX, "%s takes no value", flag->name); break;
    case FLAG_IS_NUMBER:
        snprintf(mistake, FLAGS_MISTAKE_MAX, "%s needs a number from %d to %d", flag->name, flag->least,
                 flag->most);
        break;
    case FLAG_IS_BYTES:
        snprintf(mistake, FLAGS_MISTAKE_MAX, "%s needs a size from 64KiB to 65536GiB, such as 512MiB",
                 flag->name);
        break;
    default:
        if (value && value[0])
            snprintf(mistake, FLAGS_MISTAKE_MAX, "%s is given more than %d times", flag->name,
                     FLAGS_LIST_MAX);
        else
            snprintf(mistake, FLAGS_MISTAKE_MAX, "%s needs a value", flag->name);
        break;
    }
}

bool flags_take(const struct flag *flags, size_t count, void *options, int *argc, char **argv,
                char mistake[FLAGS_MISTAKE_MAX])
{
    bool ended = false; /* behind "--" there are no flags */
    int  kept  = *argc > 0;

    for (int i = 1; i < *argc; i++) {
        const struct flag *flag  = NULL;
        const char        *value = NULL;

        ended = ended || strcmp(argv[i], "--") == 0;
        for (size_t f = 0; f < count && !flag && !ended; f++)
            if (is_named(argv[i], flags[f].name, &value))
                flag = &flags[f];
        if (!flag) {
            argv[kept++] = argv[i];
            continue;
        }
        if (!value && flag->kind != FLAG_IS_TRUE && i + 1 < *argc)
            value = argv[++i];
        if (!take(flag, value, options)) {
            complain(flag, value, mistake);
            return false;
        }
    }
    argv[kept] = NULL;
    *argc      = kept;
    return true;
}

bool flags_have(int argc, char **argv, const char *name)
{
    const char *value;

    for (int i = 1; i < argc; i++)
        if (is_named(argv[i], name, &value))
            return true;
    return false;
}
