/* claim.c - reserves the standard streams for the protocol. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"
#include "net/stdio/stdio.h"

/* A description of our own, where the system gives one: being made non-blocking then does not show in other processes
 * that have the same pipe or terminal. Sockets cannot be opened again, and files need not be. */
static int copy_privately(int fd, int access)
{
    struct stat about;
    int         copy = -1;

    if (fstat(fd, &about) != 0)
        return -1;
    if (S_ISFIFO(about.st_mode) || isatty(fd))
        copy = tn_os_reopen(fd, access | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    return copy >= 0 ? copy : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

const char tn_stdio_no_gap_filler[] = "/dev/null cannot be opened, and a server does not start without it";

bool tn_stdio_fill_gaps(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

static bool lead_to_nothing(int fd)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int result  = nothing < 0 ? -1 : dup2(nothing, fd);

    if (nothing >= 0)
        close(nothing);
    return result >= 0;
}

tenon_status tn_stdio_claim(int *in, int *out)
{
    *in = *out = -1;
    if (tn_stdio_fill_gaps() && (*in = copy_privately(STDIN_FILENO, O_RDONLY)) >= 0 &&
        (*out = copy_privately(STDOUT_FILENO, O_WRONLY)) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
        lead_to_nothing(STDIN_FILENO)) {
        fflush(stdout); /* what was printed before is no message either */
        return TENON_OK;
    }
    if (*in >= 0)
        close(*in);
    if (*out >= 0)
        close(*out);
    return TENON_E_IO;
}
