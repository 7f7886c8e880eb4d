/* group.c - what the ready groups derive from their parameters. */
#include <tenon/group.h>

void tenon_page_derive(void *group)
{
    tenon_page *page   = group;
    int64_t     before = page->page - 1;

    page->limit  = page->page_size;
    page->offset = page->page_size > 0 && before > INT64_MAX / page->page_size ? INT64_MAX
                                                                               : before * page->page_size;
}
