/* client.h - a client of the Model Context Protocol: of a server in this process, of a program, of an address.
 *
 *     const char *const words[] = { "./notes", NULL };
 *     tenon_client     *client  = tenon_client_command(words);
 *     tenon_request    *call    = tenon_client_call(client, "search", "{\"text\": \"release\"}");
 *     const tenon_json *result  = tenon_client_wait(call);
 *
 *     puts(result ? tenon_request_text(call).at : tenon_request_why(call));
 *     tenon_client_free(client);
 *
 * Nothing blocks but what says so. A request returns at once with a handle and goes out when the client has found out
 * which revision the server speaks: 2026-07-28, or one of those with a handshake. Its answer comes while the client is
 * polled: to the function that the request names, or to a program that looks. Any number of requests may be open, up to
 * a bound. tenon_client_wait() polls until one is answered, for programs that have nothing else to do.
 *
 * What a server sends is not trusted: every message, list, question and wait has a bound, and text may hold anything
 * that JSON may hold. A client is used by one thread at a time. Its functions must not be called by handlers of a server
 * in the same process, and its callbacks must neither poll, wait nor free it; they may make, cancel and free requests.
 * Every function accepts NULL, which stands for a client, a request or a question that there was no memory for.
 */
#ifndef TENON_CLIENT_H
#define TENON_CLIENT_H

#include <tenon/json.h>
#include <tenon/server.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_client   tenon_client;
typedef struct tenon_request  tenon_request;
typedef struct tenon_question tenon_question;

/* ---- Connecting ---------------------------------------------------------------------------------------------- */

/* What a zero in the options stands for. */
#define TENON_CLIENT_TIMEOUT_MS    60000            /* for an answer */
#define TENON_CLIENT_MAX_BYTES     ((size_t)16 << 20) /* of one message; four times that of a whole list */
#define TENON_CLIENT_MAX_REQUESTS  ((size_t)1024)   /* open at a time */
#define TENON_CLIENT_MAX_QUESTIONS ((size_t)64)     /* not answered yet, also those that the server took back */
#define TENON_CLIENT_MAX_PAGES     ((size_t)1000)   /* of one list */
#define TENON_CLIENT_MAX_ROUNDS    ((size_t)10)     /* in which one request asks for input */
#define TENON_CLIENT_MAX_NOTES     ((size_t)10000)  /* messages of the server's own while an answer is waited for */

/* Gets a notification of the server's: its method ("notifications/message") and its params, both valid during the call. */
typedef void (*tenon_note_fn)(void *user, const char *method, const tenon_json *params);

/* Gets a question of the server's, to be answered now or later (see below). */
typedef void (*tenon_question_fn)(void *user, tenon_question *question);

/* Zero in a field is its default; fields are only ever added. Texts are copied.
 *   name, version  of the program, for the server's eyes; "tenon" and its version
 *   revision       the only one that is spoken; NULL: the server is asked, and 2025-11-25 tried when it knows no newer
 *   no_discover    with the revision 2026-07-28, which has no handshake: takes it for granted that the server speaks it
 *   capabilities   JSON object of what can be asked; NULL: all there is when `ask` is given, else nothing
 *   ask            answers questions (elicitation, sampling, roots). Without it, a result that asks for input is given
 *                  as it is
 *   note           gets every notification
 *   log_level      the lowest level of log lines that the server is asked for ("info"); NULL: none
 *   environment    of a program: texts "NAME=value" and a final NULL; NULL: that of this program
 *   directory      of a program: where it works; NULL: where this program does
 *   token          for an address: a bearer token, which goes nowhere else
 *   timeout_ms     for an answer; time that questions take does not count */
typedef struct tenon_client_options {
    size_t                 size;
    const char            *name, *version;
    const char            *revision;
    bool                   no_discover;
    const char            *capabilities;
    tenon_question_fn      ask;
    tenon_note_fn          note;
    void                  *user; /* of both */
    const char            *log_level;
    const char *const     *environment;
    const char            *directory;
    const char            *token;
    int                    timeout_ms;
    size_t                 max_bytes, max_requests, max_questions, max_pages, max_rounds, max_notes;
    const tenon_allocator *memory;
} tenon_client_options;

#ifdef __cplusplus
#define TENON_CLIENT_OPTIONS_(...) TENON_ONLY_C_VALUE_("a macro of client.h", const tenon_client_options *)
#else
#define TENON_CLIENT_OPTIONS_(...) \
    (&(tenon_client_options){ .size = sizeof(tenon_client_options), __VA_ARGS__ })
#endif

/* Of a server in this process, which must outlive it; handlers run inside the functions that send. Of a program, which
 * is started: its words and a final NULL, no shell; its standard error stays ours. Of an address, http or https:
 * needs libtenon-http, which is loaded when it is asked for; redirects are not followed.
 * NULL when out of memory. All other failures are those of the first request. */
#define tenon_client_memory(...) TENON_CLIENT_MEMORY_(__VA_ARGS__, )
#define TENON_CLIENT_MEMORY_(server, ...) tenon_client_memory_((server), TENON_CLIENT_OPTIONS_(__VA_ARGS__))
TENON_API tenon_client *tenon_client_memory_(tenon_server *server, const tenon_client_options *options);
#define tenon_client_command(...) TENON_CLIENT_COMMAND_(__VA_ARGS__, )
#define TENON_CLIENT_COMMAND_(words, ...) tenon_client_command_((words), TENON_CLIENT_OPTIONS_(__VA_ARGS__))
TENON_API tenon_client *tenon_client_command_(const char *const *words, const tenon_client_options *options);
#define tenon_client_url(...) TENON_CLIENT_URL_(__VA_ARGS__, )
#define TENON_CLIENT_URL_(url, ...) tenon_client_url_((url), TENON_CLIENT_OPTIONS_(__VA_ARGS__))
TENON_API tenon_client *tenon_client_url_(const char *url, const tenon_client_options *options);

/* Ends all requests, frees them, and closes. A program gets two seconds to end by itself, and one more after SIGTERM;
 * a server at an address two seconds to end its session. */
TENON_API void tenon_client_free(tenon_client *client);

/* Waits until the server is ready; false when it cannot be spoken with. Requests need not wait for it. */
TENON_API bool tenon_client_ready(tenon_client *client);

/* Why it cannot be spoken with, or why the last request could not be made; "" when all is well. */
TENON_API const char *tenon_client_error(const tenon_client *client);

/* The revision that is spoken, and what the server says of itself (capabilities, serverInfo, instructions); "" and NULL
 * before it is ready, and NULL with `no_discover`. */
TENON_API const char       *tenon_client_revision(const tenon_client *client);
TENON_API const tenon_json *tenon_client_server(const tenon_client *client);

/* ---- Running ------------------------------------------------------------------------------------------------- */

/* Does what there is to do, after waiting for it at most `timeout_ms` (0: not at all, -1: as long as it takes). Returns
 * how many messages came, or -1 when the connection has ended. */
TENON_API int tenon_client_poll(tenon_client *client, int timeout_ms);

/* Polls until no request is open. A request that listens is open until it is cancelled. */
TENON_API void tenon_client_run(tenon_client *client);

/* For a loop of the program's own: becomes readable when there is something to do; and in how many milliseconds there
 * will be in any case, or -1 when nothing is waited for. Then call tenon_client_poll(client, 0). */
TENON_API int tenon_client_fd(const tenon_client *client);
TENON_API int tenon_client_timeout(const tenon_client *client);

/* ---- Requests ------------------------------------------------------------------------------------------------ */

/* Zero in a field is its default; fields are only ever added.
 *   done        called once, when the request is answered or has failed; not after it was freed
 *   page        of a list: gets each page as it comes (tenon_request_result()); false ends the list there
 *   progress    gets the params of each progress notification; the server is asked for them only when it is given
 *   timeout_ms  0: that of the client; -1: none
 *   tool        of a call: the tool as it was listed. At an address it tells which arguments are repeated in headers
 *               (x-mcp-header), without which such a server refuses the call */
typedef struct tenon_request_options {
    size_t size;
    void (*done)(void *user, tenon_request *request);
    bool (*page)(void *user, tenon_request *request);
    void (*progress)(void *user, tenon_request *request, const tenon_json *params);
    void             *user; /* of all three */
    int               timeout_ms;
    const tenon_json *tool;
} tenon_request_options;

#ifdef __cplusplus
#define TENON_REQUEST_OPTIONS_(...) TENON_ONLY_C_VALUE_("a macro of client.h", const tenon_request_options *)
#else
#define TENON_REQUEST_OPTIONS_(...) \
    (&(tenon_request_options){ .size = sizeof(tenon_request_options), __VA_ARGS__ })
#endif

/* Any method, with its params as the text of a JSON object, or NULL; what every request of the revision must carry is
 * added. NULL when out of memory, when too many are open, or when params are no object: tenon_client_error() says it. */
#define tenon_client_request(client, ...) TENON_CLIENT_REQUEST_(client, __VA_ARGS__, )
#define TENON_CLIENT_REQUEST_(client, method, params, ...) \
    tenon_client_request_((client), (method), (params), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_request_(tenon_client *client, const char *method, const char *params,
                                               const tenon_request_options *options);

/* Calls a tool; gets a prompt. `arguments` is the text of a JSON object, or NULL. */
#define tenon_client_call(client, ...) TENON_CLIENT_CALL_(client, __VA_ARGS__, )
#define TENON_CLIENT_CALL_(client, tool, arguments, ...) \
    tenon_client_call_((client), (tool), (arguments), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_call_(tenon_client *client, const char *tool, const char *arguments,
                                            const tenon_request_options *options);
#define tenon_client_prompt(client, ...) TENON_CLIENT_PROMPT_(client, __VA_ARGS__, )
#define TENON_CLIENT_PROMPT_(client, prompt, arguments, ...) \
    tenon_client_prompt_((client), (prompt), (arguments), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_prompt_(tenon_client *client, const char *prompt, const char *arguments,
                                              const tenon_request_options *options);

#define tenon_client_read(client, ...) TENON_CLIENT_READ_(client, __VA_ARGS__, )
#define TENON_CLIENT_READ_(client, uri, ...) \
    tenon_client_read_((client), (uri), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_read_(tenon_client *client, const char *uri,
                                            const tenon_request_options *options);

/* All pages of "tools", "prompts", "resources" or "resources/templates" as one result, {"tools": [...]}. A cursor that comes a
 * second time ends the list. */
#define tenon_client_list(client, ...) TENON_CLIENT_LIST_(client, __VA_ARGS__, )
#define TENON_CLIENT_LIST_(client, what, ...) \
    tenon_client_list_((client), (what), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_list_(tenon_client *client, const char *what,
                                            const tenon_request_options *options);

/* Suggestions for a parameter of a prompt, or for a variable of a resource template (`of` is then its URI template,
 * which has "://" in it), as it is typed. */
#define tenon_client_complete(client, of, parameter, ...) \
    TENON_CLIENT_COMPLETE_(client, of, parameter, __VA_ARGS__, )
#define TENON_CLIENT_COMPLETE_(client, of, parameter, typed, ...) \
    tenon_client_complete_((client), (of), (parameter), (typed), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_complete_(tenon_client *client, const char *of, const char *parameter,
                                                const char *typed, const tenon_request_options *options);

/* Asks for news, which come as notifications: of one resource, or with NULL of all lists. It has no time limit. With
 * 2026-07-28 it stays open until it is cancelled, or the server ends it; before, it is answered as soon as the server
 * has agreed, and lasts as long as the request is not freed. */
#define tenon_client_listen(client, ...) TENON_CLIENT_LISTEN_(client, __VA_ARGS__, )
#define TENON_CLIENT_LISTEN_(client, uri, ...) \
    tenon_client_listen_((client), (uri), TENON_REQUEST_OPTIONS_(__VA_ARGS__))
TENON_API tenon_request *tenon_client_listen_(tenon_client *client, const char *uri,
                                              const tenon_request_options *options);

/* A notification: nothing comes back. TENON_E_IO before the client is ready, and after it has failed;
 * TENON_E_DECLARATION when params are no JSON object. */
TENON_API tenon_status tenon_client_notify(tenon_client *client, const char *method, const char *params);

/* ---- Answers ------------------------------------------------------------------------------------------------- */

typedef enum tenon_request_state {
    TENON_REQUEST_OPEN = 0,
    TENON_REQUEST_ANSWERED, /* with a result; of a tool, it may be an error's (isError) */
    TENON_REQUEST_REFUSED,  /* with an error of the protocol */
    TENON_REQUEST_LATE,     /* no answer in time */
    TENON_REQUEST_LOST,     /* no answer: the connection failed, or what came was no answer */
    TENON_REQUEST_CANCELLED /* by this program */
} tenon_request_state;

/* Polls until it is answered or has failed. Its result, or NULL. */
TENON_API const tenon_json *tenon_client_wait(tenon_request *request);

TENON_API tenon_request_state tenon_request_state_of(const tenon_request *request);

/* The result, and the error of the protocol (code, message, data): NULL when there is none. Both live as long as the
 * request, and in a list with `page` until the next page. */
TENON_API const tenon_json *tenon_request_result(const tenon_request *request);
TENON_API const tenon_json *tenon_request_error(const tenon_request *request);

/* The result or the error, byte for byte as it came; "" when there is none. */
TENON_API tenon_str tenon_request_text(const tenon_request *request);

/* Why there is no result, in words; "" when there is one, or may be one. */
TENON_API const char *tenon_request_why(const tenon_request *request);

/* Ends it: the server is notified, and what still comes is dropped. `done` is called by the next poll. */
TENON_API void tenon_request_cancel(tenon_request *request);

/* Cancels it if it is open, and forgets it. */
TENON_API void tenon_request_free(tenon_request *request);

/* ---- Questions of the server --------------------------------------------------------------------------------- */

/* "elicitation/create", "sampling/createMessage" or "roots/list", and its params; and the request that it belongs to,
 * where that is known. */
TENON_API const char       *tenon_question_method(const tenon_question *question);
TENON_API const tenon_json *tenon_question_params(const tenon_question *question);
TENON_API tenon_request    *tenon_question_request(const tenon_question *question);

/* False when the server, or the end of its request, took it back: the answer will be dropped. */
TENON_API bool tenon_question_is_open(const tenon_question *question);

/* Each question ends with one of these. A result is the text of a JSON object; when it is not, nothing happens and the
 * status is TENON_E_DECLARATION. A question that is refused fails its request where that is known, and is answered with
 * an error elsewhere. */
TENON_API tenon_status tenon_question_answer(tenon_question *question, const char *result);
TENON_API void         tenon_question_refuse(tenon_question *question, const char *why);

#ifdef __cplusplus
}
#endif
#endif
