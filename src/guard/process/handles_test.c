/* handles_test.c - no handle is left open, also where the kernel's own call is refused. */
#define _GNU_SOURCE
#include "guard/process/handles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define FIRST   20
#define HIGH    500
#define SKIPPED 77

/* A kernel, or a sandbox, without close_range. */
static bool refuse_close_range(void)
{
#ifdef SYS_close_range
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof steps / sizeof *steps, steps };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 &&
           syscall(SYS_close_range, ~0u, ~0u, 0u) != 0 && errno == ENOSYS;
#else
    return true;
#endif
}

/* In a process of its own: 0 when exactly those from FIRST on were closed. */
static int close_and_look(bool refused)
{
    int zero = open("/dev/zero", O_RDONLY);

    if (refused && !refuse_close_range())
        return SKIPPED;
    if (dup2(zero, FIRST - 1) < 0)
        return 2;
    for (int fd = FIRST; fd < HIGH; fd += fd < FIRST + 100 ? 1 : 50)
        if (dup2(zero, fd) < 0)
            return 3;
    tn_handles_close_from(FIRST);
    if (fcntl(FIRST - 1, F_GETFD) < 0)
        return 4;
    for (int fd = FIRST; fd < 2 * HIGH; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return 5;
    return 0;
}

static void all_are_closed(void **state)
{
    (void)state;
    for (int refused = 0; refused < 2; refused++) {
        pid_t child = fork();
        int   status;

        assert_true(child >= 0);
        if (child == 0)
            _exit(close_and_look(refused));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == SKIPPED)
            skip(); /* where processes cannot be given a filter */
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_are_closed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
