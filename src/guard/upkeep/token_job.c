/* token_job.c - tokens that take time: a program that prints one, a login that is renewed. Each in a thread that ends with it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/upkeep/credential.h"
#ifdef TENON_CURL
#include "login/login.h"
#endif

#define COMMAND_MS 30000 /* for a program to print its token */
#define FETCH_MS   10000 /* for each answer that a login needs */

extern char **environ;

struct tn_token_job {
    atomic_int           holders; /* the one that began it, and the thread */
    atomic_bool          done;
    int                  fd; /* its own, of the same event */
    tenon_allocator      memory;
    struct tn_arena      arena; /* of the wish */
    struct tn_token_wish wish;
    bool                 good;
    char                 token[TOKEN_LEN_MAX + 1];
    char                 why[TRANSPORT_WHY_MAX];
};

static void job_release(struct tn_token_job *job)
{
    tenon_allocator memory = job->memory;

    if (atomic_fetch_sub(&job->holders, 1) > 1)
        return;
    close(job->fd);
    tn_arena_rest(&job->arena, 0);
    tn_arena_free(&job->arena);
    tn_memory_scrub(job, sizeof *job);
    tn_memory_free(&memory, job, sizeof *job);
}

/* ---- A program ---------------------------------------------------------------------------------------------------- */

static int64_t job_now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

/* Starts it with an empty input; its errors are the guard's. False when it cannot be, with errno. */
static bool start_program(const char *const *words, int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          how;
    sigset_t                   none;
    int                        error = posix_spawn_file_actions_init(&actions);

    if (error == 0 && (error = posix_spawnattr_init(&how)) != 0)
        posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        errno = error;
        return false;
    }
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(child, words[0], &actions, &how, (char *const *)(uintptr_t)words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error == 0;
}

/* All that it prints, until it closes its output or its time is over. False when it is too much, or too late. */
static bool read_output(struct tn_token_job *job, int fd, size_t *len)
{
    int64_t until = job_now_ms() + COMMAND_MS;

    for (*len = 0; *len <= TOKEN_LEN_MAX;) {
        struct pollfd wait = { .fd = fd, .events = POLLIN };
        int64_t       left = until - job_now_ms();
        ssize_t       got;

        if (left <= 0 || poll(&wait, 1, (int)left) == 0)
            return false;
        got = read(fd, job->token + *len, sizeof job->token - *len);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        *len += got > 0 ? (size_t)got : 0;
    }
    return false;
}

static int end_program(pid_t child, bool kills)
{
    int status = 0;

    if (kills)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* The token is one word of ASCII: nothing that would end a header. */
static bool trim_token(char *token, size_t len)
{
    struct tn_slice word = tn_slice_trim((struct tn_slice){ token, len });

    memmove(token, word.at, word.len);
    token[word.len] = '\0';
    for (size_t i = 0; i < word.len; i++)
        if (token[i] <= ' ' || token[i] > '~')
            return false;
    return word.len > 0;
}

static void run_program(struct tn_token_job *job)
{
    int    ends[2], status;
    size_t len = 0;
    pid_t  child;
    bool   whole;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(job->why, sizeof job->why, SAY_TOKEN_COMMAND, strerror(errno));
        return;
    }
    if (!start_program(job->wish.words, ends[1], &child)) {
        snprintf(job->why, sizeof job->why, SAY_TOKEN_COMMAND, strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return;
    }
    close(ends[1]);
    whole  = read_output(job, ends[0], &len);
    status = end_program(child, !whole);
    close(ends[0]);
    if (whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 && trim_token(job->token, len))
        job->good = true;
    else
        snprintf(job->why, sizeof job->why, SAY_TOKEN_COMMAND,
                 !whole ? "it prints no token in time" : "it fails, or prints no token");
}

/* ---- A login ------------------------------------------------------------------------------------------------------ */

#ifdef TENON_CURL
static void renew_login(struct tn_token_job *job)
{
    const struct tn_credential_challenge *asked     = &job->wish.challenge;
    const struct login_challenge          challenge = {
                 .status = asked->status, .header = asked->header, .peer = asked->peer, .nonce = asked->nonce
    };
    struct login_options options = { .server = job->wish.url,
                                     .folder = login_folder(&job->arena),
                                     .reach  = job->wish.private_ ? LOGIN_REACH_PRIVATE : LOGIN_REACH_PUBLIC,
                                     .timeout_ms = FETCH_MS };
    struct login        *login   = login_new(&options);
    const char          *kept    = login ? login_authorization(login) : NULL;

    if (kept && strcmp(kept, asked->shown) != 0)
        job->good = true; /* a person has logged in meanwhile, or another guard has renewed it */
    else
        job->good = login && login_answer(login, &challenge, job->why);
    kept = job->good ? login_authorization(login) : NULL;
    if (kept && strlen(kept) <= TOKEN_LEN_MAX)
        memcpy(job->token, kept, strlen(kept) + 1);
    login_free(login);
}
#else
static void renew_login(struct tn_token_job *job)
{
    (void)job;
}
#endif

/* ---- The thread --------------------------------------------------------------------------------------------------- */

static void *job_run(void *user)
{
    struct tn_token_job *job  = user;
    const uint64_t       done = 1;

    if (job->wish.words)
        run_program(job);
    else
        renew_login(job);
    atomic_store(&job->done, true);
    while (write(job->fd, &done, sizeof done) < 0 && errno == EINTR)
        continue;
    job_release(job);
    return NULL;
}

static const char *job_copy(struct tn_token_job *job, const char *text)
{
    return tn_arena_copy(&job->arena, text ? text : "", text ? strlen(text) : 0);
}

/* Signals of the process are for its other threads. */
static bool job_start(struct tn_token_job *job)
{
    pthread_attr_t how;
    pthread_t      thread;
    sigset_t       all, before;
    bool           started;

    if (pthread_attr_init(&how) != 0)
        return false;
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    atomic_store(&job->holders, 2);
    started = pthread_create(&thread, &how, job_run, job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
    return started;
}

struct tn_token_job *tn_token_job_begin(const struct tn_token_wish *wish, int fd)
{
    tenon_allocator      memory = tn_memory_of(NULL);
    struct tn_token_job *job    = tn_memory_new(&memory, sizeof *job);

    if (!job)
        return NULL;
    memset(job, 0, sizeof *job);
    job->memory = memory;
    job->wish   = *wish;
    tn_arena_init(&job->arena, &job->memory, 0);
    atomic_init(&job->holders, 1);
    job->wish.url              = job_copy(job, wish->url);
    job->wish.challenge.header = job_copy(job, wish->challenge.header);
    job->wish.challenge.peer   = job_copy(job, wish->challenge.peer);
    job->wish.challenge.nonce  = job_copy(job, wish->challenge.nonce);
    job->wish.challenge.shown  = job_copy(job, wish->challenge.shown);
    job->fd                    = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (job->fd >= 0 && !job->arena.failed && job_start(job))
        return job;
    atomic_store(&job->holders, 1);
    job_release(job);
    return NULL;
}

bool tn_token_job_is_done(const struct tn_token_job *job)
{
    return atomic_load(&job->done);
}

const char *tn_token_job_token(const struct tn_token_job *job)
{
    return job->good ? job->token : NULL;
}

const char *tn_token_job_why(const struct tn_token_job *job)
{
    return job->why;
}

void tn_token_job_forget(struct tn_token_job *job)
{
    if (job)
        job_release(job);
}
