/* phrases.h - every sentence of the guard: to models, to clients, and to operators, in its log and in mistakes of a configuration.
 *
 * Texts with %s and the like are formats. What they quote is the operator's own text, shortened; never a
 * secret.
 */
#ifndef GUARD_PHRASES_H
#define GUARD_PHRASES_H

#include "contract/phrases.h"

#define GUARD_CODE_UPSTREAM_INVALID "UPSTREAM_INVALID" /* beside the codes of tenon/call.h */

/* Reasons of DENIED. */
#define GUARD_REASON_POLICY    "policy"
#define GUARD_REASON_CALLER    "caller"
#define GUARD_REASON_READ_ONLY "read-only"
#define GUARD_REASON_PINNED    "pinned"
#define GUARD_REASON_QUESTION  "question"

/* ---- To models ---------------------------------------------------------------------------------------------- */

#define GUARD_SAID "[guard] " /* before each message of the guard's own */

#define GUARD_NOT_SENT    "The guarded server cannot be reached, and the call was not sent: %s."
#define GUARD_MAYBE_DONE  "The guarded server gave no answer, and the call may have been done: %s."
#define GUARD_RESTS       "The guarded server failed again and again, and is left alone for a while. The call was not sent."
#define GUARD_NO_MESSAGE  "The guarded server answered with something that is not a message. The call may have been done."
#define GUARD_LINKS       "This caller has as many conversations with the guarded server as one may have. End one, or use it."
#define GUARD_LATE        "The guarded server did not answer in time; the call may have been done."
#define GUARD_NOT_A_RESULT "The call was carried out, but its result is not one that MCP knows."
#define GUARD_RESULT_UNFIT "The structured result does not fit the schema that the tool publishes: %.*s"
#define GUARD_DENIED_ARGUMENTS "The operator of this server does not allow these arguments; the issues say what is allowed."
#define GUARD_DENIED_SILENTLY  "The operator of this server does not allow these arguments."
#define GUARD_DENIED_CALLER    "The operator of this server allows this caller nothing."
#define GUARD_DENIED_READ_ONLY "Only tools that are known to change nothing may be called here, and this one is not."
#define GUARD_TOO_OFTEN        "This was called as often as it may be. The call was not sent; call again in %lld ms."
#define GUARD_TOO_MANY         "As many calls of the guarded server run as may run at once. The call was not sent; call again when one has ended."
#define GUARD_UNREAD           "it does not read what is sent to it"
#define GUARD_OTHER_REVISION   "it speaks another revision of the protocol by now; call again"
#define GUARD_RESULT_INVALID   "The call was carried out, but its structured result does not fit its schema: %.*s"
#define GUARD_RESULT_MISSING   "The call was carried out, but its structured result does not fit its schema: there is none"
#define GUARD_RESULT_NO_ROOM   "there is not enough memory to say why"
#define GUARD_RESULT_ABSENT    "The tool publishes an outputSchema, but this result has no structuredContent"
#define GUARD_RESULT_PUT       "structuredContent was taken from the JSON of the first text block"
#define GUARD_AUDIO_LEFT       "Audio (%.*s, about %zu bytes) is left out: this client's revision of the protocol has no audio."
#define GUARD_LINK             "Link to a resource: %.*s%s%.*s"
#define GUARD_URL_NEEDED       "\n%.*s%s%.*s"
#define GUARD_NO_TOOL     "Unknown tool: %s"
#define GUARD_NO_NAME     "params.name must be the name of a tool."
#define GUARD_NO_PROMPT   "Unknown prompt: %s"
#define GUARD_NO_REFERENCE "params.ref must name a prompt or a resource template."
#define GUARD_FOLLOWS     "Too many resources are subscribed to."
#define GUARD_NO_METHOD   "There is no method %s."
#define GUARD_CURSOR      "The cursor is not of this list, or the list has changed. Ask for the list from its beginning."
#define GUARD_ADDED       "Left out %s, which a client adds by itself and this tool does not declare"
#define GUARD_STOPPING    "the guard ends"
#define GUARD_BUSY        "too many calls wait for its answers"

#define GUARD_UNPROMISED   "This client cannot be asked that."
#define GUARD_UNANSWERED   "The client did not answer what the server asked."
#define GUARD_SECRET_FORM  "DENIED: the server asks for a password or a key in a form. It must send the user to a page instead."
#define GUARD_QUESTION_TWICE "DENIED: the server's question has a name twice in one object."
#define GUARD_SAMPLES_MANY "DENIED: the server asks the model of its client too often. It may ask again in a minute."
#define GUARD_ROUNDS       "The server asks for input again and again, and its answer does not come."
#define GUARD_RESULT_LOST  "The call was carried out, but its result was longer than the guard keeps while the client answers."
#define GUARD_BAD_STATE                                                                                      \
    "This requestState is not valid here: it was used, changed, belongs to another request, or its call has ended. " \
    "Send the request again without it."
#define GUARD_NO_TASK     "There is no task %s."
#define GUARD_NO_TASK_ID  "params.taskId must be a string."
#define GUARD_TASKS_NEEDED "Tasks are for clients that declare the extension io.modelcontextprotocol/tasks."
#define GUARD_STATE_LONG  "The server asks for input, with a state that is longer than the guard accepts."

/* "The definition of 'send' changed since ann approved it on 2026-11-16 (description, 1 parameter added). An operator can review
 * it: tenon pin --diff files/send" */
#define GUARD_PINNED_NAME  "The definition of '"
#define GUARD_PINNED_BY    "' changed since "
#define GUARD_PINNED_WHAT  " approved it on %.*s (%.*s). An operator can review it: tenon pin --diff "
#define GUARD_PINNED_SHORT "The definition of this tool changed since it was approved. An operator can review it: tenon pin --diff"
#define GUARD_STATE_READY      "ready"
#define GUARD_STATE_STARTING   "starting"
#define GUARD_STATE_IDLE       "idle"
#define GUARD_STATE_ENDED      "ended"
#define GUARD_STATE_IDLE_WORDS "The first call or list starts it."
#define GUARD_APPROVE_NONE  "There is no such definition that waits, or the upstream has nothing in the lock."
#define GUARD_APPROVE_OTHER "The definition has changed again since it was shown."
#define GUARD_APPROVE_FILE  "The lock file cannot be written; the log says why."
#define GUARD_KEEP_MANY     "Too many definitions are kept already: approve or remove some, or set changed: keep."
#define GUARD_LOG_KEPT      "%.*s: the approved definition is kept, by the console"
#define GUARD_LOG_APPROVED  "%.*s: approved in the console"
#define GUARD_UNAPPROVED   "This tool is not approved yet. An operator can review it: tenon pin"

/* ---- To the operator ---------------------------------------------------------------------------------------- */

#define GUARD_LOG_STARTED "%s: serves revision %s"
#define GUARD_LOG_LOST    "%s: %s"
#define GUARD_LOG_SCHEMA  "%s: calls of tool %s are not validated: %s"
#define GUARD_LOG_SCHEMA_HIDES  "%s: tool %s is hidden, because its calls cannot be validated: %s"
#define GUARD_LOG_OVERLAY       "%s: tool %s is hidden: what its arguments must keep is not a schema: %s"
#define GUARD_LOG_OVERLAY_STAYS "%s: what the arguments of tool %s must keep is not published, because it refers to its own root"
#define GUARD_LOG_TASKS   "%s: tool %s is hidden: it needs the tasks of 2025-11-25"
#define GUARD_LOG_HEADERS "%s: headers for arguments of a tool (x-mcp-header) are not valid: %s"
#define GUARD_LOG_ERRORS      "%s says: %s"
#define GUARD_LOG_ERRORS_MANY "%s says: %s (and more than is logged in a minute)"
#define GUARD_LOG_SAMPLING "%s: asks the model of its client"

#define GUARD_LOG_LOCK      "%s"
#define GUARD_LOG_LOCK_READ "%s was read again"
#define GUARD_LOG_UNPINNED  "%s: its tools are not pinned; see tenon pin --help"
#define GUARD_LOG_NEW       "%s: %s %.*s is hidden: %s; see tenon pin"
#define GUARD_LOG_CHANGED   "%s: %s %.*s has changed: %s; see tenon pin --diff"
#define GUARD_LOG_NOT_YET   "it is not approved yet"
#define GUARD_LOG_HASHES    "%s; sha256 %s was approved, %s is listed"
#define GUARD_LOG_UNCOMPARED "not compared"
#define GUARD_LOG_SCREEN    "%s: look at %s %.*s: %s"
#define GUARD_LOG_SCREENED  "%s: %s %.*s is hidden: %s; approve it with tenon pin if it is meant"
#define GUARD_LOG_LIST    "%s: its list of %s cannot be had: %s"
#define GUARD_LOG_TAKEN   "%s: %s %s is hidden: %s has published its name"
#define GUARD_LOG_RESERVED "%s: %s %s is hidden: it begins with the prefix of %s"
#define GUARD_LOG_NAME_LONG "%s: %s %s... is hidden: its name is too long"
#define GUARD_LOG_NAMES_MANY "%s: %s %s is hidden: this server has changed its names too often"
#define GUARD_LOG_SAYS    "%s logs: %s"
#define GUARD_LOG_LISTEN  "%s: its stream of changes has ended: %s"
#define GUARD_LOG_SHADOWED "%s: resource %.*s is hidden: %s has it"
#define GUARD_LOG_IDLE    "%s: is ended, because no call came for a while"
#define GUARD_LOG_OPENS   "%s: failed too often, and is left alone for a while: %s"
#define GUARD_LOG_WORKS   "%s: works again"
#define GUARD_LOG_AGAIN   "%s: forgot its session, which was begun anew"
#define GUARD_LOG_SEEN    "servers can read the guard's own environment: the kernel does not hide it"
#define GUARD_LOG_JUNK    "%s: wrote a line that is not a message: %.*s"
#define GUARD_WHY_TASKS    "it needs the tasks of 2025-11-25"
#define GUARD_WHY_HEADERS  "its x-mcp-header is not valid"
#define GUARD_WHY_NAMELESS "it has no name that can be published"
#define GUARD_WHY_SCHEMA   "its inputSchema is not one"
#define GUARD_WHY_OVERLAY  "the operator's rule for its arguments is not a schema"
#define GUARD_WHY_POLICY   "allow and deny leave it out"
#define GUARD_WHY_READ_ONLY "the policy is read-only, and it is not known to be"
#define GUARD_WHY_TWICE    "another one of this server has its name"
#define GUARD_WHY_TAKEN    "another server has published its name"
#define GUARD_WHY_RESERVED "its name begins with the prefix of another server"
#define GUARD_WHY_STARTING "it has not answered yet"
#define GUARD_WHY_SHADOWED "a server before this one has the same"
#define GUARD_WHY_HELD     "it is not approved as it is now; see tenon pin"

/* ---- Starting a server --------------------------------------------------------------------------------- */

#define SAY_NOT_IN_PATH       "%.200s: not found in PATH"
#define SAY_NO_PROGRAM        "%.200s: not found"
#define SAY_PROGRAM           "%.200s: cannot be run (%s)"
#define SAY_NO_INTERPRETER    "%.200s: the interpreter that its first line names was not found"
#define SAY_NO_DIRECTORY      "the directory %.200s cannot be entered (%s)"
#define SAY_NO_MEMORY_LIMIT   "the memory limit cannot be set (%s)"
#define SAY_NO_PROTECTION     "the process cannot be separated from others (%s)"
#define SAY_NO_PROCESS        "no process can be started (%s)"
#define SAY_NO_SUPERVISOR     "the supervisor cannot be started (%s)"
#define SAY_SUPERVISOR_SILENT "the supervisor ended before the server was started"
#define SAY_ORDER_LONG        "the command and its environment are too long"

/* ---- Credentials ------------------------------------------------------------------------------------------- */

#define GUARD_LOG_IN        "log in: tenon guard login %.200s"
#define GUARD_LOG_LOGIN     "%s: its login cannot be renewed: %s"
#define SAY_LOGIN_NAME      "%.200s: there is no server %.100s at an address"
#define SAY_LOGIN_OWN       "%.100s has a token of the operator's, and needs no login"
#define SAY_TOKEN_COMMAND   "the token-command cannot be used: %s"
#define SAY_TOKEN_REFUSED   "the server does not accept the credentials of the guard (HTTP %d)"
#define SAY_TOKEN_FILE      "%.200s: a token is one word of ASCII"
#define SAY_HEADER_FILE     "%.200s: the value of a header is one line of ASCII"
#define SAY_ADDRESS         "%.*s is not used: %s"
#define SAY_NO_HTTPS        "https is needed, or an address of this machine, or plain: true"

/* ---- Its end ------------------------------------------------------------------------------------------- */

#define SAY_EXITED "exited with status %d"
#define SAY_KILLED "was ended by signal %d (%s)"
#define SAY_LOST   "its supervisor was killed"

/* ---- Environment --------------------------------------------------------------------------------------- */

#define SAY_VARIABLE_NAME   "a variable's name must not be empty, and must not contain '='"
#define SAY_VARIABLE_TWICE  "%.100s is set twice; once in env, env-from and secrets is enough"
#define SAY_VARIABLE_LONG   "%.100s is longer than %zu bytes"
#define SAY_VARIABLE_NONE   "%.100s is not set in the environment of the guard"
#define SAY_VARIABLE_LOADER "%.100s changes what a program runs; write its value in env if it is meant"
#define SAY_VARIABLES_MANY  "there are more than %zu variables"
#define SAY_SECRET_EMPTY    "the file is empty: %.200s"
#define SAY_SECRET_NUL      "the file has a NUL byte: %.200s"

/* ---- What a dry run would have done --------------------------------------------------------------------- */

#define GUARD_LOG_WOULD_REFUSE "%s: dry run: a call of %s would be refused: %s"
#define GUARD_LOG_WOULD_REPAIR "%s: dry run: a call of %s would be repaired: %s"

/* ---- Its configuration ---------------------------------------------------------------------------------- */

#define SAY_CONFIG_JSON       "this is not valid JSON: %s"
#define SAY_CONFIG_YAML       "this is not valid YAML: %s"
#define SAY_CONFIG_UNREADABLE "it cannot be read"
#define SAY_CONFIG_NO_YAML    "this tenon was built without libyaml; write the configuration as JSON"
#define SAY_CONFIG_UTF8       "this is not valid UTF-8"
#define SAY_CONFIG_NUL        "a text must not contain NUL"
#define SAY_CONFIG_TWICE      "this name is given twice"
#define SAY_CONFIG_DEEP       "it is nested deeper than %zu levels"
#define SAY_CONFIG_LARGE      "it is longer than a configuration may be"
#define SAY_CONFIG_ALIAS      "anchors and aliases (&name, *name) are not allowed; write the value out"
#define SAY_CONFIG_TAG        "tags (!name) are not allowed"
#define SAY_CONFIG_KEY        "a name must be text"
#define SAY_CONFIG_DOCUMENTS  "a second document is not allowed"
#define SAY_CONFIG_MANY       "and %zu more"

#define SAY_CONFIG_TIME   "%s must be a time such as 200ms, 30s, 10m or 1h, from %s to %s"
#define SAY_CONFIG_PAUSE  "%s must be two times such as 200ms..30s, the second not the shorter one"
#define SAY_CONFIG_SIZE   "%s must be a size such as 65536, 64KiB or 512MiB, from %s to %s"
#define SAY_CONFIG_RATE   "%s must be a rate such as 10/s, 30/m, 100/h or 1000/d"
#define SAY_CONFIG_NAME   "the name of a server must begin with a letter or digit and have letters, digits, '_', '.' and '-' only"
#define SAY_CONFIG_BOTH   "%s has both a command and a url; it is one or the other"
#define SAY_CONFIG_FOR    "%s is for a server with a %s; %s has a %s"
#define SAY_CONFIG_URL    "%s must be an address such as https://mcp.example.com/mcp"
#define SAY_CONFIG_PLAIN  "%s must begin with https: over http a token can be read on the way; \"plain: true\" accepts that"
#define SAY_CONFIG_NO_URL "this tenon was built without libcurl and cannot reach addresses"
#define SAY_CONFIG_HEADER "%s must not contain line breaks or control characters"
#define SAY_CONFIG_HEADER_OURS "the header %s is set by the guard itself"
#define SAY_CONFIG_TOKENS "token-file, token-command and a header Authorization exclude each other"
#define SAY_CONFIG_SHARED "several callers would share this credential; write \"credential: shared\" if that is meant"
#define SAY_CONFIG_ORDER  "%s must not be shorter than %s"
#define SAY_CONFIG_PREFIX "the prefixes '%s' and '%s' (of %s) begin alike: a tool of one server could take the name of another's"
#define SAY_CONFIG_SCHEMA "arguments is not a JSON Schema: %s"
#define SAY_CONFIG_PATH   "the path is too long"
#define SAY_CONFIG_DIRECTORY "the directory cannot be entered (%s): %.200s"
#define SAY_CONFIG_PUBLISH "%s needs arguments, the schema that it is about"
#define SAY_CONFIG_SERVE_POLICY "%s stands in policy, not in serve"

#define SAY_CONFIG_BELOW  "the server could change what decides about it: %s is below this folder"

#define SAY_CLIENT_GUARD    "%s is left out: it runs tenon guard itself"
#define SAY_CLIENT_DISABLED "%s is left out: it is disabled"
#define SAY_CLIENT_IGNORED  "%s: %s is not understood, and is ignored"
#define SAY_CLIENT_BESIDE   "not understood, and ignored: %s"
#define SAY_CLIENT_SSE      "%s: type %s is not supported; servers are reached by stdio or http"
#define SAY_CLIENT_VARIABLE "%s: ${...} is not understood; write the value out, or import the file and use env-from or secrets"
#define SAY_CLIENT_ENTRY    "%s must be an object with a command or a url"
#define SAY_CLIENT_TYPE     "%s: %s must be %s"

#define SAY_CONFIG_LOOP   "this guard runs below a guard with the same file (%.200s): they would start each other without end"

/* ---- The hidden command -------------------------------------------------------------------------------- */

#define SAY_SUPERVISE_ALONE "tenon supervise is started by tenon guard, and does nothing by itself"

/* ---- Lists for clients ------------------------------------------------------------------------------------- */

#define GUARD_NO_CLIENT "publish must name clients that tenon lint knows, such as gemini or openai-strict"

#endif
