/* idn.c - names of hosts on libidn2.
 *
 * libidn2 checks one label at a time, by the stricter rules that are meant for registration. What concerns the whole
 * name is here: its dots, its length, and that once any label is written from right to left, the rules of RFC 5893
 * hold for every one. For those only the scripts that are written so matter; all other letters count as written from
 * left to right, and marks of other scripts too, which nothing valid mixes with these.
 */
#include "text/idn.h"

#include "text/host.h"

#ifdef TENON_IDN2

#include <string.h>

#include <idn2.h>

#include "base/utf8.h"

#define NAME_MAX_LEN   253
#define LABEL_MAX_LEN  63
#define LABEL_UTF8_MAX (LABEL_MAX_LEN * 4)

enum direction { LEFT, RIGHT, EUROPEAN_DIGIT, ARABIC_DIGIT, MARK, NEUTRAL };

/* What the labels of a name have in common. */
struct name {
    size_t ascii_len;   /* of the name when all is encoded */
    bool   has_right;   /* some label contains what is written from right to left */
    bool   breaks_rule; /* some label would break the rules of such names */
};

static enum direction direction_of(uint32_t code)
{
    static const struct { uint32_t first, last; enum direction direction; } ranges[] = {
        { '-',     '-',     NEUTRAL        }, { '0',     '9',     EUROPEAN_DIGIT }, { 0x0300,  0x036F,  MARK },
        { 0x0591,  0x05BD,  MARK           }, { 0x05BF,  0x05BF,  MARK           }, { 0x05C1,  0x05C2,  MARK },
        { 0x05C4,  0x05C5,  MARK           }, { 0x05C7,  0x05C7,  MARK           }, { 0x0610,  0x061A,  MARK },
        { 0x064B,  0x065F,  MARK           }, { 0x0660,  0x0669,  ARABIC_DIGIT   }, { 0x0670,  0x0670,  MARK },
        { 0x06D6,  0x06DC,  MARK           }, { 0x06DF,  0x06E4,  MARK           }, { 0x06E7,  0x06E8,  MARK },
        { 0x06EA,  0x06ED,  MARK           }, { 0x06F0,  0x06F9,  EUROPEAN_DIGIT }, { 0x0711,  0x0711,  MARK },
        { 0x0730,  0x074A,  MARK           }, { 0x07A6,  0x07B0,  MARK           }, { 0x07EB,  0x07F3,  MARK },
        { 0x07FD,  0x07FD,  MARK           }, { 0x0816,  0x0819,  MARK           }, { 0x081B,  0x0823,  MARK },
        { 0x0825,  0x0827,  MARK           }, { 0x0829,  0x082D,  MARK           }, { 0x0859,  0x085B,  MARK },
        { 0x0898,  0x089F,  MARK           }, { 0x08CA,  0x08E1,  MARK           }, { 0x08E3,  0x08FF,  MARK },
        { 0x0590,  0x08FF,  RIGHT          }, { 0x200C,  0x200D,  NEUTRAL        }, { 0xFB1E,  0xFB1E,  MARK },
        { 0xFB1D,  0xFDFF,  RIGHT          }, { 0xFE20,  0xFE2F,  MARK           }, { 0xFE70,  0xFEFF,  RIGHT },
        { 0x10A01, 0x10A0F, MARK           }, { 0x10A38, 0x10A3F, MARK           }, { 0x10AE5, 0x10AE6, MARK },
        { 0x10D24, 0x10D27, MARK           }, { 0x10D30, 0x10D39, ARABIC_DIGIT   }, { 0x10EAB, 0x10EAC, MARK },
        { 0x10F46, 0x10F50, MARK           }, { 0x10F82, 0x10F85, MARK           }, { 0x10800, 0x10FFF, RIGHT },
        { 0x1E8D0, 0x1E8D6, MARK           }, { 0x1E944, 0x1E94A, MARK           }, { 0x1E800, 0x1EFFF, RIGHT },
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return ranges[i].direction;
    return LEFT;
}

/* RFC 5893, section 2, of the decoded label: it begins with a letter, which decides what else may stand in it; both
 * kinds of digits never do; and behind marks it ends in a letter or a digit. */
static void judge_direction(struct name *name, const char *at, size_t len)
{
    unsigned       seen  = 0;
    enum direction first = NEUTRAL, last = NEUTRAL;
    uint32_t       code;

    for (size_t i = 0, taken; i < len && (taken = tn_utf8_read(at + i, len - i, &code)) > 0; i += taken) {
        enum direction direction = direction_of(code);

        seen |= 1u << direction;
        first = i == 0 ? direction : first;
        last  = direction == MARK ? last : direction;
    }
    if (seen & (1u << RIGHT | 1u << ARABIC_DIGIT))
        name->has_right = true;
    if (first == RIGHT) {
        if (seen & 1u << LEFT || (seen & 1u << EUROPEAN_DIGIT && seen & 1u << ARABIC_DIGIT) ||
            last == NEUTRAL)
            name->breaks_rule = true;
    } else if (first != LEFT || seen & (1u << RIGHT | 1u << ARABIC_DIGIT) || last == NEUTRAL) {
        name->breaks_rule = true;
    }
}

/* An encoded label, lower-cased: is it what its decoded form would be encoded as? */
static bool is_encoded(struct name *name, const char *label)
{
    uint8_t *again   = NULL;
    char    *decoded = NULL;
    bool     valid   = idn2_register_u8(NULL, (const uint8_t *)label, &again, IDN2_NO_TR46) == IDN2_OK &&
                 idn2_to_unicode_8z8z(label, &decoded, IDN2_NO_TR46) == IDN2_OK;

    if (valid)
        judge_direction(name, decoded, strlen(decoded));
    idn2_free(again);
    idn2_free(decoded);
    return valid;
}

static bool is_ascii_label(struct name *name, struct tn_slice label)
{
    char lower[LABEL_MAX_LEN + 1] = { 0 };

    if (!tn_host_is_name(label) || label.len > LABEL_MAX_LEN)
        return false;
    name->ascii_len += label.len;
    for (size_t i = 0; i < label.len; i++)
        lower[i] = (char)(label.at[i] >= 'A' && label.at[i] <= 'Z' ? label.at[i] | 0x20 : label.at[i]);
    if (memcmp(lower, "xn--", 4) == 0)
        return is_encoded(name, lower);
    judge_direction(name, lower, label.len);
    return true;
}

static bool is_unicode_label(struct name *name, struct tn_slice label)
{
    char     text[LABEL_UTF8_MAX + 1];
    uint8_t *encoded = NULL;
    bool     valid;

    if (label.len > LABEL_UTF8_MAX || memchr(label.at, '\0', label.len))
        return false;
    memcpy(text, label.at, label.len);
    text[label.len] = '\0';
    valid           = idn2_register_u8((const uint8_t *)text, NULL, &encoded, IDN2_NO_TR46) == IDN2_OK;
    if (valid) {
        name->ascii_len += strlen((const char *)encoded);
        judge_direction(name, label.at, label.len);
    }
    idn2_free(encoded);
    return valid;
}

/* The label at the front and the dot behind it, if any: how long the label is, and whether a dot follows. */
static struct tn_slice take_label(struct tn_slice *rest, bool *dot, bool *ascii)
{
    struct tn_slice label = { rest->at, 0 };
    uint32_t        code;
    size_t          taken;

    *dot   = false;
    *ascii = true;
    while (!*dot && (taken = tn_utf8_read(rest->at, rest->len, &code)) > 0) {
        *dot  = code == '.' || code == 0x3002 || code == 0xFF0E || code == 0xFF61;
        *rest = (struct tn_slice){ rest->at + taken, rest->len - taken };
        if (!*dot) {
            *ascii = *ascii && code < 0x80;
            label.len += taken;
        }
    }
    return label;
}

bool tn_idn_is_name(struct tn_slice text)
{
    struct name name = { 0 };
    bool        dot  = true;

    if (text.len > NAME_MAX_LEN * 4 || !tn_utf8_valid(text.at, text.len))
        return false;
    while (dot) {
        bool            ascii;
        struct tn_slice label = take_label(&text, &dot, &ascii);

        if (label.len == 0 || !(ascii ? is_ascii_label(&name, label) : is_unicode_label(&name, label)))
            return false;
        name.ascii_len += dot;
        if (name.ascii_len > NAME_MAX_LEN)
            return false;
    }
    return !name.has_right || !name.breaks_rule;
}

static bool has_encoded_label(struct tn_slice text)
{
    struct tn_slice label;

    while (tn_slice_split(&text, '.', &label))
        if (label.len >= 4 && tn_slice_fold_equal((struct tn_slice){ label.at, 4 }, SLICE_LIT("xn--")))
            return true;
    return false;
}

bool tn_idn_is_ascii_name(struct tn_slice text)
{
    return tn_host_is_name(text) && (!has_encoded_label(text) || tn_idn_is_name(text));
}

#else

bool tn_idn_is_ascii_name(struct tn_slice text)
{
    return tn_host_is_name(text);
}

#endif
