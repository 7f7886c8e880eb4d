/* ask.c - questions to legacy clients: requests with ids of the guard's own. */
#define _GNU_SOURCE
#include "guard/ask.h"

#include <string.h>

#include "base/memory.h"
#include "guard/member.h"
#include "guard/phrases.h"
#include "guard/relay.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/session.h"

#define ID_MAX       48
#define QUESTION_MAX ((size_t)16 << 20)

struct tn_asked {
    struct tn_asked *next;
    tenon_question  *question;
    char             id[ID_MAX]; /* as JSON */
};

/* The params: as they came, when it came as a request. */
static void write_question(struct tn_buf *out, const struct tn_link *link, const struct tn_asked *asked)
{
    const tenon_question *question = asked->question;
    struct tn_slice       params   = question->request ? (struct tn_slice){ NULL, 0 }
                                                       : tn_member_of(link->raw, "params");

    tn_buf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":", asked->id);
    tn_json_string(out, question->method, strlen(question->method));
    if (params.len > 0 || question->params)
        tn_buf_lit(out, ",\"params\":");
    if (params.len > 0)
        tn_json_line(out, params.at, params.len);
    else if (question->params)
        tn_json_value(out, question->params);
    tn_buf_char(out, '}');
}

/* The exchange on whose stream it is asked: that of its request, or of the only one that runs. NULL: beside all. */
static struct tn_exchange *stream_of(struct tn_link *link, const tenon_question *question)
{
    struct tn_ring *first = link->sent.after;

    if (question->request)
        return ((struct tn_relay *)question->request->options.user)->x;
    return first != &link->sent && first->after == &link->sent ? ((struct tn_relay *)first)->x : NULL;
}

/* Sends it. False when there is no client to be asked. */
static bool ask_send(struct tn_link *link, const struct tn_asked *asked)
{
    struct tn_exchange *x = stream_of(link, asked->question);
    struct tn_arena     arena;
    struct tn_buf       out;
    bool                sent;

    tn_arena_init(&arena, &link->guard->memory, 0);
    tn_buf_init(&out, &arena, 512, QUESTION_MAX);
    write_question(&out, link, asked);
    sent = !out.failed && (x || link->owner);
    if (sent && x)
        sent = tn_exchange_send(x, OUT_REQUEST, tn_buf_slice(&out));
    else if (sent)
        tn_session_push(link->owner, tn_buf_slice(&out));
    tn_arena_free(&arena);
    return sent;
}

void tn_ask_client(struct tn_link *link, tenon_question *question)
{
    struct tn_asked *asked = tn_memory_new(&link->guard->memory, sizeof *asked);

    if (!asked) {
        tenon_question_refuse(question, NULL);
        return;
    }
    *asked = (struct tn_asked){ .next = link->questions, .question = question };
    snprintf(asked->id, sizeof asked->id, "\"%s-g%llu\"", link->guard->server->boot,
             (unsigned long long)++link->asked);
    link->questions = asked;
    if (ask_send(link, asked))
        return;
    link->questions = asked->next;
    tn_memory_free(&link->guard->memory, asked, sizeof *asked);
    tenon_question_refuse(question, NULL);
}

static void settle(tenon_question *question, yyjson_val *root, struct tn_slice message)
{
    struct tn_slice result = tn_member_of(message, "result"), error = tn_member_of(message, "error");
    struct tn_arena arena;
    const char     *text;

    tn_arena_init(&arena, &question->client->memory, 0);
    text = tn_arena_copy(&arena, result.len > 0 ? result.at : error.at,
                         result.len > 0 ? result.len : error.len);
    if (!text || (result.len > 0 && tenon_question_answer(question, text) != TENON_OK))
        tenon_question_refuse(question, NULL);
    else if (result.len == 0 && text)
        tn_question_fail(question, text,
                         tn_rpc_text(yyjson_obj_get(yyjson_obj_get(root, "error"), "message")));
    tn_arena_free(&arena);
}

bool tn_ask_answered(struct tn_link *link, struct tn_exchange *x, struct tn_slice message)
{
    const struct tn_json_limits limits = { SIZE_MAX, CLIENT_DEPTH_MAX, CLIENT_NODES(message.len) };
    struct tn_asked           **at     = &link->questions, *asked;
    struct tn_json_text         text;

    while (*at && !tn_slice_is(x->id, (*at)->id))
        at = &(*at)->next;
    asked = *at;
    if (!asked)
        return false;
    *at  = asked->next;
    text = tn_json_read(&x->arena, message.at, message.len, &limits);
    settle(asked->question, text.root, message);
    tn_memory_free(&link->guard->memory, asked, sizeof *asked);
    tn_link_arm(link);
    return true;
}

void tn_ask_forget(struct tn_link *link)
{
    while (link->questions) {
        struct tn_asked *asked = link->questions;

        link->questions = asked->next;
        tn_memory_free(&link->guard->memory, asked, sizeof *asked);
    }
}
