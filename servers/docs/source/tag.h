/* tag.h - tags and comments of HTML and JSX, as far as leaving them out needs it. */
#ifndef DOCS_SOURCE_TAG_H
#define DOCS_SOURCE_TAG_H

#include <stdbool.h>
#include <stddef.h>

#define TAG_LEN_MAX ((size_t)8192) /* bytes of one: what is longer is text */

struct tag {
    const char *end;      /* behind its '>' */
    char        name[16]; /* small letters; cut */
    bool        is_closing, is_single;
};

/* The tag that begins with the '<' at `at`; false when it is not one. */
bool tag_read(struct tag *tag, const char *at, const char *end);

/* Behind the comment or declaration that begins at `at`: "<!-- -->", "<!...>", "<?...>"; NULL: it is not one, or does not end. */
const char *tag_skip_comment(const char *at, const char *end);

/* Where the closing tag of that name begins; NULL: there is none. */
const char *tag_find_closing(const char *name, const char *at, const char *end);

#endif
