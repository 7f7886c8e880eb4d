/* settings_fuzz.c - a configuration file of anything: read or refused with a sentence, and sound or not, never worse. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "net/settings_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void judge(struct tn_settings *settings, const char *mistake)
{
    must(!mistake || (*mistake && tn_utf8_valid(mistake, strlen(mistake))));
    if (!mistake)
        mistake = tn_settings_mistake(settings);
    if (mistake || !settings->http)
        return;
    /* what was accepted can be taken apart again, and nobody comes in unasked */
    must(tn_settings_address(settings->http).host[0] && tn_settings_address(settings->http).port[0]);
    must(tn_settings_is_loopback(tn_slice_of(tn_settings_address(settings->http).host)) ||
         settings->no_auth || settings->tokens.count || settings->tokens_file || settings->oauth_issuer);
}

struct own {
    const char *folder;
    tenon_strs  tags;
    int         age_ms;
    size_t      most;
};

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct own, folder, "folder", "DIR", "a text"),
    TENON_SETTING_TEXTS(struct own, tags, "tag", "TAG", "texts"),
    TENON_SETTING_TIME(struct own, age_ms, "age", "TIME", 0, 1000000, "a time"),
    TENON_SETTING_BYTES(struct own, most, "max-body", "SIZE", 7, 1 << 20, "in place of the library's"),
};

static void judge_own(const struct own *own)
{
    must(own->tags.count <= TENON_SETTING_TEXTS_MAX);
    for (size_t i = 0; i < own->tags.count; i++)
        must(own->tags.at[i][0]);
    must(!own->folder || own->folder[0]);
    must(own->age_ms >= 0 && own->age_ms <= 1000000);
    must(own->most == 0 || (own->most >= 7 && own->most <= 1 << 20));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static int          fd = -1;
    char                path[40];
    struct own          own;
    struct tn_settings *settings = tenon_settings_new("fuzz", "1", rows, &own);
    const char         *mistake  = NULL;

    if (fd < 0)
        fd = memfd_create("settings", MFD_CLOEXEC);
    must(fd >= 0 && settings);
    must(ftruncate(fd, 0) == 0 && pwrite(fd, data, len, 0) == (ssize_t)len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    tn_settings_set(settings, "config", path, &mistake);
    judge(settings, mistake);
    judge_own(&own);
    tn_settings_free(settings);
    return 0;
}
