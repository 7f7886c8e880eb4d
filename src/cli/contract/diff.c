/* diff.c - `tenon diff`: what callers meet when a server's definitions change. */
#include <string.h>

#include "cli/contract/target.h"
#include "contract/compare.h"
#include "json/echo.h"
#include "json/write.h"

#define BOLD   "\x1b[1m"
#define RED    "\x1b[31m"
#define GREEN  "\x1b[32m"
#define YELLOW "\x1b[33m"
#define PLAIN  "\x1b[0m"

#define TEXT_MAX ((size_t)1 << 20)

enum { DIFF_STRICT = TARGET_OPTIONS, DIFF_ALL, DIFF_OPTIONS };

static const struct option table[] = {
    TARGET_TABLE,
    [DIFF_STRICT] = { "strict", '\0', NULL, "end with 1 for what needs a review, too" },
    [DIFF_ALL]    = { "all", '\0', NULL, "also show what is written differently and means the same" },
};

struct diff {
    struct targets targets;
    bool           strict, all;
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon diff [OPTION]... OLD NEW\n\n"
          "Compares two versions of what an MCP server offers: is every call that worked still accepted, and "
          "was every\n"
          "result that may come now promised before? OLD and NEW are an address, a command line in one word, "
          "a saved\n"
          "list of tools (.json), a lock, or a name in tenon.lock.\n\n"
          "  BREAKING  a call that worked fails now: it is shown\n"
          "  REVIEW    a description, a hint or a default changed, or neither could be shown\n"
          "  SAFE      proved: all calls that worked still do\n\n",
          to);
    options_help(to, table, DIFF_OPTIONS);
    fputs("\nEnds with 0 when nothing is BREAKING, with 1 when something is, and with 2 when the call is "
          "wrong or a server\n"
          "cannot be reached.\n",
          to);
}

static bool diff_option(void *user, int row, const char *value)
{
    struct diff *diff = user;

    switch (row) {
    case DIFF_STRICT: diff->strict = true; return true;
    case DIFF_ALL: diff->all = true; return true;
    default: return targets_option(&diff->targets, row, value);
    }
}

/* ---- Asking ------------------------------------------------------------------------------------------------------- */

/* The offers that an operand stands for, as one list: a lock may have several upstreams, of which --name chooses one. */
static bool take(struct diff *diff, const char *operand, struct target **target)
{
    struct targets *targets = &diff->targets;
    size_t          first   = targets->count;

    if (!targets_take(targets, operand))
        return false;
    for (size_t i = first; i < targets->count; i++)
        if (targets->count - first == 1 ||
            (targets->name && tn_slice_is(targets->at[i].name, targets->name))) {
            *target = &targets->at[i];
            return target_ask(targets, *target);
        }
    console_error(targets->remote.console, "%s has several upstreams; choose one with --name", operand);
    return false;
}

static bool find_both(struct diff *diff, struct target *both[2])
{
    struct remote *remote = &diff->targets.remote;

    if (remote->operand_count != 2)
        return remote_wrong(remote, "OLD and NEW are needed; quote a command line");
    return targets_begin(&diff->targets) && take(diff, remote->operands[0], &both[0]) &&
           take(diff, remote->operands[1], &both[1]);
}

/* ---- Showing ------------------------------------------------------------------------------------------------------ */

/* Untrusted text, whole and escaped. */
static void print_text(const struct diff *diff, struct tn_slice text)
{
    struct tn_arena arena;
    struct tn_buf   out;

    tn_arena_init(&arena, &diff->targets.remote.arena.memory, 0);
    tn_buf_init(&out, &arena, text.len + 16, TEXT_MAX);
    tn_echo_whole(&out, text.at ? text.at : "", text.len);
    fwrite(out.at ? out.at : "", 1, out.len, diff->targets.remote.console->out);
    tn_arena_free(&arena);
}

static void print_class(const struct console *console, enum tn_class class_)
{
    static const char *const colours[] = { "", GREEN, YELLOW, RED };

    fprintf(console->out, "%s%-8s%s  ", console->out_coloured ? colours[class_] : "", tn_class_name(class_),
            console->out_coloured && class_ ? PLAIN : "");
}

static void print_difference(const struct diff *diff, const struct tn_difference *one)
{
    FILE *to = diff->targets.remote.console->out;

    print_class(diff->targets.remote.console, one->class_);
    print_text(diff, one->name.len > 0 ? one->name : SLICE_LIT("server"));
    fputs(": ", to);
    print_text(diff, one->place);
    fputs(one->place.len > 0 ? " " : "", to);
    print_text(diff, one->what);
    fputc('\n', to);
    if (one->witness.len > 0) {
        fputs("          ", to);
        print_text(diff, one->witness);
        fputc('\n', to);
    }
    if (one->why.len > 0) {
        fputs("          ", to);
        print_text(diff, one->why);
        fputc('\n', to);
    }
}

static void print_all(const struct diff *diff, const struct tn_comparison *all)
{
    FILE *to = diff->targets.remote.console->out;

    for (int class_ = CLASS_BREAKING; class_ >= (diff->all ? CLASS_NONE : CLASS_SAFE); class_--)
        for (size_t i = 0; i < all->count; i++)
            if ((int)all->at[i].class_ == class_)
                print_difference(diff, &all->at[i]);
    fprintf(to, "%zu breaking, %zu to review, %zu safe, %zu that mean the same\n",
            all->counts[CLASS_BREAKING], all->counts[CLASS_REVIEW], all->counts[CLASS_SAFE],
            all->counts[CLASS_NONE]);
}

static void write_member(struct tn_buf *out, const char *name, struct tn_slice value)
{
    tn_buf_addf(out, ",\"%s\":", name);
    tn_json_string(out, value.at, value.len);
}

static void print_json(struct diff *diff, const struct tn_comparison *all)
{
    struct tn_buf out;

    tn_buf_init(&out, &diff->targets.remote.arena, 1024, (size_t)64 << 20);
    tn_buf_addf(&out, "{\"breaking\":%zu,\"review\":%zu,\"safe\":%zu,\"none\":%zu,\"differences\":[",
                all->counts[CLASS_BREAKING], all->counts[CLASS_REVIEW], all->counts[CLASS_SAFE],
                all->counts[CLASS_NONE]);
    for (size_t i = 0; i < all->count; i++) {
        const struct tn_difference *one = &all->at[i];

        tn_buf_addf(&out, "%s{\"class\":\"%s\",\"kind\":\"%s\"", i > 0 ? "," : "", tn_class_name(one->class_),
                    one->name.len > 0 ? tn_kind_word(one->kind) : "server");
        write_member(&out, "name", one->name);
        write_member(&out, "place", one->place);
        write_member(&out, "what", one->what);
        if (one->witness.len > 0)
            tn_buf_addf(&out, ",\"witness\":%.*s", (int)one->witness.len, one->witness.at);
        if (one->why.len > 0)
            write_member(&out, "why", one->why);
        tn_buf_char(&out, '}');
    }
    tn_buf_lit(&out, "]}\n");
    fwrite(out.at, 1, out.len, diff->targets.remote.console->out);
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static enum ending compare(struct diff *diff)
{
    struct tn_comparison all;
    struct target       *both[2] = { NULL, NULL };

    if (!find_both(diff, both))
        return ENDING_UNUSABLE;
    if (!tn_compare_offers(&all, &diff->targets.remote.arena, &both[0]->offer, &both[1]->offer)) {
        console_error(diff->targets.remote.console, "out of memory");
        return ENDING_UNUSABLE;
    }
    if (diff->targets.remote.raw)
        print_json(diff, &all);
    else
        print_all(diff, &all);
    return all.counts[CLASS_BREAKING] > 0 || (diff->strict && all.counts[CLASS_REVIEW] > 0) ? ENDING_BAD
                                                                                            : ENDING_GOOD;
}

static enum ending diff_run(const struct console *console, int count, char **arguments)
{
    struct diff diff = {
        .targets.remote = { .console = console, .command = "diff", .help = print_help, .option = diff_option }
    };
    struct remote *remote = &diff.targets.remote;
    enum ending    ending = ENDING_UNUSABLE;

    remote->user = &diff;
    if (remote_read(remote, table, DIFF_OPTIONS, count, arguments))
        ending = remote->told ? ENDING_GOOD : compare(&diff);
    targets_close(&diff.targets);
    return ending;
}

const struct command command_diff = { "diff", "what callers meet when a server's definitions change",
                                      diff_run };
