/* clients.c - which clients lists are published for; their form of a tool, and the way back. */
#include "guard/policy/clients.h"

#include "base/memory.h"
#include "contract/canonical.h"
#include "guard/phrases.h"
#include "json/read.h"

#define ARGUMENTS_MAX ((size_t)64 << 20)
#define DEPTH_MAX     ((size_t)120)

struct tn_clients {
    tenon_allocator          memory;
    struct tn_profiles       profiles;
    const struct tn_profile *chosen[PROFILES_MAX];
    struct tn_flat_form      form;
};

static bool choose(struct tn_clients *clients, const char *names, const char **why)
{
    struct tn_slice rest  = tn_slice_of(names), name;
    size_t          count = 0;

    while (tn_slice_split(&rest, ',', &name)) {
        const struct tn_profile *profile = tn_profiles_find(&clients->profiles, tn_slice_trim(name));

        if (!profile || count == PROFILES_MAX) {
            *why = GUARD_NO_CLIENT;
            return false;
        }
        clients->chosen[count++] = profile;
    }
    tn_flat_form_init(&clients->form, clients->chosen, count);
    *why = GUARD_NO_CLIENT;
    return count > 0;
}

struct tn_clients *tn_clients_new(const tenon_allocator *memory, const char *names, const char **why)
{
    struct tn_clients *clients = tn_memory_new(memory, sizeof *clients);
    const char        *mistake = SAY_MEMORY;

    if (clients) {
        clients->memory = *memory;
        tn_profiles_init(&clients->profiles, memory);
    }
    if (!clients || !tn_profiles_add_known(&clients->profiles) || !choose(clients, names, &mistake)) {
        if (why)
            *why = mistake;
        tn_clients_free(clients);
        return NULL;
    }
    return clients;
}

void tn_clients_free(struct tn_clients *clients)
{
    tenon_allocator memory;

    if (!clients)
        return;
    memory = clients->memory;
    tn_profiles_free(&clients->profiles);
    tn_memory_free(&memory, clients, sizeof *clients);
}

/* A definition that cannot be read in canonical form, such as one with a name twice, stays as it is. */
bool tn_clients_publish(const struct tn_clients *clients, struct tn_arena *arena, struct tn_slice *text,
                        struct tn_flat **plan)
{
    struct tn_flat_tool tool;
    yyjson_val         *definition;

    if (tn_canonical_read(arena, *text, CANONICAL_DEPTH_MAX, &definition) != CANONICAL_FINE)
        return !arena->failed;
    if (!tn_flat_tool(&tool, arena, &clients->form, definition, (struct tn_slice){ NULL, 0 }))
        return false;
    if (tool.plan) {
        *text = tool.text;
        *plan = tool.plan;
    }
    return true;
}

bool tn_clients_turn_back(struct tn_arena *arena, const struct tn_offered *tool, yyjson_val **arguments,
                          struct tn_slice *text)
{
    const struct tn_json_limits limits = { ARGUMENTS_MAX, DEPTH_MAX, SIZE_MAX };
    yyjson_val                 *sent;
    struct tn_buf               out;
    struct tn_json_text         read;

    if (!tool->plan || tn_canonical_read(arena, *text, CANONICAL_DEPTH_MAX, &sent) != CANONICAL_FINE)
        return false;
    tn_buf_init(&out, arena, text->len + 64, ARGUMENTS_MAX);
    if (!tn_flat_back(&out, arena, tool->plan, sent))
        return false;
    read = tn_json_read(arena, out.at, out.len, &limits);
    if (!read.root)
        return false;
    *arguments = read.root;
    *text      = tn_buf_slice(&out);
    return true;
}
