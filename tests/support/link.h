/* link.h - for tests of the protocol: a client in memory, of both eras, and looking into what it gets. */
#ifndef SUPPORT_LINK_H
#define SUPPORT_LINK_H

#include "support/answer.h"

#include <stdlib.h>

#define LINK_TEXT_MAX ((size_t)256 << 10)

enum link_era { MODERN, LEGACY };

struct client {
    tenon_link *link;
    const char *can;  /* the inside of its capabilities, in modern requests; NULL for none */
    char       *last; /* the last message */
    size_t      count;
};

static inline void client_keep(void *user, const char *json, size_t len)
{
    struct client *client = user;

    assert_true(len < LINK_TEXT_MAX);
    memcpy(client->last, json, len);
    client->last[len] = '\0';
    client->count++;
}

static inline struct client *client_new(tenon_server *server)
{
    struct client *client = calloc(1, sizeof *client);

    client->last = malloc(LINK_TEXT_MAX);
    client->link = tenon_link_new(server, client_keep, client);
    if (!client->link)
        fail_msg("%s", tenon_server_error(server));
    return client;
}

static inline void client_free(struct client *client)
{
    tenon_link_free(client->link);
    free(client->last);
    free(client);
}

/* Asks, with the inside of `params`, and reads the answer; free it with yyjson_doc_free(). */
static inline yyjson_doc *client_ask(struct client *client, enum link_era era, const char *method,
                                     const char *params)
{
    size_t      room = strlen(params) + 1024;
    char       *text = malloc(room), meta[512] = "";
    yyjson_doc *doc;
    int         len;

    if (era == MODERN)
        snprintf(meta, sizeof meta,
                 "%s\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                 "\"io.modelcontextprotocol/clientCapabilities\":{%s}}",
                 *params ? "," : "", client->can ? client->can : "");
    client->last[0] = '\0';
    len = snprintf(text, room, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{%s%s}}", method,
                   params, meta);
    tenon_link_send(client->link, text, (size_t)len);
    free(text);
    doc = yyjson_read(client->last, strlen(client->last), 0);
    if (!doc)
        fail_msg("%s: not JSON: %s", method, client->last);
    if (!yyjson_is_null(yyjson_doc_ptr_get(doc, "/id")) &&
        yyjson_doc_ptr_get(doc, "/id")) /* none without memory */
        assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/id")), 7);
    return doc;
}

static inline void client_initialize(struct client *client, const char *version)
{
    static const char done[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    char              params[200];

    snprintf(
        params, sizeof params,
        "\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}",
        version);
    yyjson_doc_free(client_ask(client, LEGACY, "initialize", params));
    tenon_link_send(client->link, done, sizeof done - 1);
}

/* The part of the answer that a JSON Pointer leads to is `want`, written as compact JSON; "" when there is none. */
static inline void client_expect(struct client *client, enum link_era era, const char *method,
                                 const char *params, const char *pointer, const char *want)
{
    yyjson_doc *doc  = client_ask(client, era, method, params);
    yyjson_val *part = yyjson_doc_ptr_get(doc, pointer);
    char       *got  = part ? yyjson_val_write(part, 0, NULL) : NULL;

    if (strcmp(got ? got : "", want) != 0)
        fail_msg("%s {%s}\n  %s is   %s\n  and not %s\n  in %s", method, params, pointer,
                 got ? got : "missing", want, client->last);
    free(got);
    yyjson_doc_free(doc);
}

#endif
