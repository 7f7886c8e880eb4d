/* fold.c - folding by tables for Latin, by rule for Greek and Cyrillic; other letters stay as they are.
 *
 * Not libunistring's case folding and NFKD without marks, which take five times as long a character (138 ns, not 27): they
 * treat 121 of 720 Latin letters otherwise (those of ae, o with a stroke, l with a stroke would need a table all the same),
 * drop the vowel signs of Indian scripts, take Korean syllables apart, and make up to 33 bytes of one character.
 */
#include "kit/words/fold.h"

#include <stdbool.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The letter of each, from Unicode's decompositions; a capital stands for two letters, a dot for none. */
static const char latin_first[] = /* U+00C0 to U+024F */
    "aaaaaaAceeeeiiiidnooooo.ouuuuyTSaaaaaaAceeeeiiiidnooooo.ouuuuyTy"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiIIjjkkklllllll"
    "lllnnnnnnnnnooooooOOrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
    "b......................i..l.....oo.............uu....zz........."
    ".............aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa...."
    "aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy......acclt."
    "...b..eejj..rryy";
static const char latin_second[] = /* U+1E00 to U+1EFF */
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwy.s..s.aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......";

static const struct {
    char        capital;
    const char *letters;
} pairs[] = {
    { 'A', "ae" }, { 'I', "ij" }, { 'O', "oe" }, { 'S', "ss" }, { 'T', "th" },
};

/* What is no letter above ASCII, and what is one by itself; the first range that has a character decides. */
static const struct {
    uint32_t       first, last;
    enum fold_kind kind;
} ranges[] = {
    { 0x0080, 0x00A9, FOLD_BREAK },     { 0x00AD, 0x00AD, FOLD_NOTHING },  { 0x00AB, 0x00B4, FOLD_BREAK },
    { 0x00B6, 0x00B9, FOLD_BREAK },     { 0x00BB, 0x00BF, FOLD_BREAK },    { 0x00D7, 0x00D7, FOLD_BREAK },
    { 0x00F7, 0x00F7, FOLD_BREAK },     { 0x0300, 0x036F, FOLD_NOTHING },  { 0x037E, 0x037E, FOLD_BREAK },
    { 0x0387, 0x0387, FOLD_BREAK },     { 0x055A, 0x055F, FOLD_BREAK },    { 0x0589, 0x058A, FOLD_BREAK },
    { 0x0591, 0x05BD, FOLD_NOTHING },   { 0x05BE, 0x05BE, FOLD_BREAK },    { 0x05C0, 0x05C0, FOLD_BREAK },
    { 0x05C3, 0x05C3, FOLD_BREAK },     { 0x05F3, 0x05F4, FOLD_BREAK },    { 0x0600, 0x0610, FOLD_BREAK },
    { 0x061B, 0x061F, FOLD_BREAK },     { 0x064B, 0x065F, FOLD_NOTHING },  { 0x066A, 0x066D, FOLD_BREAK },
    { 0x06D4, 0x06D4, FOLD_BREAK },     { 0x0964, 0x0965, FOLD_BREAK },    { 0x0E4F, 0x0E4F, FOLD_BREAK },
    { 0x1AB0, 0x1AFF, FOLD_NOTHING },   { 0x1DC0, 0x1DFF, FOLD_NOTHING },  { 0x200B, 0x200F, FOLD_NOTHING },
    { 0x202A, 0x202E, FOLD_NOTHING },   { 0x2060, 0x206F, FOLD_NOTHING },  { 0x2000, 0x20CF, FOLD_BREAK },
    { 0x20D0, 0x20FF, FOLD_NOTHING },   { 0x2100, 0x2BFF, FOLD_BREAK },    { 0x2E00, 0x2E7F, FOLD_BREAK },
    { 0x2E80, 0x2FDF, FOLD_ALONE },     { 0x3005, 0x3007, FOLD_ALONE },    { 0x2FE0, 0x303F, FOLD_BREAK },
    { 0x30FB, 0x30FB, FOLD_BREAK },     { 0x3040, 0x30FF, FOLD_ALONE },    { 0x3200, 0x33FF, FOLD_BREAK },
    { 0x3400, 0x9FFF, FOLD_ALONE },     { 0xD800, 0xF8FF, FOLD_BREAK },    { 0xF900, 0xFAFF, FOLD_ALONE },
    { 0xFE00, 0xFE0F, FOLD_NOTHING },   { 0xFE20, 0xFE2F, FOLD_NOTHING },  { 0xFE10, 0xFE6F, FOLD_BREAK },
    { 0xFEFF, 0xFEFF, FOLD_NOTHING },   { 0xFF66, 0xFF9F, FOLD_ALONE },    { 0xFF00, 0xFFFF, FOLD_BREAK },
    { 0x1D100, 0x1D3FF, FOLD_BREAK },   { 0x1F000, 0x1FAFF, FOLD_BREAK },  { 0x20000, 0x3FFFF, FOLD_ALONE },
    { 0xE0000, 0xE0FFF, FOLD_NOTHING }, { 0xF0000, 0x10FFFF, FOLD_BREAK },
};

/* Greek letters with a stroke over them, and the sigma that ends a word. */
static const struct {
    uint32_t from, to;
} greek[] = {
    { 0x0386, 0x03B1 }, { 0x0388, 0x03B5 }, { 0x0389, 0x03B7 }, { 0x038A, 0x03B9 }, { 0x038C, 0x03BF },
    { 0x038E, 0x03C5 }, { 0x038F, 0x03C9 }, { 0x03AC, 0x03B1 }, { 0x03AD, 0x03B5 }, { 0x03AE, 0x03B7 },
    { 0x03AF, 0x03B9 }, { 0x03C2, 0x03C3 }, { 0x03CC, 0x03BF }, { 0x03CD, 0x03C5 }, { 0x03CE, 0x03C9 },
};

/* The bytes of the character, at least 1; *value is 0 when it is not UTF-8. */
static size_t decode(const unsigned char *at, size_t len, uint32_t *value)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t   size  = at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    uint32_t found = size ? at[0] & (0xFFu >> (size + 1)) : 0;

    *value = 0;
    if (!size || size > len)
        return 1;
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 1;
        found = found << 6 | (at[i] & 0x3Fu);
    }
    if (found < least[size] || found > 0x10FFFF || (found >= 0xD800 && found <= 0xDFFF))
        return 1;
    *value = found;
    return size;
}

static size_t encode(uint32_t value, char out[FOLD_ROOM])
{
    if (value < 0x80) {
        out[0] = (char)value;
        return 1;
    }
    if (value < 0x800) {
        out[0] = (char)(0xC0 | value >> 6);
        out[1] = (char)(0x80 | (value & 0x3F));
        return 2;
    }
    if (value < 0x10000) {
        out[0] = (char)(0xE0 | value >> 12);
        out[1] = (char)(0x80 | (value >> 6 & 0x3F));
        out[2] = (char)(0x80 | (value & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | value >> 18);
    out[1] = (char)(0x80 | (value >> 12 & 0x3F));
    out[2] = (char)(0x80 | (value >> 6 & 0x3F));
    out[3] = (char)(0x80 | (value & 0x3F));
    return 4;
}

/* The Latin letters that it stands for: 0 when it is not in the tables. */
static size_t fold_latin(uint32_t value, char out[FOLD_ROOM])
{
    char letter = '.';

    if (value >= 0xC0 && value < 0x250)
        letter = latin_first[value - 0xC0];
    else if (value >= 0x1E00 && value < 0x1F00)
        letter = latin_second[value - 0x1E00];
    if (letter >= 'a' && letter <= 'z') {
        out[0] = letter;
        return 1;
    }
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        if (pairs[i].capital == letter) {
            memcpy(out, pairs[i].letters, 2);
            return 2;
        }
    }
    return 0;
}

static uint32_t fold_greek(uint32_t value)
{
    for (size_t i = 0; i < COUNT_OF(greek); i++)
        if (greek[i].from == value)
            return greek[i].to;
    return value >= 0x391 && value <= 0x3AB ? value + 0x20 : value;
}

static uint32_t fold_cyrillic(uint32_t value)
{
    if (value >= 0x400 && value <= 0x40F)
        value += 0x50;
    else if (value >= 0x410 && value <= 0x42F)
        value += 0x20;
    else if (value >= 0x48A && value <= 0x4BF)
        value |= 1;
    return value == 0x451 ? 0x435 : value;
}

static uint32_t fold_case(uint32_t value)
{
    if (value >= 0x370 && value < 0x400)
        return fold_greek(value);
    if (value >= 0x400 && value < 0x530)
        return fold_cyrillic(value);
    if (value >= 0x531 && value <= 0x556)
        return value + 0x30;
    return value;
}

static enum fold_kind kind_of(uint32_t value)
{
    if (value >= 0xC0 && value < 0x300)
        return value == 0xD7 || value == 0xF7 ? FOLD_BREAK : FOLD_LETTER;
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        if (value >= ranges[i].first && value <= ranges[i].last)
            return ranges[i].kind;
    return FOLD_LETTER;
}

/* Letters and digits that are as wide as an ideograph are ordinary ones. */
static uint32_t narrow(uint32_t value)
{
    uint32_t ascii = value - 0xFF01 + '!';

    if (value < 0xFF01 || value > 0xFF5E)
        return value;
    if (ascii >= 'A' && ascii <= 'Z')
        return ascii + 32;
    return (ascii >= 'a' && ascii <= 'z') || (ascii >= '0' && ascii <= '9') ? ascii : value;
}

size_t fold_character(const char *at, size_t len, enum fold_kind *kind, char out[FOLD_ROOM], size_t *out_len)
{
    uint32_t value;
    size_t   size = decode((const unsigned char *)at, len, &value);

    *out_len = 0;
    *kind    = FOLD_BREAK;
    if (!value)
        return size;
    value = narrow(value);
    *kind = value < 0x80 ? FOLD_LETTER : kind_of(value);
    if (*kind != FOLD_LETTER && *kind != FOLD_ALONE)
        return size;
    *out_len = fold_latin(value, out);
    if (!*out_len)
        *out_len = encode(fold_case(value), out);
    return size;
}
