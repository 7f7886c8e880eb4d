/* late_curl.c - stands in for libcurl, which is loaded when the first address is asked for. Without it nothing can be made of
 * what the other functions take, so that only the first ones have to say that it is missing. */
#include <curl/curl.h>
#include <stdarg.h>

#include "fetch/late.h"

/* The headers check the types of their arguments by macros. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct tn_late library = { .file = TENON_LATE_CURL };

#if LIBCURL_VERSION_NUM < 0x080000
typedef CURLU readable_url;
#else
typedef const CURLU readable_url;
#endif

#define FAILED  CURLE_FAILED_INIT
#define FAILEDM CURLM_INTERNAL_ERROR
#define FAILEDU CURLUE_OUT_OF_MEMORY

/* clang-format off */
LATE(library, FAILED, CURLcode, curl_global_init, (long flags), (flags))
LATE_VOID(library, curl_global_cleanup, (void), ())
LATE_VOID(library, curl_free, (void *text), (text))

LATE(library, NULL, CURL *, curl_easy_init, (void), ())
LATE_VOID(library, curl_easy_cleanup, (CURL *easy), (easy))
LATE_VOID(library, curl_easy_reset, (CURL *easy), (easy))
LATE(library, FAILED, CURLcode, curl_easy_perform, (CURL *easy), (easy))
LATE(library, NULL, char *, curl_easy_escape, (CURL *easy, const char *text, int len), (easy, text, len))
LATE(library, "libcurl is missing", const char *, curl_easy_strerror, (CURLcode code), (code))

LATE(library, NULL, CURLM *, curl_multi_init, (void), ())
LATE(library, FAILEDM, CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))
LATE(library, FAILEDM, CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy))
LATE(library, FAILEDM, CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy))
LATE(library, NULL, CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left))
LATE(library, FAILEDM, CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running))
LATE(library, FAILEDM, CURLMcode, curl_multi_poll,
     (CURLM *multi, struct curl_waitfd extra[], unsigned count, int ms, int *ready), (multi, extra, count, ms, ready))
LATE(library, FAILEDM, CURLMcode, curl_multi_socket_action,
     (CURLM *multi, curl_socket_t socket, int events, int *running), (multi, socket, events, running))
LATE(library, FAILEDM, CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi))

LATE(library, NULL, struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text))
LATE_VOID(library, curl_slist_free_all, (struct curl_slist *list), (list))

LATE(library, NULL, CURLU *, curl_url, (void), ())
LATE_VOID(library, curl_url_cleanup, (CURLU *url), (url))
LATE(library, FAILEDU, CURLUcode, curl_url_get, (readable_url *url, CURLUPart part, char **text, unsigned flags),
     (url, part, text, flags))
LATE(library, FAILEDU, CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned flags),
     (url, part, text, flags))
/* clang-format on */

/* Those that take one argument of several types. libcurl numbers its options by the type that each takes. */

typedef CURLcode  take_easy(CURL *easy, CURLoption option, ...);
typedef CURLMcode take_multi(CURLM *multi, CURLMoption option, ...);
typedef CURLcode  take_info(CURL *easy, CURLINFO info, ...);

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...)
{
    static _Atomic(void *) known;
    void                  *found = tn_late_find(&library, &known, "curl_easy_setopt");
    take_easy             *function;
    va_list                list;
    CURLcode               code;

    memcpy(&function, &found, sizeof function);
    if (!function)
        return FAILED;
    va_start(list, option);
    if ((long)option < CURLOPTTYPE_OBJECTPOINT)
        code = function(easy, option, va_arg(list, long));
    else if ((long)option < CURLOPTTYPE_OFF_T || (long)option >= CURLOPTTYPE_BLOB)
        code = function(easy, option,
                        va_arg(list,
                               void *)); /* to data or to a function: one size on all that has dlsym() */
    else
        code = function(easy, option, va_arg(list, curl_off_t));
    va_end(list);
    return code;
}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...)
{
    static _Atomic(void *) known;
    void                  *found = tn_late_find(&library, &known, "curl_multi_setopt");
    take_multi            *function;
    va_list                list;
    CURLMcode              code;

    memcpy(&function, &found, sizeof function);
    if (!function)
        return FAILEDM;
    va_start(list, option);
    if ((long)option < CURLOPTTYPE_OBJECTPOINT)
        code = function(multi, option, va_arg(list, long));
    else
        code = function(multi, option, va_arg(list, void *));
    va_end(list);
    return code;
}

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...)
{
    static _Atomic(void *) known;
    void                  *found = tn_late_find(&library, &known, "curl_easy_getinfo");
    take_info             *function;
    va_list                list;
    CURLcode               code;

    memcpy(&function, &found, sizeof function);
    if (!function)
        return FAILED;
    va_start(list, info);
    code = function(easy, info, va_arg(list, void *));
    va_end(list);
    return code;
}
