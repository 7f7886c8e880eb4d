/* protocol.c - a table of messages. */
#include "contract/fuzz/protocol.h"

#define R(id, rest) "{\"jsonrpc\":\"2.0\",\"id\":" id "," rest "}"
#define PING        "\"method\":\"$PROBE\",\"params\":{\"_meta\":$META}"
#define BATCH       R("\"fuzz-a\"", PING) "," R("\"fuzz-b\"", PING)

/* clang-format off */
const struct tn_protocol_fault tn_protocol_faults[] = {
    { "an id that is a text",          R("\"fuzz\"", PING), 0, "\"fuzz\"" },
    { "an id that is an empty text",   R("\"\"", PING), 0, "\"\"" },
    { "an id that is negative",        R("-5", PING), 0, "-5" },
    { "an id beyond 53 bits",          R("9007199254740993", PING), 0, NULL },
    { "an id with a fraction",         R("1.5", PING), 0, NULL },
    { "an id that is null",            R("null", PING), 0, NULL },
    { "an id that is an object",       R("{\"a\":[]}", PING), 0, NULL },
    { "an id twice",                   R("\"fuzz\",\"id\":\"other\"", PING), 0, NULL },
    { "a method that is not known",    R("\"fuzz\"", "\"method\":\"no/such/method\",\"params\":{\"_meta\":$META}"), 0, "\"fuzz\"" },
    { "a method that is a number",     R("\"fuzz\"", "\"method\":7"), 0, NULL },
    { "a request without a method",    R("\"fuzz\"", "\"params\":{}"), 0, NULL },
    { "params that are an array",      R("\"fuzz\"", "\"method\":\"tools/list\",\"params\":[1]"), 0, NULL },
    { "params that are a text",        R("\"fuzz\"", "\"method\":\"tools/list\",\"params\":\"text\""), 0, NULL },
    { "a message without a version",   "{\"id\":\"fuzz\"," PING "}", 0, NULL },
    { "another version of JSON-RPC",   "{\"jsonrpc\":\"1.0\",\"id\":\"fuzz\"," PING "}", 0, NULL },
    { "a tool that does not exist",    R("\"fuzz\"", "\"method\":\"tools/call\",\"params\":{\"name\":\"no such tool\",\"arguments\":{},\"_meta\":$META}"), 0, "\"fuzz\"" },
    { "a call without a tool",         R("\"fuzz\"", "\"method\":\"tools/call\",\"params\":{\"_meta\":$META}"), 0, NULL },
    { "a cursor that was never given", R("\"fuzz\"", "\"method\":\"tools/list\",\"params\":{\"cursor\":\"no such cursor\",\"_meta\":$META}"), 0, NULL },
    { "a batch",                       "[" BATCH "]", 0, NULL },
    { "an empty batch",                "[]", 0, NULL },
    { "a batch in a batch",            "[[" BATCH "],7]", 0, NULL },
    { "half a line",                   "{\"jsonrpc\":\"2.0\",\"id\":\"fuzz\",\"meth", 0, NULL },
    { "a line after half a line",      "{\"jsonrpc\":\"2.0\",\"id\":\"fuzz\",\"method\":\"$PROBE\",\"para\n" R("\"fuzz\"", PING), 0, NULL },
    { "a line with two messages",      R("\"fuzz-a\"", PING) R("\"fuzz-b\"", PING), 0, NULL },
    { "a text that is not JSON",       "hello", 0, NULL },
    { "a message that is a number",    "5", 0, NULL },
    { "a message that is null",        "null", 0, NULL },
    { "an empty line",                 "\n", 0, NULL },
    { "bytes that are not UTF-8",      "{\"jsonrpc\":\"2.0\",\"id\":\"\xFF\xFE\",\"method\":\"$PROBE\"}", 0, NULL },
    { "a NUL in a line",               "{\"jsonrpc\":\"2.0\"\0,\"id\":9}", sizeof "{\"jsonrpc\":\"2.0\"\0,\"id\":9}" - 1, NULL },
    { "a notification that is not known", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/no/such\",\"params\":{\"_meta\":$META}}", 0, NULL },
    { "an answer to no question",      "{\"jsonrpc\":\"2.0\",\"id\":424242,\"result\":{}}", 0, NULL },
    { "an error for no question",      "{\"jsonrpc\":\"2.0\",\"id\":\"no\",\"error\":{\"code\":-1,\"message\":\"no\"}}", 0, NULL },
    { "the end of no request",         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":424242,\"_meta\":$META}}", 0, NULL },
    { "the end of a request without id", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{\"a\":1}}}", 0, NULL },
    { "progress that was not asked for", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":7,\"progress\":\"x\"}}", 0, NULL },
    { NULL, NULL, 0, NULL },
};
/* clang-format on */

/* Is the word next in the message? Then it is passed over. */
static bool takes(const char **at, const char *end, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(end - *at) < len || memcmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

void tn_protocol_write(struct tn_buf *out, const struct tn_protocol_fault *fault, const char *probe,
                       const char *meta)
{
    const char *at = fault->message, *end = at + (fault->len > 0 ? fault->len : strlen(at));

    while (at < end) {
        if (takes(&at, end, "$PROBE"))
            tn_buf_text(out, probe);
        else if (takes(&at, end, "$META"))
            tn_buf_text(out, meta);
        else
            tn_buf_char(out, *at++);
    }
}
