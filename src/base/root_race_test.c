/* root_race_test.c - no rename while a root opens leads outside it, through the kernel's openat2 or the walk. */
#define _GNU_SOURCE
#include "base/root.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/openat2.h"
#include "support/root_tree.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define OPENS           20000

struct swapper {
    const char  *from, *to; /* which change places, in the temporary directory `dir` */
    int          dir;
    atomic_bool  stop;
    atomic_ulong swaps;
};

static bool swap(struct swapper *swapper)
{
    return __real_syscall(SYS_renameat2, swapper->dir, swapper->from, swapper->dir, swapper->to,
                          RENAME_EXCHANGE) == 0;
}

static void *swap_until_stopped(void *user)
{
    struct swapper *swapper = user;

    while (!atomic_load(&swapper->stop)) {
        atomic_fetch_add(&swapper->swaps, swap(swapper));
        sched_yield(); /* valgrind runs one thread at a time, and would go on with this one */
    }
    return NULL;
}

/* A directory and a link that leads out, and a directory inside and one outside, change places all the time. */
static void no_rename_in_between_leads_outside(void **state)
{
    static const struct {
        const char *from, *to, *path;
        unsigned    how;
    } table[] = {
        { "docs/swap", "docs/swap-link", "swap/secret.txt", TENON_READ },
        { "docs/swap", "docs/swap-link", "swap/new.txt", TENON_WRITE | TENON_CREATE },
        { "docs/swap", "docs/swap-link", "a/../swap/../swap/secret.txt", TENON_READ },
        { "docs/a/b", "outside", "a/b/../../../outside/secret.txt", TENON_READ },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(table); i++)
        for (enum root_way way = KERNEL; way < WAYS; way++) {
            struct root_tree tree;
            struct swapper   swapper = { .from = table[i].from, .to = table[i].to };
            unsigned long    opened = 0, denied = 0;
            pthread_t        thread;

            root_tree_set_up(&tree, way);
            swapper.dir = open(tree.base, O_RDONLY | O_DIRECTORY);
            assert_true(swap(&swapper) && swap(&swapper)); /* or nothing would change below */
            assert_int_equal(pthread_create(&thread, NULL, swap_until_stopped, &swapper), 0);
            for (int n = 0; n < OPENS; n++) {
                int fd;

                if (tenon_root_open(tree.root, table[i].path, table[i].how, &fd) != TENON_OK) {
                    denied++;
                    continue;
                }
                opened++;
                if (table[i].how == TENON_READ)
                    assert_string_equal(root_tree_text(fd), "inside");
                close(fd);
            }
            atomic_store(&swapper.stop, true);
            pthread_join(thread, NULL);
            close(swapper.dir);
            print_message("%-30s opened %lu, denied %lu, swapped %lu\n", table[i].path, opened, denied,
                          atomic_load(&swapper.swaps));
            assert_int_not_equal(access(root_tree_join(&tree, "outside/new.txt"), F_OK), 0);
            root_tree_tear_down(&tree);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rename_in_between_leads_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
