/* meant.c - likeness of names: by edits, by beginning, by number, by words, by what tools commonly call a thing. */
#include "text/meant.h"

#include "base/ascii.h"

/* The less, the likelier. Between the others lie ten for each edit. */
enum {
    RANK_SAME      = 0, /* but for case and what stands between words */
    RANK_NUMBER    = 5, /* singular and plural */
    RANK_EDIT      = 10,
    RANK_BEGINNING = 15,
    RANK_SHORT     = 15, /* an edit of a short name says little: so much more */
    RANK_WORDS     = 1000,
    RANK_SYNONYM   = 1001,
    RANK_NONE      = 1002
};

#define SHORT_LEN     4 /* names below this */
#define BEGINNING_MIN 3 /* letters that a beginning has at least */

/* ---- Words --------------------------------------------------------------------------------------------------- */

static bool is_between(char c)
{
    return c == '_' || c == '-' || c == ' ' || c == '.' || c == '/';
}

/* Does a new word begin at `i`? In "pageSize" it does; in "ID" it does not. */
static bool begins_word(struct tn_slice name, size_t i)
{
    if (i == 0 || is_between(name.at[i - 1]))
        return true;
    return tn_ascii_is_upper(name.at[i]) && !tn_ascii_is_upper(name.at[i - 1]);
}

static void split(struct tn_meant_words *words, struct tn_slice name)
{
    words->len = words->count = 0;
    if (name.len > STR_NEAR_MAX)
        return;
    for (size_t i = 0; i < name.len; i++) {
        if (is_between(name.at[i]))
            continue;
        if (begins_word(name, i) && words->count < MEANT_WORDS_MAX)
            words->at[words->count++] = (struct tn_slice){ words->letters + words->len, 0 };
        words->letters[words->len++] = tn_ascii_lower(name.at[i]);
        words->at[words->count - 1].len++;
    }
}

static struct tn_slice letters(const struct tn_meant_words *words)
{
    return (struct tn_slice){ words->letters, words->len };
}

static bool is_beginning(struct tn_slice part, struct tn_slice whole)
{
    return part.len < whole.len && tn_str_same(part.at, whole.at, part.len);
}

/* Nearly all that is compared differs in the first letter, which tells sooner than lengths. Nothing is as little alike. */
static bool begin_alike(struct tn_slice text, char first)
{
    return text.len > 0 && text.at[0] == first;
}

static bool is_word(struct tn_slice text, const char *word)
{
    return begin_alike(text, *word) && tn_slice_is(text, word);
}

static bool ends_in(struct tn_slice text, size_t from, const char *end)
{
    return tn_slice_is((struct tn_slice){ text.at + from, text.len - from }, end);
}

/* severity and severities, tag and tags, box and boxes. */
static bool is_plural(struct tn_slice one, struct tn_slice many)
{
    if (one.len > 0 && is_beginning(one, many))
        return ends_in(many, one.len, "s") || ends_in(many, one.len, "es");
    return one.len > 2 && one.at[one.len - 1] == 'y' && many.len == one.len + 2 &&
           memcmp(one.at, many.at, one.len - 1) == 0 && ends_in(many, one.len - 1, "ies");
}

static bool differ_in_number(struct tn_slice a, struct tn_slice b)
{
    return begin_alike(a, *b.at) && (is_plural(a, b) || is_plural(b, a));
}

static bool alike(struct tn_slice a, struct tn_slice b)
{
    struct tn_slice part = a.len < b.len ? a : b, whole = a.len < b.len ? b : a;

    return begin_alike(a, *b.at) && (tn_slice_same(a, b) || differ_in_number(a, b) ||
                                     (part.len >= BEGINNING_MIN && is_beginning(part, whole)));
}

/* Has it a word that turns the meaning round? "problem" is not what NOT_A_PROBLEM means. */
static bool negates(const struct tn_meant_words *words)
{
    static const char *const turning[] = {
        "not", "no", "non", "never", "without", "except", "exclude", "un"
    };

    for (size_t i = 0; i < words->count; i++)
        for (size_t k = 0; k < sizeof turning / sizeof *turning; k++)
            if (is_word(words->at[i], turning[k]))
                return true;
    return false;
}

/* All words of `few` in `many`, in their order. */
static bool meant_holds(const struct tn_meant_words *many, const struct tn_meant_words *few)
{
    size_t found = 0;

    for (size_t i = 0; i < many->count && found < few->count; i++)
        found += alike(few->at[found], many->at[i]);
    return few->count > 0 && found == few->count;
}

/* ---- What tools commonly call a thing ------------------------------------------------------------------------ */

static const char *const synonyms[][10] = {
    { "pagesize", "limit", "size", "count", "perpage", "maxresults", "max", "topk", "top", "take" },
    { "page", "pagenumber", "pageno", "pageindex" },
    { "data", "body", "payload", "content" },
    { "query", "q", "search", "searchterm", "term", "keywords", "question" },
    { "from", "since", "start", "after", "startdate", "begin" },
    { "to", "until", "end", "before", "enddate" },
    { "path", "file", "filename", "filepath" },
    { "url", "uri", "link", "href", "endpoint" },
    { "host", "hostname", "server", "domain" },
    { "status", "state" },
    { "type", "kind", "category" },
    { "tags", "labels" },
    { "note", "comment", "reason", "message" },
    { "name", "title" },
    { "sort", "sortby", "orderby", "order" },
    { "user", "username", "login" },
    { "method", "verb" },
};

static bool in_group(const char *const *group, struct tn_slice word)
{
    for (size_t i = 0; i < sizeof *synonyms / sizeof **synonyms && group[i]; i++)
        if (is_word(word, group[i]))
            return true;
    return false;
}

#define GROUPS (sizeof synonyms / sizeof *synonyms)
_Static_assert(GROUPS <= 32, "a bit for each group");

static uint32_t groups_of(struct tn_slice word)
{
    uint32_t groups = 0;

    for (size_t i = 0; i < GROUPS; i++)
        groups |= (uint32_t)in_group(synonyms[i], word) << i;
    return groups;
}

/* Most names are in no group, so that candidates need no look. */
static bool is_synonym(uint32_t groups, struct tn_slice candidate)
{
    for (size_t i = 0; groups >> i != 0; i++)
        if ((groups >> i & 1) && in_group(synonyms[i], candidate))
            return true;
    return false;
}

/* ---- The search ---------------------------------------------------------------------------------------------- */

/* Up to a third of a name may be wrong, two letters of a short one, one of a very short one. */
static unsigned edits_most(struct tn_slice name)
{
    return name.len < SHORT_LEN ? 1 : name.len < 6 ? 2 : (unsigned)(name.len / 3);
}

static unsigned by_edits(struct tn_slice name, struct tn_slice candidate)
{
    unsigned most = edits_most(name), edits = tn_str_distance(candidate, name, most);

    if (edits > most || edits >= candidate.len)
        return RANK_NONE;
    return edits == 0 ? RANK_SAME : edits * RANK_EDIT + (name.len < SHORT_LEN ? RANK_SHORT : 0);
}

/* Two names that share words, or a meaning. */
static unsigned by_likeness(const struct tn_meant *meant, const struct tn_meant_words *words)
{
    struct tn_slice mine = letters(&meant->words), other = letters(words);

    if (mine.len >= BEGINNING_MIN && is_beginning(mine, other))
        return RANK_BEGINNING;
    if (meant_holds(words, &meant->words) || meant_holds(&meant->words, words))
        return RANK_WORDS;
    return is_synonym(meant->synonyms, other) ? RANK_SYNONYM : RANK_NONE;
}

static unsigned by_words(const struct tn_meant *meant, struct tn_slice candidate)
{
    struct tn_meant_words words;
    struct tn_slice       mine = letters(&meant->words), other;
    unsigned              rank;

    split(&words, candidate);
    other = letters(&words);
    if (mine.len == 0 || other.len == 0)
        return RANK_NONE;
    if (tn_slice_same(mine, other))
        return RANK_SAME;
    if (differ_in_number(mine, other))
        return RANK_NUMBER;
    rank = by_likeness(meant, &words);
    return rank != RANK_NONE && negates(&words) != meant->negates ? RANK_NONE : rank;
}

void tn_meant_begin(struct tn_meant *meant, struct tn_slice name, bool names)
{
    split(&meant->words, name);
    meant->name     = name;
    meant->synonyms = names ? groups_of(letters(&meant->words)) : 0;
    meant->negates  = negates(&meant->words);
    meant->rank     = RANK_NONE;
    meant->none     = true;
    meant->best     = 0;
}

bool tn_meant_try(struct tn_meant *meant, struct tn_slice candidate, size_t index)
{
    unsigned edits = by_edits(meant->name, candidate), words = by_words(meant, candidate);
    unsigned rank = edits < words ? edits : words;

    if (rank == RANK_NONE || rank > meant->rank)
        return false;
    if (rank == meant->rank) {
        meant->none |= rank == words; /* of names that are as many edits away the first will do */
        return true;
    }
    meant->rank = rank;
    meant->best = index;
    meant->none = false;
    return true;
}

bool tn_meant_is_close(const struct tn_meant *meant)
{
    return meant->rank < RANK_WORDS && meant->rank != RANK_BEGINNING;
}

void tn_meant_refuse(struct tn_meant *meant)
{
    meant->none = true;
}

bool tn_meant_found(const struct tn_meant *meant, size_t *index)
{
    *index = meant->best;
    return !meant->none;
}
