/* os_alarm.c - timerfd. */
#define _GNU_SOURCE
#include <sys/timerfd.h>

#include "base/os.h"

int tn_os_alarm_new(void)
{
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

/* Setting it takes back an alarm that rang. */
void tn_os_alarm_set(int fd, int ms)
{
    struct itimerspec when = { .it_value = { 0 } };

    if (ms > 0)
        when.it_value = (struct timespec){ .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };
    if (ms == 0)
        when.it_value.tv_nsec = 1; /* at once; 0 would mean never */
    timerfd_settime(fd, 0, &when, NULL);
}
