/* pin.c - `tenon pin`: shows what a server offers beside what was approved, and approves what was shown. */
#define _POSIX_C_SOURCE 200809L
#include "cli/contract/pin.h"

#include <pwd.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/contract/report.h"

#define OUT_MAX ((size_t)256 << 20)

enum { PIN_APPROVE = TARGET_OPTIONS, PIN_ALL, PIN_DIFF, PIN_BY, PIN_OPTIONS };

/* clang-format off */
static const struct option table[] = {
    TARGET_TABLE,
    [PIN_APPROVE] = { "approve", '\0', "NAME@HASH", "approve this one, as it was shown; may be repeated" },
    [PIN_ALL]     = { "all", '\0', NULL, "approve all that is shown, but for what has findings" },
    [PIN_DIFF]    = { "diff", '\0', NULL, "show every change in full" },
    [PIN_BY]      = { "by", '\0', "NAME", "who approves; your user name by default" },
};
/* clang-format on */

static void print_help(FILE *to)
{
    fputs("Usage: tenon pin [OPTION]... TARGET\n"
          "       tenon pin [OPTION]... -- COMMAND [ARGUMENT]...\n"
          "       tenon pin [OPTION]... --config FILE [NAME]\n\n"
          "Shows the tools, prompts, templates and instructions of an MCP server beside those that\n"
          "were approved, and writes approvals into tenon.lock. TARGET is an address, a command line,\n"
          "a saved list of tools (.json), another lock (.lock), or an upstream of the lock (NAME, or\n"
          "NAME/TOOL for one tool). Without --approve and --all nothing is written.\n\n",
          to);
    options_help(to, table, PIN_OPTIONS);
    fputs("\nEnds with 0 when all is approved, with 1 when something is not, and with 2 when the call\n"
          "is wrong, the server cannot be reached or the lock cannot be used.\n",
          to);
}

static bool pin_option(void *user, int row, const char *value)
{
    struct pin *pin = user;

    switch (row) {
    case PIN_APPROVE: pin->targets.remote.own[pin->approval_count++] = value; return true;
    case PIN_ALL: pin->all = true; return true;
    case PIN_DIFF: pin->diff = true; return true;
    case PIN_BY: pin->by = value; return true;
    default: return targets_option(&pin->targets, row, value);
    }
}

bool pin_review(struct pin *pin)
{
    struct targets *targets = &pin->targets;
    bool            reached = true;

    pin->reviews = tn_arena_array(&targets->remote.arena, targets->count + 1, struct tn_review);
    for (size_t i = 0; pin->reviews && i < targets->count; i++) {
        struct target *target = &targets->at[i];

        reached &= target_ask(targets, target) &&
                   tn_review_make(&pin->reviews[i], &targets->remote.arena, &target->offer,
                                  target_entry(target, &targets->lock));
    }
    return reached && pin->reviews;
}

/* ---- What is approved ----------------------------------------------------------------------------------------------- */

static bool pin_refuse(struct pin *pin, const char *approval, const char *why)
{
    console_error(pin->targets.remote.console, "%s %s; nothing was written", approval, why);
    pin->mistaken = true;
    return false;
}

/* Is it the name of this one, with its upstream or, where there is one target only, without? */
static bool is_named(const struct pin *pin, const struct target *target, const struct tn_reviewed *one,
                     struct tn_slice name)
{
    struct tn_arena *arena = (struct tn_arena *)(uintptr_t)&pin->targets.remote.arena;
    struct tn_buf    full;
    struct tn_slice  own;
    size_t           skip = target->name.len + 1;

    tn_buf_init(&full, arena, 64, OUT_MAX);
    tn_review_name(&full, target->name, one);
    own = tn_buf_slice(&full);
    return tn_slice_same(own, name) ||
           (pin->targets.count == 1 && own.len > skip &&
            tn_slice_same((struct tn_slice){ own.at + skip, own.len - skip }, name));
}

static bool is_hash(const struct tn_reviewed *one, const char *digits)
{
    size_t len = strlen(digits);

    if (one->state == REVIEW_REMOVED)
        return strcmp(digits, "removed") == 0;
    return one->hash && len >= HASH_SHOWN && len <= HASH_LEN && memcmp(one->hash, digits, len) == 0;
}

/* Finds what an approval names. Exactly that must be what the server says now. */
static bool find_approved(struct pin *pin, const char *approval, bool **chosen)
{
    const char *at    = strrchr(approval, '@');
    bool        known = false;

    if (!at || at == approval)
        return pin_refuse(pin, approval, "is not NAME@HASH");
    if (strcmp(at + 1, "removed") != 0 && strlen(at + 1) < HASH_SHOWN)
        return pin_refuse(pin, approval, "must have all digits of the hash that was shown");
    for (size_t i = 0; i < pin->targets.count; i++)
        for (size_t j = 0; j < pin->reviews[i].count; j++) {
            const struct tn_reviewed *one = &pin->reviews[i].at[j];

            if (!is_named(pin, &pin->targets.at[i], one,
                          (struct tn_slice){ approval, (size_t)(at - approval) }))
                continue;
            known = true;
            if (is_hash(one, at + 1)) {
                chosen[i][j] = true;
                return true;
            }
        }
    return pin_refuse(pin, approval, known ? "is not what the server says now" : "is not there");
}

/* What has findings must be approved by its name. */
static void choose_all(struct pin *pin, bool **chosen)
{
    for (size_t i = 0; i < pin->targets.count; i++)
        for (size_t j = 0; j < pin->reviews[i].count; j++) {
            const struct tn_reviewed *one = &pin->reviews[i].at[j];

            if (one->state != REVIEW_UNFIT && review_is_meant(&pin->targets.at[i], one))
                chosen[i][j] |= !one->findings || one->findings->count == 0;
        }
}

/* ---- Writing --------------------------------------------------------------------------------------------------------- */

struct writing {
    struct pin     *pin;
    bool          **chosen;
    struct tn_slice approved, by;
    bool            failed;
};

static struct tn_slice user_name(struct pin *pin)
{
    struct passwd about, *found = NULL;
    char          room[4096];
    const char   *name = pin->by;

    if (!name && getpwuid_r(geteuid(), &about, room, sizeof room, &found) == 0 && found)
        name = found->pw_name;
    if (!name)
        name = "unknown";
    return (struct tn_slice){ tn_arena_copy(&pin->targets.remote.arena, name, strlen(name)), strlen(name) };
}

static struct tn_slice time_now(struct pin *pin)
{
    time_t    now  = time(NULL);
    char     *text = tn_arena_take(&pin->targets.remote.arena, LOCK_TIME_LEN + 1, 1);
    struct tm utc;

    if (!text || !gmtime_r(&now, &utc) || strftime(text, LOCK_TIME_LEN + 1, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return (struct tn_slice){ NULL, 0 };
    return (struct tn_slice){ text, LOCK_TIME_LEN };
}

/* What the server is, as far as the target knows. */
static bool write_what_it_is(struct tn_lock *lock, struct tn_lock_entry *entry, const struct target *target)
{
    const struct tn_offer_list *tools = &target->offer.kinds[KIND_TOOL];
    struct tn_slice            *names;
    size_t                      words = 0;

    while (target->words && target->words[words])
        words++;
    if (target->words || target->url) {
        entry->command = (tenon_strs){ words, target->words };
        entry->url     = target->url;
    }
    if (target->offer.era.len > 0 || !entry->era.at)
        entry->era = target->offer.era;
    entry->server = target->offer.server;
    if (!target->file)
        entry->capabilities = target->offer.capabilities;
    names = tn_arena_array(&lock->arena, tools->count + 1, struct tn_slice);
    for (size_t i = 0; names && i < tools->count; i++)
        names[i] = tools->at[i].name;
    return names && tn_lock_order(lock, entry, names, tools->count);
}

static bool write_one(struct writing *writing, struct tn_lock *lock, struct tn_lock_entry *entry,
                      const struct target *target, const struct tn_reviewed *one)
{
    const struct tn_pinned *old = one->instructions ? NULL : tn_lock_pinned(entry, one->kind, one->name);
    struct tn_pinned        pinned;

    if (one->instructions)
        entry->instructions = target->offer.instructions;
    else if (one->state == REVIEW_REMOVED)
        tn_lock_unpin(entry, one->kind, one->name);
    else if (!old ||
             strcmp(old->definition.hash, one->hash) != 0) { /* one that is the same keeps its words */
        pinned = (struct tn_pinned){ *one->live, writing->approved, writing->by };
        if (!tn_lock_pin(lock, entry, one->kind, &pinned))
            return false;
    }
    writing->pin->written += one->state != REVIEW_SAME;
    return true;
}

static bool write_approved(void *user, struct tn_lock *lock)
{
    struct writing *writing = user;
    struct pin     *pin     = writing->pin;

    for (size_t i = 0; i < pin->targets.count; i++) {
        const struct target  *target = &pin->targets.at[i];
        struct tn_lock_entry *entry  = NULL;

        for (size_t j = 0; j < pin->reviews[i].count; j++) {
            if (!writing->chosen[i][j])
                continue;
            if (!entry)
                entry = tn_lock_enter(lock, target->name);
            if (!entry || !write_one(writing, lock, entry, target, &pin->reviews[i].at[j])) {
                writing->failed = true;
                return false;
            }
        }
        if (entry && !write_what_it_is(lock, entry, target)) {
            writing->failed = true;
            return false;
        }
    }
    return true;
}

static bool **choices_new(struct pin *pin)
{
    struct tn_arena *arena  = &pin->targets.remote.arena;
    bool           **chosen = tn_arena_array(arena, pin->targets.count + 1, bool *);

    for (size_t i = 0; chosen && i < pin->targets.count; i++)
        if (!(chosen[i] = tn_arena_array(arena, pin->reviews[i].count + 1, bool)))
            return NULL;
    return chosen;
}

/* How many are neither approved nor chosen. */
static void count_left(struct pin *pin, bool *const *chosen)
{
    for (size_t i = 0; i < pin->targets.count; i++)
        for (size_t j = 0; j < pin->reviews[i].count; j++)
            pin->left += pin->reviews[i].at[j].state != REVIEW_SAME && !chosen[i][j];
}

bool pin_write(struct pin *pin)
{
    struct tn_arena *arena   = &pin->targets.remote.arena;
    struct writing   writing = { .pin = pin, .chosen = choices_new(pin) };
    const char      *mistake = NULL;

    writing.approved = time_now(pin);
    writing.by       = user_name(pin);
    if (!writing.chosen || !writing.approved.at || !writing.by.at) {
        console_error(pin->targets.remote.console, "out of memory");
        return false;
    }
    for (size_t i = 0; i < pin->approval_count; i++)
        if (!find_approved(pin, pin->targets.remote.own[i], writing.chosen))
            return false;
    if (pin->all)
        choose_all(pin, writing.chosen);
    count_left(pin, writing.chosen);
    if (tn_lock_update(&pin->targets.lock_file, write_approved, &writing, arena, &mistake) == TENON_OK &&
        !writing.failed)
        return true;
    console_error(pin->targets.remote.console, "%s", mistake ? mistake : "out of memory");
    return false;
}

/* ---- First use --------------------------------------------------------------------------------------------------------- */

/* Those that the lock has nothing of. */
static void find_unpinned(struct targets *targets, const struct tn_upstream *upstreams, size_t count,
                          bool named)
{
    for (size_t i = 0; i < count && i < TARGETS_MAX; i++) {
        struct target target = target_of(&upstreams[i]);

        if (target_entry(&target, &targets->lock))
            continue;
        if (!named)
            target.name = (struct tn_slice){ NULL, 0 };
        if (!target_entry(&target, &targets->lock))
            targets->at[targets->count++] = target;
    }
}

bool pin_first_use(const struct console *console, const struct tn_upstream *upstreams, size_t count,
                   bool named, const struct tn_policy *policy)
{
    struct pin pin = { .targets.remote = { .console = console, .command = "guard" }, .all = true };
    bool       fine;

    if (!policy->lock) {
        console_error(console, "--pin needs a lock: --lock FILE");
        return false;
    }
    pin.targets.lock_file          = (struct tn_lock_file){ policy->lock, policy->lock_key };
    fine                           = remote_read(&pin.targets.remote, table, PIN_OPTIONS, 0, NULL);
    pin.targets.remote.interactive = false;
    fine                           = fine && targets_begin(&pin.targets);
    if (fine)
        find_unpinned(&pin.targets, upstreams, count, named);
    if (fine && pin.targets.count > 0)
        fine = pin_review(&pin) && pin_write(&pin);
    targets_close(&pin.targets);
    return fine;
}

/* ---- The command ------------------------------------------------------------------------------------------------------ */

static void print_sums(const struct pin *pin)
{
    size_t counts[REVIEW_UNFIT + 1] = { 0 };
    FILE  *to                       = pin->targets.remote.console->out;

    for (size_t i = 0; i < pin->targets.count; i++)
        for (size_t state = 0; state <= REVIEW_UNFIT; state++)
            counts[state] += pin->reviews[i].counts[state];
    for (size_t state = 0; state <= REVIEW_UNFIT; state++)
        if (counts[state] > 0 || state == REVIEW_SAME)
            fprintf(to, "%s%zu %s", state > 0 ? ", " : "", counts[state],
                    tn_review_word((enum tn_review_state)state));
    fputs("; ", to);
    if (pin->written > 0)
        fprintf(to, "%zu approved in %s\n", pin->written, pin->targets.lock_file.path);
    else
        fputs("nothing was written\n", to);
}

static void pin_json(struct pin *pin)
{
    struct tn_buf out;

    tn_buf_init(&out, &pin->targets.remote.arena, 4096, OUT_MAX);
    tn_buf_lit(&out, "{\"upstreams\":[");
    for (size_t i = 0; i < pin->targets.count; i++) {
        if (i > 0)
            tn_buf_char(&out, ',');
        review_json(&out, &pin->targets, &pin->targets.at[i], &pin->reviews[i]);
    }
    tn_buf_addf(&out, "],\"written\":%zu}\n", pin->written);
    if (out.failed)
        console_error(pin->targets.remote.console, "out of memory");
    else
        fwrite(out.at, 1, out.len, pin->targets.remote.console->out);
}

static void pin_print(struct pin *pin)
{
    for (size_t i = 0; i < pin->targets.count; i++)
        if (pin->diff)
            review_print_diff(&pin->targets, &pin->targets.at[i], &pin->reviews[i]);
        else
            review_print(&pin->targets, &pin->targets.at[i], &pin->reviews[i]);
    print_sums(pin);
}

enum ending pin_show(struct pin *pin)
{
    if (pin->targets.format != FINDINGS_TEXT) {
        if (!report_reviews(&pin->targets, pin->reviews))
            return ENDING_UNUSABLE;
    } else if (pin->targets.remote.raw)
        pin_json(pin);
    else
        pin_print(pin);
    for (size_t i = 0; !pin->writes && i < pin->targets.count; i++)
        pin->left += pin->reviews[i].count - pin->reviews[i].counts[REVIEW_SAME];
    return pin->left > 0 ? ENDING_BAD : ENDING_GOOD;
}

static enum ending pin_go(void *user)
{
    struct pin *pin = user;

    pin->writes = pin->all || pin->approval_count > 0;
    if (!targets_find(&pin->targets) || !pin_review(pin))
        return ENDING_UNUSABLE;
    if (pin->writes && !pin_write(pin))
        return pin->mistaken ? ENDING_BAD : ENDING_UNUSABLE;
    return pin_show(pin);
}

static enum ending pin_run(const struct console *console, int count, char **arguments)
{
    struct pin pin = { .targets.remote = { .console = console,
                                           .command = "pin",
                                           .help    = print_help,
                                           .option  = pin_option,
                                           .user    = &pin } };

    return targets_run(&pin.targets, table, PIN_OPTIONS, count, arguments, pin_go);
}

const struct command command_pin = { "pin", "approve what an MCP server offers", pin_run };
