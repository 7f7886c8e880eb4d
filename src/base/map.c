/* map.c - an object of strings. */
#include <string.h>

#include <tenon/base.h>

const char *tenon_map_get(const tenon_map *map, const char *key)
{
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->at[i].key, key) == 0)
            return map->at[i].value;
    return NULL;
}
