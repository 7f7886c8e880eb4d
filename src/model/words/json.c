/* json.c - what is wrong with a JSON text. */
#include "model/words/say.h"
#include "model/words/words.h"
#include "text/malformed.h"

static const char *malformed(struct tn_slice text, const struct tn_json_text *read)
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

const char *tn_words_unread(struct tn_slice text, const struct tn_json_text *read, bool whole)
{
    static const char beyond[] = " is too long, too deep or has too many values";

    switch (read->fault) {
    case JSON_SYNTAX: return malformed(text, read);
    case JSON_TOO_LONG: return whole ? " are too long" : beyond;
    case JSON_TOO_DEEP: return whole ? " are nested too deep" : beyond;
    default: return whole ? " have too many values" : beyond;
    }
}

void tn_say_json(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_say_label(out, issue, " is not valid JSON: ");
    tn_buf_text(out, issue->why);
    tn_buf_lit(out, " at position ");
    tn_buf_uint(out, issue->count);
    if (issue->node && issue->node->example.len > 0) {
        tn_buf_lit(out, ". Example: ");
        tn_say_slice(out, issue->node->example);
    }
}
