/* errors.c - codes, texts and details. A code is looked up once, when a call fails, in a table of some ten rows. */
#include "answer/errors.h"

#include <string.h>

#include "answer/phrases.h"
#include "json/echo.h"
#include "json/write.h"

#define CODE_LEN_MAX 64
#define KEY_LEN_MAX  64

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const tenon_error library_errors[] = {
    { TENON_CODE_VALIDATION_ERROR, PHRASE_VALIDATION, false },
    { TENON_CODE_NOT_FOUND, PHRASE_NOT_FOUND, false },
    { TENON_CODE_CONFLICT, PHRASE_CONFLICT, false },
    { TENON_CODE_DENIED, PHRASE_DENIED, false },
    { TENON_CODE_UNAVAILABLE, PHRASE_UNAVAILABLE, true },
    { TENON_CODE_TIMEOUT, PHRASE_TIMEOUT, true },
    { TENON_CODE_CANCELLED, PHRASE_CANCELLED, true },
    { TENON_CODE_LIMIT_EXCEEDED, PHRASE_LIMIT_EXCEEDED, false },
    { TENON_CODE_INTERNAL_ERROR, PHRASE_INTERNAL, false },
};

static const tenon_error *find_in(const tenon_error *rows, size_t count, const char *code)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].code && strcmp(rows[i].code, code) == 0)
            return &rows[i];
    return NULL;
}

const tenon_error *tn_errors_find(const struct tn_error_table *table, const char *code)
{
    const tenon_error *found = code ? find_in(library_errors, COUNT_OF(library_errors), code) : NULL;

    if (found || !code)
        return found;
    return find_in(table->own, table->own_count, code);
}

static bool is_code(const char *code)
{
    size_t len = strlen(code);

    if (len == 0 || len > CODE_LEN_MAX || code[0] < 'A' || code[0] > 'Z')
        return false;
    for (size_t i = 1; i < len; i++)
        if (!(code[i] >= 'A' && code[i] <= 'Z') && !(code[i] >= '0' && code[i] <= '9') && code[i] != '_')
            return false;
    return true;
}

/* A format for the code, or NULL. */
static const char *mistake_in(const struct tn_error_table *table, size_t index)
{
    const tenon_error *row = &table->own[index];

    if (!row->code || !is_code(row->code))
        return PHRASE_ERROR_CODE;
    if (find_in(library_errors, COUNT_OF(library_errors), row->code) || find_in(table->own, index, row->code))
        return PHRASE_ERROR_TWICE;
    if (!row->text || !*row->text)
        return PHRASE_ERROR_TEXT;
    return NULL;
}

bool tn_errors_mistake(const struct tn_error_table *table, struct tn_buf *out)
{
    for (size_t i = 0; i < table->own_count; i++) {
        const char *code  = table->own[i].code ? table->own[i].code : "";
        const char *wrong = mistake_in(table, i);

        if (!wrong)
            continue;
        tn_buf_addf(out, wrong, code);
        return true;
    }
    return false;
}

/* ---- Details ------------------------------------------------------------------------------------------- */

bool tn_details_reserved(struct tn_slice key)
{
    static const char *const ours[] = { "fieldErrors", "totalErrors", "issues",
                                        "note",        "retryable",   "reference" };

    for (size_t i = 0; i < COUNT_OF(ours); i++)
        if (tn_slice_is(key, ours[i]))
            return true;
    return false;
}

/* Its index, or `count` when there is none. */
static size_t find_detail(const struct tn_details *details, struct tn_slice key)
{
    size_t i = 0;

    while (i < details->count &&
           (details->at[i].key.len != key.len || memcmp(details->at[i].key.at, key.at, key.len) != 0))
        i++;
    return i;
}

void tn_details_put(struct tn_details *details, struct tn_detail detail)
{
    size_t i     = find_detail(details, detail.key);
    size_t len   = detail.key.len + detail.json.len;
    size_t freed = i < details->count ? details->at[i].key.len + details->at[i].json.len : 0;

    if (i == DETAILS_MAX || len > DETAILS_LEN_MAX - (details->len - freed)) {
        details->lost = true;
        return;
    }
    if (i == details->count)
        details->count++;
    details->at[i] = detail;
    details->len   = details->len - freed + len;
}

void tn_details_write(struct tn_buf *out, const struct tn_details *details)
{
    for (size_t i = 0; i < details->count; i++) {
        const struct tn_detail *detail = &details->at[i];

        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, detail->key.at, detail->key.len);
        tn_buf_char(out, ':');
        tn_buf_add(out, detail->json.at, detail->json.len);
    }
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

/* The name in the braces at `at`, or an empty slice when they are no braces around a name. */
static struct tn_slice name_at(const char *at)
{
    size_t len = strcspn(at + 1, "{}");

    if (at[0] != '{' || len == 0 || len > KEY_LEN_MAX || at[1 + len] != '}')
        return (struct tn_slice){ "", 0 };
    return (struct tn_slice){ at + 1, len };
}

void tn_errors_expand(struct tn_buf *out, const tenon_error *error, const struct tn_details *details,
                      const struct tn_log *log)
{
    for (const char *at = error->text; *at;) {
        size_t          plain = strcspn(at, "{"), i;
        struct tn_slice name;

        tn_buf_add(out, at, plain);
        at += plain;
        if (!*at)
            return;
        name = name_at(at);
        i    = find_detail(details, name);
        if (i < details->count) {
            tn_echo_text(out, details->at[i].plain.at, details->at[i].plain.len);
            at += name.len + 2;
            continue;
        }
        if (name.len > 0)
            tn_log_line(log, LOG_WARN, PHRASE_LOG_NO_VALUE, error->code, (int)name.len, name.at);
        tn_buf_char(out, *at++);
    }
}
