/* settings_value.c - flags, times, sizes, addresses and lists, each by one function of its kind. */
#define _GNU_SOURCE
#include "net/settings_value.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/ascii.h"
#include "net/rate.h"
#include "text/host.h"
#include "text/secret.h"
#include "text/uri.h"

#define TEXT_MAX   4096 /* bytes of a value */
#define NAME_MAX_  64   /* of a caller */
#define PORT_MAX   65535
#define DIGITS_MAX 15

/* From small to large; of two with the same size the second is how it is written. */
struct settings_unit {
    const char *name;
    int64_t     times;
};

static const struct settings_unit times[] = {
    { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 }, { 0 }
};
static const struct settings_unit counts[] = { { "", 1 }, { 0 } };
static const struct settings_unit sizes[]  = {
     { "b", 1 },         { "", 1 },          { "k", 1 << 10 },
     { "KiB", 1 << 10 }, { "m", 1 << 20 },   { "MiB", 1 << 20 },
     { "g", 1 << 30 },   { "GiB", 1 << 30 }, { 0 },
};

static void *field_of(struct tn_settings *settings, const tenon_setting *row)
{
    return (tn_settings_is_own(settings, row) ? settings->values : (char *)settings) + row->offset;
}

static bool keep_text(struct tn_settings *settings, struct tn_slice text, const char **to)
{
    const char *copy = tn_arena_copy(&settings->arena, text.at, text.len);

    if (copy)
        *to = copy;
    return copy != NULL;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------- */

static bool read_number(struct tn_slice text, const struct settings_unit *units, int64_t *value)
{
    size_t          digits = 0;
    int64_t         number = 0;
    struct tn_slice unit;

    for (; digits < text.len && tn_ascii_is_digit(text.at[digits]); digits++) {
        if (digits == DIGITS_MAX)
            return false;
        number = number * 10 + (text.at[digits] - '0');
    }
    if (digits == 0)
        return false;
    unit = tn_slice_trim((struct tn_slice){ text.at + digits, text.len - digits });
    for (; units->name; units++)
        if (tn_slice_fold_equal(unit, tn_slice_of(units->name)) || (unit.len == 0 && number == 0))
            return !__builtin_mul_overflow(number, units->times, value);
    return false;
}

bool tn_settings_read_count(struct tn_slice text, int64_t *value)
{
    return read_number(text, counts, value);
}

bool tn_settings_read_bytes(struct tn_slice text, int64_t *value)
{
    return read_number(text, sizes, value);
}

bool tn_settings_read_time(struct tn_slice text, int64_t *value)
{
    return read_number(text, times, value);
}

/* In the largest unit that leaves no rest. */
static void write_number(struct tn_buf *out, const struct settings_unit *units, int64_t value)
{
    const struct settings_unit *best = units;

    for (; value && units->name; units++)
        if (value % units->times == 0)
            best = units;
    tn_buf_int(out, value / best->times);
    if (value)
        tn_buf_text(out, best->name);
}

static bool take_number(const tenon_setting *row, const struct settings_unit *units, const char *noun,
                        struct tn_slice text, struct tn_buf *wants, int64_t *value)
{
    if (read_number(text, units, value) && *value >= row->min && *value <= row->max)
        return true;
    tn_buf_addf(wants, "%s from ", noun);
    write_number(wants, units, row->min);
    tn_buf_lit(wants, " to ");
    write_number(wants, units, row->max);
    return false;
}

static bool take_int(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                     struct tn_buf *wants)
{
    bool    is_time = row->kind == SETTING_TIME;
    int64_t value;

    if (!take_number(row, is_time ? times : counts, is_time ? "a time (500ms, 50s, 2m, 1h)" : "a number",
                     text, wants, &value))
        return false;
    *(int *)field_of(settings, row) = (int)value;
    return true;
}

static bool take_size(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants)
{
    bool    is_bytes = row->kind == SETTING_BYTES;
    int64_t value;

    if (!take_number(row, is_bytes ? sizes : counts, is_bytes ? "a size (65536, 64KiB, 4MiB)" : "a number",
                     text, wants, &value))
        return false;
    *(size_t *)field_of(settings, row) = (size_t)value;
    return true;
}

/* ---- Choices ------------------------------------------------------------------------------------------------- */

static const tenon_choice yes_no[] = {
    { "true", true }, { "false", false }, { "yes", true }, { "no", false }, { "on", true },
    { "off", false }, { "1", true },      { "0", false },  { 0 },
};

/* Of these, the ones that are named to who sent none of them. */
static const tenon_choice said_yes_no[] = { { "true", true }, { "false", false }, { 0 } };

static bool read_choice(const tenon_choice *choices, struct tn_slice text, struct tn_buf *wants, int *value)
{
    for (const tenon_choice *choice = choices; choice->name; choice++) {
        if (tn_slice_fold_equal(text, tn_slice_of(choice->name))) {
            *value = choice->value;
            return true;
        }
    }
    if (choices == yes_no)
        choices = said_yes_no;
    for (const tenon_choice *choice = choices; choice->name; choice++) {
        tn_buf_text(wants, choice == choices ? "" : choice[1].name ? ", " : " or ");
        tn_buf_text(wants, choice->name);
    }
    return false;
}

static bool take_bool(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants)
{
    int value;

    if (!read_choice(row->choices ? row->choices : yes_no, text, wants, &value))
        return false;
    *(bool *)field_of(settings, row) = value != 0;
    return true;
}

static bool take_choice(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                        struct tn_buf *wants)
{
    int value;

    if (!read_choice(row->choices, text, wants, &value))
        return false;
    memcpy(field_of(settings, row), &value, sizeof value);
    return true;
}

/* ---- Texts --------------------------------------------------------------------------------------------------- */

static bool take_text(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants)
{
    if (text.len == 0) {
        tn_buf_lit(wants, "a value");
        return false;
    }
    return keep_text(settings, text, field_of(settings, row));
}

static bool is_port(struct tn_slice text)
{
    unsigned port = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (!tn_ascii_is_digit(text.at[i]) || i == 5)
            return false;
        port = port * 10 + (unsigned)(text.at[i] - '0');
    }
    return text.len > 0 && port <= PORT_MAX;
}

bool tn_settings_split_host(struct tn_slice text, struct tn_slice *host, struct tn_slice *port)
{
    const char     *end  = text.at + text.len;
    const char     *mark = text.len && text.at[0] == '[' ? memchr(text.at, ']', text.len) : NULL;
    struct tn_slice rest;

    *port = (struct tn_slice){ "", 0 };
    if (mark) {
        *host = (struct tn_slice){ text.at + 1, (size_t)(mark - text.at) - 1 };
        rest  = (struct tn_slice){ mark + 1, (size_t)(end - mark) - 1 };
        if (!tn_host_is_ipv6(*host))
            return false;
    } else {
        mark  = text.len ? memchr(text.at, ':', text.len) : NULL;
        *host = (struct tn_slice){ text.at, mark ? (size_t)(mark - text.at) : text.len };
        rest  = (struct tn_slice){ text.at + host->len, text.len - host->len };
        if (!tn_host_is_ipv4(*host) && !tn_host_is_name(*host))
            return false;
    }
    if (rest.len == 0)
        return true;
    *port = (struct tn_slice){ rest.at + 1, rest.len - 1 };
    return rest.at[0] == ':' && is_port(*port);
}

static bool take_address(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                         struct tn_buf *wants)
{
    struct tn_slice host, port;

    if (tn_settings_split_host(text, &host, &port) && port.len)
        return keep_text(settings, text, field_of(settings, row));
    tn_buf_lit(wants, "HOST:PORT, such as 127.0.0.1:8080, [::1]:8080, or 0.0.0.0:8080 for every address");
    return false;
}

static bool take_path(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants)
{
    bool good = text.len > 0 && text.at[0] == '/' && !(text.len > 1 && text.at[1] == '/') &&
                tn_uri_is_reference(text);

    for (size_t i = 0; i < text.len; i++)
        good = good && text.at[i] != '?' && text.at[i] != '#';
    if (good)
        return keep_text(settings, text, field_of(settings, row));
    tn_buf_lit(wants, "a path that begins with '/', without '?' and '#', such as /mcp");
    return false;
}

/* "https://host[:port]", then `rest`. */
static bool read_origin(struct tn_slice text, struct tn_slice *authority, struct tn_slice *rest)
{
    struct tn_slice scheme = tn_uri_scheme(text), host, port;
    size_t          begin  = scheme.len + 3, end;

    if (!tn_slice_fold_equal(scheme, SLICE_LIT("https")) && !tn_slice_fold_equal(scheme, SLICE_LIT("http")))
        return false;
    if (text.len <= begin || memcmp(text.at + scheme.len, "://", 3) != 0)
        return false;
    for (end = begin; end < text.len && text.at[end] != '/'; end++)
        ;
    *authority = (struct tn_slice){ text.at + begin, end - begin };
    *rest      = (struct tn_slice){ text.at + end, text.len - end };
    return tn_settings_split_host(*authority, &host, &port) &&
           (port.len || authority->at[authority->len - 1] != ':');
}

bool tn_settings_split_url(struct tn_slice text, struct tn_slice *host, struct tn_slice *port)
{
    struct tn_slice authority, rest;

    return read_origin(text, &authority, &rest) && tn_settings_split_host(authority, host, port);
}

static bool take_url(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                     struct tn_buf *wants)
{
    struct tn_slice authority, rest;

    if (read_origin(text, &authority, &rest) && tn_uri_is_absolute(text) && !memchr(rest.at, '?', rest.len) &&
        !memchr(rest.at, '#', rest.len))
        return keep_text(settings, text, field_of(settings, row));
    tn_buf_lit(wants, "a URL without '?' and '#', such as https://tools.example.com/mcp");
    return false;
}

/* ---- Lists --------------------------------------------------------------------------------------------------- */

static bool is_host(struct tn_slice text)
{
    struct tn_slice host, port;

    return tn_settings_split_host(text, &host, &port);
}

static bool is_origin(struct tn_slice text)
{
    struct tn_slice authority, rest;

    return read_origin(text, &authority, &rest) && rest.len == 0;
}

static bool is_token(struct tn_slice text)
{
    const char *mark = memchr(text.at, ':', text.len);

    return mark && mark > text.at && mark - text.at <= NAME_MAX_ && mark + 1 < text.at + text.len;
}

static bool is_rate(struct tn_slice text)
{
    struct tn_rate rate;

    return tn_rate_read(text, &rate);
}

static const struct list_kind {
    bool (*is)(struct tn_slice text);
    const char *wants;
} list_kinds[SETTING_KINDS] = {
    [SETTING_HOSTS]   = { is_host, "HOST or HOST:PORT, such as tools.example.com" },
    [SETTING_ORIGINS] = { is_origin, "an origin, such as https://app.example.com" },
    [SETTING_TOKENS]  = { is_token, "NAME:HASH, as `tenon token` prints it" },
    [SETTING_RATES]   = { is_rate, RATE_WANTS },
};

static bool take_list(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants)
{
    const struct list_kind *kind = &list_kinds[row->kind];
    struct tn_setting_list *list = field_of(settings, row);
    struct tn_slice         part;

    if (text.len == 0) {
        tn_buf_text(wants, kind->wants);
        return false;
    }
    while (tn_slice_split(&text, ',', &part)) {
        part = tn_slice_trim(part);
        if (part.len == 0 || !kind->is(part)) {
            tn_buf_text(wants, kind->wants);
            return false;
        }
        if (list->count == SETTINGS_LIST_MAX) {
            tn_buf_addf(wants, "at most %d values", SETTINGS_LIST_MAX);
            return false;
        }
        if (!keep_text(settings, part, &list->at[list->count]))
            return false;
        list->count++;
    }
    return true;
}

/* Texts of a program's may have commas in them: paths, for one. */
static bool take_texts(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                       struct tn_buf *wants)
{
    tenon_strs  *list = field_of(settings, row);
    const char **at   = (const char **)list->at;

    if (text.len == 0 || list->count == TENON_SETTING_TEXTS_MAX) {
        if (text.len == 0)
            tn_buf_lit(wants, "a value");
        else
            tn_buf_addf(wants, "at most %d of them", TENON_SETTING_TEXTS_MAX);
        return false;
    }
    if (!at)
        list->at = at = tn_arena_array(&settings->arena, TENON_SETTING_TEXTS_MAX, const char *);
    if (!at || !keep_text(settings, text, &at[list->count]))
        return false;
    list->count++;
    return true;
}

void tn_settings_clear(struct tn_settings *settings, const tenon_setting *row)
{
    if (row->kind == SETTING_TEXTS)
        ((tenon_strs *)field_of(settings, row))->count = 0;
    if (list_kinds[row->kind].is)
        ((struct tn_setting_list *)field_of(settings, row))->count = 0;
}

void tn_settings_zero(struct tn_settings *settings, const tenon_setting *row)
{
    static const size_t sizes_of[TENON_SETTING_KINDS_] = {
        [SETTING_FLAG] = sizeof(bool),        [SETTING_TEXT] = sizeof(char *),
        [SETTING_TEXTS] = sizeof(tenon_strs), [SETTING_INT] = sizeof(int),
        [SETTING_COUNT] = sizeof(size_t),     [SETTING_BYTES] = sizeof(size_t),
        [SETTING_TIME] = sizeof(int),         [SETTING_CHOICE] = sizeof(int),
        [SETTING_ADDRESS] = sizeof(char *),   [SETTING_URL] = sizeof(char *),
        [SETTING_PATH] = sizeof(char *),
    };

    memset(field_of(settings, row), 0, sizes_of[row->kind]);
}

/* ---- All ----------------------------------------------------------------------------------------------------- */

static bool (*const takes[SETTING_KINDS])(struct tn_settings *, const tenon_setting *, struct tn_slice,
                                          struct tn_buf *) = {
    [SETTING_FLAG] = take_bool,    [SETTING_TEXT] = take_text,     [SETTING_ADDRESS] = take_address,
    [SETTING_PATH] = take_path,    [SETTING_URL] = take_url,       [SETTING_HOSTS] = take_list,
    [SETTING_ORIGINS] = take_list, [SETTING_TOKENS] = take_list,   [SETTING_INT] = take_int,
    [SETTING_COUNT] = take_size,   [SETTING_BYTES] = take_size,    [SETTING_TIME] = take_int,
    [SETTING_RATES] = take_list,   [SETTING_CHOICE] = take_choice, [SETTING_YES_NO] = take_bool,
    [SETTING_TEXTS] = take_texts,  [SETTING_FILE] = NULL,
};

bool tn_settings_take(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants)
{
    if (text.len > TEXT_MAX) {
        tn_buf_addf(wants, "at most %d bytes", TEXT_MAX);
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.at[i] < 0x20 || text.at[i] == 0x7F) {
            tn_buf_lit(wants, "a value without control characters");
            return false;
        }
    }
    return takes[row->kind](settings, row, text, wants);
}

/* ---- Showing ------------------------------------------------------------------------------------------------- */

static void show_choice(struct tn_buf *out, const tenon_setting *row, int value)
{
    for (const tenon_choice *choice = row->choices; choice && choice->name; choice++)
        if (choice->value == value)
            tn_buf_text(out, choice->name);
}

static void show_list(struct tn_buf *out, const struct tn_setting_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        tn_buf_addf(out, "%s%s", i > 0 ? ", " : "", list->at[i]);
}

static void show_texts(struct tn_buf *out, const tenon_strs *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        tn_buf_addf(out, "%s%s", i > 0 ? ", " : "", texts->at[i]);
}

/* Names of keys and tokens, and addresses with a password in them. The name of a file is not its content. */
static bool may_be_secret(const tenon_setting *row, struct tn_slice text)
{
    struct tn_slice name   = tn_slice_of(row->name);
    const char     *scheme = text.len > 0 ? memmem(text.at, text.len, "://", 3) : NULL;
    bool            file   = name.len > 5 && memcmp(name.at + name.len - 5, "-file", 5) == 0;

    return row->kind == SETTING_TOKENS || (!file && row->kind == SETTING_TEXT && tn_secret_is_key(name)) ||
           (scheme && memchr(scheme, '@', text.len - (size_t)(scheme - text.at)));
}

bool tn_settings_show(struct tn_settings *settings, const tenon_setting *row, struct tn_buf *out)
{
    const void   *field = field_of(settings, row);
    size_t        from  = out->len;
    int           number;
    struct tn_buf shown = *out;

    switch (row->kind) {
    case SETTING_FLAG: tn_buf_text(out, *(const bool *)field ? "on" : "off"); break;
    case SETTING_YES_NO: show_choice(out, row, *(const bool *)field); break;
    case SETTING_CHOICE: memcpy(&number, field, sizeof number), show_choice(out, row, number); break;
    case SETTING_INT: write_number(out, counts, *(const int *)field); break;
    case SETTING_TIME: write_number(out, times, *(const int *)field); break;
    case SETTING_COUNT: write_number(out, counts, (int64_t) * (const size_t *)field); break;
    case SETTING_BYTES: write_number(out, sizes, (int64_t) * (const size_t *)field); break;
    case SETTING_TEXTS: show_texts(out, field); break;
    case SETTING_HOSTS:
    case SETTING_ORIGINS:
    case SETTING_TOKENS:
    case SETTING_RATES: show_list(out, field); break;
    case SETTING_FILE: break;
    default: tn_buf_text(out, *(const char *const *)field ? *(const char *const *)field : ""); break;
    }
    if (out->len == from || !may_be_secret(row, (struct tn_slice){ out->at + from, out->len - from }))
        return true;
    *out = shown;
    return false;
}

struct tn_setting_address tn_settings_address(const char *address)
{
    struct tn_setting_address parts = { 0 };
    struct tn_slice           host, port;

    if (!tn_settings_split_host(tn_slice_of(address), &host, &port) || host.len >= sizeof parts.host)
        return parts;
    memcpy(parts.host, host.at, host.len);
    memcpy(parts.port, port.at, port.len);
    return parts;
}

bool tn_settings_is_loopback(struct tn_slice host)
{
    char            text[INET6_ADDRSTRLEN + 1] = { 0 };
    struct in6_addr six;

    if (tn_slice_fold_equal(host, SLICE_LIT("localhost")))
        return true;
    if (tn_host_is_ipv4(host))
        return memcmp(host.at, "127.", 4) == 0;
    if (host.len >= sizeof text)
        return false;
    memcpy(text, host.at, host.len);
    return inet_pton(AF_INET6, text, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}
