/* phrases.h - every sentence of the answer layer: to the caller, to the operator, to the author of a tool.
 *
 * Sentences about single parameters are in model/words/. Sentences to a caller end with its next action where there is
 * one.
 */
#ifndef ANSWER_PHRASES_H
#define ANSWER_PHRASES_H

#include "base/buf.h"
#include "base/str.h"

/* ---- The library's own errors, when a handler gives no text -------------------------------------------- */

#define PHRASE_VALIDATION     "Validation failed. Correct the arguments and call again."
#define PHRASE_NOT_FOUND      "It does not exist. Check the name, or list what exists, and call again."
#define PHRASE_CONFLICT       "It conflicts with what exists already. Read the present state and call again."
#define PHRASE_DENIED         "This is not allowed. Ask for access, or use what is allowed."
#define PHRASE_UNAVAILABLE    "A service that this tool needs is not available. Try again later."
#define PHRASE_TIMEOUT        "The call took too long. Try again, or narrow the call."
#define PHRASE_CANCELLED      "The call was cancelled. Call again if the result is still wanted."
#define PHRASE_LIMIT_EXCEEDED "The call exceeds a limit. Narrow it and call again."
#define PHRASE_INTERNAL       "Something went wrong inside the tool. Report it to the operator."

/* The one answer that needs no memory. */
#define PHRASE_OUT_OF_MEMORY "The server ran out of memory. Try again later, or with a smaller call."

/* ---- To the caller ------------------------------------------------------------------------------------- */

#define PHRASE_WHOLE         "arguments" /* what an issue about the whole call is filed under */
#define PHRASE_KEY_TWICE " have an object in them with the same key twice"
#define PHRASE_NOT_UTF8      " must be valid UTF-8"
#define PHRASE_NO_ITEMS      "No items match."
#define PHRASE_NO_MORE_ITEMS "There are no more items."
#define PHRASE_BAD_CURSOR    " does not belong to this query; leave it out to start from the beginning"
#define PHRASE_CANNOT_ASK    "The tool must ask its client something, and this client cannot be asked. Use another client."
#define PHRASE_DETAILS_LOST  "Some details of the error are left out: there are too many, or they are too long."

#define PHRASE_VALUE         "value" /* what a lookup looks up, when it does not say */
#define PHRASE_LOOKUPS       "The call has more than %zu values that must be looked up. Send fewer."

#define PHRASE_OFFERED_MAX 20 /* valid values in one sentence; if there are more, none is named */

/* A value that a lookup does not know. */
struct tn_unknown_words {
    struct tn_slice        parameter, name, near; /* `near` may have no text */
    const char            *noun, *where;
    const struct tn_slice *offered;
    size_t                 count; /* of what is offered; 0 when it is not to be named */
    bool                   secret;
};

void tn_phrase_unknown(struct tn_buf *out, const struct tn_unknown_words *words);
/* The end of a fact; `ms` is negative when it is not known. */
void tn_phrase_took(struct tn_buf *out, int64_t ms);
void tn_phrase_unchecked(struct tn_buf *out, struct tn_slice parameter);

void tn_phrase_validation_failed(struct tn_buf *out, size_t total);
void tn_phrase_more_errors(struct tn_buf *out, size_t count);
void tn_phrase_more_messages(struct tn_buf *out, size_t count);
void tn_phrase_internal(struct tn_buf *out, const char *reference);
void tn_phrase_too_long(struct tn_buf *out, size_t budget);

/* `pages` and `total` are 0 when they are not known. */
void tn_phrase_past_end(struct tn_buf *out, int64_t page, int64_t pages, int64_t total);

/* What the budget left out. `total` is negative when it is not known. */
void tn_phrase_list_cut(struct tn_buf *out, struct tn_slice label, size_t shown, size_t count);
void tn_phrase_text_cut(struct tn_buf *out, struct tn_slice label, size_t shown, size_t count);
void tn_phrase_page_cut(struct tn_buf *out, int64_t first, int64_t last, int64_t total, int64_t page,
                        int64_t page_size);
void tn_phrase_items_cut(struct tn_buf *out, size_t shown, size_t count, int64_t total,
                         struct tn_slice cursor);

/* Files beneath a root. */
void tn_phrase_open_denied(struct tn_buf *out, const char *path, const char *root);
void tn_phrase_open_missing(struct tn_buf *out, const char *path, const char *root);
void tn_phrase_open_exists(struct tn_buf *out, const char *path);
void tn_phrase_open_long(struct tn_buf *out, const char *path);

/* ---- To the operator: formats of log lines ------------------------------------------------------------- */

#define PHRASE_LOG_INTERNAL     "tool '%s', reference %s: %s"
#define PHRASE_LOG_NO_MEMORY    "tool '%s': out of memory"
#define PHRASE_LOG_UNPREPARED   "the rows or the schema of the tool cannot be used: they were changed after it was added"
#define PHRASE_LOG_CHANGED      "%s (it was changed after its tool was added)"
#define PHRASE_LOG_DETAIL       "tool '%s': the detail '%s' was left out: its name is the library's own"
#define PHRASE_LOG_SUGGESTION   "tool '%s': a suggestion was left out: it is not JSON"
#define PHRASE_LOG_LOOKUP_CODE  "tool '%s': a lookup names the code '%s', which is not in the table"
#define PHRASE_LOG_NO_VALUE     "error %s: its text names {%.*s}, and no detail has that name"
#define PHRASE_LOG_OUTCOME      "the handler's outcome is not one that tenon_ok(), tenon_fail() or their kin made"
#define PHRASE_LOG_CODE         "the error code '%s' is not in the table"
#define PHRASE_LOG_NO_ISSUES    "tenon_invalid() without an issue"
#define PHRASE_LOG_NOT_RESULT   "the handler ended with other rows than its tool declares as .result"
#define PHRASE_LOG_NOT_ITEMS    "the handler ended with other rows than its tool declares as .items"
#define PHRASE_LOG_DECLARED     "the tool declares its data: end with tenon_ok_data(), tenon_ok_page() or tenon_ok_items()"
#define PHRASE_LOG_RAW          "the data of tenon_ok_json() is not a valid JSON object"
#define PHRASE_LOG_WRITTEN      "the data of tenon_ok_written() cannot be sent: %s"
#define PHRASE_LOG_RESULT       "the data of tenon_ok_json() breaks .result_schema: %s"
#define PHRASE_LOG_RESULT_JSON  "the tool declares .result_schema: end with tenon_ok_json()"
#define PHRASE_LOG_FIELD        "the result's '%s' %s"
#define PHRASE_LOG_NO_CURSOR    "tenon_ok_items() is for tools with TENON_CURSOR, tenon_ok_page() for those without"
#define PHRASE_LOG_NO_POSITION  "the position of an item is missing, or longer than %d bytes"
#define PHRASE_LOG_MISPLACED    "tool '%s': the content of %s has no meaning there and was left out"
#define PHRASE_LOG_OPEN         "a file could not be opened: %s"

/* ---- To the client: text in the place of what its revision of the protocol has no form for ---------------- */

#define PHRASE_AUDIO_LEFT "Audio (%s, %zu bytes) is left out: this client's revision of the protocol has no audio."
#define PHRASE_LINK       "Link to a resource: %s%s%s%s%s%s"

/* ---- To the author: formats of declaration errors ------------------------------------------------------ */

#define PHRASE_NO_TOOL        "a tool that was added is NULL"
#define PHRASE_TOOL_SIZE      "tool '%s': it was compiled with headers of another version than the library"
#define PHRASE_TOOL_UNKNOWN   "tool '%s': it has an option that this version of the library does not know"
#define PHRASE_TOOL_NAME      "tool '%.100s': a name is 1 to 64 of A-Z, a-z, 0-9, '_', '.' and '-'"
#define PHRASE_TOOL_TWICE     "tool '%s' was added twice"
#define PHRASE_TOOL_DOC       "tool '%s': it has no description"
#define PHRASE_TOOL_HANDLER   "tool '%s': it has no handler"
#define PHRASE_TOOL_BOTH      "tool '%s': .result and .items exclude each other"
#define PHRASE_TOOL_RESULT    "tool '%s': .result_schema excludes .result and .items"
#define PHRASE_SCHEMA         "tool '%s', %s: %s"
#define PHRASE_PART_INPUT     "input schema"
#define PHRASE_PART_RESULT    ".result_schema"
#define PHRASE_NOT_OBJECT     "#: a tool's schema says \"type\": \"object\""
#define PHRASE_TOOL_BUDGET    "tool '%s': .budget is %zu, and must be at least %zu"
#define PHRASE_OWNER          "tool '%s'"
#define PHRASE_OWNER_INPUT    "tool '%s', input schema"
#define PHRASE_OWNER_RESULT   "tool '%s', .result"
#define PHRASE_OWNER_ITEMS    "tool '%s', .items"
#define PHRASE_TOOL_LONG      "tool '%s': its schema is longer than %zu bytes"
#define PHRASE_BOX_BUDGET     "toolbox: .budget is %zu, and must be at least %zu"
#define PHRASE_BOX_ERRORS     "toolbox: .errors were compiled with headers of another version than the library"
#define PHRASE_BOX_UNKNOWN    "toolbox: it has an option that this version of the library does not know"
#define PHRASE_ERROR_UNKNOWN  "error '%.100s': it has a member that this version of the library does not know"
#define PHRASE_ERROR_CODE     "error '%.100s': a code is a capital letter, then up to 63 of A-Z, 0-9 and '_'"
#define PHRASE_ERROR_TWICE    "error '%s': there are two of that code"
#define PHRASE_ERROR_TEXT     "error '%s': it has no text"

#endif
