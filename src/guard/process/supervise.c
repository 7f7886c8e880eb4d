/* supervise.c - runs one command for the guard, and ends it with all that it started.
 *
 *     running  --the guard ends it, or is gone, or a signal-->  leaving  --2 s-->  asked  --1 s-->  killed
 *        `---------------the command has exited-------------------`------------------^
 *
 * The guard has the other end of the command's input and closes it, dead or alive, which is how a server
 * learns that it is to leave. In a session of its own nothing of a terminal reaches the supervisor, and
 * being a subreaper it becomes the parent of every process below it that loses its own, so that there is
 * none that it cannot find. It holds no end of the command's pipes itself: the guard sees them close when
 * the command does.
 */
#define _GNU_SOURCE
#include "guard/process/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "guard/process/control.h"
#include "guard/process/execute.h"
#include "guard/process/group.h"
#include "guard/process/handles.h"
#include "guard/process/tree.h"

#define ASK_PAUSE_MS     50    /* between two looks for processes that were left to us */
#define KILL_PAUSE_MS    10    /* the same when they are killed */
#define KILL_PATIENCE_MS 10000 /* what is not dead then hangs in the kernel, or multiplies as fast as it dies */
#define KILL_SLOW_MS     1000  /* and is killed as often as this */

enum stage { STAGE_RUNNING, STAGE_LEAVING, STAGE_ASKED, STAGE_KILLED };

struct supervisor {
    int             control;  /* or -1 */
    int             signals;  /* a handle that reads them */
    int             starting; /* from which the new process's failure, or its success, is read; or -1 */
    bool            failed;   /* the program never ran */
    bool            reported; /* its end */
    enum stage      stage;
    int64_t         until_ms; /* of the stage */
    struct tn_tree  tree;
    struct tn_group group;
};

static int64_t now_ms(void)
{
    return tn_clock_now_us() / 1000;
}

/* ---- Reports ------------------------------------------------------------------------------------------- */

/* A guard that does not read, or is gone, is not waited for. */
static void send_report(const struct supervisor *supervisor, struct tn_report report)
{
    if (supervisor->control >= 0)
        send(supervisor->control, &report, sizeof report, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void send_failure(struct supervisor *supervisor, struct tn_start_failure failure)
{
    supervisor->failed = true;
    send_report(supervisor,
                (struct tn_report){ .kind = REPORT_FAILED, .step = failure.step, .error = failure.error });
}

/* The other end of `starting` is closed by the program's beginning, or brings what prevented it. */
static void read_start(struct supervisor *supervisor)
{
    struct tn_start_failure failure;
    ssize_t                 got;

    if (supervisor->starting < 0)
        return;
    got = read(supervisor->starting, &failure, sizeof failure);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    close(supervisor->starting);
    supervisor->starting = -1;
    if (got == sizeof failure)
        send_failure(supervisor, failure);
    else
        send_report(supervisor,
                    (struct tn_report){ .kind = REPORT_RUNNING, .process = supervisor->tree.first });
}

static void report_end(struct supervisor *supervisor)
{
    if (!supervisor->tree.ended || supervisor->reported)
        return;
    supervisor->reported = true;
    if (!supervisor->failed)
        send_report(supervisor, (struct tn_report){ .kind   = REPORT_EXITED,
                                                    .code   = supervisor->tree.code,
                                                    .signal = supervisor->tree.signal });
}

/* ---- Stages -------------------------------------------------------------------------------------------- */

static void enter(struct supervisor *supervisor, enum stage stage, int lasts_ms)
{
    if (supervisor->stage >= stage)
        return;
    supervisor->stage    = stage;
    supervisor->until_ms = now_ms() + lasts_ms;
}

static void leave(struct supervisor *supervisor)
{
    enter(supervisor, STAGE_LEAVING, SUPERVISE_LEAVE_MS);
}

/* One step of the present stage; false when no process is left. */
static bool step(struct supervisor *supervisor)
{
    struct tn_tree *tree = &supervisor->tree;
    bool            late = now_ms() >= supervisor->until_ms;

    read_start(supervisor);
    tn_tree_reap(tree);
    report_end(supervisor);
    if (supervisor->stage == STAGE_ASKED && late)
        enter(supervisor, STAGE_KILLED, KILL_PATIENCE_MS);
    else if (tree->ended || (supervisor->stage == STAGE_LEAVING && late))
        enter(supervisor, STAGE_ASKED, SUPERVISE_TERM_MS); /* once */
    if (supervisor->stage < STAGE_ASKED)
        return true;
    if (supervisor->stage == STAGE_ASKED)
        tn_tree_ask(tree);
    else {
        tn_group_kill(&supervisor->group);
        tn_tree_kill(tree);
    }
    return !tn_tree_is_empty(tree);
}

static int pause_of(const struct supervisor *supervisor)
{
    int64_t left = supervisor->until_ms - now_ms();

    switch (supervisor->stage) {
    case STAGE_RUNNING: return -1;
    case STAGE_LEAVING: return left > 0 ? (int)left : 0;
    case STAGE_ASKED: return ASK_PAUSE_MS;
    case STAGE_KILLED: return left > 0 ? KILL_PAUSE_MS : KILL_SLOW_MS;
    }
    return -1;
}

/* ---- What comes ---------------------------------------------------------------------------------------- */

static void read_signals(struct supervisor *supervisor)
{
    struct signalfd_siginfo about;

    while (read(supervisor->signals, &about, sizeof about) == sizeof about)
        if (about.ssi_signo != SIGCHLD)
            leave(supervisor);
}

static void read_control(struct supervisor *supervisor)
{
    char    byte;
    ssize_t got = recv(supervisor->control, &byte, 1, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got == 1 && byte != CONTROL_END)
        return;
    if (got <= 0) {
        close(supervisor->control);
        supervisor->control = -1;
    }
    leave(supervisor);
}

static void watch(struct supervisor *supervisor)
{
    while (step(supervisor)) {
        struct pollfd ready[] = { { .fd = supervisor->signals, .events = POLLIN },
                                  { .fd = supervisor->control, .events = POLLIN },
                                  { .fd = supervisor->starting, .events = POLLIN } };

        if (poll(ready, sizeof ready / sizeof *ready, pause_of(supervisor)) < 0 && errno != EINTR)
            leave(supervisor);
        read_signals(supervisor);
        if (supervisor->control >= 0 && ready[1].revents)
            read_control(supervisor);
    }
}

/* ---- The beginning ------------------------------------------------------------------------------------- */

/* Faults of our own keep their effect; everything else waits to be read, or for ever. */
static int open_signals(void)
{
    static const int ends[]   = { SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT };
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
    sigset_t         all, read;

    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    sigemptyset(&read);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        signal(ends[i],
               SIG_DFL); /* one that is ignored is never read, and ignored children leave no status */
        sigaddset(&read, ends[i]);
    }
    sigprocmask(SIG_SETMASK, &all, NULL);
    return signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* A session that is ours already, which uv_spawn() may have made, is as good. */
static bool protect(void)
{
    static const struct rlimit none = { 0, 0 };

    return (setsid() >= 0 || getsid(0) == getpid()) && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && setrlimit(RLIMIT_CORE, &none) == 0;
}

/* In the new process. It must not outlive a supervisor that is killed. */
static void become(const struct tn_order *order, const struct tn_group *group, pid_t parent, int starting)
{
    struct tn_start_failure failure;

    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(1);
    tn_group_join(group);
    failure = tn_execute(order);
    while (write(starting, &failure, sizeof failure) < 0 && errno == EINTR)
        continue;
    _exit(1);
}

static bool start(struct supervisor *supervisor, const struct tn_order *order)
{
    pid_t self       = getpid(), child;
    int   outcome[2] = { -1, -1 };

    supervisor->signals = open_signals();
    tn_group_make(&supervisor->group, self);
    if (supervisor->signals < 0 || pipe2(outcome, O_CLOEXEC | O_NONBLOCK) != 0 || (child = fork()) < 0) {
        send_failure(supervisor, (struct tn_start_failure){ START_FORK, errno });
        return false;
    }
    if (child == 0)
        become(order, &supervisor->group, self, outcome[1]);
    close(outcome[1]);
    supervisor->starting = outcome[0];
    tn_tree_init(&supervisor->tree, child);
    tn_group_sweep(&supervisor->group);
    return true;
}

/* Lets go of the command's pipes, and of the folder that it was started in. */
static void let_go(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (nothing < 0 || dup2(nothing, fd) < 0)
            close(fd);
    if (nothing > STDERR_FILENO)
        close(nothing);
    if (chdir("/") != 0)
        return; /* it stays where it is */
}

static bool is_socket(int fd)
{
    struct stat about;

    return fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode);
}

bool tn_supervise(void)
{
    struct supervisor supervisor = {
        .control = CONTROL_HANDLE, .signals = -1, .starting = -1, .group = { .above = -1, .folder = -1 }
    };
    struct tn_order order;
    struct tn_arena arena;

    if (!is_socket(CONTROL_HANDLE))
        return false;
    fcntl(CONTROL_HANDLE, F_SETFD, FD_CLOEXEC);
    tn_handles_close_from(CONTROL_HANDLE + 1);
    tn_arena_init(&arena, NULL, 0);
    if (!protect())
        send_failure(&supervisor, (struct tn_start_failure){ START_PROTECT, errno });
    else if (tn_order_read(CONTROL_HANDLE, &arena, &order) && start(&supervisor, &order)) {
        let_go();
        tn_arena_rest(&arena, 0); /* secrets are in it */
        watch(&supervisor);
    }
    tn_group_sweep(&supervisor.group); /* once more: of a busy machine something may have been left */
    tn_group_remove(&supervisor.group);
    tn_arena_free(&arena);
    send_report(&supervisor, (struct tn_report){ .kind = REPORT_DONE });
    return true;
}
