/* credential.c - tokens and headers of one upstream: read, made, read again. */
#define _GNU_SOURCE
#include "guard/upkeep/credential.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "contract/trusted.h"
#include "guard/phrases.h"
#include "net/client/client.h"
#ifdef TENON_CURL
#include "login/login.h"
#endif

#define HEADERS_MAX  16
#define PEER_MAX     64
#define JOB_MS       60000 /* then it is given up */
#define FAILED_MS    2000  /* for so long, one that failed is not tried again */
#define FRESH_MS     10000 /* a token that is refused so soon after it was made does not get better */
#define RENEW_S      60    /* before its end a login is renewed, ... */
#define RENEW_LAST_S 5     /* ... and requests wait for that */

/* What a file was when it was read. */
struct stamp {
    dev_t           device;
    ino_t           number;
    off_t           size;
    struct timespec changed;
};

struct tn_credential {
    const struct tn_upstream *upstream;
    const struct tn_log      *log;
    tenon_allocator           memory;
    struct tn_arena           files, arena;  /* of what was read; of what was made */
    const char               *authorization; /* or NULL */
    struct tn_header          headers[2 * HEADERS_MAX];
    size_t                    plain_count, header_count; /* as the operator wrote them; and those of files */
    struct stamp              stamps[HEADERS_MAX + 1];
    bool                      read, logged; /* files were; and the kept login */
    int                       fd;
    struct tn_token_job      *job;               /* or NULL */
    int64_t                   began_ms, made_ms; /* of the job; when one was good last */
    int64_t                   failed_ms;         /* when it was not; 0 */
    char                      why[TRANSPORT_WHY_MAX];
    char                      peer[PEER_MAX];
#ifdef TENON_CURL
    struct login_options login_options;
    struct login        *login;
#endif
};

static bool names_authorization(const tenon_map *headers)
{
    for (size_t i = 0; i < headers->count; i++)
        if (strcasecmp(headers->at[i].key, "Authorization") == 0)
            return true;
    return false;
}

/* Is a login that was kept what it shows? Not where the operator gives something else. */
static bool has_login(const struct tn_credential *credential)
{
    const struct tn_upstream *upstream = credential->upstream;

    return !upstream->token_file && !upstream->token_command && !names_authorization(&upstream->headers) &&
           !names_authorization(&upstream->header_files);
}

/* ---- Files -------------------------------------------------------------------------------------------------------- */

static struct stamp stamp_of(const char *path)
{
    struct stat  about;
    struct stamp stamp;

    memset(&stamp, 0, sizeof stamp);
    if (stat(path, &about) != 0)
        return stamp;
    stamp.device  = about.st_dev;
    stamp.number  = about.st_ino;
    stamp.size    = about.st_size;
    stamp.changed = about.st_mtim;
    return stamp;
}

static bool stamp_is(const struct stamp *a, const char *path)
{
    struct stamp b = stamp_of(path);

    return a->device == b.device && a->number == b.number && a->size == b.size &&
           a->changed.tv_sec == b.changed.tv_sec && a->changed.tv_nsec == b.changed.tv_nsec;
}

static bool files_changed(const struct tn_credential *credential)
{
    const struct tn_upstream *upstream = credential->upstream;

    if (upstream->token_file && !stamp_is(&credential->stamps[HEADERS_MAX], upstream->token_file))
        return true;
    for (size_t i = 0; i < upstream->header_files.count && i < HEADERS_MAX; i++)
        if (!stamp_is(&credential->stamps[i], upstream->header_files.at[i].value))
            return true;
    return false;
}

/* One line of printable ASCII; `spaces` may be inside. NULL, and why, when it is not. */
static const char *read_line(struct tn_credential *credential, const char *path, bool spaces,
                             struct stamp *stamp, const char *format, char why[TRANSPORT_WHY_MAX])
{
    struct tn_slice text    = { NULL, 0 };
    const char     *mistake = NULL;
    bool            good;

    *stamp = stamp_of(path);
    if (tn_trusted_read(path, TRUSTED_PRIVATE, TOKEN_LEN_MAX, &credential->files, &text, &mistake) !=
        TENON_OK) {
        snprintf(why, TRANSPORT_WHY_MAX, "%s", mistake ? mistake : SAY_MEMORY);
        return NULL;
    }
    text = tn_slice_trim(text);
    good = text.len > 0;
    for (size_t i = 0; i < text.len; i++)
        good = good && text.at[i] >= (spaces ? ' ' : '!') && text.at[i] <= '~';
    if (!good) {
        snprintf(why, TRANSPORT_WHY_MAX, format, path);
        return NULL;
    }
    return tn_arena_copy(&credential->files, text.at, text.len);
}

static const char *bearer(struct tn_arena *arena, const char *token)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 256, TOKEN_LEN_MAX + 16);
    tn_buf_lit(&out, "Bearer ");
    tn_buf_text(&out, token);
    return tn_buf_end(&out);
}

/* All files, whole or not at all. */
static bool read_files(struct tn_credential *credential, char why[TRANSPORT_WHY_MAX])
{
    const struct tn_upstream *upstream = credential->upstream;
    const char               *token    = NULL;

    tn_arena_rest(&credential->files, 0);
    if (upstream->token_file)
        credential->authorization = NULL;
    credential->header_count = credential->plain_count;
    credential->read         = false;
    if (upstream->token_file) {
        token = read_line(credential, upstream->token_file, false, &credential->stamps[HEADERS_MAX],
                          SAY_TOKEN_FILE, why);
        if (!token || !(credential->authorization = bearer(&credential->files, token)))
            return false;
    }
    for (size_t i = 0; i < upstream->header_files.count && i < HEADERS_MAX; i++) {
        struct tn_header *header = &credential->headers[credential->plain_count + i];

        header->name  = upstream->header_files.at[i].key;
        header->value = read_line(credential, upstream->header_files.at[i].value, true,
                                  &credential->stamps[i], SAY_HEADER_FILE, why);
        if (!header->value)
            return false;
        credential->header_count = credential->plain_count + i + 1;
    }
    credential->read = true;
    return true;
}

/* A hash would do; they are few and short. */
static struct tn_slice files_text(struct tn_credential *credential, struct tn_arena *arena)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 256, (2 * HEADERS_MAX + 1) * (TOKEN_LEN_MAX + 16));
    tn_buf_text(&out, credential->authorization ? credential->authorization : "");
    for (size_t i = 0; i < credential->header_count; i++) {
        tn_buf_char(&out, '\n');
        tn_buf_text(&out, credential->headers[i].value);
    }
    return tn_buf_slice(&out);
}

/* The server refuses what is shown: is there something else in the files? */
static bool files_are_new(struct tn_credential *credential, char why[TRANSPORT_WHY_MAX])
{
    struct tn_arena arena;
    struct tn_slice before, after;
    bool            fresh;

    tn_arena_init(&arena, &credential->memory, 0);
    before = files_text(credential, &arena);
    fresh  = read_files(credential, why);
    after  = files_text(credential, &arena);
    fresh  = fresh && !arena.failed && !tn_slice_same(before, after);
    tn_arena_rest(&arena, 0);
    tn_arena_free(&arena);
    return fresh;
}

/* ---- A login that was kept ------------------------------------------------------------------------------------------ */

#ifdef TENON_CURL
static void read_login(struct tn_credential *credential)
{
    login_free(credential->login);
    tn_arena_rest(&credential->arena, 0);
    credential->login_options = (struct login_options){ .server = credential->upstream->url,
                                                        .folder = login_folder(&credential->arena) };
    credential->login         = login_new(&credential->login_options);
    credential->authorization = credential->login ? login_authorization(credential->login) : NULL;
}

/* For how many seconds it is still good, if that is known and it can be renewed. */
static int64_t login_left(const struct tn_credential *credential)
{
    int64_t ends = credential->login ? login_ends(credential->login) : 0;

    return ends && login_renews(credential->login) ? ends - (int64_t)time(NULL) : INT64_MAX;
}
#else
static void read_login(struct tn_credential *credential)
{
    (void)credential;
}

static int64_t login_left(const struct tn_credential *credential)
{
    (void)credential;
    return INT64_MAX;
}
#endif

/* ---- What takes time ------------------------------------------------------------------------------------------------ */

static bool begin_job(struct tn_credential *credential, const struct tn_credential_challenge *challenge)
{
    struct tn_token_wish wish = { .words     = credential->upstream->token_command,
                                  .url       = credential->upstream->url,
                                  .private_  = credential->upstream->private_,
                                  .challenge = *challenge };
    uint64_t             seen;

    if (read(credential->fd, &seen, sizeof seen) < 0) { /* what is over was seen; there may be nothing */
    }
    credential->job      = tn_token_job_begin(&wish, credential->fd);
    credential->began_ms = tn_client_now_ms();
    return credential->job != NULL;
}

static void job_failed(struct tn_credential *credential, const char *why)
{
    credential->failed_ms = tn_client_now_ms();
    if (has_login(credential)) {
        snprintf(credential->why, sizeof credential->why, GUARD_LOG_IN, credential->upstream->name);
        tn_log_line(credential->log, LOG_WARN, GUARD_LOG_LOGIN, credential->upstream->name, why);
    } else
        snprintf(credential->why, sizeof credential->why, "%s", why);
}

static void take_token(struct tn_credential *credential, const char *token)
{
    tn_arena_rest(&credential->arena, 0);
    credential->authorization = bearer(&credential->arena, token);
}

/* Takes what has become of it. True while it is under way. */
static bool job_runs(struct tn_credential *credential)
{
    struct tn_token_job *job = credential->job;
    const char          *token;

    if (!job)
        return false;
    if (!tn_token_job_is_done(job)) {
        if (tn_client_now_ms() - credential->began_ms < JOB_MS)
            return true;
        job_failed(credential, strerror(ETIMEDOUT));
    } else if ((token = tn_token_job_token(job))) {
        credential->failed_ms = 0;
        credential->made_ms   = tn_client_now_ms();
        if (has_login(credential))
            read_login(credential);
        else
            take_token(credential, token);
        if (!credential->authorization &&
            token[0]) /* it lives for a moment only, and is good for one request */
            credential->authorization = tn_arena_copy(&credential->arena, token, strlen(token));
    } else
        job_failed(credential, tn_token_job_why(job));
    tn_token_job_forget(job);
    credential->job = NULL;
    return false;
}

static bool failed_just_now(const struct tn_credential *credential)
{
    return credential->failed_ms && tn_client_now_ms() - credential->failed_ms < FAILED_MS;
}

static enum tn_credential_state none(const struct tn_credential *credential, char why[TRANSPORT_WHY_MAX])
{
    memcpy(why, credential->why, TRANSPORT_WHY_MAX);
    return CREDENTIAL_NONE;
}

/* ---- Before a request ------------------------------------------------------------------------------------------------ */

/* A login that ends soon is renewed meanwhile; one that is about to end is waited for. */
static enum tn_credential_state look_after_login(struct tn_credential *credential)
{
    const struct tn_credential_challenge challenge = {
        .status = 401, .header = "", .peer = credential->peer, .nonce = "", .shown = credential->authorization
    };
    int64_t left = login_left(credential);

    if (left > RENEW_S || !credential->peer[0])
        return CREDENTIAL_READY;
    if (!credential->job && !failed_just_now(credential))
        begin_job(credential, &challenge);
    return credential->job && left <= RENEW_LAST_S ? CREDENTIAL_LATER : CREDENTIAL_READY;
}

static enum tn_credential_state run_command(struct tn_credential *credential, char why[TRANSPORT_WHY_MAX])
{
    const struct tn_credential_challenge nothing = { .header = "", .peer = "", .nonce = "", .shown = "" };

    if (credential->authorization)
        return CREDENTIAL_READY;
    if (failed_just_now(credential))
        return none(credential, why);
    if (begin_job(credential, &nothing))
        return CREDENTIAL_LATER;
    job_failed(credential, SAY_MEMORY);
    return none(credential, why);
}

enum tn_credential_state tn_credential_state_of(struct tn_credential *credential, char why[TRANSPORT_WHY_MAX])
{
    bool login = has_login(credential);

    if (job_runs(credential) &&
        (!login || login_left(credential) <= RENEW_LAST_S || !credential->authorization))
        return CREDENTIAL_LATER;
    if (login && credential->failed_ms && failed_just_now(credential))
        return none(credential, why);
    if (login && !credential->logged) {
        credential->logged = true;
        read_login(credential);
    }
    if ((!credential->read || files_changed(credential)) && !read_files(credential, why))
        return CREDENTIAL_NONE;
    if (login)
        return look_after_login(credential);
    return credential->upstream->token_command ? run_command(credential, why) : CREDENTIAL_READY;
}

const char *tn_credential_authorization(struct tn_credential *credential)
{
    return credential->authorization;
}

const char *tn_credential_proof(struct tn_credential *credential, const char *method)
{
#ifdef TENON_CURL
    return credential->login ? login_proof(credential->login, method) : NULL;
#else
    (void)credential, (void)method;
    return NULL;
#endif
}

const struct tn_header *tn_credential_headers(struct tn_credential *credential, size_t *count)
{
    *count = credential->header_count;
    return credential->headers;
}

/* ---- After it ---------------------------------------------------------------------------------------------------------- */

enum tn_credential_state tn_credential_refused(struct tn_credential                 *credential,
                                               const struct tn_credential_challenge *challenge,
                                               char                                  why[TRANSPORT_WHY_MAX])
{
    const char *current;
    bool        fresh;

    if (job_runs(credential))
        return CREDENTIAL_LATER;
    current = credential->authorization ? credential->authorization : "";
    if (strcmp(current, challenge->shown) != 0)
        return CREDENTIAL_READY; /* another request has met the same meanwhile */
    if (failed_just_now(credential))
        return none(credential, why);
    fresh = credential->made_ms && tn_client_now_ms() - credential->made_ms < FRESH_MS;
    snprintf(why, TRANSPORT_WHY_MAX, SAY_TOKEN_REFUSED, challenge->status);
    if (!has_login(credential)) {
        if (files_are_new(credential, why))
            return CREDENTIAL_READY;
        if (!credential->upstream->token_command || fresh)
            return CREDENTIAL_NONE;
    } else if (fresh) {
        snprintf(why, TRANSPORT_WHY_MAX, GUARD_LOG_IN, credential->upstream->name);
        return CREDENTIAL_NONE;
    }
    return begin_job(credential, challenge) ? CREDENTIAL_LATER : CREDENTIAL_NONE;
}

void tn_credential_accepted(struct tn_credential *credential, const char *peer)
{
#ifdef TENON_CURL
    if (credential->login)
        login_worked(credential->login);
#endif
    snprintf(credential->peer, sizeof credential->peer, "%s", peer);
}

int tn_credential_fd(const struct tn_credential *credential)
{
    return credential->fd;
}

/* ---- Lifetime ------------------------------------------------------------------------------------------------------------ */

struct tn_credential *tn_credential_new(const struct tn_upstream *upstream, const struct tn_log *log)
{
    tenon_allocator       memory     = tn_memory_of(NULL);
    struct tn_credential *credential = tn_memory_new(&memory, sizeof *credential);

    if (!credential)
        return NULL;
    memset(credential, 0, sizeof *credential);
    credential->upstream = upstream;
    credential->log      = log;
    credential->memory   = memory;
    credential->fd       = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    tn_arena_init(&credential->arena, &credential->memory, 0);
    tn_arena_init(&credential->files, &credential->memory, 0);
    for (size_t i = 0; i < upstream->headers.count && i < HEADERS_MAX; i++)
        credential->headers[credential->plain_count++] = (struct tn_header){ upstream->headers.at[i].key,
                                                                             upstream->headers.at[i].value };
    credential->header_count = credential->plain_count;
    if (credential->fd >= 0)
        return credential;
    tn_credential_free(credential);
    return NULL;
}

void tn_credential_free(struct tn_credential *credential)
{
    tenon_allocator memory;

    if (!credential)
        return;
    memory = credential->memory;
    tn_token_job_forget(credential->job);
#ifdef TENON_CURL
    login_free(credential->login);
#endif
    if (credential->fd >= 0)
        close(credential->fd);
    tn_arena_rest(&credential->arena, 0);
    tn_arena_free(&credential->arena);
    tn_arena_rest(&credential->files, 0);
    tn_arena_free(&credential->files);
    tn_memory_scrub(credential, sizeof *credential);
    tn_memory_free(&memory, credential, sizeof *credential);
}
