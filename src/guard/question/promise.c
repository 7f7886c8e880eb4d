/* promise.c - abilities of clients on their way to servers, and the rules for questions on their way back. */
#define _GNU_SOURCE
#include "guard/question/promise.h"

#include <tenon/ask.h>

#include "contract/canonical.h"
#include "guard/phrases.h"
#include "json/member.h"
#include "text/secret.h"

#define ELICITS  (TENON_CAN_ELICIT | TENON_CAN_ELICIT_URL)
#define SAMPLES  (TENON_CAN_SAMPLE | TENON_CAN_SAMPLE_TOOLS)
#define HOST_MAX ((size_t)255)

/* ---- What is promised ---------------------------------------------------------------------------------------- */

/* A capability as far as it may be used; false when it may not. */
static bool write_part(struct tn_buf *out, yyjson_val *name, yyjson_val *value, unsigned questions)
{
    if (yyjson_equals_str(name, "elicitation") && (questions & ELICITS) != ELICITS) {
        bool url = yyjson_obj_get(value, "url"), form = !url || yyjson_obj_get(value, "form");

        url  = url && questions & TENON_CAN_ELICIT_URL;
        form = form && questions & TENON_CAN_ELICIT;
        tn_buf_text(out, url ? "\"elicitation\":{\"url\":{}}" : form ? "\"elicitation\":{}" : "");
        return url || form;
    }
    if (yyjson_equals_str(name, "sampling") && (questions & SAMPLES) != SAMPLES) {
        tn_buf_text(out, questions & TENON_CAN_SAMPLE ? "\"sampling\":{}" : "");
        return questions & TENON_CAN_SAMPLE;
    }
    if (yyjson_equals_str(name, "roots") && !(questions & TENON_CAN_LIST_ROOTS))
        return false;
    tn_json_value(out, name);
    tn_buf_char(out, ':');
    tn_json_value(out, value);
    return true;
}

/* Extensions of the protocol that may pass where there are several servers; false when there are none. */
static bool write_extensions(struct tn_buf *out, const struct tn_upstream *upstream, yyjson_val *all)
{
    yyjson_obj_iter each = yyjson_obj_iter_with(all);
    yyjson_val     *name;
    size_t          from;

    tn_buf_lit(out, "\"extensions\":{");
    from = out->len;
    while ((name = yyjson_obj_iter_next(&each)))
        for (size_t i = 0; i < upstream->extensions.count; i++) {
            if (!yyjson_equals_str(name, upstream->extensions.at[i]))
                continue;
            if (out->len > from)
                tn_buf_char(out, ',');
            tn_json_value(out, name);
            tn_buf_char(out, ':');
            tn_json_value(out, yyjson_obj_iter_get_val(name));
            break;
        }
    tn_buf_char(out, '}');
    return out->len > from + 1;
}

static bool is_known(yyjson_val *name)
{
    return yyjson_equals_str(name, "elicitation") || yyjson_equals_str(name, "sampling") ||
           yyjson_equals_str(name, "roots");
}

/* The tasks of 2025-11-25 are not spoken. */
static bool write_capability(struct tn_buf *out, const struct tn_guard *guard,
                             const struct tn_upstream *upstream, yyjson_val *name, unsigned questions)
{
    yyjson_val *value = yyjson_obj_iter_get_val(name);

    if (yyjson_equals_str(name, "tasks"))
        return false;
    if (is_known(name) || tn_guard_passes_unknown(guard))
        return write_part(out, name, value, questions);
    return yyjson_equals_str(name, "extensions") && write_extensions(out, upstream, value);
}

bool tn_promise_is_whole(const struct tn_guard *guard, const struct tn_upstream *upstream)
{
    const unsigned all = ELICITS | SAMPLES | TENON_CAN_LIST_ROOTS;

    return (upstream->questions & all) == all && !upstream->roots && tn_guard_passes_unknown(guard);
}

void tn_promise_write(struct tn_buf *out, const struct tn_guard *guard, const struct tn_upstream *upstream,
                      yyjson_val *capabilities)
{
    unsigned        questions = upstream->roots ? upstream->questions & ~(unsigned)TENON_CAN_LIST_ROOTS
                                                : upstream->questions;
    yyjson_obj_iter all       = yyjson_obj_iter_with(capabilities);
    yyjson_val     *name;
    bool            any = false;

    tn_buf_char(out, '{');
    while ((name = yyjson_obj_iter_next(&all))) {
        size_t before = out->len;

        if (any)
            tn_buf_char(out, ',');
        if (write_capability(out, guard, upstream, name, questions))
            any = true;
        else if (!out->failed)
            out->len = before;
    }
    if (upstream->roots)
        tn_buf_text(out, any ? ",\"roots\":{}" : "\"roots\":{}");
    tn_buf_char(out, '}');
}

/* ---- What is asked ------------------------------------------------------------------------------------------- */

static bool is_page(yyjson_val *params)
{
    return yyjson_equals_str(yyjson_obj_get(params, "mode"), "url");
}

unsigned tn_promise_needs(struct tn_slice method, yyjson_val *params)
{
    if (tn_slice_is(method, "elicitation/create"))
        return is_page(params) ? TENON_CAN_ELICIT_URL : TENON_CAN_ELICIT;
    if (tn_slice_is(method, "sampling/createMessage"))
        return TENON_CAN_SAMPLE | (yyjson_obj_get(params, "tools") ? TENON_CAN_SAMPLE_TOOLS : 0u);
    return tn_slice_is(method, "roots/list") ? TENON_CAN_LIST_ROOTS : 0;
}

/* Does the name end with a word for a credential: token, githubToken, github_token? */
static bool is_secret_name(struct tn_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        char before = i > 0 ? name.at[i - 1] : '_', here = name.at[i];
        bool begins = before == '_' || before == '-' || before == ' ' || before == '.' ||
                      (here >= 'A' && here <= 'Z' && !(before >= 'A' && before <= 'Z'));

        if (begins && tn_secret_is_key((struct tn_slice){ name.at + i, name.len - i }))
            return true;
    }
    return false;
}

static bool asks_secret(yyjson_val *params)
{
    yyjson_val     *properties = yyjson_obj_get(yyjson_obj_get(params, "requestedSchema"), "properties");
    yyjson_obj_iter all        = yyjson_obj_iter_with(properties);
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&all)))
        if (is_secret_name(tn_rpc_text(name)))
            return true;
    return false;
}

/* One more question to the client's model; false when there were too many of late. */
static bool may_sample(struct tn_link *link)
{
    int64_t now = tn_client_now_ms();

    if (link->sampled == 0 || now - link->sampled_ms >= SAMPLING_WITHIN_MS) {
        link->sampled_ms = now;
        link->sampled    = 0;
    }
    if (link->sampled >= SAMPLING_MAX)
        return false;
    link->sampled++;
    tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_SAMPLING, link->upstream->name);
    return true;
}

bool tn_promise_is_twice(const struct tn_link *link, yyjson_val *question)
{
    return question && tn_canonical_check(&link->guard->memory, question) != CANONICAL_FINE;
}

enum tn_asking tn_promise_check(struct tn_link *link, struct tn_slice method, yyjson_val *params,
                                unsigned abilities, const char **why)
{
    unsigned needs = tn_promise_needs(method, params);

    if (tn_promise_is_twice(link, params)) {
        *why = GUARD_QUESTION_TWICE;
        return ASKING_DENIED;
    }
    *why = GUARD_UNPROMISED;
    if (needs == TENON_CAN_LIST_ROOTS && link->upstream->roots)
        return ASKING_ROOTS;
    if (needs == 0)
        return tn_guard_passes_unknown(link->guard) ? ASKING_PASSES : ASKING_UNPROMISED;
    if ((needs & abilities & link->upstream->questions) != needs)
        return ASKING_UNPROMISED;
    if (needs == TENON_CAN_ELICIT && asks_secret(params)) {
        *why = GUARD_SECRET_FORM;
        return ASKING_DENIED;
    }
    if (needs & TENON_CAN_SAMPLE && !may_sample(link)) {
        *why = GUARD_SAMPLES_MANY;
        return ASKING_DENIED;
    }
    return ASKING_PASSES;
}

/* ---- How it is asked ----------------------------------------------------------------------------------------- */

/* The host of an address, as far as it can be shown. */
static struct tn_slice host_of(struct tn_slice url)
{
    const char     *begin = url.at ? memmem(url.at, url.len, "://", 3) : NULL;
    struct tn_slice host  = { "", 0 };

    if (!begin)
        return host;
    host = (struct tn_slice){ begin + 3, (size_t)(url.at + url.len - begin) - 3 };
    for (size_t i = 0; i < host.len; i++)
        if (host.at[i] == '/' || host.at[i] == '?' || host.at[i] == '#' || host.at[i] == '\\')
            host.len = i;
    for (size_t i = host.len; i-- > 0;)
        if (host.at[i] == '@')
            return (struct tn_slice){ host.at + i + 1, host.len - i - 1 };
    host.len = host.len < HOST_MAX ? host.len : HOST_MAX;
    return host;
}

void tn_promise_message(struct tn_buf *out, const struct tn_link *link, yyjson_val *params, bool page)
{
    struct tn_slice host    = page ? host_of(tn_rpc_text(yyjson_obj_get(params, "url")))
                                   : (struct tn_slice){ "", 0 };
    struct tn_slice message = tn_rpc_text(yyjson_obj_get(params, "message"));
    const char     *name    = link->upstream->name;

    tn_buf_lit(out, "\"message\":\"[");
    tn_json_escaped(out, name, strlen(name));
    if (host.len > 0) {
        tn_buf_lit(out, ", ");
        tn_json_escaped(out, host.at, host.len);
    }
    tn_buf_lit(out, "] ");
    tn_json_escaped(out, message.at ? message.at : "", message.len);
    tn_buf_char(out, '"');
}

void tn_promise_params(struct tn_buf *out, const struct tn_link *link, struct tn_slice method,
                       yyjson_val *params, struct tn_slice text, bool modern, const char *id)
{
    bool              form  = tn_slice_is(method, "elicitation/create") && yyjson_is_obj(params);
    bool              page  = form && is_page(params);
    bool              names = form && (page || link->guard->upstream_count > 1);
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   each  = yyjson_obj_iter_with(params);
    struct tn_member  one;
    size_t            from;

    if (!names && !page) {
        tn_json_line(out, text.at, text.len);
        return;
    }
    tn_buf_char(out, '{');
    from = out->len;
    tn_promise_message(out, link, params, page);
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&each);

        if (!yyjson_equals_str(name, "message") && !(modern && yyjson_equals_str(name, "elicitationId")))
            tn_member_add(out, from, &one);
    }
    if (page && !modern && !yyjson_obj_get(params, "elicitationId")) {
        tn_buf_lit(out, ",\"elicitationId\":");
        tn_json_string(out, id, strlen(id));
    }
    tn_buf_char(out, '}');
}
