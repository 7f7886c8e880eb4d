/* rpc_fuzz.c - lines of anything, sent to a server with one of everything: whatever comes back is one line of JSON, and
 * at most one response for each id is on its way.
 *
 * The first byte chooses how the client begins: with nothing, or after a handshake of one of the legacy revisions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include <tenon/server.h>

#include "support/offered.h"

static void sink(void *user, const char *json, size_t len)
{
    yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW);

    (void)user;
    if (!doc || memchr(json, '\n', len))
        abort();
    yyjson_doc_free(doc);
}

static void begin(tenon_link *link, unsigned char how)
{
    static const char *const versions[] = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25" };
    char                     line[256];
    int                      len;

    if (how % 5 == 4)
        return;
    len = snprintf(
        line, sizeof line,
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
        "\"capabilities\":{\"elicitation\":{},\"sampling\":{},\"roots\":{}}}}",
        versions[how % 5]);
    tenon_link_send(link, line, (size_t)len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tenon_server *server;
    const char          *at = (const char *)data, *end = at + size;
    tenon_link          *link;

    if (!server)
        server = offered_server(NULL);
    link = tenon_link_new(server, sink, NULL);
    if (!link)
        abort();
    if (at < end)
        begin(link, (unsigned char)*at++);
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t      len      = (size_t)((line_end ? line_end : end) - at);

        tenon_link_send(link, at, len);
        at += len + 1;
    }
    tenon_link_free(link);
    return 0;
}
