/* duration.h - durations of ISO 8601 by the grammar of RFC 3339, appendix A, as text. */
#ifndef TEXT_DURATION_H
#define TEXT_DURATION_H

#include <stdbool.h>

#include "base/str.h"

/* "P1Y2M3DT4H5M6S", or weeks alone: "P2W". Units stand in their order and none is left out between two others. */
bool tn_duration_well_formed(struct tn_slice text);

#endif
