/* trial.c - what a dry run would have done. */
#define _GNU_SOURCE
#include "guard/config/trial.h"

#include "guard/catalog.h"
#include "guard/phrases.h"
#include "json/read.h"

#define WHY_MAX ((size_t)1000)

static bool is_trial(const struct tn_relay *relay)
{
    return relay->link->guard->policy.dry_run;
}

static void say(const struct tn_relay *relay, const char *format, const char *why)
{
    tn_log_line(&relay->link->guard->server->log, LOG_INFO, format, relay->link->upstream->name,
                relay->tool->published.at, why);
}

bool tn_trial_passes(const struct tn_relay *relay, const char *why)
{
    if (!is_trial(relay))
        return false;
    say(relay, GUARD_LOG_WOULD_REFUSE, why);
    return true;
}

/* Sentences of a list, as one. */
static const char *joined(struct tn_arena *arena, yyjson_val *list, const char *member)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(list);
    yyjson_val     *item;
    struct tn_buf   out;

    tn_buf_init(&out, arena, 0, WHY_MAX);
    while ((item = yyjson_arr_iter_next(&items)) && out.len < WHY_MAX / 2) {
        struct tn_slice text = tn_json_slice(member ? yyjson_obj_get(item, member) : item);

        tn_buf_addf(&out, "%s%.*s", out.len ? "; " : "",
                    (int)(text.len < WHY_MAX / 4 ? text.len : WHY_MAX / 4), text.at ? text.at : "");
    }
    return tn_buf_end(&out) ? out.at : "";
}

static yyjson_val *value_of(struct tn_arena *arena, struct tn_slice text)
{
    const struct tn_json_limits limits = { text.len, 64, text.len + 1 };

    return text.len > 0 ? tn_json_read(arena, text.at, text.len, &limits).root : NULL;
}

void tn_trial_admit(const struct tn_relay *relay, struct tn_admission *admission)
{
    struct tn_arena *arena = &relay->x->arena;
    yyjson_val      *error, *issues;

    if (!is_trial(relay))
        return;
    if (!admission->admitted) {
        error  = yyjson_obj_get(value_of(arena, admission->refusal), "error");
        issues = yyjson_obj_get(yyjson_obj_get(error, "details"), "issues");
        say(relay, GUARD_LOG_WOULD_REFUSE,
            yyjson_arr_size(issues) > 0 ? joined(arena, issues, "message")
            : yyjson_is_str(yyjson_obj_get(error, "message"))
                ? yyjson_get_str(yyjson_obj_get(error, "message"))
                : "");
    } else if (admission->arguments.len > 0 || admission->said.len > 0) {
        say(relay, GUARD_LOG_WOULD_REPAIR, joined(arena, value_of(arena, admission->said), NULL));
    }
    *admission = (struct tn_admission){ .admitted = true };
}
