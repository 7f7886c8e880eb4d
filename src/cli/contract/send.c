/* send.c - a message that no client would send, for people who look at what a server makes of it. */
#include "cli/contract/send.h"

#include "cli/file.h"
#include "cli/show.h"
#include "contract/fuzz/wire.h"
#include "json/read.h"
#include "json/write.h"

#define ID_MAX 200

static bool read_message(struct remote *remote, const char *given, struct tn_slice *text)
{
    struct file file;

    *text = tn_slice_of(given);
    if (strcmp(given, "-") != 0)
        return true;
    file  = file_read(&remote->arena, "-");
    *text = file.text;
    if (file.why)
        console_error(remote->console, "<stdin>: %s", file.why);
    while (!file.why && text->len > 0 && text->at[text->len - 1] == '\n')
        text->len--; /* the line end is added again */
    return !file.why;
}

/* The id that an answer has, as JSON; NULL when the message is none that is answered. */
static const char *find_id(struct remote *remote, struct tn_slice text)
{
    static const struct tn_json_limits limits = { (size_t)16 << 20, 1000, 1000000 };
    struct tn_slice                    line = text, rest = text;
    yyjson_val                        *root, *id;
    struct tn_buf                      out;

    if (tn_slice_split(&rest, '\n', &line) && rest.len == 0)
        line = text;
    root = tn_json_read(&remote->arena, line.at, line.len, &limits).root;
    id   = yyjson_obj_get(root, "id");
    if (!yyjson_is_str(id) && !yyjson_is_int(id))
        return NULL;
    tn_buf_init(&out, &remote->arena, 32, ID_MAX);
    tn_json_value(&out, id);
    return tn_buf_end(&out) ? out.at : NULL;
}

/* Is the last message a result that went well? */
static enum ending ending_of(struct remote *remote, struct tn_slice heard)
{
    static const struct tn_json_limits limits = { WIRE_HEARD_MAX, 200, 1000000 };
    struct tn_slice                    line;
    enum ending                        ending = ENDING_GOOD;

    while (tn_slice_split(&heard, '\n', &line)) {
        yyjson_val *root   = tn_json_read(&remote->arena, line.at, line.len, &limits).root;
        yyjson_val *result = yyjson_obj_get(root, "result");

        if (yyjson_obj_get(root, "error") || yyjson_is_true(yyjson_obj_get(result, "isError")))
            ending = ENDING_BAD;
    }
    return ending;
}

enum ending send_message(struct remote *remote, const char *text)
{
    struct tn_wire   wire;
    struct tn_slice  message, heard;
    enum tn_wire_end end;
    const char      *id;

    if (!read_message(remote, text, &message))
        return ENDING_UNUSABLE;
    id = find_id(remote, message);
    tn_wire_init(&wire, remote->client, &remote->arena);
    end   = tn_wire_send(&wire, message, id, remote->timeout_ms);
    heard = tn_buf_slice(&wire.heard);
    show_raw(remote->console->out, heard.len > 0 ? (struct tn_slice){ heard.at, heard.len - 1 } : heard);
    switch (end) {
    case WIRE_LOST: console_error(remote->console, "%s", tenon_client_error(remote->client)); break;
    case WIRE_STUCK:
        console_error(remote->console, "no answer within %d s, and none to a later question",
                      remote->timeout_ms / 1000);
        break;
    case WIRE_UNANSWERED:
        if (!id)
            return ending_of(remote, heard);
        console_error(remote->console, "no answer, though the server answers a later question");
        break;
    case WIRE_ANSWERED: return ending_of(remote, heard);
    }
    return ENDING_UNUSABLE;
}
