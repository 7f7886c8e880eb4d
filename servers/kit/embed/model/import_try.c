/* import_try.c - a model's first run, in a child that can do little harm: limits of processor time, memory and files. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/embed/http.h"
#include "kit/embed/model/import_parts.h"
#include "kit/embed/model/known.h"

#define TRY_CPU_S     60
#define TRY_WALL_S    120
#define TRY_BYTES     ((rlim_t)2 << 30) /* address space besides what the model needs */
#define TRY_PER_BYTE  6                 /* copies that the runtime makes of a model while it opens it */

/* What the child sends: a vector, or why there is none. */
struct tried {
    size_t dimensions; /* 0: `mistake` */
    char   mistake[ENCODER_MISTAKE];
    float  vector[EMBED_DIMENSIONS_MAX];
};

static void set_limits(size_t model_len)
{
    rlim_t bytes = TRY_BYTES + (rlim_t)model_len * TRY_PER_BYTE;

    setrlimit(RLIMIT_CPU, &(struct rlimit){ TRY_CPU_S, TRY_CPU_S });
    setrlimit(RLIMIT_AS, &(struct rlimit){ bytes, bytes });
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 });
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    signal(SIGALRM, SIG_DFL);
    alarm(TRY_WALL_S);
}

_Noreturn static void run_child(const struct model_source *source, int out)
{
    static struct tried tried; /* large */
    struct loaded_model loaded;
    const char         *at   = (const char *)&tried;
    size_t              left = sizeof tried;

    set_limits(source->model_len);
    if (loaded_model_open(&loaded, source, tried.mistake) &&
        loaded_model_run(&loaded, "", KNOWN_SENTENCE, tried.vector, tried.mistake))
        tried.dimensions = loaded.module->dimensions(loaded.encoder);
    while (left > 0) {
        ssize_t sent = write(out, at, left);

        if (sent <= 0)
            break;
        at += sent;
        left -= (size_t)sent;
    }
    _exit(0); /* nothing of the parent's is flushed or freed twice */
}

static bool receive(int in, struct tried *tried)
{
    char  *at   = (char *)tried;
    size_t left = sizeof *tried;

    while (left > 0) {
        ssize_t got = read(in, at, left);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        left -= (size_t)got;
    }
    tried->mistake[sizeof tried->mistake - 1] = '\0';
    return true;
}

static bool fail_child(int status, char **mistake)
{
    if (WIFSIGNALED(status) &&
        (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGALRM))
        return embed_mistake(
            mistake,
            "The model was not imported: its test took more than %d s of the processor, or too much memory.",
            TRY_CPU_S);
    return embed_mistake(mistake, "The model was not imported: its test ended with %s %d.",
                         WIFSIGNALED(status) ? "signal" : "status",
                         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

bool model_try(const struct model_source *source, float *vector, size_t *dimensions, char **mistake)
{
    static struct tried tried;
    int                 ends[2], status = 0;
    pid_t               child;
    bool                received;

    if (pipe(ends) != 0)
        return embed_mistake(mistake, "The model cannot be tested: %s.", strerror(errno));
    fflush(NULL);
    child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(source, ends[1]);
    }
    close(ends[1]);
    received = child > 0 && receive(ends[0], &tried);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        return embed_mistake(mistake, "The model cannot be tested: %s.", strerror(errno));
    if (!received)
        return fail_child(status, mistake);
    if (tried.dimensions < EMBED_DIMENSIONS_MIN || tried.dimensions > EMBED_DIMENSIONS_MAX)
        return embed_mistake(mistake, "The model was not imported. %s", tried.mistake);
    *dimensions = tried.dimensions;
    memcpy(vector, tried.vector, tried.dimensions * sizeof *vector);
    return true;
}
