/* instance.c - validating an instance and printing what was found. */
#include "cli/validate/instance.h"

#include <string.h>

#include "base/buf.h"
#include "json/write.h"

#define NAME_LEN_MAX  ((size_t)64 << 10)
#define SHOWN_LEN_MAX ((size_t)200) /* of an annotation's value */
#define LIMIT         "limit"       /* the code of an issue: the value could not be validated */

static enum ending instance_out_of_memory(const struct console *console, const struct validate_source *source)
{
    console_error(console, "%s: out of memory", source->name);
    return ENDING_UNUSABLE;
}

/* A line for each issue; false when out of memory. A text that is no JSON has one, at its fault. */
static bool print_issues(const struct console *console, bool result, tenon_verdict *verdict,
                         struct tn_arena *arena, const struct validate_source *source)
{
    const char *place, *what;
    size_t      count = tenon_verdict_issue_count(verdict), total = tenon_verdict_issue_total(verdict);

    if (place_of_fault(arena, source, &place, &what)) {
        console_finding(console, result, place, what);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        const tenon_issue *issue   = tenon_verdict_issue(verdict, i);
        const char        *pointer = tenon_verdict_place(verdict, i);

        place = place_of_pointer(arena, source, tn_slice_of(pointer));
        if (!issue || !issue->text || !place)
            return false;
        console_finding(console, result, place, issue->text);
    }
    if (total > count)
        console_error(console, "%s: %zu issues, of which %zu are shown", source->name, total, count);
    return !arena->failed;
}

/* A line for each annotation; false when out of memory. */
static bool print_annotations(const struct console *console, tenon_verdict *verdict, struct tn_arena *arena,
                              const struct validate_source *source)
{
    size_t count = tenon_verdict_annotation_count(verdict);

    for (size_t i = 0; i < count; i++) {
        const tenon_annotation *one = tenon_verdict_annotation(verdict, i);
        const char *place = one ? place_of_pointer(arena, source, tn_slice_of(one->instance_location)) : NULL;
        struct tn_buf text;

        tn_buf_init(&text, arena, 256, CONSOLE_LINE_MAX);
        if (one) {
            size_t len = strlen(one->json);

            tn_buf_text(&text, one->keyword);
            tn_buf_char(&text, ' ');
            tn_buf_add(&text, one->json, len < SHOWN_LEN_MAX ? len : SHOWN_LEN_MAX);
            tn_buf_text(&text, len < SHOWN_LEN_MAX ? "" : "...");
        }
        if (!place || !tn_buf_end(&text))
            return false;
        console_finding(console, true, place, text.at);
    }
    return !tenon_verdict_failed(verdict);
}

/* The form that the library writes. */
static tenon_output output_of(const struct manner *manner)
{
    if (manner->form == FORM_FLAG)
        return TENON_OUTPUT_FLAG;
    if (manner->form == FORM_DETAILED)
        return manner->annotations ? TENON_OUTPUT_DETAILED_ANNOTATIONS : TENON_OUTPUT_DETAILED;
    return manner->annotations ? TENON_OUTPUT_BASIC_ANNOTATIONS : TENON_OUTPUT_BASIC;
}

/* The verdict as a line of JSON, with the instance's name where there are several. */
static bool print_json(const struct console *console, const struct manner *manner, tenon_verdict *verdict,
                       struct tn_arena *arena, const struct validate_source *source)
{
    size_t        len;
    const char   *json = tenon_verdict_output(verdict, output_of(manner), &len);
    struct tn_buf name;

    if (!json)
        return false;
    if (manner->several) {
        tn_buf_init(&name, arena, 256, NAME_LEN_MAX);
        tn_buf_lit(&name, "{\"instance\":");
        tn_json_string(&name, source->name, strlen(source->name));
        tn_buf_char(&name, ',');
        if (!tn_buf_end(&name))
            return false;
        fwrite(name.at, 1, name.len, console->out);
        json++; /* the brace is there already */
        len--;
    }
    fwrite(json, 1, len, console->out);
    fputc('\n', console->out);
    return true;
}

/* Did a limit keep the value from being validated? Then it is neither valid nor invalid. */
static bool met_limit(tenon_verdict *verdict)
{
    const tenon_issue *issue = tenon_verdict_issue(verdict, 0);

    return issue && issue->code && strcmp(issue->code, LIMIT) == 0;
}

/* Prints the instance as the schema wants it, and tells what was changed; or what keeps it from being repaired. */
static enum ending repair(const struct console *console, tenon_verdict *verdict, struct tn_arena *arena,
                          const struct validate_source *source)
{
    size_t      len;
    const char *json = tenon_verdict_repair(verdict, source->text.at, source->text.len, &len);

    if (!json) {
        if (tenon_verdict_failed(verdict) || !print_issues(console, false, verdict, arena, source))
            return instance_out_of_memory(console, source);
        return met_limit(verdict) ? ENDING_UNUSABLE : ENDING_BAD;
    }
    for (size_t i = 0; i < tenon_verdict_message_count(verdict); i++)
        console_finding(console, false, source->name, tenon_verdict_message(verdict, i));
    fwrite(json, 1, len, console->out);
    if (len == 0 || json[len - 1] != '\n')
        fputc('\n', console->out);
    return ENDING_GOOD;
}

enum ending instance_judge(const struct console *console, const struct manner *manner, tenon_verdict *verdict,
                           struct tn_arena *arena, const struct validate_source *source)
{
    bool valid, limit, printed;

    if (manner->repair)
        return repair(console, verdict, arena, source);
    valid = (manner->form == FORM_FLAG && tenon_verdict_flag(verdict, source->text.at, source->text.len)) ||
            tenon_verdict_judge(verdict, source->text.at, source->text.len);
    if (tenon_verdict_failed(verdict))
        return instance_out_of_memory(console, source);
    limit = !valid && met_limit(verdict);
    if (limit)
        printed = print_issues(console, false, verdict, arena, source);
    else if (manner->form != FORM_TEXT)
        printed = print_json(console, manner, verdict, arena, source);
    else if (!valid)
        printed = print_issues(console, true, verdict, arena, source);
    else
        printed = !manner->annotations || print_annotations(console, verdict, arena, source);
    if (!printed)
        return instance_out_of_memory(console, source);
    return limit ? ENDING_UNUSABLE : valid ? ENDING_GOOD : ENDING_BAD;
}
