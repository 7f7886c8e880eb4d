/* phrases.c - sentences that are put together from parts. */
#include "answer/phrases.h"

#include "json/echo.h"

/* 1,234,567 */
static void add_grouped(struct buf *out, uint64_t value)
{
    if (value < 1000) {
        buf_uint(out, value);
        return;
    }
    add_grouped(out, value / 1000);
    buf_char(out, ',');
    value %= 1000;
    buf_char(out, (char)('0' + value / 100));
    buf_char(out, (char)('0' + value / 10 % 10));
    buf_char(out, (char)('0' + value % 10));
}

/* "1 item", "2 items": `noun` without its s. */
static void add_count(struct buf *out, uint64_t count, const char *noun)
{
    buf_uint(out, count);
    buf_char(out, ' ');
    buf_text(out, noun);
    if (count != 1)
        buf_char(out, 's');
}

static void add_path(struct buf *out, const char *path)
{
    buf_char(out, '\'');
    echo_text(out, path, strlen(path));
    buf_char(out, '\'');
}

/* "vulnTypes: there is no type 'sqli'. Did you mean 'sql-injection'? list_types has all of them."; where nothing is near,
 * "Valid: a, b." */
void phrase_unknown(struct buf *out, const struct unknown_words *words)
{
    buf_add(out, words->parameter.at, words->parameter.len);
    buf_text(out, words->secret ? ": there is no such " : ": there is no ");
    buf_text(out, words->noun);
    if (!words->secret) {
        buf_lit(out, " '");
        echo_text(out, words->name.at, words->name.len);
        buf_char(out, '\'');
    }
    buf_char(out, '.');
    if (words->near.at && !words->secret) {
        buf_lit(out, " Did you mean '");
        echo_text(out, words->near.at, words->near.len);
        buf_lit(out, "'?");
    }
    for (size_t i = 0; words->count <= PHRASE_OFFERED_MAX && i < words->count; i++) {
        buf_text(out, i == 0 ? " Valid: " : ", ");
        echo_text(out, words->offered[i].at, words->offered[i].len);
    }
    if (words->count > 0 && words->count <= PHRASE_OFFERED_MAX)
        buf_char(out, '.');
    if (words->where) {
        buf_char(out, ' ');
        buf_text(out, words->where);
    }
}

void phrase_took(struct buf *out, int64_t ms)
{
    if (ms >= 0) {
        buf_lit(out, " in ");
        buf_int(out, ms);
        buf_lit(out, " ms");
    }
    buf_char(out, '.');
}

void phrase_unchecked(struct buf *out, struct slice parameter)
{
    buf_add(out, parameter.at, parameter.len);
    buf_lit(out, " could not be looked up this time; it may be wrong, too.");
}

void phrase_validation_failed(struct buf *out, size_t total)
{
    buf_lit(out, "Validation failed: ");
    add_count(out, total, "error");
}

void phrase_more_errors(struct buf *out, size_t count)
{
    add_count(out, count, "more error");
    buf_text(out, count == 1 ? " is" : " are");
    buf_lit(out, " not shown; fix these first.");
}

void phrase_more_messages(struct buf *out, size_t count)
{
    add_count(out, count, "more message");
    buf_text(out, count == 1 ? " is" : " are");
    buf_lit(out, " not shown.");
}

void phrase_internal(struct buf *out, const char *reference)
{
    buf_lit(out, "Something went wrong inside the tool. Report reference ");
    buf_text(out, reference);
    buf_lit(out, " to the operator; the same call may fail again.");
}

void phrase_too_long(struct buf *out, size_t budget)
{
    buf_lit(out, "The answer is longer than ");
    add_grouped(out, budget);
    buf_lit(out, " bytes and cannot be shortened. Narrow the call.");
}

void phrase_past_end(struct buf *out, int64_t page, int64_t pages, int64_t total)
{
    buf_lit(out, "Page ");
    buf_int(out, page);
    buf_lit(out, " is past the end");
    if (total > 0) {
        buf_text(out, pages == 1 ? ": there is " : ": there are ");
        add_count(out, (uint64_t)pages, "page");
        buf_lit(out, " (");
        add_count(out, (uint64_t)total, "item");
        buf_char(out, ')');
    }
    buf_char(out, '.');
}

static void add_shown(struct buf *out, uint64_t first, uint64_t last)
{
    buf_lit(out, "showing items ");
    buf_uint(out, first);
    buf_char(out, '-');
    buf_uint(out, last);
}

void phrase_list_cut(struct buf *out, struct slice label, size_t shown, size_t count)
{
    echo_text(out, label.at, label.len);
    buf_lit(out, ": ");
    add_shown(out, 1, shown);
    buf_lit(out, " of ");
    buf_uint(out, count);
    buf_lit(out, "; narrow the call or ask for a smaller page");
}

void phrase_text_cut(struct buf *out, struct slice label, size_t shown, size_t count)
{
    echo_text(out, label.at, label.len);
    buf_lit(out, ": the first ");
    add_grouped(out, shown);
    buf_lit(out, " of ");
    add_grouped(out, count);
    buf_lit(out, " characters are shown");
}

void phrase_page_cut(struct buf *out, int64_t first, int64_t last, int64_t total, int64_t page,
                     int64_t page_size)
{
    buf_lit(out, "items: ");
    add_shown(out, (uint64_t)first, (uint64_t)last);
    if (total >= 0) {
        buf_lit(out, " of ");
        buf_int(out, total);
    }
    buf_lit(out, "; continue with page ");
    buf_int(out, page);
    buf_lit(out, " and pageSize ");
    buf_int(out, page_size);
}

void phrase_items_cut(struct buf *out, size_t shown, size_t count, int64_t total, struct slice cursor)
{
    if (total >= 0) {
        add_shown(out, 1, shown);
        buf_lit(out, " of ");
        buf_int(out, total);
    } else {
        buf_lit(out, "showing ");
        buf_uint(out, shown);
        buf_lit(out, " of ");
        add_count(out, count, "item");
    }
    buf_lit(out, "; continue with cursor ");
    buf_add(out, cursor.at, cursor.len);
}

void phrase_open_denied(struct buf *out, const char *path, const char *root)
{
    add_path(out, path);
    buf_lit(out, " may not be opened: only files beneath ");
    add_path(out, root);
    buf_lit(out, " are allowed. Use a path inside it.");
}

void phrase_open_missing(struct buf *out, const char *path, const char *root)
{
    add_path(out, path);
    buf_lit(out, " does not exist beneath ");
    add_path(out, root);
    buf_lit(out, ". Check the path and call again.");
}

void phrase_open_exists(struct buf *out, const char *path)
{
    add_path(out, path);
    buf_lit(out, " exists already. Choose another name.");
}

void phrase_open_long(struct buf *out, const char *path)
{
    add_path(out, path);
    buf_lit(out, " is too long for a path. Use a shorter one.");
}
