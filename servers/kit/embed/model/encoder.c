/* encoder.c - loading libtenon-onnx. */
#include "kit/embed/model/encoder.h"

#include <stdio.h>
#include <string.h>

#include "net/module.h"

const struct encoder_module *encoder_load(char *mistake)
{
    struct tn_module             module = tn_module_load(ENCODER_MODULE, ENCODER_ENTRY);
    encoder_entry_fn             entry  = NULL;
    const struct encoder_module *offered;

    if (!module.handle) {
        snprintf(mistake, ENCODER_MISTAKE,
                 "A model in the process needs " ENCODER_MODULE
                 ", which cannot be loaded: %.150s. Build Tenon where ONNX Runtime's header is "
                 "(scripts/setup --model), or use "
                 "Ollama or a compatible service.",
                 module.why);
        return NULL;
    }
    memcpy(&entry, &module.entry,
           sizeof entry); /* an object's address, that ISO C does not make a function's */
    offered = entry ? entry(ENCODER_VERSION) : NULL;
    if (!offered)
        snprintf(mistake, ENCODER_MISTAKE, ENCODER_MODULE " is of another release of Tenon.");
    return offered;
}
