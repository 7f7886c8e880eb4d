/* judge.c - a server whose tools show the boundary: most of them answer with what was bound.
 *
 *     boundary_judge FOLDER [FLAGS]    the folder is the root that `open_file` opens beneath
 *
 * The tools of tests/support/zoo.h are served beside them: every kind, option, rule and policy.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tenon/tenon.h>

#include "support/zoo.h"

/* ---- One of each kind, sent back as it was bound ------------------------------------------------------------ */

enum level { LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH_RISK, LEVEL_PRODUCTION };
static const char *const level_names[] = { "LOW", "MEDIUM", "HIGH_RISK", "PRODUCTION" };

typedef struct {
    const char *street;
    int         number;
} place;

TENON_ROWS(place_rows, place,
    TENON_STR(street, "Street.", .required = true, .len = {1, 40}),
    TENON_INT(number, "Number.", .range = {1, 9999}, .def = 1));

typedef struct {
    const char  *name, *code, *memo, *token, *uuid, *site, *key, *file, *config, *mail;
    int64_t      count;
    int          days, percent, zero;
    double       score, ratio;
    bool         deep;
    enum level   level;
    tenon_strs   tags, words, files;
    tenon_ints   ids;
    tenon_nums   sizes;
    tenon_enums  levels;
    const place *home;
    TENON_LIST_OF(place) stops;
    tenon_map         headers;
    const tenon_json *extra;
    tenon_time        since, until, born, at;
} all_kinds;

TENON_ROWS(all_kinds_rows, all_kinds,
    TENON_STR      (name,    "A name.", .required = true, .len = {2, 20}, .alias = "full_name"),
    TENON_STR      (code,    "A code.", .len = {3, 5}, .pattern = "^[A-Z]+$", .example = "ABC"),
    TENON_STR      (memo,    "Text in which nothing but spaces counts too.", .blank_ok = true),
    TENON_STR      (token,   "Never repeated.", .secret = true, .len = {8, 64}),
    TENON_UUID     (uuid,    "A uuid."),
    TENON_URL      (site,    "A site.", .schemes = "https"),
    TENON_ID       (key,     "A key."),
    TENON_PATH     (file,    "A file.", .ext = ".md"),
    TENON_ABS_PATH (config,  "A configuration."),
    TENON_STR      (mail,    "An address.", .format = "email"),
    TENON_INT      (count,   "A whole number."),
    TENON_INT      (days,    "Days.", .range = {1, 10}, .def = 3),
    TENON_INT      (percent, "Pulled into its range.", .range = {0, 100}, .clamp = true),
    TENON_INT      (zero,    "A default of zero.", .range = {0, 9}, .def = 0),
    TENON_NUM      (score,   "A score.", .range = {0, 1}, .tolerance = 1e-6),
    TENON_NUM      (ratio,   "A ratio.", .range = {0, 1}),
    TENON_BOOL     (deep,    "A switch."),
    TENON_ENUM     (level,   level_names, "A level."),
    TENON_STRS     (tags,    "Tags.", .count = {0, 3}, .len = {2, 8}, .unique = true, .example = "[\"auth\",\"api\"]"),
    TENON_STRS     (words,   "Words.", .comma = true, .example = "[\"one\",\"two\"]"),
    TENON_PATHS    (files,   "Files.", .example = "[\"a.md\"]"),
    TENON_INTS     (ids,     "Numbers.", .range = {0, 99}, .example = "[1,2]"),
    TENON_NUMS     (sizes,   "Sizes.", .example = "[0.5]"),
    TENON_ENUMS    (levels,  level_names, "Levels.", .noun = "level"),
    TENON_OBJECT   (home,    place_rows, "A place.", .example = "{\"street\":\"Main\"}"),
    TENON_OBJECTS  (stops,   place_rows, "Places.", .count = {0, 5}, .example = "[{\"street\":\"Main\"}]"),
    TENON_MAP      (headers, "Texts by name.", .example = "{\"accept\":\"text/plain\"}"),
    TENON_JSON     (extra,   "Anything."),
    TENON_DATE     (since,   "From this day."),
    TENON_DATE     (until,   "To this day.", .end_of_day = true),
    TENON_DATE     (born,    "A birthday.", .calendar = true),
    TENON_TIMESTAMP(at,      "A moment."),
    TENON_ORDERED  (since, until));

typedef struct {
    all_kinds all;
} take_args;

static tenon_outcome take(tenon_call *call, const take_args *args)
{
    return tenon_ok_data(call, all_kinds_rows, &args->all);
}

TENON_TOOL(take, take_args,
    TENON_INFO("Send back what was bound.", .result = all_kinds_rows, .hints = TENON_READ_ONLY),
    TENON_GROUP(all, all_kinds_rows));

/* ---- Presence, defaults, notes ------------------------------------------------------------------------------- */

typedef struct {
    int        limit;
    tenon_set  levels;
    tenon_time since;
} presence_args;

static tenon_outcome presence(tenon_call *call, const presence_args *args)
{
    static const char *const words[] = { "absent", "null", "given" };

    tenon_text(call, "limit %s, %d from the %s", words[tenon_presence_of(call, &args->limit)], args->limit,
               tenon_source_name(tenon_source_of(call, &args->limit, false)));
    return tenon_ok(call);
}

TENON_TOOL(presence, presence_args,
    TENON_INFO("Say what was given."),
    TENON_INT  (limit,  "Most items.", .range = {1, 100}, .def = 50),
    TENON_ENUMS(levels, level_names, "Levels.", .def = "LOW,MEDIUM",
                .default_note = "Using default levels: LOW, MEDIUM (excludes HIGH_RISK). Give levels to see others."),
    TENON_DATE (since,  "From this day.", .note = "Times are compared with the LAST ACTIVITY."));

/* ---- Policies ------------------------------------------------------------------------------------------------ */

typedef struct {
    const char *branch;
    tenon_set   levels;
    bool        dry_run;
} erase_args;

static tenon_outcome erase(tenon_call *call, const erase_args *args)
{
    tenon_text(call, "%s%s", args->dry_run ? "would erase " : "erased ",
               *args->branch ? args->branch : "everything");
    return tenon_ok(call);
}

TENON_TOOL(erase, erase_args,
    TENON_INFO("Erase.", .hints = TENON_DESTRUCTIVE),
    TENON_STR  (branch,  "Which branch."),
    TENON_ENUMS(levels,  level_names, "Which levels."),
    TENON_BOOL (dry_run, "Only say what would be erased.", .strict = true, .def = false));

/* ---- Rules --------------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_time  start, end;
    const char *user, *password, *by_name, *by_id, *reason;
    bool        force;
} rules_args;

static tenon_outcome rules(tenon_call *call, const rules_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(rules, rules_args,
    TENON_INFO("Rules over several parameters."),
    TENON_DATE(start,    "From."),
    TENON_DATE(end,      "To.", .end_of_day = true),
    TENON_STR (user,     "User."),
    TENON_STR (password, "Password.", .secret = true),
    TENON_STR (by_name,  "Name."),
    TENON_STR (by_id,    "Identity."),
    TENON_BOOL(force,    "Force."),
    TENON_STR (reason,   "Reason."),
    TENON_ORDERED  (start, end),
    TENON_TOGETHER (user, password),
    TENON_EXCLUSIVE(by_name, by_id),
    TENON_ANY_OF   (by_name, by_id),
    TENON_REQUIRES (force, reason));

/* ---- Checks of one's own ------------------------------------------------------------------------------------- */

typedef struct {
    int seats, tables;
} check_args;

/* Serves every row that it stands on: the text names the tool and the parameter by itself. */
static const char *is_multiple(tenon_check *check, const void *value)
{
    const int *factor = tenon_check_argument(check);
    int        number = *(const int *)value;

    if (number % *factor == 0)
        return NULL;
    return tenon_check_format(check, "%s: %s%s must be a multiple of %d, got %d", tenon_check_tool(check),
                              tenon_check_parameter(check),
                              tenon_check_is_required(check) ? " (required)" : "", *factor, number);
}

static const char *is_enough(tenon_check *check, const void *value)
{
    const check_args *args = value;

    if (args->tables * 10 >= args->seats)
        return NULL;
    tenon_check_at(check, &args->tables);
    tenon_check_suggest(check, tenon_check_format(check, "%d", (args->seats + 9) / 10 * 2));
    return tenon_check_format(check, "tables must be enough for %d seats, got %d", args->seats, args->tables);
}

static tenon_outcome check(tenon_call *call, const check_args *args)
{
    (void)args;
    return tenon_ok(call);
}

static const int two = 2, five = 5;

TENON_TOOL(check, check_args,
    TENON_INFO("Rules of one's own."),
    TENON_INT(seats,  "Seats.", .required = true, .range = {0, 1000}, .example = "10",
              .checks = TENON_CHECKS(TENON_WITH(is_multiple, &two), TENON_WITH(is_multiple, &five))),
    TENON_INT(tables, "Tables.", .def = 2, .range = {0, 1000}, .checks = TENON_CHECKS(TENON_WITH(is_multiple, &two))),
    TENON_CHECK(is_enough));

/* ---- Answers ------------------------------------------------------------------------------------------------- */

enum way {
    WAY_NOT_FOUND,
    WAY_OWN,
    WAY_UNKNOWN_CODE,
    WAY_INSIDE,
    WAY_NO_OUTCOME,
    WAY_FIRST_OF_TWO,
    WAY_MESSAGES
};
static const char *const way_names[] = { "not_found",  "own",          "unknown_code", "inside",
                                         "no_outcome", "first_of_two", "messages" };

typedef struct {
    enum way way;
} answer_args;

static tenon_outcome answer(tenon_call *call, const answer_args *args)
{
    tenon_outcome first;

    switch (args->way) {
    case WAY_NOT_FOUND: return tenon_fail(call, TENON_CODE_NOT_FOUND, "Client not found");
    case WAY_OWN: tenon_detail_int(call, "balance", 120); return tenon_fail(call, "BALANCE_LEFT", NULL);
    case WAY_UNKNOWN_CODE: return tenon_fail(call, "NO_SUCH_CODE", "It leaks a secret.");
    case WAY_INSIDE: return tenon_internal(call, "the ledger in /srv/secret does not add up");
    case WAY_NO_OUTCOME: return (tenon_outcome){ 0 };
    case WAY_FIRST_OF_TWO:
        tenon_text(call, "made first");
        first = tenon_ok(call);
        (void)tenon_fail(call, TENON_CODE_CONFLICT, "made last");
        return first;
    case WAY_MESSAGES:
        tenon_message(call, "one");
        tenon_message(call, "two");
        tenon_message(call, "one");
        return tenon_fail(call, TENON_CODE_CONFLICT, NULL);
    }
    return tenon_internal(call, "no such way");
}

TENON_TOOL(answer, answer_args,
    TENON_INFO("Answer in a way."),
    TENON_ENUM(way, way_names, "Which.", .required = true));

/* A result that its own rows refuse. */
static tenon_outcome untrue(tenon_call *call)
{
    const place nowhere = { "", 0 };

    return tenon_ok_data(call, place_rows, &nowhere);
}

TENON_TOOL0(untrue, TENON_INFO("Answer against the declared result.", .result = place_rows));

static tenon_outcome attach(tenon_call *call)
{
    tenon_text(call, "two blocks follow");
    tenon_add_image(call, "image/png", "png", 3);
    tenon_add_link(call, "app://motd", "motd", "text/plain");
    return tenon_ok(call);
}

TENON_TOOL0(attach, TENON_INFO("Attach blocks."));

/* ---- Pages and budget ---------------------------------------------------------------------------------------- */

typedef struct {
    int64_t     number;
    const char *text;
} line;

TENON_ROWS(line_rows, line,
    TENON_INT(number, "Its number."),
    TENON_STR(text,   "Its text."));

enum { LINES = 120, LINE_BYTES = 400 };

static const line *lines(void)
{
    static line all[LINES];
    static char text[LINE_BYTES + 1];

    if (!*text) {
        memset(text, 'x', LINE_BYTES);
        for (int i = 0; i < LINES; i++)
            all[i] = (line){ i + 1, text };
    }
    return all;
}

typedef struct {
    bool       none;
    tenon_page page;
} pages_args;

static tenon_outcome pages(tenon_call *call, const pages_args *args)
{
    int64_t total = args->none ? 0 : LINES;
    int64_t from  = args->page.offset < total ? args->page.offset : total;
    int64_t count = total - from < args->page.limit ? total - from : args->page.limit;

    return tenon_ok_page(call, &args->page, line_rows, lines() + from, (size_t)count, total);
}

TENON_TOOL(pages, pages_args,
    TENON_INFO("Lines by page.", .items = line_rows),
    TENON_BOOL(none, "As if there were no line."),
    TENON_PAGE(page));

typedef struct {
    const char  *text;
    tenon_cursor cursor;
} cursors_args;

static const char *position(tenon_call *call, const void *item)
{
    return tenon_format(call, "%lld", (long long)((const line *)item)->number);
}

static tenon_outcome cursors(tenon_call *call, const cursors_args *args)
{
    long from  = strtol(tenon_cursor_position(call), NULL, 10);
    long count = LINES - from < args->cursor.limit ? LINES - from : (long)args->cursor.limit;

    return tenon_ok_items(call, line_rows, lines() + from, (size_t)count, LINES, from + count < LINES,
                          position);
}

TENON_TOOL(cursors, cursors_args,
    TENON_INFO("Lines by cursor.", .items = line_rows, .budget = 16384),
    TENON_STR   (text, "Part of the text."),
    TENON_CURSOR(cursor));

typedef struct {
    int count;
} write_args;

static tenon_outcome write_text(tenon_call *call, const write_args *args)
{
    for (int i = 0; i < args->count; i++)
        tenon_text(call, "This is line %d of a long text.", i + 1);
    return tenon_ok(call);
}

TENON_TOOL(write_text, write_args,
    TENON_INFO("Write lines.", .budget = 4096),
    TENON_INT(count, "How many.", .range = {1, 1000}, .required = true));

/* ---- Files --------------------------------------------------------------------------------------------------- */

static tenon_root *root;

typedef struct {
    const char *file;
} open_args;

static tenon_outcome open_file(tenon_call *call, const open_args *args)
{
    char          text[100];
    int           fd;
    ssize_t       len;
    tenon_outcome failure;

    if (!tenon_open(call, root, args->file, TENON_READ, &fd, &failure))
        return failure;
    len = read(fd, text, sizeof text);
    close(fd);
    tenon_text(call, "%.*s", (int)(len > 0 ? len : 0), text);
    return tenon_ok(call);
}

TENON_TOOL(open_file, open_args,
    TENON_INFO("Read a file.", .hints = TENON_READ_ONLY),
    TENON_PATH(file, "The file.", .required = true));

/* ---- The server ---------------------------------------------------------------------------------------------- */

static const tenon_error errors[] = {
    { "BALANCE_LEFT", "The account still holds {balance} EUR. Transfer them, then close it.", false },
};

int main(int argc, char **argv)
{
    const tenon_tool *const own[] = { take_tool(),  presence_tool(), erase_tool(),      rules_tool(),
                                      check_tool(), answer_tool(),   untrue_tool(),     attach_tool(),
                                      pages_tool(), cursors_tool(),  write_text_tool(), open_file_tool() };

    size_t                   count;
    const tenon_tool *const *zoo    = zoo_tools(&count);
    tenon_server            *server = tenon_server_new("boundary", "1.0.0", TENON_ERRORS(errors));

    if (argc < 2 || tenon_root_new(argv[1], NULL, &root) != TENON_OK) {
        fprintf(stderr, "boundary_judge FOLDER [FLAGS]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        tenon_server_add(server, own[i]);
    for (size_t i = 0; i < count; i++)
        tenon_server_add(server, zoo[i]);
    argv[1] = argv[0];
    return tenon_server_main(server, argc - 1, argv + 1);
}
