/* phrases.c - sentences that are put together from parts. */
#include "answer/phrases.h"

#include "json/echo.h"

/* 1,234,567 */
static void add_grouped(struct tn_buf *out, uint64_t value)
{
    if (value < 1000) {
        tn_buf_uint(out, value);
        return;
    }
    add_grouped(out, value / 1000);
    tn_buf_char(out, ',');
    value %= 1000;
    tn_buf_char(out, (char)('0' + value / 100));
    tn_buf_char(out, (char)('0' + value / 10 % 10));
    tn_buf_char(out, (char)('0' + value % 10));
}

/* "1 item", "2 items": `noun` without its s. */
static void add_count(struct tn_buf *out, uint64_t count, const char *noun)
{
    tn_buf_uint(out, count);
    tn_buf_char(out, ' ');
    tn_buf_text(out, noun);
    if (count != 1)
        tn_buf_char(out, 's');
}

static void add_path(struct tn_buf *out, const char *path)
{
    tn_buf_char(out, '\'');
    tn_echo_text(out, path, strlen(path));
    tn_buf_char(out, '\'');
}

/* "vulnTypes: there is no type 'sqli'. Did you mean 'sql-injection'? list_types has all of them."; where nothing is near,
 * "Valid: a, b." */
void tn_phrase_unknown(struct tn_buf *out, const struct tn_unknown_words *words)
{
    tn_buf_add(out, words->parameter.at, words->parameter.len);
    tn_buf_text(out, words->secret ? ": there is no such " : ": there is no ");
    tn_buf_text(out, words->noun);
    if (!words->secret) {
        tn_buf_lit(out, " '");
        tn_echo_text(out, words->name.at, words->name.len);
        tn_buf_char(out, '\'');
    }
    tn_buf_char(out, '.');
    if (words->near.at && !words->secret) {
        tn_buf_lit(out, " Did you mean '");
        tn_echo_text(out, words->near.at, words->near.len);
        tn_buf_lit(out, "'?");
    }
    for (size_t i = 0; words->count <= PHRASE_OFFERED_MAX && i < words->count; i++) {
        tn_buf_text(out, i == 0 ? " Valid: " : ", ");
        tn_echo_text(out, words->offered[i].at, words->offered[i].len);
    }
    if (words->count > 0 && words->count <= PHRASE_OFFERED_MAX)
        tn_buf_char(out, '.');
    if (words->where) {
        tn_buf_char(out, ' ');
        tn_buf_text(out, words->where);
    }
}

void tn_phrase_took(struct tn_buf *out, int64_t ms)
{
    if (ms >= 0) {
        tn_buf_lit(out, " in ");
        tn_buf_int(out, ms);
        tn_buf_lit(out, " ms");
    }
    tn_buf_char(out, '.');
}

void tn_phrase_unchecked(struct tn_buf *out, struct tn_slice parameter)
{
    tn_buf_add(out, parameter.at, parameter.len);
    tn_buf_lit(out, " could not be looked up this time; it may be wrong, too.");
}

void tn_phrase_validation_failed(struct tn_buf *out, size_t total)
{
    tn_buf_lit(out, "Validation failed: ");
    add_count(out, total, "error");
}

void tn_phrase_more_errors(struct tn_buf *out, size_t count)
{
    add_count(out, count, "more error");
    tn_buf_text(out, count == 1 ? " is" : " are");
    tn_buf_lit(out, " not shown; fix these first.");
}

void tn_phrase_more_messages(struct tn_buf *out, size_t count)
{
    add_count(out, count, "more message");
    tn_buf_text(out, count == 1 ? " is" : " are");
    tn_buf_lit(out, " not shown.");
}

void tn_phrase_internal(struct tn_buf *out, const char *reference)
{
    tn_buf_lit(out, "Something went wrong inside the tool. Report reference ");
    tn_buf_text(out, reference);
    tn_buf_lit(out, " to the operator; the same call may fail again.");
}

void tn_phrase_too_long(struct tn_buf *out, size_t budget)
{
    tn_buf_lit(out, "The answer is longer than ");
    add_grouped(out, budget);
    tn_buf_lit(out, " bytes and cannot be shortened. Narrow the call.");
}

void tn_phrase_past_end(struct tn_buf *out, int64_t page, int64_t pages, int64_t total)
{
    tn_buf_lit(out, "Page ");
    tn_buf_int(out, page);
    tn_buf_lit(out, " is past the end");
    if (total > 0) {
        tn_buf_text(out, pages == 1 ? ": there is " : ": there are ");
        add_count(out, (uint64_t)pages, "page");
        tn_buf_lit(out, " (");
        add_count(out, (uint64_t)total, "item");
        tn_buf_char(out, ')');
    }
    tn_buf_char(out, '.');
}

static void add_shown(struct tn_buf *out, uint64_t first, uint64_t last)
{
    tn_buf_lit(out, "showing items ");
    tn_buf_uint(out, first);
    tn_buf_char(out, '-');
    tn_buf_uint(out, last);
}

void tn_phrase_list_cut(struct tn_buf *out, struct tn_slice label, size_t shown, size_t count)
{
    tn_echo_text(out, label.at, label.len);
    tn_buf_lit(out, ": ");
    add_shown(out, 1, shown);
    tn_buf_lit(out, " of ");
    tn_buf_uint(out, count);
    tn_buf_lit(out, "; narrow the call or ask for a smaller page");
}

void tn_phrase_text_cut(struct tn_buf *out, struct tn_slice label, size_t shown, size_t count)
{
    tn_echo_text(out, label.at, label.len);
    tn_buf_lit(out, ": the first ");
    add_grouped(out, shown);
    tn_buf_lit(out, " of ");
    add_grouped(out, count);
    tn_buf_lit(out, " characters are shown");
}

void tn_phrase_page_cut(struct tn_buf *out, int64_t first, int64_t last, int64_t total, int64_t page,
                        int64_t page_size)
{
    tn_buf_lit(out, "items: ");
    add_shown(out, (uint64_t)first, (uint64_t)last);
    if (total >= 0) {
        tn_buf_lit(out, " of ");
        tn_buf_int(out, total);
    }
    tn_buf_lit(out, "; continue with page ");
    tn_buf_int(out, page);
    tn_buf_lit(out, " and pageSize ");
    tn_buf_int(out, page_size);
}

void tn_phrase_items_cut(struct tn_buf *out, size_t shown, size_t count, int64_t total,
                         struct tn_slice cursor)
{
    if (total >= 0) {
        add_shown(out, 1, shown);
        tn_buf_lit(out, " of ");
        tn_buf_int(out, total);
    } else {
        tn_buf_lit(out, "showing ");
        tn_buf_uint(out, shown);
        tn_buf_lit(out, " of ");
        add_count(out, count, "item");
    }
    tn_buf_lit(out, "; continue with cursor ");
    tn_buf_add(out, cursor.at, cursor.len);
}

void tn_phrase_open_denied(struct tn_buf *out, const char *path, const char *root)
{
    add_path(out, path);
    tn_buf_lit(out, " may not be opened: only files beneath ");
    add_path(out, root);
    tn_buf_lit(out, " are allowed. Use a path inside it.");
}

void tn_phrase_open_missing(struct tn_buf *out, const char *path, const char *root)
{
    add_path(out, path);
    tn_buf_lit(out, " does not exist beneath ");
    add_path(out, root);
    tn_buf_lit(out, ". Check the path and call again.");
}

void tn_phrase_open_exists(struct tn_buf *out, const char *path)
{
    add_path(out, path);
    tn_buf_lit(out, " exists already. Choose another name.");
}

void tn_phrase_open_long(struct tn_buf *out, const char *path)
{
    add_path(out, path);
    tn_buf_lit(out, " is too long for a path. Use a shorter one.");
}
