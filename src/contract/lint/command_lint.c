/* command_lint.c - programs that fetch what they run: a name without a version is another server tomorrow. */
#include <string.h>

#include "contract/lint/inside.h"
#include "contract/phrases.h"
#include "json/echo.h"

/* How a launcher names a package: after which words, and what comes before a version. */
static const struct {
    const char *program, *word; /* the word that must follow, or NULL */
    const char *mark;           /* before a version, not at the beginning */
    const char *example;
} launchers[] = {
    { "npx", NULL, "@", "npx -y NAME@1.2.3" },          { "bunx", NULL, "@", "bunx NAME@1.2.3" },
    { "pnpm", "dlx", "@", "pnpm dlx NAME@1.2.3" },      { "yarn", "dlx", "@", "yarn dlx NAME@1.2.3" },
    { "uvx", NULL, "=@", "uvx NAME==1.2.3" },           { "pipx", "run", "=@", "pipx run NAME==1.2.3" },
    { "docker", "run", ":@", "docker run NAME:1.2.3" }, { "podman", "run", ":@", "podman run NAME:1.2.3" },
};

/* Options of launchers whose value is the next word. */
static bool takes_value(const char *option)
{
    static const char *const options[] = { "-p",           "--package",  "--from", "--with",    "--python",
                                           "-e",           "--env",      "-v",     "--volume",  "--mount",
                                           "-u",           "--user",     "-w",     "--network", "--name",
                                           "--entrypoint", "--env-file", "-c" };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(option, options[i]) == 0)
            return true;
    return false;
}

static bool names_package(const char *option)
{
    return strcmp(option, "-p") == 0 || strcmp(option, "--package") == 0 || strcmp(option, "--from") == 0;
}

/* The package that is fetched, or NULL. */
static const char *package_of(const char *const *words)
{
    for (; *words; words++) {
        if ((*words)[0] != '-')
            return *words;
        if (names_package(*words) && words[1])
            return words[1];
        if (takes_value(*words) && words[1])
            words++;
    }
    return NULL;
}

static bool has_version(const char *package, const char *marks)
{
    const char *slash = strrchr(package, '/');
    const char *name  = slash ? slash + 1 : package;

    if (package[0] == '.' || package[0] == '/' || strstr(package, "://"))
        return true; /* a folder, or an address of its own */
    for (size_t i = 1; name[0] && name[i]; i++)
        if (strchr(marks, name[i]))
            return strcmp(name + i, "@latest") != 0 && strcmp(name + i, ":latest") != 0;
    return false;
}

void tn_lint_command(struct tn_lint *lint, const char *const *words)
{
    const char   *slash   = strrchr(words[0], '/');
    const char   *program = slash ? slash + 1 : words[0], *package;
    struct tn_buf shown, repair;
    size_t        i = 0;

    while (i < sizeof launchers / sizeof *launchers &&
           (strcmp(program, launchers[i].program) != 0 ||
            (launchers[i].word && (!words[1] || strcmp(words[1], launchers[i].word) != 0))))
        i++;
    if (i == sizeof launchers / sizeof *launchers)
        return;
    package = package_of(words + (launchers[i].word ? 2 : 1));
    if (!package || has_version(package, launchers[i].mark))
        return;
    tn_buf_init(&shown, lint->arena, 0, FINDINGS_TEXT_MAX);
    tn_buf_init(&repair, lint->arena, 0, FINDINGS_TEXT_MAX);
    tn_echo_text(&shown, package, strlen(package));
    tn_buf_addf(&repair, SAY_REPAIR_COMMAND, launchers[i].example);
    {
        struct tn_lint_tool server = { .lint = lint, .scratch = lint->arena };

        tn_lint_find(&server, LINT_COMMAND, (struct tn_slice){ "", 0 }, tn_buf_end(&repair), SAY_LINT_COMMAND,
                     tn_buf_end(&shown) ? shown.at : "");
    }
}
