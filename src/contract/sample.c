/* sample.c - walks a regular expression once and writes one way through it. */
#include "contract/sample.h"

#include <string.h>

#define SAMPLE_DEPTH_MAX  24
#define SAMPLE_REPEAT_MAX ((size_t)300)
#define SAMPLE_STEPS_MAX  ((size_t)4000)
#define CLASS_RANGES_MAX  ((size_t)32)

struct sample {
    struct tn_buf *out;
    const char    *at;
    size_t         nth;   /* which of the texts */
    size_t         steps; /* taken */
    unsigned       depth;
};

static void write_ways(struct sample *sample, bool writes);

/* ---- Single characters ----------------------------------------------------------------------------------------- */

static void put(struct sample *sample, bool writes, char c)
{
    if (writes)
        tn_buf_char(sample->out, c);
}

/* A character for a class such as \d; 0 for one that stands for no character. */
static char of_escape(char c)
{
    switch (c) {
    case 'd': return '1';
    case 'D': return 'a';
    case 'w': return 'a';
    case 'W': return '-';
    case 's': return ' ';
    case 'S': return 'a';
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b':
    case 'B': return '\0';
    default: return c;
    }
}

struct ranges {
    char   from[CLASS_RANGES_MAX], to[CLASS_RANGES_MAX];
    size_t count;
};

/* The ranges between the brackets; single characters are ranges of one. */
static void read_class(struct sample *sample, struct ranges *all)
{
    for (bool begun = false; *sample->at && (*sample->at != ']' || !begun); begun = true) {
        char from = *sample->at++, to;

        if (from == '\\' && *sample->at)
            from = of_escape(*sample->at++);
        to = from;
        if (*sample->at == '-' && sample->at[1] && sample->at[1] != ']') {
            bool escaped = sample->at[1] == '\\' && sample->at[2];

            to = sample->at[escaped ? 2 : 1];
            sample->at += escaped ? 3 : 2;
        }
        if (all->count < CLASS_RANGES_MAX && to >= from) {
            all->from[all->count] = from;
            all->to[all->count++] = to;
        }
    }
    if (*sample->at == ']')
        sample->at++;
}

static bool is_in(const struct ranges *all, char c)
{
    for (size_t i = 0; i < all->count; i++)
        if (c >= all->from[i] && c <= all->to[i])
            return true;
    return false;
}

/* [a-z0-9_]: a character of each range in turn. A class of what is not in it gets a common one. */
static char of_class(struct sample *sample)
{
    static const char common[] = "a1 -_.A/:x,";
    struct ranges     all      = { .count = 0 };
    bool              negated  = *sample->at == '^';
    size_t            range, further;

    sample->at += negated;
    read_class(sample, &all);
    for (size_t i = 0; negated && i < sizeof common - 1; i++)
        if (!is_in(&all, common[i]))
            return common[i];
    if (all.count == 0)
        return '\0';
    range   = sample->nth % all.count;
    further = sample->nth / all.count % ((size_t)(all.to[range] - all.from[range]) + 1);
    return (char)(all.from[range] + (char)further);
}

/* ---- Groups and repetitions ---------------------------------------------------------------------------------------- */

/* After "(": the group's own beginning. False for a look around, which is passed over. */
static bool begins_group(struct sample *sample)
{
    const char *close;

    if (*sample->at != '?')
        return true;
    sample->at++;
    if (*sample->at == ':') {
        sample->at++;
        return true;
    }
    close = *sample->at == '<' && sample->at[1] != '=' && sample->at[1] != '!' ? strchr(sample->at, '>')
                                                                               : NULL;
    if (close)
        sample->at = close + 1;
    return close != NULL;
}

static size_t number_at(const char **at)
{
    size_t number = 0;

    while (**at >= '0' && **at <= '9' && number < SAMPLE_REPEAT_MAX)
        number = number * 10 + (size_t)(*(*at)++ - '0');
    return number;
}

/* How often what stood before is repeated: as seldom as may be, and more for later texts. */
static size_t repetitions(struct sample *sample)
{
    size_t least = 1, most = 1;

    switch (*sample->at) {
    case '?': least = 0, most = 1, sample->at++; break;
    case '*': least = 0, most = SAMPLE_REPEAT_MAX, sample->at++; break;
    case '+': most = SAMPLE_REPEAT_MAX, sample->at++; break;
    case '{':
        if (sample->at[1] < '0' || sample->at[1] > '9')
            return 1;
        sample->at++;
        least = most = number_at(&sample->at);
        if (*sample->at == ',') {
            sample->at++;
            most = *sample->at == '}' ? SAMPLE_REPEAT_MAX : number_at(&sample->at);
        }
        if (*sample->at == '}')
            sample->at++;
        break;
    default: return 1;
    }
    if (*sample->at == '?' || *sample->at == '+')
        sample->at++;
    least += sample->nth % 4;
    return least < most ? least : most;
}

static void write_atom(struct sample *sample, bool writes)
{
    char c = *sample->at++;

    if (c == '(') {
        bool counts = begins_group(sample);

        write_ways(sample, writes && counts);
        if (*sample->at == ')')
            sample->at++;
    } else if (c == '[') {
        c = of_class(sample);
        if (c)
            put(sample, writes, c);
    } else if (c == '\\' && *sample->at) {
        c = of_escape(*sample->at++);
        if (c)
            put(sample, writes, c);
    } else if (c == '.')
        put(sample, writes, (char)('a' + (char)(sample->nth % 26)));
    else if (c != '^' && c != '$')
        put(sample, writes, c);
}

/* An atom as often as it is repeated. */
static void write_repeated(struct sample *sample, bool writes)
{
    const char *begin = sample->at, *end;
    size_t      times, len = sample->out->len;

    write_atom(sample, false);
    times = repetitions(sample);
    end   = sample->at;
    for (size_t i = 0; writes && i < times && sample->steps++ < SAMPLE_STEPS_MAX; i++) {
        sample->at = begin;
        write_atom(sample, true);
        if (sample->out->len == len && i > 0)
            break; /* it stands for nothing */
    }
    sample->at = end;
}

/* Alternatives up to the end of the group: one is written. */
static void write_ways(struct sample *sample, bool writes)
{
    const char *begin = sample->at;
    size_t      ways  = 1, chosen;

    if (sample->depth >= SAMPLE_DEPTH_MAX) {
        sample->at += strlen(sample->at);
        return;
    }
    sample->depth++;
    while (writes && *sample->at && *sample->at != ')') {
        if (*sample->at == '|') {
            sample->at++;
            ways++;
        } else
            write_repeated(sample, false);
    }
    if (writes)
        sample->at = begin;
    chosen = sample->nth % ways;
    for (size_t way = 0; *sample->at && *sample->at != ')';) {
        if (*sample->at == '|') {
            sample->at++;
            way++;
        } else
            write_repeated(sample, writes && way == chosen);
    }
    sample->depth--;
}

void tn_sample_write(struct tn_buf *out, const char *pattern, size_t nth)
{
    struct sample sample = { .out = out, .at = pattern, .nth = nth };

    while (*sample.at && sample.steps < SAMPLE_STEPS_MAX) {
        write_ways(&sample, sample.at == pattern);
        if (*sample.at == ')')
            sample.at++; /* one too many: it is not ours to say */
    }
}
