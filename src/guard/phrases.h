/* phrases.h - every sentence of the guard: to models, to clients, and to operators, in its log and in mistakes of a configuration.
 *
 * Texts with %s and the like are formats. What they quote is the operator's own text, shortened; never a
 * secret.
 */
#ifndef GUARD_PHRASES_H
#define GUARD_PHRASES_H

#define GUARD_CODE_UPSTREAM_INVALID "UPSTREAM_INVALID" /* beside the codes of tenon/call.h */

/* ---- To models ---------------------------------------------------------------------------------------------- */

#define GUARD_SAID "[guard] " /* before each message of the guard's own */

#define GUARD_NOT_SENT    "The guarded server cannot be reached, and the call was not sent: %s."
#define GUARD_MAYBE_DONE  "The guarded server ended while it worked on the call, which may have been done: %s."
#define GUARD_RESTS       "The guarded server ended again and again; it is started again later. The call was not sent."
#define GUARD_LINKS       "This caller has as many conversations with the guarded server as one may have. End one, or use it."
#define GUARD_LATE        "The guarded server did not answer in time; the call may have been done."
#define GUARD_NOT_A_RESULT "The call was carried out, but its result is not one that MCP knows."
#define GUARD_RESULT_UNFIT "The structured result does not fit the schema that the tool publishes: %.*s"
#define GUARD_NO_TOOL     "Unknown tool: %s"
#define GUARD_NO_NAME     "params.name must be the name of a tool."
#define GUARD_HEADERS     "The server had not listed its tools yet, and headers could not be compared. Call again."
#define GUARD_STOPPING    "The guard ends."
#define GUARD_BUSY        "too many calls wait for its answers"

/* ---- To the operator ---------------------------------------------------------------------------------------- */

#define GUARD_LOG_STARTED "%s: serves revision %s"
#define GUARD_LOG_LOST    "%s: %s"
#define GUARD_LOG_SCHEMA  "%s: calls of tool %s are not validated: %s"
#define GUARD_LOG_TASKS   "%s: tool %s is hidden: it needs the tasks of 2025-11-25"
#define GUARD_LOG_HEADERS "%s: tool %s names headers for its arguments (x-mcp-header) in a way that is not valid"
#define GUARD_LOG_ERRORS      "%s says: %s"
#define GUARD_LOG_ERRORS_MANY "%s says: %s (and more than is logged in a minute)"
#define GUARD_LOG_LIST    "%s: its list of tools cannot be had: %s"

/* ---- Anywhere ------------------------------------------------------------------------------------------------- */

#define SAY_MEMORY "out of memory"

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

/* ---- Files that decide --------------------------------------------------------------------------------- */

#define SAY_FILE_OPEN      "it cannot be opened (%s): %.200s"
#define SAY_FILE_READ      "it cannot be read (%s): %.200s"
#define SAY_FILE_KIND      "it must be a regular file: %.200s"
#define SAY_FILE_PRIVATE   "it must be closed to group and others; chmod 600 it: %.200s"
#define SAY_FILE_LARGE     "it must not have more than %zu bytes: %.200s"
#define SAY_FILE_OWNER     "it must belong to the user of the guard or to root: %.200s"
#define SAY_FILE_WRITABLE  "it must not be writable by group or others: %.200s"
#define SAY_FILE_LINKS     "there are more than %d links on the way: %.200s"
#define SAY_FILE_LONG      "the path is too long: %.200s"
#define SAY_FOLDER_OWNER   "its folder %.200s must belong to the user of the guard or to root"
#define SAY_FOLDER_OPEN    "its folder %.200s must not be writable by group or others"
#define SAY_LINK_OWNER     "the link %.200s on the way must belong to the user of the guard or to root"

/* ---- The hidden command -------------------------------------------------------------------------------- */

#define SAY_SUPERVISE_ALONE "tenon supervise is started by tenon guard, and does nothing by itself"

#endif
