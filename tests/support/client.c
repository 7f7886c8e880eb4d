/* client.c - the naive client. It knows neither schema nor rules, and reads no sentences. */
#include "support/client.h"

#include <stdio.h>
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

static void set(struct client *client, struct target *target, yyjson_mut_val *copy)
{
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

/* ---- A value of its own, of the kind that an issue expects ------------------------------------------------- */

static yyjson_mut_val *own_value(struct client *client, yyjson_val *expected, size_t nth);

/* Words of its own, as long as they must be; the nth of several differs from the others. */
static yyjson_mut_val *own_text(struct client *client, yyjson_val *expected, size_t nth)
{
    static const struct { const char *format, *text; } formats[] = {
        { "date", "2025-03-04" },         { "date-time", "2025-03-04T05:06:07Z" },
        { "email", "ann@example.org" },   { "uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8" },
        { "uri", "https://example.org" }, { "hostname", "example.org" },
        { "ipv4", "192.0.2.1" },          { "ipv6", "2001:db8::1" },
        { "time", "05:06:07Z" },
    };
    yyjson_val *format = yyjson_obj_get(expected, "format"), *most = yyjson_obj_get(expected, "maxLength");
    size_t      len = (size_t)yyjson_get_uint(yyjson_obj_get(expected, "minLength"));
    char        text[256];

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (yyjson_equals_str(format, formats[i].format))
            return yyjson_mut_str(client->doc, formats[i].text);
    snprintf(text, sizeof text, "mine%zu", nth);
    while (strlen(text) < len && strlen(text) + 1 < sizeof text)
        strcat(text, "x");
    if (most && yyjson_get_uint(most) < strlen(text))
        return yyjson_mut_strcpy(client->doc, text + strlen(text) - yyjson_get_uint(most));
    return yyjson_mut_strcpy(client->doc, text);
}

static yyjson_mut_val *own_number(struct client *client, yyjson_val *expected, size_t nth)
{
    yyjson_val *least = yyjson_obj_get(expected, "minimum"), *most = yyjson_obj_get(expected, "maximum");
    double      number = 1;

    if (least && yyjson_get_num(least) > 1)
        number = yyjson_get_num(least);
    else if (most && yyjson_get_num(most) < 1)
        number = yyjson_get_num(most);

    if (nth > 0 && most && yyjson_get_num(most) < number + (double)nth)
        return yyjson_mut_real(client->doc, number - (number - yyjson_get_num(least)) / (double)(nth + 1));
    if (yyjson_equals_str(yyjson_obj_get(expected, "type"), "integer"))
        return yyjson_mut_sint(client->doc, (int64_t)number + (int64_t)nth);
    return yyjson_mut_real(client->doc, number + (double)nth);
}

static yyjson_mut_val *own_list(struct client *client, yyjson_val *expected)
{
    size_t          count = (size_t)yyjson_get_uint(yyjson_obj_get(expected, "minItems"));
    yyjson_mut_val *list  = yyjson_mut_arr(client->doc);

    for (size_t i = 0; i < (count ? count : 1); i++)
        yyjson_mut_arr_append(list, own_value(client, yyjson_obj_get(expected, "items"), i));
    return list;
}

static yyjson_mut_val *own_object(struct client *client, yyjson_val *expected)
{
    yyjson_mut_val *object = yyjson_mut_obj(client->doc);
    yyjson_arr_iter iter;
    yyjson_val     *name;

    yyjson_arr_iter_init(yyjson_obj_get(expected, "required"), &iter);
    while ((name = yyjson_arr_iter_next(&iter))) {
        yyjson_val *member = yyjson_obj_get(yyjson_obj_get(expected, "properties"), yyjson_get_str(name));

        yyjson_mut_obj_add(object, yyjson_val_mut_copy(client->doc, name), own_value(client, member, 0));
    }
    return object;
}

static yyjson_mut_val *own_value(struct client *client, yyjson_val *expected, size_t nth)
{
    yyjson_val *type = yyjson_obj_get(expected, "type"), *choices = yyjson_obj_get(expected, "enum");

    if (choices)
        return yyjson_val_mut_copy(client->doc, yyjson_arr_get(choices, nth % yyjson_arr_size(choices)));
    if (yyjson_equals_str(type, "string"))
        return own_text(client, expected, nth);
    if (yyjson_equals_str(type, "integer") || yyjson_equals_str(type, "number"))
        return own_number(client, expected, nth);
    if (yyjson_equals_str(type, "boolean"))
        return yyjson_mut_bool(client->doc, true);
    if (yyjson_equals_str(type, "array"))
        return own_list(client, expected);
    return yyjson_equals_str(type, "object") ? own_object(client, expected) : NULL;
}

/* ---- Following issues -------------------------------------------------------------------------------------- */

/* Was a parameter repaired already? Its first issue says all that it needs. */
static int is_followed(yyjson_val *issues, yyjson_val *issue)
{
    yyjson_arr_iter iter;
    yyjson_val     *before;

    yyjson_arr_iter_init(issues, &iter);
    while ((before = yyjson_arr_iter_next(&iter)) && before != issue)
        if (yyjson_equals(yyjson_obj_get(before, "parameter"), yyjson_obj_get(issue, "parameter")))
            return 1;
    return 0;
}

static void follow(struct client *client, yyjson_val *issue)
{
    yyjson_val *parameter = yyjson_obj_get(issue, "parameter"), *value = yyjson_obj_get(issue, "suggestion");
    int         unknown = yyjson_equals_str(yyjson_obj_get(issue, "code"), "unknown");
    struct target   target;
    yyjson_mut_val *own = unknown ? NULL : own_value(client, yyjson_obj_get(issue, "expected"), 0);

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
        set(client, &target, yyjson_val_mut_copy(client->doc, value));
    else if (own)
        set(client, &target, own);
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
        doc = yyjson_read_opts(spelt, tn_surrogate_spell(json, len, spelt), READ_FLAGS, NULL, NULL);
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
        if (!is_followed(issues, issue))
            follow(&client, issue);
    if (!client.why)
        out = yyjson_mut_write(client.doc, WRITE_FLAGS, out_len);
    *why = client.why;
    yyjson_doc_free(said);
    yyjson_doc_free(sent);
    yyjson_mut_doc_free(client.doc);
    return out;
}
