/* relay.c - the loop. */
#define _GNU_SOURCE
#include "cli/wire/relay.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

static bool channel_init(struct channel *channel, int in, int out)
{
    tenon_allocator memory = tn_memory_of(NULL);

    *channel = (struct channel){ .in = in, .out = out };
    tn_arena_init(&channel->arena, &memory, 0);
    tn_buf_init(&channel->pending, &channel->arena, 0, RELAY_LINE_MAX * 2);
    return tn_lines_init(&channel->lines, &memory, RELAY_LINE_MAX);
}

static void channel_free(struct channel *channel)
{
    tn_lines_free(&channel->lines);
    tn_arena_free(&channel->arena);
}

static bool has_pending(const struct channel *channel)
{
    return channel->pending.len > channel->written;
}

static void channel_add(struct channel *channel, struct tn_slice line)
{
    tn_buf_add(&channel->pending, line.at, line.len);
    tn_buf_char(&channel->pending, '\n');
}

/* Standard output may be shared with others, so it is left as it is: a socket is written without waiting, and a pipe that is ready
 * takes so much without waiting. */
static ssize_t put(int fd, const char *at, size_t len)
{
    ssize_t sent = send(fd, at, len, MSG_DONTWAIT | MSG_NOSIGNAL);

    return sent < 0 && errno == ENOTSOCK ? write(fd, at, len < PIPE_BUF ? len : PIPE_BUF) : sent;
}

static void channel_write(struct channel *channel)
{
    ssize_t sent = put(channel->out, channel->pending.at + channel->written,
                       channel->pending.len - channel->written);

    if (sent > 0)
        channel->written += (size_t)sent;
    else if (sent < 0 && errno != EAGAIN && errno != EINTR)
        channel->out = -1; /* its reader is gone */
    if (!has_pending(channel) || channel->out < 0)
        channel->pending.len = channel->written = 0;
}

/* Hands over what has come. False when a line is too long. */
static bool take_lines(struct relay *relay, enum relay_side side, bool last)
{
    struct channel   *channel = &relay->channels[side];
    struct tn_slice   line;
    enum tn_line_next next;

    while ((next = tn_lines_next(&channel->lines, &line)) == LINE_READ ||
           (last && next == LINE_NONE && (next = tn_lines_last(&channel->lines, &line)) == LINE_READ))
        if (!relay->line || relay->line(relay->user, side, line))
            channel_add(channel, line);
    if (next != LINE_TOO_LONG && !channel->pending.failed)
        return true;
    console_error(relay->console, "a line of the %s is longer than %zu MiB",
                  side == FROM_CLIENT ? "client" : "server", RELAY_LINE_MAX >> 20);
    return false;
}

static bool channel_read(struct relay *relay, enum relay_side side)
{
    struct channel *channel = &relay->channels[side];
    size_t          room;
    char           *at  = tn_lines_room(&channel->lines, &room);
    ssize_t         got = read(channel->in, at, room);

    if (got > 0)
        tn_lines_added(&channel->lines, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        channel->in = -1;
    return take_lines(relay, side, channel->in < 0);
}

/* ---- The program ------------------------------------------------------------------------------------------------ */

static bool start(struct relay *relay)
{
    int error = program_start(&relay->program, relay->words);

    if (error)
        console_error(relay->console, "cannot run %s: %s", relay->words[0], strerror(error));
    return error == 0;
}

bool relay_open(struct relay *relay)
{
    if (!start(relay))
        return false;
    if (channel_init(&relay->channels[FROM_CLIENT], STDIN_FILENO, relay->program.in) &&
        channel_init(&relay->channels[FROM_SERVER], relay->program.out, STDOUT_FILENO))
        return true;
    console_error(relay->console, "out of memory");
    return false;
}

void relay_close(struct relay *relay)
{
    program_stop(&relay->program);
    for (size_t i = 0; i < RELAY_SIDES; i++)
        channel_free(&relay->channels[i]);
}

bool relay_restart(struct relay *relay)
{
    struct channel *to = &relay->channels[FROM_CLIENT], *from = &relay->channels[FROM_SERVER];

    program_stop(&relay->program);
    if (!start(relay))
        return false;
    to->pending.len = to->written = 0;
    to->out                       = relay->program.in;
    from->in                      = relay->program.out;
    tn_lines_free(&from->lines); /* half a line of the program that is gone */
    return tn_lines_init(&from->lines, NULL, RELAY_LINE_MAX);
}

/* ---- The loop --------------------------------------------------------------------------------------------------- */

void relay_send(struct relay *relay, enum relay_side from, struct tn_slice line)
{
    channel_add(&relay->channels[from], line);
}

/* Everything that the client sent has been passed on: the program sees the end of its input. */
static void pass_end(struct relay *relay)
{
    struct channel *client = &relay->channels[FROM_CLIENT];

    if (client->in >= 0 || has_pending(client) || relay->program.in < 0)
        return;
    close(relay->program.in);
    relay->program.in = client->out = -1;
}

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* A client that ends us ends the program, too, which is in a group of its own. */
static void take_interrupts(void)
{
    static const int ends[] = { SIGHUP, SIGINT, SIGTERM };
    struct sigaction action = { .sa_handler = note_interrupt };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &action, NULL);
}

static int64_t now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

/* How long the next wait may be; 0 when the program had its time. */
static int wait_ms(struct relay *relay)
{
    int64_t left = INT_MAX;

    if (relay->patience_ms > 0 && relay->channels[FROM_CLIENT].in < 0) {
        if (relay->gone_ms == 0)
            relay->gone_ms = now_ms();
        left = relay->gone_ms + relay->patience_ms - now_ms();
    }
    if (relay->tick && left > relay->tick_ms)
        left = relay->tick_ms;
    return left == INT_MAX ? -1 : left > 0 ? (int)left : 0;
}

bool relay_run(struct relay *relay)
{
    struct channel *client = &relay->channels[FROM_CLIENT], *server = &relay->channels[FROM_SERVER];
    int             wait;

    take_interrupts();
    while (!interrupted && (wait = wait_ms(relay)) != 0) {
        struct pollfd wanted[2 * RELAY_SIDES];

        pass_end(relay);
        if (server->out < 0 || (server->in < 0 && !has_pending(server) && (!relay->tick || client->in < 0)))
            return true;
        for (size_t i = 0; i < RELAY_SIDES; i++) {
            struct channel *channel = &relay->channels[i];

            bool waits = has_pending(channel) || (i == FROM_CLIENT && relay->client_waits);

            wanted[2 * i]     = (struct pollfd){ waits ? -1 : channel->in, POLLIN, 0 };
            wanted[2 * i + 1] = (struct pollfd){ has_pending(channel) ? channel->out : -1, POLLOUT, 0 };
        }
        if (poll(wanted, 2 * RELAY_SIDES, wait) < 0)
            continue; /* a signal */
        for (size_t i = 0; i < RELAY_SIDES; i++) {
            if (wanted[2 * i + 1].revents)
                channel_write(&relay->channels[i]);
            if (wanted[2 * i].revents && !channel_read(relay, (enum relay_side)i))
                return false;
        }
        if (relay->tick)
            relay->tick(relay->user);
    }
    return true;
}
