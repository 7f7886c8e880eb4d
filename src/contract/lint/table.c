/* table.c - tools and clients: a row each, and what is the worst for it. */
#include "contract/lint/lint.h"
#include "json/echo.h"

#define NAME_WIDE_MAX ((size_t)40)
#define CELL_MIN      ((size_t)7) /* "warning" */
#define PLAIN         "\x1b[0m"

static void add_spaces(struct tn_buf *out, size_t count)
{
    while (count-- > 0)
        tn_buf_char(out, ' ');
}

static void add_name(struct tn_buf *out, struct tn_slice name, size_t wide)
{
    size_t from = out->len;

    tn_echo_text(out, name.at ? name.at : "", name.len < NAME_WIDE_MAX ? name.len : NAME_WIDE_MAX);
    if (out->len - from < wide)
        add_spaces(out, wide - (out->len - from));
}

static size_t cell_wide(const struct tn_profile *profile)
{
    return profile->name.len > CELL_MIN ? profile->name.len : CELL_MIN;
}

static void add_cell(struct tn_buf *out, enum tn_level level, size_t wide, bool coloured)
{
    static const char *const colours[LEVELS] = { "\x1b[32m", "\x1b[32m", "\x1b[33m", "\x1b[31m" };
    const char              *word            = level <= LEVEL_NOTE ? "ok" : tn_level_word(level);

    tn_buf_lit(out, "  ");
    tn_buf_text(out, coloured ? colours[level] : "");
    tn_buf_text(out, word);
    tn_buf_text(out, coloured ? PLAIN : "");
    add_spaces(out, wide - strlen(word));
}

static void end_line(struct tn_buf *out)
{
    while (out->len > 0 && !out->failed && out->at[out->len - 1] == ' ')
        out->len--;
    tn_buf_char(out, '\n');
}

void tn_lint_table(struct tn_buf *out, const struct tn_lint *lint, bool coloured)
{
    size_t wide = 4;

    for (size_t i = 0; i < lint->tool_count; i++)
        wide = lint->tools[i].len > wide ? lint->tools[i].len : wide;
    wide = wide < NAME_WIDE_MAX ? wide : NAME_WIDE_MAX;
    add_name(out, SLICE_LIT("tool"), wide);
    for (size_t i = 0; i < lint->profile_count; i++) {
        tn_buf_lit(out, "  ");
        add_name(out, lint->profiles[i]->name, cell_wide(lint->profiles[i]));
    }
    end_line(out);
    for (size_t i = 0; i < lint->tool_count; i++) {
        add_name(out, lint->tools[i], wide);
        for (size_t j = 0; j < lint->profile_count; j++)
            add_cell(out, (enum tn_level)lint->cells[i * lint->profile_count + j],
                     cell_wide(lint->profiles[j]), coloured);
        end_line(out);
    }
    tn_buf_char(out, '\n');
}
