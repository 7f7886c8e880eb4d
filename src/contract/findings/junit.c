/* junit.c - findings as JUnit XML, which build servers read: a test for each finding, and one for each tool without any.
 *
 * XML 1.0 cannot hold every character, not even escaped: those that it cannot are spelled out, bytes that are not UTF-8
 * become U+FFFD.
 */
#include "base/utf8.h"
#include "contract/findings/findings.h"
#include "contract/phrases.h"

#define TEXT_MAX (FINDINGS_TEXT_MAX * 8)

/* ---- Text in XML ------------------------------------------------------------------------------------------------- */

static void add_code(struct tn_buf *out, const char *at, size_t len, uint32_t code)
{
    switch (code) {
    case '&': tn_buf_lit(out, "&amp;"); return;
    case '<': tn_buf_lit(out, "&lt;"); return;
    case '>': tn_buf_lit(out, "&gt;"); return;
    case '"': tn_buf_lit(out, "&quot;"); return;
    case '\t':
    case '\n':
    case '\r': tn_buf_addf(out, "&#%u;", (unsigned)code); return; /* a reader would make spaces of them */
    default: break;
    }
    if (code < 0x20 || code == 0x7F || code == 0xFFFE || code == 0xFFFF)
        tn_buf_addf(out, "\\u{%X}", (unsigned)code);
    else
        tn_buf_add(out, at, len);
}

static void add_text(struct tn_buf *out, struct tn_slice text)
{
    for (size_t i = 0; i < text.len;) {
        uint32_t code = 0;
        size_t   len  = tn_utf8_read(text.at + i, text.len - i, &code);

        if (len > 0)
            add_code(out, text.at + i, len, code);
        else
            tn_buf_lit(out, "\xEF\xBF\xBD");
        i += len > 0 ? len : 1;
    }
}

static void add_attribute(struct tn_buf *out, const char *name, struct tn_slice text)
{
    tn_buf_addf(out, " %s=\"", name);
    add_text(out, text);
    tn_buf_char(out, '"');
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void add_line(struct tn_buf *out, const char *label, struct tn_slice text)
{
    if (text.len == 0)
        return;
    tn_buf_char(out, '\n');
    tn_buf_text(out, label);
    add_text(out, text);
}

/* What the test says: the sentence, then what shows it and what helps, each on its line. */
static void add_body(struct tn_buf *out, struct tn_slice sentence, const struct tn_finding *finding)
{
    add_text(out, sentence);
    add_line(out, "", finding->witness);
    add_line(out, "", finding->why);
    add_line(out, SAY_FINDING_REPAIR, finding->repair);
    add_line(out, SAY_FINDING_REPEAT, finding->repeat);
}

/* "rule subject [client]" */
static void add_name(struct tn_buf *out, const struct tn_findings *findings, const struct tn_finding *finding)
{
    struct tn_slice subject = tn_finding_subject(finding);

    tn_buf_addf(out, " name=\"%s", findings->rules[finding->rule].id);
    if (subject.len > 0)
        tn_buf_char(out, ' ');
    add_text(out, subject);
    if (finding->client.len > 0) {
        tn_buf_lit(out, " [");
        add_text(out, finding->client);
        tn_buf_char(out, ']');
    }
    tn_buf_char(out, '"');
}

static void add_finding(struct tn_buf *out, const struct tn_findings *findings,
                        const struct tn_finding *finding)
{
    bool            fails = finding->level >= findings->fails;
    struct tn_arena arena;
    struct tn_buf   sentence;

    tn_arena_init(&arena, &findings->arena->memory, 0);
    tn_buf_init(&sentence, &arena, 0, TEXT_MAX);
    tn_finding_sentence(&sentence, finding);
    tn_buf_lit(out, "    <testcase");
    add_attribute(out, "classname", finding->tool.len > 0 ? finding->tool : SLICE_LIT("server"));
    add_name(out, findings, finding);
    tn_buf_text(out, fails ? "><failure" : "><system-out>");
    if (fails) {
        add_attribute(out, "type", tn_slice_of(tn_finding_class(finding)));
        add_attribute(out, "message", tn_buf_slice(&sentence));
        tn_buf_char(out, '>');
    }
    add_body(out, tn_buf_slice(&sentence), finding);
    tn_buf_text(out, fails ? "</failure></testcase>\n" : "</system-out></testcase>\n");
    out->failed |= sentence.failed;
    tn_arena_free(&arena);
}

/* Was anything found in it? */
static bool is_found(const struct tn_findings *findings, struct tn_slice tool)
{
    for (size_t i = 0; i < findings->count; i++)
        if (tn_slice_same(findings->at[i].tool, tool))
            return true;
    return false;
}

/* ---- The suite --------------------------------------------------------------------------------------------------- */

static void add_tests(struct tn_buf *out, const struct tn_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        add_finding(out, findings, &findings->at[i]);
    for (size_t i = 0; i < findings->checked_count; i++)
        if (!is_found(findings, findings->checked[i])) {
            tn_buf_lit(out, "    <testcase");
            add_attribute(out, "classname", findings->checked[i]);
            add_attribute(out, "name", tn_slice_of(findings->command));
            tn_buf_lit(out, "/>\n");
        }
}

static size_t count_tests(const struct tn_findings *findings)
{
    size_t count = findings->count;

    for (size_t i = 0; i < findings->checked_count; i++)
        count += !is_found(findings, findings->checked[i]);
    return count;
}

static size_t count_failures(const struct tn_findings *findings)
{
    size_t count = 0;

    for (size_t i = 0; i < findings->count; i++)
        count += findings->at[i].level >= findings->fails;
    return count;
}

void tn_findings_junit(struct tn_buf *out, const struct tn_findings *findings)
{
    size_t tests = count_tests(findings), failures = count_failures(findings);

    tn_buf_lit(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    tn_buf_addf(out, "<testsuites name=\"tenon %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
                findings->command, tests, failures);
    tn_buf_lit(out, "  <testsuite");
    add_attribute(out, "name", findings->target.len > 0 ? findings->target : tn_slice_of(findings->command));
    tn_buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", tests, failures);
    add_tests(out, findings);
    if (findings->dropped > 0)
        tn_buf_addf(out, "    <system-out>" SAY_FINDINGS_DROPPED "</system-out>\n", findings->dropped);
    tn_buf_lit(out, "  </testsuite>\n</testsuites>\n");
}
