/* progress.h - what a handler reports while it runs: progress, log lines, content beside the answer; and what it knows of
 * the caller and the session.
 */
#ifndef TENON_PROGRESS_H
#define TENON_PROGRESS_H

#include <tenon/call.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reports how far the work is, when the client asked for progress: `done` of `total` (0: unknown), and a line of text, which
 * may be NULL. Values that do not grow are not sent. For a tool that is not `.blocking` everything is sent at its end. */
TENON_API void tenon_progress(tenon_call *call, double done, double total, const char *format, ...)
    TENON_PRINTF(4, 5);

/* A JSON string, with its quotes, in the call's arena: for the JSON texts that some functions here take. */
TENON_API const char *tenon_quote(tenon_call *call, const char *text);

typedef enum tenon_level {
    TENON_LEVEL_DEBUG = 0,
    TENON_LEVEL_INFO,
    TENON_LEVEL_NOTICE,
    TENON_LEVEL_WARNING,
    TENON_LEVEL_ERROR,
    TENON_LEVEL_CRITICAL,
    TENON_LEVEL_ALERT,
    TENON_LEVEL_EMERGENCY
} tenon_level;

/* A log line for the client, when it asked for lines of that level. For the model, use tenon_message(). */
TENON_API void tenon_log(tenon_call *call, tenon_level level, const char *format, ...) TENON_PRINTF(3, 4);

/* Who called: "" without authentication, else a name that stays the same for the same caller. */
TENON_API const char *tenon_caller(const tenon_call *call);

/* The W3C trace context that came with the call: the `traceparent`, or "". */
TENON_API const char *tenon_trace(const tenon_call *call);

/* A token that stands for `text`: sealed with the server's keys for this caller and `purpose`, so that it can be given to
 * the client and trusted when it comes back, also by another process with the same key file. Good for `ttl_ms` (0: for
 * TENON_SEAL_MS). In the call's arena; NULL without memory or without a server. */
#define TENON_SEAL_MS ((int64_t)30 * 24 * 3600 * 1000)
TENON_API const char *tenon_seal(tenon_call *call, const char *purpose, const char *text, int64_t ttl_ms);

/* The text of such a token; NULL when it was made for another caller or purpose, was changed, or is too old. */
TENON_API const char *tenon_unseal(tenon_call *call, const char *purpose, const char *token);

/* Remembers a text for as long as the client's session lasts (a pipe, a link, a legacy session of HTTP), and what was
 * remembered, or "". Modern requests over HTTP have no session: nothing is remembered, and it returns false. Where replicas
 * share their state (share.h) both wait for it, so that the tool should be .blocking; a text that cannot be kept is false. */
TENON_API bool        tenon_remember(tenon_call *call, const char *text);
TENON_API const char *tenon_remembered(tenon_call *call);

/* On a legacy HTTP session whose client can resume: closes the stream of this call, so that the client comes back for
 * the answer after `retry_ms`. Elsewhere it does nothing. */
TENON_API void tenon_release_stream(tenon_call *call, int retry_ms);

/* ---- Content beside the answer ------------------------------------------------------------------------------- */

/* Blocks follow the answer's text in the order in which they were added. Data is copied, and the library encodes it
 * as base64. In a prompt they are messages of the user's; in a resource only _text and _blob have a meaning. */
TENON_API void tenon_add_image(tenon_call *call, const char *mime, const void *data, size_t len);
TENON_API void tenon_add_audio(tenon_call *call, const char *mime, const void *data, size_t len);
TENON_API void tenon_add_resource_text(tenon_call *call, const char *uri, const char *mime, const char *text);
TENON_API void tenon_add_resource_blob(tenon_call *call, const char *uri, const char *mime, const void *data,
                                       size_t len);
TENON_API void tenon_add_link(tenon_call *call, const char *uri, const char *name, const char *mime);

#ifdef __cplusplus
}
#endif
#endif
