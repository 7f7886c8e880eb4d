/* tool_read.c - tools and icons are read up to the smaller size. */
#include "answer/tool_read.h"

#include "answer/phrases.h"
#include "base/sized.h"

#define ICON_SIZE_FIRST (4 * sizeof(char *)) /* of the first headers, in which it was not written down */
#define INFO_SIZE_MIN   offsetof(tenon_info, hints)

const tenon_icon *tn_icons_read(struct tn_arena *arena, const tenon_icon *icons, size_t count, size_t size,
                                bool *known)
{
    const void       *unknown;
    const tenon_icon *own = tn_sized_table(arena, icons, count, size ? size : ICON_SIZE_FIRST, sizeof *own,
                                           &unknown);

    *known = !unknown;
    return own;
}

static const tenon_tool *with_icons(struct tn_arena *arena, const tenon_tool *tool, bool *known)
{
    tenon_tool *own;

    *known = true;
    if (tool->info.icon_count == 0 || tool->info.icon_size == sizeof(tenon_icon))
        return tool;
    own = tn_arena_new(arena, tenon_tool);
    if (!own)
        return NULL;
    *own                = *tool;
    own->info.icons     = tn_icons_read(arena, tool->info.icons, tool->info.icon_count, tool->info.icon_size,
                                        known);
    own->info.icon_size = sizeof(tenon_icon);
    return own->info.icons ? own : NULL;
}

const tenon_tool *tn_tool_read(struct tn_arena *arena, const tenon_tool *given, const char **mistake)
{
    const tenon_tool *tool  = given;
    bool              known = tn_sized_zero(given->reserved_, sizeof given->reserved_);
    tenon_tool       *own;

    *mistake = NULL;
    if (given->info_size < INFO_SIZE_MIN) {
        *mistake = PHRASE_TOOL_SIZE;
        return NULL;
    }
    if (given->info_size != sizeof given->info) {
        own = tn_arena_new(arena, tenon_tool);
        if (!own)
            return NULL;
        known &= tn_sized_read(own, sizeof *own, given, offsetof(tenon_tool, info) + given->info_size);
        own->info_size = sizeof own->info;
        tool           = own;
    }
    if (known)
        tool = with_icons(arena, tool, &known);
    if (known)
        return tool;
    *mistake = PHRASE_TOOL_UNKNOWN;
    return NULL;
}
