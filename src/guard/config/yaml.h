/* yaml.h - what words mean in YAML, and a tree written as YAML. */
#ifndef GUARD_CONFIG_YAML_H
#define GUARD_CONFIG_YAML_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/str.h"

enum tn_yaml_word { YAML_WORD_TEXT, YAML_WORD_NULL, YAML_WORD_TRUE, YAML_WORD_FALSE, YAML_WORD_NUMBER };

/* What a word without quotes is. */
enum tn_yaml_word tn_yaml_word(struct tn_slice word);

/* Is the first character of a text one that YAML does not print, or that ends a line? Its length; 0 if it may stand as it is. */
size_t tn_yaml_unprintable(struct tn_slice text, uint32_t *code);

/* A value as YAML, in lines that begin with `indent` spaces. */
void tn_yaml_write(struct tn_buf *out, yyjson_val *value, size_t indent);

#endif
