/* regex_ecma.c - ECMA-262 patterns in the words of PCRE2.
 *
 * The two languages share most of their text but not its meaning. Here every escape is either known to both, or
 * spelled out (\s and . by ECMA's own lists, \v and \u by code point, back references so that they are never octal),
 * or refused. Besides Unicode mode, its escapes of ASCII punctuation and its lone braces are accepted as in the older
 * mode, since people write \- and \@.
 */
#include "text/regex_ecma.h"

#include <assert.h>
#include <string.h>

#include "base/ascii.h"

#define SPACES     "\\t\\n\\x{b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
#define NOT_SPACES "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" \
                   "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"
#define NOT_LINE_ENDS "[^\\n\\r\\x{2028}\\x{2029}]"

#define REPEAT_MAX 65535u /* of PCRE2 */

static_assert(sizeof NOT_SPACES <= 2 * ECMA_GROWTH_MAX, "the two bytes of \\S grow most");

struct ecma {
    struct tn_buf              *out;
    struct tn_slice             rest;
    struct tn_regex_ecma_result result;
    bool                        in_class;
    bool                        repeated; /* a quantifier stands right before */
    bool                        closed;   /* or the end of a group */
    size_t                      run;      /* characters since the last callout */
};

static void regex_ecma_refuse(struct ecma *ecma, const char *why)
{
    ecma->result.why = why;
    ecma->rest.len   = 0;
}

static char regex_ecma_peek(const struct ecma *ecma, size_t ahead)
{
    return ahead < ecma->rest.len ? ecma->rest.at[ahead] : '\0';
}

static void regex_ecma_skip(struct ecma *ecma, size_t len)
{
    ecma->rest = (struct tn_slice){ ecma->rest.at + len, ecma->rest.len - len };
}

static void regex_ecma_copy(struct ecma *ecma, size_t len)
{
    tn_buf_add(ecma->out, ecma->rest.at, len);
    regex_ecma_skip(ecma, len);
}

static void lengthen_run(struct ecma *ecma, size_t len)
{
    ecma->run += len;
    if (ecma->run > ecma->result.run)
        ecma->result.run = ecma->run;
}

static void write_callout(struct ecma *ecma)
{
    tn_buf_lit(ecma->out, "(?C)");
    ecma->run = 0;
}

static bool is_alnum(char c)
{
    return tn_ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* `count` hexadecimal digits from `ahead` on; negative when there are not. */
static long peek_hex(const struct ecma *ecma, size_t ahead, size_t count)
{
    long value = 0;

    for (size_t i = 0; i < count; i++) {
        int digit = tn_ascii_hex_value(regex_ecma_peek(ecma, ahead + i));
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static void write_code_point(struct ecma *ecma, long code, size_t len)
{
    tn_buf_addf(ecma->out, "\\x{%lx}", (unsigned long)code);
    regex_ecma_skip(ecma, len);
}

/* \xHH, \uHHHH, \u{H...}, and two of the second kind that are a surrogate pair. */
static void write_hex_escape(struct ecma *ecma)
{
    size_t digits = regex_ecma_peek(ecma, 1) == 'x' ? 2 : 4;
    long   code, low;

    if (digits == 4 && regex_ecma_peek(ecma, 2) == '{') {
        size_t end = 3;

        while (end < 10 && tn_ascii_hex_value(regex_ecma_peek(ecma, end)) >= 0)
            end++;
        if (end == 3 || regex_ecma_peek(ecma, end) != '}')
            regex_ecma_refuse(ecma, "\\u{ needs a code point and }");
        else
            write_code_point(ecma, peek_hex(ecma, 3, end - 3), end + 1);
        return;
    }
    code = peek_hex(ecma, 2, digits);
    if (code < 0) {
        regex_ecma_refuse(ecma, digits == 2 ? "\\x needs two hexadecimal digits"
                                            : "\\u needs four hexadecimal digits");
        return;
    }
    low = regex_ecma_peek(ecma, 6) == '\\' && regex_ecma_peek(ecma, 7) == 'u' ? peek_hex(ecma, 8, 4) : -1;
    if (code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000)
        write_code_point(ecma, 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00), 12);
    else
        write_code_point(ecma, code, 2 + digits);
}

/* The short name of a general category that PCRE2 knows by its short name only; else the name itself. */
static struct tn_slice category_name(struct tn_slice name)
{
    static const struct { const char *name, *category; } categories[] = {
        { "Cased_Letter", "L&" },           { "Close_Punctuation", "Pe" },   { "Combining_Mark", "M" },
        { "Connector_Punctuation", "Pc" },  { "Control", "Cc" },             { "cntrl", "Cc" },
        { "Currency_Symbol", "Sc" },        { "Dash_Punctuation", "Pd" },    { "Decimal_Number", "Nd" },
        { "digit", "Nd" },                  { "Enclosing_Mark", "Me" },      { "Final_Punctuation", "Pf" },
        { "Format", "Cf" },                 { "Initial_Punctuation", "Pi" }, { "LC", "L&" },
        { "Letter", "L" },                  { "Letter_Number", "Nl" },       { "Line_Separator", "Zl" },
        { "Lowercase_Letter", "Ll" },       { "Mark", "M" },                 { "Math_Symbol", "Sm" },
        { "Modifier_Letter", "Lm" },        { "Modifier_Symbol", "Sk" },     { "Nonspacing_Mark", "Mn" },
        { "Number", "N" },                  { "Open_Punctuation", "Ps" },    { "Other", "C" },
        { "Other_Letter", "Lo" },           { "Other_Number", "No" },        { "Other_Punctuation", "Po" },
        { "Other_Symbol", "So" },           { "Paragraph_Separator", "Zp" }, { "Private_Use", "Co" },
        { "Punctuation", "P" },             { "punct", "P" },                { "Separator", "Z" },
        { "Space_Separator", "Zs" },        { "Spacing_Mark", "Mc" },        { "Surrogate", "Cs" },
        { "Symbol", "S" },                  { "Titlecase_Letter", "Lt" },    { "Unassigned", "Cn" },
        { "Uppercase_Letter", "Lu" },
    };

    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (tn_slice_is(name, categories[i].name))
            return tn_slice_of(categories[i].category);
    return name;
}

/* \p{...} or \P{...} */
static void write_property(struct ecma *ecma)
{
    static const char *const prefixes[] = { "General_Category=", "gc=" };
    struct tn_slice          name       = { ecma->rest.at + 3, 0 };
    size_t                   len;

    while (is_alnum(regex_ecma_peek(ecma, 3 + name.len)) || regex_ecma_peek(ecma, 3 + name.len) == '_' ||
           regex_ecma_peek(ecma, 3 + name.len) == '=')
        name.len++;
    if (regex_ecma_peek(ecma, 2) != '{' || name.len == 0 || regex_ecma_peek(ecma, 3 + name.len) != '}') {
        regex_ecma_refuse(ecma, "\\p needs the name of a property in braces");
        return;
    }
    len = name.len;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t prefix = strlen(prefixes[i]);
        if (name.len > prefix && memcmp(name.at, prefixes[i], prefix) == 0)
            name = (struct tn_slice){ name.at + prefix, name.len - prefix };
    }
    name = category_name(name);
    tn_buf_add(ecma->out, ecma->rest.at, 3);
    tn_buf_add(ecma->out, name.at, name.len);
    tn_buf_char(ecma->out, '}');
    regex_ecma_skip(ecma, len + 4);
}

/* \1 to \99..., as a reference that PCRE2 cannot take for an octal number. */
static void write_reference(struct ecma *ecma)
{
    size_t len = 1;

    while (tn_ascii_is_digit(regex_ecma_peek(ecma, len)))
        len++;
    if (ecma->in_class || len > 4) {
        regex_ecma_refuse(ecma,
                          ecma->in_class ? "a back reference stands in a class" : "there is no such group");
        return;
    }
    ecma->result.references = true;
    tn_buf_lit(ecma->out, "\\g{");
    tn_buf_add(ecma->out, ecma->rest.at + 1, len - 1);
    tn_buf_char(ecma->out, '}');
    regex_ecma_skip(ecma, len);
}

/* \k<name>, of which this is only the front. */
static void write_named_reference(struct ecma *ecma)
{
    ecma->result.references = true;
    regex_ecma_copy(ecma, 2);
}

static void write_spaces(struct ecma *ecma)
{
    bool all = regex_ecma_peek(ecma, 1) == 's';

    if (ecma->in_class)
        tn_buf_text(ecma->out, all ? SPACES : NOT_SPACES);
    else
        tn_buf_text(ecma->out, all ? "[" SPACES "]" : "[^" SPACES "]");
    regex_ecma_skip(ecma, 2);
}

static void write_escape(struct ecma *ecma)
{
    char c = regex_ecma_peek(ecma, 1);

    if (ecma->rest.len < 2)
        regex_ecma_refuse(ecma, "\\ at the end of the pattern");
    else if (c == 's' || c == 'S')
        write_spaces(ecma);
    else if (c == 'x' || c == 'u')
        write_hex_escape(ecma);
    else if (c == 'p' || c == 'P')
        write_property(ecma);
    else if (c == 'v')
        write_code_point(ecma, 0x0B, 2);
    else if (c == '0' && !tn_ascii_is_digit(regex_ecma_peek(ecma, 2)))
        write_code_point(ecma, 0, 2);
    else if (c >= '1' && c <= '9')
        write_reference(ecma);
    else if (c == 'c' && is_alnum(regex_ecma_peek(ecma, 2)) && !tn_ascii_is_digit(regex_ecma_peek(ecma, 2)))
        regex_ecma_copy(ecma, 3);
    else if (c == 'k' && regex_ecma_peek(ecma, 2) == '<' && !ecma->in_class)
        write_named_reference(ecma);
    else if (strchr("dDwWbBtnfr", c) ? c != '\0' : !is_alnum(c) && c > ' ' && c <= '~')
        regex_ecma_copy(ecma, 2);
    else
        regex_ecma_refuse(ecma, "an escape that ECMA-262 does not have");
}

/* One piece of a class. To PCRE2, "[" might begin [:alpha:] there, and so might what comes first be part of one. */
static void write_in_class(struct ecma *ecma)
{
    char c = regex_ecma_peek(ecma, 0);

    if (c == '\\') {
        write_escape(ecma);
    } else if (c == '[' || c == ':' || c == '.' || c == '=') {
        tn_buf_char(ecma->out, '\\');
        regex_ecma_copy(ecma, 1);
    } else {
        ecma->in_class = c != ']';
        regex_ecma_copy(ecma, 1);
    }
}

/* What {n}, {n,} or {n,m} at the front says; `len` is 0 when there is none. */
struct braces {
    size_t len, min;
    bool   exact;
};

static struct braces read_braces(const struct ecma *ecma)
{
    struct braces braces = { .exact = true };
    size_t        len    = 1;

    for (; tn_ascii_is_digit(regex_ecma_peek(ecma, len)) ||
           (len > 1 && braces.exact && regex_ecma_peek(ecma, len) == ',');
         len++) {
        if (regex_ecma_peek(ecma, len) == ',')
            braces.exact = false;
        else if (braces.exact && braces.min < REPEAT_MAX)
            braces.min = braces.min * 10 + (size_t)(regex_ecma_peek(ecma, len) - '0');
    }
    if (len > 1 && regex_ecma_peek(ecma, len) == '}')
        braces.len = len + 1;
    return braces;
}

/* A quantifier and the "?" that makes it lazy. Another one after it has nothing to repeat. What follows a part that
 * repeats a number of times that is not fixed is come to once for each of them. */
static void write_quantifier(struct ecma *ecma, struct braces braces)
{
    if (ecma->repeated) {
        regex_ecma_refuse(ecma, "a quantifier follows another");
        return;
    }
    regex_ecma_copy(ecma, braces.len);
    if (regex_ecma_peek(ecma, 0) == '?')
        regex_ecma_copy(ecma, 1);
    if (!ecma->closed)
        lengthen_run(ecma, braces.min); /* a group counts for itself */
    if (!braces.exact)
        write_callout(ecma);
    ecma->repeated = true;
}

/* The length of (?<name>, of which `len` bytes are its front; all the rest when it has no end, which PCRE2 refuses. */
static size_t name_len(const struct ecma *ecma, size_t len)
{
    while (len < ecma->rest.len && regex_ecma_peek(ecma, len) != '>')
        len++;
    return len < ecma->rest.len ? len + 1 : len;
}

static void write_group(struct ecma *ecma)
{
    static const char *const kinds[] = { "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<" };

    if (regex_ecma_peek(ecma, 1) != '?' && regex_ecma_peek(ecma, 1) != '*') {
        regex_ecma_copy(ecma, 1);
        write_callout(ecma);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t len = strlen(kinds[i]);
        if (ecma->rest.len > len && memcmp(ecma->rest.at, kinds[i], len) == 0) {
            if (i == sizeof kinds / sizeof *kinds - 1)
                len = name_len(ecma, len);
            regex_ecma_copy(ecma, len);
            write_callout(ecma);
            return;
        }
    }
    regex_ecma_refuse(ecma, "a kind of group that ECMA-262 does not have");
}

static struct braces quantifier_of(const struct ecma *ecma)
{
    char c = regex_ecma_peek(ecma, 0);

    if (c == '{')
        return read_braces(ecma);
    return (struct braces){ .len = c == '*' || c == '+' || c == '?', .min = c == '+' };
}

/* One piece outside of classes that is no quantifier. */
static void write_plain(struct ecma *ecma, char c)
{
    if (c == '\\') {
        write_escape(ecma);
    } else if (c == '.') {
        tn_buf_lit(ecma->out, NOT_LINE_ENDS);
        regex_ecma_skip(ecma, 1);
    } else if (c == '(') {
        write_group(ecma);
    } else if (c == '{' || c == '}' || c == ']') {
        tn_buf_char(ecma->out, '\\');
        regex_ecma_copy(ecma, 1);
    } else if (c == '[') {
        ecma->in_class = true;
        regex_ecma_copy(ecma, regex_ecma_peek(ecma, 1) == '^' ? 2 : 1);
    } else {
        regex_ecma_copy(ecma, 1);
    }
    if (c == '|')
        write_callout(ecma);
}

static void write_piece(struct ecma *ecma)
{
    char          c          = regex_ecma_peek(ecma, 0);
    struct braces quantifier = quantifier_of(ecma);

    if (quantifier.len > 0) {
        write_quantifier(ecma, quantifier);
        return;
    }
    lengthen_run(ecma, 1);
    write_plain(ecma, c);
    ecma->repeated = false;
    ecma->closed   = c == ')';
}

struct tn_regex_ecma_result tn_regex_ecma_write(struct tn_buf *out, struct tn_slice text)
{
    struct ecma ecma = { .out = out, .rest = text };

    while (ecma.rest.len > 0) {
        if (ecma.in_class)
            write_in_class(&ecma);
        else
            write_piece(&ecma);
    }
    return ecma.result;
}
