/* front_yaml.h - the YAML of front matter as JSON, and where in it one key of the top level stands. */
#ifndef DOCS_MARKDOWN_FRONT_YAML_H
#define DOCS_MARKDOWN_FRONT_YAML_H

#include "kit/text.h"

#define YAML_KEYS_MAX 1000 /* of one map */

struct yaml_mistake {
    size_t line;      /* from 1, within the YAML; CRLF, LF and CR each end one */
    char   text[160]; /* what is wrong; "" when there was no memory */
};

/* Where a key of the top level stands: bytes of the YAML, and its value in the JSON. */
struct yaml_place {
    const char *key;
    bool        found;
    size_t      key_end, begin, end;
    size_t      json_begin, json_end;
    bool        has_root, flow; /* of the whole map: { } or lines */
    size_t      root;           /* where it begins */
    size_t      last;           /* where its last value ends */
};

/* False and `mistake` for what is no map, or anything that front.h refuses. `place` may be NULL; else its key is set. */
bool yaml_read(const char *at, size_t len, struct text *json, struct yaml_place *place,
               struct yaml_mistake *mistake);

/* Would these bytes, without quotes, be read as text? */
bool yaml_plain_is_text(const char *at, size_t len);

#endif
