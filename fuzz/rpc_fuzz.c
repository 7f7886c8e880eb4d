/* rpc_fuzz.c - lines of anything, sent to a server with one of everything: whatever comes back is one line of JSON, and the id
 * of a response is one that was sent, or there is none.
 *
 * The first byte chooses how the client begins: with nothing, or after a handshake of one of the legacy revisions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include <tenon/server.h>

#include "mcp/core.h"
#include "support/offered.h"

#define KNOWN_MAX ((size_t)1 << 20)
#define BOOT      "0000000000000000" /* of the server, so that an input can answer its questions */

/* Ids that were sent, as JSON, one a line; and the line that is being answered, when it is no JSON. */
static char        known[KNOWN_MAX];
static size_t      known_len;
static const char *unread;
static size_t      unread_len;

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void know_id(yyjson_val *message)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(message);
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&members))) {
        size_t len  = 0;
        char  *text = yyjson_equals_str(key, "id") ? yyjson_val_write(yyjson_obj_iter_get_val(key), 0, &len)
                                                   : NULL;

        if (text && known_len + len + 1 < KNOWN_MAX) {
            memcpy(known + known_len, text, len);
            known_len += len;
            known[known_len++] = '\n';
        }
        free(text);
    }
}

/* What the ids of answers to this line may be. */
static void know(const char *line, size_t len)
{
    yyjson_doc *doc  = yyjson_read(line, len, YYJSON_READ_BIGNUM_AS_RAW | YYJSON_READ_ALLOW_INVALID_UNICODE);
    yyjson_val *root = yyjson_doc_get_root(doc), *item;
    yyjson_arr_iter items;

    unread     = doc ? NULL : line;
    unread_len = len;
    know_id(root);
    yyjson_arr_iter_init(root, &items);
    while ((item = yyjson_arr_iter_next(&items)))
        know_id(item);
    yyjson_doc_free(doc);
}

static bool is_known(const char *id, size_t len)
{
    for (const char *at = known, *end = known + known_len; at < end;) {
        size_t line_len = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at);

        if (line_len == len && memcmp(at, id, len) == 0)
            return true;
        at += line_len + 1;
    }
    return false;
}

/* In a line that is no JSON the id stands as it is, unless it is written with escapes. */
static bool stands_unread(const char *id, size_t len)
{
    if (!unread)
        return false;
    if (memchr(unread, '\\', unread_len))
        return true;
    for (size_t i = 0; i + len <= unread_len; i++)
        if (memcmp(unread + i, id, len) == 0)
            return true;
    return false;
}

static void check_response(yyjson_val *message)
{
    yyjson_val *id = yyjson_obj_get(message, "id");
    size_t      len;
    char       *text;

    if (yyjson_obj_get(message, "method"))
        return; /* a question of the server's, or a notification */
    if (!id) {
        must(yyjson_obj_get(message, "error") != NULL);
        return;
    }
    text = yyjson_val_write(id, 0, &len);
    must(text && (is_known(text, len) || stands_unread(text, len)));
    free(text);
}

static void sink(void *user, const char *json, size_t len)
{
    yyjson_doc     *doc  = yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW);
    yyjson_val     *root = yyjson_doc_get_root(doc), *item;
    yyjson_arr_iter items;

    (void)user;
    must(doc && !memchr(json, '\n', len));
    yyjson_arr_iter_init(root, &items);
    while ((item = yyjson_arr_iter_next(&items)))
        check_response(item);
    if (yyjson_is_obj(root))
        check_response(root);
    yyjson_doc_free(doc);
}

/* Copied, so that reading behind its end is seen. */
static void send_line(tenon_link *link, const char *at, size_t len)
{
    char *copy = malloc(len ? len : 1);

    must(copy != NULL);
    memcpy(copy, at, len);
    know(copy, len);
    tenon_link_send(link, copy, len);
    unread = NULL;
    free(copy);
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
    send_line(link, line, (size_t)len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tenon_server *server;
    const char          *at = (const char *)data, *end = at + size;
    tenon_link          *link;

    if (!server)
        server = offered_server(NULL);
    memcpy(server->boot, BOOT, sizeof BOOT);
    atomic_store(&server->asked, 0);
    known_len = 0;
    link      = tenon_link_new(server, sink, NULL);
    if (!link)
        abort();
    if (at < end)
        begin(link, (unsigned char)*at++);
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t      len      = (size_t)((line_end ? line_end : end) - at);

        send_line(link, at, len);
        at += len + 1;
    }
    tenon_link_free(link);
    return 0;
}
