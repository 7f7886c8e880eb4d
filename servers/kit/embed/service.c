/* service.c - which service, where, with which model and key: all of it the operator's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/url.h"
#include "kit/embed/http.h"

#define KEY_LEN_MAX 4096

static const struct dialect {
    const char *url, *model, *path,
        *stem; /* `stem` is the beginning of the path that an address may end in */
} dialects[] = {
    [DIALECT_OLLAMA] = { "http://127.0.0.1:11434", "nomic-embed-text", "/api/embed", "/api" },
    [DIALECT_OPENAI] = { "https://api.openai.com/v1", "text-embedding-3-small", "/v1/embeddings", "/v1" },
};

/* ---- The address ---- */

static bool ends_with(const char *text, size_t len, const char *end)
{
    return len >= strlen(end) && !memcmp(text + len - strlen(end), end, strlen(end));
}

/* Without a scheme it is https, on this machine http. */
static struct tn_url *parse_url(const char *text)
{
    char           whole[EMBED_URL_MAX + 32];
    struct tn_url *url;
    const char    *host;

    if (strstr(text, "://"))
        return tn_url_new(text);
    snprintf(whole, sizeof whole, "https://%s", text);
    url  = tn_url_new(whole);
    host = url ? tn_url_get(url, URL_HOST) : NULL;
    if (host && (!tn_url_is_loopback(host) || tn_url_set(url, URL_SCHEME, "http")))
        return url;
    tn_url_free(url);
    return NULL;
}

/* The address with the path of the dialect after it, unless the operator wrote that too. */
static bool set_path(struct embed_service *service, struct tn_url *url)
{
    const struct dialect *dialect = &dialects[service->dialect];
    const char           *path    = tn_url_get(url, URL_PATH), *whole;
    char                  joined[EMBED_URL_MAX + 32];
    size_t                len = path ? strlen(path) : 0;

    if (!path)
        return false;
    while (len && path[len - 1] == '/')
        len--;
    if (ends_with(path, len, dialect->path))
        len -= strlen(dialect->path);
    else if (ends_with(path, len, dialect->stem))
        len -= strlen(dialect->stem);
    snprintf(joined, sizeof joined, "%.*s%s", (int)len, path, dialect->path);
    whole = tn_url_set(url, URL_PATH, joined) ? tn_url_get(url, URL_WHOLE) : NULL;
    if (!whole || strlen(whole) >= sizeof service->url)
        return false;
    memcpy(service->url, whole, strlen(whole) + 1);
    return true;
}

static bool has_more(struct tn_url *url)
{
    return tn_url_get(url, URL_USER) || tn_url_get(url, URL_PASSWORD) || tn_url_get(url, URL_QUERY) ||
           tn_url_get(url, URL_FRAGMENT);
}

static bool read_url(struct embed_service *service, const char *text, char **mistake)
{
    struct tn_url *url;
    bool           fine, more;

    if (!text)
        text = dialects[service->dialect].url;
    url  = strlen(text) <= EMBED_URL_MAX ? parse_url(text) : NULL;
    fine = url && tn_url_is_web(url);
    more = fine && has_more(url);
    fine = fine && !more && set_path(service, url);
    tn_url_free(url);
    if (more)
        embed_mistake(
            mistake,
            "--embedding-url has no user, password, query or fragment. A key is in --embedding-key-file.");
    else if (!fine)
        embed_mistake(mistake, "--embedding-url is an address like %s.", dialects[service->dialect].url);
    return fine;
}

/* ---- The key ---- */

/* Only its owner may read it, as with keys of other programs. */
static bool may_use(const struct stat *file, const char *path, char **mistake)
{
    if (!S_ISREG(file->st_mode) || file->st_size > KEY_LEN_MAX)
        return embed_mistake(mistake, "%s is not a file with a key.", path);
    if (file->st_mode & 077)
        return embed_mistake(mistake, "%s can be read by others. Use: chmod 600 %s", path, path);
    if (file->st_uid != geteuid() && file->st_uid != 0)
        return embed_mistake(mistake, "%s belongs to another user.", path);
    return true;
}

static bool is_key(const char *key, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (key[i] <= ' ' || key[i] > '~')
            return false;
    return len > 0;
}

static bool set_key(struct embed_service *service, const char *key, size_t len)
{
    static const char before[] = "Authorization: Bearer ";

    service->authorization = malloc(sizeof before + len);
    if (!service->authorization)
        return false;
    memcpy(service->authorization, before, sizeof before - 1);
    memcpy(service->authorization + sizeof before - 1, key, len);
    service->authorization[sizeof before - 1 + len] = '\0';
    return true;
}

static bool read_key(struct embed_service *service, const char *path, char **mistake)
{
    char        key[KEY_LEN_MAX + 1];
    struct stat file;
    ssize_t     len = 0;
    int         fd  = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool        fine;

    if (fd < 0)
        return embed_mistake(mistake, "%s cannot be opened: %s.", path, strerror(errno));
    fine = !fstat(fd, &file) ? may_use(&file, path, mistake)
                             : embed_mistake(mistake, "%s cannot be read.", path);
    if (fine && (len = read(fd, key, sizeof key)) < 0)
        fine = embed_mistake(mistake, "%s cannot be read: %s.", path, strerror(errno));
    close(fd);
    while (fine && len > 0 && strchr(" \t\r\n", key[len - 1]))
        len--;
    if (fine && !is_key(key, (size_t)len))
        fine = embed_mistake(mistake, "%s has no key: one line of printable characters without spaces.",
                             path);
    if (fine && !set_key(service, key, (size_t)len))
        fine = embed_mistake(mistake, "There is no memory for the embedding key.");
    explicit_bzero(key, sizeof key);
    return fine;
}

/* ---- All of it ---- */

static bool read_model(struct embed_service *service, const char *name, char **mistake)
{
    if (!name)
        name = dialects[service->dialect].model;
    if (!*name || strlen(name) > EMBED_MODEL_MAX)
        return embed_mistake(mistake, "--embedding-model is a name of 1 to %d letters.", EMBED_MODEL_MAX);
    snprintf(service->name, sizeof service->name, "%s", name);
    return true;
}

bool embed_service_read(struct embed_service *service, const struct embed_options *options, char **mistake)
{
    *service         = (struct embed_service){ 0 };
    service->dialect = options->provider && !strcmp(options->provider, "openai") ? DIALECT_OPENAI
                                                                                 : DIALECT_OLLAMA;
    if (options->dimensions &&
        (options->dimensions < EMBED_DIMENSIONS_MIN || options->dimensions > EMBED_DIMENSIONS_MAX))
        return embed_mistake(mistake, "Embeddings have from %d to %d dimensions, not %d.",
                             EMBED_DIMENSIONS_MIN, EMBED_DIMENSIONS_MAX, options->dimensions);
    if (!embed_prefixes_are_fine(options, mistake))
        return false;
    service->prefixes = embed_prefixes_of(
        options, embed_family_of(options->model ? options->model : dialects[service->dialect].model));
    return read_url(service, options->url, mistake) && read_model(service, options->model, mistake) &&
           (!options->key_file || read_key(service, options->key_file, mistake));
}

void embed_service_free(struct embed_service *service)
{
    if (service->authorization)
        explicit_bzero(service->authorization, strlen(service->authorization));
    free(service->authorization);
    service->authorization = NULL;
}
