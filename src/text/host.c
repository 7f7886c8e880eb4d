/* host.c - names and addresses of hosts. */
#include "text/host.h"

#include <string.h>

#include "base/ascii.h"

#define NAME_MAX_LEN  253
#define LABEL_MAX_LEN 63
#define IPV6_GROUPS   8

static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

static bool is_label(struct tn_slice label)
{
    if (label.len == 0 || label.len > LABEL_MAX_LEN || label.at[0] == '-' || label.at[label.len - 1] == '-')
        return false;
    for (size_t i = 0; i < label.len; i++) {
        char c = label.at[i];
        if (is_ascii(c) && !tn_ascii_is_digit(c) && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-')
            return false;
    }
    return true;
}

bool tn_host_is_wide_name(struct tn_slice text)
{
    struct tn_slice label;

    if (text.len == 0 || text.len > NAME_MAX_LEN || text.at[text.len - 1] == '.')
        return false;
    while (tn_slice_split(&text, '.', &label))
        if (!is_label(label))
            return false;
    return true;
}

bool tn_host_is_name(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_ascii(text.at[i]))
            return false;
    return tn_host_is_wide_name(text);
}

static bool is_octet(struct tn_slice text)
{
    int value = 0;

    if (text.len == 0 || text.len > 3 || (text.len > 1 && text.at[0] == '0'))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!tn_ascii_is_digit(text.at[i]))
            return false;
        value = value * 10 + (text.at[i] - '0');
    }
    return value <= 255;
}

bool tn_host_is_ipv4(struct tn_slice text)
{
    struct tn_slice octet;
    int             count = 0;

    if (text.len == 0 || text.at[text.len - 1] == '.')
        return false;
    while (tn_slice_split(&text, '.', &octet))
        if (++count > 4 || !is_octet(octet))
            return false;
    return count == 4;
}

static bool is_group(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!tn_ascii_is_hex(text.at[i]))
            return false;
    return text.len >= 1 && text.len <= 4;
}

/* How many groups of 16 bits stand between the colons; IPV6_GROUPS + 1 when something else does. Only the last part
 * of the address may be an IPv4 one, which counts as two. */
static int count_groups(struct tn_slice text, bool last)
{
    struct tn_slice group;
    int             count = 0;

    if (text.len > 0 && text.at[text.len - 1] == ':')
        return IPV6_GROUPS + 1;
    while (tn_slice_split(&text, ':', &group)) {
        if (is_group(group))
            count += 1;
        else if (last && text.len == 0 && tn_host_is_ipv4(group))
            count += 2;
        else
            return IPV6_GROUPS + 1;
        if (count > IPV6_GROUPS)
            break;
    }
    return count;
}

/* At most one "::" stands for one group of zeros or more. */
bool tn_host_is_ipv6(struct tn_slice text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        struct tn_slice head = { text.at, i }, tail = { text.at + i + 2, text.len - i - 2 };

        if (text.at[i] == ':' && text.at[i + 1] == ':')
            return count_groups(head, false) + count_groups(tail, true) < IPV6_GROUPS;
    }
    return count_groups(text, true) == IPV6_GROUPS;
}
