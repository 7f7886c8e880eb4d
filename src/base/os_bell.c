/* os_bell.c - eventfd. */
#define _GNU_SOURCE
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/os.h"

struct tn_bell tn_os_bell_new(void)
{
    return (struct tn_bell){ eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
}

void tn_os_bell_free(struct tn_bell *bell)
{
    if (bell->fd >= 0)
        close(bell->fd);
    bell->fd = -1;
}

void tn_os_bell_ring(const struct tn_bell *bell)
{
    eventfd_write(bell->fd, 1);
}

void tn_os_bell_silence(const struct tn_bell *bell)
{
    eventfd_t rings;

    eventfd_read(bell->fd, &rings);
}
