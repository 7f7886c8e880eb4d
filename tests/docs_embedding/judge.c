/* judge.c - the provider over HTTP, driven line by line, in a world whose time passes only when it is told to.
 *
 *     docs_embedding_judge PROVIDER URL [MODEL [KEY_FILE [DIMENSIONS [WHOLE_MS]]]]     "-" leaves one out
 *
 *     embed N       N texts, "text 0" and on            later MS     time passes
 *     say TEXT      one text                            cancel N     as embed, until the next line comes
 *     many N        N threads with a text each
 *
 * Each line is answered by one of JSON; the first is about the beginning.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/embed/http.h"

#define COUNT_MAX 100

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t         now  = 1000000;
static char            waits[1000]; /* since the last answer, in ms */

static int64_t read_clock(void *user)
{
    int64_t read;

    (void)user;
    pthread_mutex_lock(&lock);
    read = now;
    pthread_mutex_unlock(&lock);
    return read;
}

static bool pass_time(void *user, int64_t ms, const tenon_call *call)
{
    size_t len;

    (void)user;
    pthread_mutex_lock(&lock);
    now += ms;
    len = strlen(waits);
    snprintf(waits + len, sizeof waits - len, "%s%lld", len ? "," : "", (long long)ms);
    pthread_mutex_unlock(&lock);
    return !call || !tenon_is_cancelled(call);
}

static unsigned no_chance(void *user)
{
    (void)user;
    return 0;
}

struct job {
    struct embedder     *embedder;
    const tenon_call    *call;
    enum embed_role      role;
    size_t               count;
    const char          *text; /* or numbered ones */
    float               *out;
    enum embed_status    status;
    struct embed_failure failure;
};

static void *work(void *user)
{
    struct job *job = user;
    char        numbered[COUNT_MAX][32];
    const char *texts[COUNT_MAX];

    for (size_t i = 0; i < job->count; i++) {
        snprintf(numbered[i], sizeof numbered[i], "text %zu", i);
        texts[i] = job->text ? job->text : numbered[i];
    }
    job->status = job->embedder->embed(job->embedder, job->call, job->role, texts, job->count, job->out,
                                       &job->failure);
    return NULL;
}

static float *new_vectors(const struct embedder *embedder)
{
    float *out = calloc(COUNT_MAX * embedder->dimensions, sizeof *out);

    if (!out)
        exit(1);
    return out;
}

static const char *const statuses[] = { "ok", "unavailable", "refused", "loading", "cancelled", "no memory" };

/* The first two numbers of each vector are enough to see which one it is. */
static void answer(const struct job *job)
{
    printf("{\"status\":\"%s\",\"circuit\":\"%s\",\"after\":%d,\"why\":\"%s\",\"waits\":[%s],\"vectors\":[",
           statuses[job->status], job->failure.circuit ? job->failure.circuit : "", job->failure.retry_after,
           job->failure.text, waits);
    for (size_t i = 0; job->status == EMBED_OK && i < job->count; i++) {
        const float *vector = job->out + i * job->embedder->dimensions;
        double       square = 0;

        for (size_t k = 0; k < job->embedder->dimensions; k++)
            square += (double)vector[k] * (double)vector[k];
        printf("%s[%.6f,%.6f,%.6f]", i ? "," : "", square, (double)vector[0], (double)vector[1]);
    }
    puts("]}");
    *waits = '\0';
}

static void run_cancelled(struct job *job)
{
    tenon_toolbox *box  = tenon_toolbox_new();
    tenon_call    *call = tenon_call_new(box);
    char           line[100];
    pthread_t      thread;

    job->call = call;
    if (!call || pthread_create(&thread, NULL, work, job))
        exit(1);
    if (fgets(line, sizeof line, stdin))
        tenon_call_cancel(call);
    pthread_join(thread, NULL);
    answer(job);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void run_many(struct embedder *embedder, size_t count)
{
    static struct job jobs[COUNT_MAX];
    pthread_t         threads[COUNT_MAX];
    size_t            fine = 0;

    for (size_t i = 0; i < count; i++) {
        jobs[i] = (struct job){ .embedder = embedder, .count = 1, .out = new_vectors(embedder) };
        if (pthread_create(&threads[i], NULL, work, &jobs[i]))
            exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        fine += jobs[i].status == EMBED_OK;
        free(jobs[i].out);
    }
    printf("{\"fine\":%zu}\n", fine);
}

static void obey(struct embedder *embedder, char *line)
{
    char      *space = strchr(line, ' ');
    long       number;
    struct job job = { .embedder = embedder, .count = 1 };

    if (space)
        *space++ = '\0';
    number = space ? strtol(space, NULL, 10) : 0;
    if (!strcmp(line, "later")) {
        pass_time(NULL, number, NULL);
        *waits = '\0';
        puts("{}");
        return;
    }
    job.role = strcmp(line, "ask") ? EMBED_DOCUMENT : EMBED_QUERY;
    if (strcmp(line, "say") && strcmp(line, "ask") && (number < 0 || number > COUNT_MAX))
        exit(1);
    if (!strcmp(line, "many")) {
        run_many(embedder, (size_t)number);
        return;
    }
    job.out   = new_vectors(embedder);
    job.text  = strcmp(line, "say") && strcmp(line, "ask") ? NULL : space ? space : "";
    job.count = job.text ? 1 : (size_t)number;
    if (!strcmp(line, "cancel")) {
        run_cancelled(&job);
    } else {
        work(&job);
        answer(&job);
    }
    free(job.out);
}

static const char *argument(int argc, char **argv, int at)
{
    return argc > at && strcmp(argv[at], "-") ? argv[at] : NULL;
}

int main(int argc, char **argv)
{
    struct embed_world world = {
        .now = read_clock, .wait = pass_time, .random = no_chance, .connect_ms = 5000
    };
    const char          *whole = argument(argc, argv, 6), *dimensions = argument(argc, argv, 5);
    struct embed_options options   = { .provider        = argument(argc, argv, 1),
                                       .url             = argument(argc, argv, 2),
                                       .model           = argument(argc, argv, 3),
                                       .key_file        = argument(argc, argv, 4),
                                       .dimensions      = dimensions ? (int)strtol(dimensions, NULL, 10) : 0,
                                       .query_prefix    = argument(argc, argv, 7),
                                       .document_prefix = argument(argc, argv, 8) };
    char                 line[200] = "", *mistake = NULL;
    struct embedder     *embedder;

    world.whole_ms = whole ? strtol(whole, NULL, 10) : 20000;
    setvbuf(stdout, NULL, _IOLBF, 0);
    embedder = embed_http_new_in(&options, &world, &mistake);
    if (!embedder) {
        printf("{\"mistake\":\"%s\",\"waits\":[%s]}\n", mistake ? mistake : "", waits);
        free(mistake);
        return 0;
    }
    printf("{\"model\":\"%s\",\"dimensions\":%zu,\"waits\":[%s]}\n", embedder->model, embedder->dimensions,
           waits);
    *waits = '\0';
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        obey(embedder, line);
    }
    embedder->free(embedder);
    return 0;
}
