/* idn.c - names of hosts on libidn2.
 *
 * libidn2 checks one label at a time, by the stricter rules that are meant for registration. What concerns the whole
 * name is here: its dots, its length, and that once any label is written from right to left, the rules of RFC 5893
 * hold for every one. Which characters are written so is libunistring's to know.
 */
#include "text/idn.h"

#include "text/host.h"

#ifdef TENON_IDN2

#include <string.h>

#include <idn2.h>
#include <unictype.h>

#include "base/utf8.h"

#define NAME_MAX_LEN   253
#define LABEL_MAX_LEN  63
#define LABEL_UTF8_MAX (LABEL_MAX_LEN * 4)

/* Sets of classes of direction. */
#define SET(class) (1u << UC_BIDI_##class)
#define RIGHT      (SET(R) | SET(AL))
#define LETTER     (SET(L) | RIGHT)
#define DIGIT      (SET(EN) | SET(AN))
#define NEUTRAL    (SET(ES) | SET(CS) | SET(ET) | SET(ON) | SET(BN) | SET(NSM))

/* What the labels of a name have in common. */
struct name {
    size_t ascii_len;   /* of the name when all is encoded */
    bool   has_right;   /* some label contains what is written from right to left */
    bool   breaks_rule; /* some label would break the rules of such names */
};

/* RFC 5893, section 2, of the decoded label: it begins with a letter, which decides what else may stand in it; both
 * kinds of digits never do; and before its marks it ends in a letter or a digit. */
static void judge_direction(struct name *name, const char *at, size_t len)
{
    uint32_t seen = 0, first = 0, last = 0, strong, code;

    for (size_t i = 0, taken; i < len && (taken = tn_utf8_read(at + i, len - i, &code)) > 0; i += taken) {
        uint32_t set = 1u << uc_bidi_class(code);

        seen |= set;
        first = i == 0 ? set : first;
        last  = set == SET(NSM) ? last : set;
    }
    strong = first & RIGHT ? RIGHT | DIGIT : SET(L) | SET(EN);
    if (seen & (RIGHT | SET(AN)))
        name->has_right = true;
    if (!(first & LETTER) || seen & ~(strong | NEUTRAL) || !(last & strong) || (seen & DIGIT) == DIGIT)
        name->breaks_rule = true;
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
