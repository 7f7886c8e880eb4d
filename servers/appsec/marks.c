/* marks.c - see marks.h. */
#include "appsec/marks.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kit/sqlite.h"

/* ---- Characters, whatever the locale ----------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static size_t count_digits(const char *at)
{
    size_t count = 0;

    while (is_digit(at[count]))
        count++;
    return count;
}

/* ---- Fingerprints ------------------------------------------------------------------------------------------------ */

/* FNV-1a: two findings that collide are of one rule in one file of one report, which could name them alike more easily. */
#define HASH_BEGIN 0xcbf29ce484222325u
#define HASH_PRIME 0x100000001b3u

static uint64_t hash_char(uint64_t hash, char c)
{
    return (hash ^ (unsigned char)c) * HASH_PRIME;
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = HASH_BEGIN;

    for (; *text; text++)
        hash = hash_char(hash, *text);
    return hash;
}

/* Past "  12: ", and its number; the line as it is, and 0, when it has none. */
static const char *skip_number(const char *line, int64_t *number)
{
    enum { DIGITS_MAX = 9 };
    const char *at = line;
    size_t      digits;

    *number = 0;
    while (*at == ' ' || *at == '\t')
        at++;
    digits = count_digits(at);
    if (digits == 0 || digits > DIGITS_MAX || at[digits] != ':')
        return line;
    for (size_t i = 0; i < digits; i++)
        *number = *number * 10 + (at[i] - '0');
    return at + digits + 1;
}

static uint64_t hash_line(uint64_t hash, const char *at)
{
    for (; *at && *at != '\n'; at++)
        if (!is_space(*at))
            hash = hash_char(hash, *at);
    return hash_char(hash, '\n');
}

/* Some scanners show the lines around the one that they mean, each with its number: then only that one counts. */
uint64_t mark_line(const char *snippet, int64_t line)
{
    uint64_t all = HASH_BEGIN;

    while (snippet) {
        int64_t     number;
        const char *code = skip_number(snippet, &number), *end = strchr(snippet, '\n');

        if (number > 0 && number == line)
            return hash_line(HASH_BEGIN, code);
        all     = hash_line(all, code);
        snippet = end && end[1] ? end + 1 : NULL;
    }
    return all;
}

/* ---- Catalogues -------------------------------------------------------------------------------------------------- */

static bool write_cwe(const char *digits, char out[CWE_SIZE])
{
    enum { DIGITS_MAX = 5 };
    size_t count;

    while (digits[0] == '0' && is_digit(digits[1]))
        digits++;
    count = count_digits(digits);
    if (count == 0 || count > DIGITS_MAX)
        return false;
    snprintf(out, CWE_SIZE, "CWE-%.*s", (int)count, digits);
    return true;
}

bool mark_cwe(const char *text, const char *catalogue, char out[CWE_SIZE])
{
    if (catalogue && strcasecmp(catalogue, "CWE") == 0 && is_digit(text[0]) && !text[count_digits(text)])
        return write_cwe(text, out);
    for (const char *at = text; *at; at++)
        if (strncasecmp(at, "cwe", 3) == 0 && (at == text || !is_letter(at[-1]))) {
            const char *after = at + 3;

            if (*after && strchr("-_: ", *after))
                after++;
            if (write_cwe(after, out))
                return true;
        }
    return false;
}

/* Four letters or digits after each of three hyphens. */
static bool is_ghsa(const char *at)
{
    if (strncasecmp(at, "GHSA", 4) != 0)
        return false;
    at += 4;
    for (int part = 0; part < 3; part++) {
        if (*at++ != '-')
            return false;
        for (int i = 0; i < 4; i++, at++)
            if (!is_digit(*at) && !is_letter(*at))
                return false;
    }
    return *at == '\0';
}

/* Letters, a year and a number: "CVE-2021-44228". */
static bool is_numbered(const char *at)
{
    enum { LETTERS_MAX = 10, YEAR = 4, DIGITS_MAX = 12 };
    size_t letters = 0, digits;

    while (is_letter(at[letters]))
        letters++;
    if (letters < 2 || letters > LETTERS_MAX || at[letters] != '-')
        return false;
    at += letters + 1;
    if (count_digits(at) != YEAR || at[YEAR] != '-')
        return false;
    digits = count_digits(at + YEAR + 1);
    return digits > 0 && digits <= DIGITS_MAX && at[YEAR + 1 + digits] == '\0';
}

bool mark_advisory(const char *text, char out[ADVISORY_SIZE])
{
    bool   ghsa = is_ghsa(text);
    size_t i;

    if (!ghsa && !is_numbered(text))
        return false;
    for (i = 0; text[i]; i++)
        out[i] = ghsa && i >= 4 ? lower(text[i]) : upper(text[i]);
    out[i] = '\0';
    return true;
}

/* ---- For SQL ----------------------------------------------------------------------------------------------------- */

static const char *text_at(sqlite3_value *value)
{
    return (const char *)sqlite3_value_text(value);
}

static void give_hash(sqlite3_context *context, uint64_t hash)
{
    char digits[17];

    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    sqlite3_result_text(context, digits, -1, SQLITE_TRANSIENT);
}

/* A function's result is NULL until it is set. */
static void sql_fingerprint(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *text = text_at(values[0]);

    (void)count;
    if (text)
        give_hash(context, hash_text(text));
}

static void sql_line_mark(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *text = text_at(values[0]);

    (void)count;
    if (text)
        give_hash(context, mark_line(text, sqlite3_value_int64(values[1])));
}

static void sql_cwe(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *text = text_at(values[0]);
    char        out[CWE_SIZE];

    (void)count;
    if (text && mark_cwe(text, text_at(values[1]), out))
        sqlite3_result_text(context, out, -1, SQLITE_TRANSIENT);
}

static void sql_advisory(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *text = text_at(values[0]);
    char        out[ADVISORY_SIZE];

    (void)count;
    if (text && mark_advisory(text, out))
        sqlite3_result_text(context, out, -1, SQLITE_TRANSIENT);
}

bool marks_connect(struct sql *sql)
{
    static const struct {
        const char *name;
        int         arguments;
        void (*run)(sqlite3_context *context, int count, sqlite3_value **values);
    } functions[] = {
        { "fingerprint", 1, sql_fingerprint },
        { "line_mark", 2, sql_line_mark },
        { "cwe", 2, sql_cwe },
        { "advisory", 1, sql_advisory },
    };
    int code = SQLITE_OK;

    for (size_t i = 0; code == SQLITE_OK && i < sizeof functions / sizeof *functions; i++)
        code = sqlite3_create_function_v2(sqlite_database(sql), functions[i].name, functions[i].arguments,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, functions[i].run, NULL,
                                          NULL, NULL);
    return sqlite_check(sql, code);
}
