/* ask.h - what a handler asks the user, the model or the program of its client.
 *
 * A handler is written as if the answer were already there, and returns tenon_ask() when it is not:
 *
 *     static tenon_outcome purge(tenon_call *call, const purge_args *args)
 *     {
 *         const confirm *given;
 *
 *         switch (tenon_elicit(call, "confirm", confirm_rows, &given, "Delete all rows of %s?", args->table)) {
 *         case TENON_REPLY_PENDING: return tenon_ask(call);
 *         case TENON_REPLY_ACCEPTED: break;
 *         default: return tenon_fail(call, TENON_CODE_DENIED, "The user did not agree. Nothing was deleted.");
 *         }
 *         ...
 *     }
 *
 * tenon_ask() ends this run; when the client has answered, the handler runs again from its beginning with the same
 * arguments, and every question that was answered so far has its reply. What the handler must remember between the runs
 * it keeps with tenon_keep(). Whether the client is asked by a result it answers with another call, or by requests on its
 * session, is up to the library. A handler that asks must not change anything before its last question.
 */
#ifndef TENON_ASK_H
#define TENON_ASK_H

#include <tenon/call.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the client of this call can be asked for. */
typedef enum tenon_ability {
    TENON_CAN_ELICIT       = 1, /* a form */
    TENON_CAN_ELICIT_URL   = 2, /* a page in the user's browser */
    TENON_CAN_SAMPLE       = 4,
    TENON_CAN_SAMPLE_TOOLS = 8,
    TENON_CAN_LIST_ROOTS   = 16
} tenon_ability;
TENON_API bool tenon_client_can(const tenon_call *call, tenon_ability ability);

typedef enum tenon_reply {
    TENON_REPLY_PENDING = 0, /* not answered yet: return tenon_ask(call) */
    TENON_REPLY_ACCEPTED,
    TENON_REPLY_DECLINED, /* the user declined */
    TENON_REPLY_CANCELLED /* the user closed the form without an answer */
} tenon_reply;

/* Asks the user to fill in a form, which is declared by rows of text, numbers, truth values and enums. An accepted form
 * that breaks its rows is asked for again. `key` tells the questions of a handler apart. */
#ifdef __cplusplus
#define tenon_elicit(...) TENON_ONLY_C_VALUE_("tenon_elicit()", tenon_reply)
#else
#define tenon_elicit(call, key, rows, out, ...) \
    tenon_elicit_((call), (key), (rows), (const void **)_Generic((out), const rows##_of_ **: (out)), __VA_ARGS__)
#endif
TENON_API tenon_reply tenon_elicit_(tenon_call *call, const char *key, tenon_rows_fn rows, const void **out,
                                    const char *format, ...) TENON_PRINTF(5, 6);

/* The same with the form as JSON Schema text; *content is the object that was filled in. */
TENON_API tenon_reply tenon_elicit_json(tenon_call *call, const char *key, const char *schema,
                                        const tenon_json **content, const char *message);

/* Sends the user to a page; nothing that was typed there comes back. */
TENON_API tenon_reply tenon_elicit_url(tenon_call *call, const char *key, const char *url,
                                       const char *message);

/* Asks the client's model, with the params of sampling/createMessage as JSON text; the result, or NULL while pending. */
TENON_API const tenon_json *tenon_sample(tenon_call *call, const char *key, const char *params);

/* Asks for the client's roots; the result ({"roots": [...]}), or NULL while pending. */
TENON_API const tenon_json *tenon_list_roots(tenon_call *call, const char *key);

/* Ends the run with every question that is pending. A client that cannot be asked gets an error that names the missing
 * capabilities. */
TENON_API tenon_outcome tenon_ask(tenon_call *call);

/* A tool that may become a task becomes one when it is called, and asks from inside it. A handler that needs to ask first
 * does so while tenon_in_task() is false, and then goes on as a task: it runs again there, with every reply. */
TENON_API bool          tenon_in_task(const tenon_call *call);
TENON_API tenon_outcome tenon_become_task(tenon_call *call);

/* Text to remember until the handler runs again, and what was kept, or "" on the first run. It travels through the
 * client, sealed: neither read nor changed there, and good for this caller, tool and arguments only. */
TENON_API void        tenon_keep(tenon_call *call, const char *text);
TENON_API const char *tenon_kept(const tenon_call *call);

#ifdef __cplusplus
}
#endif
#endif
