/* phrases.h - every sentence of the contract tools, and of files that decide what a guard does.
 *
 * Texts with %s and the like are formats. What they quote is the operator's own text, shortened; never a secret.
 */
#ifndef CONTRACT_PHRASES_H
#define CONTRACT_PHRASES_H

#define SAY_MEMORY "out of memory"

/* ---- Files that decide --------------------------------------------------------------------------------- */

#define SAY_FILE_OPEN     "it cannot be opened (%s): %.200s"
#define SAY_FILE_READ     "it cannot be read (%s): %.200s"
#define SAY_FILE_KIND     "it must be a regular file: %.200s"
#define SAY_FILE_PRIVATE  "it must be closed to group and others; chmod 600 it: %.200s"
#define SAY_FILE_LARGE    "it must not have more than %zu bytes: %.200s"
#define SAY_FILE_OWNER    "it must belong to the user of the guard or to root: %.200s"
#define SAY_FILE_WRITABLE "it must not be writable by group or others: %.200s"
#define SAY_FILE_LINKS    "there are more than %d links on the way: %.200s"
#define SAY_FILE_LONG     "the path is too long: %.200s"
#define SAY_FOLDER_OWNER  "its folder %.200s must belong to the user of the guard or to root"
#define SAY_FOLDER_OPEN   "its folder %.200s must not be writable by group or others"
#define SAY_LINK_OWNER    "the link %.200s on the way must belong to the user of the guard or to root"

/* ---- Canonical form ------------------------------------------------------------------------------------ */

#define SAY_CANONICAL_SYNTAX "it is not a JSON object, or has too many parts"
#define SAY_CANONICAL_TWICE  "an object has the same name twice"
#define SAY_CANONICAL_TEXT   "it is not UTF-8"
#define SAY_CANONICAL_NUMBER "a number has an exponent that is too large"

/* ---- The lock ------------------------------------------------------------------------------------------ */

#define SAY_LOCK_JSON     "the lock %.200s cannot be used: %s"
#define SAY_LOCK_VERSION  "the lock %.200s must have \"tenon-lock\": 1; it may be of a newer Tenon"
#define SAY_LOCK_SHAPE    "the lock %.200s is not well formed: %.200s must be %s"
#define SAY_LOCK_UNKNOWN  "the lock %.200s is not well formed: %.200s has a member that is not known, %.100s"
#define SAY_LOCK_HASH     "the lock %.200s was changed: the sha256 of %.200s does not fit its definition"
#define SAY_LOCK_SET      "the lock %.200s was changed: the set of %.200s does not fit what is in it"
#define SAY_LOCK_ORDER    "the lock %.200s was changed: the order of %.200s does not name each of its tools once"
#define SAY_LOCK_NAME     "the lock %.200s was changed: %.200s has a definition of another name"
#define SAY_LOCK_MANY     "the lock %.200s has more than %zu entries in %.200s"
#define SAY_LOCK_NO_SEAL  "the lock %.200s is not sealed, and lock-key demands that it is"
#define SAY_LOCK_SEAL     "the lock %.200s was changed: its seal does not fit what is in it"
#define SAY_LOCK_KEY      "the key of the lock must have at least %zu bytes: %.200s"
#define SAY_LOCK_SEALED   "the lock %.200s is sealed; its key is needed to write it (--lock-key)"
#define SAY_LOCK_BUSY     "the lock %.200s is being written by another program"
#define SAY_LOCK_WRITE    "the lock %.200s cannot be written (%s)"
#define SAY_LOCK_LONG     "the lock %.200s would have more than %zu bytes"

/* ---- What a server offers ------------------------------------------------------------------------------ */

#define SAY_OFFER_LIST   "the server does not list its %s: %s"
#define SAY_OFFER_MANY   "the server lists more than %zu %s"
#define SAY_OFFER_FORM   "the file has no list of tools: an array, {\"tools\": [...]} or {\"result\": {\"tools\": [...]}}"
#define SAY_OFFER_JSON   "the file is not JSON (%s at byte %zu)"

/* ---- Screening ----------------------------------------------------------------------------------------- */

#define SAY_SCREEN_HIDDEN    "it has the invisible character U+%04X"
#define SAY_SCREEN_DIRECTION "it has U+%04X, which changes the direction of text"
#define SAY_SCREEN_TAG       "it has the tag character U+%04X, which is not shown"
#define SAY_SCREEN_CONTROL   "it has the control character U+%04X"
#define SAY_SCREEN_ANSI      "it has an escape sequence for terminals"
#define SAY_SCREEN_COMMENT   "it has an HTML comment, which is often not shown"
#define SAY_SCREEN_LONG      "it has %zu bytes; more than %zu are not read by people"
#define SAY_SCREEN_NAME      "the name has characters beyond ASCII, which may look like others"
#define SAY_SCREEN_MIXED     "the name mixes ASCII letters with letters that look like them"
#define SAY_SCREEN_TWIN      "the name looks like that of another tool"

/* ---- Findings ------------------------------------------------------------------------------------------ */

#define SAY_FINDING_REPAIR   "repair: "
#define SAY_FINDING_REPEAT   "repeat: "
#define SAY_FINDING_OTHERS   " and %zu more tool%s"
#define SAY_FINDINGS_DROPPED "%zu more findings are not shown"

/* ---- Lint ------------------------------------------------------------------------------------------------ */

#define SAY_PROFILE_UNFIT   "the profile %.*s cannot be used: %s"
#define SAY_PROFILE_PATTERN "the profile %.*s cannot be used: its pattern %.*s is not one (%s)"
#define SAY_PROFILE_LONG    "the profile %.*s has more than %zu bytes"
#define SAY_PROFILE_MANY    "there are more than %zu profiles"

#define SAY_LINT_NAME_LONG     "the name %s has %zu characters, %zu at most"
#define SAY_LINT_NAME_PATTERN  "the name %s does not match %.*s"
#define SAY_LINT_KEYWORD       "has the keyword %s"
#define SAY_LINT_VALUE_MISSING "has no %.*s"
#define SAY_LINT_VALUE         "has %.*s: %s"
#define SAY_LINT_FORMAT        "has the format %s"
#define SAY_LINT_UNTYPED       "has no type"
#define SAY_LINT_TYPES         "has a list of types"
#define SAY_LINT_NULL          "is a union with null"
#define SAY_LINT_VARIANT       "is an alternative without a type"
#define SAY_LINT_MIXED         "is a union of different types"
#define SAY_LINT_REFERENCE     "refers to %s, and references must begin with %.*s"
#define SAY_LINT_RECURSION     "refers to itself, or references lead too deep"
#define SAY_LINT_OPTIONAL      "has the property %s, which is not required"
#define SAY_LINT_DEPTH         "is an object on level %u, %zu at most"
#define SAY_LINT_ENUM_TYPE     "has a value of the type %s in its enum"
#define SAY_LINT_ENUM_CASE     "has two values in its enum that differ by case only: %s"
#define SAY_LINT_COUNT         "has %zu %s, %zu at most"
#define SAY_LINT_OUTPUT        "is there"
#define SAY_LINT_EFFECT        ": %.*s"
#define SAY_LINT_MORE          " (and %zu more place%s)"

#define SAY_REPAIR_NAME           "give it a shorter name of letters, digits, _ and -; tenon lint --fix makes one"
#define SAY_REPAIR_PROPERTY_NAMES "name it with letters, digits, _, . and -, 64 at most"
#define SAY_REPAIR_KEYWORDS       "leave it out and write the rule into the description, or publish what tenon lint --fix prints"
#define SAY_REPAIR_TYPED          "write its type"
#define SAY_REPAIR_ONE_TYPE       "write one type"
#define SAY_REPAIR_NULL           "write one type, and leave the name out of required"
#define SAY_REPAIR_MIXED          "choose one type: a list also for a single value"
#define SAY_REPAIR_VARIANTS       "write the type into each alternative"
#define SAY_REPAIR_BESIDE         "write the type into what is referred to, or into each alternative"
#define SAY_REPAIR_REFERENCE      "write what is referred to in its place, or move it there"
#define SAY_REPAIR_RECURSION      "take the inner value as JSON text"
#define SAY_REPAIR_REQUIRED       "list every property in required, those that may be left out with null as a second type"
#define SAY_REPAIR_DEPTH          "take the inner value as JSON text, or its parts as parameters of their own"
#define SAY_REPAIR_FORMATS        "write the format into the description"
#define SAY_REPAIR_ENUM           "use texts that differ by more than case"
#define SAY_REPAIR_COUNT          "offer fewer, in several servers or by a setting"
#define SAY_REPAIR_OUTPUT         "publish it without"
#define SAY_REPAIR_VALUE          "write \"%.*s\": %s"
#define SAY_REPAIR_VALUE_MISSING  "write its %.*s"
#define SAY_REPAIR_VALUE_DROP     "leave it out"

#define SAY_LINT_UNREADABLE      "cannot be read: %s"
#define SAY_LINT_NO_SCHEMA       "has no inputSchema"
#define SAY_LINT_BROKEN          "cannot be compiled: %s"
#define SAY_LINT_EMPTY           "cannot be satisfied: no value fits it"
#define SAY_LINT_DEFAULT         "has a default that it refuses: %s"
#define SAY_LINT_EXAMPLE         "has an example that it refuses: %s"
#define SAY_LINT_BACKTRACKS      "has a pattern that takes %zu steps for a text of %zu characters"
#define SAY_LINT_PATTERNS_LEFT   "has more patterns than are tried"
#define SAY_LINT_NO_TYPE         "says nothing of its type"
#define SAY_LINT_NO_TEXT         "has no description"
#define SAY_LINT_NO_TEXTS        "has %zu parameter%s without a description, the first is %s"
#define SAY_LINT_UNDECLARED      "requires %s, which is not among its properties"
#define SAY_LINT_HINT_NAME       "says %s: %s, and the name says %s"
#define SAY_LINT_HINT_BOTH       "says both that it only reads and that it destroys"
#define SAY_LINT_COMMAND         "is started as %s, without a version: another one may come at any time"
#define SAY_LINT_SIZE            "its tools are %zu, %zu bytes, about %zu tokens (bytes / 4)"

#define SAY_REPAIR_SCHEMA     "{\"type\": \"object\"} accepts any arguments"
#define SAY_REPAIR_BACKTRACKS "say what may repeat in one way only, and end what repeats with what cannot be part of it"
#define SAY_REPAIR_DEFAULT    "give one that fits, or none"
#define SAY_REPAIR_UNDECLARED "declare it, or do not require it"
#define SAY_REPAIR_COMMAND    "name the version: %s"
#define SAY_REPAIR_HIDDEN     "a guard hides such a tool until a person has approved it"

#define SAY_FLAT_NULL  "optional: send null to leave it out"
#define SAY_FLAT_BLANK "optional: send \"\" to leave it out"
#define SAY_FLAT_EMPTY "optional: send [] to leave it out"
#define SAY_FLAT_WORD  "optional: send \"not_given\" to leave it out"
#define SAY_FLAT_JSON  "as a text of JSON"

#define SAY_FIX_HEADER "a header repeats one of its parameters, so it is left as it is"

/* ---- What changed -------------------------------------------------------------------------------------- */

#define SAY_CHANGE_ADDED    "%zu parameter%s added"
#define SAY_CHANGE_REMOVED  "parameter '%.*s' removed"
#define SAY_CHANGE_CHANGED  "parameter '%.*s' changed"
#define SAY_CHANGE_SOME     "%zu parameters %s"
#define SAY_CHANGE_REQUIRED "which parameters are required"
#define SAY_CHANGE_SCHEMA   "the schema of its arguments"
#define SAY_CHANGE_OUTPUT   "output"
#define SAY_CHANGE_HINTS    "hints"
#define SAY_CHANGE_OTHER    "%zu other member%s"
#define SAY_CHANGE_ALL      "everything"

/* ---- What changed for callers ---------------------------------------------------------------------------- */

#define SAY_COMPARE_SAME          "is written differently and accepts the same"
#define SAY_COMPARE_WIDER         "accepts all that it accepted, and more"
#define SAY_COMPARE_NARROWER      "refuses what it accepted"
#define SAY_COMPARE_UNSURE        "changed: neither a proof that all calls still work nor a call that fails was found"
#define SAY_COMPARE_REQUIRED      "is required now"
#define SAY_COMPARE_NEW_REQUIRED  "is new and required"
#define SAY_COMPARE_NEW_OPTIONAL  "is new and optional"
#define SAY_COMPARE_GONE          "was removed"
#define SAY_COMPARE_IGNORED       "was removed; calls that have it are still accepted"
#define SAY_COMPARE_NEW           "is new"
#define SAY_COMPARE_CHANGED       "changed"
#define SAY_COMPARE_NOTE          "%.*s %s"
#define SAY_COMPARE_HINT          "was %s and is %s"
#define SAY_COMPARE_KEEPS         "is always one that was promised before"
#define SAY_COMPARE_BREAKS        "may be one that was not promised"
#define SAY_COMPARE_UNSURE_RESULT "changed: neither a proof that all results were promised nor one that was not was found"
#define SAY_COMPARE_PROMISES      "has a schema now"
#define SAY_COMPARE_NO_PROMISE    "has no schema any more"
#define SAY_COMPARE_FEWER         "declares fewer members than it did"
#define SAY_COMPARE_NOT_BOOLEAN   "is no boolean any more"
#define SAY_COMPARE_TWICE         "%s is there more than once"
#define SAY_COMPARE_NO_SCHEMA     "cannot be compared: %s"
#define SAY_COMPARE_UNREAD        "cannot be compared: %s"
#define SAY_COMPARE_RENAMED       "was removed; %.*s is new and takes the same arguments"
#define SAY_COMPARE_REMOVED       "%s was removed"
#define SAY_COMPARE_ADDED         "%s is new"

/* ---- Fuzzing ------------------------------------------------------------------------------------------- */

#define SAY_FUZZ_UNNAMED       "does not name '%.*s': "
#define SAY_FUZZ_NO_REASON     "gives no reason: "
#define SAY_FUZZ_CAME          "answered: "
#define SAY_FUZZ_CAME_ERROR    "answered with error %lld: "
#define SAY_FUZZ_CAME_WRONG    "the result: "
#define SAY_FUZZ_NO_CONTENT    "the result has no content"
#define SAY_FUZZ_STARTS        "it was started %zu times; that is enough"
#define SAY_FUZZ_NOT_READY     "the server is not ready after %d s"
#define SAY_FUZZ_CRASHES       "its calls ended the server too often; the rest was left out"
#define SAY_FUZZ_HANGS         "its calls were not answered too often; the rest was left out"
#define SAY_FUZZ_GREW          "from %lld to %lld MiB in %zu calls: %lld bytes a call"
#define SAY_FUZZ_UNANSWERED    "the request is not answered, though later ones are"
#define SAY_FUZZ_STUCK         "nothing is answered after it"
#define SAY_FUZZ_VAGUE         "the refusal does not say which parameter is wrong and why"
#define SAY_FUZZ_PROTOCOL      "the refusal is an error of the protocol, which clients rarely show to a model"
#define SAY_FUZZ_ACCEPTED      "a call that the schema refuses succeeds"
#define SAY_FUZZ_WRONG         "the result is not what the tool promises"
#define SAY_FUZZ_HANG          "there is no answer"
#define SAY_FUZZ_CRASH         "the server ends"
#define SAY_FUZZ_LEAK          "the server's memory grows with each call"
#define SAY_FUZZ_NOT_ALONE     ", but not by this call alone"
#define SAY_FUZZ_MORE          "; %zu more like it"
#define SAY_FUZZ_NO_STRUCTURE  "the result has no structuredContent, which its outputSchema promises"

#endif
