/* replay_fuzz.c - a store of streams, driven by bytes, stays within its bounds and gives every event once and in order; ids
 * that it did not make lead nowhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/http/replay.h"
#include "support/fault.h"

#define STREAMS 6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

struct side {
    struct tn_replay_reader reader;
    struct replay          *replay; /* held */
    unsigned long           seen;   /* the number of the last event */
    unsigned                wakes;
};

static int64_t at_ms;

static int64_t now(void *user)
{
    (void)user;
    return at_ms;
}

static void wake(struct tn_replay_reader *reader)
{
    ((struct side *)reader)->wakes++;
}

/* Every event that came: numbered upwards, its data what was kept under that number. */
static void check_events(struct side *side, const char *text)
{
    unsigned long stream, number, said;

    while (*text) {
        int used = 0;

        must(sscanf(text, "id: %*16[0-9a-f]-%lx-%lu\ndata: %lu x%n", &stream, &number, &said, &used) == 3);
        must(number == said && number > side->seen);
        side->seen = number;
        text += used;
        text += strspn(text, "x");
        must(strncmp(text, "\n\n", 2) == 0);
        text += 2;
    }
}

static void read_all(struct side *side, struct tn_arena *arena)
{
    struct tn_buf out;

    if (!side->replay)
        return;
    tn_buf_init(&out, arena, 0, 1 << 20);
    tn_replay_read(side->replay, &side->reader, &out);
    tn_buf_char(&out, '\0');
    must(!out.failed);
    check_events(side, out.at);
    tn_arena_reset(arena);
}

static void let_go(struct side *side)
{
    if (!side->replay)
        return;
    tn_replay_leave(side->replay, &side->reader);
    tn_replay_release(side->replay);
    side->replay = NULL;
}

static void keep(struct side *side, unsigned long *numbers, size_t i, uint8_t size, bool may_be_lost)
{
    char text[400];
    int  used = snprintf(text, sizeof text, "%lu x", numbers[i] + 1);

    if (!side->replay || tn_replay_is_lost(side->replay))
        return;
    memset(text + used, 'x', size);
    tn_replay_keep(side->replay, (struct tn_slice){ text, (size_t)used + size }, may_be_lost);
    numbers[i]++;
}

/* `rest` comes from the input: as an id it leads nowhere, since the input cannot know the boot that is put before it then. */
static void resume(struct replays *replays, struct side *side, struct tn_slice session, struct tn_slice rest)
{
    unsigned long   stream, number;
    char            id[REPLAY_ID_MAX + 64 + 1];
    struct tn_slice boot = tn_replays_boot(replays), nobody = { NULL, 0 };
    struct tn_slice event = { id, boot.len + 1 + rest.len };
    struct replay  *replay;

    let_go(side);
    must(!tn_replay_resume(replays, session, nobody, rest, &side->reader));
    memcpy(id, boot.at, boot.len);
    id[boot.len] = '-';
    memcpy(id + boot.len + 1, rest.at, rest.len);
    id[event.len] = '\0';
    replay        = tn_replay_resume(replays, session, nobody, event, &side->reader);
    if (!replay)
        return;
    must(event.len <= REPLAY_ID_MAX);
    must(sscanf(id + boot.len + 1, "%lx-%lu", &stream, &number) == 2);
    side->replay = replay;
    side->seen   = number;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct tn_replay_limits limits = {
        .stream_bytes = 300, .total_bytes = 1000, .streams = 4, .session_streams = 2, .keep_ms = 50
    };
    static const struct tn_slice sessions[] = { { "a", 1 }, { "bb", 2 }, { "ccc", 3 } };
    struct tn_fault              fault      = { .refuse_at = len > 0 && data[0] > 200 ? data[0] - 200U : 0 };
    tenon_allocator              memory     = tn_fault_allocator(&fault);
    struct replays *replays        = tn_replays_new(&memory, (struct tn_clock){ now, now, NULL }, &limits);
    struct side     sides[STREAMS] = { 0 }, readers[STREAMS] = { 0 };
    unsigned long   numbers[STREAMS] = { 0 };
    struct tn_arena arena;

    if (!replays)
        return 0;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < STREAMS; i++)
        sides[i].reader = readers[i].reader = (struct tn_replay_reader){ wake };
    for (size_t at = 1; at + 1 < len; at += 2) {
        size_t          i       = data[at] % STREAMS;
        struct tn_slice session = sessions[(data[at + 1] >> 6) % 3];
        size_t          left    = len - at - 2;
        size_t          id_len  = data[at + 1] & 63;

        switch (data[at] / STREAMS % 9) {
        case 0:
            let_go(&sides[i]);
            sides[i].replay = tn_replay_open(replays, session, (struct tn_slice){ NULL, 0 }, NULL,
                                             &sides[i].reader);
            sides[i].seen = numbers[i] = 0;
            break;
        case 1: keep(&sides[i], numbers, i, data[at + 1], false); break;
        case 2: read_all(&sides[i], &arena); break;
        case 3: read_all(&readers[i], &arena); break;
        case 4:
            resume(replays, &readers[i], session,
                   (struct tn_slice){ (const char *)data + at + 2, id_len < left ? id_len : left });
            at += id_len < left ? id_len : left;
            break;
        case 5: let_go(&readers[i]); break;
        case 6: tn_replays_forget(replays, session); break;
        case 7:
            at_ms += data[at + 1];
            tn_replays_tick(replays);
            break;
        default:
            if (sides[i].replay)
                tn_replay_end(sides[i].replay);
            numbers[i] = 0;
            let_go(&sides[i]);
            break;
        }
    }
    for (size_t i = 0; i < STREAMS; i++) {
        let_go(&sides[i]);
        let_go(&readers[i]);
    }
    tn_replays_free(replays);
    must(fault.blocks == 0);
    tn_arena_free(&arena);
    return 0;
}
