/* http_test.c - what is a request and what is refused, however its bytes arrive. */
#define _GNU_SOURCE
#include "net/http/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/http_rig.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Small, so that the table can go beyond them. */
static const struct tn_http_limits limits = { .head_bytes = 512, .headers = 10, .body_bytes = 64 };

#define H   "Host: h\r\n"
#define TEN "a:1\r\nb:2\r\nc:3\r\nd:4\r\ne:5\r\nf:6\r\ng:7\r\nh:8\r\ni:9\r\n"
#define X64 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X512 X64 X64 X64 X64 X64 X64 X64 X64

static const struct { const char *what, *bytes, *want, *has; } cases[] = {
    { "a GET", "GET /echo HTTP/1.1\r\n" H "\r\n", "200 open", "1|/echo||h|" },
    { "a query", "GET /echo?a=b?c HTTP/1.1\r\n" H "\r\n", "200 open", "1|/echo|a=b?c|h|" },
    { "a POST", "POST /echo HTTP/1.1\r\n" H "Content-Length: 4\r\n\r\nbody", "200 open", "2|/echo||h|body" },
    { "no body", "POST /echo HTTP/1.1\r\n" H "\r\n", "200 open", "2|/echo||h|" },
    { "a body of nothing", "POST /echo HTTP/1.1\r\n" H "Content-Length: 0\r\n\r\n", "200 open", NULL },
    { "DELETE", "DELETE /echo HTTP/1.1\r\n" H "\r\n", "200 open", "3|/echo" },
    { "OPTIONS", "OPTIONS * HTTP/1.1\r\n" H "\r\n", "200 open", "5|*" },
    { "another method", "PATCH /echo HTTP/1.1\r\n" H "\r\n", "200 open", "0|/echo" },
    { "an asterisk for GET", "GET * HTTP/1.1\r\n" H "\r\n", "400 closed", NULL },
    { "nothing there", "GET /x HTTP/1.1\r\n" H "\r\n", "404 open", NULL },
    { "no content", "GET /none HTTP/1.1\r\n" H "\r\n", "204 open", NULL },
    { "empty lines before", "\r\n\r\nGET /echo HTTP/1.1\r\n" H "\r\n", "200 open", NULL },
    { "blanks around a value", "GET /echo HTTP/1.1\r\nHost: \t h \t\r\n\r\n", "200 open", "|h|" },
    { "an empty value", "GET /echo HTTP/1.1\r\nA:\r\n" H "\r\n", "200 open", NULL },

    { "no such fields", "GET /fields HTTP/1.1\r\n" H "\r\n", "200 open", "0:|0:|0" },
    { "a known field", "GET /fields HTTP/1.1\r\n" H "MCP-Protocol-Version: 1 2 \r\n\r\n", "200 open", "1:1 2|0:|0" },
    { "in other letters", "GET /fields HTTP/1.1\r\nhOST: h\r\nmcp-PROTOCOL-version:3\r\n\r\n", "200 open", "1:3|0:|0" },
    { "and empty", "GET /fields HTTP/1.1\r\n" H "mcp-protocol-version:\r\norigin:x\r\n\r\n", "200 open", "1:|0:|1" },
    { "more than once", "GET /fields HTTP/1.1\r\nMcp-Protocol-Version: 1\r\n" H "mcp-protocol-version: 2\r\n\r\n", "200 open", "2:1|0:|0" },
    { "a name of the same length", "GET /fields HTTP/1.1\r\n" H "mcp-protocol_version: 1\r\nExpest: x\r\n\r\n", "200 open", "0:|0:|0" },
    { "a field of any name", "GET /fields HTTP/1.1\r\nx-other: a\r\n" H "X-OTHER: b\r\nX-Other2: c\r\n\r\n", "200 open", "0:|2:a|0" },

    { "chunks", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n", "200 open", "|body" },
    { "one chunk", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: Chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", "200 open", "|body" },
    { "no chunks", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "200 open", NULL },
    { "extensions of chunks", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n4;a=b\r\nbody\r\n0;c\r\n\r\n", "200 open", "|body" },
    { "trailers", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nHost: other\r\nB: c\r\n\r\n", "200 open", "|h|body" },
    { "trailers without end", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: " X512 X512 X512, "400 closed", NULL },
    { "an extension without end", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n1;a=" X512 X512 X512, "400 closed", NULL },
    { "chunks over the limit", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n40\r\n" X64 "\r\n1\r\nx\r\n0\r\n\r\n", "413 closed", NULL },
    { "chunks at the limit", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n3f\r\nx" X64 "\r\n", "400 closed", NULL },
    { "a bad size of a chunk", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\nx\r\n", "400 closed", NULL },
    { "a negative size", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n-1\r\n", "400 closed", NULL },
    { "a size out of all bounds", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "400 closed", NULL },
    { "a chunk without its end", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", "400 closed", NULL },
    { "a chunk that ends in LF", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n1\nx\r\n", "400 closed", NULL },

    { "two lengths", "POST /echo HTTP/1.1\r\n" H "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy", "400 closed", NULL },
    { "two equal lengths", "POST /echo HTTP/1.1\r\n" H "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", "400 closed", NULL },
    { "a list of lengths", "POST /echo HTTP/1.1\r\n" H "Content-Length: 1, 1\r\n\r\nx", "400 closed", NULL },
    { "a length and chunks", "POST /echo HTTP/1.1\r\n" H "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 closed", NULL },
    { "chunks and a length", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", "400 closed", NULL },
    { "a signed length", "POST /echo HTTP/1.1\r\n" H "Content-Length: +1\r\n\r\nx", "400 closed", NULL },
    { "a hexadecimal length", "POST /echo HTTP/1.1\r\n" H "Content-Length: 0x1\r\n\r\nx", "400 closed", NULL },
    { "an empty length", "POST /echo HTTP/1.1\r\n" H "Content-Length: \r\n\r\n", "400 closed", NULL },
    { "a length of 20 digits", "POST /echo HTTP/1.1\r\n" H "Content-Length: 99999999999999999999\r\n\r\n", "400 closed", NULL },
    { "a length over the limit", "POST /echo HTTP/1.1\r\n" H "Content-Length: 65\r\n\r\n", "413 closed", NULL },
    { "a length at the limit", "POST /echo HTTP/1.1\r\n" H "Content-Length: 64\r\n\r\n" X64, "200 open", "|" X64 },
    { "another coding", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: gzip\r\n\r\n", "501 closed", NULL },
    { "a coding before chunked", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501 closed", NULL },
    { "a coding behind chunked", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked, gzip\r\n\r\n", "400 closed", NULL },
    { "chunked twice", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 closed", NULL },
    { "almost chunked", "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: xchunked\r\n\r\n", "501 closed", NULL },
    { "chunks in HTTP/1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 closed", NULL },
    { "a folded line", "GET /echo HTTP/1.1\r\n" H "A: b\r\n c\r\n\r\n", "400 closed", NULL },
    { "a folded line with a tab", "GET /echo HTTP/1.1\r\n" H "A: b\r\n\tc\r\n\r\n", "400 closed", NULL },
    { "a folded first line", "GET /echo HTTP/1.1\r\n Host: h\r\n\r\n", "400 closed", NULL },
    { "a blank before the colon", "GET /echo HTTP/1.1\r\nHost : h\r\n\r\n", "400 closed", NULL },
    { "no name", "GET /echo HTTP/1.1\r\n" H ": b\r\n\r\n", "400 closed", NULL },
    { "no colon", "GET /echo HTTP/1.1\r\n" H "abc\r\n\r\n", "400 closed", NULL },
    { "lines that end in LF", "GET /echo HTTP/1.1\nHost: h\n\n", "400 closed", NULL },
    { "one line that ends in LF", "GET /echo HTTP/1.1\r\nHost: h\nA: b\r\n\r\n", "400 closed", NULL },
    { "one line that ends in CR", "GET /echo HTTP/1.1\r\nHost: h\rA: b\r\n\r\n", "400 closed", NULL },
    { "a control in a value", "GET /echo HTTP/1.1\r\n" H "A: \x01\r\n\r\n", "400 closed", NULL },
    { "a control in a target", "GET /ec\x01ho HTTP/1.1\r\n" H "\r\n", "400 closed", NULL },

    { "no Host", "GET /echo HTTP/1.1\r\n\r\n", "400 closed", NULL },
    { "two Hosts", "GET /echo HTTP/1.1\r\n" H H "\r\n", "400 closed", NULL },
    { "an empty Host", "GET /echo HTTP/1.1\r\nHost:\r\n\r\n", "200 open", "1|/echo|||" },
    { "a Host with a path", "GET /echo HTTP/1.1\r\nHost: h/x\r\n\r\n", "400 closed", NULL },
    { "a Host with a user", "GET /echo HTTP/1.1\r\nHost: u@h\r\n\r\n", "400 closed", NULL },
    { "two names in Host", "GET /echo HTTP/1.1\r\nHost: a, b\r\n\r\n", "400 closed", NULL },
    { "an address as Host", "GET /echo HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "200 open", "|[::1]:80|" },
    { "an absolute target", "GET http://a:1/echo?q HTTP/1.1\r\nHost: b\r\n\r\n", "200 open", "1|/echo|q|a:1|" },
    { "an absolute target of another scheme", "GET HTTPS://a/echo HTTP/1.1\r\nHost: b\r\n\r\n", "200 open", "|a|" },
    { "an absolute target without a path", "GET http://a HTTP/1.1\r\nHost: b\r\n\r\n", "200 open", "1|/||a|" },
    { "an absolute target with only a query", "GET http://a?q HTTP/1.1\r\nHost: b\r\n\r\n", "200 open", "1|/|q|a|" },
    { "an absolute target without Host", "GET http://a/echo HTTP/1.1\r\n\r\n", "400 closed", NULL },
    { "an absolute target with a user", "GET http://u@a/echo HTTP/1.1\r\nHost: b\r\n\r\n", "400 closed", NULL },
    { "an absolute target without a host", "GET http:///echo HTTP/1.1\r\nHost: b\r\n\r\n", "400 closed", NULL },
    { "a target of a strange scheme", "GET ftp://a/echo HTTP/1.1\r\nHost: b\r\n\r\n", "400 closed", NULL },
    { "a fragment", "GET /echo#x HTTP/1.1\r\n" H "\r\n", "400 closed", NULL },
    { "no target", "GET HTTP/1.1\r\n" H "\r\n", "400 closed", NULL },
    { "CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "501 closed", NULL },
    { "an upgrade", "GET /echo HTTP/1.1\r\n" H "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /x HTTP/1.1\r\n" H "\r\n", "200 404 open", NULL },
    { "an upgrade with a body", "POST /echo HTTP/1.1\r\n" H "Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 1\r\n\r\nxGET /x HTTP/1.1\r\n" H "\r\n", "200 404 open", "|x" },
    { "an unknown method", "BREW /echo HTTP/1.1\r\n" H "\r\n", "501 closed", NULL },
    { "a small method", "get /echo HTTP/1.1\r\n" H "\r\n", "400 closed", NULL },
    { "TLS", "\x16\x03\x01\x02", "400 closed", NULL },
    { "HTTP/2 with foresight", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 closed", NULL },
    { "HTTP/2", "GET /echo HTTP/2.0\r\n" H "\r\n", "505 closed", NULL },
    { "HTTP/1.2", "GET /echo HTTP/1.2\r\n" H "\r\n", "505 closed", NULL },
    { "HTTP/0.9", "GET /echo HTTP/0.9\r\n\r\n", "505 closed", NULL },

    { "HTTP/1.0", "GET /echo HTTP/1.0\r\n\r\n", "200 closed", "Connection: close" },
    { "HTTP/1.0 kept", "GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /x HTTP/1.0\r\n\r\n", "200 404 closed", "Connection: keep-alive" },
    { "HTTP/1.1 closed", "GET /echo HTTP/1.1\r\n" H "Connection: close\r\n\r\n", "200 closed", "Connection: close" },
    { "bytes behind the close", "GET /echo HTTP/1.1\r\n" H "Connection: close\r\n\r\nGET /x HTTP/1.1\r\n" H "\r\n", "200 closed", NULL },
    { "two requests", "GET /echo HTTP/1.1\r\n" H "\r\nGET /x HTTP/1.1\r\n" H "\r\n", "200 404 open", NULL },
    { "three, the last is bad", "POST /echo HTTP/1.1\r\n" H "Content-Length: 1\r\n\r\nxGET /x HTTP/1.1\r\n" H "\r\n\x01", "200 404 400 closed", "|x" },

    { "what to expect", "POST /echo HTTP/1.1\r\n" H "Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "100 200 open", "|x" },
    { "nothing to go on with", "POST /echo HTTP/1.1\r\n" H "Expect: 100-continue\r\n\r\n", "200 open", NULL },
    { "too much to expect", "POST /echo HTTP/1.1\r\n" H "Expect: more\r\nContent-Length: 1\r\n\r\nx", "417 closed", NULL },
    { "an expectation of old", "POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "200 closed", NULL },
    { "a refusal", "GET /refused HTTP/1.1\r\n" H "\r\nGET /echo HTTP/1.1\r\n" H "\r\n", "401 200 open", "WWW-Authenticate: Bearer\r\n" },
    { "a refusal with a body", "POST /refused HTTP/1.1\r\n" H "Content-Length: 4\r\n\r\nbody", "401 closed", "who are you?" },
    { "a refusal with chunks", "POST /refused HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "401 closed", NULL },
    { "a refusal of what is expected", "POST /refused HTTP/1.1\r\n" H "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n", "401 closed", NULL },
    { "a refusal without words", "GET /silent HTTP/1.1\r\n" H "\r\n", "500 open", NULL },

    { "ten fields", "GET /echo HTTP/1.1\r\n" H TEN "\r\n", "200 open", NULL },
    { "eleven fields", "GET /echo HTTP/1.1\r\n" H TEN "k:0\r\n\r\n", "431 closed", NULL },
    { "a long value", "GET /echo HTTP/1.1\r\n" H "A: " X512, "431 closed", NULL },
    { "a long name", "GET /echo HTTP/1.1\r\n" H X512, "431 closed", NULL },
    { "a long target", "GET /" X512, "431 closed", NULL },
    { "blanks without end", "GET /echo HTTP/1.1\r\nHost:                                                               "
      "                                                                                                             "
      "                                                                                                             "
      "                                                                                                             "
      "                                                                                                             "
      "                                                                                                       ", "431 closed", NULL },
};

/* In pieces of the given lengths; 0 for all of the rest. */
static void try_in_pieces(struct rig *rig, size_t which, size_t first, size_t then)
{
    const char *at  = cases[which].bytes;
    size_t      len = strlen(at), piece = first;
    struct peer client;

    peer_open(&client, rig);
    while (len > 0) {
        size_t some = piece == 0 || piece > len ? len : piece;

        peer_send(&client, at, some);
        rig_pump(rig);
        at += some;
        len -= some;
        piece = then;
    }
    peer_expect(&client, cases[which].want);
    for (int i = 0; i < 3; i++)
        rig_pump(rig);
    assert_string_equal(peer_summary(&client), cases[which].want);
    if (cases[which].has && !peer_has(&client, cases[which].has))
        fail_msg("%s: no \"%s\" in %s", cases[which].what, cases[which].has, client.in);
    peer_close(&client);
}

static void takes_and_refuses(void **state)
{
    static struct rig rig;

    (void)state;
    rig_start(&rig, &limits);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        try_in_pieces(&rig, i, 0, 0);
        try_in_pieces(&rig, i, 1, 1);
        try_in_pieces(&rig, i, 7, 3);
    }
    rig_stop(&rig);
}

static void does_so_however_it_is_cut(void **state)
{
    static struct rig rig;

    (void)state;
    rig_start(&rig, &limits);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t cut = 1; cut < strlen(cases[i].bytes) && cut < 200; cut++)
            try_in_pieces(&rig, i, cut, 0);
    rig_stop(&rig);
}

/* Heads that outgrow the block they begin in, by their bytes or by the number of their fields. */
static void keeps_long_heads(void **state)
{
    static const struct tn_http_limits ample    = { .headers = 1000 };
    static const size_t                pieces[] = { 0, 1, 997, 3700 };
    static const struct {
        const char *field;
        int         count;
    } heads[] = { { "a:1\r\n", 900 }, { "Field: " X64 "\r\n", 150 } };
    static struct rig rig;
    static char       text[16 << 10];
    struct peer       client;

    (void)state;
    rig_start(&rig, &ample);
    for (size_t i = 0; i < COUNT_OF(heads) * COUNT_OF(pieces); i++) {
        size_t piece = pieces[i / COUNT_OF(heads)], len = 0;

        len += (size_t)sprintf(text, "GET /fields HTTP/1.1\r\nMCP-Protocol-Version: first\r\n" H);
        for (int n = 0; n < heads[i % COUNT_OF(heads)].count; n++)
            len += (size_t)sprintf(text + len, "%s", heads[i % COUNT_OF(heads)].field);
        len += (size_t)sprintf(text + len, "X-Other: last\r\n\r\n");
        peer_open(&client, &rig);
        for (size_t at = 0; at < len; at += piece ? piece : len) {
            peer_send(&client, text + at, piece && piece < len - at ? piece : len - at);
            rig_pump(&rig);
        }
        peer_expect(&client, "200 open");
        assert_true(peer_has(&client, "1:first|1:last|0"));
        peer_close(&client);
    }
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_and_refuses),
        cmocka_unit_test(does_so_however_it_is_cut),
        cmocka_unit_test(keeps_long_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
