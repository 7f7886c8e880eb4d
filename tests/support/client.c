/* client.c - the naive client. It knows neither schema nor rules, and reads no sentences. */
#include "support/client.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "json/surrogate.h"

#define READ_FLAGS  (YYJSON_READ_ALLOW_INVALID_UNICODE | YYJSON_READ_BIGNUM_AS_RAW)
#define WRITE_FLAGS YYJSON_WRITE_ALLOW_INVALID_UNICODE
#define STEP_MAX    512

struct client {
    yyjson_mut_doc *doc;
    const char     *why;
};

/* Where an issue points: a container and a name or an index in it. */
struct target {
    yyjson_mut_val *parent;
    char            step[STEP_MAX];
    size_t          len;
};

static size_t unescape(const char *from, size_t len, char *to)
{
    size_t n = 0;

    for (size_t i = 0; i < len && n + 1 < STEP_MAX; i++) {
        if (from[i] == '~' && i + 1 < len)
            to[n++] = from[++i] == '1' ? '/' : '~';
        else
            to[n++] = from[i];
    }
    to[n] = '\0';
    return n;
}

static yyjson_mut_val *step_into(yyjson_mut_val *at, const char *step, size_t len)
{
    if (yyjson_mut_is_obj(at))
        return yyjson_mut_obj_getn(at, step, len);
    return yyjson_mut_is_arr(at) ? yyjson_mut_arr_get(at, strtoul(step, NULL, 10)) : NULL;
}

static int find_target(struct client *client, yyjson_val *parameter, struct target *target)
{
    const char *text = yyjson_get_str(parameter), *end = text + yyjson_get_len(parameter), *slash;

    target->parent = yyjson_mut_doc_get_root(client->doc);
    if (text == end || *text != '/') {
        target->len = (size_t)(end - text) < STEP_MAX ? (size_t)(end - text) : STEP_MAX - 1;
        memcpy(target->step, text, target->len);
        target->step[target->len] = '\0';
        return yyjson_mut_is_obj(target->parent);
    }
    for (text++;; text = slash + 1) {
        slash       = memchr(text, '/', (size_t)(end - text));
        target->len = unescape(text, (size_t)((slash ? slash : end) - text), target->step);
        if (!slash)
            return yyjson_mut_is_ctn(target->parent);
        target->parent = step_into(target->parent, target->step, target->len);
        if (!target->parent)
            return 0;
    }
}

static void drop(struct target *target)
{
    if (yyjson_mut_is_obj(target->parent))
        yyjson_mut_obj_remove_keyn(target->parent, target->step, target->len);
    else
        yyjson_mut_arr_remove(target->parent, strtoul(target->step, NULL, 10));
}

static void set(struct client *client, struct target *target, yyjson_val *value)
{
    yyjson_mut_val *copy = yyjson_val_mut_copy(client->doc, value);

    if (yyjson_mut_is_arr(target->parent))
        yyjson_mut_arr_replace(target->parent, strtoul(target->step, NULL, 10), copy);
    else
        yyjson_mut_obj_put(target->parent, yyjson_mut_strncpy(client->doc, target->step, target->len), copy);
}

static void follow_unknown(struct client *client, struct target *target, yyjson_val *suggestion)
{
    yyjson_mut_val *value = yyjson_mut_obj_getn(target->parent, target->step, target->len);

    if (!value) {
        client->why = "an unknown name is not in the call";
        return;
    }
    value = yyjson_mut_val_mut_copy(client->doc, value);
    drop(target);
    if (suggestion &&
        !yyjson_mut_obj_getn(target->parent, yyjson_get_str(suggestion), yyjson_get_len(suggestion)))
        yyjson_mut_obj_add(target->parent, yyjson_val_mut_copy(client->doc, suggestion), value);
}

static void follow(struct client *client, yyjson_val *issue)
{
    yyjson_val *parameter = yyjson_obj_get(issue, "parameter"), *value = yyjson_obj_get(issue, "suggestion");
    int         unknown = yyjson_equals_str(yyjson_obj_get(issue, "code"), "unknown");
    struct target target;

    if (!unknown && !value)
        value = yyjson_obj_get(issue, "example");
    if (!unknown && yyjson_equals_str(parameter, "arguments")) {
        if (value)
            yyjson_mut_doc_set_root(client->doc, yyjson_val_mut_copy(client->doc, value));
        else
            client->why = "nothing says what the arguments should be";
        return;
    }
    if (!find_target(client, parameter, &target))
        client->why = "the parameter of an issue is not in the call";
    else if (unknown)
        follow_unknown(client, &target, value);
    else if (value)
        set(client, &target, value);
    else if (!yyjson_get_bool(yyjson_obj_get(issue, "required")))
        drop(&target);
    else
        client->why = "an issue of a required parameter has neither suggestion nor example";
}

/* Its own call, whatever it sent. */
static yyjson_doc *read_sent(const char *json, size_t len)
{
    char       *spelt = malloc(len + 1);
    yyjson_doc *doc   = NULL;

    if (spelt)
        doc = yyjson_read_opts(spelt, surrogate_spell(json, len, spelt), READ_FLAGS, NULL, NULL);
    free(spelt);
    return doc;
}

char *client_repair(const char *json, size_t len, const char *answer, size_t answer_len, size_t *out_len,
                    const char **why)
{
    yyjson_doc     *said   = yyjson_read(answer, answer_len, 0);
    yyjson_doc     *sent   = read_sent(json, len);
    yyjson_val     *issues = yyjson_doc_ptr_get(said, "/error/details/issues"), *issue;
    struct client   client = { sent ? yyjson_doc_mut_copy(sent, NULL) : yyjson_mut_doc_new(NULL), NULL };
    yyjson_arr_iter iter;
    char           *out = NULL;

    if (!sent || yyjson_is_null(yyjson_doc_get_root(sent)))
        yyjson_mut_doc_set_root(client.doc, yyjson_mut_obj(client.doc));
    if (yyjson_arr_size(issues) == 0)
        client.why = "the answer has no issues";
    yyjson_arr_iter_init(issues, &iter);
    while (!client.why && (issue = yyjson_arr_iter_next(&iter)))
        follow(&client, issue);
    if (!client.why)
        out = yyjson_mut_write(client.doc, WRITE_FLAGS, out_len);
    *why = client.why;
    yyjson_doc_free(said);
    yyjson_doc_free(sent);
    yyjson_mut_doc_free(client.doc);
    return out;
}
