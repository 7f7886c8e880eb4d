/* judge.c - a guard of several servers, described by its own words: for tests of what a configuration need not be read for.
 *
 *     judge [OPTION OF A SERVER]... ++ NAME=VALUE... -- COMMAND... ++ NAME=VALUE... -- COMMAND...
 *
 * Names are name, prefix, share, ready, refresh, questions, extension.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/ask.h>
#include <tenon/setting.h>

#include "guard/guard.h"
#include "guard/process/supervise.h"

#define WORDS_MAX 64

static const char *value_of(const char *word, const char *name)
{
    size_t len = strlen(name);

    return strncmp(word, name, len) == 0 && word[len] == '=' ? word + len + 1 : NULL;
}

static enum tn_share share_of(const char *name)
{
    return strcmp(name, "all") == 0       ? SHARE_ALL
           : strcmp(name, "caller") == 0  ? SHARE_CALLER
           : strcmp(name, "session") == 0 ? SHARE_SESSION
                                          : SHARE_AUTO;
}

static void read_word(struct tn_upstream *upstream, const char *word)
{
    const char *value;

    if ((value = value_of(word, "name")))
        upstream->name = value;
    else if ((value = value_of(word, "prefix")))
        upstream->prefix = value;
    else if ((value = value_of(word, "share")))
        upstream->share = share_of(value);
    else if ((value = value_of(word, "ready")))
        upstream->ready_ms = atoi(value);
    else if ((value = value_of(word, "refresh")))
        upstream->refresh_ms = atoi(value);
    else if ((value = value_of(word, "questions")))
        upstream->questions = (unsigned)atoi(value);
    else if ((value = value_of(word, "extension"))) {
        const char **one = malloc(sizeof *one);

        *one                 = value;
        upstream->extensions = (tenon_strs){ .count = 1, .at = one };
    }
}

/* From after "++" to the next one, which becomes NULL. */
static int read_upstream(struct tn_upstream *upstream, int count, char **words)
{
    int at = 0;

    tn_upstream_configured(upstream);
    while (at < count && strcmp(words[at], "--") != 0)
        read_word(upstream, words[at++]);
    upstream->words = (const char *const *)words + at + 1;
    while (at < count && strcmp(words[at], "++") != 0)
        at++;
    words[at] = NULL;
    return at + 1;
}

int main(int count, char **words)
{
    const tenon_server_options   options = { .size = sizeof options };
    const tenon_settings_options none    = { .size = sizeof none, .row_size = sizeof(tenon_setting) };
    static struct tn_upstream    upstreams[UPSTREAMS_MAX];
    struct tn_policy             policy;
    char                        *own[WORDS_MAX] = { words[0] };
    int                          own_count = 1, at = 1, result = 2;
    size_t                       made = 0;
    struct tn_guard             *guard;
    tenon_settings              *settings;

    if (count > 1 && strcmp(words[1], SUPERVISE_COMMAND) == 0)
        return tn_supervise() ? 0 : 2;
    while (at < count && strcmp(words[at], "++") != 0 && own_count < WORDS_MAX - 1)
        own[own_count++] = words[at++];
    for (at++; at < count && made < UPSTREAMS_MAX; made++)
        at += read_upstream(&upstreams[made], count - at, words + at);
    tn_policy_configured(&policy);
    settings = tenon_settings_new_("judge", tenon_version(), &none);
    guard    = tn_guard_new(upstreams, made, &policy, &options);
    if (guard && tenon_settings_read(settings, own_count, own, &result))
        result = tn_guard_run(guard, settings);
    tenon_settings_free(settings);
    return result;
}
