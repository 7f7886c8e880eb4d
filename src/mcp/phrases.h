/* phrases.h - every sentence of the protocol layer: to clients, to authors of servers, to operators.
 *
 * Texts with %s and the like are formats; their values come from the caller and are echoed shortened.
 */
#ifndef MCP_PHRASES_H
#define MCP_PHRASES_H

/* ---- Messages that cannot be read ------------------------------------------------------------------------ */

#define SAY_NOT_JSON    "The message is not JSON: %s at byte %zu."
#define SAY_TOO_LONG    "The message is longer than %zu bytes."
#define SAY_LINE_LONG   "The message is longer than the server accepts (--max-body)."
#define SAY_TOO_DEEP    "The message is nested deeper than %zu levels."
#define SAY_TOO_MANY    "The message has more than %zu values."
#define SAY_NO_MEMORY   "The server is out of memory. Try again later."
#define SAY_NOT_OBJECT  "A message is a JSON object."
#define SAY_MEMBER_TWICE  "A message, its params and their _meta must not repeat a member."
#define SAY_MANY_MEMBERS  "A message, its params and their _meta have at most 64 members each."
#define SAY_ID_TEXT       "\"id\" must be UTF-8."
#define SAY_BAD_TEXT      "A message must be valid UTF-8, without lone surrogates."
#define SAY_NOT_2       "\"jsonrpc\" must be \"2.0\"."
#define SAY_BAD_ID      "\"id\" must be a string or a number."
#define SAY_BAD_METHOD  "\"method\" must be a string."
#define SAY_BAD_PARAMS  "\"params\" must be an object."
#define SAY_NEITHER     "A message has a \"method\", or an \"id\" with a \"result\" or an \"error\"."
#define SAY_BATCH       "Batches are accepted in revision 2025-03-26 only; send one message at a time."
#define SAY_BATCH_EMPTY "A batch has at least one message."
#define SAY_BATCH_WAITS "The server keeps no more messages of this caller for now. Try again later."
#define SAY_BATCH_KEPT  "The answers of this batch are longer than the server keeps for this caller. Send fewer messages at once."
#define SAY_BATCH_LONG  "A batch has at most %d messages."
#define SAY_BATCH_ONCE  "A message with an envelope of revision 2026-07-28 or later cannot stand in a batch."

/* ---- Era and headers ------------------------------------------------------------------------------------- */

#define SAY_VERSION_DIFFERS "The header MCP-Protocol-Version differs from the version in params._meta."
#define SAY_VERSION_HEADER  "The header MCP-Protocol-Version is missing."
#define SAY_NO_ENVELOPE                                                                                      \
    "params._meta must have \"io.modelcontextprotocol/protocolVersion\" and "                                \
    "\"io.modelcontextprotocol/clientCapabilities\"."
#define SAY_BAD_VERSION     "params._meta: \"io.modelcontextprotocol/protocolVersion\" must be a string."
#define SAY_NO_CAPABILITIES "params._meta: \"io.modelcontextprotocol/clientCapabilities\" must be an object."
#define SAY_BAD_LEVEL                                                                                        \
    "The log level must be one of debug, info, notice, warning, error, critical, alert, emergency."
#define SAY_NO_VERSION     "This protocol version is not supported."
#define SAY_INIT_MODERN    "The header names a revision that has no initialize; send server/discover."
#define SAY_LEGACY_VERSION "The header MCP-Protocol-Version names a revision that this server does not support."
#define SAY_RESPONSE_MODERN                                                                                  \
    "In the revision that the header names a server sends no requests, and a client no responses."
#define SAY_METHOD_MISSING "The header Mcp-Method is missing; it repeats \"method\"."
#define SAY_METHOD_DIFFERS "The header Mcp-Method differs from \"method\"."
#define SAY_NAME_MISSING   "The header Mcp-Name is missing; it repeats what is called, read or asked for."
#define SAY_NAME_DIFFERS   "The header Mcp-Name differs from the body."
#define SAY_HEADER_CODED   "The header %s is neither plain ASCII nor canonical =?base64?...?=."
#define SAY_PARAM_MISSING  "The header Mcp-Param-%.*s is missing; it repeats the argument."
#define SAY_PARAM_DIFFERS  "The header Mcp-Param-%.*s differs from the argument."
#define SAY_PARAM_EXTRA    "The header Mcp-Param-%.*s repeats an argument that is not there."

/* ---- Sessions -------------------------------------------------------------------------------------------- */

#define SAY_SESSION_MISSING "The header Mcp-Session-Id is missing; send initialize first."
#define SAY_SESSION_UNKNOWN "There is no such session; send initialize to begin one."
#define SAY_INIT_AGAIN      "This session has been initialized already."

/* ---- Requests -------------------------------------------------------------------------------------------- */

#define SAY_NO_METHOD       "There is no method %s."
#define SAY_NO_NAME         "params.name must be a string."
#define SAY_NO_URI          "params.uri must be a string."
#define SAY_BAD_ARGUMENTS   "params.arguments must be an object."
#define SAY_NO_TOOL         "There is no tool %s."
#define SAY_NO_PROMPT       "There is no prompt %s."
#define SAY_NO_RESOURCE     "There is no resource %s."
#define SAY_NO_SKILL        "There is no skill %s."
#define SAY_NO_DIRECTORY    "There is no directory %s."
#define SAY_BAD_CURSOR      "This cursor does not belong to this list; request the list from its beginning."
#define SAY_INTERNAL        "Something went wrong inside."
#define SAY_NO_SCOPES       "The token does not allow this tool."
#define SAY_LISTEN_FILTER   "params.notifications must be an object that says what to listen to."
#define SAY_LISTEN_MANY     "There are too many open streams. Close one, or try again later."
#define SAY_SUBSCRIBED_MANY "There are too many subscriptions in this session."

/* ---- Completion ------------------------------------------------------------------------------------------ */

#define SAY_BAD_REF                                                                                          \
    "params.ref must have the \"type\" \"ref/prompt\" with a \"name\", or \"ref/resource\" with a \"uri\"."
#define SAY_BAD_ARGUMENT "params.argument must have a \"name\" and a \"value\", both strings."
#define SAY_ONE_OF       "One of: "
#define SAY_NO_ARGUMENT  "There is no argument %s to be completed."

/* ---- Asking the client ----------------------------------------------------------------------------------- */

#define SAY_CANNOT_ASK                                                                                       \
    "This call needs a client that can be asked; see requiredCapabilities for what it must declare."
#define SAY_UNDECLARED "This call must ask its client, and needs one that declares these capabilities: "
#define SAY_BAD_STATE                                                                                        \
    "This requestState is not valid here: it was changed, belongs to another request, or is too old. "       \
    "Send the request again without it."
#define SAY_BAD_RESPONSES   "params.inputResponses must be an object."
#define SAY_MANY_RESPONSES  "params.inputResponses has more than %zu members."
#define SAY_NOT_ANSWERED    "The client did not answer what the tool asked. Call again when its user is available."
#define SAY_UNASKED                                                                                          \
    "This answers no open question of this process: it was answered or abandoned, or another process asked it."
#define SAY_ANSWER_LONG       "The answer to a question has at most 1 MiB. The question is still open."
#define SAY_ANSWER_UNREADABLE                                                                                \
    "The answer to a question must be UTF-8, at most 32 levels deep and of at most 20000 values. The question is " \
    "still open."
#define SAY_ANSWERS_MANY                                                                                     \
    "The server keeps no more answers of this caller for now. The question is still open; try again later."
#define SAY_ASKED_TOO_OFTEN "The tool asked too often without finishing."

/* ---- Handlers -------------------------------------------------------------------------------------------- */

#define SAY_TIMEOUT "The call took longer than its deadline. Try again, or narrow the call."
#define SAY_TIMEOUT_UNKNOWN                                                                                  \
    "The call took longer than its deadline. Its outcome is unknown: look at the present state before "      \
    "calling again."
#define SAY_SATURATED "The server is busy with as many calls as it can run. Wait a little and call again."
#define SAY_RATE      "This caller makes more calls than allowed. Call again in %lld ms."
#define SAY_WORKERS_LOST                                                                                     \
    "Too many calls have not returned in time, and the server accepts no more of this kind. Try again later."

/* ---- Tasks ----------------------------------------------------------------------------------------------- */

#define SAY_NO_TASK    "There is no task %s."
#define SAY_TASK_LOST  "The process that ran this task is gone. Call the tool again if its work can be done twice."
#define SAY_SHARE_DOWN                                                                                       \
    "What replicas of this server share cannot be reached; nothing was changed. Try again later."
#define SAY_SHARE_KEY                                                                                        \
    "The other replicas have another --key-file, or what they share was sealed with one: give that file, or "   \
    "empty the tables of what they share."
#define SAY_LOG_NOT_SHARED                                                                                   \
    "without --key-file sessions, tasks and news of changes stay in this process"
#define SAY_SHARE_START                                                                                      \
    "What replicas of this server share cannot be read and written now. Start it again when the database is "  \
    "there."
#define SAY_NO_TASK_ID "params.taskId must be a string."
#define SAY_TASKS_MANY  "There are too many tasks that have not ended. Wait for some to end, then call again."
#define SAY_RESULT_LONG "The task has ended, but its result is longer than the server keeps for this caller."
#define SAY_TASKS_NEEDED                                                                                     \
    "This needs tasks: the client must declare the extension io.modelcontextprotocol/tasks."

/* ---- To authors and operators ---------------------------------------------------------------------------- */

#define SAY_NO_MEMORY_NEW  "out of memory"
#define SAY_UNKNOWN_OPTION "%s: it has an option that this version of the library does not know"
#define SAY_RUNNING        "%s: the server runs already; add it before"
#define SAY_NO_SERVER_NAME "a server needs a name and a version"
#define SAY_TWICE          "%s '%s' was added twice"
#define SAY_BAD_META       "%s: .meta is not the JSON text of an object"
#define SAY_BAD_ICON       "%s: the src of an icon begins with https: or data:"
#define SAY_RESOURCE_URI   "resource '%s': its URI is not absolute, such as notes://today"
#define SAY_RESOURCE_READ  "resource '%s': it has no function that reads it"
#define SAY_SKILL_NAME                                                                                       \
    "skill '%s': its name must be 1 to 64 of a-z, 0-9 and single hyphens, which stand neither first nor last"
#define SAY_SKILL_TEXT  "skill '%s': it needs a .doc of at most 1024 bytes and a .text"
#define SAY_SKILL_PATH  "skill '%s': '%s' is not the path of a file within it, or SKILL.md itself"
#define SAY_SKILL_FILE  "skill '%s': '%s' needs .text in UTF-8, or .data"
#define SAY_SKILL_LARGE "skill '%s': it has more than 512 files or 16 MiB"
#define SAY_TEMPLATE       "template '%s': %s"
#define SAY_PROMPT_ROWS    "prompt '%s': a prompt is declared by rows"
#define SAY_PROMPT_STRICT  "prompt '%s': parameter '%s' is .strict, but clients send text only"
#define SAY_PROMPT_SCOPES  "prompt '%s': .scopes are for tools"
#define SAY_LOG_QUESTION   "the JSON of the question '%s' is not an object"
#define SAY_LOG_OVERRUN    "%s: the handler took %lld ms; declare it .blocking"

#endif
