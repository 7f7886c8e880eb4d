/* phrases.h - every sentence of the guard: to operators, in mistakes of a configuration and in its log.
 *
 * Texts with %s and the like are formats. What they quote is the operator's own text, shortened; never a
 * secret.
 */
#ifndef GUARD_PHRASES_H
#define GUARD_PHRASES_H

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
