/* words.c - sentences. */
#include "model/words.h"

#include <math.h>

#include "json/echo.h"
#include "json/write.h"
#include "model/like.h"
#include "model/words_document.h"
#include "text/date_fault.h"
#include "text/format.h"
#include "text/malformed.h"
#include "text/path.h"

const char tn_words_args_as_text[] = "Parsed the arguments from one JSON text.";

const char *tn_words_code(const struct tn_issue *issue)
{
    static const char *const codes[] = {
        [ISSUE_REQUIRED] = "required",   [ISSUE_EMPTY] = "empty",       [ISSUE_NULL] = "null",
        [ISSUE_TYPE] = "type",           [ISSUE_RANGE] = "range",       [ISSUE_SHORT] = "length",
        [ISSUE_LONG] = "length",         [ISSUE_FEW] = "count",         [ISSUE_MANY] = "count",
        [ISSUE_REPEATED] = "duplicates", [ISSUE_CHOICE] = "enum",       [ISSUE_PATTERN] = "pattern",
        [ISSUE_FORMAT] = "format",       [ISSUE_DATE] = "date",         [ISSUE_SECONDS] = "date",
        [ISSUE_PATH] = "path",           [ISSUE_JSON] = "json",         [ISSUE_TEXT] = "text",
        [ISSUE_KEY_TWICE] = "repeated",  [ISSUE_UNKNOWN] = "unknown",   [ISSUE_LIMIT] = "limit",
        [ISSUE_ORDER] = "order",         [ISSUE_TOGETHER] = "together", [ISSUE_EXCLUSIVE] = "exclusive",
        [ISSUE_ANY_OF] = "any_of",       [ISSUE_REQUIRES] = "requires", [ISSUE_CHECK] = "check",
        [ISSUE_NEVER] = "not_allowed",   [ISSUE_CONST] = "const",       [ISSUE_VALUES] = "enum",
        [ISSUE_BOUND] = "range",         [ISSUE_MULTIPLE] = "multiple", [ISSUE_MEMBERS] = "count",
        [ISSUE_CONTAINS] = "contains",   [ISSUE_NAME] = "name",         [ISSUE_NO_BRANCH] = "any_of",
        [ISSUE_BRANCHES] = "one_of",     [ISSUE_NOT] = "not",
    };

    if (issue->code == ISSUE_UNKNOWN && issue->inside)
        return "unknown_inside"; /* `parameter` is what it stands in */
    return issue->code == ISSUE_OWN ? issue->own_code : codes[issue->code];
}

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

static void add_slice(struct tn_buf *out, struct tn_slice slice)
{
    tn_buf_add(out, slice.at, slice.len);
}

/* The value as it came, or only its type when it is secret. */
static void add_received(struct tn_buf *out, const struct tn_issue *issue)
{
    if (!issue->node || issue->node->secret ||
        issue->hidden) /* all arguments together may hold secrets too */
        tn_buf_text(out, issue->received ? tn_echo_type(issue->received) : "a string");
    else if (issue->received)
        tn_echo_value(out, issue->received);
}

/* The same for text, in single quotes. */
static void add_quoted(struct tn_buf *out, const struct tn_issue *issue)
{
    if (issue->node->secret || !yyjson_is_str(issue->received)) {
        add_received(out, issue);
        return;
    }
    tn_buf_char(out, '\'');
    tn_echo_text(out, yyjson_get_str(issue->received), yyjson_get_len(issue->received));
    tn_buf_char(out, '\'');
}

static void words_add_choices(struct tn_buf *out, const struct tn_choice *choice)
{
    size_t shown = 0, left = 0;

    for (size_t i = 0; i < choice->count; i++) {
        if (!choice->names[i].at)
            continue;
        if (shown == WORDS_NAMES_MAX) {
            left++;
            continue;
        }
        if (shown++ > 0)
            tn_buf_lit(out, ", ");
        add_slice(out, choice->names[i]);
    }
    if (left > 0) {
        tn_buf_lit(out, " and ");
        tn_buf_uint(out, left);
        tn_buf_lit(out, " more");
    }
}

/* The first two names, as a comma list that would be accepted. */
static void add_choice_example(struct tn_buf *out, const struct tn_choice *choice)
{
    for (size_t i = 0, shown = 0; i < choice->count && shown < 2; i++) {
        if (!choice->names[i].at)
            continue;
        if (shown++ > 0)
            tn_buf_char(out, ',');
        add_slice(out, choice->names[i]);
    }
}

static void add_param_names(struct tn_buf *out, const struct tn_object *object)
{
    size_t shown = object->count < WORDS_NAMES_MAX ? object->count : WORDS_NAMES_MAX;

    for (size_t i = 0; i < shown; i++) {
        if (i > 0)
            tn_buf_lit(out, ", ");
        tn_buf_add(out, object->params[i].name, object->params[i].len);
    }
    if (shown < object->count) {
        tn_buf_lit(out, " and ");
        tn_buf_uint(out, object->count - shown);
        tn_buf_lit(out, " more");
    }
}

/* The comma-separated list `list` as "a, b or c", each with `end` behind it. */
static void add_alternatives(struct tn_buf *out, const char *list, const char *end)
{
    struct tn_slice rest  = tn_slice_of(list), part;
    size_t          count = 0;

    while (tn_slice_split(&rest, ',', &part)) {
        if (count++ > 0) {
            if (rest.len > 0)
                tn_buf_lit(out, ", ");
            else
                tn_buf_lit(out, " or ");
        }
        add_slice(out, tn_slice_trim(part));
        tn_buf_text(out, end);
    }
}

static const char *wanted_type(unsigned kind)
{
    static const char *const wanted[] = {
        [TENON_KIND_INT]       = "an integer",
        [TENON_KIND_NUM]       = "a number",
        [TENON_KIND_BOOL]      = "true or false",
        [TENON_KIND_DATE]      = "a date",
        [TENON_KIND_TIMESTAMP] = "a timestamp",
        [TENON_KIND_STRS]      = "an array of strings",
        [TENON_KIND_PATHS]     = "an array of relative paths",
        [TENON_KIND_INTS]      = "an array of integers",
        [TENON_KIND_NUMS]      = "an array of numbers",
        [TENON_KIND_ENUMS]     = "an array of strings",
        [TENON_KIND_OBJECT]    = "an object",
        [TENON_KIND_OBJECTS]   = "an array of objects",
        [TENON_KIND_MAP]       = "an object of strings",
        [TENON_KIND_JSON]      = "JSON",
    };

    return tn_kind_is_text(kind) || kind == TENON_KIND_ENUM ? "a string" : wanted[kind];
}

/* ---- One sentence a code ----------------------------------------------------------------------------------- */

static void say_type(struct tn_buf *out, const struct tn_issue *issue)
{
    unsigned kind = issue->node ? tn_like_kind(issue->node) : TENON_KIND_OBJECT;

    if (issue->node && issue->node->schema && tn_like_is_time(kind))
        kind = TENON_KIND_STR; /* a format is one of a text */
    add_slice(out, issue->label);
    tn_buf_lit(out, " must be ");
    if (kind == NODE_SCHEMA && issue->node->schema)
        tn_words_types(out, issue->node->schema->types);
    else
        tn_buf_text(out, wanted_type(kind));
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
    if (issue->in_text)
        tn_buf_lit(out, " in JSON text");
}

struct bounds {
    struct tn_slice low, high; /* empty: open */
};

static void say_bounds(struct tn_buf *out, struct bounds bounds)
{
    if (bounds.low.len > 0 && bounds.high.len > 0) {
        tn_buf_lit(out, " must be between ");
        add_slice(out, bounds.low);
        tn_buf_lit(out, " and ");
        add_slice(out, bounds.high);
    } else if (bounds.low.len > 0) {
        tn_buf_lit(out, " must be at least ");
        add_slice(out, bounds.low);
    } else {
        tn_buf_lit(out, " must be at most ");
        add_slice(out, bounds.high);
    }
}

/* Writes a bound into `out`, which is scratch space, and returns it. */
static struct tn_slice number_text(struct tn_buf *out, const struct tn_node *node, bool high)
{
    size_t from = out->len;

    if (node->kind == TENON_KIND_INT) {
        int64_t bound = high ? node->integer.max : node->integer.min;

        tn_buf_int(out, bound);
    } else {
        double bound = high ? node->number.max : node->number.min;

        if (!isinf(bound))
            tn_json_number(out, bound);
    }
    return out->failed ? (struct tn_slice){ "", 0 } : (struct tn_slice){ out->at + from, out->len - from };
}

/* Is there no bound but the one that the field itself has? */
static bool bounds_open(const struct tn_node *node, bool high)
{
    unsigned bits = node->size * 8 - (node->flavour == 0); /* of the largest value */
    int64_t  most = bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;

    if (node->kind != TENON_KIND_INT)
        return isinf(high ? node->number.max : node->number.min);
    return high ? node->integer.max == most : node->integer.min == (node->flavour ? 0 : -most - 1);
}

static void say_range(struct tn_buf *out, const struct tn_issue *issue)
{
    struct tn_buf scratch;
    struct bounds bounds   = { { "", 0 }, { "", 0 } };
    bool          open_low = bounds_open(issue->node, false), open_high = bounds_open(issue->node, true);
    bool          beyond = issue->count == 1 ? open_high : open_low; /* what the field can hold */

    tn_buf_init(&scratch, out->arena, 64, 256);
    if (!open_low || beyond)
        bounds.low = number_text(&scratch, issue->node, false);
    tn_buf_init(&scratch, out->arena, 64, 256);
    if (!open_high || beyond)
        bounds.high = number_text(&scratch, issue->node, true);
    add_slice(out, issue->label);
    say_bounds(out, bounds);
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
}

static bool is_blank(const struct tn_issue *issue)
{
    return yyjson_is_str(issue->received) && tn_slice_blank(tn_json_slice(issue->received));
}

static void say_count(struct tn_buf *out, const struct tn_issue *issue)
{
    bool   few   = issue->code == ISSUE_FEW || issue->code == ISSUE_SHORT;
    bool   items = issue->code == ISSUE_FEW || issue->code == ISSUE_MANY;
    size_t bound = items ? (few ? issue->node->list.min : issue->node->list.max)
                         : (few ? issue->node->text.min : issue->node->text.max);

    add_slice(out, issue->label);
    if (issue->code == ISSUE_SHORT && bound == 1) { /* "at least 1 characters" would be odd */
        tn_buf_lit(out, " cannot be empty");
        return;
    }
    if (!few)
        tn_buf_lit(out, " must not exceed ");
    else if (items)
        tn_buf_lit(out, " must contain at least ");
    else
        tn_buf_lit(out, " must be at least ");
    tn_buf_uint(out, bound);
    if (!items) {
        tn_buf_lit(out, " characters");
        return;
    }
    tn_buf_lit(out, " items, got ");
    tn_buf_uint(out, issue->count);
}

static void say_choice(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_choice *choice = issue->node->choice;

    if (is_blank(issue)) {
        add_slice(out, issue->label);
        tn_buf_lit(out, " cannot be empty. Valid: ");
        words_add_choices(out, choice);
        return;
    }
    if (choice->noun &&
        (yyjson_is_str(issue->received) || issue->got.at)) { /* what is no word is no severity either */
        tn_buf_lit(out, "Invalid ");
        tn_buf_text(out, choice->noun);
        tn_buf_char(out, ' ');
        add_quoted(out, issue);
        tn_buf_lit(out, ". Valid: ");
        words_add_choices(out, choice);
        tn_buf_lit(out, ". Example: '");
        add_choice_example(out, choice);
        tn_buf_char(out, '\'');
        return;
    }
    add_slice(out, issue->label);
    tn_buf_lit(out, " must be one of: ");
    words_add_choices(out, choice);
    tn_buf_lit(out, ". Got: ");
    if (yyjson_is_str(issue->received) && !issue->node->secret)
        tn_echo_text(out, yyjson_get_str(issue->received), yyjson_get_len(issue->received));
    else
        add_received(out, issue);
}

static void say_pattern(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    if (issue->node->text.pattern_words) {
        tn_buf_lit(out, " must be ");
        tn_buf_text(out, issue->node->text.pattern_words);
    } else {
        tn_buf_lit(out, " must match the pattern ");
        tn_buf_text(out, issue->node->text.pattern_text);
    }
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
    if (issue->why)
        tn_buf_text(out, issue->why);
}

static void say_format(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_node *node = issue->node;

    add_slice(out, issue->label);
    tn_buf_lit(out, " must be ");
    if (node->kind == TENON_KIND_ID)
        tn_buf_lit(out, "an identifier (letters, digits, '_', '.' and '-')");
    else
        tn_buf_text(out, node->text.format->article);
    if (node->text.schemes) {
        tn_buf_lit(out, " that begins with ");
        add_alternatives(out, node->text.schemes, ":");
    }
    tn_buf_lit(out, ", got ");
    add_received(out, issue);
}

/* What the text breaks, by enum date_fault; a day's and a moment's faults in one voice. */
static void add_date_fault(struct tn_buf *out, const struct tn_issue *issue)
{
    static const char *const faults[] = {
        [DATE_FAULT_UNKNOWN]   = "",
        [DATE_FAULT_YEAR]      = ": the year must be from 0001 to 9999",
        [DATE_FAULT_CENTURY]   = ": the year must have four digits",
        [DATE_FAULT_DAY]       = ": the calendar has no such day",
        [DATE_FAULT_HYPHENS]   = ": '-' must stand between year, month and day",
        [DATE_FAULT_ZEROS]     = ": month and day must have two digits",
        [DATE_FAULT_ORDER]     = ": the order must be year, month, day",
        [DATE_FAULT_NO_TIME]   = ": the time is missing",
        [DATE_FAULT_TIME]      = ": there is no such time",
        [DATE_FAULT_SECONDS]   = ": the seconds are missing",
        [DATE_FAULT_NO_OFFSET] = ": the offset is missing ('Z' is UTC)",
        [DATE_FAULT_OFFSET]    = ": the offset must be 'Z' or like '+02:00'",
    };

    tn_buf_text(out, faults[issue->count]);
}

/* The date that was meant, or any. */
static void add_date_like(struct tn_buf *out, const struct tn_issue *issue, const char *any)
{
    tn_buf_lit(out, " like '");
    if (issue->suggestion.len > 2 && issue->suggestion.at[0] == '"')
        add_slice(out, (struct tn_slice){ issue->suggestion.at + 1, issue->suggestion.len - 2 });
    else
        tn_buf_text(out, any);
    tn_buf_char(out, '\'');
}

static void say_date(struct tn_buf *out, const struct tn_issue *issue)
{
    bool stamp = tn_like_kind(issue->node) == TENON_KIND_TIMESTAMP;
    bool timed = issue->node->kind == TENON_KIND_DATE && !issue->node->calendar &&
                 issue->count >= DATE_FAULT_TIME;

    tn_buf_text(out, stamp ? "Invalid timestamp " : "Invalid date ");
    add_quoted(out, issue);
    add_date_fault(out, issue);
    if (stamp)
        tn_buf_lit(out, ". Expected RFC 3339 format with an offset");
    else
        tn_buf_lit(out, ". Expected ISO format (YYYY-MM-DD)");
    if (timed)
        tn_buf_lit(out, " or a timestamp with an offset");
    add_date_like(out, issue, stamp ? "2025-01-15T10:30:00Z" : "2025-01-15");
}

static void say_seconds(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_buf_lit(out, "Invalid date ");
    add_received(out, issue);
    tn_buf_lit(
        out,
        ": as milliseconds since 1970 it is too small and looks like seconds. Expected milliseconds, or ISO "
        "format (YYYY-MM-DD) like '2025-01-15'");
}

static void say_path(struct tn_buf *out, const struct tn_issue *issue)
{
    static const char *const texts[] = {
        [PATH_ABSOLUTE]  = " must be a relative path, got absolute path",
        [PATH_RELATIVE]  = " must be an absolute path",
        [PATH_TRAVERSAL] = " contains invalid path traversal sequence",
        [PATH_BACKSLASH] = " must use '/' between names, got a backslash",
        [PATH_DRIVE]     = " must not begin with a drive letter",
        [PATH_UNC]       = " must not be a network path",
        [PATH_CONTROL]   = " must not contain control characters",
        [PATH_ENCODED]   = " must not contain percent-encoded dots or separators",
        [PATH_LONG]      = " must not exceed 4095 bytes, nor 255 in one name",
        [PATH_EXTENSION] = " must end in ",
        [PATH_NOTHING]   = " must name a file",
    };

    add_slice(out, issue->label);
    tn_buf_text(out, texts[issue->count]);
    if (issue->count == PATH_EXTENSION)
        add_alternatives(out, issue->node->text.ext, "");
}

const char *tn_words_malformed(struct tn_slice text, const struct tn_json_text *read)
{
    static const char *const whys[] = {
        [MALFORMED_PLAIN]         = "it is plain text",
        [MALFORMED_CUT]           = "it is cut off (a bracket or a quote is not closed)",
        [MALFORMED_FENCE]         = "it is in a markdown fence (send the JSON without it),",
        [MALFORMED_SINGLE_QUOTES] = "names and texts need double quotes, not single ones,",
        [MALFORMED_CURLY_QUOTES]  = "names and texts need straight double quotes (\"), not curly ones,",
        [MALFORMED_ESCAPED]       = "its quotes are escaped once too often",
        [MALFORMED_PYTHON]        = "JSON writes true, false and null,",
        [MALFORMED_NO_NUMBER]     = "JSON has no such number",
        [MALFORMED_COMMENT]       = "JSON has no comments",
        [MALFORMED_COMMA_LEFT]    = "there is a trailing comma",
        [MALFORMED_COMMA_MISSING] = "a comma is missing",
        [MALFORMED_NAME]          = "names need double quotes",
        [MALFORMED_BARE]          = "names and texts need double quotes",
        [MALFORMED_LINE_BREAK]    = "a line break or tab inside a string must be written as \\n or \\t,",
    };
    enum tn_malformed kind = tn_malformed_kind(text, read);

    return kind == MALFORMED_OTHER ? read->what : whys[kind];
}

static void say_json(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    tn_buf_lit(out, " is not valid JSON: ");
    tn_buf_text(out, issue->why);
    tn_buf_lit(out, " at position ");
    tn_buf_uint(out, issue->count);
    if (issue->node && issue->node->example.len > 0) {
        tn_buf_lit(out, ". Example: ");
        add_slice(out, issue->node->example);
    }
}

static void say_unknown(struct tn_buf *out, const struct tn_issue *issue)
{
    const char *member = issue->why ? issue->why : "parameter";

    tn_buf_lit(out, "unknown ");
    tn_buf_text(out, member);
    tn_buf_lit(out, " '");
    add_slice(out, issue->label);
    tn_buf_char(out, '\'');
    if (issue->suggestion.len > 0 && !issue->inside) {
        tn_buf_lit(out, "; did you mean '");
        add_slice(out, (struct tn_slice){ issue->suggestion.at + 1,
                                          issue->suggestion.len - 2 }); /* without quotes */
        tn_buf_lit(out, "'?");
    }
    if (issue->schema ? issue->brief : !issue->object)
        return; /* the valid names stand in an issue before this one */
    if (issue->suggestion.len == 0 || issue->inside)
        tn_buf_char(out, '.');
    if ((issue->schema ? issue->schema->object->count : issue->object->count) == 0) {
        tn_buf_text(out, issue->why ? " There are no properties" : " There are no parameters");
        return;
    }
    tn_buf_text(out, issue->why ? " Valid properties: " : " Valid parameters: ");
    if (issue->schema)
        tn_words_property_names(out, issue->schema);
    else
        add_param_names(out, issue->object);
}

static struct tn_slice rule_name(const struct tn_issue *issue, size_t i)
{
    const struct tn_param *param = &issue->object->params[issue->rule->param[i]];

    return (struct tn_slice){ param->name, param->len };
}

static void say_order(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_node *node = issue->object->params[issue->rule->param[0]].node;
    struct tn_slice       low = rule_name(issue, 0), high = rule_name(issue, 1);

    if (node->kind == TENON_KIND_INT || node->kind == TENON_KIND_NUM) {
        tn_buf_lit(out, "Invalid range: ");
        add_slice(out, low);
        tn_buf_lit(out, " must not be greater than ");
        add_slice(out, high);
        return;
    }
    tn_buf_lit(out, "Invalid date range: ");
    add_slice(out, low);
    tn_buf_lit(out, " must be before ");
    add_slice(out, high);
    tn_buf_lit(out, ". Example: ");
    add_slice(out, low);
    tn_buf_lit(out, "='2025-01-01', ");
    add_slice(out, high);
    tn_buf_lit(out, "='2025-12-31'");
}

static void add_rule_names(struct tn_buf *out, const struct tn_issue *issue)
{
    for (size_t i = 0; i < issue->rule->count; i++) {
        if (i > 0)
            tn_buf_lit(out, ", ");
        add_slice(out, rule_name(issue, i));
    }
}

/* `issue->count` is the index of the parameter that made the rule apply. */
static void say_rule(struct tn_buf *out, const struct tn_issue *issue)
{
    if (issue->code == ISSUE_ANY_OF) {
        tn_buf_lit(out, "at least one of these is required: ");
        add_rule_names(out, issue);
        return;
    }
    add_slice(out, issue->label);
    if (issue->other.at) { /* of a schema: dependentRequired */
        tn_buf_lit(out, " is required when there is ");
        tn_echo_text(out, issue->other.at, issue->other.len);
        return;
    }
    if (issue->code == ISSUE_EXCLUSIVE)
        tn_buf_lit(out, " cannot be used together with ");
    else if (issue->code == ISSUE_TOGETHER)
        tn_buf_lit(out, " is required together with ");
    else
        tn_buf_lit(out, " is required when there is ");
    add_slice(out, rule_name(issue, issue->count));
}

static void say_plain(struct tn_buf *out, const struct tn_issue *issue)
{
    add_slice(out, issue->label);
    switch (issue->code) {
    case ISSUE_REQUIRED: tn_buf_lit(out, " is required"); break;
    case ISSUE_EMPTY: tn_buf_lit(out, " cannot be empty"); break;
    case ISSUE_NULL:
        tn_buf_text(out, issue->why ? issue->why : " is null or blank: leave it out, or give a value");
        break;
    case ISSUE_REPEATED: tn_buf_lit(out, " contains duplicate values"); break;
    case ISSUE_KEY_TWICE: tn_buf_text(out, issue->why ? issue->why : " is given more than once"); break;
    default: tn_buf_text(out, issue->why); break;
    }
}

/* A check that serves several rows cannot know their names: "must be even" gets the name of the row. */
static void say_ready(struct tn_buf *out, const struct tn_issue *issue)
{
    static const char *const verbs[] = { "must ", "cannot ", "is ", "has ", "contains " };

    for (size_t i = 0; issue->code == ISSUE_CHECK && issue->node && i < sizeof verbs / sizeof *verbs; i++)
        if (issue->text.len > strlen(verbs[i]) && memcmp(issue->text.at, verbs[i], strlen(verbs[i])) == 0) {
            add_slice(out, issue->label);
            tn_buf_char(out, ' ');
        }
    add_slice(out, issue->text);
}

void tn_words_issue(struct tn_buf *out, const struct tn_issue *issue)
{
    static void (*const say[])(struct tn_buf *, const struct tn_issue *) = {
        [ISSUE_REQUIRED]  = say_plain,
        [ISSUE_EMPTY]     = say_plain,
        [ISSUE_NULL]      = say_plain,
        [ISSUE_TYPE]      = say_type,
        [ISSUE_RANGE]     = say_range,
        [ISSUE_SHORT]     = say_count,
        [ISSUE_LONG]      = say_count,
        [ISSUE_FEW]       = say_count,
        [ISSUE_MANY]      = say_count,
        [ISSUE_REPEATED]  = say_plain,
        [ISSUE_CHOICE]    = say_choice,
        [ISSUE_PATTERN]   = say_pattern,
        [ISSUE_FORMAT]    = say_format,
        [ISSUE_DATE]      = say_date,
        [ISSUE_SECONDS]   = say_seconds,
        [ISSUE_PATH]      = say_path,
        [ISSUE_JSON]      = say_json,
        [ISSUE_TEXT]      = say_plain,
        [ISSUE_KEY_TWICE] = say_plain,
        [ISSUE_UNKNOWN]   = say_unknown,
        [ISSUE_LIMIT]     = say_plain,
        [ISSUE_ORDER]     = say_order,
        [ISSUE_TOGETHER]  = say_rule,
        [ISSUE_EXCLUSIVE] = say_rule,
        [ISSUE_ANY_OF]    = say_rule,
        [ISSUE_REQUIRES]  = say_rule,
        [ISSUE_CHECK]     = say_ready,
        [ISSUE_OWN]       = say_ready,
        [ISSUE_NEVER]     = tn_words_document,
        [ISSUE_CONST]     = tn_words_document,
        [ISSUE_VALUES]    = tn_words_document,
        [ISSUE_BOUND]     = tn_words_document,
        [ISSUE_MULTIPLE]  = tn_words_document,
        [ISSUE_MEMBERS]   = tn_words_document,
        [ISSUE_CONTAINS]  = tn_words_document,
        [ISSUE_NAME]      = tn_words_document,
        [ISSUE_NO_BRANCH] = tn_words_document,
        [ISSUE_BRANCHES]  = tn_words_document,
        [ISSUE_NOT]       = tn_words_document,
    };

    say[issue->code](out, issue);
}

size_t tn_words_cut(const char *at, size_t len)
{
    size_t keep = ISSUE_TEXT_MAX;

    if (len <= keep)
        return len;
    while (keep > 0 && ((unsigned char)at[keep] & 0xC0) == 0x80)
        keep--;
    return keep;
}

bool tn_words_says_received(const struct tn_issue *issue)
{
    switch (issue->code) {
    case ISSUE_EMPTY: return yyjson_get_len(issue->received) == 0;
    case ISSUE_TYPE:
    case ISSUE_RANGE:
    case ISSUE_CONST:
    case ISSUE_VALUES:
    case ISSUE_BOUND:
    case ISSUE_MULTIPLE:
    case ISSUE_NO_BRANCH:
    case ISSUE_NOT:
    case ISSUE_CHOICE:
    case ISSUE_PATTERN:
    case ISSUE_FORMAT:
    case ISSUE_DATE:
    case ISSUE_SECONDS: return true;
    default: return false;
    }
}

/* ---- Messages ---------------------------------------------------------------------------------------------- */

/* `text` with {name}, {value}, {used}, {min} and {max} replaced. */
static void add_template(struct tn_buf *out, const char *text, struct tn_slice label,
                         const struct tn_node *node, struct tn_slice value, bool low)
{
    int64_t used = low && node->integer.low_default ? node->integer.def
                   : low                            ? node->integer.min
                                                    : node->integer.max;

    for (const char *at = text; *at;) {
        if (strncmp(at, "{name}", 6) == 0)
            add_slice(out, label), at += 6;
        else if (strncmp(at, "{value}", 7) == 0)
            add_slice(out, value), at += 7;
        else if (strncmp(at, "{used}", 6) == 0)
            tn_buf_int(out, used), at += 6;
        else if (strncmp(at, "{min}", 5) == 0)
            tn_buf_int(out, node->integer.min), at += 5;
        else if (strncmp(at, "{max}", 5) == 0)
            tn_buf_int(out, node->integer.max), at += 5;
        else
            tn_buf_char(out, *at++);
    }
}

void tn_words_alias(struct tn_buf *out, const char *name)
{
    tn_buf_lit(out, " is an alias of ");
    tn_buf_text(out, name);
    tn_buf_lit(out, ", which is given too");
}

void tn_words_clamped(struct tn_buf *out, struct tn_slice label, const struct tn_node *node,
                      struct tn_slice value, bool low)
{
    const char *text = low ? node->integer.low_text : node->integer.high_text;

    if (node->secret)
        value = SLICE_LIT("its value");
    if (node->kind == TENON_KIND_INT && text) {
        add_template(out, text, label, node, value, low);
        return;
    }
    add_slice(out, label);
    tn_buf_lit(out, " adjusted from ");
    add_slice(out, value);
    tn_buf_lit(out, " to ");
    if (node->kind == TENON_KIND_INT && low && node->integer.low_default)
        tn_buf_int(out, node->integer.def);
    else
        (void)number_text(out, node, !low);
    if (low && node->kind == TENON_KIND_INT && node->integer.low_default)
        tn_buf_lit(out, " (default)");
    else if (low)
        tn_buf_lit(out, " (minimum allowed)");
    else
        tn_buf_lit(out, " (maximum allowed)");
}

void tn_words_coerced(struct tn_buf *out, bool first)
{
    if (first)
        tn_buf_lit(out, "Converted ");
    else
        tn_buf_lit(out, ", ");
}

void tn_words_coerced_one(struct tn_buf *out, struct tn_slice label, bool secret, yyjson_val *from,
                          struct tn_slice to)
{
    add_slice(out, label);
    if (secret)
        return;
    tn_buf_lit(out, " from ");
    tn_echo_value(out, from);
    tn_buf_lit(out, " to ");
    tn_echo_text(out, to.at, to.len);
}

void tn_words_coerced_more(struct tn_buf *out, size_t count, bool first)
{
    if (first)
        tn_words_coerced(out, true);
    else
        tn_buf_lit(out, " and ");
    tn_buf_uint(out, count);
    tn_buf_text(out, !first ? " more" : count == 1 ? " value" : " values");
}

void tn_words_placeholder(struct tn_buf *out, struct tn_slice label, yyjson_val *value)
{
    add_slice(out, label);
    if (value) {
        tn_buf_char(out, ' ');
        tn_echo_value(out, value);
    }
    tn_buf_lit(out, " was treated as not given");
}

void tn_words_day(struct tn_buf *out, struct tn_slice label, const char *day, bool written)
{
    add_slice(out, label);
    tn_buf_lit(out, " is a calendar date: the day ");
    if (*day) {
        tn_buf_text(out, day);
        tn_buf_char(out, ' ');
    }
    tn_buf_text(out, written ? "was used as written, without time and offset"
                             : "was used in UTC, without the time");
}

void tn_words_ignored(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_lit(out, "Ignored the unknown parameter '");
    add_slice(out, name);
    tn_buf_char(out, '\'');
}
