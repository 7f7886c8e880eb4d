/* wire.c - posts bytes past the client's own requests, and looks at every message that comes. */
#include "contract/fuzz/wire.h"

#include "json/read.h"
#include "json/write.h"

#define PROBE_FIRST ((int64_t)1 << 40) /* ids that no message of a test has */
#define PROBES_MAX  4                  /* an error without an id may be taken for an answer to ours */
#define SLICE_MS    20

const char *tn_wire_probe_method(const tenon_client *client)
{
    return tn_client_is_modern(client) ? "server/discover" : "ping";
}

void tn_wire_init(struct tn_wire *wire, tenon_client *client, struct tn_arena *arena)
{
    *wire = (struct tn_wire){ .client = client };
    tn_buf_init(&wire->heard, arena, 0, WIRE_HEARD_MAX);
    if (client->last_id < PROBE_FIRST)
        client->last_id = PROBE_FIRST;
}

static bool has_id(struct tn_slice message, struct tn_arena *arena, struct tn_slice id)
{
    static const struct tn_json_limits limits = { WIRE_HEARD_MAX, CLIENT_DEPTH_MAX, 1000000 };
    struct tn_json_text                read   = tn_json_read(arena, message.at, message.len, &limits);
    yyjson_val                        *value  = yyjson_obj_get(read.root, "id");
    struct tn_buf                      text;

    if (!value || yyjson_obj_get(read.root, "method"))
        return false;
    tn_buf_init(&text, arena, 32, 1024);
    tn_json_value(&text, value);
    return !text.failed && tn_slice_same(tn_buf_slice(&text), id);
}

static void take_message(void *user, struct tn_slice json)
{
    struct tn_wire *wire = user;
    char            own[32];
    struct tn_arena arena;
    int             len = snprintf(own, sizeof own, "%lld", (long long)wire->probe);

    tn_arena_init(&arena, &wire->client->memory, 0);
    if (!has_id(json, &arena, (struct tn_slice){ own, (size_t)len }) &&
        json.len + 1 < WIRE_HEARD_MAX - wire->heard.len) {
        tn_buf_add(&wire->heard, json.at, json.len);
        tn_buf_char(&wire->heard, '\n');
    }
    tn_arena_free(&arena);
}

static bool is_heard(struct tn_wire *wire, const char *id)
{
    struct tn_slice rest = tn_buf_slice(&wire->heard), line;
    struct tn_arena arena;
    bool            found = false;

    tn_arena_init(&arena, &wire->client->memory, 0);
    while (!found && tn_slice_split(&rest, '\n', &line)) {
        found = has_id(line, &arena, tn_slice_of(id));
        tn_arena_reset(&arena);
    }
    tn_arena_free(&arena);
    return found;
}

static void poll_once(struct tn_wire *wire)
{
    tenon_client_poll(wire->client, SLICE_MS);
    if (wire->step)
        wire->step(wire->user);
}

/* Does the server still answer? */
static bool answers(struct tn_wire *wire, int64_t until_ms)
{
    for (int i = 0; i < PROBES_MAX; i++) {
        tenon_request *probe = tenon_client_request(wire->client, tn_wire_probe_method(wire->client), NULL,
                                                    .timeout_ms = -1);
        tenon_request_state state;

        if (!probe)
            return false;
        wire->probe = probe->id;
        while (probe->state == TENON_REQUEST_OPEN && tn_client_now_ms() < until_ms)
            poll_once(wire);
        state = probe->state;
        tenon_request_free(probe);
        if (state == TENON_REQUEST_ANSWERED)
            return true;
        if (state != TENON_REQUEST_REFUSED || wire->client->stage == STAGE_LOST)
            return false;
        if (i + 1 == PROBES_MAX)
            return true; /* it refuses what it is asked, and says so */
    }
    return false;
}

/* With one line end where lines are messages; HTTP has a request of its own for each. */
static bool post(tenon_client *client, struct tn_slice message)
{
    const struct tn_parcel parcel = { .key = ++client->last_id, .answered = true, .json = message };

    return client->stage == STAGE_READY && client->transport->send(client->transport, &parcel);
}

enum tn_wire_end tn_wire_send(struct tn_wire *wire, struct tn_slice message, const char *id, int timeout_ms)
{
    tenon_client    *client   = wire->client;
    int64_t          until_ms = tn_client_now_ms() + timeout_ms, grace_ms;
    enum tn_wire_end end      = WIRE_UNANSWERED;

    client->tap      = take_message;
    client->tap_user = wire;
    if (!post(client, message) || !answers(wire, until_ms))
        end = client->stage == STAGE_LOST ? WIRE_LOST : WIRE_STUCK;
    grace_ms = tn_client_now_ms() + WIRE_GRACE_MS;
    while (end == WIRE_UNANSWERED && id && !is_heard(wire, id) && client->stage == STAGE_READY &&
           tn_client_now_ms() < grace_ms)
        poll_once(wire);
    if (end == WIRE_UNANSWERED && client->stage == STAGE_LOST)
        end = WIRE_LOST;
    if (end != WIRE_LOST && id && is_heard(wire, id))
        end = WIRE_ANSWERED;
    client->tap = NULL;
    return end;
}
