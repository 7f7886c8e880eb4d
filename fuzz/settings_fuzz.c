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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static int          fd = -1;
    char                path[40];
    struct tn_settings *settings = tn_settings_new(NULL);
    const char         *mistake  = NULL;

    if (fd < 0)
        fd = memfd_create("settings", MFD_CLOEXEC);
    must(fd >= 0 && settings);
    must(ftruncate(fd, 0) == 0 && pwrite(fd, data, len, 0) == (ssize_t)len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    tn_settings_set(settings, "config", path, &mistake);
    judge(settings, mistake);
    tn_settings_free(settings);
    return 0;
}
