/* notes.c - release notes and changelogs. */
#include "docs/search/notes.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool has_any(const char *text, size_t len, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t word = strlen(words[i]);

        for (size_t at = 0; at + word <= len; at++)
            if (strncasecmp(text + at, words[i], word) == 0)
                return true;
    }
    return false;
}

bool notes_are(const char *path)
{
    static const char *const names[] = { "changelog",   "change-log", "release-note", "release_note",
                                         "releasenote", "whatsnew",   "whats-new",    "whats_new" };
    static const char *const whole[] = { "changes", "history", "news", "releases", "release" };
    const char              *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t                   len = strcspn(name, ".");

    if (has_any(path, strlen(path), names, sizeof names / sizeof *names))
        return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strlen(whole[i]) == len && strncasecmp(name, whole[i], len) == 0)
            return true;
    return strncasecmp(path, "releases/", 9) == 0 || strstr(path, "/releases/") != NULL;
}

bool notes_are_asked(const char *query)
{
    static const char *const words[] = { "release",     "changelog", "changed", "what's new", "whats new",
                                         "what is new", "version",   "upgrade", "deprecat" };

    if (has_any(query, strlen(query), words, sizeof words / sizeof *words))
        return true;
    for (; *query; query++) /* "2.1": a version */
        if (isdigit((unsigned char)query[0]) && query[1] == '.' && isdigit((unsigned char)query[2]))
            return true;
    return false;
}
