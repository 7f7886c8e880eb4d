/* zoo.c - the zoo, for the judge. */
#include "support/zoo.h"
#include "agreement/judged.h"

const tenon_tool *const *judged_tools(size_t *count)
{
    return zoo_tools(count);
}

tenon_toolbox *judged_box(bool portable)
{
    return portable ? zoo_box_portable() : zoo_box();
}
