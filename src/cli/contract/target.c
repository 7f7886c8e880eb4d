/* target.c - finding out what a call names, and asking it. */
#define _GNU_SOURCE
#include "cli/contract/target.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/file.h"
#include "cli/words.h"

#define LOCK_DEFAULT "tenon.lock"
#define NAME_LEN_MAX ((size_t)64)
#define TRIES_MAX    1000 /* for a name that is free */

/* A server may show more to a client that can be asked; what is approved should be all of it. Nothing is answered. */
#define ABILITIES "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{}}"

bool targets_option(struct targets *targets, int row, const char *value)
{
    switch (row) {
    case TARGET_CONFIG: targets->config_path = value; return true;
    case TARGET_LOCK: targets->lock_file.path = value; return true;
    case TARGET_LOCK_KEY: targets->lock_file.key = value; return true;
    case TARGET_NAME: targets->name = value; return true;
    case TARGET_JSON: targets->remote.raw = true; return true;
    case TARGET_OUTPUT:
        return tn_findings_form_read(value, &targets->format) ||
               remote_wrong(&targets->remote, "--output must be " FINDINGS_FORM_NAMES);
    case REPORT_STRICT: targets->strict = true; return true;
    case REPORT_ALL: targets->all = true; return true;
    default: return false;
    }
}

static bool targets_memory(const struct targets *targets)
{
    console_error(targets->remote.console, "out of memory");
    return false;
}

/* ---- What a call names ------------------------------------------------------------------------------------------- */

static bool read_lock(struct targets *targets)
{
    tenon_allocator memory = tn_memory_of(NULL);
    const char     *mistake;
    tenon_status    status;

    if (!targets->lock_file.path)
        targets->lock_file.path = LOCK_DEFAULT;
    tn_lock_init(&targets->lock, &memory);
    status             = tn_lock_read(&targets->lock, &targets->lock_file, &mistake);
    targets->is_locked = status == TENON_OK;
    if (status == TENON_OK || status == TENON_E_NOT_FOUND)
        return true;
    console_error(targets->remote.console, "%s", mistake);
    return false;
}

static struct target *targets_add(struct targets *targets)
{
    return &targets->at[targets->count++];
}

/* An upstream of the lock is known by its command or address. */
static struct target *take_entry(struct targets *targets, const struct tn_lock_entry *entry,
                                 struct tn_slice item)
{
    struct target *target = targets_add(targets);

    *target = (struct target){ .name  = entry->name,
                               .words = entry->command.count ? entry->command.at : NULL,
                               .url   = entry->url,
                               .item  = item };
    return target;
}

/* NAME or NAME/ITEM of the lock. */
static bool find_in_lock(struct targets *targets, const char *operand)
{
    struct tn_slice             whole = tn_slice_of(operand), item = { NULL, 0 };
    const struct tn_lock_entry *entry = tn_lock_find(&targets->lock, whole);
    const char                 *slash = strchr(operand, '/');

    if (!entry && slash) {
        entry = tn_lock_find(&targets->lock, (struct tn_slice){ operand, (size_t)(slash - operand) });
        item  = tn_slice_of(slash + 1);
    }
    if (entry)
        take_entry(targets, entry, item);
    return entry != NULL;
}

/* A file is a saved list or a lock when it is JSON; a program is neither. */
static bool is_saved(const char *operand)
{
    struct stat about;
    size_t      len = strlen(operand);

    return strcmp(operand, "-") == 0 || (stat(operand, &about) == 0 && S_ISREG(about.st_mode) &&
                                         ((len > 5 && (strcmp(operand + len - 5, ".json") == 0 ||
                                                       strcmp(operand + len - 5, ".lock") == 0))));
}

/* Is the text that of a lock? */
static bool is_lock(struct targets *targets, struct tn_slice text)
{
    yyjson_val *root;

    return tn_canonical_read(&targets->remote.arena, text, CANONICAL_DEPTH_MAX, &root) == CANONICAL_FINE &&
           yyjson_obj_get(root, "tenon-lock");
}

static bool find_other_lock(struct targets *targets, const char *path, struct tn_slice text)
{
    tenon_allocator memory = tn_memory_of(NULL);
    const char     *mistake;

    tn_lock_init(&targets->other, &memory);
    if (!tn_lock_parse(&targets->other, path, text, (struct tn_slice){ "", 0 }, &mistake)) {
        console_error(targets->remote.console, "%s", mistake);
        return false;
    }
    for (size_t i = 0; i < targets->other.count; i++) {
        struct target *target = take_entry(targets, &targets->other.at[i], (struct tn_slice){ NULL, 0 });

        target->reached = tn_offer_approved(&target->offer, &targets->remote.arena, &targets->other.at[i]);
        if (!target->reached)
            return targets_memory(targets);
    }
    return true;
}

static bool find_saved(struct targets *targets, const char *path)
{
    struct file    file = file_read(&targets->remote.arena, path);
    const char    *why;
    struct target *target;

    if (file.why) {
        console_error(targets->remote.console, "%s: %s", path, file.why);
        return false;
    }
    if (is_lock(targets, file.text))
        return find_other_lock(targets, path, file.text);
    target          = targets_add(targets);
    *target         = (struct target){ .file = path, .text = file.text };
    target->reached = tn_offer_read(&target->offer, &targets->remote.arena, file.text, NULL, &why);
    if (!target->reached)
        console_error(targets->remote.console, "%s: %s", path, why);
    return target->reached;
}

static bool find_command(struct targets *targets, const char *line)
{
    const char *why;
    char      **words = words_split(&targets->remote.arena, line, &why);

    if (words)
        *targets_add(targets) = (struct target){ .words = (const char *const *)words };
    else
        console_error(targets->remote.console, "the command line '%s' cannot be read: %s", line, why);
    return words != NULL;
}

/* ---- A configuration ---------------------------------------------------------------------------------------------- */

static bool read_config(struct targets *targets)
{
    const struct tn_config_mistakes *mistakes;

    targets->config = tn_config_read(targets->config_path, NULL);
    if (!targets->config)
        return targets_memory(targets);
    mistakes = &targets->config->mistakes;
    for (size_t i = 0; i < mistakes->count; i++)
        console_error(targets->remote.console, "%s:%zu:%zu: %s", targets->config_path,
                      mistakes->at[i].at.line, mistakes->at[i].at.column, mistakes->at[i].text);
    if (!targets->lock_file.path)
        targets->lock_file.path = targets->config->policy.lock;
    if (!targets->lock_file.key)
        targets->lock_file.key = targets->config->policy.lock_key;
    return tn_config_is_fine(targets->config);
}

struct target target_of(const struct tn_upstream *upstream)
{
    return (struct target){ .name     = tn_slice_of(upstream->name),
                            .words    = upstream->words,
                            .url      = upstream->url,
                            .upstream = upstream };
}

/* All servers of the configuration, or the one that the call names. */
static bool find_configured(struct targets *targets)
{
    const char *operand = targets->remote.operand_count ? targets->remote.operands[0] : NULL;
    size_t      len     = operand ? strcspn(operand, "/") : 0;

    if (targets->remote.word_count || targets->remote.operand_count > 1)
        return remote_wrong(&targets->remote, "with --config, TARGET is one name of it");
    for (size_t i = 0; i < targets->config->upstream_count && targets->count < TARGETS_MAX; i++) {
        struct target target = target_of(&targets->config->upstreams[i]);

        if (operand && !tn_slice_same(target.name, (struct tn_slice){ operand, len }))
            continue;
        if (operand && operand[len])
            target.item = tn_slice_of(operand + len + 1);
        *targets_add(targets) = target;
    }
    return targets->count > 0 ||
           remote_wrong(&targets->remote, "the configuration has no server of that name");
}

/* ---- The call ------------------------------------------------------------------------------------------------------ */

bool targets_begin(struct targets *targets)
{
    targets->at = tn_arena_array(&targets->remote.arena, TARGETS_MAX, struct target);
    return targets->at ? read_lock(targets) : targets_memory(targets);
}

bool targets_take(struct targets *targets, const char *operand)
{
    if (remote_is_address(operand)) {
        *targets_add(targets) = (struct target){ .url = operand };
        return true;
    }
    if (is_saved(operand))
        return find_saved(targets, operand);
    return find_in_lock(targets, operand) || find_command(targets, operand);
}

bool targets_find(struct targets *targets)
{
    struct remote *remote = &targets->remote;

    if (targets->config_path && !read_config(targets))
        return false;
    if (!targets_begin(targets))
        return false;
    if (targets->config)
        return find_configured(targets);
    if (remote->operand_count != (remote->word_count ? 0 : 1))
        return remote_wrong(remote,
                            remote->operand_count
                                ? "one TARGET only; quote a command line, or put it after --"
                                : "a TARGET is needed: an address, a command, a saved list, or a name of "
                                  "the lock");
    if (remote->word_count) {
        *targets_add(targets) = (struct target){ .words = (const char *const *)remote->words };
        return true;
    }
    return targets_take(targets, remote->operands[0]);
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

struct tn_lock_entry *target_entry(const struct target *target, const struct tn_lock *lock)
{
    if (target->name.at)
        return tn_lock_find(lock, target->name);
    if (target->words)
        return tn_lock_find_command(lock, target->words);
    return target->url ? tn_lock_find_url(lock, target->url) : NULL;
}

/* The server's own name, in characters that a command line bears. */
static struct tn_slice server_name(struct targets *targets, const struct target *target)
{
    struct tn_buf   out;
    yyjson_val     *server;
    struct tn_slice name = { NULL, 0 };

    if (tn_canonical_read(&targets->remote.arena, target->offer.server, DEFINITION_DEPTH_MAX, &server) ==
        CANONICAL_FINE)
        name = tn_json_slice(yyjson_obj_get(server, "name"));
    tn_buf_init(&out, &targets->remote.arena, 0, NAME_LEN_MAX + 1);
    for (size_t i = 0; i < name.len && i < NAME_LEN_MAX; i++) {
        char c = name.at[i];

        tn_buf_char(&out,
                    (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ? c : '_');
    }
    return out.len > 0 && !out.failed ? tn_buf_slice(&out) : SLICE_LIT("server");
}

/* A name that no other upstream has. */
static struct tn_slice free_name(struct targets *targets, struct tn_slice wanted)
{
    struct tn_slice name = wanted;
    struct tn_buf   out;

    for (unsigned i = 2; tn_lock_find(&targets->lock, name) && i < TRIES_MAX; i++) {
        tn_buf_init(&out, &targets->remote.arena, 0, NAME_LEN_MAX + 8);
        tn_buf_addf(&out, "%.*s_%u", (int)wanted.len, wanted.at, i);
        name = tn_buf_slice(&out);
    }
    return name;
}

/* Upstreams of the lock keep their name; a saved list belongs to the one that is called like it. */
static void find_name(struct targets *targets, struct target *target)
{
    const struct tn_lock_entry *entry = target_entry(target, &targets->lock);

    if (target->name.at)
        return;
    if (targets->name)
        target->name = tn_slice_of(targets->name);
    else if (entry)
        target->name = entry->name;
    else if (target->file)
        target->name = server_name(targets, target);
    else
        target->name = free_name(targets, server_name(targets, target));
}

/* Hashes leave out what the entry says; they are made again when it says anything. */
static const tenon_strs *unpinned_of(const struct targets *targets, const struct target *target)
{
    const struct tn_lock_entry *entry = target_entry(target, &targets->lock);

    return entry ? &entry->unpinned : NULL;
}

bool target_prepare(struct targets *targets, const struct target *target)
{
    struct remote *remote = &targets->remote;

    remote->words        = (char **)(uintptr_t)target->words;
    remote->environment  = NULL;
    remote->directory    = NULL;
    remote->more_headers = NULL;
    return !target->upstream || remote_set_upstream(remote, target->upstream);
}

static bool ask_server(struct targets *targets, struct target *target)
{
    struct remote *remote = &targets->remote;
    const char    *why;

    if (!target->words && !target->url) {
        console_error(remote->console, "the lock has neither a command nor an address of %.*s",
                      (int)target->name.len, target->name.at);
        return false;
    }
    remote->capabilities = ABILITIES;
    if (!target_prepare(targets, target) || !remote_open(remote, target->url))
        return false;
    target->reached = tn_offer_ask(&target->offer, &remote->arena, remote->client,
                                   unpinned_of(targets, target), &why);
    if (!target->reached)
        console_error(remote->console, "%s", why);
    tenon_client_free(remote->client);
    remote->client = NULL;
    return target->reached;
}

/* A saved list, now that it is known which upstream it belongs to. */
static bool read_again(struct targets *targets, struct target *target)
{
    const char *why;

    if (tn_offer_read(&target->offer, &targets->remote.arena, target->text, unpinned_of(targets, target),
                      &why))
        return true;
    console_error(targets->remote.console, "%s: %s", target->file, why);
    return false;
}

bool target_ask(struct targets *targets, struct target *target)
{
    if (!target->reached && !ask_server(targets, target))
        return false;
    find_name(targets, target);
    return !target->text.at || read_again(targets, target);
}

enum ending targets_run(struct targets *targets, const struct option *table, int table_count, int count,
                        char **arguments, enum ending (*work)(void *user))
{
    enum ending ending = ENDING_UNUSABLE;

    if (remote_read(&targets->remote, table, table_count, count, arguments))
        ending = targets->remote.told ? ENDING_GOOD : work(targets->remote.user);
    targets_close(targets);
    return ending;
}

void targets_close(struct targets *targets)
{
    tn_config_free(targets->config);
    tn_lock_free(&targets->lock);
    tn_lock_free(&targets->other);
    remote_close(&targets->remote);
}
