/* review.c - lines and JSON of what was found. Everything that a server says is escaped. */
#include "cli/contract/review.h"

#include "contract/change.h"
#include "json/echo.h"

#define BOLD   "\x1b[1m"
#define RED    "\x1b[31m"
#define GREEN  "\x1b[32m"
#define YELLOW "\x1b[33m"
#define CYAN   "\x1b[36m"
#define PLAIN  "\x1b[0m"

#define LINE_MAX_BYTES ((size_t)8 << 20)
#define DATE_LEN       10

static const char *colour_of(const struct console *console, const char *colour)
{
    return console->out_coloured ? colour : "";
}

/* Untrusted text, whole. */
static void print_text(const struct targets *targets, struct tn_slice text)
{
    struct tn_arena arena;
    struct tn_buf   out;

    tn_arena_init(&arena, &targets->remote.arena.memory, 0);
    tn_buf_init(&out, &arena, text.len + 16, LINE_MAX_BYTES);
    tn_echo_whole(&out, text.at, text.len);
    fwrite(out.at ? out.at : "", 1, out.len, targets->remote.console->out);
    tn_arena_free(&arena);
}

static void print_name(const struct targets *targets, const struct target *target,
                       const struct tn_reviewed *one)
{
    struct tn_buf name;

    tn_buf_init(&name, (struct tn_arena *)(uintptr_t)&targets->remote.arena, 64, LINE_MAX_BYTES);
    tn_review_name(&name, target->name, one);
    print_text(targets, tn_buf_slice(&name));
    if (one->hash)
        fprintf(targets->remote.console->out, "@%.*s", (int)HASH_SHOWN, one->hash);
    else if (one->state == REVIEW_REMOVED)
        fputs("@removed", targets->remote.console->out);
}

bool review_is_meant(const struct target *target, const struct tn_reviewed *one)
{
    struct tn_slice item   = target->item;
    const char     *plural = one->instructions ? "" : tn_kind_plural(one->kind);
    size_t          len    = strlen(plural);

    if (!item.at || tn_slice_same(item, one->name))
        return true;
    return len > 0 && item.len > len && memcmp(item.at, plural, len) == 0 && item.at[len] == '/' &&
           tn_slice_same((struct tn_slice){ item.at + len + 1, item.len - len - 1 }, one->name);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* "changed description, approved by ann on 2026-11-16" */
static void print_change(const struct targets *targets, const struct tn_reviewed *one)
{
    FILE         *to = targets->remote.console->out;
    struct tn_buf text;

    if (one->state == REVIEW_CHANGED && one->live && one->approved) {
        tn_buf_init(&text, (struct tn_arena *)(uintptr_t)&targets->remote.arena, 0, CHANGE_TEXT_MAX);
        tn_change_describe(&text, text.arena, one->approved->definition.value, one->live->value);
        fprintf(to, "  %.*s", (int)text.len, text.at);
    }
    if (one->approved) {
        fputs(" (approved by ", to);
        print_text(targets, one->approved->by);
        fprintf(to, " on %.*s)", DATE_LEN, one->approved->approved.at);
    }
}

static void print_findings(const struct targets *targets, const struct tn_reviewed *one)
{
    FILE *to = targets->remote.console->out;

    for (size_t i = 0; one->findings && i < one->findings->count; i++) {
        fprintf(to, "           %s", colour_of(targets->remote.console, YELLOW));
        print_text(targets, tn_slice_of(one->findings->at[i].place));
        fputs(one->findings->at[i].place[0] ? ": " : "", to);
        print_text(targets, tn_slice_of(one->findings->at[i].what));
        fprintf(to, "%s\n", colour_of(targets->remote.console, PLAIN));
    }
    if (one->state == REVIEW_UNFIT && one->live)
        fprintf(to, "           %s\n", tn_canonical_why(one->live->fault));
}

void review_print(const struct targets *targets, const struct target *target, const struct tn_review *review)
{
    const struct console *console = targets->remote.console;

    for (size_t i = 0; i < review->count; i++) {
        const struct tn_reviewed *one = &review->at[i];

        if (one->state == REVIEW_SAME || !review_is_meant(target, one))
            continue;
        fprintf(console->out, "  %-8s %s", tn_review_word(one->state), colour_of(console, BOLD));
        print_name(targets, target, one);
        fputs(colour_of(console, PLAIN), console->out);
        print_change(targets, one);
        fputc('\n', console->out);
        print_findings(targets, one);
    }
}

/* ---- Changes in full ----------------------------------------------------------------------------------------------- */

static void print_diff_line(void *user, char mark, struct tn_slice line)
{
    const struct targets *targets = user;
    const struct console *console = targets->remote.console;
    const char           *colour  = mark == '-' ? RED : mark == '+' ? GREEN : mark == '@' ? CYAN : "";

    fprintf(console->out, "%s%c", colour_of(console, colour), mark);
    if (mark == '@')
        fputs("@ ...", console->out);
    print_text(targets, line);
    fprintf(console->out, "%s\n", colour_of(console, *colour ? PLAIN : ""));
}

static void print_diff_head(const struct targets *targets, const struct target *target,
                            const struct tn_reviewed *one)
{
    FILE *to = targets->remote.console->out;

    fprintf(to, "%s--- ", colour_of(targets->remote.console, BOLD));
    if (one->approved) {
        fputs("approved by ", to);
        print_text(targets, one->approved->by);
        fprintf(to, " on %.*s", DATE_LEN, one->approved->approved.at);
    } else
        fputs(one->instructions ? "approved" : "not approved", to);
    fputs("\n+++ ", to);
    print_name(targets, target, one);
    fprintf(to, "%s\n", colour_of(targets->remote.console, PLAIN));
}

/* Instructions are compared as one text in quotes. */
static yyjson_val *text_value(struct tn_arena *arena, struct tn_slice text)
{
    yyjson_val   *value = NULL;
    struct tn_buf out;

    if (!text.at)
        return NULL;
    tn_buf_init(&out, arena, text.len + 2, CANONICAL_BYTES_MAX);
    tn_canonical_string(&out, text);
    tn_canonical_read(arena, tn_buf_slice(&out), DEFINITION_DEPTH_MAX, &value);
    return value;
}

void review_print_diff(struct targets *targets, const struct target *target, const struct tn_review *review)
{
    const struct tn_lock_entry *entry = target_entry(target, &targets->lock);
    struct tn_arena            *arena = &targets->remote.arena;

    for (size_t i = 0; i < review->count; i++) {
        const struct tn_reviewed *one = &review->at[i];
        yyjson_val               *was = one->approved ? one->approved->definition.value : NULL;
        yyjson_val               *is  = one->live ? one->live->value : NULL;

        if (one->state == REVIEW_SAME || !review_is_meant(target, one))
            continue;
        if (one->instructions) {
            was = entry ? text_value(arena, entry->instructions) : NULL;
            is  = text_value(arena, target->offer.instructions);
        }
        print_diff_head(targets, target, one);
        print_findings(targets, one);
        if (!tn_change_diff(arena, was, is, print_diff_line, targets))
            console_error(targets->remote.console, "the change is too long to be shown");
    }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_member(struct tn_buf *out, const char *name, struct tn_slice text)
{
    if (out->len > 0 && out->at[out->len - 1] != '{')
        tn_buf_char(out, ',');
    tn_canonical_string(out, tn_slice_of(name));
    tn_buf_char(out, ':');
    tn_canonical_string(out, text);
}

static void json_findings(struct tn_buf *out, const struct tn_screening *findings)
{
    tn_buf_lit(out, ",\"findings\":[");
    for (size_t i = 0; i < findings->count; i++) {
        tn_buf_text(out, i > 0 ? ",{" : "{");
        json_member(out, "place", tn_slice_of(findings->at[i].place));
        json_member(out, "what", tn_slice_of(findings->at[i].what));
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, ']');
}

static void json_item(struct tn_buf *out, struct tn_arena *arena, const struct tn_reviewed *one)
{
    struct tn_buf text;

    tn_buf_char(out, '{');
    json_member(out, "kind", tn_slice_of(one->instructions ? "instructions" : tn_kind_word(one->kind)));
    json_member(out, "name", one->name);
    json_member(out, "state", tn_slice_of(tn_review_word(one->state)));
    if (one->hash)
        json_member(out, "sha256", tn_slice_of(one->hash));
    if (one->approved) {
        json_member(out, "approved", one->approved->approved);
        json_member(out, "by", one->approved->by);
    }
    if (one->state == REVIEW_CHANGED && one->live && one->approved) {
        tn_buf_init(&text, arena, 0, CHANGE_TEXT_MAX);
        tn_change_describe(&text, arena, one->approved->definition.value, one->live->value);
        json_member(out, "changes", tn_buf_slice(&text));
    }
    if (one->state == REVIEW_UNFIT && one->live)
        json_member(out, "why", tn_slice_of(tn_canonical_why(one->live->fault)));
    if (one->findings && one->findings->count > 0)
        json_findings(out, one->findings);
    tn_buf_char(out, '}');
}

void review_json(struct tn_buf *out, struct targets *targets, const struct target *target,
                 const struct tn_review *review)
{
    bool more = false;

    tn_buf_char(out, '{');
    json_member(out, "name", target->name);
    json_member(out, "era", target->offer.era);
    tn_buf_lit(out, ",\"server\":");
    tn_buf_add(out, target->offer.server.at, target->offer.server.len);
    tn_buf_lit(out, ",\"items\":[");
    for (size_t i = 0; i < review->count; i++)
        if (review_is_meant(target, &review->at[i])) {
            if (more)
                tn_buf_char(out, ',');
            json_item(out, &targets->remote.arena, &review->at[i]);
            more = true;
        }
    tn_buf_lit(out, "]}");
}
