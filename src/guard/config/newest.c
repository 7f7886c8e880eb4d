/* newest.c - the package that a command names, and whether it names a version of it. */
#include "guard/config/newest.h"

#include <stddef.h>
#include <string.h>

/* Programs that fetch what they run, and the options whose next word is not the package; `named` is the one whose is. */
static const struct runner {
    const char *words[4], *named[3], *valued[8];
} runners[] = {
    { { "npx" }, { "-p", "--package" }, { "-w", "--workspace", "--registry", "--cache", "--prefix" } },
    { { "npm", "exec" },
      { "-p", "--package" },
      { "-w", "--workspace", "--registry", "--cache", "--prefix" } },
    { { "npm", "x" }, { "-p", "--package" }, { "-w", "--workspace", "--registry", "--cache", "--prefix" } },
    { { "pnpx" }, { "--package" }, { "--registry" } },
    { { "pnpm", "dlx" }, { "--package" }, { "--registry" } },
    { { "yarn", "dlx" }, { "-p", "--package" }, { NULL } },
    { { "bunx" }, { "-p", "--package" }, { NULL } },
    { { "bun", "x" }, { "-p", "--package" }, { NULL } },
    { { "uvx" },
      { "--from" },
      { "-p", "--python", "--with", "--index-url", "--index", "--directory", "--env-file" } },
    { { "uv", "tool", "run" },
      { "--from" },
      { "-p", "--python", "--with", "--index-url", "--index", "--directory", "--env-file" } },
    { { "pipx", "run" }, { "--spec" }, { "--python", "--index-url", "--pip-args" } },
};

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* How many words of the command name this runner; 0: it is another program. */
static size_t begins_with(const char *const *words, const struct runner *runner)
{
    size_t count = 0;

    for (; runner->words[count]; count++)
        if (!words[count] ||
            strcmp(count == 0 ? file_of(words[count]) : words[count], runner->words[count]) != 0)
            return 0;
    return count;
}

static bool is_among(const char *word, const char *const *options, size_t most)
{
    for (size_t i = 0; i < most && options[i]; i++)
        if (strcmp(word, options[i]) == 0)
            return true;
    return false;
}

/* "--package=NAME" is "--package NAME". */
static const char *value_within(const char *word, const char *const *options, size_t most)
{
    for (size_t i = 0; i < most && options[i]; i++) {
        size_t len = strlen(options[i]);

        if (strncmp(word, options[i], len) == 0 && word[len] == '=')
            return word + len + 1;
    }
    return NULL;
}

static const char *package_of(const char *const *words, const struct runner *runner)
{
    enum { NAMED = sizeof runner->named / sizeof *runner->named };
    enum { VALUED = sizeof runner->valued / sizeof *runner->valued };

    for (; *words && (*words)[0] == '-' && strcmp(*words, "--") != 0; words++) {
        const char *within = value_within(*words, runner->named, NAMED);

        if (within)
            return within;
        if (is_among(*words, runner->named, NAMED))
            return words[1];
        if (is_among(*words, runner->valued, VALUED) && words[1])
            words++;
    }
    return *words && strcmp(*words, "--") == 0 ? words[1] : *words;
}

/* A tag such as latest, and a range such as ^1.0, are no version. */
static bool has_version(const char *package)
{
    const char *equal = strstr(package, "=="), *at = package[0] ? strrchr(package + 1, '@') : NULL;
    const char *version = equal ? equal + 2 : at ? at + 1 : "";

    return *version >= '0' && *version <= '9';
}

/* A path, or an address that may name a commit, is not a package of a registry. */
static bool is_elsewhere(const char *package)
{
    return package[0] == '.' || package[0] == '/' || package[0] == '~' || strstr(package, "://");
}

bool tn_runs_newest(const char *const *words)
{
    for (size_t i = 0; words && i < sizeof runners / sizeof *runners; i++) {
        size_t      count   = begins_with(words, &runners[i]);
        const char *package = count > 0 ? package_of(words + count, &runners[i]) : NULL;

        if (package && package[0] && !is_elsewhere(package))
            return !has_version(package);
    }
    return false;
}
