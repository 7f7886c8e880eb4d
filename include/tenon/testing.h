/* testing.h - for the tests of a server: its clients' side, in memory. No process, no port, and any test framework.
 *
 *     tenon_probe *probe = tenon_probe_new(server);
 *     const char  *wrong = tenon_probe_expect(probe, "add", "{\"a\": 1, \"b\": 2}", "{\"data\": {\"sum\": 3}}");
 *
 *     if (wrong)
 *         puts(wrong);                  "/data/sum: expected 3, got 4"
 *     tenon_probe_free(probe);
 *
 * A probe speaks the protocol as a client does: what it sees is what a model's program would see. It is used by one
 * thread. All text and JSON that it gives lives until tenon_probe_clear() or tenon_probe_free(). Every function accepts a
 * NULL probe, and a failure is reported once, by tenon_probe_error() or as the difference that an expectation returns.
 */
#ifndef TENON_TESTING_H
#define TENON_TESTING_H

#include <tenon/json.h>
#include <tenon/server.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_probe tenon_probe;

/* A client of `server`, which must outlive it and is not started. NULL when out of memory. */
TENON_API tenon_probe *tenon_probe_new(tenon_server *server);
TENON_API void         tenon_probe_free(tenon_probe *probe);

/* Why there was no answer, in words: a mistake in the server, an error of the protocol. "" when the last one came. */
TENON_API const char *tenon_probe_error(const tenon_probe *probe);

/* From now on another client, which speaks this revision ("2025-06-18"; "2026-07-28" at first). False when the server
 * does not. */
TENON_API bool tenon_probe_as(tenon_probe *probe, const char *version);

/* ---- Asking it ----------------------------------------------------------------------------------------------- */

/* Calls a tool; `arguments` is a JSON object, or NULL for none. The whole answer (status, error, messages, data), or NULL
 * when the tool could not be called at all. */
TENON_API const tenon_json *tenon_probe_call(tenon_probe *probe, const char *tool, const char *arguments);

/* Any method of the protocol, with its params as a JSON object or NULL; what every request of the revision must carry is
 * added. The result, or NULL with tenon_probe_error(). */
TENON_API const tenon_json *tenon_probe_request(tenon_probe *probe, const char *method, const char *params);

/* All pages of "tools", "prompts", "resources" or "resources/templates", as one array. */
TENON_API const tenon_json *tenon_probe_list(tenon_probe *probe, const char *what);

/* One message as it is, right or wrong. The last message that came back, or NULL when there was none. */
TENON_API const tenon_json *tenon_probe_send(tenon_probe *probe, const char *json);

/* ---- What else it says --------------------------------------------------------------------------------------- */

/* The nth notification of a method so far, counted from 0 ("notifications/progress"; NULL counts all of them), as the
 * whole message; NULL when there are not as many. A probe asks for progress, and for log lines of every level. */
TENON_API const tenon_json *tenon_probe_note(tenon_probe *probe, const char *method, size_t nth);

/* Answers a handler that asks: gets the method ("elicitation/create", "sampling/createMessage", "roots/list") and its
 * params, and returns the result as JSON text, valid until the next call; NULL for a user who closes the form. */
typedef const char *(*tenon_probe_answer_fn)(void *user, const char *method, const tenon_json *params);

/* From now on the client can be asked; with NULL it cannot, as at first. A client of a revision before 2026-07-28
 * declares it once, when it initializes: set it before tenon_probe_as(). */
TENON_API void tenon_probe_answers(tenon_probe *probe, tenon_probe_answer_fn answer, void *user);

/* Forgets all notifications, and frees what it gave out. */
TENON_API void tenon_probe_clear(tenon_probe *probe);

/* ---- Expecting ----------------------------------------------------------------------------------------------- */

/* Calls a tool and compares its answer. NULL when it is as expected, else a line for each difference, with its place.
 * Members of objects that are not mentioned in `expected` may be anything; lists must have as many items. */
TENON_API const char *tenon_probe_expect(tenon_probe *probe, const char *tool, const char *arguments,
                                         const char *expected);

/* The same for any value that a probe gave. */
TENON_API const char *tenon_probe_compare(tenon_probe *probe, const tenon_json *got, const char *expected);

#ifdef __cplusplus
}
#endif
#endif
