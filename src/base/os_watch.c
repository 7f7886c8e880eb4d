/* os_watch.c - epoll, whose set of descriptors is itself one that a program's loop can wait for. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/os.h"

bool tn_watch_init(struct tn_watch *watch)
{
    watch->fd = epoll_create1(EPOLL_CLOEXEC);
    return watch->fd >= 0;
}

void tn_watch_free(struct tn_watch *watch)
{
    if (watch->fd >= 0)
        close(watch->fd);
    watch->fd = -1;
}

bool tn_watch_set(struct tn_watch *watch, int fd, unsigned what)
{
    struct epoll_event event = { .data.fd = fd };

    if (what & WATCH_READ)
        event.events |= EPOLLIN;
    if (what & WATCH_WRITE)
        event.events |= EPOLLOUT;
    if (what == 0)
        return epoll_ctl(watch->fd, EPOLL_CTL_DEL, fd, &event) == 0;
    if (epoll_ctl(watch->fd, EPOLL_CTL_MOD, fd, &event) == 0)
        return true;
    return errno == ENOENT && epoll_ctl(watch->fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

size_t tn_watch_wait(struct tn_watch *watch, struct tn_ready ready[WATCH_READY_MAX], int timeout_ms)
{
    struct epoll_event events[WATCH_READY_MAX];
    int                count = epoll_wait(watch->fd, events, WATCH_READY_MAX, timeout_ms);

    for (int i = 0; i < count; i++) {
        ready[i].fd   = events[i].data.fd;
        ready[i].what = (events[i].events & ~(unsigned)EPOLLOUT ? WATCH_READ : 0u) |
                        (events[i].events & ~(unsigned)EPOLLIN ? WATCH_WRITE : 0u);
    }
    return count > 0 ? (size_t)count : 0;
}
