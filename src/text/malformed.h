/* malformed.h - what is wrong with a text that was to be JSON, beyond where the reader stopped. */
#ifndef TEXT_MALFORMED_H
#define TEXT_MALFORMED_H

#include "json/read.h"

enum tn_malformed {
    MALFORMED_OTHER = 0, /* the reader's own words are the best there are */
    MALFORMED_PLAIN,     /* no JSON at all */
    MALFORMED_CUT,
    MALFORMED_FENCE,
    MALFORMED_SINGLE_QUOTES,
    MALFORMED_CURLY_QUOTES,
    MALFORMED_ESCAPED,
    MALFORMED_PYTHON,
    MALFORMED_NO_NUMBER,
    MALFORMED_COMMENT,
    MALFORMED_COMMA_LEFT,
    MALFORMED_COMMA_MISSING,
    MALFORMED_NAME,
    MALFORMED_BARE,
    MALFORMED_LINE_BREAK
};

/* Of a text that `read` found to be no JSON. */
enum tn_malformed tn_malformed_kind(struct tn_slice text, const struct tn_json_text *read);

#endif
