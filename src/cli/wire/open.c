/* open.c - keeping them. */
#include "cli/wire/open.h"

#include "base/memory.h"
#include "cli/value.h"
#include "cli/wire/relay.h"
#include "json/read.h"
#include "json/write.h"

#define ARENA_MAX (RELAY_LINE_MAX * 16)

static const struct tn_json_limits limits = { RELAY_LINE_MAX, 500, 4000000 };

static void keep(struct open_line *kept, struct tn_slice line)
{
    tenon_allocator memory = tn_memory_of(NULL);

    tn_memory_free(&memory, kept->at, kept->len);
    *kept = (struct open_line){ 0 };
    if (line.len == 0 || line.len > OPEN_AGAIN || !(kept->at = tn_memory_new(&memory, line.len)))
        return;
    memcpy(kept->at, line.at, line.len);
    kept->len = line.len;
}

/* The id of a message as JSON; false when it has none that can be kept. */
static bool read_id(struct tn_arena *arena, yyjson_val *message, char id[OPEN_ID_LEN])
{
    yyjson_val   *value = yyjson_obj_get(message, "id");
    struct tn_buf out;

    if (!yyjson_is_str(value) && !yyjson_is_num(value) && !yyjson_is_raw(value))
        return false;
    tn_buf_init(&out, arena, OPEN_ID_LEN, OPEN_ID_LEN - 1);
    tn_json_value(&out, value);
    if (out.failed)
        return false;
    memcpy(id, tn_buf_end(&out), out.len + 1);
    return true;
}

static void drop(struct open_requests *open, size_t nth)
{
    keep(&open->at[nth].again, (struct tn_slice){ NULL, 0 });
    open->at[nth] = open->at[--open->count];
}

static void note(struct open_requests *open, struct tn_slice method, struct tn_slice line, const char *id)
{
    if (tn_slice_is(method, "initialize")) {
        keep(&open->initialize, line);
        memcpy(open->session, id, OPEN_ID_LEN);
    }
    if (open->count == OPEN_MAX)
        return;
    open->at[open->count] = (struct open_request){ 0 };
    memcpy(open->at[open->count].id, id, OPEN_ID_LEN);
    open->at[open->count].listens = tn_slice_is(method, "subscriptions/listen");
    if (open->at[open->count].listens || tn_slice_is(method, "initialize"))
        keep(&open->at[open->count].again, line);
    open->count++;
}

bool open_note_sent(struct open_requests *open, struct tn_slice line, char id[OPEN_ID_LEN])
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    yyjson_val     *message;
    struct tn_slice method;
    bool            is_request;

    tn_arena_init(&arena, &memory, ARENA_MAX);
    message    = tn_json_read(&arena, line.at, line.len, &limits).root;
    method     = value_text(message, "method");
    is_request = method.len > 0 && read_id(&arena, message, id);
    if (is_request)
        note(open, method, line, id);
    else if (tn_slice_is(method, "notifications/initialized"))
        keep(&open->initialized, line);
    tn_arena_free(&arena);
    return is_request;
}

bool open_note_answer(struct open_requests *open, struct tn_slice line, char id[OPEN_ID_LEN])
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    yyjson_val     *message;
    bool            answers;

    tn_arena_init(&arena, &memory, ARENA_MAX);
    message = tn_json_read(&arena, line.at, line.len, &limits).root;
    answers = !yyjson_obj_get(message, "method") && read_id(&arena, message, id);
    for (size_t i = 0; answers && i < open->count; i++)
        if (strcmp(open->at[i].id, id) == 0) {
            drop(open, i);
            break;
        }
    tn_arena_free(&arena);
    return answers;
}

bool open_has(const struct open_requests *open, const char *id)
{
    for (size_t i = 0; i < open->count; i++)
        if (strcmp(open->at[i].id, id) == 0)
            return true;
    return false;
}

void open_forget(struct open_requests *open)
{
    for (size_t i = open->count; i > 0; i--)
        if (!open->at[i - 1].again.at)
            drop(open, i - 1);
}

void open_free(struct open_requests *open)
{
    while (open->count > 0)
        drop(open, 0);
    keep(&open->initialize, (struct tn_slice){ NULL, 0 });
    keep(&open->initialized, (struct tn_slice){ NULL, 0 });
}
