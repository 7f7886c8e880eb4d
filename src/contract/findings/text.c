/* text.c - findings as lines for people. Everything that a server says is escaped, so that a line stays a line. */
#include "contract/findings/findings.h"
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

static void add_finding(struct tn_buf *out, const struct tn_finding *finding, size_t wide, bool coloured)
{
    struct tn_slice subject = tn_finding_subject(finding);

    add_class(out, finding, wide, coloured);
    add_escaped(out, finding->tool.len > 0 ? finding->tool : SLICE_LIT("server"));
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

void tn_findings_text(struct tn_buf *out, const struct tn_findings *findings, bool coloured)
{
    size_t wide = CLASS_MIN;

    for (size_t i = 0; i < findings->count; i++) {
        size_t len = strlen(tn_finding_class(&findings->at[i]));

        wide = len > wide ? len : wide;
    }
    for (size_t i = 0; i < findings->count; i++)
        add_finding(out, &findings->at[i], wide, coloured);
    if (findings->dropped > 0)
        tn_buf_addf(out, SAY_FINDINGS_DROPPED "\n", findings->dropped);
    if (findings->summary.len > 0) {
        add_escaped(out, findings->summary);
        tn_buf_char(out, '\n');
    }
}
