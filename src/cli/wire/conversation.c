/* conversation.c - sending, and waiting. */
#define _GNU_SOURCE
#include "cli/wire/conversation.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/value.h"
#include "cli/wire/relay.h"
#include "json/read.h"
#include "json/write.h"

static const struct tn_json_limits limits = { RELAY_LINE_MAX, 500, 4000000 };

static int64_t now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

bool conversation_open(struct conversation *talk, struct tn_arena *arena, char *const *words)
{
    int error = program_start(&talk->program, words);

    talk->arena = arena;
    if (error)
        snprintf(talk->why, sizeof talk->why, "cannot run %.100s: %s", words[0], strerror(error));
    else if (!tn_lines_init(&talk->lines, NULL, RELAY_LINE_MAX)) {
        snprintf(talk->why, sizeof talk->why, "out of memory");
        program_stop(&talk->program);
        error = ENOMEM;
    }
    return error == 0;
}

void conversation_close(struct conversation *talk)
{
    program_stop(&talk->program);
    tn_lines_free(&talk->lines);
}

/* ---- What comes ------------------------------------------------------------------------------------------------- */

static bool take_lines(struct conversation *talk)
{
    struct tn_slice   line;
    enum tn_line_next next;

    while ((next = tn_lines_next(&talk->lines, &line)) == LINE_READ) {
        yyjson_val  *message = tn_json_read(talk->arena, line.at, line.len, &limits).root;
        struct came *came    = yyjson_obj_get(message, "id") ? tn_arena_array(talk->arena, 1, struct came)
                                                             : NULL;

        if (!came)
            continue;
        *came = (struct came){ .message = message };
        if (talk->last)
            talk->last->next = came;
        else
            talk->first = came;
        talk->last = came;
    }
    if (next == LINE_NONE && !talk->arena->failed)
        return true;
    snprintf(talk->why, sizeof talk->why, "the server writes more than can be kept");
    return false;
}

/* Reads what there is. False, and why, when no more will come. */
static bool read_some(struct conversation *talk)
{
    size_t  room;
    char   *at  = tn_lines_room(&talk->lines, &room);
    ssize_t got = read(talk->program.out, at, room);

    if (got > 0) {
        tn_lines_added(&talk->lines, (size_t)got);
        return take_lines(talk);
    }
    if (got < 0 && errno == EINTR)
        return true;
    snprintf(talk->why, sizeof talk->why, "the server has ended");
    return false;
}

/* Waits until something can be read, or written where `writes`. False, and why, at the time limit and at the end. */
static bool wait_for(struct conversation *talk, bool writes, int64_t until_ms)
{
    struct pollfd wanted[] = { { talk->program.out, POLLIN, 0 },
                               { writes ? talk->program.in : -1, POLLOUT, 0 } };
    int64_t       left     = until_ms - now_ms();

    if (left <= 0 || poll(wanted, 2, (int)left) == 0) {
        snprintf(talk->why, sizeof talk->why, "none within %d s", talk->timeout_ms / 1000);
        return false;
    }
    return !wanted[0].revents || read_some(talk);
}

/* ---- What goes -------------------------------------------------------------------------------------------------- */

static yyjson_val *match_of(const struct conversation *talk, yyjson_val *id)
{
    for (const struct matched *one = talk->matched; one; one = one->next)
        if (yyjson_equals(one->then, id))
            return one->now;
    return NULL;
}

void conversation_match(struct conversation *talk, yyjson_val *then, yyjson_val *now)
{
    struct matched *one = tn_arena_array(talk->arena, 1, struct matched);

    if (!one)
        return;
    *one          = (struct matched){ then, now, talk->matched };
    talk->matched = one;
}

/* An answer has the id of the question that is open now. */
static void write_message(const struct conversation *talk, struct tn_buf *out, yyjson_val *message)
{
    yyjson_obj_iter all = yyjson_obj_iter_with(message);
    yyjson_val     *now = yyjson_obj_get(message, "method") ? NULL
                                                            : match_of(talk, yyjson_obj_get(message, "id"));
    yyjson_val     *name;
    char            mark = '{';

    while ((name = yyjson_obj_iter_next(&all))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name);

        tn_buf_char(out, mark);
        mark = ',';
        tn_json_value(out, name);
        tn_buf_char(out, ':');
        tn_json_value(out, now && yyjson_equals_str(name, "id") ? now : value);
    }
    tn_buf_lit(out, "}\n");
}

bool conversation_send(struct conversation *talk, yyjson_val *message)
{
    int64_t       until   = now_ms() + talk->timeout_ms;
    size_t        written = 0;
    struct tn_buf out;

    tn_buf_init(&out, talk->arena, 256, RELAY_LINE_MAX * 2);
    write_message(talk, &out, message);
    if (out.failed) {
        snprintf(talk->why, sizeof talk->why, "out of memory");
        return false;
    }
    while (written < out.len) {
        ssize_t put = write(talk->program.in, out.at + written, out.len - written);

        if (put > 0)
            written += (size_t)put;
        else if (put < 0 && errno != EAGAIN && errno != EINTR) {
            snprintf(talk->why, sizeof talk->why, "the server has ended");
            return false;
        } else if (!wait_for(talk, true, until)) {
            snprintf(talk->why, sizeof talk->why, "the server does not read its input");
            return false;
        }
    }
    return true;
}

/* ---- What is waited for ----------------------------------------------------------------------------------------- */

/* The first question, or with `id` the answer to that; it is taken out of what is kept. */
static yyjson_val *take(struct conversation *talk, yyjson_val *id)
{
    struct came **at = &talk->first, *before = NULL, *one;

    for (; (one = *at); before = one, at = &one->next) {
        bool is_question = yyjson_obj_get(one->message, "method") != NULL;

        if (is_question != !id || (id && !yyjson_equals(yyjson_obj_get(one->message, "id"), id)))
            continue;
        *at = one->next;
        if (talk->last == one)
            talk->last = before;
        return one->message;
    }
    return NULL;
}

yyjson_val *conversation_wait(struct conversation *talk, yyjson_val *id)
{
    int64_t     until = now_ms() + talk->timeout_ms;
    yyjson_val *found;

    while (!(found = take(talk, id)))
        if (!wait_for(talk, false, until))
            return NULL;
    return found;
}
