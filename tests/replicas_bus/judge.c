/* judge.c - one process of those that share a database: renews itself, and prints each message of the others on a line of its own,
 * until its input ends. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "kit/share.h"

static void print(void *user, const char *text)
{
    (void)user;
    puts(text);
}

static bool is_over(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

    return poll(&input, 1, 0) != 0;
}

int main(int argc, char **argv)
{
    const struct sql_options options = { .checks = false };
    struct share            *share   = argc == 3 ? share_new(argv[1], "judge", &options, 3000) : NULL;
    const tenon_share_store *store   = share ? share_store(share) : NULL;
    const char              *mistake = store ? store->begin(store->user) : "not enough memory";
    bool                     missed  = false;

    if (mistake) {
        fprintf(stderr, "%s\n", mistake);
        return 1;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    while (!is_over()) {
        store->renew(store->user, argv[2], 0);
        if (store->listen(store->user, argv[2], print, NULL, &missed) == TENON_SHARE_DOWN)
            puts("down");
        if (missed)
            puts("missed");
        missed = false;
    }
    store->leave(store->user, argv[2], 0);
    share_free(share);
    return 0;
}
