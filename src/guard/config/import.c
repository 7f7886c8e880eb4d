/* import.c - a configuration as guard.yaml. */
#include <string.h>

#include "guard/config/config.h"
#include "guard/config/yaml.h"

#define YAML_LEN_MAX (CONFIG_BYTES_MAX * 4)

/* A comment stays on its line. */
static void write_comment(struct tn_buf *out, const struct tn_config_mistake *note)
{
    struct tn_slice rest = tn_slice_of(note->text);

    tn_buf_addf(out, "# line %zu: ", note->at.line);
    while (rest.len > 0) {
        uint32_t code;
        size_t   skipped = tn_yaml_unprintable(rest, &code), len = skipped ? skipped : 1;

        tn_buf_char(out, skipped || (unsigned char)rest.at[0] < 0x20 ? ' ' : rest.at[0]);
        rest = (struct tn_slice){ rest.at + len, rest.len - len };
    }
    tn_buf_char(out, '\n');
}

const char *tn_config_yaml(struct tn_config *config)
{
    struct tn_buf out;

    tn_buf_init(&out, &config->arena, 0, YAML_LEN_MAX);
    for (size_t i = 0; i < config->mistakes.count; i++)
        write_comment(&out, &config->mistakes.at[i]);
    for (size_t i = 0; i < config->notes.count; i++)
        write_comment(&out, &config->notes.at[i]);
    tn_yaml_write(&out, config->tree.root, 0);
    return tn_buf_end(&out);
}
