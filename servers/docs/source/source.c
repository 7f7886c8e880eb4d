/* source.c - which kind a file is. */
#include "docs/source/source.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char      *ending;
    enum source_kind kind;
} kinds[] = {
    { ".md", SOURCE_MARKDOWN }, { ".markdown", SOURCE_MARKDOWN }, { ".mdx", SOURCE_MDX },
    { ".txt", SOURCE_TEXT },    { ".text", SOURCE_TEXT },         { ".rst", SOURCE_RST },
    { ".html", SOURCE_HTML },   { ".htm", SOURCE_HTML },          { ".adoc", SOURCE_ASCIIDOC },
    { ".pdf", SOURCE_PDF },     { ".asciidoc", SOURCE_ASCIIDOC },
};

enum source_kind source_kind_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && dot > name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(dot, kinds[i].ending) == 0)
            return kinds[i].kind;
    return SOURCE_NONE;
}

bool source_has_front(enum source_kind kind)
{
    return kind != SOURCE_HTML && kind != SOURCE_PDF;
}

bool source_keeps_lines(enum source_kind kind)
{
    return kind != SOURCE_HTML && kind != SOURCE_PDF;
}

void source_plain(enum source_kind kind, const char *at, size_t len, struct text *out)
{
    switch (kind) {
    case SOURCE_MARKDOWN: plain_markdown(at, len, false, out); break;
    case SOURCE_MDX: plain_markdown(at, len, true, out); break;
    case SOURCE_RST: plain_rst(at, len, out); break;
    case SOURCE_ASCIIDOC: plain_asciidoc(at, len, out); break;
    case SOURCE_HTML: plain_html(at, len, out); break;
    default: text_add(out, at, len); break;
    }
}
