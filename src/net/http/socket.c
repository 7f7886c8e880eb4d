/* socket.c - the address that a server listens on. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http/conn.h"

#define HOST_MAX 256  /* of a name or an address, with the NUL */
#define BACKLOG  4096 /* the system has a smaller maximum of its own */

static int fail(struct tn_loop *loop, const char *host, const char *port, const char *why, const char **error)
{
    bool numeric6 = strchr(host, ':') && host[0] != '[';

    snprintf(loop->error, sizeof loop->error, "cannot listen on %s%.100s%s:%.20s: %.100s",
             numeric6 ? "[" : "", host, numeric6 ? "]" : "", port, why);
    *error = loop->error;
    return -1;
}

static int open_one(const struct addrinfo *address, bool shared)
{
    int on = 1, fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    int flags, problem;

    if (fd < 0)
        return -1;
    flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        (!shared || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) &&
        bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    problem = errno;
    close(fd);
    errno = problem;
    return -1;
}

static unsigned port_of(int fd)
{
    union {
        struct sockaddr     any;
        struct sockaddr_in  four;
        struct sockaddr_in6 six;
    } address     = { .six = { 0 } };
    socklen_t len = sizeof address;

    if (getsockname(fd, &address.any, &len) != 0)
        return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.six.sin6_port : address.four.sin_port);
}

/* Without the brackets of "[::1]". */
static bool copy_host(char name[HOST_MAX], const char *host)
{
    size_t len = strlen(host);

    if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    }
    if (len >= HOST_MAX)
        return false;
    memcpy(name, host, len);
    name[len] = '\0';
    return true;
}

static tenon_status socket_status_of(int problem)
{
    switch (problem) {
    case EACCES:
    case EPERM: return TENON_E_DENIED;
    case EADDRINUSE: return TENON_E_EXISTS;
    case EADDRNOTAVAIL: return TENON_E_NOT_FOUND;
    default: return TENON_E_IO;
    }
}

int tn_http_socket(struct tn_loop *loop, const char *host, const char *port, bool shared, unsigned *bound,
                   tenon_status *status, const char **error)
{
    const struct addrinfo wanted = { .ai_flags    = AI_PASSIVE | AI_NUMERICSERV,
                                     .ai_family   = AF_UNSPEC,
                                     .ai_socktype = SOCK_STREAM };
    struct addrinfo      *found  = NULL;
    char                  name[HOST_MAX];
    int                   fd = -1, problem;

    *status = TENON_E_NOT_FOUND;
    if (!copy_host(name, host))
        return fail(loop, host, port, "the name is too long", error);
    problem = getaddrinfo(name[0] ? name : NULL, port, &wanted, &found);
    if (problem != 0)
        return fail(loop, host, port, gai_strerror(problem), error);
    for (const struct addrinfo *one = found; one && fd < 0; one = one->ai_next)
        fd = open_one(one, shared);
    problem = errno;
    freeaddrinfo(found);
    if (fd < 0) {
        *status = socket_status_of(problem);
        return fail(loop, host, port, strerror(problem), error);
    }
    *status = TENON_OK;
    *bound  = port_of(fd);
    return fd;
}
