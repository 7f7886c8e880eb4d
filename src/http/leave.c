/* leave.c - a thread for each request that ends a session. */
#define _GNU_SOURCE
#include "http/leave.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "http/http.h"

static pthread_mutex_t lock    = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  changed = PTHREAD_COND_INITIALIZER;
static size_t          count;
static bool            begun; /* libcurl stays, also when all transports are gone */

static bool enter(void)
{
    bool room;

    pthread_mutex_lock(&lock);
    begun = begun || curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    room  = begun && count < LEAVES_MAX;
    count += room;
    pthread_mutex_unlock(&lock);
    return room;
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    count--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void free_both(CURL *easy)
{
    struct curl_slist *headers = NULL;

    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&headers);
    curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
}

static void *perform(void *easy)
{
    curl_easy_perform(easy);
    free_both(easy);
    leave();
    return NULL;
}

static size_t ignore(char *at, size_t one, size_t len, void *user)
{
    (void)at, (void)one, (void)user;
    return len;
}

/* Without signals, which are the first thread's. */
static bool start(CURL *easy)
{
    sigset_t  all, before;
    pthread_t thread;
    bool      started;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, NULL, perform, easy) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

void http_leave(CURL *easy, struct curl_slist *headers)
{
    curl_easy_setopt(easy, CURLOPT_PRIVATE, headers);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, ignore);
    if (!enter())
        free_both(easy);
    else if (!start(easy)) {
        free_both(easy);
        leave();
    }
}

void http_leaves_wait(void)
{
    pthread_mutex_lock(&lock);
    while (count > 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
