/* schema_fuzz.c - a schema and a value: compiling and judging end, both ways of judging agree, everything that can be
 * said of it is sound text.
 *
 * The input is a byte of options, the schema, a NUL, and the value. The dialect is in the options too, for schemas that do
 * not say theirs. */
#include <stdlib.h>
#include <string.h>

#include <tenon/schema.h>

#include "judging.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char   *text = (const char *)data + 1, *end;
    tenon_schema *schema;
    unsigned      options;

    if (len < 2)
        return 0;
    options = data[0];
    end     = memchr(text, '\0', len - 1);
    if (!end)
        return 0;
    schema = tenon_schema_new(text, (size_t)(end - text), .format_assertion = (options & 1) != 0,
                              .draft_07 = (options & 2) != 0, .dialect = (tenon_dialect)(options >> 3 & 7),
                              .uri = options & 4 ? "https://example.org/root" : NULL);
    must(schema != NULL);
    if (tenon_schema_error(schema))
        must_be_text(tenon_schema_error(schema));
    judge(schema, end + 1, len - 2 - (size_t)(end - text));
    tenon_schema_free(schema);
    return 0;
}
