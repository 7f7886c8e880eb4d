/* repeat.c - words for a shell. What is long, or cannot stand in a word, is printed into the command. */
#include "contract/fuzz/repeat.h"

#define WORD_LEN_MAX ((size_t)2000)
#define RUN_MIN      ((size_t)64) /* of one byte, that is written as a number and not in full */

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~';
}

static bool is_word(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_plain(text.at[i]))
            return false;
    return text.len <= WORD_LEN_MAX;
}

static void add_quoted(struct tn_buf *out, struct tn_slice text)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/:=@%+,";
    bool              quote  = text.len == 0;

    for (size_t i = 0; i < text.len; i++)
        quote |= !text.at[i] || !strchr(bare, text.at[i]);
    if (!quote) {
        tn_buf_add(out, text.at, text.len);
        return;
    }
    tn_buf_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'')
            tn_buf_lit(out, "'\\''");
        else
            tn_buf_char(out, text.at[i]);
    }
    tn_buf_char(out, '\'');
}

/* ---- Texts that are printed ------------------------------------------------------------------------------------------ */

static size_t run_at(struct tn_slice text, size_t at)
{
    size_t end = at;

    while (end < text.len && text.at[end] == text.at[at])
        end++;
    return end - at;
}

/* How many bytes from `at` on are of one kind, up to a run. */
static size_t stretch_at(struct tn_slice text, size_t at)
{
    size_t end   = at;
    bool   plain = is_plain(text.at[at]);

    while (end < text.len && is_plain(text.at[end]) == plain && run_at(text, end) < RUN_MIN)
        end++;
    return end - at;
}

/* { printf %s 'a'; printf '\377'; printf '%0100000d' 0 | tr 0 '\170'; } */
static void add_printed(struct tn_buf *out, struct tn_slice text)
{
    tn_buf_lit(out, "{ ");
    for (size_t i = 0; i < text.len;) {
        size_t run = run_at(text, i);

        if (run >= RUN_MIN) {
            tn_buf_addf(out, "printf '%%0%zud' 0 | tr 0 '\\%03o'; ", run,
                        (unsigned)(unsigned char)text.at[i]);
            i += run;
            continue;
        }
        run = stretch_at(text, i);
        tn_buf_text(out, is_plain(text.at[i]) ? "printf %s " : "printf '");
        if (is_plain(text.at[i]))
            add_quoted(out, (struct tn_slice){ text.at + i, run });
        else {
            for (size_t j = 0; j < run; j++)
                tn_buf_addf(out, "\\%03o", (unsigned)(unsigned char)text.at[i + j]);
            tn_buf_char(out, '\'');
        }
        tn_buf_lit(out, "; ");
        i += run;
    }
    tn_buf_lit(out, "} | ");
}

/* ---- The line -------------------------------------------------------------------------------------------------------- */

static void begin(struct tn_buf *out, const struct tn_repeat *repeat, const char *option,
                  struct tn_slice text)
{
    bool word = is_word(text);

    if (!word)
        add_printed(out, text);
    tn_buf_lit(out, "tenon call ");
    if (repeat->era)
        tn_buf_addf(out, "--era %s ", repeat->era);
    if (repeat->token_file) {
        tn_buf_lit(out, "--token-file ");
        add_quoted(out, tn_slice_of(repeat->token_file));
        tn_buf_char(out, ' ');
    }
    tn_buf_addf(out, "--timeout %d %s ", repeat->timeout_s, option);
    if (word)
        add_quoted(out, text);
    else
        tn_buf_char(out, '-');
}

static void add_command(struct tn_buf *out, const struct tn_repeat *repeat)
{
    if (repeat->words)
        tn_buf_lit(out, " --");
    for (size_t i = 0; repeat->words && repeat->words[i]; i++) {
        tn_buf_char(out, ' ');
        add_quoted(out, tn_slice_of(repeat->words[i]));
    }
}

void tn_repeat_call(struct tn_buf *out, const struct tn_repeat *repeat, struct tn_slice tool,
                    struct tn_slice arguments)
{
    begin(out, repeat, repeat->raw ? "--raw --json" : "--json", arguments);
    tn_buf_char(out, ' ');
    if (repeat->times > 0)
        tn_buf_addf(out, "--times %zu ", repeat->times);
    if (repeat->url) {
        add_quoted(out, tn_slice_of(repeat->url));
        tn_buf_char(out, ' ');
    }
    add_quoted(out, tool);
    add_command(out, repeat);
}

void tn_repeat_send(struct tn_buf *out, const struct tn_repeat *repeat, struct tn_slice message)
{
    begin(out, repeat, "--send", message);
    if (repeat->url) {
        tn_buf_char(out, ' ');
        add_quoted(out, tn_slice_of(repeat->url));
    }
    add_command(out, repeat);
}
