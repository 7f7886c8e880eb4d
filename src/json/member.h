/* member.h - the members of an object and the items of an array, as their bytes. The text was found to be JSON before. */
#ifndef JSON_MEMBER_H
#define JSON_MEMBER_H

#include "json/scan.h"
#include "json/write.h"

struct tn_member {
    struct tn_slice name;  /* between its quotes, as it is written */
    struct tn_slice value; /* without spaces around it */
};

struct tn_members {
    struct tn_scan scan;
    bool           begun;
    size_t         left; /* how many come; 0 when that is not known */
};

static inline struct tn_members tn_members_of(struct tn_slice container)
{
    return (struct tn_members){ .scan = tn_scan_of(container) };
}

/* Those of an object that was read, and has so many: the last one, mostly the longest, need not be gone through. */
static inline struct tn_members tn_members_counted(struct tn_slice object, size_t count)
{
    return (struct tn_members){ .scan = tn_scan_of(object), .left = count };
}

static inline bool tn_members_step_(struct tn_members *all, char opening, struct tn_slice *value)
{
    size_t first;

    if (!tn_scan_take(&all->scan, all->begun ? ',' : opening))
        return false;
    all->begun = true;
    tn_scan_skip_spaces(&all->scan);
    first = all->scan.next;
    tn_scan_skip_value(&all->scan);
    *value = (struct tn_slice){ all->scan.at + first, all->scan.next - first };
    return value->len > 0;
}

/* The next item of an array. */
static inline bool tn_items_next(struct tn_members *all, struct tn_slice *item)
{
    return tn_members_step_(all, '[', item);
}

/* The next member of an object. */
static inline bool tn_members_next(struct tn_members *all, struct tn_member *member)
{
    size_t first;

    if (!tn_members_step_(all, '{', &member->name) || member->name.len < 2 || !tn_scan_take(&all->scan, ':'))
        return false; /* a name has its quotes, or the text is no JSON */
    member->name = (struct tn_slice){ member->name.at + 1, member->name.len - 2 };
    tn_scan_skip_spaces(&all->scan);
    first = all->scan.next;
    if (all->left > 0 && --all->left == 0)
        tn_scan_skip_last(&all->scan);
    else
        tn_scan_skip_value(&all->scan);
    member->value = (struct tn_slice){ all->scan.at + first, all->scan.next - first };
    return member->value.len > 0;
}

/* Writes a member as it came, on one line, after a comma unless it is the first since `from`. */
static inline void tn_member_add(struct tn_buf *out, size_t from, const struct tn_member *member)
{
    if (out->len > from)
        tn_buf_char(out, ',');
    tn_json_line(out, member->name.at - 1,
                 (size_t)(member->value.at + member->value.len - member->name.at) + 1);
}

/* The value of a member of an object with so many of them (0: not known); empty when it is not there. */
static inline struct tn_slice tn_member_counted(struct tn_slice object, size_t count, const char *name)
{
    struct tn_members all = tn_members_counted(object, count);
    struct tn_member  one;

    while (tn_members_next(&all, &one))
        if (tn_slice_is(one.name, name))
            return one.value;
    return (struct tn_slice){ NULL, 0 };
}

static inline struct tn_slice tn_member_of(struct tn_slice object, const char *name)
{
    return tn_member_counted(object, 0, name);
}

#endif
