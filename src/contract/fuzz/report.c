/* report.c - findings and marks. */
#include "contract/fuzz/report.h"

#include "contract/phrases.h"
#include "json/echo.h"
#include "json/write.h"

#define MESSAGE_MAX  ((size_t)400)
#define NAME_COLUMNS ((size_t)40)

/* ---- Finding --------------------------------------------------------------------------------------------------------- */

struct tn_found *tn_fuzz_known(const struct tn_fuzz *fuzz, size_t tool, enum tn_fuzz_verdict verdict,
                               struct tn_slice where)
{
    for (size_t i = 0; i < fuzz->found_count; i++)
        if (fuzz->found[i].tool == tool && fuzz->found[i].verdict == verdict &&
            tn_slice_same(fuzz->found[i].where, where))
            return &fuzz->found[i];
    return NULL;
}

static struct tn_slice copy(struct tn_fuzz *fuzz, struct tn_slice text)
{
    const char *at = tn_arena_copy(&fuzz->arena, text.at, text.len);

    fuzz->failed |= !at;
    return at ? (struct tn_slice){ at, text.len } : (struct tn_slice){ "", 0 };
}

bool tn_fuzz_found(struct tn_fuzz *fuzz, const struct tn_found *found)
{
    struct tn_found *known = tn_fuzz_known(fuzz, found->tool, found->verdict, found->where);
    struct tn_found *at;

    if (known) {
        known->count++;
        return false;
    }
    if (fuzz->found_count == FUZZ_FOUND_MAX) {
        fuzz->found_dropped++;
        return false;
    }
    if (!fuzz->found)
        fuzz->found = tn_arena_array(&fuzz->arena, FUZZ_FOUND_MAX, struct tn_found);
    if (!fuzz->found) {
        fuzz->failed = true;
        return false;
    }
    at          = &fuzz->found[fuzz->found_count++];
    *at         = *found;
    at->count   = 1;
    at->where   = copy(fuzz, found->where);
    at->why     = copy(fuzz, found->why);
    at->witness = copy(fuzz, found->witness);
    at->repeat  = copy(fuzz, found->repeat);
    return true;
}

/* ---- As findings of a command ---------------------------------------------------------------------------------------- */

static const struct tn_finding_rule rules[FUZZ_VERDICTS] = {
    [FUZZ_FINE]  = { "fine", "The call went as it should.", LEVEL_NONE },
    [FUZZ_NAMED] = { "refusal-named", "The refusal names the parameter and the reason.", LEVEL_NONE },
    [FUZZ_VAGUE] = { "refusal-vague", "The refusal does not name the parameter and the reason.",
                     LEVEL_WARNING },
    [FUZZ_PROTOCOL_ERROR] = { "refusal-protocol-error",
                              "The refusal is an error of the protocol, which clients rarely show to a "
                              "model.",
                              LEVEL_WARNING },
    [FUZZ_ACCEPTED]       = { "invalid-accepted", "A call that the schema refuses succeeds.", LEVEL_ERROR },
    [FUZZ_WRONG_RESULT]   = { "result-wrong", "The result is not what the tool promises.", LEVEL_ERROR },
    [FUZZ_HANG]           = { "no-answer", "There is no answer.", LEVEL_ERROR },
    [FUZZ_CRASH]          = { "server-ended", "The server ends.", LEVEL_ERROR },
    [FUZZ_LEAK]           = { "memory-grows", "The server's memory grows with each call.", LEVEL_ERROR },
};

static const char *const sentences[FUZZ_VERDICTS] = {
    [FUZZ_FINE]           = "",
    [FUZZ_NAMED]          = "",
    [FUZZ_VAGUE]          = SAY_FUZZ_VAGUE,
    [FUZZ_PROTOCOL_ERROR] = SAY_FUZZ_PROTOCOL,
    [FUZZ_ACCEPTED]       = SAY_FUZZ_ACCEPTED,
    [FUZZ_WRONG_RESULT]   = SAY_FUZZ_WRONG,
    [FUZZ_HANG]           = SAY_FUZZ_HANG,
    [FUZZ_CRASH]          = SAY_FUZZ_CRASH,
    [FUZZ_LEAK]           = SAY_FUZZ_LEAK,
};

/* "/limit" is the parameter limit; deeper places keep their pointer. */
static struct tn_slice subject_of(const struct tn_found *found)
{
    struct tn_slice where = found->where;

    if (found->tool == FUZZ_SERVER)
        return SLICE_LIT("protocol");
    if (where.len == 0)
        return SLICE_LIT("arguments");
    return memchr(where.at + 1, '/', where.len - 1) || memchr(where.at, '~', where.len)
               ? where
               : (struct tn_slice){ where.at + 1, where.len - 1 };
}

static void add_found(struct tn_findings *findings, const struct tn_fuzz *fuzz, const struct tn_found *found)
{
    struct tn_buf message;

    tn_buf_init(&message, findings->arena, 128, MESSAGE_MAX);
    tn_buf_addf(&message, "(%s): %s", found->what, sentences[found->verdict]);
    if ((found->verdict == FUZZ_CRASH || found->verdict == FUZZ_HANG) && !found->again)
        tn_buf_lit(&message, SAY_FUZZ_NOT_ALONE);
    if (found->count > 1)
        tn_buf_addf(&message, SAY_FUZZ_MORE, found->count - 1);
    tn_findings_add(findings,
                    &(struct tn_finding){
                        .rule    = found->verdict,
                        .level   = rules[found->verdict].level,
                        .class_  = tn_fuzz_verdict_word(found->verdict),
                        .tool    = found->tool == FUZZ_SERVER ? (struct tn_slice){ "", 0 }
                                                              : fuzz->tools[found->tool].name,
                        .place   = found->tool == FUZZ_SERVER ? (struct tn_slice){ "", 0 } : found->where,
                        .subject = subject_of(found),
                        .message = tn_buf_slice(&message),
                        .witness = found->witness,
                        .why     = found->why,
                        .repeat  = found->repeat,
                    });
}

void tn_fuzz_findings(struct tn_findings *findings, struct tn_arena *arena, const struct tn_fuzz *fuzz)
{
    tn_findings_init(findings, arena, "fuzz", rules, FUZZ_VERDICTS);
    for (size_t i = 0; i < fuzz->tool_count; i++)
        tn_findings_check(findings, fuzz->tools[i].name);
    for (size_t i = 0; i < fuzz->found_count; i++)
        add_found(findings, fuzz, &fuzz->found[i]);
    findings->dropped += fuzz->found_dropped;
    tn_findings_sort(findings);
}

/* ---- Marks ----------------------------------------------------------------------------------------------------------- */

static const enum tn_fuzz_verdict shown[] = { FUZZ_FINE,           FUZZ_NAMED,    FUZZ_VAGUE,
                                              FUZZ_PROTOCOL_ERROR, FUZZ_ACCEPTED, FUZZ_WRONG_RESULT,
                                              FUZZ_HANG,           FUZZ_CRASH,    FUZZ_LEAK };

#define SHOWN (sizeof shown / sizeof *shown)

static void add_cell(struct tn_buf *out, struct tn_slice name, size_t columns)
{
    size_t before = out->len;

    tn_echo_text(out, name.at, name.len);
    for (size_t len = out->len - before; len < columns; len++)
        tn_buf_char(out, ' ');
}

static size_t name_columns(const struct tn_fuzz *fuzz)
{
    size_t wide = sizeof "protocol" - 1;

    for (size_t i = 0; i < fuzz->tool_count; i++)
        if (fuzz->tools[i].name.len > wide)
            wide = fuzz->tools[i].name.len;
    return wide < NAME_COLUMNS ? wide : NAME_COLUMNS;
}

static void add_mark(struct tn_buf *out, const struct tn_score *score)
{
    int mark = tn_score_mark(score);

    if (mark < 0)
        tn_buf_lit(out, "    -");
    else
        tn_buf_addf(out, "%5d", mark);
}

static void add_counts(struct tn_buf *out, const struct tn_score *score)
{
    tn_buf_addf(out, "%7zu", score->calls);
    for (size_t i = 0; i < SHOWN; i++) {
        size_t columns = strlen(tn_fuzz_verdict_word(shown[i]));

        if (score->counts[shown[i]] > 0)
            tn_buf_addf(out, "  %*zu", (int)columns, score->counts[shown[i]]);
        else
            tn_buf_addf(out, "  %*s", (int)columns, ".");
    }
}

static void add_row(struct tn_buf *out, struct tn_slice name, size_t wide, const struct tn_score *score,
                    const struct tn_score *after)
{
    add_cell(out, name, wide);
    add_mark(out, score);
    if (!after)
        add_counts(out, score);
    else {
        tn_buf_lit(out, "  before");
        add_counts(out, score);
        tn_buf_char(out, '\n');
        add_cell(out, SLICE_LIT(""), wide);
        add_mark(out, after);
        tn_buf_lit(out, "   after");
        add_counts(out, after);
    }
    tn_buf_char(out, '\n');
}

void tn_fuzz_table(struct tn_buf *out, const struct tn_fuzz *fuzz, const struct tn_fuzz *guarded)
{
    size_t wide = name_columns(fuzz);

    add_cell(out, SLICE_LIT("tool"), wide);
    tn_buf_text(out, guarded ? " mark        " : " mark");
    tn_buf_lit(out, "  calls");
    for (size_t i = 0; i < SHOWN; i++)
        tn_buf_addf(out, "  %s", tn_fuzz_verdict_word(shown[i]));
    tn_buf_char(out, '\n');
    for (size_t i = 0; i < fuzz->tool_count; i++)
        add_row(out, fuzz->tools[i].name, wide, &fuzz->tools[i].score,
                guarded && i < guarded->tool_count ? &guarded->tools[i].score : NULL);
    add_row(out, SLICE_LIT("protocol"), wide, &fuzz->protocol, guarded ? &guarded->protocol : NULL);
}

static void add_score(struct tn_buf *out, const struct tn_score *score)
{
    tn_buf_addf(out, "{\"mark\":%d,\"calls\":%zu", tn_score_mark(score), score->calls);
    for (size_t i = 0; i < SHOWN; i++)
        if (score->counts[shown[i]] > 0)
            tn_buf_addf(out, ",\"%s\":%zu", tn_fuzz_verdict_word(shown[i]), score->counts[shown[i]]);
    tn_buf_char(out, '}');
}

void tn_fuzz_marks(struct tn_buf *out, const struct tn_fuzz *fuzz, const struct tn_fuzz *guarded)
{
    tn_buf_lit(out, "[");
    for (size_t i = 0; i <= fuzz->tool_count; i++) {
        bool                   last  = i == fuzz->tool_count;
        struct tn_slice        name  = last ? SLICE_LIT("") : fuzz->tools[i].name;
        const struct tn_score *after = !guarded ? NULL : last ? &guarded->protocol : &guarded->tools[i].score;

        if (i > 0)
            tn_buf_char(out, ',');
        tn_buf_lit(out, "{\"tool\":");
        tn_json_string(out, name.at, name.len);
        tn_buf_lit(out, ",\"score\":");
        add_score(out, last ? &fuzz->protocol : &fuzz->tools[i].score);
        if (after) {
            tn_buf_lit(out, ",\"guarded\":");
            add_score(out, after);
        }
        if (!last && fuzz->tools[i].left) {
            tn_buf_lit(out, ",\"left\":");
            tn_json_string(out, fuzz->tools[i].left, strlen(fuzz->tools[i].left));
        }
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, ']');
}
