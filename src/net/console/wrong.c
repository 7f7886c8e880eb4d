/* wrong.c - what callers get wrong: tool, parameter and code with counts, and the unknown names that were sent most.
 *
 * Rows are few and names are the callers' own, so that the rarest row makes room for a new one: what is sent often stays. Values
 * are never kept here.
 */
#define _GNU_SOURCE
#include "net/console/feed_inside.h"

#define MINUTE_MS 60000
#define KEY_MAX   ((size_t)512)

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The places of a list are one: a star stands for them. */
static void fold_places(char *to, size_t room, struct tn_slice from)
{
    char            folded[2 * FEED_NAME];
    size_t          len  = 0;
    struct tn_slice part = from;
    bool            path = from.len > 0 && from.at[0] == '/';

    for (size_t i = 0; path && i < part.len && len < sizeof folded - 1; i++) {
        size_t end = i + 1;

        folded[len++] = part.at[i];
        while (part.at[i] == '/' && end < part.len && part.at[end] >= '0' && part.at[end] <= '9')
            end++;
        if (end == i + 1 || (end < part.len && part.at[end] != '/'))
            continue;
        folded[len++] = '*';
        i             = end - 1;
    }
    tn_feed_copy(to, room, path ? (struct tn_slice){ folded, len } : from);
}

static uint64_t hash_of(const char *tool, const char *parameter, const char *code)
{
    char key[KEY_MAX];
    int  len = snprintf(key, sizeof key, "%s\n%s\n%s", tool, parameter, code);

    return tn_table_hash((struct tn_slice){ key, len > 0 && (size_t)len < sizeof key ? (size_t)len : 0 });
}

/* The row of that hash, or the rarest one, emptied. */
static struct tn_feed_row *row_of(struct tn_feed_row *rows, size_t count, uint64_t hash)
{
    struct tn_feed_row *rarest = rows;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].count > 0 && rows[i].hash == hash)
            return &rows[i];
        if (rows[i].count < rarest->count ||
            (rows[i].count == rarest->count && rows[i].last_ms < rarest->last_ms))
            rarest = &rows[i];
    }
    *rarest = (struct tn_feed_row){ .hash = hash };
    return rarest;
}

static void count_caller(struct tn_feed_row *row, struct tn_slice caller)
{
    uint64_t hash = tn_table_hash(caller);

    for (size_t i = 0; i < row->caller_count; i++)
        if (row->callers[i] == hash)
            return;
    if (row->caller_count < FEED_CALLERS)
        row->callers[row->caller_count++] = hash;
}

/* Moves the minutes so that the last one is `minute`. */
static void reach_minute(struct tn_feed_row *row, int64_t minute)
{
    int64_t passed = minute - row->minute;
    size_t  by     = passed < 0 ? 0 : passed > FEED_MINUTES ? FEED_MINUTES : (size_t)passed;

    for (size_t i = 0; i < FEED_MINUTES; i++)
        row->recent[i] = i + by < FEED_MINUTES ? row->recent[i + by] : 0;
    if (passed > 0)
        row->minute = minute;
}

static void count_row(struct tn_feed *feed, const struct tn_call_report *report,
                      const struct tn_call_issue *issue)
{
    char                parameter[FEED_NAME + 1], tool[2 * FEED_NAME + 1], code[FEED_CODE + 1];
    struct tn_feed_row *row;
    uint64_t            hash;
    int64_t             now_ms = report->started_ms;

    fold_places(parameter, sizeof parameter, issue->parameter);
    tn_feed_copy(tool, sizeof tool, tn_slice_of(report->tool));
    tn_feed_copy(code, sizeof code, tn_slice_of(issue->code));
    hash = hash_of(tool, parameter, code);
    row  = issue->unknown ? row_of(feed->unknown, FEED_UNKNOWN, hash) : row_of(feed->rows, FEED_ROWS, hash);
    if (row->count++ == 0) {
        memcpy(row->tool, tool, sizeof tool);
        memcpy(row->parameter, parameter, sizeof parameter);
        memcpy(row->code, code, sizeof code);
        row->minute = now_ms / MINUTE_MS;
    }
    row->last_ms = now_ms;
    reach_minute(row, now_ms / MINUTE_MS);
    row->recent[FEED_MINUTES - 1]++;
    count_caller(row, report->caller);
    tn_feed_copy(row->text, sizeof row->text, issue->text);
    tn_feed_copy(row->nearest, sizeof row->nearest, issue->nearest);
}

void tn_feed_count_wrong(struct tn_feed *feed, const struct tn_call_report *report)
{
    feed->coerced += report->coerced;
    feed->clamped += report->clamped;
    for (size_t i = 0; report->forms && i < FORMS; i++)
        feed->forms[i] += report->forms[i];
    for (size_t i = 0; i < report->found_count; i++)
        count_row(feed, report, &report->found[i]);
}

/* ---- What is shown ------------------------------------------------------------------------------------------------ */

static void write_text(tenon_writer *to, const char *key, const char *text)
{
    tenon_write_bytes(to, key, text, strlen(text));
}

static void write_row(tenon_writer *to, struct tn_feed_row *row, int64_t minute)
{
    tenon_write_object(to, NULL);
    write_text(to, "tool", row->tool);
    write_text(to, "parameter", row->parameter);
    write_text(to, "code", row->code);
    tenon_write_int(to, "count", (int64_t)row->count);
    tenon_write_int(to, "callers", (int64_t)row->caller_count);
    tenon_write_int(to, "last", row->last_ms);
    write_text(to, "message", row->text);
    if (row->nearest[0])
        write_text(to, "nearest", row->nearest);
    reach_minute(row, minute);
    tenon_write_array(to, "recent");
    for (size_t i = 0; i < FEED_MINUTES; i++)
        tenon_write_int(to, NULL, row->recent[i]);
    tenon_write_end(to);
    tenon_write_end(to);
}

static size_t write_rows(tenon_writer *to, struct tn_feed_row *rows, size_t count, int64_t minute)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].count == 0)
            continue;
        write_row(to, &rows[i], minute);
        kept++;
    }
    return kept;
}

static void write_repair(tenon_writer *to, const char *kind, uint64_t count)
{
    if (count == 0)
        return;
    tenon_write_object(to, NULL);
    tenon_write_str(to, "kind", kind);
    tenon_write_int(to, "count", (int64_t)count);
    tenon_write_end(to);
}

void tn_feed_write_wrong(struct tn_feed *feed, tenon_writer *to)
{
    int64_t minute;
    size_t  kept;

    pthread_mutex_lock(&feed->lock);
    minute = feed->second * 1000 / MINUTE_MS;
    tenon_write_int(to, "since", feed->began_ms);
    tenon_write_int(to, "calls", (int64_t)feed->total);
    tenon_write_int(to, "refused", (int64_t)feed->refused);
    tenon_write_array(to, "rows");
    kept = write_rows(to, feed->rows, FEED_ROWS, minute);
    kept += write_rows(to, feed->unknown, FEED_UNKNOWN, minute);
    tenon_write_end(to);
    tenon_write_int(to, "kept", (int64_t)kept);
    tenon_write_int(to, "most", FEED_ROWS + FEED_UNKNOWN);
    tenon_write_array(to, "repairs");
    write_repair(to, "coerced", feed->coerced);
    write_repair(to, "clamped", feed->clamped);
    for (size_t i = 0; i < FORMS; i++)
        write_repair(to, tn_form_name((enum tn_wire_form)i), feed->forms[i]);
    tenon_write_end(to);
    pthread_mutex_unlock(&feed->lock);
}
