/* place.h - where a server keeps its data when the operator does not say. */
#ifndef KIT_PLACE_H
#define KIT_PLACE_H

/* tenon/NAME in the user's data folder ($XDG_DATA_HOME, else ~/.local/share), to be freed; NULL without a home. */
char *place_of(const char *name);

#endif
