/* place.h - where a server keeps its data by default. */
#ifndef KIT_PLACE_H
#define KIT_PLACE_H

/* Where the operator says, else tenon/NAME in the user's data folder ($XDG_DATA_HOME, else ~/.local/share). To be freed;
 * NULL and *mistake (free it) without a home. */
char *place_choose(const char *said, const char *name, char **mistake);

#endif
