/* runtime.c - which ONNX Runtime: from a folder of the operator, from Tenon's data folder, from the system.
 *
 * Versions from 1.29 on report to their maker: a thread, files below the home folder, names asked of DNS. They are refused
 * unless the operator allows them; ORT_DISABLE_TELEMETRY, which they heed, is set when the program starts. Versions below 1.24
 * read files that a model names, and crash on some of them: they run only models that are known.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/embed/onnx/onnx.h"

#define API_LEAST       16 /* every function that is used here is older */
#define REPORTING_MINOR 29
#define CAREFUL_MINOR   24

static const char *const names[]        = { "libonnxruntime.so", "libonnxruntime.so.1" };
static const char *const system_names[] = { "libonnxruntime.so.1", "libonnxruntime.so.1.21",
                                            "libonnxruntime.so" };

/* A library is code: only its owner, or root, may have been able to write it. */
static bool may_load(const char *path, char *mistake)
{
    struct stat file;

    if (stat(path, &file) != 0)
        return false;
    if (!S_ISREG(file.st_mode) || (file.st_mode & 022) || (file.st_uid != geteuid() && file.st_uid != 0)) {
        snprintf(mistake, ENCODER_MISTAKE,
                 "%.200s is not loaded: it belongs to another user, or others can write it.", path);
        return false;
    }
    return true;
}

/* It stays: it cannot be unloaded safely. */
static void *open_at(const char *path, char *mistake)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

    if (!library)
        snprintf(mistake, ENCODER_MISTAKE, "ONNX Runtime cannot be loaded: %.300s", dlerror());
    return library;
}

static void *find_library(const struct encoder_options *options, char *mistake)
{
    char  path[PATH_MAX];
    void *library = NULL;

    snprintf(mistake, ENCODER_MISTAKE,
             "ONNX Runtime was not found: put libonnxruntime.so into the model's folder or Tenon's data "
             "folder, which "
             "scripts/setup --model does, or install it.");
    for (const char *const *folder = options->folders; *folder; folder++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if ((size_t)snprintf(path, sizeof path, "%s/%s", *folder, names[i]) >= sizeof path ||
                access(path, F_OK) != 0)
                continue;
            return may_load(path, mistake) ? open_at(path, mistake) : NULL;
        }
    for (size_t i = 0; !library && i < sizeof system_names / sizeof *system_names; i++)
        library = dlopen(system_names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library;
}

static bool may_run(const char *version, const struct encoder_options *options, char *mistake)
{
    unsigned major = 0, minor = 0;

    if (sscanf(version, "%u.%u", &major, &minor) != 2 || major != 1) {
        snprintf(mistake, ENCODER_MISTAKE, "ONNX Runtime %.20s is not known here; 1.24 to 1.28 are.",
                 version);
        return false;
    }
    if (minor >= REPORTING_MINOR && !options->any_runtime) {
        snprintf(mistake, ENCODER_MISTAKE,
                 "ONNX Runtime %.20s is not used: from 1.29 on it reports to its maker. Use 1.28 "
                 "(scripts/setup --model), or allow "
                 "it with --embedding-runtime-any.",
                 version);
        return false;
    }
    if (minor < CAREFUL_MINOR && !options->is_known) {
        snprintf(mistake, ENCODER_MISTAKE,
                 "ONNX Runtime %.20s runs only models that are known by their hash: before 1.24 it reads "
                 "files that a model "
                 "names. Use 1.28 (scripts/setup --model).",
                 version);
        return false;
    }
    return true;
}

bool onnx_open_runtime(struct encoder *encoder, const struct encoder_options *options, char *mistake)
{
    void *library                   = find_library(options, mistake);
    const OrtApiBase *(*base)(void) = NULL;
    const OrtApiBase *at;
    void             *symbol;

    if (!library)
        return false;
    symbol = dlsym(library, "OrtGetApiBase");
    memcpy(&base, &symbol, sizeof base);
    at = base ? base() : NULL;
    if (!at) {
        snprintf(mistake, ENCODER_MISTAKE, "The libonnxruntime.so that was found is not ONNX Runtime.");
        return false;
    }
    encoder->runtime = at->GetVersionString();
    if (!may_run(encoder->runtime, options, mistake))
        return false;
    /* the header's version, or an older one that the library has: functions are only ever added at the end */
    for (uint32_t version = ORT_API_VERSION; !encoder->api && version >= API_LEAST; version--)
        encoder->api = at->GetApi(version);
    if (!encoder->api)
        snprintf(mistake, ENCODER_MISTAKE,
                 "ONNX Runtime %.20s has none of the interfaces that are known here.", encoder->runtime);
    return encoder->api != NULL;
}
