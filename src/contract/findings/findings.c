/* findings.c - collecting what was found. */
#include "contract/findings/findings.h"

#include <assert.h>

#include "json/write.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ROOM_FIRST      ((size_t)16)
#define CUT             "..."

const char *tn_level_word(enum tn_level level)
{
    static const char *const words[LEVELS] = { "none", "note", "warning", "error" };

    return words[level];
}

void tn_findings_init(struct tn_findings *findings, struct tn_arena *arena, const char *command,
                      const struct tn_finding_rule *rules, size_t rule_count)
{
    *findings = (struct tn_findings){
        .arena = arena, .command = command, .rules = rules, .rule_count = rule_count, .fails = LEVEL_ERROR
    };
}

/* A growing array: where `at`, of `count` things of `len` bytes, has room for one more; NULL without memory. */
static void *with_room(struct tn_findings *findings, void *at, size_t count, size_t *room, size_t len)
{
    size_t more = *room > 0 ? *room * 2 : ROOM_FIRST;
    void  *grown;

    if (count < *room)
        return at;
    grown = tn_arena_resize(findings->arena, at, *room * len, more * len);
    if (grown)
        *room = more;
    else
        findings->failed = true;
    return grown;
}

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

/* A copy, cut between two code points. JSON is never cut: what is too long is left out. */
static void keep(struct tn_findings *findings, struct tn_slice *text, bool is_json)
{
    size_t        len = text->len < FINDINGS_TEXT_MAX ? text->len : FINDINGS_TEXT_MAX;
    struct tn_buf out;

    if (text->len == 0 || (is_json && len < text->len)) {
        *text = (struct tn_slice){ "", 0 };
        return;
    }
    while (len < text->len && len > 0 && ((unsigned char)text->at[len] & 0xC0) == 0x80)
        len--;
    tn_buf_init(&out, findings->arena, len + sizeof CUT, FINDINGS_TEXT_MAX + sizeof CUT);
    tn_buf_add(&out, text->at, len);
    if (len < text->len)
        tn_buf_lit(&out, CUT);
    findings->failed |= out.failed;
    *text = tn_buf_slice(&out);
}

void tn_findings_add(struct tn_findings *findings, const struct tn_finding *finding)
{
    struct tn_finding  copy = *finding;
    struct tn_finding *at;

    assert(finding->rule < findings->rule_count);
    findings->counts[finding->level]++;
    if (findings->count == FINDINGS_MAX) {
        findings->dropped++;
        return;
    }
    at = with_room(findings, findings->at, findings->count, &findings->room, sizeof *at);
    if (findings->failed)
        return;
    for (struct tn_slice *const *text =
             (struct tn_slice *const[]){ &copy.tool, &copy.place, &copy.subject, &copy.message, &copy.why,
                                         &copy.repair, &copy.repeat, &copy.client, NULL };
         *text; text++)
        keep(findings, *text, false);
    keep(findings, &copy.witness, true);
    findings->at                    = at;
    findings->at[findings->count++] = copy;
}

void tn_findings_check(struct tn_findings *findings, struct tn_slice tool)
{
    struct tn_slice *at;

    if (findings->checked_count == FINDINGS_MAX)
        return;
    at = with_room(findings, findings->checked, findings->checked_count, &findings->checked_room, sizeof *at);
    if (findings->failed)
        return;
    findings->checked = at;
    keep(findings, &tool, false);
    findings->checked[findings->checked_count++] = tool;
}

void tn_findings_sort(struct tn_findings *findings)
{
    struct tn_finding *sorted = tn_arena_array(findings->arena, findings->count, struct tn_finding);
    size_t             count  = 0;

    if (!sorted) {
        findings->failed = true;
        return;
    }
    for (int level = LEVEL_ERROR; level >= LEVEL_NONE; level--)
        for (size_t i = 0; i < findings->count; i++)
            if ((int)findings->at[i].level == level)
                sorted[count++] = findings->at[i];
    findings->at   = sorted;
    findings->room = findings->count;
}

bool tn_findings_fail(const struct tn_findings *findings)
{
    for (size_t level = findings->fails; level < LEVELS; level++)
        if (findings->counts[level] > 0)
            return true;
    return false;
}

/* ---- What the forms share ---------------------------------------------------------------------------------------- */

const char *tn_finding_class(const struct tn_finding *finding)
{
    return finding->class_ ? finding->class_ : tn_level_word(finding->level);
}

struct tn_slice tn_finding_subject(const struct tn_finding *finding)
{
    return finding->subject.len > 0 ? finding->subject : finding->place;
}

void tn_finding_sentence(struct tn_buf *out, const struct tn_finding *finding)
{
    struct tn_slice name    = finding->tool.len > 0 ? finding->tool : SLICE_LIT("server");
    struct tn_slice subject = tn_finding_subject(finding);

    tn_buf_add(out, name.at, name.len);
    tn_buf_lit(out, ": ");
    tn_buf_add(out, subject.at, subject.len);
    if (subject.len > 0)
        tn_buf_char(out, ' ');
    tn_buf_add(out, finding->message.at, finding->message.len);
}

void tn_findings_member(struct tn_buf *out, const char *name, struct tn_slice text)
{
    if (text.len == 0)
        return;
    tn_buf_addf(out, ",\"%s\":", name);
    tn_json_string(out, text.at, text.len);
}

void tn_findings_more(struct tn_buf *out, const struct tn_findings *findings)
{
    if (findings->more.len == 0)
        return;
    tn_buf_addf(out, ",\"%s\":", findings->more_name);
    tn_buf_add(out, findings->more.at, findings->more.len);
}

bool tn_findings_form_read(const char *name, enum tn_findings_form *format)
{
    static const char *const names[] = { [FINDINGS_TEXT]  = "text",
                                         [FINDINGS_JSON]  = "json",
                                         [FINDINGS_SARIF] = "sarif",
                                         [FINDINGS_JUNIT] = "junit" };

    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (enum tn_findings_form)i;
            return true;
        }
    return false;
}

void tn_findings_write(struct tn_buf *out, const struct tn_findings *findings, enum tn_findings_form format,
                       bool coloured)
{
    switch (format) {
    case FINDINGS_TEXT: tn_findings_text(out, findings, coloured); return;
    case FINDINGS_JSON: tn_findings_json(out, findings); return;
    case FINDINGS_SARIF: tn_findings_sarif(out, findings); return;
    case FINDINGS_JUNIT: tn_findings_junit(out, findings); return;
    }
}
