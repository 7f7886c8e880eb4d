/* text.c - findings as lines for people. Everything that a server says is escaped, so that a line stays a line. */
#include "contract/findings/findings.h"

#include "base/table.h"
#include "contract/phrases.h"
#include "json/echo.h"

#define PLAIN     "\x1b[0m"
#define CLASS_MIN ((size_t)8) /* columns */

static void add_escaped(struct tn_buf *out, struct tn_slice text)
{
    tn_echo_whole(out, text.at ? text.at : "", text.len);
}

static void add_blanks(struct tn_buf *out, size_t count)
{
    while (count-- > 0)
        tn_buf_char(out, ' ');
}

static void add_class(struct tn_buf *out, const struct tn_finding *finding, size_t wide, bool coloured)
{
    static const char *const colours[LEVELS] = { "", "\x1b[32m", "\x1b[33m", "\x1b[31m" };
    const char              *word            = tn_finding_class(finding);
    size_t                   len             = strlen(word);

    if (coloured)
        tn_buf_text(out, colours[finding->level]);
    tn_buf_text(out, word);
    add_blanks(out, len < wide ? wide - len : 0);
    if (coloured && *colours[finding->level])
        tn_buf_lit(out, PLAIN);
    tn_buf_lit(out, "  ");
}

/* A line of its own under the first; `label` may be empty. */
static void add_more(struct tn_buf *out, const char *label, struct tn_slice text, size_t wide)
{
    if (text.len == 0)
        return;
    add_blanks(out, wide + 2);
    tn_buf_text(out, label);
    add_escaped(out, text);
    tn_buf_char(out, '\n');
}

static void add_finding(struct tn_buf *out, const struct tn_finding *finding, size_t others, size_t wide,
                        bool coloured)
{
    struct tn_slice subject = tn_finding_subject(finding);

    add_class(out, finding, wide, coloured);
    add_escaped(out, finding->tool.len > 0 ? finding->tool : SLICE_LIT("server"));
    if (others > 0)
        tn_buf_addf(out, SAY_FINDING_OTHERS, others, others > 1 ? "s" : "");
    if (finding->client.len > 0) {
        tn_buf_lit(out, " [");
        add_escaped(out, finding->client);
        tn_buf_char(out, ']');
    }
    tn_buf_lit(out, ": ");
    add_escaped(out, subject);
    if (subject.len > 0)
        tn_buf_char(out, ' ');
    add_escaped(out, finding->message);
    tn_buf_char(out, '\n');
    add_more(out, "", finding->witness, wide);
    add_more(out, "", finding->why, wide);
    add_more(out, SAY_FINDING_REPAIR, finding->repair, wide);
    add_more(out, SAY_FINDING_REPEAT, finding->repeat, wide);
}

/* ---- What is the same of several tools ----------------------------------------------------------------------------- */

/* Everything but the tool. */
static struct tn_slice key_of(struct tn_arena *arena, const struct tn_finding *finding)
{
    const struct tn_slice parts[] = { finding->client,  finding->place, finding->subject, finding->message,
                                      finding->witness, finding->why,   finding->repair,  finding->repeat };
    struct tn_buf         out;

    tn_buf_init(&out, arena, 256, FINDINGS_OUT_MAX);
    tn_buf_addf(&out, "%zu %d", finding->rule, (int)finding->level);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tn_buf_char(&out, '\0');
        tn_buf_add(&out, parts[i].at, parts[i].len);
    }
    return tn_buf_slice(&out);
}

/* How many more tools each has it of; SIZE_MAX: it is among those of another. NULL when they are not folded. */
static size_t *fold(const struct tn_findings *findings)
{
    size_t         *others = tn_arena_array(findings->arena, findings->count + 1, size_t);
    struct tn_table first  = { 0 };

    if (!findings->folds || !others)
        return NULL;
    for (size_t i = 0; i < findings->count; i++) {
        struct tn_slice key = key_of(findings->arena, &findings->at[i]);
        size_t         *one = tn_table_add(&first, findings->arena, NULL, key, &others[i]);

        if (one && one != &others[i]) {
            ++*one;
            others[i] = SIZE_MAX;
        }
    }
    return others;
}

void tn_findings_text(struct tn_buf *out, const struct tn_findings *findings, bool coloured)
{
    size_t *others = fold(findings);
    size_t  wide   = CLASS_MIN;

    for (size_t i = 0; i < findings->count; i++) {
        size_t len = strlen(tn_finding_class(&findings->at[i]));

        wide = len > wide ? len : wide;
    }
    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].level >= findings->shows && (!others || others[i] != SIZE_MAX))
            add_finding(out, &findings->at[i], others ? others[i] : 0, wide, coloured);
    if (findings->dropped > 0)
        tn_buf_addf(out, SAY_FINDINGS_DROPPED "\n", findings->dropped);
    if (findings->summary.len > 0) {
        add_escaped(out, findings->summary);
        tn_buf_char(out, '\n');
    }
}
