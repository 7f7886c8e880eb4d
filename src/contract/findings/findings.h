/* findings.h - what a contract command found, and the forms in which it is reported: lines for people, JSON, SARIF 2.1.0 for
 * code scanning, JUnit XML for build servers.
 *
 *     struct tn_findings found;
 *
 *     tn_findings_init(&found, &arena, "lint", rules, COUNT_OF(rules));
 *     tn_findings_add(&found, &(struct tn_finding){ .rule = RULE_TYPE, .level = LEVEL_WARNING, .tool = name, ... });
 *     tn_findings_write(&out, &found, FINDINGS_SARIF, false);
 *
 * Texts are a server's, and hostile: they are copied into the arena, cut at a bound, and escaped where they are written.
 * Without memory, `failed` is true and the rest is ignored; check it once.
 */
#ifndef CONTRACT_FINDINGS_H
#define CONTRACT_FINDINGS_H

#include "base/buf.h"

#define FINDINGS_MAX      ((size_t)10000) /* that are kept; more are counted */
#define FINDINGS_TEXT_MAX ((size_t)16 << 10) /* of one text; what is longer is cut */
#define FINDINGS_OUT_MAX  ((size_t)256 << 20)

/* As SARIF has them. */
enum tn_level { LEVEL_NONE, LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR, LEVELS };

/* "none", "note", "warning", "error". */
const char *tn_level_word(enum tn_level level);

/* A kind of finding. Its id stays the same in all versions: people silence findings by it. */
struct tn_finding_rule {
    const char   *id;      /* "tool-removed": letters, digits and dashes */
    const char   *summary; /* a sentence */
    enum tn_level level;   /* that its findings usually have */
};

struct tn_finding {
    size_t          rule; /* which row of the rules */
    enum tn_level   level;
    const char     *class_;  /* "BREAKING", "vague": a word that stays valid; or NULL: that of the level */
    struct tn_slice tool;    /* its name; empty: the server itself */
    struct tn_slice place;   /* JSON pointer within its definition; empty: all of it */
    struct tn_slice subject; /* what people call the place, such as a parameter; empty: the pointer */
    struct tn_slice message; /* goes on where the subject ends: "is required now" */
    struct tn_slice witness; /* the call or result that shows it, valid JSON; or empty */
    struct tn_slice why;     /* what is said of the witness; or empty */
    struct tn_slice repair;  /* or empty */
    struct tn_slice repeat;  /* a command line; or empty */
    struct tn_slice client;  /* profile that it is about; or empty */
    size_t          line, column; /* in the file; 0: not known */
};

struct tn_findings {
    struct tn_arena              *arena;
    const char                   *command; /* "diff" */
    const struct tn_finding_rule *rules;
    size_t                        rule_count;
    const char                   *file;    /* that locations are in, as it was named; or NULL */
    struct tn_slice               target;  /* what was looked at, in words; or empty */
    struct tn_slice               summary; /* the last line for people, without its end; or empty */
    struct tn_slice               more;    /* a JSON value that the command adds as `more_name`; or empty */
    const char                   *more_name;
    enum tn_level                 fails; /* from which level on the command fails; LEVEL_ERROR by default */
    enum tn_level                 shows; /* from which level on people are shown them; all by default */
    bool                          folds; /* for people: what is the same of several tools is one line */
    struct tn_finding            *at;
    size_t                        count, room;
    size_t                        counts[LEVELS]; /* of those that are not kept, too */
    size_t                        dropped;        /* that are not kept */
    struct tn_slice              *checked;        /* names of tools that were looked at */
    size_t                        checked_count, checked_room;
    bool                          failed;
};

/* `command` and `rules` are borrowed. */
void tn_findings_init(struct tn_findings *findings, struct tn_arena *arena, const char *command,
                      const struct tn_finding_rule *rules, size_t rule_count);

/* Copies every text. */
void tn_findings_add(struct tn_findings *findings, const struct tn_finding *finding);

/* Says that a tool was looked at: a test that passed, for JUnit, unless something was found in it. */
void tn_findings_check(struct tn_findings *findings, struct tn_slice tool);

/* The worst first; those of one level stay in their order. */
void tn_findings_sort(struct tn_findings *findings);

/* Was anything found that makes the command fail? */
bool tn_findings_fail(const struct tn_findings *findings);

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

enum tn_findings_form { FINDINGS_TEXT, FINDINGS_JSON, FINDINGS_SARIF, FINDINGS_JUNIT };

#define FINDINGS_FORM_NAMES "text, json, sarif or junit"

/* By its name; false when there is none such. */
bool tn_findings_form_read(const char *name, enum tn_findings_form *format);

/* All of it in that form, with the end of its last line. Colours are for text. `out` has failed when it was too much. */
void tn_findings_write(struct tn_buf *out, const struct tn_findings *findings, enum tn_findings_form format,
                       bool coloured);

void tn_findings_text(struct tn_buf *out, const struct tn_findings *findings, bool coloured);
void tn_findings_json(struct tn_buf *out, const struct tn_findings *findings);
void tn_findings_sarif(struct tn_buf *out, const struct tn_findings *findings);
void tn_findings_junit(struct tn_buf *out, const struct tn_findings *findings);

/* For those: the word of its class, what it is about ("place" or its subject, or ""), and "tool: subject message" without
 * any escape. */
const char     *tn_finding_class(const struct tn_finding *finding);
struct tn_slice tn_finding_subject(const struct tn_finding *finding);
void            tn_finding_sentence(struct tn_buf *out, const struct tn_finding *finding);

/* ,"name":"text" inside a JSON object; nothing when the text is empty. */
void tn_findings_member(struct tn_buf *out, const char *name, struct tn_slice text);

/* The same of what the command adds. */
void tn_findings_more(struct tn_buf *out, const struct tn_findings *findings);

#endif
