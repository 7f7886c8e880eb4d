/* issue.h - problems and messages of one validation, as records; words/ makes sentences of them on demand. */
#ifndef MODEL_ISSUE_H
#define MODEL_ISSUE_H

#include <stddef.h>
#include <string.h>

#include <yyjson.h>

#include "base/buf.h"
#include "model/node.h"

/* Bounds of what is shown. Everything is counted. */
#define ISSUES_MAX         25
#define ISSUES_PER_LIST    3
#define MESSAGES_MAX       50
#define MESSAGE_LEN_MAX    2000
#define COERCIONS_LEN_MAX  1900 /* and then how many are not in it */
#define ISSUE_TEXT_MAX     2000
#define NAMES_COMPARED_MAX 4000 /* unknown names with declared ones, in all */

enum tn_issue_code {
    ISSUE_REQUIRED = 1,
    ISSUE_EMPTY,
    ISSUE_NULL, /* null or blank, where that could widen a destructive call */
    ISSUE_TYPE,
    ISSUE_RANGE,
    ISSUE_SHORT,
    ISSUE_LONG,
    ISSUE_FEW,
    ISSUE_MANY,
    ISSUE_REPEATED, /* a value twice in a list */
    ISSUE_CHOICE,
    ISSUE_PATTERN,
    ISSUE_FORMAT,
    ISSUE_DATE,
    ISSUE_SECONDS, /* epoch seconds where milliseconds are wanted */
    ISSUE_PATH,
    ISSUE_JSON, /* malformed JSON text */
    ISSUE_TEXT, /* NUL or invalid UTF-8 */
    ISSUE_KEY_TWICE,
    ISSUE_UNKNOWN,
    ISSUE_LIMIT,
    ISSUE_ORDER,
    ISSUE_TOGETHER,
    ISSUE_EXCLUSIVE,
    ISSUE_ANY_OF,
    ISSUE_REQUIRES,
    ISSUE_NEVER, /* nothing is allowed there */
    ISSUE_CONST,
    ISSUE_VALUES, /* not one of the enum's */
    ISSUE_BOUND,
    ISSUE_MULTIPLE,
    ISSUE_MEMBERS, /* too few or too many */
    ISSUE_CONTAINS,
    ISSUE_NAME,      /* a member's name is not allowed */
    ISSUE_NO_BRANCH, /* none of the alternatives fits */
    ISSUE_BRANCHES,  /* more than one does */
    ISSUE_NOT,
    ISSUE_CHECK, /* a rule of the program's own: `text` is ready */
    ISSUE_OWN    /* found by a handler: `text` and `own_code` are ready */
};

struct tn_location;
struct tn_property;

/* Where a fault of a judged value is. tn_verdict_places() makes names of it, for who reads the issue. */
struct tn_issue_place {
    const struct tn_location *at;      /* NULL once it has a name */
    const struct tn_location *way;     /* of the keyword, in the schema and in the value */
    const char               *keyword; /* at its end, or NULL */
    yyjson_val               *object;  /* around a member that is unknown, or NULL */
    yyjson_val *key; /* of a member that has no location yet: `at` is that of the object; or NULL */
    const struct tn_property *property; /* and what it is there */
    bool                      secret;   /* something around it is: what was received is not repeated */
};

/* The members up to `place` are those that a document's verdict sets as it finds a fault; what follows them is zero, or not set
 * at all yet: tn_issue_fill() is for who goes on. */
struct tn_issue {
    enum tn_issue_code    code;
    bool                  required;
    bool                  in_text; /* `received` was read out of JSON text */
    bool                  hidden;  /* of `received` only the type is repeated */
    bool                  unshown; /* no example: another value would mean something else */
    bool                  brief;   /* the names that are valid stand in an issue before */
    bool                  inside;  /* what is wrong is a part of `parameter` that the caller cannot address */
    bool                  unfilled;  /* what follows `place` is not set */
    const struct tn_node *node;      /* the rules that were broken; may be NULL */
    const struct tn_node *addressed; /* the node of `parameter`; may be NULL */
    yyjson_val           *received;  /* may be NULL */
    const char           *keyword;   /* of a document's schema */
    const char           *why;       /* for JSON, text and limit faults, and for names that are given twice */
    struct tn_issue_place place;     /* of a value that a document judges */

    struct tn_slice parameter; /* what the caller can address: a name, or a JSON Pointer */
    struct tn_slice label;     /* what the sentence calls it; deeper than `parameter` inside JSON text */
    struct tn_slice got; /* the received text where there is no value of its own (an item of a comma list) */
    size_t          count; /* items, a byte position, a fault's number, 1 for a missed maximum: by the code */
    const struct tn_object *object; /* of an unknown name or a rule */
    const struct tn_rule   *rule;
    struct tn_slice         text; /* ready sentence */
    struct tn_slice suggestion;   /* JSON: the value (or, for an unknown name, the name) to send instead */
    const char     *own_code;
    struct tn_slice example; /* JSON: a good value, better than the one of `addressed` */

    /* Of values that a JSON Schema document judges. */
    const struct tn_schema *schema; /* of the object around an unknown or missing member */
    struct tn_slice         other;  /* the member that made this one required */
    size_t                  second; /* the other alternative that fits */
};

/* The example that an issue may show, as JSON: one of the form that is wanted, never one that means something else.
 * Empty when there is none. */
struct tn_slice tn_issue_example(const struct tn_issue *issue);

/* May a value that the library made up be shown as an example of `node`? */
bool tn_issue_shows_made_up(const struct tn_node *node, enum tn_issue_code code);

/* Suggests a text, unless it is too long. */
void tn_issue_suggest(struct tn_issue *issue, struct tn_arena *arena, struct tn_slice text);

/* Which rule of dates and timestamps a text breaks, and the same moment by the rules; `issue` may be NULL. */
void tn_issue_date(struct tn_issue *issue, struct tn_arena *arena, struct tn_slice text);

/* Messages: ordered, each once. */
struct tn_messages {
    struct tn_slice *at;
    size_t           count;
    uint64_t         of_defaults; /* a bit for each that only says which default was taken */
};

struct tn_issues {
    struct tn_issue *at; /* the first ISSUES_MAX */
    size_t           count, total;
    bool             full; /* from here on they are only counted */
};

/* A zeroed record in the list, or NULL when it is only counted (or memory is refused). */
struct tn_issue *tn_issues_add(struct tn_issues *issues, struct tn_arena *arena);

/* The same, but unfilled: most issues of a document are only counted, or read later. Of what stands before `node` all is
 * zero; the caller sets what stands from there to `place`. */
struct tn_issue *tn_issues_begin(struct tn_issues *issues, struct tn_arena *arena); /* for the first of all */

static inline struct tn_issue *tn_issues_add_unfilled(struct tn_issues *issues, struct tn_arena *arena)
{
    struct tn_issue *issue;

    if (!issues->at)
        return tn_issues_begin(issues, arena);
    issues->total++;
    if (issues->full || issues->count == ISSUES_MAX)
        return NULL;
    issue = &issues->at[issues->count++];
    memset(issue, 0, offsetof(struct tn_issue, node));
    issue->unfilled = true;
    return issue;
}

static inline void tn_issue_fill(struct tn_issue *issue)
{
    size_t set = offsetof(struct tn_issue, parameter);

    if (issue->unfilled)
        memset((char *)issue + set, 0, sizeof *issue - set);
    issue->unfilled = false;
}

/* Adds a copy unless it is there already. */
void tn_messages_add(struct tn_messages *messages, struct tn_arena *arena, const char *at, size_t len);

/* The same, of a default: means nothing once the call is refused. */
void tn_messages_add_default(struct tn_messages *messages, struct tn_arena *arena, const char *at,
                             size_t len);

/* Takes those back. */
void tn_messages_drop_defaults(struct tn_messages *messages);

#endif
