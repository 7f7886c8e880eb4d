/* redirect.c - the end of a login in the browser: a redirect to a port of this machine, which is open for it alone.
 *
 * Every program on this machine can connect, so every answer must bring the state; those that do not are refused, and the
 * right one is still waited for. A browser may open connections that it does not use: several are read at once.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "login/inside.h"
#include "login/words.h"

#define WAIT_MIN     5
#define WAIT_MS      (WAIT_MIN * 60 * 1000)
#define VISITORS_MAX 8
#define HEAD_MAX     ((size_t)16 << 10)
#define STRANGERS_MAX 200
#define PATH         "/callback"

struct visitor {
    int    fd; /* -1 when there is none */
    size_t len;
    char   head[HEAD_MAX];
};

bool redirect_open(struct login *login, int port, struct redirect *redirect)
{
    struct sockaddr_in at  = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    socklen_t          len = sizeof at;
    struct tn_buf      address;
    int                yes = 1;

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *redirect = (struct redirect){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) };
    if (redirect->fd >= 0) /* also on a port of any: it is asked for again when the login is repeated */
        setsockopt(redirect->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (redirect->fd < 0 || bind(redirect->fd, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(redirect->fd, VISITORS_MAX) != 0 ||
        getsockname(redirect->fd, (struct sockaddr *)&at, &len) != 0) {
        login_fail(login, SAY_LISTEN, strerror(errno));
        redirect_close(redirect);
        return false;
    }
    tn_buf_init(&address, &login->arena, 64, 64);
    tn_buf_addf(&address, "http://127.0.0.1:%d" PATH, (int)ntohs(at.sin_port));
    redirect->address = tn_buf_end(&address);
    if (redirect->address)
        return true;
    redirect_close(redirect);
    return login_fail(login, SAY_MEMORY);
}

void redirect_close(struct redirect *redirect)
{
    if (redirect->fd >= 0)
        close(redirect->fd);
    redirect->fd = -1;
}

/* ---- Who comes ------------------------------------------------------------------------------------------------- */

static void redirect_answer(struct visitor *visitor, const char *status, const char *text)
{
    char page[512];
    int  len = snprintf(
         page, sizeof page,
         "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
          "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n%s",
         status, strlen(text), text);

    if (len > 0 && send(visitor->fd, page, (size_t)len, MSG_NOSIGNAL) == len)
        shutdown(visitor->fd, SHUT_WR);
    close(visitor->fd);
    sodium_memzero(visitor->head, visitor->len);
    *visitor = (struct visitor){ .fd = -1 };
}

/* The query of "GET /callback?QUERY HTTP/1.1", in the arena; NULL when it is another request. */
static const char *query_of(struct login *login, const struct visitor *visitor)
{
    static const char front[] = "GET " PATH "?";
    struct tn_slice   line    = { visitor->head, strcspn(visitor->head, "\r\n") };
    const char       *end;

    if (line.len < sizeof front || memcmp(line.at, front, sizeof front - 1) != 0)
        return NULL;
    line = (struct tn_slice){ line.at + sizeof front - 1, line.len - sizeof front + 1 };
    end  = memchr(line.at, ' ', line.len);
    return end ? tn_arena_copy(&login->arena, line.at, (size_t)(end - line.at)) : NULL;
}

/* The query of a request that is ours. All else is answered, and forgotten. */
static const char *redirect_judge(struct login *login, struct visitor *visitor, const char *state)
{
    const char *query = query_of(login, visitor);
    const char *given = query ? query_text(&login->arena, query, "state") : NULL;

    if (!query) {
        redirect_answer(visitor, "404 Not Found", "There is nothing here.\n");
        return NULL;
    }
    if (!given || strlen(given) != strlen(state) || sodium_memcmp(given, state, strlen(state)) != 0) {
        redirect_answer(visitor, "400 Bad Request", "This does not belong to the pending login.\n");
        return NULL;
    }
    redirect_answer(visitor, "200 OK", "tenon has received the answer. You can close this page.\n");
    return query;
}

/* Reads what came; true when the head is complete. */
static bool read_more(struct visitor *visitor)
{
    ssize_t got = recv(visitor->fd, visitor->head + visitor->len, HEAD_MAX - 1 - visitor->len, 0);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got > 0) {
        visitor->len += (size_t)got;
        visitor->head[visitor->len] = '\0';
        if (strstr(visitor->head, "\r\n\r\n"))
            return true;
        if (visitor->len < HEAD_MAX - 1)
            return false;
    }
    close(visitor->fd);
    *visitor = (struct visitor){ .fd = -1 };
    return false;
}

/* A new one takes a free place, or that of the one who has been there longest. */
static void let_in(const struct redirect *redirect, struct visitor *visitors, unsigned *turn)
{
    int fd = accept4(redirect->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    int at = 0;

    if (fd < 0)
        return;
    while (at < VISITORS_MAX && visitors[at].fd >= 0)
        at++;
    if (at == VISITORS_MAX) {
        at = (int)((*turn)++ % VISITORS_MAX);
        close(visitors[at].fd);
    }
    visitors[at] = (struct visitor){ .fd = fd };
}

/* One look at all of them: the query that is ours, or NULL. */
static const char *redirect_look(struct login *login, const struct redirect *redirect,
                                 struct visitor *visitors, int left_ms, const char *state, int *strangers,
                                 unsigned *turn)
{
    struct pollfd ends[VISITORS_MAX + 1] = { { .fd = redirect->fd, .events = POLLIN } };

    for (int i = 0; i < VISITORS_MAX; i++)
        ends[i + 1] = (struct pollfd){ .fd = visitors[i].fd, .events = POLLIN };
    if (poll(ends, VISITORS_MAX + 1, left_ms) <= 0)
        return NULL;
    for (int i = 0; i < VISITORS_MAX; i++) {
        const char *query;

        if (!ends[i + 1].revents || !read_more(&visitors[i]))
            continue;
        query = redirect_judge(login, &visitors[i], state);
        if (query)
            return query;
        ++*strangers;
    }
    if (ends[0].revents)
        let_in(redirect, visitors, turn);
    return NULL;
}

const char *redirect_wait(struct login *login, const struct redirect *redirect, const char *state)
{
    struct visitor *visitors  = tn_arena_array(&login->arena, VISITORS_MAX, struct visitor);
    struct tn_clock clock     = tn_clock_system();
    int64_t         end       = clock.now_ms(clock.user) + WAIT_MS, now;
    const char     *query     = NULL;
    int             strangers = 0;
    unsigned        turn      = 0;

    for (int i = 0; visitors && i < VISITORS_MAX; i++)
        visitors[i].fd = -1;
    while (visitors && !query && strangers < STRANGERS_MAX && (now = clock.now_ms(clock.user)) < end)
        query = redirect_look(login, redirect, visitors, (int)(end - now), state, &strangers, &turn);
    for (int i = 0; visitors && i < VISITORS_MAX; i++)
        if (visitors[i].fd >= 0)
            close(visitors[i].fd);
    if (!visitors)
        login_fail(login, SAY_MEMORY);
    else if (!query && strangers >= STRANGERS_MAX)
        login_fail(login, SAY_STATE);
    else if (!query)
        login_fail(login, SAY_WAIT, WAIT_MIN);
    return query;
}
