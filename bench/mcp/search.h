/* search.h - the tool that is measured: six parameters, as every peer offers it. */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include <tenon/tenon.h>

enum level { LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH };
static const char *const level_names[] = { "low", "medium", "high" };

typedef struct {
    const char *query;
    int         limit;
    double      score;
    bool        archived;
    enum level  level;
    tenon_strs  tags;
} search_args;

static tenon_outcome search(tenon_call *call, const search_args *args)
{
    tenon_text(call, "%s: %d results at %s, %zu tags.", args->query, args->limit, level_names[args->level],
               args->tags.count);
    return tenon_ok(call);
}

/* clang-format off */
TENON_TOOL(search, search_args,
    TENON_INFO("Search the notes.", .hints = TENON_READ_ONLY),
    TENON_STR (query,    "What to look for.",      .required = true, .len = {1, 200}),
    TENON_INT (limit,    "Most results.",          .range = {1, 100}, .def = 10),
    TENON_NUM (score,    "Least relevance.",       .range = {0, 1}, .def = 0.5),
    TENON_BOOL(archived, "Archived notes, too.",   .def = false),
    TENON_ENUM(level,    level_names, "How deep.", .def = LEVEL_MEDIUM),
    TENON_STRS(tags,     "Only with these tags.",  .count = {0, 10}, .len = {1, 30}));
/* clang-format on */

#endif
