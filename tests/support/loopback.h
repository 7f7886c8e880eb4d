/* loopback.h - for tests of whole servers: a client over HTTP that calls tools without arguments. */
#ifndef SUPPORT_LOOPBACK_H
#define SUPPORT_LOOPBACK_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline int loopback_connect(const char *url)
{
    struct sockaddr_in to = { .sin_family = AF_INET };
    unsigned           port;
    int                fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(sscanf(url, "http://127.0.0.1:%u/mcp", &port), 1);
    to.sin_port        = htons((uint16_t)port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Sends the call and does not wait. */
static inline void loopback_send(int fd, const char *tool)
{
    char body[1024], request[2048];
    int  len = snprintf(
         body, sizeof body,
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"_meta\":{"
          "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
         tool);

    len = snprintf(request, sizeof request,
                   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\n"
                   "Content-Length: %d\r\n\r\n%s",
                   tool, len, body);
    assert_int_equal(write(fd, request, (size_t)len), len);
}

/* Reads one answer, head and body, which has a Content-Length and is no error of HTTP. */
static inline void loopback_read(int fd, char *text, size_t room)
{
    size_t len = 0, want = SIZE_MAX;

    while (len < want) {
        ssize_t got = read(fd, text + len, room - 1 - len);
        char   *body;

        assert_true(got > 0);
        len += (size_t)got;
        text[len] = '\0';
        body      = strstr(text, "\r\n\r\n");
        if (body && want == SIZE_MAX)
            want = (size_t)(body + 4 - text) + strtoul(strcasestr(text, "content-length:") + 15, NULL, 10);
    }
    if (strncmp(text, "HTTP/1.1 200", 12) != 0)
        fail_msg("%s", text);
}

#endif
