/* wordpiece_read.c - a tokenizer.json, as far as it is of the kind that BERT models have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/embed/model/wordpiece_parts.h"

#define VOCABULARY_MAX 1000000
#define SHOWN_MAX      40 /* letters of a name from the file that a sentence repeats */

static bool fail(char *mistake, size_t room, const char *text)
{
    snprintf(mistake, room, "%s", text);
    return false;
}

/* ---- The vocabulary ---- */

static uint64_t hash(const char *at, size_t len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)at[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static struct wordpiece_entry *place_of(const struct wordpiece *pieces, const char *at, size_t len)
{
    size_t i = (size_t)hash(at, len) & pieces->mask;

    while (pieces->entries[i].at &&
           (pieces->entries[i].len != len || memcmp(pieces->entries[i].at, at, len) != 0))
        i = (i + 1) & pieces->mask;
    return &pieces->entries[i];
}

int32_t wordpiece_find(const struct wordpiece *pieces, const char *at, size_t len)
{
    const struct wordpiece_entry *entry = place_of(pieces, at, len);

    return entry->at ? entry->id : -1;
}

static bool read_vocabulary(struct wordpiece *pieces, yyjson_val *vocabulary)
{
    size_t      i, most, size = 1024, count = yyjson_obj_size(vocabulary);
    yyjson_val *key, *value;

    if (!count || count > VOCABULARY_MAX)
        return false;
    while (size < count * 2)
        size *= 2;
    pieces->mask    = size - 1;
    pieces->entries = calloc(size, sizeof *pieces->entries);
    if (!pieces->entries)
        return false;
    yyjson_obj_foreach(vocabulary, i, most, key, value)
    {
        size_t                  len   = yyjson_get_len(key);
        struct wordpiece_entry *entry = place_of(pieces, yyjson_get_str(key), len);

        if (!yyjson_is_uint(value) || yyjson_get_uint(value) > INT32_MAX || entry->at || len > UINT32_MAX)
            return false;
        *entry = (struct wordpiece_entry){ yyjson_get_str(key), (uint32_t)len,
                                           (int32_t)yyjson_get_uint(value) };
        if (len > pieces->longest)
            pieces->longest = len;
    }
    return true;
}

/* ---- What kind it is ---- */

static bool is_type(yyjson_val *object, const char *type)
{
    return yyjson_equals_str(yyjson_obj_get(object, "type"), type);
}

/* Names what was found in the place of what is understood. */
static bool fail_type(char *mistake, size_t room, const char *what, yyjson_val *object, const char *wanted)
{
    const char *type = yyjson_get_str(yyjson_obj_get(object, "type"));
    char        shown[SHOWN_MAX + 1];
    size_t      i = 0;

    for (; type && type[i] && i < SHOWN_MAX; i++)
        shown[i] = type[i] > ' ' && type[i] < 0x7f ? type[i] : '?';
    shown[i] = '\0';
    snprintf(mistake, room, "its %s is %s, and only %s is understood", what, i ? shown : "missing", wanted);
    return false;
}

static bool flag(yyjson_val *object, const char *name, bool otherwise)
{
    yyjson_val *value = yyjson_obj_get(object, name);

    return yyjson_is_bool(value) ? yyjson_get_bool(value) : otherwise;
}

static bool check_kind(yyjson_val *root, char *mistake, size_t room)
{
    yyjson_val *model = yyjson_obj_get(root, "model"), *norm = yyjson_obj_get(root, "normalizer");
    yyjson_val *cut   = yyjson_obj_get(root, "pre_tokenizer");
    bool        lower = flag(norm, "lowercase", true);

    /* files of the first years do not state the type of their model */
    if (!is_type(model, "WordPiece") && (yyjson_obj_get(model, "type") || !yyjson_obj_get(model, "vocab")))
        return fail_type(mistake, room, "model", model, "WordPiece");
    if (!is_type(norm, "BertNormalizer"))
        return fail_type(mistake, room, "normalizer", norm, "BertNormalizer");
    if (!is_type(cut, "BertPreTokenizer"))
        return fail_type(mistake, room, "pre-tokenizer", cut, "BertPreTokenizer");
    if (!lower || !flag(norm, "strip_accents", lower))
        return fail(
            mistake, room,
            "its normalizer keeps capital letters or accents, and only uncased models are understood");
    if (!flag(norm, "clean_text", true) || !flag(norm, "handle_chinese_chars", true))
        return fail(mistake, room,
                    "its normalizer does not clean texts, or does not cut Chinese characters apart");
    return true;
}

/* ---- Special tokens ---- */

static bool find_special(const struct wordpiece *pieces, yyjson_val *name, int32_t *id)
{
    *id = yyjson_is_str(name) ? wordpiece_find(pieces, yyjson_get_str(name), yyjson_get_len(name)) : -1;
    return *id >= 0;
}

/* [CLS] A [SEP]: from a template, or from BertProcessing. */
static bool read_frame(struct wordpiece *pieces, yyjson_val *post)
{
    yyjson_val *single = yyjson_obj_get(post, "single"), *first, *last;

    if (is_type(post, "TemplateProcessing")) {
        if (yyjson_arr_size(single) != 3 || !yyjson_obj_get(yyjson_arr_get(single, 1), "Sequence"))
            return false;
        first = yyjson_obj_get(yyjson_obj_get(yyjson_arr_get(single, 0), "SpecialToken"), "id");
        last  = yyjson_obj_get(yyjson_obj_get(yyjson_arr_get(single, 2), "SpecialToken"), "id");
    } else {
        first = yyjson_arr_get(yyjson_obj_get(post, "cls"), 0);
        last  = yyjson_arr_get(yyjson_obj_get(post, "sep"), 0);
    }
    return find_special(pieces, first, &pieces->first) && find_special(pieces, last, &pieces->last);
}

static bool understand(struct wordpiece *pieces, char *mistake, size_t room)
{
    yyjson_val *root = yyjson_doc_get_root(pieces->doc), *model = yyjson_obj_get(root, "model");
    yyjson_val *prefix = yyjson_obj_get(model, "continuing_subword_prefix");
    yyjson_val *most   = yyjson_obj_get(model, "max_input_chars_per_word");

    if (!check_kind(root, mistake, room))
        return false;
    if (!read_vocabulary(pieces, yyjson_obj_get(model, "vocab")))
        return fail(mistake, room, "its vocabulary cannot be read");
    if (!find_special(pieces, yyjson_obj_get(model, "unk_token"), &pieces->unknown))
        return fail(mistake, room, "it has no token for unknown words");
    if (!yyjson_is_str(prefix) || yyjson_get_len(prefix) >= PREFIX_ROOM)
        return fail(mistake, room, "its prefix of pieces cannot be read");
    pieces->prefix_len = yyjson_get_len(prefix);
    memcpy(pieces->prefix, yyjson_get_str(prefix), pieces->prefix_len);
    pieces->word_max = most ? (size_t)yyjson_get_uint(most) : 100;
    if (!pieces->word_max || pieces->word_max > WORD_MAX)
        return fail(mistake, room, "its longest word is longer than 256 letters");
    return read_frame(pieces, yyjson_obj_get(root, "post_processor")) ||
           fail(mistake, room, "its post-processor is not [CLS] text [SEP]");
}

struct wordpiece *wordpiece_read(const char *at, size_t len, char *mistake, size_t room)
{
    struct wordpiece *pieces = len <= WORDPIECE_FILE_MAX ? calloc(1, sizeof *pieces) : NULL;
    yyjson_read_err   error;

    if (!pieces) {
        fail(mistake, room,
             len <= WORDPIECE_FILE_MAX ? "there is no memory for it" : "it is larger than 16 MB");
        return NULL;
    }
    pieces->doc = yyjson_read_opts((char *)(uintptr_t)at, len, 0, NULL, &error);
    if (!pieces->doc)
        snprintf(mistake, room, "it is not JSON: %s at byte %zu", error.msg, error.pos);
    if (pieces->doc && understand(pieces, mistake, room))
        return pieces;
    wordpiece_free(pieces);
    return NULL;
}

void wordpiece_free(struct wordpiece *pieces)
{
    if (!pieces)
        return;
    yyjson_doc_free(pieces->doc);
    free(pieces->entries);
    free(pieces);
}
