/* status.c - the library's version, and its statuses in words. */
#include <tenon/base.h>

#define TEXT_OF_(number) #number
#define TEXT_OF(number)  TEXT_OF_(number)

static const char *const texts[] = {
    [TENON_OK]            = "success",
    [TENON_E_NOMEM]       = "out of memory, or past a memory limit",
    [TENON_E_DECLARATION] = "a declaration that cannot work",
    [TENON_E_NOT_FOUND]   = "not found",
    [TENON_E_DENIED]      = "access denied",
    [TENON_E_EXISTS]      = "already exists",
    [TENON_E_LIMIT]       = "past a limit",
    [TENON_E_IO]          = "input or output failed",
};

const char *tenon_version(void)
{
    return TEXT_OF(TENON_VERSION_MAJOR) "." TEXT_OF(TENON_VERSION_MINOR) "." TEXT_OF(TENON_VERSION_PATCH);
}

const char *tenon_status_text(tenon_status status)
{
    size_t index = (size_t)status;

    return index < sizeof texts / sizeof *texts ? texts[index] : "unknown status";
}
